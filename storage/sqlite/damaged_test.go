//go:build cgo

package sqlite

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/landfallhq/tracking/store"

	"github.com/mattn/go-sqlite3"
)

// TestDamagedRows: a value that an undamaged file cannot hold gives an error that
// says so, and never a panic, whichever method reads it.
func TestDamagedRows(t *testing.T) {
	const lawless = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'r_note'; PRAGMA writable_schema = RESET; "
	for _, damage := range []string{
		lawless + "UPDATE r_note SET version = NULL",
		lawless + "UPDATE r_note SET revision = NULL",
		lawless + "UPDATE r_note SET doc = NULL, private = x'01'",
		"DELETE FROM meta WHERE name = 'commit'",
	} {
		for _, cache := range []int64{0, 1 << 20} {
			s := openWith(t, filepath.Join(t.TempDir(), "landfall.db"), Options{CacheBytes: cache})
			mustPut(t, s, ann, 1, 2)
			execSQL(t, s.Path(), damage)
			list := func(tx store.RecordTx) error {
				_, _, err := tx.List(ctx, note, store.Filter{}, store.Page{}, nil)
				return err
			}
			if err := s.View(ctx, ann, list); !isCorrupt(err) {
				t.Errorf("%s: a view with a cache of %d: %v", damage, cache, err)
			}
			err := s.Update(ctx, ann, func(tx store.RecordTx) error {
				_, err := tx.Put(ctx, note, write(1))
				if err != nil {
					return err
				}
				_, err = tx.Put(ctx, note, write(3))
				return err
			})
			if !isCorrupt(err) {
				t.Errorf("%s: an update with a cache of %d: %v", damage, cache, err)
			}
		}
	}
}

func isCorrupt(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && e.Code == sqlite3.ErrCorrupt
}
