package classify

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/landfallhq/tracking"
)

// header is the titles of a table.
type header struct {
	columns []column
	key     string // the column that every row has
	last    int    // the index of its last line among the layout's
	bottom  float64
}

// column is a column of a printed table; field is nil if it is not read.
type column struct {
	field       *field
	also        *field // whose values follow those of field, after a slash
	left, right float64
	title       []string // its pieces
	until       float64  // left edge of the next title; 0 for the last
}

// table reads a field that is a table: every part with a header, on all pages.
func (r *reader) table(f *field) []tracking.DocumentFields {
	x := r.columns[f]
	var rows []tracking.DocumentFields
	for i := 0; i < len(r.lines); i++ {
		h, ok := r.header(f, x, i)
		if !ok {
			continue
		}
		read := r.body
		if f.key == "number" {
			read = r.containerTable
		}
		part, last := read(f, h, i)
		if len(part) == 0 && r.under && f.key == "number" {
			part = r.bodyAbove(f, h, i)
			last = h.last
		}
		if len(part) == 0 {
			continue
		}
		for _, l := range r.lines[i : h.last+1] {
			for _, c := range l.cells {
				if f.name == "lines" || h.titled(c) {
					r.take(c.words)
				}
			}
		}
		rows = append(rows, part...)
		i = last
	}
	if f.name == "lines" {
		rows = r.withoutSums(f, rows)
	}
	return rows
}

// withoutSums drops rows that are the sum of all rows before or of those since the last such
// row, and rows that repeat the one before in another unit. A sum of all rows becomes the
// document's figures.
func (r *reader) withoutSums(f *field, rows []tracking.DocumentFields) []tracking.DocumentFields {
	var kept, group []tracking.DocumentFields
	for _, row := range rows {
		if len(kept) > 0 && again(row, kept[len(kept)-1]) {
			continue
		}
		whole := adds(row, kept)
		if whole || adds(row, group) {
			if whole {
				r.wholes(f, row)
			}
			group = nil
			continue
		}
		kept, group = append(kept, row), append(group, row)
	}
	return kept
}

// wholes makes the figures of a row that is the sum of all others those of the document.
func (r *reader) wholes(f *field, row tracking.DocumentFields) {
	for _, d := range row {
		name := d.Name
		if name == "amount" {
			name = "total"
		}
		i, c := slices.IndexFunc(r.rules.fields, func(o field) bool { return o.name == name }), columnOf(f, d.Name)
		if i < 0 || c < 0 || r.rules.fields[i].kind != f.columns[c].kind {
			continue
		}
		box := tracking.TextWord{Text: d.Value, Box: d.Box}
		r.kept[name] = append(r.kept[name], found{words: []*word{{TextWord: box, pieces: pieces(d.Value), page: d.Page}}, value: d.Value, normal: d.Normal, confidence: 0.85})
	}
}

// again reports whether a row has only weights or volumes that the row before has in another
// unit.
func again(row, before tracking.DocumentFields) bool {
	for _, d := range row {
		q, ok := d.Normal.(tracking.Quantity)
		if !ok {
			return false
		}
		b, present := before.Get(d.Name)
		if other, ok := b.Normal.(tracking.Quantity); !present || !ok || other.Unit == q.Unit {
			return false
		}
	}
	return true
}

// adds reports whether the figures of a row are the sums of other rows: at least two figures,
// and for a single other row only if a word says so.
func adds(row tracking.DocumentFields, others []tracking.DocumentFields) bool {
	equal := 0
	for _, d := range row {
		figure, ok := figureOf(d)
		if !ok || d.Name == "unit_price" || d.Name == "quantity" {
			continue
		}
		sum := 0.0
		for _, o := range others {
			if v, present := o.Get(d.Name); present {
				x, _ := figureOf(v)
				sum += x
			}
		}
		if abs(sum-figure) > 0.002*sum+0.0005 || sum == 0 {
			return false
		}
		equal++
	}
	if len(others) == 1 {
		description, present := row.Get("description")
		p := pieces(description.Value)
		return equal > 0 && (!present || len(p) <= 3 && slices.ContainsFunc(p, func(w string) bool { return w == "ALL" || totals[w] || w == "SUM" || w == "TODO" || w == "ALLES" }))
	}
	return equal >= 2
}

// figureOf is the figure of a cell.
func figureOf(d tracking.DocumentField) (float64, bool) {
	switch n := d.Normal.(type) {
	case tracking.Quantity:
		return n.Value, true
	case int64:
		return float64(n), true
	case float64:
		return n, true
	case tracking.Money:
		x, err := strconv.ParseFloat(n.Amount, 64)
		return x, err == nil
	}
	return 0, false
}

// header reads the line at i, with up to three more, as titles. It needs two columns of the
// table, including the key.
func (r *reader) header(f *field, x captionIndex, i int) (header, bool) {
	best, score := header{}, 0
	l := r.lines[i]
	if r.taken[l.words[0]] {
		return best, false
	}
	if l.numbered || len(l.cells) == 1 && strings.Count(textOf(l.words), ",") >= 3 || f.key == "number" && !l.words[0].recognized && !r.hasTitle(x, l) {
		return best, false // captions and values, not titles
	}
	others := func(l *line) bool {
		return slices.ContainsFunc(r.byLine[l], func(c *caption) bool { return c.field != nil && c.field.kind != tracking.FieldTable && c.whole() })
	}
	if f.key == "number" && (others(l) || i > 0 && l.top-r.lines[i-1].bottom < 0.5*r.height && others(r.lines[i-1])) &&
		!slices.ContainsFunc(r.titles(x, r.lines[i:i+1]).columns, func(c column) bool { return c.field != nil }) {
		return best, false // the captions of other fields, or their values
	}
	for more, levels, level := 0, 0, l; more <= mostTitleLines && i+more < len(r.lines); more++ {
		if more > 0 && f.key == "number" && containsDigit(strings.ReplaceAll(textOf(l.words), "3", "")) {
			break
		}
		last := r.lines[i+more]
		if more > 0 {
			above := r.lines[i+more-1]
			if middle(last.words[0])-middle(level.words[0]) > 0.7*r.height {
				levels++ // titles of one, two and three lines lie half a line apart
				level = last
			}
			if levels > 3 || last.page != l.page || !together(above, last) && last.top-above.bottom > 0.9*max(above.height(), r.height) || containsDigit(strings.ReplaceAll(textOf(last.words), "3", "")) {
				break
			}
			if last.row != above.row && !slices.ContainsFunc(r.titles(x, r.lines[i:i+more]).columns, func(c column) bool { return c.field != nil }) {
				break // the row above has no title
			}
		}
		h := r.titles(x, r.lines[i:i+more+1])
		h.last, h.bottom = i+more, last.bottom
		r.keyed(f, h)
		n := h.count(f)
		if n > score {
			best, score = h, n
		} else if score > 0 && n == score && more > 0 && h.within(best) {
			// Units, or the same in another language.
			best.last, best.bottom = h.last, h.bottom
			for c := range best.columns {
				best.columns[c].title = append(best.columns[c].title, h.titleAt(best.columns[c])...)
			}
		}
	}
	return best, score > 0
}

// hasTitle reports whether a line has a title, or a word that captions are made of.
func (r *reader) hasTitle(x captionIndex, l *line) bool {
	return slices.ContainsFunc(piecesOf(l.words), func(p string) bool { return wordsOfCaptions()[p] }) ||
		slices.ContainsFunc(r.titles(x, []*line{l}).columns, func(c column) bool { return c.field != nil })
}

// wordsOfCaptions are the words with a meaning in captions.
var wordsOfCaptions = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for p, is := range synonyms {
		for _, w := range strings.Fields(is) {
			all[p], all[w] = true, true
		}
	}
	return all
})

// keyed makes the column without a field that a container number is under that of the numbers.
func (r *reader) keyed(f *field, h header) {
	if f.key != "number" || h.last+1 >= len(r.lines) || slices.ContainsFunc(h.columns, func(c column) bool { return c.field != nil && c.field.name == f.key }) {
		return
	}
	at := columnOf(f, f.key)
	for _, c := range r.lines[h.last+1].cells {
		if all, _ := containersIn(fold(textOf(c.words))); at < 0 || len(all) == 0 {
			continue
		}
		for i, o := range h.columns {
			if o.field == nil && o.left < c.right() && c.left() < o.right {
				h.columns[i].field = &f.columns[at]
				return
			}
		}
	}
}

// titled reports whether a cell is part of a title of a field.
func (h header) titled(c cell) bool {
	return slices.ContainsFunc(h.columns, func(o column) bool {
		return o.field != nil && o.left < c.right() && c.left() < o.right
	})
}

func (r *reader) take(words []*word) {
	for _, w := range words {
		r.taken[w] = true
	}
}

// count is the number of the table's columns in the header; 0 if they are too few. It sets
// the key.
func (h *header) count(f *field) (n int) {
	seen := map[string]bool{}
	for _, c := range h.columns {
		for _, own := range []*field{c.field, c.also} {
			if own != nil && !seen[own.name] {
				seen[own.name] = true
				n++
			}
		}
	}
	h.key = f.key
	if !seen[f.key] {
		// In a table of goods any figures start a row.
		i := slices.IndexFunc(f.columns, func(c field) bool { return seen[c.name] && figures(&c) })
		if f.name != "lines" || i < 0 || n < 3 {
			return 0
		}
		h.key = f.columns[i].name
	}
	if n < 2 || f.needs != "" && !seen[f.needs] && !(n >= 4 && seen["quantity"] && len(h.columns) > 0 && h.columns[0].field == nil) {
		return 0
	}
	return n
}

// figures reports whether a column's values are numbers of something.
func figures(f *field) bool {
	switch f.kind {
	case tracking.FieldCount, tracking.FieldQuantity, tracking.FieldMoney:
		return true
	}
	return false
}

// within reports whether all columns are under those of another header.
func (h header) within(o header) bool { return len(h.columns) <= len(o.columns)+1 }

func (h header) titleAt(c column) []string {
	for _, o := range h.columns {
		if o.left < c.right && c.left < o.right {
			return o.title
		}
	}
	return nil
}

// titles combines the cells of lines into columns, and finds their fields.
func (r *reader) titles(x captionIndex, lines []*line) header {
	var h header
	type stack struct {
		words       []*word
		left, right float64
	}
	var stacks []stack
	for n, l := range lines {
		under := map[int][]cell{} // of this line, by the stack above
		cells, spacesBelow := l.cells, r.spacesBelow(l, x.byName["number"] != nil)
		if n > 0 {
			cells = r.titleCells(x, l, spacesBelow)
		}
		for _, c := range cells {
			if heightOf(c.words[0]) > stampHeight*r.height && x.byName["number"] != nil {
				continue // of a stamp across the titles
			}
			left, right := r.edges(c)
			i := slices.IndexFunc(stacks, func(s stack) bool { return left < s.right+1 && s.left < right+1 })
			if n > 0 && i >= 0 {
				under[i] = append(under[i], c)
				continue
			}
			parts := [][]*word{c.words}
			if left == c.left() {
				parts = titlesIn(x, c.words, len(lines) == 1)
			}
			for _, part := range parts {
				parts = append(parts[1:len(parts):len(parts)], r.parted(x, part, spacesBelow)...)
			}
			for _, part := range parts {
				if len(parts) > 1 {
					left, right = part[0].Box.Left, part[len(part)-1].Box.Right
				}
				stacks = append(stacks, stack{part, left, right})
			}
		}
		for i, above := range stacks[:len(stacks):len(stacks)] {
			cells := under[i]
			for k, c := range cells {
				// One title over several: "Weight (kg)" over "net" and "gross".
				left, right := r.edges(c)
				own := stack{slices.Concat(above.words, c.words), left, right}
				if len(cells) == 1 && r.cellOf(c.words[0]) != r.cellOf(above.words[0]) {
					own.left, own.right = min(above.left, left), max(above.right, right)
				}
				if k == 0 {
					stacks[i] = own
				} else {
					stacks = append(stacks, own)
				}
			}
		}
	}
	slices.SortStableFunc(stacks, func(a, b stack) int { return int(a.left - b.left) })
	for _, s := range stacks {
		own := column{field: fieldOf(x, s.words), left: s.left, right: s.right, title: piecesOf(s.words)}
		if f, also := twoOf(x, s.words); also != nil {
			own.field, own.also = f, also
		}
		if own.field == nil && len(own.title) == 1 && currencyCodes[own.title[0]] {
			if e := x.byMeaning["AMOUNT"]; len(e.fields) > 0 && e.fields[0].kind == tracking.FieldMoney {
				own.field = e.fields[0]
			}
		}
		if own.field != nil && own.field.name == "volume" && slices.Contains(own.title, "VOLUMES") && unitIn(own.title, true) == "" {
			if e := x.byMeaning["PACKAGE"]; len(e.fields) > 0 {
				own.field = e.fields[0] // of Portuguese: packages
			}
		}
		if own.field != nil && own.field.name == "gross_weight" && otherWeight(own.title) {
			own.field = nil
		}
		if own.field != nil && (each(own.field, own.title) || strings.HasPrefix(s.words[0].Text, "@")) {
			own.field, own.also = nil, nil
		}
		h.columns = append(h.columns, own)
	}
	for i := 1; i < len(h.columns); i++ {
		h.columns[i-1].until = h.columns[i].left
	}
	h.single()
	return h
}

// otherMass are words for weights that are not those of the goods with their packing.
var otherMass = set(`NET NETT NETTO NETO NW TARE TARA VGM VERIFIED`)

var grossMass = set(`GROSS GW BRUTTO BRUTO BRUT LORDO`)

// otherWeight reports whether a title is of another weight, and not of the gross weight too.
func otherWeight(title []string) bool {
	return slices.ContainsFunc(title, func(p string) bool { return otherMass[p] }) && !slices.ContainsFunc(title, func(p string) bool { return grossMass[p] }) &&
		slices.ContainsFunc(title[:min(2, len(title))], func(p string) bool { return otherMass[p] })
}

// titleCells are the cells of a line of titles, parted.
func (r *reader) titleCells(x captionIndex, l *line, spacesBelow [][2]float64) (cells []cell) {
	for _, c := range l.cells {
		for _, part := range r.parted(x, c.words, spacesBelow) {
			cells = append(cells, cell{part, l, piecesOf(part)})
		}
	}
	return cells
}

const (
	stampHeight    = 1.6 // from this many heights of text on, letters are of a stamp
	mostTitleLines = 12  // below the first one
	mostTitleWords = 40  // of one cell
)

// parted splits a title where a space runs through all rows with a container number, if what is
// before it or behind it is a title that is known, and the whole is not.
func (r *reader) parted(x captionIndex, words []*word, spacesBelow [][2]float64) [][]*word {
	if e, n := x.match(words); len(words) == 1 || len(words) > mostTitleWords || n == len(words) && len(e.fields) > 0 || strings.Count(textOf(words), "/") > 2 {
		return [][]*word{words} // one title, or a list of all
	}
	whole := titleField(x, words)
	for i := len(words) - 1; i > 0; i-- {
		left, right := words[i-1].Box.Right, words[i].Box.Left
		if strings.ContainsAny(words[i-1].Text, "/&") || strings.IndexAny(words[i].Text, "/&(") == 0 || otherMass[strings.Join(words[i-1].pieces, "")] ||
			!slices.ContainsFunc(spacesBelow, func(g [2]float64) bool { return max(left, g[0]) < min(right, g[1]) }) {
			continue
		}
		if !printedBelow(spacesBelow, boxAround(words[:i])) || !printedBelow(spacesBelow, boxAround(words[i:])) {
			continue
		}
		before, behind := titleField(x, words[:i]), titleField(x, words[i:])
		if behind != unitTitle && (whole == nil && (before != nil || behind != nil) || before != nil && behind != nil && before != behind) {
			return append(r.parted(x, words[:i], spacesBelow), r.parted(x, words[i:], spacesBelow)...)
		}
	}
	return [][]*word{words}
}

// printedBelow reports whether rows have something below a box, parted by spacesBelow: all of a column, or
// what takes half of the box. The end of a column next to it is neither.
func printedBelow(spacesBelow [][2]float64, b tracking.TextBox) bool {
	free := 0.0
	for i, g := range spacesBelow {
		free += max(0, min(g[1], b.Right)-max(g[0], b.Left))
		if i > 0 && spacesBelow[i-1][1] >= b.Left-1 && g[0] <= b.Right+1 {
			return true
		}
	}
	return 2*free <= b.Right-b.Left
}

// unitTitle stands for a unit alone, which goes on below a title.
var unitTitle = &field{}

// titleField is the field whose title words are as a whole, but for what is in brackets.
func titleField(x captionIndex, words []*word) *field {
	inside := false
	words = slices.DeleteFunc(slices.Clone(words), func(w *word) bool {
		inside = inside || strings.HasPrefix(w.Text, "(")
		drop := inside
		inside = inside && !strings.HasSuffix(w.Text, ")")
		return drop
	})
	e, n := x.match(words)
	if n < len(words) {
		e, _ = x.matchMeaning(words)
	}
	if len(e.fields) > 0 {
		return e.fields[0]
	}
	if p := piecesOf(words); len(p) == 1 && unitsOf[p[0]] != "" {
		return unitTitle
	}
	return nil
}

// spacesBelow are the spaces that run through the rows below a line: those with container numbers,
// or else with several figures.
func (r *reader) spacesBelow(above *line, numbered bool) (free [][2]float64) {
	const near, most = 8, 100 // lines to the first number, and in all
	var words []*word
	for _, l := range r.lines[above.at+1 : min(above.at+1+most, len(r.lines))] {
		if l.page != above.page || len(words) == 0 && l.at > above.at+near {
			break
		}
		if numbered && l.numbered || !numbered && l.figures > 2 {
			words = append(words, l.words...)
		}
	}
	slices.SortFunc(words, func(a, b *word) int { return cmp.Compare(a.Box.Left, b.Box.Left) })
	for i, right := 1, 0.0; i < len(words); i++ {
		right = max(right, words[i-1].Box.Right)
		if left := words[i].Box.Left; left > right+1 {
			free = append(free, [2]float64{right, left})
		}
	}
	return free
}

// edges are the limits of a cell of a line: those of its drawn cell, if nothing else is in it.
func (r *reader) edges(c cell) (left, right float64) {
	l := c.line
	k := slices.IndexFunc(l.cells, func(o cell) bool { return o.words[0] == c.words[0] })
	own := r.cellOf(c.words[0])
	alone := func(o cell) bool { return r.cellOf(o.words[0]) != own }
	if k < 0 || len(l.cells[k].words) > len(c.words) || own == nil || own.Box.Left+2 > c.left() || k > 0 && !alone(l.cells[k-1]) || k+1 < len(l.cells) && !alone(l.cells[k+1]) || own.whole {
		return c.left(), c.right()
	}
	return min(own.Box.Left+2, c.left()), max(own.Box.Right-2, c.right())
}

// single leaves one column for each field: of "Article" and "Description" the one whose title
// comes first in the field's captions.
func (h header) single() {
	for i, a := range h.columns {
		for j, b := range h.columns[:i] {
			if a.field == nil || a.field != b.field {
				continue
			}
			if a.rank() < b.rank() {
				h.columns[j].field = nil
			} else {
				h.columns[i].field = nil
			}
		}
	}
}

// rank is the index of a column's title in the captions of its field.
func (c column) rank() int {
	for i, caption := range c.field.captions {
		if p := strings.Fields(caption); startsWith(c.title, p) && (len(p) == len(c.title) || len(p) > 1 || i < 10) {
			return i
		}
	}
	return len(c.field.captions)
}

// titlesIn splits a cell with several titles that have too little space between them.
func titlesIn(x captionIndex, words []*word, alone bool) [][]*word {
	if _, n := x.match(words); n == 0 || n == len(words) {
		return [][]*word{words}
	}
	if _, one := x.matchMeaning(words); one {
		return [][]*word{words}
	}
	parts := titleParts(x, words)
	if !alone && slices.ContainsFunc(parts, func(p []*word) bool { _, ok := x.matchMeaning(p); return !ok }) {
		return [][]*word{words} // titles that continue below
	}
	return parts
}

func titleParts(x captionIndex, words []*word) [][]*word {
	var parts [][]*word
	begin := 0
	for at := 0; at < len(words); {
		_, n := x.match(words[at:])
		if n == 0 {
			at++
			continue
		}
		if before, _ := x.match(words[begin:at]); len(before.fields) > 0 {
			if e, _ := x.match(words[at:]); len(e.fields) > 0 && e.fields[0] == before.fields[0] {
				at += n
				continue
			}
		}
		if at > begin && at > 0 && !strings.HasPrefix(words[at].Text, "(") && !strings.ContainsAny(words[at-1].Text, "/&") {
			parts = append(parts, words[begin:at])
			begin = at
		}
		at += n
	}
	return append(parts, words[begin:])
}

// fieldOf finds the field of a title: by its start, or without words for counts and numbers.
func fieldOf(x captionIndex, words []*word) *field {
	words = words[skipNumbering(words):]
	if e, n := x.match(words); n == len(words) && n > 0 {
		return e.fields[0]
	}
	if e, ok := x.matchMeaning(words); ok {
		return e.fields[0]
	}
	// In a title in two languages the longer known part decides.
	first, n := x.match(words)
	for at := 1; at < len(words); at++ {
		if last, all := x.match(words[at:]); all == len(words)-at && len(last.pieces) > len(first.pieces) {
			return last.fields[0]
		}
	}
	if n > 0 {
		return first.fields[0]
	}
	for at := 1; at < len(words) && at < 3; at++ {
		if e, n := x.match(words[at:]); n > 0 && n >= len(words)-at {
			return e.fields[0]
		}
	}
	return nil
}

// each reports whether a column has the figures of one package, not of all.
func each(f *field, title []string) bool {
	if f.kind != tracking.FieldCount && f.kind != tracking.FieldQuantity || len(title) < 2 {
		return false
	}
	if packed[title[0]] && (title[1] == "NO" || title[1] == "NOS" || title[1] == "NUMBER" || title[1] == "NUMBERS") {
		return true // which packages, not how many
	}
	last := title[len(title)-1]
	if units[last] && len(title) > 2 {
		last = title[len(title)-2]
	}
	return slices.Contains(title, "PER") || slices.Contains(title, "EACH") || packed[last] && !packed[title[0]] && title[0] != "NO" && title[0] != "NUMBER" && title[0] != "TOTAL" && !slices.Contains(title, "OF") && f.name != "packages"
}

var packed = set(`CTN CTNS CARTON CARTONS PKG PKGS PACKAGE BOX CASE PALLET PLT BAG`)

// twoOf finds the fields of a title over two columns in one: "N.W. / G.W.".
func twoOf(x captionIndex, words []*word) (f, also *field) {
	parts := partsOf(words, 2)
	if len(parts) != 2 || len(parts[0]) == 0 || len(parts[1]) == 0 || len(words) > 8 {
		return nil, nil
	}
	first, ok := x.matchMeaning(parts[0])
	second, both := x.matchMeaning(parts[1])
	if !ok || !both || first.fields[0] == second.fields[0] || !figures(first.fields[0]) || !figures(second.fields[0]) {
		return nil, nil
	}
	return first.fields[0], second.fields[0]
}

// rowEnds are words that start a line below a table, or its sum.
var rowEnds = map[string]bool{"TOTAL": true, "TOTALS": true, "SUBTOTAL": true, "GRAND": true, "SUM": true, "GESAMT": true, "SUMME": true, "TOTALE": true, "TOTALES": true, "TOTALI": true, "TOTAUX": true, "TOTAIS": true, "TOTAAL": true, "TOPLAM": true, "GENEL": true, "SUMA": true, "SOMME": true, "INSGESAMT": true, "AMOUNT": true, "BALANCE": true, "SAY": true, "SUB": true}

// body reads the rows below a header. last is the index of their last line.
func (r *reader) body(f *field, h header, from int) (rows []tracking.DocumentFields, last int) {
	bottom, last := h.bottom, h.last
	summed := 0 // the line of the last sum
	page := r.lines[from].page
	var current, before map[string][]*word // the row, and the words above its figures
	keep := func() {
		if row := r.row(f, h, current); len(row) > 0 {
			rows = append(rows, row)
			for _, words := range current {
				r.take(words)
			}
		}
		current = nil
	}
	var closed drawnRow // of the row that is read, if it is drawn
	for i := h.last + 1; i < len(r.lines); i++ {
		l := r.lines[i]
		apart := l.top-bottom > 3.2*max(r.height, l.height()) && !together(r.lines[last], l)
		if l.page != page || apart || summed > 0 && i > summed+3 && current == nil {
			break
		}
		p := piecesOf(l.words)
		if len(p) == 0 {
			continue
		}
		if band := r.band(f, h, i); len(band) > 0 {
			keep()
			current, before, closed = r.assign(h, band...), nil, l.row
			h.widen(current)
			i += len(band) - 1
			bottom, last = r.lines[i].bottom, i
			continue
		}
		if end := sumOf(l); end != "" && !(end == "AMOUNT" && len(rows) == 0) {
			if end == "SUBTOTAL" || end == "SUB" || carried(p) {
				keep()
				bottom, last = l.bottom, i
				continue
			}
			r.sums(f, h, l)
			if f.name == "lines" && r.rules.code == packingList.code && l.figures >= 2 {
				// The goods of another container or package may follow.
				keep()
				bottom, last = l.bottom, i
				summed = i
				continue
			}
			break
		}
		if f.name == "lines" && taxes[p[0]] {
			keep()
			bottom, last = l.bottom, i
			continue
		}
		if slices.ContainsFunc(r.byLine[l], func(c *caption) bool { return c.field != nil && (c.colon || c.at == 0 && c.cell == 0 && c.whole()) }) {
			break
		}
		cells := r.assign(h, l)
		if closed.row > 0 && l.row != closed && current != nil && !r.begins(f, h, cells, l) {
			if together(r.lines[last], l) {
				bottom, last = l.bottom, i
				continue // a row without figures
			}
		}
		near := l.top-bottom < 0.9*r.height
		switch {
		case r.begins(f, h, cells, l):
			keep()
			h.widen(cells)
			current, closed = cells, drawnRow{}
			for name, words := range before {
				current[name] = append(words, current[name]...)
			}
			before = nil
		case current == nil:
			if l.top-h.bottom > 5*r.height && len(rows) == 0 {
				return rows, last
			}
			bottom = max(bottom, l.bottom)
			if onlyText(f, cells) && r.leads(f, h, i, 9*r.height) {
				before = joinedCells(before, cells)
			}
			continue
		case onlyText(f, cells) && r.leads(f, h, i, l.top-bottom):
			keep()
			before = cells
		case near && onlyText(f, cells):
			if l.top-bottom > 0.5*r.height {
				r.doubt(cells)
			}
			for name, words := range cells {
				current[name] = append(current[name], words...)
			}
		case l.top-bottom < 0.5*r.height && !containsDigit(textOf(cells[h.key])):
			// Some columns continue: units below figures, more words.
			for name, words := range cells {
				if i := columnOf(f, name); len(current[name]) == 0 || i >= 0 && f.columns[i].kind == tracking.FieldText {
					r.doubt(cells)
					current[name] = append(current[name], words...)
				}
			}
		case near && f.name == "lines":
			// A charge among the goods.
		case onlyText(f, cells) && r.heads(f, h, i, l.top-bottom):
			keep()
		default:
			keep()
			return rows, last
		}
		bottom, last = l.bottom, i
	}
	keep()
	return rows, last
}

// band are the lines from i on that are one row as it is drawn: of them together a row begins,
// and of each alone not more than one.
func (r *reader) band(f *field, h header, i int) []*line {
	first := r.lines[i]
	if first.row.row == 0 {
		return nil
	}
	end, begun := i, 0
	for ; end < len(r.lines) && r.lines[end].row == first.row && end < i+30; end++ {
		if l := r.lines[end]; r.begins(f, h, r.assign(h, l), l) {
			begun++
		}
	}
	band := r.lines[i:end]
	if begun > 1 || slices.ContainsFunc(band, func(l *line) bool { return sumOf(l) != "" }) {
		return nil
	}
	if begun == 0 && !r.begins(f, h, r.assign(h, band...), first) {
		return nil
	}
	return band
}

// bodyAbove reads the rows above a line of titles.
func (r *reader) bodyAbove(f *field, h header, from int) (rows []tracking.DocumentFields) {
	top := r.lines[from].top
	for i := from - 1; i >= 0; i-- {
		l := r.lines[i]
		if l.page != r.lines[from].page || top-l.bottom > 1.5*r.height {
			break
		}
		cells := r.assign(h, l)
		if !r.begins(f, h, cells, l) {
			break
		}
		if row := r.row(f, h, cells); len(row) > 0 {
			rows = append([]tracking.DocumentFields{row}, rows...)
			r.take(l.words)
		}
		top = l.top
	}
	return rows
}

// widen makes the columns of figures as wide as the figures, up to the next title. Otherwise
// the column of a sum could not be found.
func (h header) widen(cells map[string][]*word) {
	for i := range h.columns {
		c := &h.columns[i]
		if c.field == nil || !figures(c.field) || len(cells[c.field.name]) == 0 {
			continue
		}
		box := boxAround(cells[c.field.name])
		if i+1 == len(h.columns) || box.Right < h.columns[i+1].left-1 {
			c.right = max(c.right, box.Right)
		}
		if i == 0 || box.Left > h.columns[i-1].right+1 {
			c.left = min(c.left, box.Left)
		}
	}
}

// leads reports whether a line of text belongs to the row that begins below it, because there is
// more space above the line than below: texts of several lines are centred next to figures.
func (r *reader) leads(f *field, h header, i int, above float64) bool {
	const most = 4
	for k := i; k < i+most && k+1 < len(r.lines); k++ {
		l, next := r.lines[k], r.lines[k+1]
		space := next.top - l.bottom
		if next.page != l.page || space > 0.5*r.height || above < 1.4*space+0.25*r.height || sumOf(next) != "" {
			return false
		}
		cells := r.assign(h, next)
		if r.begins(f, h, cells, next) {
			return true
		}
		if !onlyText(f, cells) {
			return false
		}
	}
	return false
}

// heads reports whether a line of text stands above further rows of its table, such as the container
// that these goods are in: it is as near to the row below as to that above.
func (r *reader) heads(f *field, h header, i int, above float64) bool {
	if i+1 >= len(r.lines) || above > 1.6*r.height {
		return false
	}
	l, next := r.lines[i], r.lines[i+1]
	return next.page == l.page && next.top-l.bottom < above+0.2*r.height && sumOf(next) == "" && r.begins(f, h, r.assign(h, next), next)
}

// doubt marks the words of a line whose row is guessed.
func (r *reader) doubt(cells map[string][]*word) {
	for _, words := range cells {
		for _, w := range words {
			r.doubtful[w] = true
		}
	}
}

// joinedCells adds the words of a line to those of the lines above it.
func joinedCells(above, below map[string][]*word) map[string][]*word {
	if above == nil {
		return below
	}
	for name, words := range below {
		above[name] = append(above[name], words...)
	}
	return above
}

// sumOf is the word that makes a line the sum of a table or the end of it: the first, or one
// at the start or end of a short cell.
func sumOf(l *line) string {
	p := piecesOf(l.words)
	if len(p) > 0 && rowEnds[p[0]] {
		return p[0]
	}
	if len(p) < 16 && carried(p) {
		return p[0]
	}
	for _, c := range l.cells {
		if n := len(c.pieces); n > 0 && n <= 5 && (totals[c.pieces[0]] || totals[c.pieces[n-1]]) {
			return c.pieces[0]
		}
	}
	return ""
}

// figuresIn is the number of cells of a line that are figures.
func figuresIn(l *line) (n int) {
	for _, c := range l.cells {
		if digit(c.words[0].Text) && len(c.words) <= 2 {
			n++
		}
	}
	return n
}

// carried reports whether a line carries a sum over from the page before, or to the next.
func carried(p []string) bool {
	return slices.ContainsFunc([][]string{{"BROUGHT", "FORWARD"}, {"CARRIED", "FORWARD"}, {"CARRIED", "OVER"}, {"UBERTRAG"}, {"A", "REPORTER"}, {"REPORT"}, {"SUMA", "Y", "SIGUE"}, {"SUMA", "ANTERIOR"}, {"RIPORTO"}, {"A", "RIPORTARE"}, {"TRANSPORT", "A", "REPORTER"}}, func(w []string) bool { return has(p, w) })
}

// taxes are words for amounts that are added below the goods.
var taxes = set(`VAT KDV MWST UST IVA TVA GST IGST CGST SGST BTW`)

var totals = set(`TOTAL TOTALLY TOTALS SUBTOTAL TOTALE TOTALES TOTALI TOTAUX TOTAIS TOTAAL TOPLAM GESAMT GESAMTSUMME INSGESAMT`)

// sums reads the last row of a table as fields of the document: all packages, the total of
// amounts.
func (r *reader) sums(f *field, h header, l *line) {
	colons := 0
	for _, w := range l.words {
		if endsCaption(w.Text) {
			colons++
		}
	}
	if f.name != "lines" || colons > 1 {
		return // captions of their own say what these are
	}
	for name, words := range r.assign(h, l) {
		whole := name
		if name == "amount" {
			whole = "total"
		}
		i := slices.IndexFunc(r.rules.fields, func(o field) bool { return o.name == whole })
		c := columnOf(f, name)
		if i < 0 || c < 0 || r.rules.fields[i].kind != f.columns[c].kind {
			continue
		}
		if v, ok := r.cellValue(&f.columns[c], h, words); ok && containsDigit(v.value) {
			v.confidence *= 0.75
			r.kept[whole] = append(r.kept[whole], v)
		}
	}
}

// begins reports whether a line starts a row: it has a value in the key's column, and in a
// table of goods with several columns of figures a second figure.
func (r *reader) begins(f *field, h header, cells map[string][]*word, l *line) bool {
	if f.key == "number" {
		return len(l.containers()) > 0
	}
	words := cells[h.key]
	if len(words) == 0 {
		return false
	}
	i := columnOf(f, h.key)
	if i < 0 {
		return false
	}
	_, ok := r.value(&f.columns[i], words, &caption{words: words[:0:0], phrase: ""})
	if f.columns[i].kind == tracking.FieldQuantity && !ok {
		_, ok = r.marks.decimal(words[0].Text)
	}
	if !ok || f.name != "lines" {
		return ok && len(cells) >= 2
	}
	printed, filled := 0, 0
	for _, c := range h.columns {
		if c.field == nil || !figures(c.field) {
			continue
		}
		printed++
		if containsDigit(textOf(cells[c.field.name])) {
			filled++
		}
	}
	return filled >= min(2, printed) && len(cells) >= 2
}

// onlyText reports whether a line continues the text of the row above.
func onlyText(f *field, cells map[string][]*word) bool {
	for name := range cells {
		i := slices.IndexFunc(f.columns, func(c field) bool { return c.name == name })
		if i < 0 {
			return false
		}
		switch f.columns[i].kind {
		case tracking.FieldText, tracking.FieldCode, tracking.FieldContainer:
		default:
			return false
		}
	}
	return len(cells) > 0
}

// assign assigns the cells of a line to columns, from left to right, so that the sum of the
// distances to the titles is minimal. A figure aligned to the right is often not under its
// title, which is aligned to the left.
func (r *reader) assign(h header, lines ...*line) map[string][]*word {
	if len(lines) > 1 {
		all := map[string][]*word{}
		for _, l := range lines {
			for name, words := range r.assign(h, l) {
				all[name] = append(all[name], words...)
			}
		}
		return all
	}
	l := lines[0]
	type unit struct {
		words []*word
		cell  int
	}
	var units []unit
	for i, c := range l.cells {
		if under := h.under(c.left(), c.right()); under <= 1 {
			if k := slices.IndexFunc(c.words, func(w *word) bool { return slashedDate.MatchString(w.Text) }); k > 0 && digit(c.words[0].Text) {
				units = append(units, unit{c.words[:k], i}, unit{c.words[k:], i})
				continue
			}
			units = append(units, unit{c.words, i})
			continue
		}
		for k := range c.words {
			units = append(units, unit{c.words[k : k+1], i})
		}
	}
	if len(units) > len(h.columns) && len(units[0].words) == 1 && len(units[0].words[0].Text) < 4 && containsDigit(units[0].words[0].Text) && h.under(units[0].words[0].Box.Left, units[0].words[0].Box.Right) == 0 {
		units = units[1:] // the number of the row, which has no title
	}
	// cost[j] is the minimum cost of all units so far with the last one in column j;
	// from[i][j] is the column of the unit before.
	const far = 1e9
	n := len(h.columns)
	cost := make([]float64, n)
	from := make([][]int, len(units))
	for i, u := range units {
		from[i] = make([]int, n)
		next := make([]float64, n)
		for j := range n {
			next[j], from[i][j] = far, -1
			least, at := far, -1
			if i == 0 {
				least = 0
			}
			for k := 0; k <= j && i > 0; k++ {
				if k == j && units[i-1].cell != u.cell {
					break
				}
				if cost[k] < least {
					least, at = cost[k], k
				}
			}
			if least < far {
				next[j], from[i][j] = least+h.columns[j].gap(u.words), at
			}
		}
		cost = next
	}
	cells := map[string][]*word{}
	if len(units) == 0 || n == 0 {
		return cells
	}
	at := 0
	for j := range cost {
		if cost[j] < cost[at] {
			at = j
		}
	}
	if cost[at] >= far {
		return cells // more cells than columns: no row of this table
	}
	columns := make([]int, len(units))
	for i := len(units) - 1; i >= 0; i-- {
		columns[i] = at
		at = from[i][at]
	}
	for i, u := range units {
		// "540 boxes" under the title of their kind.
		if j := columns[i]; h.columns[j].field == nil && j > 0 && h.columns[j-1].field != nil && h.columns[j-1].field.kind == tracking.FieldCount && digit(u.words[0].Text) && len(u.words) == 2 && !slices.Contains(columns[:i], j-1) && len(h.columns[j].title) > 0 && kinds[h.columns[j].title[0]] {
			columns[i] = j - 1
		}
		f, gap := h.columns[columns[i]].field, h.columns[columns[i]].gap(u.words)
		if f == nil || gap >= 150 {
			continue
		}
		cells[f.name] = append(cells[f.name], u.words...)
		r.doubtful[u.words[0]] = gap > 3*r.height
	}
	return cells
}

// kinds are titles of a column for the kind of packages.
var kinds = set(`KIND KINDS TYPE CLASE TIPO ART GENRE NATURE TYP SOORT CINSI PACKING UNIT EMBALAJE`)

// gap is the distance of words from a column's title.
func (c column) gap(words []*word) float64 {
	if len(c.title) > 0 && currencyTitles[c.title[0]] && containsDigit(textOf(words)) {
		return 200 // amounts are next to their currency, not below its title
	}
	left, right := words[0].Box.Left, words[len(words)-1].Box.Right
	if d := max(c.left-right, left-c.right); d > 0 {
		if left > c.left && right < c.until-0.5 {
			return min(d, 2) // aligned to the right, under a title aligned to the left
		}
		return d
	}
	// If two titles are above, the one aligned with the words.
	return 0.01 * min(abs(c.left-left), abs(c.right-right))
}

var currencyTitles = set(`CURRENCY CURR CUR CCY MONEDA DEVISE WAHRUNG VALUTA`)

func (h header) under(left, right float64) (n int) {
	for _, c := range h.columns {
		if c.left < right && left < c.right {
			n++
		}
	}
	return n
}

// row reads the values of a row's cells.
func (r *reader) row(f *field, h header, cells map[string][]*word) tracking.DocumentFields {
	if cells == nil {
		return nil
	}
	var row tracking.DocumentFields
	h.part(cells)
	var extra tracking.DocumentFields
	cells["description"], extra = r.detailed(f, cells["description"])
	if f.key == "number" {
		return r.containerRow(f, h, cells)
	}
	if n := len(cells["description"]) - 1; f.name == "charges" && n > 0 && freightIn(cells["description"][n].pieces) != "" {
		cells["description"] = cells["description"][:n] // who pays it
	}
	// A number next to the kind of packages is theirs.
	if kind := cells["packages"]; len(kind) > 0 && !containsDigit(textOf(kind)) && len(cells["quantity"]) > 0 {
		cells["packages"] = cells["quantity"]
		delete(cells, "quantity")
	}
	// "120 PCS" under the title of the unit are both too.
	if words := cells["unit"]; len(words) == 2 && len(cells["quantity"]) == 0 && digit(words[0].Text) {
		cells["quantity"], cells["unit"] = words[:1], words[1:]
	}
	for i := range f.columns {
		c := &f.columns[i]
		words := cells[c.name]
		if len(words) == 0 {
			continue
		}
		if v, ok := r.cellValue(c, h, words); ok {
			v.confidence *= 0.95
			row = append(row, v.field(c))
		}
	}
	if words := cells["quantity"]; len(words) == 1 && len(cells["unit"]) == 0 {
		cells["quantity"] = apart(words[0])
	}
	// "120 PCS" under one title are quantity and unit.
	if words := cells["quantity"]; len(words) > 1 && len(cells["unit"]) == 0 {
		if i := slices.IndexFunc(f.columns, func(c field) bool { return c.name == "unit" }); i >= 0 && isUnit(words[len(words)-1].Text) {
			unit := words[len(words)-1:]
			row = append(row, found{words: unit, value: textOf(unit), normal: textOf(unit), confidence: 0.9}.field(&f.columns[i]))
		}
	}
	for _, d := range extra {
		if _, has := row.Get(d.Name); !has {
			row = append(row, d)
		}
	}
	return inOrder(f, row)
}

// originBehind is the country of origin behind a description: "CAST IRON VALVES C/O CN".
var originBehind = newExpression(`^C/O [A-Z]{2}$`)

// isUnit reports whether a word may be the unit of a quantity: of one letter it is one of metres.
func isUnit(s string) bool {
	return letters(s) > 1 || slices.Contains([]string{"M", "M2", "M3", "M²", "M³"}, strings.ToUpper(s))
}

// detailForm is a detail of the goods in a line below their description.
var (
	detailForm = newExpression(`(?i)^\(?(?:(?:container|eccn|(?:customs )?tariff|hs|nc|ncm|voce doganale|partida|code sh|hts|hsn|origin|country of origin|made in|article|item code|lot|batch|zolltarif(?:nr|nummer)?|taric|commodity code|ursprung|statistical)\b|h\.s\.)`)
	tariffForm = newExpression(`\b\d{4}[.\d]{2,9}\d\b`)
	originForm = newExpression(`(?i)\b(?:origin|made in|ursprung)[\s:]+([\pL][\pL ]+)`)
)

// detailed removes the lines with tariff code and origin from a description, and reads them.
func (r *reader) detailed(f *field, words []*word) ([]*word, tracking.DocumentFields) {
	if len(words) == 0 || f.name != "lines" {
		return words, nil
	}
	var kept []*word
	var extra tracking.DocumentFields
	if n := len(words) - 2; n > 0 && originBehind.MatchString(fold(textOf(words[n:]))) {
		if c := columnOf(f, "origin"); c >= 0 {
			code := fold(words[n+1].Text)
			extra = append(extra, found{words: words[n+1:], value: code, normal: code, confidence: 0.85}.field(&f.columns[c]))
		}
		words = words[:n]
	}
	for i, row := range rowsOf(words) {
		text := textOf(row)
		if i == 0 || !detailForm.MatchString(text) {
			kept = append(kept, row...)
			continue
		}
		if code := tariffForm.FindString(text); code != "" {
			if c := columnOf(f, "hs_code"); c >= 0 {
				extra = append(extra, found{words: row, value: code, normal: alnum(code), confidence: 0.85}.field(&f.columns[c]))
			}
		}
		if m := originForm.FindStringSubmatch(text); m != nil {
			if c := columnOf(f, "origin"); c >= 0 {
				extra = append(extra, found{words: row, value: m[1], normal: strings.TrimSpace(m[1]), confidence: 0.85}.field(&f.columns[c]))
			}
		}
	}
	return kept, extra
}

// apart splits "120PCS" into figure and unit.
func apart(w *word) []*word {
	i := strings.IndexFunc(w.Text, unicode.IsLetter)
	if i <= 0 || !digit(w.Text) || containsDigit(w.Text[i:]) {
		return []*word{w}
	}
	return slices.Concat(cutWord(w, w.Text[:i]), cutWord(w, w.Text[i:]))
}

// part assigns the words after slashes to the columns in the title.
func (h header) part(cells map[string][]*word) {
	for _, c := range h.columns {
		if c.field == nil || c.also == nil {
			continue
		}
		if parts := partsOf(cells[c.field.name], 2); len(parts) == 2 && len(parts[0]) > 0 && len(parts[1]) > 0 {
			cells[c.field.name], cells[c.also.name] = parts[0], parts[1]
		}
	}
}

// doubted is the part that remains of a score where the row or the column is guessed: such values
// are less than 0.7.
const doubted = 0.7

// cellValue reads a cell of a table.
func (r *reader) cellValue(c *field, h header, words []*word) (found, bool) {
	v, ok := r.undoubted(c, h, words)
	if slices.ContainsFunc(words, func(w *word) bool { return r.doubtful[w] }) {
		v.confidence *= doubted
	}
	return v, ok
}

func (r *reader) undoubted(c *field, h header, words []*word) (found, bool) {
	under := &caption{}
	for _, column := range h.columns {
		if column.field == c || column.also == c {
			under.words = []*word{{TextWord: tracking.TextWord{Text: strings.Join(column.title, " ")}, pieces: column.title}}
		}
	}
	if c.kind == tracking.FieldText {
		text := strings.Join(strings.Fields(textOf(words)), " ")
		return found{words: words, value: text, normal: text, confidence: 1}, text != ""
	}
	if c.name == "hs_code" {
		text := alnum(textOf(words))
		return found{words: words, value: textOf(words), normal: text, confidence: 1}, len(text) >= 4 && containsDigit(text)
	}
	return r.value(c, words, under)
}
