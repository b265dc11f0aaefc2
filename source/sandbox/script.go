package sandbox

import (
	"slices"
	"strconv"
	"time"

	"github.com/landfallhq/tracking"
)

// whole is a whole voyage in the unit of progress: a ten-thousandth of it.
const whole = 10_000

// step is one fact of a script and when it comes.
type step struct {
	weight int // progress, in the script's own weights
	hours  int // the real world's hours since the booking
	fact   tracking.Fact
	// aim names the mark whose time the fact estimates, and late is by how many
	// hours it is wrong. Empty: the fact is an actual.
	aim  string
	late int
	// lastFree and appointment are the hours since the booking of the times in
	// fact.Terminal; 0 for none.
	lastFree, appointment int
}

// script is the voyage of one shipment: its steps, in order. Two scales run
// through it. Weights are what the viewer waits for, and are spread evenly so
// that something always happens; hours are what the events are dated by, and
// are as uneven as the real thing, which is mostly sea.
type script struct {
	identity
	lane  lane
	steps []step
	marks map[string]int // hours of what estimates aim at
	// Where the script is.
	weight, hours int
}

func newScript(id identity, l lane) *script {
	return &script{identity: id, lane: l, marks: map[string]int{}}
}

// after lets time pass.
func (p *script) after(weight, hours int) {
	p.weight += weight
	p.hours += hours
}

// tell adds a fact at this point. The key tells it apart from the other facts
// of the shipment; facts with one key are versions of each other.
func (p *script) tell(key string, f tracking.Fact) *step {
	f.ID = p.number + "/" + key
	f.Class = tracking.Actual
	f.Numbers = slices.Clone(p.numbers)
	p.steps = append(p.steps, step{weight: p.weight, hours: p.hours, fact: f})
	return &p.steps[len(p.steps)-1]
}

// expect adds an estimate of the time of a mark, which may stand later in the
// script, off by a number of hours.
func (p *script) expect(key, mark string, late int, f tracking.Fact) {
	s := p.tell(key, f)
	s.fact.Class = tracking.Estimated
	s.aim, s.late = mark, late
}

// mark names this point for estimates.
func (p *script) mark(name string) { p.marks[name] = p.hours }

// perBox tells one fact for each container, one after the other. Together they
// weigh as much as one step.
func (p *script) perBox(key string, hours int, f tracking.Fact) {
	for i, box := range p.boxes {
		switch {
		case len(p.boxes) == 1:
			p.after(stepWeight, hours)
		case i == 0:
			p.after(stepWeight/2, hours)
		default:
			p.after(stepWeight/4, 1)
		}
		f.Containers = []string{box.number}
		p.tell(key+"/"+strconv.Itoa(i+1), f)
	}
}

// stepWeight is the weight of an ordinary step.
const stepWeight = 4

// clock places a script in time.
type clock struct {
	now, since time.Time
	length     time.Duration // of a whole voyage
	head       int           // progress at since
}

// until returns the facts that are known at the clock's time, and whether more
// will come.
func (p *script) until(c clock) (facts []tracking.Fact, more bool) {
	if c.since.IsZero() || c.since.After(c.now) {
		c.since = c.now
	}
	elapsed := c.now.Sub(c.since)
	unit := c.length / whole // before multiplying: a long voyage would overflow
	for _, s := range p.steps {
		progress := 0
		if p.weight > 0 {
			progress = s.weight * whole / p.weight
		}
		wait := unit * time.Duration(progress-c.head)
		if progress > c.head && elapsed < wait {
			return facts, true
		}
		// The last event falls on since, so nothing actual is in the future.
		happened := c.since.Add(-hours(p.hours - s.hours)).Truncate(time.Minute)
		issued := c.since.Add(wait)
		f := s.fact
		f.At = tracking.Moment{Time: happened}
		f.RecordedAt = happened
		if progress > c.head {
			f.RecordedAt = issued.Truncate(time.Second)
		}
		if s.aim != "" {
			ahead := hours(p.marks[s.aim] - s.hours + s.late)
			f.At = tracking.Moment{Time: happened.Add(ahead).Round(time.Hour)}
		}
		if f.What == tracking.Described {
			f.At = tracking.Moment{} // a statement, not an event
		}
		at := func(h int) time.Time { return c.since.Add(-hours(p.hours - h)) }
		if s.lastFree > 0 {
			day := at(s.lastFree).Truncate(24 * time.Hour)
			f.Terminal.LastFreeDay = tracking.Moment{Time: day, Day: true, Floating: true}
		}
		if s.appointment > 0 {
			f.Terminal.Appointment = tracking.Moment{Time: at(s.appointment).Round(time.Hour)}
		}
		facts = append(facts, f)
	}
	return facts, false
}

func hours(n int) time.Duration { return time.Duration(n) * time.Hour }
