// Package journey derives the journey of each container from the facts of one shipment: the
// roles of ports, voyages, milestones, statuses, times, holds and availability, each with
// the facts that it follows from.
//
// [Derive] is pure and total. It reads no clock and no store. Values that depend on the
// present time are computed in the root package.
package journey

import (
	"time"

	"github.com/landfallhq/tracking/freight"
)

// RulesVersion is the version of the derivation rules. It is raised whenever the same facts
// give a different result. Answers about the past have it, because they apply the present
// rules to the facts of that time.
const RulesVersion = 3

// Journey is everything that is derived from the facts of one shipment. It is a plain
// value: equal sets of facts give equal journeys.
type Journey struct {
	// POL, POD and Destination are zero while not known. Transshipments are the ports
	// between, in the order of the calls.
	POL, POD, Destination freight.Place
	Transshipments        []freight.Place
	// PODVessel and PODVoyage bring the shipment to its POD.
	PODVessel freight.VesselRef
	PODVoyage string
	// The times of the shipment; zero when not known. An actual time does not replace an
	// estimate: both are kept.
	POLETD, POLATD   freight.Moment
	PODETA, PODATA   freight.Moment
	PODOriginalETA   freight.Moment // the estimate that was recorded first, by the source's time
	DestETA, DestATA freight.Moment
	POLZone, PODZone string // IANA; empty when not known
	DestZone         string
	Cancelled        bool // the line cancelled the booking
	// Containers are sorted by number.
	Containers []ContainerJourney
	// Numbers and References of the valid facts, sorted, without repeats.
	Numbers    []freight.ShipmentNumber
	References []string
	// StatedPODs are the ports of discharge that facts state or stated as a route, in the
	// order in which they were recorded first.
	StatedPODs []StatedPort
	// Provenance has the facts from which these values follow.
	Provenance ShipmentProvenance
	// Facts has the outcome of each fact, by its index.
	Facts []FactOutcome
	// Warnings about implausible facts, sorted.
	Warnings []freight.Warning
}

// ContainerJourney is the journey of one container.
type ContainerJourney struct {
	// Number is in upper case without blanks or hyphens.
	Number    string
	Equipment freight.Equipment
	// Status is current_status (see docs/contract.md#statuses-of-a-container).
	Status freight.ContainerStatus
	// Milestones are those that have happened, in order of time.
	Milestones []Milestone
	// The times of the container; zero when not known.
	EmptyOutAt, POLFullInAt, POLLoadedAt, POLDepartedAt freight.Moment
	PODArrivedAt, PODDischargedAt, PODFullOutAt         freight.Moment
	PODRailLoadedAt, PODRailDepartedAt                  freight.Moment
	INDETA, INDATA, INDRailUnloadedAt, DestFullOutAt    freight.Moment
	DeliveredAt, EmptyTerminatedAt                      freight.Moment
	// ReturnedUnused: the container was picked up empty and returned empty at the origin,
	// and nothing was shipped in it. Its journey never began.
	ReturnedUnused bool
	// Values from terminals, lines and customs. TerminalCheckedAt is the latest time of such
	// a fact by the source's clock.
	AvailabilityKnown bool
	Available         bool
	Holds             []freight.Hold
	Fees              []freight.Fee
	Yard, Chassis     string
	Appointment       freight.Moment
	LFDTerminal       freight.Moment
	LFDLine, LFDRail  freight.Moment
	TerminalCheckedAt time.Time
	// Release are the indexes of the facts about its release, in order of effect: availability,
	// holds and statuses of terminals. Those of its export are not among them.
	Release []int
	// PODTerminal and PickupFacility are the POD and the inland place of delivery with the
	// facility where this container is or is expected: its own where facts have one, else
	// the shipment's. Zero while the place is not known.
	PODTerminal, PickupFacility freight.Place
	// PODZone and DestZone are the zones of this container's POD and inland place of
	// delivery, which can differ from the shipment's; IANA, empty when not known.
	PODZone, DestZone string
	// Legs are its stays aboard ships, in order. Missed are the ships that are without it
	// although it was planned on them, by ship. Diversions are planned ports where its ship did
	// not put it ashore. Expected are the milestones to come, by time.
	Legs       []Leg
	Missed     []MissedShip
	Diversions []Diversion
	Expected   []Expectation
	// Provenance has the facts from which these values follow.
	Provenance ContainerProvenance
}

// Milestone is a named event of a container that has happened.
type Milestone struct {
	// Event is the event name, such as container.transport.vessel_loaded.
	Event freight.EventName
	// At is the time of the event, with zone and precision.
	At freight.Moment
	// Place is where it happened; its Role is empty when not known.
	Place freight.Place
	// Leg numbers the visits of one place, from 0; changes of availability are counted
	// within one minute.
	Leg    int
	Vessel freight.VesselRef
	Voyage string
	// DataSource is who reported it.
	DataSource freight.DataSource
	// Fact is the index of the fact that it follows from.
	Fact int
}

// FactOutcome is the result of one fact.
type FactOutcome struct {
	// Superseded: a later version with the same source ID, or a retraction, has replaced the
	// fact.
	Superseded bool
	// Event is the normalised name of the raw event, by what is now known of its place;
	// empty when there is none.
	Event string
}

// LoggedFact is a fact with its report and the order of its arrival.
type LoggedFact struct {
	freight.Fact
	// Source, DataSource and SCAC are those of the fact, else of its report.
	Source     string             `json:"source"`
	DataSource freight.DataSource `json:"said_by"`
	SCAC       string             `json:"line,omitempty"`
	// Arrival orders facts of equal RecordedAt: by the commits of their reports, and within
	// a report by position. It is the number of the raw event, from 1.
	Arrival int64 `json:"-"`
}
