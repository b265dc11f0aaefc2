package freetime

import "time"

// A Kind is what a day is to the clock.
type Kind string

// The kinds of days.
const (
	BeforeStart     Kind = "before_start"
	FreeDay         Kind = "free"
	WeekendDay      Kind = "weekend"       // neither free nor charged
	HolidayDay      Kind = "holiday"       // neither free nor charged
	NotAvailableDay Kind = "not_available" // neither free nor charged
	ChargedDay      Kind = "charged"
)

// A Rule is why a day has its kind.
type Rule string

// The rules. Those with a fact have its name in Day.Fact.
const (
	RuleStarts                 Rule = "starts"
	RuleFreeDays               Rule = "free_days"
	RuleEndsOn                 Rule = "ends_on"
	RuleWeekend                Rule = "weekend"
	RuleHolidays               Rule = "holidays"
	RuleTiers                  Rule = "tiers"
	RuleNoAvailabilityReported Rule = "no_availability_reported"
	RuleReported               Rule = "last_free_day" // with a fact: a reported last free day
	RuleClosed                 Rule = "closed"        // with a fact
	RuleHeld                   Rule = "held"          // with a fact
	RuleNotAvailable           Rule = "not_available" // with a fact
)

// A Reason is why totals are not known.
type Reason string

// The reasons.
const (
	NoZone         Reason = "no_zone"           // the history has no zone
	NoMoment       Reason = "no_moment"         // the moment of asking is outside the years 1 to 9999
	NotOpened      Reason = "not_opened"        // there is no opening fact, or the clock is none of ours
	TooLong        Reason = "too_long"          // the ledger would have more than MaxDays
	NoTariff       Reason = "no_tariff"         // none fits, or none is valid
	TariffInvalid  Reason = "tariff_invalid"    // one that fits does not pass Check
	TariffsOverlap Reason = "tariffs_overlap"   // nothing decides between two
	NotStarted     Reason = "clock_not_started" // no availability yet, nor a reported last free day
)

// MaxDays is the greatest number of days between the first and the last of a ledger.
const MaxDays = 4000

// A Day is a row of a ledger.
type Day struct {
	// Date is on the calendar at the place.
	Date Date
	Kind Kind
	// Tier is the number of the tier, from 1, and Amount what the day costs, both of
	// charged days. Otherwise they are zero and unknown.
	Tier   int
	Amount Money
	// Rule is why the day has its kind, and Fact the name of the fact behind it, where
	// there is one.
	Rule Rule
	Fact string
}

// A Ledger is what a clock gives: every day, and totals. What is not known is null: the
// zero Date, the zero Money, nil.
type Ledger struct {
	Clock Clock
	// Tariff is the name of the tariff that counts; "" for none.
	Tariff string
	// OpenedBy and EndedBy are the names of the facts that opened and ended the clock.
	// Ended reports whether it has ended.
	OpenedBy, EndedBy string
	Ended             bool

	// Days are in order, from the day of the opening fact to that of the ending fact, or
	// of asking while there is none. A date that the place skipped is not there. Empty
	// without an opening fact or a tariff.
	Days []Day

	// LastFreeDay is what follows from the facts and the tariff if nothing more is
	// reported, at the place. Null while the clock has not started, while it stands still
	// under a hold, and with zero free days.
	LastFreeDay Date
	// ReportedLastFreeDay is the last free day that a party reported, at the place, and
	// ReportedBy and ReportedIn are the party and the name of the fact. Null where none
	// counts.
	ReportedLastFreeDay Date
	ReportedBy          Party
	ReportedIn          string
	// EffectiveLastFreeDay is the reported one where there is one, else LastFreeDay.
	EffectiveLastFreeDay Date

	// FirstChargedDay is at the place. Null where no day is charged.
	FirstChargedDay Date
	// DaysCharged is the number of charged days so far; nil while not known.
	DaysCharged *int
	// Total is the sum of the days so far, and Tomorrow what the day after that of asking
	// will cost at the place if nothing more is reported, both in Currency, a code of ISO
	// 4217. Tomorrow is zero once the clock has ended. Unknown, and Currency empty, while
	// DaysCharged is nil.
	Total, Tomorrow Money
	Currency        string
	// Unknown is why the totals are not known; "" where they are.
	Unknown Reason
}

// Disagreement returns by how many days of the calendar the reported last free day is
// later than the computed one; less than zero where it is earlier. It is not known where
// one of them is null.
func (l *Ledger) Disagreement() (days int, known bool) {
	if l.LastFreeDay == 0 || l.ReportedLastFreeDay == 0 {
		return 0, false
	}
	return int(l.ReportedLastFreeDay - l.LastFreeDay), true
}

// NewLedger counts the days of one clock of a container as known at the moment of asking.
// It is a pure function, and total: every input has a ledger, and neither the order of
// facts nor that of tariffs matters. Of the tariffs those count that are of the clock and
// fit; they should pass [CheckTariffs].
func NewLedger(clock Clock, h History, tariffs []Tariff, asked time.Time) Ledger {
	l := Ledger{Clock: clock}
	c := l.open(&h, asked)
	if c == nil {
		return l
	}
	chosen, reason := c.choose(tariffs)
	if reason != "" {
		l.Unknown = reason
		return l
	}
	l.Tariff = chosen.tariff.Name
	if clock == Demurrage && h.Container.ThroughRail {
		l.settle(nil, zero(chosen.tariff.Currency))
		return l
	}
	a := newAssessment(c, chosen)
	l.LastFreeDay = a.last
	l.EffectiveLastFreeDay = a.effective()
	var charged []Day
	l.Days, charged = a.days()
	if chosen.first == 0 && l.EffectiveLastFreeDay == 0 {
		l.Unknown = NotStarted
		return l
	}
	l.settle(charged, a.tomorrow(len(charged)))
	return l
}

// open reads the facts, and returns nil with the reason where no day can be counted.
func (l *Ledger) open(h *History, asked time.Time) *count {
	switch {
	case h.Zone == nil:
		l.Unknown = NoZone
		return nil
	case !DateOf(asked, h.Zone).IsValid():
		l.Unknown = NoMoment
		return nil
	}
	facts := h.known(asked)
	if f := reportedDay(l.Clock, facts); f != nil {
		l.ReportedLastFreeDay, l.ReportedBy, l.ReportedIn = f.date(), f.Party, f.Name
		l.EffectiveLastFreeDay = l.ReportedLastFreeDay
	}
	opening := latest(facts, func(f *Fact) bool { return f.Type == l.Clock.opens() })
	if opening == nil {
		l.Unknown = NotOpened
		return nil
	}
	c := newCount(l.Clock, h, facts, opening, asked)
	l.OpenedBy, l.Ended = opening.Name, c.ending != nil
	if c.ending != nil {
		l.EndedBy = c.ending.Name
	}
	if c.lastRow-c.firstRow > MaxDays {
		l.Unknown = TooLong
		return nil
	}
	return c
}

// settle sets the totals. The currency is that of tomorrow's amount.
func (l *Ledger) settle(charged []Day, tomorrow Money) {
	n := len(charged)
	l.DaysCharged, l.Tomorrow, l.Currency = &n, tomorrow, tomorrow.Currency()
	l.Total = zero(l.Currency)
	for _, day := range charged {
		l.Total = l.Total.Add(day.Amount)
	}
	if n > 0 {
		l.FirstChargedDay = charged[0].Date
	}
}
