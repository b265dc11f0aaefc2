// Package ratelimit counts events in exact rolling windows.
//
// With a window of 60 s and a limit of N, an event at now is admitted if and only if
// fewer than N admitted events are in (now-60s, now]. A refused event is not
// recorded. A token bucket is not exact: it admits up to 2N-1 events in one window.
//
// The rule needs only the last N admitted time stamps: there is room if the N-th last
// is a window old. This single look-up also gives the exact time to wait.
//
// Stamps are stored in milliseconds, rounded up, and now is rounded down. So no event
// is admitted that the rule refuses. An event within two milliseconds after the
// window has room may be refused, with a correct time to wait.
package ratelimit

import (
	"hash/maphash"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"github.com/landfallhq/tracking/store"
)

// The types of windows, which package store has because some stores count events: see
// store.WindowStore.
type (
	Windows = store.Windows
	Quota   = store.Quota
	Scope   = store.Scope
)

const (
	shardCount   = 64 // at most 64: a set of shards is a uint64
	maxQuotas    = 4
	inlineStamps = 12 // stamps that a scope holds without an allocation

	// sweepSteps is how many scopes a call that adds a scope checks for idleness, in
	// the same shard. It is more than one, so that idle scopes are dropped faster
	// than new ones are added. Other calls check none, because reading cold memory
	// would cost more than the rest of the call.
	sweepSteps = 4

	// turnSteps is how many scopes a call checks in the shard whose turn it is, and
	// turnsPerWindow is the number of turns in a window. Without turns, idle scopes
	// would stay in shards that get no new scope.
	turnSteps      = 2048
	turnsPerWindow = 16 * shardCount

	// grace, in milliseconds, is added to the window before a scope is dropped.
	// Concurrent callers read the clock before they wait for a lock, so now can go
	// back a little between calls, and stamps in the window of an earlier now are
	// still needed.
	grace = 1_000

	// shrinkAbove is the number of scopes from which memory of dropped scopes is
	// released.
	shrinkAbove = 256

	// maxWindow keeps all compared ages well below 24 days, half the range of a
	// stamp.
	maxWindow = 24 * time.Hour
)

// Limiter holds the windows of any number of scopes. It is safe for concurrent
// use and starts no goroutine.
//
// A scope takes about 120 bytes, and from its 13th event in a window 4 more bytes for
// each, in doubling steps. A scope without events for a window and a second is
// dropped by later calls, a few in each, or by Sweep.
type Limiter struct {
	window int64 // in milliseconds
	seed   maphash.Seed
	// epoch is the first now. Stamps are durations since it, so that the monotonic
	// reading of now is used: setting the wall clock does not change a window.
	epoch    atomic.Pointer[time.Time]
	lastTurn atomic.Int64 // number of the last turn
	shards   [shardCount]shard
}

type shard struct {
	mu         sync.Mutex
	index      index
	scopes     []history // dense, in no order
	sweepAt    int       // position of the next scope to sweep
	peakScopes int       // maximum number of scopes since the last rebuild
	latest     instant   // the latest seen
}

// instant is a time in whole milliseconds since the epoch.
type instant = int64

// stamp is an instant truncated to 32 bits. Stamps compare correctly within 24 days.
type stamp = uint32

// history has the newest stamps of one scope, in order: a ring buffer that begins in
// inline and continues in overflow, which most scopes do not need.
type history struct {
	scope    Scope
	last     stamp  // the newest
	first    uint32 // index of the oldest
	count    uint32 // number of stamps
	inline   [inlineStamps]stamp
	overflow []stamp
}

// New returns a Limiter whose windows have the given length: whole milliseconds,
// up to a day.
func New(window time.Duration) *Limiter {
	if window <= 0 || window > maxWindow || window%time.Millisecond != 0 {
		panic("ratelimit: window must be whole milliseconds, at least one and at most a day")
	}
	return &Limiter{window: window.Milliseconds(), seed: maphash.MakeSeed()}
}

// Allow records one event at now against every scope of quotas if all have room, and
// otherwise against none. It is atomic. When it refuses, retryAfter is the number of
// seconds, at least 1, after which the same call is admitted if nothing else is
// recorded; one second earlier it would be refused.
//
// A scope named twice counts once, against the smallest limit. More than four quotas
// panic.
//
// If now is before the last event of a scope, the event is recorded with the stamp of
// that event, so that stamps stay in order. Times with a monotonic reading do not go
// back. If others go back by more than a second, events of scopes dropped meanwhile
// are lost.
func (l *Limiter) Allow(now time.Time, quotas ...Quota) (retryAfter time.Duration, ok bool) {
	if len(quotas) > maxQuotas {
		panic("ratelimit: too many quotas")
	}
	at := l.begin(now)
	var (
		hash  [maxQuotas]uint64
		found [maxQuotas]int // position in the shard; -1 for none
		locks uint64         // locks and made are sets of shards
		made  uint64
	)
	for i, t := range quotas {
		if t.Limit > 0 {
			hash[i] = l.hash(t.Scope)
			locks |= 1 << (hash[i] % shardCount)
		}
	}
	l.lock(locks, at)
	defer l.unlock(locks)

	for i, t := range quotas {
		if t.Limit <= 0 {
			continue
		}
		s := l.shard(hash[i])
		if found[i] = s.find(hash[i], t.Scope); found[i] >= 0 {
			retryAfter = max(retryAfter, l.wait(&s.scopes[found[i]], at, t.Limit))
		}
	}
	ok = retryAfter == 0
	for i, t := range quotas {
		if t.Limit > 0 && ok && !listedBefore(quotas[:i], t.Scope) {
			l.record(hash[i], found[i], at, t)
			if found[i] < 0 {
				made |= 1 << (hash[i] % shardCount)
			}
		}
	}
	// Sweep last: a scope in found may have been idle before its event was recorded.
	for ; made != 0; made &= made - 1 {
		l.sweep(&l.shards[bits.TrailingZeros64(made)], at, sweepSteps)
	}
	return retryAfter, ok
}

// Full reports whether the window of the scope has Limit events or more at now, and
// the number of seconds, at least 1, until it has fewer. It records nothing. Full and
// Record count events that cannot be refused, such as failed authentications: "more
// than 100" is a Limit of 101.
func (l *Limiter) Full(now time.Time, t Quota) (retryAfter time.Duration, full bool) {
	if t.Limit <= 0 {
		return 0, false
	}
	at := l.begin(now)
	hash := l.hash(t.Scope)
	s := l.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	l.enter(s, at)
	if i := s.find(hash, t.Scope); i >= 0 {
		retryAfter = l.wait(&s.scopes[i], at, t.Limit)
	}
	return retryAfter, retryAfter > 0
}

// Record records an event at now, even if there is no room. It keeps only the newest
// Limit events of a scope, which is enough for Full. Use a scope with one limit, and
// either with Allow or with Record.
func (l *Limiter) Record(now time.Time, t Quota) {
	if t.Limit <= 0 {
		return
	}
	at := l.begin(now)
	hash := l.hash(t.Scope)
	s := l.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	l.enter(s, at)
	i := s.find(hash, t.Scope)
	l.record(hash, i, at, t)
	if i < 0 {
		l.sweep(s, at, sweepSteps)
	}
}

// Sweep drops every scope without an event in the window and a second before now. The
// other methods drop a few scopes in each call. Call Sweep if a burst may be followed
// by no calls.
func (l *Limiter) Sweep(now time.Time) {
	at := l.since(now)
	for i := range l.shards {
		s := &l.shards[i]
		s.mu.Lock()
		l.enter(s, at)
		s.sweepAt = 0
		l.sweep(s, at, len(s.scopes))
		s.mu.Unlock()
	}
}

// Len returns the number of scopes, including idle ones that are not yet dropped.
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

// since returns the duration from the epoch to now.
func (l *Limiter) since(now time.Time) time.Duration {
	epoch := l.epoch.Load()
	if epoch == nil {
		first := now // a copy, so that now itself stays on the stack
		l.epoch.CompareAndSwap(nil, &first)
		epoch = l.epoch.Load()
	}
	return now.Sub(*epoch)
}

// floorMillis is the last instant that is not after d, and up the first not before it.
func floorMillis(d time.Duration) instant {
	ms := d.Milliseconds()
	if d%time.Millisecond < 0 {
		ms--
	}
	return ms
}

func ceilMillis(d time.Duration) instant { return -floorMillis(-d) }

// begin returns the duration since the epoch. If a turn is due, it sweeps a shard
// first, so the caller must not hold a lock.
func (l *Limiter) begin(now time.Time) time.Duration {
	at := l.since(now)
	turn := floorMillis(at) / max(1, l.window/turnsPerWindow)
	last := l.lastTurn.Load()
	// After a long pause, the next calls sweep one shard each until all are done.
	next := max(last+1, turn-shardCount+1)
	if turn > last && l.lastTurn.CompareAndSwap(last, next) {
		s := &l.shards[next%shardCount]
		s.mu.Lock()
		l.enter(s, at)
		l.sweep(s, at, turnSteps)
		s.mu.Unlock()
	}
	return at
}

func (l *Limiter) hash(s Scope) uint64 { return maphash.Comparable(l.seed, s) }

func (l *Limiter) shard(hash uint64) *shard { return &l.shards[hash%shardCount] }

// lock locks the shards of a set in ascending order, which prevents deadlocks.
func (l *Limiter) lock(set uint64, at time.Duration) {
	for ; set != 0; set &= set - 1 {
		s := &l.shards[bits.TrailingZeros64(set)]
		s.mu.Lock()
		l.enter(s, at)
	}
}

func (l *Limiter) unlock(set uint64) {
	for ; set != 0; set &= set - 1 {
		l.shards[bits.TrailingZeros64(set)].mu.Unlock()
	}
}

// enter must be called first on a locked shard. If every scope of the shard is idle,
// it drops them all. So no stamp is compared with an instant more than 24 days away,
// however long the pause.
func (l *Limiter) enter(s *shard, at time.Duration) {
	now := floorMillis(at)
	if now-s.latest > l.window+grace && len(s.scopes) > 0 {
		s.scopes, s.index = nil, nil
		s.sweepAt, s.peakScopes = 0, 0
	}
	s.latest = max(s.latest, now)
}

// find returns the position of a scope; -1 for none.
func (s *shard) find(hash uint64, scope Scope) int {
	at := s.index.find(hash, func(i int) bool { return s.scopes[i].scope == scope })
	if at < 0 {
		return -1
	}
	return place(s.index[at])
}

// age returns the milliseconds from the stamp to now; negative if the stamp is later.
func age(s stamp, now instant) int64 { return int64(int32(stamp(now) - s)) }

// wait returns the time, in whole seconds, until the window of h has room for one
// more event; 0 if it has room now.
func (l *Limiter) wait(h *history, at time.Duration, limit int) time.Duration {
	if int(h.count) < limit {
		return 0
	}
	now := floorMillis(at)
	left := l.window - age(h.newest(limit), now) // until the limit-th last leaves the window
	// The stamp was rounded up: its event is in the millisecond before it.
	if left <= max(0, -1-age(h.last, now)) {
		return 0
	}
	// Count from the caller's clock, even if it is behind the stamps.
	d := time.Duration(now+left)*time.Millisecond - at
	return (d + time.Second - 1) / time.Second * time.Second
}

// record adds a stamp to the i-th scope, or to a new scope if i is negative.
func (l *Limiter) record(hash uint64, i int, at time.Duration, t Quota) {
	s := l.shard(hash)
	if i >= 0 {
		s.scopes[i].push(at, l.window, t.Limit)
		return
	}
	first := stamp(ceilMillis(at))
	if n := len(s.scopes); n == cap(s.scopes) { // grow by an eighth: append would grow by more
		s.scopes = append(make([]history, 0, n+n/8+8), s.scopes...)
	}
	s.scopes = append(s.scopes, history{scope: t.Scope, last: first, inline: [inlineStamps]stamp{first}, count: 1})
	s.peakScopes = max(s.peakScopes, len(s.scopes))
	if len(s.scopes)*4 > len(s.index)*3 {
		l.reindex(s)
	} else {
		s.index.add(hash, len(s.scopes)-1)
	}
}

// reindex rebuilds the index in the size for the scopes.
func (l *Limiter) reindex(s *shard) {
	s.index = indexFor(len(s.scopes))
	for i := range s.scopes {
		s.index.add(l.hash(s.scopes[i].scope), i)
	}
}

// sweep checks the next scopes, up to steps, and drops idle ones.
func (l *Limiter) sweep(s *shard, at time.Duration, steps int) {
	now := floorMillis(at)
	for ; steps > 0 && len(s.scopes) > 0; steps-- {
		if s.sweepAt >= len(s.scopes) {
			s.sweepAt = 0
		}
		if age(s.scopes[s.sweepAt].last, now) < l.window+grace {
			s.sweepAt++
			continue
		}
		l.drop(s, s.sweepAt)
	}
	if s.peakScopes >= shrinkAbove && len(s.scopes) < s.peakScopes/4 {
		s.scopes = append(make([]history, 0, len(s.scopes)), s.scopes...)
		s.peakScopes = len(s.scopes)
		l.reindex(s)
	}
}

// drop removes the i-th scope and moves the last one to its position.
func (l *Limiter) drop(s *shard, i int) {
	hashOf := func(i int) uint64 { return l.hash(s.scopes[i].scope) }
	entryOf := func(i int) int {
		return s.index.find(hashOf(i), func(at int) bool { return at == i })
	}
	s.index.remove(entryOf(i), hashOf)
	end := len(s.scopes) - 1
	if i != end {
		s.index[entryOf(end)] = entry(hashOf(end), i)
		s.scopes[i] = s.scopes[end]
	}
	s.scopes[end] = history{}
	s.scopes = s.scopes[:end]
}

// at returns the slot of the i-th stamp from the oldest.
func (h *history) at(i int) *stamp {
	if i += int(h.first); i >= h.capacity() {
		i -= h.capacity()
	}
	if i < inlineStamps {
		return &h.inline[i]
	}
	return &h.overflow[i-inlineStamps]
}

func (h *history) capacity() int { return inlineStamps + len(h.overflow) }

// newest returns the n-th newest stamp; n is from 1 to count.
func (h *history) newest(n int) stamp { return *h.at(int(h.count) - n) }

// push adds the newest stamp. A full ring drops the oldest stamp if it has left the
// window or there are limit stamps; otherwise the ring grows.
func (h *history) push(at time.Duration, window int64, limit int) {
	now, next := floorMillis(at), ceilMillis(at)
	if before := age(h.last, next); before < 0 {
		next -= before // stamps stay in order
	}
	switch full := int(h.count) == h.capacity(); {
	case age(h.last, now) >= window: // all stamps have left the window
		h.first, h.count = 0, 0
	case full && (int(h.count) >= limit || age(*h.at(0), now) >= window):
		if h.first++; int(h.first) == h.capacity() {
			h.first = 0
		}
		h.count--
	case full:
		h.grow(limit)
	}
	h.last = stamp(next)
	*h.at(int(h.count)) = h.last
	h.count++
}

// grow enlarges a full ring, up to most stamps.
func (h *history) grow(most int) {
	var begin [inlineStamps]stamp
	more := make([]stamp, min(2*h.capacity(), most)-inlineStamps)
	for i := range int(h.count) {
		if i < inlineStamps {
			begin[i] = *h.at(i)
		} else {
			more[i-inlineStamps] = *h.at(i)
		}
	}
	h.first, h.inline, h.overflow = 0, begin, more
}

func listedBefore(quotas []Quota, s Scope) bool {
	for _, t := range quotas {
		if t.Limit > 0 && t.Scope == s {
			return true
		}
	}
	return false
}
