package apikey

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
)

// UseInterval is the least time between two writes of the last use of a key, failed
// writes included.
const UseInterval = time.Minute

// maxRecorded limits the memory of a UseRecorder. When it is full it forgets all keys, at
// the cost of one write for each.
const maxRecorded = 10_000

// Use is the use of a key.
type Use struct {
	Key uuid.UUID
	At  time.Time
}

// UseRecorder writes when keys were last used. It writes in the background, because a
// read must not wait for writers.
type UseRecorder struct {
	write  func(context.Context, []Use)
	ctx    context.Context // ends with Close
	cancel context.CancelFunc

	mu       sync.Mutex
	recorded map[uuid.UUID]time.Time // when the use of a key was last recorded
	pending  []Use
	writing  bool
	closed   bool
	writer   sync.WaitGroup
}

// NewUseRecorder returns a recorder. write writes uses; it handles its errors itself.
func NewUseRecorder(write func(context.Context, []Use)) *UseRecorder {
	r := &UseRecorder{write: write, recorded: map[uuid.UUID]time.Time{}}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// Record records the use of a key without waiting; last is the stored time of its last
// use. A use that is lost at the end of the process loses only the time of use.
func (r *UseRecorder) Record(key uuid.UUID, last, at time.Time) {
	if at.Sub(last) < UseInterval {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if since := at.Sub(r.recorded[key]); r.closed || since >= 0 && since < UseInterval {
		return
	}
	if len(r.recorded) >= maxRecorded {
		clear(r.recorded)
	}
	r.recorded[key] = at
	r.pending = append(r.pending, Use{key, at})
	if !r.writing {
		r.writing = true
		r.writer.Go(r.writePending)
	}
}

// writePending writes pending uses until there are none.
func (r *UseRecorder) writePending() {
	for {
		r.mu.Lock()
		batch := r.pending
		r.pending = nil
		r.writing = len(batch) > 0
		r.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		r.write(r.ctx, batch)
	}
}

// Close gives up pending writes, and waits for the present one, whose context has ended.
func (r *UseRecorder) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.cancel()
	r.writer.Wait()
}
