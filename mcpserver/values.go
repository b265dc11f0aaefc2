package mcpserver

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
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
func words(code string) string {
	list := strings.Split(clean(code), "_")
	for i, word := range list {
		if word == "eta" || word == "pod" || word == "pol" {
			list[i] = strings.ToUpper(word)
		}
	}
	return strings.Join(list, " ")
}

// sentence begins a line with a capital letter.
func sentence(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[n:]
}

// eventTexts are the names of events whose plain words could be misread: what is discharged is
// the container.
var eventTexts = map[string]string{
	"vessel_loaded": "loaded on the vessel", "vessel_discharged": "discharged from the vessel",
	"transshipment_loaded": "loaded on the next vessel", "transshipment_discharged": "discharged for transshipment",
	"feeder_loaded": "loaded on the feeder", "feeder_discharged": "discharged from the feeder",
	"rail_loaded": "loaded on rail", "rail_unloaded": "unloaded from rail",
	"full_out": "gated out full", "full_in": "gated in full", "empty_out": "gated out empty", "empty_in": "returned empty",
	"available": "available for pick-up", "not_available": "not available for pick-up",
}

// eventWords writes the name of an event as words, without its category.
func eventWords(event string) string {
	for _, prefix := range []string{"container.transport.", "container.", "shipment."} {
		event = strings.TrimPrefix(event, prefix)
	}
	if text := eventTexts[event]; text != "" {
		return text
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
