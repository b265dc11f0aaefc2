package simulation

import "slices"

// mayHaveLeft: the container may have left the ship at an earlier call of the
// leg than it did. Nothing names the port where it changed ships, and the next
// ship called at an earlier one; or the ship called at the stated port of discharge, and
// that one of several containers was carried on is all that the plans say.
func (c *clerk) mayHaveLeft(f fact) bool {
	if f.Leg < 0 || f.Leg == len(c.journey.Legs)-1 {
		return false
	}
	leg, next := c.journey.Legs[f.Leg], c.journey.Legs[f.Leg+1]
	_, discharge := c.legEnds(f.Leg)
	load, off := c.legEnds(f.Leg + 1)
	if discharge != nil || load != nil {
		return false
	}
	unnamed := !c.plannedFor(leg.To) && !c.endNamed(f.Leg)
	anySibling := off == nil && c.siblings() && !c.ownPlan(leg.To) && !c.ownPlan(next.From)
	return slices.ContainsFunc(leg.Voyage.Calls[leg.From.index+1:leg.To.index], func(call *Call) bool {
		past := f.Call.index > call.index || f.Call == call && f.What == "depart"
		stated := anySibling && call.Terminal.Town == c.statedPOD && c.reportedAt(call)
		return past && (stated || unnamed && c.callsLater(next, call))
	})
}

// callsLater: the ship of a leg is reported at the port of a call of another ship,
// afterwards, and before the leg ends.
func (c *clerk) callsLater(leg Leg, call *Call) bool {
	return slices.ContainsFunc(leg.Voyage.Calls[:leg.To.index], func(other *Call) bool {
		return other.Terminal.Town == call.Terminal.Town && other.Depart.After(call.Arrive) && c.reportedAt(other)
	})
}

func (c *clerk) siblings() bool {
	return slices.ContainsFunc(c.Boxes, func(box *Box) bool { return box != c.box && box.Shipment == c.box.Shipment })
}

// ownPlan: a plan for the container itself names the call.
func (c *clerk) ownPlan(call *Call) bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		return !s.void && !s.truth.real && s.truth.call == call && s.truth.box == c.box.index
	})
}
