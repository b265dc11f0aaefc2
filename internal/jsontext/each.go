package jsontext

import (
	"maps"
	"slices"
)

// Each calls fn with every text in a value that encoding/json has decoded into an any.
// Members are in the order of their names.
func Each(value any, fn func(string)) {
	switch v := value.(type) {
	case string:
		fn(v)
	case []any:
		for _, each := range v {
			Each(each, fn)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			Each(v[name], fn)
		}
	}
}
