package tracking

import (
	"cmp"
	"slices"

	"github.com/landfallhq/tracking/internal/correction"
	"github.com/landfallhq/tracking/internal/debounce"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/naturalkey"
	"github.com/landfallhq/tracking/internal/table"
)

// nextVersion is the ID of the event that follows another as the next version.
func nextVersion(id ID) ID { return table.NamedID("transport_event", id.String()+"/next") }

// version returns the event for internal/correction. A milestone has no other fields.
func (e *TransportEvent) version() correction.Event {
	return correction.Event{
		ID: e.ID, Version: e.Version, Shipment: e.Shipment, Container: e.Container, Name: e.Event,
		Values:   correction.Values{Timestamp: e.Timestamp, Timezone: e.Timezone, DayOnly: e.DayOnly, Vessel: e.Vessel, Voyage: e.VoyageNumber},
		Location: e.Location.ID, LOCODE: e.LocationLOCODE, Terminal: e.Terminal, Fact: e.SourceEvent, DataSource: e.DataSource,
		CreatedAt: e.CreatedAt, AnnouncedAt: e.AnnouncedAt, InvalidatedAt: e.InvalidatedAt, State: e.State,
	}
}

// milestoneEvent is the inverse of version.
func milestoneEvent(v *correction.Event) TransportEvent {
	return TransportEvent{
		Meta: Meta{ID: v.ID, Version: v.Version}, Shipment: v.Shipment, Container: v.Container, Event: v.Name,
		Timestamp: v.Timestamp, Timezone: v.Timezone, DayOnly: v.DayOnly, Vessel: v.Vessel, VoyageNumber: v.Voyage,
		Location: portRef(v.Location), LocationLOCODE: v.LOCODE, Terminal: v.Terminal, SourceEvent: v.Fact, DataSource: v.DataSource,
		CreatedAt: v.CreatedAt, AnnouncedAt: v.AnnouncedAt, InvalidatedAt: v.InvalidatedAt,
		transportEventInternals: transportEventInternals{v.State},
	}
}

// eventUpdate reads and writes the milestone events that internal/correction decides on.
type eventUpdate struct {
	correction.Update
	tx *transaction
	// plan and draft of the shipment; nil if only what waits is announced.
	plan  *plan
	draft *draft
	// vesselNames has the result of vesselsByName.
	vesselNames map[ID]ID
	// written are the events that save has created or changed.
	written []*correction.Event
	// err is the first error of the store while events were compared.
	err error
}

func newEventUpdate(tx *transaction, b *debounce.Debouncer, stored []*correction.Event) *eventUpdate {
	u := &eventUpdate{tx: tx}
	u.Now, u.Debouncer, u.Stored, u.Order = tx.Now, b, u, journey.MilestoneOrder
	u.Add(stored)
	return u
}

// eventsOf reads the milestone events that match, in any order.
func eventsOf(tx *transaction, q TransportEventQuery) ([]*correction.Event, error) {
	stored, err := transportEvents.All(tx, unsorted(q))
	return milestoneVersions(stored), err
}

// unsorted selects the events that match, in any order.
func unsorted(q TransportEventQuery) where[TransportEvent] {
	of := q.where()
	of.Sort = nil
	return of
}

func milestoneVersions(stored []*TransportEvent) []*correction.Event {
	events, list := make([]correction.Event, len(stored)), make([]*correction.Event, len(stored))
	for i, e := range stored {
		events[i] = e.version()
		list[i] = &events[i]
	}
	return list
}

// The methods of correction.Stored.

func (u *eventUpdate) Read(id ID) *correction.Event {
	stored, err := transportEvents.Get(u.tx, id)
	if err != nil {
		u.err = cmp.Or(u.err, ignoreNotFound(err))
		return nil
	}
	e := stored.version()
	return &e
}

func (u *eventUpdate) Valid(container ID) []*correction.Event {
	valid, err := eventsOf(u.tx, TransportEventQuery{Container: container, Invalidated: No})
	u.err = cmp.Or(u.err, err)
	return valid
}

func (u *eventUpdate) Next(id ID) ID { return nextVersion(id) }

func (u *eventUpdate) UseVersion(first, id ID) { u.draft.useVersion(first, id) }

func (u *eventUpdate) PortByName(locode string) ID {
	_, name, _, ok := u.tx.engine.refs.Place(locode)
	if !ok {
		return ID{}
	}
	return naturalkey.ByName("port", u.tx.Account, name)
}

// VesselKey is the ID by IMO number of a vessel that is known by its name, where
// the shipment's facts give that name to one number alone, or the account's other facts do.
func (u *eventUpdate) VesselKey(id ID) ID {
	if u.vesselNames == nil {
		u.vesselNames = u.draft.vesselsByName(u.tx)
	}
	if imo, known := u.vesselNames[id]; known {
		return imo
	}
	v, err := vessels.Get(u.tx, id)
	if err != nil {
		u.err = cmp.Or(u.err, ignoreNotFound(err))
		return id
	}
	return cmp.Or(v.KnownAs, id)
}

func (u *eventUpdate) SameFact(a, b ID) bool {
	x, y := u.plan.pool[a], u.plan.pool[b]
	return x != nil && y != nil && x.group() == y.group()
}

func (u *eventUpdate) Availability(container ID) (list []*correction.Event) {
	for _, j := range u.draft.journey.Containers {
		if u.draft.containerID(j.Number) != container {
			continue
		}
		for _, m := range j.Milestones {
			if correction.IsAvailability(m.Event) {
				list = append(list, &correction.Event{
					ID: u.draft.ship.EventVersions.current(eventID(container, m)), Version: 1, Name: m.Event,
					Values: correction.Values{Timestamp: m.At.Time}, Location: placeRef(u.tx, m.Place).ID,
				})
			}
		}
	}
	return list
}

// vesselsByName are the IDs by IMO number of the vessels that facts name, by the IDs of
// the names. A name that two ships bear has its own ID.
func (d *draft) vesselsByName(tx *transaction) map[ID]ID {
	ids := map[ID]ID{}
	for _, r := range d.facts {
		v := r.Fact.Vessel
		if v.IMO == "" || v.Name == "" {
			continue
		}
		name := naturalkey.ByName("vessel", tx.Account, v.Name)
		if imo, known := ids[name]; known && imo != naturalkey.Vessel(v.IMO) {
			ids[name] = name
		} else if !known {
			ids[name] = naturalkey.Vessel(v.IMO)
		}
	}
	return ids
}

// announcesCorrections reports whether corrections are announced. A receiver that was
// notified of a wrong value is notified of the right one, even if a rule has stopped the
// shipment meanwhile, but not if a user has.
func (p *plan) announcesCorrections(tx *transaction, d *draft) bool {
	return !p.report.Silent && tx.ledger.ClosedAt.IsZero() && !d.splitOff && (!d.stopped || d.ship.stoppedByRule())
}

// save writes the events, and announces those that are due.
func (u *eventUpdate) save() error {
	var e TransportEvent
	for _, v := range u.Changed() {
		e = milestoneEvent(v)
		if err := transportEvents.Put(u.tx, &e); err != nil {
			return err
		}
		if e.Version == v.Version {
			continue
		}
		u.written = append(u.written, v)
		if v.NewlyAnnounced() {
			u.tx.announce(e.Event, e.ref(), e.Shipment, e.Container)
		}
	}
	return u.err
}

func (e *TransportEvent) ref() Ref { return Ref{Type: "transport_event", ID: e.ID} }

// announceDueEvents announces the corrections of a container's milestones whose window
// has ended, and returns their changeset for container.updated; nil for none. The caller
// writes the container.
func announceDueEvents(tx *transaction, d *debounce.Debouncer, c *Container) (*correction.Change, error) {
	states, ended := d.EndWindows(c.AnnounceStates, correction.IsMilestoneTopic)
	if !ended {
		return nil, nil
	}
	c.AnnounceStates = states
	stored, err := eventsOf(tx, TransportEventQuery{Shipment: c.Shipment, Container: c.ID})
	if err != nil {
		return nil, err
	}
	u := newEventUpdate(tx, d, stored)
	u.Corrections, u.Containers = true, map[ID]correction.Container{c.ID: {AnnounceStates: &c.AnnounceStates}}
	u.AnnounceDue()
	return u.Changes()[c.ID], u.save()
}

// announceAvailability announces the latest availability event of a container at
// the end of a window, if it was held back and differs from the one announced last.
// The caller writes the container.
func announceAvailability(tx *transaction, d *debounce.Debouncer, c *Container) error {
	last, ended := d.Ended(c.AnnounceStates, correction.TopicAvailability)
	if !ended {
		return nil
	}
	list, err := transportEvents.All(tx, TransportEventQuery{Container: c.ID, Invalidated: No}.where())
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(e *TransportEvent) bool { return correction.IsAvailability(e.Event) }) // the latest first
	if i < 0 || correction.AvailabilitySum(list[i].Event, list[i].Location.ID) == last || !list[i].AnnouncedAt.IsZero() {
		c.AnnounceStates = d.Forget(c.AnnounceStates, correction.TopicAvailability)
		return nil
	}
	e := list[i]
	c.AnnounceStates, _ = d.Announce(c.AnnounceStates, debounce.EventChange{Topic: correction.TopicAvailability, Before: last, After: correction.AvailabilitySum(e.Event, e.Location.ID)})
	e.AnnouncedAt = tx.Now
	return putEvent(tx, transportEvents, e, e.Event, e.Shipment, e.Container)
}
