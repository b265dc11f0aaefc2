package freetime

import (
	"slices"
	"time"
)

// block is a time for which a fact keeps the container from being fetched. Silence has no
// fact.
type block struct {
	span
	fact *Fact
}

// obstacles is when the container could not be fetched, or the empty not be returned, as
// a tariff sees it.
type obstacles struct {
	*count
	holds     []block // holds that the tariff excuses, in the order in which they were set
	withdrawn []block // the terminal's word that it is not available
	silence   block   // before the terminal's first word

	reports []block // holds and withdrawn by the beginning of their spans
	all     []block // these and silence
}

// A silenceRule says whether the time before the terminal's first word about availability
// is an obstacle.
type silenceRule bool

const (
	silenceExcusesNothing silenceRule = false
	silenceBlocks         silenceRule = true
)

func (c *count) newObstacles(t *Tariff) *obstacles {
	o := &obstacles{count: c, silence: block{span: span{beginning, end}}}
	holds := map[string]*Fact{}
	var word *Fact
	for i := range c.facts {
		f := &c.facts[i]
		switch {
		case f.Type == Available, f.Type == NotAvailable:
			o.endWord(word, f.At)
			word = f
		case f.Type == Held && holds[f.Hold] == nil && !slices.Contains(t.HoldsThatCount, f.Hold):
			holds[f.Hold] = f
		case f.Type == Released && holds[f.Hold] != nil:
			o.holds = append(o.holds, block{span{holds[f.Hold].At, f.At}, holds[f.Hold]})
			delete(holds, f.Hold)
		}
	}
	o.endWord(word, end)
	for _, f := range holds {
		o.holds = append(o.holds, block{span{f.At, end}, f})
	}
	o.sort()
	return o
}

// endWord notes that the terminal's word was true until the moment. A nil word is silence.
func (o *obstacles) endWord(word *Fact, at time.Time) {
	switch {
	case word == nil:
		o.silence.to = at
	case word.Type == NotAvailable:
		o.withdrawn = append(o.withdrawn, block{span{word.At, at}, word})
	}
}

func (o *obstacles) sort() {
	byBeginning := func(a, b block) int {
		if n := a.from.Compare(b.from); n != 0 || a.fact == nil || b.fact == nil {
			return n
		}
		return compareRest(*a.fact, *b.fact)
	}
	slices.SortFunc(o.holds, byBeginning)
	o.reports = slices.Concat(o.holds, o.withdrawn)
	slices.SortStableFunc(o.reports, byBeginning)
	o.all = append([]block{o.silence}, o.reports...)
}

// block reports whether the container could at no moment of the date be fetched, or the
// empty not be returned.
func (o *obstacles) block(d Date, silence silenceRule) bool {
	if o.isProven(d) {
		return false
	}
	if o.closure(d) != nil {
		return true
	}
	if o.isOutside(d) || o.hasLeft(d) {
		return false
	}
	blocks := o.reports
	if silence == silenceBlocks {
		blocks = o.all
	}
	for _, s := range o.moments(d) {
		if !covers(blocks, s) {
			return false
		}
	}
	return true
}

// cause returns the fact that is shown for a day that is blocked, and the rule. It is the
// closure, else the hold set first, else the terminal's word, else its silence.
func (o *obstacles) cause(d Date) (Rule, *Fact) {
	if f := o.closure(d); f != nil {
		return RuleClosed, f
	}
	if f := o.during(o.holds, d); f != nil {
		return RuleHeld, f
	}
	return o.word(d)
}

// word returns the terminal's word of the day that the container was not available, or
// its silence.
func (o *obstacles) word(d Date) (Rule, *Fact) {
	if f := o.during(o.withdrawn, d); f != nil {
		return RuleNotAvailable, f
	}
	return RuleNoAvailabilityReported, nil
}

// during returns the fact of the first block that has a moment of the date.
func (o *obstacles) during(blocks []block, d Date) *Fact {
	for _, b := range blocks {
		for _, s := range o.moments(d) {
			if !b.intersect(s).isEmpty() {
				return b.fact
			}
		}
	}
	return nil
}

// wasAvailable reports whether the terminal ever said that it is available.
func (o *obstacles) wasAvailable() bool {
	return slices.ContainsFunc(o.facts, func(f Fact) bool { return f.Type == Available })
}

// standStill reports whether a hold, or a withdrawn availability, keeps the container from
// the moment of asking on, as far as is known.
func (o *obstacles) standStill() bool {
	return o.left == nil && o.ending == nil && !o.clock.isOutside() && covers(o.reports, span{o.asked, end})
}

// isProven reports whether the container left the yard on that day, or the empty came
// back, whatever else is reported.
func (o *obstacles) isProven(d Date) bool {
	return o.left != nil && d == o.left.date() || o.ending != nil && d == o.ending.date()
}

// hasLeft reports whether the container had left the yard before the date.
func (o *obstacles) hasLeft(d Date) bool {
	return o.left != nil && d > o.left.date() || o.ending != nil && d > o.ending.date()
}

// isOutside reports whether it is the empty that is waited for on the date.
func (o *obstacles) isOutside(d Date) bool {
	return o.clock.isOutside() || o.clock == Combined && o.hasLeft(d)
}

// closure returns that of the yard, or outside that of the depot; nil for none.
func (o *obstacles) closure(d Date) *Fact {
	if o.isOutside(d) {
		return o.closures[Depot][d]
	}
	return o.closures[o.clock.yard()][d]
}

// moments returns those of the date, on the day of the opening fact without those before.
func (o *obstacles) moments(d Date) []span {
	all := spansOf(d, o.zone)
	var since []span
	for _, s := range all {
		if s = s.intersect(span{o.opening.At, end}); !s.isEmpty() {
			since = append(since, s)
		}
	}
	if since == nil { // a date before that moment in the zone of the clock
		return all
	}
	return since
}

// covers reports whether blocks in the order of their beginnings leave no moment of s.
func covers(blocks []block, s span) bool {
	at := s.from
	for _, b := range blocks {
		if b.from.After(at) || !at.Before(s.to) {
			break
		}
		if b.to.After(at) {
			at = b.to
		}
	}
	return !at.Before(s.to)
}
