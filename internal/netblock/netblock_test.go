package netblock_test

import (
	"net/netip"
	"testing"

	"github.com/landfallhq/tracking/internal/netblock"
)

func TestOf(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "2001:db8::1": "2001:db8::", "2001:db8::ffff:0:0:1": "2001:db8::",
		"2001:db8:0:1::1": "2001:db8:0:1::", "fe80::1%eth0": "fe80::",
	} {
		if got := netblock.Of(netip.MustParseAddr(address)).String(); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
	if got := netblock.Of(netip.Addr{}); got.IsValid() {
		t.Errorf("no address: %s", got)
	}
}

func TestContain(t *testing.T) {
	networks := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fe80::/64")}
	for address, want := range map[string]bool{"10.1.2.3": true, "::ffff:10.1.2.3": true, "fe80::1%eth0": true, "11.0.0.1": false, "fe80:0:0:1::1": false} {
		if netblock.Contain(networks, netip.MustParseAddr(address)) != want {
			t.Errorf("%s: want %t", address, want)
		}
	}
	if netblock.Contain(networks, netip.Addr{}) {
		t.Error("no address is in no network")
	}
}
