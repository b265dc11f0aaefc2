package storagetest

import (
	"slices"

	"github.com/landfallhq/tracking/store"
)

// markNames are the names of marks: a widget has at most one grade, which is
// counted, at most one rank, which is not, and any number of labels.
var markNames = []string{"grade", "rank", "label"}

// mark sets the marks of a widget that has been put.
func (e *env) mark(tx store.RecordTx, w widget) {
	e.Helper()
	e.noError(e.markIn(tx, w))
}

// markIn sets the marks of a widget that has some.
func (e *env) markIn(tx store.RecordTx, w widget) error {
	if w.Marks == nil {
		return nil
	}
	for _, name := range markNames {
		if err := tx.Mark(e.ctx, e.kind, w.ID, store.Mark{Name: name, Values: w.Marks[name], Counted: name != "rank"}); err != nil {
			return err
		}
	}
	return nil
}

func (e *env) setMark(a store.AccountID, of, name string, values ...string) {
	e.Helper()
	e.update(a, func(tx store.RecordTx) {
		e.noError(tx.Mark(e.ctx, e.kind, id(of), store.Mark{Name: name, Values: values, Counted: true}))
	})
}

// marked returns a filter on marks alone.
func marked(name string, op store.Op, values ...any) store.Filter {
	return store.Filter{Where: []store.Cond{cond(name, op, values...)}}
}

var markTests = []test{
	{"NeitherWriteNorVersion", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		before := e.get(e.a, e.kind, id("x"))
		e.setMark(e.a, "x", "grade", "a")
		if r := e.get(e.a, e.kind, id("x")); !sameRecord(r, before) {
			e.Fatalf("%+v was changed to %+v", before, r)
		}
		e.wantList(e.a, marked("grade", store.Marked, "a"), "x")
	}},
	{"PutLeavesThem", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		e.setMark(e.a, "x", "grade", "a")
		w := widgetNamed("x")
		w.Size, w.Tags = ptr(int64(1)), []string{"t"}
		e.put(e.a, w)
		e.wantList(e.a, marked("grade", store.Marked, "a"), "x")
	}},
	{"ReplacesOneName", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		e.setMark(e.a, "x", "grade", "a", "b", "a")
		e.setMark(e.a, "x", "rank", "1")
		e.wantList(e.a, marked("grade", store.Marked, "b"), "x")
		e.setMark(e.a, "x", "grade", "b", "c")
		for value, names := range map[string][]string{"a": nil, "b": {"x"}, "c": {"x"}} {
			e.wantList(e.a, marked("grade", store.Marked, value), names...)
			e.wantTotal(e.a, marked("grade", store.Marked, value), len(names))
		}
		e.setMark(e.a, "x", "grade")
		e.wantList(e.a, marked("grade", store.MarkedBetween, nil, nil))
		e.wantList(e.a, marked("rank", store.Marked, "1"), "x")
	}},
	{"DeleteRemovesThem", func(e *env) {
		e.put(e.a, widgetNamed("x"), widgetNamed("y"))
		e.setMark(e.a, "x", "grade", "a")
		e.setMark(e.a, "y", "grade", "a")
		e.update(e.a, func(tx store.RecordTx) { e.noError(tx.Delete(e.ctx, e.kind, id("x"))) })
		e.put(e.a, widgetNamed("x"))
		e.wantList(e.a, marked("grade", store.Marked, "a"), "y")
		e.wantTotal(e.a, marked("grade", store.Marked, "a"), 1)
		e.wantTotal(e.a, marked("grade", store.Marked, nil), 1)
	}},
	{"OfARecordThatIsNotThere", func(e *env) {
		e.put(e.b, widgetNamed("x"))
		e.update(e.a, func(tx store.RecordTx) {
			e.wantError(tx.Mark(e.ctx, e.kind, id("x"), store.Mark{Name: "grade", Values: []string{"a"}}), store.ErrNotFound)
		})
		e.wantList(e.b, marked("grade", store.MarkedBetween, nil, nil))
	}},
	{"NotInAView", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		e.view(e.a, func(tx store.RecordTx) {
			e.wantError(tx.Mark(e.ctx, e.kind, id("x"), store.Mark{Name: "grade", Values: []string{"a"}}), store.ErrReadOnly)
		})
	}},
	{"OtherAccountsAndKinds", func(e *env) {
		other := widgetKind()
		other.Name = "gadget"
		e.prepare(other)
		e.put(e.a, widgetNamed("x"))
		e.put(e.b, widgetNamed("x"))
		e.setMark(e.a, "x", "grade", "a")
		e.update(e.a, func(tx store.RecordTx) {
			_, err := tx.Put(e.ctx, other, widgetNamed("x").write())
			e.noError(err)
			got, total, err := tx.List(e.ctx, other, marked("grade", store.Marked, "a"), store.Page{}, nil)
			e.noError(err)
			if len(got) != 0 || total != 0 {
				e.Fatalf("another kind has the mark: %v", got)
			}
		})
		e.wantList(e.b, marked("grade", store.Marked, "a"))
		e.wantList(e.b, marked("grade", store.Marked, nil), "x")
	}},
	{"BetweenIsHalfOpen", func(e *env) {
		for _, s := range unusualTexts {
			e.put(e.a, widgetNamed(s))
			e.setMark(e.a, s, "grade", s)
		}
		nasty := slices.Sorted(slices.Values(unusualTexts))
		for i, from := range nasty {
			upwards := marked("grade", store.MarkedBetween, from, nil)
			upwards.Sort = []store.Order{{Name: "grade", Mark: true}}
			e.wantList(e.a, upwards, nasty[i:]...)
			upwards.Where[0].Values = []any{nil, from}
			e.wantList(e.a, upwards, nasty[:i]...)
			upwards.Where[0].Values = []any{from, from + "\x00"} // the next possible text
			e.wantList(e.a, upwards, from)
		}
	}},
	{"SortedWithThoseWithoutLast", func(e *env) {
		e.put(e.a, widgetNamed("1"), widgetNamed("2"), widgetNamed("3"), widgetNamed("4"), widgetNamed("5"))
		e.setMark(e.a, "2", "grade", "b")
		e.setMark(e.a, "3", "grade", "a")
		e.setMark(e.a, "5", "grade", "b")
		for _, c := range []struct {
			sort []store.Order
			want []string
		}{
			{[]store.Order{{Name: "grade", Mark: true}}, []string{"3", "2", "5", "1", "4"}},
			{[]store.Order{{Name: "grade", Mark: true, Desc: true}}, []string{"5", "2", "3", "4", "1"}},
			{[]store.Order{{Name: "grade", Mark: true}, {Desc: true}}, []string{"3", "5", "2", "4", "1"}},
			{[]store.Order{{Name: "grade", Mark: true}, {Name: "name", Desc: true}}, []string{"3", "5", "2", "4", "1"}},
			{[]store.Order{{Name: "name"}, {Name: "grade", Mark: true}}, []string{"1", "2", "3", "4", "5"}},
		} {
			f := store.Filter{Sort: c.sort}
			e.wantList(e.a, f, c.want...)
			for size := 1; size <= 6; size++ {
				var ids []store.ID
				for number := 1; number <= 6; number++ {
					page, total := e.list(e.a, f, store.Page{Number: number, Size: size})
					if ids = append(ids, page...); total != 5 {
						e.Fatalf("total %d", total)
					}
				}
				e.sameIDs(ids, c.want...)
			}
		}
		// A record with several is sorted by the least.
		e.setMark(e.a, "1", "grade", "z", "a")
		e.wantList(e.a, store.Filter{Sort: []store.Order{{Name: "grade", Mark: true}}}, "1", "3", "2", "5", "4")
	}},
	{"TotalsMoveWithThem", func(e *env) {
		var names []string
		for i := range 8 {
			names = append(names, string(rune('a'+i)))
			e.put(e.a, widgetNamed(names[i]))
		}
		for round := range 20 {
			values := []string{"low", "high"}[:e.rand.IntN(3)]
			e.setMark(e.a, pick(e.rand, names), "grade", values...)
			for _, f := range []store.Filter{
				marked("grade", store.Marked, "low"), marked("grade", store.Marked, "low", "high"), marked("grade", store.Marked, nil),
				marked("grade", store.Marked, nil, "low"), marked("grade", store.MarkedBetween, nil, nil), marked("grade", store.MarkedBetween, "i", nil),
			} {
				ids, total := e.list(e.a, f, store.Page{})
				if total != len(ids) {
					e.Fatalf("round %d: %d of %d", round, len(ids), total)
				}
				e.wantTotal(e.a, f, total)
			}
		}
	}},
	{"RolledBack", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		e.setMark(e.a, "x", "grade", "a")
		err := e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
			e.noError(tx.Mark(e.ctx, e.kind, id("x"), store.Mark{Name: "grade", Values: []string{"b"}, Counted: true}))
			return errStop
		})
		e.wantError(err, errStop)
		e.wantTotal(e.a, marked("grade", store.Marked, "a"), 1)
		e.wantTotal(e.a, marked("grade", store.Marked, "b"), 0)
		if ids, _ := e.list(e.a, marked("grade", store.Marked, "a"), store.Page{}); !slices.Equal(ids, []store.ID{id("x")}) {
			e.Fatalf("%v", ids)
		}
	}},
}
