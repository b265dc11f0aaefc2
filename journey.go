package tracking

import (
	"time"

	"github.com/landfallhq/tracking/freight"
)

// Journey is everything that is derived from the facts of one shipment. It is
// a plain value: two equal sets of facts give two equal journeys.
type Journey struct {
	// POL, POD and Destination are zero while their role is not known.
	// Transshipments are the ports between, in the order they are called at.
	POL, POD, Destination Place
	Transshipments        []Place
	// PODVessel and PODVoyage bring the shipment to its POD.
	PODVessel VesselRef
	PODVoyage string
	// The times of the shipment; zero when not known. An actual time never
	// takes the place of an estimate: both are kept.
	POLETD, POLATD   Moment
	PODETA, PODATA   Moment
	PODOriginalETA   Moment // the estimate recorded first by the source's own time
	DestETA, DestATA Moment
	POLZone, PODZone string // IANA; empty when not known
	DestZone         string
	Cancelled        bool // the line cancelled the booking
	// Containers are in the order of their numbers.
	Containers []ContainerJourney
	// Numbers and References that the facts name, sorted, without repeats.
	Numbers    []ShipmentNumber
	References []string
	// Provenance says from which facts these values follow.
	Provenance ShipmentProvenance
	// Facts says for each fact, by its index, what became of it.
	Facts []FactOutcome
	// Warnings about odd data, in a fixed order.
	Warnings []Warning
}

// ContainerJourney is what is derived for one box.
type ContainerJourney struct {
	// Number in upper case without blanks or hyphens.
	Number    string
	Equipment freight.Equipment
	// Status is current_status (see docs/contract.md#statuses-of-a-container).
	Status ContainerStatus
	// Milestones that have happened, in order of time.
	Milestones []Milestone
	// Times of the box; zero when not known.
	EmptyOutAt, POLFullInAt, POLLoadedAt, POLDepartedAt Moment
	PODArrivedAt, PODDischargedAt, PODFullOutAt         Moment
	PODRailLoadedAt, PODRailDepartedAt                  Moment
	INDETA, INDATA, INDRailUnloadedAt, DestFullOutAt    Moment
	DeliveredAt, EmptyTerminatedAt                      Moment
	// ReturnedUnused: it was gated in empty at its origin, after it had been
	// picked up empty, and nothing was shipped in it. Its journey never began.
	ReturnedUnused bool
	// What the terminal says. TerminalCheckedAt is the latest time of such a
	// fact by its source's own clock.
	AvailabilityKnown bool
	Available         bool
	Holds             []Hold
	Fees              []Fee
	Yard, Chassis     string
	Appointment       Moment
	LFDTerminal       Moment
	LFDLine, LFDRail  Moment
	TerminalCheckedAt time.Time
	// PODTerminal and PickupFacility are the POD and the inland place of delivery
	// with the facility where this box is, or is expected: its own where facts
	// name one, else the shipment's. Zero while the place is not known.
	PODTerminal, PickupFacility Place
	// PODZone and DestZone are the zones of its own POD and inland place of delivery,
	// which can be others than the shipment's; IANA, empty when not known.
	PODZone, DestZone string
	// Provenance says from which facts these values follow.
	Provenance ContainerProvenance
}

// Milestone is a named thing that has happened to a box.
type Milestone struct {
	// Event is the event name, such as container.transport.vessel_loaded.
	Event EventName
	// At is when, with zone and precision.
	At Moment
	// Place is where; its Role is set where it is known.
	Place Place
	// Leg tells visits of one place apart, from 0; turns of availability are
	// counted within the calendar day at the place.
	Leg    int
	Vessel VesselRef
	Voyage string
	// DataSource is who reported it.
	DataSource DataSource
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
	Fact
	// Source, DataSource and SCAC are the report's, or the fact's own.
	Source     string     `json:"source"`
	DataSource DataSource `json:"said_by"`
	SCAC       string     `json:"line,omitempty"`
	// Arrival orders facts of equal RecordedAt: by the commits of the reports
	// that brought them, and within a report by position. It is the number of the
	// raw event, from 1.
	Arrival int64 `json:"-"`
}

// ContainerStatus is the current_status of a container (see
// docs/contract.md#statuses-of-a-container).
type ContainerStatus string

// The values of current_status. dropped and loaded are legacy and never given.
const (
	StatusNew                    ContainerStatus = "new"
	StatusOnShip                 ContainerStatus = "on_ship"
	StatusAvailable              ContainerStatus = "available"
	StatusNotAvailable           ContainerStatus = "not_available"
	StatusGrounded               ContainerStatus = "grounded"
	StatusOnRail                 ContainerStatus = "on_rail"
	StatusPickedUp               ContainerStatus = "picked_up"
	StatusOffDock                ContainerStatus = "off_dock"
	StatusDelivered              ContainerStatus = "delivered"
	StatusEmptyReturned          ContainerStatus = "empty_returned"
	StatusAwaitingInlandTransfer ContainerStatus = "awaiting_inland_transfer"
)
