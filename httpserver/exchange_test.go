package httpserver_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
)

// Config.Observe gets each request with what its response was: the route and never the
// path, and the caller only where there is one.
func TestExchanges(t *testing.T) {
	var last httpserver.Exchange
	b := newBench(t)
	b.serve(func(c *httpserver.Config) {
		c.Observe = func(e httpserver.Exchange) { last = e }
		c.TrustProxy = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		c.Limits = httpserver.Limits{Default: 1000, Create: 1, Infer: -1, Refresh: -1}
		c.Prefix = "/api"
	})
	const one = "192.0.2.7"
	signed := "blob.token"
	for _, row := range []struct {
		method, path, body string
		key                string
		want               httpserver.Exchange
	}{
		{"GET", b.mine.fill("/api/shipments/{shipment}?include=containers"), "", b.mine.key, httpserver.Exchange{Route: "/api/shipments/{id}", Status: 200}},
		{"HEAD", "/api/shipments", "", b.mine.key, httpserver.Exchange{Route: "/api/shipments", Status: 200}},
		{"GET", "/api/shipments/nonsense", "", b.mine.key, httpserver.Exchange{Route: "/api/shipments/{id}", Status: 404}},
		{"POST", "/api/tracking_requests", `{}`, b.mine.key, httpserver.Exchange{Route: "/api/tracking_requests", Status: 400}},
		{"POST", "/api/tracking_requests", `{}`, b.mine.key, httpserver.Exchange{Route: "/api/tracking_requests", Status: 429, Limit: "create"}},
		{"DELETE", "/api/shipments", "", b.mine.key, httpserver.Exchange{Route: "/api/shipments", Status: 405}},
		{"GET", "/api/nowhere/SECRET", "", b.mine.key, httpserver.Exchange{Status: 404}},
		{"GET", "/api/shipments", "", "lf_wrong", httpserver.Exchange{Route: "/api/shipments", Status: 401}},
		{"GET", "/api//shipments", "", b.mine.key, httpserver.Exchange{Status: 404}},
		{"GET", "/healthz", "", "", httpserver.Exchange{Route: "/healthz", Status: 200}},
		{"GET", "/api/blobs/" + signed, "", "", httpserver.Exchange{Route: "/api/blobs/{signed}", Status: 403}},
	} {
		last = httpserver.Exchange{}
		r := request(row.method, row.path, row.body, "Authorization: Token "+row.key, "X-Forwarded-For: 203.0.113.9, "+one)
		r.RemoteAddr = "10.1.2.3:999"
		w := httptest.NewRecorder()
		b.server.ServeHTTP(w, r)
		want := row.want
		want.ID, want.Method, want.Client = w.Header().Get("X-Request-Id"), row.method, netip.MustParseAddr(one)
		want.Bytes = int64(w.Body.Len())
		if row.key == b.mine.key {
			want.Account, want.User, want.Key = b.mine.account, b.mine.user, b.mine.keyID
		}
		if last.Duration <= 0 {
			t.Errorf("%s %s took %s", row.method, row.path, last.Duration)
		}
		last.Duration = 0
		if last != want || w.Code != want.Status {
			t.Errorf("%s %s:\n got %+v\nwant %+v", row.method, row.path, last, want)
		}
	}
}

// A client that goes away is no fault of the server.
func TestExchangeOfAClientThatLeaves(t *testing.T) {
	var last httpserver.Exchange
	b := newBench(t)
	b.serve(func(c *httpserver.Config) { c.Observe = func(e httpserver.Exchange) { last = e } })
	ctx, leave := context.WithCancel(t.Context())
	leave()
	r := request("GET", "/v2/shipments", "", "Authorization: Token "+b.mine.key).WithContext(ctx)
	b.server.ServeHTTP(httptest.NewRecorder(), r)
	if last.Status != httpserver.StatusClientGone || last.Bytes != 0 {
		t.Errorf("it is %+v", last)
	}
}

// A signed path is a token, so the log does not have it, even where the request fails.
func TestSignedPathsAreNotLogged(t *testing.T) {
	var log strings.Builder
	b := newBench(t)
	b.serve(func(c *httpserver.Config) {
		c.Logger = slog.New(slog.NewTextHandler(&log, nil))
		c.Authenticate = func(*http.Request) (tracking.Actor, error) { return tracking.Actor{}, errors.New("down") }
	})
	for _, path := range []string{"/v2/blobs/canary/more", "/v2/shipments"} {
		b.do("GET", path, "").want(500)
	}
	if text := log.String(); strings.Contains(text, "canary") || !strings.Contains(text, "path=/v2/blobs/{signed}") || !strings.Contains(text, "path=/v2/shipments") {
		t.Errorf("the log: %s", text)
	}
}
