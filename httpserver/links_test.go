package httpserver_test

import (
	"strings"
	"testing"
)

// Every resource that an answer shows has links, and a GET of its self answers 200 with that
// resource.
func TestLinksCanBeRead(t *testing.T) {
	b := newBench(t)
	b.Settle()
	checked := map[string]bool{}
	check := func(path string, r map[string]any) {
		links, ok := r["links"].(map[string]any)
		if !ok {
			t.Errorf("%s: %s %s has no links", path, r["type"], r["id"])
			return
		}
		self, ok := links["self"].(string)
		if !ok || checked[self] {
			return
		}
		checked[self] = true
		a := b.as(b.mine, "GET", self, "")
		if a.status != 200 {
			t.Errorf("%s: GET %s answers %d", path, self, a.status)
			return
		}
		if got := a.doc()["data"].(map[string]any); got["type"] != r["type"] || got["id"] != r["id"] {
			t.Errorf("%s: GET %s is %s %s", path, self, got["type"], got["id"])
		}
	}
	for _, path := range []string{
		"/v2/shipments?include=containers.transport_events,containers.raw_events,port_of_lading,pod_terminal,custom_fields.definition,line_tracking_stopped_by_user",
		"/v2/shipments/{shipment}/eta_revisions?include=source_event",
		"/v2/containers/{container}?include=transport_events.vessel,transport_events.location,raw_events.terminal,shipment",
		"/v2/containers/{container}/history", "/v2/containers/{container}/route?include=port,vessel,route_location",
		"/v2/tracking_requests?include=tracked_object,customer,user,account,shipping_line", "/v2/search?query=MAEU77001",
		"/v2/ports/USOAK?include=terminals", "/v2/metro_areas/USOAK", "/v2/vessels", "/v2/terminals", "/v2/shipping_lines", "/v2/parties", "/v2/audit_events?include=user",
		"/v2/custom_fields?include=entity,definition,updated_by", "/v2/custom_fields/{custom_field}/history", "/v2/custom_field_definitions",
		"/v2/custom_field_definitions/{custom_field_definition}/options",
		"/v2/exceptions?include=shipment,container", "/v2/tariffs", "/v2/webhooks", "/v2/webhooks/events", "/v2/webhook_recoveries/{webhook_recovery}", "/v2/webhook_notifications?include=webhook,reference_object,webhook_notification_logs",
		"/v2/documents?include=account,user,last_document_representation,shipments,cargos", "/v2/document_schemas/{document_schema}",
		"/v2/email_submissions?include=account,user,documents", "/v2/users/{user}", "/v2/transport_events/{transport_event}", "/v2/raw_events/{raw_event}",
	} {
		a := b.as(b.mine, "GET", b.mine.fill(path), "").want(200)
		shown := a.list("included")
		if one, ok := a.doc()["data"].(map[string]any); ok {
			shown = append(shown, one)
		} else {
			shown = append(shown, a.list("data")...)
		}
		if len(shown) == 0 {
			t.Errorf("%s shows nothing", path)
		}
		for _, r := range shown {
			check(path, r)
		}
	}
	var types []string
	for self := range checked {
		types = append(types, strings.Split(self, "/")[2])
	}
	for _, typ := range []string{"transport_events", "raw_events", "users", "documents", "custom_field_definitions"} {
		if !strings.Contains(strings.Join(types, " "), typ) {
			t.Errorf("no link to one of the %s was read", typ)
		}
	}
}
