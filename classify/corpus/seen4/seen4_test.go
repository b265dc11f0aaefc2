package seen4_test

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/papers"
	"github.com/landfallhq/tracking/classify/corpus/seen4"
)

// TestFrozen holds the sum of the manifest. If a file must change, this part is no longer unseen,
// and another must be drawn.
func TestFrozen(t *testing.T) {
	const frozen = "a0d377d7c1e7e1bbf003a40f45343b048f5ec45c9800a9227b0dbd10a03310a0"
	if sum, err := papers.Sum(seen4.Content); err != nil || sum != frozen {
		t.Errorf("the files are others: %s, frozen were %s; %v", sum, frozen, err)
	}
}

// TestPapers checks that each group has enough papers, of all types and of many layouts. Read
// checks their sums and their truth.
func TestPapers(t *testing.T) {
	least := papers.Least{Files: map[string]int{"a": 73, "b": 14, "c": 12, "d": 8, "e": 12, "f": 6}, OfType: 9, Layouts: 90}
	if err := papers.Check(seen4.Part, seen4.Content, least); err != nil {
		t.Error(err)
	}
}

func Example() {
	all, err := papers.Read(seen4.Part, seen4.Content)
	fmt.Println(len(all), err)
	// Output: 125 <nil>
}
