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

var takesDocuments = jsonapi.Accept{
	Page: true, Include: true, Filters: []string{"filename", "reference", "document_types"}, Sorts: []string{"document_type", "added_by", "created_at"},
}

// documentAccount is what answers to writes include.
var documentAccount = []string{"account"}

func documentQuery(f *filters) tracking.Query {
	return tracking.DocumentQuery{
		FileName: strings.Join(f.text("filename"), " "), References: f.text("reference"), Types: f.text("document_types"), Sort: f.sort(),
	}
}

// createDocument answers with what is included with a new document.
func createDocument(c *call) error {
	in, err := c.resource()
	if err != nil {
		return err
	}
	in.Type("document")
	n := tracking.NewDocument{Name: in.String("name").Value, Attached: in.String("attached_document").Value, Once: in.once}
	if err := in.Err(); err != nil {
		return err
	}
	made, err := c.t.CreateDocument(c.ctx(), n)
	if err != nil {
		return err
	}
	c.w.Header().Set("Location", c.selves["document"]+made.ID.String())
	return c.writtenWith(http.StatusCreated, "document", made.ID)
}

func updateDocument(c *call) error {
	in, err := c.resource()
	if err != nil {
		return err
	}
	in.Type("document")
	id := c.pathID()
	if err := in.meant(id); err != nil {
		return err
	}
	u := tracking.DocumentUpdate{TypeManual: opt(in.String("document_type_manual")), IfVersion: in.ifVersion}
	if data := in.Raw("extracted_data_manual"); data.Set {
		u.DataManual = tracking.Set(json.RawMessage(slices.Clone(data.Value)))
	}
	if err := in.Err(); err != nil {
		return err
	}
	if _, err := c.t.UpdateDocument(c.ctx(), id, u); err != nil {
		return err
	}
	return c.writtenWith(http.StatusOK, "document", id)
}

// deleteDocument answers 204 (see docs/contract.md#writing).
func deleteDocument(c *call) error {
	id, err := c.acted("document")
	if err != nil {
		return err
	}
	if err := c.t.DeleteDocument(c.ctx(), id); err != nil {
		return err
	}
	c.nothing()
	return nil
}

// actOnDocument has something done with a document by and by.
func actOnDocument(apply func(*tracking.Tracker, context.Context, tracking.ID) error) func(*call) error {
	return func(c *call) error {
		id, err := c.acted("document")
		if err != nil {
			return err
		}
		if err := apply(c.t, c.ctx(), id); err != nil {
			return err
		}
		c.answerJSON(http.StatusAccepted, accepted)
		return nil
	}
}

const accepted = `{"status":"accepted"}`

// reextractDocument is done once for a key: it is told of each time.
func reextractDocument(c *call) error {
	o, err := once(c.r, nil)
	if err != nil {
		return err
	}
	return actOnDocument(func(t *tracking.Tracker, ctx context.Context, id tracking.ID) error {
		return t.ReextractDocumentOnce(ctx, id, o)
	})(c)
}

func rotateDocument(c *call) error {
	in, err := c.members("document")
	if err != nil {
		return err
	}
	degrees := in.Int("degrees")
	if err := in.Err(); err != nil {
		return err
	}
	if err := c.t.RotateDocumentOnce(c.ctx(), c.pathID(), int(max(-1, min(degrees.Value, 1<<20))), in.once); err != nil {
		return err
	}
	c.answerJSON(http.StatusAccepted, accepted)
	return nil
}

// documentDownload answers with a link that needs no key, for a short while.
func documentDownload(c *call) error {
	if _, err := c.query(); err != nil {
		return err
	}
	signed, err := c.t.DocumentDownload(c.ctx(), c.pathID())
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]string{"download_url": c.blobURL(signed)})
	if err != nil {
		return err
	}
	c.answer(http.StatusOK, body)
	return nil
}

func documentTypes(c *call) error {
	if _, err := c.query(); err != nil {
		return err
	}
	types, err := c.t.DocumentTypes(c.ctx())
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
	c.answer(http.StatusOK, body)
	return nil
}

// documentSchema answers what fields are read from documents of a type.
func documentSchema(c *call) error {
	if _, err := c.query(); err != nil {
		return err
	}
	name := c.r.PathValue("id")
	typ, err := c.t.DocumentSchema(c.ctx(), name)
	if errors.Is(err, tracking.ErrNotFound) {
		return &tracking.Error{Kind: tracking.NotFound, Detail: "Couldn't find DocumentSchema with 'id'=" + strings.ToValidUTF8(name, "?")}
	}
	if err != nil {
		return err
	}
	doc, err := json.Marshal(schemaOf(typ))
	if err != nil {
		return err
	}
	c.single(http.StatusOK, tracking.Selection{Rows: []*tracking.Resource{{Type: schemaType, Doc: doc}}}, false)
	return nil
}

const schemaType = "document_schema"

// schemasSince is when the schemas of this program came to be: a Classifier does not
// say since when its own are.
const schemasSince = "2026-11-22T00:00:00Z"

type schemaDoc struct {
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

func schemaOf(typ *tracking.DocumentType) *schemaDoc {
	doc := &schemaDoc{ID: typ.Code + "@" + typ.Version, Type: schemaType}
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
