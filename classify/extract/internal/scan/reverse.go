package scan

// cell is the side of the squares by which dark areas are found, in dots.
const cell = PerInch / 25

// reverse makes white letters on a dark ground, as in the heads of tables, black letters on white.
func (g *Gray) reverse() {
	squares := g.darkSquares()
	for _, b := range squares.blobs() {
		const narrow, long = 2, 8 // squares
		if least, most := min(b.width(), b.height()), max(b.width(), b.height()); least < narrow || most < long || 10*b.dots < 7*b.width()*b.height() {
			continue
		}
		g.reverseArea(b.x0*cell, b.y0*cell, min(b.x1*cell, g.Width), min(b.y1*cell, g.Height))
	}
}

// darkSquares returns which squares of the picture are mostly dark.
func (g *Gray) darkSquares() *bitmap {
	b := &bitmap{width: (g.Width + cell - 1) / cell, height: (g.Height + cell - 1) / cell}
	counts := make([]int, b.width*b.height)
	for y := range g.Height {
		row := counts[y/cell*b.width:]
		for x, v := range g.row(y) {
			if v <= dark {
				row[x/cell]++
			}
		}
	}
	b.dark = make([]bool, len(counts))
	for i, n := range counts {
		b.dark[i] = 2*n >= cell*cell
	}
	return b
}

// reverseArea reverses an area, and what is as dark around it up to the width of a square. Its ground
// becomes white.
func (g *Gray) reverseArea(x0, y0, x1, y1 int) {
	mostlyDark := func(from, to int, at func(int) byte) bool {
		n := 0
		for i := from; i < to; i++ {
			if at(i) <= dark {
				n++
			}
		}
		return 2*n > to-from
	}
	column := func(x int) bool { return mostlyDark(y0, y1, func(y int) byte { return g.Pix[y*g.Width+x] }) }
	row := func(y int) bool { return mostlyDark(x0, x1, func(x int) byte { return g.Pix[y*g.Width+x] }) }
	for n := 0; n < cell && x0 > 0 && column(x0-1); n++ {
		x0--
	}
	for n := 0; n < cell && x1 < g.Width && column(x1); n++ {
		x1++
	}
	for n := 0; n < cell && y0 > 0 && row(y0-1); n++ {
		y0--
	}
	for n := 0; n < cell && y1 < g.Height && row(y1); n++ {
		y1++
	}
	ground := g.median(x0, y0, x1, y1)
	for y := y0; y < y1; y++ {
		part := g.row(y)[x0:x1]
		for i, v := range part {
			part[i] = byte(255 - max(0, int(v)-ground)*255/(255-ground))
		}
	}
}

// median returns the value that half of an area exceeds.
func (g *Gray) median(x0, y0, x1, y1 int) int {
	var counts [256]int
	for y := y0; y < y1; y++ {
		for _, v := range g.row(y)[x0:x1] {
			counts[v]++
		}
	}
	left, v := (x1-x0)*(y1-y0)/2, 0
	for ; v < dark; v++ {
		if left -= counts[v]; left < 0 {
			break
		}
	}
	return v
}
