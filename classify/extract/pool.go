package extract

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/landfallhq/tracking"
)

// pool keeps children of this program that wait for a PDF to read: starting one
// costs more than reading most files.
type pool struct {
	limits Limits
	mu     sync.Mutex
	idle   []*child
}

// A child serves so many files; then it is replaced, and what leaked is gone.
const filesPerChild = 500

type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.Reader
	stderr *head
	files  int
}

// read has an idle child read the file, or a new one. A child that does anything
// but answer is killed with its group, and its like starts afresh with the next
// file.
func (p *pool) read(ctx context.Context, f tracking.DocumentFile) ([]tracking.TextPage, error) {
	c, err := p.take()
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { endGroup(c.cmd) })
	a, err := c.ask(f, p.limits)
	if !stop() || err != nil {
		return nil, c.bury(ctx, err)
	}
	p.put(c)
	if a.Err != nil {
		return nil, a.Err
	}
	return a.Pages, nil
}

func (p *pool) take() (*child, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return c, nil
	}
	return start(p.limits)
}

func (p *pool) put(c *child) {
	if c.files++; c.files >= filesPerChild {
		c.end()
		return
	}
	p.mu.Lock()
	p.idle = append(p.idle, c)
	p.mu.Unlock()
}

func (p *pool) close() {
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, c := range idle {
		c.end()
	}
}

// start runs this program again as a child, with nothing of its environment.
func start(l Limits) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("extract: %w", err)
	}
	limits, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.Command(self), stderr: &head{left: 4 << 10}}
	c.cmd.Env = []string{childVariable + "=" + string(limits), "GOMAXPROCS=1", "GOTRACEBACK=none"}
	c.cmd.Stderr = c.stderr
	group(c.cmd)
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if c.stdout, err = c.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("extract: starting a reader: %w", err)
	}
	return c, nil
}

// ask hands over a file and returns the answer.
func (c *child) ask(f tracking.DocumentFile, l Limits) (a answer, err error) {
	if _, err := c.stdin.Write(binary.BigEndian.AppendUint64(nil, uint64(f.Size))); err != nil {
		return a, err
	}
	if n, err := io.Copy(c.stdin, f.Open()); err != nil || n != f.Size {
		return a, fmt.Errorf("extract: handing over the file: %d of %d bytes: %w", n, f.Size, err)
	}
	reply, err := receive(c.stdout, int64(l.Words)*512+1<<20)
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(reply, &a)
}

// end lets an idle child go: it ends with its input.
func (c *child) end() {
	c.stdin.Close()
	endGroup(c.cmd)
	c.cmd.Wait()
}

// bury kills a child and says what it died of.
func (c *child) bury(ctx context.Context, cause error) error {
	c.stdin.Close()
	if ctx.Err() != nil {
		endGroup(c.cmd)
	}
	// Whatever is wrong with the pipe, a child that lives on is of no use. One that
	// has ended says why by its exit, so it is given no signal that would hide it.
	if cause != nil && !errors.Is(cause, io.EOF) && !errors.Is(cause, io.ErrUnexpectedEOF) && !strings.Contains(cause.Error(), "broken pipe") {
		endGroup(c.cmd)
	}
	c.cmd.Wait()
	endGroup(c.cmd)
	stderr := c.stderr.String()
	switch code := c.cmd.ProcessState.ExitCode(); {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return tooCostly("time")
	case ctx.Err() != nil:
		return ctx.Err()
	case code == exitCPU:
		return tooCostly("time")
	case strings.Contains(stderr, "out of memory") || strings.Contains(stderr, "cannot allocate") || strings.Contains(stderr, "stack exceeds") || strings.Contains(stderr, "stack overflow"):
		return tooCostly("memory")
	case code < 0:
		return tooCostly("time or memory")
	}
	return fmt.Errorf("extract: the reader ended: %w: %s", cause, strings.TrimSpace(stderr))
}
