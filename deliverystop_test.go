package tracking_test

import (
	"context"
	"testing"

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

func (s *endsInClaim) Claim(ctx context.Context, r tracking.ClaimRequest) ([]tracking.Job, error) {
	jobs, err := s.Store.Claim(ctx, r)
	if r.PerAccount > 0 && len(jobs) > 0 { // nothing else is bounded so
		s.end()
	}
	return jobs, err
}

// What was claimed when the end came is not left to its lease.
func TestEndWhileClaiming(t *testing.T) {
	store := &endsInClaim{Store: memory.New()}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	subscribe(t, b, hookURL, onlyAwaiting)
	happen(t, b, "B1")
	running, end := context.WithCancel(ctx)
	store.end = end
	if err := b.Operator.Run(running); err != nil {
		t.Fatal(err)
	}
	store.end = func() {}
	b.Settle()
	if n := len(b.Notifier.Sent()); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

// A webhook whose secrets cannot be read keeps its own account's deliveries back,
// and no other's.
func TestDamagedWebhookStaysAlone(t *testing.T) {
	store := memory.New()
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	w := subscribe(t, b, hookURL, onlyAwaiting)
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
	err = store.Update(ctx, b.Account.Scope(), func(tx tracking.RecordTx) error {
		kind := &tracking.Kind{Name: "webhook", Columns: []tracking.Column{{Name: "active", Type: tracking.BoolColumn}}}
		r, err := tx.Get(ctx, kind, w.ID)
		if err == nil {
			_, err = tx.Put(ctx, kind, tracking.Write{ID: w.ID, Doc: r.Doc, Private: []byte(`{"sealed":"AAAA"}`), Cols: []any{true}})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	told := false
	for range 5 {
		_, err := b.Operator.RunOnce(ctx)
		told = told || err != nil
	}
	if sent := b.Notifier.Sent(); !told || len(sent) != 1 || sent[0].URL != hookURL+"/other" {
		t.Errorf("told of the damage: %t; sent: %v", told, sent)
	}
}
