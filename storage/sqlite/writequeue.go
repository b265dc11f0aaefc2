//go:build cgo

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/landfallhq/tracking/store"
)

// writeQueue owns the one connection that writes. It serves the accounts in turn, and the
// callers of an account first come, first served: an account waits for one update of
// each other one, however many these have queued. A holder hands the connection to the
// next caller directly, together with the open batch, so an open batch always has a
// holder.
type writeQueue struct {
	mu      sync.Mutex
	held    bool // a caller has the connection
	closed  bool // no further caller gets it
	waiting map[store.AccountID][]*waiter
	turns   []store.AccountID // the keys of waiting, the next first

	// conn belongs to the holder. It is nil after a failure: the next holder opens
	// another.
	conn *conn
}

// waiter is a queued caller.
type waiter struct {
	account store.AccountID // zero for what belongs to no account
	alone   bool            // needs a transaction of its own
	granted chan grant      // buffered, so that granting never blocks
}

// grant is what a waiter receives.
type grant struct {
	batch *batch // the open batch to join; nil if there is none
	err   error  // the waiter does not get the connection
}

// enqueue grants the connection if it is free, and queues the caller otherwise.
func (q *writeQueue) enqueue(account store.AccountID, alone bool) (*waiter, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, store.ErrClosed
	}
	w := &waiter{account: account, alone: alone, granted: make(chan grant, 1)}
	q.push(w)
	return w, nil
}

// push grants w the connection if it is free, and queues it otherwise.
func (q *writeQueue) push(w *waiter) {
	if !q.held {
		q.held = true
		w.granted <- grant{}
		return
	}
	if q.waiting == nil {
		q.waiting = map[store.AccountID][]*waiter{}
	}
	if len(q.waiting[w.account]) == 0 {
		q.turns = append(q.turns, w.account)
	}
	q.waiting[w.account] = append(q.waiting[w.account], w)
}

// withdraw removes w from the queue. It returns false if w has been granted the
// connection already.
func (q *writeQueue) withdraw(w *waiter) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	mine := q.waiting[w.account]
	i := slices.Index(mine, w)
	if i < 0 {
		return false
	}
	if len(mine) > 1 {
		q.waiting[w.account] = slices.Delete(mine, i, i+1)
		return true
	}
	delete(q.waiting, w.account)
	turn := slices.Index(q.turns, w.account)
	q.turns = slices.Delete(q.turns, turn, turn+1)
	return true
}

// handOver passes the connection and b to the next waiter, if that waiter can join
// b.
func (q *writeQueue) handOver(b *batch) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.turns) == 0 || q.waiting[q.turns[0]][0].alone {
		return false
	}
	q.pop().granted <- grant{batch: b}
	return true
}

// release passes the connection to the next waiter, without a batch.
func (q *writeQueue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.turns) == 0 {
		q.held = false
		return
	}
	q.pop().granted <- grant{}
}

// refuseAll answers all waiters with err. If each of them tried for itself while
// another process holds the lock, the last would wait for the sum of these
// timeouts.
func (q *writeQueue) refuseAll(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.turns) > 0 {
		q.pop().granted <- grant{err: err}
	}
	q.held = false
}

// close refuses all waiters and returns when the holder, if any, has released the
// connection.
func (q *writeQueue) close() {
	q.mu.Lock()
	q.closed = true
	for len(q.turns) > 0 {
		q.pop().granted <- grant{err: store.ErrClosed}
	}
	last := &waiter{alone: true, granted: make(chan grant, 1)}
	q.push(last)
	q.mu.Unlock()
	<-last.granted // a refusal will do too: there is no other holder then
}

// pop takes the next waiter out, and puts its account behind the others.
func (q *writeQueue) pop() *waiter {
	account := q.turns[0]
	q.turns = slices.Delete(q.turns, 0, 1)
	mine := q.waiting[account]
	w := mine[0]
	if len(mine) == 1 {
		delete(q.waiting, account)
		return w
	}
	mine[0] = nil
	q.waiting[account] = mine[1:]
	q.turns = append(q.turns, account)
	return w
}

// batch is one transaction and the updates that share it (its members). Only the
// holder of the connection may touch it until done is closed.
type batch struct {
	conn      *conn
	began     time.Time        // when its first member got the connection
	alone     bool             // no other update may join
	members   int              // number of updates run
	committed []*tx            // the updates that it will commit
	issued    map[seqKey]int64 // the last rid that they issued, by kind and account
	ended     bool             // its transaction is over
	broken    bool             // an update failed with an error that the connection may have caused
	err       error            // why nothing was committed; nil if it was, or if it was empty
	done      chan struct{}
}

// acquireWriter waits for the connection, and returns the open batch that comes
// with it, if any. The caller's context applies to the wait.
func (s *Store) acquireWriter(ctx context.Context, account store.AccountID, alone bool) (*batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.opts.ReadOnly {
		return nil, errOpenForReading
	}
	w, err := s.queue.enqueue(account, alone)
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

// write runs fn as a member of a batch, on the caller's goroutine, and returns when
// the batch is committed. If fn fails, panics or ends its goroutine, its own
// changes are undone and no others.
func (s *Store) write(ctx context.Context, t *tx, fn func() error) error {
	b, err := s.acquireWriter(ctx, t.account, false)
	if err != nil {
		return err
	}
	return s.runInBatch(b, false, t, fn)
}

// writeAlone is write in a transaction of its own.
func (s *Store) writeAlone(ctx context.Context, fn func(*conn) error) error {
	if _, err := s.acquireWriter(ctx, store.AccountID{}, true); err != nil {
		return err
	}
	t := &tx{store: s, write: true}
	return s.runInBatch(nil, true, t, func() error { return fn(t.conn) })
}

// runInBatch does the rest of a write, for the holder of the connection.
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
		// Even if fn failed: it may have read changes of the batch that were never
		// committed.
		return b.err
	}
	return err
}

// beginBatch begins an immediate transaction: it holds the write lock from the
// start, so what it reads cannot change under it.
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
	c.issued.begin(alone)
	return &batch{conn: c, began: time.Now(), alone: alone, done: make(chan struct{})}, nil
}

// dropWriter closes the connection if it may be the cause of err. The next holder
// opens another.
func (s *Store) dropWriter(err error) {
	if s.queue.conn == nil || !isBroken(err) {
		return
	}
	_ = s.queue.conn.close()
	s.queue.conn = nil
}

// writeConn returns the connection to its holder, and opens it if there is none.
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

// runAndRelease runs fn and releases the connection, however fn ends.
func (s *Store) runAndRelease(b *batch, t *tx, fn func() error) error {
	defer s.releaseWriter(b)
	return b.run(t, fn)
}

// releaseWriter ends the holder's use of the connection. The next waiter joins the
// batch; the holder commits it when no waiter can join, or when it is full, long open or
// over.
func (s *Store) releaseWriter(b *batch) {
	if b != nil {
		full := b.members >= s.opts.MaxBatch || time.Since(b.began) >= s.opts.batchTime
		if !b.ended && !b.alone && !full && s.queue.handOver(b) {
			return
		}
		s.finishBatch(b)
	}
	s.queue.release()
}

// finishBatch commits a batch and reports the result to its members. The connection
// is not used again after a failed commit, after SQLite ended the transaction by
// itself, or after a disk error: after a failed fsync it is unknown what the system
// still holds of the file, and a file that was opened while its file system was
// read-only stays read-only for that connection.
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

// commit makes the changes of b.committed durable. This is the only place that
// commits data.
func (s *Store) commit(b *batch) error {
	commit, err := s.announce(b)
	if err != nil {
		return batchError(err)
	}
	err = s.execCommit(b)
	s.confirm(commit, err == nil)
	if err != nil {
		return batchError(err)
	}
	for _, t := range b.committed {
		t.cacheAccount()
	}
	b.conn.issued.add(b.issued)
	return nil
}

// execCommit commits, and reports it.
func (s *Store) execCommit(b *batch) error {
	if s.opts.OnCommit == nil {
		return b.conn.exec("COMMIT")
	}
	began := time.Now()
	err := b.conn.exec("COMMIT")
	s.opts.OnCommit(len(b.committed), time.Since(began), err)
	return err
}

// run runs fn as a member of the batch. The first member needs no savepoint: if it
// fails, there is nothing else to keep.
func (b *batch) run(t *tx, fn func() error) (err error) {
	first := b.members == 0
	b.members++
	t.conn, t.batchIssued = b.conn, b.issued
	kept := false
	defer func() {
		t.closed = true
		b.conn.writes.reset() // those of an update that failed
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
	if t.renumbers {
		b.conn.issued.forget()
		b.issued = nil
	}
	if b.issued == nil {
		b.issued = t.issued
	} else {
		maps.Copy(b.issued, t.issued)
	}
	return nil
}

// undo reverts the changes of the last member, which failed with err.
func (b *batch) undo(first bool, err error) {
	switch {
	case !b.conn.inTransaction():
		// After some faults (a full disk, a failed read, an interrupt) SQLite rolls
		// back the whole transaction.
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

// batchError is the error that the members of a batch get when it is not committed.
func batchError(err error) error {
	if errors.Is(err, store.ErrUnavailable) {
		return err
	}
	return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
}
