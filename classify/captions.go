package classify

import (
	"slices"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking"
)

// caption is an occurrence of a caption in the document.
type caption struct {
	field  *field // nil for a caption of another type's field, which only ends values
	words  []*word
	line   *line
	cell   int  // index of its cell in the line
	at     int  // index of its first word in the cell
	after  int  // index of the word after it
	colon  bool // it ends with a colon or a similar mark
	phrase string
	also   []*field // fields whose values follow its own, separated by slashes: "Waybill No. / Booking No."
	bare   bool     // one word, followed by its value without a colon; it may be a word of a sentence
	alien  bool     // recognised by its type face alone
}

// rest are the words of its cell after it. A remark in brackets is no part of a number.
func (c *caption) rest() []*word {
	words := c.line.cells[c.cell].words[c.after:]
	if c.field == nil || !numeric(c.field) || figures(c.field) || len(words) == 0 || !strings.HasPrefix(words[0].Text, "(") {
		return words
	}
	end := slices.IndexFunc(words[:min(len(words), 6)], func(w *word) bool { return strings.HasSuffix(w.Text, ")") })
	return words[end+1:]
}

// whole reports whether the caption fills the rest of its cell.
func (c *caption) whole() bool { return len(c.rest()) == 0 }

// captionIndex finds captions by their first piece or by their meaning.
type captionIndex struct {
	byFirst   map[string][]entry
	byMeaning map[string]entry
	byName    map[string]*field
}

// entry is a caption with its possible fields: "From" may be a seller or a port. A caption
// of other types has none.
type entry struct {
	pieces []string
	fields []*field
}

// newIndex indexes the captions of fields, and others: those of other types, which have no
// fields.
func newIndex(fields []field, others []string) captionIndex {
	x := captionIndex{map[string][]entry{}, map[string]entry{}, map[string]*field{}}
	var modestly [][2]string // meanings without modest words, and with them
	at := map[string]int{}   // index of the entry of a phrase
	add := func(phrase string, f *field) {
		p := strings.Fields(phrase)
		i, seen := at[phrase]
		if !seen {
			i = len(x.byFirst[p[0]])
			at[phrase] = i
			x.byFirst[p[0]] = append(x.byFirst[p[0]], entry{pieces: p})
		}
		if e := &x.byFirst[p[0]][i]; f != nil && !slices.Contains(e.fields, f) {
			e.fields = append(e.fields, f)
		}
		m := meaning(p)
		if m == "#" || m == "REF" || m == "# REF" || len(m) < 2 {
			return // "No." alone has no further meaning
		}
		e, seen := x.byMeaning[m]
		if !seen {
			e.pieces = p
		}
		if f != nil && !slices.Contains(e.fields, f) {
			e.fields = append(e.fields, f)
		}
		x.byMeaning[m] = e
		if p := strings.Fields(m); len(p) > 1 {
			if short := strings.Join(without(p, modest), " "); short != m && short != "#" && short != "REF" {
				modestly = append(modestly, [2]string{short, m})
			}
		}
	}
	for i := range fields {
		x.byName[fields[i].name] = &fields[i]
		for _, c := range fields[i].captions {
			add(c, &fields[i])
		}
	}
	for _, c := range others {
		add(c, nil)
	}
	for _, m := range modestly {
		if _, taken := x.byMeaning[m[0]]; !taken {
			x.byMeaning[m[0]] = x.byMeaning[m[1]]
		}
	}
	for first, all := range x.byFirst {
		slices.SortStableFunc(all, func(a, b entry) int { return len(b.pieces) - len(a.pieces) })
		x.byFirst[first] = all
	}
	return x
}

// match returns the longest caption at the start of words, and its number of words.
func (x captionIndex) match(words []*word) (e entry, n int) {
	if len(words) == 0 || len(words[0].pieces) == 0 {
		return e, 0
	}
	for _, e := range x.byFirst[words[0].pieces[0]] {
		if n := covers(words, e.pieces); n > 0 && !isUpper(words[:n]) {
			return e, n
		}
	}
	return e, 0
}

// matchMeaning returns the entry with the same meaning as the words.
func (x captionIndex) matchMeaning(words []*word) (e entry, ok bool) {
	p := piecesOf(words)
	if len(p) == 0 || len(p) > longestCaption {
		return e, false
	}
	said := meaning(p)
	if e, ok = x.byMeaning[said]; ok {
		return e, true
	}
	if bare := withoutRemarks(words); len(bare) > 0 && len(bare) < len(words) {
		if e, ok = x.byMeaning[meaning(piecesOf(bare))]; ok {
			return e, true
		}
	}
	all := strings.Fields(said)
	if len(all) < 2 {
		return e, false
	}
	if e, ok = x.byMeaning[strings.Join(without(all, modest), " ")]; ok {
		return e, true
	}
	// A reference is a number, but a number is not a reference.
	if i := slices.Index(all, "REF"); i >= 0 {
		if all = slices.Delete(all, i, i+1); !slices.Contains(all, "#") {
			all = slices.Insert(all, 0, "#")
		}
		e, ok = x.byMeaning[strings.Join(all, " ")]
	}
	return e, ok
}

// gist finds the field of words that are no known caption: they contain a word of each set
// of a gist, and none that excludes it.
func (x captionIndex) gist(p []string) (entry, bool) {
	if len(p) > 7 {
		return entry{}, false
	}
	var room [24]string
	said := room[:0]
	for i := 0; i < len(p); {
		w, n := means(p[i:])
		i += n
		if _, known := synonyms[p[i-n]]; !known && len(p[i-n]) < 3 && !gistShort[p[i-n]] {
			return entry{}, false // the beginning of a number
		}
		if w == "" {
			w = p[i-n] // "at" joins captions, but announces a place
		}
		said = append(said, strings.Fields(w)...)
	}
	for _, g := range gists {
		f := x.byName[g.field]
		if f == nil || slices.ContainsFunc(said, func(w string) bool { return g.not[w] }) {
			continue
		}
		if !slices.ContainsFunc(g.sets, func(s map[string]bool) bool {
			return !slices.ContainsFunc(said, func(w string) bool { return s[w] })
		}) {
			return entry{pieces: gistWords, fields: []*field{f}}, true
		}
	}
	return entry{}, false
}

var gistShort = set(`SI CY AT BY ON TO BE UP IS DO LCL`)

var gistWords = []string{"GIST", "OF"}

// gists are the words that a caption of a field must contain.
var gists = func() (all []struct {
	field string
	sets  []map[string]bool
	not   map[string]bool
}) {
	for _, line := range strings.Split(strings.TrimSpace(`
		vgm_cutoff        = VGM VERIFIED !
		customs_cutoff    = CUSTOMS AES ENS ACI & CUTOFF UNTIL BY ! VGM SI
		si_cutoff         = SI INSTRUCTION INSTRUCTIONS DOCUMENT DOCUMENTS DOCUMENTEN DRAFT DOKUMENTE ESI & CUTOFF UNTIL BY CUT ! VGM CUSTOMS
		cy_cutoff         = CY GATE FULL VOLLE PLEINS LLENO LLENOS PIENI LADEN TERMINAL YARD CONTAINER CARGO REEFER & CUTOFF UNTIL BY CUT ! VGM SI CUSTOMS DOCUMENT EMPTY INSTRUCTION RECEIVING OPEN OPENING FIRST EARLIEST
		deliver_to        = DELIVER & TO AN AAN A CHEZ PRESSO ! DATE PLACE PORT TIME # REF EMPTY RETURN FINAL ORDER TERM BOOKING
		last_free_day     = FREE STORAGE DEMURRAGE & UNTIL LAST EXPIRE EXPIRES EXPIRY END ENDS ! DETENTION FIRST TRADE
		empty_return      = EMPTY & RETURN RETURNED RESTITUTED DELIVER REDELIVER BACK TERMINATE TERMINATED DROP HAND ! PICKUP DATE UNTIL REF #
		empty_pickup      = EMPTY UNIT & PICKUP FROM DEPOT RELEASE RELEASED COLLECT COLLECTED AVAILABLE DRAWN ! RETURN DATE UNTIL REF # TYPE PRICE
		pickup_number     = PICKUP RELEASE PIN & # CODE REF PIN ! DATE PORT
		notify_party      = NOTIFY ! REF # DATE ALSO SECOND
		notify_party      = NOTICE & ADDRESS ! REF # DATE ALSO SECOND
		hbl_number        = BL WAYBILL & HOUSE ! DATE ORIGINAL AGENT
		bl_number         = BL WAYBILL & MASTER CARRIER LINE OCEAN SSL STEAMSHIP COMPAGNIE COMPAGNIA MAITRE ! DATE ORIGINAL AGENT HOUSE PLACE
		port_of_lading    = LOAD & PORT AT BOARD ! DATE TERMINAL AGENT DISCHARGE EST TIME REF
		port_of_discharge = DISCHARGE & PORT AT IN ! LOAD RECEIPT DELIVER DATE TERMINAL AGENT EST TIME REF ARRIVAL CUTOFF
		place_of_delivery = DELIVER & PLACE AT FINAL IN ! LOAD DISCHARGE RECEIPT DATE TERMINAL AGENT EST TIME REF ORDER TERM TERMS CONTACT
		place_of_receipt  = RECEIPT & PLACE AT CARRIAGE ! LOAD DISCHARGE DELIVER DATE TERMINAL AGENT EST TIME REF PAYMENT GOOD
		eta               = ARRIVAL & EST DATE ! NOTICE DEPARTURE FINAL
		etd               = DEPARTURE & EST DATE ! ARRIVAL
		on_board_date     = BOARD & DATE SHIPPED ! VESSEL AT
		originals         = ORIGINAL & COUNT # ISSUE ! DATE INVOICE
	`), "\n") {
		name, rest, _ := strings.Cut(line, "=")
		sets, not, _ := strings.Cut(rest, "!")
		g := struct {
			field string
			sets  []map[string]bool
			not   map[string]bool
		}{field: strings.TrimSpace(name), not: set(not)}
		for _, s := range strings.Split(sets, "&") {
			g.sets = append(g.sets, set(s))
		}
		all = append(all, g)
	}
	return all
}()

// longestCaption is the maximum number of pieces of a caption without remarks.
const longestCaption = 12

// withoutRemarks leaves out words in brackets.
func withoutRemarks(words []*word) []*word {
	var rest []*word
	inside := false
	for _, w := range words {
		inside = inside || strings.HasPrefix(w.Text, "(")
		if !inside {
			rest = append(rest, w)
		}
		if strings.ContainsRune(w.Text, ')') {
			inside = false
		}
	}
	return rest
}

// announced returns the caption of the words before a colon, a wider space or the end of
// the cell, by their meaning. n is the number of these words; 0 for none.
func (x captionIndex) announced(words []*word) (e entry, n int) {
	if strings.HasPrefix(words[0].Text, "(") || len(words[0].pieces) > 0 && joins[words[0].pieces[0]] {
		return e, 0 // a remark, or the rest of something
	}
	stroke := slices.IndexFunc(words, func(w *word) bool { return strokes[w.Text] })
	for _, end := range []int{colonIn(words), len(words), spaceIn(words), stroke} {
		if end <= 0 || end > longestCaption || isUpper(words[:end]) || end == len(words) && slices.ContainsFunc(words, func(w *word) bool { return containsDigit(w.Text) }) {
			continue
		}
		if e, ok := x.matchMeaning(words[:end]); ok {
			return e, end
		}
	}
	// Or before a known place, if the caption is that of a place.
	for end := 1; end < min(len(words), 5); end++ {
		if e, ok := x.matchMeaning(words[:end]); ok && placeBehind(words[end:]) {
			e.fields = slices.DeleteFunc(slices.Clone(e.fields), func(f *field) bool { return f.kind != tracking.FieldPlace })
			if len(e.fields) == 0 {
				continue
			}
			return e, end
		}
	}
	// Or before a figure, if the caption is that of a number.
	if i := slices.IndexFunc(words, func(w *word) bool { return containsDigit(w.Text) }); i > 0 && i < 6 {
		if e, ok := x.matchMeaning(words[:i]); ok && len(e.fields) > 0 && !slices.ContainsFunc(e.fields, func(f *field) bool { return !numeric(f) }) {
			return e, i
		}
	}
	for _, end := range []int{colonIn(words), spaceIn(words), len(words)} {
		if end <= 0 || slices.ContainsFunc(words[:end], func(w *word) bool { return containsDigit(w.Text) && !numbering(w.Text) }) {
			continue
		}
		if e, ok := x.gist(piecesOf(words[:end])); ok {
			return e, end
		}
	}
	return entry{}, 0
}

// isUpper reports whether words start in lower case and end with a longer word in capitals,
// which starts the value: "Terminal TERMINAL 4".
func isUpper(words []*word) bool {
	last := words[len(words)-1].Text
	return len(words) > 1 && len(last) > 4 && strings.ContainsFunc(words[0].Text, unicode.IsLower) && last == strings.ToUpper(last) && letters(last) > 4
}

// strokes are between captions in two languages.
var strokes = set(`/ | - – —`)

// joins are words that start no caption.
var joins = set(`OF AND OR THE`)

// colonIn is the number of words up to the first colon; 0 for none.
func colonIn(words []*word) int {
	for i, w := range words[:min(len(words), longestCaption)] {
		if endsCaption(w.Text) {
			return i + 1
		}
	}
	return 0
}

// spaceIn is the number of words before the first wider space; 0 for none.
func spaceIn(words []*word) int {
	for i := 1; i < min(len(words), longestCaption); i++ {
		if parted(words, i) {
			return i
		}
	}
	return 0
}

// covers is the number of words that a phrase at their start takes; 0 for another phrase.
// Words without letters and digits are skipped.
func covers(words []*word, phrase []string) int {
	for n, w := range words {
		for _, p := range w.pieces {
			if len(phrase) == 0 || phrase[0] != p {
				return 0
			}
			phrase = phrase[1:]
		}
		if len(phrase) == 0 {
			return n + 1
		}
		// A colon ends a caption: "Port: of loading" is none.
		if n+1 < len(words) && endsCaption(w.Text) {
			return 0
		}
	}
	return 0
}

func endsCaption(text string) bool {
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：") || strings.HasSuffix(text, "..")
}

// captionsIn finds all captions of a document.
func (s *layout) captionsIn(x captionIndex) []*caption {
	var all []*caption
	continued := map[*word]bool{} // first words of cells that continue a caption of the line above
	for n, l := range s.lines {
		for i, c := range l.cells {
			if continued[c.words[0]] || s.inBrackets(n, c) {
				continue
			}
			own := s.captionsInCell(x, l, i, c)
			if two := s.continuedCaptions(x, c, own, s.lines[n+1:]); len(two) > 0 {
				own = two
				continued[two[0].line.cells[two[0].cell].words[0]] = true
			}
			all = append(all, own...)
		}
	}
	all = append(all, s.printed(x, all)...)
	return s.withoutValues(all)
}

// withoutValues leaves out captions that are values: those in the larger type of values, in a drawn cell
// that begins with a caption in the small type of captions, unless their number follows.
func (s *layout) withoutValues(all []*caption) []*caption {
	if s.small == 0 {
		return all
	}
	type place struct{ page, cell int }
	const larger = 1.1
	small := map[place]int{} // the first line with a small caption
	large := func(c *caption) bool { return heightOf(c.words[0]) > larger*s.small }
	for _, c := range all {
		at := place{c.line.page, c.words[0].Cell}
		if first, seen := small[at]; at.cell != 0 && !large(c) && (!seen || c.line.at < first) {
			small[at] = c.line.at
		}
	}
	return slices.DeleteFunc(all, func(c *caption) bool {
		first, seen := small[place{c.line.page, c.words[0].Cell}]
		return seen && large(c) && !c.colon && !c.numbered() && first < c.line.at
	})
}

// inBrackets reports whether a cell ends the brackets that one right above it opens.
func (s *layout) inBrackets(n int, c cell) bool {
	text := textOf(c.words)
	if end := strings.Index(text, ")"); n == 0 || end < 0 || strings.Contains(text[:end], "(") {
		return false
	}
	above := s.lines[n-1]
	return above.page == c.line.page && c.line.top-above.bottom < heightOf(c.words[0]) && slices.ContainsFunc(above.cells, func(d cell) bool {
		text := textOf(d.words)
		return d.left() < c.right() && c.left() < d.right() && strings.LastIndex(text, "(") > strings.LastIndex(text, ")")
	})
}

// continuedCaptions finds a caption in two lines: "Place of" above "receipt". own are the
// captions in the first line alone.
func (s *layout) continuedCaptions(x captionIndex, c cell, own []*caption, following []*line) []*caption {
	if len(c.words) > 5 || containsDigit(textOf(c.words)) || endsCaption(c.words[len(c.words)-1].Text) || len(own) > 0 && own[0].colon && !own[0].whole() {
		return nil
	}
	height := heightOf(c.words[0])
	for _, next := range following[:min(len(following), 3)] {
		if next.page != c.line.page || next.top-c.line.bottom > 0.65*height {
			return nil
		}
		for i, d := range next.cells {
			sameLeft := abs(d.left()-c.left()) < 0.3*height
			sameMiddle := abs(d.left()+d.right()-c.left()-c.right()) < 0.6*height
			if len(d.pieces) == 0 || !sameLeft && !sameMiddle || abs(heightOf(d.words[0])-height) > 0.06*height || len(d.words) > 6 || containsDigit(textOf(d.words)) {
				continue
			}
			e, ok := x.matchMeaning(slices.Concat(c.words, d.words))
			if !ok {
				return nil
			}
			if _, other := x.matchMeaning(d.words); len(own) > 0 && (other || !slices.ContainsFunc(own, func(o *caption) bool { return o.field == nil || slices.Contains(e.fields, o.field) })) {
				return nil
			}
			m := caption{words: slices.Concat(c.words, d.words), line: next, cell: i, after: len(d.words), phrase: strings.Join(e.pieces, " ")}
			m.colon = endsCaption(d.words[len(d.words)-1].Text)
			return m.of(e.fields)
		}
	}
	return nil
}

// of returns the caption once for each of its fields, or once if there are none.
func (c caption) of(fields []*field) []*caption {
	if len(fields) == 0 {
		return []*caption{&c}
	}
	var all []*caption
	for _, f := range fields {
		own := c
		own.field = f
		all = append(all, &own)
	}
	return all
}

// printed finds unknown captions in a document that prints captions smaller than values.
// One that starts or ends with a known caption is of the same field.
func (s *layout) printed(x captionIndex, known []*caption) []*caption {
	height := s.captionHeight(known)
	if s.small = height; height == 0 {
		return nil
	}
	like := func(w *word) bool { return abs(heightOf(w)-height) < 0.04*height }
	for _, c := range known {
		// What goes on in this type is of the caption.
		if rest := c.rest(); len(rest) > 0 && c.at == 0 && like(c.words[0]) && !slices.ContainsFunc(rest, func(w *word) bool { return !like(w) || containsDigit(w.Text) }) {
			c.after += len(rest)
			c.words = slices.Concat(c.words, rest)
		}
	}
	part := map[*word]bool{}
	for _, c := range known {
		for _, w := range c.words {
			part[w] = true
		}
	}
	var all []*caption
	for _, l := range s.lines {
		for i, c := range l.cells {
			if part[c.words[0]] || len(c.words) > 24 || !like(c.words[0]) || !like(c.words[len(c.words)-1]) || letters(textOf(c.words)) < 3 || slices.ContainsFunc(c.words, func(w *word) bool { return part[w] }) {
				continue
			}
			if slices.ContainsFunc(known, func(k *caption) bool { return k.isDirectlyAbove(c) }) {
				continue // the rest of that one
			}
			m := caption{words: c.words, line: l, cell: i, after: len(c.words)}
			if e, ok := x.within(c.words); ok {
				m.phrase = strings.Join(e.pieces, " ")
				all = append(all, m.of(e.fields)...)
			} else if len(c.words) <= 8 {
				m.alien = true
				all = append(all, &m)
			}
		}
	}
	return all
}

// within finds a known caption at the start or end of a longer one: "Shipper, insert
// name", "Combined transport place of receipt".
func (x captionIndex) within(words []*word) (entry, bool) {
	words = words[skipNumbering(words):]
	p := piecesOf(withoutRemarks(words))
	if slices.ContainsFunc(p, func(w string) bool { return turning[w] }) {
		return entry{}, false
	}
	if e, n := x.match(words); n > 0 && len(e.fields) > 0 {
		return e, true
	}
	for at := 1; at < len(words); at++ {
		if e, n := x.match(words[at:]); n == len(words)-at && len(e.pieces) > 1 && len(e.fields) > 0 {
			return e, true
		}
	}
	return entry{}, false
}

// turning are words that change the field of a caption.
var turning = set(`INSURANCE AGENT AGENTS REF REFERENCE REFERENCES DATE CODE TERMINAL CONTACT OFFICE VALUE RATE TAX BANK COUNTRY ALSO ID TOTAL PRE CLAUSE`)

// captionHeight is the height of the document's captions, if it differs from that of
// values; else 0.
func (s *layout) captionHeight(known []*caption) float64 {
	var heights []float64
	part := map[*word]bool{}
	for _, c := range known {
		if c.field != nil && c.whole() {
			heights = append(heights, heightOf(c.words[0]))
		}
		for _, w := range c.words {
			part[w] = true
		}
	}
	if len(heights) < 5 {
		return 0
	}
	slices.Sort(heights)
	height := heights[len(heights)/2]
	near := 0
	for _, h := range heights {
		if abs(h-height) < 0.04*height {
			near++
		}
	}
	if 4*near < 3*len(heights) {
		return 0
	}
	figures, larger := 0, 0
	for _, l := range s.lines {
		for _, w := range l.words {
			if !part[w] && containsDigit(w.Text) && !numbering(w.Text) && len(w.Text) > 3 {
				figures++
				if heightOf(w) > 1.1*height {
					larger++
				}
			}
		}
	}
	if figures < 5 || 10*larger < 9*figures {
		return 0
	}
	return height
}

// isDirectlyAbove reports whether a cell is so close below the caption that it continues it.
func (c *caption) isDirectlyAbove(below cell) bool {
	height := heightOf(c.words[0])
	gap := below.line.top - c.line.bottom
	return below.line.page == c.line.page && gap > -0.5*height && gap < 0.7*height && below.left() < boxAround(c.words).Right && boxAround(c.words).Left < below.right()
}

// parted reports whether the space before a word is wider than the others of its cell, like
// that between a caption and its value.
func parted(words []*word, at int) bool {
	if at >= len(words) {
		return false
	}
	space := func(i int) float64 { return words[i].Box.Left - words[i-1].Box.Right }
	usual := captionGap * heightOf(words[at])
	for i := 1; i < len(words); i++ {
		if i != at {
			usual = max(usual, 1.5*space(i))
			break
		}
	}
	if len(words) == 2 {
		usual *= 1.6 // nothing to compare with: letters of one width have wide spaces
	}
	return space(at) > usual
}

// captionGap is the space, in heights, that separates a caption from its value like a
// colon.
const captionGap = 0.45

func (s *layout) captionsInCell(x captionIndex, l *line, i int, c cell) []*caption {
	var all []*caption
	prose := len(c.words) > 14
	for at := 0; at < len(c.words); {
		start := at
		if at == 0 {
			start = skipNumbering(c.words)
		}
		e, n := x.match(c.words[start:])
		if at == 0 && n == 0 && len(c.words) > 1 && len(c.words[0].Text) < 3 && digit(c.words[0].Text) {
			// A number before a caption: "2 Deliver to".
			if other, all := x.announced(c.words[1:]); (all == len(c.words)-1 || all > 0 && strokes[c.words[1+all].Text]) && len(other.fields) > 0 && (!strict(other.fields[0]) || c.words[0].Text[0] == '0' || len(l.cells) > 1) {
				start, e, n = 1, other, all
			}
		}
		if at == 0 && n < len(c.words)-start && !prose {
			if other, all := x.announced(c.words[start:]); all > n && (n == 0 || len(other.fields) > 0 || len(e.fields) == 0) {
				e, n = other, all
			}
		}
		if last := len(all) - 1; n > 0 && last >= 0 && all[last].after == at && all[last].colon && slices.Contains(e.fields, all[last].field) {
			n = 0 // a value that begins as its caption: "Terminal: TERMINAL 4"
		}
		if n == 0 {
			at++
			continue
		}
		m := caption{words: c.words[at : start+n], line: l, cell: i, at: at, after: start + n, phrase: strings.Join(e.pieces, " ")}
		m.colon = endsCaption(c.words[start+n-1].Text)
		m.absorb(x, &e, c.words)
		marked := m.colon || at == 0 && parted(c.words, m.after)
		m.colon = m.colon || parted(c.words, m.after) || m.whole() && i+1 < len(l.cells) && strings.HasPrefix(l.cells[i+1].words[0].Text, ":")
		inside := at > 0 && !endsCaption(c.words[at-1].Text) && !numbering(c.words[at-1].Text) && (len(all) == 0 || all[len(all)-1].after != at)
		if inside && m.whole() && strings.HasSuffix(c.words[at-1].Text, "/") && len(all) == 0 && !slices.ContainsFunc(c.words[:at], func(w *word) bool { return containsDigit(w.Text) && !numbering(w.Text) }) {
			inside = false // "Carrier's reference / Booking No."
			m.at, m.words = 0, c.words
		}
		numbered := m.numbered()
		switch {
		// Within a sentence such words are words.
		case prose && !(at == 0 && (m.colon || m.whole())):
		case inside && m.whole() && len(e.pieces) > 1 && len(e.fields) == 1 && e.fields[0].lines > 1 && e.fields[0].parts == nil && i+1 < len(l.cells) && !company(c.pieces):
			m.field = e.fields[0] // "please deliver to", with the name in the next cell
			all = append(all, &m)
		case inside && !marked && !numbered && !(len(e.pieces) > 1 && len(e.fields) == 1 && e.fields[0].kind == tracking.FieldPlace && placeBehind(m.rest())):
		case at > 0 && m.phrase == "NO": // of what is said before
		case inside && len(e.fields) == 0:
		// The end of a caption that is not known, as in "Arr. date:".
		case inside && len(all) == 0 && (weak[m.phrase] || m.phrase == "DATE") && !parted(c.words, at) && letters(c.words[at-1].Text) > 0:
			all = append(all, &m)
		// A heading is no caption, unless a colon says so.
		case !m.colon && m.whole() && heightOf(c.words[0]) > 1.45*s.height && len(l.cells) < 3:
		default:
			fields := e.fields
			if !m.colon && !m.whole() {
				// What goes on without a colon is a value only where its form says so.
				fields = slices.DeleteFunc(slices.Clone(fields), func(f *field) bool {
					return !strict(f) && f.parts == nil || f.kind == tracking.FieldPlace && len(e.pieces) == 1 && !(at == 0 && placeBehind(m.rest()))
				})
				// Of what is kept apart in its cell, the place may say so too.
				if at == 0 && (len(e.pieces) > 1 || len(e.pieces[0]) >= 10) && len(fields) == 0 {
					fields = slices.DeleteFunc(slices.Clone(e.fields), func(f *field) bool { return f.lines > 1 })
				}
				if at == 0 && len(e.pieces) == 1 && len(fields) == 0 {
					fields = slices.DeleteFunc(slices.Clone(e.fields), func(f *field) bool {
						return f.lines > 1 || f.kind != tracking.FieldPlace && f.name != "vessel" && f.name != "terminal"
					})
					m.bare = true
				}
				if len(fields) == 0 && at == 0 && len(e.fields) == 0 && numbered {
					all = append(all, &m)
					at = m.after
					continue
				}
				if len(fields) == 0 {
					at++
					continue
				}
			}
			if len(fields) == 0 {
				all = append(all, &m)
			}
			for _, f := range fields {
				own := m
				own.field = f
				all = append(all, &own)
			}
		}
		at = m.after
	}
	if end := colonIn(c.words); end > 0 && !prose && (len(all) == 0 || all[0].at >= end) && end <= 6 && !slices.ContainsFunc(c.words[:end], func(w *word) bool { return containsDigit(w.Text) && !numbering(w.Text) }) && letters(textOf(c.words[:end])) > 1 {
		all = append([]*caption{{words: c.words[:end], line: l, cell: i, after: end, colon: true, alien: true}}, all...)
	}
	return all
}

// placeBehind reports whether words are a known place and nothing else.
func placeBehind(words []*word) bool {
	if len(words) == 0 || len(words) > 5 {
		return false
	}
	code, known := place(textOf(words))
	return known && code != ""
}

// numbered reports whether the caption is that of a number, which may then follow it within
// a line.
func (c *caption) numbered() bool {
	rest := c.rest()
	if len(rest) == 0 {
		return false
	}
	last := c.phrase[strings.LastIndex(c.phrase, " ")+1:]
	if last == "SCAC" {
		return len(rest[0].Text) == 4 && rest[0].Text == strings.ToUpper(rest[0].Text)
	}
	series := len(rest) > 1 && len(rest[0].Text) <= 4 && rest[0].Text == strings.ToUpper(rest[0].Text) && containsDigit(rest[1].Text) // "FT 2026/3946"
	return (containsDigit(rest[0].Text) || series) && slices.Contains([]string{"NO", "NUMBER", "BL", "SEAL", "ETA", "ETD", "LFD", "REF", "ISSUED", "DATE", "IMO", "FIRMS", "VOY", "VOYAGE"}, last)
}

// skipNumbering is the number of words before a caption that number its box ("(2)", "14.",
// "5a)") or are in an unknown script.
func skipNumbering(words []*word) (n int) {
	for n+1 < len(words) && n < 3 && (numbering(words[n].Text) || len(words[n].pieces) == 0 || n == 0 && words[n].box) {
		n++
	}
	return n
}

func numbering(text string) bool {
	core := strings.Trim(text, "().,:[]")
	return core != text && len(core) >= 1 && len(core) <= 3 && core[0] >= '0' && core[0] <= '9'
}

// absorb extends a caption by a remark in brackets, a translation after a slash, and a
// separate colon. One of other types has the fields of what follows it: "Shipper / Exporter".
func (c *caption) absorb(x captionIndex, own *entry, words []*word) {
	c.grow(x, own, words)
	if rest := words[min(c.after, len(words)):]; len(rest) > 0 && remarks(rest) {
		c.after = len(words)
		c.words = words[c.at:]
	}
}

func (c *caption) grow(x captionIndex, own *entry, words []*word) {
	// A remark may begin within the words that are known: "Consignee (Name, full address)".
	if opened(words[c.at:c.after]) {
		for c.after < len(words) && opened(words[c.at:c.after]) {
			c.after++
		}
		c.colon = endsCaption(words[c.after-1].Text)
	}
	for c.after < len(words) && !c.colon {
		text := words[c.after].Text
		switch {
		case text == ":" || text == "：" || len(text) > 1 && strings.Trim(text, "._…") == "":
			c.colon = true
			c.after++
		case strings.TrimSuffix(text, ":") == "#" || text == "№", currencyCodes[strings.Trim(text, "():")] && c.after+1 == len(words):
			c.colon = endsCaption(text)
			c.after++
		case strings.HasPrefix(text, "(") && !containsDigit(text):
			end := c.after
			for end < len(words) && opened(words[c.after:end+1]) {
				end++
			}
			if end == len(words) {
				c.after = end // the remark goes on in the next line
				c.words = words[c.at:end]
				return
			}
			c.colon = endsCaption(words[end].Text)
			c.after = end + 1
		case strokes[text]:
			if c.after+1 == len(words) {
				c.after++
				return
			}
			if numbering(words[c.after+1].Text) {
				return // another box
			}
			if e, n := x.match(words[c.after+1:]); n > 0 && sameField(e, *own) {
				if len(own.fields) == 0 {
					own.fields = e.fields
				}
				c.after += 1 + n
				c.colon = endsCaption(words[c.after-1].Text)
				continue
			}
			if e, n := x.match(words[c.after+1:]); n > 0 && len(e.fields) == 1 && e.fields[0].parts == nil && len(own.fields) == 1 && own.fields[0].parts == nil && text == "/" {
				c.also = append(c.also, e.fields[0])
				c.after += 1 + n
				c.colon = endsCaption(words[c.after-1].Text)
				continue
			}
			if e, ok := x.matchMeaning(words[c.after+1:]); ok && len(e.fields) > 0 && sameField(e, *own) {
				c.after = len(words)
				c.colon = endsCaption(words[c.after-1].Text)
				continue
			}
			// Whatever follows up to a colon, or to the cell's end without a digit.
			for i := c.after + 1; i < len(words); i++ {
				if endsCaption(words[i].Text) {
					c.after, c.colon = i+1, true
					return
				}
			}
			if (text == "/" || text == "|") && !slices.ContainsFunc(words[c.after+1:], func(w *word) bool { return containsDigit(w.Text) }) && len(words)-c.after <= 5 {
				c.after = len(words)
			}
			return
		default:
			// The same caption again, in another language, without a stroke.
			if e, n := x.match(words[c.after:]); n > 0 && len(e.fields) > 0 && sameField(e, *own) {
				c.after += n
				c.colon = endsCaption(words[c.after-1].Text)
				continue
			}
			return
		}
	}
	c.words = c.line.cells[c.cell].words[c.at:min(c.after, len(words))]
}

// remarks reports whether words after a caption are a remark about it: "see clause 4",
// "applicable only when ...", "(if known)".
func remarks(words []*word) bool {
	first := words[0]
	if strings.HasPrefix(first.Text, "(") {
		return (strings.HasSuffix(strings.TrimRight(words[len(words)-1].Text, ".:"), ")") || opened(words)) && !containsDigit(first.Text)
	}
	if len(first.pieces) == 0 || !sentence[first.pieces[0]] || len(words) < 2 {
		return false
	}
	// Sentences are in small letters; what is filled in seldom is.
	lower := 0
	for _, w := range words[1:] {
		if strings.IndexFunc(w.Text, unicode.IsLower) == 0 {
			lower++
		}
	}
	return 2*lower >= len(words)-1
}

// sentence are words that start remarks.
var sentence = set(`THIS NO NOT NEITHER SEE IF APPLICABLE ONLY UNLESS WHERE WHEN AS PLEASE MUST SUBJECT WITHOUT CARRIER SHOULD WHICH INCLUDING`)

// opened reports whether a bracket is open at the end of words.
func opened(words []*word) bool {
	open := 0
	for _, w := range words {
		open = max(0, open+strings.Count(w.Text, "(")-strings.Count(w.Text, ")"))
	}
	return open > 0
}

// sameField reports whether two captions have a field in common, or one has none.
func sameField(a, b entry) bool {
	return len(a.fields) == 0 || slices.ContainsFunc(a.fields, func(f *field) bool { return slices.Contains(b.fields, f) })
}

func containsDigit(s string) bool { return strings.IndexFunc(s, unicode.IsDigit) >= 0 }
func digit(s string) bool         { return s != "" && unicode.IsDigit(rune(s[0])) }
