package tracking

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/table"
)

// eventSnapshot is an event that at least one webhook subscribes to, with the
// documents that belong to it as they were at that moment. It is written once for
// all webhooks, and never changes.
type eventSnapshot struct {
	Meta
	Event     EventName  `private:"event"`
	At        time.Time  `private:"at"` // when it was announced, UTC
	Reference record.Ref `private:"reference"`
	Shipment  ID         `private:"shipment"` // zero for an event without a shipment
	// Included is a JSON array of documents, deflated when Packed.
	Included rawBytes `private:"included"`
	Packed   bool     `private:"packed"`
	// TooLarge: the documents exceed the payload and are omitted.
	TooLarge bool `private:"too_large"`

	inflateOnce sync.Once // shared by the deliveries that are loaded together
	inflated    []byte
	inflateErr  error
}

var eventSnapshots = newKind("occurrence", []column[eventSnapshot]{
	table.TimeColumn("created_at", func(o *eventSnapshot) time.Time { return o.At }),
}, nil, nil)

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

const (
	// maxPayload is the largest payload; the included documents of a larger one are
	// omitted.
	maxPayload = 256 << 10
	// minDeflate is the size from which documents are deflated.
	minDeflate = 1 << 10
)

// writeNotifications writes the notifications of a transaction's events in that
// transaction. An event that no webhook subscribes to writes nothing. known: see
// transaction.run.
func writeNotifications(tx *transaction, events []Announcement, known bool) error {
	if len(events) == 0 {
		return nil
	}
	hooks, err := webhooks.All(tx, WebhookQuery{Active: Yes}.where())
	if err != nil || len(hooks) == 0 {
		return err
	}
	slices.Reverse(hooks) // the oldest webhook first
	for i := range events {
		wanted := func(w *Webhook) bool { return slices.Contains(w.Events, events[i].Event) }
		if !slices.ContainsFunc(hooks, wanted) {
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
	if documents == nil { // more than can be included
		s.TooLarge, s.Included = true, []byte("[]")
		return s, eventSnapshots.Put(tx, s)
	}
	s.setDocuments(documents)
	return s, eventSnapshots.Put(tx, s)
}

// snapshotKey identifies the event. A tracking request reaches the same state more
// than once, and a document is read more than once: their turn is part of the key.
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
	s.id = a.Reference.ID
	var err error
	if s.paths, err = includePaths(a.Reference.Type, eventOf(a.Event).reference.include); err != nil {
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
		list = appendLinked(list, r)
	}
	return append(list, ']'), nil
}

// appendLinked appends a document, with a link to itself if its type has a path.
func appendLinked(list []byte, r *Resource) []byte {
	list = append(list, r.Doc...)
	if collections[r.Type] == "" {
		return list
	}
	list = append(list[:len(list)-1], `,"links":{"self":"`...)
	list = append(appendSelf(list, r.Type, r.ID), '"')
	if r.Type == documents.Kind.Name {
		list = append(append(list, `,"download":"`...), payloadPrefix...)
		list = append(appendID(append(list, collections[r.Type]...), r.ID), `/download_url"`...)
	}
	return append(list, `}}`...)
}

// setDocuments stores the documents, deflated if that is worth it.
func (s *eventSnapshot) setDocuments(documents []byte) {
	switch {
	case s.exceedsPayload(documents):
		s.TooLarge, s.Included = true, []byte("[]")
	case len(documents) < minDeflate:
		s.Included = documents
	default:
		s.Included, s.Packed = deflate(documents), true
	}
}

// exceedsPayload reports whether the payload with these documents would be too
// large.
func (s *eventSnapshot) exceedsPayload(documents []byte) bool {
	if len(documents) < maxPayload/2 {
		return false
	}
	around := renderEnvelope(&WebhookNotification{Event: s.Event, CreatedAt: s.At}, s, nil) // its length does not depend on the webhook
	return len(around)+len(documents) > maxPayload
}

// documents returns what setDocuments has stored.
func (s *eventSnapshot) documents() ([]byte, error) {
	if !s.Packed {
		return s.Included, nil
	}
	s.inflateOnce.Do(func() { s.inflated, s.inflateErr = inflate(s.Included) })
	return s.inflated, s.inflateErr
}

var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is valid
	}
	return w
}}

func deflate(b []byte) []byte {
	var to bytes.Buffer
	to.Grow(len(b) / 2)
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	w.Reset(&to)
	_, _ = w.Write(b) // to memory
	_ = w.Close()
	return to.Bytes()
}

var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

func inflate(b []byte) ([]byte, error) {
	r := inflaters.Get().(io.ReadCloser)
	defer inflaters.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(b), nil); err != nil {
		return nil, err
	}
	var to bytes.Buffer
	to.Grow(4 * len(b))
	_, err := to.ReadFrom(io.LimitReader(r, maxPayload+1))
	return to.Bytes(), err
}
