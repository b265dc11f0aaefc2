package tracking

import (
	"errors"
	"fmt"
	"maps"
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
	// Included is a JSON array of documents of Size bytes, deflated when Packed. Dictionary
	// is the number of what they are deflated with; 0 for nothing, as by programs before it.
	Included   rawBytes `private:"included"`
	Packed     bool     `private:"packed"`
	Dictionary int      `private:"dictionary"`
	Size       int      `private:"size"`
	// Base is the snapshot whose documents the dictionary has too; zero for none. It is of
	// the same transaction and written after those that need it. The oldest snapshots are
	// deleted first, so it is there as long as they are.
	Base ID `private:"base"`
	// TooLarge: the documents exceed the payload and are omitted.
	TooLarge bool `private:"too_large"`
	// Position is that of the recorded event, see Event.Cursor; 0 if it is not recorded.
	Position int64 `private:"position"`

	base     *eventSnapshot // that of Base, where it was read
	baseOnce sync.Once      // of the dictionary for the snapshots that are based on this one
	forBased []byte
	baseErr  error
}

var eventSnapshots = newKind("occurrence", []column[eventSnapshot]{
	table.TimeColumn("created_at", func(o *eventSnapshot) time.Time { return o.At }),
	table.NewColumn("position", store.IntColumn, func(o *eventSnapshot) any {
		if o.Position == 0 {
			return nil
		}
		return o.Position
	}),
}, nil, nil).InBinaryForm().InGeneration(4)

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
	var list []subscribedEvent
	for i := range events {
		chosen, err := mailed.of(tx, &events[i])
		if err != nil {
			return err
		}
		e := subscribedEvent{Announcement: &events[i]}
		for _, w := range hooks {
			if w.wants(e.Event) || chosen[w.ID] {
				e.webhooks = append(e.webhooks, w)
			}
		}
		if recorded || len(e.webhooks) > 0 {
			list = append(list, e)
		}
	}
	if len(list) > 0 && !known && !tx.engine.refs.fresh() {
		return errTerminalsNotLoaded
	}
	return writeSnapshots(tx, list)
}

// subscribedEvent is an event that is recorded or has webhooks that want it.
type subscribedEvent struct {
	*Announcement
	webhooks []*Webhook
}

// writeSnapshots writes the snapshots of events, and the notifications of their webhooks.
func writeSnapshots(tx *transaction, events []subscribedEvent) error {
	bases, err := newBases(tx, events)
	if err != nil {
		return err
	}
	for _, e := range events {
		s, err := bases.snapshot(tx, e.Announcement)
		if err != nil {
			return err
		}
		if s == nil {
			continue
		}
		if tx.recordsEvents() {
			s.Position = tx.ledger.nextEvent()
		}
		if err := eventSnapshots.Put(tx, s); err != nil {
			return err
		}
		for _, w := range e.webhooks {
			if err := s.writeNotification(tx, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// snapshotBases are, by shipment, the snapshots that others of the transaction are based on:
// that of its last event, because most documents of its events are the same.
type snapshotBases map[ID]*eventSnapshot

func newBases(tx *transaction, events []subscribedEvent) (snapshotBases, error) {
	last, several := map[ID]*Announcement{}, snapshotBases{}
	for _, e := range events {
		if last[e.Shipment] != nil && e.Shipment != (ID{}) {
			several[e.Shipment] = nil
		}
		last[e.Shipment] = e.Announcement
	}
	for shipment := range several {
		s, err := newSnapshot(tx, last[shipment], nil)
		if err != nil {
			return nil, err
		}
		several[shipment] = s
	}
	return several, nil
}

// snapshot returns the snapshot of an event, which is to be written; nil if there is one
// already. A base that is written is the base of no later one.
func (b snapshotBases) snapshot(tx *transaction, a *Announcement) (*eventSnapshot, error) {
	base := b[a.Shipment]
	if base != nil && base.ID == a.snapshotID() {
		delete(b, a.Shipment)
		return base, nil
	}
	return newSnapshot(tx, a, base)
}

// newSnapshot makes the snapshot of an event. It returns nil if there is one already.
func newSnapshot(tx *transaction, a *Announcement, base *eventSnapshot) (*eventSnapshot, error) {
	s := &eventSnapshot{
		Meta:  Meta{ID: a.snapshotID()},
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
	return s, s.setDocuments(documents, base)
}

func (a *Announcement) snapshotID() ID { return table.NamedID("occurrence", a.snapshotKey()) }

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

// setDocuments stores the documents of renderIncluded. base may be nil.
func (s *eventSnapshot) setDocuments(documents []byte, base *eventSnapshot) error {
	n := s.payload()
	if base != nil && len(documents) > 0 {
		s.Base, s.base = base.ID, base
	}
	dictionary, err := s.dictionary()
	if err != nil {
		return err
	}
	p := n.Pack(documents, dictionary)
	s.Included, s.Packed, s.Dictionary, s.Size, s.TooLarge = p.Bytes, p.Deflated, p.Dictionary, p.Size, p.Omitted
	if !s.Packed {
		s.Base, s.base = ID{}, nil
	}
	return nil
}

// stored is what setDocuments has stored.
func (s *eventSnapshot) stored() payload.Included {
	return payload.Included{Bytes: s.Included, Deflated: s.Packed, Dictionary: s.Dictionary, Size: s.Size, Omitted: s.TooLarge}
}

// dictionary is what the documents are deflated with; nil without a base.
func (s *eventSnapshot) dictionary() ([]byte, error) {
	switch {
	case s.Base == (ID{}):
		return nil, nil
	case s.base == nil:
		return nil, fmt.Errorf("tracking: the documents of event %s need those of %s, which is missing", s.ID, s.Base)
	}
	return s.base.asBase()
}

// asBase returns the dictionary for the documents of the snapshots that are based on s, which
// is based on none.
func (s *eventSnapshot) asBase() ([]byte, error) {
	s.baseOnce.Do(func() {
		p := s.stored()
		documents, err := p.Append(nil, nil)
		s.forBased, s.baseErr = payload.Base(documents), err
	})
	return s.forBased, s.baseErr
}

// readBases reads the snapshots that others are based on. newer is that of getSnapshots.
func readBases(tx *transaction, newer map[ID]bool, of ...*eventSnapshot) error {
	var ids []ID
	for _, s := range of {
		if s.Base != (ID{}) {
			ids = addID(ids, s.Base)
		}
	}
	bases, err := getByIDAndNewer(tx, eventSnapshots, ids, newer)
	if err != nil {
		return err
	}
	for _, s := range of {
		if s.base = bases[s.Base]; newer[s.Base] {
			newer[s.ID] = true
		}
	}
	return nil
}

// getSnapshots reads snapshots, each once, with those that they are based on. It notes in
// newer which of them a newer program has stored, perhaps with a dictionary of its own.
func getSnapshots(tx *transaction, ids []ID, newer map[ID]bool) (map[ID]*eventSnapshot, error) {
	by, err := getByIDAndNewer(tx, eventSnapshots, ids, newer)
	if err != nil {
		return nil, err
	}
	return by, readBases(tx, newer, slices.Collect(maps.Values(by))...)
}
