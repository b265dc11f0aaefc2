package freight

import (
	"context"
	"slices"
	"time"
)

// Source asks a carrier, or another system, for the facts about a number. Implementations
// are in source/...; a host registers one for each shipping line in Config.Sources.
//
// Track is called by background jobs, never inside a transaction. It must return when ctx
// is done. A failure is reported as a SourceError; any other error counts as
// LineUnreachable.
type Source interface {
	Track(ctx context.Context, q SourceQuery) (Answer, error)
}

// SourceQuery is one query to a source.
type SourceQuery struct {
	// Number is the number as the user gave it, trimmed.
	Number string
	// Normalized is the number in the form that most carriers accept: upper case, without
	// blanks, punctuation and the line's SCAC prefix. MSC's prefix is kept, because it is
	// part of the number.
	Normalized string
	// Type is the type of the number.
	Type RequestType
	// SCAC is the shipping line that is asked.
	SCAC string
	// Now is the time of the engine's clock, UTC.
	Now time.Time
	// Since is when the engine began to track the number, UTC.
	Since time.Time
	// Poll is how many queries for this number were made before.
	Poll int
}

// Names reports whether a number in a carrier's answer is the one of the query, in any
// spelling, with or without the line's prefix. A booking and a transport document with the
// same number count as equal, as they do for shipments. A container number equals only a
// container number.
func (q SourceQuery) Names(n ShipmentNumber) bool {
	if (n.Type == ContainerNumber) != (q.Type == ContainerNumber) {
		return false
	}
	asked := ShipmentNumber{Type: q.Type, Number: q.Number}.Keys(q.SCAC)
	return slices.ContainsFunc(n.Keys(q.SCAC), func(k string) bool { return slices.Contains(asked, k) })
}

// Answer is the answer of a source to a query.
type Answer struct {
	// Report has the facts. Facts that are already stored are ignored.
	Report Report
	// Next is when to ask again, from now; 0 means Config.RefreshEvery. With NumberNotFound
	// it is when to ask for the request again; 0 means in a day.
	Next time.Duration
}

// SourceError is the error of a source that has no facts to return.
type SourceError struct {
	// Reason is the failed_reason that the tracking request shows. A reason that is not one
	// of this package counts as ProcessingError.
	Reason FailedReason
	// Err is the cause, for the log. May be nil.
	Err error
	// RetryAfter is how long to wait before the next query for this number, as the carrier
	// asked; 0 when it did not.
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

// FailedReason is why a tracking request failed, or its last try did (see
// docs/contract.md#tracking-requests).
type FailedReason string

// The reasons. Temporary ones do not end a request by themselves.
const (
	BookingCancelled     FailedReason = "booking_cancelled"
	DuplicateRequest     FailedReason = "duplicate"
	RequestExpired       FailedReason = "expired"
	ProcessingError      FailedReason = "internal_processing_error" // temporary
	InvalidNumber        FailedReason = "invalid_number"
	NumberNotFound       FailedReason = "not_found" // temporary for seven days, except for containers
	RetriesExhausted     FailedReason = "retries_exhausted"
	LineUnreachable      FailedReason = "shipping_line_unreachable" // temporary
	UnrecognizedResponse FailedReason = "unrecognized_response"     // temporary
	DataUnavailable      FailedReason = "data_unavailable"
	SCACAutoDetectFailed FailedReason = "scac_auto_detect_failed"
)
