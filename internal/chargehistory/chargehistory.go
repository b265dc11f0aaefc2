// Package chargehistory turns the journey of a container into what the clocks of package
// freetime count from: for each clock the place where it runs, and the facts. It is pure.
package chargehistory

import (
	"fmt"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
)

// Fact is a fact of the journey, by which days of a ledger are explained.
type Fact struct {
	*journey.LoggedFact
	// Name identifies the fact in ledgers; it is asked for by those that count.
	Name fmt.Stringer
	// ReceivedAt is when the account learned of it.
	ReceivedAt time.Time
}

// Container is a container with what was derived for it.
type Container struct {
	*journey.ContainerJourney
	// Facts are those of the journey, by index.
	Facts []Fact
	// Scope has the line and the equipment.
	Scope freetime.Container
	// Places gives the primary UN/LOCODE of each place.
	Places Places
}

// Places are the known ports and places.
type Places interface {
	Place(locode string) (canonical, name, zone string, ok bool)
}

// History returns the history that a clock counts from, and the place where it runs; its
// terminal is not yet in the scope.
//
// Demurrage and combined free time run at the port of discharge, rail storage at the inland
// place of delivery, detention and per diem from the place where the container is picked up.
// All facts of a history have its place: a gate-out in another port of the same area is one of
// the port of discharge. A container with an inland place of delivery is carried there by the
// line, so it has no demurrage at the port.
func (c *Container) History(clock freetime.Clock) (freetime.History, freight.Place) {
	at, zone := c.PODTerminal, c.PODZone
	switch {
	case clock == freetime.RailStorage, c.inland() && (clock == freetime.Detention || clock == freetime.PerDiem):
		at, zone = c.PickupFacility, c.DestZone
	}
	h := freetime.History{Container: c.Scope, Place: c.locode(at), Zone: freight.LoadZone(zone)}
	h.Container.ThroughRail = c.inland()
	if clock == freetime.RailStorage && !c.inland() {
		return h, at
	}
	facts := c.moves()
	if outside := clock == freetime.Detention || clock == freetime.PerDiem; outside {
		facts = slices.DeleteFunc(facts, func(f freetime.Fact) bool { return f.Type == leftUnseen })
	} else {
		atRamp := clock == freetime.RailStorage
		facts = slices.Concat(facts, c.freeDays(atRamp), c.release(atRamp))
	}
	for i := range facts {
		if facts[i].Type == leftUnseen {
			facts[i].Type = freetime.FullOut
		}
		facts[i].Place = h.Place
	}
	h.Facts = facts
	return h, at
}

// locode is the primary UN/LOCODE of a place.
func (c *Container) locode(p freight.Place) string {
	if code, _, _, ok := c.Places.Place(p.LOCODE); ok {
		return code
	}
	return p.LOCODE
}

// inland reports whether the line carries the container on to an inland place of delivery.
func (c *Container) inland() bool {
	d, p := c.PickupFacility, c.PODTerminal
	if d.LOCODE == "" && d.Name == "" {
		return false
	}
	return c.locode(d) != c.locode(p) || d.LOCODE == "" && d.Name != p.Name
}

// moves returns the moves that open and end clocks. Where the pick-up is not reported, the
// delivery or the return of the empty shows that the container has left; it opens nothing.
func (c *Container) moves() (facts []freetime.Fact) {
	var left *journey.Milestone
	for i := range c.Milestones {
		m := &c.Milestones[i]
		typ := c.typeOf(m)
		if typ != "" {
			facts = append(facts, c.fact(typ, m.Fact, m.At))
		}
		if left == nil && (typ == freetime.FullOut || typ == freetime.EmptyIn || m.Event == freight.Delivered && isAt(m, c.DeliveredAt)) {
			left = m
		}
	}
	if left != nil && left.Event != freight.FullOut {
		facts = append(facts, c.fact(leftUnseen, left.Fact, left.At))
	}
	return facts
}

// leftUnseen is a proof that the container has left the yard, where no gate-out is reported.
const leftUnseen freetime.FactType = "left_unseen"

// typeOf returns what a milestone is to the clocks; "" for nothing.
func (c *Container) typeOf(m *journey.Milestone) freetime.FactType {
	switch m.Event {
	case freight.VesselDischarged, freight.FeederDischarged:
		if isAt(m, c.PODDischargedAt) {
			return freetime.Discharged
		}
	case freight.RailLoaded, freight.RailDeparted:
		if isAt(m, c.PODRailLoadedAt) || c.PODRailLoadedAt.IsZero() && isAt(m, c.PODRailDepartedAt) {
			return freetime.RailLoaded
		}
	case freight.RailUnloaded:
		if isAt(m, c.INDRailUnloadedAt) {
			return freetime.RailUnloaded
		}
	case freight.FullOut:
		if isAt(m, c.PODFullOutAt) || isAt(m, c.DestFullOutAt) {
			return freetime.FullOut
		}
	case freight.EmptyIn:
		if isAt(m, c.EmptyTerminatedAt) && !c.ReturnedUnused {
			return freetime.EmptyIn
		}
	}
	return ""
}

// isAt reports whether the milestone is the one that gives a time of the container.
func isAt(m *journey.Milestone, at freight.Moment) bool {
	return !at.IsZero() && m.At.Time.Equal(at.Time)
}

// fact returns a fact at a time of its own.
func (c *Container) fact(typ freetime.FactType, index int, at freight.Moment) freetime.Fact {
	f := &c.Facts[index]
	return freetime.Fact{Name: f.Name.String(), Type: typ, At: at.Time, RecordedAt: f.learned(), Zone: freight.LoadZone(at.Zone)}
}

// learned is when the source recorded the fact, but not after its arrival: clocks differ.
func (f *Fact) learned() time.Time {
	if f.RecordedAt.IsZero() || !f.ReceivedAt.IsZero() && f.RecordedAt.After(f.ReceivedAt) {
		return f.ReceivedAt
	}
	return f.RecordedAt
}

// freeDays returns the reported last free days. That of the line is about the place where the
// container is picked up, unless its fact names the port of discharge.
func (c *Container) freeDays(atRamp bool) (facts []freetime.Fact) {
	add := func(party freetime.Party, day freight.Moment, index int) {
		if day.IsZero() || index < 0 {
			return
		}
		f := c.fact(freetime.LastFreeDayFact, index, day)
		f.Party = party
		facts = append(facts, f)
	}
	lineAtRamp := c.inland() && (c.Provenance.LFDLine < 0 || c.locode(c.Facts[c.Provenance.LFDLine].Place) != c.locode(c.PODTerminal))
	if lineAtRamp == atRamp {
		add(freetime.PartyLine, c.LFDLine, c.Provenance.LFDLine)
	}
	if atRamp {
		add(freetime.PartyRail, c.LFDRail, c.Provenance.LFDRail)
	} else {
		add(freetime.PartyTerminal, c.LFDTerminal, c.Provenance.LFDTerminal)
	}
	return facts
}
