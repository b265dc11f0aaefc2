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

// phase is how far an exchange has come.
type phase int

const (
	resolving phase = iota
	connecting
	handshaking
	connected
	answered // in part at least
	phases
)

// trace sees how an exchange goes. It may be told more when the exchange is over: a
// connection that was being made then is still made, for the next one.
type trace struct {
	mu     sync.Mutex
	phase  phase
	since  [phases]time.Time
	took   [phases]time.Duration
	remote netip.Addr
}

type traceKey struct{}

// with returns the context of an exchange that the trace is to see.
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

// traceOf is the trace that a context was made with.
func traceOf(ctx context.Context) *trace { return ctx.Value(traceKey{}).(*trace) }

// begin may come twice for connecting, when a name stands for several addresses:
// the first one counts.
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

// dial notes the address that is about to be dialled.
func (t *trace) dial(addr netip.Addr) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remote = addr
}

func (t *trace) gotConn(info httptrace.GotConnInfo) {
	t.begin(connected)
	t.mu.Lock()
	defer t.mu.Unlock()
	if info.Reused { // whatever was dialled beside it is not this exchange's
		t.took = [phases]time.Duration{}
	}
	if to, ok := info.Conn.RemoteAddr().(*net.TCPAddr); ok {
		t.remote = to.AddrPort().Addr()
	}
}

// tell writes what was seen into an outcome. Of an address that is blocked nothing
// is told, not even how long it took to find out.
func (t *trace) tell(out *tracking.Outcome) {
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

// reached is the phase in which an exchange is or ended.
func (t *trace) reached() phase {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.phase
}
