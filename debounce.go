package tracking

import (
	"cmp"
	"context"
	"encoding/json"
	"hash/fnv"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/record"
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

// The turns of availability are milestones, but a terminal that cannot make up
// its mind makes many. So the announcements of available and not_available share
// one window for each box, by the rule for other feeds (debounce.go): all turns
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
func (d *draft) availabilityEvents(tx *Tx, container ID, j *journey.ContainerJourney, changed []*TransportEvent) (list []*TransportEvent) {
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
