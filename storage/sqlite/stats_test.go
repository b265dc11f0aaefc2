//go:build cgo

package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// The state of jobs is that of their groups and leases at the time that is asked about.
func TestStatsOfJobs(t *testing.T) {
	s := openWith(t, filepath.Join(t.TempDir(), "landfall.db"), Options{})
	ctx, account := t.Context(), store.AccountID{1}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	update := func(fn func(store.RecordTx) error) {
		t.Helper()
		if err := s.Update(ctx, account, fn); err != nil {
			t.Fatal(err)
		}
	}
	update(func(r store.RecordTx) error {
		var errs []error
		for i, j := range []store.Job{
			{Kind: "poll", Group: "a", Due: now.Add(-time.Hour)},
			{Kind: "poll", Group: "a", Due: now.Add(-2 * time.Hour)},
			{Kind: "poll", Group: "b", Due: now},
			{Kind: "poll", Group: "b", Due: now.Add(time.Second)}, // not due
			{Kind: "send", Group: "failing", Due: now.Add(-time.Minute)},
			{Kind: "send", Group: "gone", Due: now.Add(-time.Minute)},
			{Kind: "send", Group: "gone", Due: now.Add(-time.Minute)},
			{Kind: "send", Group: "resumed", Due: now.Add(-time.Minute)},
			{Kind: "later", Group: "c", Due: now.Add(time.Hour)},
		} {
			j.ID = uuid.UUID{byte(i + 1)}
			errs = append(errs, r.Enqueue(ctx, j))
		}
		return errors.Join(append(errs,
			r.PauseGroup(ctx, "send", "failing", now.Add(15*time.Minute)),
			r.PauseGroup(ctx, "send", "gone", now.AddDate(8000, 0, 0)),
			r.PauseGroup(ctx, "send", "resumed", now))...)
	})
	claimed, err := s.Claim(ctx, store.ClaimRequest{Kinds: []store.JobKind{"poll"}, Now: now, Lease: time.Minute, Limit: 1})
	if err != nil || len(claimed) != 1 {
		t.Fatal(claimed, err)
	}
	stats := func(at time.Time) []store.JobStats {
		t.Helper()
		got, err := s.Stats(ctx, at)
		if err != nil {
			t.Fatal(err)
		}
		return got.Jobs
	}
	want := []store.JobStats{
		{Kind: "poll", Due: 2, Leased: 1, Oldest: now.Add(-time.Hour)}, // that of two hours ago is claimed
		{Kind: "send", Due: 1, Paused: 3, Oldest: now.Add(-time.Minute), PausedGroups: 1, StoppedGroups: 1},
		{Kind: "later"},
	}
	if diff := cmp.Diff(want, stats(now), cmpByKind); diff != "" {
		t.Error(diff)
	}
	// When the lease and the pause are over.
	want[0] = store.JobStats{Kind: "poll", Due: 4, Oldest: now.Add(-2 * time.Hour)}
	want[1] = store.JobStats{Kind: "send", Due: 2, Paused: 2, Oldest: now.Add(-time.Minute), StoppedGroups: 1}
	want[2] = store.JobStats{Kind: "later"}
	if diff := cmp.Diff(want, stats(now.Add(15*time.Minute)), cmpByKind); diff != "" {
		t.Error(diff)
	}
}

// Views count what they find in the cache; the file and the log have sizes.
func TestStatsOfTheCache(t *testing.T) {
	s := openWith(t, filepath.Join(t.TempDir(), "landfall.db"), Options{CacheBytes: 1 << 20})
	ctx, account, k := t.Context(), store.AccountID{1}, &store.Kind{Name: "thing", Revision: "1"}
	if err := s.Prepare(ctx, []*store.Kind{k}); err != nil {
		t.Fatal(err)
	}
	ids := []store.ID{{1}, {2}, {3}}
	err := s.Update(ctx, account, func(r store.RecordTx) error {
		for _, id := range ids {
			if _, err := r.Put(ctx, k, store.Write{ID: id, Doc: []byte(`{}`)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	view := func(fn func(store.RecordTx) error) {
		t.Helper()
		if err := s.View(ctx, account, fn); err != nil {
			t.Fatal(err)
		}
	}
	get := func(r store.RecordTx) error { _, err := r.Get(ctx, k, ids[0]); return err }
	many := func(r store.RecordTx) error { _, err := r.GetMany(ctx, k, ids, nil); return err }
	list := func(r store.RecordTx) error {
		_, _, err := r.List(ctx, k, store.Filter{}, store.Page{Number: 1, Size: 3}, nil)
		return err
	}
	for i, step := range []struct {
		fn           func(store.RecordTx) error
		hits, misses int64
	}{{get, 0, 1}, {get, 1, 1}, {many, 2, 3}, {list, 5, 3}} {
		view(step.fn)
		got, err := s.Stats(ctx, time.Now())
		if err != nil || got.CacheHits != step.hits || got.CacheMisses != step.misses || got.CacheBytes == 0 || got.FileBytes == 0 || got.LogBytes == 0 {
			t.Errorf("after view %d: %+v, %v; want %d hits and %d misses", i, got, err, step.hits, step.misses)
		}
	}
}

// OnCommit gets each commit with the updates that shared it, and updates wait meanwhile.
func TestOnCommit(t *testing.T) {
	type commit struct {
		updates int
		took    time.Duration
		err     error
	}
	var commits []commit
	k := &store.Kind{Name: "thing", Revision: "1"}
	s := openWith(t, filepath.Join(t.TempDir(), "landfall.db"), Options{OnCommit: func(n int, took time.Duration, err error) { commits = append(commits, commit{n, took, err}) }})
	if err := s.Prepare(t.Context(), []*store.Kind{k}); err != nil {
		t.Fatal(err)
	}
	commits = nil
	put := func(ctx context.Context, id byte, before func()) error {
		return s.Update(ctx, store.AccountID{1}, func(r store.RecordTx) error {
			before()
			_, err := r.Put(ctx, k, store.Write{ID: store.ID{id}, Doc: []byte(`{}`)})
			return err
		})
	}
	begun, others := make(chan struct{}), make(chan error, 2)
	err := put(t.Context(), 1, func() {
		close(begun)
		for i := range 2 {
			go func() { others <- put(t.Context(), byte(i+2), func() {}) }()
		}
		for s.queue.length() < 2 {
			runtime.Gosched()
		}
		if got, err := s.Stats(t.Context(), time.Now()); err != nil || got.WaitingUpdates != 2 {
			t.Errorf("%d updates wait, %v; want 2", got.WaitingUpdates, err)
		}
	})
	if err := errors.Join(err, <-others, <-others); err != nil {
		t.Fatal(err)
	}
	if len(commits) != 1 || commits[0].updates != 3 || commits[0].took <= 0 || commits[0].err != nil {
		t.Errorf("commits: %+v, want one of 3 updates", commits)
	}
	failed := errors.New("the caller gives up")
	if err := s.Update(t.Context(), store.AccountID{1}, func(store.RecordTx) error { return failed }); !errors.Is(err, failed) {
		t.Fatal(err)
	}
	if len(commits) != 1 {
		t.Errorf("an update that failed was committed: %+v", commits)
	}
}

// cmpByKind compares lists in any order.
var cmpByKind = cmp.Transformer("byKind", func(list []store.JobStats) map[store.JobKind]store.JobStats {
	m := map[store.JobKind]store.JobStats{}
	for _, j := range list {
		m[j.Kind] = j
	}
	return m
})
