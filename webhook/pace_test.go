package webhook

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

func paced(rate float64, burst int) *pacer {
	return newPace(Config{Rate: rate, Burst: burst}.withDefaults())
}

// turns returns the delays of this many concurrent attempts.
func turns(t *testing.T, p *pacer, endpoint tracking.ID, n int) []time.Duration {
	t.Helper()
	began := time.Now()
	at := make([]time.Duration, n)
	for i := range at {
		if _, ok := p.wait(context.Background(), endpoint); !ok {
			t.Fatalf("attempt %d has no turn", i)
		}
		at[i] = time.Since(began)
	}
	return at
}

func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := paced(2, 3)
		slow, other := uuid.New(), uuid.New()
		got := turns(t, p, slow, 6)
		for i, want := range []time.Duration{0, 0, 0, 500, 1000, 1500} {
			if got[i] != want*time.Millisecond {
				t.Errorf("attempt %d after %v, want %v ms", i, got[i], int(want))
			}
		}
		if got := turns(t, p, other, 3); got[2] != 0 {
			t.Errorf("another endpoint waits: %v", got)
		}
		if got := turns(t, p, tracking.ID{}, 100); got[99] != 0 {
			t.Errorf("trials wait: %v", got)
		}
		if got := turns(t, paced(0, 0), slow, 100); got[99] != 0 {
			t.Errorf("without a pace they wait: %v", got)
		}
	})
}

// A reservation that is too far away, or not needed any more, is cancelled.
func TestPaceGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := paced(0.01, 1)
		endpoint := uuid.New()
		turns(t, p, endpoint, 1)
		for range 3 {
			if left, ok := p.wait(context.Background(), endpoint); ok || left != 100*time.Second {
				t.Errorf("%v left, %v", left, ok)
			}
		}
		p = paced(0.1, 1)
		turns(t, p, endpoint, 1)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if left, ok := p.wait(ctx, endpoint); ok || left != 0 {
			t.Errorf("canceled: %v left, %v", left, ok)
		}
		if got := turns(t, p, endpoint, 1); got[0] != 9*time.Second {
			t.Errorf("the next turn is after %v", got[0])
		}
	})
}

// Only endpoints that allow a full burst again are forgotten.
func TestPaceForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := paced(1, 2)
		for range 100 {
			busy := uuid.New()
			turns(t, p, busy, 3)
			for range 50 {
				turns(t, p, uuid.New(), 1)
			}
			if left := p.limiters[busy].Tokens(); left >= 2 {
				t.Fatalf("a busy endpoint has %v tokens", left)
			}
			time.Sleep(time.Second / 2)
		}
		if n := len(p.limiters); n > 2*minSweep {
			t.Errorf("%d of 5,100 endpoints are remembered", n)
		}
	})
}
