package webhook

import (
	"context"
	"net"
	"net/netip"
	"time"

	"github.com/landfallhq/tracking"
)

// Lab is what a test puts in place of the network.
type Lab struct {
	Resolver *net.Resolver
	// Dialled is asked after the guard, and before anything is connected.
	Dialled func(netip.AddrPort) error
	// Read counts the bytes that come.
	Read func(int)
}

// NewInLab is New with a network of the test's.
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

// SendUnchecked is Send past Check: what the guard alone makes of it.
func (n *Notifier) SendUnchecked(ctx context.Context, d tracking.Dispatch) tracking.Outcome {
	return n.exchange(ctx, d, time.Now())
}

// What is tried by itself.
var (
	RetryAfter = retryAfter
	TLSDetail  = tlsDetail
)

// WithDefaults is the Config that New works by.
func (c Config) WithDefaults() Config { return c.withDefaults() }
