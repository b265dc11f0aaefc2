package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/sqlite"
)

// generator fills a new database with the shipments of a fleet as the engine writes
// them: workers ingest reports on stores that keep nothing and record each write,
// and one transaction per account applies these writes to the file, in the order of
// the reports. So the reports are ingested on all processors, and the file is
// written without a log and without waiting for the disk.
type generator struct {
	file      string
	seed      uint64
	shipments int
	accounts  int
	memory    int64            // bytes for the pages of the file
	now       func() time.Time // nil for the system's
	say       func(string, ...any)
}

const (
	// shipmentsPerReport: more at once gain nothing, and hold more memory.
	shipmentsPerReport = 25
	// reportsAhead is how many reports are ingested before their writes are applied.
	reportsAhead = 64
	// generatorMemory is the default for the pages of the file. What is written at
	// random places, which are the terms, takes some 4 KB a shipment.
	generatorMemory = 6 << 30
	// generatorHeap is how large the heap grows before it is collected.
	generatorHeap = 2 << 30
	// bytesPerShipment is what a shipment takes on the disk at most, in bytes.
	bytesPerShipment = 64 << 10
)

// reportOrder is one report that a worker is to ingest.
type reportOrder struct {
	voyages [2]int // from, to
	report  tracking.Report
	before  int // facts of the account in earlier reports
	at      time.Time
	result  chan reportResult
}

// reportResult is what the engine wrote for it.
type reportResult struct {
	operations []operation
	receipt    tracking.Receipt
	err        error
}

// generated is an account that was filled.
type generated struct {
	account
	name string
	filling
}

// run fills the file. What was begun is removed when that fails.
func (g *generator) run(ctx context.Context) (filled []generated, err error) {
	if _, err := os.Stat(g.file); !errors.Is(err, fs.ErrNotExist) {
		return nil, cmp.Or(err, fmt.Errorf("-db: %s is there already: name a file that is not", g.file))
	}
	if err := g.enoughSpace(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, removeDatabase(g.file))
		}
	}()
	db, err := sqlite.Open(g.file, sqlite.Options{FillBytes: g.memory, FillNew: shipmentKinds})
	if err != nil {
		return nil, err
	}
	operator, err := tracking.New(tracking.Config{Store: db, Logger: quiet})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	fleet := newFleet(g.seed, g.shipments)
	fleet.today = g.clock()
	for n := range g.accounts {
		one, err := g.fillAccount(ctx, db, operator, fleet, n)
		if err != nil {
			return nil, errors.Join(err, operator.Close())
		}
		filled = append(filled, one)
	}
	g.say("written; making the indexes, and waiting for the disk")
	return filled, operator.Close()
}

func (g *generator) enoughSpace() error {
	free, err := freeSpace(filepath.Dir(g.file))
	if need := int64(g.shipments) * bytesPerShipment; err == nil && free < need {
		err = fmt.Errorf("%d shipments need some %.1f GB and the disk has %.1f GB free", g.shipments, gigabytes(need), gigabytes(free))
	}
	return err
}

func removeDatabase(file string) (err error) {
	for _, end := range []string{"", "-wal", "-shm"} {
		if gone := os.Remove(file + end); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// fillAccount makes the n-th account and gives it its part of the fleet.
func (g *generator) fillAccount(ctx context.Context, db tracking.Store, operator *tracking.Tracker, f *fleet, n int) (one generated, err error) {
	one.name = fmt.Sprintf("generated %d", n+1)
	made, _, err := operator.EnsureAccount(ctx, one.name)
	if err != nil {
		return one, err
	}
	one.scope = made.Scope()
	if one.key, _, err = operator.CreateKey(ctx, tracking.NewKey{Account: one.scope}); err != nil {
		return one, err
	}
	from, to := g.shipments*n/g.accounts, g.shipments*(n+1)/g.accounts
	watch := startWatch()
	ctx, cancel := context.WithCancel(ctx)
	orders, ahead := make(chan reportOrder), make(chan reportOrder, reportsAhead)
	var working sync.WaitGroup
	defer working.Wait()
	defer cancel()
	working.Go(func() { g.order(ctx, f, from, to, orders, ahead) })
	for range runtime.GOMAXPROCS(0) {
		working.Go(func() { ingestReports(ctx, one.scope, orders) })
	}
	err = db.Update(ctx, one.scope, func(tx store.RecordTx) error { return g.write(ctx, tx, &one, ahead) })
	one.rows, one.filling.watch = one.filling.shipments, watch.stop()
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && one.filling.shipments != to-from {
		err = fmt.Errorf("%d shipments of %d voyages", one.filling.shipments, to-from)
	}
	return one, err
}

// order sends the reports of some voyages to the workers, and in the same order to
// the writer. It waits while the writer is reportsAhead behind.
func (g *generator) order(ctx context.Context, f *fleet, from, to int, orders, ahead chan<- reportOrder) {
	defer close(ahead)
	defer close(orders)
	facts := 0
	for ; from < to; from += shipmentsPerReport {
		o := reportOrder{voyages: [2]int{from, min(to, from+shipmentsPerReport)}, before: facts, at: g.clock(), result: make(chan reportResult, 1)}
		o.report = fleetReport(f, o.voyages)
		facts += len(o.report.Facts)
		for _, to := range []chan<- reportOrder{ahead, orders} {
			select {
			case to <- o:
			case <-ctx.Done():
				return
			}
		}
	}
}

func (g *generator) clock() time.Time {
	if g.now != nil {
		return g.now()
	}
	return time.Now()
}

// reportClock stands at the time of the report that is ingested.
type reportClock struct{ at time.Time }

func (c *reportClock) Now() time.Time { return c.at }

// ingestReports ingests reports until there are no more.
func ingestReports(ctx context.Context, a tracking.AccountID, orders <-chan reportOrder) {
	db, clock := newStagingStore(), &reportClock{time.Now()}
	operator, err := tracking.New(tracking.Config{Store: db, Clock: clock, Logger: quiet})
	if err == nil {
		defer operator.Close()
	}
	for o := range orders {
		if err != nil {
			o.result <- reportResult{err: err}
			continue
		}
		clock.at = o.at
		var t reportResult
		t.operations, t.receipt, t.err = db.ingest(ctx, operator.For(tracking.Actor{Account: a}), a, o.report, o.before)
		o.result <- t
	}
}

// fleetReport is what is known of some voyages when a database is filled.
func fleetReport(f *fleet, voyages [2]int) tracking.Report {
	var facts []tracking.Fact
	for i := voyages[0]; i < voyages[1]; i++ {
		facts = append(facts, f.begin(i)...)
	}
	r := report(facts...)
	r.Silent = true
	return r
}

// write applies the results to the file in the order of the reports.
func (g *generator) write(ctx context.Context, tx store.RecordTx, to *generated, ahead <-chan reportOrder) error {
	shared := map[recordKey]store.Write{}
	said := startWatch()
	begun := said
	for o := range ahead {
		var t reportResult
		select {
		case t = <-o.result:
		case <-ctx.Done():
			return ctx.Err()
		}
		if t.err != nil {
			return fmt.Errorf("voyages %d to %d: %w", o.voyages[0], o.voyages[1], t.err)
		}
		for _, w := range t.operations {
			again, err := w.repeats(shared)
			if err == nil && !again {
				err = w.apply(ctx, tx)
			}
			if err != nil {
				return err
			}
		}
		to.filling.add(t.receipt)
		if now := said.stop(); now.took > 10*time.Second {
			said = startWatch()
			all := begun.stop()
			g.say("%s: %d shipments in %s, %.0f a second, %.2f ms of CPU each", to.name, to.filling.shipments, all.took.Round(time.Second),
				float64(to.filling.shipments)/all.took.Seconds(), micros(all.cpu)/1000/float64(to.filling.shipments))
		}
	}
	return nil
}

// repeats reports whether the operation writes a shared record, such as a ship, that
// another worker has written already. It returns an error when the two differ.
func (w *operation) repeats(shared map[recordKey]store.Write) (bool, error) {
	if !w.shared() {
		return false, nil
	}
	key := recordKey{kind: w.kind.Name, id: w.write.ID}
	before, ok := shared[key]
	if !ok {
		shared[key] = w.write
		return false, nil
	}
	if !bytes.Equal(before.Doc, w.write.Doc) || !bytes.Equal(before.Private, w.write.Private) {
		return false, fmt.Errorf("%s %s is made in two ways, so the order in which reports are reportResult in counts: %s and %s", w.kind.Name, w.write.ID, before.Doc, w.write.Doc)
	}
	return true, nil
}

// generate is the program with -fill.
func (p *plan) generate(ctx context.Context, out, progress io.Writer) error {
	begun := time.Now()
	// Little lives long here, so that the collector would run without end.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(generatorHeap)
	g := generator{file: p.db, seed: p.seed, shipments: p.fillTo, accounts: p.accounts, memory: p.memory << 20,
		say: func(format string, args ...any) {
			fmt.Fprintf(progress, "%4.0f s  %s\n", time.Since(begun).Seconds(), fmt.Sprintf(format, args...))
		}}
	filled, err := g.run(ctx)
	if err != nil {
		return err
	}
	bytes, err := size(g.file)
	if err != nil {
		return err
	}
	for _, one := range filled {
		n := &one.filling
		fmt.Fprintf(out, "account %s, key %s: %d shipments, %d containers, %d events, %d facts, %.2f ms of CPU a shipment\n",
			one.name, one.key, n.shipments, n.containers, n.events, n.facts, micros(n.watch.cpu)/1000/float64(n.shipments))
	}
	took := time.Since(begun)
	_, err = fmt.Fprintf(out, "%d shipments in %s: %.0f a second, %.1f GB\n", g.shipments, took.Round(time.Second/10), float64(g.shipments)/took.Seconds(), gigabytes(bytes))
	return err
}
