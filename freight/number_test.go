package freight_test

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
)

// TestFoldNumber compares folded numbers with what folding each character gives: numbers
// that are folded already take a shorter way.
func TestFoldNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Z0-9]{0,12}[ -é]?[A-Z0-9]*`)).Draw(t, "number")
		var want strings.Builder
		for _, r := range s {
			if !unicode.IsSpace(r) && !unicode.IsControl(r) && !strings.ContainsRune("-./_\\:#", r) {
				want.WriteRune(unicode.ToUpper(r))
			}
		}
		if got := freight.FoldNumber(s); got != want.String() {
			t.Fatalf("FoldNumber(%q) = %q, want %q", s, got, want.String())
		}
	})
}
