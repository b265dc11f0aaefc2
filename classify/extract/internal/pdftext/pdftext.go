// Package pdftext reads the words of a PDF with their positions, by PDFium compiled to
// WebAssembly.
//
// PDFium reaches nothing but its own memory. A hostile file can still make it use all of
// that, or never end, so it runs in a process of its own with limits.
package pdftext

import (
	"fmt"
	"os"
	"time"

	"github.com/klippa-app/go-pdfium"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/geometry"
	"github.com/landfallhq/tracking/classify/extract/internal/scan"
)

// Limits bound what is read of a file.
type Limits struct {
	Pages, Words int
	Text         int // bytes of all words
	Pictures     int // pages whose text is recognised
	// Again is until when pages with the text of a former recognition are recognised again.
	Again time.Time
}

// Recognize reads a picture of a page of which a dot is so many points. Former is nil without a former
// recognition.
type Recognize func(picture *scan.Gray, points float64, former scan.Former) (tracking.TextPage, error)

// Found is what was read of a file. Pictures is the number of pages that are pictures of
// text, and were not recognised.
type Found struct {
	Pages    []tracking.TextPage
	Pictures int
	Layers   int // pages that are pictures with the text of a former recognition, which was read
}

// Reader reads one file at a time, each in memory of its own: a file that damages PDFium
// leaves nothing for the next one.
type Reader struct {
	pool   pdfium.Pool
	memory int64
}

// Open loads PDFium. The memory, in bytes, is that of one file. PDFium is compiled for this
// machine and kept in the directory cache, where further calls find it, also concurrent ones
// of other processes. The directory must be for this alone: what is wrong in it is removed.
// If cache is empty or cannot be used, each call compiles.
func Open(cache string, memory int64) (*Reader, error) {
	pool, err := open(cache, memory)
	if err != nil && cache != "" {
		os.RemoveAll(cache)
		if pool, err = open(cache, memory); err != nil {
			pool, err = open("", memory)
		}
	}
	if err != nil {
		return nil, err
	}
	return &Reader{pool, memory}, nil
}

// Read returns the words of all pages. Pages that are pictures are given to recognize, unless
// it is nil. Faults of the file are a tracking.FileError.
func (r *Reader) Read(file []byte, most Limits, recognize Recognize) (found Found, err error) {
	err = r.with(func(l *library) error {
		found, err = l.read(file, most, recognize)
		return err
	})
	if err != nil {
		return Found{}, err
	}
	return found, nil
}

// with runs fn with an instance of PDFium of its own. Faults of the file are a FileError.
func (r *Reader) with(fn func(*library) error) (err error) {
	l, err := newLibrary(r.pool)
	if err != nil {
		return err
	}
	defer l.instance.Close()
	defer func() {
		switch x := recover().(type) {
		case nil:
		case trap:
			err = r.fault(l)
		case *tracking.FileError:
			err = x
		default:
			panic(x)
		}
	}()
	return fn(l)
}

// fault returns the error of a file at which PDFium has stopped.
func (r *Reader) fault(l *library) error {
	if int64(l.module.Memory().Size()) > r.memory/4*3 {
		return tooMuchMemory()
	}
	return damaged("The PDF is damaged, and cannot be read.")
}

func tooMuchMemory() error {
	return &tracking.FileError{Code: tracking.FileTooCostly, Detail: "Reading the file took more memory than a file is given."}
}

func damaged(detail string) *tracking.FileError {
	return &tracking.FileError{Code: tracking.FileDamaged, Detail: detail}
}

// The errors of FPDF_GetLastError that are told apart.
const (
	errorPassword = 4
	errorSecurity = 5
)

func (l *library) read(file []byte, most Limits, recognize Recognize) (found Found, err error) {
	document, err := l.open(file)
	if err != nil {
		return found, err
	}
	count := int(int32(l.call("FPDF_GetPageCount", document)))
	switch {
	case count > most.Pages:
		return found, TooManyPages(most.Pages)
	case count <= 0:
		return found, damaged("The PDF has no pages.")
	}
	l.most, l.wordsLeft, l.textLeft = most, most.Words, most.Text
	found.Pages = make([]tracking.TextPage, count)
	loaded := 0
	for i := range found.Pages {
		page := l.load(document, i)
		if page == 0 { // the others are still of use
			continue
		}
		loaded++
		if found.Pages[i], err = l.page(page, &most, recognize, &found); err != nil {
			return found, err
		}
		l.call("FPDF_ClosePage", page)
	}
	if loaded == 0 {
		return found, damaged("The PDF is damaged: no page can be read.")
	}
	return found, nil
}

// page reads a page, and counts it in found if its text could be recognised.
func (l *library) page(page uint64, most *Limits, recognize Recognize, found *Found) (tracking.TextPage, error) {
	w := l.wordsOf(page)
	d := l.lookAt(page, w.toReader)
	picture, layer := w.isPicture(d), w.hasLayer(d)
	if recognize != nil && most.Pictures > 0 && (picture || layer && time.Now().Before(most.Again)) {
		most.Pictures--
		if p, err := l.recognize(page, w, recognize); err != nil || picture || len(p.Words) > 0 {
			return p, err
		}
	}
	switch {
	case picture:
		found.Pictures++
	case layer:
		found.Layers++
	}
	p := geometry.Upright(w.width, w.height, w.found, d.lines)
	p.Recognized = w.isRecognized()
	return p, nil
}

func (l *library) open(file []byte) (document uint64, err error) {
	at := l.call("malloc", uint64(len(file)))
	l.scratch = uint32(l.call("malloc", scratchBytes))
	if at == 0 || l.scratch == 0 || !l.module.Memory().Write(uint32(at), file) {
		return 0, tooMuchMemory()
	}
	if document = l.call("FPDF_LoadMemDocument", at, uint64(len(file)), 0); document != 0 { // without a password
		return document, nil
	}
	switch l.call("FPDF_GetLastError") {
	case errorPassword:
		return 0, &tracking.FileError{Code: tracking.FileEncrypted, Detail: "The PDF is encrypted, and cannot be read without its password."}
	case errorSecurity:
		return 0, &tracking.FileError{Code: tracking.FileEncrypted, Detail: "The PDF is encrypted by a method that is not known."}
	}
	return 0, damaged("The PDF is damaged, and cannot be read.")
}

// load returns a page with the values of its form fields and the text of its notes as part of
// it. It returns 0 for a page that is damaged.
func (l *library) load(document uint64, i int) uint64 {
	const display, changed = 0, 1
	page := l.call("FPDF_LoadPage", document, uint64(i))
	if page == 0 || l.call("FPDFPage_GetAnnotCount", page) == 0 || l.call("FPDFPage_Flatten", page, display) != changed {
		return page
	}
	l.call("FPDF_ClosePage", page)
	return l.call("FPDF_LoadPage", document, uint64(i))
}

// use counts a word.
func (l *library) use(word string) {
	if l.wordsLeft--; l.wordsLeft < 0 {
		panic(TooManyWords(l.most.Words))
	}
	if l.textLeft -= len(word); l.textLeft < 0 {
		panic(TooMuchText(l.most.Text))
	}
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
