package mcpserver

import (
	"strings"
	"time"
)

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// orNone returns the text, or "" for null.
func orNone(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// given returns a pointer to the value, or nil for the zero value.
func given[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// words writes a code of the interface as words: vessel_arrived becomes vessel arrived.
func words(code string) string { return strings.ReplaceAll(clean(code), "_", " ") }

// eventWords writes the name of an event as words, without its category.
func eventWords(event string) string {
	for _, prefix := range []string{"container.transport.", "container.", "shipment."} {
		event = strings.TrimPrefix(event, prefix)
	}
	return strings.ReplaceAll(words(event), ".", " ")
}

// localText writes a time in a zone, as get_container does: "N/A" for none.
func localText(t time.Time, zone string) string {
	place, err := time.LoadLocation(zone)
	if t.IsZero() || zone == "" || err != nil {
		return "N/A"
	}
	return t.In(place).Format("2006-01-02 15:04 MST")
}

// camel writes the name of an attribute as lists do: pickup_lfd becomes pickupLfd.
func camel(name string) string {
	first, rest, found := strings.Cut(name, "_")
	if !found {
		return name
	}
	out := first
	for part := range strings.SplitSeq(rest, "_") {
		if part != "" {
			out += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return out
}

// parsedTime reads a time of the interface; zero for none.
func parsedTime(s string) time.Time {
	at, _ := time.Parse(time.RFC3339, s)
	return at
}
