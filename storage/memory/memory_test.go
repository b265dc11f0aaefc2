package memory_test

import (
	"testing"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/storage/storagetest"
)

func TestStore(t *testing.T) {
	storagetest.Run(t, func(t testing.TB) store.Store {
		store := memory.New()
		t.Cleanup(func() { store.Close() })
		return store
	})
}
