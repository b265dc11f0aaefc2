//go:build cgo

package sqlite

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"
)

// The jobs that a killed process had claimed wait for the end of their leases,
// unless EndLeases says that there is no such process.
func TestEndLeases(t *testing.T) {
	now := time.UnixMicro(1_000_000)
	claim := func(s *Store) []store.Job {
		t.Helper()
		jobs, err := s.Claim(ctx, store.ClaimRequest{Kinds: []store.JobKind{"work"}, Now: now, Lease: time.Hour, PerGroup: 1})
		if err != nil {
			t.Fatal(err)
		}
		return jobs
	}
	path := filepath.Join(t.TempDir(), "test.db")
	killed := openAt(t, path)
	err := killed.Update(ctx, ann, func(tx store.RecordTx) error {
		return tx.Enqueue(ctx, store.Job{ID: store.ID{9}, Kind: "work", Group: "g", Due: now})
	})
	if err != nil {
		t.Fatal(err)
	}
	if jobs := claim(killed); len(jobs) != 1 {
		t.Fatalf("%d jobs", len(jobs))
	}
	if jobs := claim(openAt(t, path)); len(jobs) != 0 {
		t.Errorf("%d jobs whose lease has not ended", len(jobs))
	}
	next := openWith(t, path, Options{Readers: 2, EndLeases: true})
	if due, err := next.NextDue(ctx, []store.JobKind{"work"}); err != nil || due.After(now) {
		t.Errorf("the job is due at %v, %v", due, err)
	}
	jobs := claim(next)
	if len(jobs) != 1 || jobs[0].Attempt != 2 {
		t.Errorf("claimed again: %+v", jobs)
	}
}

// The jobs of an account that is at its limit are not read, however many there are.
func TestClaimLeavesOutFullAccounts(t *testing.T) {
	s, r := recorded(t, 0)
	now := time.UnixMicro(1_000_000)
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		for i := range 300 {
			if err := tx.Enqueue(ctx, store.Job{ID: store.ID{1, byte(i >> 8), byte(i)}, Kind: "work", Group: "g", Due: now}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	claim := func(want int) {
		t.Helper()
		r.seen = nil
		jobs, err := s.Claim(ctx, store.ClaimRequest{Kinds: []store.JobKind{"work"}, Now: now, Lease: time.Hour, PerAccount: 2})
		if err != nil || len(jobs) != want {
			t.Fatalf("%d jobs, %v", len(jobs), err)
		}
	}
	claim(2)
	claim(0)
	for _, statement := range r.seen {
		if strings.Contains(statement, "FROM jobs j JOIN accounts") {
			t.Errorf("read %s", statement)
		}
	}
}
