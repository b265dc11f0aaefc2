package tracking_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
	"github.com/landfallhq/tracking/store"
)

// TestKindsInBinaryForm: records in the binary form give documents that are stored as the same
// bytes again.
func TestKindsInBinaryForm(t *testing.T) {
	b, s := spied(t)
	ingest(t, b, api(voyage("B1")...))
	later := voyage("B1")
	for i := range later { // corrections, with revisions and changed estimates
		later[i].At.Time = later[i].At.Time.Add(36 * time.Hour)
		later[i].RecordedAt = later[i].RecordedAt.Add(400 * time.Hour)
	}
	ingest(t, b, api(later...))
	b.Pass(90 * 24 * time.Hour) // for exceptions
	subscribe(t, b, hookURL)
	happen(t, b, "B2")
	b.Settle()
	checked := 0
	for name, k := range s.kinds {
		if !k.Binary {
			continue
		}
		rows := s.rows(t, b.Account.Scope(), name, store.Filter{})
		for _, r := range rows {
			shown, err := tracking.AsDocument(name, r)
			if err != nil || !json.Valid(shown.Doc) || bytes.Equal(shown.Doc, r.Doc) {
				t.Fatalf("%s %s is shown as %q, %v", name, r.ID, shown.Doc, err)
			}
			w, err := k.Render(shown)
			if err != nil || !bytes.Equal(w.Doc, r.Doc) || len(w.Private)+len(r.Private) > 0 {
				t.Errorf("%s %s of %s and %s is stored as %q, not %q: %v", name, r.ID, shown.Doc, shown.Private, w.Doc, r.Doc, err)
			}
		}
		if len(rows) == 0 && name != "estimated_event" {
			t.Errorf("there is no %s", name)
		}
		checked += len(rows)
	}
	if checked < 20 {
		t.Errorf("%d records", checked)
	}
}

// TestDocumentsInParts: documents in parts are, joined, the documents.
func TestDocumentsInParts(t *testing.T) {
	b, _ := spied(t)
	ingest(t, b, api(voyage("B1")...))
	shown := func(s tracking.Selection, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var rows []jsonapi.Raw
		for _, r := range slices.Concat(s.Rows, s.Included) {
			rows = append(rows, jsonapi.Raw{Doc: r.Doc, Self: "/", Attributes: r.Attributes})
		}
		return string(jsonapi.AppendCollection(nil, rows, nil, jsonapi.Links{}, jsonapi.Meta{}))
	}
	page := tracking.Page{Number: 1, Size: 10}
	rendered := b.Rendered()
	for what, pair := range map[string][2]string{
		"shipments": {
			shown(rendered.List(ctx, tracking.ShipmentQuery{}, page, []string{"containers"})),
			shown(rendered.InParts().List(ctx, tracking.ShipmentQuery{}, page, []string{"containers"})),
		},
		"containers": {
			shown(rendered.List(ctx, tracking.ContainerQuery{}, page, []string{"shipment", "transport_events"})),
			shown(rendered.InParts().List(ctx, tracking.ContainerQuery{}, page, []string{"shipment", "transport_events"})),
		},
	} {
		if pair[0] != pair[1] || !bytes.Contains([]byte(pair[0]), []byte(`"overdue"`)) {
			t.Errorf("%s:\n%s, in parts\n%s", what, pair[0], pair[1])
		}
	}
}
