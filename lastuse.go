package tracking

import (
	"context"
	"errors"
	"sync"
	"time"
)

// keyUseInterval is how often the last use of a key is noted at most, and tried to
// be where that fails.
const keyUseInterval = time.Minute

// maxRecordedKeys bounds what is remembered of keys. Forgetting all of it costs each
// key one note more.
const maxRecordedKeys = 10_000

// keyUseRecorder notes when keys were presented. It does so beside the calls that
// present them: a read must not wait for whoever is writing.
type keyUseRecorder struct {
	e      *engine
	ctx    context.Context // ends with close
	cancel context.CancelFunc

	mu       sync.Mutex
	recorded map[ID]time.Time // when a key was last handed in to be noted
	pending  []keyUse
	writing  bool
	closed   bool
	writer   sync.WaitGroup
}

// keyUse is that a key was presented.
type keyUse struct {
	key ID
	at  time.Time
}

func newKeyUseRecorder(e *engine) *keyUseRecorder {
	u := &keyUseRecorder{e: e, recorded: map[ID]time.Time{}}
	u.ctx, u.cancel = context.WithCancel(context.Background())
	return u
}

// record has it noted that a key was presented, and never waits. What is lost when
// the process ends is nothing but a time of use.
func (u *keyUseRecorder) record(key *APIKey, at time.Time) {
	if at.Sub(key.LastUsedAt) < keyUseInterval {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if since := at.Sub(u.recorded[key.ID]); u.closed || since >= 0 && since < keyUseInterval {
		return
	}
	if len(u.recorded) >= maxRecordedKeys {
		clear(u.recorded)
	}
	u.recorded[key.ID] = at
	u.pending = append(u.pending, keyUse{key.ID, at})
	if !u.writing {
		u.writing = true
		u.writer.Go(u.write)
	}
}

// write notes what is pending until nothing is.
func (u *keyUseRecorder) write() {
	for {
		u.mu.Lock()
		batch := u.pending
		u.pending = nil
		u.writing = len(batch) > 0
		u.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		err := u.e.update(u.ctx, AccountID{}, func(tx *Tx) error { return writeKeyUses(tx, batch) })
		if u.ctx.Err() == nil {
			u.e.outages.keyUses.record(u.e.log, u.e.now(), "noting the last use of keys", err)
		}
	}
}

func writeKeyUses(tx *Tx, batch []keyUse) error {
	for _, use := range batch {
		key, err := table(tx, apiKeys).Get(use.key)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if use.at.Sub(key.LastUsedAt) < keyUseInterval { // another process was first
			continue
		}
		key.LastUsedAt = use.at
		if err := table(tx, apiKeys).Put(key); err != nil {
			return err
		}
	}
	return nil
}

// close gives up what waits for its turn, and returns when nothing is being
// written.
func (u *keyUseRecorder) close() {
	u.mu.Lock()
	u.closed = true
	u.mu.Unlock()
	u.cancel()
	u.writer.Wait()
}
