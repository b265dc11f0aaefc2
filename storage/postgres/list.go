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
	var rows []*row
	total := 0
	reads, err := t.listReads(table, k, f, p, &rows, &total)
	if err == nil {
		err = t.send(reads...)
	}
	if err != nil {
		return to, 0, err
	}
	if p == (store.Page{}) {
		total = len(rows)
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

// listReads returns the statements that read a page and, unless it is the whole list, how
// many records match.
func (t *tx) listReads(table *table, k *store.Kind, f store.Filter, p store.Page, rows *[]*row, total *int) ([]read, error) {
	q, err := t.pageQuery(table, k, f, p)
	if err != nil {
		return nil, err
	}
	reads := []read{{q.String(), q.args, func(result pgx.Rows) error {
		r, err := t.scan(result, table)
		*rows = append(*rows, r)
		return err
	}}}
	if p == (store.Page{}) {
		return reads, nil
	}
	if kept, ok := t.keptTotal(table, k, f, total); ok {
		return append(reads, kept), nil
	}
	count := &query{}
	count.add("SELECT count(*) FROM " + table.name)
	if err := count.addWhere(t, table, k, f); err != nil {
		return nil, err
	}
	return append(reads, read{count.String(), count.args, func(result pgx.Rows) error { return result.Scan(total) }}), nil
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
	if err := q.addWhere(t, table, k, f); err != nil {
		return nil, err
	}
	if err := q.addOrder(table, k, f.Sort); err != nil {
		return nil, err
	}
	if p != (store.Page{}) {
		limit, offset := limits(p)
		q.add(" LIMIT ? OFFSET ?", limit, offset)
	}
	if !thin {
		return q, nil
	}
	q.add(")")
	return q, q.addOrder(table, k, f.Sort)
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
	table, err := t.beginKind(ctx, k, false)
	if err != nil {
		return nil, err
	}
	if at := table.column(column); at < 0 || table.columns[at].Type != store.TextColumn {
		return nil, fmt.Errorf("postgres: kind %s has no text column %q to count by", k.Name, column)
	}
	name := table.name + ".c_" + column
	q := &query{}
	q.add("SELECT " + name + ", count(*) FROM " + table.name)
	if err := q.addWhere(t, table, k, f); err != nil {
		return nil, err
	}
	q.add(" AND " + name + " IS NOT NULL GROUP BY " + name)
	counts := map[string]int{}
	err = t.query(q.String(), q.args, func(rows pgx.Rows) error {
		var value []byte
		var n int
		err := rows.Scan(&value, &n)
		counts[string(value)] = n
		return err
	})
	return counts, err
}
