package client

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"net/http"
	"path"
	"time"

	"github.com/landfallhq/tracking"
)

// A file is handed in by three requests: CreateUpload announces it, SendUpload puts
// its bytes, and CreateDocument makes a document of it. CreateDocument alone does
// all three where it is given the bytes.

const (
	uploadsPath = "/direct_uploads"
	blobsPath   = "/blobs"
)

// UploadOf announces bytes: with their length, and the MD5 that they are checked by.
// contentType may be empty.
func UploadOf(fileName, contentType string, content []byte) tracking.NewUpload {
	sum := md5.Sum(content)
	return tracking.NewUpload{
		FileName: fileName, ContentType: contentType, ByteSize: int64(len(content)),
		Checksum: base64.StdEncoding.EncodeToString(sum[:]),
	}
}

// CreateUpload announces a file. The ticket is good for 24 hours. Of n.Once the key
// alone is used.
//
// Errors: Invalid on filename (blank, too_long, invalid), content_type (too_long,
// invalid), byte_size (blank, too_large) and checksum (blank, invalid), to which
// faults point as "/blob/filename"; with the codes no_blobs and no_master_key where
// the server takes no uploads.
func (c *Client) CreateUpload(ctx context.Context, n tracking.NewUpload) (*tracking.UploadTicket, error) {
	blob := attributes{"filename": n.FileName, "byte_size": n.ByteSize, "checksum": n.Checksum}
	setNonEmpty(blob, "content_type", n.ContentType)
	answer, err := getObject[uploadTicketDoc](ctx, c, request{method: http.MethodPost, path: uploadsPath, body: attributes{"blob": blob}, once: n.Once})
	if err != nil {
		return nil, err
	}
	return answer.ticket(), nil
}

// uploadTicketDoc is a ticket as the interface has it.
type uploadTicketDoc struct {
	ID           tracking.ID
	FileName     string
	ContentType  string `json:"content_type"`
	ByteSize     int64  `json:"byte_size"`
	Checksum     string
	CreatedAt    time.Time            `json:"created_at"`
	SignedID     string               `json:"signed_id"`
	DirectUpload struct{ URL string } `json:"direct_upload"`
}

// ticket has the handle alone of the link: the bytes go where this client's
// requests go, by whatever name the server knows itself.
func (a *uploadTicketDoc) ticket() *tracking.UploadTicket {
	u := &tracking.Upload{FileName: a.FileName, ContentType: a.ContentType, ByteSize: a.ByteSize, Checksum: a.Checksum, CreatedAt: a.CreatedAt}
	u.ID = a.ID
	return &tracking.UploadTicket{Upload: u, SignedID: a.SignedID, Handle: path.Base(a.DirectUpload.URL)}
}

// SendUpload puts the bytes of an announced file. They are kept as a whole or not at
// all; sent again they are checked once more, and nothing changes.
//
// Errors: Forbidden (invalid_signature, expired); Invalid with the codes
// length_mismatch, checksum_mismatch and content_type_mismatch when they are not
// those that were announced.
func (c *Client) SendUpload(ctx context.Context, t *tracking.UploadTicket, content []byte) error {
	header := http.Header{}
	header.Set("Content-Type", t.ContentType)
	header.Set("Content-MD5", t.Checksum)
	_, err := c.do(ctx, request{method: http.MethodPut, path: blobsPath + pathStep(t.Handle), content: content, header: header, idempotent: true, noKey: true, fileTransfer: true})
	return err
}
