package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// prefetchedList is the result of a List of the zero Page. It is dropped when the
// transaction changes records or marks of its kind.
type prefetchedList struct {
	table *table
	f     store.Filter
	rows  []*row
}

// Prefetch implements store.Prefetcher: it makes the reads in one round trip. That is the one
// that takes the lock of the account, if it was not taken yet.
func (t *tx) Prefetch(ctx context.Context, reads []store.Read) error {
	if t.write && !t.locked && !t.closed && t.failed == nil && ctx.Err() == nil {
		sent, err := t.lockAndPrefetch(reads)
		if sent || err != nil {
			return err
		}
	}
	if err := t.begin(ctx, false); err != nil {
		return err
	}
	statements, err := t.prefetchReads(reads)
	if err != nil || len(statements) == 0 {
		return err
	}
	return t.send(statements...)
}

// lockAndPrefetch sends the reads with the statements that take the lock, if the number of
// the account is known. It returns false if the reads have to be made again.
func (t *tx) lockAndPrefetch(reads []store.Read) (sent bool, err error) {
	no, known := t.store.accounts.Load(t.account)
	if !known {
		return false, nil
	}
	t.no = no.(int64)
	statements, err := t.prefetchReads(reads)
	if err != nil {
		return false, err
	}
	if sent, err = t.lockAccount(lockShared, statements...); !sent {
		t.rows, t.prefetched = nil, nil
	}
	return sent, err
}

// prefetchReads returns the statements of reads. Their results are remembered when they are
// sent.
func (t *tx) prefetchReads(reads []store.Read) (statements []read, err error) {
	for _, r := range reads {
		table, err := t.tableOf(r.Kind)
		if err != nil {
			return nil, err
		}
		one := read{}
		if len(r.IDs) > 0 {
			one = t.prefetchRows(table, r.IDs)
		} else if one, err = t.prefetchList(table, r); err != nil {
			return nil, err
		}
		if one.sql != "" {
			statements = append(statements, one)
		}
	}
	return statements, nil
}

// prefetchRows returns the statement that reads rows that are not remembered.
func (t *tx) prefetchRows(table *table, ids []store.ID) read {
	var missing [][16]byte
	for _, id := range ids {
		if _, known := t.remembered(table, id); !known {
			t.remember(table, id, nil) // until it is found
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return read{}
	}
	return read{"SELECT " + t.selected(table) + " FROM " + table.name + " WHERE account = $1 AND id = ANY($2)", []any{t.no, missing}, func(rows pgx.Rows) error {
		r, err := t.scan(rows, table)
		if err == nil {
			t.remember(table, r.id, r)
		}
		return err
	}}
}

// prefetchList returns the statement that reads a list.
func (t *tx) prefetchList(table *table, r store.Read) (read, error) {
	if _, known := t.prefetchedRows(table, r.Filter); known {
		return read{}, nil
	}
	if len(table.withGaps(table.columnsOf(r.Filter))) > 0 { // List finds out whether rows lack values
		return read{}, nil
	}
	q, err := t.pageQuery(table, r.Kind, r.Filter, store.Page{})
	if err != nil {
		return read{}, err
	}
	list := &prefetchedList{table: table, f: r.Filter}
	t.prefetched = append(t.prefetched, list)
	return read{q.String(), q.args, func(rows pgx.Rows) error {
		r, err := t.scan(rows, table)
		list.rows = append(list.rows, r)
		return err
	}}, nil
}

// prefetchedRows returns the rows of a list, if it was prefetched and is still current.
func (t *tx) prefetchedRows(table *table, f store.Filter) (rows []*row, ok bool) {
	i := slices.IndexFunc(t.prefetched, func(l *prefetchedList) bool { return l.table == table && sameFilter(l.f, f) })
	if i < 0 {
		return nil, false
	}
	return t.prefetched[i].rows, true
}

// sameFilter reports whether two filters select the same records in the same order.
func sameFilter(a, b store.Filter) bool {
	return a.Outdated == b.Outdated && slices.Equal(a.Sort, b.Sort) && slices.EqualFunc(a.Where, b.Where, func(a, b store.Cond) bool {
		return a.Name == b.Name && a.Op == b.Op && slices.Equal(a.Values, b.Values)
	})
}

// changed records that records or marks of a kind were changed.
func (t *tx) changed(table *table) {
	t.wrote = true
	t.prefetched = slices.DeleteFunc(t.prefetched, func(l *prefetchedList) bool { return l.table.no == table.no })
}
