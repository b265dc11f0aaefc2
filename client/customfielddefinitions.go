package client

import (
	"context"

	"github.com/landfallhq/tracking"
)

const (
	definitionsPath = "/custom_field_definitions"
	definitionType  = "custom_field_definition"
)

// CustomFieldDefinitions are those that the query selects, last created first. Its
// Slugs are not of the interface.
func (c *Client) CustomFieldDefinitions(q tracking.CustomFieldDefinitionQuery) List[tracking.CustomFieldDefinition] {
	v := newValues(nil)
	if len(q.Slugs) > 0 {
		v.unsupported("for definitions by their slugs")
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

// CreateCustomFieldDefinition adds a field to the entities of a type. Of n.Once the
// key alone is used.
//
// Errors: Invalid on entity_type and data_type (inclusion), api_slug (blank,
// invalid, too_long, taken), display_name and description (blank, too_long,
// invalid), reference_type (blank, inclusion, not_allowed), on validation,
// default_format and default_value and their members, and with the code too_many
// when the type has 200.
func (c *Client) CreateCustomFieldDefinition(ctx context.Context, n tracking.NewCustomFieldDefinition) (*tracking.CustomFieldDefinition, error) {
	a := attributes{"entity_type": n.EntityType, "display_name": n.DisplayName, "data_type": n.DataType, "filterable": !n.NotFilterable}
	setNonEmpty(a, "api_slug", n.APISlug)
	setNonEmpty(a, "description", n.Description)
	setNonEmpty(a, "reference_type", n.ReferenceType)
	setNonEmpty(a, "default_format", n.DefaultFormat)
	setJSON(a, "validation", n.Validation)
	setJSON(a, "default_value", n.DefaultValue)
	return getRecord[tracking.CustomFieldDefinition](ctx, c, post(definitionsPath, resource{Type: definitionType, Attributes: a}, n.Once))
}

// UpdateCustomFieldDefinition changes a definition. Errors: NotFound; Stale;
// Invalid as CreateCustomFieldDefinition, and with the code immutable on what never
// changes.
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

// DeleteCustomFieldDefinition removes a definition, and its values and their
// history with it. Errors: NotFound.
func (c *Client) DeleteCustomFieldDefinition(ctx context.Context, id tracking.ID) error {
	_, err := c.do(ctx, remove(definitionsPath, id))
	return err
}
