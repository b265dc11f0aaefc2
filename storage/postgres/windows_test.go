package postgres

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/store"
)

// openTwo opens two stores on one database, as two processes do.
func openTwo(t *testing.T) (stores [2]*Store) {
	t.Helper()
	url := postgrestest.Shared(t).Schema(t)
	for i := range stores {
		s, err := Open(context.Background(), url, Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		stores[i] = s
	}
	return stores
}

// TestWindows compares the answers of two stores of one database with the rule itself.
func TestWindows(t *testing.T) {
	ctx := context.Background()
	stores := openTwo(t)
	const length = 10 * time.Second
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		name := fmt.Sprint("test", run)
		now := int64(1e15)
		events := map[store.Scope][]int64{}
		// until returns after how long a scope has room, in microseconds.
		until := func(q store.Quota) int64 {
			in := events[q.Scope]
			if q.Limit <= 0 || len(in) < q.Limit {
				return 0
			}
			return max(0, in[len(in)-q.Limit]+length.Microseconds()-now)
		}
		seconds := func(micros int64) time.Duration {
			return time.Duration((micros+999_999)/1_000_000) * time.Second
		}
		// Each scope has one limit, and is used with Allow or with Record.
		limits := rapid.SliceOfN(rapid.IntRange(0, 4), 4, 4).Draw(t, "limits")
		quota := func(kind int) store.Quota {
			return store.Quota{Scope: store.Scope{Kind: uint8(kind)}, Limit: limits[kind]}
		}
		for range rapid.IntRange(1, 30).Draw(t, "calls") {
			now += rapid.Int64Range(0, 4_000_000).Draw(t, "later")
			w := stores[rapid.IntRange(0, 1).Draw(t, "store")].Windows(name, length).(*windows)
			w.clock = &now
			switch rapid.SampledFrom([]string{"allow", "record", "full"}).Draw(t, "call") {
			case "allow":
				quotas := []store.Quota{quota(rapid.IntRange(0, 2).Draw(t, "first")), quota(rapid.IntRange(0, 2).Draw(t, "second"))}
				var want int64
				for _, q := range quotas {
					want = max(want, until(q))
				}
				wait, ok, err := w.Allow(ctx, time.Time{}, quotas...)
				if err != nil || ok != (want == 0) || wait != seconds(want) {
					t.Fatalf("%v, %v, error %v; want %v", wait, ok, err, seconds(want))
				}
				for i, q := range quotas {
					if ok && q.Limit > 0 && !slices.Contains(quotas[:i], q) {
						events[q.Scope] = append(events[q.Scope], now)
					}
				}
			case "record":
				q := quota(3)
				if err := w.Record(ctx, time.Time{}, q); err != nil {
					t.Fatal(err)
				}
				if q.Limit > 0 {
					events[q.Scope] = append(events[q.Scope], now)
				}
			case "full":
				q := quota(rapid.IntRange(0, 3).Draw(t, "scope"))
				wait, full, err := w.Full(ctx, time.Time{}, q)
				if want := until(q); err != nil || full != (want > 0) || wait != seconds(want) {
					t.Fatalf("%v, %v, error %v; want %v", wait, full, err, seconds(want))
				}
			}
		}
	})
}

// TestWindowsAtOnce: of calls at one time through two stores, as many are admitted as the limit
// allows, and a call for two scopes counts in both or in none.
func TestWindowsAtOnce(t *testing.T) {
	ctx := context.Background()
	stores := openTwo(t)
	account := store.Quota{Scope: store.Scope{Kind: 1}, Limit: 25}
	keys := []store.Quota{{Scope: store.Scope{Kind: 2}, Limit: 20}, {Scope: store.Scope{Kind: 0}, Limit: 20}}
	admitted := make(chan int, 100)
	for i := range cap(admitted) {
		go func() {
			w, key := stores[i%2].Windows("test", time.Hour), i/2%2
			quotas := []store.Quota{account, keys[key]}
			if i%3 == 0 {
				slices.Reverse(quotas)
			}
			switch _, ok, err := w.Allow(ctx, time.Time{}, quotas...); {
			case err != nil:
				t.Error(err)
				admitted <- -1
			case ok:
				admitted <- key
			default:
				admitted <- -1
			}
		}()
	}
	var of [2]int
	for range cap(admitted) {
		if key := <-admitted; key >= 0 {
			of[key]++
		}
	}
	if of[0]+of[1] != 25 {
		t.Errorf("%v were admitted", of)
	}
	for key, n := range of {
		for left := range 21 { // the events of a key are those that were admitted
			_, full, err := stores[0].Windows("test", time.Hour).Full(ctx, time.Time{}, store.Quota{Scope: keys[key].Scope, Limit: left})
			if want := left > 0 && left <= n; err != nil || full != want {
				t.Errorf("key %d with %d admitted: full at %d is %v, error %v", key, n, left, full, err)
			}
		}
	}
}

// TestSweepWindows: empty windows are deleted, others stay.
func TestSweepWindows(t *testing.T) {
	ctx := context.Background()
	s := openTwo(t)[0]
	longAgo := int64(1e15)
	w := s.Windows("test", time.Minute).(*windows)
	for kind, clock := range []*int64{&longAgo, nil} {
		w.clock = clock
		if err := w.Record(ctx, time.Time{}, store.Quota{Scope: store.Scope{Kind: uint8(kind)}, Limit: 3}); err != nil {
			t.Fatal(err)
		}
	}
	if more, err := s.Maintain(ctx); more || err != nil {
		t.Errorf("more %v, error %v", more, err)
	}
	var windows, events int
	if err := s.pool.QueryRow(ctx, "SELECT (SELECT count(*) FROM rate_windows), (SELECT count(*) FROM rate_events)").Scan(&windows, &events); err != nil {
		t.Fatal(err)
	}
	if windows != 1 || events != 1 {
		t.Errorf("%d windows and %d events are left", windows, events)
	}
}
