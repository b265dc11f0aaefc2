package tracking

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// generationsFile has a line for each generation of each kind: name, generation, digest of
// the stored form. Lines are only added.
const generationsFile = "testdata/kinds.txt"

// TestGenerationsOfKinds compares all kinds with generationsFile. Where the stored form or the
// columns of a kind differ, its generation must be one higher (InGeneration, behind its
// newKind), and the file gets a further line. Every stored record of the kind is then
// rewritten, and older programs no longer write those. Where only a Go name differs, the
// struct tag "was" keeps the former name in the digest.
func TestGenerationsOfKinds(t *testing.T) {
	text, err := os.ReadFile(generationsFile)
	if err != nil {
		t.Fatal(err)
	}
	last, digests := map[string]int{}, map[string]string{}
	for line := range strings.Lines(string(text)) {
		var name, digest string
		var generation int
		if _, err := fmt.Sscan(line, &name, &generation, &digest); err != nil {
			t.Fatalf("%s: %q: %v", generationsFile, line, err)
		}
		if generation != last[name]+1 || digest == digests[name] {
			t.Errorf("%s: %q does not follow generation %d with the digest %s", generationsFile, line, last[name], digests[name])
		}
		last[name], digests[name] = generation, digest
	}
	for name, s := range registry {
		if got, want := fmt.Sprintln(name, s.Generation, s.Digest()), fmt.Sprintln(name, last[name], digests[name]); got != want {
			next := last[name] + 1
			t.Errorf("the kind is\n%s%s has\n%sA changed kind needs .InGeneration(%d) behind its newKind, and the line\n%s %d %s", got, generationsFile, want, next, name, next, s.Digest())
		}
		delete(last, name)
	}
	if len(last) > 0 {
		t.Errorf("%s has kinds that are no longer there: %v", generationsFile, last)
	}
}
