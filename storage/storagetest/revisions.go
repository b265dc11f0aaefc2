package storagetest

import (
	"bytes"
	"errors"
	"slices"

	"github.com/landfallhq/tracking/store"
)

// renamedKind returns a later revision of the widget kind: its documents say
// "Widget" instead of "widget", and its private parts have a mark.
func renamedKind() *store.Kind {
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

// kindWithoutSize returns an earlier revision of the widget kind, without a column
// for the size.
func kindWithoutSize() *store.Kind {
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
		e.noError(err)
	})
}

// outdated returns the IDs of the outdated records.
func (e *env) outdated(a store.AccountID, k *store.Kind) (ids []store.ID) {
	e.Helper()
	e.view(a, func(tx store.RecordTx) {
		got, total, err := tx.List(e.ctx, k, store.Filter{Outdated: true}, store.Page{}, nil)
		e.noError(err)
		if ids = idsOf(got); total != len(ids) {
			e.Fatalf("%d outdated records in all, %d in the list", total, len(ids))
		}
	})
	return ids
}

var revisionTests = []test{
	{"PreparingAgainIsHarmless", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		e.prepare(e.kind)
		e.prepare(widgetKind(), widgetKind())
		e.prepare()
		e.wantList(e.a, where(cond("name", store.Is, "x")), "x")
		if r := e.get(e.a, e.kind, id("x")); r.Version != 1 {
			e.Fatalf("version %d", r.Version)
		}
	}},
	{"ReadersSeeTheCurrentForm", func(e *env) {
		e.put(e.a, widgetNamed("x"), widgetNamed("y"))
		k := renamedKind()
		e.prepare(k)
		check := func(r store.Record) {
			e.Helper()
			want, err := k.Render(r)
			e.noError(err)
			if r.Version != 1 || !bytes.Equal(r.Doc, want.Doc) || !bytes.Equal(r.Private, want.Private) {
				e.Fatalf("version %d, document %s, private %s", r.Version, r.Doc, r.Private)
			}
		}
		check(e.get(e.a, k, id("x")))
		e.view(e.a, func(tx store.RecordTx) {
			records, err := tx.GetMany(e.ctx, k, []store.ID{id("y"), id("x")}, nil)
			e.noError(err)
			for _, f := range []store.Filter{{}, where(cond("name", store.From, "")), {Outdated: true}} {
				var total int
				records, total, err = tx.List(e.ctx, k, f, store.Page{}, records)
				e.noError(err)
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
		e.put(e.a, widgetNamed("x"), widgetNamed("y"), widgetNamed("z"))
		e.put(e.b, widgetNamed("other"))
		e.sameIDs(e.outdated(e.a, e.kind))
		k := renamedKind()
		e.prepare(k)
		e.sameIDs(e.outdated(e.a, k), "z", "y", "x")
		e.sameIDs(e.outdated(e.b, k), "other")
		e.view(e.a, func(tx store.RecordTx) {
			got, total, err := tx.List(e.ctx, k, store.Filter{Outdated: true}, store.Page{Number: 2, Size: 1}, nil)
			e.noError(err)
			e.sameIDs(idsOf(got), "y")
			if total != 3 {
				e.Fatalf("total %d", total)
			}
		})
	}},
	{"RewritingEndsIt", func(e *env) {
		// As the engine does: list outdated records, and put them as rendered.
		e.put(e.a, widgetNamed("x"), widgetNamed("y"))
		k := renamedKind()
		e.prepare(k)
		e.update(e.a, func(tx store.RecordTx) {
			records, _, err := tx.List(e.ctx, k, store.Filter{Outdated: true}, store.Page{Number: 1, Size: 1}, nil)
			e.noError(err)
			e.sameIDs(idsOf(records), "y")
			w, err := k.Render(records[0])
			e.noError(err)
			_, err = tx.Put(e.ctx, k, w)
			e.noError(err)
		})
		e.sameIDs(e.outdated(e.a, k), "x")
		if r := e.get(e.a, k, id("y")); !bytes.Contains(r.Doc, []byte(`"Widget"`)) {
			e.Fatalf("document %s", r.Doc)
		}
	}},
	{"AnUnchangedPutNotesTheRevision", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		k := widgetKind()
		k.Revision = "2"
		e.prepare(k)
		e.sameIDs(e.outdated(e.a, k), "x")
		e.update(e.a, func(tx store.RecordTx) {
			v, err := tx.Put(e.ctx, k, widgetNamed("x").write())
			e.noError(err)
			if v != 1 {
				e.Fatalf("version %d, although nothing differs", v)
			}
		})
		e.sameIDs(e.outdated(e.a, k))
		if r := e.get(e.a, k, id("x")); r.Version != 1 {
			e.Fatalf("version %d", r.Version)
		}
	}},
	{"NewerRecordsAreHandedOn", func(e *env) {
		later := renamedKind()
		e.prepare(later)
		newer, err := later.Render(store.Record{Doc: widgetNamed("x").write().Doc})
		e.noError(err)
		newer.ID = id("x")
		e.update(e.a, func(tx store.RecordTx) {
			_, err := tx.Put(e.ctx, later, newer)
			e.noError(err)
		})
		e.put(e.a, widgetNamed("y"))
		check := func(r store.Record) {
			e.Helper()
			if !r.Newer || r.Version != 1 || !bytes.Equal(r.Doc, newer.Doc) || !bytes.Equal(r.Private, newer.Private) {
				e.Fatalf("newer %v, version %d, document %s, private %s", r.Newer, r.Version, r.Doc, r.Private)
			}
		}
		e.update(e.a, func(tx store.RecordTx) {
			r, err := tx.Get(e.ctx, e.kind, id("x"))
			e.noError(err)
			check(r)
			// An unchanged record is no write.
			version, err := tx.Put(e.ctx, e.kind, newer)
			e.noError(err)
			if version != 1 {
				e.Fatalf("version %d", version)
			}
		})
		for _, hint := range []bool{false, true} {
			refused := new(store.NewerError)
			err = e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
				w := widgetNamed("x").write()
				w.New = hint
				_, err := tx.Put(e.ctx, e.kind, w)
				return err
			})
			if !errors.As(err, &refused) || *refused != (store.NewerError{Kind: e.kind.Name, ID: id("x"), Stored: later.Revision, Known: e.kind.Revision}) {
				e.Fatalf("error %v", err)
			}
		}
		check(e.get(e.a, e.kind, id("x")))
		e.view(e.a, func(tx store.RecordTx) {
			records, err := tx.GetMany(e.ctx, e.kind, []store.ID{id("x")}, nil)
			e.noError(err)
			check(records[0])
			records, _, err = tx.List(e.ctx, e.kind, store.Filter{}, store.Page{}, nil)
			e.noError(err)
			check(records[1])
			if records[0].Newer {
				e.Fatalf("y is newer")
			}
		})
		e.sameIDs(e.outdated(e.a, e.kind))
		e.sameIDs(e.outdated(e.a, later), "y")
		e.update(e.a, func(tx store.RecordTx) { e.noError(tx.Delete(e.ctx, e.kind, id("x"))) })
	}},
	{"RenderErrorsAreErrors", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		k := renamedKind()
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
			e.wantError(e.store.View(e.ctx, e.a, read), errStop)
		}
	}},
	{"NewColumnsAreFilled", func(e *env) {
		before := kindWithoutSize()
		before.Name = "gadget"
		e.prepare(before)
		const n = 1200 // several batches
		e.update(e.a, func(tx store.RecordTx) {
			for i := range n {
				w := widgetNamed(string(rune('a' + i)))
				w.Size, w.Tags = ptr(int64(i%3)), []string{"t"}
				_, err := tx.Put(e.ctx, before, dropSize(w.write()))
				e.noError(err)
			}
		})
		w := widgetNamed("other")
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
		e.wantList(e.b, where(cond("size", store.Is, int64(1))), "other")
		if _, total := e.list(e.a, where(cond("tag", store.Has, "t")), store.Page{}); total != n {
			e.Errorf("%d records have their tag, want %d", total, n)
		}
		e.wantList(e.b, where(cond("name", store.Is, "other")), "other")
		if r := e.get(e.b, k, id("other")); r.Version != 1 {
			e.Errorf("version %d", r.Version)
		}
		e.prepare(k)
	}},
	{"ReorderedAndLostColumns", func(e *env) {
		w := widgetNamed("x")
		w.Size, w.Owner = ptr(int64(3)), ptr(id("o"))
		e.put(e.a, w)
		less := kindWithoutSize()
		less.Revision = "2"
		e.prepare(less)
		e.kind = less
		e.wantList(e.a, where(cond("name", store.Is, "x")), "x")
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
		// Not the size that the column had when it last existed.
		e.wantList(e.a, where(cond("size", store.Is, int64(4))), "x")
		e.wantList(e.a, where(cond("name", store.Is, "x")), "x")
		e.wantLinks(e.a, "owner", []store.ID{id("o")}, store.Link{Of: id("o"), ID: id("x")})
	}},
	{"FailedFillIsAnError", func(e *env) {
		before := kindWithoutSize()
		before.Name = "gadget"
		e.prepare(before)
		e.putWithoutSize(before, e.a, widgetNamed("x"))
		k := widgetKind()
		k.Name = "gadget"
		render := k.Render
		k.Render = func(store.Record) (store.Write, error) { return store.Write{}, errStop }
		err := e.store.Prepare(e.ctx, []*store.Kind{k})
		if err == nil { // a store may fill them later, and compute them until then
			err = e.store.View(e.ctx, e.a, func(tx store.RecordTx) error {
				_, _, err := tx.List(e.ctx, k, where(cond("size", store.Is, int64(1))), store.Page{}, nil)
				return err
			})
		}
		e.wantError(err, errStop)
		// The next Prepare fills the columns.
		k.Render = render
		e.prepare(k)
		e.kind = k
		e.wantList(e.a, where(cond("name", store.Is, "x")), "x")
	}},
}
