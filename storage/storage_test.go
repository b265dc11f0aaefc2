package storage_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/storage/memory"
)

func TestOpen(t *testing.T) {
	store, err := storage.Open("memory:")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := store.(*memory.Store); !ok {
		t.Errorf("memory: opens a %T", store)
	}
	for url, want := range map[string]string{
		"":                                    "no store is named",
		"postgres://user:secret@host/db":      "no store for PostgreSQL yet",
		"postgresql://user:secret@host/db":    "no store for PostgreSQL yet",
		filepath.Join(t.TempDir(), "no", "x"): "open ",
	} {
		store, err := storage.Open(url)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: error %v", url, err)
		}
		if store != nil {
			t.Errorf("%q: a store beside an error", url)
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
		store, err := storage.Open(url)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(store.Close())
		err = store.View(context.Background(), tracking.AccountID{}, nil)
		fmt.Println(errors.Is(err, tracking.ErrClosed))
	}
	// Output:
	// <nil>
	// true
	// <nil>
	// true
}
