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
	"syscall"
	"time"

	"github.com/landfallhq/tracking"
)

// pool has idle child processes, because starting one costs more than reading most files.
type pool struct {
	limits Limits
	life   time.Duration // see childConfig
	mu     sync.Mutex
	idle   []*child
}

// filesPerChild is how many files a child reads before it is replaced, which frees leaked
// memory.
const filesPerChild = 500

type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.Reader
	stderr *limitedBuffer
	files  int
}

// read reads the file in an idle child or a new one. A child that does not answer is killed
// with its process group. A child that had been idle may have been killed for another
// reason than the file: if it does not report the cause, a new one reads the file.
func (p *pool) read(ctx context.Context, f tracking.DocumentFile) ([]tracking.TextPage, error) {
	c, err := p.take()
	if err != nil {
		return nil, err
	}
	a, ended := p.ask(ctx, c, f)
	if ended != nil && c.files > 0 && ctx.Err() == nil && ended.unexplained() {
		if c, err = start(p.limits, p.life); err != nil {
			return nil, err
		}
		a, ended = p.ask(ctx, c, f)
	}
	switch {
	case ended != nil:
		return nil, ended.fault(ctx)
	case a.Err != nil:
		return nil, a.Err
	}
	return a.Pages, nil
}

// ask reads a file in a child, and then returns the child to the pool or stops it.
func (p *pool) ask(ctx context.Context, c *child, f tracking.DocumentFile) (answer, *exit) {
	stop := context.AfterFunc(ctx, func() { killGroup(c.cmd) })
	a, err := c.ask(f, p.limits)
	if !stop() || err != nil {
		return a, c.stop(ctx, err)
	}
	p.put(c, a.Last)
	return a, nil
}

func (p *pool) take() (*child, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return c, nil
	}
	return start(p.limits, p.life)
}

func (p *pool) put(c *child, last bool) {
	if c.files++; last || c.files >= filesPerChild {
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

// start starts this program as a child, without its environment.
func start(l Limits, life time.Duration) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("extract: %w", err)
	}
	config, err := json.Marshal(childConfig{l, life})
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.Command(self), stderr: &limitedBuffer{left: 4 << 10}}
	c.cmd.Env = []string{childVariable + "=" + string(config), "GOMAXPROCS=1", "GOTRACEBACK=none"}
	c.cmd.Stderr = c.stderr
	setGroup(c.cmd)
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

// ask sends a file to the child and returns the answer.
func (c *child) ask(f tracking.DocumentFile, l Limits) (a answer, err error) {
	if _, err := c.stdin.Write(binary.BigEndian.AppendUint64(nil, uint64(f.Size))); err != nil {
		return a, err
	}
	switch n, err := io.Copy(c.stdin, f.Open()); {
	case err != nil:
		return a, fmt.Errorf("handing over the file: %w", err)
	case n != f.Size:
		return a, fmt.Errorf("the file has %d bytes, not %d", n, f.Size)
	}
	reply, err := receive(c.stdout, int64(l.Words)*512+1<<20)
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(reply, &a)
}

// end ends an idle child by closing its input.
func (c *child) end() {
	c.stdin.Close()
	killGroup(c.cmd)
	c.cmd.Wait()
}

// exit is how a child ended that did not answer.
type exit struct {
	cause error // nil if only its time was over
	// killed: by this process.
	killed bool
	code   int // exit code; negative for a signal
	stderr string
}

// stop kills a child that does not answer, and reports how it ended.
func (c *child) stop(ctx context.Context, cause error) *exit {
	c.stdin.Close()
	// A child that has ended by itself gets no signal, which would hide its exit code.
	d := &exit{cause: cause, killed: ctx.Err() != nil || !isEnd(cause)}
	if d.killed {
		killGroup(c.cmd)
	}
	c.cmd.Wait()
	killGroup(c.cmd)
	d.code, d.stderr = c.cmd.ProcessState.ExitCode(), c.stderr.String()
	return d
}

// isEnd reports whether an error of a pipe means that the child has ended.
func isEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE)
}

// unexplained reports whether the file may not be the cause.
func (d *exit) unexplained() bool { return !d.killed && d.code != exitCPU && !d.noMemory() }

func (d *exit) noMemory() bool {
	for _, said := range []string{"out of memory", "cannot allocate", "stack exceeds", "stack overflow"} {
		if strings.Contains(d.stderr, said) {
			return true
		}
	}
	return false
}

// fault returns the error for the caller: a FileError if the file is the cause.
func (d *exit) fault(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return contextError(ctx)
	case d.killed:
	case d.code == exitCPU:
		return tooCostly("time")
	case d.noMemory():
		return tooCostly("memory")
	case d.code < 0:
		return tooCostly("time or memory")
	}
	return fmt.Errorf("extract: the reader ended: %w: %s", d.cause, strings.TrimSpace(d.stderr))
}
