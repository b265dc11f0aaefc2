// Command benchmarks measures the server with a filled SQLite database, and compares it
// with bare net/http that answers with the same bytes, and with a naive implementation, in
// interleaved rounds of one run.
//
//	go run -C benchmarks .            measure and print
//	go run -C benchmarks . -record    measure on a quiet machine, and append the figures to RESULTS.md
//	go run -C benchmarks . -large     with an account of a million shipments, on a machine with the disk and the time
//	go run -C benchmarks . -smoke     check in a few seconds that it works
//	go run -C benchmarks . -fill 1000000 -db FILE
//	                                  make a database of a million shipments, and measure nothing
//	go run -C benchmarks . -before COMMIT
//	                                  what one fact costs, in turns with the program of COMMIT
//
// The program in peers compares the server with what others would use in its place.
//
// The program is a module of its own, so that what it needs reaches nobody who imports
// the engine. Run like this, its relative file names start in this directory.
//
// It sends load only to 127.0.0.1, works in a temporary directory that it removes, and ends
// by itself. Absolute figures differ between machines and between runs: compare the ratios
// within one run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/landfallhq/tracking/classify/extract"
)

const (
	// gcPercent is that of the server.
	gcPercent = 400
	// longest is the time limit of a run.
	longest = 2 * time.Hour
	// resultsFile is relative to the root of the repository.
	resultsFile = "benchmarks/RESULTS.md"
	// limitKeys is the number of accounts for the limiter.
	limitKeys = 100_000
)

// plan is the configuration of a run.
type plan struct {
	shipments   int
	rounds      int
	connections int
	each        time.Duration // of one load
	seed        uint64
	only        *regexp.Regexp // names of targets; nil for all
	dir         string         // where the temporary directory is made
	keep        string         // file of a database that is kept
	profiles    string         // directory for profiles; empty for none
	record      bool
	lists       bool // the data is for lists of exceptions and costs

	// Of -fill, which measures nothing.
	fillTo   int    // shipments
	accounts int    // that share the shipments
	db       string // the new file
	memory   int64  // MiB

	before string // the commit of -before, which measures nothing else
}

func main() {
	extract.Main() // PDFs are read in children of this program
	if isLoad() {
		loadMain()
		return
	}
	if isReceiver() {
		receiverMain()
		return
	}
	p, err := parse(os.Args[1:])
	if err != nil {
		os.Exit(2) // the flag package has printed the error
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends it at once
	if err := p.main(ctx, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		stop()
		os.Exit(1)
	}
}

// The sizes of the large account by flag.
const (
	smokeShipments = 200
	largeShipments = 1_000_000
	// mostGenerated is limited by the container numbers.
	mostGenerated = 1_300_000
)

func parse(args []string) (*plan, error) {
	p := &plan{}
	f := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	f.IntVar(&p.shipments, "shipments", 100_000, "`number` of shipments in the large account, rounded up a little")
	f.IntVar(&p.rounds, "rounds", 5, "`number` of rounds; figures are their medians")
	f.IntVar(&p.connections, "connections", 16, "`number` of connections that read at a time")
	seconds := f.Float64("seconds", 1, "`length` of each load in each round")
	f.Uint64Var(&p.seed, "seed", 1, "`seed` of the data, of the requests and of the order of the rounds")
	only := f.String("only", "", "measure only what has a name that `regexp` matches: a request, or process, ingest, reads while, caches, drain, isolation, exceptions, pages, custom fields, search, bulk, documents, limiter, start, followers")
	smoke := f.Bool("smoke", false, "measure little and briefly: -shipments 200 -rounds 1 -seconds 0.1")
	large := f.Bool("large", false, "fill a million shipments: -shipments 1000000 -seconds 2")
	f.StringVar(&p.dir, "dir", "", "make the temporary database in this `directory`, whose disk is measured")
	f.StringVar(&p.keep, "keep", "", "fill the database in this `file` and leave it there; one that an earlier run has left is used again, and grows by the accounts of this run")
	f.StringVar(&p.profiles, "cpuprofile", "", "write CPU profiles into this `directory`, of one more load each")
	f.BoolVar(&p.lists, "lists", false, "with -only 'exceptions': fill the accounts with tariffs and costs, and leave out events")
	f.BoolVar(&p.record, "record", false, "append the figures to "+resultsFile)
	f.IntVar(&p.fillTo, "fill", 0, "make a database of this `number` of shipments in the file -db, as the engine makes them, and measure nothing")
	f.StringVar(&p.db, "db", "", "with -fill: the `file`, which must not be there yet")
	f.IntVar(&p.accounts, "accounts", 1, "with -fill: divide the shipments among this `number` of accounts")
	f.Int64Var(&p.memory, "memory", generatorMemory>>20, "with -fill: `MiB` of memory for the pages of the file")
	f.StringVar(&p.before, "before", "", "measure what one fact costs, and nothing else, in turns with the program of `commit`")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	given := map[string]bool{}
	f.Visit(func(f *flag.Flag) { given[f.Name] = true })
	set := func(shipments, rounds int, length float64) {
		if !given["shipments"] {
			p.shipments = shipments
		}
		if !given["rounds"] {
			p.rounds = rounds
		}
		if !given["seconds"] {
			*seconds = length
		}
	}
	if *smoke {
		set(smokeShipments, 1, 0.1)
	}
	if *large {
		set(largeShipments, p.rounds, 2)
	}
	p.each = time.Duration(*seconds * float64(time.Second))
	err := p.check(f.NArg())
	switch {
	case err != nil:
	case *smoke && p.record:
		err = errors.New("-record: the figures of -smoke are not worth recording")
	case p.fillTo != 0 || given["db"]:
		err = p.checkFill()
	case *smoke && *large:
		err = errors.New("-smoke and -large: give one of them")
	case given["keep"] && (p.keep == "" || given["dir"]):
		err = errors.New("-keep: name a file, and give no -dir, for the database is made where it is kept")
	case p.profiles != "" && !isDirectory(p.profiles):
		err = fmt.Errorf("-cpuprofile: %s is no directory", p.profiles)
	case *only != "":
		p.only, err = regexp.Compile(*only)
	}
	if err != nil {
		fmt.Fprintln(f.Output(), "benchmarks:", err)
	}
	return p, err
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func (p *plan) check(operands int) error {
	switch {
	case operands > 0:
		return errors.New("there are no operands, only flags")
	case p.shipments < 2*pageSize || p.shipments > largeShipments:
		return fmt.Errorf("-shipments: give %d to %d", 2*pageSize, largeShipments)
	case p.rounds < 1 || p.rounds > 100:
		return errors.New("-rounds: give 1 to 100")
	case p.connections < 1 || p.connections > 1000:
		return errors.New("-connections: give 1 to 1000")
	case p.each < 50*time.Millisecond || p.each > time.Minute:
		return errors.New("-seconds: give 0.05 to 60")
	}
	return nil
}

func (p *plan) checkFill() error {
	switch {
	case p.fillTo < 1 || p.fillTo > mostGenerated:
		return fmt.Errorf("-fill: give 1 to %d", mostGenerated)
	case p.db == "":
		return errors.New("-fill: name the file with -db")
	case p.accounts < 1 || p.accounts > p.fillTo:
		return errors.New("-accounts: give 1 to the number of shipments")
	case p.memory < 16 || p.memory > 1<<20:
		return errors.New("-memory: give 16 to 1048576")
	}
	return nil
}

// main runs the plan in a temporary directory and prints the figures to out.
func (p *plan) main(ctx context.Context, out, progress io.Writer) (err error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	debug.SetGCPercent(gcPercent)
	switch {
	case p.fillTo > 0:
		return p.generate(ctx, out, progress)
	case p.before != "":
		return p.compareFacts(ctx, out, progress)
	}
	results := ""
	if p.record { // fails before anything is measured
		root := git(ctx, "rev-parse", "--show-toplevel")
		if results = filepath.Join(root, resultsFile); !isDirectory(filepath.Dir(results)) {
			return errors.New("-record: this is not the repository")
		}
	}
	if p.keep != "" {
		p.dir = filepath.Dir(p.keep)
	}
	dir, err := os.MkdirTemp(p.dir, "landfall-benchmarks-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r := &run{plan: *p, dir: dir, progress: progress, begun: time.Now(), results: newResults(*p, lookAround(ctx, dir))}
	err = r.measure(ctx)
	if err == nil {
		r.sofar = r.markdown()
		err = r.measureStart(ctx) // the database is closed by now
	}
	if err == nil {
		r.sofar = r.markdown()
		err = r.measureFollowers(ctx)
	}
	if err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("given up: %w", context.Cause(ctx))
		}
		if r.sofar != "" { // useful, but not to record
			_, failed := fmt.Fprintf(out, "Of a run that was not ended:\n\n%s", r.sofar)
			err = errors.Join(err, failed)
		}
		return err
	}
	text := r.markdown()
	if _, err := io.WriteString(out, text); err != nil || !p.record {
		return err
	}
	return record(results, text)
}

// record appends to the results file.
func record(file, text string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, "\n"+text)
	return errors.Join(err, f.Close())
}
