package journey

import (
	"cmp"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// A container on land after its sea voyage: where the line carries it, and when it is
// picked up.

// findDestination finds the place to which the line carries the container after the POD:
// the stated one, else the place where the last move by rail, barge or the line's truck
// ends or is planned to end. A container that leaves a ramp came there by rail, whether or
// not the train is reported.
func (d *derivation) findDestination(cs *containerState) {
	cs.landed = d.landedAt(cs)
	if d.statedDestination != nil {
		if d.statedDestination != cs.pod {
			cs.destination = d.statedDestination
		}
		return
	}
	var last, ended, load *entry // the last end, the last actual end, the last load
	moves := d.inlandMoves(cs)
	for i, e := range moves {
		switch {
		case e.classifier == freight.Actual && (e.Activity == freight.Loading || e.Activity == freight.Departure) && (e.by == freight.ByRail || e.by == freight.ByBarge):
			load = e
		case e.classifier == freight.Actual && endsInland(e, moves[:i]):
			ended = e
		}
	}
	for i, e := range moves {
		switch {
		case e.Activity != freight.GateOut && !endsInland(e, moves[:i]), !d.beyondPort(e, cs):
		case e.Activity == freight.GateOut && e.Place.FacilityType != "RAMP" && (load == nil || ended != nil && compareMoves(ended, load) > 0):
		case load != nil && (e.site == load.site || e.at.Compare(load.at) < 0):
		default:
			last = e
		}
	}
	if cs.pod == nil && (ended == nil || !d.pickedUpAt(cs, ended)) {
		return
	}
	leftRamp := last != nil && last.Activity == freight.GateOut && compareMoves(last, cmp.Or(ended, last)) > 0
	if ended != nil && !leftRamp && d.pickedUpAt(cs, ended) && (load == nil || compareMoves(load, ended) < 0) && d.beyondPort(ended, cs) {
		last = ended
	}
	if last != nil {
		cs.destination = last.site
	}
}

// landedAt returns when the container came to the end of its sea voyage: the actual time,
// else the planned one; zero when not known.
func (d *derivation) landedAt(cs *containerState) freight.Moment {
	if n := len(cs.legs); n > 0 {
		for _, l := range slices.Backward(cs.legs) {
			if l.to != nil && l.to == cs.pod {
				return l.until.at
			}
		}
		if l := cs.legs[n-1]; !l.barge {
			return l.since.at
		}
	}
	if !cs.sailed.IsZero() {
		return cs.sailed
	}
	if at := cs.leftPOD(); !at.IsZero() {
		return at
	}
	return cs.railedAcross()
}

// railedAcross returns when a train was first reported with the container at another place than its
// POL, after it had come laden to the gate there; zero for never.
func (cs *containerState) railedAcross() (at freight.Moment) {
	for _, e := range cs.own {
		if e.classifier == freight.Actual && e.by == freight.ByRail && !e.at.IsZero() && cs.railsInland(e) && (at.IsZero() || e.at.Compare(at) < 0) {
			at = e.at
		}
	}
	return at
}

// leftPOD returns when the container was first moved by land from its POD; zero when not
// known.
func (cs *containerState) leftPOD() (at freight.Moment) {
	for _, e := range cs.own {
		if e.classifier == freight.Actual && e.site != nil && e.site == cs.pod && e.takenInland() && !e.at.IsZero() && (at.IsZero() || e.at.Compare(at) < 0) {
			at = e.at
		}
	}
	return at
}

// inlandMoves returns the moves by rail, barge and the line's truck after the sea voyage,
// and the gates that the laden container passes then, in order.
func (d *derivation) inlandMoves(cs *containerState) []*entry {
	var list []*entry
	add := func(e *entry) {
		if e.site == nil || e.at.IsZero() || e.LoadStatus == freight.Empty || cs.landed.IsZero() || e.at.Compare(cs.landed) < 0 {
			return
		}
		switch {
		case e.by == freight.ByRail, e.by == freight.ByBarge, e.by == freight.ByTruck && e.byLine(),
			e.Activity == freight.GateIn && e.LoadStatus == freight.Laden, e.Activity == freight.GateOut && e.LoadStatus == freight.Laden && e.classifier == freight.Actual:
			list = append(list, e)
		}
	}
	for _, e := range cs.own {
		add(e)
	}
	for _, e := range d.byLand {
		add(e)
	}
	for _, e := range d.plans {
		add(e)
	}
	slices.SortFunc(list, compareMoves)
	return list
}

func (e *entry) byLine() bool { return e.DataSource == freight.FromShippingLine || e.DataSource == "" }

// endsInland reports whether a move ends the inland carriage: an arrival or a discharge, or
// a laden gate-in at a ramp or after such a move. The consignee's own door and gate do not
// count.
func endsInland(e *entry, before []*entry) bool {
	switch e.Activity {
	case freight.Arrival, freight.Discharge:
		return true
	case freight.GateIn:
		switch e.Place.FacilityType {
		case "CLOC", "OFFD", "COFS":
			return false
		case "RAMP", "INTE":
			return true
		}
		return slices.ContainsFunc(before, func(m *entry) bool {
			return m.Activity == freight.Loading || m.Activity == freight.Departure || m.Activity == freight.Arrival
		})
	}
	return false
}

// beyondPort reports whether the place of a move can be an inland destination. A yard in
// the metropolitan area of the port is none.
func (d *derivation) beyondPort(e *entry, cs *containerState) bool {
	if e.site == cs.pod || e.site == cs.pol {
		return false
	}
	return e.by == freight.ByRail || e.by == freight.ByBarge || !d.near(e.site, cs.pod)
}

// pickedUpAt reports whether the container was picked up or emptied where an inland move
// brought it.
func (d *derivation) pickedUpAt(cs *containerState, ended *entry) bool {
	return slices.ContainsFunc(cs.own, func(e *entry) bool {
		if e.classifier != freight.Actual || e.at.IsZero() || e.at.Compare(ended.at) < 0 {
			return false
		}
		return e.Activity == freight.Delivery && e.LoadStatus != freight.Empty || e.Activity == freight.GateIn && e.LoadStatus == freight.Empty ||
			e.Activity == freight.GateOut && e.LoadStatus == freight.Laden && (e.site == nil || e.site == ended.site)
	})
}

// transferTime is the longest time between a laden gate-out and a laden gate-in elsewhere
// in the same port by which the container was only moved.
const transferTime = 72 * time.Hour

// pickup is a laden gate-out at the end of the journey, with which the container is picked
// up.
type pickup struct {
	out     *entry
	repeats []*entry // other reports of the same gate-out
	back    *entry   // the laden gate-in by which it came back; nil while it is out
}

// findPickups separates the laden gate-outs that are pick-ups from those that only move the
// container to another terminal, ramp or yard.
func (d *derivation) findPickups(cs *containerState) {
	gates := d.gatesAfterSea(cs)
	for i, e := range gates {
		switch {
		case e.Activity == freight.GateOut && e.LoadStatus == freight.Laden && d.movedOn(e, gates[i+1:], cs):
			cs.transfers = append(cs.transfers, e)
		case e.Activity == freight.GateOut && e.LoadStatus == freight.Laden && d.isPickupPlace(e, cs):
			if cs.out() != nil && cs.out().Activity == freight.GateOut && cs.out().site == e.site {
				p := &cs.pickups[len(cs.pickups)-1]
				p.repeats = append(p.repeats, e)
			} else {
				cs.pickups = append(cs.pickups, pickup{out: e})
			}
		case cs.out() == nil && cs.wasPickedUp(e):
			cs.pickups = append(cs.pickups, pickup{out: e}) // the gate-out is not reported
		case e.Activity == freight.GateIn && e.entersLaden() && len(cs.pickups) > 0 && d.comesBack(e, cs):
			cs.pickups[len(cs.pickups)-1].back = e
		}
		switch {
		case e.Activity == freight.TerminalStatus && len(cs.pickups) > 0: // the yard still reports it
		case e.entersLaden():
			cs.entered = e
		case e.Activity == freight.GateOut && e.LoadStatus == freight.Laden:
			cs.entered = nil
		}
	}
}

// wasPickedUp reports whether the move shows that the container was picked up: it is
// delivered laden, or was emptied after its journey began.
func (cs *containerState) wasPickedUp(e *entry) bool {
	switch {
	case e.Activity == freight.Delivery && e.LoadStatus == freight.Laden:
		return true
	case e.Activity == freight.Delivery && e.LoadStatus != freight.Empty, e.Activity == freight.GateIn && e.LoadStatus == freight.Empty:
		return cs.endsWith(e)
	}
	return false
}

// gatesAfterSea returns the gates that the container passes after its sea voyage, its
// deliveries and the reports of yards, in order.
func (d *derivation) gatesAfterSea(cs *containerState) []*entry {
	var list []*entry
	for _, e := range cs.own {
		if e.classifier != freight.Actual || e.Activity != freight.GateIn && e.Activity != freight.GateOut && e.Activity != freight.Delivery && !e.intoYard() {
			continue
		}
		if e.at.IsZero() && e.Activity != freight.GateOut || d.sideOf(e, cs) == originSide || e.LoadStatus != freight.Empty && d.seaRole(e.site, cs) == freight.RoleTS {
			continue
		}
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b *entry) int { return compareEffect(a, b) })
	for i := len(list) - 1; i >= 0; i-- { // a gate-out of which only the day is known follows the gate-in of that day
		for k := len(list) - 1; k > i && list[i].at.Day && list[i].Activity == freight.GateOut; k-- {
			if in := list[k]; in.entersLaden() && in.site == list[i].site && !in.at.Day && in.at.Compare(list[i].at) == 0 {
				out := list[i]
				copy(list[i:], list[i+1:k+1])
				list[k] = out
				break
			}
		}
	}
	return list
}

// entersLaden reports whether a laden container enters a terminal, ramp or yard.
func (e *entry) entersLaden() bool {
	return e.Activity == freight.GateIn && e.LoadStatus == freight.Laden && e.Place.FacilityType != "CLOC" || e.intoYard()
}

// movedOn reports whether the next move after a laden gate-out is a laden gate-in within
// transferTime at another terminal, ramp or yard of the same port or area.
func (d *derivation) movedOn(out *entry, later []*entry, cs *containerState) bool {
	for _, e := range later {
		if e.Activity == freight.GateOut && e.LoadStatus == freight.Laden && e.site == out.site {
			continue // another report of the same gate-out
		}
		if !e.entersLaden() {
			return false
		}
		if e.at.IsZero() || out.at.IsZero() || e.at.Compare(out.at) < 0 {
			continue
		}
		if e.at.Time.Sub(out.at.Time) > transferTime || anotherBooking(out, e) {
			return false
		}
		return (e.site == out.site || e.site == nil || d.near(e.site, out.site)) && d.elsewhere(out, e, cs)
	}
	return false
}

// elsewhere reports whether two gates are of different facilities. Unnamed ones count as
// the same where the container is to be picked up, and as different on the way.
func (d *derivation) elsewhere(out, in *entry, cs *containerState) bool {
	if out.site != in.site && in.site != nil && out.site != nil {
		return true
	}
	if out.offDock() != in.offDock() && (in.offDock() || out.Place.FacilityType != "" && in.Place.FacilityType != "") {
		return true
	}
	if named, same := sameFacility(out.Place, in.Place); named {
		return !same
	}
	if a, b := out.Place.FacilityType, in.Place.FacilityType; a != "" && b != "" && a != b {
		return true
	}
	return out.site != cs.pod && out.site != cs.destination
}

// sameFacility compares the facilities of two places of one port. named reports whether
// both have a code or name to compare.
func sameFacility(a, b freight.Place) (named, same bool) {
	for _, pair := range [3][2]string{{a.SMDG, b.SMDG}, {a.BIC, b.BIC}, {a.Facility, b.Facility}} {
		if x, y := upperWords(pair[0], " "), upperWords(pair[1], " "); x != "" && y != "" {
			return true, x == y
		}
	}
	return false, false
}

// anotherBooking reports whether both facts have bookings and none in common.
func anotherBooking(a, b *entry) bool {
	of := func(e *entry) (list []string) {
		for _, n := range e.Numbers {
			if n.Type == freight.BookingNumber {
				list = append(list, freight.FoldNumber(n.Number))
			}
		}
		return list
	}
	x, y := of(a), of(b)
	return len(x) > 0 && len(y) > 0 && !slices.ContainsFunc(y, func(n string) bool { return slices.Contains(x, n) })
}

// isPickupPlace reports whether a laden gate-out is where the container is picked up: at
// its inland destination, else at the POD or a yard of its area.
func (d *derivation) isPickupPlace(e *entry, cs *containerState) bool {
	switch {
	case e.site == nil:
		return true
	case cs.destination != nil:
		return e.site == cs.destination || d.near(e.site, cs.destination) && !d.near(e.site, cs.pod)
	case cs.pod == nil:
		return true
	}
	return e.site == cs.pod || d.near(e.site, cs.pod) || !d.railed(cs, e)
}

// railed reports whether a train took the container from another place before the move.
// Then a gate at a ramp is not the port's.
func (d *derivation) railed(cs *containerState, e *entry) bool {
	return slices.ContainsFunc(cs.own, func(m *entry) bool {
		return m.classifier == freight.Actual && m.by == freight.ByRail && (m.Activity == freight.Loading || m.Activity == freight.Departure) && m.site != nil && m.site != e.site && !m.at.IsZero() && m.at.Compare(e.at) <= 0
	})
}

// comesBack reports whether a laden gate-in brings the container back to the place, port or
// area where it was picked up.
func (d *derivation) comesBack(e *entry, cs *containerState) bool {
	out := cs.pickups[len(cs.pickups)-1].out
	if anotherBooking(out, e) || e.at.IsZero() || !out.at.IsZero() && e.at.Compare(out.at) < 0 {
		return false
	}
	return e.site == nil || e.site == out.site || d.near(e.site, out.site) || out.site == nil && (e.site == cs.pod || e.site == cs.destination)
}

// out returns the last pick-up; nil while the container has not been picked up or is back.
func (cs *containerState) out() *entry {
	if n := len(cs.pickups); n > 0 && cs.pickups[n-1].back == nil {
		return cs.pickups[n-1].out
	}
	return nil
}

// isPickup reports whether a laden gate-out picks up the container, or is planned to. A nil
// container means most of them.
func (d *derivation) isPickup(e *entry, cs *containerState) bool {
	switch {
	case cs == nil:
		return d.isPickupPlace(e, &containerState{pol: d.pol, pod: d.pod, destination: d.destination})
	case e.classifier != freight.Actual:
		return d.isPickupPlace(e, cs)
	}
	return slices.ContainsFunc(cs.pickups, func(p pickup) bool { return p.out == e || slices.Contains(p.repeats, e) })
}

// begun returns the move that began the journey of the container: its first move over
// water, its first laden gate-out or delivery at the other end, or its empty gate-in there.
// An empty gate-in before that ends nothing.
func (d *derivation) begun(cs *containerState) (first *entry) {
	if len(cs.moves) > 0 {
		first = cs.moves[0].entry
	}
	for _, e := range cs.own {
		ends := (e.LoadStatus == freight.Laden || e.Activity == freight.TerminalStatus) && cs.endsAt(e) || cs.returnsAcross(e)
		if e.classifier == freight.Actual && !e.at.IsZero() && ends && (first == nil || compareMoves(e, first) < 0) {
			first = e
		}
	}
	return first
}

// endsAt reports whether the move is one at the end of a journey: a delivery, a gate-out from the POD or
// the destination, a train there, or the status of a terminal at the POD, or at another place than the
// POL, to which the container had come laden.
func (cs *containerState) endsAt(e *entry) bool {
	if e.Activity == freight.TerminalStatus {
		return e.site != nil && e.site != cs.pol && (e.site == cs.pod || cs.didBefore(e, func(m *entry) bool {
			return m.Activity == freight.GateIn && m.LoadStatus == freight.Laden && m.site == cs.pol
		}))
	}
	leaves := e.Activity == freight.GateOut || e.by == freight.ByRail
	return e.Activity == freight.Delivery || leaves && e.site != nil && (e.site == cs.pod || e.site == cs.destination) && e.site != cs.pol
}

// returnsAcross reports whether the move is an empty gate-in at the POD or the destination
// of a container that was at another place before, or where a train brought it: only its journey can
// have brought it there.
func (cs *containerState) returnsAcross(e *entry) bool {
	if e.Activity != freight.GateIn || e.LoadStatus != freight.Empty || e.site == nil || e.site == cs.pol {
		return false
	}
	return e.site == cs.pod || e.site == cs.destination || cs.didBefore(e, func(m *entry) bool { return m.by == freight.ByRail && brings(m) && m.site == e.site })
}

// endsAfter reports whether the container was delivered after a move, or returned empty at the place of it.
func (cs *containerState) endsAfter(m *entry) bool {
	return slices.ContainsFunc(cs.own, func(e *entry) bool {
		if e.classifier != freight.Actual || e.at.IsZero() || e.at.Compare(m.at) <= 0 {
			return false
		}
		return e.Activity == freight.Delivery && e.LoadStatus != freight.Empty || e.Activity == freight.GateIn && e.LoadStatus == freight.Empty && e.site == m.site
	})
}

// findReturn finds the last own move of the container, and whether it was returned unused.
func (d *derivation) findReturn(c *ContainerJourney, cs *containerState) {
	var last *entry // its last own move
	for _, e := range cs.own {
		if e.classifier != freight.Actual || e.at.IsZero() || !e.onLand() && !e.overWater() {
			continue
		}
		if last == nil || compareMoves(e, last) > 0 {
			last = e
		}
	}
	c.ReturnedUnused = last != nil && cs.begun == nil && last.Activity == freight.GateIn && last.LoadStatus == freight.Empty
	cs.last = last
}
