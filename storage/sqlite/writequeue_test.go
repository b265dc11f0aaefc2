//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/landfallhq/tracking/store"

	"github.com/mattn/go-sqlite3"

	"github.com/landfallhq/tracking/internal/drill"
)

// statements records the statements of the connection that writes, and fails those
// that fault selects.
type statements struct {
	mu    sync.Mutex
	seen  []string
	fault func(sql string) error
}

func (r *statements) before(sql string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, sql)
	if r.fault == nil {
		return nil
	}
	return r.fault(sql)
}

func (r *statements) count(sql string) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.seen {
		if s == sql {
			n++
		}
	}
	return n
}

// failOnce makes the next of these statements fail.
func (r *statements) failOnce(sql string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault = func(s string) error {
		if s != sql {
			return nil
		}
		r.fault = nil
		return sqlite3.Error{Code: sqlite3.ErrIoErr}
	}
}

// recorded returns a store whose statements are recorded.
func recorded(t testing.TB, maxBatch int) (*Store, *statements) {
	t.Helper()
	r := &statements{}
	s := openWith(t, filepath.Join(t.TempDir(), "test.db"), Options{Readers: 2, MaxBatch: maxBatch, harness: harness{statement: r.before}})
	mustPut(t, s, ann, 255) // every table and account that the tests need is there
	r.seen = nil
	return s, r
}

// inLine waits until n callers are queued.
func inLine(s *Store, n int) {
	for {
		if s.queue.length() == n {
			return
		}
		runtime.Gosched()
	}
}

// together runs n updates in one batch, if they fit, in this order, and returns
// their results.
func together(t testing.TB, s *Store, n int, update func(i int) error) []error {
	t.Helper()
	if _, err := s.acquireWriter(ctx, store.AccountID{}, true); err != nil {
		t.Fatal(err)
	}
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = update(i) })
		inLine(s, i+1)
	}
	s.queue.release()
	wg.Wait()
	return errs
}

// stored reports for each of n records whether it is there.
func stored(t testing.TB, s *Store, a store.AccountID, n int) []bool {
	t.Helper()
	there := make([]bool, n)
	err := s.View(ctx, a, func(tx store.RecordTx) error {
		for i := range n {
			_, err := tx.Get(ctx, note, store.ID{byte(i)})
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			there[i] = err == nil
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return there
}

// truthful fails the test unless exactly the updates that returned nil are stored.
func truthful(t testing.TB, s *Store, errs []error) {
	t.Helper()
	for i, there := range stored(t, s, ann, len(errs)) {
		if there != (errs[i] == nil) {
			t.Errorf("update %d was answered with %v; stored: %t", i, errs[i], there)
		}
	}
}

// TestOneFailsInABatch: one closure of a full batch fails, panics or exits. The
// other 63 are committed, together.
func TestOneFailsInABatch(t *testing.T) {
	mine := errors.New("mine")
	type ending func(cancel context.CancelFunc, tx store.RecordTx) error
	for name, end := range map[string]ending{
		"error": func(context.CancelFunc, store.RecordTx) error { return mine },
		"panic": func(context.CancelFunc, store.RecordTx) error { panic(mine) },
		"goexit": func(context.CancelFunc, store.RecordTx) error {
			runtime.Goexit()
			return nil
		},
		"cancelled": func(cancel context.CancelFunc, tx store.RecordTx) error {
			cancel()
			return tx.Delete(context.Background(), note, store.ID{255})
		},
	} {
		for _, place := range []int{0, 20, 63} {
			t.Run(fmt.Sprint(name, place), func(t *testing.T) {
				s, r := recorded(t, 0)
				errs := together(t, s, 64, func(i int) (err error) {
					if i != place {
						return put(ctx, s, ann, byte(i))
					}
					err = mine // also of a goroutine that ends
					defer func() {
						if p := recover(); p != nil {
							err = p.(error)
						}
					}()
					ctx, cancel := context.WithCancel(ctx)
					got := s.Update(ctx, ann, func(tx store.RecordTx) error {
						if _, err := tx.Put(ctx, note, write(byte(i))); err != nil {
							return err
						}
						if err := end(cancel, tx); err != nil {
							return err
						}
						_, err := tx.Put(ctx, note, write(254))
						return err
					})
					if name == "cancelled" && !errors.Is(got, context.Canceled) {
						t.Errorf("error %v", got)
					}
					return got
				})
				for i, err := range errs {
					if (err == nil) != (i != place) && name != "goexit" {
						t.Errorf("update %d: error %v", i, err)
					}
				}
				errs[place] = mine
				truthful(t, s, errs)
				checksOut(t, s) // no number of a record is left out
				if n := count(t, s, ann); n != 64 {
					t.Errorf("%d records, want 63 and the one before", n)
				}
				if n := r.count("COMMIT"); n != 1 {
					t.Errorf("%d commits", n)
				}
			})
		}
	}
}

func TestBatchSizes(t *testing.T) {
	for _, c := range []struct{ maxBatch, updates, commits int }{{0, 64, 1}, {0, 65, 2}, {0, 1, 1}, {1, 5, 5}, {3, 7, 3}} {
		s, r := recorded(t, c.maxBatch)
		errs := together(t, s, c.updates, func(i int) error { return put(ctx, s, ann, byte(i)) })
		truthful(t, s, errs)
		if n := r.count("COMMIT"); n != c.commits {
			t.Errorf("%+v: %d commits", c, n)
		}
		// The first of a batch is the transaction itself.
		if n := r.count("SAVEPOINT member"); n != c.updates-c.commits {
			t.Errorf("%+v: %d savepoints", c, n)
		}
	}
}

// TestAccountsWriteInTurn: an account with many updates delays another by one.
//
// Seen to fail: with one queue for all, and when withdraw leaves the turn of an account
// that has no other update.
func TestAccountsWriteInTurn(t *testing.T) {
	q := &writeQueue{}
	cat := store.AccountID{3}
	enqueue := func(a store.AccountID) *waiter {
		w, err := q.enqueue(a, false)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	holder := enqueue(ann)
	ann1, ann2, ann3 := enqueue(ann), enqueue(ann), enqueue(ann)
	ben1, cat1, ben2 := enqueue(ben), enqueue(cat), enqueue(ben)
	want := []*waiter{holder, ann1, ben1, ann3, ben2}
	if !q.withdraw(ann2) || !q.withdraw(cat1) || q.withdraw(holder) {
		t.Error("ann2 and cat1 were waiting, the holder was not")
	}
	if n := q.length(); n != len(want)-1 {
		t.Errorf("%d are waiting", n)
	}
	for i, w := range want {
		select {
		case <-w.granted:
		default:
			t.Fatalf("update %d is not the next", i)
		}
		q.release()
	}
	if q.held || len(q.turns) > 0 || len(q.waiting) > 0 {
		t.Error("the connection is still held or waited for")
	}
}

// TestLongBatchIsCommitted: a small update does not wait for all that come after it.
func TestLongBatchIsCommitted(t *testing.T) {
	s, r := recorded(t, 0)
	s.opts.batchTime = 1
	truthful(t, s, together(t, s, 5, func(i int) error { return put(ctx, s, ann, byte(i)) }))
	if n := r.count("COMMIT"); n != 5 {
		t.Errorf("%d commits", n)
	}
}

// TestClaimAndPrepareShareTheWriter runs them between updates: a claim joins the
// batch, Prepare has its own transaction.
func TestClaimAndPrepareShareTheWriter(t *testing.T) {
	s, r := recorded(t, 0)
	other := *note
	other.Name = "other"
	errs := together(t, s, 5, func(i int) error {
		switch i {
		case 1:
			_, err := s.Claim(ctx, store.ClaimRequest{Kinds: []store.JobKind{"k"}})
			return err
		case 3:
			return s.Prepare(ctx, []*store.Kind{&other})
		}
		return put(ctx, s, ann, byte(i))
	})
	if !slices.Equal(errs, make([]error, 5)) {
		t.Error(errs)
	}
	if n := r.count("COMMIT"); n != 3 {
		t.Errorf("%d commits, want those of three, one and one", n)
	}
	if n := r.count("SAVEPOINT member"); n != 2 {
		t.Errorf("%d savepoints", n)
	}
}

// allUnavailable fails the test unless none of these updates was acknowledged.
func allUnavailable(t testing.TB, errs []error) {
	t.Helper()
	for i, err := range errs {
		if !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("update %d: error %v", i, err)
		}
	}
}

// TestFailedCommit fails a commit before it reaches SQLite and in SQLite. No member
// returns nil, not even the one that had an error of its own, which may come from
// uncommitted data.
func TestFailedCommit(t *testing.T) {
	for _, inside := range []bool{false, true} {
		s, r := recorded(t, 0)
		if !inside {
			r.failOnce("COMMIT")
		}
		before := s.queue.conn
		errs := together(t, s, 64, func(i int) error {
			return s.Update(ctx, ann, func(rtx store.RecordTx) error {
				if i == 40 {
					_, err := rtx.Get(ctx, note, store.ID{39})
					return errors.Join(err, errors.New("39 is there"))
				}
				if i == 20 && inside {
					// Found by COMMIT alone, which leaves the transaction open.
					c := rtx.(*tx).conn
					if err := c.exec("PRAGMA defer_foreign_keys=ON"); err != nil {
						return err
					}
					return c.exec("INSERT INTO jobs (account, id, grp, ref, due) VALUES (999, x'', 999, x'', 0)")
				}
				_, err := rtx.Put(ctx, note, write(byte(i)))
				return err
			})
		})
		allUnavailable(t, errs)
		truthful(t, s, errs)
		if s.queue.conn == before {
			t.Error("the connection is used again")
		}
		mustPut(t, s, ann, 1)
		if n := count(t, s, ann); n != 2 {
			t.Errorf("%d records", n)
		}
	}
}

// TestRolledBackInABatch: SQLite ends the transaction in the middle of a batch. The
// updates before it fail, those after it are a new batch.
func TestRolledBackInABatch(t *testing.T) {
	for _, silent := range []bool{false, true} {
		for _, place := range []int{0, 5} {
			s, r := recorded(t, 0)
			before := s.queue.conn
			errs := together(t, s, 9, func(i int) error {
				return s.Update(ctx, ann, func(rtx store.RecordTx) error {
					_, err := rtx.Put(ctx, note, write(byte(i)))
					if i == place {
						rtx.(*tx).conn.rollback()
						if !silent {
							_, err = rtx.Put(ctx, note, write(200))
						}
					}
					return err
				})
			})
			allUnavailable(t, errs[:place+1])
			truthful(t, s, errs)
			if !slices.Equal(errs[place+1:], make([]error, 8-place)) || r.count("COMMIT") != 1 {
				t.Errorf("errors %v after %d commits", errs[place+1:], r.count("COMMIT"))
			}
			if s.queue.conn == before {
				t.Error("the connection is used again")
			}
		}
	}
}

// TestSavepointsFail fails the statements that undo one member.
func TestSavepointsFail(t *testing.T) {
	for _, sql := range []string{"SAVEPOINT member", "ROLLBACK TO member", "RELEASE member"} {
		s, r := recorded(t, 0)
		r.failOnce(sql)
		errs := together(t, s, 6, func(i int) error {
			return s.Update(ctx, ann, func(tx store.RecordTx) error {
				if _, err := tx.Put(ctx, note, write(byte(i))); err != nil {
					return err
				}
				if i == 3 {
					return errors.New("mine")
				}
				return nil
			})
		})
		truthful(t, s, errs)
		if errs[5] != nil {
			t.Errorf("%s: the last update fails with %v", sql, errs[5])
		}
	}
}

// TestFullInABatch stops a file from growing in the middle of a batch.
func TestFullInABatch(t *testing.T) {
	s, _ := recorded(t, 0)
	withWriter(t, s, func(c *conn) {
		pages, _, _ := c.queryInt("PRAGMA page_count")
		if _, err := c.c.Exec(fmt.Sprintf("PRAGMA max_page_count=%d", pages+20), nil); err != nil {
			t.Fatal(err)
		}
	})
	errs := together(t, s, 9, func(i int) error {
		return s.Update(ctx, ann, func(tx store.RecordTx) error {
			w := write(byte(i))
			if i == 5 {
				w.Doc = make([]byte, 1<<20)
			}
			_, err := tx.Put(ctx, note, w)
			return err
		})
	})
	if !errors.Is(errs[5], store.ErrUnavailable) {
		t.Errorf("error %v", errs[5])
	}
	truthful(t, s, errs)
	if !slices.Equal(errs[6:], make([]error, 3)) {
		t.Errorf("errors %v after it", errs[6:])
	}
}

// TestInterrupted interrupts a statement that writes in the middle of a batch.
func TestInterrupted(t *testing.T) {
	s, _ := recorded(t, 0)
	errs := together(t, s, 9, func(i int) error {
		return s.Update(ctx, ann, func(rtx store.RecordTx) error {
			_, err := rtx.Put(ctx, note, write(byte(i)))
			if i != 5 || err != nil {
				return err
			}
			ctx, interrupt := context.WithCancel(ctx)
			c := rtx.(*tx).conn
			if err := c.c.RegisterFunc("interrupt", func() int64 { interrupt(); return 0 }, false); err != nil {
				return err
			}
			stmt, err := c.c.Prepare(`WITH RECURSIVE n(i) AS (SELECT interrupt() UNION ALL SELECT i + 1 FROM n)
				INSERT INTO seqs (kind, account, last) SELECT 9, 9, i FROM n WHERE i < 0`) // ends when it is interrupted
			if err != nil {
				return err
			}
			defer stmt.Close()
			_, err = stmt.(driver.StmtExecContext).ExecContext(ctx, nil)
			if err == nil {
				t.Error("the statement ends")
			}
			return err
		})
	})
	allUnavailable(t, errs[:6])
	truthful(t, s, errs)
	if !slices.Equal(errs[6:], make([]error, 3)) {
		t.Errorf("errors %v after it", errs[6:])
	}
}

// TestAccountOfAFailedBatch: two members of a batch use an account that the first
// of them created. The commit fails, so the number goes to another account.
func TestAccountOfAFailedBatch(t *testing.T) {
	s, r := recorded(t, 0)
	carl := store.AccountID{15: 3}
	r.failOnce("COMMIT")
	errs := together(t, s, 3, func(i int) error { return put(ctx, s, ben, byte(i)) })
	allUnavailable(t, errs)
	mustPut(t, s, carl, 1)
	mustPut(t, s, ben, 1, 2)
	if b, c := count(t, s, ben), count(t, s, carl); b != 2 || c != 1 {
		t.Errorf("%d records of ben, %d of carl", b, c)
	}
	// The same within one batch: the update that creates an account fails, and the
	// next creates another.
	dora, emma := store.AccountID{15: 4}, store.AccountID{15: 5}
	errs = together(t, s, 4, func(i int) error {
		return s.Update(ctx, []store.AccountID{ann, dora, emma, dora}[i], func(tx store.RecordTx) error {
			_, err := tx.Put(ctx, note, write(byte(i)))
			if i == 1 {
				return errors.New("mine")
			}
			return err
		})
	})
	if errs[0] != nil || errs[1] == nil || errs[2] != nil || errs[3] != nil {
		t.Fatal(errs)
	}
	if d, e := count(t, s, dora), count(t, s, emma); d != 1 || e != 1 {
		t.Errorf("%d records of dora, %d of emma", d, e)
	}
}

// lateContext ends after its first check.
type lateContext struct {
	context.Context
	asked bool
	done  func() <-chan struct{}
}

func (c *lateContext) Done() <-chan struct{} { return c.done() }

func (c *lateContext) Err() error {
	if !c.asked {
		c.asked = true
		return nil
	}
	return context.Canceled
}

// TestWithdrawFromQueue: the caller in the middle, or the last one, leaves while it
// waits, and when it has just been granted the connection with the open batch.
func TestWithdrawFromQueue(t *testing.T) {
	const n = 5
	never := func() <-chan struct{} { return nil }
	for _, place := range []int{1, n - 1} {
		for name, leave := range map[string]func(*Store) (_ context.Context, elsewhere func()){
			"waiting": func(s *Store) (context.Context, func()) {
				ctx, cancel := context.WithCancel(ctx)
				return ctx, func() { cancel(); inLine(s, n-2) }
			},
			"handed": func(s *Store) (context.Context, func()) {
				return &lateContext{Context: ctx, done: never}, func() {}
			},
			"handed and over": func(s *Store) (context.Context, func()) {
				started := make(chan struct{})
				return &lateContext{Context: ctx, done: func() <-chan struct{} {
					<-started
					inLine(s, n-1-place) // it is not among them any more
					return started
				}}, func() { close(started) }
			},
		} {
			for range 10 { // select takes either of two that are ready
				s, r := recorded(t, 0)
				leaving, elsewhere := leave(s)
				errs := together(t, s, n, func(i int) error {
					if i == place {
						return s.Update(leaving, ann, func(store.RecordTx) error {
							t.Error("the closure runs")
							return nil
						})
					}
					return s.Update(ctx, ann, func(tx store.RecordTx) error {
						if i == 0 {
							elsewhere()
						}
						_, err := tx.Put(ctx, note, write(byte(i)))
						return err
					})
				})
				if !errors.Is(errs[place], context.Canceled) {
					t.Errorf("%s: error %v", name, errs[place])
				}
				truthful(t, s, errs)
				if n := r.count("COMMIT"); n != 1 {
					t.Errorf("%s: %d commits", name, n)
				}
				s.Close()
			}
		}
	}
}

// TestCancelledBeforeTheCommit ends the context of a closure that has run. The
// outcome is that of the commit.
func TestCancelledBeforeTheCommit(t *testing.T) {
	for _, fails := range []bool{false, true} {
		s, r := recorded(t, 0)
		if fails {
			r.failOnce("COMMIT")
		}
		first, cancel := context.WithCancel(ctx)
		errs := together(t, s, 2, func(i int) error {
			if i == 0 {
				return put(first, s, ann, 0)
			}
			return s.Update(ctx, ann, func(tx store.RecordTx) error {
				cancel()
				_, err := tx.Put(ctx, note, write(1))
				return err
			})
		})
		truthful(t, s, errs)
		if fails {
			allUnavailable(t, errs)
		} else if !slices.Equal(errs, make([]error, 2)) {
			t.Error(errs)
		}
	}
}

// TestCloseDuringABatch closes the store while a batch is open and others wait.
func TestCloseDuringABatch(t *testing.T) {
	s, _ := recorded(t, 0)
	closed := make(chan error)
	errs := together(t, s, 4, func(i int) error {
		return s.Update(ctx, ann, func(tx store.RecordTx) error {
			if i == 1 {
				go func() { closed <- s.Close() }()
				inLine(s, 1) // Close alone
			}
			_, err := tx.Put(ctx, note, write(byte(i)))
			return err
		})
	})
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	if errs[0] != nil || errs[1] != nil || !errors.Is(errs[2], store.ErrClosed) || !errors.Is(errs[3], store.ErrClosed) {
		t.Error(errs)
	}
	if err := put(ctx, s, ann, 9); !errors.Is(err, store.ErrClosed) {
		t.Errorf("error %v", err)
	}
	truthful(t, openAt(t, s.Path()), errs)
}

// TestQueuedUpdatesFailTogether: the begin of a batch fails, as it does after five
// seconds when another process holds the lock. The queued updates do not wait
// again.
func TestQueuedUpdatesFailTogether(t *testing.T) {
	s, r := recorded(t, 0)
	r.failOnce("BEGIN IMMEDIATE")
	errs := together(t, s, 20, func(i int) error { return put(ctx, s, ann, byte(i)) })
	allUnavailable(t, errs)
	if n := r.count("BEGIN IMMEDIATE"); n != 1 {
		t.Errorf("%d attempts", n)
	}
	mustPut(t, s, ann, 1)
}

// TestManyWriters counts in one record, from many goroutines, with random faults of
// every kind. The record has exactly what was acknowledged.
func TestManyWriters(t *testing.T) {
	s, r := recorded(t, 7)
	random := drill.Random(t)
	seed := random.Uint64()
	r.fault = func(sql string) error { // under the lock
		switch {
		case sql == "BEGIN IMMEDIATE" && random.IntN(40) == 0,
			sql == "COMMIT" && random.IntN(20) == 0,
			sql != "ROLLBACK" && random.IntN(300) == 0:
			return sqlite3.Error{Code: sqlite3.ErrIoErr}
		}
		return nil
	}
	counter := write(100)
	var acknowledged, failed [8]int
	var wg sync.WaitGroup
	for g := range 8 {
		random := rand.New(rand.NewPCG(seed, uint64(g)+1))
		wg.Go(func() {
			for range 100 {
				ctx, cancel := context.WithCancel(ctx)
				if random.IntN(20) == 0 {
					go cancel()
				}
				end := random.IntN(10)
				err := func() (err error) {
					defer func() {
						if p := recover(); p != nil {
							err = fmt.Errorf("panic: %v", p)
						}
					}()
					return s.Update(ctx, ann, func(tx store.RecordTx) error {
						w := counter
						n := 0
						switch r, err := tx.Get(ctx, note, w.ID); {
						case err == nil:
							_, err := fmt.Sscan(string(r.Doc), &n)
							if err != nil {
								return err
							}
						case !errors.Is(err, store.ErrNotFound):
							return err
						}
						w.Doc = fmt.Append(nil, n+1)
						if _, err := tx.Put(ctx, note, w); err != nil {
							return err
						}
						switch end {
						case 0:
							return errors.New("mine")
						case 1:
							panic("mine")
						}
						return nil
					})
				}()
				cancel()
				if err == nil {
					acknowledged[g]++
				} else {
					failed[g]++
				}
			}
		})
	}
	wg.Wait()
	r.fault = nil
	var want, lost, got int
	for g := range acknowledged {
		want += acknowledged[g]
		lost += failed[g]
	}
	err := s.View(ctx, ann, func(tx store.RecordTx) error {
		r, err := tx.Get(ctx, note, counter.ID)
		if err != nil {
			return err
		}
		_, err = fmt.Sscan(string(r.Doc), &got)
		return err
	})
	if err != nil || got != want {
		t.Errorf("%d, %v, after %d acknowledged updates and %d that failed", got, err, want, lost)
	}
	if want < 100 || lost < 50 {
		t.Errorf("%d updates acknowledged, %d failed: too few of one to show anything", want, lost)
	}
}
