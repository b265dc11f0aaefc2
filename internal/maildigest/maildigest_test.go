package maildigest

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

var everyDay = []time.Weekday{0, 1, 2, 3, 4, 5, 6}

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestNext(t *testing.T) {
	weekdays := []time.Weekday{1, 2, 3, 4, 5}
	for _, tt := range []struct {
		after, at string
		days      []time.Weekday
		zone      string
		want      string
	}{
		{"2026-11-27T05:59:59Z", "07:00", weekdays, "Europe/Amsterdam", "2026-11-27T06:00:00Z"},
		{"2026-11-27T06:00:00Z", "07:00", weekdays, "Europe/Amsterdam", "2026-11-30T06:00:00Z"}, // over the weekend
		{"2026-11-28T15:30:00Z", "07:00", everyDay, "Asia/Tokyo", "2026-11-28T22:00:00Z"},       // the 29th there
		{"2026-11-28T00:00:00Z", "00:00", everyDay, "Pacific/Kiritimati", "2026-11-28T10:00:00Z"},
		{"2026-03-29T00:00:00Z", "02:30", everyDay, "Europe/Amsterdam", "2026-03-29T01:00:00Z"}, // skipped by the clocks
		{"2026-10-24T22:00:00Z", "02:30", everyDay, "Europe/Amsterdam", "2026-10-25T00:30:00Z"}, // shown twice
		{"2026-10-25T00:30:00Z", "02:30", everyDay, "Europe/Amsterdam", "2026-10-26T01:30:00Z"},
		{"2026-11-28T00:00:00Z", "07:00", []time.Weekday{6}, "UTC", "2026-11-28T07:00:00Z"},
		{"2026-11-28T07:00:00Z", "07:00", []time.Weekday{6}, "UTC", "2026-12-05T07:00:00Z"},
	} {
		zone, err := time.LoadLocation(tt.zone)
		if err != nil {
			t.Fatal(err)
		}
		at, _ := ParseTime(tt.at)
		if got := Next(moment(t, tt.after), at, tt.days, zone).Format(time.RFC3339); got != tt.want {
			t.Errorf("after %s at %s in %s: %s, want %s", tt.after, tt.at, tt.zone, got, tt.want)
		}
	}
	if got := Next(time.Unix(0, 0), 0, nil, time.UTC); !got.IsZero() {
		t.Errorf("without days: %s", got)
	}
}

func TestParseTime(t *testing.T) {
	for text, want := range map[string]time.Duration{"00:00": 0, "07:05": 7*time.Hour + 5*time.Minute, "23:59": 23*time.Hour + 59*time.Minute} {
		if got, ok := ParseTime(text); !ok || got != want {
			t.Errorf("%s: %v %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "7:00", "24:00", "07:60", "07:00:00", "07.00", " 07:00"} {
		if _, ok := ParseTime(text); ok {
			t.Errorf("%q is accepted", text)
		}
	}
}

// Each day has one digest: the next one is on another day of the zone, at most two days later.
func TestOneDigestADay(t *testing.T) {
	zones := []string{"UTC", "Europe/Amsterdam", "America/Los_Angeles", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia", "America/Havana"}
	rapid.Check(t, func(t *rapid.T) {
		zone, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		at := time.Duration(rapid.IntRange(0, 24*60-1).Draw(t, "minute")) * time.Minute
		after := time.Unix(rapid.Int64Range(1_700_000_000, 1_900_000_000).Draw(t, "after"), 0)
		first := Next(after, at, everyDay, zone)
		second := Next(first, at, everyDay, zone)
		if !first.After(after) || first.Sub(after) > 27*time.Hour {
			t.Fatalf("after %s: %s", after.In(zone), first.In(zone))
		}
		if a, b := first.In(zone), second.In(zone); a.Format(time.DateOnly) == b.Format(time.DateOnly) || b.Sub(a) > 27*time.Hour {
			t.Fatalf("%s and %s", a, b)
		}
	})
}
