package tracking

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/store"
)

// WebhookNotification is the record that one webhook is notified of one event (see
// docs/contract.md#retries-of-deliveries). It is written in the transaction of the
// change, so that there is never one without the other. Its ID follows from webhook
// and event, and is sent with every attempt: receivers recognise repeats by it.
type WebhookNotification struct {
	Meta
	Webhook ID `rel:"webhook,webhook"`
	// Reference is the object that the event is about.
	Reference record.Ref `rel:"reference_object,tracking_request|estimated_event|transport_event|container_updated_event|container_created_event|container_pod_terminal_changed_event|document"`
	_         struct{}   `rel:"webhook_notification_logs,webhook_notification_log,inverse"`

	Event          EventName      `attr:"event"`
	DeliveryStatus DeliveryStatus `attr:"delivery_status"`
	// FailureReason says why it failed for good; empty (null) unless it has.
	FailureReason FailureReason `attr:"failure_reason,null"`
	// AttemptsCount is how many attempts have ended, those lost in a crash
	// included.
	AttemptsCount int `attr:"attempts_count"`
	// NextAttemptAt is when the next attempt is due, UTC; zero (null) when none
	// is, or when it waits for its webhook or shipment.
	NextAttemptAt time.Time `attr:"next_attempt_at,null"`
	// CreatedAt is when the event was announced, and ExpiresAt until when it may
	// be pending; UTC.
	CreatedAt time.Time `attr:"created_at"`
	ExpiresAt time.Time `attr:"expires_at"`

	Occurrence ID `private:"occurrence"`
	Shipment   ID `private:"shipment"` // that it is about; zero for none
	// Step is the next one of the schedule: how many scheduled attempts have failed.
	Step int `private:"step"`
	// HeldAt is since when it waits for its stopped shipment; zero when it does not.
	HeldAt time.Time `private:"held_at"`
}

// DeliveryStatus is the state of a notification (see
// docs/contract.md#retries-of-deliveries).
type DeliveryStatus string

// The states. A pending one may be under way.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliverySucceeded DeliveryStatus = "succeeded"
	DeliveryFailed    DeliveryStatus = "failed"
)

// FailureReason says why a notification failed for good.
type FailureReason string

// The reasons.
const (
	FailedExhausted      FailureReason = "exhausted"       // all attempts of the schedule failed
	FailedExpired        FailureReason = "expired"         // it waited for 96 hours
	FailedGone           FailureReason = "gone"            // the endpoint answered 410
	FailedWebhookDeleted FailureReason = "webhook_deleted" // nobody wants it any more
)

var notifications = newKind("webhook_notification", []column[WebhookNotification]{
	{"webhook", store.IDColumn, func(n *WebhookNotification) any { return idCol(n.Webhook) }},
	{"event", store.TextColumn, func(n *WebhookNotification) any { return string(n.Event) }},
	{"status", store.TextColumn, func(n *WebhookNotification) any { return string(n.DeliveryStatus) }},
	{"created_at", store.TimeColumn, func(n *WebhookNotification) any { return timeCol(n.CreatedAt) }},
	{"held", store.IDColumn, func(n *WebhookNotification) any {
		if n.HeldAt.IsZero() || n.DeliveryStatus != DeliveryPending {
			return nil
		}
		return idCol(n.Shipment)
	}},
}, nil, nil).counting("status")

// writeNotification writes the notification of a webhook and has it delivered.
func (s *eventSnapshot) writeNotification(tx *Tx, w *Webhook) error {
	n := &WebhookNotification{
		Meta:    Meta{ID: named("webhook_notification", w.ID.String()+"/"+s.ID.String())},
		Webhook: w.ID, Reference: s.Reference, Event: s.Event, DeliveryStatus: DeliveryPending,
		NextAttemptAt: tx.Now, CreatedAt: tx.Now, ExpiresAt: tx.Now.Add(deliveryExpiry),
		Occurrence: s.ID, Shipment: s.Shipment,
	}
	if err := table(tx, notifications).Put(n); err != nil {
		return err
	}
	return enqueueDelivery(tx, n, tx.clock())
}

// sentWhenStopped reports whether the notification is sent although its shipment is stopped:
// it says that the shipment is.
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
	// OldestFirst turns the order round.
	OldestFirst bool
}

func (q WebhookNotificationQuery) resourceType() resourceType { return notifications }
func (q WebhookNotificationQuery) filter() store.Filter {
	w := q.where()
	return w.filter(notifications)
}

func (q WebhookNotificationQuery) where() (w where[WebhookNotification]) {
	w.ids("webhook", q.Webhooks, func(n *WebhookNotification) ID { return n.Webhook })
	w.text("event", toStrings(q.Events), func(n *WebhookNotification) string { return string(n.Event) })
	w.text("status", toStrings(q.Statuses), func(n *WebhookNotification) string { return string(n.DeliveryStatus) })
	w.times("created_at", q.Created, func(n *WebhookNotification) time.Time { return n.CreatedAt })
	if q.OldestFirst {
		w.sort = []Order{{}}
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

// WebhookNotifications returns a page of notifications, and how many match in
// all. Needs show.
func (t *Tracker) WebhookNotifications(ctx context.Context, q WebhookNotificationQuery, p Page) ([]*WebhookNotification, int, error) {
	return list(ctx, t, notifications, q, p)
}

// renderPayload is what is posted: the document of a notification with what was frozen
// when the event occurred. Nothing in it depends on the attempt, so every attempt
// sends equal bytes.
func renderPayload(n *WebhookNotification, s *eventSnapshot) ([]byte, error) {
	documents, err := s.documents()
	if err != nil {
		return nil, err
	}
	return renderEnvelope(n, s, documents), nil
}

func renderEnvelope(n *WebhookNotification, s *eventSnapshot, documents []byte) []byte {
	b := make([]byte, 0, len(documents)+1_024)
	b = append(b, `{"data":{"id":"`...)
	b = appendID(b, n.ID)
	b = append(b, `","type":"webhook_notification","attributes":{"id":"`...)
	b = appendID(b, n.ID)
	b = record.AppendString(append(b, `","event":`...), string(n.Event))
	b = record.AppendString(append(b, `,"delivery_status":`...), string(DeliveryPending))
	b = record.AppendTime(append(b, `,"created_at":`...), n.CreatedAt)
	if s.Reference.Type == documentType {
		b = append(b, `,"version":"`+documentEventVersion+`"`...)
	}
	b = append(b, `},"relationships":{`...)
	for _, name := range referenceNames(s.Reference) {
		b = record.AppendString(b, name)
		b = record.AppendString(append(b, `:{"data":{"type":`...), s.Reference.Type)
		b = append(appendID(append(b, `,"id":"`...), s.Reference.ID), `"}},`...)
	}
	b = appendID(append(b, `"webhook":{"data":{"type":"webhook","id":"`...), n.Webhook)
	b = append(b, `"}},"webhook_notification_logs":{"data":[]}},"links":{"self":"`...)
	b = appendSelf(b, "webhook_notification", n.ID)
	b = append(b, `"}},"included":`...)
	b = append(b, documents...)
	if s.TooLarge {
		b = append(b, `,"meta":{"included_omitted":true,"detail":"the included resources are larger than 256 KiB; fetch them by their ids"}`...)
	}
	return append(b, '}')
}

// documentEventVersion is the version in the payloads of events about documents: that
// of the interface.
const documentEventVersion = "0.2.0"

// documentType is the resource type of documents.
const documentType = "document"

// referenceNames are the relationships by which a notification names its reference
// object; a document has one of its own as well.
func referenceNames(r record.Ref) []string {
	if r.Type == documents.kind.Name {
		return []string{"document", "reference_object"}
	}
	return []string{"reference_object"}
}

func appendID(b []byte, id ID) []byte {
	text, _ := id.MarshalText() // never fails
	return append(b, text...)
}

// linkedAttempts are the attempts of each notification.
func linkedAttempts(tx *Tx, rows []*Resource) (map[ID][]ID, error) {
	ids := make([]ID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	return linked(tx, attempts.kind, "notification", ids)
}

// DeliveryAttempt is the record of one attempt to deliver a notification. It never
// changes.
type DeliveryAttempt struct {
	Meta
	Notification ID `rel:"webhook_notification,webhook_notification"`

	// Number counts the attempts of a notification from 1.
	Number  int            `attr:"number"`
	Trigger AttemptTrigger `attr:"trigger"`
	// StartedAt and EndedAt, UTC; zero (null) for an attempt that was lost.
	StartedAt time.Time `attr:"started_at,null"`
	EndedAt   time.Time `attr:"ended_at,null"`
	// StatusCode is the HTTP status; 0 (null) when no response came.
	StatusCode int `attr:"status_code,null"`
	// Failure is why it failed, one of the Fail constants or AttemptLost; empty
	// (null) when it did not. Detail says it for people.
	Failure string `attr:"failure,null"`
	Detail  string `attr:"detail,null"`
	// RemoteIP that was dialled; empty (null) when none was.
	RemoteIP string `attr:"remote_ip,null"`
	// How long the parts took, milliseconds; 0 (null) for what did not happen.
	DNSMillis       float64 `attr:"dns_ms,null"`
	ConnectMillis   float64 `attr:"connect_ms,null"`
	TLSMillis       float64 `attr:"tls_ms,null"`
	FirstByteMillis float64 `attr:"first_byte_ms,null"`
	TotalMillis     float64 `attr:"total_ms,null"`
	// ResponseHeaders are a few, and ResponseBody the first 4 KiB, of what was
	// answered, with the webhook's secrets and header values blotted out.
	ResponseHeaders []Header `attr:"response_headers"`
	ResponseBody    string   `attr:"response_body,null"`
	// NextAttemptAt is when the attempt after this one was to be, UTC; zero (null)
	// when there was to be none.
	NextAttemptAt time.Time `attr:"next_attempt_at,null"`
}

// AttemptTrigger says what an attempt was made for.
type AttemptTrigger string

// The triggers.
const (
	TriggerAuto   AttemptTrigger = "auto"   // the schedule
	TriggerManual AttemptTrigger = "manual" // RedeliverNotification, RecoverWebhook
)

// AttemptLost is the failure of an attempt of which nothing was heard again: the
// process that made it ended. It may have reached the endpoint.
const AttemptLost = "lost"

var attempts = newKind("webhook_notification_log", []column[DeliveryAttempt]{
	{"notification", store.IDColumn, func(a *DeliveryAttempt) any { return idCol(a.Notification) }},
	{"created_at", store.TimeColumn, func(a *DeliveryAttempt) any { return timeCol(a.EndedAt) }},
}, nil, nil)

// DeliveryAttemptQuery selects attempts, last made first.
type DeliveryAttemptQuery struct {
	// Notifications whose attempts are asked for; none means all.
	Notifications []ID
	// Ended is when they were.
	Ended TimeRange
	// OldestFirst turns the order round.
	OldestFirst bool
}

func (q DeliveryAttemptQuery) resourceType() resourceType { return attempts }
func (q DeliveryAttemptQuery) filter() store.Filter       { w := q.where(); return w.filter(attempts) }

func (q DeliveryAttemptQuery) where() (w where[DeliveryAttempt]) {
	w.ids("notification", q.Notifications, func(a *DeliveryAttempt) ID { return a.Notification })
	w.times("created_at", q.Ended, func(a *DeliveryAttempt) time.Time { return a.EndedAt })
	if q.OldestFirst {
		w.sort = []Order{{}}
	}
	return w
}

// DeliveryAttempts returns a page of attempts, and how many match in all. Needs
// show.
func (t *Tracker) DeliveryAttempts(ctx context.Context, q DeliveryAttemptQuery, p Page) ([]*DeliveryAttempt, int, error) {
	return list(ctx, t, attempts, q, p)
}

// newAttempt is the record of an outcome.
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

// redacted stands in place of what must not be shown.
const redacted = "[hidden]"

// redact takes the secrets and header values of a webhook out of what an endpoint
// has answered: some answer with what they were sent.
func (o *Outcome) redact(secrets []string, headers []Header) {
	var pairs []string
	hide := func(s string) {
		if len(s) >= 4 { // shorter ones would blot out half of any text
			pairs = append(pairs, s, redacted)
		}
	}
	for _, s := range secrets {
		hide(s)
		hide(strings.TrimPrefix(s, webhookSecretPrefix))
	}
	for _, h := range headers {
		hide(h.Value)
	}
	if len(pairs) == 0 {
		return
	}
	clean := strings.NewReplacer(pairs...)
	o.Detail = clean.Replace(o.Detail)
	o.ResponseBody = truncate(clean.Replace(o.ResponseBody), maxResponseBody)
	for i := range o.ResponseHeaders {
		o.ResponseHeaders[i].Value = clean.Replace(o.ResponseHeaders[i].Value)
	}
}

// maxResponseBody is how much of an answer is kept, bytes.
const maxResponseBody = 4 << 10

// truncate shortens a text to a length in bytes without cutting a character in two.
func truncate(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
