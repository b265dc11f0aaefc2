package httpserver_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
)

// Without a source of positions, what only it could answer is refused, and the
// rest is served without ships.
func TestWithoutPositions(t *testing.T) {
	b := newBenchOn(t, func(*tracking.Config) {})
	for _, path := range []string{
		"/v2/vessels/{vessel}?show_positions[from_timestamp]=2026-03-01T00:00:00Z",
		"/v2/vessels/{vessel}?show_positions[to_timestamp]=nonsense",
		"/v2/vessels/{vessel}?show_positions",
		"/v2/vessels/{vessel}/future_positions" + aheadOfOakland,
		"/v2/vessels/" + randomUUID + "/future_positions",
		"/v2/vessels/{vessel}/future_positions_with_coordinates" + aheadOfOakland + "&latitude=1&longitude=2",
	} {
		a := b.as(b.mine, "GET", b.mine.fill(path), "").want(403)
		if !bytes.Contains(a.body, []byte(`"title":"Forbidden","detail":"Routing data feature is not enabled for this account"`)) {
			t.Errorf("%s: %s", path, a.body)
		}
	}
	vessel := b.as(b.mine, "GET", b.mine.fill("/v2/vessels/{vessel}"), "").want(200).attributes()
	for _, name := range []string{"latitude", "longitude", "position_timestamp"} {
		if v, ok := vessel[name]; !ok || v != nil {
			t.Errorf("%s is %v", name, v)
		}
	}
	drawn := b.as(b.mine, "GET", b.mine.fill("/v2/containers/{container}/map_geojson"), "").want(200).body
	if bytes.Contains(drawn, []byte("current_vessel")) || bytes.Contains(drawn, []byte(`"schematic":false`)) {
		t.Errorf("the map shows a ship: %s", drawn)
	}
	b.as(b.mine, "GET", b.mine.fill("/v2/containers/{container}/route?include=port,vessel,route_location"), "").want(200)
}

// Each of several requests counts, and they are made together or not at all.
func TestBulkCountsEach(t *testing.T) {
	b := newBench(t)
	b.serve(func(c *httpserver.Config) { c.Limits = httpserver.Limits{Default: -1, Create: 10} })
	n := 0
	body := func(items int) string {
		var list []string
		for range items {
			n++
			list = append(list, fmt.Sprintf(`{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"N%d","scac":"MAEU"}}`, n))
		}
		return `{"data":[` + strings.Join(list, ",") + `]}`
	}
	total := func() int { return b.as(b.mine, "GET", "/v2/tracking_requests", "").want(200).total() }
	before := total()
	long := b.as(b.mine, "POST", "/v2/tracking_requests/bulk", body(11)).want(422)
	if wait := long.header.Get("Retry-After"); wait != "" || !bytes.Contains(long.body, []byte(`"pointer":"/data"`)) || !bytes.Contains(long.body, []byte("may create 10 in a minute")) {
		t.Errorf("more than a minute has: Retry-After %q, %s", wait, long.body)
	}
	b.Clock.Advance(time.Minute + time.Second) // that call itself has counted
	b.as(b.mine, "POST", "/v2/tracking_requests/bulk", body(6)).want(200)
	b.Clock.Advance(30 * time.Second)
	if wait := b.as(b.mine, "POST", "/v2/tracking_requests/bulk", body(5)).want(429).header.Get("Retry-After"); wait != "30" {
		t.Errorf("Retry-After %s, want 30", wait)
	}
	if got := total(); got != before+6 {
		t.Errorf("%d requests were made, want 6", got-before)
	}
	b.Clock.Advance(30 * time.Second)
	b.as(b.mine, "POST", "/v2/tracking_requests/bulk", body(5)).want(200)
}
