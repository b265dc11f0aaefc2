package webhook

import (
	"context"
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"net/netip"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

// phase is the progress of an exchange.
type phase int

const (
	resolving phase = iota
	connecting
	handshaking
	connected
	answered // at least in part
	phases
)

// trace records the progress of an exchange. It can be called after the exchange is
// over: a connection that was being established then is completed for the next one.
type trace struct {
	mu     sync.Mutex
	phase  phase
	since  [phases]time.Time
	took   [phases]time.Duration
	remote netip.Addr
}

type traceKey struct{}

// with returns the context for an exchange that the trace records.
func (t *trace) with(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(context.WithValue(ctx, traceKey{}, t), &httptrace.ClientTrace{
		DNSStart:             func(httptrace.DNSStartInfo) { t.begin(resolving) },
		DNSDone:              func(httptrace.DNSDoneInfo) { t.end(resolving) },
		ConnectStart:         func(string, string) { t.begin(connecting) },
		ConnectDone:          func(string, string, error) { t.end(connecting) },
		TLSHandshakeStart:    func() { t.begin(handshaking) },
		TLSHandshakeDone:     func(tls.ConnectionState, error) { t.end(handshaking) },
		GotConn:              t.gotConn,
		GotFirstResponseByte: func() { t.end(connected); t.begin(answered) },
	})
}

// traceOf returns the trace of a context.
func traceOf(ctx context.Context) *trace { return ctx.Value(traceKey{}).(*trace) }

// begin may be called twice for connecting, if a name has several addresses; the
// first call counts.
func (t *trace) begin(p phase) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.since[p].IsZero() {
		t.since[p] = time.Now()
	}
	t.phase = max(t.phase, p)
}

func (t *trace) end(p phase) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.took[p] = time.Since(t.since[p])
}

// dial records the address that is about to be dialled.
func (t *trace) dial(addr netip.Addr) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remote = addr
}

func (t *trace) gotConn(info httptrace.GotConnInfo) {
	t.begin(connected)
	t.mu.Lock()
	defer t.mu.Unlock()
	if info.Reused { // concurrent dials belong to other exchanges
		t.took = [phases]time.Duration{}
	}
	if to, ok := info.Conn.RemoteAddr().(*net.TCPAddr); ok {
		t.remote = to.AddrPort().Addr()
	}
}

// writeTo adds the measurements to an outcome. It adds nothing for a blocked
// address, not even the time it took to find out.
func (t *trace) writeTo(out *tracking.Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if out.Failure == tracking.FailBlocked {
		return
	}
	out.DNS, out.Connect, out.TLS, out.FirstByte = t.took[resolving], t.took[connecting], t.took[handshaking], t.took[connected]
	if t.remote.IsValid() {
		out.RemoteIP = t.remote.Unmap().String()
	}
}

// reached returns the phase that the exchange has reached.
func (t *trace) reached() phase {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.phase
}
