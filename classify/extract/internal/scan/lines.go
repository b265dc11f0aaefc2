package scan

import (
	"github.com/landfallhq/tracking/classify/extract/internal/geometry"
)

// ruled finds the lines that are drawn on an upright picture, in dots, and makes them white:
// they disturb recognition.
func (g *Gray) ruled() []geometry.Segment {
	const length, thickness = 0.45 * PerInch, 0.04 * PerInch // longer than the strokes of letters, and thinner
	ink := g.ink(dark)
	across := ink.runs(length, thickness)
	down := ink.transposed().runs(length, thickness)
	var lines []geometry.Segment
	for _, r := range across {
		lines = append(lines, geometry.Segment{X0: float64(r.from), Y0: float64(r.at) + 0.5, X1: float64(r.to), Y1: float64(r.at) + 0.5})
		for x := max(r.from-1, 0); x < min(r.to+1, g.Width); x++ {
			g.erase(r.at, thickness, g.Height, func(y int) int { return y*g.Width + x })
		}
	}
	for _, r := range down {
		lines = append(lines, geometry.Segment{X0: float64(r.at) + 0.5, Y0: float64(r.from), X1: float64(r.at) + 0.5, Y1: float64(r.to)})
		for y := max(r.from-1, 0); y < min(r.to+1, g.Height); y++ {
			g.erase(r.at, thickness, g.Width, func(x int) int { return y*g.Width + x })
		}
	}
	return lines
}

// erase makes the ink through a dot of a line white, at right angles to it, unless it goes on
// as the stroke of a letter does. Fainter edges of the ink go with it.
func (g *Gray) erase(at, thickness, size int, index func(int) int) {
	const faint = 235
	if g.Pix[index(at)] > dark {
		return
	}
	from, to := at, at
	for from > 0 && g.Pix[index(from-1)] <= dark && at-from <= thickness {
		from--
	}
	for to < size-1 && g.Pix[index(to+1)] <= dark && to-at <= thickness {
		to++
	}
	if to-from+1 > thickness {
		return
	}
	between := func(v byte) bool { return v > dark && v <= faint }
	for from > 0 && between(g.Pix[index(from-1)]) && at-from <= thickness {
		from--
	}
	for to < size-1 && between(g.Pix[index(to+1)]) && to-at <= thickness {
		to++
	}
	for i := from; i <= to; i++ {
		g.Pix[index(i)] = 255
	}
}

// bitmap is where a picture is dark.
type bitmap struct {
	width, height int
	dark          []bool
}

func (g *Gray) ink(most byte) *bitmap {
	b := &bitmap{g.Width, g.Height, make([]bool, len(g.Pix))}
	for i, v := range g.Pix {
		b.dark[i] = v <= most
	}
	return b
}

func (b *bitmap) transposed() *bitmap {
	out := &bitmap{b.height, b.width, make([]bool, len(b.dark))}
	for y := range b.height {
		for x := range b.width {
			out.dark[x*b.height+y] = b.dark[y*b.width+x]
		}
	}
	return out
}

// run is a part of a line: dots in a row.
type run struct{ at, from, to int }

// runs returns the rows of at least so many dark dots that are thin: most of their dots have
// no more than thickness dark dots above one another. Small gaps are closed.
func (b *bitmap) runs(length, thickness int) []run {
	const gap = 3
	var all []run
	for y := range b.height {
		row := b.dark[y*b.width : (y+1)*b.width]
		for x := 0; x < b.width; x++ {
			if !row[x] {
				continue
			}
			from, last := x, x
			for ; x < b.width && x-last <= gap; x++ {
				if row[x] {
					last = x
				}
			}
			if r := (run{y, from, last + 1}); r.to-r.from >= length && b.thin(r, thickness) {
				all = append(all, r)
			}
		}
	}
	return all
}

func (b *bitmap) thin(r run, thickness int) bool {
	thick, all := 0, 0
	for x := r.from; x < r.to; x += 4 {
		n := 0
		for y := r.at; y >= 0 && b.dark[y*b.width+x] && n <= thickness; y-- {
			n++
		}
		for y := r.at + 1; y < b.height && b.dark[y*b.width+x] && n <= thickness; y++ {
			n++
		}
		if all++; n > thickness {
			thick++
		}
	}
	return 3*thick < all
}
