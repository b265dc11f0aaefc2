package httpserver

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freetime/invoice"
	"github.com/landfallhq/tracking/internal/openapi"
)

// operation describes a route for OpenAPI. The path, query, errors and permission
// come from the route.
type operation struct {
	// id is the operationId. Generated clients name their methods after it, so it is
	// unique and must not change.
	id string
	// tag is one of tags.
	tag string
	// summary is an imperative line: "Stop tracking a shipment".
	summary string
	// details follow the summary in the description.
	details string
	// params are plain query parameters.
	params []param
	// body is the request body; nil for none.
	body *requestBody
	// response is the success response.
	response response
	// extraErrors are error statuses that do not follow from the route.
	extraErrors      []int
	deprecated, beta bool
}

// param is a plain query parameter.
type param struct {
	name, description string
	schema            openapi.Object
	required          bool
	deprecated        bool
}

// requestBody is the body of a write: a resource document, unless plainOnly.
type requestBody struct {
	// typ is data.type, which may be absent if typeOptional.
	typ          string
	typeOptional bool
	// idRequired: data.id names the record.
	idRequired bool
	// attributes are the writable attributes of the resource. A star marks a required
	// one, an exclamation mark one that must not be null.
	attributes []string
	// extra is a struct of attributes that the resource does not have.
	extra reflect.Type
	// customer: the body may have the relationship customer.
	customer bool
	// relationship is a required relationship.
	relationship string
	// plainAllowed: the attributes may also be sent as a plain object.
	// plainOnly: they must be.
	plainAllowed, plainOnly bool
	// optional: the body may be absent.
	optional bool
	// media is the media type of a body that is not JSON, and example a text of it.
	media, example string
	// alternative is another media type that a JSON body can have; example is then a text
	// of it.
	alternative string
}

// resourceBody is a resource with the attributes.
func resourceBody(typ string, attributes ...string) *requestBody {
	return &requestBody{typ: typ, attributes: attributes}
}

// actionBody is the body of an action: absent, an empty object, or a resource that
// names the record.
func actionBody(typ string) *requestBody {
	return &requestBody{typ: typ, typeOptional: true, optional: true}
}

// plainBody is a plain object with the members of T.
func plainBody[T any]() *requestBody {
	return &requestBody{extra: reflect.TypeFor[T](), plainOnly: true}
}

// optionallyPlainBody is a plain object with the members of T, or a resource of the
// type with the same members as attributes.
func optionallyPlainBody[T any](typ string) *requestBody {
	return &requestBody{typ: typ, typeOptional: true, extra: reflect.TypeFor[T](), plainAllowed: true}
}

func (b requestBody) with(customer bool, extra reflect.Type) *requestBody {
	b.customer, b.extra = customer, extra
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

// response is a success response.
type response struct {
	status int
	// typ is the type of the resource, or of the resources of a list.
	typ  string
	list bool
	// asOf: the document may show the past, and then has a meta.
	asOf bool
	// written: the document is the response to a write, and may have a writeMeta.
	written bool
	// plain is the Go type of a body that is no document. With typ, it is the Go type
	// of a resource that is not stored.
	plain reflect.Type
	// schema names a body without a Go type; media is its media type if that is not
	// JSON.
	schema, media string
	// alternative is the media type that a JSON body that is no document has where Accept
	// names it. example is a text of that type, if it is no JSON.
	alternative, example string
	// pdf: the body may also be a PDF.
	pdf bool
	// location: the response has a Location header.
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

// computed is a document with resources that are not stored.
func computed[T any](typ string, list bool) response {
	return response{status: http.StatusOK, typ: typ, plain: reflect.TypeFor[T](), list: list}
}

// tags are the groups of operations, in the order of the document.
var tags = [][2]string{
	{"Shipments", "Shipments under a bill of lading or booking number, and their voyages."},
	{"Containers", "The containers of shipments: status, milestones and deadlines."},
	{"Tracking requests", "Requests to track a number."},
	{"Reports", "Facts that you know and the carrier does not report."},
	{"Search", "Search by a part of a number, name or reference."},
	{"Reference", "Ports, terminals, vessels and shipping lines."},
	{tagDefinitions, "Your own fields for shipments, containers and tracking requests."},
	{tagFields, "The values of custom fields."},
	{tagExceptions, "What goes wrong with shipments and containers, found from their facts."},
	{tagReliability, "How well the dates of carriers foretold what happened."},
	{tagTariffs, "What demurrage, detention and storage cost: free days, charges and their scope."},
	{"Audit log", "What keys, users and the operator have changed."},
	{"Parties", "The customers that shipments are for, and the users of the account."},
	{tagEvents, "What has changed, in the order in which it was committed."},
	{"Webhooks", "Subscriptions to events."},
	{"Webhook notifications", "Notifications and their delivery."},
	{tagDocuments, "Files that are classified, read and linked to shipments and containers. Beta."},
	{"Service", "The state and the description of the service."},
}

// Plain parameters.
var (
	numberParam = param{name: "number", description: "The number of the tracking request, or any other bill of lading or booking number of the shipment, with or without the carrier's prefix. Not a container number."}
	searchParam = param{name: "q", description: "Searches by the beginning of a number or reference. Use the parameter number or filters instead.", deprecated: true}
	asOfParam   = param{name: "as_of", description: "Shows the record as it was at the end of this second, from the facts known at that time. It must not be in the future.", schema: dateTime}
	eventParam  = param{name: "event", description: "The name of an event. Without it, there is one example of each event, in a list."}

	lineSearchParam = param{name: "search", description: "Any part of the name, the short name or a SCAC of a line, in any letter case."}
)

var dateTime = openapi.Obj("type", "string", "format", "date-time")

// Attributes of request bodies that the resource does not have.
type (
	// requestOptions are the additional attributes for creating a tracking request.
	requestOptions struct {
		// RequestNumber is the bill of lading, booking or container number, at most
		// 50 characters.
		RequestNumber string `json:"request_number"`
		// RequestType is bill_of_lading, booking_number (or booking) or container.
		RequestType string `json:"request_type"`
		// SCAC of the shipping line, primary or alternative. If it is absent or
		// empty, the line is detected.
		SCAC *string `json:"scac,omitempty"`
		// AutoDetect detects the shipping line.
		AutoDetect *bool `json:"auto_detect_vocc_scac,omitempty"`
		// ShipmentTags is another name for tags, and takes precedence over it.
		ShipmentTags []string `json:"shipment_tags,omitempty"`
		// InitialCustomFields are values for the shipment and its containers, set when the request succeeds.
		InitialCustomFields *initialCustomFields `json:"initial_custom_fields,omitempty"`
	}
	initialCustomFields struct {
		Shipment []initialCustomField `json:"shipment,omitempty"`
		// Containers has the values for the container with that number, or for all
		// containers if the number is absent.
		Containers []initialCustomField `json:"containers,omitempty"`
	}
	initialCustomField struct {
		// APISlug of the definition.
		APISlug string          `json:"api_slug"`
		Value   json.RawMessage `json:"value"`
		// Number of the container.
		Number *string `json:"number,omitempty"`
	}
	// requestAliases are other names for attributes of a tracking request.
	requestAliases struct {
		// RefNumber is a single reference that replaces ref_numbers; null for none.
		RefNumber *string `json:"ref_number,omitempty"`
		// ShipmentTags is another name for tags.
		ShipmentTags []string `json:"shipment_tags,omitempty"`
	}
	reportAttributes struct {
		// Source names the reporter: 1 to 64 printable characters.
		Source string `json:"source"`
		// DataSource is the kind of the reporter. Defaults to shipping_line.
		DataSource tracking.DataSource `json:"data_source,omitempty"`
		// SCAC is the shipping line of the shipments. A fact may name another line.
		SCAC string `json:"scac,omitempty"`
		// Announce: changes notify webhooks. Defaults to true.
		Announce *bool `json:"announce,omitempty"`
		// Facts in the order of the source.
		Facts []tracking.Fact `json:"facts,omitempty"`
	}
	inferNumberBody struct {
		// Number in any spelling, at most 50 characters.
		Number string `json:"number"`
	}
	triggerBody struct {
		// URL that receives the example.
		URL string `json:"url"`
		// Event is the event of the example.
		Event tracking.EventName `json:"event"`
		// Secret signs the example: whsec_..., or any text for the older signature.
		Secret *string `json:"secret,omitempty"`
		// Format of the example. Defaults to json_api.
		Format *tracking.WebhookFormat `json:"format,omitempty"`
		// Template writes the example with the format template.
		Template *string `json:"template,omitempty"`
	}
	rotateBody struct {
		// OverlapSeconds is how long the old secret stays valid, at most 7 days.
		// Defaults to 24 hours.
		OverlapSeconds *int `json:"overlap_seconds,omitempty"`
	}
	recoverBody struct {
		// Since is the beginning of the time range, at most 14 days ago.
		Since string `json:"since"`
		// Until is the end of the time range. Defaults to now.
		Until *string `json:"until,omitempty"`
		// Events to send again. Defaults to all.
		Events []tracking.EventName `json:"events,omitempty"`
	}
	messageDoc struct {
		// Message names the sources of the refresh.
		Message string     `json:"message"`
		Meta    *writeMeta `json:"meta,omitempty"`
	}
	acceptedDoc struct {
		Status string     `json:"status"`
		Meta   *writeMeta `json:"meta,omitempty"`
	}
	statusDoc struct {
		Status string `json:"status"`
	}
)

// operations describes each route, by method and path. A test checks that all routes
// are described.
var operations = mergeOperations(trackingOperations, placeOperations, customFieldOperations, documentOperations, exceptionOperations, tariffOperations, reliabilityOperations, eventOperations)

func mergeOperations(parts ...map[string]operation) map[string]operation {
	all := map[string]operation{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

var trackingOperations = map[string]operation{
	"GET /shipments": {id: "listShipments", tag: "Shipments", summary: "List shipments", response: listOf("shipment"), params: []param{numberParam, searchParam},
		details: "Newest first, unless sort is given. To find a shipment by a container number, list containers with filter[number] and include=shipment."},
	"GET /shipments/{id}":               {id: "getShipment", tag: "Shipments", summary: "Get a shipment", response: resourceAsOf("shipment"), params: []param{asOfParam}},
	"GET /shipments/{id}/eta_revisions": {id: "listShipmentETARevisions", tag: "Shipments", summary: "List the revisions of a shipment's ETA", response: listOf("revision"), details: "Newest first."},
	"PATCH /shipments/{id}": {id: "updateShipment", tag: "Shipments", summary: "Update a shipment", response: resourceOf("shipment"),
		body: resourceBody("shipment", "ref_numbers", "tags", "promised_arrival_at").withOptionalType().with(true, nil)},
	"PATCH /shipments/{id}/stop_tracking": {id: "stopTrackingShipment", tag: "Shipments", summary: "Stop tracking a shipment", response: resourceOf("shipment"), body: actionBody("shipment"),
		details: "Pauses refreshes and notifications; known data is kept. Has no effect on a stopped shipment."},
	"PATCH /shipments/{id}/resume_tracking": {id: "resumeTrackingShipment", tag: "Shipments", summary: "Resume tracking a shipment", response: resourceOf("shipment"), body: actionBody("shipment"),
		details: "Resumes refreshes and notifications. Has no effect on a shipment that is tracked."},

	"GET /containers": {id: "listContainers", tag: "Containers", summary: "List containers", response: listOf("container"), details: "Newest first, unless sort is given."},
	"PATCH /containers": {id: "updateContainers", tag: "Containers", summary: "Update the container named in the body", response: resourceOf("container"),
		body: resourceBody("container", "ref_numbers", "delivered_at").withID()},
	"GET /containers/{id}":         {id: "getContainer", tag: "Containers", summary: "Get a container", response: resourceAsOf("container"), params: []param{asOfParam}},
	"GET /containers/{id}/history": {id: "listContainerRevisions", tag: "Containers", summary: "List the revisions of a container", response: listOf("revision"), details: "Revisions of the container and its shipment, newest first."},
	"PATCH /containers/{id}": {id: "updateContainer", tag: "Containers", summary: "Update a container", response: resourceOf("container"), body: resourceBody("container", "ref_numbers", "delivered_at"),
		details: "delivered_at marks the container as delivered manually; null removes the mark."},
	"GET /containers/{id}/transport_events": {id: "listContainerTransportEvents", tag: "Containers", summary: "List the transport events of a container", response: listOf("transport_event"), details: "Valid past events, newest first."},
	"GET /containers/{id}/raw_events":       {id: "listContainerRawEvents", tag: "Containers", summary: "List the raw events of a container", response: listOf("raw_event"), deprecated: true},
	"GET /transport_events/{id}":            {id: "getTransportEvent", tag: "Containers", summary: "Get a transport event", response: resourceOf("transport_event"), details: "Also one that is no longer valid."},
	"GET /raw_events/{id}":                  {id: "getRawEvent", tag: "Containers", summary: "Get a raw event", response: resourceOf("raw_event"), details: "Also one that was replaced or retracted."},
	"PATCH /containers/{id}/refresh": {id: "refreshContainer", tag: "Containers", summary: "Refresh a container", response: plainObject[messageDoc](), body: actionBody("container"),
		details: "Requests new data from its sources. The response names them."},

	"GET /tracking_requests": {id: "listTrackingRequests", tag: "Tracking requests", summary: "List tracking requests", response: listOf("tracking_request"), params: []param{searchParam},
		details: "Newest first. The tracked objects are included unless include is given."},
	"POST /tracking_requests": {id: "createTrackingRequest", tag: "Tracking requests", summary: "Create a tracking request", response: created("tracking_request"),
		body:    resourceBody("tracking_request", "ref_numbers", "tags").with(true, reflect.TypeFor[requestOptions]()),
		details: "The carrier is queried in the background; status shows the progress. If the server has no source for the number, meta.warnings says so. A duplicate of an active request is refused, with the ID of the active request in meta.tracking_request_id."},
	"POST /tracking_requests/infer_number": {id: "inferNumber", tag: "Tracking requests", summary: "Infer the type and shipping line of a number", response: computed[inferenceDoc]("infer_number_results", false), body: plainBody[inferNumberBody](), beta: true},
	"GET /tracking_requests/{id}":          {id: "getTrackingRequest", tag: "Tracking requests", summary: "Get a tracking request", response: resourceOf("tracking_request")},
	"PATCH /tracking_requests/{id}": {id: "updateTrackingRequest", tag: "Tracking requests", summary: "Update a tracking request", response: resourceOf("tracking_request"),
		body: resourceBody("tracking_request", "ref_numbers", "tags").withOptionalType().with(true, reflect.TypeFor[requestAliases]())},

	"POST /reports": {id: "createReport", tag: "Reports", summary: "Report facts", response: computed[receiptDoc]("report_receipt", false), body: &requestBody{typ: "report", extra: reflect.TypeFor[reportAttributes](), plainAllowed: true},
		details: "At most 10,000 facts and 16 MiB. Either all facts are stored or none."},

	"GET /ports/{id}":     {id: "getPort", tag: "Reference", summary: "Get a port", response: resourceOf("port"), details: "By its ID or UN/LOCODE."},
	"GET /terminals/{id}": {id: "getTerminal", tag: "Reference", summary: "Get a terminal", response: resourceOf("terminal")},
	"GET /vessels/{id}": {id: "getVessel", tag: "Reference", summary: "Get a vessel", response: resourceOf("vessel"), details: "By its ID or IMO number. Positions are shown if they are requested and the server has a source of positions.",
		params: []param{{name: "show_positions[from_timestamp]", description: "Shows positions from this time.", schema: dateTime}, {name: "show_positions[to_timestamp]", description: "Shows positions until this time.", schema: dateTime}}},
	"GET /shipping_lines":      {id: "listShippingLines", tag: "Reference", summary: "List shipping lines", response: listOf("shipping_line"), params: []param{lineSearchParam}, details: "All lines on one page."},
	"GET /shipping_lines/{id}": {id: "getShippingLine", tag: "Reference", summary: "Get a shipping line", response: resourceOf("shipping_line"), details: "By its ID or one of its SCACs."},

	"GET /users/{id}":     {id: "getUser", tag: "Parties", summary: "Get a user", response: resourceOf("user")},
	"GET /audit_events":   {id: "listAuditEvents", tag: "Audit log", summary: "List audit events", response: listOf("audit_event"), details: "What keys, users and the operator have changed, last first."},
	"GET /parties":        {id: "listParties", tag: "Parties", summary: "List parties", response: listOf("party")},
	"POST /parties":       {id: "createParty", tag: "Parties", summary: "Create a party", response: created("party"), body: resourceBody("party", "company_name*").withOptionalType()},
	"GET /parties/{id}":   {id: "getParty", tag: "Parties", summary: "Get a party", response: resourceOf("party")},
	"PATCH /parties/{id}": {id: "updateParty", tag: "Parties", summary: "Update a party", response: resourceOf("party"), body: resourceBody("party", "company_name!").withOptionalType()},

	"GET /webhooks": {id: "listWebhooks", tag: "Webhooks", summary: "List webhooks", response: listOf("webhook")},
	"POST /webhooks": {id: "createWebhook", tag: "Webhooks", summary: "Create a webhook", response: created("webhook"), body: resourceBody("webhook", "url*", "events*", "active", "headers", "format", "template"),
		details: "The response has the secret that signs deliveries."},
	"GET /webhooks/events":   {id: "listWebhookEvents", tag: "Webhooks", summary: "List event names", response: computed[eventCategoryDoc](eventCategoryType, true)},
	"GET /webhooks/ips":      {id: "listWebhookIPs", tag: "Webhooks", summary: "List the IP addresses that notifications come from", response: plainObject[webhookIPsDoc]()},
	"POST /webhooks/trigger": {id: "triggerWebhook", tag: "Webhooks", summary: "Send an example notification to a URL", response: plainObject[webhookTestDoc](), body: optionallyPlainBody[triggerBody]("webhook"), details: "The example is sent once and not recorded. The status is 200 even if the endpoint failed; see succeeded."},
	"GET /webhooks/{id}":     {id: "getWebhook", tag: "Webhooks", summary: "Get a webhook", response: resourceOf("webhook")},
	"PATCH /webhooks/{id}":   {id: "updateWebhook", tag: "Webhooks", summary: "Update a webhook", response: resourceOf("webhook"), body: resourceBody("webhook", "url!", "events!", "active!", "headers", "format!", "template")},
	"DELETE /webhooks/{id}":  {id: "deleteWebhook", tag: "Webhooks", summary: "Delete a webhook", response: noContent(http.StatusOK), body: actionBody("webhook"), details: "Pending notifications are not sent."},
	"POST /webhooks/{id}/rotate_secret": {id: "rotateWebhookSecret", tag: "Webhooks", summary: "Rotate the secret of a webhook", response: resourceOf("webhook"), body: optionallyPlainBody[rotateBody]("webhook").orEmpty(),
		details: "Deliveries are signed with both secrets while the old one is valid."},
	"POST /webhooks/{id}/recover": {id: "recoverWebhook", tag: "Webhooks", summary: "Recover the notifications of a webhook", details: "Sends all notifications of a time range again.", response: accepted("webhook_recovery", true), body: optionallyPlainBody[recoverBody]("webhook_recovery")},

	"GET /webhook_recoveries/{id}": {id: "getWebhookRecovery", tag: "Webhook notifications", summary: "Get a webhook recovery", response: resourceOf("webhook_recovery")},
	"GET /webhook_notifications":   {id: "listWebhookNotifications", tag: "Webhook notifications", summary: "List webhook notifications", response: listOf("webhook_notification"), details: "Newest first."},
	"GET /webhook_notifications/examples": {id: "getWebhookNotificationExample", tag: "Webhook notifications", summary: "Get an example notification", response: response{status: http.StatusOK, schema: "notification"}, params: []param{eventParam},
		details: "The body of a notification for the event."},
	"GET /webhook_notifications/{id}": {id: "getWebhookNotification", tag: "Webhook notifications", summary: "Get a webhook notification", response: resourceOf("webhook_notification"),
		details: "The reference object, its container and its shipment are included unless include is given. include=webhook_notification_logs adds all delivery attempts."},
	"POST /webhook_notifications/{id}/redeliver": {id: "redeliverNotification", tag: "Webhook notifications", summary: "Redeliver a notification", response: accepted("webhook_notification", false), body: actionBody("webhook_notification")},

	"GET /openapi.json": {id: "getOpenAPI", tag: "Service", summary: "Get the OpenAPI description", details: "This document, with the prefix of the server.", response: response{status: http.StatusOK, schema: "openapi"}, extraErrors: []int{http.StatusBadRequest}},
	"GET /healthz":      {id: "checkHealth", tag: "Service", summary: "Check that the service is alive", details: "Responds as long as the program runs.", response: plainObject[statusDoc](), extraErrors: []int{http.StatusBadRequest}},
	"GET /readyz":       {id: "checkReadiness", tag: "Service", summary: "Check that the service accepts writes", details: "503 while the store cannot be written to, or background work fails.", response: plainObject[statusDoc](), extraErrors: []int{http.StatusBadRequest, http.StatusServiceUnavailable}},
}

// filterTexts are the descriptions of filters. A filter accepts a comma-separated
// list of values, meaning any of them, unless it is true or false.
var filterTexts = map[string]string{
	"acknowledged":         "Whether a user has acknowledged it: true or false.",
	"active":               "Whether the webhook is active: true or false.",
	"assignee":             "Assignees of exceptions, as users wrote them.",
	"attribute":            "Names of revised attributes.",
	"accruing":             "Whether a clock of free time has run beyond its free time: true or false.",
	"available_for_pickup": "Whether the container is known to be available for pickup at a terminal: true or false.",
	"clock":                "Clocks of free time.",
	"code":                 "UN/LOCODEs; for terminals also SMDG, BIC and FIRMS codes.",
	"container":            "IDs of containers.",
	"cost_known":           "Whether it is known what the container costs: true or false.",
	"costs_tomorrow":       "Whether the next day at the place is known to cost something: true or false.",
	"country_code":         "ISO 3166-1 alpha-2 country codes.",
	"created_at":           "The creation time.",
	"custom_fields":        "The value of a custom field: filter[custom_fields][api_slug]=value. Add [in] for a list of values, [gt], [gte], [lt] or [lte] for a bound, or [present] for whether there is a value.",
	"customer_id":          "IDs of parties.",
	"data_type":            "Data types.",
	"definition_id":        "IDs of definitions.",
	"display_name":         "The beginning of the name, case-insensitive.",
	"entity_id":            "IDs of shipments, containers or tracking requests.",
	"entity_type":          "Shipment, Container or TrackingRequest.",
	"delivery_status":      "Delivery statuses: pending, succeeded or failed.",
	"document_types":       "Codes of document types.",
	"event":                "Names of events.",
	"filename":             "Words in the file name.",
	"discrepancies":        "Whether values of the document contradict something: true or false.",
	"free_time_ends":       "The earliest last free day of the clocks that run.",
	"has_hold":             "Whether there is an active or pending hold: true or false.",
	"imo":                  "IMO numbers.",
	"kind":                 "Kinds of exceptions.",
	"last_attempt_at":      "When the last attempt ended.",
	"location_locode":      "UN/LOCODEs that tariffs state.",
	"name":                 "The beginning of the name, case-insensitive.",
	"number":               "Container numbers, in any spelling.",
	"opened_at":            "When it was opened.",
	"operation":            "Operations, such as shipment.update.",
	"overdue":              "Whether the next milestone of the container is overdue: true or false.",
	"pickup_lfd":           "The last free day.",
	"pod_eta_at":           "The estimated arrival at the port of discharge.",
	"pod_locode":           "UN/LOCODEs of ports of discharge.",
	"pod_terminal":         "IDs of terminals at the port of discharge.",
	"pol_locode":           "UN/LOCODEs of ports of lading.",
	"port":                 "IDs of ports.",
	"reference":            "References that link documents to shipments.",
	"ref_number":           "Reference numbers; for containers, their own and those of their shipment.",
	"request_number":       "Numbers of tracking requests.",
	"resource_id":          "IDs of resources.",
	"resource_type":        "Resource types, such as shipment or api_key.",
	"key_id":               "IDs of API keys.",
	"scac":                 "SCACs of shipping lines, primary or alternative.",
	"severity":             "Severities.",
	"shipment":             "IDs of shipments.",
	"state":                "States: open or closed, or of documents how far their reading is.",
	"status":               "Statuses.",
	"tags":                 "Tags.",
	"terminal_code":        "Codes of terminals that tariffs state.",
	"tracking_stopped":     "Whether tracking has stopped: true or false.",
	"updated_at":           "The time of the last change.",
	"user_id":              "IDs of users.",
	"vessel_imo":           "IMO numbers of the vessels that arrive at the port of discharge.",
	"webhook":              "IDs of webhooks.",
}

// filterText describes a filter, named as in jsonapi.Accept.
func filterText(name string) (text string, schema openapi.Object) {
	base, end, _ := strings.Cut(name, "[")
	text, schema = filterTexts[base], openapi.Obj("type", "string")
	switch end {
	case "start]":
		return text + " At or after this date, or time with an offset.", schema
	case "end]":
		return text + " Before the end of this second, or of this day if it is a date.", schema
	}
	if strings.HasSuffix(text, ": true or false.") {
		schema = openapi.Obj("type", "boolean")
	}
	return text, schema
}

type (
	bulkRequestsBody struct {
		// Data has 1 to 100 tracking requests. Each has the form of data in POST
		// /tracking_requests.
		Data []map[string]any `json:"data"`
	}
	bulkRequestsDoc struct {
		// Results has one result per item, in order: the status and the response that
		// a single request would have.
		Results []map[string]any `json:"results"`
		Meta    struct {
			Total     int `json:"total"`
			Succeeded int `json:"succeeded"`
			Failed    int `json:"failed"`
			// Ignored has JSON Pointers to members next to data that had no effect.
			Ignored []string `json:"ignored,omitempty"`
		} `json:"meta"`
	}
)

var (
	queryParam     = param{name: "query", description: "The text to find: the beginning of a number, name or reference, or, from 4 characters, any part of it.", required: true}
	portParam      = param{name: "port_id", description: "The ID of the destination port.", required: true}
	previousParam  = param{name: "previous_port_id", description: "The ID of the previous port.", required: true}
	latitudeParam  = param{name: "latitude", description: "The current latitude, in degrees.", required: true}
	longitudeParam = param{name: "longitude", description: "The current longitude, in degrees.", required: true}
)

var placeOperations = map[string]operation{
	"GET /containers/{id}/map_geojson": {id: "getContainerMap", tag: "Containers", summary: "Get the map of a container", response: response{status: http.StatusOK, plain: reflect.TypeFor[tracking.Map](), alternative: geoJSON}, details: "Responds with GeoJSON. Lines follow shipping lanes where no positions of the ship are known."},
	"GET /containers/{id}/route":       {id: "getContainerRoute", tag: "Containers", summary: "Get the route of a container", response: resourceOf("route")},
	"POST /tracking_requests/bulk": {id: "createTrackingRequests", tag: "Tracking requests", summary: "Create tracking requests in bulk", response: plainObject[bulkRequestsDoc](), body: plainBody[bulkRequestsBody](),
		details: "The rate limit must have room for all requests. Each request then succeeds or fails separately."},
	"GET /search": {id: "search", tag: "Search", summary: "Search", response: listOf("search_result"), params: []param{queryParam}, details: "At most 25 results, best match first."},

	"GET /ports":            {id: "listPorts", tag: "Reference", summary: "List ports", response: listOf("port")},
	"GET /metro_areas/{id}": {id: "getMetroArea", tag: "Reference", summary: "Get a metro area", response: resourceOf("metro_area"), details: "By its ID or UN/LOCODE."},
	"GET /terminals":        {id: "listTerminals", tag: "Reference", summary: "List terminals", response: listOf("terminal")},
	"GET /vessels":          {id: "listVessels", tag: "Reference", summary: "List vessels", response: listOf("vessel")},
	"GET /vessels/{id}/future_positions": {id: "listVesselFuturePositions", tag: "Reference", summary: "Get the expected positions of a vessel", response: response{status: http.StatusOK, typ: "vessel"},
		params: []param{portParam, previousParam}, details: "403 if the server has no source of positions."},
	"GET /vessels/{id}/future_positions_with_coordinates": {id: "listVesselFuturePositionsFromPlace", tag: "Reference", summary: "Get the expected positions of a vessel from a place", response: response{status: http.StatusOK, typ: "vessel"},
		params: []param{portParam, previousParam, latitudeParam, longitudeParam}, details: "403 if the server has no source of positions."},
}

// Attributes of request bodies that the resource does not have.
type (
	newDefinitionBody struct {
		// EntityType is Shipment, Container or TrackingRequest.
		EntityType string `json:"entity_type"`
		// DisplayName is the name for people.
		DisplayName string `json:"display_name"`
		// DataType of the values.
		DataType string `json:"data_type"`
		// APISlug is the name for programs. Defaults to a slug of display_name.
		APISlug *string `json:"api_slug,omitempty"`
	}
	newCustomFieldBody struct {
		// APISlug of the definition.
		APISlug string `json:"api_slug"`
		// Value of the type that the definition has; null for none.
		Value json.RawMessage `json:"value"`
	}
	customFieldValueBody struct {
		// Value of the type that the definition has; null for none.
		Value json.RawMessage `json:"value"`
	}
	bulkCustomFieldsBody struct {
		// Atomic: either all values are set or none.
		Atomic *bool `json:"atomic,omitempty"`
		// Data has 1 to 1,000 custom fields. Each has the form of data in POST
		// /custom_fields.
		Data []map[string]any `json:"data"`
	}
)

const (
	tagDefinitions  = "Custom field definitions"
	tagFields       = "Custom fields"
	setFieldDetails = "Creates the value, or changes it if the entity already has one. The status is 201 in both cases."
)

var (
	setCustomFieldBody    = &requestBody{typ: customFieldType, extra: reflect.TypeFor[newCustomFieldBody]()}
	updateCustomFieldBody = &requestBody{typ: customFieldType, extra: reflect.TypeFor[customFieldValueBody](), plainAllowed: true}
)

var customFieldOperations = map[string]operation{
	"GET /custom_field_definitions": {id: "listCustomFieldDefinitions", tag: tagDefinitions, summary: "List custom field definitions", response: listOf("custom_field_definition")},
	"POST /custom_field_definitions": {id: "createCustomFieldDefinition", tag: tagDefinitions, summary: "Create a custom field definition", response: created("custom_field_definition"),
		body: resourceBody("custom_field_definition", "description", "reference_type", "validation", "default_format", "default_value", "filterable").with(false, reflect.TypeFor[newDefinitionBody]())},
	"GET /custom_field_definitions/{id}": {id: "getCustomFieldDefinition", tag: tagDefinitions, summary: "Get a custom field definition", response: resourceOf("custom_field_definition")},
	"PATCH /custom_field_definitions/{id}": {id: "updateCustomFieldDefinition", tag: tagDefinitions, summary: "Update a custom field definition", response: resourceOf("custom_field_definition"),
		body:    resourceBody("custom_field_definition", "entity_type", "api_slug", "data_type", "reference_type", "display_name", "description", "validation", "default_format", "default_value", "filterable"),
		details: "entity_type, api_slug, data_type and reference_type cannot be changed; they may be sent with their current values."},
	"DELETE /custom_field_definitions/{id}": {id: "deleteCustomFieldDefinition", tag: tagDefinitions, summary: "Delete a custom field definition", response: noContent(http.StatusOK), body: actionBody("custom_field_definition"), details: "Deletes its values too."},

	"GET /custom_field_definitions/{definition_id}/options": {id: "listCustomFieldOptions", tag: tagDefinitions, summary: "List the options of a definition", response: listOf("custom_field_option")},
	"POST /custom_field_definitions/{definition_id}/options": {id: "createCustomFieldOption", tag: tagDefinitions, summary: "Create an option of a definition", response: created("custom_field_option"),
		body: resourceBody("custom_field_option", "label*", "value*", "position")},
	"GET /custom_field_definitions/{definition_id}/options/{option_id}": {id: "getCustomFieldOption", tag: tagDefinitions, summary: "Get an option of a definition", response: resourceOf("custom_field_option")},
	"PATCH /custom_field_definitions/{definition_id}/options/{option_id}": {id: "updateCustomFieldOption", tag: tagDefinitions, summary: "Update an option of a definition", response: resourceOf("custom_field_option"),
		body: resourceBody("custom_field_option", "label", "value", "position")},
	"DELETE /custom_field_definitions/{definition_id}/options/{option_id}": {id: "deleteCustomFieldOption", tag: tagDefinitions, summary: "Delete an option of a definition", response: noContent(http.StatusOK), body: actionBody("custom_field_option"),
		details: "Stored values are kept."},

	"GET /custom_fields": {id: "listCustomFields", tag: tagFields, summary: "List custom fields", response: listOf(customFieldType)},
	"POST /custom_fields": {id: "setCustomField", tag: tagFields, summary: "Set a custom field", response: created(customFieldType), details: setFieldDetails,
		body: &requestBody{typ: customFieldType, extra: reflect.TypeFor[newCustomFieldBody](), relationship: "entity"}},
	"POST /custom_fields/bulk": {id: "setCustomFields", tag: tagFields, summary: "Set custom fields in bulk", response: plainObject[bulkFieldsDoc](), body: plainBody[bulkCustomFieldsBody](),
		details: "The results are in the order of the items."},
	"GET /custom_fields/{id}":         {id: "getCustomField", tag: tagFields, summary: "Get a custom field", response: resourceOf(customFieldType)},
	"GET /custom_fields/{id}/history": {id: "listCustomFieldChanges", tag: tagFields, summary: "List the changes of a custom field", response: listOf("custom_field_change"), details: "Newest first."},
	"PATCH /custom_fields/{id}":       {id: "updateCustomField", tag: tagFields, summary: "Update a custom field", response: resourceOf(customFieldType), body: updateCustomFieldBody},
	"DELETE /custom_fields/{id}":      {id: "deleteCustomField", tag: tagFields, summary: "Delete a custom field", response: noContent(http.StatusOK), body: actionBody(customFieldType)},

	"GET /shipments/{shipment_id}/custom_fields":                               {id: "listShipmentCustomFields", tag: tagFields, summary: "List the custom fields of a shipment", response: listOf(customFieldType)},
	"POST /shipments/{shipment_id}/custom_fields":                              {id: "setShipmentCustomField", tag: tagFields, summary: "Set a custom field of a shipment", response: created(customFieldType), body: setCustomFieldBody, details: setFieldDetails},
	"PATCH /shipments/{shipment_id}/custom_fields/{api_slug}":                  {id: "updateShipmentCustomField", tag: tagFields, summary: "Update a custom field of a shipment", response: resourceOf(customFieldType), body: updateCustomFieldBody},
	"DELETE /shipments/{shipment_id}/custom_fields/{api_slug}":                 {id: "deleteShipmentCustomField", tag: tagFields, summary: "Delete a custom field of a shipment", response: noContent(http.StatusNoContent), body: actionBody(customFieldType)},
	"GET /containers/{container_id}/custom_fields":                             {id: "listContainerCustomFields", tag: tagFields, summary: "List the custom fields of a container", response: listOf(customFieldType)},
	"POST /containers/{container_id}/custom_fields":                            {id: "setContainerCustomField", tag: tagFields, summary: "Set a custom field of a container", response: created(customFieldType), body: setCustomFieldBody, details: setFieldDetails},
	"PATCH /containers/{container_id}/custom_fields/{api_slug}":                {id: "updateContainerCustomField", tag: tagFields, summary: "Update a custom field of a container", response: resourceOf(customFieldType), body: updateCustomFieldBody},
	"DELETE /containers/{container_id}/custom_fields/{api_slug}":               {id: "deleteContainerCustomField", tag: tagFields, summary: "Delete a custom field of a container", response: noContent(http.StatusNoContent), body: actionBody(customFieldType)},
	"GET /tracking_requests/{tracking_request_id}/custom_fields":               {id: "listTrackingRequestCustomFields", tag: tagFields, summary: "List the custom fields of a tracking request", response: listOf(customFieldType)},
	"POST /tracking_requests/{tracking_request_id}/custom_fields":              {id: "setTrackingRequestCustomField", tag: tagFields, summary: "Set a custom field of a tracking request", response: created(customFieldType), body: setCustomFieldBody, details: setFieldDetails},
	"PATCH /tracking_requests/{tracking_request_id}/custom_fields/{api_slug}":  {id: "updateTrackingRequestCustomField", tag: tagFields, summary: "Update a custom field of a tracking request", response: resourceOf(customFieldType), body: updateCustomFieldBody},
	"DELETE /tracking_requests/{tracking_request_id}/custom_fields/{api_slug}": {id: "deleteTrackingRequestCustomField", tag: tagFields, summary: "Delete a custom field of a tracking request", response: noContent(http.StatusNoContent), body: actionBody(customFieldType)},
}

const tagDocuments = "Documents (beta)"

// Attributes of request bodies that the resource does not have.
type (
	newDocumentBody struct {
		// Name is the display name.
		Name string `json:"name"`
		// AttachedDocument is the signed_id of a direct upload.
		AttachedDocument string `json:"attached_document"`
	}
	documentUpdateBody struct {
		// DocumentTypeManual overrides the type; null removes the override.
		DocumentTypeManual *string `json:"document_type_manual,omitempty"`
		// ExtractedDataManual overrides the extracted data; null removes the
		// override.
		ExtractedDataManual json.RawMessage `json:"extracted_data_manual,omitempty"`
		// CorrectedFields corrects these fields, and leaves the others alone.
		CorrectedFields []correctionBody `json:"corrected_fields,omitempty"`
	}
	correctionBody struct {
		// Field is the name of a field of the document's type that is no table.
		Field string `json:"field"`
		// Value as printed or in its normal form; null takes the correction back.
		Value *string `json:"value"`
	}
	rotationBody struct {
		// Degrees, clockwise: 90, 180 or 270.
		Degrees int `json:"degrees"`
	}
	downloadDoc struct {
		// DownloadURL needs no key and expires.
		DownloadURL string `json:"download_url"`
	}
	documentTypesDoc struct {
		DocumentTypes []struct {
			Code  string `json:"code"`
			Label string `json:"label"`
		} `json:"document_types"`
	}
	uploadBody struct {
		// Blob describes the file.
		Blob struct {
			FileName    string `json:"filename"`
			ContentType string `json:"content_type,omitempty"`
			// ByteSize in bytes.
			ByteSize int `json:"byte_size"`
			// Checksum is the MD5 of the file, in base64.
			Checksum string `json:"checksum"`
		} `json:"blob"`
	}
)

var (
	acceptedStatus  = response{status: http.StatusAccepted, plain: reflect.TypeFor[acceptedDoc]()}
	uploadOperation = operation{id: "createDirectUpload", tag: tagDocuments, summary: "Begin a direct upload", response: plainObject[uploadTicketDoc](), body: plainBody[uploadBody](), beta: true,
		details: "Then send the file with PUT to direct_upload.url, with the headers given there."}
)

// alias returns the operation for a second path, which other clients use.
func (o operation) alias(id, does string) operation {
	o.id, o.summary = id, does
	return o
}

var documentOperations = map[string]operation{
	"GET /documents": {id: "listDocuments", tag: tagDocuments, summary: "List documents", response: listOf("document"), beta: true},
	"POST /documents": {id: "createDocument", tag: tagDocuments, summary: "Create a document", response: created("document"), beta: true, body: &requestBody{typ: "document", extra: reflect.TypeFor[newDocumentBody]()},
		details: "A duplicate file is refused with 409. meta.existing_document_id is the ID of the document that has the file."},
	"GET /documents/types": {id: "listDocumentTypes", tag: tagDocuments, summary: "List document types", response: plainObject[documentTypesDoc](), beta: true},
	"GET /documents/{id}":  {id: "getDocument", tag: tagDocuments, summary: "Get a document", response: resourceOf("document"), beta: true},
	"PATCH /documents/{id}": {id: "updateDocument", tag: tagDocuments, summary: "Update a document", response: resourceOf("document"), beta: true,
		body: &requestBody{typ: "document", extra: reflect.TypeFor[documentUpdateBody]()}},
	"DELETE /documents/{id}":           {id: "deleteDocument", tag: tagDocuments, summary: "Delete a document", response: noContent(http.StatusNoContent), body: actionBody("document"), beta: true},
	"GET /documents/{id}/download_url": {id: "getDocumentDownloadURL", tag: tagDocuments, summary: "Get the download URL of a document", response: plainObject[downloadDoc](), beta: true, extraErrors: []int{http.StatusUnprocessableEntity}},
	"POST /documents/{id}/reextract":   {id: "reextractDocument", tag: tagDocuments, summary: "Extract the data of a document again", response: acceptedStatus, body: actionBody("document"), beta: true},
	"POST /documents/{id}/reclassify":  {id: "reclassifyDocument", tag: tagDocuments, summary: "Classify a document again", response: acceptedStatus, body: actionBody("document"), beta: true},
	"POST /documents/{id}/relink":      {id: "relinkDocument", tag: tagDocuments, summary: "Link a document again", response: acceptedStatus, body: actionBody("document"), beta: true},
	"POST /documents/{id}/rotate":      {id: "rotateDocument", tag: tagDocuments, summary: "Rotate the pages of a document", response: acceptedStatus, body: optionallyPlainBody[rotationBody]("document"), beta: true},
	"GET /layout_corrections": {id: "listLayoutCorrections", tag: tagDocuments, summary: "List layout corrections", response: listOf("layout_correction"), beta: true,
		details: "What corrections of documents say of later documents of the same layout."},
	"GET /layout_corrections/{id}":              {id: "getLayoutCorrection", tag: tagDocuments, summary: "Get a layout correction", response: resourceOf("layout_correction"), beta: true},
	"DELETE /layout_corrections/{id}":           {id: "deleteLayoutCorrection", tag: tagDocuments, summary: "Delete a layout correction", response: noContent(http.StatusNoContent), body: actionBody("layout_correction"), beta: true},
	"GET /document_schemas/{id}":                {id: "getDocumentSchema", tag: tagDocuments, summary: "Get the schema of a document type", response: computed[documentSchemaDoc](documentSchemaType, false), beta: true},
	"GET /email_submissions":                    {id: "listEmailSubmissions", tag: tagDocuments, summary: "List e-mail submissions", response: listOf("email_submission"), beta: true},
	"POST /email_submissions":                   {id: "createEmailSubmission", tag: tagDocuments, summary: "Submit an e-mail", response: created("email_submission"), body: &requestBody{media: "message/rfc822", example: "From: kim@example.com\r\nSubject: Nothing attached\r\n\r\nHello"}, beta: true, details: "Creates documents from its attachments."},
	"GET /email_submissions/{id}":               {id: "getEmailSubmission", tag: tagDocuments, summary: "Get an e-mail submission", response: resourceOf("email_submission"), beta: true},
	"POST /direct_uploads":                      uploadOperation,
	"POST /rails/active_storage/direct_uploads": uploadOperation.alias("createRailsDirectUpload", "Begin a direct upload at the path of Rails"),
	"PUT /blobs/{signed}": {id: "uploadBlob", tag: tagDocuments, summary: "Upload the file of a direct upload", response: noContent(http.StatusNoContent), body: &requestBody{media: "*/*"}, beta: true,
		details: "The URL itself is the authentication."},
	"GET /blobs/{signed}": {id: "downloadBlob", tag: tagDocuments, summary: "Download a file", response: response{status: http.StatusOK, schema: "file", media: "*/*"}, beta: true, details: "The URL itself is the authentication. A server whose documents are in a bucket may answer 307 with an address of the store, which is valid for a minute."},
}

const tagTariffs = "Tariffs"

var replaceParam = param{name: "replace", description: "Whether all other tariffs of the account are deleted: true or false. Tariffs that the account has already stay as they are.", schema: openapi.Obj("type", "boolean", "default", false)}

// tariffsCSV is an example of tariffs as CSV.
const tariffsCSV = "name,clock,location_locode,free_days,currency,tiers\nImport,demurrage,USLGB,4,USD,1-4 185.00; 5- 310.00\n"

// Examples of an invoice and of sheets as CSV.
const (
	invoiceCSV      = "container_number,clock,from,to,rate,currency,invoice_number\nMRKU9465770,demurrage,2026-03-07,2026-03-09,185.00,USD,INV-7\n"
	invoiceSheetCSV = "row,line,container_number,clock,from,to,currency,charged,computed_currency,computed,difference,reason\nline,1,MRKU9465770,demurrage,2026-03-07,2026-03-09,USD,555.00,USD,370.00,185.00,free_time\n"
	sheetCSV        = "row,line,container_number,clock,from,to,currency,charged,computed_currency,computed\nline,1,MRKU9465770,demurrage,2026-03-02,2026-03-09,,,USD,370.00\n"
)

var formatParam = param{name: "format", description: "json, csv or pdf. Defaults to the first of these whose type Accept names, else to json. Servers can be without PDF: then it is refused.", schema: openapi.Obj("type", "string", "enum", sheetFormats, "default", sheetFormats[0])}

func sheetResponse(example string) response {
	return response{status: http.StatusOK, plain: reflect.TypeFor[invoice.Sheet](), alternative: typeCSV, example: example, pdf: true}
}

func (b requestBody) withCSV(example string) *requestBody {
	b.alternative, b.example = typeCSV, example
	return &b
}

var tariffOperations = map[string]operation{
	"GET /containers/{id}/charges": {id: "getContainerCharges", tag: "Containers", summary: "Get the charges of a container", response: plainObject[freetime.Charges](), params: []param{asOfParam},
		details: "The demurrage, detention and storage that the account's tariffs give: day by day with the reason and the fact behind each, the last free day as computed and as reported, totals by currency, and what tomorrow costs. as_of takes the facts of that time, and the present tariffs."},
	"GET /containers/{id}/charges/sheet": {id: "getContainerChargesSheet", tag: "Containers", summary: "Get the charges of a container as a sheet", response: sheetResponse(sheetCSV), params: []param{formatParam, asOfParam},
		details: "What the account's tariffs give, without an invoice: a line for each clock with all its days, each with the fact behind it, and what each fact says, its source, and when it happened, was recorded and was received. What an invoice would state is null."},
	"POST /charges/sheet": {id: "createChargesSheet", tag: tagTariffs, summary: "Compare an invoice with the charges of its containers", response: sheetResponse(invoiceSheetCSV), params: []param{formatParam, asOfParam},
		body:    optionallyPlainBody[invoice.Invoice](invoiceType).withCSV(invoiceCSV),
		details: "Each day of each line as charged and as computed, the reason for a difference, the facts behind the day, and whether the invoice has the elements of 46 CFR 541.6. An invoice has 1 to 200 lines, and 5,000 days over all lines. A member that does not exist is refused. Nothing is stored."},
	"GET /tariffs":         {id: "listTariffs", tag: tagTariffs, summary: "List tariffs", response: listOf(tariffType), details: "Newest first, unless sort is given."},
	"POST /tariffs":        {id: "createTariff", tag: tagTariffs, summary: "Create a tariff", response: created(tariffType), body: resourceBody(tariffType, tariffAttributes("*")...), details: "A tariff that has the clock, the scope and a day of another one is refused; meta.tariff_id of the error is the other one."},
	"GET /tariffs/{id}":    {id: "getTariff", tag: tagTariffs, summary: "Get a tariff", response: resourceOf(tariffType)},
	"PATCH /tariffs/{id}":  {id: "updateTariff", tag: tagTariffs, summary: "Update a tariff", response: resourceOf(tariffType), body: resourceBody(tariffType, tariffAttributes("!")...), details: "null sets an attribute to its default."},
	"DELETE /tariffs/{id}": {id: "deleteTariff", tag: tagTariffs, summary: "Delete a tariff", response: noContent(http.StatusOK), body: actionBody(tariffType)},
	"GET /tariffs/export": {id: "getTariffExport", tag: tagTariffs, summary: "Export all tariffs", response: response{status: http.StatusOK, plain: reflect.TypeFor[tariffsDoc](), alternative: typeCSV, example: tariffsCSV},
		details: "As JSON or, with Accept: text/csv, as CSV with a line for each tariff. Both can be imported."},
	"POST /tariffs/import": {id: "createTariffImport", tag: tagTariffs, summary: "Import tariffs", response: plainObject[freetime.Imported](), params: []param{replaceParam},
		body:    &requestBody{extra: reflect.TypeFor[tariffsToImport](), plainOnly: true, alternative: typeCSV, example: tariffsCSV},
		details: "All or none are added. Of a tariff in JSON the attributes with a default can be left out, and of CSV their columns. Errors name the row, of which the first is 1, and the column."},
}
