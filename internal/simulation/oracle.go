package simulation

import "slices"

// Expect says what a careful clerk would show at the end of the world, having
// read every statement.
func (w *World) Expect() Expectation {
	w.Statements()
	var all Expectation
	clerks := make([]*clerk, len(w.Boxes))
	for i, box := range w.Boxes {
		clerks[i] = w.newClerk(box)
		all.Containers = append(all.Containers, clerks[i].container())
	}
	for i := range w.Shipments {
		all.Shipments = append(all.Shipments, w.shipment(i, clerks, all.Containers))
	}
	for i, c := range clerks {
		c.permitSupposed(&all.Containers[i])
		c.permitFirstShip(&all.Containers[i])
	}
	return all
}

func (c *clerk) container() ContainerExpectation {
	known, available := c.available()
	expected := ContainerExpectation{
		Number: c.box.Number, Shipment: c.box.Shipment, Gone: c.takenBack() || !c.namedAtAll(), Status: c.status(),
		EmptyOutAt:          c.timeOf(EmptyPickUp, false),
		POLFullInAt:         c.timeOf(OriginGateIn, false),
		POLVesselLoadedAt:   c.atPOL(SeaLoad),
		POLVesselDepartedAt: c.atPOL(ShipDeparts),
		PODArrivedAt:        c.arrivedAt(),
		PODDischargedAt:     c.unlessConfused(c.timeOf(SeaDischarge, true)),
		DeliveredAt:         c.timeOf(HandOver, false),
		EmptyTerminatedAt:   c.timeOf(EmptyReturn, false),
		PODTerminal:         c.podTerminal(),
		AvailabilityKnown:   known, AvailableForPickup: available,
		Milestones: c.milestones(),
	}
	c.inlandTimes(&expected)
	c.permitBoarding(&expected)
	c.permitFormerShip(&expected)
	c.permitOnwardArrivals(&expected)
	return expected
}

func (c *clerk) inlandTimes(expected *ContainerExpectation) {
	null := Time{Grade: Determined, Null: true}
	expected.PODRailLoadedAt = c.firstTime(RailLoad)
	expected.PODRailDepartedAt = c.firstTime(RailDeparts)
	expected.INDATAAt = c.inlandArrival()
	expected.INDRailUnloadedAt = c.timeOf(RailUnload, true)
	if !c.destKnown {
		expected.INDRailUnloadedAt = c.withInterchanges(expected.INDRailUnloadedAt, RailUnload)
	}
	expected.PODFullOutAt, expected.FinalDestinationFullOutAt = c.timeOf(PickUp, false), null
	if c.journey.Dest != nil {
		expected.PODFullOutAt, expected.FinalDestinationFullOutAt = null, expected.PODFullOutAt
		if !c.destKnown {
			expected.FinalDestinationFullOutAt.Grade = Undetermined
		}
		if out, _ := c.find(TowardsInland); out != nil && !c.destKnown {
			expected.PODFullOutAt.OneOf = []Instant{c.instant(*out)}
		}
	}
}

// timeOf is the time of the moves of a reason; where final, at the last place.
func (c *clerk) timeOf(reason Reason, final bool) Time {
	return c.timeWhere(func(f fact) bool { return f.Reason == reason && (!final || f.Final) })
}

// atPOL is the time of a move at the first port, on the ship that sailed.
func (c *clerk) atPOL(reason Reason) Time {
	return c.unlessConfused(c.timeWhere(func(f fact) bool {
		return f.Reason == reason && f.Leg == 0 && f.Call == c.journey.Legs[0].From
	}))
}

// firstTime is the time of the first move of a reason that happened.
func (c *clerk) firstTime(reason Reason) Time {
	first, _ := c.find(reason)
	return c.timeWhere(func(f fact) bool { return first != nil && f.Reason == reason && f.At.Equal(first.At) })
}

// timeWhere collects the times of the moves chosen. Any one that was said
// makes the value determined; none that happened makes it null.
func (c *clerk) timeWhere(chosen func(fact) bool) Time {
	value := Time{Grade: Determined, Null: true}
	for _, f := range c.facts {
		if !chosen(f) {
			continue
		}
		value.OneOf = append(value.OneOf, c.instant(f))
		if f.proved && c.roleKnown(f) {
			value.Null = false
		}
		if f.Call != nil && !c.roleKnown(f) && c.statedPOD == nil {
			value.Grade = Open
		}
	}
	if value.Grade == Determined && len(value.OneOf) > 0 && value.Null {
		value.Grade = Undetermined
	}
	return value
}

// unlessConfused opens the values of the port of discharge while nobody has
// said which one it is: the clerk may take a hub for it.
func (c *clerk) unlessConfused(value Time) Time {
	if c.confused() && len(value.OneOf) == 0 {
		value.Grade = Open
	}
	return value
}

// confused: a discharge was said, and neither the line nor a later move says
// what port that was.
func (c *clerk) confused() bool { return !c.podKnown && c.statedPOD == nil || !c.polKnown }

func (c *clerk) arrivedAt() Time {
	value := c.timeWhere(func(f fact) bool {
		ashore := f.Reason == ShipArrives && f.Final
		return ashore || c.journey.Twice && f.Reason == ShipArrives && f.Place.Town == c.journey.POD()
	})
	if c.journey.Twice {
		value.Null = true
	}
	return c.unlessConfused(value)
}

// inlandArrival is the arrival by rail; by barge or truck it may stay null,
// because the value is the view of the rail carrier.
func (c *clerk) inlandArrival() Time {
	value := c.timeWhere(func(f fact) bool { return f.Extra != "" })
	if rail := c.journey.Inland == RailStated || c.journey.Inland == RailUnstated; !rail {
		value.Null = true
	}
	if !c.destKnown {
		return c.withInterchanges(value, RailArrives)
	}
	return value
}

// withInterchanges accepts the ramps on the way for the destination.
func (c *clerk) withInterchanges(value Time, reason Reason) Time {
	value.Grade = Undetermined
	for _, f := range c.facts {
		if f.Reason == reason && len(f.said) > 0 {
			value.OneOf = append(value.OneOf, c.instant(f))
		}
	}
	return value
}

// podTerminal is the terminal of discharge when a statement names it.
func (c *clerk) podTerminal() Text {
	value := Text{Grade: Undetermined}
	if c.confused() || !c.podKnown {
		return Text{Grade: Open}
	}
	for _, terminal := range c.journey.POD().terminals {
		value.OneOf = append(value.OneOf, terminal.SMDG)
	}
	_, discharge := c.find(SeaDischarge)
	moved, _ := c.find(TransferIn)
	if discharge == nil || !discharge.Final || moved != nil {
		return value
	}
	for _, s := range discharge.said {
		if s.Place.SMDG != "" {
			return Text{Determined, []string{discharge.Place.SMDG}}
		}
	}
	return value
}

// takenBack: the line retracted all that it said of this container.
func (c *clerk) takenBack() bool {
	said := false
	for i := range c.statements {
		s := &c.statements[i]
		if s.truth.box == c.box.index && !s.void {
			return false
		}
		said = said || s.truth.box == c.box.index
	}
	return said
}

// namedAtAll: some statement names the container.
func (c *clerk) namedAtAll() bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		return s.truth.box == c.box.index && !s.Retracted
	})
}
