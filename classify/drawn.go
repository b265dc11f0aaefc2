package classify

import (
	"slices"

	"github.com/landfallhq/tracking"
)

// drawnCell is a cell of the page as its lines enclose it, with its words line by line.
type drawnCell struct {
	*tracking.TextCell
	words []*word
	whole bool // it takes all columns of its table
}

// drawnRow is a row of a drawn table, which holds the lines of one row or of several. The zero
// value is none.
type drawnRow struct{ page, table, row int }

// otherTable reports whether two lines are in different tables.
func (d drawnRow) otherTable(o drawnRow) bool {
	return d.row > 0 && o.row > 0 && (d.page != o.page || d.table != o.table)
}

// drawnCells are the cells of each page, after its lines are known.
func (s *layout) drawnCells() [][]drawnCell {
	all := make([][]drawnCell, len(s.pages))
	for i := range s.pages {
		cells := s.pages[i].Cells
		all[i] = make([]drawnCell, len(cells))
		columns := map[int]int{} // of each table
		for _, c := range cells {
			columns[c.Table] = max(columns[c.Table], c.Column+c.Columns-1)
		}
		for k := range cells {
			all[i][k].TextCell = &cells[k]
			all[i][k].whole = cells[k].Columns >= columns[cells[k].Table]
		}
	}
	for _, l := range s.lines {
		for _, w := range l.words {
			if cells := all[w.page-1]; w.Cell > 0 && w.Cell <= len(cells) {
				cells[w.Cell-1].words = append(cells[w.Cell-1].words, w)
			}
		}
	}
	return all
}

// cellOf is the drawn cell of a word; nil for none.
func (s *layout) cellOf(w *word) *drawnCell {
	if cells := s.drawn[w.page-1]; w.Cell > 0 && w.Cell <= len(cells) {
		return &cells[w.Cell-1]
	}
	return nil
}

// rowOf is the drawn row of a line: that of its lowest cell. One that takes the whole width may
// hold many rows.
func (s *layout) rowOf(l *line) (row drawnRow) {
	height := 0.0
	for _, w := range l.words {
		c := s.cellOf(w)
		if c == nil || c.whole {
			continue
		}
		if h := c.Box.Bottom - c.Box.Top; row.row == 0 || h < height {
			row, height = drawnRow{w.page, c.Table, c.Row}, h
		}
	}
	return row
}

// together reports whether two lines are in one drawn row, or in rows below one another.
func together(above, below *line) bool {
	a, b := above.row, below.row
	return a.row > 0 && a.page == b.page && a.table == b.table && b.row-a.row >= 0 && b.row-a.row <= 1
}

// next are the cells at a drawn cell's right, and below it; nil for none.
func (s *layout) next(page int, of *drawnCell) (right, below *drawnCell) {
	cells := s.drawn[page-1]
	for i := range cells {
		c := &cells[i]
		if c.Table != of.Table {
			continue
		}
		if right == nil && c.Column == of.Column+of.Columns && c.Row < of.Row+of.Rows && of.Row < c.Row+c.Rows {
			right = c
		}
		if below == nil && c.Row == of.Row+of.Rows && c.Column < of.Column+of.Columns && of.Column < c.Column+c.Columns {
			below = c
		}
	}
	return right, below
}

// enclosed returns where the value of a caption can be by the cells that are drawn: in the
// caption's cell, or in those next to it. ok is false if no cell says so.
func (r *reader) enclosed(c *caption) (all []candidate, ok bool) {
	own := r.cellOf(c.words[0])
	if own == nil || own != r.cellOf(c.words[len(c.words)-1]) || !r.narrow(c, own) {
		return nil, false
	}
	if rest := r.filled(c, after(c, own.words)); len(rest) > 0 {
		sure := 0.95
		if len(c.rest()) > 0 {
			if sure = 0.97; !c.colon {
				return nil, false
			}
		}
		return []candidate{{rest, sure}}, true
	}
	if !c.whole() || len(after(c, own.words)) > 0 {
		return nil, false
	}
	right, below := r.next(c.line.page, own)
	for _, n := range []struct {
		cell *drawnCell
		near bool
	}{{right, r.beside || c.colon}, {below, !r.beside && !c.colon}} {
		if n.cell == nil || n.cell == below && n.cell.Columns > own.Columns+1 {
			continue
		}
		if words := r.filled(c, n.cell.words); len(words) > 0 {
			sure := 0.8
			if n.near {
				sure = 0.95
			}
			all = append(all, candidate{words, sure})
		}
	}
	if len(all) == 2 && all[1].sure > all[0].sure {
		slices.Reverse(all)
	}
	// A box with room for a value has none.
	return all, len(all) > 0 || own.Box.Bottom-boxAround(c.words).Bottom > 1.2*r.height
}

// narrow reports whether a drawn cell is a box of the caption: nothing else is next to it.
func (r *reader) narrow(c *caption, own *drawnCell) bool {
	box := boxAround(c.words)
	if own.Box.Bottom-own.Box.Top > 16*r.height || box.Left-own.Box.Left > 12*r.height {
		return false
	}
	if c.cell+1 < len(c.line.cells) && r.cellOf(c.line.cells[c.cell+1].words[0]) == own {
		return false
	}
	for _, w := range own.words {
		if o := r.captionOf[w]; o != nil && o.words[0] != c.words[0] && abs(w.Box.Left-box.Left) > r.height && o.words[0] == w {
			return false
		}
	}
	return true
}

// after are the words of a drawn cell that follow a caption.
func after(c *caption, words []*word) []*word {
	if i := slices.Index(words, c.words[len(c.words)-1]); i >= 0 {
		return words[i+1:]
	}
	return nil
}

// filled are the words of a value in a cell: as many lines as the field has, up to the next
// caption.
func (r *reader) filled(c *caption, words []*word) []*word {
	most := max(c.field.lines, 1)
	for i, w := range words {
		if r.taken[w] || r.captionOf[w] != nil && r.captionOf[w].words[0] == w && r.endsAt(c, r.captionOf[w].line, w) {
			words = words[:i]
			break
		}
	}
	rows := rowsOf(words)
	for len(rows) > 1 && len(trimmed(rows[0])) == 0 || len(rows) > 0 && r.remark(c, rows[0]) {
		rows = rows[1:]
	}
	wraps := most == 1 && c.field.kind == tracking.FieldText
	if wraps && len(rows) == 2 && !containsDigit(textOf(rows[1])) && len(rows[1]) < 4 {
		most = 2 // a name that is too long for its cell
	}
	return slices.Concat(rows[:min(most, len(rows))]...)
}
