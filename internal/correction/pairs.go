// Package correction decides on the versions of the events of milestones: which event a
// changed milestone continues, whether it differs in substance from what was announced,
// what is invalidated, and what is announced now or waits. It reads through an interface
// and writes nothing.
package correction

import (
	"strings"

	"github.com/landfallhq/tracking/freight"
)

// Pairs are former events with their successors.
type Pairs struct {
	Of, By map[*Event]*Event
}

// Rules compare events of one container.
type Rules struct {
	// SameContent, of events with one name: e does not correct what was announced.
	SameContent func(old, e *Event) bool
	// SameVisit: they stand for the same visit of the container to a place.
	SameVisit func(old, e *Event) bool
	// SameFact: they follow from the same fact, or from versions of it.
	SameFact  func(old, e *Event) bool
	SamePlace func(old, e *Event) bool
	// Interrupted: a change of availability to another value is between them.
	Interrupted func(old, e *Event) bool
}

// Pair finds for each changed milestone of a container the event that it
// continues: first that with the same content, since the number of a visit shifts when
// an earlier one becomes known; then that of the same visit, of the same fact, of the
// same event or activity at the place, and of the same event anywhere. Of several, the
// nearest in time. A change of availability continues only one to the same value, with
// no other change between.
func (r *Rules) Pair(was, is []*Event) Pairs {
	sameEvent := func(old, e *Event) bool { return old.Name == e.Name }
	sameActivity := func(old, e *Event) bool { return activityOf(old.Name) == activityOf(e.Name) }
	sameContent := both(sameEvent, r.SameContent)
	p := Pairs{map[*Event]*Event{}, map[*Event]*Event{}}
	for _, fits := range []func(old, e *Event) bool{
		both(r.SameVisit, sameContent),
		sameContent,
		func(old, e *Event) bool {
			return IsAvailability(e.Name) && sameEvent(old, e) && r.SamePlace(old, e) && !r.Interrupted(old, e)
		},
		ofMoves(both(sameEvent, r.SameFact)),
		ofMoves(r.SameVisit),
		ofMoves(both(sameActivity, r.SameFact)),
		ofMoves(r.SameFact),
		ofMoves(both(sameEvent, r.SamePlace)),
		ofMoves(both(sameActivity, r.SamePlace)),
		ofMoves(sameEvent),
	} {
		p.add(was, is, fits)
	}
	return p
}

// ofMoves excludes changes of availability.
func ofMoves(fits func(old, e *Event) bool) func(old, e *Event) bool {
	return func(old, e *Event) bool {
		return !IsAvailability(old.Name) && !IsAvailability(e.Name) && fits(old, e)
	}
}

func both(a, b func(old, e *Event) bool) func(old, e *Event) bool {
	return func(old, e *Event) bool { return a(old, e) && b(old, e) }
}

// add pairs those that fit and are free, each event with the nearest in time.
func (p *Pairs) add(was, is []*Event, fits func(old, e *Event) bool) {
	for _, e := range is {
		if p.By[e] != nil {
			continue
		}
		var best *Event
		for _, old := range was {
			if p.Of[old] == nil && fits(old, e) && (best == nil || apart(old, e) < apart(best, e)) {
				best = old
			}
		}
		if best != nil {
			p.By[e], p.Of[best] = best, e
		}
	}
}

// IsAvailability reports whether the event is a change of availability.
func IsAvailability(e freight.EventName) bool {
	return e == freight.Available || e == freight.NotAvailable
}

// activityOf returns the activity of a milestone, for any role of its place.
func activityOf(e freight.EventName) string {
	name := strings.TrimPrefix(string(e), "container.transport.")
	for _, activity := range []string{"arrived", "departed", "discharged", "loaded"} {
		if strings.HasSuffix(name, "_"+activity) {
			return activity
		}
	}
	switch e {
	case freight.RailUnloaded:
		return "discharged"
	case freight.ArrivedAtDestination:
		return "arrived"
	}
	return name
}
