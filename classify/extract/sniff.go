package extract

import (
	"bytes"

	"github.com/gabriel-vasile/mimetype"
)

const pdfType = "application/pdf"

// Sniff tells a file's true type by its first bytes (3 KiB suffice), as a media
// type without parameters: "application/pdf", "text/plain", "image/png", and
// "application/octet-stream" for what is not known. Its name does not count.
func Sniff(head []byte) string {
	// Readers for people take a PDF whose header is preceded by other bytes.
	if bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")) {
		return pdfType
	}
	found, _, _ := bytes.Cut([]byte(mimetype.Detect(head).String()), []byte(";"))
	return string(found)
}

// isPlain reports whether files of a type are read as lines of text.
func isPlain(contentType string) bool {
	switch contentType {
	case "text/plain", "text/csv", "text/tab-separated-values":
		return true
	}
	return false
}
