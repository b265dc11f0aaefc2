package fieldtype

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSlugOf: a derived slug is valid unless it is empty.
func TestSlugOf(t *testing.T) {
	for name, want := range map[string]string{
		"Purchase Order": "purchase_order", "  PO  #7 ": "po_7", "Cafe\u0301's": "cafes", "Größe": "gr_e", "发票": "", "a__b": "a_b", "_x_": "x",
		strings.Repeat("a", 63) + " b": strings.Repeat("a", 63),
	} {
		if got := SlugOf(name); got != want {
			t.Errorf("%q: %q, not %q", name, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		if slug := SlugOf(name); slug != "" && CheckSlug(slug, name) != nil {
			t.Fatalf("%q becomes %q: %v", name, slug, CheckSlug(slug, name))
		}
	})
}

func TestCheckSlug(t *testing.T) {
	for _, row := range []struct{ slug, name, code string }{
		{"po", "PO", ""}, {"", " ", ""}, {"", "发票", "blank"}, {strings.Repeat("a", 65), "a", "too_long"}, {"Po", "PO", "invalid"}, {"a__b", "a", "invalid"}, {"a_", "a", "invalid"},
	} {
		code := ""
		if fault := (*Error)(nil); errors.As(CheckSlug(row.slug, row.name), &fault) {
			code = fault.Code
		}
		if code != row.code {
			t.Errorf("%q of %q: %q, not %q", row.slug, row.name, code, row.code)
		}
	}
}

func TestCompact(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " null ": "", ` { "a" : [ 1, 2 ] } `: `{"a":[1,2]}`, `{`: `{`, `"a b"`: `"a b"`,
	} {
		if got := Compact(json.RawMessage(text)); string(got) != want || (got == nil) != (want == "") {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}
