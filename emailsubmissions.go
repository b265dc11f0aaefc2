package tracking

import (
	"bytes"
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/landfallhq/tracking/internal/record"
)

// EmailSubmission is an e-mail whose attachments became documents (contract 1.27).
type EmailSubmission struct {
	Meta
	Account AccountID `rel:"account,account"`
	User    ID        `rel:"user,user"`
	// Documents that were made of its attachments and have not been deleted.
	Documents []ID `rel:"documents,document"`

	Subject string   `attr:"subject"`
	Body    string   `attr:"body,null"` // the plain text, at most 64 KiB of it
	From    []string `attr:"from"`      // addresses, as are To and CC
	To      []string `attr:"to"`
	CC      []string `attr:"cc"`
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
func (EmailSubmissionQuery) filter() Filter {
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
	// Once makes the call idempotent; see Once.
	Once Once
}

// SubmitEmail takes in an e-mail: its attachments become documents with the source
// email. Those that cannot be documents, and those that the account has already
// and does not want twice, are named in Skipped. Needs create.
//
// Errors: Invalid on message (blank, too_large, invalid).
func (t *Tracker) SubmitEmail(ctx context.Context, n NewEmailSubmission) (*EmailSubmission, error) {
	if err := t.allow(Create); err != nil {
		return nil, err
	}
	if _, err := t.blobs(); err != nil {
		return nil, err
	}
	if most := t.config.MaxDocumentBytes; int64(len(n.Message)) > most {
		return nil, invalid("message", "too_large", "An e-mail has at most %d bytes, and this one %d", most, len(n.Message))
	}
	m, err := readMessage(n.Message)
	if err != nil {
		return nil, err
	}
	e := m.submission()
	e.User = t.actor.User
	var kept []*Upload
	for _, a := range m.attachments {
		if reason := a.fault(); reason != "" {
			e.Skipped = append(e.Skipped, SkippedAttachment{FileName: a.name, Reason: reason})
			continue
		}
		u, err := t.keepBlob(ctx, a.name, contentTypeOr(a.contentType), bytes.NewReader(a.content))
		if err != nil {
			return nil, err
		}
		kept = append(kept, u)
	}
	return t.writeSubmission(ctx, e, kept, n.Once)
}

// writeSubmission writes the e-mail and the documents that it brings, at once.
func (t *Tracker) writeSubmission(ctx context.Context, draft *EmailSubmission, kept []*Upload, o Once) (made *EmailSubmission, err error) {
	err = t.withAccount(ctx, func(tx *Tx) error {
		id, fresh, err := remembered(tx, o, emailSubmissions.kind.Name, func() (ID, error) {
			e := *draft
			e.Skipped, made = slices.Clone(draft.Skipped), &e
			err := e.begin(tx, kept)
			return e.ID, err
		})
		if err != nil || fresh {
			return err
		}
		made, err = table(tx, emailSubmissions).Get(id)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.poke()
	return made, nil
}

func (e *EmailSubmission) begin(tx *Tx, kept []*Upload) error {
	e.Account, e.CreatedAt = tx.Account, tx.Now
	if err := table(tx, emailSubmissions).Put(e); err != nil { // gives it its ID
		return err
	}
	for _, u := range kept {
		d := &Document{Name: clipRunes(u.FileName, 255), Source: FromEmail, User: e.User, EmailSubmission: e.ID}
		err := d.begin(tx, receivedNow(tx, u))
		if refused, ok := err.(*Error); ok && refused.Code == "duplicate_document" {
			existing, _ := refused.Meta["existing_document_id"].(string)
			e.Skipped = append(e.Skipped, SkippedAttachment{FileName: u.FileName, Reason: refused.Code, ExistingDocumentID: &existing})
			continue
		}
		if err != nil {
			return err
		}
		e.Documents = append(e.Documents, d.ID)
	}
	// One attachment may have replaced an earlier one of the same bytes.
	left, err := table(tx, documents).GetMany(e.Documents)
	if err != nil {
		return err
	}
	e.Documents = nil
	for _, d := range left {
		e.Documents = append(e.Documents, d.ID)
	}
	e.DocumentsCount = len(e.Documents)
	return table(tx, emailSubmissions).Put(e)
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

// reducedSubmission is an e-mail as it is included with a document (contract 1.27).
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
func reduced(with, k *Kind, r Record) (Record, error) {
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
		r.Memo = nil
	case k == documents.kind && with == emailSubmissions.kind:
		d, err := documents.decode(r)
		if err != nil {
			return r, err
		}
		r.Doc, _ = reducedDocuments.Encode(&reducedDocument{
			Meta: d.Meta, LastRepresentation: d.LastRepresentation, Name: d.Name, Source: d.Source,
			DocumentType: d.DocumentType, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
		})
		r.Memo = nil
	}
	return r, nil
}
