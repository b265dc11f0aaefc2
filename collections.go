package tracking

import "maps"

// collections is where the resources of each type are found, below the prefix of
// the interface.
var collections = map[string]string{
	"container":               "/containers/",
	"custom_field":            "/custom_fields/",
	"custom_field_definition": "/custom_field_definitions/",
	"metro_area":              "/metro_areas/",
	"party":                   "/parties/",
	"port":                    "/ports/",
	"raw_event":               "/raw_events/",
	"shipment":                "/shipments/",
	"shipping_line":           "/shipping_lines/",
	"terminal":                "/terminals/",
	"tracking_request":        "/tracking_requests/",
	"transport_event":         "/transport_events/",
	"user":                    "/users/",
	"vessel":                  "/vessels/",
	"webhook":                 "/webhooks/",
	"webhook_notification":    "/webhook_notifications/",
	"webhook_recovery":        "/webhook_recoveries/",
	"document":                "/documents/",
	"email_submission":        "/email_submissions/",
}

// Collections returns the paths of resources by type, each ending in a slash,
// below the prefix of the interface. Types that have no place of their own are
// missing.
func Collections() map[string]string { return maps.Clone(collections) }

// payloadPrefix is the prefix that payloads of webhooks show: what is posted must
// not depend on where the interface is mounted.
const payloadPrefix = "/v2"

// appendSelf appends the path of a resource.
func appendSelf(b []byte, typ string, id ID) []byte {
	b = append(b, payloadPrefix...)
	return appendID(append(b, collections[typ]...), id)
}
