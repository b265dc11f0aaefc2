package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// listener is one that can stop without breaking connections. The kernel makes
// connections ahead of Accept, and resets those that wait for it when the
// listener is closed: their clients have sent a request by then.
type listener struct {
	*net.TCPListener
	stopped bool       // Accept has come to its end
	rest    []net.Conn // what was still waiting there
}

func listen(ctx context.Context, addr string) (*listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &listener{TCPListener: l.(*net.TCPListener)}, nil
}

// stop makes Accept return what is waiting and then fail for good, so that a
// server on the listener ends its loop.
func (l *listener) stop() error { return l.SetDeadline(time.Now()) }

// Accept returns the next connection, or net.ErrClosed after stop. It is for one
// goroutine.
func (l *listener) Accept() (net.Conn, error) {
	c, err := l.TCPListener.Accept()
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return c, err
	}
	if !l.stopped {
		l.stopped, l.rest = true, acceptRest(l.TCPListener)
	}
	if len(l.rest) == 0 {
		return nil, net.ErrClosed
	}
	c, l.rest = l.rest[0], l.rest[1:]
	return c, nil
}

// arrivals are the connections that have not brought a request yet. Shutdown
// breaks them off, even while their first request is being read.
type arrivals struct {
	mu   sync.Mutex
	open map[net.Conn]struct{}
}

// note is an http.Server's ConnState.
func (a *arrivals) note(c net.Conn, state http.ConnState) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if state != http.StateNew {
		delete(a.open, c)
		return
	}
	if a.open == nil {
		a.open = map[net.Conn]struct{}{}
	}
	a.open[c] = struct{}{}
}

// wait waits until all have brought their request, or the time is over: some
// clients connect ahead and send nothing.
func (a *arrivals) wait(most time.Duration) {
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		a.mu.Lock()
		n := len(a.open)
		a.mu.Unlock()
		if n == 0 {
			return
		}
	}
}
