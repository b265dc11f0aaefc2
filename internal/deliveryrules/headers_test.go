package deliveryrules

import (
	"strings"
	"testing"
)

func TestCheckHeader(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"X-Key", "abc", ""},
		{"", "abc", "name blank"},
		{strings.Repeat("x", 65), "abc", "name too_long"},
		{"X Key", "abc", "name invalid"},
		{"Host", "abc", "name exclusion"},
		{"Webhook-Anything", "abc", "name exclusion"},
		{"x-seen", "abc", "name taken"},
		{"X-Key", strings.Repeat("x", 1025), "value too_long"},
		{"X-Key", "a\r\nb", "value invalid"},
		{"X-Key", " a", "value invalid"},
		{"Te", "\x00", "name exclusion, value invalid"},
	} {
		var got []string
		for _, f := range CheckHeader(tt.name, tt.value, map[string]bool{"x-seen": true}) {
			got = append(got, f.Part+" "+f.Code)
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%q: %q: %q, want %q", tt.name, tt.value, got, tt.want)
		}
	}
}
