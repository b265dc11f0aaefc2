package tracking_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// scanReader finds files that begin with "scan" to be pictures, until they are recognised.
type scanReader struct {
	*trackingtest.DocumentReader
	recognized int
	err        error         // of Recognize
	begin, end chan struct{} // of Recognize; nil for none
}

func (r *scanReader) Extract(ctx context.Context, f tracking.DocumentFile) (tracking.DocumentText, error) {
	text, err := r.DocumentReader.Extract(ctx, f)
	if err == nil && text.Pages[0].Words[0].Text == "scan" {
		text.Unreadable, text.Pictures = "The file has no text.", 1
	}
	return text, err
}

func (r *scanReader) Recognize(ctx context.Context, f tracking.DocumentFile) (tracking.DocumentText, error) {
	if r.begin != nil {
		r.begin <- struct{}{}
		<-r.end
	}
	r.recognized++
	text, err := r.DocumentReader.Extract(ctx, f)
	text.Note = "Its second page was not read."
	return text, errors.Join(err, r.err)
}

// benchOfScans returns a bench whose documents are read by the reader.
func benchOfScans(t *testing.T) (*trackingtest.Bench, *scanReader) {
	reader := &scanReader{}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Extractor = reader })
	reader.DocumentReader = b.DocumentReader
	return b, reader
}

// A document with pictures is read once, by the job that recognises, whatever stage is asked
// for; one without is not recognised.
func TestRecognition(t *testing.T) {
	b, reader := benchOfScans(t)
	scan, plain := file(t, b, "scan", "scan\ntype: other\n"), file(t, b, "plain", "type: arrival_notice\n")
	b.Settle()
	read := func(id tracking.ID) *tracking.Document {
		d, err := b.Document(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := read(plain.ID); d.DocumentType != "arrival_notice" || reader.recognized != 1 {
		t.Errorf("plain text: %q, %d recognised", d.DocumentType, reader.recognized)
	}
	if d := read(scan.ID); d.DocumentType != "other" || !strings.HasSuffix(d.ClassificationNotes, "Its second page was not read.") || d.Runs != 1 {
		t.Errorf("a scan: %q, %q, read %d times", d.DocumentType, d.ClassificationNotes, d.Runs)
	}
	if err := errors.Join(b.ReextractDocument(ctx, scan.ID), b.ReclassifyDocument(ctx, scan.ID)); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if d := read(scan.ID); reader.recognized != 3 || d.Runs != 2 {
		t.Errorf("read again: %d recognised, read %d times", reader.recognized, d.Runs)
	}
	reader.err = &tracking.FileError{Code: tracking.FileDamaged, Detail: "The picture is damaged."}
	if err := b.ReextractDocument(ctx, scan.ID); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if d := read(scan.ID); d.ExtractionFailedReason != "damaged: The picture is damaged." {
		t.Errorf("a damaged scan: %q", d.ExtractionFailedReason)
	}
}

// A scan of several documents is split when its text is known, and not before. A part that is
// asked for again is recognised again, and what is said of the file is said of the file alone.
func TestScanIsSplit(t *testing.T) {
	b, reader := benchOfScans(t)
	reader.begin, reader.end = make(chan struct{}), make(chan struct{})
	go func() { // the first job finds pictures; the second one recognises them
		<-reader.begin
		if d, _, err := b.Documents(ctx, tracking.DocumentQuery{}, tracking.Page{Number: 1, Size: 9}); err != nil || len(d) != 1 {
			t.Errorf("before its text is known there are %d documents; %v", len(d), err)
		}
		close(reader.end)
	}()
	d := file(t, b, "scan", "scan\ntype: other\npage\ntype: arrival_notice\nnote: here\n")
	b.Settle()
	if d = reread(t, b, d.ID); d.ClassificationNotes != "The file has 2 documents: page 1; page 2. Its second page was not read." {
		t.Errorf("the notes of the file: %q", d.ClassificationNotes)
	}
	parts := partsOf(t, b, d)
	if len(parts) != 2 || reader.recognized != 1 {
		t.Fatalf("%d parts, %d times recognised", len(parts), reader.recognized)
	}
	reader.begin = nil
	if err := errors.Join(b.ReextractDocument(ctx, parts[1].ID), b.ReclassifyDocument(ctx, parts[1].ID)); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	part := reread(t, b, parts[1].ID)
	if part.Runs != 2 || reader.recognized != 3 || part.DocumentType != "arrival_notice" || part.ClassificationNotes != "it says so" {
		t.Errorf("a part read again: %+v; %d times recognised", part, reader.recognized)
	}
	if got := payloadOf(t, b, part); got.Note.Page != 2 {
		t.Errorf("its field is on page %d", got.Note.Page)
	}
}

// While text is recognised, other files of the same account and of others are read.
func TestRecognitionDelaysNobody(t *testing.T) {
	b, reader := benchOfScans(t)
	reader.begin, reader.end = make(chan struct{}), make(chan struct{})
	create := func(name, content string) *tracking.Document {
		d, err := b.CreateDocument(ctx, tracking.NewDocument{Name: name, Content: []byte(content), ContentType: "text/plain"})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	scan := create("scan", "scan\ntype: other\n")
	running, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- b.Run(running) }()
	<-reader.begin
	plain := create("plain", "type: arrival_notice\n")
	for {
		d, err := b.Document(ctx, plain.ID)
		if err != nil {
			t.Fatal(err)
		}
		if d.DocumentType == "arrival_notice" {
			break
		}
		b.Clock.Advance(time.Millisecond)
	}
	if d, err := b.Document(ctx, scan.ID); err != nil || d.Runs != 0 {
		t.Errorf("the scan was read before its end: %v, error %v", d, err)
	}
	close(reader.end)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
