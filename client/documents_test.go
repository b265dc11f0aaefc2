package client_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/trackingtest"
)

const paper = "type: bill_of_lading\nbl_number: MAEU77001\ncontainer: MRKU9465770\nscac: MAEU\n"

// everyDocument calls all operations on documents and e-mails.
func (b *bench) everyDocument(t *testing.T, s *tracking.Shipment) {
	t.Helper()
	ctx, engine := t.Context(), b.Tracker
	made := must[*tracking.Document](t)(b.Client.CreateDocument(ctx, tracking.NewDocument{Name: "Bill of lading", FileName: "Konnoßement.txt", ContentType: "text/plain", Content: []byte(paper)}))
	b.Settle()
	read := must[client.Answer[tracking.Document]](t)(b.Client.Document(ctx, made.ID, "last_document_representation", "shipments", "cargos"))
	compareRecords(t, "document", read.Record, must[*tracking.Document](t)(engine.Document(ctx, made.ID)))
	fields := find[tracking.DocumentRepresentation](read.Included, read.Record.LastRepresentation)
	if fields == nil || !strings.Contains(string(fields.Payload), "MAEU77001") || find[tracking.Shipment](read.Included, s.ID) == nil || read.Record.Type() != "bill_of_lading" {
		t.Errorf("the document is %+v with %v", read.Record, fields)
	}
	_, err := b.Client.CreateDocument(ctx, tracking.NewDocument{Name: "Again", Content: []byte(paper)})
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Status != http.StatusConflict || !refused.Has("duplicate_document") || refused.Faults[0].Meta["existing_document_id"] != made.ID.String() {
		t.Errorf("the same bytes are %v", err)
	}
	_, err = b.Client.CreateDocument(ctx, tracking.NewDocument{Name: "Nothing"})
	faulty(t, "no bytes", err, http.StatusUnprocessableEntity, "blank", "/data/attributes/attached_document")
	b.everyStep(t)
	b.everyAct(t, read.Record)
	b.everyPicture(t)
	b.everyMessage(t)
	for name, q := range map[string]tracking.DocumentQuery{
		"name":      {FileName: "lading, Konno"},
		"number":    {References: []string{"maeu-77001"}},
		"type":      {Types: []string{"bill_of_lading"}},
		"all three": {FileName: "bill", References: []string{"x", "MAEU77001"}, Types: []string{"arrival_notice", "bill_of_lading"}},
	} {
		if found := all(t, b.Client.Documents(q, "account")); len(found) != 1 || found[0].ID != made.ID {
			t.Errorf("%d documents are found by %s", len(found), name)
		}
	}
	if sorted := all(t, b.Client.Documents(tracking.DocumentQuery{Sort: []tracking.Order{{Name: "created_at"}}})); len(sorted) != 4 || sorted[0].ID != made.ID {
		t.Errorf("the first of %d documents is %+v", len(sorted), sorted[0])
	}

	b.layoutCorrections(t)
	types := must[[]tracking.DocumentType](t)(b.Client.DocumentTypes(ctx))
	if len(types) != len(trackingtest.DocumentTypes) || types[1].Code != "arrival_notice" || types[1].Label != "Arrival Notice" {
		t.Errorf("the types are %+v", types)
	}
	compareRecords(t, "schema", must[*tracking.DocumentType](t)(b.Client.DocumentSchema(ctx, "bill_of_lading@1.0")), &trackingtest.DocumentTypes[0])
	if err := errorOf(b.Client.DocumentSchema(ctx, "bill_of_lading@2.0")); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("a schema of another version is %v", err)
	}
	if err := b.Client.DeleteDocument(ctx, made.ID); err != nil {
		t.Error(err)
	}
	if err := errorOf(b.Client.Document(ctx, made.ID)); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("deleted, it is %v", err)
	}
	for _, r := range b.wire.sent {
		keyless := strings.Contains(r.URL.Path, "/blobs/") || slices.Contains([]string{"/healthz", "/readyz", "/v2/openapi.json"}, r.URL.Path)
		if keyless == (r.Header.Get("Authorization") != "") {
			t.Errorf("%s %s was sent with the key: %v", r.Method, r.URL.Path, !keyless)
		}
	}
}

// layoutCorrections makes, lists, shows and deletes a layout correction.
func (b *bench) layoutCorrections(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	paper := must[*tracking.Document](t)(b.Client.CreateDocument(ctx, tracking.NewDocument{Name: "Paper", Content: []byte("type: arrival_notice\nshipper: Acme\nremark: none\n")}))
	b.Settle()
	must[*tracking.Document](t)(b.Client.UpdateDocument(ctx, paper.ID, tracking.DocumentUpdate{Corrections: []tracking.FieldCorrection{{Field: "buyer", Value: "Acme"}}}))
	b.Settle()
	list := all(t, b.Client.LayoutCorrections([]string{"arrival_notice"}, "document"))
	if len(list) != 1 || list[0].Field != "buyer" || len(all(t, b.Client.LayoutCorrections([]string{"other"}))) != 0 {
		t.Fatalf("layout corrections: %+v", list)
	}
	shown := must[client.Answer[tracking.LayoutCorrection]](t)(b.Client.LayoutCorrection(ctx, list[0].ID))
	compareRecords(t, "layout correction", shown.Record, list[0])
	if err := b.Client.DeleteLayoutCorrection(ctx, list[0].ID); err != nil {
		t.Error(err)
	}
	if err := errorOf(b.Client.LayoutCorrection(ctx, list[0].ID)); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("deleted, it is %v", err)
	}
}

// everyStep uploads a file step by step and downloads it.
func (b *bench) everyStep(t *testing.T) {
	t.Helper()
	ctx, content := t.Context(), []byte("type: other\n\x00\xff")
	n := client.UploadOf("../odd \"name\".bin", "", content)
	ticket := must[*tracking.UploadTicket](t)(b.Client.CreateUpload(ctx, n))
	if ticket.ByteSize != int64(len(content)) || ticket.Checksum != n.Checksum || ticket.FileName != n.FileName || ticket.ContentType != "application/octet-stream" || !ticket.CreatedAt.Equal(b.Clock.Now()) || ticket.ID == (tracking.ID{}) {
		t.Errorf("the ticket is %+v", ticket.Upload)
	}
	_, err := b.Client.CreateDocument(ctx, tracking.NewDocument{Name: "Odd", Attached: ticket.SignedID})
	faulty(t, "without its bytes", err, http.StatusUnprocessableEntity, "not_uploaded", "/data/attributes/attached_document")
	var refused *client.Error
	if err := b.Client.SendUpload(ctx, ticket, append([]byte{}, "type: other\n\x00\xfe"...)); !errors.As(err, &refused) || !refused.Has("checksum_mismatch") {
		t.Errorf("other bytes are %v", err)
	}
	for range 2 {
		if err := b.Client.SendUpload(ctx, ticket, content); err != nil {
			t.Error(err)
		}
	}
	made := must[*tracking.Document](t)(b.Client.CreateDocument(ctx, tracking.NewDocument{Name: "Odd", Attached: ticket.SignedID}))
	if made.Source != tracking.FromUpload {
		t.Errorf("it came by %s", made.Source)
	}
	link := must[string](t)(b.Client.DocumentDownload(ctx, made.ID))
	file := must[*tracking.Download](t)(b.Client.OpenDownload(ctx, link))
	if got := contentOf(t, file); !bytes.Equal(got, content) || file.ContentType != "application/octet-stream" || file.FileName != `.._odd "name".bin` {
		t.Errorf("the file is %q, %q, %q", file.FileName, file.ContentType, got)
	}
	if err := errorOf(b.Client.OpenDownload(ctx, link+"0")); !errors.As(err, &refused) || refused.Status != http.StatusForbidden || !refused.Has("invalid_signature") {
		t.Errorf("another link is %v", err)
	}
	_, err = b.Client.CreateUpload(ctx, tracking.NewUpload{FileName: "x", ByteSize: 1, Checksum: "?"})
	faulty(t, "no checksum", err, http.StatusUnprocessableEntity, "invalid", "/blob/checksum")
}

func contentOf(t *testing.T, d *tracking.Download) []byte {
	t.Helper()
	content := must[[]byte](t)(io.ReadAll(io.NewSectionReader(d, 0, d.Size())))
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	return content
}

// everyAct updates a document and calls its actions.
func (b *bench) everyAct(t *testing.T, d *tracking.Document) {
	t.Helper()
	ctx := t.Context()
	updated := must[*tracking.Document](t)(b.Client.UpdateDocument(ctx, d.ID, tracking.DocumentUpdate{
		TypeManual: tracking.Set("arrival_notice"), DataManual: tracking.Set(json.RawMessage(`{"bl_number":"MAEU77009"}`)), IfVersion: d.Version,
	}))
	if updated.Type() != "arrival_notice" || string(updated.ExtractedDataManual) != `{"bl_number":"MAEU77009"}` {
		t.Errorf("changed, it is %+v", updated)
	}
	if _, err := b.Client.UpdateDocument(ctx, d.ID, tracking.DocumentUpdate{TypeManual: tracking.Set("other"), IfVersion: d.Version}); !errors.Is(err, tracking.ErrStale) {
		t.Errorf("with a version of before: %v", err)
	}
	corrected := must[*tracking.Document](t)(b.Client.UpdateDocument(ctx, d.ID, tracking.DocumentUpdate{Corrections: []tracking.FieldCorrection{{Field: "note", Value: "new"}}}))
	if c := corrected.Corrections; len(c) != 1 || c[0].Field != "note" || c[0].Value != "new" || c[0].At.IsZero() {
		t.Errorf("corrected, it is %+v", corrected)
	}
	if cleared := must[*tracking.Document](t)(b.Client.UpdateDocument(ctx, d.ID, tracking.DocumentUpdate{TypeManual: tracking.Set(""), DataManual: tracking.Set(json.RawMessage(nil))})); cleared.DocumentTypeManual != "" || cleared.ExtractedDataManual != nil {
		t.Errorf("cleared, it is %+v", cleared)
	}
	b.Settle()
	for name, ask := range map[string]func(tracking.ID) error{
		"reextract":  func(id tracking.ID) error { return b.Client.ReextractDocument(ctx, id) },
		"reclassify": func(id tracking.ID) error { return b.Client.ReclassifyDocument(ctx, id) },
		"relink":     func(id tracking.ID) error { return b.Client.RelinkDocument(ctx, id) },
	} {
		if err := ask(d.ID); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := ask(uuid.New()); !errors.Is(err, tracking.ErrNotFound) {
			t.Errorf("%s of none: %v", name, err)
		}
	}
	before := b.DocumentReader.Readings()
	if b.Settle(); b.DocumentReader.Readings() == before {
		t.Error("it was not read again")
	}
	faulty(t, "a text that is turned", b.Client.RotateDocument(ctx, d.ID, 90), http.StatusUnprocessableEntity, "not_an_image", "")
	faulty(t, "turned by little", b.Client.RotateDocument(ctx, d.ID, 45), http.StatusUnprocessableEntity, "inclusion", "/degrees")
}

// everyPicture rotates an image.
func (b *bench) everyPicture(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	d := must[*tracking.Document](t)(b.Client.CreateDocument(ctx, tracking.NewDocument{Name: "Seal", FileName: "seal.png", ContentType: "image/png", Content: picture.Bytes()}))
	b.Settle()
	if err := b.Client.RotateDocument(ctx, d.ID, 90); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	file := must[*tracking.Download](t)(b.Client.OpenDownload(ctx, must[string](t)(b.Client.DocumentDownload(ctx, d.ID))))
	turned, err := png.DecodeConfig(bytes.NewReader(contentOf(t, file)))
	if err != nil || turned.Width != 2 || turned.Height != 3 || file.ContentType != "image/png" || file.FileName != "seal.png" {
		t.Errorf("turned it is %+v, %s, %s; %v", turned, file.FileName, file.ContentType, err)
	}
}

// everyMessage submits an e-mail.
func (b *bench) everyMessage(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	message := strings.ReplaceAll("From: a@example.com\nSubject: Papers\nContent-Type: multipart/mixed; boundary=b\n\n"+
		"--b\nContent-Type: text/plain\n\nPlease find it attached.\n--b\nContent-Type: text/plain; name=notice.txt\nContent-Disposition: attachment\n\ntype: arrival_notice\n--b--\n", "\n", "\r\n")
	made := must[*tracking.EmailSubmission](t)(b.Client.SubmitEmail(ctx, tracking.NewEmailSubmission{Message: []byte(message)}, tracking.Once{Key: "mail"}))
	again := must[*tracking.EmailSubmission](t)(b.Client.SubmitEmail(ctx, tracking.NewEmailSubmission{Message: []byte(message)}, tracking.Once{Key: "mail"}))
	if made.Subject != "Papers" || made.DocumentsCount != 1 || again.ID != made.ID {
		t.Errorf("the e-mail is %+v, and again %+v", made, again)
	}
	b.Settle()
	shown := must[client.Answer[tracking.EmailSubmission]](t)(b.Client.EmailSubmission(ctx, made.ID))
	want := must[*tracking.EmailSubmission](t)(b.Tracker.EmailSubmission(ctx, made.ID))
	want.Version = 0 // nobody changes it, and it has no ETag
	compareRecords(t, "e-mail", shown.Record, want)
	if d := find[tracking.Document](shown.Included, made.Documents[0]); d == nil || d.Name != "notice.txt" || d.DocumentType != "arrival_notice" {
		t.Errorf("its document is %+v", d)
	}
	if list := all(t, b.Client.EmailSubmissions("user")); len(list) != 1 || list[0].ID != made.ID {
		t.Errorf("the e-mails are %+v", list)
	}
	_, err := b.Client.SubmitEmail(ctx, tracking.NewEmailSubmission{})
	faulty(t, "no e-mail", err, http.StatusUnprocessableEntity, "blank", "/message")
}

// CreateDocument creates one document and one upload even if each response is lost
// once. The same key returns the same document again.
func TestLostDocument(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, lost := newBench(t), map[string]bool{}
		b.wire.before = func(r *http.Request) (*http.Response, error) {
			what, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v2/"), "/")
			if lost[what] {
				return nil, nil
			}
			lost[what] = true
			inner := &recordingTransport{handler: b.handler}
			if answer, err := inner.RoundTrip(r.Clone(r.Context())); err != nil || answer.StatusCode/100 != 2 {
				t.Errorf("%s: %v, %v", what, answer.Status, err)
			}
			return nil, errBroken
		}
		n := tracking.NewDocument{Name: "Bill", Content: []byte(paper)}
		made := must[*tracking.Document](t)(b.Client.CreateDocument(t.Context(), n, tracking.Once{Key: "mine"}))
		if len(lost) != 3 || len(b.wire.sent) != 6 {
			t.Errorf("%d requests, the first of %v lost", len(b.wire.sent), lost)
		}
		if again := must[*tracking.Document](t)(b.Client.CreateDocument(t.Context(), n, tracking.Once{Key: "mine"})); again.ID != made.ID {
			t.Error("there are two documents")
		}
		if _, total, err := b.Tracker.Documents(t.Context(), tracking.DocumentQuery{}, tracking.Page{}); total != 1 {
			t.Errorf("%d documents, %v", total, err)
		}
	})
}

// A response that is too long is an error.
func TestTooLongResponse(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes memory")
	}
	b := newBench(t)
	b.wire.before = func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(zeros{})}, nil
	}
	if err := errorOf(b.Client.OpenDownload(t.Context(), "x")); err == nil || len(b.wire.sent) != 1 {
		t.Errorf("%v after %d requests", err, len(b.wire.sent))
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
