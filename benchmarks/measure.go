package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// figures are what one measurement gives, each for one request where it is not
// a rate: see the constants.
type figures [figureCount]float64

// The figures. CPU and allocations are the server's alone.
const (
	perSecond = iota
	p50       // us
	p99       // us
	cpu       // us
	client    // us of CPU of the load generator
	allocs
	allocated // bytes
	body      // bytes of the response
	figureCount
)

// medians are those of each figure on its own.
func medians(rounds []figures) (m figures) {
	for i := range m {
		values := make([]float64, len(rounds))
		for n, f := range rounds {
			values[n] = f[i]
		}
		m[i] = median(values)
	}
	return m
}

func median[T cmp.Ordered](values []T) (none T) {
	if len(values) == 0 {
		return none
	}
	values = slices.Sorted(slices.Values(values))
	return values[len(values)/2]
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

// meter reads what this process uses.
type meter struct {
	cpu time.Duration
	mem runtime.MemStats
}

func (m *meter) start() {
	runtime.ReadMemStats(&m.mem)
	m.cpu = cpuTime()
}

// stop leaves what was used since start.
func (m *meter) stop() {
	m.cpu = cpuTime() - m.cpu
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	m.mem.Mallocs = now.Mallocs - m.mem.Mallocs
	m.mem.TotalAlloc = now.TotalAlloc - m.mem.TotalAlloc
}

// figures are what was used, for each of n operations.
func (m *meter) figures(n int) (f figures) {
	each := float64(max(1, n))
	f[cpu] = micros(m.cpu) / each
	f[allocs] = float64(m.mem.Mallocs) / each
	f[allocated] = float64(m.mem.TotalAlloc) / each
	return f
}

// time fills in how long n operations took in all, and each.
func (f *figures) time(n int, took, half, nearly time.Duration) {
	f[perSecond] = float64(n) / took.Seconds()
	f[p50], f[p99] = micros(half), micros(nearly)
}

// serveHTTP starts a server on a free port of this machine, set up as the
// program sets up its own. It stops when ctx ends.
func serveHTTP(ctx context.Context, h http.Handler) (addr string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	s := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    32 << 10,
	}
	go func() { _ = s.Serve(listener) }() // it ends with an error always: closed
	context.AfterFunc(ctx, func() { _ = s.Close() })
	return listener.Addr().String(), nil
}

// side is one of the servers that are measured with the same requests.
type side struct{ name, addr string }

// The names of the sides.
const (
	oursPlain  = "ours"
	oursCached = "ours, caches"
	bareHTTP   = "bare"
	naiveKnown = "naive, total known"
	naiveCount = "naive, count(*)"
)

// measured are the figures of one request over HTTP, of each side by round.
type measured struct {
	name  string
	sides []string
	of    map[string][]figures
}

// ratio is the median, least and greatest of one side over another within one
// round.
func (m *measured) ratio(one, other string, of int) (mid, least, most float64) {
	return ratio(m.of[one], m.of[other], func(f figures) float64 { return f[of] })
}

// ratio compares a figure of two measurements round by round: the median, the
// least and the greatest. They are 0 when there is nothing to compare.
func ratio(one, other []figures, figure func(figures) float64) (mid, least, most float64) {
	var all []float64
	for i := range min(len(one), len(other)) {
		if of := figure(other[i]); of > 0 {
			all = append(all, figure(one[i])/of)
		}
	}
	if len(all) == 0 {
		return 0, 0, 0
	}
	return median(all), slices.Min(all), slices.Max(all)
}

// run has one round: all sides, in random order.
func (m *measured) run(ctx context.Context, r *rand.Rand, t *target, plan plan) error {
	for _, i := range r.Perm(len(t.sides)) {
		f, err := t.load(ctx, t.sides[i], plan, r.Uint64())
		if err != nil {
			return fmt.Errorf("%s, %s: %w", t.name, t.sides[i].name, err)
		}
		m.of[t.sides[i].name] = append(m.of[t.sides[i].name], f)
	}
	return nil
}

// target is a request that can be measured over HTTP.
type target struct {
	name        string
	sides       []side
	connections int
	asks        []request
	// requests makes the requests of each load, for an address.
	requests func(addr string) ([][]byte, error)
	// once: each can be sent only once, and unsent hears how many were not sent.
	once   bool
	unsent func(n int)
	sent   int // to ours
}

// load measures one server under load.
func (t *target) load(ctx context.Context, s side, plan plan, seed uint64) (f figures, err error) {
	requests, err := t.requests(s.addr)
	if err != nil {
		return f, err
	}
	j := job{Addr: s.addr, Requests: requests, Once: t.once, Connections: t.connections, Seed: seed, Each: plan.each}
	if !t.once {
		j.Warm = plan.each / 10
	}
	runtime.GC() // what was left behind before is nobody's here
	var m meter
	o, err := underLoad(ctx, j, m.start, m.stop)
	if err != nil {
		return f, err
	}
	if o.Requests == 0 {
		return f, fmt.Errorf("no request was answered in %s", plan.each)
	}
	sent := 0
	if s.name == oursPlain {
		sent = o.Requests
	}
	t.sent += sent
	if t.once {
		t.unsent(len(requests) - sent)
	}
	f = m.figures(o.Requests)
	f.time(o.Requests, o.Took, o.P50, o.P99)
	f[client] = micros(o.CPU) / float64(o.Requests)
	f[body] = float64(o.Bytes) / float64(o.Requests)
	return f, nil
}

// bare is a net/http handler that does no more than answer with given bytes, in
// turn where there are several.
func bare(bodies [][]byte) http.Handler {
	var turn atomic.Uint64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			drain(r)
		}
		b := bodies[turn.Add(1)%uint64(len(bodies))]
		h := w.Header()
		h["Content-Type"] = jsonType
		h.Set("Content-Length", fmt.Sprint(len(b)))
		_, _ = w.Write(b) // it fails when the load ends
	})
}

var jsonType = []string{"application/json"}

// repeat calls fn on so many goroutines until the time is over, and measures it
// as one operation each. fn returns false when it has nothing left to do.
func repeat(goroutines int, length time.Duration, fn func() (bool, error)) (f figures, n int, err error) {
	var running sync.WaitGroup
	var failed atomic.Pointer[error]
	took := make([][]time.Duration, goroutines)
	runtime.GC()
	var m meter
	m.start()
	begin := time.Now()
	for i := range goroutines {
		running.Go(func() {
			for failed.Load() == nil {
				from := time.Now()
				if from.Sub(begin) > length {
					return
				}
				more, err := fn()
				if err != nil {
					failed.CompareAndSwap(nil, &err)
				}
				if err != nil || !more {
					return
				}
				took[i] = append(took[i], time.Since(from))
			}
		})
	}
	running.Wait()
	whole := time.Since(begin)
	all := slices.Concat(took...)
	m.stop()
	f = m.figures(len(all))
	half, nearly := percentiles(all)
	f.time(len(all), whole, half, nearly)
	if p := failed.Load(); p != nil {
		err = *p
	}
	return f, len(all), err
}
