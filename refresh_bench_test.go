//go:build cgo && unix

package tracking_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage/sqlite"
	"github.com/landfallhq/tracking/trackingtest"
)

// BenchmarkRefreshRound has 10,000 shipments of two boxes and 14 facts refreshed
// once, by eight workers on the SQLite store, from sources that answer at once
// and say the same again: what is left is the engine's own work. It reports the
// CPU a shipment costs, what a tracked shipment keeps in memory and in the file,
// and how many answers were different, which must be none.
//
//	go test -run '^$' -bench RefreshRound -benchtime 1x .
func BenchmarkRefreshRound(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint("shipments=", n), func(b *testing.B) {
			if n > 1_000 && testing.Short() {
				b.Skip("takes a minute to set up")
			}
			f := newFollowed(b, n)
			cpu := time.Duration(0)
			for b.Loop() {
				f.clock.Advance(48 * time.Hour)
				f.asked.Store(0)
				begin := cpuUsed()
				f.round(b)
				cpu += cpuUsed() - begin
			}
			b.ReportMetric(float64(cpu.Microseconds())/float64(b.N*n), "cpu-us/shipment")
			b.ReportMetric(f.heap/float64(n), "heap-B/shipment")
			b.ReportMetric(float64(f.fileSize(b))/float64(n), "file-B/shipment")
		})
	}
}

// followed are tracked shipments of two lines.
type followed struct {
	*tracking.Tracker
	clock *trackingtest.Clock
	n     int
	asked atomic.Int64
	path  string
	heap  float64 // grown by
}

func newFollowed(b *testing.B, n int) *followed {
	b.Helper()
	f := &followed{clock: trackingtest.NewClock(), n: n, path: filepath.Join(b.TempDir(), "landfall.db")}
	store, err := sqlite.Open(f.path, sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	source := ask(func(_ context.Context, q tracking.SourceQuery) (tracking.Answer, error) {
		f.asked.Add(1)
		return tracking.Answer{Report: tracking.Report{Source: "carrier", SCAC: q.SCAC, Facts: longVoyage(q.Number)}}, nil
	})
	if f.Tracker, err = tracking.New(tracking.Config{
		Store: store, Clock: f.clock, Workers: 8, Logger: slog.New(slog.DiscardHandler),
		Sources: tracking.Sources{"MAEU": source, "MSCU": source},
	}); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	account, _, err := f.EnsureAccount(ctx, "bench")
	if err != nil {
		b.Fatal(err)
	}
	before := heapInUse()
	user := f.For(tracking.Actor{Account: account.Scope()})
	for i := range n {
		r := tracking.NewTrackingRequest{Number: fmt.Sprintf("FOLLOWED%06d", i), Type: tracking.BillOfLading, SCAC: []string{"MAEU", "MSCU"}[i%2]}
		if _, err := user.CreateTrackingRequest(ctx, r); err != nil {
			b.Fatal(err)
		}
	}
	f.round(b)
	f.heap = heapInUse() - before
	return f
}

// round does what is due, until every shipment was asked about once more.
func (f *followed) round(b *testing.B) {
	b.Helper()
	for f.asked.Load() < int64(f.n) {
		if _, err := f.RunOnce(ctx); err != nil {
			b.Fatal(err)
		}
	}
	if n := f.asked.Load(); n != int64(f.n) {
		b.Fatalf("%d questions about %d shipments", n, f.n)
	}
}

func (f *followed) fileSize(b *testing.B) int64 {
	b.Helper()
	info, err := os.Stat(f.path)
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}

// longVoyage is what a source may know of two boxes at sea: 14 facts.
func longVoyage(number string) (facts []tracking.Fact) {
	for i, box := range []string{"APZU4812090", "CSQU3054383"} {
		for _, f := range voyage(number) {
			f.ID, f.Containers = fmt.Sprint(number, f.ID, i), []string{box}
			facts = append(facts, f)
			if f.Activity == freight.Loading || f.Activity == freight.Departure || f.Activity == freight.GateOut {
				f.ID, f.Classifier, f.RecordedAt = f.ID+"planned", freight.Planned, f.RecordedAt.AddDate(0, 0, -9)
				facts = append(facts, f)
			}
		}
	}
	return facts
}

func cpuUsed() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func heapInUse() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
