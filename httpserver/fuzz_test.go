package httpserver_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// noCleanup is a test without cleanup: the calls of a fuzz target share one setup.
type noCleanup struct{ testing.TB }

func (noCleanup) Cleanup(func()) {}

// FuzzBody sends any body to every operation with a body. No internal error may
// occur, and a refused request must change nothing.
func FuzzBody(f *testing.F) {
	b := newBench(f)
	writes := []string{
		"POST /v2/tracking_requests", "POST /v2/parties", "POST /v2/reports",
		"PATCH /v2/shipments/{shipment}", "PATCH /v2/containers/{container}", "PATCH /v2/containers",
		"PATCH /v2/tracking_requests/{tracking_request}", "PATCH /v2/parties/{party}", "PATCH /v2/shipments/{shipment}/stop_tracking",
		"POST /v2/webhooks", "PATCH /v2/webhooks/{webhook}", "POST /v2/webhooks/trigger", "POST /v2/webhooks/{webhook}/recover",
		"POST /v2/webhooks/{webhook}/rotate_secret", "POST /v2/webhook_notifications/{webhook_notification}/redeliver",
	}
	for i, w := range writes {
		f.Add(uint8(i), []byte(`{"data":{"type":"x","id":"y","attributes":{}}}`))
		for _, row := range refusals {
			if row.method+" "+row.path == w && len(row.body) < 10_000 {
				f.Add(uint8(i), []byte(row.body))
			}
		}
		for _, row := range successes {
			if row.method+" "+row.path == w {
				f.Add(uint8(i), []byte(row.body))
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		if internalDataIn(string(body)) != "" {
			t.Skip("an answer may repeat what the body has")
		}
		method, path, _ := strings.Cut(writes[int(which)%len(writes)], " ")
		before := b.store.stored(t, b.mine.account)
		r := request(method, b.mine.fill(path), b.mine.fill(string(body)), b.mine.auth())
		w := httptest.NewRecorder()
		b.server.ServeHTTP(w, r)
		switch {
		case w.Code >= 500:
			t.Fatalf("%s %q: %d %s", path, body, w.Code, w.Body)
		case w.Code >= 400:
			if fault := errorsShape(w.Code, w.Body.Bytes(), method+" "+path+" "); fault != "" {
				t.Errorf("%s %q: %d %s: %s", path, body, w.Code, w.Body, fault)
			}
			if diff := cmp.Diff(before, b.store.stored(t, b.mine.account)); diff != "" {
				t.Errorf("%s %q was refused and changed:\n%s", path, body, diff)
			}
		default: // the account must not fill up: start again
			if len(before) > 200 {
				b = newBench(noCleanup{t})
			}
		}
	})
}

// FuzzQuery sends any query to every operation that lists or shows.
func FuzzQuery(f *testing.F) {
	b := newBench(f)
	reads := []string{
		"/v2/shipments", "/v2/containers", "/v2/tracking_requests", "/v2/parties", "/v2/shipping_lines",
		"/v2/webhooks", "/v2/webhook_notifications", "/v2/webhook_notifications/{webhook_notification}", "/v2/webhook_notifications/examples",
		"/v2/shipments/{shipment}", "/v2/containers/{container}", "/v2/containers/{container}/transport_events", "/v2/containers/{container}/raw_events",
	}
	for i := range reads {
		for _, row := range successes {
			if _, query, ok := strings.Cut(row.path, "?"); ok && strings.HasPrefix(row.path, reads[i]) {
				f.Add(uint8(i), query)
			}
		}
		for _, row := range refusals {
			if _, query, ok := strings.Cut(row.path, "?"); ok && row.method == "GET" {
				f.Add(uint8(i), query)
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, query string) {
		if internalDataIn(query) != "" {
			t.Skip("an answer may repeat what the query has")
		}
		r := request("GET", b.mine.fill(reads[int(which)%len(reads)]), "", b.mine.auth())
		r.URL.RawQuery = b.mine.fill(query)
		w := httptest.NewRecorder()
		b.server.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Fatalf("%s?%s: %d %s", r.URL.Path, r.URL.RawQuery, w.Code, w.Body)
		}
		if w.Code >= 400 {
			if fault := errorsShape(w.Code, w.Body.Bytes(), "GET"); fault != "" {
				t.Errorf("%s?%s: %d %s: %s", r.URL.Path, r.URL.RawQuery, w.Code, w.Body, fault)
			}
		}
		if strings.Contains(w.Body.String(), "anary") && !strings.Contains(strings.ToLower(r.URL.RawQuery), "anary") {
			t.Errorf("%s?%s leaks: %s", r.URL.Path, r.URL.RawQuery, w.Body)
		}
	})
}
