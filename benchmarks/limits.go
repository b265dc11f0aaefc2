package main

import (
	"hash/maphash"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"github.com/landfallhq/tracking/internal/ratelimit"
)

// limitFigures are those of the exact limiter (goal 13). That it admits none
// too many is a property test of its package.
type limitFigures struct {
	keys         int
	allow, plain float64 // ns for a random key: Allow, and the look-up alone
	allocs       float64
	perKey       float64 // bytes of a key with one stamp
	perStamp     float64 // bytes of each further one
}

const (
	limitOf   = 100
	someCalls = 200_000
)

// measureLimiter compares the limiter with a look-up in a sharded map of the
// same size, with the same clock.
func measureLimiter(seed uint64, keys, rounds int) (f limitFigures) {
	f.keys = keys
	now := time.Now()
	before := heap()
	l := ratelimit.New(time.Minute)
	for i := range keys {
		l.Allow(now, take(i))
	}
	first := heap()
	f.perKey = (first - before) / float64(keys)
	plain := newShards(keys)
	random := rand.New(rand.NewPCG(seed, 3))
	var allow, look []float64
	for range rounds {
		allow = append(allow, nanos(func() { l.Allow(time.Now(), take(random.IntN(keys))) }))
		look = append(look, nanos(func() { plain.look(time.Now(), take(random.IntN(keys)).Scope) }))
	}
	f.allow, f.plain = median(allow), median(look)
	runtime.KeepAlive(l)
	runtime.KeepAlive(plain)

	before = heap()
	full := ratelimit.New(time.Minute)
	const few = 2000
	for i := range few {
		for range limitOf {
			full.Allow(now, take(i))
		}
	}
	f.perStamp = ((heap()-before)/few - f.perKey) / (limitOf - 1)
	// A ring that has grown takes stamps without any more memory.
	var m meter
	m.start()
	nanos(func() {
		now = now.Add(time.Second)
		full.Allow(now, take(0))
	})
	m.stop()
	f.allocs = math.Floor(m.figures(someCalls)[allocs]) // a few are the runtime's own
	return f
}

// nanos is how long one of many calls takes.
func nanos(call func()) float64 {
	begin := time.Now()
	for range someCalls {
		call()
	}
	return float64(time.Since(begin).Nanoseconds()) / someCalls
}

func take(i int) ratelimit.Quota {
	t := ratelimit.Quota{Limit: limitOf}
	t.Scope.ID = [16]byte{0: byte(i), 5: byte(i >> 8), 10: byte(i >> 16), 15: byte(i >> 24)}
	return t
}

// heap is what is in use after a collection.
func heap() float64 {
	runtime.GC()
	runtime.GC() // the first may leave what has finalizers
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// shards is the least that a limiter must do: find a key in a shared map.
type shards struct {
	seed maphash.Seed
	of   [64]struct {
		mu   sync.Mutex
		keys map[ratelimit.Scope]*window
		_    [48]byte
	}
}

type window struct {
	last  time.Time
	count int
}

func newShards(keys int) *shards {
	s := &shards{seed: maphash.MakeSeed()}
	for i := range s.of {
		s.of[i].keys = map[ratelimit.Scope]*window{}
	}
	for i := range keys {
		scope := take(i).Scope
		s.of[maphash.Comparable(s.seed, scope)%64].keys[scope] = &window{}
	}
	return s
}

func (s *shards) look(now time.Time, scope ratelimit.Scope) {
	shard := &s.of[maphash.Comparable(s.seed, scope)%64]
	shard.mu.Lock()
	w := shard.keys[scope]
	w.last = now
	w.count++
	shard.mu.Unlock()
}
