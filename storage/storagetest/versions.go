package storagetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/landfallhq/tracking/store"
)

// gadget returns the kind of TwoVersions: in its later revision it has all columns of
// widgets, in its earlier one only live.
func gadget(later bool) *store.Kind {
	k := widgetKind()
	k.Name = "gadget"
	if !later {
		k.Revision, k.Columns = "0", []store.Column{widgetColumns[2]}
		k.Render = func(r store.Record) (store.Write, error) { return onlyLive(decode(r).write()), nil }
	}
	return k
}

func onlyLive(w store.Write) store.Write {
	w.Cols = w.Cols[2:3]
	return w
}

// versions are two programs on one database. The one with the older kind writes records
// without most columns.
type versions struct {
	*env        // the newer program
	older  *env // the older one
	models map[store.AccountID]model
	newer  map[store.ID]bool // records, of any account, that the newer program has written
}

// TwoVersions tests a store on which programs of two versions run at one time. Both stores
// are of one new, empty database. The older program goes on writing records of a kind to
// which the newer one has added columns. Lists, links, counts and lookups by these columns
// agree with the records at any time, and the records with what was written; so do they
// after the records of the older program were written again, which raises no version.
func TwoVersions(t *testing.T, older, newer store.Store) {
	r := &run{seed: seed(t), queries: 300}
	ids := &env{T: t, run: r, rand: rand.New(rand.NewPCG(r.seed, 0)), ctx: context.Background(), store: newer, kind: gadget(true), a: store.AccountID(id("account a")), b: store.AccountID(id("account b"))}
	before := *ids
	before.store, before.kind = older, gadget(false)
	v := &versions{env: ids, older: &before, models: map[store.AccountID]model{}, newer: map[store.ID]bool{}}
	v.older.prepare(v.older.kind)
	accounts := []store.AccountID{{}, v.a, v.b}
	for range 20 {
		v.write(v.older, pick(v.rand, accounts))
	}
	v.prepare(v.kind)
	for made := 0; made < r.queries; made++ {
		a := pick(v.rand, accounts)
		v.check(a)
		switch v.rand.IntN(12) {
		case 0, 1, 2:
			v.write(v.older, a)
		case 3, 4:
			v.write(v.env, a)
		case 5:
			v.renew(a)
		}
	}
	for _, a := range accounts {
		for v.renew(a) > 0 {
		}
		for range 20 {
			v.check(a)
		}
	}
}

// write changes records of an account with one of the programs, those of the newer program
// only with that one.
func (v *versions) write(by *env, a store.AccountID) {
	v.Helper()
	var widgets []widget
	for range 1 + v.rand.IntN(6) {
		w := v.randomWidget()
		if by == v.env || !v.newer[w.ID] {
			widgets = append(widgets, w)
		}
	}
	remove := v.rand.IntN(4) == 0
	var now model
	by.update(a, func(tx store.RecordTx) {
		now = slices.Clone(v.models[a])
		for _, w := range widgets {
			i, write := now.index(w.ID), w.write()
			if remove && i >= 0 {
				v.noError(tx.Delete(v.ctx, by.kind, w.ID))
				now = slices.Delete(now, i, i+1)
				continue
			}
			r := store.Record{ID: write.ID, Doc: write.Doc, Private: write.Private}
			if by == v.older {
				write = onlyLive(write)
			}
			var err error
			r.Version, err = tx.Put(v.ctx, by.kind, write)
			v.noError(err)
			by.mark(tx, w)
			if i < 0 {
				now = append(now, r)
			} else {
				now[i] = r
			}
		}
	})
	v.models[a] = now
	for _, w := range widgets {
		v.newer[w.ID] = v.newer[w.ID] || by == v.env
	}
}

// check compares queries of the newer program with the model.
func (v *versions) check(a store.AccountID) {
	v.Helper()
	v.randomList(a, v.models[a])
	v.randomLinks(a, v.models[a])
	v.randomCounts(a, v.models[a])
	owner := pick(v.rand, someIDs)
	var want []store.ID
	for _, r := range slices.Backward(v.models[a]) {
		if w := decode(r); w.Owner != nil && *w.Owner == owner {
			want = append(want, r.ID)
		}
	}
	v.view(a, func(tx store.RecordTx) {
		got, err := tx.Find(v.ctx, v.kind, cond("owner", store.Is, owner), 1000)
		v.noError(err)
		if !slices.Equal(got, want) {
			v.Fatalf("records of owner %s: %v, want %v", owner, got, want)
		}
	})
	f := where(cond(pick(v.rand, []string{"name", "size", "live", "at"}), store.Is, nil)) // whose totals are kept
	_, wantTotal := v.models[a].list(f, store.Page{})
	if _, total := v.list(a, f, store.Page{Number: 1, Size: 1}); total != wantTotal {
		v.Fatalf("%s: a total of %d, want %d", describe(f, store.Page{}), total, wantTotal)
	}
	// In an update, which reads complete rows, and whose writes are part of the lists.
	err := v.store.Update(v.ctx, a, func(tx store.RecordTx) error {
		f := v.randomFilter()
		got, _, err := tx.List(v.ctx, v.kind, f, store.Page{}, nil)
		v.noError(err)
		want, _ := v.models[a].list(f, store.Page{})
		if !slices.EqualFunc(got, want, sameRecord) {
			v.Fatalf("in an update %s: %v, want %v", describe(f, store.Page{}), idsOf(got), idsOf(want))
		}
		return errStop
	})
	if !errors.Is(err, errStop) {
		v.Fatal(err)
	}
}

// renew writes some records of the older program again, as the engine does, and returns how
// many.
func (v *versions) renew(a store.AccountID) (n int) {
	v.Helper()
	v.update(a, func(tx store.RecordTx) {
		rows, _, err := tx.List(v.ctx, v.kind, store.Filter{Outdated: true}, store.Page{Number: 1, Size: 3}, nil)
		v.noError(err)
		n = len(rows)
		for _, r := range rows {
			w, err := v.kind.Render(r)
			v.noError(err)
			version, err := tx.Put(v.ctx, v.kind, w)
			v.noError(err)
			if version != r.Version {
				v.Errorf("%s was renewed from version %d to %d", r.ID, r.Version, version)
			}
			v.newer[r.ID] = true
		}
	})
	return n
}
