package deliveryrules_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/internal/deliveryrules"
)

func TestDisposition(t *testing.T) {
	with := func(change func(*deliveryrules.Claimed)) deliveryrules.Claimed {
		c := deliveryrules.Claimed{HasWebhook: true, HasSnapshot: true, Pending: true, Active: true}
		change(&c)
		return c
	}
	type claimed = deliveryrules.Claimed
	tests := []struct {
		name string
		c    claimed
		want deliveryrules.Disposition
	}{
		{"usual", with(func(*claimed) {}), deliveryrules.Send},
		{"no snapshot", with(func(c *claimed) { c.HasSnapshot = false }), deliveryrules.Drop},
		{"no notification", claimed{HasWebhook: true, Active: true}, deliveryrules.Drop},
		{"ended", with(func(c *claimed) { c.Pending = false }), deliveryrules.Drop},
		{"ended, by hand", with(func(c *claimed) { c.Pending, c.Manual = false, true }), deliveryrules.Send},
		{"webhook deleted", with(func(c *claimed) { c.HasWebhook, c.Active = false, false }), deliveryrules.Abandon},
		{"webhook deleted, ended, by hand", with(func(c *claimed) { c.HasWebhook, c.Pending, c.Manual = false, false, true }), deliveryrules.Drop},
		{"expired", with(func(c *claimed) { c.Expired = true }), deliveryrules.Expire},
		{"expired, inactive", with(func(c *claimed) { c.Expired, c.Active = true, false }), deliveryrules.Expire},
		{"expired, by hand", with(func(c *claimed) { c.Expired, c.Manual = true, true }), deliveryrules.Send},
		{"sealed", with(func(c *claimed) { c.Sealed = true }), deliveryrules.Wait},
		{"sealed, by hand", with(func(c *claimed) { c.Sealed, c.Manual = true, true }), deliveryrules.Wait},
		{"sealed, expired", with(func(c *claimed) { c.Sealed, c.Expired = true, true }), deliveryrules.Expire},
		{"inactive", with(func(c *claimed) { c.Active = false }), deliveryrules.Return},
		{"inactive since, by hand", with(func(c *claimed) { c.Active, c.Manual = false, true }), deliveryrules.Send},
		{"stopped", with(func(c *claimed) { c.Stopped = true }), deliveryrules.Hold},
		{"stopped, inactive", with(func(c *claimed) { c.Stopped, c.Active = true, false }), deliveryrules.Return},
		{"stopped, by hand", with(func(c *claimed) { c.Stopped, c.Manual = true, true }), deliveryrules.Drop},
		{"stopped, ended, by hand", with(func(c *claimed) { c.Stopped, c.Pending, c.Manual = true, false, true }), deliveryrules.Send},
		{"breaker open", with(func(c *claimed) { c.Breaker = deliveryrules.Open }), deliveryrules.Return},
		{"breaker half-open", with(func(c *claimed) { c.Breaker = deliveryrules.HalfOpen }), deliveryrules.Probe},
		{"breaker half-open, stopped", with(func(c *claimed) { c.Breaker, c.Stopped = deliveryrules.HalfOpen, true }), deliveryrules.Hold},
		{"breaker open, by hand", with(func(c *claimed) { c.Breaker, c.Manual = deliveryrules.Open, true }), deliveryrules.Send},
	}
	for _, tt := range tests {
		if got := tt.c.Disposition(); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestResult(t *testing.T) {
	type attempt = deliveryrules.Attempt
	tests := []struct {
		name   string
		a      attempt
		random float64
		want   deliveryrules.Result
		delay  time.Duration
	}{
		{"success", attempt{Succeeded: true, Pending: true, Step: 12}, 0, deliveryrules.Succeeded, 0},
		{"success by hand", attempt{Succeeded: true, Manual: true}, 0, deliveryrules.Succeeded, 0},
		{"failure by hand", attempt{Manual: true, Pending: true, Gone: true}, 0, deliveryrules.Unchanged, 0},
		{"failed since", attempt{}, 0, deliveryrules.Unchanged, 0},
		{"gone", attempt{Pending: true, Gone: true}, 0, deliveryrules.Gone, 0},
		{"first", attempt{Pending: true}, 0.5, deliveryrules.Retry, 5 * time.Second},
		{"first, early", attempt{Pending: true}, 0, deliveryrules.Retry, 4 * time.Second},
		{"first, late", attempt{Pending: true}, 1, deliveryrules.Retry, 6 * time.Second},
		{"fifth", attempt{Pending: true, Step: 4}, 0.5, deliveryrules.Retry, 30 * time.Minute},
		{"last but one", attempt{Pending: true, Step: 11}, 0.5, deliveryrules.Retry, 24 * time.Hour},
		{"last", attempt{Pending: true, Step: 12, RetryAfter: time.Hour}, 0.5, deliveryrules.Exhausted, 0},
		{"busy", attempt{Pending: true, Busy: true}, 0.5, deliveryrules.Retry, time.Minute},
		{"busy, later", attempt{Pending: true, Busy: true, Step: 3}, 0.5, deliveryrules.Retry, 10 * time.Minute},
		{"Retry-After", attempt{Pending: true, RetryAfter: 20 * time.Minute}, 0.5, deliveryrules.Retry, 20 * time.Minute},
		{"Retry-After of a second", attempt{Pending: true, Step: 3, RetryAfter: time.Second}, 0.5, deliveryrules.Retry, 10 * time.Minute},
		{"Retry-After of days", attempt{Pending: true, RetryAfter: 72 * time.Hour}, 0.5, deliveryrules.Retry, time.Hour},
		{"Retry-After of days, later", attempt{Pending: true, Step: 9, RetryAfter: 72 * time.Hour}, 0.5, deliveryrules.Retry, 24 * time.Hour},
	}
	for _, tt := range tests {
		if got, delay := tt.a.Result(tt.random); got != tt.want || delay != tt.delay {
			t.Errorf("%s: %d after %s, want %d after %s", tt.name, got, delay, tt.want, tt.delay)
		}
	}
}

var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func TestBreaker(t *testing.T) {
	b, now := deliveryrules.Breaker{}, start
	for i := range 4 {
		if b.Fail(now, false) || b.State(now) != deliveryrules.Closed {
			t.Fatalf("open after %d failures", i+1)
		}
	}
	for i, pause := range []time.Duration{30, 60, 120, 240, 480, 900, 900} {
		pause *= time.Second
		if !b.Fail(now, false) || b.State(now) != deliveryrules.Open {
			t.Fatalf("opening %d: not open", i+1)
		}
		if b.Fail(now.Add(time.Second), false) {
			t.Errorf("opening %d: an attempt that began before it opens it again", i+1)
		}
		if end := now.Add(pause); b.State(end.Add(-1)) != deliveryrules.Open || b.State(end) != deliveryrules.HalfOpen {
			t.Errorf("opening %d: open until %s, want %s", i+1, b.OpenUntil, end)
		}
		now = now.Add(pause)
	}
	if !b.Succeed() || b != (deliveryrules.Breaker{}) || b.Succeed() {
		t.Errorf("after a success: %+v", b)
	}
}

func TestMustDeactivate(t *testing.T) {
	const day = 24 * time.Hour
	tests := []struct {
		name     string
		failures []time.Duration // since the start, each the last attempt at its notification
		at       time.Duration
		want     bool
	}{
		{"never failed", nil, 9 * day, false},
		{"one given up", []time.Duration{0}, 9 * day, false},
		{"all given up at once", []time.Duration{0, 12*time.Hour - 1}, 9 * day, false},
		{"given up half a day apart", []time.Duration{0, 12 * time.Hour}, 5 * day, true},
		{"for less than five days", []time.Duration{0, 12 * time.Hour}, 5*day - 1, false},
	}
	for _, tt := range tests {
		var b deliveryrules.Breaker
		for _, at := range tt.failures {
			b.Fail(start.Add(at), true)
		}
		if got := b.MustDeactivate(start.Add(tt.at)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// A delay is never shorter than the schedule less its jitter, nor longer than twice its
// longest delay, and a higher RetryAfter never makes it shorter.
func TestDelays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := deliveryrules.Attempt{
			Pending: true, Busy: rapid.Bool().Draw(t, "busy"), Step: rapid.IntRange(0, 11).Draw(t, "step"),
			RetryAfter: time.Duration(rapid.Int64Range(0, int64(7*24*time.Hour)).Draw(t, "retry after")),
		}
		random := rapid.Float64Range(0, 0.999).Draw(t, "random")
		result, delay := a.Result(random)
		if result != deliveryrules.Retry || delay < 4*time.Second || delay > 48*time.Hour {
			t.Errorf("%d after %s", result, delay)
		}
		a.RetryAfter += time.Minute
		if _, longer := a.Result(random); longer < delay {
			t.Errorf("%s, and %s with a longer RetryAfter", delay, longer)
		}
	})
}
