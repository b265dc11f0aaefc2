package classify

import (
	"slices"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking"
)

// caption is one place where a caption of some field is printed.
type caption struct {
	field  *field // nil where it is the caption of another type's field: it only bounds values
	words  []*word
	line   *line
	cell   int  // which cell of the line it stands in
	at     int  // which word of the cell it begins with
	after  int  // the word of the cell behind it
	colon  bool // it ends in a colon or the like
	phrase string
	also   []*field // whose values stand behind its own, parted by strokes: "Waybill No. / Booking No."
}

func (c *caption) rest() []*word { return c.line.cells[c.cell].words[c.after:] }

// whole reports whether nothing else stands in the caption's cell.
func (c *caption) whole() bool { return len(c.rest()) == 0 }

// index finds captions by their first piece.
type captionIndex struct {
	byFirst map[string][]entry
}

// entry is a caption with the fields that it may be of: "From" is a seller's, or a
// port's. It has none where it is the caption of other types' fields.
type entry struct {
	pieces []string
	fields []*field
}

// newIndex indexes the captions of fields; others are those of other types, which
// count where the type has none of the same words.
func newIndex(fields []field, others []string) captionIndex {
	x := captionIndex{map[string][]entry{}}
	at := map[string]int{} // where a phrase's entry stands
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
	}
	for i := range fields {
		for _, c := range fields[i].captions {
			add(c, &fields[i])
		}
	}
	for _, c := range others {
		add(c, nil)
	}
	for first, all := range x.byFirst {
		slices.SortStableFunc(all, func(a, b entry) int { return len(b.pieces) - len(a.pieces) })
		x.byFirst[first] = all
	}
	return x
}

// match returns the longest caption that begins at a word, and how many words it has.
// It ends where a word ends.
func (x captionIndex) match(words []*word) (e entry, n int) {
	if len(words) == 0 || len(words[0].pieces) == 0 {
		return e, 0
	}
	for _, e := range x.byFirst[words[0].pieces[0]] {
		if n := covers(words, e.pieces); n > 0 {
			return e, n
		}
	}
	return e, 0
}

// covers tells how many words a phrase fills; 0 when it is not them. Words without
// letters or digits, as a stroke alone, count for nothing.
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
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
}

// captionsIn finds all captions of a document.
func (s *sheet) captionsIn(x captionIndex) []*caption {
	var all []*caption
	for _, l := range s.lines {
		for i, c := range l.cells {
			all = append(all, s.inCell(x, l, i, c)...)
		}
	}
	return all
}

// parted reports whether the space before a word is wider than between the others of
// its cell, as between a caption and its value.
func parted(words []*word, at int) bool {
	if at >= len(words) {
		return false
	}
	space := func(i int) float64 { return words[i].Box.Left - words[i-1].Box.Right }
	usual := captionGap * tall(words[at])
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

// captionGap is the space, in heights, that parts a caption from its value as well as
// a colon does: more than between words.
const captionGap = 0.45

func (s *sheet) inCell(x captionIndex, l *line, i int, c cell) []*caption {
	var all []*caption
	prose := len(c.words) > 14
	for at := 0; at < len(c.words); {
		start := at
		if at == 0 {
			start = skipNumbering(c.words)
		}
		e, n := x.match(c.words[start:])
		if n == 0 {
			at++
			continue
		}
		m := caption{words: c.words[at : start+n], line: l, cell: i, at: at, after: start + n, phrase: strings.Join(e.pieces, " ")}
		m.colon = endsCaption(c.words[start+n-1].Text)
		m.absorb(x, e, c.words)
		m.colon = m.colon || parted(c.words, m.after) || m.whole() && i+1 < len(l.cells) && strings.HasPrefix(l.cells[i+1].words[0].Text, ":")
		inside := at > 0 && !endsCaption(c.words[at-1].Text) && !numbering(c.words[at-1].Text) && (len(all) == 0 || all[len(all)-1].after != at)
		if inside && m.whole() && strings.HasSuffix(c.words[at-1].Text, "/") && len(all) == 0 && !slices.ContainsFunc(c.words[:at], func(w *word) bool { return containsDigit(w.Text) && !numbering(w.Text) }) {
			inside = false // "Carrier's reference / Booking No."
		}
		numbered := m.numbered()
		switch {
		// Within a sentence such words are words.
		case prose && !(at == 0 && m.colon):
		case inside && !m.colon && !numbered:
		case at > 0 && m.phrase == "NO": // of what is said before
		case inside && len(e.fields) == 0:
		// The end of a caption that is not known, as in "Arr. date:".
		case inside && len(all) == 0 && (weak[m.phrase] || m.phrase == "DATE") && !parted(c.words, at) && letters(c.words[at-1].Text) > 0:
			all = append(all, &m)
		// A heading is no caption, unless a colon says so.
		case !m.colon && m.whole() && tall(c.words[0]) > 1.45*s.height && len(l.cells) < 3:
		default:
			fields := e.fields
			if !m.colon && !m.whole() {
				// What goes on without a colon is a value only where its form says so.
				fields = slices.DeleteFunc(slices.Clone(fields), func(f *field) bool {
					return !strict(f) && f.parts == nil || f.kind == tracking.FieldPlace && len(e.pieces) == 1
				})
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
	return all
}

// numbered reports whether a caption announces a number, so that one may follow it
// in the midst of a line.
func (c *caption) numbered() bool {
	rest := c.rest()
	if len(rest) == 0 {
		return false
	}
	last := c.phrase[strings.LastIndex(c.phrase, " ")+1:]
	if last == "SCAC" {
		return len(rest[0].Text) == 4 && rest[0].Text == strings.ToUpper(rest[0].Text)
	}
	return containsDigit(rest[0].Text) && slices.Contains([]string{"NO", "NUMBER", "BL", "SEAL", "ETA", "ETD", "LFD", "REF", "ISSUED", "DATE", "IMO", "FIRMS", "VOY"}, last)
}

// skipNumbering tells how many words before a caption only number its box: "(2)",
// "14." or "5a)".
func skipNumbering(words []*word) int {
	if len(words) > 1 && numbering(words[0].Text) {
		return 1
	}
	return 0
}

func numbering(text string) bool {
	core := strings.Trim(text, "().:")
	return core != text && len(core) >= 1 && len(core) <= 3 && core[0] >= '0' && core[0] <= '9'
}

// absorb takes what belongs to a caption besides its words: a remark in brackets,
// the same in another language after a stroke, a colon that stands alone.
func (c *caption) absorb(x captionIndex, own entry, words []*word) {
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
		case text == ":" || text == "：":
			c.colon = true
			c.after++
		case strings.TrimSuffix(text, ":") == "#" || text == "№", currencyCodes[strings.Trim(text, "():")] && c.after+1 == len(words):
			c.colon = endsCaption(text)
			c.after++
		case strings.HasPrefix(text, "(") && !containsDigit(text):
			end := c.after
			for end < len(words) && !strings.Contains(words[end].Text, ")") {
				end++
			}
			if end == len(words) {
				c.after = end // the remark goes on in the next line
				c.words = words[c.at:end]
				return
			}
			c.colon = endsCaption(words[end].Text)
			c.after = end + 1
		case text == "/" || text == "|" || text == "-" || text == "–":
			if c.after+1 == len(words) {
				c.after++
				return
			}
			if numbering(words[c.after+1].Text) {
				return // another box
			}
			if e, n := x.match(words[c.after+1:]); n > 0 && alike(e, own) {
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
			// Whatever follows up to a colon, or to the cell's end without a digit.
			for i := c.after + 1; i < len(words); i++ {
				if endsCaption(words[i].Text) {
					c.after, c.colon = i+1, true
					return
				}
			}
			if text != "-" && text != "–" && !slices.ContainsFunc(words[c.after+1:], func(w *word) bool { return containsDigit(w.Text) }) && len(words)-c.after <= 5 {
				c.after = len(words)
			}
			return
		default:
			// The same caption again, in another language, without a stroke.
			if e, n := x.match(words[c.after:]); n > 0 && len(e.fields) > 0 && alike(e, own) {
				c.after += n
				c.colon = endsCaption(words[c.after-1].Text)
				continue
			}
			return
		}
	}
	c.words = c.line.cells[c.cell].words[c.at:min(c.after, len(words))]
}

// opened reports whether a bracket is open at the end of words.
func opened(words []*word) bool {
	text := say(words)
	return strings.LastIndex(text, "(") > strings.LastIndex(text, ")")
}

// alike reports whether two captions are of the same field, or one of none.
func alike(a, b entry) bool {
	return len(a.fields) == 0 || slices.ContainsFunc(a.fields, func(f *field) bool { return slices.Contains(b.fields, f) })
}

func containsDigit(s string) bool { return strings.IndexFunc(s, unicode.IsDigit) >= 0 }
func digit(s string) bool         { return s != "" && unicode.IsDigit(rune(s[0])) }
