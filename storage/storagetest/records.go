package storagetest

import (
	"bytes"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

var recordTests = []test{
	{"GetUnknown", func(e *env) {
		e.wantGone(e.a, e.kind, id("x"))
	}},
	{"PutCreatesWithVersion1", func(e *env) {
		w := widgetNamed("x")
		w.Secret = "s"
		e.update(e.a, func(tx store.RecordTx) {
			if v := e.putIn(tx, w); v != 1 {
				e.Fatalf("version %d, want 1", v)
			}
		})
		r, want := e.get(e.a, e.kind, w.ID), w.write()
		if r.ID != w.ID || r.Version != 1 || !bytes.Equal(r.Doc, want.Doc) || !bytes.Equal(r.Private, want.Private) {
			e.Fatalf("record %+v, want %+v", r, want)
		}
	}},
	{"PutReplacesAndRaisesVersion", func(e *env) {
		w := widgetNamed("x")
		w.Secret, w.Tags = "s", []string{"old"}
		e.put(e.a, w)
		for i := int64(2); i < 5; i++ {
			w.Size = ptr(i)
			e.update(e.a, func(tx store.RecordTx) {
				if v := e.putIn(tx, w); v != i {
					e.Fatalf("version %d, want %d", v, i)
				}
			})
		}
		r := e.get(e.a, e.kind, w.ID)
		if want := w.write(); r.Version != 4 || !bytes.Equal(r.Doc, want.Doc) || !bytes.Equal(r.Private, want.Private) {
			e.Fatalf("record %+v, want %+v", r, want)
		}
		e.wantList(e.a, where(cond("size", store.Is, int64(2))))
		e.wantList(e.a, where(cond("size", store.Is, int64(4))), "x")
		e.wantList(e.a, where(cond("tag", store.Has, "old")), "x")
	}},
	{"PutUnchangedKeepsVersion", func(e *env) {
		full := widget{
			ID: id("full"), Name: ptr("n"), Size: ptr(int64(7)), Live: ptr(true), At: ptr(t0), Owner: ptr(id("o")),
			Tags: []string{"b", "a"}, Refs: []store.ID{id("r")}, Secret: "s",
		}
		for _, w := range []widget{full, {ID: id("bare")}} {
			e.put(e.a, w)
			e.update(e.a, func(tx store.RecordTx) {
				if v := e.putIn(tx, w); v != 1 {
					e.Fatalf("version %d after the same write, want 1", v)
				}
				// Terms are a set, and times the same instant in any zone.
				again := w.write()
				slices.Reverse(again.Terms)
				again.Terms = append(again.Terms, again.Terms...)
				if w.At != nil {
					again.Cols[3] = w.At.In(time.FixedZone("", 3600)).Add(999)
				}
				v, err := tx.Put(e.ctx, e.kind, again)
				e.noError(err)
				if v != 1 {
					e.Fatalf("version %d after a write that means the same, want 1", v)
				}
			})
		}
	}},
	{"TheHintOfANewRecordIsNoMore", func(e *env) {
		e.put(e.a, widgetNamed("x"))
		put := func(tx store.RecordTx, w widget, want int64) {
			write := w.write()
			write.New = true
			v, err := tx.Put(e.ctx, e.kind, write)
			e.noError(err)
			if v != want {
				e.Fatalf("version %d of %s, want %d", v, w.ID, want)
			}
		}
		e.update(e.a, func(tx store.RecordTx) {
			x, y := widgetNamed("x"), widgetNamed("y")
			put(tx, x, 1) // it exists and is equal
			x.Size = ptr(int64(1))
			put(tx, x, 2)
			put(tx, y, 1)
			y.Size = ptr(int64(1))
			put(tx, y, 2)
		})
		// The attempts have not taken a place in the order.
		ids, total := e.list(e.a, store.Filter{}, store.Page{Number: 1, Size: 1})
		e.sameIDs(ids, "y")
		if total != 2 {
			e.Fatalf("%d records, want 2", total)
		}
		e.wantList(e.a, where(cond("size", store.Is, int64(1))), "y", "x")
	}},
	{"EachPartCounts", func(e *env) {
		w := widgetNamed("x")
		e.put(e.a, w)
		changes := []func(*store.Write){
			func(w *store.Write) { w.Doc = append(w.Doc, ' ') },
			func(w *store.Write) { w.Private = []byte(`{}`) },
			func(w *store.Write) { w.Cols = []any{"other", nil, nil, nil, nil} },
			func(w *store.Write) { w.Cols = []any{"other", int64(0), false, t0, id("o")} },
			func(w *store.Write) { w.Cols = []any{"other", int64(0), true, t0, id("o")} },
			func(w *store.Write) { w.Cols = []any{nil, nil, nil, nil, nil} },
			func(w *store.Write) { w.Terms = []store.Term{{Name: "tag", Value: "t"}} },
			func(w *store.Write) { w.Terms = []store.Term{{Name: "tagt", Value: ""}} },
			func(w *store.Write) { w.Terms = nil },
			func(w *store.Write) { w.Private = nil },
		}
		write := w.write()
		for i, change := range changes {
			change(&write)
			e.update(e.a, func(tx store.RecordTx) {
				v, err := tx.Put(e.ctx, e.kind, write)
				e.noError(err)
				if want := int64(i + 2); v != want {
					e.Fatalf("version %d after change %d, want %d", v, i, want)
				}
			})
		}
	}},
	{"WrongColumnsAreRefused", func(e *env) {
		for _, cols := range [][]any{nil, {"n"}, {1, nil, nil, nil, nil}, {nil, "7", nil, nil, nil}, {nil, nil, nil, nil, "id"}} {
			w := widgetNamed("x").write()
			w.Cols = cols
			err := e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error {
				_, err := tx.Put(e.ctx, e.kind, w)
				return err
			})
			if err == nil {
				e.Errorf("columns %#v were accepted", cols)
			}
		}
		e.wantGone(e.a, e.kind, id("x"))
	}},
	{"KindsAreApart", func(e *env) {
		other := widgetKind()
		other.Name = "gadget"
		e.prepare(other)
		w := widgetNamed("x")
		w.Tags, w.Owner, w.Refs = []string{"t"}, ptr(id("o")), []store.ID{id("r")}
		e.put(e.a, w)
		e.wantGone(e.a, other, w.ID)
		e.view(e.a, func(tx store.RecordTx) {
			for _, f := range []store.Filter{{}, where(cond("tag", store.Has, "t")), where(cond("name", store.Is, "x"))} {
				if got, n, err := tx.List(e.ctx, other, f, store.Page{}, nil); err != nil || n != 0 || len(got) != 0 {
					e.Fatalf("list of another kind: %v, %d, %v", got, n, err)
				}
			}
			for _, name := range []string{"owner", "ref"} {
				if links, err := tx.Links(e.ctx, other, name, []store.ID{id("o"), id("r")}); err != nil || len(links) != 0 {
					e.Fatalf("links %s of another kind: %v, %v", name, links, err)
				}
			}
		})
	}},
	{"DeleteUnknown", func(e *env) {
		err := e.store.Update(e.ctx, e.a, func(tx store.RecordTx) error { return tx.Delete(e.ctx, e.kind, id("x")) })
		e.wantError(err, store.ErrNotFound)
	}},
	{"DeleteRemovesRecordAndTerms", func(e *env) {
		w := widgetNamed("x")
		w.Tags, w.Refs = []string{"t"}, []store.ID{id("r")}
		e.put(e.a, w)
		e.update(e.a, func(tx store.RecordTx) { e.noError(tx.Delete(e.ctx, e.kind, w.ID)) })
		e.wantGone(e.a, e.kind, w.ID)
		gone := func() {
			e.wantList(e.a, where(cond("tag", store.Has, "t")))
			e.wantList(e.a, where(cond("tag", store.HasPrefix, "")))
			e.wantLinks(e.a, "ref", []store.ID{id("r")})
		}
		gone()
		// A new record with the same ID starts at version 1 and has only its own
		// terms.
		w = widgetNamed("x")
		e.put(e.a, w)
		if r := e.get(e.a, e.kind, w.ID); r.Version != 1 {
			e.Fatalf("version %d of a record that was created again, want 1", r.Version)
		}
		gone()
	}},
	{"PutReplacesTerms", func(e *env) {
		w := widgetNamed("x")
		w.Tags = []string{"a", "b", "c"}
		e.put(e.a, w)
		w.Tags = []string{"b", "d"}
		e.put(e.a, w)
		for tag, there := range map[string]bool{"a": false, "b": true, "c": false, "d": true} {
			_, n := e.list(e.a, where(cond("tag", store.Has, tag)), store.Page{})
			if (n == 1) != there {
				e.Errorf("tag %s finds %d records", tag, n)
			}
		}
	}},
	{"GetMany", func(e *env) {
		e.put(e.a, widgetNamed("x"), widgetNamed("y"), widgetNamed("z"))
		e.view(e.a, func(tx store.RecordTx) {
			head := []store.Record{{ID: id("head")}}
			got, err := tx.GetMany(e.ctx, e.kind, []store.ID{id("z"), id("none"), id("x"), id("z"), id("y"), id("none")}, head)
			e.noError(err)
			e.sameIDs(idsOf(got), "head", "z", "x", "z", "y")
			for _, r := range got[1:] {
				if want := decode(r).write(); r.Version != 1 || !bytes.Equal(r.Doc, want.Doc) {
					e.Errorf("record %+v", r)
				}
			}
			got, err = tx.GetMany(e.ctx, e.kind, nil, nil)
			e.noError(err)
			if len(got) != 0 {
				e.Fatalf("no IDs gave %v", got)
			}
		})
	}},
	{"GetManyOfMany", func(e *env) {
		// More than fit into one statement.
		var ids []store.ID
		e.update(e.a, func(tx store.RecordTx) {
			ids = nil
			for range 700 {
				w := widget{ID: randomID(e.rand)}
				e.putIn(tx, w)
				ids = append(ids, w.ID)
			}
		})
		e.rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		e.view(e.a, func(tx store.RecordTx) {
			got, err := tx.GetMany(e.ctx, e.kind, ids, nil)
			e.noError(err)
			if !slices.Equal(idsOf(got), ids) {
				e.Fatalf("%d records in another order or number", len(got))
			}
		})
	}},
	{"DocumentsAreBytes", func(e *env) {
		write := widgetNamed("x").write()
		write.Doc = []byte("{\"a\":\"\x00\u2028ä\"}\n")
		doc := bytes.Clone(write.Doc)
		e.update(e.a, func(tx store.RecordTx) {
			_, err := tx.Put(e.ctx, e.kind, write)
			e.noError(err)
		})
		// The writer may reuse its slice afterwards.
		write.Doc[0] = '!'
		if r := e.get(e.a, e.kind, id("x")); !bytes.Equal(r.Doc, doc) || len(r.Private) != 0 {
			e.Fatalf("document %q private %q", r.Doc, r.Private)
		}
	}},
	{"LargeDocument", func(e *env) {
		write := widgetNamed("x").write()
		write.Doc = bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
		e.update(e.a, func(tx store.RecordTx) {
			_, err := tx.Put(e.ctx, e.kind, write)
			e.noError(err)
		})
		if r := e.get(e.a, e.kind, id("x")); !bytes.Equal(r.Doc, write.Doc) {
			e.Fatal("a document of 1 MiB came back changed")
		}
	}},
	{"UnpreparedKind", func(e *env) {
		other := widgetKind()
		other.Name = "unknown"
		err := e.store.View(e.ctx, e.a, func(tx store.RecordTx) error {
			_, err := tx.Get(e.ctx, other, id("x"))
			return err
		})
		if err == nil {
			e.Fatal("a kind that was not prepared can be read")
		}
	}},
}
