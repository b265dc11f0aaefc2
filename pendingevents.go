package tracking

import (
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/correction"
	"github.com/landfallhq/tracking/internal/debounce"
	"github.com/landfallhq/tracking/internal/journey"
)

// announcePending announces the valid events that have waited until the shipment is
// followed again, with the new ones in order of time. If since is not zero, it also
// announces those that were made since then and not announced. Of the changes of
// availability that have waited, it announces the last of each container, since the
// earlier ones are out of date. With announce false all of them keep waiting. Corrections
// that wait for the end of a window always keep waiting.
func (u *eventUpdate) announcePending(shipment ID, since time.Time, announce bool) error {
	of := TransportEventQuery{Shipment: shipment, Invalidated: No}.where()
	of.Sort = nil
	stored, err := transportEvents.All(u.tx, of)
	if err != nil {
		return err
	}
	for _, e := range stored {
		if known := u.found[e.ID]; known != nil {
			e = known
		}
		if !since.IsZero() && e.AnnouncedAt.IsZero() && e.CreatedAt.After(since) {
			e.Pending = true
		}
		if e.waits() {
			if u.found[e.ID] == nil {
				u.find(e, e.ID)
			}
			u.put(e)
		}
	}
	if announce {
		u.announceWaiting(stored)
	}
	return nil
}

// waits reports whether the event is valid and waits for more than the end of a window.
func (e *TransportEvent) waits() bool {
	return e.Pending && e.Previous == (ID{}) && e.InvalidatedAt.IsZero()
}

// announceWaiting announces the waiting ones of the events to be written, in order of time.
func (u *eventUpdate) announceWaiting(stored []*TransportEvent) {
	slices.SortStableFunc(u.write, func(a, b *TransportEvent) int {
		if c := a.Timestamp.Compare(b.Timestamp); c != 0 {
			return c
		}
		return journey.MilestoneOrder[a.Event] - journey.MilestoneOrder[b.Event]
	})
	for i, e := range u.write {
		if !e.waits() {
			continue
		}
		e.Pending = false
		if !e.isAvailability() || !e.availabilityAfter(stored, u.write[i+1:]) {
			e.AnnouncedAt = u.tx.Now
		}
	}
}

// announceDifferences announces the events of the shipment that differ from what was
// announced last: corrections that a silent run of the rules has left, milestones that
// are no longer valid and, if the shipment is followed, those that wait.
func (u *eventUpdate) announceDifferences() error {
	continued := map[ID]bool{}
	events := sortedByID(u.found)
	for _, e := range events {
		if !e.InvalidatedAt.IsZero() || !e.milestone() {
			continue
		}
		former, err := u.announcedBefore(e)
		if err != nil {
			return err
		}
		switch {
		case former == e || former != nil && !former.CorrectedAt.IsZero():
		case former != nil:
			continued[former.ID] = true
			u.announce(e, former)
			u.put(e)
		case e.Pending && !u.d.stopped:
			u.put(e)
		}
	}
	for _, e := range events {
		switch {
		case e.InvalidatedAt.IsZero(), e.AnnouncedAt.IsZero(), !e.CorrectedAt.IsZero(), e.Pending, continued[e.ID], u.containers[e.Container] == nil, u.containers[e.Container].removed():
		case u.announcedSince(e):
			u.correct(e)
		default:
			u.withdraw(e)
		}
	}
	if !u.d.stopped {
		u.announceWaiting(events)
	}
	return nil
}

// announcedSince reports whether another event of the same name was announced instead of
// one that earlier rules invalidated: they did not record successors.
func (u *eventUpdate) announcedSince(gone *TransportEvent) bool {
	for _, e := range u.found {
		if e != nil && e.Container == gone.Container && e.Event == gone.Event && e.InvalidatedAt.IsZero() &&
			!e.AnnouncedAt.IsZero() && !e.AnnouncedAt.Before(gone.AnnouncedAt) && u.samePlace(e, gone) {
			return true
		}
	}
	return false
}

// announcedAnyOf reports whether any milestone of the container was announced.
func (u *eventUpdate) announcedAnyOf(container ID) bool {
	for _, e := range u.found {
		if e != nil && e.Container == container && !e.AnnouncedAt.IsZero() {
			return true
		}
	}
	return false
}

// availabilityAfter reports whether the availability announced last equals that of e, or
// a later change of the container follows among the events.
func (e *TransportEvent) availabilityAfter(stored, later []*TransportEvent) bool {
	for _, x := range later {
		if x.isAvailability() && x.Container == e.Container && x.InvalidatedAt.IsZero() {
			return true
		}
	}
	var last *TransportEvent
	for _, x := range stored {
		if x.isAvailability() && x.Container == e.Container && !x.AnnouncedAt.IsZero() && (last == nil || x.Timestamp.After(last.Timestamp)) {
			last = x
		}
	}
	return last != nil && last.availabilitySum() == e.availabilitySum()
}

// announceDueEvents announces the corrections of a container's milestones whose window
// has ended, and returns their changeset for container.updated; nil for none. The caller
// writes the container.
func announceDueEvents(tx *transaction, d *debounce.Debouncer, c *Container) (*eventChanges, error) {
	states, ended := d.EndWindows(c.Told, isMilestoneTopic)
	if !ended {
		return nil, nil
	}
	c.Told = states
	of := TransportEventQuery{Container: c.ID}.where()
	of.Sort = nil
	stored, err := transportEvents.All(tx, of)
	if err != nil {
		return nil, err
	}
	u := newEventUpdate(tx, d, stored)
	u.containers[c.ID], u.corrections = c, announceNow
	for _, e := range sortedByID(u.found) {
		if !e.Pending {
			continue
		}
		if !e.InvalidatedAt.IsZero() {
			u.withdraw(e)
			continue
		}
		former, err := u.announcedBefore(e)
		if err != nil {
			return nil, err
		}
		if former != nil {
			u.announce(e, former)
			u.put(e)
		}
	}
	_, err = u.save()
	return u.changes[c.ID], err
}

// isMilestoneTopic reports whether a topic is about milestones and not about an
// attribute or availability.
func isMilestoneTopic(topic string) bool { return strings.HasPrefix(topic, topicOfEvents) }

// A terminal may report a container as available and not available in quick
// succession. The announcements of these two events share one window for each
// container: all events are recorded, and one that repeats an event announced in the
// window waits for its end. Then the latest event is announced.

// topicAvailability is the topic of these events.
const topicAvailability = "turn"

func (e *TransportEvent) isAvailability() bool {
	return correction.IsAvailability(e.Event)
}

// availabilitySum is equal for events with the same meaning.
func (e *TransportEvent) availabilitySum() uint64 {
	return sumOf([]byte(string(e.Event) + "/" + e.Location.ID.String()))
}

func sumOf(parts ...[]byte) uint64 {
	sum := fnv.New64a()
	for _, p := range parts {
		sum.Write(p)
	}
	return sum.Sum64()
}

func (e *TransportEvent) between(a, b *TransportEvent) bool {
	if b.Timestamp.Before(a.Timestamp) {
		a, b = b, a
	}
	return e.Timestamp.After(a.Timestamp) && e.Timestamp.Before(b.Timestamp)
}

// holdBackAvailability clears AnnouncedAt of new availability events that have to wait.
// An event that continues another is announced as its correction, or not at all. Events
// that are not announced, such as those of a silent report, end the window.
func (u *eventUpdate) holdBackAvailability(containers []storedContainer) {
	for _, c := range containers {
		j := u.d.journeyOf(c.Number)
		if c.removed() || j == nil || !slices.ContainsFunc(u.write, func(e *TransportEvent) bool { return e.isAvailability() && e.Container == c.ID }) {
			continue
		}
		list := u.d.availabilityEvents(u.tx, c.ID, j, u.write)
		for i, e := range list {
			if e.Version != 0 || u.continued[e.ID] || !slices.Contains(u.write, e) {
				continue
			}
			if e.AnnouncedAt.IsZero() {
				c.Told = u.debouncer.Forget(c.Told, topicAvailability)
				continue
			}
			change := debounce.EventChange{Topic: topicAvailability, After: e.availabilitySum(), Replaces: true}
			if i > 0 {
				change.Before = list[i-1].availabilitySum()
			}
			var waits bool
			if c.Told, waits = u.debouncer.Announce(c.Told, change); waits {
				e.AnnouncedAt = time.Time{}
			}
		}
	}
}

// availabilityEvents are those of a container, in order. Changed ones are from the
// list; the others have only the fields that are compared.
func (d *draft) availabilityEvents(tx *transaction, container ID, j *journey.ContainerJourney, changed []*TransportEvent) (list []*TransportEvent) {
	for _, m := range j.Milestones {
		e := &TransportEvent{Meta: Meta{ID: d.ship.EventVersions.current(eventID(container, m)), Version: 1}, Event: m.Event, Timestamp: m.At.Time, Location: placeRef(tx, m.Place)}
		if !e.isAvailability() {
			continue
		}
		if i := slices.IndexFunc(changed, func(x *TransportEvent) bool { return x.ID == e.ID }); i >= 0 {
			e = changed[i]
		}
		list = append(list, e)
	}
	return list
}

// announceAvailability announces the latest availability event of a container at
// the end of a window, if it was held back and differs from the one announced last.
// The caller writes the container.
func announceAvailability(tx *transaction, d *debounce.Debouncer, c *Container) error {
	last, ended := d.Ended(c.Told, topicAvailability)
	if !ended {
		return nil
	}
	list, err := transportEvents.All(tx, TransportEventQuery{Container: c.ID, Invalidated: No}.where())
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, (*TransportEvent).isAvailability) // the latest first
	if i < 0 || list[i].availabilitySum() == last || !list[i].AnnouncedAt.IsZero() {
		c.Told = d.Forget(c.Told, topicAvailability)
		return nil
	}
	e := list[i]
	c.Told, _ = d.Announce(c.Told, debounce.EventChange{Topic: topicAvailability, Before: last, After: e.availabilitySum()})
	e.AnnouncedAt = tx.Now
	if err := transportEvents.Put(tx, e); err != nil {
		return err
	}
	tx.announce(e.Event, e.ref(), e.Shipment, e.Container)
	return nil
}
