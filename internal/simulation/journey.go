package simulation

import "time"

// Leg is a stretch at sea on one ship, from a call where the container is
// loaded to a call where it is discharged.
type Leg struct {
	Voyage   *Voyage
	From, To *Call
}

// Inland is how the container travels after its last port.
type Inland int

// The ways inland.
const (
	PickUpAtPort Inland = iota
	PickUpAtYard
	PickUpAfterDrayage
	Refused
	RailStated
	RailUnstated // the US pattern: nobody says that the ramp is the destination
	BargeStated
	TruckStated
)

// Reason is why a move was made, which decides what it means to a clerk.
type Reason int

// The reasons.
const (
	Repositioned Reason = iota
	EmptyPickUp
	OriginGateIn
	UnusedReturn
	SeaLoad
	UndoneLoad
	UndoneDischarge
	ShipDeparts
	ShipArrives
	ShipBerths
	SeaDischarge
	TransferOut
	TransferIn
	RailLoad
	RailDeparts
	RailArrives
	RailUnload
	BargeLoad
	BargeDeparts
	BargeArrives
	BargeDischarge
	TowardsInland
	InlandGateIn
	PickUp
	BackIn
	HandOver
	EmptyReturn
)

// Move is one thing that happens to a container, or to the ship it is aboard.
type Move struct {
	Reason Reason
	What   string
	Mode   string
	Load   string
	At     time.Time
	Place  *Facility
	Call   *Call    // of loads, discharges and ship moves
	Leg    int      // index of the leg; -1 on land
	Names  []string // true milestone names, any of which is right
	Extra  string   // a second milestone of the same move
	Group  int      // moves of one group are all reported or none; 0: alone
	Final  bool     // at the POD, or at the last ramp
}

// Journey is a whole way of a container, which is its plan from Since on.
type Journey struct {
	Since  time.Time
	Legs   []Leg
	Undone *Leg
	Inland Inland
	Ramps  []*Town // rail: interchanges, then the destination
	Dest   *Town   // the inland destination; nil when there is none
	Moves  []Move
	Early  bool // the container leaves the sea at a port nobody planned
	Twice  bool // the container is at the POD aboard, before it is discharged there
}

// POL is the port where the container goes to sea.
func (j *Journey) POL() *Town { return j.Legs[0].From.Terminal.Town }

// POD is the port where the container leaves the sea.
func (j *Journey) POD() *Town { return j.last().To.Terminal.Town }

func (j *Journey) last() Leg { return j.Legs[len(j.Legs)-1] }

// hubs are the ports between POL and POD where the container changes ships.
func (j *Journey) hubs() []*Town {
	var hubs []*Town
	for _, leg := range j.Legs[:len(j.Legs)-1] {
		hubs = append(hubs, leg.To.Terminal.Town)
	}
	return hubs
}

// end is the instant of the last move.
func (j *Journey) end() time.Time {
	if len(j.Moves) == 0 {
		return j.Since.Add(10 * 24 * time.Hour)
	}
	return j.Moves[len(j.Moves)-1].At
}

// builder writes the moves of one journey. Its clock only runs forward, and
// the pace of a container is fixed, so that two plans that share a beginning
// share its moves to the second.
type builder struct {
	box     *Box
	journey *Journey
	clock   time.Time
	group   int
}

func (w *World) build(box *Box, journey *Journey) {
	b := &builder{box: box, journey: journey}
	b.origin()
	if journey.Undone != nil {
		b.undone()
	}
	for i := range journey.Legs {
		b.leg(i)
	}
	b.inland()
}

// move appends a move after the given hours at the container's own pace.
func (b *builder) move(hours float64, move Move) {
	b.clock = b.clock.Add(time.Duration(hours * b.box.pace * float64(time.Hour))).Truncate(time.Second)
	move.At = b.clock
	move.Leg = -1
	b.journey.Moves = append(b.journey.Moves, move)
}

func (b *builder) at(at time.Time, move Move) {
	b.clock = at
	move.At = at
	b.journey.Moves = append(b.journey.Moves, move)
}

func (b *builder) origin() {
	town := b.box.origin
	if !b.box.repositioned.IsZero() {
		b.at(b.box.repositioned, Move{Reason: Repositioned, What: "gate_in", Load: "empty", Mode: "truck", Place: town.depot, Leg: -1})
	}
	b.at(b.box.emptyOut, Move{Reason: EmptyPickUp, What: "gate_out", Load: "empty", Mode: "truck", Place: town.depot, Leg: -1, Names: []string{"empty_out"}})
	if !b.box.unusedReturn.IsZero() {
		return
	}
	terminal := b.box.journeyStart.Terminal
	b.at(b.box.fullIn, Move{Reason: OriginGateIn, What: "gate_in", Load: "laden", Mode: "truck", Place: terminal, Leg: -1, Names: []string{"full_in"}})
}

// undone loads the container and takes it off again before the ship leaves.
func (b *builder) undone() {
	call := b.journey.Undone.From
	load := seaMove(UndoneLoad, "load", call, 0, "vessel_loaded", "")
	load.Group = b.nextGroup()
	b.at(b.box.loadTime(call), load)
	off := seaMove(UndoneDischarge, "discharge", call, 0, "", "")
	off.Names = []string{"vessel_discharged", "transshipment_discharged"}
	off.Group = load.Group
	b.at(undoneTime(b.box, call), off)
}

func undoneTime(box *Box, call *Call) time.Time { return box.loadTime(call).Add(2 * time.Hour) }

func (b *builder) nextGroup() int {
	b.group++
	return b.group
}

func seaMove(reason Reason, what string, call *Call, leg int, name, feeder string) Move {
	move := Move{Reason: reason, What: what, Mode: call.voyage.Mode, Place: call.Terminal, Call: call, Leg: leg}
	if what == "load" || what == "discharge" {
		move.Load = "laden"
	}
	if move.Mode == "feeder" && feeder != "" {
		name = feeder
	}
	if name != "" {
		move.Names = []string{name}
	}
	return move
}

func (b *builder) leg(i int) {
	leg := b.journey.Legs[i]
	first, last := i == 0, i == len(b.journey.Legs)-1
	load, depart := "transshipment_loaded", "transshipment_departed"
	if first {
		load, depart = "vessel_loaded", "vessel_departed"
	}
	b.at(b.box.loadTime(leg.From), seaMove(SeaLoad, "load", leg.From, i, load, "feeder_loaded"))
	b.at(leg.From.Depart, seaMove(ShipDeparts, "depart", leg.From, i, depart, "feeder_departed"))
	b.through(i)
	arrive, discharge := "transshipment_arrived", "transshipment_discharged"
	if last {
		arrive, discharge = "vessel_arrived", "vessel_discharged"
	}
	ashore := seaMove(ShipArrives, "arrive", leg.To, i, arrive, "feeder_arrived")
	ashore.Final = last
	b.at(leg.To.Arrive, ashore)
	if last {
		b.at(leg.To.Berth, seaMove(ShipBerths, "berth", leg.To, i, "vessel_berthed", ""))
	}
	off := seaMove(SeaDischarge, "discharge", leg.To, i, discharge, "feeder_discharged")
	off.Final = last
	b.at(b.box.dischargeTime(leg.To), off)
}

// through writes the calls on the way with the container aboard.
func (b *builder) through(i int) {
	leg := b.journey.Legs[i]
	for _, call := range leg.Voyage.Calls[leg.From.index+1 : leg.To.index] {
		if !call.Omitted.IsZero() {
			continue
		}
		arrive := seaMove(ShipArrives, "arrive", call, i, "transshipment_arrived", "feeder_arrived")
		depart := seaMove(ShipDeparts, "depart", call, i, "transshipment_departed", "feeder_departed")
		if call.Terminal.Town == b.journey.POD() {
			arrive.Names = append(arrive.Names, "vessel_arrived")
			depart.Names = append(depart.Names, "vessel_departed")
		}
		b.at(call.Arrive, arrive)
		if b.journey.Twice && call.Terminal.Town == b.journey.POD() {
			b.at(call.Berth, seaMove(ShipBerths, "berth", call, i, "vessel_berthed", ""))
		}
		b.at(call.Depart, depart)
	}
}
