//go:build cgo

package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/storage/sqlite"
	"github.com/landfallhq/tracking/store"
)

// A server takes the lock of its file, and can be backed up while it runs.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()

	db, err := sqlite.Open(filepath.Join(dir, "landfall.db"), sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	release, err := db.LockServer()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer release()

	// A job is enqueued in the account that it is for, and claimed from all.
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	err = db.Update(ctx, store.AccountID(uuid.New()), func(tx store.RecordTx) error {
		return tx.Enqueue(ctx, store.Job{ID: uuid.New(), Kind: "refresh", Group: "MAEU", Due: now})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	backup := filepath.Join(dir, "backup.db")
	fmt.Println("backup:", db.Backup(ctx, backup))

	saved, err := sqlite.Open(backup, sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer saved.Close()
	jobs, err := saved.Claim(ctx, store.ClaimRequest{Kinds: []store.JobKind{"refresh"}, Now: now, Lease: time.Minute})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, j := range jobs {
		fmt.Println("claimed:", j.Kind, j.Group, "attempt", j.Attempt)
	}
	// Output:
	// backup: <nil>
	// claimed: refresh MAEU attempt 1
}
