package httpserver

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// Direct uploads follow Rails' ActiveStorage: the client announces a file, sends its
// bytes with PUT to the URL in the response, and creates a document with the signed
// ID.

type uploadTicketDoc struct {
	ID           string          `json:"id"`
	Key          string          `json:"key"`
	FileName     string          `json:"filename"`
	ContentType  string          `json:"content_type"`
	Metadata     struct{}        `json:"metadata"`
	Service      string          `json:"service_name"`
	ByteSize     int64           `json:"byte_size"`
	Checksum     string          `json:"checksum"`
	CreatedAt    string          `json:"created_at"`
	SignedID     string          `json:"signed_id"`
	DirectUpload uploadTargetDoc `json:"direct_upload"`
	Meta         *writeMeta      `json:"meta,omitempty"`
}

type uploadTargetDoc struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// createUpload responds with the URL for a file.
func createUpload(req *request) error {
	data, err := req.readBody()
	if err != nil {
		return err
	}
	in, err := req.readHeaders(data)
	if err != nil {
		return err
	}
	if in.ifVersion != 0 {
		return errUnversioned
	}
	members, err := jsonapi.ParseObject(data, defaultBody)
	if err != nil {
		return err
	}
	in.Decoder = jsonapi.ObjectFields(members)
	file := in.Object("blob")
	if !file.Given() {
		return jsonapi.FieldErrors{{Pointer: "/blob", Code: jsonapi.CodeBlank, Detail: "blob is required: an object with filename, content_type, byte_size and checksum."}}
	}
	blob := file.Value
	req.pointerBase = "/blob"
	n := tracking.NewUpload{
		FileName: blob.String("filename").Value, ContentType: blob.String("content_type").Value,
		ByteSize: blob.Int("byte_size").Value, Checksum: blob.String("checksum").Value,
	}
	if err := blob.Err(); err != nil {
		return err
	}
	ticket, err := req.t.CreateUpload(req.ctx(), n, in.once)
	if err != nil {
		return err
	}
	doc := req.uploadTicketOf(ticket)
	doc.Meta = req.writeMeta()
	body, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	req.respond(http.StatusOK, body)
	return nil
}

func (req *request) uploadTicketOf(t *tracking.UploadTicket) *uploadTicketDoc {
	target := uploadTargetDoc(t.Link)
	if target.URL == "" {
		target = uploadTargetDoc{req.blobURL(t.Handle), map[string]string{
			"Content-Type": t.ContentType, "Content-MD5": t.Checksum, "Content-Disposition": contentDisposition("inline", t.FileName),
		}}
	}
	return &uploadTicketDoc{
		ID: t.ID.String(), Key: t.ID.String(), FileName: t.FileName, ContentType: t.ContentType, Service: "local",
		ByteSize: t.ByteSize, Checksum: t.Checksum, CreatedAt: t.CreatedAt.UTC().Format(time.RFC3339), SignedID: t.SignedID, DirectUpload: target,
	}
}

// blobURL returns the URL of a signed blob, which needs no key.
func (req *request) blobURL(signed string) string {
	return req.absoluteURL(req.config.Prefix + "/blobs/" + signed)
}

// responseTimeout is the time to write the response after a large request body has
// been read.
const responseTimeout = time.Minute

// receiveUpload stores the bytes of a file. The signed path is the authentication.
func receiveUpload(req *request) error {
	h := req.r.Header
	sent := tracking.SentUpload{Size: req.r.ContentLength, Checksum: h.Get("Content-Md5"), ContentType: h.Get("Content-Type"), Body: errorRecorder{req.r.Body, new(error)}}
	err := req.config.Tracker.ReceiveUpload(req.ctx(), req.r.PathValue("signed"), sent)
	req.extendWriteDeadline()
	if body := *sent.Body.(errorRecorder).err; body != nil && errors.Is(err, body) {
		return req.bodyReadError(body)
	}
	if err != nil {
		req.pointerBase = ""
		return err
	}
	req.respondNoContent()
	return nil
}

// extendWriteDeadline restarts the host's WriteTimeout, which a large body may have
// used up.
func (req *request) extendWriteDeadline() {
	_ = http.NewResponseController(req.w).SetWriteDeadline(time.Now().Add(responseTimeout))
}

// errorRecorder is a body that records its read error, to distinguish it from errors
// of the store.
type errorRecorder struct {
	io.Reader
	err *error
}

func (n errorRecorder) Read(p []byte) (int, error) {
	count, err := n.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		*n.err = err
	}
	return count, err
}

// minDownloadRate is the least speed of a download, in bytes per second.
const minDownloadRate = 16 << 10

// sendBlob sends the bytes of a document, or to the store that serves them itself. They come
// from users, so the headers keep browsers from running them in the origin of this server.
func sendBlob(req *request) error {
	if req.r.Method == http.MethodGet { // links are for this method alone
		link, err := req.config.Tracker.LinkDownload(req.ctx(), req.r.PathValue("signed"), downloadHeaders)
		if err != nil {
			return err
		}
		if link.URL != "" && len(link.URL) <= maxLocation {
			req.redirectTo(link.URL)
			return nil
		}
	}
	d, err := req.config.Tracker.OpenDownload(req.ctx(), req.r.PathValue("signed"))
	if err != nil {
		return err
	}
	defer d.Close()
	h, sent := req.w.Header(), downloadHeaders(d.FileName, d.ContentType)
	h.Set("Content-Type", sent.ContentType)
	h.Set("Content-Disposition", sent.ContentDisposition)
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Length", strconv.FormatInt(d.Size(), 10))
	_ = http.NewResponseController(req.w).SetWriteDeadline(time.Now().Add(responseTimeout + time.Duration(d.Size()/minDownloadRate)*time.Second))
	req.w.WriteHeader(http.StatusOK)
	req.exchange.sent(http.StatusOK, 0)
	if req.r.Method != http.MethodHead {
		n, err := io.Copy(req.w, io.NewSectionReader(d, 0, d.Size()))
		req.exchange.sent(http.StatusOK, n)
		if err != nil {
			panic(http.ErrAbortHandler) // abort, so that the client sees an incomplete response
		}
	}
	return nil
}

// maxLocation is for proxies, which refuse answers with long headers. Only long file names make
// such an address.
const maxLocation = 3 << 10

// redirectTo sends the client to a secret address, with the same method.
func (req *request) redirectTo(address string) {
	h := req.w.Header()
	h.Set("Location", address)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	req.w.WriteHeader(http.StatusTemporaryRedirect)
	req.exchange.sent(http.StatusTemporaryRedirect, 0)
}

func downloadHeaders(fileName, contentType string) tracking.BlobHeaders {
	return tracking.BlobHeaders{ContentType: downloadType(contentType), ContentDisposition: contentDisposition("attachment", fileName)}
}

// safeDownloadTypes are the content types that no browser executes.
var safeDownloadTypes = map[string]bool{
	"application/pdf": true, "image/png": true, "image/jpeg": true, "image/gif": true, "image/tiff": true, "image/webp": true,
	"text/plain": true, "text/csv": true, "application/zip": true, "application/vnd.ms-excel": true,
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": true,
	"application/vnd.ms-excel.sheet.macroenabled.12":                    true,
}

// downloadType returns the Content-Type of a download.
func downloadType(contentType string) string {
	typ, _, err := mime.ParseMediaType(contentType)
	if err != nil || !safeDownloadTypes[typ] {
		return "application/octet-stream"
	}
	return typ
}

// contentDisposition returns a header with the file name in ASCII and in UTF-8 (RFC
// 6266).
func contentDisposition(kind, name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7f:
			return -1
		case r == '/' || r == '\\' || changesTextDirection(r):
			return '_'
		}
		return r
	}, name)
	ascii := strings.Map(func(r rune) rune {
		if r > '~' || r == '"' || r == '%' {
			return '?'
		}
		return r
	}, safe)
	return kind + `; filename="` + ascii + `"; filename*=UTF-8''` + strings.ReplaceAll(url.QueryEscape(safe), "+", "%20")
}

// changesTextDirection reports whether r changes the direction of text, which can
// disguise the extension of a file name.
func changesTextDirection(r rune) bool {
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
