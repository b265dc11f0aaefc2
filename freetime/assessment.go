package freetime

// assessment is a count under the tariff that was chosen.
type assessment struct {
	*obstacles
	tariff   *Tariff
	calendar calendar
	first    Date // the first day of the clock; zero while not known
	used     Date // the day that uses up the last free day; zero where none is known to
	last     Date // the computed last free day: used, or the day it is extended to
	silence  silenceRule
}

func newAssessment(c *count, chosen candidate) *assessment {
	a := &assessment{obstacles: c.newObstacles(chosen.tariff), tariff: chosen.tariff, calendar: newCalendar(chosen.tariff), first: chosen.first}
	a.silence = silenceRule(a.wasAvailable())
	a.used = a.useFreeDays()
	a.last = a.extend(a.used)
	return a
}

// effective returns the reported last free day, else the computed one.
func (a *assessment) effective() Date {
	if a.reported != nil {
		return a.reported.date()
	}
	return a.last
}

// maxWalk bounds how far ahead a last free day is looked for, in days.
const maxWalk = 40_000

// walk returns the first date from the given one on that does, or zero where none is
// found, or where the clock stands still before.
func (a *assessment) walk(from Date, does func(Date) bool) Date {
	today := DateOf(a.asked, a.zone)
	stands := a.skips() && a.standStill()
	for d := from; d <= min(from+maxWalk, maxDate); d = nextDate(d, a.zone) {
		if stands && d > max(today, a.lastRow) {
			return 0
		}
		if does(d) {
			return d
		}
	}
	return 0
}

// useFreeDays returns the day that uses up the last free day, and zero where there is
// none, or none is known to.
func (a *assessment) useFreeDays() Date {
	left := a.tariff.FreeDays
	if a.first == 0 || left == 0 {
		return 0
	}
	return a.walk(a.first, func(d Date) bool {
		counts := a.tariff.FreeDaysKind == CalendarDays || a.calendar.isWorkingDay(d)
		if counts && !a.isSkipped(d) {
			left--
		}
		return left == 0
	})
}

// extend returns the last free day where free time is used up on the day.
func (a *assessment) extend(used Date) Date {
	if used == 0 || a.tariff.EndsOn != EndsOnWorkingDay || a.calendar.isWorkingDay(used) {
		return used
	}
	return a.walk(nextDate(used, a.zone), func(d Date) bool {
		return a.calendar.isWorkingDay(d) && !a.isSkipped(d)
	})
}

// skips reports whether unavailable days use up no free day.
func (a *assessment) skips() bool { return a.tariff.UnavailableDays != UnavailableCount }

// isSkipped reports whether the date is unavailable and uses up no free day.
func (a *assessment) isSkipped(d Date) bool {
	silence := a.silence
	if a.isAfterReported(d) {
		silence = silenceExcusesNothing
	}
	return a.skips() && a.block(d, silence)
}

func (a *assessment) isAfterReported(d Date) bool {
	return a.reported != nil && d > a.reported.date()
}

// isFree reports whether a day of the clock lies in free time. Free time without a known
// end goes on.
func (a *assessment) isFree(d Date) bool {
	if effective := a.effective(); effective != 0 {
		return d <= effective
	}
	return a.tariff.FreeDays > 0
}

// isExtension reports whether the day lies between the last that uses up free time and
// the working day that free time is extended to, included.
func (a *assessment) isExtension(d Date) bool {
	return a.used != 0 && a.used != a.last && d > a.used && (a.last == 0 || d <= a.last)
}

// day returns the row of a date, a charged one without tier and amount.
func (a *assessment) day(d Date) Day {
	if row, is := a.dayBefore(d); is {
		return row
	}
	free := a.isFree(d)
	if row, is := a.dayOff(d, free); is {
		return row
	}
	if (free || a.tariff.UnavailableDays == UnavailableSkip) && a.isSkipped(d) {
		rule, fact := a.cause(d)
		return newDay(d, NotAvailableDay, rule, fact)
	}
	if free {
		return a.freeDay(d)
	}
	if a.reported != nil {
		return newDay(d, ChargedDay, RuleReported, a.reported)
	}
	return newDay(d, ChargedDay, RuleTiers, nil)
}

// dayBefore returns the row of a date before the first day of the clock.
func (a *assessment) dayBefore(d Date) (Day, bool) {
	switch {
	case a.first != 0 && d >= a.first:
		return Day{}, false
	case a.tariff.Starts != StartFirstAvailability:
		return newDay(d, BeforeStart, RuleStarts, nil), true
	case a.isAfterReported(d):
		return Day{}, false
	}
	rule, fact := a.word(d)
	if a.skips() {
		rule, fact = a.cause(d)
	}
	return newDay(d, NotAvailableDay, rule, fact), true
}

// dayOff returns the row of a weekend or holiday that is neither free nor charged.
func (a *assessment) dayOff(d Date, free bool) (Day, bool) {
	applies := !free && a.tariff.ChargedOn == ChargeWorkingDays ||
		free && (a.tariff.FreeDaysKind == WorkingDays || a.isExtension(d))
	switch kind := a.calendar.dayOff(d); {
	case !applies || kind == "":
		return Day{}, false
	case kind == HolidayDay:
		return newDay(d, kind, RuleHolidays, nil), true
	default:
		return newDay(d, kind, RuleWeekend, nil), true
	}
}

func (a *assessment) freeDay(d Date) Day {
	byReport := a.tariff.FreeDays == 0 || a.last != 0 && d > a.last
	switch {
	case byReport && a.reported != nil:
		return newDay(d, FreeDay, RuleReported, a.reported)
	case a.isExtension(d):
		return newDay(d, FreeDay, RuleEndsOn, nil)
	}
	return newDay(d, FreeDay, RuleFreeDays, nil)
}

func newDay(d Date, kind Kind, rule Rule, fact *Fact) Day {
	day := Day{Date: d, Kind: kind, Rule: rule}
	if fact != nil {
		day.Fact = fact.Name
	}
	return day
}

// days returns all rows, and those of them that are charged.
func (a *assessment) days() (all, charged []Day) {
	for d := a.firstRow; d <= a.lastRow; d = nextDate(d, a.zone) {
		day := a.day(d)
		if day.Kind == ChargedDay {
			day.Tier, day.Amount = a.tariff.tier(len(charged) + 1)
			charged = append(charged, day)
		}
		all = append(all, day)
	}
	return all, charged
}

// tomorrow returns what the day after that of asking will cost, after so many charged
// days.
func (a *assessment) tomorrow(charged int) Money {
	nothing := zero(a.tariff.Currency)
	if a.ending != nil || a.day(nextDate(a.lastRow, a.zone)).Kind != ChargedDay {
		return nothing
	}
	_, amount := a.tariff.tier(charged + 1)
	return amount
}
