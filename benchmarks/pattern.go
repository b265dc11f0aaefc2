package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

// pattern is a voyage as the engine has recorded it, ready to be written again
// and again under other numbers and IDs: what differs between two copies has the
// same length in both, so the rest of the bytes is copied as it is.
type pattern struct {
	boxes   int
	ids     []named // of the records, in the order of their names
	records []pieces
}

// named is a record of a voyage; each has a name of its own in every copy.
type named struct {
	kind string
	id   tracking.ID
	// box is the container that an event is about, as a place in the list; -1 for
	// none.
	box int
}

// pieces is one record of a pattern.
type pieces struct {
	kind         *store.Kind
	name         int // of its ID, among pattern.ids
	doc, private text
	cols         []any // a text, an int for the ID of that name, a time, or the value itself
	terms        []term
	mark         *store.Mark // if it is no record, but marks of one
}

type term struct {
	name  string
	value text
}

// text is text with holes, into each of which goes what the copy is called, and
// times, which are moved.
type text struct {
	bytes []byte
	holes []hole
	times []timeAt
}

type hole struct{ at, name int }

type timeAt struct {
	at   int
	time time.Time
}

// aTime finds times in the one form in which the engine writes them.
var aTime = regexp.MustCompile(`"[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ"`)

const timeForm = "2006-01-02T15:04:05Z"

// names are what one copy is called: the digits of its numbers, its boxes, and
// its IDs, both as they are and as text. Times in documents in the binary form stay.
type names struct {
	texts [][]byte // digits, boxes, IDs as text, and as they are
	ids   []tracking.ID
	// later is by how much all times of the copy are later.
	later time.Duration
}

// fill returns the text under these names.
func (t text) fill(n *names) []byte {
	if t.bytes == nil {
		return nil
	}
	b := bytes.Clone(t.bytes)
	for _, h := range t.holes {
		copy(b[h.at:], n.texts[h.name])
	}
	for _, t := range t.times {
		t.time.Add(n.later).AppendFormat(b[t.at:t.at], timeForm)
	}
	return b
}

// newText finds the holes, where the text says what its voyage is called, and the
// times.
func newText(b []byte, called *names) text {
	t := text{bytes: b}
	taken := make([]bool, len(b))
	for name, what := range called.texts {
		for at := 0; ; {
			i := bytes.Index(b[at:], what)
			if i < 0 {
				break
			}
			at += i
			if !slices.Contains(taken[at:at+len(what)], true) {
				t.holes = append(t.holes, hole{at, name})
				for n := range what {
					taken[at+n] = true
				}
			}
			at += len(what)
		}
	}
	for _, found := range aTime.FindAllIndex(b, -1) {
		at := found[0] + 1
		if when, err := time.Parse(timeForm, string(b[at:found[1]-1])); err == nil {
			t.times = append(t.times, timeAt{at, when})
		}
	}
	return t
}

// digits are what all numbers of the i-th voyage end in.
func digits(i int) string { return fmt.Sprintf("%09d", i) }

// newPattern makes a pattern of the records of the i-th voyage of a fleet, in
// which the kinds that are left out are still spoken of, but not there.
func newPattern(i, boxes int, records []written, without []string) *pattern {
	p := &pattern{boxes: boxes}
	for _, r := range records {
		if p.name(r.ID) >= 0 {
			continue // marks, and costs, which have the IDs of their containers
		}
		box := slices.IndexFunc(records, func(c written) bool { return c.kind.Name == "container" && c.ID == idIn(r, "container") })
		p.ids = append(p.ids, named{r.kind.Name, r.ID, box})
	}
	called := p.names(i, func(n int) tracking.ID { return p.ids[n].id })
	for _, r := range records {
		if !slices.Contains(without, r.kind.Name) {
			p.records = append(p.records, p.pieces(p.name(r.ID), r, called))
		}
	}
	return p
}

// name is the place of an ID among those of the voyage; -1 if it is not there.
func (p *pattern) name(id tracking.ID) int {
	return slices.IndexFunc(p.ids, func(n named) bool { return n.id == id })
}

// copy are the names of the i-th copy.
func (p *pattern) copy(seed uint64, i int) *names {
	return p.names(i, func(n int) tracking.ID {
		id := copyID(seed, i, n)
		if box := p.ids[n].box; box >= 0 {
			// Events lie near each other in the index of their IDs: ten million that
			// do not would have most of the file written again with each transaction.
			near := copyID(seed, i, box)
			copy(id[:6], near[:6])
		}
		return id
	})
}

// names are those of the i-th voyage, whose IDs id tells.
func (p *pattern) names(i int, id func(n int) tracking.ID) *names {
	c := &names{texts: [][]byte{[]byte(digits(i))}, ids: make([]tracking.ID, len(p.ids))}
	for n := range p.boxes {
		c.texts = append(c.texts, []byte(containerNumber(i*maxBoxes+n)))
	}
	for n := range p.ids {
		c.ids[n] = id(n)
		c.texts = append(c.texts, []byte(c.ids[n].String()))
	}
	for n := range p.ids { // in documents in the binary form
		c.texts = append(c.texts, c.ids[n][:])
	}
	return c
}

func (p *pattern) pieces(name int, r written, called *names) pieces {
	one := pieces{kind: r.kind, name: name, doc: newText(r.Doc, called), private: newText(r.Private, called), mark: r.mark}
	for _, v := range r.Cols {
		switch value := v.(type) {
		case string:
			v = newText([]byte(value), called)
		case tracking.ID:
			if n := slices.Index(called.ids, value); n >= 0 {
				v = n
			}
		}
		one.cols = append(one.cols, v)
	}
	for _, t := range r.Terms {
		one.terms = append(one.terms, term{t.Name, newText([]byte(t.Value), called)})
	}
	return one
}

// write is the record in the copy with these names.
func (p *pieces) write(n *names) store.Write {
	w := store.Write{ID: n.ids[p.name], Doc: p.doc.fill(n), Private: p.private.fill(n), Cols: make([]any, len(p.cols))}
	for i, v := range p.cols {
		switch value := v.(type) {
		case text:
			v = string(value.fill(n))
		case int:
			v = n.ids[value]
		case time.Time:
			v = value.Add(n.later)
		}
		w.Cols[i] = v
	}
	for _, t := range p.terms {
		w.Terms = append(w.Terms, store.Term{Name: t.name, Value: string(t.value.fill(n))})
	}
	return w
}

// copyID is the ID of the n-th record of the i-th copy. As with the engine, those
// of shipments, which come first, are in order of time, and most others in none.
func copyID(seed uint64, i, n int) (id tracking.ID) {
	a := scramble(seed ^ scramble(uint64(i)<<16|uint64(n)))
	binary.BigEndian.PutUint64(id[:8], a)
	binary.BigEndian.PutUint64(id[8:], scramble(a))
	version := byte(5)
	if n == 0 {
		version = 7
		at := epoch.Add(time.Duration(i) * time.Second).UnixMilli()
		binary.BigEndian.PutUint64(id[:8], uint64(at)<<16|a&0xffff)
	}
	id[6] = id[6]&0x0f | version<<4
	id[8] = id[8]&0x3f | 0x80
	return id
}

// scramble is a step of splitmix64: each number goes to another, in no order.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// patterns makes a pattern of each voyage that was recorded, in the order of the
// voyages, and returns beside them what several voyages share, such as ships.
func patterns(writes []written, f *fleet, without []string) (all []*pattern, shared []written, err error) {
	of := map[tracking.ID][]written{}      // by shipment
	boxes := map[tracking.ID]tracking.ID{} // by container its shipment
	var order []tracking.ID
	for _, w := range writes {
		switch w.kind.Name {
		case "shipment":
			order = append(order, w.ID)
			of[w.ID] = slices.Insert(of[w.ID], 0, w)
		case "container", "transport_event", "raw_event", "exception", "import_cost", "next_milestone":
			id, known := boxes[w.ID]
			if !known {
				id = shipmentOf(w)
			}
			if w.kind.Name == "container" {
				boxes[w.ID] = id
			}
			of[id] = append(of[id], w)
		case "ledger", "tariff": // each account has its own
		default:
			shared = append(shared, w)
		}
	}
	for _, id := range order {
		i, err := voyageOf(of[id][0])
		if err != nil {
			return nil, nil, err
		}
		all = append(all, newPattern(i, len(f.voyage(i).boxes), of[id], without))
	}
	return all, shared, nil
}

// shipmentOf is the shipment that a record belongs to.
func shipmentOf(w written) tracking.ID {
	if id := idIn(w, "shipment"); id != (tracking.ID{}) {
		return id
	}
	for _, t := range w.Terms {
		if t.Name == "shipment" {
			return uuid.MustParse(t.Value) // the engine wrote it
		}
	}
	return tracking.ID{}
}

// voyageOf is the number in the fleet of the voyage that a shipment is.
func voyageOf(w written) (i int, err error) {
	var doc struct {
		Attributes struct {
			Number string `json:"bill_of_lading_number"`
		} `json:"attributes"`
	}
	if err := json.Unmarshal(w.Doc, &doc); err != nil {
		return 0, err
	}
	number := doc.Attributes.Number
	return strconv.Atoi(number[max(0, len(number)-len(digits(0))):])
}

// idIn is the ID in a column of a record, if it has one.
func idIn(w written, column string) tracking.ID {
	for i, c := range w.kind.Columns {
		if id, ok := w.Cols[i].(tracking.ID); ok && c.Name == column {
			return id
		}
	}
	return tracking.ID{}
}
