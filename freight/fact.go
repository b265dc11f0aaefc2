package freight

import (
	"encoding/json"
	"slices"
	"time"
)

// Report is a list of facts from one source, as given. Facts are appended to the account's
// log and never edited; everything shown is derived from them.
type Report struct {
	// Source identifies the reporter, and is part of the identity of each fact: the same
	// event ID from two sources is two facts. 1 to 64 characters. By convention "dcsa",
	// "sandbox", "api", "manual" or a name of the host's.
	Source string `json:"source"`
	// DataSource is the kind of party that the facts come from: shipping_line (default),
	// terminal, ais or manual.
	DataSource DataSource `json:"data_source,omitempty"`
	// SCAC is the shipping line whose shipments the facts are about. Empty when not known; a
	// fact can have its own.
	SCAC string `json:"scac,omitempty"`
	// Silent: the facts are stored and derived from, and no events are announced.
	Silent bool `json:"-"`
	// Facts are in the order of the source. At most 10,000.
	Facts []Fact `json:"facts"`
	// Warnings from reading the source's own format.
	Warnings []Warning `json:"-"`
}

// DataSource is the kind of party that a fact comes from. Events show it (see
// docs/contract.md#events-and-their-payloads).
type DataSource string

// The data sources.
const (
	FromShippingLine DataSource = "shipping_line"
	FromTerminal     DataSource = "terminal"
	FromAIS          DataSource = "ais"
	ByHand           DataSource = "manual"
)

// Fact is one statement of a source about a shipment, as given. Activity is required. A
// fact must also have a number (Numbers), unless the report is the answer to a query for
// one.
type Fact struct {
	// ID is the source's own ID of the event. A fact with the ID of an earlier one is a
	// later version of it. The version recorded last counts, but an estimate does not
	// replace an actual: that takes a retraction or another actual. Without an ID the fact
	// is identified by its content.
	ID string `json:"id,omitempty"`
	// RecordedAt is when the source recorded the fact; it decides between versions. UTC, to
	// the second. Zero means when it was received.
	RecordedAt time.Time `json:"recorded_at,omitzero"`
	// Retracted withdraws every version of this ID recorded so far. Such a fact needs only
	// its ID.
	Retracted bool `json:"retract,omitempty"`
	// Activity is what happened or will happen.
	Activity Activity `json:"event" was:"What"`
	// Classifier is actual (default), estimated or planned.
	Classifier Classifier `json:"classifier,omitempty" was:"Class"`
	// At is when it happened or will happen. Zero when not known.
	At Moment `json:"at,omitzero"`
	// Place is where it happened or will happen. Zero when not known.
	Place Place `json:"place,omitzero"`
	// Mode is the means of transport of a loading, discharge, departure or arrival. Empty
	// when not known.
	Mode Mode `json:"mode,omitempty"`
	// LoadStatus is whether the container is empty or laden. Empty string when not known.
	LoadStatus LoadStatus `json:"load,omitempty" was:"Load"`
	// Vessel and Voyage are those of a vessel, feeder or barge. Zero when not known.
	Vessel VesselRef `json:"vessel,omitzero"`
	Voyage string    `json:"voyage,omitempty"`
	// Containers are the numbers of the containers that the fact is about, as given. Empty:
	// the fact is about the whole shipment.
	Containers []string `json:"containers,omitempty"`
	// Numbers are the transport documents and bookings of the fact. They decide which
	// shipments it belongs to.
	Numbers []ShipmentNumber `json:"numbers,omitempty"`
	// References are other numbers of the parties, such as purchase orders.
	References []string `json:"references,omitempty"`
	// SCAC is the shipping line of this fact, if it differs from the report's.
	SCAC string `json:"scac,omitempty"`
	// DataSource of this fact, if it differs from the report's: for example when a line
	// passes on a terminal's status.
	DataSource DataSource `json:"data_source,omitempty"`
	// Equipment describes the containers in Containers.
	Equipment Equipment `json:"equipment,omitzero"`
	// Terminal is the full status of the containers at a terminal, when Activity is
	// TerminalStatus; else nil.
	Terminal *TerminalFacts `json:"terminal,omitempty"`
	// Original is the event in the source's own words or codes.
	Original string `json:"original_event,omitempty"`
	// Payload is the source's message, valid JSON. It is stored, and nothing is derived from
	// it.
	Payload json.RawMessage `json:"payload,omitempty"`
}

// IsMove reports whether the activity is a move of a container or a ship, or a delivery.
func (f *Fact) IsMove() bool {
	switch f.Activity {
	case GateOut, GateIn, Loading, Discharge, Departure, Arrival, Berth, Delivery:
		return true
	}
	return false
}

// Activity is the kind of a fact, independent of any carrier's codes. Which milestone it
// becomes depends on the role of its place, which is derived.
type Activity string

// The activities.
const (
	GateOut   Activity = "gate_out"  // left a facility by land
	GateIn    Activity = "gate_in"   // entered a facility by land
	Loading   Activity = "load"      // onto a means of transport
	Discharge Activity = "discharge" // off a means of transport
	Departure Activity = "depart"    // of a means of transport
	Arrival   Activity = "arrive"    // of a means of transport
	Berth     Activity = "berth"     // of a vessel, at its quay
	Delivery  Activity = "deliver"   // handed over to the consignee
	// PickupAvailable and PickupUnavailable: whether a terminal would release the container.
	PickupAvailable   Activity = "available"
	PickupUnavailable Activity = "not_available"
	// CustomsHold and CustomsRelease set and clear a hold named "customs".
	CustomsHold    Activity = "customs_hold"
	CustomsRelease Activity = "customs_release"
	// TerminalStatus is the full status of a container at a terminal: see Fact.Terminal.
	TerminalStatus Activity = "terminal_status"
	// Route states the role of Place (Place.Role) for the shipment. It is no move.
	Route Activity = "route"
	// Booked and Cancelled are the line's answers to a booking.
	Booked    Activity = "booking_confirmed"
	Cancelled Activity = "booking_cancelled"
	// Described only describes containers: see Fact.Equipment.
	Described Activity = "equipment"
	// Other is anything else. It is stored and shown as a raw event; nothing is derived from
	// it.
	Other Activity = "other"
)

// NamesContainer reports whether the fact has the container in Containers or Numbers.
// number is folded: see FoldNumber.
func (f *Fact) NamesContainer(number string) bool {
	return slices.ContainsFunc(f.Containers, func(n string) bool { return FoldNumber(n) == number }) ||
		slices.ContainsFunc(f.Numbers, func(n ShipmentNumber) bool {
			return n.Type == ContainerNumber && FoldNumber(n.Number) == number
		})
}

// Classifier is whether an activity has happened, is estimated or is planned.
type Classifier string

// The classifiers, from the strongest to the weakest.
const (
	Actual    Classifier = "actual"
	Estimated Classifier = "estimated"
	Planned   Classifier = "planned"
)

// Mode is a means of transport. A feeder is a vessel on a leg before or after the main one.
type Mode string

// The modes.
const (
	ByVessel Mode = "vessel"
	ByFeeder Mode = "feeder"
	ByBarge  Mode = "barge"
	ByRail   Mode = "rail"
	ByTruck  Mode = "truck"
)

// LoadStatus is whether a container is empty or laden.
type LoadStatus string

// The load statuses. The empty string means not known.
const (
	Empty LoadStatus = "empty"
	Laden LoadStatus = "laden"
)

// Role is the role of a place in a shipment.
type Role string

// The roles. Moves of a main vessel at a place without a role are raw events and no
// milestones.
const (
	RolePOL         Role = "pol"           // port of lading
	RoleTS          Role = "transshipment" // on the way from POL to POD
	RolePOD         Role = "pod"           // port of discharge
	RoleDestination Role = "destination"   // inland place of delivery
)

// Place is where something happens.
type Place struct {
	// LOCODE is the UN/LOCODE, five characters, upper case. Empty when not known.
	LOCODE string `json:"locode,omitempty"`
	// Name in the source's words. Empty when not known.
	Name string `json:"name,omitempty"`
	// SMDG is the facility's code in the SMDG terminal list, unique only together with
	// LOCODE; BIC is its BIC facility code; Facility is its name. Empty when not known.
	SMDG     string `json:"smdg_code,omitempty"`
	BIC      string `json:"bic_facility_code,omitempty"`
	Facility string `json:"facility,omitempty"`
	// FacilityType in DCSA's codes: POTE, RAMP, INTE, DEPO, CLOC, COFS, OFFD, BORD and
	// others. Empty when not known.
	FacilityType string `json:"facility_type,omitempty"`
	// Role if the source states it; it counts before the role that follows from the vessel's
	// calls.
	Role Role `json:"role,omitempty"`
}

// VesselRef identifies a vessel in a fact.
type VesselRef struct {
	// IMO is the seven-digit number without the letters. Empty when not known.
	IMO string `json:"imo,omitempty"`
	// Name in the source's words. Empty when not known.
	Name string `json:"name,omitempty"`
}

// Equipment describes a container.
type Equipment struct {
	// ISOType is the ISO 6346 size and type code, such as 45G1. Empty when not known.
	ISOType string `json:"iso_type,omitempty"`
	// Seals are the numbers of its seals.
	Seals []string `json:"seals,omitempty"`
	// WeightKg is the gross weight of container and cargo in kilograms; 0 when not known.
	WeightKg float64 `json:"weight_kg,omitempty"`
}

// TerminalFacts is the full status of a container at a terminal at one time. It replaces
// the earlier status from the same source: a hold that is not in it is cleared.
type TerminalFacts struct {
	// Available is whether the container can be picked up; nil when not known.
	Available *bool `json:"available_for_pickup,omitempty"`
	// Holds and Fees in force.
	Holds []Hold `json:"holds,omitempty"`
	Fees  []Fee  `json:"fees,omitempty"`
	// LastFreeDay is the last day without storage charges, in the zone of the place. Whether
	// it is the terminal's, the line's or the rail ramp's follows from the data source and
	// place of the fact. Zero when not known.
	LastFreeDay Moment `json:"last_free_day,omitzero"`
	// Appointment is when a truck is booked to pick up the container. Zero for none.
	Appointment Moment `json:"appointment,omitzero"`
	// Yard is the position in the yard; Chassis the number of the chassis on which it left.
	// Empty when not known.
	Yard    string `json:"yard_location,omitempty"`
	Chassis string `json:"chassis_number,omitempty"`
}

// Hold keeps a container from being released (see
// docs/contract.md#holds-fees-and-availability).
type Hold struct {
	// Name is one of freight, customs, USDA, VACIS, TMF, other.
	Name string `json:"name"`
	// Status is hold, or pending, which does not block the release.
	Status string `json:"status"`
	// Description in the terminal's words; nil for none.
	Description *string `json:"description"`
}

// Fee is an amount due at the terminal (see docs/contract.md#holds-fees-and-availability).
type Fee struct {
	// Type is one of demurrage, exam, extended_dwell_time, other, total. A total includes
	// the other items: do not add it to them.
	Type string `json:"type"`
	// Amount in CurrencyCode; 0 when not computed yet.
	Amount float64 `json:"amount"`
	// CurrencyCode in ISO 4217.
	CurrencyCode string `json:"currency_code"`
}

// Warning is about an implausible fact that was stored nevertheless.
type Warning struct {
	// Code is stable: check_digit, unknown_locode, unknown_code, empty_load, missing_offset,
	// missing_scac and others.
	Code string
	// Field is the path of the value in the message; may be empty.
	Field string
	// Detail is a sentence for people.
	Detail string
}
