package httpserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// successes has every operation at least once. The responses are in testdata/answers,
// by name.
var successes = []struct {
	name   string
	method string
	path   string
	body   string
	status int
}{
	{"shipments", "GET", "/v2/shipments", "", 200},
	{"shipments-page", "GET", "/v2/shipments?page[number]=2&page[size]=1&include=containers", "", 200},
	{"shipments-filtered", "GET", "/v2/shipments?number=77001&filter[tracking_stopped]=false&filter[scac]=maeu&filter[pol_locode]=CNSHA&filter[pod_locode]=usoak&filter[pod_terminal]={terminal}&filter[vessel_imo]=9321483&filter[customer_id]={party}&filter[tags]=winter,spring&filter[ref_number]=po-9&filter[created_at][start]=2026-03-02&filter[created_at][end]=2026-03-02T09:00:00Z&filter[pod_eta_at][start]=2026-02-01&filter[pod_eta_at][end]=2026-02-28&filter[updated_at][start]=2026-03-02&filter[updated_at][end]=2026-03-02T09:00:00Z&sort=-pod_eta_at,-updated_at,created_at&include=port_of_discharge,pod_terminal", "", 200},
	{"shipments-none", "GET", "/v2/shipments?filter[tags]=autumn", "", 200},
	{"shipments-search", "GET", "/v2/shipments?q=tclu67", "", 200},
	{"shipment", "GET", "/v2/shipments/{shipment}", "", 200},
	{"shipment-included", "GET", "/v2/shipments/{shipment}?include=containers.transport_events,line_tracking_stopped_by_user", "", 200},
	{"shipment-as-of", "GET", "/v2/shipments/{shipment}?as_of=2026-03-02T10:00:00%2B01:00&include=containers.pod_terminal,port_of_discharge", "", 200},
	{"shipment-eta-revisions", "GET", "/v2/shipments/{shipment}/eta_revisions?filter[attribute]=pod_eta_at,ind_eta_at&page[size]=5&include=source_event", "", 200},
	{"shipment-update", "PATCH", "/v2/shipments/{shipment}", `{"data":{"type":"shipment","id":"{shipment}","attributes":{"ref_numbers":["A","B"],"tags":["urgent"],"promised_arrival_at":"2026-03-10T00:00:00-08:00"},"relationships":{"customer":{"data":null}}}}`, 200},
	{"shipment-stop", "PATCH", "/v2/shipments/{shipment}/stop_tracking", "", 200},
	{"shipment-resume", "PATCH", "/v2/shipments/{shipment}/resume_tracking", `{"data":{"type":"shipment","id":"{shipment}"}}`, 200},
	{"containers", "GET", "/v2/containers?filter[number]=MRKU9465770&include=shipment", "", 200},
	{"containers-filtered", "GET", "/v2/containers?filter[number]=mrku-946577-0&filter[status]=not_available,available&filter[pickup_lfd][start]=2026-03-01&filter[pickup_lfd][end]=2026-03-31&filter[available_for_pickup]=false&filter[has_hold]=true&filter[scac]=MAEU&filter[tags]=spring&filter[customer_id]={party}&filter[updated_at][start]=2026-03-02T09:00:00Z&sort=updated_at,pickup_lfd", "", 200},
	{"containers-by-cost", "GET", "/v2/containers?filter[accruing]=false&filter[free_time_ends][start]=2026-03-05&filter[free_time_ends][end]=2026-03-05&sort=-cost&include=", "", 200},
	{"containers-overdue", "GET", "/v2/containers?filter[overdue]=true&include=", "", 200},
	{"container", "GET", "/v2/containers/{container}?include=shipment.port_of_lading,raw_events", "", 200},
	{"container-as-of", "GET", "/v2/containers/{container}?as_of=2026-03-02T09:00:00.9Z&include=shipment", "", 200},
	{"container-history", "GET", "/v2/containers/{container}/history?page[size]=50", "", 200},
	{"container-update", "PATCH", "/v2/containers/{container}", `{"data":{"type":"container","attributes":{"ref_numbers":["BOX-1"]}}}`, 200},
	{"containers-update", "PATCH", "/v2/containers", `{"data":{"type":"container","id":"{container}","attributes":{"ref_numbers":["BOX-2"]}}}`, 200},
	{"container-delivered", "PATCH", "/v2/containers/{container}", `{"data":{"type":"container","attributes":{"delivered_at":"2026-03-01T22:00:00+01:00"}}}`, 200},
	{"container-undelivered", "PATCH", "/v2/containers/{container}", `{"data":{"type":"container","attributes":{"delivered_at":null}}}`, 200},
	{"container-transport-events", "GET", "/v2/containers/{container}/transport_events?page[size]=2&include=location,terminal", "", 200},
	{"container-raw-events", "GET", "/v2/containers/{container}/raw_events", "", 200},
	{"transport-event", "GET", "/v2/transport_events/{transport_event}?include=location", "", 200},
	{"raw-event", "GET", "/v2/raw_events/{raw_event}", "", 200},
	{"user", "GET", "/v2/users/{user}", "", 200},
	{"container-raw-events-included", "GET", "/v2/containers/{container}/raw_events?include=container,terminal", "", 200},
	{"container-map", "GET", "/v2/containers/{container}/map_geojson", "", 200},
	{"container-route", "GET", "/v2/containers/{container}/route?include=port,vessel,route_location", "", 200},
	{"container-route-alone", "GET", "/v2/containers/{container}/route", "", 200},
	{"container-refresh", "PATCH", "/v2/containers/{container}/refresh", "", 200},
	{"tracking-requests", "GET", "/v2/tracking_requests", "", 200},
	{"tracking-requests-filtered", "GET", "/v2/tracking_requests?q=PO&filter[request_number]=77001&filter[status]=created,pending&filter[scac]=maeu&filter[created_at][start]=2026-03-02T09:00:00Z&filter[updated_at][end]=2026-03-02T09:00:00Z&include=", "", 200},
	{"shipments-by-custom-fields", "GET", "/v2/shipments?filter[custom_fields][grade][in]=high,low&filter[custom_fields][po][present]=true&sort=custom_fields.po,-created_at&include=", "", 200},
	{"containers-by-reference", "GET", "/v2/containers?filter[ref_number]=po%209&include=", "", 200},
	{"containers-by-custom-fields", "GET", "/v2/containers?filter[custom_fields][spare][present]=false&sort=-custom_fields.spare&include=", "", 200},
	{"tracking-requests-by-custom-fields", "GET", "/v2/tracking_requests?filter[custom_fields][spare]=x&sort=custom_fields.spare,-updated_at&include=", "", 200},
	{"tracking-request-create", "POST", "/v2/tracking_requests", `{"data":{"type":"tracking_request","attributes":{"request_type":"booking","request_number":"BK1","scac":"","auto_detect_vocc_scac":true,"ref_numbers":["PO-1"],"tags":["urgent"],"initial_custom_fields":{"shipment":[]}},"relationships":{"customer":{"data":{"type":"party","id":"{party}"}}}}}`, 201},
	{"tracking-request", "GET", "/v2/tracking_requests/{tracking_request}?include=customer,user", "", 200},
	{"tracking-request-account", "GET", "/v2/tracking_requests/{tracking_request}?include=account,shipping_line", "", 200},
	{"tracking-request-update", "PATCH", "/v2/tracking_requests/{tracking_request}", `{"data":{"type":"tracking_request","attributes":{"ref_number":"PO-2","shipment_tags":["late"]},"relationships":{"customer":{"data":null}}}}`, 200},
	{"tracking-requests-bulk", "POST", "/v2/tracking_requests/bulk", `{"data":[{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"MAEU881","scac":"MAEU","tags":["bulk"]}},{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"MAEU77001","scac":"MAEU"}},{"type":"tracking_request","attributes":{"request_type":"air_waybill","request_number":""}},{"type":"tracking_request","attributes":{"request_type":5}},{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"maeu-881","scac":"MAEU"}},7]}`, 200},
	{"tracking-request-without-source", "POST", "/v2/tracking_requests", `{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"HLCUHAM240112345"}}}`, 201},
	{"tracking-requests-bulk-without-source", "POST", "/v2/tracking_requests/bulk", `{"data":[{"type":"tracking_request","attributes":{"request_type":"container","request_number":"HLXU1234567"}},{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"BK17","scac":"HLCU"}},{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"1","scac":"Hapag Lloyd"}}]}`, 200},
	{"search", "GET", "/v2/search?query=mrku-9465", "", 200},
	{"search-inside", "GET", "/v2/search?query=7700", "", 200},
	{"search-nothing", "GET", "/v2/search?query=nothing", "", 200},
	{"infer-container", "POST", "/v2/tracking_requests/infer_number", `{"number":"mrku 946577-0"}`, 200},
	{"infer-wrong-check-digit", "POST", "/v2/tracking_requests/infer_number", `{"number":"MSCU1234567"}`, 200},
	{"infer-bill-of-lading", "POST", "/v2/tracking_requests/infer_number", `{"number":"MEDUFR030802"}`, 200},
	{"infer-several", "POST", "/v2/tracking_requests/infer_number", `{"number":"6468636830"}`, 200},
	{"infer-house-bill", "POST", "/v2/tracking_requests/infer_number", `{"number":"EXDO621128151"}`, 200},
	{"infer-booking", "POST", "/v2/tracking_requests/infer_number", `{"number":"22-970937"}`, 200},
	{"report", "POST", "/v2/reports", voyage, 200},
	{"report-document", "POST", "/v2/reports", `{"data":{"type":"report","attributes":{"source":"test","announce":false,"facts":[{"id":"f2","retract":true},{"id":"n1","event":"gate_out","at":"2026-03-01T10:00:00-08:00","place":{"locode":"USOAK"},"mode":"truck","containers":["WHLU1234560"],"numbers":[{"type":"bill_of_lading","number":"MAEU77002"}]}]}}}`, 200},
	{"ports", "GET", "/v2/ports?filter[country_code]=us&filter[name]=land&page[size]=3", "", 200},
	{"metro-area", "GET", "/v2/metro_areas/usoak", "", 200},
	{"metro-area-by-id", "GET", "/v2/metro_areas/{metro_area}", "", 200},
	{"terminals", "GET", "/v2/terminals?filter[code]=TRAP&filter[port]={port}&filter[name]=trap&include=port", "", 200},
	{"vessels", "GET", "/v2/vessels?filter[imo]=9321483&filter[name]=star", "", 200},
	{"vessel-positions", "GET", "/v2/vessels/9321483?show_positions[from_timestamp]=2026-03-01T00:00:00Z&show_positions[to_timestamp]=2026-03-02T00:00:00%2B00:00", "", 200},
	{"vessel-future-positions", "GET", "/v2/vessels/{vessel}/future_positions" + aheadOfOakland, "", 200},
	{"vessel-future-positions-from-coordinates", "GET", "/v2/vessels/{vessel}/future_positions_with_coordinates" + aheadOfOakland + "&latitude=37.5&longitude=-130", "", 200},
	{"port", "GET", "/v2/ports/usoak", "", 200},
	{"port-terminals", "GET", "/v2/ports/usoak?include=terminals", "", 200},
	{"port-by-id", "GET", "/v2/ports/{port}", "", 200},
	{"terminal", "GET", "/v2/terminals/{terminal}?include=port", "", 200},
	{"vessel", "GET", "/v2/vessels/9321483", "", 200},
	{"vessel-by-id", "GET", "/v2/vessels/{vessel}", "", 200},
	{"shipping-lines", "GET", "/v2/shipping_lines", "", 200},
	{"shipping-line", "GET", "/v2/shipping_lines/{shipping_line}", "", 200},
	{"shipping-line-by-scac", "GET", "/v2/shipping_lines/safm", "", 200},
	{"audit-events", "GET", "/v2/audit_events?filter[resource_type]=shipment,webhook&filter[operation]=shipment.update,webhook.create&filter[created_at][start]=2026-03-02&include=user", "", 200},
	{"events", "GET", "/v2/events?after=1&page[size]=2&filter[event]=container.updated,container.created&filter[shipment]={shipment}", "", 200},
	{"events-last", "GET", "/v2/events?filter[event]=container.pickup_lfd.changed", "", 200},
	{"event", "GET", "/v2/events/{event}", "", 200},
	{"parties", "GET", "/v2/parties", "", 200},
	{"party-create", "POST", "/v2/parties", `{"data":{"type":"party","attributes":{"company_name":"Ümlaut & Söhne"}}}`, 201},
	{"party", "GET", "/v2/parties/{party}", "", 200},
	{"party-update", "PATCH", "/v2/parties/{party}", `{"data":{"attributes":{"company_name":"Acme Ltd"}}}`, 200},
	{"exceptions", "GET", "/v2/exceptions?filter[state]=open&filter[severity]=high,medium,low&filter[acknowledged]=false&sort=severity,-opened_at&include=container", "", 200},
	{"exceptions-none", "GET", "/v2/exceptions?filter[kind]=rollover&filter[assignee]=Kim&filter[opened_at][end]=2026-03-02&sort=updated_at", "", 200},
	{"exceptions-counts", "GET", "/v2/exceptions/counts?filter[shipment]={shipment}", "", 200},
	{"exception", "GET", "/v2/exceptions/{exception}?include=source_events", "", 200},
	{"exception-settings", "GET", "/v2/exception_settings", "", 200},
	{"exception-settings-update", "PATCH", "/v2/exception_settings", `{"data":{"type":"exception_settings","attributes":{"return_delay_in_days":14,"hub_dwell_in_days":null}}}`, 200},
	{"exception-update", "PATCH", "/v2/exceptions/{exception}", `{"data":{"type":"exception","attributes":{"acknowledged":true,"assignee":"Kim","note":"Asked the broker."}}}`, 200},
	{"shipment-with-exceptions", "GET", "/v2/shipments/{shipment}?include=exceptions", "", 200},
	{"container-with-exceptions", "GET", "/v2/containers/{container}?include=exceptions", "", 200},
	{"report-card", "GET", "/v2/report_card?filter[scac]=maeu&filter[pol_locode]=cnsha&filter[pod_locode]=usoak", "", 200},
	{"report-card-csv", "GET", "/v2/report_card?format=csv&as_of=2026-03-02T09:00:00Z", "", 200},
	{"tariffs", "GET", "/v2/tariffs?filter[clock]=demurrage,combined&filter[scac]=maeu&filter[location_locode]=usoak&filter[updated_at][start]=2026-03-02&sort=-updated_at,valid_from", "", 200},
	{"tariffs-none", "GET", "/v2/tariffs?filter[terminal_code]=Z985&sort=created_at", "", 200},
	{"tariff-create", "POST", "/v2/tariffs", tariff(`"clock":"rail_storage","terminal_code":"fy88","equipment_length":40,"free_days":2,"weekend":["Sunday"],"holiday_calendar":"cn","holidays":[{"date":"2026-12-25","name":"Christmas Day"}],"extra_working_days":["2026-10-10"],"starts":"cutoff","cutoff":"16:00","holds_that_count":["freight"],"ends_on":"working_day","charged_on":"working_days","currency":"usd","tiers":[{"from":1,"to":null,"amount":"75.5"}],"valid_to":"2027-06-30"`), 201},
	{"tariff", "GET", "/v2/tariffs/{tariff}", "", 200},
	{"tariff-update", "PATCH", "/v2/tariffs/{tariff}", tariff(`"free_days":5,"weekend":[],"starts":null,"valid_from":null,"tiers":[{"from":1,"to":null,"amount":"200"}]`), 200},
	{"tariff-delete", "DELETE", "/v2/tariffs/{tariff}", "", 200},
	{"container-charges", "GET", "/v2/containers/{container}/charges", "", 200},
	{"container-charges-as-of", "GET", "/v2/containers/{container}/charges?as_of=2026-03-02T09:00:00Z", "", 200},
	{"container-charges-sheet", "GET", "/v2/containers/{container}/charges/sheet", "", 200},
	{"container-charges-sheet-csv", "GET", "/v2/containers/{container}/charges/sheet?format=csv&as_of=2026-03-02T09:00:00Z", "", 200},
	{"charges-sheet", "POST", "/v2/charges/sheet", `{"data":{"type":"invoice","attributes":{"invoice_number":"INV-7","invoice_date":"2026-03-02","total":"650","lines":[` +
		`{"container_number":"MRKU9465770","clock":"demurrage","from":"2026-02-28","to":"2026-03-01","rate":"150","currency":"USD","free_days":4},` +
		`{"container_number":"MSKU0000000","clock":"per_diem","from":"2026-03-01","to":"2026-03-01","amount":"350","currency":"USD"}]}}}`, 200},
	{"charges-sheet-csv", "POST", "/v2/charges/sheet?format=csv", `{"invoice_number":"INV \"7/8\"","lines":[{"container_number":"MRKU9465770","clock":"demurrage","from":"2026-03-01","to":"2026-03-01","rate":"150","currency":"usd"}]}`, 200},
	{"tariffs-export", "GET", "/v2/tariffs/export", "", 200},
	{"tariffs-import", "POST", "/v2/tariffs/import?replace=true", `{"tariffs":[{` + leastTariff + `},{` + leastTariff + `,"equipment_type":"reefer"}]}`, 200},
	{"webhooks", "GET", "/v2/webhooks?filter[active]=true", "", 200},
	{"webhook-create", "POST", "/v2/webhooks", `{"data":{"type":"webhook","attributes":{"url":"https://example.com/other?a=b","active":false,"events":["container.updated","document.extracted"],"headers":[{"name":"X-Key","value":""}]}}}`, 201},
	{"webhook-create-chat", "POST", "/v2/webhooks", `{"data":{"type":"webhook","attributes":{"url":"https://example.com/chat","events":["container.created"],"format":"template","template":"{\"text\": {{json .data.attributes.event}}}"}}}`, 201},
	{"webhook-create-least", "POST", "/v2/webhooks", `{"data":{"type":"webhook","attributes":{"url":"https://example.com/other","events":["container.created"],"active":null,"headers":null}}}`, 201},
	{"webhook", "GET", "/v2/webhooks/{webhook}", "", 200},
	{"webhook-update", "PATCH", "/v2/webhooks/{webhook}", `{"data":{"type":"webhook","attributes":{"url":"https://example.com/moved","events":["container.created"],"active":false,"headers":[]}}}`, 200},
	{"webhook-delete", "DELETE", "/v2/webhooks/{webhook}", "", 200},
	{"webhook-events", "GET", "/v2/webhooks/events", "", 200},
	{"webhook-ips", "GET", "/v2/webhooks/ips", "", 200},
	{"webhook-trigger", "POST", "/v2/webhooks/trigger", `{"url":"https://example.com/try","event":"tracking_request.failed","secret":"any text"}`, 200},
	{"webhook-trigger-slack", "POST", "/v2/webhooks/trigger", `{"url":"https://example.com/try","event":"tracking_request.failed","format":"slack"}`, 200},
	{"webhook-rotate-secret", "POST", "/v2/webhooks/{webhook}/rotate_secret", "", 200},
	{"webhook-rotate-secret-at-once", "POST", "/v2/webhooks/{webhook}/rotate_secret", `{"overlap_seconds":0}`, 200},
	{"webhook-recover", "POST", "/v2/webhooks/{webhook}/recover", `{"data":{"type":"webhook_recovery","attributes":{"since":"2026-02-20T00:00:00+01:00","until":"2026-03-02T09:00:00Z","events":["container.updated"]}}}`, 202},
	{"webhook-recovery", "GET", "/v2/webhook_recoveries/{webhook_recovery}?include=webhook", "", 200},
	{"webhook-notifications", "GET", "/v2/webhook_notifications?filter[event]=tracking_request.succeeded,container.created&filter[delivery_status]=pending,failed&filter[webhook]={webhook}&filter[created_at][start]=2026-03-02&filter[created_at][end]=2026-03-02T09:00:00Z&include=webhook,reference_object.tracked_object,webhook_notification_logs", "", 200},
	{"webhook-notification", "GET", "/v2/webhook_notifications/{webhook_notification}", "", 200},
	{"webhook-notification-alone", "GET", "/v2/webhook_notifications/{webhook_notification}?include=", "", 200},
	{"webhook-notification-examples", "GET", "/v2/webhook_notifications/examples", "", 200},
	{"webhook-notification-example", "GET", "/v2/webhook_notifications/examples?event=container.transport.vessel_discharged", "", 200},
	{"webhook-notification-redeliver", "POST", "/v2/webhook_notifications/{webhook_notification}/redeliver", "", 202},
	{"custom-field-definitions", "GET", "/v2/custom_field_definitions?filter[entity_type]=Shipment&filter[data_type]=enum,short_text&filter[display_name]=acme%20GR", "", 200},
	{"custom-field-definition-create", "POST", "/v2/custom_field_definitions", definition(`"entity_type":"Shipment","display_name":"Zollwert (EUR)","data_type":"number","description":"As declared.","validation":{"required":true,"min":0,"scale":2},"default_format":null,"default_value":"12.50"`), 201},
	{"custom-field-definition-create-enum", "POST", "/v2/custom_field_definitions", definition(`"entity_type":"Shipment","api_slug":"priority","display_name":"Priority","data_type":"enum","description":null,"validation":{"required":false},"default_format":null,"default_value":"low"`), 201},
	{"custom-field-definition", "GET", "/v2/custom_field_definitions/{custom_field_definition}", "", 200},
	{"custom-field-definition-update", "PATCH", "/v2/custom_field_definitions/{custom_field_definition}", definition(`"api_slug":"grade","display_name":"Grade","description":"How good it is","default_value":"high"`), 200},
	{"custom-field-definition-delete", "DELETE", "/v2/custom_field_definitions/{custom_field_definition}", "", 200},
	{"custom-field-options", "GET", "/v2/custom_field_definitions/{custom_field_definition}/options", "", 200},
	{"custom-field-option-create", "POST", "/v2/custom_field_definitions/{custom_field_definition}/options", option(`"label":"Middle","value":"middle"`), 201},
	{"custom-field-option", "GET", "/v2/custom_field_definitions/{custom_field_definition}/options/{custom_field_option}", "", 200},
	{"custom-field-option-update", "PATCH", "/v2/custom_field_definitions/{custom_field_definition}/options/{custom_field_option}", option(`"label":"Lowest","position":0`), 200},
	{"custom-field-option-delete", "DELETE", "/v2/custom_field_definitions/{custom_field_definition}/options/{custom_field_option}", "", 200},
	{"custom-fields", "GET", "/v2/custom_fields?filter[entity_type]=Shipment,Container&filter[entity_id]={shipment}&page[size]=1&include=entity,definition,updated_by", "", 200},
	{"custom-field-create", "POST", "/v2/custom_fields", `{"data":` + fieldOf("{shipment}", "grade", `"high"`) + `}`, 201},
	{"custom-fields-bulk", "POST", "/v2/custom_fields/bulk", `{"data":[` + fieldOf("{shipment}", "grade", `"high"`) + `,` + fieldOf("{shipment}", "grade", `"best"`) + `,{"type":"custom_field"}]}`, 200},
	{"custom-field", "GET", "/v2/custom_fields/{custom_field}?include=definition", "", 200},
	{"custom-field-history", "GET", "/v2/custom_fields/{custom_field}/history?include=updated_by", "", 200},
	{"custom-field-update", "PATCH", "/v2/custom_fields/{custom_field}", fieldValue(`"value":null`), 200},
	{"custom-field-delete", "DELETE", "/v2/custom_fields/{custom_field}", "", 200},
	{"shipment-custom-fields", "GET", "/v2/shipments/{shipment}/custom_fields?include=definition", "", 200},
	{"shipment-with-custom-fields", "GET", "/v2/shipments?include=custom_fields,containers.custom_fields", "", 200},
	{"shipment-custom-field-set", "POST", "/v2/shipments/{shipment}/custom_fields", fieldValue(`"api_slug":"po","value":"PO-10"`), 201},
	{"shipment-custom-field-update", "PATCH", "/v2/shipments/{shipment}/custom_fields/po", `{"value":"PO-11"}`, 200},
	{"shipment-custom-field-delete", "DELETE", "/v2/shipments/{shipment}/custom_fields/po", "", 204},
	{"container-custom-fields", "GET", "/v2/containers/{container}/custom_fields", "", 200},
	{"container-custom-field-set", "POST", "/v2/containers/{container}/custom_fields", fieldValue(`"api_slug":"lot","value":"7"`), 201},
	{"container-custom-field-update", "PATCH", "/v2/containers/{container}/custom_fields/lot", fieldValue(`"value":"8"`), 200},
	{"container-custom-field-delete", "DELETE", "/v2/containers/{container}/custom_fields/lot", "", 204},
	{"tracking-request-custom-fields", "GET", "/v2/tracking_requests/{tracking_request}/custom_fields", "", 200},
	{"tracking-request-custom-field-set", "POST", "/v2/tracking_requests/{tracking_request}/custom_fields", fieldValue(`"api_slug":"po","value":"PO-12"`), 201},
	{"tracking-request-custom-field-update", "PATCH", "/v2/tracking_requests/{tracking_request}/custom_fields/desk", fieldValue(`"value":"North"`), 200},
	{"tracking-request-custom-field-delete", "DELETE", "/v2/tracking_requests/{tracking_request}/custom_fields/desk", "", 204},
	{"documents", "GET", "/v2/documents?include=shipments,cargos,account,user,last_document_representation,email_submission,current_extraction&filter[filename]=bill%20spr&filter[reference]=po-9,x&filter[document_types]=bill_of_lading,other&filter[state]=read,waiting,untyped&sort=document_type,-added_by,created_at", "", 200},
	{"documents-all", "GET", "/v2/documents?include=shipments,cargos,account,user,last_document_representation,email_submission,current_extraction&page[size]=2", "", 200},
	{"document-create", "POST", "/v2/documents", `{"data":{"type":"document","attributes":{"name":"inv.pdf","attached_document":"{attachable}"}}}`, 201},
	{"document-types", "GET", "/v2/documents/types", "", 200},
	{"document", "GET", "/v2/documents/{document}", "", 200},
	{"document-update", "PATCH", "/v2/documents/{document}", `{"data":{"type":"document","attributes":{"document_type_manual":"arrival_notice","extracted_data_manual":null}}}`, 200},
	{"document-delete", "DELETE", "/v2/documents/{document}", "", 204},
	{"document-download-url", "GET", "/v2/documents/{document}/download_url", "", 200},
	{"document-reextract", "POST", "/v2/documents/{document}/reextract", "", 202},
	{"document-reclassify", "POST", "/v2/documents/{document}/reclassify", "", 202},
	{"document-relink", "POST", "/v2/documents/{document}/relink", "{}", 202},
	{"document-rotate", "POST", "/v2/documents/{picture}/rotate", `{"degrees":90}`, 202},
	{"document-schema", "GET", "/v2/document_schemas/bill_of_lading@1.0", "", 200},
	{"layout-corrections", "GET", "/v2/layout_corrections?filter[document_types]=bill_of_lading&include=document,user", "", 200},
	{"layout-corrections-none", "GET", "/v2/layout_corrections?filter[document_types]=other", "", 200},
	{"layout-correction", "GET", "/v2/layout_corrections/{layout_correction}", "", 200},
	{"layout-correction-delete", "DELETE", "/v2/layout_corrections/{layout_correction}", "", 204},
	{"email-submissions", "GET", "/v2/email_submissions", "", 200},
	{"email-submission", "GET", "/v2/email_submissions/{email_submission}?include=account,user,documents", "", 200},
	{"email-submission-create", "POST", "/v2/email_submissions", "From: kim@example.com\r\nSubject: Nothing attached\r\n\r\nHello", 201},
	{"direct-upload", "POST", "/v2/direct_uploads", `{"blob":{"filename":"inv.pdf","content_type":"application/pdf","byte_size":3,"checksum":"rL0Y20zC+Fzt72VPzMSk2A=="}}`, 200},
	{"direct-upload-rails", "POST", "/rails/active_storage/direct_uploads", `{"blob":{"filename":"inv.pdf","byte_size":3,"checksum":"rL0Y20zC+Fzt72VPzMSk2A=="}}`, 200},
	{"blob-put", "PUT", "/v2/blobs/{handle}", "later", 204},
	{"blob", "GET", "/v2/blobs/{download}", "", 200},
	{"healthz", "GET", "/healthz", "", 200},
	{"readyz", "GET", "/readyz", "", 200},
}

func TestAnswers(t *testing.T) {
	for i, row := range successes {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(row.name, func(t *testing.T) {
			b := newBench(t)
			if strings.HasPrefix(row.name, "documents") || strings.HasPrefix(row.name, "email-submissions") {
				b.Settle() // the documents are read
			}
			if strings.HasPrefix(row.name, "layout-correction") {
				b.mine.ids["layout_correction"] = b.layoutCorrection(b.mine)
			}
			a := b.as(b.mine, row.method, b.mine.fill(row.path), b.mine.fill(row.body), typeOfBody(row.name)...).want(row.status)
			text := fmt.Sprintf("%s %s\n%d\n%s", row.method, b.mine.fill(row.path), a.status, headersOf(a.header))
			golden(t, "answers/"+row.name+".txt", readable(text+"\n"+indent(t, a.body)))
			if row.method == "GET" {
				head := b.as(b.mine, "HEAD", b.mine.fill(row.path), "").want(row.status)
				if head.header.Get("Content-Length") != a.header.Get("Content-Length") {
					t.Errorf("HEAD says Content-Length %s, GET %s", head.header.Get("Content-Length"), a.header.Get("Content-Length"))
				}
				return
			}
			b.audited(row.name, a)
		})
	}
}

// typeOfBody has the headers of bodies that are no JSON.
func typeOfBody(name string) []string {
	switch name {
	case "email-submission-create":
		return []string{"Content-Type: message/rfc822"}
	case "blob-put":
		return []string{"Content-Type: text/plain; charset=utf-8"}
	}
	return nil
}

func headersOf(h http.Header) string {
	var b strings.Builder
	for _, name := range []string{"Content-Type", "Etag", "Location", "Content-Disposition", "Content-Security-Policy"} {
		if v := h.Get(name); v != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, v)
		}
	}
	return b.String()
}

// The table of successes must have all operations.
func TestAnswersCoverTheTable(t *testing.T) {
	b := newBench(t)
	mux := http.NewServeMux()
	for _, r := range b.server.Routes() {
		mux.Handle(r.Pattern(), r.Handler)
	}
	seen := map[string]bool{"GET /v2/openapi.json": true} // its golden file is docs/openapi.json
	for _, row := range successes {
		_, pattern := mux.Handler(request(row.method, b.mine.fill(row.path), ""))
		seen[pattern] = true
	}
	for _, r := range b.server.Routes() {
		if !seen[r.Pattern()] {
			t.Errorf("no row of successes is %s", r.Pattern())
		}
	}
}

func TestRefreshAsksTheSource(t *testing.T) {
	b := newBench(t)
	b.Settle()
	before := len(b.Source.Asked())
	b.as(b.mine, "PATCH", b.mine.fill("/v2/containers/{container}/refresh"), "{}").want(200)
	b.Settle()
	if asked := len(b.Source.Asked()); asked != before+1 {
		t.Errorf("the source was asked %d times, want 1", asked-before)
	}
}

// A tracking request is created at once and shows its shipment after the source has
// responded.
func TestTrackingRequestLifecycle(t *testing.T) {
	b := newBench(t)
	b.Source.Script("MAEU555", trackingtest.Reply{Facts: []tracking.Fact{{
		ID: "x", Activity: freight.Loading, Place: tracking.Place{LOCODE: "CNSHA"}, Mode: freight.ByVessel,
		At: tracking.Moment{Time: trackingtest.Start}, Containers: []string{"MRKU9465770"},
	}}})
	made := b.as(b.mine, "POST", "/v2/tracking_requests", `{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"MAEU555","scac":"MAEU"}}}`).want(201)
	if got := made.attributes()["status"]; got != "pending" {
		t.Errorf("status is %v at first, want pending", got)
	}
	b.Settle()
	after := b.as(b.mine, "GET", made.header.Get("Location"), "").want(200)
	if got := after.attributes()["status"]; got != "created" || len(after.list("included")) != 1 {
		t.Errorf("status is %v with %d included, want created with the shipment", got, len(after.list("included")))
	}
}
