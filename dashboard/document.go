package dashboard

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

// documentPage is a document: its file as pictures of its pages, and what was read of it.
type documentPage struct {
	ID, Name, CSRF string
	Type, State    cell
	// Edit: the session may change it.
	Edit    bool
	Types   []option
	Notes   []string
	Picture *pagePicture
	Fields  []paperField
	// Missing are fields of the type that were not found.
	Missing    []paperField
	Tables     []paperTable
	Sentences  []string
	Shipments  []linkView
	Containers []linkView
	// LinkNumber is what was typed to link it, and LinkProblem why that is refused.
	LinkNumber, LinkProblem string
	Parts                   []cell
	Whole                   cell
	Attributes              []attribute
	Buttons                 []button
	Download                string
	Audited                 bool
	Audit                   table
}

// pagePicture is a page of the file with the fields that were read on it.
type pagePicture struct {
	Source         string
	Number, Of     int
	Previous, Next string
	// Width and Height in points, 0 if they are not known: then no field is marked.
	Width, Height float64
	Marks         []mark
}

// mark is where a field stands on a page, in points.
type mark struct {
	Name, Label, Tone string
	X, Y, W, H        float64
}

// paperField is a field of a document.
type paperField struct {
	Name, Label string
	// Value is what can be changed, and Printed the text on the paper where it differs.
	Value, Printed string
	Alternatives   string
	Confidence     string
	Tone           string
	Corrected      string // by whom and when; empty if it was not
	Page           int    // that it stands on; 0 for none
	Shown          string // the address of that page
	Problem        string
}

// paperTable is a field with rows.
type paperTable struct {
	Label string
	Table table
}

// fieldPart is a field with what its form needs.
type fieldPart struct {
	Field    paperField
	ID, CSRF string
	Edit     bool
}

// With returns the part of the page that shows a field.
func (p documentPage) With(f paperField) fieldPart { return fieldPart{f, p.ID, p.CSRF, p.Edit} }

// linkPart is a link with what its form needs.
type linkPart struct {
	Link     linkView
	ID, CSRF string
	Edit     bool
}

// Linked returns the part of the page that shows a link.
func (p documentPage) Linked(l linkView) linkPart { return linkPart{l, p.ID, p.CSRF, p.Edit} }

// Refused reports whether a field that was not found has a problem.
func (p documentPage) Refused() bool {
	return slices.ContainsFunc(p.Missing, func(f paperField) bool { return f.Problem != "" })
}

// linkView is a record that a document is linked to.
type linkView struct {
	cell
	Kind, ID string
}

// refusedPaper is what was entered and refused: a correction of a field, or a number to link.
type refusedPaper struct{ field, value, link, sentence string }

func showDocument(req *request) error { return req.renderDocument(http.StatusOK, refusedPaper{}) }

func (req *request) renderDocument(status int, refused refusedPaper) error {
	ctx, c := req.r.Context(), req.texts
	d, err := req.t.Document(ctx, req.pathID())
	if err != nil {
		return err
	}
	req.about(slices.Concat([]tracking.ID{d.ID, d.SplitFrom}, d.Shipments, d.Cargos, d.SplitDocuments)...)
	p := documentPage{
		ID: d.ID.String(), Name: d.Name, CSRF: req.sessions.GetString(ctx, sessionCSRF), Type: text(c.word("document_type", d.Type())), State: c.documentState(d),
		Edit: req.can(tracking.Update), Notes: nonEmpty(d.ExtractionFailedReason, d.ClassificationNotes), Download: req.toDocument(d.ID) + "/file",
		LinkNumber: refused.link, Attributes: req.texts.documentAttributes(d),
	}
	if refused.link != "" || refused.field == "" {
		p.LinkProblem = refused.sentence
	}
	for _, x := range d.Discrepancies {
		p.Sentences = append(p.Sentences, x.Detail)
	}
	if p.Types, err = req.documentTypes(ctx, d.DocumentTypeManual); err != nil {
		return err
	}
	p.Buttons = req.buttons(past{}, "/documents/"+p.ID+"/read", "document.read")
	for _, part := range []func(context.Context, *request, *tracking.Document) error{
		func(ctx context.Context, req *request, d *tracking.Document) error {
			return p.readFields(ctx, req, d, refused)
		},
		p.readLinks, p.readParts,
	} {
		if err := part(ctx, req, d); err != nil {
			return err
		}
	}
	p.Audited = req.can(tracking.Admin)
	if p.Audit, err = req.audit(ctx, d.ID); err != nil {
		return err
	}
	return req.render(status, "document", p.Name, p)
}

func (c catalog) documentAttributes(d *tracking.Document) []attribute {
	list := []attribute{
		{"file_name", text(d.FileName)}, {"file_type", text(d.FileContentType)}, {"file_size", text(c.fileSize(d.FileSizeBytes))},
		{"document_source", text(c.word("document_source", string(d.Source)))}, {"added_by", text(d.AddedBy)}, {"created_at", c.moment(d.CreatedAt, "")},
	}
	return slices.DeleteFunc(list, func(a attribute) bool { return a.Value.Empty() })
}

// fileSize is a number of bytes, in kilobytes from 1,000 on.
func (c catalog) fileSize(n int64) string {
	switch {
	case n == 0:
		return ""
	case n < 1000:
		return c.count("file_size", int(n))
	}
	return grouped(int((n+999)/1000)) + " kB"
}

// payloadField is a field as DocumentFields writes it.
type payloadField struct {
	name           string
	Value          string            `json:"value"`
	Normalized     json.RawMessage   `json:"normalized"`
	Alternatives   []json.RawMessage `json:"alternatives"`
	Confidence     float64           `json:"confidence"`
	Page           int               `json:"page"`
	Box            [4]float64        `json:"box"`
	ReadConfidence *float64          `json:"read_confidence"`
	rows           [][]payloadField
}

// payloadFields reads the fields of a reading, in their order.
func payloadFields(payload []byte) (list []payloadField) {
	in := json.NewDecoder(bytes.NewReader(payload))
	if t, err := in.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return list
		}
		var value json.RawMessage
		if in.Decode(&value) != nil {
			return list
		}
		f := payloadField{}
		if value[0] == '[' {
			var rows []json.RawMessage
			_ = json.Unmarshal(value, &rows) // it was decoded
			for _, r := range rows {
				f.rows = append(f.rows, payloadFields(r))
			}
		} else if json.Unmarshal(value, &f) != nil {
			continue
		}
		f.name, _ = name.(string)
		list = append(list, f)
	}
	return list
}

// plain is a normal form as people write it: a quantity is "12.5 kg".
func plain(normal json.RawMessage) string {
	var v any
	in := json.NewDecoder(bytes.NewReader(normal))
	in.UseNumber()
	if in.Decode(&v) != nil {
		return ""
	}
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case map[string]any:
		var words []string
		for _, name := range []string{"amount", "value", "currency", "unit"} {
			switch w := v[name].(type) {
			case string:
				words = append(words, w)
			case json.Number:
				words = append(words, w.String())
			}
		}
		return strings.Join(words, " ")
	}
	return ""
}

// schemaFields are the fields of a type that are no tables, by name, with their labels.
func (req *request) schemaFields(ctx context.Context, typ string) (labels map[string]string, tables map[string]bool, err error) {
	types, err := req.t.DocumentTypes(ctx)
	labels, tables = map[string]string{}, map[string]bool{}
	for _, t := range types {
		var schema struct {
			Properties map[string]struct{ Title, Type string }
		}
		if t.Code != typ || json.Unmarshal(t.Schema, &schema) != nil {
			continue
		}
		for name, f := range schema.Properties {
			labels[name], tables[name] = f.Title, f.Type == "array"
		}
	}
	return labels, tables, err
}

// readFields adds the fields, and the page that is shown with those on it.
func (p *documentPage) readFields(ctx context.Context, req *request, d *tracking.Document, refused refusedPaper) error {
	r, err := req.t.DocumentRepresentation(ctx, d.ID)
	if errors.Is(err, tracking.ErrNotFound) {
		r, err = &tracking.DocumentRepresentation{}, nil
	}
	if err != nil {
		return err
	}
	labels, tables, err := req.schemaFields(ctx, d.Type())
	if err != nil {
		return err
	}
	names, err := req.t.Users().Names(ctx)
	if err != nil {
		return err
	}
	label := func(name string) string { return cmp.Or(labels[name], req.texts.word("paper_field", name)) }
	p.Picture = req.picture(d, r)
	seen := map[string]bool{}
	add := func(f payloadField) {
		seen[f.name] = true
		made := req.paperField(d, f, names)
		made.Label = label(f.name)
		if refused.field == f.name {
			made.Value, made.Problem = refused.value, refused.sentence
		}
		p.Fields = append(p.Fields, made)
		p.Picture.add(made, f)
	}
	for _, f := range payloadFields(r.Payload) {
		if f.rows != nil {
			p.Tables = append(p.Tables, paperTable{label(f.name), req.paperTable(f, req.texts)})
			seen[f.name] = true
			continue
		}
		add(f)
	}
	for _, correction := range d.Corrections { // that the last reading does not have yet
		if !seen[correction.Field] {
			add(payloadField{name: correction.Field})
		}
	}
	for name := range labels {
		if seen[name] || tables[name] {
			continue
		}
		f := paperField{Name: name, Label: label(name)}
		if refused.field == name {
			f.Value, f.Problem = refused.value, refused.sentence
		}
		p.Missing = append(p.Missing, f)
	}
	slices.SortFunc(p.Missing, func(a, b paperField) int { return strings.Compare(a.Label, b.Label) })
	return nil
}

const (
	// sure and doubtful are the confidences above which a field is green, and below which red.
	sure, doubtful = 0.9, 0.6
)

func (req *request) paperField(d *tracking.Document, f payloadField, names map[tracking.ID]string) paperField {
	made := paperField{Name: f.name, Value: cmp.Or(plain(f.Normalized), f.Value), Page: f.Page, Tone: "info"}
	if f.Value != made.Value {
		made.Printed = f.Value
	}
	if f.Page > 0 && f.Box != ([4]float64{}) && isDrawn(d) {
		made.Shown = "?page=" + strconv.Itoa(f.Page) + "#picture"
	} else {
		made.Page = 0
	}
	var others []string
	for _, a := range f.Alternatives {
		others = append(others, plain(a))
	}
	made.Alternatives = strings.Join(others, ", ")
	if f.Confidence > 0 {
		made.Confidence = strconv.Itoa(int(math.Round(f.Confidence*100))) + " %"
	}
	switch {
	case f.Confidence >= sure:
		made.Tone = "good"
	case f.Confidence < doubtful:
		made.Tone = "bad"
	}
	i := slices.IndexFunc(d.Corrections, func(o tracking.FieldCorrection) bool { return o.Field == f.name })
	if i >= 0 {
		o := d.Corrections[i]
		who := req.texts.get("user.none")
		if o.By != nil {
			who = cmp.Or(names[*o.By], o.By.String())
		}
		made.Corrected = req.texts.get("document.corrected", who, req.texts.moment(o.At, "").Text)
		if f.Value != o.Value { // the reading that follows the correction has not ended
			made.Value, made.Printed = o.Value, ""
		}
		made.Confidence, made.Tone, made.Alternatives = "", "info", ""
	}
	return made
}

func (req *request) paperTable(f payloadField, c catalog) table {
	var t table
	for _, r := range f.rows {
		for _, v := range r {
			if !slices.ContainsFunc(t.Columns, func(h heading) bool { return h.Name == v.name }) {
				t.Columns = append(t.Columns, heading{Name: v.name, Label: c.word("paper_field", v.name)})
			}
		}
	}
	for _, r := range f.rows {
		var made row
		for _, h := range t.Columns {
			var shown cell
			for _, v := range r {
				if v.name == h.Name {
					shown = cell{Text: cmp.Or(plain(v.Normalized), v.Value)}
					if v.Value != shown.Text {
						shown.Note = v.Value
					}
				}
			}
			made.Cells = append(made.Cells, shown)
		}
		t.Rows = append(t.Rows, made)
	}
	return t
}

// drawnTypes are the types of files whose pages are shown as pictures.
var drawnTypes = []string{"application/pdf", "image/png", "image/jpeg", "image/tiff"}

// isDrawn reports whether the pages of a document are shown as pictures.
func isDrawn(d *tracking.Document) bool {
	return slices.Contains(drawnTypes, d.FileContentType) && d.ExtractionFailedReason == ""
}

// picture is the page that the address asks for, the first of the document by itself; nil if the
// file has none that can be shown.
func (req *request) picture(d *tracking.Document, r *tracking.DocumentRepresentation) *pagePicture {
	if !isDrawn(d) {
		return nil
	}
	first, last := max(1, d.FirstPage), max(1, cmp.Or(d.LastPage, len(r.Pages)))
	n, err := strconv.Atoi(req.r.URL.Query().Get("page"))
	if err != nil || n < first || n > last {
		n = first
	}
	at := req.toDocument(d.ID)
	p := &pagePicture{Number: n, Of: last, Source: at + "/pages/" + strconv.Itoa(n) + "?file=" + d.Upload.String()}
	if n <= len(r.Pages) {
		p.Width, p.Height = r.Pages[n-1].Width, r.Pages[n-1].Height
	}
	if n > first {
		p.Previous = at + "?page=" + strconv.Itoa(n-1) + "#picture"
	}
	if n < last {
		p.Next = at + "?page=" + strconv.Itoa(n+1) + "#picture"
	}
	return p
}

// add marks a field where it stands on the page.
func (p *pagePicture) add(f paperField, at payloadField) {
	if p == nil || p.Width == 0 || f.Page != p.Number {
		return
	}
	const margin = 2 // points
	p.Marks = append(p.Marks, mark{
		Name: f.Name, Label: f.Label + ": " + f.Value, Tone: f.Tone,
		X: at.Box[0] - margin, Y: at.Box[1] - margin, W: at.Box[2] - at.Box[0] + 2*margin, H: at.Box[3] - at.Box[1] + 2*margin,
	})
}

func (p *documentPage) readLinks(ctx context.Context, req *request, d *tracking.Document) error {
	for _, id := range d.Shipments {
		s, err := req.places.shipment(ctx, id)
		if err != nil {
			return err
		}
		p.Shipments = append(p.Shipments, linkView{linked(shipmentName(s), req.toShipment(id)), "shipment", id.String()})
	}
	for _, id := range d.Cargos {
		b, err := req.places.container(ctx, id)
		if err != nil {
			return err
		}
		p.Containers = append(p.Containers, linkView{linked(b.Number, req.toContainer(id)), "container", id.String()})
	}
	return nil
}

func (p *documentPage) readParts(ctx context.Context, req *request, d *tracking.Document) error {
	for _, id := range d.SplitDocuments {
		part, err := req.t.Document(ctx, id)
		if errors.Is(err, tracking.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		p.Parts = append(p.Parts, cell{Text: part.Name, Href: req.toDocument(id), Note: req.texts.word("document_type", part.Type())})
	}
	if d.SplitFrom == (tracking.ID{}) {
		return nil
	}
	whole, err := req.t.Document(ctx, d.SplitFrom)
	if err == nil {
		p.Whole = linked(whole.Name, req.toDocument(whole.ID))
	}
	if errors.Is(err, tracking.ErrNotFound) {
		return nil
	}
	return err
}

// showDocumentPage serves a page of the file as a picture. Its address names the file, so a
// browser may keep it.
func showDocumentPage(req *request) error {
	n, err := strconv.Atoi(req.r.PathValue("page"))
	if err != nil || n < 1 {
		return req.notFound()
	}
	picture, err := req.t.DocumentPage(req.r.Context(), req.pathID(), n)
	var fault *tracking.Error
	if errors.As(err, &fault) && fault.Code == tracking.FileNoPage {
		return req.notFound()
	}
	if err != nil {
		return err
	}
	h := req.w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Content-Length", strconv.Itoa(len(picture)))
	h.Set("Cache-Control", "private, max-age=86400")
	_, _ = req.w.Write(picture) // the browser may have gone
	return nil
}

// downloadDocument serves the file as an attachment, of a type that no browser executes.
func downloadDocument(req *request) error {
	ctx := req.r.Context()
	signed, err := req.t.DocumentDownload(ctx, req.pathID())
	if err != nil {
		return err
	}
	file, err := req.t.OpenDownload(ctx, signed)
	if err != nil {
		return err
	}
	defer file.Close()
	h := req.w.Header()
	h.Set("Content-Type", "application/octet-stream")
	if slices.Contains(drawnTypes, file.ContentType) {
		h.Set("Content-Type", file.ContentType)
	}
	h.Set("Content-Disposition", cmp.Or(mime.FormatMediaType("attachment", map[string]string{"filename": file.FileName}), "attachment"))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Content-Length", strconv.FormatInt(file.Size(), 10))
	// The server's own limit is for pages: a file may take as long as a slow line needs.
	_ = http.NewResponseController(req.w).SetWriteDeadline(time.Now().Add(time.Minute + time.Duration(file.Size()/(16<<10))*time.Second))
	_, _ = io.Copy(req.w, io.NewSectionReader(file, 0, file.Size())) // the browser may have gone
	return nil
}

// correctDocument corrects a field; without a value it takes the correction back.
func correctDocument(req *request) error {
	ctx, form := req.r.Context(), req.r.PostForm
	field, value := form.Get("field"), form.Get("value")
	if _, err := req.t.Document(ctx, req.pathID()); err != nil {
		return err
	}
	if form.Get("back") != "" {
		value = ""
	}
	_, err := req.t.UpdateDocument(ctx, req.pathID(), tracking.DocumentUpdate{Corrections: []tracking.FieldCorrection{{Field: field, Value: value}}})
	if said, refused := refusal(err); refused {
		return req.renderDocument(http.StatusUnprocessableEntity, refusedPaper{field: field, value: value, sentence: strings.TrimPrefix(said, field+": ")})
	}
	return req.savedDocument(err, "document.saved", "#field-"+field)
}

// refusal returns the sentence of an error that a person can correct.
func refusal(err error) (said string, refused bool) {
	var one *tracking.Error
	if errors.As(err, &one) && one.Kind == tracking.Invalid {
		return sentence(one), true
	}
	var several tracking.Errors
	if errors.As(err, &several) {
		return sentence(several), true
	}
	return "", false
}

// savedDocument shows the page again after a change, or the error of it.
func (req *request) savedDocument(err error, done, fragment string) error {
	if err != nil {
		return err
	}
	req.sessions.Put(req.r.Context(), sessionFlash, req.texts.get(done))
	return req.redirect(req.toDocument(req.pathID()) + fragment)
}

func setDocumentType(req *request) error {
	_, err := req.t.UpdateDocument(req.r.Context(), req.pathID(), tracking.DocumentUpdate{TypeManual: tracking.Set(req.r.PostForm.Get("type"))})
	return req.savedDocument(err, "document.type_saved", "")
}

func readDocumentAgain(req *request) error {
	return req.savedDocument(req.t.ReextractDocument(req.r.Context(), req.pathID()), "document.reading", "")
}

// linkDocument links the document to what a number names, or ends a link.
func linkDocument(req *request) error {
	ctx, form := req.r.Context(), req.r.PostForm
	d, err := req.t.Document(ctx, req.pathID())
	if err != nil {
		return err
	}
	link := tracking.DocumentLink{Remove: true}
	switch id := parseID(form.Get("record")); form.Get("kind") {
	case "shipment":
		link.Shipment = id
	case "container":
		link.Container = id
	default:
		var said string
		typed := strings.TrimSpace(form.Get("number"))
		if link, said, err = req.linkTo(ctx, typed); err != nil {
			return err
		}
		if said != "" {
			return req.renderDocument(http.StatusUnprocessableEntity, refusedPaper{link: typed, sentence: said})
		}
	}
	_, err = req.t.LinkDocument(ctx, d.ID, link)
	return req.savedDocument(err, "document.linked", "#links")
}

// linkTo returns the shipment or the container with a number, or says why there is none.
func (req *request) linkTo(ctx context.Context, number string) (l tracking.DocumentLink, said string, err error) {
	if number == "" {
		return l, req.texts.get("document.link.empty"), nil
	}
	two := tracking.Page{Number: 1, Size: 2}
	ships, _, err := req.t.Shipments(ctx, tracking.ShipmentQuery{Number: number}, two)
	if err != nil {
		return l, "", err
	}
	if len(ships) > 0 {
		return tracking.DocumentLink{Shipment: ships[0].ID}, "", nil
	}
	boxes, _, err := req.t.Containers(ctx, tracking.ContainerQuery{Numbers: []string{number}, Removed: tracking.No}, two)
	switch {
	case err != nil:
		return l, "", err
	case len(boxes) == 1:
		return tracking.DocumentLink{Container: boxes[0].ID}, "", nil
	case len(boxes) > 1:
		return l, req.texts.get("document.link.several", clip(number)), nil
	}
	return l, req.texts.get("document.link.unknown", clip(number)), nil
}
