//go:build cgo

package sqlite

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/store"
)

// tagged puts a record with tags.
func tagged(t testing.TB, s *Store, a store.AccountID, n byte, tags ...string) {
	t.Helper()
	err := s.Update(ctx, a, func(tx store.RecordTx) error {
		w := write(n)
		w.Terms = nil
		for _, tag := range tags {
			w.Terms = append(w.Terms, store.Term{Name: "tag", Value: tag})
		}
		_, err := tx.Put(ctx, note, w)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

var byTag = store.Filter{Where: []store.Cond{{Name: "tag", Op: store.Has, Values: []any{"t"}}}}

// total returns the total of a list.
func total(t testing.TB, s *Store, a store.AccountID, f store.Filter) (n int) {
	t.Helper()
	err := s.View(ctx, a, func(tx store.RecordTx) (err error) {
		_, n, err = tx.List(ctx, note, f, store.Page{Number: 1, Size: 1}, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// remembered reports whether the list is answered from the count cache: it
// falsifies the count and looks for it.
func remembered(t testing.TB, s *Store, a store.AccountID, f store.Filter) bool {
	t.Helper()
	was := total(t, s, a, f)
	for key, known := range s.counts.byKey {
		known.total += 1000
		s.counts.byKey[key] = known
	}
	is := total(t, s, a, f)
	clear(s.counts.byKey)
	return is == was+1000
}

// TestCountCache: a count is used until any process writes the kind in the account,
// and by no view of an older snapshot.
func TestCountCache(t *testing.T) {
	s := open(t)
	other := openAt(t, s.Path())
	want := func(n int) {
		t.Helper()
		if got := total(t, s, ann, byTag); got != n {
			t.Errorf("a total of %d, want %d", got, n)
		}
	}
	tagged(t, s, ann, 1, "t")
	tagged(t, s, ben, 1, "t")
	want(1)
	if !remembered(t, s, ann, byTag) {
		t.Fatal("nothing is remembered")
	}
	for n, write := range []func(){
		func() { tagged(t, s, ann, 2, "t") },
		func() { tagged(t, s, ann, 3, "t", "more") },
		func() { tagged(t, other, ann, 4, "t") }, // as another process does
		func() { tagged(t, s, ann, 5, "t") },     // and ours after it
	} {
		want(n + 1)
		write()
		want(n + 2)
	}
	tagged(t, other, ann, 5, "none")
	tagged(t, s, ben, 2, "t") // before a view has seen the other's
	want(4)
	remove(t, s, ann, 4)
	want(3)

	// A view that began before a commit counts what it sees; later views must not
	// use that count.
	err := s.View(ctx, ann, func(tx store.RecordTx) error {
		list := func(n int) {
			t.Helper()
			if _, got, err := tx.List(ctx, note, byTag, store.Page{Number: 1, Size: 1}, nil); err != nil || got != n {
				t.Errorf("the older view sees %d, %v; want %d", got, err, n)
			}
		}
		list(3)
		tagged(t, s, ann, 6, "t")
		want(4)
		list(3)
		clear(s.counts.byKey)
		list(3)
		want(4)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestCountCacheAfterFailedCommit: another process gets the number of a commit that
// this one announced and that failed.
func TestCountCacheAfterFailedCommit(t *testing.T) {
	s := open(t)
	other := openAt(t, s.Path())
	tagged(t, s, ann, 1, "t")
	if got := total(t, s, ann, byTag); got != 1 {
		t.Fatalf("before: a total of %d", got)
	}
	next := s.counts.announced.Load() + 1
	s.counts.announce(next, nil)  // as if for another account
	tagged(t, other, ann, 2, "t") // which takes the number
	s.counts.confirm(next, false)
	for range 2 {
		if got := total(t, s, ann, byTag); got != 2 {
			t.Errorf("after ours has failed: a total of %d", got)
		}
	}
}

// TestCountCacheAndMarks: a mark does not change a record, but invalidates counts.
func TestCountCacheAndMarks(t *testing.T) {
	s := open(t)
	f := store.Filter{Where: []store.Cond{{Name: "m", Op: store.MarkedBetween, Values: []any{"a", "z"}}}}
	for n := range byte(3) {
		tagged(t, s, ann, n, "t")
	}
	for n := range byte(3) {
		err := s.Update(ctx, ann, func(tx store.RecordTx) error {
			return tx.Mark(ctx, note, store.ID{n}, store.Mark{Name: "m", Values: []string{fmt.Sprint("c", n)}})
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := total(t, s, ann, f); got != int(n)+1 {
			t.Errorf("a total of %d, want %d", got, n+1)
		}
	}
}

// TestRepairIsNoticed: a server that has the file open sees what a repair by
// another process has changed.
func TestRepairIsNoticed(t *testing.T) {
	s := leaves(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openWith(t, s.Path(), Options{CacheBytes: 1 << 20})
	tool := openAt(t, s.Path())
	for _, s := range []*Store{s, tool} {
		if err := s.Prepare(ctx, []*store.Kind{note, leaf}); err != nil {
			t.Fatal(err)
		}
	}
	const one = " WHERE kind = (SELECT no FROM kinds WHERE name = 'leaf') AND account = 1"
	lists := map[string]store.Filter{
		"UPDATE totals SET n = 7" + one:                    {Where: []store.Cond{{Name: "author", Values: []any{"author"}}}},
		"DELETE FROM terms" + one + " AND value = 'red'":   {Where: []store.Cond{{Name: "tag", Op: store.Has, Values: []any{"red"}}}},
		"UPDATE r_leaf SET c_parent = NULL WHERE rid > 99": {Where: []store.Cond{{Name: "parent", Values: []any{store.ID{1}}}}},
	}
	ask := func(f store.Filter) (n int) {
		t.Helper()
		err := s.View(ctx, ann, func(tx store.RecordTx) (err error) {
			_, n, err = tx.List(ctx, leaf, f, store.Page{Number: 1, Size: 1}, nil)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for sql, f := range lists {
		withWriter(t, tool, func(c *conn) {
			if err := c.exec(sql); err != nil {
				t.Fatal(err)
			}
		})
		if n := ask(f); n == checkBatch+10 {
			t.Fatalf("%s: nothing is broken", sql)
		}
		if l := look(t, tool, true); l.Left() != 0 {
			t.Fatalf("%s: %+v", sql, l)
		}
		if n := ask(f); n != checkBatch+10 {
			t.Errorf("%s: the server says %d after the repair, want %d", sql, n, checkBatch+10)
		}
	}
}
