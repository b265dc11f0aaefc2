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

// pool keeps children of this program that wait for a PDF to read: starting one
// costs more than reading most files.
type pool struct {
	limits Limits
	life   time.Duration // of a child; see orders
	mu     sync.Mutex
	idle   []*child
}

// A child serves so many files at most; then it is replaced, and what leaked is
// gone.
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
// file. One that had waited may have been ended by anybody: where it does not say
// itself what it died of, the file goes to a new one.
func (p *pool) read(ctx context.Context, f tracking.DocumentFile) ([]tracking.TextPage, error) {
	c, err := p.take()
	if err != nil {
		return nil, err
	}
	a, died := p.ask(ctx, c, f)
	if died != nil && c.files > 0 && ctx.Err() == nil && died.unexplained() {
		if c, err = start(p.limits, p.life); err != nil {
			return nil, err
		}
		a, died = p.ask(ctx, c, f)
	}
	switch {
	case died != nil:
		return nil, died.fault(ctx)
	case a.Err != nil:
		return nil, a.Err
	}
	return a.Pages, nil
}

// ask has a child read a file, and puts it back or buries it.
func (p *pool) ask(ctx context.Context, c *child, f tracking.DocumentFile) (answer, *death) {
	stop := context.AfterFunc(ctx, func() { endGroup(c.cmd) })
	a, err := c.ask(f, p.limits)
	if !stop() || err != nil {
		return a, c.bury(ctx, err)
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

// start runs this program again as a child, with nothing of its environment.
func start(l Limits, life time.Duration) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("extract: %w", err)
	}
	told, err := json.Marshal(orders{l, life})
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.Command(self), stderr: &head{left: 4 << 10}}
	c.cmd.Env = []string{childVariable + "=" + string(told), "GOMAXPROCS=1", "GOTRACEBACK=none"}
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

// end lets an idle child go: it ends with its input.
func (c *child) end() {
	c.stdin.Close()
	endGroup(c.cmd)
	c.cmd.Wait()
}

// death is how a child ended that did not answer.
type death struct {
	cause error // what was seen of it here; nil when its time was over just then
	// killed: it was ended from here.
	killed bool
	code   int // of its exit; less than 0 for a signal
	stderr string
}

// bury kills a child that does not answer and says what it died of.
func (c *child) bury(ctx context.Context, cause error) *death {
	c.stdin.Close()
	// Whatever is wrong with the pipe, a child that lives on is of no use. One that
	// has ended says why by its exit, so it is given no signal that would hide it.
	d := &death{cause: cause, killed: ctx.Err() != nil || !isEnd(cause)}
	if d.killed {
		endGroup(c.cmd)
	}
	c.cmd.Wait()
	endGroup(c.cmd)
	d.code, d.stderr = c.cmd.ProcessState.ExitCode(), c.stderr.String()
	return d
}

// isEnd reports whether a fault of the pipes is the end of the child.
func isEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE)
}

// unexplained reports whether the child was ended by what may not be the file.
func (d *death) unexplained() bool { return !d.killed && d.code != exitCPU && !d.noMemory() }

func (d *death) noMemory() bool {
	for _, said := range []string{"out of memory", "cannot allocate", "stack exceeds", "stack overflow"} {
		if strings.Contains(d.stderr, said) {
			return true
		}
	}
	return false
}

// fault is the death as the error of the file, or as one of the machine.
func (d *death) fault(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return over(ctx)
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
