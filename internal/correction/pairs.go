// Package correction decides on the versions of the events of milestones: which event a
// changed milestone continues, whether it differs in substance from what was announced,
// what is invalidated, and what is announced now or waits. It reads through an interface
// and writes nothing.
package correction

import (
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// Pairs are former events with their successors.
type Pairs[E comparable] struct {
	Of, By map[E]E
}

// Rules compare events of one container. The zero E stands for no event.
type Rules[E comparable] struct {
	Event func(E) freight.EventName
	// Apart is the time between two events.
	Apart func(a, b E) time.Duration
	// SameContent, of events with one name: e does not correct what was announced.
	SameContent func(old, e E) bool
	// SameVisit: they stand for the same visit of the container to a place.
	SameVisit func(old, e E) bool
	// SameFact: they follow from the same fact, or from versions of it.
	SameFact  func(old, e E) bool
	SamePlace func(old, e E) bool
	// Interrupted: a change of availability to another value is between them.
	Interrupted func(old, e E) bool
}

// Pair finds for each changed milestone of a container the event that it
// continues: first that with the same content, since the number of a visit shifts when
// an earlier one becomes known; then that of the same visit, of the same fact, of the
// same event or activity at the place, and of the same event anywhere. Of several, the
// nearest in time. A change of availability continues only one to the same value, with
// no other change between.
func (r *Rules[E]) Pair(was, is []E) Pairs[E] {
	sameEvent := func(old, e E) bool { return r.Event(old) == r.Event(e) }
	sameActivity := func(old, e E) bool { return activityOf(r.Event(old)) == activityOf(r.Event(e)) }
	sameContent := both(sameEvent, r.SameContent)
	p := Pairs[E]{map[E]E{}, map[E]E{}}
	for _, fits := range []func(old, e E) bool{
		both(r.SameVisit, sameContent),
		sameContent,
		func(old, e E) bool {
			return IsAvailability(r.Event(e)) && sameEvent(old, e) && r.SamePlace(old, e) && !r.Interrupted(old, e)
		},
		r.ofMoves(both(sameEvent, r.SameFact)),
		r.ofMoves(r.SameVisit),
		r.ofMoves(both(sameActivity, r.SameFact)),
		r.ofMoves(r.SameFact),
		r.ofMoves(both(sameEvent, r.SamePlace)),
		r.ofMoves(both(sameActivity, r.SamePlace)),
		r.ofMoves(sameEvent),
	} {
		p.add(was, is, r.Apart, fits)
	}
	return p
}

// ofMoves excludes changes of availability.
func (r *Rules[E]) ofMoves(fits func(old, e E) bool) func(old, e E) bool {
	return func(old, e E) bool {
		return !IsAvailability(r.Event(old)) && !IsAvailability(r.Event(e)) && fits(old, e)
	}
}

func both[E any](a, b func(old, e E) bool) func(old, e E) bool {
	return func(old, e E) bool { return a(old, e) && b(old, e) }
}

// add pairs those that fit and are free, each event with the nearest in time.
func (p *Pairs[E]) add(was, is []E, apart func(a, b E) time.Duration, fits func(old, e E) bool) {
	var none E
	for _, e := range is {
		if p.By[e] != none {
			continue
		}
		best := none
		for _, old := range was {
			if p.Of[old] == none && fits(old, e) && (best == none || apart(old, e) < apart(best, e)) {
				best = old
			}
		}
		if best != none {
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
