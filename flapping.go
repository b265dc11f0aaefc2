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

// announcementState is what is remembered of the announcements of one topic.
type announcementState struct {
	Topic topic `json:"topic"`
	// Shown and Sum are what was announced last; or, where nothing was, what
	// was known when the topic fell silent.
	Shown json.RawMessage `json:"shown"`
	Sum   uint64          `json:"sum"`
	// Until is when the window ends; zero for none.
	Until time.Time `json:"until,omitzero"`
	// Earlier are the sums of what was said before in this window.
	Earlier []uint64 `json:"said,omitempty"`
	// Waiting is whose word the present value is, while it is held back.
	Waiting *valueSource `json:"waiting,omitempty"`
	// Unannounced: new rules alone have changed the value, and nobody asked for that to
	// be announced. The next change is, or RederiveOptions.Announce.
	Unannounced bool `json:"unannounced,omitempty"`
	// Muted: there is nothing to announce for now. It is kept until there is.
	Muted bool `json:"muted,omitempty"`
}

// maxEarlier bounds the announcements of one topic in one window: a feed that has
// no two values alike waits for the end, too.
const maxEarlier = 8

// announcementStates are kept with the record that they are about, in no order that
// matters. They are not changed in place.
type announcementStates []announcementState

func (l announcementStates) of(t topic) *announcementState {
	if i := slices.IndexFunc(l, func(x announcementState) bool { return x.Topic == t }); i >= 0 {
		return &l[i]
	}
	return nil
}

// with returns the list with another telling of the topic, nil for none, and
// without those that have nothing more to tell.
func (l announcementStates) with(t topic, next *announcementState, h debouncer) announcementStates {
	var out announcementStates
	for _, x := range l {
		if x.Topic != t && !h.expired(&x) {
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
func (l announcementStates) nextEnd(ofEvents bool) (end time.Time) {
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

// announceMode is how changes are taken.
type announceMode uint8

const (
	// modeAnnounce: changes are announced.
	modeAnnounce announceMode = iota
	// modeFirstAnswer is aloud, but for first values: they come with the first answer.
	modeFirstAnswer
	// modeSilent: nothing is announced, and what is known now is what changes are
	// compared with from now on.
	modeSilent
	// modeNewRules: new rules alone have changed something; nothing is announced, and what
	// was announced last is kept.
	modeNewRules
	// modeStopped: nothing is announced; what was announced before the stop is kept.
	// When a user resumes tracking, the estimate of the arrival is compared with it;
	// when facts do, all of it is.
	modeStopped
)

// debouncer is how a transaction takes changes.
type debouncer struct {
	now  time.Time
	mode announceMode
	// differences: what new rules have changed silently is announced too.
	differences bool
	// window is how long one lasts that begins now.
	window func() time.Duration
}

func (h debouncer) inWindow(t *announcementState) bool { return t != nil && h.now.Before(t.Until) }

// expired: the window has ended, and nothing waits for it or for a value.
func (h debouncer) expired(t *announcementState) bool {
	return !t.Until.IsZero() && t.Waiting == nil && !t.Muted && !h.inWindow(t)
}

// decide decides about one topic: what is announced now, nil for nothing, and what
// is remembered, which is last itself where that stays.
func (h debouncer) decide(last *announcementState, was, is statement, by func() valueSource) (next *announcementState, say *topicChange) {
	changed := was.sum != is.sum
	switch {
	case is.muted:
		return h.decideMuted(last, was, changed), nil
	case h.mode == modeStopped:
		return h.decideStopped(last, was, changed, by), nil
	case h.mode == modeNewRules:
		return h.decideNewRules(last, was, is, changed), nil
	case h.mode == modeSilent || h.mode == modeFirstAnswer && last == nil && was.isEmpty():
		if changed {
			return nil, nil
		}
		return last, nil
	}
	said := announcementState{Shown: was.shown, Sum: was.sum}
	if last != nil {
		if last.Unannounced && !changed && !h.differences {
			return last, nil
		}
		said = *last
		said.Muted, said.Unannounced = false, false
	}
	switch {
	case is.sum == said.Sum:
		return h.decideReturned(last), nil
	case h.inWindow(last) && (slices.Contains(last.Earlier, is.sum) || len(last.Earlier) == maxEarlier):
		if !changed && last.Waiting != nil {
			return last, nil
		}
		who := by()
		said.Waiting = &who
		return &said, nil
	}
	next = &announcementState{Shown: is.shown, Sum: is.sum, Until: said.Until, Earlier: append(slices.Clone(said.Earlier), said.Sum)}
	if !h.inWindow(last) {
		next.Until, next.Earlier = wholeSecond(h.now.Add(h.window())), []uint64{said.Sum}
	}
	return next, &topicChange{before: said.Shown, after: is.shown, by: by()}
}

// decideReturned: the value is what was said last.
func (h debouncer) decideReturned(last *announcementState) *announcementState {
	if !h.inWindow(last) {
		return nil
	}
	if last.Waiting == nil && !last.Muted {
		return last
	}
	next := *last
	next.Waiting, next.Muted = nil, false
	return &next
}

// decideMuted keeps what was said last, or would have been had there been cause
// to say it, for the time when there is something to announce again.
func (h debouncer) decideMuted(last *announcementState, was statement, changed bool) *announcementState {
	switch {
	case last == nil && (!changed || was.muted && (h.mode == modeSilent || was.isNull())):
		return nil
	case last == nil:
		return &announcementState{Shown: was.shown, Sum: was.sum, Muted: true}
	case last.Muted && last.Waiting == nil:
		return last
	}
	next := *last
	next.Waiting, next.Muted = nil, true
	if !h.inWindow(last) {
		next.Until, next.Earlier = time.Time{}, nil
	}
	return &next
}

// decideNewRules remembers what had been said before the rules changed.
func (h debouncer) decideNewRules(last *announcementState, was, is statement, changed bool) *announcementState {
	if !changed {
		return last
	}
	next := announcementState{Shown: was.shown, Sum: was.sum}
	if last != nil {
		next = *last
	}
	if next.Sum == is.sum {
		return nil
	}
	next.Until, next.Earlier, next.Waiting, next.Unannounced = time.Time{}, nil, nil, true
	return &next
}

// decideStopped remembers what had been said before the stop.
func (h debouncer) decideStopped(last *announcementState, was statement, changed bool, by func() valueSource) *announcementState {
	if !changed {
		return last
	}
	next := announcementState{Shown: was.shown, Sum: was.sum}
	if last != nil {
		next = *last
	}
	who := by()
	next.Waiting = &who
	return &next
}

// eventsChange is one of milestones in a topic: what was announced last, and what is
// to be.
type eventsChange struct {
	topic
	before, after uint64
}

// isRepeat reports whether a window is open in which that was announced before.
func (h debouncer) isRepeat(last *announcementState, is uint64) bool {
	return h.inWindow(last) && (last.Sum == is || slices.Contains(last.Earlier, is) || len(last.Earlier) >= maxEarlier)
}

// record is what is remembered of an announcement of milestones; waits says that it
// is not made yet.
func (h debouncer) record(last *announcementState, a eventsChange, waits bool) *announcementState {
	switch {
	case waits && !h.inWindow(last):
		return last
	case waits:
		next := *last
		next.Waiting = &valueSource{}
		return &next
	case h.inWindow(last):
		// Another milestone of the topic, of an earlier visit perhaps, may wait on.
		return &announcementState{Sum: a.after, Until: last.Until, Earlier: append(slices.Clone(last.Earlier), last.Sum), Waiting: last.Waiting}
	}
	return &announcementState{Sum: a.after, Until: wholeSecond(h.now.Add(h.window())), Earlier: []uint64{a.before}}
}

// flapWindow tells how long the windows of a shipment are that begin now.
func flapWindow(tx *Tx, s *Shipment, containers []*Container) func() time.Duration {
	return func() time.Duration {
		c := &tx.engine.config
		return cmp.Or(c.FlapWindow, refreshEvery(s, containers, tx.Now, c.RefreshEvery, c.Refresh), c.RefreshEvery)
	}
}

// scheduleAnnouncements has what waits announced when its window ends. Of a shipment that a
// rule has stopped, only corrections of milestones are.
func scheduleAnnouncements(tx *Tx, s *Shipment, containers []storedContainer) error {
	var end time.Time
	if !s.stopped() {
		end = s.Told.nextEnd(false)
	}
	for _, c := range containers {
		if at := c.Told.nextEnd(s.stopped()); !c.removed() && !at.IsZero() && (end.IsZero() || at.Before(end)) {
			end = at
		}
	}
	if end.IsZero() {
		return nil
	}
	return tx.enqueue(store.Job{ID: named("job/news", s.ID.String()), Kind: jobHeldChanges, Ref: s.ID, Due: end})
}

// announceWaiting announces what has waited until now. What waited for a shipment
// that somebody has stopped meanwhile is forgotten, but for its arrival: see
// announceOnResume. Of one that a rule has stopped, corrections of milestones are
// announced, and the rest waits on.
func (t *Tracker) announceWaiting(ctx context.Context, j store.Job) error {
	return t.update(ctx, j.Account, func(tx *Tx) error {
		s, err := readWithBoxes(tx, j.Ref)
		if err != nil {
			return err
		}
		if err := tx.records.Finish(tx, j); err != nil {
			return err
		}
		h := debouncer{now: tx.Now, window: flapWindow(tx, s.Shipment, s.boxes)}
		var n changeSet
		var containers []storedContainer
		if !s.stopped() {
			n.shipment, s.Told = changes(h, shipmentTopics, s.Told, s.Shipment, s.Shipment, unknownSource)
		}
		for _, c := range s.boxes {
			if c.removed() {
				continue
			}
			b, err := h.announceContainer(tx, s.Shipment, c)
			if err != nil {
				return err
			}
			n.containers = append(n.containers, b)
			containers = append(containers, storedContainer{Container: c})
		}
		if err := n.write(tx, s.Shipment); err != nil {
			return err
		}
		if !s.paused() {
			if err := scheduleAnnouncements(tx, s.Shipment, containers); err != nil {
				return err
			}
		}
		return s.put(tx)
	})
}

// announceContainer announces what has waited of a container's milestones, and returns the
// changes that have. The caller writes the container.
func (h debouncer) announceContainer(tx *Tx, s *Shipment, c *Container) (b containerChanges, err error) {
	b.Container = c
	if s.paused() {
		c.Told = nil
		return b, nil
	}
	if b.events, err = h.announceDueEvents(tx, c); err != nil || s.stopped() {
		return b, err
	}
	if err := h.announceAvailability(tx, c); err != nil {
		return b, err
	}
	b.changes, c.Told = changes(h, containerTopics, c.Told, c, c, unknownSource)
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
	if is := eta.statement(s); is.muted || is.sum == last.Sum {
		return nil
	}
	return announceArrival(tx, s, *last.Waiting)
}
