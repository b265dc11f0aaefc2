//go:build cgo

package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/landfallhq/tracking/store"
)

// Each test of the cache names the line that it guards, and failed without it.

// openCached opens a store with a cache.
func openCached(t testing.TB, path string, opts Options) *Store {
	t.Helper()
	opts.Readers, opts.CacheBytes = 4, 1<<20
	return openWith(t, path, opts)
}

func cachedStore(t testing.TB) *Store {
	t.Helper()
	return openCached(t, filepath.Join(t.TempDir(), "test.db"), Options{})
}

// set writes the record n with a text, and reads it by every method that may use
// the cache.
func set(t testing.TB, s *Store, n byte, text string) {
	t.Helper()
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		w := write(n)
		w.Doc = []byte(text)
		_, err := tx.Put(ctx, note, w)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// seen returns the text of the record n, as all methods return it; "" for none.
func seen(t testing.TB, tx store.RecordTx, n byte) string {
	t.Helper()
	id := store.ID{n}
	r, err := tx.Get(ctx, note, id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
	text := string(r.Doc)
	many, err := tx.GetMany(ctx, note, []store.ID{{0xfe}, id}, nil)
	if err != nil {
		t.Fatal(err)
	}
	plain, _, err := tx.List(ctx, note, store.Filter{}, store.Page{Number: 1, Size: 100}, nil)
	if err != nil {
		t.Fatal(err)
	}
	byStars, _, err := tx.List(ctx, note, store.Filter{Where: []store.Cond{{Name: "stars", Values: []any{int64(n)}}}}, store.Page{Number: 1, Size: 100}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range [][]store.Record{many, plain, byStars} {
		other := ""
		for _, r := range rows {
			if r.ID == id {
				other = string(r.Doc)
			}
		}
		if other != text {
			t.Fatalf("Get finds %q, another method %q", text, other)
		}
	}
	return text
}

func view(t testing.TB, s *Store, fn func(store.RecordTx)) {
	t.Helper()
	if err := s.View(ctx, ann, func(tx store.RecordTx) error { fn(tx); return nil }); err != nil {
		t.Fatal(err)
	}
}

// sees fails the test unless a new view returns the text, twice: from the file and
// from the cache.
func sees(t testing.TB, s *Store, n byte, want string) {
	t.Helper()
	for range 2 {
		view(t, s, func(tx store.RecordTx) {
			if got := seen(t, tx, n); got != want {
				t.Fatalf("a view sees %q, want %q", got, want)
			}
		})
	}
}

// TestCacheKeepsRecords: a record that was read is returned again, with its
// DecodeCache, until it changes. Guards c.add in read.
func TestCacheKeepsRecords(t *testing.T) {
	s := cachedStore(t)
	set(t, s, 1, "one")
	get := func() (r store.Record) {
		view(t, s, func(tx store.RecordTx) { r, _ = tx.Get(ctx, note, store.ID{1}) })
		return r
	}
	first, second := get(), get()
	if first.Decoded == nil || first.Decoded != second.Decoded || &first.Doc[0] != &second.Doc[0] {
		t.Error("a record that was kept is read again")
	}
	set(t, s, 1, "two")
	if third := get(); third.Decoded == nil || third.Decoded == first.Decoded || string(third.Doc) != "two" {
		t.Errorf("a changed record is handed out as %+v", third)
	}
	plain := open(t)
	mustPut(t, plain, ann, 1)
	err := plain.View(ctx, ann, func(tx store.RecordTx) error {
		r, err := tx.Get(ctx, note, store.ID{1})
		if r.Decoded != nil {
			t.Error("a DecodeCache without a cache")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestCacheAnnounces: changes are seen at once. Guards c.remove in announce.
func TestCacheAnnounces(t *testing.T) {
	s := cachedStore(t)
	for i := range 3 {
		text := fmt.Sprint("text ", i)
		set(t, s, 1, text)
		sees(t, s, 1, text)
	}
	remove(t, s, ann, 1)
	sees(t, s, 1, "")
	set(t, s, 1, "again")
	sees(t, s, 1, "again")
}

// TestCacheAndOlderSnapshots: a view does not see what was committed after its
// first read, even if a later view has cached it. Guards "e.from > commit" in
// recordAt and noteWrite in insert.
func TestCacheAndOlderSnapshots(t *testing.T) {
	s := cachedStore(t)
	set(t, s, 1, "old")
	set(t, s, 9, "other")
	view(t, s, func(tx store.RecordTx) {
		seen(t, tx, 9)
		set(t, s, 2, "made later")
		sees(t, s, 2, "made later")
		if got := seen(t, tx, 2); got != "" {
			t.Errorf("an older view sees %q, which was not there", got)
		}
		set(t, s, 1, "new")
		sees(t, s, 1, "new")
		if got := seen(t, tx, 1); got != "old" {
			t.Errorf("an older view sees %q", got)
		}
	})
}

// TestOlderViewDoesNotFillTheCache: an older view reads a record that is not
// cached; what it reads is outdated. Guards "commit < c.changedAt" in add.
func TestOlderViewDoesNotFillTheCache(t *testing.T) {
	s := cachedStore(t)
	set(t, s, 1, "old")
	set(t, s, 9, "other")
	view(t, s, func(tx store.RecordTx) {
		seen(t, tx, 9)
		set(t, s, 1, "new")
		if got := seen(t, tx, 1); got != "old" {
			t.Errorf("an older view sees %q", got)
		}
		sees(t, s, 1, "new")
	})
	sees(t, s, 1, "new")
	// The same, with the new record read and evicted in between.
	view(t, s, func(tx store.RecordTx) {
		seen(t, tx, 9)
		set(t, s, 1, "newer")
		sees(t, s, 1, "newer")
		s.cache.mu.Lock()
		for s.cache.hand != nil {
			s.cache.remove(s.cache.hand)
		}
		s.cache.mu.Unlock()
		seen(t, tx, 1)
	})
	sees(t, s, 1, "newer")
}

// TestCacheAndAnotherProcess: a second store on the file stands for another
// process. Guards evictAll in usableAt, CompareAndSwap in confirm and "commit <
// c.floor" in add.
func TestCacheAndAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s, other := openCached(t, path, Options{}), openCached(t, path, Options{})
	for i := range 3 {
		text := fmt.Sprint("text ", i)
		set(t, []*Store{other, s}[i%2], 1, text)
		sees(t, s, 1, text)
		sees(t, other, 1, text)
	}
	t.Run("own commit after it", func(t *testing.T) {
		sees(t, s, 1, "text 2")
		set(t, other, 1, "foreign")
		set(t, s, 9, "own") // before any view could notice the other's
		sees(t, s, 1, "foreign")
	})
	t.Run("older view after it", func(t *testing.T) {
		get := func(tx store.RecordTx, n byte) string {
			r, err := tx.Get(ctx, note, store.ID{n})
			if err != nil {
				t.Fatal(err)
			}
			return string(r.Doc)
		}
		view(t, s, func(tx store.RecordTx) {
			get(tx, 9)
			set(t, other, 1, "later")
			view(t, s, func(tx store.RecordTx) { get(tx, 9) }) // notices it
			if got := get(tx, 1); got != "foreign" {
				t.Errorf("an older view sees %q", got)
			}
		})
		sees(t, s, 1, "later")
	})
}

// TestCacheAndFailedCommit: the number of a failed commit is used again, here by
// another process. Guards the "ok" of confirm.
func TestCacheAndFailedCommit(t *testing.T) {
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
	set(t, s, 9, "other")
	sees(t, s, 1, "old")
	fails = true
	if err := put(ctx, s, ann, 9); !errors.Is(err, store.ErrUnavailable) {
		t.Fatalf("error %v", err)
	}
	fails = false
	sees(t, s, 9, "other")
	set(t, other, 1, "new")
	sees(t, s, 1, "new")
}

// TestCacheWhileCommitting: a view can have the number of a commit in its snapshot
// before the commit is confirmed. Guards pending in usableAt.
func TestCacheWhileCommitting(t *testing.T) {
	c := newCache(1 << 20)
	if !c.usableAt(7) {
		t.Fatal("an empty cache does not serve")
	}
	c.add(7, []*entry{{rid: ridKey{1, 1}}})
	c.announce(8, []ridKey{{1, 2}}, nil)
	if !c.usableAt(7) || c.usableAt(8) {
		t.Error("a view of the commit that may yet fail is served, or one before it is not")
	}
	c.confirm(8, true)
	if !c.usableAt(8) || len(c.byRid) != 1 {
		t.Error("a commit of this process has emptied the cache")
	}
	c.announce(9, nil, nil)
	c.confirm(9, false)
	if !c.usableAt(9) || len(c.byRid) != 0 {
		t.Error("another's commit with the number of a failed one went unnoticed")
	}
}

// TestCacheAndRevisions: each revision of a kind sees its own form. Guards
// "e.revision" in recordAt.
func TestCacheAndRevisions(t *testing.T) {
	s := cachedStore(t)
	set(t, s, 1, "one")
	later := *note
	later.Revision = "2"
	later.Render = func(r store.Record) (store.Write, error) {
		return store.Write{Doc: append([]byte("rendered "), r.Doc...)}, nil
	}
	for range 3 {
		sees(t, s, 1, "one")
		view(t, s, func(tx store.RecordTx) {
			r, err := tx.Get(ctx, &later, store.ID{1})
			if err != nil || string(r.Doc) != "rendered one" {
				t.Errorf("%q, %v", r.Doc, err)
			}
		})
	}
}

// TestCacheAndPrepare: filling new columns rewrites the rows. Guards raiseCommit in
// renderBatch.
func TestCacheAndPrepare(t *testing.T) {
	s := cachedStore(t)
	set(t, s, 1, "one")
	sees(t, s, 1, "one")
	later := *note
	later.Columns = append([]store.Column{{Name: "more", Type: store.IntColumn}}, note.Columns...)
	later.Render = func(r store.Record) (store.Write, error) {
		w := write(r.ID[0])
		w.Cols = append([]any{int64(1)}, w.Cols...)
		w.Doc = []byte("filled")
		return w, nil
	}
	if err := s.Prepare(ctx, []*store.Kind{&later}); err != nil {
		t.Fatal(err)
	}
	view(t, s, func(tx store.RecordTx) {
		if r, err := tx.Get(ctx, &later, store.ID{1}); err != nil || string(r.Doc) != "filled" {
			t.Errorf("%q, %v", r.Doc, err)
		}
	})
}

// TestCacheIsBounded runs random operations and checks the size and the links of
// the cache.
func TestCacheIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	c := newCache(40 << 10)
	for commit := int64(1); commit < 3000; commit++ {
		if !c.usableAt(commit) {
			t.Fatal("not served")
		}
		var read []*entry
		for range r.IntN(5) {
			n := int64(r.IntN(200))
			read = append(read, &entry{
				rid: ridKey{1, n}, id: idKey{1, 1, store.ID{byte(n)}},
				record: store.Record{Doc: bytes.Repeat([]byte("x"), r.IntN(5000))},
			})
		}
		c.add(commit, read)
		for range r.IntN(3) {
			if _, ok := c.byRid[ridKey{1, int64(r.IntN(200))}].recordAt(commit, &store.Kind{}); ok {
				break
			}
		}
		var changed []ridKey
		for range r.IntN(3) {
			changed = append(changed, ridKey{1, int64(r.IntN(200))})
		}
		c.announce(commit+1, changed, nil)
		c.confirm(commit+1, true)
		sum, n := int64(0), 0
		for e := c.hand; e != nil; {
			if c.byRid[e.rid] != e || c.byID[e.id] != e {
				t.Fatal("an entry of the ring is not in the maps")
			}
			sum, n = sum+e.cost, n+1
			if e = e.next; e == c.hand {
				break
			}
		}
		if sum != c.bytes || n != len(c.byRid) || n != len(c.byID) || c.bytes > c.limit {
			t.Fatalf("%d entries of %d bytes; kept as %d and %d entries of %d bytes, of %d", n, sum, len(c.byRid), len(c.byID), c.bytes, c.limit)
		}
		if commit == 2999 && n < 5 {
			t.Fatalf("%d entries are left", n)
		}
	}
}
