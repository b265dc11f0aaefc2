package tracking

// EventName is the public name of an event (specification, "Events").
type EventName string

// The actual milestones of a container.
const (
	VesselArrived           EventName = "container.transport.vessel_arrived"
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
	Delivered               EventName = "container.transport.delivered"
)
