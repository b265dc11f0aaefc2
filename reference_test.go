package tracking_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
)

// narrow is a store that serves one view at a time, as a pool of readers does
// when it is exhausted.
type narrow struct {
	tracking.Store
	slot chan struct{}
}

func (n *narrow) View(ctx context.Context, a tracking.AccountID, fn func(tracking.RecordTx) error) error {
	select {
	case n.slot <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-n.slot }()
	return n.Store.View(ctx, a, fn)
}

// TestImportedTerminalsNeverBlockReaders reads terminals by many while they are
// imported again and again: nobody may wait for a reader while holding what
// readers wait for.
func TestImportedTerminalsNeverBlockReaders(t *testing.T) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	b := trackingtest.New(t, func(c *tracking.Config) {
		c.Store = &narrow{Store: memory.New(), slot: make(chan struct{}, 1)}
	})
	facts := voyage("B1")
	facts[3].Place.SMDG = "WBCT"
	id := ingest(t, b, api(facts...)).ShipmentIDs[0]
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			for range 100 {
				s, err := b.SelectOne(ctx, "shipment", id, []string{"pod_terminal"})
				if err != nil || len(s.Included) != 1 {
					t.Errorf("%d included, %v", len(s.Included), err)
					return
				}
			}
		})
	}
	for range 100 {
		err := b.Operator.ImportTerminals(ctx, []tracking.ImportedTerminal{{LOCODE: "USLAX", SMDG: "WBCT", Name: "West Basin"}})
		if err != nil {
			t.Fatal(err)
		}
	}
	readers.Wait()
	s, err := b.Shipment(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if term, err := b.Terminal(ctx, s.PODTerminal); err != nil || term.Name != "West Basin" {
		t.Errorf("the operator's terminal is shown: %+v, %v", term, err)
	}
}
