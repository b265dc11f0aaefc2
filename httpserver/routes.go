package httpserver

import (
	"context"
	"net/http"
	"slices"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// route is one operation.
type route struct {
	method string
	// path is relative to the prefix, unless atRoot is set.
	path string
	// permission is the permission that the caller needs (see
	// docs/contract.md#permissions).
	permission tracking.Permission
	serve      func(*request) error
	// bucket is the rate limit that the operation counts in.
	bucket bucket
	// accepts is the query parameters that the operation accepts.
	accepts jsonapi.Accept
	// defaultInclude is used when the request has no include parameter.
	defaultInclude []string
	// body limits the request body. Defaults to defaultBody.
	body jsonapi.Limits
	// public routes need no key and count in no rate limit.
	public bool
	// atRoot: the path is outside the prefix.
	atRoot bool
	// largeBody: the host's read timeout does not apply while the body keeps its
	// pace.
	largeBody bool
	// cacheable: responses depend on the cacheKey and the state of the account alone.
	cacheable bool
	// asOf: the operation has the parameter as_of.
	asOf bool
	// notFoundDetail is the detail of a 404 for the ID in the path; usually empty.
	notFoundDetail string
}

// Query parameters that several operations accept.
var (
	acceptInclude = jsonapi.Accept{Include: true}
	acceptPage    = jsonapi.Accept{Include: true, Page: true}
	acceptParties = jsonapi.Accept{Include: true, Page: true, PageSize: 25}
)

var requestIncludes = []string{"tracked_object"}

// routeTable lists every operation. A test compares it with testdata/routes.txt. It
// is filled in init because the handlers refer to it through request: an initializer
// would be a cycle.
var routeTable []route

func init() {
	routeTable = []route{
		{method: "GET", path: "/shipments", permission: tracking.Show, accepts: acceptShipments, cacheable: true, serve: list(shipmentQuery)},
		{method: "GET", path: "/shipments/{id}", permission: tracking.Show, accepts: acceptInclude, asOf: true, serve: showAsOf("shipment")},
		{method: "GET", path: "/shipments/{id}/eta_revisions", permission: tracking.Show, accepts: acceptRevisions, serve: etaRevisions},
		{method: "PATCH", path: "/shipments/{id}", permission: tracking.Update, serve: update("shipment", shipmentUpdate, (*tracking.Tracker).UpdateShipment)},
		{method: "PATCH", path: "/shipments/{id}/stop_tracking", permission: tracking.Update, serve: action("shipment", http.StatusOK, (*tracking.Tracker).StopTracking)},
		{method: "PATCH", path: "/shipments/{id}/resume_tracking", permission: tracking.Update, serve: action("shipment", http.StatusOK, (*tracking.Tracker).ResumeTracking)},

		{method: "GET", path: "/containers", permission: tracking.Show, accepts: acceptContainers, cacheable: true, serve: list(containerQuery)},
		{method: "PATCH", path: "/containers", permission: tracking.Update, serve: updateByBodyID("container", containerUpdate, (*tracking.Tracker).UpdateContainer)},
		{method: "GET", path: "/containers/{id}", permission: tracking.Show, accepts: acceptInclude, asOf: true, serve: showAsOf("container")},
		{method: "GET", path: "/containers/{id}/history", permission: tracking.Show, accepts: acceptRevisions, serve: containerHistory},
		{method: "PATCH", path: "/containers/{id}", permission: tracking.Update, serve: update("container", containerUpdate, (*tracking.Tracker).UpdateContainer)},
		{method: "GET", path: "/containers/{id}/transport_events", permission: tracking.Show, accepts: acceptPage, serve: transportEvents},
		{method: "GET", path: "/containers/{id}/raw_events", permission: tracking.Show, accepts: acceptInclude, serve: rawEvents},
		{method: "GET", path: "/containers/{id}/map_geojson", permission: tracking.Show, serve: containerMap},
		{method: "GET", path: "/containers/{id}/route", permission: tracking.Show, accepts: acceptInclude, serve: containerRoute},
		{method: "GET", path: "/containers/{id}/charges", permission: tracking.Show, asOf: true, serve: containerCharges},
		{method: "GET", path: "/containers/{id}/charges/sheet", permission: tracking.Show, asOf: true, serve: containerSheet},
		{method: "POST", path: "/charges/sheet", permission: tracking.Show, body: invoiceBody, asOf: true, serve: createSheet},
		{method: "GET", path: "/transport_events/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show("transport_event", (*request).pathID)},
		{method: "GET", path: "/raw_events/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show("raw_event", (*request).pathID)},
		{method: "PATCH", path: "/containers/{id}/refresh", permission: tracking.Update, bucket: inRefresh, serve: refreshContainer},

		{method: "GET", path: "/tracking_requests", permission: tracking.Show, accepts: acceptRequests, defaultInclude: requestIncludes, serve: list(requestQuery)},
		{method: "POST", path: "/tracking_requests", permission: tracking.Create, bucket: inCreate, serve: createRequest},
		{method: "POST", path: "/tracking_requests/bulk", permission: tracking.Create, bucket: inCreate, body: bulkRequestBody, serve: createRequests},
		{method: "POST", path: "/tracking_requests/infer_number", permission: tracking.Show, bucket: inInfer, serve: inferNumber},
		{method: "GET", path: "/tracking_requests/{id}", permission: tracking.Show, accepts: acceptInclude, defaultInclude: requestIncludes, serve: show("tracking_request", (*request).pathID)},
		{method: "PATCH", path: "/tracking_requests/{id}", permission: tracking.Update, serve: update("tracking_request", requestUpdate, (*tracking.Tracker).UpdateTrackingRequest)},

		{method: "POST", path: "/reports", permission: tracking.Update, body: reportBody, serve: createReport},

		{method: "GET", path: "/search", permission: tracking.Show, serve: search},

		{method: "GET", path: "/ports", permission: tracking.Show, accepts: acceptPorts, serve: list(portQuery)},
		{method: "GET", path: "/ports/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show("port", portID)},
		{method: "GET", path: "/metro_areas/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show("metro_area", metroAreaID)},
		{method: "GET", path: "/terminals", permission: tracking.Show, accepts: acceptTerminals, serve: list(terminalQuery)},
		{method: "GET", path: "/terminals/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show("terminal", (*request).pathID)},
		{method: "GET", path: "/vessels", permission: tracking.Show, accepts: acceptVessels, serve: list(vesselQuery)},
		{method: "GET", path: "/vessels/{id}", permission: tracking.Show, accepts: acceptInclude, serve: showVessel},
		{method: "GET", path: "/vessels/{id}/future_positions", permission: tracking.Show, serve: futurePositions(false)},
		{method: "GET", path: "/vessels/{id}/future_positions_with_coordinates", permission: tracking.Show, serve: futurePositions(true)},
		{method: "GET", path: "/shipping_lines", permission: tracking.Show, accepts: acceptInclude, serve: shippingLines},
		{method: "GET", path: "/shipping_lines/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show("shipping_line", lineID)},
		{method: "GET", path: "/parties", permission: tracking.Show, accepts: acceptParties, serve: list(partyQuery)},
		{method: "POST", path: "/parties", permission: tracking.Create, serve: create("party", newParty, (*tracking.Tracker).CreateParty, partyID)},
		{method: "GET", path: "/parties/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show("party", (*request).pathID)},
		{method: "PATCH", path: "/parties/{id}", permission: tracking.Update, serve: update("party", partyUpdate, (*tracking.Tracker).UpdateParty)},

		{method: "GET", path: "/users/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show("user", (*request).pathID)},

		{method: "GET", path: "/custom_field_definitions", permission: tracking.Show, accepts: acceptDefinitions, serve: list(definitionQuery)},
		{method: "POST", path: "/custom_field_definitions", permission: tracking.Admin, serve: create(definitionType, newDefinition, (*tracking.Tracker).CreateCustomFieldDefinition, definitionID)},
		{method: "GET", path: "/custom_field_definitions/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show(definitionType, (*request).pathID)},
		{method: "PATCH", path: "/custom_field_definitions/{id}", permission: tracking.Admin, serve: update(definitionType, definitionUpdate, (*tracking.Tracker).UpdateCustomFieldDefinition)},
		{method: "DELETE", path: "/custom_field_definitions/{id}", permission: tracking.Admin, serve: deleteDefinition},
		{method: "GET", path: "/custom_field_definitions/{definition_id}/options", permission: tracking.Show, accepts: acceptNested, serve: listOptions},
		{method: "POST", path: "/custom_field_definitions/{definition_id}/options", permission: tracking.Admin, serve: createOption},
		{method: "GET", path: "/custom_field_definitions/{definition_id}/options/{option_id}", permission: tracking.Show, accepts: acceptInclude, serve: showOption},
		{method: "PATCH", path: "/custom_field_definitions/{definition_id}/options/{option_id}", permission: tracking.Admin, serve: updateOption},
		{method: "DELETE", path: "/custom_field_definitions/{definition_id}/options/{option_id}", permission: tracking.Admin, serve: deleteOption},

		{method: "GET", path: "/custom_fields", permission: tracking.Show, accepts: acceptCustomFields, serve: list(customFieldQuery)},
		{method: "POST", path: "/custom_fields", permission: tracking.Update, serve: setCustomField},
		{method: "POST", path: "/custom_fields/bulk", permission: tracking.Update, body: bulkFieldBody, serve: setCustomFields},
		{method: "GET", path: "/custom_fields/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show(customFieldType, (*request).pathID)},
		{method: "GET", path: "/custom_fields/{id}/history", permission: tracking.Show, accepts: acceptNested, serve: customFieldHistory},
		{method: "PATCH", path: "/custom_fields/{id}", permission: tracking.Update, serve: updateCustomField},
		{method: "DELETE", path: "/custom_fields/{id}", permission: tracking.Update, serve: deleteCustomField},
		{method: "GET", path: "/shipments/{shipment_id}/custom_fields", permission: tracking.Show, accepts: acceptNested, serve: customFieldsOf(tracking.ShipmentEntity)},
		{method: "POST", path: "/shipments/{shipment_id}/custom_fields", permission: tracking.Update, serve: setCustomFieldOf(tracking.ShipmentEntity)},
		{method: "PATCH", path: "/shipments/{shipment_id}/custom_fields/{api_slug}", permission: tracking.Update, serve: updateCustomFieldOf(tracking.ShipmentEntity)},
		{method: "DELETE", path: "/shipments/{shipment_id}/custom_fields/{api_slug}", permission: tracking.Update, serve: deleteCustomFieldOf(tracking.ShipmentEntity)},
		{method: "GET", path: "/containers/{container_id}/custom_fields", permission: tracking.Show, accepts: acceptNested, serve: customFieldsOf(tracking.ContainerEntity)},
		{method: "POST", path: "/containers/{container_id}/custom_fields", permission: tracking.Update, serve: setCustomFieldOf(tracking.ContainerEntity)},
		{method: "PATCH", path: "/containers/{container_id}/custom_fields/{api_slug}", permission: tracking.Update, serve: updateCustomFieldOf(tracking.ContainerEntity)},
		{method: "DELETE", path: "/containers/{container_id}/custom_fields/{api_slug}", permission: tracking.Update, serve: deleteCustomFieldOf(tracking.ContainerEntity)},
		{method: "GET", path: "/tracking_requests/{tracking_request_id}/custom_fields", permission: tracking.Show, accepts: acceptNested, serve: customFieldsOf(tracking.TrackingRequestEntity)},
		{method: "POST", path: "/tracking_requests/{tracking_request_id}/custom_fields", permission: tracking.Update, serve: setCustomFieldOf(tracking.TrackingRequestEntity)},
		{method: "PATCH", path: "/tracking_requests/{tracking_request_id}/custom_fields/{api_slug}", permission: tracking.Update, serve: updateCustomFieldOf(tracking.TrackingRequestEntity)},
		{method: "DELETE", path: "/tracking_requests/{tracking_request_id}/custom_fields/{api_slug}", permission: tracking.Update, serve: deleteCustomFieldOf(tracking.TrackingRequestEntity)},

		{method: "GET", path: "/exceptions", permission: tracking.Show, accepts: acceptExceptions, serve: listExceptions},
		{method: "GET", path: "/exceptions/counts", permission: tracking.Show, accepts: acceptExceptionCounts, serve: countExceptions},
		{method: "GET", path: "/exceptions/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show(exceptionType, (*request).pathID)},
		{method: "PATCH", path: "/exceptions/{id}", permission: tracking.Update, serve: update(exceptionType, exceptionUpdate, updateException)},

		{method: "GET", path: "/report_card", permission: tracking.Show, accepts: acceptReportCard, asOf: true, serve: reportCard},

		{method: "GET", path: "/exception_settings", permission: tracking.Show, accepts: acceptInclude, serve: show(exceptionSettingsType, exceptionSettingsID)},
		{method: "PATCH", path: "/exception_settings", permission: tracking.Admin, serve: updateExceptionSettings},

		{method: "GET", path: "/tariffs", permission: tracking.Show, accepts: acceptTariffs, serve: listTariffs},
		{method: "POST", path: "/tariffs", permission: tracking.Admin, serve: create(tariffType, newTariff, createTariff, tariffID)},
		{method: "GET", path: "/tariffs/export", permission: tracking.Show, serve: exportTariffs},
		{method: "POST", path: "/tariffs/import", permission: tracking.Admin, body: tariffsBody, serve: importTariffs},
		{method: "GET", path: "/tariffs/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show(tariffType, (*request).pathID)},
		{method: "PATCH", path: "/tariffs/{id}", permission: tracking.Admin, serve: update(tariffType, tariffUpdate, updateTariff)},
		{method: "DELETE", path: "/tariffs/{id}", permission: tracking.Admin, serve: deleteTariff},

		{method: "GET", path: "/webhooks", permission: tracking.Show, accepts: acceptWebhooks, serve: list(webhookQuery)},
		{method: "POST", path: "/webhooks", permission: tracking.Admin, serve: create("webhook", newWebhook, (*tracking.Tracker).CreateWebhook, webhookID)},
		{method: "GET", path: "/webhooks/events", permission: tracking.Show, serve: webhookEvents},
		{method: "GET", path: "/webhooks/ips", permission: tracking.Show, serve: webhookIPs},
		{method: "POST", path: "/webhooks/trigger", permission: tracking.Update, serve: triggerWebhook},
		{method: "GET", path: "/webhooks/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show("webhook", (*request).pathID)},
		{method: "PATCH", path: "/webhooks/{id}", permission: tracking.Admin, serve: update("webhook", webhookUpdate, (*tracking.Tracker).UpdateWebhook)},
		{method: "DELETE", path: "/webhooks/{id}", permission: tracking.Admin, serve: deleteWebhook},
		{method: "POST", path: "/webhooks/{id}/rotate_secret", permission: tracking.Admin, serve: rotateSecret},
		{method: "POST", path: "/webhooks/{id}/recover", permission: tracking.Update, serve: recoverWebhook},
		{method: "GET", path: "/webhook_recoveries/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show("webhook_recovery", (*request).pathID)},
		{method: "GET", path: "/webhook_notifications", permission: tracking.Show, accepts: acceptNotifications, serve: list(notificationQuery)},
		{method: "GET", path: "/webhook_notifications/examples", permission: tracking.Show, serve: notificationExample},
		{method: "GET", path: "/webhook_notifications/{id}", permission: tracking.Show, accepts: acceptInclude, defaultInclude: notificationIncludes, serve: show("webhook_notification", (*request).pathID)},
		{method: "POST", path: "/webhook_notifications/{id}/redeliver", permission: tracking.Update, serve: redeliver},

		{method: "GET", path: "/events", permission: tracking.Show, accepts: acceptEvents, serve: serveEvents},
		{method: "GET", path: "/events/{id}", permission: tracking.Show, serve: showEvent},

		{method: "GET", path: "/documents", permission: tracking.Show, accepts: acceptDocuments, serve: list(documentQuery)},
		{method: "POST", path: "/documents", permission: tracking.Create, accepts: acceptInclude, defaultInclude: documentIncludes, serve: createDocument},
		{method: "GET", path: "/documents/types", permission: tracking.Show, serve: documentTypes},
		{method: "GET", path: "/documents/{id}", permission: tracking.Show, accepts: acceptInclude, notFoundDetail: noDocument, serve: show("document", (*request).pathID)},
		{method: "PATCH", path: "/documents/{id}", permission: tracking.Update, accepts: acceptInclude, defaultInclude: documentIncludes, notFoundDetail: noDocument, serve: updateDocument},
		{method: "DELETE", path: "/documents/{id}", permission: tracking.Delete, notFoundDetail: noDocument, serve: deleteDocument},
		{method: "GET", path: "/documents/{id}/download_url", permission: tracking.Show, notFoundDetail: noDocument, serve: documentDownload},
		{method: "POST", path: "/documents/{id}/reextract", permission: tracking.Update, notFoundDetail: noDocument, serve: reextractDocument},
		{method: "POST", path: "/documents/{id}/reclassify", permission: tracking.Update, notFoundDetail: noDocument, serve: documentAction((*tracking.Tracker).ReclassifyDocument)},
		{method: "POST", path: "/documents/{id}/relink", permission: tracking.Update, notFoundDetail: noDocument, serve: documentAction((*tracking.Tracker).RelinkDocument)},
		{method: "POST", path: "/documents/{id}/rotate", permission: tracking.Update, notFoundDetail: noDocument, serve: rotateDocument},
		{method: "GET", path: "/layout_corrections", permission: tracking.Show, accepts: acceptLayoutCorrections, serve: listLayoutCorrections},
		{method: "GET", path: "/layout_corrections/{id}", permission: tracking.Show, accepts: acceptInclude, serve: show("layout_correction", (*request).pathID)},
		{method: "DELETE", path: "/layout_corrections/{id}", permission: tracking.Delete, serve: deleteLayoutCorrection},
		{method: "GET", path: "/document_schemas/{id}", permission: tracking.Show, serve: documentSchema},
		{method: "GET", path: "/email_submissions", permission: tracking.Show, accepts: acceptPage, defaultInclude: submissionIncludes, serve: list(submissionQuery)},
		{method: "POST", path: "/email_submissions", permission: tracking.Create, accepts: acceptInclude, defaultInclude: submissionIncludes, body: emailBody, largeBody: true, serve: submitEmail},
		{method: "GET", path: "/email_submissions/{id}", permission: tracking.Show, accepts: acceptInclude, defaultInclude: submissionIncludes, notFoundDetail: noSubmission, serve: show("email_submission", (*request).pathID)},
		{method: "POST", path: "/direct_uploads", permission: tracking.Create, serve: createUpload},
		{method: "POST", path: "/rails/active_storage/direct_uploads", permission: tracking.Create, atRoot: true, serve: createUpload},
		{method: "PUT", path: "/blobs/{signed}", public: true, largeBody: true, serve: receiveUpload},
		{method: "GET", path: "/blobs/{signed}", public: true, serve: sendBlob},

		{method: "GET", path: "/audit_events", permission: tracking.Admin, accepts: acceptAudit, serve: list(auditQuery)},
		{method: "GET", path: "/openapi.json", public: true, serve: showOpenAPI},
		{method: "GET", path: "/healthz", public: true, atRoot: true, serve: healthz},
		{method: "GET", path: "/readyz", public: true, atRoot: true, serve: readyz},
	}
}

// isAtRoot reports whether a path is a route outside the prefix.
func isAtRoot(p string) bool {
	return slices.ContainsFunc(routeTable, func(rt route) bool { return rt.atRoot && rt.path == p })
}

// Details of 404s that clients compare literally.
const (
	noDocument   = "Couldn't find Document"
	noSubmission = "Couldn't find EmailSubmission"
)

// The functions below turn methods of the Tracker into handlers.

// list responds with one page of a query.
func list(decode func(*filters) tracking.Query) func(*request) error {
	return func(req *request) error {
		if done, err := req.respondCached(); done || err != nil {
			return err
		}
		defer req.releaseWaiters()
		q, err := req.readQuery()
		if err != nil {
			return err
		}
		f := &filters{FilterReader: jsonapi.Filters(*q), query: q}
		selects := decode(f)
		if err := f.err(); err != nil {
			return err
		}
		include := req.includes(q)
		s, err := req.t.Rendered().InParts().List(req.ctx(), selects, tracking.Page{Number: q.Number, Size: q.Size}, include)
		if err != nil {
			return err
		}
		req.respondPage(s, q, len(include) > 0)
		return nil
	}
}

// show responds with one resource.
func show(typ string, id func(*request) tracking.ID) func(*request) error {
	return func(req *request) error {
		q, err := req.readQuery()
		if err != nil {
			return err
		}
		return req.show(typ, id(req), q)
	}
}

func (req *request) show(typ string, id tracking.ID, q *jsonapi.Query) error {
	include := req.includes(q)
	s, err := req.t.Rendered().InParts().Get(req.ctx(), typ, id, include)
	if err != nil {
		return err
	}
	req.respondOne(http.StatusOK, s, len(include) > 0)
	return nil
}

// create creates a record from the body and responds with it.
func create[N, T any](typ string, decode func(*input) N, apply func(*tracking.Tracker, context.Context, N, ...tracking.Once) (T, error), id func(T) tracking.ID) func(*request) error {
	return func(req *request) error {
		record, err := createRecord(req, decode, apply)
		if err != nil {
			return err
		}
		return req.respondCreated(typ, id(record))
	}
}

// createRecord creates the record of the body.
func createRecord[N, T any](req *request, decode func(*input) N, apply func(*tracking.Tracker, context.Context, N, ...tracking.Once) (T, error)) (record T, err error) {
	in, err := req.readResource()
	if err != nil {
		return record, err
	}
	n := decode(in)
	if err := in.Err(); err != nil {
		return record, err
	}
	return apply(req.t, req.ctx(), n, in.once)
}

// respondCreated responds with a record that was created.
func (req *request) respondCreated(typ string, id tracking.ID) error {
	req.w.Header().Set("Location", req.resourcePaths[typ]+id.String())
	return req.respondRecord(http.StatusCreated, typ, id)
}

// update updates the record named by the path.
func update[U, T any](typ string, decode func(*input) U, apply func(*tracking.Tracker, context.Context, tracking.ID, U) (T, error)) func(*request) error {
	return func(req *request) error {
		in, err := req.readResource()
		if err != nil {
			return err
		}
		id := req.pathID()
		if err := in.checkID(id); err != nil {
			return err
		}
		return applyUpdate(req, typ, id, in, decode, apply)
	}
}

// updateByBodyID updates the record named by data.id in the body.
func updateByBodyID[U, T any](typ string, decode func(*input) U, apply func(*tracking.Tracker, context.Context, tracking.ID, U) (T, error)) func(*request) error {
	return func(req *request) error {
		in, err := req.readResource()
		if err != nil {
			return err
		}
		if in.id == "" {
			return jsonapi.FieldErrors{{Pointer: "/data/id", Code: jsonapi.CodeBlank, Detail: "id is required."}}
		}
		return applyUpdate(req, typ, parseID(in.id), in, decode, apply)
	}
}

func applyUpdate[U, T any](req *request, typ string, id tracking.ID, in *input, decode func(*input) U, apply func(*tracking.Tracker, context.Context, tracking.ID, U) (T, error)) error {
	u := decode(in)
	if err := in.Err(); err != nil {
		return err
	}
	if _, err := apply(req.t, req.ctx(), id, u); err != nil {
		return err
	}
	return req.respondRecord(http.StatusOK, typ, id)
}

// action applies a method to the record named by the path and responds with the
// record. The status says whether the effect is immediate (200) or in progress (202).
func action[T any](typ string, status int, apply func(*tracking.Tracker, context.Context, tracking.ID) (T, error)) func(*request) error {
	return func(req *request) error {
		id, err := req.readAction(typ)
		if err != nil {
			return err
		}
		if _, err := apply(req.t, req.ctx(), id); err != nil {
			return err
		}
		return req.respondRecord(status, typ, id)
	}
}

// readAction reads the request of an action. Its body may be absent, an empty object,
// or a resource that names the record; existing clients send all three.
func (req *request) readAction(typ string) (tracking.ID, error) {
	return req.readActionOn(typ, req.pathID())
}

func (req *request) readActionOn(typ string, id tracking.ID) (tracking.ID, error) {
	data, err := req.readBody()
	if err != nil {
		return id, err
	}
	in, err := req.readHeaders(nil)
	if err != nil {
		return id, err
	}
	if in.ifVersion != 0 {
		return id, errUnversioned
	}
	if len(data) == 0 {
		return id, nil
	}
	if members, err := jsonapi.ParseObject(data, defaultBody); err != nil || len(members) == 0 {
		return id, err
	}
	res, err := jsonapi.ParseResource(data, defaultBody)
	if err != nil {
		return id, err
	}
	in.Decoder, in.id = jsonapi.Fields(res), res.ID
	in.TypeIfSet(typ)
	if err := in.Err(); err != nil {
		return id, err
	}
	return id, in.checkID(id)
}

// respondRecord responds to a write with the current record. The caller who
// changed the record sees the result, even without the permission show.
func (req *request) respondRecord(status int, typ string, id tracking.ID) error {
	return req.respondRecordWith(status, typ, id, nil)
}

// respondRecordIncluding is respondRecord with the included resources of the request.
func (req *request) respondRecordIncluding(status int, typ string, id tracking.ID) error {
	return req.respondRecordWith(status, typ, id, req.includes(&req.query))
}

func (req *request) respondRecordWith(status int, typ string, id tracking.ID, include []string) error {
	actor := req.actor
	if !actor.Can(tracking.Show) {
		actor.Permissions = append(slices.Clip(actor.Permissions), tracking.Show)
	}
	s, err := req.config.Tracker.For(actor).Rendered().InParts().Get(req.ctx(), typ, id, include)
	if err != nil {
		return err
	}
	req.respondOneAt(req.absoluteURL(req.resourcePath(typ)+id.String()), status, s, len(include) > 0) // self must be readable with GET; the URL of the write need not be
	return nil
}
