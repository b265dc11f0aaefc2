// Package calendar writes events as an iCalendar object (RFC 5545), as calendar programs
// subscribe to it. It knows no resource: the same events give the same bytes.
package calendar

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode"

	ics "github.com/arran4/golang-ical"
)

// MediaType of an iCalendar object, for the header Content-Type.
const MediaType = "text/calendar; charset=utf-8"

// product names the program that wrote a calendar (PRODID).
const product = "-//Landfall//Landfall//EN"

// lineOctets is the most that a line has before it is folded, without its end.
const lineOctets = 75

// Calendar is a list of events that a program reads again and again.
type Calendar struct {
	// Name is shown above the events. Description says more; empty for none.
	Name, Description string
	// Refresh is how long a program should wait before it reads the calendar again, in whole
	// minutes. Zero leaves it to the program.
	Refresh time.Duration
	// Events in any order. Their UIDs must differ.
	Events []Event
}

// Event is one entry of a calendar.
type Event struct {
	// UID identifies the event in all versions of the calendar: a program moves the event
	// whose UID it knows.
	UID string
	// Start is when the event happens. Of an AllDay event it is the date of Start in the
	// location of Start; else the instant, which is written in UTC.
	Start  time.Time
	AllDay bool
	// Summary is one line; Description may have several. Location names the place. All are
	// plain text of any characters; what a calendar cannot hold is left out.
	Summary, Description, Location string
	// Tentative events are expected and not certain.
	Tentative bool
	// Created is when the record behind the event was made, and Modified when it last changed,
	// at or after Created. The version (SEQUENCE) is counted from them, in seconds, so Modified
	// must never decrease.
	Created, Modified time.Time
}

// Encode returns the calendar with lines that end in CRLF and have at most 75 octets.
func (c Calendar) Encode() []byte {
	cal := ics.NewCalendar()
	cal.SetProductId(product)
	cal.SetCalscale("GREGORIAN")
	if name := oneLine(c.Name); name != "" {
		cal.SetName(name)
	}
	if c.Description != "" {
		cal.SetDescription(clean(c.Description))
		cal.SetXWRCalDesc(clean(c.Description))
	}
	if c.Refresh > 0 {
		every := fmt.Sprintf("PT%dM", int(c.Refresh/time.Minute))
		cal.SetRefreshInterval(every) // the library adds VALUE=DURATION
		cal.SetXPublishedTTL(every)
	}
	for _, e := range c.Events {
		cal.AddVEvent(e.component())
	}
	if len(c.Events) == 0 {
		addUTC(cal)
	}
	var b bytes.Buffer
	// The options are valid, and a Buffer takes everything: there is no error.
	_ = cal.SerializeTo(&b, ics.WithLineLength(lineOctets), ics.WithNewLine("\r\n"))
	return b.Bytes()
}

// addUTC adds the definition of UTC: a calendar must have at least one component, and programs
// show none of this one.
func addUTC(cal *ics.Calendar) {
	standard := cal.AddTimezone("UTC").AddStandard()
	standard.SetProperty(ics.ComponentPropertyDtStart, "19700101T000000")
	standard.SetProperty(ics.ComponentProperty(ics.PropertyTzoffsetfrom), "+0000")
	standard.SetProperty(ics.ComponentProperty(ics.PropertyTzoffsetto), "+0000")
}

func (e Event) component() *ics.VEvent {
	v := ics.NewEvent(clean(e.UID))
	v.SetDtStampTime(e.Modified)
	v.SetCreatedTime(e.Created)
	v.SetModifiedAt(e.Modified)
	v.SetSequence(e.sequence())
	if e.AllDay {
		v.SetAllDayStartAt(e.Start)
		v.SetAllDayEndAt(e.Start.AddDate(0, 0, 1))
	} else {
		v.SetStartAt(e.Start)
	}
	v.SetSummary(oneLine(e.Summary))
	if e.Description != "" {
		v.SetDescription(clean(e.Description))
	}
	if e.Location != "" {
		v.SetLocation(oneLine(e.Location))
	}
	v.SetStatus(ics.ObjectStatusConfirmed)
	if e.Tentative {
		v.SetStatus(ics.ObjectStatusTentative)
	}
	// Nobody is busy at that time: a calendar of dates must not refuse invitations.
	v.SetTimeTransparency(ics.TransparencyTransparent)
	return v
}

// sequence is the version of an event. It is not the number of its changes, which nobody counts,
// but grows with each.
func (e Event) sequence() int {
	return int(min(max(e.Modified.Unix()-e.Created.Unix(), 0), 1<<31-1))
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n")

// clean is a text without the control characters that RFC 5545 excludes, with LF alone between
// its lines.
func clean(s string) string {
	s = lineEnds.Replace(strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}

func oneLine(s string) string { return strings.ReplaceAll(clean(s), "\n", " ") }
