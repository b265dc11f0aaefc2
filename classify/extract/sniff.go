package extract

import (
	"bytes"

	"github.com/gabriel-vasile/mimetype"
)

const pdfType = "application/pdf"

// Sniff returns the media type of a file by its first bytes (3 KiB suffice), without
// parameters: "application/pdf", "text/plain", "image/png", and "application/octet-stream"
// if unknown.
func Sniff(head []byte) string {
	// PDF viewers accept bytes before the header.
	if bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")) {
		return pdfType
	}
	found, _, _ := bytes.Cut([]byte(mimetype.Detect(head).String()), []byte(";"))
	return string(found)
}

// isPlain reports whether files of a type are read as plain text.
func isPlain(contentType string) bool {
	switch contentType {
	case "text/plain", "text/csv", "text/tab-separated-values":
		return true
	}
	return false
}
