package signin

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/internal/ratelimit"
)

func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"kim@example.com": "kim@example.com", " Kim@Example.COM\t": "kim@example.com", "kim+sea@example.com": "kim+sea@example.com", "zoë@exämple.com": "zoë@exämple.com",
		"": "blank", " \n": "blank", "kim": "invalid", "kim@": "invalid", "@example.com": "invalid", "Kim <kim@example.com>": "invalid", "<kim@example.com>": "invalid",
		"a@example.com,b@example.com": "invalid", "kim@example.com\r\nX: y": "invalid", "kim@exam ple.com": "invalid", strings.Repeat("k", 250) + "@x.com": "too_long",
	} {
		got, fault := Address(text)
		if fault != nil {
			if got != "" || fault.Detail == "" {
				t.Errorf("%q: %q, %+v", text, got, fault)
			}
			got = fault.Code
		}
		if got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) { // what is an address stays as it is
		text := rapid.StringMatching(`[A-Za-z0-9.+]{1,8}@[A-Za-z.]{1,8}`).Draw(t, "text")
		once, fault := Address(text)
		if twice, again := Address(once); fault == nil && (again != nil || twice != once) {
			t.Fatalf("%q becomes %q, and that %q", text, once, twice)
		}
	})
}

func TestCheckPassword(t *testing.T) {
	for text, want := range map[string]string{
		"": "blank", "elevenchars": "too_short", "twelve chars": "", "пароль-длинный": "", strings.Repeat("aä1é2", 51): "", strings.Repeat("aä1é2", 52): "too_long",
		"twelve\xffchars": "invalid", "aaaaaaaaaaaaaaaa": "guessable", "abcdabcdabcdabcd": "guessable", "abcdeabcdeabcde": "", "KIM@example.com": "guessable",
	} {
		got := ""
		if fault := CheckPassword(text, "Kim", "kim@example.com"); fault != nil {
			got = fault.Code
			if text != "" && strings.Contains(fault.Detail, text) {
				t.Errorf("%q: %s", text, fault.Detail)
			}
		}
		if got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

func TestLink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scope := [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "scope"))
		token := NewLink(scope)
		if got, ok := LinkScope(token); !ok || got != scope {
			t.Fatalf("%x, %t", got, ok)
		}
		if token == NewLink(scope) || Hash(token) == Hash(NewLink(scope)) || strings.Contains(Hash(token), token) {
			t.Fatal("tokens are equal")
		}
		if _, ok := LinkScope(token[:rapid.IntRange(0, len(token)-1).Draw(t, "cut")]); ok {
			t.Fatal("a part of a token is one")
		}
	})
	for _, text := range []string{"", "x", strings.Repeat("A", 63), strings.Repeat("A", 65), strings.Repeat("=", 64), strings.Repeat("+", 64)} {
		if _, ok := LinkScope(text); ok {
			t.Errorf("%q is a token", text)
		}
	}
}

// TestThrottle: no user and no network has more attempts in a window than allowed, and a
// known network has a count of its own.
func TestThrottle(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	passed := func(n int, allow func() bool) (count int) {
		for range n {
			if allow() {
				count++
			}
		}
		return count
	}
	ctx := t.Context()
	throttle := NewThrottle(func(_ string, length time.Duration) ratelimit.Windows { return ratelimit.Local(length) })
	at := func(user, client string) func() bool {
		return func() bool {
			_, ok, err := throttle.Allow(ctx, now, user, client)
			return ok && err == nil
		}
	}
	records := func() bool {
		ok, err := throttle.Records(ctx, now)
		return ok && err == nil
	}
	if err := throttle.Succeeded(ctx, now, "kim", "192.0.2.1"); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		what, user, client string
		want               int
	}{
		{"a stranger", "kim", "198.51.100.1", MaxOfUser},
		{"another stranger", "kim", "198.51.100.2", 0},
		{"without an address", "kim", "", 0},
		{"a known network", "kim", "192.0.2.1", MaxOfUser},
		{"the same in its form for IPv6", "kim", "::ffff:192.0.2.1", 0},
		{"another user", "lee", "192.0.2.1", MaxOfUser},
		{"one network, first address", "a", "2001:db8::1", MaxOfUser},
		{"one network, second address", "b", "2001:db8::2", MaxOfUser},
	} {
		if got := passed(MaxOfNetwork, at(row.user, row.client)); got != row.want {
			t.Errorf("%s: %d attempts, not %d", row.what, got, row.want)
		}
	}
	if got := passed(2*MaxOfNetwork, func() bool {
		_, ok, err := throttle.AllowClient(ctx, now, "2001:db8::3")
		return ok && err == nil
	}); got != MaxOfNetwork-2*MaxOfUser {
		t.Errorf("one network: %d attempts more", got)
	}
	if got := passed(2*maxRecorded, records); got != maxRecorded {
		t.Errorf("%d failures are recorded", got)
	}
	if wait, ok, err := throttle.Allow(ctx, now, "kim", "198.51.100.9"); ok || err != nil || wait != window {
		t.Errorf("wait %s, %t", wait, ok)
	}
	now = now.Add(window + time.Second)
	if !at("kim", "198.51.100.1")() || !records() {
		t.Error("attempts of an earlier window count")
	}
}
