//go:build cgo

package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/storage/sqlite"
	"github.com/landfallhq/tracking/storage/storagetest"
)

func TestStore(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes int64
	}{
		{"NoCache", 0},
		{"Cache", 16 << 10}, // room for some twenty records
	} {
		t.Run(c.name, func(t *testing.T) {
			storagetest.Run(t, func(t testing.TB) store.Store {
				store, err := sqlite.Open(filepath.Join(t.TempDir(), "test.db"), sqlite.Options{CacheBytes: c.bytes})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { store.Close() })
				return store
			})
		})
	}
}

func TestCopies(t *testing.T) {
	open := func(t testing.TB) store.Copier {
		store, err := sqlite.Open(filepath.Join(t.TempDir(), "test.db"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		return store
	}
	storagetest.RunCopies(t, open, open)
}
