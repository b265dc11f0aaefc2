package schedule

import (
	"testing"
	"time"
)

func TestBackOff(t *testing.T) {
	for _, tt := range []struct {
		failures       int
		interval, want time.Duration
	}{
		{1, time.Hour, time.Minute},
		{2, time.Hour, 2 * time.Minute},
		{6, time.Hour, 32 * time.Minute},
		{7, time.Hour, time.Hour},
		{1000, time.Hour, time.Hour},
		{1, 5 * time.Second, 5 * time.Second},
	} {
		if got := BackOff(tt.failures, tt.interval); got != tt.want {
			t.Errorf("after %d failures at %s: %s, want %s", tt.failures, tt.interval, got, tt.want)
		}
	}
}

// TestRetryDelay: the published schedule has 14 retries in 24.9 hours.
func TestRetryDelay(t *testing.T) {
	var sum time.Duration
	for n := range 14 {
		d := RetryDelay(n, 0)
		if jitter := RetryDelay(n, 0.5) - d; jitter != time.Duration(n+1)*5*time.Second {
			t.Errorf("retry %d: half of the jitter is %s", n, jitter)
		}
		sum += d
	}
	if sum != 89481*time.Second {
		t.Errorf("the retries take %s", sum)
	}
}

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func TestWholeSecond(t *testing.T) {
	for add, want := range map[time.Duration]time.Duration{0: 0, time.Nanosecond: time.Second, time.Second: time.Second} {
		if got := WholeSecond(noon.Add(add)); !got.Equal(noon.Add(want)) {
			t.Errorf("%s after: %s", add, got)
		}
	}
}

func TestJittered(t *testing.T) {
	for _, jitter := range []float64{-1, 0, 0.5} {
		if got, want := (Intervals{Jitter: jitter}).Jittered(time.Hour, 0.5), time.Hour+time.Duration(max(0, jitter)*0.5*float64(time.Hour)); got != want {
			t.Errorf("jitter %g: %s, want %s", jitter, got, want)
		}
	}
}

// TestStopAndRefresh: a container that was picked up and one that waits at the terminal.
// The first to be queried decides the interval, the last to end decides the stop.
func TestStopAndRefresh(t *testing.T) {
	day := 24 * time.Hour
	s := Shipment{Created: noon, LastFact: noon, Containers: []Progress{
		{Sailed: noon, Arrived: noon, AtPickup: noon, PickedUp: noon.Add(day)},
		{Sailed: noon, Arrived: noon, AtPickup: noon.Add(2 * day)},
		{Unused: true},
	}}
	w, i := Windows{Arrival: 10 * day, FullOut: 5 * day, NoUpdates: 100 * day}, Intervals{}.WithDefaults(6*time.Hour)
	if rule, next := s.StopDue(w, noon); rule != NoRule || !next.Equal(noon.Add(12*day)) {
		t.Errorf("stopped by %d, next check at %s", rule, next)
	}
	if rule, _ := s.StopDue(w, noon.Add(12*day)); rule != PastArrival {
		t.Errorf("at the end of the window: stopped by %d", rule)
	}
	if d := s.RefreshInterval(i, 6*time.Hour, noon.Add(3*day)); d != i.AtTerminal {
		t.Errorf("queried each %s", d)
	}
	s.Containers[0].Returned, s.Containers[1] = noon, Progress{Returned: noon}
	if rule, _ := s.StopDue(w, noon); rule != AllReturned || s.NeverSailed() {
		t.Errorf("all returned: stopped by %d", rule)
	}
}
