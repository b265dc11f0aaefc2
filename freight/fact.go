package freight

import (
	"encoding/json"
	"slices"
	"time"
)

// Report is what a source hands in: facts, as given. Facts are appended to the
// account's log and never edited; everything shown is derived from them.
type Report struct {
	// Source names who speaks, and is part of the identity of every fact in the
	// report: the same event ID of two sources is two facts. 1 to 64 characters.
	// By convention "dcsa", "sandbox", "api", "manual" or a name of the host's.
	Source string `json:"source"`
	// DataSource says what kind of party knows this: shipping_line (default),
	// terminal, ais or manual.
	DataSource DataSource `json:"data_source,omitempty"`
	// SCAC is the shipping line whose shipments the facts are about. Empty when
	// the source does not say; single facts may name another.
	SCAC string `json:"scac,omitempty"`
	// Silent stores and derives without announcing anything.
	Silent bool `json:"-"`
	// Facts are in the order of the source. At most 10,000.
	Facts []Fact `json:"facts"`
	// Warnings are what the reader of the source's own format found odd.
	Warnings []Warning `json:"-"`
}

// DataSource is the kind of party that a fact comes from, as events show it (see
// docs/contract.md#events-and-their-payloads).
type DataSource string

// The data sources.
const (
	FromShippingLine DataSource = "shipping_line"
	FromTerminal     DataSource = "terminal"
	FromAIS          DataSource = "ais"
	ByHand           DataSource = "manual"
)

// Fact is one statement of a source about a shipment, as given. Only What is
// always needed; a fact must also name a number (Numbers) unless the report
// is the answer to a question about one.
type Fact struct {
	// ID is the source's own ID of the event. A fact with the ID of an earlier
	// one is a later version of it: the latest recorded counts, but an estimate
	// never unsays an actual, which takes a retraction or another actual. Empty:
	// the fact is identified by its content.
	ID string `json:"id,omitempty"`
	// RecordedAt is when the source recorded the fact; it decides between
	// versions. Zero: when it was received. UTC, to the second.
	RecordedAt time.Time `json:"recorded_at,omitzero"`
	// Retracted takes back every version of this ID recorded so far; such a
	// fact needs no more than its ID.
	Retracted bool `json:"retract,omitempty"`
	// Activity happened.
	Activity Activity `json:"event" was:"What"`
	// Classifier is actual (default), estimated or planned.
	Classifier Classifier `json:"classifier,omitempty" was:"Class"`
	// At is when it happened or will happen. Zero when the source does not say.
	At Moment `json:"at,omitzero"`
	// Place is where. Zero when not known.
	Place Place `json:"place,omitzero"`
	// Mode is the means of transport of load, discharge, depart and arrive.
	Mode Mode `json:"mode,omitempty"`
	// LoadStatus is whether the container is empty or laden.
	LoadStatus LoadStatus `json:"load,omitempty" was:"Load"`
	// Vessel and Voyage, for vessel and feeder moves.
	Vessel VesselRef `json:"vessel,omitzero"`
	Voyage string    `json:"voyage,omitempty"`
	// Containers are the numbers of the boxes that the fact is about, as given.
	// Empty: the fact is about the whole shipment.
	Containers []string `json:"containers,omitempty"`
	// Numbers are the transport documents and bookings that the fact names. They
	// decide which shipments it belongs to.
	Numbers []ShipmentNumber `json:"numbers,omitempty"`
	// References are other numbers of the parties, such as purchase orders.
	References []string `json:"references,omitempty"`
	// SCAC is the shipping line of this fact where it differs from the report's.
	SCAC string `json:"scac,omitempty"`
	// DataSource of this fact where it differs from the report's: a line passes
	// on what a terminal told it.
	DataSource DataSource `json:"data_source,omitempty"`
	// Equipment describes the boxes named in Containers.
	Equipment Equipment `json:"equipment,omitzero"`
	// Terminal is what a terminal says of the boxes, with What == TerminalStatus.
	Terminal *TerminalFacts `json:"terminal,omitempty"`
	// Original is the event in the source's own words or codes.
	Original string `json:"original_event,omitempty"`
	// Payload is the message as it came, valid JSON. It is kept, and never read.
	Payload json.RawMessage `json:"payload,omitempty"`
}

// IsMove: the fact says that something moved, or was handed over.
func (f *Fact) IsMove() bool {
	switch f.Activity {
	case GateOut, GateIn, Loading, Discharge, Departure, Arrival, Berth, Delivery:
		return true
	}
	return false
}

// Activity is the sort of statement, in words free of any carrier's codes. Which
// milestone it becomes depends on the role of its place, which is derived.
type Activity string

// The sorts of statements.
const (
	GateOut   Activity = "gate_out"  // left a facility by land
	GateIn    Activity = "gate_in"   // entered a facility by land
	Loading   Activity = "load"      // onto a means of transport
	Discharge Activity = "discharge" // off a means of transport
	Departure Activity = "depart"    // of a means of transport
	Arrival   Activity = "arrive"    // of a means of transport
	Berth     Activity = "berth"     // of a vessel, at its quay
	Delivery  Activity = "deliver"   // handed over to the consignee
	// PickupAvailable and PickupUnavailable: whether a terminal would release the box.
	PickupAvailable   Activity = "available"
	PickupUnavailable Activity = "not_available"
	// CustomsHold and CustomsRelease set and clear a hold named "customs".
	CustomsHold    Activity = "customs_hold"
	CustomsRelease Activity = "customs_release"
	// TerminalStatus is a terminal's whole view of a box: see Fact.Terminal.
	TerminalStatus Activity = "terminal_status"
	// Route states the role of Place (Place.Role) for the shipment, no move.
	Route Activity = "route"
	// Booked and Cancelled are the line's answers to a booking.
	Booked    Activity = "booking_confirmed"
	Cancelled Activity = "booking_cancelled"
	// Described only describes boxes: Fact.Equipment.
	Described Activity = "equipment"
	// Other is anything else: kept, shown as a raw event, and nothing derived.
	Other Activity = "other"
)

// NamesContainer reports whether the fact names the container, in its containers
// or in its numbers.
func (f *Fact) NamesContainer(number string) bool {
	return slices.ContainsFunc(f.Containers, func(n string) bool { return FoldNumber(n) == number }) ||
		slices.ContainsFunc(f.Numbers, func(n ShipmentNumber) bool {
			return n.Type == ContainerNumber && FoldNumber(n.Number) == number
		})
}

// Classifier says whether a fact has happened.
type Classifier string

// The classifiers, by falling weight.
const (
	Actual    Classifier = "actual"
	Estimated Classifier = "estimated"
	Planned   Classifier = "planned"
)

// Mode is a means of transport. Feeder is a vessel on a leg that is not the
// main one.
type Mode string

// The modes.
const (
	ByVessel Mode = "vessel"
	ByFeeder Mode = "feeder"
	ByBarge  Mode = "barge"
	ByRail   Mode = "rail"
	ByTruck  Mode = "truck"
)

// LoadStatus says whether a container is empty.
type LoadStatus string

// The load statuses; empty string when not known.
const (
	Empty LoadStatus = "empty"
	Laden LoadStatus = "laden"
)

// Role is what a place is for a shipment.
type Role string

// The roles. A place without one makes raw events and no milestones.
const (
	RolePOL         Role = "pol"           // port of lading
	RoleTS          Role = "transshipment" // on the way from POL to POD
	RolePOD         Role = "pod"           // port of discharge
	RoleDestination Role = "destination"   // inland place of delivery
)

// Place is where something happens.
type Place struct {
	// LOCODE is the UN/LOCODE, five characters, upper case; or empty.
	LOCODE string `json:"locode,omitempty"`
	// Name in the source's words.
	Name string `json:"name,omitempty"`
	// SMDG is the facility's code in the SMDG terminal list, unique only
	// together with LOCODE; BIC its BIC facility code; Facility its name.
	SMDG     string `json:"smdg_code,omitempty"`
	BIC      string `json:"bic_facility_code,omitempty"`
	Facility string `json:"facility,omitempty"`
	// FacilityType in DCSA's codes: POTE, RAMP, INTE, DEPO, CLOC, COFS, OFFD, BORD...
	FacilityType string `json:"facility_type,omitempty"`
	// Role where the source itself states it; it wins over what the order of
	// the vessel's calls suggests.
	Role Role `json:"role,omitempty"`
}

// VesselRef names a ship.
type VesselRef struct {
	// IMO is the seven-digit number, without the letters; or empty.
	IMO string `json:"imo,omitempty"`
	// Name in the source's words.
	Name string `json:"name,omitempty"`
}

// Equipment describes a box.
type Equipment struct {
	// ISOType is the ISO 6346 size and type code, such as 45G1.
	ISOType string `json:"iso_type,omitempty"`
	// Seals are the numbers of its seals.
	Seals []string `json:"seals,omitempty"`
	// WeightKg is the gross weight of box and cargo in kilograms; 0 when unknown.
	WeightKg float64 `json:"weight_kg,omitempty"`
}

// TerminalFacts is a terminal's whole view of a box at one time. It replaces
// what the same source said before; a hold it no longer lists is cleared.
type TerminalFacts struct {
	// Available is whether the box can be picked up; nil when not said.
	Available *bool `json:"available_for_pickup,omitempty"`
	// Holds and Fees in force.
	Holds []Hold `json:"holds,omitempty"`
	Fees  []Fee  `json:"fees,omitempty"`
	// LastFreeDay is the last day without storage charges; whose it is follows
	// from the data source and place of the fact.
	LastFreeDay Moment `json:"last_free_day,omitzero"`
	// Appointment is when a truck is booked to fetch the box.
	Appointment Moment `json:"appointment,omitzero"`
	// Yard is the position in the yard; Chassis the number it left on.
	Yard    string `json:"yard_location,omitempty"`
	Chassis string `json:"chassis_number,omitempty"`
}

// Hold keeps a container from being released (see
// docs/contract.md#holds-fees-and-availability).
type Hold struct {
	// Name is one of freight, customs, USDA, VACIS, TMF, other.
	Name string `json:"name"`
	// Status is pending or hold.
	Status string `json:"status"`
	// Description in the terminal's words; nil when none.
	Description *string `json:"description"`
}

// Fee is money owed at the terminal (see
// docs/contract.md#holds-fees-and-availability).
type Fee struct {
	// Type is one of demurrage, exam, extended_dwell_time, other, total. A
	// total overlaps the other items: never add it to them.
	Type string `json:"type"`
	// Amount in CurrencyCode; 0 when not computed yet.
	Amount float64 `json:"amount"`
	// CurrencyCode in ISO 4217.
	CurrencyCode string `json:"currency_code"`
}

// Warning is something odd in facts that were kept all the same.
type Warning struct {
	// Code is a stable word: check_digit, unknown_locode, unknown_code,
	// empty_load, missing_offset, missing_scac, ...
	Code string
	// Field is the path of the odd value in the message, where there is one.
	Field string
	// Detail is a sentence for people.
	Detail string
}
