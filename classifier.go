package tracking

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
)

// Extractor reads the text of a file, with the place of each word. The default
// stands in classify/extract; a host with a service for it, or with OCR, brings
// its own.
//
// Extract is called from background work, never inside a transaction. It must
// honour ctx, and must not be hurt by any file: what cannot be read is a
// FileError. Any other error counts as the machine's own, and the call is made
// again later: three times in all, and twelve times where the error is
// ErrUnavailable, as that of an Extractor that had no room for the file.
type Extractor interface {
	Extract(ctx context.Context, f DocumentFile) (DocumentText, error)
}

// Classifier says what a document is, and reads the fields of one of a known
// type. The default stands in classify and works by rules that are data: no
// network, no model. A host with a service for it brings its own.
//
// Its methods are called from background work, never inside a transaction, and by
// several callers at a time. Any error of Classify and Fields counts as the
// machine's own, and the call is made again later. A classifier that has no
// answer says so in Classification.Notes.
type Classifier interface {
	// Types are the types that there are, in the order in which they are shown.
	// It costs nothing and never changes while the program runs.
	Types() []DocumentType
	// Classify names the type of a document. The file is handed over for services
	// that want it; the default looks at the text alone.
	Classify(ctx context.Context, f DocumentFile, text DocumentText) (Classification, error)
	// Fields reads the fields of a type, in the type's order, as far as they were
	// found. The type may be another than Classify named: people correct it. A
	// type that Types does not have has no fields.
	Fields(ctx context.Context, f DocumentFile, text DocumentText, documentType string) (DocumentFields, error)
}

// DocumentFile is a file as it was handed in. Nothing of it is to be trusted.
type DocumentFile struct {
	// Name is the file's name as the sender gave it; it may be empty.
	Name string
	// ContentType is what the sender called it; it may be empty.
	ContentType string
	// Content are the bytes, Size their number.
	Content io.ReaderAt
	Size    int64
}

// Open returns a reader of all bytes.
func (f DocumentFile) Open() *io.SectionReader { return io.NewSectionReader(f.Content, 0, f.Size) }

// DocumentText is what there is to read in a file.
type DocumentText struct {
	// ContentType is what the file truly is, by its bytes: "application/pdf".
	ContentType string
	// Pages are the pages in order; those without text are there too.
	Pages []TextPage
	// Unreadable says why there is no text, as a sentence for people: "The file is
	// a picture (image/png): it has no text that can be read." Empty when there is.
	// It is no failure: such a file can be kept, and its type be given by hand.
	Unreadable string
}

// TextPage is one page. Lengths are in points (1/72 inch), from the page's top
// left corner as a reader sees it. For plain text a character is taken to be 6
// points wide and a line 12 points high.
type TextPage struct {
	Width, Height float64
	// Words stand in the order in which the file has them, which need not be the
	// order of reading.
	Words []TextWord
}

// TextWord is a run of characters without space.
type TextWord struct {
	Text string
	Box  TextBox
}

// TextBox is a rectangle on a page, in points from the page's top left corner.
type TextBox struct {
	Left, Top, Right, Bottom float64
}

// FileError says why a file's text could not be read: it is the file's fault, and
// another try would end alike.
type FileError struct {
	// Code is a stable word for programs: one of the File constants.
	Code string
	// Detail is a sentence for people.
	Detail string
}

// The codes of a FileError.
const (
	FileEmpty     = "empty"      // no bytes at all
	FileDamaged   = "damaged"    // not what it says it is, or cut off
	FileEncrypted = "encrypted"  // it needs a password
	FileTooLarge  = "too_large"  // more pages, text or bytes than are read
	FileTooCostly = "too_costly" // reading it took more time or memory than a file is given
)

// Error returns the detail.
func (e *FileError) Error() string { return e.Detail }

// Classification is what a Classifier takes a document for.
type Classification struct {
	// Type is the code of a type: "bill_of_lading". Empty when the evidence does
	// not suffice; Notes then say what there was.
	Type string
	// Confidence in it, from 0 to 1.
	Confidence float64
	// Notes are sentences for people: what spoke for the type, or why there is none.
	Notes string
}

// DocumentType is a type of document with the fields that are read from it.
type DocumentType struct {
	// Code names it: "bill_of_lading"; Label does so for people.
	Code, Label string
	// Version of its fields: "1.0". It rises when their names or forms change.
	Version string
	// Description says in a sentence what the document is; may be empty.
	Description string
	// Schema is the JSON Schema (draft 2020-12) of the JSON of its DocumentFields.
	Schema json.RawMessage
}

// FieldKind is what sort of value a field holds, and so the form of its Normal.
type FieldKind string

// The kinds of fields. Those from FieldContainer to FieldReference are numbers by
// which a document is linked to shipments and containers.
const (
	FieldText      FieldKind = "text"       // a string, as printed; lines are parted by "\n"
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
	FieldContainer FieldKind = "container"  // a container number with a right check digit: "MSKU1234565"
	FieldBL        FieldKind = "bl_number"  // a master bill of lading or waybill, without blanks
	FieldHouseBL   FieldKind = "hbl_number" // a house bill of lading, without blanks
	FieldBooking   FieldKind = "booking"    // a booking number, without blanks
	FieldReference FieldKind = "reference"  // any other number that parties know a shipment by: a purchase order, an invoice
)

// Quantity is a number with a unit.
type Quantity struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

// Money is an amount in a currency.
type Money struct {
	// Amount is a decimal number as text, which loses no digit: "12450.00".
	Amount string `json:"amount"`
	// Currency is its ISO 4217 code, empty when the document names none.
	Currency string `json:"currency,omitempty"`
}

// DocumentField is one field as it was read from a document.
type DocumentField struct {
	// Name within the type: "bl_number", "containers".
	Name string
	Kind FieldKind
	// Value is the text as printed, blanks folded. Empty for a table.
	Value string
	// Normal is the value in the form of its kind; nil when it could not be told,
	// as for a place that no UN/LOCODE is known of.
	Normal any
	// Confidence that the value is this field's, from 0 to 1.
	Confidence float64
	// Page counts from 1; Box is where the value stands there.
	Page int
	Box  TextBox
	// Rows are those of a table, top to bottom, each with the cells that were found.
	Rows []DocumentFields
}

// DocumentFields are fields in their type's order. As JSON they are an object of
// one member for each field:
//
//	{"bl_number": {"value": "MAEU 123 456 789", "normalized": "MAEU123456789",
//	  "confidence": 0.98, "page": 1, "box": [402.1, 96, 488.7, 105.2]},
//	 "containers": [{"number": {"value": ...}, "seal": {"value": ...}}]}
//
// normalized is null where Normal is nil. box is left, top, right and bottom.
type DocumentFields []DocumentField

// Get returns the field of a name, and whether there is one.
func (f DocumentFields) Get(name string) (DocumentField, bool) {
	for _, field := range f {
		if field.Name == name {
			return field, true
		}
	}
	return DocumentField{}, false
}

// MarshalJSON renders the fields as an object, in their order.
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

// MarshalJSON renders the field without its name: a table as an array of its rows.
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
		Confidence float64   `json:"confidence"`
		Page       int       `json:"page"`
		Box        []float64 `json:"box"`
	}{f.Value, f.Normal, f.Confidence, f.Page, []float64{f.Box.Left, f.Box.Top, f.Box.Right, f.Box.Bottom}})
}

// documentTypes are the types when there is no Classifier: people name them.
var documentTypes = []DocumentType{
	{Code: "bill_of_lading", Label: "Bill of Lading"},
	{Code: "house_bill_of_lading", Label: "House Bill of Lading"},
	{Code: "sea_waybill", Label: "Sea Waybill"},
	{Code: "arrival_notice", Label: "Arrival Notice"},
	{Code: "delivery_order", Label: "Delivery Order"},
	{Code: "booking_confirmation", Label: "Booking Confirmation"},
	{Code: "commercial_invoice", Label: "Commercial Invoice"},
	{Code: "packing_list", Label: "Packing List"},
	{Code: "other", Label: "Other"},
}

// DocumentTypes returns the types that documents can have, in the order in which
// they are shown: those of the Classifier, where there is one. Needs show.
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

// documentTypeCodes names the types, for people.
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

// DocumentSchema returns the type that a name such as "arrival_notice@1.0" stands for,
// whose Schema says which fields are read from it. Needs show. Errors: NotFound.
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
