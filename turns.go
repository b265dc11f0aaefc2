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

// topicTurn is no attribute: what is told of it is the ID of an event.
const topicTurn topic = "turn"

func (e *TransportEvent) isTurn() bool {
	return e.Event == freight.Available || e.Event == freight.NotAvailable
}

// turnSum is the same for turns that say the same.
func (e *TransportEvent) turnSum() uint64 {
	sum := fnv.New64a()
	sum.Write([]byte(string(e.Event) + "/" + e.Location.ID.String()))
	return sum.Sum64()
}

// hearTurn decides about one turn, with the one before it in the box's journey,
// nil for none: whether it is announced now, and what is remembered.
func (h hearing) hearTurn(last *telling, before, turn *TransportEvent) (next telling, say bool) {
	sum := turn.turnSum()
	if !h.open(last) {
		next = telling{Sum: sum, Until: wholeSecond(h.now.Add(h.window()))}
		if before != nil {
			next.Said = []uint64{before.turnSum()}
		}
		return next, true
	}
	next = *last
	if sum == last.Sum || slices.Contains(last.Said, sum) || len(last.Said) >= maxSaid {
		next.Waiting = &voice{}
		return next, false
	}
	next.Sum, next.Said, next.Waiting = sum, append(slices.Clone(last.Said), last.Sum), nil
	return next, true
}

func (e *TransportEvent) between(a, b *TransportEvent) bool {
	if b.Timestamp.Before(a.Timestamp) {
		a, b = b, a
	}
	return e.Timestamp.After(a.Timestamp) && e.Timestamp.Before(b.Timestamp)
}

// holdTurns takes the announcement from those of the changed events of a box that
// are new turns, and are to wait. One that continues another is announced as its
// correction, or not at all. Turns that nobody is to hear of, as those of a
// silent report, end the window: what they leave standing is not news.
func (h hearing) holdTurns(told tellings, turns []*TransportEvent, u *eventUpdate) tellings {
	for i, e := range turns {
		if e.Version != 0 || u.continued[e.ID] || !slices.Contains(u.write, e) {
			continue
		}
		if e.AnnouncedAt.IsZero() {
			told = told.with(topicTurn, nil, h)
			continue
		}
		var before *TransportEvent
		if i > 0 {
			before = turns[i-1]
		}
		next, say := h.hearTurn(told.of(topicTurn), before, e)
		if !say {
			e.AnnouncedAt = time.Time{}
		}
		told = told.with(topicTurn, &next, h)
	}
	return told
}

// holdTurns has the turns of availability wait that are to.
func (p *plan) holdTurns(tx *Tx, d *draft, boxes []boxAsStored, u *eventUpdate) {
	for _, c := range boxes {
		j := d.journeyOf(c.Number)
		if c.removed() || j == nil || !slices.ContainsFunc(u.write, func(e *TransportEvent) bool { return e.isTurn() && e.Container == c.ID }) {
			continue
		}
		c.Told = u.window.holdTurns(c.Told, d.turns(tx, c.ID, j, u.write), u)
	}
}

// turns are those of a box, in order: the changed ones themselves, and what the
// others say.
func (d *draft) turns(tx *Tx, box ID, j *ContainerJourney, changed []*TransportEvent) (list []*TransportEvent) {
	for _, m := range j.Milestones {
		e := &TransportEvent{Meta: Meta{ID: d.ship.EventVersions.current(eventID(box, m)), Version: 1}, Event: m.Event, Timestamp: m.At.Time, Location: placeRef(tx, m.Place)}
		if !e.isTurn() {
			continue
		}
		if i := slices.IndexFunc(changed, func(x *TransportEvent) bool { return x.ID == e.ID }); i >= 0 {
			e = changed[i]
		}
		list = append(list, e)
	}
	return list
}

// sayTurn announces the turn of a box that stands at the end of a window, if it
// was held back and is not what was said last. The caller writes the box.
func (h hearing) sayTurn(tx *Tx, c *Container) error {
	last := c.Told.of(topicTurn)
	if last == nil || last.Waiting == nil || h.open(last) {
		return nil
	}
	list, err := table(tx, transportEvents).All(TransportEventQuery{Container: c.ID, Invalidated: No}.where())
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, (*TransportEvent).isTurn) // the latest first
	if i < 0 || list[i].turnSum() == last.Sum || !list[i].AnnouncedAt.IsZero() {
		c.Told = c.Told.with(topicTurn, nil, h)
		return nil
	}
	e := list[i]
	c.Told = c.Told.with(topicTurn, &telling{Sum: e.turnSum(), Until: wholeSecond(h.now.Add(h.window())), Said: []uint64{last.Sum}}, h)
	e.AnnouncedAt = tx.Now
	if err := table(tx, transportEvents).Put(e); err != nil {
		return err
	}
	tx.announce(e.Event, record.Ref{Type: "transport_event", ID: e.ID}, e.Shipment, e.Container)
	return nil
}
