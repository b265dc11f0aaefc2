package tracking

import (
	"bytes"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/record"
)

// Meta has the fields of every record. Every resource embeds it.
type Meta struct {
	// ID identifies the record within its account.
	ID ID `id:""`
	// Version is increased by one with every change; see IfVersion of the updates.
	Version int64
}

func (m *Meta) meta() *Meta { return m }

// registry has every resource by type. It is filled while the package is
// initialized and read-only after that.
var registry = map[string]*resourceType{}

// allKinds returns the kinds, sorted by name.
func allKinds() []*store.Kind {
	kinds := make([]*store.Kind, 0, len(registry))
	for _, name := range slices.Sorted(maps.Keys(registry)) {
		kinds = append(kinds, registry[name].Kind)
	}
	return kinds
}

// newKind declares a resource. upgrade, which may be nil, sets what a record of an
// older revision lacks; it must not change a current record.
func newKind[T any](name string, columns []column[T], terms func(*T) []store.Term, upgrade func(*T)) *resource[T] {
	n := newResource(name, columns, terms, upgrade)
	registry[name] = n.resourceType
	return n
}

// resourceType describes a resource without its Go type parameter.
type resourceType struct {
	// Kind is what the stores know of it.
	Kind *store.Kind
	// Struct is the Go type of its records.
	Struct reflect.Type
	// Fields are the tagged fields of the struct, in their order.
	Fields []record.Field
}

// Relationship finds a relationship, stored or inverse, by name.
func (t *resourceType) Relationship(name string) (record.Field, bool) {
	i := slices.IndexFunc(t.Fields, func(f record.Field) bool { return f.Kind == record.Relationship && f.Name == name })
	if i < 0 {
		return record.Field{}, false
	}
	return t.Fields[i], true
}

// resource maps a struct to the record that it is stored as, and is the table of
// these records.
type resource[T any] struct {
	*resourceType
	Codec   *record.Codec[T]
	Terms   func(*T) []store.Term // nil for none
	columns []column[T]
}

// column is a property by which lists are filtered and sorted.
type column[T any] struct {
	Name string
	Type store.ColumnType
	Get  func(*T) any
}

func newResource[T any](name string, columns []column[T], terms func(*T) []store.Term, upgrade func(*T)) *resource[T] {
	n := &resource[T]{Codec: record.For[T](name), Terms: terms, columns: columns}
	n.resourceType = &resourceType{Kind: &store.Kind{Name: name, Revision: n.Codec.Revision()}, Struct: reflect.TypeFor[T](), Fields: n.Codec.Fields()}
	for _, c := range columns {
		n.Kind.Columns = append(n.Kind.Columns, store.Column{Name: c.Name, Type: c.Type})
	}
	n.Kind.Render = func(r store.Record) (store.Write, error) {
		v, err := n.Decode(r)
		if err != nil {
			return store.Write{}, err
		}
		if upgrade != nil {
			upgrade(v)
		}
		return n.Write(v), nil
	}
	return n
}

// Counted declares columns with few different values; see store.Column.
func (n *resource[T]) Counted(names ...string) *resource[T] {
	for i := range n.Kind.Columns {
		c := &n.Kind.Columns[i]
		c.Counted = c.Counted || slices.Contains(names, c.Name)
	}
	return n
}

// Volatile declares a column that changes with nearly every write; see
// store.Column.
func (n *resource[T]) Volatile(name string) *resource[T] {
	for i := range n.Kind.Columns {
		c := &n.Kind.Columns[i]
		c.Volatile = c.Volatile || c.Name == name
	}
	return n
}

// TermsVersion sets the version of the terms. A new version rewrites all records.
func (n *resource[T]) TermsVersion(version string) *resource[T] {
	n.Kind.Revision += version
	return n
}

func metaOf[T any](v *T) *Meta { return any(v).(interface{ meta() *Meta }).meta() }

// Decode returns the value of a record.
func (n *resource[T]) Decode(r store.Record) (*T, error) {
	v := new(T)
	if err := n.Codec.Decode(r.Doc, r.Private, v); err != nil {
		return nil, fmt.Errorf("tracking: %s %s is damaged: %w", n.Kind.Name, r.ID, err)
	}
	m := metaOf(v)
	m.ID, m.Version = r.ID, r.Version
	return v, nil
}

// DecodeAll returns the values of records, in their order.
func (n *resource[T]) DecodeAll(rs []store.Record) ([]*T, error) {
	list := make([]*T, len(rs))
	for i, r := range rs {
		v, err := n.Decode(r)
		if err != nil {
			return nil, err
		}
		list[i] = v
	}
	return list, nil
}

// Write returns what is stored for a value.
func (n *resource[T]) Write(v *T) store.Write {
	doc, private := n.Codec.Encode(v)
	return n.write(v, doc, private)
}

// write adds columns and terms to the encoded value.
func (n *resource[T]) write(v *T, doc, private []byte) store.Write {
	w := store.Write{ID: metaOf(v).ID, Doc: doc, Private: private, Cols: make([]any, len(n.columns))}
	for i, c := range n.columns {
		w.Cols[i] = c.Get(v)
	}
	if n.Terms != nil {
		w.Terms = n.Terms(v)
	}
	return w
}

// where builds a filter. Each condition is given twice: for an index, and as a
// function of the value.
type where[T any] struct {
	Conds []store.Cond
	Sort  []store.Order
	match []func(*T) bool
}

// Add adds a condition.
func (w *where[T]) Add(c store.Cond, match func(*T) bool) {
	w.Conds = append(w.Conds, c)
	w.match = append(w.match, match)
}

// Filter returns the conditions as a filter of the resource's records.
func (w *where[T]) Filter(n *resource[T]) store.Filter {
	f := store.Filter{Where: w.Conds, Sort: w.Sort}
	if len(w.match) > 0 {
		f.Match = func(r store.Record) bool {
			v, err := n.Decode(r)
			if err != nil {
				return false
			}
			for _, m := range w.match {
				if !m(v) {
					return false
				}
			}
			return true
		}
	}
	return f
}

// Text adds "the column is one of these"; no values add no condition.
func (w *where[T]) Text(column string, values []string, get func(*T) string) {
	if len(values) == 0 {
		return
	}
	w.Add(store.Cond{Name: column, Op: store.Is, Values: anys(values)}, func(v *T) bool { return slices.Contains(values, get(v)) })
}

// IDs adds "the column is one of these"; no values add no condition.
func (w *where[T]) IDs(column string, values []store.ID, get func(*T) store.ID) {
	if len(values) == 0 {
		return
	}
	w.Add(store.Cond{Name: column, Op: store.Is, Values: anys(values)}, func(v *T) bool { return slices.Contains(values, get(v)) })
}

// Bool adds "the column is want".
func (w *where[T]) Bool(column string, want bool, get func(*T) bool) {
	w.Add(store.Cond{Name: column, Op: store.Is, Values: []any{want}}, func(v *T) bool { return get(v) == want })
}

// Times adds a range; a zero end is open. Both ends are inclusive, and to includes
// its whole second.
func (w *where[T]) Times(column string, from, to time.Time, get func(*T) time.Time) {
	if !from.IsZero() {
		w.Add(store.Cond{Name: column, Op: store.From, Values: []any{from}}, func(v *T) bool { t := get(v); return !t.IsZero() && !t.Before(from) })
	}
	if !to.IsZero() {
		end := to.Truncate(time.Second).Add(time.Second - time.Microsecond)
		w.Add(store.Cond{Name: column, Op: store.To, Values: []any{end}}, func(v *T) bool { t := get(v); return !t.IsZero() && !t.After(end) })
	}
}

// Has adds "one of the terms is one of these"; no values add no condition.
func (w *where[T]) Has(term string, values []string, get func(*T) []string) {
	if len(values) == 0 {
		return
	}
	w.Add(store.Cond{Name: term, Op: store.Has, Values: anys(values)}, func(v *T) bool {
		return slices.ContainsFunc(get(v), func(s string) bool { return slices.Contains(values, s) })
	})
}

// HasPrefix adds "one of the terms begins with this". An empty prefix matches
// nothing.
func (w *where[T]) HasPrefix(term, prefix string, get func(*T) []string) {
	if prefix == "" {
		w.Add(store.Cond{Name: term, Op: store.HasPrefix}, func(*T) bool { return false })
		return
	}
	w.Add(store.Cond{Name: term, Op: store.HasPrefix, Values: []any{prefix}}, func(v *T) bool {
		return slices.ContainsFunc(get(v), func(s string) bool { return s != "" && strings.HasPrefix(s, prefix) })
	})
}

func anys[V any](values []V) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}

// tableTx is what a table needs of a transaction.
type tableTx struct {
	context.Context
	Records store.RecordTx
	// Now is the time of the transaction, UTC, in whole seconds.
	Now time.Time
	// Wrote reports that a record was written with the time Now.
	Wrote bool
}

func (tx *tableTx) table() *tableTx { return tx }

// inTx is a *tableTx, or a struct that embeds one.
type inTx interface{ table() *tableTx }

// Get returns the record, or an Error of kind NotFound.
func (n *resource[T]) Get(in inTx, id store.ID) (*T, error) {
	tx := in.table()
	r, err := tx.Records.Get(tx, n.Kind, id)
	if err != nil {
		return nil, asNotFound(err)
	}
	return n.Decode(r)
}

// GetMany returns the records that exist, in the order of ids.
func (n *resource[T]) GetMany(in inTx, ids []store.ID) ([]*T, error) {
	tx := in.table()
	rs, err := tx.Records.GetMany(tx, n.Kind, ids, nil)
	if err != nil {
		return nil, err
	}
	return n.DecodeAll(rs)
}

// List returns one page of the matching records, and their total number.
func (n *resource[T]) List(in inTx, w where[T], p store.Page) ([]*T, int, error) {
	tx := in.table()
	rs, total, err := tx.Records.List(tx, n.Kind, w.Filter(n), p, nil)
	if err != nil {
		return nil, 0, err
	}
	list, err := n.DecodeAll(rs)
	return list, total, err
}

// All returns all matching records, last created first.
func (n *resource[T]) All(in inTx, w where[T]) ([]*T, error) {
	list, _, err := n.List(in, w, store.Page{})
	return list, err
}

// timestamped is a resource with the time of its last change, as the attribute
// updatedAtName and as a column. Only Put and PutOver set it.
type timestamped interface{ setUpdatedAt(at time.Time) }

const updatedAtName = "updated_at"

// Put writes the record and sets its new version. A zero ID is replaced by a new
// time-ordered one. A timestamped record gets the time of the transaction if it
// differs from the stored one.
func (n *resource[T]) Put(in inTx, v *T) error {
	tx, m := in.table(), metaOf(v)
	if m.ID == (store.ID{}) {
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		m.ID = id
	}
	if _, ok := any(v).(timestamped); !ok {
		return n.put(tx, n.Write(v), m)
	}
	old, err := tx.Records.Get(tx, n.Kind, m.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return n.PutOver(tx, old, v)
}

// PutOver is Put for a record that this transaction has read and not written since;
// the zero Record stands for none.
func (n *resource[T]) PutOver(in inTx, old store.Record, v *T) error {
	tx := in.table()
	doc, private := n.Codec.Encode(v)
	if old.Version > 0 && bytes.Equal(old.Doc, doc) && bytes.Equal(old.Private, private) {
		// Columns and terms follow from these, so there is nothing to write.
		metaOf(v).Version = old.Version
		return nil
	}
	if s, ok := any(v).(timestamped); ok {
		s.setUpdatedAt(tx.Now)
		doc = record.SetTime(doc, updatedAtName, tx.Now)
	}
	return n.put(tx, n.write(v, doc, private), metaOf(v))
}

func (n *resource[T]) put(tx *tableTx, w store.Write, m *Meta) error {
	w.New = m.Version == 0
	version, err := tx.Records.Put(tx, n.Kind, w)
	if err != nil {
		return err
	}
	tx.Wrote = tx.Wrote || version != m.Version
	m.Version = version
	return nil
}

// Delete removes the record. It returns an Error of kind NotFound if there is none.
func (n *resource[T]) Delete(in inTx, id store.ID) error {
	tx := in.table()
	return asNotFound(tx.Records.Delete(tx, n.Kind, id))
}

// Tri is an optional yes-or-no condition.
type Tri uint8

// The values of a Tri. Any makes no condition.
const (
	Any Tri = iota
	Yes
	No
)

// TimeRange selects times; a zero end is open. Both ends are inclusive, and To
// includes its whole second, since times are shown in whole seconds.
type TimeRange struct{ From, To time.Time }

// tri adds a condition to w unless it is Any.
func tri[T any](w *where[T], column string, want Tri, get func(*T) bool) {
	if want != Any {
		w.Bool(column, want == Yes, get)
	}
}

// transaction is a transaction of one account: that of the store, and what the engine
// adds to it.
type transaction struct {
	tableTx
	engine *engine
	ledger *ledger // nil outside Update and in the system scope
	// enqueued: a job was added, so the workers are woken after the commit.
	enqueued bool
	// delivering: a job of the dispatcher was added, likewise.
	delivering bool
	// announced are the events of the transaction, in order; trailing are those
	// that follow all others.
	announced, trailing []Announcement
	initialFields       map[string]initialField // see carriedBy
	// Account is the scope of the transaction.
	Account AccountID
}

// enqueue adds a job, or replaces the one with its ID.
func (tx *transaction) enqueue(j store.Job) error {
	tx.enqueued = true
	return tx.Records.Enqueue(tx, j)
}

// enqueueDelivery adds a job of the courier's.
func (tx *transaction) enqueueDelivery(j store.Job) error {
	tx.delivering = true
	return tx.Records.Enqueue(tx, j)
}

// enqueueDeliveryBy is hasten for those.
func (tx *transaction) enqueueDeliveryBy(j store.Job) error {
	tx.delivering = true
	return tx.Records.EnqueueBy(tx, j)
}

// clock is the exact time, which the claims of jobs use. Now may be up to a second
// earlier, or later if the clock was set back.
func (tx *transaction) clock() time.Time { return tx.engine.config.Clock.Now().UTC() }

// enqueueBy adds a job, or moves the one with its ID to an earlier time; see
// RecordTx.EnqueueBy.
func (tx *transaction) enqueueBy(j store.Job) error {
	tx.enqueued = true
	return tx.Records.EnqueueBy(tx, j)
}

// Opt is an optional value of an update.
type Opt[T any] struct {
	Set   bool
	Value T
}

// Set makes an Opt that changes the value.
func Set[T any](v T) Opt[T] { return Opt[T]{true, v} }

// Columns are nil if the property is not known.
func textCol(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func timeCol(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC()
}

func idCol(id ID) any {
	if id == (ID{}) {
		return nil
	}
	return id
}

func termsOf(name string, values []string) []store.Term {
	terms := make([]store.Term, 0, len(values))
	for _, v := range values {
		if v != "" && !slices.Contains(terms, store.Term{Name: name, Value: v}) {
			terms = append(terms, store.Term{Name: name, Value: v})
		}
	}
	return terms
}

// checkVersion refuses a change that was made to another version; 0 skips the
// check.
func checkVersion(want, have int64) error {
	if want != 0 && want != have {
		return &Error{Kind: Stale, Code: "stale", Detail: fmt.Sprintf("the record is at version %d, not %d: read it again and repeat the change", have, want)}
	}
	return nil
}

// named returns the ID for a natural key in the namespace of a resource type: a
// UUID of version 5.
func named(typ, key string) ID {
	space, ok := namespaces.Load(typ)
	if !ok {
		space, _ = namespaces.LoadOrStore(typ, uuid.NewSHA1(namespace, []byte(typ)))
	}
	// Like uuid.NewSHA1, without its allocations: an update computes dozens.
	text := make([]byte, 0, 256)
	id := space.(ID)
	text = append(append(text, id[:]...), key...)
	sum := sha1.Sum(text)
	copy(id[:], sum[:])
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	return id
}

// namespaces are the UUIDs of the resource types.
var namespaces sync.Map // string -> ID

// namespace is the root of every ID that is derived from a key. It must never
// change: clients store these IDs.
var namespace = uuid.MustParse("6f1c2a52-6a0e-5b0b-9a43-3d7d8e0c5f10")
