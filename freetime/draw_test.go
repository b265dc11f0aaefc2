package freetime

import (
	"fmt"
	"time"

	"pgregory.net/rapid"
)

// question is what NewLedger is asked.
type question struct {
	clock   Clock
	history History
	tariffs []Tariff
	asked   time.Time
}

func (q question) ledger() Ledger { return NewLedger(q.clock, q.history, q.tariffs, q.asked) }

// calendars are zones with a date near which something happens: the clocks change, by an
// hour or half of one, at two or at midnight, or the place skips a date.
var calendars = []struct{ zone, date string }{
	{"America/Los_Angeles", "2026-03-08"},
	{"America/Los_Angeles", "2026-11-01"},
	{"Europe/Berlin", "2026-03-29"},
	{"Europe/Berlin", "2026-10-25"},
	{"Asia/Kolkata", "2026-01-07"},
	{"Asia/Shanghai", "2026-02-17"},
	{"America/Sao_Paulo", "2018-11-04"}, // the day began at one
	{"America/Sao_Paulo", "2018-02-17"}, // the hour before midnight came twice
	{"America/Havana", "2026-03-08"},
	{"Australia/Lord_Howe", "2026-04-05"},
	{"Pacific/Apia", "2011-12-30"},
	{"Pacific/Kwajalein", "1993-08-21"},
	{"UTC", "2028-02-29"},
}

const home = "XXHOM"

func drawQuestion(t *rapid.T) question {
	at := rapid.SampledFrom(calendars).Draw(t, "calendar")
	zone, err := time.LoadLocation(at.zone)
	if err != nil {
		t.Fatal(err)
	}
	near, _ := ParseDate(at.date)
	base := near.midnightUTC().Add(-time.Duration(rapid.IntRange(0, 12*48).Draw(t, "base")) * slot)
	q := question{clock: rapid.SampledFrom([]Clock{Demurrage, Demurrage, Combined, RailStorage, Detention, PerDiem}).Draw(t, "clock")}
	q.asked = base.Add(time.Duration(rapid.IntRange(0, 24*48).Draw(t, "asked")) * slot)
	q.history = History{Place: home, Zone: zone, Container: Container{
		Line: "L1", Terminal: "T1", EquipmentType: "dry", EquipmentLength: 40, ThroughRail: rapid.IntRange(0, 19).Draw(t, "through") == 0,
	}}
	q.history.Facts = drawFacts(t, q.clock, base, zone)
	q.tariffs = drawTariffs(t, q.clock, DateOf(base, zone))
	return q
}

// drawFacts draws facts at different half hours, most of them known soon after; the first
// opens the clock.
func drawFacts(t *rapid.T, clock Clock, base time.Time, zone *time.Location) []Fact {
	types := []FactType{Available, Available, NotAvailable, Held, Held, Released, Released, Closed, Closed, LastFreeDayFact, LastFreeDayFact, FullOut, EmptyIn, RailLoaded, Discharged, RailUnloaded, RailArrived}
	slots := rapid.SliceOfNDistinct(rapid.IntRange(0, 16*48), 1, 14, rapid.ID).Draw(t, "slots")
	var facts []Fact
	for i, n := range slots {
		f := Fact{Type: rapid.SampledFrom(types).Draw(t, "type"), Place: home}
		if i == 0 {
			f.Type, n = clock.opens(), n%(3*48)
		}
		f.Name = fmt.Sprintf("%s-%d", f.Type, i)
		f.At = base.Add(time.Duration(n) * slot)
		if later := rapid.IntRange(-2, 8).Draw(t, "later"); later > 0 {
			f.RecordedAt = f.At.Add(time.Duration(later*later)*time.Hour + time.Duration(i+1)*time.Second)
		}
		if rapid.IntRange(0, 14).Draw(t, "elsewhere") == 0 {
			f.Place = "XXOTH"
		}
		if f.Type == EmptyIn && rapid.Bool().Draw(t, "far") {
			f.Zone, _ = time.LoadLocation(rapid.SampledFrom([]string{"America/Chicago", "Asia/Tokyo"}).Draw(t, "zone"))
		}
		drawDetails(t, &f, base, zone)
		facts = append(facts, f)
	}
	return onePerSlot(facts)
}

func drawDetails(t *rapid.T, f *Fact, base time.Time, zone *time.Location) {
	switch f.Type {
	case Held, Released:
		f.Hold = rapid.SampledFrom([]string{"customs", "freight", "exam"}).Draw(t, "hold")
	case LastFreeDayFact:
		f.Party = rapid.SampledFrom([]Party{PartyLine, PartyLine, PartyTerminal, PartyRail}).Draw(t, "party")
		f.RecordedAt = f.At.Add(-time.Duration(rapid.IntRange(1, 5*24*60).Draw(t, "known")) * time.Minute).Add(7 * time.Second)
	case Closed:
		f.Date = DateOf(base, zone) + Date(rapid.IntRange(0, 16).Draw(t, "closed"))
		f.Of = rapid.SampledFrom([]Facility{Terminal, Ramp, Depot}).Draw(t, "of")
		if rapid.Bool().Draw(t, "anywhere") {
			f.Place = ""
		}
	}
}

// onePerSlot leaves out facts that have the moment of another, or the closure of one day
// twice: which of two is shown is then a matter of names.
func onePerSlot(facts []Fact) []Fact {
	var kept []Fact
	moments, closures := map[time.Time]bool{}, map[string]bool{}
	for _, f := range facts {
		closure := fmt.Sprint(f.Date, f.Of)
		if moments[f.At] || f.Type == Closed && closures[closure] {
			continue
		}
		moments[f.At], closures[closure] = true, true
		kept = append(kept, f)
	}
	return kept
}

// drawTariffs draws tariffs of different scopes, or one that succeeds another.
func drawTariffs(t *rapid.T, clock Clock, base Date) []Tariff {
	first := drawTariff(t, clock, base)
	first.Name = "first"
	list := []Tariff{first}
	if rapid.Bool().Draw(t, "successor") {
		next := drawTariff(t, clock, base)
		list[0].ValidTo = base + Date(rapid.IntRange(0, 6).Draw(t, "until"))
		next.Name, next.ValidFrom = "next", list[0].ValidTo+1
		list = append(list, next)
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "others") {
		other := drawTariff(t, clock, base)
		other.Name = fmt.Sprint("other-", i)
		other.Line = rapid.SampledFrom([]string{"", "L1", "L2"}).Draw(t, "line")
		other.Terminal = rapid.SampledFrom([]string{"", "", "T1", "T2"}).Draw(t, "terminal")
		other.Place = rapid.SampledFrom([]string{"", home}).Draw(t, "place")
		other.EquipmentType = rapid.SampledFrom([]string{"", "dry", "reefer"}).Draw(t, "type")
		other.EquipmentLength = rapid.SampledFrom([]int{0, 40, 20}).Draw(t, "length")
		if rapid.Bool().Draw(t, "ends") {
			other.ValidTo = base + Date(rapid.IntRange(0, 6).Draw(t, "to"))
		}
		if CheckTariffs(append(list[:len(list):len(list)], other)) == nil {
			list = append(list, other)
		}
	}
	return list
}

func drawTariff(t *rapid.T, clock Clock, base Date) Tariff {
	starts := []Start{StartDayOf, StartDayAfter, StartCutoff, StartFirstAvailability}
	if clock.isOutside() {
		starts = starts[:3]
	}
	tariff := Tariff{
		Clock: clock, FreeDays: rapid.IntRange(0, 6).Draw(t, "free"),
		FreeDaysKind:    rapid.SampledFrom([]FreeDaysKind{CalendarDays, WorkingDays}).Draw(t, "kind"),
		Weekend:         rapid.SampledFrom([][]time.Weekday{nil, {time.Saturday, time.Sunday}, {time.Friday, time.Saturday}, {time.Sunday}}).Draw(t, "weekend"),
		Starts:          rapid.SampledFrom(starts).Draw(t, "starts"),
		UnavailableDays: rapid.SampledFrom([]UnavailableRule{UnavailableCount, UnavailableSkipFree, UnavailableSkip}).Draw(t, "unavailable"),
		HoldsThatCount:  rapid.SampledFrom([][]string{nil, {"customs"}, {"customs", "freight"}}).Draw(t, "holds"),
		EndsOn:          rapid.SampledFrom([]EndRule{EndsOnAnyDay, EndsOnWorkingDay}).Draw(t, "ends"),
		ChargedOn:       rapid.SampledFrom([]ChargeRule{ChargeEveryDay, ChargeWorkingDays}).Draw(t, "charged"),
		Currency:        rapid.SampledFrom([]string{"USD", "JPY", "KWD"}).Draw(t, "currency"),
	}
	if tariff.Starts == StartCutoff {
		tariff.Cutoff = rapid.SampledFrom([]string{"00:00", "08:30", "16:00", "23:59"}).Draw(t, "cutoff")
	}
	for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 20), 0, 4, rapid.ID).Draw(t, "holidays") {
		tariff.Holidays = append(tariff.Holidays, Holiday{base + Date(n), "holiday"})
	}
	for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 20), 0, 3, rapid.ID).Draw(t, "extra") {
		tariff.ExtraWorkingDays = append(tariff.ExtraWorkingDays, base+Date(n))
	}
	tariff.Tiers = drawTiers(t, tariff.Currency)
	return tariff
}

// drawTiers draws tiers that never become cheaper.
func drawTiers(t *rapid.T, currency string) []Tier {
	var tiers []Tier
	from, units := 1, int64(0)
	for range rapid.IntRange(0, 2).Draw(t, "closed tiers") {
		units += int64(rapid.IntRange(0, 20_000).Draw(t, "amount"))
		to := from + rapid.IntRange(0, 3).Draw(t, "days")
		tiers = append(tiers, Tier{from, to, Money{units, currency}})
		from = to + 1
	}
	units += int64(rapid.IntRange(0, 20_000).Draw(t, "last amount"))
	return append(tiers, Tier{From: from, Amount: Money{units, currency}})
}
