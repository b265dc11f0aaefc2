package unseen2_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/truth"
	"github.com/landfallhq/tracking/classify/corpus/unseen2"
)

// frozen is the sum of the manifest. If a file must change, this part is no longer unseen, and
// another must be drawn.
const frozen = "a5fa725953e8d8d8edb3359de9fe2eb805cca11b85fb3f3c6cf9a98337fa7dd9"

func TestFrozen(t *testing.T) {
	manifest, err := unseen2.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(manifest)
	if got := hex.EncodeToString(sum[:]); got != frozen {
		t.Errorf("the files are others: %s, frozen were %s", got, frozen)
	}
}

// TestPapers checks that each group has enough papers, of all types and of many layouts, and
// that the files are what their names say. Papers checks their sums and their truth.
func TestPapers(t *testing.T) {
	all, err := unseen2.Papers()
	if err != nil {
		t.Fatal(err)
	}
	files, types, layouts, names, size := map[string]int{}, map[string]int{}, map[string]bool{}, map[string]bool{}, 0
	for _, p := range all {
		files[p.Group]++
		size += len(p.Content)
		next := 1
		for _, d := range p.Documents {
			types[d.Type]++
			layouts[d.Layout] = true
			if names[d.Name] {
				t.Errorf("%s: there are two", d.Name)
			}
			names[d.Name] = true
			if d.Type != truth.Other && len(d.Fields) < 4 {
				t.Errorf("%s: only %d fields", d.Name, len(d.Fields))
			}
			if d.Attachment != "" {
				if content, err := p.Attached(d.Attachment); err != nil || len(content) == 0 {
					t.Errorf("%s: %d bytes, %v", d.Name, len(content), err)
				}
			}
			if p.Group == "g" {
				if d.Pages[0] != next || d.Pages[1] < next {
					t.Errorf("%s: pages %v, want from %d", d.Name, d.Pages, next)
				}
				next = d.Pages[1] + 1
			}
		}
		if p.Group == "g" && next != p.Pages+1 {
			t.Errorf("%s: the documents have %d pages of %d", p.File, next-1, p.Pages)
		}
	}
	for group, least := range map[string]int{"a": 50, "b": 18, "c": 14, "d": 10, "e": 18, "f": 8, "g": 6, "h": 12} {
		if files[group] < least {
			t.Errorf("group %s has %d files, want %d", group, files[group], least)
		}
	}
	for _, typ := range truth.Types {
		if types[typ] < 6 {
			t.Errorf("%d documents of the type %s, want 6", types[typ], typ)
		}
	}
	if len(layouts) < 45 || size > 12e6 {
		t.Errorf("%d layouts, want 45; %d bytes, want 12 MB at most", len(layouts), size)
	}
	t.Logf("%d files, %d bytes, %d layouts: %v, %v", len(all), size, len(layouts), files, types)
}

// TestRows checks that the papers of long tables have them.
func TestRows(t *testing.T) {
	all, err := unseen2.Papers()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if rows, _ := p.Documents[0].Fields["containers"].([]truth.Fields); p.Group == "f" && (len(rows) < 40 || p.Pages < 2) {
			t.Errorf("%s: %d rows, %d pages", p.File, len(rows), p.Pages)
		}
	}
}

func Example() {
	manifest, err := unseen2.Manifest()
	fmt.Println(bytes.Count(manifest, []byte("\n")) > 260, err)
	// Output: true <nil>
}
