// Package journey derives from the facts of one shipment what is shown of it: the roles of
// its ports, the voyage of each container, milestones, statuses, times, holds and
// availability, each with the facts that it follows from.
//
// [Derive] is pure and total. It reads no clock and no store; what depends on the time of
// day is decided in the root package.
package journey

import (
	"time"

	"github.com/landfallhq/tracking/freight"
)

// RulesVersion names the rules by which facts become what is shown. It is raised
// whenever the same facts give anything else, and answers about the past bear
// it: they say what the present rules make of what was known then.
const RulesVersion = 2

// Journey is everything that is derived from the facts of one shipment. It is
// a plain value: two equal sets of facts give two equal journeys.
type Journey struct {
	// POL, POD and Destination are zero while their role is not known.
	// Transshipments are the ports between, in the order they are called at.
	POL, POD, Destination freight.Place
	Transshipments        []freight.Place
	// PODVessel and PODVoyage bring the shipment to its POD.
	PODVessel freight.VesselRef
	PODVoyage string
	// The times of the shipment; zero when not known. An actual time never
	// takes the place of an estimate: both are kept.
	POLETD, POLATD   freight.Moment
	PODETA, PODATA   freight.Moment
	PODOriginalETA   freight.Moment // the estimate recorded first by the source's own time
	DestETA, DestATA freight.Moment
	POLZone, PODZone string // IANA; empty when not known
	DestZone         string
	Cancelled        bool // the line cancelled the booking
	// Containers are in the order of their numbers.
	Containers []ContainerJourney
	// Numbers and References that the facts name, sorted, without repeats.
	Numbers    []freight.ShipmentNumber
	References []string
	// Provenance says from which facts these values follow.
	Provenance ShipmentProvenance
	// Facts says for each fact, by its index, what became of it.
	Facts []FactOutcome
	// Warnings about odd data, in a fixed order.
	Warnings []freight.Warning
}

// ContainerJourney is what is derived for one box.
type ContainerJourney struct {
	// Number in upper case without blanks or hyphens.
	Number    string
	Equipment freight.Equipment
	// Status is current_status (see docs/contract.md#statuses-of-a-container).
	Status freight.ContainerStatus
	// Milestones that have happened, in order of time.
	Milestones []Milestone
	// Times of the box; zero when not known.
	EmptyOutAt, POLFullInAt, POLLoadedAt, POLDepartedAt freight.Moment
	PODArrivedAt, PODDischargedAt, PODFullOutAt         freight.Moment
	PODRailLoadedAt, PODRailDepartedAt                  freight.Moment
	INDETA, INDATA, INDRailUnloadedAt, DestFullOutAt    freight.Moment
	DeliveredAt, EmptyTerminatedAt                      freight.Moment
	// ReturnedUnused: it was gated in empty at its origin, after it had been
	// picked up empty, and nothing was shipped in it. Its journey never began.
	ReturnedUnused bool
	// What the terminal says. TerminalCheckedAt is the latest time of such a
	// fact by its source's own clock.
	AvailabilityKnown bool
	Available         bool
	Holds             []freight.Hold
	Fees              []freight.Fee
	Yard, Chassis     string
	Appointment       freight.Moment
	LFDTerminal       freight.Moment
	LFDLine, LFDRail  freight.Moment
	TerminalCheckedAt time.Time
	// PODTerminal and PickupFacility are the POD and the inland place of delivery
	// with the facility where this box is, or is expected: its own where facts
	// name one, else the shipment's. Zero while the place is not known.
	PODTerminal, PickupFacility freight.Place
	// PODZone and DestZone are the zones of its own POD and inland place of delivery,
	// which can be others than the shipment's; IANA, empty when not known.
	PODZone, DestZone string
	// Provenance says from which facts these values follow.
	Provenance ContainerProvenance
}

// Milestone is a named thing that has happened to a box.
type Milestone struct {
	// Event is the event name, such as container.transport.vessel_loaded.
	Event freight.EventName
	// At is when, with zone and precision.
	At freight.Moment
	// Place is where; its Role is set where it is known.
	Place freight.Place
	// Leg tells visits of one place apart, from 0; turns of availability are
	// counted within the calendar day at the place.
	Leg    int
	Vessel freight.VesselRef
	Voyage string
	// DataSource is who reported it.
	DataSource freight.DataSource
	// Fact is the index of the fact that it follows from.
	Fact int
}

// FactOutcome is what became of one fact.
type FactOutcome struct {
	// Superseded: a later version or a retraction has taken its place, or an
	// actual has taken the place of this estimate of the same milestone by the
	// same source ID. Superseded facts derive nothing.
	Superseded bool
	// Event is the raw event's normalised name in the light of what is now known of its
	// place; empty when there is none.
	Event string
}

// LoggedFact is a fact with what the engine knows about its arrival.
type LoggedFact struct {
	freight.Fact
	// Source, DataSource and SCAC are the report's, or the fact's own.
	Source     string             `json:"source"`
	DataSource freight.DataSource `json:"said_by"`
	SCAC       string             `json:"line,omitempty"`
	// Arrival orders facts of equal RecordedAt: by the commits of the reports
	// that brought them, and within a report by position. It is the number of the
	// raw event, from 1.
	Arrival int64 `json:"-"`
}
