package journey

import (
	"strings"
	"testing"
)

// upperWords is the same with and without its short way.
//
// Seen to fail: with a short way that takes a space at the end.
func TestUpperWords(t *testing.T) {
	texts := []string{"", " ", "EMMA MAERSK", "EMMA  MAERSK", " EMMA", "EMMA ", "Emma Maersk", "104W", "1 04w", "A\tB", "A\u00a0B", "É 1", "ß", "A\x00B", "USOAK"}
	for _, s := range texts {
		for _, sep := range []string{"", " "} {
			want := strings.ToUpper(strings.Join(strings.Fields(s), sep))
			if got := upperWords(s, sep); got != want {
				t.Errorf("%q with %q between: %q, want %q", s, sep, got, want)
			}
		}
	}
	for _, s := range []string{"EMMA MAERSK", "104W"} {
		if n := testing.AllocsPerRun(10, func() { upperWords(s, " ") }); n != 0 {
			t.Errorf("%q: %v allocations", s, n)
		}
	}
}
