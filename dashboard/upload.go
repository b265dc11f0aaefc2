package dashboard

import (
	"cmp"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

const (
	// maxUpload bounds the body of a form with files, in bytes, and maxFiles their number. The
	// engine bounds each.
	maxUpload = 512 << 20
	maxFiles  = 50
	// uploadTime is how long the files of a form may take to arrive.
	uploadTime = 10 * time.Minute
	// maxFormValue bounds a value before the files, in bytes, and maxFormValues their number.
	maxFormValue, maxFormValues = 4 << 10, 16
)

// readUpload reads the values of a form up to its first file, which nextFile returns. The token
// of the form comes before them, so no byte of a forged form is kept.
func (req *request) readUpload() error {
	if !strings.HasPrefix(req.r.Header.Get("Content-Type"), "multipart/form-data") {
		return req.readForm()
	}
	until := time.Now().Add(uploadTime)
	control := http.NewResponseController(req.w)
	_ = control.SetReadDeadline(until) // where the server cannot, its own limits hold
	_ = control.SetWriteDeadline(until)
	req.r.Body = http.MaxBytesReader(req.w, req.r.Body, maxUpload)
	req.r.PostForm = url.Values{}
	parts, err := req.r.MultipartReader()
	if err != nil {
		return &pageError{http.StatusBadRequest, req.texts.get("error.form")}
	}
	req.parts = parts
	for range maxFormValues {
		part, err := req.nextPart()
		if err != nil || part == nil {
			return err
		}
		if part.FormName() == "files" {
			req.first = part
			return nil
		}
		value, err := io.ReadAll(io.LimitReader(part, maxFormValue))
		if err != nil {
			return req.uploadFault(err)
		}
		req.r.PostForm.Add(part.FormName(), string(value))
	}
	return &pageError{http.StatusBadRequest, req.texts.get("error.form")}
}

// nextPart returns the next part of the form; nil at its end.
func (req *request) nextPart() (*multipart.Part, error) {
	part, err := req.parts.NextPart()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	return part, req.uploadFault(err)
}

// uploadFault is the page of a form that breaks off or is too large.
func (req *request) uploadFault(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &tooLarge):
		return &pageError{http.StatusRequestEntityTooLarge, req.texts.get("error.large")}
	}
	return &pageError{http.StatusBadRequest, req.texts.get("error.form")}
}

// nextFile returns the next file of the form; nil at its end. A browser sends one without a name
// where none was chosen.
func (req *request) nextFile() (*multipart.Part, error) {
	part := req.first
	req.first = nil
	for {
		if part != nil && part.FormName() == "files" && part.FileName() != "" {
			return part, nil
		}
		if req.parts == nil {
			return nil, nil
		}
		var err error
		if part, err = req.nextPart(); err != nil || part == nil {
			return nil, err
		}
	}
}

// uploadForm is a form for files.
type uploadForm struct {
	Action, CSRF string
	// Once identifies the form, so that sending it twice adds nothing twice.
	Once string
	// Shipment that the documents are linked to; empty for none.
	Shipment string
	Problem  string
}

// uploadForm returns the form for documents, of a shipment if one is given; nil for a session
// that may not add any.
func (req *request) uploadForm(shipment tracking.ID) *uploadForm {
	if !req.can(tracking.Create) {
		return nil
	}
	return &uploadForm{Action: req.link("/documents"), CSRF: req.sessions.GetString(req.r.Context(), sessionCSRF), Once: newToken(), Shipment: shown(shipment)}
}

// uploadRow is a file with what became of it.
type uploadRow struct {
	name    string
	outcome cell
	added   *tracking.Document
}

func (uploadRow) recordID() tracking.ID { return tracking.ID{} }

// uploadPage is what became of several files.
type uploadPage struct {
	Table  table
	Upload *uploadForm
}

// upload adds documents. A file that is refused does not affect the others.
func upload(req *request) error {
	shipment, given := parseID(req.r.PostForm.Get("shipment")), req.r.PostForm.Get("shipment") != ""
	if given && shipment == (tracking.ID{}) {
		return req.notFound()
	}
	rows, refused, err := req.addFiles(shipment)
	if err != nil {
		return err
	}
	back := req.link("/documents")
	if given {
		back = req.toShipment(shipment) + "#papers"
	}
	switch {
	case len(rows) == 1 && !refused && !given:
		req.sessions.Put(req.r.Context(), sessionFlash, req.texts.get("upload.done.one", "1"))
		return req.redirect(req.toDocument(rows[0].added.ID))
	case len(rows) > 0 && !refused:
		req.sessions.Put(req.r.Context(), sessionFlash, req.texts.count("upload.done", len(rows)))
		return req.redirect(back)
	}
	p := uploadPage{Upload: req.uploadForm(shipment)}
	if len(rows) == 0 {
		p.Upload.Problem = req.texts.get("upload.none")
	}
	p.Table = fill(req, []column[uploadRow]{
		{name: "name", cell: func(r uploadRow) cell { return text(r.name) }},
		{name: "outcome", cell: func(r uploadRow) cell { return r.outcome }},
	}, rows)
	return req.render(http.StatusUnprocessableEntity, "upload", req.texts.get("upload.title"), p)
}

// addFiles makes a document of each file of the form.
func (req *request) addFiles(shipment tracking.ID) (rows []uploadRow, refused bool, err error) {
	for i := 0; ; i++ {
		file, err := req.nextFile()
		if err != nil || file == nil {
			return rows, refused, err
		}
		if i == maxFiles {
			rows = append(rows, uploadRow{name: file.FileName(), outcome: cell{Text: req.texts.get("upload.many", maxFiles), Tone: "bad"}})
			return rows, true, nil
		}
		row, err := req.addFile(i, file, shipment)
		if err != nil {
			return nil, false, err
		}
		rows, refused = append(rows, row), refused || row.added == nil
	}
}

// addFile makes a document of a file, or says why not.
func (req *request) addFile(i int, file *multipart.Part, shipment tracking.ID) (row uploadRow, err error) {
	row.name = strings.ToValidUTF8(file.FileName(), "?")
	n := tracking.NewDocument{Name: clipTo(row.name, 255), FileName: row.name, ContentType: file.Header.Get("Content-Type"), Body: file, Shipment: shipment}
	var once []tracking.Once
	if key := req.r.PostForm.Get("once"); key != "" {
		once = append(once, tracking.Once{Key: clipTo(key, 64) + "/" + strconv.Itoa(i), Fingerprint: row.name})
	}
	row.added, err = req.t.CreateDocument(req.r.Context(), n, once...)
	var fault *tracking.Error
	var faults tracking.Errors
	switch {
	case errors.As(err, &fault) && fault.Code == "duplicate_document":
		id, _ := fault.Meta["existing_document_id"].(string)
		name, _ := fault.Meta["existing_document_name"].(string)
		row.outcome = cell{Text: req.texts.get("upload.duplicate", clip(name)), Href: req.link("/documents/" + id)}
		return row, nil
	case errors.As(err, &fault) && fault.Code == "too_large":
		row.outcome = cell{Text: sentence(fault), Tone: "bad"}
		return row, nil
	case errors.As(err, &fault) && (fault.Kind == tracking.Invalid || fault.Kind == tracking.Conflict), errors.As(err, &faults):
		row.outcome = cell{Text: sentence(err), Tone: "bad"}
		return row, nil
	case err != nil:
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) || errors.Is(err, io.ErrUnexpectedEOF) {
			return row, req.uploadFault(err)
		}
		return row, err
	}
	row.outcome = cell{Text: req.texts.get("upload.added"), Href: req.toDocument(row.added.ID)}
	return row, nil
}

// clipTo returns the first characters of a text.
func clipTo(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most])
	}
	return cmp.Or(s, "?")
}
