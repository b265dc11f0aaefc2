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
	// summary is a line that says what it does, as an order: "Stop a shipment's
	// tracking".
	summary string
	// details is what else there is to say.
	details string
	// params are plain parameters of the query.
	params []param
	// body is what it takes; nil for none.
	body *requestBody
	// response is what it answers when all is well.
	response response
	// extraErrors are statuses of errors that do not follow from the route.
	extraErrors []int
	// deprecated and beta say what clients may build on it.
	deprecated, beta bool
}

// param is a plain parameter of a query.
type param struct {
	name, description string
	schema            openapi.Object
	required          bool
	deprecated        bool
}

// requestBody is the body of a write: a resource document, unless bare.
type requestBody struct {
	// typ is data.type, which may be left out where typeOptional.
	typ          string
	typeOptional bool
	// idRequired: data.id says which record is meant.
	idRequired bool
	// attributes are those of the resource that can be given. A star marks what
	// must be given, an exclamation mark what must not be null.
	attributes []string
	// extra is a struct of attributes that the resource does not have.
	extra reflect.Type
	// customer: the relationship to a party.
	customer bool
	// relationship is a relationship of the resource that must be given.
	relationship string
	// plainAllowed: the attributes may also be sent as a plain object; bare: only so.
	plainAllowed, plainOnly bool
	// optional: the body may be left out.
	optional bool
	// media is the type of a body that is not JSON, and example one that is text.
	media, example string
}

// resourceBody is the body of a PATCH of a resource.
func resourceBody(typ string, attributes ...string) *requestBody {
	return &requestBody{typ: typ, attributes: attributes}
}

// actionBody is the body of an action: none, an empty object, or one that names the
// record.
func actionBody(typ string) *requestBody {
	return &requestBody{typ: typ, typeOptional: true, optional: true}
}

// plainBody is a plain object of the members of T.
func plainBody[T any]() *requestBody {
	return &requestBody{extra: reflect.TypeFor[T](), plainOnly: true}
}

// optionallyPlainBody is a plain object of the members of T, or these as the attributes of a
// document of the type.
func optionallyPlainBody[T any](typ string) *requestBody {
	return &requestBody{typ: typ, typeOptional: true, extra: reflect.TypeFor[T](), plainAllowed: true}
}

func (b requestBody) with(customer bool, own reflect.Type) *requestBody {
	b.customer, b.extra = customer, own
	return &b
}

func (b requestBody) withOptionalType() *requestBody {
	b.typeOptional = true
	return &b
}

func (b requestBody) withID() *requestBody {
	b.idRequired = true
	return &b
}

func (b requestBody) orEmpty() *requestBody {
	b.optional = true
	return &b
}

// response is what a success looks like.
type response struct {
	status int
	// typ is the resource type of a document, many a list of them.
	typ  string
	list bool
	// asOf: the document may be of the past, and says so in its meta.
	asOf bool
	// plain is the Go type of a body that is no document, or with a type that of a
	// resource that is no record.
	plain reflect.Type
	// schema is a body that no Go type has; media is its type, where that is not
	// JSON.
	schema, media string
	// location: a header says where the resource is.
	location bool
}

func resourceOf(typ string) response { return response{status: http.StatusOK, typ: typ} }
func listOf(typ string) response     { return response{status: http.StatusOK, typ: typ, list: true} }
func created(typ string) response {
	return response{status: http.StatusCreated, typ: typ, location: true}
}
func accepted(typ string, located bool) response {
	return response{status: http.StatusAccepted, typ: typ, location: located}
}
func noContent(status int) response { return response{status: status} }

// resourceAsOf is one record, now or in the past.
func resourceAsOf(typ string) response { return response{status: http.StatusOK, typ: typ, asOf: true} }

// plainObject is a body that is no document.
func plainObject[T any]() response {
	return response{status: http.StatusOK, plain: reflect.TypeFor[T]()}
}

// computed is a document with a resource that is no record.
func computed[T any](typ string, list bool) response {
	return response{status: http.StatusOK, typ: typ, plain: reflect.TypeFor[T](), list: list}
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
	numberParam = param{name: "number", description: "The number of the tracking request, or any other bill of lading or booking number of the shipment, with or without the carrier's prefix. Never a container number."}
	searchParam = param{name: "q", description: "Finds by the beginning of a number or reference. Use the parameter number, or filters.", deprecated: true}
	asOfParam   = param{name: "as_of", description: "Shows the record as it was at the end of this second, from the facts that were known by then. Not in the future.", schema: dateTime}
	eventParam  = param{name: "event", description: "The name of an event.", required: true}
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
var operations = mergeOperations(trackingOperations, placeOperations, customFieldOperations, documentOperations)

func mergeOperations(parts ...map[string]operation) map[string]operation {
	all := map[string]operation{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

var trackingOperations = map[string]operation{
	"GET /shipments": {id: "listShipments", tag: "Shipments", summary: "List shipments", response: listOf("shipment"), params: []param{numberParam, searchParam},
		details: "Last created first, unless sort says otherwise. To find a shipment by the number of a container, list containers with filter[number] and include=shipment."},
	"GET /shipments/{id}":               {id: "getShipment", tag: "Shipments", summary: "Get a shipment", response: resourceAsOf("shipment"), params: []param{asOfParam}},
	"GET /shipments/{id}/eta_revisions": {id: "listShipmentETARevisions", tag: "Shipments", summary: "List the revisions of a shipment's ETA", response: listOf("revision"), details: "The last first."},
	"PATCH /shipments/{id}": {id: "updateShipment", tag: "Shipments", summary: "Update a shipment", response: resourceOf("shipment"),
		body: resourceBody("shipment", "ref_numbers", "tags").withOptionalType().with(true, nil)},
	"PATCH /shipments/{id}/stop_tracking": {id: "stopTrackingShipment", tag: "Shipments", summary: "Stop tracking a shipment", response: resourceOf("shipment"), body: actionBody("shipment"),
		details: "Refreshes and notifications pause; what is known is kept. A shipment that is stopped already stays as it is."},
	"PATCH /shipments/{id}/resume_tracking": {id: "resumeTrackingShipment", tag: "Shipments", summary: "Resume tracking a shipment", response: resourceOf("shipment"), body: actionBody("shipment"),
		details: "Refreshes and notifications go on. A shipment that is followed already stays as it is."},

	"GET /containers": {id: "listContainers", tag: "Containers", summary: "List containers", response: listOf("container"), details: "Last created first, unless sort says otherwise."},
	"PATCH /containers": {id: "updateContainers", tag: "Containers", summary: "Update the container that the body names", response: resourceOf("container"),
		body: resourceBody("container", "ref_numbers", "delivered_at").withID()},
	"GET /containers/{id}":         {id: "getContainer", tag: "Containers", summary: "Get a container", response: resourceAsOf("container"), params: []param{asOfParam}},
	"GET /containers/{id}/history": {id: "listContainerRevisions", tag: "Containers", summary: "List the revisions of a container", response: listOf("revision"), details: "Of the container and its shipment, the last first."},
	"PATCH /containers/{id}": {id: "updateContainer", tag: "Containers", summary: "Update a container", response: resourceOf("container"), body: resourceBody("container", "ref_numbers", "delivered_at"),
		details: "delivered_at marks the box as delivered by hand; null takes the mark back."},
	"GET /containers/{id}/transport_events": {id: "listContainerTransportEvents", tag: "Containers", summary: "List the transport events of a container", response: listOf("transport_event"), details: "Those that have happened and stand, the last first."},
	"GET /containers/{id}/raw_events":       {id: "listContainerRawEvents", tag: "Containers", summary: "List the raw events of a container", response: listOf("raw_event"), deprecated: true},
	"PATCH /containers/{id}/refresh": {id: "refreshContainer", tag: "Containers", summary: "Refresh a container", response: plainObject[messageDoc](), body: actionBody("container"),
		details: "Its sources are asked soon; the answer says which."},

	"GET /tracking_requests": {id: "listTrackingRequests", tag: "Tracking requests", summary: "List tracking requests", response: listOf("tracking_request"), params: []param{searchParam},
		details: "Last created first. The tracked objects are included unless include says otherwise."},
	"POST /tracking_requests": {id: "createTrackingRequest", tag: "Tracking requests", summary: "Create a tracking request", response: created("tracking_request"),
		body:    resourceBody("tracking_request", "ref_numbers", "tags").with(true, reflect.TypeFor[requestOptions]()),
		details: "The answer comes at once; the carrier is asked in the background, and status tells how far that is. A second live request for the same number is refused, with the first one's ID in meta.tracking_request_id."},
	"POST /tracking_requests/infer_number": {id: "inferNumber", tag: "Tracking requests", summary: "Infer the type and shipping line of a number", response: computed[inferenceDoc]("infer_number_results", false), body: plainBody[inferNumberBody](), beta: true},
	"GET /tracking_requests/{id}":          {id: "getTrackingRequest", tag: "Tracking requests", summary: "Get a tracking request", response: resourceOf("tracking_request")},
	"PATCH /tracking_requests/{id}": {id: "updateTrackingRequest", tag: "Tracking requests", summary: "Update a tracking request", response: resourceOf("tracking_request"),
		body: resourceBody("tracking_request", "ref_numbers", "tags").withOptionalType().with(true, reflect.TypeFor[requestAliases]())},

	"POST /reports": {id: "createReport", tag: "Reports", summary: "Report facts", response: computed[receiptDoc]("report_receipt", false), body: &requestBody{typ: "report", extra: reflect.TypeFor[reportAttributes](), plainAllowed: true},
		details: "At most 10,000 facts and 16 MiB. All are taken, or none."},

	"GET /ports/{id}":     {id: "getPort", tag: "Reference", summary: "Get a port", response: resourceOf("port"), details: "By its ID or UN/LOCODE."},
	"GET /terminals/{id}": {id: "getTerminal", tag: "Reference", summary: "Get a terminal", response: resourceOf("terminal")},
	"GET /vessels/{id}": {id: "getVessel", tag: "Reference", summary: "Get a vessel", response: resourceOf("vessel"), details: "By its ID or IMO number. Positions are shown where they are asked for, and the server has a source of them.",
		params: []param{{name: "show_positions[from_timestamp]", description: "Shows positions from this time on.", schema: dateTime}, {name: "show_positions[to_timestamp]", description: "Shows positions up to this time.", schema: dateTime}}},
	"GET /shipping_lines":      {id: "listShippingLines", tag: "Reference", summary: "List shipping lines", response: listOf("shipping_line"), details: "All, as one page."},
	"GET /shipping_lines/{id}": {id: "getShippingLine", tag: "Reference", summary: "Get a shipping line", response: resourceOf("shipping_line"), details: "By its ID or one of its SCACs."},

	"GET /parties":        {id: "listParties", tag: "Parties", summary: "List parties", response: listOf("party")},
	"POST /parties":       {id: "createParty", tag: "Parties", summary: "Create a party", response: created("party"), body: resourceBody("party", "company_name*").withOptionalType()},
	"GET /parties/{id}":   {id: "getParty", tag: "Parties", summary: "Get a party", response: resourceOf("party")},
	"PATCH /parties/{id}": {id: "updateParty", tag: "Parties", summary: "Update a party", response: resourceOf("party"), body: resourceBody("party", "company_name!").withOptionalType()},

	"GET /webhooks": {id: "listWebhooks", tag: "Webhooks", summary: "List webhooks", response: listOf("webhook")},
	"POST /webhooks": {id: "createWebhook", tag: "Webhooks", summary: "Create a webhook", response: created("webhook"), body: resourceBody("webhook", "url*", "events*", "active", "headers"),
		details: "The answer has the secret that deliveries are signed with."},
	"GET /webhooks/events":   {id: "listWebhookEvents", tag: "Webhooks", summary: "List the names of events", response: computed[eventCategoryDoc](eventCategoryType, true)},
	"GET /webhooks/ips":      {id: "listWebhookIPs", tag: "Webhooks", summary: "List the IP addresses that notifications come from", response: plainObject[webhookIPsDoc]()},
	"POST /webhooks/trigger": {id: "triggerWebhook", tag: "Webhooks", summary: "Send an example notification to a URL", response: plainObject[webhookTestDoc](), body: optionallyPlainBody[triggerBody]("webhook"), details: "Sent once, and not recorded. 200 also where the endpoint failed: succeeded tells."},
	"GET /webhooks/{id}":     {id: "getWebhook", tag: "Webhooks", summary: "Get a webhook", response: resourceOf("webhook")},
	"PATCH /webhooks/{id}":   {id: "updateWebhook", tag: "Webhooks", summary: "Update a webhook", response: resourceOf("webhook"), body: resourceBody("webhook", "url!", "events!", "active!", "headers")},
	"DELETE /webhooks/{id}":  {id: "deleteWebhook", tag: "Webhooks", summary: "Delete a webhook", response: noContent(http.StatusOK), body: actionBody("webhook"), details: "What is pending is not sent any more."},
	"POST /webhooks/{id}/rotate_secret": {id: "rotateWebhookSecret", tag: "Webhooks", summary: "Rotate the secret of a webhook", response: resourceOf("webhook"), body: optionallyPlainBody[rotateBody]("webhook").orEmpty(),
		details: "While the former one is good too, deliveries are signed with both."},
	"POST /webhooks/{id}/recover": {id: "recoverWebhook", tag: "Webhooks", summary: "Recover the notifications of a webhook", details: "Every notification of a span of time is sent again.", response: accepted("webhook_recovery", true), body: optionallyPlainBody[recoverBody]("webhook_recovery")},

	"GET /webhook_recoveries/{id}": {id: "getWebhookRecovery", tag: "Webhook notifications", summary: "Get a webhook recovery", response: resourceOf("webhook_recovery")},
	"GET /webhook_notifications":   {id: "listWebhookNotifications", tag: "Webhook notifications", summary: "List webhook notifications", response: listOf("webhook_notification"), details: "Last created first."},
	"GET /webhook_notifications/examples": {id: "getWebhookNotificationExample", tag: "Webhook notifications", summary: "Get an example notification", response: response{status: http.StatusOK, schema: "notification"}, params: []param{eventParam},
		details: "What would be posted for it."},
	"GET /webhook_notifications/{id}": {id: "getWebhookNotification", tag: "Webhook notifications", summary: "Get a webhook notification", response: resourceOf("webhook_notification"),
		details: "The reference object, its container and its shipment are included unless include says otherwise; include=webhook_notification_logs has every attempt."},
	"POST /webhook_notifications/{id}/redeliver": {id: "redeliverNotification", tag: "Webhook notifications", summary: "Redeliver a notification", response: accepted("webhook_notification", false), body: actionBody("webhook_notification")},

	"GET /openapi.json": {id: "getOpenAPI", tag: "Service", summary: "Get the OpenAPI description", response: response{status: http.StatusOK, schema: "openapi"}},
	"GET /healthz":      {id: "checkHealth", tag: "Service", summary: "Check that the service is alive", response: plainObject[statusDoc]()},
	"GET /readyz":       {id: "checkReadiness", tag: "Service", summary: "Check that the service takes writes", response: plainObject[statusDoc](), extraErrors: []int{http.StatusServiceUnavailable}},
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
