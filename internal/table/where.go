package table

import (
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/store"
)

// Where builds a filter. Each condition is given twice: for an index, and as a
// function of the value.
type Where[T any] struct {
	// Conds are the conditions for an index.
	Conds []store.Cond
	// Sort is the order of the list; the store's own if empty.
	Sort  []store.Order
	match []func(*T) bool
}

// Add adds a condition.
func (w *Where[T]) Add(c store.Cond, match func(*T) bool) {
	w.Conds = append(w.Conds, c)
	w.match = append(w.match, match)
}

// Filter returns the conditions as a filter of the resource's records.
func (w *Where[T]) Filter(t *Table[T]) store.Filter {
	f := store.Filter{Where: w.Conds, Sort: w.Sort}
	if len(w.match) > 0 {
		f.Match = func(r store.Record) bool {
			v, err := t.Decode(r)
			if err != nil {
				return false
			}
			for _, m := range w.match {
				if !m(v) {
					return false
				}
			}
			return true
		}
	}
	return f
}

// Text adds "the column is one of these"; no values add no condition.
func (w *Where[T]) Text(column string, values []string, get func(*T) string) {
	if len(values) == 0 {
		return
	}
	w.Add(store.Cond{Name: column, Op: store.Is, Values: Values(values)}, func(v *T) bool { return slices.Contains(values, get(v)) })
}

// IDs adds "the column is one of these"; no values add no condition.
func (w *Where[T]) IDs(column string, values []store.ID, get func(*T) store.ID) {
	if len(values) == 0 {
		return
	}
	w.Add(store.Cond{Name: column, Op: store.Is, Values: Values(values)}, func(v *T) bool { return slices.Contains(values, get(v)) })
}

// Bool adds "the column is want".
func (w *Where[T]) Bool(column string, want bool, get func(*T) bool) {
	w.Add(store.Cond{Name: column, Op: store.Is, Values: []any{want}}, func(v *T) bool { return get(v) == want })
}

// Times adds a range; a zero end is open. Both ends are inclusive, and to includes
// its whole second.
func (w *Where[T]) Times(column string, from, to time.Time, get func(*T) time.Time) {
	if !from.IsZero() {
		w.Add(store.Cond{Name: column, Op: store.From, Values: []any{from}}, func(v *T) bool { at := get(v); return !at.IsZero() && !at.Before(from) })
	}
	if !to.IsZero() {
		end := to.Truncate(time.Second).Add(time.Second - time.Microsecond)
		w.Add(store.Cond{Name: column, Op: store.To, Values: []any{end}}, func(v *T) bool { at := get(v); return !at.IsZero() && !at.After(end) })
	}
}

// Has adds "one of the terms is one of these"; no values add no condition.
func (w *Where[T]) Has(term string, values []string, get func(*T) []string) {
	if len(values) == 0 {
		return
	}
	w.Add(store.Cond{Name: term, Op: store.Has, Values: Values(values)}, func(v *T) bool {
		return slices.ContainsFunc(get(v), func(s string) bool { return slices.Contains(values, s) })
	})
}

// HasPrefix adds "one of the terms begins with this". An empty prefix matches
// nothing.
func (w *Where[T]) HasPrefix(term, prefix string, get func(*T) []string) {
	if prefix == "" {
		w.Add(store.Cond{Name: term, Op: store.HasPrefix}, func(*T) bool { return false })
		return
	}
	w.Add(store.Cond{Name: term, Op: store.HasPrefix, Values: []any{prefix}}, func(v *T) bool {
		return slices.ContainsFunc(get(v), func(s string) bool { return s != "" && strings.HasPrefix(s, prefix) })
	})
}

// Mapped returns the conditions of w for values that have what w compares: of
// returns it. The order is not taken.
func Mapped[T, F any](w Where[F], of func(*T) F) Where[T] {
	mapped := Where[T]{Conds: w.Conds}
	for _, match := range w.match {
		mapped.match = append(mapped.match, func(v *T) bool { f := of(v); return match(&f) })
	}
	return mapped
}

// Values returns a list in the form that a store.Cond takes.
func Values[V any](values []V) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}
