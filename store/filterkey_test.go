package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"
)

func TestAppendKey(t *testing.T) {
	moment := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	is := func(name string, values ...any) store.Filter {
		return store.Filter{Where: []store.Cond{{Name: name, Values: values}}}
	}
	seen := map[string]store.Filter{}
	for _, f := range []store.Filter{
		{}, is("a"), is("a", nil), is("a", ""), is("a", "b"), is("a", "b", "c"), is("a", "bc"), is("ab", "c"),
		is("a", int64(1)), is("a", "1"), is("a", true), is("a", moment), is("a", moment.Add(time.Microsecond)),
		is("a", store.ID{1}), is("a", store.ID{2}),
		{Where: []store.Cond{{Name: "a", Op: store.From, Values: []any{"b"}}}},
		{Sort: []store.Order{{Name: "a"}}}, {Sort: []store.Order{{Name: "a", Desc: true}}}, {Sort: []store.Order{{Name: "a", Mark: true}}},
		{Sort: []store.Order{{Name: "a"}, {Name: "b"}}},
	} {
		key, ok := f.AppendKey(nil)
		if other, known := seen[string(key)]; !ok || known {
			t.Errorf("%+v has the key of %+v", f, other)
		}
		seen[string(key)] = f
	}
	if _, ok := is("a", strings.Repeat("x", 600)).AppendKey(nil); ok {
		t.Error("a large filter has a key")
	}
}
