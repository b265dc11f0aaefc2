// Package flow lays text out that has no places of its own: paragraphs and tables, below one
// another, on pages.
package flow

import (
	"strings"
	"unicode/utf8"

	"github.com/landfallhq/tracking"
)

// Block is a Paragraph, a Table or a Break.
type Block interface{ width(depth int) float64 }

// Paragraph is text, with its lines divided by "\n". Size is that of the font in points; 0 is
// the usual one.
type Paragraph struct {
	Text string
	Size float64
}

// Table is rows of cells.
type Table [][]Cell

// Cell is what is in a cell. Columns and Rows is how many it takes; 0 is one.
type Cell struct {
	Blocks        []Block
	Columns, Rows int
}

// Break begins a page.
type Break struct{}

// The measures of text, in points: a letter is half of its size wide.
const (
	usual    = 10.0
	leading  = 1.3 // the height of a line, in sizes
	ascent   = 0.93
	margin   = 36.0
	gap      = 14.0  // between columns: more than between words
	lineMost = 520.0 // width of a line of text
	cellMost = 300.0 // of one in a cell
	deepest  = 12    // tables in tables
)

// Pages lays blocks out. Pages are as high as what is on them, and at least that of A4.
func Pages(blocks []Block) []tracking.TextPage {
	var pages []tracking.TextPage
	p := &page{}
	end := func() {
		p.Width, p.Height = max(p.right+margin, 595), max(p.bottom+margin, 842)
		pages = append(pages, p.TextPage)
		p = &page{}
	}
	y := margin
	for _, b := range blocks {
		if _, ok := b.(Break); ok {
			if len(p.Words) > 0 {
				end()
				y = margin
			}
			continue
		}
		y = p.block(b, margin, y, lineMost, 0, 0)
	}
	end()
	return pages
}

// page is the page that is being filled.
type page struct {
	tracking.TextPage
	right, bottom float64
	tables        int
}

// block lays a block out from a place, and returns where it ends below. cell is that of its
// words: TextWord.Cell.
func (p *page) block(b Block, x, y, width float64, cell, depth int) float64 {
	switch b := b.(type) {
	case Paragraph:
		return p.paragraph(b, x, y, width, cell)
	case Table:
		if depth < deepest {
			return p.table(b, x, y, depth)
		}
	}
	return y
}

func (p *page) paragraph(b Paragraph, x, y, width float64, cell int) float64 {
	size := b.size()
	for line := range strings.SplitSeq(b.Text, "\n") {
		at := x
		for _, word := range strings.Fields(line) {
			wide := wordWidth(word, size)
			if at > x && at+wide > x+width {
				at, y = x, y+leading*size
			}
			p.Words = append(p.Words, tracking.TextWord{Text: word, Cell: cell, Box: tracking.TextBox{Left: at, Top: y, Right: at + wide, Bottom: y + ascent*size}})
			p.right, p.bottom = max(p.right, at+wide), max(p.bottom, y+ascent*size)
			at += wide + blank(size)
		}
		y += leading * size
	}
	return y
}

func (b Paragraph) size() float64 {
	if b.Size <= 0 {
		return usual
	}
	return min(max(b.Size, 4), 72)
}

func wordWidth(word string, size float64) float64 {
	return 0.5 * size * float64(utf8.RuneCountInString(word))
}

func blank(size float64) float64 { return 0.28 * size }

// width is that of the longest line.
func (b Paragraph) width(int) float64 {
	most := 0.0
	for line := range strings.SplitSeq(b.Text, "\n") {
		wide := 0.0
		for _, word := range strings.Fields(line) {
			wide += wordWidth(word, b.size()) + blank(b.size())
		}
		most = max(most, wide)
	}
	return most
}

func (Break) width(int) float64 { return 0 }

func (t Table) width(depth int) float64 {
	if depth >= deepest {
		return 0
	}
	sum := 0.0
	for _, w := range t.columns(depth) {
		sum += w
	}
	return sum
}

// grid is where the cells of a table are.
type gridCell struct {
	Cell
	row, column int
}

// grid places the cells in rows and columns, as merged ones leave room.
func (t Table) grid() (cells []gridCell, columns int) {
	const most = 1000 // columns
	var taken []int   // for each column, the rows that a cell from above still takes
	for r, row := range t {
		c := 0
		for _, cell := range row {
			for c < len(taken) && taken[c] > 0 {
				c++
			}
			cell.Columns, cell.Rows = min(max(cell.Columns, 1), most), min(max(cell.Rows, 1), len(t)-r)
			if c+cell.Columns > most {
				break
			}
			cells = append(cells, gridCell{cell, r, c})
			for len(taken) < c+cell.Columns {
				taken = append(taken, 0)
			}
			for k := c; k < c+cell.Columns; k++ {
				taken[k] = cell.Rows
			}
			c += cell.Columns
		}
		for k := range taken {
			taken[k] = max(taken[k]-1, 0)
		}
		columns = max(columns, len(taken))
	}
	return cells, columns
}

// columns returns how wide the columns are, each with the gap behind it.
func (t Table) columns(depth int) []float64 {
	cells, n := t.grid()
	widths := make([]float64, n)
	for _, c := range cells {
		if c.Columns == 1 {
			widths[c.column] = max(widths[c.column], c.natural(depth)+gap)
		}
	}
	for _, c := range cells {
		if c.Columns < 2 {
			continue
		}
		own, missing := widths[c.column:c.column+c.Columns], c.natural(depth)+gap
		for _, w := range own {
			missing -= w
		}
		for i := range own { // merged cells over columns that have no others
			own[i] += max(0, missing) / float64(len(own))
		}
	}
	return widths
}

// natural is how wide a cell would be: its tables whole, its text up to cellMost.
func (c Cell) natural(depth int) float64 {
	most := 0.0
	for _, b := range c.Blocks {
		w := b.width(depth + 1)
		if _, ok := b.(Paragraph); ok {
			w = min(w, cellMost)
		}
		most = max(most, w)
	}
	return most
}

func (p *page) table(t Table, x, y float64, depth int) float64 {
	cells, _ := t.grid()
	widths := t.columns(depth)
	lefts := make([]float64, len(widths)+1)
	lefts[0] = x
	for i, w := range widths {
		lefts[i+1] = lefts[i] + w
	}
	p.tables++
	number := p.tables
	tops := make([]float64, len(t)+1)
	tops[0] = y
	first := len(p.Cells)
	for k, r := 0, 0; r < len(t); r++ {
		tops[r+1] = max(tops[r+1], tops[r])
		for ; k < len(cells) && cells[k].row == r; k++ {
			c := cells[k]
			p.Cells = append(p.Cells, tracking.TextCell{Table: number, Row: r + 1, Column: c.column + 1, Rows: c.Rows, Columns: c.Columns})
			at, own := tops[r], len(p.Cells)
			width := max(lefts[c.column+c.Columns]-lefts[c.column]-gap, cellMost/2)
			for _, b := range c.Blocks {
				at = p.block(b, lefts[c.column], at, width, own, depth+1)
			}
			tops[r+c.Rows] = max(tops[r+c.Rows], at)
			p.Cells[own-1].Box = tracking.TextBox{Left: lefts[c.column], Right: lefts[c.column+c.Columns]}
		}
	}
	for i := first; i < len(p.Cells); i++ {
		if c := &p.Cells[i]; c.Table == number {
			c.Box.Top, c.Box.Bottom = tops[c.Row-1], tops[c.Row-1+c.Rows]
		}
	}
	return tops[len(t)]
}
