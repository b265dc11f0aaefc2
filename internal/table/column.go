package table

import (
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

// Column is a property by which lists are filtered and sorted.
type Column[T any] struct {
	name string
	typ  store.ColumnType
	get  func(*T) any // nil for none
}

// NewColumn returns a column of any type; get returns nil for a value without the
// property.
func NewColumn[T any](name string, typ store.ColumnType, get func(*T) any) Column[T] {
	return Column[T]{name, typ, get}
}

// TextColumn returns a column of texts. An empty text is stored as none.
func TextColumn[T any](name string, get func(*T) string) Column[T] {
	return Column[T]{name, store.TextColumn, func(v *T) any { return orNil(get(v)) }}
}

// IDColumn returns a column of IDs. The zero ID is stored as none.
func IDColumn[T any](name string, get func(*T) store.ID) Column[T] {
	return Column[T]{name, store.IDColumn, func(v *T) any { return orNil(get(v)) }}
}

// TimeColumn returns a column of times. The zero time is stored as none.
func TimeColumn[T any](name string, get func(*T) time.Time) Column[T] {
	return Column[T]{name, store.TimeColumn, func(v *T) any {
		if t := get(v); !t.IsZero() {
			return t.UTC()
		}
		return nil
	}}
}

// BoolColumn returns a column of truth values. Every value has one.
func BoolColumn[T any](name string, get func(*T) bool) Column[T] {
	return Column[T]{name, store.BoolColumn, func(v *T) any { return get(v) }}
}

func orNil[V comparable](v V) any {
	var zero V
	if v == zero {
		return nil
	}
	return v
}

// Terms returns terms of one name. Empty and repeated values are left out.
func Terms(name string, values []string) []store.Term {
	terms := make([]store.Term, 0, len(values))
	for _, v := range values {
		if v != "" && !slices.Contains(terms, store.Term{Name: name, Value: v}) {
			terms = append(terms, store.Term{Name: name, Value: v})
		}
	}
	return terms
}
