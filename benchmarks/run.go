package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"
)

// run is one run of a plan.
type run struct {
	plan
	*results
	dir      string
	progress io.Writer
	begun    time.Time
	engine   *engine
	random   *rand.Rand
	sofar    string // the section of the results, as it was when the last part ended
}

func (r *run) say(format string, args ...any) {
	fmt.Fprintf(r.progress, "%4.0f s  %s\n", time.Since(r.begun).Seconds(), fmt.Sprintf(format, args...))
}

// measure fills the database, measures, and closes it.
func (r *run) measure(ctx context.Context) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the servers
	r.random = rand.New(rand.NewPCG(r.seed, 4))
	filled, err := r.fill(ctx)
	if err != nil {
		return err
	}
	if r.sqlite, err = sqliteVersion(filled.file); err != nil {
		return err
	}
	if r.engine, err = newEngine(ctx, filled); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.engine.close()) }()
	r.data = filled
	runtime.GC()
	debug.FreeOSMemory()
	for _, part := range []func(context.Context) error{r.measureReads, r.measureProcess, r.measureIngest, r.measureMixed, r.measureCaches, r.measureBulk, r.measureDrain, r.measureIsolation} {
		if err := part(ctx); err != nil {
			return err
		}
		r.sofar = r.markdown()
	}
	if r.wanted("limiter") {
		r.say("limiter")
		r.limits = measureLimiter(r.seed, min(limitKeys, 100*r.shipments), r.rounds)
	}
	if r.growth, err = r.engine.grown(); err != nil {
		return err
	}
	if err := r.measureExceptions(ctx); err != nil {
		return err
	}
	if err := r.measurePages(ctx); err != nil {
		return err
	}
	if err := r.measureFields(ctx); err != nil {
		return err
	}
	return r.measureDocuments(ctx)
}

// fill fills the database, in the temporary directory or where it is kept.
func (r *run) fill(ctx context.Context) (d *data, err error) {
	s := sizesFor(r.shipments)
	if !r.wanted("ingest") && !r.wanted(cachesName) {
		s.working = min(s.working, pageSize) // nothing is handed in later
	}
	file := cmp.Or(r.keep, filepath.Join(r.dir, "landfall.db"))
	fresh := false
	if _, err := size(file); errors.Is(err, fs.ErrNotExist) {
		fresh = true
		if err := enoughSpace(filepath.Dir(file), s); err != nil {
			return nil, err
		}
	}
	if busy, err := strconv.ParseFloat(r.around.background, 64); err == nil && busy > float64(r.around.cores)/4 {
		r.say("the load average is %s: this machine is not quiet, and the figures will tell", r.around.background)
	}
	r.say("filling a database: %d, %d and %d shipments; measuring takes some %s after that", s.few, s.working, s.large, r.estimate())
	if d, err = fill(ctx, file, r.seed, s, r.lists, r.say); err != nil && fresh {
		// What was not filled to its end is of no use, wherever it is.
		for _, end := range []string{"", "-wal", "-shm"} {
			if gone := os.Remove(file + end); !errors.Is(gone, fs.ErrNotExist) {
				err = errors.Join(err, gone)
			}
		}
	}
	return d, err
}

func (p *plan) wanted(name string) bool { return p.only == nil || p.only.MatchString(name) }

// shuffled calls each of several functions once, in random order.
func (r *run) shuffled(all []func() error) error {
	for _, i := range r.random.Perm(len(all)) {
		if err := all[i](); err != nil {
			return err
		}
	}
	return nil
}

// estimate is how long all measuring takes, if nothing is left out.
func (r *run) estimate() time.Duration {
	const (
		sides = 21 + 2 // over HTTP
		ways  = 3 + 4  // of ingest, and of reads meanwhile
	)
	loads := sides + ways + len(callNames)/callShare
	return (time.Duration(r.rounds*loads) * (r.each + overhead(r.each))).Round(time.Second)
}

// overhead is what a load takes besides: to warm up, and to start the child.
func overhead(each time.Duration) time.Duration { return each/10 + 100*time.Millisecond }

// callShare is how many calls in this process share the time of one load.
const callShare = 5

// round says which round begins, and how long all of them take.
func (r *run) round(what string, n, loads int, each time.Duration) {
	if n == 0 {
		r.say("%s: %d rounds, some %s", what, r.rounds, (time.Duration(r.rounds*loads) * (each + overhead(each))).Round(time.Second))
	}
}

func (r *run) measureReads(ctx context.Context) error {
	var naive []side
	if r.wanted(readFirst) {
		contenders, stop, err := r.naive(ctx)
		if err != nil {
			return err
		}
		defer stop()
		naive = contenders
	}
	targets, err := r.engine.reads(ctx, r.plan, naive)
	if err != nil {
		return err
	}
	var wanted []*target
	loads := 0
	for _, t := range targets {
		if r.wanted(t.name) {
			wanted = append(wanted, t)
			loads += len(t.sides)
			r.add(t)
		}
	}
	if err := r.warmUp(ctx, wanted); err != nil {
		return err
	}
	for n := range r.rounds {
		r.round("reading over HTTP", n, loads, r.each)
		var all []func() error
		for _, t := range wanted {
			all = append(all, func() error { return r.http[t.name].run(ctx, r.random, t, r.plan) })
		}
		if err := r.shuffled(all); err != nil {
			return err
		}
	}
	for _, t := range wanted {
		for _, s := range t.sides {
			if err := r.profile(t.name+" "+s.name, func() error {
				_, err := t.load(ctx, s, r.plan, r.seed)
				return err
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// warmUp asks our servers for all that will be asked for: how long the disk takes
// to read what it has just been given is not what is measured.
func (r *run) warmUp(ctx context.Context, targets []*target) error {
	for _, t := range targets {
		for _, s := range []*server{r.engine.plain, r.engine.cached} {
			for _, ask := range t.asks {
				if _, err := s.answer(ask); err != nil {
					return err
				}
				if err := ctx.Err(); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// naive starts the two naive contenders, which share their tables.
func (r *run) naive(ctx context.Context) (sides []side, stop func() error, err error) {
	r.say("filling the tables of the naive contender")
	n, err := openNaive(ctx, filepath.Join(r.dir, "naive.db"), r.engine)
	if err != nil {
		return nil, nil, err
	}
	r.naiveRows = n.total
	counting := *n
	counting.counting = true
	for _, s := range []struct {
		name string
		is   *naive
	}{{naiveKnown, n}, {naiveCount, &counting}} {
		addr, err := serveHTTP(ctx, s.is)
		if err != nil {
			return nil, nil, errors.Join(err, n.db.Close())
		}
		sides = append(sides, side{s.name, addr})
	}
	return sides, n.db.Close, nil
}

// add opens the rows of a target.
func (r *run) add(t *target) {
	m := &measured{name: t.name, of: map[string][]figures{}}
	for _, s := range t.sides {
		m.sides = append(m.sides, s.name)
	}
	r.names = append(r.names, t.name)
	r.http[t.name] = m
}

func (r *run) measureProcess(ctx context.Context) error {
	if !r.wanted("process") {
		return nil
	}
	each := r.each / callShare
	calls := r.engine.inProcess()
	for n := range r.rounds {
		r.round("calling the handler", n, len(calls), each)
		var all []func() error
		for _, c := range calls {
			all = append(all, func() error {
				call := r.engine.plain.caller(c)
				f, _, err := repeat(1, each, func() (bool, error) { return ctx.Err() == nil, call() })
				r.process[c.name] = append(r.process[c.name], f)
				return cmp.Or(err, ctx.Err())
			})
		}
		if err := r.shuffled(all); err != nil {
			return err
		}
	}
	return nil
}

var unfit = regexp.MustCompile(`[^a-z0-9]+`)

// profile writes a CPU profile of fn when profiles are wanted.
func (r *run) profile(name string, fn func() error) error {
	if r.profiles == "" {
		return nil
	}
	r.say("profile of %s", name)
	name = strings.Trim(unfit.ReplaceAllString(strings.ToLower(name), "-"), "-")
	f, err := os.Create(filepath.Join(r.profiles, name+".pprof"))
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return errors.Join(err, f.Close())
	}
	err = fn()
	pprof.StopCPUProfile()
	return errors.Join(err, f.Close())
}
