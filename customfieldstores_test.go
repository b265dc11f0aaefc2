package tracking_test

import (
	"path/filepath"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/sqlite"
	"github.com/landfallhq/tracking/trackingtest"
)

// onBothStores runs a test over the memory store and over SQLite.
func onBothStores(t *testing.T, run func(*testing.T, *trackingtest.Bench)) {
	t.Run("memory", func(t *testing.T) { run(t, trackingtest.New(t)) })
	t.Run("sqlite", func(t *testing.T) {
		file, err := sqlite.Open(filepath.Join(t.TempDir(), "fields.db"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run(t, trackingtest.New(t, func(c *tracking.Config) { c.Store = file }))
	})
}
