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
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// A source that reports changing values must not flood webhooks. So announcing a
// value opens a window, as long as the interval at which the source is queried
// (Config.FlapWindow). While it is open, a new value is announced at once. A value
// that was announced in this window before waits for its end, and is announced then
// if it is still current and differs from the last one announced. A value that
// alternates is thus announced once a window, and a value that has settled at the
// end of the window at the latest. Attributes always show the current value.

// announcementState is the state of the announcements of one topic.
type announcementState struct {
	Topic topic `json:"topic"`
	// Shown and Sum are the value that was announced last; or, if none was, the
	// value when announcing stopped.
	Shown json.RawMessage `json:"shown"`
	Sum   uint64          `json:"sum"`
	// Until is the end of the window; zero for none.
	Until time.Time `json:"until,omitzero"`
	// Earlier has the sums of the values announced earlier in this window.
	Earlier []uint64 `json:"said,omitempty" was:"Said"`
	// Waiting is the source of the present value while it is held back.
	Waiting *valueSource `json:"waiting,omitempty"`
	// Unannounced: the value was changed by new rules, and was not announced. It is
	// announced with the next change, or by RederiveOptions.Announce.
	Unannounced bool `json:"unannounced,omitempty"`
	// Muted: there is nothing to announce at present.
	Muted bool `json:"muted,omitempty"`
}

// maxEarlier bounds the announcements of one topic in one window: further new
// values wait for its end.
const maxEarlier = 8

// announcementStates are stored with the record that they are about, in no defined
// order. They are not changed in place.
type announcementStates []announcementState

func (l announcementStates) of(t topic) *announcementState {
	if i := slices.IndexFunc(l, func(x announcementState) bool { return x.Topic == t }); i >= 0 {
		return &l[i]
	}
	return nil
}

// with returns the list with a new state of the topic, nil for none, and without
// expired states.
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

// nextEnd is the end of the first window in which something waits or, with
// ofEvents, a milestone does; zero for none.
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

// announceMode is how changes are announced.
type announceMode uint8

const (
	// modeAnnounce announces changes.
	modeAnnounce announceMode = iota
	// modeFirstAnswer is modeAnnounce without first values, which come with the
	// first answer.
	modeFirstAnswer
	// modeSilent announces nothing. Later changes are compared with the present
	// values.
	modeSilent
	// modeNewRules announces nothing, and keeps the values announced last: only the
	// rules have changed.
	modeNewRules
	// modeStopped announces nothing, and keeps the values announced before the
	// stop. When a user resumes tracking, the estimated arrival is compared with
	// them; when facts do, all values are.
	modeStopped
)

// debouncer decides which changes of a transaction are announced.
type debouncer struct {
	now  time.Time
	mode announceMode
	// differences: changes by new rules that were not announced are announced too.
	differences bool
	// window is the length of a window that opens now.
	window func() time.Duration
}

func (h debouncer) inWindow(t *announcementState) bool { return t != nil && h.now.Before(t.Until) }

// expired reports whether the window has ended and nothing waits.
func (h debouncer) expired(t *announcementState) bool {
	return !t.Until.IsZero() && t.Waiting == nil && !t.Muted && !h.inWindow(t)
}

// decide decides about one topic: the change to announce now, nil for none, and the
// next state, which is last itself if it stays.
func (h debouncer) decide(last *announcementState, was, is statement, by func() valueSource) (next *announcementState, change *topicChange) {
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
	old := announcementState{Shown: was.shown, Sum: was.sum}
	if last != nil {
		if last.Unannounced && !changed && !h.differences {
			return last, nil
		}
		old = *last
		old.Muted, old.Unannounced = false, false
	}
	switch {
	case is.sum == old.Sum:
		return h.decideReturned(last), nil
	case h.inWindow(last) && (slices.Contains(last.Earlier, is.sum) || len(last.Earlier) == maxEarlier):
		if !changed && last.Waiting != nil {
			return last, nil
		}
		who := by()
		old.Waiting = &who
		return &old, nil
	}
	next = &announcementState{Shown: is.shown, Sum: is.sum, Until: old.Until, Earlier: append(slices.Clone(old.Earlier), old.Sum)}
	if !h.inWindow(last) {
		next.Until, next.Earlier = wholeSecond(h.now.Add(h.window())), []uint64{old.Sum}
	}
	return next, &topicChange{before: old.Shown, after: is.shown, by: by()}
}

// decideReturned: the value is the one announced last.
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

// decideMuted keeps the value announced last until there is something to announce
// again.
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

// decideNewRules keeps the value announced before the rules changed.
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

// decideStopped keeps the value announced before the stop.
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

// eventsChange is a change of milestones in a topic: the sums of what was announced
// last and of what is to be announced.
type eventsChange struct {
	topic
	before, after uint64
}

// isRepeat reports whether the value was announced in a window that is still open.
func (h debouncer) isRepeat(last *announcementState, is uint64) bool {
	return h.inWindow(last) && (last.Sum == is || slices.Contains(last.Earlier, is) || len(last.Earlier) >= maxEarlier)
}

// record is the state after an announcement of milestones. waits: it is not
// announced yet.
func (h debouncer) record(last *announcementState, a eventsChange, waits bool) *announcementState {
	switch {
	case waits && !h.inWindow(last):
		return last
	case waits:
		next := *last
		next.Waiting = &valueSource{}
		return &next
	case h.inWindow(last):
		// Another milestone of the topic, such as of an earlier visit, may still
		// wait.
		return &announcementState{Sum: a.after, Until: last.Until, Earlier: append(slices.Clone(last.Earlier), last.Sum), Waiting: last.Waiting}
	}
	return &announcementState{Sum: a.after, Until: wholeSecond(h.now.Add(h.window())), Earlier: []uint64{a.before}}
}

// flapWindow returns a function for the length of a window of the shipment that
// opens now.
func flapWindow(tx *transaction, s *Shipment, containers []*Container) func() time.Duration {
	return func() time.Duration {
		c := &tx.engine.config
		return cmp.Or(c.FlapWindow, refreshEvery(s, containers, tx.Now, c.RefreshEvery, c.Refresh), c.RefreshEvery)
	}
}

// scheduleAnnouncements enqueues a job for the end of the first window in which
// something waits. Of a shipment that a rule has stopped, only corrections of
// milestones are announced.
func scheduleAnnouncements(tx *transaction, s *Shipment, containers []storedContainer) error {
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
	return tx.enqueue(store.Job{ID: table.NamedID("job/news", s.ID.String()), Kind: jobHeldChanges, Ref: s.ID, Due: end})
}

// announceWaiting announces changes whose window has ended. If a user has stopped
// the shipment in the meantime, they are dropped, except for its arrival: see
// announceOnResume. If a rule has stopped it, corrections of milestones are
// announced and the rest waits on.
func (t *Tracker) announceWaiting(ctx context.Context, j store.Job) error {
	return t.update(ctx, j.Account, func(tx *transaction) error {
		s, err := readWithBoxes(tx, j.Ref)
		if err != nil {
			return err
		}
		if err := tx.Records.Finish(tx, j); err != nil {
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

// announceContainer announces milestones of a container that have waited, and
// returns its other changes. The caller writes the container.
func (h debouncer) announceContainer(tx *transaction, s *Shipment, c *Container) (b containerChanges, err error) {
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

// announceOnResume announces the estimated arrival of a resumed shipment if it
// differs from the one announced last. Other changes during the stop are not
// announced. The caller writes the shipment.
func announceOnResume(tx *transaction, s *Shipment) error {
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

// A terminal may report a container as available and not available in quick
// succession. The announcements of these two events share one window for each
// container, like other topics: all events are recorded, and one that repeats an
// event announced in the window waits for its end. Then the latest event is
// announced.

// topicAvailabilityEvent is no attribute: its value is an event.
const topicAvailabilityEvent topic = "turn"

func (e *TransportEvent) isAvailability() bool {
	return e.Event == freight.Available || e.Event == freight.NotAvailable
}

// availabilitySum is equal for events with the same meaning.
func (e *TransportEvent) availabilitySum() uint64 {
	sum := fnv.New64a()
	sum.Write([]byte(string(e.Event) + "/" + e.Location.ID.String()))
	return sum.Sum64()
}

// decideAvailability decides about one event, given the one before it, nil for
// none: whether it is announced now, and the next state.
func (h debouncer) decideAvailability(last *announcementState, before, turn *TransportEvent) (next announcementState, now bool) {
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

// holdBack clears AnnouncedAt of new availability events that have to wait. An
// event that continues another is announced as its correction, or not at all.
// Events that are not announced, such as those of a silent report, end the window.
func (h debouncer) holdBack(states announcementStates, turns []*TransportEvent, u *eventUpdate) announcementStates {
	for i, e := range turns {
		if e.Version != 0 || u.continued[e.ID] || !slices.Contains(u.write, e) {
			continue
		}
		if e.AnnouncedAt.IsZero() {
			states = states.with(topicAvailabilityEvent, nil, h)
			continue
		}
		var before *TransportEvent
		if i > 0 {
			before = turns[i-1]
		}
		next, now := h.decideAvailability(states.of(topicAvailabilityEvent), before, e)
		if !now {
			e.AnnouncedAt = time.Time{}
		}
		states = states.with(topicAvailabilityEvent, &next, h)
	}
	return states
}

// holdBackAvailability holds back the availability events that have to wait.
func (p *plan) holdBackAvailability(tx *transaction, d *draft, containers []storedContainer, u *eventUpdate) {
	for _, c := range containers {
		j := d.journeyOf(c.Number)
		if c.removed() || j == nil || !slices.ContainsFunc(u.write, func(e *TransportEvent) bool { return e.isAvailability() && e.Container == c.ID }) {
			continue
		}
		c.Told = u.window.holdBack(c.Told, d.availabilityEvents(tx, c.ID, j, u.write), u)
	}
}

// availabilityEvents are those of a container, in order. Changed ones are from the
// list; the others have only the fields that are compared.
func (d *draft) availabilityEvents(tx *transaction, container ID, j *journey.ContainerJourney, changed []*TransportEvent) (list []*TransportEvent) {
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

// announceAvailability announces the latest availability event of a container at
// the end of a window, if it was held back and differs from the one announced last.
// The caller writes the container.
func (h debouncer) announceAvailability(tx *transaction, c *Container) error {
	last := c.Told.of(topicAvailabilityEvent)
	if last == nil || last.Waiting == nil || h.inWindow(last) {
		return nil
	}
	list, err := transportEvents.All(tx, TransportEventQuery{Container: c.ID, Invalidated: No}.where())
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
	if err := transportEvents.Put(tx, e); err != nil {
		return err
	}
	tx.announce(e.Event, record.Ref{Type: "transport_event", ID: e.ID}, e.Shipment, e.Container)
	return nil
}
