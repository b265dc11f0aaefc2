package tracking

import (
	"slices"
	"strings"

	"github.com/landfallhq/tracking/freight"
)

// EventNames returns the 41 names of events, in the order of the published interface.
func EventNames() []EventName {
	names := make([]EventName, len(eventTable))
	for i, row := range eventTable {
		names[i] = row.name
	}
	return names
}

// EventDescription says of an event where it comes from, when, and what goes
// with it.
type EventDescription struct {
	Name EventName
	// Sources by which it can come: "DCSA" (Track & Trace, asked, delivered or
	// imported), "arrival notice", "report", "by hand" or "engine".
	Sources []string
	// Condition under which it is announced.
	Condition string
	// Reference is the resource type of its reference object, and Include names
	// what belongs to it, as Select takes it.
	Reference string
	Include   []string
	// Correction says what is announced when it proves to be otherwise, and Withdrawal
	// what is when it proves wrong and nothing takes its place.
	Correction, Withdrawal string
	// Unless says what suppresses it, each a sentence.
	Unless []string
}

// DescribeEvents describes the 41 events, in the order of EventNames. The
// documentation of this package shows the same table.
func DescribeEvents() []EventDescription {
	list := make([]EventDescription, len(eventTable))
	for i, row := range eventTable {
		after := eventAfterwards[row.unless]
		if row.name == freight.ContainerCreated || row.unless == ofRequest {
			after = eventAfterwards[string(row.name)]
		}
		list[i] = EventDescription{
			Name: row.name, Condition: row.when, Reference: row.about.object, Include: slices.Clone(row.about.include),
			Correction: after.correction, Withdrawal: after.withdrawal,
		}
		for _, letter := range letters(row.from) {
			list[i].Sources = append(list[i].Sources, eventSources[letter])
		}
		for _, letter := range letters(row.unless) {
			list[i].Unless = append(list[i].Unless, eventSilences[letter])
		}
	}
	return list
}

// letters are the letters of a text, blanks aside.
func letters(text string) (list []rune) {
	for _, r := range text {
		if r != ' ' {
			list = append(list, r)
		}
	}
	return list
}

var eventSources = map[rune]string{'D': "DCSA", 'N': "arrival notice", 'R': "report", 'H': "by hand", 'E': "engine"}

// eventSilences say what suppresses an event, by the letters of the table.
var eventSilences = map[rune]string{
	'q': "the report asks for silence, as imports and rederive do",
	's': "tracking of the shipment is stopped; where a rule has stopped it, corrections are announced all the same",
	'h': "it happened before the request, and comes with the source's first answer",
	'o': "the same version of it was announced before",
	'p': "the shipment is made of facts that were another's until now",
	'f': "it is the first value, and comes with the shipment, the box or the first answer",
	'a': "the actual time is known, or no estimate is",
	'i': "the request is in that state already; or, for awaiting_manifest, has been",
	'w': "the value was announced before within the refresh interval: it waits for the end of that",
}

// What suppresses the sorts of events.
const (
	ofMilestone = "q s h o p"
	ofTurn      = "q s h o p w"
	ofEstimate  = "q s f a w"
	ofValue     = "q s f w"
	ofCreation  = "q s o p"
	ofRequest   = "i"
)

const (
	correctedMilestone = "another time (by more than a minute), place, vessel or voyage: the event again, as a new version whose previous_version is the former; " +
		"another name for the same move: the event of that name, and container.updated with transport_events: [[former], [new]]. " +
		"What becomes known later, and another spelling, complete the event and are not announced"
	withdrawnMilestone = "container.updated with transport_events: [[former], []]; the former has invalidated_at"
)

// eventAfterwards are what corrects events and what takes them back, by what suppresses
// them or by name.
var eventAfterwards = map[string]struct{ correction, withdrawal string }{
	ofMilestone:                              {correctedMilestone, withdrawnMilestone},
	ofTurn:                                   {correctedMilestone + ". A turn of availability that is a new one is no correction", withdrawnMilestone},
	ofEstimate:                               {"the event again, with the new estimate", "nothing: the actual time is announced as an event of its own"},
	ofValue:                                  {"the event again: its former value is the one announced last", "the event again, with the value null or empty"},
	string(freight.ContainerCreated):         {"nothing", "container.updated with shipment: [id, null]"},
	string(freight.TrackingRequestSucceeded): {"nothing", "nothing"},
	string(freight.TrackingRequestFailed):    {"nothing", "nothing: the number can be requested again"},
	string(freight.TrackingRequestAwaitingManifest): {"nothing", "tracking_request.succeeded or tracking_request.failed"},
	string(freight.TrackingRequestStopped):          {"nothing", "nothing: where facts or a user have the shipment followed again, the status of the request says so"},
}

// eventObject is a reference object, with what is included with it. The table in
// the documentation shows its letter.
type eventObject struct {
	letter  string
	object  string
	include []string
}

var (
	aboutTransport = eventObject{"T", "transport_event", []string{"shipment", "container", "location", "vessel", "terminal"}}
	aboutEstimate  = eventObject{"A", "estimated_event", []string{"shipment", "port", "vessel"}}
	aboutCreated   = eventObject{"C", "container_created_event", []string{"shipment", "container"}}
	aboutUpdated   = eventObject{"U", "container_updated_event", []string{"shipment", "container", "terminal", "terminal.port"}}
	aboutTerminal  = eventObject{"M", "container_pod_terminal_changed_event", []string{"shipment", "container", "terminal"}}
	aboutRequest   = eventObject{"Q", "tracking_request", []string{"tracked_object", "tracked_object.containers"}}
)

// aboutDocument is that of the two events about documents, which the table does not
// have.
var aboutDocument = eventObject{"", "document", []string{"email_submission", "last_document_representation"}}

// eventTable describes the events, in the order of EventNames.
var eventTable = []struct {
	name         EventName
	from         string
	about        eventObject
	unless, when string
}{
	{freight.VesselArrived, "D N R", aboutTransport, ofMilestone, "the main vessel arrives at the port of discharge"},
	{freight.EstimatedVesselArrived, "D N R", aboutTransport, ofEstimate, "the estimated arrival at the port of discharge changes; one for each box that has not arrived"},
	{freight.VesselDischarged, "D R", aboutTransport, ofMilestone, "discharged at the port of discharge"},
	{freight.VesselLoaded, "D R", aboutTransport, ofMilestone, "loaded on the main vessel at the port of lading"},
	{freight.VesselDeparted, "D N R", aboutTransport, ofMilestone, "the main vessel leaves the port of lading"},
	{freight.EstimatedVesselDeparted, "D N R", aboutTransport, ofEstimate, "the estimated departure from the port of lading changes; one for each box that has not left"},
	{freight.VesselBerthed, "R", aboutTransport, ofMilestone, "the main vessel berths at the port of discharge"},
	{freight.RailDeparted, "D N R", aboutTransport, ofMilestone, "the train leaves"},
	{freight.RailArrived, "D N R", aboutTransport, ofMilestone, "the train arrives, at interchanges too"},
	{freight.RailLoaded, "D R", aboutTransport, ofMilestone, "loaded on a train"},
	{freight.RailUnloaded, "D R", aboutTransport, ofMilestone, "unloaded from a train"},
	{freight.TransshipmentArrived, "D N R", aboutTransport, ofMilestone, "the main vessel arrives at a port on the way"},
	{freight.TransshipmentDischarged, "D R", aboutTransport, ofMilestone, "discharged at a port on the way"},
	{freight.TransshipmentLoaded, "D R", aboutTransport, ofMilestone, "loaded again at a port on the way"},
	{freight.TransshipmentDeparted, "D N R", aboutTransport, ofMilestone, "the main vessel leaves a port on the way"},
	{freight.FeederArrived, "D N R", aboutTransport, ofMilestone, "the feeder or barge arrives"},
	{freight.FeederDischarged, "D R", aboutTransport, ofMilestone, "discharged from a feeder or barge"},
	{freight.FeederLoaded, "D R", aboutTransport, ofMilestone, "loaded on a feeder or barge, at any port"},
	{freight.FeederDeparted, "D N R", aboutTransport, ofMilestone, "the feeder or barge leaves"},
	{freight.EmptyOut, "D R", aboutTransport, ofMilestone, "an empty box leaves a facility by land, before the sea leg"},
	{freight.FullIn, "D R", aboutTransport, ofMilestone, "a laden box enters a facility by land, before the sea leg"},
	{freight.FullOut, "D R", aboutTransport, ofMilestone, "a laden box leaves a facility by land, after the sea leg"},
	{freight.EmptyIn, "D R", aboutTransport, ofMilestone, "an empty box enters a facility by land, after the sea leg"},
	{freight.ArrivedAtDestination, "D N R", aboutTransport, ofMilestone, "train, truck or barge reach the place of delivery; or a laden box enters it by land, and nobody reports the arrival itself"},
	{freight.EstimatedArrivedAtDestination, "D N R", aboutTransport, ofEstimate, "the estimated arrival at the place of delivery changes, by rail, truck or barge"},
	{freight.Available, "D R", aboutTransport, ofTurn, "a terminal would release the box"},
	{freight.NotAvailable, "D R", aboutTransport, ofTurn, "it would not, or no longer"},
	{freight.Delivered, "D R H", aboutTransport, ofMilestone, "handed over laden to the consignee, or marked so by a person"},
	{freight.ShipmentEstimatedArrival, "D N R", aboutEstimate, ofEstimate, "the estimated arrival at the port of discharge changes"},
	{freight.TrackingRequestSucceeded, "E", aboutRequest, ofRequest, "the shipment exists and is linked"},
	{freight.TrackingRequestFailed, "E", aboutRequest, ofRequest, "the request has failed for good"},
	{freight.TrackingRequestAwaitingManifest, "E", aboutRequest, ofRequest, "the line does not know the number yet, for the first time"},
	{freight.TrackingRequestStopped, "H E", aboutRequest, ofRequest, "the shipment is no longer followed, whoever stopped it"},
	{freight.ContainerCreated, "D N R", aboutCreated, ofCreation, "a box is seen in its shipment for the first time"},
	{freight.ContainerUpdated, "D N R", aboutUpdated, ofValue, "holds, fees, availability, last free day, appointment or terminal have changed, an announced milestone does not stand or has another name, or the box has left the shipment; one for all that an update changes"},
	{freight.ContainerPODTerminalChanged, "D N R", aboutTerminal, ofValue, "the box is assigned to another terminal at the port of discharge"},
	{freight.PickupLFDChanged, "N R", aboutTransport, ofValue, "the last free day that counts is another calendar day at its place"},
	{freight.PickupLFDLineChanged, "N R", aboutTransport, ofValue, "the line's last free day is another"},
	{freight.PickupLFDTerminalChanged, "R", aboutTransport, ofValue, "the terminal's last free day is another"},
	{freight.PickupLFDRailChanged, "R", aboutTransport, ofValue, "the railway's last free day is another"},
	{freight.PickupAppointmentChanged, "R", aboutTransport, ofValue, "the appointment to fetch the box is another"},
}

// EventCategory is a group of events, for the choice of a webhook's events.
type EventCategory struct {
	// ID is a slug such as tracking-request-events; Name is its label.
	ID, Name string
	Events   []EventDescription
}

// EventCategories returns all events that a webhook can subscribe to, each in one
// category: those of EventNames, and DocumentEventNames at the end.
func EventCategories() []EventCategory {
	list := []EventCategory{
		{ID: "tracking-request-events", Name: "Tracking Request Events"},
		{ID: "transport-milestone-events", Name: "Transport Milestone Events"},
		{ID: "estimated-events", Name: "Estimated Events"},
		{ID: "container-update-events", Name: "Container Update Events"},
		{ID: "document-events", Name: "Document Events"},
	}
	for _, d := range append(DescribeEvents(), documentEvents()...) {
		c := &list[d.category()]
		c.Events = append(c.Events, d)
	}
	return list
}

// category is the index in EventCategories.
func (d *EventDescription) category() int {
	switch name := string(d.Name); {
	case strings.HasPrefix(name, "tracking_request."):
		return 0
	case strings.Contains(name, ".estimated."):
		return 2
	case strings.HasPrefix(name, "container.transport."):
		return 1
	case strings.HasPrefix(name, "document."):
		return 4
	}
	return 3
}

func documentEvents() []EventDescription {
	return []EventDescription{
		{Name: DocumentExtracted, Condition: "what a document says has been read", Reference: aboutDocument.object, Include: slices.Clone(aboutDocument.include)},
		{Name: DocumentExtractionFailed, Condition: "what a document says could not be read", Reference: aboutDocument.object, Include: slices.Clone(aboutDocument.include)},
	}
}
