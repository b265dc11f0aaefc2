package memory

import (
	"context"
	"slices"

	"github.com/landfallhq/tracking/store"
)

// DeleteAccount implements store.AccountDeleter.
func (s *Store) DeleteAccount(ctx context.Context, a store.AccountID, limit int, keep ...*store.Kind) (deleted int, err error) {
	err = s.write(ctx, func(next *state) error {
		t := &tx{state: next, account: a}
		deleted = 0
		before := *next
		before.order.from(orderKey{account: a}, func(key orderKey, r *row) bool {
			if key.account != a || deleted == limit {
				return false
			}
			if slices.ContainsFunc(keep, func(k *store.Kind) bool { return k.Name == key.kind }) {
				return true
			}
			next.rows = next.rows.remove(rowKey{a, key.kind, r.record.ID})
			next.order = next.order.remove(key)
			t.unmark(&store.Kind{Name: key.kind}, r.record.ID)
			deleted++
			return true
		})
		before.jobs.from(jobKey{account: a}, func(key jobKey, _ *job) bool {
			if key.account != a || deleted == limit {
				return false
			}
			next.jobs = next.jobs.remove(key)
			deleted++
			return true
		})
		return nil
	})
	if err != nil {
		return 0, err
	}
	return deleted, nil
}
