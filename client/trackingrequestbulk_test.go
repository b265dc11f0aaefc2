package client_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
)

// everyRequestAtOnce checks that each item has its own result, and that the same key
// returns the same results.
func (b *bench) everyRequestAtOnce(t *testing.T, customer *tracking.Party) {
	t.Helper()
	ctx := t.Context()
	list := []tracking.NewTrackingRequest{
		{Number: "MAEU99001", Type: tracking.BillOfLading, SCAC: "MAEU", Tags: []string{"bulk"}, Customer: customer.ID},
		{Number: "MAEU77001", Type: tracking.BillOfLading, SCAC: "MAEU"},
		{Number: "", Type: tracking.BillOfLading, SCAC: "XXXX"},
		{Number: "MAEU99002", Type: tracking.BillOfLading, SCAC: "MAEU"},
	}
	bulk := must[[]tracking.BulkRequestResult](t)
	results := bulk(b.Client.CreateTrackingRequests(ctx, list, tracking.Once{Key: "several"}))
	if len(results) != len(list) {
		t.Fatalf("%d results", len(results))
	}
	for _, i := range []int{0, 3} {
		if results[i].Err != nil {
			t.Fatalf("request %d: %v", i, results[i].Err)
		}
		want := must[*tracking.TrackingRequest](t)(b.Tracker.TrackingRequest(ctx, results[i].Request.ID))
		want.Version = 0 // versions come with single records only
		compareRecords(t, list[i].Number, results[i].Request, want)
	}
	if r := results[0].Request; r.RequestNumber != "MAEU99001" || r.Customer != customer.ID || len(r.Tags) != 1 {
		t.Errorf("the request is %+v", r)
	}
	faulty(t, "a duplicate", results[1].Err, http.StatusUnprocessableEntity, "duplicate", "/data/1/attributes/request_number")
	faulty(t, "no number", results[2].Err, http.StatusUnprocessableEntity, "blank", "/data/2/attributes/request_number")
	again := bulk(b.Client.CreateTrackingRequests(ctx, list, tracking.Once{Key: "several"}))
	if again[0].Request.ID != results[0].Request.ID || again[1].Err == nil {
		t.Errorf("asked again: %+v", again)
	}
	faulty(t, "none", errorOf(b.Client.CreateTrackingRequests(ctx, nil)), http.StatusUnprocessableEntity, "too_long", "/data")

	const initial = "/data/attributes/initial_custom_fields"
	for pointer, fields := range map[string]tracking.InitialCustomFields{
		"/shipment/0/api_slug": {Shipment: []tracking.InitialCustomField{{APISlug: "nowhere", Value: json.RawMessage(`1`)}}},
		"/shipment/0/value":    {Shipment: []tracking.InitialCustomField{{APISlug: "purchase_order"}}},
		"/containers/0/value":  {Containers: []tracking.InitialCustomField{{APISlug: "grade", Value: json.RawMessage(`7`)}}},
		"/containers/0/number": {Containers: []tracking.InitialCustomField{{APISlug: "grade", Value: json.RawMessage(`"high"`), Number: "?"}}},
	} {
		_, err := b.Client.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "MAEU99003", Type: tracking.BillOfLading, SCAC: "MAEU", CustomFields: fields})
		var refused *client.Error
		if !errors.As(err, &refused) || len(refused.Faults) != 1 || refused.Faults[0].Pointer != initial+pointer {
			t.Errorf("%s: %v", pointer, err)
		}
	}
}
