//go:build cgo

package sqlite

import (
	"fmt"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/mattn/go-sqlite3"
)

// TestPlannedOnce runs each kind of read repeatedly with other values. SQLite
// reports each statement that it prepares a plan for: none may be planned twice. A
// bare "LIMIT ?" would be, because the planner reads its value.
func TestPlannedOnce(t *testing.T) {
	s := openWith(t, t.TempDir()+"/test.db", Options{Readers: 1})
	kind := counted()
	if err := s.Prepare(ctx, []*store.Kind{kind}); err != nil {
		t.Fatal(err)
	}
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		for n := range byte(250) {
			w := write(n)
			w.Cols[0] = fmt.Sprint("author ", n%3)
			w.Terms = append(w.Terms, store.Term{Name: "tag", Value: fmt.Sprint("u", n%20)}, store.Term{Name: "tag", Value: fmt.Sprint("one", n%2)})
			if _, err := tx.Put(ctx, kind, w); err != nil {
				return err
			}
			m := store.Mark{Name: "grade", Values: []string{fmt.Sprint(n)}}
			if n%2 == 0 {
				if err := tx.Mark(ctx, kind, w.ID, m); err != nil {
					return err
				}
			}
			if err := tx.Enqueue(ctx, store.Job{ID: store.ID{n}, Kind: "work", Group: "g", Due: time.UnixMicro(1)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	before := smallResult
	t.Cleanup(func() { smallResult = before })

	planned := 0
	note := func(op int, _, _, _ string) int {
		if op == sqlite3.SQLITE_SELECT {
			planned++
		}
		return sqlite3.SQLITE_OK
	}
	r, err := s.acquireReader(ctx)
	if err != nil {
		t.Fatal(err)
	}
	r.c.RegisterAuthorizer(note)
	s.releaseReader(r)
	withWriter(t, s, func(c *conn) { c.c.RegisterAuthorizer(note) })

	filters := []store.Filter{
		{},
		{Where: []store.Cond{{Name: "author", Values: []any{"author 1"}}}},
		{Where: []store.Cond{{Name: "author", Values: []any{"author 1"}}, {Name: "stars", Op: store.From, Values: []any{int64(9)}}}},
		{Where: []store.Cond{{Name: "tag", Op: store.Has, Values: []any{"t"}}}},
		{Where: []store.Cond{{Name: "tag", Op: store.Has, Values: []any{"t"}}, {Name: "tag", Op: store.HasPrefix, Values: []any{"one"}}}},
		{Where: []store.Cond{{Name: "tag", Op: store.HasPrefix, Values: []any{"u"}}}},
		{Where: []store.Cond{{Name: "grade", Op: store.MarkedBetween, Values: []any{"3", nil}}}},
		{Sort: []store.Order{{Name: "grade", Mark: true}}},
		{Sort: []store.Order{{Name: "written_at"}}},
	}
	round := func(n int) {
		t.Helper()
		err := s.View(ctx, ann, func(tx store.RecordTx) error {
			for _, smallResult = range []int64{5, 1000} {
				for _, f := range filters {
					s.counts.byKey = nil // what is remembered is not asked for
					if _, _, err := tx.List(ctx, kind, f, store.Page{Number: 1 + n, Size: 4 + n}, nil); err != nil {
						return fmt.Errorf("%+v: %w", f, err)
					}
				}
			}
			for _, c := range []store.Cond{
				{Name: "author", Values: []any{"author 1"}},
				{Name: "tag", Op: store.Has, Values: []any{"t"}},
				{Name: "tag", Op: store.HasPrefix, Values: []any{"t"}},
			} {
				if _, err := tx.Find(ctx, kind, c, 5+n); err != nil {
					return err
				}
			}
			_, err := tx.GetMany(ctx, kind, []store.ID{{1}, {2 + byte(n)}}, nil)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Claim(ctx, store.ClaimRequest{Kinds: []store.JobKind{"work"}, Now: time.UnixMicro(9), Lease: time.Second, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
	}
	round(0)
	if planned == 0 {
		t.Fatal("SQLite tells of no plan at all")
	}
	for n := range 3 {
		planned = 0
		if round(1 + n); n > 0 && planned != 0 {
			t.Errorf("round %d: %d plans of statements that were planned before", 1+n, planned)
		}
	}
}

// TestNewTablesAreOneCommit: a new program does not wait for the disk once for each
// kind; only existing kinds that differ are altered one by one.
func TestNewTablesAreOneCommit(t *testing.T) {
	commits := 0
	s := openWith(t, t.TempDir()+"/test.db", Options{harness: harness{statement: func(sql string) error {
		if sql == "COMMIT" {
			commits++
		}
		return nil
	}}})
	if err := put(ctx, s, ann, 1); err != nil {
		t.Fatal(err)
	}
	kinds := []*store.Kind{counted(), leaf}
	for _, name := range []string{"one", "two", "three"} {
		k := *leaf
		k.Name = name
		kinds = append(kinds, &k)
	}
	for _, want := range []int{2, 1, 1} { // note is counted from now on, and then nothing is to be done
		commits = 0
		if err := s.Prepare(ctx, kinds); err != nil {
			t.Fatal(err)
		}
		if commits != want {
			t.Errorf("%d commits, want %d", commits, want)
		}
	}
	for _, k := range kinds[1:] {
		err := s.Update(ctx, ann, func(tx store.RecordTx) error {
			_, err := tx.Put(ctx, k, leafWrite(store.ID{1}, "author", store.ID{2}, "tag"))
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
	checksOut(t, s)
	if l := look(t, s, false); l.Problems != 0 {
		t.Error(l.lines)
	}
}
