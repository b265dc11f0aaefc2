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
		v.unable("for definitions by their slugs")
	}
	v.any("entity_type", texts(q.EntityTypes))
	v.any("data_type", texts(q.DataTypes))
	v.text("display_name", q.DisplayName)
	return listOf[tracking.CustomFieldDefinition](c, definitionsPath, v)
}

// CustomFieldDefinition returns a definition. Errors: NotFound.
func (c *Client) CustomFieldDefinition(ctx context.Context, id tracking.ID) (*tracking.CustomFieldDefinition, error) {
	return one[tracking.CustomFieldDefinition](ctx, c, get(definitionsPath, id, nil))
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
	give(a, "api_slug", n.APISlug)
	give(a, "description", n.Description)
	give(a, "reference_type", n.ReferenceType)
	give(a, "default_format", n.DefaultFormat)
	giveJSON(a, "validation", n.Validation)
	giveJSON(a, "default_value", n.DefaultValue)
	return one[tracking.CustomFieldDefinition](ctx, c, post(definitionsPath, resource{Type: definitionType, Attributes: a}, n.Once))
}

// UpdateCustomFieldDefinition changes a definition. Errors: NotFound; Stale;
// Invalid as CreateCustomFieldDefinition, and with the code immutable on what never
// changes.
func (c *Client) UpdateCustomFieldDefinition(ctx context.Context, id tracking.ID, u tracking.CustomFieldDefinitionUpdate) (*tracking.CustomFieldDefinition, error) {
	a := attributes{}
	set(a, "display_name", u.DisplayName)
	set(a, "description", u.Description)
	set(a, "validation", u.Validation)
	set(a, "default_format", u.DefaultFormat)
	set(a, "default_value", u.DefaultValue)
	set(a, "entity_type", u.EntityType)
	set(a, "api_slug", u.APISlug)
	set(a, "data_type", u.DataType)
	set(a, "reference_type", u.ReferenceType)
	set(a, "filterable", u.Filterable)
	body := resource{Type: definitionType, ID: id.String(), Attributes: a}
	return one[tracking.CustomFieldDefinition](ctx, c, patch(definitionsPath, id, body, u.IfVersion))
}

// DeleteCustomFieldDefinition removes a definition, and its values and their
// history with it. Errors: NotFound.
func (c *Client) DeleteCustomFieldDefinition(ctx context.Context, id tracking.ID) error {
	_, err := c.do(ctx, remove(definitionsPath, id))
	return err
}
