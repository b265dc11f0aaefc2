package tracking_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/storage/sqlite"
	"github.com/landfallhq/tracking/trackingtest"
)

// Marks are counted in a copy as the engine counts them, whether the source knows it or not.
func TestCopiedMarks(t *testing.T) {
	db := memory.New()
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = db })
	want := map[string]bool{"import.cost": false, "next.overdue": true, "import.accruing": true, "import.tomorrow": true, "import.free_time_ends": true, "cf.x": false, tracking.FieldMark(uuid.New()): false}
	for slug, typ := range map[string]tracking.DataType{"urgent": tracking.BooleanField, "po": tracking.ShortTextField, "due": tracking.DateField, "size": tracking.EnumField} {
		d := define(t, b, tracking.ShipmentEntity, slug, typ)
		want[tracking.FieldMark(d.ID)] = typ == tracking.BooleanField || typ == tracking.EnumField
	}
	for name, counted := range want {
		if got, err := tracking.IsCountedMark(ctx, db, tracking.AccountID(b.Account.ID), name); err != nil || got != counted {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// A store that cannot be copied is an error that says so.
func TestCopyStoreUnsupported(t *testing.T) {
	var files [2]*sqlite.Store
	for i, name := range []string{"one.db", "other.db"} {
		var err error
		if files[i], err = sqlite.Open(filepath.Join(t.TempDir(), name), sqlite.Options{}); err != nil {
			t.Fatal(err)
		}
		defer files[i].Close()
	}
	if _, err := tracking.CopyStore(ctx, memory.New(), files[0], nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v", err)
	}
	if counts, err := tracking.CopyStore(ctx, files[0], files[1], nil); err != nil || len(counts.Records) > 0 {
		t.Errorf("an empty store: %+v, %v", counts, err)
	}
}
