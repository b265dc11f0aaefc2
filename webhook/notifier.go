package webhook

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"

	"github.com/landfallhq/tracking"
)

// Notifier sends webhooks over HTTP. It is a tracking.Notifier, safe for concurrent
// use, and logs nothing.
type Notifier struct {
	config    Config
	guard     *guard
	pace      *pace
	names     names
	agent     string
	transport *http.Transport
}

var _ tracking.Notifier = (*Notifier)(nil)

// New returns a Notifier. It panics with what Config.Validate says.
func New(config Config) *Notifier {
	if err := config.Validate(); err != nil {
		panic(err)
	}
	config = config.withDefaults()
	n := &Notifier{
		config: config,
		guard:  newGuard(config),
		pace:   newPace(config),
		names:  newNames(config),
		agent:  "Landfall-Webhooks/" + config.Version,
	}
	n.transport = n.newTransport(&net.Dialer{Timeout: config.DialTimeout, ControlContext: n.guard.control})
	return n
}

// maxWrite is what goes out in one piece: most deliveries, with their headers.
const maxWrite = 16 << 10

// newTransport is a transport of our own: nothing that a program does to
// http.DefaultTransport, and nothing in its environment, changes where deliveries
// go. It is used without an http.Client, so there are no redirects, no cookies, and
// no errors that quote the URL.
func (n *Notifier) newTransport(dialer *net.Dialer) *http.Transport {
	c := n.config
	t := &http.Transport{
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: c.RootCAs},
		TLSHandshakeTimeout:    c.TLSTimeout,
		ResponseHeaderTimeout:  c.HeaderTimeout,
		MaxResponseHeaderBytes: maxHead,
		DisableCompression:     true,
		WriteBufferSize:        maxWrite,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           256,
		MaxIdleConnsPerHost:    c.IdlePerEndpoint,
		IdleConnTimeout:        time.Minute,
		// An endpoint cannot make us hold more than is read of a response, nor keep
		// us on a connection that has died.
		HTTP2: &http.HTTP2Config{
			MaxReceiveBufferPerStream:     maxRead,
			MaxReceiveBufferPerConnection: 16 * maxRead,
			SendPingTimeout:               c.HeaderTimeout,
			PingTimeout:                   c.DialTimeout,
		},
	}
	if c.Proxy != nil {
		t.Proxy = http.ProxyURL(c.Proxy)
		t.DialContext = (&net.Dialer{Timeout: c.DialTimeout}).DialContext // dials the operator's proxy, and nothing else
	}
	return t
}

// Send makes one attempt and says what came of it. Besides one exchange it takes the
// wait for the endpoint's turn, where Config.Rate paces it; an attempt whose turn is
// too far away is FailCanceled with the wait as RetryAfter. So is one whose ctx has
// ended, whether or not something was sent.
func (n *Notifier) Send(ctx context.Context, d tracking.Dispatch) tracking.Outcome {
	if err := n.check(d.URL); err != nil {
		return tracking.Outcome{Failure: tracking.FailBlocked, Detail: err.Detail}
	}
	if left, ok := n.pace.wait(ctx, d.Webhook); !ok {
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
	if err != nil { // Check passed it, so this is a fault of ours
		return tracking.Outcome{Failure: tracking.FailBlocked, Detail: "No request can be made of the URL."}
	}
	if d.Webhook == (tracking.ID{}) {
		out.RequestHeaders = asSent(r)
	}
	res, err := n.transport.RoundTrip(r)
	if err != nil {
		out.Failure, out.Detail = failure(ctx, t.reached(), err)
	} else {
		receive(res, d, &out)
		out.RetryAfter = retryAfter(res.Header, d.At.Add(time.Since(began)))
	}
	t.tell(&out)
	return out
}

// CloseIdleConnections closes the connections that are kept for further attempts.
// The Notifier can be used on.
func (n *Notifier) CloseIdleConnections() { n.transport.CloseIdleConnections() }
