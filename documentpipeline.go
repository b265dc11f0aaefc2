package tracking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/internal/record"
)

// docStage is what a job does with a document. Each may be done again at any time:
// it begins with the file and with what is on record, and writes what it found in
// one transaction, together with the end of the job.
type docStage string

const (
	// stageAll: look at the file, say its type, read its fields, link it.
	stageAll docStage = "all"
	// stageClassify: say its type; when it is another, as stageExtract.
	stageClassify docStage = "classify"
	// stageExtract: read its fields and link it.
	stageExtract docStage = "extract"
	// stageLink: link it.
	stageLink docStage = "link"
)

const (
	// maxReadings is how often reading a document is tried when it fails for a
	// reason that is not the file's. What is ErrUnavailable is tried maxBegun times:
	// a crowd of other files may be in its way.
	maxReadings = 3
	// maxBegun is how often it is begun: a document that takes the process down
	// with it each time must not do so for ever. It is more than the above because
	// processes are ended for other reasons too.
	maxBegun = 12
)

// documentGroup has the documents share the workers with the carriers.
const documentGroup = "documents"

// documentAsk counts how often a stage of a document was asked for, while its job
// is there. A job that is under way is not replaced: its run would go on beside the
// new one. It is done once more instead, when it was asked for since it began.
type documentAsk struct {
	Meta        // the ID is that of the job
	Times int64 `private:"times"`
}

var documentAsks = newKind[documentAsk]("document_ask", nil, nil, nil)

// enqueueDocument has a stage done, once however often it is asked for before it
// begins.
func enqueueDocument(tx *Tx, id ID, s docStage) error {
	j := store.Job{
		ID: named("job/document", string(s)+"/"+id.String()), Kind: jobDocument, Group: documentGroup,
		Ref: id, Data: []byte(s), Due: tx.Now,
	}
	times, err := timesAsked(tx, j)
	if err != nil {
		return err
	}
	if err := table(tx, documentAsks).Put(&documentAsk{Meta{ID: j.ID}, times + 1}); err != nil {
		return err
	}
	return tx.hasten(j)
}

// timesAsked is how often the job was asked for since it was last done.
func timesAsked(tx *Tx, j store.Job) (int64, error) {
	asked, err := table(tx, documentAsks).Get(j.ID)
	if err != nil {
		return 0, dropNotFound(err)
	}
	return asked.Times, nil
}

// endStage ends a job that had been asked for so often when it began. Asked for
// again since, it is to be done again.
func endStage(tx *Tx, j store.Job, began int64) error {
	now, err := timesAsked(tx, j)
	if err != nil {
		return err
	}
	if now != began {
		tx.enqueued = true
		return tx.records.Postpone(tx, j, tx.Now)
	}
	if err := dropNotFound(table(tx, documentAsks).Delete(j.ID)); err != nil {
		return err
	}
	return tx.records.Finish(tx, j)
}

// ReextractDocument has the fields of a document read again, in the background:
// document.extracted is announced again. Needs update. Errors: NotFound.
func (t *Tracker) ReextractDocument(ctx context.Context, id ID) error {
	return t.ReextractDocumentOnce(ctx, id, Once{})
}

// ReextractDocumentOnce is ReextractDocument with a key that makes the call
// idempotent; see Once. Repeated without one, it is announced once more.
func (t *Tracker) ReextractDocumentOnce(ctx context.Context, id ID, o Once) error {
	return t.askDocument(ctx, id, stageExtract, o)
}

// ReclassifyDocument has the type of a document told again, in the background, and
// its fields read again when it is another. Needs update. Errors: NotFound.
func (t *Tracker) ReclassifyDocument(ctx context.Context, id ID) error {
	return t.askDocument(ctx, id, stageClassify, Once{})
}

// RelinkDocument has the shipments and boxes of a document looked for again, in
// the background. Needs update. Errors: NotFound.
func (t *Tracker) RelinkDocument(ctx context.Context, id ID) error {
	return t.askDocument(ctx, id, stageLink, Once{})
}

func (t *Tracker) askDocument(ctx context.Context, id ID, s docStage, o Once) error {
	if err := t.allow(Update); err != nil {
		return err
	}
	err := t.update(ctx, t.actor.Account, func(tx *Tx) error {
		_, _, err := remembered(tx, o, "document_"+string(s), func() (ID, error) {
			if _, err := table(tx, documents).Get(id); err != nil {
				return id, err
			}
			return id, enqueueDocument(tx, id, s)
		})
		return err
	})
	t.poke()
	return err
}

// reading is what a stage found out about a document, outside any transaction.
type reading struct {
	stage docStage
	// upload that was read: another one since has been read by nobody.
	upload ID
	// typ that counted when the reading began or was found.
	typ string

	contentType string
	class       *Classification // nil when the type was not asked for
	notes       string
	fields      DocumentFields
	version     string // of the fields
	extracted   bool   // the fields were asked for, and the answer came
	// failure says why there is no answer: a code and a sentence. Empty for none.
	failure string
	// payload are the fields as JSON.
	payload []byte
}

// maxFields bounds the JSON of a document's fields, in bytes: it is written in one
// transaction, and is handed out with every list.
const maxFields = 1 << 20

// render makes the payload of the fields.
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

// workDocument is the job: it reads outside the transaction and writes within one.
func (t *Tracker) workDocument(ctx context.Context, j store.Job) error {
	var asked int64
	err := t.view(ctx, j.Account, func(tx *Tx) (err error) {
		asked, err = timesAsked(tx, j)
		return err
	})
	if err != nil {
		return err
	}
	d, err := t.documentOf(ctx, j) // as it is after the last request that counts
	if err != nil {
		return err
	}
	r := &reading{stage: docStage(j.Data)}
	if d != nil && r.stage != stageLink && t.config.Extractor != nil {
		if err := t.read(ctx, j, d, r); err != nil {
			if errors.As(err, new(*outOfReach)) {
				return t.later(ctx, j, err)
			}
			return err
		}
	}
	err = t.update(ctx, j.Account, func(tx *Tx) error {
		d, err := table(tx, documents).Get(j.Ref)
		switch {
		case isNotFound(err): // deleted meanwhile
			return endStage(tx, j, asked)
		case err != nil:
			return err
		case r.upload != ID{} && r.upload != d.Upload: // turned meanwhile, which asks for a reading of its own
			return endStage(tx, j, asked)
		}
		if err := r.write(tx, d); err != nil {
			return err
		}
		return endStage(tx, j, asked)
	})
	if errors.Is(err, ErrUnavailable) {
		return t.later(ctx, j, err)
	}
	return err
}

// outOfReach is ErrUnavailable of a store, not of who reads the file.
type outOfReach struct{ error }

func (e *outOfReach) Unwrap() error { return e.error }

// storesAgain is how long a job waits for a store that cannot serve it.
const storesAgain = time.Minute

// later gives a job back that a store cannot serve now, as if it had not been
// begun: however long a disk is full, no document fails for that. It returns the
// error. Where not even that can be written the lease ends by itself.
func (t *Tracker) later(ctx context.Context, j store.Job, err error) error {
	ctx, cancel := context.WithTimeout(ctx, t.config.WriteWait)
	defer cancel()
	return errors.Join(err, t.config.Store.Update(ctx, j.Account, func(r store.RecordTx) error {
		return r.Postpone(ctx, j, t.config.Clock.Now().Add(storesAgain))
	}))
}

// documentOf is the document of a job; nil when there is none any more.
func (t *Tracker) documentOf(ctx context.Context, j store.Job) (d *Document, err error) {
	err = t.view(ctx, j.Account, func(tx *Tx) (err error) {
		d, err = table(tx, documents).Get(j.Ref)
		return dropNotFound(err)
	})
	return d, err
}

// read finds out what the stage asks for. An error is the machine's: then the job
// is done again.
func (t *Tracker) read(ctx context.Context, j store.Job, d *Document, r *reading) error {
	r.upload, r.typ = d.Upload, d.Type()
	if j.Attempt > maxBegun {
		r.failure = fmt.Sprintf("given_up: reading it was begun %d times and never came to an end", maxBegun)
		return nil
	}
	err := t.readSafely(ctx, d.key(j.Account), d, r)
	var file *FileError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &file):
		r.failure = file.Code + ": " + file.Detail
	case errors.Is(err, ErrNotFound):
		r.failure = "file_missing: the bytes of the document are not there any more"
	case ctx.Err() != nil || j.Attempt < maxReadings || errors.Is(err, ErrUnavailable):
		return err
	default:
		t.log.Error("a document cannot be read", "document", d.ID, "error", err)
		r.failure = fmt.Sprintf("given_up: reading it failed %d times", maxReadings)
	}
	return nil
}

// readSafely turns a panic of the extractor or classifier into an error.
func (t *Tracker) readSafely(ctx context.Context, key BlobKey, d *Document, r *reading) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("reading a document panicked: %v", p)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, t.config.SourceTimeout)
	defer cancel()
	store, err := t.blobs()
	if err != nil {
		return err
	}
	blob, err := store.Open(ctx, key)
	if errors.Is(err, ErrUnavailable) {
		return &outOfReach{err}
	}
	if err != nil {
		return err
	}
	defer blob.Close()
	if err := t.readFile(ctx, DocumentFile{Name: d.FileName, ContentType: d.FileContentType, Content: blob, Size: blob.Size()}, d, r); err != nil {
		return err
	}
	return r.render()
}

func (t *Tracker) readFile(ctx context.Context, f DocumentFile, d *Document, r *reading) error {
	text, err := t.config.Extractor.Extract(ctx, f)
	if err != nil {
		return err
	}
	r.contentType = text.ContentType
	if text.Unreadable != "" {
		r.notes = "unreadable: " + text.Unreadable
		r.extracted = r.stage != stageClassify
		if r.stage != stageExtract {
			r.class = &Classification{}
		}
		return nil
	}
	if r.stage != stageExtract {
		class, err := t.config.Classifier.Classify(ctx, f, text)
		if err != nil {
			return err
		}
		r.class, r.notes = &class, class.Notes
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
	r.fields, err = t.config.Classifier.Fields(ctx, f, text, r.typ)
	return err
}

// write takes a reading over into the document, links it, and tells of it.
func (r *reading) write(tx *Tx, d *Document) error {
	if r.contentType != "" {
		d.FileContentType = r.contentType
	}
	if r.class != nil {
		d.DocumentType, d.ClassificationNotes = r.class.Type, r.notes
	}
	event, err := r.result(tx, d)
	if err != nil {
		return err
	}
	if err := d.link(tx); err != nil {
		return err
	}
	if err := table(tx, documents).Put(d); err != nil {
		return err
	}
	if r.extracted && d.Type() != r.typ { // a person has said otherwise meanwhile
		if err := enqueueDocument(tx, d.ID, stageExtract); err != nil {
			return err
		}
	}
	if event != "" {
		tx.announceDocument(event, d)
	}
	return nil
}

// result writes what the reading came to, and returns what is to be told of it;
// empty for nothing.
func (r *reading) result(tx *Tx, d *Document) (EventName, error) {
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
		Meta:          Meta{ID: named("document_representation", d.ID.String()+"/"+strconv.FormatInt(d.Runs, 10))},
		SchemaVersion: r.version, DocumentType: r.typ, Payload: r.payload, Document: d.ID, CreatedAt: tx.Now, UpdatedAt: tx.Now,
	}
	d.LastRepresentation, d.ExtractionFailedReason = made.ID, ""
	d.Numbers, d.SCAC = numbersOf(r.fields)
	return DocumentExtracted, table(tx, documentRepresentations).Put(made)
}

// announceDocument notes that a document was read, or could not be.
func (tx *Tx) announceDocument(event EventName, d *Document) {
	tx.announced = append(tx.announced, Announcement{
		Account: tx.Account, Event: event, At: tx.Now, Reference: record.Ref{Type: documents.kind.Name, ID: d.ID}, turn: d.Runs,
	})
}

// DocumentRepresentation is what one reading found in a document. It is never changed:
// another reading makes another one. It is reached through its document alone.
type DocumentRepresentation struct {
	Meta
	// SchemaVersion is that of the type whose fields were read; empty (null) when
	// the document has no type.
	SchemaVersion string `attr:"schema_version,null"`
	// DocumentType whose fields were read; empty (null) likewise (own).
	DocumentType string `attr:"document_type,null"`
	// Payload has a member for each field that was found; see DocumentFields.
	Payload   json.RawMessage `attr:"payload"`
	CreatedAt time.Time       `attr:"created_at"`
	UpdatedAt time.Time       `attr:"updated_at"`

	Document ID `private:"document"`
}

var documentRepresentations = newKind[DocumentRepresentation]("document_representation", nil, nil, nil)
