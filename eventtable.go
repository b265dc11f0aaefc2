package tracking

import "github.com/landfallhq/tracking/internal/eventcatalog"

// Document events, which come in addition to the 41 events of freight.
const (
	DocumentExtracted        EventName = "document.extracted"
	DocumentExtractionFailed EventName = "document.extraction_failed"
)

// EventNames returns the 41 names of freight events, in the order of the published
// interface.
func EventNames() []EventName { return eventNames(isFreightEvent) }

func isFreightEvent(e *eventcatalog.Event) bool { return !e.AboutDocument() }

// documentEventNames are the names of the events about documents. Webhooks accept them
// too.
func documentEventNames() []EventName { return eventNames((*eventcatalog.Event).AboutDocument) }

func eventNames(included func(*eventcatalog.Event) bool) (names []EventName) {
	for _, e := range describeEvents(included) {
		names = append(names, e.Name)
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

// describeEvents describes events, in the order of the catalog.
func describeEvents(included func(*eventcatalog.Event) bool) (list []EventDescription) {
	events := eventcatalog.Events()
	for i := range events {
		if included(&events[i]) {
			list = append(list, EventDescription(events[i].Description))
		}
	}
	return list
}

// EventCategory is a group of events, for the choice of a webhook's events.
type EventCategory struct {
	// ID is a slug such as tracking-request-events; Name is its label.
	ID, Name string
	Events   []EventDescription
}

// eventCategories are all events that a webhook can subscribe to, each in one
// category.
func eventCategories() (list []EventCategory) {
	for _, c := range eventcatalog.Categories {
		of := describeEvents(func(e *eventcatalog.Event) bool { return e.Category == c.ID })
		list = append(list, EventCategory{c.ID, c.Name, of})
	}
	return list
}

// isEvent reports whether a webhook can subscribe to an event of that name.
func isEvent(name EventName) bool { return eventcatalog.Find(name) != nil }
