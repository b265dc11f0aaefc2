// Command peers compares the server with what others would use in its place, in one run:
// with the same records, the same load generator, and loads in turns.
//
//	go run -C benchmarks/peers .            measure and print
//	go run -C benchmarks/peers . -record    measure on a quiet machine, and append the figures to RESULTS.md
//
// The peers are PocketBase, a server written by hand on pgx and PostgreSQL, a naive one by
// sqlx on SQLite, and for deliveries River. Those that need PostgreSQL are left out where it
// is not installed. The program is a module of its own, so that what it needs reaches nobody.
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
	"runtime/debug"
	"syscall"
	"time"
)

// longest is the time limit of a run.
const longest = time.Hour

// plan is the configuration of a run.
type plan struct {
	shipments  int
	deliveries int
	rounds     int
	each       time.Duration // of one load
	seed       uint64
	record     bool
}

func main() {
	if isChild() {
		childMain()
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
		fmt.Fprintln(os.Stderr, "peers:", err)
		stop()
		os.Exit(1)
	}
}

func parse(args []string) (plan, error) {
	var p plan
	f := flag.NewFlagSet("peers", flag.ContinueOnError)
	f.IntVar(&p.shipments, "shipments", 20_000, "`number` of shipments in each database")
	f.IntVar(&p.deliveries, "deliveries", 20_000, "`number` of notifications that are delivered, rounded up a little")
	f.IntVar(&p.rounds, "rounds", 3, "`number` of rounds; figures are their medians")
	seconds := f.Float64("seconds", 2, "`length` of each load in each round")
	f.Uint64Var(&p.seed, "seed", 1, "`seed` of the records, of the requests and of the order of the rounds")
	f.BoolVar(&p.record, "record", false, "append the figures to "+resultsFile)
	if err := f.Parse(args); err != nil {
		return p, err
	}
	p.each = time.Duration(*seconds * float64(time.Second))
	err := p.check(f.NArg())
	if err != nil {
		fmt.Fprintln(f.Output(), "peers:", err)
	}
	return p, err
}

func (p plan) check(operands int) error {
	switch {
	case operands > 0:
		return errors.New("there are no operands, only flags")
	case p.shipments < 2*pageSize || p.shipments > 1_000_000:
		return fmt.Errorf("-shipments: give %d to 1000000", 2*pageSize)
	case p.deliveries < 1 || p.deliveries > 1_000_000:
		return errors.New("-deliveries: give 1 to 1000000")
	case p.rounds < 1 || p.rounds > 100:
		return errors.New("-rounds: give 1 to 100")
	case p.each < 10*time.Millisecond || p.each > time.Minute:
		return errors.New("-seconds: give 0.01 to 60")
	}
	return nil
}

// main runs the plan in a temporary directory and prints the figures to out.
func (p plan) main(ctx context.Context, out, progress io.Writer) (err error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	debug.SetGCPercent(gcPercent)
	results := ""
	if p.record { // fails before anything is measured
		results = filepath.Join(git(ctx, "rev-parse", "--show-toplevel"), resultsFile)
		if _, err := os.Stat(results); err != nil {
			return fmt.Errorf("-record: this is not the repository: %w", err)
		}
	}
	dir, err := os.MkdirTemp("", "landfall-peers-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r := &run{plan: p, dir: dir, progress: progress, begun: time.Now(), around: lookAround(ctx)}
	if err := r.measure(ctx); err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("given up: %w", context.Cause(ctx))
		}
		return err
	}
	text := r.markdown()
	if _, err := io.WriteString(out, text); err != nil || !p.record {
		return err
	}
	return appendTo(results, text)
}

// appendTo appends to the results file.
func appendTo(file, text string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, "\n"+text)
	return errors.Join(err, f.Close())
}
