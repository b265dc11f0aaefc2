package dcsa_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/trackingtest"
)

// carrier serves on a loopback address and returns a client for it: without a rate
// limit, and without Patience unless the test sets it.
func carrier(t *testing.T, serve http.HandlerFunc, changes ...func(*dcsa.Config)) *dcsa.Client {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	config := dcsa.Config{SCAC: "MAEU", BaseURL: server.URL, RequestsPerSecond: -1, Patience: -1}
	for _, change := range changes {
		change(&config)
	}
	client, err := dcsa.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// asking is a query by the booking of the events in these tests.
func asking(typ freight.RequestType, number string) freight.SourceQuery {
	return freight.SourceQuery{Number: number, Normalized: strings.TrimPrefix(number, "MAEU"), Type: typ, SCAC: "MAEU"}
}

var theBooking = asking(freight.BookingNumber, "LF7700123")

func answerWith(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }
}

// TestQuery: each type of number has its parameter, under the path of the base URL,
// with the configured parameters.
func TestQuery(t *testing.T) {
	event := "[" + transport("DEPA", call) + "]"
	for _, c := range []struct {
		name   string
		query  freight.SourceQuery
		change func(*dcsa.Config)
		path   string
		want   string
	}{
		{"booking", theBooking, nil, "/v2/events", "carrierBookingReference=LF7700123&limit=100"},
		{"prefix", asking(freight.BookingNumber, "MAEULF7700123"), nil, "/v2/events", "carrierBookingReference=LF7700123&limit=100"},
		{"transport document", asking(freight.BillOfLading, "LF7700123"), nil, "/v2/events", "limit=100&transportDocumentReference=LF7700123"},
		{"below a path", theBooking, func(c *dcsa.Config) { c.BaseURL += "/tnt/" }, "/tnt/v2/events", "carrierBookingReference=LF7700123&limit=100"},
		{"all", theBooking, func(c *dcsa.Config) {
			c.EventTypes, c.PageLimit, c.Sort = []string{"TRANSPORT", "EQUIPMENT"}, 7, "eventCreatedDateTime:ASC"
		}, "/v2/events", "carrierBookingReference=LF7700123&eventType=TRANSPORT%2CEQUIPMENT&limit=7&sort=eventCreatedDateTime%3AASC"},
		{"the carrier's own limit", theBooking, func(c *dcsa.Config) { c.PageLimit = -1 }, "/v2/events", "carrierBookingReference=LF7700123"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got *http.Request
			changes := []func(*dcsa.Config){func(c *dcsa.Config) { c.Headers = map[string]dcsa.Secret{"X-Api-Key": "key-1"} }}
			if c.change != nil {
				changes = append(changes, c.change)
			}
			client := carrier(t, func(w http.ResponseWriter, r *http.Request) {
				got = r
				fmt.Fprint(w, event)
			}, changes...)
			answer, err := client.Track(context.Background(), c.query)
			if err != nil {
				t.Fatal(err)
			}
			if got.URL.Path != c.path || got.URL.RawQuery != c.want {
				t.Errorf("asked %s?%s, want %s?%s", got.URL.Path, got.URL.RawQuery, c.path, c.want)
			}
			for name, want := range map[string]string{"Api-Version": "2", "Accept": "application/json", "User-Agent": "landfall", "X-Api-Key": "key-1"} {
				if got.Header.Get(name) != want {
					t.Errorf("header %s is %q, want %q", name, got.Header.Get(name), want)
				}
			}
			if r := answer.Report; r.SCAC != "MAEU" || r.Source != "dcsa" || len(r.Facts) != 1 || r.Facts[0].Activity != freight.Departure {
				t.Errorf("report %+v", r)
			}
		})
	}
}

// TestPages: all pages are read, in order, by links of any form.
func TestPages(t *testing.T) {
	for _, form := range []string{"http://%s/v2/events?cursor=%d", "<http://%s/v2/events?cursor=%d>", "//%s/v2/events?cursor=%d", "?cursor=%[2]d", "/v2/events?cursor=%[2]d"} {
		client := carrier(t, func(w http.ResponseWriter, r *http.Request) {
			var n int
			fmt.Sscan(r.URL.Query().Get("cursor"), &n)
			if n < 3 {
				w.Header().Set("Next-Page", fmt.Sprintf(form, r.Host, n+1))
			}
			event := strings.Replace(transport("DEPA", call), `"eventID":"e1"`, fmt.Sprintf(`"eventID":"e%d"`, n), 1)
			fmt.Fprintf(w, "[%s]", event)
		})
		answer, err := client.Track(context.Background(), theBooking)
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		var ids []string
		for _, f := range answer.Report.Facts {
			ids = append(ids, f.ID)
		}
		if !slices.Equal(ids, []string{"e0", "e1", "e2", "e3"}) {
			t.Errorf("%s: events %v", form, ids)
		}
		if s := client.Stats(); s.Requests != 4 || s.Pages != 4 || s.Questions != 1 || s.Answers != 1 {
			t.Errorf("%s: %+v", form, s)
		}
	}
}

// TestOddTimes: an event with an implausible time is kept with a warning, and the
// shipment does not use the time.
func TestOddTimes(t *testing.T) {
	eta := func(id, at string) string {
		odd := strings.NewReplacer(`"e1"`, `"`+id+`"`, "2026-03-02T16:30:00+08:00", at, `"ACT"`, `"EST"`, "CNSHA", "NLRTM")
		return odd.Replace(transport("ARRI", call))
	}
	client := carrier(t, answerWith("["+strings.Join([]string{
		transport("DEPA", call), eta("sound", "2026-04-01T10:00:00Z"), eta("first", "0001-01-01T00:00:00Z"), eta("last", "9999-12-31T23:59:59Z"), eta("no zone", "2026-04-02T10:00:00"),
	}, ",")+"]"))
	answer, err := client.Track(context.Background(), theBooking)
	if err != nil {
		t.Fatal(err)
	}
	var warnings []string
	for _, w := range answer.Report.Warnings {
		warnings = append(warnings, w.Code+" "+w.Field)
	}
	want := []string{"implausible_time $[2].eventDateTime", "implausible_time $[3].eventDateTime", "missing_offset $[4].eventDateTime"}
	if len(answer.Report.Facts) != 5 || !slices.Equal(warnings, want) {
		t.Errorf("%d facts, warnings %q", len(answer.Report.Facts), warnings)
	}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Sources["MAEU"] = client })
	s := followed(t, b, theBooking)
	if eta := s.PODETAAt; eta.Year() != 2026 || s.POLATDAt.Year() != 2026 {
		t.Errorf("ETA %v, ATD %v", eta, s.POLATDAt)
	}
}

func ExampleNew() {
	// The carrier: a test server here, https://api.carrier.example in production.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") == "key-1" && r.URL.Query().Get("carrierBookingReference") == "LF7700123" {
			fmt.Fprintf(w, "[%s]", transport("DEPA", call))
		}
	}))
	defer server.Close()

	maersk, err := dcsa.New(dcsa.Config{
		SCAC:    "MAEU",
		BaseURL: server.URL,
		Headers: map[string]dcsa.Secret{"X-Api-Key": "key-1"}, // from the environment or a file
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	sources := tracking.Sources{"MAEU": maersk} // for tracking.Config

	// The engine queries like this, in the background.
	answer, err := sources["MAEU"].Track(context.Background(), freight.SourceQuery{
		Number: "LF7700123", Type: freight.BookingNumber, SCAC: "MAEU", Now: time.Now(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fact := answer.Report.Facts[0]
	fmt.Println(answer.Report.SCAC, fact.Activity, fact.Place.LOCODE, fact.Vessel.Name)
	fmt.Println(maersk.Stats().Requests, "request")
	// Output:
	// MAEU depart CNSHA AMBER HERON
	// 1 request
}
