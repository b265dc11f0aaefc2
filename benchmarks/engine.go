package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/storage"
)

// engine is the product under measurement: a SQLite database in a directory of
// its own, the tracker on it, and the finished handler.
type engine struct {
	file     string
	operator *tracking.Tracker
	handler  http.Handler
	// big is the account that is measured, small one with far fewer shipments.
	big, small account
	fleet      *fleet
	filled     filling

	stop func()
}

// account is a tenant with a key.
type account struct {
	*tracking.Tracker
	name string
	key  string
	// ids are its shipments.
	ids []tracking.ID
}

// filling is how the database was filled.
type filling struct {
	shipments, containers, facts, events int
	took                                 time.Duration
	bytes                                int64
}

// factsPerReport bounds the reports by which the database is filled.
const factsPerReport = 5000

// newEngine fills a new database in dir with the fleet, and opens it again as a
// server would find it.
func newEngine(ctx context.Context, dir string, seed uint64, shipments int) (_ *engine, err error) {
	e := &engine{file: filepath.Join(dir, "landfall.db"), fleet: newFleet(seed, shipments), stop: func() {}}
	if err := e.open(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close())
		}
	}()
	begin := time.Now()
	if e.big, err = e.newAccount(ctx, "big"); err == nil {
		err = e.fill(ctx, e.big, e.fleet, shipments)
	}
	if err != nil {
		return nil, err
	}
	e.filled.took = time.Since(begin)
	if e.small, err = e.newAccount(ctx, "small"); err == nil {
		few := max(40, min(1000, shipments/10)) // more than one page
		err = e.fill(ctx, e.small, newFleet(seed, few), few)
	}
	if err != nil {
		return nil, err
	}
	// Closing moves the log into the file, so that its size tells what it holds.
	if err := e.operator.Close(); err != nil {
		return nil, err
	}
	if e.filled.bytes, err = size(e.file); err != nil {
		return nil, err
	}
	return e, e.serve(ctx)
}

func (e *engine) open() error {
	store, err := storage.Open(e.file)
	if err != nil {
		return err
	}
	e.operator, err = tracking.New(tracking.Config{Store: store, Logger: quiet})
	if err != nil {
		return errors.Join(err, store.Close())
	}
	return nil
}

// quiet drops what is logged.
var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// newAccount makes an account with a key that may do everything.
func (e *engine) newAccount(ctx context.Context, name string) (a account, err error) {
	made, _, err := e.operator.EnsureAccount(ctx, name)
	if err != nil {
		return a, err
	}
	key, _, err := e.operator.CreateKey(ctx, tracking.NewKey{Account: made.Scope()})
	return account{e.operator.For(tracking.Actor{Account: made.Scope()}), name, key, nil}, err
}

// fill hands in what is known of the fleet, many shipments at a time.
func (e *engine) fill(ctx context.Context, a account, f *fleet, shipments int) error {
	var batch []tracking.Fact
	for i := range shipments {
		batch = append(batch, f.begin(i)...)
		if len(batch) < factsPerReport && i < shipments-1 {
			continue
		}
		r := report(batch...)
		r.Silent = true
		receipt, err := a.Ingest(ctx, r)
		if err != nil {
			return err
		}
		if f == e.fleet {
			e.filled.add(receipt)
		}
		batch = batch[:0]
	}
	return nil
}

func (f *filling) add(r tracking.Receipt) {
	f.shipments += r.Shipments
	f.containers += r.Containers
	f.facts += r.New
	f.events += r.Events
}

// serve opens the filled database with the background work running and the
// handler as the server has it: keys are asked for, limits are off.
func (e *engine) serve(ctx context.Context) error {
	if err := e.open(); err != nil {
		return err
	}
	for _, a := range []*account{&e.big, &e.small} {
		of, err := e.operator.Account(ctx, a.name)
		if err != nil {
			return err
		}
		a.Tracker = e.operator.For(tracking.Actor{Account: of.Scope()})
		if a.ids, err = shipmentIDs(ctx, a.Tracker); err != nil {
			return err
		}
	}
	e.handler = httpserver.New(httpserver.Config{
		Tracker: e.operator,
		Logger:  quiet,
		Limits:  httpserver.Limits{Default: -1, Create: -1, Infer: -1, Refresh: -1},
	})
	working, end := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = e.operator.Run(working) // it has no error but the end of its context
	}()
	e.stop = func() {
		end()
		<-done
	}
	return nil
}

// shipmentIDs returns the IDs of all shipments.
func shipmentIDs(ctx context.Context, t *tracking.Tracker) ([]tracking.ID, error) {
	const size = 1000
	var ids []tracking.ID
	for n := 1; ; n++ {
		s, err := t.Select(ctx, tracking.ShipmentQuery{}, tracking.Page{Number: n, Size: size}, nil)
		if err != nil {
			return nil, err
		}
		for _, r := range s.Rows {
			ids = append(ids, r.ID)
		}
		if len(s.Rows) < size {
			return ids, nil
		}
	}
}

// grown closes the engine and returns by how many bytes the file has grown
// since it was filled.
func (e *engine) grown() (int64, error) {
	if err := e.close(); err != nil {
		return 0, err
	}
	now, err := size(e.file)
	return now - e.filled.bytes, err
}

// close ends the background work and closes the store. Again is no error.
func (e *engine) close() error {
	e.stop()
	return e.operator.Close()
}

// log is where SQLite keeps what it has committed and not yet moved.
func (e *engine) log() string { return e.file + "-wal" }

func size(file string) (int64, error) {
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
