// Package extract reads the text of files, with the place of each word.
//
// PDFs are never parsed in the calling process: no parser withstands every hostile
// file. Poppler's pdftotext does it where it is installed; else a pure-Go parser
// does, in children of the calling program. Both run in process groups of their
// own, under limits of memory, time, pages and words.
//
// A program that uses the pure-Go parser runs itself again as the child, so its
// main, and the TestMain of its tests, must begin with Main.
package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/pdftext"
)

// Engine names what reads PDFs.
type Engine string

// The engines.
const (
	// Auto is Poppler where it is installed, else Go.
	Auto    Engine = ""
	Poppler Engine = "poppler"
	Go      Engine = "go"
)

// Config configures New. The zero value is fit for use.
type Config struct {
	Engine Engine
	Limits Limits
	// Children is how many files are read at the same time; 0 is one for each core
	// that the program may use. Further calls wait.
	Children int
}

// Limits bound what one file may cost. 0 means the default.
type Limits struct {
	Bytes  int64         // of the file; 32 MiB
	Pages  int           // 200
	Words  int           // 100,000
	Text   int           // bytes, of a file of plain text or of all words of a PDF; 2 MiB
	CPU    time.Duration // of the reading process, in whole seconds; 10 s
	Wall   time.Duration // from handing over the file to the answer; 20 s
	Memory int64         // of the reading process, in bytes; 512 MiB
}

func (l *Limits) fill() {
	l.Bytes = or(l.Bytes, 32<<20)
	l.Pages = or(l.Pages, 200)
	l.Words = or(l.Words, 100_000)
	l.Text = or(l.Text, 2<<20)
	l.CPU = or(l.CPU, 10*time.Second)
	l.Wall = or(l.Wall, 20*time.Second)
	l.Memory = or(l.Memory, 512<<20)
}

func or[T int | int64 | time.Duration](given, usual T) T {
	if given > 0 {
		return given
	}
	return usual
}

// Extractor is the default tracking.Extractor. Several goroutines may use it.
type Extractor struct {
	limits Limits
	turns  chan struct{} // one for each file that is being read
	engine Engine
	pdf    reading
	pool   *pool // nil for Poppler
}

// New returns an Extractor. It fails when the engine asked for is not to be had.
func New(c Config) (*Extractor, error) {
	c.Limits.fill()
	e := &Extractor{limits: c.Limits, engine: c.Engine}
	if c.Children <= 0 {
		c.Children = runtime.GOMAXPROCS(0)
	}
	e.turns = make(chan struct{}, c.Children)
	path, missing := exec.LookPath("pdftotext")
	if e.engine == Auto {
		e.engine = Poppler
		if missing != nil {
			e.engine = Go
		}
	}
	switch e.engine {
	case Poppler:
		if missing != nil {
			return nil, fmt.Errorf("extract: Poppler's pdftotext is not installed: %w", missing)
		}
		e.pdf = poppler{path, c.Limits}.read
	case Go:
		if !mainCalled {
			return nil, errors.New("extract: the program's main must begin with extract.Main, so that it can be run again to read PDFs")
		}
		e.pool = &pool{limits: c.Limits, life: childLife}
		e.pdf = e.pool.read
	default:
		return nil, fmt.Errorf("extract: there is no engine %q; there are %q and %q", c.Engine, Poppler, Go)
	}
	return e, nil
}

// Engine says what reads the PDFs: Poppler or Go.
func (e *Extractor) Engine() Engine { return e.engine }

// Close ends the children that wait for work. Calls that are under way end first.
func (e *Extractor) Close() error {
	for range cap(e.turns) {
		e.turns <- struct{}{}
	}
	if e.pool != nil {
		e.pool.close()
	}
	for range cap(e.turns) {
		<-e.turns
	}
	return nil
}

// Extract implements tracking.Extractor: PDF and plain text are read; files of
// other types are Unreadable.
func (e *Extractor) Extract(ctx context.Context, f tracking.DocumentFile) (tracking.DocumentText, error) {
	switch {
	case f.Size == 0:
		return tracking.DocumentText{}, &tracking.FileError{Code: tracking.FileEmpty, Detail: "The file is empty."}
	case f.Size > e.limits.Bytes:
		return tracking.DocumentText{}, &tracking.FileError{Code: tracking.FileTooLarge, Detail: fmt.Sprintf("The file has %d bytes; at most %d are read.", f.Size, e.limits.Bytes)}
	}
	head, err := headOf(f)
	if err != nil {
		return tracking.DocumentText{}, err
	}
	text := tracking.DocumentText{ContentType: Sniff(head)}
	switch {
	case text.ContentType == pdfType:
		text.Pages, err = e.turn(ctx, f, e.pdf)
	case isPlain(text.ContentType):
		text.Pages, err = e.turn(ctx, f, e.plain)
	default:
		text.Unreadable = fmt.Sprintf("The file is of the type %s, of which no text is read.", text.ContentType)
		return text, nil
	}
	if err != nil {
		return tracking.DocumentText{}, err
	}
	clip(text.Pages)
	if !hasText(text.Pages) {
		text.Unreadable = "The file has no text that can be read: it may be a scan or a picture."
	}
	return text, nil
}

// reading is how the text of one type of files is read.
type reading func(ctx context.Context, f tracking.DocumentFile) ([]tracking.TextPage, error)

// turn waits for its turn, and reads a file. The file's time begins with its turn.
func (e *Extractor) turn(ctx context.Context, f tracking.DocumentFile, read reading) ([]tracking.TextPage, error) {
	select {
	case e.turns <- struct{}{}:
		defer func() { <-e.turns }()
	case <-ctx.Done():
		return nil, over(ctx)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, e.limits.Wall, errWall)
	defer cancel()
	return read(ctx, f)
}

// errWall ends the context of a reading that takes longer than a file is given.
var errWall = errors.New("extract: the file's time is over")

// over is the error of a call whose context has ended. That the file took too long
// is the file's fault, for good. That the caller had no more time for it is not: the
// files before it may have used that up.
func over(ctx context.Context) error {
	switch {
	case errors.Is(context.Cause(ctx), errWall):
		return tooCostly("time")
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("extract: the file could not be read in the time that was left for it: %w: %w", tracking.ErrUnavailable, ctx.Err())
	}
	return ctx.Err()
}

// plain reads a file of plain text, in this process: so it is small, or not read.
func (e *Extractor) plain(ctx context.Context, f tracking.DocumentFile) ([]tracking.TextPage, error) {
	if f.Size > int64(e.limits.Text) {
		return nil, pdftext.TooMuchText(e.limits.Text)
	}
	return plain(ctx, f.Open(), e.limits)
}

// wordBytes is how much is kept of a word. Longer ones are lines drawn with
// characters, or data that nobody reads.
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

// headOf returns the bytes by which a file's type is told.
func headOf(f tracking.DocumentFile) ([]byte, error) {
	head := make([]byte, min(f.Size, 3072))
	n, err := f.Open().Read(head)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("extract: reading the file: %w", err)
	}
	return head[:n], nil
}

// tooCostly is the error of a reader that reached a limit of time or memory.
func tooCostly(what string) error {
	return &tracking.FileError{Code: tracking.FileTooCostly, Detail: "Reading the file took more " + what + " than a file is given."}
}

// bytesOf is for tests and commands that have a file in memory.
func bytesOf(name string, content []byte) tracking.DocumentFile {
	return tracking.DocumentFile{Name: name, Content: bytes.NewReader(content), Size: int64(len(content))}
}
