package tracking_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/storage/sqlite"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

// The documents of the events of a transaction are stored with those of its last event, which
// is created last: what is deleted in order of creation never lacks its base. Bodies do not
// depend on it.
func TestSnapshotsHaveABase(t *testing.T) {
	b, s := spied(t)
	subscribe(t, b, hookURL)
	ingest(t, b, api(voyage("B1")...))
	created := map[tracking.ID]int{}
	var bases []tracking.ID
	rows := s.rows(t, b.Account.Scope(), "occurrence", store.Filter{Sort: []store.Order{{}}})
	for i, r := range rows {
		shown, err := tracking.AsDocument("occurrence", r)
		if err != nil {
			t.Fatal(err)
		}
		var private struct{ Base tracking.ID }
		if err := json.Unmarshal(shown.Private, &private); err != nil {
			t.Fatal(err)
		}
		created[r.ID], bases = i, append(bases, private.Base)
	}
	based := 0
	for i, base := range bases {
		if base == (tracking.ID{}) {
			continue
		}
		if based++; created[base] <= i || bases[created[base]] != (tracking.ID{}) {
			t.Errorf("snapshot %d is based on %d", i, created[base])
		}
	}
	if based == 0 || based < len(rows)/2 {
		t.Errorf("%d of %d snapshots have a base", based, len(rows))
	}
	b.Settle()
	sent := b.Notifier.Sent()
	if len(sent) < len(rows) {
		t.Fatalf("%d deliveries of %d events", len(sent), len(rows))
	}
	for _, d := range sent {
		body, err := b.NotificationPayload(ctx, d.ID)
		if err != nil || string(body) != string(d.Body) || !json.Valid(body) {
			t.Errorf("the body of %s is shown as another one, %v", d.ID, err)
		}
	}
}

// Events that a newer program has stored wait for it: they are neither sent nor given up, by
// webhooks and by e-mail.
//
// Seen to fail: without the snapshots among what is newer, for either.
func TestEventsOfNewerProgramsWait(t *testing.T) {
	s := &spy{Store: memory.New()}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = s })
	subscribe(t, b, hookURL)
	b.Notifier.Script(hookURL, tracking.Outcome{Status: 500, Failure: tracking.FailStatus}) // and is tried again
	subscribeKim(t, b, awaitingAlerts)
	happen(t, b, "B1")
	if _, err := b.Operator.RunOnce(ctx); err != nil { // asks the source
		t.Fatal(err)
	}
	scope := b.Account.Scope()
	events := s.rows(t, scope, "occurrence", store.Filter{})
	for _, r := range events {
		storeAsNewer(t, b, s, "occurrence", r.ID)
	}
	webhooks, mails := len(b.Notifier.Sent()), len(b.Mailer.Sent())
	b.Pass(3 * time.Hour)
	webhooks, mails = len(b.Notifier.Sent())-webhooks, len(b.Mailer.Sent())-mails
	if len(events) == 0 || webhooks+mails > 0 {
		t.Errorf("%d webhooks and %d e-mails of %d events", webhooks, mails, len(events))
	}
	list := notified(t, b, tracking.WebhookNotificationQuery{})
	for _, n := range list {
		if n.DeliveryStatus != tracking.DeliveryPending {
			t.Errorf("%s is %s", n.Event, n.DeliveryStatus)
		}
	}
	if len(list) < 2 {
		t.Errorf("%d notifications", len(list))
	}
}

// TestBytesOfNotification: a delivered notification with one webhook takes few bytes of an SQLite
// file, its snapshot and its attempt included, where each update announces 50 events of a
// shipment. The goal of the benchmarks is 2,048; their attempts have more members.
//
// Seen to fail: with any of the three kinds not in the binary form.
func TestBytesOfNotification(t *testing.T) {
	const shipments, boxes = 4, 25
	sizeOf := func(hooks int) int64 {
		t.Helper()
		path := filepath.Join(t.TempDir(), "test.db")
		db, err := sqlite.Open(path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b := trackingtest.New(t, func(c *tracking.Config) { c.Store = db })
		for range hooks {
			subscribe(t, b, hookURL, freight.VesselLoaded, freight.VesselDeparted)
		}
		for n := range shipments {
			facts := voyage(fmt.Sprint("B", n))[1:3]
			for i := range facts {
				facts[i].Containers = nil
				for box := range boxes {
					facts[i].Containers = append(facts[i].Containers, fmt.Sprintf("TEST%07d", n*boxes+box))
				}
			}
			ingest(t, b, api(facts...))
		}
		b.Settle()
		if n := len(b.Notifier.Sent()); n != hooks*shipments*2*boxes {
			t.Fatalf("%d deliveries with %d webhooks", n, hooks)
		}
		if err := b.Operator.Close(); err != nil { // copies the log into the file
			t.Fatal(err)
		}
		file, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return file.Size()
	}
	const most = 1_700
	if each := (sizeOf(1) - sizeOf(0)) / (shipments * 2 * boxes); each > most {
		t.Errorf("a notification takes %d bytes, and %d are allowed", each, most)
	}
}
