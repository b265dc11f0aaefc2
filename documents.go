package tracking

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/landfallhq/tracking/internal/keyring"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"
)

// Document is a file and what is known about it (see
// docs/contract.md#documents-and-e-mails). Its text is read in the background.
type Document struct {
	Meta
	// Account that it belongs to, and User who uploaded it; zero for none.
	Account AccountID `rel:"account,account"`
	User    ID        `rel:"user,user"`
	// EmailSubmission that it was attached to; zero for none.
	EmailSubmission ID `rel:"email_submission,email_submission"`
	// LastRepresentation is the result of the last reading; zero before the first.
	LastRepresentation ID `rel:"last_document_representation,document_representation"`
	// Shipments that it is about, and those of their containers that it names; see
	// documentlinks.go.
	Shipments []ID `rel:"shipments,shipment"`
	Cargos    []ID `rel:"cargos,container"`
	// SplitFrom is the document of the whole file, if the file has several documents and
	// this is one of them; zero for all others. SplitDocuments are those of such a file,
	// by their pages; see documentparts.go (own).
	SplitFrom      ID   `rel:"split_from,document"`
	SplitDocuments []ID `rel:"split_documents,document"`

	// ShownID repeats the ID among the attributes, as the published interface does.
	ShownID ID     `attr:"id"`
	Name    string `attr:"name"` // for people, 1 to 255 characters
	// DocumentType is the classifier's; empty (null) before classification, and if the
	// classifier does not know. DocumentTypeManual is set by a person, and has precedence.
	DocumentType       string `attr:"document_type,null"`
	DocumentTypeManual string `attr:"document_type_manual,null"`
	// ClassificationNotes are sentences for people; empty (null) for none. They
	// begin with "unreadable: " when the file has no text.
	ClassificationNotes string         `attr:"classification_notes,null"`
	Source              DocumentSource `attr:"source"`
	FileName            string         `attr:"file_name"`
	// FileContentType is the sender's until the file has been read, then the type that
	// its bytes show.
	FileContentType string    `attr:"file_content_type,null"`
	FileSizeBytes   int64     `attr:"file_size_bytes,null"`
	CreatedAt       time.Time `attr:"created_at"`
	UpdatedAt       time.Time `attr:"updated_at"`
	// ExtractedDataManual is data that a person entered: a JSON object, nil (null) for
	// none. It is kept in addition to what was read, and shown (own).
	ExtractedDataManual json.RawMessage `attr:"extracted_data_manual,null"`
	// ExtractionFailedReason says why the last reading failed: a code and a
	// sentence; empty (null) when it did not (own).
	ExtractionFailedReason string `attr:"extraction_failed_reason,null"`
	// FirstPage and LastPage are its pages in the file of SplitFrom, counted from 1; zero
	// (null) for a document that has a file to itself (own).
	FirstPage int `attr:"first_page,null"`
	LastPage  int `attr:"last_page,null"`
	// Corrections are values that people entered for fields, by the names of the fields. No
	// reading changes them: they take the place of what it finds (own).
	Corrections []FieldCorrection `attr:"corrected_fields"`
	// Discrepancies are values that contradict the document itself, its shipment, or another
	// document of that; see documentchecks.go (own).
	Discrepancies []Discrepancy `attr:"discrepancies"`

	documentInternals
}

// documentInternals is what the engine stores with a document and does not show.
type documentInternals struct {
	// Upload is the upload that became this document. Blob has its bytes; zero if they
	// are stored under the ID of the upload. Content is the SHA-256 of the upload, in hex;
	// empty if the document was split from another, so that it is no duplicate.
	Upload  ID     `private:"upload"`
	Blob    ID     `private:"blob"`
	Content string `private:"content"`
	// AddedBy is the user's name, for sorting.
	AddedBy string `private:"added_by"`
	// Runs counts the readings that have ended, with or without success.
	Runs int64 `private:"runs"`
	// Rotations counts the requests to rotate it.
	Rotations int64 `private:"rotations"`
	// SCAC of the carrier that the document names, and Numbers that were read; see
	// documentlinks.go.
	SCAC    string           `private:"scac"`
	Numbers []documentNumber `private:"numbers"`
	// LinkedByHand are shipments and containers that people have linked it to, whatever its
	// numbers say, and UnlinkedByHand those that they do not want it linked to.
	LinkedByHand   []ID `private:"linked_by_hand"`
	UnlinkedByHand []ID `private:"unlinked_by_hand"`
	// Unlearned are corrections that say something of the layout once the text is read; see
	// layoutcorrections.go.
	Unlearned []FieldCorrection `private:"unlearned"`
}

// DocumentSource is how a document was received.
type DocumentSource string

// The sources. FromSplit is one of several documents in a file; see Document.SplitFrom.
const (
	FromUpload DocumentSource = "upload"
	FromAPI    DocumentSource = "api"
	FromEmail  DocumentSource = "email"
	FromSplit  DocumentSource = "split_document"
)

var documents = newKind("document", []column[Document]{
	table.TextColumn("document_type", func(d *Document) string { return d.Type() }),
	table.TextColumn("added_by", func(d *Document) string { return strings.ToLower(d.AddedBy) }),
	table.TimeColumn("created_at", func(d *Document) time.Time { return d.CreatedAt }),
	table.TextColumn("content", func(d *Document) string { return d.Content }),
	table.BoolColumn("discrepant", (*Document).discrepant),
	table.TextColumn("state", func(d *Document) string { return string(d.State()) }),
}, func(d *Document) []store.Term {
	return slices.Concat(table.Terms("word", d.words()), table.Terms("reference", d.references()), table.Terms("shipment", idTexts(d.Shipments)))
}, nil).Counted("document_type", "discrepant", "state").InGeneration(6)

// setUpdatedAt is called by Put when the record has changed.
func (d *Document) setUpdatedAt(at time.Time) { d.UpdatedAt = at }

// Type is DocumentTypeManual if set, else DocumentType; empty for none.
func (d *Document) Type() string {
	if d.DocumentTypeManual != "" {
		return d.DocumentTypeManual
	}
	return d.DocumentType
}

// DocumentState is how far the reading of a document is.
type DocumentState string

// The states of documents. That of one whose text is read and whose type nobody knows is
// DocumentUntyped; a file of several documents is DocumentRead.
const (
	DocumentWaiting    DocumentState = "waiting"    // for its first reading
	DocumentRead       DocumentState = "read"       // its type is known, and its fields are read
	DocumentUntyped    DocumentState = "untyped"    // the evidence for a type did not suffice
	DocumentUnreadable DocumentState = "unreadable" // the file has no text
	DocumentFailed     DocumentState = "failed"     // see ExtractionFailedReason
)

// DocumentStates are all states of documents.
var DocumentStates = []DocumentState{DocumentWaiting, DocumentRead, DocumentUntyped, DocumentUnreadable, DocumentFailed}

// State is how far the reading of the document is.
func (d *Document) State() DocumentState {
	switch {
	case d.ExtractionFailedReason != "":
		return DocumentFailed
	case d.Runs == 0:
		return DocumentWaiting
	case d.Type() != "" || len(d.SplitDocuments) > 0:
		return DocumentRead
	case strings.HasPrefix(d.ClassificationNotes, unreadableNote):
		return DocumentUnreadable
	}
	return DocumentUntyped
}

// key is that of the bytes of the document.
func (d *Document) key(a AccountID) BlobKey { return BlobKey{a, cmp.Or(d.Blob, d.Upload)} }

// maxWords bounds the index terms of one document.
const maxWords = 100

// words are the index terms of the names of the document and of its file.
func (d *Document) words() []string {
	words := slices.Concat(splitWords(d.FileName), splitWords(d.Name))
	return words[:min(len(words), maxWords)]
}

// splitWords returns the words of a text: runs of letters and digits, in lower case.
func splitWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// discardedDocument is a deleted document, whose file is kept.
type discardedDocument struct {
	Document
	DiscardedAt time.Time `private:"discarded_at"`
	DiscardedBy ID        `private:"discarded_by"`
	// Replaced is whether the engine discarded it, because the file was split otherwise.
	Replaced bool `private:"replaced"`
}

var discardedDocuments = newKind[discardedDocument]("discarded_document", nil, nil, nil).InGeneration(6)

// DocumentQuery selects documents, last created first.
type DocumentQuery struct {
	// FileName: each of its words must be in the name of the document or of its file,
	// the last one as a prefix. It has at most 20 words.
	FileName string
	// References: the document has one of these numbers, read or entered by a person.
	// Case, blanks and usual separators are ignored.
	References []string
	// Types: any of them, each one of DocumentTypes; see Document.Type.
	Types []string
	// Discrepant selects by whether there are Discrepancies.
	Discrepant Tri
	// States: any of them, each one of DocumentStates.
	States []DocumentState
	// Shipments: the document is linked to one of these.
	Shipments []ID
	// Sort by document_type, added_by or created_at.
	Sort []Order
}

// maxQueryWords bounds the words of one query: each is a condition of the query.
const maxQueryWords = 20

// queryWords are the distinct whole words of FileName, and the prefix that it ends with.
func (q DocumentQuery) queryWords() (whole []string, last string) {
	words := splitWords(q.FileName)
	if len(words) == 0 {
		return nil, ""
	}
	whole, last = words[:len(words)-1], words[len(words)-1]
	slices.Sort(whole)
	return slices.Compact(whole), last
}

// check refuses unknown types and too many conditions.
func (q DocumentQuery) check(e *engine) error {
	if err := e.checkTypes(q.Types); err != nil {
		return err
	}
	for _, state := range q.States {
		if !slices.Contains(DocumentStates, state) {
			return invalid("filter[state]", "inclusion", "'%s' is not a state of documents; the states are: %s", abbreviate(string(state), 64), strings.Join(textsOf(DocumentStates), ", "))
		}
	}
	if whole, _ := q.queryWords(); len(whole) >= maxQueryWords {
		return badQuery("filter[filename]", "The value has %d different words; it may have %d.", len(whole)+1, maxQueryWords)
	}
	return nil
}

// checkTypes refuses unknown types in a query.
func (e *engine) checkTypes(types []string) error {
	for _, typ := range types {
		if e.documentType(typ) == nil {
			return invalid("filter[document_types]", "inclusion", "'%s' is not a document type; the types are: %s", abbreviate(typ, 64), e.documentTypeCodes())
		}
	}
	return nil
}

func (q DocumentQuery) resourceType() *table.Schema { return documents.Schema }
func (q DocumentQuery) filter() store.Filter        { w := q.where(); return w.Filter(documents) }

func (q DocumentQuery) where() (w where[Document]) {
	w.Text("document_type", q.Types, (*Document).Type)
	w.Has("reference", foldNumbers(q.References), (*Document).references)
	tri(&w, "discrepant", q.Discrepant, (*Document).discrepant)
	w.Text("state", textsOf(q.States), func(d *Document) string { return string(d.State()) })
	w.Has("shipment", idTexts(q.Shipments), func(d *Document) []string { return idTexts(d.Shipments) })
	if q.FileName != "" {
		whole, last := q.queryWords()
		for _, word := range whole {
			w.Has("word", []string{word}, (*Document).words)
		}
		w.HasPrefix("word", last, (*Document).words)
	}
	w.Sort = q.Sort
	return w
}

// Document returns one document. Needs show. Errors: NotFound.
func (t *Tracker) Document(ctx context.Context, id ID) (*Document, error) {
	return get(ctx, t, documents, id)
}

// Documents returns a page of documents, last created first unless q sorts, and
// how many match in all. Needs show. Errors: BadQuery on filter[filename] with too
// many words; Invalid on filter[document_types] and filter[state] (inclusion).
func (t *Tracker) Documents(ctx context.Context, q DocumentQuery, p Page) ([]*Document, int, error) {
	return list(ctx, t, documents, q, p)
}

// NewDocument is what CreateDocument needs to know.
type NewDocument struct {
	// Name for people, 1 to 255 characters.
	Name string
	// Attached is the signed ID of an upload that has received its bytes.
	Attached string
	// FileName, ContentType and Content are used if Attached is empty. FileName
	// defaults to Name.
	FileName, ContentType string
	Content               []byte
	// Body is read to its end in place of Content, if it is not nil. An error of it is
	// returned unchanged.
	Body io.Reader
	// Shipment that it is linked to, whatever its numbers say; zero for none. See
	// LinkDocument.
	Shipment ID
}

// CreateDocument creates a document from an upload and enqueues its processing. Needs
// create.
//
// Errors: Invalid on name (blank, too_long, invalid) and attached_document (blank;
// invalid: not signed by this installation, of another account, or deleted; expired;
// taken: already used; not_uploaded: the bytes are missing; length_mismatch or
// checksum_mismatch: other bytes were put into the store; too_large). Conflict with
// the code duplicate_document, and existing_document_id and existing_document_name in
// Meta, if the account has a document with the same bytes and rejects duplicates. NotFound
// if there is no such shipment.
func (t *Tracker) CreateDocument(ctx context.Context, n NewDocument, once ...Once) (*Document, error) {
	if err := t.allow(Create); err != nil {
		return nil, err
	}
	if _, err := t.blobs(); err != nil {
		return nil, err
	}
	d := &Document{Name: strings.TrimSpace(n.Name), Source: FromUpload, User: t.actor.User}
	if n.Shipment != (ID{}) {
		if _, err := viewing(ctx, t.engine, t.actor.Account, withID(shipments, n.Shipment)); err != nil {
			return nil, err
		}
		d.LinkedByHand = []ID{n.Shipment}
	}
	if err := checkText("name", d.Name, 255); err != nil {
		return nil, err
	}
	find, err := t.uploadFinder(ctx, d, n)
	if err != nil {
		return nil, err
	}
	return t.createDocument(ctx, d, find, once)
}

// uploadFinder returns a function that finds the upload of a new document.
func (t *Tracker) uploadFinder(ctx context.Context, d *Document, n NewDocument) (func(*transaction) (*Upload, error), error) {
	if n.Attached != "" {
		return func(tx *transaction) (*Upload, error) { return attachedUpload(tx, n.Attached) }, t.receiveLinked(ctx, n.Attached)
	}
	from := n.Body
	if from == nil {
		switch size := int64(len(n.Content)); {
		case size == 0:
			return nil, invalid("attached_document", "blank", "Attached document can't be blank: it is the signed_id of a direct upload")
		case size > t.config.MaxDocumentBytes:
			return nil, invalid("attached_document", "too_large", "A document has at most %d bytes, and this one %d", t.config.MaxDocumentBytes, size)
		}
		from = bytes.NewReader(n.Content)
		d.Source = FromAPI
	}
	u, err := t.storeBlob(ctx, cleanFileName(n.FileName, d.Name), contentTypeOrDefault(n.ContentType), &boundedReader{from: from, most: t.config.MaxDocumentBytes})
	return func(tx *transaction) (*Upload, error) { return asReceived(tx, u), nil }, err
}

// boundedReader refuses a document without bytes, and one with more than it may have.
type boundedReader struct {
	from       io.Reader
	read, most int64
}

func (r *boundedReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.read += int64(n)
	switch {
	case r.read > r.most:
		return 0, invalid("attached_document", "too_large", "A document has at most %d bytes, and this one has more", r.most)
	case errors.Is(err, io.EOF) && r.read == 0:
		return 0, invalid("attached_document", "blank", "The file has no bytes")
	}
	return n, err
}

func contentTypeOrDefault(given string) string {
	if given = strings.TrimSpace(given); given == "" || len(given) > 255 || !printable(given) {
		return defaultContentType
	}
	return given
}

// asReceived is an upload of storeBlob with the times of this transaction.
func asReceived(tx *transaction, u *Upload) *Upload {
	made := *u
	made.CreatedAt, made.ReceivedAt = tx.Now, tx.Now
	return &made
}

// attachedUpload returns the upload that a signed ID permits to attach.
func attachedUpload(tx *transaction, text string) (*Upload, error) {
	refuse := func(code, format string, args ...any) error {
		return invalid("attached_document", code, format, args...)
	}
	s, ok := tx.engine.keys.Verify(text, keyring.Attach)
	if !ok || s.Account != tx.Account {
		return nil, refuse("invalid", "Attached document is not the signed_id of an upload of this account")
	}
	if !tx.engine.now().Before(s.Until) {
		return nil, refuse("expired", "Attached document was to be used until %s: upload the file again", s.Until.Format(time.RFC3339))
	}
	u, err := uploads.Get(tx, s.Upload)
	switch {
	case isNotFound(err):
		return nil, refuse("invalid", "Attached document is not the signed_id of an upload of this account")
	case err != nil:
		return nil, err
	case u.Document != (ID{}):
		return nil, refuse("taken", "Attached document has been used: a document was made of it")
	case u.ReceivedAt.IsZero():
		return nil, refuse("not_uploaded", "the bytes of the attached document have not been uploaded yet")
	}
	return u, nil
}

// createDocument writes a document of the upload that find returns.
func (t *Tracker) createDocument(ctx context.Context, d *Document, find func(*transaction) (*Upload, error), once []Once) (*Document, error) {
	return createOnceWithin(ctx, t, once, documents, t.withAccount, func(tx *transaction) (*Document, error) {
		u, err := find(tx)
		if err != nil {
			return nil, err
		}
		made := *d
		return &made, made.create(tx, u)
	})
}

// create writes a new document and enqueues its processing.
func (d *Document) create(tx *transaction, u *Upload) (err error) {
	d.Account, d.Upload, d.Blob, d.Content = tx.Account, u.ID, u.Blob, u.SHA256
	d.FileName, d.FileContentType, d.FileSizeBytes, d.CreatedAt = u.FileName, u.ContentType, u.ByteSize, tx.Now
	if err := d.handleDuplicates(tx); err != nil {
		return err
	}
	if d.User != (ID{}) {
		by, err := users.Get(tx, d.User)
		if ignoreNotFound(err) != nil {
			return err
		}
		if err == nil {
			d.AddedBy = by.Name
		}
	}
	if d.ID, err = uuid.NewV7(); err != nil {
		return err
	}
	d.ShownID, u.Document, tx.ledger.Documents = d.ID, d.ID, true
	if err := uploads.Put(tx, u); err != nil {
		return err
	}
	if len(d.LinkedByHand) > 0 {
		if err := d.link(tx); err != nil {
			return err
		}
	}
	if err := documents.Put(tx, d); err != nil {
		return err
	}
	return enqueueStage(tx, d.ID, stageAll)
}

// withAccount is change in the account of the actor, whose record it first copies into
// the account's scope: documents and requests include it.
func (t *Tracker) withAccount(ctx context.Context, operation string, fn func(*transaction) error) error {
	var account *Account
	run := func() error {
		return t.change(ctx, operation, t.actor.Account, func(tx *transaction) error {
			if err := copyAccount(tx, account); err != nil {
				return err
			}
			return fn(tx)
		})
	}
	err := run()
	if !errors.Is(err, errAccountNotCopied) {
		return err
	}
	account, err = viewing(ctx, t.engine, AccountID{}, withID(accounts, ID(t.actor.Account)))
	if isNotFound(err) { // an account of the embedding program
		account, err = &Account{Meta: Meta{ID: ID(t.actor.Account)}}, nil
	}
	if err != nil {
		return err
	}
	return run()
}

var errAccountNotCopied = errors.New("tracking: the record of the account is not in its scope")

// copyAccount writes the public part of the account's record into the account's scope,
// unless it is there. A nil account has not been read yet: errAccountNotCopied.
func copyAccount(tx *transaction, account *Account) error {
	_, err := tx.Records.Get(tx, accounts.Kind, ID(tx.Account))
	if !isNotFound(err) {
		return err
	}
	if account == nil {
		return errAccountNotCopied
	}
	return accounts.Put(tx, &Account{Meta: Meta{ID: account.ID}, CompanyName: account.CompanyName})
}

// DocumentUpdate changes what a person can set. Fields that are not set keep their
// values.
type DocumentUpdate struct {
	// TypeManual is one of DocumentTypes; empty clears it.
	TypeManual Opt[string]
	// DataManual is a JSON object of at most 64 KiB; nil clears it.
	DataManual Opt[json.RawMessage]
	// Corrections correct these fields and leave the others alone. An empty Value takes a
	// correction back, so that the field is what is read.
	Corrections []FieldCorrection
	IfVersion   int64
}

// maxManualData is in bytes.
const maxManualData = 64 << 10

// UpdateDocument changes a document. If the type changes, its fields are read again; if
// the data change, it is linked again; if a field is corrected, both. Needs update.
//
// Errors: NotFound; Stale; Invalid on document_type_manual (inclusion),
// extracted_data_manual (invalid_type, too_long) and corrected_fields (blank, too_long,
// too_many; invalid: not a field of the document's type, or no value of its kind).
func (t *Tracker) UpdateDocument(ctx context.Context, id ID, u DocumentUpdate) (*Document, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	if err := t.checkDocumentUpdate(u); err != nil {
		return nil, err
	}
	return updateFound(ctx, t, "document.update", u.IfVersion, withID(documents, id), func(tx *transaction, d *Document) error { return d.apply(tx, u, t.actor.User) })
}

func (t *Tracker) checkDocumentUpdate(u DocumentUpdate) error {
	faults := checkCorrections(u.Corrections)
	if typ := u.TypeManual.Value; typ != "" && t.documentType(typ) == nil {
		faults = append(faults, invalid("document_type_manual", "inclusion", "'%s' is not a document type; GET /documents/types lists them", abbreviate(typ, 64)))
	}
	switch data := u.DataManual.Value; {
	case len(data) > maxManualData:
		faults = append(faults, invalid("extracted_data_manual", "too_long", "Extracted data manual has %d bytes; it may have %d", len(data), maxManualData))
	case len(data) > 0 && !isObject(data):
		faults = append(faults, invalid("extracted_data_manual", "invalid_type", "Extracted data manual must be an object, or null"))
	}
	return faults.or()
}

func isObject(text json.RawMessage) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(text, &members) == nil && members != nil
}

// apply makes the changes of a user.
func (d *Document) apply(tx *transaction, u DocumentUpdate, by ID) error {
	typ, data, corrections := d.Type(), d.ExtractedDataManual, d.Corrections
	setIfGiven(&d.DocumentTypeManual, u.TypeManual)
	setIfGiven(&d.ExtractedDataManual, u.DataManual)
	if err := d.applyCorrections(tx, by, u.Corrections); err != nil {
		return err
	}
	if d.Type() != typ && len(d.SplitDocuments) == 0 { // of a file with several it says that it is one
		if err := d.learn(tx, correctionBy(tx, by, "", d.DocumentTypeManual)); err != nil {
			return err
		}
	}
	if err := documents.Put(tx, d); err != nil {
		return err
	}
	if d.Type() != typ || !slices.Equal(d.Corrections, corrections) {
		stage := stageExtract
		if d.Type() == "" { // the classifier may know it, or split it
			stage = stageAll
		}
		if err := enqueueStage(tx, d.ID, stage); err != nil {
			return err
		}
	}
	if !bytes.Equal(d.ExtractedDataManual, data) {
		return enqueueStage(tx, d.ID, stageLink)
	}
	return nil
}

// DeleteDocument hides a document for ever, and those that were split from it; its file
// is kept. Needs delete. Errors: NotFound.
func (t *Tracker) DeleteDocument(ctx context.Context, id ID) error {
	if err := t.allow(Delete); err != nil {
		return err
	}
	return t.change(ctx, "document.delete", t.actor.Account, func(tx *transaction) error {
		d, err := documents.Get(tx, id)
		if err != nil {
			return err
		}
		return d.discard(tx, discardedDocument{DiscardedBy: t.actor.User})
	})
}

// discard moves the document to another kind, so that no list or include has it, and with
// it those that were split from it. gone says by whom, or why.
func (d *Document) discard(tx *transaction, gone discardedDocument) error {
	gone.Document, gone.DiscardedAt = *d, tx.Now
	if err := discardedDocuments.Put(tx, &gone); err != nil {
		return err
	}
	if err := documents.Delete(tx, d.ID); err != nil {
		return err
	}
	tx.Wrote = true
	if err := compareDocumentsOf(tx, d.Shipments); err != nil {
		return err
	}
	if err := d.discardParts(tx, gone); err != nil {
		return err
	}
	return d.removeFromSubmission(tx)
}

// DuplicateDocuments is what happens to a new document if the account has another with
// the same bytes.
type DuplicateDocuments string

// The choices of an account. The empty choice is RejectDuplicates.
const (
	RejectDuplicates  DuplicateDocuments = "reject"  // the new one is refused
	ReplaceDuplicates DuplicateDocuments = "replace" // the old one is deleted
	AcceptDuplicates  DuplicateDocuments = "accept"  // both are kept
)

// handleDuplicates applies the choice of the account. Deleted documents are no
// duplicates.
func (d *Document) handleDuplicates(tx *transaction) error {
	choice := tx.ledger.DuplicateDocuments
	if choice == AcceptDuplicates {
		return nil
	}
	var w where[Document]
	w.Text("content", []string{d.Content}, func(o *Document) string { return o.Content })
	same, err := documents.All(tx, w)
	if err != nil || len(same) == 0 {
		return err
	}
	if choice != ReplaceDuplicates {
		return &Error{
			Kind: Conflict, Code: "duplicate_document", Title: "Duplicate document",
			Detail: "A document with the same content already exists",
			Meta:   map[string]any{"existing_document_id": same[0].ID.String(), "existing_document_name": same[0].Name},
		}
	}
	for _, o := range same {
		if err := o.discard(tx, discardedDocument{DiscardedBy: d.User}); err != nil {
			return err
		}
	}
	return nil
}

// SetDuplicateDocuments changes the choice of an account, for documents that are created
// later.
// Errors: NotFound; Invalid on duplicate_documents (inclusion).
func (t *Tracker) SetDuplicateDocuments(ctx context.Context, name string, choice DuplicateDocuments) error {
	if err := t.operator(); err != nil {
		return err
	}
	switch choice {
	case RejectDuplicates, ReplaceDuplicates, AcceptDuplicates:
	default:
		return invalid("duplicate_documents", "inclusion", "'%s' is not one of: reject, replace, accept", abbreviate(string(choice), 64))
	}
	account, err := t.Account(ctx, name)
	if err != nil {
		return err
	}
	return t.change(ctx, "account.update", account.Scope(), func(tx *transaction) error {
		tx.ledger.DuplicateDocuments = choice
		tx.audit.note(account.ID, "duplicate_documents")
		return nil
	})
}
