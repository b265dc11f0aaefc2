package tracking_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
)

// spy is a store that shows which kinds it was prepared for.
type spy struct {
	tracking.Store
	kinds map[string]*tracking.Kind
}

func (s *spy) Prepare(ctx context.Context, kinds []*tracking.Kind) error {
	s.kinds = map[string]*tracking.Kind{}
	for _, k := range kinds {
		s.kinds[k.Name] = k
	}
	return s.Store.Prepare(ctx, kinds)
}

func (s *spy) rows(t *testing.T, a tracking.AccountID, kind string, f tracking.Filter) []tracking.Record {
	t.Helper()
	var rows []tracking.Record
	err := s.View(ctx, a, func(tx tracking.RecordTx) (err error) {
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
	old.Revision = "older"
	row := s.rows(t, b.Account.Scope(), "shipment", tracking.Filter{})[0]
	lacking := bytes.Replace(row.Doc, []byte(`"customer_name":null,`), nil, 1)
	if len(lacking) == len(row.Doc) {
		t.Fatal("the attribute to leave out is not there")
	}
	err := s.Update(ctx, b.Account.Scope(), func(tx tracking.RecordTx) error {
		_, err := tx.Put(ctx, &old, tracking.Write{ID: id, Doc: lacking, Private: row.Private, Cols: make([]any, len(old.Columns))})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	one, err := b.SelectOne(ctx, "shipment", id, nil)
	if err != nil || !bytes.Contains(one.Rows[0].Doc, []byte(`"customer_name":null`)) {
		t.Errorf("read lazily: %s, %v", one.Rows[0].Doc, err)
	}
	outdated := tracking.Filter{Outdated: true}
	if n := len(s.rows(t, b.Account.Scope(), "shipment", outdated)); n != 1 {
		t.Fatalf("%d outdated records before the rewriting", n)
	}
	b.Settle()
	if n := len(s.rows(t, b.Account.Scope(), "shipment", outdated)); n != 0 {
		t.Errorf("%d outdated records after it", n)
	}
	if _, total, _ := b.Shipments(ctx, tracking.ShipmentQuery{Number: "B1"}, tracking.Page{Number: 1, Size: 1}); total != 1 {
		t.Errorf("found %d by its number: the terms were not written anew", total)
	}
}

func TestIdempotencyKeysAreSwept(t *testing.T) {
	b, s := spied(t)
	_, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme", Once: tracking.Once{Key: "k"}})
	if err != nil {
		t.Fatal(err)
	}
	left := func() int { return len(s.rows(t, b.Account.Scope(), "once", tracking.Filter{})) }
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
