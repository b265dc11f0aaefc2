package invoice

import (
	"slices"
	"time"

	"github.com/landfallhq/tracking/freetime"
)

// A Sheet compares an invoice with what was computed, or shows what was computed for one
// container. Amounts are texts such as "150.00", and a difference is what was charged less
// what was computed. What is not known is null.
type Sheet struct {
	// AsOf is the moment of asking, UTC: what was known by its end counts.
	AsOf time.Time `json:"as_of"`
	// Invoice is null in the sheet of a container, and so is what an invoice states.
	Invoice *Invoice     `json:"invoice"`
	Lines   []LineResult `json:"lines"`
	// Totals are the sums of the lines, by currency.
	Totals []Total `json:"totals"`
	// Elements are those that 46 CFR 541.6 asks of an invoice, in its order; none in the
	// sheet of a container.
	Elements []Element `json:"elements"`
	// Facts are the facts that days and lines name, in the order of their times.
	Facts []freetime.Evidence `json:"facts"`
}

// Total is a sum in one currency, a code of ISO 4217. Charged is the sum of Computed,
// Difference and NotCompared.
type Total struct {
	Currency string  `json:"currency"`
	Charged  *string `json:"charged"`
	// Computed and Difference are of the lines whose difference is known, and NotCompared is
	// what the others charge. In the sheet of a container Computed is of the lines whose
	// total is known.
	Computed    string  `json:"computed"`
	Difference  *string `json:"difference"`
	NotCompared *string `json:"not_compared"`
}

// LineResult compares a line with the ledger of its clock. In the sheet of a container it is
// the whole ledger.
type LineResult struct {
	// Line is its number, from 1.
	Line int `json:"line"`
	// ContainerNumber is as the line gives it, and ContainerID that of the container of the
	// account; null where it has none.
	ContainerNumber string  `json:"container_number"`
	ContainerID     *string `json:"container_id"`
	// Clock is that of the ledger, else of the line: detention and per_diem are one clock.
	Clock freetime.Clock `json:"clock"`
	// From and To are the first and the last day; null for a ledger without days.
	From *freetime.Date `json:"from"`
	To   *freetime.Date `json:"to"`

	// Charged is in Currency and Computed in ComputedCurrency, that of the tariff. Difference
	// is null where one of them is not known, and where the currencies differ.
	Currency         *string `json:"currency"`
	Charged          *string `json:"charged"`
	ComputedCurrency *string `json:"computed_currency"`
	Computed         *string `json:"computed"`
	Difference       *string `json:"difference"`
	// NotInDays is the part of Charged that no day between From and To explains, and
	// NotInDaysReason why; null where what each day was charged is not known.
	NotInDays       *string `json:"not_in_days"`
	NotInDaysReason *Reason `json:"not_in_days_reason"`
	// Reason is that of the first day that differs, else of what is not in the days; null
	// where nothing differs.
	Reason *Reason `json:"reason"`
	// Unknown is why the ledger has no total.
	Unknown *freetime.Reason `json:"unknown"`

	// LocationLOCODE, Timezone, TariffID, TariffName, OpenedBy, EndedBy and the last free days
	// are those of the ledger.
	LocationLOCODE      *string         `json:"location_locode"`
	Timezone            *string         `json:"timezone"`
	TariffID            *string         `json:"tariff_id"`
	TariffName          *string         `json:"tariff_name"`
	OpenedBy            *string         `json:"opened_by"`
	EndedBy             *string         `json:"ended_by"`
	LastFreeDay         *freetime.Date  `json:"last_free_day"`
	ComputedLastFreeDay *freetime.Date  `json:"computed_last_free_day"`
	ReportedLastFreeDay *freetime.Date  `json:"reported_last_free_day"`
	ReportedBy          *freetime.Party `json:"reported_by"`
	ReportedIn          *string         `json:"reported_in"`

	Days []Day `json:"days"`

	charged, computed freetime.Money // the latter zero where it is not known
}

// Day is a day of a line.
type Day struct {
	Date freetime.Date `json:"date"` // at the place
	// Charged is what the line charges for the day, in its currency; null where the line does
	// not say.
	Charged *string `json:"charged"`
	// Kind, Tier and Rule are those of the day in the ledger; null where it has no such day.
	Kind *freetime.Kind `json:"kind"`
	Tier *int           `json:"tier"`
	Rule *freetime.Rule `json:"rule"`
	// Computed is what the day costs by the tariff, in its currency.
	Computed   *string `json:"computed"`
	Difference *string `json:"difference"`
	// Reason is the first that holds for a difference; null where there is none.
	Reason *Reason `json:"reason"`
	// Facts are the IDs of the facts behind the day: its own, else that which opened the clock
	// or, for a day after its end, ended it.
	Facts []string `json:"facts"`
}

// A Reason is why charged and computed differ, or cannot be compared.
type Reason string

// The reasons, in the order in which the first is looked for.
const (
	ContainerUnknown Reason = "container_unknown" // the account has no such container
	ChargedTwice     Reason = "charged_twice"     // an earlier line charges the day
	NoLedger         Reason = "no_ledger"         // no tariff of the account fits
	CarriedInland    Reason = "carried_inland"    // by rail on the line's own bill: no demurrage at the port
	BeforeOpening    Reason = "before_opening"    // the clock had not been opened
	AfterEnd         Reason = "after_end"         // the clock had ended
	NotYet           Reason = "not_yet"           // the day had not come by the moment of asking
	NotCounted       Reason = "not_counted"       // the ledger is not known: Unknown says why
	NotStarted       Reason = "before_start"      // before the first day of the clock
	InFreeTime       Reason = "free_time"
	OnWeekend        Reason = "weekend"
	OnHoliday        Reason = "holiday"
	WasNotAvailable  Reason = "not_available" // it could not be fetched, or not be returned
	OtherCurrency    Reason = "currency"
	RateUnknown      Reason = "rate_unknown" // the line does not say what the day was charged
	OtherTier        Reason = "tier"         // it has the amount of another tier
	OtherRate        Reason = "rate"
	// Those of what is not in the days.
	DayCount   Reason = "day_count"  // the line counts other days than those from first to last
	Arithmetic Reason = "arithmetic" // the amount is not that of the days at the rate
)

// reasonOfKind are the reasons why days are not charged.
var reasonOfKind = map[freetime.Kind]Reason{
	freetime.BeforeStart: NotStarted, freetime.FreeDay: InFreeTime, freetime.WeekendDay: OnWeekend,
	freetime.HolidayDay: OnHoliday, freetime.NotAvailableDay: WasNotAvailable,
}

// NewSheet compares an invoice with the charges of containers, which have the moment of
// asking. Of several with the number of a line the one counts whose ledger has most of its
// days; of as many, the first. It is pure, and total for every invoice that was read. A
// line that charges a day again that an earlier one has charged, for one container and
// clock, is compared with zero.
func NewSheet(inv *Invoice, containers []freetime.Charges, asOf time.Time) *Sheet {
	s := &Sheet{AsOf: asOf.UTC(), Invoice: inv, Lines: []LineResult{}, Totals: []Total{}, Facts: []freetime.Evidence{}}
	seen := charged{}
	for i := range inv.Lines {
		c := newComparison(&inv.Lines[i], containers, asOf)
		s.Lines = append(s.Lines, c.result(i+1, seen))
	}
	s.Totals = totals(s.Lines)
	s.Elements = elements(inv)
	s.addFacts(containers)
	return s
}

// NewContainerSheet shows the charges of a container without an invoice: a line for each
// ledger, with all its days.
func NewContainerSheet(charges *freetime.Charges) *Sheet {
	s := &Sheet{AsOf: charges.AsOf.UTC(), Lines: []LineResult{}, Totals: []Total{}, Elements: []Element{}, Facts: []freetime.Evidence{}}
	for i := range charges.Clocks {
		s.Lines = append(s.Lines, ledgerLine(i+1, charges, &charges.Clocks[i]))
	}
	for _, t := range charges.Totals {
		s.Totals = append(s.Totals, Total{Currency: t.Currency, Computed: t.Amount})
	}
	s.addFacts([]freetime.Charges{*charges})
	return s
}

func ledgerLine(number int, charges *freetime.Charges, k *freetime.ClockCharges) LineResult {
	r := LineResult{Line: number, ContainerNumber: charges.ContainerNumber, ContainerID: &charges.ContainerID, Days: []Day{}}
	r.setLedger(k)
	r.Computed = k.Total
	if len(k.Days) > 0 {
		r.From, r.To = &k.Days[0].Date, &k.Days[len(k.Days)-1].Date
	}
	c := &comparison{clock: k}
	for i := range k.Days {
		row := &k.Days[i]
		day := Day{Date: row.Date, Kind: &row.Kind, Tier: row.Tier, Rule: &row.Rule, Computed: row.Amount, Facts: c.facts(row, "")}
		if row.Kind != freetime.ChargedDay && k.Currency != nil {
			day.Computed = text(amountOf("0", *k.Currency))
		}
		r.Days = append(r.Days, day)
	}
	return r
}

// totals adds up the lines.
func totals(lines []LineResult) (list []Total) {
	type sum struct{ charged, computed, notCompared freetime.Money }
	sums, order := map[string]*sum{}, []string{}
	for i := range lines {
		l := &lines[i]
		t := sums[*l.Currency]
		if t == nil {
			none := amountOf("0", *l.Currency)
			t = &sum{none, none, none}
			sums[*l.Currency] = t
			order = append(order, *l.Currency)
		}
		t.charged = t.charged.Add(l.charged)
		if l.Difference == nil {
			t.notCompared = t.notCompared.Add(l.charged)
		} else {
			t.computed = t.computed.Add(l.computed)
		}
	}
	slices.Sort(order)
	list = []Total{}
	for _, currency := range order {
		t := sums[currency]
		list = append(list, Total{currency, text(t.charged), t.computed.String(), text(less(less(t.charged, t.notCompared), t.computed)), text(t.notCompared)})
	}
	return list
}

// addFacts adds the facts that lines and days name.
func (s *Sheet) addFacts(containers []freetime.Charges) {
	named := map[string]bool{}
	for i := range s.Lines {
		l := &s.Lines[i]
		for _, id := range []*string{l.OpenedBy, l.EndedBy, l.ReportedIn} {
			if id != nil {
				named[*id] = true
			}
		}
		for _, d := range l.Days {
			for _, id := range d.Facts {
				named[id] = true
			}
		}
	}
	for i := range containers {
		for _, fact := range containers[i].Facts {
			if named[fact.ID] {
				s.Facts = append(s.Facts, fact)
				named[fact.ID] = false
			}
		}
	}
	freetime.SortEvidence(s.Facts)
}

// amountOf reads an amount that was written by this package or freetime.
func amountOf(text, currency string) freetime.Money {
	m, _ := freetime.ParseMoney(text, currency)
	return m
}

// less returns a - b.
func less(a, b freetime.Money) freetime.Money {
	minus, _ := freetime.NewMoney(-b.Units(), b.Currency())
	return a.Add(minus)
}
