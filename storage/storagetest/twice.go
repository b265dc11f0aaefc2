package storagetest

import (
	"context"
	"errors"

	"github.com/landfallhq/tracking"
)

// Twice returns a store that runs the closure of every Update twice: first in
// a transaction that is rolled back, then for real. It shows up closures that
// do not bear to be run again, which the contract asks of them, and stores
// that do not roll back all.
func Twice(s tracking.Store) tracking.Store { return twice{s} }

type twice struct{ tracking.Store }

var errRehearsal = errors.New("storagetest: rolled back to be run again")

func (s twice) Update(ctx context.Context, a tracking.AccountID, fn func(tracking.RecordTx) error) error {
	err := s.Store.Update(ctx, a, func(tx tracking.RecordTx) error {
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
