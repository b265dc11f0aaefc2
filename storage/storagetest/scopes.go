package storagetest

import (
	"github.com/landfallhq/tracking/store"
)

// scopeTests check that no account, nor the system scope, can reach records of
// another.
var scopeTests = []test{
	{"OtherAccountsSeeNothing", func(e *env) { e.accountsAreSeparate(e.a, e.b) }},
	{"TheSystemScopeSeesNoAccount", func(e *env) { e.accountsAreSeparate(e.a, store.AccountID{}) }},
	{"NoAccountSeesTheSystemScope", func(e *env) { e.accountsAreSeparate(store.AccountID{}, e.a) }},
	{"OneIDInTwoAccounts", func(e *env) {
		for _, a := range []store.AccountID{e.a, e.b, {}} {
			w := widgetNamed("x")
			w.Secret = a.String()
			e.put(a, w)
		}
		w := widgetNamed("x")
		w.Secret = "changed"
		e.put(e.a, w)
		for a, secret := range map[store.AccountID]string{e.a: "changed", e.b: e.b.String(), {}: (store.AccountID{}).String()} {
			if got := decode(e.get(a, e.kind, w.ID)).Secret; got != secret {
				e.Errorf("%v has %q", a, got)
			}
		}
		e.update(e.a, func(tx store.RecordTx) { e.noError(tx.Delete(e.ctx, e.kind, w.ID)) })
		e.wantGone(e.a, e.kind, w.ID)
		e.get(e.b, e.kind, w.ID)
	}},
	{"OneJobIDInTwoAccounts", func(e *env) {
		e.enqueue(e.a, job("j", "g", 0))
		e.enqueue(e.b, job("j", "g", 0))
		jobs := e.claim(claims(t0))
		e.sameJobs(jobs, "j", "j")
		if jobs[0].Account != e.a || jobs[1].Account != e.b {
			e.Fatalf("accounts %v and %v", jobs[0].Account, jobs[1].Account)
		}
		// The token is not valid for the other account.
		e.wantError(e.store.Update(e.ctx, e.b, func(tx store.RecordTx) error { return tx.Finish(e.ctx, jobs[0]) }), store.ErrLeaseLost)
		e.wantError(e.store.Update(e.ctx, e.b, func(tx store.RecordTx) error { return tx.Extend(e.ctx, jobs[0], after(hour)) }), store.ErrLeaseLost)
		e.wantError(e.store.Update(e.ctx, e.b, func(tx store.RecordTx) error { return tx.Postpone(e.ctx, jobs[0], after(hour)) }), store.ErrLeaseLost)
		e.update(e.a, func(tx store.RecordTx) { e.noError(tx.Finish(e.ctx, jobs[0])) })
		e.update(e.b, func(tx store.RecordTx) { e.noError(tx.Finish(e.ctx, jobs[1])) })
	}},
	{"DeleteAccount", (*env).deletesAccount},
	{"TheScopeDecidesNotTheJob", func(e *env) {
		j := job("j", "g", 0)
		j.Account = e.b
		e.enqueue(e.a, j)
		if got := e.claim(claims(t0))[0].Account; got != e.a {
			e.Fatalf("account %v", got)
		}
	}},
}

// accountsAreSeparate fills the scope `full` and reads from the scope `other`:
// first while that has no records, then with some of its own, created before and
// after.
func (e *env) accountsAreSeparate(full, other store.AccountID) {
	e.Helper()
	own, theirs := widgetNamed("own"), widgetNamed("theirs")
	for _, w := range []*widget{&own, &theirs} {
		w.Name, w.Size, w.Live, w.At, w.Owner = ptr("n"), ptr(int64(1)), ptr(true), ptr(t0), ptr(id("o"))
		w.Tags, w.Refs = []string{"t"}, []store.ID{id("r")}
	}
	filters := []store.Filter{
		{},
		where(cond("name", store.Is, "n")), where(cond("name", store.Is, "n", nil)), where(cond("name", store.From, "n")), where(cond("name", store.To, "n")),
		where(cond("size", store.Is, int64(1))), where(cond("live", store.Is, true)),
		where(cond("at", store.From, t0)), where(cond("owner", store.Is, id("o"))),
		where(cond("tag", store.Has, "t")), where(cond("tag", store.HasPrefix, "")),
		where(cond("tag", store.Has, "t"), cond("name", store.Is, "n")),
	}
	look := func(names ...string) {
		e.Helper()
		e.wantGone(other, e.kind, theirs.ID)
		var links, refs []store.Link
		for _, name := range names {
			links = append(links, store.Link{Of: id("o"), ID: id(name)})
			refs = append(refs, store.Link{Of: id("r"), ID: id(name)})
		}
		e.wantLinks(other, "owner", []store.ID{id("o")}, links...)
		e.wantLinks(other, "ref", []store.ID{id("r")}, refs...)
		e.view(other, func(tx store.RecordTx) {
			got, err := tx.GetMany(e.ctx, e.kind, []store.ID{theirs.ID, own.ID}, nil)
			e.noError(err)
			e.sameIDs(idsOf(got), names...)
		})
		for _, f := range filters {
			for _, f.Sort = range [][]store.Order{nil, {{}}, {{Name: "name"}}, {{Name: "at", Desc: true}}} {
				e.wantList(other, f, names...)
				for _, number := range []int{1, 2, 3} {
					if _, total := e.list(other, f, store.Page{Number: number, Size: 1}); total != len(names) {
						e.Fatalf("%s: total %d, want %d", describe(f, store.Page{}), total, len(names))
					}
				}
			}
		}
		e.wantError(e.store.Update(e.ctx, other, func(tx store.RecordTx) error { return tx.Delete(e.ctx, e.kind, theirs.ID) }), store.ErrNotFound)
	}
	e.put(full, theirs)
	look()
	e.put(other, own)
	look("own")
	more := theirs
	more.ID = id("more")
	e.put(full, more)
	look("own")
	e.wantList(full, store.Filter{}, "more", "theirs")
}

// deletesAccount checks store.AccountDeleter, for stores that are one: everything of the
// account goes in batches, what is kept and other accounts stay.
func (e *env) deletesAccount() {
	deleter, ok := e.store.(store.AccountDeleter)
	if !ok {
		e.Skip("the store deletes no accounts")
	}
	kept := &store.Kind{Name: "kept", Revision: "1"}
	e.prepare(e.kind, kept)
	for _, a := range []store.AccountID{e.a, e.b, {}} {
		e.put(a, widgetNamed("x"), widgetNamed("y"), widgetNamed("z"))
		e.enqueue(a, job("j", "g", 0), job("k", "h", 0))
		e.update(a, func(tx store.RecordTx) {
			_, err := tx.Put(e.ctx, kept, store.Write{ID: id("kept"), Doc: []byte(`{}`)})
			e.noError(err)
			e.noError(tx.Mark(e.ctx, e.kind, id("x"), store.Mark{Name: "m", Values: []string{"v"}, Counted: true}))
			e.noError(tx.Delete(e.ctx, e.kind, id("z")))
		})
	}
	for i, want := range []int{3, 1, 0, 0} {
		if n, err := deleter.DeleteAccount(e.ctx, e.a, 3, kept); n != want || err != nil {
			e.Fatalf("call %d deletes %d, %v", i, n, err)
		}
	}
	marks := marked("m", store.Marked, "v")
	e.wantList(e.a, where())
	e.wantList(e.a, marks)
	e.get(e.a, kept, id("kept"))
	for _, a := range []store.AccountID{e.b, {}} {
		e.wantList(a, where(), "y", "x")
		e.wantList(a, marks, "x")
		e.get(a, kept, id("kept"))
	}
	if jobs := e.claim(claims(t0)); len(jobs) != 4 {
		e.Errorf("%d jobs are left", len(jobs))
	}
	e.put(e.a, widgetNamed("z"), widgetNamed("x"))
	e.wantList(e.a, where(), "x", "z")
	e.wantList(e.a, marks)
	if n, err := deleter.DeleteAccount(e.ctx, store.AccountID(id("unknown")), 3); n != 0 || err != nil {
		e.Errorf("an unknown account: %d, %v", n, err)
	}
}
