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
	// probeTTL is for how long the outcome of a probe is the answer.
	probeTTL = 500 * time.Millisecond
	// probeTimeout is how old a probe may become before the store counts as
	// blocked. The probe goes on: its end shows that the store takes writes again.
	probeTimeout = time.Second
	// checkTimeout is how long a probe waits for its turn to write. It is then
	// over, and the next begins when somebody asks.
	checkTimeout = 2 * time.Second
)

// readiness knows whether the store takes writes. It runs one probe at a time.
type readiness struct {
	check  func(context.Context) error
	logger *slog.Logger

	mu             sync.Mutex
	latest         *probe
	loggedNotReady bool // the log has it that the store takes no writes
}

type probe struct {
	began time.Time
	done  chan struct{}
	// Set before done is closed.
	err   error
	ended time.Time
}

var errNotReady = errors.New("httpserver: the store did not answer in time")

// await returns nil when the store takes writes.
func (d *readiness) await() error {
	p := d.currentProbe()
	patience := time.NewTimer(time.Until(p.began.Add(probeTimeout)))
	defer patience.Stop()
	err := errNotReady
	select {
	case <-p.done:
		err = p.err
	case <-patience.C:
		if p.finished() {
			err = p.err
		}
	}
	d.logChange(err)
	return err
}

// currentProbe returns the probe that answers now: one that is running, or whose
// outcome still counts, or else a new one.
func (d *readiness) currentProbe() *probe {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.latest; p != nil && (!p.finished() || time.Since(p.ended) < probeTTL) {
		return p
	}
	p := &probe{began: time.Now(), done: make(chan struct{})}
	d.latest = p
	go d.run(p)
	return p
}

func (p *probe) finished() bool {
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
	ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
	defer cancel()
	p.err = d.check(ctx)
}

// logChange notes when the answer becomes another one.
func (d *readiness) logChange(err error) {
	d.mu.Lock()
	changed := d.loggedNotReady != (err != nil)
	d.loggedNotReady = err != nil
	d.mu.Unlock()
	switch {
	case !changed:
	case err != nil:
		d.logger.Warn("not ready", "error", err)
	default:
		d.logger.Info("ready again")
	}
}

// healthz serves /healthz: the process answers. It asks nothing of the store.
func healthz(req *request) error {
	req.respondJSON(http.StatusOK, `{"status":"ok"}`)
	return nil
}

// readyz serves /readyz: the store takes writes.
func readyz(req *request) error {
	if err := req.ready.await(); err != nil {
		return &tracking.Error{Kind: tracking.Unavailable, Detail: "The store does not take writes now."}
	}
	req.respondJSON(http.StatusOK, `{"status":"ready"}`)
	return nil
}
