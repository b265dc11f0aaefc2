package webhook

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/landfallhq/tracking"
)

// Notifier sends webhooks over HTTP. It is a tracking.Notifier, safe for concurrent
// use, and logs nothing.
type Notifier struct {
	config    Config
	guard     *guard
	pacer     *pacer
	names     names
	agent     string
	transport *http.Transport
}

var _ tracking.Notifier = (*Notifier)(nil)

// New returns a Notifier. It panics if Config.Validate returns an error.
func New(config Config) *Notifier {
	if err := config.Validate(); err != nil {
		panic(err)
	}
	config = config.withDefaults()
	n := &Notifier{
		config: config,
		guard:  newGuard(config),
		pacer:  newPace(config),
		names:  newNames(config),
		agent:  "Landfall-Webhooks/" + config.Version,
	}
	n.transport = n.newTransport(&net.Dialer{Timeout: config.DialTimeout, ControlContext: n.guard.control})
	return n
}

// maxWrite is the write buffer, which fits most deliveries with their headers.
const maxWrite = 16 << 10

// newTransport returns a separate transport, so that neither changes of
// http.DefaultTransport nor the environment affect where deliveries go. It is used
// without an http.Client, so there are no redirects, no cookies, and no errors that
// quote the URL.
func (n *Notifier) newTransport(dialer *net.Dialer) *http.Transport {
	c := n.config
	t := &http.Transport{
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: c.RootCAs},
		TLSHandshakeTimeout:    c.TLSTimeout,
		ResponseHeaderTimeout:  c.HeaderTimeout,
		MaxResponseHeaderBytes: maxHeaders,
		DisableCompression:     true,
		WriteBufferSize:        maxWrite,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           256,
		MaxIdleConnsPerHost:    c.IdlePerEndpoint,
		IdleConnTimeout:        time.Minute,
		// An endpoint must not make us buffer more than is read of a response, nor
		// keep us on a dead connection.
		HTTP2: &http.HTTP2Config{
			MaxReceiveBufferPerStream:     maxRead,
			MaxReceiveBufferPerConnection: 16 * maxRead,
			SendPingTimeout:               c.HeaderTimeout,
			PingTimeout:                   c.DialTimeout,
		},
	}
	if c.Proxy != nil {
		t.Proxy = http.ProxyURL(c.Proxy)
		t.DialContext = (&net.Dialer{Timeout: c.DialTimeout}).DialContext // dials only the operator's proxy
	}
	return t
}

// Send makes one attempt and returns its outcome. With Config.Rate, it first waits
// for the endpoint's turn; if that takes too long, the outcome is FailCanceled with
// the wait as RetryAfter. An attempt whose ctx has ended is FailCanceled as well,
// whether or not something was sent.
func (n *Notifier) Send(ctx context.Context, d tracking.Dispatch) tracking.Outcome {
	if err := n.check(d.URL); err != nil {
		return tracking.Outcome{Failure: tracking.FailBlocked, Detail: err.Detail}
	}
	if left, ok := n.pacer.wait(ctx, d.Webhook); !ok {
		return tracking.Outcome{Failure: tracking.FailCanceled, Detail: "It was not the endpoint's turn.", RetryAfter: left}
	}
	began := time.Now()
	out := n.exchange(ctx, d, began)
	out.Total = time.Since(began)
	return out
}

func (n *Notifier) exchange(ctx context.Context, d tracking.Dispatch, began time.Time) (out tracking.Outcome) {
	limited, cancel := context.WithTimeout(ctx, n.config.Timeout)
	defer cancel()
	t := &trace{}
	r, err := n.request(t.with(limited), d)
	if err != nil { // Check accepted the URL, so this is a bug
		return tracking.Outcome{Failure: tracking.FailBlocked, Detail: "No request can be made of the URL."}
	}
	if d.Webhook == (tracking.ID{}) {
		out.RequestHeaders = sentHeaders(r)
	}
	res, err := n.transport.RoundTrip(r)
	if err != nil {
		out.Failure, out.Detail = failure(ctx, t.reached(), err)
	} else {
		readResponse(res, d, &out)
		out.RetryAfter = retryAfter(res.Header, d.At.Add(time.Since(began)))
	}
	t.writeTo(&out)
	return out
}

// CloseIdleConnections closes the idle connections. The Notifier remains usable.
func (n *Notifier) CloseIdleConnections() { n.transport.CloseIdleConnections() }

// pacer limits the rate of attempts to each endpoint. An endpoint with all its
// tokens is like an unknown one, so it is forgotten.
type pacer struct {
	limit   rate.Limit
	burst   int
	maxWait time.Duration

	mu       sync.Mutex
	limiters map[tracking.ID]*rate.Limiter
	sweepAt  int // number of limiters at which full ones are removed
}

// minSweep is the least number of limiters before full ones are removed.
const minSweep = 128

func newPace(c Config) *pacer {
	return &pacer{
		limit: rate.Limit(c.Rate), burst: c.Burst, maxWait: c.Timeout,
		limiters: map[tracking.ID]*rate.Limiter{}, sweepAt: minSweep,
	}
}

// wait waits for the endpoint's turn. ok is false if ctx has ended, or if it would
// take too long; then left is the wait.
func (p *pacer) wait(ctx context.Context, endpoint tracking.ID) (left time.Duration, ok bool) {
	if p.limit == 0 || endpoint == (tracking.ID{}) {
		return 0, true
	}
	turn := p.reserve(endpoint)
	left = turn.Delay()
	if left == 0 {
		return 0, true
	}
	if left > p.maxWait {
		turn.Cancel()
		return left, false
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return 0, true
	case <-ctx.Done():
		turn.Cancel()
		return 0, false
	}
}

func (p *pacer) reserve(endpoint tracking.ID) *rate.Reservation {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.limiters[endpoint]
	if l == nil {
		if len(p.limiters) >= p.sweepAt {
			p.sweep()
		}
		l = rate.NewLimiter(p.limit, p.burst)
		p.limiters[endpoint] = l
	}
	return l.Reserve()
}

// sweep removes the limiters that allow a full burst again.
func (p *pacer) sweep() {
	now := time.Now()
	for endpoint, l := range p.limiters {
		if l.TokensAt(now) >= float64(p.burst) {
			delete(p.limiters, endpoint)
		}
	}
	p.sweepAt = max(minSweep, 2*len(p.limiters))
}
