package simulation

import (
	"slices"
	"time"
)

// onwardArrivals are the arrivals at the stated port of discharge by a ship that
// the container has left before, and that ship.
func (c *clerk) onwardArrivals() (times []Instant, ships []Vessel) {
	pod := c.statedPOD
	if pod == nil {
		return nil, nil
	}
	for i, leg := range c.journey.Legs {
		for _, m := range c.onwardTo(i, pod) {
			times, ships = append(times, m.At), append(ships, Vessel(leg.Voyage.Ship))
		}
	}
	return times, ships
}

// onwardTo lists the arrivals of the ship of a leg at the stated port of
// discharge after the container left it. Where the container left the sea
// elsewhere, and nothing proves that, they are those of its last ship;
// else those of any ship, where neither a plan nor its cargo names the last one.
func (c *clerk) onwardTo(i int, pod *Town) []Milestone {
	last := i == len(c.journey.Legs)-1
	if pod == c.journey.POD() {
		if !last && (c.plannedFor(c.journey.last().To) || c.lastShipNamed()) {
			return nil
		}
		return slices.DeleteFunc(c.onwardUntilSeen(i), func(m Milestone) bool {
			return m.LOCODE != pod.LOCODE || !slices.Contains(m.Names, "vessel_arrived")
		})
	}
	leg := c.journey.Legs[i]
	if !last || c.podKnown {
		return nil
	}
	var all []Milestone
	for _, call := range leg.Voyage.Calls[leg.To.index+1:] {
		if call.Terminal.Town == pod && !c.seenElsewhere(leg.To.Arrive, call) {
			all = append(all, c.reportedMove(call, "arrive")...)
		}
	}
	return all
}

// seenElsewhere: a move of the container after a time shows that it is not
// aboard when the ship comes to the call. What is delivered or returned empty
// after that may have left the sea at either port.
func (c *clerk) seenElsewhere(after time.Time, call *Call) bool {
	next := c.nextSeen(after)
	return next != nil && (next.At.Before(call.Arrive) || next.Reason != HandOver && next.Reason != EmptyReturn)
}

// lastShipNamed: the load on the last ship, or the discharge, names it.
func (c *clerk) lastShipNamed() bool {
	load, discharge := c.legEnds(len(c.journey.Legs) - 1)
	for _, f := range []*fact{load, discharge} {
		if f != nil && slices.ContainsFunc(f.said, func(s Statement) bool { return len(tokens(&s)) > 0 }) {
			return true
		}
	}
	return false
}

// shipsAboard are the ships onto which the container was loaded, and from which it was
// not discharged, as far as reported, where nothing reported or planned brings
// another ship to the port of discharge.
func (c *clerk) shipsAboard() []Vessel {
	to := c.journey.last().To
	if c.plannedFor(to) || c.shipReportedAt(to) {
		return nil
	}
	var ships []Vessel
	for i, leg := range c.journey.Legs {
		if load, discharge := c.legEnds(i); load != nil && discharge == nil && !c.leftShip(i) {
			ships = append(ships, Vessel(leg.Voyage.Ship))
		}
	}
	return ships
}

// shipReportedAt: the ship is reported at a call, by its own move or by cargo. A
// load or discharge that names no ship brings none there.
func (c *clerk) shipReportedAt(call *Call) bool {
	return c.reported("arrive", call) || c.reported("berth", call) || c.reported("depart", call) ||
		c.cargoSaid(call, func(s Statement) bool { return len(tokens(&s)) > 0 })
}

// lastShipLate: all that is reported of the arrival of the last ship at the port
// of discharge, or its latest estimate where nothing is, comes after the first
// reported move of the container on land there. Then another ship may have brought it.
func (c *clerk) lastShipLate(estimate Statement) bool {
	to := c.journey.last().To
	if c.reportedAt(to) {
		return false
	}
	land := slices.IndexFunc(c.facts, func(f fact) bool { return len(f.said) > 0 && f.Reason >= TransferOut })
	if land < 0 {
		return false
	}
	later := slices.ContainsFunc(to.voyage.Calls[to.index+1:], func(call *Call) bool {
		return call.Terminal.Town == to.Terminal.Town && call.Arrive.After(c.facts[land].At) && c.reportedAt(call)
	})
	return later || said(estimate).At.After(c.facts[land].At)
}

// permitOnwardArrivals lets a container be shown at the stated port of discharge
// aboard a ship that it has left before.
func (c *clerk) permitOnwardArrivals(expected *ContainerExpectation) {
	times, _ := c.onwardArrivals()
	expected.PODArrivedAt = orAt(expected.PODArrivedAt, times)
}
