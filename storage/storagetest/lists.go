package storagetest

import (
	"math"
	"slices"
	"time"

	"github.com/landfallhq/tracking"
)

func sorted(orders ...tracking.Order) tracking.Filter { return tracking.Filter{Sort: orders} }

// texts puts a widget for each text, with the text as name and as tag; the
// widget's ID goes with the text.
func (e *env) texts(texts ...string) {
	e.Helper()
	for _, s := range texts {
		w := named(s)
		w.Tags = []string{s}
		e.put(e.a, w)
	}
}

// nasty are texts that a store may be tempted to change, to fold or to cut, in
// the order of their bytes.
var nasty = []string{
	"", "\x00", " ", "%", "%%", "A", "B", "Z", "_", "a", "a\x00", "a\x00b", "a ", "a%", "a%c", "aB", "a_", "a_c", "abc",
	"b", "z", "e\u0301", "ß", "é", "日本", "\ufffd", "😀", "\xff", "\xff\x00", "\xff\xff", "\xff\xffa",
}

var listTests = []test{
	{"Empty", func(e *env) {
		e.lists(e.a, tracking.Filter{})
		ids, total := e.list(e.a, tracking.Filter{}, tracking.Page{Number: 1, Size: 10})
		if len(ids) != 0 || total != 0 {
			e.Fatalf("%v of %d", ids, total)
		}
	}},
	{"LastCreatedFirst", func(e *env) {
		e.put(e.a, named("1"), named("2"))
		e.put(e.a, named("3"))
		e.lists(e.a, tracking.Filter{}, "3", "2", "1")
		w := named("1") // a change is no creation
		w.Size = ptr(int64(1))
		e.put(e.a, w)
		e.lists(e.a, tracking.Filter{}, "3", "2", "1")
	}},
	{"OrderOfCreationSurvivesDeletes", func(e *env) {
		e.put(e.a, named("1"), named("2"), named("3"))
		remove := func(name string) {
			e.update(e.a, func(tx tracking.RecordTx) { e.no(tx.Delete(e.ctx, e.kind, id(name))) })
		}
		remove("3")
		e.put(e.a, named("4"))
		e.lists(e.a, tracking.Filter{}, "4", "2", "1")
		remove("1")
		e.put(e.a, named("1"))
		e.lists(e.a, tracking.Filter{}, "1", "4", "2")
		e.update(e.a, func(tx tracking.RecordTx) {
			for _, name := range []string{"2", "4", "1"} {
				e.no(tx.Delete(e.ctx, e.kind, id(name)))
			}
			e.putIn(tx, named("5"))
			e.no(tx.Delete(e.ctx, e.kind, id("5")))
			e.putIn(tx, named("6"))
			e.putIn(tx, named("5"))
		})
		e.lists(e.a, tracking.Filter{}, "5", "6")
	}},
	{"Appends", func(e *env) {
		e.put(e.a, named("1"), named("2"))
		e.view(e.a, func(tx tracking.RecordTx) {
			got, total, err := tx.List(e.ctx, e.kind, tracking.Filter{}, tracking.Page{Number: 1, Size: 1}, []tracking.Record{{ID: id("head")}})
			e.no(err)
			e.sameIDs(idsOf(got), "head", "2")
			if total != 2 {
				e.Fatalf("total %d", total)
			}
		})
	}},
	{"PagesAndTotals", func(e *env) {
		e.put(e.a, named("1"), named("2"), named("3"), named("4"), named("5"))
		f := where(cond("name", tracking.From, "2"))
		for _, c := range []struct {
			f     tracking.Filter
			p     tracking.Page
			total int
			names []string
		}{
			{tracking.Filter{}, tracking.Page{Number: 1, Size: 2}, 5, []string{"5", "4"}},
			{tracking.Filter{}, tracking.Page{Number: 2, Size: 2}, 5, []string{"3", "2"}},
			{tracking.Filter{}, tracking.Page{Number: 3, Size: 2}, 5, []string{"1"}},
			{tracking.Filter{}, tracking.Page{Number: 4, Size: 2}, 5, nil},
			{tracking.Filter{}, tracking.Page{Number: 1, Size: 5}, 5, []string{"5", "4", "3", "2", "1"}},
			{tracking.Filter{}, tracking.Page{Number: 2, Size: 5}, 5, nil},
			{tracking.Filter{}, tracking.Page{Number: 1, Size: math.MaxInt}, 5, []string{"5", "4", "3", "2", "1"}},
			{tracking.Filter{}, tracking.Page{Number: math.MaxInt, Size: math.MaxInt}, 5, nil},
			{f, tracking.Page{Number: 1, Size: 3}, 4, []string{"5", "4", "3"}},
			{f, tracking.Page{Number: 2, Size: 3}, 4, []string{"2"}},
			{f, tracking.Page{Number: 3, Size: 3}, 4, nil},
			{where(cond("name", tracking.Is, "none")), tracking.Page{Number: 2, Size: 3}, 0, nil},
		} {
			ids, total := e.list(e.a, c.f, c.p)
			e.sameIDs(ids, c.names...)
			if total != c.total {
				e.Errorf("%s: total %d, want %d", text(c.f, c.p), total, c.total)
			}
		}
	}},
	{"Is", func(e *env) {
		w := widget{ID: id("w"), Name: ptr("n"), Size: ptr(int64(-3)), Live: ptr(false), At: ptr(t0), Owner: ptr(id("o"))}
		e.put(e.a, w, widget{ID: id("none")})
		for _, c := range []tracking.Cond{
			cond("name", tracking.Is, "n"), cond("size", tracking.Is, int64(-3)), cond("live", tracking.Is, false),
			cond("at", tracking.Is, t0), cond("owner", tracking.Is, id("o")), cond("name", tracking.Is, "m", "n", "o"),
		} {
			e.lists(e.a, where(c), "w")
		}
		for _, c := range []tracking.Cond{
			cond("name", tracking.Is, "m"), cond("size", tracking.Is, int64(3)), cond("live", tracking.Is, true),
			cond("at", tracking.Is, after(time.Microsecond)), cond("owner", tracking.Is, id("p")),
		} {
			e.lists(e.a, where(c))
		}
	}},
	{"NoValue", func(e *env) {
		w := widget{ID: id("w"), Name: ptr(""), Size: ptr(int64(0)), Live: ptr(false), At: ptr(time.Unix(0, 0)), Owner: &tracking.ID{}}
		e.put(e.a, w, widget{ID: id("none")})
		for _, column := range widgetColumns {
			v := w.column(column.Name)
			e.lists(e.a, where(cond(column.Name, tracking.Is, nil)), "none")
			e.lists(e.a, where(cond(column.Name, tracking.Is, v)), "w")
			e.lists(e.a, where(cond(column.Name, tracking.Is, v, nil)), "none", "w")
			e.lists(e.a, where(cond(column.Name, tracking.From, v)), "w")
			e.lists(e.a, where(cond(column.Name, tracking.To, v)), "w")
		}
	}},
	{"NoValuesMatchNothing", func(e *env) {
		w := named("w")
		w.Tags = []string{"t"}
		e.put(e.a, w)
		for _, op := range []tracking.Op{tracking.Is, tracking.From, tracking.To} {
			e.lists(e.a, where(cond("name", op)))
		}
		e.lists(e.a, where(cond("tag", tracking.Has)))
		e.lists(e.a, where(cond("tag", tracking.HasPrefix)))
		e.lists(e.a, where(cond("name", tracking.Is, "w"), cond("tag", tracking.Has)))
	}},
	{"FromAndToIncludeTheirEnds", func(e *env) {
		for i, name := range []string{"1", "2", "3"} {
			n := int64(i + 1)
			e.put(e.a, widget{ID: id(name), Name: ptr(name), Size: ptr(n), Live: ptr(n > 1), At: ptr(after(time.Duration(n) * time.Microsecond)), Owner: &tracking.ID{byte(n)}})
		}
		e.put(e.a, widget{ID: id("none")})
		for _, c := range []struct {
			column string
			value  any
		}{{"name", "2"}, {"size", int64(2)}, {"at", after(2 * time.Microsecond)}, {"owner", tracking.ID{2}}} {
			e.lists(e.a, where(cond(c.column, tracking.From, c.value)), "3", "2")
			e.lists(e.a, where(cond(c.column, tracking.To, c.value)), "2", "1")
			e.lists(e.a, where(cond(c.column, tracking.From, c.value), cond(c.column, tracking.To, c.value)), "2")
		}
		e.lists(e.a, where(cond("live", tracking.From, true)), "3", "2")
		e.lists(e.a, where(cond("live", tracking.To, false)), "1")
	}},
	{"AllConditionsHold", func(e *env) {
		x, y, z := named("x"), named("y"), named("z")
		x.Size, y.Size = ptr(int64(1)), ptr(int64(1))
		y.Tags, z.Tags = []string{"s", "t"}, []string{"t"}
		e.put(e.a, x, y, z)
		e.lists(e.a, where(cond("size", tracking.Is, int64(1)), cond("tag", tracking.Has, "t")), "y")
		e.lists(e.a, where(cond("tag", tracking.Has, "s"), cond("tag", tracking.Has, "t")), "y")
		e.lists(e.a, where(cond("size", tracking.Is, int64(1)), cond("name", tracking.From, "y")), "y")
		e.lists(e.a, where(cond("size", tracking.Is, int64(1)), cond("size", tracking.Is, int64(2))))
	}},
	{"Has", func(e *env) {
		w, v := named("w"), named("v")
		w.Tags, v.Tags = []string{"a", "b"}, []string{"b", "c"}
		e.put(e.a, w, v)
		e.lists(e.a, where(cond("tag", tracking.Has, "a")), "w")
		e.lists(e.a, where(cond("tag", tracking.Has, "b")), "v", "w")
		e.lists(e.a, where(cond("tag", tracking.Has, "a", "c")), "v", "w")
		e.lists(e.a, where(cond("tag", tracking.Has, "a", "b", "b")), "v", "w")
		e.lists(e.a, where(cond("tag", tracking.Has, "A")))
		e.lists(e.a, where(cond("tag", tracking.Has, "")))
		e.lists(e.a, where(cond("ref", tracking.Has, "a")))
		e.lists(e.a, sorted(tracking.Order{Name: "name"}), "v", "w")
	}},
	{"HasPrefixByteForByte", func(e *env) {
		e.texts(nasty...)
		for _, prefix := range nasty {
			f := where(cond("tag", tracking.HasPrefix, prefix))
			f.Sort = []tracking.Order{{}}
			var want []string
			for _, s := range nasty {
				if len(s) >= len(prefix) && s[:len(prefix)] == prefix {
					want = append(want, s)
				}
			}
			e.lists(e.a, f, want...)
		}
	}},
	{"TextIsComparedByteByByte", func(e *env) {
		e.texts(nasty...)
		order := slices.Clone(nasty)
		slices.Sort(order)
		e.lists(e.a, sorted(tracking.Order{Name: "name"}), order...)
		for i, s := range order {
			e.lists(e.a, where(cond("name", tracking.Is, s)), s)
			e.lists(e.a, where(cond("tag", tracking.Has, s)), s)
			f := where(cond("name", tracking.From, s))
			f.Sort = []tracking.Order{{Name: "name"}}
			e.lists(e.a, f, order[i:]...)
			f = where(cond("name", tracking.To, s))
			f.Sort = []tracking.Order{{Name: "name"}}
			e.lists(e.a, f, order[:i+1]...)
		}
	}},
	{"TextThatLooksLikeANumberStaysText", func(e *env) {
		e.texts("1", "01", "1.0", "10", "9")
		e.lists(e.a, where(cond("name", tracking.Is, "1")), "1")
		e.lists(e.a, where(cond("tag", tracking.Has, "1")), "1")
		e.lists(e.a, sorted(tracking.Order{Name: "name"}), "01", "1", "1.0", "10", "9")
	}},
	{"TimesAreKeptToTheMicrosecondAndComparedByInstant", func(e *env) {
		at := after(0).Add(789) // nanoseconds
		zone := time.FixedZone("far", -11*3600)
		e.put(e.a, widget{ID: id("w"), At: ptr(at.In(zone))})
		e.put(e.a, widget{ID: id("next"), At: ptr(after(time.Microsecond))})
		e.put(e.a, widget{ID: id("old"), At: ptr(time.Date(1815, 6, 18, 11, 30, 0, 999999999, time.UTC))})
		e.put(e.a, widget{ID: id("far"), At: ptr(time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC))})
		for _, same := range []time.Time{after(0), at, at.In(zone), after(0).In(time.Local)} {
			e.lists(e.a, where(cond("at", tracking.Is, same)), "w")
		}
		e.lists(e.a, where(cond("at", tracking.From, after(0))), "far", "next", "w")
		e.lists(e.a, where(cond("at", tracking.From, after(time.Microsecond))), "far", "next")
		e.lists(e.a, where(cond("at", tracking.To, after(0))), "old", "w")
		e.lists(e.a, sorted(tracking.Order{Name: "at"}), "old", "w", "next", "far")
	}},
	{"Integers", func(e *env) {
		names := []string{"min", "-1", "0", "1", "big", "max"}
		for i, n := range []int64{math.MinInt64, -1, 0, 1, 1<<53 + 1, math.MaxInt64} {
			e.put(e.a, widget{ID: id(names[i]), Size: ptr(n)})
			e.lists(e.a, where(cond("size", tracking.Is, n)), names[i])
		}
		e.lists(e.a, where(cond("size", tracking.Is, int64(1<<53))))
		e.lists(e.a, sorted(tracking.Order{Name: "size"}), names...)
	}},
	{"NoValueComesLastInBothDirections", func(e *env) {
		for _, column := range widgetColumns {
			lo := widget{ID: id("lo " + column.Name), Name: ptr("a"), Size: ptr(int64(-1)), Live: ptr(false), At: ptr(t0), Owner: &tracking.ID{}}
			hi := widget{ID: id("hi " + column.Name), Name: ptr("b"), Size: ptr(int64(1)), Live: ptr(true), At: ptr(after(1e9)), Owner: &tracking.ID{1}}
			tag := column.Name
			none := widget{ID: id("none " + column.Name), Tags: []string{tag}}
			lo.Tags, hi.Tags = none.Tags, none.Tags
			e.put(e.a, lo, none, hi)
			f := where(cond("tag", tracking.Has, tag))
			f.Sort = []tracking.Order{{Name: column.Name}}
			e.lists(e.a, f, "lo "+tag, "hi "+tag, "none "+tag)
			f.Sort[0].Desc = true
			e.lists(e.a, f, "hi "+tag, "lo "+tag, "none "+tag)
		}
	}},
	{"NoValueComesLastWithoutFilter", func(e *env) {
		x, y := named("x"), named("y")
		e.put(e.a, widget{ID: id("n1")}, x, widget{ID: id("n2")}, y, widget{ID: id("n3")})
		e.lists(e.a, sorted(tracking.Order{Name: "name"}), "x", "y", "n1", "n2", "n3")
		e.lists(e.a, sorted(tracking.Order{Name: "name", Desc: true}), "y", "x", "n3", "n2", "n1")
	}},
	{"TiesByCreationInTheDirectionOfTheLastOrder", func(e *env) {
		for _, s := range []string{"1", "2", "3", "4"} {
			w := named(s)
			w.Live, w.Size = ptr(s > "2"), ptr(int64(7))
			e.put(e.a, w)
		}
		o := func(name string, desc bool) tracking.Order { return tracking.Order{Name: name, Desc: desc} }
		e.lists(e.a, sorted(o("size", false)), "1", "2", "3", "4")
		e.lists(e.a, sorted(o("size", true)), "4", "3", "2", "1")
		e.lists(e.a, sorted(o("live", false)), "1", "2", "3", "4")
		e.lists(e.a, sorted(o("live", true)), "4", "3", "2", "1")
		e.lists(e.a, sorted(o("live", true), o("size", false)), "3", "4", "1", "2")
		e.lists(e.a, sorted(o("live", false), o("size", true)), "2", "1", "4", "3")
		e.lists(e.a, sorted(o("live", true), o("name", false)), "3", "4", "1", "2")
	}},
	{"TheEmptyNameIsTheOrderOfCreation", func(e *env) {
		for _, s := range []string{"1", "2", "3"} {
			w := named(s)
			w.Live = ptr(s == "2")
			e.put(e.a, w)
		}
		e.lists(e.a, sorted(tracking.Order{}), "1", "2", "3")
		e.lists(e.a, sorted(tracking.Order{Desc: true}), "3", "2", "1")
		e.lists(e.a, sorted(tracking.Order{Name: "live", Desc: true}, tracking.Order{}), "2", "1", "3")
		e.lists(e.a, sorted(tracking.Order{Name: "live"}, tracking.Order{Desc: true}), "3", "1", "2")
		e.lists(e.a, sorted(tracking.Order{}, tracking.Order{Name: "name", Desc: true}), "1", "2", "3")
	}},
	{"ManyValues", func(e *env) {
		names, tags := []any{}, []any{}
		for range 700 {
			names = append(names, "no such name \x00")
			tags = append(tags, "no such tag \x00")
		}
		e.texts("x", "y\x00")
		e.lists(e.a, where(cond("name", tracking.Is, append(names, "y\x00")...)), "y\x00")
		e.lists(e.a, where(cond("tag", tracking.Has, append(tags, "y\x00")...)), "y\x00")
		e.lists(e.a, where(cond("name", tracking.Is, names...)))
	}},
	{"UnknownColumnsAreRefused", func(e *env) {
		e.put(e.a, named("x"))
		f := sorted(tracking.Order{Name: "nonsense"})
		err := e.store.View(e.ctx, e.a, func(tx tracking.RecordTx) error {
			_, _, err := tx.List(e.ctx, e.kind, f, tracking.Page{}, nil)
			return err
		})
		if err == nil {
			e.Error("a list can be sorted by a column that is not there")
		}
	}},
}
