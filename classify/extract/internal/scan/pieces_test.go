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
