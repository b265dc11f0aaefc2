package storagetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"
)

// RunCopies tests store.Copy from one kind of store to another. Each store that from and to
// return must be new and empty, and be closed by t.Cleanup.
func RunCopies(t *testing.T, from, to func(testing.TB) store.Copier) {
	for name, test := range map[string]func(*copyEnv){
		"Everything": copiesEverything, "Interrupted": continuesCopies, "Refused": refusesCopies, "Changed": findsChanges, "Differences": findsDifferences,
	} {
		t.Run(name, func(t *testing.T) {
			r := &run{seed: seed(t)}
			c := &copyEnv{from: from(t), to: to(t), models: map[store.AccountID]model{}}
			c.env = newEnv(t, r, c.from)
			c.other = newEnv(t, r, c.to)
			c.other.rand = rand.New(rand.NewPCG(r.seed, 1))
			test(c)
		})
	}
}

// copyEnv is the environment of a test: that of the source, and the one of the target.
type copyEnv struct {
	*env
	other    *env
	from, to store.Copier
	models   map[store.AccountID]model
}

// fill writes random records to the source, and jobs that wait, are leased, have attempts
// or are paused.
func (c *copyEnv) fill() {
	c.Helper()
	for _, a := range []store.AccountID{{}, c.a, c.b} {
		for range 12 {
			c.models[a] = c.randomWrites(a, c.models[a])
		}
	}
	for _, name := range []string{"z", "a", "y", "b", "x", "c", "w"} {
		a := c.a
		if name > "m" {
			a = c.b
		}
		c.enqueue(a, job(name, "of "+name, 0), job(name+" again", "shared", time.Duration(name[0])*time.Second))
	}
	c.enqueue(c.a, store.Job{ID: id("with data"), Kind: "work", Group: "data", Ref: id("x"), Data: []byte("\x00data"), Due: after(hour)})
	leased := c.claim(store.ClaimRequest{Kinds: []store.JobKind{"work"}, Now: after(2 * minute), Lease: hour, Limit: 4, PerGroup: 1})
	c.update(leased[0].Account, func(tx store.RecordTx) { c.noError(tx.Finish(c.ctx, leased[0])) })
	c.claim(store.ClaimRequest{Kinds: []store.JobKind{"work"}, Now: after(2 * minute), Lease: time.Second, Limit: 2})
	c.pauseGroup("work", "of w", after(3*hour))
}

// countedMarks is what marks are; a store need not keep it.
func countedMarks(_ context.Context, _ store.AccountID, name string) (bool, error) {
	return name != "rank", nil
}

func (c *copyEnv) copy() (store.CopyCounts, error) { return c.copyTo(c.to) }

func (c *copyEnv) copyTo(to store.Copier) (store.CopyCounts, error) {
	return store.Copy(c.ctx, c.from, to, []*store.Kind{c.kind}, store.CopyRequest{Counted: countedMarks, Batch: 7})
}

// compare compares the target with the models, and claims with those of the source until no
// job is left.
func (c *copyEnv) compare() {
	c.Helper()
	for a, m := range c.models {
		for range 20 {
			c.other.randomList(a, m)
			c.other.randomLinks(a, m)
			c.other.randomCounts(a, m)
		}
	}
	for now := after(2 * minute); now.Before(after(5 * hour)); now = now.Add(7 * minute) {
		r := store.ClaimRequest{Kinds: []store.JobKind{"work"}, Now: now, Lease: 10 * minute, Limit: 3, PerAccount: 4}
		want, got := c.claim(r), c.other.claim(r)
		if !slices.EqualFunc(want, got, sameJob) {
			c.Fatalf("at %s the source gives %+v, and the target %+v", now, want, got)
		}
		for i, j := range want {
			if j.Attempt == 2 { // others are claimed again
				c.update(j.Account, func(tx store.RecordTx) { c.noError(tx.Finish(c.ctx, j)) })
				c.other.update(j.Account, func(tx store.RecordTx) { c.noError(tx.Finish(c.ctx, got[i])) })
			}
		}
	}
}

// sameJob compares jobs but for their tokens.
func sameJob(a, b store.Job) bool {
	return a.ID == b.ID && a.Account == b.Account && a.Kind == b.Kind && a.Group == b.Group && a.Ref == b.Ref && string(a.Data) == string(b.Data) && a.Due.Equal(b.Due) && a.Attempt == b.Attempt
}

func copiesEverything(c *copyEnv) {
	c.fill()
	counts, err := c.copy()
	c.noError(err)
	records := 0
	for _, m := range c.models {
		records += len(m)
	}
	if counts.Records["widget"] != int64(records) || counts.Jobs != 14 || counts.Groups != 9 || counts.Marks == 0 {
		c.Errorf("%+v of %d records", counts, records)
	}
	again, err := c.copy()
	c.noError(err)
	if again.Marks != counts.Marks || again.Jobs != counts.Jobs {
		c.Errorf("%+v, and again %+v", counts, again)
	}
	c.compare()
	// A new record comes after the copied ones, and a job behind the others.
	for a, m := range c.models {
		for range 5 {
			m = c.other.randomWrites(a, m)
		}
		for range 20 {
			c.other.randomList(a, m)
		}
	}
}

var errCut = errors.New("cut")

// cutCopier fails after a number of writes: the next one is made or not.
type cutCopier struct {
	store.Copier
	left  int
	makes bool
}

func (c *cutCopier) cut(write func() error) error {
	if c.left > 0 {
		c.left--
		return write()
	}
	if c.makes {
		if err := write(); err != nil {
			return err
		}
	}
	return errCut
}

func (c *cutCopier) WriteCopies(ctx context.Context, a store.AccountID, k *store.Kind, records []store.RecordCopy) error {
	return c.cut(func() error { return c.Copier.WriteCopies(ctx, a, k, records) })
}

func (c *cutCopier) WriteQueues(ctx context.Context, groups []store.GroupCopy, jobs []store.JobCopy) error {
	return c.cut(func() error { return c.Copier.WriteQueues(ctx, groups, jobs) })
}

func (c *cutCopier) SetCopyState(ctx context.Context, s store.CopyState) error {
	return c.cut(func() error { return c.Copier.SetCopyState(ctx, s) })
}

// continuesCopies cuts a copy after each number of writes; the next call continues it.
func continuesCopies(c *copyEnv) {
	c.fill()
	cuts := 0
	for ; ; cuts++ { // jobs are copied again each time, so the last calls make more writes
		_, err := c.copyTo(&cutCopier{c.to, cuts / 2, cuts%2 == 0})
		if err == nil {
			break
		}
		c.wantError(err, errCut)
	}
	if cuts < 8 {
		c.Errorf("cut %d times", cuts)
	}
	c.compare()
}

func (c *copyEnv) wantRefused(words string) {
	c.Helper()
	if _, err := c.copy(); !errors.Is(err, store.ErrCopyRefused) {
		c.Errorf("%s: %v", words, err)
	}
}

func refusesCopies(c *copyEnv) {
	c.fill()
	if _, err := c.copyTo(&cutCopier{c.to, 3, false}); !errors.Is(err, errCut) {
		c.Fatal(err)
	}
	if _, err := store.Copy(c.ctx, c.to, c.from, []*store.Kind{c.kind}, store.CopyRequest{}); !errors.Is(err, store.ErrCopyRefused) {
		c.Errorf("from a copy that is not complete: %v", err)
	}
	c.put(c.a, widgetNamed("since then"))
	c.wantRefused("a source that has changed")

	fresh := *c
	fresh.noError(fresh.to.SetCopyState(fresh.ctx, store.CopyState{}))
	fresh.wantRefused("a target that has records")
}

// changingCopier writes a record while it is copied.
type changingCopier struct {
	store.Copier
	change func()
}

func (c *changingCopier) ReadGroups(ctx context.Context) ([]store.GroupCopy, error) {
	c.change()
	return c.Copier.ReadGroups(ctx)
}

// findsChanges changes a record that is already copied, so that the counts are the same.
func findsChanges(c *copyEnv) {
	c.put(c.a, widgetNamed("changed"))
	source := &changingCopier{c.from, func() {
		w := widgetNamed("changed")
		w.Secret = "since then"
		c.put(c.a, w)
	}}
	_, err := store.Copy(c.ctx, source, c.to, []*store.Kind{c.kind}, store.CopyRequest{})
	c.wantError(err, store.ErrCopyRefused)
	if state, err := c.to.CopyState(c.ctx); err != nil || state.Complete {
		c.Errorf("%+v, %v", state, err)
	}
}

// findsDifferences checks that records and jobs that the target has lost or gained are found.
func findsDifferences(c *copyEnv) {
	c.fill()
	_, err := c.copy()
	c.noError(err)
	c.other.enqueue(c.a, job("more", "of a", 0))
	if _, err := c.copy(); err == nil || errors.Is(err, store.ErrCopyRefused) {
		c.Errorf("with one more job: %v", err)
	}
	c.other.put(c.a, widgetNamed("one more"))
	if _, err := c.copy(); err == nil || errors.Is(err, store.ErrCopyRefused) {
		c.Errorf("with one more record: %v", err)
	}
}
