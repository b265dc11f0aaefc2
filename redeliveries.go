package tracking

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/deliveryrules"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// RedeliverNotification sends a notification once more, whatever its state, and
// returns it. The attempt has the same ID and payload as before and is signed with
// the present secret. If it fails, the state of the notification stays. It changes
// neither the breaker nor the webhook. Needs update.
//
// Errors: NotFound; Invalid with the code webhook_deleted or webhook_inactive.
func (t *Tracker) RedeliverNotification(ctx context.Context, id ID, once ...Once) (*WebhookNotification, error) {
	var n *WebhookNotification
	_, err := t.redeliver(ctx, []ID{id}, once, func(tx *transaction) (err error) {
		n, err = notifications.Get(tx, id)
		return err
	})
	return n, err
}

// MaxRedelivery is how many notifications RedeliverNotifications sends in one call.
const MaxRedelivery = 500

// RedeliverNotifications sends notifications once more, each as RedeliverNotification does:
// all of them, or none if one is refused. It returns an ID that
// WebhookNotificationQuery.Redeliveries finds them by; RedeliveryRequestedAt says which still
// wait for their answer. Needs update.
//
// Errors: as RedeliverNotification, and Invalid on ids (blank, too_many).
func (t *Tracker) RedeliverNotifications(ctx context.Context, ids []ID, once ...Once) (ID, error) {
	switch {
	case len(ids) == 0:
		return ID{}, invalid("ids", "blank", "Name at least one notification")
	case len(ids) > MaxRedelivery:
		return ID{}, invalid("ids", "too_many", "These are %d notifications; at most %d can be sent again at one time", len(ids), MaxRedelivery)
	}
	return t.redeliver(ctx, ids, once, func(*transaction) error { return nil })
}

// redeliver enqueues an attempt for each notification, and runs then in the same transaction.
func (t *Tracker) redeliver(ctx context.Context, ids []ID, once []Once, then func(*transaction) error) (redelivery ID, err error) {
	if err := t.allow(Update); err != nil {
		return ID{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return ID{}, err
	}
	err = t.change(ctx, "webhook_notification.redeliver", t.actor.Account, func(tx *transaction) (err error) {
		redelivery, _, err = remembered(tx, once, "redeliver", func() (ID, error) {
			for _, n := range ids {
				if err := redeliver(tx, n, id); err != nil {
					return ID{}, err
				}
			}
			return id, nil
		})
		if err != nil {
			return err
		}
		return then(tx)
	})
	return redelivery, err
}

func redeliver(tx *transaction, id, redelivery ID) error {
	n, err := notifications.Get(tx, id)
	if err != nil {
		return err
	}
	w, err := webhooks.Get(tx, n.Webhook)
	switch {
	case isNotFound(err):
		return &Error{Kind: Invalid, Code: "webhook_deleted", Detail: "The webhook of this notification was deleted"}
	case err != nil:
		return err
	}
	if err := requireActive(w); err != nil {
		return err
	}
	n.Redelivery, n.RedeliveryRequestedAt = redelivery, tx.Now
	if err := notifications.Put(tx, n); err != nil {
		return err
	}
	return enqueueManual(tx, n, w, manualRun{})
}

func requireActive(w *Webhook) error {
	if w.Active {
		return nil
	}
	return &Error{Kind: Invalid, Code: "webhook_inactive", Detail: "The webhook is not active; activate it first"}
}

// enqueueManual enqueues an attempt outside the schedule. Manual attempts have a
// group of their own, which the breaker does not pause.
func enqueueManual(tx *transaction, n *WebhookNotification, w *Webhook, run manualRun) error {
	data, err := json.Marshal(run)
	if err != nil {
		return err
	}
	j := deliveryJob(n, tx.Now)
	j.ID, j.Group, j.Data = table.NamedID("job/manual", n.ID.String()+"/"+run.Recovery.String()), manualGroup(n.Webhook), data
	j.Due = tx.clock()
	if w.isMail() {
		j.Kind = jobMail
	}
	return tx.enqueueBy(j) // an attempt under way is this one
}

// manualGroup is the group of manual attempts at a webhook.
func manualGroup(webhook ID) string { return "manual/" + webhook.String() }

// WebhookRecovery repeats all notifications of a webhook in a span of time.
type WebhookRecovery struct {
	Meta
	Webhook ID `rel:"webhook,webhook"` // whose notifications are sent again

	// Since and Until are the span in which the events were announced; UTC, both
	// inclusive.
	Since time.Time `attr:"since"`
	Until time.Time `attr:"until"`
	// Events that are repeated; empty means all.
	Events []EventName    `attr:"events"`
	Status RecoveryStatus `attr:"status"`
	// MatchedCount is the number of notifications found so far. Each gets one
	// attempt; SucceededCount and FailedCount count the results.
	MatchedCount   int `attr:"matched_count"`
	SucceededCount int `attr:"succeeded_count"`
	FailedCount    int `attr:"failed_count"`
	// CreatedAt and FinishedAt, UTC; FinishedAt is zero (null) until the recovery
	// is completed.
	CreatedAt  time.Time `attr:"created_at"`
	FinishedAt time.Time `attr:"finished_at,null"`

	webhookRecoveryInternals
}

// webhookRecoveryInternals is what the engine stores with a recovery and does not show.
type webhookRecoveryInternals struct {
	// Listed is the number of pages of notifications that have been enqueued.
	// Complete: there are no more pages.
	Listed   int  `private:"listed"`
	Complete bool `private:"complete"`
}

// RecoveryStatus is the state of a recovery.
type RecoveryStatus string

// The states of a recovery.
const (
	RecoveryRunning   RecoveryStatus = "running"
	RecoveryCompleted RecoveryStatus = "completed"
)

var recoveries = newKind("webhook_recovery", []column[WebhookRecovery]{
	table.IDColumn("webhook", func(r *WebhookRecovery) ID { return r.Webhook }),
	table.TimeColumn("created_at", func(r *WebhookRecovery) time.Time { return r.CreatedAt }),
}, nil, nil)

// completeIfDone completes a recovery whose attempts have all ended.
func (r *WebhookRecovery) completeIfDone(now time.Time) {
	if r.Complete && r.Status == RecoveryRunning && r.SucceededCount+r.FailedCount >= r.MatchedCount {
		r.Status, r.FinishedAt = RecoveryCompleted, now
	}
}

// maxRecovery is the longest span of one recovery.
const maxRecovery = 14 * 24 * time.Hour

// NewRecovery has the arguments of RecoverWebhook.
type NewRecovery struct {
	// Since and Until are the span in which the events were announced: at most 14
	// days, both inclusive. Until defaults to now. Since is moved forward to what
	// the Retention of DeliverySettings keeps for another hour.
	Since, Until time.Time
	// Events to repeat; none means all.
	Events []EventName
}

func (n *NewRecovery) validate(now time.Time) error {
	until := n.Until
	if until.IsZero() {
		until = now
	}
	switch {
	case n.Since.IsZero():
		return invalid("since", "blank", "Since can't be blank: give a time such as 2026-01-31T00:00:00Z")
	case until.Before(n.Since):
		return invalid("until", "invalid", "Until is before since")
	case until.Sub(n.Since) > maxRecovery:
		return invalid("since", "out_of_range", "Since is more than 14 days before until; recover the span in parts")
	}
	return nil
}

// RecoverWebhook sends all notifications of a webhook in a span of time again,
// oldest first, including those that succeeded. They have their original IDs, so
// that receivers can leave out what they know. It runs in the background;
// WebhookRecovery returns its progress. Needs update.
//
// Errors: NotFound; Invalid on since (blank, invalid), until (invalid), events
// (inclusion), and with the code webhook_inactive.
func (t *Tracker) RecoverWebhook(ctx context.Context, id ID, n NewRecovery, once ...Once) (*WebhookRecovery, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	for _, e := range n.Events {
		if !isEvent(e) {
			return nil, invalid("events", "inclusion", "'%s' is not an event; GET /webhooks/events lists them", abbreviate(string(e), 64))
		}
	}
	if err := n.validate(t.now()); err != nil {
		return nil, err
	}
	return createOnce(ctx, t, once, recoveries, func(tx *transaction) (*WebhookRecovery, error) {
		w, err := webhooks.Get(tx, id)
		if err != nil {
			return nil, err
		}
		if err := requireActive(w); err != nil {
			return nil, err
		}
		r := &WebhookRecovery{
			Webhook: id, Since: n.Since.UTC(), Until: n.Until.UTC(), Events: n.Events, Status: RecoveryRunning, CreatedAt: tx.Now,
		}
		if n.Until.IsZero() {
			r.Until = tx.Now
		}
		// Pages would shift if notifications were deleted in the meantime.
		if kept := tx.Now.Add(time.Hour - t.config.Delivery.Retention); kept.After(r.Since) && kept.Before(r.Until) {
			r.Since = kept
		}
		if err := recoveries.Put(tx, r); err != nil {
			return nil, err
		}
		return r, tx.enqueue(store.Job{ID: table.NamedID("job/recover", r.ID.String()), Kind: jobRecover, Ref: r.ID, Due: tx.Now})
	})
}

// WebhookRecovery returns one recovery. Needs show. Errors: NotFound.
func (t *Tracker) WebhookRecovery(ctx context.Context, id ID) (*WebhookRecovery, error) {
	return get(ctx, t, recoveries, id)
}

// replayBatch is the number of notifications in one transaction of a background
// job.
const replayBatch = 200

// recoverWebhook enqueues the notifications of a recovery, a page at a time. Pages
// do not shift: new notifications come after the span, and none of the span is
// deleted in the meantime.
func (t *Tracker) recoverWebhook(ctx context.Context, j store.Job) error {
	return t.runInBatches(ctx, j, func(tx *transaction) (int, error) {
		r, err := recoveries.Get(tx, j.Ref)
		if err != nil || r.Complete {
			return 0, err
		}
		found, err := r.enqueuePage(tx)
		if err != nil {
			return 0, err
		}
		r.Complete = found < replayBatch
		r.completeIfDone(tx.Now)
		return found, recoveries.Put(tx, r)
	})
}

func (r *WebhookRecovery) enqueuePage(tx *transaction) (found int, err error) {
	q := WebhookNotificationQuery{
		Webhooks: []ID{r.Webhook}, Events: r.Events, Created: TimeRange{From: r.Since, To: r.Until}, OldestFirst: true,
	}
	list, _, err := notifications.List(tx, q.where(), Page{Number: r.Listed + 1, Size: replayBatch})
	if err != nil {
		return 0, err
	}
	w, err := webhooks.Get(tx, r.Webhook)
	if isNotFound(err) { // its attempts find out
		w, err = &Webhook{}, nil
	}
	if err != nil {
		return 0, err
	}
	for _, n := range list {
		if err := enqueueManual(tx, n, w, manualRun{Recovery: r.ID}); err != nil {
			return 0, err
		}
	}
	r.Listed++
	r.MatchedCount += len(list)
	return len(list), nil
}

// failPending fails the pending notifications of a deleted webhook, a batch at a
// time.
func (t *Tracker) failPending(ctx context.Context, j store.Job) error {
	q := WebhookNotificationQuery{Webhooks: []ID{j.Ref}, Statuses: []DeliveryStatus{DeliveryPending}}
	return t.runInBatches(ctx, j, func(tx *transaction) (int, error) {
		return forEachNotification(tx, q, func(n *WebhookNotification) error {
			return (&recorder{tx: tx}).fail(n, FailedWebhookDeleted)
		})
	})
}

// releaseHeld enqueues the notifications that waited for a resumed shipment, a
// batch at a time.
func (t *Tracker) releaseHeld(ctx context.Context, j store.Job) error {
	return t.runInBatches(ctx, j, func(tx *transaction) (int, error) {
		s, err := shipments.Get(tx, j.Ref)
		if err != nil || s.paused() {
			return 0, err
		}
		links, err := tx.Records.Links(tx, notifications.Kind, "held", []ID{j.Ref})
		if err != nil {
			return 0, err
		}
		links = links[:min(len(links), replayBatch)]
		for _, l := range links {
			n, err := notifications.Get(tx, l.ID)
			if err != nil {
				return 0, err
			}
			n.HeldAt, n.NextAttemptAt = time.Time{}, tx.Now
			if err := notifications.Put(tx, n); err != nil {
				return 0, err
			}
			if err := tx.enqueue(deliveryJob(n, tx.clock())); err != nil {
				return 0, err
			}
		}
		return len(links), nil
	})
}

// releaseOnResume enqueues a job that releases the notifications of a shipment, if
// any wait.
func releaseOnResume(tx *transaction, s *Shipment) error {
	held, err := tx.Records.Links(tx, notifications.Kind, "held", []ID{s.ID})
	if err != nil || len(held) == 0 {
		return err
	}
	return tx.enqueue(store.Job{ID: table.NamedID("job/release", s.ID.String()), Kind: jobRelease, Ref: s.ID, Due: tx.Now})
}

// runInBatches runs a job in updates until one of them has nothing to do.
func (t *Tracker) runInBatches(ctx context.Context, j store.Job, batch func(*transaction) (int, error)) error {
	return t.updateUntilNone(ctx, j.Account, func(tx *transaction) (int, error) {
		if n, err := batch(tx); err != nil || n > 0 {
			return n, err
		}
		return 0, tx.Records.Finish(tx, j)
	})
}

// updateUntilNone runs updates until one of them has nothing to do.
func (t *Tracker) updateUntilNone(ctx context.Context, a AccountID, batch func(*transaction) (int, error)) error {
	for {
		n := 0
		err := t.update(ctx, a, func(tx *transaction) (err error) {
			n, err = batch(tx)
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

func forEachNotification(tx *transaction, q WebhookNotificationQuery, do func(*WebhookNotification) error) (int, error) {
	list, _, err := notifications.List(tx, q.where(), Page{Number: 1, Size: replayBatch})
	if err != nil {
		return 0, err
	}
	for _, n := range list {
		if err := do(n); err != nil {
			return 0, err
		}
	}
	return len(list), nil
}

// expireBatch fails notifications that have been pending for too long without an
// attempt: those that wait for an inactive webhook. It returns their number.
func expireBatch(tx *transaction) (int, error) {
	q := WebhookNotificationQuery{Statuses: []DeliveryStatus{DeliveryPending}, Created: TimeRange{To: tx.Now.Add(-deliveryrules.Expiry)}}
	n := recorder{tx: tx, endpoints: map[ID]*endpointUpdate{}}
	found, err := forEachNotification(tx, q, n.expire)
	if err != nil {
		return 0, err
	}
	return found, n.save()
}
