package record_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/record"
)

const (
	id1 = "5f0c1a52-0000-4000-8000-000000000001"
	id2 = "5f0c1a52-0000-4000-8000-000000000002"
	id3 = "5f0c1a52-0000-4000-8000-000000000003"
)

// relsDoc holds names that are prefixes of others and, behind them, strings that
// contain the text of a name.
const relsDoc = `{"id":"` + id1 + `","type":"rec","relationships":{` +
	`"port_of":{"data":null},` +
	`"port":{"data":{"id":"` + id2 + `","type":"port"}},` +
	`"ports":{"data":[{"id":"` + id2 + `","type":"port"},{"id":"` + id3 + `","type":"metro_area"}]},` +
	`"empty":{"data":[]},` +
	`"last":{"data":{"id":"` + id3 + `","type":"port"}}},` +
	`"attributes":{"note":"\"relationships\":{\"absent\":{\"data\":null}}","absent":{"data":{"id":"` + id1 + `","type":"x"}}}}`

// refs are the identifiers of one relationship.
func refs(doc []byte, name string) (found []record.Ref, err error) {
	err = record.EachRef(doc, func(relationship, typ []byte, id uuid.UUID) {
		if string(relationship) == name {
			found = append(found, record.Ref{Type: string(typ), ID: id})
		}
	})
	return found, err
}

func TestEachRef(t *testing.T) {
	port2, port3, metro3 := record.Ref{Type: "port", ID: id(2)}, record.Ref{Type: "port", ID: id(3)}, record.Ref{Type: "metro_area", ID: id(3)}
	for _, c := range []struct {
		doc, name string
		want      []record.Ref
	}{
		{relsDoc, "port_of", nil},
		{relsDoc, "port", []record.Ref{port2}},
		{relsDoc, "ports", []record.Ref{port2, metro3}},
		{relsDoc, "empty", nil},
		{relsDoc, "last", []record.Ref{port3}},
		{relsDoc, "absent", nil},
		{relsDoc, "por", nil},
		{relsDoc, "", nil},
		{relsDoc, "note", nil},
		{`{}`, "port", nil},
		{`{"relationships":null}`, "port", nil},
		{`{"relationships":{}}`, "port", nil},
		{`{"relationships":{"port":null}}`, "port", nil},
		{`{"relationships":{"port":{}}}`, "port", nil},
		{`{"attributes":{"relationships":{"port":{"data":{"id":"` + id1 + `","type":"x"}}}},"relationships":{"x":{"meta":"\"port\":{"},"port":{"data":{"type":"port","id":"` + id2 + `"}}}}`, "port", []record.Ref{port2}},
		{` { "relationships" : { "port" : { "meta" : 1 , "data" : [ { "type" : "port" , "id" : "` + id2 + `" } ] } } } `, "port", []record.Ref{port2}},
		{`{"relationships":{"p\u006frt":{"data":{"id":"` + id2 + `","type":"p\u006frt"}}}}`, "port", []record.Ref{port2}},
	} {
		got, err := refs([]byte(c.doc), c.name)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s of %s: got %v, %v, want %v", c.name, c.doc, got, err, c.want)
		}
	}
	var order []string
	if err := record.EachRef([]byte(relsDoc), func(name, _ []byte, _ uuid.UUID) { order = append(order, string(name)) }); err != nil || !slices.Equal(order, []string{"port", "ports", "ports", "last"}) {
		t.Errorf("in the order %v, %v", order, err)
	}
	for _, doc := range []string{
		``, `null`, `[]`, `{`, `{"id"`, `{"relationships":1}`, `{"relationships":{"a":}}`, `{"relationships":{"port":1}}`, `{"relationships":{"port":{"data":1}}}`,
		`{"relationships":{"port":{"data":{"id":"x","type":"port"}}}}`, `{"relationships":{"port":{"data":{"id":"` + id1 + `"}}}}`, `{"relationships":{"port":{"data":[{"id":"` + id1 + `","type":"port"}`,
	} {
		if _, err := refs([]byte(doc), "port"); err == nil {
			t.Errorf("%s: no error", doc)
		}
	}
}

func TestSpliceRef(t *testing.T) {
	for _, c := range []struct {
		doc  string
		to   uuid.UUID
		want string
	}{
		{`{"id":"a","relationships":{},"attributes":{}}`, uuid.UUID{}, `{"id":"a","relationships":{"of":{"data":null}},"attributes":{}}`},
		{`{"relationships":{"x":{},"of":{"data":[]}}}`, id(2), `{"relationships":{"x":{},"of":{"data":{"id":"` + id2 + `","type":"ev"}}}}`},
		{`[]`, id(2), `[]`},
	} {
		if got := string(record.SpliceRef([]byte("> "), []byte(c.doc), "of", "ev", c.to)); got != "> "+c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.doc, got, c.want)
		}
	}
}

func TestSpliceRefs(t *testing.T) {
	one, two := []uuid.UUID{id(2)}, []uuid.UUID{id(2), id(3)}
	const l1 = `{"data":[{"id":"` + id2 + `","type":"ev"}]}`
	const l2 = `{"data":[{"id":"` + id2 + `","type":"ev"},{"id":"` + id3 + `","type":"ev"}]}`
	for _, c := range []struct {
		doc  string
		ids  []uuid.UUID
		want string
	}{
		{`{"id":"a","relationships":{},"attributes":{}}`, nil, `{"id":"a","relationships":{"evs":{"data":[]}},"attributes":{}}`},
		{`{"id":"a","relationships":{},"attributes":{}}`, one, `{"id":"a","relationships":{"evs":` + l1 + `},"attributes":{}}`},
		{`{"relationships":{"ev":{"data":null}},"attributes":{"evs":1}}`, two, `{"relationships":{"ev":{"data":null},"evs":` + l2 + `},"attributes":{"evs":1}}`},
		{`{"relationships":{"evs":{"data":[]},"x":{}}}`, one, `{"relationships":{"evs":` + l1 + `,"x":{}}}`},
		{`{"relationships":{"x":{},"evs":null}}`, one, `{"relationships":{"x":{},"evs":` + l1 + `}}`},
		{`{"relationships":{"x":{"m":"\"evs\":{}"}}}`, one, `{"relationships":{"x":{"m":"\"evs\":{}"},"evs":` + l1 + `}}`},
		{`{"relationships":null}`, one, `{"relationships":{"evs":` + l1 + `}}`},
		{`{"id":"a"}`, one, `{"id":"a","relationships":{"evs":` + l1 + `}}`},
		{`{}`, one, `{"relationships":{"evs":` + l1 + `}}`},
		{`{"relationships":{ }}`, one, `{"relationships":{ "evs":` + l1 + `}}`},
		{``, one, ``},
		{`{"relationships":{`, one, `{"relationships":{`},
		{`[]`, one, `[]`},
	} {
		if got := string(record.SpliceRefs([]byte("> "), []byte(c.doc), "evs", "ev", c.ids)); got != "> "+c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.doc, got, c.want)
		}
	}
}

func FuzzRefs(f *testing.F) {
	f.Add([]byte(golden), "containers")
	f.Add([]byte(golden), "raw_events")
	f.Add([]byte(relsDoc), "ports")
	f.Add([]byte(`{"relationships":{"a":{"meta":{},"data":[]}}}`), "a")
	f.Fuzz(func(t *testing.T, doc []byte, name string) {
		before, err := refs(doc, name)
		ids := []uuid.UUID{id(1), id(2)}
		spliced := record.SpliceRefs(nil, doc, name, "port", ids)
		if !json.Valid(doc) {
			return
		}
		if !json.Valid(spliced) {
			t.Fatalf("%s became %s", doc, spliced)
		}
		if err != nil || bytes.Equal(doc, spliced) {
			return
		}
		if name != string([]rune(name)) {
			return // no JSON string can hold this name
		}
		again, err := refs(spliced, name)
		if err != nil || len(again) != 2 || again[1].ID != id(2) {
			t.Fatalf("%q of %s: %v, %v; before: %v", name, spliced, again, err, before)
		}
	})
}
