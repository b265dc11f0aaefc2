package httpserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
)

// extraNames are names that the golden responses lack: other attributes and
// relationships, and members that are no attributes.
var extraNames = strings.Fields(`id type version account account_id user user_id key permissions limits private links meta
	url active events secret headers event delivery_status webhook reference_object
	api_slug value display_value entity entity_type definition data_type display_name description reference_type validation default_format default_value updated_by
	document_type document_type_manual classification_notes source file_name file_content_type file_size_bytes email_submission last_document_representation shipments cargos
	scac auto_detect ref_number shipment_tags customer customer_id email name hash hint updated_at removed_at polls fact_count numbers since number_type`)

// namesOf returns the names of all attributes and relationships in the golden
// responses.
func namesOf(t *testing.T) []string {
	t.Helper()
	names := map[string]bool{}
	for _, n := range extraNames {
		names[n] = true
	}
	files, err := filepath.Glob("testdata/answers/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := bytes.Cut(text, []byte("\n\n"))
		var doc any
		if len(body) == 0 || body[0] != '{' { // the bytes of a document
			continue
		}
		if err := json.Unmarshal(body, &doc); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		collect(doc, names)
	}
	return sorted(names)
}

func collect(v any, names map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			collect(e, names)
		}
	case map[string]any:
		for name, e := range v {
			if inner, ok := e.(map[string]any); ok && (name == "attributes" || name == "relationships") {
				for n := range inner {
					names[n] = true
				}
			}
			collect(e, names)
		}
	}
}

// writable has the members that each operation may change.
var writable = []struct {
	typ, method, path string
	attributes        map[string]string // name sent to the attribute that changes
	customer          bool
}{
	{"shipment", "PATCH", "/v2/shipments/{shipment}", map[string]string{"ref_numbers": "ref_numbers", "tags": "tags", "promised_arrival_at": "promised_arrival_at"}, true},
	{"document", "PATCH", "/v2/documents/{document}", map[string]string{"document_type_manual": "document_type_manual", "extracted_data_manual": "extracted_data_manual", "corrected_fields": "corrected_fields"}, false},
	{"container", "PATCH", "/v2/containers/{container}", map[string]string{"ref_numbers": "ref_numbers", "delivered_at": "delivered_at"}, false},
	{"container", "PATCH", "/v2/containers", map[string]string{"ref_numbers": "ref_numbers", "delivered_at": "delivered_at"}, false},
	{"tracking_request", "PATCH", "/v2/tracking_requests/{tracking_request}", map[string]string{"ref_numbers": "ref_numbers", "ref_number": "ref_numbers", "tags": "tags", "shipment_tags": "tags"}, true},
	{"webhook", "PATCH", "/v2/webhooks/{webhook}", map[string]string{"url": "url", "active": "active", "events": "events", "headers": "headers", "format": "format", "template": "template"}, false},
	{"exception", "PATCH", "/v2/exceptions/{exception}", map[string]string{"acknowledged": "acknowledged_at", "assignee": "assignee", "note": "note"}, false},
	{"exception_settings", "PATCH", "/v2/exception_settings", ownNames(thresholdNames()), false},
	{"tariff", "PATCH", "/v2/tariffs/{tariff}", ownNames(freetime.TermsMembers()), false},
	{"party", "PATCH", "/v2/parties/{party}", map[string]string{"company_name": "company_name"}, false},
	{"custom_field_definition", "PATCH", "/v2/custom_field_definitions/{custom_field_definition}", map[string]string{"display_name": "display_name", "description": "description", "validation": "validation", "default_format": "default_format", "default_value": "default_value"}, false},
	{"custom_field_option", "PATCH", "/v2/custom_field_definitions/{custom_field_definition}/options/{custom_field_option}", map[string]string{"label": "label", "position": "position"}, false},
	{"custom_field", "PATCH", "/v2/custom_fields/{custom_field}", map[string]string{"value": "value"}, false},
}

func thresholdNames() (names []string) {
	for _, h := range (tracking.Exceptions{}).Thresholds() {
		names = append(names, h.Name)
	}
	return names
}

// ownNames says that each attribute is sent under its own name.
func ownNames(list []string) map[string]string {
	names := map[string]string{}
	for _, name := range list {
		names[name] = name
	}
	return names
}

// followsFromDelivery lists what delivered_at changes: the mark is a fact and makes a
// milestone.
var followsFromDelivery = map[string]bool{"current_status": true, "raw_events": true, "transport_events": true, "import_cost_accruing": true, "import_free_time_ends_on": true,
	"next_milestone": true, "next_milestone_location_locode": true, "next_milestone_expected_at": true, "next_milestone_due_at": true, "overdue": true}

// TestOnlyTheAllowedChanges sends every attribute and relationship of every
// resource to every operation that changes one.
func TestOnlyTheAllowedChanges(t *testing.T) {
	names := namesOf(t)
	tried, changed := 0, 0
	for _, w := range writable {
		b := newBench(t)
		b.mine.ids["exception_settings"] = tracking.Exceptions{}.SettingsID().String()
		is := b.standing(w.typ)
		for i, name := range names {
			if testing.Short() && i%10 > 0 && w.attributes[name] == "" {
				continue // one in ten, beside those that may
			}
			for _, value := range []string{`null`, `"hacked"`, `["hacked"]`, `true`, `7`, `{"a":"b"}`, `"2001-01-01T00:00:00Z"`} {
				tried++
				body := `"attributes":{"` + name + `":` + value + `}`
				if b.assign(is, w.typ, w.method, w.path, body, w.attributes[name]) {
					changed++
				}
			}
			for _, link := range []string{`null`, `{"type":"party","id":"{party}"}`, `{"type":"shipment","id":"` + randomUUID + `"}`, `[]`} {
				tried++
				may := ""
				if name == "customer" && w.customer {
					may = "customer"
				}
				if b.assign(is, w.typ, w.method, w.path, `"relationships":{"`+name+`":{"data":`+link+`}}`, may) {
					changed++
				}
			}
		}
	}
	t.Logf("%d assignments of %d names tried, %d changed something, each of them allowed", tried, len(names), changed)
	if changed == 0 {
		t.Error("nothing changed at all: the test proves nothing")
	}
}

// assign sends one member and reports whether any stored data changed. Only the
// attribute may is allowed to change.
func (b *bench) assign(state *accountState, typ, method, path, member, may string) bool {
	b.tb.Helper()
	before, was := state.stored, state.shown
	body := fmt.Sprintf(`{"data":{"type":"%s","id":"{%s}",%s}}`, typ, typ, member)
	a := b.as(b.mine, method, b.mine.fill(path), b.mine.fill(body))
	if a.status >= 500 {
		b.tb.Errorf("%s: %d", a.request, a.status)
	}
	*state = *b.standing(typ)
	is := state.shown
	for _, name := range sorted(is) {
		ok := name == may || may == "value" && (name == "display_value" || name == "updated_at") || may == "delivered_at" && followsFromDelivery[name] || may == "customer" && name == "customer_name" || name == "updated_at" && (typ == "tracking_request" || typ == "document" || typ == "tariff" || typ == "exception" || typ == "exception_settings")
		if !ok && !reflect.DeepEqual(was[name], is[name]) {
			b.tb.Errorf("%s changed %s from %v to %v", a.request, name, was[name], is[name])
		}
	}
	changed := !maps.Equal(before, state.stored)
	if may == "" && changed {
		b.tb.Errorf("%s changed what is stored:\n%s", a.request, cmp.Diff(before, state.stored))
	}
	return changed
}

// accountState is the stored data of an account, and one of its resources as it is shown.
type accountState struct {
	stored map[string]string
	shown  map[string]any
}

func (b *bench) standing(typ string) *accountState {
	b.tb.Helper()
	return &accountState{b.store.stored(b.tb, b.mine.account), b.show(typ)}
}

// show returns the attributes and relationships of the tenant's resource.
func (b *bench) show(typ string) map[string]any {
	b.tb.Helper()
	path := "/v2/" + map[string]string{"shipment": "shipments", "container": "containers", "tracking_request": "tracking_requests", "party": "parties", "webhook": "webhooks", "document": "documents", "tariff": "tariffs", "exception": "exceptions",
		"custom_field": "custom_fields", "custom_field_definition": "custom_field_definitions",
		"custom_field_option": b.mine.fill("custom_field_definitions/{custom_field_definition}/options")}[typ]
	path += "/" + b.mine.ids[typ]
	if typ == "exception_settings" {
		path = "/v2/exception_settings" // there is one
	}
	data := b.as(b.mine, "GET", path+"?include=", "").want(200).doc()["data"].(map[string]any)
	all := map[string]any{"id": data["id"], "type": data["type"]}
	for _, part := range []string{"attributes", "relationships"} {
		for name, v := range data[part].(map[string]any) {
			all[name] = v
		}
	}
	return all
}

// A create ignores all members except its own: sending every name creates the same
// resource.
func TestCreateIgnoresOtherMembers(t *testing.T) {
	for _, row := range []struct {
		path, typ, own string
		takes          string // names that a create does read
	}{
		{"/v2/parties", "party", `"company_name":"B"`, " company_name "},
		{"/v2/webhooks", "webhook", `"url":"https://example.com/b","events":["container.created"]`, " url events active headers format template "},
		{"/v2/tracking_requests", "tracking_request", goodRequest, " request_type request_number scac ref_numbers tags shipment_tags auto_detect_vocc_scac initial_custom_fields "},
	} {
		plain := newBench(t)
		want := plain.as(plain.mine, "POST", row.path, `{"data":{"type":"`+row.typ+`","attributes":{`+row.own+`}}}`).want(201)
		var extra strings.Builder
		for _, name := range namesOf(t) {
			if !strings.Contains(row.takes, " "+name+" ") {
				extra.WriteString(`,"` + name + `":"hacked"`)
			}
		}
		b := newBench(t)
		got := b.as(b.mine, "POST", row.path, `{"data":{"type":"`+row.typ+`","id":"`+randomUUID+`","attributes":{`+row.own+extra.String()+`}}}`).want(201)
		body, _, ignored := strings.Cut(string(got.body), `,"meta":{"ignored":`)
		if readable(body+"}") != readable(string(want.body)) || !ignored {
			t.Errorf("%s made %s, want %s and the ignored members", row.path, got.body, want.body)
		}
		if got.id() == randomUUID {
			t.Errorf("%s took the client's ID", row.path)
		}
	}
}
