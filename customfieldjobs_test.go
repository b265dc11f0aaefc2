package tracking_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
)

// watched is a slow store that notes the most that one call hands out, and once it
// has handed out a job has something else done before each snapshot.
type watched struct {
	slow
	before  func()
	working bool
	most    int
}

func (s *watched) Claim(ctx context.Context, r store.ClaimRequest) ([]store.Job, error) {
	jobs, err := s.Store.Claim(ctx, r)
	s.working = s.working || len(jobs) > 0
	return jobs, err
}

func (s *watched) View(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	if before := s.before; before != nil && s.working {
		s.before = nil // it looks itself
		before()
		s.before = before
	}
	return s.Store.View(ctx, a, func(r store.RecordTx) error { return fn(watchedTx{r, &s.most}) })
}

type watchedTx struct {
	store.RecordTx
	most *int
}

func (t watchedTx) List(ctx context.Context, k *store.Kind, f store.Filter, p tracking.Page, to []store.Record) ([]store.Record, int, error) {
	rows, total, err := t.RecordTx.List(ctx, k, f, p, to)
	*t.most = max(*t.most, len(rows))
	return rows, total, err
}

func (t watchedTx) Links(ctx context.Context, k *store.Kind, name string, values []tracking.ID) ([]store.Link, error) {
	links, err := t.RecordTx.Links(ctx, k, name, values)
	*t.most = max(*t.most, len(links))
	return links, err
}

// Rendering very many values again takes longer than a lease. One server does all of it,
// reads a bounded number of values at a time, and skips none while others are deleted.
func TestRerenderingOfManyValues(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector has nothing to see: one goroutine works")
	}
	const page, containers = 500, 520
	store := &watched{slow: slow{Store: memory.New(), kind: "rerender_fields"}}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	store.clock = b.Clock
	d := define(t, b, tracking.ContainerEntity, "grade", tracking.EnumField)
	option := choices(t, b, d, "low")[0]
	facts := voyage("MAEU77001")[:1]
	facts[0].Containers = nil
	for n := range containers {
		facts[0].Containers = append(facts[0].Containers, fmt.Sprintf("TEST%07d", n))
	}
	var values []tracking.ID // the first made first
	for part := range slices.Chunk(ingest(t, b, api(facts...)).ContainerIDs, tracking.MaxBulkFields) {
		var items []tracking.NewCustomField
		for _, id := range part {
			items = append(items, tracking.NewCustomField{Entity: ofContainer(id), APISlug: "grade", Value: json.RawMessage(`"low"`)})
		}
		results, err := b.SetCustomFields(ctx, tracking.BulkCustomFields{Items: items, Atomic: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			values = append(values, r.ID)
		}
	}
	b.Settle()
	if _, err := b.UpdateCustomFieldOption(ctx, d.ID, option.ID, tracking.CustomFieldOptionUpdate{Label: tracking.Set("lowest")}); err != nil {
		t.Fatal(err)
	}
	gone := 0
	store.before = func() {
		if err := b.DeleteCustomField(ctx, values[gone]); err != nil {
			t.Error(err)
		}
		gone++
	}
	store.takes, store.most, store.working = 20*time.Second, 0, false
	b.Settle()
	store.before, store.takes = nil, 0
	if store.taken > 0 {
		t.Errorf("another server took the job %d times", store.taken)
	}
	if store.most > page {
		t.Errorf("one call handed out %d", store.most)
	}
	list, total, err := b.CustomFields(ctx, tracking.CustomFieldQuery{}, tracking.Page{})
	if err != nil || total != containers-gone || gone < 2 {
		t.Fatalf("%d values are left of %d, of which %d were deleted: %v", total, containers, gone, err)
	}
	for i, f := range list {
		if f.DisplayValue != "lowest" {
			t.Fatalf("value %d is displayed as %q", i, f.DisplayValue)
		}
	}
}
