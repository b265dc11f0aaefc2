package seen2_test

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/papers"
	"github.com/landfallhq/tracking/classify/corpus/seen2"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// TestPapers checks that each group has enough papers, of all types and of many layouts. Read
// checks their sums and their truth.
func TestPapers(t *testing.T) {
	all, err := papers.Read(seen2.Part, seen2.Content)
	if err != nil {
		t.Fatal(err)
	}
	have, err := papers.Take(all)
	if err != nil {
		t.Error(err)
	}
	for group, least := range map[string]int{"a": 90, "b": 35, "c": 25, "d": 20, "e": 40, "f": 12, "g": 12, "h": 20} {
		if have.Files[group] < least {
			t.Errorf("group %s has %d files, want %d", group, have.Files[group], least)
		}
	}
	for _, typ := range truth.Types {
		if have.Types[typ] < 10 {
			t.Errorf("%d documents of the type %s, want 10", have.Types[typ], typ)
		}
	}
	if have.Layouts < 50 || have.Size > 12e6 {
		t.Errorf("%d layouts, want 50; %d bytes, want 12 MB at most", have.Layouts, have.Size)
	}
}

func Example() {
	all, err := papers.Read(seen2.Part, seen2.Content)
	fmt.Println(len(all), err)
	// Output: 300 <nil>
}
