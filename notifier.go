package tracking

import (
	"context"
	"time"
)

// Notifier sends notifications to the endpoints of webhooks. It renders nothing and
// decides nothing about retries: those are the engine's.
type Notifier interface {
	// Check says why nothing may be sent to a URL (scheme, port, an address that is not public), or nil.
	// It resolves no name: the address that is dialled is checked when it is dialled.
	Check(url string) error
	// Send makes one attempt and says what came of it. It returns within the time of
	// one exchange, or when ctx ends.
	Send(ctx context.Context, d Delivery) Outcome
}

// Delivery is one attempt to be made.
type Delivery struct {
	ID      ID // of the notification: the same for all its attempts; sent as webhook-id
	Webhook ID // whose endpoint it is; what is paced together. Zero for a trial
	URL     string
	Headers []Header  // the webhook's own
	Secrets []string  // whsec_...: the current one first; a former one while its overlap lasts. May be empty for a trial
	At      time.Time // of the attempt; sent as webhook-timestamp
	Body    []byte    // a JSON document
}

// Header is one header of a request or response.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Outcome is what came of one attempt.
type Outcome struct {
	Status                              int           // HTTP status; 0 when no response came
	Failure                             string        // why it failed; empty for any 2xx: one of the Fail constants
	Detail                              string        // the same for people, without secrets; of a blocked address it says nothing more
	RetryAfter                          time.Duration // as the response asks; 0 for nothing. A date counts from the end of the attempt
	RemoteIP                            string        // that was dialled; empty when none was
	DNS, Connect, TLS, FirstByte, Total time.Duration
	RequestHeaders                      []Header // as sent, for trials; nothing else shows them
	ResponseHeaders                     []Header // a few that help: content-type, date, server, retry-after, x-request-id ...
	ResponseBody                        string   // at most 4 KiB, valid UTF-8
}

// The reasons for which an attempt fails.
const (
	FailStatus, FailRedirect, FailTimeout, FailDNS, FailConnect, FailTLS, FailBlocked, FailResponse, FailCanceled = "http_status", "redirect", "timeout", "dns", "connect", "tls", "blocked_address", "bad_response", "canceled"
)
