package journey

import (
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// A later move of a container can prove that it was aboard a ship when that ship left or
// reached a port, or that it was ashore.

type proof uint8

const (
	unproven proof = iota
	provenAboard
	provenAshore
)

// proof looks for the next own move of the container that proves whether it was aboard the
// ship of e, which left or reached a port. The search ends at the next move over water, or
// when the container leaves by land: later moves prove nothing.
func (v *voyage) proof(e *entry) proof {
	for _, m := range v.own[v.next:] {
		if p := v.proofBy(e, m); p != unproven || m.overWater() || m.takenInland() {
			return p
		}
		if len(v.legs) == 0 && m.goesToSea() && m.site != e.site && v.comesOff(e) {
			return provenAshore // it boards that ship after this
		}
	}
	return unproven
}

// goesToSea reports whether the move is one on the way to the port: it is picked up empty, or brought
// laden to a gate.
func (e *entry) goesToSea() bool {
	return e.Activity == freight.GateOut && e.LoadStatus == freight.Empty || e.Activity == freight.GateIn && e.LoadStatus == freight.Laden
}

func (v *voyage) proofBy(e, m *entry) proof {
	switch {
	case !m.overWater():
		return v.proofByLand(e, m)
	case m.Activity == freight.Loading || m.Activity == freight.Departure:
		return v.proofByLoad(e, m)
	case m.ship == nil && (v.broughtByAnother(e, m) || v.liesAnotherSurely(e.ship, m) || v.mayComeOffFormer(e, m)):
		return unproven
	case m.ship == nil:
		if e.ship == nil || v.liesAt(e, m) || !e.ship.calledAt(m.site) && e.ship.callsLater(m.site, nil) && !v.replacedAhead(e) && !v.liesAnother(e.ship, m) {
			return provenAboard
		}
		if v.mayComeUnreported(e, m) && !v.liesAnother(e.ship, m) {
			return unproven
		}
		return provenAshore
	case m.ship == e.ship || e.ship == nil:
		return provenAboard
	case e.Activity == freight.Departure && (m.ship.calledAt(e.site) || e.ship.callsLater(m.site, e.call) && !e.ship.layAt(e.call, m)):
		return provenAshore // it left on the other ship, or went where this one comes only later
	}
	return unproven
}

// proofByLoad returns what a load or departure proves. A container that is loaded where the
// ship of e has left was not aboard; one that is loaded elsewhere may have come with that
// ship if it called there.
func (v *voyage) proofByLoad(e, m *entry) proof {
	switch {
	case m.site == e.site && e.Activity != freight.Departure && (m.ship == e.ship || len(v.legs) == 0 && m.site == v.plannedPOL):
		return provenAshore // the ship came to load it
	case v.mayComeByThird(e, m), m.site == e.site && e.Activity != freight.Departure && v.mayComeByFormer(e, m):
		return unproven
	case m.site == e.site && e.Activity != freight.Departure:
		return provenAboard // it continues from where this ship brought it
	case m.site == e.site && m.ship == e.ship && m.call == e.call,
		m.site == e.site && m.Activity == freight.Loading && m.ship == nil && e.Activity == freight.Departure && e.at.Compare(m.at) == 0 && !v.plannedElsewhere(e) && !v.isPlannedForAnother(e.ship, e.site):
		return provenAboard // the same move by another clock
	case m.ship != nil && m.ship == e.ship && m.Activity == freight.Departure && e.Activity == freight.Departure:
		return provenAboard
	case m.site != e.site && m.ship != e.ship && v.calledSince(e, m.site, m) && !v.broughtByAnother(e, m) && !v.cameToLoad(e, m):
		if v.mayComeByAnother(e, m) && !v.planned(e.ship, e.site) || v.mayComeByFormer(e, m) {
			return unproven
		}
		return provenAboard
	case m.by == freight.ByBarge && e.Activity == freight.Departure && v.mayComeUnreported(e, m):
		return unproven
	}
	return provenAshore
}

// mayComeUnreported reports whether the ship of e was planned to take the container from there, and may have called
// at the port of its next move without a report.
func (v *voyage) mayComeUnreported(e, m *entry) bool {
	return e.ship != nil && e.call != nil && !e.ship.calledAt(m.site) && v.planned(e.ship, e.site) && e.ship.mayGoThere(e.call, m)
}

// liesAnother reports whether another ship, which may have taken the container on, is reported where it
// comes off one that nobody names.
func (v *voyage) liesAnother(s *ship, m *entry) bool {
	for _, o := range v.fleet.ships {
		if o.isAnother(s) && o.isBy(m.by) && o.layAt(nil, m) && !v.leftBeforeItCame(o) {
			return true
		}
	}
	return false
}

// leftBeforeItCame reports whether a ship called at the port where the container stands only before it
// came there.
func (v *voyage) leftBeforeItCame(s *ship) bool {
	at, since := v.standsAt()
	return at != nil && since != nil && s.calledAt(at) && !slices.ContainsFunc(s.calls, func(c *call) bool {
		return c.site == at && c.left().After(since.at.Time)
	})
}

// liesAnotherSurely reports whether another ship is reported there then, and this one only may have been.
func (v *voyage) liesAnotherSurely(s *ship, m *entry) bool {
	if s == nil || s.liesSurely(m) {
		return false
	}
	for _, o := range v.fleet.ships {
		if o.isAnother(s) && o.isBy(m.by) && o.liesSurely(m) {
			return true
		}
	}
	return false
}

// mayComeByAnother reports whether another ship left the port of e later and called at the
// port of the container's next move in time.
func (v *voyage) mayComeByAnother(e, m *entry) bool {
	for _, s := range v.fleet.ships {
		if s == e.ship {
			continue
		}
		for i, c := range s.calls {
			if c.site == e.site && c.left().After(e.at.Time) && slices.ContainsFunc(s.calls[i+1:], func(next *call) bool {
				return next.site == m.site && next.first.at.Compare(m.at) <= 0
			}) {
				return true
			}
		}
	}
	return false
}

// mayComeByThird reports whether a third ship may have brought the container to its next
// load: the ship of e was not planned for it, and another one called there since its last
// own move. A departure from the port of one of these two moves is excluded, because other
// rules decide it.
func (v *voyage) mayComeByThird(e, m *entry) bool {
	if v.firstPlan(e.ship, nil) != nil || e.Activity == freight.Departure && (m.site == e.site || v.next > 0 && v.own[v.next-1].site == e.site) {
		return false
	}
	for _, s := range v.fleet.ships {
		if s != e.ship && s != m.ship && slices.ContainsFunc(s.calls, func(c *call) bool {
			return c.site == m.site && c.first.at.Compare(m.at) <= 0 && (v.next == 0 || v.own[v.next-1].at.Compare(c.first.at) < 0)
		}) {
			return true
		}
	}
	return false
}

// broughtByAnother reports whether the latest plan had another ship take the container from
// the port of a departure, and that ship called at the port of its next move in time.
func (v *voyage) broughtByAnother(e, m *entry) bool {
	return v.plannedElsewhere(e) && v.broughtByPlan(e, m)
}

// broughtByPlan reports whether the ship of the container's latest plan for the port of a departure
// may have brought it to where it leaves by land.
func (v *voyage) broughtByPlan(e, m *entry) bool {
	return e.Activity == freight.Departure && v.comesByPlan(e.site, e.ship, m.site, m)
}

// cameToLoad reports whether the ship of e loaded another container of the shipment at the
// port of m: it came there to load and did not bring this one.
func (v *voyage) cameToLoad(e, m *entry) bool { return e.ship != nil && len(e.ship.loads[m.site]) > 0 }

// mayComeByEither reports whether another ship may have brought the container to where it
// leaves by land: no ship was planned, and the other one also left the port where the
// container was ashore and called at the port of m in time.
func (v *voyage) mayComeByEither(e, m *entry) bool {
	at, since := v.standsAt()
	if at == nil || e.ship == nil || v.firstPlan(e.ship, nil) != nil || v.plan(at, nil) != nil {
		return false
	}
	for _, s := range v.fleet.ships {
		if s == e.ship {
			continue
		}
		for i, c := range s.calls {
			if c.site == at && c.left().After(since.at.Time) && slices.ContainsFunc(s.calls[i+1:], func(next *call) bool {
				return next.site == m.site && next.first.at.Compare(m.at) <= 0
			}) {
				return true
			}
		}
	}
	return false
}

func (v *voyage) proofByLand(e, m *entry) proof {
	switch {
	case m.site == nil:
		if m.takenInland() {
			return provenAboard
		}
		return unproven
	case e.Activity == freight.Departure && m.site == e.site:
		return provenAshore
	case v.cameBack && m.LoadStatus == freight.Empty:
		return unproven // it may be a delivery that was refused, returned empty to any port
	case v.mayComeByEither(e, m), v.mayComeByFormer(e, m), v.isPlannedForAnother(e.ship, e.site) && v.broughtByPlan(e, m), m.site == e.site && m.leavesOnDayOf(e.at.Time):
		return unproven
	case m.site == e.site || v.calledSince(e, m.site, m):
		if m.takenInland() && (e.Activity != freight.Departure && !v.replacedSince(e) || e.Activity == freight.Departure && !v.plannedElsewhere(e) && !v.replacedAhead(e)) {
			return provenAboard
		}
		return unproven
	case !v.arrivedSince(e, m):
		return provenAshore // the ship was at sea or at the port of departure
	}
	return unproven
}

// leavesOnDayOf reports whether the container leaves by land on a day, and no more is known of
// the time, on which or before which a ship came. It may have come by another ship before.
func (e *entry) leavesOnDayOf(came time.Time) bool {
	return e.at.Day && e.takenInland() && !came.Before(e.at.Time)
}

// calledSince reports whether the ship of e called at a port after e and not after the
// container's move m there.
func (v *voyage) calledSince(e *entry, at *site, m *entry) bool {
	if e.ship == nil || e.call == nil {
		return e.site != at
	}
	for _, c := range e.ship.calls[e.call.index+1:] {
		if c.site == at && c.first.at.Compare(m.at) <= 0 && !m.leavesOnDayOf(c.came()) {
			return true
		}
	}
	return e.Activity != freight.Departure && e.site == at
}

// liesAt reports whether the ship of e may be at the port of m at the time of m, in a call
// after e.
func (v *voyage) liesAt(e, m *entry) bool {
	if e.ship == nil || e.call == nil {
		return true
	}
	return slices.ContainsFunc(e.ship.calls[e.call.index:], func(c *call) bool {
		return c.site == m.site && (c != e.call || e.Activity != freight.Departure) && e.ship.layThere(c, m)
	})
}

// portStay is the longest usual stay of a ship at a port.
const portStay = 72 * time.Hour

// layThere reports whether the ship may have been in the call at the time of a move there.
func (s *ship) layThere(c *call, m *entry) bool {
	return !c.beganAfter(m) && !s.hasLeft(c, m)
}

// beganAfter reports whether the call began after the move m there.
func (c *call) beganAfter(m *entry) bool {
	if c.first.Activity == freight.Arrival || c.first.Activity == freight.Berth {
		return c.first.at.Compare(m.at) > 0
	}
	return c.first.at.Time.Sub(m.at.Time) > portStay
}

// hasLeft reports whether the ship ended the call c before the move m. Where its departure is not
// reported, it stayed portStay at most after the last that is reported of the call.
func (s *ship) hasLeft(c *call, m *entry) bool {
	switch {
	case c.sailed != nil:
		return c.sailed.at.Compare(m.at) < 0
	case m.at.Time.Sub(c.last.at.Time) > portStay:
		return true
	}
	return c.index+1 < len(s.calls) && s.calls[c.index+1].first.at.Compare(m.at) < 0
}

// arrivedSince reports whether the ship of e reached any port between e and the move.
func (v *voyage) arrivedSince(e, m *entry) bool {
	if e.Activity != freight.Departure || e.ship == nil || e.call == nil {
		return true
	}
	if next := e.call.index + 1; next < len(e.ship.calls) {
		return !e.ship.calls[next].beganAfter(m) && m.at.Time.Sub(e.at.Time) >= shortestTrip || e.ship.wasToCall(m.site, e, m)
	}
	return false
}

// wasToCall reports whether the ship was planned to come to a port between two moves.
func (s *ship) wasToCall(at *site, after, before *entry) bool {
	return slices.ContainsFunc(s.planned, func(c *call) bool {
		return c.site == at && c.arrived && c.last.at.Compare(after.at) > 0 && c.first.at.Compare(before.at) <= 0
	})
}

func (s *ship) calledAt(at *site) bool {
	return slices.ContainsFunc(s.calls, func(c *call) bool { return c.site == at })
}
