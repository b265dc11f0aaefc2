package tracking

import (
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/journey"
)

// announcePending announces the events that have waited for the shipment to be
// followed again and stand, with the new ones in order of time; where since is not
// zero, also those that were made since then and not announced. Of the turns of
// availability that have waited, the last of a container alone: the earlier ones are
// true no more. With announce false all of them wait on. Corrections that wait for the
// end of a window do so in any case.
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

// waits reports whether the event stands and waits for more than the end of a window.
func (e *TransportEvent) waits() bool {
	return e.Pending && e.Previous == (ID{}) && e.InvalidatedAt.IsZero()
}

// announceWaiting announces those of the events to be written that wait, in order of
// time.
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

// announceDifferences announces what differs from what was announced last, of all the
// shipment's events, which are in sight: corrections that a silent run of the rules has
// left, milestones that nothing stands for any more, and, where the shipment is
// followed, those that wait.
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
		case e.InvalidatedAt.IsZero(), e.AnnouncedAt.IsZero(), !e.CorrectedAt.IsZero(), e.Pending, continued[e.ID], u.boxes[e.Container] == nil, u.boxes[e.Container].removed():
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

// announcedSince reports whether another event of the same name was announced in place
// of one that earlier rules took back: they did not note what follows what.
func (u *eventUpdate) announcedSince(gone *TransportEvent) bool {
	for _, e := range u.found {
		if e != nil && e.Container == gone.Container && e.Event == gone.Event && e.InvalidatedAt.IsZero() &&
			!e.AnnouncedAt.IsZero() && !e.AnnouncedAt.Before(gone.AnnouncedAt) && u.samePlace(e, gone) {
			return true
		}
	}
	return false
}

// announcedAnyOf reports whether any milestone in sight of the container was announced.
func (u *eventUpdate) announcedAnyOf(container ID) bool {
	for _, e := range u.found {
		if e != nil && e.Container == container && !e.AnnouncedAt.IsZero() {
			return true
		}
	}
	return false
}

// availabilityAfter reports whether the last word on availability that was announced
// says the same as e, or a later turn of the container follows among the events.
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

// announceDueEvents announces the corrections of a container's milestones that have
// waited for the end of a window which has come, and returns what container.updated
// says of them; nil for nothing. The caller writes the container.
func (h debouncer) announceDueEvents(tx *transaction, c *Container) (*eventChanges, error) {
	due := slices.DeleteFunc(slices.Clone(c.Told), func(x announcementState) bool { return !x.ofEvents() || x.Waiting == nil || h.inWindow(&x) })
	if len(due) == 0 {
		return nil, nil
	}
	of := TransportEventQuery{Container: c.ID}.where()
	of.Sort = nil
	stored, err := transportEvents.All(tx, of)
	if err != nil {
		return nil, err
	}
	u := newEventUpdate(tx, h, stored)
	u.boxes[c.ID], u.corrections = c, announceNow
	for _, x := range due {
		x.Waiting = nil
		c.Told = c.Told.with(x.Topic, &x, h)
	}
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

// ofEvents reports whether it is about milestones and not about an attribute.
func (t *announcementState) ofEvents() bool { return strings.HasPrefix(string(t.Topic), topicOfEvents) }
