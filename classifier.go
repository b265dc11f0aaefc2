package tracking

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"strings"
)

// Extractor reads the text of a file, with the position of each word. The default is
// package classify/extract; a program can set its own, such as one with OCR.
//
// Extract is called by background jobs, never inside a transaction. It must honour ctx,
// and be safe against hostile files. A file that cannot be read is a FileError. After any
// other error the call is repeated later: three times in all, and twelve times after
// ErrUnavailable, such as that of a busy Extractor.
type Extractor interface {
	Extract(ctx context.Context, f DocumentFile) (DocumentText, error)
}

// Recognizer is an Extractor that also recognises the text of pictures (OCR). That takes
// seconds for a page, so it has jobs and workers of its own: a document waits for it where
// Extract finds DocumentText.Pictures.
type Recognizer interface {
	Extractor
	// Recognize reads a file as Extract does, and the pages that are pictures. Its answer
	// has no Pictures. The rules for Extract hold for it, but for the time that it may take.
	Recognize(ctx context.Context, f DocumentFile) (DocumentText, error)
}

// Classifier determines the type of a document, and reads the fields of a type. The default
// is package classify, which works by rules, without network and model; a program can set
// its own.
//
// Its methods are called by background jobs, concurrently, and never inside a transaction.
// After an error of Classify or Fields the call is repeated later. A Classifier without an
// answer returns no error, and explains it in Classification.Notes.
type Classifier interface {
	// Types returns all types in the order in which they are shown. It is cheap, and
	// never changes while the program runs.
	Types() []DocumentType
	// Classify determines the type of a document. The default uses the text alone.
	Classify(ctx context.Context, f DocumentFile, text DocumentText) (Classification, error)
	// Fields returns the fields of a type that were found, in the type's order. The type
	// may differ from that of Classify, because people can correct it. An unknown type
	// has no fields.
	Fields(ctx context.Context, f DocumentFile, text DocumentText, documentType string) (DocumentFields, error)
}

// DocumentFile is a file as it was uploaded. All of it is untrusted input.
type DocumentFile struct {
	// Name is the file name that the sender gave; it may be empty.
	Name string
	// ContentType is the type that the sender gave; it may be empty.
	ContentType string
	// Content are the bytes, Size their number.
	Content io.ReaderAt
	Size    int64
}

// Open returns a reader of all bytes.
func (f DocumentFile) Open() *io.SectionReader { return io.NewSectionReader(f.Content, 0, f.Size) }

// DocumentText is the text of a file.
type DocumentText struct {
	// ContentType is the type that the bytes show: "application/pdf".
	ContentType string
	// Pages are all pages in order, also those without text.
	Pages []TextPage
	// Pictures is the number of pages, among Pages or beside them, that are pictures whose
	// text the Extractor could recognise: then it is a Recognizer.
	Pictures int
	// Note is a sentence for people about a part of the file that could not be read; empty
	// for none.
	Note string
	// Unreadable is a sentence for people why there is no text: "The file is a picture
	// (image/png): it has no text that can be read." Empty if there is text. This is no
	// failure: a person can still set the type of the document.
	Unreadable string
}

// TextPage is one page, upright. Lengths are in points (1/72 inch), from its top left corner.
// In plain text a character is 6 points wide and a line 12 points high.
type TextPage struct {
	Width, Height float64
	// Words are in the order of the file, which may differ from the reading order.
	Words []TextWord
	// Lines are the straight lines drawn on the page, also the edges of rectangles: each a
	// box, long and thin, and horizontal or vertical. They are joined where they continue.
	Lines []TextBox
	// Cells are the cells of the page's tables and forms, as lines enclose them, or as a
	// workbook, an e-mail or a text document has them.
	Cells []TextCell
	// Turned is by how many degrees clockwise the page was turned to be upright: 0, 90, 180
	// or 270. Then it was turned anticlockwise by Skew about its middle. Displayed turns
	// boxes back.
	Turned int
	Skew   float64 // in degrees, mostly below 5
	// Recognized: the words were recognised in a picture of the page (OCR).
	Recognized bool
}

// TextWord is a run of characters without space.
type TextWord struct {
	Text string
	Box  TextBox
	// Confidence that the text is what is printed, above 0 and up to 1, of a word that was
	// recognised in a picture. 0 for a word whose text is in the file.
	Confidence float64
	// Cell is the cell of the page that the word is in: an index of TextPage.Cells plus 1.
	// 0 for none.
	Cell int
}

// TextCell is a cell of a table or form.
type TextCell struct {
	Box TextBox
	// Table, Row and Column count from 1: tables on the page, rows and columns in the table.
	Table, Row, Column int
	// Rows and Columns is how many of each the cell takes: 1, or more if it is merged.
	Rows, Columns int
}

// TextBox is a rectangle on a page, in points from the page's top left corner.
type TextBox struct {
	Left, Top, Right, Bottom float64
}

// Displayed returns where a box of the page is on the page as people see it, which may be
// sideways or askew.
func (p TextPage) Displayed(b TextBox) TextBox {
	if p.Turned == 0 && p.Skew == 0 {
		return b
	}
	sin, cos := math.Sincos(p.Skew * math.Pi / 180)
	out := TextBox{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, corner := range [4][2]float64{{b.Left, b.Top}, {b.Right, b.Top}, {b.Left, b.Bottom}, {b.Right, b.Bottom}} {
		dx, dy := corner[0]-p.Width/2, corner[1]-p.Height/2
		x, y := p.Width/2+dx*cos-dy*sin, p.Height/2+dx*sin+dy*cos
		switch p.Turned {
		case 90:
			x, y = y, p.Width-x
		case 180:
			x, y = p.Width-x, p.Height-y
		case 270:
			x, y = p.Height-y, x
		}
		out = TextBox{min(out.Left, x), min(out.Top, y), max(out.Right, x), max(out.Bottom, y)}
	}
	return out
}

// Displayed moves the boxes of fields, which Classifier.Fields has put where they are on the
// upright pages, to where people see them.
func (t DocumentText) Displayed(fields DocumentFields) {
	for i := range fields {
		f := &fields[i]
		if f.Page > 0 && f.Page <= len(t.Pages) {
			f.Box = t.Pages[f.Page-1].Displayed(f.Box)
		}
		for _, row := range f.Rows {
			t.Displayed(row)
		}
	}
}

// FileError is why the text of a file could not be read, because of the file: another try
// would end with the same error.
type FileError struct {
	// Code is one of the File constants.
	Code string
	// Detail is a sentence for people.
	Detail string
}

// The codes of a FileError.
const (
	FileEmpty     = "empty"      // no bytes at all
	FileDamaged   = "damaged"    // malformed or truncated
	FileEncrypted = "encrypted"  // it needs a password
	FileTooLarge  = "too_large"  // more pages, text or bytes than are read
	FileTooCostly = "too_costly" // reading it took more time or memory than a file is given
)

// Error returns the detail.
func (e *FileError) Error() string { return e.Detail }

// Classification is the answer of Classifier.Classify.
type Classification struct {
	// Type is the code of a type: "bill_of_lading". Empty if the evidence does not
	// suffice, which Notes then describe.
	Type string
	// Confidence in it, from 0 to 1.
	Confidence float64
	// Notes are sentences for people: the evidence for the type, or why there is none.
	Notes string
}

// DocumentType is a type of document and its fields.
type DocumentType struct {
	// Code is "bill_of_lading", Label "Bill of Lading".
	Code, Label string
	// Version of its fields: "1.0". It rises if their names or kinds change.
	Version string
	// Description is a sentence for people; may be empty.
	Description string
	// Schema is the JSON Schema (draft 2020-12) of its DocumentFields as JSON.
	Schema json.RawMessage
}

// FieldKind is the kind of a field's value, and determines the form of its Normal.
type FieldKind string

// The kinds of fields. Those from FieldContainer to FieldReference are numbers that link a
// document to shipments and containers.
const (
	FieldText      FieldKind = "text"       // a string, as printed; lines are separated by "\n"
	FieldDate      FieldKind = "date"       // "2026-11-21"
	FieldTime      FieldKind = "time"       // "2026-11-21T17:00", local time of the place; "2026-11-21" when no hour is printed
	FieldPlace     FieldKind = "place"      // a UN/LOCODE: "CNSHA"
	FieldCarrier   FieldKind = "carrier"    // a SCAC: "MAEU"
	FieldShip      FieldKind = "ship"       // an IMO number: "9778791"
	FieldCount     FieldKind = "count"      // a whole number, as int64
	FieldQuantity  FieldKind = "quantity"   // a number with a unit: Quantity; weights in kg or lb, volumes in m3 or ft3
	FieldMoney     FieldKind = "money"      // an amount with its currency: Money
	FieldCode      FieldKind = "code"       // a code from a list: "CIF", "prepaid", "45G1"
	FieldTable     FieldKind = "table"      // Rows
	FieldContainer FieldKind = "container"  // a container number with a valid check digit: "MSKU1234565"
	FieldBL        FieldKind = "bl_number"  // a master bill of lading or waybill, without blanks
	FieldHouseBL   FieldKind = "hbl_number" // a house bill of lading, without blanks
	FieldBooking   FieldKind = "booking"    // a booking number, without blanks
	FieldReference FieldKind = "reference"  // any other number of a shipment: a purchase order, an invoice
)

// Quantity is a number with a unit.
type Quantity struct {
	Value float64 `json:"value"` // in Unit
	Unit  string  `json:"unit"`  // as printed: "KGS"
}

// Money is an amount in a currency.
type Money struct {
	// Amount is a decimal number as text, so that no digit is lost: "12450.00".
	Amount string `json:"amount"`
	// Currency is an ISO 4217 code; empty if the document names none.
	Currency string `json:"currency,omitempty"`
}

// DocumentField is one field as it was read from a document.
type DocumentField struct {
	// Name within the type: "bl_number", "containers".
	Name string
	Kind FieldKind
	// Value is the text as printed, runs of blanks as one. Empty for a table.
	Value string
	// Normal is the value in the form of its kind; nil if it has none, such as a place
	// without a known UN/LOCODE.
	Normal any
	// Alternatives are the other normal forms that the same print can have, and nothing on
	// the paper decides: 2026-08-05 where Normal is 2026-05-08. Mostly nil.
	Alternatives []any
	// Confidence that the value is that of this field, from 0 to 1.
	Confidence float64
	// Corrected: a person entered the value. Page and Box are those of what was read.
	Corrected bool
	// LayoutCorrection that says where the value is printed: a person corrected the field on
	// another document of the same layout. Zero for none.
	LayoutCorrection ID
	// Page counts from 1; Box is the position of the value on it.
	Page int
	Box  TextBox
	// Rows of a table, top to bottom, each with the cells that were found.
	Rows []DocumentFields
}

// DocumentFields are fields in the order of their type. As JSON they are an object with a
// member for each field:
//
//	{"bl_number": {"value": "MAEU 123 456 789", "normalized": "MAEU123456789",
//	  "confidence": 0.98, "page": 1, "box": [402.1, 96, 488.7, 105.2]},
//	 "containers": [{"number": {"value": ...}, "seal": {"value": ...}}]}
//
// normalized is null if Normal is nil. box is left, top, right and bottom. A field with
// Alternatives has the member alternatives too, a list of them; one that was corrected has
// corrected, which is true, and one with a LayoutCorrection layout_correction, its ID.
type DocumentFields []DocumentField

// Get returns the field with a name, and whether there is one.
func (f DocumentFields) Get(name string) (DocumentField, bool) {
	for _, field := range f {
		if field.Name == name {
			return field, true
		}
	}
	return DocumentField{}, false
}

// MarshalJSON encodes the fields as an object, in their order.
func (f DocumentFields) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, field := range f {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(field.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(field)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// MarshalJSON encodes the field without its name; a table is an array of its rows.
func (f DocumentField) MarshalJSON() ([]byte, error) {
	if f.Kind == FieldTable {
		if f.Rows == nil {
			return []byte("[]"), nil
		}
		return json.Marshal(f.Rows)
	}
	return json.Marshal(struct {
		Value      string    `json:"value"`
		Normalized any       `json:"normalized"`
		Others     []any     `json:"alternatives,omitempty"`
		Confidence float64   `json:"confidence"`
		Page       int       `json:"page"`
		Box        []float64 `json:"box"`
		Corrected  bool      `json:"corrected,omitempty"`
		Layout     ID        `json:"layout_correction,omitzero"`
	}{f.Value, f.Normal, f.Alternatives, f.Confidence, f.Page, []float64{f.Box.Left, f.Box.Top, f.Box.Right, f.Box.Bottom}, f.Corrected, f.LayoutCorrection})
}

// documentTypes are the types if there is no Classifier; people set them.
var documentTypes = []DocumentType{
	{Code: "bill_of_lading", Label: "Bill of Lading"},
	{Code: "house_bill_of_lading", Label: "House Bill of Lading"},
	{Code: "sea_waybill", Label: "Sea Waybill"},
	{Code: "arrival_notice", Label: "Arrival Notice"},
	{Code: "delivery_order", Label: "Delivery Order"},
	{Code: "booking_confirmation", Label: "Booking Confirmation"},
	{Code: "commercial_invoice", Label: "Commercial Invoice"},
	{Code: "packing_list", Label: "Packing List"},
	{Code: "customs_entry", Label: "Customs Entry"},
	{Code: "certificate_of_origin", Label: "Certificate of Origin"},
	{Code: "freight_invoice", Label: "Freight Invoice"},
	{Code: "other", Label: "Other"},
}

// DocumentTypes returns the types that documents can have, in the order in which they are
// shown: those of the Classifier, if there is one. Needs show.
func (t *Tracker) DocumentTypes(context.Context) ([]DocumentType, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	return t.allDocumentTypes(), nil
}

func (e *engine) allDocumentTypes() []DocumentType {
	if e.config.Classifier == nil {
		return documentTypes
	}
	return e.config.Classifier.Types()
}

// documentTypeCodes lists the codes for people.
func (e *engine) documentTypeCodes() string {
	var codes []string
	for _, typ := range e.allDocumentTypes() {
		codes = append(codes, typ.Code)
	}
	return strings.Join(codes, ", ")
}

// documentType returns the type with the code; nil for none.
func (e *engine) documentType(code string) *DocumentType {
	types := e.allDocumentTypes()
	for i := range types {
		if types[i].Code == code {
			return &types[i]
		}
	}
	return nil
}

// DocumentSchema returns the type with a code and version such as "arrival_notice@1.0".
// Its Schema has the fields. Needs show. Errors: NotFound.
func (t *Tracker) DocumentSchema(_ context.Context, name string) (*DocumentType, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	code, version, _ := strings.Cut(name, "@")
	if typ := t.documentType(code); typ != nil && typ.Schema != nil && typ.Version == version {
		return typ, nil
	}
	return nil, notFound()
}
