package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/storage"
)

// engine is the server under measurement, without and with caches, on a SQLite database.
type engine struct {
	*data
	plain, cached *server
	// grouped passes updates on as they come. oneByOne passes on one at a time, so that
	// each has its own commit.
	grouped, oneByOne *tracking.Tracker

	stop func()
}

// server is a tracker on a store of its own, and its handler.
type server struct {
	store    tracking.Store
	operator *tracking.Tracker
	handler  http.Handler
	addr     string // once it listens
}

// quiet discards the log.
var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// openStore opens the database as the server does. cacheBytes bounds the row
// cache; 0 is none.
func openStore(file string, cacheBytes int64) (tracking.Store, error) {
	return storage.OpenWith(file, storage.Options{CacheBytes: cacheBytes})
}

// caches are the bytes of memory that a server has for rows that were read, and for answers.
type caches struct{ rows, answers int64 }

// programCaches are those of the program.
var programCaches = caches{rows: 64 << 20, answers: 32 << 20}

// newServer opens the database with the handler as the server has it: keys are
// asked for, limits are off.
func newServer(file string, c caches) (*server, error) {
	store, err := openStore(file, c.rows)
	if err != nil {
		return nil, err
	}
	operator, err := tracking.New(tracking.Config{Store: store, Logger: quiet})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	config := httpserver.Config{
		Tracker: operator,
		Logger:  quiet,
		Limits:  httpserver.Limits{Default: -1, Create: -1, Infer: -1, Refresh: -1},

		ListCacheBytes: c.answers,
	}
	return &server{store: store, operator: operator, handler: httpserver.New(config)}, nil
}

// newEngine opens a filled database, with the background work running. The
// servers listen until ctx ends.
func newEngine(ctx context.Context, d *data) (_ *engine, err error) {
	e := &engine{data: d, stop: func() {}}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close())
		}
	}()
	for _, s := range []struct {
		to **server
		caches
	}{{&e.plain, caches{}}, {&e.cached, programCaches}} {
		if *s.to, err = newServer(d.file, s.caches); err != nil {
			return nil, err
		}
		if (*s.to).addr, err = serveHTTP(ctx, (*s.to).handler); err != nil {
			return nil, err
		}
	}
	actor := tracking.Actor{Account: d.working.scope}
	e.grouped = e.plain.operator.For(actor)
	single, err := tracking.New(tracking.Config{Store: newOneAtATime(e.plain.store), Logger: quiet})
	if err != nil {
		return nil, err
	}
	e.oneByOne = single.For(actor)
	e.work(ctx)
	return e, nil
}

// work does the background work until stop is called.
func (e *engine) work(ctx context.Context) {
	working, end := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = e.plain.operator.Run(working) // it has no error but the end of its context
	}()
	e.stop = sync.OnceFunc(func() {
		end()
		<-done
	})
}

// close ends the background work and closes the stores. Again is no error.
func (e *engine) close() (err error) {
	e.stop()
	for _, s := range []*server{e.cached, e.plain} {
		if s != nil {
			err = errors.Join(err, s.operator.Close())
		}
	}
	return err
}

// grown closes the engine and returns by how many bytes the file has grown
// since it was filled.
func (e *engine) grown() (int64, error) {
	if err := e.close(); err != nil {
		return 0, err
	}
	now, err := size(e.file)
	return now - e.bytes, err
}

// log is where SQLite keeps what it has committed and not yet moved.
func (e *engine) log() string { return e.file + "-wal" }

// oneAtATime is a store that gets one update after the other, so it cannot commit several
// together.
type oneAtATime struct {
	tracking.Store
	turn chan struct{} // full during an update
}

func newOneAtATime(s tracking.Store) *oneAtATime { return &oneAtATime{s, make(chan struct{}, 1)} }

// Update waits for its turn first.
func (s *oneAtATime) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.turn }()
	return s.Store.Update(ctx, a, fn)
}

func size(file string) (int64, error) {
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
