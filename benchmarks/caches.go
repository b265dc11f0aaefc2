package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/time/rate"

	"github.com/landfallhq/tracking"
)

// The caches of the server, each alone, both and none: rows that were read
// (storage.Options.CacheBytes), with what was decoded from them, and answers
// (httpserver.Config.ListCacheBytes). They are measured while nothing changes, and
// while the account that is read is updated.

// cachesName is what -only knows this part by.
const cachesName = "caches"

// cacheUpdates is how many updates a second the account has meanwhile.
const cacheUpdates = 100

// readRandom asks for any page of the account.
const readRandom = "GET 30 with includes, any page"

// cacheSides are the servers with some of the caches.
var cacheSides = []struct {
	name string
	caches
}{
	{"no cache", caches{}},
	{"rows", caches{rows: programCaches.rows}},
	{"answers", caches{answers: programCaches.answers}},
	{"rows and answers", programCaches},
}

// cacheFigures are those of one request, by side and round.
type cacheFigures struct {
	name       string
	idle, busy map[string][]figures
}

// measureCaches reads the working account from servers of their own.
func (r *run) measureCaches(ctx context.Context) (err error) {
	if !r.wanted(cachesName) {
		return nil
	}
	var pages []request
	for page := range r.data.working.last() {
		pages = append(pages, r.data.working.list(page+1))
	}
	targets := []*target{
		{name: readFirst, asks: pages[:1]},
		{name: readRandom, asks: pages},
	}
	updaters := map[string]*tracking.Tracker{} // by side
	for n, c := range cacheSides {
		s, err := newServer(r.data.file, c.caches)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.operator.Close()) }()
		if s.addr, err = serveHTTP(ctx, s.handler); err != nil {
			return err
		}
		updaters[c.name] = s.operator.For(tracking.Actor{Account: r.data.working.scope})
		for _, t := range targets {
			t.sides = append(t.sides, side{c.name, s.addr})
			t.connections, t.requests = r.connections, t.wires
			if n == 0 {
				r.caches = append(r.caches, &cacheFigures{t.name, map[string][]figures{}, map[string][]figures{}})
			}
		}
	}
	for _, t := range targets {
		if err := r.engine.addBare(ctx, t); err != nil {
			return err
		}
	}
	for n := range r.rounds {
		r.round(cachesName, n, 2*len(targets)*(len(cacheSides)+1), r.each)
		var all []func() error
		for i, t := range targets {
			for _, s := range t.sides {
				all = append(all, func() error { return r.measureCache(ctx, t, s, updaters[s.name], r.caches[i]) })
			}
		}
		if err := r.shuffled(all); err != nil {
			return err
		}
	}
	return nil
}

// measureCache makes a load on one side, and again while updates come in by its tracker. The
// bare one has none.
func (r *run) measureCache(ctx context.Context, t *target, s side, by *tracking.Tracker, to *cacheFigures) error {
	f, err := t.load(ctx, s, r.plan, r.random.Uint64())
	if err != nil {
		return err
	}
	to.idle[s.name] = append(to.idle[s.name], f)
	if by == nil {
		return nil
	}
	updating, stop := context.WithCancel(ctx)
	var failed error
	var updates sync.WaitGroup
	updates.Go(func() {
		limit := rate.NewLimiter(cacheUpdates, 1)
		for limit.Wait(updating) == nil && failed == nil {
			failed = r.engine.ingestNext(ctx, by)
		}
	})
	f, err = t.load(ctx, s, r.plan, r.random.Uint64())
	stop()
	updates.Wait()
	to.busy[s.name] = append(to.busy[s.name], f)
	return errors.Join(err, failed)
}

// caching shows the caches beside the bare server of the same bytes.
func (r *results) caching(b *strings.Builder) {
	if r.caches == nil {
		return
	}
	t := table{head: []string{"caches of the server", "", "req/s", "of bare", "CPU us", fmt.Sprintf("req/s at %d updates/s", cacheUpdates), "of bare"}}
	for _, c := range r.caches {
		of := func(one []figures) string {
			mid, _, _ := ratio(one, c.idle[bareHTTP], func(f figures) float64 { return f[perSecond] })
			return percent(mid)
		}
		for _, s := range cacheSides {
			idle, busy := medians(c.idle[s.name]), medians(c.busy[s.name])
			t.add(c.name, s.name, idle.text(perSecond), of(c.idle[s.name]), idle.text(cpu), busy.text(perSecond), of(c.busy[s.name]))
		}
	}
	t.write(b)
	fmt.Fprintf(b, "\nThe account has %d shipments. Rows have %d MiB, answers %d MiB.\n", r.data.working.rows, programCaches.rows>>20, programCaches.answers>>20)
}
