package dcsa_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/source/dcsa"
)

// roundTrip answers requests without a network.
type roundTrip func(*http.Request) *http.Response

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	resp := f(r)
	resp.Request = r
	return resp, nil
}

// FuzzTrack: for any response, the query ends, either with facts about the number
// or with a reason.
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
	reasons := []freight.FailedReason{freight.NumberNotFound, freight.InvalidNumber, freight.DataUnavailable, freight.LineUnreachable, freight.UnrecognizedResponse}
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
			if len(fact.Numbers) > 0 && !slices.ContainsFunc(answer.Report.Facts, func(f freight.Fact) bool {
				return slices.ContainsFunc(f.Numbers, theBooking.Names)
			}) {
				t.Fatalf("an answer about others: %+v", fact)
			}
		}
	})
}

// FuzzCallback: any delivery, signed or not, is answered as documented; refused
// deliveries store nothing.
func FuzzCallback(f *testing.F) {
	for _, name := range []string{"callback.json", "arrival-notice.json", "arrival-notice-released.json", "arrival-notice-notification.json"} {
		f.Add(sample(f, name), "", true, false)
		f.Add(sample(f, name), "", true, true)
	}
	f.Add([]byte("[]"), "sha256=00", false, false)
	f.Add([]byte("<html>"), "", false, true)
	f.Fuzz(func(t *testing.T, body []byte, signature string, sign, notice bool) {
		d := newDesk(t)
		path, fine := eventsAt, http.StatusNoContent
		if notice {
			path, fine = noticesAt, http.StatusOK
		}
		if sign {
			signature = dcsa.Sign(secret, body)
		}
		answer := d.deliver(path, body, nil, dcsa.SignatureHeader, signature)
		switch answer.Code {
		case fine:
			if !sign && signature != dcsa.Sign(secret, body) && signature != dcsa.Sign(oldSecret, body) {
				t.Errorf("%q was accepted", signature)
			}
			return
		case http.StatusUnauthorized:
			if sign {
				t.Error("a signed delivery was taken for a stranger's")
			}
		case http.StatusBadRequest:
		default:
			t.Errorf("answered %d", answer.Code)
		}
		if all := d.everything(t); all != "" {
			t.Errorf("refused with %d, and stored:\n%s", answer.Code, all)
		}
	})
}

// FuzzArrivalNotice: a document is refused with a path, or gives facts with a
// shipment and distinct IDs.
func FuzzArrivalNotice(f *testing.F) {
	for _, name := range []string{"arrival-notice.json", "arrival-notice-released.json", "arrival-notice-notification.json"} {
		f.Add(sample(f, name), "MAEU")
	}
	head := `{"issueDateTime":"2026-04-20","transportDocumentReference":"LF1",`
	f.Add([]byte(head+`"freeTimes":[{"typeCodes":["DEM"]}]}`), "")
	f.Add([]byte(head+`"transport":{"legs":[{"departureDate":{"value":"2026-04-20"},"loadLocation":{"locationName":"A"}},
		{"transportPlanStageSequenceNumber":1,"departureDate":{"value":"2026-04-20"},"loadLocation":{"locationName":"B"}}]}}`), "")
	f.Fuzz(func(t *testing.T, document []byte, scac string) {
		report, err := dcsa.ReadArrivalNotice(strings.NewReader(string(document)), dcsa.Options{SCAC: scac})
		var fault *tracking.Error
		switch {
		case err == nil:
		case !errors.As(err, &fault), fault.Kind != tracking.BadDocument, !strings.HasPrefix(fault.Field, "$"), len(report.Facts) > 0:
			t.Fatalf("error %v, with %d facts", err, len(report.Facts))
		}
		ids := map[string]bool{}
		for _, fact := range report.Facts {
			if ids[fact.ID] && !bytes.Contains(document, []byte("arrivalNotice")) {
				t.Errorf("the ID %q stands for two facts of one notice", fact.ID)
			}
			ids[fact.ID] = true
			if len(fact.Numbers) == 0 || fact.Numbers[0].Number == "" {
				t.Errorf("%s names no shipment", fact.ID)
			}
			if len(fact.Payload) > 0 && !json.Valid(fact.Payload) {
				t.Errorf("payload %q", fact.Payload)
			}
		}
	})
}
