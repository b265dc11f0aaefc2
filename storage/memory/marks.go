package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/landfallhq/tracking/store"
)

// markKey identifies the marks of one name of a record. The marks of a record are
// adjacent.
type markKey struct {
	record rowKey
	name   string
}

func (k markKey) Compare(o markKey) int {
	return cmp.Or(k.record.Compare(o.record), cmp.Compare(k.name, o.name))
}

func (t *tx) Mark(ctx context.Context, k *store.Kind, id store.ID, m store.Mark) error {
	if err := t.beginKind(ctx, k, true); err != nil {
		return err
	}
	if _, ok := t.row(k, id); !ok {
		return store.ErrNotFound
	}
	key := markKey{rowKey{t.account, k.Name, id}, m.Name}
	if len(m.Values) == 0 {
		t.state.marks = t.state.marks.remove(key)
		return nil
	}
	values := slices.Clone(m.Values)
	slices.Sort(values)
	t.state.marks = t.state.marks.put(key, slices.Compact(values))
	return nil
}

// unmark removes all marks of a record.
func (t *tx) unmark(k *store.Kind, id store.ID) {
	of := rowKey{t.account, k.Name, id}
	before := t.state.marks
	before.from(markKey{of, ""}, func(key markKey, _ []string) bool {
		if key.record != of {
			return false
		}
		t.state.marks = t.state.marks.remove(key)
		return true
	})
}

func (t *tx) marksOf(k *store.Kind, r *row, name string) []string {
	values, _ := t.state.marks.get(markKey{rowKey{t.account, k.Name, r.record.ID}, name})
	return values
}

// leastMark returns the mark that a record is sorted by; nil for none.
func (t *tx) leastMark(k *store.Kind, r *row, name string) any {
	if values := t.marksOf(k, r, name); len(values) > 0 {
		return values[0]
	}
	return nil
}

// marked reports whether a record meets the conditions on marks.
func (t *tx) marked(k *store.Kind, r *row, conds []store.Cond) bool {
	for _, c := range conds {
		switch c.Op {
		case store.Marked:
			if !t.hasMark(k, r, c) {
				return false
			}
		case store.MarkedBetween:
			if !slices.ContainsFunc(t.marksOf(k, r, c.Name), func(v string) bool { return between(v, c.Values) }) {
				return false
			}
		}
	}
	return true
}

func (t *tx) hasMark(k *store.Kind, r *row, c store.Cond) bool {
	values := t.marksOf(k, r, c.Name)
	return slices.ContainsFunc(c.Values, func(v any) bool {
		text, ok := v.(string)
		return ok && slices.Contains(values, text) || v == nil && len(values) == 0
	})
}

func between(v string, ends []any) bool {
	if len(ends) != 2 {
		return false
	}
	from, hasFrom := ends[0].(string)
	before, hasBefore := ends[1].(string)
	return (!hasFrom || v >= from) && (!hasBefore || v < before)
}
