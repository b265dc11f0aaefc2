package tracking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/landfallhq/tracking/internal/inclusion"
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
	// Attributes has, in results of Rendered.InParts, attributes that are to be added behind those
	// of Doc: each is nil, or the members of a JSON object without its braces.
	Attributes [2][]byte
}

// Selection is a list, or one record, with the included records.
type Selection struct {
	Rows     []*Resource
	Included []*Resource
	// Total is the number of matching records.
	Total int
	// ChangeToken identifies the state that was read; the zero ChangeToken when it is not
	// known. See Rendered.Unchanged.
	ChangeToken ChangeToken
}

// Rendered reads records as their JSON documents, which most are stored as. It is for
// servers that put these documents into their answers, as httpserver does. All of its
// methods need show, and those of audit events admin.
type Rendered struct {
	t       *Tracker
	inParts bool
}

// Rendered returns the same records as the methods of t, as JSON documents.
func (t *Tracker) Rendered() Rendered { return Rendered{t: t} }

// InParts returns r, but its List and Get leave attributes that are not stored with a resource
// out of its Doc, and return them apart (see Resource.Attributes). That saves a copy of each
// document where it is copied into an answer in any case.
func (r Rendered) InParts() Rendered {
	r.inParts = true
	return r
}

// List returns a page of records, with the related records in include (dotted paths
// such as shipment.port_of_lading).
//
// Errors: BadQuery on include if a relationship does not exist, or if more than
// 5,000 records or 8 MiB would be included.
func (r Rendered) List(ctx context.Context, q Query, p Page, include []string) (Selection, error) {
	s := newSelecting(q.resourceType())
	s.query, s.page, s.inParts = q, p, r.inParts
	return r.t.run(ctx, s, include)
}

// Get returns one record of a resource type, as List does. Errors: NotFound too.
func (r Rendered) Get(ctx context.Context, typ string, id ID, include []string) (Selection, error) {
	n, ok := registry[typ]
	if !ok {
		return Selection{}, fmt.Errorf("tracking: there is no resource type %q", typ)
	}
	s := newSelecting(n)
	s.id, s.inParts = id, r.inParts
	return r.t.run(ctx, s, include)
}

// selector is the state of one selection. Its buffers are reused.
type selector struct {
	kind  *store.Kind
	query Query // nil when one record is asked for
	page  Page
	id    ID
	paths inclusion.Paths
	// showsSecrets is that of the transaction.
	showsSecrets bool
	// alone: the rows are shown without what is stored beside them and true at present only,
	// and without the records that refer to them.
	alone bool
	// inParts is that of Rendered.
	inParts bool

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
	need := Show
	if s.kind == auditEvents.Kind {
		need = Admin
	}
	if err := t.allow(need); err != nil {
		return Selection{}, err
	}
	var err error
	if s.paths, err = includePaths(s.kind.Name, include); err != nil {
		return Selection{}, err
	}
	if err := t.refs.load(ctx); err != nil {
		return Selection{}, err
	}
	s.showsSecrets = t.actor.Can(Admin)
	imported := t.refs.imported.Load()
	if err := t.viewRepeatably(ctx, t.actor.Account, s.inView); err != nil {
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
	tx.showsSecrets = s.showsSecrets
	found, total, err := s.find()
	if err != nil {
		return err
	}
	if s.query != nil {
		// After the first read, because a store can read the token together with that.
		if s.state, s.stated, err = changeToken(tx, tx.Records); err != nil {
			return err
		}
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
	if s.alone {
		return s.include(len(s.rows))
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
	var beside []addedDocuments
	if !s.alone {
		if beside, err = readAddedDocuments(s.tx, s.rows); err != nil {
			return err
		}
	}
	if beside != nil && !s.inParts {
		showBeside(s.rows, beside)
		beside = nil
	}
	resources, all := make([]Resource, len(s.rows)), make([]*Resource, len(s.rows))
	for i, r := range s.rows {
		resources[i] = Resource{Type: r.Kind.Name, ID: r.ID, Version: r.Version, Doc: r.Doc}
		if beside != nil {
			for n, document := range beside[i] {
				if document != nil {
					resources[i].Attributes[n] = record.Attributes(document)
				}
			}
		}
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
	if err == nil {
		err = asDocuments(s.kind, rows)
	}
	return rows, total, err
}

// asDocuments replaces records that are stored in the binary form by their documents.
func asDocuments(k *store.Kind, rows []store.Record) (err error) {
	for i := range rows {
		if rows[i], err = registry[k.Name].AsDocument(rows[i]); err != nil {
			return err
		}
	}
	return nil
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
	if s.kind == exceptionSettings.Kind && s.id == exceptionSettingsID && isNotFound(err) {
		r, err = settingsRecord(), nil
	}
	if err != nil {
		return asNotFound(err)
	}
	if gone, err := isOfDeletedDefinition(s.tx, s.kind, r); err != nil || gone {
		return cmp.Or(err, error(notFound()))
	}
	s.records = append(s.records, r)
	return asDocuments(s.kind, s.records)
}

// asShown returns an included record as it is shown, which can be more than is stored.
func asShown(tx *transaction, k *store.Kind, r store.Record) (store.Record, error) {
	switch k {
	case vessels.Kind:
		return includedVessel(tx, r)
	case webhooks.Kind:
		return unsealedRecord(tx, r)
	}
	return registry[k.Name].AsDocument(r)
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
	return viewing(ctx, t.engine, t.actor.Account, withID(n, id))
}

// list returns a page of records as structs.
func list[T any](ctx context.Context, t *Tracker, n *resource[T], q Query, p Page) (out []*T, total int, err error) {
	if err := t.allow(Show); err != nil {
		return nil, 0, err
	}
	err = t.viewRepeatably(ctx, t.actor.Account, func(tx *transaction) error {
		var rows []store.Record
		if rows, total, err = listRows(tx, q, p, nil); err != nil {
			return err
		}
		out, err = n.DecodeAll(rows)
		return err
	})
	return out, total, err
}

// listWhere is list for records that have no query over HTTP.
func listWhere[T any](ctx context.Context, t *Tracker, n *resource[T], w where[T], p Page) (out []*T, total int, err error) {
	if err := t.allow(Show); err != nil {
		return nil, 0, err
	}
	err = t.viewRepeatably(ctx, t.actor.Account, func(tx *transaction) error {
		out, total, err = n.List(tx, w, p)
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
// implement ChangeTracker.
func (r Rendered) Unchanged(ctx context.Context, c ChangeToken) (unchanged bool, err error) {
	t := r.t
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
	err = store.ViewRepeatably(ctx, t.config.Store, c.account, func(tx store.RecordTx) error {
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
