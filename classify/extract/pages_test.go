package extract

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

// drawn makes a PDF with a page for each content, 800 by 800 points, in Courier.
func drawn(contents ...string) []byte {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Courier>>"}
	var kids []string
	for _, c := range contents {
		n := len(objects)
		kids = append(kids, fmt.Sprintf("%d 0 R", n+2))
		objects = append(objects, fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", len(c), c),
			fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 800 800]/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R>>", n+1))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(contents), strings.Join(kids, " "))
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, xref)
	return b.Bytes()
}

// pagesOf reads a PDF of drawn.
func pagesOf(t *testing.T, e *Extractor, contents ...string) []tracking.TextPage {
	t.Helper()
	text, err := e.Extract(context.Background(), bytesOf("drawn.pdf", drawn(contents...)))
	if err != nil {
		t.Fatal(err)
	}
	return text.Pages
}

// form is 15 rows of three words, from 60 points from the top left corner.
func form() string {
	var b strings.Builder
	for row := range 15 {
		for column, word := range []string{"Container", fmt.Sprintf("MSKU%07d", row), "2,450.00"} {
			fmt.Fprintf(&b, "BT /F 10 Tf %d %d Td (%s) Tj ET\n", 60+150*column, 730-30*row, word)
		}
	}
	return b.String()
}

// turned is a content turned clockwise by degrees about the middle of the page.
func turned(degrees float64, content string) string {
	sin, cos := math.Sincos(-degrees * math.Pi / 180)
	return fmt.Sprintf("q %f %f %f %f %f %f cm\n%s\nQ", cos, sin, -sin, cos, 400-400*cos+400*sin, 400-400*sin-400*cos, content)
}

// sameBoxes reports whether words are where they are on an upright page, which may have been
// moved by x and y.
func sameBoxes(t *testing.T, name string, want, got tracking.TextPage, x, y, most float64) {
	t.Helper()
	if len(got.Words) != len(want.Words) {
		t.Errorf("%s: %d words, want %d", name, len(got.Words), len(want.Words))
		return
	}
	byPlace := func(p tracking.TextPage) []tracking.TextWord {
		return slices.SortedFunc(slices.Values(p.Words), func(a, b tracking.TextWord) int {
			return cmp.Or(cmp.Compare(math.Round(a.Box.Top), math.Round(b.Box.Top)), cmp.Compare(a.Box.Left, b.Box.Left))
		})
	}
	wanted, found := byPlace(want), byPlace(got)
	for i, w := range wanted {
		g := found[i]
		far := max(math.Abs(g.Box.Left-w.Box.Left-x), math.Abs(g.Box.Right-w.Box.Right-x), math.Abs(g.Box.Top-w.Box.Top-y), math.Abs(g.Box.Bottom-w.Box.Bottom-y))
		if g.Text != w.Text || far > most {
			t.Errorf("%s: %s at %v, want %s at %v", name, g.Text, g.Box, w.Text, w.Box)
			return
		}
	}
}

// Pages with sideways text are turned upright, each by itself, and Displayed finds words
// where they are drawn.
func TestSidewaysPages(t *testing.T) {
	quarters := []float64{0, 90, 180, 270}
	var contents []string
	for _, q := range quarters {
		contents = append(contents, turned(q, form()))
	}
	pages := pagesOf(t, one(t, Limits{}), contents...)
	for i, q := range quarters {
		p := pages[i]
		if want := int(360-q) % 360; p.Turned != want || p.Skew != 0 {
			t.Errorf("text at %v degrees: turned by %d and %v, want %d", q, p.Turned, p.Skew, want)
		}
		x, y := (p.Width-800)/2, (p.Height-800)/2
		sameBoxes(t, fmt.Sprint(q), pages[0], p, x, y, 0.01)
		// The middle of a word, turned as it was drawn.
		sin, cos := math.Sincos(q * math.Pi / 180)
		is := func(w tracking.TextWord) bool { return w.Text == "MSKU0000003" }
		up, down := pages[0].Words[slices.IndexFunc(pages[0].Words, is)].Box, p.Displayed(p.Words[slices.IndexFunc(p.Words, is)].Box)
		dx, dy := (up.Left+up.Right)/2-400, (up.Top+up.Bottom)/2-400
		wantX, wantY := 400+dx*cos-dy*sin, 400+dx*sin+dy*cos
		if gotX, gotY := (down.Left+down.Right)/2, (down.Top+down.Bottom)/2; math.Hypot(gotX-wantX, gotY-wantY) > 0.1 {
			t.Errorf("text at %v degrees: displayed at %v, want the middle %v, %v", q, down, wantX, wantY)
		}
	}
}

// A word whose letters are drawn apart, as at a kern, is one word on pages that are turned too.
func TestKernedWordsOfTurnedPages(t *testing.T) {
	const apart = "BT /F 10 Tf 60 700 Td (V) Tj ET\nBT /F 10 Tf 65.2 700 Td (ESSEL ) Tj ET\nBT /F 8 Tf 300 700 Td (ARRI) Tj ET\nBT /F 5 Tf 319.2 700 Td (VAL) Tj ET\nBT /F 10 Tf 102 700 Td (MSC) Tj ET\n"
	quarters := []float64{0, 90, 180, 270}
	var contents []string
	for _, q := range quarters {
		contents = append(contents, turned(q, apart+form()))
	}
	for i, p := range pagesOf(t, one(t, Limits{}), contents...) {
		for _, want := range []string{"VESSEL", "ARRIVAL", "MSC"} {
			if !slices.ContainsFunc(p.Words, func(w tracking.TextWord) bool { return w.Text == want }) {
				t.Errorf("text at %v degrees has no word %s", quarters[i], want)
			}
		}
	}
}

// longLines is a page that falls by half a degree. One line is long, and falls; the short ones
// lie straight.
func longLines() string {
	var b strings.Builder
	for row := range 20 {
		fmt.Fprintf(&b, "BT 3 Tr /F 10 Tf %d %d Td (A short line of words) Tj ET\n", 60+200*(row%2), 740-11*row)
	}
	b.WriteString("q 0.99996 -0.00873 0.00873 0.99996 60 200 cm BT 3 Tr /F 10 Tf (All that is said here falls by half a degree to its end) Tj ET Q\n")
	return b.String()
}

// Skew is undone: of text that is drawn askew, and of one that was recognised, whose words
// are drawn straight, and not seen, on lines that fall.
func TestSkew(t *testing.T) {
	var steps strings.Builder
	slope := math.Tan(1.5 * math.Pi / 180)
	for row := range 15 {
		for column, word := range []string{"Container", fmt.Sprintf("MSKU%07d", row), "2,450.00"} {
			x := 60 + 150*float64(column)
			fmt.Fprintf(&steps, "BT 3 Tr /F 10 Tf %f %f Td (%s) Tj ET\n", x, 730-30*float64(row)-slope*(x-60), word)
		}
	}
	pages := pagesOf(t, one(t, Limits{}), form(), turned(0.3, form()), turned(-2, form()), turned(91.5, form()), steps.String(), longLines())
	if got := pages[5].Skew; math.Abs(got-0.5) > 0.05 {
		t.Errorf("of long lines that fall: skew of %.3f degrees", got)
	}
	for i, want := range []float64{0, 0.3, -2, 1.5, 1.5} {
		p := pages[i]
		if math.Abs(p.Skew-want) > 0.05 {
			t.Errorf("page %d: skew of %.3f degrees, want %v", i+1, p.Skew, want)
		}
		for k := 0; k < len(p.Words); k += 3 {
			if a, b := p.Words[k].Box, p.Words[k+2].Box; math.Abs(a.Top-b.Top) > 0.5 || math.Abs(a.Bottom-b.Bottom) > 0.5 || math.Abs(a.Bottom-a.Top-9.3) > 0.1 {
				t.Errorf("page %d: one row is at %v and %v", i+1, a, b)
				break
			}
		}
	}
	sameBoxes(t, "turned by 0.3 degrees", pages[0], pages[1], 0, 0, 0.1)
}

// Lines and the cells between them are found however they are drawn: stroked, as rectangles,
// as thin filled rectangles; also askew. Of two columns of a row that is merged there is one
// cell. White lines are not seen.
func TestLinesAndCells(t *testing.T) {
	words := "BT /F 10 Tf 60 735 Td (Number) Tj 100 0 Td (Weight) Tj -100 -30 Td (MSKU1) Tj 100 0 Td (100) Tj -100 -30 Td (Total) Tj ET\n"
	stroked := "50 750 m 250 750 l 50 720 m 250 720 l 50 690 m 250 690 l 50 660 m 250 660 l 50 750 m 50 660 l 150 750 m 150 690 l 250 750 m 250 660 l S\n"
	boxes := "50 720 100 30 re 150 720 100 30 re 50 690 100 30 re 150 690 100 30 re 50 660 200 30 re S\n"
	filled := "50 749.5 200 1 re f 50 719.5 200 1 re f 50 689.5 200 1 re f 50 659.5 200 1 re f 49.5 660 1 90 re f 149.5 690 1 60 re f 249.5 660 1 90 re f\n"
	white := "1 g 50 400 200 300 re f 1 G 300 50 m 300 700 l S 0 g 0 G\n"
	pages := pagesOf(t, one(t, Limits{}), stroked+words, boxes+words, white+filled+words, turned(1, stroked+words), turned(90, stroked+words), words)
	for i, p := range pages[:5] {
		if len(p.Lines) != 7 || len(p.Cells) != 5 {
			t.Errorf("page %d: %d lines and %d cells: %v", i+1, len(p.Lines), len(p.Cells), p.Cells)
			continue
		}
		var got []string
		for _, w := range p.Words {
			c := tracking.TextCell{}
			if w.Cell > 0 {
				c = p.Cells[w.Cell-1]
			}
			got = append(got, fmt.Sprintf("%s %d/%d+%d", w.Text, c.Row, c.Column, c.Columns))
		}
		if want := "Number 1/1+1, Weight 1/2+1, MSKU1 2/1+1, 100 2/2+1, Total 3/1+2"; strings.Join(got, ", ") != want {
			t.Errorf("page %d: %s, want %s", i+1, strings.Join(got, ", "), want)
		}
	}
	if p := pages[5]; len(p.Lines) != 0 || len(p.Cells) != 0 || p.Words[0].Cell != 0 {
		t.Errorf("a page without lines: %v, %v", p.Lines, p.Cells)
	}
	b := pages[0].Cells[0].Box
	if b != (tracking.TextBox{Left: 50, Top: 50, Right: 150, Bottom: 80}) {
		t.Errorf("the first cell is at %v", b)
	}
}

// The invisible text under a scan is stretched so that a word and the blank behind it take the
// width of the printed word.
func TestWordsOfARecogniserHaveTheirWholeWidth(t *testing.T) {
	e := one(t, Limits{})
	for mode, right := range map[int]float64{0: 136, 3: 142} {
		p := pagesOf(t, e, fmt.Sprintf("BT %d Tr /F 10 Tf 100 700 Td (PORTER ) Tj 100 0 Td (OF) Tj ET", mode))
		if words := p[0].Words; len(words) != 2 || math.Abs(words[0].Box.Right-right) > 0.5 {
			t.Errorf("in mode %d of text the words are %v, the first up to %v", mode, words, right)
		}
	}
}

// Fonts of TeX without a table of letters have codes of ligatures that are elsewhere controls.
func TestLigaturesOfTeX(t *testing.T) {
	p := pagesOf(t, one(t, Limits{}), `BT /F 10 Tf 100 700 Td (Certi\034cate of o\036ce) Tj ET`)
	var all []string
	for _, w := range p[0].Words {
		all = append(all, w.Text)
	}
	if got := strings.Join(all, " "); got != "Certificate of office" {
		t.Errorf("the words are %q", got)
	}
}
