package tracking

import (
	"slices"
	"strings"

	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/record"
)

// The ceilings of one answer (see docs/contract.md#limits-of-one-answer).
const (
	maxIncluded      = 5_000
	maxIncludedBytes = 8 << 20
)

// relationAliases are other names of relationships, for clients of the published
// interface.
var relationAliases = map[string]string{"current_extraction": "last_document_representation"}

// path is one step of what to include, and the steps that follow it.
type path struct {
	name string
	bit  uint64 // its own in the selection
	next []path // by name
}

// includePaths checks the paths against the relationships that there are.
func includePaths(typ string, include []string) ([]path, error) {
	if len(include) == 0 {
		return nil, nil
	}
	all, bit := make([]path, 0, len(include)), uint64(1)
	for _, dotted := range include {
		types, at := []string{typ}, &all
		for more := true; more; {
			var name string
			name, dotted, more = strings.Cut(dotted, ".")
			if to, ok := relationAliases[name]; ok {
				name = to
			}
			next, ok := targets(types, name)
			if !ok {
				return nil, badQuery("include", "'%s' is not specified as a relationship on %s", name, strings.Join(types, " or "))
			}
			i := step(*at, name)
			if i < 0 {
				i = len(*at)
				*at = append(*at, path{name: name, bit: bit})
				bit <<= 1
			}
			types, at = next, &(*at)[i].next
		}
	}
	if bit == 0 {
		return nil, badQuery("include", "include names more than %d relationships", 63)
	}
	sortPaths(all)
	return all, nil
}

func sortPaths(paths []path) {
	slices.SortFunc(paths, func(a, b path) int { return strings.Compare(a.name, b.name) })
	for _, p := range paths {
		sortPaths(p.next)
	}
}

// step is where a name stands among the paths, -1 for nowhere.
func step(paths []path, name string) int {
	for i := range paths {
		if paths[i].name == name {
			return i
		}
	}
	return -1
}

// targets are the types that a relationship of any of the types leads to.
func targets(types []string, name string) (next []string, ok bool) {
	for _, typ := range types {
		n := registry[typ]
		if n == nil {
			continue
		}
		f, has := n.Relationship(name)
		switch {
		case has && !ok:
			next, ok = slices.Clip(f.Types), true // nearly always all there is
		case has:
			next = append(next, f.Types...)
		}
	}
	return next, ok
}

// ref names a record. Unlike the text of its type, its kind is compared at once.
type ref struct {
	kind *store.Kind
	id   ID
}

// inclusion is what a selection knows of records, be they loaded or not yet.
type inclusion struct {
	known    []mention
	places   map[ref]int // in known
	links    []link
	capacity []Resource // not used yet
	bytes    int        // of all documents included

	ids    []ID // of those to be loaded
	wanted []int
}

// mention is a record that a row referred to, and what it was found to be.
type mention struct {
	ref
	r     *Resource // nil while not loaded
	paths uint64    // the bits of those it was reached by
}

// link is one record that the rows refer to by a path: places in known, and
// among the paths.
type link struct{ to, path int }

// clear forgets all, and keeps the room.
func (s *selector) clear() {
	clear(s.known)
	clear(s.places)
	clear(s.records[:cap(s.records)])
	s.known, s.links, s.records = s.known[:0], s.links[:0], s.records[:0]
	s.capacity, s.bytes = nil, 0
}

// place is where a record stands in known.
func (s *inclusion) place(r ref) int {
	at, ok := s.places[r]
	if !ok {
		at = len(s.known)
		s.known = append(s.known, mention{ref: r})
		s.places[r] = at
	}
	return at
}

// reserve makes room for n resources at once.
func (s *inclusion) reserve(n int) {
	if len(s.capacity) < n {
		s.capacity = make([]Resource, n)
	}
}

func (s *inclusion) resource(typ string, r store.Record) *Resource {
	s.reserve(1)
	made := &s.capacity[0]
	s.capacity = s.capacity[1:]
	*made = Resource{Type: typ, ID: r.ID, Version: r.Version, Doc: r.Doc, decoded: r.Decoded}
	return made
}

// include loads what rows refer to by the paths, one path after the other, for
// all rows together.
func (s *selector) include(rows []*Resource, paths []path) error {
	begin, known := len(s.links), len(s.known)
	for _, r := range rows {
		if err := s.follow(r, paths); err != nil {
			return err
		}
	}
	end := len(s.links)
	s.reserve(len(s.known) - known)
	s.result.Included = slices.Grow(s.result.Included, len(s.known)-known)
	for i := range paths {
		if err := s.load(begin, end, i); err != nil {
			return err
		}
		if len(paths[i].next) == 0 {
			continue
		}
		next := s.reached(begin, end, i)
		if err := s.linkInverse(next, paths[i].next, false); err != nil {
			return err
		}
		if err := s.include(next, paths[i].next); err != nil {
			return err
		}
	}
	s.links = s.links[:begin]
	return nil
}

// follow notes what one row refers to by the paths.
func (s *selector) follow(r *Resource, paths []path) error {
	if r.decoded == nil {
		var last *store.Kind // linkage is nearly always of one type
		return record.EachRef(r.Doc, func(name, typ []byte, id uuid.UUID) {
			i := step(paths, string(name))
			if i < 0 {
				return
			}
			if last == nil || last.Name != string(typ) {
				last = kindOf(typ)
			}
			s.link(ref{last, id}, paths, i)
		})
	}
	relations, err := relationsOf(r)
	if err != nil {
		return err
	}
	for i := range relations {
		at := step(paths, relations[i].name)
		if at < 0 {
			continue
		}
		for _, to := range relations[i].to {
			s.link(to, paths, at)
		}
	}
	return s.followInverse(r, paths)
}

// link notes that a row refers to a record by paths[i], once for all rows.
func (s *inclusion) link(to ref, paths []path, i int) {
	if to.kind == nil { // of a type that there is no more
		return
	}
	at := s.place(to)
	if m := &s.known[at]; m.paths&paths[i].bit == 0 {
		m.paths |= paths[i].bit
		s.links = append(s.links, link{to: at, path: i})
	}
}

func kindOf(typ []byte) *store.Kind {
	if n := registry[string(typ)]; n != nil {
		return n.Kind
	}
	return nil
}

// reached are the resources that a path led to.
func (s *selector) reached(begin, end, path int) []*Resource {
	next := make([]*Resource, 0, end-begin)
	for _, l := range s.links[begin:end] {
		if r := s.known[l.to].r; l.path == path && r != nil {
			next = append(next, r)
		}
	}
	return next
}

// load reads the records that a path leads to and that are not there yet, type
// by type.
func (s *selector) load(begin, end, path int) error {
	s.wanted = s.wanted[:0]
	mixed := false
	for _, l := range s.links[begin:end] {
		if l.path != path || s.known[l.to].r != nil {
			continue
		}
		mixed = mixed || len(s.wanted) > 0 && s.known[s.wanted[0]].kind != s.known[l.to].kind
		s.wanted = append(s.wanted, l.to)
	}
	if mixed { // a relationship to several types
		slices.SortStableFunc(s.wanted, func(a, b int) int {
			return strings.Compare(s.known[a].kind.Name, s.known[b].kind.Name)
		})
	}
	for wanted := s.wanted; len(wanted) > 0; {
		n, kind := 1, s.known[wanted[0]].kind
		for n < len(wanted) && s.known[wanted[n]].kind == kind {
			n++
		}
		if err := s.loadKind(kind, wanted[:n]); err != nil {
			return err
		}
		wanted = wanted[n:]
	}
	return nil
}

// loadKind reads records of one kind. Those of the tables come first; what is not
// found is left out.
func (s *selector) loadKind(k *store.Kind, wanted []int) error {
	if len(s.result.Included)+len(wanted) > maxIncluded {
		return badQuery("include", "more than %d resources would be included; ask for a smaller page", maxIncluded)
	}
	stored := wanted[:0]
	for _, at := range wanted {
		if r, ok := s.tx.engine.refs.resource(k.Name, s.known[at].id); !ok {
			stored = append(stored, at)
		} else if err := s.add(at, r); err != nil {
			return err
		}
	}
	if len(stored) == 0 {
		return nil
	}
	s.ids = s.ids[:0]
	for _, at := range stored {
		s.ids = append(s.ids, s.known[at].id)
	}
	rows, err := s.tx.Records.GetMany(s.tx, k, s.ids, s.records[:0])
	if err != nil {
		return err
	}
	s.records = rows
	for _, r := range rows { // they are in the order of the IDs
		for s.known[stored[0]].id != r.ID {
			stored = stored[1:]
		}
		if r, err = asShown(s.tx, k, r); err != nil {
			return err
		}
		if r, err = reduced(s.kind, k, r); err != nil {
			return err
		}
		if err := s.add(stored[0], r); err != nil {
			return err
		}
	}
	return nil
}

// add includes a record that was found.
func (s *selector) add(at int, r store.Record) error {
	m := &s.known[at]
	m.r = s.resource(m.kind.Name, r)
	s.result.Included = append(s.result.Included, m.r)
	if s.bytes += len(r.Doc); s.bytes > maxIncludedBytes {
		return badQuery("include", "more than %d MiB would be included; ask for a smaller page", maxIncludedBytes>>20)
	}
	return nil
}

// relation is one stored relationship of a document.
type relation struct {
	name string
	to   []ref
}

// relationsOf returns the stored relationships of a resource whose record has a
// memo, where they are kept.
func relationsOf(r *Resource) ([]relation, error) {
	if known, ok := r.decoded.Load().([]relation); ok {
		return known, nil
	}
	n := registry[r.Type]
	relations := []relation{}
	err := record.EachRef(r.Doc, func(name, typ []byte, id uuid.UUID) {
		if last := len(relations) - 1; last >= 0 && relations[last].name == string(name) {
			relations[last].to = append(relations[last].to, ref{kindOf(typ), id})
			return
		}
		// Inverse relations are not the document's: they may be shown in Doc.
		if f, ok := n.Relationship(string(name)); ok && !f.Inverse {
			relations = append(relations, relation{f.Name, []ref{{kindOf(typ), id}}})
		}
	})
	if err != nil {
		return nil, err
	}
	r.decoded.Store(relations)
	return relations, nil
}
