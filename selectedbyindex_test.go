package tracking_test

import (
	"context"
	"slices"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/source/dcsa/simulator"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

// indexChecking is a store that fails the test when an update lists records by nothing that
// has an index: all records of the kind would be read while other writes wait.
type indexChecking struct {
	tracking.Store
	t     testing.TB
	lists int
}

func (s *indexChecking) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	return s.Store.Update(ctx, a, func(tx store.RecordTx) error { return fn(indexCheckingTx{tx, s}) })
}

type indexCheckingTx struct {
	store.RecordTx
	s *indexChecking
}

func (tx indexCheckingTx) List(ctx context.Context, k *store.Kind, f store.Filter, p tracking.Page, to []store.Record) ([]store.Record, int, error) {
	tx.s.lists++
	if len(f.Where) > 0 && !slices.ContainsFunc(f.Where, func(c store.Cond) bool { return k.CheckIndexed(c.Name) == nil }) {
		tx.s.t.Errorf("an update lists %s by %v, which have no index", k.Name, f.Where)
	}
	return tx.RecordTx.List(ctx, k, f, p, to)
}

// TestUpdatesSelectByIndex: no update of a voyage, from its booking to its end, selects records
// by columns without an index alone.
//
// Seen to fail: with the revisions of an arrival selected without their shipment.
func TestUpdatesSelectByIndex(t *testing.T) {
	checking := &indexChecking{t: t}
	b := trackingtest.New(t, func(c *tracking.Config) { checking.Store, c.Store = c.Store, checking })
	for _, v := range simulator.Voyages() {
		r := reportOf(t, v)
		facts := r.Facts
		for i := range facts {
			r.Facts = facts[i : i+1]
			ingest(t, b, r)
		}
	}
	if checking.lists == 0 {
		t.Error("no update has listed anything")
	}
}
