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
	config   childConfig
	engine   func() (*engine, string) // nil in a pool whose children recognise nothing
	starting sync.Mutex               // one starts at a time: the first compiles for the others
	mu       sync.Mutex
	idle     []*child
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
func (p *pool) read(ctx context.Context, f tracking.DocumentFile) (answer, error) {
	return p.answer(ctx, f, 0)
}

// answer reads the file, or draws a page of it.
func (p *pool) answer(ctx context.Context, f tracking.DocumentFile, page int) (answer, error) {
	c, err := p.take(ctx)
	if err != nil {
		return answer{}, err
	}
	a, ended, err := p.ask(ctx, c, f, page)
	if ended != nil && c.files > 0 && ended.unexplained() {
		if c, err = p.start(ctx); err != nil {
			return answer{}, err
		}
		a, _, err = p.ask(ctx, c, f, page)
	}
	switch {
	case err != nil:
		return answer{}, err
	case a.Err != nil:
		return answer{}, a.Err
	}
	return a, nil
}

// ask reads a file in a child within Limits.Wall, and then returns the child to the pool or
// stops it: then it returns how that ended, and the error for the caller.
func (p *pool) ask(ctx context.Context, c *child, f tracking.DocumentFile, page int) (answer, *exit, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, p.config.Wall, errWall)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { killGroup(c.cmd) })
	a, err := c.ask(f, page, p.config.Limits)
	if !stop() || err != nil {
		ended := c.stop(ctx, err)
		return a, ended, ended.fault(ctx)
	}
	p.put(c, a.Last)
	return a, nil, nil
}

func (p *pool) take(ctx context.Context) (*child, error) {
	if c := p.takeIdle(); c != nil {
		return c, nil
	}
	return p.start(ctx)
}

func (p *pool) takeIdle() *child {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle)
	if n == 0 {
		return nil
	}
	c := p.idle[n-1]
	p.idle = p.idle[:n-1]
	return c
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

// startTime is how long a child may take to be ready, on a machine that does much else.
const startTime = 2 * time.Minute

// start starts this program as a child, without its environment, and waits until it is
// ready. A child that had to compile is replaced by one that has loaded what was compiled.
func (p *pool) start(ctx context.Context) (*child, error) {
	p.starting.Lock()
	defer p.starting.Unlock()
	config := p.config
	if p.engine != nil {
		config.Engine, _ = p.engine()
	}
	c, ended, err := startChild(ctx, config)
	if ended != nil && ended.code == exitCompiled {
		config.Again = true
		c, _, err = startChild(ctx, config)
	}
	return c, err
}

// startChild starts a child and waits until it is ready, or returns how it ended.
func startChild(ctx context.Context, config childConfig) (*child, *exit, error) {
	if ctx.Err() != nil {
		return nil, nil, contextError(ctx)
	}
	c, err := newChild(config)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { killGroup(c.cmd) })
	_, err = receive(c.stdout, 0)
	if stop() && err == nil {
		return c, nil, nil
	}
	ended := c.stop(ctx, err)
	if ctx.Err() != nil {
		return nil, ended, contextError(ctx)
	}
	return nil, ended, fmt.Errorf("extract: the reader did not start: %w: %s", err, strings.TrimSpace(c.stderr.String()))
}

func newChild(config childConfig) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("extract: %w", err)
	}
	text, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.Command(self), stderr: &limitedBuffer{left: 4 << 10}}
	// PDFium does not yield, so a second thread watches its time.
	c.cmd.Env = []string{childVariable + "=" + string(text), "GOMAXPROCS=2", "GOTRACEBACK=none"}
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
func (c *child) ask(f tracking.DocumentFile, page int, l Limits) (a answer, err error) {
	if _, err := c.stdin.Write(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(page)), uint64(f.Size))); err != nil {
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
	for _, said := range []string{"out of memory", "cannot allocate", "pthread_create failed"} {
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
