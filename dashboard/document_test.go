package dashboard

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

// sendFiles sends a form with values and files: pairs of names and contents.
func (b *bench) sendFiles(values map[string]string, files ...string) answer {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range values {
		if err := form.WriteField(name, value); err != nil {
			b.t.Fatal(err)
		}
	}
	for i := 0; i < len(files); i += 2 {
		part, err := form.CreateFormFile("files", files[i])
		if err != nil {
			b.t.Fatal(err)
		}
		if _, err := part.Write([]byte(files[i+1])); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		b.t.Fatal(err)
	}
	r, err := http.NewRequest("POST", b.server.URL+"/documents", &body)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	return b.do(r)
}

func (w *world) documents() int {
	w.t.Helper()
	_, n, err := w.Documents(w.t.Context(), tracking.DocumentQuery{}, tracking.Page{Number: 1, Size: 1})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// TestUpload: each file becomes a document or has an error of its own, and sending twice adds
// nothing twice.
func TestUpload(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	form := map[string]string{"csrf": w.token("/documents"), "once": "1"}
	before := w.documents()
	for range 2 {
		if a := w.sendFiles(form, "one.pdf", "%PDF-1.7\ntype: other\n"); a.status != 303 || !strings.HasPrefix(a.header.Get("Location"), "/documents/") {
			t.Fatalf("one file: %d", a.status)
		}
	}
	if n := w.documents(); n != before+1 {
		t.Errorf("%d documents were added, want 1", n-before)
	}
	form["once"] = "2"
	a := w.sendFiles(form, "again.pdf", "%PDF-1.7\ntype: other\n", "empty.pdf", "", `<i>".pdf`, "type: other\nnew\n")
	w.inspect("/documents", a.body)
	if a.status != 422 || !strings.Contains(a.body, "the same file is there already") || !strings.Contains(a.body, "no bytes") || !strings.Contains(a.body, "Added") || strings.Contains(a.body, "<i>") {
		t.Errorf("three files: %d %s", a.status, a.body)
	}
	if n := w.documents(); n != before+2 {
		t.Errorf("%d documents were added, want 2", n-before)
	}
	form["once"], form["shipment"] = "3", w.ids["shipments"].String()
	if a := w.sendFiles(form, "x.pdf", "type: other\nof the shipment\n", "y.pdf", "type: other\nalso\n"); a.status != 303 || a.header.Get("Location") != "/shipments/"+form["shipment"]+"#papers" {
		t.Errorf("for a shipment: %d", a.status)
	}
	if a := w.get("/shipments/" + form["shipment"]); !strings.Contains(a.body, "x.pdf") || !strings.Contains(a.body, "y.pdf") {
		t.Error("the shipment does not show its papers")
	}
	if a := w.sendFiles(form); a.status != 422 || !strings.Contains(a.body, "at least one file") {
		t.Errorf("no file: %d", a.status)
	}
	form["shipment"] = "no-id"
	if a := w.sendFiles(form, "x.pdf", "z"); a.status != 404 {
		t.Errorf("for no shipment: %d", a.status)
	}
	if a := w.sendFiles(map[string]string{"csrf": "guess"}, "x.pdf", "forged"); a.status != 403 {
		t.Errorf("a forged form: %d", a.status)
	}
	w.signIn(tracking.Show)
	if a := w.sendFiles(map[string]string{"csrf": w.token("/")}, "x.pdf", "not allowed"); a.status != 403 {
		t.Errorf("without the permission: %d", a.status)
	}
	for _, path := range []string{"/documents", "/documents/" + w.ids["documents"].String()} {
		if a := w.get(path); strings.Contains(a.body, `type="file"`) || strings.Contains(a.body, `name="field"`) {
			t.Errorf("%s offers what is not allowed", path)
		}
	}
}

// TestPageOfField: a field names the page that it stands on where pages are drawn.
func TestPageOfField(t *testing.T) {
	f := payloadField{name: "eta", Value: "2026-06-19", Page: 2, Box: [4]float64{0, 0, 1, 1}}
	for _, c := range []struct {
		d    tracking.Document
		page int
	}{
		{tracking.Document{FileContentType: "application/pdf"}, 2},
		{tracking.Document{FileContentType: "application/pdf", ExtractionFailedReason: "damaged"}, 0},
		{tracking.Document{FileContentType: "text/plain"}, 0},
	} {
		if got := (&request{}).paperField(&c.d, f, nil); got.Page != c.page || (got.Shown == "") != (c.page == 0) {
			t.Errorf("%s, %q: page %d at %q", c.d.FileContentType, c.d.ExtractionFailedReason, got.Page, got.Shown)
		}
	}
}

// TestFileSize: sizes below a kilobyte are in bytes.
func TestFileSize(t *testing.T) {
	texts, err := readCatalog("en")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int64]string{0: "", 1: "1 byte", 78: "78 bytes", 999: "999 bytes", 1_000: "1 kB", 1_001: "2 kB", 12_345_678: "12,346 kB"} {
		if got := texts.fileSize(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

// TestDocument: the page shows each field with its place, a correction in place, and refuses one
// that is no such value with what was typed.
func TestDocument(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	d, err := w.CreateDocument(t.Context(), tracking.NewDocument{Name: "notice", Content: []byte("%PDF-1.7\ntype: arrival_notice\neta: 2026-06-19\ncontainer: MRKU9465770\n")})
	if err != nil {
		t.Fatal(err)
	}
	w.Settle()
	path := "/documents/" + d.ID.String()
	page := w.get(path).body
	w.inspect(path, page)
	for _, want := range []string{`<rect x="98" y="98" width="104" height="16"`, `name="value" value="2026-06-19"`, "100 % sure", "/pages/1?file="} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if a := w.get(path + "/pages/1"); a.status != 200 || a.header.Get("Content-Type") != "image/png" || !strings.HasPrefix(a.body, "\x89PNG") {
		t.Errorf("its picture: %d", a.status)
	}
	for _, n := range []string{"2", "0", "x"} {
		if a := w.get(path + "/pages/" + n); a.status != 404 {
			t.Errorf("page %s: %d", n, a.status)
		}
	}
	if a := w.get(path + "/file"); a.status != 200 || !strings.HasPrefix(a.header.Get("Content-Disposition"), "attachment") || a.header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(a.body, "%PDF") {
		t.Errorf("its file: %d %v", a.status, a.header)
	}
	send := func(action string, pairs ...string) answer {
		form := map[string][]string{"csrf": {w.token("/documents")}}
		for i := 0; i < len(pairs); i += 2 {
			form[pairs[i]] = []string{pairs[i+1]}
		}
		a := w.post(path+action, form)
		w.Settle()
		return a
	}
	if a := send("/field", "field", "container", "value", "31 June"); a.status != 422 || !strings.Contains(a.body, `value="31 June"`) || !strings.Contains(a.body, `id="problem-container" role="alert">it is no container number.`) {
		t.Errorf("a wrong value: %d %s", a.status, a.body)
	}
	if a := send("/field", "field", "eta", "value", "2026-06-16"); a.status != 303 {
		t.Errorf("a value: %d", a.status)
	}
	if a := send("/read"); a.status != 303 {
		t.Errorf("reading again: %d", a.status)
	}
	if page := w.get(path).body; !strings.Contains(page, `value="2026-06-16"`) || !strings.Contains(page, "Corrected by") {
		t.Error("the correction is not shown")
	}
	if a := send("/field", "field", "eta", "back", "yes", "value", "2026-06-16"); a.status != 303 {
		t.Errorf("taking it back: %d", a.status)
	}
	if page := w.get(path).body; !strings.Contains(page, `value="2026-06-19"`) || strings.Contains(page, "Corrected by") {
		t.Error("the correction is not taken back")
	}
	if a := send("/type", "type", "other"); a.status != 303 {
		t.Errorf("a type: %d", a.status)
	}
	if a := send("/type", "type", "poem"); a.status != 422 {
		t.Errorf("a type that there is not: %d", a.status)
	}
	number := w.shipmentNumber()
	if a := send("/links", "number", "<NONE>"); a.status != 422 || !strings.Contains(a.body, `value="&lt;NONE&gt;"`) || !strings.Contains(a.body, "no shipment and no container") {
		t.Errorf("an unknown number: %d", a.status)
	}
	for _, row := range []struct {
		pairs []string
		want  int
	}{{[]string{"number", number}, 1}, {[]string{"kind", "shipment", "record", w.ids["shipments"].String()}, 0}} {
		if a := send("/links", row.pairs...); a.status != 303 {
			t.Errorf("%v: %d", row.pairs, a.status)
		}
		if got, err := w.Document(t.Context(), d.ID); err != nil || len(got.Shipments) != row.want {
			t.Errorf("after %v it is linked to %v, error %v", row.pairs, got.Shipments, err)
		}
	}
}

func (w *world) shipmentNumber() string {
	w.t.Helper()
	s, err := w.Shipment(w.t.Context(), w.ids["shipments"])
	if err != nil {
		w.t.Fatal(err)
	}
	return s.BillOfLadingNumber
}
