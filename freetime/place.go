package freetime

import "time"

// span is the time from one moment, included, to another, excluded.
type span struct{ from, to time.Time }

func (s span) isEmpty() bool { return !s.from.Before(s.to) }

// intersect returns what two spans share.
func (s span) intersect(o span) span {
	if o.from.After(s.from) {
		s.from = o.from
	}
	if o.to.Before(s.to) {
		s.to = o.to
	}
	return s
}

// beginning and end stand for no bound: they lie outside all dates.
var (
	beginning = time.Date(-9000, 1, 1, 0, 0, 0, 0, time.UTC)
	end       = time.Date(19000, 1, 1, 0, 0, 0, 0, time.UTC)
)

// maxOffset is more than the offset of any zone from UTC, with a change of date line.
const maxOffset = 27 * time.Hour

// spansOf returns the moments at which the place has the date: mostly one span of 23, 24
// or 25 hours, none where the place skipped the date, and two where the clocks went back
// over midnight.
func spansOf(d Date, zone *time.Location) []span {
	var spans []span
	midnight := d.midnightUTC()
	last := midnight.Add(24*time.Hour + maxOffset)
	for at := midnight.Add(-maxOffset); at.Before(last); {
		local := at.In(zone)
		from, to := local.ZoneBounds() // the time for which the offset holds
		_, seconds := local.Zone()
		start := midnight.Add(-time.Duration(seconds) * time.Second)
		if to.IsZero() || !to.After(at) {
			to = end
		}
		if from.IsZero() {
			from = beginning
		}
		if s := (span{start, start.Add(24 * time.Hour)}).intersect(span{from, to}); !s.isEmpty() {
			spans = append(spans, s)
		}
		at = to
	}
	return spans
}

// maxSkipped bounds the search for the next date; no place ever skipped two in a row.
const maxSkipped = 7

// nextDate returns the date that follows d at the place, without those it skipped.
func nextDate(d Date, zone *time.Location) Date {
	for next := d + 1; next <= d+maxSkipped; next++ {
		if len(spansOf(next, zone)) > 0 {
			return next
		}
	}
	return d + 1
}
