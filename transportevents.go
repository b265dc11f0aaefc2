package tracking

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

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
func eventID(container ID, m Milestone) ID {
	place := m.Place.LOCODE
	switch {
	case m.Event == freight.Delivered: // once, and its place may become known later
		place = ""
	case place == "":
		place = "name:" + foldName(m.Place.Name)
	}
	return named("transport_event", container.String()+"/"+string(m.Event)+"/"+place+"/"+m.visit())
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
