package seen3_test

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/papers"
	"github.com/landfallhq/tracking/classify/corpus/seen3"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// TestPapers checks that each group has enough papers, of all types and of many layouts. Read
// checks their sums and their truth.
func TestPapers(t *testing.T) {
	all, err := papers.Read(seen3.Part, seen3.Content)
	if err != nil {
		t.Fatal(err)
	}
	have, err := papers.Take(all)
	if err != nil {
		t.Error(err)
	}
	for group, least := range map[string]int{"a": 60, "b": 16, "c": 15, "d": 10, "e": 20, "f": 8, "g": 7, "h": 10} {
		if have.Files[group] < least {
			t.Errorf("group %s has %d files, want %d", group, have.Files[group], least)
		}
	}
	for _, typ := range truth.Types {
		if have.Types[typ] < 7 {
			t.Errorf("%d documents of the type %s, want 7", have.Types[typ], typ)
		}
	}
	if have.Layouts < 100 || have.Size > 12e6 {
		t.Errorf("%d layouts, want 100; %d bytes, want 12 MB at most", have.Layouts, have.Size)
	}
}

func Example() {
	all, err := papers.Read(seen3.Part, seen3.Content)
	fmt.Println(len(all), err)
	// Output: 152 <nil>
}
