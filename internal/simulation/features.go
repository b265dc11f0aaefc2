package simulation

import "slices"

// Features names what occurred in this world, sorted.
func (w *World) Features() []string {
	w.Statements()
	slices.Sort(w.features)
	return w.features
}

func (w *World) noteFeature(name string) {
	if !slices.Contains(w.features, name) {
		w.features = append(w.features, name)
	}
}

// noteFeatures names what really happened before the end of the world.
func (w *World) noteFeatures() {
	w.noteMishap()
	for _, box := range w.Boxes {
		w.noteJourney(w.inForce(box))
		if !box.repositioned.IsZero() && !box.repositioned.After(w.Now) {
			w.noteFeature("repositioned_empty")
		}
		if w.Now.Before(box.Journeys[len(box.Journeys)-1].end()) {
			w.noteFeature("cut_midway")
		}
	}
	if len(w.Shipments) > 1 {
		w.noteFeature("two_bills")
	}
	if len(w.Boxes) > 1 {
		w.noteFeature("several_containers")
	}
}

func (w *World) noteMishap() {
	happened := !w.mishapTime.IsZero() && !w.mishapTime.After(w.Now)
	switch w.mishap {
	case bookingCancelled, cancelledAndConfirmed:
		happened = !later(w.cancelled, w.confirmed).After(w.Now)
	case containerDropped, returnedUnused:
		box := w.Boxes[len(w.Boxes)-1]
		happened = !later(box.unusedReturn, box.takenBack).After(w.Now)
	}
	if happened {
		w.noteFeature(mishapNames[w.mishap])
	}
}

var inlandNames = []string{
	"pick_up_at_port", "off_dock", "drayage", "refused", "rail_stated", "rail_unstated", "barge", "carrier_truck",
}

func (w *World) noteJourney(journey *Journey) {
	for _, move := range journey.Moves {
		if !w.happened(move) {
			return
		}
		w.noteMove(journey, move)
	}
}

func (w *World) noteMove(journey *Journey, move Move) {
	switch {
	case move.Reason == SeaLoad && move.Leg > 0 && move.Call.voyage.Mode == "feeder":
		w.noteFeature("feeder")
	case move.Reason == SeaLoad && move.Leg > 0:
		w.noteFeature("transshipment")
	case move.Reason == SeaDischarge && move.Final:
		w.noteFeature(inlandNames[journey.Inland])
	case move.Reason == SeaDischarge:
		w.noteFeature("hub_discharge")
	case move.Reason == RailUnload && !move.Final:
		w.noteFeature("interchange")
	case move.Reason == BackIn && move.Place != journey.last().To.Terminal:
		w.noteFeature("back_at_another_place")
	case move.Reason == HandOver:
		w.noteFeature("delivered")
	case move.Reason == EmptyReturn:
		w.noteFeature("empty_return")
	case move.Reason == ShipArrives && !move.Final && len(move.Names) > 0 && calledTwice(move.Call):
		w.noteFeature("same_port_twice_aboard")
	}
	if move.Call != nil && calledTwice(move.Call) {
		w.noteFeature("same_port_twice")
	}
}

func calledTwice(call *Call) bool {
	count := 0
	for _, other := range call.voyage.Calls {
		if other.Terminal.Town == call.Terminal.Town {
			count++
		}
	}
	return count > 1
}
