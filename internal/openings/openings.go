// Package openings counts how often something is opened. The counts are written together, since
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

// Batch is what was counted by K and is written together. Batches of a Counter are numbered from
// 1, and a later one is never written before an earlier one.
type Batch[K comparable] struct {
	Number int64
	Counts map[K]Count
}

// Counter counts openings by K. It writes the first at once and others after a while, in the
// background: nobody who opens something waits for it, and no reader either. It is safe for
// concurrent use.
type Counter[K comparable] struct {
	write  func(context.Context, Batch[K]) (failed map[K]Count)
	pace   time.Duration
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	writer sync.WaitGroup

	mu sync.Mutex
	// pending is not written yet, and written is being written: its Counts do not change.
	pending, written Batch[K]
	running, closed  bool
}

// New returns a Counter. write adds the counts of a batch to what is stored, with the number of
// the batch, and returns those that it could not write and that are to be written again.
func New[K comparable](write func(context.Context, Batch[K]) (failed map[K]Count)) *Counter[K] {
	c := &Counter[K]{write: write, pace: Pace, pending: Batch[K]{1, map[K]Count{}}}
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
	c.pending.Counts[key] = c.pending.Counts[key].plus(Count{1, at})
	if !c.running {
		c.running = true
		c.writer.Go(c.run)
	}
}

// Unwritten returns what may not be stored yet. What is read from the store afterwards has a
// batch or lacks it, as the number says that is stored with it: see After.
func (c *Counter[K]) Unwritten() Unwritten[K] {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Unwritten[K]{c.written, {c.pending.Number, maps.Clone(c.pending.Counts)}}
}

// Unwritten are batches that may not be stored yet.
type Unwritten[K comparable] [2]Batch[K]

// After returns what a key has in batches after the one with a number.
func (u Unwritten[K]) After(number int64, key K) (n Count) {
	for _, b := range u {
		if b.Number > number {
			n = n.plus(b.Counts[key])
		}
	}
	return n
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
		c.running = len(c.pending.Counts) > 0
		more := c.running
		c.mu.Unlock()
		if !more {
			return
		}
	}
}

// flush writes what is pending. Only one goroutine at a time calls it.
func (c *Counter[K]) flush(ctx context.Context) {
	c.mu.Lock()
	batch := c.pending
	if len(batch.Counts) > 0 {
		c.written, c.pending = batch, Batch[K]{batch.Number + 1, map[K]Count{}}
	}
	c.mu.Unlock()
	if len(batch.Counts) == 0 {
		return
	}
	failed := c.write(ctx, batch)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written = Batch[K]{}
	for key, n := range failed {
		c.pending.Counts[key] = c.pending.Counts[key].plus(n)
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
