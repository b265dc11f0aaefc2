package inclusion

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/store"
)

// Show adds inverse relationships to the documents of rows, which are the answer
// itself: those that the paths name, and those that are shown without being asked for.
// single: the answer is one record and not a list.
func (g *Graph[Tx]) Show(tx Tx, rows []Row, single bool, paths Paths) error {
	return g.splice(tx, rows, nil, paths, func(inv *Inverse[Tx]) bool { return !inv.OnDemand && (single || inv.OnLists) })
}

// splice adds inverse relationships to rows[at], or to all rows if at is nil.
func (g *Graph[Tx]) splice(tx Tx, rows []Row, at []int, paths Paths, unasked func(*Inverse[Tx]) bool) error {
	for typ, list := range g.Inverse {
		var own []int // of this type
		var given []Row
		for i := range list {
			inv := &list[i]
			if paths.index(inv.Name) < 0 && !unasked(inv) {
				continue
			}
			if own == nil {
				own, given = ofType(rows, at, typ)
			}
			if len(own) == 0 {
				break
			}
			links, err := inv.Links(tx, given)
			if err != nil {
				return err
			}
			for _, i := range own {
				rows[i].Doc = inv.splice(rows[i].Doc, links[rows[i].ID])
			}
		}
	}
	return nil
}

// ofType returns the rows of a type, and where they are.
func ofType(rows []Row, at []int, typ string) (own []int, given []Row) {
	n := len(at)
	if at == nil {
		n = len(rows)
	}
	own = []int{}
	for i := range n {
		if at != nil {
			i = at[i]
		}
		if rows[i].Kind.Name == typ {
			own, given = append(own, i), append(given, rows[i])
		}
	}
	return own, given
}

// ref identifies a record. Unlike the text of its type, its kind is compared at once.
type ref struct {
	kind *store.Kind
	id   store.ID
}

// reader is the state of one Include. Its buffers are reused.
type reader[Tx any] struct {
	graph *Graph[Tx]
	tx    Tx
	of    *store.Kind // of the answer
	rows  []Row       // the answer, then what is included
	begin int         // index of the first included row
	bytes int         // of all included documents

	known  []mention
	places map[ref]int // in known
	links  []link

	wanted  []int // in known: to be loaded
	ids     []store.ID
	records []store.Record
}

// mention is a record that a row referred to.
type mention struct {
	ref
	row   int    // -1 while not loaded
	paths uint64 // the bits of the steps by which it was reached
}

// link is a record that rows refer to by a step: indexes into known and paths.
type link struct{ to, step int }

// maxKept bounds the buffers that are reused.
const maxKept = 1_000

// Include follows the paths from rows[:n] and appends the rows that they lead to. The
// rows[n:] are included already. One path is followed after the other, for all rows
// together.
func (g *Graph[Tx]) Include(tx Tx, rows []Row, n int, paths Paths) ([]Row, error) {
	if len(paths) == 0 || n == 0 {
		return rows, nil
	}
	r, _ := g.readers.Get().(*reader[Tx])
	if r == nil {
		r = &reader[Tx]{graph: g, places: map[ref]int{}}
	}
	defer r.release()
	r.tx, r.of, r.rows, r.begin = tx, rows[0].Kind, rows, n
	from := make([]int, n)
	for i := range rows {
		if i < n {
			from[i] = i
		}
		r.known[r.place(ref{rows[i].Kind, rows[i].ID})].row = i
	}
	err := r.include(from, paths)
	return r.rows, err
}

// release returns the reader to the pool, without what it has read.
func (r *reader[Tx]) release() {
	if len(r.known) > maxKept || cap(r.records) > maxKept {
		return
	}
	clear(r.places)
	clear(r.records[:cap(r.records)])
	*r = reader[Tx]{graph: r.graph, places: r.places, known: r.known[:0], links: r.links[:0], wanted: r.wanted[:0], ids: r.ids[:0], records: r.records[:0]}
	r.graph.readers.Put(r)
}

// place returns the index of a record in known.
func (r *reader[Tx]) place(of ref) int {
	at, ok := r.places[of]
	if !ok {
		at = len(r.known)
		r.known = append(r.known, mention{ref: of, row: -1})
		r.places[of] = at
	}
	return at
}

// include loads what the rows refer to by the paths.
func (r *reader[Tx]) include(from []int, paths Paths) error {
	begin, known := len(r.links), len(r.known)
	for _, i := range from {
		if err := r.follow(&r.rows[i], paths); err != nil {
			return err
		}
	}
	end := len(r.links)
	r.rows = slices.Grow(r.rows, len(r.known)-known)
	for i := range paths {
		if err := r.load(begin, end, i); err != nil {
			return err
		}
		if len(paths[i].next) == 0 {
			continue
		}
		next := r.reached(begin, end, i)
		// What was merely included shows no inverse relationship without being asked:
		// the client did not ask for its documents.
		if err := r.graph.splice(r.tx, r.rows, next, paths[i].next, func(*Inverse[Tx]) bool { return false }); err != nil {
			return err
		}
		if err := r.include(next, paths[i].next); err != nil {
			return err
		}
	}
	r.links = r.links[:begin]
	return nil
}

// follow links what one row refers to by the paths.
func (r *reader[Tx]) follow(row *Row, paths Paths) error {
	if row.Decoded == nil {
		var last *store.Kind // linkage is nearly always of one type
		return record.EachRef(row.Doc, func(name, typ []byte, id uuid.UUID) {
			i := paths.index(string(name))
			if i < 0 {
				return
			}
			if last == nil || last.Name != string(typ) {
				last = r.graph.kind(typ)
			}
			r.link(ref{last, id}, paths, i)
		})
	}
	relationships, err := r.graph.relationships(row)
	if err != nil {
		return err
	}
	for i := range relationships {
		at := paths.index(relationships[i].name)
		if at < 0 {
			continue
		}
		for _, to := range relationships[i].to {
			r.link(to, paths, at)
		}
	}
	return r.followInverse(row, paths)
}

// followInverse links what a row refers to by inverse relationships: only its document
// has them.
func (r *reader[Tx]) followInverse(row *Row, paths Paths) error {
	for _, inv := range r.graph.Inverse[row.Kind.Name] {
		i := paths.index(inv.Name)
		if i < 0 {
			continue
		}
		kind := r.graph.Schemas[inv.Target].Kind
		err := record.EachRef(row.Doc, func(name, _ []byte, id uuid.UUID) {
			if string(name) == inv.Name {
				r.link(ref{kind, id}, paths, i)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// link adds a record to those that rows refer to by paths[i], once for all rows.
func (r *reader[Tx]) link(to ref, paths Paths, i int) {
	if to.kind == nil { // the type no longer exists
		return
	}
	at := r.place(to)
	if m := &r.known[at]; m.paths&paths[i].bit == 0 {
		m.paths |= paths[i].bit
		r.links = append(r.links, link{to: at, step: i})
	}
}

// kind returns the kind of a type; nil for none.
func (g *Graph[Tx]) kind(typ []byte) *store.Kind {
	if s := g.Schemas[string(typ)]; s != nil {
		return s.Kind
	}
	return nil
}

// reached returns the rows that a step led to.
func (r *reader[Tx]) reached(begin, end, step int) []int {
	next := make([]int, 0, end-begin)
	for _, l := range r.links[begin:end] {
		if row := r.known[l.to].row; l.step == step && row >= 0 {
			next = append(next, row)
		}
	}
	return next
}

// load reads the records that a step leads to and that are not loaded yet, type by
// type.
func (r *reader[Tx]) load(begin, end, step int) error {
	r.wanted = r.wanted[:0]
	mixed := false
	for _, l := range r.links[begin:end] {
		if l.step != step || r.known[l.to].row >= 0 {
			continue
		}
		mixed = mixed || len(r.wanted) > 0 && r.known[r.wanted[0]].kind != r.known[l.to].kind
		r.wanted = append(r.wanted, l.to)
	}
	if mixed { // a relationship to several types
		slices.SortStableFunc(r.wanted, func(a, b int) int {
			return strings.Compare(r.known[a].kind.Name, r.known[b].kind.Name)
		})
	}
	for wanted := r.wanted; len(wanted) > 0; {
		n, kind := 1, r.known[wanted[0]].kind
		for n < len(wanted) && r.known[wanted[n]].kind == kind {
			n++
		}
		if err := r.loadKind(kind, wanted[:n]); err != nil {
			return err
		}
		wanted = wanted[n:]
	}
	return nil
}

// loadKind reads records of one kind.
func (r *reader[Tx]) loadKind(kind *store.Kind, wanted []int) (err error) {
	if len(r.rows)-r.begin+len(wanted) > maxRecords {
		return refuse("more than %d resources would be included; ask for a smaller page", maxRecords)
	}
	r.ids = r.ids[:0]
	for _, at := range wanted {
		r.ids = append(r.ids, r.known[at].id)
	}
	if r.records, err = r.graph.Load(r.tx, r.of, kind, r.ids, r.records[:0]); err != nil {
		return err
	}
	for _, loaded := range r.records {
		r.known[r.places[ref{kind, loaded.ID}]].row = len(r.rows)
		r.rows = append(r.rows, Row{kind, loaded})
		if r.bytes += len(loaded.Doc); r.bytes > maxBytes {
			return refuse("more than %d MiB would be included; ask for a smaller page", maxBytes>>20)
		}
	}
	return nil
}

// relationship is a stored relationship of a document.
type relationship struct {
	name string
	to   []ref
}

// relationships returns the stored relationships of a row with a DecodeCache, which
// keeps them.
func (g *Graph[Tx]) relationships(row *Row) ([]relationship, error) {
	if known, ok := row.Decoded.Load().([]relationship); ok {
		return known, nil
	}
	schema := g.Schemas[row.Kind.Name]
	list := []relationship{}
	err := record.EachRef(row.Doc, func(name, typ []byte, id uuid.UUID) {
		if last := len(list) - 1; last >= 0 && list[last].name == string(name) {
			list[last].to = append(list[last].to, ref{g.kind(typ), id})
			return
		}
		// The document may show inverse relationships, which are not the record's.
		if f, ok := schema.Relationship(string(name)); ok && !f.Inverse {
			list = append(list, relationship{f.Name, []ref{{g.kind(typ), id}}})
		}
	})
	if err != nil {
		return nil, err
	}
	row.Decoded.Store(list)
	return list, nil
}
