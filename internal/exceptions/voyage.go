package exceptions

import (
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
)

// findMissed finds the ships that are without the container although it was planned on them.
func (f *finder) findMissed(c *journey.ContainerJourney) {
	for i := range c.Missed {
		m := &c.Missed[i]
		later := m.NextAt.Time.Sub(m.PlannedAt.Time)
		if later < f.RolloverDelay {
			continue // another ship of the service took its place
		}
		e := Exception{Kind: f.kindOfMissed(c, m), Container: c.Number, Key: m.Port.LOCODE + "/" + m.Ship, Severity: High, OpenedAt: f.recorded(m.Shown)}
		e.Text = "Container " + c.Number + " was planned on " + shipName(m.Vessel) + " from " + placeName(m.Port) + on(m.PlannedAt) + " and is not aboard; it leaves on another ship" + on(m.NextAt) + ", " + days(later) + " later."
		sailed, closedAt := f.sailedInstead(c, m)
		e.ClosedAt = closedAt
		f.add(e, m.Planned, m.Shown, m.Next, sailed)
	}
}

func (f *finder) kindOfMissed(c *journey.ContainerJourney, m *journey.MissedShip) Kind {
	if m.AtHub {
		return MissedConnection
	}
	for i := range f.Journey.Containers {
		other := &f.Journey.Containers[i]
		if other.Number != c.Number && slices.ContainsFunc(other.Legs, func(l journey.Leg) bool { return l.Ship == m.Ship && l.From.LOCODE == m.Port.LOCODE }) {
			return ShortShipped
		}
	}
	return Rollover
}

// sailedInstead is the fact that another ship has left the port with the container, and when it
// was recorded; -1 while that is not known.
func (f *finder) sailedInstead(c *journey.ContainerJourney, m *journey.MissedShip) (fact int, at time.Time) {
	for _, l := range c.Legs {
		if l.From.LOCODE != m.Port.LOCODE || l.Ship == m.Ship {
			continue
		}
		switch {
		case l.Sailed >= 0 && f.Facts[l.Sailed].Activity == freight.Departure:
			return l.Sailed, f.recorded(l.Sailed)
		case l.Landed >= 0:
			return l.Landed, f.recorded(l.Landed)
		}
	}
	return -1, time.Time{}
}

// findDiversions finds the planned ports where the ship did not put the container ashore.
func (f *finder) findDiversions(c *journey.ContainerJourney) {
	for i := range c.Diversions {
		v := &c.Diversions[i]
		stays := c.PODTerminal.LOCODE == v.Planned.LOCODE // as its port of discharge
		e := Exception{Container: c.Number, Key: v.Planned.LOCODE, Severity: High, OpenedAt: f.recorded(v.Shown)}
		switch {
		case v.Called && stays && v.Ashore && v.Passed:
			e.Kind = Overcarried
			e.Text = shipName(v.Vessel) + " called at " + placeName(v.Planned) + " with container " + c.Number + " aboard and carried it on to " + placeName(v.Instead) + "."
		case !v.Called && (stays || !v.Final || v.Ashore && v.Passed):
			e.Kind = OmittedPort
			e.Text = shipName(v.Vessel) + " does not call at " + placeName(v.Planned) + ": container " + c.Number + " is discharged at " + placeName(v.Instead) + "."
		default:
			continue
		}
		end := f.arrivedAfter(c, v)
		e.ClosedAt = end.recorded
		f.add(e, v.PlannedBy, v.Shown, end.fact)
	}
}

// arrivedAfter is the discharge at the port of discharge after a diversion, or the pick-up where
// the voyage ended at another port.
func (f *finder) arrivedAfter(c *journey.ContainerJourney, v *journey.Diversion) milestone {
	if c.PODTerminal.LOCODE == v.Instead.LOCODE || c.PODTerminal.LOCODE == "" {
		return f.pickedUp(c)
	}
	if c.PODDischargedAt.IsZero() {
		return f.pickedUp(c)
	}
	return f.happened(c, c.PODDischargedAt.Time, freight.VesselDischarged, freight.FeederDischarged)
}

// findChangedDestination finds the former ports of discharge: those that were stated, and those
// where a container was to be discharged last.
func (f *finder) findChangedDestination() {
	j := f.Journey
	if j.POD.LOCODE == "" {
		return
	}
	former := map[string]bool{j.POD.LOCODE: true}
	for _, s := range j.StatedPODs {
		if !former[s.Place.LOCODE] {
			former[s.Place.LOCODE] = true
			f.addChangedDestination(s.Place, latest(f.recorded(s.Fact), f.recorded(j.Provenance.POD)), s.Fact, j.Provenance.POD)
		}
	}
	for i := range j.Containers {
		for _, v := range j.Containers[i].Diversions {
			if v.Final && v.Instead.LOCODE == j.POD.LOCODE && !former[v.Planned.LOCODE] {
				former[v.Planned.LOCODE] = true
				f.addChangedDestination(v.Planned, f.recorded(v.Shown), v.PlannedBy, v.Shown)
			}
		}
	}
}

// addChangedDestination is closed when every container is ashore at the new port.
func (f *finder) addChangedDestination(from freight.Place, at time.Time, facts ...int) {
	j := f.Journey
	e := Exception{Kind: ChangedDestination, Key: from.LOCODE, Severity: High, OpenedAt: at}
	e.Text = "The port of discharge has changed from " + placeName(from) + " to " + placeName(j.POD) + "."
	all := len(j.Containers) > 0
	for i := range j.Containers {
		c := &j.Containers[i]
		m := f.happened(c, at, freight.VesselDischarged, freight.FeederDischarged)
		if m.fact < 0 {
			m = f.pickedUp(c)
		}
		all = all && m.fact >= 0
		e.ClosedAt = latest(e.ClosedAt, m.recorded)
	}
	if !all {
		e.ClosedAt = time.Time{}
	}
	f.add(e, facts...)
}
