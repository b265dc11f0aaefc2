package webhook

import (
	"context"
	"net"
	"net/netip"
	"time"

	"github.com/landfallhq/tracking"
)

// Lab replaces the network in a test.
type Lab struct {
	Resolver *net.Resolver
	// Dialled is called after the guard, before anything is connected.
	Dialled func(netip.AddrPort) error
	// Read counts received bytes.
	Read func(int)
}

// NewInLab is New with the network of a test.
func NewInLab(config Config, lab Lab) *Notifier {
	n := New(config)
	n.guard.dialled = lab.Dialled
	n.transport = n.newTransport(&net.Dialer{Timeout: n.config.DialTimeout, ControlContext: n.guard.control, Resolver: lab.Resolver})
	if dial := n.transport.DialContext; lab.Read != nil {
		n.transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dial(ctx, network, address)
			return counted{c, lab.Read}, err
		}
	}
	return n
}

type counted struct {
	net.Conn
	read func(int)
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.read(n)
	return n, err
}

// SendUnchecked is Send without Check, to test the guard alone.
func (n *Notifier) SendUnchecked(ctx context.Context, d tracking.Dispatch) tracking.Outcome {
	return n.exchange(ctx, d, time.Now())
}

// Tested separately.
var (
	RetryAfter = retryAfter
	TLSDetail  = tlsDetail
)

// WithDefaults is the Config that New uses.
func (c Config) WithDefaults() Config { return c.withDefaults() }
