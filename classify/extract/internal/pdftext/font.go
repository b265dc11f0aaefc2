package pdftext

import (
	"strings"

	"github.com/ledongthuc/pdf"
)

// font tells what the codes of a string are drawn as, and how wide.
type font struct {
	enc    pdf.TextEncoding
	codes  *charMap // nil: enc decodes
	wide   bool     // codes are two bytes long, as in fonts with many glyphs
	widths map[int]float64
	usual  float64 // the width of codes that widths lacks
	texts  map[int]string
}

func newFont(v pdf.Value) *font {
	f := pdf.Font{V: v}
	n := &font{enc: f.Encoder(), usual: 500, widths: map[int]float64{}, texts: map[int]string{}}
	if v.Key("Subtype").Name() == "Type0" {
		n.wide = true
		n.codes = newCharMap(v)
		n.compositeWidths(v.Key("DescendantFonts").Index(0))
		return n
	}
	first, given := int(v.Key("FirstChar").Int64()), v.Key("Widths")
	for i := range min(given.Len(), 256) {
		n.widths[first+i] = given.Index(i).Float64()
	}
	if v.Key("Subtype").Name() == "Type3" {
		// Widths of these are in the font's own unit, mostly thousandths too.
		if scale := v.Key("FontMatrix").Index(0).Float64(); scale > 0 {
			for code := range n.widths {
				n.widths[code] *= scale * 1000
			}
		}
	}
	if missing := v.Key("FontDescriptor").Key("MissingWidth").Float64(); missing > 0 {
		n.usual = missing
	}
	if given.Len() == 0 {
		n.standardWidths(f.BaseFont())
	}
	return n
}

// standardWidths are those of the fonts that every reader has.
func (f *font) standardWidths(name string) {
	name = strings.ToLower(name)
	bold := strings.Contains(name, "bold")
	var table *[95]uint16
	switch {
	case strings.Contains(name, "courier"):
		f.usual = 600
		return
	case strings.Contains(name, "times") && bold:
		table = &timesBold
	case strings.Contains(name, "times"):
		table = &times
	case bold:
		table = &helveticaBold
	default:
		table = &helvetica
	}
	for i, w := range table {
		f.widths[' '+i] = float64(w)
	}
	f.usual = 556
}

// compositeWidths reads the two forms of a CID font's table: c [w w w], and
// first last w.
func (f *font) compositeWidths(v pdf.Value) {
	f.usual = 1000
	if dw := v.Key("DW"); dw.Kind() == pdf.Integer || dw.Kind() == pdf.Real {
		f.usual = dw.Float64()
	}
	table := v.Key("W")
	for i := 0; i+1 < table.Len(); {
		first, second := int(table.Index(i).Int64()), table.Index(i+1)
		if second.Kind() == pdf.Array {
			for j := range min(second.Len(), 1<<16) {
				f.widths[first+j] = second.Index(j).Float64()
			}
			i += 2
			continue
		}
		last, width := int(second.Int64()), table.Index(i+2).Float64()
		for code := first; code <= min(last, 1<<16); code++ {
			f.widths[code] = width
		}
		i += 3
	}
}

// glyph is one code of a string as it is drawn.
type glyph struct {
	text  string
	width float64 // in thousandths of the size
	space bool    // the one-byte code 32, which word spacing widens
}

func (f *font) decode(code int, raw string) string {
	if f.codes != nil {
		return f.codes.text(code)
	}
	return f.enc.Decode(raw)
}

// glyphs takes a string apart.
func (f *font) glyphs(s string, each func(glyph)) {
	step := 1
	if f.wide {
		step = 2
	}
	for i := 0; i+step <= len(s); i += step {
		code := int(s[i])
		if f.wide {
			code = code<<8 | int(s[i+1])
		}
		text, known := f.texts[code]
		if !known {
			text = f.decode(code, s[i:i+step])
			f.texts[code] = text
		}
		width, known := f.widths[code]
		if !known {
			width = f.usual
		}
		each(glyph{text, width, !f.wide && code == ' '})
	}
}

// Widths of the characters from space to tilde in the fonts that a PDF need not
// bring along, in thousandths of the size. Facts from Adobe's Core 14 AFM files,
// which may be used for any purpose.
var (
	helvetica = [95]uint16{
		278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
		556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
		611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
		667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
		222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
	}
	helveticaBold = [95]uint16{
		278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
		556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667,
		611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
		667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
		278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
	}
	times = [95]uint16{
		250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500,
		500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611,
		556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722,
		722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500,
		278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
	}
	timesBold = [95]uint16{
		250, 333, 555, 500, 500, 1000, 833, 278, 333, 333, 500, 570, 250, 333, 250, 278, 500, 500, 500,
		500, 500, 500, 500, 500, 500, 500, 333, 333, 570, 570, 570, 500, 930, 722, 667, 722, 722, 667,
		611, 778, 778, 389, 500, 778, 667, 944, 722, 778, 611, 778, 722, 556, 667, 722, 722, 1000, 722,
		722, 667, 333, 278, 333, 581, 500, 333, 500, 556, 444, 556, 444, 333, 500, 556, 278, 333, 556,
		278, 833, 556, 500, 556, 556, 444, 389, 333, 556, 500, 722, 500, 500, 444, 394, 220, 394, 520,
	}
)
