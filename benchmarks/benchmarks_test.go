package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
)

var fleetSize = flag.Int("shipments", 300, "shipments in the database that the benchmarks use")

func TestMain(m *testing.M) {
	if isLoad() {
		loadMain()
		return
	}
	flag.Parse()
	os.Exit(m.Run())
}

// TestProgram runs the whole program on little data, load generator included.
func TestProgram(t *testing.T) {
	dir := t.TempDir()
	p, err := parse([]string{"-smoke", "-seconds", "0.1", "-dir", dir, "-cpuprofile", t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := p.main(t.Context(), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		"GET one shipment | ours", "page 1 | bare", "POST one report | ours", "| one caller |", "| 64 callers |",
		"| 1 |", "| 2 |", "| 3 |", "| 4 |", "| 8 |", "| 9 |", "| 10 |", "| 11 |", "| 13 |", "| 14 |", "Commit ", "Machine: ", "SQLite 3.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the figures have no %q", want)
		}
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{dir, host, "NaN", "Inf", "lf_"} {
		if secret != "" && strings.Contains(text, secret) {
			t.Errorf("the figures hold %q", secret)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestPlanRefusesWhatWouldNotEnd(t *testing.T) {
	for _, args := range []string{"-shipments 1", "-rounds 0", "-connections 0", "-seconds 0", "-seconds 3600", "-only (", "more", "-smoke -record"} {
		if _, err := parse(strings.Fields(args)); err == nil {
			t.Errorf("%s is accepted", args)
		}
	}
}

// TestVoyages holds the data to what the measurements rely on.
func TestVoyages(t *testing.T) {
	if testing.Short() {
		t.Skip("it hands in several hundred updates one by one")
	}
	e := newTestEngine(t)
	if got := len(e.big.ids); got != *fleetSize {
		t.Errorf("%d shipments in the database, want %d", got, *fleetSize)
	}
	for range len(e.fleet.live) + 20 {
		r, err := e.big.Ingest(t.Context(), e.fleet.update())
		if err != nil || r.New != 1 || r.Shipments != 1 || len(r.Warnings) > 0 {
			t.Fatalf("an update gave %+v, %v; want one new fact of one shipment", r, err)
		}
	}
}

func newTestEngine(tb testing.TB) *engine {
	tb.Helper()
	debug.SetGCPercent(gcPercent)
	ctx, cancel := context.WithCancel(context.Background())
	e, err := newEngine(ctx, tb.TempDir(), 1, *fleetSize)
	if err != nil {
		cancel()
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		cancel()
		if err := e.close(); err != nil {
			tb.Error(err)
		}
	})
	return e
}

// reportCPU reports what the process used of the processors from here to the
// call of what it returns: on a busy machine, that is steadier than the time.
func reportCPU(b *testing.B) func() {
	begin := cpuTime()
	return func() { b.ReportMetric(micros(cpuTime()-begin)/float64(b.N), "cpu-us/op") }
}

// BenchmarkHandler calls the finished handler in this process.
func BenchmarkHandler(b *testing.B) {
	e := newTestEngine(b)
	for _, c := range e.inProcess() {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			call := e.caller(c)
			defer reportCPU(b)()
			for b.Loop() {
				if _, err := call(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkIngest hands in one new fact of a known shipment at a time.
func BenchmarkIngest(b *testing.B) {
	e := newTestEngine(b)
	for _, way := range ingestWays {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			defer reportCPU(b)()
			var failed atomic.Pointer[error]
			b.SetParallelism(way.callers) // times GOMAXPROCS; one caller has a loop of its own
			ingest := func() {
				r, err := e.big.Ingest(context.Background(), e.fleet.update())
				if err == nil && r.New != 1 {
					err = fmt.Errorf("%d new facts", r.New)
				}
				if err != nil {
					failed.CompareAndSwap(nil, &err)
				}
			}
			if way.callers == 1 {
				for b.Loop() {
					ingest()
				}
			} else {
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						ingest()
					}
				})
			}
			if err := failed.Load(); err != nil {
				b.Fatal(*err)
			}
		})
	}
}
