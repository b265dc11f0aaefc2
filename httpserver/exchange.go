package httpserver

import (
	"errors"
	"net/http"
	"net/netip"
	"time"

	"github.com/landfallhq/tracking"
)

// Exchange is a request that has been answered, for logs and metrics. It has nothing of
// the path, the query or the bodies, which may contain tokens.
type Exchange struct {
	// ID is the request ID, as in the header X-Request-Id.
	ID string
	// Method is what the client sent; it can be any word.
	Method string
	// Route is the path of the operation, as in Route.Path: "/v2/shipments/{id}". It is
	// empty for a path that no operation has.
	Route string
	// Status is the HTTP status, or StatusClientGone.
	Status int
	// Bytes is the length of the response body that was sent.
	Bytes int64
	// Duration is the time from the end of the request's header to the end of the
	// response.
	Duration time.Duration
	// Account, User and Key identify the caller. Each is zero if there is none, and all
	// are on public routes and after a failed authentication.
	Account tracking.AccountID
	User    tracking.ID
	Key     tracking.ID
	// Client is the address of the client, behind a trusted proxy that which the proxy
	// forwards; the zero Addr if it is unknown.
	Client netip.Addr
	// Limit is the limit that the request was refused for: a name of
	// tracking.Description.Limits, or one of the Limit constants. Empty for none.
	Limit string
}

// The limits of an Exchange besides those of tracking.Description.
const (
	// LimitFailures: too many failed authentications of an address.
	LimitFailures = "failed_authentications"
	// LimitAccountBodies: the bodies of an account take too much memory.
	LimitAccountBodies = "account_bodies"
	// LimitBodies: the bodies of all accounts do.
	LimitBodies = "bodies"
	// LimitStreams: there are too many streams of events.
	LimitStreams = "event_streams"
)

// StatusClientGone is the status of a request whose client has disconnected before the
// response.
const StatusClientGone = 499

// exchange is an Exchange that is not complete.
type exchange struct {
	Exchange
	began time.Time
}

// beginExchange measures the request, if somebody observes it.
func (req *request) beginExchange(path string) {
	if req.config.Observe != nil {
		req.exchange = &exchange{Exchange{ID: req.id, Method: req.r.Method, Route: path}, time.Now()}
	}
}

// sent notes what the response was. It may be called on nil.
func (e *exchange) sent(status int, bytes int64) {
	if e != nil {
		e.Status, e.Bytes = status, bytes
	}
}

// refused notes the limit that the request was refused for, if it was one. It may be
// called on nil.
func (e *exchange) refused(err error) {
	var refusal *httpError
	if e != nil && errors.As(err, &refusal) {
		e.Limit = refusal.limit
	}
}

// endExchange reports the request.
func (req *request) endExchange() {
	e := req.exchange
	if e == nil {
		return
	}
	e.Duration = time.Since(e.began)
	e.Account, e.User, e.Key = req.actor.Account, req.actor.User, req.actor.Key
	e.Client = req.proxies.client(req.r).Addr
	req.config.Observe(e.Exchange)
}

// ClientAddress returns the address of the client of a request, as limits by address use
// it; the zero Addr if it is unknown. It is for handlers that a host serves next to the
// Server.
func (s *Server) ClientAddress(r *http.Request) netip.Addr { return s.proxies.client(r).Addr }

// IsHTTPS reports whether the client of a request uses HTTPS, as links show it: by
// Config.PublicURL, else by a trusted proxy, else by the connection. It is for handlers that a
// host serves next to the Server.
func (s *Server) IsHTTPS(r *http.Request) bool {
	return (&request{Server: s, r: r}).origin().scheme == "https://"
}

// Origin returns the scheme and the host that a client uses, as links show them, such as
// https://tracking.example.com. It is for handlers that a host serves next to the Server.
func (s *Server) Origin(r *http.Request) string {
	o := (&request{Server: s, r: r}).origin()
	return o.scheme + o.host
}

// Serves reports whether a path is one of the Server: one below the prefix, or one of the few
// outside it. A host serves others by handlers of its own.
func (s *Server) Serves(path string) bool { return s.within(path) || isAtRoot(path) }
