package httpserver

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

// readyWithin is how long the store has to take an empty transaction.
const readyWithin = 2 * time.Second

// readiness runs one check at a time, which all who ask meanwhile wait for: the
// probe needs no key, and each check is a commit.
type readiness struct {
	check func() error

	mu      sync.Mutex
	running *probe
}

type probe struct {
	done chan struct{}
	err  error
}

var errNotReady = errors.New("httpserver: the store did not answer in time")

// ask returns nil when the store takes writes. It does not outlast readyWithin
// even where the check does.
func (d *readiness) ask() error {
	p := d.join()
	timer := time.NewTimer(readyWithin)
	defer timer.Stop()
	select {
	case <-p.done:
		return p.err
	case <-timer.C:
		return errNotReady
	}
}

func (d *readiness) join() *probe {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.running != nil {
		return d.running
	}
	p := &probe{done: make(chan struct{})}
	d.running = p
	go d.run(p)
	return p
}

func (d *readiness) run(p *probe) {
	defer close(p.done)
	defer func() {
		if r := recover(); r != nil { // on this goroutine it would end the process
			p.err = fmt.Errorf("httpserver: the check panicked: %v", r)
		}
		d.mu.Lock()
		d.running = nil
		d.mu.Unlock()
	}()
	p.err = d.check()
}

// alive serves /healthz: the process answers. It asks nothing of the store.
func alive(c *call) error {
	c.answerJSON(http.StatusOK, `{"status":"ok"}`)
	return nil
}

// ready serves /readyz: the store takes writes.
func ready(c *call) error {
	if err := c.ready.ask(); err != nil {
		c.config.Logger.Warn("not ready", "request_id", c.id, "error", err)
		return &tracking.Error{Kind: tracking.Unavailable, Detail: "The store does not take writes now."}
	}
	c.answerJSON(http.StatusOK, `{"status":"ready"}`)
	return nil
}
