package invoice

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freetime"
)

const box = "MRKU9465770"

// mar is a moment of March 2026 in Oakland.
func mar(day, hour int) time.Time {
	zone, _ := time.LoadLocation("America/Los_Angeles")
	return time.Date(2026, 3, day, hour, 0, 0, 0, zone)
}

// stay is a container that is discharged in Oakland on Monday 2 March and leaves on
// Wednesday 11 March.
//
// With four free calendar days from the day after, free time is the 3rd to the 6th. The
// 7th and 8th cost 100, and the 9th to the 11th cost 200: together 800.
func stay() freetime.History {
	return freetime.History{
		Container: freetime.Container{Line: "MAEU"}, Place: "USOAK", Zone: mar(1, 0).Location(),
		Facts: []freetime.Fact{
			{Name: "off", Type: freetime.Discharged, At: mar(2, 10), Place: "USOAK"},
			{Name: "gate", Type: freetime.FullOut, At: mar(11, 15), Place: "USOAK"},
		},
	}
}

// lasting is the stay without its end.
func lasting(more ...freetime.Fact) freetime.History {
	h := stay()
	h.Facts = append(h.Facts[:1], more...)
	return h
}

func with(more ...freetime.Fact) freetime.History {
	h := stay()
	h.Facts = append(h.Facts, more...)
	return h
}

// tiers is a tariff of the stay; change may be nil.
func tiers(change func(*freetime.Terms)) freetime.Tariff {
	two := 2
	t := freetime.DefaultTerms()
	t.Name, t.Clock, t.FreeDays, t.Currency = "tariff", freetime.Demurrage, 4, "USD"
	t.Tiers = []freetime.TierTerms{{From: 1, To: &two, Amount: "100"}, {From: 3, Amount: "200"}}
	if change != nil {
		change(&t)
	}
	tariff, err := t.Tariff(nil)
	if err != nil {
		panic(err)
	}
	return tariff
}

// costs are the charges of the box at a moment of asking.
func costs(h freetime.History, asked time.Time, list ...freetime.Tariff) freetime.Charges {
	var ledgers []freetime.Ledger
	for _, t := range list {
		ledgers = append(ledgers, freetime.NewLedger(t.Clock, h, list, asked))
	}
	c := freetime.NewCharges(ledgers)
	c.ContainerID, c.ContainerNumber = "c1", box
	for _, f := range h.Facts {
		at := f.At
		c.Facts = append(c.Facts, freetime.Evidence{ID: f.Name, Event: string(f.Type), Source: "terminal", HappenedAt: &at, RecordedAt: at.Add(time.Hour), ReceivedAt: at.Add(2 * time.Hour)})
	}
	return c
}

// invoiceOf reads lines as CSV with these columns.
func invoiceOf(t testing.TB, lines ...string) *Invoice {
	t.Helper()
	inv, err := ReadCSV(strings.NewReader("container_number,clock,from,to,days,rate,amount,currency\n" + strings.Join(lines, "\n") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// told is a sheet in short: of each line charged, computed, difference, reason and what is
// not in its days, and of each run of days with one reason the dates and the reason.
func told(s *Sheet) string {
	var b strings.Builder
	for _, l := range s.Lines {
		fmt.Fprintf(&b, "%s - %s = %s %s", or(l.Charged), or(l.Computed), or(l.Difference), or(l.Reason))
		if l.NotInDaysReason != nil {
			fmt.Fprintf(&b, ", %s not in days %s", or(l.NotInDays), *l.NotInDaysReason)
		}
		last := ""
		for _, d := range l.Days {
			say := or(d.Reason)
			if say != "-" {
				say += " " + or(d.Difference)
			}
			if say != last {
				fmt.Fprintf(&b, "; %s %s", d.Date.String()[8:], say)
			}
			last = say
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func or[V any](v *V) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(*v)
}

func TestNewSheet(t *testing.T) {
	april := mar(32, 0)
	for _, tt := range []struct {
		name  string
		costs freetime.Charges
		lines []string
		want  string
	}{
		// 2 x 100 and 3 x 200 are what the tariff says.
		{"as computed", costs(stay(), april, tiers(nil)),
			[]string{box + ",demurrage,2026-03-07,2026-03-08,2,100,200,USD", box + ",demurrage,2026-03-09,2026-03-11,3,200,600,USD"},
			"200.00 - 200.00 = 0.00 -; 07 -\n600.00 - 600.00 = 0.00 -; 09 -"},
		// The 12th and 13th are after the gate-out of the 11th.
		{"too many days", costs(stay(), april, tiers(nil)), []string{box + ",demurrage,2026-03-09,2026-03-13,5,200,1000,USD"},
			"1000.00 - 600.00 = 400.00 after_end; 09 -; 12 after_end 200.00"},
		// The 7th and 8th are of the first tier, 100 a day, and are billed by the second.
		{"the wrong tier", costs(stay(), april, tiers(nil)), []string{box + ",demurrage,2026-03-07,2026-03-09,3,200,600,USD"},
			"600.00 - 400.00 = 200.00 tier; 07 tier 100.00; 09 -"},
		{"a rate of no tier", costs(stay(), april, tiers(nil)), []string{box + ",demurrage,2026-03-09,2026-03-11,3,225.50,676.50,USD"},
			"676.50 - 600.00 = 76.50 rate; 09 rate 25.50"},
		{"less than the tariff", costs(stay(), april, tiers(nil)), []string{box + ",demurrage,2026-03-09,2026-03-11,3,150,450,USD"},
			"450.00 - 600.00 = -150.00 rate; 09 rate -50.00"},
		// Only two days of free time were granted: the 5th and 6th are free.
		{"free days not granted", costs(stay(), april, tiers(nil)), []string{box + ",demurrage,2026-03-05,2026-03-08,4,100,400,USD"},
			"400.00 - 200.00 = 200.00 free_time; 05 free_time 100.00; 07 -"},
		// The day of the discharge is before the first day of the clock.
		{"the day of the discharge", costs(stay(), april, tiers(nil)), []string{box + ",demurrage,2026-03-01,2026-03-02,2,100,200,USD"},
			"200.00 - 0.00 = 200.00 before_opening; 01 before_opening 100.00; 02 before_start 100.00"},
		// Free working days: 3 to 6; 7 and 8 are a weekend on which nothing is charged.
		{"a weekend that is not charged", costs(stay(), april, tiers(func(t *freetime.Terms) { t.ChargedOn = freetime.ChargeWorkingDays })),
			[]string{box + ",demurrage,2026-03-07,2026-03-09,3,100,300,USD"},
			"300.00 - 100.00 = 200.00 weekend; 07 weekend 100.00; 09 -"},
		{"a holiday that is not charged", costs(stay(), april, tiers(func(t *freetime.Terms) {
			t.ChargedOn, t.Holidays = freetime.ChargeWorkingDays, []freetime.Holiday{{Date: date("2026-03-10"), Name: "Port day"}}
		})), []string{box + ",demurrage,2026-03-09,2026-03-11,3,100,300,USD"},
			"300.00 - 200.00 = 100.00 holiday; 09 -; 10 holiday 100.00; 11 -"},
		// A hold from the evening of the 8th to the noon of the 10th: the 9th is held all day.
		{"a day on which it could not be fetched", costs(with(
			freetime.Fact{Name: "hold", Type: freetime.Held, Hold: "customs", At: mar(8, 20), Place: "USOAK"},
			freetime.Fact{Name: "free", Type: freetime.Released, Hold: "customs", At: mar(10, 12), Place: "USOAK"}),
			april, tiers(func(t *freetime.Terms) { t.UnavailableDays = freetime.UnavailableSkip })),
			[]string{box + ",demurrage,2026-03-07,2026-03-10,3,100,300,USD"},
			// Three of the four days are charged by the ledger, and they are those that the line counts: 100, 100, 200.
			"300.00 - 400.00 = -100.00 tier; 07 -; 10 tier -100.00"},
		{"the same with that day billed", costs(with(
			freetime.Fact{Name: "hold", Type: freetime.Held, Hold: "customs", At: mar(8, 20), Place: "USOAK"},
			freetime.Fact{Name: "free", Type: freetime.Released, Hold: "customs", At: mar(10, 12), Place: "USOAK"}),
			april, tiers(func(t *freetime.Terms) { t.UnavailableDays = freetime.UnavailableSkip })),
			[]string{box + ",demurrage,2026-03-07,2026-03-09,3,100,,USD"},
			"300.00 - 200.00 = 100.00 not_available; 07 -; 09 not_available 100.00"},
		{"another currency", costs(stay(), april, tiers(nil)), []string{box + ",demurrage,2026-03-06,2026-03-07,2,100,200,EUR"},
			"200.00 - 100.00 = - free_time; 06 free_time 100.00; 07 currency -"},
		{"a container that is not ours", costs(stay(), april, tiers(nil)), []string{"MSKU0000000,demurrage,2026-03-07,2026-03-08,,100,,USD"},
			"200.00 - - = - container_unknown; 07 container_unknown -"},
		{"a clock without a tariff", costs(stay(), april, tiers(nil)), []string{box + ",detention,2026-03-12,2026-03-13,,100,,USD"},
			"200.00 - - = - no_ledger; 12 no_ledger -"},
		// The second line bills the 8th again.
		{"two lines with one day", costs(stay(), april, tiers(nil)),
			[]string{box + ",demurrage,2026-03-07,2026-03-08,,100,,USD", box + ",demurrage,2026-03-08,2026-03-09,,200,,USD"},
			"200.00 - 200.00 = 0.00 -; 07 -\n400.00 - 200.00 = 200.00 charged_twice; 08 charged_twice 200.00; 09 -"},
		// The first line bills the 10th, though not at a known amount, so the second bills it again.
		{"a day again, first at an unknown rate", costs(stay(), april, tiers(nil)),
			[]string{box + ",demurrage,2026-03-09,2026-03-11,,,500,USD", box + ",demurrage,2026-03-10,2026-03-10,,200,,USD"},
			"500.00 - 600.00 = -100.00 rate_unknown; 09 rate_unknown -\n200.00 - 0.00 = 200.00 charged_twice; 10 charged_twice 200.00"},
		// The first line bills two of three days, and nothing says which: the 11th may be the third.
		{"a day that an earlier line may bill", costs(stay(), april, tiers(nil)),
			[]string{box + ",demurrage,2026-03-09,2026-03-11,2,,500.01,USD", box + ",demurrage,2026-03-11,2026-03-11,,200,,USD"},
			"500.01 - 600.00 = -99.99 rate_unknown, - not in days day_count; 09 rate_unknown -\n200.00 - 200.00 = 0.00 -; 11 -"},
		// Two days of the 5th to the 8th, of which the ledger charges two: the 7th and 8th, at an unknown rate.
		{"days of the ledger at an unknown rate", costs(stay(), april, tiers(nil)),
			[]string{box + ",demurrage,2026-03-05,2026-03-08,2,,150.01,USD", box + ",demurrage,2026-03-06,2026-03-06,,100,,USD", box + ",demurrage,2026-03-08,2026-03-08,,100,,USD"},
			"150.01 - 200.00 = -49.99 rate_unknown; 05 -; 07 rate_unknown -\n100.00 - 0.00 = 100.00 free_time; 06 free_time 100.00\n100.00 - 0.00 = 100.00 charged_twice; 08 charged_twice 100.00"},
		// A line that charges nothing for a day leaves it to the next.
		{"a day again, first for nothing", costs(stay(), april, tiers(nil)),
			[]string{box + ",demurrage,2026-03-07,2026-03-07,,0,,USD", box + ",demurrage,2026-03-07,2026-03-07,,100,,USD"},
			"0.00 - 100.00 = -100.00 rate; 07 rate -100.00\n100.00 - 100.00 = 0.00 -; 07 -"},
		// Four days of three at an unknown rate.
		{"more days, and no rate", costs(stay(), april, tiers(nil)), []string{box + ",demurrage,2026-03-09,2026-03-11,4,,500.01,USD"},
			"500.01 - 600.00 = -99.99 rate_unknown, - not in days day_count; 09 rate_unknown -"},
		// 400 over the two days is 200 a day.
		{"no rate", costs(stay(), april, tiers(nil)), []string{box + ",demurrage,2026-03-08,2026-03-09,,,400,USD"},
			"400.00 - 300.00 = 100.00 tier; 08 tier 100.00; 09 -"},
		// 500 over three days is no amount of cents.
		{"no rate, and none that follows", costs(stay(), april, tiers(nil)), []string{box + ",demurrage,2026-03-09,2026-03-11,,,500,USD"},
			"500.00 - 600.00 = -100.00 rate_unknown; 09 rate_unknown -"},
		{"more days than from first to last", costs(stay(), april, tiers(nil)), []string{box + ",demurrage,2026-03-09,2026-03-11,4,200,800,USD"},
			"800.00 - 600.00 = 200.00 day_count, 200.00 not in days day_count; 09 -"},
		// Two days, of which three are charged: it is not known which.
		{"fewer days than from first to last", costs(stay(), april, tiers(nil)), []string{box + ",demurrage,2026-03-09,2026-03-11,2,200,400,USD"},
			"400.00 - 600.00 = -200.00 rate_unknown, - not in days day_count; 09 rate_unknown -"},
		{"a wrong sum", costs(stay(), april, tiers(nil)), []string{box + ",demurrage,2026-03-09,2026-03-11,3,200,650,USD"},
			"650.00 - 600.00 = 50.00 arithmetic, 50.00 not in days arithmetic; 09 -"},
		// The line has said that the 9th is the last free day: the first tier begins on the 10th.
		{"a reported last free day", costs(with(freetime.Fact{Name: "lfd", Type: freetime.LastFreeDayFact, Party: freetime.PartyLine, At: mar(9, 0), RecordedAt: mar(4, 0), Place: "USOAK"}), april, tiers(nil)),
			[]string{box + ",demurrage,2026-03-07,2026-03-11,,100,,USD"},
			"500.00 - 200.00 = 300.00 free_time; 07 free_time 100.00; 10 -"},
		// Asked on the 8th, the 9th has not come.
		{"a day to come", costs(lasting(), mar(8, 12), tiers(nil)), []string{box + ",demurrage,2026-03-08,2026-03-09,,100,,USD"},
			"200.00 - - = - not_yet; 08 -; 09 not_yet -"},
		{"carried on by rail", costs(func() freetime.History { h := stay(); h.Container.ThroughRail = true; return h }(), april, tiers(nil)),
			[]string{box + ",demurrage,2026-03-07,2026-03-07,,100,,USD"}, "100.00 - 0.00 = 100.00 carried_inland; 07 carried_inland 100.00"},
		{"not discharged", costs(freetime.History{Place: "USOAK", Zone: mar(1, 0).Location()}, april, tiers(nil)),
			[]string{box + ",demurrage,2026-03-07,2026-03-07,,100,,USD"}, "100.00 - - = - not_counted; 07 not_counted -"},
		// Detention and per diem are one clock: out on the 11th, one free day, the 12th.
		{"per diem that the account calls detention", costs(with(freetime.Fact{Name: "back", Type: freetime.EmptyIn, At: mar(14, 9), Place: "USOAK"}), april,
			tiers(func(t *freetime.Terms) { t.Clock, t.FreeDays = freetime.Detention, 1 })),
			[]string{box + ",per_diem,2026-03-12,2026-03-13,,100,,USD"}, "200.00 - 100.00 = 100.00 free_time; 12 free_time 100.00; 13 -"},
		// Three decimals, and none.
		{"fils", costs(stay(), april, tiers(func(t *freetime.Terms) { t.Currency = "KWD" })), []string{box + ",demurrage,2026-03-07,2026-03-07,,100.125,,KWD"},
			"100.125 - 100.000 = 0.125 rate; 07 rate 0.125"},
		{"yen", costs(stay(), april, tiers(func(t *freetime.Terms) { t.Currency = "JPY" })), []string{box + ",demurrage,2026-03-07,2026-03-07,,101,,JPY"},
			"101 - 100 = 1 rate; 07 rate 1"},
	} {
		if got := told(NewSheet(invoiceOf(t, tt.lines...), []freetime.Charges{tt.costs}, april)); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func date(text string) freetime.Date {
	d, err := freetime.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// Of two stays of one container the one with the days of the line counts.
func TestSecondStay(t *testing.T) {
	later := stay()
	for i := range later.Facts {
		later.Facts[i].At = later.Facts[i].At.AddDate(0, 1, 0)
	}
	second := costs(later, mar(60, 0), tiers(nil))
	second.ContainerID = "c2"
	list := []freetime.Charges{second, costs(stay(), mar(60, 0), tiers(nil))}
	s := NewSheet(invoiceOf(t, box+",demurrage,2026-03-07,2026-03-07,,100,,USD", box+",demurrage,2026-04-07,2026-04-07,,100,,USD"), list, mar(60, 0))
	if got := or(s.Lines[0].ContainerID) + or(s.Lines[1].ContainerID); got != "c1c2" {
		t.Error(got)
	}
}

// Each day has the facts behind it, and the sheet has what they said.
func TestEvidence(t *testing.T) {
	h := with(freetime.Fact{Name: "lfd", Type: freetime.LastFreeDayFact, Party: freetime.PartyLine, At: mar(9, 0), RecordedAt: mar(4, 0), Place: "USOAK"})
	s := NewSheet(invoiceOf(t, box+",demurrage,2026-03-06,2026-03-12,,100,,USD"), []freetime.Charges{costs(h, mar(20, 0), tiers(nil))}, mar(20, 0))
	var got []string
	for _, d := range s.Lines[0].Days {
		got = append(got, strings.Join(d.Facts, "+"))
	}
	if want := "off lfd lfd lfd lfd lfd gate"; strings.Join(got, " ") != want {
		t.Errorf("facts of days %s, want %s", got, want)
	}
	if len(s.Facts) != 3 || s.Facts[0].ID != "off" || s.Facts[0].Source != "terminal" || !s.Facts[0].ReceivedAt.Equal(mar(2, 12)) {
		t.Errorf("facts %+v", s.Facts)
	}
}

// For every invoice: a line's difference is the sum of those of its days and of what is not
// in them, and a total's charges are all accounted for.
func TestSums(t *testing.T) {
	charges := []freetime.Charges{costs(stay(), mar(20, 0), tiers(nil))}
	rapid.Check(t, func(rt *rapid.T) {
		var lines []string
		for range rapid.IntRange(1, 4).Draw(rt, "lines") {
			from := rapid.IntRange(1, 14).Draw(rt, "from")
			to := from + rapid.IntRange(0, 6).Draw(rt, "more")
			days := rapid.SampledFrom([]string{"", "1", "3", "5"}).Draw(rt, "days")
			rate := rapid.SampledFrom([]string{"", "100", "200", "0", "99.99"}).Draw(rt, "rate")
			amount := rapid.SampledFrom([]string{"600", "500", "0.01"}).Draw(rt, "amount")
			lines = append(lines, fmt.Sprintf("%s,demurrage,2026-03-%02d,2026-03-%02d,%s,%s,%s,%s", box, from, to, days, rate, amount, rapid.SampledFrom([]string{"USD", "EUR"}).Draw(rt, "currency")))
		}
		s := NewSheet(invoiceOf(t, lines...), charges, mar(20, 0))
		for _, l := range s.Lines {
			if l.Difference == nil || l.NotInDays == nil {
				continue
			}
			of := amountOfSigned(*l.NotInDays, *l.Currency)
			for _, d := range l.Days {
				of = of.Add(amountOfSigned(*d.Difference, *l.Currency))
			}
			if of.String() != *l.Difference {
				rt.Fatalf("line %d: differences of days %s, of the line %s", l.Line, of, *l.Difference)
			}
		}
		for _, total := range s.Totals {
			all := amountOfSigned(total.Computed, total.Currency).Add(amountOfSigned(*total.Difference, total.Currency)).Add(amountOfSigned(*total.NotCompared, total.Currency))
			if all.String() != *total.Charged {
				rt.Fatalf("%+v does not add up", total)
			}
		}
	})
}

// Without an invoice there is a line for each ledger, and null for what an invoice states.
func TestNewContainerSheet(t *testing.T) {
	charges := costs(stay(), mar(20, 0), tiers(nil), tiers(func(t *freetime.Terms) { t.Clock, t.FreeDays = freetime.Detention, 30 }))
	charges.AsOf = mar(20, 0)
	s := NewContainerSheet(&charges)
	var got []string
	for _, l := range s.Lines {
		got = append(got, fmt.Sprintf("%d %s %s %s-%s charged %s computed %s %s", l.Line, or(l.ContainerID), l.Clock, or(l.From), or(l.To), or(l.Charged), or(l.Computed), or(l.ComputedCurrency)))
		for _, d := range l.Days {
			if d.Charged != nil || d.Difference != nil || d.Reason != nil || len(d.Facts) != 1 {
				t.Errorf("day %+v", d)
			}
		}
	}
	want := "1 c1 demurrage 2026-03-02-2026-03-11 charged - computed 800.00 USD\n2 c1 detention 2026-03-11-2026-03-20 charged - computed 0.00 USD"
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if first := s.Lines[0].Days; *first[0].Computed != "0.00" || *first[5].Computed != "100.00" || *first[9].Computed != "200.00" {
		t.Errorf("days %+v", first)
	}
	if s.Invoice != nil || len(s.Elements) != 0 || len(s.Facts) != 2 || len(s.Totals) != 1 || s.Totals[0].Computed != "800.00" || s.Totals[0].Charged != nil || s.TotalFault() != "" {
		t.Errorf("sheet %+v", s)
	}
	var b strings.Builder
	if err := s.WriteCSV(&b); err != nil || !strings.Contains(b.String(), "day,1,MRKU9465770,demurrage,2026-03-07,2026-03-07,,,USD,100.00,,,charged,1,tiers,off,") {
		t.Errorf("%v\n%s", err, b.String())
	}
	why := freetime.NotOpened
	nothing := NewContainerSheet(&freetime.Charges{Clocks: []freetime.ClockCharges{{Clock: freetime.Demurrage, Unknown: &why}}})
	b.Reset()
	if err := nothing.WriteCSV(&b); err != nil || !strings.Contains(b.String(), "\nline,1,,demurrage,,,,,,,,"+string(why)+",") {
		t.Errorf("%v\n%s", err, b.String())
	}
	if l := nothing.Lines[0]; l.From != nil || l.To != nil || l.Computed != nil || len(l.Days) != 0 {
		t.Errorf("an empty ledger: %+v", l)
	}
}

func amountOfSigned(text, currency string) freetime.Money {
	m := amountOf(strings.TrimPrefix(text, "-"), currency)
	if strings.HasPrefix(text, "-") {
		m, _ = freetime.NewMoney(-m.Units(), currency)
	}
	return m
}

func TestElements(t *testing.T) {
	full := `invoice_number,bill_of_lading_numbers,port_of_discharge,liability_basis,invoice_date,due_date,total,tariff_rule,contact,instructions_url,time_frames,certifies_rules,certifies_performance,container_number,clock,from,to,rate,currency,free_days,free_time_from,free_time_to,available_on,amount
I1,MAEU1,Oakland,consignee,2026-03-15,2026-04-15,300,MAEU-501 rule 4,ar@example.com,https://example.com/dispute,30 days,true,true,MRKU9465770,demurrage,2026-03-07,2026-03-08,100,USD,4,2026-03-03,2026-03-06,2026-03-02,200
,,,,,,,,,,,,,MRKU9465770,demurrage,2026-03-09,2026-03-09,,USD,,,2026-03-06,2026-03-02,100
`
	statuses := func(text string) string {
		inv, err := ReadCSV(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, e := range NewSheet(inv, nil, mar(20, 0)).Elements {
			list = append(list, strings.TrimPrefix(e.Section, "541.6")+string(e.Status)[:1]+strings.Trim(fmt.Sprint(e.Lines), "[]"))
		}
		return strings.Join(list, " ")
	}
	if got, want := statuses(full), "(a)(1)p (a)(2)p (a)(3)p (a)(4)p (b)(1)p (b)(2)p (b)(3)m2 (b)(4)m2 (b)(5)p (b)(6)p (b)(7)n (b)(8)p (c)(1)p (c)(2)p (c)(3)m2 (d)(1)p (d)(2)p (d)(3)p (e)(1)p (e)(2)p"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := statuses("container_number,clock,from,to,amount,currency\nMRKU9465770,demurrage,2026-03-07,2026-03-08,100,USD\n"), "(a)(1)m (a)(2)p (a)(3)m (a)(4)m (b)(1)m (b)(2)m (b)(3)m1 (b)(4)m1 (b)(5)m1 (b)(6)m1 (b)(7)n (b)(8)p (c)(1)m (c)(2)m (c)(3)m1 (d)(1)m (d)(2)m (d)(3)m (e)(1)m (e)(2)m"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
