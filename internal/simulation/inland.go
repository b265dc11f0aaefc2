package simulation

// inland writes what happens after the last discharge.
func (b *builder) inland() {
	terminal := b.journey.last().To.Terminal
	switch b.journey.Inland {
	case PickUpAtPort:
		b.pickUp(30, terminal)
	case PickUpAtYard:
		b.transfer(20, terminal, terminal.Town.yard)
		b.pickUp(40, terminal.Town.yard)
	case PickUpAfterDrayage:
		other := otherTerminal(terminal)
		b.transfer(16, terminal, other)
		b.pickUp(40, other)
	case Refused:
		b.refused(terminal)
	case RailStated, RailUnstated:
		b.rail(terminal)
	case BargeStated:
		b.barge(terminal)
	case TruckStated:
		b.carrierTruck(terminal)
	}
	b.deliver()
}

func otherTerminal(terminal *Facility) *Facility {
	for _, other := range terminal.Town.terminals {
		if other != terminal {
			return other
		}
	}
	return terminal.Town.yard
}

func (b *builder) pickUp(after float64, place *Facility) {
	b.move(after, Move{Reason: PickUp, What: "gate_out", Load: "laden", Mode: "truck", Place: place, Names: []string{"full_out"}})
}

// transfer moves the container between two places of one town.
func (b *builder) transfer(after float64, from, to *Facility) {
	group := b.nextGroup()
	b.move(after, Move{Reason: TransferOut, What: "gate_out", Load: "laden", Mode: "truck", Place: from, Group: group})
	b.move(3, Move{Reason: TransferIn, What: "gate_in", Load: "laden", Mode: "truck", Place: to, Group: group})
}

// refused: the consignee sends the cargo back, and takes it later.
func (b *builder) refused(terminal *Facility) {
	group := b.nextGroup()
	b.pickUp(30, terminal)
	b.journey.Moves[len(b.journey.Moves)-1].Group = group
	back := terminal
	if b.box.refusedFor*b.box.pace > 75 && b.box.refusedElsewhere {
		back = otherTerminal(terminal)
	}
	b.move(b.box.refusedFor, Move{Reason: BackIn, What: "gate_in", Load: "laden", Mode: "truck", Place: back, Group: group})
	b.pickUp(60, back)
}

func (b *builder) rail(terminal *Facility) {
	from := terminal
	if b.box.drayToRamp {
		from = terminal.Town.ramps[0]
		b.transfer(20, terminal, from)
	}
	for i, town := range b.journey.Ramps {
		from = b.train(i, from, town)
	}
	b.pickUp(40, from)
}

// train carries the container from one ramp to a ramp of the town, and at an
// interchange perhaps on to the other ramp of that town.
func (b *builder) train(i int, from *Facility, to *Town) *Facility {
	final := i == len(b.journey.Ramps)-1
	ramp := to.ramps[0]
	rail := func(hours float64, reason Reason, what, name string, place *Facility) {
		load := ""
		if what == "load" || what == "discharge" {
			load = "laden"
		}
		move := Move{Reason: reason, What: what, Mode: "rail", Load: load, Place: place, Names: []string{name}, Final: final}
		if final && reason == RailArrives {
			move.Extra = "arrived_at_inland_destination"
		}
		b.move(hours, move)
	}
	rail(20, RailLoad, "load", "rail_loaded", from)
	rail(6, RailDeparts, "depart", "rail_departed", from)
	rail(50, RailArrives, "arrive", "rail_arrived", ramp)
	rail(5, RailUnload, "discharge", "rail_unloaded", ramp)
	if !final && b.box.crosstown {
		b.transfer(5, ramp, to.ramps[1])
		ramp = to.ramps[1]
	}
	return ramp
}

func (b *builder) barge(terminal *Facility) {
	ramp := b.journey.Dest.ramps[0]
	barge := func(hours float64, reason Reason, what, name, extra string, place *Facility) {
		load := ""
		if what == "load" || what == "discharge" {
			load = "laden"
		}
		b.move(hours, Move{Reason: reason, What: what, Mode: "barge", Load: load, Place: place, Names: []string{name}, Extra: extra, Final: true})
	}
	barge(24, BargeLoad, "load", "feeder_loaded", "", terminal)
	barge(5, BargeDeparts, "depart", "feeder_departed", "", terminal)
	barge(30, BargeArrives, "arrive", "feeder_arrived", "arrived_at_inland_destination", ramp)
	barge(4, BargeDischarge, "discharge", "feeder_discharged", "", ramp)
	b.pickUp(30, ramp)
}

// carrierTruck: the line's own truck brings the container to an inland depot.
func (b *builder) carrierTruck(terminal *Facility) {
	ramp := b.journey.Dest.ramps[0]
	b.move(26, Move{Reason: TowardsInland, What: "gate_out", Load: "laden", Mode: "truck", Place: terminal})
	b.move(12, Move{Reason: InlandGateIn, What: "gate_in", Load: "laden", Mode: "truck", Place: ramp, Extra: "arrived_at_inland_destination", Final: true})
	b.pickUp(30, ramp)
}

// deliver hands the cargo over and brings the empty container back.
func (b *builder) deliver() {
	town := b.clockTown()
	if b.box.toDoor && b.journey.Dest == nil && b.box.doorTown != nil {
		town = b.box.doorTown
	}
	if b.box.toDoor {
		b.move(6, Move{Reason: HandOver, What: "deliver", Load: "laden", Mode: "truck", Place: town.consignee, Names: []string{"delivered"}})
	}
	depot := town.depot
	if b.box.returnTown != nil && b.box.returnTown != b.journey.POL() {
		depot = b.box.returnTown.depot
	}
	b.move(70, Move{Reason: EmptyReturn, What: "gate_in", Load: "empty", Mode: "truck", Place: depot, Names: []string{"empty_in"}})
}

func (b *builder) clockTown() *Town {
	return b.journey.Moves[len(b.journey.Moves)-1].Place.Town
}
