package seen1_test

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/papers"
	"github.com/landfallhq/tracking/classify/corpus/seen1"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// TestPapers checks that each group and type has papers. Read checks their sums and their truth.
func TestPapers(t *testing.T) {
	all, err := papers.Read(seen1.Part, seen1.Content)
	if err != nil {
		t.Fatal(err)
	}
	files, types := map[string]int{}, map[string]int{}
	for _, p := range all {
		files[p.Group]++
		for _, d := range p.Documents {
			types[d.Type]++
		}
	}
	for group, least := range map[string]int{"a": 264, "c": 16, "e": 28, "f": 29, "g": 11, "h": 28} {
		if files[group] < least {
			t.Errorf("group %s has %d files, want %d", group, files[group], least)
		}
	}
	for _, typ := range truth.Types {
		if types[typ] < 10 {
			t.Errorf("%d documents of the type %s, want 10", types[typ], typ)
		}
	}
}

func Example() {
	all, err := papers.Read(seen1.Part, seen1.Content)
	fmt.Println(len(all), err)
	// Output: 376 <nil>
}
