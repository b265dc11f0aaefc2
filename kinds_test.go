package tracking

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestRevisionsOfKinds compares the revisions of all kinds with testdata/kinds.txt. Another
// revision has every stored record of the kind written again: that is right where what is
// stored differs, and then the file gets the new one. Where only a Go name differs, the
// struct tag "was" keeps the former name in the revision.
func TestRevisionsOfKinds(t *testing.T) {
	var b strings.Builder
	for _, k := range allKinds() {
		fmt.Fprintln(&b, k.Name, k.Revision)
	}
	want, err := os.ReadFile("testdata/kinds.txt")
	if err != nil || b.String() != string(want) {
		t.Errorf("the kinds are\n%s\ntestdata/kinds.txt has (%v)\n%s", b.String(), err, want)
	}
}
