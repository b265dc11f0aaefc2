package client

import (
	"bytes"
	"context"
	"mime"
	"net/http"
	"path"

	"github.com/landfallhq/tracking"
)

// DocumentDownload returns a link to the bytes of a document, for a browser: it
// needs no key, and is good for 5 minutes. Errors: NotFound; Invalid with the code
// no_file when the bytes are not there.
func (c *Client) DocumentDownload(ctx context.Context, id tracking.ID) (string, error) {
	answer, err := getObject[struct {
		URL string `json:"download_url"`
	}](ctx, c, request{method: http.MethodGet, path: recordPath(documentsPath, id, "download_url")})
	return answer.URL, err
}

// OpenDownload fetches the bytes that a link of DocumentDownload leads to, and holds
// them in memory: there is nothing to close. The type is application/octet-stream
// for all that a browser might run. Where the link leads elsewhere, as to a store of
// files, it is followed. Errors: Forbidden (invalid_signature, expired).
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
