package tracking

import (
	"context"
	"fmt"
	"time"
)

// Notifier sends notifications to the endpoints of webhooks; webhook.New makes
// one that does so over HTTP. It renders nothing and decides nothing about
// retries: those are the engine's.
type Notifier interface {
	// Check says why nothing may be sent to a URL (its scheme, its port, an
	// address that is not public), or nil. It resolves no name: the address that
	// is dialled is checked when it is dialled.
	Check(url string) error
	// Send makes one attempt and says what came of it. It returns within the time
	// of one exchange, or when ctx ends.
	Send(ctx context.Context, d Dispatch) Outcome
}

// Dispatch is one attempt to be made.
type Dispatch struct {
	// ID of the notification: the same for all its attempts. Sent as webhook-id.
	ID ID
	// Webhook whose endpoint it is; zero for a trial.
	Webhook ID
	// URL of the endpoint, and Headers of the webhook's own.
	URL     string
	Headers []Header
	// Secrets to sign with, whsec_...: the current one first, then a former one
	// while its overlap lasts. Empty for a trial without a secret.
	Secrets []string
	// At is the time of the attempt, UTC. Sent as webhook-timestamp.
	At time.Time
	// Body is a JSON document.
	Body []byte
}

// String leaves out what is secret, so that no log gets it by mistake.
func (d Dispatch) String() string {
	return fmt.Sprintf("notification %v to webhook %v, %d bytes", d.ID, d.Webhook, len(d.Body))
}

// GoString is String.
func (d Dispatch) GoString() string { return d.String() }

// Header is one header of a request or a response.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Outcome is what came of one attempt.
type Outcome struct {
	// Status is the HTTP status; 0 when no response came.
	Status int
	// Failure is why it failed, one of the Fail constants; empty for any 2xx.
	Failure string
	// Detail is the same for people, without secrets. Of a blocked address it
	// says no more than that.
	Detail string
	// RetryAfter is how long the response asks to be left alone, from the end of
	// the attempt; 0 when it does not say.
	RetryAfter time.Duration
	// RemoteIP is the address that was dialled; empty when none was.
	RemoteIP string
	// How long the parts of the exchange took, each from the beginning of its own
	// part, and Total from the beginning of all; 0 for what did not happen.
	DNS, Connect, TLS, FirstByte, Total time.Duration
	// RequestHeaders as sent, for trials. Nothing else shows them.
	RequestHeaders []Header
	// ResponseHeaders are a few that help to find out what went wrong.
	ResponseHeaders []Header
	// ResponseBody is its beginning: at most 4 KiB of valid UTF-8.
	ResponseBody string
}

// The reasons for which an attempt fails, as the Notifier tells them.
const (
	FailStatus   = "http_status"     // a status that is not 2xx
	FailRedirect = "redirect"        // 3xx, which is never followed
	FailTimeout  = "timeout"         // no whole answer in time
	FailDNS      = "dns"             // the name could not be resolved
	FailConnect  = "connect"         // no connection, or it broke off
	FailTLS      = "tls"             // no trustworthy connection
	FailBlocked  = "blocked_address" // an address that must not be reached
	FailResponse = "bad_response"    // an answer that is no HTTP, or is too large
	FailCanceled = "canceled"        // the sender was stopped
)
