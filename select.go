package tracking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/landfallhq/tracking/internal/inclusion"
	"github.com/landfallhq/tracking/internal/payload"
	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// Query is one of the query structs: ShipmentQuery, ContainerQuery and so on.
type Query interface {
	resourceType() *table.Schema
	filter() store.Filter
}

// Resource is a record as stored. Its bytes are shared and must not be changed.
type Resource struct {
	Type    string
	ID      ID
	Version int64
	// Doc is a JSON object with id, type, relationships and attributes.
	Doc []byte
}

// Selection is a list, or one record, with the included records.
type Selection struct {
	Rows     []*Resource
	Included []*Resource
	// Total is the number of matching records.
	Total int
	// ChangeToken identifies the state that was read; the zero ChangeToken when it is not
	// known. See Tracker.Unchanged.
	ChangeToken ChangeToken
}

// Select returns a page of records as stored, with the related records in include
// (dotted paths such as shipment.port_of_lading). It is for servers: nothing is
// decoded. Needs show.
//
// Errors: BadQuery on include if a relationship does not exist, or if more than
// 5,000 records or 8 MiB would be included.
func (t *Tracker) Select(ctx context.Context, q Query, p Page, include []string) (Selection, error) {
	s := newSelecting(q.resourceType())
	s.query, s.page = q, p
	return t.run(ctx, s, include)
}

// SelectOne is Select for one record of a resource type. Errors: NotFound too.
func (t *Tracker) SelectOne(ctx context.Context, typ string, id ID, include []string) (Selection, error) {
	n, ok := registry[typ]
	if !ok {
		return Selection{}, fmt.Errorf("tracking: there is no resource type %q", typ)
	}
	s := newSelecting(n)
	s.id = id
	return t.run(ctx, s, include)
}

// selector is the state of one selection. Its buffers are reused.
type selector struct {
	kind  *store.Kind
	query Query // nil when one record is asked for
	page  Page
	id    ID
	paths inclusion.Paths

	tx     *transaction
	result Selection
	// state is the store's state of the account, if stated.
	state  int64
	stated bool

	records []store.Record
	rows    []inclusion.Row

	// inView is (*selector).view, bound once.
	inView func(*transaction) error
}

var selectors = sync.Pool{New: func() any {
	s := &selector{}
	s.inView = s.view
	return s
}}

func newSelecting(n *table.Schema) *selector {
	s := selectors.Get().(*selector)
	s.kind = n.Kind
	return s
}

// release returns the selector to the pool, without its results.
func (s *selector) release() {
	if cap(s.rows) > maxKeptCapacity || cap(s.records) > maxKeptCapacity {
		return
	}
	s.clear()
	*s = selector{rows: s.rows, records: s.records, inView: s.inView}
	selectors.Put(s)
}

// clear forgets what was read and keeps the buffers.
func (s *selector) clear() {
	clear(s.records[:cap(s.records)])
	clear(s.rows[:cap(s.rows)])
	s.records, s.rows = s.records[:0], s.rows[:0]
}

// maxKeptCapacity bounds the buffers that are reused.
const maxKeptCapacity = 1_000

// run loads rows and included records in one snapshot.
func (t *Tracker) run(ctx context.Context, s *selector, include []string) (Selection, error) {
	defer s.release()
	if err := t.allow(Show); err != nil {
		return Selection{}, err
	}
	var err error
	if s.paths, err = includePaths(s.kind.Name, include); err != nil {
		return Selection{}, err
	}
	if err := t.refs.load(ctx); err != nil {
		return Selection{}, err
	}
	imported := t.refs.imported.Load()
	if err := t.view(ctx, t.actor.Account, s.inView); err != nil {
		return Selection{}, err
	}
	if s.stated && imported != nil && imported == t.refs.imported.Load() {
		s.result.ChangeToken = ChangeToken{t.engine, t.actor.Account, s.state, imported.form}
	}
	return s.result, nil
}

// view selects in the snapshot of tx. It may be called again by the transaction,
// and then starts over.
func (s *selector) view(tx *transaction) (err error) {
	s.clear()
	s.tx, s.result = tx, Selection{}
	if s.state, s.stated, err = changeToken(tx, tx.Records); err != nil {
		return err
	}
	found, total, err := s.find()
	if err != nil {
		return err
	}
	s.result.Total = total
	if s.kind == webhooks.Kind {
		for i, r := range found {
			if found[i], err = unsealedRecord(s.tx, r); err != nil {
				return err
			}
		}
	}
	for _, r := range found {
		s.rows = append(s.rows, inclusion.Row{Kind: s.kind, Record: r})
	}
	if err := graph.Show(tx, s.rows, s.query == nil, s.paths); err != nil {
		return err
	}
	return s.include(len(s.rows))
}

// include follows the paths from the first n rows, and sets the result.
func (s *selector) include(n int) (err error) {
	if s.rows, err = graph.Include(s.tx, s.rows, n, s.paths); err != nil {
		return asBadInclude(err)
	}
	resources, all := make([]Resource, len(s.rows)), make([]*Resource, len(s.rows))
	for i, r := range s.rows {
		resources[i] = Resource{Type: r.Kind.Name, ID: r.ID, Version: r.Version, Doc: r.Doc}
		all[i] = &resources[i]
	}
	s.result.Rows, s.result.Included = all[:n:n], all[n:]
	return nil
}

// find returns the selected records.
func (s *selector) find() ([]store.Record, int, error) {
	if s.query == nil {
		err := s.one()
		return s.records, 1, err
	}
	rows, total, err := listRows(s.tx, s.query, s.page, s.records)
	s.records = rows
	return rows, total, err
}

// one finds the record with the ID.
func (s *selector) one() error {
	if isReference(s.kind) {
		rows, err := referenceRows(s.tx, s.kind, []ID{s.id})
		if err == nil && len(rows) == 0 {
			err = notFound()
		}
		s.records = append(s.records, rows...)
		return err
	}
	r, err := s.tx.Records.Get(s.tx, s.kind, s.id)
	if err != nil {
		return asNotFound(err)
	}
	if gone, err := isOfDeletedDefinition(s.tx, s.kind, r); err != nil || gone {
		return cmp.Or(err, error(notFound()))
	}
	s.records = append(s.records, r)
	return nil
}

// asShown returns an included record as it is shown, which can be more than is stored.
func asShown(tx *transaction, k *store.Kind, r store.Record) (store.Record, error) {
	switch k {
	case vessels.Kind:
		return includedVessel(tx, r)
	case webhooks.Kind:
		return unsealedRecord(tx, r)
	}
	return r, nil
}

// lister is a query that needs more than a filter.
type lister interface {
	// list is RecordTx.List of the query.
	list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error)
}

// listRows appends a page of what the query selects.
func listRows(tx *transaction, q Query, p Page, to []store.Record) ([]store.Record, int, error) {
	if l, ok := q.(lister); ok {
		return l.list(tx, p, to)
	}
	if q, ok := q.(interface{ check(*engine) error }); ok {
		if err := q.check(tx.engine); err != nil {
			return nil, 0, err
		}
	}
	return tx.Records.List(tx, q.resourceType().Kind, q.filter(), p, to)
}

// get returns one record as a struct.
func get[T any](ctx context.Context, t *Tracker, n *resource[T], id ID) (*T, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	var v *T
	err := t.view(ctx, t.actor.Account, func(tx *transaction) (err error) {
		v, err = n.Get(tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// list returns a page of records as structs.
func list[T any](ctx context.Context, t *Tracker, n *resource[T], q Query, p Page) (out []*T, total int, err error) {
	if err := t.allow(Show); err != nil {
		return nil, 0, err
	}
	err = t.view(ctx, t.actor.Account, func(tx *transaction) error {
		var rows []store.Record
		if rows, total, err = listRows(tx, q, p, nil); err != nil {
			return err
		}
		out, err = n.DecodeAll(rows)
		return err
	})
	return out, total, err
}

// asNotFound replaces a store's ErrNotFound by an Error.
func asNotFound(err error) error {
	if err == ErrNotFound || errors.Is(err, ErrNotFound) {
		return notFound()
	}
	return err
}

func isNotFound(err error) bool { return errors.Is(err, ErrNotFound) }

// ResourceType describes the documents of one type, for generated descriptions.
type ResourceType struct {
	// Name is the type of the documents: "shipment".
	Name string
	// Struct is the Go type: Shipment.
	Struct reflect.Type
	// Members in the order in which they are shown.
	Members []ResourceMember
}

// ResourceMember is an attribute or a relationship.
type ResourceMember struct {
	// Name as documents spell it: "pod_eta_at".
	Name string
	// Owner is the struct that has the field, Struct itself or one that it embeds,
	// and Field the field's name there: "PODETAAt", or "_" where it has none.
	Owner reflect.Type
	Field string
	// Value is the Go type of an attribute; nil for a relationship.
	Value reflect.Type
	// Null: the attribute may be null.
	Null bool
	// Types are what a relationship may lead to; none for an attribute.
	Types []string
	// Many: the relationship is a list. Optional: the member is shown in some
	// answers only.
	Many, Optional bool
}

// attributeForm is one form of the documents of a type.
type attributeForm struct {
	typ    string
	goType reflect.Type
	fields []record.Field
}

func formOf[T any](c *record.Codec[T]) attributeForm {
	return attributeForm{c.Type(), reflect.TypeFor[T](), c.Fields()}
}

// unstored are forms of documents that are not stored records: resources made for
// an answer, and records that are shown with more or fewer members.
func unstored() []attributeForm {
	return []attributeForm{
		formOf(routeRecords), formOf(routeLocationRecords), formOf(searchResults),
		formOf(locatedVessels), formOf(reducedDocuments), formOf(reducedSubmissions),
	}
}

// ResourceTypes returns the types of all documents, by name. A member that only some
// forms of a type have is Optional.
func ResourceTypes() []ResourceType {
	all := map[string]ResourceType{}
	for name, n := range registry {
		all[name] = attributeForm{name, n.Struct, n.Fields}.resourceType()
	}
	for _, f := range unstored() {
		known, ok := all[f.typ]
		if !ok {
			all[f.typ] = f.resourceType()
			continue
		}
		all[f.typ] = known.or(f.resourceType())
	}
	var types []ResourceType
	for _, name := range slices.Sorted(maps.Keys(all)) {
		types = append(types, all[name])
	}
	return types
}

// or merges another form of the type.
func (r ResourceType) or(other ResourceType) ResourceType {
	for i := range r.Members {
		r.Members[i].Optional = r.Members[i].Optional || !other.has(r.Members[i].Name)
	}
	for _, m := range other.Members {
		if !r.has(m.Name) {
			m.Optional = true
			r.Members = append(r.Members, m)
		}
	}
	return r
}

func (r ResourceType) has(name string) bool {
	return slices.ContainsFunc(r.Members, func(m ResourceMember) bool { return m.Name == name })
}

func (f attributeForm) resourceType() ResourceType {
	r := ResourceType{Name: f.typ, Struct: f.goType}
	for _, field := range f.fields {
		m := ResourceMember{Name: field.Name, Types: field.Types, Many: field.Many, Optional: field.Inverse}
		switch field.Kind {
		case record.Attribute:
			m.Value = field.GoType
		case record.Relationship:
		default:
			continue
		}
		var tag string
		m.Owner, m.Field, tag = fieldOf(r.Struct, field.Kind.String(), field.Name)
		// The codec renders every zero time as null; the tag says which can be.
		m.Null = m.Value != nil && (strings.HasSuffix(tag, ",null") || m.Value.Kind() == reflect.Pointer)
		r.Members = append(r.Members, m)
	}
	return r
}

// fieldOf finds the field with a name in the tags of a key, and the whole tag.
func fieldOf(t reflect.Type, key, name string) (owner reflect.Type, field, tag string) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get(key)
		if named, _, _ := strings.Cut(tag, ","); named == name {
			return t, f.Name, tag
		}
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			if owner, field, tag := fieldOf(f.Type, key, name); owner != nil {
				return owner, field, tag
			}
		}
	}
	return nil, "", ""
}

// ChangeToken identifies the state of an account and of the reference data at a
// moment: while it is unchanged, the same Query, Page and include select the same.
// Tokens are compared with ==. The zero ChangeToken is that of no moment.
type ChangeToken struct {
	engine  *engine
	account AccountID
	// records is the token of the store, references that of the imported terminals,
	// which belong to no account. All other data is compiled in.
	records, references int64
}

// Unchanged reports whether the account is still in the state of the token. It
// reads no record. False may also mean that it is not known: stores need not
// implement ChangeTracker. Needs show.
func (t *Tracker) Unchanged(ctx context.Context, c ChangeToken) (unchanged bool, err error) {
	if err := t.allow(Show); err != nil {
		return false, err
	}
	if c.engine != t.engine || c.account != t.actor.Account {
		return false, nil
	}
	if err := t.refs.load(ctx); err != nil {
		return false, err
	}
	if now := t.refs.imported.Load(); now == nil || now.form != c.references {
		return false, nil
	}
	err = t.config.Store.View(ctx, c.account, func(tx store.RecordTx) error {
		records, known, err := changeToken(ctx, tx)
		unchanged = known && records == c.records
		return err
	})
	return unchanged, err
}

// changeToken returns the token of a transaction, if its store has one.
func changeToken(ctx context.Context, tx store.RecordTx) (token int64, known bool, err error) {
	if s, ok := tx.(store.ChangeTracker); ok {
		return s.ChangeToken(ctx)
	}
	return 0, false, nil
}

// Collections returns the paths of the resource types, each ending in a slash,
// below the prefix of the interface. Types without a path are missing.
func Collections() map[string]string { return maps.Clone(payload.Paths) }
