package extract

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/pdftext"
)

// poppler runs pdftotext for each file.
type poppler struct {
	path   string
	limits Limits
}

// read starts pdftotext, sets its limits, and only then sends the file to its standard
// input.
func (p poppler) read(ctx context.Context, f tracking.DocumentFile) ([]tracking.TextPage, error) {
	// One page more than the limit, to notice that there are too many.
	cmd := exec.CommandContext(ctx, p.path, "-bbox-layout", "-enc", "UTF-8", "-l", strconv.Itoa(p.limits.Pages+1), "-", "-")
	cmd.Env = []string{"LC_ALL=C", "PATH=" + os.Getenv("PATH")}
	setGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	stderr := &limitedBuffer{left: 4 << 10}
	cmd.Stderr = stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("extract: %w", err)
	}
	defer killGroup(cmd)
	if err := limit(cmd.Process.Pid, p.limits); err != nil {
		killGroup(cmd)
		cmd.Wait()
		return nil, fmt.Errorf("extract: setting the limits of pdftotext: %w", err)
	}
	fed := make(chan error, 1)
	go func() { fed <- feed(stdin, f) }()
	pages, readErr := p.parse(stdout)
	if readErr != nil {
		killGroup(cmd)
	}
	io.Copy(io.Discard, stdout)
	err = cmd.Wait() // closes stdin
	if fault := <-fed; fault != nil {
		return nil, fmt.Errorf("extract: handing over the file: %w", fault)
	}
	if readErr != nil {
		return nil, readErr
	}
	return pages, p.fault(ctx, err, stderr.String(), len(pages))
}

// feed sends a file, and returns an error of the file. Errors of the pipe are ignored: a
// process that ends early reports the cause itself.
func feed(to io.WriteCloser, f tracking.DocumentFile) error {
	defer to.Close()
	from := &errorReader{Reader: f.Open()}
	io.Copy(to, from)
	return from.fault
}

// errorReader stores the error of a reader.
type errorReader struct {
	io.Reader
	fault error
}

func (n *errorReader) Read(b []byte) (int, error) {
	count, err := n.Reader.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		n.fault = err
	}
	return count, err
}

// fault returns the error for an exit of pdftotext.
func (p poppler) fault(ctx context.Context, err error, stderr string, pages int) error {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return contextError(ctx)
	case err == nil && pages == 0:
		return &tracking.FileError{Code: tracking.FileDamaged, Detail: "The PDF has no pages."}
	case err == nil:
		return nil
	case !errors.As(err, &exit):
		return fmt.Errorf("extract: pdftotext: %w", err)
	case strings.Contains(stderr, "Incorrect password") || exit.ExitCode() == 3:
		return &tracking.FileError{Code: tracking.FileEncrypted, Detail: "The PDF is encrypted, and cannot be read without its password."}
	case strings.Contains(stderr, "ut of memory") || strings.Contains(stderr, "bad_alloc"):
		return tooCostly("memory")
	case exit.ExitCode() < 0:
		return tooCostly("time or memory")
	case pages == 0 && strings.Contains(stderr, "wrong page range"):
		return &tracking.FileError{Code: tracking.FileDamaged, Detail: "The PDF has no pages."}
	}
	return &tracking.FileError{Code: tracking.FileDamaged, Detail: "The PDF is damaged, and cannot be read."}
}

// parse parses the output: a line for each page and each word.
func (p poppler) parse(r io.Reader) ([]tracking.TextPage, error) {
	var pages []tracking.TextPage
	words, left := 0, p.limits.Text
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 16<<10), 1<<20)
	for lines.Scan() {
		line := bytes.TrimLeft(lines.Bytes(), " ")
		switch {
		case bytes.HasPrefix(line, []byte("<page ")):
			if len(pages) == p.limits.Pages {
				return nil, pdftext.TooManyPages(p.limits.Pages)
			}
			pages = append(pages, tracking.TextPage{Width: attribute(line, "width"), Height: attribute(line, "height")})
		case bytes.HasPrefix(line, []byte("<word ")) && len(pages) > 0:
			if words++; words > p.limits.Words {
				return nil, pdftext.TooManyWords(p.limits.Words)
			}
			if w, ok := wordOf(line); ok {
				if left -= len(w.Text); left < 0 {
					return nil, pdftext.TooMuchText(p.limits.Text)
				}
				page := &pages[len(pages)-1]
				page.Words = append(page.Words, w)
			}
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, &tracking.FileError{Code: tracking.FileTooLarge, Detail: "The PDF has a word of a million characters."}
	}
	return pages, nil
}

// wordOf parses a line such as
//
//	<word xMin="1" yMin="2" xMax="3" yMax="4">text</word>
func wordOf(line []byte) (tracking.TextWord, bool) {
	tag, rest, _ := bytes.Cut(line, []byte(">"))
	raw, _, whole := bytes.Cut(rest, []byte("</word>"))
	text := strings.TrimSpace(html.UnescapeString(strings.ToValidUTF8(string(raw), "")))
	return tracking.TextWord{Text: text, Box: tracking.TextBox{
		Left: attribute(tag, "xMin"), Top: attribute(tag, "yMin"), Right: attribute(tag, "xMax"), Bottom: attribute(tag, "yMax"),
	}}, whole && text != ""
}

func attribute(tag []byte, name string) float64 {
	_, rest, _ := bytes.Cut(tag, []byte(" "+name+`="`))
	value, _, _ := bytes.Cut(rest, []byte(`"`))
	v, _ := strconv.ParseFloat(string(value), 64)
	return v
}

// limitedBuffer stores the first bytes that are written and drops the rest. It embeds no
// bytes.Buffer, whose ReadFrom io.Copy would use.
type limitedBuffer struct {
	kept []byte
	left int
}

func (h *limitedBuffer) Write(b []byte) (int, error) {
	keep := b[:min(len(b), h.left)]
	h.left -= len(keep)
	h.kept = append(h.kept, keep...)
	return len(b), nil
}

func (h *limitedBuffer) String() string { return string(h.kept) }
