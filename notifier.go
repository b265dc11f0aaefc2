package tracking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

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
	// one exchange, or when ctx ends. The engine masks the Secrets of the Dispatch and
	// the values of its Headers in the outcome. A Notifier that cuts a text masks them
	// before, so that no part of one is left.
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
	// Mail is what an e-mail has besides; nil for an endpoint that is not one.
	Mail *MailDispatch
}

// MailDispatch is what an e-mail to a user has.
type MailDispatch struct {
	// Bodies are the documents of all notifications that the e-mail is about, oldest first. The
	// first is Dispatch.Body. A digest is alone.
	Bodies [][]byte
	// Name of the user; may be empty. Timezone is the IANA name of the zone of the user.
	Name     string
	Timezone string
	// Account and Webhook name the subscription, to which reports of mail servers are about
	// e-mails that came back.
	Account AccountID
	// UnsubscribeToken is that of Mail.Unsubscribe.
	UnsubscribeToken string
}

// String omits URL, headers, secrets and body, which logs must not contain.
func (d Dispatch) String() string {
	return fmt.Sprintf("notification %v to webhook %v, %d bytes", d.ID, d.Webhook, len(d.Body))
}

// GoString is the same as String.
func (d Dispatch) GoString() string { return d.String() }

// Header is one header of a request or a response.
type Header struct {
	Name  string `json:"name"`  // in canonical form: "Content-Type"
	Value string `json:"value"` // without line breaks
}

// Outcome is the result of one attempt.
type Outcome struct {
	// Status is the HTTP status; 0 without a response. It is shown to users. The engine
	// decides by Failure and by the two members after it.
	Status int
	// Failure is one of the Fail constants; empty for any 2xx.
	Failure string
	// Gone: the endpoint says that it no longer exists. The webhook is deactivated.
	Gone bool
	// Overloaded: the endpoint, or a proxy before it, cannot take more at present. The
	// next attempt waits for a minute or more.
	Overloaded bool
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
	FailRejected = "rejected"        // a mail server refuses the address or the e-mail for good
)
