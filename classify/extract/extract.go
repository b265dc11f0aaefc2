// Package extract reads the text of files, with the position of each word.
//
// PDFs are never parsed in the calling process, because no parser is safe against every
// hostile file. PDFium parses them, as WebAssembly, in child processes with their own process
// groups and with limits of memory, time, pages and words. It is part of the program: nothing
// is installed. Text in pictures is recognised where tesseract is installed.
//
// The child processes are the calling program itself, so its main, and the TestMain of its
// tests, must start with a call of Main.
package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/gabriel-vasile/mimetype"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/office"
	"github.com/landfallhq/tracking/classify/extract/internal/pdftext"
)

// Config configures New. The zero value is ready to use.
type Config struct {
	Limits Limits
	// Children is how many files are read at a time; 0 is GOMAXPROCS, and 4 at least,
	// so that costly files of one account do not delay a small one of another. Further
	// calls wait.
	Children int
	// Cache is the directory for PDFium compiled for this machine, which takes seconds and
	// 20 MiB; "" is the user's, as of os.UserCacheDir. In it a directory landfall-pdfium is
	// made. Programs can share it. Its files are executed, so only the owner may write to
	// them. Where it cannot be used, each child compiles PDFium.
	Cache string
	OCR   OCR
}

// Limits are those of one file. 0 is the default.
type Limits struct {
	Bytes  int64         // of the file; 32 MiB
	Pages  int           // 200
	Words  int           // 100,000
	Text   int           // bytes, of a file of plain text or of all words of a PDF; 2 MiB
	CPU    time.Duration // of the process that reads, in whole seconds; 10 s
	Wall   time.Duration // from sending the file to the answer; 20 s
	Memory int64         // of the process that reads, in bytes; 300 MiB, and at most 64 MiB more for stacks of threads
}

func (l *Limits) fill() {
	l.Bytes = or(l.Bytes, 32<<20)
	l.Pages = or(l.Pages, 200)
	l.Words = or(l.Words, 100_000)
	l.Text = or(l.Text, 2<<20)
	l.CPU = or(l.CPU, 10*time.Second)
	l.Wall = or(l.Wall, 20*time.Second)
	l.Memory = or(l.Memory, 300<<20)
}

func or[T int | int64 | time.Duration](given, usual T) T {
	if given > 0 {
		return given
	}
	return usual
}

// Extractor is the default tracking.Extractor. It is safe for concurrent use.
type Extractor struct {
	limits Limits
	ocr    *engines
	slots  chan struct{} // one for each file that is being read
	pool   *pool

	// Those of Recognize.
	recognitions chan struct{}
	recognizers  *pool

	// Those of Render.
	drawings chan struct{}
	drawers  *pool
}

// New returns an Extractor. It fails if the program cannot be run again, because its main
// does not begin with Main.
func New(c Config) (*Extractor, error) {
	if !mainCalled {
		return nil, errors.New("extract: the program's main must begin with extract.Main, so that it can be run again to read PDFs")
	}
	c.Limits.fill()
	if err := c.OCR.fill(); err != nil {
		return nil, err
	}
	if c.Children <= 0 {
		c.Children = max(4, runtime.GOMAXPROCS(0))
	}
	ocr := &engines{OCR: c.OCR}
	reading := childConfig{Limits: c.Limits, Life: childLife, Cache: cacheDirectory(c.Cache)}
	return &Extractor{
		limits: c.Limits, slots: make(chan struct{}, c.Children), pool: &pool{config: reading},
		drawings: make(chan struct{}, drawnAtOnce), drawers: &pool{config: reading},
		ocr: ocr, recognitions: make(chan struct{}, c.OCR.AtOnce), recognizers: &pool{config: c.OCR.child(reading), engine: ocr.engine},
	}, nil
}

// Close waits for calls in progress, and ends the child processes.
func (e *Extractor) Close() error {
	for _, slots := range []chan struct{}{e.slots, e.recognitions, e.drawings} {
		for range cap(slots) {
			slots <- struct{}{}
		}
	}
	e.pool.close()
	e.recognizers.close()
	e.drawers.close()
	for _, slots := range []chan struct{}{e.slots, e.recognitions, e.drawings} {
		for range cap(slots) {
			<-slots
		}
	}
	return nil
}

// Extract implements tracking.Extractor. It reads PDF, plain text, .xlsx, .docx, e-mails as
// .eml or .msg, and HTML; files of other types are Unreadable. PNG, JPEG and TIFF, and pages of
// PDFs that are pictures, are reported as Pictures; Recognize reads them. Pages with the text of a
// former recognition are read, and are Pictures too where that can be improved.
func (e *Extractor) Extract(ctx context.Context, f tracking.DocumentFile) (tracking.DocumentText, error) {
	text, err := e.begin(f)
	if err != nil {
		return tracking.DocumentText{}, err
	}
	var a answer
	switch {
	case text.ContentType == pdfType || office.Reads(text.ContentType):
		a, err = withSlot(ctx, e.slots, f, e.pool.read)
	case isPlain(text.ContentType):
		a, err = withSlot(ctx, e.slots, f, e.plain)
	case isPicture(text.ContentType):
		a.Pictures = 1
	default:
		text.Unreadable = notRead(text.ContentType)
		return text, nil
	}
	if err != nil {
		return tracking.DocumentText{}, err
	}
	if e.finish(&text, a); len(a.Pages) == 0 && text.ContentType == office.ZIP {
		text.Unreadable = notRead(text.ContentType)
	}
	switch _, why := e.ocr.engine(); {
	case why == "":
		text.Pictures += a.Layers
	case a.Pictures > 0:
		text.Pictures = 0
		text.Note = fmt.Sprintf("%s %s", picturesNote(a), why)
		if text.Unreadable != "" {
			text.Unreadable += " " + why
			text.Note = ""
		}
	}
	return text, nil
}

// notRead says for people that files of a type are not read.
func notRead(contentType string) string {
	if advice := office.Advice(contentType); advice != "" {
		return advice
	}
	return fmt.Sprintf("The file is of the type %s, of which no text is read.", contentType)
}

// Recognize implements tracking.Recognizer by tesseract: it reads a file as Extract does, and
// the pages that are pictures too, also those with the text of a former recognition. Where tesseract is
// missing it is Extract. A file may take minutes, and waits for others that are recognised.
func (e *Extractor) Recognize(ctx context.Context, f tracking.DocumentFile) (tracking.DocumentText, error) {
	text, err := e.begin(f)
	if err != nil {
		return tracking.DocumentText{}, err
	}
	if _, why := e.ocr.engine(); why != "" || text.ContentType != pdfType && !isPicture(text.ContentType) {
		return e.Extract(ctx, f)
	}
	a, err := withSlot(ctx, e.recognitions, f, e.recognizers.read)
	if errors.As(err, new(*tracking.FileError)) {
		return e.withoutRecognition(ctx, f, err)
	}
	if err != nil {
		return tracking.DocumentText{}, err
	}
	e.finish(&text, a)
	if text.Pictures = 0; a.Pictures > 0 {
		text.Note = picturesNote(a) + fmt.Sprintf(" At most %d pages of a file are recognised.", e.ocr.Pages)
	}
	return text, nil
}

// withoutRecognition returns the text that a file has of itself, such as that of a former recognition,
// or the error of its recognition if it has none.
func (e *Extractor) withoutRecognition(ctx context.Context, f tracking.DocumentFile, failed error) (tracking.DocumentText, error) {
	text, err := e.Extract(ctx, f)
	if err != nil || !hasText(text.Pages) {
		return tracking.DocumentText{}, failed
	}
	text.Pictures = 0
	text.Note = "The pictures in the file could not be recognised: what was read is the text that it has."
	return text, nil
}

// picturesNote says how many pages were not read.
func picturesNote(a answer) string {
	if a.Pictures == 1 {
		return "A page is a picture, and was not read."
	}
	return fmt.Sprintf("%d pages are pictures, and were not read.", a.Pictures)
}

// begin returns the type of a file, or why it is not read.
func (e *Extractor) begin(f tracking.DocumentFile) (text tracking.DocumentText, err error) {
	switch {
	case f.Size == 0:
		return text, &tracking.FileError{Code: tracking.FileEmpty, Detail: "The file is empty."}
	case f.Size > e.limits.Bytes:
		return text, &tracking.FileError{Code: tracking.FileTooLarge, Detail: fmt.Sprintf("The file has %d bytes; at most %d are read.", f.Size, e.limits.Bytes)}
	}
	head, err := headOf(f)
	text.ContentType = Sniff(head)
	return text, err
}

func (e *Extractor) finish(text *tracking.DocumentText, a answer) {
	text.Pages, text.Pictures = a.Pages, a.Pictures
	clip(text.Pages)
	if !hasText(text.Pages) {
		text.Unreadable = "The file has no text that can be read: it may be a scan or a picture."
		if office.Reads(text.ContentType) {
			text.Unreadable = "The file has no text."
		}
	}
}

// readFunc reads files of one type.
type readFunc func(ctx context.Context, f tracking.DocumentFile) (answer, error)

// withSlot waits for a slot and reads a file.
func withSlot(ctx context.Context, slots chan struct{}, f tracking.DocumentFile, read readFunc) (answer, error) {
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return answer{}, contextError(ctx)
	}
	return read(ctx, f)
}

// errWall ends the context of a file that takes longer than Limits.Wall.
var errWall = errors.New("extract: the file's time is over")

// contextError is the error of a call whose context has ended. If the file took too long, it
// is a FileError. If the caller's deadline is over, it is not: other files may have used
// that time.
func contextError(ctx context.Context) error {
	switch {
	case errors.Is(context.Cause(ctx), errWall):
		return tooCostly("time")
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("extract: the file could not be read in the time that was left for it: %w: %w", tracking.ErrUnavailable, ctx.Err())
	}
	return ctx.Err()
}

// plain reads plain text in this process, and therefore only small files.
func (e *Extractor) plain(ctx context.Context, f tracking.DocumentFile) (a answer, err error) {
	if f.Size > int64(e.limits.Text) {
		return a, pdftext.TooMuchText(e.limits.Text)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, e.limits.Wall, errWall)
	defer cancel()
	a.Pages, err = plain(ctx, f.Open(), e.limits)
	return a, err
}

// wordBytes is the maximum length of a word. Longer ones are lines drawn with characters, or
// data.
const wordBytes = 1000

// clip cuts words that are longer than wordBytes.
func clip(pages []tracking.TextPage) {
	for _, p := range pages {
		for i, w := range p.Words {
			if len(w.Text) > wordBytes {
				p.Words[i].Text = strings.ToValidUTF8(w.Text[:wordBytes], "")
			}
		}
	}
}

func hasText(pages []tracking.TextPage) bool {
	for _, p := range pages {
		if len(p.Words) > 0 {
			return true
		}
	}
	return false
}

// headOf returns the bytes for Sniff.
func headOf(f tracking.DocumentFile) ([]byte, error) {
	head := make([]byte, min(f.Size, sniffed))
	n, err := f.Open().Read(head)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("extract: reading the file: %w", err)
	}
	return head[:n], nil
}

// tooCostly is the error of a file that reached a limit of time or memory.
func tooCostly(what string) error {
	return &tracking.FileError{Code: tracking.FileTooCostly, Detail: "Reading the file took more " + what + " than a file is given."}
}

// bytesOf is for tests and commands that have a file in memory.
func bytesOf(name string, content []byte) tracking.DocumentFile {
	return tracking.DocumentFile{Name: name, Content: bytes.NewReader(content), Size: int64(len(content))}
}

const pdfType = "application/pdf"

// sniffed is the number of bytes that suffice for Sniff.
const sniffed = 3072

// Sniff returns the media type of a file by its first bytes (3 KiB suffice), without
// parameters: "application/pdf", "text/plain", "image/png", and "application/octet-stream"
// if unknown.
func Sniff(head []byte) string {
	// PDF viewers accept bytes before the header.
	if bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")) {
		return pdfType
	}
	found, _, _ := bytes.Cut([]byte(mimetype.Detect(head).String()), []byte(";"))
	if isPlain(string(found)) && isMail(head) {
		return office.Mail
	}
	return string(found)
}

// isMail reports whether a text begins with the header of an e-mail: with its sender, and a
// field that programs write alone.
func isMail(head []byte) bool {
	from, technical := false, false
	for line := range bytes.Lines(head) {
		name, _, ok := bytes.Cut(line, []byte(":"))
		if line[0] == ' ' || line[0] == '\t' {
			continue
		}
		if !ok || bytes.ContainsAny(name, " \t") {
			break
		}
		switch strings.ToLower(string(name)) {
		case "from":
			from = true
		case "message-id", "mime-version", "received", "return-path":
			technical = true
		}
	}
	return from && technical
}

// isPlain reports whether files of a type are read as plain text.
func isPlain(contentType string) bool {
	switch contentType {
	case "text/plain", "text/csv", "text/tab-separated-values":
		return true
	}
	return false
}
