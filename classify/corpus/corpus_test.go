package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var parts = []string{"train"}

// TestCorpus holds that the corpus is the same each time it is drawn, that it has
// enough of each type, and that what is said of each document is well formed.
func TestCorpus(t *testing.T) {
	least := map[string]int{"train": 12}
	names := map[string]bool{}
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
		t.Logf("%s: %d documents, %v", part, len(all), count)
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if err := run([]string{"write", "-part", "train", "-to", dir}); err != nil {
		t.Fatal(err)
	}
	all, err := documents("train")
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
