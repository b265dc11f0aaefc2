package postgres_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/storage/postgres"
	"github.com/landfallhq/tracking/store"
)

// counted is the kind note with kept totals.
var counted = &store.Kind{Name: "note", Revision: "1", Columns: []store.Column{{Name: "text", Type: store.TextColumn, Counted: true}}}

// before is what a store had when its database was saved.
type before struct {
	claimed  store.Job
	leaseEnd time.Time
	now      time.Time
	commits  int64
	notes    []store.ID
}

var work = []store.JobKind{"work"}

// prepareRestore fills a database with notes and jobs, one of them claimed.
func prepareRestore(t *testing.T, s *postgres.Store) (b before) {
	t.Helper()
	if err := s.Prepare(ctx, []*store.Kind{counted}); err != nil {
		t.Fatal(err)
	}
	b.now = time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)
	for i := range byte(70) { // more than a block of numbers
		err := s.Update(ctx, ann, func(tx store.RecordTx) error {
			_, err := tx.Put(ctx, counted, write(i+1, fmt.Sprint("text ", i%2)))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		b.notes = append(b.notes, store.ID{i + 1})
	}
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		for i := range byte(2) {
			if err := tx.Enqueue(ctx, store.Job{ID: store.ID{i + 1}, Kind: work[0], Group: "g", Due: b.now.Add(time.Duration(i) * time.Second)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b.leaseEnd = b.now.Add(time.Minute)
	b.claimed = claim(t, s, b.now, 1)[0]
	b.commits = commits(t, s)
	beat(t, s, 7, "1")
	return b
}

// commits returns how many updates have changed records of the account.
func commits(t *testing.T, s store.Store) int64 {
	t.Helper()
	return token(t, s, ann) & (1<<48 - 1) // without the epoch
}

func claim(t *testing.T, s store.Store, at time.Time, want int) []store.Job {
	t.Helper()
	jobs, err := s.Claim(ctx, store.ClaimRequest{Kinds: work, Now: at, Lease: time.Minute, Limit: 10})
	if err != nil || len(jobs) != want {
		t.Fatalf("claimed %+v, %v; want %d", jobs, err, want)
	}
	return jobs
}

// check checks that a restored database goes on where it was saved.
func (b before) check(t *testing.T, s *postgres.Store) {
	t.Helper()
	if err := s.Prepare(ctx, []*store.Kind{counted}); err != nil {
		t.Fatal(err)
	}
	b.checkNotes(t, s, b.notes)
	notes := slices.Clone(b.notes)
	for i := range byte(70) { // new records are the last in order
		id := store.ID{i + 101}
		if err := put(s, ann, counted, write(i+101, fmt.Sprint("text ", i%2))); err != nil {
			t.Fatal(err)
		}
		notes = append(notes, id)
	}
	b.checkNotes(t, s, notes)
	if err := put(s, ben, counted, write(1, "of an account that is new")); err != nil {
		t.Fatal(err)
	}

	// A lease goes on, and what was not claimed can be.
	soon := b.now.Add(30 * time.Second)
	if got := claim(t, s, soon, 1)[0]; got.ID == b.claimed.ID || got.Attempt != 1 {
		t.Errorf("claimed %+v", got)
	}
	again := claim(t, s, b.leaseEnd.Add(time.Second), 1)[0]
	if again.ID != b.claimed.ID || again.Attempt != 2 {
		t.Errorf("after the end of the lease: %+v", again)
	}
	finish := func(j store.Job) error {
		return s.Update(ctx, ann, func(tx store.RecordTx) error { return tx.Finish(ctx, j) })
	}
	if err := finish(b.claimed); !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("the former holder finishes the job: %v", err)
	}
	if err := finish(again); err != nil {
		t.Error(err)
	}
	if nodes, err := s.Nodes(ctx); err != nil || len(nodes) != 1 {
		t.Errorf("nodes %+v, %v", nodes, err)
	}
}

// checkNotes compares order, pages and totals with the notes that there should be.
func (b before) checkNotes(t *testing.T, s store.Store, want []store.ID) {
	t.Helper()
	err := s.View(ctx, ann, func(tx store.RecordTx) error {
		list, _, err := tx.List(ctx, counted, store.Filter{Sort: []store.Order{{}}}, store.Page{}, nil)
		if err != nil {
			return err
		}
		var got []store.ID
		for _, r := range list {
			got = append(got, r.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("notes %v, want %v", got, want)
		}
		half := store.Filter{Where: []store.Cond{{Name: "text", Op: store.Is, Values: []any{"text 0"}}}}
		for f, n := range map[*store.Filter]int{{}: len(want), &half: len(want) / 2} {
			if _, total, err := tx.List(ctx, counted, *f, store.Page{Number: 1, Size: 1}, nil); err != nil || total != n {
				t.Errorf("a total of %d, %v; want %d", total, err, n)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestRestoredDump: a database that was restored from a dump goes on: numbers of records and
// commits, totals, jobs and leases.
func TestRestoredDump(t *testing.T) {
	t.Parallel()
	c := postgrestest.Shared(t)
	url, name := c.Database(t)
	b := prepareRestore(t, open(t, url))
	file := c.Dump(t, name)
	s := open(t, c.Load(t, file))
	if err := s.Prepare(ctx, []*store.Kind{counted}); err != nil {
		t.Fatal(err)
	}
	if got := commits(t, s); got != b.commits {
		t.Errorf("%d updates have changed records, and now %d", b.commits, got)
	}
	b.check(t, s)
}

// TestRecoveredToAPoint: a cluster that was brought back to a point in time goes on from
// there, also for a process that was running meanwhile: nothing that it has seen after the
// point has the change token of what is there now.
func TestRecoveredToAPoint(t *testing.T) {
	t.Parallel()
	c := postgrestest.StartArchiving(t)
	url, _ := c.Database(t)
	running := open(t, url)
	if err := running.Prepare(ctx, []*store.Kind{counted}); err != nil {
		t.Fatal(err)
	}
	c.BaseBackup(t)
	b := prepareRestore(t, running)
	c.RestorePoint(t, "here")
	lost := store.AccountID{9} // added after the point
	seen := map[int64]string{}
	for i, text := range []string{"x", "y", "z"} {
		mustPutNote(t, running, lost, text)
		mustPutNote(t, running, ann, text)
		seen[token(t, running, ann)] = fmt.Sprint(i, text)
	}
	c.Recover(t, "here")

	// The first uses of the former connections fail.
	for range 50 {
		if err := running.View(ctx, ann, func(tx store.RecordTx) error { _, err := tx.Get(ctx, counted, store.ID{1}); return err }); err == nil {
			break
		} else if !errors.Is(err, store.ErrUnavailable) {
			t.Fatal(err)
		}
	}
	other := store.AccountID{10} // may have the number that the lost account had
	mustPutNote(t, running, other, "o")
	err := running.View(ctx, lost, func(tx store.RecordTx) error {
		list, _, err := tx.List(ctx, counted, store.Filter{}, store.Page{}, nil)
		if len(list) > 0 {
			t.Errorf("an account that is gone has %d records", len(list))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for i := range byte(3) {
		if was, ok := seen[token(t, running, ann)]; ok {
			t.Errorf("after %d further changes, the change token is that of %s, which is gone", i, was)
		}
		if i == 2 {
			break
		}
		if err := put(running, ann, counted, write(200+i, fmt.Sprint("text ", i))); err != nil {
			t.Fatal(err)
		}
		b.notes = append(b.notes, store.ID{200 + i})
	}
	b.check(t, open(t, url))
}

func mustPutNote(t *testing.T, s store.Store, a store.AccountID, text string) {
	t.Helper()
	w := write(0, text)
	w.ID = uuid.New()
	if err := put(s, a, counted, w); err != nil {
		t.Fatal(err)
	}
}
