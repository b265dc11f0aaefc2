package tracking

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// box is one container of the shipment while its journey is derived.
type box struct {
	number string
	own    []*entry // valid facts that name it, from the weakest to the strongest
	// sailed is when it first leaves by main vessel; zero when not known.
	sailed Moment
	// ships are those that its own actual facts name, by place and direction.
	ships map[shipCall]*ships
	// left are the ships that left a port without it, old also those that were to
	// take it from there.
	left, old *ships
	// move is its first arrival in a yard off the dock of the POD; nil when there
	// was none. inYard: it has not left that yard.
	move   *entry
	inYard bool
}

// findBoxes makes a box for every number that a valid fact names, and for the
// container numbers by which the shipment is followed.
func (d *derivation) findBoxes(followed []ShipmentNumber) {
	for _, e := range d.valid {
		for _, number := range e.boxes {
			d.box(number).note(e)
		}
	}
	for _, n := range followed {
		if number := foldNumber(n.Number); n.Type == ContainerNumber && number != "" && len(d.valid) > 0 {
			d.box(number)
		}
	}
	slices.SortFunc(d.boxes, func(a, b *box) int { return cmp.Compare(a.number, b.number) })
	for _, b := range d.boxes {
		if !validContainer(b.number) {
			d.warn("check_digit", "containers", "container number %s is not one of ISO 6346, or its check digit is wrong", b.number)
		}
	}
}

func (d *derivation) box(number string) *box {
	b, ok := d.byName[number]
	if !ok {
		b = &box{number: number}
		d.byName[number] = b
		d.boxes = append(d.boxes, b)
	}
	return b
}

// spreadCall is an actual departure or arrival of the whole shipment, with the
// milestones that it makes for each box.
type spreadCall struct {
	*entry
	claims []claim
}

// spreadLimit bounds boxes times calls of the whole shipment. A shipment of 500
// boxes that calls at 20 places needs 20,000.
const spreadLimit = 100_000

// spreadOverBoxes collects the calls that count for every box, and finds out
// when each box went to sea.
func (d *derivation) spreadOverBoxes() {
	for _, e := range d.valid {
		if len(e.boxes) == 0 && (e.What == CustomsHold || e.What == CustomsRelease) {
			d.customs = append(d.customs, e)
		}
		if len(e.boxes) == 0 && e.class == Actual && e.by != "" && (e.What == Departure || e.What == Arrival || e.What == Berth) {
			call := spreadCall{entry: e}
			if call.claims = d.claims(e, nil); call.claims != nil || e.by == ByVessel {
				d.spread = append(d.spread, call)
			}
		}
	}
	most := spreadLimit / max(1, len(d.boxes))
	if len(d.spread) > most {
		d.warn("too_many_calls", "facts", "only the last %d of %d calls of the whole shipment count for its %d containers",
			most, len(d.spread), len(d.boxes))
		d.spread = d.spread[len(d.spread)-most:]
	}
	d.customs = d.customs[max(0, len(d.customs)-most):]
	d.findOldShips(most)
	for _, b := range d.boxes {
		b.sailed = d.sailing(b)
	}
}

// sailing is when a box first leaves by main vessel: as it happened, else as
// expected from the POL for the box, else for the shipment.
func (d *derivation) sailing(b *box) Moment {
	var happened, expected passage
	for _, e := range b.own {
		if e.by != ByVessel || !callOf(e).out {
			continue
		}
		if e.class == Actual {
			happened.add(e)
		} else if e.site != nil && e.site == d.pol {
			expected.add(e)
		}
	}
	for _, c := range d.spread {
		if c.by == ByVessel && c.What == Departure && !b.misses(c.entry) {
			happened.add(c.entry)
		}
	}
	switch {
	case happened.any:
		return happened.first
	case expected.any:
		expected.settle()
		return expected.first
	case d.pol != nil && !d.pol.out.actual:
		return d.pol.out.first
	}
	return Moment{}
}

// claims are the milestones that one actual fact makes for a box.
func (d *derivation) claims(e *entry, b *box) []claim {
	var list []claim
	if event := d.event(e, b); event != "" {
		list = append(list, claim{event: event, order: eventOrder[event], entry: e, gate: event == ArrivedAtDestination})
	}
	if d.reachesDestination(e) {
		list = append(list, claim{event: ArrivedAtDestination, order: eventOrder[ArrivedAtDestination], entry: e})
	}
	return list
}

// containerJourney derives everything that is shown of one box.
func (d *derivation) containerJourney(b *box, j *Journey) ContainerJourney {
	var claims []claim
	for _, e := range b.own {
		if e.class == Actual {
			claims = append(claims, d.claims(e, b)...)
		}
	}
	for _, call := range d.spread {
		if call.claims != nil && !b.misses(call.entry) {
			claims = append(claims, call.claims...)
		}
	}
	c := ContainerJourney{Number: b.number, Milestones: d.milestones(claims)}
	d.findMove(b)
	describeEquipment(&c, b)
	d.timeContainer(&c, b)
	d.timeRail(&c)
	d.warnOfEarlyDelivery(&c)
	c.Because = noBoxBecause
	inland := d.inlandGuess(b)
	c.INDETA, c.Because.INDETA = timeOf(inland), indexOf(inland)
	d.findFacilities(&c, b)
	d.terminalView(&c, b)
	c.Status = d.status(&c, b)
	return c
}

func (d *derivation) findFacilities(c *ContainerJourney, b *box) {
	var because *entry
	c.PODTerminal, because = d.placeOf(b, d.pod, RolePOD)
	c.Because.PODTerminal = indexOf(because)
	c.PickupFacility, because = d.placeOf(b, d.destination, RoleDestination)
	c.Because.PickupFacility = indexOf(because)
}

// describeEquipment takes the best known of each property: a gate report knows
// the seal, the booking the type.
func describeEquipment(c *ContainerJourney, b *box) {
	for _, e := range b.own { // from the weakest to the strongest
		if t := strings.ToUpper(strings.TrimSpace(e.Equipment.ISOType)); t != "" {
			c.Equipment.ISOType = t
		}
		if len(e.Equipment.Seals) > 0 {
			c.Equipment.Seals = slices.Clone(e.Equipment.Seals)
		}
		if w := e.Equipment.WeightKg; w > 0 && !math.IsInf(w, 0) {
			c.Equipment.WeightKg = w
		}
	}
}

// timeContainer copies the times of the milestones. Where a box has been
// somewhere twice (rolled, or put back on the quay) the last visit counts.
func (d *derivation) timeContainer(c *ContainerJourney, b *box) {
	for _, m := range c.Milestones {
		s := d.entries[m.Fact].site
		switch m.Event {
		case EmptyOut:
			c.EmptyOutAt = m.At
		case FullIn:
			c.POLFullInAt = m.At
		case VesselLoaded, FeederLoaded:
			setAt(&c.POLLoadedAt, m, s, d.pol)
		case VesselDeparted, FeederDeparted:
			setAt(&c.POLDepartedAt, m, s, d.pol)
		case VesselArrived, FeederArrived:
			setAt(&c.PODArrivedAt, m, s, d.pod)
		case VesselDischarged, FeederDischarged:
			setAt(&c.PODDischargedAt, m, s, d.pod)
		case FullOut:
			d.timeFullOut(c, b, m, s)
		case ArrivedAtDestination:
			c.INDATA = m.At
		case RailUnloaded:
			setAt(&c.INDRailUnloadedAt, m, s, d.destination)
		case Delivered:
			c.DeliveredAt = m.At
		case EmptyIn:
			c.EmptyTerminatedAt = m.At
		}
	}
}

func setAt(at *Moment, m Milestone, is, want *site) {
	if is != nil && is == want {
		*at = m.At
	}
}

func (d *derivation) warnOfEarlyDelivery(c *ContainerJourney) {
	if !c.DeliveredAt.IsZero() && !c.PODDischargedAt.IsZero() && order(c.DeliveredAt, c.PODDischargedAt) < 0 {
		d.warn("early_delivery", "at", "container %s was delivered before it was discharged at the port of discharge", c.Number)
	}
}

// timeFullOut: a box that was moved to a yard has left the quay, and has not been
// picked up yet.
func (d *derivation) timeFullOut(c *ContainerJourney, b *box, m Milestone, s *site) {
	switch {
	case s != nil && s == d.pod && b.inYard:
	case s != nil && s == d.destination:
		c.DestFullOutAt = m.At
	case d.destination == nil || (s != nil && s == d.pod):
		c.PODFullOutAt = m.At
	}
}

// timeRail finds the train from the POD: the first one there, or after the
// discharge. A train before the sea leg, or one with the emptied box, is
// another matter.
func (d *derivation) timeRail(c *ContainerJourney) {
	for _, m := range c.Milestones {
		if !d.railFromPOD(c, m) {
			continue
		}
		switch {
		case m.Event == RailLoaded && c.PODRailLoadedAt.IsZero():
			c.PODRailLoadedAt = m.At
		case m.Event == RailDeparted && c.PODRailDepartedAt.IsZero():
			c.PODRailDepartedAt = m.At
		}
	}
}

func (d *derivation) railFromPOD(c *ContainerJourney, m Milestone) bool {
	if m.Event != RailLoaded && m.Event != RailDeparted {
		return false
	}
	e := &d.entries[m.Fact]
	if e.Load == Empty {
		return false
	}
	afterDischarge := !c.PODDischargedAt.IsZero() && !m.At.IsZero() && !m.At.Time.Before(c.PODDischargedAt.Time)
	return afterDischarge || (d.pod != nil && e.site == d.pod)
}

// inlandGuess is the best estimate of a box's arrival at the destination.
func (d *derivation) inlandGuess(b *box) *entry {
	best := d.inland
	for _, e := range b.own {
		if d.reachesDestination(e) {
			best = laterGuess(best, e.guess())
		}
	}
	return best
}

// status derives current_status: the later stage wins, whatever is missing
// before it (contract 3.3).
func (d *derivation) status(c *ContainerJourney, b *box) ContainerStatus {
	seen := d.stages(c, b)
	inland := d.destination != nil
	switch {
	case seen.emptyIn:
		return StatusEmptyReturned
	case seen.delivered:
		return StatusDelivered
	case seen.destinationOut || (seen.out && !inland):
		return StatusPickedUp
	case seen.unloaded || (seen.arrived && !seen.railed):
		return c.atTerminal()
	case seen.railed:
		return StatusOnRail
	case b.inYard && !c.AvailabilityKnown:
		return StatusOffDock // until the yard speaks for itself
	case b.inYard:
		return c.atTerminal()
	case seen.out:
		return StatusPickedUp
	case seen.discharged && inland:
		return StatusAwaitingInlandTransfer
	case seen.discharged:
		return c.atTerminal()
	case !inland && c.ready():
		return StatusAvailable // the terminal has it, though nobody reported the discharge
	case seen.atSea:
		return StatusOnShip
	}
	return StatusNew
}

// stages are how far a box has come, in the steps of contract 3.3.
type stages struct {
	emptyIn, delivered, destinationOut, out, unloaded, arrived, railed, discharged, atSea bool
}

func (d *derivation) stages(c *ContainerJourney, b *box) stages {
	var seen stages
	for _, m := range c.Milestones {
		s := d.entries[m.Fact].site
		atDestination := s != nil && s == d.destination
		switch m.Event {
		case EmptyIn:
			seen.emptyIn = true
		case Delivered:
			seen.delivered = true
		case FullOut:
			seen.out = seen.out || s == nil || s != d.pod || !b.inYard
			seen.destinationOut = seen.destinationOut || atDestination
		case ArrivedAtDestination:
			seen.arrived = true
		case RailLoaded, RailDeparted:
			seen.railed = seen.railed || d.railFromPOD(c, m)
		case RailUnloaded:
			// With a destination, any other ramp is a change of trains.
			seen.unloaded = seen.unloaded || atDestination || (d.destination == nil && seen.railed)
		case VesselDischarged:
			seen.discharged = true
		case FeederDischarged:
			seen.discharged = seen.discharged || (s != nil && s == d.pod)
			seen.unloaded = seen.unloaded || atDestination
			seen.atSea = true
		case VesselLoaded, VesselDeparted, VesselArrived, VesselBerthed, FeederLoaded, FeederDeparted, FeederArrived,
			TransshipmentArrived, TransshipmentDischarged, TransshipmentLoaded, TransshipmentDeparted:
			seen.atSea = true
		}
	}
	return seen
}

// atTerminal is the status of a box that stands at its last terminal.
func (c *ContainerJourney) atTerminal() ContainerStatus {
	switch {
	case !c.AvailabilityKnown:
		return StatusGrounded
	case c.ready():
		return StatusAvailable
	}
	return StatusNotAvailable
}

// ready is the rule of contract 1.2, as the desk has it.
func (c *ContainerJourney) ready() bool {
	return c.AvailabilityKnown && c.Available &&
		!slices.ContainsFunc(c.Holds, func(h Hold) bool { return h.Status == holdInForce })
}
