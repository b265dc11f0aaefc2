package correction

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/debounce"
)

// Update is the work of one transaction on the milestone events of a shipment. A
// milestone that was announced and is then corrected in substance is a new event: the
// former is invalidated, and the new one, its successor, names it as its previous version
// and is announced. What merely completes an event, and whatever was never announced,
// changes the event in place.
type Update struct {
	Now time.Time
	// Corrections: they are announced. A receiver that was notified of a wrong value is
	// notified of the right one.
	Corrections bool
	// Stopped: tracking of the shipment was stopped before.
	Stopped bool
	// Containers are those of the shipment. Corrections of others do not wait.
	Containers map[uuid.UUID]Container
	Debouncer  *debounce.Debouncer
	Stored     Stored
	// Order of events at one time.
	Order map[freight.EventName]int

	events  map[uuid.UUID]*Event // that were read; nil for none
	changed []*Event
	changes map[uuid.UUID]*Change
}

// Stored answers from what is stored. An Update that only announces what waits asks Read
// alone.
type Stored interface {
	// Read returns a stored event; nil for none.
	Read(id uuid.UUID) *Event
	// Valid returns the stored events of a container that are valid.
	Valid(container uuid.UUID) []*Event
	// Next returns the ID of the next version of an event.
	Next(id uuid.UUID) uuid.UUID
	// UseVersion records which version stands for a milestone, by the ID of the first.
	UseVersion(first, id uuid.UUID)
	// PortByName returns the ID that the port with a LOCODE has where it is known by its
	// name alone; zero for an unknown one.
	PortByName(locode string) uuid.UUID
	// VesselKey returns an ID that is equal for the IDs of one vessel.
	VesselKey(id uuid.UUID) uuid.UUID
	// SameFact reports whether two facts are versions of one.
	SameFact(a, b uuid.UUID) bool
	// Availability returns the present changes of availability of a container, in order:
	// ID, Name, Timestamp and Location, and a Version that is not 0.
	Availability(container uuid.UUID) []*Event
}

// Container is a container of the shipment.
type Container struct {
	// AnnounceStates are the states of its announcements; the Update changes them.
	AnnounceStates *debounce.States
	// Leaves: it leaves the shipment now. Removed: it is not in the shipment.
	Leaves, Removed bool
}

// Change is the milestones of a container in the changeset of container.updated: those
// that are no longer valid, and those of other names that replace them.
type Change struct {
	Before, After []*Event
}

// Timing is when a new event is announced.
type Timing uint8

// The timings.
const (
	AnnounceNever Timing = iota
	AnnounceNow
	AnnounceOnceFollowed // a rule has stopped the shipment
)

// Add adds events that were read.
func (u *Update) Add(stored []*Event) {
	for _, e := range stored {
		u.add(e.ID, e)
	}
}

func (u *Update) add(id uuid.UUID, e *Event) {
	if u.events == nil {
		u.events = map[uuid.UUID]*Event{}
	}
	if e != nil {
		e.progress = progress{announcedBefore: !e.AnnouncedAt.IsZero()}
	}
	u.events[id] = e
}

// Changed returns the events to be written, each once.
func (u *Update) Changed() []*Event { return u.changed }

// Changes returns the changes for container.updated, by container.
func (u *Update) Changes() map[uuid.UUID]*Change { return u.changes }

// samePlace reports whether two events are at one place, however it is spelled.
func (u *Update) samePlace(a, b *Event) bool {
	if a.Location == b.Location || a.Location == (uuid.UUID{}) || b.Location == (uuid.UUID{}) {
		return true
	}
	if a.LOCODE == "" {
		a, b = b, a
	}
	return a.LOCODE != "" && b.LOCODE == "" && b.Location == u.Stored.PortByName(a.LOCODE)
}

// otherVessel reports whether two vessels are known to differ. A name and the IMO
// number that belongs to it are one vessel.
func (u *Update) otherVessel(a, b uuid.UUID) bool {
	return a != b && a != (uuid.UUID{}) && b != (uuid.UUID{}) && u.Stored.VesselKey(a) != u.Stored.VesselKey(b)
}

// corrects reports whether an event differs in substance from what was announced with
// the former.
func (u *Update) corrects(e, former *Event) bool {
	a := former.AnnouncedAs()
	return e.Name != former.Name || !u.samePlace(e, former) ||
		OtherMoment(a.Moment(), e.Moment()) || u.otherVessel(a.Vessel, e.Vessel) || OtherVoyage(a.Voyage, e.Voyage)
}

// read returns an event, nil for none.
func (u *Update) read(id uuid.UUID) *Event {
	if id == (uuid.UUID{}) {
		return nil
	}
	e, known := u.events[id]
	if !known {
		e = u.Stored.Read(id)
		u.add(id, e)
	}
	return e
}

// maxVersions bounds the steps from version to version.
const maxVersions = 1000

// lastAnnounced returns the event that was announced last among e and its previous
// versions; nil if none was. An event that is valid again has no successor any more.
func (u *Update) lastAnnounced(e *Event) *Event {
	for range maxVersions {
		if e == nil || !e.AnnouncedAt.IsZero() {
			return e
		}
		if e.Previous == (uuid.UUID{}) {
			return nil
		}
		if e = u.read(e.Previous); e != nil && e.InvalidatedAt.IsZero() {
			return nil
		}
	}
	return nil
}

// lastVersion returns the last announced version of an event that stands for no
// milestone; nil if there is none.
func (u *Update) lastVersion(id uuid.UUID) (last *Event) {
	for e := u.read(id); e != nil; e = u.read(id) {
		if !e.AnnouncedAt.IsZero() && !e.used && !e.InvalidatedAt.IsZero() {
			last = e
		}
		id = u.Stored.Next(id)
	}
	return last
}

// free returns the first version of an event that no milestone uses and that was never
// announced, with its record if it has one.
func (u *Update) free(id uuid.UUID) (uuid.UUID, *Event) {
	for {
		e := u.read(id)
		if e == nil || !e.used && e.AnnouncedAt.IsZero() && !e.InvalidatedAt.IsZero() {
			return id, e
		}
		id = u.Stored.Next(id)
	}
}

// put adds an event to those to be written, in the place of another state of it.
func (u *Update) put(e *Event) {
	if e.changed {
		u.changed[slices.IndexFunc(u.changed, func(x *Event) bool { return x.ID == e.ID })] = e
		return
	}
	e.changed = true
	u.changed = append(u.changed, e)
}

// Run pairs the changed milestones of each container with its former events, and settles
// each pair. derived are the changed milestones in order, with the IDs of their first
// versions; current has the IDs of former events that are later versions, by the first.
// timing is when a milestone that replaces no other is announced.
func (u *Update) Run(derived []*Event, current map[uuid.UUID]uuid.UUID, timing func(*Event) Timing) {
	was, is := map[uuid.UUID][]*Event{}, map[uuid.UUID][]*Event{}
	var containers []uuid.UUID
	add := func(to map[uuid.UUID][]*Event, e *Event) {
		if len(was[e.Container])+len(is[e.Container]) == 0 {
			containers = append(containers, e.Container)
		}
		to[e.Container] = append(to[e.Container], e)
	}
	for _, e := range derived {
		add(is, e)
	}
	for _, e := range sortedByID(u.events) {
		if e.InvalidatedAt.IsZero() {
			add(was, e)
		}
	}
	for _, container := range containers {
		u.settleContainer(was[container], is[container], current, timing)
	}
}

func (u *Update) settleContainer(was, is []*Event, current map[uuid.UUID]uuid.UUID, timing func(*Event) Timing) {
	pairs := u.pair(was, is, current)
	for _, old := range was {
		e := pairs.Of[old]
		// Events that keep their records come first, before any other record is given away.
		old.used = e != nil && (u.lastAnnounced(old) != nil || e.ID == old.ID)
		if e != nil && !old.used {
			old.released = true
			u.invalidate(old)
		}
	}
	for _, e := range is {
		if old := pairs.By[e]; old == nil {
			u.begin(e, timing)
		} else {
			u.follow(e, old)
			e.continues = true
		}
	}
	for _, old := range was {
		if pairs.Of[old] == nil {
			u.end(old)
		}
	}
}

// pair finds for each changed milestone of a container the event that it continues.
func (u *Update) pair(was, is []*Event, current map[uuid.UUID]uuid.UUID) Pairs {
	rules := Rules{
		SameContent: func(old, e *Event) bool { return !u.corrects(e, old) },
		SameVisit: func(old, e *Event) bool {
			version, known := current[e.ID]
			return old.ID == e.ID || known && version == old.ID
		},
		SameFact:    func(old, e *Event) bool { return old.Fact == e.Fact || u.Stored.SameFact(old.Fact, e.Fact) },
		SamePlace:   u.samePlace,
		Interrupted: func(old, e *Event) bool { return u.availabilityBetween(old, e, was, is) },
	}
	return rules.Pair(was, is)
}

// availabilityBetween reports whether a change of availability to another value is, or
// was until now, between two events.
func (u *Update) availabilityBetween(old, e *Event, was, is []*Event) bool {
	other := func(x *Event) bool {
		return IsAvailability(x.Name) && x.availabilitySum() != e.availabilitySum() && x.between(old, e)
	}
	return slices.ContainsFunc(was, other) || slices.ContainsFunc(is, other) || slices.ContainsFunc(u.Stored.Availability(e.Container), other)
}

// settleAs gives a milestone's event the ID of a version; e.ID is that of its first
// version until then. old is the record of the version, nil for none.
func (u *Update) settleAs(e *Event, id uuid.UUID, old *Event) {
	u.Stored.UseVersion(e.ID, id)
	e.ID, e.CreatedAt, e.used = id, u.Now, true
	u.events[id] = e
	if old == nil {
		u.put(e)
		return
	}
	e.Version, e.CreatedAt, e.AnnouncedAt, e.Previous = old.Version, old.CreatedAt, old.AnnouncedAt, old.Previous
	e.progress = old.progress
	e.used = true
	if previous := u.read(e.Previous); previous != nil && previous.InvalidatedAt.IsZero() {
		e.Previous = uuid.UUID{}
	}
	if e.AnnouncedAt.IsZero() {
		e.Pending = old.Pending
	} else if as := old.AnnouncedAs().CompletedBy(e.Values); as != e.Values {
		e.Announced = &as
	}
	if !e.same(old) {
		u.put(e)
	}
}

// settleFree gives a milestone's event the first free version from that ID on, and
// returns the record of that version, nil for none.
func (u *Update) settleFree(e *Event, id uuid.UUID) (unused *Event) {
	id, unused = u.free(id)
	u.settleAs(e, id, unused)
	e.Pending = false
	return unused
}

// follow makes the milestone e the successor of the event old.
func (u *Update) follow(e, old *Event) {
	former := u.lastAnnounced(old)
	switch {
	case former == nil:
		u.replace(e, old)
		return
	case former.CorrectedAt.IsZero() && !u.corrects(e, former):
		if former != old {
			u.invalidate(old)
			u.settled(former)
		}
		u.settleAs(e, former.ID, former)
		if former != old {
			u.detachSuccessors(e)
		}
		return
	case former != old: // its successor, which was never announced
		u.settleAs(e, old.ID, old)
	default:
		u.invalidate(former)
		u.settleFree(e, e.ID)
	}
	u.succeed(e, former)
}

// succeed makes e the next version of an announced event.
func (u *Update) succeed(e, former *Event) {
	e.Previous = former.ID
	u.put(e)
	u.announce(e, former)
}

// replace corrects an event that was never announced. Its ID follows from its content.
func (u *Update) replace(e, old *Event) {
	if old.ID == e.ID {
		u.settleAs(e, old.ID, old)
		return
	}
	pending := old.Pending
	u.invalidate(old)
	u.settleFree(e, e.ID)
	e.Pending = pending
	u.put(e)
}

// begin makes the event of a milestone that replaces no other.
func (u *Update) begin(e *Event, timing func(*Event) Timing) {
	last := u.lastVersion(e.ID)
	switch {
	case last == nil:
		u.beginFirst(e, timing)
		return
	case last.CorrectedAt.IsZero() && !u.corrects(e, last):
		u.settled(last)
		u.settleAs(e, last.ID, last) // its end was never announced
		u.detachSuccessors(e)
	default:
		u.settleFree(e, u.Stored.Next(last.ID))
		u.succeed(e, last)
	}
	e.continues = true
}

// detachSuccessors ends the succession of an event that is valid again. What has waited
// to be announced as its successor is announced as an event of its own. That may be an
// event whose milestone has not changed now.
func (u *Update) detachSuccessors(again *Event) {
	for _, e := range u.Stored.Valid(again.Container) {
		if _, known := u.events[e.ID]; !known {
			u.add(e.ID, e)
		}
	}
	for _, e := range sortedByID(u.events) {
		if e.Previous != again.ID || !e.InvalidatedAt.IsZero() {
			continue
		}
		e.Previous = uuid.UUID{}
		if e.Pending && u.Corrections {
			e.Pending, e.AnnouncedAt = false, u.Now
		}
		u.put(e)
	}
}

// beginFirst makes an event that was announced in no version. One that was valid before
// and was not announced then is not announced when it is valid again, unless it waited to
// be announced, or took the place of an event that was announced.
func (u *Update) beginFirst(e *Event, timing func(*Event) Timing) {
	id, unused := u.free(e.ID)
	u.settleAs(e, id, unused)
	if unused != nil && !unused.released {
		former := u.lastAnnounced(unused)
		switch {
		case former == nil && !unused.Pending:
			return
		case former == nil: // it still waited when it ended
		case former.Pending && !former.InvalidatedAt.IsZero(): // its end has not been announced yet
			u.settled(former)
			u.put(e)
			u.announce(e, former)
			return
		}
	}
	e.Pending = false
	switch timing(e) {
	case AnnounceNow:
		e.AnnouncedAt = u.Now
	case AnnounceOnceFollowed:
		e.Pending = true
	}
	u.put(e)
}

// end invalidates an event that has no milestone any more.
func (u *Update) end(old *Event) {
	former := u.lastAnnounced(old)
	u.invalidate(old)
	switch {
	case former == nil, !former.CorrectedAt.IsZero():
	case !u.Containers[old.Container].Leaves:
		u.withdraw(former)
	case u.Corrections: // container.updated says that the container has left
		u.correct(former)
	}
}

// invalidate marks an event as no longer valid. One that was never announced remains
// marked as waiting, in case it is valid again.
func (u *Update) invalidate(e *Event) {
	if e.InvalidatedAt.IsZero() {
		e.InvalidatedAt, e.Pending = u.Now, e.Pending && e.AnnouncedAt.IsZero()
		u.put(e)
	}
}

// settled ends the waiting of an event that is valid again as it was announced. Another
// milestone of its topic may still wait.
func (u *Update) settled(e *Event) {
	if e.Pending {
		e.Pending = false
		u.put(e)
	}
}
