package tracking

import (
	"context"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/deliveryrules"
	"github.com/landfallhq/tracking/internal/inclusion"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// WebhookNotification notifies one webhook of one event (see
// docs/contract.md#retries-of-deliveries). It is written in the transaction of the
// change. Its ID follows from webhook and event, and is sent with every attempt, so
// that receivers recognise repeats.
type WebhookNotification struct {
	Meta
	Webhook ID `rel:"webhook,webhook"` // the one that is notified
	// Reference is the object that the event is about.
	Reference Ref      `rel:"reference_object,tracking_request|estimated_event|transport_event|container_updated_event|container_created_event|container_pod_terminal_changed_event|document|container|exception"`
	_         struct{} `rel:"webhook_notification_logs,webhook_notification_log,inverse"`

	Event          EventName      `attr:"event"`           // see docs/events.md
	DeliveryStatus DeliveryStatus `attr:"delivery_status"` // pending, succeeded or failed
	// FailureReason is why the notification failed for good; empty (null) for any
	// other state.
	FailureReason FailureReason `attr:"failure_reason,null"`
	// AttemptsCount is the number of attempts that have ended, including those lost
	// in a crash.
	AttemptsCount int `attr:"attempts_count"`
	// NextAttemptAt is when the next attempt is due, UTC; zero (null) when none is
	// scheduled, or while it waits for its webhook or shipment.
	NextAttemptAt time.Time `attr:"next_attempt_at,null"`
	// LastAttemptAt is when the last attempt ended, UTC; zero (null) before the first, and
	// of what programs before this attribute have sent.
	LastAttemptAt time.Time `attr:"last_attempt_at,null"`
	// RedeliveryRequestedAt is when a redelivery was asked for that has not ended yet, UTC;
	// zero (null) when none is under way.
	RedeliveryRequestedAt time.Time `attr:"redelivery_requested_at,null"`
	// CreatedAt is when the event was announced, and ExpiresAt until when the
	// notification may be pending; UTC.
	CreatedAt time.Time `attr:"created_at"`
	ExpiresAt time.Time `attr:"expires_at"`

	webhookNotificationInternals
}

// webhookNotificationInternals is what the engine stores with a notification and does not show.
type webhookNotificationInternals struct {
	Occurrence ID `private:"occurrence"`
	Shipment   ID `private:"shipment"` // zero for an event without a shipment
	// Step is the next step of the schedule: the number of failed scheduled
	// attempts.
	Step int `private:"step"`
	// HeldAt is since when it waits for its stopped shipment; zero when it does not
	// wait.
	HeldAt time.Time `private:"held_at"`
	// Redelivery is the last that the notification was part of; see RedeliverNotifications.
	Redelivery ID `private:"redelivery"`
}

// DeliveryStatus is the state of a notification (see
// docs/contract.md#retries-of-deliveries).
type DeliveryStatus string

// The states. An attempt of a pending notification may be under way.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliverySucceeded DeliveryStatus = "succeeded"
	DeliveryFailed    DeliveryStatus = "failed"
)

// FailureReason is why a notification failed for good.
type FailureReason string

// The reasons.
const (
	FailedExhausted      FailureReason = "exhausted"       // all attempts of the schedule failed
	FailedExpired        FailureReason = "expired"         // it was pending for 96 hours
	FailedGone           FailureReason = "gone"            // the endpoint answered 410
	FailedWebhookDeleted FailureReason = "webhook_deleted" // the webhook was deleted
)

// The generation was raised with that of event snapshots, so that programs which cannot read
// a snapshot leave its notifications to others.
var notifications = newKind("webhook_notification", []column[WebhookNotification]{
	table.IDColumn("webhook", func(n *WebhookNotification) ID { return n.Webhook }),
	table.TextColumn("event", func(n *WebhookNotification) string { return string(n.Event) }),
	table.TextColumn("status", func(n *WebhookNotification) string { return string(n.DeliveryStatus) }),
	table.TimeColumn("created_at", func(n *WebhookNotification) time.Time { return n.CreatedAt }),
	table.IDColumn("held", func(n *WebhookNotification) ID {
		if n.HeldAt.IsZero() || n.DeliveryStatus != DeliveryPending {
			return ID{}
		}
		return n.Shipment
	}),
	table.TimeColumn("last_attempt_at", func(n *WebhookNotification) time.Time { return n.LastAttemptAt }),
	table.IDColumn("redelivery", func(n *WebhookNotification) ID { return n.Redelivery }),
}, nil, nil).Counted("status").Volatile("last_attempt_at").Sparse("held", "redelivery").InBinaryForm().InGeneration(5)

// writeNotification writes the notification of a webhook and enqueues its delivery.
func (s *eventSnapshot) writeNotification(tx *transaction, w *Webhook) error {
	n := &WebhookNotification{
		Meta:    Meta{ID: table.NamedID("webhook_notification", w.ID.String()+"/"+s.ID.String())},
		Webhook: w.ID, Reference: s.Reference, Event: s.Event, DeliveryStatus: DeliveryPending,
		NextAttemptAt: tx.Now, CreatedAt: tx.Now, ExpiresAt: tx.Now.Add(deliveryrules.Expiry),
		webhookNotificationInternals: webhookNotificationInternals{Occurrence: s.ID, Shipment: s.Shipment},
	}
	if err := notifications.Put(tx, n); err != nil {
		return err
	}
	if w.isMail() {
		return enqueueMail(tx, w.ID, tx.clock().Add(s.mailDelay()))
	}
	return tx.enqueue(deliveryJob(n, tx.clock()))
}

// end ends the delivery of a notification.
func (n *WebhookNotification) end(s DeliveryStatus, reason FailureReason) {
	n.DeliveryStatus, n.FailureReason, n.NextAttemptAt, n.HeldAt = s, reason, time.Time{}, time.Time{}
}

// sentWhenStopped reports whether the notification is sent even if its shipment is
// stopped: it reports the stop.
func (n *WebhookNotification) sentWhenStopped() bool {
	return n.Event == freight.TrackingRequestStopped
}

// WebhookNotificationQuery selects notifications, last created first.
type WebhookNotificationQuery struct {
	// Webhooks, Events and Statuses: any of them; none means all.
	Webhooks []ID
	Events   []EventName
	Statuses []DeliveryStatus
	Created  TimeRange
	// LastAttempt is when the last attempt ended.
	LastAttempt TimeRange
	// Redeliveries are IDs that RedeliverNotifications has returned.
	Redeliveries []ID
	// OldestFirst reverses the order.
	OldestFirst bool
}

func (q WebhookNotificationQuery) resourceType() *table.Schema { return notifications.Schema }
func (q WebhookNotificationQuery) filter() store.Filter {
	w := q.where()
	return w.Filter(notifications)
}

func (q WebhookNotificationQuery) where() (w where[WebhookNotification]) {
	w.IDs("webhook", q.Webhooks, func(n *WebhookNotification) ID { return n.Webhook })
	w.Text("event", toStrings(q.Events), func(n *WebhookNotification) string { return string(n.Event) })
	w.Text("status", toStrings(q.Statuses), func(n *WebhookNotification) string { return string(n.DeliveryStatus) })
	w.Times("created_at", q.Created.From, q.Created.To, func(n *WebhookNotification) time.Time { return n.CreatedAt })
	w.Times("last_attempt_at", q.LastAttempt.From, q.LastAttempt.To, func(n *WebhookNotification) time.Time { return n.LastAttemptAt })
	w.IDs("redelivery", q.Redeliveries, func(n *WebhookNotification) ID { return n.Redelivery })
	if q.OldestFirst {
		w.Sort = []Order{{}}
	}
	return w
}

func toStrings[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// WebhookNotification returns one notification. Needs show. Errors: NotFound.
func (t *Tracker) WebhookNotification(ctx context.Context, id ID) (*WebhookNotification, error) {
	return get(ctx, t, notifications, id)
}

// WebhookNotifications returns a page of notifications, and the number of all that
// match. Needs show.
func (t *Tracker) WebhookNotifications(ctx context.Context, q WebhookNotificationQuery, p Page) ([]*WebhookNotification, int, error) {
	return list(ctx, t, notifications, q, p)
}

// NotificationPayload returns the body that an attempt of a notification sends: a JSON document,
// in the present format of its webhook, or that of FormatJSONAPI where the webhook was deleted.
// Needs show. Errors: NotFound, also when the payload is kept no longer.
func (t *Tracker) NotificationPayload(ctx context.Context, id ID) ([]byte, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, t.engine, t.actor.Account, func(tx *transaction) ([]byte, error) {
		n, err := notifications.Get(tx, id)
		if err != nil {
			return nil, err
		}
		s, err := eventSnapshots.Get(tx, n.Occurrence)
		if err != nil {
			return nil, err
		}
		if err := readBases(tx, nil, s); err != nil {
			return nil, err
		}
		payload, err := renderPayload(n, s)
		if err != nil {
			return nil, err
		}
		w, err := webhooks.Get(tx, n.Webhook)
		if isNotFound(err) {
			return payload, nil
		}
		if err != nil {
			return nil, err
		}
		payload, _ = w.message(payload)
		return payload, nil
	})
}

// NotificationSubject is what the event of a notification is about.
type NotificationSubject struct {
	// Shipment is zero for an event about none, such as that of a document; Container is
	// zero for an event of a whole shipment.
	Shipment, Container ID
}

// NotificationSubjects returns what notifications are about, in their order. Needs show.
func (t *Tracker) NotificationSubjects(ctx context.Context, of []*WebhookNotification) ([]NotificationSubject, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, t.engine, t.actor.Account, func(tx *transaction) ([]NotificationSubject, error) {
		subjects := make([]NotificationSubject, len(of))
		for i, n := range of {
			box, err := containerOf(tx, n.Reference)
			if err = ignoreNotFound(err); err != nil {
				return nil, err
			}
			subjects[i] = NotificationSubject{n.Shipment, box}
		}
		return subjects, nil
	})
}

// containerOf returns the container of an event or exception; zero for none.
func containerOf(tx *transaction, of Ref) (ID, error) {
	switch of.Type {
	case "container":
		return of.ID, nil
	case "transport_event":
		return memberOf(tx, transportEvents, of.ID, func(e *TransportEvent) ID { return e.Container })
	case "container_updated_event":
		return memberOf(tx, containerUpdatedEvents, of.ID, func(e *ContainerUpdatedEvent) ID { return e.Container })
	case "container_created_event":
		return memberOf(tx, containerCreatedEvents, of.ID, func(e *ContainerCreatedEvent) ID { return e.Container })
	case "container_pod_terminal_changed_event":
		return memberOf(tx, containerPODTerminalChangedEvents, of.ID, func(e *ContainerPODTerminalChangedEvent) ID { return e.Container })
	case "exception":
		return memberOf(tx, exceptionRecords, of.ID, func(e *Exception) ID { return e.Container })
	}
	return ID{}, nil
}

func memberOf[T any](tx *transaction, n *resource[T], id ID, member func(*T) ID) (ID, error) {
	v, err := n.Get(tx, id)
	if err != nil {
		return ID{}, err
	}
	return member(v), nil
}

// renderPayload returns the body of a delivery: the document of the notification
// with the documents of the snapshot.
func renderPayload(n *WebhookNotification, s *eventSnapshot) ([]byte, error) {
	dictionary, err := s.dictionary()
	if err != nil {
		return nil, err
	}
	p := s.payload()
	p.ID, p.Webhook, p.CreatedAt = n.ID, n.Webhook, n.CreatedAt
	return p.RenderPacked(s.stored(), dictionary)
}

// linkedAttempts returns the attempts of each notification.
func linkedAttempts(tx *transaction, rows []inclusion.Row) (map[ID][]ID, error) {
	return linked(tx, attempts.Kind, "notification", idsOf(rows))
}

// DeliveryAttempt records one attempt to deliver a notification. It never changes.
type DeliveryAttempt struct {
	Meta
	Notification ID `rel:"webhook_notification,webhook_notification"` // the one that was sent

	// Number counts the attempts of a notification from 1.
	Number  int            `attr:"number"`
	Trigger AttemptTrigger `attr:"trigger"`
	// StartedAt and EndedAt, UTC; zero (null) for an attempt that was lost.
	StartedAt time.Time `attr:"started_at,null"`
	EndedAt   time.Time `attr:"ended_at,null"`
	// StatusCode is the HTTP status; 0 (null) without a response.
	StatusCode int `attr:"status_code,null"`
	// Failure is one of the Fail constants, or lost; empty (null) for a
	// success. Detail describes it for people, and why a plain message was sent in place of
	// that of a template.
	Failure string `attr:"failure,null"`
	Detail  string `attr:"detail,null"`
	// RemoteIP that was dialled; empty (null) if none was.
	RemoteIP string `attr:"remote_ip,null"`
	// Durations of the parts of the exchange, milliseconds; 0 (null) for a part
	// that did not happen.
	DNSMillis       float64 `attr:"dns_ms,null"`
	ConnectMillis   float64 `attr:"connect_ms,null"`
	TLSMillis       float64 `attr:"tls_ms,null"`
	FirstByteMillis float64 `attr:"first_byte_ms,null"`
	TotalMillis     float64 `attr:"total_ms,null"`
	// ResponseHeaders are a selection of the response's headers, and ResponseBody
	// the first 4 KiB of its body; secrets and header values of the webhook are
	// redacted.
	ResponseHeaders []Header `attr:"response_headers"`
	ResponseBody    string   `attr:"response_body,null"`
	// NextAttemptAt is when the next attempt was scheduled, UTC; zero (null) if
	// none was.
	NextAttemptAt time.Time `attr:"next_attempt_at,null"`
}

// AttemptTrigger is why an attempt was made.
type AttemptTrigger string

// The triggers.
const (
	TriggerAuto   AttemptTrigger = "auto"   // the schedule
	TriggerManual AttemptTrigger = "manual" // RedeliverNotification, RecoverWebhook
)

// attemptLost is the failure of an attempt whose process ended before its result
// was recorded. It may have reached the endpoint.
const attemptLost = "lost"

var attempts = newKind("webhook_notification_log", []column[DeliveryAttempt]{
	table.IDColumn("notification", func(a *DeliveryAttempt) ID { return a.Notification }),
	table.TimeColumn("created_at", func(a *DeliveryAttempt) time.Time { return a.EndedAt }),
}, nil, nil).InBinaryForm().InGeneration(2)

// DeliveryAttemptQuery selects attempts, last made first.
type DeliveryAttemptQuery struct {
	// Notifications of the attempts; none means all.
	Notifications []ID
	// Ended is when the attempts ended.
	Ended TimeRange
	// OldestFirst reverses the order.
	OldestFirst bool
}

func (q DeliveryAttemptQuery) resourceType() *table.Schema { return attempts.Schema }
func (q DeliveryAttemptQuery) filter() store.Filter        { w := q.where(); return w.Filter(attempts) }

func (q DeliveryAttemptQuery) where() (w where[DeliveryAttempt]) {
	w.IDs("notification", q.Notifications, func(a *DeliveryAttempt) ID { return a.Notification })
	w.Times("created_at", q.Ended.From, q.Ended.To, func(a *DeliveryAttempt) time.Time { return a.EndedAt })
	if q.OldestFirst {
		w.Sort = []Order{{}}
	}
	return w
}

// DeliveryAttempts returns a page of attempts, and the number of all that match.
// Needs show.
func (t *Tracker) DeliveryAttempts(ctx context.Context, q DeliveryAttemptQuery, p Page) ([]*DeliveryAttempt, int, error) {
	return list(ctx, t, attempts, q, p)
}

func newAttempt(n *WebhookNotification, trigger AttemptTrigger, started, ended time.Time, o *Outcome) *DeliveryAttempt {
	return &DeliveryAttempt{
		Notification: n.ID, Number: n.AttemptsCount + 1, Trigger: trigger, StartedAt: started, EndedAt: ended,
		StatusCode: o.Status, Failure: o.Failure, Detail: o.Detail, RemoteIP: o.RemoteIP,
		DNSMillis: millis(o.DNS), ConnectMillis: millis(o.Connect), TLSMillis: millis(o.TLS),
		FirstByteMillis: millis(o.FirstByte), TotalMillis: millis(o.Total),
		ResponseHeaders: o.ResponseHeaders, ResponseBody: o.ResponseBody,
	}
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1_000 }
