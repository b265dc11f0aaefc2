package tracking_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/trackingtest"
)

// typewriter extracts plain text, with a word's box by its line and column.
type typewriter struct{}

func (typewriter) Extract(_ context.Context, f tracking.DocumentFile) (tracking.DocumentText, error) {
	content, err := io.ReadAll(f.Open())
	p := tracking.TextPage{Width: 595, Height: 842}
	for i, line := range strings.Split(string(content), "\n") {
		for at := 0; at < len(line); {
			if line[at] == ' ' {
				at++
				continue
			}
			word, _, _ := strings.Cut(line[at:], " ")
			left, top := float64(6*at), float64(12*i)
			p.Words = append(p.Words, tracking.TextWord{Text: word, Box: tracking.TextBox{Left: left, Top: top, Right: left + float64(6*len(word)), Bottom: top + 12}})
			at += len(word)
		}
	}
	return tracking.DocumentText{ContentType: "text/plain", Pages: []tracking.TextPage{p}}, err
}

// newReadingBench is a Bench that reads by the rules of package classify.
func newReadingBench(t *testing.T) *trackingtest.Bench {
	return trackingtest.New(t, func(c *tracking.Config) { c.Extractor, c.Classifier = typewriter{}, classify.New() })
}

// kestrel is a notice whose time of arrival has a caption that no rule knows.
func kestrel(bl, vessel, arrival string) string {
	return fmt.Sprintf(`
                    ARRIVAL NOTICE
     KESTREL LINES AGENCY, PIER OFFICE

B/L No.:         %-20s  Vessel:  %s
First line on quay:   %s
Kindly arrange collection with our pier office in good time
after customs clearance, against return of one original.
`, bl, vessel, arrival)
}

// osprey is one of another layout.
const osprey = `
   OSPREY SHIPPING
   Notice of Arrival

Bill of lading   MAEU700100200
Ship             CAPE HERON

First line on quay
11 APR 2026
The goods are at your disposal at the terminal named in the booking.
`

// field is a field of the last reading of a document, as JSON.
func field(t *testing.T, b *trackingtest.Bench, d *tracking.Document, name string) (f struct {
	Value      string
	Normalized any
	Confidence float64
	Page       int
	Corrected  bool
	Layout     string `json:"layout_correction"`
}) {
	t.Helper()
	shown, err := b.Rendered().Get(ctx, "document", d.ID, []string{"last_document_representation"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range shown.Included {
		var doc struct {
			Attributes struct{ Payload map[string]json.RawMessage }
		}
		if err := json.Unmarshal(r.Doc, &doc); err != nil {
			t.Fatal(err)
		}
		if raw, ok := doc.Attributes.Payload[name]; ok {
			if err := json.Unmarshal(raw, &f); err != nil {
				t.Fatal(err)
			}
		}
	}
	return f
}

// correct corrects a field and reads the document again.
func correct(t *testing.T, b *trackingtest.Bench, d *tracking.Document, field, value string) {
	t.Helper()
	if _, err := b.UpdateDocument(ctx, d.ID, tracking.DocumentUpdate{Corrections: []tracking.FieldCorrection{{Field: field, Value: value}}}); err != nil {
		t.Fatal(err)
	}
	b.Settle()
}

func learned(t *testing.T, b *trackingtest.Bench) []*tracking.LayoutCorrection {
	t.Helper()
	list, total, err := b.LayoutCorrections().List(ctx, nil, tracking.Page{Number: 1, Size: 100})
	if err != nil || total != len(list) {
		t.Fatal(total, err)
	}
	return list
}

func TestCorrectionIsAppliedToTheLayout(t *testing.T) {
	b := newReadingBench(t)
	first := file(t, b, "1.txt", kestrel("MAEU700100201", "CAPE HERON", "06 MAR 2026"))
	if f := field(t, b, first, "eta"); first.DocumentType != "arrival_notice" || f.Value != "" {
		t.Fatalf("%s, eta %+v: the rules read it", first.DocumentType, f)
	}
	before := file(t, b, "before.txt", kestrel("MAEU700100202", "NORTHERN DAWN", "12 MAR 2026"))
	correct(t, b, first, "eta", "2026-03-06")
	list := learned(t, b)
	if len(list) != 1 || list[0].Field != "eta" || list[0].DocumentType != "arrival_notice" || list[0].Document != first.ID || list[0].Page != 1 || strings.Join(list[0].Captions, "; ") != "FIRST LINE ON QUAY; KESTREL LINES AGENCY PIER OFFICE" {
		t.Fatalf("learned %+v", *list[0])
	}
	if f := field(t, b, first, "eta"); !f.Corrected || f.Layout != "" || f.Confidence != 1 {
		t.Errorf("the corrected document itself: %+v", f)
	}

	second := file(t, b, "2.txt", kestrel("MAEU700100203", "SILVER TRADER", "11 APR 2026"))
	f := field(t, b, second, "eta")
	if f.Normalized != "2026-04-11" || f.Value != "11 APR 2026" || f.Layout != list[0].ID.String() || f.Corrected || f.Confidence < 0.8 || f.Confidence > 0.98 || f.Page != 1 {
		t.Errorf("the next document: %+v", f)
	}
	if used := learned(t, b)[0]; used.TimesUsed != 1 || !used.LastUsedAt.Equal(b.Clock.Now().Truncate(time.Second)) {
		t.Errorf("used %d times, last at %v", used.TimesUsed, used.LastUsedAt)
	}
	if f := field(t, b, before, "eta"); f.Value != "" {
		t.Errorf("a document that was read before: %+v", f)
	}
	if f := field(t, b, file(t, b, "3.txt", osprey), "eta"); f.Layout != "" {
		t.Errorf("a document of another layout: %+v", f)
	}

	// What a person enters wins, and stays.
	correct(t, b, second, "eta", "2026-04-12")
	if f := field(t, b, second, "eta"); f.Normalized != "2026-04-12" || !f.Corrected || f.Layout != "" {
		t.Errorf("corrected by a person: %+v", f)
	}
	if err := b.ReextractDocument(ctx, second.ID); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if f := field(t, b, second, "eta"); f.Normalized != "2026-04-12" || !f.Corrected {
		t.Errorf("read again: %+v", f)
	}

	if err := b.LayoutCorrections().Delete(ctx, list[0].ID); err != nil {
		t.Fatal(err)
	}
	if f := field(t, b, file(t, b, "4.txt", kestrel("MAEU700100204", "CAPE HERON", "02 MAY 2026")), "eta"); f.Value != "" {
		t.Errorf("after the correction was deleted: %+v", f)
	}
	if err := b.ReextractDocument(ctx, first.ID); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if list := learned(t, b); len(list) != 0 {
		t.Errorf("a reading of the corrected document has learned it again: %+v", list)
	}
	if err := b.LayoutCorrections().Delete(ctx, list[0].ID); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
}

// A value that is not printed, one that was taken back, and one of a document of another layout
// teach nothing; the last correction of a field and layout counts.
func TestWhatCorrectionsTeach(t *testing.T) {
	b := newReadingBench(t)
	first := file(t, b, "1.txt", kestrel("MAEU700100201", "CAPE HERON", "06 MAR 2026"))
	correct(t, b, first, "eta", "2026-12-24")
	correct(t, b, first, "consignee", strings.Repeat("A ", 999))
	if list := learned(t, b); len(list) != 0 {
		t.Errorf("values that are not printed: %+v", list)
	}
	correct(t, b, first, "eta", "2026-03-06")
	correct(t, b, first, "eta", "")
	if list := learned(t, b); len(list) != 0 {
		t.Errorf("a correction that was taken back: %+v", list)
	}
	correct(t, b, first, "eta", "2026-03-06")
	correct(t, b, first, "terminal", "Pier office")
	second := file(t, b, "2.txt", kestrel("MAEU700100203", "SILVER TRADER", "11 APR 2026"))
	correct(t, b, second, "eta", "2026-04-11")
	list := learned(t, b)
	if len(list) != 2 || list[0].Document != second.ID || list[1].Field != "terminal" {
		t.Errorf("learned %+v", list)
	}
}

func TestCorrectedTypeOfLayout(t *testing.T) {
	b := newReadingBench(t)
	setType := func(d *tracking.Document, typ string) {
		t.Helper()
		if _, err := b.UpdateDocument(ctx, d.ID, tracking.DocumentUpdate{TypeManual: tracking.Set(typ)}); err != nil {
			t.Fatal(err)
		}
		b.Settle()
	}
	first := file(t, b, "1.txt", kestrel("MAEU700100201", "CAPE HERON", "06 MAR 2026"))
	setType(first, "delivery_order")
	list := learned(t, b)
	if len(list) != 1 || list[0].Field != "" || list[0].DocumentType != "delivery_order" || list[0].InsteadOf != "arrival_notice" {
		t.Fatalf("learned %+v", list)
	}
	second := file(t, b, "2.txt", kestrel("MAEU700100203", "SILVER TRADER", "11 APR 2026"))
	if second.Type() != "delivery_order" || second.DocumentTypeManual != "" || !strings.HasPrefix(second.ClassificationNotes, "The type was corrected on a document of the same layout.") {
		t.Errorf("%s, %q", second.Type(), second.ClassificationNotes)
	}
	if d := file(t, b, "3.txt", osprey); d.Type() != "arrival_notice" {
		t.Errorf("another layout is a %s", d.Type())
	}
	setType(first, "")
	if list := learned(t, b); len(list) != 0 {
		t.Errorf("a type that was taken back: %+v", list)
	}
}

func TestLayoutCorrectionsAreOfTheAccount(t *testing.T) {
	b := newReadingBench(t)
	first := file(t, b, "1.txt", kestrel("MAEU700100201", "CAPE HERON", "06 MAR 2026"))
	correct(t, b, first, "eta", "2026-03-06")
	mine := learned(t, b)
	if e := exportAccount(t, b, "test"); len(e.resources["layout_correction"]) != 1 {
		t.Errorf("%d are exported", len(e.resources["layout_correction"]))
	}
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	own := b.Tracker
	b.Tracker = b.Operator.For(tracking.Actor{Account: other.Scope()})
	if f := field(t, b, file(t, b, "2.txt", kestrel("MAEU700100203", "SILVER TRADER", "11 APR 2026")), "eta"); f.Value != "" {
		t.Errorf("another account reads %+v", f)
	}
	if _, err := b.LayoutCorrections().Get(ctx, mine[0].ID); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("another account sees it: %v", err)
	}
	if err := b.LayoutCorrections().Delete(ctx, mine[0].ID); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("another account deletes it: %v", err)
	}
	b.Tracker = own
	if _, err := b.LayoutCorrections().Get(ctx, mine[0].ID); err != nil {
		t.Error(err)
	}
	if _, _, err := b.LayoutCorrections().List(ctx, []string{"poem"}, tracking.Page{Number: 1, Size: 1}); fault(err) != "filter[document_types] inclusion" {
		t.Error(err)
	}
}
