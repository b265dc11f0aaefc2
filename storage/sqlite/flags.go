//go:build cgo

package sqlite

import (
	"slices"

	"github.com/landfallhq/tracking/store"
)

// Most lists leave out what was removed, which is nothing, or little, of what there is. Such a
// condition keeps SQLite from the index of the other one, so it is left out where all records satisfy
// it, and what it leaves out is counted instead where that is less.

// flag is a condition that a counted column is true, or that it is false.
type flag struct {
	at       int // its index in Filter.Where
	opposite store.Cond
	// left is how many records the condition leaves out.
	left int64
}

// flags returns the conditions on flags of a filter, of which each record has a value.
func (t *tx) flags(table *table, k *store.Kind, f store.Filter) (list []flag, err error) {
	if f.Outdated {
		return nil, nil
	}
	for i, c := range f.Where {
		if !isFlag(table, c) {
			continue
		}
		opposite := opposite(c)
		var totals [3]int64 // of the condition, of its opposite, and of all records
		for n, where := range [][]store.Cond{{c}, {opposite}, nil} {
			if totals[n], _, err = t.keptTotal(table, k, store.Filter{Where: where}); err != nil {
				return nil, err
			}
		}
		if totals[0]+totals[1] == totals[2] {
			list = append(list, flag{i, opposite, totals[1]})
		}
	}
	return list, nil
}

// withoutSatisfied leaves out the conditions on flags that all records satisfy. Without any
// condition, a page far back is found by running number.
func (t *tx) withoutSatisfied(table *table, k *store.Kind, f store.Filter) (store.Filter, error) {
	if f.Outdated {
		return f, nil
	}
	for i, c := range slices.Backward(f.Where) {
		if !isFlag(table, c) {
			continue
		}
		satisfied, err := t.allSatisfy(table, k, c)
		if err != nil {
			return f, err
		}
		if satisfied {
			f.Where = slices.Delete(slices.Clone(f.Where), i, i+1)
		}
	}
	return f, nil
}

// isFlag reports whether a condition is that a counted column is true, or that it is false.
func isFlag(table *table, c store.Cond) bool {
	if c.Op != store.Is || len(c.Values) != 1 || !table.hasTotals(c.Name) {
		return false
	}
	_, ok := c.Values[0].(bool)
	return ok
}

// opposite returns the condition that a flag has the other value.
func opposite(c store.Cond) store.Cond {
	return store.Cond{Name: c.Name, Op: store.Is, Values: []any{!c.Values[0].(bool)}}
}

// allSatisfy reports whether all records of the kind meet a condition on a counted column.
func (t *tx) allSatisfy(table *table, k *store.Kind, c store.Cond) (bool, error) {
	matching, _, err := t.keptTotal(table, k, store.Filter{Where: []store.Cond{c}})
	if err != nil {
		return false, err
	}
	all, err := t.span(table)
	return matching == all.total(), err
}

// pageByFlag finds a page of a list with one condition, a flag that leaves out few records: by
// running number, past those. ok is false where it is another list, or numbers have gaps.
func (t *tx) pageByFlag(table *table, k *store.Kind, f store.Filter, offset, size int64) (rids []int64, total int64, ok bool, err error) {
	plan := &queryPlan{tx: t, table: table, k: k, f: f, lead: -1, matches: -1}
	if len(f.Where) != 1 || f.Outdated || !plan.byCreation() || !isFlag(table, f.Where[0]) || plan.unindexed(f.Where[0]) {
		return nil, 0, false, nil
	}
	s, err := t.span(table)
	if err != nil || s.gaps > 0 {
		return nil, 0, false, err
	}
	total, _, err = t.keptTotal(table, k, f)
	if err != nil || s.total()-total > smallResult {
		return nil, 0, false, err
	}
	opposite := opposite(f.Where[0])
	left, _, err := t.keptTotal(table, k, store.Filter{Where: []store.Cond{opposite}})
	if err != nil || total+left != s.total() {
		return nil, 0, false, err
	}
	q := &query{}
	q.add("SELECT rid FROM "+table.name+" WHERE account = ? AND ", t.accountNo)
	if err := t.addColumnCondition(q, table, k, opposite, ""); err != nil {
		return nil, 0, false, err
	}
	q.add(" ORDER BY rid" + direction(!plan.ascending()))
	without, err := t.readRids(q.String(), q.args...)
	if err != nil {
		return nil, 0, false, err
	}
	first, step := t.firstRid()|s.last, int64(-1)
	if plan.ascending() {
		first, step = t.firstRid()+1, 1
	}
	size = min(size, total-offset)
	for at := offset; int64(len(rids)) < size; at++ {
		for len(without) > 0 && (without[0]-first)*step <= at {
			without, at = without[1:], at+1
		}
		rids = append(rids, first+at*step)
	}
	return rids, total, true, nil
}

// countByFlag counts the records that match the other conditions, less those that a flag leaves out,
// where these are few; ok is false where no flag does.
func (p *queryPlan) countByFlag() (total int64, ok bool, err error) {
	if len(p.f.Where) < 2 {
		return 0, false, nil
	}
	flags, err := p.flags(p.table, p.k, p.f)
	if err != nil {
		return 0, false, err
	}
	for _, g := range flags {
		if g.left > smallResult {
			continue
		}
		with := slices.Clone(p.f.Where)
		with[g.at] = g.opposite
		if total, err = p.count(slices.Delete(slices.Clone(p.f.Where), g.at, g.at+1)); err != nil {
			return 0, false, err
		}
		left, err := p.count(with)
		return total - left, true, err
	}
	return 0, false, nil
}

// count returns how many records of the kind match some conditions.
func (p *queryPlan) count(where []store.Cond) (int64, error) {
	plan, err := p.plan(p.table, p.k, store.Filter{Where: where})
	if err != nil {
		return 0, err
	}
	return plan.countTotal()
}
