//go:build cgo

package sqlite

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/store"
)

// counted is note with totals kept.
func counted() *store.Kind {
	k := *note
	k.Columns = slices.Clone(k.Columns)
	k.Columns[0].Counted = true
	k.Columns[2].Volatile = true
	return &k
}

// smallGapChunks makes the chunks of gaps so small that few records need chunks of
// all sizes.
func smallGapChunks(t *testing.T) {
	before := gapBits
	gapBits = [4]int64{7, 5, 3, 1}
	t.Cleanup(func() { gapBits = before })
}

func remove(t testing.TB, s *Store, a store.AccountID, numbers ...byte) {
	t.Helper()
	err := s.Update(ctx, a, func(tx store.RecordTx) error {
		for _, n := range numbers {
			if err := tx.Delete(ctx, note, store.ID{n}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checksOut fails the test if the kept totals and gaps do not agree with the
// records.
func checksOut(t testing.TB, s *Store) {
	t.Helper()
	wrong, err := s.CheckTotals(ctx)
	if err != nil || len(wrong) > 0 {
		t.Fatalf("kept wrongly: %q, %v", wrong, err)
	}
}

// pagesAgree reads every page of several sizes, in both directions, and
// compares with the whole list.
func pagesAgree(t testing.TB, s *Store, a store.AccountID) {
	t.Helper()
	err := s.View(ctx, a, func(tx store.RecordTx) error {
		for _, desc := range []bool{true, false} {
			f := store.Filter{Sort: []store.Order{{Desc: desc}}}
			all, _, err := tx.List(ctx, note, f, store.Page{}, nil)
			if err != nil {
				return err
			}
			for _, size := range []int{1, 7, 30} {
				var read []store.Record
				for number := 1; ; number++ {
					got, total, err := tx.List(ctx, note, f, store.Page{Number: number, Size: size}, nil)
					if err != nil {
						return err
					}
					if total != len(all) {
						t.Fatalf("total %d of %d", total, len(all))
					}
					if read = append(read, got...); len(got) < size {
						break
					}
				}
				if !slices.EqualFunc(read, all, func(a, b store.Record) bool { return a.ID == b.ID }) {
					t.Fatalf("the pages of %d, descending %v, are not the list", size, desc)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPagesBetweenGaps deletes single records and runs of them at random, until the
// list is almost empty.
func TestPagesBetweenGaps(t *testing.T) {
	smallGapChunks(t)
	s := open(t)
	r := rand.New(rand.NewPCG(7, 7))
	var live []byte
	for n := range byte(250) {
		live = append(live, n)
	}
	mustPut(t, s, ben, 1, 2, 3)
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		for _, n := range live {
			if _, err := tx.Put(ctx, note, write(n)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	pagesAgree(t, s, ann)
	for len(live) > 5 {
		from := r.IntN(len(live))
		n := min(1+r.IntN(40), len(live)-from)
		remove(t, s, ann, live[from:from+n]...)
		live = slices.Delete(live, from, from+n)
		pagesAgree(t, s, ann)
		checksOut(t, s)
	}
	pagesAgree(t, s, ben)
}

// TestOlderFile opens a file from before totals and gaps were kept.
func TestOlderFile(t *testing.T) {
	smallGapChunks(t)
	path := filepath.Join(t.TempDir(), "test.db")
	s := openAt(t, path)
	mustPut(t, s, ann, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	mustPut(t, s, ben, 1, 2)
	remove(t, s, ann, 2, 3, 8, 9)
	remove(t, s, ben, 1, 2)
	s.Close()
	for _, sql := range []string{
		"DROP TRIGGER r_note_deleted", "DROP TABLE holes", "DROP TABLE totals", "ALTER TABLE seqs DROP COLUMN holes",
		"ALTER TABLE kinds DROP COLUMN kept", "ALTER TABLE kinds DROP COLUMN revision", "DELETE FROM meta WHERE name IN ('commit', 'oldest_schema')",
		"ALTER TABLE groups DROP COLUMN account", "DROP TABLE marks", "DROP TABLE mark_names", "DROP TABLE mark_totals", "DROP TABLE nodes", "DELETE FROM schema_migrations WHERE version >= 2",
	} {
		execSQL(t, path, sql)
	}
	s = openAt(t, path)
	if err := s.Prepare(ctx, []*store.Kind{counted()}); err != nil {
		t.Fatal(err)
	}
	checksOut(t, s)
	if err := s.Prepare(ctx, []*store.Kind{note}); err != nil {
		t.Fatal(err)
	}
	checksOut(t, s)
	pagesAgree(t, s, ann)
	if n := count(t, s, ben); n != 0 {
		t.Errorf("%d records", n)
	}
	mustPut(t, s, ann, 10)
	remove(t, s, ann, 1, 10)
	pagesAgree(t, s, ann)
	checksOut(t, s)
}

// TestCheckTotalsFindsErrors changes each kept number, and repairs it.
func TestCheckTotalsFindsErrors(t *testing.T) {
	s := open(t)
	if err := s.Prepare(ctx, []*store.Kind{counted()}); err != nil {
		t.Fatal(err)
	}
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		for n := range byte(9) {
			w := write(n)
			if n == 4 {
				w.Cols[0] = nil
			}
			if _, err := tx.Put(ctx, counted(), w); err != nil {
				return err
			}
		}
		return tx.Delete(ctx, counted(), store.ID{3})
	})
	if err != nil {
		t.Fatal(err)
	}
	checksOut(t, s)
	for sql, want := range map[string]string{
		"UPDATE totals SET n = n + 2 WHERE value = 'author'": "note: the total of author = 'author' in account 1 is kept as 9, but there are 7",
		"DELETE FROM totals WHERE value = x''":               "note: the total of author = X'' in account 1 is kept as 0, but there are 1",
		"INSERT INTO totals VALUES (1, 7, 'author', 1, 1)":   "note: the total of author = 1 in account 7 is kept as 1, but there are 0",
		"UPDATE holes SET n = 0 WHERE bits = 18":             "note: 0 gaps are kept for chunk 0 of 2^18 numbers of account 1, but there are 1",
		"UPDATE seqs SET holes = 5":                          "note: 5 gaps are kept for chunk 0 of 2^40 numbers of account 1, but there are 1",
	} {
		withWriter(t, s, func(c *conn) {
			if err := c.exec(sql); err != nil {
				t.Fatal(err)
			}
		})
		wrong, err := s.CheckTotals(ctx)
		if err != nil || len(wrong) != 1 || wrong[0].String() != want {
			t.Errorf("%s\ngives %q, %v", sql, wrong, err)
		}
		if err := s.RepairTotals(ctx); err != nil {
			t.Fatal(err)
		}
		checksOut(t, s)
	}
}

// TestDamagedNumberIsNotCounted: numbers up to a damaged one are not counted one by one, which
// would take hours and all memory.
func TestDamagedNumberIsNotCounted(t *testing.T) {
	s := open(t)
	mustPut(t, s, ann, 1, 2, 3)
	remove(t, s, ann, 2)
	withWriter(t, s, func(c *conn) {
		if err := c.exec("UPDATE seqs SET last = 1 << 39"); err != nil {
			t.Fatal(err)
		}
	})
	wrong, err := s.CheckTotals(ctx)
	if want := "note: 1 gaps are kept for chunk 0 of 2^40 numbers of account 1, but there are 549755813886"; err != nil || len(wrong) != 1 || wrong[0].String() != want {
		t.Errorf("%q, %v", wrong, err)
	}
	if err := s.RepairTotals(ctx); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("repaired with %v", err)
	}
}

// TestRefilledColumnsAreCounted changes the type of a counted column, so that
// it is dropped, made again and filled in batches.
func TestRefilledColumnsAreCounted(t *testing.T) {
	s := open(t)
	k := counted()
	k.Columns[1].Counted = true
	if err := s.Prepare(ctx, []*store.Kind{k}); err != nil {
		t.Fatal(err)
	}
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		for n := range byte(20) {
			if _, err := tx.Put(ctx, k, write(n)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	later := *k
	later.Columns = slices.Clone(k.Columns)
	later.Columns[1].Type = store.TextColumn
	later.Render = func(r store.Record) (store.Write, error) {
		w := write(r.ID[0])
		w.Cols[1] = fmt.Sprint(r.ID[0] % 3)
		return w, nil
	}
	if err := s.Prepare(ctx, []*store.Kind{&later}); err != nil {
		t.Fatal(err)
	}
	checksOut(t, s)
	err = s.View(ctx, ann, func(tx store.RecordTx) error {
		f := store.Filter{Where: []store.Cond{{Name: "stars", Values: []any{"1"}}}}
		_, total, err := tx.List(ctx, &later, f, store.Page{Number: 1, Size: 1}, nil)
		if total != 7 {
			t.Errorf("total %d, want 7", total)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTriggersAreThisPrograms: the triggers of another version are replaced.
func TestTriggersAreThisPrograms(t *testing.T) {
	s := open(t)
	mustPut(t, s, ann, 1, 2)
	path := s.Path()
	s.Close()
	execSQL(t, path, "DROP TRIGGER r_note_deleted")
	execSQL(t, path, `UPDATE kinds SET kept = '{"Layout":0}'`)
	s = openAt(t, path)
	remove(t, s, ann, 1)
	checksOut(t, s)
	if n := count(t, s, ann); n != 1 {
		t.Errorf("%d records", n)
	}
	text := strings.Join((&table{no: 1, name: "r_x", counted: []string{"a"}}).triggers(), "\n")
	if n := strings.Count(text, "CREATE TRIGGER"); n != 3 {
		t.Errorf("%d triggers, want those of insert, update and delete:\n%s", n, text)
	}
}

// TestTotalOfManyValues: with so many values that they go to SQLite as one array,
// and with no value.
func TestTotalOfManyValues(t *testing.T) {
	s, k := open(t), counted()
	if err := s.Prepare(ctx, []*store.Kind{k}); err != nil {
		t.Fatal(err)
	}
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		for n := range byte(5) {
			w := write(n)
			if w.Cols[0] = any("ann"); n > 2 {
				w.Cols[0] = nil
			}
			if _, err := tx.Put(ctx, k, w); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	values := []any{nil, "ann"}
	for n := range maxIn {
		values = append(values, fmt.Sprint("nobody", n))
	}
	err = s.View(ctx, ann, func(tx store.RecordTx) error {
		f := store.Filter{Where: []store.Cond{{Name: k.Columns[0].Name, Values: values}}}
		_, total, err := tx.List(ctx, k, f, store.Page{Number: 1, Size: 2}, nil)
		if total != 5 {
			t.Errorf("%d records, want 5", total)
		}
		// Outdated with two conditions is counted by all three.
		f = store.Filter{Outdated: true, Where: []store.Cond{{Name: "stars", Op: store.From, Values: []any{int64(0)}}, {Name: k.Columns[0].Name, Values: []any{"ann"}}}}
		_, total, outdated := tx.List(ctx, k, f, store.Page{Number: 2, Size: 2}, nil)
		if total != 0 {
			t.Errorf("%d outdated records, want none", total)
		}
		return errors.Join(err, outdated)
	})
	if err != nil {
		t.Fatal(err)
	}
}
