package tracking_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/landfallhq/tracking/store"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// remembering is a store that hands out each version of a record with one memo,
// as a store does that keeps records in memory.
type remembering struct {
	tracking.Store
	memos sync.Map
}

func (s *remembering) View(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	return s.Store.View(ctx, a, func(tx store.RecordTx) error { return fn(remembered{tx, s}) })
}

type remembered struct {
	store.RecordTx
	s *remembering
}

func (t remembered) memo(k *store.Kind, rows []store.Record) {
	for i, r := range rows {
		memo, _ := t.s.memos.LoadOrStore(fmt.Sprint(k.Name, r.ID, r.Version), new(store.DecodeCache))
		rows[i].Decoded = memo.(*store.DecodeCache)
	}
}

func (t remembered) Get(ctx context.Context, k *store.Kind, id tracking.ID) (store.Record, error) {
	r, err := t.RecordTx.Get(ctx, k, id)
	rows := []store.Record{r}
	t.memo(k, rows)
	return rows[0], err
}

func (t remembered) GetMany(ctx context.Context, k *store.Kind, ids []tracking.ID, to []store.Record) ([]store.Record, error) {
	rows, err := t.RecordTx.GetMany(ctx, k, ids, to)
	t.memo(k, rows[len(to):])
	return rows, err
}

func (t remembered) List(ctx context.Context, k *store.Kind, f store.Filter, p tracking.Page, to []store.Record) ([]store.Record, int, error) {
	rows, n, err := t.RecordTx.List(ctx, k, f, p, to)
	t.memo(k, rows[len(to):])
	return rows, n, err
}

// shown is a selection as text, without what nobody sees.
func shown(s tracking.Selection) (text []string) {
	for i, list := range [][]*tracking.Resource{s.Rows, s.Included} {
		for _, r := range list {
			text = append(text, fmt.Sprint(i, r.Type, r.ID, r.Version, string(r.Doc)))
		}
	}
	return append(text, fmt.Sprint(s.Total))
}

// What is remembered of records changes nothing that is shown: neither the first
// time nor later, for one reader or many, nor after the records have changed.
func TestMemosShowTheSame(t *testing.T) {
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = &remembering{Store: c.Store} })
	plain, err := tracking.New(tracking.Config{Store: b.Store.(*remembering).Store, Clock: b.Clock, Account: b.Account.Scope()})
	if err != nil {
		t.Fatal(err)
	}
	ingest(t, b, api(voyage("B1")...))
	ingest(t, b, api(voyage("B2")...))
	all := tracking.Page{}
	compare := func() {
		t.Helper()
		for _, c := range []struct {
			q       tracking.Query
			include string
		}{
			{tracking.ShipmentQuery{}, "containers port_of_lading port_of_discharge pod_terminal containers.transport_events containers.shipment.port_of_lading"},
			{tracking.ShipmentQuery{}, "containers.raw_events.location containers.transport_events.vessel"},
			{tracking.ContainerQuery{}, ""},
			{tracking.ContainerQuery{}, "shipment transport_events raw_events"},
			{tracking.ContainerQuery{}, "transport_events.location transport_events.container.shipment"},
			{tracking.TransportEventQuery{}, "location vessel container.shipment source_event"},
		} {
			want, err := plain.Rendered().List(ctx, c.q, all, strings.Fields(c.include))
			if err != nil {
				t.Fatal(err)
			}
			var readers sync.WaitGroup
			for range 8 {
				readers.Go(func() {
					got, err := b.Rendered().List(ctx, c.q, all, strings.Fields(c.include))
					if diff := cmp.Diff(shown(want), shown(got)); err != nil || diff != "" {
						t.Errorf("%T with %s: %v\n%s", c.q, c.include, err, diff)
					}
				})
			}
			readers.Wait()
		}
	}
	compare()
	compare()
	facts := voyage("B1")
	facts[0].ID, facts[0].Containers, facts[0].Place.LOCODE = "new", []string{"MRKU9465770"}, "CNNGB"
	ingest(t, b, api(facts[:1]...))
	compare()
	compare()
}

// What is included comes path by path in the order of their names, and each
// record once, by whichever way it was reached.
func TestIncludedOnce(t *testing.T) {
	b := trackingtest.New(t)
	ingest(t, b, api(voyage("B1")...))
	ingest(t, b, tracking.Report{Source: "another", SCAC: "MAEU", Facts: voyage("B2")}) // of the same IDs, and no versions
	s, err := b.Rendered().List(ctx, tracking.ShipmentQuery{}, tracking.Page{}, []string{"port_of_lading", "containers.shipment.port_of_lading", "containers"})
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	seen := map[tracking.ID]bool{}
	for _, r := range append(s.Included, s.Rows...) {
		if seen[r.ID] {
			t.Errorf("%s %s is there twice", r.Type, r.ID)
		}
		seen[r.ID] = true
		types = append(types, r.Type)
	}
	if got, want := strings.Join(types, " "), "container container port shipment shipment"; got != want {
		t.Errorf("included and rows are %s, want %s", got, want)
	}
}
