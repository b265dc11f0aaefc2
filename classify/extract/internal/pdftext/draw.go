package pdftext

import (
	"math"
	"strings"
	"unicode"

	"github.com/ledongthuc/pdf"

	"github.com/landfallhq/tracking"
)

// matrix is a transformation as PDF writes it: a b c d e f.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// after returns the transformation that does m first, then n.
func (m matrix) after(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// state is what the operators of a page change.
type state struct {
	ctm                                        matrix
	font                                       *font
	size, charSpace, wordSpace, lead, up, wide float64
}

// drawer follows the operators of pages, and collects the words that they draw.
type drawer struct {
	most, left int              // how many words may come, and may still come
	fonts      map[string]*font // by object, as pages share them

	text, textLeft int // how many bytes all words may have, and may still have
}

// canvas is one page at work.
type canvas struct {
	*drawer
	page      tracking.TextPage
	toReader  matrix // from the page's own space to that of TextPage
	s         state
	saved     []state
	line, pos matrix // of the current line's beginning, and of the next glyph
	word      pending
	forms     int // that were drawn
}

// scope is what names in a content stream stand for. Fonts are looked up by name
// once in a scope, and shared among scopes.
type scope struct {
	resources pdf.Value
	fonts     map[string]*font
}

func newScope(resources pdf.Value) *scope { return &scope{resources, map[string]*font{}} }

// maxForms is how many forms a page may draw: forms that draw forms are many soon.
const maxForms = 1000

// page draws one page.
func (d *drawer) page(p pdf.Page) tracking.TextPage {
	c := &canvas{drawer: d}
	c.lay(p)
	c.s = state{ctm: identity, wide: 1}
	c.draw(p.V.Key("Contents"), newScope(inherited(p, "Resources")), 0)
	c.flush()
	return c.page
}

// lay finds how large the page is, and which way up.
func (c *canvas) lay(p pdf.Page) {
	box := inherited(p, "CropBox")
	if box.Len() != 4 {
		box = inherited(p, "MediaBox")
	}
	x0, y0, x1, y1 := 0.0, 0.0, 612.0, 792.0
	if box.Len() == 4 {
		x0, y0, x1, y1 = box.Index(0).Float64(), box.Index(1).Float64(), box.Index(2).Float64(), box.Index(3).Float64()
	}
	x0, x1, y0, y1 = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
	w, h := x1-x0, y1-y0
	switch (inherited(p, "Rotate").Int64()%360 + 360) % 360 {
	case 90:
		c.toReader, w, h = matrix{0, 1, 1, 0, -y0, -x0}, h, w
	case 180:
		c.toReader = matrix{-1, 0, 0, 1, x1, -y0}
	case 270:
		c.toReader, w, h = matrix{0, -1, -1, 0, y1, x1}, h, w
	default:
		c.toReader = matrix{1, 0, 0, -1, -x0, y1}
	}
	c.page.Width, c.page.Height = w, h
}

// inherited looks a page's attribute up in its parents; a loop of them ends.
func inherited(p pdf.Page, key string) pdf.Value {
	v := p.V
	for range 50 {
		if v.IsNull() {
			break
		}
		if found := v.Key(key); !found.IsNull() {
			return found
		}
		v = v.Key("Parent")
	}
	return pdf.Value{}
}

// draw interprets a content stream. Forms draw forms, to a depth.
func (c *canvas) draw(content pdf.Value, names *scope, depth int) {
	if kind := content.Kind(); depth > 8 || kind != pdf.Stream && kind != pdf.Array {
		return
	}
	pdf.Interpret(content, func(stack *pdf.Stack, op string) {
		args := make([]pdf.Value, stack.Len())
		for i := len(args) - 1; i >= 0; i-- {
			args[i] = stack.Pop()
		}
		if op == "Do" && len(args) == 1 {
			c.form(names.resources.Key("XObject").Key(args[0].Name()), names, depth)
			return
		}
		c.do(op, args, names)
	})
}

// form draws a form: a piece of page with resources of its own.
func (c *canvas) form(v pdf.Value, names *scope, depth int) {
	if c.forms++; c.forms > maxForms || v.Key("Subtype").Name() != "Form" {
		return
	}
	if own := v.Key("Resources"); !own.IsNull() {
		names = newScope(own)
	}
	before, beforeSaved := c.s, c.saved
	if m, ok := matrixOf(v.Key("Matrix")); ok {
		c.s.ctm = m.after(c.s.ctm)
	}
	c.draw(v, names, depth+1)
	c.s, c.saved = before, beforeSaved
}

func matrixOf(v pdf.Value) (m matrix, ok bool) {
	if v.Len() != 6 {
		return m, false
	}
	for i := range m {
		m[i] = v.Index(i).Float64()
	}
	return m, true
}

// do carries out one operator. Those of wrong arguments do nothing, as in readers
// for people.
func (c *canvas) do(op string, args []pdf.Value, names *scope) {
	n := func(i int) float64 { return args[i].Float64() }
	switch {
	case op == "q" && len(c.saved) < 1000:
		c.saved = append(c.saved, c.s)
	case op == "Q" && len(c.saved) > 0:
		c.s, c.saved = c.saved[len(c.saved)-1], c.saved[:len(c.saved)-1]
	case op == "cm" && len(args) == 6:
		c.s.ctm = matrix{n(0), n(1), n(2), n(3), n(4), n(5)}.after(c.s.ctm)
	case op == "BT":
		c.line, c.pos = identity, identity
	case op == "Tm" && len(args) == 6:
		c.line = matrix{n(0), n(1), n(2), n(3), n(4), n(5)}
		c.pos = c.line
	case op == "Td" && len(args) == 2:
		c.next(n(0), n(1))
	case op == "TD" && len(args) == 2:
		c.s.lead = -n(1)
		c.next(n(0), n(1))
	case op == "T*":
		c.next(0, -c.s.lead)
	case op == "Tf" && len(args) == 2:
		c.s.font, c.s.size = c.fontOf(names, args[0].Name()), n(1)
	case op == "Tc" && len(args) == 1:
		c.s.charSpace = n(0)
	case op == "Tw" && len(args) == 1:
		c.s.wordSpace = n(0)
	case op == "TL" && len(args) == 1:
		c.s.lead = n(0)
	case op == "Ts" && len(args) == 1:
		c.s.up = n(0)
	case op == "Tz" && len(args) == 1:
		c.s.wide = n(0) / 100
	case op == "Tj" && len(args) == 1:
		c.show(args[0].RawString())
	case op == "'" && len(args) == 1:
		c.next(0, -c.s.lead)
		c.show(args[0].RawString())
	case op == "\"" && len(args) == 3:
		c.s.wordSpace, c.s.charSpace = n(0), n(1)
		c.next(0, -c.s.lead)
		c.show(args[2].RawString())
	case op == "TJ" && len(args) == 1:
		for i := range args[0].Len() {
			if v := args[0].Index(i); v.Kind() == pdf.String {
				c.show(v.RawString())
			} else {
				c.forward(-v.Float64() / 1000 * c.s.size * c.s.wide)
			}
		}
	}
}

func (c *canvas) fontOf(names *scope, name string) *font {
	if f, known := names.fonts[name]; known {
		return f
	}
	var f *font
	if v := names.resources.Key("Font").Key(name); v.Kind() == pdf.Dict {
		// The dictionary as text tells fonts apart: the parser hides their numbers.
		key := v.String()
		if f = c.fonts[key]; f == nil {
			f = newFont(v)
			c.fonts[key] = f
		}
	}
	names.fonts[name] = f
	return f
}

func (c *canvas) next(x, y float64) {
	c.line = matrix{1, 0, 0, 1, x, y}.after(c.line)
	c.pos = c.line
}

func (c *canvas) forward(x float64) { c.pos = matrix{1, 0, 0, 1, x, 0}.after(c.pos) }

// show draws a string.
func (c *canvas) show(s string) {
	if c.s.font == nil {
		return
	}
	c.s.font.glyphs(s, func(g glyph) {
		at := matrix{c.s.size * c.s.wide, 0, 0, c.s.size, 0, c.s.up}.after(c.pos).after(c.s.ctm).after(c.toReader)
		c.put(g.text, at, g.width/1000)
		step := g.width/1000*c.s.size + c.s.charSpace
		if g.space {
			step += c.s.wordSpace
		}
		c.forward(step * c.s.wide)
	})
}

// pending is the word that glyphs are being added to.
type pending struct {
	text       strings.Builder
	box        tracking.TextBox
	endX, endY float64 // where the next glyph would touch
	size       float64
	dirX, dirY float64 // the direction of writing
	open       bool
}

// put adds a glyph to the pending word, or begins the next one with it. at maps
// the glyph's unit square, from its baseline, to the page.
func (c *canvas) put(text string, at matrix, width float64) {
	if strings.TrimFunc(text, blank) == "" {
		c.flush()
		return
	}
	size := math.Hypot(at[2], at[3])
	x, y := at[4], at[5]
	if w := &c.word; w.open {
		along := (x-w.endX)*w.dirX + (y-w.endY)*w.dirY
		across := math.Abs((x-w.endX)*w.dirY - (y-w.endY)*w.dirX)
		if across > 0.3*w.size || along > 0.15*w.size || along < -0.5*w.size || math.Abs(size-w.size) > 0.5*w.size {
			c.flush()
		}
	}
	// Ascenders and descenders of most fonts are about so high.
	x0, y0 := at.apply(0, -0.21)
	x1, y1 := at.apply(width, 0.72)
	box := tracking.TextBox{Left: min(x0, x1), Top: min(y0, y1), Right: max(x0, x1), Bottom: max(y0, y1)}
	w := &c.word
	if !w.open {
		w.open, w.box = true, box
		length := max(math.Hypot(at[0], at[1]), 1e-9)
		w.dirX, w.dirY = at[0]/length, at[1]/length
	} else {
		w.box = tracking.TextBox{Left: min(w.box.Left, box.Left), Top: min(w.box.Top, box.Top), Right: max(w.box.Right, box.Right), Bottom: max(w.box.Bottom, box.Bottom)}
	}
	w.size = size
	w.endX, w.endY = at.apply(width, 0)
	w.text.WriteString(text)
}

func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == 0 }

// flush ends the pending word. Words outside the page are not seen by people
// either, and are left out.
func (c *canvas) flush() {
	w := &c.word
	if !w.open {
		return
	}
	text, box := strings.TrimFunc(strings.ToValidUTF8(w.text.String(), ""), blank), w.box
	c.word = pending{}
	if text == "" || box.Right < 0 || box.Bottom < 0 || box.Left > c.page.Width || box.Top > c.page.Height || math.IsNaN(box.Left+box.Top+box.Right+box.Bottom) {
		return
	}
	if c.left--; c.left < 0 {
		panic(TooManyWords(c.most))
	}
	if c.textLeft -= len(text); c.textLeft < 0 {
		panic(TooMuchText(c.text))
	}
	c.page.Words = append(c.page.Words, tracking.TextWord{Text: text, Box: box})
}
