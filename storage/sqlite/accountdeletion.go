//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"

	"github.com/landfallhq/tracking/store"
)

// DeleteAccount implements store.AccountDeleter. The row of the account in the table
// accounts stays: processes have its number in memory, and another account must not get
// it.
func (s *Store) DeleteAccount(ctx context.Context, a store.AccountID, limit int, keep ...*store.Kind) (deleted int, err error) {
	t := &tx{store: s, account: a, write: true}
	err = s.write(ctx, t, func() error {
		deleted = 0
		if err := t.begin(ctx, true); err != nil {
			return err
		}
		if err := t.resolveAccount(); err != nil || t.accountNo == 0 {
			return err
		}
		tables, err := tablesExcept(t.conn, keep)
		if err != nil {
			return err
		}
		if deleted, err = t.deleteRows(ctx, tables, limit); err == nil && deleted == 0 {
			err = t.deleteDerived(tables)
		}
		return t.fail(err)
	})
	if err != nil {
		return 0, err
	}
	return deleted, nil
}

// tablesExcept returns the tables of all kinds in the file but those of keep, with only the
// fields that deleting needs.
func tablesExcept(c *conn, keep []*store.Kind) (tables []*table, err error) {
	err = c.query("SELECT no, name FROM kinds ORDER BY no", nil, func(v []driver.Value) error {
		name := v[1].(string)
		if !slices.ContainsFunc(keep, func(k *store.Kind) bool { return k.Name == name }) {
			tables = append(tables, &table{no: v[0].(int64), name: "r_" + name, delete: "DELETE FROM r_" + name + " WHERE rid = ?"})
		}
		return nil
	})
	return tables, err
}

// deleteRows deletes up to limit rows and jobs of the account.
func (t *tx) deleteRows(ctx context.Context, tables []*table, limit int) (deleted int, err error) {
	for _, table := range tables {
		if deleted >= limit {
			return deleted, ctx.Err()
		}
		var rows []*row
		err := t.query("SELECT rid, terms FROM "+table.name+" WHERE rid BETWEEN ? AND ? ORDER BY rid LIMIT ?",
			[]driver.Value{t.firstRid(), t.lastRid(), int64(limit - deleted)}, func(v []driver.Value) error {
				rows = append(rows, &row{key: key{t: table, rid: v[0].(int64), account: t.accountNo}, terms: slices.Clone(blob(v[1]))})
				return nil
			})
		if err != nil {
			return 0, err
		}
		for _, r := range rows {
			if err := t.delete(table, r); err != nil {
				return 0, err
			}
		}
		deleted += len(rows)
	}
	err = t.query("DELETE FROM jobs WHERE no IN (SELECT no FROM jobs WHERE account = ? LIMIT ?) RETURNING no",
		[]driver.Value{t.accountNo, int64(limit - deleted)}, func([]driver.Value) error {
			deleted++
			return nil
		})
	return deleted, err
}

// deleteDerived deletes what is stored about rows that are gone: totals, gaps and the like,
// and terms and marks that damage has left behind.
func (t *tx) deleteDerived(tables []*table) error {
	t.renumbers = true
	for _, table := range tables {
		for _, sql := range []string{
			"DELETE FROM mark_totals WHERE name IN (SELECT no FROM mark_names WHERE kind = ?1 AND account = ?2)",
			"DELETE FROM marks WHERE name IN (SELECT no FROM mark_names WHERE kind = ?1 AND account = ?2)",
			"DELETE FROM mark_names WHERE kind = ?1 AND account = ?2",
			"DELETE FROM terms WHERE kind = ?1 AND account = ?2",
			"DELETE FROM totals WHERE kind = ?1 AND account = ?2",
			"DELETE FROM holes WHERE kind = ?1 AND account = ?2",
			"DELETE FROM seqs WHERE kind = ?1 AND account = ?2",
		} {
			if err := t.conn.exec(sql, table.no, t.accountNo); err != nil {
				return err
			}
		}
		t.noteWrite(table)
	}
	return t.conn.exec("DELETE FROM groups WHERE account = ? AND NOT EXISTS (SELECT 1 FROM jobs WHERE grp = groups.no)", t.accountNo)
}
