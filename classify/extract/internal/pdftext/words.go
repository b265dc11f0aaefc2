package pdftext

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tetratelabs/wazero/api"
	"golang.org/x/text/unicode/norm"

	"github.com/landfallhq/tracking/classify/extract/internal/geometry"
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

// words collects the words of a page.
type words struct {
	*library
	width, height float64
	toReader      matrix // from the page's own space to points from its top left corner
	parts         []part
	found         []geometry.Word
	word          pending
	// letters of the page, and those of them that are no characters.
	letters, unknown int
	under            int  // words that lie under a scan
	narrowly         bool // the last word of more than two letters was narrow
}

// wordsOf reads a page, in the order of the file.
func (l *library) wordsOf(page uint64) *words {
	w := &words{library: l}
	w.lay(page)
	text := w.call("FPDFText_LoadPage", page)
	if text == 0 {
		return w
	}
	last := glyph{index: -1}
	for i := range int(int32(w.call("FPDFText_CountChars", text))) {
		letter := rune(w.call("FPDFText_GetUnicode", text, uint64(i)))
		if letter == hyphen && w.call("FPDFText_IsHyphen", text, uint64(i)) == 1 {
			letter = '-'
		}
		letter = unified(letter)
		if of, ok := ligatures[letter]; ok && w.call("FPDFText_IsGenerated", text, uint64(i)) != 1 {
			if g := w.glyph(text, i); g.width > 0.3 {
				w.put(of, g)
				w.letters++
				last = glyph{index: -1}
				continue
			}
		}
		if blank(letter) {
			generated := w.call("FPDFText_IsGenerated", text, uint64(i)) == 1
			if w.word.slack > 0 || !generated {
				w.blank(text, i)
				w.flush()
			} else if w.word.open && w.narrow() {
				w.word.whole = true
				w.flush()
			}
			if letter < ' ' && letter != '\t' && letter != '\r' && letter != '\n' {
				w.letters, w.unknown = w.letters+1, w.unknown+1
			}
			continue
		}
		w.letters++
		if unicode.In(letter, unicode.Co) || letter == unicode.ReplacementChar {
			w.unknown++
		}
		g := w.glyph(text, i)
		if w.word.open && last.index == i-1 && g.x == last.x && g.y == last.y && w.object(text, i) == w.object(text, i-1) {
			w.word.join(letter, g)
		} else {
			w.put(string(letter), g)
		}
		last = g
	}
	w.flush()
	w.found = touching(w.parts)
	w.call("FPDFText_ClosePage", text)
	return w
}

// ligatures are the codes of fonts of TeX that do not say which letters they have.
var ligatures = map[rune]string{11: "ff", 12: "fi", 14: "ffi", 15: "ffl", 27: "ff", 28: "fi", 29: "fl", 30: "ffi", 31: "ffl"}

// radicals are those of the CJK Radicals Supplement that have no decomposition, each with the letter that
// it is printed for.
var radicals = func() map[rune]rune {
	all, pairs := map[rune]rune{}, []rune("⻄西⻅见⻆角⻉贝⻋车⻓长⻔门⻘青⻙韦⻚页⻛风⻜飞⻝食⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻬齐⻮齿⻰龙⻳龟")
	for i := 0; i < len(pairs); i += 2 {
		all[pairs[i]] = pairs[i+1]
	}
	return all
}()

// unified is the letter for a Chinese radical: fonts that draw both alike name the radical.
func unified(letter rune) rune {
	if !unicode.Is(unicode.Radical, letter) {
		return letter
	}
	if plain, ok := radicals[letter]; ok {
		return plain
	}
	plain, _ := utf8.DecodeRuneInString(norm.NFKC.String(string(letter)))
	return plain
}

// unswapped is a word in Latin letters without those whose two bytes a font has exchanged, as some
// programs write the letters of ligatures: 琀 (7400) for t (0074).
func unswapped(word string) string {
	swapped := func(r rune) bool { return r&0xff == 0 && r>>8 < unicode.MaxASCII && unicode.IsLetter(r>>8) }
	if !strings.ContainsFunc(word, swapped) || strings.ContainsFunc(word, func(r rune) bool { return !swapped(r) && r > unicode.MaxLatin1 }) {
		return word
	}
	if ends := strings.TrimFunc(word, swapped); ends == "" || len(ends) < len(word) {
		return word // it may be Chinese, or Latin letters with a word of it
	}
	return strings.Map(func(r rune) rune {
		if swapped(r) {
			return r >> 8
		}
		return r
	}, word)
}

// hyphen stands for a hyphen at the end of a line.
const hyphen = 2

// object is the operator that draws a letter.
func (w *words) object(text uint64, i int) uint64 {
	return w.call("FPDFText_GetTextObject", text, uint64(i))
}

// invisible reports whether a letter is of the text that lies under a scan.
func (w *words) invisible(text uint64, i int) bool {
	const render = 3
	object := w.object(text, i)
	return object != 0 && object == w.object(text, i-1) && w.call("FPDFTextObj_GetTextRenderMode", object) == render
}

// blank ends the pending word where a blank is printed behind it. Under a scan the blank is added
// to the word: recognisers give the width of a printed word to its letters and one blank.
func (w *words) blank(text uint64, i int) {
	p := &w.word
	if !p.open {
		return
	}
	g, invisible := w.glyph(text, i), w.invisible(text, i)
	if invisible {
		w.under++
	}
	if math.Abs(g.at[4]-p.endX)+math.Abs(g.at[5]-p.endY) < 0.1*p.size+p.slack && w.call("FPDFText_IsGenerated", text, uint64(i)) != 1 {
		p.whole = true
		if invisible {
			p.include(g.at.apply(g.width, 0))
		}
	}
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
	w.width, w.height = width, height
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
	word       geometry.Word
	endX, endY float64 // where the next glyph would touch
	size       float64
	open       bool
	whole      bool // a blank is printed behind it
	letters    int  // how many it has, and how many of them begin before the end of the one before
	over       int
	slack      float64 // how much further it may touch
}

// narrow reports whether the letters of the pending word are narrower than their font says, as small
// ones of fonts of Type 3 are: no space is seen behind it. Short words are as those before. On turned
// pages PDFium has letters in another order, and blanks between those that are drawn apart.
func (w *words) narrow() bool {
	const short, upright = 2, 0.9
	p := w.word
	if p.word.DirX < upright {
		return false
	}
	if p.letters > short {
		w.narrowly = 2*p.over > p.letters
	}
	return w.narrowly
}

// join adds the next letter of a ligature. PDFium gives each the same place, and the width of
// the whole or its part: the next glyph may touch further on.
func (p *pending) join(letter rune, g glyph) {
	p.text.WriteRune(letter)
	p.slack += g.width * math.Hypot(g.at[0], g.at[1])
}

// put adds a letter, or those of a ligature, to the pending word, or begins the next one with it.
func (w *words) put(letters string, g glyph) {
	size := math.Hypot(g.at[2], g.at[3])
	x, y := g.at[4], g.at[5]
	p := &w.word
	if p.open {
		along := (x-p.endX)*p.word.DirX + (y-p.endY)*p.word.DirY
		across := math.Abs((x-p.endX)*p.word.DirY - (y-p.endY)*p.word.DirX)
		if across > 0.3*p.size || along > 0.15*p.size+p.slack || along < -0.5*p.size || math.Abs(size-p.size) > 0.5*p.size {
			w.flush()
		} else if along < -0.1*p.size {
			p.over++
		}
	}
	p.letters++
	if !p.open {
		length := max(math.Hypot(g.at[0], g.at[1]), 1e-9)
		p.open, p.word = true, geometry.Word{X: x, Y: y, DirX: g.at[0] / length, DirY: g.at[1] / length, Ahead: math.Inf(-1), Behind: math.Inf(1), Up: math.Inf(-1), Down: math.Inf(-1)}
		if g.at[0] == 0 && g.at[1] == 0 {
			p.word.DirX = 1
		}
	}
	// Ascenders and descenders of most fonts are about so high.
	p.include(g.at.apply(0, -0.21))
	p.include(g.at.apply(g.width, 0.72))
	p.size = size
	p.endX, p.endY = g.at.apply(g.width, 0)
	p.slack = 0
	p.text.WriteString(letters)
}

// include extends the word to a point.
func (p *pending) include(x, y float64) {
	v := &p.word
	along := (x-v.X)*v.DirX + (y-v.Y)*v.DirY
	across := (y-v.Y)*v.DirX - (x-v.X)*v.DirY
	v.Behind, v.Ahead = min(v.Behind, along), max(v.Ahead, along)
	v.Up, v.Down = max(v.Up, -across), max(v.Down, across)
}

func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// flush ends the pending word. Words outside the page are not seen by people either, and are
// left out.
func (w *words) flush() {
	p := &w.word
	if !p.open {
		return
	}
	v := p.word
	v.Text = unswapped(strings.ToValidUTF8(p.text.String(), ""))
	whole, slack := p.whole, p.slack
	w.word = pending{}
	x, y := v.X+v.DirX*v.Ahead, v.Y+v.DirY*v.Ahead
	sum := v.X + v.Y + v.Ahead + v.Behind + v.Up + v.Down
	if v.Text == "" || math.IsNaN(sum) || math.IsInf(sum, 0) || outside(v.X, x, w.width) || outside(v.Y, y, w.height) {
		return
	}
	w.use(v.Text)
	w.parts = append(w.parts, part{v, whole, slack})
}

// outside reports whether both ends of a word are beyond one side of the page.
func outside(a, b, size float64) bool { return max(a, b) < 0 || min(a, b) > size }

// float32, uint32 and float64 are the results of a call that writes them to the scratch memory.
func (l *library) float32(i int) float64 {
	v, _ := l.module.Memory().ReadFloat32Le(l.scratch + 4*uint32(i))
	return float64(v)
}

func (l *library) uint32(i int) uint32 {
	v, _ := l.module.Memory().ReadUint32Le(l.scratch + 4*uint32(i))
	return v
}

func (l *library) float64(i int) float64 {
	v, _ := l.module.Memory().ReadFloat64Le(l.scratch + 8*uint32(i))
	return v
}
