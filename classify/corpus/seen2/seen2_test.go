package seen2_test

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/papers"
	"github.com/landfallhq/tracking/classify/corpus/seen2"
)

// TestPapers checks that each group has enough papers, of all types and of many layouts. Read
// checks their sums and their truth.
func TestPapers(t *testing.T) {
	least := papers.Least{Files: map[string]int{"a": 90, "b": 35, "c": 25, "d": 20, "e": 40, "f": 12, "g": 12, "h": 20}, OfType: 10, Layouts: 50}
	if err := papers.Check(seen2.Part, seen2.Content, least); err != nil {
		t.Error(err)
	}
}

func Example() {
	all, err := papers.Read(seen2.Part, seen2.Content)
	fmt.Println(len(all), err)
	// Output: 300 <nil>
}
