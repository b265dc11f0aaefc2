package scan

import "testing"

// TestPiecesOfBrokenLetters: the parts of letters, one above the other, stay in their line, and
// so do the letters behind them.
func TestPiecesOfBrokenLetters(t *testing.T) {
	var all []blob
	for i := range 8 {
		x := 100 + 22*i
		if i < 3 {
			all = append(all, blob{x, 200, x + 16, 224, 120})
			continue
		}
		all = append(all, blob{x, 200, x + 14, 210, 60}, blob{x + 2, 213, x + 16, 224, 60})
	}
	got := pieces(all)
	if len(got) != 1 || got[0].x0 != 100 || got[0].x1 != 100+22*7+16 {
		t.Errorf("%+v", got)
	}
}

// TestBarsAreNoLetters: a bar beside two lines of text is no part of them.
func TestBarsAreNoLetters(t *testing.T) {
	all := []blob{{80, 200, 92, 286, 11 * 86}}
	for i := range 16 {
		x, y := 104+22*(i%8), 200+56*(i/8)
		all = append(all, blob{x, y, x + 16, y + 30, 240})
	}
	if got := pieces(all); len(got) != 3 || got[0].x0 != 104 || got[1].x0 != 80 || got[2].x0 != 104 {
		t.Errorf("%+v", got)
	}
}

// TestLargePoints: a point that is as high as letters of small type belongs to its figures.
func TestLargePoints(t *testing.T) {
	got := pieces([]blob{{100, 200, 120, 230, 300}, {124, 200, 144, 230, 300}, {148, 221, 157, 230, 80}})
	if len(got) != 1 || got[0].x1 != 157 {
		t.Errorf("%+v", got)
	}
}
