package tracking

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/internal/record"
)

// Query is one of the query structs: ShipmentQuery, ContainerQuery and so on.
type Query interface {
	noun() described
	filter() Filter
}

// Resource is a record in its stored form. Its bytes are shared and must not
// be changed.
type Resource struct {
	Type    string
	ID      ID
	Version int64
	// Doc is a JSON object with id, type, relationships and attributes.
	Doc []byte
}

// Selection is a list, or one record, with what was included.
type Selection struct {
	Rows     []*Resource
	Included []*Resource
	// Total is how many records match in all.
	Total int
}

// The ceilings of one answer (contract, decision 24).
const (
	maxIncluded      = 5_000
	maxIncludedBytes = 8 << 20
)

// Select returns a page of records in their stored form, with the related
// records that include names (dotted paths such as shipment.port_of_lading).
// It is what servers use: nothing is decoded. Needs show.
//
// Errors: BadQuery on include for what is no relationship, and when more than
// 5,000 records or 8 MiB would be included.
func (t *Tracker) Select(ctx context.Context, q Query, p Page, include []string) (Selection, error) {
	return t.selectRows(ctx, q.noun(), include, false, func(tx *Tx) ([]Record, int, error) {
		if table, ok := q.(interface{ table(*engine) []Record }); ok {
			rows := table.table(tx.engine)
			return rows, len(rows), nil
		}
		return tx.records.List(tx, q.noun().store(), q.filter(), p, nil)
	})
}

// SelectOne is Select for one record of a resource type. Errors: NotFound too.
func (t *Tracker) SelectOne(ctx context.Context, typ string, id ID, include []string) (Selection, error) {
	n, ok := registry[typ]
	if !ok {
		return Selection{}, fmt.Errorf("tracking: there is no resource type %q", typ)
	}
	return t.selectRows(ctx, n, include, true, func(tx *Tx) ([]Record, int, error) {
		rows, err := recordsOf(tx, n.store(), []ID{id})
		if err == nil && len(rows) == 0 {
			err = notFound()
		}
		return rows, 1, err
	})
}

// selectRows loads rows and what goes with them in one snapshot. A single
// record shows every inverse relation.
func (t *Tracker) selectRows(ctx context.Context, n described, include []string, single bool, rows func(*Tx) ([]Record, int, error)) (s Selection, err error) {
	if err := t.allow(Show); err != nil {
		return s, err
	}
	paths, err := includeTree(n.store().Name, include)
	if err != nil {
		return s, err
	}
	if err := t.refs.load(ctx); err != nil {
		return s, err
	}
	err = t.view(ctx, t.actor.Account, func(tx *Tx) error {
		found, total, err := rows(tx)
		if err != nil {
			return err
		}
		s = Selection{Rows: resources(n.store().Name, found), Total: total}
		if len(paths) == 0 && inverses[n.store().Name] == nil {
			return nil
		}
		sel := &selecting{tx: tx, have: map[record.Ref]*Resource{}, primary: map[record.Ref]bool{}}
		for _, r := range s.Rows {
			sel.have[record.Ref{Type: r.Type, ID: r.ID}] = r
			sel.primary[record.Ref{Type: r.Type, ID: r.ID}] = true
		}
		if err := sel.linkInverse(s.Rows, paths, single); err != nil {
			return err
		}
		if err := sel.include(s.Rows, paths); err != nil {
			return err
		}
		s.Included = sel.included
		return nil
	})
	return s, err
}

func resources(typ string, rows []Record) []*Resource {
	list, out := make([]Resource, len(rows)), make([]*Resource, len(rows))
	for i, r := range rows {
		list[i] = Resource{Type: typ, ID: r.ID, Version: r.Version, Doc: r.Doc}
		out[i] = &list[i]
	}
	return out
}

// tree is the include paths, as names with what follows each.
type tree map[string]tree

// includeTree checks the paths against the relationships that there are.
func includeTree(typ string, include []string) (tree, error) {
	root := tree{}
	for _, path := range include {
		types, at := []string{typ}, root
		for name := range strings.SplitSeq(path, ".") {
			next, ok := targets(types, name)
			if !ok {
				return nil, badQuery("include", "'%s' is not specified as a relationship on %s", name, strings.Join(types, " or "))
			}
			if at[name] == nil {
				at[name] = tree{}
			}
			types, at = next, at[name]
		}
	}
	return root, nil
}

func targets(types []string, name string) (next []string, ok bool) {
	for _, typ := range types {
		n := registry[typ]
		if n == nil {
			continue
		}
		if f, has := n.relationship(name); has {
			next, ok = append(next, f.Types...), true
		}
	}
	return next, ok
}

// selecting gathers what a selection includes.
type selecting struct {
	tx       *Tx
	have     map[record.Ref]*Resource
	primary  map[record.Ref]bool
	included []*Resource
	bytes    int
}

// include loads the related records of rows, one relationship at a time for
// all rows together.
func (s *selecting) include(rows []*Resource, paths tree) error {
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		refs, err := s.related(rows, name)
		if err != nil {
			return err
		}
		if err := s.load(refs); err != nil {
			return err
		}
		if len(paths[name]) == 0 {
			continue
		}
		next := make([]*Resource, 0, len(refs))
		for _, ref := range refs {
			if r := s.have[ref]; r != nil {
				next = append(next, r)
			}
		}
		if err := s.linkInverse(next, paths[name], false); err != nil {
			return err
		}
		if err := s.include(next, paths[name]); err != nil {
			return err
		}
	}
	return nil
}

// related returns what the rows refer to by a relationship, without repeats.
func (s *selecting) related(rows []*Resource, name string) ([]record.Ref, error) {
	var refs []record.Ref
	seen := map[record.Ref]bool{}
	var buf []record.Ref
	for _, r := range rows {
		var err error
		if buf, err = record.Refs(r.Doc, name, buf[:0]); err != nil {
			return nil, err
		}
		for _, ref := range buf {
			if !seen[ref] {
				seen[ref] = true
				refs = append(refs, ref)
			}
		}
	}
	return refs, nil
}

// load reads the records that are not there yet.
func (s *selecting) load(refs []record.Ref) error {
	byType := map[string][]ID{}
	for _, ref := range refs {
		if s.have[ref] == nil && registry[ref.Type] != nil {
			byType[ref.Type] = append(byType[ref.Type], ref.ID)
		}
	}
	for _, typ := range slices.Sorted(maps.Keys(byType)) {
		if len(s.included)+len(byType[typ]) > maxIncluded {
			return badQuery("include", "more than %d resources would be included; ask for a smaller page", maxIncluded)
		}
		rows, err := recordsOf(s.tx, registry[typ].store(), byType[typ])
		if err != nil {
			return err
		}
		for _, r := range resources(typ, rows) {
			s.have[record.Ref{Type: typ, ID: r.ID}] = r
			s.included = append(s.included, r)
			if s.bytes += len(r.Doc); s.bytes > maxIncludedBytes {
				return badQuery("include", "more than %d MiB would be included; ask for a smaller page", maxIncludedBytes>>20)
			}
		}
	}
	return nil
}

// recordsOf loads records of any kind; reference entities come from the tables
// too.
func recordsOf(tx *Tx, k *Kind, ids []ID) ([]Record, error) {
	switch k {
	case ports.kind, shippingLines.kind, terminals.kind, vessels.kind:
		return referenceRows(tx, k, ids)
	}
	return tx.records.GetMany(tx, k, ids, nil)
}

// inverse is a relation that grows without bound and is therefore not in the
// document: it is read through an index when it is shown.
type inverse struct {
	name, target string
	// links returns the related IDs of each row.
	links func(*Tx, []*Resource) (map[ID][]ID, error)
	// onLists says whether lists show it without being asked to.
	onLists bool
}

var inverses = map[string][]inverse{
	"container": {
		{"transport_events", "transport_event", linkedEvents, true},
		{"raw_events", "raw_event", linkedFacts, false},
	},
}

// linkInverse shows the inverse relations of rows that are the answer itself,
// or that the paths name. A resource that merely came along through another
// does without: nobody could follow them but by asking.
func (s *selecting) linkInverse(rows []*Resource, paths tree, single bool) error {
	byType := map[string][]*Resource{}
	for _, r := range rows {
		byType[r.Type] = append(byType[r.Type], r)
	}
	for typ, rows := range byType {
		for _, inv := range inverses[typ] {
			primary := s.primary[record.Ref{Type: typ, ID: rows[0].ID}]
			if paths[inv.name] == nil && !(primary && (single || inv.onLists)) {
				continue
			}
			ids, err := inv.links(s.tx, rows)
			if err != nil {
				return err
			}
			for _, r := range rows {
				r.Doc = record.SpliceRefs(nil, r.Doc, inv.name, inv.target, ids[r.ID])
			}
		}
	}
	return nil
}

func linkedEvents(tx *Tx, rows []*Resource) (map[ID][]ID, error) {
	ids := make([]ID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	links, err := tx.records.Links(tx, transportEvents.kind, "valid_container", ids)
	if err != nil {
		return nil, err
	}
	out := map[ID][]ID{}
	for _, l := range links {
		out[l.Of] = append(out[l.Of], l.ID)
	}
	return out, nil
}

// linkedFacts: a container shows the facts that name it and those about its
// whole shipment.
func linkedFacts(tx *Tx, rows []*Resource) (map[ID][]ID, error) {
	shipmentOf := map[ID]ID{}
	var ids []ID
	for _, r := range rows {
		refs, err := record.Refs(r.Doc, "shipment", nil)
		if err != nil {
			return nil, err
		}
		ids = addID(ids, r.ID)
		for _, ref := range refs {
			shipmentOf[r.ID] = ref.ID
			ids = addID(ids, ref.ID)
		}
	}
	links, err := tx.records.Links(tx, rawEvents.kind, "shown", ids)
	if err != nil {
		return nil, err
	}
	by := map[ID][]ID{}
	for _, l := range links {
		by[l.Of] = append(by[l.Of], l.ID)
	}
	out := map[ID][]ID{}
	for _, r := range rows {
		out[r.ID] = slices.Concat(by[r.ID], by[shipmentOf[r.ID]])
	}
	return out, nil
}

// get returns one record as a struct.
func get[T any](ctx context.Context, t *Tracker, n *noun[T], id ID) (*T, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	var v *T
	err := t.view(ctx, t.actor.Account, func(tx *Tx) (err error) {
		v, err = table(tx, n).Get(id)
		return err
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// list returns a page of records as structs.
func list[T any](ctx context.Context, t *Tracker, n *noun[T], f Filter, p Page) (out []*T, total int, err error) {
	if err := t.allow(Show); err != nil {
		return nil, 0, err
	}
	err = t.view(ctx, t.actor.Account, func(tx *Tx) error {
		var rows []Record
		if rows, total, err = tx.records.List(tx, n.kind, f, p, nil); err != nil {
			return err
		}
		out, err = table(tx, n).decode(rows)
		return err
	})
	return out, total, err
}

// found turns a store's ErrNotFound into the Error that callers see.
func found(err error) error {
	if err == ErrNotFound || errors.Is(err, ErrNotFound) {
		return notFound()
	}
	return err
}

func isNotFound(err error) bool { return errors.Is(err, ErrNotFound) }
