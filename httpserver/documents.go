package httpserver

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

var acceptDocuments = jsonapi.Accept{
	Page: true, Include: true, Filters: []string{"filename", "reference", "document_types"}, Sorts: []string{"document_type", "added_by", "created_at"},
}

// documentIncludes is what answers to writes include.
var documentIncludes = []string{"account"}

func documentQuery(f *filters) tracking.Query {
	return tracking.DocumentQuery{
		FileName: strings.Join(f.list("filename"), " "), References: f.list("reference"), Types: f.list("document_types"), Sort: f.sort(),
	}
}

// createDocument answers with what is included with a new document.
func createDocument(req *request) error {
	in, err := req.readResource()
	if err != nil {
		return err
	}
	in.Type("document")
	n := tracking.NewDocument{Name: in.String("name").Value, Attached: in.String("attached_document").Value, Once: in.once}
	if err := in.Err(); err != nil {
		return err
	}
	made, err := req.t.CreateDocument(req.ctx(), n)
	if err != nil {
		return err
	}
	req.w.Header().Set("Location", req.resourcePaths["document"]+made.ID.String())
	return req.respondRecordIncluding(http.StatusCreated, "document", made.ID)
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
	if err := in.Err(); err != nil {
		return err
	}
	if _, err := req.t.UpdateDocument(req.ctx(), id, u); err != nil {
		return err
	}
	return req.respondRecordIncluding(http.StatusOK, "document", id)
}

// deleteDocument answers 204 (see docs/contract.md#writing).
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

// documentAction has something done with a document by and by.
func documentAction(apply func(*tracking.Tracker, context.Context, tracking.ID) error) func(*request) error {
	return func(req *request) error {
		id, err := req.readAction("document")
		if err != nil {
			return err
		}
		if err := apply(req.t, req.ctx(), id); err != nil {
			return err
		}
		req.respondJSON(http.StatusAccepted, acceptedJSON)
		return nil
	}
}

const acceptedJSON = `{"status":"accepted"}`

// reextractDocument is done once for a key: it is told of each time.
func reextractDocument(req *request) error {
	o, err := idempotencyKey(req.r, nil)
	if err != nil {
		return err
	}
	return documentAction(func(t *tracking.Tracker, ctx context.Context, id tracking.ID) error {
		return t.ReextractDocumentOnce(ctx, id, o)
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
	if err := req.t.RotateDocumentOnce(req.ctx(), req.pathID(), int(max(-1, min(degrees.Value, 1<<20))), in.once); err != nil {
		return err
	}
	req.respondJSON(http.StatusAccepted, acceptedJSON)
	return nil
}

// documentDownload answers with a link that needs no key, for a short while.
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

// documentSchema answers what fields are read from documents of a type.
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

// schemasSince is when the schemas of this program came to be: a Classifier does not
// say since when its own are.
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
