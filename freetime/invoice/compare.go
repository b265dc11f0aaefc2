package invoice

import (
	"time"

	"github.com/landfallhq/tracking/freetime"
)

// comparison is a line with the ledger of its clock.
type comparison struct {
	line      *Line
	container *freetime.Charges      // nil where there is none
	clock     *freetime.ClockCharges // nil where there is none
	byDate    map[freetime.Date]*freetime.ChargedOn
	asOf      time.Time
}

func newComparison(l *Line, containers []freetime.Charges, asOf time.Time) *comparison {
	c := &comparison{line: l, asOf: asOf, byDate: map[freetime.Date]*freetime.ChargedOn{}}
	most := -1
	for i := range containers {
		if asNumber(containers[i].ContainerNumber) != l.Container {
			continue
		}
		clock := ledgerOf(&containers[i], l.Clock)
		if n := l.daysIn(clock); n > most {
			most, c.container, c.clock = n, &containers[i], clock
		}
	}
	if c.clock != nil {
		for i := range c.clock.Days {
			c.byDate[c.clock.Days[i].Date] = &c.clock.Days[i]
		}
	}
	return c
}

// ledgerOf returns the ledger of a clock. Detention and per diem are two names of one.
func ledgerOf(c *freetime.Charges, clock freetime.Clock) *freetime.ClockCharges {
	names := []freetime.Clock{clock}
	switch clock {
	case freetime.Detention:
		names = append(names, freetime.PerDiem)
	case freetime.PerDiem:
		names = append(names, freetime.Detention)
	}
	for _, name := range names {
		for i := range c.Clocks {
			if c.Clocks[i].Clock == name {
				return &c.Clocks[i]
			}
		}
	}
	return nil
}

// daysIn is how many days of the line a ledger has; a ledger without them is still better
// than none.
func (l *Line) daysIn(c *freetime.ClockCharges) int {
	if c == nil {
		return 0
	}
	n := 1
	for _, d := range c.Days {
		if d.Date >= l.From && d.Date <= l.To {
			n++
		}
	}
	return n
}

// charged are the days that lines have charged, with the number of the line.
type charged map[chargedDay]int

type chargedDay struct {
	container string // the ID, else the number
	clock     freetime.Clock
	date      freetime.Date
}

// result compares the days of the line, and marks those that it charges.
func (c *comparison) result(number int, seen charged) LineResult {
	l := c.line
	r := LineResult{Line: number, ContainerNumber: l.Container, Clock: l.Clock, From: &l.From, To: &l.To, Currency: &l.Currency, Days: []Day{}}
	key := chargedDay{container: l.Container, clock: l.Clock}
	if c.container != nil {
		r.ContainerID, key.container = &c.container.ContainerID, c.container.ContainerID
	}
	if c.clock != nil {
		r.setLedger(c.clock)
		key.clock = r.Clock
	} else if key.clock == freetime.PerDiem {
		key.clock = freetime.Detention
	}
	p := c.prices()
	for d := l.From; d <= l.To; d++ {
		key.date = d
		_, twice := seen[key]
		day := c.day(d, p, twice)
		if p.charges(d) {
			seen[key] = number
		}
		r.Days = append(r.Days, day)
	}
	r.settle(c, p)
	return r
}

// setLedger sets what the ledger says about all days.
func (r *LineResult) setLedger(k *freetime.ClockCharges) {
	r.Clock, r.ComputedCurrency, r.Unknown = k.Clock, k.Currency, k.Unknown
	r.LocationLOCODE, r.Timezone, r.TariffID, r.TariffName = k.LocationLOCODE, k.Timezone, k.TariffID, k.TariffName
	r.OpenedBy, r.EndedBy = k.OpenedBy, k.EndedBy
	r.LastFreeDay, r.ComputedLastFreeDay = k.LastFreeDay, k.ComputedLastFreeDay
	r.ReportedLastFreeDay, r.ReportedBy, r.ReportedIn = k.ReportedLastFreeDay, k.ReportedBy, k.ReportedIn
}

// day compares one day.
func (c *comparison) day(d freetime.Date, p *prices, twice bool) Day {
	day := Day{Date: d, Facts: []string{}}
	amount := p.on(d)
	if amount.IsKnown() {
		day.Charged = text(amount)
	}
	row := c.byDate[d]
	if row != nil {
		day.Kind, day.Tier, day.Rule = &row.Kind, row.Tier, &row.Rule
	}
	reason, computed := c.judge(d, row, twice)
	if computed.IsKnown() {
		day.Computed = text(computed)
	}
	day.Facts = c.facts(row, reason)
	switch {
	case reason == "":
		reason = c.priceReason(row, amount, computed)
	case amount.IsKnown() && amount.Units() == 0 && computed.IsKnown():
		reason = "" // it was not charged, and need not be
	}
	if reason != "" {
		day.Reason = &reason
	}
	if amount.IsKnown() && computed.IsKnown() && amount.Currency() == computed.Currency() {
		day.Difference = text(less(amount, computed))
	}
	return day
}

// judge returns why the day is not to be charged, or not known to be, and what it costs.
func (c *comparison) judge(d freetime.Date, row *freetime.ChargedOn, twice bool) (Reason, freetime.Money) {
	// Nothing is nothing in every currency: that of the line can be compared.
	nothing, unknown := amountOf("0", c.line.Currency), freetime.Money{}
	switch {
	case c.container == nil:
		return ContainerUnknown, unknown
	case twice:
		return ChargedTwice, nothing
	case c.clock == nil || c.clock.Unknown != nil && *c.clock.Unknown == freetime.NoTariff:
		return NoLedger, unknown
	case row != nil && row.Kind != freetime.ChargedDay:
		return reasonOfKind[row.Kind], nothing
	case row != nil && row.Amount != nil && c.clock.Currency != nil:
		return "", amountOf(*row.Amount, *c.clock.Currency)
	case c.clock.Unknown != nil || row != nil:
		return NotCounted, unknown
	case len(c.clock.Days) == 0:
		return CarriedInland, nothing
	case d < c.clock.Days[0].Date:
		return BeforeOpening, nothing
	case d > c.clock.Days[len(c.clock.Days)-1].Date && c.clock.EndedBy == nil:
		return NotYet, unknown
	}
	return AfterEnd, nothing
}

// priceReason returns why a day that is charged differs; "" where it does not.
func (c *comparison) priceReason(row *freetime.ChargedOn, amount, computed freetime.Money) Reason {
	switch {
	case c.line.Currency != computed.Currency():
		return OtherCurrency
	case !amount.IsKnown():
		return RateUnknown
	case amount == computed:
		return ""
	}
	for _, d := range c.clock.Days {
		if d.Amount != nil && *d.Tier != *row.Tier && amountOf(*d.Amount, computed.Currency()) == amount {
			return OtherTier
		}
	}
	return OtherRate
}

// facts returns the IDs of the facts behind a day.
func (c *comparison) facts(row *freetime.ChargedOn, reason Reason) []string {
	var fact *string
	switch {
	case c.clock == nil:
	case row != nil && row.Fact != nil:
		fact = row.Fact
	case reason == AfterEnd:
		fact = c.clock.EndedBy
	default:
		fact = c.clock.OpenedBy
	}
	if fact == nil {
		return []string{}
	}
	return []string{*fact}
}

// prices are what a line charges each of its days.
type prices struct {
	amount freetime.Money // of the line
	rate   freetime.Money // of a day
	dated  bool           // whether it is known which days are charged
	known  bool           // whether it is also known how much each is
	// chosen are the days that are charged, where the line counts fewer than there are from
	// its first to its last; nil for all.
	chosen map[freetime.Date]bool
}

// on is what the line charges for the day; unknown where the line does not say.
func (p *prices) on(d freetime.Date) freetime.Money {
	switch {
	case p.dated && p.chosen != nil && !p.chosen[d]:
		return amountOf("0", p.amount.Currency())
	case p.known:
		return p.rate
	}
	return freetime.Money{}
}

// charges reports whether the line is known to charge the day, though the amount may not be.
func (p *prices) charges(d freetime.Date) bool {
	amount := p.on(d)
	return p.dated && (!amount.IsKnown() || amount.Units() > 0)
}

// prices reads what the line charges. Without a rate the amount is divided by the days,
// where that is exact. Where the line counts fewer days than there are from first to last,
// they are those that are charged by the ledger, if it has as many.
func (c *comparison) prices() *prices {
	l := c.line
	days := l.counted()
	p := &prices{rate: amountOf(l.Rate, l.Currency), amount: amountOf(l.Amount, l.Currency)}
	switch {
	case l.Rate == "":
		if p.amount.Units()%int64(days) == 0 {
			p.rate, _ = freetime.NewMoney(p.amount.Units()/int64(days), l.Currency)
		}
	case l.Amount == "":
		p.amount = times(p.rate, days)
	}
	if p.dated = days >= l.span(); !p.dated {
		p.chosen = map[freetime.Date]bool{}
		for d, row := range c.byDate {
			if d >= l.From && d <= l.To && row.Kind == freetime.ChargedDay {
				p.chosen[d] = true
			}
		}
		p.dated = len(p.chosen) == days
	}
	p.known = p.dated && p.rate.IsKnown()
	return p
}

// settle sets the sums of a line, and its reason.
func (r *LineResult) settle(c *comparison, p *prices) {
	r.Charged, r.charged = text(p.amount), p.amount
	computed, inDays := freetime.Money{}, amountOf("0", *r.Currency)
	all := true
	for i := range r.Days {
		d := &r.Days[i]
		if p.known {
			inDays = inDays.Add(p.on(d.Date))
		}
		if d.Computed == nil {
			all = false
			continue
		}
		computed = sum(computed, c.computedOn(d))
	}
	if all {
		r.Computed = text(computed)
		if computed.Currency() == *r.Currency {
			r.ComputedCurrency = r.Currency
			r.Difference, r.computed = text(less(p.amount, computed)), computed
		}
	}
	for i := range r.Days {
		if r.Reason == nil {
			r.Reason = r.Days[i].Reason
		}
	}
	r.settleRest(c.line, p, less(p.amount, inDays))
}

// settleRest sets what is not in the days.
func (r *LineResult) settleRest(l *Line, p *prices, rest freetime.Money) {
	reason := Arithmetic
	if l.Days != 0 && l.Days != l.span() && !(p.dated && p.chosen != nil) {
		reason = DayCount
	}
	switch {
	case p.known && rest.Units() != 0:
		r.NotInDays, r.NotInDaysReason = text(rest), &reason
	case p.known:
		r.NotInDays = text(rest)
		return
	case reason == DayCount:
		r.NotInDaysReason = &reason
	}
	if r.Reason == nil {
		r.Reason = r.NotInDaysReason
	}
}

// computedOn is what a day costs: nothing is written in the currency of the line, and other
// amounts are in that of the ledger.
func (c *comparison) computedOn(d *Day) freetime.Money {
	if row := c.byDate[d.Date]; row != nil && row.Amount != nil && (d.Reason == nil || *d.Reason != ChargedTwice) {
		return amountOf(*d.Computed, *c.clock.Currency)
	}
	return amountOf(*d.Computed, c.line.Currency)
}

// sum adds amounts, of which those of zero have no currency of their own.
func sum(a, b freetime.Money) freetime.Money {
	switch {
	case !a.IsKnown() || a.Currency() != b.Currency() && a.Units() == 0:
		return b
	case a.Currency() != b.Currency() && b.Units() == 0:
		return a
	}
	return a.Add(b)
}

// times returns the amount of so many days; both are far from 64 bits.
func times(rate freetime.Money, days int) freetime.Money {
	m, _ := freetime.NewMoney(rate.Units()*int64(days), rate.Currency())
	return m
}

func text(m freetime.Money) *string {
	s := m.String()
	return &s
}
