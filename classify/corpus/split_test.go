package main

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/classify/extract"
)

// TestSplit reads papers of the training part one by one, and in files of three that follow
// each other. No paper may be cut in two, and the files are split as often as they were.
func TestSplit(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: takes seconds of CPU")
	}
	e, err := extract.New(extract.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	c := classify.New()
	split := func(pages []tracking.TextPage) []int {
		firsts, err := c.Split(context.Background(), tracking.DocumentFile{}, tracking.DocumentText{Pages: pages})
		if err != nil {
			t.Error(err)
		}
		return firsts
	}
	var texts [][]tracking.TextPage
	several, cut := 0, 0
	// Neighbours are papers of one layout: those at a distance are of different ones.
	documents := drawn(t, "train")
	for i := 0; i < len(documents); i += 21 {
		d := documents[i]
		text, err := e.Extract(context.Background(), tracking.DocumentFile{Content: bytes.NewReader(d.PDF), Size: int64(len(d.PDF))})
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text.Pages)
		if len(text.Pages) > 1 {
			several++
		}
		if firsts := split(text.Pages); len(firsts) > 1 {
			cut++
			t.Errorf("%s is one document, and was split before the pages %v", d.Name, firsts)
		}
	}
	files, exact, wrong := 0, 0, 0
	for i := 0; i+2 < len(texts); i += 3 {
		var pages []tracking.TextPage
		var want []int
		for _, text := range texts[i : i+3] {
			want = append(want, len(pages)+1)
			pages = append(pages, text...)
		}
		got := split(pages)
		files++
		if slices.Equal(got, want) {
			exact++
		}
		if slices.ContainsFunc(got, func(first int) bool { return !slices.Contains(want, first) }) {
			wrong++
		}
	}
	t.Logf("%d papers, %d of several pages, %d cut; of %d files of three papers %d exact, %d with a cut at a wrong page", len(texts), several, cut, files, exact, wrong)
	if wrong > 0 || exact*10 < files*6 {
		t.Errorf("%d files were cut at a wrong page, and %d of %d are exact", wrong, exact, files)
	}
}
