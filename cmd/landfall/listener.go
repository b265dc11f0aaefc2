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

// listener can stop without resetting connections. The kernel establishes
// connections before Accept, and resets the waiting ones when a listener is closed,
// although their clients may have sent a request.
type listener struct {
	*net.TCPListener
	connections *connections
	passed      bool       // another process has the socket too, and listens on
	stopped     bool       // Accept returns no new connections
	rest        []net.Conn // connections that were waiting
}

// listen opens the address of a flag, or takes the socket that was passed for it.
func (p passedSockets) listen(ctx context.Context, flag, addr string, c *connections) (*listener, error) {
	if l := p[flag]; l != nil {
		return &listener{TCPListener: l, connections: c, passed: true}, nil
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &listener{TCPListener: l.(*net.TCPListener), connections: c}, nil
}

// stop makes Accept return the waiting connections and then fail, which ends the
// loop of a server.
func (l *listener) stop() error { return l.SetDeadline(time.Now()) }

// Accept returns the next connection that is admitted, or net.ErrClosed after stop.
// Only one goroutine may call it.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.AcceptTCP()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return l.acceptRest()
		}
		if err != nil {
			return nil, err
		}
		if admitted, ok := l.connections.admit(c); ok {
			return admitted, nil
		}
	}
}

// acceptRest returns one of the connections that were waiting when the listener
// stopped. In a passed socket they wait for the next process.
func (l *listener) acceptRest() (net.Conn, error) {
	if !l.stopped && !l.passed {
		l.stopped, l.rest = true, acceptRest(l.TCPListener)
	}
	if len(l.rest) == 0 {
		return nil, net.ErrClosed
	}
	next := l.rest[0]
	l.rest = l.rest[1:]
	return next, nil
}

// pendingConns are the connections that have not sent a request yet. Shutdown closes
// them, even while their first request is being read.
type pendingConns struct {
	mu   sync.Mutex
	open map[net.Conn]struct{}
}

// note is the ConnState of an http.Server.
func (a *pendingConns) note(c net.Conn, state http.ConnState) {
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

// wait waits until all have sent their request, or the time is over: some clients
// connect in advance and send nothing.
func (a *pendingConns) wait(most time.Duration) {
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		a.mu.Lock()
		n := len(a.open)
		a.mu.Unlock()
		if n == 0 {
			return
		}
	}
}
