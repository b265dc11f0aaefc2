//go:build cgo

package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/sqlite"
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

	store, err := sqlite.Open(filepath.Join(dir, "landfall.db"), sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	release, err := store.LockServer()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer release()

	// A job is enqueued in the account that it is for, and claimed from all.
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	err = store.Update(ctx, tracking.AccountID(uuid.New()), func(tx tracking.RecordTx) error {
		return tx.Enqueue(ctx, tracking.Job{ID: uuid.New(), Kind: "refresh", Group: "MAEU", Due: now})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	backup := filepath.Join(dir, "backup.db")
	fmt.Println("backup:", store.Backup(ctx, backup))

	saved, err := sqlite.Open(backup, sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer saved.Close()
	jobs, err := saved.Claim(ctx, tracking.ClaimRequest{Kinds: []tracking.JobKind{"refresh"}, Now: now, Lease: time.Minute})
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
