package unseen5_test

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/papers"
	"github.com/landfallhq/tracking/classify/corpus/unseen5"
)

// TestFrozen holds the sum of the manifest. If a file must change, this part is no longer unseen,
// and another must be drawn.
func TestFrozen(t *testing.T) {
	const frozen = "e32bf449bb8d8f333991b015e1b71526dfb94c810f325802aec1daf534742cca"
	if sum, err := papers.Sum(unseen5.Content); err != nil || sum != frozen {
		t.Errorf("the files are others: %s, frozen were %s; %v", sum, frozen, err)
	}
}

// TestPapers checks that each group has enough papers, of all types and of many layouts. Read
// checks their sums and their truth.
func TestPapers(t *testing.T) {
	least := papers.Least{Files: map[string]int{"a": 60, "b": 20, "c": 20, "d": 8, "e": 20, "f": 6, "g": 6, "h": 10}, OfType: 4, Layouts: 110}
	if err := papers.Check(unseen5.Part, unseen5.Content, least); err != nil {
		t.Error(err)
	}
}

func Example() {
	all, err := papers.Read(unseen5.Part, unseen5.Content)
	fmt.Println(len(all), err)
	// Output: 150 <nil>
}
