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
func (d *derivation) followRelease(c *ContainerJourney, b *box, said []*entry) *desk {
	k := &desk{opinions: map[party]*opinion{}}
	pickups := b.pickups
	f := flips{derivation: d, c: c, b: b, left: d.departures(c, b), was: map[*site]bool{}, count: map[flip]int{}}
	move := b.yard
	for len(said) > 0 {
		n := together(said)
		cause := said[n-1]
		for _, e := range said[:n] {
			if move != nil && !after(move, e) {
				k.moved()
				f.was[b.pod], move = false, nil
			}
			if len(pickups) > 0 && pickups[0].before(e) {
				k.moved()
				clear(f.was)
				pickups = pickups[1:]
			}
			before := k.ready()
			k.gone = b.goneAt(e)
			k.hear(e)
			if k.ready() != before {
				cause = e
			}
		}
		if k.word != nil {
			f.note(k.word, k.ready(), cause)
		}
		said = said[n:]
	}
	if move != nil || len(pickups) > 0 {
		k.moved()
	}
	c.Milestones = append(c.Milestones, f.list...)
	sortMilestones(c.Milestones)
	return k
}

// before reports whether the container was picked up when a fact took effect.
func (p pickup) before(e *entry) bool { return p.out.at.IsZero() || compareEffect(p.out, e) <= 0 }

// goneAt reports whether the container was out when a fact took effect: what a
// terminal says of its availability then says nothing.
func (b *box) goneAt(e *entry) bool {
	return slices.ContainsFunc(b.pickups, func(p pickup) bool {
		return p.before(e) && (p.back == nil || compareEffect(e, p.back) < 0)
	})
}

// together is how many facts took effect at one time with the first.
func together(said []*entry) int {
	n := 1
	for n < len(said) && said[n].effective().Equal(said[0].effective()) {
		n++
	}
	return n
}

// flips are the milestones of availability as they are found.
type flips struct {
	*derivation
	c     *ContainerJourney
	b     *box
	left  map[*site]freight.Moment
	was   map[*site]bool // whether the box was ready at the place
	count map[flip]int
	list  []Milestone
}

type flip struct {
	event  freight.EventName
	at     *site
	minute string
}

// note adds a milestone if the box is ready where it was not, or the reverse.
// Once it has left a place, what is said of it there says nothing more.
func (f *flips) note(word *entry, ready bool, cause *entry) {
	s := f.stands(word)
	if s == nil || ready == f.was[s] {
		return
	}
	m := f.milestone(claim{event: freight.NotAvailable, entry: cause}, 0, f.b)
	if ready {
		m.Event = freight.Available
	}
	if cause.site != s {
		m.At, m.Place = f.localize(cause.At, s), f.c.PODTerminal
		if s != f.b.pod {
			m.Place = f.c.PickupFacility
		}
	}
	if m.At.IsZero() {
		m.At = f.localize(freight.Moment{Time: cause.RecordedAt}, s)
	}
	if left := f.left[s]; !left.IsZero() && left.Compare(m.At) < 0 {
		return
	}
	turn := flip{m.Event, s, minuteOf(m.At)}
	m.Leg = f.count[turn]
	f.count[turn]++
	f.was[s] = ready
	f.list = append(f.list, m)
}

// stands is the place that a word on availability is about; nil when the box is
// not picked up there.
func (f *flips) stands(word *entry) *site {
	switch s := word.site; {
	case s == nil && f.b.destination != nil && (f.b.pod == nil || !f.left[f.b.pod].IsZero()):
		return f.b.destination
	case s == nil:
		return f.b.pod
	case s == f.b.pod, s == f.b.destination:
		return s
	}
	return nil
}

// departures are the times at which the box left the POD and the inland place.
func (d *derivation) departures(c *ContainerJourney, b *box) map[*site]freight.Moment {
	left := map[*site]freight.Moment{}
	for _, m := range c.Milestones { // in order of time
		s := d.entries[m.Fact].site
		switch m.Event {
		case freight.FullOut:
			left[s] = m.At
		case freight.RailLoaded, freight.RailDeparted, freight.FeederLoaded, freight.FeederDeparted:
			left[s] = m.At
		case freight.Delivered, freight.EmptyIn:
			left[b.pod], left[b.destination] = m.At, m.At
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
