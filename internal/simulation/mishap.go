package simulation

import "time"

// mishap is the one large thing that goes wrong in a world.
type mishap int

const (
	noMishap mishap = iota
	rolledOver
	shortShipped
	shutOut
	rolledAtHub
	portOmitted
	endedEarly
	destinationChanged
	overcarried
	bookingCancelled
	cancelledAndConfirmed
	containerDropped
	returnedUnused
)

var mishapNames = []string{
	"", "rollover", "short_shipped", "shut_out", "hub_rollover", "port_omitted_relay", "ended_early",
	"change_of_destination", "overcarried", "booking_cancelled", "cancelled_and_confirmed",
	"container_dropped", "returned_unused",
}

// drawMishap chooses what will go wrong.
func (w *World) drawMishap() {
	w.mishap = mishap(w.dice.weighted(34, 8, 7, 6, 8, 6, 6, 6, 6, 3, 3, 4, 4))
}

// strike lets a mishap happen: it gives some containers another journey.
func (w *World) strike() {
	one := w.Boxes[len(w.Boxes)-1:]
	first := w.Boxes[0].Journeys[0]
	switch w.mishap {
	case rolledOver:
		w.rollover(w.Boxes, 0)
	case shortShipped:
		w.rollover(one, 0)
	case shutOut:
		w.shutOut(one[0])
	case rolledAtHub:
		if len(first.Legs) > 1 {
			w.rollover(w.Boxes, w.dice.between(1, len(first.Legs)-1))
		}
	case portOmitted, endedEarly, destinationChanged:
		w.divert(first)
	case overcarried:
		w.overcarry(one[0])
	case bookingCancelled, cancelledAndConfirmed:
		w.cancelled = w.booked.Add(w.dice.hours(24, 24*3))
	case containerDropped, returnedUnused:
		w.drop(one[0])
	}
	w.afterCancellation()
}

func (w *World) afterCancellation() {
	if w.mishap == cancelledAndConfirmed {
		w.confirmed = w.cancelled.Add(w.dice.hours(6, 40))
	}
	if w.mishap == bookingCancelled {
		moved := w.dice.chance(0.5)
		for _, box := range w.Boxes {
			box.unusedReturn = box.emptyOut.Add(w.dice.hours(20, 90))
			box.neverMoved = !moved
			if moved {
				w.cancelled = later(w.cancelled, box.emptyOut.Add(6*time.Hour))
			}
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// rollover puts the containers on later ships from the leg on.
func (w *World) rollover(boxes []*Box, leg int) {
	old := boxes[0].Journeys[0]
	from := old.Legs[leg].From
	legs := w.replace(old, leg, from.Arrive.Add(w.dice.hours(24*5, 24*9)))
	since := from.Berth.Add(-w.dice.hours(0.5, 10))
	if leg > 0 {
		since = later(since, boxes[0].dischargeTime(old.Legs[leg-1].To).Add(24*time.Hour))
		since = earlier(since, from.Berth)
	}
	for _, box := range boxes {
		w.change(box, since, legs)
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// replace keeps the legs before the index and sails the rest again, later.
func (w *World) replace(old *Journey, leg int, arrive time.Time) []Leg {
	stops := []*Town{old.Legs[leg].From.Terminal.Town}
	feeder := false
	for _, rest := range old.Legs[leg:] {
		stops = append(stops, rest.To.Terminal.Town)
		feeder = rest.Voyage.Mode == "feeder"
	}
	legs := append([]Leg{}, old.Legs[:leg]...)
	return append(legs, w.route(arrive, stops, feeder)...)
}

// change gives the container another journey from a moment on.
func (w *World) change(box *Box, since time.Time, legs []Leg) *Journey {
	old := box.Journeys[len(box.Journeys)-1]
	journey := &Journey{Since: since, Legs: legs, Inland: old.Inland, Ramps: old.Ramps, Dest: old.Dest, Undone: old.Undone}
	box.Journeys = append(box.Journeys, journey)
	w.mishapTime = since
	return journey
}

// shutOut takes the container off again before the ship leaves.
func (w *World) shutOut(box *Box) {
	old := box.Journeys[0]
	from := old.Legs[0].From
	legs := w.replace(old, 0, from.Arrive.Add(w.dice.hours(24*5, 24*9)))
	journey := w.change(box, undoneTime(box, from), legs)
	journey.Undone = &old.Legs[0]
}

// divert lets the last ship put the containers ashore at another port.
func (w *World) divert(old *Journey) {
	last := old.last()
	other := last.Voyage.Calls[last.To.index+1]
	if w.mishap == destinationChanged && w.dice.chance(0.5) && last.To.index-1 > last.From.index {
		other = last.Voyage.Calls[last.To.index-1]
	}
	if last.calledBefore(other) {
		w.mishap = noMishap
		return
	}
	since := earlier(last.To.Arrive, other.Arrive).Add(-w.dice.hours(8, 16))
	legs := append([]Leg{}, old.Legs...)
	legs[len(legs)-1] = Leg{last.Voyage, last.From, other}
	if w.mishap != destinationChanged {
		last.To.Omitted = since
	}
	if w.mishap == portOmitted {
		legs = append(legs, w.relay(other, last.To.Terminal.Town))
	}
	for _, box := range w.Boxes {
		journey := w.change(box, since, legs)
		if w.mishap == endedEarly {
			journey.Inland, journey.Ramps, journey.Dest, journey.Early = PickUpAtPort, nil, nil, true
		}
	}
}

// calledBefore: the ship has been at the port of the call with the container
// aboard, or at its load.
func (leg Leg) calledBefore(other *Call) bool {
	for _, call := range leg.Voyage.Calls[leg.From.index:leg.To.index] {
		if call != other && call.Terminal.Town == other.Terminal.Town {
			return true
		}
	}
	return false
}

// relay is a feeder from the call to the port.
func (w *World) relay(call *Call, port *Town) Leg {
	return w.sail(call.Depart.Add(w.dice.hours(24, 24*4)), call.Terminal.Town, port, true)
}

// overcarry leaves the container aboard at the POD and brings it back.
func (w *World) overcarry(box *Box) {
	old := box.Journeys[0]
	last := old.last()
	next := last.Voyage.Calls[last.To.index+1]
	if last.calledBefore(next) {
		w.mishap = noMishap
		return
	}
	legs := append([]Leg{}, old.Legs...)
	legs[len(legs)-1] = Leg{last.Voyage, last.From, next}
	legs = append(legs, w.relay(next, last.To.Terminal.Town))
	since := box.dischargeTime(last.To).Add(-time.Minute)
	w.change(box, since, legs).Twice = true
}

// drop takes one container out of the booking before it is loaded.
func (w *World) drop(box *Box) {
	if w.mishap == containerDropped && len(w.Boxes) > 1 {
		box.takenBack = box.emptyOut.Add(w.dice.hours(10, 60))
	}
	box.unusedReturn = box.emptyOut.Add(w.dice.hours(10, 40))
}

// returnUnused ends the journey at origin.
func (w *World) returnUnused(box *Box) {
	for _, journey := range box.Journeys {
		if box.neverMoved {
			journey.Moves = nil
			continue
		}
		var moves []Move
		for _, move := range journey.Moves {
			if move.Reason == Repositioned || move.Reason == EmptyPickUp {
				moves = append(moves, move)
			}
		}
		journey.Moves = append(moves, Move{Reason: UnusedReturn, What: "gate_in", Mode: "truck", Load: "empty", At: box.unusedReturn, Place: box.origin.depot, Leg: -1})
	}
}
