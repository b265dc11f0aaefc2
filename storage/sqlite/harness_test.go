//go:build cgo

package sqlite

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/store"
)

// openWith opens a store with these options and prepares the kind of these
// tests.
func openWith(t testing.TB, path string, opts Options) *Store {
	t.Helper()
	s, err := Open(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.Prepare(ctx, []*store.Kind{note}); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestExclusive runs on a VFS without shared memory, with one connection.
func TestExclusive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	opts := Options{harness: harness{vfs: "unix-none", exclusive: true}}
	s := openWith(t, path, opts)
	mustPut(t, s, ann, 1)
	if n := count(t, s, ann); n != 1 {
		t.Errorf("%d records", n)
	}
	if files, _ := filepath.Glob(path + "*"); !slices.Equal(files, []string{path, path + "-wal"}) {
		t.Errorf("files %q: the WAL should be there, and no shared memory", files)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := count(t, openWith(t, path, opts), ann); n != 1 {
		t.Errorf("%d records after opening again", n)
	}
	// Without the option such a VFS has no WAL, and the store refuses it.
	if s, err := Open(filepath.Join(t.TempDir(), "test.db"), Options{harness: harness{vfs: "unix-none"}}); err == nil {
		s.Close()
		t.Error("a store without WAL opens")
	}
}

// TestSynchronousLevel: the option reaches every connection.
func TestSynchronousLevel(t *testing.T) {
	s := openWith(t, filepath.Join(t.TempDir(), "test.db"), Options{harness: harness{synchronous: "NORMAL"}})
	withWriter(t, s, func(c *conn) {
		if level, err := c.pragma("synchronous"); err != nil || level != "1" {
			t.Errorf("synchronous %s, %v", level, err)
		}
	})
}

// TestStatementHook makes each statement of a put fail in turn.
func TestStatementHook(t *testing.T) {
	broken := errors.New("broken")
	var seen []string
	fault := -1
	s := openWith(t, filepath.Join(t.TempDir(), "test.db"), Options{harness: harness{statement: func(sql string) error {
		seen = append(seen, sql)
		if len(seen)-1 == fault {
			return broken
		}
		return nil
	}}})
	n := 0
	for fault = 0; ; fault++ {
		seen = nil
		err := put(ctx, s, ann, 1)
		if err == nil {
			break
		}
		n++
		if !errors.Is(err, broken) {
			t.Fatalf("statement %d (%s): error %v", fault, seen[fault], err)
		}
		if got := count(t, s, ann); got != 0 {
			t.Fatalf("statement %d (%s) failed, and %d records are there", fault, seen[fault], got)
		}
	}
	if n < 5 || !strings.HasPrefix(seen[0], "BEGIN") || !slices.Contains(seen, "COMMIT") {
		t.Errorf("%d faults; statements %q", n, seen)
	}
}
