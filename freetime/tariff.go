package freetime

import "time"

// A Clock is one count of days against free time.
type Clock string

// The clocks.
const (
	Demurrage   Clock = "demurrage"    // full, at the terminal of the port: from the discharge to the gate
	Detention   Clock = "detention"    // outside: from the gate-out to the return of the empty
	PerDiem     Clock = "per_diem"     // as Detention, which it is another name for
	Combined    Clock = "combined"     // from the discharge to the return of the empty, in one
	RailStorage Clock = "rail_storage" // full, at the ramp: from the ground to the gate
)

// A Start says which day is the first day of the clock.
type Start string

// The rules for the first day.
const (
	StartDayOf             Start = "day_of"             // the day of the opening fact
	StartDayAfter          Start = "day_after"          // the day after it
	StartFirstAvailability Start = "first_availability" // the first day on which the container could be fetched
	StartCutoff            Start = "cutoff"             // the day of the opening fact where that is before the cut-off, else the next
)

// A FreeDaysKind says which days use up free time.
type FreeDaysKind string

// The kinds of free days.
const (
	CalendarDays FreeDaysKind = "calendar" // every day
	WorkingDays  FreeDaysKind = "working"  // days that are neither weekend nor holiday
)

// An UnavailableRule says what becomes of days on which the container could not be
// fetched, or the empty not be returned.
type UnavailableRule string

// The rules for such days.
const (
	UnavailableCount    UnavailableRule = "count"     // like any other
	UnavailableSkipFree UnavailableRule = "skip_free" // use up no free day, and are charged afterwards
	UnavailableSkip     UnavailableRule = "skip"      // use up no free day, and are never charged
)

// An EndRule says on which days free time may end.
type EndRule string

// The rules for the end.
const (
	EndsOnAnyDay     EndRule = "any_day"
	EndsOnWorkingDay EndRule = "working_day" // the end on a weekend or holiday moves to the next working day
)

// A ChargeRule says which days after free time are charged.
type ChargeRule string

// The rules for charging.
const (
	ChargeEveryDay    ChargeRule = "every_day"    // once on demurrage, always on demurrage
	ChargeWorkingDays ChargeRule = "working_days" // neither weekends nor holidays
)

// A Tariff is what one clock costs: its scope, its free time and its charges. All dates
// and days are those of the place where the clock runs.
type Tariff struct {
	// Name identifies the tariff for the reader; the clock gives it no meaning.
	Name  string
	Clock Clock

	// The scope. What is empty, or zero, fits every container.
	Line            string // code of the shipping line
	Terminal        string // code of the terminal
	Place           string // UN/LOCODE of the port or ramp
	EquipmentType   string // dry, reefer, open top, flat rack, bulk or tank
	EquipmentLength int    // in feet: 10, 20, 40 or 45

	// FreeDays is the number of free days, from 0 to 366.
	FreeDays     int
	FreeDaysKind FreeDaysKind

	// Weekend has the days of the week that are no working days: at most six.
	// ExtraWorkingDays are working days in spite of Weekend and Holidays.
	Weekend          []time.Weekday
	Holidays         []Holiday
	ExtraWorkingDays []Date

	// Cutoff is a time on the clock at the place, such as "16:00", with StartCutoff, and
	// otherwise empty. An opening fact before it starts the clock on its day.
	Starts Start
	Cutoff string

	UnavailableDays UnavailableRule
	// HoldsThatCount are the names of holds in spite of which a day counts.
	HoldsThatCount []string

	EndsOn    EndRule
	ChargedOn ChargeRule

	// Currency is a code of ISO 4217, that of all tiers.
	Currency string
	// Tiers follow one another from the first charged day; the last is open.
	Tiers []Tier

	// ValidFrom and ValidTo are both included. A zero date is no bound.
	ValidFrom, ValidTo Date
}

// A Holiday is a date on which nobody works.
type Holiday struct {
	Date Date   `json:"date"` // at the place
	Name string `json:"name"` // for people
}

// A Tier is what a day costs. Days are numbered from the first charged day, which is 1;
// days that are not charged have no number.
type Tier struct {
	From, To int // both included; To is zero in the open tier
	Amount   Money
}

// tier returns the number of the tier of a charged day, from 1, and its amount.
func (t *Tariff) tier(number int) (int, Money) {
	for i, tier := range t.Tiers {
		if number >= tier.From && (tier.To == 0 || number <= tier.To) {
			return i + 1, tier.Amount
		}
	}
	return 0, Money{} // a checked tariff has an open tier
}
