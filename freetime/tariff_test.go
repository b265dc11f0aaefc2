package freetime

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func validTariff() Tariff {
	day, _ := NewMoney(150_00, "USD")
	return Tariff{
		Name: "T", Clock: Demurrage, Line: "L1", Place: "USLAX", EquipmentType: "open top", EquipmentLength: 40,
		FreeDays: 4, FreeDaysKind: WorkingDays, Weekend: []time.Weekday{time.Saturday, time.Sunday},
		Holidays: []Holiday{{NewDate(2026, 1, 1), "New Year's Day"}}, ExtraWorkingDays: []Date{NewDate(2026, 2, 14)},
		Starts: StartCutoff, Cutoff: "16:00", UnavailableDays: UnavailableSkip, EndsOn: EndsOnWorkingDay, ChargedOn: ChargeEveryDay,
		Currency: "USD", Tiers: []Tier{{1, 4, day}, {5, 0, day}}, ValidFrom: NewDate(2026, 1, 1), ValidTo: NewDate(2026, 12, 31),
	}
}

// TestTariffFaults checks that each fault names its field, what is wrong and what is
// allowed, and that nothing else is reported.
func TestTariffFaults(t *testing.T) {
	valid := validTariff()
	if err := valid.Check(); err != nil {
		t.Fatal(err)
	}
	yen, _ := NewMoney(1, "JPY")
	for want, change := range map[string]func(*Tariff){
		`clock: "sundial" is not allowed: one of demurrage, detention, per_diem, combined, rail_storage is`:        func(t *Tariff) { t.Clock = "sundial" },
		`name: 201 bytes are too long: at most 200 are allowed`:                                                    func(t *Tariff) { t.Name = strings.Repeat("n", 201) },
		`place: "uslax" is not a UN/LOCODE: two capital letters and three`:                                         func(t *Tariff) { t.Place = "uslax" },
		`equipment_type: "box" is not allowed: one of dry, reefer, open top, flat rack, bulk, tank is, or nothing`: func(t *Tariff) { t.EquipmentType = "box" },
		`equipment_length: 41 is not allowed: 10, 20, 40 or 45 feet is`:                                            func(t *Tariff) { t.EquipmentLength = 41 },
		`free_days: -1 is not allowed: a number from 0 to 366 is`:                                                  func(t *Tariff) { t.FreeDays = -1 },
		`free_days: 367 is not allowed`:                                                                            func(t *Tariff) { t.FreeDays = 367 },
		`free_days_kind: "" is not allowed: one of calendar, working is`:                                           func(t *Tariff) { t.FreeDaysKind = "" },
		`weekend[1]: 7 is no day of the week: 0 (Sunday) to 6`:                                                     func(t *Tariff) { t.Weekend[1] = 7 },
		`weekend[1]: Saturday is there twice`:                                                                      func(t *Tariff) { t.Weekend[1] = time.Saturday },
		`weekend: 7 days are too many: at most 6 are allowed`:                                                      func(t *Tariff) { t.Weekend = []time.Weekday{0, 1, 2, 3, 4, 5, 6} },
		`holidays[1].date: 2026-01-01 is in row 0 already`:                                                         func(t *Tariff) { t.Holidays = append(t.Holidays, t.Holidays[0]) },
		`extra_working_days[0].date: a date is missing`:                                                            func(t *Tariff) { t.ExtraWorkingDays[0] = 0 },
		`starts: "" is not allowed: one of day_of, day_after, first_availability, cutoff is`:                       func(t *Tariff) { t.Starts, t.Cutoff = "", "" },
		`starts: "first_availability" is not allowed with the clock detention`:                                     func(t *Tariff) { t.Starts, t.Cutoff, t.Clock = StartFirstAvailability, "", Detention },
		`cutoff: "24:00" is no time of day: one from 00:00 to 23:59`:                                               func(t *Tariff) { t.Cutoff = "24:00" },
		`cutoff: "4:00" is no time of day`:                                                                         func(t *Tariff) { t.Cutoff = "4:00" },
		`cutoff: "16:00" is not allowed: only with starts cutoff`:                                                  func(t *Tariff) { t.Starts = StartDayOf },
		`unavailable_days: "stop" is not allowed: one of count, skip_free, skip is`:                                func(t *Tariff) { t.UnavailableDays = "stop" },
		`ends_on: "" is not allowed: one of any_day, working_day is`:                                               func(t *Tariff) { t.EndsOn = "" },
		`charged_on: "" is not allowed: one of every_day, working_days is`:                                         func(t *Tariff) { t.ChargedOn = "" },
		`currency: "USX" is not a currency`:                                                                        func(t *Tariff) { t.Currency = "USX" },
		`tiers: 0 tiers are not allowed: 1 to 100 are`:                                                             func(t *Tariff) { t.Tiers = nil },
		`tiers[0].from: 2 is not allowed: 1 is, so that tiers begin with 1`:                                        func(t *Tariff) { t.Tiers[0].From = 2 },
		`tiers[1].from: 6 is not allowed: 5 is`:                                                                    func(t *Tariff) { t.Tiers[1].From = 6 },
		`tiers[1].to: 9 is not allowed: the last tier is open`:                                                     func(t *Tariff) { t.Tiers[1].To = 9 },
		`tiers[0].to: 0 is not allowed: a day from 1 on is`:                                                        func(t *Tariff) { t.Tiers[0].To, t.Tiers[1].From = 0, 1 },
		`tiers[1].amount: the amount is missing: an amount of USD, also of zero, is allowed`:                       func(t *Tariff) { t.Tiers[1].Amount = Money{} },
		`tiers[1].amount: JPY is not allowed: USD, the currency of the tariff, is`:                                 func(t *Tariff) { t.Tiers[1].Amount = yen },
		`tiers[1].amount: -0.01 is not allowed: an amount from 0 on`:                                               func(t *Tariff) { t.Tiers[1].Amount = Money{-1, "USD"} },
		`valid_from: no date of the calendar`:                                                                      func(t *Tariff) { t.ValidFrom = -1 },
		`valid_to: 2025-12-31 is before valid_from: 2026-01-01 or later is allowed`:                                func(t *Tariff) { t.ValidTo = NewDate(2025, 12, 31) },
	} {
		tariff := validTariff()
		change(&tariff)
		err := tariff.Check()
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
			continue
		}
		field, _, _ := strings.Cut(want, ":")
		for line := range strings.Lines(err.Error()) {
			if !strings.HasPrefix(line, field+":") && field != "currency" { // tiers then have another currency
				t.Errorf("besides %s: %s", field, line)
			}
		}
		var fault *FieldError
		if !errors.As(err, &fault) || fault.Field != field {
			t.Errorf("%v is no *FieldError of %s", err, field)
		}
	}
}

func TestOverlaps(t *testing.T) {
	from := func(name string, first, last Date) Tariff {
		tariff := validTariff()
		tariff.Name, tariff.ValidFrom, tariff.ValidTo = name, first, last
		return tariff
	}
	march, april, may := NewDate(2026, 3, 1), NewDate(2026, 4, 1), NewDate(2026, 5, 1)
	other := from("other", 0, 0)
	other.Terminal = "T1"
	invalid := from("invalid", march, 0)
	invalid.FreeDays = -1
	for name, test := range map[string]struct {
		list []Tariff
		want string // "" for none
	}{
		"one after the other":       {[]Tariff{from("b", april, 0), from("a", march, april-1)}, ""},
		"another scope":             {[]Tariff{from("a", 0, 0), other}, ""},
		"the last day is the first": {[]Tariff{from("a", march, april), from("b", april, may)}, `row 1: overlaps row 0 ("a"): same clock and scope, and both valid on 2026-04-01; end`},
		"the earlier comes later":   {[]Tariff{from("b", april, 0), other, from("a", 0, april)}, `row 2: overlaps row 0 ("b"): same clock and scope, and both valid on 2026-04-01`},
		"both without bounds":       {[]Tariff{from("a", 0, 0), from("b", 0, 0)}, `row 1: overlaps row 0 ("a"): same clock and scope, and both valid without a first day`},
		"a third within the first":  {[]Tariff{from("a", march, 0), from("b", 0, march-1), from("c", may, may)}, `row 2: overlaps row 0 ("a"): same clock and scope, and both valid on 2026-05-01`},
		"an invalid row":            {[]Tariff{from("a", march, april), invalid}, "row 1: free_days: -1 is not allowed"},
	} {
		err := CheckTariffs(test.list)
		if (err == nil) != (test.want == "") || err != nil && !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", name, err, test.want)
		}
		var row *RowError
		if err != nil && !errors.As(err, &row) {
			t.Errorf("%s: %v is no *RowError", name, err)
		}
	}
	if got := NewLedger(Demurrage, unopened(), []Tariff{from("a", 0, 0), from("b", march, 0)}, may.midnightUTC()).Unknown; got != TariffsOverlap {
		t.Errorf("with two tariffs that overlap the reason is %q", got)
	}
	if got := NewLedger(Demurrage, unopened(), []Tariff{invalid}, may.midnightUTC()).Unknown; got != TariffInvalid {
		t.Errorf("with an invalid tariff the reason is %q", got)
	}
}

// unopened is a history that every tariff of these tests fits.
func unopened() History {
	at := NewDate(2026, 4, 20).midnightUTC()
	return History{Place: "USLAX", Zone: time.UTC, Container: Container{Line: "L1", EquipmentType: "open top", EquipmentLength: 40},
		Facts: []Fact{{Name: "discharged", Type: Discharged, At: at, Place: "USLAX"}}}
}

func TestMoney(t *testing.T) {
	for _, test := range []struct{ amount, currency, want string }{
		{"150", "USD", "150.00"},
		{"0.5", "USD", "0.50"},
		{"007.05", "EUR", "7.05"},
		{"15000", "JPY", "15000"},
		{"1.005", "KWD", "1.005"},
		{"0", "KWD", "0.000"},
		{"999999999999.99", "USD", "999999999999.99"},
	} {
		m, err := ParseMoney(test.amount, test.currency)
		if err != nil || m.String() != test.want || m.Currency() != test.currency || !m.IsKnown() {
			t.Errorf("ParseMoney(%q, %s) = %q, %v, want %q", test.amount, test.currency, m, err, test.want)
		}
	}
	for _, test := range []struct{ amount, currency, want string }{
		{"1.005", "USD", `"1.005" is not an amount of USD: digits, with at most 2 after a point, are allowed`},
		{"1.", "USD", "is not an amount"},
		{".5", "USD", "is not an amount"},
		{"1.0", "JPY", "at most 0 after a point"},
		{"-1", "USD", "is not an amount"},
		{"1,000", "USD", "is not an amount"},
		{"1e3", "USD", "is not an amount"},
		{"", "USD", "is not an amount"},
		{"1000000000000.00", "USD", "is too large: at most 14 digits"},
		{"1", "usd", `"usd" is not a currency`},
	} {
		if m, err := ParseMoney(test.amount, test.currency); err == nil || !strings.Contains(err.Error(), test.want) || m.IsKnown() {
			t.Errorf("ParseMoney(%q, %s) = %q, %v, want the error %q", test.amount, test.currency, m, err, test.want)
		}
	}
	largest, debt := Money{1<<63 - 1, "USD"}, Money{-1 << 63, "USD"}
	cent, yen := Money{1, "USD"}, Money{1, "JPY"}
	for _, sum := range []Money{largest.Add(cent), debt.Add(Money{-1, "USD"}), cent.Add(yen), cent.Add(Money{}), {}} {
		if sum.IsKnown() || sum.String() != "" {
			t.Errorf("%q is known", sum)
		}
	}
	if got := debt.Add(largest).String() + debt.String(); got != "-0.01-92233720368547758.08" {
		t.Error(got)
	}
}

func TestDates(t *testing.T) {
	if len(currencies) < 150 || maxDate.String() != "9999-12-31" || minDate.String() != "0001-01-01" || unixEpoch.String() != "1970-01-01" {
		t.Error(len(currencies), maxDate, minDate, unixEpoch)
	}
	for d := minDate; d <= maxDate; d += 997 {
		at := d.midnightUTC()
		if NewDate(at.Date()) != d || d.Weekday() != at.Weekday() {
			t.Fatalf("%d: %s, a %s", d, at, d.Weekday())
		}
		if parsed, err := ParseDate(d.String()); err != nil || parsed != d {
			t.Fatalf("%s: %v", d, err)
		}
	}
	for _, text := range []string{"", "2026-02-29", "0000-12-31", "2026-3-1", "10000-01-01"} {
		if d, err := ParseDate(text); err == nil || d != 0 {
			t.Errorf("%q is the date %s", text, d)
		}
	}
	if NewDate(2026, 2, 29) != 0 || NewDate(10000, 1, 1) != 0 || NewDate(2026, 13, 1) != 0 {
		t.Error("dates that do not exist")
	}
}

// TestSpansOfDates checks the moments of a date against every minute around it, where the
// clocks went back over midnight too.
func TestSpansOfDates(t *testing.T) {
	for _, test := range []struct {
		zone, date string
		spans      int
		length     time.Duration
	}{
		{"Europe/Berlin", "2026-03-29", 1, 23 * time.Hour},
		{"Europe/Berlin", "2026-10-25", 1, 25 * time.Hour},
		{"Australia/Lord_Howe", "2026-04-05", 1, 24*time.Hour + 30*time.Minute},
		{"America/Sao_Paulo", "2018-11-04", 1, 23 * time.Hour},
		{"America/St_Johns", "2010-11-06", 2, 24*time.Hour + 59*time.Minute}, // a minute after midnight the clock went back an hour
		{"America/St_Johns", "2010-11-07", 2, 24*time.Hour + time.Minute},
		{"Pacific/Apia", "2011-12-30", 0, 0},
		{"Asia/Kathmandu", "2026-05-07", 1, 24 * time.Hour},
	} {
		zone, d := zoneOf(t, test.zone), dateOf(t, test.date)
		var length time.Duration
		var pieces []span
		for _, s := range spansOf(d, zone) {
			length += s.to.Sub(s.from)
			if n := len(pieces); n > 0 && pieces[n-1].to.Equal(s.from) {
				pieces[n-1].to = s.to // the offset changed within the date
			} else {
				pieces = append(pieces, s)
			}
		}
		if len(pieces) != test.spans || length != test.length {
			t.Errorf("%s in %s: %v of %s", test.date, test.zone, pieces, length)
		}
		for at := d.midnightUTC().Add(-30 * time.Hour); at.Before(d.midnightUTC().Add(60 * time.Hour)); at = at.Add(time.Minute) {
			within := false
			for _, s := range pieces {
				within = within || !at.Before(s.from) && at.Before(s.to)
			}
			if within != (DateOf(at, zone) == d) {
				t.Fatalf("%s in %s: %s", test.date, test.zone, at)
			}
		}
	}
}
