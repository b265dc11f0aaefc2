package tracking

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/landfallhq/tracking/store"
)

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
