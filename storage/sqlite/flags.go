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

// flags returns the conditions on flags of a filter with several, of which each record has a value.
func (t *tx) flags(table *table, k *store.Kind, f store.Filter) (list []flag, err error) {
	if len(f.Where) < 2 || f.Outdated {
		return nil, nil
	}
	for i, c := range f.Where {
		if c.Op != store.Is || len(c.Values) != 1 || !table.hasTotals(c.Name) {
			continue
		}
		value, ok := c.Values[0].(bool)
		if !ok {
			continue
		}
		opposite := store.Cond{Name: c.Name, Op: store.Is, Values: []any{!value}}
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

// withoutSatisfied leaves out the conditions on flags that all records satisfy.
func (t *tx) withoutSatisfied(table *table, k *store.Kind, f store.Filter) (store.Filter, error) {
	flags, err := t.flags(table, k, f)
	for _, g := range slices.Backward(flags) {
		if g.left == 0 {
			f.Where = slices.Delete(slices.Clone(f.Where), g.at, g.at+1)
		}
	}
	return f, err
}

// countByFlag counts the records that match the other conditions, less those that a flag leaves out,
// where these are few; ok is false where no flag does.
func (p *queryPlan) countByFlag() (total int64, ok bool, err error) {
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
