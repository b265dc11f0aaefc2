package storagetest

import (
	"context"
	"errors"

	"github.com/landfallhq/tracking/store"
)

// Twice returns a store that runs the closure of every Update twice: first in
// a transaction that is rolled back, then for real. It shows up closures that
// do not bear to be run again, which the contract asks of them, and stores
// that do not roll back all.
func Twice(s store.Store) store.Store { return twice{s} }

type twice struct{ store.Store }

var errRehearsal = errors.New("storagetest: rolled back to be run again")

func (s twice) Update(ctx context.Context, a store.AccountID, fn func(store.RecordTx) error) error {
	err := s.Store.Update(ctx, a, func(tx store.RecordTx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return errRehearsal
	})
	if !errors.Is(err, errRehearsal) {
		return err
	}
	return s.Store.Update(ctx, a, fn)
}
