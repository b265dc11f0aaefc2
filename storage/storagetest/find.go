package storagetest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking/store"
)

// wantFound fails the test unless Find returns exactly these, in this order.
func (e *env) wantFound(a store.AccountID, c store.Cond, most int, want ...string) {
	e.Helper()
	e.view(a, func(tx store.RecordTx) {
		got, err := tx.Find(e.ctx, e.kind, c, most)
		e.noError(err)
		e.sameIDs(got, want...)
	})
}

func oneValue(op store.Op, name string, v any) store.Cond {
	return store.Cond{Name: name, Op: op, Values: []any{v}}
}

var findTests = []test{
	{"NotByAColumnWithoutIndex", func(e *env) {
		k := widgetKind()
		k.Name = "gadget"
		k.Columns = slices.Clone(k.Columns)
		k.Columns[0].Unindexed = true // name
		e.prepare(k)
		e.kind = k
		e.put(e.a, widgetNamed("x"))
		e.view(e.a, func(tx store.RecordTx) {
			if got, err := tx.Find(e.ctx, k, oneValue(store.Is, "name", "x"), 1); err == nil {
				e.Fatalf("found %v", got)
			}
			got, total, err := tx.List(e.ctx, k, where(cond("name", store.Is, "x")), store.Page{Number: 1, Size: 1}, nil)
			e.noError(err)
			if total != 1 || len(got) != 1 {
				e.Fatalf("%d of %d records", len(got), total)
			}
		})
	}},
	{"LastCreatedFirst", func(e *env) {
		for _, s := range []string{"1", "2", "3"} {
			w := widget{ID: id(s), Name: ptr("same"), Owner: ptr(id("o")), Tags: []string{"t", "t" + s}}
			e.put(e.a, w)
		}
		e.put(e.b, widget{ID: id("other"), Name: ptr("same"), Tags: []string{"t"}})
		for _, c := range []store.Cond{
			oneValue(store.Is, "name", "same"), oneValue(store.Is, "owner", id("o")), oneValue(store.Has, "tag", "t"),
		} {
			e.wantFound(e.a, c, 10, "3", "2", "1")
			e.wantFound(e.a, c, 2, "3", "2")
		}
		e.wantFound(e.a, oneValue(store.HasPrefix, "tag", "t"), 10, "3", "2", "1")
		e.wantFound(e.a, oneValue(store.Is, "name", "another"), 10)
		e.wantFound(e.a, oneValue(store.Has, "nonsense", "t"), 10)
		e.wantFound(e.b, oneValue(store.Has, "tag", "t"), 10, "other")
	}},
	{"SomeEntriesOfAPrefix", func(e *env) {
		e.put(e.a,
			widget{ID: id("1"), Tags: []string{"ab", "ac"}},
			widget{ID: id("2"), Tags: []string{"aa", "a%"}},
			widget{ID: id("3"), Tags: []string{"ad", "b"}},
			widget{ID: id("4"), Tags: []string{"ab"}})
		// The entries in their order: a% 2, aa 2, ab 1, ab 4, ac 1, ad 3.
		for most, want := range [][]string{1: {"2"}, 2: {"2"}, 3: {"2", "1"}, 4: {"4", "2", "1"}, 5: {"4", "2", "1"}, 6: {"4", "3", "2", "1"}} {
			if most > 0 {
				e.wantFound(e.a, oneValue(store.HasPrefix, "tag", "a"), most, want...)
			}
		}
		e.wantFound(e.a, oneValue(store.HasPrefix, "tag", "a%"), 9, "2") // not a pattern
	}},
	{"FollowsChanges", func(e *env) {
		w := widget{ID: id("w"), Name: ptr("n"), Tags: []string{"old"}}
		e.put(e.a, w)
		w.Name, w.Tags = ptr("m"), []string{"new"}
		e.put(e.a, w)
		e.wantFound(e.a, oneValue(store.Is, "name", "n"), 9)
		e.wantFound(e.a, oneValue(store.HasPrefix, "tag", "o"), 9)
		e.wantFound(e.a, oneValue(store.Is, "name", "m"), 9, "w")
		e.wantFound(e.a, oneValue(store.HasPrefix, "tag", "n"), 9, "w")
		e.update(e.a, func(tx store.RecordTx) { e.noError(tx.Delete(e.ctx, e.kind, w.ID)) })
		e.wantFound(e.a, oneValue(store.HasPrefix, "tag", "n"), 9)
	}},
	{"AgreesWithList", func(e *env) {
		var list []widget
		for range 100 {
			w := widget{ID: randomID(e.rand), Name: ptr(strconv.Itoa(e.rand.IntN(5)))}
			for range e.rand.IntN(4) {
				w.Tags = append(w.Tags, strings.Repeat("x", e.rand.IntN(3))+strconv.Itoa(e.rand.IntN(30)))
			}
			list = append(list, w)
		}
		e.put(e.a, list...)
		var sought []store.Lookup
		var found [][]store.ID
		for range 50 {
			c := oneValue([]store.Op{store.Has, store.HasPrefix}[e.rand.IntN(2)], "tag", strings.Repeat("x", e.rand.IntN(3))+strconv.Itoa(e.rand.IntN(30)))
			most := 1 + e.rand.IntN(9)
			e.view(e.a, func(tx store.RecordTx) {
				some, err := tx.Find(e.ctx, e.kind, c, most)
				e.noError(err)
				sought, found = append(sought, store.Lookup{Kind: e.kind, Cond: c, Limit: most}), append(found, some)
			})
			if e.rand.IntN(3) == 0 {
				c = oneValue(store.Is, "name", strconv.Itoa(e.rand.IntN(5)))
			}
			e.view(e.a, func(tx store.RecordTx) {
				got, err := tx.Find(e.ctx, e.kind, c, 10_000)
				e.noError(err)
				rows, _, err := tx.List(e.ctx, e.kind, store.Filter{Where: []store.Cond{c}, Match: match([]store.Cond{c})}, store.Page{}, nil)
				e.noError(err)
				want := make([]store.ID, len(rows))
				for i, r := range rows {
					want[i] = r.ID
				}
				if !slices.Equal(got, want) {
					e.Fatalf("Find %v: %d records, List has %d, or another order", c, len(got), len(want))
				}
			})
		}
		e.view(e.a, func(tx store.RecordTx) {
			each, err := tx.FindEach(e.ctx, sought)
			e.noError(err)
			if !slices.EqualFunc(each, found, slices.Equal) {
				e.Fatalf("FindEach: %v, Find one after the other: %v", each, found)
			}
		})
	}},
}
