package httpserver

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/openapi"
)

// operation is what is told of a route beside what serves it. Its path, query,
// errors and permission follow from the route.
type operation struct {
	// id is the operationId: generated clients name their methods after it, so no two
	// are alike, and it does not change.
	id string
	// tag is the group that it stands in, one of tags.
	tag string
	// does is a line that says what it does, as an order: "Stop a shipment's
	// tracking".
	does string
	// more is what else there is to say.
	more string
	// params are plain parameters of the query.
	params []param
	// body is what it takes; nil for none.
	body *body
	// gives is what it answers when all is well.
	gives answer
	// also are statuses of errors that do not follow from the route.
	also []int
	// deprecated and beta say what clients may build on it.
	deprecated, beta bool
}

// param is a plain parameter of a query.
type param struct {
	name, about string
	schema      openapi.Object
	required    bool
	deprecated  bool
}

// body is the body of a write: a resource document, unless bare.
type body struct {
	// typ is data.type, which may be left out where typeOptional.
	typ          string
	typeOptional bool
	// named: data.id says which record is meant.
	named bool
	// attributes are those of the resource that can be given. A star marks what
	// must be given, an exclamation mark what must not be null.
	attributes []string
	// own is a struct of attributes that the resource does not have.
	own reflect.Type
	// customer: the relationship to a party.
	customer bool
	// related is a relationship of the resource that must be given.
	related string
	// plain: the attributes may also be sent as a plain object; bare: only so.
	plain, bare bool
	// optional: the body may be left out.
	optional bool
	// media is the type of a body that is not JSON, and example one that is text.
	media, example string
}

// changes is the body of a PATCH of a resource.
func changes(typ string, attributes ...string) *body { return &body{typ: typ, attributes: attributes} }

// makes is the body that makes a resource.
func makes(typ string, attributes ...string) *body { return &body{typ: typ, attributes: attributes} }

// acts is the body of an action: none, an empty object, or one that names the
// record.
func acts(typ string) *body {
	return &body{typ: typ, typeOptional: true, optional: true}
}

// bare is a plain object of the members of T.
func bare[T any]() *body { return &body{own: reflect.TypeFor[T](), bare: true} }

// members is a plain object of the members of T, or these as the attributes of a
// document of the type.
func members[T any](typ string) *body {
	return &body{typ: typ, typeOptional: true, own: reflect.TypeFor[T](), plain: true}
}

func (b body) with(customer bool, own reflect.Type) *body {
	b.customer, b.own = customer, own
	return &b
}

func (b body) untyped() *body {
	b.typeOptional = true
	return &b
}

func (b body) naming() *body {
	b.named = true
	return &b
}

func (b body) orNone() *body {
	b.optional = true
	return &b
}

// answer is what a success looks like.
type answer struct {
	status int
	// typ is the resource type of a document, many a list of them.
	typ  string
	many bool
	// past: the document may be of the past, and says so in its meta.
	past bool
	// plain is the Go type of a body that is no document, or with a type that of a
	// resource that is no record.
	plain reflect.Type
	// schema is a body that no Go type has; media is its type, where that is not
	// JSON.
	schema, media string
	// located: a header says where the resource is.
	located bool
}

func one(typ string) answer  { return answer{status: http.StatusOK, typ: typ} }
func many(typ string) answer { return answer{status: http.StatusOK, typ: typ, many: true} }
func made(typ string) answer { return answer{status: http.StatusCreated, typ: typ, located: true} }
func begun(typ string, located bool) answer {
	return answer{status: http.StatusAccepted, typ: typ, located: located}
}
func nothing(status int) answer { return answer{status: status} }

// asOf is one record, now or in the past.
func asOf(typ string) answer { return answer{status: http.StatusOK, typ: typ, past: true} }

// object is a body that is no document.
func object[T any]() answer { return answer{status: http.StatusOK, plain: reflect.TypeFor[T]()} }

// own is a document with a resource that is no record.
func own[T any](typ string, list bool) answer {
	return answer{status: http.StatusOK, typ: typ, plain: reflect.TypeFor[T](), many: list}
}

// tags are the groups of operations, in the order in which they are told.
var tags = [][2]string{
	{"Shipments", "What a bill of lading or booking number is followed by, and what is known of its voyage."},
	{"Containers", "The boxes of shipments: their state, milestones and deadlines."},
	{"Tracking requests", "Asking for a number to be followed."},
	{"Reports", "Facts that you know and the carrier does not."},
	{"Search", "Finding by what is remembered of a number."},
	{"Reference", "Ports, terminals, vessels and shipping lines."},
	{tagDefinitions, "Which fields of your own shipments, containers and tracking requests have."},
	{tagFields, "Their values."},
	{"Parties", "The customers that shipments are for."},
	{"Webhooks", "Being told what changes, instead of asking."},
	{"Webhook notifications", "What was told, and what became of it."},
	{tagDocuments, "Files that are classified, read and linked to shipments and containers. Beta."},
	{"Service", "The service itself."},
}

// Plain parameters.
var (
	numberParam = param{name: "number", about: "The number of the tracking request, or any other bill of lading or booking number of the shipment, with or without the carrier's prefix. Never a container number."}
	searchParam = param{name: "q", about: "Finds by the beginning of a number or reference. Use the parameter number, or filters.", deprecated: true}
	asOfParam   = param{name: "as_of", about: "Shows the record as it was at the end of this second, from the facts that were known by then. Not in the future.", schema: dateTime}
	eventParam  = param{name: "event", about: "The name of an event.", required: true}
)

var dateTime = openapi.Obj("type", "string", "format", "date-time")

// Attributes that can be written and are not those of the resource.
type (
	// requestOptions are how a tracking request can be made beside its attributes.
	requestOptions struct {
		// RequestNumber is the bill of lading, booking or container number, at most 50 characters.
		RequestNumber string `json:"request_number"`
		// RequestType is bill_of_lading, booking_number (or booking) or container.
		RequestType string `json:"request_type"`
		// SCAC of the shipping line, primary or alternative. Without one, or with an empty one, the line is detected.
		SCAC *string `json:"scac,omitempty"`
		// AutoDetect asks for the line to be detected.
		AutoDetect *bool `json:"auto_detect_vocc_scac,omitempty"`
		// ShipmentTags is another name of tags, and goes before it.
		ShipmentTags []string `json:"shipment_tags,omitempty"`
		// InitialCustomFields are values for the shipment and its containers, set when the request succeeds.
		InitialCustomFields *initialCustomFields `json:"initial_custom_fields,omitempty"`
	}
	initialCustomFields struct {
		Shipment []initialCustomField `json:"shipment,omitempty"`
		// Containers: each with the number of its container, or without one for all.
		Containers []initialCustomField `json:"containers,omitempty"`
	}
	initialCustomField struct {
		// APISlug of the definition.
		APISlug string          `json:"api_slug"`
		Value   json.RawMessage `json:"value"`
		// Number of the container.
		Number *string `json:"number,omitempty"`
	}
	// requestAliases are other names of what can be changed of a tracking request.
	requestAliases struct {
		// RefNumber is one reference, for ref_numbers with it alone; null for none.
		RefNumber *string `json:"ref_number,omitempty"`
		// ShipmentTags is another name of tags.
		ShipmentTags []string `json:"shipment_tags,omitempty"`
	}
	// reportAttributes are a report.
	reportAttributes struct {
		// Source names who reports: 1 to 64 printable characters.
		Source string `json:"source"`
		// DataSource says what kind of party knows this. Defaults to shipping_line.
		DataSource tracking.DataSource `json:"data_source,omitempty"`
		// SCAC is the shipping line whose shipments the facts are about; single facts may name another.
		SCAC string `json:"scac,omitempty"`
		// Announce: webhooks are told what follows. Defaults to true.
		Announce *bool `json:"announce,omitempty"`
		// Facts in the order of the source.
		Facts []tracking.Fact `json:"facts,omitempty"`
	}
	inferNumberBody struct {
		// Number in any spelling, at most 50 characters.
		Number string `json:"number"`
	}
	triggerBody struct {
		// URL that the example is posted to.
		URL string `json:"url"`
		// Event whose example is posted.
		Event tracking.EventName `json:"event"`
		// Secret that it is signed with: whsec_..., or any text for the older signature.
		Secret *string `json:"secret,omitempty"`
	}
	rotateBody struct {
		// OverlapSeconds is for how long the former secret stays good, at most 7 days. Defaults to 24 hours.
		OverlapSeconds *int `json:"overlap_seconds,omitempty"`
	}
	recoverBody struct {
		// Since is where the span begins, at most 14 days ago.
		Since string `json:"since"`
		// Until is where it ends. Defaults to now.
		Until *string `json:"until,omitempty"`
		// Events that are sent again. Defaults to all.
		Events []tracking.EventName `json:"events,omitempty"`
	}
	messageDoc struct {
		// Message says what was started.
		Message string `json:"message"`
	}
	statusDoc struct {
		Status string `json:"status"`
	}
)

// operations is what is told of each route, by method and path. A test fails
// while a route has none.
var operations = joined(trackingOperations, placeOperations, customFieldOperations, documentOperations)

func joined(parts ...map[string]operation) map[string]operation {
	all := map[string]operation{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

var trackingOperations = map[string]operation{
	"GET /shipments": {id: "listShipments", tag: "Shipments", does: "List shipments", gives: many("shipment"), params: []param{numberParam, searchParam},
		more: "Last created first, unless sort says otherwise. To find a shipment by the number of a container, list containers with filter[number] and include=shipment."},
	"GET /shipments/{id}":               {id: "getShipment", tag: "Shipments", does: "Get a shipment", gives: asOf("shipment"), params: []param{asOfParam}},
	"GET /shipments/{id}/eta_revisions": {id: "listShipmentETARevisions", tag: "Shipments", does: "List the revisions of a shipment's ETA", gives: many("revision"), more: "The last first."},
	"PATCH /shipments/{id}": {id: "updateShipment", tag: "Shipments", does: "Update a shipment", gives: one("shipment"),
		body: changes("shipment", "ref_numbers", "tags").untyped().with(true, nil)},
	"PATCH /shipments/{id}/stop_tracking": {id: "stopTrackingShipment", tag: "Shipments", does: "Stop tracking a shipment", gives: one("shipment"), body: acts("shipment"),
		more: "Refreshes and notifications pause; what is known is kept. A shipment that is stopped already stays as it is."},
	"PATCH /shipments/{id}/resume_tracking": {id: "resumeTrackingShipment", tag: "Shipments", does: "Resume tracking a shipment", gives: one("shipment"), body: acts("shipment"),
		more: "Refreshes and notifications go on. A shipment that is followed already stays as it is."},

	"GET /containers": {id: "listContainers", tag: "Containers", does: "List containers", gives: many("container"), more: "Last created first, unless sort says otherwise."},
	"PATCH /containers": {id: "updateContainers", tag: "Containers", does: "Update the container that the body names", gives: one("container"),
		body: changes("container", "ref_numbers", "delivered_at").naming()},
	"GET /containers/{id}":         {id: "getContainer", tag: "Containers", does: "Get a container", gives: asOf("container"), params: []param{asOfParam}},
	"GET /containers/{id}/history": {id: "listContainerRevisions", tag: "Containers", does: "List the revisions of a container", gives: many("revision"), more: "Of the container and its shipment, the last first."},
	"PATCH /containers/{id}": {id: "updateContainer", tag: "Containers", does: "Update a container", gives: one("container"), body: changes("container", "ref_numbers", "delivered_at"),
		more: "delivered_at marks the box as delivered by hand; null takes the mark back."},
	"GET /containers/{id}/transport_events": {id: "listContainerTransportEvents", tag: "Containers", does: "List the transport events of a container", gives: many("transport_event"), more: "Those that have happened and stand, the last first."},
	"GET /containers/{id}/raw_events":       {id: "listContainerRawEvents", tag: "Containers", does: "List the raw events of a container", gives: many("raw_event"), deprecated: true},
	"PATCH /containers/{id}/refresh": {id: "refreshContainer", tag: "Containers", does: "Refresh a container", gives: object[messageDoc](), body: acts("container"),
		more: "Its sources are asked soon; the answer says which."},

	"GET /tracking_requests": {id: "listTrackingRequests", tag: "Tracking requests", does: "List tracking requests", gives: many("tracking_request"), params: []param{searchParam},
		more: "Last created first. The tracked objects are included unless include says otherwise."},
	"POST /tracking_requests": {id: "createTrackingRequest", tag: "Tracking requests", does: "Create a tracking request", gives: made("tracking_request"),
		body: makes("tracking_request", "ref_numbers", "tags").with(true, reflect.TypeFor[requestOptions]()),
		more: "The answer comes at once; the carrier is asked in the background, and status tells how far that is. A second live request for the same number is refused, with the first one's ID in meta.tracking_request_id."},
	"POST /tracking_requests/infer_number": {id: "inferNumber", tag: "Tracking requests", does: "Infer the type and shipping line of a number", gives: own[inferenceDoc]("infer_number_results", false), body: bare[inferNumberBody](), beta: true},
	"GET /tracking_requests/{id}":          {id: "getTrackingRequest", tag: "Tracking requests", does: "Get a tracking request", gives: one("tracking_request")},
	"PATCH /tracking_requests/{id}": {id: "updateTrackingRequest", tag: "Tracking requests", does: "Update a tracking request", gives: one("tracking_request"),
		body: changes("tracking_request", "ref_numbers", "tags").untyped().with(true, reflect.TypeFor[requestAliases]())},

	"POST /reports": {id: "createReport", tag: "Reports", does: "Report facts", gives: own[receiptDoc]("report_receipt", false), body: &body{typ: "report", own: reflect.TypeFor[reportAttributes](), plain: true},
		more: "At most 10,000 facts and 16 MiB. All are taken, or none."},

	"GET /ports/{id}":     {id: "getPort", tag: "Reference", does: "Get a port", gives: one("port"), more: "By its ID or UN/LOCODE."},
	"GET /terminals/{id}": {id: "getTerminal", tag: "Reference", does: "Get a terminal", gives: one("terminal")},
	"GET /vessels/{id}": {id: "getVessel", tag: "Reference", does: "Get a vessel", gives: one("vessel"), more: "By its ID or IMO number. Positions are shown where they are asked for, and the server has a source of them.",
		params: []param{{name: "show_positions[from_timestamp]", about: "Shows positions from this time on.", schema: dateTime}, {name: "show_positions[to_timestamp]", about: "Shows positions up to this time.", schema: dateTime}}},
	"GET /shipping_lines":      {id: "listShippingLines", tag: "Reference", does: "List shipping lines", gives: many("shipping_line"), more: "All, as one page."},
	"GET /shipping_lines/{id}": {id: "getShippingLine", tag: "Reference", does: "Get a shipping line", gives: one("shipping_line"), more: "By its ID or one of its SCACs."},

	"GET /parties":        {id: "listParties", tag: "Parties", does: "List parties", gives: many("party")},
	"POST /parties":       {id: "createParty", tag: "Parties", does: "Create a party", gives: made("party"), body: makes("party", "company_name*").untyped()},
	"GET /parties/{id}":   {id: "getParty", tag: "Parties", does: "Get a party", gives: one("party")},
	"PATCH /parties/{id}": {id: "updateParty", tag: "Parties", does: "Update a party", gives: one("party"), body: changes("party", "company_name!").untyped()},

	"GET /webhooks": {id: "listWebhooks", tag: "Webhooks", does: "List webhooks", gives: many("webhook")},
	"POST /webhooks": {id: "createWebhook", tag: "Webhooks", does: "Create a webhook", gives: made("webhook"), body: makes("webhook", "url*", "events*", "active", "headers"),
		more: "The answer has the secret that deliveries are signed with."},
	"GET /webhooks/events":   {id: "listWebhookEvents", tag: "Webhooks", does: "List the names of events", gives: own[eventCategoryDoc](eventCategoryType, true)},
	"GET /webhooks/ips":      {id: "listWebhookIPs", tag: "Webhooks", does: "List the IP addresses that notifications come from", gives: object[webhookIPsDoc]()},
	"POST /webhooks/trigger": {id: "triggerWebhook", tag: "Webhooks", does: "Send an example notification to a URL", gives: object[trialDoc](), body: members[triggerBody]("webhook"), more: "Sent once, and not recorded. 200 also where the endpoint failed: succeeded tells."},
	"GET /webhooks/{id}":     {id: "getWebhook", tag: "Webhooks", does: "Get a webhook", gives: one("webhook")},
	"PATCH /webhooks/{id}":   {id: "updateWebhook", tag: "Webhooks", does: "Update a webhook", gives: one("webhook"), body: changes("webhook", "url!", "events!", "active!", "headers")},
	"DELETE /webhooks/{id}":  {id: "deleteWebhook", tag: "Webhooks", does: "Delete a webhook", gives: nothing(http.StatusOK), body: acts("webhook"), more: "What is pending is not sent any more."},
	"POST /webhooks/{id}/rotate_secret": {id: "rotateWebhookSecret", tag: "Webhooks", does: "Rotate the secret of a webhook", gives: one("webhook"), body: members[rotateBody]("webhook").orNone(),
		more: "While the former one is good too, deliveries are signed with both."},
	"POST /webhooks/{id}/recover": {id: "recoverWebhook", tag: "Webhooks", does: "Recover the notifications of a webhook", more: "Every notification of a span of time is sent again.", gives: begun("webhook_recovery", true), body: members[recoverBody]("webhook_recovery")},

	"GET /webhook_recoveries/{id}": {id: "getWebhookRecovery", tag: "Webhook notifications", does: "Get a webhook recovery", gives: one("webhook_recovery")},
	"GET /webhook_notifications":   {id: "listWebhookNotifications", tag: "Webhook notifications", does: "List webhook notifications", gives: many("webhook_notification"), more: "Last created first."},
	"GET /webhook_notifications/examples": {id: "getWebhookNotificationExample", tag: "Webhook notifications", does: "Get an example notification", gives: answer{status: http.StatusOK, schema: "notification"}, params: []param{eventParam},
		more: "What would be posted for it."},
	"GET /webhook_notifications/{id}": {id: "getWebhookNotification", tag: "Webhook notifications", does: "Get a webhook notification", gives: one("webhook_notification"),
		more: "The reference object, its container and its shipment are included unless include says otherwise; include=webhook_notification_logs has every attempt."},
	"POST /webhook_notifications/{id}/redeliver": {id: "redeliverNotification", tag: "Webhook notifications", does: "Redeliver a notification", gives: begun("webhook_notification", false), body: acts("webhook_notification")},

	"GET /openapi.json": {id: "getOpenAPI", tag: "Service", does: "Get the OpenAPI description", gives: answer{status: http.StatusOK, schema: "openapi"}},
	"GET /healthz":      {id: "checkHealth", tag: "Service", does: "Check that the service is alive", gives: object[statusDoc]()},
	"GET /readyz":       {id: "checkReadiness", tag: "Service", does: "Check that the service takes writes", gives: object[statusDoc](), also: []int{http.StatusServiceUnavailable}},
}

// filterTexts say what the filters of lists select by. A list of values, with
// commas between, means any of them, unless the filter is yes or no.
var filterTexts = map[string]string{
	"active":               "Whether the webhook is active: true or false.",
	"attribute":            "Names of attributes that were revised.",
	"available_for_pickup": "Whether a terminal is known to release the box: true or false.",
	"code":                 "UN/LOCODEs; of terminals also SMDG, BIC and FIRMS codes.",
	"country_code":         "Codes of countries, ISO 3166-1 alpha-2.",
	"created_at":           "When it was created.",
	"custom_fields":        "The value of a custom field: filter[custom_fields][api_slug]=value. With [in], [gt], [gte], [lt], [lte] or [present] behind the slug: any of a list, a bound, or whether there is a value.",
	"customer_id":          "IDs of parties.",
	"data_type":            "Data types.",
	"definition_id":        "IDs of definitions.",
	"display_name":         "The beginning of the name, whatever its case.",
	"entity_id":            "IDs of shipments, containers or tracking requests.",
	"entity_type":          "Shipment, Container or TrackingRequest.",
	"delivery_status":      "Statuses of notifications: pending, succeeded, failed.",
	"document_types":       "Codes of types of documents.",
	"event":                "Names of events.",
	"filename":             "Words of the name of the file.",
	"has_hold":             "Whether any hold is in force or pending: true or false.",
	"imo":                  "IMO numbers.",
	"name":                 "The beginning of the name, whatever its case.",
	"number":               "Numbers of containers, in any spelling.",
	"pickup_lfd":           "The last free day.",
	"pod_eta_at":           "The estimated arrival at the port of discharge.",
	"pod_locode":           "UN/LOCODEs of ports of discharge.",
	"pod_terminal":         "IDs of terminals at the port of discharge.",
	"pol_locode":           "UN/LOCODEs of ports of lading.",
	"port":                 "IDs of ports.",
	"reference":            "References that the document is linked by.",
	"ref_number":           "Reference numbers.",
	"request_number":       "Numbers of tracking requests.",
	"scac":                 "SCACs of shipping lines, primary or alternative.",
	"status":               "Statuses.",
	"tags":                 "Tags.",
	"tracking_stopped":     "Whether tracking has stopped: true or false.",
	"updated_at":           "When it last changed.",
	"vessel_imo":           "IMO numbers of the vessels that arrive at the port of discharge.",
	"webhook":              "IDs of webhooks.",
}

// filterText describes a filter as jsonapi.Accept names it.
func filterText(name string) (text string, schema openapi.Object) {
	base, end, _ := strings.Cut(name, "[")
	text, schema = filterTexts[base], openapi.Obj("type", "string")
	switch end {
	case "start]":
		return text + " Not before this; a date or a time with an offset.", schema
	case "end]":
		return text + " Not after the end of this second, or day where it is a date.", schema
	}
	if strings.HasSuffix(text, ": true or false.") {
		schema = openapi.Obj("type", "boolean")
	}
	return text, schema
}
