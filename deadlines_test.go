package tracking

import (
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/journey"

	"github.com/landfallhq/tracking/freight"
)

func dayOnly(date string) Moment {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err)
	}
	return Moment{Time: t, Day: true, Floating: true}
}

// A last free day is the midnight that begins it at the place, and reads as that
// day there: on the days of 23 and 25 hours, and on those that begin at one
// o'clock because the clocks go forward at midnight.
func TestEveryDayReadsAsItself(t *testing.T) {
	zones := []string{"America/Los_Angeles", "Europe/London", "America/Sao_Paulo", "Asia/Beirut", "Africa/Cairo", "Asia/Shanghai", "Pacific/Apia", "Australia/Lord_Howe"}
	late := 0
	for _, zone := range zones {
		for day := time.Date(2016, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2028; day = day.AddDate(0, 0, 1) {
			m := Moment{Time: day, Day: true, Floating: true}.Localize(zone)
			check(t, zone, localDate(m), day.Format(time.DateOnly))
			if h := m.Time.In(freight.LoadZone(zone)).Hour(); h != 0 {
				late++
				check(t, zone+" begins at "+day.Format(time.DateOnly), h, 1)
			}
		}
	}
	if late < 20 {
		t.Errorf("%d days without a midnight: the zones prove nothing", late)
	}
}

// pickup_lfd goes by who set it, pickup_lfd_earliest by the day at the place.
func TestDeadlines(t *testing.T) {
	type free struct{ day, zone string }
	rows := []struct {
		name                 string
		line, terminal, rail free
		lfd, earliest        string
	}{
		{"none", free{}, free{}, free{}, "-", "-"},
		{"the line's goes first", free{"2026-05-10", "America/Los_Angeles"}, free{"2026-05-09", "America/Los_Angeles"}, free{}, "2026-05-10T07:00", "2026-05-09T07:00"},
		{"then the terminal's", free{}, free{"2026-05-09", "America/Los_Angeles"}, free{"2026-05-08", "America/Chicago"}, "2026-05-09T07:00", "2026-05-08T05:00"},
		{"then the railway's", free{}, free{}, free{"2026-05-08", "America/Chicago"}, "2026-05-08T05:00", "2026-05-08T05:00"},
		{"before the clocks go forward", free{"2026-03-09", "America/Los_Angeles"}, free{"2026-03-08", "America/Los_Angeles"}, free{}, "2026-03-09T07:00", "2026-03-08T08:00"},
		{"before they go back", free{"2026-11-02", "America/Los_Angeles"}, free{"2026-11-01", "America/Los_Angeles"}, free{}, "2026-11-02T08:00", "2026-11-01T07:00"},
		{"in London in spring", free{"2026-03-30", "Europe/London"}, free{"2026-03-29", "Europe/London"}, free{}, "2026-03-29T23:00", "2026-03-29T00:00"},
		{"in London in autumn", free{"2026-10-26", "Europe/London"}, free{"2026-10-25", "Europe/London"}, free{}, "2026-10-26T00:00", "2026-10-24T23:00"},
		{"no midnight in Beirut", free{"2026-03-30", "Asia/Beirut"}, free{"2026-03-29", "Asia/Beirut"}, free{}, "2026-03-29T21:00", "2026-03-28T22:00"},
		{"no midnight in Cairo", free{"2026-04-25", "Africa/Cairo"}, free{"2026-04-24", "Africa/Cairo"}, free{}, "2026-04-24T21:00", "2026-04-23T22:00"},
		{"no midnight in Sao Paulo", free{"2018-11-05", "America/Sao_Paulo"}, free{"2018-11-04", "America/Sao_Paulo"}, free{}, "2018-11-05T02:00", "2018-11-04T03:00"},
		{"one day in two zones is no earlier in the east", free{"2026-05-10", "America/Los_Angeles"}, free{"2026-05-10", "America/New_York"}, free{}, "2026-05-10T07:00", "2026-05-10T07:00"},
		{"a later instant of an earlier day", free{"2026-05-11", "Asia/Shanghai"}, free{"2026-05-10", "America/Los_Angeles"}, free{}, "2026-05-10T16:00", "2026-05-10T07:00"},
		{"the instant in the east comes first, and the day does not", free{"2026-05-11", "Pacific/Kiritimati"}, free{"2026-05-10", "Pacific/Pago_Pago"}, free{}, "2026-05-10T10:00", "2026-05-10T11:00"},
	}
	moment := func(f free) Moment {
		if f.day == "" {
			return Moment{}
		}
		return dayOnly(f.day).Localize(f.zone)
	}
	show := func(at time.Time) string {
		if at.IsZero() {
			return "-"
		}
		return at.Format("2006-01-02T15:04")
	}
	for _, row := range rows {
		var c Container
		c.setDeadlines(&journey.ContainerJourney{LFDLine: moment(row.line), LFDTerminal: moment(row.terminal), LFDRail: moment(row.rail)})
		check(t, row.name+": pickup_lfd", show(c.PickupLFD), row.lfd)
		check(t, row.name+": earliest", show(c.PickupLFDEarliest), row.earliest)
	}
	// The terminal gave an hour: it is the same day as the line's midnight, which
	// goes first.
	var c Container
	hour := Moment{Time: time.Date(2026, 3, 8, 23, 30, 0, 0, time.UTC), Floating: true}.Localize("America/Los_Angeles")
	c.setDeadlines(&journey.ContainerJourney{LFDLine: moment(free{"2026-03-08", "America/Los_Angeles"}), LFDTerminal: hour})
	check(t, "an hour of the same day", show(c.PickupLFDEarliest), "2026-03-08T08:00")
	c.setDeadlines(&journey.ContainerJourney{LFDLine: moment(free{"2026-03-09", "America/Los_Angeles"}), LFDTerminal: hour})
	check(t, "an hour of the day before", show(c.PickupLFDEarliest), "2026-03-09T06:30")
}

func check[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
