package tracking

import (
	"errors"
	"strings"
	"time"

	"github.com/landfallhq/tracking/store"
)

// Observer has functions that are called when the engine has done something, for metrics.
// They are called on the goroutine that did it, so they must be quick, and must not call
// the Tracker. Any of them may be nil. Announced events are observed by
// Config.OnAnnounce.
type Observer struct {
	// JobEnded: a background job has run; err is nil unless it failed. Kind is one of
	// Description.JobKinds. Deliveries are not among these jobs.
	JobEnded func(kind store.JobKind, took time.Duration, err error)
	// SourceAnswered: the source of a shipping line was queried. took is the time of the
	// query. failure is empty if the answer was usable; NumberNotFound and some others
	// are answers too.
	SourceAnswered func(scac string, took time.Duration, failure FailedReason)
	// DeliveryEnded: one attempt to deliver a notification has ended. failure is empty
	// for a success, or one of the Fail constants.
	DeliveryEnded func(took time.Duration, failure string)
	// DocumentRead: the file of a document was read. documentType is the code of its
	// type, empty for none. failure is empty, "unreadable" for a file without text, one of
	// the File constants, "file_missing" or "given_up".
	DocumentRead func(documentType string, took time.Duration, failure string)
}

// jobEnded reports a job.
func (o *Observer) jobEnded(j store.Job, began time.Time, err error) {
	if o.JobEnded != nil {
		o.JobEnded(j.Kind, time.Since(began), err)
	}
}

// sourceAnswered reports a query. A lost lease is not its fault.
func (o *Observer) sourceAnswered(scac string, took time.Duration, err error) {
	if o.SourceAnswered == nil {
		return
	}
	var failure FailedReason
	if err != nil && !errors.Is(err, store.ErrLeaseLost) {
		failure = reasonOf(err)
	}
	o.SourceAnswered(scac, took, failure)
}

// deliveryEnded reports an attempt. One that was not made is none.
func (o *Observer) deliveryEnded(began time.Time, outcome *Outcome) {
	if o.DeliveryEnded != nil {
		o.DeliveryEnded(time.Since(began), outcome.Failure)
	}
}

// documentRead reports a reading that was written.
func (o *Observer) documentRead(r *reading, took time.Duration) {
	if o.DocumentRead == nil || r.upload == (ID{}) {
		return
	}
	failure, _, _ := strings.Cut(r.failure, ":")
	if strings.HasPrefix(r.notes, unreadableNote) {
		failure = "unreadable"
	}
	o.DocumentRead(r.typ, took, failure)
}
