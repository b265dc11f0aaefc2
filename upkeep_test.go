package tracking_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
)

// spy is a store that shows which kinds it was prepared for.
type spy struct {
	tracking.Store
	kinds map[string]*store.Kind
}

func (s *spy) Prepare(ctx context.Context, kinds []*store.Kind) error {
	s.kinds = map[string]*store.Kind{}
	for _, k := range kinds {
		s.kinds[k.Name] = k
	}
	return s.Store.Prepare(ctx, kinds)
}

func (s *spy) rows(t *testing.T, a tracking.AccountID, kind string, f store.Filter) []store.Record {
	t.Helper()
	var rows []store.Record
	err := s.View(ctx, a, func(tx store.RecordTx) (err error) {
		rows, _, err = tx.List(ctx, s.kinds[kind], f, tracking.Page{}, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func spied(t *testing.T) (*trackingtest.Bench, *spy) {
	t.Helper()
	s := &spy{Store: memory.New()}
	return trackingtest.New(t, func(c *tracking.Config) { c.Store = s }), s
}

// TestOutdatedRecordsAreRewritten stores a shipment as an older program would
// have, without an attribute that the present one has.
func TestOutdatedRecordsAreRewritten(t *testing.T) {
	b, s := spied(t)
	id := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
	old := *s.kinds["shipment"]
	old.Revision = "0"
	row := s.rows(t, b.Account.Scope(), "shipment", store.Filter{})[0]
	lacking := bytes.Replace(row.Doc, []byte(`"customer_name":null,`), nil, 1)
	if len(lacking) == len(row.Doc) {
		t.Fatal("the attribute to leave out is not there")
	}
	err := s.Update(ctx, b.Account.Scope(), func(tx store.RecordTx) error {
		if err := tx.Delete(ctx, &old, id); err != nil {
			return err
		}
		_, err := tx.Put(ctx, &old, store.Write{ID: id, Doc: lacking, Private: row.Private, Cols: make([]any, len(old.Columns))})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Operator.OlderGeneration(ctx, b.Account.Scope()); err != nil {
		t.Fatal(err)
	}
	one, err := b.Rendered().Get(ctx, "shipment", id, nil)
	if err != nil || !bytes.Contains(one.Rows[0].Doc, []byte(`"customer_name":null`)) {
		t.Errorf("read lazily: %s, %v", one.Rows[0].Doc, err)
	}
	outdated := store.Filter{Outdated: true}
	if n := len(s.rows(t, b.Account.Scope(), "shipment", outdated)); n != 1 {
		t.Fatalf("%d outdated records before the rewriting", n)
	}
	b.Settle()
	if n := len(s.rows(t, b.Account.Scope(), "shipment", outdated)); n != 0 {
		t.Errorf("%d outdated records after it", n)
	}
	if _, total, _ := b.Shipments(ctx, tracking.ShipmentQuery{Number: "B1"}, tracking.Page{Number: 1, Size: 1}); total != 1 {
		t.Errorf("found %d by its number: the terms were not written again", total)
	}
}

// TestReferencesOfOldContainers stores a container as a program did that copied no reference
// numbers from its shipment.
func TestReferencesOfOldContainers(t *testing.T) {
	b, s := spied(t)
	id := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
	if _, err := b.UpdateShipment(ctx, id, tracking.ShipmentUpdate{RefNumbers: tracking.Set([]string{"PO-1"})}); err != nil {
		t.Fatal(err)
	}
	found := func(ref string) int {
		t.Helper()
		q := tracking.TrackedQuery{RefNumbers: []string{ref}}
		_, n, err := b.Containers(ctx, tracking.ContainerQuery{TrackedQuery: q}, tracking.Page{Number: 1, Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := found("po 1"); n != 1 {
		t.Fatalf("found %d by the reference of the shipment, want 1", n)
	}
	row := s.rows(t, b.Account.Scope(), "container", store.Filter{})[0]
	if _, err := b.UpdateContainer(ctx, row.ID, tracking.ContainerUpdate{RefNumbers: tracking.Set([]string{"BOX-1"})}); err != nil {
		t.Fatal(err)
	}
	if own, shipments := found("BOX-1"), found("PO-1"); own != 1 || shipments != 1 {
		t.Errorf("found %d by its own reference and %d by that of the shipment, want 1 and 1", own, shipments)
	}

	old := *s.kinds["container"]
	old.Revision = "g000001"
	row = s.rows(t, b.Account.Scope(), "container", store.Filter{})[0]
	copied := regexp.MustCompile(`"ship":"([^"]*)"`)
	private := copied.ReplaceAllFunc(row.Private, func(match []byte) []byte {
		form, err := base64.RawStdEncoding.DecodeString(string(copied.FindSubmatch(match)[1]))
		if err != nil {
			t.Fatal(err)
		}
		form, ok := bytes.CutSuffix(form, []byte("\x01\x04PO-1"))
		if !ok {
			t.Fatalf("the copy has no references: %q", form)
		}
		form[0] = 1
		return []byte(`"ship":"` + base64.RawStdEncoding.EncodeToString(form) + `"`)
	})
	if bytes.Equal(private, row.Private) {
		t.Fatalf("no copy in %s", row.Private)
	}
	err := s.Update(ctx, b.Account.Scope(), func(tx store.RecordTx) error {
		if err := tx.Delete(ctx, &old, row.ID); err != nil {
			return err
		}
		_, err := tx.Put(ctx, &old, store.Write{ID: row.ID, Doc: row.Doc, Private: private, Cols: make([]any, len(old.Columns))})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := found("PO-1"); n != 0 {
		t.Fatalf("found %d before the upkeep: it is not an old record", n)
	}
	if err := b.Operator.OlderGeneration(ctx, b.Account.Scope()); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if n := found("PO-1"); n != 1 {
		t.Errorf("found %d after the upkeep, want 1", n)
	}
}

// TestUpdatedAtOfOldRecords stores shipments and boxes as a program before
// updated_at did: without the attribute and without the column.
func TestUpdatedAtOfOldRecords(t *testing.T) {
	b, s := spied(t)
	first := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
	b.Clock.Advance(time.Hour)
	other := voyage("B2")
	for i := range other {
		other[i].ID, other[i].Containers = "other "+other[i].ID, []string{"TEST0000001"}
	}
	second := ingest(t, b, api(other...)).ShipmentIDs[0]
	between := tracking.TimeRange{From: trackingtest.Start.Add(time.Minute), To: b.Clock.Now()}
	b.Clock.Advance(time.Hour)
	if _, err := b.UpdateShipment(ctx, first, tracking.ShipmentUpdate{Tags: tracking.Set([]string{"red"})}); err != nil {
		t.Fatal(err)
	}
	before := changes(t, b)

	var former, present []*store.Kind
	for _, name := range []string{"shipment", "container"} {
		k := s.kinds[name]
		present, former = append(present, k), append(former, withoutUpdatedAt(t, k))
	}
	// A store renders all records of a kind whose columns are others.
	if err := s.Store.Prepare(ctx, former); err != nil {
		t.Fatal(err)
	}
	s.kinds = map[string]*store.Kind{"shipment": former[0], "container": former[1]}
	for name := range s.kinds {
		for _, row := range s.rows(t, b.Account.Scope(), name, store.Filter{}) {
			if bytes.Contains(row.Doc, []byte("updated_at")) {
				t.Fatalf("it is not an old record: %s", row.Doc)
			}
		}
	}
	if err := s.Store.Prepare(ctx, present); err != nil {
		t.Fatal(err)
	}

	look := func(q tracking.TrackedQuery) (ids []tracking.ID) {
		t.Helper()
		found, _, err := b.Shipments(ctx, tracking.ShipmentQuery{TrackedQuery: q}, tracking.Page{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range found {
			ids = append(ids, s.ID)
			if s.UpdatedAt.IsZero() || !s.UpdatedAt.Equal(s.CreatedAt) {
				t.Errorf("an old shipment of %v was updated at %v", s.CreatedAt, s.UpdatedAt)
			}
		}
		boxes, _, err := b.Containers(ctx, tracking.ContainerQuery{TrackedQuery: q}, tracking.Page{})
		if err != nil {
			t.Fatal(err)
		}
		var of []tracking.ID
		for _, c := range boxes {
			of = append(of, c.Shipment)
			if c.UpdatedAt.IsZero() || !c.UpdatedAt.Equal(c.CreatedAt) {
				t.Errorf("an old box of %v was updated at %v", c.CreatedAt, c.UpdatedAt)
			}
		}
		if !slices.Equal(ids, of) {
			t.Errorf("%+v finds shipments %v and boxes of %v", q, ids, of)
		}
		return ids
	}
	for _, row := range []struct {
		name string
		q    tracking.TrackedQuery
		want []tracking.ID
	}{
		{"upwards", tracking.TrackedQuery{Sort: []tracking.Order{{Name: "updated_at"}}}, []tracking.ID{first, second}},
		{"downwards", tracking.TrackedQuery{Sort: []tracking.Order{{Name: "updated_at", Desc: true}}}, []tracking.ID{second, first}},
		{"range", tracking.TrackedQuery{Updated: between}, []tracking.ID{second}},
	} {
		if got := look(row.q); !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}

	// Neither the rewriting nor a report without news changes an old record.
	b.Settle()
	ingest(t, b, api(other...))
	look(tracking.TrackedQuery{})
	for number, is := range changes(t, b) {
		if was, _, _ := strings.Cut(before[number], " at"); !strings.HasPrefix(is, was+" at") {
			t.Errorf("%s: %s before, %s after", number, before[number], is)
		}
	}
	s2, err := b.UpdateShipment(ctx, second, tracking.ShipmentUpdate{Tags: tracking.Set([]string{"red"})})
	if err != nil || !s2.UpdatedAt.Equal(b.Clock.Now()) {
		t.Errorf("a change of an old record: %v, %v", s2.UpdatedAt, err)
	}
}

// withoutUpdatedAt is the kind as it was before it had the attribute.
func withoutUpdatedAt(t *testing.T, k *store.Kind) *store.Kind {
	i := slices.IndexFunc(k.Columns, func(c store.Column) bool { return c.Name == "updated_at" })
	attribute := regexp.MustCompile(`"updated_at":"[^"]*",`)
	old := *k
	old.Columns = slices.Delete(slices.Clone(k.Columns), i, i+1)
	old.Render = func(r store.Record) (store.Write, error) {
		w, err := k.Render(r)
		w.Doc, w.Cols = attribute.ReplaceAll(w.Doc, nil), slices.Delete(w.Cols, i, i+1)
		return w, err
	}
	return &old
}

func TestIdempotencyKeysAreSwept(t *testing.T) {
	b, s := spied(t)
	_, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme"}, tracking.Once{Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	left := func() int { return len(s.rows(t, b.Account.Scope(), "once", store.Filter{})) }
	b.Pass(23 * time.Hour)
	if left() != 1 {
		t.Error("the key was swept before its day was over")
	}
	b.Clock.Advance(2 * time.Hour)
	b.Settle()
	if left() != 0 {
		t.Error("the key was not swept after its day")
	}
}
