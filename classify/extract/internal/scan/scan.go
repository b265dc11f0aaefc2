package scan

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/geometry"
)

// PerInch is the resolution of pictures in dots, if the page is of a usual size.
const PerInch = 300

// Former returns the words of another recognition of a page, where they stand on it.
type Former func(on tracking.TextPage) ([]tracking.TextWord, error)

// Page reads a picture of a page, of which a dot is so many points. The picture is changed.
// Text in any of the four directions, and up to 6 degrees askew, is read. It is completed by a former
// recognition, or without one by a second of the whole page, which sees some words that are no pieces
// of text by their outlines.
func (e *Engine) Page(ctx context.Context, g *Gray, points float64, former Former) (tracking.TextPage, error) {
	g.whiten()
	skew := pointsOf(g.smaller(4)).skew()
	if skew > -leastSkew && skew < leastSkew {
		skew = 0
	} else {
		g = g.straighten(skew)
	}
	g.reverse()
	s := &sheet{engine: e, gray: g, lines: g.ruled()}
	words, err := s.words(ctx)
	if err != nil {
		return tracking.TextPage{}, err
	}
	page := s.page(words, skew, points)
	again := former
	if again == nil {
		again = e.asAWhole(ctx, s.gray, points)
	}
	if found, err := again(page); err == nil { // else the page is what the first one read
		complete(&page, found)
		geometry.Enclose(&page)
	}
	return page, nil
}

const (
	leastSkew  = 0.05 // that is undone, in degrees
	mostPieces = 3000 // of a page
)

// sheet is a picture with straight lines of text.
type sheet struct {
	engine *Engine
	gray   *Gray
	lines  []geometry.Segment // of the picture before it was turned
	turned int                // quarters clockwise
	pieces []piece
}

// sureEnough is the mean confidence of text that is upright. Of text in a wrong direction it
// is below 50.
const sureEnough = 75

// words recognises the words of a sheet, and turns it upright. Whether lines of text are
// across or down is seen; which of the two directions that leaves is right, by what is
// recognised.
func (s *sheet) words(ctx context.Context) ([]word, error) {
	asItIs := s.gray
	first := 0
	if p := pointsOf(asItIs.smaller(4)); p.down(0) > 1.1*p.across(0) {
		first = 1
	}
	turn := func(quarters int) {
		s.gray, s.turned = asItIs.Turned(quarters), quarters
		s.pieces = pieces(s.gray.ink(pale).blobs())
		s.pieces = s.pieces[:min(len(s.pieces), mostPieces)]
	}
	turn(first)
	if first == 0 {
		words, err := s.recognize(ctx, s.pieces)
		if err != nil || len(s.pieces) == 0 || certainty(words) >= sureEnough {
			return words, err
		}
	}
	best, most := 0, -1.0
	for _, q := range []int{first, first + 2, 1 - first, 3 - first} {
		turn(q)
		some, err := s.recognize(ctx, s.sample())
		if err != nil {
			return nil, err
		}
		if sure := certainty(some); sure > most {
			best, most = q, sure
		}
		if most >= sureEnough {
			break
		}
	}
	turn(best)
	return s.recognize(ctx, s.pieces)
}

// sample returns some pieces by which the direction is found: the longest, for their height.
func (s *sheet) sample() []piece {
	const some = 10
	all := slices.Clone(s.pieces)
	long := func(p piece) int { return min(p.width()/max(p.capital, 1), 30) }
	slices.SortStableFunc(all, func(a, b piece) int { return long(b) - long(a) })
	return all[:min(len(all), some)]
}

// certainty is the mean confidence of words, by letters.
func certainty(words []word) float64 {
	sum, n := 0.0, 0.0
	for _, w := range words {
		sum += w.confidence * float64(len(w.text))
		n += float64(len(w.text))
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// word is a recognised word of a piece, in dots of the picture.
type word struct {
	text        string
	left, right float64
	confidence  float64 // from 0 to 100
	piece       piece
}

// The column that pieces are drawn into for recognition, in dots. All have one height of
// capitals: that at which the models of tesseract are best.
const (
	capital = 30
	margin  = 24
	spacing = 34
	tallest = 12_000
)

// recognize has pieces recognised. They are drawn below one another in one column, so that
// tesseract does not have to find out how the page is laid out: it takes tables for pictures,
// and columns for sentences.
func (s *sheet) recognize(ctx context.Context, all []piece) ([]word, error) {
	var words []word
	for len(all) > 0 {
		n, height := 0, margin
		for n < len(all) && (n == 0 || height < tallest) {
			height += s.drawn(all[n]).height + spacing
			n++
		}
		more, err := s.column(ctx, all[:n], height)
		if err != nil {
			return nil, err
		}
		words = append(words, more...)
		all = all[n:]
	}
	return words, nil
}

// placed is how a piece is drawn.
type placed struct {
	x0, y0, w, h  int // the part of the picture
	width, height int // of what is drawn
	scale         float64
}

func (s *sheet) drawn(p piece) placed {
	const edge = 2
	d := placed{x0: max(p.x0-edge, 0), y0: max(min(p.y0, p.baseline-p.capital)-edge, 0)}
	d.w = min(p.x1+edge, s.gray.Width) - d.x0
	d.h = min(max(p.y1, p.baseline)+edge, s.gray.Height) - d.y0
	const widest = 6000
	d.scale = min(float64(capital)/float64(p.capital), widest/float64(d.w))
	d.width, d.height = int(float64(d.w)*d.scale), int(float64(d.h)*d.scale)
	return d
}

func (s *sheet) column(ctx context.Context, all []piece, height int) ([]word, error) {
	width := 0
	for _, p := range all {
		width = max(width, s.drawn(p).width)
	}
	column := newGray(width+2*margin, height+margin)
	tops := make([]int, len(all))
	y := margin
	for i, p := range all {
		d := s.drawn(p)
		column.draw(s.gray, d.x0, d.y0, d.w, d.h, margin, y, d.scale, d.scale)
		column.blacken(margin, y, d.width, d.height)
		tops[i] = y
		y += d.height + spacing
	}
	found, err := s.engine.recognize(ctx, column, oneColumn)
	if err != nil {
		return nil, err
	}
	var words []word
	for _, t := range found {
		i, exact := slices.BinarySearch(tops, t.top+t.height/2+spacing/2)
		if !exact {
			i--
		}
		if i < 0 {
			continue
		}
		d := s.drawn(all[i])
		left := float64(d.x0) + float64(t.left-margin)/d.scale
		words = append(words, word{t.text, left, left + float64(t.width)/d.scale, t.confidence, all[i]})
	}
	return words, nil
}

// noise are the characters of words that are specks and remains of lines, if recognition
// is not sure.
const noise = "|_-—–.,'`\"~:;!()[]{}/\\=*°^«»‘’“”"

// sizes returns the size of the font of each word. A capital is 0.72 of it in most fonts; in
// those of a fixed width it is less, which shows in how wide the words of the piece are.
func sizes(words []word) []float64 {
	type sum struct{ width, letters float64 }
	sums := map[piece]*sum{}
	for _, w := range words {
		s := sums[w.piece]
		if s == nil {
			s = &sum{}
			sums[w.piece] = s
		}
		s.width += w.right - w.left
		s.letters += float64(utf8.RuneCountInString(w.text))
	}
	all := make([]float64, len(words))
	for i, w := range words {
		size := float64(w.piece.capital) / 0.72
		all[i] = min(max(sums[w.piece].width/sums[w.piece].letters/0.65, size), 1.25*size)
	}
	return all
}

// page puts words and lines on a page, in points.
func (s *sheet) page(words []word, skew, scale float64) tracking.TextPage {
	p := tracking.TextPage{
		Width: float64(s.gray.Width) * scale, Height: float64(s.gray.Height) * scale,
		Turned: s.turned * 90, Skew: skew, Recognized: true,
	}
	for i, size := range sizes(words) {
		w := words[i]
		if strings.Trim(w.text, "|_") == "" || w.confidence < 60 && strings.Trim(w.text, noise) == "" {
			continue
		}
		const edge = 0.04 // of the size: a letter is wider than its ink
		base := float64(w.piece.baseline)
		p.Words = append(p.Words, tracking.TextWord{
			Text: w.text, Confidence: min(max(w.confidence/100, 0.01), 1),
			Box: tracking.TextBox{Left: (w.left - edge*size) * scale, Top: (base - 0.72*size) * scale, Right: (w.right + edge*size) * scale, Bottom: (base + 0.21*size) * scale},
		})
	}
	lines := make([]geometry.Segment, len(s.lines))
	for i, l := range s.lines {
		lines[i] = geometry.Segment{X0: l.X0 * scale, Y0: l.Y0 * scale, X1: l.X1 * scale, Y1: l.Y1 * scale}
	}
	geometry.Turn(p.Turned, p.Width, p.Height, nil, lines)
	geometry.Rule(&p, lines)
	return p
}
