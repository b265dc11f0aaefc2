package main

import (
	"net"
	"sync"
	"testing"
	"time"
)

// link is the network between a program and a server on a Unix socket, which tests can disturb.
type link struct {
	listener net.Listener

	mu     sync.Mutex
	target string // the socket
	cut    bool   // connections are refused
	held   chan struct{}
	delay  time.Duration // of what is sent in each direction
	conns  map[net.Conn]bool
}

func newLink(t *testing.T, target string) *link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{listener: listener, target: target, conns: map[net.Conn]bool{}}
	t.Cleanup(func() {
		listener.Close()
		l.closeAll()
	})
	go l.serve()
	return l
}

func (l *link) port() int { return l.listener.Addr().(*net.TCPAddr).Port }

func (l *link) serve() {
	for {
		near, err := l.listener.Accept()
		if err != nil {
			return
		}
		go l.connect(near)
	}
}

func (l *link) connect(near net.Conn) {
	l.mu.Lock()
	target, cut := l.target, l.cut
	l.mu.Unlock()
	if cut {
		near.Close()
		return
	}
	far, err := net.Dial("unix", target)
	if err != nil {
		near.Close()
		return
	}
	l.mu.Lock()
	l.conns[near], l.conns[far] = true, true
	l.mu.Unlock()
	go l.forward(near, far)
	l.forward(far, near)
}

// forward copies what comes from one side, until either ends.
func (l *link) forward(from, to net.Conn) {
	defer func() {
		from.Close()
		to.Close()
		l.mu.Lock()
		delete(l.conns, from)
		l.mu.Unlock()
	}()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		l.mu.Lock()
		held, delay := l.held, l.delay
		l.mu.Unlock()
		if held != nil {
			<-held
		}
		time.Sleep(delay)
		if _, writeErr := to.Write(buf[:n]); err != nil || writeErr != nil {
			return
		}
	}
}

func (l *link) closeAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		c.Close()
	}
}

// interrupt cuts the link for a time: its connections end, and new ones are refused.
func (l *link) interrupt(d time.Duration) {
	l.set(func() { l.cut = true })
	l.closeAll()
	time.Sleep(d)
	l.set(func() { l.cut = false })
}

// hold delivers nothing for a time, as when packets are lost, and then ends the connections.
func (l *link) hold(d time.Duration) {
	held := make(chan struct{})
	l.set(func() { l.held = held })
	time.Sleep(d)
	l.closeAll()
	l.set(func() { l.held = nil })
	close(held)
}

// slow delays everything for a time.
func (l *link) slow(d, delay time.Duration) {
	l.set(func() { l.delay = delay })
	time.Sleep(d)
	l.set(func() { l.delay = 0 })
}

// pointTo leads new connections to another server, and ends those to the former.
func (l *link) pointTo(target string) {
	l.set(func() { l.target = target })
	l.closeAll()
}

func (l *link) set(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}
