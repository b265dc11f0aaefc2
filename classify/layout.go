package classify

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/landfallhq/tracking"
)

// word is a printed word with its pieces: its runs of letters and digits, in capitals
// without accents. Captions and phrases are compared by pieces.
type word struct {
	tracking.TextWord
	pieces []string
	page   int  // from 1
	spaced bool // it was printed with spaces between its letters
	// recognized is of its page.
	recognized bool
	box        bool // it may be the misread number of a box: "TI." for "11."
}

// line is the words at one height of a page, from left to right, and its cells: runs of
// words without a wide space.
type line struct {
	words       []*word
	cells       []cell
	page        int
	at          int // its index in layout.lines
	top, bottom float64
	row         drawnRow
	numbered    bool // it has a container number
	figures     int  // how many of its cells are figures
	searched    bool // for container numbers, which are in found then
	found       []string
}

// containers are the container numbers in a line. They are looked for once: a line may have
// hundreds, and each of them asks for all.
func (l *line) containers() []string {
	if !l.searched {
		l.found, _ = containersIn(fold(textOf(l.words)))
		l.searched = true
	}
	return l.found
}

type cell struct {
	words  []*word
	line   *line
	pieces []string // of all words
}

func (c cell) left() float64    { return c.words[0].Box.Left }
func (c cell) right() float64   { return c.words[len(c.words)-1].Box.Right }
func (l *line) height() float64 { return l.bottom - l.top }

// layout is all lines of all pages, top to bottom.
type layout struct {
	lines   []*line
	pages   []tracking.TextPage
	drawn   [][]drawnCell     // of each page
	median  float64           // median height of words
	height  float64           // usual height of words
	body    float64           // height of values, if captions are smaller
	small   float64           // height of captions, if they have their own; else 0
	byPiece map[string][]cell // cells with the piece
	spaced  []cell            // lines of letters with blanks between, each as one piece
	party   map[*word]bool    // first words of lines of names and addresses
	words   int
	pieces  int     // of all words
	marks   numbers // how this document writes numbers and dates
}

// newLayout orders words into lines, regardless of their order in the file. Its only error
// is that of ctx.
func newLayout(ctx context.Context, text tracking.DocumentText) (*layout, error) {
	s := &layout{pages: text.Pages}
	for i, p := range text.Pages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.Words = unwrapped(raised(p.Words))
		words := make([]*word, 0, len(p.Words))
		for _, w := range p.Words {
			if bar[w.Text] || w.Box.Bottom-w.Box.Top > watermark {
				continue
			}
			words = append(words, cutAtColon(&word{TextWord: w, pieces: pieces(w.Text), page: i + 1, recognized: p.Recognized})...)
		}
		if p.Recognized {
			words = spellings().mend(words)
		}
		s.lines = append(s.lines, linesOf(words)...)
		s.words += len(words)
	}
	if heights := heightsOf(s.lines); len(heights) > 0 {
		s.median, s.body = heights[len(heights)/2], heights[len(heights)*3/4]
		s.height = max(s.median, 0.85*s.body)
	}
	s.drawn = s.drawnCells()
	for _, l := range s.lines {
		l.row = s.rowOf(l)
	}
	s.party = s.parties()
	s.byPiece = map[string][]cell{}
	for i, l := range s.lines {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l.at, l.numbered, l.figures = i, isContainer(textOf(l.words)), figuresIn(l)
		for _, c := range l.cells {
			s.indexCell(c)
			if i+1 < len(s.lines) {
				s.indexWrapped(c, s.lines[i+1])
			}
		}
		if s.mayBeTitle(l) {
			s.indexCell(cell{l.words, l, piecesOf(l.words)})
		}
		if spaced(l) {
			s.spaced = append(s.spaced, cell{l.words, l, []string{strings.Join(piecesOf(l.words), "")}})
		}
	}
	s.marks = numbersOf(s)
	return s, nil
}

// mayBeTitle reports whether a line at the top may be a title with wide spaces between its words, or all
// but two of them.
func (s *layout) mayBeTitle(l *line) bool {
	const area, most = 0.3, 6 // of the page, and words
	return l.page == 1 && l.top < area*s.pages[0].Height && len(l.cells) > 1 && len(l.words) <= most && len(l.cells) >= len(l.words)-1 && !containsDigit(textOf(l.words))
}

// watermark is the height of letters across a page, such as "COPY".
const watermark = 45

// raised joins a raised figure to the unit before it, "m" and "3", which is near it in the file as
// well: pages of figures alone must not cost the square of their number.
func raised(words []tracking.TextWord) []tracking.TextWord {
	const near = 8
	joined := map[int]bool{}
	var out []tracking.TextWord
	for i, w := range words {
		if w.Text != "3" && w.Text != "2" {
			continue
		}
		for k := max(0, i-near); k < min(len(words), i+near); k++ {
			m := words[k]
			if !strings.HasSuffix(strings.ToLower(m.Text), "m") || w.Box.Left-m.Box.Right > 0.2*(m.Box.Bottom-m.Box.Top) || w.Box.Left < m.Box.Right-1 || w.Box.Top > m.Box.Bottom || w.Box.Bottom < m.Box.Top || w.Box.Bottom-w.Box.Top > 0.9*(m.Box.Bottom-m.Box.Top) {
				continue
			}
			if out == nil {
				out = slices.Clone(words)
			}
			out[k].Text, out[k].Box.Right, joined[i] = m.Text+w.Text, w.Box.Right, true
			break
		}
	}
	if out == nil {
		return words
	}
	var all []tracking.TextWord
	for i, w := range out {
		if !joined[i] {
			all = append(all, w)
		}
	}
	return all
}

// wrappedForm is the beginning of a container number that a narrow column parts from its last digits.
var wrappedForm = newExpression(`^[A-Z]{3}[UJZ] ?\d{3,6}$`)

// unwrapped joins container numbers that go on in the line below, at the same left edge.
func unwrapped(words []tracking.TextWord) []tracking.TextWord {
	const most = 200 // of a page
	joined, tries := map[int]bool{}, 0
	for i, w := range words {
		if !wrappedForm.MatchString(w.Text) {
			continue
		}
		if tries++; tries > most {
			break
		}
		height := w.Box.Bottom - w.Box.Top
		for k, v := range words {
			if len(w.Text)+len(v.Text) != containerDigits || abs(v.Box.Left-w.Box.Left) > 0.3*height || v.Box.Top < w.Box.Bottom-0.5*height || v.Box.Top > w.Box.Bottom+height || joined[k] {
				continue
			}
			if all, _ := containersIn(w.Text + v.Text); len(all) > 0 {
				if len(joined) == 0 {
					words = slices.Clone(words)
				}
				words[i].Text, joined[k] = w.Text+v.Text, true
				break
			}
		}
	}
	all := words[:0:0]
	for i, w := range words {
		if !joined[i] {
			all = append(all, w)
		}
	}
	return all
}

// containerDigits is the length of a container number, letters and digits.
const containerDigits = 11

// heightsOf are the heights of words in order, without those of pages of conditions, which have more
// words than the face of the paper, in small print.
func heightsOf(lines []*line) []float64 {
	const long, least = 20, 20 // words of a line of print; of the other pages
	printed, words := map[int]int{}, map[int]int{}
	for _, l := range lines {
		words[l.page] += len(l.words)
		if len(l.words) >= long {
			printed[l.page] += len(l.words)
		}
	}
	var all, faces []float64
	for _, l := range lines {
		for _, w := range l.words {
			all = append(all, heightOf(w))
			if 5*printed[l.page] < 4*words[l.page] {
				faces = append(faces, heightOf(w))
			}
		}
	}
	if len(faces) >= least {
		all = faces
	}
	slices.Sort(all)
	return all
}

// bar are drawn lines that were recognised as letters.
var bar = set(`| || ¦ ‖ |_ _| [ ] ]| |[`)

// parties finds the lines of names and addresses: those right below the caption of a
// party, and in its column.
func (s *layout) parties() map[*word]bool {
	all := map[*word]bool{}
	for i, l := range s.lines {
		for _, c := range l.cells {
			if len(c.pieces) == 0 || len(c.pieces) > 12 || !partyWords[synonymOf(c.pieces[0])] {
				continue
			}
			bottom, rows := l.bottom, 0
			for _, next := range s.lines[i+1:] {
				if next.page != l.page || next.top-bottom > 1.5*s.height || rows > 5 {
					break
				}
				if k := slices.IndexFunc(next.cells, func(d cell) bool { return abs(d.left()-c.left()) < s.height }); k >= 0 {
					all[next.cells[k].words[0]] = true
					bottom = next.bottom
					rows++
				}
			}
		}
	}
	return all
}

// partyWords start captions of names and addresses.
var partyWords = set(`SHIPPER CONSIGNEE NOTIFY EXPORTER CONSIGNOR CONSIGNED BUYER SELLER TRUCKER`)

func synonymOf(p string) string {
	if s, ok := synonyms[p]; ok {
		return s
	}
	return p
}

func (s *layout) indexCell(c cell) {
	seen := make(map[string]bool, len(c.pieces)) // a cell may be one word of a million pieces
	for _, p := range c.pieces {
		if !seen[p] {
			seen[p] = true
			s.pieces++
			s.byPiece[p] = append(s.byPiece[p], c)
		}
	}
}

// indexWrapped indexes a title in two lines: "BILL OF" above "LADING".
func (s *layout) indexWrapped(c cell, next *line) {
	height := heightOf(c.words[0])
	if height < 1.25*s.height || next.page != c.line.page || next.top-c.line.bottom > height {
		return
	}
	for _, d := range next.cells {
		if abs(heightOf(d.words[0])-height) < 0.1*height && d.left() < c.right() && c.left() < d.right() {
			s.indexCell(cell{slices.Concat(c.words, d.words), c.line, slices.Concat(c.pieces, d.pieces)})
		}
	}
}

// spaced reports whether a line has blanks between its letters: "B I L L".
func spaced(l *line) bool {
	single := 0
	for _, w := range l.words {
		if utf8.RuneCountInString(w.Text) == 1 {
			single++
		}
	}
	return single >= 5 && 5*single >= 4*len(l.words)
}

func linesOf(words []*word) []*line {
	slices.SortStableFunc(words, func(a, b *word) int { return cmp.Compare(middle(a), middle(b)) })
	var lines []*line
	for _, w := range words {
		n := len(lines)
		// Lines of different columns are mostly a little apart: a word joins the line
		// above only when it is in the middle of its first word.
		if n > 0 {
			first := lines[n-1].words[0]
			if middle(w)-middle(first) < 0.4*min(heightOf(w), heightOf(first)) {
				lines[n-1].words = append(lines[n-1].words, w)
				continue
			}
		}
		lines = append(lines, &line{words: []*word{w}, page: w.page})
	}
	for _, l := range lines {
		slices.SortStableFunc(l.words, func(a, b *word) int { return cmp.Compare(a.Box.Left, b.Box.Left) })
		l.words = joined(l.words)
		l.top, l.bottom = l.words[0].Box.Top, l.words[0].Box.Bottom
		for _, w := range l.words {
			l.top, l.bottom = min(l.top, w.Box.Top), max(l.bottom, w.Box.Bottom)
		}
	}
	gap := gapOf(lines)
	for _, l := range lines {
		l.cells = cellsOf(l, gap)
	}
	return lines
}

// joined joins letters with spaces between to words, which wider spaces part: "N o t i c e   o f".
func joined(words []*word) []*word {
	var all []*word
	for from := 0; from < len(words); {
		to, single, spaces := from, 0, []float64(nil)
		for ; to < len(words) && letters(words[to].Text) == utf8.RuneCountInString(words[to].Text) && letters(words[to].Text) <= 2; to++ {
			if letters(words[to].Text) == 1 {
				single++
			}
			if to == from {
				continue
			}
			space := words[to].Box.Left - words[to-1].Box.Right
			if space > 2.2*heightOf(words[to]) {
				break
			}
			spaces = append(spaces, space)
		}
		if len(spaces) < 3 || 4*single < 3*len(spaces) {
			all = append(all, words[from])
			from++
			continue
		}
		slices.Sort(spaces)
		usual := spaces[len(spaces)/2]
		var parts [][]*word
		for i := from; i < to; i++ {
			if i == from || words[i].Box.Left-words[i-1].Box.Right > 1.5*usual+0.05*heightOf(words[i]) {
				parts = append(parts, nil)
			}
			parts[len(parts)-1] = append(parts[len(parts)-1], words[i])
		}
		if len(parts) == 1 && to-from > 9 || len(parts) > 1 && 2*len(parts) >= to-from {
			parts = nil // several words, whose limits are not seen
			all = append(all, words[from:to]...)
		}
		for _, p := range parts {
			w := *p[0]
			w.Text, w.Box, w.spaced = strings.ReplaceAll(textOf(p), " ", ""), boxAround(p), true
			w.pieces = pieces(w.Text)
			all = append(all, &w)
		}
		from = to
	}
	return all
}

// gapOf is the space between cells of a page, in heights of their words. Where the usual space
// between words is wide, as in type of one width and under scans, it is wider.
func gapOf(lines []*line) float64 {
	var usual []float64
	for _, l := range lines {
		for i, w := range l.words[min(1, len(l.words)):] {
			if space := (w.Box.Left - l.words[i].Box.Right) / max(heightOf(w), 1); space > 0 && space < 1.2 {
				usual = append(usual, space)
			}
		}
	}
	if len(usual) < 20 {
		return cellGap
	}
	slices.Sort(usual)
	return min(max(cellGap, 1.6*usual[len(usual)/2]), 1.15)
}

func middle(w *word) float64   { return (w.Box.Top + w.Box.Bottom) / 2 }
func heightOf(w *word) float64 { return w.Box.Bottom - w.Box.Top }

// cellGap is the least space between two cells, in heights of their words: more than between
// words of a sentence, less than between columns.
const cellGap = 0.8

// letterGap is the same in widths of letters, of recognised words: their heights are not sure.
const letterGap = 1.6

// pitch is the mean width of the letters of two recognised words; 0 of others.
func pitch(a, b *word) float64 {
	n := utf8.RuneCountInString(a.Text) + utf8.RuneCountInString(b.Text)
	if !a.recognized || n < 4 {
		return 0
	}
	return (a.Box.Right - a.Box.Left + b.Box.Right - b.Box.Left) / float64(n)
}

func cellsOf(l *line, gap float64) []cell {
	var cells []cell
	begin := true
	for i, w := range l.words {
		room := gap
		if w.spaced || i > 0 && l.words[i-1].spaced {
			room = 2.2
		}
		if !begin && w.Text != "/" && strokes[w.Text] && between(cells[len(cells)-1].words, l.words[i+1:]) {
			begin = true
			continue // it is in no cell
		}
		if i > 0 && partsFigures(l.words[:i], l.words[i:]) {
			begin = true
		}
		if begin || w.Cell != l.words[i-1].Cell || !unitOf(l.words[i-1], w) && w.Box.Left-l.words[i-1].Box.Right > max(room*max(heightOf(w), heightOf(l.words[i-1])), letterGap*pitch(l.words[i-1], w)) && !oneNumber(l.words[i-1], w) {
			cells, begin = append(cells, cell{line: l}), false
		}
		c := &cells[len(cells)-1]
		c.words, c.pieces = append(c.words, w), append(c.pieces, w.pieces...)
	}
	return cells
}

// unitOf reports whether a word in brackets is the unit of a title before it: "VOLUME (M3)".
func unitOf(title, unit *word) bool {
	return titleUnit.MatchString(fold(unit.Text)) && unit.Box.Left-title.Box.Right < 1.5*heightOf(title)
}

var titleUnit = newExpression(`^\((?:KGS?|KGM|LBS?|M3|CBM|MT|T)\)$`)

// partsFigures reports whether a semicolon parts measures with their figures: "Cartons 400; Gross weight
// (kg) 5,046.4". It may be one of a text as well.
func partsFigures(before, behind []*word) bool {
	last := before[len(before)-1].Text
	return strings.HasSuffix(last, ";") && startsWithDigit(last) && len(behind[0].pieces) > 0 && measures[synonymOf(behind[0].pieces[0])]
}

// measures are words that begin the caption of a measure.
var measures = set(`GROSS NET WEIGHT VOLUME PACKAGE CARTON TOTAL PIECES`)

// between reports whether a stroke behind the words of a cell parts values that each have a caption with
// a colon, as in "Invoice: 71 - Date: 8 July".
func between(before, behind []*word) bool {
	const most = 4 // words of the caption that follows
	colon := func(words []*word) bool {
		return slices.ContainsFunc(words, func(w *word) bool { return endsCaption(w.Text) })
	}
	return colon(before) && colon(behind[:min(most, len(behind))])
}

// oneNumber reports whether two words that are a little apart are the number of a container.
func oneNumber(owner, digits *word) bool {
	if len(owner.Text) != 4 || digits.Box.Left-owner.Box.Right > 2*heightOf(owner) || !startsWithDigit(digits.Text) || len(digits.Text) > 12 {
		return false
	}
	all, _ := containersIn(owner.Text + digits.Text)
	return len(all) > 0
}

// pieces returns the folded runs of letters and digits of a text. Abbreviations with
// slashes and dots are one piece: B/L, D/O, P.O.
func pieces(s string) []string {
	s = strings.ReplaceAll(fold(translate(s)), "T(S)", "T") // depot(s)
	s = initials.ReplaceAllStringFunc(s, func(m string) string { return strings.NewReplacer(".", "", "/", "").Replace(m) + " " })
	for _, abbreviation := range []string{"B(S)/L", "B/L", "D/O", "P/O", "S/O", "C/N", "L/C", "T/T", "I.T", "G.O", "S.O", "P.O", "H.S", "N.W", "G.W", "E.T.A", "E.T.D", "B.L", "U.S"} {
		if strings.Contains(s, abbreviation) {
			short := strings.NewReplacer("/", "", ".", "", "(", "", ")", "").Replace(abbreviation)
			s = strings.ReplaceAll(s, abbreviation, short)
		}
	}
	all := strings.FieldsFunc(s, func(r rune) bool {
		// Of what is in other scripts, papers have a translation beside it.
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) || r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana)
	})
	for i, p := range all {
		if rest, ok := strings.CutPrefix(p, "OF"); ok && ofWhat[rest] {
			return slices.Concat(all[:i], []string{"OF", rest}, all[i+1:]) // "oflading": letters that are printed close together
		}
	}
	return all
}

var ofWhat = set(`LADING LOADING UNLOADING DISCHARGE DELIVERY RECEIPT ISSUE ORIGIN ORIGINAL ORIGINALS GOODS PACKAGES CONTAINERS CARGO ARRIVAL DEPARTURE SHIPMENT ENTRY DESTINATION VESSEL`)

// initials are single letters with dots or slashes between: P.O., M/V, E.T.A.
var initials = newExpression(`\b[A-Z](?:[./][A-Z])+\b\.?`)

// folds are letters with marks, as capitals without.
var folds = map[rune]string{
	'À': "A", 'Á': "A", 'Â': "A", 'Ã': "A", 'Ä': "A", 'Å': "A", 'Æ': "AE", 'Ç': "C", 'È': "E", 'É': "E", 'Ê': "E", 'Ë': "E",
	'Ì': "I", 'Í': "I", 'Î': "I", 'Ï': "I", 'Ñ': "N", 'Ò': "O", 'Ó': "O", 'Ô': "O", 'Õ': "O", 'Ö': "O", 'Ø': "O",
	'Ù': "U", 'Ú': "U", 'Û': "U", 'Ü': "U", 'Ý': "Y", 'Ł': "L", 'Ş': "S", 'Ğ': "G", 'İ': "I", 'Š': "S", 'Č': "C", 'Ž': "Z", 'Ř': "R",
	'º': "", '°': "", 'ª': "", '³': "3", '²': "2", '’': "'", '‘': "'", '–': "-", '—': "-", '\u00a0': " ",
}

// fold returns text in capitals without accents.
func fold(s string) string {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	s = strings.ToUpper(s)
	if ascii {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if plain, ok := folds[r]; ok {
			b.WriteString(plain)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// textOf joins words with blanks.
func textOf(words []*word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}

// boxAround is the bounding box of words.
func boxAround(words []*word) tracking.TextBox {
	b := words[0].Box
	for _, w := range words[1:] {
		b.Left, b.Top = min(b.Left, w.Box.Left), min(b.Top, w.Box.Top)
		b.Right, b.Bottom = max(b.Right, w.Box.Right), max(b.Bottom, w.Box.Bottom)
	}
	return b
}

// piecesOf are the pieces of all words, in order.
func piecesOf(words []*word) []string {
	var all []string
	for _, w := range words {
		all = append(all, w.pieces...)
	}
	return all
}
