package client

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/landfallhq/tracking"
)

const (
	allCustomFieldsPath = "/custom_fields"
	customFieldType     = "custom_field"
)

// entityRoutes has the path and the resource type of each entity type.
var entityRoutes = map[tracking.EntityType]struct{ path, typ string }{
	tracking.ShipmentEntity:        {shipmentsPath, "shipment"},
	tracking.ContainerEntity:       {containersPath, "container"},
	tracking.TrackingRequestEntity: {trackingRequestsPath, "tracking_request"},
}

// customFieldsPath returns the path of the values of an entity, or of the value of
// one slug.
func customFieldsPath(e tracking.Entity, slug ...string) (string, error) {
	known, ok := entityRoutes[e.Type]
	if !ok {
		return "", fmt.Errorf("client: %q is no type of entity; there are %v", e.Type, tracking.Describe().EntityTypes)
	}
	path := recordPath(known.path, e.ID, "custom_fields")
	for _, s := range slug {
		path += pathStep(s)
	}
	return path, nil
}

// CustomFields lists values, newest first. Errors: NotFound for an Entity that does not
// exist.
func (c *Client) CustomFields(q tracking.CustomFieldQuery, include ...string) List[tracking.CustomField] {
	v := newValues(include)
	path := allCustomFieldsPath
	if q.Entity != (tracking.Entity{}) {
		path, v.err = customFieldsPath(q.Entity)
	}
	v.filterList("entity_type", stringsOf(q.EntityTypes))
	v.filterIDs("entity_id", q.Entities)
	v.filterIDs("definition_id", q.Definitions)
	return listOf[tracking.CustomField](c, path, v)
}

// CustomField returns a value; include "definition" and "entity" for these. Errors:
// NotFound; BadQuery on include.
func (c *Client) CustomField(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.CustomField], error) {
	return getAnswer[tracking.CustomField](ctx, c, get(allCustomFieldsPath, id, include))
}

// SetCustomField creates or changes a value of an entity.
//
// Errors: Invalid on relationships/entity (blank, not_found), api_slug (blank,
// not_found, entity_type_mismatch) and value (blank, required, and the codes of the
// data type in docs/customfields.md).
func (c *Client) SetCustomField(ctx context.Context, n tracking.NewCustomField, once ...tracking.Once) (*tracking.CustomField, error) {
	return getRecord[tracking.CustomField](ctx, c, post(allCustomFieldsPath, newCustomField(n), once))
}

func newCustomField(n tracking.NewCustomField) resource {
	a := attributes{"api_slug": n.APISlug}
	setJSON(a, "value", n.Value)
	return resource{Type: customFieldType, Attributes: a, Relationships: toOne("entity", entityRoutes[n.Entity.Type].typ, n.Entity.ID)}
}

// UpdateCustomField changes an existing value. Errors: NotFound; Stale; Invalid on
// value as SetCustomField.
func (c *Client) UpdateCustomField(ctx context.Context, id tracking.ID, u tracking.CustomFieldUpdate) (*tracking.CustomField, error) {
	return c.updateField(ctx, recordPath(allCustomFieldsPath, id), u)
}

// UpdateCustomFieldOf is UpdateCustomField for a value named by entity and slug.
func (c *Client) UpdateCustomFieldOf(ctx context.Context, e tracking.Entity, slug string, u tracking.CustomFieldUpdate) (*tracking.CustomField, error) {
	path, err := customFieldsPath(e, slug)
	if err != nil {
		return nil, err
	}
	return c.updateField(ctx, path, u)
}

func (c *Client) updateField(ctx context.Context, path string, u tracking.CustomFieldUpdate) (*tracking.CustomField, error) {
	a := attributes{}
	setJSON(a, "value", u.Value)
	body := dataDocument(resource{Type: customFieldType, Attributes: a})
	return getRecord[tracking.CustomField](ctx, c, request{method: http.MethodPatch, path: path, body: body, ifVersion: u.IfVersion})
}

// DeleteCustomField deletes a value and keeps its history. Errors: NotFound.
func (c *Client) DeleteCustomField(ctx context.Context, id tracking.ID) error {
	_, err := c.do(ctx, remove(allCustomFieldsPath, id))
	return err
}

// DeleteCustomFieldOf is DeleteCustomField for a value named by entity and slug.
func (c *Client) DeleteCustomFieldOf(ctx context.Context, e tracking.Entity, slug string) error {
	path, err := customFieldsPath(e, slug)
	if err != nil {
		return err
	}
	_, err = c.do(ctx, request{method: http.MethodDelete, path: path})
	return err
}

// CustomFieldHistory lists the changes of a value, newest first, even after its
// deletion. Errors: NotFound.
func (c *Client) CustomFieldHistory(id tracking.ID, include ...string) List[tracking.CustomFieldChange] {
	return listOf[tracking.CustomFieldChange](c, recordPath(allCustomFieldsPath, id, "history"), newValues(include))
}

const (
	definitionsPath = "/custom_field_definitions"
	definitionType  = "custom_field_definition"
)

// CustomFieldDefinitions lists definitions, newest first. The interface does not
// support q.Slugs.
func (c *Client) CustomFieldDefinitions(q tracking.CustomFieldDefinitionQuery) List[tracking.CustomFieldDefinition] {
	v := newValues(nil)
	if len(q.Slugs) > 0 {
		v.unsupported("a query by slugs")
	}
	v.filterList("entity_type", stringsOf(q.EntityTypes))
	v.filterList("data_type", stringsOf(q.DataTypes))
	v.filterText("display_name", q.DisplayName)
	return listOf[tracking.CustomFieldDefinition](c, definitionsPath, v)
}

// CustomFieldDefinition returns a definition. Errors: NotFound.
func (c *Client) CustomFieldDefinition(ctx context.Context, id tracking.ID) (*tracking.CustomFieldDefinition, error) {
	return getRecord[tracking.CustomFieldDefinition](ctx, c, get(definitionsPath, id, nil))
}

// CreateCustomFieldDefinition creates a definition.
//
// Errors: Invalid on entity_type and data_type (inclusion), api_slug (blank, invalid,
// too_long, taken), display_name and description (blank, too_long, invalid),
// reference_type (blank, inclusion, not_allowed), on validation, default_format and
// default_value and their members, and with the code too_many if the type already has
// 200.
func (c *Client) CreateCustomFieldDefinition(ctx context.Context, n tracking.NewCustomFieldDefinition, once ...tracking.Once) (*tracking.CustomFieldDefinition, error) {
	a := attributes{"entity_type": n.EntityType, "display_name": n.DisplayName, "data_type": n.DataType, "filterable": !n.NotFilterable}
	setNonEmpty(a, "api_slug", n.APISlug)
	setNonEmpty(a, "description", n.Description)
	setNonEmpty(a, "reference_type", n.ReferenceType)
	setNonEmpty(a, "default_format", n.DefaultFormat)
	setJSON(a, "validation", n.Validation)
	setJSON(a, "default_value", n.DefaultValue)
	return getRecord[tracking.CustomFieldDefinition](ctx, c, post(definitionsPath, resource{Type: definitionType, Attributes: a}, once))
}

// UpdateCustomFieldDefinition updates a definition. Errors: NotFound; Stale; Invalid
// as CreateCustomFieldDefinition, and with the code immutable for attributes that
// cannot change.
func (c *Client) UpdateCustomFieldDefinition(ctx context.Context, id tracking.ID, u tracking.CustomFieldDefinitionUpdate) (*tracking.CustomFieldDefinition, error) {
	a := attributes{}
	setOpt(a, "display_name", u.DisplayName)
	setOpt(a, "description", u.Description)
	setOpt(a, "validation", u.Validation)
	setOpt(a, "default_format", u.DefaultFormat)
	setOpt(a, "default_value", u.DefaultValue)
	setOpt(a, "entity_type", u.EntityType)
	setOpt(a, "api_slug", u.APISlug)
	setOpt(a, "data_type", u.DataType)
	setOpt(a, "reference_type", u.ReferenceType)
	setOpt(a, "filterable", u.Filterable)
	body := resource{Type: definitionType, ID: id.String(), Attributes: a}
	return getRecord[tracking.CustomFieldDefinition](ctx, c, patch(definitionsPath, id, body, u.IfVersion))
}

// DeleteCustomFieldDefinition deletes a definition with its values and their history.
// Errors: NotFound.
func (c *Client) DeleteCustomFieldDefinition(ctx context.Context, id tracking.ID) error {
	_, err := c.do(ctx, remove(definitionsPath, id))
	return err
}

const optionType = "custom_field_option"

func optionsPath(definition tracking.ID) string {
	return recordPath(definitionsPath, definition, "options")
}

// CustomFieldOptions lists the options of a definition by position. Errors: NotFound.
func (c *Client) CustomFieldOptions(definition tracking.ID) List[tracking.CustomFieldOption] {
	return listOf[tracking.CustomFieldOption](c, optionsPath(definition), newValues(nil))
}

// CustomFieldOption returns an option of a definition. Errors: NotFound.
func (c *Client) CustomFieldOption(ctx context.Context, definition, id tracking.ID) (*tracking.CustomFieldOption, error) {
	return getRecord[tracking.CustomFieldOption](ctx, c, get(optionsPath(definition), id, nil))
}

// CreateCustomFieldOption creates an option.
//
// Errors: NotFound; Invalid on label and value (blank, too_long, invalid; value also
// taken), position (out_of_range), relationships/definition (invalid) if the data
// type has no options, and with the code too_many if there are 500 already.
func (c *Client) CreateCustomFieldOption(ctx context.Context, definition tracking.ID, n tracking.NewCustomFieldOption, once ...tracking.Once) (*tracking.CustomFieldOption, error) {
	a := attributes{"label": n.Label, "value": n.Value}
	setOpt(a, "position", n.Position)
	return getRecord[tracking.CustomFieldOption](ctx, c, post(optionsPath(definition), resource{Type: optionType, Attributes: a}, once))
}

// UpdateCustomFieldOption updates the label or position of an option. Values show a
// new label after a while. Errors: as CreateCustomFieldOption; Stale; Invalid on
// value (immutable).
func (c *Client) UpdateCustomFieldOption(ctx context.Context, definition, id tracking.ID, u tracking.CustomFieldOptionUpdate) (*tracking.CustomFieldOption, error) {
	a := attributes{}
	setOpt(a, "label", u.Label)
	setOpt(a, "value", u.Value)
	setOpt(a, "position", u.Position)
	body := resource{Type: optionType, ID: id.String(), Attributes: a}
	return getRecord[tracking.CustomFieldOption](ctx, c, patch(optionsPath(definition), id, body, u.IfVersion))
}

// DeleteCustomFieldOption deletes an option. Values keep it. Errors: NotFound.
func (c *Client) DeleteCustomFieldOption(ctx context.Context, definition, id tracking.ID) error {
	_, err := c.do(ctx, remove(optionsPath(definition), id))
	return err
}

// SetCustomFields sets up to tracking.MaxBulkFields values and returns one result for
// each, in order. With b.Atomic, one invalid item fails the call and sets nothing.
//
// Errors: Invalid on data (blank, too_long). With b.Atomic, also the errors of
// SetCustomField, with pointers such as "/data/3/attributes/value".
func (c *Client) SetCustomFields(ctx context.Context, b tracking.BulkCustomFields, once ...tracking.Once) ([]tracking.BulkFieldResult, error) {
	items := make([]resource, len(b.Items))
	for i, n := range b.Items {
		items[i] = newCustomField(n)
	}
	body := struct {
		Atomic bool       `json:"atomic"`
		Data   []resource `json:"data"`
	}{b.Atomic, items}
	r := request{method: http.MethodPost, path: allCustomFieldsPath + "/bulk", body: body, key: keyOf(once)}
	answer, err := getObject[struct {
		Results []struct {
			Data   struct{ ID tracking.ID }
			Errors []Fault
		}
	}](ctx, c, r)
	if err != nil {
		return nil, err
	}
	if err := checkResultCount(r, len(items), len(answer.Results)); err != nil {
		return nil, err
	}
	results := make([]tracking.BulkFieldResult, len(answer.Results))
	for i, r := range answer.Results {
		results[i].ID = r.Data.ID
		for _, f := range r.Errors {
			results[i].Faults = append(results[i].Faults, itemError(f))
		}
	}
	return results, nil
}

// itemError converts the error of an item to an engine error: the pointer into the
// list becomes a field. Errors of items are always Invalid.
func itemError(f Fault) *tracking.Error {
	field := f.Pointer
	for range 2 { // "/data" and the number of the item
		_, field, _ = strings.Cut(strings.TrimPrefix(field, "/"), "/")
	}
	field = strings.TrimPrefix(field, "attributes/")
	detail := strings.TrimPrefix(f.Detail, field+": ") // the server says it where a detail does not
	return &tracking.Error{Kind: tracking.Invalid, Field: field, Code: f.Code, Detail: detail, Meta: f.Meta}
}
