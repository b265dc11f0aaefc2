package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

const documentsPath = "/documents"

// Documents lists documents, newest first unless q.Sort is set.
func (c *Client) Documents(q tracking.DocumentQuery, include ...string) List[tracking.Document] {
	v := newValues(include)
	v.filterText("filename", q.FileName)
	v.filterList("reference", q.References)
	v.filterList("document_types", q.Types)
	v.filterTri("discrepancies", q.Discrepant)
	states := make([]string, 0, len(q.States))
	for _, s := range q.States {
		states = append(states, string(s))
	}
	v.filterList("state", states)
	v.filterIDs("shipment", q.Shipments)
	v.sort(q.Sort)
	return listOf[tracking.Document](c, documentsPath, v)
}

// Document returns a document. Include "last_document_representation" for the
// extracted data (a tracking.DocumentRepresentation), "shipments" and "cargos" for
// the linked records. An included e-mail has no Body. Errors: NotFound; BadQuery on
// include.
func (c *Client) Document(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.Document], error) {
	return getAnswer[tracking.Document](ctx, c, get(documentsPath, id, include))
}

// CreateDocument creates a document from the upload n.Attached, or from n.Content,
// which it uploads first. The data is extracted in the background. A Once covers
// all requests of the call.
//
// Errors: Invalid on name (blank, too_long, invalid) and attached_document (blank,
// invalid, expired, taken, not_uploaded, length_mismatch, checksum_mismatch), and as
// CreateUpload. Conflict with the code
// duplicate_document, and existing_document_id and existing_document_name in Meta, if
// the account refuses duplicates and has a document with the same bytes.
func (c *Client) CreateDocument(ctx context.Context, n tracking.NewDocument, once ...tracking.Once) (*tracking.Document, error) {
	if n.Attached == "" && len(n.Content) > 0 {
		signed, err := c.upload(ctx, n, once)
		if err != nil {
			return nil, err
		}
		n.Attached = signed
	}
	body := resource{Type: "document", Attributes: attributes{"name": n.Name, "attached_document": n.Attached}}
	return getRecord[tracking.Document](ctx, c, post(documentsPath, body, once))
}

// upload uploads the bytes of a document and returns the signed ID. The same Once
// gives the same ID, so that CreateDocument can be retried.
func (c *Client) upload(ctx context.Context, n tracking.NewDocument, once []tracking.Once) (string, error) {
	if key := keyOf(once); key != "" {
		once = []tracking.Once{{Key: uuid.NewSHA1(uuid.NameSpaceURL, []byte(uploadsPath+"#"+key)).String()}}
	}
	ticket, err := c.CreateUpload(ctx, UploadOf(cmp.Or(n.FileName, n.Name), n.ContentType, n.Content), once...)
	if err != nil {
		return "", err
	}
	return ticket.SignedID, c.SendUpload(ctx, ticket, n.Content)
}

// UpdateDocument overrides the type or the extracted data of a document, and corrects
// fields. A new type or a corrected field starts another extraction, new data another
// linking. Errors: NotFound; Stale; Invalid on document_type_manual (inclusion),
// extracted_data_manual (invalid_type, too_long) and corrected_fields (blank, too_long,
// too_many, invalid).
func (c *Client) UpdateDocument(ctx context.Context, id tracking.ID, u tracking.DocumentUpdate) (*tracking.Document, error) {
	a := attributes{}
	setOpt(a, "document_type_manual", u.TypeManual)
	setOpt(a, "extracted_data_manual", u.DataManual)
	if len(u.Corrections) > 0 {
		a["corrected_fields"] = u.Corrections
	}
	body := resource{Type: "document", ID: id.String(), Attributes: a}
	return getRecord[tracking.Document](ctx, c, patch(documentsPath, id, body, u.IfVersion))
}

// DeleteDocument deletes a document. Errors: NotFound.
func (c *Client) DeleteDocument(ctx context.Context, id tracking.ID) error {
	_, err := c.do(ctx, remove(documentsPath, id))
	return err
}

// ReextractDocument extracts the data of a document again, in the background. Errors:
// NotFound.
func (c *Client) ReextractDocument(ctx context.Context, id tracking.ID) error {
	return c.documentAction(ctx, id, "reextract")
}

// ReclassifyDocument classifies a document again, in the background, and extracts its
// data again if the type changes. Errors: NotFound.
func (c *Client) ReclassifyDocument(ctx context.Context, id tracking.ID) error {
	return c.documentAction(ctx, id, "reclassify")
}

// RelinkDocument links a document to shipments and containers again, in the
// background. Errors: NotFound.
func (c *Client) RelinkDocument(ctx context.Context, id tracking.ID) error {
	return c.documentAction(ctx, id, "relink")
}

func (c *Client) documentAction(ctx context.Context, id tracking.ID, what string) error {
	_, err := c.do(ctx, request{method: http.MethodPost, path: recordPath(documentsPath, id, what), idempotent: true})
	return err
}

// RotateDocument rotates an image (PNG or JPEG) clockwise by 90, 180 or 270 degrees,
// in the background. It is not retried after a lost response, because the image would
// be rotated twice. Errors: NotFound; Invalid on degrees (inclusion), and with the
// code not_an_image for other files.
func (c *Client) RotateDocument(ctx context.Context, id tracking.ID, degrees int) error {
	_, err := c.do(ctx, request{method: http.MethodPost, path: recordPath(documentsPath, id, "rotate"), body: attributes{"degrees": degrees}, notRepeatable: true})
	return err
}

// DocumentTypes returns the code and label of each document type, in display order.
func (c *Client) DocumentTypes(ctx context.Context) ([]tracking.DocumentType, error) {
	answer, err := getObject[struct {
		Types []tracking.DocumentType `json:"document_types"`
	}](ctx, c, request{method: http.MethodGet, path: documentsPath + "/types"})
	return answer.Types, err
}

// DocumentSchema returns a document type by a name such as "arrival_notice@1.0". Its
// Schema describes the extracted data. Errors: NotFound.
func (c *Client) DocumentSchema(ctx context.Context, name string) (*tracking.DocumentType, error) {
	answer, err := getObject[struct {
		Data struct {
			Attributes struct {
				Code        string `json:"document_type"`
				Label       string
				Version     string `json:"schema_version"`
				Description string
				Schema      json.RawMessage `json:"schema_payload"`
			}
		}
	}](ctx, c, getByName("/document_schemas", name, nil))
	if err != nil {
		return nil, err
	}
	a := answer.Data.Attributes
	return &tracking.DocumentType{Code: a.Code, Label: a.Label, Version: a.Version, Description: a.Description, Schema: a.Schema}, nil
}

const layoutCorrectionsPath = "/layout_corrections"

// LayoutCorrections lists what corrections say of later documents of the same layout, newest
// first: those of any of the document types, or all. Include "document" for the corrected documents.
func (c *Client) LayoutCorrections(types []string, include ...string) List[tracking.LayoutCorrection] {
	v := newValues(include)
	v.filterList("document_types", types)
	return listOf[tracking.LayoutCorrection](c, layoutCorrectionsPath, v)
}

// LayoutCorrection returns one. Errors: NotFound; BadQuery on include.
func (c *Client) LayoutCorrection(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.LayoutCorrection], error) {
	return getAnswer[tracking.LayoutCorrection](ctx, c, get(layoutCorrectionsPath, id, include))
}

// DeleteLayoutCorrection deletes one. Documents that were read with it stay as they are. Errors:
// NotFound.
func (c *Client) DeleteLayoutCorrection(ctx context.Context, id tracking.ID) error {
	_, err := c.do(ctx, remove(layoutCorrectionsPath, id))
	return err
}

// A file is uploaded in three requests: CreateUpload announces it, SendUpload sends
// its bytes, and CreateDocument creates a document from it. CreateDocument does all
// three if it is given the bytes.

const (
	uploadsPath = "/direct_uploads"
	blobsPath   = "/blobs"
)

// UploadOf describes an upload of bytes, with their length and MD5 checksum.
// contentType may be empty.
func UploadOf(fileName, contentType string, content []byte) tracking.NewUpload {
	sum := md5.Sum(content)
	return tracking.NewUpload{
		FileName: fileName, ContentType: contentType, ByteSize: int64(len(content)),
		Checksum: base64.StdEncoding.EncodeToString(sum[:]),
	}
}

// CreateUpload announces a file. The ticket is valid for 24 hours.
//
// Errors: Invalid on filename (blank, too_long, invalid), content_type (too_long,
// invalid), byte_size (blank, too_large) and checksum (blank, invalid), with pointers
// such as "/blob/filename"; with the codes no_blobs and no_master_key if the server
// accepts no uploads.
func (c *Client) CreateUpload(ctx context.Context, n tracking.NewUpload, once ...tracking.Once) (*tracking.UploadTicket, error) {
	blob := attributes{"filename": n.FileName, "byte_size": n.ByteSize, "checksum": n.Checksum}
	setNonEmpty(blob, "content_type", n.ContentType)
	answer, err := getObject[uploadTicketDoc](ctx, c, request{method: http.MethodPost, path: uploadsPath, body: attributes{"blob": blob}, key: keyOf(once)})
	if err != nil {
		return nil, err
	}
	return answer.ticket(), nil
}

type uploadTicketDoc struct {
	ID           tracking.ID
	FileName     string
	ContentType  string `json:"content_type"`
	ByteSize     int64  `json:"byte_size"`
	Checksum     string
	CreatedAt    time.Time         `json:"created_at"`
	SignedID     string            `json:"signed_id"`
	DirectUpload tracking.BlobLink `json:"direct_upload"`
}

// ticket takes only the handle from a URL of the server: the bytes are sent to the URL of the
// client, because the server may know itself by another host name. Other URLs are those of a store.
func (a *uploadTicketDoc) ticket() *tracking.UploadTicket {
	u := &tracking.Upload{FileName: a.FileName, ContentType: a.ContentType, ByteSize: a.ByteSize, Checksum: a.Checksum, CreatedAt: a.CreatedAt}
	u.ID = a.ID
	t := &tracking.UploadTicket{Upload: u, SignedID: a.SignedID}
	if strings.HasSuffix(path.Dir(a.DirectUpload.URL), blobsPath) {
		t.Handle = path.Base(a.DirectUpload.URL)
	} else {
		t.Link = a.DirectUpload
	}
	return t
}

// SendUpload sends the bytes of an announced file, to the server or to the store that the ticket
// has a link to. They are stored completely or not at all. Sending them again has no effect.
//
// Errors: Forbidden (invalid_signature, expired); Invalid with the codes
// length_mismatch, checksum_mismatch and content_type_mismatch if they differ from
// the announcement. A store answers with errors of its own, of which the status alone is known.
func (c *Client) SendUpload(ctx context.Context, t *tracking.UploadTicket, content []byte) error {
	header := http.Header{}
	header.Set("Content-Type", t.ContentType)
	header.Set("Content-MD5", t.Checksum)
	for name, value := range t.Link.Headers {
		header.Set(name, value)
	}
	r := request{method: http.MethodPut, path: blobsPath, address: t.Link.URL, content: content, header: header, idempotent: true, noKey: true, fileTransfer: true}
	if r.address == "" {
		r.path += pathStep(t.Handle)
	}
	_, err := c.do(ctx, r)
	return err
}

// DocumentDownload returns a URL for the bytes of a document. It needs no key and is
// valid for 5 minutes. Errors: NotFound; Invalid with the code no_file if the bytes
// are missing.
func (c *Client) DocumentDownload(ctx context.Context, id tracking.ID) (string, error) {
	answer, err := getObject[struct {
		URL string `json:"download_url"`
	}](ctx, c, request{method: http.MethodGet, path: recordPath(documentsPath, id, "download_url")})
	return answer.URL, err
}

// OpenDownload downloads the bytes of a URL of DocumentDownload into memory; you need
// not close the result. The type is application/octet-stream for files that a browser
// could execute. Redirects, for instance to an object store, are followed. Errors:
// Forbidden (invalid_signature, expired).
func (c *Client) OpenDownload(ctx context.Context, link string) (*tracking.Download, error) {
	answer, err := c.do(ctx, request{method: http.MethodGet, path: blobsPath + pathStep(path.Base(link)), noKey: true, fileTransfer: true})
	if err != nil {
		return nil, err
	}
	d := &tracking.Download{Blob: memoryBlob{bytes.NewReader(answer.body)}, ContentType: answer.header.Get("Content-Type")}
	if _, params, err := mime.ParseMediaType(answer.header.Get("Content-Disposition")); err == nil {
		d.FileName = params["filename"]
	}
	return d, nil
}

// memoryBlob is a file in memory.
type memoryBlob struct{ *bytes.Reader }

func (memoryBlob) Close() error { return nil }

const submissionsPath = "/email_submissions"

// EmailSubmissions lists all e-mails, newest first. Their documents with the
// extracted data are included unless include is given.
func (c *Client) EmailSubmissions(include ...string) List[tracking.EmailSubmission] {
	return listOf[tracking.EmailSubmission](c, submissionsPath, newValues(include))
}

// EmailSubmission returns an e-mail, with the same default include. Included
// documents are shortened; use Document for the complete ones. Errors: NotFound;
// BadQuery on include.
func (c *Client) EmailSubmission(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.EmailSubmission], error) {
	return getAnswer[tracking.EmailSubmission](ctx, c, get(submissionsPath, id, include))
}

// SubmitEmail submits an e-mail (RFC 5322). Its attachments become documents; Skipped
// names those that do not. n.Reader is read to its end first. Errors: Invalid on
// message (blank, too_large, invalid).
func (c *Client) SubmitEmail(ctx context.Context, n tracking.NewEmailSubmission, once ...tracking.Once) (*tracking.EmailSubmission, error) {
	header := http.Header{"Content-Type": {"message/rfc822"}}
	content := n.Message
	if content == nil && n.Reader != nil { // for retries
		var err error
		if content, err = io.ReadAll(n.Reader); err != nil {
			return nil, err
		}
	}
	return getRecord[tracking.EmailSubmission](ctx, c, request{method: http.MethodPost, path: submissionsPath, content: content, header: header, key: keyOf(once)})
}
