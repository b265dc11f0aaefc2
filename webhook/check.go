package webhook

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
)

// maxURL bounds the URL of an endpoint, in bytes.
const maxURL = 2048

// Check says why nothing may be sent to a URL, or nil. The error is a
// *tracking.Error of kind Invalid for the field url. No name is resolved: the
// address that is dialled is checked when it is dialled.
//
// Of each thing one spelling is taken. Programs do not agree on what else
// 0x7f.1, 127.0.0.1. or [::ffff:127.0.0.1] could mean, and nobody needs them.
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

// portOf is the port of a URL, or that of its scheme.
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

// checkHost refuses what can be seen to be closed before a name is resolved.
func (g *guard) checkHost(u *url.URL, port uint16) *tracking.Error {
	host := u.Hostname()
	if addr, err := netip.ParseAddr(host); err == nil {
		return g.checkAddr(u.Host, netip.AddrPortFrom(addr, port))
	}
	if err := g.checkName(host); err != nil {
		return err
	}
	return g.checkPort(port, g.private) // the name may stand for a private address
}

func (g *guard) checkAddr(host string, to netip.AddrPort) *tracking.Error {
	addr := to.Addr()
	switch {
	case addr.Zone() != "" || addr.Is6() != strings.HasPrefix(host, "["):
		return refuse("host", oneSpelling)
	case !g.reaches(addr):
		return refuse("blocked_address", "The address is not one that webhooks are sent to.")
	}
	return g.checkPort(to.Port(), g.open(to))
}

func (g *guard) checkPort(port uint16, open bool) *tracking.Error {
	if open || slices.Contains(g.ports, port) {
		return nil
	}
	return refuse("port", fmt.Sprintf("Port %d is not allowed: use one of %v.", port, g.ports))
}

var (
	label = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$`)
	// Old parsers read a name that ends in a number as IPv4 in some other form.
	number = regexp.MustCompile(`^([0-9]+|0[xX][0-9A-Fa-f]*)$`)
)

const oneSpelling = "An address must be written as four decimal numbers, or as IPv6 in brackets without a zone."

// What never is a name of the public Internet (RFC 6761, 6762, 8375; ICANN for
// internal).
var privateNames = []string{"localhost", "localdomain", "local", "internal", "home.arpa"}

func (g *guard) checkName(host string) *tracking.Error {
	name, dot := strings.CutSuffix(host, ".")
	labels := strings.Split(name, ".")
	switch {
	case number.MatchString(labels[len(labels)-1]):
		return refuse("host", oneSpelling)
	case dot:
		return refuse("host", "The name of the host must not end in a dot.")
	case len(host) > 253 || !all(labels, label.MatchString):
		return refuse("host", "The name of the host must be labels of letters, digits and hyphens, with dots between; other letters in their xn-- form.")
	case !g.inside() && (len(labels) == 1 || isPrivateName(host)):
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

func all(list []string, ok func(string) bool) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !ok(s) })
}
