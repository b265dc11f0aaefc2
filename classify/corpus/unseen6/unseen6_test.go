package unseen6_test

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/papers"
	"github.com/landfallhq/tracking/classify/corpus/unseen6"
)

// TestFrozen holds the sum of the manifest. If a file must change, this part is no longer unseen,
// and another must be drawn.
func TestFrozen(t *testing.T) {
	const frozen = "cfa0e9042e400873df79ab4087b994ecf898f20647e8af9b59af64c2d408e975"
	if sum, err := papers.Sum(unseen6.Content); err != nil || sum != frozen {
		t.Errorf("the files are others: %s, frozen were %s; %v", sum, frozen, err)
	}
}

// TestPapers checks that each group has enough papers, of all types and of many layouts. Read
// checks their sums and their truth.
func TestPapers(t *testing.T) {
	least := papers.Least{Files: map[string]int{"a": 100, "b": 15, "c": 15, "d": 8, "e": 16, "f": 6}, OfType: 10, Layouts: 140}
	if err := papers.Check(unseen6.Part, unseen6.Content, least); err != nil {
		t.Error(err)
	}
}

func Example() {
	all, err := papers.Read(unseen6.Part, unseen6.Content)
	fmt.Println(len(all), err)
	// Output: 160 <nil>
}
