package webhook

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"syscall"

	"code.dny.dev/ssrf"
)

// errBlocked is why nothing was dialled. It names no address: whose webhook it is
// could find out by it what the operator's names stand for.
var errBlocked = errors.New("webhook: not an address that webhooks are sent to")

// What Config.AllowPrivate opens.
var privateNetworks = []netip.Prefix{
	netip.MustParsePrefix("127.0.0.0/8"),
	netip.MustParsePrefix("::1/128"),
	netip.MustParsePrefix("10.0.0.0/8"),
	netip.MustParsePrefix("172.16.0.0/12"),
	netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("fc00::/7"),
}

// Where clouds hand out credentials to every program on their machines. Azure's
// looks like a public address, some others are within what AllowPrivate opens; only
// Config.Allow reaches them.
var metadata = []netip.Prefix{
	netip.MustParsePrefix("169.254.169.254/32"), // most clouds
	netip.MustParsePrefix("169.254.170.0/24"),   // AWS, containers
	netip.MustParsePrefix("fd00:ec2::/32"),      // AWS
	netip.MustParsePrefix("fd20:ce::254/128"),   // Google
	netip.MustParsePrefix("168.63.129.16/32"),   // Azure
	netip.MustParsePrefix("100.100.100.200/32"), // Alibaba
	netip.MustParsePrefix("192.0.0.192/32"),     // Oracle
}

// guard decides which addresses may be dialled.
type guard struct {
	public      *ssrf.Guardian // knows what IANA has set aside
	allow, deny []netip.Prefix
	private     bool
	ports       []uint16

	dialled func(netip.AddrPort) error // of tests: the last word before connecting; nil for none
}

func newGuard(c Config) *guard {
	return &guard{public: ssrf.New(), allow: c.Allow, deny: c.Deny, private: c.AllowPrivate, ports: c.Ports}
}

// control is asked by the dialer before it connects, for every address that a name
// stands for. So it does not matter what the name stood for a moment ago.
func (g *guard) control(ctx context.Context, network, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" || !g.open(to) {
		return errBlocked
	}
	traceOf(ctx).dial(to.Addr())
	if g.dialled != nil {
		return g.dialled(to)
	}
	return nil
}

// open reports whether an address may be reached, on that port.
func (g *guard) open(to netip.AddrPort) bool {
	return g.reaches(to.Addr()) && (slices.Contains(g.ports, to.Port()) || g.private && within(privateNetworks, to.Addr()))
}

// reaches is not asked about IPv4 written as IPv6 by the dialer, which dials IPv4
// then; written in a URL it is in no network.
func (g *guard) reaches(addr netip.Addr) bool {
	switch {
	case addr.Zone() != "" || within(g.deny, addr):
		return false
	case within(g.allow, addr):
		return true
	case within(metadata, addr):
		return false
	case g.private && within(privateNetworks, addr):
		return true
	}
	return g.public.SafeAddr(addr) == nil
}

// inside reports whether anything but the public Internet is open.
func (g *guard) inside() bool { return g.private || len(g.allow) > 0 }

func within(networks []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(addr) })
}
