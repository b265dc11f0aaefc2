// Package eventcatalog lists all events that a webhook can subscribe to: what announces
// each, from which sources it comes, what its payload includes, and what follows when it
// was wrong. It is data, and announces nothing.
package eventcatalog

import (
	"slices"
	"sync"

	"github.com/landfallhq/tracking/freight"
)

// Description describes an event. The documentation of its members is at
// tracking.EventDescription, which has the same.
type Description struct {
	Name                   freight.EventName
	Sources                []string
	Condition              string
	Reference              string
	Include                []string
	Correction, Withdrawal string
	Unless                 []string
}

// Event is an event of the catalog.
type Event struct {
	Description
	// Category is the ID of one of Categories.
	Category string
}

// Milestone reports whether the event says what happened to a container, and not that an
// estimate, a deadline or an appointment changed.
func (e *Event) Milestone() bool { return e.Category == milestones }

// AboutDocument reports whether the event is about a document.
func (e *Event) AboutDocument() bool { return e.Category == documents }

// AboutException reports whether the event is about something that goes wrong.
func (e *Event) AboutException() bool { return e.Category == exceptions }

// Events returns all events: those of freight in the order of the published interface,
// those about documents, and those about exceptions. The caller must not change them.
func Events() []Event { return catalog().events }

// Find returns an event; nil if there is no such event.
func Find(name freight.EventName) *Event { return catalog().byName[name] }

var catalog = sync.OnceValue(func() (c struct {
	events []Event
	byName map[freight.EventName]*Event
}) {
	c.events, c.byName = make([]Event, len(rows)), make(map[freight.EventName]*Event, len(rows))
	for i, r := range rows {
		c.events[i] = r.event()
		c.byName[r.name] = &c.events[i]
	}
	return c
})

func (r *row) event() Event {
	e := Event{Category: r.class.category, Description: Description{
		Name: r.name, Condition: r.condition, Reference: r.reference.resource, Include: r.reference.include,
		Correction: r.class.correction, Withdrawal: r.class.withdrawal, Unless: r.class.unless,
	}}
	for i, name := range sourceNames {
		if r.sources&(1<<i) != 0 {
			e.Sources = append(e.Sources, name)
		}
	}
	return e
}

// Categories are the groups of events, in the order of the published interface.
var Categories = []Category{
	{requests, "Tracking Request Events", false},
	{milestones, "Transport Milestone Events", false},
	{estimates, "Estimated Events", false},
	{updates, "Container Update Events", false},
	{documents, "Document Events", false},
	{exceptions, "Exception Events", true},
}

// Category is a group of events: a slug and its label.
type Category struct {
	ID, Name string
	// OptIn: all events are those of the other categories. A webhook gets events of this
	// one only if it names them, or the category.
	OptIn bool
}

// IsCategory reports whether there is a category of that ID.
func IsCategory(id string) bool {
	return slices.ContainsFunc(Categories, func(c Category) bool { return c.ID == id })
}

// The IDs of the categories.
const (
	requests   = "tracking-request-events"
	milestones = "transport-milestone-events"
	estimates  = "estimated-events"
	updates    = "container-update-events"
	documents  = "document-events"
	exceptions = "exception-events"
)
