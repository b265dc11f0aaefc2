package tracking

import (
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/schedule"
	"github.com/landfallhq/tracking/store"
)

// How long detection goes on. A request without a line is more often for a wrong
// number than for an early one, and each round asks several carriers.
const (
	// detectRetries is how often a line that gives no proper answer is asked again
	// in one round: half of what a request with a line has.
	detectRetries = maxRetries / 2
	// detectRounds is how often all candidates are asked, awaitingEvery apart.
	detectRounds = 3
)

// detection is the state of the search for the line of a request.
type detection struct {
	// Line is the line being queried. Empty between two lines and between two
	// rounds.
	Line string `json:"line,omitempty"`
	// Asked are the lines that were queried in this round.
	Asked []string `json:"asked,omitempty"`
	// Retries of Line.
	Retries int `json:"retries,omitempty"`
	// Silent: a line of this round gave no proper answer.
	Silent bool `json:"silent,omitempty"`
	// Rounds that have ended.
	Rounds int `json:"rounds,omitempty"`
	// Next is the earliest time of the next query, in whole seconds. A report may
	// run the job earlier.
	Next time.Time `json:"next,omitzero"`
}

// line is the line to query: that of the request, or the candidate.
func (r *TrackingRequest) line() string {
	if r.SCAC != "" {
		return r.SCAC
	}
	return r.Detection.Line
}

// detect searches for the line of a request. It returns the request if a candidate
// is to be queried now. It returns nil if the line is certain, if there is no
// candidate, or if the job now waits in the queue of the candidate, so that a line
// that hangs does not delay other requests.
func (t *Tracker) detect(tx *transaction, j store.Job, r *TrackingRequest) (*TrackingRequest, error) {
	if known, err := t.takeKnownLine(tx, j, r); known || err != nil {
		return nil, err
	}
	if at := schedule.Latest(r.Detection.Next, r.LeaveAloneUntil.Truncate(time.Second)); tx.Now.Before(at) {
		return nil, t.again(tx, j, r, at) // the report did not decide the line
	}
	if t.config.Sources[r.Detection.Line] != nil {
		return r, nil
	}
	i := t.inferRequest(r)
	if i.Decision == AutoSelect {
		return nil, t.takeLine(tx, j, r, i.Selected().SCAC)
	}
	if r.Detection.Line = t.nextLine(r, i); r.Detection.Line == "" {
		return nil, t.fail(tx, j, r, freight.SCACAutoDetectFailed)
	}
	return nil, t.again(tx, j, r, tx.Now)
}

// takeKnownLine takes the line of a shipment with this number that was reported
// since the request was created, if there is one.
func (t *Tracker) takeKnownLine(tx *transaction, j store.Job, r *TrackingRequest) (known bool, err error) {
	s, err := shipmentFor(tx, r)
	if err != nil || s == nil {
		return false, err
	}
	return true, t.takeLine(tx, j, r, s.ShippingLineSCAC)
}

// inferRequest infers from the number of a request, and corrects its type if the
// number is unambiguous: a container given as a bill of lading, or a bill of lading
// given as a container.
func (t *Tracker) inferRequest(r *TrackingRequest) Inference {
	i, err := t.inferNumber(r.RequestNumber)
	if err != nil {
		return Inference{Decision: NoPrediction} // no candidate
	}
	switch {
	case i.Type == InferredContainer && *i.Validation.Valid:
		r.RequestType = ContainerNumber
	case i.Decision == AutoSelect && r.RequestType == ContainerNumber:
		r.RequestType = BillOfLading
	}
	return i
}

// nextLine is the likeliest candidate that has a source and was not queried in this
// round. Empty if there is none.
func (t *Tracker) nextLine(r *TrackingRequest, i Inference) string {
	for _, c := range i.Candidates {
		if t.config.Sources[c.SCAC] != nil && !slices.Contains(r.Detection.Asked, c.SCAC) {
			return c.SCAC
		}
	}
	return ""
}

// takeLine sets the line of a request without a query, and completes or fails the
// request if a shipment or a second request for the number exists. Otherwise the
// request waits in the queue of the line.
func (t *Tracker) takeLine(tx *transaction, j store.Job, r *TrackingRequest, scac string) error {
	r.SCAC, r.Detection = scac, detection{}
	other, err := duplicateOf(tx, r)
	if err != nil {
		return err
	}
	if other != nil {
		return t.fail(tx, j, r, freight.DuplicateRequest)
	}
	s, err := shipmentFor(tx, r)
	if err != nil {
		return err
	}
	if s == nil {
		return t.again(tx, j, r, tx.Now)
	}
	if err := succeedWith(tx, r, s); err != nil {
		return err
	}
	return tx.Records.Finish(tx, j)
}

// takeCandidate sets the line to the one that was queried, which knows the number.
// It returns another live request for the number; nil for none. The caller writes
// the request.
func (r *TrackingRequest) takeCandidate(tx *transaction) (other *TrackingRequest, err error) {
	r.SCAC, r.Detection = r.line(), detection{}
	return duplicateOf(tx, r)
}

// rejectCandidate handles an answer of a candidate without facts. If its reason
// shows that it knows the number, the request gets that line and fails. A shipment
// that was reported in the meantime takes precedence.
func (t *Tracker) rejectCandidate(tx *transaction, j store.Job, r *TrackingRequest, reason FailedReason) error {
	if known, err := t.takeKnownLine(tx, j, r); known || err != nil {
		return err
	}
	d := &r.Detection
	switch reason {
	case freight.NumberNotFound, freight.InvalidNumber:
	case freight.LineUnreachable, freight.UnrecognizedResponse, freight.ProcessingError:
		r.FailedReason, r.IsRetrying = reason, true
		if d.Retries < detectRetries {
			d.Next = tx.Now.Add(schedule.RetryDelay(d.Retries, t.config.Rand())).Truncate(time.Second)
			d.Retries++
			r.RetryCount++
			return t.again(tx, j, r, d.Next)
		}
		d.Silent = true
	default:
		other, err := r.takeCandidate(tx)
		if err != nil {
			return err
		}
		if other != nil {
			reason = freight.DuplicateRequest
		}
		return t.fail(tx, j, r, reason)
	}
	d.Asked, d.Line, d.Retries, d.Next = append(d.Asked, d.Line), "", 0, time.Time{}
	r.LeaveAloneUntil = time.Time{} // set by a line that was queried
	if d.Line = t.nextLine(r, t.inferRequest(r)); d.Line != "" {
		return t.again(tx, j, r, tx.Now)
	}
	return t.endRound(tx, j, r)
}

// endRound ends a round in which every candidate was queried. A carrier may not
// know a document yet, and one that did not answer may know any number; a container
// that no line knows is not retried.
func (t *Tracker) endRound(tx *transaction, j store.Job, r *TrackingRequest) error {
	rounds, silent := r.Detection.Rounds+1, r.Detection.Silent
	r.Detection = detection{Rounds: rounds, Next: tx.Now.Add(awaitingEvery)}
	if rounds == detectRounds || r.RequestType == ContainerNumber && !silent {
		return t.fail(tx, j, r, freight.SCACAutoDetectFailed)
	}
	if !silent {
		awaitManifest(tx, r)
	}
	return t.again(tx, j, r, r.Detection.Next)
}
