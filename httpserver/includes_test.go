package httpserver_test

import (
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
)

// Every name in the table Includes of docs/contract.md is accepted, and includes the
// related records.
func TestIncludesOfTheContract(t *testing.T) {
	b := newBench(t)
	b.Settle()
	for _, row := range []struct{ path, names, brings string }{
		{"/v2/shipments/{shipment}", "containers,port_of_lading,port_of_discharge,pod_terminal,destination,destination_terminal,line_tracking_stopped_by_user", "container port terminal"},
		{"/v2/containers/{container}", "shipment,pod_terminal,pickup_facility,transport_events,raw_events", "raw_event shipment terminal transport_event"},
		{"/v2/tracking_requests/{tracking_request}", "tracked_object,customer,user", "party shipment user"},
		{"/v2/tracking_requests/{tracking_request}", "account", "account"},
		{"/v2/tracking_requests", "shipping_line", "shipping_line"},
		{"/v2/containers/{container}/transport_events", "shipment,container,vessel,location,terminal,source_event,previous_version", "container port raw_event shipment terminal vessel"},
		{"/v2/containers/{container}/raw_events", "location,vessel,terminal", "port terminal vessel"},
		{"/v2/containers/{container}/raw_events", "container", "container"},
		{"/v2/terminals/{terminal}", "port", "port"},
		{"/v2/ports/USOAK", "terminals", "terminal"},
		{"/v2/webhook_notifications", "webhook,reference_object,webhook_notification_logs", "tracking_request webhook webhook_notification_log"},
		{"/v2/documents/{document}", "shipments,cargos,account,user,last_document_representation,email_submission,current_extraction", "account container document_representation shipment user"},
		{"/v2/email_submissions/{email_submission}", "account,user,documents,documents.last_document_representation", "account document document_representation user"},
		{"/v2/custom_fields/{custom_field}", "entity,definition,updated_by", "custom_field_definition shipment user"},
	} {
		a := b.as(b.mine, "GET", b.mine.fill(row.path)+"?include="+row.names, "").want(200)
		types := map[string]bool{}
		for _, r := range a.list("included") {
			types[r["type"].(string)] = true
		}
		if got := strings.Join(sorted(types), " "); got != row.brings {
			t.Errorf("%s?include=%s brings %s, want %s", row.path, row.names, got, row.brings)
		}
	}
	for _, path := range []string{"/v2/parties/{party}", "/v2/webhooks/{webhook}", "/v2/vessels/{vessel}", "/v2/shipping_lines/{shipping_line}", "/v2/metro_areas/{metro_area}"} {
		b.as(b.mine, "GET", b.mine.fill(path)+"?include=container", "").want(400)
	}
}

// To-one relationships include one resource or show null.
func TestIncludesOfOne(t *testing.T) {
	b := newBench(t)
	at := b.mine.fill("/v2/tracking_requests/{tracking_request}")
	r := b.as(b.mine, "GET", at+"?include=account,shipping_line", "").want(200).doc()["data"].(map[string]any)
	if got := member(r, "relationships", "account", "data", "id"); got != tracking.ID(b.mine.account).String() {
		t.Errorf("the account is %v", got)
	}
	if got := member(r, "relationships", "shipping_line", "data", "id"); got != b.mine.ids["shipping_line"] {
		t.Errorf("the line is %v", got)
	}
	unasked := b.as(b.mine, "GET", at, "").want(200).doc()["data"].(map[string]any)
	if relationships := unasked["relationships"].(map[string]any); relationships["account"] != nil || relationships["shipping_line"] != nil {
		t.Errorf("unasked there are %v", sorted(relationships))
	}
	lost := b.as(b.mine, "POST", "/v2/tracking_requests", `{"data":{"type":"tracking_request","attributes":{"request_type":"booking","request_number":"BK1"}}}`).want(201).id()
	r = b.as(b.mine, "GET", "/v2/tracking_requests/"+lost+"?include=shipping_line", "").want(200).doc()["data"].(map[string]any)
	if to, shown := r["relationships"].(map[string]any)["shipping_line"].(map[string]any)["data"]; to != nil || !shown {
		t.Errorf("the line that is looked for is %v", to)
	}
}

// A milestone with a corrected place is a new one, with a relationship to the
// invalidated one.
func TestPreviousVersion(t *testing.T) {
	b := newBench(t)
	path := b.mine.fill("/v2/containers/{container}/transport_events?include=previous_version")
	gateIn := func(a *response) map[string]any {
		for _, r := range a.list("data") {
			if member(r, "attributes", "event") == "container.transport.full_in" {
				return r
			}
		}
		t.Fatalf("there is no gate in: %s", a.body)
		return nil
	}
	first := b.as(b.mine, "GET", path, "").want(200)
	if member(gateIn(first), "relationships", "previous_version", "data") != nil || len(first.list("included")) != 0 {
		t.Fatalf("at first: %s", first.body)
	}
	b.Pass(time.Hour)
	b.as(b.mine, "POST", "/v2/reports", `{"source":"test","scac":"MAEU","facts":[{"id":"f1","event":"gate_in","classifier":"actual","at":"2026-01-28T09:00:00+08:00","place":{"locode":"CNNGB"},"mode":"truck","load":"laden","containers":["MRKU9465770","TCLU6718159"],"numbers":[{"type":"bill_of_lading","number":"MAEU77001"}]}]}`).want(200)
	then := b.as(b.mine, "GET", path, "").want(200)
	now, past := gateIn(then), then.list("included")
	if len(past) != 1 || past[0]["id"] != gateIn(first)["id"] || member(now, "relationships", "previous_version", "data", "id") != past[0]["id"] ||
		member(past[0], "attributes", "invalidated_at") == nil || member(now, "attributes", "location_locode") != "CNNGB" {
		t.Errorf("then: %s", then.body)
	}
}

// self in the response to a write is the URL for reading the record, not the URL of
// the write.
func TestSelfOfWrites(t *testing.T) {
	b := newBench(t)
	for _, row := range []struct {
		method, path, body string
		status             int
		self               string
	}{
		{"POST", "/v2/custom_fields", `{"data":` + fieldOf("{shipment}", "grade", `"high"`) + `}`, 201, "/v2/custom_fields/"},
		{"POST", "/v2/shipments/{shipment}/custom_fields", fieldValue(`"api_slug":"po","value":"PO-10"`), 201, "/v2/custom_fields/"},
		{"POST", "/v2/documents?include=account", `{"data":{"type":"document","attributes":{"name":"inv.pdf","attached_document":"{attachable}"}}}`, 201, "/v2/documents/"},
		{"POST", "/v2/custom_field_definitions/{custom_field_definition}/options", option(`"label":"Middle","value":"middle"`), 201, "/v2/custom_field_definitions/{custom_field_definition}/options/"},
		{"PATCH", "/v2/containers", `{"data":{"type":"container","id":"{container}","attributes":{"ref_numbers":["BOX-2"]}}}`, 200, "/v2/containers/"},
		{"PATCH", "/v2/shipments/{shipment}/stop_tracking", "", 200, "/v2/shipments/"},
	} {
		a := b.as(b.mine, row.method, b.mine.fill(row.path), b.mine.fill(row.body)).want(row.status)
		want := "http://host" + b.mine.fill(row.self) + a.id()
		self := member(a.doc(), "links", "self").(string)
		if got, _, _ := strings.Cut(self, "?"); got != want {
			t.Errorf("%s %s: self is %s, want %s", row.method, row.path, got, want)
		}
		read := b.as(b.mine, "GET", strings.TrimPrefix(self, "http://host"), "").want(200)
		if read.id() != a.id() || member(read.doc(), "links", "self") != self {
			t.Errorf("%s %s: %s shows %s", row.method, row.path, self, read.body)
		}
	}
}

// Testing an endpoint requires the permission update.
func TestTriggerWebhookNeedsUpdate(t *testing.T) {
	b := newBench(t)
	for permission, status := range map[tracking.Permission]int{tracking.Update: 200, tracking.Create: 403, tracking.Show: 403} {
		key, _ := b.newKey(b.mine.account, b.mine.user, permission)
		b.do("POST", "/v2/webhooks/trigger", `{"url":"https://example.com/try","event":"container.created"}`, "Authorization: Token "+key).want(status)
	}
}
