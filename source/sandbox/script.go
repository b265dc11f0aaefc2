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
// something always happens. Hours are the dates of the events before tracking began, and
// of what is estimated, as uneven as on a real voyage, which is mostly sea.
type script struct {
	identity
	route route
	steps []step
	marks map[string]int // hours of the marks
	// The current position.
	weight, hours int
	// open: it has no end, and all of it was before tracking began.
	open bool
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
	reached := p.hoursAt(c.head)
	for _, s := range p.steps {
		progress := p.progress(s.weight)
		wait := unit * time.Duration(progress-c.head)
		if progress > c.head && elapsed < wait {
			return facts, true
		}
		happened := c.since.Add(-hours(reached - s.hours)).Truncate(time.Minute)
		recorded := happened
		if progress > c.head {
			recorded = c.since.Add(wait).Truncate(time.Second)
			if !p.open {
				happened = recorded
			}
		}
		facts = append(facts, p.factOf(s, happened, recorded))
	}
	return facts, false
}

// factOf dates the fact of a step.
func (p *script) factOf(s step, happened, recorded time.Time) freight.Fact {
	at := func(h int) time.Time { return happened.Add(hours(h - s.hours)) }
	f := s.fact
	f.RecordedAt = recorded
	switch {
	case f.Activity == freight.Described: // a statement, not an event
	case s.estimated != "":
		f.At = freight.Moment{Time: at(p.marks[s.estimated] + s.errorHours).Round(time.Hour)}
	default:
		f.At = freight.Moment{Time: happened}
	}
	if s.lastFree > 0 {
		day := at(s.lastFree).Truncate(24 * time.Hour)
		f.Terminal.LastFreeDay = freight.Moment{Time: day, Day: true, Floating: true}
	}
	if s.appointment > 0 {
		f.Terminal.Appointment = freight.Moment{Time: at(s.appointment).Round(time.Hour)}
	}
	return f
}

// progress is where a weight stands in the script.
func (p *script) progress(weight int) int {
	if p.weight == 0 {
		return 0
	}
	return weight * fullProgress / p.weight
}

// hoursAt returns how many hours of the voyage are over at a progress: between two steps, in
// proportion. All of a script without an end is over.
func (p *script) hoursAt(progress int) int {
	if p.open {
		return p.hours
	}
	before := step{}
	for _, next := range append(slices.Clip(p.steps), step{weight: p.weight, hours: p.hours}) {
		from, to := p.progress(before.weight), p.progress(next.weight)
		if to > progress {
			return before.hours + (next.hours-before.hours)*(progress-from)/(to-from)
		}
		before = next
	}
	return p.hours
}

func hours(n int) time.Duration { return time.Duration(n) * time.Hour }
