package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/landfallhq/tracking"
)

const (
	allCustomFieldsPath = "/custom_fields"
	customFieldType     = "custom_field"
)

// entityRoutes are where the entities are that have custom fields, and their types in
// bodies.
var entityRoutes = map[tracking.EntityType]struct{ path, typ string }{
	tracking.ShipmentEntity:        {shipmentsPath, "shipment"},
	tracking.ContainerEntity:       {containersPath, "container"},
	tracking.TrackingRequestEntity: {trackingRequestsPath, "tracking_request"},
}

// customFieldsPath is where the values of an entity are, or that of the slug.
func customFieldsPath(e tracking.Entity, slug ...string) (string, error) {
	known, ok := entityRoutes[e.Type]
	if !ok {
		return "", fmt.Errorf("client: %q is no type of entity; there are %v", e.Type, tracking.EntityTypes())
	}
	path := recordPath(known.path, e.ID, "custom_fields")
	for _, s := range slug {
		path += pathStep(s)
	}
	return path, nil
}

// CustomFields are the values that the query selects, last created first.
func (c *Client) CustomFields(q tracking.CustomFieldQuery, include ...string) List[tracking.CustomField] {
	v := newValues(include)
	v.filterList("entity_type", stringsOf(q.EntityTypes))
	v.filterIDs("entity_id", q.Entities)
	v.filterIDs("definition_id", q.Definitions)
	return listOf[tracking.CustomField](c, allCustomFieldsPath, v)
}

// CustomFieldsOf are the values of one entity. Errors: NotFound.
func (c *Client) CustomFieldsOf(e tracking.Entity, include ...string) List[tracking.CustomField] {
	v := newValues(include)
	path, err := customFieldsPath(e)
	v.err = err
	return listOf[tracking.CustomField](c, path, v)
}

// CustomField returns a value, and its definition and entity where include has
// "definition" and "entity". Errors: NotFound; BadQuery on include.
func (c *Client) CustomField(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.CustomField], error) {
	return getAnswer[tracking.CustomField](ctx, c, get(allCustomFieldsPath, id, include))
}

// SetCustomField sets a value of an entity, whether it was there or not. Of n.Once
// the key alone is used.
//
// Errors: Invalid on relationships/entity (blank, not_found), api_slug (blank,
// not_found, entity_type_mismatch) and value (blank, required, and what
// docs/customfields.md has for the data type).
func (c *Client) SetCustomField(ctx context.Context, n tracking.NewCustomField) (*tracking.CustomField, error) {
	return getRecord[tracking.CustomField](ctx, c, post(allCustomFieldsPath, newCustomField(n), n.Once))
}

// newCustomField is a value of an entity as bodies have it.
func newCustomField(n tracking.NewCustomField) resource {
	a := attributes{"api_slug": n.APISlug}
	setJSON(a, "value", n.Value)
	return resource{Type: customFieldType, Attributes: a, Relationships: toOne("entity", entityRoutes[n.Entity.Type].typ, n.Entity.ID)}
}

// UpdateCustomField changes a value that is there. Errors: NotFound; Stale; Invalid
// on value as SetCustomField.
func (c *Client) UpdateCustomField(ctx context.Context, id tracking.ID, u tracking.CustomFieldUpdate) (*tracking.CustomField, error) {
	return c.updateField(ctx, recordPath(allCustomFieldsPath, id), u)
}

// UpdateCustomFieldOf is UpdateCustomField for the value that an entity has under a
// slug.
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

// DeleteCustomField takes a value away; its history stays. Errors: NotFound.
func (c *Client) DeleteCustomField(ctx context.Context, id tracking.ID) error {
	_, err := c.do(ctx, remove(allCustomFieldsPath, id))
	return err
}

// DeleteCustomFieldOf is DeleteCustomField for the value that an entity has under a
// slug.
func (c *Client) DeleteCustomFieldOf(ctx context.Context, e tracking.Entity, slug string) error {
	path, err := customFieldsPath(e, slug)
	if err != nil {
		return err
	}
	_, err = c.do(ctx, request{method: http.MethodDelete, path: path})
	return err
}

// CustomFieldHistory are the changes of a value, the last first; those of a deleted
// one too. Errors: NotFound.
func (c *Client) CustomFieldHistory(id tracking.ID, include ...string) List[tracking.CustomFieldChange] {
	return listOf[tracking.CustomFieldChange](c, recordPath(allCustomFieldsPath, id, "history"), newValues(include))
}
