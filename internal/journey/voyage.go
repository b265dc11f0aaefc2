package journey

import (
	"cmp"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// leg is one stay of a container aboard one ship.
type leg struct {
	number int   // index among the legs of the container, undone ones included
	ship   *ship // nil while no fact names it
	// from and to are where it was loaded and discharged; nil while not known or not yet.
	from, to *site
	// begun and ended are the calls of the ship there; nil where no fact with a ship
	// identifies the call.
	begun, ended *call
	loaded       bool // a fact reports the load
	main         bool // by a main vessel, not by a feeder or barge
	barge        bool
	since, until *entry // the first and the last fact that puts the container aboard
	discharged   *entry // nil where only a later move shows the discharge
	presumed     bool   // the end follows from the plan; no move shows the container ashore
	passed       *call  // the call at which the ship came without the container after such an end; nil where none shows it
	undone       bool   // later moves show that it was not aboard
}

// seaMove is an actual move over water that counts for a container.
type seaMove struct {
	*entry
	leg *leg
}

// visit numbers the port calls of a container, by leg and then by call of the ship.
func (m seaMove) visit() int {
	c := m.call
	switch {
	case m.site == m.leg.from && m.takes() && m.leg.begun != nil:
		c = m.leg.begun
	case m.site == m.leg.to && !m.takes() && m.leg.ended != nil && (c == nil || c.ship != m.leg.ship || c.index > m.leg.ended.index):
		c = m.leg.ended
	}
	if c == nil { // no ship in the fact: its only call there
		c = m.leg.callAt(m.site, nil)
	}
	if c == nil {
		return m.leg.number * 10_000
	}
	return m.leg.number*10_000 + 1 + c.index
}

// voyage is what a container has done at sea so far. It is read from the moves in the order
// in which they happened.
type voyage struct {
	*derivation
	cs   *containerState
	own  []*entry // its own moves, on water and on land, in order
	next int      // index in own of the first move after the current one
	legs []*leg
	on   *leg // the leg that it is on; nil when ashore or not known to be aboard
	// ashore is its last own move on land since the discharge.
	ashore *entry
	// missed has the ships that left without it, until it boards them.
	missed map[*ship]bool
	moves  []seaMove
	// firstLoad is its first own load, where nothing says that it came to that port by sea.
	firstLoad *entry
	// inland: it left its last port by land and has not come back to a port. returned: it
	// was returned empty; its further moves are the line's own. cameBack: its last own move on
	// land brought it back laden.
	inland, returned, cameBack bool
}

// findVoyage finds the legs of a container. Its own moves decide; a move of the whole
// shipment counts only where the container was aboard.
func (d *derivation) findVoyage(cs *containerState) {
	v := voyage{derivation: d, cs: cs, own: d.ownMoves(cs)}
	v.firstLoad = v.loadAtOrigin()
	i, k := 0, 0
	for i < len(v.own) || k < len(d.shipMoves) {
		if k == len(d.shipMoves) || i < len(v.own) && compareMoves(v.own[i], d.shipMoves[k]) <= 0 {
			i++
			v.next = i
			v.addOwnMove(v.own[i-1])
			continue
		}
		v.addShipMove(d.shipMoves[k])
		k++
	}
	v.hideRivalled()
	for _, l := range v.legs {
		if !l.undone {
			cs.legs = append(cs.legs, l)
		}
	}
	v.missPlanned(cs.legs)
	for _, l := range cs.legs {
		delete(v.missed, l.ship)
	}
	cs.missed = v.missed
	cs.unused = len(cs.legs) == 0 && v.returnedEmpty()
	cs.moves = slices.DeleteFunc(v.moves, func(m seaMove) bool { return m.leg.undone })
}

// missPlanned marks as missed the ships that were planned at a port where another ship took
// the container.
func (v *voyage) missPlanned(legs []*leg) {
	v.missReplaced()
	for _, l := range legs {
		if l.ship == nil || l.from == nil {
			continue
		}
		for p := range v.plansOf(v.cs) {
			if p.takes() && p.site == l.from && p.ship != l.ship {
				v.miss(p.ship)
			}
		}
	}
}

// missReplaced marks as missed the ships of older plans of the container for the same port.
func (v *voyage) missReplaced() {
	for _, p := range v.cs.own {
		if p.classifier == freight.Actual || !p.takes() || p.site == nil || p.ship == nil {
			continue
		}
		if last := v.plan(p.site, nil); last.ship != p.ship {
			v.miss(p.ship)
		}
	}
}

// ownMoves returns the actual moves that name the container and have a time, in order.
func (d *derivation) ownMoves(cs *containerState) []*entry {
	var list []*entry
	for _, e := range cs.own {
		if e.classifier == freight.Actual && !e.at.IsZero() && (e.overWater() && e.site != nil || e.onLand()) {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, compareMoves)
	return list
}

// onLand reports whether the move shows the container ashore.
func (e *entry) onLand() bool {
	switch e.Activity {
	case freight.GateIn, freight.GateOut, freight.Delivery:
		return true
	case freight.Loading, freight.Departure, freight.Arrival, freight.Discharge:
		return e.by == freight.ByRail || e.by == freight.ByTruck
	}
	return false
}

// takenInland reports whether the move shows that the container was discharged before: it
// leaves the port laden by land, or has been emptied.
func (e *entry) takenInland() bool {
	switch e.Activity {
	case freight.GateOut:
		return e.LoadStatus == freight.Laden
	case freight.GateIn:
		return e.LoadStatus == freight.Empty
	case freight.Delivery:
		return e.LoadStatus != freight.Empty
	case freight.Loading, freight.Departure:
		return (e.by == freight.ByRail || e.by == freight.ByTruck) && e.LoadStatus != freight.Empty
	}
	return false
}

func (v *voyage) addOwnMove(e *entry) {
	if e.LoadStatus == freight.Laden {
		v.returned = false
	}
	switch {
	case v.returned && e.overWater():
	case !e.overWater():
		v.addLandMove(e)
	case e.Activity == freight.Loading:
		v.load(e)
	case e.Activity == freight.Departure:
		v.depart(e)
	case e.Activity == freight.Discharge:
		v.discharge(e)
	default:
		v.arrive(e)
	}
}

// addLandMove adds a move on land. A container that leaves a port by land was discharged
// there if its ship lies or called there, even when no fact reports the discharge.
func (v *voyage) addLandMove(e *entry) {
	v.ashore = e
	if n := len(v.legs); n > 0 {
		v.legs[n-1].presumed = false
	}
	v.endByLand(e)
	if v.cameByUnknownShip(e) {
		at, _ := v.standsAt()
		v.legs = append(v.legs, &leg{number: len(v.legs), from: at, to: e.site, since: e, until: e})
	}
	switch {
	case e.takenInland() && len(v.legs) > 0:
		v.inland = true
	case e.Activity == freight.GateIn && e.LoadStatus == freight.Laden && v.isPort(e.site):
		v.inland, v.cameBack = false, v.inland
	}
	v.returned = v.returned || e.Activity == freight.GateIn && e.LoadStatus == freight.Empty && len(v.legs) > 0
}

// endByLand ends the leg that a move on land shows to be over.
func (v *voyage) endByLand(e *entry) {
	l := v.on
	if l == nil || !e.takenInland() && !v.standsInland(e, l) || e.site != nil && e.site == l.from {
		return
	}
	c := l.callAt(e.site, e)
	if e.LoadStatus == freight.Empty && e.site != v.statedPOD { // it may be returned to any port
		if due := v.dueCall(l, e); due != nil {
			c = due
		} else {
			c = cmp.Or(v.siblingsCall(l, e), c)
		}
	}
	if c != nil && v.reachedAfter(l, c.site) && v.carriedPast(l, c.last) {
		v.on = nil
		v.legs = append(v.legs, &leg{number: len(v.legs), to: c.site, since: e, until: e})
		return
	}
	if hub := cmp.Or(v.relayedBefore(l, e), v.relayedByPlan(l, e)); hub != nil {
		v.landUnseen(l, hub, nil)
		v.legs = append(v.legs, &leg{number: len(v.legs), from: hub, to: e.site, since: e, until: e})
		return
	}
	if c != nil && c.site != e.site {
		v.end(l, c.site, e)
		return
	}
	if e.takenInland() && e.Activity != freight.Delivery && e.LoadStatus != freight.Empty && v.cameOnAnotherTo(l, e) {
		v.on = nil
		v.legs = append(v.legs, &leg{number: len(v.legs), to: e.site, since: e, until: e})
		return
	}
	if e.site != nil && (l.callAt(e.site, e) != nil || e.Activity != freight.Delivery && e.LoadStatus != freight.Empty && v.cameUnseen(l, e.site)) {
		v.end(l, e.site, e)
		return
	}
	if c := v.reached(l); c != nil {
		v.end(l, cmp.Or(v.dueAt(l, c, e), v.podAfter(l, c), c.site), e)
	} else if v.isSeaport(e.site) && e.takenInland() && e.LoadStatus != freight.Empty {
		v.end(l, e.site, e)
	} else if v.standsInland(e, l) {
		v.on, v.inland = nil, true // the port of discharge is not reported
	}
}

// cameByUnknownShip reports whether a container that nothing shows aboard leaves a port laden by
// land which is neither the one where it stands nor its POL: a ship brought it there.
func (v *voyage) cameByUnknownShip(e *entry) bool {
	if v.on != nil || v.inland || e.Activity == freight.Delivery || e.LoadStatus == freight.Empty || !e.takenInland() || !v.isSeaport(e.site) ||
		slices.ContainsFunc(v.legs, func(l *leg) bool { return l.from == e.site }) {
		return false
	}
	at, _ := v.standsAt()
	if at == nil && len(v.legs) == 0 {
		at = v.plannedPOL
	}
	return at != nil && at != e.site && !v.near(at, e.site)
}

// siblingsCall returns the call of the leg's ship, before a move, where all other containers of the shipment came
// off; nil for none.
func (v *voyage) siblingsCall(l *leg, before *entry) *call {
	if l.ship == nil || len(v.containers) == 1 {
		return nil
	}
	for _, c := range l.ship.calls[l.firstIndex():] {
		if !c.beganAfter(before) && !slices.ContainsFunc(v.containers, func(cs *containerState) bool { return cs != v.cs && !cs.cameOffAt(c.site, l.since) }) {
			return c
		}
	}
	return nil
}

// dueCall returns the call of the leg's ship, before a move, at the port to which it was last
// planned to bring the container; nil for none.
func (v *voyage) dueCall(l *leg, before *entry) *call {
	var due *entry
	for p := range v.plansOf(v.cs) {
		if brings(p) && p.ship != nil && p.ship == l.ship && p.site != nil && (due == nil || later(p, due) > 0) {
			due = p
		}
	}
	if due == nil {
		return nil
	}
	return l.callAt(due.site, before)
}

// dueAt returns the last port that the ship of a leg was planned to bring the container to after
// a call and before a move, unless the ship came there only after that; nil for none. A call days
// after the planned time is another one.
func (v *voyage) dueAt(l *leg, after *call, before *entry) *site {
	var last *entry
	for p := range v.plansOf(v.cs) {
		if brings(p) && p.ship != nil && p.ship == l.ship && p.site != nil && (!v.comesAsDue(l, p) || l.callAt(p.site, before) != nil) && p.at.Compare(after.first.at) > 0 && p.at.Compare(before.at) <= 0 && !(p.at.Day && p.at.Time.After(before.at.Time)) && (last == nil || compareMoves(p, last) > 0) {
			last = p
		}
	}
	if last == nil {
		return nil
	}
	return last.site
}

// podAfter returns the stated POD, where the ship of a leg left a call that was no port of transshipment with the
// container aboard, and is not reported there; nil otherwise.
func (v *voyage) podAfter(l *leg, c *call) *site {
	if v.statedPOD == nil || v.changesShips(c.site) || !v.sailedOn(l, c) || l.callAt(v.statedPOD, nil) != nil {
		return nil
	}
	return v.statedPOD
}

// cameUnseen reports whether a container that leaves a port by land came there on the ship
// of the leg, although no fact has a call of that ship there. It did when the leg has no
// ship, or when the port is the stated POD, or that of its own plan, and the ship has not reached a
// port where it was to change ships.
func (v *voyage) cameUnseen(l *leg, at *site) bool {
	if l.ship == nil {
		return at != v.statedDestination || v.isSeaport(at)
	}
	c := v.reached(l)
	return (at == v.statedPOD || at == v.landing(v.cs, l.ship)) && (c == nil || !v.changesShips(c.site))
}

// relayedBefore returns the port where, by the container's own latest plans, the ship of the leg puts it
// ashore and another one loads it for the port which it leaves by land, where that ship has called; nil
// for none.
func (v *voyage) relayedBefore(l *leg, e *entry) *site {
	hub, s := v.landing(v.cs, l.ship), v.cs.plannedToBring(e.site)
	if e.site == nil || hub == nil || hub == e.site || s == nil || s == l.ship || v.cs.plannedLoad(s) != hub || !s.cameBetween(e.site, l.since, e) {
		return nil
	}
	return hub
}

// relayedByPlan returns the port where, by the last plan for the ship of the leg, it puts the container ashore and
// another one loads it, where only that one is reported at the port which the container leaves by land; nil for none.
func (v *voyage) relayedByPlan(l *leg, e *entry) *site {
	if l.ship == nil || e.site == nil || l.callAt(e.site, nil) != nil {
		return nil
	}
	var last *entry
	for p := range v.plansOf(v.cs) {
		if brings(p) && p.ship == l.ship && (last == nil || later(p.firstVersion(), last.firstVersion()) > 0) {
			last = p
		}
	}
	if last == nil || last.site == nil || last.site == e.site {
		return nil
	}
	for p := range v.plansOf(v.cs) {
		if p.takes() && p.site == last.site && p.ship != nil && p.ship.isAnother(l.ship) && p.ship.cameBetween(e.site, l.since, e) {
			return last.site
		}
	}
	return nil
}

// cameOnAnotherTo reports whether a container that leaves a port by land may have come there on another
// ship than that of the leg, which is neither reported nor planned there: the other called there, and
// before it where this one had called.
func (v *voyage) cameOnAnotherTo(l *leg, e *entry) bool {
	if l.ship == nil || e.site == nil || l.callAt(e.site, e) != nil || slices.ContainsFunc(l.ship.planned, func(c *call) bool { return c.site == e.site }) {
		return false
	}
	for _, s := range v.fleet.ships {
		if s.isAnother(l.ship) && slices.ContainsFunc(s.calls, func(c *call) bool {
			return c.site == e.site && c.first.at.Compare(e.at) <= 0 && changeOf(l.ship, l.begun, s, c) != nil
		}) {
			return true
		}
	}
	return false
}

// standsInland reports whether a move shows the container at a place without ship calls,
// after its ship sailed or reached a port.
func (v *voyage) standsInland(e *entry, l *leg) bool {
	return e.LoadStatus != freight.Empty && e.Activity != freight.GateOut && e.site != nil && !v.isPort(e.site) && l.ship != nil && (v.reached(l) != nil || !l.barge && l.ship.hasSailed(l.from, e))
}

// callAt returns the first call of the leg's ship at a port after the boarding and not
// after the move by, or nil. A nil by means any time.
func (l *leg) callAt(s *site, by *entry) *call {
	if l.ship == nil {
		return nil
	}
	for _, c := range l.ship.calls[l.firstIndex():] {
		if c.site == s && (by == nil || !c.beganAfter(by)) {
			return c
		}
	}
	return nil
}

func (l *leg) firstIndex() int {
	if l.begun == nil {
		return 0
	}
	return l.begun.index + 1
}

// reached returns the last call that the container reached on the leg, or nil.
func (v *voyage) reached(l *leg) (last *call) {
	for _, m := range v.moves {
		if m.leg == l && m.Activity != freight.Loading && m.Activity != freight.Departure && m.call != nil {
			last = m.call
		}
	}
	return last
}

// reachedAfter reports whether the container is known aboard at a later call than the first one at
// a port.
func (v *voyage) reachedAfter(l *leg, at *site) bool {
	c, last := l.callAt(at, nil), v.reached(l)
	return c != nil && last != nil && last.index > c.index
}

func (v *voyage) begin(e *entry, from *site) *leg {
	l := &leg{number: len(v.legs), ship: e.ship, from: from, main: e.by == freight.ByVessel, barge: e.by == freight.ByBarge, since: e, until: e, loaded: e.Activity == freight.Loading}
	if e.call != nil {
		for _, c := range e.ship.calls[:e.call.index+1] {
			if c.site == from {
				l.begun = c
			}
		}
	}
	v.legs = append(v.legs, l)
	v.on, v.ashore, v.inland, v.cameBack = l, nil, false, false
	delete(v.missed, e.ship)
	return l
}

// addMove adds a move to a leg.
func (v *voyage) addMove(e *entry, l *leg) {
	if l.ship == nil && e.ship != nil {
		l.ship = e.ship
		if l.from == e.site {
			l.begun = e.call
		}
	}
	l.until = e
	v.moves = append(v.moves, seaMove{entry: e, leg: l})
}

// end ends a leg at a port; by is the move that shows it.
func (v *voyage) end(l *leg, at *site, by *entry) {
	l.to = at
	if by.Activity == freight.Discharge && by.overWater() && slices.Contains(by.containers, v.cs.number) {
		l.discharged = by
	}
	if l.ended = l.callAt(at, by); l.discharged != nil && by.call != nil && by.ship == l.ship {
		l.ended = by.call
	}
	v.on = nil
	v.leave(l)
}

// leave removes the moves of the ship after it put the container ashore.
func (v *voyage) leave(l *leg) {
	if l.ended == nil {
		return
	}
	v.moves = slices.DeleteFunc(v.moves, func(m seaMove) bool {
		if m.leg != l || m.call == nil || m.ship != l.ship {
			return false
		}
		return m.call.index > l.ended.index || m.call == l.ended && m.takes() && m.call != l.begun
	})
	l.until = l.since
	for _, m := range v.moves {
		if m.leg == l {
			l.until = m.entry
		}
	}
}

// endUnreported ends a leg without a reported discharge, because a later move shows that it
// is over. It ends at the place of that move if the ship may have called there.
func (v *voyage) endUnreported(l *leg, at *site) {
	l.ended = l.callAt(at, nil)
	if c := v.unnamedCall(l, at); c != nil {
		l.to = at
		v.moves = slices.DeleteFunc(v.moves, func(m seaMove) bool { return m.leg == l && m.at.Compare(c.first.at) > 0 })
	} else if l.ended != nil || l.ship == nil || at != nil && v.landing(v.cs, l.ship) == at {
		l.to = at
	} else if c := v.reached(l); c != nil && !v.sailedOn(l, c) { // else it may have come on by this ship
		l.to, l.ended = c.site, c
	}
	v.on = nil
	v.leave(l)
}

// sailedOn reports whether the ship left the call, or a later one, with the container aboard.
func (v *voyage) sailedOn(l *leg, c *call) bool {
	return slices.ContainsFunc(v.moves, func(m seaMove) bool {
		return m.leg == l && m.Activity == freight.Departure && m.call != nil && m.call.ship == c.ship && m.call.index >= c.index
	})
}

// shortestStay is the shortest stay of a ship at a port, shortestTrip its shortest trip
// between two. shortestChange is the shortest
// time to bring a container to another port and load it on the next ship there.
// shortestDetour is the shortest time between two calls of a ship with a third port in
// between.
const (
	shortestStay   = 12 * time.Hour
	shortestTrip   = 12 * time.Hour
	shortestChange = 48 * time.Hour
	shortestDetour = 72 * time.Hour
)

// changedBefore reports whether the container left its ship before the ship reached the
// port of e, where it was not to come off: its next own move is at a port where no fact has a call of the ship (a load on
// another ship, or a departure by land), too soon after e for the ship to have gone there
// in between.
func (v *voyage) changedBefore(l *leg, e *entry) bool {
	if l.ship == nil || v.next == len(v.own) || v.landing(v.cs, l.ship) == e.site && e.site != nil {
		return false
	}
	m := v.own[v.next]
	changes := m.takes() && m.ship != l.ship || m.takenInland() && m.Activity != freight.Delivery && m.LoadStatus != freight.Empty && v.isPort(m.site)
	if !changes || m.site == e.site || m.site == l.from || l.callAt(m.site, m) != nil || (m.takenInland() || m.by == freight.ByBarge) && v.changesShips(e.site) && m.at.Time.Sub(e.at.Time) >= shortestTrip {
		return false
	}
	if m.takes() && v.dueAshore(l, m.site, e) {
		return true
	}
	if e.call == nil {
		return m.at.Time.Sub(e.at.Time) < shortestChange
	}
	return !l.ship.mayGoThere(e.call, m) && !(brings(e) && e.call.mayBeTwo() && m.at.Time.Sub(e.at.Time) >= shortestChange)
}

// asBy returns the leg as one by the ship of e, where it names none.
func (v *voyage) asBy(l *leg, e *entry) *leg {
	if l.ship != nil || e.ship == nil {
		return l
	}
	by := *l
	by.ship = e.ship
	return &by
}

// mayGoThere reports whether the ship may have made an unreported call at the port of m
// after the call c: there is enough time between two of its later calls, within one that may be
// two, or between the last of them and m.
func (s *ship) mayGoThere(c *call, m *entry) bool {
	for _, next := range s.calls[c.index+1:] {
		if next.first.at.Compare(m.at) > 0 {
			return next.came().Sub(c.left()) >= shortestDetour && m.at.Time.Sub(c.left()) >= shortestChange
		}
		if next.came().Sub(c.left()) >= shortestDetour || next.mayBeTwo() && m.at.Time.Sub(next.came()) >= shortestChange {
			return true
		}
		c = next
	}
	return m.at.Time.Sub(c.left()) >= shortestChange
}

// isElsewhereAt reports whether the ship was in a call at a time, or at sea between two calls that
// leave no time for a third.
func (s *ship) isElsewhereAt(at time.Time) bool {
	for i, c := range s.calls {
		if c.came().Before(at) && at.Before(c.left()) {
			return true
		}
		if i+1 < len(s.calls) {
			if came := s.calls[i+1].came(); c.left().Before(at) && at.Before(came) {
				return came.Sub(c.left()) < shortestDetour
			}
		}
	}
	return false
}

// came returns when the ship reached the port, estimated where no fact has the time.
func (c *call) came() time.Time {
	if c.first.Activity == freight.Departure {
		return c.first.at.Time.Add(-shortestStay)
	}
	return c.first.at.Time
}

// left returns when the ship left the port, estimated where no fact has the time.
func (c *call) left() time.Time {
	if c.sailed != nil {
		return c.sailed.at.Time
	}
	return c.first.at.Time.Add(shortestStay)
}

// dueAshore reports whether the ship of the leg was last planned to discharge the container at a
// port, and before the move.
func (v *voyage) dueAshore(l *leg, at *site, before *entry) bool {
	var last *entry
	for p := range v.plansOf(v.cs) {
		if p.ship == l.ship && brings(p) && !p.at.IsZero() && (last == nil || later(p, last) > 0) {
			last = p
		}
	}
	return last != nil && last.site == at && last.at.Compare(before.at) < 0 && !v.comesOffElsewhere(v.cs, l.ship, at)
}

// takesOn reports whether the ship of e took the container at the port it leaves, although
// no fact reports the discharge from the ship of the leg l. That holds when the container
// comes off the ship of e later, and the port was the planned one for the change or is the
// only one where both ships called: none where they may have met later without a report of it.
func (v *voyage) takesOn(l *leg, e *entry) bool {
	if l.ship == nil || v.mayChangeLater(l, e) || e.call == nil || e.site == l.from || l.callAt(e.site, e) == nil || !v.comesOff(e) || v.leavesEarly(e) {
		return false
	}
	if v.planned(e.ship, e.site) {
		return !slices.ContainsFunc(e.ship.calls[e.call.index+1:], func(c *call) bool { return c.site == e.site })
	}
	for p := range v.plansOf(v.cs) {
		if p.takes() && p.ship == e.ship {
			return false
		}
	}
	return !v.mayBoardLater(e, e.site) && !v.mayMeetLater(l, e) && !slices.ContainsFunc(e.ship.calls, func(c *call) bool { return c.site != e.site && l.callAt(c.site, nil) != nil })
}

// mayMeetLater reports whether the ship of a leg went on to another port before the container comes off
// that of e, which may have gone there, unreported, after it left.
func (v *voyage) mayMeetLater(l *leg, e *entry) bool {
	off, here := v.nextOff(), l.callAt(e.site, e)
	return off != nil && slices.ContainsFunc(l.ship.calls[here.index+1:], func(c *call) bool {
		return c.site != e.site && c.first.at.Compare(off.at) < 0 && e.ship.mayGoThere(e.call, off)
	})
}

// changesAt returns the last port before the move e where both the ship of the leg and the
// ship of e called, and where the container was to change ships; nil for none.
func (v *voyage) changesAt(l *leg, e *entry) (at *site) {
	if e.call == nil {
		return nil
	}
	for _, c := range e.ship.calls[:e.call.index] {
		if c.site != l.from && l.callAt(c.site, nil) != nil && (v.changesShips(c.site) || v.planned(e.ship, c.site)) {
			at = c.site
		}
	}
	return at
}

// leaveFor ends a leg of which the end is not reported, because the container comes off another ship, by
// e or in its call: it ends where it changed ships. Where that is not known, it had not come with
// the ship of the leg to the port where it comes off, but for the first time, if it was carried past.
func (v *voyage) leaveFor(l *leg, e *entry) {
	v.on = nil
	if at := v.changesAt(l, e); at != nil {
		v.endUnreported(l, at)
		return
	}
	if !l.ship.isAnother(e.ship) {
		return
	}
	if hub := v.hubOf(e.ship); hub != nil && v.landAtHub(l, hub, e.ship) {
		return
	}
	if c := changeOf(l.ship, l.begun, e.ship, e.call); c != nil {
		l.to, l.ended = c.site, c
		v.leave(l)
		return
	}
	v.dropCalls(l, e.site)
}

// landAtHub ends a leg at the stated port of transshipment from which the next ship was planned to take the container,
// and reports whether the ship of the leg may have called there, unreported, before that one left.
func (v *voyage) landAtHub(l *leg, hub *site, next *ship) bool {
	calls := slices.Concat(next.calls, next.planned)
	at := slices.IndexFunc(calls, func(c *call) bool { return c.site == hub })
	if l.begun == nil || at < 0 || l.ship.calledAt(hub) {
		return false
	}
	leaves := calls[at].left()
	var last *call // the last one after which it may have called at the hub
	for i, c := range l.ship.calls {
		free := i+1 == len(l.ship.calls) || l.ship.calls[i+1].came().Sub(c.left()) >= shortestDetour
		if free && i >= l.begun.index && leaves.Sub(c.left()) >= shortestTrip {
			last = c
		}
	}
	if last == nil {
		return false
	}
	v.moves = slices.DeleteFunc(v.moves, func(m seaMove) bool { return m.leg == l && m.call != nil && m.call.index > last.index })
	v.landUnseen(l, hub, nil)
	return true
}

// dropCalls removes the calls of the ship of a leg at a port at which the container comes off another
// one, but for the first, if it was carried past.
func (v *voyage) dropCalls(l *leg, at *site) {
	past := v.reachedAfter(l, at)
	first := l.callAt(at, nil)
	v.moves = slices.DeleteFunc(v.moves, func(m seaMove) bool {
		return m.leg == l && m.site == at && m.call != nil && m.call != l.begun && (!past || m.call != first)
	})
}

// changesShips reports whether a source states that the port is one of transshipment.
func (d *derivation) changesShips(s *site) bool {
	return s.statedRole() == freight.RoleTS
}

func maybeSame(a, b *ship) bool { return a == nil || b == nil || a == b }

// isUnnamed reports whether facts know the ship by a voyage number alone.
func (s *ship) isUnnamed() bool { return s != nil && s.vessel == (freight.VesselRef{}) }

// maybeBy reports whether a move may be one of the ship of the leg. A barge and a sea-going
// ship differ even when the fact has no ship.
func (l *leg) maybeBy(e *entry) bool {
	return l.barge == (e.by == freight.ByBarge) && maybeSame(l.ship, e.ship)
}

// repeats reports whether the move is another report of the beginning or the end of a leg,
// which was at the site s in the call c by the move by.
func (e *entry) repeats(s *site, c *call, by *entry) bool {
	switch {
	case e.site != s || s == nil:
		return false
	case e.call != nil && c != nil:
		return e.call == c
	}
	return by == nil || e.at.Time.Sub(by.at.Time).Abs() <= visitGap
}

func (v *voyage) load(e *entry) {
	l := v.on
	switch {
	case l == nil:
	case l.from == e.site && l.maybeBy(e) && e.repeats(l.from, l.begun, l.since):
		l.loaded = true
		v.addMove(e, l)
		return
	case l.from == e.site && e.site != nil:
		v.undo(l) // shut out or left behind
	default:
		v.endUnreported(l, e.site)
	}
	v.addMove(e, v.begin(e, e.site))
}

func (v *voyage) depart(e *entry) {
	l := v.on
	switch {
	case l == nil && v.dischargedBy(e):
		return // the ship goes on without it
	case l == nil:
	case l.maybeBy(e):
		v.addMove(e, l)
		return
	case l.from == e.site && e.site != nil:
		v.undo(l)
	default:
		v.endUnreported(l, e.site)
	}
	v.addMove(e, v.begin(e, e.site))
}

// dischargedBy reports whether the ship of e has put the container ashore, in this call or
// before.
func (v *voyage) dischargedBy(e *entry) bool {
	if len(v.legs) == 0 || e.ship == nil {
		return false
	}
	l := v.legs[len(v.legs)-1]
	return l.ship == e.ship && l.to != nil
}

func (v *voyage) arrive(e *entry) {
	l := v.on
	switch {
	case l != nil && l.maybeBy(e):
		if l.begun == nil || e.call == nil || e.call.index > l.begun.index {
			v.addMove(e, l)
		}
		return
	case l != nil:
		v.endUnreported(l, e.site)
	case v.belated(e):
		return
	}
	v.addMove(e, v.begin(e, nil))
}

// belated reports whether a move is a later report of the arrival or discharge that ended
// the last leg, and adds it. A repeated discharge that undid the leg is not added.
func (v *voyage) belated(e *entry) bool {
	if len(v.legs) == 0 {
		return false
	}
	l := v.legs[len(v.legs)-1]
	if l.undone {
		return e.Activity == freight.Discharge && l.maybeBy(e) && e.repeats(l.to, l.begun, l.until)
	}
	if !l.maybeBy(e) || !e.repeats(l.to, l.ended, l.until) {
		return false
	}
	if e.Activity != freight.Discharge && (v.wasAshore(e) || l.passed != nil && e.call != nil && e.call.ship == l.passed.ship && e.call.index > l.passed.index) {
		return true // the ship came back
	}
	if e.Activity == freight.Discharge && l.discharged == nil {
		l.discharged = e
	}
	v.addMove(e, l)
	return true
}

// wasAshore reports whether the container was discharged, or moved on land, before the ship
// arrived. A ship does not arrive after it put the container ashore.
func (v *voyage) wasAshore(e *entry) bool {
	l := v.legs[len(v.legs)-1]
	for _, m := range []*entry{l.discharged, l.until, v.ashore} {
		if m != nil && (m.onLand() || m.Activity == freight.Discharge) && m.at.Compare(e.at) < 0 {
			return true
		}
	}
	return false
}

func (v *voyage) discharge(e *entry) {
	l := v.on
	switch {
	case l != nil && l.from == e.site && (l.maybeBy(e) || l.ship != nil && e.ship != nil && !l.ship.isAnother(e.ship)) && l.lies(e):
		v.undo(l) // discharged again where it was loaded
		l.to, v.on = e.site, nil
		return
	case l != nil && v.isByOtherKind(l, e):
		v.dropCalls(l, e.site)
		v.on = nil
		l = v.begin(e, nil)
	case l != nil && v.changedFromUnnamed(l, e) != nil:
		v.endUnreported(l, v.changedFromUnnamed(l, e))
		l = v.begin(e, nil)
	case l != nil && l.maybeBy(e) && (!v.reachedAfter(l, e.site) || e.ship != nil || l.ship.layAt(nil, e)):
	case l != nil && l.ship != nil && e.ship != nil && l.ship.isAnother(e.ship):
		v.leaveFor(l, e)
		l = v.begin(e, nil)
	case l != nil && v.reachedAfter(l, e.site):
		v.on = nil // it was carried past this port, and another ship brought it back
		l = v.begin(e, nil)
	case l != nil:
		v.endUnreported(l, e.site)
		l = v.begin(e, nil)
	case v.belated(e):
		return
	default:
		l = v.begin(e, nil)
	}
	v.addMove(e, l)
	v.end(l, e.site, e)
}

// changedFromUnnamed returns the port from which the ship of a discharge was planned to take the container, where
// another one lay at the load of the leg, which names none, and was planned to take it from there or also called at that
// port; nil for none.
func (v *voyage) changedFromUnnamed(l *leg, e *entry) *site {
	if l.ship != nil || !l.loaded || e.ship == nil || e.ship.calledAt(l.from) || v.planned(e.ship, l.from) {
		return nil
	}
	hub := v.hubOf(e.ship)
	if hub == nil {
		return nil
	}
	for _, s := range v.fleet.ships {
		if s.isAnother(e.ship) && (v.planned(s, l.from) || s.calledAt(hub)) && s.liesSurely(l.since) {
			return hub
		}
	}
	return nil
}

// hubOf returns the stated port of transshipment from which a ship was planned to take the container; nil for none.
func (v *voyage) hubOf(s *ship) *site {
	for p := range v.plansOf(v.cs) {
		if p.takes() && p.ship == s && p.site != nil && v.changesShips(p.site) {
			return p.site
		}
	}
	return nil
}

// isByOtherKind reports whether a discharge that names no ship is from a feeder, the ship of the leg is a
// main vessel, and feeders of the shipment are reported.
func (v *voyage) isByOtherKind(l *leg, e *entry) bool {
	if e.ship != nil || l.ship == nil || e.by != freight.ByFeeder || l.ship.isBy(freight.ByFeeder) {
		return false
	}
	for _, s := range v.fleet.ships {
		if s.isBy(freight.ByFeeder) {
			return true
		}
	}
	return false
}

// lies reports whether the ship of the leg is still in the call of the load when e
// discharges the container. A load without a ship has no call: then the leg must have no
// later move.
func (l *leg) lies(e *entry) bool {
	return e.call == nil || e.call == l.begun || (l.begun == nil || e.ship != l.ship) && l.until.Activity == freight.Loading
}

// addShipMove adds a departure, arrival or berthing of the whole shipment, if the container
// was aboard.
func (v *voyage) addShipMove(e *entry) {
	if f := v.firstLoad; f != nil && compareMoves(e, f) < 0 && (e.site != f.site || !e.takes()) {
		return
	}
	v.landBefore(e)
	l := v.on
	switch {
	case v.returned:
	case e.Activity == freight.Departure:
		v.shipDeparts(e, l)
	case l != nil && l.ship != nil && e.ship != nil && l.ship != e.ship && v.landsHere(e):
		v.leaveFor(l, e)
		v.addMove(e, v.begin(e, nil))
	case l != nil && l.ship != nil && e.ship != nil && l.ship != e.ship:
	case l != nil && v.landsHere(e) && v.changedFromUnnamed(l, e) != nil:
		v.endUnreported(l, v.changedFromUnnamed(l, e))
		v.addMove(e, v.begin(e, nil))
	case l != nil && l.ship == nil && !v.mayBe(l, e):
	case l != nil && v.changedBefore(v.asBy(l, e), e):
		l.to = v.own[v.next].site
		v.on = nil
	case l != nil && v.passedDue(l, e) != nil:
		v.landUnseen(l, v.passedDue(l, e), e.call)
	case l != nil && v.returnsWithout(l, e):
	case l != nil:
		if l.begun == nil && l.from != e.site || l.begun != nil && (e.call == nil || e.call.index > l.begun.index) {
			v.addMove(e, l)
		}
	case v.belated(e):
	case v.mayArrive(e):
		v.addMove(e, v.begin(e, nil))
	}
}

// passedDue returns the port where the ship of a leg was due to put the container ashore a day or
// more before it came to that of e, and at which nobody reported it: the stated POD or port of
// transshipment, the one of the container's own plan, or the last of all plans. Nil for none, or where
// the container stays aboard.
func (v *voyage) passedDue(l *leg, e *entry) *site {
	if l.ship == nil || e.ship != l.ship || e.site == nil || v.comesOff(e) || v.staysAboard(e) {
		return nil
	}
	end := v.statedPOD
	if end == nil {
		end = v.plannedPort(v.cs)
	}
	var due, here *entry // the last plan to put it ashore, and to come here
	for p := range v.plansOf(v.cs) {
		if !brings(p) || p.ship != l.ship || p.site == nil || p.at.IsZero() {
			continue
		}
		if p.site == e.site && !v.comesOffElsewhere(v.cs, l.ship, e.site) && (here == nil || later(p, here) > 0) {
			here = p
		}
		ashore := p.site == end || v.changesShips(p.site) || p.Activity == freight.Discharge && len(p.containers) > 0
		if ashore && (due == nil || later(p, due) > 0) {
			due = p
		}
	}
	if m := v.nextAtSea(); m != nil && (m.takes() && m.site == e.site || m.Activity == freight.Discharge && due != nil && m.site == due.site) {
		return nil // it is next loaded here, or comes off there later
	}
	if here != nil && (due == nil || !v.isReplan(here, due.firstVersion())) {
		return nil
	}
	if due == nil || v.comesAsDue(l, due) || v.changesShips(e.site) || due.at.Compare(l.since.at) <= 0 || e.at.Time.Sub(due.at.Time) < 24*time.Hour {
		return nil
	}
	switch at := v.relayedAt(l, due); at {
	case nil:
		return due.site
	case e.site:
		return nil
	default:
		return at
	}
}

// relayedAt returns the port from which, by plans that are newer than the one for the ship of a leg,
// another ship is to take the container to where this one was due; nil for none.
func (v *voyage) relayedAt(l *leg, due *entry) *site {
	for q := range v.plansOf(v.cs) {
		if !brings(q) || q.site != due.site || q.ship == nil || q.ship == l.ship || v.isForSibling(q.ship) || !v.isReplan(due, q.firstVersion()) {
			continue
		}
		for p := range v.plansOf(v.cs) {
			if p.takes() && p.ship == q.ship && p.site != nil && p.site != l.from && p.site != due.site {
				return p.site
			}
		}
	}
	return nil
}

// returnsWithout reports whether the ship of a leg has come back, by a move, to a port past which it
// carried the container, and to which another ship is to bring it, where the container does not come off this
// one later.
func (v *voyage) returnsWithout(l *leg, e *entry) bool {
	if l.ship == nil || e.ship != l.ship || e.call == nil || v.comesOff(e) {
		return false
	}
	return slices.ContainsFunc(l.ship.calls[:e.call.index+1], func(back *call) bool {
		c := l.callAt(back.site, nil)
		return c != nil && c.index < back.index && v.carriedPast(l, c.last)
	})
}

// landUnseen ends a leg at a port at which the ship was due, and was not reported.
func (v *voyage) landUnseen(l *leg, at *site, passed *call) {
	l.to, l.presumed, l.passed = at, true, passed
	v.on = nil
}

// comesAsDue reports whether the ship is reported at the port of a plan, no more than four days
// later than planned, and not only after the container left the port by land.
func (v *voyage) comesAsDue(l *leg, due *entry) bool {
	c := l.callAt(due.site, v.leavesFrom(due.site))
	return c != nil && c.came().Sub(due.at.Time) <= 2*planSlack
}

// leavesFrom returns the container's next own move, if it leaves the port by land with it; nil
// otherwise.
func (v *voyage) leavesFrom(at *site) *entry {
	if v.next < len(v.own) && v.own[v.next].takenInland() && v.own[v.next].site == at {
		return v.own[v.next]
	}
	return nil
}

// landBefore ends the leg at an earlier port than that of e, where the ship was planned to
// put the container ashore and its departure is not reported.
func (v *voyage) landBefore(e *entry) {
	l := v.on
	if l == nil || l.ship == nil || e.ship != l.ship || e.call == nil {
		return
	}
	first := l.firstIndex()
	if l.begun == nil {
		if l.since.call == nil || l.since.ship != l.ship {
			return
		}
		first = l.since.call.index
	}
	for _, c := range l.ship.calls[first:max(first, e.call.index)] {
		if c.sailed == nil && v.landsAt(l, c.last) {
			l.presumed = true
			v.end(l, c.site, c.last)
			return
		}
	}
}

func (v *voyage) shipDeparts(e *entry, l *leg) {
	switch {
	case l != nil && e.ship != nil && e.ship == l.ship && (l.begun == nil || e.call.index > l.begun.index) && v.changedBefore(l, e):
		l.to, v.on = v.own[v.next].site, nil
	case l != nil && v.passedDue(l, e) != nil:
		v.landUnseen(l, v.passedDue(l, e), e.call)
	case l != nil && v.returnsWithout(l, e):
	case l != nil && l.ship != nil && e.ship == l.ship && v.landsAt(l, e):
		l.presumed = true
		v.end(l, e.site, e)
	case l != nil && l.ship != nil && e.ship == l.ship:
		if l.begun == nil || e.call.index >= l.begun.index {
			v.addMove(e, l)
		}
	case l != nil && (l.ship == nil || e.ship == nil):
		if stay := e.at.Time.Sub(l.since.at.Time); l.from == e.site && v.mayBe(l, e) && (stay <= planSlack || stay <= 2*visitGap && !v.plannedElsewhere(e)) {
			v.addMove(e, l)
		}
	case l != nil && (v.takesOn(l, e) || v.isLoadedInCall(e)):
		v.endUnreported(l, e.site)
		v.addMove(e, v.begin(e, e.site))
	case l != nil || v.dischargedBy(e):
	case v.boards(e):
		v.addMove(e, v.begin(e, v.boardedAt(e)))
	case !v.leavesEarly(e) && !v.returnedEmpty() && v.waitsFor(e) && !v.mayHaveBrought(e) && v.leftBehind(e):
		v.miss(e.ship)
	}
}

// mayHaveBrought reports whether the ship of e, which leaves the port where the container
// is ashore, may be the unnamed ship that brought it: it lay there at that time.
func (v *voyage) mayHaveBrought(e *entry) bool {
	if len(v.legs) == 0 || e.call == nil {
		return false
	}
	l := v.legs[len(v.legs)-1]
	return l.ship == nil && l.to == e.site && (!e.call.arrived || e.call.first.at.Compare(l.until.at) <= 0)
}

// undo takes back a leg: the ship left without the container.
func (v *voyage) undo(l *leg) {
	l.undone = true
	v.miss(l.ship)
}

func (v *voyage) miss(s *ship) {
	if s == nil {
		return
	}
	if v.missed == nil {
		v.missed = map[*ship]bool{}
	}
	v.missed[s] = true
}
