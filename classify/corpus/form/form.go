// Package form draws the documents of the corpus and records the truth about them: the method
// that prints a field also records its normal form, so the two cannot differ.
package form

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/landfallhq/tracking/classify/corpus/trade"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// Form is a paper that is being printed. Lengths are in mm from the upper left
// corner of the page, sizes of type in points; a y is that of the line's upper edge.
type Form struct {
	Fields                // what is printed is true
	S      trade.Shipment // what it is about
	R      *rand.Rand     // for what may vary
	Y      float64        // where layouts that flow go on

	// Font prints captions and running text, ValueFont what is filled in.
	Font, ValueFont string

	pdf   *fpdf.Fpdf
	latin func(string) string // to the encoding of the core fonts
	texts []text              // of the page, until it is finished
	order func(a, b text) int // in which they stand in the file
	fault error               // the first text that is not legible

	embedded map[string]bool // fonts that are, with their styles
	drawn    hash.Hash       // of all texts and where they are
}

// text is one piece of a page. Layer is 0 for what is preprinted, 1 for the rest.
type text struct {
	x, y, size       float64
	font, style, say string
	layer            int
}

// Fonts that a form may use: three that every reader has, two that are embedded
// as subsets, so that their text is readable through a ToUnicode map alone.
const (
	Sans  = "Helvetica"
	Serif = "Times"
	Typed = "Courier"
	Go    = "Go"
	Mono  = "GoMono"
)

func newForm(r *rand.Rand, s trade.Shipment) *Form {
	pdf := fpdf.New("P", "mm", "A4", "")
	pdf.SetCatalogSort(true)
	pdf.SetCreationDate(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	pdf.SetModificationDate(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	pdf.SetCompression(r.IntN(5) > 0)
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetLineWidth(0.2)
	f := &Form{S: s, R: r, pdf: pdf, embedded: map[string]bool{}, drawn: sha256.New(), latin: pdf.UnicodeTranslatorFromDescriptor("")}
	f.Fields = Fields{Style: newStyle(r, s), set: truth.Fields{}}
	f.Font, f.ValueFont = fonts(r)
	f.order = Pick(f, inTurn, captionsFirst, valuesFirst)
	return f
}

func fonts(r *rand.Rand) (captions, values string) {
	captions = []string{Sans, Sans, Serif, Go}[r.IntN(4)]
	values = []string{captions, captions, Typed, Mono}[r.IntN(4)]
	return captions, values
}

// Pick returns one of the choices.
func Pick[T any](f *Form, choices ...T) T { return choices[f.R.IntN(len(choices))] }

// In what order a page's texts stand in the file: programs write a form and then
// fill it in, or fill it in and then lay the form over it, or do both at once.
func inTurn(a, b text) int        { return 0 }
func captionsFirst(a, b text) int { return cmp.Compare(a.layer, b.layer) }
func valuesFirst(a, b text) int   { return cmp.Compare(b.layer, a.layer) }

// Page begins a page in A4, Letter or, as "L", A4 across.
func (f *Form) Page(size string) {
	f.flush()
	switch size {
	case "Letter":
		f.pdf.AddPageFormat("P", fpdf.SizeType{Wd: 215.9, Ht: 279.4})
	case "L":
		f.pdf.AddPageFormat("L", fpdf.SizeType{Wd: 210, Ht: 297})
	default:
		f.pdf.AddPageFormat("P", fpdf.SizeType{Wd: 210, Ht: 297})
	}
	f.Y = 12
}

func (f *Form) bytes() ([]byte, error) {
	f.flush()
	var b bytes.Buffer
	err := f.pdf.Output(&b)
	return b.Bytes(), cmp.Or(f.fault, err)
}

// flush writes the texts of the page that ends.
func (f *Form) flush() {
	f.proof()
	slices.SortStableFunc(f.texts, f.order)
	for _, t := range f.texts {
		fmt.Fprintf(f.drawn, "%d %.1f %.1f %.2f %s %s %q\n", f.pdf.PageNo(), t.x, t.y, t.size, t.font, t.style, t.say)
		f.use(t.font, t.style, t.size)
		f.pdf.Text(t.x, t.y+t.size*0.3, f.encoded(t.font, t.say))
	}
	f.texts = f.texts[:0]
}

func (f *Form) use(font, style string, size float64) {
	if file, ok := files[font][style]; ok && !f.embedded[font+style] {
		f.embedded[font+style] = true
		f.pdf.AddUTF8FontFromBytes(font, style, slices.Clone(file)) // a copy: composite glyphs are renumbered in place
	}
	f.pdf.SetFont(font, style, size)
}

var files = map[string]map[string][]byte{
	Go:   {"": goregular.TTF, "B": gobold.TTF, "I": goitalic.TTF},
	Mono: {"": gomono.TTF, "B": gomonobold.TTF, "I": gomono.TTF},
}

func (f *Form) encoded(font, s string) string {
	if font == Go || font == Mono {
		return s
	}
	return f.latin(s)
}

func (f *Form) width(font, style string, size float64, s string) float64 {
	f.use(font, style, size)
	return f.pdf.GetStringWidth(f.encoded(font, s))
}

// wrap cuts a line into lines of at most the width. A word that is too long by
// itself is left whole.
func (f *Form) wrap(font, style string, size, width float64, s string) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && f.width(font, style, size, longer) > width {
			lines, longer = append(lines, line), word
		}
		line = longer
	}
	return append(lines, line)
}

// proof notes as the form's fault what nobody could read: texts one over the other,
// or beyond the edge of the paper.
func (f *Form) proof() {
	if len(f.texts) == 0 || f.fault != nil {
		return
	}
	w, h := f.pdf.GetPageSize()
	rights := make([]float64, len(f.texts))
	for i, a := range f.texts {
		rights[i] = a.x + f.width(a.font, a.style, a.size, a.say)
		if a.x < 3 || a.y < 3 || rights[i] > w-3 || a.foot() > h-3 {
			f.fault = fmt.Errorf("%q is off the page", a.say)
		}
		for k, b := range f.texts[:i] {
			if a.x < rights[k] && b.x < rights[i] && a.y < b.foot() && b.y < a.foot() {
				f.fault = fmt.Errorf("%q lies over %q", a.say, b.say)
			}
		}
	}
}

// foot is where a text's capitals end, in mm.
func (t text) foot() float64 { return t.y + t.size*0.26 }
