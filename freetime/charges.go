package freetime

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Charges are what a container costs at a moment: the ledgers of its clocks, and their sums.
// What is not known is null. Amounts are texts such as "150.00".
type Charges struct {
	// ContainerID and ContainerNumber are those of the container.
	ContainerID     string `json:"container_id"`
	ContainerNumber string `json:"container_number"`
	// AsOf is the moment of asking, UTC: what was known by its end counts.
	AsOf time.Time `json:"as_of"`
	// Accruing reports whether a clock has run beyond its free time and tomorrow is charged.
	Accruing bool `json:"accruing"`
	// FreeTimeEndsOn is the earliest last free day of the clocks that run, at its place; null
	// while none is known.
	FreeTimeEndsOn *Date `json:"free_time_ends_on"`
	// Totals are the sums of the clocks whose total is known, by currency.
	Totals []Total `json:"totals"`
	// Clocks are the ledgers: those of the clocks for which the account has tariffs, or a last
	// free day is reported.
	Clocks []ClockCharges `json:"clocks"`
	// Facts are the facts behind the ledgers, in the order of their times.
	Facts []Evidence `json:"facts"`
}

// Total is a sum in one currency, a code of ISO 4217.
type Total struct {
	Currency string `json:"currency"`
	// Amount is owed until today, and Tomorrow what the day after that of asking will add if
	// nothing more is reported.
	Amount   string `json:"amount"`
	Tomorrow string `json:"tomorrow"`
}

// ClockCharges is the ledger of one clock, as it is written. The IDs of facts are those of raw
// events.
type ClockCharges struct {
	Clock Clock `json:"clock"`
	// LocationLOCODE is the UN/LOCODE of the place where the clock runs, and Timezone its IANA
	// zone, whose calendar all dates are of; null while not known.
	LocationLOCODE *string `json:"location_locode"`
	Timezone       *string `json:"timezone"`
	// TariffID and TariffName are the tariff that counts; null for none, and without a name.
	TariffID   *string `json:"tariff_id"`
	TariffName *string `json:"tariff_name"`
	// OpenedBy and EndedBy are the IDs of the facts that opened and ended the clock; null while
	// there is none.
	OpenedBy *string `json:"opened_by"`
	EndedBy  *string `json:"ended_by"`
	// LastFreeDay is the one that counts: the reported one, else the computed one.
	LastFreeDay *Date `json:"last_free_day"`
	// ComputedLastFreeDay follows from the facts and the tariff.
	ComputedLastFreeDay *Date `json:"computed_last_free_day"`
	// ReportedLastFreeDay was reported by the party ReportedBy (line, terminal or rail) with
	// the fact ReportedIn; null for none.
	ReportedLastFreeDay *Date   `json:"reported_last_free_day"`
	ReportedBy          *Party  `json:"reported_by"`
	ReportedIn          *string `json:"reported_in"`
	// Disagreement is by how many days the reported last free day is later than the computed
	// one, less than zero where it is earlier; null where one of them is not known.
	Disagreement *int `json:"disagreement_days"`
	// FirstChargedDay is null where no day is charged.
	FirstChargedDay *Date `json:"first_charged_day"`
	// DaysCharged, Currency, Total and Tomorrow are null together while they are not known, and
	// Unknown is why.
	DaysCharged *int    `json:"days_charged"`
	Currency    *string `json:"currency"`
	Total       *string `json:"total"`
	Tomorrow    *string `json:"tomorrow"`
	Unknown     *Reason `json:"unknown"`
	// Days are in order, from the day of the opening fact to that of the ending fact, or of
	// asking.
	Days []ChargedOn `json:"days"`
}

// ChargedOn is a day of a ledger, as it is written.
type ChargedOn struct {
	Date Date `json:"date"` // at the place
	Kind Kind `json:"kind"`
	// Tier is the number of the tier, from 1, and Amount what the day costs; null for days that
	// are not charged.
	Tier   *int    `json:"tier"`
	Amount *string `json:"amount"`
	// Rule is why the day has its kind, and Fact the ID of the fact behind it; null where there
	// is none.
	Rule Rule    `json:"rule"`
	Fact *string `json:"fact"`
}

// Evidence is a fact behind a ledger.
type Evidence struct {
	// ID is that of the raw event.
	ID string `json:"id"`
	// Event is what was reported, such as discharge or terminal_status.
	Event string `json:"event"`
	// Source is the reporter, and DataSource its kind.
	Source     string `json:"source"`
	DataSource string `json:"data_source"`
	// HappenedAt is when it happened, UTC, and Timezone the IANA zone of its place; null where
	// the source does not say.
	HappenedAt *time.Time `json:"happened_at"`
	Timezone   *string    `json:"timezone"`
	// LocationLOCODE and LocationName are its place; null where the source does not say.
	LocationLOCODE *string `json:"location_locode"`
	LocationName   *string `json:"location_name"`
	// RecordedAt is when the source recorded it, and ReceivedAt when the account learned of
	// it; UTC.
	RecordedAt time.Time `json:"recorded_at"`
	ReceivedAt time.Time `json:"received_at"`
}

// NewCharges adds up ledgers. The names of their tariffs and facts are taken as IDs.
func NewCharges(ledgers []Ledger) Charges {
	sum := Add(ledgers)
	c := Charges{Accruing: sum.Accruing, FreeTimeEndsOn: known(sum.FreeTimeEndsOn), Totals: sum.Totals, Clocks: []ClockCharges{}, Facts: []Evidence{}}
	for i := range ledgers {
		c.Clocks = append(c.Clocks, ledgers[i].charges())
	}
	return c
}

// Sum is what ledgers come to.
type Sum struct {
	// Known reports whether the total of any of them is known.
	Known bool
	// Accruing, FreeTimeEndsOn and Totals are those of Charges; FreeTimeEndsOn is zero while
	// none is known.
	Accruing       bool
	FreeTimeEndsOn Date
	Totals         []Total
}

// Add adds up ledgers.
func Add(ledgers []Ledger) Sum {
	s := Sum{}
	sums := map[string][2]Money{}
	for i := range ledgers {
		l := &ledgers[i]
		if !l.Ended && l.EffectiveLastFreeDay != 0 && (s.FreeTimeEndsOn == 0 || l.EffectiveLastFreeDay < s.FreeTimeEndsOn) {
			s.FreeTimeEndsOn = l.EffectiveLastFreeDay
		}
		if l.DaysCharged == nil {
			continue
		}
		s.Known, s.Accruing = true, s.Accruing || l.isAccruing()
		sum, has := sums[l.Currency]
		if !has {
			sum = [2]Money{zero(l.Currency), zero(l.Currency)}
		}
		sums[l.Currency] = [2]Money{sum[0].Add(l.Total), sum[1].Add(l.Tomorrow)}
	}
	s.Totals = totalsOf(sums)
	return s
}

// AddTotals adds up totals by currency, in alphabetical order. Amounts that are not known are
// left out.
func AddTotals(totals []Total) []Total {
	sums := map[string][2]Money{}
	for _, t := range totals {
		amount, err := ParseMoney(t.Amount, t.Currency)
		if err != nil {
			continue
		}
		tomorrow, err := ParseMoney(t.Tomorrow, t.Currency)
		if err != nil {
			continue
		}
		sum, has := sums[t.Currency]
		if !has {
			sum = [2]Money{zero(t.Currency), zero(t.Currency)}
		}
		sums[t.Currency] = [2]Money{sum[0].Add(amount), sum[1].Add(tomorrow)}
	}
	return totalsOf(sums)
}

// totalsOf are sums of amounts and of what tomorrow adds, by currency.
func totalsOf(sums map[string][2]Money) []Total {
	totals := []Total{}
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		totals = append(totals, Total{currency, sums[currency][0].String(), sums[currency][1].String()})
	}
	return totals
}

// isAccruing reports whether free time has ended and the clock still runs: a weekend that is
// not charged does not interrupt it.
func (l *Ledger) isAccruing() bool {
	return !l.Ended && l.DaysCharged != nil && (*l.DaysCharged > 0 || l.Tomorrow.Units() > 0)
}

// ChangesAt returns the next midnight at the place from which time alone can change what the
// ledger comes to, and zero for never. asked is the moment that the ledger was made for, and
// zone that of its history.
func (l *Ledger) ChangesAt(zone *time.Location, asked time.Time) time.Time {
	if l.Ended || len(l.Days) == 0 || zone == nil {
		return time.Time{}
	}
	next := nextDate(DateOf(asked, zone), zone)
	if l.DaysCharged != nil {
		next = max(next, l.EffectiveLastFreeDay) // on that day tomorrow is charged
	}
	return BeginOf(next, zone)
}

// BeginOf returns the first moment of a date at a place; zero for no date.
func BeginOf(d Date, zone *time.Location) time.Time {
	if !d.IsValid() {
		return time.Time{}
	}
	if spans := spansOf(d, zone); len(spans) > 0 {
		return spans[0].from.UTC()
	}
	return BeginOf(nextDate(d, zone), zone)
}

// charges returns the ledger as it is written.
func (l *Ledger) charges() ClockCharges {
	c := ClockCharges{
		Clock: l.Clock, TariffID: known(l.Tariff), OpenedBy: known(l.OpenedBy), EndedBy: known(l.EndedBy),
		LastFreeDay: known(l.EffectiveLastFreeDay), ComputedLastFreeDay: known(l.LastFreeDay),
		ReportedLastFreeDay: known(l.ReportedLastFreeDay), ReportedBy: known(l.ReportedBy), ReportedIn: known(l.ReportedIn),
		FirstChargedDay: known(l.FirstChargedDay), DaysCharged: l.DaysCharged, Currency: known(l.Currency),
		Total: known(l.Total.String()), Tomorrow: known(l.Tomorrow.String()), Unknown: known(l.Unknown), Days: []ChargedOn{},
	}
	if days, both := l.Disagreement(); both {
		c.Disagreement = &days
	}
	for _, d := range l.Days {
		c.Days = append(c.Days, ChargedOn{d.Date, d.Kind, known(d.Tier), known(d.Amount.String()), d.Rule, known(d.Fact)})
	}
	return c
}

// FactIDs returns the IDs of the facts that the ledger names, each once.
func (c *ClockCharges) FactIDs() []string {
	var ids []string
	for _, id := range []*string{c.OpenedBy, c.EndedBy, c.ReportedIn} {
		if id != nil {
			ids = append(ids, *id)
		}
	}
	for _, d := range c.Days {
		if d.Fact != nil {
			ids = append(ids, *d.Fact)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// SortEvidence orders facts by the time at which they happened, or were recorded.
func SortEvidence(list []Evidence) {
	at := func(e Evidence) time.Time {
		if e.HappenedAt != nil {
			return *e.HappenedAt
		}
		return e.RecordedAt
	}
	slices.SortFunc(list, func(a, b Evidence) int {
		return cmp.Or(at(a).Compare(at(b)), a.RecordedAt.Compare(b.RecordedAt), cmp.Compare(a.ID, b.ID))
	})
}

// known returns a pointer to a value, nil for the zero value.
func known[V comparable](v V) *V {
	var zero V
	if v == zero {
		return nil
	}
	return &v
}
