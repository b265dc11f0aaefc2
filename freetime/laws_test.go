package freetime

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestOracle compares the clock with a counter that has other logic.
func TestOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuestion(t)
		o := oracle{clock: q.clock, h: q.history, tariffs: slices.Clone(q.tariffs), asked: q.asked}
		if diff := cmp.Diff(o.ledger(), written(q.ledger())); diff != "" {
			t.Errorf("oracle and clock differ (-oracle +clock):\n%s", diff)
		}
	})
}

// TestTotals checks that the totals are those of the days, and that what is not known is
// null and never zero.
func TestTotals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawQuestion(t).ledger()
		units, charged, first := int64(0), 0, Date(0)
		for i, d := range l.Days {
			if (d.Kind == ChargedDay) != d.Amount.IsKnown() || (d.Kind == ChargedDay) != (d.Tier > 0) {
				t.Errorf("%s is %s at tier %d and costs %q", d.Date, d.Kind, d.Tier, d.Amount)
			}
			if i > 0 && d.Date <= l.Days[i-1].Date {
				t.Errorf("%s follows %s", d.Date, l.Days[i-1].Date)
			}
			if d.Kind == ChargedDay {
				charged++
				units += d.Amount.Units()
				if first == 0 {
					first = d.Date
				}
			}
		}
		known := l.Unknown == ""
		if known != (l.DaysCharged != nil) || known != l.Total.IsKnown() || known != l.Tomorrow.IsKnown() || known != (l.Currency != "") {
			t.Errorf("unknown for the reason %q, with the total %q, %q tomorrow, in %q", l.Unknown, l.Total, l.Tomorrow, l.Currency)
		}
		if known && (*l.DaysCharged != charged || l.Total.Units() != units || l.Total.Currency() != l.Currency || l.FirstChargedDay != first) {
			t.Errorf("%d days, %s from %s; the rows have %d days and %d units from %s", *l.DaysCharged, l.Total, l.FirstChargedDay, charged, units, first)
		}
		if !known && (charged > 0 || l.FirstChargedDay != 0) {
			t.Errorf("days are charged, and the total is not known for the reason %q", l.Unknown)
		}
	})
}

// TestOneMoreFreeDay checks that another free day never raises what is charged. The
// tariffs of the draw never become cheaper by the day.
func TestOneMoreFreeDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuestion(t)
		before := q.ledger()
		for i := range q.tariffs {
			q.tariffs[i].FreeDays++
		}
		after := q.ledger()
		if before.Unknown != after.Unknown {
			t.Fatalf("with another free day the total is unknown for %q, before for %q", after.Unknown, before.Unknown)
		}
		if after.Total.Units() > before.Total.Units() {
			t.Errorf("with another free day the total is %s, before %s", after.Total, before.Total)
		}
	})
}

// TestTimePasses checks that time alone, without another fact, neither lowers what was
// charged nor changes the days that were written, and that the next day costs what
// Tomorrow said.
func TestTimePasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuestion(t)
		q.history.Facts = q.history.known(q.asked) // none becomes known later
		before := q.ledger()
		today := DateOf(q.asked, q.history.Zone)
		for q.asked = q.asked.Add(slot); DateOf(q.asked, q.history.Zone) <= today; {
			q.asked = q.asked.Add(slot)
		}
		after := q.ledger()
		if before.Unknown != "" || after.Unknown != "" {
			return
		}
		if n := len(before.Days); n > len(after.Days) || !slices.Equal(before.Days, after.Days[:n]) {
			t.Fatalf("days changed with the time:\n%s", cmp.Diff(before.Days, after.Days, cmp.AllowUnexported(Money{})))
		}
		costs := after.Total.Units() - before.Total.Units()
		if costs < 0 {
			t.Errorf("the total fell from %s to %s", before.Total, after.Total)
		}
		if len(before.Days) > 0 && len(after.Days) <= len(before.Days)+1 && costs != before.Tomorrow.Units() {
			t.Errorf("tomorrow was to cost %s, and the total went from %s to %s", before.Tomorrow, before.Total, after.Total)
		}
	})
}

// TestOrderOfFacts checks that neither the order of facts nor that of tariffs matters,
// and that a fact given twice counts once.
func TestOrderOfFacts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuestion(t)
		for i := range q.history.Facts[1:] {
			if a, b := q.history.Facts[i], &q.history.Facts[i+1]; rapid.IntRange(0, 2).Draw(t, "same moment") == 0 {
				b.At, b.RecordedAt = a.At, a.RecordedAt
			}
		}
		want := q.ledger()
		q.history.Facts = rapid.Permutation(append(slices.Clone(q.history.Facts), q.history.Facts...)).Draw(t, "facts")
		q.tariffs = rapid.Permutation(q.tariffs).Draw(t, "order of tariffs")
		if diff := cmp.Diff(want, q.ledger(), cmp.AllowUnexported(Money{})); diff != "" {
			t.Errorf("in another order (-want +got):\n%s", diff)
		}
	})
}

// TestTotal gives the clock what nobody should, and checks that it answers. Nothing of
// it may be taken for an amount.
func TestTotal(t *testing.T) {
	moment := rapid.SampledFrom([]time.Time{{}, time.Unix(1<<62, 0), time.Unix(-1<<62, 0), beginning, end,
		time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)})
	zone := rapid.SampledFrom([]*time.Location{nil, time.UTC, zoneOf(t, "Pacific/Apia"), time.FixedZone("far", 1<<30), time.FixedZone("near", -1<<30), {}})
	number := rapid.SampledFrom([]int{0, 1, -1, 7, 366, 1 << 40, -1 << 40})
	date := rapid.SampledFrom([]Date{0, -1, 1, maxDate, maxDate + 1, 1<<31 - 1, -1 << 31, 739_676})
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuestion(t)
		for i := range q.history.Facts {
			f := &q.history.Facts[i]
			switch rapid.IntRange(0, 5).Draw(t, "what of the fact") {
			case 0:
				f.At = moment.Draw(t, "at")
			case 1:
				f.RecordedAt = moment.Draw(t, "recorded")
			case 2:
				f.Zone = zone.Draw(t, "zone of the fact")
			case 3:
				f.Date = date.Draw(t, "date")
			}
		}
		tariff := &q.tariffs[0]
		switch rapid.IntRange(0, 6).Draw(t, "what of the tariff") {
		case 0:
			*tariff = Tariff{Clock: q.clock}
		case 1:
			tariff.Weekend = []time.Weekday{0, 1, 2, 3, 4, 5, 6, 7, -1}
		case 2:
			tariff.Tiers = []Tier{{number.Draw(t, "from"), number.Draw(t, "to"), Money{1 << 62, "USD"}}}
		case 3:
			tariff.FreeDays = number.Draw(t, "free days")
		case 4:
			tariff.ValidFrom, tariff.ValidTo = date.Draw(t, "valid from"), date.Draw(t, "valid to")
		}
		switch rapid.IntRange(0, 4).Draw(t, "what of the question") {
		case 0:
			q.asked = moment.Draw(t, "asked")
		case 1:
			q.history.Zone = zone.Draw(t, "zone of the place")
		case 2:
			q.clock = "sundial"
		}
		if l := q.ledger(); (l.Unknown == "") != l.Total.IsKnown() || len(l.Days) > MaxDays+1 || l.Total.Units() < 0 {
			t.Errorf("unknown for the reason %q, total %q, %d days", l.Unknown, l.Total, len(l.Days))
		}
	})
}
