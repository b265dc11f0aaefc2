package tracking

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"
)

// Document is a file that was handed in, and what is known about it (see
// docs/contract.md#documents-and-e-mails). Its text is read in the background.
type Document struct {
	Meta
	// Account that it belongs to, and User who handed it in; zero for none.
	Account AccountID `rel:"account,account"`
	User    ID        `rel:"user,user"`
	// EmailSubmission that it came with; zero for none.
	EmailSubmission ID `rel:"email_submission,email_submission"`
	// LastRepresentation is what was last read from it; zero for nothing yet.
	LastRepresentation ID `rel:"last_document_representation,document_representation"`
	// Shipments that it is about, and the boxes of theirs that it names; see
	// documentlinks.go.
	Shipments []ID `rel:"shipments,shipment"`
	Cargos    []ID `rel:"cargos,container"`

	// ShownID repeats the ID among the attributes, as the published interface does.
	ShownID ID     `attr:"id"`
	Name    string `attr:"name"` // for people, 1 to 255 characters
	// DocumentType is what the classifier takes it for; empty (null) while it has
	// not been asked, or does not know. DocumentTypeManual, where a person has given
	// one, is used in its place.
	DocumentType       string `attr:"document_type,null"`
	DocumentTypeManual string `attr:"document_type_manual,null"`
	// ClassificationNotes are sentences for people; empty (null) for none. They
	// begin with "unreadable: " when the file has no text.
	ClassificationNotes string         `attr:"classification_notes,null"`
	Source              DocumentSource `attr:"source"`
	FileName            string         `attr:"file_name"`
	// FileContentType is what the sender called it until the file has been looked
	// at, and what its bytes are after that.
	FileContentType string    `attr:"file_content_type,null"`
	FileSizeBytes   int64     `attr:"file_size_bytes,null"`
	CreatedAt       time.Time `attr:"created_at"`
	UpdatedAt       time.Time `attr:"updated_at"`
	// ExtractedDataManual is what a person says the document says: a JSON object,
	// nil (null) for nothing. It is kept beside what was read, and shown (own).
	ExtractedDataManual json.RawMessage `attr:"extracted_data_manual,null"`
	// ExtractionFailedReason says why the last reading failed: a code and a
	// sentence; empty (null) when it did not (own).
	ExtractionFailedReason string `attr:"extraction_failed_reason,null"`

	// Upload is what it was made of, and Blob has its bytes, zero where they are kept
	// under the ID of the upload. Content is the SHA-256 of what was handed in, in hex.
	Upload  ID     `private:"upload"`
	Blob    ID     `private:"blob"`
	Content string `private:"content"`
	// AddedBy is the user's name, for sorting.
	AddedBy string `private:"added_by"`
	// Runs counts the readings that have ended, by whatever result.
	Runs int64 `private:"runs"`
	// Rotations counts how often it was asked to be turned.
	Rotations int64 `private:"rotations"`
	// SCAC of the carrier that the document names, and Numbers that it was read to
	// have; see documentlinks.go.
	SCAC    string           `private:"scac"`
	Numbers []documentNumber `private:"numbers"`
}

// DocumentSource is the way on which a document came.
type DocumentSource string

// The sources. FromSplit is for what one upload is taken apart into; nothing does
// that yet.
const (
	FromUpload DocumentSource = "upload"
	FromAPI    DocumentSource = "api"
	FromEmail  DocumentSource = "email"
	FromSplit  DocumentSource = "split_document"
)

var documents = newKind("document", []column[Document]{
	{"document_type", store.TextColumn, func(d *Document) any { return textCol(d.Type()) }},
	{"added_by", store.TextColumn, func(d *Document) any { return textCol(strings.ToLower(d.AddedBy)) }},
	{"created_at", store.TimeColumn, func(d *Document) any { return timeCol(d.CreatedAt) }},
	{"content", store.TextColumn, func(d *Document) any { return textCol(d.Content) }},
}, func(d *Document) []store.Term {
	return slices.Concat(termsOf("word", d.words()), termsOf("reference", d.references()))
}, nil).counting("document_type")

// stamp is called by Put when the record has changed.
func (d *Document) stamp(at time.Time) { d.UpdatedAt = at }

// Type is the type that counts: the person's, else the classifier's; empty for
// none.
func (d *Document) Type() string {
	if d.DocumentTypeManual != "" {
		return d.DocumentTypeManual
	}
	return d.DocumentType
}

// key names the bytes of the document of an account.
func (d *Document) key(a AccountID) BlobKey { return BlobKey{a, cmp.Or(d.Blob, d.Upload)} }

// maxWords bounds the words that a document is found by.
const maxWords = 100

// words are what names of the document are found by.
func (d *Document) words() []string {
	words := slices.Concat(wordsOf(d.FileName), wordsOf(d.Name))
	return words[:min(len(words), maxWords)]
}

// wordsOf folds a text into its words: runs of letters and digits, in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// discardedDocument is a document that was deleted: it is hidden, and its file is
// kept.
type discardedDocument struct {
	Document
	DiscardedAt time.Time `private:"discarded_at"`
	DiscardedBy ID        `private:"discarded_by"`
}

var discardedDocuments = newKind[discardedDocument]("discarded_document", nil, nil, nil)

// DocumentQuery selects documents, last created first.
type DocumentQuery struct {
	// FileName: every word of it must be in the name of the document or of its
	// file, the last one as the beginning of a word. It has at most 20 of them.
	FileName string
	// References: the document has one of these numbers, as read or as given by
	// a person. Case, blanks and the usual marks do not count.
	References []string
	// Types: any of them, each one of DocumentTypes; see Document.Type.
	Types []string
	// Sort by document_type, added_by or created_at.
	Sort []Order
}

// maxSoughtWords bounds the words of one query: each is a condition of its own.
const maxSoughtWords = 20

// sought are the words of FileName, each once; the last is the beginning of one.
func (q DocumentQuery) sought() (whole []string, last string) {
	words := wordsOf(q.FileName)
	if len(words) == 0 {
		return nil, ""
	}
	whole, last = words[:len(words)-1], words[len(words)-1]
	slices.Sort(whole)
	return slices.Compact(whole), last
}

// check refuses types that there are not, and what would be too many conditions.
func (q DocumentQuery) check(e *engine) error {
	for _, typ := range q.Types {
		if e.documentType(typ) == nil {
			return invalid("filter[document_types]", "inclusion", "'%s' is no type of documents: there are %s", clip(typ, 64), e.documentTypeCodes())
		}
	}
	if whole, _ := q.sought(); len(whole) >= maxSoughtWords {
		return badQuery("filter[filename]", "The value has %d different words; it may have %d.", len(whole)+1, maxSoughtWords)
	}
	return nil
}

func (q DocumentQuery) noun() described      { return documents }
func (q DocumentQuery) filter() store.Filter { w := q.where(); return w.filter(documents) }

func (q DocumentQuery) where() (w where[Document]) {
	w.text("document_type", q.Types, (*Document).Type)
	w.has("reference", foldNumbers(q.References), (*Document).references)
	if q.FileName != "" {
		whole, last := q.sought()
		for _, word := range whole {
			w.has("word", []string{word}, (*Document).words)
		}
		w.prefix("word", last, (*Document).words)
	}
	w.sort = q.Sort
	return w
}

// Document returns one document. Needs show. Errors: NotFound.
func (t *Tracker) Document(ctx context.Context, id ID) (*Document, error) {
	return get(ctx, t, documents, id)
}

// Documents returns a page of documents, last created first unless q sorts, and
// how many match in all. Needs show. Errors: BadQuery on filter[filename] with too
// many words; Invalid on filter[document_types] (inclusion).
func (t *Tracker) Documents(ctx context.Context, q DocumentQuery, p Page) ([]*Document, int, error) {
	return list(ctx, t, documents, q, p)
}

// NewDocument is what CreateDocument needs to know.
type NewDocument struct {
	// Name for people, 1 to 255 characters.
	Name string
	// Attached is the signed ID of an upload whose bytes are here.
	Attached string
	// FileName, ContentType and Content are for programs that have the bytes
	// themselves: they are used where Attached is empty. FileName defaults to Name.
	FileName, ContentType string
	Content               []byte
	// Once makes the call idempotent; see Once.
	Once Once
}

// CreateDocument makes a document of an upload, and has it read. Needs create.
//
// Errors: Invalid on name (blank, too_long, invalid) and attached_document (blank;
// invalid: not signed here, for another account, or forgotten; expired; taken:
// used before; not_uploaded: without its bytes yet; too_large). Conflict with the
// code duplicate_document, and existing_document_id and existing_document_name in
// Meta, when the account has a document of the same bytes and does not want two.
func (t *Tracker) CreateDocument(ctx context.Context, n NewDocument) (*Document, error) {
	if err := t.allow(Create); err != nil {
		return nil, err
	}
	if _, err := t.blobs(); err != nil {
		return nil, err
	}
	d := &Document{Name: strings.TrimSpace(n.Name), Source: FromUpload, User: t.actor.User}
	if err := checkText("name", d.Name, 255); err != nil {
		return nil, err
	}
	claim, err := t.claim(ctx, d, n)
	if err != nil {
		return nil, err
	}
	return t.createDocument(ctx, d, claim, n.Once)
}

// claim returns what finds the upload that a new document is made of.
func (t *Tracker) claim(ctx context.Context, d *Document, n NewDocument) (func(*Tx) (*Upload, error), error) {
	if n.Attached != "" {
		return func(tx *Tx) (*Upload, error) { return attached(tx, n.Attached) }, nil
	}
	size := int64(len(n.Content))
	switch {
	case size == 0:
		return nil, invalid("attached_document", "blank", "Attached document can't be blank: it is the signed_id of a direct upload")
	case size > t.config.MaxDocumentBytes:
		return nil, invalid("attached_document", "too_large", "A document has at most %d bytes, and this one %d", t.config.MaxDocumentBytes, size)
	}
	d.Source = FromAPI
	u, err := t.keepBlob(ctx, asFileName(n.FileName, d.Name), contentTypeOr(n.ContentType), bytes.NewReader(n.Content))
	return func(tx *Tx) (*Upload, error) { return receivedNow(tx, u), nil }, err
}

func contentTypeOr(given string) string {
	if given = strings.TrimSpace(given); given == "" || len(given) > 255 || !printable(given) {
		return anyContent
	}
	return given
}

// receivedNow is an upload of keepBlob as this transaction is to write it.
func receivedNow(tx *Tx, u *Upload) *Upload {
	made := *u
	made.CreatedAt, made.ReceivedAt = tx.Now, tx.Now
	return &made
}

// attached returns the upload that a signed ID is good for attaching.
func attached(tx *Tx, text string) (*Upload, error) {
	wrong := func(code, format string, args ...any) error {
		return invalid("attached_document", code, format, args...)
	}
	s, ok := tx.engine.keys.verify(text, forAttaching)
	if !ok || s.account != tx.Account {
		return nil, wrong("invalid", "Attached document is not the signed_id of an upload of this account")
	}
	if !tx.engine.now().Before(s.until) {
		return nil, wrong("expired", "Attached document was to be used until %s: upload the file again", s.until.Format(time.RFC3339))
	}
	u, err := table(tx, uploads).Get(s.upload)
	switch {
	case isNotFound(err):
		return nil, wrong("invalid", "Attached document is not the signed_id of an upload of this account")
	case err != nil:
		return nil, err
	case u.Document != (ID{}):
		return nil, wrong("taken", "Attached document has been used: a document was made of it")
	case u.ReceivedAt.IsZero():
		return nil, wrong("not_uploaded", "the bytes of the attached document have not been uploaded yet")
	}
	return u, nil
}

// createDocument writes a document of the upload that claim finds.
func (t *Tracker) createDocument(ctx context.Context, d *Document, claim func(*Tx) (*Upload, error), o Once) (made *Document, err error) {
	err = t.withAccount(ctx, func(tx *Tx) error {
		id, fresh, err := remembered(tx, o, documents.kind.Name, func() (ID, error) {
			u, err := claim(tx)
			if err != nil {
				return ID{}, err
			}
			draft := *d
			made = &draft
			err = made.begin(tx, u)
			return made.ID, err
		})
		if err != nil || fresh {
			return err
		}
		made, err = table(tx, documents).Get(id)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.poke()
	return made, nil
}

// begin writes a new document of an upload, and has it read.
func (d *Document) begin(tx *Tx, u *Upload) (err error) {
	d.Account, d.Upload, d.Blob, d.Content = tx.Account, u.ID, u.Blob, u.SHA256
	d.FileName, d.FileContentType, d.FileSizeBytes, d.CreatedAt = u.FileName, u.ContentType, u.ByteSize, tx.Now
	if err := d.settleDuplicates(tx); err != nil {
		return err
	}
	if d.User != (ID{}) {
		by, err := table(tx, users).Get(d.User)
		if dropNotFound(err) != nil {
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
	if err := table(tx, uploads).Put(u); err != nil {
		return err
	}
	if err := table(tx, documents).Put(d); err != nil {
		return err
	}
	return enqueueDocument(tx, d.ID, stageAll)
}

// withAccount is update in the account of the actor, after seeing to it that its
// record is there: what is shown with documents and requests must be in their scope.
func (t *Tracker) withAccount(ctx context.Context, fn func(*Tx) error) error {
	var account *Account
	run := func() error {
		return t.update(ctx, t.actor.Account, func(tx *Tx) error {
			if err := copyAccount(tx, account); err != nil {
				return err
			}
			return fn(tx)
		})
	}
	err := run()
	if !errors.Is(err, errUnknownAccount) {
		return err
	}
	err = t.view(ctx, AccountID{}, func(tx *Tx) (err error) {
		account, err = table(tx, accounts).Get(ID(t.actor.Account))
		return err
	})
	if isNotFound(err) { // an embedding host's own
		account, err = &Account{Meta: Meta{ID: ID(t.actor.Account)}}, nil
	}
	if err != nil {
		return err
	}
	return run()
}

var errUnknownAccount = errors.New("tracking: the account's record is not in its scope yet")

// copyAccount keeps in the account's scope what is shown of its record. A nil
// account has not been read yet.
func copyAccount(tx *Tx, account *Account) error {
	_, err := tx.records.Get(tx, accounts.kind, ID(tx.Account))
	if !isNotFound(err) {
		return err
	}
	if account == nil {
		return errUnknownAccount
	}
	return table(tx, accounts).Put(&Account{Meta: Meta{ID: account.ID}, CompanyName: account.CompanyName})
}

// DocumentUpdate changes what people say of a document. Fields that are not set
// stay.
type DocumentUpdate struct {
	// TypeManual is one of DocumentTypes; empty clears it.
	TypeManual Opt[string]
	// DataManual is a JSON object of at most 64 KiB; nil clears it.
	DataManual Opt[json.RawMessage]
	IfVersion  int64
}

// maxManualData bounds what a person says that a document says.
const maxManualData = 64 << 10

// UpdateDocument changes a document. Another type has its fields read anew; other
// data has it linked anew. Needs update.
//
// Errors: NotFound; Stale; Invalid on document_type_manual (inclusion) and
// extracted_data_manual (invalid_type, too_long).
func (t *Tracker) UpdateDocument(ctx context.Context, id ID, u DocumentUpdate) (*Document, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	if err := t.checkDocumentUpdate(u); err != nil {
		return nil, err
	}
	var d *Document
	err := t.update(ctx, t.actor.Account, func(tx *Tx) (err error) {
		if d, err = table(tx, documents).Get(id); err != nil {
			return err
		}
		if err := checkVersion(u.IfVersion, d.Version); err != nil {
			return err
		}
		return d.change(tx, u)
	})
	if err != nil {
		return nil, err
	}
	t.poke()
	return d, nil
}

func (t *Tracker) checkDocumentUpdate(u DocumentUpdate) error {
	var faults Errors
	if typ := u.TypeManual.Value; typ != "" && t.documentType(typ) == nil {
		faults = append(faults, invalid("document_type_manual", "inclusion", "'%s' is no type of documents; GET /documents/types names them", clip(typ, 64)))
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

func (d *Document) change(tx *Tx, u DocumentUpdate) error {
	typ, data := d.Type(), d.ExtractedDataManual
	setTo(&d.DocumentTypeManual, u.TypeManual)
	setTo(&d.ExtractedDataManual, u.DataManual)
	if err := table(tx, documents).Put(d); err != nil {
		return err
	}
	if d.Type() != typ {
		if err := enqueueDocument(tx, d.ID, stageExtract); err != nil {
			return err
		}
	}
	if !bytes.Equal(d.ExtractedDataManual, data) {
		return enqueueDocument(tx, d.ID, stageLink)
	}
	return nil
}

// DeleteDocument hides a document for good; its file is kept. Needs delete. Errors:
// NotFound.
func (t *Tracker) DeleteDocument(ctx context.Context, id ID) error {
	if err := t.allow(Delete); err != nil {
		return err
	}
	return t.update(ctx, t.actor.Account, func(tx *Tx) error {
		d, err := table(tx, documents).Get(id)
		if err != nil {
			return err
		}
		return d.discard(tx, t.actor.User)
	})
}

// discard hides the document: it leaves its kind, and so every list and include.
func (d *Document) discard(tx *Tx, by ID) error {
	gone := &discardedDocument{Document: *d, DiscardedAt: tx.Now, DiscardedBy: by}
	if err := table(tx, discardedDocuments).Put(gone); err != nil {
		return err
	}
	if err := table(tx, documents).Delete(d.ID); err != nil {
		return err
	}
	tx.wrote = true
	return d.leaveSubmission(tx)
}

// DuplicateDocuments says what becomes of a document whose bytes the account has
// in another one.
type DuplicateDocuments string

// The choices of an account. The empty choice is RejectDuplicates.
const (
	RejectDuplicates  DuplicateDocuments = "reject"  // the new one is refused
	ReplaceDuplicates DuplicateDocuments = "replace" // the old one is deleted
	AcceptDuplicates  DuplicateDocuments = "accept"  // both are kept
)

// settleDuplicates does what the account has chosen about documents of the same
// bytes. Deleted ones do not count.
func (d *Document) settleDuplicates(tx *Tx) error {
	choice := tx.ledger.DuplicateDocuments
	if choice == AcceptDuplicates {
		return nil
	}
	var w where[Document]
	w.text("content", []string{d.Content}, func(o *Document) string { return o.Content })
	same, err := table(tx, documents).All(w)
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
		if err := o.discard(tx, d.User); err != nil {
			return err
		}
	}
	return nil
}

// SetDuplicateDocuments changes what an account wants done with documents that it
// has already. It counts for documents that come after it.
// Errors: NotFound; Invalid on duplicate_documents (inclusion).
func (t *Tracker) SetDuplicateDocuments(ctx context.Context, name string, choice DuplicateDocuments) error {
	if err := t.operator(); err != nil {
		return err
	}
	switch choice {
	case RejectDuplicates, ReplaceDuplicates, AcceptDuplicates:
	default:
		return invalid("duplicate_documents", "inclusion", "'%s' is no choice: there are reject, replace and accept", clip(string(choice), 64))
	}
	account, err := t.Account(ctx, name)
	if err != nil {
		return err
	}
	return t.update(ctx, account.Scope(), func(tx *Tx) error {
		tx.ledger.DuplicateDocuments = choice
		return nil
	})
}
