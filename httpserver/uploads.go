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

// The direct upload has the form of ActiveStorage: the client announces a file, puts its
// bytes to the link in the answer, and makes a document with the signed ID.

type ticketDoc struct {
	ID           string         `json:"id"`
	Key          string         `json:"key"`
	FileName     string         `json:"filename"`
	ContentType  string         `json:"content_type"`
	Metadata     struct{}       `json:"metadata"`
	Service      string         `json:"service_name"`
	ByteSize     int64          `json:"byte_size"`
	Checksum     string         `json:"checksum"`
	CreatedAt    string         `json:"created_at"`
	SignedID     string         `json:"signed_id"`
	DirectUpload uploadTargetOf `json:"direct_upload"`
}

type uploadTargetOf struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// createUpload announces a file.
func createUpload(c *call) error {
	data, err := c.readBody()
	if err != nil {
		return err
	}
	in, err := c.headers(data)
	if err != nil {
		return err
	}
	if in.ifVersion != 0 {
		return errUnversioned
	}
	members, err := jsonapi.ParseObject(data, usualBody)
	if err != nil {
		return err
	}
	file := jsonapi.ObjectFields(members).Object("blob")
	if !file.Given() {
		return jsonapi.FieldErrors{{Pointer: "/blob", Code: jsonapi.CodeBlank, Detail: "blob is required: an object with filename, content_type, byte_size and checksum."}}
	}
	blob := file.Value
	c.attributes = "/blob"
	n := tracking.NewUpload{
		FileName: blob.String("filename").Value, ContentType: blob.String("content_type").Value,
		ByteSize: blob.Int("byte_size").Value, Checksum: blob.String("checksum").Value, Once: in.once,
	}
	if err := blob.Err(); err != nil {
		return err
	}
	ticket, err := c.t.CreateUpload(c.ctx(), n)
	if err != nil {
		return err
	}
	body, err := json.Marshal(c.ticketOf(ticket))
	if err != nil {
		return err
	}
	c.answer(http.StatusOK, body)
	return nil
}

func (c *call) ticketOf(t *tracking.UploadTicket) *ticketDoc {
	return &ticketDoc{
		ID: t.ID.String(), Key: t.ID.String(), FileName: t.FileName, ContentType: t.ContentType, Service: "local",
		ByteSize: t.ByteSize, Checksum: t.Checksum, CreatedAt: t.CreatedAt.UTC().Format(time.RFC3339), SignedID: t.SignedID,
		DirectUpload: uploadTargetOf{c.blobURL(t.Handle), map[string]string{
			"Content-Type": t.ContentType, "Content-MD5": t.Checksum, "Content-Disposition": disposition("inline", t.FileName),
		}},
	}
}

// blobURL is the link that needs no key.
func (c *call) blobURL(signed string) string {
	base := c.base()
	root := strings.TrimSuffix(base, c.r.URL.EscapedPath())
	return root + c.config.Prefix + "/blobs/" + signed
}

// uploadTime is what an upload has to be answered in once its bytes are there.
const uploadTime = time.Minute

// receiveUpload takes the bytes of a file. Who holds the link needs no key.
func receiveUpload(c *call) error {
	h := c.r.Header
	sent := tracking.SentUpload{Size: c.r.ContentLength, Checksum: h.Get("Content-Md5"), ContentType: h.Get("Content-Type"), Body: noted{c.r.Body, new(error)}}
	err := c.config.Tracker.ReceiveUpload(c.ctx(), c.r.PathValue("signed"), sent)
	c.answerInTime()
	if body := *sent.Body.(noted).fault; body != nil && errors.Is(err, body) {
		return c.unread(body)
	}
	if err != nil {
		c.attributes = ""
		return err
	}
	c.nothing()
	return nil
}

// answerInTime renews the time for the answer: it runs since the request began,
// and a large body may have come slowly.
func (c *call) answerInTime() {
	_ = http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(uploadTime))
}

// noted is a body that remembers its fault, to be told from those of the store.
type noted struct {
	io.Reader
	fault *error
}

func (n noted) Read(p []byte) (int, error) {
	count, err := n.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		*n.fault = err
	}
	return count, err
}

// sendRate is the least that a client has to read of a download, in bytes a second.
const sendRate = 16 << 10

// sendBlob sends the bytes of a document. Users have uploaded them: whatever they are,
// no browser may run them in the name of this server.
func sendBlob(c *call) error {
	d, err := c.config.Tracker.OpenDownload(c.ctx(), c.r.PathValue("signed"))
	if err != nil {
		return err
	}
	defer d.Close()
	h := c.w.Header()
	h.Set("Content-Type", harmless(d.ContentType))
	h.Set("Content-Disposition", disposition("attachment", d.FileName))
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Length", strconv.FormatInt(d.Size(), 10))
	_ = http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(uploadTime + time.Duration(d.Size()/sendRate)*time.Second))
	c.w.WriteHeader(http.StatusOK)
	if c.r.Method != http.MethodHead {
		if _, err := io.Copy(c.w, io.NewSectionReader(d, 0, d.Size())); err != nil {
			panic(http.ErrAbortHandler) // the client must not take a part for the whole
		}
	}
	return nil
}

// harmlessTypes are those that say what a file is without a browser running it.
var harmlessTypes = map[string]bool{
	"application/pdf": true, "image/png": true, "image/jpeg": true, "image/gif": true, "image/tiff": true, "image/webp": true,
	"text/plain": true, "text/csv": true, "application/zip": true, "application/vnd.ms-excel": true,
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": true,
	"application/vnd.ms-excel.sheet.macroenabled.12":                    true,
}

// harmless is the type that a download shows.
func harmless(contentType string) string {
	typ, _, err := mime.ParseMediaType(contentType)
	if err != nil || !harmlessTypes[typ] {
		return "application/octet-stream"
	}
	return typ
}

// disposition names a file to a browser (RFC 6266): in ASCII, and in full beside it.
func disposition(kind, name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7f:
			return -1
		case r == '/' || r == '\\' || turnsText(r):
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

// turnsText tells the characters that turn the direction of text: with them a name
// shows another ending than it has.
func turnsText(r rune) bool {
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
