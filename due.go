package tracking

import "time"

// StopWindows are the times after which a shipment is no longer followed (see
// docs/contract.md#when-tracking-stops). 0 means the default of 56 days, less than 0
// never. After a resume they count from then, if that is later.
type StopWindows struct {
	// Arrival is how long a box may wait to be picked up where it was going:
	// at the inland destination, or at the POD when there is none.
	Arrival time.Duration
	// FullOut is how long a box may be out, picked up or delivered, without
	// being returned empty.
	FullOut time.Duration
	// NoUpdates is how long no new fact may come, whoever tells it.
	NoUpdates time.Duration
}

const (
	defaultStopWindow = 56 * 24 * time.Hour
	// resumeGrace is how long a shipment all of whose boxes are returned is
	// followed after a resume: its source is asked once, and may know better.
	resumeGrace = 24 * time.Hour
)

func (w StopWindows) withDefaults() StopWindows {
	for _, d := range []*time.Duration{&w.Arrival, &w.FullOut, &w.NoUpdates} {
		if *d == 0 {
			*d = defaultStopWindow
		}
	}
	return w
}

// dueStop says why a shipment should be followed no longer by that time, or, with
// no reason, when to look again; zero for no such time. With derive it is the
// other half of the rules, the one that depends on the time of day. It is pure.
func dueStop(s *Shipment, containers []*Container, w StopWindows, now time.Time) (reason StoppedReason, next time.Time) {
	reason, next = StoppedNoUpdates, ends(latest(s.HeardAt, s.CreatedAt, s.ResumedAt), w.NoUpdates)
	if why, at := w.journeyEnds(s, containers); !at.IsZero() && (next.IsZero() || at.Before(next)) {
		reason, next = why, at
	}
	if next.IsZero() || next.After(now) {
		return "", next
	}
	return reason, time.Time{}
}

// journeyEnds is when the last of the boxes need not be followed any more, and
// why; zero while one of them is on its way. A shipment that names no box is
// judged by its own times.
func (w StopWindows) journeyEnds(s *Shipment, containers []*Container) (reason StoppedReason, last time.Time) {
	if terminated(containers) {
		if s.ResumedAt.IsZero() {
			return StoppedAllContainersTerminated, s.CreatedAt
		}
		return StoppedAllContainersTerminated, s.ResumedAt.Add(resumeGrace)
	}
	for _, p := range progressOf(s, containers) {
		if p.unused || !p.returned.IsZero() {
			continue
		}
		why, at := w.containerEnds(p, s.ResumedAt)
		if at.IsZero() {
			return "", time.Time{}
		}
		if at.After(last) {
			reason, last = why, at
		}
	}
	return reason, last
}

func (w StopWindows) containerEnds(p progress, resumed time.Time) (StoppedReason, time.Time) {
	switch {
	case !p.pickedUp.IsZero():
		return StoppedPastFullOut, ends(latest(p.pickedUp, resumed), w.FullOut)
	case !p.atPickup.IsZero():
		return StoppedPastArrival, ends(latest(p.atPickup, resumed), w.Arrival)
	}
	return "", time.Time{}
}

// ends is the end of a window; zero when there is none.
func ends(begin time.Time, window time.Duration) time.Time {
	if window < 0 || begin.IsZero() {
		return time.Time{}
	}
	return wholeSecond(begin.Add(window))
}

// wholeSecond is the first whole second that is not before t. Tx.Now has no
// parts of seconds: a job that is due within one would find, when it runs, that
// its time has not come.
func wholeSecond(t time.Time) time.Time {
	if whole := t.Truncate(time.Second); whole.Before(t) {
		return whole.Add(time.Second)
	}
	return t
}

func latest(times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// progress is how far a box has come, and what is expected next. All times are
// zero while not known.
type progress struct {
	departs time.Time // expected at the POL
	sailed  time.Time
	eta     time.Time // at the POD
	arrived time.Time // at the POD
	inland  bool      // it goes on from there with the line
	arrives time.Time // expected inland
	// atPickup is when it came to where it is picked up; out when it was.
	atPickup, pickedUp time.Time
	returned           time.Time // empty
	unused             bool      // returned to its origin, with nothing shipped in it
}

// progressOf is that of every box that is part of the shipment, or of the
// shipment itself while it names none.
func progressOf(s *Shipment, containers []*Container) (list []progress) {
	inland := s.Destination != (ID{}) && s.Destination != s.PortOfDischarge
	for _, c := range containers {
		if c.removed() {
			continue
		}
		p := progress{
			departs: s.POLETDAt, sailed: latest(c.POLVesselDepartedAt, c.POLVesselLoadedAt),
			eta: s.PODETAAt, arrived: latest(c.PODArrivedAt, c.PODDischargedAt),
			inland: inland, arrives: latest(c.INDETAAt, s.DestinationETAAt),
			pickedUp: latest(c.FinalDestinationFullOutAt, c.DeliveredAt), returned: c.EmptyTerminatedAt, unused: c.ReturnedUnused,
		}
		if p.atPickup = p.arrived; inland {
			p.atPickup = latest(c.INDATAAt, c.INDRailUnloadedAt)
		} else {
			p.pickedUp = latest(p.pickedUp, c.PODFullOutAt)
		}
		list = append(list, p)
	}
	if len(list) > 0 {
		return list
	}
	p := progress{departs: s.POLETDAt, sailed: s.POLATDAt, eta: s.PODETAAt, arrived: s.PODATAAt, inland: inland, arrives: s.DestinationETAAt}
	if p.atPickup = p.arrived; inland {
		p.atPickup = s.DestinationATAAt
	}
	return []progress{p}
}
