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
//
// Stamps are kept in milliseconds, rounded up, and now is rounded down. So nothing
// is ever admitted that the rule refuses; what comes within two milliseconds after
// a place has become free may be refused, with a time to wait that is right.
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
	shardCount   = 64 // one bit each in the set of shards to lock
	maxTakes     = 4
	inlineStamps = 12 // stamps that a scope has room for from its beginning

	// sweepSteps is how many scopes a call that makes a scope looks at, in the same
	// shard, to drop the idle ones. More than one, so that dropping outruns making.
	// Other calls look at none: each look is at memory that nobody has touched for
	// long, and that would cost more than all else they do.
	sweepSteps = 4

	// turnSteps is how many a call looks at in the shard whose turn it is, and
	// roundsPerWindow how many turns a window has. Without turns, the remains of a
	// crowd would stay in shards where no scope is made any more.
	turnSteps      = 2048
	turnsPerWindow = 16 * shardCount

	// grace, in milliseconds, is added to the window before a scope is dropped.
	// Concurrent callers read the clock before they wait for a lock, so now may go
	// back a little from call to call; what an earlier now still counts must still
	// be there.
	grace = 1_000

	// shrinkAbove is the number of scopes from which it is worth giving back the
	// room of those that have gone.
	shrinkAbove = 256

	// maxWindow keeps all ages that are compared far from half of what a stamp can
	// hold, 24 days.
	maxWindow = 24 * time.Hour
)

// Limiter holds the windows of any number of scopes. It is safe for concurrent
// use and starts no goroutine.
//
// A scope costs about 120 bytes after one event and 4 bytes more for each event that
// a window has held at once, in steps of doubling, from the thirteenth on. A scope without an event in the
// last window and a second is dropped by later calls, a few each, or by Sweep.
type Limiter struct {
	window int64 // in milliseconds
	seed   maphash.Seed
	// epoch is the first now seen. Stamps are distances from it, so that a now
	// with a monotonic reading is measured by that reading: setting the wall clock
	// neither opens nor shuts a window.
	epoch    atomic.Pointer[time.Time]
	lastTurn atomic.Int64 // number of the last turn taken
	shards   [shardCount]shard
}

type shard struct {
	mu         sync.Mutex
	index      index
	scopes     []history // dense, in no order
	sweepAt    int       // where the sweep goes on
	peakScopes int       // most scopes since they were last rebuilt
	latest     instant   // the latest seen
}

// instant is a time as it is compared: whole milliseconds since the epoch.
type instant = int64

// stamp is an instant cut to 32 bits. It says which of the instants near to
// another one it is: they may be 24 days apart.
type stamp = uint32

// history is the newest stamps of one scope, in order: a ring that begins in few
// and goes on in more. Most scopes have so few that they need no more.
type history struct {
	scope  Scope
	last   stamp  // the newest
	first  uint32 // where the oldest is
	count  uint32 // number of stamps
	inline [inlineStamps]stamp
	ring   []stamp
}

// New returns a Limiter whose windows have the given length: whole milliseconds,
// up to a day.
func New(window time.Duration) *Limiter {
	if window <= 0 || window > maxWindow || window%time.Millisecond != 0 {
		panic("ratelimit: window must be whole milliseconds, at least one and at most a day")
	}
	return &Limiter{window: window.Milliseconds(), seed: maphash.MakeSeed()}
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
// Should now be before the last event of a scope, it counts as the millisecond
// before that event's end: stamps stay in order. Times with a monotonic reading do
// not go back; of others that go back by more than a second, a scope dropped
// meanwhile knows nothing.
func (l *Limiter) Allow(now time.Time, takes ...Take) (retryAfter time.Duration, ok bool) {
	if len(takes) > maxTakes {
		panic("ratelimit: too many takes")
	}
	at := l.begin(now)
	var (
		hash  [maxTakes]uint64
		found [maxTakes]int // in the shard; -1 for none
		locks uint64        // a set of shards, as made is
		made  uint64
	)
	for i, t := range takes {
		if t.Limit > 0 {
			hash[i] = l.hash(t.Scope)
			locks |= 1 << (hash[i] % shardCount)
		}
	}
	l.lock(locks, at)
	defer l.unlock(locks)

	for i, t := range takes {
		if t.Limit <= 0 {
			continue
		}
		s := l.shard(hash[i])
		if found[i] = s.find(hash[i], t.Scope); found[i] >= 0 {
			retryAfter = max(retryAfter, l.wait(&s.scopes[found[i]], at, t.Limit))
		}
	}
	ok = retryAfter == 0
	for i, t := range takes {
		if t.Limit > 0 && ok && !listedBefore(takes[:i], t.Scope) {
			l.record(hash[i], found[i], at, t)
			if found[i] < 0 {
				made |= 1 << (hash[i] % shardCount)
			}
		}
	}
	// Only now: what was found may have been idle until it was recorded to.
	for ; made != 0; made &= made - 1 {
		l.sweep(&l.shards[bits.TrailingZeros64(made)], at, sweepSteps)
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

// Record counts an event at now whether or not there is room. Only the newest
// Limit events of a scope are kept, which is all that Full needs to know; use a
// scope with one limit, and either with Allow or with Record.
func (l *Limiter) Record(now time.Time, t Take) {
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

// Sweep drops every scope without an event in the window and a second before now.
// The other methods do so a little at a time; call it where silence may follow a
// crowd.
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

// since is the exact distance of now from the epoch.
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

// begin returns the distance of now, after it has swept a shard if a turn is due.
// No lock may be held.
func (l *Limiter) begin(now time.Time) time.Duration {
	at := l.since(now)
	turn := floorMillis(at) / max(1, l.window/turnsPerWindow)
	last := l.lastTurn.Load()
	// After long silence the next calls catch up, one shard each, and go round once.
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

// lock takes the shards of a set in ascending order, so that two calls with
// several scopes cannot wait for each other.
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

// enter is the first that is done to a locked shard. After a silence in which
// every scope has become idle it drops them all: however long the silence was, no
// stamp is compared with an instant that is too far from it.
func (l *Limiter) enter(s *shard, at time.Duration) {
	now := floorMillis(at)
	if now-s.latest > l.window+grace && len(s.scopes) > 0 {
		s.scopes, s.index = nil, nil
		s.sweepAt, s.peakScopes = 0, 0
	}
	s.latest = max(s.latest, now)
}

// find returns where a scope stands, -1 for nowhere.
func (s *shard) find(hash uint64, scope Scope) int {
	at := s.index.find(hash, func(i int) bool { return s.scopes[i].scope == scope })
	if at < 0 {
		return -1
	}
	return place(s.index[at])
}

// age is how long before now the stamp was, in milliseconds; negative when after.
func age(s stamp, now instant) int64 { return int64(int32(stamp(now) - s)) }

// wait returns the whole seconds from at until the window of h has room for one
// more event; 0 when it has room at once.
func (l *Limiter) wait(h *history, at time.Duration, limit int) time.Duration {
	if int(h.count) < limit {
		return 0
	}
	now := floorMillis(at)
	left := l.window - age(h.newest(limit), now) // until the limit-th last leaves
	// The stamp was rounded up: its event lies in the millisecond before it.
	if left <= max(0, -1-age(h.last, now)) {
		return 0
	}
	// The wait is from the caller's own clock, even if that is behind the stamps.
	d := time.Duration(now+left)*time.Millisecond - at
	return (d + time.Second - 1) / time.Second * time.Second
}

// record adds a stamp to the i-th scope, or to a new one when there is none.
func (l *Limiter) record(hash uint64, i int, at time.Duration, t Take) {
	s := l.shard(hash)
	if i >= 0 {
		s.scopes[i].push(at, l.window, t.Limit)
		return
	}
	first := stamp(ceilMillis(at))
	if n := len(s.scopes); n == cap(s.scopes) { // by an eighth: append would take more
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

// reindex makes the index anew, in the size that the scopes need.
func (l *Limiter) reindex(s *shard) {
	s.index = indexFor(len(s.scopes))
	for i := range s.scopes {
		s.index.add(l.hash(s.scopes[i].scope), i)
	}
}

// sweep looks at a few scopes, in turn, and drops those that are idle.
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

// drop puts the last scope in the place of the i-th.
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

// at returns the i-th stamp from the oldest, or the room for it.
func (h *history) at(i int) *stamp {
	if i += int(h.first); i >= h.capacity() {
		i -= h.capacity()
	}
	if i < inlineStamps {
		return &h.inline[i]
	}
	return &h.ring[i-inlineStamps]
}

func (h *history) capacity() int { return inlineStamps + len(h.ring) }

// newest returns the n-th newest stamp; n is from 1 to held.
func (h *history) newest(n int) stamp { return *h.at(int(h.count) - n) }

// push adds the newest stamp. It gives up the oldest when that has left the
// window, or when limit stamps are held, and grows otherwise.
func (h *history) push(at time.Duration, window int64, limit int) {
	now, next := floorMillis(at), ceilMillis(at)
	if before := age(h.last, next); before < 0 {
		next -= before // stamps stay in order
	}
	switch full := int(h.count) == h.capacity(); {
	case age(h.last, now) >= window: // all have left
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

// grow makes more room in a full ring, for most stamps at most.
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
	h.first, h.inline, h.ring = 0, begin, more
}

func listedBefore(takes []Take, s Scope) bool {
	for _, t := range takes {
		if t.Limit > 0 && t.Scope == s {
			return true
		}
	}
	return false
}
