package tracking

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/landfallhq/tracking/store"
)

// noting writes what came of deliveries of one account, in one transaction.
type noting struct {
	tx        *Tx
	found     map[ID]*WebhookNotification // as they are now
	endpoints map[ID]*noted
	recovered map[ID]*WebhookRecovery
	shut      []string // groups that are to be left alone from now on
}

// noted is an endpoint with what it has become in this transaction.
type noted struct {
	endpoint
	changed bool
}

// read reads the notifications of parcels, all at once.
func (n *noting) read(batch []*parcel) (err error) {
	ids := make([]ID, 0, len(batch))
	for _, p := range batch {
		ids = append(ids, p.job.Ref)
	}
	n.found, err = gather(n.tx, notifications, ids)
	return err
}

// note deals with one parcel. One whose lease is another's by now changes nothing.
func (n *noting) note(p *parcel) error {
	if err := n.tx.records.Finish(n.tx, p.job); err != nil {
		return dropLost(err)
	}
	if p.n == nil || p.verdict == toDrop {
		return n.recover(p, false)
	}
	now := n.found[p.n.ID]
	if now == nil {
		return nil
	}
	if err := n.lost(p, now); err != nil {
		return err
	}
	if p.verdict == toReturn || p.outcome.Failure == FailCanceled {
		return n.giveBack(p)
	}
	switch p.verdict {
	case toExpire:
		return n.expire(now)
	case toAbandon:
		return errors.Join(n.fail(now, FailedWebhookDeleted), n.recover(p, false))
	case toPark:
		return n.park(p, now)
	}
	return n.attempted(p, now)
}

func dropLost(err error) error {
	if errors.Is(err, ErrLeaseLost) {
		return nil
	}
	return err
}

// giveBack enqueues a job anew, as if it had not been claimed.
func (n *noting) giveBack(p *parcel) error {
	if p.probe { // its turn was nobody's
		if err := holdEndpoint(n.tx, p.n.Webhook, n.tx.Now); err != nil {
			return err
		}
	}
	if err := n.holdInactive(p); err != nil {
		return err
	}
	// What is paced is not claimed again before its turn.
	p.job.Due = latest(p.job.Due, n.tx.clock().Add(p.outcome.RetryAfter))
	return n.tx.enqueueDelivery(p.job)
}

// holdInactive keeps back what goes to a webhook that is inactive: as it is now,
// for it may have become active since the parcel was loaded.
func (n *noting) holdInactive(p *parcel) error {
	if p.manual != nil || p.w == nil || p.w.Active {
		return nil
	}
	w, err := table(n.tx, webhooks).Get(p.w.ID)
	if err != nil || w.Active {
		return dropNotFound(err)
	}
	return holdEndpoint(n.tx, w.ID, never)
}

// lost notes the attempts of which nothing was heard again: a job that was
// claimed more than once was not given back.
func (n *noting) lost(p *parcel, now *WebhookNotification) error {
	if p.job.Attempt <= 1 {
		return nil
	}
	for range p.job.Attempt - 1 {
		a := newAttempt(now, p.trigger(), time.Time{}, n.tx.Now, &Outcome{
			Failure: AttemptLost, Detail: "the process that made the attempt ended before it knew what came of it",
		})
		now.AttemptsCount++
		a.NextAttemptAt = n.tx.Now
		if err := table(n.tx, attempts).Put(a); err != nil {
			return err
		}
	}
	return table(n.tx, notifications).Put(now)
}

func (p *parcel) trigger() AttemptTrigger {
	if p.manual != nil {
		return TriggerManual
	}
	return TriggerAuto
}

// expire gives up what has waited too long. At an endpoint that fails it counts as
// given up for that.
func (n *noting) expire(now *WebhookNotification) error {
	if now.DeliveryStatus != DeliveryPending {
		return nil
	}
	e, err := n.endpoint(now.Webhook)
	if err != nil {
		return err
	}
	if !e.FailingSince.IsZero() {
		e.givenUp(n.tx.Now)
		e.changed = true
	}
	return n.fail(now, FailedExpired)
}

// fail ends a pending notification; one that has ended otherwise meanwhile stays.
func (n *noting) fail(now *WebhookNotification, reason FailureReason) error {
	if now.DeliveryStatus != DeliveryPending {
		return nil
	}
	now.DeliveryStatus, now.FailureReason, now.NextAttemptAt, now.HeldAt = DeliveryFailed, reason, time.Time{}, time.Time{}
	return table(n.tx, notifications).Put(now)
}

// park has a notification wait for its shipment, at most until it expires. One
// that is followed again by now releases nothing more: then it goes out.
func (n *noting) park(p *parcel, now *WebhookNotification) error {
	s, err := table(n.tx, shipments).Get(now.Shipment)
	if err != nil {
		return err
	}
	if !s.paused() {
		return n.giveBack(p)
	}
	now.HeldAt, now.NextAttemptAt = n.tx.Now, time.Time{}
	if err := table(n.tx, notifications).Put(now); err != nil {
		return err
	}
	return enqueueDelivery(n.tx, now, now.ExpiresAt)
}

// attempted notes an attempt that was made.
func (n *noting) attempted(p *parcel, now *WebhookNotification) error {
	a := newAttempt(now, p.trigger(), p.started, p.ended, &p.outcome)
	now.AttemptsCount++
	succeeded := p.outcome.Failure == ""
	switch {
	case succeeded:
		now.DeliveryStatus, now.FailureReason, now.NextAttemptAt, now.HeldAt = DeliverySucceeded, "", time.Time{}, time.Time{}
	case p.manual != nil || now.DeliveryStatus != DeliveryPending:
		// All stays as it was.
	case p.outcome.gone():
		now.DeliveryStatus, now.FailureReason, now.NextAttemptAt = DeliveryFailed, FailedGone, time.Time{}
	default:
		if err := n.retry(p, now); err != nil {
			return err
		}
	}
	a.NextAttemptAt = now.NextAttemptAt
	if err := table(n.tx, attempts).Put(a); err != nil {
		return err
	}
	if err := table(n.tx, notifications).Put(now); err != nil {
		return err
	}
	if p.manual != nil { // changes neither breaker nor webhook
		return n.recover(p, succeeded)
	}
	return n.heard(p, succeeded, now.FailureReason == FailedExhausted)
}

// retry makes the appointment of the next attempt, or gives up.
func (n *noting) retry(p *parcel, now *WebhookNotification) error {
	delay, more := retryIn(now.Step, &p.outcome, n.tx.engine.config.Rand())
	if !more {
		now.DeliveryStatus, now.FailureReason, now.NextAttemptAt = DeliveryFailed, FailedExhausted, time.Time{}
		return nil
	}
	now.Step++
	at := n.tx.clock().Add(delay)
	now.NextAttemptAt = at
	return enqueueDelivery(n.tx, now, at)
}

// heard notes how the endpoint fares.
func (n *noting) heard(p *parcel, succeeded, givenUp bool) error {
	e, err := n.endpoint(p.n.Webhook)
	if err != nil {
		return err
	}
	if succeeded {
		if e.Failures == 0 && e.OpenUntil.IsZero() {
			return nil
		}
		e.changed = true
		if e.succeeded() {
			return holdEndpoint(n.tx, e.ID, n.tx.Now)
		}
		return nil
	}
	w, err := table(n.tx, webhooks).Get(p.n.Webhook)
	if err != nil || !w.Active || w.URL != p.w.URL { // it says nothing of the endpoint of now
		return dropNotFound(err)
	}
	e.changed = true
	if e.failed(n.tx.Now, givenUp) {
		n.shut = append(n.shut, p.job.Group)
		if err := holdEndpoint(n.tx, e.ID, e.OpenUntil); err != nil {
			return err
		}
	}
	switch {
	case p.outcome.gone():
		return n.deactivate(p, DeactivatedGone)
	case e.hopeless(n.tx.Now) && !n.tx.engine.config.Delivery.KeepFailing:
		return n.deactivate(p, DeactivatedFailing)
	}
	return nil
}

func (n *noting) endpoint(id ID) (*noted, error) {
	if e := n.endpoints[id]; e != nil {
		return e, nil
	}
	e, err := table(n.tx, endpoints).Get(id)
	if isNotFound(err) {
		e, err = &endpoint{Meta: Meta{ID: id}}, nil
	}
	if err != nil {
		return nil, err
	}
	n.endpoints[id] = &noted{endpoint: *e}
	return n.endpoints[id], nil
}

// deactivate gives a webhook up. Its owner makes it active again.
func (n *noting) deactivate(p *parcel, reason DeactivationReason) error {
	w, err := table(n.tx, webhooks).Get(p.n.Webhook)
	if err != nil {
		return dropNotFound(err)
	}
	if !w.Active {
		return nil
	}
	w.deactivate(n.tx, reason)
	n.tx.engine.log.Warn("a webhook was deactivated", "webhook", w.ID, "reason", reason)
	n.shut = append(n.shut, p.job.Group)
	if err := table(n.tx, webhooks).Put(w); err != nil { // sealed as it was
		return err
	}
	return holdEndpoint(n.tx, w.ID, never)
}

// recover counts an attempt, if a recovery asked for it.
func (n *noting) recover(p *parcel, succeeded bool) error {
	if p.manual == nil || p.manual.Recovery == (ID{}) {
		return nil
	}
	id := p.manual.Recovery
	r := n.recovered[id]
	if r == nil {
		var err error
		if r, err = table(n.tx, recoveries).Get(id); err != nil {
			return dropNotFound(err)
		}
		if n.recovered == nil {
			n.recovered = map[ID]*WebhookRecovery{}
		}
		n.recovered[id] = r
	}
	if succeeded {
		r.SucceededCount++
	} else {
		r.FailedCount++
	}
	return nil
}

// close writes what several parcels share.
func (n *noting) close() error {
	for _, e := range n.endpoints {
		if e.changed {
			if err := table(n.tx, endpoints).Put(&e.endpoint); err != nil {
				return err
			}
		}
	}
	for _, r := range n.recovered {
		r.settle(n.tx.Now)
		if err := table(n.tx, recoveries).Put(r); err != nil {
			return err
		}
	}
	return nil
}

// never is a time that does not come.
var never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// holdEndpoint keeps all scheduled attempts of a webhook back until a time; one
// that has passed lets them go.
func holdEndpoint(tx *Tx, id ID, until time.Time) error {
	return tx.records.PauseGroup(tx, jobDelivery, id.String(), until)
}

// resetEndpoint forgets how deliveries to a webhook fared, and lets them go.
func resetEndpoint(tx *Tx, id ID) error {
	if err := table(tx, endpoints).Delete(id); err != nil && !isNotFound(err) {
		return err
	}
	return holdEndpoint(tx, id, tx.Now)
}

// abandonEndpoint is for a webhook that was deleted: its pending notifications
// are let go, and fail.
func abandonEndpoint(tx *Tx, id ID) error {
	if err := resetEndpoint(tx, id); err != nil {
		return err
	}
	return tx.enqueue(store.Job{ID: named("job/abandon", id.String()), Kind: jobAbandon, Ref: id, Due: tx.Now})
}

// manualRun is the state of a job that somebody asked for.
type manualRun struct {
	// Recovery that asked for it; zero for a single redelivery.
	Recovery ID `json:"recovery,omitzero"`
}

// manualOf reads it; nil for a scheduled attempt.
func manualOf(j store.Job) *manualRun {
	if len(j.Data) == 0 {
		return nil
	}
	m := &manualRun{}
	if json.Unmarshal(j.Data, m) != nil {
		return nil
	}
	return m
}
