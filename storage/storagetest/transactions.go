package storagetest

import (
	"context"
	"errors"

	"github.com/landfallhq/tracking/store"
)

var errStop = errors.New("stop")

// changes makes a change of every sort; the records "old" and "gone" and the
// claimed job must be there.
func (e *env) changes(tx store.RecordTx, claimed store.Job) {
	e.Helper()
	old := named("old")
	old.Size, old.Tags = ptr(int64(2)), []string{"changed"}
	e.putIn(tx, old)
	e.putIn(tx, named("new"))
	e.no(tx.Delete(e.ctx, e.kind, id("gone")))
	e.no(tx.Finish(e.ctx, claimed))
	e.no(tx.Enqueue(e.ctx, job("enqueued", "g", 0)))
	e.no(tx.EnqueueBy(e.ctx, job("waiting", "g", 0)))
	e.no(tx.PauseGroup(e.ctx, "work", "other", after(hour)))
}

// beforeChanges sets up what changes needs, and returns its claimed job.
func (e *env) beforeChanges() store.Job {
	e.Helper()
	old, gone := named("old"), named("gone")
	old.Size, gone.Tags = ptr(int64(1)), []string{"t"}
	e.put(e.a, old, gone)
	e.enqueue(e.a, job("claimed", "g", 0))
	return e.claim(claims(t0))[0]
}

// unchanged fails the test when anything that changes does has been done.
func (e *env) unchanged(claimed store.Job) {
	e.Helper()
	e.lists(e.a, store.Filter{}, "gone", "old")
	e.lists(e.a, where(cond("tag", store.Has, "t")), "gone")
	e.lists(e.a, where(cond("tag", store.Has, "changed")))
	e.lists(e.a, where(cond("size", store.Is, int64(1))), "old")
	if r := e.get(e.a, e.kind, id("old")); r.Version != 1 {
		e.Fatalf("version %d", r.Version)
	}
	e.enqueue(e.a, job("held?", "other", 0))
	jobs := e.claim(claims(t0))
	e.sameJobs(jobs, "held?")
	e.update(e.a, func(tx store.RecordTx) { e.no(tx.Finish(e.ctx, claimed)) })
	// The next record takes no place that was given and taken back.
	e.put(e.a, named("next"))
	e.lists(e.a, store.Filter{}, "next", "gone", "old")
}

var transactionTests = []test{
	{"RollBackOnError", func(e *env) {
		claimed := e.beforeChanges()
		err := e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
			e.changes(tx, claimed)
			return errStop
		})
		e.is(err, errStop)
		e.unchanged(claimed)
	}},
	{"RollBackOnPanic", func(e *env) {
		claimed := e.beforeChanges()
		recovered := func() (r any) {
			defer func() { r = recover() }()
			_ = e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
				e.changes(tx, claimed)
				panic(errStop)
			})
			return nil
		}()
		if recovered != errStop {
			e.Fatalf("recovered %v", recovered)
		}
		e.unchanged(claimed)
	}},
	{"RollBackOfTheFirstRecord", func(e *env) {
		// The account itself is new here.
		err := e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
			e.putIn(tx, named("x"))
			return errStop
		})
		e.is(err, errStop)
		e.gone(e.a, e.kind, id("x"))
		e.put(e.b, named("y"))
		e.put(e.a, named("z"))
		e.lists(e.a, store.Filter{}, "z")
		e.lists(e.b, store.Filter{}, "y")
	}},
	{"PanicInAView", func(e *env) {
		e.put(e.a, named("x"))
		for range 100 { // more than any pool holds
			recovered := func() (r any) {
				defer func() { r = recover() }()
				_ = e.store.View(e.ctx, e.a, func(tx store.RecordTx) error {
					_, err := tx.Get(e.ctx, e.kind, id("x"))
					e.no(err)
					panic(errStop)
				})
				return nil
			}()
			if recovered != errStop {
				e.Fatalf("recovered %v", recovered)
			}
		}
		e.lists(e.a, store.Filter{}, "x")
	}},
	{"ErrorOfAView", func(e *env) {
		e.is(e.store.View(e.ctx, e.a, func(store.RecordTx) error { return errStop }), errStop)
	}},
	{"FailedMethodsLeaveTheRestAlone", func(e *env) {
		e.update(e.a, func(tx store.RecordTx) {
			e.putIn(tx, named("x"))
			_, err := tx.Get(e.ctx, e.kind, id("none"))
			e.is(err, store.ErrNotFound)
			e.is(tx.Delete(e.ctx, e.kind, id("none")), store.ErrNotFound)
			e.is(tx.Finish(e.ctx, job("none", "g", 0)), store.ErrLeaseLost)
			e.putIn(tx, named("y"))
		})
		e.lists(e.a, store.Filter{}, "y", "x")
	}},
	{"SeesItsOwnWrites", func(e *env) {
		claimed := e.beforeChanges()
		e.update(e.a, func(tx store.RecordTx) {
			e.changes(tx, claimed)
			r, err := tx.Get(e.ctx, e.kind, id("old"))
			e.no(err)
			if r.Version != 2 || *decode(r).Size != 2 {
				e.Fatalf("record %+v", r)
			}
			_, err = tx.Get(e.ctx, e.kind, id("gone"))
			e.is(err, store.ErrNotFound)
			got, total, err := tx.List(e.ctx, e.kind, store.Filter{}, store.Page{}, nil)
			e.no(err)
			e.sameIDs(idsOf(got), "new", "old")
			if total != 2 {
				e.Fatalf("total %d", total)
			}
			f := where(cond("tag", store.Has, "changed"))
			got, _, err = tx.List(e.ctx, e.kind, f, store.Page{}, nil)
			e.no(err)
			e.sameIDs(idsOf(got), "old")
			e.is(tx.Finish(e.ctx, claimed), store.ErrLeaseLost)
			if v := e.putIn(tx, named("new")); v != 1 {
				e.Fatalf("version %d of a record put twice alike in one update", v)
			}
			got, err = tx.GetMany(e.ctx, e.kind, []store.ID{id("new"), id("gone")}, nil)
			e.no(err)
			e.sameIDs(idsOf(got), "new")
		})
	}},
	{"ViewsAreReadOnly", func(e *env) {
		claimed := e.beforeChanges()
		e.view(e.a, func(tx store.RecordTx) {
			_, err := tx.Put(e.ctx, e.kind, named("x").write())
			e.is(err, store.ErrReadOnly)
			e.is(tx.Delete(e.ctx, e.kind, id("old")), store.ErrReadOnly)
			e.is(tx.Enqueue(e.ctx, job("j", "g", 0)), store.ErrReadOnly)
			e.is(tx.EnqueueBy(e.ctx, job("j", "g", 0)), store.ErrReadOnly)
			e.is(tx.Finish(e.ctx, claimed), store.ErrReadOnly)
			e.is(tx.Extend(e.ctx, claimed, after(hour)), store.ErrReadOnly)
			e.is(tx.Postpone(e.ctx, claimed, after(hour)), store.ErrReadOnly)
			e.is(tx.PauseGroup(e.ctx, "work", "g", after(hour)), store.ErrReadOnly)
			// The view goes on being one.
			_, err = tx.Get(e.ctx, e.kind, id("old"))
			e.no(err)
		})
		e.unchanged(claimed)
	}},
	{"AViewIsASnapshot", func(e *env) {
		x, y := named("x"), named("y")
		x.Tags, y.Owner = []string{"t"}, ptr(id("o"))
		e.put(e.a, x, y)
		check := func(tx store.RecordTx) {
			e.Helper()
			r, err := tx.Get(e.ctx, e.kind, id("x"))
			e.no(err)
			if r.Version != 1 || decode(r).Size != nil {
				e.Fatalf("the view sees version %d", r.Version)
			}
			got, total, err := tx.List(e.ctx, e.kind, store.Filter{}, store.Page{Number: 1, Size: 1}, nil)
			e.no(err)
			e.sameIDs(idsOf(got), "y")
			if total != 2 {
				e.Fatalf("the view counts %d", total)
			}
			f := where(cond("tag", store.HasPrefix, "t"))
			if got, _, err = tx.List(e.ctx, e.kind, f, store.Page{}, nil); err != nil {
				e.Fatal(err)
			}
			e.sameIDs(idsOf(got), "x")
			links, err := tx.Links(e.ctx, e.kind, "owner", []store.ID{id("o")})
			e.no(err)
			if len(links) != 1 {
				e.Fatalf("the view has links %v", links)
			}
			got, err = tx.GetMany(e.ctx, e.kind, []store.ID{id("z"), id("y")}, nil)
			e.no(err)
			e.sameIDs(idsOf(got), "y")
		}
		e.view(e.a, func(tx store.RecordTx) {
			check(tx)
			done := make(chan error)
			go func() {
				done <- e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
					x := named("x")
					x.Size = ptr(int64(9))
					for _, w := range []widget{x, named("z")} {
						if _, err := tx.Put(e.ctx, e.kind, w.write()); err != nil {
							return err
						}
					}
					return tx.Delete(e.ctx, e.kind, id("y"))
				})
			}()
			e.no(<-done) // a view keeps no writer waiting
			check(tx)
		})
		e.lists(e.a, store.Filter{}, "z", "x")
	}},
	{"WhatIsNotCommittedIsNotSeen", func(e *env) {
		e.put(e.a, named("x"))
		inside, done := make(chan struct{}), make(chan error)
		seen := make(chan struct{})
		go func() {
			first := true
			done <- e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
				if _, err := tx.Put(e.ctx, e.kind, named("y").write()); err != nil {
					return err
				}
				if first { // Twice runs it again
					first = false
					close(inside)
					<-seen
				}
				return nil
			})
		}()
		<-inside
		e.lists(e.a, store.Filter{}, "x") // an update keeps no view waiting
		close(seen)
		e.no(<-done)
		e.lists(e.a, store.Filter{}, "y", "x")
	}},
	{"CancelledContext", func(e *env) {
		ctx, cancel := context.WithCancel(e.ctx)
		cancel()
		run := func(store.RecordTx) error { e.Error("the closure was run"); return nil }
		e.is(e.store.View(ctx, e.a, run), context.Canceled)
		e.is(e.store.Update(ctx, e.a, run), context.Canceled)
		_, err := e.store.Claim(ctx, claims(t0))
		e.is(err, context.Canceled)
		e.put(e.a, named("x"))
	}},
	{"CancelledInTheClosure", func(e *env) {
		ctx, cancel := context.WithCancel(e.ctx)
		err := e.store.Update(ctx, e.a, func(tx store.RecordTx) error {
			if _, err := tx.Put(ctx, e.kind, named("x").write()); err != nil {
				return err
			}
			cancel()
			_, err := tx.Put(ctx, e.kind, named("y").write())
			return err
		})
		e.is(err, context.Canceled)
		e.lists(e.a, store.Filter{})
		e.put(e.a, named("z"))
		e.lists(e.a, store.Filter{}, "z")
	}},
	{"ClosedStore", func(e *env) {
		e.put(e.a, named("x"))
		e.no(e.store.Close())
		run := func(store.RecordTx) error { e.Error("the closure was run"); return nil }
		e.is(e.store.View(e.ctx, e.a, run), store.ErrClosed)
		e.is(e.store.Update(e.ctx, e.a, run), store.ErrClosed)
		e.is(e.store.Prepare(e.ctx, []*store.Kind{e.kind}), store.ErrClosed)
		_, err := e.store.Claim(e.ctx, claims(t0))
		e.is(err, store.ErrClosed)
		_, err = e.store.NextDue(e.ctx, []store.JobKind{"work"})
		e.is(err, store.ErrClosed)
		e.is(e.store.Close(), store.ErrClosed)
	}},
}
