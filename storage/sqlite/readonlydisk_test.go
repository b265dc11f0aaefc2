//go:build cgo

package sqlite

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/landfallhq/tracking/store"
)

// A disk turns read-only under the store, as ext4 does after an error, and is
// repaired: meanwhile writes fail and reads succeed. Then the same store writes
// again, however often it failed, and has all that it acknowledged.
//
// Seen to fail: with a connection that is kept after a statement failed.
func TestFaultReadOnlyDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "landfall.db")
	d := newDisk(t, path)
	s, err := Open(path, Options{harness: harness{vfs: d.name, exclusive: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Prepare(ctx, []*store.Kind{slotKind}); err != nil {
		t.Fatal(err)
	}
	done := 0
	for range 3 { // outages
		for range 5 {
			if done, err = transact(s); err != nil {
				t.Fatal(err)
			}
		}
		d.setReadOnly(true)
		for range 3 {
			// Views are on the connection that writes here, so they come first.
			if n := doneIn(t, s); n != done {
				t.Fatalf("%d transactions are seen of %d that were acknowledged", n, done)
			}
			if _, err := transact(s); !errors.Is(err, store.ErrUnavailable) {
				t.Fatalf("a write to a read-only disk: %v", err)
			}
		}
		d.setReadOnly(false)
	}
	if done, err = transact(s); err != nil {
		t.Fatalf("a write to the disk that was mended: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := save(d.image(rand.New(rand.NewPCG(1, 1))), filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	n, err := recovered(path)
	if err != nil {
		t.Fatal(err)
	}
	if n != done {
		t.Errorf("%d transactions are left of %d", n, done)
	}
}

// doneIn is the number of the last transaction that a view sees.
func doneIn(t *testing.T, s *Store) (n int) {
	t.Helper()
	err := s.View(context.Background(), slotAccount, func(tx store.RecordTx) (err error) {
		n, err = countedIn(tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (d *disk) setReadOnly(to bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.readOnly = to
}
