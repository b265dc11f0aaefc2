package calendar_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	ics "github.com/arran4/golang-ical"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/internal/calendar"
	"github.com/landfallhq/tracking/internal/calendar/calendartest"
)

var seen = time.Date(2026, 6, 10, 9, 30, 0, 0, time.UTC)

// arrival is an event with a long text in several scripts.
func arrival() calendar.Event {
	return calendar.Event{
		UID: "5f0c@landfall", Start: time.Date(2026, 6, 18, 10, 0, 0, 0, time.FixedZone("", 2*3600)),
		Summary: "MSCU1234566 arrives, Rotterdam; estimated", Location: "Rotterdam (NLRTM)",
		Description: "Estimated arrival.\nLine: Müller \\ Söhne, 上海中远海运集装箱运输有限公司 und noch mehr, " + strings.Repeat("ü", 80),
		Tentative:   true, Created: seen.Add(-time.Hour), Modified: seen,
	}
}

func lastFreeDay() calendar.Event {
	return calendar.Event{
		UID: "77aa@landfall", AllDay: true, Start: time.Date(2026, 6, 21, 0, 0, 0, 0, time.FixedZone("", -8*3600)),
		Summary: "Last free day", Created: seen, Modified: seen,
	}
}

func ExampleCalendar() {
	c := calendar.Calendar{Name: "Rotterdam", Refresh: time.Hour, Events: []calendar.Event{lastFreeDay()}}
	fmt.Print(strings.ReplaceAll(string(c.Encode()), "\r\n", "\n"))
	// Output:
	// BEGIN:VCALENDAR
	// VERSION:2.0
	// PRODID:-//Landfall//Landfall//EN
	// CALSCALE:GREGORIAN
	// NAME:Rotterdam
	// X-WR-CALNAME:Rotterdam
	// REFRESH-INTERVAL;VALUE=DURATION:PT60M
	// X-PUBLISHED-TTL:PT60M
	// BEGIN:VEVENT
	// UID:77aa@landfall
	// DTSTAMP:20260610T093000Z
	// CREATED:20260610T093000Z
	// LAST-MODIFIED:20260610T093000Z
	// SEQUENCE:0
	// DTSTART;VALUE=DATE:20260621
	// DTEND;VALUE=DATE:20260622
	// SUMMARY:Last free day
	// STATUS:CONFIRMED
	// TRANSP:TRANSPARENT
	// END:VEVENT
	// END:VCALENDAR
}

// TestValid: libical finds nothing in calendars with and without events, and does find what is
// wrong with others.
func TestValid(t *testing.T) {
	full := calendar.Calendar{Name: "Müller; Söhne, \\", Description: "a\nb", Refresh: time.Hour, Events: []calendar.Event{arrival(), lastFreeDay()}}.Encode()
	for name, c := range map[string][]byte{"full": full, "empty": calendar.Calendar{}.Encode()} {
		t.Run(name, func(t *testing.T) { calendartest.Validate(t, c) })
	}
	for _, change := range [][2]string{{"STATUS:TENTATIVE", "PERCENT-COMPLETE:10"}, {"DTSTART:20260618T080000Z", "DTSTART:yesterday"}, {"SEQUENCE:3600", "UID:again"}} {
		broken := bytes.Replace(full, []byte(change[0]), []byte(change[1]), 1)
		if problem, ok := calendartest.Check(t, broken); ok && problem == "" {
			t.Errorf("libical does not see %s", change[1])
		}
	}
}

// TestRoundTrip: every calendar is read by the library as it was written, in lines of at most 75
// octets that are valid UTF-8, and is the same each time.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := calendar.Calendar{Name: rapid.String().Draw(t, "name"), Refresh: time.Duration(rapid.IntRange(0, 3000).Draw(t, "refresh")) * time.Minute}
		for i := range rapid.IntRange(0, 3).Draw(t, "events") {
			c.Events = append(c.Events, drawEvent(t, i))
		}
		out := c.Encode()
		if !bytes.Equal(out, c.Encode()) {
			t.Fatal("the same events give other bytes")
		}
		checkLines(t, string(out))
		read, err := ics.ParseCalendar(bytes.NewReader(out))
		if err != nil {
			t.Fatalf("%v in %q", err, out)
		}
		if len(read.Events()) != len(c.Events) {
			t.Fatalf("%d events of %d in %q", len(read.Events()), len(c.Events), out)
		}
		for i, e := range read.Events() {
			sameEvent(t, e, c.Events[i])
		}
	})
}

func drawEvent(t *rapid.T, i int) calendar.Event {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a,b;c\\n\r\nBEGIN:VEVENT\r\nEND:VCALENDAR", strings.Repeat("上", 200), "\xff\x00\x1b", strings.Repeat(" ", 160), strings.Repeat("<b> ", 50)}))
	at := func(name string) time.Time { return time.Unix(rapid.Int64Range(0, 4e9).Draw(t, name), 0) }
	return calendar.Event{
		UID: fmt.Sprintf("%d@landfall", i), Start: at("start"), AllDay: rapid.Bool().Draw(t, "day"), Tentative: rapid.Bool().Draw(t, "tentative"),
		Summary: text.Draw(t, "summary"), Description: text.Draw(t, "description"), Location: text.Draw(t, "location"), Created: at("created"), Modified: at("modified"),
	}
}

func checkLines(t *rapid.T, out string) {
	lines := strings.Split(out, "\r\n")
	if lines[len(lines)-1] != "" || strings.ContainsAny(strings.Join(lines, ""), "\r\n") {
		t.Fatalf("a line does not end in CRLF: %q", out)
	}
	for _, line := range lines {
		if len(line) > 75 || !utf8.ValidString(line) {
			t.Fatalf("%d octets in the line %q", len(line), line)
		}
	}
}

func sameEvent(t *rapid.T, got *ics.VEvent, want calendar.Event) {
	start, err := got.GetStartAt()
	if want.AllDay {
		start, err = got.GetAllDayStartAt()
		want.Start = want.Start.UTC().Truncate(24 * time.Hour)
	}
	if err != nil || want.AllDay && start.Format(time.DateOnly) != want.Start.Format(time.DateOnly) || !want.AllDay && !start.Equal(want.Start) {
		t.Fatalf("it starts at %s, %v, not at %s", start, err, want.Start)
	}
	if got.Id() != want.UID {
		t.Fatalf("the UID is %q", got.Id())
	}
	for property, text := range map[ics.ComponentProperty]string{ics.ComponentPropertySummary: want.Summary, ics.ComponentPropertyDescription: want.Description} {
		p := got.GetProperty(property)
		if p == nil && text == "" {
			continue
		}
		if shown := p.Value; strings.Map(letters, shown) != strings.Map(letters, strings.ToValidUTF8(text, "")) {
			t.Fatalf("%s is %q, not %q", property, shown, text)
		}
	}
}

// letters leaves out what a calendar does not keep: control characters and the kinds of line ends.
func letters(r rune) rune {
	if r <= ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == utf8.RuneError {
		return -1
	}
	return r
}

// TestVersions: an event that moves keeps its UID and gets a greater version.
func TestVersions(t *testing.T) {
	before, after := arrival(), arrival()
	after.Start, after.Modified = after.Start.Add(48*time.Hour), after.Modified.Add(time.Minute)
	for e, want := range map[*calendar.Event][]string{
		&before: {"UID:5f0c@landfall", "DTSTART:20260618T080000Z", "SEQUENCE:3600\r\n", "STATUS:TENTATIVE"},
		&after:  {"UID:5f0c@landfall", "DTSTART:20260620T080000Z", "SEQUENCE:3660\r\n", "LAST-MODIFIED:20260610T093100Z"},
	} {
		out := string(calendar.Calendar{Events: []calendar.Event{*e}}.Encode())
		for _, line := range want {
			if !strings.Contains(out, line) {
				t.Errorf("no %q in %s", line, out)
			}
		}
	}
}
