package classify_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
)

// typed is a page of text, with a word's box by its line and column.
func typed(lines ...string) tracking.DocumentText {
	p := tracking.TextPage{Width: 595, Height: 842}
	for i, line := range lines {
		at := 0
		for word := range strings.FieldsSeq(line) {
			at += strings.Index(line[at:], word)
			left, top := float64(6*at), float64(12*i)
			p.Words = append(p.Words, tracking.TextWord{Text: word, Box: tracking.TextBox{Left: left, Top: top, Right: left + float64(6*len(word)), Bottom: top + 12}})
			at += len(word)
		}
	}
	return tracking.DocumentText{ContentType: "text/plain", Pages: []tracking.TextPage{p}}
}

// TestReadAt corrects a field of one page, and reads it on another.
func TestReadAt(t *testing.T) {
	c, ctx := classify.New(), context.Background()
	for _, row := range []struct{ name, field, entered, page, next, want string }{
		{"the same place", "eta", "2026-03-06", "On quay:   06 MAR 2026", "On quay:   11 APR 2026", "2026-04-11"},
		{"moved with its caption", "eta", "2026-03-06", "On quay:   06 MAR 2026", "\n\n\nOn quay:   11 APR 2026", "2026-04-11"},
		{"below its caption", "eta", "2026-03-06", "On quay\n06 MAR 2026", "On quay\n11 APR 2026", "2026-04-11"},
		{"no date there", "eta", "2026-03-06", "On quay:   06 MAR 2026", "On quay:   on request", ""},
		{"nothing there", "eta", "2026-03-06", "On quay:   06 MAR 2026", "On quay:", ""},
		{"not printed", "eta", "2026-03-07", "On quay:   06 MAR 2026", "On quay:   11 APR 2026", ""},
		{"months first", "eta", "2026-05-08", "On quay:   05/08/2026", "On quay:   06/07/2026", "2026-06-07"},
		{"days first", "eta", "2026-08-05", "On quay:   05/08/2026", "On quay:   06/07/2026", "2026-07-06"},
		{"up to a mark", "terminal", "Pier 4", "Stacked at:  Pier 4 / gate 2", "Stacked at:  Quay 17 West / gate 1", "Quay 17 West"},
		{"a text of several lines", "consignee", "Acme GmbH Dock 1", "For our friends\nAcme GmbH\nDock 1", "For our friends\nKirsch SA\nRue 2", "Kirsch SA\nRue 2"},
		{"a number", "bl_number", "MAEU700100201", "Our paper   MAEU 700100201", "Our paper   MAEU 700100777", "MAEU700100777"},
		{"a figure that is no container", "bl_number", "MAEU700100201", "Our paper   MAEU700100201", "Our paper   none", ""},
	} {
		at, err := c.Locate(ctx, typed(strings.Split(row.page, "\n")...), "arrival_notice", []tracking.FieldCorrection{{Field: row.field, Value: row.entered}})
		if err != nil {
			t.Fatal(err)
		}
		fields, err := c.ReadAt(ctx, typed(strings.Split(row.next, "\n")...), "arrival_notice", at)
		if err != nil {
			t.Fatal(err)
		}
		f, ok := fields.Get(row.field)
		if got := fmt.Sprint(f.Normal); ok != (row.want != "") || ok && got != row.want || ok && (f.Confidence < 0.8 || f.Confidence > 0.98) {
			t.Errorf("%s: %v with %v, want %q", row.name, f.Normal, f.Confidence, row.want)
		}
	}
}

// TestPositionsAreHostile: positions of another page, and of fields that there are not.
func TestPositionsAreHostile(t *testing.T) {
	text := typed("On quay:   06 MAR 2026")
	for _, p := range []tracking.FieldPosition{
		{}, {Field: "eta"}, {Field: "eta", Page: -1}, {Field: "eta", Page: 2, Lines: 1}, {Field: "containers", Page: 1},
		{Field: "eta", Page: 1, Lines: -3, Captions: []tracking.FieldCaption{{}, {Text: "NOWHERE"}}}, {Field: "eta", Page: 1, Lines: 1, Box: tracking.TextBox{Left: 9e9, Top: -9e9}},
	} {
		if fields, err := classify.New().ReadAt(context.Background(), text, "arrival_notice", []tracking.FieldPosition{p}); err != nil || len(fields) != 0 {
			t.Errorf("%+v: %v, %v", p, fields, err)
		}
	}
}

// TestFingerprints: the order of words, digits and small moves do not count, other words and
// places do. Similarity is symmetric, and 1 of a page with itself.
func TestFingerprints(t *testing.T) {
	c, r := classify.New(), rand.New(rand.NewPCG(1, 2))
	page := func(seed uint64, move float64) tracking.DocumentText {
		r := rand.New(rand.NewPCG(seed, 0))
		p := tracking.TextPage{Width: 595, Height: 842}
		for range 20 + r.IntN(700) {
			box := tracking.TextBox{Left: 50 + 400*r.Float64() + move, Top: 50 + 700*r.Float64() + move}
			p.Words = append(p.Words, tracking.TextWord{Text: string([]rune{'A' + r.Int32N(26), 'A' + r.Int32N(26), 'A' + r.Int32N(26)}), Box: box})
		}
		return tracking.DocumentText{Pages: []tracking.TextPage{p}}
	}
	for seed := range uint64(50) {
		text := page(seed, 0)
		own := c.Fingerprint(text)
		if len(own) > 4<<10 || c.Similarity(own, own) != 1 {
			t.Fatalf("seed %d: %d bytes, %v like itself", seed, len(own), c.Similarity(own, own))
		}
		words := text.Pages[0].Words
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		text.Pages[0].Words = append(words, tracking.TextWord{Text: "06.03.2026"}, tracking.TextWord{Text: "MAEU7001"})
		if !bytes.Equal(c.Fingerprint(text), own) {
			t.Errorf("seed %d: the order or digits count", seed)
		}
		near, far, other := c.Fingerprint(page(seed, 8)), c.Fingerprint(page(seed, 100)), c.Fingerprint(page(seed+1000, 0))
		if s := c.Similarity(own, near); s < 0.9 || s != c.Similarity(near, own) {
			t.Errorf("seed %d: %v when moved by 8 points", seed, s)
		}
		if c.Similarity(own, far) != 0 || c.Similarity(own, other) != 0 {
			t.Errorf("seed %d: %v when moved by 100 points, %v to another", seed, c.Similarity(own, far), c.Similarity(own, other))
		}
	}
	if c.Fingerprint(typed("one two three")) != nil || c.Fingerprint(tracking.DocumentText{}) != nil || c.Similarity(nil, nil) != 0 || c.Similarity([]byte("x"), []byte("y")) != 0 {
		t.Error("too few words have a layout")
	}
}
