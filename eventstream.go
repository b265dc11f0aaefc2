package tracking

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/store"
)

// Event is a recorded event of the account: what webhooks are notified of. It is kept as
// long as notifications are.
type Event struct {
	Meta
	// Reference is the object that the event is about.
	Reference Ref `rel:"reference_object,tracking_request|estimated_event|transport_event|container_updated_event|container_created_event|container_pod_terminal_changed_event|document|container|exception"`
	Shipment  ID  `rel:"shipment,shipment"` // zero (null) for an event without a shipment

	Event EventName `attr:"event"` // see docs/events.md
	// Cursor is the position of the event among those of the account, a number as a text. It
	// is given in the transaction of the change: an event that is committed later has a
	// greater one.
	Cursor    string    `attr:"cursor"`
	CreatedAt time.Time `attr:"created_at"` // when the event was announced, UTC
	// Payload is the body that webhooks get, with the resources as they were at that time. Its
	// notification has the ID of the event and no webhook.
	Payload json.RawMessage `attr:"payload"`
}

var eventRecords = record.For[Event]("event")

// Events has the operations on the recorded events of an account: see [Tracker.Events].
type Events struct{ t *Tracker }

// Events returns the events of the account in the order in which they were committed. They
// are recorded from the first call of List, Wait or Follow on, or always with
// Config.RecordEvents.
func (t *Tracker) Events() Events { return Events{t} }

// EventQuery selects events, first committed first.
type EventQuery struct {
	// After is the cursor of the last event that is known, or that of an EventPage. Empty for
	// all events that are kept.
	After string
	// Events and Shipments: any of them; none means all.
	Events    []EventName
	Shipments []ID
}

// EventPage is what follows a cursor.
type EventPage struct {
	Events []*Event
	// Cursor is where the next page begins: behind the last event that was read, whether the
	// query selects it or not.
	Cursor string
	// Left is the number of events behind Cursor, and Total that behind EventQuery.After; both
	// with those that the query does not select.
	Left, Total int
	// Last is the cursor of the last event of all.
	Last string
}

const (
	// maxEventPage bounds the events of a page, and eventPageBytes the bytes of their payloads
	// but for the last.
	maxEventPage   = 100
	eventPageBytes = 1 << 20
	// maxEventScan bounds the events that are read for a page.
	maxEventScan = 1_000
	// followedTo is how exactly it is known when events were last read.
	followedTo = 24 * time.Hour
	// eventPoll is how often a follower looks for events of other processes.
	eventPoll = time.Second
)

// List returns the events after a cursor, at most size (1 to 100), and fewer if their payloads
// are large or the query selects few. Needs show. Errors: BadQuery on after
// (invalid_cursor, cursor_expired: events after it are no longer kept).
func (x Events) List(ctx context.Context, q EventQuery, size int) (EventPage, error) {
	if err := x.t.allow(Show); err != nil {
		return EventPage{}, err
	}
	r := eventReader{EventQuery: q, size: max(1, min(size, maxEventPage))}
	if err := r.parse(); err != nil {
		return EventPage{}, err
	}
	recorded, err := x.read(ctx, &r)
	if err == nil && !recorded { // the first follower
		if err = x.record(ctx); err == nil {
			_, err = x.read(ctx, &r)
		}
	}
	return r.page, err
}

// read reads a page. recorded is false if the events of the account are not recorded now.
func (x Events) read(ctx context.Context, r *eventReader) (recorded bool, err error) {
	refresh := false
	err = x.t.view(ctx, x.t.actor.Account, func(tx *transaction) error {
		l, err := eventLedger(tx)
		if err != nil {
			return err
		}
		recorded, refresh = l.recordsEvents(&tx.engine.config, tx.Now), l.followedLongAgo(tx.Now)
		return r.read(tx, l)
	})
	if err == nil && recorded && refresh {
		if err := x.record(ctx); err != nil { // a later call tries again
			x.t.log.Warn("it was not stored that events are followed", "account", x.t.actor.Account, "error", err)
		}
	}
	return recorded, err
}

// record begins or goes on to record the events of the account.
func (x Events) record(ctx context.Context) error {
	return x.t.update(ctx, x.t.actor.Account, func(tx *transaction) error {
		tx.ledger.EventsFollowedAt = tx.Now
		tx.ledger.closeGap()
		return nil
	})
}

// Get returns an event. Needs show. Errors: NotFound.
func (x Events) Get(ctx context.Context, id ID) (*Event, error) {
	if err := x.t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, x.t.engine, x.t.actor.Account, func(tx *transaction) (*Event, error) {
		s, err := eventSnapshots.Get(tx, id)
		if err == nil && s.Position == 0 {
			err = notFound()
		}
		if err != nil {
			return nil, err
		}
		if err := readBases(tx, nil, s); err != nil {
			return nil, err
		}
		return s.event()
	})
}

// Wait returns when there are events behind a cursor of this account: at once, after the
// commit of one, or some second after that in another process. Needs show. Errors: that of
// ctx; ErrClosed; as List.
func (x Events) Wait(ctx context.Context, after string) error {
	if err := x.t.allow(Show); err != nil {
		return err
	}
	r := eventReader{EventQuery: EventQuery{After: after}}
	if err := r.parse(); err != nil {
		return err
	}
	return x.t.followers.wait(ctx, x.t.actor.Account, r.after, x.last)
}

// last returns the position of the last event.
func (x Events) last(ctx context.Context) (int64, error) {
	return viewing(ctx, x.t.engine, x.t.actor.Account, func(tx *transaction) (int64, error) {
		l, err := eventLedger(tx)
		if err != nil {
			return 0, err
		}
		return l.Events, nil
	})
}

// Follow iterates over the events after a cursor, and waits for further ones until ctx ends,
// the Tracker is closed or the loop is left. It reads a few events at a time, when the loop
// asks for them: a slow loop holds no more. The last value is an error. Needs show.
func (x Events) Follow(ctx context.Context, q EventQuery) iter.Seq2[*Event, error] {
	const few = 10
	return func(yield func(*Event, error) bool) {
		for {
			page, err := x.List(ctx, q, few)
			for _, e := range page.Events {
				if !yield(e, nil) {
					return
				}
			}
			if q.After = page.Cursor; err == nil && page.Left == 0 {
				err = x.Wait(ctx, q.After)
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// Events returns a page of events, and the events as documents; see Events.List.
func (r Rendered) Events(ctx context.Context, q EventQuery, size int) (s Selection, page EventPage, err error) {
	if page, err = r.t.Events().List(ctx, q, size); err != nil {
		return s, EventPage{}, err
	}
	s.Total = page.Total
	for _, e := range page.Events {
		s.Rows = append(s.Rows, e.render())
	}
	return s, page, nil
}

// Event returns an event as a document; see Events.Get.
func (r Rendered) Event(ctx context.Context, id ID) (s Selection, err error) {
	e, err := r.t.Events().Get(ctx, id)
	if err != nil {
		return s, err
	}
	return Selection{Rows: []*Resource{e.render()}, Total: 1}, nil
}

func (e *Event) render() *Resource {
	doc, _ := eventRecords.Encode(e)
	return &Resource{Type: "event", ID: e.ID, Doc: doc}
}

// event returns the recorded event.
func (s *eventSnapshot) event() (*Event, error) {
	body, err := renderPayload(&WebhookNotification{Meta: Meta{ID: s.ID}, CreatedAt: s.At}, s)
	if err != nil {
		return nil, err
	}
	return &Event{
		Meta: Meta{ID: s.ID}, Reference: s.Reference, Shipment: s.Shipment,
		Event: s.Event, Cursor: formatCursor(s.Position), CreatedAt: s.At, Payload: body,
	}, nil
}

// eventReader reads a page of events.
type eventReader struct {
	EventQuery
	size  int
	after int64 // -1 for the beginning
	page  EventPage
}

func formatCursor(position int64) string { return strconv.FormatInt(position, 10) }

// parse reads the cursor.
func (r *eventReader) parse() error {
	if r.after = -1; r.After == "" {
		return nil
	}
	var err error
	if r.after, err = strconv.ParseInt(r.After, 10, 64); err != nil || r.after < 0 || formatCursor(r.after) != r.After {
		return badCursor("invalid_cursor", "'%s' is no cursor: use the cursor of an event, or leave it out to begin with the oldest event that is kept", abbreviate(r.After, 40))
	}
	return nil
}

func badCursor(code, format string, args ...any) *Error {
	err := badQuery("after", format, args...)
	err.Code = code
	return err
}

// read reads events from the position on until the page is full.
func (r *eventReader) read(tx *transaction, l *ledger) error {
	begin, err := r.begin(tx, l)
	if err != nil {
		return err
	}
	r.page = EventPage{Total: int(l.Events - begin), Last: formatCursor(l.Events)}
	at := begin
	for bytes := 0; at < l.Events && at-begin < maxEventScan; {
		list, err := recordedEvents(tx, at, min(at+int64(r.size), l.Events))
		if err != nil {
			return err
		}
		for _, s := range list {
			if len(r.page.Events) == r.size || bytes >= eventPageBytes {
				r.end(at, l)
				return nil
			}
			at = s.Position
			if !r.selects(s) {
				continue
			}
			e, err := s.event()
			if err != nil {
				return err
			}
			bytes += len(e.Payload)
			r.page.Events = append(r.page.Events, e)
		}
		if len(r.page.Events) == r.size {
			break
		}
	}
	r.end(at, l)
	return nil
}

// begin returns the position behind which the page begins.
func (r *eventReader) begin(tx *transaction, l *ledger) (int64, error) {
	switch {
	case r.after < 0:
		return oldestEvent(tx, l)
	case r.after > l.Events:
		return 0, badCursor("invalid_cursor", "the cursor %d is beyond the last event, %d: it is not of this account, or the database was restored since", r.after, l.Events)
	case r.after < l.EventsSince:
		return 0, expiredCursor(r.after)
	}
	return r.after, nil
}

func expiredCursor(at int64) error {
	return badCursor("cursor_expired", "events after the cursor %d are no longer kept, or were not recorded: leave the cursor out to begin with the oldest event that is kept, and read the present state of what you follow", at)
}

func (r *eventReader) end(at int64, l *ledger) {
	r.page.Cursor, r.page.Left = formatCursor(at), int(l.Events-at)
}

func (r *eventReader) selects(s *eventSnapshot) bool {
	return (len(r.Events) == 0 || slices.Contains(r.Events, s.Event)) && (len(r.Shipments) == 0 || slices.Contains(r.Shipments, s.Shipment))
}

// recordedEvents returns the events of the positions after from up to end. All must be kept.
func recordedEvents(tx *transaction, from, end int64) ([]*eventSnapshot, error) {
	list, err := eventSnapshots.All(tx, positionsBetween(from+1, end))
	if err == nil && int64(len(list)) != end-from {
		err = expiredCursor(from)
	}
	if err != nil {
		return list, err
	}
	return list, readBases(tx, nil, list...)
}

// oldestEvent returns the position before the oldest event that is kept.
func oldestEvent(tx *transaction, l *ledger) (int64, error) {
	list, _, err := eventSnapshots.List(tx, positionsBetween(l.EventsSince+1, l.Events), Page{Number: 1, Size: 1})
	if err != nil || len(list) == 0 {
		return l.Events, err
	}
	return list[0].Position - 1, nil
}

// positionsBetween selects the events of positions, in their order.
func positionsBetween(from, end int64) (w where[eventSnapshot]) {
	w.Add(store.Cond{Name: "position", Op: store.From, Values: []any{from}}, func(s *eventSnapshot) bool { return s.Position >= from })
	w.Add(store.Cond{Name: "position", Op: store.To, Values: []any{end}}, func(s *eventSnapshot) bool { return s.Position != 0 && s.Position <= end })
	w.Sort = []Order{{Name: "position"}}
	return w
}

// eventLedger returns the ledger of the account for reading.
func eventLedger(tx *transaction) (*ledger, error) {
	l, err := ledgers.Get(tx, ledgerID)
	switch {
	case isNotFound(err):
		return &ledger{Meta: Meta{ID: ledgerID}}, nil
	case err == nil && !l.DeletedAt.IsZero():
		return nil, errAccountDeleted
	}
	return l, err
}

// eventMarks are the members of a ledger about events.
type eventMarks struct {
	last, since, followedAt int64
	missed                  bool
}

func (l *ledger) eventMarks() eventMarks {
	return eventMarks{l.Events, l.EventsSince, l.EventsFollowedAt.UnixMicro(), l.EventsMissed}
}

// recordsEvents reports whether the events of the transaction are recorded.
func (tx *transaction) recordsEvents() bool {
	return tx.ledger.recordsEvents(&tx.engine.config, tx.Now)
}

// recordsEvents: events that nobody has read for as long as they are kept are recorded no
// longer.
func (l *ledger) recordsEvents(c *Config, now time.Time) bool {
	return c.RecordEvents || !l.EventsFollowedAt.IsZero() && now.Before(l.EventsFollowedAt.Add(c.Delivery.Retention))
}

func (l *ledger) followedLongAgo(now time.Time) bool {
	return !now.Before(l.EventsFollowedAt.Add(followedTo))
}

// missEvents notes that there are events after the last recorded one.
func (l *ledger) missEvents() { l.EventsMissed = l.Events > 0 }

// closeGap gives a position to the events that were not recorded, so that cursors from before
// them are refused.
func (l *ledger) closeGap() {
	if l.EventsMissed {
		l.Events++
		l.EventsSince, l.EventsMissed = l.Events, false
	}
}

// nextEvent returns the position of a new event.
func (l *ledger) nextEvent() int64 {
	l.closeGap()
	l.Events++
	return l.Events
}
