package storagetest

import (
	"math"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

func sorted(orders ...store.Order) store.Filter { return store.Filter{Sort: orders} }

// texts puts a widget for each text, with the text as name and as tag. The ID of
// the widget belongs to the text.
func (e *env) texts(texts ...string) {
	e.Helper()
	for _, s := range texts {
		w := widgetNamed(s)
		w.Tags = []string{s}
		e.put(e.a, w)
	}
}

// unusualTexts are texts that a store might change, fold or cut, in the order of
// their bytes.
var unusualTexts = []string{
	"", "\x00", " ", "%", "%%", "A", "B", "Z", "_", "a", "a\x00", "a\x00b", "a ", "a%", "a%c", "aB", "a_", "a_c", "abc",
	"b", "z", "e\u0301", "ß", "é", "日本", "\ufffd", "😀", "\xff", "\xff\x00", "\xff\xff", "\xff\xffa",
}

var listTests = []test{
	{"Empty", func(e *env) {
		e.wantList(e.a, store.Filter{})
		ids, total := e.list(e.a, store.Filter{}, store.Page{Number: 1, Size: 10})
		if len(ids) != 0 || total != 0 {
			e.Fatalf("%v of %d", ids, total)
		}
	}},
	{"LastCreatedFirst", func(e *env) {
		e.put(e.a, widgetNamed("1"), widgetNamed("2"))
		e.put(e.a, widgetNamed("3"))
		e.wantList(e.a, store.Filter{}, "3", "2", "1")
		w := widgetNamed("1") // a change does not affect the order of creation
		w.Size = ptr(int64(1))
		e.put(e.a, w)
		e.wantList(e.a, store.Filter{}, "3", "2", "1")
	}},
	{"OrderOfCreationSurvivesDeletes", func(e *env) {
		e.put(e.a, widgetNamed("1"), widgetNamed("2"), widgetNamed("3"))
		remove := func(name string) {
			e.update(e.a, func(tx store.RecordTx) { e.noError(tx.Delete(e.ctx, e.kind, id(name))) })
		}
		remove("3")
		e.put(e.a, widgetNamed("4"))
		e.wantList(e.a, store.Filter{}, "4", "2", "1")
		remove("1")
		e.put(e.a, widgetNamed("1"))
		e.wantList(e.a, store.Filter{}, "1", "4", "2")
		e.update(e.a, func(tx store.RecordTx) {
			for _, name := range []string{"2", "4", "1"} {
				e.noError(tx.Delete(e.ctx, e.kind, id(name)))
			}
			e.putIn(tx, widgetNamed("5"))
			e.noError(tx.Delete(e.ctx, e.kind, id("5")))
			e.putIn(tx, widgetNamed("6"))
			e.putIn(tx, widgetNamed("5"))
		})
		e.wantList(e.a, store.Filter{}, "5", "6")
	}},
	{"Appends", func(e *env) {
		e.put(e.a, widgetNamed("1"), widgetNamed("2"))
		e.view(e.a, func(tx store.RecordTx) {
			got, total, err := tx.List(e.ctx, e.kind, store.Filter{}, store.Page{Number: 1, Size: 1}, []store.Record{{ID: id("head")}})
			e.noError(err)
			e.sameIDs(idsOf(got), "head", "2")
			if total != 2 {
				e.Fatalf("total %d", total)
			}
		})
	}},
	{"PagesAndTotals", func(e *env) {
		e.put(e.a, widgetNamed("1"), widgetNamed("2"), widgetNamed("3"), widgetNamed("4"), widgetNamed("5"))
		f := where(cond("name", store.From, "2"))
		for _, c := range []struct {
			f     store.Filter
			p     store.Page
			total int
			names []string
		}{
			{store.Filter{}, store.Page{Number: 1, Size: 2}, 5, []string{"5", "4"}},
			{store.Filter{}, store.Page{Number: 2, Size: 2}, 5, []string{"3", "2"}},
			{store.Filter{}, store.Page{Number: 3, Size: 2}, 5, []string{"1"}},
			{store.Filter{}, store.Page{Number: 4, Size: 2}, 5, nil},
			{store.Filter{}, store.Page{Number: 1, Size: 5}, 5, []string{"5", "4", "3", "2", "1"}},
			{store.Filter{}, store.Page{Number: 2, Size: 5}, 5, nil},
			{store.Filter{}, store.Page{Number: 1, Size: math.MaxInt}, 5, []string{"5", "4", "3", "2", "1"}},
			{store.Filter{}, store.Page{Number: math.MaxInt, Size: math.MaxInt}, 5, nil},
			{f, store.Page{Number: 1, Size: 3}, 4, []string{"5", "4", "3"}},
			{f, store.Page{Number: 2, Size: 3}, 4, []string{"2"}},
			{f, store.Page{Number: 3, Size: 3}, 4, nil},
			{where(cond("name", store.Is, "none")), store.Page{Number: 2, Size: 3}, 0, nil},
		} {
			ids, total := e.list(e.a, c.f, c.p)
			e.sameIDs(ids, c.names...)
			if total != c.total {
				e.Errorf("%s: total %d, want %d", describe(c.f, c.p), total, c.total)
			}
		}
	}},
	{"Is", func(e *env) {
		w := widget{ID: id("w"), Name: ptr("n"), Size: ptr(int64(-3)), Live: ptr(false), At: ptr(t0), Owner: ptr(id("o"))}
		e.put(e.a, w, widget{ID: id("none")})
		for _, c := range []store.Cond{
			cond("name", store.Is, "n"), cond("size", store.Is, int64(-3)), cond("live", store.Is, false),
			cond("at", store.Is, t0), cond("owner", store.Is, id("o")), cond("name", store.Is, "m", "n", "o"),
		} {
			e.wantList(e.a, where(c), "w")
		}
		for _, c := range []store.Cond{
			cond("name", store.Is, "m"), cond("size", store.Is, int64(3)), cond("live", store.Is, true),
			cond("at", store.Is, after(time.Microsecond)), cond("owner", store.Is, id("p")),
		} {
			e.wantList(e.a, where(c))
		}
	}},
	{"NoValue", func(e *env) {
		w := widget{ID: id("w"), Name: ptr(""), Size: ptr(int64(0)), Live: ptr(false), At: ptr(time.Unix(0, 0)), Owner: &store.ID{}}
		e.put(e.a, w, widget{ID: id("none")})
		for _, column := range widgetColumns {
			v := w.column(column.Name)
			e.wantList(e.a, where(cond(column.Name, store.Is, nil)), "none")
			e.wantList(e.a, where(cond(column.Name, store.Is, v)), "w")
			e.wantList(e.a, where(cond(column.Name, store.Is, v, nil)), "none", "w")
			e.wantList(e.a, where(cond(column.Name, store.From, v)), "w")
			e.wantList(e.a, where(cond(column.Name, store.To, v)), "w")
		}
	}},
	{"NoValuesMatchNothing", func(e *env) {
		w := widgetNamed("w")
		w.Tags = []string{"t"}
		e.put(e.a, w)
		for _, op := range []store.Op{store.Is, store.From, store.To} {
			e.wantList(e.a, where(cond("name", op)))
		}
		e.wantList(e.a, where(cond("tag", store.Has)))
		e.wantList(e.a, where(cond("tag", store.HasPrefix)))
		e.wantList(e.a, where(cond("name", store.Is, "w"), cond("tag", store.Has)))
	}},
	{"FromAndToIncludeTheirEnds", func(e *env) {
		for i, name := range []string{"1", "2", "3"} {
			n := int64(i + 1)
			e.put(e.a, widget{ID: id(name), Name: ptr(name), Size: ptr(n), Live: ptr(n > 1), At: ptr(after(time.Duration(n) * time.Microsecond)), Owner: &store.ID{byte(n)}})
		}
		e.put(e.a, widget{ID: id("none")})
		for _, c := range []struct {
			column string
			value  any
		}{{"name", "2"}, {"size", int64(2)}, {"at", after(2 * time.Microsecond)}, {"owner", store.ID{2}}} {
			e.wantList(e.a, where(cond(c.column, store.From, c.value)), "3", "2")
			e.wantList(e.a, where(cond(c.column, store.To, c.value)), "2", "1")
			e.wantList(e.a, where(cond(c.column, store.From, c.value), cond(c.column, store.To, c.value)), "2")
		}
		e.wantList(e.a, where(cond("live", store.From, true)), "3", "2")
		e.wantList(e.a, where(cond("live", store.To, false)), "1")
	}},
	{"AllConditionsHold", func(e *env) {
		x, y, z := widgetNamed("x"), widgetNamed("y"), widgetNamed("z")
		x.Size, y.Size = ptr(int64(1)), ptr(int64(1))
		y.Tags, z.Tags = []string{"s", "t"}, []string{"t"}
		e.put(e.a, x, y, z)
		e.wantList(e.a, where(cond("size", store.Is, int64(1)), cond("tag", store.Has, "t")), "y")
		e.wantList(e.a, where(cond("tag", store.Has, "s"), cond("tag", store.Has, "t")), "y")
		e.wantList(e.a, where(cond("size", store.Is, int64(1)), cond("name", store.From, "y")), "y")
		e.wantList(e.a, where(cond("size", store.Is, int64(1)), cond("size", store.Is, int64(2))))
	}},
	{"Has", func(e *env) {
		w, v := widgetNamed("w"), widgetNamed("v")
		w.Tags, v.Tags = []string{"a", "b"}, []string{"b", "c"}
		e.put(e.a, w, v)
		e.wantList(e.a, where(cond("tag", store.Has, "a")), "w")
		e.wantList(e.a, where(cond("tag", store.Has, "b")), "v", "w")
		e.wantList(e.a, where(cond("tag", store.Has, "a", "c")), "v", "w")
		e.wantList(e.a, where(cond("tag", store.Has, "a", "b", "b")), "v", "w")
		e.wantList(e.a, where(cond("tag", store.Has, "A")))
		e.wantList(e.a, where(cond("tag", store.Has, "")))
		e.wantList(e.a, where(cond("ref", store.Has, "a")))
		e.wantList(e.a, sorted(store.Order{Name: "name"}), "v", "w")
	}},
	{"HasPrefixByteForByte", func(e *env) {
		e.texts(unusualTexts...)
		for _, prefix := range unusualTexts {
			f := where(cond("tag", store.HasPrefix, prefix))
			f.Sort = []store.Order{{}}
			var want []string
			for _, s := range unusualTexts {
				if len(s) >= len(prefix) && s[:len(prefix)] == prefix {
					want = append(want, s)
				}
			}
			e.wantList(e.a, f, want...)
		}
	}},
	{"TextIsComparedByteByByte", func(e *env) {
		e.texts(unusualTexts...)
		order := slices.Clone(unusualTexts)
		slices.Sort(order)
		e.wantList(e.a, sorted(store.Order{Name: "name"}), order...)
		for i, s := range order {
			e.wantList(e.a, where(cond("name", store.Is, s)), s)
			e.wantList(e.a, where(cond("tag", store.Has, s)), s)
			f := where(cond("name", store.From, s))
			f.Sort = []store.Order{{Name: "name"}}
			e.wantList(e.a, f, order[i:]...)
			f = where(cond("name", store.To, s))
			f.Sort = []store.Order{{Name: "name"}}
			e.wantList(e.a, f, order[:i+1]...)
		}
	}},
	{"TextThatLooksLikeANumberStaysText", func(e *env) {
		e.texts("1", "01", "1.0", "10", "9")
		e.wantList(e.a, where(cond("name", store.Is, "1")), "1")
		e.wantList(e.a, where(cond("tag", store.Has, "1")), "1")
		e.wantList(e.a, sorted(store.Order{Name: "name"}), "01", "1", "1.0", "10", "9")
	}},
	{"TimesAreKeptToTheMicrosecondAndComparedByInstant", func(e *env) {
		at := after(0).Add(789) // nanoseconds
		zone := time.FixedZone("far", -11*3600)
		e.put(e.a, widget{ID: id("w"), At: ptr(at.In(zone))})
		e.put(e.a, widget{ID: id("next"), At: ptr(after(time.Microsecond))})
		e.put(e.a, widget{ID: id("old"), At: ptr(time.Date(1815, 6, 18, 11, 30, 0, 999999999, time.UTC))})
		e.put(e.a, widget{ID: id("far"), At: ptr(time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC))})
		for _, same := range []time.Time{after(0), at, at.In(zone), after(0).In(time.Local)} {
			e.wantList(e.a, where(cond("at", store.Is, same)), "w")
		}
		e.wantList(e.a, where(cond("at", store.From, after(0))), "far", "next", "w")
		e.wantList(e.a, where(cond("at", store.From, after(time.Microsecond))), "far", "next")
		e.wantList(e.a, where(cond("at", store.To, after(0))), "old", "w")
		e.wantList(e.a, sorted(store.Order{Name: "at"}), "old", "w", "next", "far")
	}},
	{"Integers", func(e *env) {
		names := []string{"min", "-1", "0", "1", "big", "max"}
		for i, n := range []int64{math.MinInt64, -1, 0, 1, 1<<53 + 1, math.MaxInt64} {
			e.put(e.a, widget{ID: id(names[i]), Size: ptr(n)})
			e.wantList(e.a, where(cond("size", store.Is, n)), names[i])
		}
		e.wantList(e.a, where(cond("size", store.Is, int64(1<<53))))
		e.wantList(e.a, sorted(store.Order{Name: "size"}), names...)
	}},
	{"NoValueComesLastInBothDirections", func(e *env) {
		for _, column := range widgetColumns {
			lo := widget{ID: id("lo " + column.Name), Name: ptr("a"), Size: ptr(int64(-1)), Live: ptr(false), At: ptr(t0), Owner: &store.ID{}}
			hi := widget{ID: id("hi " + column.Name), Name: ptr("b"), Size: ptr(int64(1)), Live: ptr(true), At: ptr(after(1e9)), Owner: &store.ID{1}}
			tag := column.Name
			none := widget{ID: id("none " + column.Name), Tags: []string{tag}}
			lo.Tags, hi.Tags = none.Tags, none.Tags
			e.put(e.a, lo, none, hi)
			f := where(cond("tag", store.Has, tag))
			f.Sort = []store.Order{{Name: column.Name}}
			e.wantList(e.a, f, "lo "+tag, "hi "+tag, "none "+tag)
			f.Sort[0].Desc = true
			e.wantList(e.a, f, "hi "+tag, "lo "+tag, "none "+tag)
		}
	}},
	{"NoValueComesLastWithoutFilter", func(e *env) {
		x, y := widgetNamed("x"), widgetNamed("y")
		e.put(e.a, widget{ID: id("n1")}, x, widget{ID: id("n2")}, y, widget{ID: id("n3")})
		e.wantList(e.a, sorted(store.Order{Name: "name"}), "x", "y", "n1", "n2", "n3")
		e.wantList(e.a, sorted(store.Order{Name: "name", Desc: true}), "y", "x", "n3", "n2", "n1")
	}},
	{"TiesByCreationInTheDirectionOfTheLastOrder", func(e *env) {
		for _, s := range []string{"1", "2", "3", "4"} {
			w := widgetNamed(s)
			w.Live, w.Size = ptr(s > "2"), ptr(int64(7))
			e.put(e.a, w)
		}
		o := func(name string, desc bool) store.Order { return store.Order{Name: name, Desc: desc} }
		e.wantList(e.a, sorted(o("size", false)), "1", "2", "3", "4")
		e.wantList(e.a, sorted(o("size", true)), "4", "3", "2", "1")
		e.wantList(e.a, sorted(o("live", false)), "1", "2", "3", "4")
		e.wantList(e.a, sorted(o("live", true)), "4", "3", "2", "1")
		e.wantList(e.a, sorted(o("live", true), o("size", false)), "3", "4", "1", "2")
		e.wantList(e.a, sorted(o("live", false), o("size", true)), "2", "1", "4", "3")
		e.wantList(e.a, sorted(o("live", true), o("name", false)), "3", "4", "1", "2")
	}},
	{"TheEmptyNameIsTheOrderOfCreation", func(e *env) {
		for _, s := range []string{"1", "2", "3"} {
			w := widgetNamed(s)
			w.Live = ptr(s == "2")
			e.put(e.a, w)
		}
		e.wantList(e.a, sorted(store.Order{}), "1", "2", "3")
		e.wantList(e.a, sorted(store.Order{Desc: true}), "3", "2", "1")
		e.wantList(e.a, sorted(store.Order{Name: "live", Desc: true}, store.Order{}), "2", "1", "3")
		e.wantList(e.a, sorted(store.Order{Name: "live"}, store.Order{Desc: true}), "3", "1", "2")
		e.wantList(e.a, sorted(store.Order{}, store.Order{Name: "name", Desc: true}), "1", "2", "3")
	}},
	{"ManyValues", func(e *env) {
		names, tags := []any{}, []any{}
		for range 700 {
			names = append(names, "no such name \x00")
			tags = append(tags, "no such tag \x00")
		}
		e.texts("x", "y\x00")
		e.wantList(e.a, where(cond("name", store.Is, append(names, "y\x00")...)), "y\x00")
		e.wantList(e.a, where(cond("tag", store.Has, append(tags, "y\x00")...)), "y\x00")
		e.wantList(e.a, where(cond("name", store.Is, names...)))
	}},
	{"UnknownColumnsAreRefused", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		f := sorted(store.Order{Name: "nonsense"})
		err := e.store.View(e.ctx, e.a, func(tx store.RecordTx) error {
			_, _, err := tx.List(e.ctx, e.kind, f, store.Page{}, nil)
			return err
		})
		if err == nil {
			e.Error("a list can be sorted by a column that does not exist")
		}
	}},
}
