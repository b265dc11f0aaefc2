package tracking_test

import (
	"encoding/json"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/store"
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
		var private struct{ Base tracking.ID }
		if err := json.Unmarshal(r.Private, &private); err != nil {
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
