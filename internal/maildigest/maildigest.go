// Package maildigest says when the next digest of a user is due: at a time of the day, on some
// days of the week, in the zone of the user. Pure.
package maildigest

import (
	"slices"
	"time"
)

// ParseTime reads a time of the day, such as 07:00, as the duration since midnight.
func ParseTime(text string) (time.Duration, bool) {
	t, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return 0, false
	}
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, true
}

// Next returns the first time after a moment that is at a time of the day, on one of some days,
// in a zone. A time that the clocks of the zone skip is the first one after the gap; of a time
// that they show twice it is the first. The zero time if there are no days.
func Next(after time.Time, at time.Duration, days []time.Weekday, zone *time.Location) time.Time {
	local := after.In(zone)
	for day := range 9 { // a week, and the days around it
		noon := time.Date(local.Year(), local.Month(), local.Day()+day-1, 12, 0, 0, 0, zone)
		if !slices.Contains(days, noon.Weekday()) {
			continue
		}
		if due := On(noon, at); due.After(after) {
			return due.UTC()
		}
	}
	return time.Time{}
}

// On is the moment at which the clocks of a zone show a time of the day, on the day of a moment in
// that zone.
func On(day time.Time, at time.Duration) time.Time {
	year, month, date := day.Date()
	due := time.Date(year, month, date, 0, int(at/time.Minute), 0, 0, day.Location())
	if shown := time.Duration(due.Hour())*time.Hour + time.Duration(due.Minute())*time.Minute; due.Day() == date && shown == at {
		// time.Date does not say which of two equal times it returns.
		if earlier := due.Add(-time.Hour); earlier.Day() == date && earlier.Hour() == due.Hour() && earlier.Minute() == due.Minute() {
			return earlier
		}
		return due
	}
	return gapEnd(due)
}

// gapEnd is the moment at which the offset of a zone last changed, around a moment next to it.
func gapEnd(near time.Time) time.Time {
	from, to := near.Add(-3*time.Hour), near.Add(3*time.Hour)
	_, before := from.Zone()
	for to.Sub(from) > time.Second {
		middle := from.Add(to.Sub(from) / 2)
		if _, offset := middle.Zone(); offset == before {
			from = middle
		} else {
			to = middle
		}
	}
	return to.Truncate(time.Second)
}
