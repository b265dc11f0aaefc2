package freetime

import (
	"fmt"
	"time"
)

// A Date is a calendar date without a zone, as the number of days from 1 January of
// year 1, which is 1. Zero is no date: null where a date is not known. Dates are compared
// with the operators of Go, and d+1 follows d in the calendar.
type Date int32

// The first and the last date that a Date can be.
const (
	minDate Date = 1
	maxDate Date = 3_652_059 // 9999-12-31
)

// unixEpoch is 1970-01-01.
const unixEpoch Date = 719_163

const secondsPerDay = 24 * 60 * 60

// NewDate returns the date, or zero where the calendar has none such between the years 1
// and 9999.
func NewDate(year int, month time.Month, day int) Date {
	if year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31 {
		return 0
	}
	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day {
		return 0
	}
	// Midnights in UTC are whole days from the epoch, before it too.
	return Date(t.Unix()/secondsPerDay) + unixEpoch
}

// ParseDate reads a date of the form 2026-03-27.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err == nil {
		if d := NewDate(t.Date()); d != 0 {
			return d, nil
		}
	}
	return 0, fmt.Errorf("%q is not a date of the form 2026-03-27 between the years 1 and 9999", s)
}

// DateOf returns the date of a moment on the calendar at a place. A nil zone is UTC. It
// is zero outside the years 1 to 9999.
func DateOf(t time.Time, zone *time.Location) Date {
	if zone == nil {
		zone = time.UTC
	}
	return NewDate(t.In(zone).Date())
}

// IsValid reports whether d is a date, and not null.
func (d Date) IsValid() bool { return d >= minDate && d <= maxDate }

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return time.Weekday((int(d)%7 + 7) % 7) }

// midnightUTC is the first moment of the date in UTC.
func (d Date) midnightUTC() time.Time {
	return time.Unix(int64(d-unixEpoch)*secondsPerDay, 0).UTC()
}

// String returns the date in the form 2026-03-27, and "" for no date.
func (d Date) String() string {
	if !d.IsValid() {
		return ""
	}
	return d.midnightUTC().Format(time.DateOnly)
}

// MarshalText returns the date in the form 2026-03-27, and nothing for no date.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a date of the form 2026-03-27, and nothing as no date.
func (d *Date) UnmarshalText(text []byte) (err error) {
	*d = 0
	if len(text) > 0 {
		*d, err = ParseDate(string(text))
	}
	return err
}
