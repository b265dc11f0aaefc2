package freetime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Terms are a tariff as it is written in JSON and CSV: amounts, dates and days of the week
// are texts. Tariff reads them.
type Terms struct {
	// Name is for people, at most 200 bytes; empty (null) for none.
	Name string `attr:"name,null" json:"name,omitzero"`
	// Clock is what the tariff is for.
	Clock Clock `attr:"clock" json:"clock"`

	// ShippingLineSCAC is the SCAC of the line; empty (null) for every line.
	ShippingLineSCAC string `attr:"shipping_line_scac,null" json:"shipping_line_scac,omitzero"`
	// TerminalCode is a FIRMS, SMDG or BIC code of the terminal or ramp; empty (null) for
	// every one.
	TerminalCode string `attr:"terminal_code,null" json:"terminal_code,omitzero"`
	// LocationLOCODE is the UN/LOCODE of the port or ramp where the clock runs; empty
	// (null) for every place.
	LocationLOCODE string `attr:"location_locode,null" json:"location_locode,omitzero"`
	// EquipmentType is dry, reefer, open top, flat rack, bulk or tank; empty (null) for
	// every type.
	EquipmentType string `attr:"equipment_type,null" json:"equipment_type,omitzero"`
	// EquipmentLength in feet is 10, 20, 40 or 45; 0 (null) for every length.
	EquipmentLength int `attr:"equipment_length,null" json:"equipment_length,omitzero"`

	// FreeDays is the number of free days, 0 to 366, and FreeDaysKind which days use them
	// up; calendar by default.
	FreeDays     int          `attr:"free_days" json:"free_days"`
	FreeDaysKind FreeDaysKind `attr:"free_days_kind" json:"free_days_kind"`

	// Weekend are the days of the week without work, such as saturday, at most six;
	// saturday and sunday by default.
	Weekend []string `attr:"weekend" json:"weekend,omitzero"`
	// HolidayCalendar is the ISO 3166-1 alpha-2 code of a country whose public holidays
	// count besides Holidays, and its extra working days; empty (null) for none.
	HolidayCalendar string `attr:"holiday_calendar,null" json:"holiday_calendar,omitzero"`
	// Holidays are dates at the place without work, at most 5,000.
	Holidays []Holiday `attr:"holidays" json:"holidays,omitzero"`
	// ExtraWorkingDays are working days in spite of Weekend and Holidays.
	ExtraWorkingDays []Date `attr:"extra_working_days" json:"extra_working_days,omitzero"`

	// Starts is the rule for the first day of the clock; day_after by default.
	Starts Start `attr:"starts" json:"starts"`
	// Cutoff is a time of day at the place, such as 16:00, where Starts is cutoff;
	// otherwise empty (null).
	Cutoff string `attr:"cutoff,null" json:"cutoff,omitzero"`
	// UnavailableDays is the rule for days on which the container could not be fetched;
	// count by default.
	UnavailableDays UnavailableRule `attr:"unavailable_days" json:"unavailable_days"`
	// HoldsThatCount are names of holds that excuse nothing.
	HoldsThatCount []string `attr:"holds_that_count" json:"holds_that_count,omitzero"`
	// EndsOn says on which days free time may end; any_day by default.
	EndsOn EndRule `attr:"ends_on" json:"ends_on"`
	// ChargedOn says which days after free time are charged; every_day by default.
	ChargedOn ChargeRule `attr:"charged_on" json:"charged_on"`

	// Currency is the code of ISO 4217 of all tiers.
	Currency string `attr:"currency" json:"currency"`
	// Tiers follow one another from the first charged day, which is 1. The last is open.
	Tiers []TierTerms `attr:"tiers" json:"tiers"`

	// ValidFrom and ValidTo are dates at the place, both included; zero (null) for no bound.
	ValidFrom Date `attr:"valid_from,null" json:"valid_from,omitzero"`
	ValidTo   Date `attr:"valid_to,null" json:"valid_to,omitzero"`
}

// TierTerms are what a day costs, as they are written.
type TierTerms struct {
	// From and To are numbers of charged days, both included. To is nil in the last tier.
	From int  `json:"from"`
	To   *int `json:"to"`
	// Amount for a day, such as "150.00", in the currency of the tariff.
	Amount string `json:"amount"`
}

// DefaultTerms returns what terms are where a member is left out.
func DefaultTerms() Terms {
	return Terms{
		FreeDaysKind: CalendarDays, Weekend: []string{"saturday", "sunday"}, Starts: StartDayAfter,
		UnavailableDays: UnavailableCount, EndsOn: EndsOnAnyDay, ChargedOn: ChargeEveryDay,
	}
}

// termsFields are the indexes of the fields of Terms, by the name of the member.
var termsFields = func() map[string]int {
	fields := map[string]int{}
	for i := range reflect.TypeFor[Terms]().NumField() {
		name, _, _ := strings.Cut(reflect.TypeFor[Terms]().Field(i).Tag.Get("json"), ",")
		fields[name] = i
	}
	return fields
}()

// TermsMembers returns the names of the members of Terms, in their order.
func TermsMembers() []string {
	names := make([]string, len(termsFields))
	for name, i := range termsFields {
		names[i] = name
	}
	return names
}

// requiredMembers have no default.
var requiredMembers = []string{"clock", "free_days", "currency", "tiers"}

// memberForms are the forms of members that are no plain text.
var memberForms = map[string]string{
	"equipment_length": "a whole number of feet", "free_days": "a whole number",
	"weekend":            `a list of days of the week such as ["saturday", "sunday"]`,
	"holidays":           `a list such as [{"date": "2026-12-25", "name": "Christmas"}]`,
	"extra_working_days": `a list of dates such as ["2026-10-10"]`,
	"holds_that_count":   "a list of texts",
	"tiers":              `a list such as [{"from": 1, "to": 5, "amount": "150.00"}, {"from": 6, "to": null, "amount": "300.00"}]`,
	"valid_from":         "a date of the form 2026-03-27", "valid_to": "a date of the form 2026-03-27",
}

// SetJSON sets the member of a name from its JSON; null sets it to what DefaultTerms has.
// The error is a *FieldError.
func (t *Terms) SetJSON(member string, value []byte) error {
	i, known := termsFields[member]
	if !known {
		return &FieldError{member, "there is no such member: " + strings.Join(TermsMembers(), ", ") + " are allowed"}
	}
	field := reflect.ValueOf(t).Elem().Field(i)
	if string(bytes.TrimSpace(value)) == "null" {
		defaults := DefaultTerms()
		field.Set(reflect.ValueOf(&defaults).Elem().Field(i))
		return nil
	}
	read := reflect.New(field.Type())
	d := json.NewDecoder(bytes.NewReader(value))
	d.DisallowUnknownFields()
	if err := d.Decode(read.Interface()); err != nil {
		form := memberForms[member]
		if form == "" {
			form = "a text"
		}
		return &FieldError{member, "the value has another form than is allowed: " + form + ", or null"}
	}
	field.Set(read.Elem())
	return nil
}

// TermsFromJSON reads the terms of a JSON object, whose members may be left out. The error
// joins a *FieldError for each member that is unknown or has another form.
func TermsFromJSON(members map[string]json.RawMessage) (Terms, error) {
	t := DefaultTerms()
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if err := t.SetJSON(name, members[name]); err != nil {
			errs = append(errs, err)
		}
	}
	for _, name := range requiredMembers {
		if _, given := members[name]; !given {
			errs = append(errs, missing(name))
		}
	}
	return t, errors.Join(errs...)
}

func missing(member string) error {
	form := memberForms[member]
	if form == "" {
		form = "a text"
	}
	return &FieldError{member, "a value is missing: " + form + " is required"}
}

// memberOf has the members whose fields of a Tariff have another name.
var memberOf = map[string]string{"line": "shipping_line_scac", "terminal": "terminal_code", "place": "location_locode"}

// A Calendar has the holidays of a country, and the days of a weekend that are worked.
type Calendar struct {
	Holidays    []Holiday
	WorkingDays []Date
}

// Tariff reads the terms, and writes days of the week and amounts in their usual form.
// calendars returns the calendar of a country, and whether there is one; nil has none. Days
// that the terms state themselves win over those of the calendar.
//
// The error joins a *FieldError, with the name of the member, for
// each value that is not allowed: a tariff without an error passes Tariff.Check.
func (t *Terms) Tariff(calendars func(country string) (Calendar, bool)) (Tariff, error) {
	var f faults
	of := t.calendar(&f, calendars)
	tariff := Tariff{
		Name: t.Name, Clock: t.Clock, Line: t.ShippingLineSCAC, Terminal: t.TerminalCode, Place: t.LocationLOCODE,
		EquipmentType: t.EquipmentType, EquipmentLength: t.EquipmentLength,
		FreeDays: t.FreeDays, FreeDaysKind: t.FreeDaysKind, Weekend: t.weekend(&f), Holidays: t.holidaysWith(of), ExtraWorkingDays: t.workingDaysWith(of),
		Starts: t.Starts, Cutoff: t.Cutoff, UnavailableDays: t.UnavailableDays, HoldsThatCount: t.HoldsThatCount,
		EndsOn: t.EndsOn, ChargedOn: t.ChargedOn, Currency: t.Currency, Tiers: t.tiers(&f), ValidFrom: t.ValidFrom, ValidTo: t.ValidTo,
	}
	t.checkTexts(&f)
	read := f // what could not be read is not checked again
	for _, err := range parts(tariff.Check()) {
		fault := err.(*FieldError)
		if name, renamed := memberOf[fault.Field]; renamed {
			fault.Field = name
		}
		if !slices.ContainsFunc(read, func(e error) bool { return e.(*FieldError).Field == fault.Field }) {
			f = append(f, fault)
		}
	}
	return tariff, errors.Join(f...)
}

func (t *Terms) calendar(f *faults, calendars func(string) (Calendar, bool)) (of Calendar) {
	if t.HolidayCalendar == "" {
		return of
	}
	known := false
	if calendars != nil {
		of, known = calendars(t.HolidayCalendar)
	}
	if !known {
		f.add("holiday_calendar", "%q is no country with a calendar of holidays: see docs/freetime.md, or state the holidays themselves", t.HolidayCalendar)
	}
	return of
}

// holidaysWith returns the holidays of the terms, and those of a calendar on other days.
func (t *Terms) holidaysWith(of Calendar) []Holiday {
	all, stated := slices.Clip(t.Holidays), map[Date]bool{}
	for _, h := range t.Holidays {
		stated[h.Date] = true
	}
	for _, h := range of.Holidays {
		if !stated[h.Date] {
			all = append(all, h)
		}
	}
	return all
}

// workingDaysWith returns the extra working days of the terms, and those of a calendar that
// are neither among them nor holidays of the terms.
func (t *Terms) workingDaysWith(of Calendar) []Date {
	all, stated := slices.Clip(t.ExtraWorkingDays), map[Date]bool{}
	for _, h := range t.Holidays {
		stated[h.Date] = true
	}
	for _, d := range t.ExtraWorkingDays {
		stated[d] = true
	}
	for _, d := range of.WorkingDays {
		if !stated[d] {
			all = append(all, d)
		}
	}
	return all
}

// parts returns the errors that errors.Join has joined.
func parts(err error) []error {
	if joined, is := err.(interface{ Unwrap() []error }); is {
		return joined.Unwrap()
	}
	return nil
}

func (t *Terms) weekend(f *faults) (days []time.Weekday) {
	t.Weekend = slices.Clone(t.Weekend) // a caller may share it
	for i, name := range t.Weekend {
		day := slices.IndexFunc(weekdays, func(w string) bool { return strings.EqualFold(w, name) })
		if day < 0 {
			f.add(fmt.Sprintf("weekend[%d]", i), "%q is no day of the week: one of %s is allowed", name, strings.Join(weekdays, ", "))
			continue
		}
		t.Weekend[i] = weekdays[day]
		days = append(days, time.Weekday(day))
	}
	return days
}

// weekdays are the names of the days of the week, by time.Weekday.
var weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

func (t *Terms) tiers(f *faults) (tiers []Tier) {
	_, known := decimals(t.Currency)
	t.Tiers = slices.Clone(t.Tiers)
	for i, tier := range t.Tiers {
		read := Tier{From: tier.From}
		if tier.To != nil {
			read.To = *tier.To
			if *tier.To == 0 {
				f.add(fmt.Sprintf("tiers[%d].to", i), "0 is no day: one from %d on is allowed, and null in the last tier", max(tier.From, 1))
			}
		}
		amount, err := ParseMoney(tier.Amount, t.Currency)
		switch {
		case !known: // that is reported, and not each amount
			amount = zero(t.Currency)
		case err != nil:
			f.add(fmt.Sprintf("tiers[%d].amount", i), "%v", err)
		default:
			t.Tiers[i].Amount = amount.String()
		}
		read.Amount = amount
		tiers = append(tiers, read)
	}
	return tiers
}

// checkTexts refuses the separator of lists in CSV.
func (t *Terms) checkTexts(f *faults) {
	check := func(field, text string) {
		if strings.ContainsAny(text, ";\r\n") {
			f.add(field, "%q has a semicolon or a line break: neither is allowed, since semicolons separate lists in CSV", text)
		}
		checkLength(f, field, text)
	}
	for i, h := range t.Holidays {
		check(fmt.Sprintf("holidays[%d].name", i), h.Name)
	}
	for i, hold := range t.HoldsThatCount {
		check(fmt.Sprintf("holds_that_count[%d]", i), hold)
		if strings.TrimSpace(hold) == "" {
			f.add(fmt.Sprintf("holds_that_count[%d]", i), "a name of a hold is missing")
		}
	}
	if len(t.HoldsThatCount) > maxTiers {
		f.add("holds_that_count", "%d names are too many: at most %d are allowed", len(t.HoldsThatCount), maxTiers)
	}
}

// A Filter selects tariffs by what they state. A list matches any of its members; an empty
// one matches all.
type Filter struct {
	Clocks []Clock
	// Lines are SCACs, Places UN/LOCODEs, and Terminals codes: a tariff for every line has no
	// SCAC.
	Lines, Places, Terminals []string
}

// Imported is what an import of tariffs has done.
type Imported struct {
	// Created, Kept and Deleted are numbers of tariffs: new ones, those that were there
	// already, and those that were not given.
	Created int `json:"created"`
	Kept    int `json:"kept"`
	Deleted int `json:"deleted"`
}
