package storage_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/store"
)

func TestOpen(t *testing.T) {
	db, err := storage.Open("memory:")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := db.(*memory.Store); !ok {
		t.Errorf("memory: opens a %T", db)
	}
	for url, want := range map[string]string{
		"":                                    "the store has no name",
		"postgres://user:secret@host/db":      "it has to import storage/postgres",
		"postgresql://user:secret@host/db":    "it has to import storage/postgres",
		"mysql://user:secret@host/db":         "there is no store for mysql://",
		filepath.Join(t.TempDir(), "no", "x"): "open ",
	} {
		db, err := storage.Open(url)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: error %v", url, err)
		}
		if db != nil {
			t.Errorf("%q: a store and an error", url)
		}
	}
}

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for _, url := range []string{"memory:", filepath.Join(dir, "landfall.db")} {
		db, err := storage.Open(url)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(db.Close())
		err = db.View(context.Background(), store.AccountID{}, nil)
		fmt.Println(errors.Is(err, store.ErrClosed))
	}
	// Output:
	// <nil>
	// true
	// <nil>
	// true
}
