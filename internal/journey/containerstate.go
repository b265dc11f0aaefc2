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
	// sailed is when it first leaves by main vessel, landed when its sea voyage ended or is
	// expected to end; zero when not known.
	sailed, landed freight.Moment
	// legs are its stays aboard ships, moves the actual moves over water that count for it,
	// missed the ships that left without it.
	legs   []*leg
	moves  []seaMove
	missed map[*ship]bool
	unused bool // it went back empty, and no ship is planned to carry it
	// pol, pod and destination are those of this container; stops are the ports between
	// where it has called.
	pol, pod, destination *site
	stops                 []*site
	podReached            bool // the POD is only the last port that it has reached
	// begun is the first move of its journey, last its last own move; nil for none.
	begun, last *entry
	pickups     []pickup
	transfers   []*entry // laden gate-outs that only moved it to another place
	entered     *entry   // the move that brought it to where it stands ashore; nil when not known
	// yard is its first arrival in an off-dock yard of the POD, or nil. inYard: it has not
	// left that yard.
	yard   *entry
	inYard bool
}

// findContainers makes a container for every number in a valid fact, and for every
// container number by which the shipment is tracked.
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

// lostItsContainers reports whether each container that was named has been taken back. What
// ships do is then about none that anybody knows of.
func (d *derivation) lostItsContainers() bool {
	return len(d.containers) == 0 && slices.ContainsFunc(d.entries, func(e entry) bool { return len(e.containers) > 0 })
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

// spreadLimit bounds the number of containers times the number of moves of the whole
// shipment. 500 containers with 20 calls need 20,000.
const spreadLimit = 100_000

// boundSpread drops the earliest moves of the whole shipment where there are too many for
// its containers.
func (d *derivation) boundSpread() {
	most := spreadLimit / max(1, len(d.containers))
	if n := len(d.shipMoves) + len(d.byLand); n > most {
		d.warn("too_many_calls", "facts", "only the last %d of %d calls of the whole shipment count for its %d containers", most, n, len(d.containers))
		d.shipMoves, d.byLand = lastOf(d.shipMoves, most), lastOf(d.byLand, most)
	}
	d.customs, d.plans = lastOf(d.customs, most), lastOf(d.plans, most)
}

func lastOf[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// sailing returns when a container first leaves by main vessel: the actual time, else the
// expected one from its POL, else that of the shipment.
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
		return cs.moves[0].at // it was aboard; the boarding is not reported
	case expected.any:
		expected.useEstimates()
		return expected.first
	case cs.pol != nil && !cs.pol.out.actual:
		return cs.pol.out.first
	}
	return freight.Moment{}
}

// claims adds to list the milestones that one actual fact makes for a container.
func (d *derivation) claims(list []claim, e *entry, cs *containerState, visit int) []claim {
	if event := d.event(e, cs); event != "" {
		list = append(list, claim{event: event, order: MilestoneOrder[event], entry: e, gate: event == freight.ArrivedAtDestination, visit: visit})
	}
	if d.reachesDestination(e, cs) {
		list = append(list, claim{event: freight.ArrivedAtDestination, order: MilestoneOrder[freight.ArrivedAtDestination], entry: e, visit: noVisit})
	}
	return list
}

// containerJourney derives the whole journey of one container.
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
	d.addOutlook(&c, cs)
	return c
}

func (d *derivation) findFacilities(c *ContainerJourney, cs *containerState) {
	var provenance *entry
	c.PODTerminal, provenance = d.placeOf(cs, cs.pod, freight.RolePOD)
	c.Provenance.PODTerminal = indexOf(provenance)
	c.PickupFacility, provenance = d.placeOf(cs, cs.destination, freight.RoleDestination)
	c.Provenance.PickupFacility = indexOf(provenance)
}

// describeEquipment takes each property from the strongest fact that has it: often the
// seals from a gate report, the type from the booking.
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

// timeContainer copies the times of the milestones. Where a container was somewhere twice
// (rolled, or discharged again where it was loaded) the last visit counts.
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

// movedLaden reports whether a later laden move shows that an empty gate-in did not end the
// journey.
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

// timeFullOut sets the time of the full-out, at the inland destination or at the port.
func (d *derivation) timeFullOut(c *ContainerJourney, cs *containerState, m Milestone, s *site) {
	if cs.destination != nil && s != nil && (s == cs.destination || d.near(s, cs.destination)) {
		c.DestFullOutAt = m.At
	} else if cs.destination == nil && (s == nil || s != d.destination) {
		c.PODFullOutAt = m.At
	}
}

// timeRail sets the times of the train from the POD: the first one there, or after the
// discharge. Trains before the sea leg and those with the emptied container do not count.
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

// inlandEstimate returns the best estimate of the container's arrival at the destination,
// or nil.
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

// status derives current_status. The latest stage wins, whatever is missing before it. A
// container that came back has the status of the place where it came back to.
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
		return freight.StatusOffDock // until the yard reports availability
	case cs.inYard && !inland:
		return c.atTerminal()
	case seen.discharged && inland:
		return freight.StatusAwaitingInlandTransfer
	case seen.discharged:
		return c.atTerminal()
	case !inland && c.ready():
		return freight.StatusAvailable // the terminal has it; the discharge is not reported
	case seen.atSea:
		return freight.StatusOnShip
	}
	return freight.StatusNew
}

// stages has the stages that a container has reached.
type stages struct {
	delivered, fullOut, back, unloaded, arrived, railed, discharged, atSea bool
}

func (d *derivation) stages(c *ContainerJourney, cs *containerState) stages {
	var seen stages
	for _, l := range cs.legs { // the discharge may not be reported
		seen.discharged = l.to != nil && l.to == cs.pod && !l.presumed || seen.discharged && l.barge
		seen.atSea = seen.atSea || l.discharged != nil && l.to != l.from && l.to != cs.pol
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
			seen.railed = seen.railed || onward || d.railFromPOD(c, cs, m) || cs.railsInland(&d.entries[m.Fact]) || d.railsAbroad(cs, &d.entries[m.Fact])
		case freight.RailUnloaded:
			// With a destination, an unloading elsewhere is a change of trains.
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
	seen.railed = seen.railed || cs.changesTrain()
	if n := len(cs.pickups); n > 0 && cs.pickups[n-1].back != nil {
		back := cs.pickups[n-1].back
		seen.back = c.DeliveredAt.IsZero() || back.at.Compare(c.DeliveredAt) >= 0
	}
	return seen
}

// changesTrain reports whether a train brought the container, after its sea voyage, to a place that
// is neither its POD nor its destination.
func (cs *containerState) changesTrain() bool {
	return slices.ContainsFunc(cs.own, func(e *entry) bool {
		return e.classifier == freight.Actual && e.by == freight.ByRail && brings(e) && e.LoadStatus != freight.Empty && e.site != nil && e.site != cs.pod && e.site != cs.destination &&
			!cs.landed.IsZero() && e.at.Compare(cs.landed) > 0
	})
}

// railsInland reports whether a train carries the container elsewhere after it came laden
// to its POL, or off a ship at another port, or to where its journey ends: it crossed the sea, even when no ship
// is reported.
func (cs *containerState) railsInland(e *entry) bool {
	return e.LoadStatus != freight.Empty && e.site != nil && e.site != cs.pol && (brings(e) && cs.endsAfter(e) || cs.didBefore(e, func(m *entry) bool {
		return m.site != nil && (m.Activity == freight.GateIn && m.LoadStatus == freight.Laden && m.site == cs.pol || m.Activity == freight.Discharge && m.overWater() && cs.pol != nil && m.site != cs.pol)
	}))
}

// railsAbroad reports whether a ship called where the container had been picked up empty, and then at another port,
// before a train carries it laden.
func (d *derivation) railsAbroad(cs *containerState, e *entry) bool {
	return e.LoadStatus != freight.Empty && cs.didBefore(e, func(m *entry) bool {
		return m.Activity == freight.GateOut && m.LoadStatus == freight.Empty && m.site != e.site && d.sailedBetween(m, e)
	})
}

// sailedBetween reports whether a ship called, between two moves on land, at the port of the first and then at another.
func (d *derivation) sailedBetween(from, to *entry) bool {
	for _, s := range d.fleet.ships {
		if slices.ContainsFunc(s.calls, func(c *call) bool {
			return c.site == from.site && c.left().After(from.at.Time) && c.index+1 < len(s.calls) && s.calls[c.index+1].first.at.Compare(to.at) < 0
		}) {
			return true
		}
	}
	return false
}

// atTerminal returns the status of a container that stands at its last terminal.
func (c *ContainerJourney) atTerminal() freight.ContainerStatus {
	switch {
	case !c.AvailabilityKnown:
		return freight.StatusGrounded
	case c.ready():
		return freight.StatusAvailable
	}
	return freight.StatusNotAvailable
}

// ready reports whether the container can be picked up, by the same rule as
// releaseState.ready.
func (c *ContainerJourney) ready() bool {
	return c.AvailabilityKnown && c.Available &&
		!slices.ContainsFunc(c.Holds, func(h freight.Hold) bool { return h.Status == holdInForce })
}
