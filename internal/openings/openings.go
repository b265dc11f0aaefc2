// Package openings counts how often something is opened, and has the counts written together:
// what is opened often must not write each time. It stores nothing: the caller does.
package openings

import (
	"context"
	"maps"
	"sync"
	"time"
)

const (
	// Pace is the least time between two writes.
	Pace = time.Second
	// lastWrite bounds the write of Close.
	lastWrite = 5 * time.Second
)

// Count is a number of openings, and when the last was.
type Count struct {
	N    int
	Last time.Time
}

// plus is both counts together.
func (c Count) plus(other Count) Count {
	c.N += other.N
	if other.Last.After(c.Last) {
		c.Last = other.Last
	}
	return c
}

// Counter counts openings by K. It writes the first at once and others after a while, in the
// background: nobody who opens something waits for it. It is safe for concurrent use.
type Counter[K comparable] struct {
	write  func(context.Context, map[K]Count) (failed map[K]Count)
	pace   time.Duration
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	writer sync.WaitGroup

	// writing is locked while a batch is written, so that a reader finds a count either in the
	// store or among the pending ones.
	writing sync.RWMutex
	mu      sync.Mutex
	pending map[K]Count
	running bool
	closed  bool
}

// New returns a Counter. write adds counts to what is stored, and returns those that it could
// not write and that are to be written again.
func New[K comparable](write func(context.Context, map[K]Count) (failed map[K]Count)) *Counter[K] {
	c := &Counter[K]{write: write, pace: Pace, pending: map[K]Count{}}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// Add counts an opening. After Close it does nothing.
func (c *Counter[K]) Add(key K, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.pending[key] = c.pending[key].plus(Count{1, at})
	if !c.running {
		c.running = true
		c.writer.Go(c.run)
	}
}

// Read calls fn with what is not written yet of a key. What fn reads of the store fits it. fn
// must not call Read.
func (c *Counter[K]) Read(fn func(pending func(K) Count) error) error {
	c.writing.RLock()
	defer c.writing.RUnlock()
	return fn(func(key K) Count {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.pending[key]
	})
}

// run writes what is pending, at its pace, until there is nothing.
func (c *Counter[K]) run() {
	for {
		c.flush(c.ctx)
		timer := time.NewTimer(c.pace)
		select {
		case <-timer.C:
		case <-c.ctx.Done():
			timer.Stop()
			return
		}
		c.mu.Lock()
		if c.running = len(c.pending) > 0; !c.running {
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
	}
}

// flush writes what is pending.
func (c *Counter[K]) flush(ctx context.Context) {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.mu.Lock()
	batch := c.pending
	c.pending = map[K]Count{}
	c.mu.Unlock()
	if len(batch) == 0 {
		return
	}
	failed := maps.Clone(c.write(ctx, batch))
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, n := range failed {
		c.pending[key] = c.pending[key].plus(n)
	}
}

// Close writes what is pending, once and within seconds, and counts no more.
func (c *Counter[K]) Close() {
	c.mu.Lock()
	closed := c.closed
	c.closed = true
	c.mu.Unlock()
	if closed {
		return
	}
	c.cancel()
	c.writer.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), lastWrite)
	defer cancel()
	c.flush(ctx)
}
