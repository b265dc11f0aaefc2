package postgres

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// List implements store.RecordTx. The page and the total are read in one round trip.
func (t *tx) List(ctx context.Context, k *store.Kind, f store.Filter, p store.Page, to []store.Record) ([]store.Record, int, error) {
	table, err := t.beginKind(ctx, k, false)
	if err != nil {
		return to, 0, err
	}
	if _, _, err := p.Bounds(0); err != nil {
		return to, 0, err
	}
	rows, total, err := t.list(table, k, f, p)
	if err != nil {
		return to, 0, err
	}
	before := len(to)
	to = slices.Grow(to, len(rows))
	for _, r := range rows {
		record, err := r.inCurrentForm(k)
		if err != nil {
			return to[:before], 0, err
		}
		to = append(to, record)
	}
	return to, total, nil
}

// list reads a page and how many records match.
func (t *tx) list(base *table, k *store.Kind, f store.Filter, p store.Page) (rows []*row, total int, err error) {
	if p == (store.Page{}) {
		if rows, ok := t.prefetchedRows(base, f); ok {
			return rows, len(rows), nil
		}
	}
	err = t.onColumns(base, k, base.columnsOf(f), func(table *table, probes []read) (err error) {
		rows, total = nil, 0
		if table.values != nil {
			rows, total, err = t.listComputed(table, k, f, p)
			return err
		}
		found, n, ok, err := t.listByRank(table, k, f, p, probes)
		if ok || err != nil {
			rows, total = found, n
			return err
		}
		rows, total, err = t.listPage(table, k, f, p, probes)
		return err
	})
	if p == (store.Page{}) {
		total = len(rows)
	}
	return rows, total, err
}

// listComputed is list of a table with computed values. The rows of the page are found first,
// and read then.
func (t *tx) listComputed(table *table, k *store.Kind, f store.Filter, p store.Page) (rows []*row, total int, err error) {
	q := &query{}
	q.add("SELECT rid FROM ")
	q.addFrom(t, table)
	if err := q.addList(t, table, k, f, p); err != nil {
		return nil, 0, err
	}
	var rids []int64
	page := read{q.String(), q.args, func(result pgx.Rows) error {
		var rid int64
		err := result.Scan(&rid)
		rids = append(rids, rid)
		return err
	}}
	if total, err = t.sendWithTotal(table, k, f, p, []read{page}); err != nil {
		return nil, 0, err
	}
	err = t.query("SELECT "+t.selected(table)+" FROM "+table.name+" JOIN unnest($1::bigint[]) WITH ORDINALITY AS page (rid, place) USING (rid) ORDER BY place", []any{rids}, func(result pgx.Rows) error {
		r, err := t.scan(result, table)
		rows = append(rows, r)
		return err
	})
	return rows, total, err
}

// listPage reads a page and, unless it is the whole list, how many records match, with other
// statements.
func (t *tx) listPage(table *table, k *store.Kind, f store.Filter, p store.Page, probes []read) (rows []*row, total int, err error) {
	q, err := t.pageQuery(table, k, f, p)
	if err != nil {
		return nil, 0, err
	}
	page := read{q.String(), q.args, func(result pgx.Rows) error {
		r, err := t.scan(result, table)
		rows = append(rows, r)
		return err
	}}
	total, err = t.sendWithTotal(table, k, f, p, append(probes, page))
	return rows, total, err
}

// sendWithTotal sends statements and returns how many records match, unless the page is the
// whole list.
func (t *tx) sendWithTotal(table *table, k *store.Kind, f store.Filter, p store.Page, reads []read) (int, error) {
	if p == (store.Page{}) {
		return 0, t.send(reads...)
	}
	total, more, err := t.totalReads(table, k, f)
	if err == nil {
		err = t.send(append(reads, more...)...)
	}
	if err != nil {
		return 0, err
	}
	return total.number()
}

// pageQuery selects a page. A page that is not the beginning of the list is found by
// the numbers of its records first: records that are skipped or sorted are not read.
func (t *tx) pageQuery(table *table, k *store.Kind, f store.Filter, p store.Page) (*query, error) {
	q := &query{}
	q.add("SELECT " + t.selected(table) + " FROM " + table.name)
	thin := p.Number > 1 || p.Number == 1 && len(f.Sort) > 0
	if thin {
		q.add(" WHERE rid IN (SELECT rid FROM " + table.name)
	}
	if err := q.addList(t, table, k, f, p); err != nil {
		return nil, err
	}
	if !thin {
		return q, nil
	}
	q.add(")")
	return q, q.addOrder(table, k, f.Sort)
}

// addList adds the conditions, the order and the page of a list.
func (q *query) addList(t *tx, table *table, k *store.Kind, f store.Filter, p store.Page) error {
	if err := q.addWhere(t, table, k, f); err != nil {
		return err
	}
	if err := q.addOrder(table, k, f.Sort); err != nil {
		return err
	}
	if p != (store.Page{}) {
		limit, offset := limits(p)
		q.add(" LIMIT ? OFFSET ?", limit, offset)
	}
	return nil
}

// limits returns LIMIT and OFFSET of a page. They are bounded, so that their sum is not
// too large a number for PostgreSQL.
func limits(p store.Page) (limit, offset int64) {
	const most = math.MaxInt64 / 4
	limit, offset = min(int64(p.Size), most), most
	if int64(p.Number-1) <= most/limit {
		offset = int64(p.Number-1) * limit
	}
	return limit, offset
}

// CountBy implements store.RecordTx.
func (t *tx) CountBy(ctx context.Context, k *store.Kind, column string, f store.Filter) (map[string]int, error) {
	base, err := t.beginKind(ctx, k, false)
	if err != nil {
		return nil, err
	}
	if at := base.column(column); at < 0 || base.columns[at].Type != store.TextColumn {
		return nil, fmt.Errorf("postgres: kind %s has no text column %q to count by", k.Name, column)
	}
	return t.countBy(base, column, f, func() (map[string]int, error) { return t.countByColumn(base, k, column, f) })
}

func (t *tx) countByColumn(base *table, k *store.Kind, column string, f store.Filter) (map[string]int, error) {
	counts := map[string]int{}
	err := t.onColumns(base, k, append(base.columnsOf(f), base.column(column)), func(table *table, probes []read) error {
		clear(counts)
		name := table.name + ".c_" + column
		q := &query{}
		q.add("SELECT " + name + ", count(*) FROM ")
		q.addFrom(t, table)
		if err := q.addWhere(t, table, k, f); err != nil {
			return err
		}
		q.add(" AND " + name + " IS NOT NULL GROUP BY " + name)
		return t.send(append(probes, read{q.String(), q.args, func(rows pgx.Rows) error {
			var value []byte
			var n int
			err := rows.Scan(&value, &n)
			counts[string(value)] = n
			return err
		}})...)
	})
	return counts, err
}
