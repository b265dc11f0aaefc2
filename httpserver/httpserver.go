// Package httpserver serves a Tracker as the JSON:API interface under /v2: the
// routes, what may be sent to each, and how its answers and errors look. It
// holds no rule about freight; those are methods of the Tracker.
//
// # Mounting
//
//	http.Handle("/v2/", httpserver.New(httpserver.Config{Tracker: tr}))
//
// New returns the whole handler. It also answers /healthz and /readyz, outside
// the prefix and without a key; mount it at "/" to have them. A host with its
// own mux takes the parts from Server.Routes. The host sets the time-outs of
// its http.Server; this package bounds sizes, and how slowly a body may come.
//
// Who calls is decided by Config.Authenticate, by default with the header
// "Authorization: Token <key>" against the keys that Tracker.CreateKey made. A
// host that has users of its own gives a function:
//
//	Authenticate: func(r *http.Request) (tracking.Actor, error) {
//		user, ok := sessions.User(r)
//		if !ok {
//			return tracking.Actor{}, &tracking.Error{Kind: tracking.Unauthorized}
//		}
//		return tracking.Actor{Account: user.Account, User: user.ID}, nil
//	},
//
// # Webhooks
//
// Clients that want to be told what changes need not ask for it:
//
//	POST   /webhooks                              subscribe a URL to events
//	GET    /webhooks, /webhooks/{id}              with their secrets
//	PATCH  /webhooks/{id}                         another url, other events or headers; active
//	DELETE /webhooks/{id}
//	POST   /webhooks/{id}/rotate_secret           a new secret, the former one good for a while
//	POST   /webhooks/{id}/recover                 send again what was told in a span of time
//	GET    /webhook_recoveries/{id}               how far that has come
//	GET    /webhooks/events                       what there is to be told of
//	GET    /webhooks/ips                          where notifications come from
//	POST   /webhooks/trigger                      send an example of an event to a URL, once
//	GET    /webhook_notifications                 what was told, and what became of it
//	GET    /webhook_notifications/{id}            include=webhook_notification_logs has every attempt
//	GET    /webhook_notifications/examples        what would be posted for an event
//	POST   /webhook_notifications/{id}/redeliver  send one again
//
// They are served where the Tracker has a master key; what was subscribed is sent
// by a Tracker with a Notifier, such as webhook.New makes, while it runs. Package
// webhook says when and how, and package webhook/signature verifies.
//
// # What the answers promise
//
// An ID of another account, one that never was and one that is no UUID at all
// are answered with the same bytes. Every answer that is no success is an
// errors document; a fault of ours shows a request ID and nothing else.
//
// The ETag of a single resource is its version, for If-Match on a later PATCH,
// and no validator for caches: what is shown beside the record (the events of a
// container) changes without it. Hence no answer is ever 304.
package httpserver

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

// Config is everything that a Server can be given. New copies it.
type Config struct {
	// Tracker is the engine that is served. Required.
	Tracker *tracking.Tracker
	// Authenticate says who sends a request. An *tracking.Error of the kind
	// Unauthorized becomes a 401, any other error is a fault of ours (500). The
	// Actor must name an Account; nil Permissions mean all. Defaults to the keys
	// of the Tracker, in the header "Authorization: Token <key>", with failed
	// attempts limited by address.
	Authenticate func(*http.Request) (tracking.Actor, error)
	// Limits are the rate limits of each account. Defaults to those of the
	// published interface.
	Limits Limits
	// BodyPace is how fast the bodies of requests have to come. Defaults to 4 KiB
	// a second, after 5 seconds for the beginning.
	BodyPace BodyPace
	// Prefix is what the paths of the interface begin with, as clients see
	// them; "/" means nothing. Defaults to "/v2".
	Prefix string
	// TrustProxy believes X-Forwarded-Proto, and the last address of
	// X-Forwarded-For. Set it only behind a proxy that writes both. Defaults to
	// false: then links and failed attempts go by the connection itself.
	TrustProxy bool
	// ListCacheBytes bounds the memory in which answers to lists of shipments and of
	// containers are kept, to be sent again while nothing of their account has
	// changed: 32 MiB is good for a server. Nothing is kept unless the Tracker's
	// store is a store.ChangeTracker, as a SQLite store with a cache is. Defaults
	// to 0: none.
	ListCacheBytes int64
	// WebhookIPs are the addresses that notifications come from.
	WebhookIPs WebhookIPs
	// Clock tells the time for limits and for how long a key is trusted without
	// looking it up again. Defaults to the system's.
	Clock tracking.Clock
	// Logger gets faults of ours, with their request IDs. Defaults to
	// slog.Default().
	Logger *slog.Logger
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (c Config) withDefaults() Config {
	c.Prefix = strings.TrimRight(cmp.Or(c.Prefix, "/v2"), "/")
	c.Limits, c.BodyPace = c.Limits.withDefaults(), c.BodyPace.withDefaults()
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
	case slices.Contains(c.WebhookIPs.Addresses, netip.Addr{}):
		return fmt.Errorf("httpserver: Config.WebhookIPs.Addresses has an address that is none: use netip.ParseAddr")
	}
	return cmp.Or(c.Limits.validate(), c.BodyPace.validate())
}

// Server is the interface as an http.Handler.
type Server struct {
	config    Config
	mux       *http.ServeMux
	routes    []Route
	unknown   http.Handler
	limiter   *limiter
	listCache *listCache // nil: none are kept
	ready     readiness
	// resourcePaths are the paths of the resources by type, each with a slash at its
	// end, where the ID follows.
	resourcePaths map[string]string
	// openAPI is OpenAPI of the prefix, made when it is first asked for.
	openAPI func() ([]byte, error)
}

// New returns the handler. It panics when the Config cannot be served: that is
// a mistake of the program, and no request could ever succeed.
func New(config Config) *Server {
	config = config.withDefaults()
	if err := config.validate(); err != nil {
		panic(err)
	}
	s := &Server{config: config, mux: http.NewServeMux(), resourcePaths: resourcePaths(config.Prefix)}
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
	// Handler serves it. It reads the variables with Request.PathValue; a mux
	// other than http.ServeMux must call Request.SetPathValue.
	Handler http.Handler
}

// Pattern is the route as http.ServeMux takes it: "GET /v2/shipments/{id}".
func (r Route) Pattern() string { return r.Method + " " + r.Path }

// Routes returns the operations one by one, /healthz and /readyz included. What
// no route matches, 404 and 405, is then for the host to answer.
func (s *Server) Routes() []Route { return append([]Route(nil), s.routes...) }

// ServeHTTP serves every operation, and answers what is none with 404 or 405.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// The mux would answer an unclean path with a redirect; here it is no path.
	if p := r.URL.Path; p == "" || p[0] != '/' || p != path.Clean(p) {
		s.unknown.ServeHTTP(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// mount puts the table on the mux. Each path is there without a method too, to
// answer the other methods.
func (s *Server) mount() {
	allow := map[string][]string{}
	for i := range routeTable {
		rt := &routeTable[i]
		at := rt.path
		if !rt.atRoot {
			at = s.config.Prefix + at
		}
		s.routes = append(s.routes, Route{Method: rt.method, Path: at, Handler: s.handler(rt)})
		allow[at] = append(allow[at], rt.method)
	}
	for _, r := range s.routes {
		s.mux.Handle(r.Pattern(), r.Handler)
	}
	for at := range allow {
		refuse := s.handler(&route{public: !s.within(at), serve: func(req *request) error { return refuseMethod(req, at, allow) }})
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

// generalPath finds the path with a variable that is at in one case:
// /tracking_requests/{id} for /tracking_requests/infer_number. The mux takes no
// pattern without a method for such a path, so that the general one answers what
// neither serves. Empty for none.
func generalPath(at string, paths map[string][]string) string {
	steps := strings.Split(at, "/")
	for general := range paths {
		variables := strings.Split(general, "/")
		if general == at || len(variables) != len(steps) {
			continue
		}
		if slices.EqualFunc(steps, variables, func(step, variable string) bool { return step == variable || variable != "" && variable[0] == '{' }) {
			return general
		}
	}
	return ""
}

// byPlace asks for a key within the prefix, where everything needs one, and for
// none outside it, where there is nothing to protect.
func (s *Server) byPlace(rt *route) http.Handler {
	open := *rt
	open.public = true
	inside, outside := s.handler(rt), s.handler(&open)
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
