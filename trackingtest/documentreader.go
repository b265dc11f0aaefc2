package trackingtest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"io"
	"strings"
	"sync/atomic"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
)

// DocumentReader is a tracking.Extractor and tracking.Classifier for files that describe
// themselves:
//
//	type: bill_of_lading
//	bl_number: MAEU77001
//	container: MRKU9465770
//
// bl_number, hbl_number, booking_number, container, po, scac, port_of_lading and
// port_of_discharge are fields of their kinds; any other name is a text. "containers" with
// numbers is a table with a row for each. The line "damaged" makes the file damaged,
// "unreadable" makes it a file without text, "fault" fails with an internal error,
// "busy" with tracking.ErrUnavailable, and "panic" panics. Without a type, the type
// is unknown. The line "page" begins another page, and a page that begins with a type
// another document. A file that begins with "%PDF-" is a PDF, whose fields have places and whose
// pages are drawn.
type DocumentReader struct{ readings atomic.Int64 }

// Readings returns how often a file was read.
func (r *DocumentReader) Readings() int { return int(r.readings.Load()) }

// DocumentTypes are the document types of DocumentReader.
var DocumentTypes = []tracking.DocumentType{
	{Code: "bill_of_lading", Label: "Bill of Lading", Version: "1.0", Description: "What a carrier signs for the goods.", Schema: json.RawMessage(`{"type":"object"}`)},
	{Code: "arrival_notice", Label: "Arrival Notice", Version: "1.0", Schema: json.RawMessage(`{"type":"object"}`)},
	{Code: "other", Label: "Other", Version: "1.0", Schema: json.RawMessage(`{"type":"object"}`)},
}

var fieldKinds = map[string]tracking.FieldKind{
	"bl_number": tracking.FieldBL, "hbl_number": tracking.FieldHouseBL, "booking_number": tracking.FieldBooking,
	"container": tracking.FieldContainer, "po": tracking.FieldReference, "scac": tracking.FieldCarrier,
	"port_of_lading": tracking.FieldPlace, "port_of_discharge": tracking.FieldPlace,
}

// Extract implements tracking.Extractor.
func (r *DocumentReader) Extract(_ context.Context, f tracking.DocumentFile) (tracking.DocumentText, error) {
	r.readings.Add(1)
	content, err := io.ReadAll(f.Open())
	if err != nil {
		return tracking.DocumentText{}, err
	}
	text := tracking.DocumentText{ContentType: "text/plain", Pages: []tracking.TextPage{{Width: 595, Height: 842}}}
	if strings.HasPrefix(string(content), "\x89PNG") {
		text.ContentType, text.Unreadable = "image/png", "The file is a picture."
		return text, nil
	}
	if strings.HasPrefix(string(content), pdfHead) {
		text.ContentType = "application/pdf"
	}
	for line := range strings.Lines(string(content)) {
		switch line = strings.TrimSpace(line); line {
		case "damaged":
			return tracking.DocumentText{}, &tracking.FileError{Code: tracking.FileDamaged, Detail: "The file is cut off."}
		case "fault":
			return tracking.DocumentText{}, errors.New("the extractor failed")
		case "busy":
			return tracking.DocumentText{}, tracking.ErrUnavailable
		case "panic":
			panic("the extractor panics")
		case "unreadable":
			text.Unreadable = "The file has no text."
		case "page":
			text.Pages = append(text.Pages, tracking.TextPage{Width: 595, Height: 842})
			continue
		}
		page := &text.Pages[len(text.Pages)-1]
		page.Words = append(page.Words, tracking.TextWord{Text: line})
	}
	return text, nil
}

const pdfHead = "%PDF-"

// Render implements tracking.Renderer: each page of a PDF is one white dot.
func (r *DocumentReader) Render(ctx context.Context, f tracking.DocumentFile, page int) ([]byte, error) {
	text, err := r.Extract(ctx, f)
	if err != nil {
		return nil, err
	}
	if page > len(text.Pages) || text.ContentType != "application/pdf" {
		return nil, &tracking.FileError{Code: tracking.FileNoPage, Detail: "The file has no such page."}
	}
	dot := image.NewGray(image.Rect(0, 0, 1, 1))
	dot.Pix[0] = 0xff
	var b bytes.Buffer
	err = png.Encode(&b, dot)
	return b.Bytes(), err
}

// Types implements tracking.Classifier.
func (*DocumentReader) Types() []tracking.DocumentType { return DocumentTypes }

// Classify implements tracking.Classifier.
func (*DocumentReader) Classify(_ context.Context, _ tracking.DocumentFile, text tracking.DocumentText) (tracking.Classification, error) {
	for _, w := range text.Pages[0].Words {
		if typ, ok := strings.CutPrefix(w.Text, "type: "); ok {
			return tracking.Classification{Type: typ, Confidence: 1, Notes: "it says so"}, nil
		}
	}
	return tracking.Classification{Notes: "it does not say what it is"}, nil
}

// Split implements tracking.Splitter.
func (*DocumentReader) Split(_ context.Context, _ tracking.DocumentFile, text tracking.DocumentText) (firsts []int, err error) {
	for i, p := range text.Pages {
		if i == 0 || len(p.Words) > 0 && strings.HasPrefix(p.Words[0].Text, "type: ") {
			firsts = append(firsts, i+1)
		}
	}
	return firsts, nil
}

// Correct implements tracking.Corrector: containers have a check digit, and any other field
// is a text.
func (*DocumentReader) Correct(_, name, value string) (tracking.DocumentField, error) {
	f := tracking.DocumentField{Name: name, Kind: cmp.Or(fieldKinds[name], tracking.FieldText), Value: value, Normal: value}
	if f.Kind == tracking.FieldContainer && !freight.IsContainerNumber(value) {
		return f, errors.New("it is no container number")
	}
	return f, nil
}

// Fields implements tracking.Classifier.
func (*DocumentReader) Fields(_ context.Context, _ tracking.DocumentFile, text tracking.DocumentText, _ string) (fields tracking.DocumentFields, err error) {
	for i, p := range text.Pages {
		for _, w := range p.Words {
			name, value, ok := strings.Cut(w.Text, ": ")
			if !ok || name == "type" {
				continue
			}
			kind := fieldKinds[name]
			f := tracking.DocumentField{Name: name, Kind: tracking.FieldText, Value: value, Confidence: 1, Page: i + 1}
			if kind != "" {
				f.Kind, f.Normal = kind, value
			}
			if text.ContentType == "application/pdf" {
				top := float64(100 + 20*len(fields))
				f.Box = tracking.TextBox{Left: 100, Top: top, Right: 200, Bottom: top + 12}
			}
			if name == "containers" {
				f = tracking.DocumentField{Name: name, Kind: tracking.FieldTable}
				for _, number := range strings.Fields(value) {
					f.Rows = append(f.Rows, tracking.DocumentFields{{Name: "number", Kind: tracking.FieldContainer, Value: number, Normal: number, Confidence: 0.9, Page: i + 1}})
				}
			}
			fields = append(fields, f)
		}
	}
	return fields, nil
}
