package redact

import "testing"

func TestMask(t *testing.T) {
	secrets := New("whsec_", "whsec_bG9uZ2VyLXNlY3JldA", "Bearer 12345678", "short")
	for _, c := range []struct{ name, text, want string }{
		{"nothing secret", "all is well", "all is well"},
		{"with its prefix", "got whsec_bG9uZ2VyLXNlY3JldA twice: whsec_bG9uZ2VyLXNlY3JldA", "got [hidden] twice: [hidden]"},
		{"without its prefix", "key bG9uZ2VyLXNlY3JldA.", "key [hidden]."},
		{"a header", "authorization: Bearer 12345678", "authorization: [hidden]"},
		{"too short to be a secret", "short of breath", "short of breath"},
	} {
		if got := secrets.Mask(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
