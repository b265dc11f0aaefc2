package storagetest

import (
	"context"
	"errors"

	"github.com/landfallhq/tracking/store"
)

var errStop = errors.New("stop")

// changes makes a change of every kind. The records "old" and "gone" and the
// claimed job must exist.
func (e *env) changes(tx store.RecordTx, claimed store.Job) {
	e.Helper()
	old := widgetNamed("old")
	old.Size, old.Tags = ptr(int64(2)), []string{"changed"}
	e.putIn(tx, old)
	e.putIn(tx, widgetNamed("new"))
	e.noError(tx.Delete(e.ctx, e.kind, id("gone")))
	e.noError(tx.Finish(e.ctx, claimed))
	e.noError(tx.Enqueue(e.ctx, job("enqueued", "g", 0)))
	e.noError(tx.EnqueueBy(e.ctx, job("waiting", "g", 0)))
	e.noError(tx.PauseGroup(e.ctx, "work", "other", after(hour)))
}

// beforeChanges prepares for changes, and returns the claimed job.
func (e *env) beforeChanges() store.Job {
	e.Helper()
	old, gone := widgetNamed("old"), widgetNamed("gone")
	old.Size, gone.Tags = ptr(int64(1)), []string{"t"}
	e.put(e.a, old, gone)
	e.enqueue(e.a, job("claimed", "g", 0))
	return e.claim(claims(t0))[0]
}

// unchanged fails the test if any effect of changes is visible.
func (e *env) unchanged(claimed store.Job) {
	e.Helper()
	e.wantList(e.a, store.Filter{}, "gone", "old")
	e.wantList(e.a, where(cond("tag", store.Has, "t")), "gone")
	e.wantList(e.a, where(cond("tag", store.Has, "changed")))
	e.wantList(e.a, where(cond("size", store.Is, int64(1))), "old")
	if r := e.get(e.a, e.kind, id("old")); r.Version != 1 {
		e.Fatalf("version %d", r.Version)
	}
	e.enqueue(e.a, job("held?", "other", 0))
	jobs := e.claim(claims(t0))
	e.sameJobs(jobs, "held?")
	e.update(e.a, func(tx store.RecordTx) { e.noError(tx.Finish(e.ctx, claimed)) })
	// The next record has its own place in the order.
	e.put(e.a, widgetNamed("next"))
	e.wantList(e.a, store.Filter{}, "next", "gone", "old")
}

var transactionTests = []test{
	{"RollBackOnError", func(e *env) {
		claimed := e.beforeChanges()
		err := e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
			e.changes(tx, claimed)
			return errStop
		})
		e.wantError(err, errStop)
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
		// Here the account is new as well.
		err := e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
			e.putIn(tx, widgetNamed("x"))
			return errStop
		})
		e.wantError(err, errStop)
		e.wantGone(e.a, e.kind, id("x"))
		e.put(e.b, widgetNamed("y"))
		e.put(e.a, widgetNamed("z"))
		e.wantList(e.a, store.Filter{}, "z")
		e.wantList(e.b, store.Filter{}, "y")
	}},
	{"PanicInAView", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		for range 100 { // more than any pool has
			recovered := func() (r any) {
				defer func() { r = recover() }()
				_ = e.store.View(e.ctx, e.a, func(tx store.RecordTx) error {
					_, err := tx.Get(e.ctx, e.kind, id("x"))
					e.noError(err)
					panic(errStop)
				})
				return nil
			}()
			if recovered != errStop {
				e.Fatalf("recovered %v", recovered)
			}
		}
		e.wantList(e.a, store.Filter{}, "x")
	}},
	{"ErrorOfAView", func(e *env) {
		e.wantError(e.store.View(e.ctx, e.a, func(store.RecordTx) error { return errStop }), errStop)
	}},
	{"FailedMethodsLeaveTheRestAlone", func(e *env) {
		e.update(e.a, func(tx store.RecordTx) {
			e.putIn(tx, widgetNamed("x"))
			_, err := tx.Get(e.ctx, e.kind, id("none"))
			e.wantError(err, store.ErrNotFound)
			e.wantError(tx.Delete(e.ctx, e.kind, id("none")), store.ErrNotFound)
			e.wantError(tx.Finish(e.ctx, job("none", "g", 0)), store.ErrLeaseLost)
			e.putIn(tx, widgetNamed("y"))
		})
		e.wantList(e.a, store.Filter{}, "y", "x")
	}},
	{"SeesItsOwnWrites", func(e *env) {
		claimed := e.beforeChanges()
		e.update(e.a, func(tx store.RecordTx) {
			e.changes(tx, claimed)
			r, err := tx.Get(e.ctx, e.kind, id("old"))
			e.noError(err)
			if r.Version != 2 || *decode(r).Size != 2 {
				e.Fatalf("record %+v", r)
			}
			_, err = tx.Get(e.ctx, e.kind, id("gone"))
			e.wantError(err, store.ErrNotFound)
			got, total, err := tx.List(e.ctx, e.kind, store.Filter{}, store.Page{}, nil)
			e.noError(err)
			e.sameIDs(idsOf(got), "new", "old")
			if total != 2 {
				e.Fatalf("total %d", total)
			}
			f := where(cond("tag", store.Has, "changed"))
			got, _, err = tx.List(e.ctx, e.kind, f, store.Page{}, nil)
			e.noError(err)
			e.sameIDs(idsOf(got), "old")
			e.wantError(tx.Finish(e.ctx, claimed), store.ErrLeaseLost)
			if v := e.putIn(tx, widgetNamed("new")); v != 1 {
				e.Fatalf("version %d of a record put twice unchanged in one update", v)
			}
			got, err = tx.GetMany(e.ctx, e.kind, []store.ID{id("new"), id("gone")}, nil)
			e.noError(err)
			e.sameIDs(idsOf(got), "new")
		})
	}},
	{"ViewsAreReadOnly", func(e *env) {
		claimed := e.beforeChanges()
		e.view(e.a, func(tx store.RecordTx) {
			_, err := tx.Put(e.ctx, e.kind, widgetNamed("x").write())
			e.wantError(err, store.ErrReadOnly)
			e.wantError(tx.Delete(e.ctx, e.kind, id("old")), store.ErrReadOnly)
			e.wantError(tx.Enqueue(e.ctx, job("j", "g", 0)), store.ErrReadOnly)
			e.wantError(tx.EnqueueBy(e.ctx, job("j", "g", 0)), store.ErrReadOnly)
			e.wantError(tx.Finish(e.ctx, claimed), store.ErrReadOnly)
			e.wantError(tx.Extend(e.ctx, claimed, after(hour)), store.ErrReadOnly)
			e.wantError(tx.Postpone(e.ctx, claimed, after(hour)), store.ErrReadOnly)
			e.wantError(tx.PauseGroup(e.ctx, "work", "g", after(hour)), store.ErrReadOnly)
			// The view continues to be read-only.
			_, err = tx.Get(e.ctx, e.kind, id("old"))
			e.noError(err)
		})
		e.unchanged(claimed)
	}},
	{"AViewIsASnapshot", func(e *env) {
		x, y := widgetNamed("x"), widgetNamed("y")
		x.Tags, y.Owner = []string{"t"}, ptr(id("o"))
		e.put(e.a, x, y)
		check := func(tx store.RecordTx) {
			e.Helper()
			r, err := tx.Get(e.ctx, e.kind, id("x"))
			e.noError(err)
			if r.Version != 1 || decode(r).Size != nil {
				e.Fatalf("the view sees version %d", r.Version)
			}
			got, total, err := tx.List(e.ctx, e.kind, store.Filter{}, store.Page{Number: 1, Size: 1}, nil)
			e.noError(err)
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
			e.noError(err)
			if len(links) != 1 {
				e.Fatalf("the view has links %v", links)
			}
			got, err = tx.GetMany(e.ctx, e.kind, []store.ID{id("z"), id("y")}, nil)
			e.noError(err)
			e.sameIDs(idsOf(got), "y")
		}
		e.view(e.a, func(tx store.RecordTx) {
			check(tx)
			done := make(chan error)
			go func() {
				done <- e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
					x := widgetNamed("x")
					x.Size = ptr(int64(9))
					for _, w := range []widget{x, widgetNamed("z")} {
						if _, err := tx.Put(e.ctx, e.kind, w.write()); err != nil {
							return err
						}
					}
					return tx.Delete(e.ctx, e.kind, id("y"))
				})
			}()
			e.noError(<-done) // a view does not block a writer
			check(tx)
		})
		e.wantList(e.a, store.Filter{}, "z", "x")
	}},
	{"WhatIsNotCommittedIsNotSeen", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		inside, done := make(chan struct{}), make(chan error)
		seen := make(chan struct{})
		go func() {
			first := true
			done <- e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
				if _, err := tx.Put(e.ctx, e.kind, widgetNamed("y").write()); err != nil {
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
		e.wantList(e.a, store.Filter{}, "x") // an update does not block a view
		close(seen)
		e.noError(<-done)
		e.wantList(e.a, store.Filter{}, "y", "x")
	}},
	{"CancelledContext", func(e *env) {
		ctx, cancel := context.WithCancel(e.ctx)
		cancel()
		run := func(store.RecordTx) error { e.Error("the closure was run"); return nil }
		e.wantError(e.store.View(ctx, e.a, run), context.Canceled)
		e.wantError(e.store.Update(ctx, e.a, run), context.Canceled)
		_, err := e.store.Claim(ctx, claims(t0))
		e.wantError(err, context.Canceled)
		e.put(e.a, widgetNamed("x"))
	}},
	{"CancelledInTheClosure", func(e *env) {
		ctx, cancel := context.WithCancel(e.ctx)
		err := e.store.Update(ctx, e.a, func(tx store.RecordTx) error {
			if _, err := tx.Put(ctx, e.kind, widgetNamed("x").write()); err != nil {
				return err
			}
			cancel()
			_, err := tx.Put(ctx, e.kind, widgetNamed("y").write())
			return err
		})
		e.wantError(err, context.Canceled)
		e.wantList(e.a, store.Filter{})
		e.put(e.a, widgetNamed("z"))
		e.wantList(e.a, store.Filter{}, "z")
	}},
	{"ClosedStore", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		e.noError(e.store.Close())
		run := func(store.RecordTx) error { e.Error("the closure was run"); return nil }
		e.wantError(e.store.View(e.ctx, e.a, run), store.ErrClosed)
		e.wantError(e.store.Update(e.ctx, e.a, run), store.ErrClosed)
		e.wantError(e.store.Prepare(e.ctx, []*store.Kind{e.kind}), store.ErrClosed)
		_, err := e.store.Claim(e.ctx, claims(t0))
		e.wantError(err, store.ErrClosed)
		_, err = e.store.NextDue(e.ctx, []store.JobKind{"work"})
		e.wantError(err, store.ErrClosed)
		e.wantError(e.store.Close(), store.ErrClosed)
	}},
}
