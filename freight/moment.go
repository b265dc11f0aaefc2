package freight

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Moment is a point in time as a source gave it: instant, zone and precision. The zero
// Moment means not known.
type Moment struct {
	// Time is the instant, in UTC. When Floating it is the wall clock at the place, written
	// as if it were UTC (see docs/contract.md#times-and-zones).
	Time time.Time
	// Zone is the IANA name of the zone at the place; empty when not known.
	Zone string
	// Day: only the date is known; Time is the midnight that begins it.
	Day bool
	// Floating: the source gave no offset, and the zone is not known.
	Floating bool
}

// IsZero reports whether no time is known.
func (m Moment) IsZero() bool { return m.Time.IsZero() }

// momentForms are the layouts that ParseMoment accepts, from the most to the least precise.
// Those without an offset are local to the place.
var momentForms = []struct {
	layout   string
	floating bool
	day      bool
}{
	{time.RFC3339Nano, false, false},
	{"2006-01-02T15:04Z07:00", false, false},
	{"2006-01-02T15:04:05.999999999", true, false},
	{"2006-01-02T15:04", true, false},
	{"2006-01-02 15:04:05", true, false},
	{"2006-01-02 15:04", true, false},
	{"2006-01-02", true, true},
}

// ParseMoment parses a time as carriers write it: RFC 3339 with an offset is an instant;
// without an offset it is the wall clock at the place (Floating); a bare date is a day
// (Floating and Day). The years 1970 to 2199 are allowed.
func ParseMoment(s string) (Moment, error) {
	s = strings.TrimSpace(s)
	for _, form := range momentForms {
		at, err := time.Parse(form.layout, s)
		if err != nil {
			continue
		}
		if at.Year() < 1970 || at.Year() > 2199 {
			return Moment{}, fmt.Errorf("the year of %q is not between 1970 and 2199", s)
		}
		return Moment{Time: at.UTC(), Floating: form.floating, Day: form.day}, nil
	}
	return Moment{}, fmt.Errorf("%q is not a time: give 2006-01-02T15:04:05+07:00, the same without offset for the local time of the place, or a date", s)
}

type momentJSON struct {
	Time string `json:"time"`
	Zone string `json:"zone,omitempty"`
}

// MarshalJSON writes null for the zero Moment, a text for ParseMoment, or, if the zone is
// known, an object {"time","zone"}.
func (m Moment) MarshalJSON() ([]byte, error) {
	if m.IsZero() {
		return []byte("null"), nil
	}
	text := m.Time.UTC().Format(time.RFC3339Nano)
	switch {
	case m.Floating && m.Day:
		text = m.Time.UTC().Format("2006-01-02")
	case m.Floating:
		text = m.Time.UTC().Format("2006-01-02T15:04:05.999999999")
	}
	if m.Zone == "" {
		return json.Marshal(text)
	}
	return json.Marshal(momentJSON{text, m.Zone})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Moment) UnmarshalJSON(data []byte) error {
	*m = Moment{}
	if string(data) == "null" {
		return nil
	}
	var v momentJSON
	if len(data) > 0 && data[0] == '{' {
		if err := json.Unmarshal(data, &v); err != nil {
			return err
		}
	} else if err := json.Unmarshal(data, &v.Time); err != nil {
		return err
	}
	parsed, err := ParseMoment(v.Time)
	if err != nil {
		return err
	}
	parsed.Zone = v.Zone
	*m = parsed
	return nil
}
