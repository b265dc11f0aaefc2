package tracking

import (
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/landfallhq/tracking/internal/eventcatalog"
	"github.com/landfallhq/tracking/internal/payload"
	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// eventSnapshot is an event that is recorded or that at least one webhook subscribes to,
// with the documents that belong to it as they were at that moment. It is written once
// for all, and never changes.
type eventSnapshot struct {
	Meta
	Event     EventName `private:"event"`
	At        time.Time `private:"at"` // when it was announced, UTC
	Reference Ref       `private:"reference"`
	Shipment  ID        `private:"shipment"` // zero for an event without a shipment
	// Included is a JSON array of documents, deflated when Packed.
	Included rawBytes `private:"included"`
	Packed   bool     `private:"packed"`
	// TooLarge: the documents exceed the payload and are omitted.
	TooLarge bool `private:"too_large"`
	// Position is that of the recorded event, see Event.Cursor; 0 if it is not recorded.
	Position int64 `private:"position"`

	inflateOnce sync.Once // shared by the deliveries that are loaded together
	inflated    []byte
	inflateErr  error
}

var eventSnapshots = newKind("occurrence", []column[eventSnapshot]{
	table.TimeColumn("created_at", func(o *eventSnapshot) time.Time { return o.At }),
	table.NewColumn("position", store.IntColumn, func(o *eventSnapshot) any {
		if o.Position == 0 {
			return nil
		}
		return o.Position
	}),
}, nil, nil).InGeneration(2)

// rawBytes are stored as they are. Through encoding/json they would cost a third of
// the time of a delivery.
type rawBytes []byte

// AppendBinary appends the bytes. It has no error.
func (p rawBytes) AppendBinary(b []byte) ([]byte, error) { return append(b, p...), nil }

// UnmarshalBinary takes in the bytes. It has no error.
func (p *rawBytes) UnmarshalBinary(b []byte) error {
	*p = append((*p)[:0], b...)
	return nil
}

// writeNotifications writes the notifications of a transaction's events in that
// transaction, and records the events. An event that is not recorded and that no webhook
// subscribes to writes nothing. known: see transaction.run.
func writeNotifications(tx *transaction, events []Announcement, known bool) error {
	if len(events) == 0 {
		return nil
	}
	recorded := tx.recordsEvents()
	if !recorded {
		tx.ledger.missEvents()
	}
	hooks, err := webhooks.All(tx, WebhookQuery{Active: Yes}.where())
	if err != nil || len(hooks) == 0 && !recorded {
		return err
	}
	slices.Reverse(hooks) // the oldest webhook first
	mailed, err := readMailedExceptions(tx, hooks, events)
	if err != nil {
		return err
	}
	for i := range events {
		chosen, err := mailed.of(tx, &events[i])
		if err != nil {
			return err
		}
		wanted := func(w *Webhook) bool { return w.wants(events[i].Event) || chosen[w.ID] }
		if !recorded && !slices.ContainsFunc(hooks, wanted) {
			continue
		}
		if !known && !tx.engine.refs.fresh() {
			return errTerminalsNotLoaded
		}
		s, err := writeSnapshot(tx, &events[i])
		if err != nil {
			return err
		}
		if s == nil {
			continue
		}
		for _, w := range hooks {
			if !wanted(w) {
				continue
			}
			if err := s.writeNotification(tx, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeSnapshot writes the snapshot of an event. It returns nil if there is one
// already.
func writeSnapshot(tx *transaction, a *Announcement) (*eventSnapshot, error) {
	s := &eventSnapshot{
		Meta:  Meta{ID: table.NamedID("occurrence", a.snapshotKey())},
		Event: a.Event, At: a.At, Reference: a.Reference, Shipment: a.Shipment,
	}
	_, err := tx.Records.Get(tx, eventSnapshots.Kind, s.ID)
	switch {
	case err == nil:
		return nil, nil
	case !isNotFound(err):
		return nil, err
	}
	documents, err := renderIncluded(tx, a)
	if err != nil {
		return nil, err
	}
	s.setDocuments(documents)
	if tx.recordsEvents() {
		s.Position = tx.ledger.nextEvent()
	}
	return s, eventSnapshots.Put(tx, s)
}

// snapshotKey identifies the event. A tracking request reaches the same state more than
// once, a document is read and an exception opened more than once: their turn is part of the
// key.
func (a *Announcement) snapshotKey() string {
	key := string(a.Event) + "/" + a.Reference.Type + "/" + a.Reference.ID.String()
	if a.sequence != 0 {
		key += "/" + strconv.FormatInt(a.sequence, 10)
	}
	return key
}

// renderIncluded returns a JSON array of the documents that belong to an event: its
// reference object and the resources included with it, as the transaction leaves
// them. It returns nil if they are more than can be included.
func renderIncluded(tx *transaction, a *Announcement) ([]byte, error) {
	s := newSelecting(registry[a.Reference.Type])
	defer s.release()
	s.id, s.alone = a.Reference.ID, true
	var err error
	if s.paths, err = includePaths(a.Reference.Type, eventcatalog.Find(a.Event).Include); err != nil {
		return nil, err
	}
	if err := s.view(tx); err != nil {
		if refused := (*Error)(nil); !errors.As(err, &refused) || refused.Kind != BadQuery {
			return nil, err
		}
		return nil, nil
	}
	list := []byte{'['}
	for i, r := range slices.Concat(s.result.Included, s.result.Rows) {
		if i > 0 {
			list = append(list, ',')
		}
		list = payload.AppendDocument(list, r.Type, r.ID, r.Doc)
	}
	return append(list, ']'), nil
}

// payload is what notifications of the event have in common.
func (s *eventSnapshot) payload() payload.Notification {
	return payload.Notification{Event: string(s.Event), CreatedAt: s.At, Reference: record.Ref(s.Reference), Omitted: s.TooLarge}
}

// setDocuments stores the documents of renderIncluded.
func (s *eventSnapshot) setDocuments(documents []byte) {
	n := s.payload()
	p := n.Pack(documents)
	s.Included, s.Packed, s.TooLarge = p.Bytes, p.Deflated, p.Omitted
}

// documents returns what setDocuments has stored.
func (s *eventSnapshot) documents() ([]byte, error) {
	if !s.Packed {
		return s.Included, nil
	}
	s.inflateOnce.Do(func() { s.inflated, s.inflateErr = payload.Inflate(s.Included) })
	return s.inflated, s.inflateErr
}
