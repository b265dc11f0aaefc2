// Package httpserver serves a Tracker as a JSON:API interface under /v2: the routes,
// the requests they accept, and the form of responses and errors. It has no rule
// about freight; those are methods of the Tracker.
//
// # Mounting
//
//	http.Handle("/v2/", httpserver.New(httpserver.Config{Tracker: tr}))
//
// New returns the handler. It also serves /healthz and /readyz, outside the prefix
// and without a key; mount it at "/" to expose them. A host with its own mux can
// register the operations one by one with Server.Routes. The host sets the timeouts
// of its http.Server; this package limits the size of bodies and the time they may
// take.
//
// Config.Authenticate identifies the caller. By default it checks the header
// "Authorization: Token <key>" against the keys made by Tracker.CreateKey. A host
// with its own users supplies a function:
//
//	Authenticate: func(r *http.Request) (tracking.Actor, error) {
//		user, ok := sessions.User(r)
//		if !ok {
//			return tracking.Actor{}, &httpserver.AuthenticationError{Detail: "Log in first.", Challenge: `Basic realm="app"`}
//		}
//		return tracking.Actor{Account: user.Account, User: user.ID}, nil
//	},
//
// # Webhooks
//
// Webhooks notify clients of changes:
//
//	POST   /webhooks                              subscribe a URL to events
//	GET    /webhooks, /webhooks/{id}              with their secrets
//	PATCH  /webhooks/{id}                         another url, other events or headers; active
//	DELETE /webhooks/{id}
//	POST   /webhooks/{id}/rotate_secret           a new secret; the old one stays valid for a while
//	POST   /webhooks/{id}/recover                 resend the notifications of a time range
//	GET    /webhook_recoveries/{id}               the progress of a recovery
//	GET    /webhooks/events                       the events to subscribe to
//	GET    /webhooks/ips                          the addresses that notifications come from
//	POST   /webhooks/trigger                      send an example of an event to a URL, once
//	GET    /webhook_notifications                 notifications and their delivery status
//	GET    /webhook_notifications/{id}            include=webhook_notification_logs has every attempt
//	GET    /webhook_notifications/examples        an example notification for an event
//	POST   /webhook_notifications/{id}/redeliver  send one again
//
//	GET    /events                                all events after a cursor; with Accept: text/event-stream as they are committed
//	GET    /events/{id}
//
// Webhooks need a Tracker with a master key. Notifications are sent by a running
// Tracker with a Notifier, such as the one of webhook.New. Package webhook documents
// delivery; package webhook/signature verifies signatures.
//
// # Responses
//
// An ID of another account, an unknown ID and a malformed ID get the same response,
// byte for byte. Every failed request gets an errors document; an internal error
// shows its request ID and nothing else.
//
// The ETag of a resource is its version, for If-Match on a later PATCH. It does not
// validate caches, because related data in the response (such as the events of a
// container) changes without it. So no response is a 304.
package httpserver

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime/invoice"
)

// Config configures a Server. New copies it.
type Config struct {
	// Tracker is the engine to serve. Required.
	Tracker *tracking.Tracker
	// Authenticate identifies the sender of a request. An *AuthenticationError
	// becomes a 401 with its Detail and Challenge, and a *tracking.Error of the kind
	// Unauthorized one with its Detail. Any other error without a kind is an internal
	// error (500). The Actor must name an Account; nil Permissions mean all. Defaults
	// to the keys of the Tracker, in the header "Authorization: Token <key>", with
	// failed attempts limited by address.
	Authenticate func(*http.Request) (tracking.Actor, error)
	// Limits are the rate limits of each account. See Limits for the defaults.
	Limits Limits
	// BodyPace is the least speed of request bodies. Defaults to 4 KiB a second after
	// the first 5 seconds.
	BodyPace BodyPace
	// BodyBytes bounds the memory that request bodies and what is parsed from them
	// take at one time, in bytes. A body counts from before it is read until the
	// response: a report eight times its length, others three times. An account may
	// have a quarter of BodyBytes, at least 16 MiB, and a larger body has it alone.
	// Above that its requests get 429, and above BodyBytes all get 503, before their
	// body is read. Bodies that count at most 128 KiB have another eighth of BodyBytes
	// to themselves. Uploads and e-mails are streamed and do not count. At least 16
	// MiB; defaults to 256 MiB; -1 means no limit.
	BodyBytes int64
	// Prefix is the path prefix of the interface, as clients see it; "/" means none.
	// Defaults to "/v2".
	Prefix string
	// PublicURL is the scheme and host under which clients reach the server, such as
	// https://tracking.example.com. Links, upload URLs and download URLs begin with
	// it. Defaults to what a trusted proxy forwards, or else to the scheme and host of
	// the request.
	PublicURL string
	// TrustProxy are the networks of proxies in front of the server. Their
	// X-Forwarded-For names the client, whose address limits apply to: its last
	// address that is not in these networks. Their X-Forwarded-Proto and
	// X-Forwarded-Host are those of links. From other addresses these headers are
	// ignored. Defaults to none.
	TrustProxy []netip.Prefix
	// ListCacheBytes bounds the cache of responses to lists of shipments and
	// containers. A cached response is reused until something in its account changes.
	// 32 MiB suits a server. The cache works only if the Tracker's store is a
	// store.ChangeTracker, such as a SQLite store with a cache. Defaults to 0: no
	// cache.
	ListCacheBytes int64
	// SheetPDF writes a sheet as a PDF, as invoicepdf.Write does. Defaults to nil: sheets
	// are JSON and CSV, and a program needs no library for PDF.
	SheetPDF func(io.Writer, *invoice.Sheet) error
	// WebhookIPs are the addresses that notifications come from.
	WebhookIPs WebhookIPs
	// EventHeartbeat is the time between two signs of life on a stream of events. Defaults
	// to 15 seconds.
	EventHeartbeat time.Duration
	// Clock is the time of rate limits and of the cache of valid keys. Defaults to
	// the system clock.
	Clock tracking.Clock
	// Logger receives internal errors with their request IDs. Defaults to
	// slog.Default().
	Logger *slog.Logger
	// Observe is called with each request when it has been answered, on its
	// goroutine: for access logs and metrics. It must be quick. Defaults to nil.
	Observe func(Exchange)
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (c Config) withDefaults() Config {
	c.Prefix = strings.TrimRight(cmp.Or(c.Prefix, "/v2"), "/")
	c.Limits, c.BodyPace = c.Limits.withDefaults(), c.BodyPace.withDefaults()
	c.TrustProxy = slices.Clone(c.TrustProxy)
	c.BodyBytes = cmp.Or(c.BodyBytes, defaultBodyBytes)
	c.EventHeartbeat = cmp.Or(c.EventHeartbeat, eventHeartbeat)
	if c.Clock == nil {
		c.Clock = systemClock{}
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.WebhookIPs.Since.IsZero() {
		c.WebhookIPs.Since = c.Clock.Now()
	}
	return c
}

func (c Config) validate() error {
	switch {
	case c.Tracker == nil:
		return fmt.Errorf("httpserver: Config.Tracker is nil: set it to what tracking.New returned")
	case c.Prefix != "" && (c.Prefix[0] != '/' || c.Prefix != path.Clean(c.Prefix) || strings.ContainsAny(c.Prefix, "{} \t")):
		return fmt.Errorf("httpserver: Config.Prefix %q must be a plain path such as /v2", c.Prefix)
	case c.EventHeartbeat < time.Millisecond:
		return fmt.Errorf("httpserver: Config.EventHeartbeat must be at least one millisecond")
	case slices.Contains(c.WebhookIPs.Addresses, netip.Addr{}):
		return fmt.Errorf("httpserver: Config.WebhookIPs.Addresses has an invalid address: use netip.ParseAddr")
	}
	if c.PublicURL != "" {
		if _, err := parseOrigin(c.PublicURL); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(c.TrustProxy, func(p netip.Prefix) bool { return !p.IsValid() }) {
		return fmt.Errorf("httpserver: Config.TrustProxy has an invalid network: use netip.ParsePrefix")
	}
	return cmp.Or(c.Limits.validate(), c.BodyPace.validate(), validateBodyBytes(c.BodyBytes))
}

// Server is the interface as an http.Handler.
type Server struct {
	config    Config
	mux       *http.ServeMux
	routes    []Route
	unknown   http.Handler
	limiter   *limiter
	bodies    *bodyBudget
	streams   *eventStreams
	proxies   trustedProxies
	public    origin     // of the configuration; without a host if it names none
	listCache *listCache // nil: no cache
	ready     readiness
	draining  atomic.Bool
	// resourcePaths maps a resource type to the path of its resources, with a final
	// slash that the ID follows.
	resourcePaths map[string]string
	// openAPI returns the OpenAPI document for the prefix, built on first use.
	openAPI func() ([]byte, error)
}

// New returns the handler. It panics if the Config is invalid: that is a bug in the
// program, and no request could succeed.
func New(config Config) *Server {
	config = config.withDefaults()
	if err := config.validate(); err != nil {
		panic(err)
	}
	s := &Server{config: config, mux: http.NewServeMux(), resourcePaths: resourcePaths(config.Prefix)}
	s.proxies = config.TrustProxy
	if config.PublicURL != "" {
		s.public, _ = parseOrigin(config.PublicURL) // it has been validated
	}
	s.bodies, s.streams = newBodyBudget(config.BodyBytes), newEventStreams()
	s.limiter, s.listCache = newLimiter(config), newListCache(config.ListCacheBytes)
	if s.config.Authenticate == nil {
		s.config.Authenticate = newKeyAuthenticator(config, s.limiter).authenticate
	}
	s.ready.check, s.ready.logger = config.Tracker.Ready, config.Logger
	s.openAPI = sync.OnceValues(func() ([]byte, error) { return OpenAPI(s.config.Prefix) })
	s.mount()
	return s
}

// Route is one operation of a Server, for a host that has a mux of its own.
type Route struct {
	// Method is the HTTP method; what serves GET serves HEAD too.
	Method string
	// Path begins with the prefix and names its variables in braces, as
	// http.ServeMux does: "/v2/shipments/{id}".
	Path string
	// Handler serves the operation. It reads the variables with Request.PathValue; a
	// mux other than http.ServeMux must call Request.SetPathValue.
	Handler http.Handler
}

// Pattern is the route as a pattern of http.ServeMux: "GET /v2/shipments/{id}".
func (r Route) Pattern() string { return r.Method + " " + r.Path }

// Routes returns all operations, including /healthz and /readyz. The host then
// answers requests that match no route (404 and 405).
func (s *Server) Routes() []Route { return append([]Route(nil), s.routes...) }

// ServeHTTP serves every operation. Other requests get 404 or 405.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// The mux would redirect an unclean path; this interface has no such path.
	if p := r.URL.Path; p == "" || p[0] != '/' || p != path.Clean(p) {
		s.unknown.ServeHTTP(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// mount registers the routes on the mux. Each path is also registered without a
// method, to answer 405 to all other methods.
func (s *Server) mount() {
	allow := map[string][]string{}
	for i := range routeTable {
		rt := &routeTable[i]
		at := rt.path
		if !rt.atRoot {
			at = s.config.Prefix + at
		}
		s.routes = append(s.routes, Route{Method: rt.method, Path: at, Handler: s.handler(rt, at)})
		allow[at] = append(allow[at], rt.method)
	}
	for _, r := range s.routes {
		s.mux.Handle(r.Pattern(), r.Handler)
	}
	for at := range allow {
		refuse := s.handler(&route{public: !s.within(at), serve: func(req *request) error { return refuseMethod(req, at, allow) }}, at)
		general := generalPath(at, allow)
		if general == "" {
			s.mux.Handle(at, refuse)
		}
		for _, method := range allow[general] {
			if !slices.Contains(allow[at], method) {
				s.mux.Handle(method+" "+at, refuse)
			}
		}
	}
	s.unknown = s.byPlace(&route{serve: refusePath})
	s.mux.Handle("/", s.unknown)
}

// generalPath returns the path with a variable that also matches at:
// /tracking_requests/{id} for /tracking_requests/infer_number. It is empty if there
// is none. The mux does not allow a pattern without a method for such a path, so the
// general path answers the methods that neither has.
func generalPath(at string, paths map[string][]string) string {
	steps := strings.Split(at, "/")
	for general := range paths {
		if general == at || strings.Count(general, "/") != len(steps)-1 {
			continue
		}
		variables := strings.Split(general, "/")
		if slices.EqualFunc(steps, variables, func(step, variable string) bool { return step == variable || variable != "" && variable[0] == '{' }) {
			return general
		}
	}
	return ""
}

// byPlace requires a key for paths below the prefix and none for other paths.
func (s *Server) byPlace(rt *route) http.Handler {
	open := *rt
	open.public = true
	inside, outside := s.handler(rt, ""), s.handler(&open, "")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.within(r.URL.Path) {
			inside.ServeHTTP(w, r)
		} else {
			outside.ServeHTTP(w, r)
		}
	})
}

func (s *Server) within(p string) bool {
	rest, ok := strings.CutPrefix(p, s.config.Prefix)
	return ok && (rest == "" || rest[0] == '/') && !isAtRoot(p)
}
