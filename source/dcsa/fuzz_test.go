package dcsa_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/source/dcsa"
)

// roundTrip answers requests without a network.
type roundTrip func(*http.Request) *http.Response

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	resp := f(r)
	resp.Request = r
	return resp, nil
}

// FuzzTrack: whatever a carrier responds, the question ends, either with facts
// that are about the number or with a reason.
func FuzzTrack(f *testing.F) {
	whole := "[" + transport("DEPA", call) + "]"
	for _, seed := range []struct {
		status           int
		next, retry, typ string
		body             string
	}{
		{200, "", "", "application/json", whole},
		{200, "?cursor=2", "", "application/json", whole},
		{200, "//elsewhere.example/", "", "", whole},
		{200, "", "", "text/html", "<html>"},
		{200, "", "", "", "[" + strings.ReplaceAll(whole, "LF7700123", "OTHER1")},
		{400, "", "", "application/json", complaint("carrierBookingReference")},
		{404, "", "", "", ""},
		{429, "", "30", "", ""},
		{503, "", "Mon, 02 Mar 2026 09:00:30 GMT", "", ""},
	} {
		f.Add(seed.status, seed.next, seed.retry, seed.typ, []byte(seed.body))
	}
	reasons := []tracking.FailedReason{tracking.NumberNotFound, tracking.InvalidNumber, tracking.DataUnavailable, tracking.LineUnreachable, tracking.UnrecognizedResponse}
	f.Fuzz(func(t *testing.T, status int, next, retry, typ string, body []byte) {
		requests := 0
		carrier := func(r *http.Request) *http.Response {
			if requests++; r.URL.Host != "carrier.example" || r.URL.Scheme != "https" {
				t.Fatalf("asked %s", r.URL)
			}
			header := http.Header{}
			for name, value := range map[string]string{"Next-Page": next, "Retry-After": retry, "Content-Type": typ, "Location": next} {
				if value != "" {
					header.Set(name, value)
				}
			}
			return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(string(body))), ContentLength: -1}
		}
		client, err := dcsa.New(dcsa.Config{
			SCAC: "MAEU", BaseURL: "https://carrier.example", Transport: roundTrip(carrier),
			RequestsPerSecond: -1, Patience: -1, MaxPages: 3, MaxBody: 1 << 20,
		})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Track(context.Background(), theBooking)
		if requests > 4 { // three pages, or three redirects more
			t.Fatalf("%d requests", requests)
		}
		if err != nil {
			fault := failure(t, err)
			if !slices.Contains(reasons, fault.Reason) || fault.RetryAfter < 0 || fault.Err == nil || len([]rune(fault.Err.Error())) > 510 {
				t.Fatalf("ended with %#v", fault)
			}
			return
		}
		if len(answer.Report.Facts) == 0 {
			t.Fatal("neither facts nor an error")
		}
		for _, fact := range answer.Report.Facts {
			if len(fact.Numbers) > 0 && !slices.ContainsFunc(answer.Report.Facts, func(f tracking.Fact) bool {
				return slices.ContainsFunc(f.Numbers, theBooking.Names)
			}) {
				t.Fatalf("an answer about others: %+v", fact)
			}
		}
	})
}
