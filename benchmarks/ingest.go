package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/landfallhq/tracking"
)

// ingestWay is a way in which updates are handed in without HTTP.
type ingestWay struct {
	name    string
	callers int
	by      func(*engine) *tracking.Tracker
}

const (
	ingestOne     = "one caller"
	ingestGrouped = "64 callers"
	ingestAlone   = "64 callers, one update per transaction"
)

var ingestWays = []ingestWay{
	{ingestOne, 1, func(e *engine) *tracking.Tracker { return e.grouped }},
	{ingestGrouped, callers, func(e *engine) *tracking.Tracker { return e.grouped }},
	{ingestAlone, callers, func(e *engine) *tracking.Tracker { return e.oneByOne }},
}

func (r *run) measureIngest(ctx context.Context) error {
	if !r.wanted("ingest") {
		return nil
	}
	disk, err := newProbe(r.dir)
	if err != nil {
		return err
	}
	defer disk.close()
	t, err := r.engine.ingestTarget(ctx, r.plan)
	if err != nil {
		return err
	}
	r.add(t)
	r.updates = 1 // whose answer the bare handler has
	if err := r.measureLog(ctx); err != nil {
		return err
	}
	for n := range r.rounds {
		r.round("ingest", n, len(t.sides)+len(ingestWays), r.each)
		fsync, err := disk.sample(200)
		if err != nil {
			return err
		}
		r.fsync = append(r.fsync, fsync)
		all := []func() error{func() error { return r.http[t.name].run(ctx, r.random, t, r.plan) }}
		for _, way := range ingestWays {
			all = append(all, func() error {
				f, err := r.ingestBy(ctx, way)
				r.ingest[way.name] = append(r.ingest[way.name], f)
				return err
			})
		}
		if err := r.shuffled(all); err != nil {
			return err
		}
	}
	for _, way := range ingestWays {
		if err := r.profile("ingest "+way.name, func() error {
			_, err := r.ingestBy(ctx, way)
			return err
		}); err != nil {
			return err
		}
	}
	r.updates += t.sent
	return nil
}

// measureLog finds what a commit adds to SQLite's log. The log grows until a
// checkpoint truncates it, which does not affect the median.
func (r *run) measureLog(ctx context.Context) error {
	var grown []int64
	for range 21 {
		before, err := size(r.engine.log())
		if err != nil {
			return err
		}
		if err := r.engine.ingestNext(ctx, r.engine.grouped); err != nil {
			return err
		}
		after, err := size(r.engine.log())
		if err != nil {
			return err
		}
		grown = append(grown, after-before)
		r.updates++
	}
	r.logged = median(grown)
	return nil
}

// ingestBy hands in updates through Go for the length of one load.
func (r *run) ingestBy(ctx context.Context, way ingestWay) (figures, error) {
	by := way.by(r.engine)
	f, n, err := repeat(way.callers, r.each, func() (bool, error) { return true, r.engine.ingestNext(ctx, by) })
	r.updates += n
	return f, err
}

// ingestNext hands in the next update of the fleet.
func (e *engine) ingestNext(ctx context.Context, by *tracking.Tracker) error {
	receipt, err := by.Ingest(ctx, e.fleet.update())
	if err == nil && (receipt.New != 1 || receipt.Shipments != 1) {
		err = fmt.Errorf("an update brought %d facts to %d shipments", receipt.New, receipt.Shipments)
	}
	return err
}

// mixed are the figures of reads while updates come in, beside those without.
type mixed struct {
	idle, busy []figures
	updates    []float64 // that came in a second, by round
}

// ingestShare is the part of the peak at which updates come in meanwhile.
const ingestShare = 0.5

// measureMixed reads from the server with caches, and again while updates
// come in at a steady rate of half of what was seen at most.
func (r *run) measureMixed(ctx context.Context) error {
	if !r.wanted("reads while") || len(r.ingest) == 0 {
		return nil
	}
	r.pace = ingestShare * medians(r.ingest[ingestGrouped])[perSecond]
	e := r.engine
	s := side{oursCached, e.cached.addr}
	targets := []*target{{name: readSingle, asks: e.large.singles()}, {name: readFirst, asks: []request{e.large.list(1)}}}
	for n := range r.rounds {
		r.round("reads while updates come in", n, 2*len(targets), r.each)
		var all []func() error
		for _, t := range targets {
			t.connections, t.requests = r.connections, t.wires
			m := r.mixed[t.name]
			if m == nil {
				m = &mixed{}
				r.mixed[t.name] = m
			}
			all = append(all, func() error {
				f, err := t.load(ctx, s, r.plan, r.random.Uint64())
				m.idle = append(m.idle, f)
				return err
			}, func() error {
				f, came, err := r.whileIngesting(ctx, t, s)
				m.busy = append(m.busy, f)
				m.updates = append(m.updates, came)
				return err
			})
		}
		if err := r.shuffled(all); err != nil {
			return err
		}
	}
	return nil
}

// whileIngesting makes a load of reads while updates come in.
func (r *run) whileIngesting(ctx context.Context, t *target, s side) (f figures, came float64, err error) {
	by := r.engine.cached.operator.For(tracking.Actor{Account: r.engine.working.scope})
	limit := rate.NewLimiter(rate.Limit(r.pace), callers/4) // a short halt is made up for
	pacing, stop := context.WithCancel(ctx)
	defer stop()
	var writers sync.WaitGroup
	var mu sync.Mutex
	var failed error
	n := 0
	begin := time.Now()
	limit.AllowN(begin, limit.Burst()) // it begins with nothing saved up
	for range callers {
		writers.Go(func() {
			for limit.Wait(pacing) == nil {
				err := r.engine.ingestNext(ctx, by)
				mu.Lock()
				n++
				failed = errors.Join(failed, err)
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	f, err = t.load(ctx, s, r.plan, r.random.Uint64())
	took := time.Since(begin)
	stop()
	writers.Wait()
	r.updates += n
	return f, float64(n) / took.Seconds(), errors.Join(err, failed)
}
