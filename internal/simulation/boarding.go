package simulation

import "slices"

// mistakenBoardings lists an earlier reported call of a ship at the port where
// the container boarded it, and those until it did, where nothing is said of
// the call at which it boarded: neither is the load reported, nor that call, nor a
// plan for it.
func (c *clerk) mistakenBoardings() []Milestone {
	var all []Milestone
	for i, leg := range c.journey.Legs {
		from := c.boardingCall(i)
		if from == nil {
			continue
		}
		all = append(all, c.reportedMove(from, "depart")...)
		for _, call := range leg.Voyage.Calls[from.index+1 : leg.From.index] {
			all = slices.Concat(all, c.reportedMove(call, "arrive"), c.reportedMove(call, "depart"))
		}
	}
	return all
}

// boardingCall is the earlier call that a clerk may take for the one at which
// the container boarded a ship; nil where there is none. The container was there,
// and is reported next after the ship came for it.
func (c *clerk) boardingCall(i int) *Call {
	leg := c.journey.Legs[i]
	load, _ := c.legEnds(i)
	if load != nil || c.reportedAt(leg.From) || c.plannedFor(leg.From) || !c.box.unusedReturn.IsZero() {
		return nil
	}
	for _, call := range leg.Voyage.Calls[:leg.From.index] {
		there := i == 0 || c.journey.Legs[i-1].To.Arrive.Before(call.Depart)
		if there && call.Terminal.Town == leg.From.Terminal.Town && c.reportedAt(call) {
			if next := c.nextSeen(call.Depart); next != nil && next.At.After(leg.From.Arrive) {
				return call
			}
		}
	}
	return nil
}

// permitBoarding lets the departure from the port of lading be that of the call
// that a clerk may take for the true one.
func (c *clerk) permitBoarding(expected *ContainerExpectation) {
	if from := c.boardingCall(0); from != nil {
		expected.POLVesselDepartedAt = orAt(expected.POLVesselDepartedAt, instantsOf(c.reportedMove(from, "depart")))
	}
}

func instantsOf(moves []Milestone) []Instant {
	var all []Instant
	for _, m := range moves {
		all = append(all, m.At)
	}
	return all
}
