package tracking_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
)

// endsInClaim is a store during whose claims of deliveries the engine is told to
// end.
type endsInClaim struct {
	tracking.Store
	end func()
}

func (s *endsInClaim) Claim(ctx context.Context, r store.ClaimRequest) ([]store.Job, error) {
	jobs, err := s.Store.Claim(ctx, r)
	if r.PerAccount > 0 && len(jobs) > 0 { // nothing else is bounded so
		s.end()
	}
	return jobs, err
}

// What was claimed when the end came is not left to its lease.
func TestEndWhileClaiming(t *testing.T) {
	db := &endsInClaim{Store: memory.New()}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = db })
	subscribe(t, b, hookURL, onlyAwaiting)
	happen(t, b, "B1")
	running, end := context.WithTimeout(ctx, 20*time.Second) // ended long before
	db.end = end
	if err := b.Operator.Run(running); err != nil {
		t.Fatal(err)
	}
	db.end = func() {}
	b.Settle()
	if n := len(b.Notifier.Sent()); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

// A webhook whose secrets cannot be read gets nothing, and no attempt of its
// notifications is spent; all others get theirs.
func TestDamagedWebhookStaysAlone(t *testing.T) {
	db := memory.New()
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = db })
	w := subscribe(t, b, hookURL, onlyAwaiting)
	subscribe(t, b, hookURL+"/beside", onlyAwaiting)
	happen(t, b, "B1")
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	o := b.Operator.For(tracking.Actor{Account: other.Scope()})
	if _, err := o.CreateWebhook(ctx, tracking.NewWebhook{URL: hookURL + "/other", Events: []tracking.EventName{onlyAwaiting}}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC}); err != nil {
		t.Fatal(err)
	}
	err = db.Update(ctx, b.Account.Scope(), func(tx store.RecordTx) error {
		kind := &store.Kind{Name: "webhook", Revision: "g000002", Columns: []store.Column{{Name: "active", Type: store.BoolColumn}}}
		r, err := tx.Get(ctx, kind, w.ID)
		if err == nil {
			_, err = tx.Put(ctx, kind, store.Write{ID: w.ID, Doc: r.Doc, Private: []byte(`{"sealed":"AAAA"}`), Cols: []any{true}})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Settle()
	var sent []string
	for _, d := range b.Notifier.Sent() {
		sent = append(sent, d.URL)
	}
	slices.Sort(sent)
	if want := []string{hookURL + "/beside", hookURL + "/other"}; !slices.Equal(sent, want) {
		t.Errorf("sent to %v, want %v", sent, want)
	}
	b.Pass(time.Hour)
	n := notified(t, b, tracking.WebhookNotificationQuery{Webhooks: []tracking.ID{w.ID}})[0]
	if n.DeliveryStatus != tracking.DeliveryPending || n.AttemptsCount != 0 {
		t.Errorf("%s after %d attempts", n.DeliveryStatus, n.AttemptsCount)
	}
	fault := (*tracking.Error)(nil)
	if _, err := b.Webhook(ctx, w.ID); !errors.As(err, &fault) || fault.Kind != tracking.Unavailable {
		t.Errorf("read: %v", err)
	}
}

// What was read ahead goes where its webhook points by then.
func TestChangedWebhookIsReadAgain(t *testing.T) {
	b := trackingtest.New(t, func(c *tracking.Config) { c.Delivery.PerEndpoint = 1 })
	w := subscribe(t, b, hookURL, onlyAwaiting)
	for i := range 4 {
		happen(t, b, fmt.Sprint("B", i))
	}
	running, end := context.WithTimeout(ctx, 20*time.Second) // ended long before
	var to []string
	b.Notifier.During(func(d tracking.Dispatch) {
		if to = append(to, d.URL); len(to) == 4 {
			end()
		}
		if len(to) == 1 {
			if _, err := b.UpdateWebhook(ctx, w.ID, tracking.WebhookUpdate{URL: tracking.Set(hookURL + "/new")}); err != nil {
				t.Error(err)
			}
		}
	})
	if err := b.Operator.Run(running); err != nil {
		t.Fatal(err)
	}
	if want := []string{hookURL, hookURL + "/new", hookURL + "/new", hookURL + "/new"}; !slices.Equal(to, want) {
		t.Errorf("sent to %v", to)
	}
}

// Another URL is another endpoint: the breaker of the former does not keep it.
func TestNewURLIsNewToTheBreaker(t *testing.T) {
	b := trackingtest.New(t)
	w := subscribe(t, b, hookURL, onlyAwaiting)
	b.Notifier.Script(hookURL, tracking.Outcome{Failure: tracking.FailConnect})
	for i := range 20 {
		happen(t, b, fmt.Sprint("B", i))
	}
	b.Settle()
	before := len(b.Notifier.Sent())
	if _, err := b.UpdateWebhook(ctx, w.ID, tracking.WebhookUpdate{URL: tracking.Set(hookURL + "/new")}); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if sent := b.Notifier.Sent()[before:]; len(sent) < 10 {
		t.Errorf("%d sent to the new URL at once", len(sent))
	}
}

// fullFor refuses some writes, once the first delivery was made.
type fullFor struct {
	tracking.Store
	refuse  atomic.Int32
	written func()
}

func (s *fullFor) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	if s.refuse.Load() > 0 {
		if s.refuse.Add(-1) == 0 {
			defer s.written()
		} else {
			return tracking.ErrUnavailable
		}
	}
	return s.Store.Update(ctx, a, fn)
}

// What came of a delivery is noted as soon as the store takes writes again.
func TestResultsWaitForTheStore(t *testing.T) {
	db := &fullFor{Store: memory.New()}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = db })
	subscribe(t, b, hookURL, onlyAwaiting)
	happen(t, b, "B1")
	running, end := context.WithTimeout(ctx, 20*time.Second) // ended long before
	db.written = end
	b.Notifier.During(func(tracking.Dispatch) { db.refuse.Store(4) })
	if err := b.Operator.Run(running); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	n := notified(t, b, tracking.WebhookNotificationQuery{})[0]
	if n.DeliveryStatus != tracking.DeliverySucceeded || n.AttemptsCount != 1 || len(b.Notifier.Sent()) != 1 {
		t.Errorf("%s after %d attempts, sent %d times", n.DeliveryStatus, n.AttemptsCount, len(b.Notifier.Sent()))
	}
}
