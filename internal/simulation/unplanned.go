package simulation

import (
	"slices"
	"time"
)

// The contract says that a container without a reported load is taken to be
// aboard "only while nothing speaks against it", and that otherwise "the absence
// of a load says nothing". It asks for no plan: a line reports under a number
// what moves the cargo of that number.
//
// So where nothing but moves of ships is reported for a shipment, neither a plan
// nor a move of any of its containers, the first departure may be the one with
// its containers; from the stated port of lading, where there is one. Unknown
// stays right.

// firstShip lists the reported moves of the ship that left first, from that
// departure on, and of those that may have taken the container over from it.
// They are none of its own.
func (c *clerk) firstShip() []Milestone {
	first := c.firstDeparture()
	if first == nil {
		return nil
	}
	var all []Milestone
	for _, s := range c.sailedWith(first) {
		if !c.isOwnMove(s.about) {
			all = append(all, c.reportedMove(s.about.call, s.What)...)
		}
	}
	return all
}

// firstDeparture is the call from which the first ship left with the container,
// as far as anybody said; nil where something speaks against it.
func (c *clerk) firstDeparture() *Call {
	anyCall := func(*Call) bool { return true }
	if c.lastBooking(c.box.Shipment) == "booking_cancelled" || c.takenBack() || c.cargoReported() || c.planned(anyCall) {
		return nil
	}
	var first *Call
	for _, s := range c.shipStatements() {
		fromPOL := c.statedPOL == nil || s.about.call.Terminal.Town == c.statedPOL
		if s.What == "depart" && fromPOL && (first == nil || s.about.call.Depart.Before(first.Depart)) {
			first = s.about.call
		}
	}
	return first
}

// shipStatements are what was truly reported of ships' moves for the shipment,
// each move once.
func (c *clerk) shipStatements() []Statement {
	var all []Statement
	for _, s := range c.statements {
		ship := !s.void && s.truth.real && s.about.call != nil && s.about.box < 0 && s.reaches(c.box)
		if ship && !slices.ContainsFunc(all, func(other Statement) bool { return other.about == s.about }) {
			all = append(all, s)
		}
	}
	return all
}

// cargoReported: a move of some container of the shipment is reported. Then it
// says something that none of this one is.
func (c *clerk) cargoReported() bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		return s.truth.box >= 0 && s.Class == "actual" && !s.void && s.reachesShipment(c.box.Shipment)
	})
}

// sailedWith lists what was reported of the ship after it left, and of each ship
// that left later a port where one of these ships was reported before. A ship is
// left at a port of which the line states the role, and nothing leaves the port
// of discharge.
func (c *clerk) sailedWith(first *Call) []Statement {
	said := c.shipStatements()
	slices.SortStableFunc(said, func(a, b Statement) int { return moveTime(a).Compare(moveTime(b)) })
	aboard, reached := map[*Voyage]bool{}, map[*Town]bool{}
	ended := map[*Voyage]*Call{}
	var all []Statement
	for _, s := range said {
		call, departs := s.about.call, s.What == "depart"
		boards := departs && (call == first || reached[call.Terminal.Town])
		end := ended[call.voyage]
		if !aboard[call.voyage] && !boards || end != nil && (departs || call != end) {
			continue
		}
		aboard[call.voyage] = true
		if !departs {
			reached[call.Terminal.Town] = call.Terminal.Town != c.statedPOD
			if c.roleStated(call.Terminal.Town) {
				ended[call.voyage] = call
			}
		}
		all = append(all, s)
	}
	return all
}

func moveTime(s Statement) time.Time {
	switch s.What {
	case "arrive":
		return s.about.call.Arrive
	case "berth":
		return s.about.call.Berth
	}
	return s.about.call.Depart
}

// isOwnMove: the journey has the ship's move as a move of the container.
func (c *clerk) isOwnMove(about subject) bool {
	return slices.ContainsFunc(c.facts, func(f fact) bool { return f.Call != nil && f.subject(c.box) == about })
}

// permitFirstShip lets a container be shown aboard the ship that left first.
func (c *clerk) permitFirstShip(expected *ContainerExpectation) {
	first := c.firstDeparture()
	if first == nil {
		return
	}
	moves := c.firstShip()
	expected.Status = withWord(expected.Status, "on_ship")
	expected.POLVesselDepartedAt = orAt(expected.POLVesselDepartedAt, instantsOf(c.reportedMove(first, "depart")))
	expected.PODArrivedAt = orAt(expected.PODArrivedAt, instantsOf(c.arrivalsAtPOD(moves)))
	expected.Milestones = append(expected.Milestones, moves...)
}

// arrivalsAtPOD are those of the moves that are arrivals at the stated port of discharge.
func (c *clerk) arrivalsAtPOD(moves []Milestone) []Milestone {
	return slices.DeleteFunc(slices.Clone(moves), func(m Milestone) bool {
		return c.statedPOD == nil || m.LOCODE != c.statedPOD.LOCODE || !slices.Contains(m.Names, "vessel_arrived")
	})
}
