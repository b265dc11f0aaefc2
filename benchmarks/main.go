// Command benchmarks measures the finished product on one machine: its handler
// over a filled SQLite database, beside bare net/http that answers with the same
// bytes, in one run and in interleaved rounds.
//
//	go run ./benchmarks            measure and print
//	go run ./benchmarks -record    measure on a quiet machine, and note the figures in RESULTS.md
//	go run ./benchmarks -smoke     see in a few seconds that it works
//
// It makes load only against 127.0.0.1, works in a temporary directory that it
// removes, and ends by itself. Absolute figures differ from machine to machine
// and from run to run; the ratios within one run are what to compare.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"github.com/landfallhq/tracking"
)

const (
	// gcPercent is what the server sets.
	gcPercent = 400
	// longest is when a run is given up.
	longest = time.Hour
	// resultsFile is from the root of the repository.
	resultsFile = "benchmarks/RESULTS.md"
	// limitKeys is how many accounts the limiter is measured with.
	limitKeys = 100_000
)

// plan is what is to be measured.
type plan struct {
	shipments   int
	rounds      int
	connections int
	each        time.Duration // of one load
	seed        uint64
	only        *regexp.Regexp // names of targets; nil for all
	dir         string         // where the temporary directory is made
	profiles    string         // directory for profiles; empty for none
	record      bool
}

func main() {
	if isLoad() {
		loadMain()
		return
	}
	p, err := parse(os.Args[1:])
	if err != nil {
		os.Exit(2) // the flag package has said why
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := p.main(ctx, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		stop()
		os.Exit(1)
	}
}

func parse(args []string) (*plan, error) {
	p := &plan{}
	f := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	f.IntVar(&p.shipments, "shipments", 10_000, "`number` of shipments in the account that is measured")
	f.IntVar(&p.rounds, "rounds", 7, "`number` of rounds; figures are their medians")
	f.IntVar(&p.connections, "connections", 16, "`number` of connections that read at a time")
	seconds := f.Float64("seconds", 3, "`length` of each load in each round")
	f.Uint64Var(&p.seed, "seed", 1, "`seed` of the data, of the requests and of the order of the rounds")
	only := f.String("only", "", "measure only what has a name that `regexp` matches")
	smoke := f.Bool("smoke", false, "measure little and briefly: -shipments 200 -rounds 1 -seconds 0.2")
	f.StringVar(&p.dir, "dir", "", "make the temporary database in this `directory`, whose disk is measured")
	f.StringVar(&p.profiles, "cpuprofile", "", "write CPU profiles into this `directory`, of one more load each")
	f.BoolVar(&p.record, "record", false, "append the figures to "+resultsFile)
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if *smoke && p.record {
		err := errors.New("-record: what -smoke measures is not worth keeping")
		fmt.Fprintln(f.Output(), "benchmarks:", err)
		return nil, err
	}
	if *smoke {
		p.shipments, p.rounds, *seconds = 200, 1, 0.2
	}
	p.each = time.Duration(*seconds * float64(time.Second))
	err := p.check(f.NArg())
	if err == nil && *only != "" {
		p.only, err = regexp.Compile(*only)
	}
	if err != nil {
		fmt.Fprintln(f.Output(), "benchmarks:", err)
	}
	return p, err
}

func (p *plan) check(operands int) error {
	switch {
	case operands > 0:
		return errors.New("there are no operands, only flags")
	case p.shipments < 2*pageSize || p.shipments > 300_000:
		return fmt.Errorf("-shipments: give %d to 300000", 2*pageSize)
	case p.rounds < 1 || p.rounds > 100:
		return errors.New("-rounds: give 1 to 100")
	case p.connections < 1 || p.connections > 1000:
		return errors.New("-connections: give 1 to 1000")
	case p.each < 50*time.Millisecond || p.each > time.Minute:
		return errors.New("-seconds: give 0.05 to 60")
	}
	return nil
}

// main runs the plan in a temporary directory and prints the figures to out.
func (p *plan) main(ctx context.Context, out, progress io.Writer) (err error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	debug.SetGCPercent(gcPercent)
	dir, err := os.MkdirTemp(p.dir, "landfall-benchmarks-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r := &run{plan: *p, dir: dir, progress: progress, results: results{
		plan: *p, around: lookAround(ctx, dir), http: map[string]*measured{}, process: map[string][]figures{}, ingest: map[string][]figures{},
	}}
	if err := r.measure(ctx); err != nil {
		return err
	}
	text := r.markdown()
	if _, err := io.WriteString(out, text); err != nil || !p.record {
		return err
	}
	return record(ctx, text)
}

// record appends to the results file of the repository we are in.
func record(ctx context.Context, text string) error {
	root := git(ctx, "rev-parse", "--show-toplevel")
	if root == unknown {
		return errors.New("-record: this is not the repository")
	}
	f, err := os.OpenFile(filepath.Join(root, resultsFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, "\n"+text)
	return errors.Join(err, f.Close())
}

// run is one run of a plan.
type run struct {
	plan
	results
	dir      string
	progress io.Writer
	engine   *engine
	random   *rand.Rand
}

func (r *run) say(format string, args ...any) { fmt.Fprintf(r.progress, format+"\n", args...) }

// measure fills the database, measures, and closes it.
func (r *run) measure(ctx context.Context) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the servers
	r.random = rand.New(rand.NewPCG(r.seed, 4))
	r.say("filling a database with %d shipments", r.shipments)
	if r.engine, err = newEngine(ctx, r.dir, r.seed, r.shipments); err != nil {
		return err
	}
	defer func() {
		if closed := r.engine.close(); !errors.Is(closed, tracking.ErrClosed) {
			err = errors.Join(err, closed)
		}
	}()
	r.filled = r.engine.filled
	r.say("filled: %d facts in %s", r.filled.facts, r.filled.took.Round(time.Millisecond))
	if r.sqlite, err = sqliteVersion(r.engine.file); err != nil {
		return err
	}
	runtime.GC()
	debug.FreeOSMemory()

	ours, err := serveHTTP(ctx, r.engine.handler)
	if err != nil {
		return err
	}
	for _, part := range []func(context.Context, string) error{r.measureReads, r.measureProcess, r.measureIngest} {
		if err := part(ctx, ours); err != nil {
			return err
		}
	}
	if r.wanted("limiter") {
		r.say("limiter")
		r.limits = measureLimiter(r.seed, limitKeys, r.rounds)
	}
	r.growth, err = r.engine.grown()
	return err
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

func (r *run) measureReads(ctx context.Context, ours string) error {
	targets, err := r.engine.reads(ctx, r.plan, ours)
	if err != nil {
		return err
	}
	var wanted []*target
	for _, t := range targets {
		if r.wanted(t.name) {
			wanted = append(wanted, t)
			r.add(t)
		}
	}
	for n := range r.rounds {
		r.say("reading, round %d of %d", n+1, r.rounds)
		var all []func() error
		for _, t := range wanted {
			all = append(all, func() error { return r.http[t.name].run(ctx, r.random, t, r.plan) })
		}
		if err := r.shuffled(all); err != nil {
			return err
		}
	}
	for _, t := range wanted {
		if err := r.profile(t.name, func() error {
			_, err := t.load(ctx, ours, r.plan, r.seed)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// add opens the row of a target.
func (r *run) add(t *target) {
	r.names = append(r.names, t.name)
	r.http[t.name] = &measured{name: t.name}
}

func (r *run) measureProcess(ctx context.Context, _ string) error {
	if !r.wanted("process") {
		return nil
	}
	for n := range r.rounds {
		r.say("in this process, round %d of %d", n+1, r.rounds)
		var all []func() error
		for _, c := range r.engine.inProcess() {
			all = append(all, func() error {
				f, _, err := repeat(1, r.each/6, r.engine.caller(c))
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

// The ways in which updates are handed in without HTTP.
var ingestWays = []struct {
	name    string
	callers int
}{{"one caller", 1}, {fmt.Sprintf("%d callers", callers), callers}}

func (r *run) measureIngest(ctx context.Context, ours string) error {
	if !r.wanted("ingest") {
		return nil
	}
	disk, err := newProbe(r.dir)
	if err != nil {
		return err
	}
	defer disk.close()
	t, err := r.engine.ingestTarget(ctx, r.plan, ours)
	if err != nil {
		return err
	}
	r.add(t)
	r.updates = 1 // whose answer the bare handler has
	if err := r.measureLog(ctx); err != nil {
		return err
	}
	for n := range r.rounds {
		r.say("ingest, round %d of %d", n+1, r.rounds)
		fsync, err := disk.sample(200)
		if err != nil {
			return err
		}
		r.fsync = append(r.fsync, fsync)
		all := []func() error{func() error { return r.http[t.name].run(ctx, r.random, t, r.plan) }}
		for _, way := range ingestWays {
			all = append(all, func() error {
				f, err := r.ingestBy(ctx, way.callers)
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
			_, err := r.ingestBy(ctx, way.callers)
			return err
		}); err != nil {
			return err
		}
	}
	r.updates += t.sent
	return nil
}

// measureLog finds what a commit adds to SQLite's log. The log grows until a
// checkpoint lets it begin anew, which the median passes over.
func (r *run) measureLog(ctx context.Context) error {
	var grown []int64
	for range 21 {
		before, err := size(r.engine.log())
		if err != nil {
			return err
		}
		if _, err := r.engine.big.Ingest(ctx, r.engine.fleet.update()); err != nil {
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
func (r *run) ingestBy(ctx context.Context, callers int) (figures, error) {
	f, n, err := repeat(callers, r.each, func() (bool, error) {
		receipt, err := r.engine.big.Ingest(ctx, r.engine.fleet.update())
		if err == nil && (receipt.New != 1 || receipt.Shipments != 1) {
			err = fmt.Errorf("an update brought %d facts to %d shipments", receipt.New, receipt.Shipments)
		}
		return true, err
	})
	r.updates += n
	return f, err
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
