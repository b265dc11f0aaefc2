package httpserver_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/storage/memory"
)

// Without a source of positions, position requests are refused, and maps have no
// ships.
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

// Each item of a bulk request counts in the rate limit. The limit admits all items or
// none.
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
	if wait := long.header.Get("Retry-After"); wait != "" || !bytes.Contains(long.body, []byte(`"pointer":"/data"`)) || !bytes.Contains(long.body, []byte("only 10 per minute")) {
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

// Features are in the order of the route. A ship at sea is between the port that it
// left and its track.
func TestMapFeatureOrder(t *testing.T) {
	b := newBench(t)
	b.as(b.mine, "POST", "/v2/reports", `{"source":"test","scac":"MAEU","facts":[
 {"id":"a1","event":"load","classifier":"actual","at":"2026-02-01T10:00:00+08:00","place":{"locode":"CNSHA"},"mode":"vessel","load":"laden","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"1E","containers":["WHLU1234560"],"numbers":[{"type":"bill_of_lading","number":"MAEU77002"}]},
 {"id":"a2","event":"depart","classifier":"actual","at":"2026-02-02T02:00:00+08:00","place":{"locode":"CNSHA"},"mode":"vessel","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"1E","numbers":[{"type":"bill_of_lading","number":"MAEU77002"}]},
 {"id":"a3","event":"discharge","classifier":"actual","at":"2026-02-10T02:00:00+09:00","place":{"locode":"KRPUS"},"mode":"vessel","load":"laden","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"1E","containers":["WHLU1234560"],"numbers":[{"type":"bill_of_lading","number":"MAEU77002"}]},
 {"id":"a4","event":"load","classifier":"actual","at":"2026-02-20T02:00:00+09:00","place":{"locode":"KRPUS"},"mode":"vessel","load":"laden","vessel":{"imo":"9074729","name":"CANARY STAR"},"voyage":"2E","containers":["WHLU1234560"],"numbers":[{"type":"bill_of_lading","number":"MAEU77002"}]},
 {"id":"a5","event":"depart","classifier":"actual","at":"2026-02-21T02:00:00+09:00","place":{"locode":"KRPUS"},"mode":"vessel","vessel":{"imo":"9074729","name":"CANARY STAR"},"voyage":"2E","numbers":[{"type":"bill_of_lading","number":"MAEU77002"}]},
 {"id":"a6","event":"arrive","classifier":"estimated","at":"2026-03-12T07:00:00-08:00","place":{"locode":"USOAK"},"mode":"vessel","vessel":{"imo":"9074729","name":"CANARY STAR"},"voyage":"2E","numbers":[{"type":"bill_of_lading","number":"MAEU77002"}]},
 {"id":"a7","event":"discharge","classifier":"estimated","at":"2026-03-13T07:00:00-08:00","place":{"locode":"USOAK"},"mode":"vessel","load":"laden","vessel":{"imo":"9074729","name":"CANARY STAR"},"voyage":"2E","containers":["WHLU1234560"],"numbers":[{"type":"bill_of_lading","number":"MAEU77002"}]}
]}`).want(200)
	container := b.as(b.mine, "GET", "/v2/containers?filter[number]=WHLU1234560", "").want(200).list("data")[0]["id"].(string)
	drawn := b.as(b.mine, "GET", "/v2/containers/"+container+"/map_geojson", "").want(200)
	var order []string
	for _, f := range drawn.list("features") {
		name := member(f, "properties", "feature_type").(string)
		if label := member(f, "properties", "label"); label != nil {
			name = label.(string)
		}
		if len(order) == 0 || order[len(order)-1] != name { // a line in two parts at the antimeridian
			order = append(order, name)
		}
	}
	const want = "POL past_vessel_locations TS1 current_vessel past_vessel_locations estimated_partial_leg POD"
	if got := strings.Join(order, " "); got != want {
		t.Errorf("the features are %s, want %s", got, want)
	}
}

// Maps keep out of the canals that are configured. An unknown name is refused.
func TestMapAvoidsPassages(t *testing.T) {
	const facts = `{"source":"test","scac":"MAEU","facts":[
 {"id":"a1","event":"load","classifier":"planned","at":"2026-04-01T10:00:00+08:00","place":{"locode":"SGSIN"},"mode":"vessel","load":"laden","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"1E","containers":["WHLU1234560"],"numbers":[{"type":"bill_of_lading","number":"MAEU77003"}]},
 {"id":"a2","event":"discharge","classifier":"planned","at":"2026-05-10T02:00:00+02:00","place":{"locode":"NLRTM"},"mode":"vessel","load":"laden","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"1E","containers":["WHLU1234560"],"numbers":[{"type":"bill_of_lading","number":"MAEU77003"}]}
]}`
	for _, row := range []struct {
		avoiding []string
		south    bool
	}{{nil, false}, {[]string{"suez"}, true}} {
		b := newBenchOn(t, func(c *tracking.Config) { c.AvoidPassages = row.avoiding })
		b.as(b.mine, "POST", "/v2/reports", facts).want(200)
		container := b.as(b.mine, "GET", "/v2/containers?filter[number]=WHLU1234560", "").want(200).list("data")[0]["id"].(string)
		south, legs := false, 0
		for _, f := range b.as(b.mine, "GET", "/v2/containers/"+container+"/map_geojson", "").want(200).list("features") {
			if member(f, "properties", "feature_type") != "estimated_full_legs" {
				continue
			}
			legs++
			for _, p := range member(f, "geometry", "coordinates").([]any) {
				south = south || p.([]any)[1].(float64) < -30
			}
		}
		if legs != 1 || south != row.south {
			t.Errorf("avoiding %v: %d legs, round the Cape: %v", row.avoiding, legs, south)
		}
	}
	if _, err := tracking.New(tracking.Config{Store: memory.New(), AvoidPassages: []string{"kiel"}}); err == nil || !strings.Contains(err.Error(), "bab_el_mandeb") {
		t.Errorf("an unknown passage: %v", err)
	}
}

// The map is labelled GeoJSON where the client names that type, and never JSON:API.
func TestMapIsGeoJSON(t *testing.T) {
	b := newBench(t)
	for accept, want := range map[string]string{
		"": "application/json", "application/geo+json": "application/geo+json", "application/vnd.api+json": "application/json", "*/*": "application/json",
		"application/json, application/geo+json;q=0.5": "application/geo+json", "application/geo+json;q=0": "application/json",
	} {
		a := b.as(b.mine, "GET", b.mine.fill("/v2/containers/{container}/map_geojson"), "", "Accept: "+accept).want(200)
		if got := a.header.Get("Content-Type"); got != want {
			t.Errorf("Accept: %s gets %s, want %s", accept, got, want)
		}
	}
}
