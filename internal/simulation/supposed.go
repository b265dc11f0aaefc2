package simulation

import (
	"slices"
	"time"
)

// The contract says: "Who is aboard: ... One without a reported load is
// otherwise taken to be aboard only while nothing speaks against it: its own
// later move that cannot follow from that voyage (on land at the port the ship
// left or where it has not called since, on another ship or voyage from there),
// a later plan onto another ship from there, or the reported loads of its
// siblings (the other containers of the shipment) that name the same ship and
// were recorded before that departure was first recorded; otherwise the absence
// of a load says nothing."
//
// So a container that was dropped or returned unused without a word, and of
// which no valid move is reported at all, may be shown aboard the ships of its
// plan, as the contract has it, or be unknown. Nothing else is excused.

// supposed lists the reported moves of the ships that the container may be
// taken to be aboard; they are none of its own.
func (c *clerk) supposed() []fact {
	if c.box.unusedReturn.IsZero() || !c.cancelled.IsZero() || c.takenBack() || c.moveReported() {
		return nil
	}
	var all []fact
	plan := &builder{box: c.box, journey: &Journey{Legs: c.journey.Legs}}
	for i, leg := range c.journey.Legs {
		if !c.mayHaveBoarded(leg) {
			break
		}
		before := len(plan.journey.Moves)
		plan.leg(i)
		for _, move := range plan.journey.Moves[before:] {
			if move.Reason != ShipDeparts && move.Reason != ShipArrives && move.Reason != ShipBerths {
				continue
			}
			if f := c.read(move); c.happened(move) && len(f.said) > 0 {
				all = append(all, f)
			}
		}
	}
	return all
}

// moveReported: something stands that names the container and is no plan.
func (c *clerk) moveReported() bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		return s.truth.box == c.box.index && s.Class == "actual" && !s.void
	})
}

// mayHaveBoarded: the plan for the ship was reported, the ship left the planned
// port, and neither a plan nor a sibling speaks against it.
func (c *clerk) mayHaveBoarded(leg Leg) bool {
	left := c.firstLeft(leg)
	return left != nil && c.legPlanned(leg) &&
		!c.planned(func(call *Call) bool {
			return call.voyage != leg.Voyage && call.Terminal.Town == leg.From.Terminal.Town
		}) && !c.siblingLoadedFirst(*left)
}

// legPlanned: the line reported a plan to leave on the ship, or to arrive by it,
// and the port where it is to leave.
func (c *clerk) legPlanned(leg Leg) bool {
	return c.planned(func(call *Call) bool { return call == leg.From }) ||
		c.plannedFor(leg.To) && c.roleStated(leg.From.Terminal.Town)
}

// planned: the line reported a plan to leave on a ship from a call that is chosen.
func (c *clerk) planned(chosen func(*Call) bool) bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		plan := !s.void && (s.Class == "planned" || s.Class == "estimated") && (s.What == "depart" || s.What == "load")
		return plan && s.reaches(c.box) && s.truth.call != nil && chosen(s.truth.call)
	})
}

// firstLeft is the first report that the ship left the port where the leg
// begins: its departure, or, where the ship was reported there, a later call.
func (c *clerk) firstLeft(leg Leg) *Statement {
	var departed, onward *Statement
	there := false
	for i := range c.statements {
		s := &c.statements[i]
		call := s.about.call
		if s.void || !s.truth.real || call == nil || call.voyage != leg.Voyage || !s.reaches(c.box) {
			continue
		}
		there = there || call == leg.From
		if call == leg.From && s.What == "depart" && (departed == nil || recordedBefore(*s, *departed)) {
			departed = s
		}
		if call.index > leg.From.index && (onward == nil || recordedBefore(*s, *onward)) {
			onward = s
		}
	}
	if departed == nil && there {
		return onward
	}
	return departed
}

// siblingLoadedFirst: another container of the shipment was loaded on the ship,
// and that was recorded before the ship's leaving.
func (c *clerk) siblingLoadedFirst(left Statement) bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		load := s.What == "load" && s.Class == "actual" && !s.void && s.truth.box != c.box.index
		return load && s.reachesShipment(c.box.Shipment) && c.names.same(s, left) && recordedBefore(s, left)
	})
}

func recordedBefore(a, b Statement) bool {
	if a.RecordedAt.IsZero() || b.RecordedAt.IsZero() {
		return a.received.Before(b.received)
	}
	return a.RecordedAt.Before(b.RecordedAt)
}

// permitSupposed lets a container be shown aboard the ships of its plan.
func (c *clerk) permitSupposed(expected *ContainerExpectation) {
	moves := c.supposed()
	if len(moves) == 0 {
		return
	}
	expected.Status = withWord(expected.Status, "on_ship")
	expected.POLVesselDepartedAt = orAt(expected.POLVesselDepartedAt, c.instants(moves, c.leavesPOL))
	expected.PODArrivedAt = orAt(expected.PODArrivedAt, c.instants(moves, comesToPOD))
	for _, f := range moves {
		milestone := c.milestone(f)
		milestone.Required = false
		expected.Milestones = append(expected.Milestones, milestone)
	}
	expected.Milestones = append(expected.Milestones, c.supposedOnward(moves[len(moves)-1].Leg)...)
}

// supposedOnward lists the further calls of the last ship that the container
// may be taken to be aboard: until the ship of its last leg comes to the port of discharge.
func (c *clerk) supposedOnward(i int) []Milestone {
	until := c.Now
	if i < len(c.journey.Legs)-1 {
		until = earlier(until, c.journey.last().To.Arrive)
	}
	return c.onward(i, until, nil)
}

// permitSupposed lets the times of a shipment be those of the ships, where all
// its containers may only be supposed aboard.
func (s *shipmentClerk) permitSupposed(expected *ShipmentExpectation, voters []*clerk) {
	var departures, arrivals []Instant
	for _, c := range voters {
		moves, first := c.supposed(), c.firstDeparture()
		if len(moves) == 0 && first == nil {
			return
		}
		departures = append(departures, c.instants(moves, c.leavesPOL)...)
		arrivals = append(arrivals, c.instants(moves, comesToPOD)...)
		if first != nil {
			departures = append(departures, instantsOf(c.reportedMove(first, "depart"))...)
			arrivals = append(arrivals, instantsOf(c.arrivalsAtPOD(c.firstShip()))...)
		}
	}
	expected.POLATD = orAt(expected.POLATD, departures)
	expected.PODATA = orAt(expected.PODATA, arrivals)
}

func (c *clerk) leavesPOL(f fact) bool {
	return f.Reason == ShipDeparts && f.Call == c.journey.Legs[0].From
}

func comesToPOD(f fact) bool { return f.Reason == ShipArrives && f.Final }

func (c *clerk) instants(moves []fact, chosen func(fact) bool) []Instant {
	var all []Instant
	for _, f := range moves {
		if chosen(f) {
			all = append(all, c.instant(f))
		}
	}
	return all
}

// orAt accepts the moments besides, and null.
func orAt(value Time, moments []Instant) Time {
	if value.Grade == Open || len(moments) == 0 || !value.Accepts(time.Time{}) {
		return value
	}
	return Time{Grade: Undetermined, OneOf: distinct(slices.Concat(value.OneOf, moments))}
}
