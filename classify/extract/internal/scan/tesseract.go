package scan

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
)

// Engine runs tesseract. Its input is only ever a grey bitmap that this package has made, so
// no decoder of pictures of its own sees a byte of a file. It is given no file and writes
// none.
type Engine struct {
	Path      string // of the program
	Languages string // as of -l: "eng+deu"
	Data      string // TESSDATA_PREFIX; empty for the program's own
	// Started is called with each process before it gets its input, to limit it; nil for
	// none.
	Started func(pid int) error
	// Ended is called with each process that has ended; nil for none.
	Ended func(*exec.Cmd) error
}

// asAWhole returns the recognition of a whole page as text in any order.
func (e *Engine) asAWhole(ctx context.Context, g *Gray, points float64) Former {
	return func(tracking.TextPage) (all []tracking.TextWord, err error) {
		found, err := e.recognize(ctx, g, sparse)
		const least = 50
		for _, t := range found {
			if t.confidence >= least {
				all = append(all, tracking.TextWord{Text: t.text, Box: tracking.TextBox{
					Left: float64(t.left) * points, Top: float64(t.top) * points,
					Right: float64(t.left+t.width) * points, Bottom: float64(t.top+t.height) * points,
				}})
			}
		}
		return all, err
	}
}

// token is a word that tesseract has recognised, in dots of the bitmap.
type token struct {
	text                     string
	left, top, width, height int
	confidence               float64 // from 0 to 100
}

// mostAnswer bounds what tesseract answers, in bytes.
const mostAnswer = 4 << 20

// What a bitmap has, as --psm of tesseract.
const (
	oneColumn = "6"  // lines of text below one another
	sparse    = "11" // text in any order
)

// recognize reads a bitmap.
func (e *Engine) recognize(ctx context.Context, g *Gray, has string) ([]token, error) {
	cmd := exec.CommandContext(ctx, e.Path, "stdin", "stdout", "-l", e.Languages, "--dpi", "300", "--psm", has, "-c", "tessedit_create_tsv=1")
	cmd.Env = []string{"OMP_THREAD_LIMIT=1", "LC_ALL=C"}
	if e.Data != "" {
		cmd.Env = append(cmd.Env, "TESSDATA_PREFIX="+e.Data)
	}
	var said bytes.Buffer
	cmd.Stderr = &limited{&said, 4 << 10}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting tesseract: %w", err)
	}
	defer func() {
		cmd.Process.Kill()
		cmd.Wait()
	}()
	if e.Started != nil {
		if err := e.Started(cmd.Process.Pid); err != nil {
			return nil, err
		}
	}
	go func() {
		fmt.Fprintf(in, "P5\n%d %d\n255\n", g.Width, g.Height)
		in.Write(g.Pix)
		in.Close()
	}()
	answer, err := io.ReadAll(io.LimitReader(out, mostAnswer))
	if err != nil {
		return nil, err
	}
	err = cmd.Wait()
	if e.Ended != nil {
		if err := e.Ended(cmd); err != nil {
			return nil, err
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("tesseract: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return tokens(string(answer)), nil
}

// tokens reads words in the form of tesseract's TSV. Lines that are no word are left out.
func tokens(tsv string) []token {
	var all []token
	for line := range strings.Lines(tsv) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		const word = "5" // of page, block, paragraph, line and word
		if len(f) != 12 || f[0] != word {
			continue
		}
		var n [4]int
		good := true
		for i := range n {
			var err error
			n[i], err = strconv.Atoi(f[6+i])
			good = good && err == nil
		}
		confidence, err := strconv.ParseFloat(f[10], 64)
		if text := strings.TrimSpace(strings.ToValidUTF8(f[11], "")); good && err == nil && text != "" {
			all = append(all, token{text, n[0], n[1], n[2], n[3], min(max(confidence, 0), 100)})
		}
	}
	return all
}

// limited keeps the first bytes that are written.
type limited struct {
	to   *bytes.Buffer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	keep := b[:min(len(b), l.left)]
	l.left -= len(keep)
	l.to.Write(keep)
	return len(b), nil
}
