package correction_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/correction"
)

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestOtherMoment(t *testing.T) {
	noon := freight.Moment{Time: at("2026-02-01T12:00:00Z"), Zone: "Asia/Shanghai"}
	day := freight.Moment{Time: at("2026-01-31T16:00:00Z"), Zone: "Asia/Shanghai", Day: true}
	for _, row := range []struct {
		name  string
		a, b  freight.Moment
		other bool
	}{
		{"not known", freight.Moment{}, noon, false},
		{"the same", noon, noon, false},
		{"within a minute", noon, freight.Moment{Time: noon.Time.Add(time.Minute), Zone: noon.Zone}, false},
		{"more than a minute", noon, freight.Moment{Time: noon.Time.Add(61 * time.Second), Zone: noon.Zone}, true},
		{"a day and a time in it", day, noon, false},
		{"a day and a time of the next", day, freight.Moment{Time: noon.Time.Add(24 * time.Hour), Zone: noon.Zone}, true},
		{"two days", day, freight.Moment{Time: day.Time.Add(24 * time.Hour), Zone: day.Zone, Day: true}, true},
		{"the zone becomes known", freight.Moment{Time: at("2026-02-01T20:00:00Z")}, noon, false},
		{"the zone becomes known, with another local time", freight.Moment{Time: at("2026-02-01T12:00:30Z")}, freight.Moment{Time: at("2026-02-01T14:00:00Z"), Zone: "Asia/Shanghai"}, true},
	} {
		if correction.OtherMoment(row.a, row.b) != row.other || correction.OtherMoment(row.b, row.a) != row.other {
			t.Errorf("%s: want %t", row.name, row.other)
		}
	}
}

func TestCompletedBy(t *testing.T) {
	announced := correction.Values{Timestamp: at("2026-01-31T16:00:00Z"), Timezone: "Asia/Shanghai", DayOnly: true}
	now := correction.Values{Timestamp: at("2026-02-01T12:00:00Z"), Timezone: "Asia/Shanghai", Voyage: "214E"}
	if got := announced.CompletedBy(now); got != now {
		t.Errorf("completed: %+v", got)
	}
	now.Timestamp, now.Voyage = at("2026-02-01T13:00:00Z"), "215E"
	announced = correction.Values{Timestamp: at("2026-02-01T12:00:00Z"), Timezone: "Asia/Shanghai", Voyage: "214E"}
	if got := announced.CompletedBy(now); got != announced {
		t.Errorf("values that were announced become %+v", got)
	}
}

// event returns an event at an hour. Its location, fact and record stand for a place, a
// fact and a visit.
func event(name freight.EventName, place, fact, visit string, hour int) *correction.Event {
	return &correction.Event{
		ID: id(visit), Name: name, Location: id(place), Fact: id(fact),
		Values: correction.Values{Timestamp: at("2026-02-01T00:00:00Z").Add(time.Duration(hour) * time.Hour)},
	}
}

var rules = correction.Rules{
	SameContent: func(old, e *correction.Event) bool {
		return old.Location == e.Location && old.Timestamp.Equal(e.Timestamp)
	},
	SameVisit:   func(old, e *correction.Event) bool { return old.ID == e.ID },
	SameFact:    func(old, e *correction.Event) bool { return old.Fact == e.Fact },
	SamePlace:   func(old, e *correction.Event) bool { return old.Location == e.Location },
	Interrupted: func(old, e *correction.Event) bool { return old.Timestamp.Hour() < 10 && e.Timestamp.Hour() > 10 },
}

// TestPair: of the former events, the one that the last continues by the rules.
func TestPair(t *testing.T) {
	for _, row := range []struct {
		name string
		was  []*correction.Event
		is   *correction.Event
		want int // -1 for none
	}{
		{"the same content, before the same visit",
			[]*correction.Event{event(freight.FullOut, "A", "1", "1", 4), event(freight.FullOut, "A", "2", "2", 5)}, event(freight.FullOut, "A", "1", "1", 5), 1},
		{"the same fact, before the same place",
			[]*correction.Event{event(freight.FullOut, "A", "1", "1", 4), event(freight.FullOut, "B", "2", "2", 5)}, event(freight.FullOut, "A", "2", "3", 6), 1},
		{"another name for the same activity at the place",
			[]*correction.Event{event(freight.TransshipmentArrived, "A", "1", "1", 4)}, event(freight.VesselArrived, "A", "2", "2", 5), 0},
		{"another activity at the place",
			[]*correction.Event{event(freight.VesselDischarged, "A", "1", "1", 4)}, event(freight.VesselArrived, "A", "2", "2", 5), -1},
		{"the same event at another place, the nearest in time",
			[]*correction.Event{event(freight.FullOut, "A", "1", "1", 1), event(freight.FullOut, "B", "2", "2", 8)}, event(freight.FullOut, "C", "3", "3", 6), 1},
		{"a change of availability to the same value",
			[]*correction.Event{event(freight.Available, "A", "1", "1", 1)}, event(freight.Available, "A", "2", "2", 3), 0},
		{"a change of availability after one to another value",
			[]*correction.Event{event(freight.Available, "A", "1", "1", 1)}, event(freight.Available, "A", "1", "2", 12), -1},
		{"a change of availability to another value, from the same fact",
			[]*correction.Event{event(freight.NotAvailable, "A", "1", "1", 1)}, event(freight.Available, "A", "1", "1", 1), -1},
	} {
		p := rules.Pair(row.was, []*correction.Event{row.is})
		if got := slices.Index(row.was, p.By[row.is]); got != row.want {
			t.Errorf("%s: it continues %d, want %d", row.name, got, row.want)
		}
	}
}

// TestPairsAreDistinct: an event continues at most one other and is continued by at most
// one. An event that stays as it was continues itself.
func TestPairsAreDistinct(t *testing.T) {
	names := []freight.EventName{freight.FullOut, freight.VesselArrived, freight.TransshipmentArrived, freight.Available, freight.NotAvailable}
	text := rapid.SampledFrom([]string{"1", "2", "3"})
	draw := rapid.Custom(func(r *rapid.T) *correction.Event {
		return event(rapid.SampledFrom(names).Draw(r, "name"), text.Draw(r, "place"), text.Draw(r, "fact"), text.Draw(r, "visit"), rapid.IntRange(0, 20).Draw(r, "hour"))
	})
	rapid.Check(t, func(r *rapid.T) {
		was, is := rapid.SliceOfN(draw, 0, 6).Draw(r, "was"), rapid.SliceOfN(draw, 0, 6).Draw(r, "is")
		p := rules.Pair(was, is)
		if len(p.Of) != len(p.By) {
			r.Fatalf("%d events are continued by %d", len(p.Of), len(p.By))
		}
		for e, old := range p.By {
			if p.Of[old] != e || !slices.Contains(was, old) || !slices.Contains(is, e) {
				r.Fatalf("%v continues %v, which is continued by %v", e, old, p.Of[old])
			}
			if (old.Name == freight.Available) != (e.Name == freight.Available) {
				r.Fatalf("%v continues %v", e, old)
			}
		}
		again := rules.Pair(was, was)
		for _, e := range was {
			if other := again.By[e]; other == nil || other.Name != e.Name || other.Location != e.Location || other.Values != e.Values {
				r.Fatalf("%v continues %v", e, again.By[e])
			}
		}
	})
}
