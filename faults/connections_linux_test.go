package faults

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/drill"
)

// One address cannot take the connections of others: a server with 1,024 descriptors,
// and a caller at 127.0.0.2 who holds as many of LANDFALL_HELD connections open as the
// server lets him. Meanwhile clients at another address open a connection for each request.
//
// Seen to fail: without the bound by address.
func TestHeldConnections(t *testing.T) {
	held := drill.Count(t, "LANDFALL_HELD", 1500)
	limited := filepath.Join(t.TempDir(), "limited")
	if err := os.WriteFile(limited, []byte("#!/bin/sh\nulimit -n 1024\nexec "+binary+" \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := serveProgram(t, limited, newDB(t))
	alone, refused := connectAnew(s, 300)
	if refused > 0 {
		t.Fatalf("%d of 300 requests failed alone", refused)
	}

	var holding sync.WaitGroup
	var open atomic.Int64
	stop, begun := make(chan struct{}), make(chan struct{}, held)
	for range held {
		holding.Go(func() { holdConnection(s, &open, begun, stop) })
	}
	for range held { // all have tried
		<-begun
	}
	most := open.Load()
	meanwhile, refused := connectAnew(s, 300)
	close(stop)
	holding.Wait()
	t.Logf("one address holds %d of %d connections: requests of others on new connections alone %s; meanwhile %s, %d of 300 without an answer", most, held, alone, meanwhile, refused)
	if refused > 0 {
		t.Errorf("%d of 300 requests had no answer", refused)
	}
}

// connectAnew sends n requests, each on a new connection.
func connectAnew(s *server, n int) (m times, failed int) {
	c := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	var took []time.Duration
	for range n {
		begin := time.Now()
		response, err := c.Get(s.root + "/healthz")
		took = append(took, time.Since(begin))
		if err != nil {
			if failed++; failed == 10 { // each takes the whole timeout
				failed += n - len(took)
				break
			}
			continue
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	slices.Sort(took)
	m.p50, m.p99 = took[len(took)/2], took[len(took)*99/100]
	return m, failed
}

// holdConnection keeps a connection of 127.0.0.2 open, with one request at its begin,
// and opens another one when the server closes it.
func holdConnection(s *server, open *atomic.Int64, begun chan<- struct{}, stop <-chan struct{}) {
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}, Timeout: time.Second}
	for first := true; ; first = false {
		c, err := from.Dial("tcp", strings.TrimPrefix(s.root, "http://"))
		held := err == nil && answers(c)
		if held {
			open.Add(1)
		}
		if first {
			begun <- struct{}{}
		}
		closed := make(chan struct{})
		if held {
			go func() { _, _ = io.Copy(io.Discard, c); close(closed) }()
		}
		again := time.After(time.Second)
		if held {
			again = nil
		}
		select {
		case <-stop:
		case <-closed:
		case <-again:
		}
		if held {
			open.Add(-1)
		}
		if c != nil {
			c.Close()
		}
		select {
		case <-stop:
			return
		default:
		}
	}
}

// answers reports whether the server answers a request on the connection, which stays
// open.
func answers(c net.Conn) bool {
	_ = c.SetDeadline(time.Now().Add(2 * time.Second))
	defer c.SetDeadline(time.Time{})
	if _, err := fmt.Fprint(c, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		return false
	}
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err == nil {
		response.Body.Close()
	}
	return err == nil
}
