package webhook

import (
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"github.com/landfallhq/tracking/webhook/signature"
)

// Config says how webhooks are sent, and where to. The zero Config is the safe one:
// https, to public addresses, on ports 80 and 443. What opens more is the
// operator's to say, never a webhook's.
type Config struct {
	// AllowHTTP lets endpoints be plain http.
	AllowHTTP bool
	// AllowPrivate lets endpoints be in the operator's own networks, on any port:
	// loopback, private, shared (100.64.0.0/10) and unique local addresses, and
	// names without a dot or under .local, .internal and the like. Addresses at
	// which clouds hand out credentials stay closed.
	AllowPrivate bool
	// Allow opens single networks besides the public ones. Deny closes networks,
	// and wins over all else: public addresses behind which something of the
	// operator's trusts this machine.
	Allow, Deny []netip.Prefix
	// Ports are open besides 80 and 443.
	Ports []uint16

	// Proxy, when not nil, is asked for every connection: http, https or socks5.
	// The names are then resolved by the proxy, and it is the proxy that must refuse
	// addresses that are not public; only those that stand in the URL itself are
	// refused here. The variables of the environment (HTTPS_PROXY) mean nothing.
	Proxy *url.URL
	// RootCAs are the authorities whose certificates count. Defaults to the
	// system's. Certificates are always verified.
	RootCAs *x509.CertPool

	// Rate paces the attempts to one webhook's endpoint, per second, and Burst is
	// how many may go at once. A Rate of 0 paces nothing; Burst defaults to Rate,
	// and at least 1. An attempt waits for its turn no longer than Timeout.
	Rate  float64
	Burst int

	// Timeout bounds one exchange: from resolving the name to the end of the
	// response's body. Defaults to 15 seconds.
	Timeout time.Duration
	// DialTimeout bounds resolving and connecting, TLSTimeout the handshake and
	// HeaderTimeout the wait for the head of the response. Default to 5, 5 and 10
	// seconds.
	DialTimeout, TLSTimeout, HeaderTimeout time.Duration
	// IdlePerEndpoint is how many connections to one host are kept for the next
	// attempts. It should be as many as go to one endpoint at a time: what is above
	// it is dialled anew for each attempt of a backlog. Defaults to 4, the engine's
	// own default.
	IdlePerEndpoint int

	// Version is what User-Agent names: Landfall-Webhooks/VERSION. Defaults to
	// "dev".
	Version string
	// HeaderPrefix stands before id, timestamp and signature in the names of the
	// Standard Webhooks headers. Defaults to "webhook-".
	HeaderPrefix string
	// LegacyHeader is the name of the header with the older signature. Defaults to
	// X-T49-Webhook-Signature; "-" leaves it out.
	LegacyHeader string
}

func (c Config) withDefaults() Config {
	c.Timeout = cmp.Or(c.Timeout, 15*time.Second)
	c.DialTimeout = cmp.Or(c.DialTimeout, 5*time.Second)
	c.TLSTimeout = cmp.Or(c.TLSTimeout, 5*time.Second)
	c.HeaderTimeout = cmp.Or(c.HeaderTimeout, 10*time.Second)
	c.IdlePerEndpoint = cmp.Or(c.IdlePerEndpoint, 4)
	c.Burst = cmp.Or(c.Burst, int(max(1, math.Ceil(min(c.Rate, math.MaxInt32)))))
	c.Version = cmp.Or(c.Version, "dev")
	c.HeaderPrefix = cmp.Or(c.HeaderPrefix, "webhook-")
	c.LegacyHeader = cmp.Or(c.LegacyHeader, signature.LegacyHeader)
	c.Allow, c.Deny = slices.Clone(c.Allow), slices.Clone(c.Deny)
	c.Ports = append([]uint16{80, 443}, c.Ports...)
	return c
}

// Validate says which member is wrong, or nil. New panics with the same.
func (c Config) Validate() error {
	for _, d := range []struct {
		member string
		value  time.Duration
	}{
		{"Timeout", c.Timeout}, {"DialTimeout", c.DialTimeout},
		{"TLSTimeout", c.TLSTimeout}, {"HeaderTimeout", c.HeaderTimeout},
	} {
		if d.value < 0 {
			return fmt.Errorf("webhook: Config.%s is negative: it must be positive, or 0 for the default", d.member)
		}
	}
	switch {
	case !(c.Rate >= 0): // NaN too
		return errors.New("webhook: Config.Rate must be positive, or 0 for no pace")
	case c.Burst < 0:
		return errors.New("webhook: Config.Burst is negative: it must be positive, or 0 for the default")
	case c.IdlePerEndpoint < 0:
		return errors.New("webhook: Config.IdlePerEndpoint is negative: it must be positive, or 0 for the default")
	case !sendable(c.Version):
		return errors.New("webhook: Config.Version holds a character that no header can have")
	case c.HeaderPrefix != "" && !isToken(c.HeaderPrefix):
		return fmt.Errorf("webhook: Config.HeaderPrefix is %q: the name of a header has letters, digits and hyphens", c.HeaderPrefix)
	case c.LegacyHeader != "" && !isToken(c.LegacyHeader):
		return fmt.Errorf("webhook: Config.LegacyHeader is %q: the name of a header has letters, digits and hyphens", c.LegacyHeader)
	}
	return c.validateNetworks()
}

func (c Config) validateNetworks() error {
	for _, prefix := range slices.Concat(c.Allow, c.Deny) {
		if !prefix.IsValid() || prefix.Addr().Is4In6() {
			return fmt.Errorf("webhook: Config.Allow or Config.Deny has %v: a network is an address and its length, such as 10.1.0.0/16", prefix)
		}
	}
	if slices.Contains(c.Ports, 0) {
		return errors.New("webhook: Config.Ports has 0: a port is a number from 1 to 65535")
	}
	if c.Proxy != nil && (c.Proxy.Host == "" || !slices.Contains([]string{"http", "https", "socks5"}, c.Proxy.Scheme)) {
		return errors.New("webhook: Config.Proxy must be a URL such as http://proxy.example:3128, of scheme http, https or socks5")
	}
	return nil
}
