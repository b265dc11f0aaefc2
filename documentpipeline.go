package tracking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/internal/table"
)

// documentStage is what a job does with a document. Every stage can be repeated: it
// starts from the file and the stored document, and writes its result and the end of the
// job in one transaction.
type documentStage string

const (
	// stageAll: extract the text, classify, read the fields, link.
	stageAll documentStage = "all"
	// stageClassify: classify; if the type changes, continue as stageExtract.
	stageClassify documentStage = "classify"
	// stageExtract: read the fields and link.
	stageExtract documentStage = "extract"
	// stageLink: link.
	stageLink documentStage = "link"
)

const (
	// maxReadAttempts is how often reading is tried if it fails and the file is not the
	// cause. ErrUnavailable is tried maxProcessAttempts times: the extractor may be
	// busy with other files.
	maxReadAttempts = 3
	// maxProcessAttempts is how often processing is started, because a document may
	// crash the process each time. It is more than maxReadAttempts because processes
	// end for other reasons too.
	maxProcessAttempts = 12
)

// documentGroup is the job group of the documents of an account.
func documentGroup(a AccountID) string { return "documents/" + a.String() }

// stageRequest counts the requests for a stage of a document while its job exists. A job
// in progress is not replaced, because both would run at a time. If the count has risen
// since the job started, it runs again.
type stageRequest struct {
	Meta        // the ID of the job
	Times int64 `private:"times"`
}

var stageRequests = newKind[stageRequest]("document_ask", nil, nil, nil)

// enqueueStage enqueues a stage. Several requests before it starts make one run.
func enqueueStage(tx *transaction, id ID, s documentStage) error {
	return enqueueStageAs(tx, jobDocument, id, s)
}

// enqueueStageAs enqueues a stage as a jobDocument or a jobRecognize.
func enqueueStageAs(tx *transaction, kind store.JobKind, id ID, s documentStage) error {
	j := store.Job{
		ID: table.NamedID("job/"+string(kind), string(s)+"/"+id.String()), Kind: kind, Group: documentGroup(tx.Account),
		Ref: id, Data: []byte(s), Due: tx.Now,
	}
	times, err := stageRequestCount(tx, j)
	if err != nil {
		return err
	}
	if err := stageRequests.Put(tx, &stageRequest{Meta{ID: j.ID}, times + 1}); err != nil {
		return err
	}
	return tx.enqueueBy(j)
}

// stageRequestCount is the number of requests since the job was last finished.
func stageRequestCount(tx *transaction, j store.Job) (int64, error) {
	asked, err := stageRequests.Get(tx, j.ID)
	if err != nil {
		return 0, ignoreNotFound(err)
	}
	return asked.Times, nil
}

// finishStage finishes a job, or postpones it to now if it was requested again since it
// started; requests is the count at its start.
func finishStage(tx *transaction, j store.Job, requests int64) error {
	now, err := stageRequestCount(tx, j)
	if err != nil {
		return err
	}
	if now != requests {
		tx.wakeFor(j.Kind)
		return tx.Records.Postpone(tx, j, tx.Now)
	}
	if err := ignoreNotFound(stageRequests.Delete(tx, j.ID)); err != nil {
		return err
	}
	return tx.Records.Finish(tx, j)
}

// ReextractDocument reads the fields of a document again, in the background, and announces
// document.extracted again. Needs update. Errors: NotFound.
func (t *Tracker) ReextractDocument(ctx context.Context, id ID, once ...Once) error {
	return t.requestStage(ctx, id, stageExtract, once)
}

// ReclassifyDocument classifies a document again, in the background, and reads its fields
// if the type changes. Needs update. Errors: NotFound.
func (t *Tracker) ReclassifyDocument(ctx context.Context, id ID) error {
	return t.requestStage(ctx, id, stageClassify, nil)
}

// RelinkDocument looks for the shipments and containers of a document again, in the
// background. Needs update. Errors: NotFound.
func (t *Tracker) RelinkDocument(ctx context.Context, id ID) error {
	return t.requestStage(ctx, id, stageLink, nil)
}

func (t *Tracker) requestStage(ctx context.Context, id ID, s documentStage, once []Once) error {
	if err := t.allow(Update); err != nil {
		return err
	}
	return t.change(ctx, "document."+string(s), t.actor.Account, func(tx *transaction) error {
		_, _, err := remembered(tx, once, "document_"+string(s), func() (ID, error) {
			if _, err := documents.Get(tx, id); err != nil {
				return id, err
			}
			tx.audit.note(id)
			return id, enqueueStage(tx, id, s)
		})
		return err
	})
}

// reading is the result of a stage, found outside any transaction.
type reading struct {
	stage documentStage
	// upload that was read. If the document has another by now, the result is discarded.
	upload ID
	// typ is the type whose fields were read.
	typ string

	contentType string
	class       *Classification // nil if the stage does not classify
	notes       string
	fields      DocumentFields
	version     string // of the fields
	extracted   bool   // the fields were read
	// pictures: the file has pictures of text, and the stage goes on as a jobRecognize.
	pictures bool
	// pages are those of the file.
	pages []PageSize
	// failure is a code and a sentence; empty for success.
	failure string
	// payload is the JSON of the fields.
	payload []byte
	layout  layoutReading

	// split is whether it was found out how many documents the file has. If they are
	// several, parts are their readings.
	split bool
	parts []partReading
}

// unreadableNote begins the notes about a file without text.
const unreadableNote = "unreadable: "

// maxFields bounds the JSON of a document's fields, in bytes: lists can include it.
const maxFields = 1 << 20

func (r *reading) render() (err error) {
	if !r.extracted {
		return nil
	}
	if r.payload, err = json.Marshal(r.fields); err != nil {
		return err
	}
	if len(r.payload) > maxFields {
		return &FileError{Code: FileTooLarge, Detail: fmt.Sprintf("The fields of the document have %d bytes as JSON; at most %d are kept.", len(r.payload), maxFields)}
	}
	return nil
}

// processDocument is the job. It reads outside a transaction and writes inside one.
func (t *Tracker) processDocument(ctx context.Context, j store.Job) error {
	requests, err := viewing(ctx, t.engine, j.Account, func(tx *transaction) (int64, error) { return stageRequestCount(tx, j) })
	if err != nil {
		return err
	}
	d, err := t.documentOf(ctx, j) // after the count, so that it has the changes of all counted requests
	if err != nil {
		return err
	}
	r, began := &reading{stage: documentStage(j.Data)}, time.Now()
	if d != nil && r.stage != stageLink && t.config.Extractor != nil {
		if err := t.read(ctx, j, d, r); err != nil {
			if errors.As(err, new(*storeUnavailable)) {
				return t.postponeForStore(ctx, j, err)
			}
			return err
		}
	}
	took := time.Since(began)
	err = t.update(ctx, j.Account, func(tx *transaction) error {
		d, err := documents.Get(tx, j.Ref)
		switch {
		case isNotFound(err): // deleted in the meantime
			return finishStage(tx, j, requests)
		case err != nil:
			return err
		case r.upload != ID{} && r.upload != d.Upload: // rotated in the meantime, which enqueues a stage
			return finishStage(tx, j, requests)
		}
		if r.pictures {
			if err := enqueueStageAs(tx, jobRecognize, d.ID, r.stage); err != nil {
				return err
			}
			return finishStage(tx, j, requests)
		}
		if err := r.write(tx, d); err != nil {
			return err
		}
		return finishStage(tx, j, requests)
	})
	if errors.Is(err, ErrUnavailable) {
		return t.postponeForStore(ctx, j, err)
	}
	if err == nil && !r.pictures {
		t.config.Observer.documentRead(r, took)
	}
	return err
}

// storeUnavailable is an ErrUnavailable of a store, and not of the extractor.
type storeUnavailable struct{ error }

func (e *storeUnavailable) Unwrap() error { return e.error }

// storeRetryDelay is how long a job waits for an unavailable store.
const storeRetryDelay = time.Minute

// postponeForStore postpones a job because a store is unavailable, without counting the
// attempt: no document fails because a disk is full for long. It returns err. If the
// postponement cannot be written either, the lease expires.
func (t *Tracker) postponeForStore(ctx context.Context, j store.Job, err error) error {
	ctx, cancel := context.WithTimeout(ctx, t.config.WriteWait)
	defer cancel()
	return errors.Join(err, t.config.Store.Update(ctx, j.Account, func(r store.RecordTx) error {
		return r.Postpone(ctx, j, t.config.Clock.Now().Add(storeRetryDelay))
	}))
}

// documentOf is the document of a job; nil if it has been deleted.
func (t *Tracker) documentOf(ctx context.Context, j store.Job) (d *Document, err error) {
	err = t.view(ctx, j.Account, func(tx *transaction) (err error) {
		d, err = documents.Get(tx, j.Ref)
		return ignoreNotFound(err)
	})
	return d, err
}

// read reads what the stage needs. Faults of the file are r.failure; after an error the
// job is tried again.
func (t *Tracker) read(ctx context.Context, j store.Job, d *Document, r *reading) error {
	r.upload, r.typ = d.Upload, d.Type()
	if j.Attempt > maxProcessAttempts {
		r.failure = fmt.Sprintf("given_up: reading it was started %d times and never ended", maxProcessAttempts)
		return nil
	}
	err := t.readSafely(ctx, j, d, r)
	var file *FileError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &file):
		r.failure = file.Code + ": " + file.Detail
	case errors.Is(err, ErrNotFound):
		r.failure = "file_missing: the bytes of the document are missing"
	case ctx.Err() != nil || j.Attempt < maxReadAttempts || errors.Is(err, ErrUnavailable):
		return err
	default:
		t.log.Error("a document cannot be read", "document", d.ID, "error", err)
		r.failure = fmt.Sprintf("given_up: reading it failed %d times", maxReadAttempts)
	}
	return nil
}

// readSafely returns a panic of the extractor or the classifier as an error.
func (t *Tracker) readSafely(ctx context.Context, j store.Job, d *Document, r *reading) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("reading a document panicked: %v", p)
		}
	}()
	most, extract := t.config.SourceTimeout, t.extract
	if j.Kind == jobRecognize {
		most, extract = recognitionTime, t.recognize
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	store, err := t.blobs()
	if err != nil {
		return err
	}
	blob, err := store.Open(ctx, d.key(j.Account))
	if errors.Is(err, ErrUnavailable) {
		return &storeUnavailable{err}
	}
	if err != nil {
		return err
	}
	defer blob.Close()
	f := DocumentFile{Name: d.FileName, ContentType: d.FileContentType, Content: blob, Size: blob.Size()}
	text, err := extract(ctx, f)
	if err != nil {
		return err
	}
	if r.pictures = text.Pictures > 0; r.pictures {
		return nil
	}
	if r.layout.known, err = t.knownLayouts(ctx, j.Account); err != nil {
		return err
	}
	if err := t.readFile(ctx, f, text, d, r); err != nil {
		return err
	}
	return r.render()
}

// recognitionTime limits the recognition of one file, with the wait for those of others that
// are recognised.
const recognitionTime = 10 * time.Minute

// extract reads the text of a file. Pictures are those that can be recognised.
func (t *Tracker) extract(ctx context.Context, f DocumentFile) (DocumentText, error) {
	text, err := t.config.Extractor.Extract(ctx, f)
	if _, ok := t.config.Extractor.(Recognizer); !ok {
		text.Pictures = 0
	}
	return text, err
}

func (t *Tracker) recognize(ctx context.Context, f DocumentFile) (DocumentText, error) {
	r, ok := t.config.Extractor.(Recognizer)
	if !ok { // the job is of another program
		return t.extract(ctx, f)
	}
	text, err := r.Recognize(ctx, f)
	text.Pictures = 0
	return text, err
}

func (t *Tracker) readFile(ctx context.Context, f DocumentFile, text DocumentText, d *Document, r *reading) (err error) {
	r.contentType = text.ContentType
	r.pages = pageSizes(text.Pages)
	text.Pages = d.pagesIn(text.Pages)
	if d.isPart() { // it is said of the file
		text.Note = ""
	}
	if err := t.readParts(ctx, f, text, d, r); err != nil || len(r.parts) > 0 {
		return err
	}
	return t.readText(ctx, f, text, d, r)
}

// readText reads the text of one document, which may have some pages of the file.
func (t *Tracker) readText(ctx context.Context, f DocumentFile, text DocumentText, d *Document, r *reading) (err error) {
	if text.Unreadable != "" {
		r.notes = unreadableNote + text.Unreadable
		r.extracted = r.stage != stageClassify
		if r.stage != stageExtract {
			r.class = &Classification{}
		}
		t.correct(d, r)
		return nil
	}
	t.recognise(text, d, r)
	if r.stage != stageExtract {
		class, err := t.config.Classifier.Classify(ctx, f, text)
		if err != nil {
			return err
		}
		r.layout.correctType(&class)
		r.class, r.notes = &class, strings.TrimSpace(class.Notes+" "+text.Note)
		if d.DocumentTypeManual == "" {
			r.typ = class.Type
		}
		if r.stage == stageClassify && r.typ == d.Type() {
			return nil
		}
	}
	r.extracted = true
	if r.typ == "" {
		return nil
	}
	if typ := t.documentType(r.typ); typ != nil {
		r.version = typ.Version
	}
	if r.fields, err = t.config.Classifier.Fields(ctx, f, text, r.typ); err != nil {
		return err
	}
	if err := t.readLayout(ctx, text, d, r); err != nil {
		return err
	}
	if err := t.locateCorrections(ctx, text, d, r); err != nil {
		return err
	}
	text.Displayed(r.fields)
	d.countPages(r.fields)
	t.correct(d, r)
	return nil
}

// write updates the document with the reading, links it, and announces the result.
func (r *reading) write(tx *transaction, d *Document) error {
	if r.contentType != "" {
		d.FileContentType = r.contentType
	}
	if r.class != nil {
		d.DocumentType, d.ClassificationNotes = r.class.Type, r.notes
	}
	if err := r.layout.write(tx, d); err != nil {
		return err
	}
	event, err := r.result(tx, d)
	if err != nil {
		return err
	}
	if err := r.writeParts(tx, d); err != nil {
		return err
	}
	if err := d.link(tx); err != nil {
		return err
	}
	if err := documents.Put(tx, d); err != nil {
		return err
	}
	if r.extracted && d.Type() != r.typ { // a person has changed it in the meantime
		if err := enqueueStage(tx, d.ID, stageExtract); err != nil {
			return err
		}
	}
	if event != "" {
		tx.announceDocument(event, d)
	}
	return nil
}

// result sets the outcome of the reading in d, and returns the event to announce; empty
// for none.
func (r *reading) result(tx *transaction, d *Document) (EventName, error) {
	switch {
	case r.failure != "":
		d.Runs++
		d.ExtractionFailedReason = r.failure
		return DocumentExtractionFailed, nil
	case !r.extracted:
		return "", nil
	}
	d.Runs++
	made := &DocumentRepresentation{
		Meta:          Meta{ID: table.NamedID("document_representation", d.ID.String()+"/"+strconv.FormatInt(d.Runs, 10))},
		SchemaVersion: r.version, DocumentType: r.typ, Payload: r.payload, Document: d.ID, Pages: r.pages, CreatedAt: tx.Now, UpdatedAt: tx.Now,
	}
	d.LastRepresentation, d.ExtractionFailedReason = made.ID, ""
	d.Numbers, d.SCAC = linkingNumbers(r.fields)
	return DocumentExtracted, documentRepresentations.Put(tx, made)
}

// announceDocument adds an event of a document to the transaction.
func (tx *transaction) announceDocument(event EventName, d *Document) {
	tx.announced = append(tx.announced, Announcement{
		Account: tx.Account, Event: event, At: tx.Now, Reference: Ref{Type: documents.Kind.Name, ID: d.ID}, sequence: d.Runs,
	})
}

// DocumentRepresentation is what one reading found in a document. Its values never change: each
// reading creates a new one. Confidences follow the checks of the values. It is shown only as an
// include of its document.
type DocumentRepresentation struct {
	Meta
	// SchemaVersion is that of the type whose fields were read; empty (null) if the
	// document had no type.
	SchemaVersion string `attr:"schema_version,null"`
	// DocumentType whose fields were read; empty (null) for none (own).
	DocumentType string `attr:"document_type,null"`
	// Payload has a member for each field that was found; see DocumentFields. A date that
	// nothing on the document decides has the other reading in alternatives. A value whose
	// confidence a check has changed has the one that it was read with in read_confidence.
	Payload   json.RawMessage `attr:"payload"`
	CreatedAt time.Time       `attr:"created_at"`
	UpdatedAt time.Time       `attr:"updated_at"`

	Document ID `private:"document"` // that was read
	// Pages are those of the file, as people see them: boxes of fields are on them. Empty for
	// a reading before they were stored, and for a file without pages.
	Pages []PageSize `private:"pages"`
}

var documentRepresentations = newKind[DocumentRepresentation]("document_representation", nil, nil, nil).InGeneration(2)
