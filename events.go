package tracking

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/journey"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/store"
)

// TransportEvent is a milestone that a container has passed (see
// docs/contract.md#events-and-their-payloads). The ID of its first version follows from
// container, event, place and leg (of availability: and the minute; of the delivery:
// the container alone), so the same milestone is the same record in whatever order its
// facts arrive. An announced milestone that is corrected in substance is another event,
// with an ID of its own. An event that proves wrong is never deleted: it gets
// InvalidatedAt.
//
// The changes of estimates, last free days and appointments are transport
// events too. They are records of what was announced, when, and are on no list
// of milestones: see TransportEventQuery.Changes.
type TransportEvent struct {
	Meta
	Shipment    ID         `rel:"shipment,shipment"`
	Container   ID         `rel:"container,container"`
	Location    record.Ref `rel:"location,port|metro_area"`
	Vessel      ID         `rel:"vessel,vessel"`
	Terminal    ID         `rel:"terminal,terminal"`
	SourceEvent ID         `rel:"source_event,raw_event"` // the fact it follows from
	// The milestone that was taken back when this one took its place, as when it
	// turns out to have been at another time or elsewhere; null for none.
	_ struct{} `rel:"previous_version,transport_event,inverse,one"`

	Event EventName `attr:"event"`
	// Timestamp is when it happened, UTC; zero (null) when the source does not
	// say. Where Timezone is null it may be local time (see
	// docs/contract.md#times-and-zones).
	Timestamp      time.Time  `attr:"timestamp,null"`
	Timezone       string     `attr:"timezone,null"`
	LocationLOCODE string     `attr:"location_locode,null"`
	VoyageNumber   string     `attr:"voyage_number,null"`
	DataSource     DataSource `attr:"data_source"`
	CreatedAt      time.Time  `attr:"created_at"`
	// Value of the container.pickup_* events is the new deadline or appointment,
	// RFC 3339 in UTC; empty (null) where there is none any more, and for all
	// other events. ValueTimestamp is when the source reported it, UTC; their
	// Timestamp is when the change was recorded.
	Value          string    `attr:"value,null"`
	ValueTimestamp time.Time `attr:"value_timestamp,null"`
	InvalidatedAt  time.Time `attr:"invalidated_at,null"`

	// DayOnly: only the date is known.
	DayOnly bool `private:"day_only"`
	// AnnouncedAt is when the event was announced; zero for history, which is
	// stored silently.
	AnnouncedAt time.Time `private:"announced_at"`
	// Announced is what was announced where the event has been completed since; nil
	// while it says what it said then.
	Announced *announcedValues `private:"announced_values"`
	// Pending: something waits to be announced: that the event stands, or, where it is
	// invalidated, that it does not. It waits for the end of a window, or for the
	// shipment, which a rule has stopped, to be followed again.
	Pending bool `private:"pending"`
	// Previous is the announced event whose place this one has taken; zero for none.
	Previous ID `private:"previous"`
	// CorrectedAt is when it was announced that the event does not stand, UTC, by its
	// successor or by container.updated; zero while that is not so.
	CorrectedAt time.Time `private:"corrected_at"`
}

var transportEvents = newKind("transport_event", []column[TransportEvent]{
	{"shipment", store.IDColumn, func(e *TransportEvent) any { return idCol(e.Shipment) }},
	{"valid_container", store.IDColumn, func(e *TransportEvent) any {
		if !e.InvalidatedAt.IsZero() || !e.milestone() {
			return nil
		}
		return idCol(e.Container)
	}},
	{"container", store.IDColumn, func(e *TransportEvent) any { return idCol(e.Container) }},
	{"valid", store.BoolColumn, func(e *TransportEvent) any {
		if !e.milestone() {
			return nil
		}
		return e.InvalidatedAt.IsZero()
	}},
	{"listed_at", store.TimeColumn, func(e *TransportEvent) any { return e.listedAt() }},
	{"announced_at", store.TimeColumn, func(e *TransportEvent) any { return timeCol(e.AnnouncedAt) }},
}, func(e *TransportEvent) []store.Term {
	if e.milestone() {
		return nil
	}
	return []store.Term{changeTerm}
}, nil)

// changeTerm is what the events are found by that are no milestones.
var changeTerm = store.Term{Name: "sort", Value: "change"}

// milestone tells what a container has passed from what was merely announced of
// it: a changed estimate, deadline or appointment.
func (e *TransportEvent) milestone() bool {
	switch e.Event {
	case freight.EstimatedVesselDeparted, freight.EstimatedVesselArrived, freight.EstimatedArrivedAtDestination,
		freight.PickupLFDChanged, freight.PickupLFDLineChanged, freight.PickupLFDTerminalChanged, freight.PickupLFDRailChanged, freight.PickupAppointmentChanged:
		return false
	}
	return true
}

// replaced is the one of those taken back that e has taken the place of, where
// none was announced.
func (e *TransportEvent) replaced(past []*TransportEvent) (before *TransportEvent) {
	apart := func(p *TransportEvent) time.Duration { return p.listedAt().Sub(e.listedAt()).Abs() }
	for _, p := range past {
		if p.ID == e.ID || p.Event != e.Event || !p.InvalidatedAt.Equal(e.CreatedAt) {
			continue
		}
		if before == nil || cmp.Or(cmp.Compare(apart(p), apart(before)), strings.Compare(p.ID.String(), before.ID.String())) < 0 {
			before = p
		}
	}
	return before
}

// listedAt is what lists are sorted by, the latest first: events without a time
// come before all others.
func (e *TransportEvent) listedAt() time.Time {
	if e.Timestamp.IsZero() {
		return time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return e.Timestamp.UTC()
}

// TransportEventQuery selects milestones, or changes: those without a time, then
// the latest first.
type TransportEventQuery struct {
	// Container whose milestones are asked for; zero for any.
	Container ID
	// Shipment whose containers' milestones are asked for; zero for any.
	Shipment ID
	// Invalidated selects by whether the event was taken back. The lists of the
	// interface show No.
	Invalidated Tri
	// Announced selects what was announced, in order of announcement.
	Announced bool
	// Changes selects the announced changes of estimates, last free days and
	// appointments in place of the milestones.
	Changes bool
}

func (q TransportEventQuery) resourceType() resourceType { return transportEvents }
func (q TransportEventQuery) filter() store.Filter       { w := q.where(); return w.filter(transportEvents) }

func (q TransportEventQuery) where() where[TransportEvent] {
	w := where[TransportEvent]{sort: []Order{{Name: "listed_at", Desc: true}}}
	if q.Container != (ID{}) {
		w.ids("container", []ID{q.Container}, func(e *TransportEvent) ID { return e.Container })
	}
	if q.Shipment != (ID{}) {
		w.ids("shipment", []ID{q.Shipment}, func(e *TransportEvent) ID { return e.Shipment })
	}
	if q.Changes {
		w.has(changeTerm.Name, []string{changeTerm.Value}, func(e *TransportEvent) []string {
			if e.milestone() {
				return nil
			}
			return []string{changeTerm.Value}
		})
	} else {
		w.add(store.Cond{Name: "valid", Op: store.Is, Values: validities[q.Invalidated]}, func(e *TransportEvent) bool {
			return e.milestone() && slices.Contains(validities[q.Invalidated], any(e.InvalidatedAt.IsZero()))
		})
	}
	if q.Announced {
		epoch := time.Unix(0, 0)
		w.times("announced_at", TimeRange{From: epoch}, func(e *TransportEvent) time.Time { return e.AnnouncedAt })
		w.sort = []Order{{Name: "announced_at"}}
	}
	return w
}

// validities are the values of the column valid, which changes have not, by
// TransportEventQuery.Invalidated.
var validities = map[Tri][]any{Any: {true, false}, Yes: {false}, No: {true}}

// TransportEvents returns a page of the milestones that match. Needs show.
func (t *Tracker) TransportEvents(ctx context.Context, q TransportEventQuery, p Page) ([]*TransportEvent, int, error) {
	return list(ctx, t, transportEvents, q, p)
}

// eventID is the first version of the event of a milestone of a container, wherever
// its facts come from.
func eventID(container ID, m journey.Milestone) ID {
	place := m.Place.LOCODE
	switch {
	case m.Event == freight.Delivered: // once, and its place may become known later
		place = ""
	case place == "":
		place = "name:" + foldName(m.Place.Name)
	}
	return named("transport_event", container.String()+"/"+string(m.Event)+"/"+place+"/"+m.Visit())
}

// announceTiming is what becomes of the announcement of a new event.
type announceTiming uint8

const (
	announceNever announceTiming = iota
	announceNow
	// announceOnceFollowed: a rule has stopped the shipment.
	announceOnceFollowed
)

// dropPendingEvents leaves what waited for a shipment unannounced, for good.
func dropPendingEvents(tx *Tx, shipment ID) error {
	of := TransportEventQuery{Shipment: shipment}.where()
	of.sort = nil
	list, err := table(tx, transportEvents).All(of)
	if err != nil {
		return err
	}
	for _, e := range list {
		if !e.Pending {
			continue
		}
		e.Pending = false
		if err := table(tx, transportEvents).Put(e); err != nil {
			return err
		}
	}
	return nil
}

// EstimatedEvent is an announced change of the estimated arrival of a shipment at its
// port of discharge. It is the record of what was announced and never changes; the
// estimate of now is the shipment's pod_eta_at.
type EstimatedEvent struct {
	Meta
	Shipment ID `rel:"shipment,shipment"`
	Port     ID `rel:"port,port"`     // of discharge; zero (null) when not known
	Vessel   ID `rel:"vessel,vessel"` // that is to arrive there; zero (null) when not known

	Event EventName `attr:"event"` // shipment.estimated.arrival
	// EstimatedTimestamp is the new estimate, UTC. Where Timezone is null it may
	// be local time (see docs/contract.md#times-and-zones).
	EstimatedTimestamp time.Time  `attr:"estimated_timestamp"`
	Timezone           string     `attr:"timezone,null"`
	LocationLOCODE     string     `attr:"location_locode,null"`
	VoyageNumber       string     `attr:"voyage_number,null"`
	DataSource         DataSource `attr:"data_source"`
	CreatedAt          time.Time  `attr:"created_at"` // when it was announced
}

var estimatedEvents = newKind("estimated_event", []column[EstimatedEvent]{
	{"shipment", store.IDColumn, func(e *EstimatedEvent) any { return idCol(e.Shipment) }},
}, nil, nil)

// EstimatedEventQuery selects changes of estimated arrivals, last announced
// first.
type EstimatedEventQuery struct {
	// Shipment whose changes are asked for; zero for any.
	Shipment ID
}

func (q EstimatedEventQuery) resourceType() resourceType { return estimatedEvents }
func (q EstimatedEventQuery) filter() store.Filter       { w := q.where(); return w.filter(estimatedEvents) }

func (q EstimatedEventQuery) where() (w where[EstimatedEvent]) {
	if q.Shipment != (ID{}) {
		w.ids("shipment", []ID{q.Shipment}, func(e *EstimatedEvent) ID { return e.Shipment })
	}
	return w
}

// EstimatedEvents returns a page of the changes that match, and how many match
// in all. Needs show.
func (t *Tracker) EstimatedEvents(ctx context.Context, q EstimatedEventQuery, p Page) ([]*EstimatedEvent, int, error) {
	return list(ctx, t, estimatedEvents, q, p)
}

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
