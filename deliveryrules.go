package tracking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// deliverySchedule has the delay of each attempt after the one before: the first at
// once, then 12 more (see docs/webhooks.md#when-you-do-not-answer).
var deliverySchedule = [...]time.Duration{
	0, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 12 * time.Hour, 16 * time.Hour, 24 * time.Hour,
}

const (
	// deliveryJitter is the largest deviation from a delay of the schedule, as a
	// fraction.
	deliveryJitter = 0.2
	// deliveryExpiry is how long a notification may be pending.
	deliveryExpiry = 96 * time.Hour
	// minBusyDelay is the least delay after an answer that says that the endpoint
	// is busy.
	minBusyDelay = time.Minute
	// longestRetryAfter is the Retry-After that is honoured at any step of the
	// schedule.
	longestRetryAfter = time.Hour
)

// deliveryRetryDelay returns the delay after a failed scheduled attempt; step
// counts from 0. It returns false after the last attempt. random is in [0, 1).
func deliveryRetryDelay(step int, o *Outcome, random float64) (time.Duration, bool) {
	if step+1 >= len(deliverySchedule) {
		return 0, false
	}
	base := deliverySchedule[step+1]
	delay := time.Duration(float64(base) * (1 - deliveryJitter + 2*deliveryJitter*random))
	if o.isBusy() {
		delay = max(delay, minBusyDelay)
	}
	// Retry-After raises a delay, within bounds, and never lowers it.
	return max(delay, min(o.RetryAfter, max(2*base, longestRetryAfter))), true
}

// isBusy reports whether the endpoint, or a proxy before it, cannot take more at
// present.
func (o *Outcome) isBusy() bool {
	switch o.Status {
	case 429, 502, 503, 504:
		return true
	}
	return o.Failure == FailTimeout
}

// isGone reports whether the endpoint says that it no longer exists.
func (o *Outcome) isGone() bool { return o.Status == 410 }

// The breaker, and when a webhook is deactivated.
const (
	breakerFailures = 5
	breakerFirst    = 30 * time.Second
	breakerMax      = 15 * time.Minute

	deactivateAfter  = 5 * 24 * time.Hour
	deactivateSpread = 12 * time.Hour
)

// endpoint has the successes and failures of deliveries to a webhook. It has the
// webhook's ID.
type endpoint struct {
	Meta
	// Failures in a row, and since when.
	Failures     int       `private:"failures"`
	FailingSince time.Time `private:"failing_since"`
	// OpenUntil is the end of the pause while the breaker is open; zero while it is
	// closed. Openings counts openings in a row.
	OpenUntil time.Time `private:"open_until"`
	Openings  int       `private:"openings"`
	// FirstGivenUp and LastGivenUp are when notifications were given up since the
	// last success.
	FirstGivenUp time.Time `private:"first_given_up"`
	LastGivenUp  time.Time `private:"last_given_up"`
}

var endpoints = newKind[endpoint]("webhook_endpoint", nil, nil, nil)

// recordSuccess forgets all failures. reopened: the breaker was open.
func (e *endpoint) recordSuccess() (reopened bool) {
	reopened = !e.OpenUntil.IsZero()
	*e = endpoint{Meta: e.Meta}
	return reopened
}

// recordFailure counts a failed attempt. givenUp: it was the notification's last.
// opened: the breaker is open from now on.
func (e *endpoint) recordFailure(now time.Time, givenUp bool) (opened bool) {
	e.Failures++
	if e.FailingSince.IsZero() {
		e.FailingSince = now
	}
	if givenUp {
		e.recordGivenUp(now)
	}
	if e.Failures < breakerFailures || now.Before(e.OpenUntil) { // attempts that began before it opened
		return false
	}
	e.OpenUntil = now.Add(min(breakerFirst<<min(e.Openings, 5), breakerMax))
	e.Openings++
	return true
}

// recordGivenUp records that a notification was given up.
func (e *endpoint) recordGivenUp(now time.Time) {
	if e.FirstGivenUp.IsZero() {
		e.FirstGivenUp = now
	}
	e.LastGivenUp = now
}

// halfOpen reports whether the pause of an open breaker is over, so that one
// delivery may probe.
func (e *endpoint) halfOpen(now time.Time) bool {
	return !e.OpenUntil.IsZero() && !now.Before(e.OpenUntil)
}

// mustDeactivate reports whether every attempt has failed for days, and
// notifications were given up at least half a day apart.
func (e *endpoint) mustDeactivate(now time.Time) bool {
	return !e.FailingSince.IsZero() && now.Sub(e.FailingSince) >= deactivateAfter &&
		e.LastGivenUp.Sub(e.FirstGivenUp) >= deactivateSpread
}

// DeliverySettings are limits for the delivery of notifications.
type DeliverySettings struct {
	// Workers is the number of concurrent attempts. Defaults to 64.
	Workers int
	// PerEndpoint is the number of concurrent attempts at one endpoint. Defaults to
	// 4.
	PerEndpoint int
	// PerAccount is the number of concurrent attempts of one account. Defaults to
	// half of Workers.
	PerAccount int
	// Retention is how long notifications, their attempts and their payloads are
	// kept. Defaults to 30 days; at least 5 days, because a notification may be
	// pending for 4.
	Retention time.Duration
	// KeepFailing keeps webhooks active even if every attempt has failed for 5
	// days.
	KeepFailing bool
}

func (s DeliverySettings) withDefaults() DeliverySettings {
	s.Workers = cmp.Or(s.Workers, 64)
	s.PerEndpoint = cmp.Or(s.PerEndpoint, 4)
	s.PerAccount = cmp.Or(s.PerAccount, (s.Workers+1)/2)
	s.Retention = cmp.Or(s.Retention, 30*24*time.Hour)
	return s
}

func (s DeliverySettings) validate() error {
	switch {
	case s.Workers < 1 || s.PerEndpoint < 1 || s.PerAccount < 1:
		return errors.New("tracking: Config.Delivery: Workers, PerEndpoint and PerAccount must be at least 1")
	case s.Retention < 5*24*time.Hour:
		return errors.New("tracking: Config.Delivery.Retention must be at least 5 days")
	}
	return nil
}

// Notifier sends notifications to the endpoints of webhooks. webhook.New returns
// one that uses HTTP. Rendering and retries are the work of the engine.
type Notifier interface {
	// Check returns an error if nothing may be sent to a URL: for its scheme, its
	// port, or an address that is not public. It resolves no name; the address is
	// checked again when it is dialled.
	Check(url string) error
	// Send makes one attempt and returns its outcome. It returns within the time of
	// one exchange, or when ctx ends.
	Send(ctx context.Context, d Dispatch) Outcome
}

// Dispatch is one attempt to be made.
type Dispatch struct {
	// ID of the notification: the same for all its attempts. Sent as webhook-id.
	ID ID
	// Webhook of the endpoint; zero for a test delivery.
	Webhook ID
	// URL of the endpoint, and the headers of the webhook.
	URL     string
	Headers []Header
	// Secrets to sign with, whsec_...: the current one first, then the former one
	// while the overlap lasts. Empty for a test delivery without a secret.
	Secrets []string
	// At is the time of the attempt, UTC. Sent as webhook-timestamp.
	At time.Time
	// Body is a JSON document.
	Body []byte
}

// String omits URL, headers, secrets and body, which logs must not contain.
func (d Dispatch) String() string {
	return fmt.Sprintf("notification %v to webhook %v, %d bytes", d.ID, d.Webhook, len(d.Body))
}

// GoString is the same as String.
func (d Dispatch) GoString() string { return d.String() }

// Header is one header of a request or a response.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Outcome is the result of one attempt.
type Outcome struct {
	// Status is the HTTP status; 0 without a response.
	Status int
	// Failure is one of the Fail constants; empty for any 2xx.
	Failure string
	// Detail describes the failure for people, without secrets. It does not
	// describe a blocked address.
	Detail string
	// RetryAfter is the delay that the response asks for, from the end of the
	// attempt; 0 if it asks for none.
	RetryAfter time.Duration
	// RemoteIP is the address that was dialled; empty if none was.
	RemoteIP string
	// Durations of the parts of the exchange, each from the beginning of its part,
	// and Total from the beginning of the exchange; 0 for a part that did not
	// happen.
	DNS, Connect, TLS, FirstByte, Total time.Duration
	// RequestHeaders as sent. They are shown for test deliveries only.
	RequestHeaders []Header
	// ResponseHeaders are a selection that helps to find errors.
	ResponseHeaders []Header
	// ResponseBody is the beginning of the body: at most 4 KiB of valid UTF-8.
	ResponseBody string
}

// Reasons for which an attempt fails.
const (
	FailStatus   = "http_status"     // a status that is not 2xx
	FailRedirect = "redirect"        // 3xx, which is never followed
	FailTimeout  = "timeout"         // no complete answer in time
	FailDNS      = "dns"             // the name could not be resolved
	FailConnect  = "connect"         // no connection, or it was closed
	FailTLS      = "tls"             // no trustworthy connection
	FailBlocked  = "blocked_address" // an address that must not be called
	FailResponse = "bad_response"    // an answer that is not HTTP, or is too large
	FailCanceled = "canceled"        // the sender was stopped
)
