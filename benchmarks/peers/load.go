package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// The load is made by a process of its own, and is the same for every server. It speaks
// HTTP/1.1 by hand: a net/http client would take more of the machine than a server does.

// job is what the load generator is to do.
type job struct {
	Addr string
	// Requests are whole HTTP requests. They are drawn at random, or, when Once, sent in
	// order and each at most once.
	Requests    [][]byte
	Once        bool
	Connections int
	Seed        uint64
	// Warm and Each are how long the load runs unmeasured and measured.
	Warm, Each time.Duration
}

// outcome is what the load generator has seen.
type outcome struct {
	Requests int
	Bytes    int64 // of the bodies
	Took     time.Duration
	P50, P99 time.Duration
	Err      string
}

// loadMain is the load generator: it warms up, says so, waits for the word, makes the load,
// and reports the outcome. It ends when its parent does.
func loadMain(_ context.Context, p *parent) error {
	var j job
	if err := p.hear(&j); err != nil {
		return err
	}
	l, err := newLoader(j)
	if err != nil {
		return p.say(outcome{Err: err.Error()})
	}
	if err := p.say(l.run(j.Warm)); err != nil {
		return err
	}
	var word bool
	if err := p.hear(&word); err != nil {
		return err
	}
	return p.say(l.run(j.Each))
}

// loader has the connections.
type loader struct {
	job
	next  atomic.Int64 // request to be sent, when each is sent once
	conns []*loadConn
}

type loadConn struct {
	*loader
	conn   net.Conn
	reader *bufio.Reader
	random *rand.Rand
	took   []time.Duration
	bytes  int64
}

func newLoader(j job) (*loader, error) {
	l := &loader{job: j}
	for i := range j.Connections {
		conn, err := net.Dial("tcp", j.Addr)
		if err != nil {
			return nil, err
		}
		// Whatever happens, nothing runs for longer.
		if err := conn.SetDeadline(time.Now().Add(j.Warm + j.Each + time.Minute)); err != nil {
			return nil, err
		}
		l.conns = append(l.conns, &loadConn{
			loader: l, conn: conn, reader: bufio.NewReaderSize(conn, 64<<10),
			random: rand.New(rand.NewPCG(j.Seed, uint64(i))), took: make([]time.Duration, 0, 1<<16),
		})
	}
	return l, nil
}

// run makes the load for a while on all connections.
func (l *loader) run(length time.Duration) (o outcome) {
	if length == 0 {
		return o
	}
	var running sync.WaitGroup
	var failed atomic.Pointer[error]
	begin := time.Now()
	for _, c := range l.conns {
		c.took, c.bytes = c.took[:0], 0
		running.Go(func() {
			if err := c.run(begin.Add(length)); err != nil {
				failed.CompareAndSwap(nil, &err)
			}
		})
	}
	running.Wait()
	o.Took = time.Since(begin)
	if err := failed.Load(); err != nil {
		o.Err = (*err).Error()
	}
	var all []time.Duration
	for _, c := range l.conns {
		all = append(all, c.took...)
		o.Bytes += c.bytes
	}
	o.Requests = len(all)
	o.P50, o.P99 = percentiles(all)
	return o
}

func percentiles(all []time.Duration) (p50, p99 time.Duration) {
	if len(all) == 0 {
		return 0, 0
	}
	slices.Sort(all)
	return all[len(all)/2], all[len(all)*99/100]
}

func (c *loadConn) run(end time.Time) error {
	for {
		n := c.random.IntN(len(c.Requests))
		if c.Once {
			if n = int(c.next.Add(1) - 1); n >= len(c.Requests) {
				return nil
			}
		}
		begin := time.Now()
		if begin.After(end) && len(c.took) > 0 { // one is made however short the load is
			return nil
		}
		if _, err := c.conn.Write(c.Requests[n]); err != nil {
			return err
		}
		if err := c.response(); err != nil {
			return fmt.Errorf("%w, of %.80q", err, c.Requests[n])
		}
		c.took = append(c.took, time.Since(begin))
	}
}

var (
	lengthHeader  = []byte("Content-Length: ")
	chunkedHeader = []byte("Transfer-Encoding: chunked")
)

// response reads one response. Any status but 200 ends the load.
func (c *loadConn) response() error {
	length, chunked, ok := -1, false, false
	for first := true; ; first = false {
		line, err := c.line()
		if err != nil {
			return err
		}
		if len(line) == 0 {
			break
		}
		if first {
			ok = bytes.HasPrefix(line, []byte("HTTP/1.1 200 "))
		} else if rest, found := bytes.CutPrefix(line, lengthHeader); found {
			if length, err = strconv.Atoi(string(rest)); err != nil {
				return err
			}
		} else if bytes.Equal(line, chunkedHeader) {
			chunked = true
		}
	}
	switch {
	case !ok && length < 0:
		return errors.New("a response that is no 200")
	case !ok:
		body := make([]byte, min(length, 500))
		_, _ = io.ReadFull(c.reader, body)
		return fmt.Errorf("a response that is no 200: %s", body)
	case chunked:
		return c.chunks()
	case length < 0:
		return errors.New("a response without a length")
	}
	return c.discard(length)
}

// line reads a line without its end.
func (c *loadConn) line() ([]byte, error) {
	line, err := c.reader.ReadSlice('\n')
	return bytes.TrimRight(line, "\r\n"), err
}

func (c *loadConn) discard(n int) error {
	c.bytes += int64(n)
	_, err := c.reader.Discard(n)
	return err
}

// chunks reads a body that comes in chunks, as net/http sends a longer one whose length
// the handler does not say.
func (c *loadConn) chunks() error {
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		n, err := strconv.ParseUint(string(line), 16, 31)
		if err != nil {
			return err
		}
		if err := c.discard(int(n)); err != nil {
			return err
		}
		if _, err := c.line(); err != nil || n == 0 {
			return err
		}
	}
}

// underLoad runs a job in a process of its own. begin is called when it has warmed up, end
// as soon as it has reported the outcome.
func underLoad(ctx context.Context, j job, begin, end func()) (o outcome, err error) {
	c, err := startChild(ctx, roleLoad)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, c.end()) }()
	if err := c.say(j); err != nil {
		return o, err
	}
	var ready outcome
	if err := c.hear(&ready); err != nil {
		return o, err
	}
	if ready.Err != "" {
		return o, errors.New("load: " + ready.Err)
	}
	begin()
	if err := c.say(true); err != nil {
		return o, err
	}
	err = c.hear(&o)
	end()
	if err == nil && o.Err != "" {
		err = errors.New("load: " + o.Err)
	}
	return o, err
}
