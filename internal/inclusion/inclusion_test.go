package inclusion_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/inclusion"
	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

type voyage struct {
	ID    uuid.UUID   `id:""`
	Ship  uuid.UUID   `rel:"ship,ship"`
	Boxes []uuid.UUID `rel:"boxes,box"`
}

type ship struct {
	ID      uuid.UUID   `id:""`
	Sisters []uuid.UUID `rel:"sisters,ship"`
	_       struct{}    `rel:"voyages,voyage,inverse"`
}

type box struct {
	ID    uuid.UUID `id:""`
	Owner uuid.UUID `rel:"owner,ship"`
}

// fleet is the transaction of these tests: the records there are, and what was loaded.
type fleet struct {
	records map[uuid.UUID]inclusion.Row
	loads   []string // kind and number of each load
	cached  bool     // records have a DecodeCache
}

func schema[T any](name string) *table.Schema {
	return &table.Schema{Kind: &store.Kind{Name: name}, Fields: record.For[T](name).Fields()}
}

var schemas = map[string]*table.Schema{"voyage": schema[voyage]("voyage"), "ship": schema[ship]("ship"), "box": schema[box]("box")}

var graph = &inclusion.Graph[*fleet]{
	Schemas: schemas,
	Inverse: map[string][]inclusion.Inverse[*fleet]{"ship": {{Name: "voyages", Target: "voyage", Links: voyagesOf, OnDemand: true}}},
	Aliases: map[string]string{"vessel": "ship"},
	Load: func(f *fleet, of, kind *store.Kind, ids []store.ID, to []store.Record) ([]store.Record, error) {
		f.loads = append(f.loads, fmt.Sprintf("%d %s", len(ids), kind.Name))
		for _, id := range slices.Backward(ids) {
			if r, ok := f.records[id]; ok && r.Kind == kind {
				to = append(to, r.Record)
			}
		}
		return to, nil
	},
}

func voyagesOf(f *fleet, rows []inclusion.Row) (map[store.ID][]store.ID, error) {
	links := map[store.ID][]store.ID{}
	for _, n := range []byte{1, 2} {
		r, ok := f.records[id(n)]
		if !ok {
			continue
		}
		var v voyage
		if err := record.For[voyage]("voyage").Decode(r.Doc, nil, &v); err != nil {
			return nil, err
		}
		links[v.Ship] = append(links[v.Ship], v.ID)
	}
	return links, nil
}

func add[T any](f *fleet, id uuid.UUID, kind string, v *T) inclusion.Row {
	doc, _ := record.For[T](kind).Encode(v)
	r := inclusion.Row{Kind: schemas[kind].Kind, Record: store.Record{ID: id, Version: 1, Doc: doc}}
	if f.cached {
		r.Decoded = new(store.DecodeCache)
	}
	f.records[id] = r
	return r
}

func id(n byte) uuid.UUID { return uuid.UUID{15: n} }

// newFleet has two voyages of one ship with three boxes, one of them lost.
func newFleet(cached bool) (f *fleet, voyages []inclusion.Row) {
	f = &fleet{records: map[uuid.UUID]inclusion.Row{}, cached: cached}
	voyages = append(voyages, add(f, id(1), "voyage", &voyage{id(1), id(10), []uuid.UUID{id(20), id(21)}}))
	voyages = append(voyages, add(f, id(2), "voyage", &voyage{id(2), id(10), []uuid.UUID{id(21), id(22)}}))
	add(f, id(10), "ship", &ship{ID: id(10), Sisters: []uuid.UUID{id(10)}})
	add(f, id(20), "box", &box{id(20), id(11)})
	add(f, id(21), "box", &box{id(21), id(10)})
	add(f, id(11), "ship", &ship{ID: id(11)})
	return f, voyages
}

func TestInclude(t *testing.T) {
	tests := []struct {
		include string
		want    string // last digits of the IDs
		loads   string
	}{
		{"", "", ""},
		{"ship", "10", "1 ship"},
		{"vessel", "10", "1 ship"},
		{"boxes", "21 20", "3 box"},
		{"ship boxes", "21 20 10", "3 box, 1 ship"},
		{"boxes.owner ship", "21 20 10 11", "3 box, 2 ship"},
		{"ship.sisters", "10", "1 ship"},
		{"ship.voyages", "10", "1 ship"},
		{"ship.voyages.boxes", "10 21 20", "1 ship, 3 box"},
	}
	for _, tt := range tests {
		for _, cached := range []bool{false, true, true} { // the third reads what the second kept
			f, rows := newFleet(cached)
			paths, err := graph.Paths("voyage", strings.Fields(tt.include))
			if err != nil {
				t.Fatal(err)
			}
			all, err := graph.Include(f, rows, len(rows), paths)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range all[2:] {
				got = append(got, fmt.Sprint(r.ID[15]))
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("include %q, cached %v: %q, want %q", tt.include, cached, got, tt.want)
			}
			if got := strings.Join(f.loads, ", "); got != tt.loads {
				t.Errorf("include %q, cached %v: loaded %q, want %q", tt.include, cached, got, tt.loads)
			}
		}
	}
}

// TestIncludeKnown: what is included already is not loaded.
func TestIncludeKnown(t *testing.T) {
	f, rows := newFleet(false)
	paths, err := graph.Paths("voyage", []string{"ship"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := graph.Include(f, append(rows, f.records[id(10)]), len(rows), paths)
	if err != nil || len(all) != 3 || f.loads != nil {
		t.Errorf("%d rows, loaded %q, error %v", len(all), f.loads, err)
	}
}

// TestShow: an inverse relationship on demand is in the document only if a path names
// it.
func TestShow(t *testing.T) {
	f, _ := newFleet(false)
	for include, want := range map[string]bool{"": false, "sisters": false, "voyages": true} {
		paths, err := graph.Paths("ship", strings.Fields(include))
		if err != nil {
			t.Fatal(err)
		}
		rows := []inclusion.Row{f.records[id(10)]}
		if err := graph.Show(f, rows, true, paths); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(rows[0].Doc), `"voyages"`); got != want {
			t.Errorf("include %q: %s", include, rows[0].Doc)
		}
	}
}

func TestPaths(t *testing.T) {
	for include, want := range map[string]string{
		"owner":                                 "'owner' is not specified as a relationship on voyage",
		"ship.owner":                            "'owner' is not specified as a relationship on ship",
		"ship..":                                "'' is not specified as a relationship on ship",
		"ship" + strings.Repeat(".sisters", 64): "include names more than 63 relationships",
	} {
		_, err := graph.Paths("voyage", []string{include})
		if bad := (*inclusion.Error)(nil); !errors.As(err, &bad) || bad.Detail != want {
			t.Errorf("include %q: %v, want %s", include, err, want)
		}
	}
	paths, err := graph.Paths("voyage", []string{"ship.sisters", "boxes"})
	if err != nil || !paths.Names("sisters") || !paths.Names("boxes") || paths.Names("voyages") {
		t.Errorf("%v, %v", paths, err)
	}
}

// TestLimit: more records than an answer can include are refused before they are read.
func TestLimit(t *testing.T) {
	f, _ := newFleet(false)
	v := &voyage{ID: id(3)}
	for range 5_001 {
		v.Boxes = append(v.Boxes, uuid.New())
	}
	paths, err := graph.Paths("voyage", []string{"boxes"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = graph.Include(f, []inclusion.Row{add(f, v.ID, "voyage", v)}, 1, paths)
	if bad := (*inclusion.Error)(nil); !errors.As(err, &bad) || f.loads != nil {
		t.Errorf("loaded %q, error %v", f.loads, err)
	}
}
