package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/landfallhq/tracking/store"
)

// group is one transaction and the updates of one account that share it (its members). Each
// runs on the goroutine of its caller, one after the other; the last commits for all. Only
// the member that runs may touch it until done is closed.
//
// What a member writes is sent together with the first reads of the next one. If it fails,
// what it has not sent is dropped, and what it has sent is undone by a savepoint. If the
// database refuses a statement, it is not known whose it was: nothing is committed, and each
// member runs again alone.
type group struct {
	store   *Store
	account store.AccountID
	alone   bool // no other update may join
	conn    *pgxpool.Conn
	tx      *tx // what the next member continues
	began   time.Time
	members int
	kept    int   // those that did not fail
	ended   bool  // the transaction is over
	err     error // why nothing was committed
	done    chan struct{}
}

// The bounds of a group.
const (
	maxMembers   = 64
	maxGroupTime = 50 * time.Millisecond
)

// updateInGroup runs fn as a member of a group and returns when that is committed. The error
// is errConflict if fn must run again, alone.
func (s *Store) updateInGroup(ctx context.Context, a store.AccountID, alone bool, fn func(store.RecordTx) error) error {
	g, err := s.queues.enter(ctx, a, alone)
	if err != nil {
		return err
	}
	if g == nil {
		if g, err = s.newGroup(ctx, a, alone); err != nil {
			s.queues.leave(a)
			return err
		}
	} else if err := s.checkOpen(ctx); err != nil {
		g.release()
		return err
	}
	err = g.runAndRelease(fn)
	<-g.done
	if g.err != nil {
		return g.failure(err)
	}
	return err
}

// newGroup takes a connection.
func (s *Store) newGroup(ctx context.Context, a store.AccountID, alone bool) (*group, error) {
	conn, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	t := s.newTx(conn.Conn(), a)
	t.write, t.trusting = true, !alone
	return &group{store: s, account: a, alone: alone, conn: conn, tx: t, began: time.Now(), done: make(chan struct{})}, nil
}

// failure is the error of a member of a group that was not committed; err is that of its fn. A
// lost commit may have been made, so the members do not run again.
func (g *group) failure(err error) error {
	switch {
	case errors.Is(g.err, errConflict):
		return g.err
	case g.members == 1:
		return cmp.Or(err, g.err)
	case errors.Is(g.err, store.ErrUnavailable):
		return g.err
	}
	return fmt.Errorf("%w: %w", errConflict, g.err)
}

// runAndRelease runs fn and lets the next update run, however fn ends.
func (g *group) runAndRelease(fn func(store.RecordTx) error) error {
	defer g.release()
	return g.run(fn)
}

// release lets the next update join. If none can, it commits.
func (g *group) release() {
	full := g.alone || g.members >= maxMembers || time.Since(g.began) >= maxGroupTime
	if !g.ended && !full && g.store.queues.handOver(g.account, g) {
		return
	}
	if !g.ended {
		g.tx.joined = false
		g.err = g.tx.commit(g.kept)
	}
	g.tx.end()
	g.conn.Release()
	close(g.done)
	g.store.queues.leave(g.account)
}

// run runs fn as a member. If it fails, panics or ends its goroutine, its own changes are
// undone and no others.
func (g *group) run(fn func(store.RecordTx) error) error {
	t := g.tx.continued()
	g.members++
	kept := false
	defer func() {
		t.closed = true
		switch {
		case t.failed != nil:
			// What failed in the database is why fn failed, whatever it returns.
			g.tx, g.ended, g.err = t, true, t.failed
		case kept:
			g.tx = t
			g.kept++
		case !t.joined:
			g.tx, g.ended = t, true // nothing else is in the transaction
		default:
			g.tx = g.tx.undone(t)
		}
	}()
	err := fn(t)
	kept = err == nil
	if err != nil && t.guessed {
		return fmt.Errorf("%w: %w", errConflict, err) // it may have failed because of a wrong hint
	}
	return err
}

// continued returns a tx for the next member of a group.
func (t *tx) continued() *tx {
	t.queueWrites()
	if t.savepoint {
		t.queue("RELEASE SAVEPOINT member")
	}
	next := *t
	next.closed, next.guessed, next.savepoint = false, false, false
	next.joined, next.mark, next.totals = t.locked, t.batch.Len(), maps.Clone(t.totals)
	return &next
}

// undone returns t as it was before a member that has failed.
func (t *tx) undone(failed *tx) *tx {
	before := *t
	before.batch, before.savepoint = failed.batch, false
	before.batch.QueuedQueries = before.batch.QueuedQueries[:failed.mark]
	if failed.savepoint {
		before.queue("ROLLBACK TO SAVEPOINT member")
		before.queue("RELEASE SAVEPOINT member")
	}
	before.writes, before.writeOf = nil, nil
	before.rows, before.prefetched = nil, nil
	before.nextRid, before.ridEnd = failed.nextRid, failed.ridEnd
	return &before
}

// setSavepoint sets the savepoint of a member before its first statement that writes.
func (t *tx) setSavepoint() {
	if t.joined && !t.savepoint && (t.readWrites || t.batch.Len() > t.mark) {
		own := t.batch.QueuedQueries[t.mark:]
		t.batch.QueuedQueries = append(t.batch.QueuedQueries[:t.mark:t.mark], &pgx.QueuedQuery{SQL: "SAVEPOINT member"})
		t.batch.QueuedQueries = append(t.batch.QueuedQueries, own...)
		t.savepoint = true
	}
	t.mark, t.readWrites = 0, false
}
