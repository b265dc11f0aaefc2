package journey

import (
	"iter"
	"slices"

	"github.com/landfallhq/tracking/freight"
)

// Plans of ships to take a container from a port.

// plan returns the latest plan of a ship to take the container from a port, or nil. A nil
// of means any ship.
func (v *voyage) plan(at *site, of *ship) (last *entry) {
	for e := range v.plansFrom(at) {
		if (of == nil || e.ship == of) && (last == nil || later(e, last) > 0) {
			last = e
		}
	}
	return last
}

// plansFrom yields the plans of ships to take the container from a port: its own where it
// has any, else those of the whole shipment.
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

// takes reports whether the move is a load or departure over water.
func (e *entry) takes() bool {
	return e.overWater() && (e.Activity == freight.Loading || e.Activity == freight.Departure)
}

func (v *voyage) planned(s *ship, at *site) bool { return s != nil && v.plan(at, s) != nil }

// plannedElsewhere reports whether the container was planned to leave the port of a
// departure with another ship: that plan is newer than the first one with this ship,
// however often the old plans were repeated. A ship that was never planned may have
// replaced the planned one.
func (v *voyage) plannedElsewhere(e *entry) bool {
	return e.ship != nil && v.replaced(e.ship, e.site, e.departureTold())
}

// isPlannedForAnother reports whether the container's own plan for a port has another ship,
// and this one was never planned there.
func (v *voyage) isPlannedForAnother(s *ship, at *site) bool {
	p := v.plan(at, nil)
	return p != nil && len(p.containers) > 0 && !v.planned(s, at)
}

// replaced reports whether another ship was planned to take the container from a port later
// than this one was. If this one never was, the plan is compared with the fact reported.
func (v *voyage) replaced(s *ship, at *site, said *entry) bool {
	this, other := v.firstPlan(s, nil), (*entry)(nil)
	own := v.plan(at, nil)
	for p := range v.plansOf(v.cs) {
		if p.site != at || p.ship == nil || !p.takes() || p.ship == s || own != nil && len(own.containers) > len(p.containers) && !v.isStillToTake(p.ship) {
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

// isStillToTake reports whether the plan for a ship that is not reported yet is one for the only container of a shipment.
func (v *voyage) isStillToTake(s *ship) bool { return len(v.containers) == 1 && len(s.calls) == 0 }

// firstPlan returns the first plan of the container with a ship: to leave the port at or,
// when at is nil, any plan. A plan that became an actual move does not count; its estimates
// of before do.
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

// comesByPlan reports whether the latest plan has another ship than s take the container
// from a port, and that ship may have brought it to another port before a move there: it
// has left the first port, or called at the other.
func (v *voyage) comesByPlan(from *site, s *ship, to *site, before *entry) bool {
	p := v.plan(from, nil)
	return p != nil && p.ship != s && (p.ship.hasSailed(from, before) || slices.ContainsFunc(p.ship.calls, func(c *call) bool {
		return c.site == to && c.first.at.Compare(before.at) <= 0
	}))
}
