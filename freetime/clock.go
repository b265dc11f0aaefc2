package freetime

import "time"

// isOutside reports whether the clock runs outside the yard from the beginning.
func (c Clock) isOutside() bool { return c == Detention || c == PerDiem }

// opens returns the type of fact that opens the clock, and "" for an unknown clock.
func (c Clock) opens() FactType {
	switch c {
	case Demurrage, Combined:
		return Discharged
	case RailStorage:
		return RailUnloaded
	case Detention, PerDiem:
		return FullOut
	}
	return ""
}

// ends returns the types of facts that end the clock.
func (c Clock) ends() []FactType {
	switch c {
	case Demurrage:
		return []FactType{FullOut, RailLoaded}
	case RailStorage:
		return []FactType{FullOut}
	}
	return []FactType{EmptyIn}
}

// parties returns whose last free day counts, the first of them first. Outside none does:
// a last day for the pick-up says nothing about the return. With Combined the day of the
// terminal is about its own storage alone.
func (c Clock) parties() []Party {
	switch c {
	case Demurrage:
		return []Party{PartyLine, PartyTerminal}
	case RailStorage:
		return []Party{PartyRail, PartyLine}
	case Combined:
		return []Party{PartyLine}
	}
	return nil
}

// yard returns the facility where the container stands while it is full.
func (c Clock) yard() Facility {
	if c == RailStorage {
		return Ramp
	}
	return Terminal
}

// count is one clock of one container at one moment of asking, before a tariff.
type count struct {
	clock     Clock
	container Container
	place     string
	zone      *time.Location
	asked     time.Time
	facts     []Fact // those that count, in the order of known

	opening *Fact // never nil
	ending  *Fact // nil while the clock runs
	left    *Fact // the container left the yard; nil while it has not, and outside
	// The dates of the ledger, both included.
	firstRow, lastRow Date

	reported *Fact // the last free day that counts; nil for none
	closures map[Facility]map[Date]*Fact
}

// newCount reads the facts. The opening fact must be there.
func newCount(clock Clock, h *History, facts []Fact, opening *Fact, asked time.Time) *count {
	c := &count{clock: clock, container: h.Container, place: h.Place, zone: h.Zone, asked: asked, facts: facts, opening: opening}
	c.ending = c.firstEnd(clock.ends()...)
	switch {
	case clock == Combined:
		c.left = c.firstEnd(FullOut, RailLoaded)
	case !clock.isOutside():
		c.left = c.ending
	}
	c.reported = reportedDay(clock, facts)
	c.firstRow = opening.date()
	if len(spansOf(c.firstRow, c.zone)) == 0 {
		c.firstRow = nextDate(c.firstRow, c.zone)
	}
	c.lastRow = DateOf(asked, c.zone)
	if c.ending != nil {
		c.lastRow = c.ending.date()
	}
	c.lastRow = max(c.lastRow, c.firstRow) // facts of other zones may have an earlier date
	c.readClosures()
	return c
}

// firstEnd returns the earliest of the facts of these types that were recorded last of
// their type, of those not before the opening fact; nil for none.
func (c *count) firstEnd(types ...FactType) *Fact {
	var first *Fact
	for _, ending := range types {
		f := latest(c.facts, func(f *Fact) bool { return f.Type == ending && !f.At.Before(c.opening.At) })
		if f != nil && (first == nil || f.At.Before(first.At)) {
			first = f
		}
	}
	return first
}

// reportedDay returns the last free day that counts, of the first party that reported one.
func reportedDay(clock Clock, facts []Fact) *Fact {
	for _, party := range clock.parties() {
		if f := latest(facts, func(f *Fact) bool { return f.Type == LastFreeDayFact && f.Party == party }); f != nil {
			return f
		}
	}
	return nil
}

func (c *count) readClosures() {
	c.closures = map[Facility]map[Date]*Fact{Terminal: {}, Ramp: {}, Depot: {}}
	for i := range c.facts {
		if f := &c.facts[i]; f.Type == Closed && c.closures[f.Of] != nil && c.closures[f.Of][f.Date] == nil {
			c.closures[f.Of][f.Date] = f
		}
	}
}

// firstDay returns the first day of the clock by the tariff, and zero while it is not
// known.
func (c *count) firstDay(t *Tariff) Date {
	switch t.Starts {
	case StartDayOf:
		return c.firstRow
	case StartDayAfter:
		return nextDate(c.opening.date(), c.zone)
	case StartCutoff:
		cutoff, _ := parseCutoff(t.Cutoff)
		if local := c.opening.At.In(c.opening.Zone); local.Hour()*60+local.Minute() < cutoff {
			return c.firstRow
		}
		return nextDate(c.opening.date(), c.zone)
	}
	return c.firstAvailability(t)
}

// firstAvailability returns the first day on which the container could be fetched, among
// the days of the ledger, and zero while there is none. Silence is not availability here.
func (c *count) firstAvailability(t *Tariff) Date {
	if t.UnavailableDays == UnavailableCount {
		return c.firstReported()
	}
	o := c.newObstacles(t)
	for d := c.firstRow; d <= c.lastRow; d = nextDate(d, c.zone) {
		if !o.block(d, silenceBlocks) {
			return d
		}
	}
	return 0
}

// firstReported returns the day of the first word that the container is available, or
// that of the gate-out where there was none before.
func (c *count) firstReported() Date {
	first := Date(0)
	for i := range c.facts {
		if c.facts[i].Type == Available {
			first = max(c.facts[i].date(), c.firstRow)
			break
		}
	}
	for _, proof := range []*Fact{c.left, c.ending} {
		if proof != nil && (first == 0 || proof.date() < first) {
			first = max(proof.date(), c.firstRow)
		}
	}
	if first > c.lastRow {
		return 0
	}
	return first
}
