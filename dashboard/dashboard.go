// Package dashboard serves a Tracker as pages for people: what needs attention, lists of
// shipments, containers, tracking requests and exceptions, and each of them in detail. It has
// no rule about freight: it reads, formats and calls methods of the Tracker.
//
// # Mounting
//
//	http.Handle("/", dashboard.New(dashboard.Config{Tracker: tr}))
//
// People sign in as users of the Tracker, with a password or by an identity provider, or with
// one of its API keys, and have its account and its permissions. The user or the key is checked again with each request,
// so that a session ends with it.
//
// The pages work without script. They are served with a strict Content-Security-Policy, so a
// host cannot add script or style of its own to them. Every text is in catalog/en.json; another
// language is another file there.
package dashboard

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/ratelimit"
)

// Config configures a dashboard. New copies it.
type Config struct {
	// Tracker is the engine, as tracking.New returned it: the operator's, who may check keys.
	// Required.
	Tracker *tracking.Tracker
	// Prefix is the path that all pages are below, as browsers see it. Defaults to "/".
	Prefix string
	// Sessions stores the sessions. Defaults to the store of the Tracker, so that they outlast
	// the process.
	Sessions scs.Store
	// SessionLifetime is how long a session lasts. Defaults to 12 hours.
	SessionLifetime time.Duration
	// Language is the name of a catalogue. Defaults to "en".
	Language string
	// IsHTTPS reports whether the browser uses HTTPS for a request: its cookies are then kept
	// to HTTPS. Defaults to whether the connection is one of TLS.
	IsHTTPS func(*http.Request) bool
	// ClientAddress returns the address of the browser, for the limit of failed attempts to
	// sign in and for the audit log. Defaults to that of the connection.
	ClientAddress func(*http.Request) netip.Addr
	// Origin returns the scheme and the host under which browsers reach the dashboard, such
	// as https://tracking.example.com. Defaults to those of the request.
	Origin func(*http.Request) string
	// OpenID signs people in who are known to an identity provider; nil for none.
	OpenID *OpenID
	// ProxySignIn signs people in whom a proxy has identified; nil for none. Not with OpenID: a
	// user belongs to the person of one of them.
	ProxySignIn *ProxySignIn
	// Federation says what people may do who sign in by OpenID or ProxySignIn.
	Federation Federation
	// OpenAPI returns the description of the interface over HTTP, as httpserver.Server.OpenAPI
	// does. It is shown to everybody at /docs, and called once, by the first request for that.
	// Nil for none.
	OpenAPI func() ([]byte, error)
	// Ending is closed when the server is about to end: the streams of open pages, which
	// have no end of their own, end then. Nil for never.
	Ending <-chan struct{}
	// Clock is the time that pages are made for, such as what "this week" is. Defaults to the
	// system clock.
	Clock tracking.Clock
	// Logger receives internal errors. Defaults to slog.Default().
	Logger *slog.Logger
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (c Config) withDefaults() Config {
	c.Prefix = strings.TrimRight(cmp.Or(c.Prefix, "/"), "/")
	c.SessionLifetime = cmp.Or(c.SessionLifetime, 12*time.Hour)
	c.Language = cmp.Or(c.Language, "en")
	if c.Sessions == nil && c.Tracker != nil {
		c.Sessions = sessionStore{c.Tracker.Sessions()}
	}
	if c.IsHTTPS == nil {
		c.IsHTTPS = func(r *http.Request) bool { return r.TLS != nil }
	}
	if c.ClientAddress == nil {
		c.ClientAddress = connectionAddress
	}
	if c.Origin == nil {
		c.Origin = c.requestOrigin
	}
	if c.OpenID != nil {
		completed := c.OpenID.withDefaults()
		c.OpenID = &completed
	}
	if c.Clock == nil {
		c.Clock = systemClock{}
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
}

func connectionAddress(r *http.Request) netip.Addr {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	addr, _ := netip.ParseAddr(host) // the zero Addr if it is unknown
	return addr.Unmap()
}

func (c Config) validate() error {
	if c.OpenID != nil && c.ProxySignIn != nil {
		return errors.New("dashboard: Config.OpenID and Config.ProxySignIn are both set: choose one, since a user belongs to the person of one of them")
	}
	if c.OpenID != nil {
		if err := c.OpenID.Validate(); err != nil {
			return fmt.Errorf("dashboard: Config.OpenID: %w", err)
		}
	}
	switch {
	case c.Tracker == nil:
		return fmt.Errorf("dashboard: Config.Tracker is nil: set it to what tracking.New returned")
	case c.Prefix != "" && (c.Prefix[0] != '/' || c.Prefix != path.Clean(c.Prefix) || strings.ContainsAny(c.Prefix, "{} \t")):
		return fmt.Errorf("dashboard: Config.Prefix %q must be a plain path such as /dashboard", c.Prefix)
	case c.SessionLifetime < time.Minute:
		return fmt.Errorf("dashboard: Config.SessionLifetime %s is less than a minute", c.SessionLifetime)
	}
	return cmp.Or(c.ProxySignIn.validate(), c.Federation.validate())
}

// handler is the dashboard.
type handler struct {
	Config
	mux *http.ServeMux
	// plain and secure are the sessions of browsers that use HTTP and HTTPS.
	plain, secure *scs.SessionManager
	failures      ratelimit.Windows
	visits        ratelimit.Windows // openings of share links
	calendarRows  int               // the most rows of a calendar
	provider      provider
	live          *hub
	texts         catalog
	pages         pages
	sent          sentForms
	reference     func() (reference, error)
	// running is the work that is under way, by ID.
	running sync.Map
	waiting waitingRows
}

// New returns the dashboard. It panics if the Config is invalid: that is a bug in the
// program, and no request could succeed.
func New(config Config) http.Handler {
	h := newHandler(config)
	return h.secured(h.mux)
}

func newHandler(config Config) *handler {
	config = config.withDefaults()
	if err := config.validate(); err != nil {
		panic(err)
	}
	texts, err := readCatalog(config.Language)
	if err != nil {
		panic(err)
	}
	h := &handler{
		Config: config, mux: http.NewServeMux(), texts: texts,
		plain: newSessions(config, false), secure: newSessions(config, true), failures: config.Tracker.Windows("failed_sign_ins", failureWindow), visits: config.Tracker.Windows("shared_visits", sharedWindow), calendarRows: maxCalendarRows, live: newHub(),
	}
	if _, err := config.Tracker.Watch(h.live.changed); err != nil {
		panic(err)
	}
	h.reference = sync.OnceValues(h.readReference)
	h.pages = h.newPages()
	h.mount()
	return h
}

// route is one address of the dashboard.
type route struct {
	pattern string // of http.ServeMux, without the prefix
	// permission that the session must have. Public routes need no session.
	permission tracking.Permission
	public     bool
	// shared: the answer has nothing of the dashboard around it, and the route gets all methods.
	shared bool
	// posts: a shared route that gets POST too.
	posts bool
	// files: its form may have files, which serve reads by nextFile.
	files bool
	serve func(*request) error
}

// routes are all addresses but those of static files. Each area has its own list, in its first file.
func routes() []route {
	return slices.Concat(
		signInRoutes(),
		openIDRoutes(),
		todayRoutes(),
		listRoutes(),
		trackRoutes(),
		shipmentRoutes(),
		containerRoutes(),
		settingsRoutes(),
		documentRoutes(),
		referenceRoutes(),
		sheetRoutes(),
		bulkRoutes(),
		liveRoutes(),
	)
}

func (h *handler) mount() {
	allowed := map[string][]string{}
	for _, rt := range routes() {
		method, at, _ := strings.Cut(rt.pattern, " ")
		if rt.shared {
			h.mux.Handle(h.Prefix+at, h.serveShared(rt))
			continue
		}
		allowed[at] = append(allowed[at], method)
		h.mux.Handle(method+" "+h.Prefix+at, h.serve(rt))
	}
	h.mux.Handle("GET "+h.Prefix+"/static/{file}", http.HandlerFunc(serveAsset))
	for at, methods := range allowed {
		h.mux.Handle(h.Prefix+at, h.serve(route{public: true, serve: func(req *request) error {
			req.w.Header().Set("Allow", strings.Join(methods, ", "))
			return &pageError{http.StatusMethodNotAllowed, req.texts.get("error.method")}
		}}))
	}
	h.mux.Handle("/", h.serve(route{public: true, serve: func(req *request) error { return req.notFound() }}))
}
