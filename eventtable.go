package tracking

import (
	"slices"
	"sync"

	"github.com/landfallhq/tracking/freight"
)

// EventNames returns the 41 names of freight events, in the order of the published
// interface.
func EventNames() []EventName {
	return eventNames(func(e *eventRow) bool { return e.class != &documentEvent })
}

// documentEventNames are the names of the events about documents. Webhooks accept them
// too.
func documentEventNames() []EventName {
	return eventNames(func(e *eventRow) bool { return e.class == &documentEvent })
}

func eventNames(included func(*eventRow) bool) (names []EventName) {
	for i := range eventTable {
		if included(&eventTable[i]) {
			names = append(names, eventTable[i].name)
		}
	}
	return names
}

// EventDescription describes an event.
type EventDescription struct {
	Name EventName
	// Sources of the event: "DCSA" (Track & Trace: queried, pushed or imported),
	// "arrival notice", "report", "by hand" or "engine". Document events have none.
	Sources []string
	// Condition under which it is announced.
	Condition string
	// Reference is the resource type of its reference object, and Include has the paths
	// of the resources that are included with it, as Rendered.List takes them.
	Reference string
	Include   []string
	// Correction says what is announced when the event proves inaccurate, and Withdrawal
	// what is when it proves wrong and nothing replaces it. Empty for document events.
	Correction, Withdrawal string
	// Unless has the conditions under which it is not announced.
	Unless []string
}

// describeEvents describes the 41 events, in the order of EventNames.
func describeEvents() (list []EventDescription) {
	for i := range eventTable {
		if e := &eventTable[i]; e.class != &documentEvent {
			list = append(list, e.describe())
		}
	}
	return list
}

func (e *eventRow) describe() EventDescription {
	d := EventDescription{
		Name: e.name, Condition: e.condition, Reference: e.reference.resource, Include: slices.Clone(e.reference.include),
		Correction: e.class.correction, Withdrawal: e.class.withdrawal, Unless: slices.Clone(e.class.unless),
	}
	for i, name := range eventSourceNames {
		if e.sources&(1<<i) != 0 {
			d.Sources = append(d.Sources, name)
		}
	}
	return d
}

// EventCategory is a group of events, for the choice of a webhook's events.
type EventCategory struct {
	// ID is a slug such as tracking-request-events; Name is its label.
	ID, Name string
	Events   []EventDescription
}

// eventCategories are all events that a webhook can subscribe to, each in one
// category.
func eventCategories() []EventCategory {
	list := []EventCategory{
		{ID: "tracking-request-events", Name: "Tracking Request Events"},
		{ID: "transport-milestone-events", Name: "Transport Milestone Events"},
		{ID: "estimated-events", Name: "Estimated Events"},
		{ID: "container-update-events", Name: "Container Update Events"},
		{ID: "document-events", Name: "Document Events"},
	}
	for i := range eventTable {
		c := &list[slices.IndexFunc(list, func(c EventCategory) bool { return c.ID == eventTable[i].class.category })]
		c.Events = append(c.Events, eventTable[i].describe())
	}
	return list
}

// eventSources are the sources by which an event can come, in the order of
// eventSourceNames.
type eventSources uint8

const (
	fromDCSA eventSources = 1 << iota
	fromNotice
	fromReport
	byHand
	fromEngine
)

var eventSourceNames = []string{"DCSA", "arrival notice", "report", "by hand", "engine"}

// eventClass is what events of one sort have in common.
type eventClass struct {
	category               string // in EventCategories
	correction, withdrawal string
	unless                 []string
}

// When an event is not announced.
const (
	unlessSilent      = "the report is silent, as those of imports and rederive are"
	unlessStopped     = "tracking of the shipment is stopped; if a rule has stopped it, corrections are announced all the same"
	unlessHistory     = "it happened before the request, and comes with the first answer of the source"
	unlessAnnounced   = "the same version of it was announced before"
	unlessSplitOff    = "the facts of the shipment belonged to another shipment until now"
	unlessFirst       = "it is the first value, and comes with the shipment, the container or the first answer"
	unlessActualKnown = "the actual time is known, or no estimate is"
	unlessInState     = "the request is in that state already; for awaiting_manifest, or was before"
	unlessRepeated    = "the value was announced within the refresh interval before: it waits for the end of the interval"
)

const (
	correctedMilestone = "another time (by more than a minute), place, vessel or voyage: the event again, as a new version whose previous_version is the former; " +
		"another name for the same move: the event of that name, and container.updated with transport_events: [[former], [new]]. " +
		"Details that become known later, and other spellings, complete the event and are not announced"
	withdrawnMilestone = "container.updated with transport_events: [[former], []]; the former has invalidated_at"
)

var (
	milestoneEvent = eventClass{"transport-milestone-events", correctedMilestone, withdrawnMilestone,
		[]string{unlessSilent, unlessStopped, unlessHistory, unlessAnnounced, unlessSplitOff}}
	availabilityEvent = eventClass{"transport-milestone-events", correctedMilestone + ". A new change of availability is no correction", withdrawnMilestone,
		[]string{unlessSilent, unlessStopped, unlessHistory, unlessAnnounced, unlessSplitOff, unlessRepeated}}
	estimateEvent = eventClass{"estimated-events", "the event again, with the new estimate", "nothing: the actual time is announced as an event of its own",
		[]string{unlessSilent, unlessStopped, unlessFirst, unlessActualKnown, unlessRepeated}}
	valueEvent = eventClass{"container-update-events", "the event again: its former value is the one announced last", "the event again, with the value null or empty",
		[]string{unlessSilent, unlessStopped, unlessFirst, unlessRepeated}}
	creationEvent = eventClass{"container-update-events", "nothing", "container.updated with shipment: [id, null]",
		[]string{unlessSilent, unlessStopped, unlessAnnounced, unlessSplitOff}}
	requestEvent         = eventClass{"tracking-request-events", "nothing", "nothing", []string{unlessInState}}
	failedRequestEvent   = eventClass{"tracking-request-events", "nothing", "nothing: the number can be requested again", []string{unlessInState}}
	awaitingRequestEvent = eventClass{"tracking-request-events", "nothing", "tracking_request.succeeded or tracking_request.failed", []string{unlessInState}}
	stoppedRequestEvent  = eventClass{"tracking-request-events", "nothing", "nothing: if facts or a user resume tracking, the status of the request shows it", []string{unlessInState}}
	documentEvent        = eventClass{category: "document-events"}
)

// referenceObject is the resource type of a reference object, and what is included with
// it.
type referenceObject struct {
	resource string
	include  []string
}

var (
	transportReference = referenceObject{"transport_event", []string{"shipment", "container", "location", "vessel", "terminal"}}
	estimateReference  = referenceObject{"estimated_event", []string{"shipment", "port", "vessel"}}
	createdReference   = referenceObject{"container_created_event", []string{"shipment", "container"}}
	updatedReference   = referenceObject{"container_updated_event", []string{"shipment", "container", "terminal", "terminal.port"}}
	terminalReference  = referenceObject{"container_pod_terminal_changed_event", []string{"shipment", "container", "terminal"}}
	requestReference   = referenceObject{"tracking_request", []string{"tracked_object", "tracked_object.containers"}}
	documentReference  = referenceObject{"document", []string{"email_submission", "last_document_representation"}}
)

// eventRow describes an event.
type eventRow struct {
	name      EventName
	class     *eventClass
	reference *referenceObject
	sources   eventSources
	// at is when it happens in the example (ExampleNotification), or when a change is
	// reported; UTC. place is a LOCODE, with what else the example shows.
	at, place string
	with      exampleParts
	condition string
}

// eventOf returns the row of an event; nil if there is no such event.
func eventOf(name EventName) *eventRow { return eventsByName()[name] }

var eventsByName = sync.OnceValue(func() map[EventName]*eventRow {
	rows := map[EventName]*eventRow{}
	for i := range eventTable {
		rows[eventTable[i].name] = &eventTable[i]
	}
	return rows
})

// Document events, which come in addition to the 41 events of freight.
const (
	DocumentExtracted        EventName = "document.extracted"
	DocumentExtractionFailed EventName = "document.extraction_failed"
)

// eventTable has all events: those of EventNames in that order, then those about
// documents. In the example a container goes from Nantong by feeder to Shanghai, from
// there by way of Busan to Los Angeles, and on by rail to Chicago.
var eventTable = []eventRow{
	{freight.VesselArrived, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport, "2026-01-28T15:40:00Z", "USLAX", withVessel,
		"the main vessel arrives at the port of discharge"},
	{freight.EstimatedVesselArrived, &estimateEvent, &transportReference, fromDCSA | fromNotice | fromReport, "2026-01-20T12:00:00Z", "USLAX", withVessel,
		"the estimated arrival at the port of discharge changes; one event for each container that has not arrived"},
	{freight.VesselDischarged, &milestoneEvent, &transportReference, fromDCSA | fromReport, "2026-01-29T21:30:00Z", "USLAX", withVessel | withTerminal,
		"the container is discharged at the port of discharge"},
	{freight.VesselLoaded, &milestoneEvent, &transportReference, fromDCSA | fromReport, "2026-01-10T13:25:00Z", "CNSHA", withVessel,
		"the container is loaded on the main vessel at the port of lading"},
	{freight.VesselDeparted, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport, "2026-01-11T02:15:00Z", "CNSHA", withVessel,
		"the main vessel departs from the port of lading"},
	{freight.EstimatedVesselDeparted, &estimateEvent, &transportReference, fromDCSA | fromNotice | fromReport, "2026-01-09T07:00:00Z", "CNSHA", withVessel,
		"the estimated departure from the port of lading changes; one event for each container that has not departed"},
	{freight.VesselBerthed, &milestoneEvent, &transportReference, fromReport, "2026-01-28T18:10:00Z", "USLAX", withVessel | withTerminal,
		"the main vessel berths at the port of discharge"},
	{freight.RailDeparted, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport, "2026-02-03T04:00:00Z", "USLAX", 0,
		"the train departs"},
	{freight.RailArrived, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport, "2026-02-06T11:30:00Z", "USCHI", 0,
		"the train arrives, at interchanges too"},
	{freight.RailLoaded, &milestoneEvent, &transportReference, fromDCSA | fromReport, "2026-02-02T19:15:00Z", "USLAX", 0,
		"the container is loaded on a train"},
	{freight.RailUnloaded, &milestoneEvent, &transportReference, fromDCSA | fromReport, "2026-02-06T20:45:00Z", "USCHI", 0,
		"the container is unloaded from a train"},
	{freight.TransshipmentArrived, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport, "2026-01-13T21:00:00Z", "KRPUS", withVessel,
		"the main vessel arrives at a transshipment port"},
	{freight.TransshipmentDischarged, &milestoneEvent, &transportReference, fromDCSA | fromReport, "2026-01-14T04:30:00Z", "KRPUS", withVessel,
		"the container is discharged at a transshipment port"},
	{freight.TransshipmentLoaded, &milestoneEvent, &transportReference, fromDCSA | fromReport, "2026-01-16T10:05:00Z", "KRPUS", withVessel,
		"the container is loaded at a transshipment port"},
	{freight.TransshipmentDeparted, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport, "2026-01-16T23:50:00Z", "KRPUS", withVessel,
		"the main vessel departs from a transshipment port"},
	{freight.FeederArrived, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport, "2026-01-08T03:20:00Z", "CNSHA", 0,
		"the feeder or barge arrives"},
	{freight.FeederDischarged, &milestoneEvent, &transportReference, fromDCSA | fromReport, "2026-01-08T06:40:00Z", "CNSHA", 0,
		"the container is discharged from a feeder or barge"},
	{freight.FeederLoaded, &milestoneEvent, &transportReference, fromDCSA | fromReport, "2026-01-07T01:45:00Z", "CNNTG", 0,
		"the container is loaded on a feeder or barge, at any port"},
	{freight.FeederDeparted, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport, "2026-01-07T08:00:00Z", "CNNTG", 0,
		"the feeder or barge departs"},
	{freight.EmptyOut, &milestoneEvent, &transportReference, fromDCSA | fromReport, "2026-01-05T02:30:00Z", "CNNTG", 0,
		"the empty container leaves a facility by land, before the sea leg"},
	{freight.FullIn, &milestoneEvent, &transportReference, fromDCSA | fromReport, "2026-01-06T05:10:00Z", "CNNTG", 0,
		"the laden container enters a facility by land, before the sea leg"},
	{freight.FullOut, &milestoneEvent, &transportReference, fromDCSA | fromReport, "2026-02-08T14:10:00Z", "USCHI", 0,
		"the laden container leaves a facility by land, after the sea leg"},
	{freight.EmptyIn, &milestoneEvent, &transportReference, fromDCSA | fromReport, "2026-02-10T16:00:00Z", "USCHI", 0,
		"the empty container enters a facility by land, after the sea leg"},
	{freight.ArrivedAtDestination, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport, "2026-02-06T11:30:00Z", "USCHI", 0,
		"a train, truck or barge reaches the place of delivery; or the laden container enters it by land and no source reports the arrival"},
	{freight.EstimatedArrivedAtDestination, &estimateEvent, &transportReference, fromDCSA | fromNotice | fromReport, "2026-02-04T13:00:00Z", "USCHI", 0,
		"the estimated arrival at the place of delivery by rail, truck or barge changes"},
	{freight.Available, &availabilityEvent, &transportReference, fromDCSA | fromReport, "2026-01-31T16:20:00Z", "USLAX", withTerminal,
		"the terminal would release the container"},
	{freight.NotAvailable, &availabilityEvent, &transportReference, fromDCSA | fromReport, "2026-01-29T23:00:00Z", "USLAX", withTerminal,
		"the terminal would not release the container, or no longer would"},
	{freight.Delivered, &milestoneEvent, &transportReference, fromDCSA | fromReport | byHand, "2026-02-08T17:30:00Z", "USCHI", 0,
		"the laden container is handed over to the consignee, or a user marks it as delivered"},
	{freight.ShipmentEstimatedArrival, &estimateEvent, &estimateReference, fromDCSA | fromNotice | fromReport, "2026-01-20T12:00:00Z", "USLAX", withVessel,
		"the estimated arrival at the port of discharge changes"},
	{freight.TrackingRequestSucceeded, &requestEvent, &requestReference, fromEngine, "2026-01-04T09:00:00Z", "", 0,
		"the shipment exists and is linked to the request"},
	{freight.TrackingRequestFailed, &failedRequestEvent, &requestReference, fromEngine, "2026-02-11T09:00:00Z", "", 0,
		"the request has failed for good"},
	{freight.TrackingRequestAwaitingManifest, &awaitingRequestEvent, &requestReference, fromEngine, "2026-01-03T09:00:00Z", "", 0,
		"the shipping line does not know the number yet; announced the first time only"},
	{freight.TrackingRequestStopped, &stoppedRequestEvent, &requestReference, byHand | fromEngine, "2026-02-10T17:00:00Z", "", 0,
		"a user, a rule or the closing of the account stops tracking of the shipment"},
	{freight.ContainerCreated, &creationEvent, &createdReference, fromDCSA | fromNotice | fromReport, "2026-01-04T09:00:00Z", "", 0,
		"a container is reported in its shipment for the first time"},
	{freight.ContainerUpdated, &valueEvent, &updatedReference, fromDCSA | fromNotice | fromReport, "2026-01-31T16:20:00Z", "USLAX", 0,
		"holds, fees, availability, a last free day, the appointment or the terminal changes, an announced milestone becomes invalid or gets another name, or the container leaves the shipment; one event for all changes of an update"},
	{freight.ContainerPODTerminalChanged, &valueEvent, &terminalReference, fromDCSA | fromNotice | fromReport, "2026-01-25T18:00:00Z", "USLAX", 0,
		"the container is assigned to another terminal at the port of discharge"},
	{freight.PickupLFDChanged, &valueEvent, &transportReference, fromNotice | fromReport, "2026-01-30T19:00:00Z", "USLAX", withTerminal,
		"the last free day that counts becomes another calendar day at its place"},
	{freight.PickupLFDLineChanged, &valueEvent, &transportReference, fromNotice | fromReport, "2026-01-30T19:00:00Z", "USLAX", withTerminal,
		"the shipping line's last free day changes"},
	{freight.PickupLFDTerminalChanged, &valueEvent, &transportReference, fromReport, "2026-01-30T17:00:00Z", "USLAX", withTerminal,
		"the terminal's last free day changes"},
	{freight.PickupLFDRailChanged, &valueEvent, &transportReference, fromReport, "2026-02-07T15:00:00Z", "USCHI", 0,
		"the railway's last free day changes"},
	{freight.PickupAppointmentChanged, &valueEvent, &transportReference, fromReport, "2026-01-31T20:00:00Z", "USLAX", withTerminal,
		"the pickup appointment changes"},
	{DocumentExtracted, &documentEvent, &documentReference, 0, "2026-01-26T08:00:00Z", "", 0,
		"the fields of a document were extracted"},
	{DocumentExtractionFailed, &documentEvent, &documentReference, 0, "2026-01-26T08:30:00Z", "", 0,
		"the fields of a document could not be extracted"},
}
