//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"maps"

	"github.com/landfallhq/tracking/store"
)

// CountBy implements store.RecordTx: from the kept totals, if they say, else by one query,
// whose result is remembered like the total of a list.
func (t *tx) CountBy(ctx context.Context, k *store.Kind, column string, f store.Filter) (map[string]int, error) {
	table, err := t.beginKind(ctx, k, false)
	if err != nil {
		return nil, err
	}
	if i := table.column(column); i < 0 || table.columns[i].Type != store.TextColumn {
		return nil, fmt.Errorf("sqlite: kind %s has no text column %q to count by", k.Name, column)
	}
	f.Sort = nil
	q, ok, err := t.keptCounts(table, k, column, f)
	if err != nil || ok {
		return t.readCounts(ctx, q, err)
	}
	key := t.countKey(table, f)
	if key != "" {
		key = "\x01" + column + "\x00" + key // no list has a key like this
	}
	if cached := t.cachedCount(key, table); cached != nil {
		return maps.Clone(cached.byValue), nil
	}
	plan, err := t.plan(table, k, f)
	if err != nil {
		return nil, err
	}
	q, err = plan.countByQuery(column)
	counts, err := t.readCounts(ctx, q, err)
	if err == nil && key != "" {
		t.store.counts.put(key, cachedCount{commit: t.commit, byValue: maps.Clone(counts)})
	}
	return counts, err
}

// keptCounts selects the numbers from the kept totals, if they have them.
func (t *tx) keptCounts(table *table, k *store.Kind, column string, f store.Filter) (*query, bool, error) {
	q := &query{}
	if f.Outdated || !table.hasTotals(column) || len(f.Where) > 1 {
		return nil, false, nil
	}
	q.add("SELECT value, n FROM totals WHERE kind = ? AND account = ? AND name = ? AND n > 0 AND value ", table.no, t.accountNo, column)
	if len(f.Where) == 0 {
		q.add("<> x''") // the total of the records without a value
		return q, true, nil
	}
	c := f.Where[0]
	if c.Op != store.Is || c.Name != column {
		return nil, false, nil
	}
	values, _, err := table.values(k, c)
	if q.matchesNothing = len(values) == 0; err == nil && !q.matchesNothing {
		q.in(store.TextColumn, values)
	}
	return q, true, err
}

// countByQuery counts the matching records by the values of a column.
func (p *queryPlan) countByQuery(column string) (*query, error) {
	q, what := &query{}, "c_"+column+", count(*)"
	var err error
	if p.lead < 0 && len(p.f.Where) > 1 && !p.f.Outdated && p.table.facets != nil {
		err = p.selectFromFacets(q, what)
	} else {
		q.add("SELECT " + what + " FROM " + p.table.name + " WHERE ")
		err = p.addWhere(q, false)
	}
	// With a unary plus, because the index of the column would lead to all records.
	q.add(" AND c_" + column + " IS NOT NULL GROUP BY +c_" + column)
	return q, err
}

// readCounts runs a query that selects values and their numbers.
func (t *tx) readCounts(ctx context.Context, q *query, err error) (map[string]int, error) {
	counts := map[string]int{}
	if err != nil || q.matchesNothing {
		return counts, err
	}
	err = t.query(q.String(), q.args, func(v []driver.Value) error {
		counts[v[0].(string)] = int(v[1].(int64))
		return ctx.Err()
	})
	return counts, err
}
