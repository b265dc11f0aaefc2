package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// The load is made by a child process, which is this program once more, so that
// what the client costs is not counted as the server's. It speaks HTTP/1.1 by
// hand: a net/http client would take more of the machine than the server does.

// loadVariable in the environment makes the program the child.
const loadVariable = "LANDFALL_BENCHMARKS_LOAD"

// job is what the child is told to do.
type job struct {
	Addr string
	// Requests are whole HTTP requests. They are drawn at random, or, when Once,
	// sent in order and each at most once.
	Requests    [][]byte
	Once        bool
	Connections int
	Seed        uint64
	// Warm and Each are how long the load runs unmeasured and measured.
	Warm, Each time.Duration
}

// outcome is what the child has seen.
type outcome struct {
	Requests int
	Bytes    int64 // of the bodies
	Took     time.Duration
	P50, P99 time.Duration
	CPU      time.Duration // of the child itself
	Err      string
}

// isLoad reports whether this process is the child.
func isLoad() bool { return os.Getenv(loadVariable) != "" }

// loadMain is the whole child: it warms up, says so, waits for the word, makes
// the load, and tells the outcome. It ends when its parent does.
func loadMain() {
	debug.SetGCPercent(400)
	in, out := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	var j job
	if in.Decode(&j) != nil {
		return
	}
	l, err := newLoader(j)
	if err != nil {
		_ = out.Encode(outcome{Err: err.Error()})
		return
	}
	ready := l.run(j.Warm)
	if out.Encode(ready) != nil {
		return
	}
	var word bool
	if in.Decode(&word) != nil {
		return
	}
	_ = out.Encode(l.run(j.Each))
}

// loader has the connections of the child.
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
	cpu, begin := cpuTime(), time.Now()
	for _, c := range l.conns {
		c.took, c.bytes = c.took[:0], 0
		running.Go(func() {
			if err := c.run(begin.Add(length)); err != nil {
				failed.CompareAndSwap(nil, &err)
			}
		})
	}
	running.Wait()
	o.Took, o.CPU = time.Since(begin), cpuTime()-cpu
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

func (c *loadConn) run(end time.Time) error {
	for {
		n := c.random.IntN(len(c.Requests))
		if c.Once {
			if n = int(c.next.Add(1) - 1); n >= len(c.Requests) {
				return nil
			}
		}
		begin := time.Now()
		if begin.After(end) {
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

var lengthHeader = []byte("Content-Length: ")

// response reads one response. Any status but 200 ends the load.
func (c *loadConn) response() error {
	length := -1
	ok := false
	for first := true; ; first = false {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if line = bytes.TrimRight(line, "\r\n"); len(line) == 0 {
			break
		}
		if first {
			ok = bytes.HasPrefix(line, []byte("HTTP/1.1 200 "))
		} else if rest, found := bytes.CutPrefix(line, lengthHeader); found {
			if length, err = strconv.Atoi(string(rest)); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return errors.New("a response without a length")
	}
	if !ok {
		body := make([]byte, min(length, 500))
		_, _ = io.ReadFull(c.reader, body)
		return fmt.Errorf("a response that is no 200: %s", body)
	}
	c.bytes += int64(length)
	_, err := c.reader.Discard(length)
	return err
}

func percentiles(all []time.Duration) (p50, p99 time.Duration) {
	if len(all) == 0 {
		return 0, 0
	}
	slices.Sort(all)
	return all[len(all)/2], all[len(all)*99/100]
}

// underLoad runs a job in a child. begin is called when the child has warmed
// up, end as soon as it has told the outcome.
func underLoad(ctx context.Context, j job, begin, end func()) (o outcome, err error) {
	program, err := os.Executable()
	if err != nil {
		return o, err
	}
	child := exec.CommandContext(ctx, program)
	child.Env = append(os.Environ(), loadVariable+"=1")
	child.Stderr = os.Stderr
	in, err := child.StdinPipe()
	if err != nil {
		return o, err
	}
	out, err := child.StdoutPipe()
	if err != nil {
		return o, err
	}
	if err := child.Start(); err != nil {
		return o, err
	}
	defer func() {
		_ = in.Close() // which ends a child that still waits
		err = errors.Join(err, child.Wait())
	}()
	tell, hear := gob.NewEncoder(in), gob.NewDecoder(out)
	if err := tell.Encode(j); err != nil {
		return o, err
	}
	var ready outcome
	if err := hear.Decode(&ready); err != nil {
		return o, err
	}
	if ready.Err != "" {
		return o, errors.New("load: " + ready.Err)
	}
	begin()
	if err := tell.Encode(true); err != nil {
		return o, err
	}
	err = hear.Decode(&o)
	end()
	if err == nil && o.Err != "" {
		err = errors.New("load: " + o.Err)
	}
	return o, err
}
