package tracking

import (
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
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

// detection is how far the search for the line of a request has come.
type detection struct {
	// Line is asked at present. Empty between two lines and between two rounds.
	Line string `json:"line,omitempty"`
	// Asked are the lines of this round that have had their turn.
	Asked []string `json:"asked,omitempty"`
	// Retries are those of Line.
	Retries int `json:"retries,omitempty"`
	// Silent: a line of this round gave no proper answer.
	Silent bool `json:"silent,omitempty"`
	// Rounds that are over.
	Rounds int `json:"rounds,omitempty"`
	// Next is before when no line is asked, in whole seconds: a report may have
	// the request looked at earlier.
	Next time.Time `json:"next,omitzero"`
}

// line is whom a request is asked of: its line, or the candidate.
func (r *TrackingRequest) line() string {
	if r.SCAC != "" {
		return r.SCAC
	}
	return r.Detection.Line
}

// detect looks for the line of a request. It returns the request when a
// candidate is to be asked now, and nil when the request has been moved along:
// its line is certain, there is no candidate, or its job now waits among those of
// the candidate, so that a line that hangs holds up nobody else's detection.
func (t *Tracker) detect(tx *Tx, j store.Job, r *TrackingRequest) (*TrackingRequest, error) {
	if told, err := t.takeKnownLine(tx, j, r); told || err != nil {
		return nil, err
	}
	if at := latest(r.Detection.Next, r.LeaveAloneUntil.Truncate(time.Second)); tx.Now.Before(at) {
		return nil, t.again(tx, j, r, at) // what was reported has settled nothing
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

// takeKnownLine takes the line of the shipment that the account has been told of since
// the request was made, if it has.
func (t *Tracker) takeKnownLine(tx *Tx, j store.Job, r *TrackingRequest) (told bool, err error) {
	s, err := shipmentFor(tx, r)
	if err != nil || s == nil {
		return false, err
	}
	return true, t.takeLine(tx, j, r, s.ShippingLineSCAC)
}

// inferRequest infers from the number of a request, and mends its type where the
// number leaves no doubt: a container handed in as a bill of lading, or a bill of
// lading as a container.
func (t *Tracker) inferRequest(r *TrackingRequest) Inference {
	i, err := infer(r.RequestNumber, t.engine)
	if err != nil {
		return Inference{Decision: NoPrediction} // it stands for itself: no candidate
	}
	switch {
	case i.Type == InferredContainer && *i.Validation.Valid:
		r.RequestType = ContainerNumber
	case i.Decision == AutoSelect && r.RequestType == ContainerNumber:
		r.RequestType = BillOfLading
	}
	return i
}

// nextLine is the likeliest candidate that has a source and has not had its turn
// in this round. Empty when there is none.
func (t *Tracker) nextLine(r *TrackingRequest, i Inference) string {
	for _, c := range i.Candidates {
		if t.config.Sources[c.SCAC] != nil && !slices.Contains(r.Detection.Asked, c.SCAC) {
			return c.SCAC
		}
	}
	return ""
}

// takeLine gives a request its line without asking anybody, and settles what
// follows: a second request for the number, or a shipment that exists. Otherwise
// it takes its place among the requests of the line.
func (t *Tracker) takeLine(tx *Tx, j store.Job, r *TrackingRequest, scac string) error {
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
	return tx.records.Finish(tx, j)
}

// takeCandidate gives a request the line that was asked, which knows the number. It
// returns the other live request that follows it already; nil for none. The
// caller writes the request.
func (r *TrackingRequest) takeCandidate(tx *Tx) (other *TrackingRequest, err error) {
	r.SCAC, r.Detection = r.line(), detection{}
	return duplicateOf(tx, r)
}

// rejectCandidate decides what it means that a candidate gave no facts. One that
// says why it gives none knows the number: the request gets that line, and fails.
// What the account was told while it was asked goes before what it says.
func (t *Tracker) rejectCandidate(tx *Tx, j store.Job, r *TrackingRequest, reason FailedReason) error {
	if told, err := t.takeKnownLine(tx, j, r); told || err != nil {
		return err
	}
	d := &r.Detection
	switch reason {
	case freight.NumberNotFound, freight.InvalidNumber:
	case freight.LineUnreachable, freight.UnrecognizedResponse, freight.ProcessingError:
		r.FailedReason, r.IsRetrying = reason, true
		if d.Retries < detectRetries {
			d.Next = tx.Now.Add(retryDelay(d.Retries, t.config.Rand())).Truncate(time.Second)
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
	r.LeaveAloneUntil = time.Time{} // said by a line that now has had its turn
	if d.Line = t.nextLine(r, t.inferRequest(r)); d.Line != "" {
		return t.again(tx, j, r, tx.Now)
	}
	return t.endRound(tx, j, r)
}

// endRound: every candidate has had its turn. A carrier may not know a document
// yet, and one that did not answer may know anything; a container that nobody
// knows is no carrier's.
func (t *Tracker) endRound(tx *Tx, j store.Job, r *TrackingRequest) error {
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
