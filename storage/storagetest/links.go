package storagetest

import (
	"slices"

	"github.com/landfallhq/tracking/store"
)

// wantLinks fails the test unless Links returns exactly these.
func (e *env) wantLinks(a store.AccountID, name string, values []store.ID, want ...store.Link) {
	e.Helper()
	e.view(a, func(tx store.RecordTx) {
		got, err := tx.Links(e.ctx, e.kind, name, values)
		e.noError(err)
		if !slices.Equal(got, want) {
			e.Fatalf("links %s: %v, want %v", name, got, want)
		}
	})
}

var linkTests = []test{
	{"OfAColumn", func(e *env) {
		for _, s := range []string{"1", "2", "3"} {
			w := widgetNamed(s)
			w.Owner = ptr(id("even"))
			if s != "2" {
				w.Owner = ptr(id("odd"))
			}
			e.put(e.a, w)
		}
		e.put(e.a, widgetNamed("none"))
		odd1, even2, odd3 := store.Link{Of: id("odd"), ID: id("1")}, store.Link{Of: id("even"), ID: id("2")}, store.Link{Of: id("odd"), ID: id("3")}
		e.wantLinks(e.a, "owner", []store.ID{id("odd")}, odd1, odd3)
		e.wantLinks(e.a, "owner", []store.ID{id("even"), id("odd")}, odd1, even2, odd3)
		e.wantLinks(e.a, "owner", []store.ID{id("odd"), id("nobody"), id("odd")}, odd1, odd3)
		e.wantLinks(e.a, "owner", []store.ID{id("nobody")})
		e.wantLinks(e.a, "owner", nil)
	}},
	{"OfTerms", func(e *env) {
		w1, w2, w3 := widgetNamed("1"), widgetNamed("2"), widgetNamed("3")
		w1.Refs = []store.ID{id("r")}
		w2.Refs = []store.ID{id("q"), id("r")}
		w3.Refs = []store.ID{id("q"), id("q")}
		w3.Tags = []string{id("r").String()}
		e.put(e.a, w1, w2, w3)
		e.wantLinks(e.a, "ref", []store.ID{id("r")}, store.Link{Of: id("r"), ID: id("1")}, store.Link{Of: id("r"), ID: id("2")})
		e.wantLinks(e.a, "ref", []store.ID{id("q")}, store.Link{Of: id("q"), ID: id("2")}, store.Link{Of: id("q"), ID: id("3")})
		e.wantLinks(e.a, "tag", []store.ID{id("r")}, store.Link{Of: id("r"), ID: id("3")})
		e.wantLinks(e.a, "nonsense", []store.ID{id("r")})
		e.view(e.a, func(tx store.RecordTx) {
			// A record with two of the values has two links, in either order.
			got, err := tx.Links(e.ctx, e.kind, "ref", []store.ID{id("r"), id("q")})
			e.noError(err)
			ids := make([]store.ID, len(got))
			for i, link := range got {
				ids[i] = link.ID
			}
			e.sameIDs(ids, "1", "2", "2", "3")
		})
	}},
	{"OfAColumnAndATermOfOneName", func(e *env) {
		write := widgetNamed("w").write()
		write.Cols[4] = id("o")
		write.Terms = []store.Term{{Name: "owner", Value: id("o").String()}, {Name: "owner", Value: id("p").String()}}
		e.update(e.a, func(tx store.RecordTx) {
			_, err := tx.Put(e.ctx, e.kind, write)
			e.noError(err)
		})
		e.wantLinks(e.a, "owner", []store.ID{id("o")}, store.Link{Of: id("o"), ID: id("w")})
		e.wantLinks(e.a, "owner", []store.ID{id("p")}, store.Link{Of: id("p"), ID: id("w")})
	}},
	{"FollowChanges", func(e *env) {
		w := widgetNamed("w")
		w.Owner, w.Refs = ptr(id("o")), []store.ID{id("r")}
		e.put(e.a, w)
		w.Owner, w.Refs = ptr(id("p")), []store.ID{id("s")}
		e.put(e.a, w)
		e.wantLinks(e.a, "owner", []store.ID{id("o")})
		e.wantLinks(e.a, "ref", []store.ID{id("r")})
		e.wantLinks(e.a, "owner", []store.ID{id("p")}, store.Link{Of: id("p"), ID: id("w")})
		e.wantLinks(e.a, "ref", []store.ID{id("s")}, store.Link{Of: id("s"), ID: id("w")})
		e.update(e.a, func(tx store.RecordTx) { e.noError(tx.Delete(e.ctx, e.kind, w.ID)) })
		e.wantLinks(e.a, "owner", []store.ID{id("p")})
		e.wantLinks(e.a, "ref", []store.ID{id("s")})
	}},
	{"OfManyValues", func(e *env) {
		w := widgetNamed("w")
		w.Owner, w.Refs = ptr(id("o")), []store.ID{id("r")}
		e.put(e.a, w)
		var values []store.ID
		for range 700 {
			values = append(values, randomID(e.rand))
		}
		e.wantLinks(e.a, "owner", append(values, id("o")), store.Link{Of: id("o"), ID: id("w")})
		e.wantLinks(e.a, "ref", append(values, id("r")), store.Link{Of: id("r"), ID: id("w")})
	}},
}
