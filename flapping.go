package tracking

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

// A feed that cannot make up its mind must not flood those who listen. So a
// value that was announced opens a window, as long as the interval at which the
// shipment's source is asked (Config.FlapWindow). While it is open,
// a value that is new is announced at once; one that was said in this window
// already waits for its end, and is announced then if it still stands and is not
// what was said last. A feed that flaps between two values is thus heard once a
// window, whoever comes to rest is heard at the latest when it ends, and the
// attributes show the present value all the time.

// telling is what is remembered of the announcements of one topic.
type telling struct {
	Topic topic `json:"topic"`
	// Shown and Sum are what was announced last; or, where nothing was, what
	// was known when the topic fell silent.
	Shown json.RawMessage `json:"shown"`
	Sum   uint64          `json:"sum"`
	// Until is when the window ends; zero for none.
	Until time.Time `json:"until,omitzero"`
	// Said are the sums of what was said before in this window.
	Said []uint64 `json:"said,omitempty"`
	// Waiting is whose word the present value is, while it is held back.
	Waiting *voice `json:"waiting,omitempty"`
	// Unannounced: new rules alone have changed the value, and nobody asked for that to
	// be announced. The next change is, or RederiveOptions.Announce.
	Unannounced bool `json:"unannounced,omitempty"`
	// Muted: there is nothing to announce for now. It is kept until there is.
	Muted bool `json:"muted,omitempty"`
}

// maxSaid bounds the announcements of one topic in one window: a feed that has
// no two values alike waits for the end, too.
const maxSaid = 8

// tellings are kept with the record that they are about, in no order that
// matters. They are not changed in place.
type tellings []telling

func (l tellings) of(t topic) *telling {
	if i := slices.IndexFunc(l, func(x telling) bool { return x.Topic == t }); i >= 0 {
		return &l[i]
	}
	return nil
}

// with returns the list with another telling of the topic, nil for none, and
// without those that have nothing more to tell.
func (l tellings) with(t topic, next *telling, h hearing) tellings {
	var out tellings
	for _, x := range l {
		if x.Topic != t && !h.over(&x) {
			out = append(out, x)
		}
	}
	if next != nil {
		next.Topic = t
		out = append(out, *next)
	}
	return out
}

// nextEnd is when the first window ends in which something waits, or, with ofEvents,
// a milestone does; zero for none.
func (l tellings) nextEnd(ofEvents bool) (end time.Time) {
	for _, x := range l {
		if ofEvents && !x.ofEvents() {
			continue
		}
		if x.Waiting != nil && !x.Until.IsZero() && (end.IsZero() || x.Until.Before(end)) {
			end = x.Until
		}
	}
	return end
}

// manner is how changes are taken.
type manner uint8

const (
	// aloud: changes are announced.
	aloud manner = iota
	// atFirst is aloud, but for first values: they come with the first answer.
	atFirst
	// silently: nothing is announced, and what is known now is what changes are
	// compared with from now on.
	silently
	// byRules: new rules alone have changed something; nothing is announced, and what
	// was announced last is kept.
	byRules
	// stoppedSince: nothing is announced; what was announced before the stop is kept.
	// When a user resumes tracking, the estimate of the arrival is compared with it;
	// when facts do, all of it is.
	stoppedSince
)

// hearing is how a transaction takes changes.
type hearing struct {
	now    time.Time
	manner manner
	// differences: what new rules have changed silently is announced too.
	differences bool
	// window is how long one lasts that begins now.
	window func() time.Duration
}

func (h hearing) open(t *telling) bool { return t != nil && h.now.Before(t.Until) }

// over: the window has ended, and nothing waits for it or for a value.
func (h hearing) over(t *telling) bool {
	return !t.Until.IsZero() && t.Waiting == nil && !t.Muted && !h.open(t)
}

// hear decides about one topic: what is announced now, nil for nothing, and what
// is remembered, which is last itself where that stays.
func (h hearing) hear(last *telling, was, is statement, by func() voice) (next *telling, say *topicChange) {
	changed := was.sum != is.sum
	switch {
	case is.mute:
		return h.hearMuted(last, was, changed), nil
	case h.manner == stoppedSince:
		return h.hearStopped(last, was, changed, by), nil
	case h.manner == byRules:
		return h.hearRules(last, was, is, changed), nil
	case h.manner == silently || h.manner == atFirst && last == nil && was.blank():
		if changed {
			return nil, nil
		}
		return last, nil
	}
	said := telling{Shown: was.shown, Sum: was.sum}
	if last != nil {
		if last.Unannounced && !changed && !h.differences {
			return last, nil
		}
		said = *last
		said.Muted, said.Unannounced = false, false
	}
	switch {
	case is.sum == said.Sum:
		return h.returned(last), nil
	case h.open(last) && (slices.Contains(last.Said, is.sum) || len(last.Said) == maxSaid):
		if !changed && last.Waiting != nil {
			return last, nil
		}
		who := by()
		said.Waiting = &who
		return &said, nil
	}
	next = &telling{Shown: is.shown, Sum: is.sum, Until: said.Until, Said: append(slices.Clone(said.Said), said.Sum)}
	if !h.open(last) {
		next.Until, next.Said = wholeSecond(h.now.Add(h.window())), []uint64{said.Sum}
	}
	return next, &topicChange{before: said.Shown, after: is.shown, by: by()}
}

// returned: the value is what was said last.
func (h hearing) returned(last *telling) *telling {
	if !h.open(last) {
		return nil
	}
	if last.Waiting == nil && !last.Muted {
		return last
	}
	next := *last
	next.Waiting, next.Muted = nil, false
	return &next
}

// hearMuted keeps what was said last, or would have been had there been cause
// to say it, for the time when there is something to announce again.
func (h hearing) hearMuted(last *telling, was statement, changed bool) *telling {
	switch {
	case last == nil && (!changed || was.mute && (h.manner == silently || was.null())):
		return nil
	case last == nil:
		return &telling{Shown: was.shown, Sum: was.sum, Muted: true}
	case last.Muted && last.Waiting == nil:
		return last
	}
	next := *last
	next.Waiting, next.Muted = nil, true
	if !h.open(last) {
		next.Until, next.Said = time.Time{}, nil
	}
	return &next
}

// hearRules remembers what had been said before the rules changed.
func (h hearing) hearRules(last *telling, was, is statement, changed bool) *telling {
	if !changed {
		return last
	}
	next := telling{Shown: was.shown, Sum: was.sum}
	if last != nil {
		next = *last
	}
	if next.Sum == is.sum {
		return nil
	}
	next.Until, next.Said, next.Waiting, next.Unannounced = time.Time{}, nil, nil, true
	return &next
}

// hearStopped remembers what had been said before the stop.
func (h hearing) hearStopped(last *telling, was statement, changed bool, by func() voice) *telling {
	if !changed {
		return last
	}
	next := telling{Shown: was.shown, Sum: was.sum}
	if last != nil {
		next = *last
	}
	who := by()
	next.Waiting = &who
	return &next
}

// announcement is one of milestones in a topic: what was announced last, and what is
// to be.
type announcement struct {
	topic
	was, is uint64
}

// repeats reports whether a window is open in which that was announced before.
func (h hearing) repeats(last *telling, is uint64) bool {
	return h.open(last) && (last.Sum == is || slices.Contains(last.Said, is) || len(last.Said) >= maxSaid)
}

// noted is what is remembered of an announcement of milestones; waits says that it
// is not made yet.
func (h hearing) noted(last *telling, a announcement, waits bool) *telling {
	switch {
	case waits && !h.open(last):
		return last
	case waits:
		next := *last
		next.Waiting = &voice{}
		return &next
	case h.open(last):
		// Another milestone of the topic, of an earlier visit perhaps, may wait on.
		return &telling{Sum: a.is, Until: last.Until, Said: append(slices.Clone(last.Said), last.Sum), Waiting: last.Waiting}
	}
	return &telling{Sum: a.is, Until: wholeSecond(h.now.Add(h.window())), Said: []uint64{a.was}}
}

// flapWindow tells how long the windows of a shipment are that begin now.
func flapWindow(tx *Tx, s *Shipment, boxes []*Container) func() time.Duration {
	return func() time.Duration {
		c := &tx.engine.config
		return cmp.Or(c.FlapWindow, refreshEvery(s, boxes, tx.Now, c.RefreshEvery, c.Refresh), c.RefreshEvery)
	}
}

// scheduleNews has what waits announced when its window ends. Of a shipment that a
// rule has stopped, only corrections of milestones are.
func scheduleNews(tx *Tx, s *Shipment, boxes []boxAsStored) error {
	var end time.Time
	if !s.stopped() {
		end = s.Told.nextEnd(false)
	}
	for _, c := range boxes {
		if at := c.Told.nextEnd(s.stopped()); !c.removed() && !at.IsZero() && (end.IsZero() || at.Before(end)) {
			end = at
		}
	}
	if end.IsZero() {
		return nil
	}
	return tx.enqueue(store.Job{ID: named("job/news", s.ID.String()), Kind: jobHeldChanges, Ref: s.ID, Due: end})
}

// sayWaiting announces what has waited until now. What waited for a shipment
// that somebody has stopped meanwhile is forgotten, but for its arrival: see
// announceOnResume. Of one that a rule has stopped, corrections of milestones are
// announced, and the rest waits on.
func (t *Tracker) sayWaiting(ctx context.Context, j store.Job) error {
	return t.update(ctx, j.Account, func(tx *Tx) error {
		s, err := readWithBoxes(tx, j.Ref)
		if err != nil {
			return err
		}
		if err := tx.records.Finish(tx, j); err != nil {
			return err
		}
		h := hearing{now: tx.Now, window: flapWindow(tx, s.Shipment, s.boxes)}
		var n news
		var boxes []boxAsStored
		if !s.stopped() {
			n.shipment, s.Told = changes(h, shipmentTopics, s.Told, s.Shipment, s.Shipment, unknownVoice)
		}
		for _, c := range s.boxes {
			if c.removed() {
				continue
			}
			b, err := h.sayWaiting(tx, s.Shipment, c)
			if err != nil {
				return err
			}
			n.boxes = append(n.boxes, b)
			boxes = append(boxes, boxAsStored{Container: c})
		}
		if err := n.write(tx, s.Shipment); err != nil {
			return err
		}
		if !s.paused() {
			if err := scheduleNews(tx, s.Shipment, boxes); err != nil {
				return err
			}
		}
		return s.put(tx)
	})
}

// sayWaiting announces what has waited of a container's milestones, and returns the
// changes that have. The caller writes the container.
func (h hearing) sayWaiting(tx *Tx, s *Shipment, c *Container) (b boxNews, err error) {
	b.Container = c
	if s.paused() {
		c.Told = nil
		return b, nil
	}
	if b.events, err = h.announceDueEvents(tx, c); err != nil || s.stopped() {
		return b, err
	}
	if err := h.sayTurn(tx, c); err != nil {
		return b, err
	}
	b.changes, c.Told = changes(h, containerTopics, c.Told, c, c, unknownVoice)
	return b, nil
}

// announceOnResume announces the estimate of the arrival of a shipment that is
// followed again, if it is not the one that was announced last: that is all of
// what changed in between that is announced. The caller writes the shipment.
func announceOnResume(tx *Tx, s *Shipment) error {
	last := s.Told.of(topicETA)
	s.Told = nil
	if last == nil || last.Waiting == nil {
		return nil
	}
	eta := &shipmentTopics[1]
	if is := eta.statement(s); is.mute || is.sum == last.Sum {
		return nil
	}
	return sayArrival(tx, s, *last.Waiting)
}
