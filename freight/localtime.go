package freight

import (
	"sync"
	"time"
)

// loadedZones caches zones: a zone never changes while the program runs, and loading one
// reads a file. Only names of the tz database are stored, so it stays small.
var loadedZones sync.Map // string -> *time.Location

// LoadZone returns the zone of an IANA name, or nil when there is none. "Local" is refused,
// because results would depend on the machine.
func LoadZone(name string) *time.Location {
	if name == "" || name == "Local" {
		return nil
	}
	if loc, ok := loadedZones.Load(name); ok {
		return loc.(*time.Location)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	loadedZones.Store(name, loc)
	return loc
}

// Times outside these years are errors in the data, and JSON has no form for some of them.
const firstYear, lastYear = 1950, 9990

// plausible reports whether a time can be that of a move.
func plausible(t time.Time) bool { return t.Year() >= firstYear && t.Year() <= lastYear }

// Localize returns the moment in the IANA zone of its place, or "" for an unknown zone. A
// wall clock becomes an instant, a date the midnight that begins it at the place. Without a
// known zone the one of the source is kept, if it gave one; else the zone stays unknown. A
// zero moment, or one with an implausible year, becomes the zero moment.
func (m Moment) Localize(zone string) Moment {
	if m.IsZero() || !plausible(m.Time) {
		return Moment{}
	}
	m.Time = m.Time.UTC().Round(0)
	given := LoadZone(m.Zone)
	loc := LoadZone(zone)
	if loc == nil {
		loc, zone = given, m.Zone
	}
	if loc == nil {
		m.Zone = ""
		if m.Day {
			m.Time, m.Floating = midnight(m.Time, time.UTC), true
		}
		return m
	}
	switch {
	case m.Day:
		m.Time = midnight(dayOf(m, given, loc), loc)
	case m.Floating:
		m.Time = wallClock(m.Time, loc)
	}
	m.Zone, m.Floating = zone, false
	return m
}

// dayOf returns the date that a source meant. A bare date has midnight UTC; the midnight of
// another zone is an instant, and is a date only in that zone.
func dayOf(m Moment, given, loc *time.Location) time.Time {
	switch h, min, s := m.Time.Clock(); {
	case m.Floating:
		return m.Time
	case given != nil:
		return m.Time.In(given)
	case h == 0 && min == 0 && s == 0:
		return m.Time
	}
	return m.Time.In(loc)
}

// midnight returns the beginning of the date of t at loc, in UTC. Where the clocks go
// forward at midnight the day begins an hour later.
func midnight(t time.Time, loc *time.Location) time.Time {
	y, m, d := t.Date()
	begin := time.Date(y, m, d, 0, 0, 0, 0, loc)
	if begin.Day() != d {
		begin = begin.Add(time.Hour)
	}
	return begin.UTC()
}

func wallClock(t time.Time, loc *time.Location) time.Time {
	y, m, d := t.Date()
	h, min, s := t.Clock()
	return time.Date(y, m, d, h, min, s, t.Nanosecond(), loc).UTC()
}

// Compare returns -1 if m is certainly before o, 1 if it is certainly after o, else 0. A
// date covers its whole day, and a wall clock of an unknown zone can be off by up to 14
// hours.
func (m Moment) Compare(o Moment) int {
	slack := max(m.Length(), o.Length())
	if m.Floating || o.Floating {
		slack += 14 * time.Hour
	}
	switch {
	case m.Time.Add(slack).Before(o.Time):
		return -1
	case o.Time.Add(slack).Before(m.Time):
		return 1
	}
	return 0
}

// Covers reports whether m is a date, and exact a time on that day. A later message with
// only the date does not correct the time.
func (m Moment) Covers(exact Moment) bool {
	return m.Day && !exact.Day && !exact.IsZero() && m.Floating == exact.Floating &&
		!exact.Time.Before(m.Time) && !exact.Time.After(m.Time.Add(m.Length()))
}

// Length returns the precision of the moment: 0 for a time, the rest of the day for a date.
// A day has 25 hours where the clocks go back.
func (m Moment) Length() time.Duration {
	loc := LoadZone(m.Zone)
	switch {
	case !m.Day:
		return 0
	case loc == nil:
		return 24*time.Hour - 1
	}
	return midnight(m.Time.In(loc).AddDate(0, 0, 1), loc).Sub(m.Time) - 1
}
