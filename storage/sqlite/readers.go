//go:build cgo

package sqlite

import "sync"

// readers are the connections that read and are not in use. A nil connection is
// one that was given up; whoever gets it opens another.
//
// What was given back last is taken first. A connection that reads after a commit
// lets go of all that it knows of the file; the fewer of them are in use, the
// fewer have to.
type readers struct {
	ready chan struct{} // holds one for each of them
	mu    sync.Mutex
	conns []*conn
}

func newReaders(n int) *readers { return &readers{ready: make(chan struct{}, n)} }

// give returns a connection, or adds one.
func (r *readers) give(c *conn) {
	r.mu.Lock()
	r.conns = append(r.conns, c)
	r.mu.Unlock()
	r.ready <- struct{}{}
}

// take returns a connection to who has received from ready.
func (r *readers) take() *conn {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := len(r.conns) - 1
	c := r.conns[last]
	r.conns = r.conns[:last]
	return c
}
