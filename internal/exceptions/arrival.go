package exceptions

import (
	"time"

	"github.com/landfallhq/tracking/freight"
)

const week = 7 * day

// highSlip is from when on a slip of the arrival has to be acted on at once.
const highSlip = week

// findSlips compares the estimated arrival with the first estimate, with that of a week ago, and
// with what was promised.
func (f *finder) findSlips() {
	j := f.Journey
	if j.PODETA.IsZero() || f.isAshore() {
		return
	}
	arrived := f.arrival()
	if !j.PODOriginalETA.IsZero() {
		f.findSlipOfFirst(arrived)
	}
	f.findSlipOfPromise(arrived)
	if arrived.fact < 0 && j.PODATA.IsZero() {
		f.findSlipInWeek()
	}
}

// isAshore reports whether every container has left its port of discharge, and no arrival was
// reported: then the estimate says nothing any more.
func (f *finder) isAshore() bool {
	if !f.Journey.PODATA.IsZero() {
		return false
	}
	for i := range f.Journey.Containers {
		if c := &f.Journey.Containers[i]; c.PODDischargedAt.IsZero() && f.pickedUp(c).fact < 0 {
			return false
		}
	}
	return len(f.Journey.Containers) > 0
}

// arrival is the first report that a container has arrived at the port of discharge.
func (f *finder) arrival() (first milestone) {
	first.fact = -1
	for i := range f.Journey.Containers {
		m := f.last(&f.Journey.Containers[i], freight.VesselArrived, freight.FeederArrived)
		if !f.Journey.Containers[i].PODArrivedAt.IsZero() && m.fact >= 0 && (first.fact < 0 || m.recorded.Before(first.recorded)) {
			first = m
		}
	}
	return first
}

func (f *finder) findSlipOfFirst(arrived milestone) {
	j := f.Journey
	first := j.PODOriginalETA.Time
	slip := j.PODETA.Time.Sub(first)
	if slip < f.ETASlip {
		return
	}
	text := "The arrival at " + placeName(j.POD) + " has slipped to " + date(j.PODETA) + ", " + days(slip) + " after the first estimate, " + date(j.PODOriginalETA) + "."
	f.addSlip(Exception{Key: "first", Severity: severityOfSlip(slip), Text: text}, f.openedSlip(first, f.ETASlip), arrived)
}

// findSlipOfPromise compares with the arrival that a user has promised before the ship arrived.
func (f *finder) findSlipOfPromise(arrived milestone) {
	j, promise := f.Journey, f.Promise
	slip := j.PODETA.Time.Sub(promise.At)
	ended := arrived.recorded
	if arrived.fact < 0 {
		ended = j.PODATA.Time
	}
	if promise.At.IsZero() || slip < f.PromisedSlip || !ended.IsZero() && promise.MadeAt.After(ended) {
		return
	}
	promised := j.PODETA
	promised.Time = promise.At
	text := "The arrival at " + placeName(j.POD) + " is expected on " + date(j.PODETA) + ", " + days(slip) + " after the promised arrival, " + date(promised) + "."
	opened := latest(promise.MadeAt, f.openedSlip(promise.At, f.PromisedSlip))
	f.addSlip(Exception{Key: "promised", Severity: severityOfSlip(slip), Text: text}, opened, arrived)
}

// openedSlip is when the arrival was shown to be too late against a time, as it still is.
func (f *finder) openedSlip(against time.Time, limit time.Duration) time.Time {
	at := f.recorded(f.Journey.Provenance.PODETA)
	for i := len(f.Estimates) - 1; i >= 0 && f.Estimates[i].At.Sub(against) >= limit; i-- {
		at = f.Estimates[i].LearnedAt
	}
	return at
}

// addSlip adds a slip that the arrival closes.
func (f *finder) addSlip(e Exception, opened time.Time, arrived milestone) {
	e.Kind, e.OpenedAt, e.ClosedAt = ETASlipped, opened, arrived.recorded
	if ata := f.Journey.PODATA; arrived.fact < 0 && !ata.IsZero() {
		e.ClosedAt = ata.Time
	}
	f.add(e, f.Journey.Provenance.PODETA, arrived.fact)
}

func severityOfSlip(slip time.Duration) Severity {
	if slip >= highSlip {
		return High
	}
	return Medium
}

// findSlipInWeek compares with the estimate that was shown seven days ago.
func (f *finder) findSlipInWeek() {
	base := -1
	for i, e := range f.Estimates {
		if e.LearnedAt.After(f.now.Add(-week)) {
			break
		}
		base = i
	}
	if base < 0 || f.Estimates[base].At.IsZero() {
		return
	}
	j, before := f.Journey, f.Estimates[base].At
	slip := j.PODETA.Time.Sub(before)
	if slip < f.ETASlipInWeek {
		return
	}
	e := Exception{Kind: ETASlipped, Key: "week", Severity: severityOfSlip(slip)}
	for _, later := range f.Estimates[base+1:] {
		if later.At.Sub(before) < f.ETASlipInWeek {
			e.OpenedAt = time.Time{}
		} else if e.OpenedAt.IsZero() {
			e.OpenedAt = later.LearnedAt
		}
	}
	if e.OpenedAt.IsZero() {
		return
	}
	f.changesAt(f.Estimates[base+1].LearnedAt.Add(week))
	known := j.PODETA
	known.Time = before
	e.Text = "The arrival at " + placeName(j.POD) + " has slipped to " + date(j.PODETA) + ", " + days(slip) + " after the estimate of a week ago, " + date(known) + "."
	f.add(e, j.Provenance.PODETA)
}
