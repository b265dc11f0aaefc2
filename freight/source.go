package freight

import (
	"context"
	"slices"
	"time"
)

// Source answers one question: what does the carrier know about this number?
// Implementations stand in source/...; a host registers one for each shipping
// line in Config.Sources.
//
// Track is called from background work, never inside
// a transaction. It must honour ctx. What goes wrong is said with a
// SourceError; any other error counts as Unreachable.
type Source interface {
	Track(ctx context.Context, q SourceQuery) (Answer, error)
}

// SourceQuery is one question to a source.
type SourceQuery struct {
	// Number is the number as the user gave it, trimmed.
	Number string
	// Normalized is the same in the form that carriers mostly take: upper case,
	// without blanks and punctuation, and without the line's SCAC before it
	// (MSC's is kept: there it belongs to the number).
	Normalized string
	// Type says what kind of number it is.
	Type RequestType
	// SCAC is the shipping line asked.
	SCAC string
	// Now is the engine's clock, UTC.
	Now time.Time
	// Since is when the engine began to follow the number, UTC.
	Since time.Time
	// Poll counts the questions about this number before this one.
	Poll int
}

// Names reports whether a number that the carrier names is the one asked about:
// in any spelling, with or without the line's prefix. A booking and a transport
// document of one number count as the same, as they do for shipments; a
// container is only ever named by a container number.
func (q SourceQuery) Names(n ShipmentNumber) bool {
	if (n.Type == ContainerNumber) != (q.Type == ContainerNumber) {
		return false
	}
	asked := ShipmentNumber{Type: q.Type, Number: q.Number}.Keys(q.SCAC)
	return slices.ContainsFunc(n.Keys(q.SCAC), func(k string) bool { return slices.Contains(asked, k) })
}

// Answer is what a source says.
type Answer struct {
	// Report holds the facts; the engine sorts out which are new.
	Report Report
	// Next is how long the answer is worth; 0 leaves it to Config.RefreshEvery.
	// With NumberNotFound it says when to ask about a request again; 0: in a day.
	Next time.Duration
}

// SourceError is how a source says why it has no facts.
type SourceError struct {
	// Reason is the failed_reason that a tracking request shows for it. One that is not
	// among the reasons of this package counts as ProcessingError.
	Reason FailedReason
	// Err is the cause, for the log. May be nil.
	Err error
	// RetryAfter is how long the carrier wants to be left alone, from now. The
	// next try about this number does not come before. 0: it did not say.
	RetryAfter time.Duration
}

// Error returns the reason and the cause.
func (e *SourceError) Error() string {
	if e.Err == nil {
		return "source: " + string(e.Reason)
	}
	return "source: " + string(e.Reason) + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *SourceError) Unwrap() error { return e.Err }

// FailedReason says why a request failed, or why its last try did (see
// docs/contract.md#tracking-requests).
type FailedReason string

// The reasons. Those marked temporary do not end a request by themselves.
const (
	BookingCancelled     FailedReason = "booking_cancelled"
	DuplicateRequest     FailedReason = "duplicate"
	RequestExpired       FailedReason = "expired"
	ProcessingError      FailedReason = "internal_processing_error" // temporary
	InvalidNumber        FailedReason = "invalid_number"
	NumberNotFound       FailedReason = "not_found" // temporary for seven days, but for containers
	RetriesExhausted     FailedReason = "retries_exhausted"
	LineUnreachable      FailedReason = "shipping_line_unreachable" // temporary
	UnrecognizedResponse FailedReason = "unrecognized_response"     // temporary
	DataUnavailable      FailedReason = "data_unavailable"
	SCACAutoDetectFailed FailedReason = "scac_auto_detect_failed"
)
