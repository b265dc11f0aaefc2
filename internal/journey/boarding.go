package journey

import (
	"cmp"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// A container without a reported load counts as aboard a ship of its shipment only while
// nothing contradicts it. Where other moves of it are reported, such as its way to the
// port, the missing load contradicts every ship that was not planned to take it.

// boards decides for a departure of the whole shipment whether a container, ashore by its
// own facts, left with the ship.
func (v *voyage) boards(e *entry) bool {
	if (v.inland || v.hasLanded(e.site)) && !v.planned(e.ship, e.site) || v.returnedEmpty() || v.leavesEarly(e) || v.beforeLading(e) || v.boardsElsewhere(e) || v.calledForLater(e) || v.mayLeaveBefore(e) || v.cameUnseenTo(e) || v.landedJustBefore(e) || v.broughtByNobody(e) || v.waitsForAnother(e) {
		return false
	}
	if at := v.waitingAt(); at != e.site && v.replacedWhere(e, at) {
		return false
	}
	if v.standsElsewhere(e) {
		at, _ := v.standsAt()
		return v.comesOff(e) && v.planned(e.ship, at) && !v.isEarly(e, at) && !e.ship.callsLater(at, e.call)
	}
	switch v.proof(e) {
	case provenAboard:
		return !v.mayBoardLater(e, e.site) && !v.mayBoardAnywhere(e)
	case provenAshore:
		return false
	}
	planned := v.planned(e.ship, e.site) && !v.isOutEmpty() && !v.replacedAhead(e)
	return (planned || v.isExpected(e) && !(v.isPlannedForAnother(e.ship, e.site) && v.firstPlan(e.ship, nil) != nil)) && !v.mayBeForSibling(e) && !v.leftBehind(e) && !v.mayBoardLater(e, e.site)
}

// waitsForAnother reports whether the container's own plan has another ship take it from the POL, and that of
// e, which it does not come off, leaves another port.
func (v *voyage) waitsForAnother(e *entry) bool {
	return len(v.legs) == 0 && v.plannedPOL != nil && e.site != v.plannedPOL && v.isPlannedForAnother(e.ship, v.plannedPOL) && !v.comesOff(e)
}

// replacedWhere reports whether the ship of e was planned to take the container from the port where
// it waits, and another ship was planned there later: it does not board at a later port either,
// unless it comes off that ship.
func (v *voyage) replacedWhere(e *entry, at *site) bool {
	return at != nil && e.ship != nil && v.planned(e.ship, at) && v.replaced(e.ship, at, nil) && !v.comesOff(e)
}

// isExpected reports whether a container of which no move is reported may be aboard the ship
// of e: the ship was planned for the shipment, or was at the stated POL. Where none was planned, no
// other container may be reported on land before either. Otherwise only the first reported port may be the POL, while the ship is reported to have left no other; it must be
// reported at another port, unless no container is known.
func (v *voyage) isExpected(e *entry) bool {
	switch {
	case len(v.own) > 0, v.siblingsWait(e), v.missedFirst(e):
		return false
	case e.call == nil:
		return true
	case v.firstPlan(e.ship, nil) != nil:
		return !v.mayBeSecond(e)
	case v.siblingOnLand(e):
		return false
	case v.statedPOL != nil:
		return e.ship.calledAt(v.statedPOL)
	}
	for _, s := range v.fleet.ships {
		if slices.ContainsFunc(s.calls, func(c *call) bool {
			return c.site != e.site && (s == e.ship && c.sailed != nil || c.first.at.Compare(e.at) < 0)
		}) {
			return false
		}
	}
	return v.cs.number == "" || slices.ContainsFunc(e.ship.calls, func(c *call) bool { return c.site != e.site })
}

// mayBeSecond reports whether no plan has the ship of e take the container, and another ship sailed from
// another port before: the container may be aboard that one, and board this one later.
func (v *voyage) mayBeSecond(e *entry) bool {
	for p := range v.plansOf(v.cs) {
		if p.ship == e.ship && p.takes() {
			return false
		}
	}
	for _, s := range v.fleet.ships {
		if v.statedPOL == nil && s != e.ship && slices.ContainsFunc(s.calls, func(c *call) bool {
			return c.site != e.site && c.sailed != nil && c.sailed.at.Compare(e.at) < 0
		}) {
			return true
		}
	}
	return false
}

// siblingOnLand reports whether a container of the shipment is reported on land before a move of a
// ship: the silence about this one says something.
func (d *derivation) siblingOnLand(e *entry) bool {
	return d.firstOnLand != nil && d.firstOnLand.at.Compare(e.at) < 0
}

// findFirstOnLand finds the first actual move on land of any container.
func (d *derivation) findFirstOnLand() {
	for _, cs := range d.containers {
		for _, m := range cs.own {
			if m.classifier == freight.Actual && m.onLand() && !m.at.IsZero() && (d.firstOnLand == nil || compareMoves(m, d.firstOnLand) < 0) {
				d.firstOnLand = m
			}
		}
	}
}

// missedFirst reports whether a ship left the POL without the container, and the ship of e is at
// another port, which it may have reached with a sibling alone.
func (v *voyage) missedFirst(e *entry) bool {
	return len(v.missed) > 0 && len(v.legs) == 0 && v.plannedPOL != nil && e.site != v.plannedPOL
}

// siblingsWait reports whether other containers of the shipment are reported on land before their
// voyage when the ship leaves or comes, and none is reported otherwise.
func (d *derivation) siblingsWait(e *entry) bool {
	waits, known := d.waiting[e]
	if known {
		return waits
	}
	for _, cs := range d.containers {
		if last, next := cs.around(e); last != nil || next != nil {
			if waits = d.isBeforeVoyage(last, next, e.site); !waits {
				break
			}
		}
	}
	if d.waiting == nil {
		d.waiting = map[*entry]bool{}
	}
	d.waiting[e] = waits
	return waits
}

// around returns the last actual move of the container before another one, and the next.
func (cs *containerState) around(e *entry) (last, next *entry) {
	for _, m := range cs.own {
		switch {
		case m.classifier != freight.Actual || m.at.IsZero() || !m.onLand() && !m.overWater():
		case compareMoves(m, e) <= 0 && (last == nil || compareMoves(m, last) > 0):
			last = m
		case compareMoves(m, e) > 0 && (next == nil || compareMoves(m, next) < 0):
			next = m
		}
	}
	return last, next
}

// isBeforeVoyage reports whether a container between two moves is still to be loaded: it is brought
// to the port only after, is out empty, or stands at another port than the given one.
func (d *derivation) isBeforeVoyage(last, next *entry, at *site) bool {
	if next != nil && (next.Activity == freight.GateOut && next.LoadStatus == freight.Empty || next.Activity == freight.GateIn && next.LoadStatus == freight.Laden && next.site == at) {
		return true
	}
	return last != nil && (last.Activity == freight.GateOut && last.LoadStatus == freight.Empty ||
		last.Activity == freight.GateIn && last.LoadStatus == freight.Laden && next == nil && last.site != at && !d.near(last.site, at))
}

// mayBoardAnywhere reports whether nothing says at which port the container boarded its first
// ship: nothing is reported of it before it comes off or leaves a port by land, no plan and no
// statement has its POL, and the ship has called at more than one port before, or is not reported where
// others were brought to the quay or picked up empty.
func (v *voyage) mayBoardAnywhere(e *entry) bool {
	if len(v.legs) > 0 || v.next > 0 || v.statedPOL != nil || e.call == nil || v.firstPlan(e.ship, nil) != nil {
		return false
	}
	m := v.nextOff()
	switch {
	case m != nil && m.call != nil:
		return m.ship == e.ship && (v.quay != nil && e.site != v.quay && !e.ship.calledAt(v.quay) || v.pickedUpElsewhere(e) ||
			slices.ContainsFunc(e.ship.calls[:m.call.index], func(c *call) bool { return c.site != e.site }))
	case m == nil && len(v.own) > 0 && v.own[0].takenInland():
		m = v.own[0]
	}
	return m != nil && m.site != e.site && slices.ContainsFunc(e.ship.calls, func(c *call) bool {
		return c.site != e.site && c.site != m.site && c.first.at.Compare(m.at) < 0 && !slices.ContainsFunc(e.ship.calls[:c.index], func(b *call) bool { return b.site == m.site })
	})
}

// pickedUpElsewhere reports whether a container of the shipment was picked up empty, before the ship
// of e left, at a place that is not near and where this ship is not reported.
func (v *voyage) pickedUpElsewhere(e *entry) bool {
	return slices.ContainsFunc(v.containers, func(o *containerState) bool {
		return slices.ContainsFunc(o.own, func(m *entry) bool {
			return m.classifier == freight.Actual && m.Activity == freight.GateOut && m.LoadStatus == freight.Empty && m.at.Compare(e.at) < 0 &&
				m.site != nil && m.site != e.site && !v.near(m.site, e.site) && !e.ship.calledAt(m.site)
		})
	})
}

// mayBeForSibling reports whether the shipment was planned again for the ship of e, and the ship
// that was planned before has sailed from the port, too: only one of its containers may have
// been left for this one.
func (v *voyage) mayBeForSibling(e *entry) bool {
	return v.formerShip(e, e.site, func(*ship) bool { return true })
}

// mayComeByFormer reports whether that former ship may have brought the container to its next
// move.
func (v *voyage) mayComeByFormer(e, m *entry) bool {
	return v.formerShip(e, v.boardingPort(e), func(s *ship) bool { return s.calledBefore(m) })
}

// mayComeOffFormer reports whether the container may come off that former ship: it lay there then.
func (v *voyage) mayComeOffFormer(e, m *entry) bool {
	return v.formerShip(e, v.boardingPort(e), func(s *ship) bool { return s.layAt(nil, m) })
}

// boardingPort returns the port at which the container would board the ship of e: where it stands, else
// the POL for one that comes, else that of e.
func (v *voyage) boardingPort(e *entry) *site {
	at, _ := v.standsAt()
	if at == nil && brings(e) && len(v.legs) == 0 {
		at = v.plannedPOL
	}
	return cmp.Or(at, e.site)
}

// formerShip reports whether the shipment was planned from a port for another ship than that of
// e before, which has sailed from there and fits.
func (v *voyage) formerShip(e *entry, at *site, fits func(*ship) bool) bool {
	p := v.plan(at, e.ship)
	if e.ship == nil || p == nil || len(p.containers) > 0 || len(v.containers) < 2 {
		return false
	}
	first := v.firstPlan(e.ship, at)
	for o := range v.plansFrom(at) {
		if o.ship != e.ship && later(v.firstPlan(o.ship, at), first) < 0 && o.ship.hasSailed(at, e) && fits(o.ship) {
			return true
		}
	}
	return false
}

// calledBefore reports whether the ship called at the port of a move, and not after it.
func (s *ship) calledBefore(m *entry) bool {
	return slices.ContainsFunc(s.calls, func(c *call) bool { return c.site == m.site && c.first.at.Compare(m.at) <= 0 })
}

// mayLeaveBefore reports whether the departure e may have been before the discharge of the
// container: both are known only to the same day, and no move shows the container coming
// off the ship of e.
func (v *voyage) mayLeaveBefore(e *entry) bool {
	at, since := v.standsAt()
	return at == e.site && since != nil && since.Activity == freight.Discharge && e.at.Day && e.at.Compare(since.at) == 0 && !v.comesOff(e)
}

// landedJustBefore reports whether the ship of e last left the port where the container stands so
// soon after its discharge there, or on that day, that it hardly took the container: it may have called again.
func (v *voyage) landedJustBefore(e *entry) bool {
	at, since := v.standsAt()
	if at == nil || since.Activity != freight.Discharge || e.call == nil {
		return false
	}
	landed := since.at.Time
	if since.at.Day {
		if v.comesOff(e) {
			return false
		}
		landed = landed.Add(24 * time.Hour) // at the latest
	}
	var last *call
	for _, c := range e.ship.calls[:e.call.index+1] {
		if c.site == at && c.sailed != nil && (c.left().After(since.at.Time) || c.sailed.at.Day && since.at.Time.Sub(c.left()) < 24*time.Hour) {
			last = c
		}
	}
	switch {
	case last == nil:
		return false
	case last.sailed.at.Day:
		off := v.nextOff()
		return !since.at.Day && !last.left().After(landed) && off != nil && off.ship == e.ship && e.ship.mayGoThere(last, off)
	}
	return last.left().Sub(landed) < shortestConnection
}

// shortestConnection is the shortest usual time between the discharge of a container and its
// departure with the next ship.
const shortestConnection = 12 * time.Hour

// mayBoardLater reports whether the container may board the ship of e in a later call at a
// port: the ship calls there before the container's next move over water, if one is reported, and was
// not planned to load it earlier.
func (v *voyage) mayBoardLater(e *entry, at *site) bool {
	if e.call == nil || at == nil {
		return false
	}
	var m *entry
	if v.next < len(v.own) {
		m = cmp.Or(v.nextAtSea(), v.own[v.next])
	}
	if p := v.plan(at, e.ship); p != nil && !p.at.IsZero() && e.at.Time.Sub(p.at.Time).Abs() <= planSlack {
		return false
	}
	return slices.ContainsFunc(e.ship.calls[e.call.index+1:], func(c *call) bool {
		return c.site == at && (m == nil || c.first.at.Compare(m.at) < 0)
	})
}

// replacedAhead reports whether the plan of the rest of the voyage changed after the ship
// of e was planned: another ship is now to bring the shipment to a port. The change counts
// when it was reported before this ship left, because ships are also replaced while the
// container is aboard another; or when this ship was to bring the shipment to the stated
// POD.
func (v *voyage) replacedAhead(e *entry) bool { return v.replacedFrom(e.ship, e.departureTold()) }

// replacedSince is replacedAhead for an arrival before the stated POD, where the ship has left
// the port where the container stands.
func (v *voyage) replacedSince(e *entry) bool {
	at, _ := v.standsAt()
	if at == nil || at == e.site || e.site == v.statedPOD || e.ship == nil {
		return false
	}
	c := e.ship.lastSailing(at, e)
	return c != nil && v.replacedFrom(e.ship, c.told)
}

// replacedFrom is replacedAhead for a ship; left is the report of its departure, nil for none.
func (v *voyage) replacedFrom(ship *ship, left *entry) bool {
	this := v.firstPlan(ship, nil)
	bySite, byShip := v.firstToBring()
	for p := range v.plansOf(v.cs) {
		if this == nil || !brings(p) || p.ship == nil || p.ship == ship || p.site == nil || p.ship == bySite[p.site].ship || v.leavesBefore(p) {
			continue
		}
		if p.site == v.statedPOD && bySite[p.site].ship == ship {
			return true
		}
		if said := byShip[p.ship]; left != nil && later(said, left) < 0 && v.isReplan(this, said) {
			return true
		}
	}
	return false
}

// leavesBefore reports whether the container leaves the port of a plan by land before that.
func (v *voyage) leavesBefore(p *entry) bool {
	return slices.ContainsFunc(v.own[v.next:], func(m *entry) bool {
		return m.site == p.site && m.takenInland() && m.at.Compare(p.at) < 0
	})
}

// plansApart is longer than the time in which a line reports all legs of one plan.
const plansApart = 24 * time.Hour

// isReplan reports whether plan b was reported later than plan a, and not as a part of the same one:
// where the times of recording do not tell, something happened between the two reports.
func (d *derivation) isReplan(a, b *entry) bool {
	if !a.RecordedAt.Equal(b.RecordedAt) {
		return b.RecordedAt.Sub(a.RecordedAt) > plansApart
	}
	return slices.ContainsFunc(d.valid, func(m *entry) bool {
		return m.classifier == freight.Actual && m.IsMove() && later(m, a) > 0 && later(m, b) < 0
	})
}

// firstToBring returns the first plans to bring the container to a port, by port and by
// ship.
func (v *voyage) firstToBring() (map[*site]*entry, map[*ship]*entry) {
	bySite, byShip := map[*site]*entry{}, map[*ship]*entry{}
	for last := range v.plansOf(v.cs) {
		for _, p := range append(last.past[:len(last.past):len(last.past)], last) {
			if brings(p) && p.ship != nil && p.site != nil {
				bySite[p.site], byShip[p.ship] = firstRecorded(bySite[p.site], p), firstRecorded(byShip[p.ship], p)
			}
		}
	}
	return bySite, byShip
}

// firstRecorded returns the entry that was recorded first. a may be nil.
func firstRecorded(a, b *entry) *entry {
	if a == nil || later(b, a) < 0 {
		return b
	}
	return a
}

// isOutEmpty reports whether the container was picked up empty and is not reported laden
// since.
func (v *voyage) isOutEmpty() bool {
	return v.ashore != nil && v.ashore.Activity == freight.GateOut && v.ashore.LoadStatus == freight.Empty
}

// leftBehind reports whether something contradicts that the container left with the ship of
// e. If nothing does, the container may be aboard.
func (v *voyage) leftBehind(e *entry) bool {
	return v.cancelled || v.plannedElsewhere(e) || v.leftBySiblings(e) || v.proof(e) == provenAshore
}

// comesOff reports whether the container's next own move over water is an arrival or a
// discharge with the ship of e.
func (v *voyage) comesOff(e *entry) bool {
	m := v.nextOff()
	return m != nil && m.ship != nil && m.ship == e.ship
}

// nextOff returns the container's next own move over water, if it is an arrival or a discharge:
// the first report of it that names a ship, where one does. Nil otherwise.
func (v *voyage) nextOff() (first *entry) {
	for _, m := range v.own[v.next:] {
		switch {
		case !m.overWater():
		case !brings(m) || first != nil && m.site != first.site:
			return first
		case m.ship != nil:
			return m
		case first == nil:
			first = m
		}
	}
	return first
}

// staysAboard reports whether the container's next own move over water is a discharge
// without a ship at a later port of the ship of e, where this ship, and no other, lay at
// that time.
func (v *voyage) staysAboard(e *entry) bool {
	m := v.nextAtSea()
	if m == nil || m.Activity != freight.Discharge || m.ship != nil || m.site == e.site {
		return false
	}
	for _, s := range v.fleet.ships {
		if s != e.ship && s.layAt(nil, m) {
			return false
		}
	}
	return e.ship.layAt(e.call, m)
}

// layAt reports whether the ship may have been at the port of the move at its time, in a
// call after the given one. A nil call means any.
func (s *ship) layAt(after *call, m *entry) bool {
	return slices.ContainsFunc(s.calls, func(c *call) bool {
		return c.site == m.site && (after == nil || c.index > after.index) && s.layThere(c, m)
	})
}

// nextAtSea returns the container's next own move over water, or nil.
func (v *voyage) nextAtSea() *entry {
	for _, m := range v.own[v.next:] {
		if m.overWater() {
			return m
		}
	}
	return nil
}

// landsAt reports whether the ship that leaves a port by e put the container ashore there
// without a report of it, because the container was to change ships there or to leave the
// sea.
func (v *voyage) landsAt(l *leg, e *entry) bool {
	if e.site == nil || e.site == l.from || v.comesOff(e) || v.staysAboard(e) || v.carriedPast(l, e) || v.goesOnFrom(e) || v.comesBack(l, e) {
		return false
	}
	if due := v.landing(v.cs, l.ship); due != nil {
		return due == e.site
	}
	if m := v.nextAtSea(); m != nil && m.takes() && m.site == e.site && m.ship != l.ship && !e.ship.calledAfter(m.site, e.call) {
		return true
	}
	if role := e.site.statedRole(); role == freight.RolePOD && v.comesOffAtAnother(e.site) {
		return false
	} else if role != "" && role != freight.RolePOL {
		return true
	}
	for p := range v.plansOf(v.cs) {
		if p.site != e.site || p.ship == nil {
			continue
		}
		if p.takes() && p.ship != l.ship {
			return true
		}
	}
	return v.isBroughtOnFrom(l, e.site) || len(v.own) == 0 && e.site == v.plannedPort(v.cs)
}

// comesOffAtAnother reports whether the container's next own move over water is a discharge from a sea-going
// ship at another port.
func (v *voyage) comesOffAtAnother(s *site) bool {
	m := v.nextAtSea()
	return m != nil && m.Activity == freight.Discharge && m.by != freight.ByBarge && m.site != s
}

// isBroughtOnFrom reports whether the last plan for the ship of a leg is to come to a port, and plans have
// other ships bring the container to ports after that.
func (v *voyage) isBroughtOnFrom(l *leg, at *site) bool {
	var last, on *entry
	for p := range v.plansOf(v.cs) {
		switch {
		case !p.overWater() || p.ship == nil || p.at.IsZero():
		case p.ship == l.ship && (last == nil || compareMoves(p, last) > 0):
			last = p
		case p.ship != l.ship && brings(p) && (on == nil || compareMoves(p, on) > 0):
			on = p
		}
	}
	return last != nil && on != nil && brings(last) && last.site == at && on.site != at && compareMoves(on, last) > 0
}

// carriedPast reports whether the ship carried the container past the port of e: after it had
// come there another ship was planned to bring a container there later, and every other
// container was discharged here.
func (v *voyage) carriedPast(l *leg, e *entry) bool {
	this := v.firstPlan(l.ship, nil)
	if this == nil || e.call == nil {
		return false
	}
	came := e.call.came()
	for p := range v.plansOf(v.cs) {
		if e.call.first.Activity == freight.Departure && p.ship == l.ship && p.site == e.site && brings(p) && !p.at.IsZero() && p.at.Time.Before(came) {
			came = p.at.Time // nobody reports the arrival
		}
	}
	for q := range v.plansOf(v.cs) {
		if !brings(q) || q.ship == nil || q.ship == l.ship || q.site != e.site || q.at.IsZero() || q.at.Compare(e.at) <= 0 || v.planned(q.ship, l.from) {
			continue
		}
		if first := v.firstPlan(q.ship, nil); later(first, this) > 0 && !first.RecordedAt.Before(came) && !v.isForSibling(q.ship) {
			return !slices.ContainsFunc(v.containers, func(cs *containerState) bool { return cs != v.cs && !cs.cameOffAt(e.site, l.since) })
		}
	}
	return false
}

// isForSibling reports whether facts that name containers have the ship for others, and not for this
// one.
func (v *voyage) isForSibling(s *ship) bool {
	names := func(cs *containerState) bool {
		return slices.ContainsFunc(cs.own, func(p *entry) bool { return p.ship == s })
	}
	return !names(v.cs) && slices.ContainsFunc(v.containers, names)
}

// cameOffAt reports whether the container was put ashore, or left by land, at a port first
// after the move, by its own moves.
func (cs *containerState) cameOffAt(at *site, after *entry) bool {
	var first *entry
	for _, m := range cs.own {
		if m.classifier == freight.Actual && m.at.Compare(after.at) > 0 && (m.Activity == freight.Discharge || m.takenInland()) && (first == nil || compareMoves(m, first) < 0) {
			first = m
		}
	}
	return first != nil && first.site == at
}

// comesOffElsewhere reports whether the ship is to discharge the container at another port.
func (d *derivation) comesOffElsewhere(cs *containerState, s *ship, at *site) bool {
	due := d.landing(cs, s)
	return due != nil && due != at
}

// landing returns the port where a ship is to discharge the container by its own latest plan; where a
// plan of the shipment has diverted the ship since, and it called there first, that port. A plan that is
// another container's own diverts that one alone. Nil for none.
func (d *derivation) landing(cs *containerState, s *ship) *site {
	var last *entry
	for _, p := range cs.own {
		if p.classifier != freight.Actual && p.Activity == freight.Discharge && s != nil && p.ship == s && p.site != nil && (last == nil || later(p, last) > 0) {
			last = p
		}
	}
	if last == nil {
		return nil
	}
	due := last.site
	for _, p := range d.plans {
		if brings(p) && p.ship == s && p.site != nil && p.site != last.site && s.callsFirst(p.site, last.site) && d.isReplan(last, p.firstVersion()) && !d.isOwnPlan(p) {
			due = p.site
		}
	}
	return due
}

// firstVersion returns the version of a plan that was recorded first.
func (e *entry) firstVersion() *entry {
	first := e
	for _, v := range e.past {
		first = firstRecorded(first, v)
	}
	return first
}

// callsFirst reports whether the ship is reported at port a, and not at port b before.
func (s *ship) callsFirst(a, b *site) bool {
	for _, c := range s.calls {
		switch c.site {
		case a:
			return true
		case b:
			return false
		}
	}
	return false
}

// goesOnFrom reports whether the container was carried past the port of e: its next own
// move over water takes it from a port that the ship of e reaches later, and no other ship was
// planned to bring it there from here.
func (v *voyage) goesOnFrom(e *entry) bool {
	m := v.nextAtSea()
	if m == nil || !m.takes() || m.ship == e.ship || m.site == e.site || !e.ship.calledAfter(m.site, e.call) {
		return false
	}
	for p := range v.plansOf(v.cs) {
		if p.ship != nil && p.ship != e.ship && (brings(p) && p.site == m.site && (v.planned(p.ship, e.site) || v.changesShips(e.site) && p.ship.calledBetween(e, m)) || p.takes() && p.site == e.site && p.ship.calledBefore(m)) {
			return false
		}
	}
	return true
}

// calledBetween reports whether the ship called at the port of the first of two moves after it, and before the second.
func (s *ship) calledBetween(a, b *entry) bool {
	return slices.ContainsFunc(s.calls, func(c *call) bool {
		return c.site == a.site && c.left().After(a.at.Time) && c.first.at.Compare(b.at) < 0
	})
}

// comesBack reports whether the container is discharged at the port of e a day or more after the ship of
// the leg left, by its next own move over water or, at the stated POD, by a later one: it was carried past,
// and another ship brought it back.
func (v *voyage) comesBack(l *leg, e *entry) bool {
	next := v.nextAtSea()
	return slices.ContainsFunc(v.own[v.next:], func(m *entry) bool {
		return (m == next || e.site == v.statedPOD) && m.overWater() && m.Activity == freight.Discharge && m.site == e.site && m.ship != l.ship && m.at.Time.Sub(e.at.Time) > loadingReports
	})
}

// calledAfter reports whether the ship called at a port after the call c.
func (s *ship) calledAfter(at *site, c *call) bool {
	return slices.ContainsFunc(s.calls[c.index+1:], func(later *call) bool { return later.site == at })
}

// standsAt returns the port where the container is ashore by its own moves, and the move
// that brought it there; nil when not known.
func (v *voyage) standsAt() (*site, *entry) {
	if e := v.ashore; e != nil && e.Activity == freight.GateIn && e.LoadStatus == freight.Laden && (v.isPort(e.site) || e.site != nil && e.Place.FacilityType == "POTE") {
		return e.site, e
	}
	if n := len(v.legs); n > 0 && v.on == nil {
		return v.legs[n-1].to, v.legs[n-1].until
	}
	return nil, nil
}

// isPort reports whether main vessels call at a place or are planned to.
func (d *derivation) isPort(s *site) bool { return s != nil && (s.in.any || s.out.any) }

// isSeaport is isPort where feeders and port terminals count, and a port that is only stated.
func (d *derivation) isSeaport(s *site) bool {
	return d.isPort(s) || s != nil && (s.served || s.stated != nil)
}

// standsElsewhere reports whether the container is ashore at another port than that of e. Before its
// first ship, a port nearby counts only when the ship of e is still bound for it.
func (v *voyage) standsElsewhere(e *entry) bool {
	at, _ := v.standsAt()
	return at != nil && at != e.site && (!v.near(at, e.site) || len(v.legs) > 0 || e.ship != nil && e.ship.callsLater(at, e.call))
}

// hasLanded reports whether the container was put ashore at s, and s is the stated POD.
func (v *voyage) hasLanded(s *site) bool {
	at, _ := v.standsAt()
	return len(v.legs) > 0 && at != nil && at == v.statedPOD && s == at
}

// planSlack is how much earlier than planned a ship may leave. A ship that leaves even
// earlier is expected to call again.
const planSlack = 48 * time.Hour

// waitsFor reports whether the ship of e leaves the port where the container waits, or that
// port is not known.
func (v *voyage) waitsFor(e *entry) bool {
	at := v.waitingAt()
	return at == nil || at == e.site
}

// waitingAt returns the port where the container waits for a ship: where it is ashore or,
// before its first ship, the planned POL. Nil when not known.
func (v *voyage) waitingAt() *site {
	at, _ := v.standsAt()
	if at == nil && len(v.legs) == 0 {
		at = v.plannedPOL
	}
	return at
}

// boardedAt returns where the container boarded the ship of a departure. If the ship was
// planned to take it from the port where it waited, it boarded there, even when only the
// departure from the ship's next port is reported. So it did if the ship called where the
// container was last reported, before its first ship.
func (v *voyage) boardedAt(e *entry) *site {
	at := v.waitingAt()
	if v.planned(e.ship, at) && !v.planned(e.ship, e.site) {
		return at
	}
	if a := v.ashore; len(v.legs) == 0 && a != nil && a.site != e.site && e.call != nil && slices.ContainsFunc(e.ship.calls[:e.call.index], func(c *call) bool {
		return c.site == a.site && c.first.at.Compare(a.at) > 0
	}) {
		return a.site
	}
	return e.site
}

// isReportedAt reports whether the ship is reported at a port before a load there, or within a day of it.
func (s *ship) isReportedAt(at *site, load *entry) bool {
	return slices.ContainsFunc(s.calls, func(c *call) bool {
		return c.site == at && c.first.at.Time.Sub(load.at.Time) <= loadingReports
	})
}

// mayBe reports whether the ship of e may be the unnamed ship of the leg. It is when the
// container's next move comes off it, whatever was planned, and not when that is another ship and
// this one is not reported at the port before or on that day, or it comes off at this port.
// Otherwise it must not be the ship that put the container ashore there, and it lay at the port at
// that time, or its calls there are not known, it was not elsewhere then or within a day, and it was
// not to come later. Of two ships at the port, the one that was planned later is the ship of the leg.
func (v *voyage) mayBe(l *leg, e *entry) bool {
	if l.barge != (e.by == freight.ByBarge) || v.changedFromUnnamed(l, e) != nil {
		return false
	}
	if e.ship == nil || l.from == nil || v.comesOff(e) {
		return true
	}
	if m := v.nextOff(); m != nil && m.ship != nil && m.ship.isAnother(e.ship) && (m.site == l.from || !e.ship.isReportedAt(l.from, l.since)) {
		return false
	}
	if v.mustChangeUnseen(l, e) || l.number > 0 && v.legs[l.number-1].ship == e.ship && v.legs[l.number-1].to == l.from {
		return false
	}
	if p := v.plan(l.from, nil); p != nil && p.ship != e.ship && (!v.planned(e.ship, l.from) || (len(p.containers) > 0 || p.ship.layAt(nil, l.since)) && v.replaced(e.ship, l.from, e)) {
		return false
	}
	called := false
	for _, c := range e.ship.calls {
		if c.site != l.from {
			continue
		}
		called = true
		if c.beganAfter(l.since) {
			continue
		}
		if c.sailed == nil && !e.ship.hasLeft(c, l.since) || c.sailed != nil && !c.sailed.at.Time.Before(l.since.at.Time.Add(-loadingReports)) {
			return true
		}
	}
	return !called && !v.anotherLayAt(l, e.ship) && !e.ship.isElsewhereAt(l.since.at.Time) && e.at.Time.Sub(l.since.at.Time) > loadingReports && !slices.ContainsFunc(e.ship.planned, func(c *call) bool {
		return c.site == l.from && c.first.at.Time.Sub(l.since.at.Time) > planSlack
	})
}

// mustChangeUnseen reports whether the container comes off another ship than that of e next, and nothing shows
// where it would have changed to it from this one, which was not planned to take it.
func (v *voyage) mustChangeUnseen(l *leg, e *entry) bool {
	m := v.nextOff()
	return m != nil && m.ship != nil && m.call != nil && e.call != nil && m.ship.isAnother(e.ship) && m.ship.isBy(l.since.by) && !m.ship.calledAt(l.from) &&
		!v.planned(e.ship, l.from) && changeOf(e.ship, e.call, m.ship, m.call) == nil
}

// anotherLayAt reports whether another ship than s lay where the container was loaded then, and
// s was not planned there.
func (v *voyage) anotherLayAt(l *leg, s *ship) bool {
	if v.planned(s, l.from) {
		return false
	}
	for _, o := range v.fleet.ships {
		if o != s && o.layAt(nil, l.since) {
			return true
		}
	}
	return false
}

// leavesEarly reports whether the ship is planned to take the container from the port of e
// in a later call.
func (v *voyage) leavesEarly(e *entry) bool {
	return v.isEarly(e, e.site)
}

// isEarly reports whether the ship of e is planned to take the container from a port by
// more than planSlack after e.
func (v *voyage) isEarly(e *entry, from *site) bool {
	if e.ship == nil {
		return false
	}
	p := v.plan(from, e.ship)
	return p != nil && !p.at.IsZero() && p.at.Time.Sub(e.at.Time) > planSlack
}

// returnedEmpty reports whether the container's last own move on land returned it empty.
func (v *voyage) returnedEmpty() bool {
	return v.ashore != nil && v.ashore.Activity == freight.GateIn && v.ashore.LoadStatus == freight.Empty
}

// beforeLading reports whether a main vessel is at another port than the POL, where the
// container has still to board it. The ship's earlier calls are without the container.
func (v *voyage) beforeLading(e *entry) bool {
	if len(v.legs) > 0 || e.by != freight.ByVessel || v.plannedPOL == nil || e.site == v.plannedPOL {
		return false
	}
	return e.ship != nil && e.ship.callsLater(v.plannedPOL, e.call) || v.statedPOL != nil && e.takes() && !v.comesOff(e)
}

// calledForLater reports whether the container, not yet at sea, was picked up empty or
// brought laden at a port that the ship has just reached or has still to call at.
func (v *voyage) calledForLater(e *entry) bool {
	if len(v.legs) > 0 || v.ashore == nil || v.ashore.site == nil || e.ship == nil {
		return false
	}
	if v.ashore.site == e.site {
		return brings(e)
	}
	return e.ship.callsLater(v.ashore.site, e.call)
}

// cameUnseenTo reports whether the container, before its first ship, was picked up empty or brought
// laden at another place, at which the ship of e never calls, and nothing says that this ship was to
// take it from here: it boarded at a port that nobody reported, or another ship.
func (v *voyage) cameUnseenTo(e *entry) bool {
	a := v.ashore
	if len(v.legs) > 0 || a == nil || a.site == nil || !v.isOutEmpty() && (a.Activity != freight.GateIn || a.LoadStatus != freight.Laden) {
		return false
	}
	if brings(e) && v.next < len(v.own) && v.own[v.next].site == e.site && !(v.isOutEmpty() && v.isPort(a.site)) {
		return false // it is next reported where the ship came
	}
	return a.site != e.site && !v.near(a.site, e.site) && e.site != v.knownPOL && e.ship != nil && !e.ship.callsLater(a.site, nil) && !v.planned(e.ship, e.site)
}

// callsLater reports whether the ship called at a port after a call, or is planned to. A
// nil call means the beginning.
func (s *ship) callsLater(at *site, after *call) bool {
	for _, c := range s.calls {
		if c.site == at && (after == nil || c.index > after.index) {
			return true
		}
	}
	for _, c := range s.planned {
		if c.site == at && !c.done {
			return true
		}
	}
	return false
}

// isToBoardLater reports whether the container's own plan has the ship of e load it at another port, later, and the
// ship calls there after e.
func (v *voyage) isToBoardLater(e *entry) bool {
	plan := v.cs.latestPlan(func(p *entry) bool { return e.ship != nil && p.ship == e.ship && p.Activity == freight.Loading })
	return plan != nil && plan.site != nil && plan.site != e.site && plan.at.Compare(e.at) > 0 && e.ship.callsLater(plan.site, e.call)
}

// cameOffUnseen reports whether nothing is reported of the container, and the ship of e called before at a
// port where the shipment changes ships.
func (v *voyage) cameOffUnseen(e *entry) bool {
	return len(v.own) == 0 && len(v.legs) == 0 && e.call != nil && slices.ContainsFunc(e.ship.calls[:e.call.index], func(c *call) bool {
		return v.changesShips(c.site)
	})
}

// mayArrive decides for an arrival whether the container was aboard, where its boarding is
// not known.
func (v *voyage) mayArrive(e *entry) bool {
	if v.landsHere(e) {
		return true
	}
	if v.missed[e.ship] || v.dischargedBy(e) || v.cameOffBefore(e) || v.mayBoardFirst(e) || v.inland || v.returnedEmpty() || v.waitsAt(e.site) || v.staysWhereItStands() || v.beforeLading(e) || v.calledForLater(e) || v.cameUnseenTo(e) || v.mayBoardAnywhere(e) || v.landedJustBefore(e) || v.broughtByNobody(e) || v.cameOffUnseen(e) || v.isToBoardLater(e) {
		return false
	}
	if v.comesFromElsewhere(e) {
		at, _ := v.standsAt()
		return v.comesOff(e) && v.planned(e.ship, at) && !v.isEarly(e, at) && !e.ship.callsLater(at, e.call)
	}
	if at, _ := v.standsAt(); v.comesByAnother(e) || v.mayBoardLater(e, at) || v.boardsAhead(e) {
		return false
	}
	if pol := v.plannedPOL; pol != nil && len(v.legs) == 0 && e.by == freight.ByVessel {
		if e.site == pol || v.isEarly(e, pol) {
			return false
		}
		switch {
		case e.ship == nil:
		case v.replaced(e.ship, pol, e), v.isPlannedForAnother(e.ship, pol):
			return v.comesOff(e) && !v.mayBoardAt(e)
		case !v.planned(e.ship, pol) && !e.ship.calledAt(pol):
			return v.proof(e) == provenAboard && !v.mayBoardAt(e)
		}
	}
	switch v.proof(e) {
	case provenAboard:
		return !v.mayBoardAt(e)
	case provenAshore:
		return false
	}
	return v.isExpected(e) && !v.cancelled && !v.siblingsLoaded(e) && !v.mayBoardAt(e) && v.mayHaveBoarded(e)
}

// mayHaveBoarded reports whether the container may have boarded the ship of an arrival before: a
// port of lading is known, or the ship is planned to bring it here.
func (v *voyage) mayHaveBoarded(e *entry) bool {
	if v.plannedPOL != nil || e.ship == nil {
		return true
	}
	for p := range v.plansOf(v.cs) {
		if brings(p) && p.ship == e.ship && p.site == e.site {
			return true
		}
	}
	return false
}

// cameOffBefore reports whether the ship of an arrival has called at the port where it was to discharge
// the container, and came on from there.
func (v *voyage) cameOffBefore(e *entry) bool {
	due := v.landing(v.cs, e.ship)
	return due != nil && due != e.site && e.call != nil && slices.ContainsFunc(e.ship.calls[:e.call.index], func(c *call) bool { return c.site == due })
}

// mayBoardFirst reports whether a ship arrives at the first port where it is reported, and the
// container, of which nothing is reported or planned before, may board it there.
func (v *voyage) mayBoardFirst(e *entry) bool {
	return v.next == 0 && len(v.legs) == 0 && len(v.own) > 0 && v.statedPOL == nil && e.call != nil && e.call.index == 0 && v.firstPlan(e.ship, nil) == nil
}

// comesByAnother reports whether the latest plan, or the container's own, had another ship take
// the container from where it is ashore, and that ship called at the port of e in time for the container's
// next move.
func (v *voyage) comesByAnother(e *entry) bool {
	at, _ := v.standsAt()
	if at == nil || e.ship == nil || v.next == len(v.own) || !v.replaced(e.ship, at, e) && !v.isPlannedForAnother(e.ship, at) {
		return false
	}
	return v.comesByPlan(at, e.ship, e.site, v.own[v.next])
}

// mayBoardAt reports whether the ship of an arrival may have come to load the container: it was
// planned to, it loaded another one, or the container was to change ships here and its next move, or the
// plan of the ship, is elsewhere.
func (v *voyage) mayBoardAt(e *entry) bool {
	switch {
	case e.site == nil:
		return false
	case v.planned(e.ship, e.site), v.changesShips(e.site) && (v.landsElsewhere(e) || v.isToBringOn(e)), e.ship != nil && len(e.ship.loads[e.site]) > 0:
		return true
	}
	return v.comesOff(e) && e.site.stated != nil && e.site.stated.Place.Role != freight.RolePOD
}

// isToBringOn reports whether the ship of an arrival is planned to bring the container to another port,
// and not to this one.
func (v *voyage) isToBringOn(e *entry) bool {
	on := false
	for p := range v.plansOf(v.cs) {
		if p.ship != nil && p.ship == e.ship && brings(p) {
			if p.site == e.site {
				return false
			}
			on = true
		}
	}
	return on
}

// landsElsewhere reports whether the container's next own move after an arrival is a
// departure by land from another port.
func (v *voyage) landsElsewhere(e *entry) bool {
	if v.next == len(v.own) {
		return false
	}
	m := v.own[v.next]
	return m.takenInland() && m.site != nil && m.site != e.site
}

// landsHere reports whether the container's next own move over water with a ship is a
// discharge in the call of e.
func (v *voyage) landsHere(e *entry) bool {
	for _, m := range v.own[v.next:] {
		if m.overWater() && (m.Activity != freight.Discharge || m.site != e.site || m.ship != nil) {
			return m.Activity == freight.Discharge && m.ship != nil && m.call != nil && m.call == e.call
		}
	}
	return false
}

// comesFromElsewhere reports whether the container is ashore at a port where the ship of an
// arrival has not called since and was not planned to.
func (v *voyage) comesFromElsewhere(e *entry) bool {
	at, since := v.standsAt()
	if at == nil || e.ship == nil || e.call == nil {
		return false
	}
	if p := v.plan(at, e.ship); p != nil && !p.at.IsZero() && !v.replaced(e.ship, at, e) {
		if compareMoves(p, e) > 0 {
			return true // the load is planned for later
		}
		if !e.ship.callsLater(at, e.call) && !e.ship.hasSailed(at, since) {
			return false
		}
	}
	return !slices.ContainsFunc(e.ship.calls[:e.call.index], func(c *call) bool {
		return c.site == at && c.last.at.Time.After(since.at.Time)
	})
}

// hasSailed reports whether the ship left a call at a port before the move.
func (s *ship) hasSailed(at *site, before *entry) bool { return s.lastSailing(at, before) != nil }

// lastSailing returns the last call at a port that the ship left before the move; nil for none.
func (s *ship) lastSailing(at *site, before *entry) (last *call) {
	for _, c := range s.calls {
		if c.site == at && s.hasLeft(c, before) {
			last = c
		}
	}
	return last
}

// waitsAt reports whether the container is ashore at the port.
func (v *voyage) waitsAt(s *site) bool {
	at, _ := v.standsAt()
	return s != nil && at == s
}

// staysWhereItStands reports whether the container's next own move over water takes it from
// the port where it is ashore.
func (v *voyage) staysWhereItStands() bool {
	at, _ := v.standsAt()
	m := v.nextAtSea()
	return at != nil && m != nil && m.takes() && m.site == at
}

// boardsElsewhere reports whether the ship of e is planned to take the container at another
// port and not at this one.
func (v *voyage) boardsElsewhere(e *entry) bool {
	if e.ship == nil || len(v.legs) > 0 || v.planned(e.ship, e.site) {
		return false
	}
	for p := range v.plansOf(v.cs) {
		if p.takes() && p.ship == e.ship && p.site != nil && p.site != e.site {
			return v.proof(e) != provenAboard || e.ship.callsLater(p.site, e.call)
		}
	}
	return false
}

// boardsAhead reports whether the ship was planned to take the container from a port at
// which it calls first after e.
func (v *voyage) boardsAhead(e *entry) bool {
	for p := range v.plansOf(v.cs) {
		if p.takes() && p.ship != nil && p.ship == e.ship && p.site != nil && p.site != e.site && e.call != nil && e.ship.calledAfter(p.site, e.call) &&
			!slices.ContainsFunc(e.ship.calls[:e.call.index], func(c *call) bool { return c.site == p.site }) {
			return true
		}
	}
	return false
}

// leftBySiblings reports whether loads of other containers on the ship were recorded before
// its departure, and none of this one.
func (v *voyage) leftBySiblings(e *entry) bool {
	return e.ship != nil && v.loadedBefore(e.ship.loads[e.site], e.departureTold())
}

// siblingsLoaded reports whether loads of other containers on the ship, at any port, were
// recorded before the arrival e.
func (v *voyage) siblingsLoaded(e *entry) bool {
	if e.ship == nil {
		return false
	}
	for _, loads := range e.ship.loads {
		if v.loadedBefore(loads, e) {
			return true
		}
	}
	return false
}

func (v *voyage) loadedBefore(loads []*entry, e *entry) bool {
	for _, l := range loads {
		if e == nil || later(l, e) < 0 {
			return true
		}
	}
	return false
}
