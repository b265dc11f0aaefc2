package tracking

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/landfallhq/tracking/store"
)

// recorder writes what came of deliveries of one account, in one transaction.
type recorder struct {
	tx            *Tx
	notifications map[ID]*WebhookNotification // as they are now
	endpoints     map[ID]*endpointUpdate
	recovered     map[ID]*WebhookRecovery
	paused        []string // groups that are to be left alone from now on
}

// endpointUpdate is an endpoint with what it has become in this transaction.
type endpointUpdate struct {
	endpoint
	changed bool
}

// load reads the notifications of parcels, all at once.
func (rec *recorder) load(batch []*delivery) (err error) {
	ids := make([]ID, 0, len(batch))
	for _, d := range batch {
		ids = append(ids, d.job.Ref)
	}
	rec.notifications, err = getByID(rec.tx, notifications, ids)
	return err
}

// record deals with one parcel. One whose lease is another's by now changes nothing.
func (rec *recorder) record(d *delivery) error {
	if err := rec.tx.records.Finish(rec.tx, d.job); err != nil {
		return ignoreLeaseLost(err)
	}
	if d.notification == nil || d.disposition == dispositionDrop {
		return rec.countForRecovery(d, false)
	}
	current := rec.notifications[d.notification.ID]
	if current == nil {
		return nil
	}
	if err := rec.recordLost(d, current); err != nil {
		return err
	}
	if d.disposition == dispositionReturn || d.outcome.Failure == FailCanceled {
		return rec.requeue(d)
	}
	switch d.disposition {
	case dispositionExpire:
		return rec.expire(current)
	case dispositionAbandon:
		return errors.Join(rec.fail(current, FailedWebhookDeleted), rec.countForRecovery(d, false))
	case dispositionHold:
		return rec.hold(d, current)
	}
	return rec.recordAttempt(d, current)
}

func ignoreLeaseLost(err error) error {
	if errors.Is(err, ErrLeaseLost) {
		return nil
	}
	return err
}

// requeue enqueues a job anew, as if it had not been claimed.
func (rec *recorder) requeue(d *delivery) error {
	if d.probe { // its turn was nobody's
		if err := pauseEndpoint(rec.tx, d.notification.Webhook, rec.tx.Now); err != nil {
			return err
		}
	}
	if err := rec.pauseInactive(d); err != nil {
		return err
	}
	// What is paced is not claimed again before its turn.
	d.job.Due = latest(d.job.Due, rec.tx.clock().Add(d.outcome.RetryAfter))
	return rec.tx.enqueueDelivery(d.job)
}

// pauseInactive keeps back what goes to a webhook that is inactive: as it is now,
// for it may have become active since the parcel was loaded.
func (rec *recorder) pauseInactive(d *delivery) error {
	if d.manual != nil || d.webhook == nil || d.webhook.Active {
		return nil
	}
	w, err := table(rec.tx, webhooks).Get(d.webhook.ID)
	if err != nil || w.Active {
		return ignoreNotFound(err)
	}
	return pauseEndpoint(rec.tx, w.ID, distantFuture)
}

// recordLost notes the attempts of which nothing was heard again: a job that was
// claimed more than once was not given back.
func (rec *recorder) recordLost(d *delivery, current *WebhookNotification) error {
	if d.job.Attempt <= 1 {
		return nil
	}
	for range d.job.Attempt - 1 {
		a := newAttempt(current, d.trigger(), time.Time{}, rec.tx.Now, &Outcome{
			Failure: AttemptLost, Detail: "the process that made the attempt ended before it knew what came of it",
		})
		current.AttemptsCount++
		a.NextAttemptAt = rec.tx.Now
		if err := table(rec.tx, attempts).Put(a); err != nil {
			return err
		}
	}
	return table(rec.tx, notifications).Put(current)
}

func (d *delivery) trigger() AttemptTrigger {
	if d.manual != nil {
		return TriggerManual
	}
	return TriggerAuto
}

// expire gives up what has waited too long. At an endpoint that fails it counts as
// given up for that.
func (rec *recorder) expire(current *WebhookNotification) error {
	if current.DeliveryStatus != DeliveryPending {
		return nil
	}
	e, err := rec.endpoint(current.Webhook)
	if err != nil {
		return err
	}
	if !e.FailingSince.IsZero() {
		e.recordGivenUp(rec.tx.Now)
		e.changed = true
	}
	return rec.fail(current, FailedExpired)
}

// fail ends a pending notification; one that has ended otherwise meanwhile stays.
func (rec *recorder) fail(current *WebhookNotification, reason FailureReason) error {
	if current.DeliveryStatus != DeliveryPending {
		return nil
	}
	current.DeliveryStatus, current.FailureReason, current.NextAttemptAt, current.HeldAt = DeliveryFailed, reason, time.Time{}, time.Time{}
	return table(rec.tx, notifications).Put(current)
}

// hold has a notification wait for its shipment, at most until it expires. One
// that is followed again by now releases nothing more: then it goes out.
func (rec *recorder) hold(d *delivery, current *WebhookNotification) error {
	s, err := table(rec.tx, shipments).Get(current.Shipment)
	if err != nil {
		return err
	}
	if !s.paused() {
		return rec.requeue(d)
	}
	current.HeldAt, current.NextAttemptAt = rec.tx.Now, time.Time{}
	if err := table(rec.tx, notifications).Put(current); err != nil {
		return err
	}
	return enqueueDelivery(rec.tx, current, current.ExpiresAt)
}

// recordAttempt notes an attempt that was made.
func (rec *recorder) recordAttempt(d *delivery, current *WebhookNotification) error {
	a := newAttempt(current, d.trigger(), d.started, d.ended, &d.outcome)
	current.AttemptsCount++
	succeeded := d.outcome.Failure == ""
	switch {
	case succeeded:
		current.DeliveryStatus, current.FailureReason, current.NextAttemptAt, current.HeldAt = DeliverySucceeded, "", time.Time{}, time.Time{}
	case d.manual != nil || current.DeliveryStatus != DeliveryPending:
		// All stays as it was.
	case d.outcome.isGone():
		current.DeliveryStatus, current.FailureReason, current.NextAttemptAt = DeliveryFailed, FailedGone, time.Time{}
	default:
		if err := rec.scheduleRetry(d, current); err != nil {
			return err
		}
	}
	a.NextAttemptAt = current.NextAttemptAt
	if err := table(rec.tx, attempts).Put(a); err != nil {
		return err
	}
	if err := table(rec.tx, notifications).Put(current); err != nil {
		return err
	}
	if d.manual != nil { // changes neither breaker nor webhook
		return rec.countForRecovery(d, succeeded)
	}
	return rec.updateEndpoint(d, succeeded, current.FailureReason == FailedExhausted)
}

// scheduleRetry makes the appointment of the next attempt, or gives up.
func (rec *recorder) scheduleRetry(d *delivery, current *WebhookNotification) error {
	delay, more := deliveryRetryDelay(current.Step, &d.outcome, rec.tx.engine.config.Rand())
	if !more {
		current.DeliveryStatus, current.FailureReason, current.NextAttemptAt = DeliveryFailed, FailedExhausted, time.Time{}
		return nil
	}
	current.Step++
	at := rec.tx.clock().Add(delay)
	current.NextAttemptAt = at
	return enqueueDelivery(rec.tx, current, at)
}

// updateEndpoint notes how the endpoint fares.
func (rec *recorder) updateEndpoint(d *delivery, succeeded, givenUp bool) error {
	e, err := rec.endpoint(d.notification.Webhook)
	if err != nil {
		return err
	}
	if succeeded {
		if e.Failures == 0 && e.OpenUntil.IsZero() {
			return nil
		}
		e.changed = true
		if e.recordSuccess() {
			return pauseEndpoint(rec.tx, e.ID, rec.tx.Now)
		}
		return nil
	}
	w, err := table(rec.tx, webhooks).Get(d.notification.Webhook)
	if err != nil || !w.Active || w.URL != d.webhook.URL { // it says nothing of the endpoint of now
		return ignoreNotFound(err)
	}
	e.changed = true
	if e.recordFailure(rec.tx.Now, givenUp) {
		rec.paused = append(rec.paused, d.job.Group)
		if err := pauseEndpoint(rec.tx, e.ID, e.OpenUntil); err != nil {
			return err
		}
	}
	switch {
	case d.outcome.isGone():
		return rec.deactivate(d, DeactivatedGone)
	case e.mustDeactivate(rec.tx.Now) && !rec.tx.engine.config.Delivery.KeepFailing:
		return rec.deactivate(d, DeactivatedFailing)
	}
	return nil
}

func (rec *recorder) endpoint(id ID) (*endpointUpdate, error) {
	if e := rec.endpoints[id]; e != nil {
		return e, nil
	}
	e, err := table(rec.tx, endpoints).Get(id)
	if isNotFound(err) {
		e, err = &endpoint{Meta: Meta{ID: id}}, nil
	}
	if err != nil {
		return nil, err
	}
	rec.endpoints[id] = &endpointUpdate{endpoint: *e}
	return rec.endpoints[id], nil
}

// deactivate gives a webhook up. Its owner makes it active again.
func (rec *recorder) deactivate(d *delivery, reason DeactivationReason) error {
	w, err := table(rec.tx, webhooks).Get(d.notification.Webhook)
	if err != nil {
		return ignoreNotFound(err)
	}
	if !w.Active {
		return nil
	}
	w.deactivate(rec.tx, reason)
	rec.tx.engine.log.Warn("a webhook was deactivated", "webhook", w.ID, "reason", reason)
	rec.paused = append(rec.paused, d.job.Group)
	if err := table(rec.tx, webhooks).Put(w); err != nil { // sealed as it was
		return err
	}
	return pauseEndpoint(rec.tx, w.ID, distantFuture)
}

// countForRecovery counts an attempt, if a recovery asked for it.
func (rec *recorder) countForRecovery(d *delivery, succeeded bool) error {
	if d.manual == nil || d.manual.Recovery == (ID{}) {
		return nil
	}
	id := d.manual.Recovery
	r := rec.recovered[id]
	if r == nil {
		var err error
		if r, err = table(rec.tx, recoveries).Get(id); err != nil {
			return ignoreNotFound(err)
		}
		if rec.recovered == nil {
			rec.recovered = map[ID]*WebhookRecovery{}
		}
		rec.recovered[id] = r
	}
	if succeeded {
		r.SucceededCount++
	} else {
		r.FailedCount++
	}
	return nil
}

// save writes what several parcels share.
func (rec *recorder) save() error {
	for _, e := range rec.endpoints {
		if e.changed {
			if err := table(rec.tx, endpoints).Put(&e.endpoint); err != nil {
				return err
			}
		}
	}
	for _, r := range rec.recovered {
		r.completeIfDone(rec.tx.Now)
		if err := table(rec.tx, recoveries).Put(r); err != nil {
			return err
		}
	}
	return nil
}

// distantFuture is a time that does not come.
var distantFuture = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// pauseEndpoint keeps all scheduled attempts of a webhook back until a time; one
// that has passed lets them go.
func pauseEndpoint(tx *Tx, id ID, until time.Time) error {
	return tx.records.PauseGroup(tx, jobDelivery, id.String(), until)
}

// resetEndpoint forgets how deliveries to a webhook fared, and lets them go.
func resetEndpoint(tx *Tx, id ID) error {
	if err := table(tx, endpoints).Delete(id); err != nil && !isNotFound(err) {
		return err
	}
	return pauseEndpoint(tx, id, tx.Now)
}

// failPendingOf is for a webhook that was deleted: its pending notifications
// are let go, and fail.
func failPendingOf(tx *Tx, id ID) error {
	if err := resetEndpoint(tx, id); err != nil {
		return err
	}
	return tx.enqueue(store.Job{ID: named("job/abandon", id.String()), Kind: jobFailPending, Ref: id, Due: tx.Now})
}

// manualRun is the state of a job that somebody asked for.
type manualRun struct {
	// Recovery that asked for it; zero for a single redelivery.
	Recovery ID `json:"recovery,omitzero"`
}

// manualRunOf reads it; nil for a scheduled attempt.
func manualRunOf(j store.Job) *manualRun {
	if len(j.Data) == 0 {
		return nil
	}
	m := &manualRun{}
	if json.Unmarshal(j.Data, m) != nil {
		return nil
	}
	return m
}
