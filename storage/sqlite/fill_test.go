//go:build cgo

package sqlite

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
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
