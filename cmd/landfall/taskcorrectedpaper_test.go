package main

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"fmt"
	pictures "image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract"
	"github.com/landfallhq/tracking/internal/browsertest"
)

const paperBill = "MAEUV0001"

// correctedPaper: correct a wrong field on a paper.
var correctedPaper = officeTask{name: "8 correct a wrong field on a paper", history: func(o *office) {
	o.at("2026-05-21T08:00Z", func(h history) {
		for i, account := range o.accounts {
			if h.acme == (i == 0) {
				o.must(o.operator.SetDuplicateDocuments(o.t.Context(), account.Name, tracking.RejectDuplicates))
			}
		}
	})
	o.at("2026-06-05T08:00Z", func(h history) {
		h.report(paperBill, []string{boxNumber(800)}, `
			actual load CNSHA 2026-05-25T10:00 ship=Lyra
			actual depart CNSHA 2026-05-26T10:00 ship=Lyra
			estimated arrive USLGB 2026-06-15T08:00 ship=Lyra`)
	})
}, do: func(t *testing.T, o *office) {
	acme, ctx := o.acme(), t.Context()
	file := filepath.Join(t.TempDir(), "arrival notice <b>.pdf")
	o.must(os.WriteFile(file, scannedNotice(t), 0o600))
	v := acme.shipment(paperBill)
	open := func() []*tracking.Exception {
		list, _, err := acme.Exceptions().List(ctx, tracking.ExceptionQuery{Shipments: []tracking.ID{v.ID}, Open: tracking.Yes}, tracking.Page{})
		o.must(err)
		return list
	}
	if list := open(); len(list) != 0 {
		t.Fatalf("the shipment begins with %+v", list[0])
	}

	earlier, _, err := acme.Documents(ctx, tracking.DocumentQuery{}, tracking.Page{})
	o.must(err)
	added := func() []*tracking.Document { // those of other tasks were there before
		list, _, err := acme.Documents(ctx, tracking.DocumentQuery{}, tracking.Page{})
		o.must(err)
		return slices.DeleteFunc(list, func(d *tracking.Document) bool {
			return slices.ContainsFunc(earlier, func(e *tracking.Document) bool { return e.ID == d.ID })
		})
	}

	ann, dora := o.signIn(t, "Ann"), o.signIn(t, "Dora")
	ann.begin()
	dora.open("/")
	counts := dora.counts()
	ann.follow("Papers")
	ann.file("Files to upload", file)
	ann.press("Upload")
	ann.becomes("2026-06-19")
	ann.becomes("What does not agree")
	ann.sees("What does not agree", "2026-06-19", "2026-06-15")
	ann.sees(paperBill)
	documents := added()
	if len(documents) != 1 || len(documents[0].Shipments) != 1 || documents[0].Shipments[0] != v.ID || len(documents[0].Discrepancies) != 1 {
		t.Fatalf("documents: %+v", documents)
	}
	d := documents[0]
	if field := ann.part("#field-eta"); !strings.Contains(field, "% sure") {
		t.Errorf("the field does not say how sure it is: %s", field)
	}
	ann.seesMark("eta", "2026-06-19")
	if list := open(); len(list) != 1 || list[0].Kind != "document_discrepancy" {
		t.Errorf("the exceptions of the shipment: %+v", list)
	}
	dora.becomes("Document discrepancy")
	read := acme.payload(t, d)

	ann.write("Estimated arrival", "31 June")
	ann.enter()
	if field := ann.part("#field-eta"); !strings.Contains(field, "date") {
		t.Errorf("31 June is refused with %s", field)
	}
	if typed := evaluate[string](ann, element("field", "Estimated arrival", nil)+`.value`); typed != "31 June" {
		t.Errorf("of what was typed %q stays", typed)
	}
	if invalid := evaluate[bool](ann, element("field", "Estimated arrival", nil)+`.getAttribute("aria-invalid") === "true"`); !invalid {
		t.Error("the field is not marked")
	}
	ann.write("Estimated arrival", "2026-06-16")
	ann.enter()
	ann.becomes("Corrected by Ann, 10 Jun 2026, 16:00 UTC")
	ann.vanishes("What does not agree")
	at := ann.path()
	check := func(when string) {
		t.Helper()
		d, err := acme.Document(ctx, d.ID)
		o.must(err)
		if c := d.Corrections; len(c) != 1 || c[0].Field != "eta" || c[0].Value != "2026-06-16" || c[0].By == nil || *c[0].By != o.users["Ann"].ID || !c[0].At.Equal(moment(t, officeNow).Time) {
			t.Errorf("%s: corrections %+v", when, c)
		}
		if len(d.Discrepancies) != 0 || d.State() != tracking.DocumentRead {
			t.Errorf("%s: %s, discrepancies %+v", when, d.State(), d.Discrepancies)
		}
		if list := open(); len(list) != 0 {
			t.Errorf("%s: exceptions %+v", when, list[0])
		}
		for name, value := range acme.payload(t, d) {
			if want := read[name]; name == "eta" && value != "2026-06-16" || name != "eta" && value != want {
				t.Errorf("%s: the field %s is %s and was %s", when, name, value, want)
			}
		}
		if s := acme.shipment(paperBill); !s.PODETAAt.Equal(v.PODETAAt) {
			t.Errorf("%s: the shipment arrives at %v, not at %v", when, s.PODETAAt, v.PODETAAt)
		}
	}
	check("after the correction")
	dora.vanishes("Document discrepancy")
	if now := dora.counts(); now != counts {
		t.Errorf("Today counts %s, and before %s", now, counts)
	}

	ann.follow("Papers")
	ann.file("Files to upload", file)
	ann.press("Upload")
	ann.sees("Not added", "arrival notice <b>.pdf")
	if href := evaluate[string](ann, element("link", "the same file is there already", nil)+`.getAttribute("href")`); href != "/documents/"+d.ID.String() {
		t.Errorf("the first is at %s", href)
	}
	ann.done()
	if list := added(); len(list) != 1 {
		t.Errorf("%d documents", len(list))
	}

	reading := d.LastRepresentation
	o.must(acme.ReextractDocument(ctx, d.ID))
	eventually(t, patience, func() error {
		d, err := acme.Document(ctx, d.ID)
		if err != nil || d.State() != tracking.DocumentRead || d.LastRepresentation == reading {
			return fmt.Errorf("%s, error %v", d.State(), err)
		}
		return nil
	})
	check("read again")
	dora.open(at)
	dora.sees("2026-06-16", "Corrected by Ann")
	dora.seesNot("What does not agree")
	acme.audited(t, "Ann", "document.update")
}}

// payload are the fields of a document with their values.
func (h history) payload(t *testing.T, d *tracking.Document) map[string]string {
	t.Helper()
	r, err := h.DocumentRepresentation(t.Context(), d.ID)
	h.o.must(err)
	var fields map[string]json.RawMessage
	h.o.must(json.Unmarshal(r.Payload, &fields))
	values := map[string]string{}
	for name, raw := range fields {
		var field struct {
			Value      string
			Normalized json.RawMessage
		}
		if json.Unmarshal(raw, &field) != nil { // rows
			values[name] = string(raw)
			continue
		}
		if values[name] = field.Value; name == "eta" {
			values[name] = strings.Trim(string(field.Normalized), `"`)
		}
	}
	return values
}

// counts are the numbers on Today.
func (c *clerk) counts() string {
	c.t.Helper()
	return evaluate[string](c, `[...document.querySelectorAll(".tile, .kinds a")].map(e => e.innerText.replace(/\s+/g, " ")).join("; ")`)
}

// seesMark checks that the page of a document is a picture, and that a field is marked on it
// where the picture has some ink.
func (c *clerk) seesMark(field, value string) {
	c.t.Helper()
	var shown struct {
		Label, Source             string
		X, Y, W, H                float64
		Width, VisibleW, VisibleH float64
	}
	c.o.must(json.Unmarshal([]byte(evaluate[string](c, `(() => {
		const svg = document.querySelector("svg.sheet"), mark = svg.querySelector('a[href="#field-`+field+`"]'), box = mark.querySelector("rect"), image = svg.querySelector("image");
		const n = name => Number(box.getAttribute(name));
		const at = image.getBoundingClientRect();
		return JSON.stringify({Label: mark.getAttribute("aria-label"), Source: image.getAttribute("href"), X: n("x"), Y: n("y"), W: n("width"), H: n("height"),
			Width: svg.viewBox.baseVal.width, VisibleW: at.width, VisibleH: at.height});
	})()`)), &shown))
	if !strings.Contains(shown.Label, value) || shown.VisibleW < 100 || shown.VisibleH < 100 {
		c.t.Errorf("the mark of %s: %+v", field, shown)
	}
	encoded := awaited[string](c, `fetch(`+browsertest.Quote(shown.Source)+`).then(r => r.arrayBuffer()).then(b => btoa([...new Uint8Array(b)].map(n => String.fromCharCode(n)).join("")))`)
	file, err := base64.StdEncoding.DecodeString(encoded)
	c.o.must(err)
	picture, err := png.Decode(bytes.NewReader(file))
	c.o.must(err)
	scale := float64(picture.Bounds().Dx()) / shown.Width
	inside := pictures.Rect(int(shown.X*scale), int(shown.Y*scale), int((shown.X+shown.W)*scale), int((shown.Y+shown.H)*scale)).Intersect(picture.Bounds())
	if inside.Dx() > picture.Bounds().Dx()/3 || inside.Dy() > picture.Bounds().Dy()/20 {
		c.t.Errorf("the mark %v is large for a picture of %v", inside, picture.Bounds())
	}
	ink := 0
	for y := inside.Min.Y; y < inside.Max.Y; y++ {
		for x := inside.Min.X; x < inside.Max.X; x++ {
			if r, _, _, _ := picture.At(x, y).RGBA(); r < 0x8000 {
				ink++
			}
		}
	}
	if ink < 20 {
		c.t.Errorf("nothing stands at the mark %v of a picture of %v", inside, picture.Bounds())
	}
}

// scannedNotice is a scan of an arrival notice with the text of a former recognition, which has
// another ETA than the picture.
func scannedNotice(t *testing.T) []byte {
	t.Helper()
	e, err := extract.New(extract.Config{OCR: extract.OCR{Off: true}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	printed := pdf(noticeSteps(0, "2026-06-16"), nil)
	picture, err := e.Render(t.Context(), tracking.DocumentFile{Content: bytes.NewReader(printed), Size: int64(len(printed))}, 1)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	grey := pictures.NewGray(drawn.Bounds())
	draw.Draw(grey, grey.Bounds(), drawn, drawn.Bounds().Min, draw.Src)
	return pdf(noticeSteps(3, "2026-06-19"), grey)
}

// noticeSteps draws the text of an arrival notice; mode 3 is invisible.
func noticeSteps(mode int, eta string) string {
	var b strings.Builder
	if mode == 3 {
		b.WriteString("q 595 0 0 842 0 0 cm /I Do Q\n")
	}
	at := func(x, y, size int, text string) {
		fmt.Fprintf(&b, "BT %d Tr /F %d Tf %d %d Td (%s) Tj ET\n", mode, size, x, y, text)
	}
	at(60, 780, 18, "ARRIVAL NOTICE")
	for i, row := range [][2]string{
		{"Date:", "2026-06-09"}, {"B/L No.:", paperBill}, {"Vessel:", "LYRA"}, {"Voyage:", "26W"}, {"Port of Loading:", "Shanghai"},
		{"Port of Discharge:", "Long Beach"}, {"ETA:", eta}, {"Container No.:", boxNumber(800)}, {"Consignee:", "Acme Imports Inc."},
	} {
		at(60, 730-24*i, 11, row[0])
		at(200, 730-24*i, 11, row[1])
	}
	return b.String()
}

// pdf is a document with one page of A4 and a picture, which the steps draw as /I.
func pdf(steps string, picture *pictures.Gray) []byte {
	objects := []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</I 6 0 R>>>>>>",
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(steps), steps),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
	}
	if picture != nil {
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		_, _ = z.Write(picture.Pix) // to memory
		_ = z.Close()
		objects = append(objects, fmt.Sprintf("<</Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode/Length %d>>stream\n%s\nendstream",
			picture.Rect.Dx(), picture.Rect.Dy(), packed.Len(), packed.String()))
	} else {
		objects = append(objects, "null")
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var offsets []int
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}
