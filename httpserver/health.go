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

// /readyz needs no key and each probe commits a transaction, so concurrent requests
// share a probe. When a store stops accepting writes, /readyz reports it within 1.5
// seconds: probeTTL plus probeTimeout.
const (
	// probeTTL is how long the result of a probe is reused.
	probeTTL = 500 * time.Millisecond
	// probeTimeout is when a running probe counts as failed. The probe goes on, and
	// its end shows that the store accepts writes again.
	probeTimeout = time.Second
	// checkTimeout ends a probe. The next request starts another.
	checkTimeout = 2 * time.Second
)

// readiness checks whether the store accepts writes. It runs one probe at a time.
type readiness struct {
	check  func(context.Context) error
	logger *slog.Logger

	mu             sync.Mutex
	latest         *probe
	loggedNotReady bool // the last logged state is "not ready"
}

type probe struct {
	began time.Time
	done  chan struct{}
	// err and ended are set before done is closed.
	err   error
	ended time.Time
}

var errNotReady = errors.New("httpserver: the store did not answer in time")

// await returns nil if the store accepts writes.
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

// currentProbe returns a probe that is running or still valid, or starts one.
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
		if r := recover(); r != nil { // a panic on this goroutine would end the process
			p.err = fmt.Errorf("httpserver: the check panicked: %v", r)
		}
		p.ended = time.Now()
	}()
	ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
	defer cancel()
	p.err = d.check(ctx)
}

// logChange logs changes between ready and not ready.
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

// healthz reports that the process responds. It does not use the store.
func healthz(req *request) error {
	req.respondJSON(http.StatusOK, `{"status":"ok"}`)
	return nil
}

// Drain makes /readyz respond with 503 from now on, so that a load balancer sends no
// further clients, and ends the streams of events, which http.Server.Shutdown would wait
// for. Everything else is served as before.
func (s *Server) Drain() {
	s.draining.Store(true)
	s.streams.end()
}

// readyz reports whether the store accepts writes, until Drain.
func readyz(req *request) error {
	if req.draining.Load() {
		return &tracking.Error{Kind: tracking.Unavailable, Detail: "The server is shutting down."}
	}
	if err := req.ready.await(); err != nil {
		return &tracking.Error{Kind: tracking.Unavailable, Detail: "The store does not accept writes now."}
	}
	req.respondJSON(http.StatusOK, `{"status":"ready"}`)
	return nil
}
