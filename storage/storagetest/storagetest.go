// Package storagetest holds the contract of tracking.Store as tests. A store
// is right when Run passes; its own test file is little more than
//
//	func TestStore(t *testing.T) {
//		storagetest.Run(t, func(t testing.TB) tracking.Store {
//			store := memory.New()
//			t.Cleanup(func() { store.Close() })
//			return store
//		})
//	}
//
// The tests stand by noun: records.go, lists.go, totals.go, links.go, marks.go, find.go, transactions.go,
// scopes.go, revisions.go and jobs.go hold one small deterministic test for
// each sentence of the contract; random.go compares random lists with what
// Filter.Match says of every record, and random jobs with storage/memory;
// concurrency.go runs real goroutines. All
// run twice: on the store itself, and on Twice of it.
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

	"github.com/landfallhq/tracking"
)

// SeedVariable is the environment variable that sets the seed of the random
// tests, to repeat a run that failed.
const SeedVariable = "LANDFALL_SEED"

// test is one test of the suite; each gets a store of its own.
type test struct {
	name string
	run  func(*env)
}

// run is what the tests of one Run share.
type run struct {
	seed    uint64
	queries int // how many random queries to make
	tests   atomic.Int64
	random  atomic.Int64 // random queries made
}

// Run runs the suite on the stores that open returns. Each must be new and
// empty; open is to have it closed by t.Cleanup, which may find it closed
// already. With -short the random test makes fewer queries.
func Run(t *testing.T, open func(t testing.TB) tracking.Store) {
	r := &run{seed: seed(t), queries: 6000}
	if testing.Short() {
		r.queries = 2000
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
		{"Random", randomTests},
		{"Concurrency", concurrencyTests},
	}
	modes := []struct {
		name string
		open func(testing.TB) tracking.Store
	}{
		{"Once", open},
		{"Twice", func(t testing.TB) tracking.Store { return Twice(open(t)) }},
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

// seed returns the seed of this run, and has it printed if the run fails.
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

// env is what a test works with: an open store with the widget kind prepared,
// and two accounts.
type env struct {
	*testing.T
	run   *run
	rand  *rand.Rand
	ctx   context.Context
	store tracking.Store
	kind  *tracking.Kind
	a, b  tracking.AccountID
}

func newEnv(t *testing.T, r *run, s tracking.Store) *env {
	e := &env{
		T: t, run: r, store: s,
		rand: rand.New(rand.NewPCG(r.seed, 0)),
		ctx:  context.Background(),
		kind: widgetKind(),
		a:    tracking.AccountID(id("account a")),
		b:    tracking.AccountID(id("account b")),
	}
	e.prepare(e.kind)
	return e
}

// id returns the ID that goes with a name.
func id(name string) tracking.ID { return uuid.NewSHA1(uuid.Nil, []byte(name)) }

func (e *env) prepare(kinds ...*tracking.Kind) {
	e.Helper()
	e.no(e.store.Prepare(e.ctx, kinds))
}

// no fails the test when there is an error.
func (e *env) no(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

// is fails the test when err is not the wanted error.
func (e *env) is(err, want error) {
	e.Helper()
	if !errors.Is(err, want) {
		e.Fatalf("error %v, want %v", err, want)
	}
}

func (e *env) view(a tracking.AccountID, fn func(tracking.RecordTx)) {
	e.Helper()
	e.no(e.store.View(e.ctx, a, func(tx tracking.RecordTx) error { fn(tx); return nil }))
}

func (e *env) update(a tracking.AccountID, fn func(tracking.RecordTx)) {
	e.Helper()
	e.no(e.store.Update(e.ctx, a, func(tx tracking.RecordTx) error { fn(tx); return nil }))
}

// put writes the widgets one by one, in one update.
func (e *env) put(a tracking.AccountID, widgets ...widget) {
	e.Helper()
	e.update(a, func(tx tracking.RecordTx) {
		for _, w := range widgets {
			e.putIn(tx, w)
		}
	})
}

func (e *env) putIn(tx tracking.RecordTx, w widget) int64 {
	e.Helper()
	version, err := tx.Put(e.ctx, e.kind, w.write())
	e.no(err)
	e.mark(tx, w)
	return version
}

// get returns a record that must be there.
func (e *env) get(a tracking.AccountID, k *tracking.Kind, id tracking.ID) (r tracking.Record) {
	e.Helper()
	e.view(a, func(tx tracking.RecordTx) {
		var err error
		r, err = tx.Get(e.ctx, k, id)
		e.no(err)
	})
	return r
}

// gone fails the test when the record is there.
func (e *env) gone(a tracking.AccountID, k *tracking.Kind, id tracking.ID) {
	e.Helper()
	e.view(a, func(tx tracking.RecordTx) {
		_, err := tx.Get(e.ctx, k, id)
		e.is(err, tracking.ErrNotFound)
	})
}

// list returns the IDs of a page and the total.
func (e *env) list(a tracking.AccountID, f tracking.Filter, p tracking.Page) (ids []tracking.ID, total int) {
	e.Helper()
	e.view(a, func(tx tracking.RecordTx) {
		records, n, err := tx.List(e.ctx, e.kind, f, p, nil)
		e.no(err)
		ids, total = idsOf(records), n
	})
	return ids, total
}

// lists fails the test when the whole list is not the widgets of these names.
func (e *env) lists(a tracking.AccountID, f tracking.Filter, names ...string) {
	e.Helper()
	ids, total := e.list(a, f, tracking.Page{})
	e.sameIDs(ids, names...)
	if total != len(names) {
		e.Fatalf("total %d, want %d", total, len(names))
	}
}

func (e *env) sameIDs(got []tracking.ID, names ...string) {
	e.Helper()
	want := make([]tracking.ID, len(names))
	label := make(map[tracking.ID]string)
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

func idsOf(records []tracking.Record) []tracking.ID {
	ids := make([]tracking.ID, len(records))
	for i, r := range records {
		ids[i] = r.ID
	}
	return ids
}

// t0 is the time that the tests begin to count from.
var t0 = time.Date(2026, 11, 21, 10, 30, 0, 123456000, time.UTC)

func after(d time.Duration) time.Time { return t0.Add(d) }

// where is a filter of conditions, with the Match that means the same.
func where(conds ...tracking.Cond) tracking.Filter {
	return tracking.Filter{Where: conds, Match: match(conds)}
}

func cond(name string, op tracking.Op, values ...any) tracking.Cond {
	return tracking.Cond{Name: name, Op: op, Values: values}
}

// text describes a filter and a page in a failure.
func text(f tracking.Filter, p tracking.Page) string {
	return fmt.Sprintf("where %+q sort %+v page %+v", f.Where, f.Sort, p)
}
