// Package storagetest is the contract of store.Store as tests. A store is correct
// if Run passes; its test file is little more than
//
//	func TestStore(t *testing.T) {
//		storagetest.Run(t, func(t testing.TB) store.Store {
//			store := memory.New()
//			t.Cleanup(func() { store.Close() })
//			return store
//		})
//	}
//
// Most files have one small deterministic test for each sentence of the contract.
// random.go compares random lists with the result of Filter.Match on every record,
// and random jobs with storage/memory. concurrency.go runs many goroutines. All
// tests run twice: on the store itself, and on Twice of it.
package storagetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/store"
)

// SeedVariable is the environment variable with the seed of the random tests. Set
// it to repeat a failed run.
const SeedVariable = "LANDFALL_SEED"

// test is one test of the suite. Each gets its own store.
type test struct {
	name string
	run  func(*env)
}

// run is shared by the tests of one Run.
type run struct {
	seed    uint64
	queries int // number of random queries to make
	tests   atomic.Int64
	random  atomic.Int64 // random queries made
}

// Run runs the suite on the stores that open returns. Each must be new and empty,
// and be closed by t.Cleanup; a test may have closed it before. The random tests make 1,000
// queries, with -short fewer, and 6,000 where HARNESSES is set, as make prove does.
func Run(t *testing.T, open func(t testing.TB) store.Store) {
	r := &run{seed: seed(t), queries: 1000}
	if testing.Short() {
		r.queries = 600
	} else if os.Getenv("HARNESSES") != "" {
		r.queries = 6000
	}
	groups := []struct {
		name  string
		tests []test
	}{
		{"Records", recordTests},
		{"Lists", listTests},
		{"Totals", totalTests},
		{"Links", linkTests},
		{"Marks", markTests},
		{"Find", findTests},
		{"Transactions", transactionTests},
		{"Scopes", scopeTests},
		{"Revisions", revisionTests},
		{"Jobs", jobTests},
		{"Nodes", nodeTests},
		{"Random", randomTests},
		{"Concurrency", concurrencyTests},
	}
	modes := []struct {
		name string
		open func(testing.TB) store.Store
	}{
		{"Once", open},
		{"Twice", func(t testing.TB) store.Store { return Twice(open(t)) }},
	}
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			for _, g := range groups {
				t.Run(g.name, func(t *testing.T) {
					for _, c := range g.tests {
						t.Run(c.name, func(t *testing.T) {
							r.tests.Add(1)
							c.run(newEnv(t, r, m.open(t)))
						})
					}
				})
			}
		})
	}
	t.Logf("storagetest: %d tests, %d random queries, seed %d", r.tests.Load(), r.random.Load(), r.seed)
}

// seed returns the seed of this run, and logs it if the run fails.
func seed(t *testing.T) uint64 {
	s := rand.Uint64()
	if v := os.Getenv(SeedVariable); v != "" {
		var err error
		if s, err = strconv.ParseUint(v, 10, 64); err != nil {
			t.Fatalf("%s=%q is not a number", SeedVariable, v)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("to repeat the random tests: %s=%d", SeedVariable, s)
		}
	})
	return s
}

// env is the environment of a test: an open store with the widget kind prepared,
// and two accounts.
type env struct {
	*testing.T
	run   *run
	rand  *rand.Rand
	ctx   context.Context
	store store.Store
	kind  *store.Kind
	a, b  store.AccountID
}

func newEnv(t *testing.T, r *run, s store.Store) *env {
	e := &env{
		T: t, run: r, store: s,
		rand: rand.New(rand.NewPCG(r.seed, 0)),
		ctx:  context.Background(),
		kind: widgetKind(),
		a:    store.AccountID(id("account a")),
		b:    store.AccountID(id("account b")),
	}
	e.prepare(e.kind)
	return e
}

// id returns the ID that belongs to a name.
func id(name string) store.ID { return uuid.NewSHA1(uuid.Nil, []byte(name)) }

func (e *env) prepare(kinds ...*store.Kind) {
	e.Helper()
	e.noError(e.store.Prepare(e.ctx, kinds))
}

// noError fails the test if err is not nil.
func (e *env) noError(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

// wantError fails the test unless err is the wanted error.
func (e *env) wantError(err, want error) {
	e.Helper()
	if !errors.Is(err, want) {
		e.Fatalf("error %v, want %v", err, want)
	}
}

func (e *env) view(a store.AccountID, fn func(store.RecordTx)) {
	e.Helper()
	e.noError(e.store.View(e.ctx, a, func(tx store.RecordTx) error { fn(tx); return nil }))
}

func (e *env) update(a store.AccountID, fn func(store.RecordTx)) {
	e.Helper()
	e.noError(e.store.Update(e.ctx, a, func(tx store.RecordTx) error { fn(tx); return nil }))
}

// put writes the widgets one by one, in one update.
func (e *env) put(a store.AccountID, widgets ...widget) {
	e.Helper()
	e.update(a, func(tx store.RecordTx) {
		for _, w := range widgets {
			e.putIn(tx, w)
		}
	})
}

func (e *env) putIn(tx store.RecordTx, w widget) int64 {
	e.Helper()
	version, err := tx.Put(e.ctx, e.kind, w.write())
	e.noError(err)
	e.mark(tx, w)
	return version
}

// get returns an existing record.
func (e *env) get(a store.AccountID, k *store.Kind, id store.ID) (r store.Record) {
	e.Helper()
	e.view(a, func(tx store.RecordTx) {
		var err error
		r, err = tx.Get(e.ctx, k, id)
		e.noError(err)
	})
	return r
}

// wantGone fails the test if the record exists.
func (e *env) wantGone(a store.AccountID, k *store.Kind, id store.ID) {
	e.Helper()
	e.view(a, func(tx store.RecordTx) {
		_, err := tx.Get(e.ctx, k, id)
		e.wantError(err, store.ErrNotFound)
	})
}

// list returns the IDs of a page and the total.
func (e *env) list(a store.AccountID, f store.Filter, p store.Page) (ids []store.ID, total int) {
	e.Helper()
	e.view(a, func(tx store.RecordTx) {
		records, n, err := tx.List(e.ctx, e.kind, f, p, nil)
		e.noError(err)
		ids, total = idsOf(records), n
	})
	return ids, total
}

// wantList fails the test unless the whole list has exactly the widgets with these
// names.
func (e *env) wantList(a store.AccountID, f store.Filter, names ...string) {
	e.Helper()
	ids, total := e.list(a, f, store.Page{})
	e.sameIDs(ids, names...)
	if total != len(names) {
		e.Fatalf("total %d, want %d", total, len(names))
	}
}

func (e *env) sameIDs(got []store.ID, names ...string) {
	e.Helper()
	want := make([]store.ID, len(names))
	label := make(map[store.ID]string)
	for i, name := range names {
		want[i] = id(name)
		label[id(name)] = name
	}
	if !slices.Equal(got, want) {
		texts := make([]string, len(got))
		for i, g := range got {
			if texts[i] = label[g]; texts[i] == "" {
				texts[i] = g.String()
			}
		}
		e.Fatalf("records %q, want %q", texts, names)
	}
}

func idsOf(records []store.Record) []store.ID {
	ids := make([]store.ID, len(records))
	for i, r := range records {
		ids[i] = r.ID
	}
	return ids
}

// t0 is the base time of the tests.
var t0 = time.Date(2026, 11, 21, 10, 30, 0, 123456000, time.UTC)

func after(d time.Duration) time.Time { return t0.Add(d) }

// where returns a filter of conditions, with the Match that means the same.
func where(conds ...store.Cond) store.Filter {
	return store.Filter{Where: conds, Match: match(conds)}
}

func cond(name string, op store.Op, values ...any) store.Cond {
	return store.Cond{Name: name, Op: op, Values: values}
}

// describe describes a filter and a page for a failure message.
func describe(f store.Filter, p store.Page) string {
	return fmt.Sprintf("where %+q sort %+v page %+v", f.Where, f.Sort, p)
}

// Twice returns a store that runs the closure of every Update twice: first in a
// transaction that is rolled back, then for real. It detects closures that cannot
// be run again, as the contract requires, and stores that do not roll back
// everything.
func Twice(s store.Store) store.Store { return twice{s} }

type twice struct{ store.Store }

var errFirstRun = errors.New("storagetest: rolled back to be run again")

func (s twice) Update(ctx context.Context, a store.AccountID, fn func(store.RecordTx) error) error {
	err := s.Store.Update(ctx, a, func(tx store.RecordTx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return errFirstRun
	})
	if !errors.Is(err, errFirstRun) {
		return err
	}
	return s.Store.Update(ctx, a, fn)
}
