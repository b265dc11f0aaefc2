package tracking_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

// storeAsNewer stores a record again as a newer program might: in a later revision, with an
// attribute and a private member more.
func storeAsNewer(t *testing.T, b *trackingtest.Bench, s *spy, kind string, id tracking.ID) {
	t.Helper()
	k := *s.kinds[kind]
	err := s.Update(ctx, b.Account.Scope(), func(tx store.RecordTx) error {
		r, err := tx.Get(ctx, &k, id)
		if err != nil {
			return err
		}
		w, err := k.Render(r)
		if err != nil {
			return err
		}
		if k.Binary {
			w.Doc = append(w.Doc, 0xff, 0xff, 2, 'B', '7') // an entry with a name of its own
		} else {
			w.Doc = bytes.Replace(w.Doc, []byte(`"attributes":{`), []byte(`"attributes":{"berth":"B7",`), 1)
			w.Doc = bytes.Replace(w.Doc, []byte(`"B7",}`), []byte(`"B7"}`), 1) // it has no other
			w.Private = append([]byte(`{"note":"kept",`), bytes.TrimPrefix(w.Private, []byte("{"))...)
		}
		k.Revision = "g000099"
		_, err = tx.Put(ctx, &k, w)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wantNewer checks that an error says which version is needed.
func wantNewer(t *testing.T, err error, words ...string) {
	t.Helper()
	var e *tracking.Error
	if !errors.As(err, &e) || e.Kind != tracking.Unavailable || e.Code != "newer_version" {
		t.Fatalf("error %v", err)
	}
	for _, w := range words {
		if !strings.Contains(e.Detail, w) {
			t.Errorf("no %q in %q", w, e.Detail)
		}
	}
}

// What a newer program has stored is shown as it is, and never rewritten.
func TestNewerRecordsStay(t *testing.T) {
	b, s := spied(t)
	id := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
	storeAsNewer(t, b, s, "shipment", id)
	before := s.rows(t, b.Account.Scope(), "shipment", store.Filter{})[0]

	one, err := b.Rendered().Get(ctx, "shipment", id, nil)
	if err != nil || !bytes.Contains(one.Rows[0].Doc, []byte(`"berth":"B7"`)) {
		t.Errorf("shown as %s, %v", one.Rows[0].Doc, err)
	}
	_, err = b.UpdateShipment(ctx, id, tracking.ShipmentUpdate{Tags: tracking.Set([]string{"red"})})
	wantNewer(t, err, "the shipment "+id.String(), "generation 99", "generation 5")
	ingest(t, b, api(voyage("B1")...)) // nothing new
	later := voyage("B1")
	later[0].ID, later[0].RecordedAt = "one more", later[0].RecordedAt.Add(time.Hour)
	_, err = b.Ingest(ctx, api(later...))
	wantNewer(t, err)
	if err := b.Operator.OlderGeneration(ctx, b.Account.Scope()); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	b.Pass(3 * time.Hour)
	if err := b.Operator.Ready(ctx); err != nil {
		t.Errorf("upkeep beside newer records: %v", err)
	}
	after := s.rows(t, b.Account.Scope(), "shipment", store.Filter{})[0]
	if !after.Newer || after.Version != before.Version || !bytes.Equal(after.Doc, before.Doc) || !bytes.Equal(after.Private, before.Private) {
		t.Errorf("was\n%s\n%s\nis\n%s\n%s", before.Doc, before.Private, after.Doc, after.Private)
	}
}

// A carrier is not asked about a shipment whose answer could not be written, and a
// notification is not sent when its result could not.
func TestWorkOfNewerProgramsWaits(t *testing.T) {
	s := &spy{Store: memory.New()}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = s })
	subscribe(t, b, hookURL)
	b.Notifier.Script(hookURL, tracking.Outcome{Status: 500, Failure: tracking.FailStatus}) // and is tried again
	b.Source.Script("B1", trackingtest.Reply{Facts: voyage("B1")})
	create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	if _, err := b.Operator.RunOnce(ctx); err != nil { // queries the source
		t.Fatal(err)
	}
	scope := b.Account.Scope()
	waiting := s.rows(t, scope, "webhook_notification", store.Filter{})
	for _, r := range waiting {
		storeAsNewer(t, b, s, "webhook_notification", r.ID)
	}
	for _, r := range s.rows(t, scope, "shipment", store.Filter{}) {
		storeAsNewer(t, b, s, "shipment", r.ID)
	}
	sent, asked := len(b.Notifier.Sent()), len(b.Source.Asked())
	b.Settle()
	b.Pass(48 * time.Hour)
	if len(waiting) == 0 || len(s.rows(t, scope, "shipment", store.Filter{})) == 0 {
		t.Fatal("nothing was waiting")
	}
	if n := len(b.Notifier.Sent()) - sent; n != 0 {
		t.Errorf("%d deliveries, whose results cannot be recorded", n)
	}
	if n := len(b.Source.Asked()) - asked; n != 0 {
		t.Errorf("%d queries, whose answers cannot be written", n)
	}
}

// A shipment that newer rules have derived is not derived by the present ones.
func TestNewerRulesStay(t *testing.T) {
	b, _ := spied(t)
	id := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
	newer := tracking.Describe().RulesVersion + 1
	if err := b.OlderRules(ctx, id, func(s *tracking.Shipment, _ *tracking.Container) { s.Rules = newer }); err != nil {
		t.Fatal(err)
	}
	later := voyage("B1")
	later[0].ID, later[0].RecordedAt = "one more", later[0].RecordedAt.Add(time.Hour)
	_, err := b.Ingest(ctx, api(later...))
	wantNewer(t, err, id.String(), fmt.Sprintf("version %d of the rules", newer))
	_, err = b.Operator.Rederive(ctx, b.Account.Scope(), tracking.RederiveOptions{})
	wantNewer(t, err)
	if err := b.Operator.OlderGeneration(ctx, b.Account.Scope()); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if got := shipment(t, b, id).Rules; got != newer {
		t.Errorf("derived by the rules %d, want %d", got, newer)
	}
	if _, err := b.UpdateShipment(ctx, id, tracking.ShipmentUpdate{Tags: tracking.Set([]string{"red"})}); err != nil {
		t.Errorf("a change that derives nothing: %v", err)
	}
}
