package assignment

import (
	"maps"
	"slices"

	"github.com/landfallhq/tracking/freight"
)

// Forms are the numbers in a fact of a source's answer, each in all its forms.
type Forms struct {
	Documents, Bookings, Units []string
	// OtherLine: the fact is of another line than the queried one.
	OtherLine bool
}

// Forms returns the forms of the numbers of a fact.
func (n *Numbers) Forms(numbers []freight.ShipmentNumber, scac string) (f Forms) {
	for _, number := range numbers {
		keys := n.Keys(number, scac)
		switch number.Type {
		case freight.BillOfLading:
			f.Documents = append(f.Documents, keys...)
		case freight.BookingNumber:
			f.Bookings = append(f.Bookings, keys...)
		default:
			f.Units = append(f.Units, keys...)
		}
	}
	return f
}

// isEmpty reports whether the fact names no number.
func (f Forms) isEmpty() bool { return len(f.Documents)+len(f.Bookings)+len(f.Units) == 0 }

func (f Forms) names(own map[string]bool) bool {
	return containsAny(f.Documents, own) || containsAny(f.Bookings, own) || containsAny(f.Units, own)
}

func containsAny(keys []string, own map[string]bool) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return own[k] })
}

// OwnFacts reports for each fact of an answer whether it is about the shipment that a
// source was queried for: by a number of that type, whose forms are own. A fact of the
// queried line is about it if it names that number; or if it names no document, and a
// booking that the answer or stored, numbers of the shipment in earlier facts, has together
// with that number. If the number is a booking or a container, the documents named with it
// count as well. A fact without numbers is about the shipment.
func OwnFacts(facts []Forms, typ freight.RequestType, own, stored []string) []bool {
	ours, related := setOf(own), setOf(stored)
	if typ != freight.BillOfLading {
		for _, f := range facts {
			if f.names(ours) {
				addAll(related, f.Documents) // ours is extended once, after the loop
			}
		}
		maps.Copy(ours, related)
	}
	for _, f := range facts {
		if f.names(ours) {
			addAll(related, f.Bookings)
		}
	}
	about := make([]bool, len(facts))
	for i, f := range facts {
		about[i] = !f.OtherLine && (f.isEmpty() || f.names(ours) || len(f.Documents) == 0 && containsAny(f.Bookings, related))
	}
	return about
}

func setOf(keys []string) map[string]bool {
	set := map[string]bool{}
	addAll(set, keys)
	return set
}

func addAll(set map[string]bool, keys []string) {
	for _, k := range keys {
		set[k] = true
	}
}
