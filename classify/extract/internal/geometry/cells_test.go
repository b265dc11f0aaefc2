package geometry

import (
	"testing"

	"github.com/landfallhq/tracking"
)

// box has the lines of a box whose corners have a radius.
func box(left, top, right, bottom, radius float64) []Segment {
	return []Segment{
		{left + radius, top, right - radius, top}, {left + radius, bottom, right - radius, bottom},
		{left, top + radius, left, bottom - radius}, {right, top + radius, right, bottom - radius},
	}
}

// Boxes above one another with other edges are no columns, whether their corners are round or not.
func TestRoundBoxes(t *testing.T) {
	for _, radius := range []float64{0, 3.4, 8} {
		var p tracking.TextPage
		var all []Segment
		for _, b := range [][4]float64{{32, 90, 108, 116}, {112, 90, 210, 116}, {32, 120, 210, 175}, {32, 179, 108, 205}, {112, 179, 210, 205}} {
			all = append(all, box(b[0], b[1], b[2], b[3], radius)...)
		}
		p.Words = []tracking.TextWord{{Text: "VERRERIE", Box: tracking.TextBox{Left: 40, Top: 130, Right: 90, Bottom: 138}}, {Text: "VIMEU", Box: tracking.TextBox{Left: 98, Top: 130, Right: 122, Bottom: 138}}, {Text: "Navire", Box: tracking.TextBox{Left: 40, Top: 185, Right: 60, Bottom: 192}}}
		Rule(&p, all)
		if w := p.Words; w[0].Cell == 0 || w[0].Cell != w[1].Cell || w[0].Cell == w[2].Cell {
			t.Errorf("radius %v: the words are in the cells %d, %d and %d", radius, w[0].Cell, w[1].Cell, w[2].Cell)
		}
	}
}
