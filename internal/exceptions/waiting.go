package exceptions

import (
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
)

// findDwell finds where the container stands too long: at hubs, at its port of discharge, at
// its inland destination.
func (f *finder) findDwell(c *journey.ContainerJourney) {
	for i, l := range c.Legs {
		if l.Landed < 0 || l.LandedAt.IsZero() || l.To.LOCODE == c.PODTerminal.LOCODE || c.PODTerminal.LOCODE == "" {
			continue
		}
		left := f.leftHub(c, i)
		f.addDwell(c, "hub", l.To, l.LandedAt, l.Landed, f.HubDwell, left)
	}
	if at := c.PODDischargedAt; !at.IsZero() {
		left := f.happened(c, at.Time, freight.FullOut, freight.RailLoaded, freight.RailDeparted, freight.RailArrived, freight.ArrivedAtDestination, freight.Delivered, freight.EmptyIn)
		if left.fact < 0 && c.Status == freight.StatusOffDock {
			return // it has left the terminal for a yard, where other tariffs count
		}
		landed := f.last(c, freight.VesselDischarged, freight.FeederDischarged)
		f.addDwell(c, "pod", c.PODTerminal, at, landed.fact, f.PODDwell, left)
	}
	if at := c.INDATA; !at.IsZero() {
		arrived := f.last(c, freight.ArrivedAtDestination)
		f.addDwell(c, "ramp", c.PickupFacility, at, arrived.fact, f.RampDwell, f.pickedUp(c))
	}
}

// leftHub is when the container left a port where it changes ships: it boarded the next one, or
// was picked up.
func (f *finder) leftHub(c *journey.ContainerJourney, leg int) milestone {
	if leg+1 < len(c.Legs) {
		next := c.Legs[leg+1]
		return milestone{next.BoardedAt.Time, f.recorded(next.Boarded), next.Boarded}
	}
	if !c.PODDischargedAt.IsZero() {
		return f.last(c, freight.VesselDischarged, freight.FeederDischarged)
	}
	if left := f.happened(c, c.Legs[leg].LandedAt.Time, freight.FullOut, freight.RailLoaded, freight.RailDeparted, freight.Delivered, freight.EmptyIn); left.fact >= 0 {
		return left
	}
	return f.pickedUp(c)
}

var whereItStands = map[string]string{"hub": "the port of transshipment", "pod": "the port of discharge", "ramp": "the inland destination"}

func (f *finder) addDwell(c *journey.ContainerJourney, where string, at freight.Place, since freight.Moment, fact int, limit time.Duration, left milestone) {
	e := Exception{Kind: LongDwell, Container: c.Number, Key: where + "/" + at.LOCODE, Severity: Medium}
	f.addByClock(e, since.Time.Add(limit), left, fact, func() string {
		if !left.at.IsZero() {
			return "Container " + c.Number + " was at " + placeName(at) + ", " + whereItStands[where] + ", for " + days(left.at.Sub(since.Time)) + "; more than " + days(limit) + " is long."
		}
		return "Container " + c.Number + " is at " + placeName(at) + ", " + whereItStands[where] + "," + sinceDate(since) + ", for more than " + days(limit) + "."
	})
}

// findHolds finds the holds in force. They end when no party reports them any more.
func (f *finder) findHolds(c *journey.ContainerJourney) {
	if f.pickedUp(c).fact >= 0 {
		return
	}
	for i, h := range c.Holds {
		if h.Status != "hold" || slices.ContainsFunc(c.Holds[:i], func(o freight.Hold) bool { return o.Name == h.Name && o.Status == h.Status }) {
			continue
		}
		e := Exception{Kind: Hold, Container: c.Number, Key: h.Name, Severity: High, OpenedAt: f.recorded(c.Provenance.Holds)}
		e.Text = "Container " + c.Number + " is not released: " + h.Name + " hold since " + e.OpenedAt.Format(dateForm) + "."
		f.add(e, c.Provenance.Holds)
	}
}

// lastFreeDay is the last free day that counts, with its fact: the line's, else the terminal's,
// else the railway's.
func lastFreeDay(c *journey.ContainerJourney) (at freight.Moment, fact int, zone string) {
	switch {
	case !c.LFDLine.IsZero():
		zone = c.DestZone
		if zone == "" {
			zone = c.PODZone
		}
		return c.LFDLine, c.Provenance.LFDLine, zone
	case !c.LFDTerminal.IsZero():
		return c.LFDTerminal, c.Provenance.LFDTerminal, c.PODZone
	}
	return c.LFDRail, c.Provenance.LFDRail, c.DestZone
}

// findFreeTime warns before the end of the last free day at the place, and after it.
func (f *finder) findFreeTime(c *journey.ContainerJourney) {
	day, fact, zone := lastFreeDay(c)
	if day.IsZero() {
		return
	}
	if day.Zone != "" {
		zone = day.Zone
	}
	ends := endOfDay(day, zone)
	picked := f.pickedUp(c)
	warn := latest(ends.Add(-f.FreeTimeWarning), f.recorded(fact))
	if warn.Before(ends) {
		e := Exception{Kind: FreeTimeEnding, Container: c.Number, Key: day.Time.Format(time.DateOnly), Severity: Medium}
		done := picked
		if (done.at.IsZero() || done.at.After(ends)) && !ends.After(f.now) {
			done = milestone{ends, ends, -1}
		} else if done.at.IsZero() {
			f.changesAt(ends)
		}
		f.addByClock(e, warn, done, fact, func() string {
			return "The last free day of container " + c.Number + " is " + dateIn(day.Time, zone) + "."
		})
	}
	e := Exception{Kind: FreeTimeEnded, Container: c.Number, Key: day.Time.Format(time.DateOnly), Severity: High}
	f.addByClock(e, latest(ends, f.recorded(fact)), picked, fact, func() string {
		return "The free time of container " + c.Number + " has ended: its last free day was " + dateIn(day.Time, zone) + ", and it was not picked up."
	})
}

// endOfDay is the midnight that ends a day at a place.
func endOfDay(m freight.Moment, zone string) time.Time {
	if loc := freight.LoadZone(zone); loc != nil {
		local := m.Time.In(loc)
		return time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, loc).UTC()
	}
	return m.Time.UTC().Truncate(day).Add(day)
}

// findPickup finds a container that a terminal would release, and nobody fetches.
func (f *finder) findPickup(c *journey.ContainerJourney) {
	picked := f.pickedUp(c)
	if (!c.AvailabilityKnown || !c.Available) && picked.fact < 0 {
		return
	}
	available := f.last(c, freight.Available)
	if available.fact < 0 {
		return
	}
	e := Exception{Kind: NotPickedUp, Container: c.Number, Key: available.at.Format(time.DateOnly), Severity: Medium}
	f.addByClock(e, available.at.Add(f.PickupDelay), picked, available.fact, func() string {
		return "Container " + c.Number + " is available since " + available.at.Format(dateForm) + " and was not picked up within " + days(f.PickupDelay) + "."
	})
}

// findReturn finds a container that was picked up and does not come back empty.
func (f *finder) findReturn(c *journey.ContainerJourney) {
	picked := f.happened(c, time.Time{}, freight.FullOut, freight.Delivered)
	if f.pickedUp(c).fact < 0 || picked.fact < 0 {
		return
	}
	e := Exception{Kind: NotReturned, Container: c.Number, Key: picked.at.Format(time.DateOnly), Severity: Medium}
	f.addByClock(e, picked.at.Add(f.ReturnDelay), f.returned(c), picked.fact, func() string {
		return "Container " + c.Number + " was picked up on " + picked.at.Format(dateForm) + " and not returned empty within " + days(f.ReturnDelay) + "."
	})
}

// findSilence finds a shipment of which no source says anything while somebody waits for it.
func (f *finder) findSilence() {
	if f.Stopped || len(f.Facts) == 0 || !f.isAwaited() {
		return
	}
	last, heard := -1, f.HeardAt
	for i, fact := range f.Facts {
		if last < 0 || fact.RecordedAt.After(f.recorded(last)) {
			last = i
		}
	}
	if heard.IsZero() {
		heard = f.recorded(last)
	}
	e := Exception{Kind: SourceSilent, Severity: Low, Key: heard.Format(time.RFC3339)}
	f.addByClock(e, heard.Add(f.Silence), milestone{fact: -1}, last, func() string {
		return "No source has said anything of this shipment since " + heard.Format(dateForm) + ", for more than " + days(f.Silence) + "."
	})
}

// isAwaited reports whether a container has not been picked up.
func (f *finder) isAwaited() bool {
	for i := range f.Journey.Containers {
		if c := &f.Journey.Containers[i]; !c.ReturnedUnused && f.pickedUp(c).fact < 0 {
			return true
		}
	}
	return len(f.Journey.Containers) == 0
}
