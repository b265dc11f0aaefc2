package table_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/store"
)

type crate struct {
	table.Identity
	Port      string    `attr:"port,null"`
	Owner     store.ID  `rel:"owner,party"`
	Sealed    bool      `attr:"sealed"`
	ArrivedAt time.Time `attr:"arrived_at,null"`
	UpdatedAt time.Time `attr:"updated_at,null"`
	Tags      []string  `private:"tags"`
}

var errNoCrate = errors.New("no such crate")

func crateTags(c *crate) []string { return c.Tags }

var crates = table.New(table.Definition[crate]{
	Name: "crate",
	Columns: []table.Column[crate]{
		table.TextColumn("port", func(c *crate) string { return c.Port }),
		table.IDColumn("owner", func(c *crate) store.ID { return c.Owner }),
		table.BoolColumn("sealed", func(c *crate) bool { return c.Sealed }),
		table.TimeColumn("arrived_at", func(c *crate) time.Time { return c.ArrivedAt }),
	},
	Terms:        func(c *crate) []store.Term { return table.Terms("tag", c.Tags) },
	Upgrade:      func(c *crate) { c.Port = strings.ToUpper(c.Port) },
	Identity:     func(c *crate) *table.Identity { return &c.Identity },
	SetUpdatedAt: func(c *crate, at time.Time) { c.UpdatedAt = at },
	NotFound: func(err error) error {
		if errors.Is(err, store.ErrNotFound) {
			return errNoCrate
		}
		return err
	},
}).Counted("port")

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// update runs fn in a transaction of a new store.
func update(t *testing.T, fn func(*table.Tx) error) {
	t.Helper()
	db := memory.New()
	t.Cleanup(func() { db.Close() })
	ctx := context.Background()
	if err := db.Prepare(ctx, []*store.Kind{crates.Kind}); err != nil {
		t.Fatal(err)
	}
	err := db.Update(ctx, store.AccountID(uuid.New()), func(records store.RecordTx) error {
		return fn(&table.Tx{Context: ctx, Records: records, Now: noon})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPut: a changed record gets the time of the transaction and the next version,
// and an unchanged one neither.
func TestPut(t *testing.T) {
	update(t, func(tx *table.Tx) error {
		c := &crate{Port: "USLAX"}
		if err := crates.Put(tx, c); err != nil {
			return err
		}
		if c.ID == (store.ID{}) || c.Version != 1 || !c.UpdatedAt.Equal(noon) || !tx.Wrote {
			t.Errorf("new: %+v, wrote %v", c, tx.Wrote)
		}
		tx.Now, tx.Wrote = noon.Add(time.Hour), false
		if err := crates.Put(tx, c); err != nil {
			return err
		}
		if c.Version != 1 || !c.UpdatedAt.Equal(noon) || tx.Wrote {
			t.Errorf("unchanged: %+v, wrote %v", c, tx.Wrote)
		}
		c.Tags = []string{"reefer"}
		if err := crates.Put(tx, c); err != nil {
			return err
		}
		stored, err := crates.Get(tx, c.ID)
		if err != nil {
			return err
		}
		if stored.Version != 2 || !stored.UpdatedAt.Equal(tx.Now) || !tx.Wrote {
			t.Errorf("changed: %+v, wrote %v", stored, tx.Wrote)
		}
		return nil
	})
}

// TestNotFound: Get and Delete return the error of the definition, GetMany leaves out
// what does not exist.
func TestNotFound(t *testing.T) {
	update(t, func(tx *table.Tx) error {
		c := &crate{}
		if err := crates.Put(tx, c); err != nil {
			return err
		}
		none := uuid.New()
		if list, err := crates.GetMany(tx, []store.ID{none, c.ID}); err != nil || len(list) != 1 || list[0].ID != c.ID {
			t.Errorf("GetMany: %v, %v", list, err)
		}
		if _, err := crates.Get(tx, none); err != errNoCrate {
			t.Errorf("Get: %v", err)
		}
		if err := crates.Delete(tx, none); err != errNoCrate {
			t.Errorf("Delete: %v", err)
		}
		return crates.Delete(tx, c.ID)
	})
}

// TestWhere: the conditions for an index and those on the value select the same.
func TestWhere(t *testing.T) {
	owner, other := uuid.New(), uuid.New()
	all := []*crate{
		{Port: "USLAX", Owner: owner, Sealed: true, ArrivedAt: noon, Tags: []string{"reefer", "rush"}},
		{Port: "NLRTM", Owner: other, ArrivedAt: noon.Add(time.Minute), Tags: []string{"rushed"}},
		{Port: "", Sealed: true},
	}
	tests := []struct {
		name  string
		where func(*table.Where[crate])
		want  string // indexes into all
	}{
		{"everything", func(*table.Where[crate]) {}, "0 1 2"},
		{"text", func(w *table.Where[crate]) {
			w.Text("port", []string{"USLAX", "CNSHA"}, func(c *crate) string { return c.Port })
		}, "0"},
		{"no texts", func(w *table.Where[crate]) { w.Text("port", nil, func(c *crate) string { return c.Port }) }, "0 1 2"},
		{"ids", func(w *table.Where[crate]) {
			w.IDs("owner", []store.ID{other}, func(c *crate) store.ID { return c.Owner })
		}, "1"},
		{"true", func(w *table.Where[crate]) { w.Bool("sealed", true, func(c *crate) bool { return c.Sealed }) }, "0 2"},
		{"false", func(w *table.Where[crate]) { w.Bool("sealed", false, func(c *crate) bool { return c.Sealed }) }, "1"},
		{"to", func(w *table.Where[crate]) {
			w.Times("arrived_at", time.Time{}, noon, func(c *crate) time.Time { return c.ArrivedAt })
		}, "0"},
		{"from", func(w *table.Where[crate]) {
			w.Times("arrived_at", noon.Add(time.Second), time.Time{}, func(c *crate) time.Time { return c.ArrivedAt })
		}, "1"},
		{"term", func(w *table.Where[crate]) { w.Has("tag", []string{"rush"}, crateTags) }, "0"},
		{"prefix", func(w *table.Where[crate]) { w.HasPrefix("tag", "rush", crateTags) }, "0 1"},
		{"empty prefix", func(w *table.Where[crate]) { w.HasPrefix("tag", "", crateTags) }, ""},
		{"mapped", func(w *table.Where[crate]) {
			var ports table.Where[string]
			ports.Text("port", []string{"NLRTM"}, func(s *string) string { return *s })
			*w = table.Mapped(ports, func(c *crate) string { return c.Port })
		}, "1"},
	}
	update(t, func(tx *table.Tx) error {
		for _, c := range all {
			if err := crates.Put(tx, c); err != nil {
				return err
			}
		}
		for _, tt := range tests {
			var w table.Where[crate]
			tt.where(&w)
			listed, err := crates.All(tx, w)
			if err != nil {
				return err
			}
			f := w.Filter(crates)
			var byIndex, byValue []string
			for i, c := range all {
				if slices.ContainsFunc(listed, func(l *crate) bool { return l.ID == c.ID }) {
					byIndex = append(byIndex, fmt.Sprint(i))
				}
				r, err := tx.Records.Get(tx, crates.Kind, c.ID)
				if err != nil {
					return err
				}
				if f.Match == nil || f.Match(r) {
					byValue = append(byValue, fmt.Sprint(i))
				}
			}
			if got := strings.Join(byIndex, " "); got != tt.want {
				t.Errorf("%s: listed %q, want %q", tt.name, got, tt.want)
			}
			if got := strings.Join(byValue, " "); got != tt.want {
				t.Errorf("%s: matched %q, want %q", tt.name, got, tt.want)
			}
		}
		return nil
	})
}

// TestWrite: a value without a property has no value in its column.
func TestWrite(t *testing.T) {
	w := crates.Write(&crate{Tags: []string{"a", "", "a"}})
	if fmt.Sprint(w.Cols) != "[<nil> <nil> false <nil>]" || fmt.Sprint(w.Terms) != "[{tag a}]" {
		t.Errorf("columns %v, terms %v", w.Cols, w.Terms)
	}
	if !crates.Kind.Columns[0].Counted || crates.Kind.Columns[1].Counted {
		t.Errorf("columns %+v, want the first counted", crates.Kind.Columns)
	}
}

// TestRender: a record of an older revision is upgraded.
func TestRender(t *testing.T) {
	old := crates.Write(&crate{Port: "uslax"})
	w, err := crates.Kind.Render(store.Record{ID: old.ID, Doc: old.Doc, Private: old.Private})
	if err != nil || w.Cols[0] != "USLAX" || !strings.Contains(string(w.Doc), `"port":"USLAX"`) {
		t.Errorf("rendered %s, columns %v, error %v", w.Doc, w.Cols, err)
	}
}

// TestNamedID: the ID of a key never changes, because clients store it.
func TestNamedID(t *testing.T) {
	if got := table.NamedID("crate", "7").String(); got != uuid.NewSHA1(uuid.NewSHA1(uuid.MustParse("6f1c2a52-6a0e-5b0b-9a43-3d7d8e0c5f10"), []byte("crate")), []byte("7")).String() {
		t.Errorf("got %s", got)
	}
}

// TestTimedID: IDs begin with their time, in its order, and differ by type, key and time.
//
// Seen to fail: with the bytes of the time in the other order.
func TestTimedID(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 999, time.UTC)
	id := table.TimedID("crate", "7", at)
	if id.Version() != 8 || id.Variant() != uuid.RFC4122 || id != table.TimedID("crate", "7", at.Truncate(time.Millisecond)) {
		t.Errorf("%s of version %d and variant %s", id, id.Version(), id.Variant())
	}
	if v7 := binary.BigEndian.Uint64(append([]byte{0, 0}, id[:6]...)); int64(v7) != at.UnixMilli() {
		t.Errorf("%s begins with %d, want %d", id, v7, at.UnixMilli())
	}
	for _, other := range []store.ID{table.TimedID("crate", "8", at), table.TimedID("box", "7", at)} {
		if other == id || !slices.Equal(other[:6], id[:6]) {
			t.Errorf("%s next to %s", other, id)
		}
	}
	if later := table.TimedID("crate", "7", at.Add(time.Millisecond)); slices.Compare(later[:], id[:]) <= 0 {
		t.Errorf("%s is not after %s", later, id)
	}
}

// TestUnknownMembers: what another version of the program has stored survives a change of
// the record, and makes no change by itself.
func TestUnknownMembers(t *testing.T) {
	update(t, func(tx *table.Tx) error {
		c := &crate{Port: "CNSHA", Tags: []string{"reefer"}}
		if err := crates.Put(tx, c); err != nil {
			return err
		}
		w := crates.Write(c)
		w.Doc = bytes.Replace(w.Doc, []byte(`"sealed":`), []byte(`"berth":"B7","sealed":`), 1)
		w.Private = bytes.Replace(w.Private, []byte("{"), []byte(`{"note":[1],`), 1)
		if _, err := tx.Records.Put(tx, crates.Kind, w); err != nil {
			return err
		}
		c, err := crates.Get(tx, c.ID)
		if err != nil {
			return err
		}
		tx.Now, tx.Wrote = noon.Add(time.Hour), false
		if err := crates.Put(tx, c); err != nil || tx.Wrote {
			t.Errorf("unchanged: wrote %v, %v", tx.Wrote, err)
		}
		c.Port, c.Tags = "NLRTM", []string{"dry"}
		if err := crates.Put(tx, c); err != nil {
			return err
		}
		r, err := tx.Records.Get(tx, crates.Kind, c.ID)
		if err != nil {
			return err
		}
		if !bytes.Contains(r.Doc, []byte(`"port":"NLRTM","berth":"B7","sealed":`)) || string(r.Private) != `{"note":[1],"tags":["dry"]}` {
			t.Errorf("stored as %s %s", r.Doc, r.Private)
		}
		return nil
	})
}

// TestBinaryForm: records in the binary form are as others, but for their bytes; documents of
// before are read and rewritten.
func TestBinaryForm(t *testing.T) {
	boxes := table.New(table.Definition[crate]{
		Name: "crate", Identity: func(c *crate) *table.Identity { return &c.Identity },
		SetUpdatedAt: func(c *crate, at time.Time) { c.UpdatedAt = at }, NotFound: func(err error) error { return err },
	}).InBinaryForm()
	asDocument := func(r store.Record) string {
		r, err := boxes.AsDocument(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(r.Doc) + string(r.Private)
	}
	c := &crate{Port: "USLAX", Sealed: true, Tags: []string{"reefer"}}
	db := memory.New()
	t.Cleanup(func() { db.Close() })
	ctx := context.Background()
	if err := db.Prepare(ctx, []*store.Kind{boxes.Kind}); err != nil {
		t.Fatal(err)
	}
	err := db.Update(ctx, store.AccountID(uuid.New()), func(records store.RecordTx) error {
		var changed []string
		tx := &table.Tx{Context: ctx, Records: records, Now: noon, Changed: func(_ *store.Kind, _ store.ID, before, after []byte) {
			changed = append(changed, string(before)+" "+string(after))
		}}
		for range 2 { // the second changes nothing
			if err := boxes.Put(tx, c); err != nil {
				return err
			}
		}
		tx.Now = noon.Add(time.Hour)
		if err := boxes.Put(tx, c); err != nil {
			return err
		}
		r, err := records.Get(ctx, boxes.Kind, c.ID)
		if err != nil {
			return err
		}
		doc, private := boxes.Codec.Encode(c)
		if r.Version != 1 || !c.UpdatedAt.Equal(noon) || r.Doc[0] == '{' || asDocument(r) != string(doc)+string(private) {
			t.Errorf("stored as version %d, %q", r.Version, r.Doc)
		}
		if want := " " + string(doc); len(changed) != 1 || changed[0] != want {
			t.Errorf("changed %q, want %q", changed, want)
		}
		w, err := boxes.Kind.Render(store.Record{ID: c.ID, Doc: doc, Private: private})
		if err != nil || !bytes.Equal(w.Doc, r.Doc) || w.Private != nil {
			t.Errorf("rendered again as %q and %q, %v", w.Doc, w.Private, err)
		}
		if old := asDocument(store.Record{ID: c.ID, Doc: doc, Private: private}); old != string(doc)+string(private) {
			t.Errorf("a document of before is shown as %s", old)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
