package journey

import (
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// leg is one stay of a container aboard one ship.
type leg struct {
	number int   // among those of the container, from 0
	ship   *ship // nil while no fact names it
	// from and to are where it was loaded and discharged; nil while not known, or
	// not yet.
	from, to *site
	// begun and ended are the calls of the ship there; nil where no fact of a named
	// ship tells them apart.
	begun, ended *call
	loaded       bool // its load was reported
	main         bool // by a main vessel, not by a feeder or barge
	barge        bool
	since, until *entry // the first and the last fact that puts the container aboard
	discharged   *entry // nil where its discharge follows from a later move
	presumed     bool   // that it ended there: no move shows the container ashore
	undone       bool   // it was not aboard after all
}

// seaMove is an actual move over water that counts for a container.
type seaMove struct {
	*entry
	leg *leg
}

// visit numbers the calls that a container makes at ports: by leg, and by the calls
// of its ship.
func (m seaMove) visit() int {
	c := m.call
	switch {
	case m.site == m.leg.from && m.takes() && m.leg.begun != nil:
		c = m.leg.begun
	case m.site == m.leg.to && !m.takes() && m.leg.ended != nil:
		c = m.leg.ended
	}
	if c == nil { // the ship is not named: its only call there
		c = m.leg.callAt(m.site, nil)
	}
	if c == nil {
		return m.leg.number * 10_000
	}
	return m.leg.number*10_000 + 1 + c.index
}

// voyage is a container's way over the sea, as far as it has happened. It is read
// from the moves in the order in which they happened.
type voyage struct {
	*derivation
	cs   *containerState
	own  []*entry // its own moves, on water and on land, in order
	next int      // in own: the first that comes after the one at work
	legs []*leg
	on   *leg // aboard now; nil when ashore or not known to be aboard
	// ashore is its last own move on land since it was discharged.
	ashore *entry
	// missed are the ships that left without it, until it boards them.
	missed map[*ship]bool
	moves  []seaMove
	// inland: it has left its last port by land, and has not come back to one. over:
	// it has been returned empty, and is the line's own affair.
	inland, returned bool
}

// findVoyage works out where the container was aboard. Its own moves decide; what
// a fact says of a ship counts where the container was aboard.
func (d *derivation) findVoyage(cs *containerState) {
	v := voyage{derivation: d, cs: cs, own: d.ownMoves(cs)}
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
	for _, l := range v.legs {
		if l.undone {
			v.miss(l.ship)
		} else {
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

// missPlanned misses the ships that were to take the container from where another
// took it.
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

// missReplaced misses the ships that were to take the container by an older plan of its
// own for the same port.
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

// ownMoves are the actual moves that name the container and a time, in order.
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

// onLand: a move that shows the container ashore.
func (e *entry) onLand() bool {
	switch e.Activity {
	case freight.GateIn, freight.GateOut, freight.Delivery:
		return true
	case freight.Loading, freight.Departure, freight.Arrival, freight.Discharge:
		return e.by == freight.ByRail || e.by == freight.ByTruck
	}
	return false
}

// takenInland: a laden container leaves the port by land, or has been emptied: it
// was discharged before.
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

// addLandMove: a container that leaves a port by land where its ship lies or called
// was discharged there, though nobody reported it.
func (v *voyage) addLandMove(e *entry) {
	v.ashore = e
	if n := len(v.legs); n > 0 {
		v.legs[n-1].presumed = false
	}
	switch {
	case e.takenInland() && len(v.legs) > 0:
		v.inland = true
	case e.Activity == freight.GateIn && e.LoadStatus == freight.Laden && v.isPort(e.site):
		v.inland = false
	}
	v.returned = v.returned || e.Activity == freight.GateIn && e.LoadStatus == freight.Empty && len(v.legs) > 0
	l := v.on
	if l == nil || !e.takenInland() && !v.standsInland(e, l) || e.site != nil && e.site == l.from {
		return
	}
	if e.site != nil && (l.callAt(e.site, e) != nil || e.Activity != freight.Delivery && e.LoadStatus != freight.Empty && v.cameUnseen(l, e.site)) {
		v.end(l, e.site, e)
		return
	}
	if c := v.reached(l); c != nil {
		v.end(l, c.site, e)
	} else if v.isPort(e.site) && e.takenInland() && e.LoadStatus != freight.Empty {
		v.end(l, e.site, e)
	} else if v.standsInland(e, l) {
		v.on, v.inland = nil, true // nobody reported where it left the sea
	}
}

// cameUnseen reports whether a container that leaves a port by land came there aboard,
// although nobody reported that its ship called: no fact names the ship, or it is the stated
// port of discharge, and the ship has not brought it to where it was to change ships.
func (v *voyage) cameUnseen(l *leg, at *site) bool {
	if l.ship == nil {
		return true
	}
	c := v.reached(l)
	return at == v.statedPOD && (c == nil || !v.changesShips(c.site))
}

// standsInland: it is somewhere that no ship calls at, after its ship sailed or came to a
// port.
func (v *voyage) standsInland(e *entry, l *leg) bool {
	return e.LoadStatus != freight.Empty && e.Activity != freight.GateOut && e.site != nil && !v.isPort(e.site) && l.ship != nil && (v.reached(l) != nil || !l.barge && l.ship.hasSailed(l.from, e))
}

// callAt is the first call of the leg's ship at a port after it boarded, and no later
// than a move; nil for none. by is nil for any time.
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

// reached is the last call that the container has come to aboard; nil for none.
func (v *voyage) reached(l *leg) (last *call) {
	for _, m := range v.moves {
		if m.leg == l && m.Activity != freight.Loading && m.Activity != freight.Departure && m.call != nil {
			last = m.call
		}
	}
	return last
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
	v.on, v.ashore, v.inland = l, nil, false
	delete(v.missed, e.ship)
	return l
}

// addMove takes a move as one of a leg.
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

// end ends a leg at a port, as a move there shows.
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

// leave takes back what the ship did after it put the container ashore.
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

// endUnreported ends a leg of which the next move shows that it is over: at that
// place, if it may have been there.
func (v *voyage) endUnreported(l *leg, at *site) {
	l.ended = l.callAt(at, nil)
	if l.ended != nil || l.ship == nil {
		l.to = at
	} else if c := v.reached(l); c != nil {
		l.to, l.ended = c.site, c
	}
	v.on = nil
	v.leave(l)
}

// shortestStay is the least time that a ship lies at a port; shortestChange the least that it
// takes to bring a container to another port, and the terminal to load it on the next ship
// there; shortestDetour the least between two calls of a ship that calls at a third port in
// between.
const (
	shortestStay   = 12 * time.Hour
	shortestChange = 48 * time.Hour
	shortestDetour = 72 * time.Hour
)

// changedBefore reports whether the container was put ashore before its ship came to a
// port: it is loaded on another ship, or leaves by land, at a port at which its ship has not
// been seen, too soon after that for its ship to have gone there since.
func (v *voyage) changedBefore(l *leg, e *entry) bool {
	if l.ship == nil || v.next == len(v.own) {
		return false
	}
	m := v.own[v.next]
	changes := m.takes() && m.ship != l.ship || m.takenInland() && m.Activity != freight.Delivery && m.LoadStatus != freight.Empty && v.isPort(m.site)
	if !changes || m.site == e.site || m.site == l.from || l.callAt(m.site, m) != nil {
		return false
	}
	if m.takes() && v.dueAshore(l, m.site, e) {
		return true
	}
	if e.call == nil {
		return m.at.Time.Sub(e.at.Time) < shortestChange
	}
	return !l.ship.mayGoThere(e.call, m)
}

// mayGoThere reports whether a ship may have called at the port of a container's next move
// after another call, and put the container ashore there, though nobody reported it: there is
// time between two of its later calls, or between the last of them and the move.
func (s *ship) mayGoThere(c *call, m *entry) bool {
	for _, next := range s.calls[c.index+1:] {
		if next.first.at.Compare(m.at) > 0 {
			return next.came().Sub(c.left()) >= shortestDetour && m.at.Time.Sub(c.left()) >= shortestChange
		}
		if next.came().Sub(c.left()) >= shortestDetour {
			return true
		}
		c = next
	}
	return m.at.Time.Sub(c.left()) >= shortestChange
}

// came is when the ship reached the port, as far as facts tell; left when it sailed.
func (c *call) came() time.Time {
	if c.first.Activity == freight.Departure {
		return c.first.at.Time.Add(-shortestStay)
	}
	return c.first.at.Time
}

func (c *call) left() time.Time {
	if c.sailed != nil {
		return c.sailed.at.Time
	}
	return c.first.at.Time.Add(shortestStay)
}

// dueAshore reports whether the ship of a leg was to put the container ashore at a port
// before it came to another.
func (v *voyage) dueAshore(l *leg, at *site, before *entry) bool {
	for p := range v.plansOf(v.cs) {
		if p.ship == l.ship && p.site == at && brings(p) && !p.at.IsZero() && p.at.Compare(before.at) < 0 {
			return true
		}
	}
	return false
}

// takesOn reports whether a ship that leaves a port took the container there from the
// ship that it was aboard, of which nobody reported that it put it ashore: it comes off
// that ship later, and that is the port at which it was to change, or the only one that it
// can have been.
func (v *voyage) takesOn(l *leg, e *entry) bool {
	if l.ship == nil || e.call == nil || e.site == l.from || l.callAt(e.site, nil) == nil || !v.comesOff(e) || v.leavesEarly(e) {
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
	return !slices.ContainsFunc(e.ship.calls, func(c *call) bool { return c.site != e.site && l.callAt(c.site, nil) != nil })
}

// changesAt is the last port at which the ship of a leg called, and the ship of a later
// move before that move, and where the container was to change ships. Nil for none.
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

// changesShips: the port is stated to be one of transshipment.
func (d *derivation) changesShips(s *site) bool {
	return s.stated != nil && s.stated.Place.Role == freight.RoleTS
}

func maybeSame(a, b *ship) bool { return a == nil || b == nil || a == b }

// maybeBy reports whether a move may be one of the ship of a leg. A barge is not the ship
// that brought the container to it, although nobody names it.
func (l *leg) maybeBy(e *entry) bool {
	return l.barge == (e.by == freight.ByBarge) && maybeSame(l.ship, e.ship)
}

// repeats reports whether a move is another report of one at the beginning or the
// end of a leg.
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
		l.undone = true // shut out, or left behind
	default:
		v.endUnreported(l, e.site)
	}
	v.addMove(e, v.begin(e, e.site))
}

func (v *voyage) depart(e *entry) {
	l := v.on
	switch {
	case l == nil && v.dischargedBy(e):
		return // the ship sails on without it
	case l == nil:
	case l.maybeBy(e):
		v.addMove(e, l)
		return
	case l.from == e.site && e.site != nil:
		l.undone = true
	default:
		v.endUnreported(l, e.site)
	}
	v.addMove(e, v.begin(e, e.site))
}

// dischargedBy reports whether the container was put ashore by that ship in this
// call, or in one before it.
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

// belated takes a report of the arrival or discharge that ended the last leg, timed
// later than another one.
func (v *voyage) belated(e *entry) bool {
	if len(v.legs) == 0 {
		return false
	}
	l := v.legs[len(v.legs)-1]
	if l.undone || !l.maybeBy(e) || !e.repeats(l.to, l.ended, l.until) {
		return false
	}
	if e.Activity != freight.Discharge && v.wasAshore(e) {
		return true // the ship has come back
	}
	if e.Activity == freight.Discharge && l.discharged == nil {
		l.discharged = e
	}
	v.addMove(e, l)
	return true
}

// wasAshore reports whether the container had come off its last ship, or was moved on land
// since, before a ship arrived: no ship arrives after it has put the container ashore.
func (v *voyage) wasAshore(e *entry) bool {
	l := v.legs[len(v.legs)-1]
	return l.discharged != nil && l.discharged.at.Compare(e.at) < 0 || v.ashore != nil && v.ashore.at.Compare(e.at) < 0
}

func (v *voyage) discharge(e *entry) {
	l := v.on
	switch {
	case l != nil && l.from == e.site && l.maybeBy(e) && l.lies(e):
		l.undone, l.to, v.on = true, e.site, nil // put ashore again where it was loaded
		return
	case l != nil && l.maybeBy(e):
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

// lies reports whether the ship of a leg has not left the call in which it took the
// container, as far as a discharge there tells. Where the load names no ship, that is so
// while no later move of the leg is reported.
func (l *leg) lies(e *entry) bool {
	return e.call == nil || e.call == l.begun || l.begun == nil && l.until.Activity == freight.Loading
}

// addShipMove takes a departure, arrival or berthing of the whole shipment, where the
// container was aboard.
func (v *voyage) addShipMove(e *entry) {
	v.landBefore(e)
	l := v.on
	switch {
	case v.returned:
	case e.Activity == freight.Departure:
		v.shipDeparts(e, l)
	case l != nil && l.ship != nil && e.ship != nil && l.ship != e.ship && v.landsHere(e):
		if at := v.changesAt(l, e); at != nil {
			v.endUnreported(l, at)
		}
		v.addMove(e, v.begin(e, nil))
	case l != nil && l.ship != nil && e.ship != nil && l.ship != e.ship:
	case l != nil && l.ship == nil && !v.mayBe(l, e):
	case l != nil && v.changedBefore(l, e):
		l.to = v.own[v.next].site
		v.on = nil
	case l != nil:
		if l.begun == nil && l.from != e.site || l.begun != nil && (e.call == nil || e.call.index > l.begun.index) {
			v.addMove(e, l)
		}
	case v.belated(e):
	case v.mayArrive(e):
		v.addMove(e, v.begin(e, nil))
	}
}

// landBefore ends the leg at a port before a call, where the ship was to put the container
// ashore and nobody reported that it sailed.
func (v *voyage) landBefore(e *entry) {
	l := v.on
	if l == nil || l.begun == nil || l.ship == nil || e.ship != l.ship || e.call == nil {
		return
	}
	for _, c := range l.ship.calls[l.firstIndex():max(l.firstIndex(), e.call.index)] {
		if c.sailed == nil && v.landsAt(l, c.last) {
			l.presumed = true
			v.end(l, c.site, c.last)
			return
		}
	}
}

func (v *voyage) shipDeparts(e *entry, l *leg) {
	switch {
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
	case l != nil && v.takesOn(l, e):
		v.endUnreported(l, e.site)
		v.addMove(e, v.begin(e, e.site))
	case l != nil || v.dischargedBy(e):
	case v.boards(e):
		v.addMove(e, v.begin(e, v.boardedAt(e)))
	case !v.leavesEarly(e) && !v.returnedEmpty() && v.waitsFor(e) && !v.mayHaveBrought(e) && v.leftBehind(e):
		v.miss(e.ship)
	}
}

// mayHaveBrought reports whether a ship that leaves the port where the container is
// ashore may be the one, not named, that put it ashore there: it lay there then.
func (v *voyage) mayHaveBrought(e *entry) bool {
	if len(v.legs) == 0 || e.call == nil {
		return false
	}
	l := v.legs[len(v.legs)-1]
	return l.ship == nil && l.to == e.site && (!e.call.arrived || e.call.first.at.Compare(l.until.at) <= 0)
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
