package tracking_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

// TestOutbox injects an error into every history, at any call that a transaction
// makes of the store: an event and its notifications are there together or not
// at all, whatever was cut off in the middle and tried again.
//
// Seen to fail: with notify called in a transaction of its own.
func TestOutbox(t *testing.T) {
	histories, random := drill.Count(t, "LANDFALL_OUTBOX", 150), drill.Random(t)
	failed, events := 0, 0
	for range histories {
		f, e := outboxHistory(t, random)
		failed, events = failed+f, events+e
	}
	t.Logf("%d histories, %d calls failed, %d events, each with its notifications", histories, failed, events)
	if failed < histories/2 || events < histories/4 { // of 150 histories 71 events were seen, and mostly over 100
		t.Error("hardly anything failed, or hardly anything happened")
	}
}

func outboxHistory(t *testing.T, random *rand.Rand) (failed, events int) {
	t.Helper()
	store := &failing{Store: memory.New(), random: random}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	subscribe(t, b, hookURL, allEvents()...)
	subscribe(t, b, hookURL+"/2", allEvents()...)
	b.Notifier.Script(hookURL, tracking.Outcome{Status: 500, Failure: tracking.FailStatus})
	facts := voyage("B1")
	b.Source.Script("B1", trackingtest.Reply{Facts: facts[:1+random.IntN(len(facts))]}, trackingtest.Reply{Facts: facts})
	var shipment tracking.ID
	if all, _, err := b.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{}); err == nil && len(all) > 0 {
		shipment = all[0].ID
	}
	for i := range 6 {
		store.arm()
		err := outboxStep(b, random, i, shipment)
		store.disarm()
		if errors.Is(err, errOutbox) {
			failed++
		}
		if all, _, err := b.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{}); err == nil && len(all) > 0 {
			shipment = all[0].ID
		}
		compareOutbox(t, b)
	}
	return failed, len(b.Announcements())
}

// outboxStep does one thing that may be announced. Errors of other sorts are as
// good as any.
func outboxStep(b *trackingtest.Bench, random *rand.Rand, i int, shipment tracking.ID) (err error) {
	switch random.IntN(6) {
	case 0:
		_, err = b.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: fmt.Sprint("B", 1+random.IntN(2)), Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	case 1:
		_, err = b.Operator.RunOnce(ctx)
	case 2:
		_, err = b.StopTracking(ctx, shipment)
	case 3:
		_, err = b.ResumeTracking(ctx, shipment)
	case 4:
		_, err = b.Ingest(ctx, api(told(fmt.Sprint("fact ", i), freight.Arrival, "USLAX", freight.Laden, time.Duration(random.IntN(100))*time.Hour)))
	default:
		_, err = b.Ingest(ctx, api(voyage("B1")...))
	}
	if random.IntN(3) == 0 {
		b.Clock.Advance(time.Duration(random.IntN(7200)) * time.Second)
	}
	return err
}

// happened is an event of an object.
type happened struct {
	Event     tracking.EventName
	Reference tracking.ID
}

func compareOutbox(t *testing.T, b *trackingtest.Bench) {
	t.Helper()
	want, got := map[happened]int{}, map[happened]int{}
	for _, a := range b.Announcements() {
		want[happened{a.Event, a.Reference.ID}] += 2
	}
	for _, n := range notified(t, b, tracking.WebhookNotificationQuery{}) {
		got[happened{n.Event, n.Reference.ID}]++
	}
	if !maps.Equal(want, got) {
		t.Fatalf("events (-) and notifications (+) differ: %s", cmp.Diff(want, got))
	}
}

var errOutbox = errors.New("injected")

// failing is a store whose transactions fail at one of their calls, once armed.
type failing struct {
	tracking.Store
	mu     sync.Mutex
	random *rand.Rand
	left   int // calls until one fails; 0 for none
}

func (s *failing) arm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = 1 + s.random.IntN(60)
}

func (s *failing) disarm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = 0
}

func (s *failing) fails() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left == 0 {
		return nil
	}
	if s.left--; s.left == 0 {
		return errOutbox
	}
	return nil
}

func (s *failing) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	return s.Store.Update(ctx, a, func(tx store.RecordTx) error {
		if err := fn(failingTx{tx, s}); err != nil {
			return err
		}
		return s.fails() // the commit
	})
}

type failingTx struct {
	store.RecordTx
	s *failing
}

func (t failingTx) Get(ctx context.Context, k *store.Kind, id tracking.ID) (store.Record, error) {
	if err := t.s.fails(); err != nil {
		return store.Record{}, err
	}
	return t.RecordTx.Get(ctx, k, id)
}

func (t failingTx) List(ctx context.Context, k *store.Kind, f store.Filter, p tracking.Page, to []store.Record) ([]store.Record, int, error) {
	if err := t.s.fails(); err != nil {
		return nil, 0, err
	}
	return t.RecordTx.List(ctx, k, f, p, to)
}

func (t failingTx) GetMany(ctx context.Context, k *store.Kind, ids []tracking.ID, to []store.Record) ([]store.Record, error) {
	if err := t.s.fails(); err != nil {
		return nil, err
	}
	return t.RecordTx.GetMany(ctx, k, ids, to)
}

func (t failingTx) Put(ctx context.Context, k *store.Kind, w store.Write) (int64, error) {
	if err := t.s.fails(); err != nil {
		return 0, err
	}
	return t.RecordTx.Put(ctx, k, w)
}

func (t failingTx) Enqueue(ctx context.Context, j store.Job) error {
	if err := t.s.fails(); err != nil {
		return err
	}
	return t.RecordTx.Enqueue(ctx, j)
}

func (t failingTx) EnqueueBy(ctx context.Context, j store.Job) error {
	if err := t.s.fails(); err != nil {
		return err
	}
	return t.RecordTx.EnqueueBy(ctx, j)
}

func (t failingTx) Links(ctx context.Context, k *store.Kind, name string, values []tracking.ID) ([]store.Link, error) {
	if err := t.s.fails(); err != nil {
		return nil, err
	}
	return t.RecordTx.Links(ctx, k, name, values)
}

func (t failingTx) Find(ctx context.Context, k *store.Kind, c store.Cond, most int) ([]tracking.ID, error) {
	if err := t.s.fails(); err != nil {
		return nil, err
	}
	return t.RecordTx.Find(ctx, k, c, most)
}

func (t failingTx) Mark(ctx context.Context, k *store.Kind, id tracking.ID, m store.Mark) error {
	if err := t.s.fails(); err != nil {
		return err
	}
	return t.RecordTx.Mark(ctx, k, id, m)
}

func (t failingTx) Delete(ctx context.Context, k *store.Kind, id tracking.ID) error {
	if err := t.s.fails(); err != nil {
		return err
	}
	return t.RecordTx.Delete(ctx, k, id)
}

func (t failingTx) Finish(ctx context.Context, j store.Job) error {
	if err := t.s.fails(); err != nil {
		return err
	}
	return t.RecordTx.Finish(ctx, j)
}

func (t failingTx) Postpone(ctx context.Context, j store.Job, due time.Time) error {
	if err := t.s.fails(); err != nil {
		return err
	}
	return t.RecordTx.Postpone(ctx, j, due)
}
