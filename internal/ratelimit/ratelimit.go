// Package ratelimit counts events in exact rolling windows.
//
// With a window of 60 s and a limit of N, an event at now is admitted if and only
// if fewer than N admitted events lie in (now-60s, now]. A refused event is not
// recorded, and the instant 60 s after an event is free of it again. A token
// bucket does not do that: it lets through up to 2N-1 events in one window.
//
// The rule needs the last N admitted stamps only: there is room when the N-th last
// is a window old. That one look-up is the whole cost, and it gives the time to
// wait exactly.
package ratelimit

import (
	"hash/maphash"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"
)

// Scope is what a window belongs to, such as an account in one bucket of the
// interface or the network address of a caller.
type Scope struct {
	// Kind keeps apart what could share an ID; its values are the caller's.
	Kind uint8
	// ID is a UUID, or an address in its 16-byte form.
	ID [16]byte
}

// Take is one event to be counted against one scope.
type Take struct {
	Scope Scope
	// Limit is the number of events that a window holds; 0 and less mean no limit,
	// and then nothing is recorded.
	Limit int
}

const (
	shardCount = 64 // one bit each in the set of shards to lock
	maxTakes   = 4
	firstRing  = 8

	// sweepSteps is how many idle scopes one call may drop from each shard it
	// locks. More than one, so that dropping outruns creating.
	sweepSteps = 16

	// roundSteps is how many it may drop from the shard whose turn it is, and
	// roundsPerWindow how many turns a window has. Without turns, the remains of a
	// crowd would stay in shards that no later call happens to touch.
	roundSteps      = 2048
	roundsPerWindow = 4 * shardCount

	// grace is added to the window before a scope is dropped. Concurrent callers
	// read the clock before they wait for a lock, so now may go back a little from
	// call to call; what an earlier now still counts must still be there.
	grace = time.Second

	// shrinkAbove is the number of scopes from which a shard's map is worth
	// rebuilding: a Go map keeps its memory when its entries are deleted.
	shrinkAbove = 256
)

// Limiter holds the windows of any number of scopes. It is safe for concurrent
// use and starts no goroutine.
//
// A scope costs about 200 bytes after one event and 8 bytes more for each event that
// a window has held at once, in steps of doubling. A scope without an event in the
// last window and a second is dropped by later calls, a few each, or by Sweep.
type Limiter struct {
	window time.Duration
	seed   maphash.Seed
	// epoch is the first now seen. Stamps are distances from it, so that a now
	// with a monotonic reading is measured by that reading: setting the wall clock
	// neither opens nor shuts a window.
	epoch  atomic.Pointer[time.Time]
	round  atomic.Int64 // number of the last turn taken
	shards [shardCount]shard
}

type shard struct {
	mu      sync.Mutex
	scopes  map[Scope]*ring
	peak    int   // most scopes since scopes was made
	idlest  *ring // ends of a list in the order of the last event
	busiest *ring
	_       [24]byte // a cache line of its own
}

// ring holds the newest stamps of one scope, in order, in nanoseconds.
type ring struct {
	stamps     []int64
	oldest     int // index of the oldest stamp
	held       int // number of stamps
	scope      Scope
	prev, next *ring // towards idlest and busiest
}

// New returns a Limiter whose windows have the given length, which must be
// positive.
func New(window time.Duration) *Limiter {
	if window <= 0 {
		panic("ratelimit: window must be positive")
	}
	l := &Limiter{window: window, seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i].scopes = make(map[Scope]*ring)
	}
	return l
}

// Allow records one event at now against every scope of takes if all have room,
// and else against none. It looks and records under one lock, so no two calls can
// share the last place. When it refuses, retryAfter is the whole number of seconds,
// at least 1, after which the same call is admitted if nothing else is recorded
// meanwhile; a second less would be refused.
//
// A scope named twice counts once, against the smallest limit. A call has room for
// four takes; more is a mistake of the program, and panics.
//
// Should now be before the last event of a scope, it counts as the time of that
// event: stamps stay in order. Times with a monotonic reading do not go back; of
// others that go back by more than a second, a scope dropped meanwhile knows
// nothing.
func (l *Limiter) Allow(now time.Time, takes ...Take) (retryAfter time.Duration, ok bool) {
	if len(takes) > maxTakes {
		panic("ratelimit: too many takes")
	}
	at := l.begin(now)
	var (
		where [maxTakes]int
		found [maxTakes]*ring
		locks uint64
	)
	for i, t := range takes {
		if t.Limit > 0 {
			where[i] = l.shardOf(t.Scope)
			locks |= 1 << where[i]
		}
	}
	l.lock(locks)
	defer l.unlock(locks)

	for i, t := range takes {
		if t.Limit <= 0 {
			continue
		}
		found[i] = l.shards[where[i]].scopes[t.Scope]
		retryAfter = max(retryAfter, l.wait(found[i], at, t.Limit))
	}
	ok = retryAfter == 0
	for i, t := range takes {
		if t.Limit > 0 && ok && !namedBefore(takes[:i], t.Scope) {
			l.record(&l.shards[where[i]], found[i], at, t)
		}
	}
	// Only now: a ring in found may have been idle until it was recorded to.
	for set := locks; set != 0; set &= set - 1 {
		l.sweep(&l.shards[bits.TrailingZeros64(set)], at, sweepSteps)
	}
	return retryAfter, ok
}

// Full tells whether the scope's window holds Limit events or more at now, and the
// whole number of seconds, at least 1, until it no longer does. It records nothing.
// With Record it counts what cannot be refused beforehand, such as failed
// authentications: "above 100" is a Limit of 101.
func (l *Limiter) Full(now time.Time, t Take) (retryAfter time.Duration, full bool) {
	if t.Limit <= 0 {
		return 0, false
	}
	at := l.begin(now)
	s := &l.shards[l.shardOf(t.Scope)]
	s.mu.Lock()
	defer s.mu.Unlock()
	retryAfter = l.wait(s.scopes[t.Scope], at, t.Limit)
	l.sweep(s, at, sweepSteps)
	return retryAfter, retryAfter > 0
}

// Record counts an event at now whether or not there is room. Only the newest
// Limit events of a scope are kept, which is all that Full needs to know; use a
// scope with one limit, and either with Allow or with Record.
func (l *Limiter) Record(now time.Time, t Take) {
	if t.Limit <= 0 {
		return
	}
	at := l.begin(now)
	s := &l.shards[l.shardOf(t.Scope)]
	s.mu.Lock()
	defer s.mu.Unlock()
	l.record(s, s.scopes[t.Scope], at, t)
	l.sweep(s, at, sweepSteps)
}

// Sweep drops every scope without an event in the window and a second before now.
// The other methods do so a little at a time; call it where silence may follow a
// crowd.
func (l *Limiter) Sweep(now time.Time) {
	at := l.stamp(now)
	for i := range l.shards {
		s := &l.shards[i]
		s.mu.Lock()
		l.sweep(s, at, len(s.scopes))
		s.mu.Unlock()
	}
}

// Len returns the number of scopes held, idle ones that are not yet dropped
// included.
func (l *Limiter) Len() int {
	n := 0
	for i := range l.shards {
		s := &l.shards[i]
		s.mu.Lock()
		n += len(s.scopes)
		s.mu.Unlock()
	}
	return n
}

func (l *Limiter) stamp(now time.Time) int64 {
	epoch := l.epoch.Load()
	if epoch == nil {
		first := now // a copy, so that now itself stays on the stack
		l.epoch.CompareAndSwap(nil, &first)
		epoch = l.epoch.Load()
	}
	return int64(now.Sub(*epoch))
}

// begin returns the stamp of now, after it has swept a shard if a turn is due. No
// lock may be held.
func (l *Limiter) begin(now time.Time) int64 {
	at := l.stamp(now)
	turn := at / max(1, int64(l.window)/roundsPerWindow)
	last := l.round.Load()
	// After long silence the next calls catch up, one shard each, and go round once.
	next := max(last+1, turn-shardCount+1)
	if turn > last && l.round.CompareAndSwap(last, next) {
		s := &l.shards[next%shardCount]
		s.mu.Lock()
		l.sweep(s, at, roundSteps)
		s.mu.Unlock()
	}
	return at
}

func (l *Limiter) shardOf(s Scope) int {
	return int(maphash.Comparable(l.seed, s) % shardCount)
}

// lock takes the shards of a set in ascending order, so that two calls with
// several scopes cannot wait for each other.
func (l *Limiter) lock(set uint64) {
	for ; set != 0; set &= set - 1 {
		l.shards[bits.TrailingZeros64(set)].mu.Lock()
	}
}

func (l *Limiter) unlock(set uint64) {
	for ; set != 0; set &= set - 1 {
		l.shards[bits.TrailingZeros64(set)].mu.Unlock()
	}
}

// wait returns the whole seconds from at until the window of r, which may be nil,
// has room for one more event; 0 when it has room at once.
func (l *Limiter) wait(r *ring, at int64, limit int) time.Duration {
	if r == nil || r.held < limit {
		return 0
	}
	free := r.last(limit) + int64(l.window)
	if free <= max(at, r.last(1)) {
		return 0
	}
	// The wait is from the caller's own clock, even if that is behind the stamps.
	d := time.Duration(free - at)
	return (d + time.Second - 1) / time.Second * time.Second
}

// record adds a stamp to r, or to a new ring when r is nil.
func (l *Limiter) record(s *shard, r *ring, at int64, t Take) {
	if r == nil {
		r = &ring{scope: t.Scope, stamps: make([]int64, min(firstRing, t.Limit))}
		s.scopes[t.Scope] = r
		s.peak = max(s.peak, len(s.scopes))
	} else {
		at = max(at, r.last(1))
		s.unlink(r)
	}
	r.push(at, int64(l.window), t.Limit)
	s.append(r)
}

// sweep drops up to steps idle scopes. The list is in the order of the last event,
// so the first scope that is not idle ends the search.
func (l *Limiter) sweep(s *shard, at int64, steps int) {
	for ; steps > 0 && s.idlest != nil && s.idlest.last(1)+int64(l.window+grace) <= at; steps-- {
		r := s.idlest
		s.unlink(r)
		delete(s.scopes, r.scope)
	}
	if s.peak >= shrinkAbove && len(s.scopes) < s.peak/4 {
		smaller := make(map[Scope]*ring, len(s.scopes))
		for k, r := range s.scopes {
			smaller[k] = r
		}
		s.scopes, s.peak = smaller, len(smaller)
	}
}

func (s *shard) unlink(r *ring) {
	if r.prev != nil {
		r.prev.next = r.next
	} else {
		s.idlest = r.next
	}
	if r.next != nil {
		r.next.prev = r.prev
	} else {
		s.busiest = r.prev
	}
	r.prev, r.next = nil, nil
}

func (s *shard) append(r *ring) {
	r.prev = s.busiest
	if s.busiest != nil {
		s.busiest.next = r
	} else {
		s.idlest = r
	}
	s.busiest = r
}

// last returns the n-th newest stamp; n is from 1 to held.
func (r *ring) last(n int) int64 {
	i := r.oldest + r.held - n
	if i >= len(r.stamps) {
		i -= len(r.stamps)
	}
	return r.stamps[i]
}

// push adds the newest stamp. It gives up the oldest when that has left the
// window, or when limit stamps are held, and grows otherwise.
func (r *ring) push(at, window int64, limit int) {
	if r.held == len(r.stamps) {
		if r.held >= limit || r.stamps[r.oldest]+window <= at {
			r.stamps[r.oldest] = at
			if r.oldest++; r.oldest == len(r.stamps) {
				r.oldest = 0
			}
			return
		}
		larger := make([]int64, min(2*len(r.stamps), limit))
		n := copy(larger, r.stamps[r.oldest:])
		copy(larger[n:], r.stamps[:r.oldest])
		r.stamps, r.oldest = larger, 0
	}
	r.held++
	i := r.oldest + r.held - 1
	if i >= len(r.stamps) {
		i -= len(r.stamps)
	}
	r.stamps[i] = at
}

func namedBefore(takes []Take, s Scope) bool {
	for _, t := range takes {
		if t.Limit > 0 && t.Scope == s {
			return true
		}
	}
	return false
}
