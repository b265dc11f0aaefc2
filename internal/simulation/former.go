package simulation

import (
	"slices"
	"time"
)

// otherShip is a ship of a former plan that the container may be taken to be
// aboard, because nothing reported says that it was not.
type otherShip struct {
	leg   Leg
	moves []Milestone
	first bool // of the journey
	last  bool
	seen  bool // the container is reported on land or on another ship afterwards
}

// formerShip looks for a ship of a former plan that left the port where the
// container stood. It was planned to take the container and no plan names the ship that did;
// or no plan names any ship, and it is the only one reported there. It called at the
// port where the container is seen next.
func (c *clerk) formerShip() otherShip {
	if !c.box.unusedReturn.IsZero() {
		return otherShip{}
	}
	for _, journey := range c.box.Journeys {
		for i, former := range journey.Legs {
			if journey == c.journey || i >= len(c.journey.Legs) || former == c.journey.Legs[i] {
				continue
			}
			if other := (otherShip{leg: former, first: i == 0, last: former == journey.last()}); c.mayHaveTaken(&other, c.journey.Legs[i]) {
				return other
			}
			break
		}
	}
	return otherShip{}
}

func (c *clerk) mayHaveTaken(other *otherShip, really Leg) bool {
	from := other.leg.From
	i := slices.Index(c.journey.Legs, really)
	load, _ := c.legEnds(i)
	if load != nil || from.Terminal.Town != really.From.Terminal.Town || !c.reported("depart", from) ||
		c.plannedFor(really.From) || c.plannedFor(really.To) || c.cargoWorked(really.From) || c.siblingLoaded(from) {
		return false
	}
	until, town := c.Now, (*Town)(nil)
	if next := c.nextSeen(from.Depart); next != nil {
		until, town, other.seen = next.At, next.Place.Town, true
	}
	reached := c.sail(other, until, town)
	planned := c.plannedFor(from) || c.plannedFor(other.leg.To)
	return (reached || !other.seen) && (planned || reached && !c.reportedAt(really.From))
}

// sail lists the reported moves of the other ship from the port until the
// container is seen, and reports whether it called at the town before.
func (c *clerk) sail(other *otherShip, until time.Time, town *Town) bool {
	from, to := other.leg.From, other.leg.To
	other.moves = c.reportedMove(from, "depart")
	for _, call := range from.voyage.Calls[from.index+1 : to.index+1] {
		if !call.Arrive.Before(until) {
			break
		}
		other.moves = append(other.moves, c.reportedMove(call, "arrive")...)
		if call.Terminal.Town == town {
			return c.reportedAt(call)
		}
		if call != to {
			other.moves = append(other.moves, c.reportedMove(call, "depart")...)
		}
	}
	return false
}

// siblingLoaded: the load of another container on a ship at the call was recorded before the
// ship's departure from there.
func (c *clerk) siblingLoaded(call *Call) bool {
	return slices.ContainsFunc(c.bySubject[shipSubject("depart", call)], func(i int) bool {
		return c.siblingLoadedFirst(c.statements[i])
	})
}

// permitFormerShip lets a container be shown aboard the ship of a former plan.
func (c *clerk) permitFormerShip(expected *ContainerExpectation) {
	other := c.formerShip()
	if len(other.moves) == 0 {
		return
	}
	if !other.seen {
		expected.Status = withWord(expected.Status, "on_ship")
	}
	if other.first {
		expected.POLVesselDepartedAt = orAt(expected.POLVesselDepartedAt, instantsOf(c.reportedMove(other.leg.From, "depart")))
	}
	if other.last {
		expected.PODArrivedAt = orAt(expected.PODArrivedAt, instantsOf(c.reportedMove(other.leg.To, "arrive")))
	}
}
