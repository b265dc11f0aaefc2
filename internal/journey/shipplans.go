package journey

import (
	"iter"
	"slices"

	"github.com/landfallhq/tracking/freight"
)

// Which ship was planned to take a container from a port.

// plan is the last word on the ship that is to take the container from a port; nil for
// none. of is nil for any ship.
func (v *voyage) plan(at *site, of *ship) (last *entry) {
	for e := range v.plansFrom(at) {
		if (of == nil || e.ship == of) && (last == nil || later(e, last) > 0) {
			last = e
		}
	}
	return last
}

// plansFrom yields the plans by which a ship takes the container from a port: those of
// its own where there are any, else those of the whole shipment.
func (v *voyage) plansFrom(at *site) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		own := false
		for e := range v.plansOf(v.cs) {
			if e.site != at || e.ship == nil || !e.takes() || own && len(e.containers) == 0 {
				continue
			}
			own = own || len(e.containers) > 0
			if !yield(e) {
				return
			}
		}
	}
}

// takes: a ship takes the container from a port.
func (e *entry) takes() bool {
	return e.overWater() && (e.Activity == freight.Loading || e.Activity == freight.Departure)
}

func (v *voyage) planned(s *ship, at *site) bool { return s != nil && v.plan(at, s) != nil }

// plannedElsewhere reports whether the container was to leave the port of a
// departure with another ship: it was planned onto that one later than onto this,
// however often the old plans were told again. A ship that was never planned may have
// taken the place of the one that was.
func (v *voyage) plannedElsewhere(e *entry) bool {
	return e.ship != nil && v.replaced(e.ship, e.site, v.firstDeparture(e.ship, e.site))
}

// isPlannedForAnother reports whether the container's own plan for a port names another
// ship, and this one was never planned to take it from there.
func (v *voyage) isPlannedForAnother(s *ship, at *site) bool {
	p := v.plan(at, nil)
	return p != nil && len(p.containers) > 0 && !v.planned(s, at)
}

// replaced reports whether another ship was planned to take the container from a port
// later than this one was, or, where this one never was, than a fact said what it did.
func (v *voyage) replaced(s *ship, at *site, said *entry) bool {
	this, other := v.firstPlan(s, nil), (*entry)(nil)
	for p := range v.plansFrom(at) {
		if p.ship == s {
			continue
		}
		if first := v.firstPlan(p.ship, at); other == nil || later(first, other) > 0 {
			other = first
		}
	}
	switch {
	case other == nil:
		return false
	case this == nil:
		return said != nil && later(other, said) > 0
	}
	return later(other, this) > 0
}

// firstPlan is the first plan with a ship that concerns the container: to leave a
// port with it, or, at nil, whatever it is to do. A plan that became an actual move is
// none any more: its last version alone counts.
func (v *voyage) firstPlan(s *ship, at *site) (first *entry) {
	note := func(p *entry) {
		if p.classifier != freight.Actual && p.ship == s && (at == nil || p.site == at && p.takes()) && (first == nil || later(p, first) < 0) {
			first = p
		}
	}
	for p := range v.plansOf(v.cs) {
		note(p)
		for _, before := range p.past {
			note(before)
		}
	}
	return first
}

// comesByPlan reports whether a ship other than s was planned last to take the container
// from a port, and may have brought it to another before a move there: it has sailed from the
// first, or called at the other.
func (v *voyage) comesByPlan(from *site, s *ship, to *site, before *entry) bool {
	p := v.plan(from, nil)
	return p != nil && p.ship != s && (p.ship.hasSailed(from, before) || slices.ContainsFunc(p.ship.calls, func(c *call) bool {
		return c.site == to && c.first.at.Compare(before.at) <= 0
	}))
}
