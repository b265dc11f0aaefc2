// Package pdftext reads the words of a PDF with their positions, in pure Go.
//
// It must run in a process of its own with limits: with a hostile file the underlying
// parser may use any amount of memory, overflow the stack, or never end, which no recover
// catches.
package pdftext

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ledongthuc/pdf"

	"github.com/landfallhq/tracking"
)

// Limits bound what is read of a file.
type Limits struct {
	Pages, Words int
	Text         int // bytes of all words
}

// Read returns the words of all pages. Faults of the file are a tracking.FileError.
func Read(file []byte, most Limits) (pages []tracking.TextPage, err error) {
	defer func() {
		if x := recover(); x != nil {
			pages, err = nil, fault(x)
		}
	}()
	file = mend(file)
	r, err := pdf.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, refusal(file, err)
	}
	leaves, err := leaves(r, most.Pages)
	if err != nil {
		return nil, err
	}
	d := &drawer{most: most.Words, left: most.Words, text: most.Text, textLeft: most.Text, fonts: map[string]*font{}}
	for _, leaf := range leaves {
		pages = append(pages, d.page(leaf))
	}
	return pages, nil
}

// fault returns the error for a panic of the parser.
func fault(x any) error {
	var file *tracking.FileError
	if err, ok := x.(error); ok && errors.As(err, &file) {
		return file
	}
	return &tracking.FileError{Code: tracking.FileDamaged, Detail: "The PDF is damaged: " + clip(fmt.Sprint(x)) + "."}
}

// clip limits text of the file in an error.
func clip(s string) string {
	if len(s) > 120 {
		return s[:120]
	}
	return s
}

// refusal returns the error of a file that cannot be opened.
func refusal(file []byte, err error) error {
	if bytes.Contains(file, []byte("/Encrypt")) {
		return &tracking.FileError{Code: tracking.FileEncrypted, Detail: "The PDF is encrypted, and cannot be read without its password."}
	}
	return fault(err)
}

// mend removes bytes before the header and after the end, and writes a header that the
// parser accepts. Mail programs and scanners add such bytes, and PDF viewers accept them.
func mend(file []byte) []byte {
	if i := bytes.Index(file[:min(len(file), 1024)], []byte("%PDF-")); i > 0 {
		file = file[i:]
	}
	if i := bytes.LastIndex(file, []byte("%%EOF")); i >= 0 {
		file = file[:i+len("%%EOF")]
	}
	const header = "%PDF-1.7\n"
	if len(file) > len(header) && bytes.HasPrefix(file, []byte("%PDF-")) {
		file = bytes.Clone(file)
		if end := bytes.IndexAny(file[:16:16], "\r\n"); end >= 8 {
			copy(file, header)
			for i := len(header); i < end; i++ {
				file[i] = ' ' // what is left of a longer first line
			}
		}
	}
	return file
}

// leaves returns the pages in order. It visits each node once, because trees can have loops
// and wrong counts.
func leaves(r *pdf.Reader, most int) ([]pdf.Page, error) {
	var found []pdf.Page
	visited := 0
	var walk func(v pdf.Value, depth int) error
	walk = func(v pdf.Value, depth int) error {
		if visited++; depth > 50 || visited > 4*most+1000 {
			return &tracking.FileError{Code: tracking.FileDamaged, Detail: "The PDF is damaged: its pages contain each other."}
		}
		kids := v.Key("Kids")
		if kids.Kind() != pdf.Array {
			if v.Kind() == pdf.Dict {
				found = append(found, pdf.Page{V: v})
			}
			if len(found) > most {
				return TooManyPages(most)
			}
			return nil
		}
		for i := range kids.Len() {
			if err := walk(kids.Index(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	root := r.Trailer().Key("Root").Key("Pages")
	if err := walk(root, 0); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, &tracking.FileError{Code: tracking.FileDamaged, Detail: "The PDF has no pages."}
	}
	return found, nil
}

// TooManyPages refuses a file of more pages than are read.
func TooManyPages(most int) error {
	return &tracking.FileError{Code: tracking.FileTooLarge, Detail: fmt.Sprintf("The PDF has more pages than the %d that are read.", most)}
}

// TooMuchText refuses a file with more text than is read.
func TooMuchText(most int) error {
	return &tracking.FileError{Code: tracking.FileTooLarge, Detail: fmt.Sprintf("The file has more text than the %d bytes that are read.", most)}
}

// TooManyWords refuses a file of more words than are read.
func TooManyWords(most int) error {
	return &tracking.FileError{Code: tracking.FileTooLarge, Detail: fmt.Sprintf("The file has more words than the %d that are read.", most)}
}
