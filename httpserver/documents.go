package httpserver

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

var acceptDocuments = jsonapi.Accept{
	Page: true, Include: true, Filters: []string{"filename", "reference", "document_types", "discrepancies", "state", "shipment"}, Sorts: []string{"document_type", "added_by", "created_at"},
}

// documentIncludes is included in responses to writes.
var documentIncludes = []string{"account"}

func documentQuery(f *filters) tracking.Query {
	q := tracking.DocumentQuery{
		Shipments: f.ids("shipment"),
		FileName:  strings.Join(f.list("filename"), " "), References: f.list("reference"), Types: f.list("document_types"), Discrepant: f.tri("discrepancies"), Sort: f.sort(),
	}
	for _, s := range f.list("state") {
		q.States = append(q.States, tracking.DocumentState(s))
	}
	return q
}

func createDocument(req *request) error {
	in, err := req.readResource()
	if err != nil {
		return err
	}
	in.Type("document")
	n := tracking.NewDocument{Name: in.String("name").Value, Attached: in.String("attached_document").Value}
	if err := in.Err(); err != nil {
		return err
	}
	record, err := req.t.CreateDocument(req.ctx(), n, in.once)
	req.extendWriteDeadline() // it may have copied a file
	if err != nil {
		return err
	}
	req.w.Header().Set("Location", req.resourcePaths["document"]+record.ID.String())
	return req.respondRecordIncluding(http.StatusCreated, "document", record.ID)
}

func updateDocument(req *request) error {
	in, err := req.readResource()
	if err != nil {
		return err
	}
	in.Type("document")
	id := req.pathID()
	if err := in.checkID(id); err != nil {
		return err
	}
	u := tracking.DocumentUpdate{TypeManual: opt(in.String("document_type_manual")), IfVersion: in.ifVersion}
	if data := in.Raw("extracted_data_manual"); data.Set {
		u.DataManual = tracking.Set(json.RawMessage(slices.Clone(data.Value)))
	}
	for _, c := range in.Objects("corrected_fields").Value {
		u.Corrections = append(u.Corrections, tracking.FieldCorrection{Field: c.String("field").Value, Value: c.String("value").Value})
	}
	if err := in.Err(); err != nil {
		return err
	}
	if _, err := req.t.UpdateDocument(req.ctx(), id, u); err != nil {
		return err
	}
	return req.respondRecordIncluding(http.StatusOK, "document", id)
}

// deleteDocument responds 204 (see docs/contract.md#writing).
func deleteDocument(req *request) error {
	id, err := req.readAction("document")
	if err != nil {
		return err
	}
	if err := req.t.DeleteDocument(req.ctx(), id); err != nil {
		return err
	}
	req.respondNoContent()
	return nil
}

var acceptLayoutCorrections = jsonapi.Accept{Page: true, Include: true, Filters: []string{"document_types"}}

func listLayoutCorrections(req *request) error {
	return list(func(f *filters) tracking.Query { return req.t.LayoutCorrections().Query(f.list("document_types")) })(req)
}

// deleteLayoutCorrection responds 204, as deleteDocument does.
func deleteLayoutCorrection(req *request) error {
	id, err := req.readAction("layout_correction")
	if err != nil {
		return err
	}
	if err := req.t.LayoutCorrections().Delete(req.ctx(), id); err != nil {
		return err
	}
	req.respondNoContent()
	return nil
}

// documentAction starts background work on a document.
func documentAction(apply func(*tracking.Tracker, context.Context, tracking.ID) error) func(*request) error {
	return func(req *request) error {
		id, err := req.readAction("document")
		if err != nil {
			return err
		}
		if err := apply(req.t, req.ctx(), id); err != nil {
			return err
		}
		return req.respondAccepted()
	}
}

func (req *request) respondAccepted() error {
	body, err := json.Marshal(acceptedDoc{Status: "accepted", Meta: req.writeMeta()})
	if err != nil {
		return err
	}
	req.respond(http.StatusAccepted, body)
	return nil
}

// reextractDocument supports Idempotency-Key, because every extraction notifies
// webhooks.
func reextractDocument(req *request) error {
	key, err := readIdempotencyKey(req.r)
	if err != nil {
		return err
	}
	return documentAction(func(t *tracking.Tracker, ctx context.Context, id tracking.ID) error {
		return t.ReextractDocument(ctx, id, key.once())
	})(req)
}

func rotateDocument(req *request) error {
	in, err := req.readMembers("document")
	if err != nil {
		return err
	}
	degrees := in.Int("degrees")
	if err := in.Err(); err != nil {
		return err
	}
	if err := req.t.RotateDocument(req.ctx(), req.pathID(), int(max(-1, min(degrees.Value, 1<<20))), in.once); err != nil {
		return err
	}
	return req.respondAccepted()
}

// documentDownload responds with a temporary link that needs no key.
func documentDownload(req *request) error {
	if _, err := req.readQuery(); err != nil {
		return err
	}
	signed, err := req.t.DocumentDownload(req.ctx(), req.pathID())
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]string{"download_url": req.blobURL(signed)})
	if err != nil {
		return err
	}
	req.respond(http.StatusOK, body)
	return nil
}

func documentTypes(req *request) error {
	if _, err := req.readQuery(); err != nil {
		return err
	}
	types, err := req.t.DocumentTypes(req.ctx())
	if err != nil {
		return err
	}
	type typeDoc struct {
		Code  string `json:"code"`
		Label string `json:"label"`
	}
	docs := make([]typeDoc, len(types))
	for i, t := range types {
		docs[i] = typeDoc{t.Code, t.Label}
	}
	body, err := json.Marshal(map[string]any{"document_types": docs})
	if err != nil {
		return err
	}
	req.respond(http.StatusOK, body)
	return nil
}

// documentSchema responds with the schema of the data extracted from a document type.
func documentSchema(req *request) error {
	if _, err := req.readQuery(); err != nil {
		return err
	}
	name := req.r.PathValue("id")
	typ, err := req.t.DocumentSchema(req.ctx(), name)
	if errors.Is(err, tracking.ErrNotFound) {
		return &tracking.Error{Kind: tracking.NotFound, Detail: "Couldn't find DocumentSchema with 'id'=" + strings.ToValidUTF8(name, "?")}
	}
	if err != nil {
		return err
	}
	doc, err := json.Marshal(documentSchemaOf(typ))
	if err != nil {
		return err
	}
	req.respondOne(http.StatusOK, tracking.Selection{Rows: []*tracking.Resource{{Type: documentSchemaType, Doc: doc}}}, false)
	return nil
}

const documentSchemaType = "document_schema"

// schemasSince is the date of all schemas, because a Classifier has none.
const schemasSince = "2026-11-22T00:00:00Z"

type documentSchemaDoc struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Attributes struct {
		DocumentType  string          `json:"document_type"`
		Label         string          `json:"label"`
		SchemaVersion string          `json:"schema_version"`
		FullVersion   string          `json:"full_version"`
		Current       bool            `json:"current"`
		Draft         bool            `json:"draft"`
		ActiveAt      *string         `json:"active_at"`
		SchemaFormat  string          `json:"schema_format"`
		Description   *string         `json:"description"`
		SchemaPayload json.RawMessage `json:"schema_payload"`
		CreatedAt     string          `json:"created_at"`
		UpdatedAt     string          `json:"updated_at"`
	} `json:"attributes"`
}

func documentSchemaOf(typ *tracking.DocumentType) *documentSchemaDoc {
	doc := &documentSchemaDoc{ID: typ.Code + "@" + typ.Version, Type: documentSchemaType}
	a := &doc.Attributes
	a.DocumentType, a.Label, a.SchemaVersion, a.FullVersion = typ.Code, typ.Label, typ.Version, doc.ID
	a.Current, a.SchemaFormat, a.SchemaPayload = true, "json_schema", typ.Schema
	since := schemasSince
	a.ActiveAt, a.CreatedAt, a.UpdatedAt = &since, since, since
	if typ.Description != "" {
		a.Description = &typ.Description
	}
	return doc
}

// submissionIncludes is the default include of e-mail submissions (see
// docs/contract.md#includes).
var submissionIncludes = []string{"documents", "documents.last_document_representation"}

func submissionQuery(*filters) tracking.Query { return tracking.EmailSubmissionQuery{} }

var emailBody = jsonapi.Limits{Bytes: maxEmailBytes}

const maxEmailBytes = 25 << 20

// submitEmail takes the message itself as the body and parses it while it arrives.
func submitEmail(req *request) error {
	if typ, _, err := mime.ParseMediaType(req.r.Header.Get("Content-Type")); err != nil || typ != "message/rfc822" {
		return &httpError{status: http.StatusUnsupportedMediaType, detail: "The body must be an e-mail as message/rfc822."}
	}
	if req.r.ContentLength > maxEmailBytes {
		return jsonapi.ErrTooLarge
	}
	in, err := req.readHeaders(nil)
	if err != nil {
		return err
	}
	if in.ifVersion != 0 {
		return errUnversioned
	}
	req.pointerBase = "" // the body has no members to point to
	body := errorRecorder{http.MaxBytesReader(req.w, req.r.Body, maxEmailBytes), new(error)}
	record, err := req.t.SubmitEmail(req.ctx(), tracking.NewEmailSubmission{Reader: body}, in.once)
	req.extendWriteDeadline()
	if readErr := *body.err; readErr != nil && errors.Is(err, readErr) {
		return req.bodyReadError(readErr)
	}
	if err != nil {
		return err
	}
	req.w.Header().Set("Location", req.resourcePaths["email_submission"]+record.ID.String())
	return req.respondRecordIncluding(http.StatusCreated, "email_submission", record.ID)
}

// bodyReadError is the error for a body that could not be read to its end.
func (req *request) bodyReadError(err error) error {
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return jsonapi.ErrTooLarge
	}
	if slow := req.slowBodyError(err); slow != nil {
		return slow
	}
	return badRequest("The body could not be read to its end.")
}
