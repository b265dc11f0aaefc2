package tracking

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/landfallhq/tracking/internal/deliveryrules"
	"github.com/landfallhq/tracking/internal/schedule"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/internal/workers"
	"github.com/landfallhq/tracking/store"
)

// recorder records the results of deliveries of one account in one transaction.
type recorder struct {
	tx            *transaction
	notifications map[ID]*WebhookNotification // as stored now
	endpoints     map[ID]*endpointUpdate
	recovered     map[ID]*WebhookRecovery
	paused        []string // groups of webhooks that get nothing more for now
}

// endpoint has the breaker of a webhook. It has the webhook's ID.
type endpoint struct {
	Meta
	deliveryrules.Breaker
}

var endpoints = newKind[endpoint]("webhook_endpoint", nil, nil, nil)

type endpointUpdate struct {
	endpoint
	changed bool
}

// load reads the notifications again. Most are as they were loaded, and are not decoded again.
func (rec *recorder) load(batch []*delivery) error {
	loaded := make(map[ID]*WebhookNotification, len(batch))
	ids := make([]ID, 0, len(batch))
	for _, d := range batch {
		if _, known := loaded[d.Job.Ref]; !known {
			ids = append(ids, d.Job.Ref)
		}
		loaded[d.Job.Ref] = d.notification
	}
	records, err := rec.tx.Records.GetMany(rec.tx, notifications.Kind, ids, make([]store.Record, 0, len(ids)))
	if err != nil {
		return err
	}
	rec.notifications = make(map[ID]*WebhookNotification, len(records))
	for _, r := range records {
		if n := loaded[r.ID]; n != nil && n.Version == r.Version {
			current := *n // this may run more than once
			rec.notifications[r.ID] = &current
			continue
		}
		if rec.notifications[r.ID], err = notifications.Decode(r); err != nil {
			return err
		}
	}
	return nil
}

// record records one result. The job of the delivery has just been finished.
func (rec *recorder) record(d *delivery) error {
	current := rec.notifications[d.Job.Ref]
	if d.notification == nil || d.disposition == deliveryrules.Drop {
		return errors.Join(rec.endRedelivery(d, current), rec.countForRecovery(d.manual, false))
	}
	if current == nil {
		return nil
	}
	if err := recordLost(rec.tx, d.Job.Attempt, d.trigger(), current); err != nil {
		return err
	}
	if d.Plan == workers.PlanReturn || d.outcome.Failure == FailCanceled {
		return rec.requeue(d)
	}
	switch d.disposition {
	case deliveryrules.Expire:
		return rec.expire(current)
	case deliveryrules.Abandon:
		return errors.Join(rec.endRedelivery(d, current), rec.fail(current, FailedWebhookDeleted), rec.countForRecovery(d.manual, false))
	case deliveryrules.Hold:
		return rec.hold(d, current)
	}
	return rec.recordAttempt(d, current)
}

// endRedelivery ends a redelivery without an attempt.
func (rec *recorder) endRedelivery(d *delivery, current *WebhookNotification) error {
	if current == nil || !current.endRedelivery(d.manual) {
		return nil
	}
	return notifications.Put(rec.tx, current)
}

// endRedelivery reports whether a redelivery has ended with a run.
func (n *WebhookNotification) endRedelivery(run *manualRun) bool {
	if run == nil || run.Recovery != (ID{}) {
		return false
	}
	n.RedeliveryRequestedAt = time.Time{}
	return true
}

// requeue enqueues the job again as if it had not been claimed.
func (rec *recorder) requeue(d *delivery) error {
	if d.Paused { // the probe was not made
		if err := pauseEndpoint(rec.tx, d.notification.Webhook, rec.tx.Now); err != nil {
			return err
		}
	}
	if err := rec.pauseInactive(d); err != nil {
		return err
	}
	// A notification that waits for its pace is not claimed before that.
	d.Job.Due = schedule.Latest(d.Job.Due, rec.tx.clock().Add(d.outcome.RetryAfter))
	return rec.tx.enqueue(d.Job)
}

// pauseInactive pauses the group of an inactive webhook. It reads the webhook
// again, because it may have become active since the load.
func (rec *recorder) pauseInactive(d *delivery) error {
	if d.manual != nil || d.webhook == nil || d.webhook.Active {
		return nil
	}
	w, err := webhooks.Get(rec.tx, d.webhook.ID)
	if err != nil || w.Active {
		return ignoreNotFound(err)
	}
	return pauseEndpoint(rec.tx, w.ID, distantFuture)
}

// recordLost records the attempts of processes that ended before their result: a
// job that was claimed more than once was not returned.
func recordLost(tx *transaction, claims int, trigger AttemptTrigger, current *WebhookNotification) error {
	if claims <= 1 {
		return nil
	}
	for range claims - 1 {
		a := newAttempt(current, trigger, time.Time{}, tx.Now, &Outcome{
			Failure: attemptLost, Detail: "the process ended before the attempt did",
		})
		current.AttemptsCount++
		current.LastAttemptAt, a.NextAttemptAt = tx.Now, tx.Now
		if err := attempts.Put(tx, a); err != nil {
			return err
		}
	}
	return notifications.Put(tx, current)
}

func (d *delivery) trigger() AttemptTrigger { return d.manual.trigger() }

func (m *manualRun) trigger() AttemptTrigger {
	if m != nil {
		return TriggerManual
	}
	return TriggerAuto
}

// expire fails a notification that has been pending for too long. At a failing
// endpoint that counts as given up.
func (rec *recorder) expire(current *WebhookNotification) error {
	if current.DeliveryStatus != DeliveryPending {
		return nil
	}
	e, err := rec.endpoint(current.Webhook)
	if err != nil {
		return err
	}
	if !e.FailingSince.IsZero() {
		e.GiveUp(rec.tx.Now)
		e.changed = true
	}
	return rec.fail(current, FailedExpired)
}

// fail fails a pending notification. One that has ended in the meantime stays as it
// is.
func (rec *recorder) fail(current *WebhookNotification, reason FailureReason) error {
	if current.DeliveryStatus != DeliveryPending {
		return nil
	}
	current.end(DeliveryFailed, reason)
	return notifications.Put(rec.tx, current)
}

// hold makes a notification wait for its stopped shipment, at most until it
// expires. If the shipment has been resumed since the load, the notification is
// enqueued again: nothing else would release it.
func (rec *recorder) hold(d *delivery, current *WebhookNotification) error {
	s, err := shipments.Get(rec.tx, current.Shipment)
	if err != nil {
		return err
	}
	if !s.paused() {
		return rec.requeue(d)
	}
	current.HeldAt, current.NextAttemptAt = rec.tx.Now, time.Time{}
	if err := notifications.Put(rec.tx, current); err != nil {
		return err
	}
	return rec.tx.enqueue(deliveryJob(current, current.ExpiresAt))
}

func (rec *recorder) recordAttempt(d *delivery, current *WebhookNotification) error {
	result, err := current.recordAttempt(rec.tx, madeAttempt{d.manual, d.started, d.ended, &d.outcome})
	if err != nil {
		return err
	}
	if result == deliveryrules.Retry {
		if err := rec.tx.enqueue(deliveryJob(current, current.NextAttemptAt)); err != nil {
			return err
		}
	}
	if d.manual != nil { // a manual delivery changes neither breaker nor webhook
		return rec.countForRecovery(d.manual, result == deliveryrules.Succeeded)
	}
	return rec.updateEndpoint(d, result)
}

// madeAttempt is an attempt that has ended.
type madeAttempt struct {
	manual         *manualRun // nil for the schedule
	started, ended time.Time
	outcome        *Outcome
}

// recordAttempt writes an attempt and what it makes of the notification. The caller enqueues the
// next one, which is due at NextAttemptAt.
func (n *WebhookNotification) recordAttempt(tx *transaction, made madeAttempt) (deliveryrules.Result, error) {
	o := made.outcome
	a := newAttempt(n, made.manual.trigger(), made.started, made.ended, o)
	n.AttemptsCount++
	n.LastAttemptAt = made.ended
	n.endRedelivery(made.manual)
	result, delay := deliveryrules.Attempt{
		Succeeded: o.Failure == "", Gone: o.Gone,
		Busy: o.Overloaded || o.Failure == FailTimeout, RetryAfter: o.RetryAfter,
		Pending: n.DeliveryStatus == DeliveryPending, Manual: made.manual != nil, Step: n.Step,
	}.Result(tx.engine.config.Rand())
	switch result {
	case deliveryrules.Succeeded:
		n.end(DeliverySucceeded, "")
	case deliveryrules.Gone:
		n.end(DeliveryFailed, FailedGone)
	case deliveryrules.Exhausted:
		n.end(DeliveryFailed, FailedExhausted)
	case deliveryrules.Retry:
		n.Step++
		n.NextAttemptAt = tx.clock().Add(delay)
	}
	a.NextAttemptAt = n.NextAttemptAt
	if err := attempts.Put(tx, a); err != nil {
		return result, err
	}
	return result, notifications.Put(tx, n)
}

// updateEndpoint counts successes and failures of the endpoint, and opens the
// breaker or deactivates the webhook.
func (rec *recorder) updateEndpoint(d *delivery, result deliveryrules.Result) error {
	e, err := rec.endpoint(d.notification.Webhook)
	if err != nil {
		return err
	}
	if result == deliveryrules.Succeeded {
		if e.Failures == 0 && e.OpenUntil.IsZero() {
			return nil
		}
		e.changed = true
		if e.Succeed() {
			return pauseEndpoint(rec.tx, e.ID, rec.tx.Now)
		}
		return nil
	}
	w, err := webhooks.Get(rec.tx, d.notification.Webhook)
	if err != nil || !w.Active || w.URL != d.webhook.URL { // the failure was at another endpoint
		return ignoreNotFound(err)
	}
	e.changed = true
	if e.Fail(rec.tx.Now, result == deliveryrules.Exhausted) {
		rec.paused = append(rec.paused, d.Job.Group)
		if err := pauseEndpoint(rec.tx, e.ID, e.OpenUntil); err != nil {
			return err
		}
	}
	switch {
	case d.outcome.Gone:
		return rec.deactivate(d, DeactivatedGone)
	case e.MustDeactivate(rec.tx.Now) && !rec.tx.engine.config.Delivery.KeepFailing:
		return rec.deactivate(d, DeactivatedFailing)
	}
	return nil
}

func (rec *recorder) endpoint(id ID) (*endpointUpdate, error) {
	if e := rec.endpoints[id]; e != nil {
		return e, nil
	}
	e, err := endpoints.Get(rec.tx, id)
	if isNotFound(err) {
		e, err = &endpoint{Meta: Meta{ID: id}}, nil
	}
	if err != nil {
		return nil, err
	}
	rec.endpoints[id] = &endpointUpdate{endpoint: *e}
	return rec.endpoints[id], nil
}

// deactivate deactivates a webhook. A user activates it again.
func (rec *recorder) deactivate(d *delivery, reason DeactivationReason) error {
	w, err := webhooks.Get(rec.tx, d.notification.Webhook)
	if err != nil {
		return ignoreNotFound(err)
	}
	if !w.Active {
		return nil
	}
	w.deactivate(rec.tx, reason)
	rec.tx.engine.log.Warn("a webhook was deactivated", "webhook", w.ID, "reason", reason)
	rec.paused = append(rec.paused, d.Job.Group)
	if err := webhooks.Put(rec.tx, w); err != nil { // sealed as it was
		return err
	}
	return pauseEndpoint(rec.tx, w.ID, distantFuture)
}

// countForRecovery counts the attempt in the recovery that asked for it, if any.
func (rec *recorder) countForRecovery(run *manualRun, succeeded bool) error {
	if run == nil || run.Recovery == (ID{}) {
		return nil
	}
	id := run.Recovery
	r := rec.recovered[id]
	if r == nil {
		var err error
		if r, err = recoveries.Get(rec.tx, id); err != nil {
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

// save writes the records that several deliveries share.
func (rec *recorder) save() error {
	for _, e := range rec.endpoints {
		if e.changed {
			if err := endpoints.Put(rec.tx, &e.endpoint); err != nil {
				return err
			}
		}
	}
	for _, r := range rec.recovered {
		r.completeIfDone(rec.tx.Now)
		if err := recoveries.Put(rec.tx, r); err != nil {
			return err
		}
	}
	return nil
}

// distantFuture stands for no end of a pause.
var distantFuture = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// pauseEndpoint pauses the scheduled attempts of a webhook until a time. A time in
// the past resumes them.
func pauseEndpoint(tx *transaction, id ID, until time.Time) error {
	return tx.Records.PauseGroup(tx, jobDelivery, id.String(), until)
}

// resetEndpoint forgets the successes and failures of an endpoint and resumes its
// attempts.
func resetEndpoint(tx *transaction, id ID) error {
	if err := endpoints.Delete(tx, id); err != nil && !isNotFound(err) {
		return err
	}
	return pauseEndpoint(tx, id, tx.Now)
}

// failPendingOf enqueues a job that fails the pending notifications of a deleted
// webhook.
func failPendingOf(tx *transaction, id ID) error {
	if err := resetEndpoint(tx, id); err != nil {
		return err
	}
	return tx.enqueue(store.Job{ID: table.NamedID("job/abandon", id.String()), Kind: jobFailPending, Ref: id, Due: tx.Now})
}

// manualRun is the data of a job that a redelivery or a recovery has enqueued.
type manualRun struct {
	// Recovery is zero for a single redelivery.
	Recovery ID `json:"recovery,omitzero"`
}

// manualRunOf returns nil for a scheduled attempt.
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
