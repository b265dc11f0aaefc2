package simulation

import (
	"slices"
	"time"
)

// onwardUntilSeen lists the further calls of a ship that the container has
// left unseen, until its next reported move. The ship's leaving must be reported
// or planned, or the load.
func (c *clerk) onwardUntilSeen(i int) []Milestone {
	leg := c.journey.Legs[i]
	load, discharge := c.legEnds(i)
	boarded := load != nil || c.reportedAt(leg.From) || c.planned(func(call *Call) bool { return call == leg.From })
	if !boarded || discharge != nil || !c.box.unusedReturn.IsZero() {
		return nil
	}
	next := c.nextSeen(leg.To.Arrive)
	switch {
	case next != nil:
		return c.onward(i, next.At, next.Place.Town)
	case i == len(c.journey.Legs)-1 && c.expectedElsewhere():
		return c.furtherCalls(leg, c.Now, c.statedPOD)
	}
	return c.onward(i, c.Now, nil)
}

// expectedElsewhere: the line's last word on the port of discharge is another
// port than the one where the container left the sea, and nothing proves that
// one. That its ship is expected there, too, says of the container nothing.
func (c *clerk) expectedElsewhere() bool {
	return !c.podKnown && c.statedPOD != nil && c.statedPOD != c.journey.POD()
}

// nextSeen is the next reported move of the container itself.
func (c *clerk) nextSeen(after time.Time) *fact {
	at := slices.IndexFunc(c.facts, func(f fact) bool {
		own := f.Reason != ShipDeparts && f.Reason != ShipArrives && f.Reason != ShipBerths
		return own && len(f.said) > 0 && f.At.After(after)
	})
	if at < 0 {
		return nil
	}
	return &c.facts[at]
}

// onward lists the reported calls of a ship after the container left it, where
// nothing says at which call it did: the ship is not reported at that call, or
// nothing names its port; and no plan names the call, unless the ship is reported at
// that port later, which fulfils the plan. The container is seen next at the
// town, at the time until.
func (c *clerk) onward(i int, until time.Time, town *Town) []Milestone {
	leg := c.journey.Legs[i]
	named := c.endNamed(i)
	if named && c.reportedAt(leg.To) || c.plannedFor(leg.To) && !c.calledAgain(leg.To, until) {
		return nil
	}
	if named {
		return c.furtherCalls(leg, until, town, leg.To.Terminal.Town)
	}
	return c.furtherCalls(leg, until, town)
}

// furtherCalls lists what is reported of a ship after a leg, until a time or its
// arrival at one of the towns.
func (c *clerk) furtherCalls(leg Leg, until time.Time, towns ...*Town) []Milestone {
	all := c.reportedMove(leg.To, "depart")
	for _, call := range leg.Voyage.Calls[leg.To.index+1:] {
		if !call.Arrive.Before(until) {
			break
		}
		all = append(all, c.reportedMove(call, "arrive")...)
		if slices.Contains(towns, call.Terminal.Town) {
			break
		}
		all = append(all, c.reportedMove(call, "depart")...)
	}
	return all
}

// calledAgain: the ship is reported at the port of a call once more.
func (c *clerk) calledAgain(call *Call, until time.Time) bool {
	return slices.ContainsFunc(call.voyage.Calls[call.index+1:], func(later *Call) bool {
		return later.Terminal.Town == call.Terminal.Town && later.Arrive.Before(until) && c.reportedAt(later)
	})
}

// plannedFor: a plan or an estimate of the line names the call.
func (c *clerk) plannedFor(call *Call) bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		return !s.void && !s.truth.real && s.truth.call == call && s.reaches(c.box)
	})
}

// endNamed: a role, a plan, the next load or a discharge of another container of
// the shipment names the port where a leg ends.
func (c *clerk) endNamed(i int) bool {
	to := c.journey.Legs[i].To
	if i+1 < len(c.journey.Legs) {
		if load, _ := c.legEnds(i + 1); load != nil || c.plannedFor(c.journey.Legs[i+1].From) {
			return true
		}
	}
	return c.cargoWorked(to) || c.roleStated(to.Terminal.Town)
}

// roleStated: the line gives the town a role.
func (c *clerk) roleStated(town *Town) bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		return !s.void && s.truth.role != "" && s.truth.town == town && s.reaches(c.box)
	})
}

// cargoWorked: a container of the shipment is reported to be loaded or discharged at the call.
func (c *clerk) cargoWorked(call *Call) bool {
	return c.cargoSaid(call, func(Statement) bool { return true })
}

// cargoSaid: a chosen statement reports that a container of the shipment is loaded or
// discharged at the call.
func (c *clerk) cargoSaid(call *Call, chosen func(Statement) bool) bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		cargo := (s.What == "load" || s.What == "discharge") && s.truth.real && !s.void && s.about.place == call.Terminal
		at := time.Unix(s.about.at, 0)
		return cargo && s.reachesShipment(c.box.Shipment) && at.After(call.Arrive) && at.Before(call.Depart) && chosen(s)
	})
}

// reportedAt: the ship, or its work on a container of the shipment, is reported at a call.
func (c *clerk) reportedAt(call *Call) bool {
	return c.reported("arrive", call) || c.reported("berth", call) || c.reported("depart", call) || c.cargoWorked(call)
}

// reported: the line reports truly a ship's move at a call to the container's shipment.
func (c *clerk) reported(what string, call *Call) bool {
	return slices.ContainsFunc(c.bySubject[shipSubject(what, call)], func(i int) bool {
		return c.statements[i].reaches(c.box)
	})
}

// reportedMove is a ship's move under any of its names, where it is reported.
func (c *clerk) reportedMove(call *Call, what string) []Milestone {
	if !c.reported(what, call) {
		return nil
	}
	return []Milestone{c.mistake(call, what)}
}
