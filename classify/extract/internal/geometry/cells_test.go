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

// Lines near a corner that have corners of their own stay where they are.
func TestCornersOfOthers(t *testing.T) {
	for name, boxes := range map[string][][4]float64{
		"a line in a box":    {{40, 100, 240, 205}, {45, 200, 235, 200}},
		"boxes with gutters": {{0, 0, 100, 50}, {106, 0, 200, 50}, {0, 56, 100, 100}, {106, 56, 200, 100}},
	} {
		var p tracking.TextPage
		var all []Segment
		for _, b := range boxes {
			if b[1] == b[3] {
				all = append(all, Segment{b[0], b[1], b[2], b[3]})
				continue
			}
			all = append(all, box(b[0], b[1], b[2], b[3], 0)...)
		}
		Rule(&p, all)
		for _, c := range p.Cells {
			found := false
			for _, b := range boxes {
				found = found || c.Box == tracking.TextBox{Left: b[0], Top: b[1], Right: b[2], Bottom: b[3]}
			}
			if !found {
				t.Errorf("%s: a cell at %v", name, c.Box)
			}
		}
	}
}
