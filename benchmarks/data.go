package main

import (
	"fmt"
	"time"

	"github.com/landfallhq/tracking"
)

// data is a database that is filled for the measurements.
type data struct {
	file   string
	bytes  int64 // of the file, once filled
	filled []filling
	fleet  *fleet // of working

	// The engine has filled the small account and the working one, which updates
	// go to. The large one has copies of the shipments of the small one.
	small, working, large account
	// single has one shipment.
	single account
	// thinned has parties, one in ten of which were deleted.
	thinned account
	parties int // that thinned had before
}

// account is a tenant with a key.
type account struct {
	scope tracking.AccountID
	key   string
	// rows is how many shipments it has, or parties.
	rows int
	// ids are some of its shipments, for requests of a single one.
	ids []tracking.ID
}

// filling is how an account was filled.
type filling struct {
	what                                 string
	shipments, containers, facts, events int
	watch                                watch // 0: an earlier run has filled it
	bytes                                int64 // by which the file has grown
}

func (f *filling) add(r tracking.Receipt) {
	f.shipments += r.Shipments
	f.containers += r.Containers
	f.facts += r.New
	f.events += r.Events
}

// count counts a record.
func (f *filling) count(kind string) {
	switch kind {
	case "shipment":
		f.shipments++
	case "container":
		f.containers++
	case "raw_event":
		f.facts++
	case "transport_event":
		f.events++
	}
}

func (f *filling) String() string {
	each := float64(max(1, f.shipments))
	text := fmt.Sprintf("%d shipments, %d containers (%.2f each), %d events (%.2f each), %d facts", f.shipments,
		f.containers, float64(f.containers)/each, f.events, float64(f.events)/each, f.facts)
	if f.watch.took == 0 {
		return text + ", filled by an earlier run"
	}
	return text + fmt.Sprintf(", %s in %s: %.1f KB and %.2f ms of CPU a shipment", megabytes(f.bytes), f.watch.took.Round(100*time.Millisecond),
		float64(f.bytes)/1024/each, micros(f.watch.cpu)/1000/each)
}

const (
	// fewShipments are in the small account, and mostWorking at most in the one
	// that updates go to.
	fewShipments = 33 * pageSize
	mostWorking  = 10_000
	// mostIDs is how many single shipments are asked for.
	mostIDs = 20_000
	// someParties is how many parties are made: enough for page 3000 when one in
	// ten is gone.
	someParties = 101_000
)

// sizes are how many shipments the accounts get, and how many parties.
type sizes struct{ few, working, large, parties int }

// sizesFor are those for a large account of at least n shipments: so many that
// its newest page, its oldest, and others between them hold copies of the same
// voyages, see copies.
func sizesFor(n int) sizes {
	few := min(fewShipments, max(2, n/10/pageSize)*pageSize)
	rounds := (n - pageSize + few - 1) / few
	return sizes{few: few, working: min(mostWorking, n), large: pageSize + rounds*few, parties: min(someParties, n)}
}

// watch is how long something took, and how much of the processors.
type watch struct {
	from      time.Time
	took, cpu time.Duration
}

func startWatch() watch { return watch{from: time.Now(), cpu: cpuTime()} }

func (w watch) stop() watch { return watch{took: time.Since(w.from), cpu: cpuTime() - w.cpu} }
