//go:build cgo

package sqlite

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/landfallhq/tracking/store"
)

// A store that is open for reading alone reads all that is committed, beside a process
// that writes and without one, and changes no byte of the file or next to it.
func TestReadOnly(t *testing.T) {
	kinds := []*store.Kind{{Name: "thing", Revision: "g000001", Columns: []store.Column{{Name: "size", Type: store.TextColumn}}}}
	path := filepath.Join(t.TempDir(), "x.db")
	account := store.AccountID{1}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Prepare(t.Context(), kinds); err != nil {
		t.Fatal(err)
	}
	put := func(n byte) {
		t.Helper()
		err := s.Update(t.Context(), account, func(tx store.RecordTx) error {
			_, err := tx.Put(t.Context(), kinds[0], store.Write{ID: store.ID{n}, Doc: []byte("{}"), Cols: []any{"a"}})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	look := func(want int) {
		t.Helper()
		before := snapshotOf(t, filepath.Dir(path))
		r, err := Open(path, Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Prepare(t.Context(), kinds); err != nil {
			t.Fatal(err)
		}
		found := 0
		err = r.View(t.Context(), account, func(tx store.RecordTx) error {
			for n := range byte(9) {
				if _, err := tx.Get(t.Context(), kinds[0], store.ID{n}); err == nil {
					found++
				}
			}
			return nil
		})
		if err != nil || found != want {
			t.Errorf("%d records, %v; want %d", found, err, want)
		}
		err = r.Update(context.Background(), account, func(store.RecordTx) error { return nil })
		if !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("a write: %v", err)
		}
		more := []*store.Kind{{Name: "other", Revision: "g000001"}}
		if err := r.Prepare(t.Context(), more); !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("a kind that is not there: %v", err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if after := snapshotOf(t, filepath.Dir(path)); after != before {
			t.Errorf("it changed the files\nfrom %s\nto   %s", before, after)
		}
	}
	put(1)
	look(1) // beside a process that writes
	put(2)
	look(2)
	// What is there after a crash: files of another name, of which the WAL has records.
	crashed := filepath.Join(t.TempDir(), "x.db")
	for _, end := range []string{"", "-wal", "-shm"} {
		data, err := os.ReadFile(path + end)
		if err == nil {
			err = os.WriteFile(crashed+end, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	path = crashed
	look(2)
	path = s.Path()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	look(2) // without a WAL
	if _, err := Open(filepath.Join(t.TempDir(), "none.db"), Options{ReadOnly: true}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// ServerRunning sees the lock of a server, and creates none.
func TestServerRunning(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	expect := func(want bool) {
		t.Helper()
		if running, err := ServerRunning(path); err != nil || running != want {
			t.Errorf("%t, %v; want %t", running, err, want)
		}
	}
	expect(false)
	if _, err := os.Stat(path + ".lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a lock file: %v", err)
	}
	release, err := LockServer(path)
	if err != nil {
		t.Fatal(err)
	}
	expect(true)
	if err := release(); err != nil {
		t.Fatal(err)
	}
	expect(false)
	if release, err = LockServer(path); err != nil {
		t.Fatal(err)
	}
	release()
}

// snapshotOf lists the files of a directory with their contents, except that of the shared
// memory: within one process, all connections share it, and the marks of readers in it.
func snapshotOf(t *testing.T, dir string) (list string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(f.Name()) == ".db-shm" {
			data = nil
		}
		list += fmt.Sprintf("%s %x\n", f.Name(), sha256.Sum256(data))
	}
	return list
}
