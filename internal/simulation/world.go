// Package simulation judges a container-tracking engine. A small world of
// ships, ports and containers really moves; imperfect sources report it; and
// an oracle that knows both says what a careful freight clerk would show.
package simulation

import (
	"fmt"
	"slices"
	"time"
)

// Shipment is what is followed: a bill of lading, under the world's booking.
type Shipment struct {
	BillOfLading string
	// FollowBooking: the request names the booking and not the bill of lading.
	FollowBooking bool
}

// Box is a container with everything that is its own.
type Box struct {
	Number   string
	Shipment int
	Journeys []*Journey // each is the plan from its Since on; the last is how it ends

	index            int
	origin           *Town
	journeyStart     *Call // the call for which it was gated in
	repositioned     time.Time
	emptyOut         time.Time
	fullIn           time.Time
	unusedReturn     time.Time
	takenBack        time.Time // the line retracts all it said of this container
	neverMoved       bool
	pace             float64
	share            float64 // how far into a ship's stay it is worked
	refusedFor       float64
	refusedElsewhere bool // brought back to another terminal, if late
	drayToRamp       bool
	crosstown        bool
	toDoor           bool
	doorTown         *Town // of a consignee far from the port; nil: near
	returnTown       *Town
}

// World is a booking with its containers and all that happens to them.
type World struct {
	Seed      uint64
	Now       time.Time // nothing later has happened or been said
	Booking   string
	SCAC      string
	Shipments []*Shipment
	Boxes     []*Box

	dice       dice
	ships      int
	imos       []string // of the ships
	booked     time.Time
	cancelled  time.Time
	confirmed  time.Time // again, after the cancellation
	coast      coast
	stops      []*Town // of the first plan
	mishap     mishap
	mishapTime time.Time
	features   []string
	line       lineStyle
	statements []Statement
	bySubject  map[subject][]int
	sourced    bool
}

// New makes the world of a seed.
func New(seed uint64) *World {
	w := &World{Seed: seed, dice: newDice(seed, 1)}
	w.booked = time.Date(2025, 1, 5, 8, 0, 0, 0, time.UTC).Add(w.dice.hours(0, 24*200))
	w.coast = coasts[w.dice.weighted(5, 5)]
	w.SCAC = pick(w.dice, []string{"MAEU", "HLCU", "ONEY", "CMDU"})
	w.Booking = fmt.Sprintf("BK%07d", w.dice.IntN(10_000_000))
	w.makeShipments()
	w.makeJourneys()
	w.cut()
	w.noteFeatures()
	w.line = w.drawLineStyle()
	return w
}

func (w *World) makeShipments() {
	count := 1 + w.dice.weighted(85, 15)
	for i := range count {
		number := fmt.Sprintf("%s%07d%d", w.SCAC, w.dice.IntN(10_000_000), i)
		follow := count == 1 && w.dice.chance(0.4)
		w.Shipments = append(w.Shipments, &Shipment{BillOfLading: number, FollowBooking: follow})
	}
	boxes := count + w.dice.weighted(45, 25, 15, 10)
	for i := range boxes {
		shipment := i % count
		w.Boxes = append(w.Boxes, &Box{Number: w.freshNumber(), Shipment: shipment, index: i})
	}
}

func (w *World) freshNumber() string {
	for {
		number := containerNumber(w.dice)
		if !slices.ContainsFunc(w.Boxes, func(box *Box) bool { return box.Number == number }) {
			return number
		}
	}
}

func (w *World) makeJourneys() {
	w.drawMishap()
	stops, feeder := w.drawStops()
	arrive := w.booked.Add(w.dice.hours(24*12, 24*24))
	legs := w.route(arrive, stops, feeder)
	inland, ramps, dest := w.drawInland()
	for _, box := range w.Boxes {
		w.outfit(box, legs[0].From)
		journey := &Journey{Since: w.booked, Legs: legs, Inland: inland, Ramps: ramps, Dest: dest}
		box.Journeys = []*Journey{journey}
	}
	w.strike()
	for _, box := range w.Boxes {
		for _, journey := range box.Journeys {
			w.build(box, journey)
		}
		if !box.unusedReturn.IsZero() {
			w.returnUnused(box)
		}
	}
}

// drawStops chooses POL, hubs and POD, and whether the last leg is a feeder.
func (w *World) drawStops() (stops []*Town, feeder bool) {
	stops = []*Town{pick(w.dice, originPorts)}
	hubs := w.dice.weighted(45, 33, 14, 8)
	pod := pick(w.dice, w.coast.ports)
	if hubs > 0 && w.dice.chance(0.45) {
		feeder = true
		hubs--
	}
	for i, group := range w.coast.hubs {
		if i < hubs {
			stops = append(stops, pick(w.dice, group))
		}
	}
	if feeder {
		stops = append(stops, w.anotherPort(pod))
	}
	w.stops = append(stops, pod)
	return w.stops, feeder
}

func (w *World) anotherPort(than ...*Town) *Town {
	for {
		port := pick(w.dice, w.coast.ports)
		if !slices.Contains(than, port) {
			return port
		}
	}
}

func (w *World) drawInland() (Inland, []*Town, *Town) {
	inland := Inland(w.dice.weighted(36, 9, 6, 6, 16, 12, 7, 8))
	if inland == BargeStated && w.coast.inland[0] != europeInland[0] {
		inland = RailStated
	}
	if w.mishap == endedEarly {
		inland = PickUpAtPort
	}
	town := pick(w.dice, w.coast.inland)
	switch inland {
	case RailStated, RailUnstated:
		ramps := w.drawInterchanges(town)
		return inland, ramps, town
	case BargeStated:
		return inland, nil, europeInland[0]
	case TruckStated:
		return inland, nil, town
	}
	return inland, nil, nil
}

func (w *World) drawInterchanges(destination *Town) []*Town {
	var others []*Town
	for _, town := range w.coast.inland {
		if town != destination {
			others = append(others, town)
		}
	}
	return append(others[:w.dice.weighted(60, 28, 12)], destination)
}

// outfit gives the container its own pace and its times at origin.
func (w *World) outfit(box *Box, start *Call) {
	d := w.dice
	box.origin, box.journeyStart = start.Terminal.Town, start
	box.pace = 0.7 + 0.6*d.Float64()
	box.share = 0.2 + 0.6*d.Float64()
	box.emptyOut = start.Arrive.Add(-d.hours(24*6, 24*8))
	box.fullIn = start.Arrive.Add(-d.hours(24*2, 24*5))
	if d.chance(0.07) {
		box.repositioned = box.emptyOut.Add(-d.hours(20, 60))
	}
	box.refusedFor = pick(d, []float64{30, 50, 120, 150})
	box.refusedElsewhere = d.chance(0.5)
	box.drayToRamp = d.chance(0.35)
	box.crosstown = d.chance(0.4)
	box.toDoor = d.chance(0.5)
	if d.chance(0.4) {
		box.doorTown = pick(d, w.coast.inland)
	}
	if d.chance(0.2) {
		box.returnTown = w.anotherPort()
	}
}

func (box *Box) loadTime(call *Call) time.Time {
	return worked(call, 0.35+0.3*box.share)
}

func (box *Box) dischargeTime(call *Call) time.Time { return worked(call, 0.6*box.share) }

// worked is the moment at a share of the time between berth and departure.
func worked(call *Call, share float64) time.Time {
	stay := call.Depart.Sub(call.Berth)
	return call.Berth.Add(time.Duration(share * float64(stay))).Truncate(time.Second)
}

// cut ends the world: half of them long after everything, half at any moment.
func (w *World) cut() {
	end := w.booked
	for _, box := range w.Boxes {
		if last := box.Journeys[len(box.Journeys)-1].end(); last.After(end) {
			end = last
		}
	}
	w.Now = end.Add(20 * 24 * time.Hour)
	if w.dice.chance(0.5) {
		span := end.Sub(w.booked)
		w.Now = w.booked.Add(time.Duration(w.dice.Float64() * float64(span))).Truncate(time.Second)
	}
	for w.insideGroup() {
	}
}

// insideGroup moves the end of the world before any move between two places
// that has only half happened, and reports whether it had to.
func (w *World) insideGroup() bool {
	for _, box := range w.Boxes {
		moves := w.inForce(box).Moves
		for i, move := range moves {
			next := i+1 < len(moves) && moves[i+1].Group == move.Group
			if move.Group != 0 && next && !move.At.After(w.Now) && moves[i+1].At.After(w.Now) {
				w.Now = move.At.Add(-time.Minute)
				return true
			}
		}
	}
	return false
}

// inForce is the journey that the container is really on at the end.
func (w *World) inForce(box *Box) *Journey {
	journey := box.Journeys[0]
	for _, later := range box.Journeys[1:] {
		if !later.Since.After(w.Now) {
			journey = later
		}
	}
	return journey
}

// happened reports whether a move is past at the end of the world.
func (w *World) happened(move Move) bool { return !move.At.After(w.Now) }
