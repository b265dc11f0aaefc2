package client

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

const documentsPath = "/documents"

// Documents are those that the query selects, last created first unless it sorts.
func (c *Client) Documents(q tracking.DocumentQuery, include ...string) List[tracking.Document] {
	v := newValues(include)
	v.filterText("filename", q.FileName)
	v.filterList("reference", q.References)
	v.filterList("document_types", q.Types)
	v.sort(q.Sort)
	return listOf[tracking.Document](c, documentsPath, v)
}

// Document returns a document: "last_document_representation" includes what was read
// from it, a tracking.DocumentRepresentation, "shipments" and "cargos" what it is
// about. An e-mail that is included is shortened: it has no Body. Errors: NotFound;
// BadQuery on include.
func (c *Client) Document(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.Document], error) {
	return getAnswer[tracking.Document](ctx, c, get(documentsPath, id, include))
}

// CreateDocument makes a document of an upload that n.Attached names, or of
// n.Content, which it uploads first; it is read in the background. Of n.Once the key
// alone is used, and stands for all requests that it takes.
//
// Errors: Invalid on name (blank, too_long, invalid) and attached_document (blank,
// invalid, expired, taken, not_uploaded), and as CreateUpload. Conflict with the code
// duplicate_document, and existing_document_id and existing_document_name in Meta,
// when the account has a document of the same bytes and does not want two.
func (c *Client) CreateDocument(ctx context.Context, n tracking.NewDocument) (*tracking.Document, error) {
	if n.Attached == "" && len(n.Content) > 0 {
		signed, err := c.upload(ctx, n)
		if err != nil {
			return nil, err
		}
		n.Attached = signed
	}
	body := resource{Type: "document", Attributes: attributes{"name": n.Name, "attached_document": n.Attached}}
	return getRecord[tracking.Document](ctx, c, post(documentsPath, body, n.Once))
}

// upload hands in the bytes of a document to be, and returns their signed ID. By the
// same Once it is the same ID, so that the document may be asked for again.
func (c *Client) upload(ctx context.Context, n tracking.NewDocument) (string, error) {
	u := UploadOf(cmp.Or(n.FileName, n.Name), n.ContentType, n.Content)
	if n.Once.Key != "" {
		u.Once.Key = uuid.NewSHA1(uuid.NameSpaceURL, []byte(uploadsPath+"#"+n.Once.Key)).String()
	}
	ticket, err := c.CreateUpload(ctx, u)
	if err != nil {
		return "", err
	}
	return ticket.SignedID, c.SendUpload(ctx, ticket, n.Content)
}

// UpdateDocument changes what people say of a document. Another type has its fields
// read anew, other data has it linked anew. Errors: NotFound; Stale; Invalid on
// document_type_manual (inclusion) and extracted_data_manual (invalid_type, too_long).
func (c *Client) UpdateDocument(ctx context.Context, id tracking.ID, u tracking.DocumentUpdate) (*tracking.Document, error) {
	a := attributes{}
	setOpt(a, "document_type_manual", u.TypeManual)
	setOpt(a, "extracted_data_manual", u.DataManual)
	body := resource{Type: "document", ID: id.String(), Attributes: a}
	return getRecord[tracking.Document](ctx, c, patch(documentsPath, id, body, u.IfVersion))
}

// DeleteDocument hides a document for good. Errors: NotFound.
func (c *Client) DeleteDocument(ctx context.Context, id tracking.ID) error {
	_, err := c.do(ctx, remove(documentsPath, id))
	return err
}

// ReextractDocument has the fields of a document read again, in the background.
// Errors: NotFound.
func (c *Client) ReextractDocument(ctx context.Context, id tracking.ID) error {
	return c.documentAction(ctx, id, "reextract")
}

// ReclassifyDocument has the type of a document told again, in the background, and
// its fields read again when it is another. Errors: NotFound.
func (c *Client) ReclassifyDocument(ctx context.Context, id tracking.ID) error {
	return c.documentAction(ctx, id, "reclassify")
}

// RelinkDocument has the shipments and boxes of a document looked for again, in the
// background. Errors: NotFound.
func (c *Client) RelinkDocument(ctx context.Context, id tracking.ID) error {
	return c.documentAction(ctx, id, "relink")
}

func (c *Client) documentAction(ctx context.Context, id tracking.ID, what string) error {
	_, err := c.do(ctx, request{method: http.MethodPost, path: recordPath(documentsPath, id, what), idempotent: true})
	return err
}

// RotateDocument has a picture (PNG or JPEG) turned clockwise by 90, 180 or 270
// degrees, in the background. It is not sent again when its answer is lost: the
// picture would be turned twice. Errors: NotFound; Invalid on degrees (inclusion), and
// with the code not_an_image for files of other types.
func (c *Client) RotateDocument(ctx context.Context, id tracking.ID, degrees int) error {
	_, err := c.do(ctx, request{method: http.MethodPost, path: recordPath(documentsPath, id, "rotate"), body: attributes{"degrees": degrees}, notRepeatable: true})
	return err
}

// DocumentTypes returns the types that documents can have, in the order in which they
// are shown: of each its code and label.
func (c *Client) DocumentTypes(ctx context.Context) ([]tracking.DocumentType, error) {
	answer, err := getObject[struct {
		Types []tracking.DocumentType `json:"document_types"`
	}](ctx, c, request{method: http.MethodGet, path: documentsPath + "/types"})
	return answer.Types, err
}

// DocumentSchema returns the type that a name such as "arrival_notice@1.0" stands for,
// whose Schema says which fields are read from it. Errors: NotFound.
func (c *Client) DocumentSchema(ctx context.Context, name string) (*tracking.DocumentType, error) {
	answer, err := getObject[struct {
		Data struct {
			Attributes struct {
				Code        string `json:"document_type"`
				Label       string
				Version     string `json:"schema_version"`
				Description string
				Schema      json.RawMessage `json:"schema_payload"`
			}
		}
	}](ctx, c, getByName("/document_schemas", name, nil))
	if err != nil {
		return nil, err
	}
	a := answer.Data.Attributes
	return &tracking.DocumentType{Code: a.Code, Label: a.Label, Version: a.Version, Description: a.Description, Schema: a.Schema}, nil
}
