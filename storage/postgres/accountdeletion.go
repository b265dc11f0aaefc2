package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// DeleteAccount implements store.AccountDeleter. The row of the account in the table
// accounts stays: processes have its number in memory, and another account must not get
// it.
func (s *Store) DeleteAccount(ctx context.Context, a store.AccountID, limit int, keep ...*store.Kind) (deleted int, err error) {
	if s.opts.ReadOnly {
		return 0, store.ErrReadOnly
	}
	if deleted, err = s.deleteRows(ctx, a, limit, keep, lockShared); err != nil || deleted > 0 {
		return deleted, err
	}
	// What is left is about groups, which an update of another account could be about to
	// use: no update runs meanwhile.
	return s.deleteRows(ctx, a, limit, keep, lockSchema)
}

// deleteRows deletes up to limit records and jobs of the account, and when there is none
// and the lock is exclusive, its groups.
func (s *Store) deleteRows(ctx context.Context, a store.AccountID, limit int, keep []*store.Kind, lock string) (deleted int, err error) {
	if _, err := s.queues.enter(ctx, a, true); err != nil {
		return 0, err
	}
	defer s.queues.leave(a)
	err = s.retry(ctx, func() error {
		conn, err := s.acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		t := s.newTx(conn.Conn(), a)
		t.write = true
		defer t.end()
		if _, err := t.lockAccount(lock); err != nil {
			return err
		}
		if deleted, err = t.deleteSome(limit, keep); err != nil {
			return err
		}
		if deleted == 0 && lock == lockSchema {
			t.queue("DELETE FROM totals WHERE account = $1 AND n = 0", t.no)
			t.queue("DELETE FROM chunks WHERE account = $1 AND n = 0", t.no)
			t.queue(`WITH deleted AS (DELETE FROM groups WHERE account = $1 AND NOT EXISTS (SELECT 1 FROM jobs WHERE grp = groups.no) RETURNING no)
				DELETE FROM servings USING deleted WHERE grp = deleted.no`, t.no)
		}
		return t.commit(1)
	})
	return deleted, err
}

func (t *tx) deleteSome(limit int, keep []*store.Kind) (deleted int, err error) {
	kinds, err := t.recordedKinds()
	if err != nil {
		return 0, err
	}
	for name, k := range kinds {
		if slices.ContainsFunc(keep, func(k *store.Kind) bool { return k.Name == name }) || deleted >= limit {
			continue
		}
		table := k.wholeTable(name)
		var rows []*row
		err := t.query("SELECT "+table.rowColumns+" FROM "+table.name+" WHERE account = $1 ORDER BY rid LIMIT $2", []any{t.no, limit - deleted}, func(result pgx.Rows) error {
			r := newRow(table)
			rows = append(rows, r)
			return result.Scan(r.targets()...)
		})
		if err != nil {
			return 0, err
		}
		for _, r := range rows {
			t.deleteRow(table, r.load())
		}
		deleted += len(rows)
	}
	if deleted < limit {
		err = t.query("DELETE FROM jobs WHERE no IN (SELECT no FROM jobs WHERE account = $1 LIMIT $2) RETURNING no", []any{t.no, limit - deleted}, func(pgx.Rows) error {
			deleted++
			return nil
		})
	}
	return deleted, err
}
