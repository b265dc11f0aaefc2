package journey

import (
	"slices"
	"strconv"

	"github.com/landfallhq/tracking/freight"
)

// followRelease reads the facts about the release of a container in order of effect. It
// adds a milestone each time the container becomes available for pick-up at the POD or the
// inland place of delivery, or ceases to be. A repeated report adds nothing, and a
// container that was never available cannot cease to be. Facts of one instant are
// unordered, and only their joint result counts.
func (d *derivation) followRelease(c *ContainerJourney, cs *containerState, facts []*entry) *releaseState {
	r := &releaseState{byReporter: map[reporter]*partyView{}}
	pickups := cs.pickups
	a := availabilityChanges{derivation: d, c: c, cs: cs, left: d.departures(c, cs), wasReady: map[*site]bool{}, count: map[changeKey]int{}}
	toYard := cs.yard
	for len(facts) > 0 {
		n := countSimultaneous(facts)
		cause := facts[n-1]
		for _, e := range facts[:n] {
			if toYard != nil && !after(toYard, e) {
				r.clearAvailability()
				a.wasReady[cs.pod], toYard = false, nil
			}
			if len(pickups) > 0 && pickups[0].before(e) {
				r.clearAvailability()
				clear(a.wasReady)
				pickups = pickups[1:]
			}
			before := r.ready()
			r.pickedUp = cs.goneAt(e)
			r.add(e)
			if r.ready() != before {
				cause = e
			}
		}
		if r.availability != nil {
			a.add(r.availability, r.ready(), cause)
		}
		facts = facts[n:]
	}
	if toYard != nil || len(pickups) > 0 {
		r.clearAvailability()
	}
	c.Milestones = append(c.Milestones, a.list...)
	sortMilestones(c.Milestones)
	return r
}

// before reports whether the container was picked up before the fact took effect.
func (p pickup) before(e *entry) bool { return p.out.at.IsZero() || compareEffect(p.out, e) <= 0 }

// goneAt reports whether the container was out when the fact took effect. Reports of its
// availability then do not count.
func (cs *containerState) goneAt(e *entry) bool {
	return slices.ContainsFunc(cs.pickups, func(p pickup) bool {
		return p.before(e) && (p.back == nil || compareEffect(e, p.back) < 0)
	})
}

// countSimultaneous returns how many facts, from the first, took effect at the same time.
func countSimultaneous(facts []*entry) int {
	n := 1
	for n < len(facts) && facts[n].effectiveTime().Equal(facts[0].effectiveTime()) {
		n++
	}
	return n
}

// availabilityChanges collects the milestones of availability.
type availabilityChanges struct {
	*derivation
	c        *ContainerJourney
	cs       *containerState
	left     map[*site]freight.Moment
	wasReady map[*site]bool // whether the container was ready at the place
	count    map[changeKey]int
	list     []Milestone
}

type changeKey struct {
	event  freight.EventName
	at     *site
	minute string
}

// add adds a milestone if the container became ready at a place, or ceased to be. Reports
// about a place that it has left do not count.
func (a *availabilityChanges) add(availability *entry, ready bool, cause *entry) {
	s := a.pickupSite(availability)
	if s == nil || ready == a.wasReady[s] {
		return
	}
	m := a.milestone(claim{event: freight.NotAvailable, entry: cause}, 0, a.cs)
	if ready {
		m.Event = freight.Available
	}
	if cause.site != s {
		m.At, m.Place = a.localize(cause.At, s), a.c.PODTerminal
		if s != a.cs.pod {
			m.Place = a.c.PickupFacility
		}
	}
	if m.At.IsZero() {
		m.At = a.localize(freight.Moment{Time: cause.RecordedAt}, s)
	}
	if left := a.left[s]; !left.IsZero() && left.Compare(m.At) < 0 {
		return
	}
	key := changeKey{m.Event, s, minuteOf(m.At)}
	m.Leg = a.count[key]
	a.count[key]++
	a.wasReady[s] = ready
	a.list = append(a.list, m)
}

// pickupSite returns the place that a report of availability is about; nil when the
// container is not picked up there.
func (a *availabilityChanges) pickupSite(availability *entry) *site {
	switch s := availability.site; {
	case s == nil && a.cs.destination != nil && (a.cs.pod == nil || !a.left[a.cs.pod].IsZero()):
		return a.cs.destination
	case s == nil:
		return a.cs.pod
	case s == a.cs.pod, s == a.cs.destination:
		return s
	}
	return nil
}

// departures returns when the container left the POD and the inland place of delivery.
func (d *derivation) departures(c *ContainerJourney, cs *containerState) map[*site]freight.Moment {
	left := map[*site]freight.Moment{}
	for _, m := range c.Milestones { // in order of time
		s := d.entries[m.Fact].site
		switch m.Event {
		case freight.FullOut:
			left[s] = m.At
		case freight.RailLoaded, freight.RailDeparted, freight.FeederLoaded, freight.FeederDeparted:
			left[s] = m.At
		case freight.Delivered, freight.EmptyIn:
			left[cs.pod], left[cs.destination] = m.At, m.At
		}
	}
	return left
}

// Visit returns the part of an event's identity that distinguishes visits of one place.
// Availability can change every hour, and a late report can add a change between others. So
// its events are identified by the minute of their effect: a report that arrives late then
// changes the identity of no other event.
func (m *Milestone) Visit() string {
	leg := strconv.Itoa(m.Leg)
	if m.Event == freight.Available || m.Event == freight.NotAvailable {
		return minuteOf(m.At) + "/" + leg
	}
	return leg
}

// minuteOf returns the minute in UTC, so that an hour that local clocks show twice counts
// as two.
func minuteOf(m freight.Moment) string { return m.Time.UTC().Format("2006-01-02T15:04") }

// sortMilestones sorts milestones by time, and those of one time in the order of a journey.
func sortMilestones(list []Milestone) {
	slices.SortStableFunc(list, func(a, b Milestone) int {
		if c := a.At.Time.Compare(b.At.Time); c != 0 {
			return c
		}
		return MilestoneOrder[a.Event] - MilestoneOrder[b.Event]
	})
}
