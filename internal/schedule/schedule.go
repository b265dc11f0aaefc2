// Package schedule decides when the source of a shipment is queried again, and when
// tracking of the shipment stops. Both follow from the progress of its containers and
// the time. All functions are pure: the caller enqueues the jobs.
package schedule

import "time"

// Shipment is what the decisions depend on. Times are zero if they are not known.
type Shipment struct {
	Created time.Time
	// LastFact is when the last new fact arrived, and Resumed when tracking was resumed.
	LastFact, Resumed time.Time
	// Containers has the progress of each container in the shipment, or that of the
	// shipment itself if none is known.
	Containers []Progress
}

// Progress is the state of a container, and what is expected next. Times are zero if they
// are not known.
type Progress struct {
	Departs time.Time // expected at the POL
	Sailed  time.Time // loaded at the POL or departed from it
	ETA     time.Time // at the POD
	Arrived time.Time // at the POD
	INDETA  time.Time // at the inland destination
	// AtPickup is when it arrived where it is picked up: inland, or at the POD.
	AtPickup time.Time
	PickedUp time.Time
	Returned time.Time // empty, after its journey
	Unused   bool      // returned to its origin without having been shipped
}

// NeverSailed reports whether no container is known to have left its origin.
func (s *Shipment) NeverSailed() bool {
	for _, p := range s.Containers {
		if !Latest(p.Sailed, p.Arrived, p.AtPickup, p.PickedUp, p.Returned).IsZero() {
			return false
		}
	}
	return true
}

// Terminated reports whether at least one container was returned empty after its
// journey, and each other one too, or unused to its origin.
func (s *Shipment) Terminated() bool {
	returned := false
	for _, p := range s.Containers {
		switch {
		case !p.Returned.IsZero():
			returned = true
		case !p.Unused:
			return false
		}
	}
	return returned
}

// Latest returns the last of the times.
func Latest(times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// WholeSecond rounds up to whole seconds. The time of a transaction has no fractions: a
// job with a fractional due time would run before it is due.
func WholeSecond(t time.Time) time.Time {
	if whole := t.Truncate(time.Second); whole.Before(t) {
		return whole.Add(time.Second)
	}
	return t
}
