package storagetest

import (
	"sync"

	"github.com/landfallhq/tracking/store"
)

// concurrencyTests run many goroutines; run them with -race as well.
var concurrencyTests = []test{
	{"NoUpdateIsLost", func(e *env) {
		const writers, each = 8, 20
		e.put(e.a, widget{ID: id("counter"), Size: ptr(int64(0))})
		e.together(writers, func(int) error {
			for range each {
				err := e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
					r, err := tx.Get(e.ctx, e.kind, id("counter"))
					if err != nil {
						return err
					}
					w := decode(r)
					*w.Size++
					_, err = tx.Put(e.ctx, e.kind, w.write())
					return err
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		r := e.get(e.a, e.kind, id("counter"))
		if n := *decode(r).Size; n != writers*each || r.Version != writers*each+1 {
			e.Fatalf("counted to %d in version %d, want %d", n, r.Version, writers*each)
		}
	}},
	{"ViewsSeeWholeUpdates", func(e *env) {
		// Two records that are always written together are always read together.
		const updates = 60
		write := func(n int64) error {
			return e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
				for _, name := range []string{"x", "y"} {
					w := widgetNamed(name)
					w.Size = &n
					if _, err := tx.Put(e.ctx, e.kind, w.write()); err != nil {
						return err
					}
				}
				return nil
			})
		}
		e.noError(write(0))
		done := make(chan struct{})
		e.together(6, func(i int) error {
			if i == 0 {
				defer close(done)
				for n := range int64(updates) {
					if err := write(n + 1); err != nil {
						return err
					}
				}
				return nil
			}
			for last := int64(0); ; {
				select {
				case <-done:
					return nil
				default:
				}
				err := e.store.View(e.ctx, e.a, func(tx store.RecordTx) error {
					x, err := tx.Get(e.ctx, e.kind, id("x"))
					if err != nil {
						return err
					}
					both, total, err := tx.List(e.ctx, e.kind, store.Filter{}, store.Page{}, nil)
					if err != nil {
						return err
					}
					n := *decode(x).Size
					if total != 2 || *decode(both[0]).Size != n || *decode(both[1]).Size != n || n < last {
						e.Errorf("a view sees %d, then %s and %s, after %d", n, both[0].Doc, both[1].Doc, last)
					}
					last = n
					return nil
				})
				if err != nil {
					return err
				}
			}
		})
	}},
	{"NoJobIsClaimedTwice", func(e *env) {
		const claimers, jobs = 16, 2000
		accounts := []store.AccountID{e.a, e.b}
		for _, a := range accounts {
			e.update(a, func(tx store.RecordTx) {
				for i := range jobs / len(accounts) {
					j := job(string(rune('a'+i)), string(rune('g'+i%7)), 0)
					e.noError(tx.Enqueue(e.ctx, j))
				}
			})
		}
		type key struct {
			account store.AccountID
			id      store.ID
		}
		var mu sync.Mutex
		claimed, tokens := map[key]int{}, map[store.ID]bool{}
		e.together(claimers, func(int) error {
			r := claims(t0)
			r.Limit = 20
			for {
				got, err := e.store.Claim(e.ctx, r)
				if err != nil || len(got) == 0 {
					return err
				}
				mu.Lock()
				for _, j := range got {
					claimed[key{j.Account, j.ID}]++
					tokens[j.Token] = true
				}
				mu.Unlock()
			}
		})
		for k, n := range claimed {
			if n != 1 {
				e.Errorf("job %v was claimed %d times", k, n)
			}
		}
		if len(claimed) != jobs || len(tokens) != jobs {
			e.Fatalf("%d jobs claimed with %d tokens, want %d", len(claimed), len(tokens), jobs)
		}
	}},
	{"AccountsAtOnce", func(e *env) {
		// Accounts that are created at the same time stay separate.
		e.together(8, func(i int) error {
			a := store.AccountID(id(string(rune('0' + i))))
			for n := range 5 {
				w := widgetNamed(string(rune('a' + n)))
				w.Secret = a.String()
				err := e.store.Update(e.ctx, a, func(tx store.RecordTx) error {
					_, err := tx.Put(e.ctx, e.kind, w.write())
					return err
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		for i := range 8 {
			a := store.AccountID(id(string(rune('0' + i))))
			e.wantList(a, store.Filter{}, "e", "d", "c", "b", "a")
			if got := decode(e.get(a, e.kind, id("c"))).Secret; got != a.String() {
				e.Errorf("account %v has a record of %s", a, got)
			}
		}
	}},
}

// together runs fn on n goroutines, waits for all, and fails on their errors.
func (e *env) together(n int, fn func(i int) error) {
	e.Helper()
	errs := make(chan error, n)
	for i := range n {
		go func() { errs <- fn(i) }()
	}
	for range n {
		if err := <-errs; err != nil {
			e.Error(err)
		}
	}
	if e.Failed() {
		e.FailNow()
	}
}
