package correction

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/debounce"
)

// announce announces the successor of an event, at once or at the end of a window.
func (u *Update) announce(e, former *Event) {
	e.Pending = false
	if !u.Corrections {
		return
	}
	if u.repeats(e, former) {
		e.Pending = true
		return
	}
	e.AnnouncedAt = u.Now
	u.correct(former)
	if e.Name != former.Name {
		u.change(former, e)
	}
}

// withdraw announces that an event is not valid and has no successor, at once or at the
// end of a window.
func (u *Update) withdraw(former *Event) {
	if !u.Corrections {
		return
	}
	if u.repeats(nil, former) {
		former.Pending = true
		u.put(former)
		return
	}
	u.correct(former)
	u.change(former, nil)
}

// correct records that the end of an announced event was announced.
func (u *Update) correct(former *Event) {
	former.CorrectedAt, former.Pending = u.Now, false
	u.put(former)
}

// change adds to the changeset of the container. e is nil if the former has no successor.
func (u *Update) change(former, e *Event) {
	c := u.changes[former.Container]
	if c == nil {
		if u.changes == nil {
			u.changes = map[uuid.UUID]*Change{}
		}
		c = &Change{}
		u.changes[former.Container] = c
	}
	c.Before = append(c.Before, former)
	if e != nil {
		c.After = append(c.After, e)
	}
}

// repeats reports whether an announcement has to wait, because its content was announced
// before in the window of the container, event and place. It records what is announced
// and what waits. e is nil if the former has no successor.
func (u *Update) repeats(e, former *Event) (waits bool) {
	container, known := u.Containers[former.Container]
	if !known {
		return false
	}
	list := []debounce.EventChange{{Topic: former.topic(), Before: former.sum(), After: former.withdrawal()}}
	if e != nil {
		if e.topic() == former.topic() {
			list[0].After = e.sum()
		} else {
			list = append(list, debounce.EventChange{Topic: e.topic(), Before: e.withdrawal(), After: e.sum()})
		}
	}
	*container.AnnounceStates, waits = u.Debouncer.Announce(*container.AnnounceStates, list...)
	return waits
}

// AnnouncePending announces the valid events that have waited until the shipment is
// followed again, with the new ones in order of time. valid are all that are valid as
// stored. If since is not zero, it also announces those that were made since then and not
// announced. Of the changes of availability that have waited, it announces the last of
// each container, since the earlier ones are out of date. With announce false all of them
// keep waiting. Corrections that wait for the end of a window always keep waiting.
func (u *Update) AnnouncePending(valid []*Event, since time.Time, announce bool) {
	for _, e := range valid {
		if known := u.events[e.ID]; known != nil {
			e = known
		}
		if !since.IsZero() && e.AnnouncedAt.IsZero() && e.CreatedAt.After(since) {
			e.Pending = true
		}
		if e.waits() {
			if u.events[e.ID] == nil {
				u.add(e.ID, e)
			}
			u.put(e)
		}
	}
	if announce {
		u.announceWaiting(valid)
	}
}

// announceWaiting announces the waiting ones of the events to be written, in order of
// time. stored are the events of their containers.
func (u *Update) announceWaiting(stored []*Event) {
	slices.SortStableFunc(u.changed, func(a, b *Event) int {
		return cmp.Or(a.Timestamp.Compare(b.Timestamp), u.Order[a.Name]-u.Order[b.Name])
	})
	for i, e := range u.changed {
		if !e.waits() {
			continue
		}
		e.Pending = false
		if !IsAvailability(e.Name) || !e.outdatedBy(u.changed[i+1:]) && !e.repeatsLast(stored) {
			e.AnnouncedAt = u.Now
		}
	}
}

// outdatedBy reports whether a change of the container's availability is among later
// events.
func (e *Event) outdatedBy(later []*Event) bool {
	return slices.ContainsFunc(later, func(x *Event) bool {
		return IsAvailability(x.Name) && x.Container == e.Container && x.InvalidatedAt.IsZero()
	})
}

// repeatsLast reports whether the availability announced last equals that of e.
func (e *Event) repeatsLast(stored []*Event) bool {
	var last *Event
	for _, x := range stored {
		if IsAvailability(x.Name) && x.Container == e.Container && !x.AnnouncedAt.IsZero() && (last == nil || x.Timestamp.After(last.Timestamp)) {
			last = x
		}
	}
	return last != nil && last.availabilitySum() == e.availabilitySum()
}

// AnnounceDifferences announces the events of the shipment that differ from what was
// announced last: corrections that a silent run of the rules has left, milestones that
// are no longer valid and, if the shipment is followed, those that wait. All events of
// the shipment have been added.
func (u *Update) AnnounceDifferences() {
	continued := map[uuid.UUID]bool{}
	events := sortedByID(u.events)
	for _, e := range events {
		if !e.InvalidatedAt.IsZero() {
			continue
		}
		switch former := u.lastAnnounced(e); {
		case former == e:
		case former != nil:
			continued[former.ID] = true
			u.announce(e, former)
			u.put(e)
		case e.Pending && !u.Stopped:
			u.put(e)
		}
	}
	for _, e := range events {
		c, known := u.Containers[e.Container]
		switch {
		case e.InvalidatedAt.IsZero(), e.AnnouncedAt.IsZero(), !e.CorrectedAt.IsZero(), e.Pending, continued[e.ID], !known, c.Removed:
		case u.announcedSince(e):
			u.correct(e)
		default:
			u.withdraw(e)
		}
	}
	if !u.Stopped {
		u.announceWaiting(events)
	}
}

// announcedSince reports whether another event of the same name was announced instead of
// one that earlier rules invalidated: they did not record successors.
func (u *Update) announcedSince(gone *Event) bool {
	for _, e := range u.events {
		if e != nil && e.Container == gone.Container && e.Name == gone.Name && e.InvalidatedAt.IsZero() &&
			!e.AnnouncedAt.IsZero() && !e.AnnouncedAt.Before(gone.AnnouncedAt) && u.samePlace(e, gone) {
			return true
		}
	}
	return false
}

// AnnouncedAnyOf reports whether any milestone of the container was announced.
func (u *Update) AnnouncedAnyOf(container uuid.UUID) bool {
	for _, e := range u.events {
		if e != nil && e.Container == container && !e.AnnouncedAt.IsZero() {
			return true
		}
	}
	return false
}

// AnnounceDue announces the corrections and withdrawals that have waited for the end of
// a window.
func (u *Update) AnnounceDue() {
	for _, e := range sortedByID(u.events) {
		if !e.Pending {
			continue
		}
		if !e.InvalidatedAt.IsZero() {
			if !e.AnnouncedAt.IsZero() {
				u.withdraw(e)
			}
		} else if former := u.lastAnnounced(e); former != nil {
			u.announce(e, former)
			u.put(e)
		}
	}
}

// A terminal may report a container as available and not available in quick
// succession. The announcements of these two events share one window for each
// container: all events are recorded, and one that repeats an event announced in the
// window waits for its end. Then the latest event is announced.

// TopicAvailability is the topic of these events.
const TopicAvailability = "turn"

// HoldBackAvailability clears AnnouncedAt of new availability events that have to wait.
// An event that continues another is announced as its correction, or not at all. Events
// that are not announced, such as those of a silent report, end the window.
func (u *Update) HoldBackAvailability() {
	done := map[uuid.UUID]bool{}
	for _, e := range u.changed {
		c, known := u.Containers[e.Container]
		if IsAvailability(e.Name) && known && !c.Removed && !done[e.Container] {
			done[e.Container] = true
			*c.AnnounceStates = u.holdBack(*c.AnnounceStates, u.availability(e.Container))
		}
	}
}

// holdBack returns the states after the availability events of one container, in order.
func (u *Update) holdBack(states debounce.States, list []*Event) debounce.States {
	for i, e := range list {
		if e.Version != 0 || e.continues {
			continue
		}
		if e.AnnouncedAt.IsZero() {
			states = u.Debouncer.Forget(states, TopicAvailability)
			continue
		}
		change := debounce.EventChange{Topic: TopicAvailability, After: e.availabilitySum(), Replaces: true}
		if i > 0 {
			change.Before = list[i-1].availabilitySum()
		}
		var waits bool
		if states, waits = u.Debouncer.Announce(states, change); waits {
			e.AnnouncedAt = time.Time{}
		}
	}
	return states
}

// availability returns the changes of availability of a container, in order, with those
// that are to be written.
func (u *Update) availability(container uuid.UUID) []*Event {
	list := u.Stored.Availability(container)
	for i, e := range list {
		if at := slices.IndexFunc(u.changed, func(x *Event) bool { return x.ID == e.ID }); at >= 0 {
			list[i] = u.changed[at]
		}
	}
	return list
}
