package httpserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// ignoredOf returns meta.ignored of a document, or nil for none.
func ignoredOf(doc map[string]any) any {
	meta, ok := doc["meta"].(map[string]any)
	if !ok {
		return nil
	}
	return meta["ignored"]
}

// Writes list the members of their bodies that had no effect.
func TestIgnoredMembers(t *testing.T) {
	b := newBench(t)
	b.Settle()
	attributes := func(typ, members string) string {
		return `{"data":{"type":"` + typ + `","attributes":{` + members + `}}}`
	}
	for _, tt := range []struct {
		name, method, path, body string
		status                   int
		want                     string
	}{
		{"nothing ignored", "PATCH", "/v2/shipments/{shipment}", attributes("shipment", `"tags":["a"]`), 200, ""},
		{"read-only, unknown and a slash", "PATCH", "/v2/shipments/{shipment}", `{"data":{"type":"shipment","attributes":{"tags":["a"],"pod_eta_at":null,"tag":[],"a/b":1},"relationships":{"customer":{"data":null},"containers":{"data":[]}}},"meta":{"x":1}}`, 200,
			"/data/attributes/a~1b /data/attributes/pod_eta_at /data/attributes/tag /data/relationships/containers"},
		{"the other name of tags", "PATCH", "/v2/tracking_requests/{tracking_request}", attributes("tracking_request", `"tags":["a"],"shipment_tags":["b"]`), 200, "/data/attributes/shipment_tags"},
		{"within values", "POST", "/v2/tracking_requests", attributes("tracking_request", goodRequest+`,"initial_custom_fields":{"shipments":[]},"status":"created"`), 201, "/data/attributes/status"},
		{"new party", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B","name":"B"}}}`, 201, "/data/attributes/name"},
		{"new webhook", "POST", "/v2/webhooks", hook(goodWebhook + `,"secret":"mine"`), 201, "/data/attributes/secret"},
		{"container by its ID", "PATCH", "/v2/containers", `{"data":{"type":"container","id":"{container}","attributes":{"number":"MRKU9465770"}}}`, 200, "/data/attributes/number"},
		{"action with a message", "PATCH", "/v2/containers/{container}/refresh", attributes("container", `"force":true`), 200, "/data/attributes/force"},
		{"action", "PATCH", "/v2/shipments/{shipment}/stop_tracking", attributes("shipment", `"reason":"done"`), 200, "/data/attributes/reason"},
		{"action without a body", "PATCH", "/v2/shipments/{shipment}/stop_tracking", "", 200, ""},
		{"action on a document", "POST", "/v2/documents/{document}/relink", attributes("document", `"force":true`), 202, "/data/attributes/force"},
		{"plain object", "POST", "/v2/webhooks/trigger", `{"url":"https://example.com/try","event":"container.created","headers":[]}`, 200, "/headers"},
		{"number", "POST", "/v2/tracking_requests/infer_number", `{"number":"MRKU9465770","type":"x"}`, 200, "/type"},
		{"secret", "POST", "/v2/webhooks/{webhook}/rotate_secret", `{"overlap":5}`, 200, "/overlap"},
		{"upload", "POST", "/v2/direct_uploads", `{"blob":{"filename":"a.txt","content_type":"text/plain","byte_size":2,"checksum":"rL0Y20zC+Fzt72VPzMSk2A==","x":1},"name":"a"}`, 200, "/name"},
		{"value as a plain object", "PATCH", "/v2/custom_fields/{custom_field}", `{"value":"high","api_slug":"po"}`, 200, "/api_slug"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if list, ok := ignoredOf(b.as(b.mine, tt.method, b.mine.fill(tt.path), b.mine.fill(tt.body)).want(tt.status).doc()).([]any); ok {
				got = strings.Trim(fmt.Sprint(list), "[]")
			}
			if got != tt.want {
				t.Errorf("ignored %s\nwant    %s", got, tt.want)
			}
		})
	}
}

// At most 100 ignored members are listed, and a refused write lists none.
func TestIgnoredMembersAreBounded(t *testing.T) {
	b := newBench(t)
	b.Settle()
	unknown := map[string]any{}
	for i := range 150 {
		unknown[fmt.Sprintf("m%03d", i)] = i
	}
	body, err := json.Marshal(map[string]any{"data": map[string]any{"type": "shipment", "attributes": unknown}})
	if err != nil {
		t.Fatal(err)
	}
	list := ignoredOf(b.as(b.mine, http.MethodPatch, b.mine.fill("/v2/shipments/{shipment}"), string(body)).want(200).doc()).([]any)
	if len(list) != 100 || list[0] != "/data/attributes/m000" || list[99] != "/data/attributes/m099" {
		t.Errorf("%d members, from %v to %v", len(list), list[0], list[len(list)-1])
	}
	refused := b.as(b.mine, http.MethodPatch, b.mine.fill("/v2/shipments/{shipment}"), `{"data":{"type":"shipment","attributes":{"tags":5,"x":1}}}`).want(422)
	if refused.doc()["meta"] != nil {
		t.Errorf("a refused write has meta %v", refused.doc()["meta"])
	}
}

// Bulk operations list the members of each item, with pointers into the whole body.
func TestIgnoredMembersOfBulks(t *testing.T) {
	b := newBench(t)
	b.Settle()
	check := func(path, body, whole, second string) {
		t.Helper()
		doc := b.as(b.mine, http.MethodPost, path, b.mine.fill(body)).want(200).doc()
		if got := fmt.Sprint(ignoredOf(doc)); got != whole {
			t.Errorf("%s: ignored %s, want %s", path, got, whole)
		}
		for i, want := range []string{"<nil>", second} {
			if got := fmt.Sprint(ignoredOf(doc["results"].([]any)[i].(map[string]any))); got != want {
				t.Errorf("%s: item %d ignored %s, want %s", path, i, got, want)
			}
		}
	}
	check("/v2/tracking_requests/bulk",
		`{"dry_run":true,"data":[{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"MAEU8811","scac":"MAEU"}},{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"MAEU8812","scac":"MAEU","status":"x"}}]}`,
		"[/dry_run]", "[/data/1/attributes/status]")
	item := func(more string) string {
		return `{"type":"custom_field","attributes":{"api_slug":"po","value":"7"` + more + `},"relationships":{"entity":{"data":{"type":"shipment","id":"{shipment}"}}}}`
	}
	check("/v2/custom_fields/bulk", `{"atomik":true,"data":[`+item("")+`,`+item(`,"display_value":"7"`)+`]}`, "[/atomik]", "[/data/1/attributes/display_value]")
}
