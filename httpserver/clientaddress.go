package httpserver

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/landfallhq/tracking/internal/netblock"
)

// clientAddress is the address of a client; the zero value for an unknown one.
type clientAddress struct{ netip.Addr }

// network returns the key of limits by address. All unknown addresses share one key.
func (a clientAddress) network() [16]byte {
	if !a.IsValid() {
		return [16]byte{}
	}
	return netblock.Of(a.Addr).As16()
}

// parseAddress reads an address, with or without a port.
func parseAddress(s string) clientAddress {
	s = strings.TrimSpace(s)
	if host, _, err := net.SplitHostPort(s); err == nil {
		s = host
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	if err != nil {
		return clientAddress{}
	}
	return clientAddress{a.Unmap()}
}

// trustedProxies are the networks whose forwarded headers count.
type trustedProxies []netip.Prefix

func (p trustedProxies) contain(a clientAddress) bool { return netblock.Contain(p, a.Addr) }

// trusts reports whether a request comes from a trusted proxy.
func (p trustedProxies) trusts(r *http.Request) bool {
	return len(p) > 0 && p.contain(parseAddress(r.RemoteAddr))
}

// client returns the address of the client. Behind trusted proxies it is the last
// address of X-Forwarded-For that is not one of them: what stands before it comes from
// the client, who may write anything.
func (p trustedProxies) client(r *http.Request) clientAddress {
	client := parseAddress(r.RemoteAddr)
	if !p.contain(client) {
		return client
	}
	lines := r.Header["X-Forwarded-For"]
	for i := len(lines) - 1; i >= 0; i-- {
		for rest, more := lines[i], true; more; {
			var last string
			rest, last, more = cutLast(rest, ',')
			next := parseAddress(last)
			if !next.IsValid() {
				return client // the proxy next to the client does not know it
			}
			if client = next; !p.contain(client) {
				return client
			}
		}
	}
	return client
}

// cutLast cuts a text at the last separator. Without one, all of it is the end.
func cutLast(s string, separator byte) (before, last string, found bool) {
	at := strings.LastIndexByte(s, separator)
	return s[:max(at, 0)], s[at+1:], at >= 0
}
