package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/landfallhq/tracking"
)

const (
	fieldsPath = "/custom_fields"
	fieldType  = "custom_field"
)

// entities are where the entities are that have custom fields, and their types in
// bodies.
var entities = map[tracking.EntityType]struct{ path, typ string }{
	tracking.ShipmentEntity:        {shipmentsPath, "shipment"},
	tracking.ContainerEntity:       {containersPath, "container"},
	tracking.TrackingRequestEntity: {requestsPath, "tracking_request"},
}

// fieldsOf is where the values of an entity are, or that of the slug.
func fieldsOf(e tracking.Entity, slug ...string) (string, error) {
	known, ok := entities[e.Type]
	if !ok {
		return "", fmt.Errorf("client: %q is no type of entity; there are %v", e.Type, tracking.EntityTypes())
	}
	path := at(known.path, e.ID, "custom_fields")
	for _, s := range slug {
		path += member(s)
	}
	return path, nil
}

// CustomFields are the values that the query selects, last created first.
func (c *Client) CustomFields(q tracking.CustomFieldQuery, include ...string) List[tracking.CustomField] {
	v := newValues(include)
	v.any("entity_type", texts(q.EntityTypes))
	v.ids("entity_id", q.Entities)
	v.ids("definition_id", q.Definitions)
	return listOf[tracking.CustomField](c, fieldsPath, v)
}

// CustomFieldsOf are the values of one entity. Errors: NotFound.
func (c *Client) CustomFieldsOf(e tracking.Entity, include ...string) List[tracking.CustomField] {
	v := newValues(include)
	path, err := fieldsOf(e)
	v.err = err
	return listOf[tracking.CustomField](c, path, v)
}

// CustomField returns a value, and its definition and entity where include has
// "definition" and "entity". Errors: NotFound; BadQuery on include.
func (c *Client) CustomField(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.CustomField], error) {
	return single[tracking.CustomField](ctx, c, get(fieldsPath, id, include))
}

// SetCustomField sets a value of an entity, whether it was there or not. Of n.Once
// the key alone is used.
//
// Errors: Invalid on relationships/entity (blank, not_found), api_slug (blank,
// not_found, entity_type_mismatch) and value (blank, required, and what
// docs/customfields.md has for the data type).
func (c *Client) SetCustomField(ctx context.Context, n tracking.NewCustomField) (*tracking.CustomField, error) {
	return one[tracking.CustomField](ctx, c, post(fieldsPath, newField(n), n.Once))
}

// newField is a value of an entity as bodies have it.
func newField(n tracking.NewCustomField) resource {
	a := attributes{"api_slug": n.APISlug}
	giveJSON(a, "value", n.Value)
	return resource{Type: fieldType, Attributes: a, Relationships: to("entity", entities[n.Entity.Type].typ, n.Entity.ID)}
}

// UpdateCustomField changes a value that is there. Errors: NotFound; Stale; Invalid
// on value as SetCustomField.
func (c *Client) UpdateCustomField(ctx context.Context, id tracking.ID, u tracking.CustomFieldUpdate) (*tracking.CustomField, error) {
	return c.changeField(ctx, at(fieldsPath, id), u)
}

// UpdateCustomFieldOf is UpdateCustomField for the value that an entity has under a
// slug.
func (c *Client) UpdateCustomFieldOf(ctx context.Context, e tracking.Entity, slug string, u tracking.CustomFieldUpdate) (*tracking.CustomField, error) {
	path, err := fieldsOf(e, slug)
	if err != nil {
		return nil, err
	}
	return c.changeField(ctx, path, u)
}

func (c *Client) changeField(ctx context.Context, path string, u tracking.CustomFieldUpdate) (*tracking.CustomField, error) {
	a := attributes{}
	giveJSON(a, "value", u.Value)
	body := enclosed(resource{Type: fieldType, Attributes: a})
	return one[tracking.CustomField](ctx, c, request{method: http.MethodPatch, path: path, body: body, ifVersion: u.IfVersion})
}

// DeleteCustomField takes a value away; its history stays. Errors: NotFound.
func (c *Client) DeleteCustomField(ctx context.Context, id tracking.ID) error {
	_, err := c.do(ctx, remove(fieldsPath, id))
	return err
}

// DeleteCustomFieldOf is DeleteCustomField for the value that an entity has under a
// slug.
func (c *Client) DeleteCustomFieldOf(ctx context.Context, e tracking.Entity, slug string) error {
	path, err := fieldsOf(e, slug)
	if err != nil {
		return err
	}
	_, err = c.do(ctx, request{method: http.MethodDelete, path: path})
	return err
}

// CustomFieldHistory are the changes of a value, the last first; those of a deleted
// one too. Errors: NotFound.
func (c *Client) CustomFieldHistory(id tracking.ID, include ...string) List[tracking.CustomFieldChange] {
	return listOf[tracking.CustomFieldChange](c, at(fieldsPath, id, "history"), newValues(include))
}
