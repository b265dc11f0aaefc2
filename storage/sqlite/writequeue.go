//go:build cgo

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/landfallhq/tracking/store"
)

// writeQueue is the one connection that writes, and the order in which callers have
// it: first come, first served. A turn is handed from its holder to the next in
// line directly, and with it the open batch, so that a batch never lies about
// without a holder.
type writeQueue struct {
	mu      sync.Mutex
	held    bool // somebody has the turn
	closed  bool // nobody else gets it
	waiting []*waiter

	// conn belongs to who has the turn. Nil is one that was given up: who needs
	// it opens another.
	conn *conn
}

// waiter is a caller in line.
type waiter struct {
	alone   bool       // it joins no batch
	granted chan grant // of one: handing over never waits
}

// grant is what a waiter is handed.
type grant struct {
	batch *batch // the open batch, which it joins; nil: there is none
	err   error  // it gets no turn
}

// enqueue takes the turn if it is free, or stands in line for it.
func (q *writeQueue) enqueue(alone bool) (*waiter, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, store.ErrClosed
	}
	w := &waiter{alone: alone, granted: make(chan grant, 1)}
	if q.held {
		q.waiting = append(q.waiting, w)
	} else {
		q.held = true
		w.granted <- grant{}
	}
	return w, nil
}

// withdraw takes w out of the line. It is false when w has been handed its turn
// already.
func (q *writeQueue) withdraw(w *waiter) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, w)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return true
}

// handOver hands the turn to the next in line if that one can join b.
func (q *writeQueue) handOver(b *batch) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 || q.waiting[0].alone {
		return false
	}
	q.pop().granted <- grant{batch: b}
	return true
}

// release hands the turn to the next in line, without a batch.
func (q *writeQueue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.held = false
		return
	}
	q.pop().granted <- grant{}
}

// refuseAll ends a turn that could not begin: all in line get the same answer.
// Were each of them to find out for itself that another process holds the
// lock, the last would wait for all these waits.
func (q *writeQueue) refuseAll(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) > 0 {
		q.pop().granted <- grant{err: err}
	}
	q.held = false
}

// close sends all in line away and returns with the last turn.
func (q *writeQueue) close() {
	q.mu.Lock()
	q.closed = true
	for len(q.waiting) > 0 {
		q.pop().granted <- grant{err: store.ErrClosed}
	}
	last := &waiter{alone: true, granted: make(chan grant, 1)}
	if q.held {
		q.waiting = append(q.waiting, last)
	} else {
		q.held = true
		last.granted <- grant{}
	}
	q.mu.Unlock()
	<-last.granted // also when refused: nobody else is left
}

func (q *writeQueue) pop() *waiter {
	w := q.waiting[0]
	q.waiting[0] = nil
	q.waiting = q.waiting[1:]
	return w
}

// batch is one transaction and the updates in it: its members. Only who has
// the turn may touch it until done is closed.
type batch struct {
	conn      *conn
	alone     bool             // nobody joins it
	members   int              // how many have run
	committed []*tx            // those whose work is in it
	issued    map[seqKey]int64 // the last rids that they have given
	ended     bool             // there is no transaction any more
	broken    bool             // a member met an error that may be the connection's
	err       error            // why it is lost; nil: it is committed, or nothing was in it
	done      chan struct{}
}

// acquireWriter waits for the turn, and for the open batch that comes with it, if
// any. The caller's context counts while it waits.
func (s *Store) acquireWriter(ctx context.Context, alone bool) (*batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w, err := s.queue.enqueue(alone)
	if err != nil {
		return nil, err
	}
	var t grant
	select {
	case t = <-w.granted:
	case <-ctx.Done():
		if s.queue.withdraw(w) {
			return nil, ctx.Err()
		}
		t = <-w.granted
	}
	if t.err != nil {
		return nil, t.err
	}
	if err := ctx.Err(); err != nil {
		s.releaseWriter(t.batch)
		return nil, err
	}
	return t.batch, nil
}

// write has t be a member of a batch: it runs fn in its turn, on the caller's
// goroutine, and returns when the batch is committed. An error, a panic or the
// end of the goroutine undo what fn did, and nothing else.
func (s *Store) write(ctx context.Context, t *tx, fn func() error) error {
	b, err := s.acquireWriter(ctx, false)
	if err != nil {
		return err
	}
	return s.runInBatch(b, false, t, fn)
}

// writeAlone is write in a transaction that nobody joins.
func (s *Store) writeAlone(ctx context.Context, fn func(*conn) error) error {
	if _, err := s.acquireWriter(ctx, true); err != nil {
		return err
	}
	t := &tx{store: s, write: true}
	return s.runInBatch(nil, true, t, func() error { return fn(t.conn) })
}

// runInBatch is the rest of a write, for the holder of the turn.
func (s *Store) runInBatch(b *batch, alone bool, t *tx, fn func() error) error {
	if b == nil {
		var err error
		if b, err = s.beginBatch(alone); err != nil {
			s.queue.refuseAll(err)
			return err
		}
	}
	err := s.runAndRelease(b, t, fn)
	<-b.done
	if b.err != nil {
		// Also when fn failed: it may have failed on what the batch had not
		// committed yet.
		return b.err
	}
	return err
}

// beginBatch begins an immediate transaction: one that holds the write lock
// from its beginning, so that what it reads cannot go stale.
func (s *Store) beginBatch(alone bool) (*batch, error) {
	c, err := s.writeConn()
	if err == nil {
		err = s.waitForLog(c)
	}
	if err == nil {
		err = c.exec("BEGIN IMMEDIATE")
	}
	if err != nil {
		s.dropWriter(err)
		return nil, err
	}
	return &batch{conn: c, alone: alone, done: make(chan struct{})}, nil
}

// dropWriter closes the connection that writes when it failed to begin for what
// may be its own fault: the next turn opens another.
func (s *Store) dropWriter(err error) {
	if s.queue.conn == nil || !isBroken(err) {
		return
	}
	_ = s.queue.conn.close()
	s.queue.conn = nil
}

// writeConn returns the connection that writes to who has the turn.
func (s *Store) writeConn() (*conn, error) {
	if s.queue.conn == nil {
		c, err := s.connect(false)
		if err != nil {
			return nil, err
		}
		s.queue.conn = c
	}
	return s.queue.conn, nil
}

// runAndRelease runs fn and passes the turn on, whatever becomes of fn.
func (s *Store) runAndRelease(b *batch, t *tx, fn func() error) error {
	defer s.releaseWriter(b)
	return b.run(t, fn)
}

// releaseWriter ends the holder's turn. The next in line joins the batch; when there
// is none, or the batch is full or lost, the holder commits it.
func (s *Store) releaseWriter(b *batch) {
	if b != nil {
		if !b.ended && !b.alone && b.members < s.opts.MaxBatch && s.queue.handOver(b) {
			return
		}
		s.finishBatch(b)
	}
	s.queue.release()
}

// finishBatch commits a batch and tells its members. A connection that failed to
// commit, or in which SQLite gave up the transaction, is not used again: after
// a failed fsync nobody knows what the system still holds of the file. Nor is one
// that met an error of the disk: what was opened while a file system was read-only
// stays so for who has it open, also when all others can write to it again.
func (s *Store) finishBatch(b *batch) {
	if !b.ended {
		b.err = s.commit(b)
	}
	if b.err != nil || b.broken || b.conn.inTransaction() {
		_ = b.conn.close() // which rolls back
		s.queue.conn = nil
	}
	close(b.done)
	if b.err == nil && !b.broken && !b.ended {
		s.checkLogSize(b.conn)
	}
}

// commit makes the work of b.kept durable. This is the one place where data is
// committed: before COMMIT its outcome is open, after it the outcome is known
// and nobody but the holder of the turn knows it yet.
func (s *Store) commit(b *batch) error {
	commit, err := s.announce(b)
	if err != nil {
		return batchError(err)
	}
	err = b.conn.exec("COMMIT")
	s.confirm(commit, err == nil)
	if err != nil {
		return batchError(err)
	}
	for _, t := range b.committed {
		t.cacheAccount()
	}
	return nil
}

// run runs fn as a member. The first needs no savepoint: when it fails there is
// nothing else to keep.
func (b *batch) run(t *tx, fn func() error) (err error) {
	first := b.members == 0
	b.members++
	t.conn, t.batchIssued = b.conn, b.issued
	kept := false
	defer func() {
		t.closed = true
		if !kept {
			b.undo(first, err)
			b.broken = b.broken || isBroken(err)
		}
	}()
	if !first {
		if err := b.conn.exec("SAVEPOINT member"); err != nil {
			return err
		}
	}
	if err := fn(); err != nil {
		return err
	}
	if !first {
		if err := b.conn.exec("RELEASE member"); err != nil {
			return err
		}
	}
	if kept = b.conn.inTransaction(); !kept {
		return errRolledBack
	}
	b.committed = append(b.committed, t)
	if b.issued == nil {
		b.issued = t.issued
	} else {
		maps.Copy(b.issued, t.issued)
	}
	return nil
}

// undo takes back what the last member did. Its error tells why.
func (b *batch) undo(first bool, err error) {
	switch {
	case !b.conn.inTransaction():
		// Some faults (a full disk, a failed read, an interrupt) make SQLite
		// roll back all by itself.
		b.ended, b.err = true, batchError(errors.Join(errRolledBack, err))
	case first:
		b.conn.rollback()
		b.ended = true
	default:
		undone := b.conn.exec("ROLLBACK TO member")
		if undone == nil {
			undone = b.conn.exec("RELEASE member")
		}
		if undone != nil {
			b.conn.rollback()
			b.ended, b.err = true, batchError(errors.Join(undone, err))
		}
	}
}

var errRolledBack = errors.New("sqlite rolled the transaction back")

// batchError returns the error of the members of a batch that came to nothing.
func batchError(err error) error {
	if errors.Is(err, store.ErrUnavailable) {
		return err
	}
	return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
}
