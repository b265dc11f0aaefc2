package tracking_test

import (
	"context"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
)

// endsInClaim is a store during whose claims of deliveries the engine is told to
// end.
type endsInClaim struct {
	tracking.Store
	end func()
}

func (s *endsInClaim) Claim(ctx context.Context, r tracking.ClaimRequest) ([]tracking.Job, error) {
	jobs, err := s.Store.Claim(ctx, r)
	if r.PerAccount > 0 && len(jobs) > 0 { // nothing else is bounded so
		s.end()
	}
	return jobs, err
}

// What was claimed when the end came is not left to its lease.
func TestEndWhileClaiming(t *testing.T) {
	store := &endsInClaim{Store: memory.New()}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	subscribe(t, b, hookURL, onlyAwaiting)
	happen(t, b, "B1")
	running, end := context.WithCancel(ctx)
	store.end = end
	if err := b.Operator.Run(running); err != nil {
		t.Fatal(err)
	}
	store.end = func() {}
	b.Settle()
	if n := len(b.Notifier.Sent()); n != 1 {
		t.Errorf("sent %d times", n)
	}
}
