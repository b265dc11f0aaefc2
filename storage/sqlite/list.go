//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking/store"
)

// query builds a statement. Its text has only fixed text and validated names; every
// value is an argument.
type query struct {
	strings.Builder
	args           []driver.Value
	matchesNothing bool // a condition has no values, so nothing matches; must not be run
}

func (q *query) add(text string, args ...driver.Value) {
	q.WriteString(text)
	q.args = append(q.args, args...)
}

// addShared adds text and a numbered argument, reusing the number of an equal
// argument. The query must not have arguments without a number.
func (q *query) addShared(text string, arg driver.Value) {
	at := -1
	if _, bytes := arg.([]byte); !bytes { // slices are not comparable
		at = slices.Index(q.args, arg)
	}
	if at < 0 {
		at = len(q.args)
		q.args = append(q.args, arg)
	}
	q.WriteString(text)
	q.WriteByte('?')
	q.WriteString(strconv.Itoa(at + 1))
}

// maxIn is how many values an IN lists one by one, at most.
const (
	maxIn     = 1 << maxInBits
	maxInBits = 8
)

// in adds "= ?" or "IN (...)" for values of a column of type t. The number of
// question marks is rounded up to a power of two, by repeating the last value, to
// keep the number of different statements small. More than maxIn values are passed
// as one JSON array: SQLite limits the number of arguments.
func (q *query) in(t store.ColumnType, values []driver.Value) {
	switch {
	case len(values) == 1:
		q.add("= ?", values[0])
	case len(values) <= maxIn:
		n := 1
		for n < len(values) {
			n *= 2
		}
		q.add("IN (?"+strings.Repeat(", ?", n-1)+")", values...)
		for range n - len(values) {
			q.args = append(q.args, values[len(values)-1])
		}
	default:
		element := "value"
		list := make([]any, len(values))
		for i, v := range values {
			// In hexadecimal, because JSON cannot represent all bytes.
			switch v := v.(type) {
			case string:
				list[i], element = hex.EncodeToString([]byte(v)), "CAST(unhex(value) AS TEXT)"
			case []byte:
				list[i], element = hex.EncodeToString(v), "unhex(value)"
			default:
				list[i] = v
			}
		}
		array, _ := json.Marshal(list) // cannot fail for strings and integers
		q.add("IN (SELECT "+element+" FROM json_each(?))", string(array))
	}
}

// List implements store.RecordTx. It finds pages of the unfiltered list by running
// number, and any other list by a query.
func (t *tx) List(ctx context.Context, k *store.Kind, f store.Filter, p store.Page, to []store.Record) ([]store.Record, int, error) {
	table, err := t.beginKind(ctx, k, false)
	if err != nil {
		return to, 0, err
	}
	whole := p == store.Page{}
	if !whole && (p.Number < 1 || p.Size < 1) {
		return to, 0, fmt.Errorf("sqlite: page number %d of size %d", p.Number, p.Size)
	}
	offset := 0
	if !whole {
		// An offset that overflows is past any end.
		if offset = math.MaxInt; p.Number-1 <= math.MaxInt/p.Size {
			offset = (p.Number - 1) * p.Size
		}
		if f, err = t.withoutSatisfied(table, k, f); err != nil {
			return to, 0, err
		}
		if len(f.Where) == 0 && !f.Outdated && (len(f.Sort) == 0 || f.Sort[0].Name == "" && !f.Sort[0].Mark) {
			return t.plainPage(ctx, table, k, len(f.Sort) == 0 || f.Sort[0].Desc, int64(offset), int64(p.Size), to)
		}
		if rids, total, ok, err := t.pageByFlag(table, k, f, int64(offset), int64(p.Size)); ok || err != nil {
			if err == nil && len(rids) > 0 {
				to, err = t.readPage(ctx, table, k, rids, to)
			}
			return to, int(total), err
		}
	}
	if whole {
		plan := &queryPlan{tx: t, table: table, k: k, f: f, lead: 0, matches: -1} // a single condition needs no plan
		if len(f.Where) != 1 || f.Outdated {
			if plan, err = t.plan(table, k, f); err != nil {
				return to, 0, err
			}
		}
		before := len(to)
		to, err = t.filteredPage(ctx, plan, 0, 0, to)
		return to, len(to) - before, err
	}
	key := t.countKey(table, f)
	plan, total := t.cachedPlan(key, table, k, f)
	counted := plan != nil
	if !counted {
		if plan, err = t.plan(table, k, f); err != nil {
			return to, 0, err
		}
	}
	before := len(to)
	if to, err = t.filteredPage(ctx, plan, p.Size, offset, to); err != nil || plan.matchesNothing {
		return to, 0, err
	}
	if counted {
		return to, int(total), nil
	}
	if n := len(to) - before; n < p.Size && (n > 0 || offset == 0) {
		total = int64(offset + n) // this was the last page
	} else if total, err = plan.countTotal(); err != nil {
		return to, 0, err
	}
	if key != "" {
		t.store.counts.put(key, cachedCount{commit: t.commit, total: total, where: plan.f.Where, lead: plan.lead, scan: plan.scan, matches: plan.matches})
	}
	return to, int(total), nil
}

// countTotal returns how many records match: from the kept totals, from the plan,
// or by a query.
func (p *queryPlan) countTotal() (int64, error) {
	total, ok, err := p.keptTotal(p.table, p.k, p.f)
	if err != nil || ok {
		return total, err
	}
	if p.matches >= 0 {
		if once, err := p.unique(p.f.Where[0]); err != nil || once {
			return p.matches, err
		}
	}
	if p.lead < 0 {
		if total, ok, err = p.countByFlag(); err != nil || ok {
			return total, err
		}
	}
	q, err := p.countQuery()
	if err != nil || q.matchesNothing {
		return 0, err
	}
	total, _, err = p.queryInt(q.String(), q.args...)
	return total, err
}

// filteredPage appends one page of a list, or all of it for size 0. Sorting is done
// on rids where possible, because rows are large.
func (t *tx) filteredPage(ctx context.Context, plan *queryPlan, size, offset int, to []store.Record) ([]store.Record, error) {
	if name, ok, err := plan.ledByMarks(); err != nil {
		return to, err
	} else if ok {
		rids, err := plan.pageByMarks(name, size, offset)
		if err != nil || len(rids) == 0 {
			return to, err
		}
		return t.readPage(ctx, plan.table, plan.k, slices.Clone(rids), to)
	}
	what := "rid"
	direct := !t.cached && (size == 0 || !plan.sorts())
	if direct {
		what = plan.table.recordColumns
	}
	q, err := plan.pageQuery(what, size, offset)
	if err != nil {
		return to, err
	}
	if plan.matchesNothing = q.matchesNothing; plan.matchesNothing {
		return to, nil
	}
	if direct {
		return t.read(ctx, plan.table, plan.k, q.String(), to, q.args...)
	}
	rids, err := t.readRids(q.String(), q.args...)
	if err != nil {
		return to, err
	}
	return t.readPage(ctx, plan.table, plan.k, rids, to)
}

// readRids runs a statement that selects rids, into the connection's buffer.
func (t *tx) readRids(sql string, args ...driver.Value) ([]int64, error) {
	c := t.conn
	c.rids = c.rids[:0]
	err := t.query(sql, args, func(v []driver.Value) error {
		c.rids = append(c.rids, v[0].(int64))
		return nil
	})
	return c.rids, err
}

// maxSkipped is how many records are skipped one by one, at most.
const maxSkipped = 64

// plainPage appends one page of the unfiltered list and returns the total.
func (t *tx) plainPage(ctx context.Context, table *table, k *store.Kind, desc bool, offset, size int64, to []store.Record) ([]store.Record, int, error) {
	s, err := t.span(table)
	total := s.total()
	if err != nil || offset >= total {
		return to, int(total), err
	}
	size = min(size, total-offset)
	selects := table.selects()
	sql, from, skip := selects.pageUp, t.firstRid(), offset
	last := t.firstRid() | s.last
	switch {
	case desc && (s.gaps == 0 || offset <= maxSkipped):
		sql = selects.pageDown
		if s.gaps == 0 {
			last, skip = last-offset, 0
		}
	case s.gaps == 0 || offset > maxSkipped:
		// A list with gaps is read in ascending order even if it is wanted in
		// descending order.
		rank := offset
		if desc {
			rank = total - offset - size
		}
		if from, skip, err = t.findRank(table, s, rank); err != nil {
			return to, 0, err
		}
		from |= t.firstRid()
	}
	if t.cached {
		rids, err := t.plainRids(table, s, sql == selects.pageUp, from, last, size, skip)
		if err != nil {
			return to, 0, err
		}
		if desc && sql == selects.pageUp {
			slices.Reverse(rids)
		}
		to, err = t.readPage(ctx, table, k, rids, to)
		return to, int(total), err
	}
	before := len(to)
	to, err = t.read(ctx, table, k, sql, to, from, last, size, skip)
	if desc && sql == selects.pageUp {
		slices.Reverse(to[before:])
	}
	return to, int(total), err
}

// plainRids returns the rids of a page of the unfiltered list. Without gaps, that
// needs no read.
func (t *tx) plainRids(table *table, s span, up bool, from, last, size, skip int64) ([]int64, error) {
	if s.gaps > 0 {
		sql := table.selects().ridsUp
		if !up {
			sql = table.selects().ridsDown
		}
		return t.readRids(sql, from, last, size, skip)
	}
	c := t.conn
	c.rids = c.rids[:0]
	for i := range size {
		if up {
			c.rids = append(c.rids, from+i)
		} else {
			c.rids = append(c.rids, last-i)
		}
	}
	return c.rids, nil
}

// readPage appends the records with these rids, in their order. One statement reads
// those that are not cached.
func (t *tx) readPage(ctx context.Context, table *table, k *store.Kind, rids []int64, to []store.Record) ([]store.Record, error) {
	before := len(to)
	missed := slices.Clone(rids)
	if t.cached {
		to, missed = t.cachedByRid(table, k, rids, to)
	} else {
		to = append(to, make([]store.Record, len(rids))...)
	}
	if len(missed) == 0 {
		return to, nil
	}
	defer t.conn.resetRows()
	if err := t.readByRid(ctx, table, k, missed); err != nil {
		return to[:before], err
	}
	// The rows are in ascending order of their rids.
	slices.Sort(missed)
	if len(missed) != len(t.conn.rows) {
		return to[:before], fmt.Errorf("sqlite: %d records for %d entries of an index", len(t.conn.rows), len(missed))
	}
	for i := range to[before:] {
		if r := &to[before+i]; r.Version == 0 {
			at, _ := slices.BinarySearch(missed, rids[i])
			*r = t.conn.rows[at]
		}
	}
	return to, nil
}

// readByRid reads the records with these rids into the connection's rows, in
// ascending order.
func (t *tx) readByRid(ctx context.Context, table *table, k *store.Kind, rids []int64) (err error) {
	c := t.conn
	if len(rids) > maxIn {
		values := make([]driver.Value, len(rids))
		for i, rid := range rids {
			values[i] = rid
		}
		q := query{}
		q.add("SELECT " + table.recordColumns + " FROM " + table.name + " WHERE rid ")
		q.in(store.IntColumn, values)
		q.add(" ORDER BY rid")
		c.rows, err = t.read(ctx, table, k, q.String(), c.rows, q.args...)
		return err
	}
	n := bits.Len(uint(len(rids) - 1))
	c.args = c.args[:0]
	for i := range 1 << n {
		c.args = append(c.args, rids[min(i, len(rids)-1)])
	}
	c.rows, err = t.read(ctx, table, k, table.selects().byRid[n], c.rows, c.args...)
	return err
}
