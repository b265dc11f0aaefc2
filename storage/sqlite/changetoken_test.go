//go:build cgo

package sqlite

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/landfallhq/tracking/store"
)

// Each test names the line that it guards, and failed without it.

// stateIn returns the change token of ann's account in a view; 0 if it is not
// known.
func stateIn(t testing.TB, tx store.RecordTx) int64 {
	t.Helper()
	state, known, err := tx.(store.ChangeTracker).ChangeToken(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if !known {
		return 0
	}
	return state
}

func stateOf(t testing.TB, s *Store) (state int64) {
	t.Helper()
	view(t, s, func(tx store.RecordTx) { state = stateIn(t, tx) })
	return state
}

// moved fails the test unless the account's token is known and has changed.
func moved(t testing.TB, s *Store, before int64, why string) int64 {
	t.Helper()
	now := stateOf(t, s)
	if now == 0 || now == before {
		t.Fatalf("%s: state %d, before %d", why, now, before)
	}
	return now
}

// TestChangeToken: every change of what an account holds changes its token, and
// changes of other accounts do not. Guards accountChangedAt in announce and the
// account in lastChange.
func TestChangeToken(t *testing.T) {
	s := cachedStore(t)
	if n := stateOf(t, s); n != 0 {
		t.Errorf("an account without records has the state %d", n)
	}
	set(t, s, 1, "one")
	state := moved(t, s, 0, "a new record")
	set(t, s, 1, "two")
	state = moved(t, s, state, "a changed record")
	set(t, s, 1, "two")
	if now := stateOf(t, s); now != state {
		t.Errorf("a write that changes nothing: state %d after %d", now, state)
	}
	mustPut(t, s, ben, 1)
	if now := stateOf(t, s); now != state {
		t.Errorf("a write of another account: state %d after %d", now, state)
	}
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		return tx.Mark(ctx, note, store.ID{1}, store.Mark{Name: "grade", Values: []string{"a"}})
	})
	if err != nil {
		t.Fatal(err)
	}
	state = moved(t, s, state, "a mark")
	remove(t, s, ann, 1)
	state = moved(t, s, state, "a record that is gone")
	if err := s.RepairTotals(ctx); err != nil {
		t.Fatal(err)
	}
	moved(t, s, state, "a repair of totals")
	plain := open(t)
	mustPut(t, plain, ann, 1)
	if n := stateOf(t, plain); n != 0 {
		t.Errorf("a store without a cache returns the token %d", n)
	}
}

// TestChangeTokenOfOlderView: a view from before the last change gets no token.
// Guards "last <= commit" in lastChange.
func TestChangeTokenOfOlderView(t *testing.T) {
	s := cachedStore(t)
	set(t, s, 1, "old")
	view(t, s, func(tx store.RecordTx) {
		seen(t, tx, 1)
		before := stateIn(t, tx)
		set(t, s, 1, "new")
		after := moved(t, s, before, "a change")
		if n := stateIn(t, tx); n == after {
			t.Errorf("an older view gets the token %d of a later one", n)
		}
	})
}

// TestChangeTokenAndAnotherProcess: a second store on the file stands for another
// process. Guards c.floor in lastChange.
func TestChangeTokenAndAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s, other := openCached(t, path, Options{}), openCached(t, path, Options{})
	set(t, s, 1, "one")
	state := stateOf(t, s)
	set(t, other, 1, "two")
	state = moved(t, s, state, "another's commit")
	set(t, other, 1, "three")
	set(t, s, 9, "own") // before any view could notice the other's
	state = moved(t, s, state, "an own commit after another's")
	set(t, other, 1, "four")
	err := s.Update(ctx, ben, func(tx store.RecordTx) error { // and one that is not ann's
		_, err := tx.Put(ctx, note, write(1))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	moved(t, s, state, "another's commit before one of another account")
}

// TestChangeTokenAfterFailedCommit: another process uses the number of a failed
// commit. Guards c.floor, too.
func TestChangeTokenAfterFailedCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	fails := false
	var o Options
	o.statement = func(sql string) error {
		if fails && sql == "COMMIT" {
			return store.ErrUnavailable
		}
		return nil
	}
	s, other := openCached(t, path, o), openCached(t, path, Options{})
	set(t, s, 1, "old")
	before := stateOf(t, s)
	fails = true
	if err := put(ctx, s, ann, 9); !errors.Is(err, store.ErrUnavailable) {
		t.Fatalf("error %v", err)
	}
	fails = false
	if n := stateOf(t, s); n != 0 && n != before {
		t.Errorf("a commit that failed has made the state %d", n)
	}
	set(t, other, 1, "new")
	moved(t, s, before, "another's commit with the number of the failed one")
}

// TestChangeTokenWhileCommitting: a view of a commit that is not confirmed yet gets
// no token. Guards "!t.cached" in ChangeToken.
func TestChangeTokenWhileCommitting(t *testing.T) {
	s := cachedStore(t)
	set(t, s, 1, "one")
	state := stateOf(t, s)
	last := s.cache.announced.Load()
	s.cache.announced.Store(last - 1)
	s.cache.pending.Store(last)
	if n := stateOf(t, s); n != 0 {
		t.Errorf("state %d of a commit that is not known to have succeeded", n)
	}
	s.cache.confirm(last, true)
	if n := stateOf(t, s); n != state {
		t.Errorf("state %d, want %d", n, state)
	}
}

// TestFirstRead: a view that begins with Get has a snapshot from then on, whether
// it found the record or not. Guards t.rows in getAsFirstRead and beginSnapshot in
// begin.
func TestFirstRead(t *testing.T) {
	s := open(t)
	set(t, s, 1, "old")
	set(t, s, 9, "other")
	for name, first := range map[string]byte{"found": 9, "not found": 7} {
		t.Run(name, func(t *testing.T) {
			set(t, s, 1, "old")
			view(t, s, func(tx store.RecordTx) {
				if _, err := tx.Get(ctx, note, store.ID{first}); (err != nil) != (first == 7) {
					t.Fatal(err)
				}
				set(t, s, 1, "new")
				if got := seen(t, tx, 1); got != "old" {
					t.Errorf("the view sees %q, committed after its first read", got)
				}
				if got := seen(t, tx, 9); got != "other" {
					t.Errorf("the same statement again finds %q", got)
				}
			})
			view(t, s, func(tx store.RecordTx) {
				if got := seen(t, tx, 1); got != "new" {
					t.Errorf("a later view sees %q", got)
				}
			})
		})
	}
}
