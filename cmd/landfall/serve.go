package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unicode"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/cmd/landfall/metrics"
	"github.com/landfallhq/tracking/dashboard"
	"github.com/landfallhq/tracking/freetime/invoice/invoicepdf"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/internal/searoute"
	"github.com/landfallhq/tracking/mcpserver"
	"github.com/landfallhq/tracking/password"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/source/sandbox"
	"github.com/landfallhq/tracking/webhook"
)

var serveCommand = command{
	name:  "serve",
	about: "serve the API over HTTP",
	details: `
Prints "landfall: serving http://ADDR/v2" when it is ready, and the address of the
dashboard, whose users sign in with a password or an API key. The account "default" is
created if it does not exist. As long as there is no API key, the command that makes
one is printed too; --demo prints a key. As long as no user can sign in, a link is
printed that works once, and makes its visitor the administrator of "default".

The shipping lines that are asked are those of --config, and with --sandbox or --demo
the line TEST. Without any, tracking requests wait until facts about their numbers
are reported or imported, and expire after seven days.

Rate limits are requests in a rolling minute, per account; 0 means no limit.

The file of --config can also have a member "carriers": the shipping lines to ask
through their DCSA APIs, by SCAC. See docs/carriers.md; landfall simulate-carrier
prints an example.

The secrets of webhooks are encrypted with the master key in LANDFALL_MASTER_KEY, or else
in a file next to the database. LANDFALL_OLD_MASTER_KEYS has former ones, separated by commas.

Sockets that systemd passes (LISTEN_FDS) replace the addresses of flags: those named
http-addr and admin-addr these, another one --addr.

SIGTERM and SIGINT shut the server down gracefully: running requests are answered,
/readyz returns 503 meanwhile, and the exit code is 0. A second signal ends it
immediately.`,
	declare: func(f *flags) action {
		s, db := declareServer(f)
		return func(ctx context.Context, p *program, _ []string) error {
			if _, _, err := net.SplitHostPort(s.addr); err != nil {
				return usageErrorf("--addr: %q is not HOST:PORT: write 127.0.0.1:8080, or :8080 for all addresses", s.addr)
			}
			s.program, s.db = p, *db
			s.log, s.accessLog = s.logs.open(p.stderr)
			if s.demo && !f.given("db") {
				dir, err := os.MkdirTemp("", "landfall-demo-")
				if err != nil {
					return err
				}
				s.temporary, s.db = dir, filepath.Join(dir, "landfall.db")
				defer s.removeTemporary()
			}
			err := s.run(ctx)
			if ctx.Err() != nil && errors.Is(err, context.Canceled) {
				return nil // the signal came during startup
			}
			return err
		}
	},
}

// declareServer declares the flags of a server, with their defaults.
func declareServer(f *flags) (s *server, db *string) {
	s = &server{rates: rates{standard: 100, create: 100, infer: 200, refresh: 10}, cache: 64 << 20, answers: 32 << 20}
	f.StringVar(&s.addr, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 picks a free port")
	db = f.database()
	f.carriers = &s.carriers
	f.Var(&s.cache, "cache", "`SIZE` of the record cache; 0 means none")
	f.Var(&s.answers, "answers", "`SIZE` of the cache of list responses, which needs the record cache; 0 means none")
	f.BoolVar(&s.demo, "demo", false, "track 26 sandbox voyages, with tariffs and a year of history, in a temporary database unless --db is set")
	f.BoolVar(&s.sandbox, "sandbox", false, "accept the numbers of the sandbox, shipping line TEST")
	f.BoolVar(&s.pages, "dashboard", true, "serve pages for people at /, next to the API; false for the API alone")
	f.BoolVar(&s.mcp, "mcp", true, "serve the tools for assistants at /mcp (Model Context Protocol); false for none")
	f.Var(&s.rates.standard, "rate-default", "`N` requests per minute for everything without its own limit")
	f.Var(&s.rates.create, "rate-create", "`N` tracking requests per minute")
	f.Var(&s.rates.infer, "rate-infer", "`N` number inferences per minute")
	f.Var(&s.rates.refresh, "rate-refresh", "`N` container refreshes per minute")
	s.trackingSettings.declare(f)
	s.webhooks.declare(f)
	s.mails.declare(f)
	s.documents.declare(f)
	s.proxies.declare(f)
	s.signIn.declare(f)
	s.connections.declare(f)
	s.memory.declare(f)
	s.tls.declare(f)
	s.logs.declare(f)
	f.BoolVar(&s.recordEvents, "record-events", false, "record the events of all accounts for GET /v2/events, not only of those that have read them")
	f.DurationVar(&s.auditRetention, "audit-retention", defaultAuditRetention, "`DURATION` for which the audit log is kept; at least 1h")
	f.StringVar(&s.adminAddr, "admin-addr", "", "`HOST:PORT` for operators alone, without a key: /metrics, /healthz, /readyz and profiles under /debug/pprof/")
	s.backups.declare(f)
	return s, db
}

const (
	// gcPercent trades memory for time: the live heap is small compared to the
	// garbage of requests. GOGC overrides it.
	gcPercent = 400

	// drainNotice is how long the server keeps serving after the signal, with
	// /readyz failing: kept-alive connections are closed with the response to their
	// next request instead of during it.
	drainNotice = 500 * time.Millisecond
	// pendingTime is how long open connections have to send their request.
	pendingTime = 500 * time.Millisecond
	// drainTime is how long running requests may take to end. With the times above
	// it is less than the 30 seconds that supervisors usually wait. Running webhook
	// deliveries end in the same time.
	drainTime = 23 * time.Second

	defaultAccount = "default"
)

// server is one run of the command serve.
type server struct {
	*program
	log, accessLog   *slog.Logger // accessLog is nil for none
	addr, db         string
	demo, sandbox    bool
	pages            bool // serve the dashboard
	mcp              bool // serve assistants
	rates            rates
	cache            size
	answers          size
	carriers         carriers
	trackingSettings trackingSettings
	webhooks         webhookSettings
	mails            mailSettings
	documents        documentSettings
	proxies          proxySettings
	signIn           signInSettings
	connections      connectionSettings
	memory           memorySettings
	tls              tlsSettings
	logs             logSettings
	backups          backupSettings
	adminAddr        string
	recordEvents     bool
	auditRetention   time.Duration
	keys             masterKeys
	sockets          passedSockets
	demoClock        demoClock
	clock            tracking.Clock // nil for the system clock
	temporary        string         // directory to remove at the end; empty for none

	store     tracking.Store
	tracker   *tracking.Tracker // the operator's
	callbacks http.Handler      // of carriers; nil if none are configured
	metrics   *metrics.Metrics  // nil without --admin-addr
	clients   *connections
	pending   pendingConns
	api       *httpserver.Server
	draining  atomic.Bool
	ending    chan struct{} // closed when draining

	certificates *certificates // nil for plain HTTP
	plain, admin *sideServer   // nil for none
}

// rates are the requests of an account in a rolling minute; 0 means no limit.
type rates struct{ standard, create, infer, refresh limit }

// limits converts to the limits of httpserver, where 0 means the default.
func (r rates) limits() httpserver.Limits {
	n := func(l limit) int {
		if l == 0 {
			return -1
		}
		return int(l)
	}
	return httpserver.Limits{Default: n(r.standard), Create: n(r.create), Infer: n(r.infer), Refresh: n(r.refresh)}
}

// run serves until ctx ends.
func (s *server) run(ctx context.Context) (err error) {
	s.exitOnSecondSignal()
	slog.SetDefault(s.log)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if s.sockets, err = takeSockets(); err != nil {
		return err
	}
	s.sockets.replace("http-addr", &s.tls.httpAddr)
	s.sockets.replace("admin-addr", &s.adminAddr)
	sources, deliveries, err := s.checkSettings()
	if err != nil {
		return err
	}
	s.memory.apply(s.log, s.getenv)
	if s.keys, err = s.masterKeys(); err != nil {
		return err
	}
	s.clients = &connections{connectionSettings: s.connections, trusted: s.proxies.trusted, log: s.log}
	s.metrics = s.newMetrics(sources)
	store, unlock, err := s.openForServer(s.db, s.storageOptions())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	s.store = store
	var positions tracking.Positions
	if s.demo {
		positions = sandbox.Positions{} // must not be taken for real ones
		s.clock = &s.demoClock
	}
	passwords, err := password.New(password.Config{})
	if err != nil {
		return errors.Join(err, store.Close())
	}
	config := tracking.Config{
		Store: store, Passwords: passwords, Positions: positions, Sources: sources, SourceTimeout: s.carriers.sourceTimeout(), Logger: s.log,
		RefreshEvery: s.trackingSettings.every, Refresh: s.trackingSettings.refresh, StopWindows: s.trackingSettings.stop, AvoidPassages: s.trackingSettings.avoid,
		Notifier: webhook.New(s.webhooks.config()), Delivery: s.webhooks.delivery,
		RecordEvents: s.recordEvents, AuditRetention: s.auditRetention, Clock: s.clock,
	}
	s.mails.configure(&config)
	endDocuments, err := s.documents.configure(ctx, s.db, &config)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	defer func() { err = errors.Join(err, endDocuments()) }()
	s.measure(&config)
	if s.tracker, err = s.keys.open(s.db, config); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.tracker.Close()) }()
	if s.callbacks, err = s.receiver(ctx, deliveries); err != nil {
		return err
	}

	// The port is opened before the key is created: the key is shown only once, so
	// a server that cannot listen must not create it.
	if s.certificates, err = s.tls.open(s.db, s.log); err != nil {
		return err
	}
	if s.plain, err = s.sockets.listenAside(ctx, "http-addr", s.tls.httpAddr, s.clients, s.log); err != nil {
		return err
	}
	defer s.plain.close()
	if s.admin, err = s.sockets.listenAside(ctx, "admin-addr", s.adminAddr, operatorConnections(s.log), s.log); err != nil {
		return err
	}
	defer s.admin.close()
	listener, err := s.sockets.listen(ctx, "addr", s.addr, s.clients)
	if err != nil {
		return err
	}
	defer listener.Close() // Serve closes it too; this is for failures before it
	if s.demo {
		if err := s.startDemoHistory(ctx); err != nil {
			return err
		}
	}
	account, key, err := s.firstUse(ctx)
	if err != nil {
		return err
	}
	hint, err := s.keyHint(ctx)
	if err != nil {
		return err
	}
	return s.serve(ctx, listener, func(base string) error {
		// In one write, so that a reader of the first line gets the second.
		text := fmt.Sprintf("landfall: serving %s\n", base)
		if key != "" {
			text += fmt.Sprintf("landfall: API key %s\n", key)
		}
		if s.pages {
			text += fmt.Sprintf("landfall: dashboard %s/\n", strings.TrimSuffix(base, "/v2"))
		}
		link, err := s.firstLink(ctx, account, base)
		if err != nil {
			return err
		}
		fmt.Fprint(s.stdout, text+link+hint)
		if s.temporary == "" {
			s.keys.logCreated(s.log)
		}
		s.logSources(sources)
		s.log.Info("serving", "url", base, "version", version())
		notifySystemd(s.log, daemon.SdNotifyReady)
		if !s.demo {
			return nil
		}
		return s.startDemo(ctx, account, base, key)
	})
}

// checkSettings checks the configuration, before the database is opened.
func (s *server) checkSettings() (tracking.Sources, []delivery, error) {
	sources, err := s.sources()
	if err != nil {
		return nil, nil, err
	}
	deliveries, err := s.carriers.deliveries(s.getenv)
	if err != nil {
		return nil, nil, err
	}
	return sources, deliveries, errors.Join(s.trackingSettings.check(), s.webhooks.check(), s.mails.check(s.program, string(s.proxies.public), s.pages), s.documents.check(), s.connections.resolve(descriptorLimit()), s.memory.check(), s.tls.check(), s.signIn.check(s.program, s.proxies.trusted), s.checkAdmin(), s.checkAudit(), s.backups.check(s.db))
}

// serve runs the HTTP server and the background work until ctx ends, and drains
// them. ready is called when the server listens.
func (s *server) serve(ctx context.Context, listener *listener, ready func(base string) error) error {
	s.ending = make(chan struct{})
	handler, err := s.handler()
	if err != nil {
		return err
	}
	hs := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    32 << 10,
		ConnState:         s.pending.note,
		ConnContext:       withConnection,
		ErrorLog:          log.New(serverLog{s.log}, "", 0),
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
	}
	// The background work ends after ctx: running deliveries finish first.
	working, endWork := context.WithCancel(context.WithoutCancel(ctx))
	scheme, served := s.startHTTP(working, hs, listener)
	s.startAdmin(handler)
	go returnMemory(working)
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		if err := s.tracker.Run(working); err != nil {
			s.log.Error("background work ended", "error", err)
		}
	}()
	backedUp := s.backups.start(working, s.store, s.db, cmp.Or(s.documents.blobs, defaultBlobs(s.db)), s.log)
	defer func() {
		endWork()
		<-worked
		backedUp()
	}()

	if err := ready(scheme + "://" + listener.Addr().String() + "/v2"); err != nil && ctx.Err() == nil {
		return errors.Join(err, hs.Close())
	}
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	endWork() // concurrently with the requests
	return s.drain(hs, listener, served)
}

// startHTTP serves the interface, by HTTPS if there are certificates. served gets the
// error that ended it.
func (s *server) startHTTP(ctx context.Context, hs *http.Server, l *listener) (scheme string, served <-chan error) {
	ended := make(chan error, 1)
	if s.certificates == nil {
		go func() { ended <- hs.Serve(l) }()
		return "http", ended
	}
	hs.TLSConfig = s.certificates.config
	go func() { ended <- hs.ServeTLS(l, "", "") }()
	if s.plain != nil {
		s.log.Info("redirecting to HTTPS", "url", "http://"+s.plain.listener.Addr().String())
		s.plain.start(s.certificates.plain)
	}
	if s.certificates.keep != nil {
		go s.certificates.keep(ctx)
	}
	return "https", ended
}

// maxStreams is how many requests one connection of HTTP/2 may have at one time.
const maxStreams = 100

// checkAudit validates --audit-retention.
func (s *server) checkAudit() error {
	if s.auditRetention < time.Hour {
		return usageErrorf("--audit-retention: %s is less than 1h", s.auditRetention)
	}
	return nil
}

// checkAdmin validates --admin-addr.
func (s *server) checkAdmin() error {
	if _, _, err := net.SplitHostPort(s.adminAddr); s.adminAddr != "" && err != nil {
		return usageErrorf("--admin-addr: %q is not HOST:PORT", s.adminAddr)
	}
	return nil
}

// startAdmin serves --admin-addr, if it is set.
func (s *server) startAdmin(api http.Handler) {
	if s.admin == nil {
		return
	}
	at := s.admin.listener.Addr()
	s.log.Info("serving operators", "url", "http://"+at.String())
	if !isLoopback(at) {
		s.log.Warn("--admin-addr can be reached from other machines and asks for no key: allow only operators there", "address", at.String())
	}
	s.admin.start(adminHandler(api, s.metrics.Handler()))
}

// serverLog logs what net/http reports. Failed handshakes are not shown: scanners of
// the internet cause them all day.
type serverLog struct{ log *slog.Logger }

func (l serverLog) Write(line []byte) (int, error) {
	level, text := slog.LevelWarn, string(line)
	if strings.Contains(text, "TLS handshake error") {
		level = slog.LevelDebug
	}
	l.log.Log(context.Background(), level, strings.TrimSuffix(text, "\n"))
	return len(line), nil
}

// drain waits for running requests, and for those on their way: Shutdown alone
// would reset connections that are not accepted yet.
func (s *server) drain(hs *http.Server, listener *listener, served <-chan error) error {
	s.draining.Store(true)
	close(s.ending)
	s.api.Drain()
	s.log.Info("draining")
	notifySystemd(s.log, daemon.SdNotifyStopping)
	time.Sleep(drainNotice)
	if err := listener.stop(); err != nil {
		return errors.Join(err, hs.Close())
	}
	if err := <-served; !errors.Is(err, net.ErrClosed) {
		s.log.Warn("listener ended", "error", err)
	}
	// From here on there are no new connections.
	s.pending.wait(pendingTime)
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	if err := hs.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("requests were still running after %s: %w", drainTime, err), hs.Close())
	}
	s.log.Info("drained")
	return nil
}

// handler serves the API and the callbacks of carriers, and reports draining.
func (s *server) handler() (http.Handler, error) {
	s.api = httpserver.New(httpserver.Config{
		Tracker: s.tracker, Limits: s.rates.limits(), Logger: s.log, ListCacheBytes: int64(s.answers),
		WebhookIPs: httpserver.WebhookIPs{Addresses: s.webhooks.ips},
		BodyBytes:  int64(s.memory.bodies),
		PublicURL:  string(s.proxies.public), TrustProxy: s.proxies.trusted,
		Observe:  s.requestObserver(),
		SheetPDF: invoicepdf.Write,
	})
	callbacks := s.observed(s.callbacks)
	served, err := s.dashboard()
	if err != nil {
		return nil, err
	}
	pages := s.observed(served)
	tools, err := s.assistants()
	if err != nil {
		return nil, err
	}
	return s.counted(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		closeAmbiguous(w, r)
		if s.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		if callbacks != nil && strings.HasPrefix(r.URL.Path, dcsa.CallbackPath) {
			callbacks.ServeHTTP(w, r)
			return
		}
		if tools != nil && path.Clean(r.URL.Path) == mcpPath {
			tools.ServeHTTP(w, r)
			return
		}
		if pages != nil && !s.api.Serves(path.Clean(r.URL.Path)) {
			pages.ServeHTTP(w, r)
			return
		}
		s.api.ServeHTTP(w, r)
	})), nil
}

// mcpPath is where assistants reach the server.
const mcpPath = "/mcp"

// assistants returns the tools for assistants; nil for none. They call the interface with the
// key of each request.
func (s *server) assistants() (http.Handler, error) {
	if !s.mcp {
		return nil, nil //nolint:nilnil // there is nothing to mount
	}
	tools, err := mcpserver.New(mcpserver.Config{
		URL: "http://localhost/v2", Transport: mcpserver.InProcess(s.api), Version: release(), Clock: s.clock, Logger: s.log,
	})
	if err != nil {
		return nil, err
	}
	return s.observed(tools.Handler()), nil
}

// dashboard returns the pages for people; nil for none.
func (s *server) dashboard() (http.Handler, error) {
	if !s.pages {
		return nil, nil //nolint:nilnil // there is nothing to mount
	}
	config := dashboard.Config{Tracker: s.tracker, Clock: s.clock, Logger: s.log, IsHTTPS: s.api.IsHTTPS, ClientAddress: s.api.ClientAddress, Origin: s.api.Origin, OpenAPI: s.api.OpenAPI, Ending: s.ending}
	if err := s.signIn.apply(&config, s.program, s.proxies); err != nil {
		return nil, err
	}
	return dashboard.New(config), nil
}

// sources returns the shipping lines that can be asked.
func (s *server) sources() (tracking.Sources, error) {
	sources, err := s.carriers.sources(s.getenv)
	if err != nil {
		return nil, err
	}
	if s.sandbox || s.demo {
		if sources[sandbox.SCAC] != nil {
			return nil, errors.New("carriers." + sandbox.SCAC + ": the sandbox uses this SCAC: enable only one of them")
		}
		sources[sandbox.SCAC] = sandbox.New(sandbox.Config{})
	}
	return sources, nil
}

// receiver returns the handler of the carriers' callbacks; nil if there are none.
func (s *server) receiver(ctx context.Context, deliveries []delivery) (http.Handler, error) {
	if len(deliveries) == 0 {
		return nil, nil //nolint:nilnil // there is nothing to mount
	}
	config := dcsa.CallbackConfig{Logger: s.log}
	for _, d := range deliveries {
		account, _, err := s.tracker.EnsureAccount(ctx, d.account)
		if err != nil {
			return nil, fmt.Errorf("carriers.%s: callback %q: account: %w", d.SCAC, d.Name, err)
		}
		if !account.ClosedAt.IsZero() {
			return nil, fmt.Errorf("carriers.%s: callback %q: account %q is closed: reopen it, or use another", d.SCAC, d.Name, account.Name)
		}
		d.Tracker = s.tracker.For(tracking.Actor{Account: account.Scope(), Permissions: []tracking.Permission{tracking.Update}})
		config.Callbacks = append(config.Callbacks, d.Callback)
	}
	handler, err := dcsa.NewCallbacks(config)
	if err != nil {
		return nil, fmt.Errorf("carriers: %s", asConfigError(err))
	}
	return handler, nil
}

// firstUse creates the default account, and a key where no command could make one that
// is of use: for a demo, whose earlier keys cannot be shown again, and for a database
// that only this process has. Other keys are not printed: standard output often goes to
// a journal.
func (s *server) firstUse(ctx context.Context) (account *tracking.Account, key string, err error) {
	account, _, err = s.tracker.EnsureAccount(ctx, defaultAccount)
	if err != nil || !s.demo && !isMemory(s.db) {
		return account, "", err
	}
	key, _, err = s.tracker.CreateKey(ctx, tracking.NewKey{Account: account.Scope()})
	return account, key, err
}

// keyHint returns a line with the command that makes a key; empty if an account has
// one. A revoked key counts: its account had one to use.
func (s *server) keyHint(ctx context.Context) (string, error) {
	accounts, err := s.tracker.Accounts(ctx)
	if err != nil {
		return "", err
	}
	for _, a := range accounts {
		if keys, err := s.tracker.Keys(ctx, a.Scope()); err != nil || len(keys) > 0 {
			return "", err
		}
	}
	return fmt.Sprintf("landfall: there is no API key yet; make one with: landfall keys create --account %s --db %s\n", defaultAccount, shellWord(shown(s.db))), nil
}

// shellWord quotes a word for a shell if that is needed.
func shellWord(s string) string {
	if !strings.ContainsFunc(s, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("/._-+:@%,=", c)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// logSources logs which lines are asked. A server without any looks as if it worked
// until the first tracking requests expire.
func (s *server) logSources(sources tracking.Sources) {
	if len(sources) == 0 {
		s.log.Warn("no shipping line is connected: nobody is asked about tracking requests, and they expire unless facts about their numbers are reported or imported. Connect carriers with --config, or try --sandbox")
		return
	}
	s.log.Info("asking shipping lines", "scacs", strings.Join(slices.Sorted(maps.Keys(sources)), ","))
}

// exitOnSecondSignal ends the process when a second signal comes; the first one
// ends the context of run.
func (s *server) exitOnSecondSignal() {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		<-signals
		<-signals
		s.removeTemporary()
		os.Exit(1)
	}()
}

// removeTemporary removes the database of a demo.
func (s *server) removeTemporary() {
	if s.temporary == "" {
		return
	}
	if err := os.RemoveAll(s.temporary); err != nil {
		s.log.Warn("the demo database could not be removed", "directory", s.temporary, "error", err)
	}
}

// trackingSettings holds how often and how long shipments are tracked. The defaults are
// those of the engine.
type trackingSettings struct {
	every   time.Duration
	refresh tracking.RefreshIntervals
	stop    tracking.StopWindows
	avoid   passageList
}

// passageList is a list of canals and straits: suez,panama.
type passageList []string

func (l *passageList) String() string { return strings.Join(*l, ",") }

func (l *passageList) Set(s string) error {
	var list passageList
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for _, name := range list {
		if err := searoute.Check(searoute.Passage(name)); err != nil {
			return err
		}
	}
	*l = list
	return nil
}

// declare declares the flags.
func (w *trackingSettings) declare(f *flags) {
	f.DurationVar(&w.every, "refresh-every", 6*time.Hour, "`DURATION` between two requests to a carrier about a shipment; the defaults of the other --refresh flags are multiples of it")
	f.DurationVar(&w.refresh.Far, "refresh-far", 0, "`DURATION` between requests while the ship is far from its next call; 0 means twice --refresh-every")
	f.DurationVar(&w.refresh.Near, "refresh-near", 0, "`DURATION` between requests in the days before arrival; 0 means a third of --refresh-every")
	f.DurationVar(&w.refresh.AtTerminal, "refresh-at-terminal", 0, "`DURATION` between requests while the container is at the terminal; 0 means a sixth of --refresh-every")
	f.DurationVar(&w.refresh.Out, "refresh-out", 0, "`DURATION` between requests after full out until empty return; 0 means four times --refresh-every")
	f.Var(&w.avoid, "avoid-passages", "`LIST` of canals and straits that the ships on maps avoid, such as suez,bab_el_mandeb; another name is refused with all of them")
	f.DurationVar(&w.stop.Arrival, "stop-after-arrival", 0, "`DURATION` after which a shipment with a container that was not picked up is no longer tracked; 0 means 1344h (56 days), a negative value never")
	f.DurationVar(&w.stop.FullOut, "stop-after-full-out", 0, "`DURATION` after which a shipment with a container that was not returned empty is no longer tracked; 0 means 1344h (56 days), a negative value never")
	f.DurationVar(&w.stop.NoUpdates, "stop-after-silence", 0, "`DURATION` after which a shipment without news is no longer tracked; 0 means 1344h (56 days), a negative value never")
}

// check refuses intervals at which no carrier could be asked.
func (w *trackingSettings) check() error {
	if w.every <= 0 {
		return usageErrorf("--refresh-every: %s is not more than 0: write a duration such as 6h", w.every)
	}
	for name, interval := range map[string]time.Duration{
		"far": w.refresh.Far, "near": w.refresh.Near, "at-terminal": w.refresh.AtTerminal, "out": w.refresh.Out,
	} {
		if interval < 0 {
			return usageErrorf("--refresh-%s: %s is less than 0: write a duration such as 6h, or 0 for the default", name, interval)
		}
	}
	return nil
}
