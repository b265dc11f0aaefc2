package storagetest

import (
	"slices"

	"github.com/landfallhq/tracking/store"
)

// A store may keep totals rather than count. These tests read the first record
// of a list only, so that its total cannot be seen from the page.
var totalTests = []test{
	{"AgreeWithCounts", totalsAgreeWithCounts},
	{"ChangesMoveThem", func(e *env) {
		x, y := named("x"), named("y")
		x.Live, y.Live = ptr(true), ptr(true)
		e.put(e.a, x, y)
		e.put(e.b, x)
		live := func(values ...any) store.Filter { return where(cond("live", store.Is, values...)) }
		e.totals(e.a, live(true), 2)
		x.Live = nil
		e.put(e.a, x)
		e.totals(e.a, live(true), 1)
		e.totals(e.a, live(nil), 1)
		e.totals(e.a, live(true, nil, true), 2)
		e.totals(e.a, live(false), 0)
		e.totals(e.b, live(true), 1)
		e.update(e.a, func(tx store.RecordTx) {
			e.no(tx.Delete(e.ctx, e.kind, id("x")))
			e.inTx(tx, live(nil), 0)
			e.inTx(tx, store.Filter{}, 1)
			e.putIn(tx, named("z"))
			e.inTx(tx, live(nil), 1)
		})
		e.totals(e.a, store.Filter{}, 2)
	}},
	{"AColumnThatBecomesCounted", func(e *env) {
		// Nothing is rendered for it: the values are there.
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
		e.put(e.a, named("x"), named("y"))
		counted(true)
		e.totals(e.a, where(cond("name", store.Is, "x")), 1)
		e.totals(e.a, where(cond("size", store.Is, nil)), 2)
		e.put(e.a, named("z"))
		e.totals(e.a, where(cond("size", store.Is, nil)), 3)
		counted(false)
		e.put(e.a, named("w"))
		e.totals(e.a, where(cond("size", store.Is, nil)), 4)
		counted(true)
		e.totals(e.a, where(cond("size", store.Is, nil)), 4)
	}},
}

// totals fails the test when the total of a list is not want.
func (e *env) totals(a store.AccountID, f store.Filter, want int) {
	e.Helper()
	e.view(a, func(tx store.RecordTx) { e.inTx(tx, f, want) })
}

func (e *env) inTx(tx store.RecordTx, f store.Filter, want int) {
	e.Helper()
	for _, p := range []store.Page{{Number: 1, Size: 1}, {Number: 1000, Size: 1}} {
		_, total, err := tx.List(e.ctx, e.kind, f, p, nil)
		e.no(err)
		if total != want {
			e.Fatalf("%s: total %d, want %d", text(f, p), total, want)
		}
	}
}

// totalsAgreeWithCounts compares the total for each value of each column with
// what the records say, and the depths of the plain list, after random writes
// of which some are rolled back.
func totalsAgreeWithCounts(e *env) {
	accounts := []store.AccountID{e.a, e.b}
	models := map[store.AccountID]model{}
	for range 15 {
		for _, a := range accounts {
			models[a] = e.randomWrites(a, models[a])
			m := models[a]
			e.totals(a, store.Filter{}, len(m))
			for _, column := range widgetColumns {
				values := map[any]int{nil: 0}
				for _, r := range m {
					values[decode(r).column(column.Name)]++
				}
				for v, n := range values {
					e.totals(a, where(cond(column.Name, store.Is, v)), n)
				}
				v := e.randomValue(column)
				_, n := m.list(where(cond(column.Name, store.Is, v, nil)), store.Page{})
				e.totals(a, where(cond(column.Name, store.Is, v, nil)), n)
			}
			e.depths(a, m)
		}
	}
}

// depths reads some pages of the plain list, in both directions.
func (e *env) depths(a store.AccountID, m model) {
	e.Helper()
	for _, desc := range []bool{true, false} {
		f := sorted(store.Order{Desc: desc})
		f.Match = func(store.Record) bool { return true }
		p := store.Page{Number: 1 + e.rand.IntN(len(m)+2), Size: 1 + e.rand.IntN(3)}
		want, _ := m.list(f, p)
		ids, total := e.list(a, f, p)
		if total != len(m) || !slices.Equal(ids, idsOf(want)) {
			e.Fatalf("%s of %d records: %v of %d, want %v", text(f, p), len(m), ids, total, idsOf(want))
		}
	}
}
