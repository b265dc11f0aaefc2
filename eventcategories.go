package tracking

import (
	"slices"
	"strings"
)

// EventCategory is a group of events, for people who choose the events of a webhook.
type EventCategory struct {
	// ID is a slug such as tracking-request-events; Name is for people.
	ID, Name string
	Events   []EventDescription
}

// EventCategories returns all names that a webhook can have among its events, each
// in one category: those of EventNames, and DocumentEventNames at the end.
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

// category is the place in EventCategories.
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
