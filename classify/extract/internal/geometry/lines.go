package geometry

import (
	"cmp"
	"math"
	"slices"

	"github.com/landfallhq/tracking"
)

// Segment is a straight line on a page, in points.
type Segment struct{ X0, Y0, X1, Y1 float64 }

const (
	// together is how far apart, in points, lines are that count as one, and how wide the
	// gaps are that are closed.
	together = 3.0
	// shortest is the length of lines that are kept. Those of letters are shorter.
	shortest = 8.0
	// mostLines is the number of lines of a page, of which cells are made. More are a
	// drawing.
	mostLines = 2000
)

// joined returns the horizontal and vertical lines, joined where they continue.
func joined(all []Segment) []tracking.TextBox {
	var across, down []span
	for _, l := range all {
		dx, dy := math.Abs(l.X1-l.X0), math.Abs(l.Y1-l.Y0)
		switch {
		case dy <= 0.5+0.01*dx && dx > dy:
			across = append(across, span{(l.Y0 + l.Y1) / 2, min(l.X0, l.X1), max(l.X0, l.X1)})
		case dx <= 0.5+0.01*dy && dy > dx:
			down = append(down, span{(l.X0 + l.X1) / 2, min(l.Y0, l.Y1), max(l.Y0, l.Y1)})
		}
	}
	var lines []tracking.TextBox
	for _, s := range joinedSpans(across) {
		lines = append(lines, tracking.TextBox{Left: s.from, Top: s.at, Right: s.to, Bottom: s.at})
	}
	for _, s := range joinedSpans(down) {
		lines = append(lines, tracking.TextBox{Left: s.at, Top: s.from, Right: s.at, Bottom: s.to})
	}
	if len(lines) > mostLines {
		return nil
	}
	return lines
}

// span is a horizontal or vertical line: where it is, and from where to where it goes.
type span struct{ at, from, to float64 }

// joinedSpans joins lines that are together. Those that stay short are left out.
func joinedSpans(all []span) []span {
	slices.SortFunc(all, func(a, b span) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from)) })
	var out []span
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].at-all[n-1].at <= together/2 && all[n].at-all[0].at <= together {
			n++
		}
		row := slices.Clone(all[:n])
		all = all[n:]
		slices.SortFunc(row, func(a, b span) int { return cmp.Compare(a.from, b.from) })
		open := row[0]
		for _, s := range row[1:] {
			if s.from <= open.to+together {
				open.to = max(open.to, s.to)
				continue
			}
			out = append(out, open)
			open = s
		}
		out = append(out, open)
	}
	return slices.DeleteFunc(out, func(s span) bool { return s.to-s.from < shortest })
}
