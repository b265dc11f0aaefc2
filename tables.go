package tracking

import (
	"maps"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// Meta has the fields of every record. Every resource embeds it.
type Meta struct {
	// ID identifies the record within its account.
	ID ID `id:""`
	// Version is increased by one with every change; see IfVersion of the updates.
	Version int64
}

// Ref names a record of any type. The zero Ref names none.
type Ref struct {
	// Type of the record, as documents name it: "shipment".
	Type string
	// ID of the record.
	ID ID
}

func (m *Meta) meta() *Meta { return m }

// The names of internal/table that the declarations of resources use.
type (
	resource[T any] = table.Table[T]
	column[T any]   = table.Column[T]
	where[T any]    = table.Where[T]
)

// registry has every resource by type. It is filled while the package is
// initialized and read-only after that.
var registry = map[string]*table.Schema{}

// allKinds returns the kinds, sorted by name.
func allKinds() []*store.Kind {
	kinds := make([]*store.Kind, 0, len(registry))
	for _, name := range slices.Sorted(maps.Keys(registry)) {
		kinds = append(kinds, registry[name].Kind)
	}
	return kinds
}

// timestamped is a resource with the attribute and the column updated_at. Only
// writing the record sets it.
type timestamped interface{ setUpdatedAt(at time.Time) }

// newKind declares a resource. upgrade, which may be nil, sets what a record of an
// older revision lacks; it must not change a current record.
func newKind[T any](name string, columns []column[T], terms func(*T) []store.Term, upgrade func(*T)) *resource[T] {
	d := table.Definition[T]{Name: name, Columns: columns, Terms: terms, Upgrade: upgrade, NotFound: asNotFound}
	d.Identity = func(v *T) *table.Identity { return (*table.Identity)(metaOf(v)) }
	if _, ok := any(new(T)).(timestamped); ok {
		d.SetUpdatedAt = func(v *T, at time.Time) { any(v).(timestamped).setUpdatedAt(at) }
	}
	n := table.New(d)
	registry[name] = n.Schema
	return n
}

func metaOf[T any](v *T) *Meta { return any(v).(interface{ meta() *Meta }).meta() }

// Tri is an optional yes-or-no condition.
type Tri uint8

// The values of a Tri. Any makes no condition.
const (
	Any Tri = iota
	Yes
	No
)

// TimeRange selects times; a zero end is open. Both ends are inclusive, and To
// includes its whole second, since times are shown in whole seconds.
type TimeRange struct{ From, To time.Time }

// tri adds a condition to w unless it is Any.
// values are those that meet the condition.
func (t Tri) values() []bool {
	switch t {
	case Yes:
		return []bool{true}
	case No:
		return []bool{false}
	}
	return []bool{true, false}
}

func tri[T any](w *where[T], column string, want Tri, get func(*T) bool) {
	if want != Any {
		w.Bool(column, want == Yes, get)
	}
}

// Opt is an optional value of an update.
type Opt[T any] struct {
	Set   bool
	Value T
}

// Set makes an Opt that changes the value.
func Set[T any](v T) Opt[T] { return Opt[T]{true, v} }
