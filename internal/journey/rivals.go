package journey

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// A container boards and leaves a ship that no fact about the container names only by
// inference. Where the facts allow another ship to have carried it, neither is shown.

// hideRivalled takes the ship from each leg on which another ship may have carried the
// container. The leg stays: the container came to where it ends.
func (v *voyage) hideRivalled() {
	v.dropBeforeFirstLoad()
	for _, l := range v.legs {
		if !l.undone {
			v.endWhereItMayChange(l)
			v.endAtHub(l)
			v.endWhereAnotherCalled(l)
			v.arriveOnlyOnOne(l)
			v.endWhereDue(l)
			v.boardWhereItMayChange(l)
			v.passNoPortOfChange(l)
		}
		if l.undone || l.ship == nil || !v.isRivalled(l) {
			continue
		}
		named := v.isNamed(l)
		v.moves = slices.DeleteFunc(v.moves, func(m seaMove) bool {
			return m.leg == l && len(m.containers) == 0 && !(named && m.call != nil && m.call == l.ended)
		})
		if named {
			continue
		}
		l.ship, l.begun, l.ended = nil, nil, nil
		l.undone = l.to == nil && !slices.ContainsFunc(v.moves, func(m seaMove) bool { return m.leg == l })
	}
}

// loadAtOrigin returns the first own load of the container, where nothing says that it came to
// that port by sea; else nil.
func (v *voyage) loadAtOrigin() *entry {
	at := slices.IndexFunc(v.own, (*entry).overWater)
	if at < 0 || !v.own[at].takes() {
		return nil
	}
	first := v.own[at]
	if at == 0 && (v.knownPOL != nil && v.knownPOL != first.site || v.changesShips(first.site)) ||
		slices.ContainsFunc(v.own[:at], func(m *entry) bool { return m.site != first.site && !v.near(m.site, first.site) }) {
		return nil
	}
	return first
}

// dropBeforeFirstLoad undoes the legs before such a load.
func (v *voyage) dropBeforeFirstLoad() {
	first := v.firstLoad
	if first == nil {
		return
	}
	for _, l := range v.legs {
		if compareMoves(l.since, first) < 0 && !slices.ContainsFunc(v.moves, func(m seaMove) bool { return m.leg == l && m.entry == first }) {
			l.undone = true
		}
	}
}

// endWhereItMayChange removes the moves of a ship that the container boarded by inference, after
// a port from which another ship may have taken it on.
func (v *voyage) endWhereItMayChange(l *leg) {
	if l.to != nil || l.ship == nil || v.isNamed(l) {
		return
	}
	var at *call
	for _, m := range v.moves {
		if m.leg == l && m.call != nil && brings(m.entry) && at == nil && v.mayChangeAt(m.call) {
			at = m.call
		}
	}
	if at != nil {
		v.endMovesAt(l, at)
	}
}

// endMovesAt removes the moves of a leg after its ship came to a call.
func (v *voyage) endMovesAt(l *leg, at *call) {
	v.moves = slices.DeleteFunc(v.moves, func(m seaMove) bool {
		return m.leg == l && m.call != nil && (m.call.index > at.index || m.call == at && m.takes())
	})
}

// boardWhereItMayChange removes the moves of a ship before it left the last port of transshipment,
// where the boarding is not reported: the container may have boarded it there.
func (v *voyage) boardWhereItMayChange(l *leg) {
	if l.from != nil && (l.number > 0 || l.loaded || v.statedPOL == nil || l.from == v.statedPOL || v.handledAt(l.from)) || l.ship == nil || l.since.call == nil || l.since.ship != l.ship {
		return
	}
	last := -1
	for _, c := range l.ship.calls[l.since.call.index:] {
		if c.site == l.to || l.ended != nil && c.index >= l.ended.index {
			break
		}
		if v.changesShips(c.site) {
			last = c.index
		}
	}
	v.moves = slices.DeleteFunc(v.moves, func(m seaMove) bool {
		return m.leg == l && len(m.containers) == 0 && m.call != nil && (m.call.index < last || m.call.index == last && !m.takes())
	})
}

// handledAt reports whether an own move on land has the container at a place.
func (v *voyage) handledAt(at *site) bool {
	return slices.ContainsFunc(v.own, func(m *entry) bool { return m.onLand() && m.site == at })
}

// passNoPortOfChange removes the calls of a ship that the container boarded by inference, where it
// came to a port of transshipment at which that ship is not reported, and went on from there: it may
// have come off before each of them.
func (v *voyage) passNoPortOfChange(l *leg) {
	if l.ship == nil || v.isNamed(l) || l.discharged != nil {
		return
	}
	if v.changedUnseen(l) {
		v.moves = slices.DeleteFunc(v.moves, func(m seaMove) bool { return m.leg == l && m.call != nil && m.call != l.begun })
		l.ended = nil
		return
	}
	if l.number+1 >= len(v.legs) {
		return
	}
	next := v.legs[l.number+1]
	if next.undone || next.ship == nil || !slices.ContainsFunc(next.ship.calls, func(c *call) bool {
		return v.changesShips(c.site) && c.site != l.from && c.site != next.to && l.callAt(c.site, nil) == nil
	}) {
		return
	}
	v.moves = slices.DeleteFunc(v.moves, func(m seaMove) bool { return m.leg == l && m.call != nil && m.call != l.begun })
	l.to, l.ended = nil, nil
}

// changedUnseen reports whether the ship of a leg is reported neither where the leg ends nor at a stated
// port of transshipment, at which the ship called that was planned to take the container on.
func (v *voyage) changedUnseen(l *leg) bool {
	if l.to == nil || l.callAt(l.to, nil) != nil {
		return false
	}
	for p := range v.plansOf(v.cs) {
		if p.takes() && p.ship != nil && p.ship.isAnother(l.ship) && p.site != nil && p.site != l.from && p.site != l.to && v.changesShips(p.site) &&
			l.callAt(p.site, nil) == nil && p.ship.calledAt(p.site) {
			return true
		}
	}
	return false
}

// isAnother reports whether two ships are not one: both have an IMO number, or both a name. What
// facts call once by number, once by name or by voyage may be one ship.
func (s *ship) isAnother(o *ship) bool {
	a, b := s.vessel, o.vessel
	return s != o && (a.IMO != "" && b.IMO != "" || a.Name != "" && b.Name != "" && !strings.EqualFold(a.Name, b.Name))
}

// mayChangeAt reports whether another ship called, or is to call, at the port of a call after it.
func (v *voyage) mayChangeAt(c *call) bool {
	for _, s := range v.fleet.ships {
		after := func(o *call) bool { return o.site == c.site && o.left().After(c.came()) }
		if s.isAnother(c.ship) && (slices.ContainsFunc(s.calls, after) || slices.ContainsFunc(s.planned, after)) {
			return true
		}
	}
	return false
}

// isRivalled reports whether another ship than that of the leg may have carried the container.
func (v *voyage) isRivalled(l *leg) bool {
	if i := slices.IndexFunc(v.moves, func(m seaMove) bool { return m.leg == l && m.isLoadOf(v.cs) }); i >= 0 && v.moves[i].ship == nil {
		return v.mayBeLoadedOnAnother(l, v.moves[i].entry)
	}
	return !v.isNamed(l) && v.mayBeByAnother(l) || v.isSupposed(l) && (v.meetsAnother(l) || v.boardsUnknown(l)) || v.isRelayed(l)
}

// isSupposed reports whether neither a load nor a fact that names the ship shows the container aboard, or only
// where it came off, while nothing says where it boarded.
func (v *voyage) isSupposed(l *leg) bool {
	return !l.loaded && (l.from == nil || !v.isNamed(l))
}

// meetsAnother reports whether another ship, which did not carry the container on a leg that is reported,
// called where the leg begins, or where nothing says that, before it ends. A container's own plan for
// the ship decides, and the load of a sibling says nothing.
func (v *voyage) meetsAnother(l *leg) bool {
	if p := v.plan(l.from, nil); l.from != nil && p != nil && len(p.containers) > 0 && p.ship == l.ship {
		return false
	}
	for _, s := range v.fleet.ships {
		if s != l.ship && !v.isCarrier(s) && slices.ContainsFunc(s.calls, func(c *call) bool {
			return l.from != nil && c.site == l.from && !v.takesSibling(c) || l.from == nil && c.site != l.to && l.callAt(c.site, nil) != nil
		}) {
			return true
		}
	}
	return l.from != nil && v.sharesPlans(l.from, l.ship)
}

// boardsUnknown reports whether nothing says where the container boarded the ship of its first leg: another one
// called at the first port of the shipment, or was planned there, or this one called elsewhere
// after the container was picked up empty.
func (v *voyage) boardsUnknown(l *leg) bool {
	if l.from != nil || l.number > 0 {
		return false
	}
	comesTo := func(s *ship, at *site) bool {
		is := func(c *call) bool { return c.site == at }
		return slices.ContainsFunc(s.calls, is) || slices.ContainsFunc(s.planned, is)
	}
	if v.plannedPOL != nil && !comesTo(l.ship, v.plannedPOL) {
		for _, s := range v.fleet.ships {
			if s != l.ship && comesTo(s, v.plannedPOL) {
				return true
			}
		}
	}
	if v.plannedPOL != nil || len(v.own) == 0 {
		return false
	}
	first := v.own[0]
	return first.Activity == freight.GateOut && !comesTo(l.ship, first.site) && slices.ContainsFunc(l.ship.calls, func(c *call) bool {
		return c.came().After(first.at.Time) && c.first.at.Compare(l.until.at) < 0 && c.site != l.to && !v.changesShips(c.site)
	})
}

// isRelayed reports whether neither the end of the leg before, nor the load of this one, is reported, and a
// third ship may have taken the container from the one to the other.
func (v *voyage) isRelayed(l *leg) bool {
	if l.number == 0 || l.loaded || l.ended == nil || l.from == nil || v.planned(l.ship, l.from) {
		return false
	}
	before := v.legs[l.number-1]
	if before.undone || before.ship == nil || before.discharged != nil || before.to != l.from {
		return false
	}
	for _, s := range v.fleet.ships {
		if s.isAnother(l.ship) && s.isAnother(before.ship) && !v.isCarrier(s) && slices.ContainsFunc(l.ship.calls[:l.ended.index], func(c *call) bool {
			return slices.ContainsFunc(s.calls, func(o *call) bool {
				return o.site == c.site && o.came().Before(c.left()) && changeOf(before.ship, before.begun, s, o) != nil
			})
		}) {
			return true
		}
	}
	return false
}

// takesSibling reports whether the ship loads another container in the call.
func (v *voyage) takesSibling(c *call) bool {
	return slices.ContainsFunc(v.containers, func(cs *containerState) bool {
		return cs != v.cs && slices.ContainsFunc(cs.own, func(e *entry) bool { return e.call == c && e.classifier == freight.Actual && e.takes() })
	})
}

// endWhereAnotherCalled removes the moves of a ship that the container is supposed aboard, after a port on the
// way at which another one called later.
func (v *voyage) endWhereAnotherCalled(l *leg) {
	if l.ship == nil || l.from == nil || !v.isSupposed(l) {
		return
	}
	var at *call
	for _, m := range v.moves {
		if m.leg == l && m.call != nil && m.call.ship == l.ship && m.site != l.from && m.site != l.to && at == nil && v.anotherCalledAfter(m.call) {
			at = m.call
		}
	}
	if at != nil {
		v.endMovesAt(l, at)
	}
}

// arriveOnlyOnOne removes the arrival of a ship where the container left the sea, where neither a discharge nor a
// plan says that it brought the container: another one came there, too, after both had called at another port.
func (v *voyage) arriveOnlyOnOne(l *leg) {
	if l.number+1 < len(v.legs) || l.ship == nil || l.to == nil || l.discharged != nil || l.to != v.statedPOD && !v.handledAt(l.to) || v.isNamedAt(l, l.to) || v.isPlannedTo(l) {
		return
	}
	for _, s := range v.fleet.ships {
		if s.isAnother(l.ship) && !v.isCarrier(s) && slices.ContainsFunc(s.calls, func(c *call) bool {
			return c.site == l.to && changeOf(l.ship, l.begun, s, c) != nil
		}) {
			v.moves = slices.DeleteFunc(v.moves, func(m seaMove) bool { return m.leg == l && brings(m.entry) && m.site == l.to })
			return
		}
	}
}

// endWhereDue removes the moves of a ship after it was due where a leg ends, by a plan, when it called elsewhere
// after that and is reported there only later: the container may have come off before.
func (v *voyage) endWhereDue(l *leg) {
	if l.ship == nil || l.to == nil || l.ended == nil || l.discharged != nil {
		return
	}
	var due *entry
	for p := range v.plansOf(v.cs) {
		if brings(p) && p.ship == l.ship && p.site == l.to && !p.at.IsZero() && (due == nil || later(p, due) > 0) {
			due = p
		}
	}
	if due == nil {
		return
	}
	past := func(m seaMove) bool {
		return m.leg == l && len(m.containers) == 0 && m.call != nil && m.call != l.begun && m.at.Time.Sub(due.at.Time) >= 24*time.Hour
	}
	if slices.ContainsFunc(v.moves, func(m seaMove) bool { return past(m) && m.site != l.to }) {
		v.moves = slices.DeleteFunc(v.moves, past)
	}
}

// isNamedAt reports whether a fact about the container has it on the ship of a leg at a port.
func (v *voyage) isNamedAt(l *leg, at *site) bool {
	return slices.ContainsFunc(v.moves, func(m seaMove) bool { return m.leg == l && m.site == at && len(m.containers) > 0 })
}

// isPlannedTo reports whether a plan has the ship of a leg bring the container to where it ends.
func (v *voyage) isPlannedTo(l *leg) bool {
	for p := range v.plansOf(v.cs) {
		if brings(p) && p.ship == l.ship && p.site == l.to {
			return true
		}
	}
	return false
}

// anotherCalledAfter reports whether another ship, which did not carry the container on a leg that is
// reported, left the port of a call after its ship came.
func (v *voyage) anotherCalledAfter(c *call) bool {
	for _, s := range v.fleet.ships {
		if s != c.ship && !v.isCarrier(s) && slices.ContainsFunc(s.calls, func(o *call) bool { return o.site == c.site && o.left().After(c.came()) }) {
			return true
		}
	}
	return false
}

// isCarrier reports whether the container's load on the ship, or its discharge from it, is reported.
func (v *voyage) isCarrier(s *ship) bool {
	return slices.ContainsFunc(v.legs, func(l *leg) bool { return l.ship == s && (l.loaded || l.discharged != nil) })
}

// isLoadOf reports whether the move is a load that names the container.
func (e *entry) isLoadOf(cs *containerState) bool {
	return e.Activity == freight.Loading && slices.Contains(e.containers, cs.number)
}

// mayBeLoadedOnAnother reports whether another ship than that of the leg lay where a load names no
// ship, or was planned to take the container from there, and neither the plan nor the ship that it
// comes off decides.
func (v *voyage) mayBeLoadedOnAnother(l *leg, load *entry) bool {
	if v.isPlannedOnly(l, load.site) || v.isNamed(l) && l.ship.layAt(nil, load) {
		return false
	}
	for _, s := range v.fleet.ships {
		if s.isAnother(l.ship) && !v.cameBy(s, load.site, l) && (s.layAt(nil, load) || v.planned(s, load.site) || v.comesAsWell(s, l, load)) {
			return true
		}
	}
	return false
}

// cameBy reports whether a ship brought the container to a port before a leg.
func (v *voyage) cameBy(s *ship, at *site, before *leg) bool {
	return slices.ContainsFunc(v.legs[:before.number], func(b *leg) bool { return b.ship == s && b.to == at })
}

// isPlannedOnly reports whether the container's plan for a port has the ship of the leg: its own plan, or
// that of a shipment of one container, which no newer one replaced.
func (v *voyage) isPlannedOnly(l *leg, at *site) bool {
	p := v.plan(at, nil)
	if p != nil && len(p.containers) > 0 {
		return !p.ship.isAnother(l.ship)
	}
	var left *entry
	if l.begun != nil {
		left = l.begun.told
	}
	return len(v.containers) == 1 && v.planned(l.ship, at) && !v.replaced(l.ship, at, nil) && !v.replacedFrom(l.ship, left)
}

// isNamed reports whether a fact about the container names the ship of the leg.
func (v *voyage) isNamed(l *leg) bool {
	return slices.ContainsFunc(v.moves, func(m seaMove) bool { return m.leg == l && len(m.containers) > 0 && m.ship == l.ship })
}

// mayBeByAnother reports whether another ship left the port where the container stood after it
// came there, and came to where the leg ends before the container's next own move. Where the
// container's own plan for that port has the ship of the leg, it did not.
func (v *voyage) mayBeByAnother(l *leg) bool {
	from, since, after := v.aroundLeg(l)
	if from == nil {
		return l.number == 0 && after != nil && !after.overWater() && v.firstPlan(l.ship, nil) == nil && v.cameOnAnother(l, after)
	}
	if after == nil {
		return v.sharesPlans(from, l.ship) || v.leftWithSibling(from, since, l)
	}
	to, p := cmp.Or(l.to, after.site), v.plan(from, nil)
	switch {
	case to == nil || to == from, p != nil && len(p.containers) > 0 && !p.ship.isAnother(l.ship):
		return false
	case p != nil && p.ship.isAnother(l.ship) && (len(p.containers) > 0 || v.replaced(l.ship, from, nil)):
		return true
	case v.replacedTo(to, l.ship, since, after):
		v.miss(l.ship)
		return true
	case p == nil && v.mayComeUnseenBy(from, since, to, after, l.ship):
		return true
	}
	for _, s := range v.fleet.ships {
		if s.isAnother(l.ship) && !v.cameBy(s, from, l) && !(after.takes() && s == after.ship) && s.mayCarry(from, since, to, after) {
			return true
		}
	}
	return false
}

// cameOnAnother reports whether another ship than that of the leg came to where the container leaves
// by land.
func (v *voyage) cameOnAnother(l *leg, after *entry) bool {
	for _, s := range v.fleet.ships {
		if s.isAnother(l.ship) && s.cameBetween(cmp.Or(l.to, after.site), nil, after) {
			return true
		}
	}
	return false
}

// leftWithSibling reports whether another ship than that of the leg left the port where the
// container stood before that one did, and may have taken it as well as another container: no plan
// of its own says which.
func (v *voyage) leftWithSibling(from *site, since *entry, l *leg) bool {
	if p := v.plan(from, nil); len(v.containers) < 2 || since == nil || p != nil && len(p.containers) > 0 {
		return false
	}
	for _, s := range v.fleet.ships {
		if s.isAnother(l.ship) && slices.ContainsFunc(s.calls, func(c *call) bool {
			return c.site == from && c.sailed != nil && c.left().After(since.at.Time) && c.left().Before(l.since.at.Time)
		}) {
			return true
		}
	}
	return false
}

// replacedTo reports whether another ship than s was planned later to bring the shipment to a
// port, and called there between two moves.
func (v *voyage) replacedTo(to *site, s *ship, since, before *entry) bool {
	_, first := v.firstToBring()
	replaced := false
	for o, p := range first {
		if p.site == to && o.isAnother(s) && first[s] != nil && first[s].site == to && later(p, first[s]) > 0 && v.isReplan(first[s], p) && o.cameBetween(to, since, before) {
			replaced = true
			delete(v.missed, o)
		}
	}
	return replaced
}

// cameBetween reports whether the ship came to a port between two moves.
func (s *ship) cameBetween(at *site, since, before *entry) bool {
	return slices.ContainsFunc(s.calls, func(c *call) bool {
		return c.site == at && c.first.at.Compare(before.at) <= 0 && (since == nil || c.came().After(since.at.Time))
	})
}

// mayComeUnseenBy reports whether another ship than s, of which no call is reported at the port
// where the container stood, came to where it goes on from and may have called there before.
func (v *voyage) mayComeUnseenBy(from *site, since *entry, to *site, after *entry, s *ship) bool {
	if since == nil || after.overWater() && !after.takes() {
		return false
	}
	for _, o := range v.fleet.ships {
		if o.isAnother(s) && o != after.ship && !o.calledAt(from) && o.cameBetween(to, since, after) && !slices.ContainsFunc(v.legs, func(b *leg) bool { return !b.undone && b.ship == o }) {
			return true
		}
	}
	return false
}

// sharesPlans reports whether another ship than s was planned to take the shipment from a port,
// too, and the plans do not say which takes which of its containers.
func (v *voyage) sharesPlans(from *site, s *ship) bool {
	if len(v.containers) < 2 {
		return false
	}
	for p := range v.plansFrom(from) {
		if len(p.containers) == 0 && p.ship.isAnother(s) {
			return true
		}
	}
	return false
}

// aroundLeg returns the port where the container stood before a leg, the move that brought it
// there, and its own move that ends the leg; nil where not known.
func (v *voyage) aroundLeg(l *leg) (from *site, since, after *entry) {
	for _, m := range v.own {
		if compareMoves(m, l.since) < 0 {
			from, since = m.site, m
		} else if m.overWater() || m.takenInland() {
			after = m
			break
		}
	}
	for _, before := range v.legs[:l.number] {
		if !before.undone && before.to != nil && (since == nil || compareMoves(since, before.until) <= 0) {
			from, since = before.to, before.until
		}
	}
	return from, since, after
}

// mayCarry reports whether the ship left a port after a move, and came or was to come to another
// one before the next move.
func (s *ship) mayCarry(from *site, since *entry, to *site, after *entry) bool {
	for _, c := range s.calls {
		if c.site != from || !c.left().After(since.at.Time) || !c.left().Before(after.at.Time) {
			continue
		}
		comes := func(n *call) bool {
			return n.site == to && n.first.at.Compare(after.at) <= 0 && n.last.at.Time.After(c.left())
		}
		if slices.ContainsFunc(s.calls[c.index+1:], comes) || slices.ContainsFunc(s.planned, comes) || s.mayGoThere(c, after) {
			return true
		}
	}
	return false
}
