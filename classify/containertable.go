package classify

import (
	"math"
	"slices"
	"strconv"

	"github.com/landfallhq/tracking"
)

// containerTable reads the rows below a header, one for each container number in the column
// of numbers. The lines between two numbers are parted where nothing is printed in any column,
// so it does not matter whether cells are set at the top, in the middle or at the bottom. last
// is the index of the last line.
func (r *reader) containerTable(f *field, h header, from int) (rows []tracking.DocumentFields, last int) {
	last = h.last
	for first := h.last + 1; first < len(r.lines); {
		lines := r.lines[first:r.tableEnd(f, h, first)]
		var numbered []int
		for i := range lines {
			if r.beginsRow(lines[i:]) {
				numbered = append(numbered, i)
			}
		}
		if len(numbered) == 0 {
			break
		}
		h.nameByValues(f, r, lines, numbered)
		rows = append(rows, r.rowsAt(f, &h, lines, numbered)...)
		last = first + len(lines) - 1
		first = r.continued(f, h, last)
	}
	return rows, last
}

// tableEnd is the index of the first line below a table: a sum, the caption of something else,
// or what a wide space parts from the table.
func (r *reader) tableEnd(f *field, h header, first int) int {
	bottom, begun := h.bottom, false
	switch {
	case r.lines[first].page != r.lines[h.last].page:
		bottom, begun = r.lines[first].top, true
	case first > h.last+1: // below a sum
		bottom, begun = r.lines[first-1].bottom, true
	}
	for i := first; i < len(r.lines); i++ {
		l := r.lines[i]
		room := 3.2
		if !begun {
			room = 5
		}
		if l.page != r.lines[first].page || l.top-bottom > room*max(r.height, l.height()) && !together(r.lines[i-1], l) {
			return i
		}
		if l.row.row > 0 && l.row == r.lines[i-1].row && i > first {
			bottom = max(bottom, l.bottom)
			continue // whatever the words of a drawn row are
		}
		begun = begun || r.beginsRow(r.lines[i:])
		if sumOf(l) != "" && !r.beginsRow(r.lines[i:]) || slices.ContainsFunc(r.byLine[l], func(c *caption) bool {
			return c.field != nil && (c.colon || c.at == 0 && c.cell == 0 && c.whole())
		}) {
			return i
		}
		bottom = max(bottom, l.bottom)
	}
	return len(r.lines)
}

// ownerForm is the start of a container number whose digits are in the next line.
var ownerForm = newExpression(`^[A-Z]{3}[UJZ]-?$`)

// mostNumbersTried bounds how many pairs of an owner's code and digits are looked at in a line.
const mostNumbersTried = 50

func startsWithDigit(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }

// beginsRow reports whether the first of lines has a container number, or the owner's code above
// the digits in a narrow column.
func (r *reader) beginsRow(lines []*line) bool {
	if lines[0].numbered {
		return true
	}
	tries := 0
	for _, w := range lines[0].words {
		if !ownerForm.MatchString(w.Text) {
			continue
		}
		for _, l := range lines[1:min(4, len(lines))] {
			for _, v := range l.words {
				if abs(v.Box.Left-w.Box.Left) > 4*r.height || v.page != w.page || !startsWithDigit(v.Text) {
					continue
				}
				if tries++; tries > mostNumbersTried {
					return false
				}
				if all, _ := containersIn(fold(w.Text + v.Text)); len(all) > 0 {
					return true
				}
			}
		}
	}
	return false
}

// rowsAt reads the rows of the lines that have a number.
func (r *reader) rowsAt(f *field, h *header, lines []*line, numbered []int) (rows []tracking.DocumentFields) {
	begin := r.beginOf(lines, numbered[0])
	for k, at := range numbered {
		end := r.endOf(lines, numbered, k)
		cells := r.cellsOf(h, lines[begin:end], lines[at])
		if row := r.row(f, *h, cells); len(row) > 0 {
			rows = append(rows, withoutItself(row, lines[begin:end]))
			for _, words := range cells {
				r.take(words)
			}
			for _, w := range h.otherMasses(lines[begin:end]) {
				r.other[w] = true
			}
		}
		begin = end
	}
	return rows
}

// withoutItself removes the one package that is the container itself from a row whose load has
// others: "1 x 40HC" with "392 CARTONS".
func withoutItself(row tracking.DocumentFields, lines []*line) tracking.DocumentFields {
	others := func(l *line) bool {
		m := packageForm.FindStringSubmatch(fold(textOf(l.words)))
		return m != nil && m[1] != "1"
	}
	if n, ok := row.Get("packages"); !ok || n.Normal != int64(1) || !slices.ContainsFunc(lines, others) {
		return row
	}
	return slices.DeleteFunc(row, func(d tracking.DocumentField) bool { return d.Name == "packages" })
}

// beginOf is the first line of the first row, which may begin above its number.
func (r *reader) beginOf(lines []*line, at int) int {
	for at > 0 && lines[at].top-lines[at-1].bottom < 0.5*r.height {
		at--
	}
	return at
}

// endOf is the first line below the row of one of the numbers.
func (r *reader) endOf(lines []*line, numbered []int, k int) int {
	if k+1 < len(numbered) {
		return r.firstOfNext(lines, numbered[k], numbered[k+1])
	}
	end := numbered[k] + 1
	for end < len(lines) && lines[end].top-lines[end-1].bottom < 0.9*r.height && !lines[end].row.otherTable(lines[end-1].row) && !r.endsLoad(lines[end]) {
		end++
	}
	return end
}

// endsLoad reports whether a line below a container is of something else: a caption alone, or an amount.
func (r *reader) endsLoad(l *line) bool {
	return len(l.cells) == 1 && slices.ContainsFunc(r.byLine[l], func(c *caption) bool { return c.at == 0 && c.whole() }) ||
		slices.ContainsFunc(l.words, func(w *word) bool { return currencyIn(w.Text) != "" })
}

// cellsOf has the words of the lines of a row by column, in the order of the lines.
func (r *reader) cellsOf(h *header, lines []*line, numbered *line) map[string][]*word {
	cells := r.assign(*h, numbered)
	h.widen(cells)
	for _, l := range lines {
		if l != numbered || len(cells) == 0 {
			r.wrap(*h, cells, l)
		}
	}
	for name := range cells {
		slices.SortStableFunc(cells[name], func(a, b *word) int { return int(middle(a)-middle(b)) / int(max(1, 0.5*r.height)) })
	}
	if !isContainer(textOf(cells["number"])) {
		return map[string][]*word{"number": numbered.words} // the titles are not of this line
	}
	return cells
}

// otherMasses are the words under titles of weights that are not those of the goods.
func (h header) otherMasses(lines []*line) (words []*word) {
	for _, c := range h.columns {
		if c.field != nil || !otherWeight(c.title) {
			continue
		}
		for _, l := range lines {
			for _, o := range l.cells {
				if c.gap(o.words) < 1 {
					words = append(words, o.words...)
				}
			}
		}
	}
	return words
}

// firstOfNext is the first line of the row of the second of two numbers: below the widest space that no
// column fills. Where spaces are alike, cells begin at the top.
func (r *reader) firstOfNext(lines []*line, above, below int) int {
	at, widest, bottom := below, -1e9, lines[above].bottom
	for i := above + 1; i <= below; i++ {
		if a, b := lines[i-1].row, lines[i].row; a.row > 0 && b.row > 0 && a != b {
			return i
		}
		if space := lines[i].top - bottom; space > widest-0.1*r.height {
			at, widest = i, max(space, widest)
		}
		bottom = max(bottom, lines[i].bottom)
	}
	return at
}

// wrap adds the words of a further line of a row that are under a title, or near its side.
func (r *reader) wrap(h header, cells map[string][]*word, l *line) {
	for _, c := range l.cells {
		var best *column
		common := 0.0
		for i := range h.columns {
			o := &h.columns[i]
			if n := min(o.right, c.right()) - max(o.left, c.left()); n > common {
				best, common = o, n
			}
		}
		if best == nil {
			best = &h.columns[0]
			for i := range h.columns {
				if o := &h.columns[i]; o.gap(c.words) < best.gap(c.words) {
					best = o
				}
			}
		}
		if best.field == nil || common == 0 && best.gap(c.words) > 2*r.height {
			continue
		}
		name := best.field.name
		if figures(best.field) && (name != "packages" || letters(textOf(c.words)) < 2) && containsDigit(textOf(c.words)) && containsDigit(textOf(cells[name])) {
			continue // in another unit
		}
		cells[name] = append(cells[name], c.words...)
	}
}

// continued is the first line of a table below a sum or remarks, or on the next page, where it has no
// titles: that of a number below those before; the number of all lines if there is none.
func (r *reader) continued(f *field, h header, last int) int {
	summed := true // by all lines between
	for i := last + 1; i < len(r.lines) && r.lines[i].page <= r.lines[last].page+1; i++ {
		l, page := r.lines[i], r.lines[last].page
		if r.beginsRow(r.lines[i:]) {
			cells := r.assign(h, l)
			if l.page == page && summed || len(cells["number"]) > 0 && (l.page > page || len(cells) > 2) {
				return i
			}
			if l.page == page {
				break
			}
		}
		summed = summed && sumOf(l) != ""
		if _, ok := r.header(f, r.columns[f], i); ok && !summed {
			break
		}
	}
	return len(r.lines)
}

// nameByValues gives the columns whose titles are not known the field that their values have:
// first what says so in each value, and last the figures that only the others tell apart.
func (h *header) nameByValues(f *field, r *reader, lines []*line, numbered []int) {
	texts := make([][]string, len(h.columns))
	for _, at := range numbered {
		for _, o := range lines[at].cells {
			i := h.nearest(o.words)
			texts[i] = append(texts[i], fold(textOf(o.words)))
		}
	}
	for _, k := range columnForms {
		at := columnOf(f, k.name)
		if at < 0 || h.has(k.name) || k.after != "" && !h.has(k.after) {
			continue
		}
		var named []int
		for i, c := range h.columns {
			if c.field == nil && len(texts[i]) > 0 && k.is(r, texts[i], c.title) {
				named = append(named, i)
			}
		}
		if len(named) == 1 {
			h.columns[named[0]].field = &f.columns[at]
		}
	}
}

// has reports whether a column is of a field.
func (h header) has(name string) bool {
	return slices.ContainsFunc(h.columns, func(c column) bool { return c.field != nil && c.field.name == name })
}

// nearest is the index of the column whose title words are nearest to.
func (h header) nearest(words []*word) (at int) {
	for i := range h.columns {
		if h.columns[i].gap(words) < h.columns[at].gap(words) {
			at = i
		}
	}
	return at
}

// columnForms say which field all values of a column of containers are of; after is the column
// that the table must have too.
var columnForms = []struct {
	name, after string
	is          func(r *reader, texts, title []string) bool
}{
	{"size_type", "", func(_ *reader, texts, _ []string) bool {
		return all(texts, func(s string) bool { return sizeType(s) != "" && letters(s) > 0 })
	}},
	{"volume", "", func(_ *reader, texts, title []string) bool {
		return unitIn(title, true) != "" || all(texts, cubeForm.MatchString)
	}},
	{"packages", "", func(_ *reader, texts, _ []string) bool { return all(texts, packageForm.MatchString) }},
	{"seal", "", func(_ *reader, texts, _ []string) bool { return distinct(texts) && all(texts, sealAlone.MatchString) }},
	{"gross_weight", "", func(r *reader, texts, title []string) bool {
		least, most, _, ok := r.marks.span(texts)
		return ok && !otherWeight(title) && least >= 500 && most > 5000 && most < 80000 // tares are less; pounds
	}},
	{"volume", "gross_weight", func(r *reader, texts, title []string) bool {
		least, most, whole, ok := r.marks.span(texts)
		return ok && !whole && least >= 1 && most < 100
	}},
	{"packages", "gross_weight", func(r *reader, texts, title []string) bool {
		least, most, whole, ok := r.marks.span(texts)
		counted := distinct(texts) && int(most-least) == len(texts)-1 // the rows
		return ok && whole && !counted && !otherWeight(title) && most < 5000
	}},
}

func all(texts []string, is func(string) bool) bool {
	return !slices.ContainsFunc(texts, func(s string) bool { return !is(s) })
}

// distinct reports whether there are several texts, and no two alike.
func distinct(texts []string) bool {
	sorted := slices.Sorted(slices.Values(texts))
	return len(texts) > 1 && len(slices.Compact(sorted)) == len(texts)
}

// span has the least and the most of at least two figures that are not all alike; whole: none has a
// fraction.
func (n numbers) span(texts []string) (least, most float64, whole, ok bool) {
	least, whole = math.Inf(1), true
	for _, s := range texts {
		value, ok := n.decimal(s)
		x, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil {
			return 0, 0, false, false
		}
		least, most, whole = min(least, x), max(most, x), whole && x == math.Trunc(x)
	}
	return least, most, whole, most > least
}
