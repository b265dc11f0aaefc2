package scan

import "testing"

// fill makes an area of a picture as dark as a value says.
func fill(g *Gray, x0, y0, x1, y1 int, v byte) {
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			g.Pix[y*g.Width+x] = v
		}
	}
}

// TestReverse: white letters on a dark bar are black on white afterwards; black letters, lines and small
// dark things stay what they are.
func TestReverse(t *testing.T) {
	g := newGray(1200, 400)
	fill(g, 103, 50, 1001, 111, 70)
	for i := range 30 {
		fill(g, 120+28*i, 64, 126+28*i, 94, 250) // letters
	}
	fill(g, 100, 200, 1000, 206, 0) // a line
	fill(g, 100, 300, 150, 350, 40) // a speck
	for i := range 30 {
		fill(g, 220+28*i, 300, 226+28*i, 330, 20)
	}
	g.reverse()
	for _, row := range []struct {
		what        string
		x, y        int
		least, most byte
	}{
		{"the ground of the bar", 110, 100, 250, 255}, {"its edge", 104, 51, 250, 255}, {"its other edge", 999, 109, 250, 255},
		{"a letter in it", 122, 80, 0, 20}, {"the paper", 50, 80, 255, 255}, {"a line", 500, 203, 0, 0}, {"a speck", 120, 320, 40, 40}, {"a letter", 222, 320, 20, 20},
	} {
		if v := g.Pix[row.y*g.Width+row.x]; v < row.least || v > row.most {
			t.Errorf("%s is %d, want %d to %d", row.what, v, row.least, row.most)
		}
	}
}
