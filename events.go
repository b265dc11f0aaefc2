package tracking

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/codec"
	"github.com/landfallhq/tracking/internal/correction"
	"github.com/landfallhq/tracking/internal/eventcatalog"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/naturalkey"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// TransportEvent is a milestone of a container (see
// docs/contract.md#events-and-their-payloads). The ID of its first version follows
// from container, event, place and leg (for availability also the minute; for the
// delivery only the container), so it does not depend on the order of the facts. A
// correction of an announced milestone is a new event with its own ID. An event
// that proves wrong is never deleted: InvalidatedAt is set.
//
// Changes of estimates, last free days and appointments are transport events too.
// They record announcements and are not listed with milestones: see
// TransportEventQuery.Changes.
type TransportEvent struct {
	Meta
	Shipment    ID  `rel:"shipment,shipment"`        // of the container
	Container   ID  `rel:"container,container"`      // the one it happened to; zero (null) for the whole shipment
	Location    Ref `rel:"location,port|metro_area"` // the place; zero (null) when not known
	Vessel      ID  `rel:"vessel,vessel"`            // zero (null) when not known, and on land
	Terminal    ID  `rel:"terminal,terminal"`        // the facility; zero (null) when not known
	SourceEvent ID  `rel:"source_event,raw_event"`   // the fact it follows from
	// The milestone that this one replaces, such as after a correction of time or
	// place; null for none.
	_ struct{} `rel:"previous_version,transport_event,inverse,one"`

	Event EventName `attr:"event"` // see docs/events.md
	// Timestamp is when it happened, UTC; zero (null) if not known. If Timezone is
	// null it may be local time (see docs/contract.md#times-and-zones).
	Timestamp      time.Time  `attr:"timestamp,null"`
	Timezone       string     `attr:"timezone,null"`
	LocationLOCODE string     `attr:"location_locode,null"`
	VoyageNumber   string     `attr:"voyage_number,null"`
	DataSource     DataSource `attr:"data_source"`
	CreatedAt      time.Time  `attr:"created_at"`
	// Value of the container.pickup_* events is the new deadline or appointment,
	// RFC 3339 in UTC; empty (null) if it was removed, and for all other events.
	// ValueTimestamp is when the source reported it, UTC; Timestamp is when the
	// change was recorded.
	Value          string    `attr:"value,null"`
	ValueTimestamp time.Time `attr:"value_timestamp,null"`
	InvalidatedAt  time.Time `attr:"invalidated_at,null"`

	// DayOnly: only the date is known.
	DayOnly bool `private:"day_only"`
	// AnnouncedAt is when the event was announced; zero for history, which is
	// stored silently.
	AnnouncedAt time.Time `private:"announced_at"`

	transportEventInternals
}

// transportEventInternals is what the engine stores with a milestone and does not show.
type transportEventInternals struct{ correction.State }

var transportEvents = newKind("transport_event", []column[TransportEvent]{
	table.IDColumn("shipment", func(e *TransportEvent) ID { return e.Shipment }),
	table.IDColumn("valid_container", func(e *TransportEvent) ID {
		if !e.InvalidatedAt.IsZero() || !e.milestone() {
			return ID{}
		}
		return e.Container
	}),
	table.IDColumn("container", func(e *TransportEvent) ID { return e.Container }),
	table.NewColumn("valid", store.BoolColumn, func(e *TransportEvent) any {
		if !e.milestone() {
			return nil
		}
		return e.InvalidatedAt.IsZero()
	}),
	table.TimeColumn("listed_at", (*TransportEvent).listedAt),
	table.TimeColumn("announced_at", func(e *TransportEvent) time.Time { return e.AnnouncedAt }),
}, func(e *TransportEvent) []store.Term {
	if e.milestone() {
		return nil
	}
	return []store.Term{changeTerm}
}, nil).Unindexed("container", "valid").Sparse("valid_container", "announced_at").InBinaryForm().InGeneration(2)

// changeTerm is the search term of events that are not milestones.
var changeTerm = store.Term{Name: "sort", Value: "change"}

// milestone reports whether the event is a milestone and not a changed estimate,
// deadline or appointment.
func (e *TransportEvent) milestone() bool {
	known := eventcatalog.Find(e.Event)
	return known == nil || known.Milestone()
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

// listedAt is the sort key of lists, latest first: events without a time come
// first.
func (e *TransportEvent) listedAt() time.Time {
	if e.Timestamp.IsZero() {
		return time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return e.Timestamp.UTC()
}

// TransportEventQuery selects milestones or changes: those without a time first,
// then the latest first.
type TransportEventQuery struct {
	// Container of the milestones; zero for any.
	Container ID
	// Shipment of the containers; zero for any.
	Shipment ID
	// Invalidated selects by whether the event was withdrawn. The lists of the
	// interface show No.
	Invalidated Tri
	// Announced selects announced events, in order of announcement.
	Announced bool
	// Changes selects changes of estimates, last free days and appointments instead
	// of milestones.
	Changes bool
}

func (q TransportEventQuery) resourceType() *table.Schema { return transportEvents.Schema }
func (q TransportEventQuery) filter() store.Filter        { w := q.where(); return w.Filter(transportEvents) }

// onlyValid reports whether the query selects the valid milestones of a container, which an
// index has.
func (q TransportEventQuery) onlyValid() bool {
	return q.Container != (ID{}) && q.Invalidated == No && !q.Changes
}

// list selects. What is not valid is found among the events of the container's shipment.
func (q TransportEventQuery) list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error) {
	if q.Container != (ID{}) && q.Shipment == (ID{}) && !q.onlyValid() {
		c, err := containers.Get(tx, q.Container)
		if err != nil {
			return to, 0, ignoreNotFound(err)
		}
		q.Shipment = c.Shipment
	}
	return tx.Records.List(tx, transportEvents.Kind, q.filter(), p, to)
}

func (q TransportEventQuery) where() where[TransportEvent] {
	w := where[TransportEvent]{Sort: []Order{{Name: "listed_at", Desc: true}}}
	switch {
	case q.onlyValid():
		w.Add(store.Cond{Name: "valid_container", Op: store.Is, Values: []any{q.Container}}, func(e *TransportEvent) bool {
			return e.Container == q.Container && e.milestone() && e.InvalidatedAt.IsZero()
		})
	case q.Container != (ID{}):
		w.IDs("container", []ID{q.Container}, func(e *TransportEvent) ID { return e.Container })
	}
	if q.Shipment != (ID{}) {
		w.IDs("shipment", []ID{q.Shipment}, func(e *TransportEvent) ID { return e.Shipment })
	}
	switch {
	case q.Changes:
		w.Has(changeTerm.Name, []string{changeTerm.Value}, func(e *TransportEvent) []string {
			if e.milestone() {
				return nil
			}
			return []string{changeTerm.Value}
		})
	case !q.onlyValid():
		w.Add(store.Cond{Name: "valid", Op: store.Is, Values: validities[q.Invalidated]}, func(e *TransportEvent) bool {
			return e.milestone() && slices.Contains(validities[q.Invalidated], any(e.InvalidatedAt.IsZero()))
		})
	}
	if q.Announced {
		epoch := time.Unix(0, 0)
		w.Times("announced_at", epoch, time.Time{}, func(e *TransportEvent) time.Time { return e.AnnouncedAt })
		w.Sort = []Order{{Name: "announced_at"}}
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
		place = "name:" + naturalkey.FoldName(m.Place.Name)
	}
	return table.NamedID("transport_event", container.String()+"/"+string(m.Event)+"/"+place+"/"+m.Visit())
}

// dropPendingEvents drops the waiting announcements of a shipment.
func dropPendingEvents(tx *transaction, shipment ID) error {
	list, err := transportEvents.All(tx, unsorted(allEvents(shipment)))
	if err != nil {
		return err
	}
	for _, e := range list {
		if !e.Pending {
			continue
		}
		e.Pending = false
		if err := transportEvents.Put(tx, e); err != nil {
			return err
		}
	}
	return nil
}

// EstimatedEvent is an announced change of the estimated arrival of a shipment at
// its port of discharge. It never changes; the present estimate is the shipment's
// pod_eta_at.
type EstimatedEvent struct {
	Meta
	Shipment ID `rel:"shipment,shipment"` // the one that is to arrive
	Port     ID `rel:"port,port"`         // of discharge; zero (null) when not known
	Vessel   ID `rel:"vessel,vessel"`     // that is to arrive there; zero (null) when not known

	Event EventName `attr:"event"` // shipment.estimated.arrival
	// EstimatedTimestamp is the new estimate, UTC. If Timezone is null it may be
	// local time (see docs/contract.md#times-and-zones).
	EstimatedTimestamp time.Time  `attr:"estimated_timestamp"`
	Timezone           string     `attr:"timezone,null"`
	LocationLOCODE     string     `attr:"location_locode,null"`
	VoyageNumber       string     `attr:"voyage_number,null"`
	DataSource         DataSource `attr:"data_source"`
	CreatedAt          time.Time  `attr:"created_at"` // when it was announced
}

var estimatedEvents = newKind("estimated_event", []column[EstimatedEvent]{
	table.IDColumn("shipment", func(e *EstimatedEvent) ID { return e.Shipment }),
}, nil, nil).InBinaryForm().InGeneration(2)

// EstimatedEvents returns a page of the changes of estimated arrivals of a shipment, last
// announced first, and their total number; the zero ID stands for all shipments. Needs
// show.
func (t *Tracker) EstimatedEvents(ctx context.Context, shipment ID, p Page) ([]*EstimatedEvent, int, error) {
	var w where[EstimatedEvent]
	if shipment != (ID{}) {
		w.IDs("shipment", []ID{shipment}, func(e *EstimatedEvent) ID { return e.Shipment })
	}
	return listWhere(ctx, t, estimatedEvents, w, p)
}

// The three events of a container that are not milestones. Each records an
// announcement and never changes.

// ContainerCreatedEvent: a container was reported in its shipment for the first
// time.
type ContainerCreatedEvent struct {
	Meta
	Container ID        `rel:"container,container"` // the new one
	Shipment  ID        `rel:"shipment,shipment"`   // it travels in
	Timestamp time.Time `attr:"timestamp"`          // when the container was learned of, UTC
	Timezone  string    `attr:"timezone"`           // always Etc/UTC
}

// ContainerUpdatedEvent has all changes of one update of a container: attributes at
// the terminal, announced milestones that are no longer valid, and that it has left
// its shipment.
type ContainerUpdatedEvent struct {
	Meta
	Container ID `rel:"container,container"` // the one that changed
	Terminal  ID `rel:"terminal,terminal"`   // at the port of discharge; zero (null) when not known
	Shipment  ID `rel:"shipment,shipment"`

	// Changeset has the changed attributes by name: available_for_pickup,
	// pickup_lfd, pickup_lfd_line, pickup_lfd_rail, fees_at_pod_terminal,
	// holds_at_pod_terminal, pickup_appointment_at; pod_terminal, with IDs of
	// terminals or null; shipment, with the ID of the shipment that the container
	// has left, and null; and transport_events, with lists of milestones (id,
	// event, timestamp, location_locode): those no longer valid, and those of other
	// names that replace them.
	Changeset  map[string]BeforeAfter `attr:"changeset"`
	Timestamp  time.Time              `attr:"timestamp"`     // when the change was learned of, UTC
	Timezone   string                 `attr:"timezone,null"` // at the port of discharge, IANA
	DataSource DataSource             `attr:"data_source"`   // terminal; of milestones and departures alone, that of the fact
}

// BeforeAfter has two values of an attribute, as the container shows them. Before
// is the value announced last, so that the events of a container add up.
type BeforeAfter [2]json.RawMessage

// ContainerPODTerminalChangedEvent: a container is assigned to another terminal at
// its port of discharge. Before the discharge it is an advice, after it a move off
// the dock.
type ContainerPODTerminalChangedEvent struct {
	Meta
	Container  ID         `rel:"container,container"` // the one that is assigned
	Shipment   ID         `rel:"shipment,shipment"`   // it travels in
	Terminal   ID         `rel:"terminal,terminal"`   // the new one
	Timestamp  time.Time  `attr:"timestamp"`          // when the change was learned of, UTC
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

// containerEventColumns are the columns of events of containers; of returns the
// shipment and the container.
func containerEventColumns[T any](of func(*T) (shipment, container ID)) []column[T] {
	return []column[T]{
		table.IDColumn("shipment", func(e *T) ID { s, _ := of(e); return s }),
		table.IDColumn("container", func(e *T) ID { _, c := of(e); return c }),
	}
}

// ofContainer selects by shipment and container; a zero ID makes no condition.
func ofContainer[T any](q ContainerEventQuery, of func(*T) (shipment, container ID)) (w where[T]) {
	if q.Shipment != (ID{}) {
		w.IDs("shipment", []ID{q.Shipment}, func(e *T) ID { s, _ := of(e); return s })
	}
	if q.Container != (ID{}) {
		w.IDs("container", []ID{q.Container}, func(e *T) ID { _, c := of(e); return c })
	}
	return w
}

// ContainerEventQuery selects events of containers, last first. A zero ID matches any.
type ContainerEventQuery struct{ Shipment, Container ID }

// ContainerCreatedEvents returns a page of the first reports of containers, and their
// total number. Needs show.
func (t *Tracker) ContainerCreatedEvents(ctx context.Context, q ContainerEventQuery, p Page) ([]*ContainerCreatedEvent, int, error) {
	return listWhere(ctx, t, containerCreatedEvents, ofContainer(q, func(e *ContainerCreatedEvent) (ID, ID) { return e.Shipment, e.Container }), p)
}

// ContainerUpdatedEvents returns a page of the updates of containers, and their total
// number. Needs show.
func (t *Tracker) ContainerUpdatedEvents(ctx context.Context, q ContainerEventQuery, p Page) ([]*ContainerUpdatedEvent, int, error) {
	return listWhere(ctx, t, containerUpdatedEvents, ofContainer(q, func(e *ContainerUpdatedEvent) (ID, ID) { return e.Shipment, e.Container }), p)
}

// ContainerPODTerminalChangedEvents returns a page of the changes of terminals, and their
// total number. Needs show.
func (t *Tracker) ContainerPODTerminalChangedEvents(ctx context.Context, q ContainerEventQuery, p Page) ([]*ContainerPODTerminalChangedEvent, int, error) {
	return listWhere(ctx, t, containerPODTerminalChangedEvents, ofContainer(q, func(e *ContainerPODTerminalChangedEvent) (ID, ID) { return e.Shipment, e.Container }), p)
}

// milestoneNotes are what a shipment remembers of its milestones: for the first
// version of the event of each, a sum of what it says. An update reads only the
// events whose milestones have changed.
type milestoneNotes []milestoneNote

type milestoneNote struct {
	event ID
	sum   uint64
}

// eventVersions are later versions of events, by the IDs of the first.
type eventVersions map[ID]ID

// current is the version that stands for a milestone.
func (v eventVersions) current(first ID) ID {
	if id, ok := v[first]; ok {
		return id
	}
	return first
}

// sum stands for all that the event of the milestone says; fact is the ID of the
// fact that it follows from.
func sumOfMilestone(m *journey.Milestone, fact ID) uint64 {
	d := journey.Digester{Writer: codec.Writer{Bytes: append(make([]byte, 0, 256), fact[:]...)}}
	d.Moment(m.At)
	p := m.Place
	d.Text(p.LOCODE, p.Name, p.SMDG, p.BIC, p.Facility, m.Vessel.IMO, m.Vessel.Name, m.Voyage, string(m.DataSource))
	sum := sha256.Sum256(d.Bytes)
	return binary.BigEndian.Uint64(sum[:])
}

// noteSize is the size of a stored note.
const noteSize = 16 + 8

// AppendBinary appends the stored form. It has no error.
func (n *milestoneNotes) AppendBinary(b []byte) ([]byte, error) {
	for _, note := range *n {
		b = append(b, note.event[:]...)
		b = binary.BigEndian.AppendUint64(b, note.sum)
	}
	return b, nil
}

// UnmarshalBinary reads what AppendBinary wrote.
func (n *milestoneNotes) UnmarshalBinary(b []byte) error {
	if len(b)%noteSize != 0 {
		return errors.New("these are not the notes of milestones")
	}
	*n = make(milestoneNotes, len(b)/noteSize)
	for i := range *n {
		note := b[i*noteSize:]
		(*n)[i] = milestoneNote{ID(note[:16]), binary.BigEndian.Uint64(note[16:])}
	}
	return nil
}

// Document events, which come in addition to the 41 events of freight. Those about
// exceptions are in package freight.
const (
	DocumentExtracted        EventName = "document.extracted"
	DocumentExtractionFailed EventName = "document.extraction_failed"
)

// EventNames returns the 41 names of freight events, in the order of the published
// interface.
func EventNames() []EventName { return eventNames(isFreightEvent) }

func isFreightEvent(e *eventcatalog.Event) bool { return !e.AboutDocument() && !e.AboutException() }

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
	// OptIn: what asks for all events, such as landfall webhooks create, means those of the
	// other categories. A webhook gets events of this one only if it names them, or ID.
	OptIn  bool
	Events []EventDescription
}

// eventCategories are all events that a webhook can subscribe to, each in one
// category.
func eventCategories() (list []EventCategory) {
	for _, c := range eventcatalog.Categories {
		of := describeEvents(func(e *eventcatalog.Event) bool { return e.Category == c.ID })
		list = append(list, EventCategory{c.ID, c.Name, c.OptIn, of})
	}
	return list
}

// isEvent reports whether a webhook can subscribe to an event of that name.
func isEvent(name EventName) bool { return eventcatalog.Find(name) != nil }
