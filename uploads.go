package tracking

import (
	"cmp"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"
)

// Upload is a file that is to become a document: a client announces it, then sends
// its bytes, then makes a document of it. An upload that no document is made of
// within 24 hours is deleted.
type Upload struct {
	Meta
	// FileName as the sender gave it: 1 to 1,024 characters. It is text and never
	// a path.
	FileName string `private:"file_name"`
	// ContentType as the sender gave it, "application/octet-stream" when not.
	ContentType string `private:"content_type"`
	// ByteSize is the number of bytes that there must be, and Checksum the base64
	// of their MD5.
	ByteSize int64  `private:"byte_size"`
	Checksum string `private:"checksum"`
	// SHA256 of the bytes in hex, by which equal ones are known.
	SHA256 string `private:"sha256"`
	// Blob has the bytes. Each time that bytes are handed in they are kept as a
	// blob of their own, and those that came first become the upload's. Zero: they
	// are kept under the upload's ID.
	Blob ID `private:"blob"`
	// CreatedAt; ReceivedAt is when the bytes were safe here, zero until then. UTC.
	CreatedAt  time.Time `private:"created_at"`
	ReceivedAt time.Time `private:"received_at"`
	// Document that was made of it; zero for none yet.
	Document ID `private:"document"`
}

var uploads = newKind("upload", []column[Upload]{
	{"waiting_since", store.TimeColumn, func(u *Upload) any { return timeCol(u.waitingSince()) }},
	{"blob", store.IDColumn, func(u *Upload) any { return idCol(u.Blob) }},
}, nil, nil)

// waitingSince is when an upload was announced that is no document yet.
func (u *Upload) waitingSince() time.Time {
	if u.Document != (ID{}) {
		return time.Time{}
	}
	return u.CreatedAt
}

// abandoned selects the uploads that have waited since before a time.
func abandoned(end time.Time) store.Filter {
	var w where[Upload]
	w.times("waiting_since", TimeRange{To: end}, (*Upload).waitingSince)
	return w.filter(uploads)
}

// blob is the ID of the blob that has the bytes.
func (u *Upload) blob() ID { return cmp.Or(u.Blob, u.ID) }

// NewUpload announces a file.
type NewUpload struct {
	// FileName, 1 to 1,024 characters.
	FileName string
	// ContentType, at most 255 characters; may be empty.
	ContentType string
	// ByteSize, 1 to Config.MaxDocumentBytes.
	ByteSize int64
	// Checksum is the base64 of the MD5 of the bytes.
	Checksum string
	// Once makes the call idempotent; see Once.
	Once Once
}

// UploadTicket is an upload with the two signed IDs that go with it, each good
// for 24 hours.
type UploadTicket struct {
	*Upload
	// SignedID is what CreateDocument takes.
	SignedID string
	// Handle is what ReceiveUpload takes.
	Handle string
}

// CreateUpload announces a file whose bytes will be handed in. Needs create.
//
// Errors: Invalid on filename (blank, too_long, invalid), content_type (too_long,
// invalid), byte_size (blank, too_large) and checksum (blank, invalid); with the
// codes no_blobs and no_master_key where this installation takes no uploads.
func (t *Tracker) CreateUpload(ctx context.Context, n NewUpload) (*UploadTicket, error) {
	if err := t.allow(Create); err != nil {
		return nil, err
	}
	if _, err := t.blobs(); err != nil {
		return nil, err
	}
	if err := t.checkUpload(&n); err != nil {
		return nil, err
	}
	if len(t.keys.keys) == 0 {
		return nil, errUnsigned
	}
	u, err := once(ctx, t, n.Once, uploads, func(tx *Tx) (*Upload, error) {
		u := &Upload{FileName: n.FileName, ContentType: n.ContentType, ByteSize: n.ByteSize, Checksum: n.Checksum, CreatedAt: tx.Now}
		return u, table(tx, uploads).Put(u)
	})
	if err != nil {
		return nil, err
	}
	return t.ticket(u)
}

func (t *Tracker) ticket(u *Upload) (*UploadTicket, error) {
	until := u.CreatedAt.Add(signedIDLife)
	attach, err := t.keys.sign(signedID{forAttaching, t.actor.Account, u.ID, until})
	if err != nil {
		return nil, err
	}
	handle, err := t.keys.sign(signedID{forUploading, t.actor.Account, u.ID, until})
	return &UploadTicket{u, attach, handle}, err
}

// maxFileName is in characters: the longest that file systems know is a quarter.
const maxFileName = 1024

func (t *Tracker) checkUpload(n *NewUpload) error {
	var faults Errors
	note := func(err error) {
		if e, ok := err.(*Error); ok {
			faults = append(faults, e)
		}
	}
	note(checkText("filename", n.FileName, maxFileName))
	if n.ContentType = strings.TrimSpace(n.ContentType); n.ContentType == "" {
		n.ContentType = anyContent
	}
	note(checkText("content_type", n.ContentType, 255))
	switch most := t.config.MaxDocumentBytes; {
	case n.ByteSize < 1:
		note(invalid("byte_size", "blank", "Byte size must be the number of bytes, 1 to %d", most))
	case n.ByteSize > most:
		note(invalid("byte_size", "too_large", "A document has at most %d bytes, and this one %d", most, n.ByteSize))
	}
	sum, err := base64.StdEncoding.DecodeString(n.Checksum)
	switch {
	case n.Checksum == "":
		note(invalid("checksum", "blank", "Checksum can't be blank: it is the base64 of the MD5 of the bytes"))
	case err != nil || len(sum) != md5.Size || base64.StdEncoding.EncodeToString(sum) != n.Checksum:
		note(invalid("checksum", "invalid", "Checksum must be the base64 of the MD5 of the bytes: 24 characters"))
	}
	return faults.or()
}

// anyContent is the type of bytes that nobody knows more of.
const anyContent = "application/octet-stream"

// SentUpload is what comes with the bytes of an upload.
type SentUpload struct {
	// Size is the number of bytes that were announced with them; -1 when unknown.
	Size int64
	// Checksum (base64 of the MD5) and ContentType as they were announced with the
	// bytes; empty when not. They must be those of the upload.
	Checksum, ContentType string
	Body                  io.Reader
}

// ReceiveUpload takes the bytes of an upload; who holds its handle needs no key
// and no permission. The bytes are checked while they come, and are kept as a
// whole or not at all. Handed in again, also at the same time, they are checked
// once more, and nothing changes.
//
// Errors: Forbidden when the handle is none of ours (invalid_signature) or its
// time is over (expired); Invalid when the bytes are not those that were
// announced, with the codes length_mismatch, checksum_mismatch and
// content_type_mismatch, or when others of the same checksum came first, with the
// code taken. An error of Body is returned as it is.
func (t *Tracker) ReceiveUpload(ctx context.Context, handle string, sent SentUpload) error {
	store, err := t.blobs()
	if err != nil {
		return err
	}
	account, u, err := t.signedUpload(ctx, handle, forUploading)
	if err != nil {
		return err
	}
	if err := u.meets(sent); err != nil {
		return err
	}
	checked := &checkedReader{from: sent.Body, size: u.ByteSize, checksum: u.Checksum, md5: md5.New(), sha256: sha256.New()}
	if !u.ReceivedAt.IsZero() {
		if _, err := io.Copy(io.Discard, checked); err != nil {
			return err
		}
		return u.same(checked.sum())
	}
	blob, err := uuid.NewV7()
	if err != nil {
		return err
	}
	key := BlobKey{account, blob}
	if err := store.Put(ctx, key, checked); err != nil {
		return err
	}
	adopted, err := t.adopt(ctx, key, u.ID, checked.sum())
	if adopted || err != nil && !isRefusal(err) {
		return err // whether it was written may not be known: what was not, the sweep removes
	}
	if left := store.Delete(context.WithoutCancel(ctx), key); left != nil {
		t.log.Warn("bytes that came twice stay until they are swept", "error", left)
	}
	return err
}

// adopt makes a blob that of an upload, unless others came first. An error that is
// a refusal means that it did not.
func (t *Tracker) adopt(ctx context.Context, key BlobKey, upload ID, sha256 string) (adopted bool, err error) {
	err = t.update(ctx, key.Account, func(tx *Tx) error {
		u, err := table(tx, uploads).Get(upload)
		if isNotFound(err) { // forgotten meanwhile
			return errSignedOver
		}
		if err != nil {
			return err
		}
		if adopted = u.ReceivedAt.IsZero(); !adopted {
			return u.same(sha256)
		}
		u.Blob, u.ReceivedAt, u.SHA256 = key.ID, tx.Now, sha256
		return table(tx, uploads).Put(u)
	})
	return adopted, err
}

// same refuses other bytes than those that are here: two files of one MD5 are
// easily made.
func (u *Upload) same(sha256 string) error {
	if sha256 != u.SHA256 {
		return invalid("", "taken", "this upload has been used: other bytes with the same checksum are here")
	}
	return nil
}

var (
	errSignedWrong = &Error{Kind: Forbidden, Code: "invalid_signature", Detail: "this is no link that was given out here for this"}
	errSignedOver  = &Error{Kind: Forbidden, Code: "expired", Detail: "the time of this link is over; ask for another"}
)

// signedUpload returns the upload that a signed ID of a purpose stands for.
func (t *Tracker) signedUpload(ctx context.Context, text string, p purpose) (account AccountID, u *Upload, err error) {
	s, ok := t.keys.verify(text, p)
	if !ok {
		return account, nil, errSignedWrong
	}
	if !t.now().Before(s.until) {
		return account, nil, errSignedOver
	}
	err = t.view(ctx, s.account, func(tx *Tx) (err error) {
		u, err = table(tx, uploads).Get(s.upload)
		return err
	})
	if isNotFound(err) {
		err = errSignedOver
	}
	return s.account, u, err
}

// meets refuses bytes that announce themselves as others than the upload's.
func (u *Upload) meets(sent SentUpload) error {
	switch {
	case sent.Size >= 0 && sent.Size != u.ByteSize:
		return wrongLength(u.ByteSize, sent.Size)
	case sent.Checksum != "" && sent.Checksum != u.Checksum:
		return invalid("", "checksum_mismatch", "Content-MD5 is '%s', and the upload was announced with '%s'", clip(sent.Checksum, 64), u.Checksum)
	case sent.ContentType != "" && !strings.EqualFold(sent.ContentType, u.ContentType):
		return invalid("", "content_type_mismatch", "Content-Type is '%s', and the upload was announced with '%s'", clip(sent.ContentType, 255), u.ContentType)
	}
	return nil
}

func wrongLength(want, got int64) *Error {
	return invalid("", "length_mismatch", "there are %d bytes, and the upload was announced with %d", got, want)
}

// checkedReader gives the bytes on, and in the place of the end an error when they
// are not those that were announced.
type checkedReader struct {
	from        io.Reader
	size, read  int64
	checksum    string
	md5, sha256 hash.Hash
}

func (r *checkedReader) Read(p []byte) (int, error) {
	if most := r.size - r.read + 1; int64(len(p)) > most {
		p = p[:most] // one more tells that there are too many
	}
	n, err := r.from.Read(p)
	r.read += int64(n)
	r.md5.Write(p[:n])
	r.sha256.Write(p[:n])
	switch {
	case r.read > r.size:
		return 0, invalid("", "length_mismatch", "there are more bytes than the %d that the upload was announced with", r.size)
	case errors.Is(err, io.EOF) && r.read < r.size:
		return n, wrongLength(r.size, r.read)
	case errors.Is(err, io.EOF) && base64.StdEncoding.EncodeToString(r.md5.Sum(nil)) != r.checksum:
		return n, invalid("", "checksum_mismatch", "the MD5 of the bytes is not that which the upload was announced with")
	}
	return n, err
}

// sum is the SHA-256 of what was read, in hex.
func (r *checkedReader) sum() string { return hex.EncodeToString(r.sha256.Sum(nil)) }

// asFileName makes a name that a stranger gave one that can be kept.
func asFileName(name, otherwise string) string {
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return -1
		}
		return r
	}, name))
	if name == "" {
		return otherwise
	}
	if runes := []rune(name); len(runes) > maxFileName {
		return string(runes[:maxFileName])
	}
	return name
}

// Download is the bytes of a document as they may be handed to anybody's browser.
type Download struct {
	// Blob has the bytes; the caller closes it.
	Blob
	// FileName is text that somebody sent, ContentType what the file is said to be.
	FileName, ContentType string
}

// DocumentDownload returns the signed ID by which OpenDownload hands out the bytes
// of a document for 5 minutes. Needs show.
//
// Errors: NotFound; Invalid with the code no_file when its bytes are not there.
func (t *Tracker) DocumentDownload(ctx context.Context, id ID) (string, error) {
	d, err := t.Document(ctx, id)
	if err != nil {
		return "", err
	}
	blob, err := t.openBlob(ctx, d.key(t.actor.Account))
	if err != nil {
		return "", err
	}
	if err := blob.Close(); err != nil {
		return "", err
	}
	return t.keys.sign(signedID{forDownloading, t.actor.Account, d.Upload, t.now().Add(downloadLife)})
}

// OpenDownload opens the bytes that a signed ID of DocumentDownload stands for; who
// holds it needs no key and no permission.
//
// Errors: Forbidden when it is none of ours (invalid_signature), or its time is
// over or the document has gone (expired).
func (t *Tracker) OpenDownload(ctx context.Context, signed string) (*Download, error) {
	account, u, err := t.signedUpload(ctx, signed, forDownloading)
	if err != nil {
		return nil, err
	}
	var d *Document
	err = t.view(ctx, account, func(tx *Tx) (err error) {
		d, err = table(tx, documents).Get(u.Document)
		return err
	})
	if isNotFound(err) {
		return nil, errSignedOver
	}
	if err != nil {
		return nil, err
	}
	blob, err := t.openBlob(ctx, BlobKey{account, u.blob()})
	if err != nil {
		return nil, err
	}
	return &Download{Blob: blob, FileName: d.FileName, ContentType: d.FileContentType}, nil
}
