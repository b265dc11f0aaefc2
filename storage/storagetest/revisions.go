package storagetest

import (
	"bytes"
	"errors"
	"slices"

	"github.com/landfallhq/tracking/store"
)

// renamed returns a later revision of the widget kind: its documents say
// "Widget" where they said "widget", and its private parts have a mark.
func renamed() *store.Kind {
	k := widgetKind()
	k.Revision = "2"
	k.Render = func(r store.Record) (store.Write, error) {
		w := decode(r).write()
		w.Doc = bytes.Replace(w.Doc, []byte(`"widget"`), []byte(`"Widget"`), 1)
		w.Private = []byte(`{"mark":true}`)
		return w, nil
	}
	return k
}

// withoutSize returns an earlier revision of the widget kind, which has no
// column for the size.
func withoutSize() *store.Kind {
	k := widgetKind()
	k.Revision = "0"
	k.Columns = slices.Delete(slices.Clone(widgetColumns), 1, 2)
	k.Render = func(r store.Record) (store.Write, error) { return dropSize(decode(r).write()), nil }
	return k
}

func dropSize(w store.Write) store.Write {
	w.Cols = slices.Delete(w.Cols, 1, 2)
	return w
}

func (e *env) putWithoutSize(k *store.Kind, a store.AccountID, w widget) {
	e.Helper()
	e.update(a, func(tx store.RecordTx) {
		_, err := tx.Put(e.ctx, k, dropSize(w.write()))
		e.no(err)
	})
}

// outdated returns the IDs of the outdated records.
func (e *env) outdated(a store.AccountID, k *store.Kind) (ids []store.ID) {
	e.Helper()
	e.view(a, func(tx store.RecordTx) {
		got, total, err := tx.List(e.ctx, k, store.Filter{Outdated: true}, store.Page{}, nil)
		e.no(err)
		if ids = idsOf(got); total != len(ids) {
			e.Fatalf("%d outdated records in all, %d in the list", total, len(ids))
		}
	})
	return ids
}

var revisionTests = []test{
	{"PreparingAgainIsHarmless", func(e *env) {
		e.put(e.a, named("x"))
		e.prepare(e.kind)
		e.prepare(widgetKind(), widgetKind())
		e.prepare()
		e.lists(e.a, where(cond("name", store.Is, "x")), "x")
		if r := e.get(e.a, e.kind, id("x")); r.Version != 1 {
			e.Fatalf("version %d", r.Version)
		}
	}},
	{"ReadersSeeTheCurrentForm", func(e *env) {
		e.put(e.a, named("x"), named("y"))
		k := renamed()
		e.prepare(k)
		check := func(r store.Record) {
			e.Helper()
			want, err := k.Render(r)
			e.no(err)
			if r.Version != 1 || !bytes.Equal(r.Doc, want.Doc) || !bytes.Equal(r.Private, want.Private) {
				e.Fatalf("version %d, document %s, private %s", r.Version, r.Doc, r.Private)
			}
		}
		check(e.get(e.a, k, id("x")))
		e.view(e.a, func(tx store.RecordTx) {
			records, err := tx.GetMany(e.ctx, k, []store.ID{id("y"), id("x")}, nil)
			e.no(err)
			for _, f := range []store.Filter{{}, where(cond("name", store.From, "")), {Outdated: true}} {
				var total int
				records, total, err = tx.List(e.ctx, k, f, store.Page{}, records)
				e.no(err)
				if total != 2 {
					e.Fatalf("total %d", total)
				}
			}
			if len(records) != 8 {
				e.Fatalf("%d records", len(records))
			}
			for _, r := range records {
				check(r)
			}
		})
	}},
	{"OutdatedAreThoseOfAnotherRevision", func(e *env) {
		e.put(e.a, named("x"), named("y"), named("z"))
		e.put(e.b, named("other"))
		e.sameIDs(e.outdated(e.a, e.kind))
		k := renamed()
		e.prepare(k)
		e.sameIDs(e.outdated(e.a, k), "z", "y", "x")
		e.sameIDs(e.outdated(e.b, k), "other")
		e.view(e.a, func(tx store.RecordTx) {
			got, total, err := tx.List(e.ctx, k, store.Filter{Outdated: true}, store.Page{Number: 2, Size: 1}, nil)
			e.no(err)
			e.sameIDs(idsOf(got), "y")
			if total != 3 {
				e.Fatalf("total %d", total)
			}
		})
	}},
	{"RewritingEndsIt", func(e *env) {
		// As the engine does it: list what is outdated, and put it as rendered.
		e.put(e.a, named("x"), named("y"))
		k := renamed()
		e.prepare(k)
		e.update(e.a, func(tx store.RecordTx) {
			records, _, err := tx.List(e.ctx, k, store.Filter{Outdated: true}, store.Page{Number: 1, Size: 1}, nil)
			e.no(err)
			e.sameIDs(idsOf(records), "y")
			w, err := k.Render(records[0])
			e.no(err)
			_, err = tx.Put(e.ctx, k, w)
			e.no(err)
		})
		e.sameIDs(e.outdated(e.a, k), "x")
		if r := e.get(e.a, k, id("y")); !bytes.Contains(r.Doc, []byte(`"Widget"`)) {
			e.Fatalf("document %s", r.Doc)
		}
	}},
	{"AnUnchangedPutNotesTheRevision", func(e *env) {
		e.put(e.a, named("x"))
		k := widgetKind()
		k.Revision = "2"
		e.prepare(k)
		e.sameIDs(e.outdated(e.a, k), "x")
		e.update(e.a, func(tx store.RecordTx) {
			v, err := tx.Put(e.ctx, k, named("x").write())
			e.no(err)
			if v != 1 {
				e.Fatalf("version %d, though nothing differs", v)
			}
		})
		e.sameIDs(e.outdated(e.a, k))
		if r := e.get(e.a, k, id("x")); r.Version != 1 {
			e.Fatalf("version %d", r.Version)
		}
	}},
	{"RenderErrorsAreErrors", func(e *env) {
		e.put(e.a, named("x"))
		k := renamed()
		k.Render = func(store.Record) (store.Write, error) { return store.Write{}, errStop }
		e.prepare(k)
		for _, read := range []func(store.RecordTx) error{
			func(tx store.RecordTx) error { _, err := tx.Get(e.ctx, k, id("x")); return err },
			func(tx store.RecordTx) error {
				_, err := tx.GetMany(e.ctx, k, []store.ID{id("x")}, nil)
				return err
			},
			func(tx store.RecordTx) error {
				_, _, err := tx.List(e.ctx, k, store.Filter{}, store.Page{}, nil)
				return err
			},
		} {
			e.is(e.store.View(e.ctx, e.a, read), errStop)
		}
	}},
	{"NewColumnsAreFilled", func(e *env) {
		before := withoutSize()
		before.Name = "gadget"
		e.prepare(before)
		const n = 1200 // some batches
		e.update(e.a, func(tx store.RecordTx) {
			for i := range n {
				w := named(string(rune('a' + i)))
				w.Size, w.Tags = ptr(int64(i%3)), []string{"t"}
				_, err := tx.Put(e.ctx, before, dropSize(w.write()))
				e.no(err)
			}
		})
		w := named("other")
		w.Size = ptr(int64(1))
		e.putWithoutSize(before, e.b, w)

		k := widgetKind()
		k.Name = "gadget"
		e.prepare(k)
		e.kind = k
		for i, want := range []int{n / 3, n / 3, n / 3, 0} {
			if _, total := e.list(e.a, where(cond("size", store.Is, int64(i))), store.Page{}); total != want {
				e.Errorf("size %d: %d records, want %d", i, total, want)
			}
		}
		e.lists(e.b, where(cond("size", store.Is, int64(1))), "other")
		if _, total := e.list(e.a, where(cond("tag", store.Has, "t")), store.Page{}); total != n {
			e.Errorf("%d records have their tag, want %d", total, n)
		}
		e.lists(e.b, where(cond("name", store.Is, "other")), "other")
		if r := e.get(e.b, k, id("other")); r.Version != 1 {
			e.Errorf("version %d", r.Version)
		}
		e.prepare(k)
	}},
	{"ReorderedAndLostColumns", func(e *env) {
		w := named("x")
		w.Size, w.Owner = ptr(int64(3)), ptr(id("o"))
		e.put(e.a, w)
		less := withoutSize()
		e.prepare(less)
		e.kind = less
		e.lists(e.a, where(cond("name", store.Is, "x")), "x")
		w.Size = ptr(int64(4))
		e.putWithoutSize(less, e.a, w)
		k := widgetKind()
		k.Revision = "3"
		k.Columns = slices.Clone(k.Columns)
		slices.Reverse(k.Columns)
		k.Render = func(r store.Record) (store.Write, error) {
			w := decode(r).write()
			slices.Reverse(w.Cols)
			return w, nil
		}
		e.prepare(k)
		e.kind = k
		// Not the size that the column held when it was last there.
		e.lists(e.a, where(cond("size", store.Is, int64(4))), "x")
		e.lists(e.a, where(cond("name", store.Is, "x")), "x")
		e.links(e.a, "owner", []store.ID{id("o")}, store.Link{Of: id("o"), ID: id("x")})
	}},
	{"FailedFillIsAnError", func(e *env) {
		before := withoutSize()
		before.Name = "gadget"
		e.prepare(before)
		e.putWithoutSize(before, e.a, named("x"))
		k := widgetKind()
		k.Name = "gadget"
		render := k.Render
		k.Render = func(store.Record) (store.Write, error) { return store.Write{}, errStop }
		if err := e.store.Prepare(e.ctx, []*store.Kind{k}); !errors.Is(err, errStop) {
			e.Fatalf("error %v", err)
		}
		// The next Prepare takes it up again.
		k.Render = render
		e.prepare(k)
		e.kind = k
		e.lists(e.a, where(cond("name", store.Is, "x")), "x")
	}},
}
