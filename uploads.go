package tracking

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/landfallhq/tracking/internal/keyring"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"
)

// Upload is a file that is to become a document. A client announces it, sends its bytes,
// and creates a document from it. An upload that is no document after 24 hours is
// deleted.
type Upload struct {
	Meta
	// FileName as the sender gave it, 1 to 1,024 characters. It is never used as a path.
	FileName string `private:"file_name"`
	// ContentType as the sender gave it; "application/octet-stream" if not.
	ContentType string `private:"content_type"`
	// ByteSize and Checksum (base64 of the MD5) that the bytes must have.
	ByteSize int64  `private:"byte_size"`
	Checksum string `private:"checksum"`
	// SHA256 of the bytes in hex, which identifies duplicates.
	SHA256 string `private:"sha256"`
	// Blob has the bytes. Bytes that are sent several times are stored as a blob each,
	// and the first becomes the upload's. Zero: they are stored under the upload's ID.
	Blob ID `private:"blob"`
	// CreatedAt; ReceivedAt is when the bytes had been stored, zero before. UTC.
	CreatedAt  time.Time `private:"created_at"`
	ReceivedAt time.Time `private:"received_at"`
	// Document that was created from it; zero for none yet.
	Document ID `private:"document"`
}

var uploads = newKind("upload", []column[Upload]{
	table.TimeColumn("waiting_since", (*Upload).waitingSince),
	table.IDColumn("blob", func(u *Upload) ID { return u.Blob }),
}, nil, nil)

// waitingSince is the time of the announcement; zero if the upload is a document.
func (u *Upload) waitingSince() time.Time {
	if u.Document != (ID{}) {
		return time.Time{}
	}
	return u.CreatedAt
}

// abandoned selects the uploads without a document that were announced before a time.
func abandoned(end time.Time) store.Filter {
	var w where[Upload]
	w.Times("waiting_since", time.Time{}, end, (*Upload).waitingSince)
	return w.Filter(uploads)
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
}

// UploadTicket is an upload with its two signed IDs, each valid for 24 hours.
type UploadTicket struct {
	*Upload
	// SignedID is for CreateDocument.
	SignedID string
	// Handle is for ReceiveUpload.
	Handle string
	// Link is where the bytes can be put instead, for an hour at most. Its URL is "" if the store
	// takes none from clients (LinkedBlobs).
	Link BlobLink
}

// CreateUpload announces a file whose bytes will be sent. Needs create.
//
// Errors: Invalid on filename (blank, too_long, invalid), content_type (too_long,
// invalid), byte_size (blank, too_large) and checksum (blank, invalid); with the
// codes no_blobs and no_master_key if this installation accepts no uploads.
func (t *Tracker) CreateUpload(ctx context.Context, n NewUpload, once ...Once) (*UploadTicket, error) {
	if err := t.allow(Create); err != nil {
		return nil, err
	}
	if _, err := t.blobs(); err != nil {
		return nil, err
	}
	if err := t.checkUpload(&n); err != nil {
		return nil, err
	}
	if t.keys.Empty() {
		return nil, errUnsigned
	}
	u, err := createOnce(ctx, t, once, uploads, func(tx *transaction) (*Upload, error) {
		u := &Upload{FileName: n.FileName, ContentType: n.ContentType, ByteSize: n.ByteSize, Checksum: n.Checksum, CreatedAt: tx.Now}
		return u, uploads.Put(tx, u)
	})
	if err != nil {
		return nil, err
	}
	return t.ticket(ctx, u)
}

const (
	// signedIDLife is how long an upload can be sent and attached.
	signedIDLife = 24 * time.Hour
	// downloadLife is how long a download link is valid.
	downloadLife = 5 * time.Minute
	// How long links of the store of blobs are valid, also if the document or upload is deleted.
	downloadLinkLife = time.Minute
	uploadLinkLife   = time.Hour
)

var errUnsigned = &Error{Kind: Invalid, Code: "no_master_key", Detail: "this installation has no master key, so it accepts no uploads: its operator must set one"}

// sign returns a signed ID: a token for an upload of the account.
func (t *Tracker) sign(p keyring.Purpose, upload ID, until time.Time) (string, error) {
	signed, err := t.keys.Sign(keyring.Token{Purpose: p, Account: t.actor.Account, Upload: upload, Until: until})
	if errors.Is(err, keyring.ErrEmpty) {
		err = errUnsigned
	}
	return signed, err
}

func (t *Tracker) ticket(ctx context.Context, u *Upload) (*UploadTicket, error) {
	until := u.CreatedAt.Add(signedIDLife)
	attach, err := t.sign(keyring.Attach, u.ID, until)
	if err != nil {
		return nil, err
	}
	handle, err := t.sign(keyring.Send, u.ID, until)
	if err != nil {
		return nil, err
	}
	var link BlobLink
	if blobs, ok := t.config.Blobs.(LinkedBlobs); ok && u.ReceivedAt.IsZero() {
		link, err = blobs.UploadLink(ctx, BlobKey{t.actor.Account, u.ID}, u, uploadLinkLife)
	}
	return &UploadTicket{u, attach, handle, link}, err
}

// maxFileName is in characters: four times the limit of usual file systems.
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
		n.ContentType = defaultContentType
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

const defaultContentType = "application/octet-stream"

// SentUpload is the bytes of an upload and what the request says about them.
type SentUpload struct {
	// Size is the number of bytes according to the request; -1 if unknown.
	Size int64
	// Checksum (base64 of the MD5) and ContentType according to the request; empty if
	// absent. They must be those of the upload.
	Checksum, ContentType string
	Body                  io.Reader
}

// ReceiveUpload stores the bytes of an upload. The handle replaces key and permission.
// The bytes are checked while they arrive, and stored as a whole or not at all. The same
// bytes can be sent again, also concurrently: they are checked, and nothing changes.
//
// Errors: Forbidden if the handle was not signed by this installation
// (invalid_signature) or is no longer valid (expired); Invalid if the bytes differ from
// the announcement, with the codes length_mismatch, checksum_mismatch and
// content_type_mismatch, or if other bytes with the same checksum were received before,
// with the code taken. An error of Body is returned unchanged.
func (t *Tracker) ReceiveUpload(ctx context.Context, handle string, sent SentUpload) error {
	store, err := t.blobs()
	if err != nil {
		return err
	}
	account, u, err := t.signedUpload(ctx, handle, keyring.Send)
	if err != nil {
		return err
	}
	if err := u.checkAnnounced(sent); err != nil {
		return err
	}
	return t.receive(ctx, store, account, u, sent.Body)
}

// receive stores the bytes of an upload under a new key, or compares them with those it has.
func (t *Tracker) receive(ctx context.Context, store Blobs, account AccountID, u *Upload, from io.Reader) error {
	checked := &checkedReader{summed(from), u.ByteSize, u.Checksum}
	if !u.ReceivedAt.IsZero() {
		if _, err := io.Copy(io.Discard, checked); err != nil {
			return err
		}
		return u.checkSame(checked.sumSHA256())
	}
	blob, err := uuid.NewV7()
	if err != nil {
		return err
	}
	key := BlobKey{account, blob}
	if err := store.Put(ctx, key, checked); err != nil {
		return err
	}
	adopted, err := t.adopt(ctx, key, u.ID, checked.sumSHA256())
	if adopted || err != nil && !isPermanent(err) {
		return err // it may or may not have been written; if not, the sweep removes the blob
	}
	if left := store.Delete(context.WithoutCancel(ctx), key); left != nil {
		t.log.Warn("bytes that were received twice remain until they are swept", "error", left)
	}
	return err
}

// adopt makes a blob that of an upload, unless the upload has one. After an error that is
// permanent it has not.
func (t *Tracker) adopt(ctx context.Context, key BlobKey, upload ID, sha256 string) (adopted bool, err error) {
	err = t.update(ctx, key.Account, func(tx *transaction) error {
		u, err := uploads.Get(tx, upload)
		if isNotFound(err) { // deleted in the meantime
			return errLinkExpired
		}
		if err != nil {
			return err
		}
		if adopted = u.ReceivedAt.IsZero(); !adopted {
			return u.checkSame(sha256)
		}
		u.Blob, u.ReceivedAt, u.SHA256 = key.ID, tx.Now, sha256
		return uploads.Put(tx, u)
	})
	return adopted, err
}

// receiveLinked takes the bytes that a client has put into the store by UploadLink as if it had
// sent them here: they are copied, because the link still permits to put others. What the link
// names is swept later, so that the call can be repeated after any error. Without bytes, and for a
// signed ID that is not valid, it does nothing: attachedUpload says what is wrong.
func (t *Tracker) receiveLinked(ctx context.Context, attached string) error {
	blobs, ok := t.config.Blobs.(LinkedBlobs)
	if !ok {
		return nil
	}
	s, ok := t.keys.Verify(attached, keyring.Attach)
	if !ok || s.Account != t.actor.Account || !t.now().Before(s.Until) {
		return nil
	}
	u, err := viewing(ctx, t.engine, s.Account, withID(uploads, s.Upload))
	if err != nil || !u.ReceivedAt.IsZero() {
		return ignoreNotFound(err)
	}
	blob, err := blobs.Open(ctx, BlobKey{s.Account, u.ID})
	if err != nil {
		return ignoreNotFound(err)
	}
	defer blob.Close()
	err = t.receive(ctx, blobs, s.Account, u, io.NewSectionReader(blob, 0, blob.Size()))
	var fault *Error
	switch {
	case errors.Is(err, errLinkExpired): // deleted in the meantime
		return nil
	case errors.As(err, &fault) && fault.Kind == Invalid:
		return invalid("attached_document", fault.Code, "%s: upload the file again", fault.Detail)
	}
	return err
}

// checkSame refuses bytes other than the stored ones. The MD5 does not suffice: two files
// with the same one are easily made.
func (u *Upload) checkSame(sha256 string) error {
	if sha256 != u.SHA256 {
		return invalid("", "taken", "this upload has already received other bytes with the same checksum")
	}
	return nil
}

var (
	errInvalidSignature = &Error{Kind: Forbidden, Code: "invalid_signature", Detail: "the signature of this link is not valid"}
	errLinkExpired      = &Error{Kind: Forbidden, Code: "expired", Detail: "this link has expired; request a new one"}
)

// signedUpload returns the upload of a signed ID, which must have the purpose.
func (t *Tracker) signedUpload(ctx context.Context, text string, p keyring.Purpose) (account AccountID, u *Upload, err error) {
	s, ok := t.keys.Verify(text, p)
	if !ok {
		return account, nil, errInvalidSignature
	}
	if !t.now().Before(s.Until) {
		return account, nil, errLinkExpired
	}
	u, err = viewing(ctx, t.engine, s.Account, withID(uploads, s.Upload))
	if isNotFound(err) {
		err = errLinkExpired
	}
	return s.Account, u, err
}

// checkAnnounced refuses a request whose headers contradict the announcement.
func (u *Upload) checkAnnounced(sent SentUpload) error {
	switch {
	case sent.Size >= 0 && sent.Size != u.ByteSize:
		return lengthMismatch(u.ByteSize, sent.Size)
	case sent.Checksum != "" && sent.Checksum != u.Checksum:
		return invalid("", "checksum_mismatch", "Content-MD5 is '%s', and the upload was announced with '%s'", abbreviate(sent.Checksum, 64), u.Checksum)
	case sent.ContentType != "" && !strings.EqualFold(sent.ContentType, u.ContentType):
		return invalid("", "content_type_mismatch", "Content-Type is '%s', and the upload was announced with '%s'", abbreviate(sent.ContentType, 255), u.ContentType)
	}
	return nil
}

func lengthMismatch(want, got int64) *Error {
	return invalid("", "length_mismatch", "there are %d bytes, and the upload was announced with %d", got, want)
}

// checkedReader returns an error in place of the end if the bytes differ from the
// announcement.
type checkedReader struct {
	summedReader
	size     int64
	checksum string
}

func (r *checkedReader) Read(p []byte) (int, error) {
	if most := r.size - r.read + 1; int64(len(p)) > most {
		p = p[:most] // one byte more than expected shows that there are too many
	}
	n, err := r.summedReader.Read(p)
	switch {
	case r.read > r.size:
		return 0, invalid("", "length_mismatch", "there are more bytes than the %d that the upload was announced with", r.size)
	case errors.Is(err, io.EOF) && r.read < r.size:
		return n, lengthMismatch(r.size, r.read)
	case errors.Is(err, io.EOF) && r.checksumMD5() != r.checksum:
		return n, invalid("", "checksum_mismatch", "the MD5 of the bytes differs from the one that the upload was announced with")
	}
	return n, err
}

// cleanFileName removes control characters and limits the length. If nothing is left, it
// returns otherwise.
func cleanFileName(name, otherwise string) string {
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

// Download is the bytes of a document with the headers to serve them with.
type Download struct {
	// Blob has the bytes; the caller closes it.
	Blob
	// FileName and ContentType are user input.
	FileName, ContentType string
}

// DocumentDownload returns a signed ID for OpenDownload that is valid for 5 minutes. Needs
// show.
//
// Errors: NotFound; Invalid with the code no_file if the bytes are missing.
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
	return t.sign(keyring.Download, d.Upload, t.now().Add(downloadLife))
}

// OpenDownload opens the bytes of the document that a signed ID of DocumentDownload names.
// The signed ID replaces key and permission.
//
// Errors: Forbidden if it was not signed by this installation (invalid_signature), or if
// it is no longer valid or the document has been deleted (expired).
func (t *Tracker) OpenDownload(ctx context.Context, signed string) (*Download, error) {
	key, d, err := t.signedDocument(ctx, signed)
	if err != nil {
		return nil, err
	}
	blob, err := t.openBlob(ctx, key)
	if err != nil {
		return nil, err
	}
	return &Download{Blob: blob, FileName: d.FileName, ContentType: d.FileContentType}, nil
}

// LinkDownload returns a link of the store itself for the bytes that OpenDownload would open,
// valid for a minute. Its URL is "" if the store serves no clients (LinkedBlobs). headers are
// those of a file name and a content type, which are user input. Whether there are bytes is for
// the store to say.
//
// Errors: Forbidden, as OpenDownload.
func (t *Tracker) LinkDownload(ctx context.Context, signed string, headers func(fileName, contentType string) BlobHeaders) (link BlobLink, err error) {
	blobs, ok := t.config.Blobs.(LinkedBlobs)
	if !ok {
		return link, nil
	}
	key, d, err := t.signedDocument(ctx, signed)
	if err != nil {
		return link, err
	}
	return blobs.DownloadLink(ctx, key, headers(d.FileName, d.FileContentType), downloadLinkLife)
}

// signedDocument returns the document that a signed ID of DocumentDownload names.
func (t *Tracker) signedDocument(ctx context.Context, signed string) (key BlobKey, d *Document, err error) {
	account, u, err := t.signedUpload(ctx, signed, keyring.Download)
	if err != nil {
		return key, nil, err
	}
	d, err = viewing(ctx, t.engine, account, withID(documents, u.Document))
	if isNotFound(err) {
		err = errLinkExpired
	}
	return BlobKey{account, u.blob()}, d, err
}
