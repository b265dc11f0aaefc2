package freight

// EventName is the public name of an event (see docs/contract.md#events-and-their-payloads
// and docs/events.md).
type EventName string

// The milestones of a container. EmptyOut to EmptyIn are moves through a gate;
// docs/events.md says when each happens.
const (
	VesselArrived           EventName = "container.transport.vessel_arrived"
	VesselBerthed           EventName = "container.transport.vessel_berthed"
	VesselDischarged        EventName = "container.transport.vessel_discharged"
	VesselLoaded            EventName = "container.transport.vessel_loaded"
	VesselDeparted          EventName = "container.transport.vessel_departed"
	RailDeparted            EventName = "container.transport.rail_departed"
	RailArrived             EventName = "container.transport.rail_arrived"
	RailLoaded              EventName = "container.transport.rail_loaded"
	RailUnloaded            EventName = "container.transport.rail_unloaded"
	TransshipmentArrived    EventName = "container.transport.transshipment_arrived"
	TransshipmentDischarged EventName = "container.transport.transshipment_discharged"
	TransshipmentLoaded     EventName = "container.transport.transshipment_loaded"
	TransshipmentDeparted   EventName = "container.transport.transshipment_departed"
	FeederArrived           EventName = "container.transport.feeder_arrived"
	FeederDischarged        EventName = "container.transport.feeder_discharged"
	FeederLoaded            EventName = "container.transport.feeder_loaded"
	FeederDeparted          EventName = "container.transport.feeder_departed"
	EmptyOut                EventName = "container.transport.empty_out"
	FullIn                  EventName = "container.transport.full_in"
	FullOut                 EventName = "container.transport.full_out"
	EmptyIn                 EventName = "container.transport.empty_in"
	ArrivedAtDestination    EventName = "container.transport.arrived_at_inland_destination"
	Available               EventName = "container.transport.available"
	NotAvailable            EventName = "container.transport.not_available"
	Delivered               EventName = "container.transport.delivered"
)

// Changes of a shipment or a container that are no milestones.
const (
	ShipmentEstimatedArrival      EventName = "shipment.estimated.arrival"
	EstimatedVesselArrived        EventName = "container.transport.estimated.vessel_arrived"
	EstimatedVesselDeparted       EventName = "container.transport.estimated.vessel_departed"
	EstimatedArrivedAtDestination EventName = "container.transport.estimated.arrived_at_inland_destination"

	ContainerCreated            EventName = "container.created"
	ContainerUpdated            EventName = "container.updated"
	ContainerPODTerminalChanged EventName = "container.pod_terminal_changed"

	PickupLFDChanged         EventName = "container.pickup_lfd.changed"
	PickupLFDLineChanged     EventName = "container.pickup_lfd_line.changed"
	PickupLFDTerminalChanged EventName = "container.pickup_lfd_terminal.changed"
	PickupLFDRailChanged     EventName = "container.pickup_lfd_rail.changed"
	PickupAppointmentChanged EventName = "container.pickup_appointment.changed"
)

// The states that a tracking request reaches.
const (
	TrackingRequestSucceeded        EventName = "tracking_request.succeeded"
	TrackingRequestFailed           EventName = "tracking_request.failed"
	TrackingRequestAwaitingManifest EventName = "tracking_request.awaiting_manifest"
	TrackingRequestStopped          EventName = "tracking_request.tracking_stopped"
)

// What is found to go wrong. Webhooks get these only if they name them or their category.
const (
	FreeTimeEnding   EventName = "container.free_time.ending"
	FreeTimeEnded    EventName = "container.free_time.ended"
	MilestoneOverdue EventName = "milestone.overdue"
	ExceptionOpened  EventName = "exception.opened"
	ExceptionClosed  EventName = "exception.closed"
)
