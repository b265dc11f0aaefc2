package tracking_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

const threePapers = `type: bill_of_lading
bl_number: MAEU77001
page
container: MRKU9465770
page
type: arrival_notice
bl_number: MAEU77002
page
type: other
note: the last
`

// partsOf are the documents that were split from d.
func partsOf(t *testing.T, b *trackingtest.Bench, d *tracking.Document) (parts []*tracking.Document) {
	t.Helper()
	for _, id := range reread(t, b, d.ID).SplitDocuments {
		parts = append(parts, reread(t, b, id))
	}
	return parts
}

// A file with three papers is three documents, each with its type, pages, fields and
// shipments, and one for the file.
func TestFileIsSplit(t *testing.T) {
	b := trackingtest.New(t)
	first := ingest(t, b, tracking.Report{Source: "api", SCAC: "MAEU", Facts: voyage("MAEU77001")})
	d := file(t, b, "bundle.txt", threePapers)
	if d.Type() != "" || len(d.Shipments) != 0 || d.FirstPage != 0 || d.ClassificationNotes != "The file has 3 documents: pages 1 to 2; page 3; page 4." {
		t.Errorf("the document of the file is %+v", d)
	}
	parts := partsOf(t, b, d)
	if len(parts) != 3 {
		t.Fatalf("%d parts", len(parts))
	}
	for i, want := range []struct {
		typ, name string
		pages     [2]int
		ships     []tracking.ID
	}{
		{"bill_of_lading", "bundle.txt (pages 1 to 2)", [2]int{1, 2}, first.ShipmentIDs},
		{"arrival_notice", "bundle.txt (page 3)", [2]int{3, 3}, nil},
		{"other", "bundle.txt (page 4)", [2]int{4, 4}, nil},
	} {
		p := parts[i]
		if p.Type() != want.typ || p.Name != want.name || [2]int{p.FirstPage, p.LastPage} != want.pages || !slices.Equal(p.Shipments, want.ships) {
			t.Errorf("part %d is %+v", i+1, p)
		}
		if p.Source != tracking.FromSplit || p.SplitFrom != d.ID || p.FileName != "bundle.txt" || p.FileSizeBytes != d.FileSizeBytes {
			t.Errorf("part %d comes from %s of %s", i+1, p.Source, p.SplitFrom)
		}
		if _, err := b.DocumentDownload(ctx, p.ID); err != nil {
			t.Errorf("the file of part %d: %v", i+1, err)
		}
	}
	if got := payloadOf(t, b, parts[2]); got.Note.Page != 4 {
		t.Errorf("a field of page 4 is on page %d", got.Note.Page)
	}
	if got := documentEvents(b); !slices.Equal(got, slices.Repeat([]tracking.EventName{tracking.DocumentExtracted}, 4)) {
		t.Errorf("announced %v", got)
	}
	// A shipment that comes later is that of its part alone.
	second := ingest(t, b, tracking.Report{Source: "api", SCAC: "MAEU", Facts: voyage("MAEU77002")})
	b.Settle()
	if p := reread(t, b, parts[1].ID); len(p.Shipments) != 1 || !slices.Contains(second.ShipmentIDs, p.Shipments[0]) {
		t.Errorf("part 2 has the shipments %v, want %v", p.Shipments, second.ShipmentIDs)
	}
}

func payloadOf(t *testing.T, b *trackingtest.Bench, d *tracking.Document) (payload struct{ Note struct{ Page int } }) {
	t.Helper()
	s, err := b.Rendered().Get(ctx, "document", d.ID, []string{"last_document_representation"})
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Attributes struct{ Payload json.RawMessage }
	}
	if err := errors.Join(json.Unmarshal(s.Included[0].Doc, &doc), json.Unmarshal(doc.Attributes.Payload, &payload)); err != nil {
		t.Fatal(err)
	}
	return payload
}

// What is done again on the file or on a part makes no second part.
func TestSplitAgain(t *testing.T) {
	for name, row := range map[string]struct {
		do     func(*trackingtest.Bench, *tracking.Document, []*tracking.Document) error
		events int // more of them
		parts  int
	}{
		"file read again": {func(b *trackingtest.Bench, d *tracking.Document, _ []*tracking.Document) error {
			return b.ReextractDocument(ctx, d.ID)
		}, 4, 3},
		"file classified again": {func(b *trackingtest.Bench, d *tracking.Document, _ []*tracking.Document) error {
			return b.ReclassifyDocument(ctx, d.ID)
		}, 0, 3},
		"part read again": {func(b *trackingtest.Bench, _ *tracking.Document, parts []*tracking.Document) error {
			return b.ReextractDocument(ctx, parts[1].ID)
		}, 1, 3},
		"part classified again": {func(b *trackingtest.Bench, _ *tracking.Document, parts []*tracking.Document) error {
			return b.ReclassifyDocument(ctx, parts[1].ID)
		}, 0, 3},
		"part linked again": {func(b *trackingtest.Bench, _ *tracking.Document, parts []*tracking.Document) error {
			return b.RelinkDocument(ctx, parts[1].ID)
		}, 0, 3},
		"part deleted, file read and classified again": {func(b *trackingtest.Bench, d *tracking.Document, parts []*tracking.Document) error {
			return errors.Join(b.DeleteDocument(ctx, parts[1].ID), b.ReextractDocument(ctx, d.ID), b.ReclassifyDocument(ctx, d.ID))
		}, 3, 2},
		"part of another type by hand, file classified again": {func(b *trackingtest.Bench, d *tracking.Document, parts []*tracking.Document) error {
			_, err := b.UpdateDocument(ctx, parts[1].ID, tracking.DocumentUpdate{TypeManual: tracking.Set("other")})
			return errors.Join(err, b.ReclassifyDocument(ctx, d.ID))
		}, 1, 3},
	} {
		t.Run(name, func(t *testing.T) {
			b := trackingtest.New(t)
			d := file(t, b, "bundle.txt", threePapers)
			before := partsOf(t, b, d)
			if err := row.do(b, d, before); err != nil {
				t.Fatal(err)
			}
			b.Settle()
			after := partsOf(t, b, d)
			if len(after) != row.parts {
				t.Fatalf("%d parts, want %d", len(after), row.parts)
			}
			for _, p := range after {
				if !slices.ContainsFunc(before, func(o *tracking.Document) bool { return o.ID == p.ID }) {
					t.Errorf("%s is new", p.Name)
				}
			}
			if _, total, err := b.Documents(ctx, tracking.DocumentQuery{}, tracking.Page{Number: 1, Size: 9}); err != nil || total != 1+row.parts {
				t.Errorf("%d documents, %v", total, err)
			}
			if got := len(documentEvents(b)) - 4; got != row.events {
				t.Errorf("%d more events, want %d", got, row.events)
			}
		})
	}
}

// A person who gives the file a type says that it is one document; who takes it back has
// it split again, into the same documents.
func TestSplitByHand(t *testing.T) {
	b := trackingtest.New(t)
	d := file(t, b, "bundle.txt", threePapers)
	before := reread(t, b, d.ID).SplitDocuments
	set := func(id tracking.ID, u tracking.DocumentUpdate) {
		t.Helper()
		if _, err := b.UpdateDocument(ctx, id, u); err != nil {
			t.Fatal(err)
		}
		b.Settle()
	}
	set(d.ID, tracking.DocumentUpdate{TypeManual: tracking.Set("bill_of_lading")})
	if one := reread(t, b, d.ID); len(one.SplitDocuments) != 0 || one.Type() != "bill_of_lading" || len(one.Numbers) != 3 {
		t.Errorf("joined, it is %+v", one)
	}
	if _, err := b.Document(ctx, before[0]); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("a part of a joined file: %v", err)
	}
	set(d.ID, tracking.DocumentUpdate{TypeManual: tracking.Set("")})
	if again := reread(t, b, d.ID).SplitDocuments; !slices.Equal(again, before) {
		t.Errorf("split again into %v, want %v", again, before)
	}
	// What a person has said of a part outlives the joining.
	set(before[1], tracking.DocumentUpdate{DataManual: tracking.Set(json.RawMessage(`{"po":"PO-9"}`))})
	set(d.ID, tracking.DocumentUpdate{TypeManual: tracking.Set("bill_of_lading")})
	if left := reread(t, b, d.ID).SplitDocuments; !slices.Equal(left, before[1:2]) {
		t.Errorf("joined, %v are left", left)
	}
}

// Parts go with the document of their file, and with one that replaces it; an e-mail has
// them like its other documents.
func TestSplitDeleted(t *testing.T) {
	b := trackingtest.New(t)
	if err := b.Operator.SetDuplicateDocuments(ctx, "test", tracking.ReplaceDuplicates); err != nil {
		t.Fatal(err)
	}
	first := file(t, b, "bundle.txt", threePapers)
	second := file(t, b, "bundle.txt", threePapers)
	count := func() int {
		t.Helper()
		_, total, err := b.Documents(ctx, tracking.DocumentQuery{}, tracking.Page{Number: 1, Size: 9})
		if err != nil {
			t.Fatal(err)
		}
		return total
	}
	if _, err := b.Document(ctx, first.ID); !errors.Is(err, tracking.ErrNotFound) || count() != 4 {
		t.Errorf("%d documents after the file was replaced; %v", count(), err)
	}
	if err := b.DeleteDocument(ctx, second.ID); err != nil || count() != 0 {
		t.Errorf("%d documents after it was deleted; %v", count(), err)
	}
}

// The documents that an attachment was split into are documents of its e-mail, once each,
// until they are deleted.
func TestSplitAttachment(t *testing.T) {
	b := trackingtest.New(t)
	raw := "Subject: papers\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; name=bundle.txt\r\n" +
		"Content-Disposition: attachment; filename=bundle.txt\r\n\r\n" + threePapers + "\r\n--x--\r\n"
	e, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Message: []byte(raw)})
	if err != nil {
		t.Fatal(err)
	}
	count := func(want int) {
		t.Helper()
		b.Settle()
		if e, err = b.EmailSubmission(ctx, e.ID); err != nil || len(e.Documents) != want || e.DocumentsCount != want {
			t.Fatalf("the e-mail has the documents %v, want %d; %v", e.Documents, want, err)
		}
	}
	count(4)
	whole := reread(t, b, e.Documents[0])
	parts := partsOf(t, b, whole)
	for _, p := range parts {
		if p.EmailSubmission != e.ID || p.Source != tracking.FromSplit {
			t.Errorf("a part is of the e-mail %s, from %s", p.EmailSubmission, p.Source)
		}
	}
	if err := b.ReclassifyDocument(ctx, whole.ID); err != nil {
		t.Fatal(err)
	}
	count(4)
	if err := b.DeleteDocument(ctx, parts[0].ID); err != nil {
		t.Fatal(err)
	}
	count(3)
	if err := b.DeleteDocument(ctx, whole.ID); err != nil {
		t.Fatal(err)
	}
	count(0)
}
