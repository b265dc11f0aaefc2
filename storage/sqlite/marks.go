//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"

	"github.com/landfallhq/tracking/store"
)

// Marks are in a table of their own, by name, value and rid: the marks of one value
// are in order of creation, those of one name in order of value. Names are stored
// as numbers to save space. A second index has the marks of a record.

// markName is what is stored about a name. It is zero for a name without marks.
type markName struct {
	no, records, marks int64
	counted            bool
}

type markKey struct {
	kind int64
	name string
}

// single reports whether no record has two marks of the name.
func (n markName) single() bool { return n.records == n.marks }

// markName reads what is stored about a name; a view reads it once.
func (t *tx) markName(table *table, name string) (n markName, err error) {
	key := markKey{table.no, name}
	if n, ok := t.markNames[key]; ok {
		return n, nil
	}
	err = t.query("SELECT no, records, marks, counted FROM mark_names WHERE kind = ? AND account = ? AND name = ?", []driver.Value{table.no, t.accountNo, name},
		func(v []driver.Value) error {
			n = markName{v[0].(int64), v[1].(int64), v[2].(int64), v[3].(int64) == 1}
			return nil
		})
	if err == nil && !t.write {
		if t.markNames == nil {
			t.markNames = map[markKey]markName{}
		}
		t.markNames[key] = n
	}
	return n, err
}

func (t *tx) Mark(ctx context.Context, k *store.Kind, id store.ID, m store.Mark) error {
	table, err := t.beginKind(ctx, k, true)
	if err != nil {
		return err
	}
	rid, ok, err := t.queryInt("SELECT rid FROM "+table.name+" WHERE account = ? AND id = ?", t.accountNo, id[:])
	switch {
	case err != nil:
		return err
	case !ok:
		return store.ErrNotFound
	}
	name, err := t.markName(table, m.Name)
	if err != nil {
		return err
	}
	before, err := t.marksOf(rid, name.no)
	if err != nil {
		return err
	}
	after := slices.Clone(m.Values)
	slices.Sort(after)
	if after = slices.Compact(after); slices.Equal(before, after) {
		return nil
	}
	if name.no == 0 {
		name.counted = m.Counted
		if name.no, err = t.conn.insert("INSERT INTO mark_names (kind, account, name, counted) VALUES (?, ?, ?, ?)", table.no, t.accountNo, m.Name, m.Counted); err != nil {
			return t.fail(err)
		}
	}
	t.noteWrite(table)
	return t.fail(replaceMarks(t.conn, name.no, rid, before, after, name.counted))
}

// marksOf returns the marks of one name of a row, sorted.
func (t *tx) marksOf(rid, name int64) (values []string, err error) {
	err = t.query("SELECT value FROM marks INDEXED BY marks_rid WHERE rid = ? AND name = ? ORDER BY value", []driver.Value{rid, name},
		func(v []driver.Value) error {
			values = append(values, v[0].(string))
			return nil
		})
	return values, err
}

// replaceMarks writes the difference between two sets of marks and updates the
// counts.
func replaceMarks(c *conn, name, rid int64, before, after []string, counted bool) error {
	count := func(value string, n int64) error {
		if !counted {
			return nil
		}
		return c.exec("INSERT INTO mark_totals (name, value, n) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n", name, value, n)
	}
	for _, value := range before {
		if slices.Contains(after, value) {
			continue
		}
		if err := c.exec("DELETE FROM marks WHERE name = ? AND value = ? AND rid = ?", name, value, rid); err != nil {
			return err
		}
		if err := count(value, -1); err != nil {
			return err
		}
	}
	for _, value := range after {
		if slices.Contains(before, value) {
			continue
		}
		if err := c.exec("INSERT INTO marks (name, value, rid) VALUES (?, ?, ?)", name, value, rid); err != nil {
			return err
		}
		if err := count(value, 1); err != nil {
			return err
		}
	}
	records, marks := int64(0), int64(len(after)-len(before))
	if len(before) == 0 {
		records++
	}
	if len(after) == 0 {
		records--
	}
	if records == 0 && marks == 0 {
		return nil
	}
	return c.exec("UPDATE mark_names SET records = records + ?, marks = marks + ? WHERE no = ?", records, marks, name)
}

// unmark removes all marks of a row.
func (t *tx) unmark(table *table, rid int64) error {
	names, counted := map[int64][]string{}, map[int64]bool{}
	err := t.query(`SELECT m.name, m.value, n.counted FROM marks m INDEXED BY marks_rid JOIN mark_names n ON n.no = m.name WHERE m.rid = ? AND n.kind = ?`, []driver.Value{rid, table.no},
		func(v []driver.Value) error {
			name := v[0].(int64)
			names[name] = append(names[name], v[1].(string))
			counted[name] = v[2].(int64) == 1
			return nil
		})
	if err != nil {
		return err
	}
	for name, values := range names {
		if err := replaceMarks(t.conn, name, rid, values, nil, counted[name]); err != nil {
			return err
		}
	}
	return nil
}

// byMark reports whether a condition is about marks.
func byMark(c store.Cond) bool { return c.Op == store.Marked || c.Op == store.MarkedBetween }

// unmarked reports whether a condition matches records without a mark of the name.
func unmarked(c store.Cond) bool { return c.Op == store.Marked && slices.Contains(c.Values, nil) }

// addMarkCondition adds a condition on the table of marks.
func (t *tx) addMarkCondition(q *query, table *table, k *store.Kind, c store.Cond) error {
	name, err := t.markName(table, c.Name)
	if err != nil {
		return err
	}
	values := make([]driver.Value, 0, len(c.Values))
	for _, v := range c.Values {
		switch v.(type) {
		case string:
			values = append(values, v)
		case nil:
			if c.Op == store.MarkedBetween {
				values = append(values, nil)
			}
		default:
			return fmt.Errorf("sqlite: kind %s: marks %s cannot be compared with a %T", k.Name, c.Name, v)
		}
	}
	q.add("name = ?", name.no)
	switch {
	case c.Op == store.Marked && len(values) == 0, c.Op == store.MarkedBetween && len(values) != 2:
		q.add(" AND ")
		q.matchNothing()
	case c.Op == store.Marked:
		q.add(" AND value ")
		q.in(store.TextColumn, values)
	default:
		if values[0] != nil {
			q.add(" AND value >= ?", values[0])
		}
		if values[1] != nil {
			q.add(" AND value < ?", values[1])
		}
	}
	return nil
}

// addMarkedRow adds a condition on marks for a row of the kind's table.
func (p *queryPlan) addMarkedRow(q *query, c store.Cond) error {
	of := "marks.rid = " + p.table.name + ".rid"
	if unmarked(c) {
		name, err := p.markName(p.table, c.Name)
		if err != nil {
			return err
		}
		q.add("(NOT EXISTS (SELECT 1 FROM marks INDEXED BY marks_rid WHERE "+of+" AND name = ?)", name.no)
		c.Values = slices.DeleteFunc(slices.Clone(c.Values), func(v any) bool { return v == nil })
		if len(c.Values) == 0 {
			q.add(")")
			return nil
		}
		q.add(" OR ")
		defer q.add(")")
	}
	q.add("EXISTS (SELECT 1 FROM marks INDEXED BY marks_rid WHERE " + of + " AND ")
	if err := p.addMarkCondition(q, p.table, p.k, c); err != nil {
		return err
	}
	q.add(")")
	return nil
}

// markTotal returns how many records meet a condition on marks, if the kept totals
// say.
func (t *tx) markTotal(table *table, c store.Cond) (total int64, ok bool, err error) {
	name, err := t.markName(table, c.Name)
	if err != nil {
		return 0, false, err
	}
	if c.Op == store.MarkedBetween {
		if len(c.Values) != 2 || c.Values[0] == nil && c.Values[1] == nil {
			return name.records, len(c.Values) == 2, nil
		}
		return t.markTotalBetween(name, c.Values[0], c.Values[1])
	}
	values := make([]driver.Value, 0, len(c.Values))
	for _, v := range c.Values {
		if v != nil {
			values = append(values, v)
		}
	}
	if unmarked(c) {
		s, err := t.span(table)
		if err != nil || len(values) > 0 {
			return 0, false, err
		}
		return s.total() - name.records, true, nil
	}
	if len(values) == 0 {
		return 0, true, nil
	}
	if !name.counted || len(values) > 1 && !name.single() {
		return 0, false, nil
	}
	q := &query{}
	q.add("SELECT ifnull(sum(n), 0) FROM mark_totals WHERE name = ? AND value ", name.no)
	q.in(store.TextColumn, values)
	total, _, err = t.queryInt(q.String(), q.args...)
	return total, true, err
}

// markTotalBetween is markTotal of a range of the values of a counted name.
func (t *tx) markTotalBetween(name markName, from, to any) (total int64, ok bool, err error) {
	if !name.counted || !name.single() {
		return 0, false, nil
	}
	q := &query{}
	q.add("SELECT ifnull(sum(n), 0) FROM mark_totals WHERE name = ?", name.no)
	if from != nil {
		q.add(" AND value >= ?", from)
	}
	if to != nil {
		q.add(" AND value < ?", to)
	}
	total, _, err = t.queryInt(q.String(), q.args...)
	return total, true, err
}

// marksBetween returns the first distinct values of a range, maxExpanded+1 at most, of a
// counted name.
func (p *queryPlan) marksBetween(c store.Cond) (values []any, ok bool, err error) {
	name, err := p.markName(p.table, c.Name)
	if err != nil || !name.counted {
		return nil, false, err
	}
	q := &query{}
	q.add("SELECT value FROM mark_totals WHERE n > 0 AND ")
	if err := p.addMarkCondition(q, p.table, p.k, c); err != nil || q.matchesNothing {
		return nil, false, err
	}
	q.add(" LIMIT +?", int64(maxExpanded+1))
	err = p.query(q.String(), q.args, func(v []driver.Value) error {
		values = append(values, v[0].(string))
		return nil
	})
	return values, true, err
}

// scanShare is the share of an account's records (1/scanShare) up to which matches
// are looked up and sorted. With more, a page is found sooner by scanning all
// records in order.
const scanShare = 64

// prefersScan reports whether a condition on marks, which is the only one, matches
// so many records that a page is found by checking each.
func (p *queryPlan) prefersScan(c store.Cond) (bool, error) {
	if !byMark(c) || oneTerm(c) || unmarked(c) || p.table.facets == nil {
		return false, nil
	}
	s, err := p.span(p.table)
	if err != nil {
		return false, err
	}
	bound := max(s.total()/scanShare, smallResult)
	if n, ok, err := p.markTotal(p.table, c); err != nil || ok {
		if n <= bound {
			p.matches = n
		}
		return n > bound, err
	}
	q := &query{}
	q.add("SELECT count(*) FROM (SELECT 1 FROM marks WHERE ")
	if err := p.addMarkCondition(q, p.table, p.k, c); err != nil || q.matchesNothing {
		return false, err
	}
	q.add(" LIMIT +?)", bound+1)
	n, _, err := p.queryInt(q.String(), q.args...)
	if err == nil && n <= bound {
		p.matches = n
	}
	return n > bound, err
}

// ledByMarks reports whether the page is found by reading the marks that it is
// sorted by, which are in order. The records without a mark follow.
func (p *queryPlan) ledByMarks() (markName, bool, error) {
	sort := p.f.Sort
	if p.lead >= 0 || p.f.Outdated || len(sort) == 0 || !sort[0].Mark || len(sort) > 1 && (sort[1].Mark || sort[1].Name != "") {
		return markName{}, false, nil
	}
	name, err := p.markName(p.table, sort[0].Name)
	return name, name.single(), err
}

// pageByMarks returns the rids of a page that is sorted by marks.
func (p *queryPlan) pageByMarks(name markName, size, offset int) ([]int64, error) {
	limit := int64(size)
	if size == 0 {
		limit = -1
	}
	sort := p.f.Sort
	desc := sort[min(1, len(sort)-1)].Desc // of the order of creation
	first := &query{}
	if err := p.selectSortedMarks(first, "sorted.rid", name.no); err != nil || first.matchesNothing {
		p.matchesNothing = first.matchesNothing
		return nil, err
	}
	first.add(" ORDER BY sorted.value"+direction(sort[0].Desc)+", sorted.rid"+direction(desc)+" LIMIT +? OFFSET ?", limit, int64(offset))
	rids, err := p.readRids(first.String(), first.args...)
	if err != nil || size > 0 && len(rids) == size {
		return rids, err
	}
	rids = slices.Clone(rids)
	skip := int64(0)
	if len(rids) == 0 && offset > 0 {
		marked := name.records
		if len(p.f.Where) > 0 {
			n := &query{}
			if err := p.selectSortedMarks(n, "count(*)", name.no); err != nil {
				return nil, err
			}
			if marked, _, err = p.queryInt(n.String(), n.args...); err != nil {
				return nil, err
			}
		}
		skip = int64(offset) - marked
	}
	if limit > 0 {
		limit -= int64(len(rids))
	}
	rest := &query{}
	rest.add("SELECT rid FROM "+p.table.name+" WHERE rid BETWEEN ? AND ?", p.firstRid(), p.lastRid())
	for _, c := range append([]store.Cond{{Name: sort[0].Name, Op: store.Marked, Values: []any{nil}}}, p.f.Where...) {
		rest.add(" AND ")
		if err := p.addCondition(rest, c, true); err != nil {
			return nil, err
		}
	}
	rest.add(" ORDER BY rid"+direction(desc)+" LIMIT +? OFFSET ?", limit, skip)
	if rest.matchesNothing {
		return rids, nil
	}
	more, err := p.readRids(rest.String(), rest.args...)
	return append(rids, more...), err
}

// selectSortedMarks selects the marks of a name whose records meet all conditions.
func (p *queryPlan) selectSortedMarks(q *query, what string, name int64) error {
	q.add("SELECT "+what+" FROM marks AS sorted WHERE sorted.name = ?", name)
	if len(p.f.Where) == 0 {
		return nil
	}
	q.add(" AND EXISTS (SELECT 1 FROM " + p.table.name + " WHERE " + p.table.name + ".rid = sorted.rid")
	for _, c := range p.f.Where {
		q.add(" AND ")
		if err := p.addCondition(q, c, true); err != nil {
			return err
		}
	}
	q.add(")")
	return nil
}
