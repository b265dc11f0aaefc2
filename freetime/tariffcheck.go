package freetime

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A FieldError is a value of a tariff that is not allowed.
type FieldError struct {
	Field   string // in the form tiers[0].amount
	Problem string // what is wrong, and what is allowed
}

// Error returns the field and the problem.
func (e *FieldError) Error() string { return e.Field + ": " + e.Problem }

// A RowError is an error of one tariff of a list.
type RowError struct {
	Row int // its index, from 0
	Err error
}

// Error returns the row and its error.
func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row, e.Err) }

// Unwrap returns the error of the row.
func (e *RowError) Unwrap() error { return e.Err }

// An OverlapError is a tariff that has the clock, the scope and a day of an earlier one
// of the list, so that nothing decides between them.
type OverlapError struct {
	Row  int    // index of the earlier tariff, from 0
	Name string // its name
	Day  Date   // the first day of both; zero where both are valid from ever
}

// Error names the earlier row and a common day.
func (e *OverlapError) Error() string {
	since := "on " + e.Day.String()
	if !e.Day.IsValid() {
		since = "without a first day"
	}
	return fmt.Sprintf("overlaps row %d (%q): same clock and scope, and both valid %s; end one of them before the other begins, or state another scope", e.Row, e.Name, since)
}

// Limits of a tariff.
const (
	maxFreeDays = 366
	maxTiers    = 100
	maxRows     = 5_000 // of holidays and extra working days
	maxText     = 200   // bytes of a name or code
)

// faults collects what is wrong with a tariff.
type faults []error

func (f *faults) add(field, problem string, args ...any) {
	*f = append(*f, &FieldError{field, fmt.Sprintf(problem, args...)})
}

// Check returns nil, or an error that joins a *FieldError for each value that is not
// allowed.
func (t *Tariff) Check() error {
	var f faults
	checkOneOf(&f, "clock", t.Clock, Demurrage, Detention, PerDiem, Combined, RailStorage)
	t.checkScope(&f)
	if t.FreeDays < 0 || t.FreeDays > maxFreeDays {
		f.add("free_days", "%d is not allowed: a number from 0 to %d is", t.FreeDays, maxFreeDays)
	}
	checkOneOf(&f, "free_days_kind", t.FreeDaysKind, CalendarDays, WorkingDays)
	t.checkCalendar(&f)
	t.checkStart(&f)
	checkOneOf(&f, "unavailable_days", t.UnavailableDays, UnavailableCount, UnavailableSkipFree, UnavailableSkip)
	checkOneOf(&f, "ends_on", t.EndsOn, EndsOnAnyDay, EndsOnWorkingDay)
	checkOneOf(&f, "charged_on", t.ChargedOn, ChargeEveryDay, ChargeWorkingDays)
	t.checkTiers(&f)
	t.checkValidity(&f)
	return errors.Join(f...)
}

func checkOneOf[T ~string](f *faults, field string, value T, allowed ...T) {
	if slices.Contains(allowed, value) {
		return
	}
	texts := make([]string, len(allowed))
	for i, a := range allowed {
		texts[i] = string(a)
	}
	f.add(field, "%q is not allowed: one of %s is", value, strings.Join(texts, ", "))
}

var (
	equipmentTypes   = []string{"", "dry", "reefer", "open top", "flat rack", "bulk", "tank"}
	equipmentLengths = []int{0, 10, 20, 40, 45}
)

func (t *Tariff) checkScope(f *faults) {
	checkLength(f, "name", t.Name)
	checkLength(f, "line", t.Line)
	checkLength(f, "terminal", t.Terminal)
	if t.Place != "" && !isLocode(t.Place) {
		f.add("place", "%q is not a UN/LOCODE: two capital letters and three more letters or digits, such as USLAX, are allowed, or nothing for every place", t.Place)
	}
	if !slices.Contains(equipmentTypes, t.EquipmentType) {
		f.add("equipment_type", "%q is not allowed: one of %s is, or nothing for every type", t.EquipmentType, strings.Join(equipmentTypes[1:], ", "))
	}
	if !slices.Contains(equipmentLengths, t.EquipmentLength) {
		f.add("equipment_length", "%d is not allowed: 10, 20, 40 or 45 feet is, or 0 for every length", t.EquipmentLength)
	}
}

func checkLength(f *faults, field, text string) {
	if len(text) > maxText {
		f.add(field, "%d bytes are too long: at most %d are allowed", len(text), maxText)
	}
}

func isLocode(s string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return len(s) == 5 && strings.Trim(s[:2], letters) == "" && strings.Trim(s[2:], letters+"23456789") == ""
}

func (t *Tariff) checkCalendar(f *faults) {
	days := map[time.Weekday]bool{}
	for i, day := range t.Weekend {
		field := fmt.Sprintf("weekend[%d]", i)
		switch {
		case day < time.Sunday || day > time.Saturday:
			f.add(field, "%d is no day of the week: 0 (Sunday) to 6 (Saturday) are allowed", int(day))
		case days[day]:
			f.add(field, "%s is there twice: each day may be there once", day)
		}
		days[day] = true
	}
	if len(t.Weekend) > 6 {
		f.add("weekend", "%d days are too many: at most 6 are allowed", len(t.Weekend))
	}
	checkRows(f, "holidays", len(t.Holidays), func(i int) Date { return t.Holidays[i].Date })
	checkRows(f, "extra_working_days", len(t.ExtraWorkingDays), func(i int) Date { return t.ExtraWorkingDays[i] })
}

func checkRows(f *faults, field string, n int, date func(int) Date) {
	if n > maxRows {
		f.add(field, "%d rows are too many: at most %d are allowed", n, maxRows)
		return
	}
	first := map[Date]int{}
	for i := range n {
		d := date(i)
		if !d.IsValid() {
			f.add(fmt.Sprintf("%s[%d].date", field, i), "a date is missing: one between the years 1 and 9999 is allowed")
		} else if before, twice := first[d]; twice {
			f.add(fmt.Sprintf("%s[%d].date", field, i), "%s is in row %d already: each date may be there once", d, before)
		} else {
			first[d] = i
		}
	}
}

func (t *Tariff) checkStart(f *faults) {
	checkOneOf(f, "starts", t.Starts, StartDayOf, StartDayAfter, StartFirstAvailability, StartCutoff)
	if t.Starts == StartFirstAvailability && t.Clock.isOutside() {
		f.add("starts", "%q is not allowed with the clock %s, which starts outside the yard: day_of, day_after and cutoff are", t.Starts, t.Clock)
	}
	_, isTime := parseCutoff(t.Cutoff)
	switch {
	case t.Starts == StartCutoff && !isTime:
		f.add("cutoff", "%q is no time of day: one from 00:00 to 23:59, such as 16:00, is required with starts cutoff", t.Cutoff)
	case t.Starts != StartCutoff && t.Cutoff != "":
		f.add("cutoff", "%q is not allowed: only with starts cutoff is there a cut-off", t.Cutoff)
	}
}

// parseCutoff returns the time of day as minutes from midnight on the clock.
func parseCutoff(s string) (minutes int, ok bool) {
	if len(s) != len("15:04") {
		return 0, false
	}
	at, err := time.Parse("15:04", s)
	return at.Hour()*60 + at.Minute(), err == nil
}

func (t *Tariff) checkTiers(f *faults) {
	if _, known := decimals(t.Currency); !known {
		f.add("currency", "%q is not a currency: a code of ISO 4217 such as USD is allowed", t.Currency)
	}
	if len(t.Tiers) == 0 || len(t.Tiers) > maxTiers {
		f.add("tiers", "%d tiers are not allowed: 1 to %d are", len(t.Tiers), maxTiers)
		return
	}
	from := 1
	for i, tier := range t.Tiers {
		field := fmt.Sprintf("tiers[%d].", i)
		if tier.From != from {
			f.add(field+"from", "%d is not allowed: %d is, so that tiers begin with 1 and follow one another", tier.From, from)
		}
		switch last := i == len(t.Tiers)-1; {
		case last && tier.To != 0:
			f.add(field+"to", "%d is not allowed: the last tier is open", tier.To)
		case !last && (tier.To < tier.From || tier.To < 1):
			f.add(field+"to", "%d is not allowed: a day from %d on is, in all tiers but the last", tier.To, max(tier.From, 1))
		}
		t.checkAmount(f, field+"amount", tier.Amount)
		from = tier.To + 1
	}
}

func (t *Tariff) checkAmount(f *faults, field string, amount Money) {
	switch {
	case !amount.IsKnown():
		f.add(field, "the amount is missing: an amount of %s, also of zero, is allowed", t.Currency)
	case amount.Currency() != t.Currency:
		f.add(field, "%s is not allowed: %s, the currency of the tariff, is", amount.Currency(), t.Currency)
	case amount.Units() < 0 || amount.Units() >= maxUnits:
		f.add(field, "%s is not allowed: an amount from 0 on with at most %d digits is", amount, maxDigits)
	}
}

func (t *Tariff) checkValidity(f *faults) {
	for _, v := range []struct {
		field string
		date  Date
	}{{"valid_from", t.ValidFrom}, {"valid_to", t.ValidTo}} {
		if v.date != 0 && !v.date.IsValid() {
			f.add(v.field, "no date of the calendar: one between the years 1 and 9999 is allowed, or nothing for no bound")
		}
	}
	if t.ValidTo != 0 && t.ValidTo < t.ValidFrom {
		f.add("valid_to", "%s is before valid_from: %s or later is allowed, or nothing for no end", t.ValidTo, t.ValidFrom)
	}
}

// CheckTariffs returns nil, or an error that joins a *RowError for each fault of a tariff
// and for each tariff that overlaps an earlier one of the list (*OverlapError): with the
// clock, the scope and a day in common. Tariffs of different scopes never overlap, since
// the one that states more of its scope is taken.
func CheckTariffs(list []Tariff) error {
	var errs []error
	scopes := map[scope][]int{}
	for i := range list {
		if err := list[i].Check(); err != nil {
			errs = append(errs, &RowError{i, err})
			continue
		}
		scopes[list[i].scope()] = append(scopes[list[i].scope()], i)
	}
	for _, rows := range scopes {
		errs = append(errs, overlaps(list, rows)...)
	}
	slices.SortStableFunc(errs, func(a, b error) int { return cmp.Compare(a.(*RowError).Row, b.(*RowError).Row) })
	return errors.Join(errs...)
}

// overlaps compares tariffs of one clock and scope, in the order of their first days: one
// that begins before the latest end so far overlaps the tariff with that end.
func overlaps(list []Tariff, rows []int) []error {
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(list[a].ValidFrom, list[b].ValidFrom) })
	var errs []error
	longest := rows[0]
	for _, row := range rows[1:] {
		if from := list[row].ValidFrom; from <= list[longest].lastDay() {
			first, second := min(row, longest), max(row, longest)
			errs = append(errs, &RowError{second, &OverlapError{first, list[first].Name, from}})
		}
		if list[row].lastDay() > list[longest].lastDay() {
			longest = row
		}
	}
	return errs
}

func (t *Tariff) lastDay() Date {
	if t.ValidTo == 0 {
		return maxDate
	}
	return t.ValidTo
}

// isValidOn reports whether the tariff is valid on the date.
func (t *Tariff) isValidOn(d Date) bool { return t.ValidFrom <= d && d <= t.lastDay() }

// scope is what two tariffs must have in common to overlap.
type scope struct {
	clock                                Clock
	terminal, place, line, equipmentType string
	equipmentLength                      int
}

func (t *Tariff) scope() scope {
	return scope{t.Clock, t.Terminal, t.Place, t.Line, t.EquipmentType, t.EquipmentLength}
}
