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

// Config says how and where webhooks are sent. The zero Config is safe: https, to
// public addresses, on ports 80 and 443. Only the operator can allow more, never a
// webhook.
type Config struct {
	// AllowHTTP allows http endpoints.
	AllowHTTP bool
	// AllowPrivate allows endpoints in private networks, on any port: loopback,
	// private, shared (100.64.0.0/10) and unique local addresses, and names without
	// a dot or under .local, .internal and the like. Metadata addresses of clouds
	// stay blocked.
	AllowPrivate bool
	// Allow adds networks to the public ones. Deny blocks networks and takes
	// precedence over everything else: for public addresses behind which a system
	// of the operator trusts this machine.
	Allow, Deny []netip.Prefix
	// Ports are allowed in addition to 80 and 443.
	Ports []uint16

	// Proxy, if not nil, is used for every connection: http, https or socks5. The
	// proxy then resolves names and must itself block addresses that are not
	// public; only addresses in the URL are checked here. Environment variables
	// (HTTPS_PROXY) are ignored.
	Proxy *url.URL
	// RootCAs are the trusted certificate authorities. Defaults to those of the
	// system. Certificates are always verified.
	RootCAs *x509.CertPool

	// Rate limits the attempts per second to one webhook's endpoint, and Burst is
	// how many may go at once. A Rate of 0 means no limit; Burst defaults to Rate,
	// and at least 1. An attempt waits at most Timeout for its turn.
	Rate  float64
	Burst int

	// Timeout bounds one exchange, from resolving the name to the end of the
	// response body. Defaults to 15 seconds.
	Timeout time.Duration
	// DialTimeout bounds resolving and connecting, TLSTimeout the handshake, and
	// HeaderTimeout the wait for the response headers. They default to 5, 5 and 10
	// seconds.
	DialTimeout, TLSTimeout, HeaderTimeout time.Duration
	// IdlePerEndpoint is how many idle connections to one host are kept. It should
	// equal the number of concurrent deliveries to one endpoint: connections above
	// it are dialled again for each attempt of a backlog. Defaults to 4, which is
	// also the default of the engine.
	IdlePerEndpoint int

	// Version appears in User-Agent: Landfall-Webhooks/VERSION. Defaults to "dev".
	Version string
	// HeaderPrefix precedes id, timestamp and signature in the names of the
	// Standard Webhooks headers. Defaults to "webhook-".
	HeaderPrefix string
	// LegacyHeader is the name of the header with the older signature. Defaults to
	// X-T49-Webhook-Signature; "-" omits it.
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

// Validate returns an error for the first invalid member. New panics with the same
// error.
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
		return errors.New("webhook: Config.Rate must be positive, or 0 for no limit")
	case c.Burst < 0:
		return errors.New("webhook: Config.Burst is negative: it must be positive, or 0 for the default")
	case c.IdlePerEndpoint < 0:
		return errors.New("webhook: Config.IdlePerEndpoint is negative: it must be positive, or 0 for the default")
	case !isFieldValue(c.Version):
		return errors.New("webhook: Config.Version has a character that is not allowed in headers")
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
