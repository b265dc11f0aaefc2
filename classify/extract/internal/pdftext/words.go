package pdftext

import (
	"math"
	"strings"
	"unicode"

	"github.com/tetratelabs/wazero/api"

	"github.com/landfallhq/tracking"
)

// matrix is a transformation as PDF writes it: a b c d e f.
type matrix [6]float64

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

// words collects the words of pages.
type words struct {
	*library
	most           Limits
	left, textLeft int // words and bytes that may still come

	page     tracking.TextPage
	toReader matrix // from the page's own space to that of TextPage
	word     pending
}

// ofPage reads a page, in the order of the file.
func (w *words) ofPage(page uint64) tracking.TextPage {
	w.lay(page)
	text := w.call("FPDFText_LoadPage", page)
	if text == 0 {
		return w.page
	}
	last := glyph{index: -1}
	for i := range int(int32(w.call("FPDFText_CountChars", text))) {
		letter := rune(w.call("FPDFText_GetUnicode", text, uint64(i)))
		if letter == hyphen && w.call("FPDFText_IsHyphen", text, uint64(i)) == 1 {
			letter = '-'
		}
		if blank(letter) {
			if w.call("FPDFText_IsGenerated", text, uint64(i)) != 1 {
				w.flush()
			}
			continue
		}
		g := w.glyph(text, i)
		if w.word.open && last.index == i-1 && g.x == last.x && g.y == last.y && w.object(text, i) == w.object(text, i-1) {
			w.word.text.WriteRune(letter) // the next letter of a ligature
		} else {
			w.put(letter, g)
		}
		last = g
	}
	w.flush()
	w.call("FPDFText_ClosePage", text)
	return w.page
}

// hyphen stands for a hyphen at the end of a line.
const hyphen = 2

// object is the operator that draws a letter.
func (w *words) object(text uint64, i int) uint64 {
	return w.call("FPDFText_GetTextObject", text, uint64(i))
}

// lay finds how large the page is, and which way up.
func (w *words) lay(page uint64) {
	x0, y0, x1, y1 := 0.0, 0.0, 612.0, 792.0
	if w.call("FPDF_GetPageBoundingBox", page, uint64(w.scratch)) == 1 {
		x0, y1, x1, y0 = w.float32(0), w.float32(1), w.float32(2), w.float32(3) // left, top, right, bottom
	}
	width, height := x1-x0, y1-y0
	switch w.call("FPDFPage_GetRotation", page) {
	case 1:
		w.toReader, width, height = matrix{0, 1, 1, 0, -y0, -x0}, height, width
	case 2:
		w.toReader = matrix{-1, 0, 0, 1, x1, -y0}
	case 3:
		w.toReader, width, height = matrix{0, -1, -1, 0, y1, x1}, height, width
	default:
		w.toReader = matrix{1, 0, 0, -1, -x0, y1}
	}
	w.page = tracking.TextPage{Width: width, Height: height}
}

// glyph is where a letter is drawn.
type glyph struct {
	index int
	x, y  float64 // where it begins on its baseline, in the page's own space
	at    matrix  // from the square of the font's size to the page
	width float64 // in the font's size
}

func (w *words) glyph(text uint64, i int) glyph {
	size := api.DecodeF64(w.call("FPDFText_GetFontSize", text, uint64(i)))
	m := matrix{1, 0, 0, 1}
	if w.call("FPDFText_GetMatrix", text, uint64(i), uint64(w.scratch)) == 1 {
		for k := range 4 {
			m[k] = w.float32(k)
		}
	}
	for k := range 4 {
		m[k] *= size
	}
	g := glyph{index: i}
	if w.call("FPDFText_GetCharOrigin", text, uint64(i), uint64(w.scratch), uint64(w.scratch)+8) == 1 {
		g.x, g.y = w.float64(0), w.float64(1)
	}
	m[4], m[5] = g.x, g.y
	g.at = m.after(w.toReader)
	if w.call("FPDFText_GetLooseCharBox", text, uint64(i), uint64(w.scratch)) == 1 {
		g.width = along(m, w.float32(2)-w.float32(0), w.float32(1)-w.float32(3))
	}
	return g
}

// along returns the width of a letter, in the font's size, from its box. The box of a letter
// that stands obliquely says little of it.
func along(m matrix, wide, high float64) float64 {
	const most = 0.1
	switch length := math.Hypot(m[0], m[1]); {
	case length == 0:
		return 0
	case math.Abs(m[1]) < most*length:
		return math.Abs(wide) / length
	case math.Abs(m[0]) < most*length:
		return math.Abs(high) / length
	}
	return 0.5
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

// put adds a letter to the pending word, or begins the next one with it.
func (w *words) put(letter rune, g glyph) {
	size := math.Hypot(g.at[2], g.at[3])
	x, y := g.at[4], g.at[5]
	p := &w.word
	if p.open {
		along := (x-p.endX)*p.dirX + (y-p.endY)*p.dirY
		across := math.Abs((x-p.endX)*p.dirY - (y-p.endY)*p.dirX)
		if across > 0.3*p.size || along > 0.15*p.size || along < -0.5*p.size || math.Abs(size-p.size) > 0.5*p.size {
			w.flush()
		}
	}
	// Ascenders and descenders of most fonts are about so high.
	x0, y0 := g.at.apply(0, -0.21)
	x1, y1 := g.at.apply(g.width, 0.72)
	box := tracking.TextBox{Left: min(x0, x1), Top: min(y0, y1), Right: max(x0, x1), Bottom: max(y0, y1)}
	if !p.open {
		p.open, p.box = true, box
		length := max(math.Hypot(g.at[0], g.at[1]), 1e-9)
		p.dirX, p.dirY = g.at[0]/length, g.at[1]/length
	} else {
		p.box = tracking.TextBox{Left: min(p.box.Left, box.Left), Top: min(p.box.Top, box.Top), Right: max(p.box.Right, box.Right), Bottom: max(p.box.Bottom, box.Bottom)}
	}
	p.size = size
	p.endX, p.endY = g.at.apply(g.width, 0)
	p.text.WriteRune(letter)
}

func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// flush ends the pending word. Words outside the page are not seen by people either, and are
// left out.
func (w *words) flush() {
	p := &w.word
	if !p.open {
		return
	}
	text, box := strings.ToValidUTF8(p.text.String(), ""), p.box
	w.word = pending{}
	if text == "" || box.Right < 0 || box.Bottom < 0 || box.Left > w.page.Width || box.Top > w.page.Height || math.IsNaN(box.Left+box.Top+box.Right+box.Bottom) {
		return
	}
	if w.left--; w.left < 0 {
		panic(TooManyWords(w.most.Words))
	}
	if w.textLeft -= len(text); w.textLeft < 0 {
		panic(TooMuchText(w.most.Text))
	}
	w.page.Words = append(w.page.Words, tracking.TextWord{Text: text, Box: box})
}

// float32 and float64 are the results of a call that writes them to the scratch memory.
func (l *library) float32(i int) float64 {
	v, _ := l.module.Memory().ReadFloat32Le(l.scratch + 4*uint32(i))
	return float64(v)
}

func (l *library) float64(i int) float64 {
	v, _ := l.module.Memory().ReadFloat64Le(l.scratch + 8*uint32(i))
	return v
}
