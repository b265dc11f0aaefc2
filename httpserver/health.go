package httpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

// /readyz needs no key and each probe is a commit, so all who ask share one. A
// store that stops taking writes is not ready 1.5 seconds later: what was found
// before counts for probeCounts, and after that a probe has probePatience.
const (
	// probeCounts is for how long the outcome of a probe is the answer.
	probeCounts = 500 * time.Millisecond
	// probePatience is how old a probe may become before the store counts as
	// blocked. The probe goes on: its end shows that the store takes writes again.
	probePatience = time.Second
	// probeTurn is how long a probe waits for its turn to write. It is then
	// over, and the next begins when somebody asks.
	probeTurn = 2 * time.Second
)

// readiness knows whether the store takes writes. It runs one probe at a time.
type readiness struct {
	check  func(context.Context) error
	logger *slog.Logger

	mu     sync.Mutex
	latest *probe
	told   bool // the log has it that the store takes no writes
}

type probe struct {
	began time.Time
	done  chan struct{}
	// Set before done is closed.
	err   error
	ended time.Time
}

var errNotReady = errors.New("httpserver: the store did not answer in time")

// ask returns nil when the store takes writes.
func (d *readiness) ask() error {
	p := d.current()
	patience := time.NewTimer(time.Until(p.began.Add(probePatience)))
	defer patience.Stop()
	err := errNotReady
	select {
	case <-p.done:
		err = p.err
	case <-patience.C:
		if p.over() {
			err = p.err
		}
	}
	d.log(err)
	return err
}

// current returns the probe that answers now: one that is running, or whose
// outcome still counts, or else a new one.
func (d *readiness) current() *probe {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.latest; p != nil && (!p.over() || time.Since(p.ended) < probeCounts) {
		return p
	}
	p := &probe{began: time.Now(), done: make(chan struct{})}
	d.latest = p
	go d.run(p)
	return p
}

func (p *probe) over() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (d *readiness) run(p *probe) {
	defer close(p.done)
	defer func() {
		if r := recover(); r != nil { // on this goroutine it would end the process
			p.err = fmt.Errorf("httpserver: the check panicked: %v", r)
		}
		p.ended = time.Now()
	}()
	ctx, cancel := context.WithTimeout(context.Background(), probeTurn)
	defer cancel()
	p.err = d.check(ctx)
}

// log notes when the answer becomes another one.
func (d *readiness) log(err error) {
	d.mu.Lock()
	changed := d.told != (err != nil)
	d.told = err != nil
	d.mu.Unlock()
	switch {
	case !changed:
	case err != nil:
		d.logger.Warn("not ready", "error", err)
	default:
		d.logger.Info("ready again")
	}
}

// alive serves /healthz: the process answers. It asks nothing of the store.
func alive(c *call) error {
	c.answerJSON(http.StatusOK, `{"status":"ok"}`)
	return nil
}

// ready serves /readyz: the store takes writes.
func ready(c *call) error {
	if err := c.ready.ask(); err != nil {
		return &tracking.Error{Kind: tracking.Unavailable, Detail: "The store does not take writes now."}
	}
	c.answerJSON(http.StatusOK, `{"status":"ready"}`)
	return nil
}
