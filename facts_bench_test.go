//go:build cgo && unix

package tracking_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
	"github.com/landfallhq/tracking/storage/sqlite"
)

// BenchmarkFact is what one new fact costs on the SQLite store, each in a report
// and a commit of its own: of an ordinary shipment, and of one of a thousand
// containers, where it names one of them or the whole shipment. It is announced.
//
// This file needs no other of the tests, so that it can be put beside the sources
// of an older commit: benchmarks -before does so, and runs the two in turns.
//
//	go test -run '^$' -bench '^BenchmarkFact$' -benchtime 50x .
func BenchmarkFact(b *testing.B) {
	b.Run("ordinary", func(b *testing.B) {
		k := newFactsAccount(b)
		for i := range knownShipments {
			k.ingest(b, true, ladenShipment(fmt.Sprintf("ORDINARY%05d", i), 3*i, 3)...)
		}
		k.measure(b, func(n int) tracking.Fact {
			i := n % knownShipments
			number := fmt.Sprintf("ORDINARY%05d", i)
			switch n % 3 {
			case 0:
				return shipmentFact(number, freight.Arrival, freight.Estimated, rotterdam, 30*24+n)
			case 1:
				return containerFact(number, 3*i+n%2, freight.Discharge, freight.Laden, rotterdam, 31*24+n)
			}
			return terminalReport(number, 3*i+n%2, n)
		})
	})
	for _, one := range []struct {
		name string
		fact func(n int) tracking.Fact
	}{
		{"container-of-1000", func(n int) tracking.Fact {
			return containerFact("THOUSAND", n*37%1000, freight.Discharge, freight.Laden, rotterdam, 31*24+n)
		}},
		{"shipment-of-1000", func(n int) tracking.Fact {
			return shipmentFact("THOUSAND", freight.Arrival, freight.Estimated, rotterdam, 30*24+n)
		}},
	} {
		b.Run(one.name, func(b *testing.B) {
			k := newFactsAccount(b)
			k.ingest(b, true, ladenShipment("THOUSAND", 0, 1000)...)
			k.measure(b, one.fact)
		})
	}
}

const knownShipments = 300

// factsAccount is an account with shipments.
type factsAccount struct{ *tracking.Tracker }

func newFactsAccount(b *testing.B, options ...func(*tracking.Config)) factsAccount {
	b.Helper()
	store, err := sqlite.Open(filepath.Join(b.TempDir(), "landfall.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	config := tracking.Config{Store: store, Logger: slog.New(slog.DiscardHandler)}
	for _, o := range options {
		o(&config)
	}
	operator, err := tracking.New(config)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { operator.Close() })
	account, _, err := operator.EnsureAccount(context.Background(), "facts")
	if err != nil {
		b.Fatal(err)
	}
	return factsAccount{operator.For(tracking.Actor{Account: account.Scope()})}
}

// ingest hands facts in, which must be new.
func (k factsAccount) ingest(b *testing.B, silent bool, facts ...tracking.Fact) {
	b.Helper()
	receipt, err := k.Ingest(context.Background(), tracking.Report{Source: "carrier", SCAC: "MAEU", Silent: silent, Facts: facts})
	if err != nil || receipt.New != len(facts) || receipt.Shipments != 1 {
		b.Fatalf("%d facts: %+v, %v", len(facts), receipt, err)
	}
}

// measure hands the facts in one by one.
func (k factsAccount) measure(b *testing.B, fact func(n int) tracking.Fact) {
	b.ReportAllocs()
	n := 0
	begin := time.Duration(0)
	for b.Loop() {
		if n == 0 {
			begin = cpuOfProcess(b)
		}
		k.ingest(b, false, fact(n))
		n++
	}
	b.ReportMetric(float64((cpuOfProcess(b)-begin).Microseconds())/float64(n), "cpu-us/op")
}

var (
	shanghai  = tracking.Place{LOCODE: "CNSHA", SMDG: "SHENG", Facility: "Shengdong International"}
	rotterdam = tracking.Place{LOCODE: "NLRTM", SMDG: "RWG", Facility: "Rotterdam World Gateway"}
	firstHour = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
)

// ladenShipment is what is known of a shipment whose ship is at sea: four facts of each
// box, and some of them all.
func ladenShipment(number string, from, boxes int) []tracking.Fact {
	facts := []tracking.Fact{
		shipmentFact(number, freight.Departure, freight.Estimated, shanghai, 72),
		shipmentFact(number, freight.Arrival, freight.Estimated, rotterdam, 28*24),
		shipmentFact(number, freight.Departure, freight.Actual, shanghai, 75),
	}
	for box := from; box < from+boxes; box++ {
		facts = append(facts,
			containerFact(number, box, freight.GateOut, freight.Empty, shanghai, 0),
			containerFact(number, box, freight.GateIn, freight.Laden, shanghai, 48),
			containerFact(number, box, freight.Loading, freight.Laden, shanghai, 70))
	}
	return facts
}

// shipmentFact is a fact about all of a shipment, so many hours after the first.
func shipmentFact(number string, what freight.Activity, class freight.Classifier, at tracking.Place, hours int) tracking.Fact {
	return tracking.Fact{
		ID: fmt.Sprint(number, what, class, at.LOCODE), Activity: what, Classifier: class, Place: at, Mode: freight.ByVessel,
		Vessel: tracking.VesselRef{IMO: "9321483", Name: "EMMA MAERSK"}, Voyage: "104W",
		At: tracking.Moment{Time: firstHour.Add(time.Duration(hours) * time.Hour)}, RecordedAt: firstHour.Add(time.Duration(hours) * time.Minute),
		Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: number}},
	}
}

// containerFact is one about one of its boxes.
func containerFact(number string, box int, what freight.Activity, load freight.LoadStatus, at tracking.Place, hours int) tracking.Fact {
	f := shipmentFact(number, what, freight.Actual, at, hours)
	name := fmt.Sprintf("MRKU%06d", box)
	_, digit := refdata.CheckDigit(name + "0")
	f.ID, f.LoadStatus, f.Containers = fmt.Sprint(f.ID, box), load, []string{fmt.Sprint(name, digit)}
	if what == freight.GateOut || what == freight.GateIn {
		f.Mode, f.Vessel, f.Voyage = freight.ByTruck, tracking.VesselRef{}, ""
	}
	return f
}

// terminalReport is the n-th that a terminal says of a box.
func terminalReport(number string, box, n int) tracking.Fact {
	f := containerFact(number, box, freight.TerminalStatus, "", rotterdam, 31*24+n)
	free := n%2 == 0
	f.Mode, f.Vessel, f.Voyage, f.DataSource = "", tracking.VesselRef{}, "", freight.FromTerminal
	f.Terminal = &freight.TerminalFacts{Available: &free, Yard: fmt.Sprint("Row ", n)}
	return f
}

func cpuOfProcess(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
