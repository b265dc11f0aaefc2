package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"code.dny.dev/ssrf"

	"github.com/landfallhq/tracking"
)

// maxURL bounds the URL of an endpoint, in bytes.
const maxURL = 2048

// Check returns why nothing may be sent to a URL, or nil. The error is a
// *tracking.Error of kind Invalid for the field url. No name is resolved: addresses
// are checked when they are dialled.
//
// Only one spelling of an address is accepted: programs disagree about 0x7f.1,
// 127.0.0.1. or [::ffff:127.0.0.1].
func (n *Notifier) Check(text string) error {
	if err := n.check(text); err != nil {
		return err
	}
	return nil
}

func (n *Notifier) check(text string) *tracking.Error {
	if len(text) > maxURL {
		return refuse("too_long", fmt.Sprintf("The URL has %d bytes; at most %d are allowed.", len(text), maxURL))
	}
	u, err := url.Parse(text)
	if err != nil || u.Opaque != "" || u.Host == "" || !n.sends(u.Scheme) {
		return refuse("invalid", "The URL must be one such as https://receiver.example/hooks"+n.schemes()+".")
	}
	switch {
	case u.User != nil:
		return refuse("credentials", "The URL must have no user and no password: use the webhook's headers.")
	case strings.Contains(text, "#"):
		return refuse("fragment", "The URL must have no fragment (#).")
	}
	port, err := portOf(u)
	if err != nil {
		return refuse("port", "The port must be a number from 1 to 65535.")
	}
	return n.guard.checkHost(u, port)
}

func (n *Notifier) sends(scheme string) bool {
	return scheme == "https" || scheme == "http" && n.config.AllowHTTP
}

func (n *Notifier) schemes() string {
	if n.config.AllowHTTP {
		return ""
	}
	return "; plain http is not allowed"
}

func refuse(code, detail string) *tracking.Error {
	return &tracking.Error{Kind: tracking.Invalid, Field: "url", Code: code, Detail: detail}
}

// portOf returns the port of a URL, or the default of its scheme.
func portOf(u *url.URL) (uint16, error) {
	switch text := u.Port(); {
	case text != "":
		port, err := strconv.ParseUint(text, 10, 16)
		if err != nil || port == 0 || strconv.FormatUint(port, 10) != text {
			return 0, strconv.ErrSyntax
		}
		return uint16(port), nil
	case u.Scheme == "http":
		return 80, nil
	}
	return 443, nil
}

// checkHost refuses what is known to be blocked before a name is resolved.
func (g *guard) checkHost(u *url.URL, port uint16) *tracking.Error {
	host := u.Hostname()
	if addr, err := netip.ParseAddr(host); err == nil {
		return g.checkAddr(u.Host, netip.AddrPortFrom(addr, port))
	}
	if err := g.checkName(host); err != nil {
		return err
	}
	return g.checkPort(port, g.private) // the name may resolve to a private address
}

func (g *guard) checkAddr(host string, to netip.AddrPort) *tracking.Error {
	addr := to.Addr()
	switch {
	case addr.Zone() != "" || addr.Is6() != strings.HasPrefix(host, "["):
		return refuse("host", addressForm)
	case !g.allowsAddr(addr):
		return refuse("blocked_address", "The address is not one that webhooks are sent to.")
	}
	return g.checkPort(to.Port(), g.allows(to))
}

func (g *guard) checkPort(port uint16, open bool) *tracking.Error {
	if open || slices.Contains(g.ports, port) {
		return nil
	}
	return refuse("port", fmt.Sprintf("Port %d is not allowed: use one of %v.", port, g.ports))
}

var (
	label = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$`)
	// Old parsers take a name that ends in a number for an IPv4 address.
	number = regexp.MustCompile(`^([0-9]+|0[xX][0-9A-Fa-f]*)$`)
)

const addressForm = "An address must be written as four decimal numbers, or as IPv6 in brackets without a zone."

// Names that are never public (RFC 6761, 6762, 8375; ICANN for internal).
var privateNames = []string{"localhost", "localdomain", "local", "internal", "home.arpa"}

func (g *guard) checkName(host string) *tracking.Error {
	name, dot := strings.CutSuffix(host, ".")
	labels := strings.Split(name, ".")
	switch {
	case number.MatchString(labels[len(labels)-1]):
		return refuse("host", addressForm)
	case dot:
		return refuse("host", "The name of the host must not end in a dot.")
	case len(host) > 253 || !allMatch(labels, label.MatchString):
		return refuse("host", "The name of the host must be labels of letters, digits and hyphens, with dots between; other letters in their xn-- form.")
	case !g.allowsPrivate() && (len(labels) == 1 || isPrivateName(host)):
		return refuse("blocked_address", "The name of the host is not one of the public Internet.")
	}
	return nil
}

func isPrivateName(host string) bool {
	host = strings.ToLower(host)
	return slices.ContainsFunc(privateNames, func(name string) bool {
		return host == name || strings.HasSuffix(host, "."+name)
	})
}

func allMatch(list []string, ok func(string) bool) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !ok(s) })
}

// errBlocked is returned for a blocked address. It does not name the address: that
// would reveal to the owner of a webhook what the operator's internal names resolve
// to.
var errBlocked = errors.New("webhook: not an address that webhooks are sent to")

// The networks of Config.AllowPrivate.
var privateNetworks = []netip.Prefix{
	netip.MustParsePrefix("127.0.0.0/8"),
	netip.MustParsePrefix("::1/128"),
	netip.MustParsePrefix("10.0.0.0/8"),
	netip.MustParsePrefix("172.16.0.0/12"),
	netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("fc00::/7"),
}

// Addresses at which clouds provide credentials to every program on a machine.
// Azure's looks public, and some others are in the networks of AllowPrivate; only
// Config.Allow allows them.
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
	public      *ssrf.Guardian // knows the IANA registries
	allow, deny []netip.Prefix
	private     bool
	ports       []uint16

	dialled func(netip.AddrPort) error // for tests: called before connecting, if not nil
}

func newGuard(c Config) *guard {
	return &guard{public: ssrf.New(), allow: c.Allow, deny: c.Deny, private: c.AllowPrivate, ports: c.Ports}
}

// control is called by the dialer before it connects, with each address of a name.
func (g *guard) control(ctx context.Context, network, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" || !g.allows(to) {
		return errBlocked
	}
	traceOf(ctx).dial(to.Addr())
	if g.dialled != nil {
		return g.dialled(to)
	}
	return nil
}

// allows reports whether an address may be dialled on that port.
func (g *guard) allows(to netip.AddrPort) bool {
	return g.allowsAddr(to.Addr()) && (slices.Contains(g.ports, to.Port()) || g.private && containsAddr(privateNetworks, to.Addr()))
}

// allowsAddr need not handle IPv4 in IPv6: the dialer dials IPv4 then, and in a URL
// such an address is in no network.
func (g *guard) allowsAddr(addr netip.Addr) bool {
	switch {
	case addr.Zone() != "" || containsAddr(g.deny, addr):
		return false
	case containsAddr(g.allow, addr):
		return true
	case containsAddr(metadata, addr):
		return false
	case g.private && containsAddr(privateNetworks, addr):
		return true
	}
	return g.public.SafeAddr(addr) == nil
}

// allowsPrivate reports whether more than the public Internet is allowed.
func (g *guard) allowsPrivate() bool { return g.private || len(g.allow) > 0 }

func containsAddr(networks []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(addr) })
}
