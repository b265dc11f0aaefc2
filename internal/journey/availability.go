package journey

import (
	"slices"
	"strconv"

	"github.com/landfallhq/tracking/freight"
)

// followRelease reads the facts about a box's release in order of effect, and
// adds a milestone for each time that it became ready for pick-up at the POD or
// the inland place of delivery, or ceased to be. The same said again is nothing
// new; a box that was never ready cannot cease to be. Facts of one instant have
// no order among themselves, and only what they come to counts.
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

// before reports whether the container was picked up when a fact took effect.
func (p pickup) before(e *entry) bool { return p.out.at.IsZero() || compareEffect(p.out, e) <= 0 }

// goneAt reports whether the container was out when a fact took effect: what a
// terminal says of its availability then says nothing.
func (cs *containerState) goneAt(e *entry) bool {
	return slices.ContainsFunc(cs.pickups, func(p pickup) bool {
		return p.before(e) && (p.back == nil || compareEffect(e, p.back) < 0)
	})
}

// countSimultaneous is how many facts took effect at one time with the first.
func countSimultaneous(facts []*entry) int {
	n := 1
	for n < len(facts) && facts[n].effectiveTime().Equal(facts[0].effectiveTime()) {
		n++
	}
	return n
}

// availabilityChanges are the milestones of availability as they are found.
type availabilityChanges struct {
	*derivation
	c        *ContainerJourney
	cs       *containerState
	left     map[*site]freight.Moment
	wasReady map[*site]bool // whether the box was ready at the place
	count    map[changeKey]int
	list     []Milestone
}

type changeKey struct {
	event  freight.EventName
	at     *site
	minute string
}

// add adds a milestone if the box is ready where it was not, or the reverse.
// Once it has left a place, what is said of it there says nothing more.
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

// pickupSite is the place that a word on availability is about; nil when the box is
// not picked up there.
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

// departures are the times at which the box left the POD and the inland place.
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

// Visit is the part of an event's identity that tells one Visit of a place from
// another. Availability comes and goes by the hour, and which of its turns a
// fact made is known only when all are: so each goes by the minute in which it
// took effect, and one that is learned late renames no other.
func (m *Milestone) Visit() string {
	leg := strconv.Itoa(m.Leg)
	if m.Event == freight.Available || m.Event == freight.NotAvailable {
		return minuteOf(m.At) + "/" + leg
	}
	return leg
}

// minuteOf is UTC: an hour that the clocks of a place show twice is two hours.
func minuteOf(m freight.Moment) string { return m.Time.UTC().Format("2006-01-02T15:04") }

// sortMilestones puts them in order of time, and those of one time in the order
// of a journey.
func sortMilestones(list []Milestone) {
	slices.SortStableFunc(list, func(a, b Milestone) int {
		if c := a.At.Time.Compare(b.At.Time); c != 0 {
			return c
		}
		return MilestoneOrder[a.Event] - MilestoneOrder[b.Event]
	})
}
