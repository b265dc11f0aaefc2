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
	// path is below the prefix, but for rooted routes.
	path string
	// needs is the permission (see docs/contract.md#permissions).
	needs tracking.Permission
	serve func(*call) error
	// bucket is the rate limit that counts it.
	bucket bucket
	// takes is what its query may hold.
	takes jsonapi.Accept
	// defaults are included when the request has no include.
	defaults []string
	// body bounds its body. Defaults to usualBody.
	body jsonapi.Limits
	// open routes need no key, and count in no limit.
	open bool
	// rooted routes stand outside the prefix.
	rooted bool
	// large bodies may take as long as they keep their pace.
	large bool
	// keeps: its answers follow from their answerKey and the account's state alone,
	// and may be kept.
	keeps bool
	// missing is what a 404 says of the ID in the path; as a rule nothing.
	missing string
}

// The queries that several operations take.
var (
	takesInclude = jsonapi.Accept{Include: true}
	takesPage    = jsonapi.Accept{Include: true, Page: true}
	takesParties = jsonapi.Accept{Include: true, Page: true, PageSize: 25}
)

var trackedObject = []string{"tracked_object"}

// table is every operation. testdata/routes.txt lists them too, and a test compares the
// two. It is filled in init because its handlers reach calls, which hold routes.
var table []route

func init() {
	table = []route{
		{method: "GET", path: "/shipments", needs: tracking.Show, takes: takesShipments, keeps: true, serve: list(shipmentQuery)},
		{method: "GET", path: "/shipments/{id}", needs: tracking.Show, takes: takesInclude, serve: showAsOf("shipment")},
		{method: "GET", path: "/shipments/{id}/eta_revisions", needs: tracking.Show, takes: takesRevisions, serve: etaRevisions},
		{method: "PATCH", path: "/shipments/{id}", needs: tracking.Update, serve: update("shipment", shipmentUpdate, (*tracking.Tracker).UpdateShipment)},
		{method: "PATCH", path: "/shipments/{id}/stop_tracking", needs: tracking.Update, serve: act("shipment", http.StatusOK, (*tracking.Tracker).StopTracking)},
		{method: "PATCH", path: "/shipments/{id}/resume_tracking", needs: tracking.Update, serve: act("shipment", http.StatusOK, (*tracking.Tracker).ResumeTracking)},

		{method: "GET", path: "/containers", needs: tracking.Show, takes: takesContainers, keeps: true, serve: list(containerQuery)},
		{method: "PATCH", path: "/containers", needs: tracking.Update, serve: updateNamed("container", containerUpdate, (*tracking.Tracker).UpdateContainer)},
		{method: "GET", path: "/containers/{id}", needs: tracking.Show, takes: takesInclude, serve: showAsOf("container")},
		{method: "GET", path: "/containers/{id}/history", needs: tracking.Show, takes: takesRevisions, serve: containerHistory},
		{method: "PATCH", path: "/containers/{id}", needs: tracking.Update, serve: update("container", containerUpdate, (*tracking.Tracker).UpdateContainer)},
		{method: "GET", path: "/containers/{id}/transport_events", needs: tracking.Show, takes: takesPage, serve: transportEvents},
		{method: "GET", path: "/containers/{id}/raw_events", needs: tracking.Show, takes: takesInclude, serve: rawEvents},
		{method: "GET", path: "/containers/{id}/map_geojson", needs: tracking.Show, serve: containerMap},
		{method: "GET", path: "/containers/{id}/route", needs: tracking.Show, takes: takesInclude, serve: containerRoute},
		{method: "PATCH", path: "/containers/{id}/refresh", needs: tracking.Update, bucket: inRefresh, serve: refresh},

		{method: "GET", path: "/tracking_requests", needs: tracking.Show, takes: takesRequests, defaults: trackedObject, serve: list(requestQuery)},
		{method: "POST", path: "/tracking_requests", needs: tracking.Create, bucket: inCreate, serve: create("tracking_request", newRequest, (*tracking.Tracker).CreateTrackingRequest, requestID)},
		{method: "POST", path: "/tracking_requests/bulk", needs: tracking.Create, bucket: inCreate, body: bulkRequestBody, serve: createBulk},
		{method: "POST", path: "/tracking_requests/infer_number", needs: tracking.Show, bucket: inInfer, serve: inferNumber},
		{method: "GET", path: "/tracking_requests/{id}", needs: tracking.Show, takes: takesInclude, defaults: trackedObject, serve: show("tracking_request", (*call).pathID)},
		{method: "PATCH", path: "/tracking_requests/{id}", needs: tracking.Update, serve: update("tracking_request", requestUpdate, (*tracking.Tracker).UpdateTrackingRequest)},

		{method: "POST", path: "/reports", needs: tracking.Update, body: reportBody, serve: report},

		{method: "GET", path: "/search", needs: tracking.Show, serve: search},

		{method: "GET", path: "/ports", needs: tracking.Show, takes: takesPorts, serve: list(portQuery)},
		{method: "GET", path: "/ports/{id}", needs: tracking.Show, takes: takesInclude, serve: show("port", portID)},
		{method: "GET", path: "/metro_areas/{id}", needs: tracking.Show, takes: takesInclude, serve: show("metro_area", metroAreaID)},
		{method: "GET", path: "/terminals", needs: tracking.Show, takes: takesTerminals, serve: list(terminalQuery)},
		{method: "GET", path: "/terminals/{id}", needs: tracking.Show, takes: takesInclude, serve: show("terminal", (*call).pathID)},
		{method: "GET", path: "/vessels", needs: tracking.Show, takes: takesVessels, serve: list(vesselQuery)},
		{method: "GET", path: "/vessels/{id}", needs: tracking.Show, takes: takesInclude, serve: showVessel},
		{method: "GET", path: "/vessels/{id}/future_positions", needs: tracking.Show, serve: futurePositions(false)},
		{method: "GET", path: "/vessels/{id}/future_positions_with_coordinates", needs: tracking.Show, serve: futurePositions(true)},
		{method: "GET", path: "/shipping_lines", needs: tracking.Show, takes: takesInclude, serve: shippingLines},
		{method: "GET", path: "/shipping_lines/{id}", needs: tracking.Show, takes: takesInclude, serve: show("shipping_line", lineID)},
		{method: "GET", path: "/parties", needs: tracking.Show, takes: takesParties, serve: list(partyQuery)},
		{method: "POST", path: "/parties", needs: tracking.Create, serve: create("party", newParty, (*tracking.Tracker).CreateParty, partyID)},
		{method: "GET", path: "/parties/{id}", needs: tracking.Show, takes: takesInclude, serve: show("party", (*call).pathID)},
		{method: "PATCH", path: "/parties/{id}", needs: tracking.Update, serve: update("party", partyUpdate, (*tracking.Tracker).UpdateParty)},

		{method: "GET", path: "/custom_field_definitions", needs: tracking.Show, takes: takesDefinitions, serve: list(definitionQuery)},
		{method: "POST", path: "/custom_field_definitions", needs: tracking.Admin, serve: create(definitionType, newDefinition, (*tracking.Tracker).CreateCustomFieldDefinition, definitionID)},
		{method: "GET", path: "/custom_field_definitions/{id}", needs: tracking.Show, takes: takesInclude, serve: show(definitionType, (*call).pathID)},
		{method: "PATCH", path: "/custom_field_definitions/{id}", needs: tracking.Admin, serve: update(definitionType, definitionUpdate, (*tracking.Tracker).UpdateCustomFieldDefinition)},
		{method: "DELETE", path: "/custom_field_definitions/{id}", needs: tracking.Admin, serve: deleteDefinition},
		{method: "GET", path: "/custom_field_definitions/{definition_id}/options", needs: tracking.Show, takes: takesNested, serve: options},
		{method: "POST", path: "/custom_field_definitions/{definition_id}/options", needs: tracking.Admin, serve: createOption},
		{method: "GET", path: "/custom_field_definitions/{definition_id}/options/{option_id}", needs: tracking.Show, takes: takesInclude, serve: showOption},
		{method: "PATCH", path: "/custom_field_definitions/{definition_id}/options/{option_id}", needs: tracking.Admin, serve: updateOption},
		{method: "DELETE", path: "/custom_field_definitions/{definition_id}/options/{option_id}", needs: tracking.Admin, serve: deleteOption},

		{method: "GET", path: "/custom_fields", needs: tracking.Show, takes: takesCustomFields, serve: list(customFieldQuery)},
		{method: "POST", path: "/custom_fields", needs: tracking.Update, serve: setCustomField},
		{method: "POST", path: "/custom_fields/bulk", needs: tracking.Update, body: bulkFieldBody, serve: setCustomFields},
		{method: "GET", path: "/custom_fields/{id}", needs: tracking.Show, takes: takesInclude, serve: show(customFieldType, (*call).pathID)},
		{method: "GET", path: "/custom_fields/{id}/history", needs: tracking.Show, takes: takesNested, serve: customFieldHistory},
		{method: "PATCH", path: "/custom_fields/{id}", needs: tracking.Update, serve: updateCustomField},
		{method: "DELETE", path: "/custom_fields/{id}", needs: tracking.Update, serve: deleteCustomField},
		{method: "GET", path: "/shipments/{shipment_id}/custom_fields", needs: tracking.Show, takes: takesNested, serve: customFieldsOf(tracking.ShipmentEntity)},
		{method: "POST", path: "/shipments/{shipment_id}/custom_fields", needs: tracking.Update, serve: setCustomFieldOf(tracking.ShipmentEntity)},
		{method: "PATCH", path: "/shipments/{shipment_id}/custom_fields/{api_slug}", needs: tracking.Update, serve: updateCustomFieldOf(tracking.ShipmentEntity)},
		{method: "DELETE", path: "/shipments/{shipment_id}/custom_fields/{api_slug}", needs: tracking.Update, serve: deleteCustomFieldOf(tracking.ShipmentEntity)},
		{method: "GET", path: "/containers/{container_id}/custom_fields", needs: tracking.Show, takes: takesNested, serve: customFieldsOf(tracking.ContainerEntity)},
		{method: "POST", path: "/containers/{container_id}/custom_fields", needs: tracking.Update, serve: setCustomFieldOf(tracking.ContainerEntity)},
		{method: "PATCH", path: "/containers/{container_id}/custom_fields/{api_slug}", needs: tracking.Update, serve: updateCustomFieldOf(tracking.ContainerEntity)},
		{method: "DELETE", path: "/containers/{container_id}/custom_fields/{api_slug}", needs: tracking.Update, serve: deleteCustomFieldOf(tracking.ContainerEntity)},
		{method: "GET", path: "/tracking_requests/{tracking_request_id}/custom_fields", needs: tracking.Show, takes: takesNested, serve: customFieldsOf(tracking.TrackingRequestEntity)},
		{method: "POST", path: "/tracking_requests/{tracking_request_id}/custom_fields", needs: tracking.Update, serve: setCustomFieldOf(tracking.TrackingRequestEntity)},
		{method: "PATCH", path: "/tracking_requests/{tracking_request_id}/custom_fields/{api_slug}", needs: tracking.Update, serve: updateCustomFieldOf(tracking.TrackingRequestEntity)},
		{method: "DELETE", path: "/tracking_requests/{tracking_request_id}/custom_fields/{api_slug}", needs: tracking.Update, serve: deleteCustomFieldOf(tracking.TrackingRequestEntity)},

		{method: "GET", path: "/webhooks", needs: tracking.Show, takes: takesWebhooks, serve: list(webhookQuery)},
		{method: "POST", path: "/webhooks", needs: tracking.Admin, serve: create("webhook", newWebhook, (*tracking.Tracker).CreateWebhook, webhookID)},
		{method: "GET", path: "/webhooks/events", needs: tracking.Show, serve: webhookEvents},
		{method: "GET", path: "/webhooks/ips", needs: tracking.Show, serve: webhookIPs},
		{method: "POST", path: "/webhooks/trigger", needs: tracking.Update, serve: triggerWebhook},
		{method: "GET", path: "/webhooks/{id}", needs: tracking.Show, takes: takesInclude, serve: show("webhook", (*call).pathID)},
		{method: "PATCH", path: "/webhooks/{id}", needs: tracking.Admin, serve: update("webhook", webhookUpdate, (*tracking.Tracker).UpdateWebhook)},
		{method: "DELETE", path: "/webhooks/{id}", needs: tracking.Admin, serve: deleteWebhook},
		{method: "POST", path: "/webhooks/{id}/rotate_secret", needs: tracking.Admin, serve: rotateSecret},
		{method: "POST", path: "/webhooks/{id}/recover", needs: tracking.Update, serve: recoverWebhook},
		{method: "GET", path: "/webhook_recoveries/{id}", needs: tracking.Show, takes: takesInclude, serve: show("webhook_recovery", (*call).pathID)},
		{method: "GET", path: "/webhook_notifications", needs: tracking.Show, takes: takesNotifications, serve: list(notificationQuery)},
		{method: "GET", path: "/webhook_notifications/examples", needs: tracking.Show, serve: notificationExample},
		{method: "GET", path: "/webhook_notifications/{id}", needs: tracking.Show, takes: takesInclude, defaults: notificationContext, serve: show("webhook_notification", (*call).pathID)},
		{method: "POST", path: "/webhook_notifications/{id}/redeliver", needs: tracking.Update, serve: redeliver},

		{method: "GET", path: "/documents", needs: tracking.Show, takes: takesDocuments, serve: list(documentQuery)},
		{method: "POST", path: "/documents", needs: tracking.Create, takes: takesInclude, defaults: documentAccount, serve: createDocument},
		{method: "GET", path: "/documents/types", needs: tracking.Show, serve: documentTypes},
		{method: "GET", path: "/documents/{id}", needs: tracking.Show, takes: takesInclude, missing: noDocument, serve: show("document", (*call).pathID)},
		{method: "PATCH", path: "/documents/{id}", needs: tracking.Update, takes: takesInclude, defaults: documentAccount, missing: noDocument, serve: updateDocument},
		{method: "DELETE", path: "/documents/{id}", needs: tracking.Delete, missing: noDocument, serve: deleteDocument},
		{method: "GET", path: "/documents/{id}/download_url", needs: tracking.Show, missing: noDocument, serve: documentDownload},
		{method: "POST", path: "/documents/{id}/reextract", needs: tracking.Update, missing: noDocument, serve: reextractDocument},
		{method: "POST", path: "/documents/{id}/reclassify", needs: tracking.Update, missing: noDocument, serve: actOnDocument((*tracking.Tracker).ReclassifyDocument)},
		{method: "POST", path: "/documents/{id}/relink", needs: tracking.Update, missing: noDocument, serve: actOnDocument((*tracking.Tracker).RelinkDocument)},
		{method: "POST", path: "/documents/{id}/rotate", needs: tracking.Update, missing: noDocument, serve: rotateDocument},
		{method: "GET", path: "/document_schemas/{id}", needs: tracking.Show, serve: documentSchema},
		{method: "GET", path: "/email_submissions", needs: tracking.Show, takes: takesPage, defaults: submissionDocuments, serve: list(submissionQuery)},
		{method: "POST", path: "/email_submissions", needs: tracking.Create, takes: takesInclude, defaults: submissionDocuments, body: messageBody, large: true, serve: submitEmail},
		{method: "GET", path: "/email_submissions/{id}", needs: tracking.Show, takes: takesInclude, defaults: submissionDocuments, missing: noSubmission, serve: show("email_submission", (*call).pathID)},
		{method: "POST", path: "/direct_uploads", needs: tracking.Create, serve: createUpload},
		{method: "POST", path: "/rails/active_storage/direct_uploads", needs: tracking.Create, rooted: true, serve: createUpload},
		{method: "PUT", path: "/blobs/{signed}", open: true, large: true, serve: receiveUpload},
		{method: "GET", path: "/blobs/{signed}", open: true, serve: sendBlob},

		{method: "GET", path: "/openapi.json", open: true, serve: showDescription},
		{method: "GET", path: "/healthz", open: true, rooted: true, serve: alive},
		{method: "GET", path: "/readyz", open: true, rooted: true, serve: ready},
	}
}

// rootedPath tells the paths that stand outside the prefix.
func rootedPath(p string) bool {
	return slices.ContainsFunc(table, func(rt route) bool { return rt.rooted && rt.path == p })
}

// The detail of a 404 for these, as in the published interface.
const (
	noDocument   = "Couldn't find Document"
	noSubmission = "Couldn't find EmailSubmission"
)

// The adapters below turn methods of the Tracker into operations.

// list answers with a page of what the query selects.
func list(decode func(*filters) tracking.Query) func(*call) error {
	return func(c *call) error {
		if done, err := c.keptAnswer(); done || err != nil {
			return err
		}
		q, err := c.query()
		if err != nil {
			return err
		}
		f := &filters{FilterReader: jsonapi.Filters(*q), query: q}
		selects := decode(f)
		if err := f.err(); err != nil {
			return err
		}
		include := c.includes(q)
		s, err := c.t.Select(c.ctx(), selects, tracking.Page{Number: q.Number, Size: q.Size}, include)
		if err != nil {
			return err
		}
		c.page(s, q, len(include) > 0)
		return nil
	}
}

// show answers with one resource.
func show(typ string, id func(*call) tracking.ID) func(*call) error {
	return func(c *call) error {
		q, err := c.query()
		if err != nil {
			return err
		}
		return c.show(typ, id(c), q)
	}
}

func (c *call) show(typ string, id tracking.ID, q *jsonapi.Query) error {
	include := c.includes(q)
	s, err := c.t.SelectOne(c.ctx(), typ, id, include)
	if err != nil {
		return err
	}
	c.single(http.StatusOK, s, len(include) > 0)
	return nil
}

// create makes a record from the body and answers with it.
func create[N, T any](typ string, decode func(*input) N, apply func(*tracking.Tracker, context.Context, N) (T, error), id func(T) tracking.ID) func(*call) error {
	return func(c *call) error {
		in, err := c.resource()
		if err != nil {
			return err
		}
		n := decode(in)
		if err := in.Err(); err != nil {
			return err
		}
		made, err := apply(c.t, c.ctx(), n)
		if err != nil {
			return err
		}
		c.w.Header().Set("Location", c.selves[typ]+id(made).String())
		return c.written(http.StatusCreated, typ, id(made))
	}
}

// update changes the record that the path names.
func update[U, T any](typ string, decode func(*input) U, apply func(*tracking.Tracker, context.Context, tracking.ID, U) (T, error)) func(*call) error {
	return func(c *call) error {
		in, err := c.resource()
		if err != nil {
			return err
		}
		id := c.pathID()
		if err := in.meant(id); err != nil {
			return err
		}
		return change(c, typ, id, in, decode, apply)
	}
}

// updateNamed changes the record that the body names.
func updateNamed[U, T any](typ string, decode func(*input) U, apply func(*tracking.Tracker, context.Context, tracking.ID, U) (T, error)) func(*call) error {
	return func(c *call) error {
		in, err := c.resource()
		if err != nil {
			return err
		}
		if in.id == "" {
			return jsonapi.FieldErrors{{Pointer: "/data/id", Code: jsonapi.CodeBlank, Detail: "id is required."}}
		}
		return change(c, typ, parseID(in.id), in, decode, apply)
	}
}

func change[U, T any](c *call, typ string, id tracking.ID, in *input, decode func(*input) U, apply func(*tracking.Tracker, context.Context, tracking.ID, U) (T, error)) error {
	u := decode(in)
	if err := in.Err(); err != nil {
		return err
	}
	if _, err := apply(c.t, c.ctx(), id, u); err != nil {
		return err
	}
	return c.written(http.StatusOK, typ, id)
}

// act does to the record of the path what the path says, and answers with the
// status that says whether that is done already.
func act[T any](typ string, status int, apply func(*tracking.Tracker, context.Context, tracking.ID) (T, error)) func(*call) error {
	return func(c *call) error {
		id, err := c.acted(typ)
		if err != nil {
			return err
		}
		if _, err := apply(c.t, c.ctx(), id); err != nil {
			return err
		}
		return c.written(status, typ, id)
	}
}

// acted reads the request of an action: no body, an empty object, or one that
// names the record. Clients of the published interface send each of these.
func (c *call) acted(typ string) (tracking.ID, error) { return c.actedOn(typ, c.pathID()) }

func (c *call) actedOn(typ string, id tracking.ID) (tracking.ID, error) {
	data, err := c.readBody()
	if err != nil {
		return id, err
	}
	in, err := c.headers(nil)
	if err != nil {
		return id, err
	}
	if in.ifVersion != 0 {
		return id, errUnversioned
	}
	if len(data) == 0 {
		return id, nil
	}
	if members, err := jsonapi.ParseObject(data, usualBody); err != nil || len(members) == 0 {
		return id, err
	}
	res, err := jsonapi.ParseResource(data, usualBody)
	if err != nil {
		return id, err
	}
	in.Decoder, in.id = jsonapi.Fields(res), res.ID
	in.TypeIfSet(typ)
	if err := in.Err(); err != nil {
		return id, err
	}
	return id, in.meant(id)
}

// written answers a write with the record as it is now. Who may change a record
// may see what became of it, with or without show.
func (c *call) written(status int, typ string, id tracking.ID) error {
	return c.writtenAnd(status, typ, id, nil)
}

// writtenWith is written with what is asked to be included, else the route's own.
func (c *call) writtenWith(status int, typ string, id tracking.ID) error {
	return c.writtenAnd(status, typ, id, c.includes(&c.asked))
}

func (c *call) writtenAnd(status int, typ string, id tracking.ID, include []string) error {
	actor := c.actor
	if !actor.Can(tracking.Show) {
		actor.Permissions = append(slices.Clip(actor.Permissions), tracking.Show)
	}
	s, err := c.config.Tracker.For(actor).SelectOne(c.ctx(), typ, id, include)
	if err != nil {
		return err
	}
	c.singleAt(c.absolute(c.self(typ)+id.String()), status, s, len(include) > 0) // a write has no URL that it could be read at
	return nil
}
