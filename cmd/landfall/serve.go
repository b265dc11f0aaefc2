package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/source/sandbox"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/webhook"
)

var serveCommand = command{
	name:  "serve",
	about: "serve the interface over HTTP",
	details: `
Prints "landfall: serving http://ADDR/v2" when it listens. On the first use of a
database it makes the account "default" and prints an API key for it, once.

The rate limits are requests in a rolling minute, per account; 0 means none.

The file named by --config may have a member more: "carriers", the shipping
lines that are asked over their DCSA interfaces, by SCAC. docs/carriers.md tells
of it, and landfall simulate-carrier prints one to try.

SIGTERM and SIGINT end it in order: requests that are under way are answered,
/readyz says 503 meanwhile, and the exit code is 0. A second signal ends it at
once.`,
	declare: func(f *flags) action {
		s := server{rates: rates{standard: 100, create: 100, infer: 200, refresh: 10}, cache: 64 << 20, answers: 32 << 20}
		f.StringVar(&s.addr, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 takes a free one")
		db := f.database()
		f.carriers = &s.carriers
		f.Var(&s.cache, "cache", "`SIZE` of the memory for records that were read; 0 for none")
		f.Var(&s.answers, "answers", "`SIZE` of the memory for lists that were answered; 0 for none. They need the cache")
		f.BoolVar(&s.demo, "demo", false, "track a fleet of 20 sandbox voyages, in a temporary database unless --db is given")
		f.BoolVar(&s.sandbox, "sandbox", false, "accept the sandbox's numbers, shipping line TEST")
		f.Var(&s.rates.standard, "rate-default", "`N` requests a minute for whatever has no limit of its own")
		f.Var(&s.rates.create, "rate-create", "`N` tracking requests a minute")
		f.Var(&s.rates.infer, "rate-infer", "`N` number inferences a minute")
		f.Var(&s.rates.refresh, "rate-refresh", "`N` container refreshes a minute")
		s.following.declare(f)
		s.webhooks.declare(f)
		s.documents.declare(f)
		return func(ctx context.Context, p *program, _ []string) error {
			if _, _, err := net.SplitHostPort(s.addr); err != nil {
				return badUsage("--addr: %q is not HOST:PORT", s.addr)
			}
			s.program, s.log, s.db = p, newLogger(p), *db
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
				return nil // the signal came while it was starting
			}
			return err
		}
	},
}

const (
	// gcPercent trades memory for time: the live heap is small beside what
	// requests leave behind. GOGC overrides it.
	gcPercent = 400

	// drainNotice is how long the server goes on as usual, but for /readyz,
	// after the signal: connections that are kept alive are closed with the
	// answer to their next request rather than under it.
	drainNotice = 500 * time.Millisecond
	// arrivalTime is how long connections that are there have to bring their
	// request.
	arrivalTime = 500 * time.Millisecond
	// drainTime is how long requests that are under way may take to end: with
	// the above less than the 30 seconds that supervisors usually wait. Deliveries
	// of webhooks that are under way end in the same time.
	drainTime = 23 * time.Second

	defaultAccount = "default"
)

// server is one run of the command serve.
type server struct {
	*program
	log           *slog.Logger
	addr, db      string
	demo, sandbox bool
	rates         rates
	cache         size
	answers       size
	carriers      carriers
	following     following
	webhooks      webhookSettings
	documents     documentSettings
	keys          masterKeys
	temporary     string // directory to be removed at the end; empty for none

	tracker   *tracking.Tracker // the operator's
	callbacks http.Handler      // of the carriers; nil when none has any
	arrivals  arrivals
	draining  atomic.Bool
}

// rates are the requests that an account has in a rolling minute; 0 for no limit.
type rates struct{ standard, create, infer, refresh limit }

// limits says the same to the HTTP server, where 0 means the default.
func (r rates) limits() httpserver.Limits {
	n := func(l limit) int {
		if l == 0 {
			return -1
		}
		return int(l)
	}
	return httpserver.Limits{Default: n(r.standard), Create: n(r.create), Infer: n(r.infer), Refresh: n(r.refresh)}
}

// run serves until ctx ends, which a signal makes it do.
func (s *server) run(ctx context.Context) (err error) {
	s.exitOnSecondSignal()
	slog.SetDefault(s.log)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	// All that the configuration can be wrong in comes before the database.
	sources, err := s.sources()
	if err != nil {
		return err
	}
	deliveries, err := s.carriers.deliveries(s.getenv)
	if err != nil {
		return err
	}
	if err := errors.Join(s.webhooks.check(), s.documents.check()); err != nil {
		return err
	}
	if s.keys, err = s.masterKeys(); err != nil {
		return err
	}
	store, unlock, err := openServed(s.db, storage.Options{CacheBytes: int64(s.cache)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	var positions tracking.Positions
	if s.demo {
		positions = sandbox.Positions{} // nobody must take them for real
	}
	config := tracking.Config{
		Store: store, Positions: positions, Sources: sources, SourceTimeout: s.carriers.sourceTimeout(), Logger: s.log,
		RefreshEvery: s.following.every, Refresh: s.following.refresh, StopWindows: s.following.stop,
		Notifier: webhook.New(s.webhooks.config()), Delivery: s.webhooks.delivery,
	}
	endDocuments, err := s.documents.configure(s.db, &config)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	defer func() { err = errors.Join(err, endDocuments()) }()
	if s.tracker, err = s.keys.open(s.db, config); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.tracker.Close()) }()
	if s.callbacks, err = s.receiver(ctx, deliveries); err != nil {
		return err
	}

	// The port is taken before the key is made: a server that cannot listen
	// must not spend the one time that the key is shown.
	listener, err := listen(ctx, s.addr)
	if err != nil {
		return err
	}
	defer listener.Close() // Serve closes it too; this is for what fails before
	account, key, err := s.firstUse(ctx)
	if err != nil {
		return err
	}
	return s.serve(ctx, listener, func(base string) error {
		// In one write: who has read the first line can count on the second.
		text := fmt.Sprintf("landfall: serving %s\n", base)
		if key != "" {
			text += fmt.Sprintf("landfall: API key %s\n", key)
		}
		fmt.Fprint(s.stdout, text)
		if s.temporary == "" {
			s.keys.say(s.log)
		}
		s.log.Info("serving", "url", base, "version", version())
		if !s.demo {
			return nil
		}
		return s.launchFleet(ctx, account, base, key)
	})
}

// serve runs the HTTP server and the background work until ctx ends, and drains
// them. ready is called when the server listens.
func (s *server) serve(ctx context.Context, listener *listener, ready func(base string) error) error {
	hs := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    32 << 10,
		ConnState:         s.arrivals.note,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- hs.Serve(listener) }()

	// The background work ends when ctx does; what is being delivered arrives first.
	working, endWork := context.WithCancel(context.WithoutCancel(ctx))
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		if err := s.tracker.Run(working); err != nil {
			s.log.Error("the background work ended", "error", err)
		}
	}()
	defer func() {
		endWork()
		<-worked
	}()

	if err := ready("http://" + listener.Addr().String() + "/v2"); err != nil && ctx.Err() == nil {
		return errors.Join(err, hs.Close())
	}
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	endWork() // beside the requests, so that neither waits for the other
	return s.drain(hs, listener, served)
}

// drain lets the requests that are under way end, and those that are on their
// way: Shutdown alone would break connections that are not accepted yet.
func (s *server) drain(hs *http.Server, listener *listener, served <-chan error) error {
	s.draining.Store(true)
	s.log.Info("draining")
	time.Sleep(drainNotice)
	if err := listener.stop(); err != nil {
		return errors.Join(err, hs.Close())
	}
	if err := <-served; !errors.Is(err, net.ErrClosed) {
		s.log.Warn("listening ended", "error", err)
	}
	// From here on there are no new connections.
	s.arrivals.wait(arrivalTime)
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	if err := hs.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("requests were still under way after %s: %w", drainTime, err), hs.Close())
	}
	s.log.Info("drained")
	return nil
}

// handler is the interface and, beside it, what carriers deliver to; while the
// server drains it says so.
func (s *server) handler() http.Handler {
	api := httpserver.New(httpserver.Config{
		Tracker: s.tracker, Limits: s.rates.limits(), Logger: s.log, ListCacheBytes: int64(s.answers),
		WebhookIPs: httpserver.WebhookIPs{Addresses: s.webhooks.ips},
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.draining.Load() {
			w.Header().Set("Connection", "close")
			if r.URL.Path == "/readyz" {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusServiceUnavailable)
				fmt.Fprint(w, drainingDocument)
				return
			}
		}
		if s.callbacks != nil && strings.HasPrefix(r.URL.Path, dcsa.CallbackPath) {
			s.callbacks.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}

// drainingDocument has the form of all errors.
const drainingDocument = `{"errors":[{"status":"503","title":"Service Unavailable","detail":"The server is shutting down."}]}` + "\n"

// sources are the shipping lines that can be asked.
func (s *server) sources() (tracking.Sources, error) {
	sources, err := s.carriers.sources(s.getenv)
	if err != nil {
		return nil, err
	}
	if s.sandbox || s.demo {
		if sources[sandbox.SCAC] != nil {
			return nil, errors.New("carriers." + sandbox.SCAC + ": the sandbox has this SCAC: use one of the two")
		}
		sources[sandbox.SCAC] = sandbox.New(sandbox.Config{})
	}
	return sources, nil
}

// receiver is what the carriers deliver to; nil when none does.
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
			return nil, fmt.Errorf("carriers.%s: callback %q: account %q is closed: reopen it, or give another", d.SCAC, d.Name, account.Name)
		}
		d.Tracker = s.tracker.For(tracking.Actor{Account: account.Scope(), Permissions: []tracking.Permission{tracking.Update}})
		config.Callbacks = append(config.Callbacks, d.Callback)
	}
	handler, err := dcsa.NewCallbacks(config)
	if err != nil {
		return nil, fmt.Errorf("carriers: %s", inFile(err))
	}
	return handler, nil
}

// firstUse makes the default account, and its first key if it has none yet: a
// key that was revoked counts, or revoking all would bring a new one.
func (s *server) firstUse(ctx context.Context) (account *tracking.Account, key string, err error) {
	account, _, err = s.tracker.EnsureAccount(ctx, defaultAccount)
	if err != nil {
		return nil, "", err
	}
	keys, err := s.tracker.Keys(ctx, account.Scope())
	if err != nil || len(keys) > 0 && !s.demo {
		return account, "", err
	}
	// A demonstration on a known database needs a key as well: the earlier one
	// is not known any more.
	key, _, err = s.tracker.CreateKey(ctx, tracking.NewKey{Account: account.Scope()})
	return account, key, err
}

// exitOnSecondSignal ends the process at once when a second signal comes; the
// first one ends the context that run was given.
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

// removeTemporary leaves nothing of a demonstration behind.
func (s *server) removeTemporary() {
	if s.temporary == "" {
		return
	}
	if err := os.RemoveAll(s.temporary); err != nil {
		s.log.Warn("the demonstration's database is still there", "directory", s.temporary, "error", err)
	}
}
