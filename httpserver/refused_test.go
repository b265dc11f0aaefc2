package httpserver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	newRequest   = `{"data":{"type":"tracking_request","attributes":{%s}}}`
	goodRequest  = `"request_type":"bill_of_lading","request_number":"MAEU1","scac":"MAEU"`
	randomUUID   = "5a3cbd2e-8f5b-4a53-9a53-0d3c4f0f7b11"
	noUUID       = "not-a-uuid"
	vendorHeader = "Content-Type: application/vnd.api+json"
)

func trackingRequest(attributes string) string { return fmt.Sprintf(newRequest, attributes) }

func customer(id string) string {
	return `{"data":{"type":"tracking_request","attributes":{` + goodRequest + `},"relationships":{"customer":{"data":{"type":"party","id":"` + id + `"}}}}}`
}

func hook(attributes string) string {
	return `{"data":{"type":"webhook","attributes":{` + attributes + `}}}`
}

const goodWebhook = `"url":"https://example.com/b","events":["container.created"]`

func strung(n int) string { return strings.TrimSuffix(strings.Repeat(`"x",`, n), ",") }

// refusals has all errors of clients. Each row gets the status, codes and sources in
// want, and the document in testdata/refusals.txt, and changes no stored data.
var refusals = []struct {
	name    string
	method  string
	path    string
	body    string
	headers []string
	want    string
}{
	// The body as a document.
	{"malformed JSON", "POST", "/v2/parties", `{"data":`, nil, "400 /data"},
	{"nothing", "POST", "/v2/parties", "", nil, "400"},
	{"blanks only", "POST", "/v2/parties", " \n", nil, "400"},
	{"no object", "POST", "/v2/parties", `[]`, nil, "400"},
	{"no data", "POST", "/v2/parties", `{}`, nil, "400 /data"},
	{"data is null", "PATCH", "/v2/shipments/{shipment}", `{"data":null}`, nil, "400 /data"},
	{"two documents", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B"}}}{}`, nil, "400"},
	{"attributes is a list", "POST", "/v2/parties", `{"data":{"attributes":[]}}`, nil, "400 /data/attributes"},
	{"duplicate keys", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B","company_name":"C"}}}`, nil, "400 /data/attributes/company_name"},
	{"escaped duplicate keys", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B","company\u005fname":"C"}}}`, nil, "400 /data/attributes/company_name"},
	{"depth of 1000", "POST", "/v2/parties", strings.Repeat(`{"a":`, 1000) + "1" + strings.Repeat("}", 1000), nil, "400 " + strings.Repeat("/a", 32)},
	{"NUL", "POST", "/v2/parties", "{\"data\":{\"attributes\":{\"company_name\":\"B\x00\"}}}", nil, "400 /data/attributes/company_name"},
	{"escaped NUL", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B\u0000"}}}`, nil, "400 /data/attributes/company_name"},
	{"invalid UTF-8", "POST", "/v2/parties", "{\"data\":{\"attributes\":{\"company_name\":\"B\xff\"}}}", nil, "400 /data/attributes/company_name"},
	{"half a surrogate", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"\ud800"}}}`, nil, "400 /data/attributes/company_name"},
	{"body of 10 MB", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"` + strings.Repeat("B", 10<<20) + `"}}}`, nil, "413"},
	{"body of 10 MB for an action", "PATCH", "/v2/shipments/{shipment}/stop_tracking", strings.Repeat(" ", 10<<20), nil, "413"},
	{"report of 17 MB", "POST", "/v2/reports", `{"source":"` + strings.Repeat("B", 17<<20) + `"}`, nil, "413"},
	{"list of 1001", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"tags":[` + strung(1001) + `]}}}`, nil, "422 too_long /data/attributes/tags"},

	// The past.
	{"as of no time", "GET", "/v2/shipments/{shipment}?as_of=yesterday", "", nil, "422 as_of"},
	{"as of nothing", "GET", "/v2/containers/{container}?as_of=", "", nil, "422 as_of"},
	{"as of a date", "GET", "/v2/containers/{container}?as_of=2026-03-02", "", nil, "422 as_of"},
	{"as of a year with five digits", "GET", "/v2/shipments/{shipment}?as_of=12026-03-02T09:00:00Z", "", nil, "422 as_of"},
	{"as of a second to come", "GET", "/v2/shipments/{shipment}?as_of=2026-03-02T09:00:01Z", "", nil, "422 as_of"},
	{"as of before the shipment", "GET", "/v2/shipments/{shipment}?as_of=2026-03-02T08:59:59.999Z", "", nil, "404 not_yet"},
	{"as of before the container", "GET", "/v2/containers/{container}?as_of=0001-01-01T00:00:00Z", "", nil, "404 not_yet"},
	{"report card as of nothing", "GET", "/v2/report_card?as_of=", "", nil, "422 as_of"},
	{"report card as of a second to come", "GET", "/v2/report_card?as_of=2026-03-02T09:00:01Z", "", nil, "422 as_of"},
	{"report card as PDF", "GET", "/v2/report_card?format=pdf", "", nil, "422 format"},
	{"charges as of nothing", "GET", "/v2/containers/{container}/charges?as_of=", "", nil, "422 as_of"},
	{"charges as of a second to come", "GET", "/v2/containers/{container}/charges?as_of=2026-03-02T09:00:01Z", "", nil, "422 as_of"},
	{"charges before the container", "GET", "/v2/containers/{container}/charges?as_of=0001-01-01T00:00:00Z", "", nil, "404 not_yet"},
	{"as of of a list", "GET", "/v2/shipments?as_of=2026-03-02T09:00:00Z", "", nil, "400 as_of"},
	{"as of of containers", "GET", "/v2/containers?as_of=", "", nil, "400 as_of"},
	{"as of of a write", "PATCH", "/v2/shipments/{shipment}?as_of=2026-03-02T09:00:00Z", `{"data":{"type":"shipment","attributes":{"tags":["past"]}}}`, nil, "400 as_of"},
	{"as of of a party", "GET", "/v2/parties/{party}?as_of=2026-03-02T09:00:00Z", "", nil, "400 as_of"},
	{"as of and facts", "GET", "/v2/containers/{container}?as_of=2026-03-02T09:00:00Z&include=raw_events", "", nil, "400 include"},
	{"as of and milestones of boxes", "GET", "/v2/shipments/{shipment}?as_of=2026-03-02T09:00:00Z&include=containers.transport_events", "", nil, "400 include"},
	{"as of and custom fields", "GET", "/v2/shipments/{shipment}?as_of=2026-03-02T09:00:00Z&include=containers.custom_fields", "", nil, "400 include"},
	{"as of and an unknown include", "GET", "/v2/shipments/{shipment}?as_of=2026-03-02T09:00:00Z&include=cargo", "", nil, "400 include"},
	{"revisions of no estimate", "GET", "/v2/shipments/{shipment}/eta_revisions?filter[attribute]=pod_vessel_name", "", nil, "422 filter[attribute]"},
	{"revisions of what is not kept", "GET", "/v2/containers/{container}/history?filter[attribute]=tags", "", nil, "422 filter[attribute]"},
	{"revisions by another filter", "GET", "/v2/containers/{container}/history?filter[source]=x", "", nil, "400 filter[source]"},
	{"revisions of an unknown shipment", "GET", "/v2/shipments/" + randomUUID + "/eta_revisions", "", nil, "404"},

	// The media type.
	{"text", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B"}}}`, []string{"Content-Type: text/plain"}, "415"},
	{"form", "POST", "/v2/parties", `a=b`, []string{"Content-Type: application/x-www-form-urlencoded"}, "415"},
	{"compressed", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B"}}}`, []string{"Content-Encoding: gzip"}, "415"},
	{"action of text", "PATCH", "/v2/shipments/{shipment}/stop_tracking", `stop`, []string{"Content-Type: text/plain"}, "415"},

	// data.type and data.id.
	{"wrong type", "POST", "/v2/tracking_requests", `{"data":{"type":"shipment","attributes":{` + goodRequest + `}}}`, nil, "422 invalid /data/type"},
	{"no type", "POST", "/v2/tracking_requests", `{"data":{"attributes":{` + goodRequest + `}}}`, nil, "422 blank /data/type"},
	{"type is a number", "POST", "/v2/tracking_requests", `{"data":{"type":1,"attributes":{` + goodRequest + `}}}`, nil, "400 /data/type"},
	{"wrong type of a shipment", "PATCH", "/v2/shipments/{shipment}", `{"data":{"type":"container","attributes":{"tags":["x"]}}}`, nil, "422 invalid /data/type"},
	{"wrong type of a party", "PATCH", "/v2/parties/{party}", `{"data":{"type":"user","attributes":{"company_name":"B"}}}`, nil, "422 invalid /data/type"},
	{"wrong type of an action", "PATCH", "/v2/shipments/{shipment}/stop_tracking", `{"data":{"type":"container"}}`, nil, "422 invalid /data/type"},
	{"other ID in the body", "PATCH", "/v2/shipments/{shipment}", `{"data":{"id":"` + randomUUID + `","attributes":{"tags":["x"]}}}`, nil, "409 id_mismatch /data/id"},
	{"other ID in an action", "PATCH", "/v2/shipments/{shipment}/stop_tracking", `{"data":{"id":"` + randomUUID + `"}}`, nil, "409 id_mismatch /data/id"},
	{"no ID where the body has to name it", "PATCH", "/v2/containers", `{"data":{"type":"container","attributes":{"ref_numbers":[]}}}`, nil, "422 blank /data/id"},
	{"unknown ID in the body", "PATCH", "/v2/containers", `{"data":{"type":"container","id":"` + randomUUID + `","attributes":{"ref_numbers":[]}}}`, nil, "404"},
	{"no UUID in the body", "PATCH", "/v2/containers", `{"data":{"type":"container","id":"x","attributes":{"ref_numbers":[]}}}`, nil, "404"},

	// Attributes of wrong types.
	{"number for a text", "POST", "/v2/tracking_requests", trackingRequest(`"request_type":"bill_of_lading","request_number":77,"scac":"MAEU"`), nil, "422 invalid_type /data/attributes/request_number"},
	{"text for a list", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"tags":"x"}}}`, nil, "422 invalid_type /data/attributes/tags"},
	{"delivered tomorrow", "PATCH", "/v2/containers/{container}", `{"data":{"type":"container","attributes":{"delivered_at":"2199-01-01T00:00:00Z"}}}`, nil, "422 in_the_future /data/attributes/delivered_at"},
	{"delivered in the year 1", "PATCH", "/v2/containers/{container}", `{"data":{"type":"container","attributes":{"delivered_at":"0001-01-01T00:00:00Z"}}}`, nil, "422 invalid /data/attributes/delivered_at"},
	{"delivered without a zone", "PATCH", "/v2/containers/{container}", `{"data":{"type":"container","attributes":{"delivered_at":"2026-03-01T22:00:00"}}}`, nil, "422 invalid /data/attributes/delivered_at"},
	{"delivered, yes", "PATCH", "/v2/containers/{container}", `{"data":{"type":"container","attributes":{"delivered_at":true}}}`, nil, "422 invalid_type /data/attributes/delivered_at"},
	{"list of numbers", "PATCH", "/v2/containers/{container}", `{"data":{"type":"container","attributes":{"ref_numbers":["a",1]}}}`, nil, "422 invalid_type /data/attributes/ref_numbers/1"},
	{"text for a truth", "POST", "/v2/tracking_requests", trackingRequest(goodRequest + `,"auto_detect_vocc_scac":"yes"`), nil, "422 invalid_type /data/attributes/auto_detect_vocc_scac"},
	{"object for a name", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":{}}}}`, nil, "422 invalid_type /data/attributes/company_name"},
	{"promise of no time", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"promised_arrival_at":"soon"}}}`, nil, "422 invalid /data/attributes/promised_arrival_at"},
	{"promise before 1970", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"promised_arrival_at":"0001-01-01T00:00:00Z"}}}`, nil, "422 invalid /data/attributes/promised_arrival_at"},
	{"two faults", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"tags":"x","ref_numbers":1}}}`, nil, "422 invalid_type /data/attributes/ref_numbers invalid_type /data/attributes/tags"},
	{"relationship is a text", "PATCH", "/v2/shipments/{shipment}", `{"data":{"relationships":{"customer":"x"}}}`, nil, "400 /data/relationships/customer"},
	{"list for one customer", "PATCH", "/v2/shipments/{shipment}", `{"data":{"relationships":{"customer":{"data":[]}}}}`, nil, "422 invalid_type /data/relationships/customer/data"},
	{"customer of a wrong type", "PATCH", "/v2/shipments/{shipment}", `{"data":{"relationships":{"customer":{"data":{"type":"user","id":"{user}"}}}}}`, nil, "422 invalid /data/relationships/customer/data/type"},

	// Values that are not allowed.
	{"blank number", "POST", "/v2/tracking_requests", trackingRequest(`"request_type":"bill_of_lading","request_number":"  ","scac":"MAEU"`), nil, "422 blank /data/attributes/request_number"},
	{"no number", "POST", "/v2/tracking_requests", trackingRequest(`"request_type":"bill_of_lading","scac":"MAEU"`), nil, "422 blank /data/attributes/request_number"},
	{"number of 51", "POST", "/v2/tracking_requests", trackingRequest(`"request_type":"bill_of_lading","request_number":"` + strings.Repeat("A", 51) + `","scac":"MAEU"`), nil, "422 too_long /data/attributes/request_number"},
	{"number of marks", "POST", "/v2/tracking_requests", trackingRequest(`"request_type":"bill_of_lading","request_number":"---","scac":"MAEU"`), nil, "422 invalid /data/attributes/request_number"},
	{"unknown request type", "POST", "/v2/tracking_requests", trackingRequest(`"request_type":"house_bill","request_number":"MAEU1","scac":"MAEU"`), nil, "422 inclusion /data/attributes/request_type"},
	{"unknown SCAC", "POST", "/v2/tracking_requests", trackingRequest(`"request_type":"bill_of_lading","request_number":"MAEU1","scac":"XXXX"`), nil, "422 not_recognized /data/attributes/scac"},
	{"sandbox that is not configured", "POST", "/v2/tracking_requests", trackingRequest(`"request_type":"bill_of_lading","request_number":"MAEU1","scac":"TEST"`), nil, "422 not_recognized /data/attributes/scac"},
	{"duplicate request", "POST", "/v2/tracking_requests", trackingRequest(`"request_type":"bill_of_lading","request_number":"MAEU77001","scac":"MAEU"`), nil, "422 duplicate /data/attributes/request_number"},
	{"all at once", "POST", "/v2/tracking_requests", trackingRequest(`"request_type":"x","request_number":"","scac":"XXXX"`), nil, "422 blank /data/attributes/request_number inclusion /data/attributes/request_type not_recognized /data/attributes/scac"},
	{"unknown initial field", "POST", "/v2/tracking_requests", trackingRequest(goodRequest + `,"initial_custom_fields":{"shipment":[{"api_slug":"a","value":"b"}]}`), nil, "422 not_found /data/attributes/initial_custom_fields/shipment/0/api_slug"},
	{"initial field of a container for the shipment", "POST", "/v2/tracking_requests", trackingRequest(goodRequest + `,"initial_custom_fields":{"shipment":[{"api_slug":"lot","value":"b"}]}`), nil, "422 entity_type_mismatch /data/attributes/initial_custom_fields/shipment/0/api_slug"},
	{"initial value that is no option", "POST", "/v2/tracking_requests", trackingRequest(goodRequest + `,"initial_custom_fields":{"shipment":[{"api_slug":"po","value":"b"},{"api_slug":"grade","value":"b"}]}`), nil, "422 inclusion /data/attributes/initial_custom_fields/shipment/1/value"},
	{"initial field twice", "POST", "/v2/tracking_requests", trackingRequest(goodRequest + `,"initial_custom_fields":{"containers":[{"api_slug":"lot","value":"b"},{"api_slug":"lot","value":"c","number":""}]}`), nil, "422 taken /data/attributes/initial_custom_fields/containers/1/api_slug"},
	{"initial field without a value", "POST", "/v2/tracking_requests", trackingRequest(goodRequest + `,"initial_custom_fields":{"containers":[{"api_slug":"lot"}]}`), nil, "422 blank /data/attributes/initial_custom_fields/containers/0/value"},
	{"initial field of no container", "POST", "/v2/tracking_requests", trackingRequest(goodRequest + `,"initial_custom_fields":{"containers":[{"api_slug":"lot","value":"b","number":"box 7"}]}`), nil, "422 invalid /data/attributes/initial_custom_fields/containers/0/number"},
	{"number of a shipment's initial field", "POST", "/v2/tracking_requests", trackingRequest(goodRequest + `,"initial_custom_fields":{"shipment":[{"api_slug":"po","value":"b","number":"MRKU9465770"}]}`), nil, "422 not_allowed /data/attributes/initial_custom_fields/shipment/0/number"},
	{"initial fields that are a list", "POST", "/v2/tracking_requests", trackingRequest(goodRequest + `,"initial_custom_fields":[]`), nil, "422 invalid_type /data/attributes/initial_custom_fields"},
	{"bulk of no list", "POST", "/v2/tracking_requests/bulk", `{"data":{"type":"tracking_request"}}`, nil, "422 blank /data"},
	{"bulk of nothing", "POST", "/v2/tracking_requests/bulk", `{"data":[]}`, nil, "422 too_long /data"},
	{"bulk of 101", "POST", "/v2/tracking_requests/bulk", `{"data":[` + strings.TrimSuffix(strings.Repeat("{},", 101), ",") + `]}`, nil, "422 too_long /data"},
	{"bulk of no JSON", "POST", "/v2/tracking_requests/bulk", `{"data":[`, nil, "400 /data/0"},
	{"search for nothing", "GET", "/v2/search", "", nil, "400"},
	{"search for blanks", "GET", "/v2/search?query=%20", "", nil, "400"},
	{"search for 201 characters", "GET", "/v2/search?query=" + strings.Repeat("7", 201), "", nil, "422 query"},
	{"route with what it has not", "GET", "/v2/containers/{container}/route?include=shipment", "", nil, "400 include"},
	{"ports by what they have not", "GET", "/v2/ports?filter[zone]=x", "", nil, "400 filter[zone]"},
	{"terminals of no port", "GET", "/v2/terminals?filter[port]=x", "", nil, "422 filter[port]"},
	{"positions from no time", "GET", "/v2/vessels/{vessel}?show_positions[from_timestamp]=yesterday", "", nil, "422 show_positions[from_timestamp]"},
	{"positions to before they begin", "GET", "/v2/vessels/{vessel}?show_positions[from_timestamp]=2026-03-02T00:00:00Z&show_positions[to_timestamp]=2026-03-01T00:00:00Z", "", nil, "422 show_positions[from_timestamp]"},
	{"positions of two years", "GET", "/v2/vessels/{vessel}?show_positions[from_timestamp]=2024-03-02T00:00:00Z", "", nil, "422 show_positions[from_timestamp]"},
	{"future positions to nowhere", "GET", "/v2/vessels/{vessel}/future_positions", "", nil, "422 port_id previous_port_id"},
	{"future positions to no port", "GET", "/v2/vessels/{vessel}/future_positions?port_id={vessel}&previous_port_id={port}", "", nil, "422 port_id"},
	{"future positions from off the globe", "GET", "/v2/vessels/{vessel}/future_positions_with_coordinates" + aheadOfOakland + "&latitude=91&longitude=NaN", "", nil, "422 latitude longitude"},
	{"infer nothing", "POST", "/v2/tracking_requests/infer_number", `{}`, nil, "422 blank /number"},
	{"infer null", "POST", "/v2/tracking_requests/infer_number", `{"number":null}`, nil, "422 blank /number"},
	{"infer a JSON number", "POST", "/v2/tracking_requests/infer_number", `{"number":987654321}`, nil, "422 invalid_type /number"},
	{"infer a name", "POST", "/v2/tracking_requests/infer_number", `{"number":"the blue box"}`, nil, "422 invalid /number"},
	{"infer three digits", "POST", "/v2/tracking_requests/infer_number", `{"number":"123"}`, nil, "422 invalid /number"},
	{"infer 51 characters", "POST", "/v2/tracking_requests/infer_number", `{"number":"` + strings.Repeat("7", 51) + `"}`, nil, "422 too_long /number"},
	{"infer a control character", "POST", "/v2/tracking_requests/infer_number", `{"number":"12\u0007345"}`, nil, "422 invalid /number"},
	{"infer a list", "POST", "/v2/tracking_requests/infer_number", `["MSCU1234567"]`, nil, "400"},
	{"infer from no body", "POST", "/v2/tracking_requests/infer_number", ``, nil, "400"},
	{"tag twice", "POST", "/v2/tracking_requests", trackingRequest(goodRequest + `,"tags":["a","a"]`), nil, "422 taken /data/attributes/tags"},
	{"shipment tag twice", "POST", "/v2/tracking_requests", trackingRequest(goodRequest + `,"shipment_tags":["a","a"]`), nil, "422 taken /data/attributes/shipment_tags"},
	{"blank reference", "PATCH", "/v2/tracking_requests/{tracking_request}", `{"data":{"attributes":{"ref_number":" "}}}`, nil, "422 blank /data/attributes/ref_number"},
	{"101 tags", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"tags":[` + strung(101) + `]}}}`, nil, "422 too_long /data/attributes/tags"},
	{"tag of 256", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"tags":["` + strings.Repeat("x", 256) + `"]}}}`, nil, "422 too_long /data/attributes/tags"},
	{"blank name", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":" "}}}`, nil, "422 blank /data/attributes/company_name"},
	{"no name", "POST", "/v2/parties", `{"data":{}}`, nil, "422 blank /data/attributes/company_name"},
	{"name is null", "PATCH", "/v2/parties/{party}", `{"data":{"attributes":{"company_name":null}}}`, nil, "422 blank /data/attributes/company_name"},
	{"name that is taken", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"ACME"}}}`, nil, "422 taken /data/attributes/customer"},
	{"unknown customer", "POST", "/v2/tracking_requests", customer(randomUUID), nil, "422 not_found /data/relationships/customer"},
	{"customer without a UUID", "POST", "/v2/tracking_requests", customer(noUUID), nil, "422 not_found /data/relationships/customer"},
	{"customer zero", "POST", "/v2/tracking_requests", customer("00000000-0000-0000-0000-000000000000"), nil, "422 not_found /data/relationships/customer"},
	{"customer zero of a shipment", "PATCH", "/v2/shipments/{shipment}", `{"data":{"relationships":{"customer":{"data":{"type":"party","id":"00000000-0000-0000-0000-000000000000"}}}}}`, nil, "422 not_found /data/relationships/customer"},

	// Queries.
	{"page of size 0", "GET", "/v2/shipments?page[size]=0", "", nil, "400 page[size]"},
	{"page of size abc", "GET", "/v2/containers?page[size]=abc", "", nil, "400 page[size]"},
	{"page number 0", "GET", "/v2/parties?page[number]=0", "", nil, "400 page[number]"},
	{"page number -1", "GET", "/v2/tracking_requests?page[number]=-1", "", nil, "400 page[number]"},
	{"page number too large", "GET", "/v2/shipments?page[number]=99999999999999999999", "", nil, "400 page[number]"},
	{"other page parameter", "GET", "/v2/shipments?page[limit]=3", "", nil, "400 page[limit]"},
	{"page of a single resource", "GET", "/v2/shipments/{shipment}?page[size]=3", "", nil, "400 page[size]"},
	{"page of what has none", "GET", "/v2/containers/{container}/raw_events?page[size]=3", "", nil, "400 page[size]"},
	{"page of the shipping lines", "GET", "/v2/shipping_lines?page[number]=1", "", nil, "400 page[number]"},
	{"unknown include", "GET", "/v2/shipments?include=owner", "", nil, "400 include"},
	{"unknown include of one", "GET", "/v2/containers/{container}?include=shipment.owner", "", nil, "400 include"},
	{"include of what has none", "GET", "/v2/parties?include=shipments", "", nil, "400 include"},
	{"include on a write", "PATCH", "/v2/shipments/{shipment}?include=containers", `{"data":{"attributes":{"tags":["x"]}}}`, nil, "400 include"},
	{"include of 4 steps", "GET", "/v2/containers?include=shipment.containers.shipment.containers", "", nil, "400 include"},
	{"include of 11 paths", "GET", "/v2/containers?include=a,b,c,d,e,f,g,h,i,j,k", "", nil, "400 include"},
	{"unknown filter", "GET", "/v2/shipments?filter[status]=new", "", nil, "400 filter[status]"},
	{"unknown filter beside a bad value", "GET", "/v2/shipments?filter[tracking_stopped]=maybe&filter[x]=1", "", nil, "400 filter[x]"},
	{"filter of transport events", "GET", "/v2/containers/{container}/transport_events?filter[event]=x", "", nil, "400 filter[event]"},
	{"filter of a write", "POST", "/v2/parties?filter[a]=b", `{"data":{"attributes":{"company_name":"B"}}}`, nil, "400 filter[a]"},
	{"filter by an unknown field", "GET", "/v2/shipments?filter[custom_fields][none]=x", "", nil, "400 filter[custom_fields][none]"},
	{"filter by a field in no way known", "GET", "/v2/shipments?filter[custom_fields][po][like]=x", "", nil, "400 filter[custom_fields][po][like]"},
	{"filter by the order of texts", "GET", "/v2/shipments?filter[custom_fields][po][gt]=x", "", nil, "400 filter[custom_fields][po][gt]"},
	{"filter by all fields", "GET", "/v2/shipments?filter[custom_fields]=x", "", nil, "400 filter[custom_fields]"},
	{"filter by the field of shipments", "GET", "/v2/containers?filter[custom_fields][grade]=high", "", nil, "400 filter[custom_fields][grade]"},
	{"filter by a presence that is neither", "GET", "/v2/shipments?filter[custom_fields][po][present]=maybe", "", nil, "422 filter[custom_fields][po][present]"},
	{"filter by an empty field", "GET", "/v2/tracking_requests?filter[custom_fields][po][in]=,", "", nil, "422 filter[custom_fields][po][in]"},
	{"sort by an unknown field", "GET", "/v2/shipments?sort=custom_fields.none", "", nil, "400 sort"},
	{"sort by all fields", "GET", "/v2/shipments?sort=custom_fields", "", nil, "400 sort"},
	{"filter twice", "GET", "/v2/shipments?filter[scac]=MAEU&filter[scac]=MSCU", "", nil, "400 filter[scac]"},
	{"unknown sort", "GET", "/v2/shipments?sort=pickup_lfd", "", nil, "400 sort"},
	{"sort of what has none", "GET", "/v2/parties?sort=company_name", "", nil, "400 sort"},
	{"broken percent", "GET", "/v2/shipments?number=%zz", "", nil, "400 number"},
	{"impossible truth", "GET", "/v2/shipments?filter[tracking_stopped]=maybe", "", nil, "422 filter[tracking_stopped]"},
	{"impossible time", "GET", "/v2/containers?filter[pickup_lfd][start]=tomorrow", "", nil, "422 filter[pickup_lfd][start]"},
	{"impossible status", "GET", "/v2/containers?filter[status]=lost", "", nil, "422 filter[status]"},
	{"impossible status of a request", "GET", "/v2/tracking_requests?filter[status]=new", "", nil, "422 filter[status]"},
	{"impossible ID", "GET", "/v2/shipments?filter[customer_id]=x", "", nil, "422 filter[customer_id]"},
	{"empty filter", "GET", "/v2/shipments?filter[scac]=", "", nil, "422 filter[scac]"},
	{"q of 201", "GET", "/v2/shipments?q=" + strings.Repeat("x", 201), "", nil, "422 q"},
	{"number of 201", "GET", "/v2/shipments?number=" + strings.Repeat("x", 201), "", nil, "422 number"},

	// What is not there.
	{"unknown shipment", "GET", "/v2/shipments/" + randomUUID, "", nil, "404"},
	{"unknown port", "GET", "/v2/ports/XXXXX", "", nil, "404"},
	{"unknown vessel", "GET", "/v2/vessels/0000000", "", nil, "404"},
	{"unknown line", "GET", "/v2/shipping_lines/XXXX", "", nil, "404"},
	{"events of an unknown container", "GET", "/v2/containers/" + randomUUID + "/transport_events", "", nil, "404"},
	{"events of the zero container", "GET", "/v2/containers/00000000-0000-0000-0000-000000000000/transport_events", "", nil, "404"},
	{"facts of the zero container", "GET", "/v2/containers/00000000-0000-0000-0000-000000000000/raw_events", "", nil, "404"},
	{"refresh of an unknown container", "PATCH", "/v2/containers/" + randomUUID + "/refresh", "", nil, "404"},
	{"unknown path", "GET", "/v2/ships", "", nil, "404"},
	{"below an ID", "GET", "/v2/shipments/{shipment}/x", "", nil, "404"},
	{"slash at the end", "GET", "/v2/shipments/", "", nil, "404"},
	{"double slash", "GET", "/v2//shipments", "", nil, "404"},
	{"dots", "GET", "/v2/shipments/../parties", "", nil, "404"},
	{"escaped dots", "GET", "/v2/shipments/%2e%2e/parties", "", nil, "404"},
	{"escaped slash", "GET", "/v2/shipments%2F{shipment}", "", nil, "404"},
	{"the prefix itself", "GET", "/v2", "", nil, "404"},
	{"outside the prefix", "GET", "/shipments", "", nil, "404"},
	{"no method of the path", "DELETE", "/v2/shipments/{shipment}", "", nil, "405"},
	{"no method of the list", "PUT", "/v2/parties", `{}`, nil, "405"},
	{"reading of what infers", "GET", "/v2/tracking_requests/infer_number", "", nil, "405"},
	{"changing what infers", "PATCH", "/v2/tracking_requests/infer_number", `{}`, nil, "405"},
	{"deleting what infers", "DELETE", "/v2/tracking_requests/infer_number", "", nil, "405"},
	{"unknown method", "BREW", "/v2/shipments", "", nil, "405"},
	{"options", "OPTIONS", "/v2/shipments", "", nil, "405"},
	{"method of the probe", "POST", "/healthz", "", nil, "405"},

	// Headers.
	{"If-Match without quotes", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"tags":["x"]}}}`, []string{"If-Match: 1"}, "400"},
	{"If-Match of two", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"tags":["x"]}}}`, []string{`If-Match: "1", "2"`}, "400"},
	{"If-Match of another version", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"tags":["x"]}}}`, []string{`If-Match: "99"`}, "412 stale"},
	{"weak If-Match", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"tags":["x"]}}}`, []string{`If-Match: W/"2"`}, "412 stale"},
	{"If-Match of another server", "PATCH", "/v2/parties/{party}", `{"data":{"attributes":{"company_name":"B"}}}`, []string{`If-Match: "abc"`}, "412 stale"},
	{"If-Match of version zero", "PATCH", "/v2/parties/{party}", `{"data":{"attributes":{"company_name":"B"}}}`, []string{`If-Match: "0"`}, "412 stale"},
	{"If-Match on an action", "PATCH", "/v2/shipments/{shipment}/stop_tracking", "", []string{`If-Match: "2"`}, "400"},
	{"blank Idempotency-Key", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B"}}}`, []string{"Idempotency-Key:  "}, "400"},
	{"Idempotency-Key of 256", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B"}}}`, []string{"Idempotency-Key: " + strings.Repeat("x", 256)}, "400"},
	{"no key", "GET", "/v2/shipments", "", []string{"Authorization: "}, "401"},
	{"another scheme", "GET", "/v2/shipments", "", []string{"Authorization: Bearer x"}, "401"},
	{"no such key", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B"}}}`, []string{"Authorization: Token lf_x"}, "401"},
	{"unknown path without a key", "GET", "/v2/ships", "", []string{"Authorization: "}, "401"},

	// Webhooks.
	{"webhook without a type", "POST", "/v2/webhooks", `{"data":{"attributes":{` + goodWebhook + `}}}`, nil, "422 blank /data/type"},
	{"webhook of another type", "PATCH", "/v2/webhooks/{webhook}", `{"data":{"type":"hook","attributes":{}}}`, nil, "422 invalid /data/type"},
	{"webhook of nothing", "POST", "/v2/webhooks", hook(``), nil, "422 blank /data/attributes/url blank /data/attributes/events"},
	{"webhook at a number", "POST", "/v2/webhooks", hook(`"url":7,"events":["container.created"]`), nil, "422 invalid_type /data/attributes/url"},
	{"webhook at no URL", "POST", "/v2/webhooks", hook(`"url":"example.com/hook","events":["container.created"]`), nil, "422 invalid /data/attributes/url"},
	{"webhook by FTP", "POST", "/v2/webhooks", hook(`"url":"ftp://example.com","events":["container.created"]`), nil, "422 invalid /data/attributes/url"},
	{"webhook with a password", "PATCH", "/v2/webhooks/{webhook}", hook(`"url":"https://kim:pass@example.com"`), nil, "422 invalid /data/attributes/url"},
	{"webhook with a fragment", "PATCH", "/v2/webhooks/{webhook}", hook(`"url":"https://example.com/#top"`), nil, "422 invalid /data/attributes/url"},
	{"webhook at null", "PATCH", "/v2/webhooks/{webhook}", hook(`"url":null`), nil, "422 blank /data/attributes/url"},
	{"webhook of 2049 bytes", "PATCH", "/v2/webhooks/{webhook}", hook(`"url":"https://example.com/` + strings.Repeat("x", 2049-20) + `"`), nil, "422 too_long /data/attributes/url"},
	{"webhook of another format", "PATCH", "/v2/webhooks/{webhook}", hook(`"format":"discord"`), nil, "422 inclusion /data/attributes/format"},
	{"webhook of no format", "PATCH", "/v2/webhooks/{webhook}", hook(`"format":null`), nil, "422 inclusion /data/attributes/format"},
	{"webhook with a template too many", "PATCH", "/v2/webhooks/{webhook}", hook(`"template":"{}"`), nil, "422 present /data/attributes/template"},
	{"webhook without its template", "POST", "/v2/webhooks", hook(goodWebhook + `,"format":"template"`), nil, "422 blank /data/attributes/template"},
	{"webhook with a broken template", "POST", "/v2/webhooks", hook(goodWebhook + `,"format":"template","template":"{{range}"`), nil, "422 invalid /data/attributes/template"},
	{"webhook with a template of text", "POST", "/v2/webhooks", hook(goodWebhook + `,"format":"template","template":"text"`), nil, "422 invalid /data/attributes/template"},
	{"webhook of no event", "PATCH", "/v2/webhooks/{webhook}", hook(`"events":[]`), nil, "422 blank /data/attributes/events"},
	{"webhook of null events", "PATCH", "/v2/webhooks/{webhook}", hook(`"events":null`), nil, "422 blank /data/attributes/events"},
	{"webhook of an unknown event", "PATCH", "/v2/webhooks/{webhook}", hook(`"events":["container.created","link.created"]`), nil, "422 inclusion /data/attributes/events"},
	{"webhook of one event twice", "PATCH", "/v2/webhooks/{webhook}", hook(`"events":["container.created","container.created"]`), nil, "422 taken /data/attributes/events"},
	{"webhook of a text for events", "PATCH", "/v2/webhooks/{webhook}", hook(`"events":"container.created"`), nil, "422 invalid_type /data/attributes/events"},
	{"webhook that is null active", "PATCH", "/v2/webhooks/{webhook}", hook(`"active":null`), nil, "422 invalid_type /data/attributes/active"},
	{"webhook with a header of its own kind", "PATCH", "/v2/webhooks/{webhook}", hook(`"headers":{"X-A":"b"}`), nil, "422 invalid_type /data/attributes/headers"},
	{"webhook with a header of no name", "PATCH", "/v2/webhooks/{webhook}", hook(`"headers":[{"name":"","value":"b"}]`), nil, "422 blank /data/attributes/headers/0/name"},
	{"webhook with a header of no value", "PATCH", "/v2/webhooks/{webhook}", hook(`"headers":[{"name":"X-A"}]`), nil, "422 blank /data/attributes/headers/0/value"},
	{"webhook with a broken header", "PATCH", "/v2/webhooks/{webhook}", hook(`"headers":[{"name":"X-A","value":"b\r\nHost: evil"},{"name":"X A","value":"b"}]`), nil, "422 invalid /data/attributes/headers/0/value invalid /data/attributes/headers/1/name"},
	{"webhook with headers of ours", "POST", "/v2/webhooks", hook(goodWebhook + `,"headers":[{"name":"Webhook-Id","value":"b"},{"name":"host","value":"b"}]`), nil, "422 exclusion /data/attributes/headers/0/name exclusion /data/attributes/headers/1/name"},
	{"webhook with one header twice", "PATCH", "/v2/webhooks/{webhook}", hook(`"headers":[{"name":"X-A","value":"b"},{"name":"x-a","value":"c"}]`), nil, "422 taken /data/attributes/headers/1/name"},
	{"webhook with 21 headers", "PATCH", "/v2/webhooks/{webhook}", hook(`"headers":[` + strings.TrimSuffix(strings.Repeat(`{"name":"X-A","value":"b"},`, 21), ",") + `]`), nil, "422 too_many /data/attributes/headers"},
	{"webhook of another version", "PATCH", "/v2/webhooks/{webhook}", hook(`"headers":[]`), []string{`If-Match: "99"`}, "412 stale"},
	{"webhook of another ID", "PATCH", "/v2/webhooks/{webhook}", `{"data":{"type":"webhook","id":"` + randomUUID + `","attributes":{}}}`, nil, "409 id_mismatch /data/id"},
	{"webhooks by URL", "GET", "/v2/webhooks?filter[url]=x", "", nil, "400 filter[url]"},
	{"deletion of a version", "DELETE", "/v2/webhooks/{webhook}", "", []string{`If-Match: "1"`}, "400"},
	{"deletion of another", "DELETE", "/v2/webhooks/{webhook}", `{"data":{"id":"` + randomUUID + `"}}`, nil, "409 id_mismatch /data/id"},
	{"deletion of the events", "DELETE", "/v2/webhooks/events", "", nil, "405"},
	{"reading what triggers", "GET", "/v2/webhooks/trigger", "", nil, "405"},
	{"changing the addresses", "PATCH", "/v2/webhooks/ips", "{}", nil, "405"},
	{"page of the events", "GET", "/v2/webhooks/events?page[size]=1", "", nil, "400 page[size]"},
	{"trial of nothing", "POST", "/v2/webhooks/trigger", "", nil, "422"},
	{"trial at no URL", "POST", "/v2/webhooks/trigger", `{"event":"container.created"}`, nil, "422"},
	{"trial by FTP", "POST", "/v2/webhooks/trigger", `{"url":"ftp://example.com","event":"container.created"}`, nil, "422"},
	{"trial of no event", "POST", "/v2/webhooks/trigger", `{"url":"https://example.com"}`, nil, "422"},
	{"trial of an unknown event", "POST", "/v2/webhooks/trigger", `{"url":"https://example.com","event":"link.created"}`, nil, "422"},
	{"trial with half a secret", "POST", "/v2/webhooks/trigger", `{"url":"https://example.com","event":"container.created","secret":"whsec_abc"}`, nil, "422"},
	{"trial with a list", "POST", "/v2/webhooks/trigger", `{"url":["https://example.com"],"event":"container.created"}`, nil, "422"},
	{"trial of no JSON", "POST", "/v2/webhooks/trigger", `{"url":`, nil, "400 /url"},
	{"secret good for too long", "POST", "/v2/webhooks/{webhook}/rotate_secret", `{"overlap_seconds":604801}`, nil, "422 out_of_range /overlap_seconds"},
	{"secret good for ever", "POST", "/v2/webhooks/{webhook}/rotate_secret", `{"overlap_seconds":18446744074}`, nil, "422 out_of_range /overlap_seconds"},
	{"secret good until before", "POST", "/v2/webhooks/{webhook}/rotate_secret", `{"data":{"attributes":{"overlap_seconds":-1}}}`, nil, "422 out_of_range /data/attributes/overlap_seconds"},
	{"secret good for a day", "POST", "/v2/webhooks/{webhook}/rotate_secret", `{"overlap_seconds":"1d"}`, nil, "422 invalid_type /overlap_seconds"},
	{"secret of another", "POST", "/v2/webhooks/{webhook}/rotate_secret", `{"data":{"type":"webhook","id":"` + randomUUID + `"}}`, nil, "409 id_mismatch /data/id"},
	{"secret of a version", "POST", "/v2/webhooks/{webhook}/rotate_secret", "", []string{`If-Match: "1"`}, "400"},
	{"recovery since never", "POST", "/v2/webhooks/{webhook}/recover", "", nil, "422 blank /since"},
	{"recovery since yesterday", "POST", "/v2/webhooks/{webhook}/recover", `{"since":"yesterday"}`, nil, "422 invalid /since"},
	{"recovery until before", "POST", "/v2/webhooks/{webhook}/recover", `{"data":{"type":"webhook_recovery","attributes":{"since":"2026-03-02T00:00:00Z","until":"2026-03-01T00:00:00Z"}}}`, nil, "422 invalid /data/attributes/until"},
	{"recovery of 15 days", "POST", "/v2/webhooks/{webhook}/recover", `{"since":"2026-02-15T00:00:00Z"}`, nil, "422 out_of_range /since"},
	{"recovery of an unknown event", "POST", "/v2/webhooks/{webhook}/recover", `{"since":"2026-03-01T00:00:00Z","events":["x"]}`, nil, "422 inclusion /events"},
	{"recovery of another type", "POST", "/v2/webhooks/{webhook}/recover", `{"data":{"type":"webhook","attributes":{"since":"2026-03-01T00:00:00Z"}}}`, nil, "422 invalid /data/type"},
	{"recovery of an unknown webhook", "POST", "/v2/webhooks/" + randomUUID + "/recover", `{"since":"2026-03-01T00:00:00Z"}`, nil, "404"},
	{"notifications of an unknown event", "GET", "/v2/webhook_notifications?filter[event]=container.created,x", "", nil, "422 filter[event]"},
	{"notifications that are lost", "GET", "/v2/webhook_notifications?filter[delivery_status]=lost", "", nil, "422 filter[delivery_status]"},
	{"notifications of no webhook", "GET", "/v2/webhook_notifications?filter[webhook]=x", "", nil, "422 filter[webhook]"},
	{"notifications of soon", "GET", "/v2/webhook_notifications?filter[created_at][start]=soon", "", nil, "422 filter[created_at][start]"},
	{"notifications with events", "GET", "/v2/webhook_notifications?include=event", "", nil, "400 include"},
	{"notifications by status", "GET", "/v2/webhook_notifications?sort=delivery_status", "", nil, "400 sort"},
	{"example of an empty event", "GET", "/v2/webhook_notifications/examples?event=", "", nil, "422 event"},
	{"example of an unknown event", "GET", "/v2/webhook_notifications/examples?event=x", "", nil, "422 event"},
	{"unknown notification again", "POST", "/v2/webhook_notifications/" + randomUUID + "/redeliver", "", nil, "404"},

	// Custom fields.
	{"exceptions of another kind", "GET", "/v2/exceptions?filter[kind]=bad_luck", "", nil, "422 filter[kind]"},
	{"exceptions of another state", "GET", "/v2/exceptions/counts?filter[state]=ajar", "", nil, "422 filter[state]"},
	{"exceptions by another sort", "GET", "/v2/exceptions?sort=kind", "", nil, "400 sort"},
	{"exception of other values", "PATCH", "/v2/exceptions/{exception}", `{"data":{"type":"exception","attributes":{"acknowledged":"yes","assignee":["Kim"]}}}`, nil, "422 invalid_type /data/attributes/acknowledged invalid_type /data/attributes/assignee"},
	{"exception with too long a name", "PATCH", "/v2/exceptions/{exception}", `{"data":{"type":"exception","attributes":{"assignee":"` + strings.Repeat("k", 256) + `"}}}`, nil, "422 too_long /data/attributes/assignee"},
	{"thresholds of other values", "PATCH", "/v2/exception_settings", `{"data":{"type":"exception_settings","attributes":{"hub_dwell_in_days":0,"pod_dwell_in_days":91,"source_conflict_in_hours":721,"eta_slip_in_days":"3","return_delay_in_days":9999999999}}}`, nil, "422 invalid_type /data/attributes/eta_slip_in_days"},
	{"thresholds out of range", "PATCH", "/v2/exception_settings", `{"data":{"type":"exception_settings","attributes":{"hub_dwell_in_days":0,"pod_dwell_in_days":91,"source_conflict_in_hours":721,"return_delay_in_days":9999999999}}}`, nil, "422 out_of_range /data/attributes/hub_dwell_in_days out_of_range /data/attributes/pod_dwell_in_days out_of_range /data/attributes/return_delay_in_days out_of_range /data/attributes/source_conflict_in_hours"},
	{"tariff of nothing", "POST", "/v2/tariffs", tariff(``), nil, "422 invalid /data/attributes/clock invalid /data/attributes/free_days invalid /data/attributes/currency invalid /data/attributes/tiers"},
	{"tariff of other forms", "POST", "/v2/tariffs", tariff(`"clock":"demurrage","free_days":"4","currency":"USD","tiers":[{"from":1,"price":"150"}],"weekend":"sunday"`), nil, "422 invalid /data/attributes/free_days invalid /data/attributes/tiers invalid /data/attributes/weekend"},
	{"tariff of other values", "POST", "/v2/tariffs", tariff(`"clock":"sundial","shipping_line_scac":"NOPE","free_days":4,"currency":"USD","tiers":[{"from":1,"amount":"1,5"}],"weekend":["sat"]`), nil, "422 inclusion /data/attributes/shipping_line_scac invalid /data/attributes/weekend/0 invalid /data/attributes/tiers/0/amount invalid /data/attributes/clock"},
	{"tariff of another type", "POST", "/v2/tariffs", hook(``), nil, "422 invalid /data/type invalid /data/attributes/clock invalid /data/attributes/free_days invalid /data/attributes/currency invalid /data/attributes/tiers"},
	{"tariff that overlaps", "POST", "/v2/tariffs", tariff(leastTariff + `,"shipping_line_scac":"MAEU","location_locode":"USOAK","valid_from":"2027-01-01"`), nil, "422 overlaps"},
	{"tariff of a wrong update", "PATCH", "/v2/tariffs/{tariff}", tariff(`"tiers":"none","starts":"noon"`), nil, "422 invalid /data/attributes/tiers"},
	{"tariffs by another clock", "GET", "/v2/tariffs?filter[clock]=sundial", "", nil, "422 filter[clock]"},
	{"tariffs by another sort", "GET", "/v2/tariffs?sort=name", "", nil, "400 sort"},
	{"sheet of nothing", "POST", "/v2/charges/sheet", "", nil, "422 invalid /lines"},
	{"sheet of another type", "POST", "/v2/charges/sheet", `{"data":{"type":"tariff","attributes":{"lines":[` + invoiceLine + `]}}}`, nil, "422 invalid /data/type"},
	{"sheet of wrong lines", "POST", "/v2/charges/sheet", `{"data":{"attributes":{"total":"1,5","lines":[` + invoiceLine + `,{"container_number":"MRKU9465770","clock":"sundial","from":"2026-03-02","to":"2026-03-01","rate":"150","currency":"USD","tier":1}]}}}`, nil,
		"422 invalid /data/attributes/lines/1/clock invalid /data/attributes/lines/1/tier invalid /data/attributes/lines/1/to invalid /data/attributes/total"},
	{"sheet of a plain invoice with another member", "POST", "/v2/charges/sheet", `{"due_dat":"2026-03-01","lines":[` + invoiceLine + `]}`, nil, "422 invalid /due_dat"},
	{"sheet of an invoice with too many lines", "POST", "/v2/charges/sheet", `{"lines":[` + strings.Repeat(invoiceLine+",", 200) + invoiceLine + `]}`, nil, "422 invalid /lines"},
	{"sheet of a wrong cell", "POST", "/v2/charges/sheet", "container_number,clock,from,to,rate,currency,total\nMRKU9465770,demurrage,2026-03-01,2026-03-01,150,USD,1;5\nMRKU9465770,demurrage,2026-03-02,soon,150,USD,\n", []string{"Content-Type: text/csv"}, "422 invalid /lines/1/to invalid /total"},
	{"sheet of no CSV of an invoice", "POST", "/v2/charges/sheet", "container_number,price\n", []string{"Content-Type: text/csv"}, "422 invalid"},
	{"sheet of a form", "POST", "/v2/charges/sheet", "container_number,clock\n", []string{"Content-Type: application/x-www-form-urlencoded"}, "415"},
	{"sheet of a compressed CSV", "POST", "/v2/charges/sheet", "container_number,clock\n", []string{"Content-Type: text/csv", "Content-Encoding: gzip"}, "415"},
	{"sheet in another format", "POST", "/v2/charges/sheet?format=xls", `{"lines":[` + invoiceLine + `]}`, nil, "422 format"},
	{"sheet in no format", "GET", "/v2/containers/{container}/charges/sheet?format=", "", nil, "422 format"},
	{"sheet as PDF from a server without it", "GET", "/v2/containers/{container}/charges/sheet?format=pdf", "", nil, "422 format"},
	{"sheet for those who accept PDF only", "GET", "/v2/containers/{container}/charges/sheet", "", []string{"Accept: application/pdf"}, "422 format"},
	{"sheet as of nothing", "POST", "/v2/charges/sheet?as_of=", `{"lines":[` + invoiceLine + `]}`, nil, "422 as_of"},
	{"sheet as of a second to come", "POST", "/v2/charges/sheet?as_of=2026-03-02T09:00:01Z", `{"lines":[` + invoiceLine + `]}`, nil, "422 as_of"},
	{"sheet of an unknown container", "GET", "/v2/containers/" + randomUUID + "/charges/sheet", "", nil, "404"},
	{"sheet of a version", "POST", "/v2/charges/sheet", `{"lines":[` + invoiceLine + `]}`, []string{`If-Match: "1"`}, "400"},
	{"import of no list", "POST", "/v2/tariffs/import", `{"tariffs":{}}`, nil, "422 invalid_type /tariffs"},
	{"import of other members", "POST", "/v2/tariffs/import", `{"data":[]}`, nil, "422 invalid /data"},
	{"import with a wrong row", "POST", "/v2/tariffs/import", `{"tariffs":[{` + leastTariff + `},{"clock":"demurrage","free_days":4,"currency":"USD","tiers":[]}]}`, nil, "422 invalid /tariffs/1/tiers"},
	{"import with a row of another form", "POST", "/v2/tariffs/import", `{"tariffs":[{` + leastTariff + `,"weekend":"sunday"}]}`, nil, "422 invalid /tariffs/0/weekend"},
	{"import that overlaps itself", "POST", "/v2/tariffs/import", `{"tariffs":[{` + leastTariff + `},{` + leastTariff + `}]}`, nil, "422 overlaps /tariffs/1"},
	{"import that overlaps another", "POST", "/v2/tariffs/import", `{"tariffs":[{` + leastTariff + `,"shipping_line_scac":"MAEU","location_locode":"USOAK"}]}`, nil, "422 overlaps /tariffs/0"},
	{"import that may or may not replace", "POST", "/v2/tariffs/import?replace=yes", `{"tariffs":[]}`, nil, "422 replace"},
	{"import of no CSV", "POST", "/v2/tariffs/import", "clock,price\n", []string{"Content-Type: text/csv"}, "422 invalid"},
	{"import of a wrong cell", "POST", "/v2/tariffs/import", "clock,free_days,currency,tiers\ndemurrage,4,USD,1- 150\ndemurrage,four,USD,1- 150\n", []string{"Content-Type: text/csv"}, "422 invalid /tariffs/1/free_days"},

	{"definition of nothing", "POST", "/v2/custom_field_definitions", definition(``), nil, "422 inclusion /data/attributes/entity_type blank /data/attributes/display_name inclusion /data/attributes/data_type"},
	{"definition of another type", "POST", "/v2/custom_field_definitions", hook(``), nil, "422 invalid /data/type"},
	{"definition of a party's field", "POST", "/v2/custom_field_definitions", definition(`"entity_type":"Party","display_name":"A","data_type":"number"`), nil, "422 inclusion /data/attributes/entity_type"},
	{"definition with a taken slug", "POST", "/v2/custom_field_definitions", definition(`"entity_type":"Shipment","api_slug":"po","display_name":"A","data_type":"number"`), nil, "422 taken /data/attributes/api_slug"},
	{"definition with a taken name", "POST", "/v2/custom_field_definitions", definition(`"entity_type":"Shipment","display_name":"PO","data_type":"number"`), nil, "422 taken /data/attributes/api_slug"},
	{"definition with capitals in its slug", "POST", "/v2/custom_field_definitions", definition(`"entity_type":"Shipment","api_slug":"Po","display_name":"A","data_type":"number"`), nil, "422 invalid /data/attributes/api_slug"},
	{"definition with two lines in its slug", "POST", "/v2/custom_field_definitions", definition(`"entity_type":"Shipment","api_slug":"a__b","display_name":"A","data_type":"number"`), nil, "422 invalid /data/attributes/api_slug"},
	{"definition with a long slug", "POST", "/v2/custom_field_definitions", definition(`"entity_type":"Shipment","api_slug":"` + strings.Repeat("a", 65) + `","display_name":"A","data_type":"number"`), nil, "422 too_long /data/attributes/api_slug"},
	{"definition whose name gives no slug", "POST", "/v2/custom_field_definitions", definition(`"entity_type":"Shipment","display_name":"采购","data_type":"number"`), nil, "422 blank /data/attributes/api_slug"},
	{"reference to nothing", "POST", "/v2/custom_field_definitions", definition(`"entity_type":"Shipment","display_name":"A","data_type":"reference"`), nil, "422 blank /data/attributes/reference_type"},
	{"validation that is a text", "POST", "/v2/custom_field_definitions", definition(`"entity_type":"Shipment","display_name":"A","data_type":"number","validation":"min 0"`), nil, "422 invalid_type /data/attributes/validation"},
	{"validation of another data type", "POST", "/v2/custom_field_definitions", definition(`"entity_type":"Shipment","display_name":"A","data_type":"date","validation":{"max_length":3}`), nil, "422 not_allowed /data/attributes/validation/max_length"},
	{"default value that is not allowed", "POST", "/v2/custom_field_definitions", definition(`"entity_type":"Shipment","display_name":"A","data_type":"number","validation":{"min":5},"default_value":4`), nil, "422 out_of_range /data/attributes/default_value"},
	{"other slug for a definition", "PATCH", "/v2/custom_field_definitions/{custom_field_definition}", definition(`"api_slug":"mark","data_type":"number","entity_type":null,"filterable":false`), nil, "422 immutable /data/attributes/entity_type immutable /data/attributes/api_slug immutable /data/attributes/data_type immutable /data/attributes/filterable"},
	{"default value that is no option", "PATCH", "/v2/custom_field_definitions/{custom_field_definition}", definition(`"default_value":"best"`), nil, "422 inclusion /data/attributes/default_value"},
	{"old version of a definition", "PATCH", "/v2/custom_field_definitions/{custom_field_definition}", definition(`"description":"x"`), []string{`If-Match: "7"`}, "412 stale"},
	{"definitions of parties", "GET", "/v2/custom_field_definitions?filter[entity_type]=Party", "", nil, "422 filter[entity_type]"},
	{"definitions of a long text", "GET", "/v2/custom_field_definitions?filter[data_type]=long_text", "", nil, "422 filter[data_type]"},
	{"definitions with options", "GET", "/v2/custom_field_definitions?include=options", "", nil, "400 include"},
	{"option of a text", "POST", "/v2/custom_field_definitions/" + randomUUID + "/options", option(`"label":"A","value":"a"`), nil, "404"},
	{"option that is there", "POST", "/v2/custom_field_definitions/{custom_field_definition}/options", option(`"label":"A","value":"low"`), nil, "422 taken /data/attributes/value"},
	{"option of nothing", "POST", "/v2/custom_field_definitions/{custom_field_definition}/options", option(`"position":-1`), nil, "422 blank /data/attributes/label blank /data/attributes/value out_of_range /data/attributes/position"},
	{"other value for an option", "PATCH", "/v2/custom_field_definitions/{custom_field_definition}/options/{custom_field_option}", option(`"value":"lowest"`), nil, "422 immutable /data/attributes/value"},
	{"option of another definition", "GET", "/v2/custom_field_definitions/" + randomUUID + "/options/{custom_field_option}", "", nil, "404"},
	{"field of another type", "POST", "/v2/shipments/{shipment}/custom_fields", hook(`"api_slug":"po","value":"x"`), nil, "422 invalid /data/type"},
	{"field without a slug", "POST", "/v2/shipments/{shipment}/custom_fields", fieldValue(`"value":"x"`), nil, "422 blank /data/attributes/api_slug"},
	{"field without a value", "POST", "/v2/shipments/{shipment}/custom_fields", fieldValue(`"api_slug":"po"`), nil, "422 blank /data/attributes/value"},
	{"unknown field", "POST", "/v2/shipments/{shipment}/custom_fields", fieldValue(`"api_slug":"pi","value":"x"`), nil, "422 not_found /data/attributes/api_slug"},
	{"field of a container for a shipment", "POST", "/v2/shipments/{shipment}/custom_fields", fieldValue(`"api_slug":"lot","value":"x"`), nil, "422 entity_type_mismatch /data/attributes/api_slug"},
	{"field of a shipment for a container", "POST", "/v2/containers/{container}/custom_fields", fieldValue(`"api_slug":"po","value":"x"`), nil, "422 entity_type_mismatch /data/attributes/api_slug"},
	{"field of a request for a shipment", "POST", "/v2/shipments/{shipment}/custom_fields", fieldValue(`"api_slug":"desk","value":"x"`), nil, "422 entity_type_mismatch /data/attributes/api_slug"},
	{"entity on a nested path", "POST", "/v2/shipments/{shipment}/custom_fields", `{"data":` + fieldOf("{shipment}", "po", `"x"`) + `}`, nil, "422 not_allowed /data/relationships/entity"},
	{"entity beside a value's path", "PATCH", "/v2/shipments/{shipment}/custom_fields/po", `{"data":` + fieldOf("{shipment}", "po", `"x"`) + `}`, nil, "422 not_allowed /data/relationships/entity"},
	{"no entity on a nested path", "POST", "/v2/shipments/{shipment}/custom_fields", `{"data":{"type":"custom_field","attributes":{"api_slug":"po","value":"x"},"relationships":{"entity":{"data":null}}}}`, nil, "422 not_allowed /data/relationships/entity"},
	{"field of an unknown shipment", "POST", "/v2/shipments/" + randomUUID + "/custom_fields", fieldValue(`"api_slug":"po","value":"x"`), nil, "404"},
	{"fields of an unknown shipment", "GET", "/v2/shipments/" + randomUUID + "/custom_fields", "", nil, "404"},
	{"text that is too long", "POST", "/v2/shipments/{shipment}/custom_fields", fieldValue(`"api_slug":"po","value":"` + strings.Repeat("x", 41) + `"`), nil, "422 too_long /data/attributes/value"},
	{"value that is no option", "PATCH", "/v2/custom_fields/{custom_field}", fieldValue(`"value":"best"`), nil, "422 inclusion /data/attributes/value"},
	{"bare value that is no option", "PATCH", "/v2/custom_fields/{custom_field}", `{"value":"best"}`, nil, "422 inclusion /value"},
	{"no value at all", "PATCH", "/v2/custom_fields/{custom_field}", fieldValue(``), nil, "422 blank /data/attributes/value"},
	{"nothing for a value", "PATCH", "/v2/custom_fields/{custom_field}", ``, nil, "422 blank /value"},
	{"old version of a value", "PATCH", "/v2/custom_fields/{custom_field}", fieldValue(`"value":"high"`), []string{`If-Match: "7"`}, "412 stale"},
	{"another value's ID", "PATCH", "/v2/custom_fields/{custom_field}", `{"data":{"type":"custom_field","id":"` + randomUUID + `","attributes":{"value":"high"}}}`, nil, "409 id_mismatch /data/id"},
	{"slug that nothing has", "PATCH", "/v2/shipments/{shipment}/custom_fields/pi", fieldValue(`"value":"x"`), nil, "404"},
	{"slug without a value yet", "PATCH", "/v2/shipments/{shipment}/custom_fields/spare", fieldValue(`"value":"x"`), nil, "404"},
	{"slug of another entity type", "DELETE", "/v2/shipments/{shipment}/custom_fields/lot", "", nil, "404"},
	{"value without an entity", "POST", "/v2/custom_fields", fieldValue(`"api_slug":"po","value":"x"`), nil, "422 blank /data/relationships/entity"},
	{"value of a party", "POST", "/v2/custom_fields", strings.Replace(`{"data":`+fieldOf("{party}", "po", `"x"`)+`}`, `"type":"shipment"`, `"type":"party"`, 1), nil, "422 invalid /data/relationships/entity/data/type"},
	{"value of an unknown shipment", "POST", "/v2/custom_fields", `{"data":` + fieldOf(randomUUID, "po", `"x"`) + `}`, nil, "422 not_found /data/relationships/entity"},
	{"fields of parties", "GET", "/v2/custom_fields?filter[entity_type]=Party", "", nil, "422 filter[entity_type]"},
	{"fields of no UUID", "GET", "/v2/custom_fields?filter[entity_id]=x", "", nil, "422 filter[entity_id]"},
	{"fields by value", "GET", "/v2/custom_fields?filter[value]=x", "", nil, "400 filter[value]"},
	{"history of nothing", "GET", "/v2/custom_fields/" + randomUUID + "/history", "", nil, "404"},
	{"bulk of nothing", "POST", "/v2/custom_fields/bulk", `{"data":[]}`, nil, "422 blank /data"},
	{"bulk without a list", "POST", "/v2/custom_fields/bulk", `{"atomic":true}`, nil, "422 invalid_type /data"},
	{"bulk of 1001", "POST", "/v2/custom_fields/bulk", `{"data":[` + strings.TrimSuffix(strings.Repeat(`{},`, 1_001), ",") + `]}`, nil, "422 too_long /data"},
	{"bulk that is perhaps atomic", "POST", "/v2/custom_fields/bulk", `{"atomic":"yes","data":[` + fieldOf("{shipment}", "po", `"x"`) + `]}`, nil, "422 invalid_type /atomic"},
	{"atomic bulk with a bad value", "POST", "/v2/custom_fields/bulk", `{"atomic":true,"data":[` + fieldOf("{shipment}", "po", `"x"`) + `,` + fieldOf("{shipment}", "grade", `"best"`) + `,` + fieldOf(randomUUID, "po", `"x"`) + `]}`, nil, "422 inclusion /data/1/attributes/value not_found /data/2/relationships/entity"},
	{"atomic bulk with a bad shape", "POST", "/v2/custom_fields/bulk", `{"atomic":true,"data":[` + fieldOf("{shipment}", "po", `"x"`) + `,{"type":"webhook"}]}`, nil, "422 invalid /data/1/type"},
	{"atomic bulk with a number", "POST", "/v2/custom_fields/bulk", `{"atomic":true,"data":[7]}`, nil, "422 invalid_type /data/0"},
	{"bulk of a version", "POST", "/v2/custom_fields/bulk", `{"data":[` + fieldOf("{shipment}", "po", `"x"`) + `]}`, []string{`If-Match: "1"`}, "400"},
	// Documents.
	{"upload of nothing", "POST", "/v2/direct_uploads", "", nil, "400"},
	{"upload of a list", "POST", "/v2/direct_uploads", `{"blob":[]}`, nil, "422 invalid_type /blob"},
	{"upload without a blob", "POST", "/v2/direct_uploads", `{}`, nil, "422 blank /blob"},
	{"upload that says nothing", "POST", "/rails/active_storage/direct_uploads", `{"blob":{}}`, nil, "422 blank /blob/filename blank /blob/byte_size blank /blob/checksum"},
	{"upload of 25 MiB and a byte", "POST", "/v2/direct_uploads", `{"blob":{"filename":"a","byte_size":26214401,"checksum":"rL0Y20zC+Fzt72VPzMSk2A=="}}`, nil, "422 too_large /blob/byte_size"},
	{"upload of a text for a size", "POST", "/v2/direct_uploads", `{"blob":{"filename":"a","byte_size":"3","checksum":"rL0Y20zC+Fzt72VPzMSk2A=="}}`, nil, "422 invalid_type /blob/byte_size"},
	{"upload with a NUL in its name", "POST", "/v2/direct_uploads", `{"blob":{"filename":"a\u0000.pdf","byte_size":3,"checksum":"rL0Y20zC+Fzt72VPzMSk2A=="}}`, nil, "400 /blob/filename"},
	{"upload with an MD5 in hex", "POST", "/v2/direct_uploads", `{"blob":{"filename":"a","byte_size":3,"checksum":"acbd18db4cc2f85cedef654fccc4a4d8"}}`, nil, "422 invalid /blob/checksum"},
	{"upload without a key", "POST", "/rails/active_storage/direct_uploads", `{}`, []string{"Authorization: "}, "401"},
	{"bytes of another length", "PUT", "/v2/blobs/{handle}", "late", []string{"Content-Type: "}, "422 length_mismatch"},
	{"other bytes", "PUT", "/v2/blobs/{handle}", "Later", []string{"Content-Type: "}, "422 checksum_mismatch"},
	{"bytes with another MD5", "PUT", "/v2/blobs/{handle}", "later", []string{"Content-Type: ", "Content-MD5: rL0Y20zC+Fzt72VPzMSk2A=="}, "422 checksum_mismatch"},
	{"bytes of another type", "PUT", "/v2/blobs/{handle}", "later", []string{"Content-Type: text/html"}, "422 content_type_mismatch"},
	{"bytes to a link for reading", "PUT", "/v2/blobs/{download}", "later", nil, "403 invalid_signature"},
	{"bytes to what may be attached", "PUT", "/v2/blobs/{attachable}", "later", nil, "403 invalid_signature"},
	{"reading a link for writing", "GET", "/v2/blobs/{handle}", "", nil, "403 invalid_signature"},
	{"reading nonsense", "GET", "/v2/blobs/nonsense", "", nil, "403 invalid_signature"},
	{"document without a type", "POST", "/v2/documents", `{"data":{"attributes":{"name":"x","attached_document":"{attachable}"}}}`, nil, "422 blank /data/type"},
	{"document of nothing", "POST", "/v2/documents", `{"data":{"type":"document","attributes":{"name":"x"}}}`, nil, "422 blank /data/attributes/attached_document"},
	{"document without a name", "POST", "/v2/documents", `{"data":{"type":"document","attributes":{"attached_document":"{attachable}"}}}`, nil, "422 blank /data/attributes/name"},
	{"document of a link for writing", "POST", "/v2/documents", `{"data":{"type":"document","attributes":{"name":"x","attached_document":"{handle}"}}}`, nil, "422 invalid /data/attributes/attached_document"},
	{"document of a number", "POST", "/v2/documents", `{"data":{"type":"document","attributes":{"name":"x","attached_document":7}}}`, nil, "422 invalid_type /data/attributes/attached_document"},
	{"document of an unknown type", "PATCH", "/v2/documents/{document}", `{"data":{"type":"document","attributes":{"document_type_manual":"poem"}}}`, nil, "422 inclusion /data/attributes/document_type_manual"},
	{"document of a list of data", "PATCH", "/v2/documents/{document}", `{"data":{"type":"document","attributes":{"extracted_data_manual":[]}}}`, nil, "422 invalid_type /data/attributes/extracted_data_manual"},
	{"document of much data", "PATCH", "/v2/documents/{document}", `{"data":{"type":"document","attributes":{"extracted_data_manual":{"a":"` + strings.Repeat("x", 64<<10) + `"}}}}`, nil, "422 too_long /data/attributes/extracted_data_manual"},
	{"corrected fields that are no list", "PATCH", "/v2/documents/{document}", `{"data":{"type":"document","attributes":{"corrected_fields":{"eta":"2026-08-05"}}}}`, nil, "422 invalid_type /data/attributes/corrected_fields"},
	{"corrected field without a name", "PATCH", "/v2/documents/{document}", `{"data":{"type":"document","attributes":{"corrected_fields":[{"value":"x"}]}}}`, nil, "422 blank /data/attributes/corrected_fields"},
	{"corrected field that is long", "PATCH", "/v2/documents/{document}", `{"data":{"type":"document","attributes":{"corrected_fields":[{"field":"note","value":"` + strings.Repeat("x", 2001) + `"}]}}}`, nil, "422 too_long /data/attributes/corrected_fields"},
	{"corrected field with no value of its kind", "PATCH", "/v2/documents/{document}", `{"data":{"type":"document","attributes":{"document_type_manual":"other","corrected_fields":[{"field":"container","value":"MSKU1"}]}}}`, nil, "422 invalid /data/attributes/corrected_fields"},
	{"document of another version", "PATCH", "/v2/documents/{document}", `{"data":{"type":"document","attributes":{}}}`, []string{`If-Match: "99"`}, "412 stale"},
	{"unknown document", "GET", "/v2/documents/" + randomUUID, "", nil, "404"},
	{"documents with cargo", "GET", "/v2/documents?include=cargo", "", nil, "400 include"},
	{"documents by name", "GET", "/v2/documents?filter[name]=x", "", nil, "400 filter[name]"},
	{"documents of an unknown type", "GET", "/v2/documents?filter[document_types]=other,poem", "", nil, "422 inclusion filter[document_types]"},
	{"documents of no type", "GET", "/v2/documents?filter[document_types]=", "", nil, "422 filter[document_types]"},
	{"documents by size", "GET", "/v2/documents?sort=file_size_bytes", "", nil, "400 sort"},
	{"page zero of documents", "GET", "/v2/documents?page[number]=0", "", nil, "400 page[number]"},
	{"turning a text", "POST", "/v2/documents/{document}/rotate", `{"degrees":90}`, nil, "422 not_an_image"},
	{"turning a bit", "POST", "/v2/documents/{picture}/rotate", `{"degrees":45}`, nil, "422 inclusion /degrees"},
	{"turning by nothing", "POST", "/v2/documents/{picture}/rotate", "", nil, "422 inclusion /degrees"},
	{"unknown schema", "GET", "/v2/document_schemas/bill_of_lading@9.9", "", nil, "404"},
	{"layout corrections of an unknown type", "GET", "/v2/layout_corrections?filter[document_types]=poem", "", nil, "422 inclusion filter[document_types]"},
	{"email as JSON", "POST", "/v2/email_submissions", `{}`, nil, "415"},
	{"email of nothing", "POST", "/v2/email_submissions", " ", []string{"Content-Type: message/rfc822"}, "422 blank /message"},
	{"email of nonsense", "POST", "/v2/email_submissions", "nonsense", []string{"Content-Type: message/rfc822"}, "422 invalid /message"},
	{"email that is cut off", "POST", "/v2/email_submissions", "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nx", []string{"Content-Type: message/rfc822"}, "422 invalid /message"},

	// Reports.
	{"report of no JSON", "POST", "/v2/reports", `{"source":`, nil, "400 /source"},
	{"report of nothing", "POST", "/v2/reports", ``, nil, "400"},
	{"report that is a list", "POST", "/v2/reports", `[]`, nil, "400"},
	{"report of another type", "POST", "/v2/reports", `{"data":{"type":"shipment","attributes":{}}}`, nil, "422 /data/type"},
	{"report without a source", "POST", "/v2/reports", `{"facts":[]}`, nil, "422 /source"},
	{"unknown word in a fact", "POST", "/v2/reports", `{"source":"t","facts":[{"event":"load"},{"event":"jump"}]}`, nil, "422 /facts/1/event"},
	{"unknown word in a fact of a document", "POST", "/v2/reports", `{"data":{"type":"report","attributes":{"source":"t","facts":[{"event":"load","mode":"mule"}]}}}`, nil, "422 /data/attributes/facts/0/mode"},
	{"number for a text in a fact", "POST", "/v2/reports", `{"source":"t","facts":[{"event":"load","place":{"locode":5}}]}`, nil, "422 /facts/0/place/locode"},
	{"impossible time in a fact", "POST", "/v2/reports", `{"source":"t","facts":[{"event":"load","at":"soon"}]}`, nil, "422 /facts/0/at"},
	{"container number in a fact", "POST", "/v2/reports", `{"source":"t","facts":[{"event":"load","containers":["A","-"]}]}`, nil, "422 /facts/0/containers/1"},
	{"unknown member of a fact", "POST", "/v2/reports", `{"source":"t","facts":[{"event":"load","a/b~c":1}]}`, nil, "422 /facts/0/a~1b~0c"},
	{"10001 facts", "POST", "/v2/reports", `{"source":"t","facts":[` + strings.TrimSuffix(strings.Repeat(`{},`, 10_001), ",") + `]}`, nil, "422 too_long /facts"},
	{"report with a duplicate key", "POST", "/v2/reports", `{"source":"t","source":"u"}`, nil, "400 /source"},
}

func TestRefusals(t *testing.T) {
	b := newBench(t)
	mine, theirs := b.store.stored(t, b.mine.account), b.store.stored(t, b.theirs.account)
	var text strings.Builder
	for _, row := range refusals {
		a := b.as(b.mine, row.method, b.mine.fill(row.path), b.mine.fill(row.body), row.headers...)
		if got := a.summary(); got != row.want {
			t.Errorf("%s: %s, want %s\n%s", row.name, got, row.want, a.body)
		}
		if a.status == 405 && a.header.Get("Allow") == "" {
			t.Errorf("%s: no Allow", row.name)
		}
		if a.status == 401 && a.header.Get("Www-Authenticate") != "Token" {
			t.Errorf("%s: WWW-Authenticate is %q", row.name, a.header.Get("Www-Authenticate"))
		}
		fmt.Fprintf(&text, "%s\n%s %s\n%s\n%s\n", row.name, row.method, short(b.mine.fill(row.path)), strings.Join(row.headers, "\n"), indent(t, a.body))
	}
	golden(t, "refusals.txt", readable(text.String()))
	if diff := cmp.Diff(mine, b.store.stored(t, b.mine.account)); diff != "" {
		t.Errorf("refused requests changed something:\n%s", diff)
	}
	if diff := cmp.Diff(theirs, b.store.stored(t, b.theirs.account)); diff != "" {
		t.Errorf("refused requests changed another account:\n%s", diff)
	}
	t.Logf("%d refusals", len(refusals))
}

// Unusual requests that are valid.
func TestLeniencies(t *testing.T) {
	for _, row := range []struct {
		name, method, path, body string
		status                   int
		headers                  []string
	}{
		{"page of size 101 is cut", "GET", "/v2/shipments?page[size]=101", "", 200, nil},
		{"page past the end", "GET", "/v2/shipments?page[number]=2147483647&page[size]=100", "", 200, nil},
		{"unknown plain parameter", "GET", "/v2/shipments?utm=1", "", 200, nil},
		{"empty include", "GET", "/v2/shipments?include=", "", 200, nil},
		{"a GET with a body", "GET", "/v2/shipments", "anything", 200, []string{"Content-Type: text/plain"}},
		{"scheme in lower case", "GET", "/v2/shipments", "", 200, []string{"Authorization: token {key}"}},
		{"JSON:API media type", "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B"}}}`, 201, []string{vendorHeader + "; charset=utf-8"}},
		{"If-Match *", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"tags":["x"]}}}`, 200, []string{"If-Match: *"}},
		{"upper case ID", "GET", "/v2/shipments/{SHIPMENT}", "", 200, nil},
		{"unknown attributes", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"nonsense":1}}}`, 200, nil},
		{"nothing of a webhook", "PATCH", "/v2/webhooks/{webhook}", hook(``), 200, nil},
		{"a webhook that is active already", "PATCH", "/v2/webhooks/{webhook}", hook(`"active":true`), 200, []string{`If-Match: "1"`}},
		{"deletion that names it", "DELETE", "/v2/webhooks/{webhook}", `{"data":{"type":"webhook","id":"{webhook}"}}`, 200, nil},
		{"a rotation of null seconds", "POST", "/v2/webhooks/{webhook}/rotate_secret", `{"overlap_seconds":null}`, 200, nil},
		{"a recovery of all events", "POST", "/v2/webhooks/{webhook}/recover", `{"since":"2026-03-01T00:00:00Z","until":null,"events":null}`, 202, nil},
		{"no attributes", "PATCH", "/v2/shipments/{shipment}", `{"data":{}}`, 200, nil},
		{"null clears a list", "PATCH", "/v2/shipments/{shipment}", `{"data":{"attributes":{"tags":null}}}`, 200, nil},
		{"stop twice", "PATCH", "/v2/shipments/{shipment}/stop_tracking", "{}", 200, nil},
		{"resume what is followed", "PATCH", "/v2/shipments/{shipment}/resume_tracking", "", 200, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBench(t)
			fill := strings.NewReplacer("{SHIPMENT}", strings.ToUpper(b.mine.ids["shipment"]), "{key}", b.mine.key).Replace
			for i := range row.headers {
				row.headers[i] = fill(row.headers[i])
			}
			a := b.as(b.mine, row.method, b.mine.fill(fill(row.path)), b.mine.fill(row.body), row.headers...).want(row.status)
			if strings.Contains(row.path, "size]=101") && a.doc()["meta"].(map[string]any)["size"] != 100.0 {
				t.Errorf("meta is %v, want a size of 100", a.doc()["meta"])
			}
		})
	}
}
