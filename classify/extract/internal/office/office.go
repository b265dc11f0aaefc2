// Package office reads workbooks, text documents and e-mails as paragraphs and tables. None
// of its readers bounds its time and memory by itself: they run in a child with limits.
package office

import (
	"archive/zip"
	"bytes"
	"fmt"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/flow"
)

// The types of files that are read.
const (
	Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	Text     = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	ZIP      = "application/zip" // as which either may be taken
	Mail     = "message/rfc822"
	Outlook  = "application/vnd.ms-outlook"
	HTML     = "text/html"
)

// Advice is what to do with a file of a former format that is not read; "" for others.
func Advice(contentType string) string {
	switch contentType {
	case "application/vnd.ms-excel":
		return "The file is a workbook of Excel up to 2003 (.xls), which is not read: save it as .xlsx or PDF."
	case "application/msword":
		return "The file is a text of Word up to 2003 (.doc), which is not read: save it as .docx or PDF."
	case "application/vnd.oasis.opendocument.spreadsheet", "application/vnd.oasis.opendocument.text":
		return "The file is an OpenDocument file, which is not read: save it as .xlsx, .docx or PDF."
	}
	return ""
}

// Reads reports whether files of a type are read.
func Reads(contentType string) bool {
	switch contentType {
	case Workbook, Text, ZIP, Mail, Outlook, HTML:
		return true
	}
	return false
}

// mostUnpacked bounds what a file is unpacked to, in bytes.
const mostUnpacked = 64 << 20

// Pages reads a file. Faults of it are a tracking.FileError; a ZIP file that is neither a
// workbook nor a text has no pages.
func Pages(file []byte, contentType string) (pages []tracking.TextPage, err error) {
	var blocks []flow.Block
	switch contentType {
	case Mail:
		blocks, err = mailBlocks(file)
	case Outlook:
		blocks, err = outlookBlocks(file)
	case HTML:
		blocks, err = htmlBlocks(string(decoded(file, "")))
	default:
		blocks, err = packed(file)
	}
	if err != nil || blocks == nil {
		return nil, err
	}
	return flow.Pages(blocks), nil
}

// packed reads a workbook or a text by the names of its parts.
func packed(file []byte) ([]flow.Block, error) {
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, damaged(err)
	}
	size := uint64(0)
	for _, f := range archive.File {
		if size += f.UncompressedSize64; size > mostUnpacked || f.UncompressedSize64 > mostUnpacked {
			return nil, &tracking.FileError{Code: tracking.FileTooLarge, Detail: fmt.Sprintf("The file is larger than %d MiB when it is unpacked.", mostUnpacked>>20)}
		}
	}
	for _, f := range archive.File {
		switch f.Name {
		case "xl/workbook.xml":
			return workbookBlocks(file)
		case "word/document.xml":
			return textBlocks(archive)
		}
	}
	return nil, nil
}

func damaged(err error) error {
	return &tracking.FileError{Code: tracking.FileDamaged, Detail: fmt.Sprintf("The file is damaged (%s).", err)}
}
