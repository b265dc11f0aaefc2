package tracking

import (
	"bytes"
	"context"
	"crypto/sha1"
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

// resource maps a struct to the record that it is stored as. Each struct declares
// its own with newKind; no other part of the engine or of a store has a list of
// kinds.
type resource[T any] struct {
	kind    *store.Kind
	codec   *record.Codec[T]
	columns []column[T]
	terms   func(*T) []store.Term
}

// column is a property by which lists are filtered and sorted.
type column[T any] struct {
	name string
	typ  store.ColumnType
	get  func(*T) any
}

// resourceType is a resource[T] without its type parameter, for the registry.
type resourceType interface {
	store() *store.Kind
	relationship(name string) (record.Field, bool)
	fields() []record.Field
	structType() reflect.Type
}

func (n *resource[T]) structType() reflect.Type { return reflect.TypeFor[T]() }
func (n *resource[T]) store() *store.Kind       { return n.kind }
func (n *resource[T]) fields() []record.Field   { return n.codec.Fields() }
func (n *resource[T]) relationship(name string) (record.Field, bool) {
	return n.codec.Relationship(name)
}

// registry has every resource by type. It is filled while the package is
// initialized and read-only after that.
var registry = map[string]resourceType{}

// allKinds returns the kinds, sorted by name.
func allKinds() []*store.Kind {
	kinds := make([]*store.Kind, 0, len(registry))
	for _, name := range slices.Sorted(maps.Keys(registry)) {
		kinds = append(kinds, registry[name].store())
	}
	return kinds
}

// newKind declares a resource. upgrade, which may be nil, sets what a record of an
// older revision lacks; it must not change a current record.
func newKind[T any](name string, columns []column[T], terms func(*T) []store.Term, upgrade func(*T)) *resource[T] {
	n := &resource[T]{codec: record.For[T](name), columns: columns, terms: terms}
	n.kind = &store.Kind{Name: name, Revision: n.codec.Revision()}
	for _, c := range columns {
		n.kind.Columns = append(n.kind.Columns, store.Column{Name: c.name, Type: c.typ})
	}
	n.kind.Render = func(r store.Record) (store.Write, error) {
		v, err := n.decode(r)
		if err != nil {
			return store.Write{}, err
		}
		if upgrade != nil {
			upgrade(v)
		}
		return n.write(v), nil
	}
	registry[name] = n
	return n
}

// counting declares columns with few different values. Stores may keep the number
// of records per value; see Column.Counted.
func (n *resource[T]) counting(names ...string) *resource[T] {
	for i := range n.kind.Columns {
		c := &n.kind.Columns[i]
		c.Counted = c.Counted || slices.Contains(names, c.Name)
	}
	return n
}

// searched declares the version of the search terms. A new version rewrites all
// records.
func (n *resource[T]) searched(form string) *resource[T] {
	n.kind.Revision += form
	return n
}

// changing declares a column that changes with nearly every write; see
// Column.Volatile.
func (n *resource[T]) changing(name string) *resource[T] {
	for i := range n.kind.Columns {
		c := &n.kind.Columns[i]
		c.Volatile = c.Volatile || c.Name == name
	}
	return n
}

func metaOf[T any](v *T) *Meta { return any(v).(interface{ meta() *Meta }).meta() }

func (n *resource[T]) decode(r store.Record) (*T, error) {
	v := new(T)
	if err := n.codec.Decode(r.Doc, r.Private, v); err != nil {
		return nil, fmt.Errorf("tracking: %s %s is damaged: %w", n.kind.Name, r.ID, err)
	}
	m := metaOf(v)
	m.ID, m.Version = r.ID, r.Version
	return v, nil
}

func (n *resource[T]) write(v *T) store.Write {
	doc, private := n.codec.Encode(v)
	return n.indexed(v, doc, private)
}

// indexed adds columns and terms to the encoded value.
func (n *resource[T]) indexed(v *T, doc, private []byte) store.Write {
	w := store.Write{ID: metaOf(v).ID, Doc: doc, Private: private, Cols: n.cols(v)}
	if n.terms != nil {
		w.Terms = n.terms(v)
	}
	return w
}

func (n *resource[T]) cols(v *T) []any {
	cols := make([]any, len(n.columns))
	for i, c := range n.columns {
		cols[i] = c.get(v)
	}
	return cols
}

// where builds a filter. Each condition is given twice: for an index, and as a
// function of the value.
type where[T any] struct {
	conds []store.Cond
	match []func(*T) bool
	sort  []Order
}

func (w *where[T]) add(c store.Cond, match func(*T) bool) {
	w.conds = append(w.conds, c)
	w.match = append(w.match, match)
}

func (w *where[T]) filter(n *resource[T]) store.Filter {
	f := store.Filter{Where: w.conds, Sort: w.sort}
	if len(w.match) > 0 {
		f.Match = func(r store.Record) bool {
			v, err := n.decode(r)
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

// text adds "the property is one of these"; no values add no condition.
func (w *where[T]) text(col string, values []string, get func(*T) string) {
	if len(values) == 0 {
		return
	}
	w.add(store.Cond{Name: col, Op: store.Is, Values: anys(values)}, func(v *T) bool { return slices.Contains(values, get(v)) })
}

// ids adds "the property is one of these IDs".
func (w *where[T]) ids(col string, values []ID, get func(*T) ID) {
	if len(values) == 0 {
		return
	}
	w.add(store.Cond{Name: col, Op: store.Is, Values: anys(values)}, func(v *T) bool { return slices.Contains(values, get(v)) })
}

// has adds "one of the terms is one of these".
func (w *where[T]) has(term string, values []string, get func(*T) []string) {
	if len(values) == 0 {
		return
	}
	w.add(store.Cond{Name: term, Op: store.Has, Values: anys(values)}, func(v *T) bool {
		return slices.ContainsFunc(get(v), func(s string) bool { return slices.Contains(values, s) })
	})
}

// tri adds a yes-or-no condition.
func (w *where[T]) tri(col string, t Tri, get func(*T) bool) {
	if t == Any {
		return
	}
	w.add(store.Cond{Name: col, Op: store.Is, Values: []any{t == Yes}}, func(v *T) bool { return get(v) == (t == Yes) })
}

// times adds a range. Both ends are inclusive; To includes its whole second.
func (w *where[T]) times(col string, r TimeRange, get func(*T) time.Time) {
	if !r.From.IsZero() {
		w.add(store.Cond{Name: col, Op: store.From, Values: []any{r.From}}, func(v *T) bool { t := get(v); return !t.IsZero() && !t.Before(r.From) })
	}
	if !r.To.IsZero() {
		end := r.To.Truncate(time.Second).Add(time.Second - time.Microsecond)
		w.add(store.Cond{Name: col, Op: store.To, Values: []any{end}}, func(v *T) bool { t := get(v); return !t.IsZero() && !t.After(end) })
	}
}

func anys[V any](values []V) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
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

// Tx is a transaction of one account.
type Tx struct {
	context.Context
	records store.RecordTx
	engine  *engine
	ledger  *ledger // nil outside Update and in the system scope
	wrote   bool    // a record was written with the time Now
	// enqueued: a job was added, so Run is notified after the commit.
	enqueued bool
	// delivering: there is a new job for the courier, likewise.
	delivering bool
	// announced are the events of the transaction, in order; trailing are those
	// that follow all others.
	announced, trailing []Announcement
	initialFields       map[string]initialField // see carriedBy
	// Account is the scope of the transaction.
	Account AccountID
	// Now is the time of the transaction, UTC, in whole seconds.
	Now time.Time
}

// enqueue adds a job, or replaces the one with its ID.
func (tx *Tx) enqueue(j store.Job) error {
	tx.enqueued = true
	return tx.records.Enqueue(tx, j)
}

// enqueueDelivery adds a job of the courier's.
func (tx *Tx) enqueueDelivery(j store.Job) error {
	tx.delivering = true
	return tx.records.Enqueue(tx, j)
}

// enqueueDeliveryBy is hasten for those.
func (tx *Tx) enqueueDeliveryBy(j store.Job) error {
	tx.delivering = true
	return tx.records.EnqueueBy(tx, j)
}

// clock is the exact time, which the claims of jobs use. Now may be up to a second
// earlier, or later if the clock was set back.
func (tx *Tx) clock() time.Time { return tx.engine.config.Clock.Now().UTC() }

// enqueueBy adds a job, or moves the one with its ID to an earlier time; see
// RecordTx.EnqueueBy.
func (tx *Tx) enqueueBy(j store.Job) error {
	tx.enqueued = true
	return tx.records.EnqueueBy(tx, j)
}

// Table is the records of one resource in a transaction.
type Table[T any] struct {
	tx *Tx
	n  *resource[T]
}

func table[T any](tx *Tx, n *resource[T]) Table[T] { return Table[T]{tx, n} }

// Get returns the record, or an Error of kind NotFound.
func (t Table[T]) Get(id ID) (*T, error) {
	r, err := t.tx.records.Get(t.tx, t.n.kind, id)
	if err != nil {
		return nil, asNotFound(err)
	}
	return t.n.decode(r)
}

// GetMany returns the records that exist, in the order of ids.
func (t Table[T]) GetMany(ids []ID) ([]*T, error) {
	rs, err := t.tx.records.GetMany(t.tx, t.n.kind, ids, nil)
	if err != nil {
		return nil, err
	}
	return t.decode(rs)
}

// List returns one page of the matching records, and their total number.
func (t Table[T]) List(w where[T], p Page) ([]*T, int, error) {
	rs, total, err := t.tx.records.List(t.tx, t.n.kind, w.filter(t.n), p, nil)
	if err != nil {
		return nil, 0, err
	}
	list, err := t.decode(rs)
	return list, total, err
}

// All returns all matching records, last created first.
func (t Table[T]) All(w where[T]) ([]*T, error) {
	list, _, err := t.List(w, Page{})
	return list, err
}

// timestamped is a resource with the time of its last change, as the attribute
// updatedAtName and as a column. Only Put and PutOver set it.
type timestamped interface{ setUpdatedAt(at time.Time) }

const updatedAtName = "updated_at"

// Put writes the record and sets its new version. A zero ID is replaced by a new
// time-ordered one. A timestamped record gets the time of the transaction if it
// differs from the stored one.
func (t Table[T]) Put(v *T) error {
	m := metaOf(v)
	if m.ID == (ID{}) {
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		m.ID = id
	}
	if _, ok := any(v).(timestamped); !ok {
		return t.put(t.n.write(v), m)
	}
	old, err := t.tx.records.Get(t.tx, t.n.kind, m.ID)
	if isNotFound(err) {
		err = nil
	}
	if err != nil {
		return err
	}
	return t.PutOver(old, v)
}

// PutOver is Put for a record that this transaction has read and not written since;
// the zero Record stands for none.
func (t Table[T]) PutOver(old store.Record, v *T) error {
	doc, private := t.n.codec.Encode(v)
	if old.Version > 0 && bytes.Equal(old.Doc, doc) && bytes.Equal(old.Private, private) {
		// Columns and terms follow from these, so there is nothing to write.
		metaOf(v).Version = old.Version
		return nil
	}
	if s, ok := any(v).(timestamped); ok {
		s.setUpdatedAt(t.tx.Now)
		doc = record.SetTime(doc, updatedAtName, t.tx.Now)
	}
	return t.put(t.n.indexed(v, doc, private), metaOf(v))
}

func (t Table[T]) put(w store.Write, m *Meta) error {
	w.New = m.Version == 0
	version, err := t.tx.records.Put(t.tx, t.n.kind, w)
	if err != nil {
		return err
	}
	t.tx.wrote = t.tx.wrote || version != m.Version
	m.Version = version
	return nil
}

// Delete removes the record.
func (t Table[T]) Delete(id ID) error { return asNotFound(t.tx.records.Delete(t.tx, t.n.kind, id)) }

func (t Table[T]) decode(rs []store.Record) ([]*T, error) {
	list := make([]*T, len(rs))
	for i, r := range rs {
		v, err := t.n.decode(r)
		if err != nil {
			return nil, err
		}
		list[i] = v
	}
	return list, nil
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

// prefix adds "one of the terms begins with this". An empty prefix matches nothing.
func (w *where[T]) prefix(term, prefix string, get func(*T) []string) {
	if prefix == "" {
		w.add(store.Cond{Name: term, Op: store.HasPrefix, Values: nil}, func(*T) bool { return false })
		return
	}
	w.add(store.Cond{Name: term, Op: store.HasPrefix, Values: []any{prefix}}, func(v *T) bool {
		return slices.ContainsFunc(get(v), func(s string) bool { return s != "" && strings.HasPrefix(s, prefix) })
	})
}
