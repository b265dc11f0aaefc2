package tracking

import (
	"context"
	"encoding/json"
	"time"

	"github.com/landfallhq/tracking/store"
)

// The three events in the life of a container that are no step of its voyage.
// Each is the record of an announcement and never changes; none is made for what
// is not announced.

// ContainerCreatedEvent says that a container was seen in its shipment for the first
// time.
type ContainerCreatedEvent struct {
	Meta
	Container ID        `rel:"container,container"`
	Shipment  ID        `rel:"shipment,shipment"`
	Timestamp time.Time `attr:"timestamp"` // when the box was learned of, UTC
	Timezone  string    `attr:"timezone"`  // always Etc/UTC
}

// ContainerUpdatedEvent says what one update has changed of a box at the
// terminal, which announced milestones do not stand any more, and that it has left
// its shipment.
type ContainerUpdatedEvent struct {
	Meta
	Container ID `rel:"container,container"`
	Terminal  ID `rel:"terminal,terminal"` // at the port of discharge; zero (null) when not known
	Shipment  ID `rel:"shipment,shipment"`

	// Changeset has the attributes that changed, by name: available_for_pickup,
	// pickup_lfd, pickup_lfd_line, pickup_lfd_rail, fees_at_pod_terminal,
	// holds_at_pod_terminal, pickup_appointment_at; pod_terminal, whose
	// values are IDs of terminals or null; shipment, whose values are the ID of the
	// shipment that the container has left, and null; and transport_events, whose values
	// are lists of milestones with id, event, timestamp and location_locode: those that
	// do not stand any more, and those of other names that took their places.
	Changeset  map[string]BeforeAfter `attr:"changeset"`
	Timestamp  time.Time              `attr:"timestamp"`     // when the change was learned of, UTC
	Timezone   string                 `attr:"timezone,null"` // at the port of discharge, IANA
	DataSource DataSource             `attr:"data_source"`   // terminal; of milestones and departures alone, that of the fact
}

// BeforeAfter are two values of an attribute, as the container shows them.
// Before is what was announced last, so that the events of a container add up.
type BeforeAfter [2]json.RawMessage

// ContainerPODTerminalChangedEvent says that a container is assigned to another
// terminal at its port of discharge: before the discharge an advice, after it a
// move off the dock.
type ContainerPODTerminalChangedEvent struct {
	Meta
	Container  ID         `rel:"container,container"`
	Shipment   ID         `rel:"shipment,shipment"`
	Terminal   ID         `rel:"terminal,terminal"` // the new one
	Timestamp  time.Time  `attr:"timestamp"`        // when the change was learned of, UTC
	DataSource DataSource `attr:"data_source"`
}

var (
	containerCreatedEvents = newKind("container_created_event", containerEventColumns(
		func(e *ContainerCreatedEvent) (ID, ID) { return e.Shipment, e.Container }), nil, nil)
	containerUpdatedEvents = newKind("container_updated_event", containerEventColumns(
		func(e *ContainerUpdatedEvent) (ID, ID) { return e.Shipment, e.Container }), nil, nil)
	containerPODTerminalChangedEvents = newKind("container_pod_terminal_changed_event", containerEventColumns(
		func(e *ContainerPODTerminalChangedEvent) (ID, ID) { return e.Shipment, e.Container }), nil, nil)
)

// containerEventColumns are what events of containers are found by; of returns
// the shipment and the container.
func containerEventColumns[T any](of func(*T) (shipment, container ID)) []column[T] {
	return []column[T]{
		{"shipment", store.IDColumn, func(e *T) any { s, _ := of(e); return idCol(s) }},
		{"container", store.IDColumn, func(e *T) any { _, c := of(e); return idCol(c) }},
	}
}

// ofContainer selects by shipment and container; a zero ID makes no condition.
func ofContainer[T any](shipment, container ID, of func(*T) (shipment, container ID)) (w where[T]) {
	if shipment != (ID{}) {
		w.ids("shipment", []ID{shipment}, func(e *T) ID { s, _ := of(e); return s })
	}
	if container != (ID{}) {
		w.ids("container", []ID{container}, func(e *T) ID { _, c := of(e); return c })
	}
	return w
}

// ContainerCreatedEventQuery selects first appearances of boxes, the last first.
// A zero ID stands for any.
type ContainerCreatedEventQuery struct{ Shipment, Container ID }

func (q ContainerCreatedEventQuery) resourceType() resourceType { return containerCreatedEvents }
func (q ContainerCreatedEventQuery) filter() store.Filter {
	w := ofContainer(q.Shipment, q.Container, func(e *ContainerCreatedEvent) (ID, ID) { return e.Shipment, e.Container })
	return w.filter(containerCreatedEvents)
}

// ContainerCreatedEvents returns a page of the first appearances that match, and
// how many match in all. Needs show.
func (t *Tracker) ContainerCreatedEvents(ctx context.Context, q ContainerCreatedEventQuery, p Page) ([]*ContainerCreatedEvent, int, error) {
	return list(ctx, t, containerCreatedEvents, q, p)
}

// ContainerUpdatedEventQuery selects updates of boxes, the last first. A zero ID
// stands for any.
type ContainerUpdatedEventQuery struct{ Shipment, Container ID }

func (q ContainerUpdatedEventQuery) resourceType() resourceType { return containerUpdatedEvents }
func (q ContainerUpdatedEventQuery) filter() store.Filter {
	w := ofContainer(q.Shipment, q.Container, func(e *ContainerUpdatedEvent) (ID, ID) { return e.Shipment, e.Container })
	return w.filter(containerUpdatedEvents)
}

// ContainerUpdatedEvents returns a page of the updates that match, and how many
// match in all. Needs show.
func (t *Tracker) ContainerUpdatedEvents(ctx context.Context, q ContainerUpdatedEventQuery, p Page) ([]*ContainerUpdatedEvent, int, error) {
	return list(ctx, t, containerUpdatedEvents, q, p)
}

// ContainerPODTerminalChangedEventQuery selects changes of terminals, the last
// first. A zero ID stands for any.
type ContainerPODTerminalChangedEventQuery struct{ Shipment, Container ID }

func (q ContainerPODTerminalChangedEventQuery) resourceType() resourceType {
	return containerPODTerminalChangedEvents
}
func (q ContainerPODTerminalChangedEventQuery) filter() store.Filter {
	w := ofContainer(q.Shipment, q.Container, func(e *ContainerPODTerminalChangedEvent) (ID, ID) { return e.Shipment, e.Container })
	return w.filter(containerPODTerminalChangedEvents)
}

// ContainerPODTerminalChangedEvents returns a page of the changes that match, and
// how many match in all. Needs show.
func (t *Tracker) ContainerPODTerminalChangedEvents(ctx context.Context, q ContainerPODTerminalChangedEventQuery, p Page) ([]*ContainerPODTerminalChangedEvent, int, error) {
	return list(ctx, t, containerPODTerminalChangedEvents, q, p)
}
