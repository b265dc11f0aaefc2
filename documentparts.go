package tracking

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/internal/table"
)

// Splitter is a Classifier that finds out where documents begin in a file that has
// several. Of a Classifier that is none, each file is one document.
type Splitter interface {
	Classifier
	// Split returns the first page of each document of the file, counted from 1, in
	// rising order. Nil, or one page, is one document, and so is an answer that does not
	// begin with page 1 or has more than 100 documents. A page without evidence belongs
	// to the document before it: a document that is cut in two is worse than two in one.
	Split(ctx context.Context, f DocumentFile, text DocumentText) ([]int, error)
}

// maxParts bounds the documents of one file.
const maxParts = 100

// pageRange are the pages of a document in its file, from 1, both included.
type pageRange struct{ first, last int }

func (p pageRange) String() string {
	if p.first == p.last {
		return fmt.Sprintf("page %d", p.first)
	}
	return fmt.Sprintf("pages %d to %d", p.first, p.last)
}

func (d *Document) pageRange() pageRange { return pageRange{d.FirstPage, d.LastPage} }

// isPart reports whether the document was split from another.
func (d *Document) isPart() bool { return d.SplitFrom != ID{} }

// edited reports whether a person has said something of the document.
func (d *Document) edited() bool {
	return d.DocumentTypeManual != "" || d.ExtractedDataManual != nil || len(d.Corrections) > 0 || len(d.LinkedByHand) > 0 || len(d.UnlinkedByHand) > 0
}

// pagesIn are the pages of the document among those of its file.
func (d *Document) pagesIn(pages []TextPage) []TextPage {
	if !d.isPart() || d.LastPage > len(pages) {
		return pages
	}
	return pages[d.FirstPage-1 : d.LastPage]
}

// countPages has the fields say the pages of the file, which is what people download.
func (d *Document) countPages(fields DocumentFields) {
	if d.FirstPage == 0 {
		return
	}
	for i := range fields {
		if fields[i].Page > 0 {
			fields[i].Page += d.FirstPage - 1
		}
		for _, row := range fields[i].Rows {
			d.countPages(row)
		}
	}
}

// partReading is the reading of one of several documents in a file.
type partReading struct {
	pages   pageRange
	reading *reading
}

// readParts reads the documents of a file that has several.
func (t *Tracker) readParts(ctx context.Context, f DocumentFile, text DocumentText, d *Document, r *reading) error {
	if d.isPart() || text.Unreadable != "" {
		return nil
	}
	known, err := t.partsOf(ctx, d)
	if err != nil {
		return err
	}
	pages, err := t.splitPages(ctx, f, text, d, r, known)
	if err != nil || len(pages) == 0 {
		return err
	}
	for _, p := range pages {
		i := slices.IndexFunc(known, func(o *Document) bool { return o.pageRange() == p })
		part, stage := &Document{SplitFrom: d.ID, FirstPage: p.first, LastPage: p.last}, stageAll
		if i >= 0 {
			part, stage = known[i], r.stage
		}
		made := &reading{stage: stage, upload: d.Upload, typ: part.Type(), contentType: r.contentType, pages: r.pages, layout: layoutReading{known: r.layout.known}}
		of := text
		of.Pages, of.Note = part.pagesIn(text.Pages), ""
		if err := t.readText(ctx, f, of, part, made); err != nil {
			return err
		}
		if err := made.render(); err != nil {
			var file *FileError
			if !errors.As(err, &file) {
				return err
			}
			made.failure = file.Code + ": " + file.Detail
		}
		r.parts = append(r.parts, partReading{p, made})
	}
	r.class, r.typ, r.notes = &Classification{}, "", strings.TrimSpace(splitNotes(pages)+" "+text.Note)
	r.extracted = r.stage != stageClassify || len(known) == 0
	return nil
}

func splitNotes(pages []pageRange) string {
	list := make([]string, len(pages))
	for i, p := range pages {
		list[i] = p.String()
	}
	return fmt.Sprintf("The file has %d documents: %s.", len(pages), strings.Join(list, "; "))
}

// splitPages decides which documents the file has; none if it is one document. It sets
// r.split unless the stage leaves the question alone.
func (t *Tracker) splitPages(ctx context.Context, f DocumentFile, text DocumentText, d *Document, r *reading, known []*Document) (pages []pageRange, err error) {
	for _, part := range known {
		pages = append(pages, part.pageRange())
	}
	switch {
	case d.DocumentTypeManual != "": // a person has said that it is one document
		r.split = true
		return nil, nil
	case len(known) == 0 && r.stage == stageExtract:
		return nil, nil
	case r.stage == stageExtract || slices.ContainsFunc(known, (*Document).edited):
		// Its pages stay as they are once a person has looked at them.
		r.split = true
		return pages, nil
	}
	r.split = true
	splitter, ok := t.config.Classifier.(Splitter)
	if !ok || len(text.Pages) < 2 {
		return nil, nil
	}
	firsts, err := splitter.Split(ctx, f, text)
	return rangesFrom(firsts, len(text.Pages)), err
}

// rangesFrom are the pages of documents that begin on these pages of a file; none if it is
// one document.
func rangesFrom(firsts []int, pages int) (all []pageRange) {
	n := len(firsts)
	if n < 2 || n > maxParts || firsts[0] != 1 || firsts[n-1] > pages {
		return nil
	}
	for i, first := range firsts {
		last := pages
		if i+1 < n {
			last = firsts[i+1] - 1
		}
		if last < first {
			return nil
		}
		all = append(all, pageRange{first, last})
	}
	return all
}

// partsOf are the documents that were split from d, by their pages.
func (t *Tracker) partsOf(ctx context.Context, d *Document) (parts []*Document, err error) {
	if len(d.SplitDocuments) == 0 {
		return nil, nil
	}
	err = t.view(ctx, AccountID(d.Account), func(tx *transaction) (err error) {
		parts, err = documents.GetMany(tx, d.SplitDocuments)
		return err
	})
	slices.SortFunc(parts, func(a, b *Document) int { return a.FirstPage - b.FirstPage })
	return parts, err
}

// writeParts writes the documents that a file was split into. One that the file no longer
// has is discarded, unless a person has edited it.
func (r *reading) writeParts(tx *transaction, d *Document) error {
	if !r.split {
		return nil
	}
	before, err := documents.GetMany(tx, d.SplitDocuments)
	if err != nil {
		return err
	}
	d.SplitDocuments = nil
	for _, p := range r.parts {
		part, err := d.part(tx, p.pages)
		if err != nil {
			return err
		}
		if part == nil {
			continue
		}
		if err := p.reading.write(tx, part); err != nil {
			return err
		}
		d.SplitDocuments = append(d.SplitDocuments, part.ID)
	}
	for _, part := range before {
		switch {
		case slices.Contains(d.SplitDocuments, part.ID):
		case part.edited():
			d.SplitDocuments = append(d.SplitDocuments, part.ID)
		default:
			if err := part.discard(tx, discardedDocument{Replaced: true}); err != nil {
				return err
			}
		}
	}
	return nil
}

// part is the document with these pages of the file of d, which is made if there is none;
// nil if a person has deleted it. Its ID is that of the pages, so that a repeated reading
// makes no other.
func (d *Document) part(tx *transaction, pages pageRange) (*Document, error) {
	id := table.NamedID("document_part", fmt.Sprintf("%s/%d-%d", d.ID, pages.first, pages.last))
	part, err := documents.Get(tx, id)
	if !isNotFound(err) {
		return part, err
	}
	part = &Document{
		Meta: Meta{ID: id}, Account: d.Account, User: d.User, EmailSubmission: d.EmailSubmission, SplitFrom: d.ID,
		ShownID: id, Name: clipRunes(d.Name, 200) + " (" + pages.String() + ")", Source: FromSplit,
		FileName: d.FileName, FileContentType: d.FileContentType, FileSizeBytes: d.FileSizeBytes, CreatedAt: tx.Now,
		FirstPage: pages.first, LastPage: pages.last,
		documentInternals: documentInternals{Upload: d.Upload, Blob: d.Blob, AddedBy: d.AddedBy},
	}
	gone, err := discardedDocuments.Get(tx, id)
	switch {
	case isNotFound(err):
	case err != nil || !gone.Replaced:
		return nil, err
	default: // no representation and no event of it is repeated
		part.Runs = gone.Runs
		if err := discardedDocuments.Delete(tx, id); err != nil {
			return nil, err
		}
	}
	return part, part.addToSubmission(tx)
}

// discardParts discards the documents that were split from d, and takes d from the list of
// the one that it was split from.
func (d *Document) discardParts(tx *transaction, gone discardedDocument) error {
	parts, err := documents.GetMany(tx, d.SplitDocuments)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := part.discard(tx, gone); err != nil {
			return err
		}
	}
	if !d.isPart() || gone.Replaced { // writeParts writes the list
		return nil
	}
	whole, err := documents.Get(tx, d.SplitFrom)
	if err != nil {
		return ignoreNotFound(err)
	}
	whole.SplitDocuments = slices.DeleteFunc(whole.SplitDocuments, func(id ID) bool { return id == d.ID })
	return documents.Put(tx, whole)
}
