package geometry

import (
	"cmp"
	"slices"

	"github.com/landfallhq/tracking"
)

// Rule puts lines on an upright page, and finds the cells that they enclose and the cell of
// each word: the smallest that has its middle.
func Rule(p *tracking.TextPage, drawn []Segment) {
	p.Lines = joined(drawn)
	var across, down []span
	for _, l := range p.Lines {
		if l.Right-l.Left > l.Bottom-l.Top {
			across = append(across, span{(l.Top + l.Bottom) / 2, l.Left, l.Right})
		} else {
			down = append(down, span{(l.Left + l.Right) / 2, l.Top, l.Bottom})
		}
	}
	squareCorners(across, down)
	table := 0
	for _, g := range grids(across, down) {
		if cells := g.cells(table + 1); len(cells) > 0 {
			p.Cells = append(p.Cells, cells...)
			table++
		}
	}
	Enclose(p)
}

// squareCorners extends lines to the corners of boxes whose corners are round: the ends of both are as
// far from the corner, and touch no other line.
func squareCorners(across, down []span) {
	const most = 12.0 // points
	free := func(at, end float64, others []span) bool {
		return !slices.ContainsFunc(others, func(o span) bool {
			return abs(o.at-end) <= together && at >= o.from-together && at <= o.to+together
		})
	}
	type end struct {
		line *span
		at   *float64
		out  float64 // the direction in which the line would go on
	}
	ends := func(lines, others []span) (all []end) {
		for i := range lines {
			l := &lines[i]
			if free(l.at, l.from, others) {
				all = append(all, end{l, &l.from, -1})
			}
			if free(l.at, l.to, others) {
				all = append(all, end{l, &l.to, 1})
			}
		}
		return all
	}
	flat, upright := ends(across, down), ends(down, across)
	for _, h := range flat {
		for _, v := range upright {
			dx, dy := h.out*(v.line.at-*h.at), v.out*(h.line.at-*v.at)
			if dx > together && dx < most && abs(dx-dy) < 1 {
				*h.at, *v.at = v.line.at, h.line.at
			}
		}
	}
}

// grid is lines that touch one another.
type grid struct{ across, down []span }

// grids returns the lines that touch as grids, top to bottom, and lines of one length below
// one another, with nothing between them at their sides, as a grid of one column.
func grids(across, down []span) []grid {
	set := newSet(len(across) + len(down))
	for i, h := range across {
		for j, v := range down {
			if v.at >= h.from-together && v.at <= h.to+together && h.at >= v.from-together && h.at <= v.to+together {
				set.join(i, len(across)+j)
			}
		}
	}
	at := map[int]int{}
	var all []grid
	of := func(i int) *grid {
		root := set.find(i)
		k, ok := at[root]
		if !ok {
			k = len(all)
			at[root] = k
			all = append(all, grid{})
		}
		return &all[k]
	}
	for i, h := range across {
		g := of(i)
		g.across = append(g.across, h)
	}
	for j, v := range down {
		g := of(len(across) + j)
		g.down = append(g.down, v)
	}
	return withRows(all)
}

// withRows joins lines that stand alone and are alike.
func withRows(all []grid) []grid {
	var out []grid
	var alone []span
	for _, g := range all {
		switch {
		case len(g.down) > 0:
			out = append(out, g)
		default:
			alone = append(alone, g.across...)
		}
	}
	for len(alone) > 0 {
		first := alone[0]
		like := func(s span) bool { return abs(s.from-first.from) <= together && abs(s.to-first.to) <= together }
		g := grid{}
		for _, s := range alone {
			if like(s) {
				g.across = append(g.across, s)
			}
		}
		alone = slices.DeleteFunc(alone, like)
		const enough = 3
		if len(g.across) >= enough {
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b grid) int { return cmp.Compare(a.top(), b.top()) })
	return out
}

func abs(x float64) float64 { return max(x, -x) }

func (g grid) top() float64 {
	top := 0.0
	for i, s := range g.across {
		if i == 0 || s.at < top {
			top = s.at
		}
	}
	return top
}

// mostSquares bounds the smallest squares of a grid.
const mostSquares = 20_000

// cells returns the cells of a grid. Its outline counts as drawn: many tables have no lines
// at their sides. Parts that are no rectangles are left out.
func (g grid) cells(table int) []tracking.TextCell {
	xs, ys := g.marks()
	columns, rows := len(xs)-1, len(ys)-1
	if columns < 1 || rows < 1 || columns*rows > mostSquares || columns*rows == 1 && len(g.down) < 2 {
		return nil
	}
	set := newSet(columns * rows)
	right, below := g.walls(xs, ys)
	for r := range rows {
		for c := range columns {
			i := r*columns + c
			if c+1 < columns && !right[i] {
				set.join(i, i+1)
			}
			if r+1 < rows && !below[i] {
				set.join(i, i+columns)
			}
		}
	}
	type area struct{ top, bottom, left, right, squares int }
	areas := map[int]*area{}
	var order []*area
	for r := range rows {
		for c := range columns {
			root := set.find(r*columns + c)
			a := areas[root]
			if a == nil {
				a = &area{top: r, bottom: r, left: c, right: c}
				areas[root] = a
				order = append(order, a)
			}
			a.bottom, a.left, a.right = max(a.bottom, r), min(a.left, c), max(a.right, c)
			a.squares++
		}
	}
	var cells []tracking.TextCell
	for _, a := range order {
		high, wide := a.bottom-a.top+1, a.right-a.left+1
		if high*wide != a.squares {
			continue
		}
		cells = append(cells, tracking.TextCell{
			Box:   tracking.TextBox{Left: xs[a.left], Top: ys[a.top], Right: xs[a.right+1], Bottom: ys[a.bottom+1]},
			Table: table, Row: a.top + 1, Column: a.left + 1, Rows: high, Columns: wide,
		})
	}
	return cells
}

// marks returns where the columns and rows of a grid begin and end.
func (g grid) marks() (xs, ys []float64) {
	for _, s := range g.across {
		xs, ys = append(xs, s.from, s.to), append(ys, s.at)
	}
	// The ends of lines count at the outline alone.
	if len(xs) > 0 {
		xs = []float64{slices.Min(xs), slices.Max(xs)}
	}
	var ends []float64
	for _, s := range g.down {
		xs, ends = append(xs, s.at), append(ends, s.from, s.to)
	}
	if len(ends) > 0 {
		ys = append(ys, slices.Min(ends), slices.Max(ends))
	}
	return distinct(xs), distinct(ys)
}

// distinct sorts marks, and leaves one of those that are together.
func distinct(all []float64) []float64 {
	slices.Sort(all)
	return slices.CompactFunc(all, func(a, b float64) bool { return abs(a-b) <= together })
}

// walls returns whether there is a line at the right of each square, and below it.
func (g grid) walls(xs, ys []float64) (right, below []bool) {
	columns, rows := len(xs)-1, len(ys)-1
	right, below = make([]bool, columns*rows), make([]bool, columns*rows)
	for _, s := range g.down {
		c := nearest(xs, s.at) - 1
		if c < 0 || c >= columns {
			continue
		}
		for r := range rows {
			right[r*columns+c] = right[r*columns+c] || covers(s, ys[r], ys[r+1])
		}
	}
	for _, s := range g.across {
		r := nearest(ys, s.at) - 1
		if r < 0 || r >= rows {
			continue
		}
		for c := range columns {
			below[r*columns+c] = below[r*columns+c] || covers(s, xs[c], xs[c+1])
		}
	}
	return right, below
}

// covers reports whether a line goes along most of a side.
func covers(s span, from, to float64) bool {
	return min(s.to, to)-max(s.from, from) >= 0.6*(to-from)
}

func nearest(marks []float64, x float64) int {
	best := 0
	for i, m := range marks {
		if abs(m-x) < abs(marks[best]-x) {
			best = i
		}
	}
	return best
}

// Enclose finds the cell of each word.
func Enclose(p *tracking.TextPage) {
	const most = 20_000_000
	if len(p.Cells)*len(p.Words) > most {
		return
	}
	size := func(i int) float64 {
		return (p.Cells[i].Box.Right - p.Cells[i].Box.Left) * (p.Cells[i].Box.Bottom - p.Cells[i].Box.Top)
	}
	order := make([]int, len(p.Cells))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(a), size(b)) })
	for k := range p.Words {
		w := &p.Words[k]
		x, y := (w.Box.Left+w.Box.Right)/2, (w.Box.Top+w.Box.Bottom)/2
		for _, i := range order {
			if b := p.Cells[i].Box; x >= b.Left && x <= b.Right && y >= b.Top && y <= b.Bottom {
				w.Cell = i + 1
				break
			}
		}
	}
}

// set is a partition of numbers.
type set []int

func newSet(n int) set {
	s := make(set, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s set) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s set) join(a, b int) {
	a, b = s.find(a), s.find(b)
	s[max(a, b)] = min(a, b)
}
