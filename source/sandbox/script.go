package sandbox

import (
	"slices"
	"strconv"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// fullProgress is a whole voyage, in the unit of progress.
const fullProgress = 10_000

// step is one fact of a script and its time.
type step struct {
	weight int // progress, in weights of the script
	hours  int // hours since the booking
	fact   freight.Fact
	// estimated names the mark whose time the fact estimates, with an error of
	// errorHours. Empty if the fact is an actual.
	estimated  string
	errorHours int
	// lastFree and appointment are the times in fact.Terminal, in hours since the
	// booking; 0 for none.
	lastFree, appointment int
}

// script is the voyage of one shipment: its steps, in order. It has two time
// scales. Weights are the real time between facts, and are spread evenly so that
// something always happens. Hours are the dates of the events, as uneven as on a
// real voyage, which is mostly sea.
type script struct {
	identity
	route route
	steps []step
	marks map[string]int // hours of the marks
	// The current position.
	weight, hours int
}

func newScript(id identity, l route) *script {
	return &script{identity: id, route: l, marks: map[string]int{}}
}

// after advances the position.
func (p *script) after(weight, hours int) {
	p.weight += weight
	p.hours += hours
}

// add adds a fact at the current position. The key identifies it in the shipment;
// facts with the same key are versions of each other.
func (p *script) add(key string, f freight.Fact) *step {
	f.ID = p.number + "/" + key
	f.Classifier = freight.Actual
	f.Numbers = slices.Clone(p.numbers)
	p.steps = append(p.steps, step{weight: p.weight, hours: p.hours, fact: f})
	return &p.steps[len(p.steps)-1]
}

// addEstimate adds an estimate of the time of a mark, which may come later in the
// script, with an error in hours.
func (p *script) addEstimate(key, mark string, late int, f freight.Fact) {
	s := p.add(key, f)
	s.fact.Classifier = freight.Estimated
	s.estimated, s.errorHours = mark, late
}

// mark names the current position for estimates.
func (p *script) mark(name string) { p.marks[name] = p.hours }

// addPerContainer adds one fact for each container, one after the other. Together
// they have the weight of one step.
func (p *script) addPerContainer(key string, hours int, f freight.Fact) {
	for i, container := range p.containers {
		switch {
		case len(p.containers) == 1:
			p.after(stepWeight, hours)
		case i == 0:
			p.after(stepWeight/2, hours)
		default:
			p.after(stepWeight/4, 1)
		}
		f.Containers = []string{container.number}
		p.add(key+"/"+strconv.Itoa(i+1), f)
	}
}

// stepWeight is the weight of an ordinary step.
const stepWeight = 4

// clock places a script in time.
type clock struct {
	now, since time.Time
	length     time.Duration // of a voyage
	head       int           // progress at since
}

// factsAt returns the facts that are known at the clock's time, and whether there
// will be more.
func (p *script) factsAt(c clock) (facts []freight.Fact, more bool) {
	if c.since.IsZero() || c.since.After(c.now) {
		c.since = c.now
	}
	elapsed := c.now.Sub(c.since)
	unit := c.length / fullProgress // before multiplying: a long voyage would overflow
	for _, s := range p.steps {
		progress := 0
		if p.weight > 0 {
			progress = s.weight * fullProgress / p.weight
		}
		wait := unit * time.Duration(progress-c.head)
		if progress > c.head && elapsed < wait {
			return facts, true
		}
		// The last event is at since, so no actual is in the future.
		happened := c.since.Add(-hours(p.hours - s.hours)).Truncate(time.Minute)
		issued := c.since.Add(wait)
		f := s.fact
		f.At = freight.Moment{Time: happened}
		f.RecordedAt = happened
		if progress > c.head {
			f.RecordedAt = issued.Truncate(time.Second)
		}
		if s.estimated != "" {
			ahead := hours(p.marks[s.estimated] - s.hours + s.errorHours)
			f.At = freight.Moment{Time: happened.Add(ahead).Round(time.Hour)}
		}
		if f.Activity == freight.Described {
			f.At = freight.Moment{} // a statement, not an event
		}
		at := func(h int) time.Time { return c.since.Add(-hours(p.hours - h)) }
		if s.lastFree > 0 {
			day := at(s.lastFree).Truncate(24 * time.Hour)
			f.Terminal.LastFreeDay = freight.Moment{Time: day, Day: true, Floating: true}
		}
		if s.appointment > 0 {
			f.Terminal.Appointment = freight.Moment{Time: at(s.appointment).Round(time.Hour)}
		}
		facts = append(facts, f)
	}
	return facts, false
}

func hours(n int) time.Duration { return time.Duration(n) * time.Hour }
