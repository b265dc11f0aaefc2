package assignment

import (
	"slices"

	"github.com/landfallhq/tracking/freight"
)

// Identity has the numbers by which a shipment is found.
type Identity struct {
	// Followed is the number that it is tracked by.
	Followed freight.ShipmentNumber
	// SCAC of the shipping line; empty if unknown.
	SCAC string
	// Named are the numbers in its facts.
	Named []freight.ShipmentNumber
}

// Keys returns the folded forms of all numbers.
func (i Identity) Keys() []string {
	return i.keys(func(freight.RequestType) bool { return true })
}

// DocumentKeys returns Keys without container numbers.
func (i Identity) DocumentKeys() []string {
	return i.keys(func(t freight.RequestType) bool { return t != freight.ContainerNumber })
}

func (i Identity) keys(wanted func(freight.RequestType) bool) (keys []string) {
	if wanted(i.Followed.Type) {
		keys = i.Followed.Keys(i.SCAC)
	}
	for _, n := range i.Named {
		if wanted(n.Type) {
			keys = append(keys, n.Keys(i.SCAC)...)
		}
	}
	return keys
}

// FollowedKeys returns the folded forms of the followed number; none if it is a container
// number, which does not identify a journey.
func (i Identity) FollowedKeys() []string {
	if i.Followed.Type == freight.ContainerNumber {
		return nil
	}
	return i.Followed.Keys(i.SCAC)
}

// IsFollowedBy reports whether the shipment is tracked by the number of a line, in any
// form.
func (i Identity) IsFollowedBy(n freight.ShipmentNumber, scac string) bool {
	if (n.Type == freight.ContainerNumber) != (i.Followed.Type == freight.ContainerNumber) || LinesDiffer(i.SCAC, scac) {
		return false
	}
	own := i.Followed.Keys(i.SCAC)
	if n.Type != i.Followed.Type && i.isAmbiguous(own) {
		return false
	}
	return haveCommon(n.Keys(scac), own)
}

// isAmbiguous reports whether facts use the number, in these forms, both for a document and
// for a booking: some lines number the first document of a booking by the booking number
// with a prefix.
func (i Identity) isAmbiguous(keys []string) bool {
	is := func(typ freight.RequestType) bool {
		return slices.ContainsFunc(i.Named, func(n freight.ShipmentNumber) bool {
			return n.Type == typ && haveCommon(n.Keys(i.SCAC), keys)
		})
	}
	return is(freight.BillOfLading) && is(freight.BookingNumber)
}

func haveCommon(a, b []string) bool {
	return slices.ContainsFunc(a, func(k string) bool { return slices.Contains(b, k) })
}

// NamesContainer reports whether the folded number is one of the container numbers.
func (i Identity) NamesContainer(number string) bool {
	is := func(n freight.ShipmentNumber) bool {
		return n.Type == freight.ContainerNumber && freight.FoldNumber(n.Number) == number
	}
	return is(i.Followed) || slices.ContainsFunc(i.Named, is)
}
