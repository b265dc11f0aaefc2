package tracking

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/correction"
	"github.com/landfallhq/tracking/internal/debounce"
	"github.com/landfallhq/tracking/internal/naturalkey"
	"github.com/landfallhq/tracking/internal/table"
)

// A milestone that was announced and is then corrected in substance is a new
// event: the former is invalidated, and the new one, its successor, names it as its
// previous version and is announced. What merely completes an event, and whatever
// was never announced, changes the event in place.

func (e *TransportEvent) values() correction.Values {
	return correction.Values{Timestamp: e.Timestamp, Timezone: e.Timezone, DayOnly: e.DayOnly, Vessel: e.Vessel, Voyage: e.VoyageNumber}
}

// announcedAs is what the receivers of the event's notification have.
func (e *TransportEvent) announcedAs() correction.Values {
	if e.Announced != nil {
		return *e.Announced
	}
	return e.values()
}

// samePlace reports whether two events are at one place, however it is spelled.
func (u *eventUpdate) samePlace(a, b *TransportEvent) bool {
	if a.Location == b.Location || a.Location.ID == (ID{}) || b.Location.ID == (ID{}) {
		return true
	}
	if (a.LocationLOCODE == "") == (b.LocationLOCODE == "") {
		return false
	}
	if a.LocationLOCODE == "" {
		a, b = b, a
	}
	_, name, _, ok := u.tx.engine.refs.Place(a.LocationLOCODE)
	return ok && b.Location.ID == naturalkey.ByName("port", u.tx.Account, name)
}

// otherVessel reports whether two vessels are known to differ. A name and the IMO
// number that belongs to it are one vessel.
func (u *eventUpdate) otherVessel(a, b ID) bool {
	return a != b && a != (ID{}) && b != (ID{}) && u.vesselKey(a) != u.vesselKey(b)
}

// vesselKey is the ID by IMO number of a vessel that is known by its name, where
// the shipment's facts give that name to one number alone, or the account's other facts do.
func (u *eventUpdate) vesselKey(id ID) ID {
	if u.vesselNames == nil {
		u.vesselNames = map[ID]ID{}
		for _, r := range u.d.facts {
			v := r.Fact.Vessel
			if v.IMO == "" || v.Name == "" {
				continue
			}
			name := naturalkey.ByName("vessel", u.tx.Account, v.Name)
			if imo, known := u.vesselNames[name]; known && imo != naturalkey.Vessel(v.IMO) {
				u.vesselNames[name] = name // two ships bear it
			} else if !known {
				u.vesselNames[name] = naturalkey.Vessel(v.IMO)
			}
		}
	}
	imo, known := u.vesselNames[id]
	if known {
		return imo
	}
	v, err := vessels.Get(u.tx, id)
	switch {
	case isNotFound(err):
	case err != nil:
		u.failed = cmp.Or(u.failed, err)
	case v.KnownAs != (ID{}):
		return v.KnownAs
	}
	return id
}

// corrects reports whether an event differs in substance from what was announced with
// the former.
func (u *eventUpdate) corrects(e, former *TransportEvent) bool {
	a, b := former.announcedAs(), e.values()
	return e.Event != former.Event || !u.samePlace(e, former) ||
		correction.OtherMoment(a.Moment(), b.Moment()) || u.otherVessel(a.Vessel, b.Vessel) || correction.OtherVoyage(a.Voyage, b.Voyage)
}

// nextVersion is the ID of the event that follows another as the next version.
func nextVersion(id ID) ID { return table.NamedID("transport_event", id.String()+"/next") }

// eventUpdate is the work of one transaction on the milestone events of a shipment.
type eventUpdate struct {
	tx *transaction
	d  *draft
	// facts are those of the transaction, by ID.
	facts      map[ID]*RawEvent
	containers map[ID]*Container
	// left are the containers that leave the shipment now.
	left map[ID]bool
	// found are the stored events that were read (nil for none), and before their
	// content at that time.
	found  map[ID]*TransportEvent
	before map[ID]storedEvent
	// used are the IDs of events that stand for a milestone. Released ones stood for one
	// until now, and were never announced.
	used, released map[ID]bool
	// continued are the events that continue others.
	continued map[ID]bool
	// write are the events to be written, each once, and writing are their IDs.
	write   []*TransportEvent
	writing map[ID]bool
	// changes are the changesets of container.updated, by container.
	changes map[ID]*eventChanges
	// corrections is how a correction is announced.
	corrections announceTiming
	debouncer   *debounce.Debouncer
	vesselNames map[ID]ID
	// failed is the first error of the store while events were compared: save returns it.
	failed error
}

// eventChanges are the milestones in the changeset of container.updated: those that are
// no longer valid, and those of other names that replace them.
type eventChanges struct {
	before, after []*TransportEvent
}

// storedEvent is the stored content of an event that a transaction changes.
type storedEvent struct {
	version   int64
	announced bool
}

func newEventUpdate(tx *transaction, d *debounce.Debouncer, stored []*TransportEvent) *eventUpdate {
	u := &eventUpdate{
		tx: tx, debouncer: d, containers: map[ID]*Container{}, left: map[ID]bool{}, found: map[ID]*TransportEvent{}, before: map[ID]storedEvent{},
		used: map[ID]bool{}, released: map[ID]bool{}, continued: map[ID]bool{}, changes: map[ID]*eventChanges{}, writing: map[ID]bool{},
	}
	for _, e := range stored {
		u.find(e, e.ID)
	}
	return u
}

// save writes the events, and announces those that are due. It returns how many are new
// or corrected.
func (u *eventUpdate) save() (written int, err error) {
	if u.failed != nil {
		return 0, u.failed
	}
	for _, e := range u.write {
		if err := transportEvents.Put(u.tx, e); err != nil {
			return 0, err
		}
		before := u.before[e.ID]
		if e.Version == before.version {
			continue
		}
		written++
		if !before.announced && !e.AnnouncedAt.IsZero() {
			u.tx.announce(e.Event, e.ref(), e.Shipment, e.Container)
		}
	}
	return written, nil
}

// read returns a stored event, nil for none.
func (u *eventUpdate) read(id ID) (*TransportEvent, error) {
	if e, known := u.found[id]; known {
		return e, nil
	}
	e, err := transportEvents.Get(u.tx, id)
	if isNotFound(err) {
		e, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	u.find(e, id)
	return e, nil
}

func (u *eventUpdate) find(e *TransportEvent, id ID) {
	u.found[id] = e
	if e != nil {
		u.before[id] = storedEvent{e.Version, !e.AnnouncedAt.IsZero()}
	}
}

// announcedBefore returns the event that was announced last among e and its previous
// versions; nil if none was.
func (u *eventUpdate) announcedBefore(e *TransportEvent) (*TransportEvent, error) {
	for range maxVersions {
		if e == nil || !e.AnnouncedAt.IsZero() {
			return e, nil
		}
		if e.Previous == (ID{}) {
			return nil, nil
		}
		var err error
		if e, err = u.read(e.Previous); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// maxVersions bounds the steps from version to version.
const maxVersions = 1000

// free returns the first version of an event that no milestone uses and that was never
// announced, with its record if it has one.
func (u *eventUpdate) free(id ID) (ID, *TransportEvent, error) {
	for {
		e, err := u.read(id)
		if err != nil {
			return id, nil, err
		}
		if e == nil && !u.used[id] || e != nil && !u.used[id] && e.AnnouncedAt.IsZero() && !e.InvalidatedAt.IsZero() {
			return id, e, nil
		}
		id = nextVersion(id)
	}
}

// put adds an event to those that save writes.
func (u *eventUpdate) put(e *TransportEvent) {
	if u.writing[e.ID] {
		u.write[slices.IndexFunc(u.write, func(x *TransportEvent) bool { return x.ID == e.ID })] = e
		return
	}
	u.writing[e.ID] = true
	u.write = append(u.write, e)
}

// settleAs gives a milestone's event the ID of a version; e.ID is that of its first
// version until then. old is the record of the version, nil for none.
func (u *eventUpdate) settleAs(e *TransportEvent, id ID, old *TransportEvent) {
	u.d.useVersion(e.ID, id)
	e.ID, e.CreatedAt = id, u.tx.Now
	u.used[id], u.found[id] = true, e
	if old == nil {
		u.put(e)
		return
	}
	e.Meta, e.CreatedAt, e.AnnouncedAt, e.Previous = old.Meta, old.CreatedAt, old.AnnouncedAt, old.Previous
	if e.AnnouncedAt.IsZero() {
		e.Pending = old.Pending
	} else if as := old.announcedAs().CompletedBy(e.values()); as != e.values() {
		e.Announced = &as
	}
	if !e.same(old) {
		u.put(e)
	}
}

func (e *TransportEvent) same(old *TransportEvent) bool {
	a, b := *e, *old
	if a.Announced != nil && b.Announced != nil && *a.Announced == *b.Announced {
		a.Announced, b.Announced = nil, nil
	}
	return a == b
}

// invalidate marks an event as no longer valid.
func (u *eventUpdate) invalidate(e *TransportEvent) {
	if e.InvalidatedAt.IsZero() {
		e.InvalidatedAt, e.Pending = u.tx.Now, false
		u.put(e)
	}
}

// follow makes the milestone e the successor of the event old.
func (u *eventUpdate) follow(e, old *TransportEvent) error {
	former, err := u.announcedBefore(old)
	if err != nil {
		return err
	}
	switch {
	case former == nil:
		return u.replace(e, old)
	case !u.corrects(e, former):
		if former != old {
			u.invalidate(old)
			u.settled(former)
		}
		u.settleAs(e, former.ID, former)
		return nil
	case former != old: // its successor, which was never announced
		u.settleAs(e, old.ID, old)
	default:
		u.invalidate(former)
		if err := u.settleFree(e, e.ID); err != nil {
			return err
		}
	}
	e.Previous = former.ID
	u.put(e)
	u.announce(e, former)
	return nil
}

// replace corrects an event that was never announced. Its ID follows from its content.
func (u *eventUpdate) replace(e, old *TransportEvent) error {
	if old.ID == e.ID {
		u.settleAs(e, old.ID, old)
		return nil
	}
	if err := u.settleFree(e, e.ID); err != nil {
		return err
	}
	e.Pending = old.Pending
	u.put(e)
	return nil
}

// settleFree gives a milestone's event the first free version from that ID on.
func (u *eventUpdate) settleFree(e *TransportEvent, id ID) error {
	id, unused, err := u.free(id)
	if err != nil {
		return err
	}
	u.settleAs(e, id, unused)
	e.Pending = false
	return nil
}

// begin makes the event of a milestone that replaces no other.
func (u *eventUpdate) begin(e *TransportEvent, announce func(*TransportEvent) announceTiming) error {
	last, err := u.lastVersion(e.ID)
	if err != nil {
		return err
	}
	switch {
	case last == nil:
		return u.beginFirst(e, announce)
	case last.CorrectedAt.IsZero() && !u.corrects(e, last):
		u.settled(last)
		u.settleAs(e, last.ID, last) // its end was never announced
		u.continued[e.ID] = true
		return nil
	}
	if err := u.settleFree(e, nextVersion(last.ID)); err != nil {
		return err
	}
	e.Previous = last.ID
	u.continued[e.ID] = true
	u.put(e)
	u.announce(e, last)
	return nil
}

// beginFirst makes an event that was announced in no version. One that was valid before
// and was not announced then is not announced when it is valid again, unless it took the
// place of an event that was announced.
func (u *eventUpdate) beginFirst(e *TransportEvent, announce func(*TransportEvent) announceTiming) error {
	id, unused, err := u.free(e.ID)
	if err != nil {
		return err
	}
	u.settleAs(e, id, unused)
	if unused != nil && !u.released[id] {
		former, err := u.announcedBefore(unused)
		switch {
		case err != nil || former == nil:
			return err
		case former.Pending && !former.InvalidatedAt.IsZero(): // its end has not been announced yet
			u.settled(former)
			u.put(e)
			u.announce(e, former)
			return nil
		}
	}
	e.Pending = false
	switch announce(e) {
	case announceNow:
		e.AnnouncedAt = u.tx.Now
	case announceOnceFollowed:
		e.Pending = true
	}
	u.put(e)
	return nil
}

// lastVersion returns the last announced version of an event that stands for no
// milestone; nil if there is none.
func (u *eventUpdate) lastVersion(id ID) (last *TransportEvent, err error) {
	for {
		e, err := u.read(id)
		if err != nil || e == nil {
			return last, err
		}
		if !e.AnnouncedAt.IsZero() && !u.used[id] && !e.InvalidatedAt.IsZero() {
			last = e
		}
		id = nextVersion(id)
	}
}

// end invalidates an event that has no milestone any more.
func (u *eventUpdate) end(old *TransportEvent) error {
	former, err := u.announcedBefore(old)
	if err != nil {
		return err
	}
	u.invalidate(old)
	if former == nil || !former.CorrectedAt.IsZero() {
		return nil
	}
	if u.left[old.Container] {
		if u.corrections == announceNow {
			u.correct(former)
		}
		return nil
	}
	u.withdraw(former)
	return nil
}

// corrections is how a correction is announced. A receiver that was notified of a wrong
// value is notified of the right one, even if a rule has stopped the shipment meanwhile,
// but not if a user has.
func (p *plan) corrections(tx *transaction, d *draft) announceTiming {
	if p.report.Silent || !tx.ledger.ClosedAt.IsZero() || d.splitOff || d.stopped && !d.ship.stoppedByRule() {
		return announceNever
	}
	return announceNow
}

// announce announces the successor of an event, at once or at the end of a window.
func (u *eventUpdate) announce(e, former *TransportEvent) {
	e.Pending = false
	if u.corrections != announceNow {
		return
	}
	if u.repeats(e, former) {
		e.Pending = true
		return
	}
	e.AnnouncedAt = u.tx.Now
	u.correct(former)
	if e.Event != former.Event {
		u.changed(former.Container, former, e)
	}
}

// withdraw announces that an event is not valid and has no successor, at once or at the
// end of a window.
func (u *eventUpdate) withdraw(former *TransportEvent) {
	if u.corrections != announceNow {
		return
	}
	if u.repeats(nil, former) {
		former.Pending = true
		u.put(former)
		return
	}
	u.correct(former)
	u.changed(former.Container, former, nil)
}

// correct records that the end of an announced event was announced.
func (u *eventUpdate) correct(former *TransportEvent) {
	former.CorrectedAt, former.Pending = u.tx.Now, false
	u.put(former)
}

func (u *eventUpdate) changed(container ID, former, e *TransportEvent) {
	c := u.changes[container]
	if c == nil {
		c = &eventChanges{}
		u.changes[container] = c
	}
	c.before = append(c.before, former)
	if e != nil {
		c.after = append(c.after, e)
	}
}

// repeats reports whether an announcement has to wait, because its content was announced
// before in the window of the container, event and place. It records what is announced
// and what waits. e is nil if the former has no successor.
func (u *eventUpdate) repeats(e, former *TransportEvent) (waits bool) {
	container := u.containers[former.Container]
	if container == nil {
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
	container.Told, waits = u.debouncer.Announce(container.Told, list...)
	return waits
}

// settled ends the waiting of an event that is valid again as it was announced. Another
// milestone of its topic may still wait.
func (u *eventUpdate) settled(e *TransportEvent) {
	if e.Pending {
		e.Pending = false
		u.put(e)
	}
}

// run pairs the changed milestones of each container with its former events, and settles
// each pair. derived are the changed milestones in order, with the IDs of their first
// versions; current are the IDs of their former events.
func (u *eventUpdate) run(derived []*TransportEvent, current eventVersions, announce func(*TransportEvent) announceTiming) error {
	was, is := map[ID][]*TransportEvent{}, map[ID][]*TransportEvent{}
	var containers []ID
	add := func(to map[ID][]*TransportEvent, e *TransportEvent) {
		if len(was[e.Container])+len(is[e.Container]) == 0 {
			containers = append(containers, e.Container)
		}
		to[e.Container] = append(to[e.Container], e)
	}
	for _, e := range derived {
		add(is, e)
	}
	for _, e := range sortedByID(u.found) {
		if e.InvalidatedAt.IsZero() && e.milestone() {
			add(was, e)
		}
	}
	for _, container := range containers {
		if err := u.settleBox(was[container], is[container], current, announce); err != nil {
			return err
		}
	}
	return nil
}

func (u *eventUpdate) settleBox(was, is []*TransportEvent, current eventVersions, announce func(*TransportEvent) announceTiming) error {
	pairs := u.pair(was, is, current)
	for _, old := range was {
		e := pairs.Of[old]
		former, err := u.announcedBefore(old)
		if err != nil {
			return err
		}
		// Events that keep their records come first, before any other record is given away.
		if u.used[old.ID] = e != nil && (former != nil || e.ID == old.ID); e != nil && !u.used[old.ID] {
			u.released[old.ID] = true
			u.invalidate(old)
		}
	}
	for _, e := range is {
		if old := pairs.By[e]; old == nil {
			if err := u.begin(e, announce); err != nil {
				return err
			}
			continue
		} else if err := u.follow(e, old); err != nil {
			return err
		}
		u.continued[e.ID] = true
	}
	for _, old := range was {
		if pairs.Of[old] != nil {
			continue
		}
		if err := u.end(old); err != nil {
			return err
		}
	}
	return nil
}

// pair finds for each changed milestone of a container the event that it continues.
func (u *eventUpdate) pair(was, is []*TransportEvent, current eventVersions) correction.Pairs[*TransportEvent] {
	rules := correction.Rules[*TransportEvent]{
		Event:       func(e *TransportEvent) EventName { return e.Event },
		Apart:       func(a, b *TransportEvent) time.Duration { return a.listedAt().Sub(b.listedAt()).Abs() },
		SameContent: func(old, e *TransportEvent) bool { return !u.corrects(e, old) },
		SameVisit:   func(old, e *TransportEvent) bool { return old.ID == e.ID || current[e.ID] == old.ID },
		SameFact: func(old, e *TransportEvent) bool {
			a, b := u.facts[old.SourceEvent], u.facts[e.SourceEvent]
			return old.SourceEvent == e.SourceEvent || a != nil && b != nil && a.group() == b.group()
		},
		SamePlace:   u.samePlace,
		Interrupted: func(old, e *TransportEvent) bool { return u.availabilityBetween(old, e, was, is) },
	}
	return rules.Pair(was, is)
}

// availabilityBetween reports whether a change of availability to another value is, or
// was until now, between two events.
func (u *eventUpdate) availabilityBetween(old, e *TransportEvent, was, is []*TransportEvent) bool {
	other := func(x *TransportEvent) bool {
		return x.isAvailability() && x.availabilitySum() != e.availabilitySum() && x.between(old, e)
	}
	if slices.ContainsFunc(was, other) || slices.ContainsFunc(is, other) {
		return true
	}
	container := u.containers[e.Container]
	if container == nil {
		return false
	}
	return slices.ContainsFunc(u.d.availabilityEvents(u.tx, container.ID, u.d.journeyOf(container.Number), nil), other)
}

func sortedByID(events map[ID]*TransportEvent) []*TransportEvent {
	list := make([]*TransportEvent, 0, len(events))
	for _, e := range events {
		if e != nil {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b *TransportEvent) int { return strings.Compare(string(a.ID[:]), string(b.ID[:])) })
	return list
}

func (e *TransportEvent) ref() Ref { return Ref{Type: "transport_event", ID: e.ID} }

// topicOfEvents begins the names of the topics that are no attribute: the events of
// one name of a container at one place.
const topicOfEvents = "event/"

func (e *TransportEvent) topic() string {
	return topicOfEvents + string(e.Event) + "/" + cmp.Or(e.LocationLOCODE, e.Location.ID.String())
}

// sum is equal for versions with the same content.
func (e *TransportEvent) sum() uint64 {
	return sumOf(e.Vessel[:], []byte(freight.FoldNumber(e.VoyageNumber)+"/"+shownText(e.Timestamp.Truncate(correction.Tolerance))))
}

// withdrawal is the sum of the announcement that the event is no longer valid.
func (e *TransportEvent) withdrawal() uint64 { return sumOf(e.ID[:]) }
