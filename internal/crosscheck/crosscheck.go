// Package crosscheck compares what was read from a document with the document itself, with the
// shipment that it is about, and with the other documents of that shipment. [Compare] is a pure
// function; it knows no store.
//
// A check is silent where a careful clerk would
// be: what is not printed, not known, or has changed since the document was written, neither
// agrees nor differs.
package crosscheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/freetime"
)

// Kind is what is compared.
type Kind string

// The kinds.
const (
	CheckDigit  Kind = "check_digit"   // of containers and ships
	Sum         Kind = "sum"           // of rows against totals
	Prefix      Kind = "prefix"        // the line against the number of the bill
	Order       Kind = "order"         // of dates
	Number      Kind = "number"        // of the bill or booking
	Line        Kind = "carrier"       // the line of the shipment
	Port        Kind = "port"          // of lading and of discharge
	Vessel      Kind = "vessel"        // and voyage
	Container   Kind = "container"     // numbers
	Seal        Kind = "seal"          // of a container
	SizeType    Kind = "size_type"     // of a container
	Weight      Kind = "weight"        // of a container
	Arrival     Kind = "arrival"       // the ETA
	Departure   Kind = "departure"     // the day on board
	LastFreeDay Kind = "last_free_day" // of the containers
	Booked      Kind = "booked"        // a bill against the booking
	Packing     Kind = "packing"       // a bill against packing lists and invoices
	Billed      Kind = "billed"        // a notice or delivery order against the bill
	Charges     Kind = "charges"       // demurrage, detention and storage against their clocks
)

// Check is a comparison of one value.
type Check struct {
	Kind   Kind
	Agrees bool
	// Field of the document; of a table with its column: "containers.number". Rows are those of
	// the table that were compared, from 0; nil for all.
	Field string
	Rows  []int
	// Says is the value of the document, OtherSays that of the other side.
	Says, OtherSays string
	// Other is the type of the other side: ItsOwn, OfShipment, OfContainer, or the type of
	// another document. OtherID is the ID of that document, or the number of the container.
	Other, OtherID string
	// High: money, or a container that cannot be picked up.
	High bool
	// Text is one sentence in English with the figures.
	Text string
}

// The other sides that are no other documents.
const (
	ItsOwn      = "document"
	OfShipment  = "shipment"
	OfContainer = "container"
)

// Shipment is what is known of a shipment. Dates are such as 2026-08-05, at their place, and empty
// while not known.
type Shipment struct {
	SCAC    string
	Numbers []string // bills and bookings, in all their spellings
	// POL and POD are UN/LOCODEs; Ports are all on its way.
	POL, POD string
	Ports    []string
	// Ships carry it, or are planned to; Since is when the last of them was learned, UTC.
	Ships      []Ship
	ShipsSince string
	// Departed is the actual departure from the POL. Arrival is the actual arrival at the POD,
	// else the estimate, and ArrivalSince when that was learned, UTC.
	Departed              string
	Arrival, ArrivalSince string
	Containers            []Known
}

// Ship is a vessel with its voyages.
type Ship struct {
	Name, IMO string
	Voyages   []string
}

// Known is what is known of a container.
type Known struct {
	Number   string
	Seals    []string
	ISOType  string
	WeightKg float64 // with its cargo; 0 for unknown
	// LastFreeDays are those that line, terminal and railway have reported.
	LastFreeDays []string
	// Clocks have what its stay costs; nil where that is not known.
	Clocks []Clock
}

// Clock has the days that a clock of free time charges.
type Clock struct {
	Clock    freetime.Clock
	Currency string
	Days     []ChargedDay
}

// ChargedDay is a day and its price: "100.00".
type ChargedDay struct{ Date, Amount string }

// Compare compares a document with itself and, unless s is nil, with its shipment and the other
// documents of that. The order of others does not matter.
func Compare(p *Paper, s *Shipment, others []*Paper) []Check {
	c := &comparison{Paper: p, shipment: s, others: others}
	c.compareItself()
	if s != nil {
		c.compareJourney()
		c.compareContainers()
		c.compareCharges()
		c.compareBooking()
		c.comparePacking()
		c.compareBill()
	}
	slices.SortStableFunc(c.checks, func(a, b Check) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Kind, b.Kind), slices.Compare(a.Rows, b.Rows), cmp.Compare(a.Other, b.Other), cmp.Compare(a.OtherID, b.OtherID), cmp.Compare(a.Says, b.Says))
	})
	return c.checks
}

// comparison is a document whose checks are made.
type comparison struct {
	*Paper
	shipment *Shipment
	others   []*Paper
	checks   []Check
}

// agree notes that the other side has the same value.
func (c *comparison) agree(k Kind, field string, rows []int, other, id string) {
	c.checks = append(c.checks, Check{Kind: k, Agrees: true, Field: field, Rows: rows, Other: other, OtherID: id})
}

// differ notes that the other side has another value. says is the rest of the sentence: "the
// shipment says NLRTM".
func (c *comparison) differ(made Check, says string, args ...any) {
	made.Text = fmt.Sprintf("The %s says %s for the %s; %s.", nameOf(c.Type), made.Says, labelOf(made.Field), fmt.Sprintf(says, args...))
	c.checks = append(c.checks, made)
}

// nameOf is the name of a type of document in a sentence.
func nameOf(typ string) string { return cmp.Or(strings.ReplaceAll(typ, "_", " "), "document") }

// labelOf is the name of a field in a sentence.
func labelOf(field string) string {
	switch field {
	case "containers":
		return "number and types of containers"
	case "containers.number":
		return "container"
	case "charges.amount":
		return "charges"
	case "scac":
		return "carrier"
	case "eta", "etd":
		return strings.ToUpper(field)
	}
	_, column, found := strings.Cut(field, ".")
	if !found {
		column = field
	}
	return strings.ReplaceAll(column, "_", " ")
}

// The types of documents.
const (
	bill        = "bill_of_lading"
	waybill     = "sea_waybill"
	houseBill   = "house_bill_of_lading"
	notice      = "arrival_notice"
	order       = "delivery_order"
	booking     = "booking_confirmation"
	packingList = "packing_list"
	invoice     = "commercial_invoice"
)

func isMaster(typ string) bool { return typ == bill || typ == waybill }
func isBill(typ string) bool   { return isMaster(typ) || typ == houseBill }

// isOfCarriage reports whether documents of a type are about containers on their way.
func isOfCarriage(typ string) bool { return isBill(typ) || typ == notice || typ == order }

// othersOf are the other documents of some types.
func (c *comparison) othersOf(is func(string) bool) (list []*Paper) {
	for _, o := range c.others {
		if is(o.Type) {
			list = append(list, o)
		}
	}
	return list
}
