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

	"github.com/landfallhq/tracking/internal/record"
)

// EmailSubmission is an e-mail whose attachments became documents (see
// docs/documents.md).
type EmailSubmission struct {
	Meta
	Account AccountID `rel:"account,account"`
	User    ID        `rel:"user,user"`
	// Documents that were made of its attachments and have not been deleted.
	Documents []ID `rel:"documents,document"`

	Subject string `attr:"subject"`
	Body    string `attr:"body,null"` // the plain text, at most 64 KiB of it
	// Notes are sentences for people about what of it could not be read; empty (null)
	// for none (own).
	Notes string   `attr:"notes,null"`
	From  []string `attr:"from"` // addresses, as are To and CC
	To    []string `attr:"to"`
	CC    []string `attr:"cc"`
	// SentAt is what its Date says, UTC; zero (null) when it says nothing that can
	// be read.
	SentAt     time.Time `attr:"sent_at,null"`
	MessageID  string    `attr:"message_id,null"`
	InReplyTo  string    `attr:"in_reply_to,null"`
	References []string  `attr:"references"`
	// ContentType of the message as a whole: "multipart/mixed".
	ContentType    string `attr:"content_type,null"`
	DocumentsCount int    `attr:"documents_count"`
	// Skipped are the attachments that became no document, and why (own).
	Skipped   []SkippedAttachment `attr:"skipped_attachments"`
	CreatedAt time.Time           `attr:"created_at"`
	UpdatedAt time.Time           `attr:"updated_at"`
}

// SkippedAttachment is an attachment that became no document.
type SkippedAttachment struct {
	FileName string `json:"file_name"`
	// Reason is a code: duplicate_document, blank, or invalid when its transfer
	// encoding cannot be undone.
	Reason string `json:"reason"`
	// ExistingDocumentID is that of the document with the same bytes; null for
	// other reasons.
	ExistingDocumentID *string `json:"existing_document_id"`
}

var emailSubmissions = newKind[EmailSubmission]("email_submission", nil, nil, nil)

// stamp is called by Put when the record has changed.
func (e *EmailSubmission) stamp(at time.Time) { e.UpdatedAt = at }

// EmailSubmissionQuery selects e-mails, last created first; it has no conditions.
type EmailSubmissionQuery struct{}

func (EmailSubmissionQuery) noun() described { return emailSubmissions }
func (EmailSubmissionQuery) filter() store.Filter {
	return new(where[EmailSubmission]).filter(emailSubmissions)
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

// NewEmailSubmission is an e-mail to be taken in.
type NewEmailSubmission struct {
	// Message is the whole e-mail as it was sent (RFC 5322), at most
	// Config.MaxDocumentBytes.
	Message []byte
	// Reader gives the e-mail where Message is nil. It is taken apart while it is read,
	// in memory that does not grow with it.
	Reader io.Reader
	// Once makes the call idempotent; see Once. The bytes of the message are added to
	// its Fingerprint.
	Once Once
}

// SubmitEmail takes in an e-mail: its attachments become documents with the source
// email. Those that cannot be documents, and those that the account has already
// and does not want twice, are named in Skipped. Needs create.
//
// Errors: Invalid on message (blank, too_large, invalid). An error of Reader is returned
// as it is.
func (t *Tracker) SubmitEmail(ctx context.Context, n NewEmailSubmission) (*EmailSubmission, error) {
	if err := t.allow(Create); err != nil {
		return nil, err
	}
	if _, err := t.blobs(); err != nil {
		return nil, err
	}
	if n.Message != nil || n.Reader == nil {
		n.Reader = bytes.NewReader(n.Message)
	}
	body := &messageBody{from: n.Reader, most: t.config.MaxDocumentBytes, sum: sha256.New()}
	e, kept, err := t.takeApart(ctx, body)
	if err != nil {
		t.dropBlobs(ctx, kept)
		return nil, err
	}
	if n.Once.Key != "" {
		n.Once.Fingerprint += "/" + hex.EncodeToString(body.sum.Sum(nil))
	}
	return t.writeSubmission(ctx, e, kept, n.Once)
}

// messageBody is an e-mail that comes in, and whose size is bounded.
type messageBody struct {
	from       io.Reader
	read, most int64
	sum        hash.Hash
}

func (b *messageBody) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	b.sum.Write(p[:n])
	if b.read += int64(n); b.read > b.most {
		return 0, invalid("message", "too_large", "An e-mail has at most %d bytes, and this one has more", b.most)
	}
	return n, err
}

// takeApart reads the e-mail to its end, and keeps its attachments as blobs. They are
// returned with an error too.
func (t *Tracker) takeApart(ctx context.Context, body io.Reader) (*EmailSubmission, []*Upload, error) {
	var kept []*Upload
	skipped := []SkippedAttachment{}
	m, err := readMessage(body, func(a attachment) error {
		u, reason, err := t.keepAttachment(ctx, a)
		switch {
		case err != nil:
			return err
		case reason != "":
			skipped = append(skipped, SkippedAttachment{FileName: a.name, Reason: reason})
		default:
			kept = append(kept, u)
		}
		return nil
	})
	if err == nil {
		_, err = io.Copy(io.Discard, body) // what follows the last part is of the message too
	}
	if err != nil {
		return nil, kept, err
	}
	e := m.submission()
	e.User, e.Skipped = t.actor.User, skipped
	return e, kept, nil
}

// keepAttachment keeps an attachment as a blob, or gives the reason why it can be no
// document.
func (t *Tracker) keepAttachment(ctx context.Context, a attachment) (u *Upload, reason string, err error) {
	content := bufio.NewReader(a.content)
	if _, err = content.Peek(1); err == io.EOF {
		return nil, "blank", nil
	}
	if err == nil {
		u, err = t.keepBlob(ctx, a.name, contentTypeOr(a.contentType), content)
	}
	if errors.Is(err, errDamagedPart) {
		return nil, "invalid", nil
	}
	return u, "", err
}

// writeSubmission writes the e-mail and the documents that it brings, at once.
func (t *Tracker) writeSubmission(ctx context.Context, draft *EmailSubmission, kept []*Upload, o Once) (made *EmailSubmission, err error) {
	var left []*Upload // that became nothing
	err = t.withAccount(ctx, func(tx *Tx) error {
		left = kept
		id, fresh, err := remembered(tx, o, emailSubmissions.kind.Name, func() (id ID, err error) {
			e := *draft
			e.Skipped, made = slices.Clone(draft.Skipped), &e
			left, err = e.begin(tx, kept)
			return e.ID, err
		})
		if err != nil || fresh {
			return err
		}
		made, err = table(tx, emailSubmissions).Get(id)
		return err
	})
	switch {
	case err == nil:
		t.dropBlobs(ctx, left)
	case isRefusal(err):
		t.dropBlobs(ctx, kept)
		return nil, err
	default: // whether it was written may not be known: what was not, the sweep removes
		return nil, err
	}
	t.poke()
	return made, nil
}

// begin writes the e-mail and its documents, and returns the uploads that became none.
func (e *EmailSubmission) begin(tx *Tx, kept []*Upload) (left []*Upload, err error) {
	e.Account, e.CreatedAt = tx.Account, tx.Now
	if err := table(tx, emailSubmissions).Put(e); err != nil { // gives it its ID
		return nil, err
	}
	for _, u := range kept {
		d := &Document{Name: clipRunes(u.FileName, 255), Source: FromEmail, User: e.User, EmailSubmission: e.ID}
		err := d.begin(tx, receivedNow(tx, u))
		if refused, ok := err.(*Error); ok && refused.Code == "duplicate_document" {
			existing, _ := refused.Meta["existing_document_id"].(string)
			e.Skipped = append(e.Skipped, SkippedAttachment{FileName: u.FileName, Reason: refused.Code, ExistingDocumentID: &existing})
			left = append(left, u)
			continue
		}
		if err != nil {
			return nil, err
		}
		e.Documents = append(e.Documents, d.ID)
	}
	// One attachment may have replaced an earlier one of the same bytes.
	those, err := table(tx, documents).GetMany(e.Documents)
	if err != nil {
		return nil, err
	}
	e.Documents = nil
	for _, d := range those {
		e.Documents = append(e.Documents, d.ID)
	}
	e.DocumentsCount = len(e.Documents)
	return left, table(tx, emailSubmissions).Put(e)
}

// leaveSubmission takes a deleted document off the e-mail that it came with.
func (d *Document) leaveSubmission(tx *Tx) error {
	if d.EmailSubmission == (ID{}) {
		return nil
	}
	e, err := table(tx, emailSubmissions).Get(d.EmailSubmission)
	if err != nil {
		return dropNotFound(err)
	}
	e.Documents = slices.DeleteFunc(e.Documents, func(id ID) bool { return id == d.ID })
	e.DocumentsCount = len(e.Documents)
	return table(tx, emailSubmissions).Put(e)
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

// reduced is a record as it is included with those of another kind, where that is
// less than the whole.
func reduced(with, k *store.Kind, r store.Record) (store.Record, error) {
	switch {
	case k == emailSubmissions.kind && with == documents.kind:
		e, err := emailSubmissions.decode(r)
		if err != nil {
			return r, err
		}
		r.Doc, _ = reducedSubmissions.Encode(&reducedSubmission{
			Meta: e.Meta, Subject: e.Subject, BodyPreview: clipRunes(e.Body, 200), From: e.From, To: e.To, CC: e.CC,
			MessageID: e.MessageID, SentAt: e.SentAt, CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt,
		})
		r.Decoded = nil
	case k == documents.kind && with == emailSubmissions.kind:
		d, err := documents.decode(r)
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
