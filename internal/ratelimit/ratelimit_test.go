package ratelimit

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const window = time.Minute

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func scope(kind uint8, n int) Scope {
	s := Scope{Kind: kind}
	for i := range 8 {
		s.ID[i] = byte(n >> (8 * i))
	}
	return s
}

func TestBoundaries(t *testing.T) {
	type call struct {
		after time.Duration // since t0
		ok    bool
		retry time.Duration
	}
	for name, c := range map[string]struct {
		limit int
		calls []call
	}{
		"one a minute": {1, []call{
			{0, true, 0},
			{0, false, 60 * time.Second},
			{1, false, 60 * time.Second}, // 59.999999999 s, rounded up
			{time.Second, false, 59 * time.Second},
			{59*time.Second + 999*time.Millisecond, false, time.Second},
			{time.Minute - time.Millisecond, false, time.Second},
			{time.Minute - 1, false, time.Second},
			{time.Minute, true, 0},
			{time.Minute, false, 60 * time.Second},
		}},
		"refusals are not recorded": {2, []call{
			{0, true, 0},
			{30 * time.Second, true, 0},
			{40 * time.Second, false, 20 * time.Second},
			{59 * time.Second, false, time.Second},
			{60 * time.Second, true, 0},
			{60 * time.Second, false, 30 * time.Second},
			{90 * time.Second, true, 0},
		}},
		"a full window at its end does not double": {3, []call{
			{59 * time.Second, true, 0},
			{59 * time.Second, true, 0},
			{59 * time.Second, true, 0},
			{61 * time.Second, false, 58 * time.Second},
			{119 * time.Second, true, 0},
			{119 * time.Second, true, 0},
			{119 * time.Second, true, 0},
			{119 * time.Second, false, 60 * time.Second},
		}},
		"what leaves within the millisecond is there still": {2, []call{
			{0, true, 0},
			{time.Minute - 500*time.Microsecond, true, 0},
			{time.Minute - 400*time.Microsecond, false, time.Second},
			{time.Minute, true, 0},
		}},
		"a clock that goes back": {2, []call{
			{10 * time.Second, true, 0},
			{5 * time.Second, true, 0}, // counts as 10 s
			{5 * time.Second, false, 65 * time.Second},
			{65 * time.Second, false, 5 * time.Second},
			{70 * time.Second, true, 0},
		}},
		"no limit": {0, []call{{0, true, 0}, {0, true, 0}, {0, true, 0}}},
		"negative": {-1, []call{{0, true, 0}, {0, true, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			l := New(window)
			for i, want := range c.calls {
				retry, ok := l.Allow(t0.Add(want.after), Quota{Scope: scope(1, 1), Limit: c.limit})
				if ok != want.ok || retry != want.retry {
					t.Errorf("call %d at %v: %v, %v; want %v, %v", i, want.after, ok, retry, want.ok, want.retry)
				}
			}
			if c.limit <= 0 && l.Len() != 0 {
				t.Errorf("%d scopes held without a limit", l.Len())
			}
		})
	}
}

func TestTwoScopesTogether(t *testing.T) {
	account, key := Quota{Scope: scope(1, 1), Limit: 3}, Quota{Scope: scope(2, 1), Limit: 2}
	at := func(s int) time.Time { return t0.Add(time.Duration(s) * time.Second) }
	l := New(window)
	allow := func(s int, wantOK bool, wantRetry int, quotas ...Quota) {
		t.Helper()
		retry, ok := l.Allow(at(s), quotas...)
		if ok != wantOK || retry != time.Duration(wantRetry)*time.Second {
			t.Errorf("at %d s: %v, %v; want %v, %d s", s, ok, retry, wantOK, wantRetry)
		}
	}
	allow(0, true, 0, account)
	allow(10, true, 0, account, key)
	allow(20, true, 0, account, key)
	// Account has 0, 10, 20 and key 10, 20: the key frees later.
	allow(30, false, 40, account, key)
	allow(30, false, 40, key, account)
	allow(60, false, 10, account, key)
	// The refusals above took no place of the account.
	allow(60, true, 0, account)
	allow(70, true, 0, account, key)
	// A scope named twice counts once.
	twice := Quota{Scope: scope(3, 1), Limit: 2}
	allow(0, true, 0, twice, twice)
	allow(0, true, 0, twice)
	allow(0, false, 60, twice)
	// An idle scope in the same call as its neighbour of the shard survives the sweep.
	allow(500, true, 0, account, key)
	allow(500, true, 0, account, key)
	allow(500, false, 60, account, key)
}

func TestTooManyTakesPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	New(window).Allow(t0, make([]Quota, maxQuotas+1)...)
}

func TestLimitMayChange(t *testing.T) {
	l := New(window)
	s := scope(1, 1)
	admitted := func(after time.Duration, limit int) (n int) {
		for range 200 {
			if _, ok := l.Allow(t0.Add(after), Quota{Scope: s, Limit: limit}); ok {
				n++
			}
		}
		return n
	}
	if n := admitted(0, 100); n != 100 {
		t.Errorf("%d admitted, want 100", n)
	}
	if n := admitted(time.Second, 10); n != 0 {
		t.Errorf("%d admitted by the smaller limit, want 0", n)
	}
	if n := admitted(2*time.Second, 150); n != 50 {
		t.Errorf("%d admitted by the larger limit, want 50", n)
	}
	if n := admitted(60*time.Second, 60); n != 10 {
		t.Errorf("%d admitted when 100 of 150 have left, want 10", n)
	}
}

func TestRecordAndFull(t *testing.T) {
	l := New(window)
	take := Quota{Scope: scope(9, 1), Limit: 101} // above 100
	for i := range 100 {
		if _, full := l.Full(t0, take); full {
			t.Fatalf("full after %d", i)
		}
		l.Record(t0.Add(time.Duration(i)*time.Millisecond), take)
	}
	at := t0.Add(time.Second)
	if _, full := l.Full(at, take); full {
		t.Error("full after 100")
	}
	l.Record(at, take)
	if retry, full := l.Full(at, take); !full || retry != 59*time.Second {
		t.Errorf("after 101: %v, %v; want full for 59 s", full, retry)
	}
	// Unlike Allow, Record counts beyond the limit.
	l.Record(t0.Add(30*time.Second), take)
	if _, full := l.Full(t0.Add(60*time.Second), take); !full {
		t.Error("the 102nd event is not counted")
	}
	if _, full := l.Full(t0.Add(60*time.Second+time.Millisecond), take); full {
		t.Error("full although two events have left")
	}
	if got := held(l, take.Scope); got != 101 {
		t.Errorf("%d stamps held, want 101", got)
	}
	if l.Full(t0, Quota{Scope: scope(9, 2), Limit: 101}); l.Len() != 1 {
		t.Error("Full made a scope")
	}
}

// Setting the wall clock back does not change a window if times have monotonic
// readings.
func TestMonotonicReadings(t *testing.T) {
	l := New(window)
	now := time.Now()
	take := Quota{Scope: scope(1, 1), Limit: 1}
	l.Allow(now, take)
	if got := l.since(now.Add(time.Second)) - l.since(now); got != time.Second {
		t.Errorf("distance %d", got)
	}
	if _, ok := l.Allow(now.Add(window), take); !ok {
		t.Error("refused a window later")
	}
}

// oracle implements the rule directly: it keeps every admitted stamp and counts them
// for each event. Like the limiter, it is exact for times in whole milliseconds.
type oracle map[Scope][]time.Time

// now returns the effective time in a scope, which is never before its last event.
func (o oracle) now(now time.Time, s Scope) time.Time {
	if n := len(o[s]); n > 0 {
		if last := o[s][n-1].Add(-time.Millisecond); last.After(now) {
			return last
		}
	}
	return now
}

func (o oracle) room(now time.Time, t Quota) bool {
	if t.Limit <= 0 {
		return true
	}
	now = o.now(now, t.Scope)
	n := 0
	for _, stamp := range o[t.Scope] {
		if stamp.After(now.Add(-window)) {
			n++
		}
	}
	return n < t.Limit
}

func (o oracle) allow(now time.Time, quotas ...Quota) bool {
	for _, t := range quotas {
		if !o.room(now, t) {
			return false
		}
	}
	for i, t := range quotas {
		if t.Limit > 0 && !listedBefore(quotas[:i], t.Scope) {
			o.record(now, t.Scope)
		}
	}
	return true
}

func (o oracle) record(now time.Time, s Scope) {
	if n := len(o[s]); n > 0 && o[s][n-1].After(now) {
		now = o[s][n-1]
	}
	// What has left the window cannot come back: dropping it keeps the test fast.
	kept := slices.DeleteFunc(o[s], func(stamp time.Time) bool { return !stamp.After(now.Add(-window - 2*time.Millisecond)) })
	o[s] = append(kept, now)
}

// clone copies a limiter, so that a test can try calls.
func clone(l *Limiter) *Limiter {
	c := &Limiter{window: l.window, seed: l.seed}
	c.epoch.Store(l.epoch.Load())
	c.lastTurn.Store(l.lastTurn.Load())
	for i := range l.shards {
		from, to := &l.shards[i], &c.shards[i]
		to.index, to.scopes = slices.Clone(from.index), slices.Clone(from.scopes)
		to.sweepAt, to.peakScopes, to.latest = from.sweepAt, from.peakScopes, from.latest
		for i := range to.scopes {
			to.scopes[i].overflow = slices.Clone(to.scopes[i].overflow)
		}
	}
	return c
}

// of returns the history of a scope; nil for none.
func of(l *Limiter, s Scope) *history {
	shard := l.shard(l.hash(s))
	if i := shard.find(l.hash(s), s); i >= 0 {
		return &shard.scopes[i]
	}
	return nil
}

func held(l *Limiter, s Scope) int { return int(of(l, s).count) }

// check makes one call and compares it with the oracle. For a refusal it checks that
// waiting retryAfter admits the call and that one second less does not.
func check(l *Limiter, o oracle, now time.Time, quotas []Quota) error {
	retry, ok := l.Allow(now, quotas...)
	if want := o.allow(now, quotas...); ok != want {
		return fmt.Errorf("admitted %v, the oracle says %v", ok, want)
	}
	if ok {
		if retry != 0 {
			return fmt.Errorf("admitted, with a wait of %v", retry)
		}
		return nil
	}
	if retry < time.Second || retry%time.Second != 0 {
		return fmt.Errorf("wait of %v", retry)
	}
	if _, early := clone(l).Allow(now.Add(retry-time.Second), quotas...); early {
		return fmt.Errorf("admitted a second before its wait of %v", retry)
	}
	if _, late := clone(l).Allow(now.Add(retry), quotas...); !late {
		return fmt.Errorf("refused after its wait of %v", retry)
	}
	return nil
}

// The four buckets of the interface, two of them with a limit of the key.
var buckets = [][]Quota{
	{{Scope: scope(1, 1), Limit: 100}, {Scope: scope(11, 1), Limit: 40}},
	{{Scope: scope(2, 1), Limit: 100}},
	{{Scope: scope(3, 1), Limit: 200}, {Scope: scope(13, 1), Limit: 200}},
	{{Scope: scope(4, 1), Limit: 10}},
}

func TestExactOver100000Steps(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	l, o, now := New(window), oracle{}, t0
	latest := now
	admitted, refused := 0, 0
	for step := range 120_000 {
		switch random.IntN(100) {
		case 0:
			now = now.Add(time.Duration(random.Int64N(10_000)) * time.Millisecond)
		case 1, 2, 3, 4:
			back := now.Add(-time.Duration(random.Int64N(grace)) * time.Millisecond)
			if latest.Sub(back) < grace*time.Millisecond {
				now = back
			}
		case 5, 6:
			// Onto the edge: the instant that some stamp leaves, or just beside it.
			if s := o[buckets[random.IntN(len(buckets))][0].Scope]; len(s) > 0 {
				edge := s[random.IntN(len(s))].Add(window + time.Duration(random.IntN(3)-1)*time.Millisecond)
				if edge.After(now) {
					now = edge
				}
			}
		default:
			now = now.Add(time.Duration(random.Int64N(60)) * time.Millisecond)
		}
		if now.After(latest) {
			latest = now
		}
		quotas := buckets[random.IntN(len(buckets))]
		if random.IntN(3) == 0 {
			quotas = quotas[:1]
		}
		before := len(o[quotas[0].Scope])
		if err := check(l, o, now, quotas); err != nil {
			t.Fatalf("step %d at %v: %v", step, now.Sub(t0), err)
		}
		if s := o[quotas[0].Scope]; len(s) != before || s[len(s)-1].Equal(now) {
			admitted++
		} else {
			refused++
		}
	}
	if refused < 10_000 || admitted < 10_000 {
		t.Errorf("%d admitted, %d refused: the test has lost its grip", admitted, refused)
	}
	t.Logf("%d admitted, %d refused", admitted, refused)
}

// For times between whole milliseconds, the limiter admits nothing that the rule
// refuses, and refuses for at most two milliseconds what the rule admits.
func TestWithinMilliseconds(t *testing.T) {
	const limit = 7
	random := rand.New(rand.NewPCG(5, 6))
	l, now, take := New(window), t0, Quota{Scope: scope(1, 1), Limit: limit}
	var admitted []time.Time
	room := func(at time.Time) bool {
		n := len(admitted)
		return n < limit || !admitted[n-limit].After(at.Add(-window))
	}
	late := 0
	for step := range 120_000 {
		switch n := len(admitted); {
		case n >= limit && random.IntN(3) == 0:
			// Around the instant that a place becomes free.
			if at := admitted[n-limit].Add(window + time.Duration(random.Int64N(6_000_000)-3_000_000)); at.After(now) {
				now = at
			}
		case random.IntN(50) == 0:
			now = now.Add(time.Duration(random.Int64N(int64(20 * time.Second))))
		default:
			now = now.Add(time.Duration(random.Int64N(1_000_000)))
		}
		_, ok := l.Allow(now, take)
		switch {
		case ok && !room(now):
			t.Fatalf("step %d: one too many at %v", step, now.Sub(t0))
		case ok:
			admitted = append(admitted, now)
		case room(now.Add(-2 * time.Millisecond)):
			t.Fatalf("step %d: refused at %v, long after a place had become free", step, now.Sub(t0))
		case room(now):
			late++
		}
	}
	if len(admitted) < 1000 || late == 0 {
		t.Errorf("%d admitted, %d late: the test has lost its grip", len(admitted), late)
	}
	t.Logf("%d admitted, %d refused within two milliseconds", len(admitted), late)
}

// Stamps of 32 bits overflow after 49.7 days. This does not change a window, whether
// it is used constantly, occasionally, or after a pause.
func TestStampsBeginAnew(t *testing.T) {
	const turn = time.Duration(1<<32) * time.Millisecond
	busy, seldom, silent := Quota{Scope: scope(1, 1), Limit: 5}, Quota{Scope: scope(2, 1), Limit: 5}, Quota{Scope: scope(3, 1), Limit: 5}
	l, o := New(window), oracle{}
	for range 5 {
		l.Allow(t0, silent)
	}
	for now := t0; now.Before(t0.Add(2*turn + time.Hour)); {
		step := 37 * time.Minute
		if near := now.Sub(t0) % turn; near < 5*time.Minute || near > turn-40*time.Minute {
			step = 7 * time.Second
		}
		now = now.Add(step)
		if err := check(l, o, now, []Quota{busy}); err != nil {
			t.Fatalf("at %v: %v", now.Sub(t0), err)
		}
		if now.Sub(t0)%(5*24*time.Hour) < step {
			if err := check(l, o, now, []Quota{seldom}); err != nil {
				t.Fatalf("at %v: %v", now.Sub(t0), err)
			}
		}
	}
	for _, after := range []time.Duration{0, time.Second, time.Minute - 1, -time.Second} {
		l := New(window)
		for range 5 {
			l.Allow(t0, silent)
		}
		if _, ok := l.Allow(t0.Add(turn+after), silent); !ok {
			t.Errorf("refused %v after an overflow of the stamps, because of old events", after)
		}
	}
}

func TestWindowsThatCannotBe(t *testing.T) {
	for _, window := range []time.Duration{0, -time.Second, time.Microsecond, 25 * time.Hour} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for a window of %v", window)
				}
			}()
			New(window)
		}()
	}
}

// The index is compared with a map while scopes with colliding hashes are added and
// removed.
func TestIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	var x index
	var all []uint64 // the hashes of what is in it, by place
	hashOf := func(i int) uint64 { return all[i] }
	for step := range 100_000 {
		if most := 2 + step/200; random.IntN(most+len(all)) < most {
			all = append(all, uint64(random.IntN(64))<<6|uint64(random.IntN(4))<<56)
			if len(all)*4 > len(x)*3 {
				x = indexFor(len(all))
				for i, h := range all {
					x.add(h, i)
				}
			} else {
				x.add(all[len(all)-1], len(all)-1)
			}
		} else {
			i, end := random.IntN(len(all)), len(all)-1
			entryOf := func(i int) int { return x.find(all[i], func(at int) bool { return at == i }) }
			x.remove(entryOf(i), hashOf)
			if i != end {
				x[entryOf(end)] = entry(all[end], i)
				all[i] = all[end]
			}
			all = all[:end]
		}
		if step%100 > 0 {
			continue
		}
		for i, h := range all {
			if at := x.find(h, func(at int) bool { return at == i }); at < 0 || place(x[at]) != i {
				t.Fatalf("step %d: the %d. of %d is not found", step, i, len(all))
			}
		}
		filled := 0
		for _, e := range x {
			if e != 0 {
				filled++
			}
		}
		if filled != len(all) {
			t.Fatalf("step %d: %d entries for %d", step, filled, len(all))
		}
	}
}

func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, o, now := New(window), oracle{}, t0
		latest := now
		limits := rapid.SliceOfN(rapid.IntRange(0, 20), 4, 4).Draw(t, "limits")
		take := rapid.Custom(func(t *rapid.T) Quota {
			n := rapid.IntRange(0, 3).Draw(t, "scope")
			return Quota{Scope: scope(uint8(n), 1), Limit: limits[n]}
		})
		t.Repeat(map[string]func(*rapid.T){
			"allow": func(t *rapid.T) {
				quotas := rapid.SliceOfN(take, 1, maxQuotas).Draw(t, "quotas")
				if err := check(l, o, now, quotas); err != nil {
					t.Fatal(err)
				}
			},
			"burst": func(t *rapid.T) {
				k := take.Draw(t, "take")
				for range rapid.IntRange(1, 30).Draw(t, "times") {
					if err := check(l, o, now, []Quota{k}); err != nil {
						t.Fatal(err)
					}
				}
			},
			"record": func(t *rapid.T) {
				k := take.Draw(t, "take")
				k.Scope.Kind += 100
				k.Limit = int(k.Scope.Kind) % 5 // Record asks for one limit a scope
				l.Record(now, k)
				if k.Limit > 0 {
					o.record(now, k.Scope)
				}
				if _, full := l.Full(now, k); full == o.room(now, k) {
					t.Fatalf("full %v against the oracle", full)
				}
			},
			"full": func(t *rapid.T) {
				k := take.Draw(t, "take")
				if _, full := l.Full(now, k); full == o.room(now, k) {
					t.Fatalf("full %v against the oracle", full)
				}
			},
			"time passes": func(t *rapid.T) {
				now = now.Add(time.Duration(rapid.Int64Range(0, 70_000).Draw(t, "for")) * time.Millisecond)
				if now.After(latest) {
					latest = now
				}
			},
			"time goes back": func(t *rapid.T) {
				// From the latest: beyond the grace a dropped scope may be missed.
				now = latest.Add(-time.Duration(rapid.Int64Range(0, grace-1).Draw(t, "by")) * time.Millisecond)
			},
			"limit changes": func(t *rapid.T) {
				limits[rapid.IntRange(0, 3).Draw(t, "scope")] = rapid.IntRange(0, 20).Draw(t, "limit")
			},
		})
	})
}

// released counts the stamps that have left the window at an instant.
func released(l *Limiter, s Scope, at time.Time) (n int) {
	h := of(l, s)
	for i := range int(h.count) {
		if age(*h.at(i), floorMillis(l.since(at))) >= l.window {
			n++
		}
	}
	return n
}

func TestRaceOnOneScope(t *testing.T) {
	l := New(window)
	account, key := Quota{Scope: scope(1, 1), Limit: 100}, Quota{Scope: scope(2, 1), Limit: 1000}
	l.Allow(t0, Quota{Scope: scope(3, 1), Limit: 1}) // fixes the epoch for released
	crowd := func(at func(i int) time.Time) int64 {
		var admitted atomic.Int64
		var ready, done sync.WaitGroup
		start := make(chan struct{})
		for i := range 1000 {
			ready.Add(1)
			done.Go(func() {
				quotas := []Quota{account, key}
				if i%2 == 0 {
					quotas = []Quota{key, account}
				}
				ready.Done()
				<-start
				if _, ok := l.Allow(at(i), quotas...); ok {
					admitted.Add(1)
				}
			})
		}
		ready.Wait()
		close(start)
		done.Wait()
		return admitted.Load()
	}
	// Everybody within half a second, in no order.
	if n := crowd(func(i int) time.Time { return t0.Add(time.Duration(i%500) * time.Millisecond) }); n != 100 {
		t.Fatalf("%d admitted, want 100", n)
	}
	if n := held(l, key.Scope); n != 100 {
		t.Errorf("the second scope holds %d, want 100", n)
	}
	if n := crowd(func(int) time.Time { return t0.Add(59*time.Second + 900*time.Millisecond) }); n != 0 {
		t.Errorf("%d admitted at +59.9 s, want 0", n)
	}
	for _, after := range []time.Duration{60 * time.Second, 60*time.Second + 250*time.Millisecond, 61 * time.Second} {
		at := t0.Add(after)
		want := released(l, account.Scope, at)
		if n := crowd(func(int) time.Time { return at }); n != int64(want) {
			t.Errorf("%d admitted at +%v, %d stamps had left", n, after, want)
		}
	}
}

func TestRaceOnManyScopes(t *testing.T) {
	l := New(window)
	var wg sync.WaitGroup
	var admitted atomic.Int64
	for g := range 16 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 1))
			for i := range 5_000 {
				now := t0.Add(time.Duration(i) * 10 * time.Millisecond)
				a, b := random.IntN(50), random.IntN(50)
				if _, ok := l.Allow(now, Quota{Scope: scope(1, a), Limit: 20}, Quota{Scope: scope(2, b), Limit: 10}); ok {
					admitted.Add(1)
				}
				l.Record(now, Quota{Scope: scope(3, a), Limit: 5})
				l.Full(now, Quota{Scope: scope(3, b), Limit: 5})
				if i%1000 == 0 {
					l.Sweep(now)
				}
			}
		})
	}
	wg.Wait()
	// All within one window of 50 s: 50 scopes of 10 admit 500 at most.
	if n := admitted.Load(); n != 500 {
		t.Errorf("%d admitted, want 500", n)
	}
}

func TestIdleScopesGo(t *testing.T) {
	const crowd = 100_000
	before := heap()
	l := New(window)
	for i := range crowd {
		l.Allow(t0, Quota{Scope: scope(1, i), Limit: 100})
	}
	held := heap() - before
	t.Logf("%d bytes a scope after one event", held/crowd)
	if held/crowd > 130 {
		t.Errorf("%d bytes a scope, documented 120", held/crowd)
	}
	// The calls of others drop them, a few at a time.
	at := t0.Add(61 * time.Second)
	for i := range crowd {
		l.Allow(at, Quota{Scope: scope(2, i%500), Limit: 100})
	}
	if n := l.Len(); n != 500 {
		t.Errorf("%d scopes after 61 s, want the 500 in use", n)
	}
	at = at.Add(61 * time.Second)
	l.Sweep(at)
	if n := l.Len(); n != 0 {
		t.Errorf("%d scopes after Sweep, want 0", n)
	}
	if left := heap() - before; left > 1<<20 {
		t.Errorf("%d bytes left when every scope has gone", left)
	}
	runtime.KeepAlive(l)
}

// A single caller in one shard drops the idle scopes of all shards.
func TestIdleScopesGoByTheCallsOfOne(t *testing.T) {
	l := New(window)
	for i := range 50_000 {
		l.Allow(t0, Quota{Scope: scope(1, i), Limit: 100})
	}
	for range shardCount {
		l.Allow(t0.Add(61*time.Second), Quota{Scope: scope(2, 1), Limit: 10})
	}
	if n := l.Len(); n != 1 {
		t.Errorf("%d scopes, want 1", n)
	}
}

// With a million scopes over ten minutes, only those of the last minute are held.
func TestManyScopesInTime(t *testing.T) {
	before := heap()
	l := New(window)
	const crowd, span = 1_000_000, 10 * time.Minute
	most := 0
	for i := range crowd {
		now := t0.Add(span / crowd * time.Duration(i))
		l.Allow(now, Quota{Scope: scope(1, i), Limit: 100})
		if i%50_000 == 0 {
			most = max(most, l.Len())
		}
	}
	held := heap() - before
	t.Logf("at most %d scopes, %d KB at the end", most, held>>10)
	if limit := crowd/10 + crowd/100; most > limit {
		t.Errorf("%d scopes held, want at most %d", most, limit)
	}
	if held > 40<<20 {
		t.Errorf("%d bytes held", held)
	}
	l.Sweep(t0.Add(span + 61*time.Second))
	if n := l.Len(); n != 0 {
		t.Errorf("%d scopes left", n)
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestNoAllocations(t *testing.T) {
	l := New(window)
	now := t0
	quotas := []Quota{{Scope: scope(1, 1), Limit: 100}, {Scope: scope(2, 1), Limit: 50}}
	step := func() {
		now = now.Add(300 * time.Millisecond)
		l.Allow(now, quotas[0], quotas[1])
		l.Full(now, quotas[0])
	}
	for range 1000 {
		step()
	}
	if n := testing.AllocsPerRun(1000, step); n != 0 {
		t.Errorf("%v allocations a call, want 0", n)
	}
}

func BenchmarkAllow(b *testing.B) {
	b.Run("one scope", func(b *testing.B) {
		b.ReportAllocs()
		l, now := New(window), t0
		for b.Loop() {
			now = now.Add(700 * time.Millisecond)
			l.Allow(now, Quota{Scope: scope(1, 1), Limit: 100})
		}
	})
	b.Run("two scopes", func(b *testing.B) {
		b.ReportAllocs()
		l, now := New(window), t0
		for b.Loop() {
			now = now.Add(700 * time.Millisecond)
			l.Allow(now, Quota{Scope: scope(1, 1), Limit: 100}, Quota{Scope: scope(2, 1), Limit: 100})
		}
	})
	b.Run("refused", func(b *testing.B) {
		b.ReportAllocs()
		l := New(window)
		for b.Loop() {
			l.Allow(t0, Quota{Scope: scope(1, 1), Limit: 100})
		}
	})
	b.Run("random of 100000", func(b *testing.B) {
		b.ReportAllocs()
		l := New(window)
		random := rand.New(rand.NewPCG(1, 1))
		for i := range 100_000 {
			l.Allow(t0, Quota{Scope: scope(1, i), Limit: 100})
		}
		for b.Loop() {
			l.Allow(t0, Quota{Scope: scope(1, random.IntN(100_000)), Limit: 100})
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		l := New(window)
		var next atomic.Int64
		b.RunParallel(func(pb *testing.PB) {
			n := int(next.Add(1))
			for pb.Next() {
				l.Allow(t0, Quota{Scope: scope(1, n), Limit: 100})
			}
		})
	})
}
