package factlog

import (
	"iter"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/store"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// log is a log of facts, as the root keeps it.
type log struct {
	ids   []store.ID
	facts []journey.LoggedFact
}

func (l *log) all() iter.Seq2[store.ID, *journey.LoggedFact] {
	return func(yield func(store.ID, *journey.LoggedFact) bool) {
		for i := range l.facts {
			if !yield(l.ids[i], &l.facts[i]) {
				return
			}
		}
	}
}

// report adds estimates without a time of recording, one for each letter, and returns how
// many are new.
func (l *log) report(estimates string, arrived time.Time) (fresh int) {
	facts := estimatesOf(estimates)
	for i, id := range Identify(facts, l.all(), arrived) {
		if !slices.Contains(l.ids, id) {
			fresh++
			facts[i].Arrival = int64(len(l.ids) + 1)
			l.ids, l.facts = append(l.ids, id), append(l.facts, facts[i])
		}
	}
	return fresh
}

// estimatesOf returns estimates of one arrival; each letter is a day.
func estimatesOf(days string) (facts []journey.LoggedFact) {
	r := freight.Report{Source: "line", SCAC: "MAEU"}
	for _, day := range days {
		facts = append(facts, New(freight.Fact{
			Activity: freight.Arrival, Classifier: freight.Estimated, At: freight.Moment{Time: noon.AddDate(0, 0, int(day-'a'))},
			Place: freight.Place{LOCODE: "us lax"}, Numbers: []freight.ShipmentNumber{{Type: freight.BillOfLading, Number: "B1"}},
		}, &r))
	}
	return facts
}

// values returns the days of the log in the order in which they were recorded.
func (l *log) values() string {
	list := slices.Clone(l.facts)
	slices.SortStableFunc(list, func(a, b journey.LoggedFact) int { return a.RecordedAt.Compare(b.RecordedAt) })
	var days []rune
	for _, f := range list {
		days = append(days, 'a'+rune(f.At.Time.Sub(noon)/(24*time.Hour)))
	}
	return string(days)
}

func TestReportedAgain(t *testing.T) {
	for _, tt := range []struct {
		name    string
		reports []string
		want    string
	}{
		{"the same value", []string{"a", "a"}, "a"},
		{"back to an earlier value", []string{"a", "b", "a"}, "aba"},
		{"the whole list", []string{"ab", "ab"}, "ab"},
		{"the whole list and more", []string{"aba", "abab"}, "abab"},
		{"the end of the list", []string{"abc", "bcd"}, "abcd"},
		{"one value several times", []string{"aab", "aab"}, "ab"},
		{"a list that begins elsewhere", []string{"abc", "ab"}, "abcab"},
	} {
		l, at := &log{}, noon
		for _, r := range tt.reports {
			l.report(r, at)
			at = at.Add(time.Minute)
		}
		if got := l.values(); got != tt.want {
			t.Errorf("%s: the log has %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestLaws: a report that is repeated adds nothing, even if the clock was set back, and
// the value that was reported last is the one recorded last.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &log{}
		reports := rapid.SliceOfN(rapid.StringMatching(`[a-c]{1,5}`), 1, 6).Draw(t, "reports")
		for _, r := range reports {
			l.report(r, noon.Add(time.Duration(rapid.IntRange(-60, 60).Draw(t, "seconds"))*time.Second))
			if n := l.report(r, noon); n != 0 {
				t.Fatalf("the repetition of %q added %d facts to %q", r, n, l.values())
			}
			if got := l.values(); got[len(got)-1] != r[len(r)-1] {
				t.Fatalf("after %q the log is %q", r, got)
			}
		}
	})
}

// TestOverlap compares overlap with a search of each length.
func TestOverlap(t *testing.T) {
	of := func(days string) (list []assertion) {
		for _, f := range estimatesOf(days) {
			list = append(list, assertionOf(store.ID{}, &f))
		}
		return list
	}
	rapid.Check(t, func(t *rapid.T) {
		known, list := rapid.StringMatching(`[ab]{0,8}`).Draw(t, "known"), rapid.StringMatching(`[ab]{1,8}`).Draw(t, "list")
		want := 0
		for n := range min(len(known), len(list)) + 1 {
			if known[len(known)-n:] == list[:n] {
				want = n
			}
		}
		if got := overlap(of(known), of(list)); got != want {
			t.Errorf("%q begins with the last %d of %q, want %d", list, got, known, want)
		}
	})
}

// TestRetraction: a fact after a retraction is recorded after it, because a retraction
// covers what was recorded at the same time.
func TestRetraction(t *testing.T) {
	facts := estimatesOf("aba")
	for i := range facts {
		facts[i].ID, facts[i].Retracted = "1", i == 1
	}
	ids := Identify(facts, (&log{}).all(), noon)
	if !facts[2].RecordedAt.After(facts[1].RecordedAt) || ids[2] == ids[0] {
		t.Errorf("recorded at %v and %v", facts[1].RecordedAt, facts[2].RecordedAt)
	}
}

// TestIDs: IDs of facts are stored, so they never change.
func TestIDs(t *testing.T) {
	f := estimatesOf("a")[0]
	for recorded, want := range map[time.Time]string{
		{}: "bc1d540a-fefd-5f80-8fdc-939f0605c66c", noon: "1279c728-b7d3-5ec1-afff-48ef2a152bf4",
	} {
		if got := ID(&f, recorded).String(); got != want {
			t.Errorf("recorded at %v: %s, want %s", recorded, got, want)
		}
	}
	if f.Place.LOCODE != "USLAX" || f.DataSource != freight.FromShippingLine || f.SCAC != "MAEU" || f.Source != "line" {
		t.Errorf("completed to %+v", f)
	}
}
