package postgres

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/store"
)

// TestClaimsBehindWhatWasSeen: the database is behind what a node has seen, as when it was
// restored behind a pooler. The node finds jobs whose transactions have smaller numbers.
func TestClaimsBehindWhatWasSeen(t *testing.T) {
	s, ctx := openBench(t, postgrestest.Shared(t).Schema(t)), context.Background()
	claim := func() int {
		t.Helper()
		jobs, err := s.Claim(ctx, store.ClaimRequest{Kinds: []store.JobKind{"work"}, Now: time.Now(), Lease: time.Minute, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		return len(jobs)
	}
	if n := claim(); n != 0 {
		t.Fatalf("%d jobs", n)
	}
	s.follower.seen = "1000000000000"
	err := s.Update(ctx, store.AccountID(uuid.New()), func(tx store.RecordTx) error {
		return tx.Enqueue(ctx, store.Job{ID: uuid.New(), Kind: "work", Group: "g"})
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := claim(); n != 1 {
		t.Errorf("%d jobs, want 1", n)
	}
}
