//go:build cgo

package tracking_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/sqlite"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

// TestSnapshot: pages that are read while the order of a list changes, and a record goes,
// repeat and miss nothing.
func TestSnapshot(t *testing.T) {
	t.Run("memory", func(t *testing.T) { pagesOfSnapshot(t, trackingtest.New(t)) })
	onIndexedStores(t, func(t *testing.T, s store.Store) {
		pagesOfSnapshot(t, trackingtest.New(t, func(c *tracking.Config) { c.Store = s }))
	})
}

// TestSnapshotNeedsOneConnection: a snapshot reads with its own connection alone, also where the
// copy of the imported terminals is old.
func TestSnapshotNeedsOneConnection(t *testing.T) {
	file, err := sqlite.Open(filepath.Join(t.TempDir(), "test.db"), sqlite.Options{Readers: 1})
	if err != nil {
		t.Fatal(err)
	}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = file })
	limited, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	err = b.Snapshot(limited, func(snapshot context.Context) error {
		b.AgeTerminals()
		_, err := b.Rendered().List(snapshot, tracking.ShipmentQuery{}, tracking.Page{Number: 1, Size: 1}, nil)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func pagesOfSnapshot(t *testing.T, b *trackingtest.Bench) {
	create := func(slug string) *tracking.CustomFieldDefinition {
		t.Helper()
		d, err := b.CreateCustomFieldDefinition(ctx, tracking.NewCustomFieldDefinition{EntityType: tracking.ShipmentEntity, APISlug: slug, DisplayName: slug, DataType: tracking.ShortTextField})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	slugs := func(ctx context.Context, page tracking.Page) (slugs []string) {
		t.Helper()
		list, _, err := b.CustomFieldDefinitions(ctx, tracking.CustomFieldDefinitionQuery{}, page)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list {
			slugs = append(slugs, d.APISlug)
		}
		return slugs
	}
	gone := create("gone")
	create("second")
	create("third")
	before := slugs(ctx, tracking.Page{Number: 1, Size: 10})
	var seen []string
	err := b.Snapshot(ctx, func(snapshot context.Context) error {
		seen = slugs(snapshot, tracking.Page{Number: 1, Size: 1})
		if err := b.DeleteCustomFieldDefinition(ctx, gone.ID); err != nil {
			return err
		}
		create("new")
		for n := 2; n <= 4; n++ {
			seen = append(seen, slugs(snapshot, tracking.Page{Number: n, Size: 1})...)
		}
		_, err := b.CustomFieldDefinition(snapshot, gone.ID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(seen, before) {
		t.Errorf("pages have %v, there were %v", seen, before)
	}
	after := slugs(ctx, tracking.Page{Number: 1, Size: 10})
	if slices.Equal(after, before) || !slices.Contains(after, "new") {
		t.Errorf("afterwards: %v", after)
	}
}
