package storagetest

import (
	"slices"

	"github.com/landfallhq/tracking/store"
)

// A store may keep totals instead of counting. These tests read only the first
// record of a list, so that the total cannot be derived from the page.
var totalTests = []test{
	{"AgreeWithCounts", totalsAgreeWithCounts},
	{"ChangesMoveThem", func(e *env) {
		x, y := widgetNamed("x"), widgetNamed("y")
		x.Live, y.Live = ptr(true), ptr(true)
		e.put(e.a, x, y)
		e.put(e.b, x)
		live := func(values ...any) store.Filter { return where(cond("live", store.Is, values...)) }
		e.wantTotal(e.a, live(true), 2)
		x.Live = nil
		e.put(e.a, x)
		e.wantTotal(e.a, live(true), 1)
		e.wantTotal(e.a, live(nil), 1)
		e.wantTotal(e.a, live(true, nil, true), 2)
		e.wantTotal(e.a, live(false), 0)
		e.wantTotal(e.b, live(true), 1)
		e.update(e.a, func(tx store.RecordTx) {
			e.noError(tx.Delete(e.ctx, e.kind, id("x")))
			e.wantTotalIn(tx, live(nil), 0)
			e.wantTotalIn(tx, store.Filter{}, 1)
			e.putIn(tx, widgetNamed("z"))
			e.wantTotalIn(tx, live(nil), 1)
		})
		e.wantTotal(e.a, store.Filter{}, 2)
	}},
	{"AColumnThatBecomesCounted", func(e *env) {
		// Nothing needs to be rendered, because the values are stored.
		k := widgetKind()
		k.Name = "gadget"
		k.Columns = slices.Clone(k.Columns)
		counted := func(yes bool) {
			for i := range k.Columns {
				k.Columns[i].Counted = yes
			}
			k.Render = func(store.Record) (store.Write, error) { return store.Write{}, errStop }
			e.prepare(k)
			e.kind = k
		}
		counted(false)
		e.put(e.a, widgetNamed("x"), widgetNamed("y"))
		counted(true)
		e.wantTotal(e.a, where(cond("name", store.Is, "x")), 1)
		e.wantTotal(e.a, where(cond("size", store.Is, nil)), 2)
		e.put(e.a, widgetNamed("z"))
		e.wantTotal(e.a, where(cond("size", store.Is, nil)), 3)
		counted(false)
		e.put(e.a, widgetNamed("w"))
		e.wantTotal(e.a, where(cond("size", store.Is, nil)), 4)
		counted(true)
		e.wantTotal(e.a, where(cond("size", store.Is, nil)), 4)
	}},
}

// wantTotal fails the test unless a list has this total.
func (e *env) wantTotal(a store.AccountID, f store.Filter, want int) {
	e.Helper()
	e.view(a, func(tx store.RecordTx) { e.wantTotalIn(tx, f, want) })
}

func (e *env) wantTotalIn(tx store.RecordTx, f store.Filter, want int) {
	e.Helper()
	for _, p := range []store.Page{{Number: 1, Size: 1}, {Number: 1000, Size: 1}} {
		_, total, err := tx.List(e.ctx, e.kind, f, p, nil)
		e.noError(err)
		if total != want {
			e.Fatalf("%s: total %d, want %d", describe(f, p), total, want)
		}
	}
}

// totalsAgreeWithCounts compares the totals for each value of each column, and
// pages of the unfiltered list, with the model, after random writes of which some
// are rolled back.
func totalsAgreeWithCounts(e *env) {
	accounts := []store.AccountID{e.a, e.b}
	models := map[store.AccountID]model{}
	for range 15 {
		for _, a := range accounts {
			models[a] = e.randomWrites(a, models[a])
			m := models[a]
			e.wantTotal(a, store.Filter{}, len(m))
			for _, column := range widgetColumns {
				values := map[any]int{nil: 0}
				for _, r := range m {
					values[decode(r).column(column.Name)]++
				}
				for v, n := range values {
					e.wantTotal(a, where(cond(column.Name, store.Is, v)), n)
				}
				v := e.randomValue(column)
				_, n := m.list(where(cond(column.Name, store.Is, v, nil)), store.Page{})
				e.wantTotal(a, where(cond(column.Name, store.Is, v, nil)), n)
			}
			e.comparePages(a, m)
		}
	}
}

// comparePages compares some pages of the unfiltered list with the model, in both
// directions.
func (e *env) comparePages(a store.AccountID, m model) {
	e.Helper()
	for _, desc := range []bool{true, false} {
		f := sorted(store.Order{Desc: desc})
		f.Match = func(store.Record) bool { return true }
		p := store.Page{Number: 1 + e.rand.IntN(len(m)+2), Size: 1 + e.rand.IntN(3)}
		want, _ := m.list(f, p)
		ids, total := e.list(a, f, p)
		if total != len(m) || !slices.Equal(ids, idsOf(want)) {
			e.Fatalf("%s of %d records: %v of %d, want %v", describe(f, p), len(m), ids, total, idsOf(want))
		}
	}
}
