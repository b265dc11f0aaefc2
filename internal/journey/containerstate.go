package journey

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/freight"
)

// containerState is one container of the shipment while its journey is derived.
type containerState struct {
	number string
	own    []*entry // valid facts that name it, from the weakest to the strongest
	// sailed is when it first leaves by main vessel; zero when not known. landed is
	// when its sea voyage ended, or is to end.
	sailed, landed freight.Moment
	// legs are its stays aboard ships, moves the actual moves over water that count
	// for it, and missed the ships that left without it.
	legs   []*leg
	moves  []seaMove
	missed map[*ship]bool
	unused bool // it went back empty, and no ship is to carry it
	// pol, pod and destination are its own; stops the ports between at which it has
	// called.
	pol, pod, destination *site
	stops                 []*site
	podReached            bool // the POD is only the last port that it has come to
	// begun is the move by which its journey began, last its last own move; nil for
	// none.
	begun, last *entry
	pickups     []pickup
	transfers   []*entry // laden gate-outs by which it was only moved
	entered     *entry   // by which it came to where it stands ashore; nil when not known
	// yard is its first arrival in a yard off the dock of the POD; nil when there
	// was none. inYard: it has not left that yard.
	yard   *entry
	inYard bool
}

// findContainers makes a box for every number that a valid fact names, and for the
// container numbers by which the shipment is followed.
func (d *derivation) findContainers(followed []freight.ShipmentNumber) {
	for _, e := range d.valid {
		for _, number := range e.containers {
			cs := d.container(number)
			cs.own = append(cs.own, e)
		}
	}
	for _, n := range followed {
		if number := freight.FoldNumber(n.Number); n.Type == freight.ContainerNumber && number != "" && len(d.valid) > 0 {
			d.container(number)
		}
	}
	slices.SortFunc(d.containers, func(a, b *containerState) int { return cmp.Compare(a.number, b.number) })
	for _, cs := range d.containers {
		if !freight.IsContainerNumber(cs.number) {
			d.warn("check_digit", "containers", "container number %s is not one of ISO 6346, or its check digit is wrong", cs.number)
		}
	}
}

func (d *derivation) container(number string) *containerState {
	cs, ok := d.byName[number]
	if !ok {
		cs = &containerState{number: number}
		d.byName[number] = cs
		d.containers = append(d.containers, cs)
	}
	return cs
}

// spreadLimit bounds containers times moves of the whole shipment. A shipment of
// 500 containers that calls at 20 places needs 20,000.
const spreadLimit = 100_000

// boundSpread leaves out the first of the moves of the whole shipment where there
// are too many for its containers.
func (d *derivation) boundSpread() {
	most := spreadLimit / max(1, len(d.containers))
	if n := len(d.shipMoves) + len(d.byLand); n > most {
		d.warn("too_many_calls", "facts", "only the last %d of %d calls of the whole shipment count for its %d containers", most, n, len(d.containers))
		d.shipMoves, d.byLand = lastOf(d.shipMoves, most), lastOf(d.byLand, most)
	}
	d.customs, d.plans = lastOf(d.customs, most), lastOf(d.plans, most)
}

func lastOf[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// sailing is when a container first leaves by main vessel: as it happened, else as
// expected from the POL for it, else for the shipment.
func (d *derivation) sailing(cs *containerState) freight.Moment {
	var happened, expected passage
	for _, m := range cs.moves {
		if m.by == freight.ByVessel && m.takes() {
			happened.add(m.entry)
		}
	}
	if happened.any {
		return happened.first
	}
	for _, e := range cs.own {
		if e.by == freight.ByVessel && e.takes() && e.classifier != freight.Actual && e.site != nil && e.site == cs.pol {
			expected.add(e)
		}
	}
	switch {
	case len(cs.moves) > 0 && cs.moves[0].leg.main:
		return cs.moves[0].at // it was aboard, though nobody reported since when
	case expected.any:
		expected.useEstimates()
		return expected.first
	case cs.pol != nil && !cs.pol.out.actual:
		return cs.pol.out.first
	}
	return freight.Moment{}
}

// claims are the milestones that one actual fact makes for a container.
func (d *derivation) claims(list []claim, e *entry, cs *containerState, visit int) []claim {
	if event := d.event(e, cs); event != "" {
		list = append(list, claim{event: event, order: MilestoneOrder[event], entry: e, gate: event == freight.ArrivedAtDestination, visit: visit})
	}
	if d.reachesDestination(e, cs) {
		list = append(list, claim{event: freight.ArrivedAtDestination, order: MilestoneOrder[freight.ArrivedAtDestination], entry: e, visit: noVisit})
	}
	return list
}

// containerJourney derives everything that is shown of one container.
func (d *derivation) containerJourney(cs *containerState, j *Journey) ContainerJourney {
	cs.begun = d.begun(cs)
	d.findPickups(cs)
	c := ContainerJourney{Number: cs.number, PODZone: zoneOf(cs.pod), DestZone: zoneOf(cs.destination)}
	d.findReturn(&c, cs)
	var claims []claim
	for _, e := range cs.own {
		if e.classifier == freight.Actual && !(e.overWater() && e.site != nil && !e.at.IsZero()) {
			claims = d.claims(claims, e, cs, noVisit)
		}
	}
	for _, m := range cs.moves {
		claims = d.claims(claims, m.entry, cs, m.visit())
	}
	for _, e := range d.byLand {
		if e.classifier == freight.Actual {
			claims = d.claims(claims, e, cs, noVisit)
		}
	}
	c.Milestones = d.milestones(claims, cs)
	d.findYard(cs)
	describeEquipment(&c, cs)
	d.timeContainer(&c, cs)
	d.timeRail(&c, cs)
	d.warnOfEarlyDelivery(&c)
	c.Provenance = noProvenance
	inland := d.inlandEstimate(cs)
	c.INDETA, c.Provenance.INDETA = timeOf(inland), indexOf(inland)
	d.findFacilities(&c, cs)
	d.deriveRelease(&c, cs)
	c.Status = d.status(&c, cs)
	return c
}

func (d *derivation) findFacilities(c *ContainerJourney, cs *containerState) {
	var provenance *entry
	c.PODTerminal, provenance = d.placeOf(cs, cs.pod, freight.RolePOD)
	c.Provenance.PODTerminal = indexOf(provenance)
	c.PickupFacility, provenance = d.placeOf(cs, cs.destination, freight.RoleDestination)
	c.Provenance.PickupFacility = indexOf(provenance)
}

// describeEquipment takes the best known of each property: a gate report knows
// the seal, the booking the type.
func describeEquipment(c *ContainerJourney, cs *containerState) {
	for _, e := range cs.own { // from the weakest to the strongest
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

// timeContainer copies the times of the milestones. Where a container has been
// somewhere twice (rolled, or put back on the quay) the last visit counts.
func (d *derivation) timeContainer(c *ContainerJourney, cs *containerState) {
	for _, m := range c.Milestones {
		s := d.entries[m.Fact].site
		switch m.Event {
		case freight.EmptyOut:
			c.EmptyOutAt = m.At
		case freight.FullIn:
			c.POLFullInAt = m.At
		case freight.VesselLoaded, freight.FeederLoaded:
			setAt(&c.POLLoadedAt, m, s, cs.pol)
		case freight.VesselDeparted, freight.FeederDeparted:
			setAt(&c.POLDepartedAt, m, s, cs.pol)
		case freight.VesselArrived, freight.FeederArrived:
			if !cs.passes(&d.entries[m.Fact]) {
				setAt(&c.PODArrivedAt, m, s, cs.pod)
			}
		case freight.VesselDischarged, freight.FeederDischarged:
			setAt(&c.PODDischargedAt, m, s, cs.pod)
		case freight.FullOut:
			d.timeFullOut(c, cs, m, s)
		case freight.ArrivedAtDestination:
			c.INDATA = m.At
		case freight.RailUnloaded:
			setAt(&c.INDRailUnloadedAt, m, s, cs.destination)
		case freight.Delivered:
			c.DeliveredAt = m.At
		case freight.EmptyIn:
			if !d.movedLaden(cs, m) {
				c.EmptyTerminatedAt = m.At
			}
		}
	}
}

// movedLaden: a later move shows that an empty gate-in did not end the journey.
func (d *derivation) movedLaden(cs *containerState, m Milestone) bool {
	return slices.ContainsFunc(cs.own, func(e *entry) bool {
		if e.classifier != freight.Actual || e.at.IsZero() || m.At.IsZero() || e.at.Compare(m.At) <= 0 || e.LoadStatus == freight.Empty {
			return false
		}
		switch e.Activity {
		case freight.GateIn, freight.GateOut:
			return e.LoadStatus == freight.Laden
		case freight.Loading, freight.Discharge:
			return e.LoadStatus == freight.Laden && e.by != ""
		}
		return false
	})
}

func setAt(at *freight.Moment, m Milestone, is, want *site) {
	if is != nil && is == want {
		*at = m.At
	}
}

func (d *derivation) warnOfEarlyDelivery(c *ContainerJourney) {
	if !c.DeliveredAt.IsZero() && !c.PODDischargedAt.IsZero() && c.DeliveredAt.Compare(c.PODDischargedAt) < 0 {
		d.warn("early_delivery", "at", "container %s was delivered before it was discharged at the port of discharge", c.Number)
	}
}

// timeFullOut: at the inland destination or at the port.
func (d *derivation) timeFullOut(c *ContainerJourney, cs *containerState, m Milestone, s *site) {
	if cs.destination != nil && s != nil && (s == cs.destination || d.near(s, cs.destination)) {
		c.DestFullOutAt = m.At
	} else if cs.destination == nil {
		c.PODFullOutAt = m.At
	}
}

// timeRail finds the train from the POD: the first one there, or after the
// discharge. A train before the sea leg, or one with the emptied box, is
// another matter.
func (d *derivation) timeRail(c *ContainerJourney, cs *containerState) {
	for _, m := range c.Milestones {
		if !d.railFromPOD(c, cs, m) {
			continue
		}
		switch {
		case m.Event == freight.RailLoaded && c.PODRailLoadedAt.IsZero():
			c.PODRailLoadedAt = m.At
		case m.Event == freight.RailDeparted && c.PODRailDepartedAt.IsZero():
			c.PODRailDepartedAt = m.At
		}
	}
}

func (d *derivation) railFromPOD(c *ContainerJourney, cs *containerState, m Milestone) bool {
	if m.Event != freight.RailLoaded && m.Event != freight.RailDeparted {
		return false
	}
	e := &d.entries[m.Fact]
	if e.LoadStatus == freight.Empty {
		return false
	}
	if e.site != nil && cs.pod != nil && e.site != cs.pod && !d.near(e.site, cs.pod) {
		return false
	}
	afterDischarge := !c.PODDischargedAt.IsZero() && !m.At.IsZero() && !m.At.Time.Before(c.PODDischargedAt.Time)
	return afterDischarge || (cs.pod != nil && e.site == cs.pod)
}

// inlandEstimate is the best estimate of a box's arrival at the destination.
func (d *derivation) inlandEstimate(cs *containerState) *entry {
	var best *entry
	for _, e := range d.byLand {
		if d.reachesDestination(e, cs) {
			best = laterEstimate(best, e.estimate())
		}
	}
	for _, e := range d.plans {
		if d.reachesDestination(e, cs) {
			best = laterEstimate(best, e)
		}
	}
	for _, e := range cs.own {
		if d.reachesDestination(e, cs) {
			best = laterEstimate(best, e.estimate())
		}
	}
	return best
}

// status derives current_status: the later stage wins, whatever is missing
// before it. What came back is where it came back to.
func (d *derivation) status(c *ContainerJourney, cs *containerState) freight.ContainerStatus {
	seen := d.stages(c, cs)
	inland := cs.destination != nil
	switch {
	case !c.EmptyTerminatedAt.IsZero():
		return freight.StatusEmptyReturned
	case seen.delivered && !seen.back:
		return freight.StatusDelivered
	case cs.out() != nil && seen.fullOut:
		return freight.StatusPickedUp
	case seen.back && cs.inYard && !c.AvailabilityKnown:
		return freight.StatusOffDock
	case seen.back:
		return c.atTerminal()
	case seen.unloaded || seen.arrived:
		return c.atTerminal()
	case seen.railed:
		return freight.StatusOnRail
	case cs.inYard && !inland && !c.AvailabilityKnown:
		return freight.StatusOffDock // until the yard speaks for itself
	case cs.inYard && !inland:
		return c.atTerminal()
	case seen.discharged && inland:
		return freight.StatusAwaitingInlandTransfer
	case seen.discharged:
		return c.atTerminal()
	case !inland && c.ready():
		return freight.StatusAvailable // the terminal has it, though nobody reported the discharge
	case seen.atSea:
		return freight.StatusOnShip
	}
	return freight.StatusNew
}

// stages are how far a container has come.
type stages struct {
	delivered, fullOut, back, unloaded, arrived, railed, discharged, atSea bool
}

func (d *derivation) stages(c *ContainerJourney, cs *containerState) stages {
	var seen stages
	for _, l := range cs.legs { // its way ashore may not have been reported
		seen.discharged = seen.discharged || l.to != nil && l.to == cs.pod && !l.presumed
	}
	for _, m := range c.Milestones {
		s := d.entries[m.Fact].site
		atDestination := s != nil && s == cs.destination
		switch m.Event {
		case freight.Delivered:
			seen.delivered = true
		case freight.FullOut:
			seen.fullOut = true
		case freight.ArrivedAtDestination:
			seen.arrived = true
		case freight.RailLoaded, freight.RailDeparted:
			onward := seen.discharged && d.entries[m.Fact].LoadStatus != freight.Empty && m.At.Compare(cs.landed) > 0
			seen.railed = seen.railed || onward || d.railFromPOD(c, cs, m) || cs.railsInland(&d.entries[m.Fact])
		case freight.RailUnloaded:
			// With a destination, any other ramp is a change of trains.
			seen.unloaded = seen.unloaded || atDestination
		case freight.VesselDischarged:
			seen.discharged = true
		case freight.FeederDischarged:
			seen.discharged = seen.discharged || (s != nil && s == cs.pod)
			seen.unloaded = seen.unloaded || atDestination
			seen.atSea = true
		case freight.VesselLoaded, freight.VesselDeparted, freight.VesselArrived, freight.VesselBerthed, freight.FeederLoaded, freight.FeederDeparted, freight.FeederArrived,
			freight.TransshipmentArrived, freight.TransshipmentDischarged, freight.TransshipmentLoaded, freight.TransshipmentDeparted:
			seen.atSea = true
		}
	}
	if n := len(cs.pickups); n > 0 && cs.pickups[n-1].back != nil {
		back := cs.pickups[n-1].back
		seen.back = c.DeliveredAt.IsZero() || back.at.Compare(c.DeliveredAt) >= 0
	}
	return seen
}

// railsInland: the container came laden to its port of lading, and trains carry it elsewhere
// after that. It has crossed the sea, though nobody reported any ship.
func (cs *containerState) railsInland(e *entry) bool {
	return e.LoadStatus != freight.Empty && e.site != nil && e.site != cs.pol && cs.didBefore(e, func(m *entry) bool {
		return m.Activity == freight.GateIn && m.LoadStatus == freight.Laden && m.site != nil && m.site == cs.pol
	})
}

// atTerminal is the status of a box that stands at its last terminal.
func (c *ContainerJourney) atTerminal() freight.ContainerStatus {
	switch {
	case !c.AvailabilityKnown:
		return freight.StatusGrounded
	case c.ready():
		return freight.StatusAvailable
	}
	return freight.StatusNotAvailable
}

// ready reports whether the container can be picked up, by the rule of desk.ready.
func (c *ContainerJourney) ready() bool {
	return c.AvailabilityKnown && c.Available &&
		!slices.ContainsFunc(c.Holds, func(h freight.Hold) bool { return h.Status == holdInForce })
}
