package seen5_test

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/papers"
	"github.com/landfallhq/tracking/classify/corpus/seen5"
)

// TestFrozen holds the sum of the manifest. If a file must change, this part is no longer unseen,
// and another must be drawn.
func TestFrozen(t *testing.T) {
	const frozen = "a5fa725953e8d8d8edb3359de9fe2eb805cca11b85fb3f3c6cf9a98337fa7dd9"
	if sum, err := papers.Sum(seen5.Content); err != nil || sum != frozen {
		t.Errorf("the files are others: %s, frozen were %s; %v", sum, frozen, err)
	}
}

// TestPapers checks that each group has enough papers, of all types and of many layouts. Read
// checks their sums and their truth.
func TestPapers(t *testing.T) {
	least := papers.Least{Files: map[string]int{"a": 50, "b": 18, "c": 14, "d": 10, "e": 18, "f": 8, "g": 6, "h": 12}, OfType: 6, Layouts: 45}
	if err := papers.Check(seen5.Part, seen5.Content, least); err != nil {
		t.Error(err)
	}
}

func Example() {
	all, err := papers.Read(seen5.Part, seen5.Content)
	fmt.Println(len(all), err)
	// Output: 136 <nil>
}
