package freetime

import (
	"strings"
	"testing"
	"time"
)

// corner is a question about one container that came off on Monday 2 March 2026 at 10:00
// UTC, under a tariff of three calendar days from the next day on, and 100.00 USD a day.
type corner struct {
	clock  Clock
	tariff func(*Tariff)
	facts  []Fact
	asked  int // the day of March, at noon
	// days has a letter for each row: Before start, Free, Extension, free by a Last free
	// day, Weekend, Holiday, Not available, Charged.
	days, last string
	tomorrow   string
}

// TestCorners checks days that random histories seldom have. They were worked by hand.
func TestCorners(t *testing.T) {
	march := func(day, hour int) time.Time { return time.Date(2026, 3, day, hour, 0, 0, 0, time.UTC) }
	fact := func(kind FactType, day, hour int) Fact {
		return Fact{Name: string(kind), Type: kind, Place: home, At: march(day, hour)}
	}
	closed := func(of Facility, day int) Fact {
		return Fact{Name: "closed", Type: Closed, Of: of, Date: NewDate(2026, 3, day)}
	}
	lastDay := Fact{Name: "lfd", Type: LastFreeDayFact, Party: PartyLine, Place: home, At: march(4, 0), RecordedAt: march(2, 12)}
	untilSaturday := func(t *Tariff) {
		t.Starts, t.FreeDays, t.EndsOn, t.UnavailableDays = StartDayOf, 6, EndsOnWorkingDay, UnavailableSkip
	}
	onAvailability := func(rule UnavailableRule) func(*Tariff) {
		return func(t *Tariff) { t.Starts, t.UnavailableDays = StartFirstAvailability, rule }
	}
	skip := func(t *Tariff) { t.UnavailableDays = UnavailableSkip }
	for name, c := range map[string]corner{
		"the end on a Saturday moves over a closed Monday":       {Demurrage, untilSaturday, []Fact{closed(Terminal, 9)}, 11, "FFFFFFWNEC", "2026-03-10", "100.00"},
		"the end on a Saturday waits for the end of a hold":      {Demurrage, untilSaturday, []Fact{fact(Held, 7, 12)}, 11, "FFFFFFWNNN", "", "0.00"},
		"a reported day before any availability":                 {Demurrage, onAvailability(UnavailableSkip), []Fact{lastDay}, 6, "NNNCC", "", "100.00"},
		"a reported day, and then a hold":                        {Demurrage, onAvailability(UnavailableSkip), []Fact{lastDay, fact(Held, 5, 0)}, 6, "NNNNN", "", "0.00"},
		"a reported day, and then a hold that excuses no charge": {Demurrage, onAvailability(UnavailableSkipFree), []Fact{lastDay, fact(Held, 5, 0)}, 6, "NNNCC", "", "100.00"},
		"a reported day, and availability long after it":         {Demurrage, skip, []Fact{lastDay, fact(Available, 7, 0)}, 7, "BNNCCC", "2026-03-07", "100.00"},
		"a reported day with no free days":                       {Demurrage, func(t *Tariff) { t.FreeDays = 0 }, []Fact{lastDay}, 5, "BLLC", "", "100.00"},
		"no free days":                                           {Demurrage, func(t *Tariff) { t.FreeDays = 0 }, nil, 4, "BCC", "", "100.00"},
		"released and held again before it was off the ship": {Demurrage, func(t *Tariff) { skip(t); t.Starts = StartDayOf },
			[]Fact{fact(Held, 1, 0), fact(Released, 2, 6), fact(Held, 2, 8), fact(Released, 4, 9)}, 7, "NNFFFC", "2026-03-06", "100.00"},
		"two reports of one hold, and one release":              {Demurrage, skip, []Fact{fact(Held, 1, 0), fact(Held, 4, 0), fact(Released, 5, 9)}, 8, "BNNFFFC", "2026-03-07", "100.00"},
		"a gate-out that was announced ahead":                   {Demurrage, skip, []Fact{{Type: FullOut, Place: home, At: march(6, 9), RecordedAt: march(3, 9)}}, 5, "BFFF", "2026-03-05", "100.00"},
		"a hold on the day of the gate-out":                     {Demurrage, skip, []Fact{fact(Held, 4, 0), fact(FullOut, 5, 9)}, 8, "BFNF", "2026-03-06", "0.00"},
		"loaded on a train, and out elsewhere":                  {Demurrage, skip, []Fact{fact(RailLoaded, 4, 9), fact(FullOut, 5, 9)}, 8, "BFF", "2026-03-05", "0.00"},
		"a gate-out of before the discharge":                    {Demurrage, skip, []Fact{fact(FullOut, 1, 9)}, 4, "BFF", "2026-03-05", "0.00"},
		"the ramp is closed, and it is at the port":             {Demurrage, skip, []Fact{closed(Ramp, 3)}, 4, "BFF", "2026-03-05", "0.00"},
		"the first word is that it is not available":            {Demurrage, skip, []Fact{fact(NotAvailable, 4, 0)}, 5, "BFNN", "", "0.00"},
		"the empty is back though the depot is closed":          {Detention, skip, []Fact{fact(FullOut, 2, 9), closed(Depot, 6), fact(EmptyIn, 6, 9)}, 8, "BFFFC", "2026-03-05", "0.00"},
		"combined, and it leaves the yard by rail under a hold": {Combined, skip, []Fact{fact(Held, 3, 0), fact(RailLoaded, 4, 9)}, 7, "BNFFFC", "2026-03-06", "100.00"},
	} {
		day, _ := NewMoney(100_00, "USD")
		tariff := Tariff{Clock: c.clock, FreeDays: 3, FreeDaysKind: CalendarDays, Weekend: []time.Weekday{time.Saturday, time.Sunday},
			Starts: StartDayAfter, UnavailableDays: UnavailableCount, EndsOn: EndsOnAnyDay, ChargedOn: ChargeEveryDay,
			Currency: "USD", Tiers: []Tier{{From: 1, Amount: day}}}
		if c.tariff != nil {
			c.tariff(&tariff)
		}
		h := History{Place: home, Zone: time.UTC, Facts: append(c.facts, fact(Discharged, 2, 10))}
		for i := range h.Facts {
			h.Facts[i].Name += string(rune('a' + i))
		}
		l := NewLedger(c.clock, h, []Tariff{tariff}, march(c.asked, 12))
		if got := letters(l.Days); got != c.days || l.LastFreeDay.String() != c.last || l.Tomorrow.String() != c.tomorrow {
			t.Errorf("%s: days %s, last free day %q, tomorrow %q; want %s, %q, %q", name, got, l.LastFreeDay, l.Tomorrow, c.days, c.last, c.tomorrow)
		}
	}
}

func letters(days []Day) string {
	var b strings.Builder
	for _, d := range days {
		letter := map[Kind]string{BeforeStart: "B", FreeDay: "F", WeekendDay: "W", HolidayDay: "H", NotAvailableDay: "N", ChargedDay: "C"}[d.Kind]
		switch {
		case d.Kind == FreeDay && d.Rule == RuleEndsOn:
			letter = "E"
		case d.Kind == FreeDay && d.Rule == RuleReported:
			letter = "L"
		}
		b.WriteString(letter)
	}
	return b.String()
}

// TestReasons checks why totals are not known.
func TestReasons(t *testing.T) {
	tariff := validTariff()
	asked := NewDate(2026, 4, 25).midnightUTC()
	for want, change := range map[Reason]func(*History, *Tariff, *time.Time){
		"":         func(*History, *Tariff, *time.Time) {},
		NoZone:     func(h *History, _ *Tariff, _ *time.Time) { h.Zone = nil },
		NoMoment:   func(_ *History, _ *Tariff, at *time.Time) { *at = end },
		NotOpened:  func(h *History, _ *Tariff, _ *time.Time) { h.Facts = nil },
		TooLong:    func(_ *History, _ *Tariff, at *time.Time) { *at = at.AddDate(11, 0, 0) },
		NoTariff:   func(_ *History, t *Tariff, _ *time.Time) { t.Line = "L2" },
		NotStarted: func(_ *History, t *Tariff, _ *time.Time) { t.Starts, t.Cutoff = StartFirstAvailability, "" },
	} {
		h, tariff, at := unopened(), tariff, asked
		change(&h, &tariff, &at)
		if l := NewLedger(Demurrage, h, []Tariff{tariff}, at); l.Unknown != want || l.Total.IsKnown() != (want == "") {
			t.Errorf("the reason is %q and the total %q, want the reason %q", l.Unknown, l.Total, want)
		}
	}
}

// TestSuccessor checks which tariff counts where both the former and its successor are
// valid on the first day that they give, and where the empty comes back on a date before
// that of the gate-out.
func TestSuccessor(t *testing.T) {
	former, next := validTariff(), validTariff()
	former.Name, former.Starts, former.Cutoff, former.ValidTo = "former", StartDayOf, "", NewDate(2026, 4, 20)
	next.Name, next.Starts, next.Cutoff, next.ValidFrom = "next", StartDayAfter, "", NewDate(2026, 4, 21)
	for _, list := range [][]Tariff{{former, next}, {next, former}} {
		if l := NewLedger(Demurrage, unopened(), list, NewDate(2026, 4, 25).midnightUTC()); l.Tariff != "former" {
			t.Errorf("the tariff is %q for the reason %q, want the former", l.Tariff, l.Unknown)
		}
	}
	out := time.Date(2026, 4, 20, 13, 0, 0, 0, time.UTC) // 21 April in Auckland
	h := unopened()
	h.Zone = zoneOf(t, "Pacific/Auckland")
	h.Facts = []Fact{{Name: "out", Type: FullOut, Place: "USLAX", At: out}, {Name: "in", Type: EmptyIn, Zone: time.UTC, At: out.Add(time.Hour)}}
	former.Clock, former.ValidTo = Detention, 0
	if l := NewLedger(Detention, h, []Tariff{former}, out.AddDate(0, 0, 5)); len(l.Days) != 1 || l.Days[0].Date != NewDate(2026, 4, 21) || !l.Ended {
		t.Errorf("out and back within the hour: %v, for the reason %q", l.Days, l.Unknown)
	}
}

// TestMoreOfTheScope checks that three stated fields count for more than the terminal
// alone, and the terminal for more than another field alone.
func TestMoreOfTheScope(t *testing.T) {
	scoped := func(name string, scope Tariff) Tariff {
		tariff := validTariff()
		tariff.Name, tariff.Place = name, ""
		tariff.Terminal, tariff.Line, tariff.EquipmentType, tariff.EquipmentLength = scope.Terminal, scope.Line, scope.EquipmentType, scope.EquipmentLength
		return tariff
	}
	three := scoped("three", Tariff{Line: "L1", EquipmentType: "open top", EquipmentLength: 40})
	terminal, line := scoped("terminal", Tariff{Terminal: "T1"}), scoped("line", Tariff{Line: "L1"})
	h := unopened()
	h.Container.Terminal = "T1"
	for want, list := range map[string][]Tariff{"three": {terminal, three, line}, "terminal": {line, terminal}} {
		if l := NewLedger(Demurrage, h, list, NewDate(2026, 4, 25).midnightUTC()); l.Tariff != want {
			t.Errorf("the tariff is %q for the reason %q, want %q", l.Tariff, l.Unknown, want)
		}
	}
}
