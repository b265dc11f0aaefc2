package eventcatalog

import "github.com/landfallhq/tracking/freight"

// sources are the sources by which an event can come, in the order of
// sourceNames.
type sources uint8

const (
	fromDCSA sources = 1 << iota
	fromNotice
	fromReport
	byHand
	fromEngine
)

var sourceNames = []string{"DCSA", "arrival notice", "report", "by hand", "engine"}

// class is what events of one sort have in common.
type class struct {
	category               string
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
	unlessUserStopped = "a user has stopped tracking of the shipment; what then stands is announced when tracking is resumed"
	unlessClosed      = "the exception was over when it was found"
	unlessException   = "the exception was opened or closed within the refresh interval before: what stands at its end is announced"
	unlessRepeated    = "the value was announced within the refresh interval before: it waits for the end of the interval"
)

const (
	correctedMilestone = "another time (by more than a minute), place, vessel or voyage: the event again, as a new version whose previous_version is the former; " +
		"another name for the same move: the event of that name, and container.updated with transport_events: [[former], [new]]. " +
		"Details that become known later, and other spellings, complete the event and are not announced"
	withdrawnMilestone = "container.updated with transport_events: [[former], []]; the former has invalidated_at"
)

var (
	milestoneEvent = class{milestones, correctedMilestone, withdrawnMilestone,
		[]string{unlessSilent, unlessStopped, unlessHistory, unlessAnnounced, unlessSplitOff}}
	availabilityEvent = class{milestones, correctedMilestone + ". A new change of availability is no correction", withdrawnMilestone,
		[]string{unlessSilent, unlessStopped, unlessHistory, unlessAnnounced, unlessSplitOff, unlessRepeated}}
	estimateEvent = class{estimates, "the event again, with the new estimate", "nothing: the actual time is announced as an event of its own",
		[]string{unlessSilent, unlessStopped, unlessFirst, unlessActualKnown, unlessRepeated}}
	valueEvent = class{updates, "the event again: its former value is the one announced last", "the event again, with the value null or empty",
		[]string{unlessSilent, unlessStopped, unlessFirst, unlessRepeated}}
	creationEvent = class{updates, "nothing", "container.updated with shipment: [id, null]",
		[]string{unlessSilent, unlessStopped, unlessAnnounced, unlessSplitOff}}
	requestEvent         = class{requests, "nothing", "nothing", []string{unlessInState}}
	failedRequestEvent   = class{requests, "nothing", "nothing: the number can be requested again", []string{unlessInState}}
	awaitingRequestEvent = class{requests, "nothing", "tracking_request.succeeded or tracking_request.failed", []string{unlessInState}}
	stoppedRequestEvent  = class{requests, "nothing", "nothing: if facts or a user resume tracking, the status of the request shows it", []string{unlessInState}}
	documentEvent        = class{category: documents}
	openedEvent          = class{exceptions, "nothing: the exception shows its present severity and detail", "exception.closed",
		[]string{unlessSilent, unlessUserStopped, unlessClosed, unlessException}}
	closedEvent = class{exceptions, "nothing", "exception.opened, when the same is found again",
		[]string{unlessSilent, unlessUserStopped, unlessClosed, unlessException}}
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
	containerReference = referenceObject{"container", []string{"shipment", "pod_terminal", "pod_terminal.port"}}
	exceptionReference = referenceObject{"exception", []string{"shipment", "container"}}
	documentReference  = referenceObject{"document", []string{"email_submission", "last_document_representation"}}
)

// row describes an event.
type row struct {
	name      freight.EventName
	class     *class
	reference *referenceObject
	sources   sources
	condition string
}

// The events about documents, which come in addition to the 41 events of freight.
const (
	documentExtracted        freight.EventName = "document.extracted"
	documentExtractionFailed freight.EventName = "document.extraction_failed"
)

// rows are all events: those of freight in the order of the published interface, those
// about documents, and those about exceptions.
var rows = []row{
	{freight.VesselArrived, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport,
		"the main vessel arrives at the port of discharge"},
	{freight.EstimatedVesselArrived, &estimateEvent, &transportReference, fromDCSA | fromNotice | fromReport,
		"the estimated arrival at the port of discharge changes; one event for each container that has not arrived"},
	{freight.VesselDischarged, &milestoneEvent, &transportReference, fromDCSA | fromReport,
		"the container is discharged at the port of discharge"},
	{freight.VesselLoaded, &milestoneEvent, &transportReference, fromDCSA | fromReport,
		"the container is loaded on the main vessel at the port of lading"},
	{freight.VesselDeparted, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport,
		"the main vessel departs from the port of lading"},
	{freight.EstimatedVesselDeparted, &estimateEvent, &transportReference, fromDCSA | fromNotice | fromReport,
		"the estimated departure from the port of lading changes; one event for each container that has not departed"},
	{freight.VesselBerthed, &milestoneEvent, &transportReference, fromReport,
		"the main vessel berths at the port of discharge"},
	{freight.RailDeparted, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport,
		"the train departs"},
	{freight.RailArrived, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport,
		"the train arrives, at interchanges too"},
	{freight.RailLoaded, &milestoneEvent, &transportReference, fromDCSA | fromReport,
		"the container is loaded on a train"},
	{freight.RailUnloaded, &milestoneEvent, &transportReference, fromDCSA | fromReport,
		"the container is unloaded from a train"},
	{freight.TransshipmentArrived, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport,
		"the main vessel arrives at a transshipment port"},
	{freight.TransshipmentDischarged, &milestoneEvent, &transportReference, fromDCSA | fromReport,
		"the container is discharged at a transshipment port"},
	{freight.TransshipmentLoaded, &milestoneEvent, &transportReference, fromDCSA | fromReport,
		"the container is loaded at a transshipment port"},
	{freight.TransshipmentDeparted, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport,
		"the main vessel departs from a transshipment port"},
	{freight.FeederArrived, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport,
		"the feeder or barge arrives"},
	{freight.FeederDischarged, &milestoneEvent, &transportReference, fromDCSA | fromReport,
		"the container is discharged from a feeder or barge"},
	{freight.FeederLoaded, &milestoneEvent, &transportReference, fromDCSA | fromReport,
		"the container is loaded on a feeder or barge, at any port"},
	{freight.FeederDeparted, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport,
		"the feeder or barge departs"},
	{freight.EmptyOut, &milestoneEvent, &transportReference, fromDCSA | fromReport,
		"the empty container leaves a facility by land, before the sea leg"},
	{freight.FullIn, &milestoneEvent, &transportReference, fromDCSA | fromReport,
		"the laden container enters a facility by land, before the sea leg"},
	{freight.FullOut, &milestoneEvent, &transportReference, fromDCSA | fromReport,
		"the laden container leaves a facility by land, after the sea leg"},
	{freight.EmptyIn, &milestoneEvent, &transportReference, fromDCSA | fromReport,
		"the empty container enters a facility by land, after the sea leg"},
	{freight.ArrivedAtDestination, &milestoneEvent, &transportReference, fromDCSA | fromNotice | fromReport,
		"a train, truck or barge reaches the place of delivery; or the laden container enters it by land and no source reports the arrival"},
	{freight.EstimatedArrivedAtDestination, &estimateEvent, &transportReference, fromDCSA | fromNotice | fromReport,
		"the estimated arrival at the place of delivery by rail, truck or barge changes"},
	{freight.Available, &availabilityEvent, &transportReference, fromDCSA | fromReport,
		"the terminal would release the container"},
	{freight.NotAvailable, &availabilityEvent, &transportReference, fromDCSA | fromReport,
		"the terminal would not release the container, or no longer would"},
	{freight.Delivered, &milestoneEvent, &transportReference, fromDCSA | fromReport | byHand,
		"the laden container is handed over to the consignee, or a user marks it as delivered"},
	{freight.ShipmentEstimatedArrival, &estimateEvent, &estimateReference, fromDCSA | fromNotice | fromReport,
		"the estimated arrival at the port of discharge changes"},
	{freight.TrackingRequestSucceeded, &requestEvent, &requestReference, fromEngine,
		"the shipment exists and is linked to the request"},
	{freight.TrackingRequestFailed, &failedRequestEvent, &requestReference, fromEngine,
		"the request has failed for good"},
	{freight.TrackingRequestAwaitingManifest, &awaitingRequestEvent, &requestReference, fromEngine,
		"the shipping line does not know the number yet; announced the first time only"},
	{freight.TrackingRequestStopped, &stoppedRequestEvent, &requestReference, byHand | fromEngine,
		"a user, a rule or the closing of the account stops tracking of the shipment"},
	{freight.ContainerCreated, &creationEvent, &createdReference, fromDCSA | fromNotice | fromReport,
		"a container is reported in its shipment for the first time"},
	{freight.ContainerUpdated, &valueEvent, &updatedReference, fromDCSA | fromNotice | fromReport,
		"holds, fees, availability, a last free day, the appointment or the terminal changes, an announced milestone becomes invalid or gets another name, or the container leaves the shipment; one event for all changes of an update"},
	{freight.ContainerPODTerminalChanged, &valueEvent, &terminalReference, fromDCSA | fromNotice | fromReport,
		"the container is assigned to another terminal at the port of discharge"},
	{freight.PickupLFDChanged, &valueEvent, &transportReference, fromNotice | fromReport,
		"the last free day that counts becomes another calendar day at its place"},
	{freight.PickupLFDLineChanged, &valueEvent, &transportReference, fromNotice | fromReport,
		"the shipping line's last free day changes"},
	{freight.PickupLFDTerminalChanged, &valueEvent, &transportReference, fromReport,
		"the terminal's last free day changes"},
	{freight.PickupLFDRailChanged, &valueEvent, &transportReference, fromReport,
		"the railway's last free day changes"},
	{freight.PickupAppointmentChanged, &valueEvent, &transportReference, fromReport,
		"the pickup appointment changes"},
	{documentExtracted, &documentEvent, &documentReference, 0,
		"the fields of a document were extracted"},
	{documentExtractionFailed, &documentEvent, &documentReference, 0,
		"the fields of a document could not be extracted"},
	{freight.FreeTimeEnding, &openedEvent, &containerReference, fromNotice | fromReport | fromEngine,
		"the last free day of the container ends at its place within two days"},
	{freight.FreeTimeEnded, &openedEvent, &containerReference, fromNotice | fromReport | fromEngine,
		"the last free day of the container has ended, and it is not picked up"},
	{freight.MilestoneOverdue, &openedEvent, &exceptionReference, fromEngine,
		"the next milestone of the container is not reported by its time"},
	{freight.ExceptionOpened, &openedEvent, &exceptionReference, fromDCSA | fromNotice | fromReport | fromEngine,
		"an exception of any kind is opened, or opened again"},
	{freight.ExceptionClosed, &closedEvent, &exceptionReference, fromDCSA | fromNotice | fromReport | byHand | fromEngine,
		"an exception is over, or its facts were corrected (withdrawn)"},
}
