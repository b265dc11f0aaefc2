//go:build cgo

package sqlite

import (
	"database/sql/driver"
	"fmt"
	"slices"

	"github.com/landfallhq/tracking/store"
)

// queryPlan is how the records that match a filter are found. SQLite's planner does
// not know how the values of one account are distributed, and statistics of the
// whole file would not say. So where there is a choice, the store counts first.
type queryPlan struct {
	*tx
	table *table
	k     *store.Kind
	f     store.Filter
	// lead is the index of the condition with a small result, whose records are
	// then checked one by one; -1 if none has.
	lead           int
	matchesNothing bool
	// scan: the only condition, on marks, matches so many records that a page is
	// found by checking each record.
	scan bool
	// matches is how many marks meet the only condition, if they were counted; else
	// -1.
	matches int64
}

// smallResult is how many records are checked one by one without comparing plans,
// at most. Tests make it smaller.
var smallResult int64 = 1024

// plan chooses the leading condition, if there are several conditions, or one and
// an order other than that of creation.
func (t *tx) plan(table *table, k *store.Kind, f store.Filter) (*queryPlan, error) {
	plan := &queryPlan{tx: t, table: table, k: k, f: f, lead: -1, matches: -1}
	if f.Outdated {
		return plan, nil
	}
	if err := plan.expandRanges(); err != nil {
		return nil, err
	}
	f = plan.f
	if len(f.Where) == 1 && plan.byCreation() && (oneTerm(f.Where[0]) || oneValue(f.Where[0]) || plan.fewValues() || plan.onlyTerms()) {
		return plan, nil // its index is in this order
	}
	if len(f.Where) == 1 && plan.byCreation() {
		var err error
		if plan.scan, err = plan.prefersScan(f.Where[0]); err != nil || plan.scan {
			return plan, err
		}
		if plan.matches >= 0 {
			if plan.matches <= smallResult {
				plan.lead = 0
			}
			return plan, nil
		}
	}
	best := smallResult + 1
	for i, c := range f.Where {
		q := &query{}
		if unmarked(c) || plan.unindexed(c) {
			continue // no index has records without marks
		}
		if byTerm(c) {
			q.add("SELECT count(*) FROM (SELECT 1 FROM ")
			if err := t.addTermCondition(q, table, k, c); err != nil {
				return nil, err
			}
		} else {
			q.add("SELECT count(*) FROM (SELECT 1 FROM "+table.name+" WHERE account = ? AND ", t.accountNo)
			if err := t.addColumnCondition(q, table, k, c, ""); err != nil {
				return nil, err
			}
			for j, other := range f.Where {
				if j == i || !sameRange(c, other) {
					continue
				}
				q.add(" AND ")
				if err := t.addColumnCondition(q, table, k, other, ""); err != nil {
					return nil, err
				}
			}
		}
		q.add(" LIMIT +?)", smallResult+1)
		n, _, err := t.queryInt(q.String(), q.args...)
		if err != nil {
			return nil, err
		}
		if n < best {
			plan.lead, best = i, n
		}
	}
	return plan, nil
}

// maxExpanded is how many terms or marks a range is expanded to, at most.
const maxExpanded = 8

// expandRanges replaces a prefix that few terms have by these terms, and a range of few
// marks by these marks: the records of one are in order of creation, those of a range are
// not.
func (p *queryPlan) expandRanges() error {
	p.f.Where = slices.Clone(p.f.Where)
	for i, c := range p.f.Where {
		values, ok, err := p.valuesOfRange(c)
		switch {
		case err != nil:
			return err
		case !ok || len(values) > maxExpanded:
			continue
		case c.Op == store.HasPrefix:
			p.f.Where[i] = store.Cond{Name: c.Name, Op: store.Has, Values: values}
		default:
			p.f.Where[i] = store.Cond{Name: c.Name, Op: store.Marked, Values: values}
		}
	}
	return nil
}

// valuesOfRange returns the first distinct values of a range, maxExpanded+1 at most; ok is
// false where the condition is none, or they cannot be told.
func (p *queryPlan) valuesOfRange(c store.Cond) (values []any, ok bool, err error) {
	switch {
	case c.Op == store.HasPrefix && len(c.Values) == 1:
		prefix, ok := c.Values[0].(string)
		if !ok {
			return nil, false, nil // reported by addTermCondition
		}
		values, err = p.termsWithPrefix(c.Name, prefix)
		return values, true, err
	case c.Op == store.MarkedBetween && len(c.Values) == 2:
		return p.marksBetween(c)
	}
	return nil, false, nil
}

// termsWithPrefix returns the first distinct terms of a name with this prefix,
// maxExpanded+1 at most. Each is found by seeking past the one before, so the
// entries between them are not read.
func (p *queryPlan) termsWithPrefix(name, prefix string) (terms []any, err error) {
	from := func(q *query, operator string, args ...driver.Value) {
		q.add("SELECT min(value) FROM terms WHERE kind = ? AND account = ? AND name = ? AND value "+operator, append([]driver.Value{p.table.no, p.accountNo, name}, args...)...)
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
	q.add(fmt.Sprintf(" LIMIT %d) SELECT value FROM of WHERE value IS NOT NULL", maxExpanded+1))
	if bounded {
		q.add(" AND value < ?", after)
	}
	err = p.query(q.String(), q.args, func(v []driver.Value) error {
		terms = append(terms, v[0].(string))
		return nil
	})
	return terms, err
}

// onlyTerms reports whether the filter has conditions on terms only and the list is
// in order of creation. Then the index of terms is enough to find the records.
func (p *queryPlan) onlyTerms() bool {
	for _, c := range p.f.Where {
		if c.Op != store.Has || len(c.Values) == 0 || len(c.Values) > maxExpanded {
			return false
		}
	}
	return len(p.f.Where) > 0 && !p.f.Outdated && p.byCreation()
}

// fewValues reports whether the only condition asks for some values of a column, or some
// marks, and the list is in order of creation. Then the index of the values is enough.
func (p *queryPlan) fewValues() bool {
	if len(p.f.Where) != 1 || p.f.Outdated || !p.byCreation() {
		return false
	}
	c := p.f.Where[0]
	return (c.Op == store.Is || c.Op == store.Marked) && !p.unindexed(c) && len(c.Values) > 1 && len(c.Values) <= maxExpanded && !slices.Contains(c.Values, nil)
}

// legs is how many SELECTs a list of values has: a power of two, by repeating the last
// value, to keep the number of different statements small.
func legs(values int) int {
	n := 1
	for n < values {
		n *= 2
	}
	return n
}

// selectByValues selects the matching rids where fewValues holds. Each value has its own
// SELECT, which is in order, so that a page merges them and reads no further.
func (p *queryPlan) selectByValues(q *query) error {
	c := p.f.Where[0]
	for i := range legs(len(c.Values)) {
		if i > 0 {
			q.add(" UNION ")
		}
		q.add("SELECT rid FROM ")
		one := store.Cond{Name: c.Name, Op: c.Op, Values: c.Values[min(i, len(c.Values)-1):][:1]}
		if err := p.addIndexed(q, one); err != nil {
			return err
		}
	}
	return nil
}

// addIndexed adds the table that has an index of the values, and a condition on it.
func (p *queryPlan) addIndexed(q *query, c store.Cond) error {
	if byTerm(c) {
		return p.addTermCondition(q, p.table, p.k, c)
	}
	q.add(p.table.name+" WHERE account = ? AND ", p.accountNo)
	return p.addColumnCondition(q, p.table, p.k, c, "")
}

// selectByTerms selects the matching rids where onlyTerms holds: those of the
// leading condition, each checked for the other terms. Like selectByValues, it has a
// SELECT for each value.
func (p *queryPlan) selectByTerms(q *query) error {
	lead := max(p.lead, 0)
	c := p.f.Where[lead]
	// Arguments that the SELECTs share become interfaces once: each would allocate.
	var kind, account, name driver.Value = p.table.no, p.accountNo, c.Name
	for i := range legs(len(c.Values)) {
		if i > 0 {
			q.add(" UNION ")
		}
		value := c.Values[min(i, len(c.Values)-1)]
		if _, ok := value.(string); !ok {
			return fmt.Errorf("sqlite: kind %s: terms %s are texts", p.k.Name, c.Name)
		}
		q.add("SELECT rid FROM terms AS lead WHERE kind = ? AND account = ? AND name = ? AND value = ?", kind, account, name, value)
		for j, other := range p.f.Where {
			if j == lead {
				continue
			}
			q.add(" AND EXISTS (SELECT 1 FROM ")
			if err := p.addTermCondition(q, p.table, p.k, other); err != nil {
				return err
			}
			q.add(" AND terms.rid = lead.rid)")
		}
	}
	return nil
}

// byCreation reports whether the list is in order of creation.
func (p *queryPlan) byCreation() bool {
	return len(p.f.Sort) == 0 || p.f.Sort[0].Name == "" && !p.f.Sort[0].Mark
}

func (p *queryPlan) ascending() bool { return len(p.f.Sort) > 0 && !p.f.Sort[0].Desc }

// byTerm reports whether a condition is about terms or marks.
func byTerm(c store.Cond) bool {
	return c.Op == store.Has || c.Op == store.HasPrefix || byMark(c)
}

// oneTerm reports whether a condition asks for one term or mark, whose records are
// in order of creation in the index.
func oneTerm(c store.Cond) bool {
	return (c.Op == store.Has || c.Op == store.Marked && !unmarked(c)) && len(c.Values) == 1
}

// oneValue reports the same for a column.
func oneValue(c store.Cond) bool { return c.Op == store.Is && len(c.Values) == 1 }

// pageQuery selects `what` of the records of a page, in order; of the whole list
// for size 0.
func (p *queryPlan) pageQuery(what string, size, offset int) (*query, error) {
	q := &query{args: make([]driver.Value, 0, 8)}
	q.Grow(512)
	limit := func() {
		if size > 0 {
			q.add(" LIMIT +? OFFSET ?", int64(size), int64(offset))
		}
	}
	thin := p.byCreation() && p.indexOnly()
	if thin && what == "rid" {
		if err := p.selectFromIndex(q); err != nil {
			return nil, err
		}
		q.add(" ORDER BY rid" + direction(!p.ascending()))
		limit()
		return q, nil
	}
	q.add("SELECT " + what + " FROM " + p.table.name + " WHERE ")
	if thin {
		// The page is found in a narrow index, and only its rows are read.
		q.add("rid IN (")
		if err := p.selectFromIndex(q); err != nil {
			return nil, err
		}
		order := " ORDER BY rid" + direction(!p.ascending())
		q.add(order)
		limit()
		q.add(")" + order)
		return q, nil
	}
	if err := p.addWhere(q, true); err != nil {
		return nil, err
	}
	if err := p.addOrder(q); err != nil {
		return nil, err
	}
	limit()
	return q, nil
}

// sorts reports whether a page must be sorted or filtered, so that it is found by
// rids first.
func (p *queryPlan) sorts() bool {
	return p.lead >= 0 || !p.byCreation() || len(p.f.Where) > 1
}

// selectFromIndex selects the matching rids in order of creation, from one index.
func (p *queryPlan) selectFromIndex(q *query) error {
	switch {
	case p.onlyTerms():
		return p.selectByTerms(q)
	case p.fewValues():
		return p.selectByValues(q)
	case p.scan || len(p.f.Where) > 1 || !byTerm(p.f.Where[0]):
		return p.selectFromFacets(q, "rid")
	case oneTerm(p.f.Where[0]):
		q.add("SELECT rid FROM ")
	default:
		q.add("SELECT DISTINCT rid FROM ")
	}
	return p.addTermCondition(q, p.table, p.k, p.f.Where[0])
}

// addWhere adds all conditions, after one that selects the account. The latter has
// two forms, which lead SQLite's planner to different indexes: the range of rids is
// the order of creation and suits terms, which give rids; the account is the first
// column of every column index.
func (p *queryPlan) addWhere(q *query, ordered bool) error {
	byRid := ordered && (len(p.f.Where) == 0 || len(p.f.Where) == 1 && unmarked(p.f.Where[0])) && !p.f.Outdated && p.byCreation()
	for i, c := range p.f.Where {
		byRid = byRid || byTerm(c) && !p.probed(i) && !unmarked(c)
	}
	byRid = byRid || ordered && p.byCreation() && p.allUnindexed()
	if byRid {
		q.add("rid BETWEEN ? AND ?", p.firstRid(), p.lastRid())
	} else {
		q.add("account = ?", p.accountNo)
	}
	if p.f.Outdated {
		q.add(" AND " + p.table.outdated()) // an index that is usually empty
		if p.table.below != p.k.Revision {
			q.add(" AND revision < ?", p.k.Revision)
		}
	}
	for i, c := range p.f.Where {
		q.add(" AND ")
		if err := p.addCondition(q, c, p.probed(i)); err != nil {
			return err
		}
	}
	return nil
}

// probed reports whether a condition is only checked on rows that other conditions
// or, for terms, the index of the sort have found.
func (p *queryPlan) probed(i int) bool {
	if p.lead < 0 {
		return byTerm(p.f.Where[i]) && !p.byCreation()
	}
	return p.lead != i && !sameRange(p.f.Where[p.lead], p.f.Where[i])
}

// sameRange reports whether two conditions are the ends of one range, which one
// index search covers.
func sameRange(a, b store.Cond) bool {
	return a.Name == b.Name && (a.Op == store.From && b.Op == store.To || a.Op == store.To && b.Op == store.From)
}

// unindexed reports whether a condition is on a column whose index, if it has one, has not all
// that match.
func (p *queryPlan) unindexed(c store.Cond) bool {
	i := p.table.column(c.Name)
	if byTerm(c) || i < 0 {
		return false
	}
	column := p.table.columns[i]
	return column.Unindexed || column.Sparse && slices.Contains(c.Values, nil)
}

// allUnindexed reports whether all conditions are such: each record is looked at, in the facet
// index if there is one.
func (p *queryPlan) allUnindexed() bool {
	return len(p.f.Where) > 0 && !p.f.Outdated && !slices.ContainsFunc(p.f.Where, func(c store.Cond) bool { return !p.unindexed(c) })
}

// oneRange reports whether the conditions are the two ends of one range: the index of its column has
// all that is counted, in one piece.
func (p *queryPlan) oneRange() bool {
	return len(p.f.Where) == 2 && sameRange(p.f.Where[0], p.f.Where[1])
}

// addCondition adds a condition on the rows of the table. A unary plus keeps SQLite
// from using an index.
func (p *queryPlan) addCondition(q *query, c store.Cond, probed bool) error {
	plus := ""
	if probed {
		plus = "+"
	}
	if !byTerm(c) {
		return p.addColumnCondition(q, p.table, p.k, c, plus)
	}
	if len(c.Values) == 0 {
		q.matchNothing()
		return nil
	}
	if byMark(c) && (probed || unmarked(c)) {
		return p.addMarkedRow(q, c)
	}
	if probed && c.Op == store.Has {
		q.add("EXISTS (SELECT 1 FROM ")
		if err := p.addTermCondition(q, p.table, p.k, c); err != nil {
			return err
		}
		q.add(" AND terms.rid = " + p.table.name + ".rid)")
		return nil
	}
	q.add(plus + "rid IN (SELECT rid FROM ")
	if err := p.addTermCondition(q, p.table, p.k, c); err != nil {
		return err
	}
	q.add(")")
	return nil
}

// addOrder adds the order. With a small result, a unary plus keeps SQLite from
// walking the whole account in sorted order.
func (p *queryPlan) addOrder(q *query) error {
	plus := ""
	if p.lead >= 0 {
		plus = "+"
	}
	q.add(" ORDER BY ")
	desc := true
	for _, o := range p.f.Sort {
		desc = o.Desc
		if o.Name == "" && !o.Mark {
			break // the order of creation has no ties
		}
		if o.Mark {
			name, err := p.markName(p.table, o.Name)
			if err != nil {
				return err
			}
			q.add("(SELECT min(value) FROM marks INDEXED BY marks_rid WHERE marks.rid = "+p.table.name+".rid AND name = ?)"+direction(o.Desc)+" NULLS LAST, ", name.no)
			continue
		}
		if p.table.column(o.Name) < 0 {
			return fmt.Errorf("sqlite: kind %s has no column %q to sort by", p.k.Name, o.Name)
		}
		nulls := " NULLS LAST, "
		if p.hasValue(o.Name) {
			nulls = ", " // so that an index is in this order
		}
		q.add(plus + "c_" + o.Name + direction(o.Desc) + nulls)
	}
	if len(p.f.Where) < 2 {
		plus = "" // the index of the only condition is in order
	}
	q.add(plus + "rid" + direction(desc))
	return nil
}

// hasValue reports whether a condition demands a value of a column.
func (p *queryPlan) hasValue(column string) bool {
	return slices.ContainsFunc(p.f.Where, func(c store.Cond) bool {
		return c.Name == column && !byTerm(c) && (c.Op != store.Is || !slices.Contains(c.Values, nil))
	})
}

func direction(desc bool) string {
	if desc {
		return " DESC"
	}
	return " ASC"
}

// countQuery counts the matching records, from indexes where possible.
func (p *queryPlan) countQuery() (*query, error) {
	q := &query{}
	switch {
	case len(p.f.Where) > 1 && p.onlyTerms():
		q.add("SELECT count(*) FROM (")
		err := p.selectByTerms(q)
		q.add(")")
		return q, err
	case len(p.f.Where) == 1 && !p.f.Outdated && byTerm(p.f.Where[0]) && !unmarked(p.f.Where[0]):
		n := "count(DISTINCT rid)"
		if once, err := p.unique(p.f.Where[0]); err != nil {
			return nil, err
		} else if once {
			n = "count(*)"
		}
		q.add("SELECT " + n + " FROM ")
		return q, p.addTermCondition(q, p.table, p.k, p.f.Where[0])
	case p.lead < 0 && (len(p.f.Where) > 1 && !p.oneRange() || p.allUnindexed()) && !p.f.Outdated && p.table.facets != nil:
		return q, p.selectFromFacets(q, "count(*)")
	}
	q.add("SELECT count(*) FROM " + p.table.name + " WHERE ")
	return q, p.addWhere(q, false)
}

// indexOnly reports whether one index answers all conditions: that of the terms, of
// the facets or, for a single condition, its own. A single column value is left to
// SQLite's planner.
func (p *queryPlan) indexOnly() bool {
	switch {
	case len(p.f.Where) == 0 || p.f.Outdated:
		return false
	case p.onlyTerms(), p.fewValues():
		return true
	case len(p.f.Where) == 1:
		c := p.f.Where[0]
		if p.unindexed(c) {
			return p.table.facets != nil
		}
		return !oneValue(c) && !unmarked(c) && (p.lead < 0 || byTerm(c))
	case p.table.facets == nil || p.lead >= 0:
		return false
	}
	for _, c := range p.f.Where {
		if c.Op != store.Has && !byMark(c) && !p.table.inFacets(c.Name) {
			return false
		}
	}
	return true
}

// selectFromFacets selects from the facet index, in order of creation, where no
// condition has a small result. If a column is not in it, that column's own index
// leads, and the facets of each record are looked up.
func (p *queryPlan) selectFromFacets(q *query, what string) error {
	index, outside := p.table.name+"_facets", -1
	for i, c := range p.f.Where {
		if !byTerm(c) && !p.table.inFacets(c.Name) {
			index, outside = p.table.name+"_c_"+c.Name, i
			break
		}
	}
	q.add("SELECT "+what+" FROM "+p.table.name+" INDEXED BY "+index+" WHERE account = ?", p.accountNo)
	if outside < 0 {
		q.add(" AND rid <> 0")
		for _, c := range p.f.Where {
			q.add(" AND ")
			if err := p.addCondition(q, c, true); err != nil {
				return err
			}
		}
		return nil
	}
	var inFacets []store.Cond
	for _, c := range p.f.Where {
		switch {
		case byTerm(c):
			q.add(" AND ")
			if err := p.addCondition(q, c, true); err != nil {
				return err
			}
		case p.table.inFacets(c.Name):
			inFacets = append(inFacets, c)
		case c.Name == p.f.Where[outside].Name:
			q.add(" AND ")
			if err := p.addCondition(q, c, false); err != nil {
				return err
			}
		default:
			q.add(" AND +rid IN (SELECT rid FROM "+p.table.name+" INDEXED BY "+p.table.name+"_c_"+c.Name+" WHERE account = ? AND ", p.accountNo)
			if err := p.addCondition(q, c, false); err != nil {
				return err
			}
			q.add(")")
		}
	}
	if len(inFacets) == 0 {
		return nil
	}
	q.add(" AND EXISTS (SELECT 1 FROM "+p.table.name+" AS facets INDEXED BY "+p.table.name+"_facets WHERE facets.account = ? AND facets.rid <> 0 AND facets.rid = "+p.table.name+".rid", p.accountNo)
	for _, c := range inFacets {
		q.add(" AND ")
		if err := p.addColumnCondition(q, p.table, p.k, c, "+facets."); err != nil {
			return err
		}
	}
	q.add(")")
	return nil
}

// matchNothing adds a condition that is always false.
func (q *query) matchNothing() {
	q.matchesNothing = true
	q.add("0")
}

// addColumnCondition adds a condition on a column. `before` precedes its name.
func (t *tx) addColumnCondition(q *query, table *table, k *store.Kind, c store.Cond, before string) error {
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
			q.matchNothing()
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
			q.matchNothing()
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

// values returns the values that a column is compared with, and whether nil is
// among them.
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

// unique reports whether a condition on terms or marks finds each record once at
// most.
func (p *queryPlan) unique(c store.Cond) (bool, error) {
	if !byMark(c) || oneTerm(c) {
		return oneTerm(c), nil
	}
	name, err := p.markName(p.table, c.Name)
	return name.single(), err
}

// addTermCondition adds the table of terms, or of marks, and a condition on it.
func (t *tx) addTermCondition(q *query, table *table, k *store.Kind, c store.Cond) error {
	if byMark(c) {
		q.add("marks WHERE ")
		return t.addMarkCondition(q, table, k, c)
	}
	q.add("terms WHERE ")
	if len(c.Values) == 0 {
		q.matchNothing()
		return nil
	}
	values := make([]driver.Value, len(c.Values))
	for i, v := range c.Values {
		if _, ok := v.(string); !ok {
			return fmt.Errorf("sqlite: kind %s: terms %s cannot be compared with a %T", k.Name, c.Name, v)
		}
		values[i] = v
	}
	q.add("kind = ? AND account = ? AND name = ? AND value ", table.no, t.accountNo, c.Name)
	if c.Op == store.Has {
		q.in(store.TextColumn, values)
		return nil
	}
	// A range, because LIKE and GLOB have special characters.
	prefix := values[0].(string)
	q.add(">= ?", prefix)
	if after, ok := successor(prefix); ok {
		q.add(" AND value < ?", after)
	}
	return nil
}

// successor returns the first text after all those with this prefix; there is none
// if all bytes of the prefix are 0xff.
func successor(prefix string) (string, bool) {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			return prefix[:i] + string([]byte{prefix[i] + 1}), true
		}
	}
	return "", false
}
