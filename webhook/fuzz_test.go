package webhook_test

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/webhook"
)

// FuzzCheck checks any URL. Accepted URLs are https, without user, and any address
// in them, in any spelling that some parser accepts, is public.
func FuzzCheck(f *testing.F) {
	for i, host := range closed {
		if i%8 == 0 {
			f.Add("https://" + host + "/")
		}
	}
	f.Add("https://127.0.0.1.:443")
	f.Add("https://x.example%2f@127.0.0.1/")
	f.Add("https://[::ffff:8.8.8.8]:80?x#")
	f.Add("https://8.8.8.8/")
	f.Add("https://[2606:4700::1111]:443/a?b")
	f.Add("https://receiver.example")
	n := webhook.New(webhook.Config{})
	f.Fuzz(func(t *testing.T, text string) {
		if n.Check(text) != nil {
			return
		}
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "https" || u.User != nil || u.Fragment != "" || len(text) > 2048 {
			t.Fatalf("%q is let through", text)
		}
		if p := u.Port(); p != "" && p != "80" && p != "443" {
			t.Errorf("%q: port %s is let through", text, p)
		}
		host := u.Hostname()
		if addr, err := netip.ParseAddr(host); err == nil {
			if !public(addr) {
				t.Errorf("%q is let through", text)
			}
		} else if oldStyle(host) {
			t.Errorf("%q is let through, and could be read as an address", text)
		}
	})
}

// public uses the standard library, and the blocks that tunnels use.
func public(a netip.Addr) bool {
	tunnel := a.Is6() && (netip.MustParsePrefix("2002::/16").Contains(a) || netip.MustParsePrefix("2001::/32").Contains(a) || netip.MustParsePrefix("64:ff9b::/32").Contains(a))
	return a.Zone() == "" && !a.Is4In6() && !tunnel && a.IsGlobalUnicast() && !a.IsPrivate() && !a.IsLoopback() && !a.IsLinkLocalUnicast() &&
		!netip.MustParsePrefix("100.64.0.0/10").Contains(a) && !netip.MustParsePrefix("240.0.0.0/4").Contains(a) && !netip.MustParsePrefix("0.0.0.0/8").Contains(a)
}

// oldStyle reports whether inet_aton accepts a text as an address: one to four
// numbers, decimal, octal or hexadecimal, optionally with a final dot.
func oldStyle(host string) bool {
	parts := strings.Split(strings.TrimSuffix(host, "."), ".")
	for _, part := range parts {
		if _, err := strconv.ParseUint(part, 0, 64); err != nil || strings.ContainsAny(part, "_boBO") {
			return false
		}
	}
	return len(parts) <= 4
}
