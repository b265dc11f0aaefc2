package tracking

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"
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

// nextEnd is when the first window ends in which something waits; zero for none.
func (l tellings) nextEnd() (end time.Time) {
	for _, x := range l {
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
	// stoppedSince: nothing is announced; an estimate of the arrival is compared
	// with what was announced before the stop when tracking resumes.
	stoppedSince
)

// hearing is how a transaction takes changes.
type hearing struct {
	now    time.Time
	manner manner
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
	case h.manner == silently || h.manner == atFirst && last == nil && was.blank():
		if changed {
			return nil, nil
		}
		return last, nil
	}
	said := telling{Shown: was.shown, Sum: was.sum}
	if last != nil {
		said = *last
		said.Muted = false
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

// flapWindow tells how long the windows of a shipment are that begin now.
func flapWindow(tx *Tx, s *Shipment, boxes []*Container) func() time.Duration {
	return func() time.Duration {
		c := &tx.engine.config
		return cmp.Or(c.FlapWindow, refreshEvery(s, boxes, tx.Now, c.RefreshEvery, c.Refresh), c.RefreshEvery)
	}
}

// scheduleNews has what waits announced when its window ends.
func scheduleNews(tx *Tx, s *Shipment, boxes []boxAsStored) error {
	end := s.Told.nextEnd()
	for _, c := range boxes {
		if at := c.Told.nextEnd(); !c.removed() && !at.IsZero() && (end.IsZero() || at.Before(end)) {
			end = at
		}
	}
	if end.IsZero() {
		return nil
	}
	return tx.enqueue(Job{ID: named("job/news", s.ID.String()), Kind: jobNews, Ref: s.ID, Due: end})
}

// sayWaiting announces what has waited until now. What waited for a shipment
// that has stopped meanwhile is forgotten, but for its arrival: see
// announceOnResume.
func (t *Tracker) sayWaiting(ctx context.Context, j Job) error {
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
			var due []topicChange
			if s.stopped() {
				c.Told = nil
			} else {
				if err := h.sayTurn(tx, c); err != nil {
					return err
				}
				due, c.Told = changes(h, containerTopics, c.Told, c, c, unknownVoice)
			}
			n.boxes = append(n.boxes, boxNews{c, due})
			boxes = append(boxes, boxAsStored{Container: c})
		}
		if err := n.write(tx, s.Shipment); err != nil {
			return err
		}
		if !s.stopped() {
			if err := scheduleNews(tx, s.Shipment, boxes); err != nil {
				return err
			}
		}
		return s.put(tx)
	})
}

// announceOnResume announces the estimate of the arrival of a shipment that is
// followed again, if it is not the one that was announced last: that is all of
// what changed in between that is told (decision 19). The caller writes the
// shipment.
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
