package score

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/papers"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

func document(name, typ string, pages [2]int, fields truth.Fields) papers.Document {
	return papers.Document{Document: truth.Document{Name: name, Part: "unseen9", Type: typ, Fields: fields}, Pages: pages}
}

// bundle is a file of a bill of two pages and a packing list of one.
func bundle() papers.Paper {
	return papers.Paper{File: "g-1.pdf", Group: "g", Pages: 3, Content: []byte("bundle"), Documents: []papers.Document{
		document("bill", truth.BillOfLading, [2]int{1, 2}, truth.Fields{"bl_number": "A1"}),
		document("list", truth.PackingList, [2]int{3, 3}, truth.Fields{"po_number": "P1"}),
	}}
}

func reads(pieces ...Piece) Reader { return func([]byte) ([]Piece, error) { return pieces, nil } }

func one(name, value string, confidence float64) []Field {
	return []Field{{Name: name, Value: value, Confidence: confidence}}
}

func TestRunPapersOfBundle(t *testing.T) {
	bill := Answer{Type: truth.BillOfLading, Fields: one("bl_number", "A1", 1)}
	list := Answer{Type: truth.PackingList, Fields: one("po_number", "P1", 1)}
	for _, c := range []struct {
		name   string
		pieces []Piece
		right  int
		splits Splits
	}{
		{"split", []Piece{{1, 2, bill}, {3, 3, list}}, 2, Splits{Files: 1, Exact: 1, Documents: 2, Found: 2, Pieces: 2}},
		{"whole", []Piece{{0, 0, bill}}, 1, Splits{Files: 1, Documents: 2, Pieces: 1}},
		{"a page too far", []Piece{{1, 1, bill}, {2, 3, list}}, 2, Splits{Files: 1, Documents: 2, Pieces: 2}},
		{"too many pieces", []Piece{{1, 2, bill}, {3, 3, list}, {3, 3, bill}}, 2, Splits{Files: 1, Documents: 2, Found: 2, Pieces: 3}},
	} {
		g := RunPapers([]papers.Paper{bundle()}, reads(c.pieces...))[0]
		if g.All.Right != c.right || g.All.Fields.Right != c.right || g.Splits != c.splits || len(g.Times) != 3 {
			t.Errorf("%s: %+v, splits %+v", c.name, g.All, g.Splits)
		}
	}
}

func TestRunPapersOfRefusedFile(t *testing.T) {
	g := RunPapers([]papers.Paper{bundle()}, func([]byte) ([]Piece, error) { return nil, errors.New("no reader of it") })[0]
	if g.All.Right != 0 || g.All.Fields != (Tally{Missed: 2}) || len(g.Failures) != 1 {
		t.Errorf("%+v, %q", g.All, g.Failures)
	}
	var b bytes.Buffer
	if err := PrintGroups(&b, []Group{g}); err != nil || strings.Count(b.String(), "0.0 %") != 3 {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// TestUnjudged checks that a field about which people differ is neither right nor wrong.
func TestUnjudged(t *testing.T) {
	p := bundle()
	p.Documents = p.Documents[:1]
	p.Documents[0].Unjudged = []string{"description"}
	g := RunPapers([]papers.Paper{p}, reads(Piece{1, 3, Answer{Type: truth.BillOfLading, Fields: one("description", "TILES", 1)}}))[0]
	if g.All.Fields != (Tally{Missed: 1}) {
		t.Errorf("%+v", g.All.Fields)
	}
}

func TestReadings(t *testing.T) {
	open := truth.Readings{"2026-03-04", "2026-04-03"}
	for _, c := range []struct {
		name  string
		f     Field
		right bool
	}{
		{"both", Field{Value: "2026-04-03", Alternatives: []string{"2026-03-04"}, Confidence: 0.5}, true},
		{"both, surely", Field{Value: "2026-04-03", Alternatives: []string{"2026-03-04"}, Confidence: Sure}, false},
		{"one", Field{Value: "2026-04-03", Confidence: 0.5}, false},
		{"another", Field{Value: "2026-04-03", Alternatives: []string{"2026-04-04"}, Confidence: 0.5}, false},
		{"three", Field{Value: "2026-04-03", Alternatives: []string{"2026-03-04", "2027-03-04"}, Confidence: 0.5}, false},
	} {
		if got := right(truth.Date, open, c.f); got != c.right {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestRows(t *testing.T) {
	d := truth.Document{Type: truth.BillOfLading, Fields: truth.Fields{"containers": []truth.Fields{
		{"number": "CSQU3054383", "gross_weight": "1 kg", "seal": "S1"}, {"number": "MSKU1234565", "gross_weight": "2 kg", "seal": "S2"}, {"number": "MSCU1234566", "gross_weight": "3 kg"},
	}}}
	var r Rows
	r.count(d, []Field{
		{Name: "containers.number", Value: "CSQU3054383", Row: 1}, {Name: "containers.gross_weight", Value: "2 kg", Row: 1}, {Name: "containers.seal", Value: "S1", Row: 1}, // its neighbour's weight
		{Name: "containers.number", Value: "MSKU1234565", Row: 2}, {Name: "containers.gross_weight", Value: "2 kg", Row: 2}, {Name: "containers.seal", Value: "S2", Row: 2},
		{Name: "containers.number", Value: "MSCU1234566", Row: 3}, {Name: "containers.gross_weight", Value: "4 kg", Row: 3}, // wrong, but nobody's
	})
	if r != (Rows{All: 3, Whole: 1, Mixed: 1}) {
		t.Errorf("%+v", r)
	}
}

func TestBins(t *testing.T) {
	var graded []Graded
	for i := range 200 {
		graded = append(graded, Graded{0.9, i%2 == 0}, Graded{0.99, true})
	}
	graded = append(graded, Graded{0.1, true})
	b, ok := Worst(Bins(graded), 200)
	if !ok || b.From != 0.9 || b.Values != 200 || b.Right != 100 || b.Off() < 0.399 || b.Off() > 0.401 {
		t.Errorf("%+v, %v", b, ok)
	}
	if _, ok := Worst(Bins(graded), 201); ok {
		t.Error("no bin has 201 values")
	}
}

func ExampleRunPapers() {
	groups := RunPapers([]papers.Paper{bundle()}, Whole(func([]byte) (Answer, error) {
		return Answer{Type: truth.BillOfLading, Fields: one("bl_number", "A1", 0.9)}, nil
	}))
	fmt.Println(groups[0].Name, groups[0].All.Accuracy(), groups[0].All.Fields.Recall())
	// Output: g 0.5 0.5
}
