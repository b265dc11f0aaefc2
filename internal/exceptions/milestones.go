package exceptions

import (
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
)

// findOverdue finds the next expected milestone of a container, and whether it is overdue.
func (f *finder) findOverdue(c *journey.ContainerJourney) {
	m, ok := f.next(c)
	if !ok || f.Stopped {
		return
	}
	if f.Next == nil {
		f.Next = map[string]Milestone{}
	}
	f.Next[c.Number] = m
	if !m.reported {
		f.changesAt(m.DueAt)
		return
	}
	e := Exception{Kind: MilestoneOverdue, Container: c.Number, Key: string(m.Event) + "/" + m.Place.LOCODE, Severity: Medium, Milestone: m}
	f.addByClock(e, m.DueAt, milestone{fact: -1}, m.Fact, func() string {
		text := "The " + milestoneName[m.Event] + " of container " + c.Number + " at " + placeName(m.Place)
		if m.At.IsZero() {
			return text + " should have been reported by " + m.DueAt.Format(dateForm) + ", and was not."
		}
		return text + " was expected" + on(m.At) + ", and was not reported by " + m.DueAt.Format(dateForm) + "."
	})
}

// next is the milestone that is expected next: after the last that has happened.
func (f *finder) next(c *journey.ContainerJourney) (m Milestone, ok bool) {
	picked := f.pickedUp(c)
	landed := f.last(c, freight.VesselDischarged, freight.FeederDischarged)
	switch {
	case f.returned(c).fact >= 0:
		return Milestone{}, false
	case picked.fact >= 0:
		return Milestone{Event: freight.EmptyIn, DueAt: picked.at.Add(f.ReturnDelay), Fact: picked.fact}, true
	case !c.INDATA.IsZero():
		arrived := f.last(c, freight.ArrivedAtDestination)
		return Milestone{Event: freight.FullOut, Place: c.PickupFacility, DueAt: c.INDATA.Time.Add(f.RampDwell), Fact: arrived.fact}, true
	case len(c.Expected) > 0 && !(c.PODDischargedAt.IsZero() && !c.PODArrivedAt.IsZero()):
		return f.expected(c.Expected[0]), true
	case !c.PODDischargedAt.IsZero() && f.onTheWayInland(c):
		return Milestone{}, false
	case !c.PODDischargedAt.IsZero():
		return Milestone{Event: freight.FullOut, Place: c.PODTerminal, DueAt: c.PODDischargedAt.Time.Add(f.PODDwell), Fact: landed.fact}, true
	case !c.PODArrivedAt.IsZero():
		arrived := f.last(c, freight.VesselArrived, freight.FeederArrived)
		due := c.PODArrivedAt.Time.Add(f.DischargeTolerance)
		return Milestone{Event: freight.VesselDischarged, Place: c.PODTerminal, DueAt: due, Fact: arrived.fact, reported: true}, true
	}
	return Milestone{}, false
}

// onTheWayInland: a train, a barge or the line's truck has the container, and nobody says when it
// arrives.
func (f *finder) onTheWayInland(c *journey.ContainerJourney) bool {
	return f.happened(c, c.PODDischargedAt.Time, freight.RailLoaded, freight.RailDeparted).fact >= 0 || c.PickupFacility.LOCODE != ""
}

func (f *finder) expected(x journey.Expectation) Milestone {
	tolerance := f.SeaTolerance
	switch x.Event {
	case freight.RailLoaded, freight.RailDeparted, freight.RailArrived, freight.RailUnloaded, freight.ArrivedAtDestination, freight.FullIn, freight.EmptyOut, freight.FullOut, freight.EmptyIn, freight.Delivered:
		tolerance = f.InlandTolerance
	}
	return Milestone{Event: x.Event, Place: x.Place, At: x.At, DueAt: x.At.Time.Add(x.At.Length() + tolerance), Fact: x.Fact, reported: true}
}

// Closing is an overdue milestone that has happened since, and a sentence with how late it came.
// The sentence is empty when it has not happened.
func Closing(container string, m Milestone, c *journey.ContainerJourney) (done journey.Milestone, text string) {
	for _, done = range c.Milestones {
		if done.Event != m.Event || done.Place.LOCODE != m.Place.LOCODE || done.At.IsZero() {
			continue
		}
		text = "The " + milestoneName[m.Event] + " of container " + container + " at " + placeName(done.Place) + " was reported for " + date(done.At)
		if late := done.At.Time.Sub(m.At.Time); !m.At.IsZero() && late >= time.Hour {
			return done, text + ", " + days(late) + " late."
		}
		if late := done.At.Time.Sub(m.DueAt); late > 0 {
			return done, text + ", " + days(late) + " after it was due."
		}
		return done, text + "; it happened in time, and the report came late."
	}
	return journey.Milestone{}, ""
}

var milestoneName = map[freight.EventName]string{
	freight.EmptyOut: "pick-up of the empty container", freight.FullIn: "gate-in", freight.FullOut: "pick-up", freight.EmptyIn: "empty return", freight.Delivered: "delivery",
	freight.VesselLoaded: "load", freight.FeederLoaded: "load", freight.TransshipmentLoaded: "load", freight.RailLoaded: "load on the train",
	freight.VesselDeparted: "departure", freight.FeederDeparted: "departure", freight.TransshipmentDeparted: "departure", freight.RailDeparted: "departure by train",
	freight.VesselArrived: "arrival", freight.FeederArrived: "arrival", freight.TransshipmentArrived: "arrival", freight.VesselBerthed: "berthing", freight.RailArrived: "arrival by train",
	freight.VesselDischarged: "discharge", freight.FeederDischarged: "discharge", freight.TransshipmentDischarged: "discharge", freight.RailUnloaded: "unloading from the train",
	freight.ArrivedAtDestination: "arrival",
}

var activityName = map[freight.Activity]string{
	freight.GateOut: "gate-out", freight.GateIn: "gate-in", freight.Loading: "load", freight.Discharge: "discharge",
	freight.Departure: "departure", freight.Arrival: "arrival", freight.Berth: "berthing", freight.Delivery: "delivery",
}
