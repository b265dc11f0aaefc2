package schedule

import "time"

// Rule is a rule that stops tracking.
type Rule uint8

const (
	NoRule      Rule = iota
	AllReturned      // all containers were returned
	PastArrival
	PastFullOut
	NoUpdates
)

// Windows are the times after which tracking stops. 0 means the default of 56 days, less
// than 0 never. After a resume they count from that time, if it is later.
type Windows struct {
	// Arrival is how long a container may wait for pickup, and FullOut how long it may be
	// picked up without being returned empty.
	Arrival, FullOut time.Duration
	// NoUpdates is how long no new fact may arrive.
	NoUpdates time.Duration
}

const (
	defaultWindow = 56 * 24 * time.Hour
	// resumeGrace is how long a shipment with all containers returned is tracked after a
	// resume: its source is queried once, and may have newer facts.
	resumeGrace = 24 * time.Hour
)

// WithDefaults returns the windows with defaults.
func (w Windows) WithDefaults() Windows {
	for _, d := range []*time.Duration{&w.Arrival, &w.FullOut, &w.NoUpdates} {
		if *d == 0 {
			*d = defaultWindow
		}
	}
	return w
}

// StopDue returns the rule that stops tracking at that time or, if there is none, the
// time of the next check; zero for none.
func (s *Shipment) StopDue(w Windows, now time.Time) (rule Rule, next time.Time) {
	rule, next = NoUpdates, windowEnd(Latest(s.LastFact, s.Created, s.Resumed), w.NoUpdates)
	if r, at := s.journeyEnds(w); !at.IsZero() && (next.IsZero() || at.Before(next)) {
		rule, next = r, at
	}
	if next.IsZero() || next.After(now) {
		return NoRule, next
	}
	return rule, time.Time{}
}

// journeyEnds is when the last of the containers no longer needs tracking, and by which
// rule; zero while one of them is under way.
func (s *Shipment) journeyEnds(w Windows) (rule Rule, last time.Time) {
	if s.Terminated() {
		if s.Resumed.IsZero() {
			return AllReturned, s.Created
		}
		return AllReturned, s.Resumed.Add(resumeGrace)
	}
	for _, p := range s.Containers {
		if p.Unused || !p.Returned.IsZero() {
			continue
		}
		r, at := p.ends(w, s.Resumed)
		if at.IsZero() {
			return NoRule, time.Time{}
		}
		if at.After(last) {
			rule, last = r, at
		}
	}
	return rule, last
}

func (p *Progress) ends(w Windows, resumed time.Time) (Rule, time.Time) {
	switch {
	case !p.PickedUp.IsZero():
		return PastFullOut, windowEnd(Latest(p.PickedUp, resumed), w.FullOut)
	case !p.AtPickup.IsZero():
		return PastArrival, windowEnd(Latest(p.AtPickup, resumed), w.Arrival)
	}
	return NoRule, time.Time{}
}

// windowEnd is the end of a window; zero if there is none.
func windowEnd(begin time.Time, window time.Duration) time.Time {
	if window < 0 || begin.IsZero() {
		return time.Time{}
	}
	return WholeSecond(begin.Add(window))
}
