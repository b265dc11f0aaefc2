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

// job returns a job of the kind "work"; its ID goes with its name.
func job(name, group string, due time.Duration) store.Job {
	return store.Job{ID: id(name), Kind: "work", Group: group, Due: after(due)}
}

func (e *env) enqueue(a store.AccountID, jobs ...store.Job) {
	e.Helper()
	e.update(a, func(tx store.RecordTx) {
		for _, j := range jobs {
			e.no(tx.Enqueue(e.ctx, j))
		}
	})
}

func (e *env) hasten(a store.AccountID, j store.Job) {
	e.Helper()
	e.update(a, func(tx store.RecordTx) { e.no(tx.EnqueueBy(e.ctx, j)) })
}

// claims is a request for all work that is due at a time, for a minute.
func claims(now time.Time) store.ClaimRequest {
	return store.ClaimRequest{Kinds: []store.JobKind{"work"}, Now: now, Lease: minute}
}

func (e *env) claim(r store.ClaimRequest) []store.Job {
	e.Helper()
	jobs, err := e.store.Claim(e.ctx, r)
	e.no(err)
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
	e.is(err, want)
}

func (e *env) extend(j store.Job, until time.Time, want error) {
	e.Helper()
	err := e.store.Update(e.ctx, j.Account, func(tx store.RecordTx) error { return tx.Extend(e.ctx, j, until) })
	e.is(err, want)
}

func (e *env) postpone(j store.Job, due time.Time, want error) {
	e.Helper()
	account := j.Account
	if account == (store.AccountID{}) {
		account = e.a
	}
	err := e.store.Update(e.ctx, account, func(tx store.RecordTx) error { return tx.Postpone(e.ctx, j, due) })
	e.is(err, want)
}

func (e *env) hold(k store.JobKind, group string, until time.Time) {
	e.Helper()
	e.update(e.a, func(tx store.RecordTx) { e.no(tx.PauseGroup(e.ctx, k, group, until)) })
}

// nextDue fails the test when NextDue is not want.
func (e *env) nextDue(want time.Time, kinds ...store.JobKind) {
	e.Helper()
	if kinds == nil {
		kinds = []store.JobKind{"work"}
	}
	got, err := e.store.NextDue(e.ctx, kinds)
	e.no(err)
	if !got.Equal(want) {
		e.Fatalf("next due %v, want %v", got, want)
	}
}

var jobTests = []test{
	{"NothingToClaim", func(e *env) {
		e.sameJobs(e.claim(claims(t0)))
		e.nextDue(time.Time{})
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
		// The first holder is fenced off.
		e.finish(first, store.ErrLeaseLost)
		e.extend(first, after(hour), store.ErrLeaseLost)
		e.sameJobs(e.claim(claims(after(2*minute - time.Microsecond))))
		e.finish(second[0], nil)
		e.finish(second[0], store.ErrLeaseLost)
		e.sameJobs(e.claim(claims(after(hour))))
		e.nextDue(time.Time{})
	}},
	{"AnEndedLeaseThatNobodyTookIsStillOnesOwn", func(e *env) {
		e.enqueue(e.a, job("j", "g", 0), job("k", "g", 0))
		jobs := e.claim(claims(t0))
		e.finish(jobs[0], nil) // the store has no clock: only another claim takes a lease
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
		e.nextDue(after(minute))
		e.sameJobs(e.claim(claims(after(minute - time.Microsecond))))
		e.finish(j, store.ErrLeaseLost)
		e.postpone(j, after(hour), store.ErrLeaseLost)
		e.hasten(e.a, job("j", "g", time.Second)) // nobody is at it any more
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
		e.nextDue(time.Time{})
	}},
	{"HastenAddsWhatIsNotThere", func(e *env) {
		e.hasten(e.a, job("j", "g", minute))
		e.hasten(e.b, job("j", "g", hour))
		e.nextDue(after(minute))
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
		e.hasten(e.a, job("j", "g", 2*hour)) // later: it stays
		e.nextDue(after(hour))
		e.hasten(e.a, job("j", "h", minute))
		e.nextDue(after(minute))
		got := e.claim(claims(after(minute)))
		e.sameJobs(got, "j")
		if g := got[0]; g.Group != "g" || string(g.Data) != "first" || !g.Due.Equal(after(minute)) {
			e.Fatalf("job %+v", g)
		}
	}},
	{"HastenLeavesAClaimedJobAlone", func(e *env) {
		e.enqueue(e.a, job("j", "g", 0))
		j := e.claim(claims(t0))[0]
		e.hasten(e.a, job("j", "g", -hour))
		e.sameJobs(e.claim(claims(after(minute - time.Microsecond))))
		e.finish(j, nil)
		e.nextDue(time.Time{})
	}},
	{"Hold", func(e *env) {
		e.enqueue(e.a, job("j", "g", 0))
		e.enqueue(e.b, job("other account", "g", 0), job("other group", "h", 0))
		play := job("other kind", "g", 0)
		play.Kind = "play"
		e.enqueue(e.a, play)
		e.hold("work", "g", after(hour))
		r := claims(t0)
		r.Kinds = append(r.Kinds, "play")
		e.sameJobs(e.claim(r), "other group", "other kind")
		r.Now = after(hour - time.Microsecond)
		r.Limit = 1
		for _, want := range []string{"other group", "other kind"} { // leased anew, as their leases ended
			e.sameJobs(e.claim(r), want)
		}
		r.Kinds = r.Kinds[:1]
		e.sameJobs(e.claim(r))
		e.hold("work", "g", after(0)) // has passed
		e.sameJobs(e.claim(r), "j")
		e.hold("work", "g", after(2*hour))
		r.Now = after(2 * hour)
		r.Limit = 0
		e.sameJobs(e.claim(r), "other group", "j", "other account")
	}},
	{"HoldBeforeTheFirstJob", func(e *env) {
		e.hold("work", "g", after(hour))
		e.enqueue(e.a, job("j", "g", 0))
		e.sameJobs(e.claim(claims(t0)))
		e.nextDue(after(hour))
		e.sameJobs(e.claim(claims(after(hour))), "j")
	}},
	{"EarliestDueFirstWithinAGroup", func(e *env) {
		e.enqueue(e.a, job("3", "g", 3), job("1", "g", 1000), job("2", "g", 2000))
		e.enqueue(e.b, job("0", "g", -hour), job("4", "g", 2000))
		// 3 is due three nanoseconds after t0, which is t0. Ties go by the
		// order of enqueueing.
		e.sameJobs(e.claim(claims(after(hour))), "0", "3", "1", "2", "4")
	}},
	{"GroupsTakeTurns", func(e *env) {
		// g has many jobs, and the older ones, and yet the others get theirs.
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
		e.enqueue(e.a, job("new", "n", 0)) // never served: before all
		e.sameJobs(e.claim(r), "new")
		// One claim of many takes the same turns.
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
		e.sameJobs(e.claim(r)) // the earlier claims count
		r.PerGroup = 2
		e.sameJobs(e.claim(r), "g2", "h2")
		e.finish(first[0], nil)
		e.sameJobs(e.claim(r), "g3")
		// Leases that have ended do not count.
		r.Now, r.PerGroup = after(minute), 2
		e.sameJobs(e.claim(r), "h1", "g2", "h2", "g3")
	}},
	{"PerAccount", func(e *env) {
		e.enqueue(e.a, job("a1", "g", 1000), job("a2", "g", 2000), job("a3", "h", 0))
		e.enqueue(e.b, job("b1", "g", 3000), job("b2", "h", 1000))
		r := claims(after(time.Second))
		r.PerAccount = 1
		jobs := e.claim(r)
		// One account at its bound does not keep its group from the other.
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
		// What another account adds to the group is claimed, behind what may not be.
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
		// Every group has a's job first, until a has had its four.
		e.sameJobs(e.claim(r), "a1", "a2", "a3", "a4", "b5")
		e.sameJobs(e.claim(r), "b6")
		e.sameJobs(e.claim(r))
	}},
	{"NextDue", func(e *env) {
		e.enqueue(e.a, job("later", "g", hour))
		e.nextDue(after(hour))
		e.enqueue(e.b, job("sooner", "h", minute))
		e.nextDue(after(minute))
		e.nextDue(time.Time{}, "play")
		e.nextDue(after(minute), "play", "work")
		if got, err := e.store.NextDue(e.ctx, nil); err != nil || !got.IsZero() {
			e.Fatalf("no kinds: %v, %v", got, err)
		}
		r := claims(after(minute))
		j := e.claim(r)[0]
		e.nextDue(after(2 * minute)) // when the lease ends
		e.extend(j, after(2*hour), nil)
		e.nextDue(after(hour))
		e.hold("work", "g", after(3*hour))
		e.nextDue(after(2 * hour))
		e.hold("work", "h", after(4*hour))
		e.nextDue(after(3 * hour))
		e.hold("work", "g", after(0))
		e.nextDue(after(hour))
		e.finish(j, nil)
		e.nextDue(after(hour))
		if got, _ := e.store.NextDue(e.ctx, []store.JobKind{"work"}); got.Location() != time.UTC {
			e.Fatalf("next due in %v", got.Location())
		}
	}},
	{"JobsAndRecordsCommitTogether", func(e *env) {
		e.update(e.a, func(tx store.RecordTx) {
			e.putIn(tx, named("x"))
			e.no(tx.Enqueue(e.ctx, job("j", "g", 0)))
		})
		j := e.claim(claims(t0))[0]
		err := e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
			e.no(tx.Finish(e.ctx, j))
			e.no(tx.Delete(e.ctx, e.kind, id("x")))
			return errStop
		})
		e.is(err, errStop)
		e.get(e.a, e.kind, id("x"))
		e.finish(j, nil)
	}},
}
