//go:build cgo

package sqlite

import (
	"database/sql/driver"
	"fmt"
	"slices"

	"github.com/landfallhq/tracking/store"
)

// way is how the records that match a filter are found. SQLite's planner knows
// nothing of how the values of an account are spread, and no statistics of the
// whole file would tell it; so where there is a choice, the store looks.
type way struct {
	*tx
	table *table
	k     *store.Kind
	f     store.Filter
	// leads is the condition that leaves few records, which are then looked at
	// one by one; -1 when none does.
	leads int
	empty bool // nothing can match
	// walk: the one condition, on marks, leaves so many that each record is asked.
	walk bool
	// matches is how many marks meet the one condition, where they were counted;
	// else -1.
	matches int64
}

// few is up to how many records are looked at one by one without a thought.
// Tests make it smaller.
var few int64 = 1024

// way looks which condition leaves few records, if there are several, or one
// and an order of its own.
func (t *tx) way(table *table, k *store.Kind, f store.Filter) (*way, error) {
	w := &way{tx: t, table: table, k: k, f: f, leads: -1, matches: -1}
	if f.Outdated {
		return w, nil
	}
	if err := w.spell(); err != nil {
		return nil, err
	}
	f = w.f
	if len(f.Where) == 1 && w.created() && (oneTerm(f.Where[0]) || oneValue(f.Where[0]) || w.termsAlone()) {
		return w, nil // its index has them in this order
	}
	if len(f.Where) == 1 && w.created() {
		var err error
		if w.walk, err = w.walks(f.Where[0]); err != nil || w.walk {
			return w, err
		}
		if w.matches >= 0 {
			if w.matches <= few {
				w.leads = 0
			}
			return w, nil
		}
	}
	least := few + 1
	for i, c := range f.Where {
		q := &query{}
		if unmarked(c) {
			continue // there is no index of what is not
		}
		if byTerm(c) {
			q.add("SELECT count(*) FROM (SELECT 1 FROM ")
			if err := t.termCondition(q, table, k, c); err != nil {
				return nil, err
			}
		} else {
			q.add("SELECT count(*) FROM (SELECT 1 FROM "+table.name+" WHERE account = ? AND ", t.no)
			if err := t.columnCondition(q, table, k, c, ""); err != nil {
				return nil, err
			}
			for j, other := range f.Where {
				if j == i || !bothEnds(c, other) {
					continue
				}
				q.add(" AND ")
				if err := t.columnCondition(q, table, k, other, ""); err != nil {
					return nil, err
				}
			}
		}
		q.add(" LIMIT +?)", few+1)
		n, _, err := t.number(q.String(), q.args...)
		if err != nil {
			return nil, err
		}
		if n < least {
			w.leads, least = i, n
		}
	}
	return w, nil
}

// maxSpelled is up to how many terms a beginning is spelled out to.
const maxSpelled = 8

// spell puts in place of a beginning that few terms have these terms: the records
// of one term stand in order of creation, those of a range of terms do not.
func (w *way) spell() error {
	own := false
	for i, c := range w.f.Where {
		if c.Op != store.HasPrefix || len(c.Values) != 1 {
			continue
		}
		prefix, ok := c.Values[0].(string)
		if !ok {
			continue // which is told when it is asked for
		}
		terms, err := w.termsOf(c.Name, prefix)
		if err != nil || len(terms) > maxSpelled {
			return err
		}
		if !own {
			w.f.Where, own = slices.Clone(w.f.Where), true
		}
		w.f.Where[i] = store.Cond{Name: c.Name, Op: store.Has, Values: terms}
	}
	return nil
}

// termsOf are the first of the different terms of a name with this beginning, one
// more than maxSpelled at most. Each is looked up after the one before it: what
// lies between them is not read.
func (w *way) termsOf(name, prefix string) (terms []any, err error) {
	from := func(q *query, operator string, args ...driver.Value) {
		q.add("SELECT min(value) FROM terms WHERE kind = ? AND account = ? AND name = ? AND value "+operator, append([]driver.Value{w.table.no, w.no, name}, args...)...)
	}
	after, bounded := successor(prefix)
	q := &query{}
	q.add("WITH RECURSIVE of (value) AS (")
	from(q, ">= ?", prefix)
	q.add(" UNION ALL SELECT (")
	from(q, "> of.value")
	q.add(") FROM of WHERE of.value IS NOT NULL")
	if bounded {
		q.add(" AND of.value < ?", after)
	}
	q.add(fmt.Sprintf(" LIMIT %d) SELECT value FROM of WHERE value IS NOT NULL", maxSpelled+1))
	if bounded {
		q.add(" AND value < ?", after)
	}
	err = w.query(q.String(), q.args, func(v []driver.Value) error {
		terms = append(terms, v[0].(string))
		return nil
	})
	return terms, err
}

// termsAlone reports whether records are sought by terms alone, in order of
// creation: then nothing but the index of the terms need be read to find them.
func (w *way) termsAlone() bool {
	for _, c := range w.f.Where {
		if c.Op != store.Has || len(c.Values) == 0 || len(c.Values) > maxSpelled {
			return false
		}
	}
	return len(w.f.Where) > 0 && !w.f.Outdated && w.created()
}

// terms selects the rids of what matches where termsAlone: those of the condition
// that leaves fewest, each asked for the other terms. Of several values each has
// its own leg, which is in order, so that a page merges them and reads no further.
func (w *way) terms(q *query) error {
	lead := max(w.leads, 0)
	values := w.f.Where[lead].Values
	legs := 1
	for legs < len(values) {
		legs *= 2
	}
	for i := range legs {
		if i > 0 {
			q.add(" UNION ")
		}
		c := w.f.Where[lead]
		value, ok := values[min(i, len(values)-1)].(string)
		if !ok {
			return fmt.Errorf("sqlite: kind %s: terms %s are texts", w.k.Name, c.Name)
		}
		q.add("SELECT rid FROM terms AS lead WHERE kind = ? AND account = ? AND name = ? AND value = ?", w.table.no, w.no, c.Name, value)
		for j, other := range w.f.Where {
			if j == lead {
				continue
			}
			q.add(" AND EXISTS (SELECT 1 FROM ")
			if err := w.termCondition(q, w.table, w.k, other); err != nil {
				return err
			}
			q.add(" AND terms.rid = lead.rid)")
		}
	}
	return nil
}

// created reports whether the order is that of creation.
func (w *way) created() bool {
	return len(w.f.Sort) == 0 || w.f.Sort[0].Name == "" && !w.f.Sort[0].Mark
}

// up reports the direction of the order of creation.
func (w *way) up() bool { return len(w.f.Sort) > 0 && !w.f.Sort[0].Desc }

// byTerm reports whether a condition is about terms, or marks, which are alike.
func byTerm(c store.Cond) bool {
	return c.Op == store.Has || c.Op == store.HasPrefix || byMark(c)
}

// oneTerm reports whether a condition asks for one term, whose records stand in
// the index of the terms in order of creation.
func oneTerm(c store.Cond) bool {
	return (c.Op == store.Has || c.Op == store.Marked && !unmarked(c)) && len(c.Values) == 1
}

// oneValue is the same for a column.
func oneValue(c store.Cond) bool { return c.Op == store.Is && len(c.Values) == 1 }

// page selects what is asked for of the records of a page, in order; of the
// whole list for size 0.
func (w *way) page(what string, size, offset int) (*query, error) {
	q := &query{}
	limit := func() {
		if size > 0 {
			q.add(" LIMIT +? OFFSET ?", int64(size), int64(offset))
		}
	}
	thin := w.created() && w.isThin()
	if thin && what == "rid" {
		if err := w.thin(q); err != nil {
			return nil, err
		}
		q.add(" ORDER BY rid" + direction(!w.up()))
		limit()
		return q, nil
	}
	q.add("SELECT " + what + " FROM " + w.table.name + " WHERE ")
	if thin {
		// The page is cut out of a thin index, and only its rows are read.
		q.add("rid IN (")
		if err := w.thin(q); err != nil {
			return nil, err
		}
		order := " ORDER BY rid" + direction(!w.up())
		q.add(order)
		limit()
		q.add(")" + order)
		return q, nil
	}
	if err := w.where(q, true); err != nil {
		return nil, err
	}
	if err := w.order(q); err != nil {
		return nil, err
	}
	limit()
	return q, nil
}

// sorts reports whether the records of a page have to be sorted, or to be found
// among others.
func (w *way) sorts() bool {
	return w.leads >= 0 || !w.created() || len(w.f.Where) > 1
}

// thin selects the rids of what matches in order of creation, from one index.
func (w *way) thin(q *query) error {
	switch {
	case w.termsAlone():
		return w.terms(q)
	case w.walk || len(w.f.Where) > 1 || !byTerm(w.f.Where[0]):
		return w.facets(q, "rid")
	case oneTerm(w.f.Where[0]):
		q.add("SELECT rid FROM ")
	default:
		q.add("SELECT DISTINCT rid FROM ")
	}
	return w.termCondition(q, w.table, w.k, w.f.Where[0])
}

// where adds all conditions, led by the account. There are two ways to say the
// account, and each leads the planner to another way in: the range of rids is
// the order of creation and goes with terms, which come down to rids; the
// account begins the index of every column.
func (w *way) where(q *query, ordered bool) error {
	byRid := ordered && (len(w.f.Where) == 0 || len(w.f.Where) == 1 && unmarked(w.f.Where[0])) && !w.f.Outdated && w.created()
	for i, c := range w.f.Where {
		byRid = byRid || byTerm(c) && !w.probed(i) && !unmarked(c)
	}
	if byRid {
		q.add("rid BETWEEN ? AND ?", w.lowest(), w.highest())
	} else {
		q.add("account = ?", w.no)
	}
	if w.f.Outdated {
		// Not "<>": two ranges of an index that is empty there as a rule.
		q.add(" AND (revision < ? OR revision > ?)", w.k.Revision, w.k.Revision)
	}
	for i, c := range w.f.Where {
		q.add(" AND ")
		if err := w.condition(q, c, w.probed(i)); err != nil {
			return err
		}
	}
	return nil
}

// probed reports whether a condition is only asked of each row that others lead
// to; for terms also the index of the sort.
func (w *way) probed(i int) bool {
	if w.leads < 0 {
		return byTerm(w.f.Where[i]) && !w.created()
	}
	return w.leads != i && !bothEnds(w.f.Where[w.leads], w.f.Where[i])
}

// bothEnds reports whether two conditions are the ends of one range, which an
// index takes together.
func bothEnds(a, b store.Cond) bool {
	return a.Name == b.Name && (a.Op == store.From && b.Op == store.To || a.Op == store.To && b.Op == store.From)
}

// condition adds a condition on the rows of the table. A unary plus keeps the
// planner from an index.
func (w *way) condition(q *query, c store.Cond, probed bool) error {
	plus := ""
	if probed {
		plus = "+"
	}
	if !byTerm(c) {
		return w.columnCondition(q, w.table, w.k, c, plus)
	}
	if len(c.Values) == 0 {
		q.none()
		return nil
	}
	if byMark(c) && (probed || unmarked(c)) {
		return w.markedRow(q, c)
	}
	if probed && c.Op == store.Has {
		q.add("EXISTS (SELECT 1 FROM ")
		if err := w.termCondition(q, w.table, w.k, c); err != nil {
			return err
		}
		q.add(" AND terms.rid = " + w.table.name + ".rid)")
		return nil
	}
	q.add(plus + "rid IN (SELECT rid FROM ")
	if err := w.termCondition(q, w.table, w.k, c); err != nil {
		return err
	}
	q.add(")")
	return nil
}

// order adds the order. Few records are sorted: the planner is kept from
// walking the whole account in the order of the sort.
func (w *way) order(q *query) error {
	plus := ""
	if w.leads >= 0 {
		plus = "+"
	}
	q.add(" ORDER BY ")
	desc := true
	for _, o := range w.f.Sort {
		desc = o.Desc
		if o.Name == "" && !o.Mark {
			break // no two records tie in the order of creation
		}
		if o.Mark {
			name, err := w.markName(w.table, o.Name)
			if err != nil {
				return err
			}
			q.add("(SELECT min(value) FROM marks INDEXED BY marks_rid WHERE marks.rid = "+w.table.name+".rid AND name = ?)"+direction(o.Desc)+" NULLS LAST, ", name.no)
			continue
		}
		if w.table.column(o.Name) < 0 {
			return fmt.Errorf("sqlite: kind %s has no column %q to sort by", w.k.Name, o.Name)
		}
		q.add(plus + "c_" + o.Name + direction(o.Desc) + " NULLS LAST, ")
	}
	if len(w.f.Where) < 2 {
		plus = "" // the index of the one condition has its records in order
	}
	q.add(plus + "rid" + direction(desc))
	return nil
}

func direction(desc bool) string {
	if desc {
		return " DESC"
	}
	return " ASC"
}

// count counts what matches, on indexes as far as there are some.
func (w *way) count() (*query, error) {
	q := &query{}
	switch {
	case len(w.f.Where) > 1 && w.termsAlone():
		q.add("SELECT count(*) FROM (")
		err := w.terms(q)
		q.add(")")
		return q, err
	case len(w.f.Where) == 1 && !w.f.Outdated && byTerm(w.f.Where[0]) && !unmarked(w.f.Where[0]):
		n := "count(DISTINCT rid)"
		if once, err := w.once(w.f.Where[0]); err != nil {
			return nil, err
		} else if once {
			n = "count(*)"
		}
		q.add("SELECT " + n + " FROM ")
		return q, w.termCondition(q, w.table, w.k, w.f.Where[0])
	case w.leads < 0 && len(w.f.Where) > 1 && !w.f.Outdated && w.table.facets != nil:
		return q, w.facets(q, "count(*)")
	}
	q.add("SELECT count(*) FROM " + w.table.name + " WHERE ")
	return q, w.where(q, false)
}

// isThin reports whether all conditions can be asked of one index: that of the
// terms, of the facets, or for one condition its own. One value of a column needs
// no more than the planner makes of it.
func (w *way) isThin() bool {
	switch {
	case len(w.f.Where) == 0 || w.f.Outdated:
		return false
	case w.termsAlone():
		return true
	case len(w.f.Where) == 1:
		c := w.f.Where[0]
		return !oneValue(c) && !unmarked(c) && (w.leads < 0 || byTerm(c))
	case w.table.facets == nil || w.leads >= 0:
		return false
	}
	for _, c := range w.f.Where {
		if c.Op != store.Has && !byMark(c) && !w.table.inFacets(c.Name) {
			return false
		}
	}
	return true
}

// facets selects from the index of the facets, in order of creation, where no
// condition leaves few. A column that is not in it has its own index lead, and
// the facets of each record are looked up in theirs.
func (w *way) facets(q *query, what string) error {
	index, outside := w.table.name+"_facets", -1
	for i, c := range w.f.Where {
		if !byTerm(c) && !w.table.inFacets(c.Name) {
			index, outside = w.table.name+"_c_"+c.Name, i
			break
		}
	}
	q.add("SELECT "+what+" FROM "+w.table.name+" INDEXED BY "+index+" WHERE account = ?", w.no)
	if outside < 0 {
		q.add(" AND rid <> 0")
		for _, c := range w.f.Where {
			q.add(" AND ")
			if err := w.condition(q, c, true); err != nil {
				return err
			}
		}
		return nil
	}
	var looked []store.Cond
	for _, c := range w.f.Where {
		switch {
		case byTerm(c):
			q.add(" AND ")
			if err := w.condition(q, c, true); err != nil {
				return err
			}
		case w.table.inFacets(c.Name):
			looked = append(looked, c)
		case c.Name == w.f.Where[outside].Name:
			q.add(" AND ")
			if err := w.condition(q, c, false); err != nil {
				return err
			}
		default:
			q.add(" AND +rid IN (SELECT rid FROM "+w.table.name+" INDEXED BY "+w.table.name+"_c_"+c.Name+" WHERE account = ? AND ", w.no)
			if err := w.condition(q, c, false); err != nil {
				return err
			}
			q.add(")")
		}
	}
	if len(looked) == 0 {
		return nil
	}
	q.add(" AND EXISTS (SELECT 1 FROM "+w.table.name+" AS facets INDEXED BY "+w.table.name+"_facets WHERE facets.account = ? AND facets.rid <> 0 AND facets.rid = "+w.table.name+".rid", w.no)
	for _, c := range looked {
		q.add(" AND ")
		if err := w.columnCondition(q, w.table, w.k, c, "+facets."); err != nil {
			return err
		}
	}
	q.add(")")
	return nil
}

// none adds a condition that nothing meets.
func (q *query) none() {
	q.empty = true
	q.add("0")
}

// columnCondition adds a condition on a column, whose name stands after before.
func (t *tx) columnCondition(q *query, table *table, k *store.Kind, c store.Cond, before string) error {
	i := table.column(c.Name)
	if i < 0 {
		return fmt.Errorf("sqlite: kind %s has no column %q to filter by", k.Name, c.Name)
	}
	typ := table.columns[i].Type
	values, null, err := table.values(k, c)
	if err != nil {
		return err
	}
	name := before + "c_" + c.Name
	switch c.Op {
	case store.Is:
		switch {
		case len(values) == 0 && !null:
			q.none()
		case len(values) == 0:
			q.add(name + " IS NULL")
		case null:
			q.add("(" + name + " IS NULL OR " + name + " ")
			q.in(typ, values)
			q.add(")")
		default:
			q.add(name + " ")
			q.in(typ, values)
		}
	case store.From, store.To:
		if len(c.Values) == 0 || c.Values[0] == nil {
			q.none()
			break
		}
		operator := " >= ?"
		if c.Op == store.To {
			operator = " <= ?"
		}
		q.add(name+operator, values[0])
	default:
		return fmt.Errorf("sqlite: unknown comparison %d", c.Op)
	}
	return nil
}

// values returns the values that a column is compared with, and whether no
// value is among them.
func (t *table) values(k *store.Kind, c store.Cond) (values []driver.Value, null bool, err error) {
	typ := t.columns[t.column(c.Name)].Type
	for _, v := range c.Values {
		value, ok := columnValue(typ, v)
		if !ok {
			return nil, false, fmt.Errorf("sqlite: kind %s: column %s cannot be compared with a %T", k.Name, c.Name, v)
		}
		if value == nil {
			null = true
			continue
		}
		values = append(values, value)
	}
	return values, null, nil
}

// once reports whether a condition on terms or marks meets no record twice.
func (w *way) once(c store.Cond) (bool, error) {
	if !byMark(c) || oneTerm(c) {
		return oneTerm(c), nil
	}
	name, err := w.markName(w.table, c.Name)
	return name.single(), err
}

// termCondition adds the table of the terms, or of the marks, and a condition on
// it.
func (t *tx) termCondition(q *query, table *table, k *store.Kind, c store.Cond) error {
	if byMark(c) {
		q.add("marks WHERE ")
		return t.markCondition(q, table, k, c)
	}
	q.add("terms WHERE ")
	if len(c.Values) == 0 {
		q.none()
		return nil
	}
	values := make([]driver.Value, len(c.Values))
	for i, v := range c.Values {
		text, ok := v.(string)
		if !ok {
			return fmt.Errorf("sqlite: kind %s: terms %s cannot be compared with a %T", k.Name, c.Name, v)
		}
		values[i] = text
	}
	q.add("kind = ? AND account = ? AND name = ? AND value ", table.no, t.no, c.Name)
	if c.Op == store.Has {
		q.in(store.TextColumn, values)
		return nil
	}
	// A range, because LIKE and GLOB give a meaning to some characters.
	prefix := values[0].(string)
	q.add(">= ?", prefix)
	if after, ok := successor(prefix); ok {
		q.add(" AND value < ?", after)
	}
	return nil
}

// successor returns the first text that follows all those with this prefix;
// there is none when all bytes of the prefix are the highest.
func successor(prefix string) (string, bool) {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			return prefix[:i] + string([]byte{prefix[i] + 1}), true
		}
	}
	return "", false
}
