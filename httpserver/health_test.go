package httpserver_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/trackingtest"
)

// newHealthBench is a server on a store that can fail, in a synctest bubble.
type newHealthBench struct {
	*bench
	store *failingStore
	log   bytes.Buffer
}

func newPatient(t *testing.T) *newHealthBench {
	t.Helper()
	p := &newHealthBench{store: &failingStore{}}
	tb := trackingtest.New(t, func(c *tracking.Config) { p.store.Store = c.Store; c.Store = p.store })
	p.bench = &bench{tb: t, Bench: tb}
	p.server = httpserver.New(httpserver.Config{Tracker: tb.Operator, Logger: slog.New(slog.NewTextHandler(&p.log, nil))})
	return p
}

// readyz sends one request and returns the status and the duration.
func (p *newHealthBench) readyz() (status int, took time.Duration) {
	start := time.Now()
	w := httptest.NewRecorder()
	p.server.ServeHTTP(w, request("GET", "/readyz", ""))
	return w.Code, time.Since(start)
}

// /healthz does not depend on the store. /readyz reports within two seconds that the
// store has stopped or started to accept writes, both for frequent and for single
// requests.
func TestHealth(t *testing.T) {
	full := fmt.Errorf("full: %w", tracking.ErrUnavailable)
	for name, err := range map[string]error{"full disk": full, "fault": errors.New("no such table")} {
		synctest.Test(t, func(t *testing.T) {
			p := newPatient(t)
			p.do("GET", "/readyz", "").want(200)
			p.store.set(err, nil)
			p.within(t, name, 2*time.Second, 503)
			p.do("GET", "/healthz", "").want(200)
			p.store.set(nil, nil)
			p.within(t, name+" is over", 2*time.Second, 200)
			if n := strings.Count(p.log.String(), "\n"); n != 2 {
				t.Errorf("%s: %d lines in the log, want one for each change: %s", name, n, &p.log)
			}

			time.Sleep(time.Minute) // nobody asks
			p.store.set(nil, func() { panic("broken") })
			if status, _ := p.readyz(); status != 503 {
				t.Errorf("a store that panics: %d", status)
			}
		})
	}
}

// within sends ten requests a second. Within the given time the status must change to
// the wanted one and stay.
func (p *newHealthBench) within(t *testing.T, what string, most time.Duration, want int) {
	t.Helper()
	for start := time.Now(); time.Since(start) < 2*most; time.Sleep(100 * time.Millisecond) {
		if status, _ := p.readyz(); status != want && time.Since(start) >= most {
			t.Errorf("%s: %d after %s", what, status, time.Since(start))
		}
	}
}

// Probes of a blocked store do not accumulate, and requests do not wait long.
func TestReadyWhileBlocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPatient(t)
		release, probes := make(chan struct{}), atomic.Int32{}
		p.store.set(nil, func() { probes.Add(1); <-release })
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if status, took := p.readyz(); status != 503 || took > time.Second {
					t.Errorf("blocked: %d after %s", status, took)
				}
			})
		}
		p.do("GET", "/healthz", "").want(200)
		wg.Wait()
		for range 100 {
			if status, took := p.readyz(); status != 503 || took != 0 {
				t.Errorf("still blocked: %d after %s", status, took)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if n := probes.Load(); n != 1 {
			t.Errorf("%d probes, want 1 that waits", n)
		}
		p.store.set(nil, nil)
		close(release)
		p.within(t, "released", 2*time.Second, 200)
	})
}

// The store gets at most two probe writes a second, regardless of the number of
// requests.
func TestReadyIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPatient(t)
		var writes atomic.Int32
		p.store.set(nil, func() { writes.Add(1) })
		for range 1000 {
			p.do("GET", "/readyz", "").want(200)
			time.Sleep(10 * time.Millisecond)
		}
		if n := writes.Load(); n < 15 || n > 20 {
			t.Errorf("%d probes in 10 seconds", n)
		}
	})
}
