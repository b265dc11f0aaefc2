package fieldtype

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/landfallhq/tracking/freight"
)

// Days and times outside these years are typing errors.
const firstYear, lastYear = 1900, 2199

// dateField has the rules earliest and latest. A day is its midnight, UTC.
type dateField struct {
	earliest, latest *time.Time
	format           timeFormat
}

func newDateField(r *ruleReader) codec {
	f := dateField{format: parseTimeFormat(r, "%Y-%m-%d")}
	if f.format.zone != nil {
		r.fail("default_format", "invalid", "A date has no zone: leave out ;zone=")
	}
	if f.format.clock {
		r.fail("default_format", "invalid", "A date has no time of day: leave out %%H, %%I, %%M, %%S, %%p, %%Z and %%z")
	}
	f.earliest, f.latest = timeLimits(r, f)
	return fieldCodec[time.Time]{f}
}

// timeLimits reads the rules earliest and latest.
func timeLimits(r *ruleReader, f field[time.Time]) (earliest, latest *time.Time) {
	earliest, latest = limit(r, "earliest", f), limit(r, "latest", f)
	if earliest != nil && latest != nil && earliest.After(*latest) {
		r.fail("validation.latest", "out_of_range", "Latest must not be before earliest")
	}
	return earliest, latest
}

// dateForms are the unambiguous forms of days.
var dateForms = []string{"2006-01-02", "2006/01/02", "20060102", "2 Jan 2006", "2 January 2006", "2-Jan-2006"}

func (f dateField) parse(raw json.RawMessage) (time.Time, *Error) {
	text, fault := decodeString(raw, "a date such as \"2026-03-01\"")
	if fault != nil {
		return time.Time{}, fault
	}
	return f.parseText(text)
}

// parseText tries the stored form first, so that a value can be sent back as it was
// read, whatever the format. The format of the definition is next.
func (f dateField) parseText(text string) (time.Time, *Error) {
	text = strings.TrimSpace(text)
	for _, form := range append([]string{dateForms[0], f.format.layout}, dateForms[1:]...) {
		if form == "" {
			continue
		}
		if day, err := time.Parse(form, text); err == nil {
			return checkYear(day)
		}
	}
	return time.Time{}, valueError("invalid", "Value must be a day that exists, such as 2026-03-01")
}

func checkYear(t time.Time) (time.Time, *Error) {
	if y := t.Year(); y < firstYear || y > lastYear {
		return time.Time{}, valueError("out_of_range", "Value must be in the years %d to %d", firstYear, lastYear)
	}
	return t, nil
}

func (f dateField) check(day time.Time, _ Lookup) error {
	return checkTime(day, f.earliest, f.latest, time.DateOnly)
}

func checkTime(t time.Time, earliest, latest *time.Time, layout string) error {
	switch {
	case earliest != nil && t.Before(*earliest):
		return valueError("out_of_range", "Value must not be before %s", earliest.Format(layout))
	case latest != nil && t.After(*latest):
		return valueError("out_of_range", "Value must not be after %s", latest.Format(layout))
	}
	return nil
}

func (dateField) empty(time.Time) bool { return false }
func (dateField) store(day time.Time) json.RawMessage {
	return encodeString(day.Format(time.DateOnly))
}
func (dateField) keys(day time.Time) []string { return []string{day.Format(time.DateOnly)} }
func (f dateField) show(day time.Time, _ Lookup) (string, error) {
	return f.format.show(day), nil
}

// datetimeField has the rules earliest and latest. An instant is in UTC, to the
// microsecond.
type datetimeField struct {
	earliest, latest *time.Time
	format           timeFormat
}

func newDatetimeField(r *ruleReader) codec {
	f := datetimeField{format: parseTimeFormat(r, "%Y-%m-%d %H:%M:%S")}
	if f.format.zone == nil {
		f.format.zone = time.UTC
	}
	f.earliest, f.latest = timeLimits(r, f)
	return fieldCodec[time.Time]{f}
}

// datetimeForms are the forms of times, those with an offset first. A time without an
// offset is local to the zone of the format, or UTC.
var datetimeForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04Z07:00",
	"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02",
}

// namedZone splits a zone by name off a time: "2026-03-01 08:00 Europe/Berlin",
// "2026-03-01T08:00[Europe/Berlin]".
var namedZone = regexp.MustCompile(`^(.*?)(?: +([A-Za-z][A-Za-z0-9_+/-]*)| *\[([^\]]*)\])$`)

func (f datetimeField) parse(raw json.RawMessage) (time.Time, *Error) {
	text, fault := decodeString(raw, "a time such as \"2026-03-01T08:00:00Z\"")
	if fault != nil {
		return time.Time{}, fault
	}
	return f.parseText(text)
}

func (f datetimeField) parseText(text string) (time.Time, *Error) {
	text = strings.TrimSpace(text)
	if len(text) > maxFormat {
		return time.Time{}, valueError("too_long", "Value is longer than any time, which has at most %d characters", maxFormat)
	}
	if f.format.layout != "" {
		if at, err := time.ParseInLocation(f.format.layout, text, f.format.zone); err == nil {
			return checkInstant(at)
		}
	}
	zone := f.format.zone
	if parts := namedZone.FindStringSubmatch(text); parts != nil {
		name := parts[2] + parts[3]
		if zone = freight.LoadZone(name); zone == nil {
			return time.Time{}, valueError("unknown_zone", "'%s' is no zone of the tz database; one is Europe/Berlin", name)
		}
		text = parts[1]
	}
	for _, form := range datetimeForms {
		if at, err := time.ParseInLocation(form, text, zone); err == nil {
			return checkInstant(at)
		}
	}
	return time.Time{}, valueError("invalid", "Value must be a time that exists, such as 2026-03-01T08:00:00Z or 2026-03-01T08:00:00+01:00")
}

func checkInstant(at time.Time) (time.Time, *Error) {
	at = at.UTC()
	if at.Nanosecond()%int(time.Microsecond) != 0 {
		return time.Time{}, valueError("scale", "Value must have at most 6 digits after the point of its seconds")
	}
	return checkYear(at)
}

func (f datetimeField) check(at time.Time, _ Lookup) error {
	return checkTime(at, f.earliest, f.latest, time.RFC3339)
}

func (datetimeField) empty(time.Time) bool { return false }
func (datetimeField) store(at time.Time) json.RawMessage {
	return encodeString(at.Format(time.RFC3339Nano))
}

// keys have all six digits, because "Z" sorts after digits.
func (datetimeField) keys(at time.Time) []string {
	return []string{at.Format("2006-01-02T15:04:05.000000Z")}
}
func (f datetimeField) show(at time.Time, _ Lookup) (string, error) {
	return f.format.show(at.In(f.format.zone)), nil
}

// timeFormat displays days and times: text with the directives of strftime, and a time
// zone, as in
//
//	%d %b %Y %H:%M %Z;zone=America/New_York
//
// The directives are those of timeDirectives, and %% for a percent sign. A zone
// alone keeps the default form.
type timeFormat struct {
	parts []timePart
	zone  *time.Location // nil: none given
	clock bool           // it shows the time of day
	// layout parses what the format shows; empty if that is ambiguous.
	layout string
}

// timePart is the layout of a directive, or literal text.
type timePart struct {
	layout, text string
}

// timeDirectives are the directives with the layouts of package time.
var timeDirectives = map[byte]string{
	'Y': "2006", 'y': "06", 'm': "01", 'b': "Jan", 'B': "January", 'd': "02", 'e': "2", 'j': "002", 'a': "Mon", 'A': "Monday",
	'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM", 'Z': "MST", 'z': "-0700",
}

const clockDirectives = "HIMSpZz"

func parseTimeFormat(r *ruleReader, usual string) (f timeFormat) {
	text, zone, zoned := strings.Cut(r.spec.DefaultFormat, ";zone=")
	if zoned {
		if f.zone = freight.LoadZone(zone); f.zone == nil {
			r.fail("default_format", "unknown_zone", "'%s' is no zone of the tz database; one is ;zone=Europe/Berlin", zone)
		}
	}
	given := text != ""
	if !given {
		text = usual
	}
	readable, directives := given, ""
	for text != "" {
		before, rest, found := strings.Cut(text, "%")
		if before != "" {
			f.parts = append(f.parts, timePart{text: before})
			readable = readable && !strings.ContainsFunc(before, inLayouts)
		}
		if !found {
			break
		}
		if rest == "" {
			r.fail("default_format", "invalid", "The format ends in a lone %%")
			break
		}
		switch layout, ok := timeDirectives[rest[0]]; {
		case ok:
			f.parts = append(f.parts, timePart{layout: layout})
			f.clock = f.clock || strings.IndexByte(clockDirectives, rest[0]) >= 0
			directives += rest[:1]
		case rest[0] == '%':
			f.parts, readable = append(f.parts, timePart{text: "%"}), false
		default:
			r.fail("default_format", "invalid", "The format has no directive %%%s; there are %%Y %%y %%m %%b %%B %%d %%e %%j %%a %%A %%H %%I %%M %%S %%p %%Z %%z and %%%%", firstRune(rest))
		}
		text = rest[1:]
	}
	if given && directives == "" {
		r.fail("default_format", "invalid", "The format shows nothing of the value: use directives such as %%Y-%%m-%%d")
	}
	if readable && f.whole(directives) {
		for _, p := range f.parts {
			f.layout += p.layout + p.text
		}
		if !f.readsBack() {
			f.layout = ""
		}
	}
	return f
}

// inLayouts reports whether a character could be part of a directive of package time.
func inLayouts(c rune) bool {
	return c == '_' || c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c))
}

// readsBack reports whether package time reads what the format shows. It takes a point
// between seconds and digits for the beginning of a fraction.
func (f timeFormat) readsBack() bool {
	at := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	if f.clock {
		at = at.Add(16*time.Hour + 5*time.Minute)
	}
	read, err := time.Parse(f.layout, strings.TrimSpace(f.show(at)))
	return err == nil && read.Equal(at)
}

// whole reports whether the directives determine the day, and the time of day if they
// show any of it. The name of a zone does not determine its offset.
func (f timeFormat) whole(directives string) bool {
	any := func(set string) bool { return strings.ContainsAny(directives, set) }
	day := any("Y") && any("mbB") && any("de") && !any("jZ")
	return day && (!f.clock || any("H") && any("M") || any("I") && any("p") && any("M"))
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

func (f timeFormat) show(t time.Time) string {
	var b strings.Builder
	for _, p := range f.parts {
		if p.layout == "" {
			b.WriteString(p.text)
		} else {
			b.WriteString(t.Format(p.layout))
		}
	}
	return b.String()
}
