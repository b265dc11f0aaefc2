package tracking

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/internal/mail"
	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/table"
)

// EmailSubmission is an e-mail whose attachments became documents (see docs/documents.md).
type EmailSubmission struct {
	Meta
	Account AccountID `rel:"account,account"` // that it was submitted to
	User    ID        `rel:"user,user"`       // who submitted it; zero (null) for a key without a user
	// Documents that were created from its attachments, or split from such, and have not
	// been deleted.
	Documents []ID `rel:"documents,document"`

	Subject string `attr:"subject"`   // decoded; empty without one
	Body    string `attr:"body,null"` // the plain text, at most 64 KiB
	// Notes are sentences for people about parts that could not be read; empty (null) for
	// none (own).
	Notes string   `attr:"notes,null"`
	From  []string `attr:"from"` // addresses, as are To and CC
	To    []string `attr:"to"`
	CC    []string `attr:"cc"`
	// SentAt is the time in its Date header, UTC; zero (null) without a valid one.
	SentAt     time.Time `attr:"sent_at,null"`
	MessageID  string    `attr:"message_id,null"`
	InReplyTo  string    `attr:"in_reply_to,null"`
	References []string  `attr:"references"`
	// ContentType of the message as a whole: "multipart/mixed".
	ContentType    string `attr:"content_type,null"`
	DocumentsCount int    `attr:"documents_count"`
	// Skipped are the attachments that became no document (own).
	Skipped   []SkippedAttachment `attr:"skipped_attachments"`
	CreatedAt time.Time           `attr:"created_at"`
	UpdatedAt time.Time           `attr:"updated_at"`
}

// SkippedAttachment is an attachment that became no document.
type SkippedAttachment struct {
	FileName string `json:"file_name"` // as in the message, without a path
	// Reason is a code: duplicate_document, blank, or invalid if the transfer encoding
	// is malformed.
	Reason string `json:"reason"`
	// ExistingDocumentID is the document with the same bytes; null for other reasons.
	ExistingDocumentID *string `json:"existing_document_id"`
}

var emailSubmissions = newKind[EmailSubmission]("email_submission", nil, nil, nil)

// setUpdatedAt is called by Put when the record has changed.
func (e *EmailSubmission) setUpdatedAt(at time.Time) { e.UpdatedAt = at }

// EmailSubmissionQuery selects all e-mails, last created first.
type EmailSubmissionQuery struct{}

func (EmailSubmissionQuery) resourceType() *table.Schema { return emailSubmissions.Schema }
func (EmailSubmissionQuery) filter() store.Filter {
	return new(where[EmailSubmission]).Filter(emailSubmissions)
}

// EmailSubmission returns one e-mail. Needs show. Errors: NotFound.
func (t *Tracker) EmailSubmission(ctx context.Context, id ID) (*EmailSubmission, error) {
	return get(ctx, t, emailSubmissions, id)
}

// EmailSubmissions returns a page of e-mails, last created first, and how many
// there are. Needs show.
func (t *Tracker) EmailSubmissions(ctx context.Context, q EmailSubmissionQuery, p Page) ([]*EmailSubmission, int, error) {
	return list(ctx, t, emailSubmissions, q, p)
}

// NewEmailSubmission is the argument of SubmitEmail.
type NewEmailSubmission struct {
	// Message is the whole e-mail as it was sent (RFC 5322), at most
	// Config.MaxDocumentBytes.
	Message []byte
	// Reader is the e-mail if Message is nil. It is parsed while it is read, in bounded
	// memory.
	Reader io.Reader
}

// SubmitEmail creates documents from the attachments of an e-mail, with the source email.
// Attachments that cannot be documents, and duplicates that the account rejects, are
// listed in Skipped. The bytes of the message are added to the Fingerprint of a Once.
// Needs create.
//
// Errors: Invalid on message (blank, too_large, invalid). An error of Reader is returned
// unchanged.
func (t *Tracker) SubmitEmail(ctx context.Context, n NewEmailSubmission, once ...Once) (*EmailSubmission, error) {
	if err := t.allow(Create); err != nil {
		return nil, err
	}
	if _, err := t.blobs(); err != nil {
		return nil, err
	}
	if n.Message != nil || n.Reader == nil {
		n.Reader = bytes.NewReader(n.Message)
	}
	body := &limitedMessage{from: n.Reader, most: t.config.MaxDocumentBytes, sum: sha256.New()}
	e, stored, err := t.parseEmail(ctx, body)
	if err != nil {
		t.deleteBlobs(ctx, stored)
		return nil, err
	}
	if o := onceOf(once); o.Key != "" {
		o.Fingerprint += "/" + hex.EncodeToString(body.sum.Sum(nil))
		once = []Once{o}
	}
	return t.writeSubmission(ctx, e, stored, once)
}

// limitedMessage reads an e-mail, limits its size and hashes it.
type limitedMessage struct {
	from       io.Reader
	read, most int64
	sum        hash.Hash
}

func (b *limitedMessage) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	b.sum.Write(p[:n])
	if b.read += int64(n); b.read > b.most {
		return 0, invalid("message", "too_large", "An e-mail has at most %d bytes, and this one has more", b.most)
	}
	return n, err
}

// parseEmail reads an e-mail to its end and stores its attachments as blobs. It returns
// their uploads even with an error.
func (t *Tracker) parseEmail(ctx context.Context, body io.Reader) (*EmailSubmission, []*Upload, error) {
	var stored []*Upload
	skipped := []SkippedAttachment{}
	m, err := mail.Read(body, func(a mail.Attachment) error {
		a.Name = cleanFileName(a.Name, "attachment")
		u, reason, err := t.storeAttachment(ctx, a)
		switch {
		case err != nil:
			return err
		case reason != "":
			skipped = append(skipped, SkippedAttachment{FileName: a.Name, Reason: reason})
		default:
			stored = append(stored, u)
		}
		return nil
	})
	if err == nil {
		_, err = io.Copy(io.Discard, body) // the size limit and the hash include what follows the last part
	}
	if malformed := (*mail.Error)(nil); errors.As(err, &malformed) {
		err = invalid("message", malformed.Code, "%s", malformed.Detail)
	}
	if err != nil {
		return nil, stored, err
	}
	return &EmailSubmission{
		User: t.actor.User, Subject: m.Subject, Body: m.Body, Notes: m.Notes, From: m.From, To: m.To, CC: m.CC, SentAt: m.SentAt,
		MessageID: m.MessageID, InReplyTo: m.InReplyTo, References: m.References, ContentType: m.ContentType, Skipped: skipped,
	}, stored, nil
}

// storeAttachment stores an attachment as a blob, or returns the reason to skip it.
func (t *Tracker) storeAttachment(ctx context.Context, a mail.Attachment) (u *Upload, reason string, err error) {
	content := bufio.NewReader(a.Content)
	if _, err = content.Peek(1); err == io.EOF {
		return nil, "blank", nil
	}
	if err == nil {
		u, err = t.storeBlob(ctx, a.Name, contentTypeOrDefault(a.ContentType), content)
	}
	if errors.Is(err, mail.ErrDamaged) {
		return nil, "invalid", nil
	}
	return u, "", err
}

// writeSubmission writes the e-mail and its documents in one transaction.
func (t *Tracker) writeSubmission(ctx context.Context, draft *EmailSubmission, stored []*Upload, once []Once) (made *EmailSubmission, err error) {
	var unused []*Upload // that became no document
	err = t.withAccount(ctx, "email_submission.create", func(tx *transaction) error {
		unused = stored
		id, fresh, err := remembered(tx, once, emailSubmissions.Kind.Name, func() (id ID, err error) {
			e := *draft
			e.Skipped, made = slices.Clone(draft.Skipped), &e
			unused, err = e.create(tx, stored)
			return e.ID, err
		})
		if err != nil || fresh {
			return err
		}
		made, err = emailSubmissions.Get(tx, id)
		return err
	})
	switch {
	case err == nil:
		t.deleteBlobs(ctx, unused)
	case isPermanent(err):
		t.deleteBlobs(ctx, stored)
		return nil, err
	default: // it may or may not have been written; if not, the sweep removes the blobs
		return nil, err
	}
	return made, nil
}

// create writes the e-mail and its documents, and returns the uploads that became none.
func (e *EmailSubmission) create(tx *transaction, stored []*Upload) (unused []*Upload, err error) {
	e.Account, e.CreatedAt = tx.Account, tx.Now
	if err := emailSubmissions.Put(tx, e); err != nil { // sets its ID
		return nil, err
	}
	for _, u := range stored {
		d := &Document{Name: clipRunes(u.FileName, 255), Source: FromEmail, User: e.User, EmailSubmission: e.ID}
		err := d.create(tx, asReceived(tx, u))
		if refused, ok := err.(*Error); ok && refused.Code == "duplicate_document" {
			existing, _ := refused.Meta["existing_document_id"].(string)
			e.Skipped = append(e.Skipped, SkippedAttachment{FileName: u.FileName, Reason: refused.Code, ExistingDocumentID: &existing})
			unused = append(unused, u)
			continue
		}
		if err != nil {
			return nil, err
		}
		e.Documents = append(e.Documents, d.ID)
	}
	// An attachment may have replaced an earlier one with the same bytes.
	left, err := documents.GetMany(tx, e.Documents)
	if err != nil {
		return nil, err
	}
	e.Documents = nil
	for _, d := range left {
		e.Documents = append(e.Documents, d.ID)
	}
	e.DocumentsCount = len(e.Documents)
	return unused, emailSubmissions.Put(tx, e)
}

// addToSubmission adds a document that was split from an attachment to its e-mail.
func (d *Document) addToSubmission(tx *transaction) error {
	if d.EmailSubmission == (ID{}) {
		return nil
	}
	e, err := emailSubmissions.Get(tx, d.EmailSubmission)
	if err != nil {
		return ignoreNotFound(err)
	}
	e.Documents = append(e.Documents, d.ID)
	e.DocumentsCount = len(e.Documents)
	return emailSubmissions.Put(tx, e)
}

// removeFromSubmission removes a deleted document from its e-mail.
func (d *Document) removeFromSubmission(tx *transaction) error {
	if d.EmailSubmission == (ID{}) {
		return nil
	}
	e, err := emailSubmissions.Get(tx, d.EmailSubmission)
	if err != nil {
		return ignoreNotFound(err)
	}
	e.Documents = slices.DeleteFunc(e.Documents, func(id ID) bool { return id == d.ID })
	e.DocumentsCount = len(e.Documents)
	return emailSubmissions.Put(tx, e)
}

func clipRunes(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most])
}

// reducedSubmission is an e-mail as it is included with a document.
type reducedSubmission struct {
	Meta
	Subject     string    `attr:"subject,null"`
	BodyPreview string    `attr:"body_preview,null"` // the first 200 characters
	From        []string  `attr:"from"`
	To          []string  `attr:"to"`
	CC          []string  `attr:"cc"`
	MessageID   string    `attr:"message_id,null"`
	SentAt      time.Time `attr:"sent_at,null"`
	CreatedAt   time.Time `attr:"created_at"`
	UpdatedAt   time.Time `attr:"updated_at"`
}

// reducedDocument is a document as it is included with an e-mail.
type reducedDocument struct {
	Meta
	LastRepresentation ID             `rel:"last_document_representation,document_representation"`
	Name               string         `attr:"name"`
	Source             DocumentSource `attr:"source"`
	DocumentType       string         `attr:"document_type,null"`
	CreatedAt          time.Time      `attr:"created_at"`
	UpdatedAt          time.Time      `attr:"updated_at"`
}

var (
	reducedSubmissions = record.For[reducedSubmission]("email_submission")
	reducedDocuments   = record.For[reducedDocument]("document")
)

// reduced returns a record as it is included with records of another kind, which may have
// fewer attributes.
func reduced(with, k *store.Kind, r store.Record) (store.Record, error) {
	switch {
	case k == emailSubmissions.Kind && with == documents.Kind:
		e, err := emailSubmissions.Decode(r)
		if err != nil {
			return r, err
		}
		r.Doc, _ = reducedSubmissions.Encode(&reducedSubmission{
			Meta: e.Meta, Subject: e.Subject, BodyPreview: clipRunes(e.Body, 200), From: e.From, To: e.To, CC: e.CC,
			MessageID: e.MessageID, SentAt: e.SentAt, CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt,
		})
		r.Decoded = nil
	case k == documents.Kind && with == emailSubmissions.Kind:
		d, err := documents.Decode(r)
		if err != nil {
			return r, err
		}
		r.Doc, _ = reducedDocuments.Encode(&reducedDocument{
			Meta: d.Meta, LastRepresentation: d.LastRepresentation, Name: d.Name, Source: d.Source,
			DocumentType: d.DocumentType, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
		})
		r.Decoded = nil
	}
	return r, nil
}
