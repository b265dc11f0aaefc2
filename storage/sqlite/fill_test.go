//go:build cgo

package sqlite

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/store"
)

// TestFill: a filled file has the same content as any other, and is an ordinary
// file afterwards. It failed without flushTerms in Update, in beginKind, in Put and
// in Delete, each alone.
func TestFill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := openLeaves(t, path, Options{FillBytes: 1 << 20})
	if files, _ := filepath.Glob(path + "*"); !slices.Equal(files, []string{path}) {
		t.Errorf("files %q: there should be no log", files)
	}
	const many = 100 // more than one statement inserts
	tagged := store.Filter{Where: []store.Cond{{Name: "tag", Op: store.Has, Values: []any{"t"}}}}
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		put := func(n byte, tags ...string) {
			w := leafWrite(store.ID{n}, "author", store.ID{}, tags...)
			w.New = true
			if _, err := tx.Put(ctx, leaf, w); err != nil {
				t.Error(err)
			}
		}
		for n := range byte(many) {
			put(n, "t", fmt.Sprint(n), "t")
		}
		// A new record is changed, and then one is deleted.
		put(1, "other")
		put(many, "t")
		if err := tx.Delete(ctx, leaf, store.ID{many}); err != nil {
			t.Error(err)
		}
		put(many+1, "t")
		_, found, err := tx.List(ctx, leaf, tagged, store.Page{}, nil)
		if found != many {
			t.Errorf("%d records are found while it is filled, want %d", found, many)
		}
		put(many+2, "t")
		return err
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	s = openLeaves(t, path, Options{})
	err = s.View(ctx, ann, func(tx store.RecordTx) error {
		_, found, err := tx.List(ctx, leaf, tagged, store.Page{}, nil)
		if found != many+1 {
			t.Errorf("%d records are found, want %d", found, many+1)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	report, err := s.Check(ctx, []*store.Kind{leaf}, store.CheckRequest{Found: func(p store.Problem) { t.Error(p) }})
	if err != nil || report.Records != many+2 {
		t.Errorf("check: %+v, %v", report, err)
	}
	if s, err := Open(path, Options{FillBytes: 1 << 20}); err == nil {
		s.Close()
		t.Error("a file that is there already is filled")
	}
}

// TestFillNew: a kind whose indexes were made by Close has the same schema and content
// as any other, and an ID that was used twice is noticed. Seen to fail: a filled file
// had pages of 4096 bytes.
func TestFillNew(t *testing.T) {
	dir := t.TempDir()
	filled, ordinary := filepath.Join(dir, "filled.db"), filepath.Join(dir, "ordinary.db")
	const many = 200
	for path, opts := range map[string]Options{filled: {FillBytes: 1 << 20, FillNew: []string{leaf.Name}}, ordinary: {}} {
		s := openLeaves(t, path, opts)
		err := s.Update(ctx, ann, func(tx store.RecordTx) error {
			for n := range byte(many) {
				w := leafWrite(store.ID{n * 7}, fmt.Sprint("author", n%9), store.ID{n % 5}, fmt.Sprint(n))
				w.New = true
				if _, err := tx.Put(ctx, leaf, w); err != nil {
					return err
				}
			}
			return nil
		})
		if err := errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	var schemas []string
	for _, path := range []string{filled, ordinary} {
		s := openLeaves(t, path, Options{})
		report, err := s.Check(ctx, []*store.Kind{leaf}, store.CheckRequest{Found: func(p store.Problem) { t.Error(path, p) }})
		if err != nil || report.Records != many {
			t.Errorf("check: %+v, %v", report, err)
		}
		lines := []string{fmt.Sprint("pages of ", s.pageSize, " bytes")}
		err = s.writeAlone(ctx, func(c *conn) error {
			return c.query("SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_schema", nil, func(v []driver.Value) error {
				lines = append(lines, v[0].(string))
				return nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(lines)
		schemas = append(schemas, strings.Join(lines, "\n"))
	}
	if schemas[0] != schemas[1] {
		t.Errorf("the schema is\n%s\nwant\n%s", schemas[0], schemas[1])
	}

	s := openLeaves(t, filepath.Join(dir, "twice.db"), Options{FillBytes: 1 << 20, FillNew: []string{leaf.Name}})
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		for range 2 {
			w := leafWrite(store.ID{1}, "author", store.ID{})
			w.New = true
			if _, err := tx.Put(ctx, leaf, w); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, s.Close()); err == nil {
		t.Error("one ID was used twice")
	}
}

func openLeaves(t *testing.T, path string, opts Options) *Store {
	t.Helper()
	s, err := Open(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.Prepare(ctx, []*store.Kind{leaf}); err != nil {
		t.Fatal(err)
	}
	return s
}
