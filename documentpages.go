package tracking

import (
	"context"
	"errors"
	"fmt"
)

// Renderer is an Extractor that draws the pages of files. Where Config.Extractor is none, no
// page is shown as a picture.
type Renderer interface {
	Extractor
	// Render draws a page, counted from 1, as people see it: a PNG. It is called while somebody
	// waits for it, concurrently with the other methods, which must not wait for it. The rules
	// for Extract hold for it. A page that does not exist, and a file without pages that can be
	// drawn, are a FileError with the code FileNoPage.
	Render(ctx context.Context, f DocumentFile, page int) (png []byte, err error)
}

// FileNoPage is the code of a FileError: the file has no such page to be drawn.
const FileNoPage = "no_page"

// PageSize is the width and height of a page, in points (1/72 inch).
type PageSize struct {
	Width  float64 `json:"width"`  // in points
	Height float64 `json:"height"` // in points
}

// pageSizes are the sizes of pages as people see them.
func pageSizes(pages []TextPage) []PageSize {
	list := make([]PageSize, len(pages))
	for i, p := range pages {
		list[i] = PageSize{p.Width, p.Height}
		if p.Turned == 90 || p.Turned == 270 {
			list[i] = PageSize{p.Height, p.Width}
		}
	}
	return list
}

// DocumentRepresentation returns the last reading of a document. Needs show. Errors: NotFound,
// also for a document that was not read yet.
func (t *Tracker) DocumentRepresentation(ctx context.Context, document ID) (*DocumentRepresentation, error) {
	d, err := t.Document(ctx, document)
	if err != nil {
		return nil, err
	}
	return get(ctx, t, documentRepresentations, d.LastRepresentation)
}

// DocumentPage draws a page of the file of a document, counted from 1, as people see it. It is
// a PNG, of the proportions that DocumentRepresentation.Pages has. Needs show.
//
// Errors: NotFound for the document; Invalid with the code of a FileError, such as no_page or
// too_costly, and no_file if the bytes are missing; ErrUnavailable while too many others are
// drawn.
func (t *Tracker) DocumentPage(ctx context.Context, id ID, page int) ([]byte, error) {
	d, err := t.Document(ctx, id)
	if err != nil {
		return nil, err
	}
	r, ok := t.config.Extractor.(Renderer)
	if !ok {
		return nil, &Error{Kind: Invalid, Code: FileNoPage, Detail: "This installation shows no pages of documents"}
	}
	blob, err := t.openBlob(ctx, d.key(t.actor.Account))
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	ctx, cancel := context.WithTimeout(ctx, t.config.SourceTimeout)
	defer cancel()
	png, err := r.Render(ctx, DocumentFile{Name: d.FileName, ContentType: d.FileContentType, Content: blob, Size: blob.Size()}, page)
	var file *FileError
	switch {
	case errors.As(err, &file):
		return nil, &Error{Kind: Invalid, Code: file.Code, Detail: file.Detail}
	case err != nil:
		return nil, fmt.Errorf("tracking: drawing a page of document %s: %w", id, err)
	}
	return png, nil
}
