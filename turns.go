package tracking

import (
	"hash/fnv"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/record"
)

// The turns of availability are milestones, but a terminal that cannot make up
// its mind makes many. So the announcements of available and not_available share
// one window for each box, by the rule for other feeds (flapping.go): all turns
// are recorded, and one that repeats what was said in the window waits for its
// end. Then the one is announced that stands.

// topicAvailabilityEvent is no attribute: what is told of it is the ID of an event.
const topicAvailabilityEvent topic = "turn"

func (e *TransportEvent) isAvailability() bool {
	return e.Event == freight.Available || e.Event == freight.NotAvailable
}

// availabilitySum is the same for turns that say the same.
func (e *TransportEvent) availabilitySum() uint64 {
	sum := fnv.New64a()
	sum.Write([]byte(string(e.Event) + "/" + e.Location.ID.String()))
	return sum.Sum64()
}

// decideAvailability decides about one turn, with the one before it in the box's journey,
// nil for none: whether it is announced now, and what is remembered.
func (h debouncer) decideAvailability(last *announcementState, before, turn *TransportEvent) (next announcementState, say bool) {
	sum := turn.availabilitySum()
	if !h.inWindow(last) {
		next = announcementState{Sum: sum, Until: wholeSecond(h.now.Add(h.window()))}
		if before != nil {
			next.Earlier = []uint64{before.availabilitySum()}
		}
		return next, true
	}
	next = *last
	if sum == last.Sum || slices.Contains(last.Earlier, sum) || len(last.Earlier) >= maxEarlier {
		next.Waiting = &valueSource{}
		return next, false
	}
	next.Sum, next.Earlier, next.Waiting = sum, append(slices.Clone(last.Earlier), last.Sum), nil
	return next, true
}

func (e *TransportEvent) between(a, b *TransportEvent) bool {
	if b.Timestamp.Before(a.Timestamp) {
		a, b = b, a
	}
	return e.Timestamp.After(a.Timestamp) && e.Timestamp.Before(b.Timestamp)
}

// holdBack takes the announcement from those of the changed events of a box that
// are new turns, and are to wait. One that continues another is announced as its
// correction, or not at all. Turns that nobody is to hear of, as those of a
// silent report, end the window: what they leave standing is not news.
func (h debouncer) holdBack(told announcementStates, turns []*TransportEvent, u *eventUpdate) announcementStates {
	for i, e := range turns {
		if e.Version != 0 || u.continued[e.ID] || !slices.Contains(u.write, e) {
			continue
		}
		if e.AnnouncedAt.IsZero() {
			told = told.with(topicAvailabilityEvent, nil, h)
			continue
		}
		var before *TransportEvent
		if i > 0 {
			before = turns[i-1]
		}
		next, say := h.decideAvailability(told.of(topicAvailabilityEvent), before, e)
		if !say {
			e.AnnouncedAt = time.Time{}
		}
		told = told.with(topicAvailabilityEvent, &next, h)
	}
	return told
}

// holdBackAvailability has the turns of availability wait that are to.
func (p *plan) holdBackAvailability(tx *Tx, d *draft, containers []storedContainer, u *eventUpdate) {
	for _, c := range containers {
		j := d.journeyOf(c.Number)
		if c.removed() || j == nil || !slices.ContainsFunc(u.write, func(e *TransportEvent) bool { return e.isAvailability() && e.Container == c.ID }) {
			continue
		}
		c.Told = u.window.holdBack(c.Told, d.availabilityEvents(tx, c.ID, j, u.write), u)
	}
}

// availabilityEvents are those of a box, in order: the changed ones themselves, and what the
// others say.
func (d *draft) availabilityEvents(tx *Tx, container ID, j *ContainerJourney, changed []*TransportEvent) (list []*TransportEvent) {
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

// announceAvailability announces the turn of a box that stands at the end of a window, if it
// was held back and is not what was said last. The caller writes the box.
func (h debouncer) announceAvailability(tx *Tx, c *Container) error {
	last := c.Told.of(topicAvailabilityEvent)
	if last == nil || last.Waiting == nil || h.inWindow(last) {
		return nil
	}
	list, err := table(tx, transportEvents).All(TransportEventQuery{Container: c.ID, Invalidated: No}.where())
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, (*TransportEvent).isAvailability) // the latest first
	if i < 0 || list[i].availabilitySum() == last.Sum || !list[i].AnnouncedAt.IsZero() {
		c.Told = c.Told.with(topicAvailabilityEvent, nil, h)
		return nil
	}
	e := list[i]
	c.Told = c.Told.with(topicAvailabilityEvent, &announcementState{Sum: e.availabilitySum(), Until: wholeSecond(h.now.Add(h.window())), Earlier: []uint64{last.Sum}}, h)
	e.AnnouncedAt = tx.Now
	if err := table(tx, transportEvents).Put(e); err != nil {
		return err
	}
	tx.announce(e.Event, record.Ref{Type: "transport_event", ID: e.ID}, e.Shipment, e.Container)
	return nil
}
