package tracking_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

func requested(number string) tracking.NewTrackingRequest {
	return tracking.NewTrackingRequest{Number: number, Type: tracking.BillOfLading, SCAC: "MAEU"}
}

// became says what became of each of several requests.
func became(t *testing.T, results []tracking.BulkRequestResult, err error) (list []string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		switch e := r.Err.(type) {
		case nil:
			list = append(list, string(r.Request.Status))
		case tracking.Errors:
			list = append(list, e[0].Code+" "+e[0].Field)
		default:
			t.Errorf("a %T: %v", r.Err, r.Err)
		}
	}
	return list
}

func TestBulk(t *testing.T) {
	b := trackingtest.New(t)
	ingest(t, b, api(voyage("KNOWN1")...))
	create(t, b, requested("THERE1"))
	nobody := requested("NEW2")
	nobody.Customer = tracking.ID{1}
	list := []tracking.NewTrackingRequest{
		requested("NEW1"), requested("there-1"), requested(""), requested("KNOWN1"), requested("new 1"), nobody, {Number: "X", Type: "air"}, requested("NEW3"),
	}
	faults, err := b.CheckTrackingRequests(ctx, list)
	if err != nil {
		t.Fatal(err)
	}
	results, err := b.CreateTrackingRequests(ctx, list)
	want := []string{
		"pending", "duplicate request_number", "blank request_number", "created", "duplicate request_number",
		"not_found relationships/customer", "inclusion request_type", "pending",
	}
	if diff := cmp.Diff(want, became(t, results, err)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for i, fault := range faults { // each by itself: the fifth is no duplicate yet
		if refused := results[i].Err != nil && i != 4; (fault != nil) != refused {
			t.Errorf("request %d: checked %v, made %v", i, fault, results[i].Err)
		}
	}
	_, n, err := b.TrackingRequests(ctx, tracking.TrackingRequestQuery{}, tracking.Page{Number: 1, Size: 1})
	if err != nil || n != 4 {
		t.Errorf("%d requests are stored, want 4: %v", n, err)
	}
	for _, size := range []int{0, 101} {
		_, err := b.CreateTrackingRequests(ctx, make([]tracking.NewTrackingRequest, size))
		if e, ok := err.(*tracking.Error); !ok || e.Field != "requests" {
			t.Errorf("%d at once: %v", size, err)
		}
	}
}

// A call is for one number once, also before its line is known. A single request without a
// line waits for the detection, as docs/rules.md#tracking-requests has it.
func TestBulkWithoutLine(t *testing.T) {
	b := trackingtest.New(t)
	of := func(number, scac string) tracking.NewTrackingRequest {
		return tracking.NewTrackingRequest{Number: number, Type: tracking.BillOfLading, SCAC: scac}
	}
	results, err := b.CreateTrackingRequests(ctx, []tracking.NewTrackingRequest{
		of("HLCUBKK551100", ""), of("hlcu bkk-551100", ""), of("HLCUBKK551100", "HLCU"), of("HLCUBKK551101", ""),
		of("551102", "HLCU"), of("551102", ""), of("551102", "MAEU"),
	})
	const refused = "duplicate request_number"
	want := []string{"pending", refused, refused, "pending", "pending", refused, "pending"}
	if diff := cmp.Diff(want, became(t, results, err)); diff != "" {
		t.Fatalf("-want +got\n%s", diff)
	}
	fault := results[1].Err.(tracking.Errors)[0]
	const detail = "Request number 'hlcu bkk-551100' already exists in a tracking_request with a pending or created status"
	if fault.Detail != detail || fault.Meta["tracking_request_id"] != results[0].Request.ID.String() {
		t.Errorf("%q, %v", fault.Detail, fault.Meta)
	}
	if _, err := b.CreateTrackingRequest(ctx, of("HLCUBKK551100", "")); err != nil {
		t.Errorf("by itself: %v", err)
	}
}

// The check of a request without a line takes the line that needs no carrier: that of the number
// alone, or of its shipment.
func TestCheckWithoutLine(t *testing.T) {
	b := trackingtest.New(t)
	ingest(t, b, api(voyage("KNOWN1")...))
	create(t, b, requested("MAEU77001"))
	create(t, b, requested("77002"))
	create(t, b, requested("KNOWN1"))
	of := func(number string) tracking.NewTrackingRequest {
		return tracking.NewTrackingRequest{Number: number, Type: tracking.BillOfLading}
	}
	faults, err := b.CheckTrackingRequests(ctx, []tracking.NewTrackingRequest{of("MAEU77001"), of("maeu-77002"), of("KNOWN1"), of("MAEU77003"), of("77001")})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, true, true, false, false} {
		var list tracking.Errors
		if duplicate := errors.As(faults[i], &list) && list[0].Code == "duplicate" && list[0].Meta["tracking_request_id"] != nil; duplicate != want {
			t.Errorf("request %d: %v", i, faults[i])
		}
	}
}

// The same call again, under its key, makes nothing and answers the same.
func TestBulkOnce(t *testing.T) {
	b := trackingtest.New(t)
	list := []tracking.NewTrackingRequest{requested("A1"), requested(""), requested("A1"), requested("A2")}
	o := tracking.Once{Key: "k", Fingerprint: "f"}
	first, err := b.CreateTrackingRequests(ctx, list, o)
	want := became(t, first, err)
	again, err := b.CreateTrackingRequests(ctx, list, o)
	if diff := cmp.Diff(want, became(t, again, err)); diff != "" {
		t.Errorf("-first +again\n%s", diff)
	}
	if first[0].Request.ID != again[0].Request.ID || fmt.Sprint(first[2].Err) != fmt.Sprint(again[2].Err) {
		t.Errorf("first %v, again %v", first, again)
	}
	if _, err := b.CreateTrackingRequests(ctx, list, tracking.Once{Key: "k", Fingerprint: "other"}); err == nil {
		t.Error("the key was taken for another call")
	}
}
