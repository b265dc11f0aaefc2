package scan

import (
	"cmp"
	"slices"
)

// blob is ink that hangs together: a letter, or a part of one.
type blob struct {
	x0, y0, x1, y1 int // without x1 and y1
	dots           int
}

func (b blob) height() int { return b.y1 - b.y0 }
func (b blob) width() int  { return b.x1 - b.x0 }

// blobs finds all ink that hangs together, also over corners.
func (b *bitmap) blobs() []blob {
	type stretch struct{ from, to, blob int }
	var parents []int
	var all []blob
	find := func(i int) int {
		for parents[i] != i {
			parents[i] = parents[parents[i]]
			i = parents[i]
		}
		return i
	}
	var above, row []stretch
	for y := range b.height {
		row = row[:0]
		line := b.dark[y*b.width : (y+1)*b.width]
		k := 0
		for x := 0; x < b.width; x++ {
			if !line[x] {
				continue
			}
			s := stretch{from: x, blob: -1}
			for x < b.width && line[x] {
				x++
			}
			s.to = x
			for k < len(above) && above[k].to < s.from {
				k++
			}
			for j := k; j < len(above) && above[j].from <= s.to; j++ {
				root := find(above[j].blob)
				if s.blob < 0 {
					s.blob = root
				} else if root != s.blob {
					a, c := min(root, s.blob), max(root, s.blob)
					parents[c] = a
					all[a] = all[a].with(all[c])
					s.blob = a
				}
			}
			here := blob{s.from, y, s.to, y + 1, s.to - s.from}
			if s.blob < 0 {
				s.blob = len(all)
				parents, all = append(parents, s.blob), append(all, here)
			} else {
				all[s.blob] = all[s.blob].with(here)
			}
			row = append(row, s)
		}
		above, row = row, above
	}
	var out []blob
	for i, v := range all {
		if parents[i] == i {
			out = append(out, v)
		}
	}
	return out
}

func (b blob) with(o blob) blob {
	return blob{min(b.x0, o.x0), min(b.y0, o.y0), max(b.x1, o.x1), max(b.y1, o.y1), b.dots + o.dots}
}

// piece is a run of text in one line, without wide gaps.
type piece struct {
	blob
	capital  int // height of capitals and digits
	baseline int
}

// solid reports whether a blob is a filled area, and no letter or dot.
func (b blob) solid() bool {
	const size = 0.06 * PerInch
	return b.height() > size && b.width() > size && 10*b.dots > 9*b.height()*b.width()
}

// pieces finds the pieces of text among the blobs of an upright picture, top to bottom.
func pieces(all []blob) []piece {
	const least, most = 0.03 * PerInch, 0.8 * PerInch
	var letters, marks []blob
	for _, b := range all {
		switch {
		case b.height() > most || b.width() > 2*most || b.solid():
			// a picture
		case b.height() >= least && b.height()*12 >= b.width():
			letters = append(letters, b)
		case b.dots >= 4 && b.width() <= most:
			marks = append(marks, b)
		}
	}
	slices.SortFunc(letters, func(a, b blob) int { return cmp.Or(cmp.Compare(a.x0, b.x0), cmp.Compare(a.y0, b.y0)) })
	groups := rows(letters)
	var out []piece
	for _, g := range groups {
		p := newPiece(g)
		if out = append(out, p...); p == nil {
			marks = append(marks, g...) // points and commas that are as large as letters of small type
		}
	}
	attach(out, marks)
	slices.SortFunc(out, func(a, b piece) int { return cmp.Or(cmp.Compare(a.baseline, b.baseline), cmp.Compare(a.x0, b.x0)) })
	return rejoined(out)
}

// rejoined joins pieces that touch on one baseline: the letters between them were broken.
func rejoined(all []piece) []piece {
	var out []piece
	for _, p := range all {
		i := len(out) - 1
		for ; i >= 0 && out[i].baseline >= p.baseline-p.capital/4; i-- {
			if o := out[i]; p.x0-o.x1 <= p.capital/2 && o.x0-p.x1 <= p.capital/2 && 4*abs(p.capital-o.capital) <= p.capital {
				break
			}
		}
		if i < 0 || out[i].baseline < p.baseline-p.capital/4 {
			out = append(out, p)
			continue
		}
		out[i].blob = out[i].with(p.blob)
	}
	return out
}

func abs(n int) int { return max(n, -n) }

// rows joins letters that follow one another, from left to right.
func rows(letters []blob) [][]blob {
	var groups [][]blob
	var open []int // groups whose last letter may be near
	for _, b := range letters {
		best, gap := -1, 0
		keep := open[:0]
		for _, i := range open {
			last := furthest(groups[i])
			size := max(b.height(), last.height())
			if b.x0-last.x1 > 3*size && b.x0-last.x1 > 200 {
				continue // too far behind for all that follow
			}
			keep = append(keep, i)
			shared := min(b.y1, last.y1) - max(b.y0, last.y0)
			// Not more than the space between words, with a colon before it, of a fixed width.
			if d := b.x0 - last.x1; 2*shared >= min(b.height(), last.height()) && 5*d <= 11*size && alike(b, last) && (best < 0 || d < gap) {
				best, gap = i, d
			}
		}
		open = keep
		if best < 0 {
			best = len(groups)
			groups = append(groups, nil)
			open = append(open, best)
		}
		groups[best] = append(groups[best], b)
	}
	return groups
}

// alike reports whether two blobs may be letters of one line; one may be a bar beside several.
func alike(a, b blob) bool {
	const bar = 0.25 * PerInch
	low, high := min(a.height(), b.height()), max(a.height(), b.height())
	return 3*low >= high && (high < bar || 5*low >= 2*high)
}

// furthest returns the end of a group: its last few letters as one, since ink that is broken
// leaves parts of letters, one above the other.
func furthest(group []blob) blob {
	last := group[len(group)-1]
	for _, b := range group[max(0, len(group)-3):] {
		last = last.with(b)
	}
	return last
}

// newPiece measures a row of letters. One whose letters are all small specks is none.
func newPiece(letters []blob) []piece {
	p := piece{blob: letters[0]}
	var heights, bottoms []int
	for _, b := range letters {
		p.blob = p.with(b)
		heights = append(heights, b.height())
		bottoms = append(bottoms, b.y1)
	}
	slices.Sort(heights)
	slices.Sort(bottoms)
	p.capital = heights[len(heights)*8/10]
	p.baseline = bottoms[len(bottoms)/2]
	if float64(p.capital) < 0.045*PerInch {
		return nil
	}
	return []piece{p}
}

// attach adds dots, commas, hyphens and accents to the piece that they stand beside.
func attach(all []piece, marks []blob) {
	const square = 128
	near := map[[2]int][]int{}
	for i, p := range all {
		for y := (p.y0 - p.capital) / square; y <= (p.y1+p.capital)/square; y++ {
			for x := (p.x0 - p.capital) / square; x <= (p.x1+p.capital)/square; x++ {
				near[[2]int{x, y}] = append(near[[2]int{x, y}], i)
			}
		}
	}
	grown := make([]blob, len(all))
	for i := range all {
		grown[i] = all[i].blob
	}
	for _, m := range marks {
		for _, i := range near[[2]int{(m.x0 + m.x1) / 2 / square, (m.y0 + m.y1) / 2 / square}] {
			p := &all[i]
			room := p.capital
			if m.x0 >= p.x0-room && m.x1 <= p.x1+room && m.y0 >= p.baseline-p.capital*14/10 && m.y1 <= p.baseline+p.capital*4/10 {
				grown[i] = grown[i].with(m)
				break
			}
		}
	}
	for i := range all {
		all[i].blob = grown[i]
	}
}
