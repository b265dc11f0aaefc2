package tracking_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/storage/postgres"
	"github.com/landfallhq/tracking/storage/sqlite"
	"github.com/landfallhq/tracking/store"
)

func TestMain(m *testing.M) { os.Exit(postgrestest.Main(m)) }

// onIndexedStores runs a test on each store that has indexes.
func onIndexedStores(t *testing.T, run func(*testing.T, store.Store)) {
	t.Run("SQLite", func(t *testing.T) {
		file, err := sqlite.Open(filepath.Join(t.TempDir(), "test.db"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run(t, file)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		db, err := postgres.Open(ctx, postgrestest.Shared(t).Schema(t), postgres.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run(t, db)
	})
}
