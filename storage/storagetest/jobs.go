package storagetest

import (
	"bytes"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

const (
	hour   = time.Hour
	minute = time.Minute
)

// job returns a job of the kind "work", whose ID belongs to its name.
func job(name, group string, due time.Duration) store.Job {
	return store.Job{ID: id(name), Kind: "work", Group: group, Due: after(due)}
}

func (e *env) enqueue(a store.AccountID, jobs ...store.Job) {
	e.Helper()
	e.update(a, func(tx store.RecordTx) {
		for _, j := range jobs {
			e.noError(tx.Enqueue(e.ctx, j))
		}
	})
}

func (e *env) enqueueBy(a store.AccountID, j store.Job) {
	e.Helper()
	e.update(a, func(tx store.RecordTx) { e.noError(tx.EnqueueBy(e.ctx, j)) })
}

// claims is a request for all jobs that are due at a time, with a lease of a
// minute.
func claims(now time.Time) store.ClaimRequest {
	return store.ClaimRequest{Kinds: []store.JobKind{"work"}, Now: now, Lease: minute}
}

func (e *env) claim(r store.ClaimRequest) []store.Job {
	e.Helper()
	jobs, err := e.store.Claim(e.ctx, r)
	e.noError(err)
	for _, j := range jobs {
		if j.Token == (store.ID{}) {
			e.Fatalf("job %v without a token", j)
		}
	}
	return jobs
}

func (e *env) sameJobs(jobs []store.Job, names ...string) {
	e.Helper()
	ids := make([]store.ID, len(jobs))
	for i, j := range jobs {
		ids[i] = j.ID
	}
	e.sameIDs(ids, names...)
}

// finish finishes a job; want is nil or ErrLeaseLost.
func (e *env) finish(j store.Job, want error) {
	e.Helper()
	err := e.store.Update(e.ctx, j.Account, func(tx store.RecordTx) error { return tx.Finish(e.ctx, j) })
	e.wantError(err, want)
}

func (e *env) extend(j store.Job, until time.Time, want error) {
	e.Helper()
	err := e.store.Update(e.ctx, j.Account, func(tx store.RecordTx) error { return tx.Extend(e.ctx, j, until) })
	e.wantError(err, want)
}

func (e *env) postpone(j store.Job, due time.Time, want error) {
	e.Helper()
	account := j.Account
	if account == (store.AccountID{}) {
		account = e.a
	}
	err := e.store.Update(e.ctx, account, func(tx store.RecordTx) error { return tx.Postpone(e.ctx, j, due) })
	e.wantError(err, want)
}

func (e *env) pauseGroup(k store.JobKind, group string, until time.Time) {
	e.Helper()
	e.update(e.a, func(tx store.RecordTx) { e.noError(tx.PauseGroup(e.ctx, k, group, until)) })
}

// wantNextDue fails the test unless NextDue returns want.
func (e *env) wantNextDue(want time.Time, kinds ...store.JobKind) {
	e.Helper()
	if kinds == nil {
		kinds = []store.JobKind{"work"}
	}
	got, err := e.store.NextDue(e.ctx, kinds)
	e.noError(err)
	if !got.Equal(want) {
		e.Fatalf("next due %v, want %v", got, want)
	}
}

var jobTests = []test{
	{"NothingToClaim", func(e *env) {
		e.sameJobs(e.claim(claims(t0)))
		e.wantNextDue(time.Time{})
	}},
	{"ClaimHandsOutTheWholeJob", func(e *env) {
		zone := time.FixedZone("", 7200)
		j := store.Job{
			ID: id("j"), Kind: "work", Group: "g\x00%", Ref: id("ref"), Data: []byte("{\x00\xff}"), Due: t0.Add(789).In(zone),
			Token: id("made up"), Attempt: 7,
		}
		e.enqueue(e.a, j)
		got := e.claim(claims(t0))
		e.sameJobs(got, "j")
		g := got[0]
		if g.Account != e.a || g.Kind != j.Kind || g.Group != j.Group || g.Ref != j.Ref || !bytes.Equal(g.Data, j.Data) {
			e.Fatalf("job %+v", g)
		}
		if g.Attempt != 1 || g.Token == j.Token {
			e.Fatalf("attempt %d, token %v", g.Attempt, g.Token)
		}
		if g.Due != t0 {
			e.Fatalf("due %v, want %v in UTC", g.Due, t0)
		}
	}},
	{"OnlyWhatIsDue", func(e *env) {
		e.enqueue(e.a, job("now", "g", 0), job("later", "g", time.Microsecond))
		e.sameJobs(e.claim(claims(after(-time.Microsecond))))
		e.sameJobs(e.claim(claims(t0)), "now")
		e.sameJobs(e.claim(claims(after(time.Microsecond))), "later")
	}},
	{"OnlyTheKindsAskedFor", func(e *env) {
		other := job("other", "g", 0)
		other.Kind = "play"
		e.enqueue(e.a, other, job("work", "g", 0))
		r := claims(t0)
		r.Kinds = nil
		e.sameJobs(e.claim(r))
		r.Kinds = []store.JobKind{"none", "play"}
		e.sameJobs(e.claim(r), "other")
		r.Kinds = []store.JobKind{"play", "work"}
		e.sameJobs(e.claim(r), "work")
	}},
	{"ALeasedJobIsNobodyElses", func(e *env) {
		e.enqueue(e.a, job("j", "g", 0))
		first := e.claim(claims(t0))[0]
		e.sameJobs(e.claim(claims(t0)))
		e.sameJobs(e.claim(claims(after(minute - time.Microsecond))))
		second := e.claim(claims(after(minute)))
		e.sameJobs(second, "j")
		if second[0].Token == first.Token || second[0].Attempt != 2 {
			e.Fatalf("second claim %+v", second[0])
		}
		// The first holder has lost its lease.
		e.finish(first, store.ErrLeaseLost)
		e.extend(first, after(hour), store.ErrLeaseLost)
		e.sameJobs(e.claim(claims(after(2*minute - time.Microsecond))))
		e.finish(second[0], nil)
		e.finish(second[0], store.ErrLeaseLost)
		e.sameJobs(e.claim(claims(after(hour))))
		e.wantNextDue(time.Time{})
	}},
	{"AnEndedLeaseThatNobodyTookIsStillOnesOwn", func(e *env) {
		e.enqueue(e.a, job("j", "g", 0), job("k", "g", 0))
		jobs := e.claim(claims(t0))
		e.finish(jobs[0], nil) // the store has no clock: a lease is lost only to another claim
		e.extend(jobs[1], after(hour), nil)
		e.sameJobs(e.claim(claims(after(hour - time.Microsecond))))
	}},
	{"UnclaimedJobsCannotBeFinished", func(e *env) {
		e.enqueue(e.a, job("j", "g", 0))
		j := job("j", "g", 0)
		j.Account = e.a
		e.finish(j, store.ErrLeaseLost)
		e.extend(j, after(hour), store.ErrLeaseLost)
		j.Token = id("guess")
		e.finish(j, store.ErrLeaseLost)
		j.ID = id("none")
		e.finish(j, store.ErrLeaseLost)
		e.sameJobs(e.claim(claims(t0)), "j")
	}},
	{"Extend", func(e *env) {
		e.enqueue(e.a, job("j", "g", 0))
		j := e.claim(claims(t0))[0]
		e.extend(j, after(hour), nil)
		e.sameJobs(e.claim(claims(after(hour - time.Microsecond))))
		e.extend(j, after(minute), nil)
		e.sameJobs(e.claim(claims(after(minute))), "j")
	}},
	{"Postpone", func(e *env) {
		first := job("j", "g", 0)
		first.Data = []byte("first")
		e.enqueue(e.a, first, job("k", "g", minute))
		j := e.claim(claims(t0))[0]
		e.postpone(j, after(minute), nil)
		e.wantNextDue(after(minute))
		e.sameJobs(e.claim(claims(after(minute - time.Microsecond))))
		e.finish(j, store.ErrLeaseLost)
		e.postpone(j, after(hour), store.ErrLeaseLost)
		e.enqueueBy(e.a, job("j", "g", time.Second)) // it is not leased any more
		got := e.claim(claims(after(time.Second)))
		e.sameJobs(got, "j")
		if g := got[0]; g.Attempt != 1 || g.Group != "g" || string(g.Data) != "first" || !g.Due.Equal(after(time.Second)) {
			e.Fatalf("job %+v", g)
		}
		e.postpone(got[0], after(minute), nil)
		e.sameJobs(e.claim(claims(after(hour))), "j", "k") // in the order of enqueueing
		e.postpone(job("l", "g", 0), after(hour), store.ErrLeaseLost)
	}},
	{"EnqueueReplaces", func(e *env) {
		first := job("j", "g", 0)
		first.Data = []byte("first")
		e.enqueue(e.a, first)
		lost := e.claim(claims(t0))[0]
		second := job("j", "h", minute)
		second.Ref = id("ref")
		e.enqueue(e.a, second)
		e.finish(lost, store.ErrLeaseLost)
		e.extend(lost, after(hour), store.ErrLeaseLost)
		e.sameJobs(e.claim(claims(t0)))
		got := e.claim(claims(after(minute)))
		e.sameJobs(got, "j")
		if g := got[0]; g.Attempt != 1 || g.Group != "h" || g.Ref != id("ref") || len(g.Data) != 0 {
			e.Fatalf("job %+v", g)
		}
		e.finish(got[0], nil)
		e.wantNextDue(time.Time{})
	}},
	{"HastenAddsWhatIsNotThere", func(e *env) {
		e.enqueueBy(e.a, job("j", "g", minute))
		e.enqueueBy(e.b, job("j", "g", hour))
		e.wantNextDue(after(minute))
		got := e.claim(claims(after(minute)))
		e.sameJobs(got, "j")
		if got[0].Account != e.a || got[0].Group != "g" || got[0].Attempt != 1 {
			e.Fatalf("job %+v", got[0])
		}
	}},
	{"HastenBringsForward", func(e *env) {
		first := job("j", "g", hour)
		first.Data = []byte("first")
		e.enqueue(e.a, first)
		e.enqueueBy(e.a, job("j", "g", 2*hour)) // later: unchanged
		e.wantNextDue(after(hour))
		e.enqueueBy(e.a, job("j", "h", minute))
		e.wantNextDue(after(minute))
		got := e.claim(claims(after(minute)))
		e.sameJobs(got, "j")
		if g := got[0]; g.Group != "g" || string(g.Data) != "first" || !g.Due.Equal(after(minute)) {
			e.Fatalf("job %+v", g)
		}
	}},
	{"HastenLeavesAClaimedJobAlone", func(e *env) {
		e.enqueue(e.a, job("j", "g", 0))
		j := e.claim(claims(t0))[0]
		e.enqueueBy(e.a, job("j", "g", -hour))
		e.sameJobs(e.claim(claims(after(minute - time.Microsecond))))
		e.finish(j, nil)
		e.wantNextDue(time.Time{})
	}},
	{"Hold", func(e *env) {
		e.enqueue(e.a, job("j", "g", 0))
		e.enqueue(e.b, job("other account", "g", 0), job("other group", "h", 0))
		play := job("other kind", "g", 0)
		play.Kind = "play"
		e.enqueue(e.a, play)
		e.pauseGroup("work", "g", after(hour))
		r := claims(t0)
		r.Kinds = append(r.Kinds, "play")
		e.sameJobs(e.claim(r), "other group", "other kind")
		r.Now = after(hour - time.Microsecond)
		r.Limit = 1
		for _, want := range []string{"other group", "other kind"} { // leased again, because their leases ended
			e.sameJobs(e.claim(r), want)
		}
		r.Kinds = r.Kinds[:1]
		e.sameJobs(e.claim(r))
		e.pauseGroup("work", "g", after(0)) // has passed
		e.sameJobs(e.claim(r), "j")
		e.pauseGroup("work", "g", after(2*hour))
		r.Now = after(2 * hour)
		r.Limit = 0
		e.sameJobs(e.claim(r), "other group", "j", "other account")
	}},
	{"HoldBeforeTheFirstJob", func(e *env) {
		e.pauseGroup("work", "g", after(hour))
		e.enqueue(e.a, job("j", "g", 0))
		e.sameJobs(e.claim(claims(t0)))
		e.wantNextDue(after(hour))
		e.sameJobs(e.claim(claims(after(hour))), "j")
	}},
	{"EarliestDueFirstWithinAGroup", func(e *env) {
		e.enqueue(e.a, job("3", "g", 3), job("1", "g", 1000), job("2", "g", 2000))
		e.enqueue(e.b, job("0", "g", -hour), job("4", "g", 2000))
		// 3 is due three nanoseconds after t0, which rounds to t0. Ties are in
		// order of enqueueing.
		e.sameJobs(e.claim(claims(after(hour))), "0", "3", "1", "2", "4")
	}},
	{"GroupsTakeTurns", func(e *env) {
		// g has many jobs, and the oldest, and still the other groups get theirs.
		for _, name := range []string{"g1", "g2", "g3", "g4", "h1", "h2", "i1"} {
			due := time.Duration(0)
			if name[0] == 'g' {
				due = -hour
			}
			e.enqueue(e.a, job(name, name[:1], due+time.Duration(name[1])*time.Second))
		}
		r := claims(after(hour))
		r.Limit = 1
		var first []string
		for range 3 {
			first = append(first, e.claim(r)[0].Group)
		}
		slices.Sort(first)
		if !slices.Equal(first, []string{"g", "h", "i"}) {
			e.Fatalf("the first three claims served %v", first)
		}
	}},
	{"LeastRecentlyServedFirst", func(e *env) {
		r := claims(t0)
		r.Limit = 1
		for _, name := range []string{"g1", "h1", "i1"} {
			e.enqueue(e.a, job(name, name[:1], 0))
			e.sameJobs(e.claim(r), name)
		}
		e.enqueue(e.a, job("i2", "i", 0), job("g2", "g", 0), job("h2", "h", 0), job("g3", "g", 0))
		e.sameJobs(e.claim(r), "g2")
		e.enqueue(e.a, job("new", "n", 0)) // never served: comes first
		e.sameJobs(e.claim(r), "new")
		// One claim of many jobs has the same order.
		r.Limit = 0
		e.sameJobs(e.claim(r), "h2", "i2", "g3")
	}},
	{"AClaimOfManyTakesTurns", func(e *env) {
		for _, name := range []string{"g1", "g2", "g3", "h1", "h2", "i1"} {
			e.enqueue(e.a, job(name, name[:1], 0))
		}
		r := claims(t0)
		r.Limit = 4
		e.sameJobs(e.claim(r), "g1", "h1", "i1", "g2")
		e.sameJobs(e.claim(r), "h2", "g3")
	}},
	{"FinishedGroupsKeepTheirTurn", func(e *env) {
		r := claims(t0)
		r.Limit = 1
		e.enqueue(e.a, job("g1", "g", 0), job("h1", "h", 0))
		e.finish(e.claim(r)[0], nil)
		e.finish(e.claim(r)[0], nil)
		e.enqueue(e.a, job("h2", "h", 0), job("g2", "g", 0))
		e.sameJobs(e.claim(r), "g2")
	}},
	{"Limit", func(e *env) {
		for _, name := range []string{"1", "2", "3", "4", "5"} {
			e.enqueue(e.a, job(name, "g", 0))
		}
		r := claims(t0)
		r.Limit = 2
		e.sameJobs(e.claim(r), "1", "2")
		e.sameJobs(e.claim(r), "3", "4")
		e.sameJobs(e.claim(r), "5")
	}},
	{"PerGroup", func(e *env) {
		for _, name := range []string{"g1", "g2", "g3", "h1", "h2"} {
			e.enqueue(e.a, job(name, name[:1], 0))
		}
		r := claims(t0)
		r.PerGroup = 1
		first := e.claim(r)
		e.sameJobs(first, "g1", "h1")
		e.sameJobs(e.claim(r)) // earlier claims count
		r.PerGroup = 2
		e.sameJobs(e.claim(r), "g2", "h2")
		e.finish(first[0], nil)
		e.sameJobs(e.claim(r), "g3")
		// Leases that have ended do not count.
		r.Now, r.PerGroup = after(minute), 2
		e.sameJobs(e.claim(r), "h1", "g2", "h2", "g3")
	}},
	{"GroupLimits", func(e *env) {
		for _, name := range []string{"g1", "g2", "g3", "h1", "h2", "i1"} {
			e.enqueue(e.a, job(name, name[:1], 0))
		}
		r := claims(t0)
		r.PerGroup, r.GroupLimits = 1, map[string]int{"g": 2, "i": 0}
		e.sameJobs(e.claim(r), "g1", "h1", "i1", "g2")
		e.sameJobs(e.claim(r)) // earlier claims count
		r.PerGroup, r.GroupLimits = 0, map[string]int{"g": 1, "h": 2}
		e.sameJobs(e.claim(r), "h2")
	}},
	{"PerAccount", func(e *env) {
		e.enqueue(e.a, job("a1", "g", 1000), job("a2", "g", 2000), job("a3", "h", 0))
		e.enqueue(e.b, job("b1", "g", 3000), job("b2", "h", 1000))
		r := claims(after(time.Second))
		r.PerAccount = 1
		jobs := e.claim(r)
		// An account at its limit does not block its group for the other.
		e.sameJobs(jobs, "a1", "b2")
		e.sameJobs(e.claim(r))
		e.finish(jobs[0], nil)
		e.sameJobs(e.claim(r), "a2")
		r.PerAccount = 2
		e.sameJobs(e.claim(r), "a3", "b1")
	}},
	{"PerAccountInAGroupOfOne", func(e *env) {
		e.enqueue(e.a, job("a1", "g", 0), job("a2", "g", 0), job("a3", "h", 0))
		r := claims(after(time.Second))
		r.PerAccount = 1
		e.sameJobs(e.claim(r), "a1")
		e.sameJobs(e.claim(r))
		// A job that another account adds to the group is claimed, although it is
		// behind jobs that may not be.
		e.enqueue(e.b, job("b1", "g", 1000))
		e.sameJobs(e.claim(r), "b1")
	}},
	{"PerGroupAndPerAccountAndLimit", func(e *env) {
		for _, name := range []string{"1", "2", "3", "4", "5", "6"} {
			e.enqueue(e.a, job("a"+name, "g"+name, 0))
			e.enqueue(e.b, job("b"+name, "g"+name, 0))
		}
		r := claims(t0)
		r.PerGroup, r.PerAccount, r.Limit = 1, 4, 5
		// Every group has a's job first, until a has its four.
		e.sameJobs(e.claim(r), "a1", "a2", "a3", "a4", "b5")
		e.sameJobs(e.claim(r), "b6")
		e.sameJobs(e.claim(r))
	}},
	{"NextDue", func(e *env) {
		e.enqueue(e.a, job("later", "g", hour))
		e.wantNextDue(after(hour))
		e.enqueue(e.b, job("sooner", "h", minute))
		e.wantNextDue(after(minute))
		e.wantNextDue(time.Time{}, "play")
		e.wantNextDue(after(minute), "play", "work")
		if got, err := e.store.NextDue(e.ctx, nil); err != nil || !got.IsZero() {
			e.Fatalf("no kinds: %v, %v", got, err)
		}
		r := claims(after(minute))
		j := e.claim(r)[0]
		e.wantNextDue(after(2 * minute)) // when the lease ends
		e.extend(j, after(2*hour), nil)
		e.wantNextDue(after(hour))
		e.pauseGroup("work", "g", after(3*hour))
		e.wantNextDue(after(2 * hour))
		e.pauseGroup("work", "h", after(4*hour))
		e.wantNextDue(after(3 * hour))
		e.pauseGroup("work", "g", after(0))
		e.wantNextDue(after(hour))
		e.finish(j, nil)
		e.wantNextDue(after(hour))
		if got, _ := e.store.NextDue(e.ctx, []store.JobKind{"work"}); got.Location() != time.UTC {
			e.Fatalf("next due in %v", got.Location())
		}
	}},
	{"JobsAndRecordsCommitTogether", func(e *env) {
		e.update(e.a, func(tx store.RecordTx) {
			e.putIn(tx, widgetNamed("x"))
			e.noError(tx.Enqueue(e.ctx, job("j", "g", 0)))
		})
		j := e.claim(claims(t0))[0]
		err := e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
			e.noError(tx.Finish(e.ctx, j))
			e.noError(tx.Delete(e.ctx, e.kind, id("x")))
			return errStop
		})
		e.wantError(err, errStop)
		e.get(e.a, e.kind, id("x"))
		e.finish(j, nil)
	}},
}
