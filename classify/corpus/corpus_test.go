package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var parts = []string{"train", "heldout"}

// TestCorpus holds that the corpus is the same each time it is drawn, that it has
// enough of each type, and that what is said of each document is well formed.
func TestCorpus(t *testing.T) {
	least := map[string]int{"train": 12, "heldout": 7}
	names, drawn := map[string]bool{}, map[string]int{}
	for _, part := range parts {
		all, err := documents(part)
		if err != nil {
			t.Fatal(err)
		}
		again, err := documents(part)
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for i, d := range all {
			count[d.Type]++
			if names[d.Name] {
				t.Errorf("%s: there are two", d.Name)
			}
			names[d.Name] = true
			if d.Part != part || !bytes.HasPrefix(d.PDF, []byte("%PDF-")) {
				t.Errorf("%s: part %q, %d bytes", d.Name, d.Part, len(d.PDF))
			}
			if err := truth.Check(d); err != nil {
				t.Errorf("%s: %v", d.Name, err)
			}
			if d.Type != truth.Other && len(d.Fields) < 5 {
				t.Errorf("%s: only %d fields", d.Name, len(d.Fields))
			}
			if !reflect.DeepEqual(d, again[i]) {
				t.Errorf("%s: drawn twice, and not the same", d.Name)
			}
		}
		for _, typ := range truth.Types {
			if count[typ] < least[part] {
				t.Errorf("%s: %d documents of the type %s, want %d", part, count[typ], typ, least[part])
			}
		}
		drawn[part] = len(all)
		t.Logf("%s: %d documents, %v", part, len(all), count)
	}
	if whole := drawn["train"] + drawn["heldout"]; whole < 180 || 3*drawn["heldout"] < whole {
		t.Errorf("%d documents are held out of %d, want a third", drawn["heldout"], whole)
	}
}

// frozen is the held-out third as it was before any rule was run on it. Whoever has
// to change it has no held-out third any more, and makes another.
const frozen = "af59330251fc088ed96b073a4cd4e13744547d006d03c15b7007de7c20d575bd"

func TestHeldOutIsFrozen(t *testing.T) {
	all, err := documents("heldout")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	for _, d := range all {
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(sum, d.Drawn, string(text))
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != frozen {
		t.Errorf("the held-out documents are others: %s, frozen were %s", got, frozen)
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if err := run([]string{"write", "-part", "heldout", "-to", dir}); err != nil {
		t.Fatal(err)
	}
	all, err := documents("heldout")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		pdf, err := os.ReadFile(filepath.Join(dir, d.Name+".pdf"))
		if err != nil || !bytes.Equal(pdf, d.PDF) {
			t.Errorf("%s: not as drawn, error %v", d.Name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, d.Name+".json")); err != nil {
			t.Error(err)
		}
	}
	for _, wrong := range [][]string{nil, {"sell"}, {"write", "-part", "third"}} {
		if err := run(wrong); err == nil {
			t.Errorf("%q: no error", wrong)
		}
	}
}
