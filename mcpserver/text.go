package mcpserver

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
)

// maxText bounds a text that others wrote, in characters.
const maxText = 500

// clean makes a text of others fit for one line of an answer: line breaks and runs of blanks
// become one blank, invisible and control characters, which can hide instructions or turn a
// line around, are left out, and it is cut to maxText characters.
func clean(s string) string {
	var out strings.Builder
	blank, n := false, 0
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			blank = out.Len() > 0
			continue
		case r == unicode.ReplacementChar, !unicode.IsGraphic(r), unicode.Is(unicode.Variation_Selector, r):
			continue
		}
		if n == maxText {
			return out.String() + "…"
		}
		if blank {
			out.WriteByte(' ')
			blank = false
			n++
		}
		out.WriteRune(r)
		n++
	}
	return out.String()
}

// cleanAll cleans all texts in a value of JSON.
func cleanAll(v any) any {
	switch v := v.(type) {
	case string:
		return clean(v)
	case []any:
		for i := range v {
			v[i] = cleanAll(v[i])
		}
		return v
	case map[string]any:
		for name := range v {
			v[name] = cleanAll(v[name])
		}
		return v
	}
	return v
}

// quote puts a text of others in quotation marks that it does not have itself.
func quote(s string) string {
	return "“" + strings.NewReplacer("“", "'", "”", "'").Replace(clean(s)) + "”"
}

// quoteOr is quote, or another phrase for an empty text.
func quoteOr(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return quote(s)
}

// reader is who reads an answer: the moment, the time zone and the units.
type reader struct {
	now      time.Time
	zone     *time.Location // nil for the zone of each place
	imperial bool
}

// at writes a time in the zone of the reader, else in that of the place. Without either it is
// UTC, and said to be perhaps local: carriers report local times without their zone.
func (r *reader) at(t time.Time, zone string) string {
	const form = "Mon 2 Jan 2006 15:04"
	if t.IsZero() {
		return "an unknown time"
	}
	place, err := time.LoadLocation(zone)
	known := zone != "" && err == nil
	switch {
	case r.zone != nil && known:
		return t.In(r.zone).Format(form + " MST")
	case known:
		return t.In(place).Format(form + " MST")
	}
	return t.UTC().Format(form) + " UTC (zone of the place not known: perhaps local time)"
}

// exact writes a time that is known to be right, such as that of a statement.
func (r *reader) exact(t time.Time) string {
	return r.at(t, "UTC")
}

// day writes a date of a calendar.
func day(t time.Time) string { return t.Format("Mon 2 Jan 2006") }

// dayAt writes the day of a time at a place; ok is false without the zone of the place.
func dayAt(t time.Time, zone string) (date time.Time, ok bool) {
	place, err := time.LoadLocation(zone)
	if zone == "" || err != nil || t.IsZero() {
		return time.Time{}, false
	}
	y, m, d := t.In(place).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC), true
}

// ago says how old something is.
func (r *reader) ago(t time.Time) string {
	if t.IsZero() {
		return "at an unknown time"
	}
	d := r.now.Sub(t)
	if d < 0 {
		return "in " + span(-d)
	}
	if d < time.Minute {
		return "just now"
	}
	return span(d) + " ago"
}

// span writes a duration in its largest unit.
func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < 2*time.Hour:
		return plural(int(d.Minutes()), "minute")
	case d < 48*time.Hour:
		return plural(int(d.Hours()), "hour")
	}
	return plural(int(d.Hours()/24), "day")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// verb writes a verb for n things: 1 value contradicts, 2 values contradict.
func verb(n int, plain string) string {
	if n == 1 {
		return plain + "s"
	}
	return plain
}

// lbsPerKg is exact by definition: a pound is 0.45359237 kg.
const lbsPerKg = 1 / 0.45359237

// weight writes a weight in pounds in the units of the reader.
func (r *reader) weight(lbs float64) string {
	if r.imperial {
		return fmt.Sprintf("%.0f lb", math.Round(lbs))
	}
	return fmt.Sprintf("%.0f kg", math.Round(lbs/lbsPerKg))
}

// listed joins texts as a sentence does.
func listed(list []string) string {
	switch n := len(list); n {
	case 0:
		return ""
	case 1:
		return list[0]
	default:
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
}
