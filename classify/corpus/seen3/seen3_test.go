package seen3_test

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/papers"
	"github.com/landfallhq/tracking/classify/corpus/seen3"
)

// TestPapers checks that each group has enough papers, of all types and of many layouts. Read
// checks their sums and their truth.
func TestPapers(t *testing.T) {
	least := papers.Least{Files: map[string]int{"a": 60, "b": 16, "c": 15, "d": 10, "e": 20, "f": 8, "g": 7, "h": 10}, OfType: 7, Layouts: 100}
	if err := papers.Check(seen3.Part, seen3.Content, least); err != nil {
		t.Error(err)
	}
}

func Example() {
	all, err := papers.Read(seen3.Part, seen3.Content)
	fmt.Println(len(all), err)
	// Output: 152 <nil>
}
