package main

import (
	"context"
	"log/slog"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// memorySettings bound the memory of the server.
type memorySettings struct {
	// available is what the process may use; 0 means the limit of its cgroup, or else
	// no limit.
	available size
	// bodies is the memory of request bodies; 0 means a part of what is available.
	bodies size
}

const (
	// goPart is the part of the available memory that Go may use. SQLite's caches take
	// memory that Go does not count.
	goPart = 0.8
	// Request bodies and what is parsed from them may take an eighth of the memory,
	// within these bounds.
	bodiesPart     = 8
	leastForBodies = 32 << 20
	mostForBodies  = 1 << 30
	// leastBodies is the least that --body-memory can be: the largest body.
	leastBodies = 16 << 20
	// leastMemory is the least that --memory can be: what an idle server needs.
	leastMemory = 128 << 20
)

func (m *memorySettings) declare(f *flags) {
	f.Var(&m.available, "memory", "`SIZE` of the memory that the server may use; 0 means the limit of its cgroup, or else none. GOMEMLIMIT overrides it")
	f.Var(&m.bodies, "body-memory", "`SIZE` of the memory of request bodies and what is parsed from them, a quarter of it for one account; 0 means an eighth of the memory, from 32MiB to 1GiB")
}

func (m *memorySettings) check() error {
	switch {
	case m.available != 0 && m.available < leastMemory:
		return usageErrorf("--memory: %s is too little: use at least 128MiB, or 0 for the limit of the cgroup", &m.available)
	case m.bodies != 0 && m.bodies < leastBodies:
		return usageErrorf("--body-memory: %s is less than the largest body: use at least 16MiB, or 0 for an eighth of the memory", &m.bodies)
	}
	return nil
}

// apply sets the limit of Go's memory and the default of bodies.
func (m *memorySettings) apply(log *slog.Logger, getenv func(string) string) {
	limit := uint64(m.available)
	if limit == 0 {
		limit, _ = memlimit.FromCgroup() // an error means that there is none
	}
	if limit > 0 && limit < math.MaxInt64 && getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(float64(limit) * goPart))
		log.Info("limited memory", "available", formatSize(limit), "for_go", formatSize(uint64(float64(limit)*goPart)))
	}
	if m.bodies != 0 {
		return
	}
	if limit == 0 {
		limit, _ = memlimit.FromSystem()
	}
	m.bodies = size(min(max(limit/bodiesPart, leastForBodies), mostForBodies))
}

// formatSize returns a size in whole MiB.
func formatSize(n uint64) string {
	s := size(n >> 20 << 20)
	return s.String()
}

const (
	// returnEvery is how often returnMemory looks.
	returnEvery = 5 * time.Second
	// returnAbove is what Go may hold without use before it is given back.
	returnAbove = 64 << 20
)

// returnMemory gives memory back to the system after a peak, until ctx ends. Go does
// that by itself while it collects garbage. But a server that has become quiet makes
// none, and would keep the memory of the peak for minutes.
func returnMemory(ctx context.Context) {
	tick := time.NewTicker(returnEvery)
	defer tick.Stop()
	last := readHeap()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := readHeap()
		if now.cycles == last.cycles && now.held > last.returned+returnAbove {
			debug.FreeOSMemory()
			now = readHeap()
			now.returned = now.held
		} else if now.cycles == last.cycles {
			now.returned = last.returned
		}
		last = now
	}
}

// heap is the state of Go's heap.
type heap struct {
	cycles uint64 // garbage collections
	held   uint64 // bytes of objects, dead ones included, and of free memory
	// returned is held after memory was given back, if that was in the same state.
	returned uint64
}

func readHeap() heap {
	samples := []metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	return heap{cycles: samples[0].Value.Uint64(), held: samples[1].Value.Uint64() + samples[2].Value.Uint64()}
}
