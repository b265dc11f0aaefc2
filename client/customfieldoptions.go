package client

import (
	"context"

	"github.com/landfallhq/tracking"
)

const optionType = "custom_field_option"

// optionsPath is where the options of a definition are.
func optionsPath(definition tracking.ID) string {
	return recordPath(definitionsPath, definition, "options")
}

// CustomFieldOptions are the options of a definition, in their order. Errors:
// NotFound.
func (c *Client) CustomFieldOptions(definition tracking.ID) List[tracking.CustomFieldOption] {
	return listOf[tracking.CustomFieldOption](c, optionsPath(definition), newValues(nil))
}

// CustomFieldOption returns an option of a definition. Errors: NotFound.
func (c *Client) CustomFieldOption(ctx context.Context, definition, id tracking.ID) (*tracking.CustomFieldOption, error) {
	return getRecord[tracking.CustomFieldOption](ctx, c, get(optionsPath(definition), id, nil))
}

// CreateCustomFieldOption adds an option to a definition. Of n.Once the key alone
// is used.
//
// Errors: NotFound; Invalid on label and value (blank, too_long, invalid; value also
// taken), position (out_of_range), relationships/definition (invalid) where the data
// type has no options, and with the code too_many when there are 500.
func (c *Client) CreateCustomFieldOption(ctx context.Context, definition tracking.ID, n tracking.NewCustomFieldOption) (*tracking.CustomFieldOption, error) {
	a := attributes{"label": n.Label, "value": n.Value}
	setOpt(a, "position", n.Position)
	return getRecord[tracking.CustomFieldOption](ctx, c, post(optionsPath(definition), resource{Type: optionType, Attributes: a}, n.Once))
}

// UpdateCustomFieldOption changes the label or position of an option. Values show
// a new label by and by. Errors: as CreateCustomFieldOption; Stale; Invalid on value
// (immutable).
func (c *Client) UpdateCustomFieldOption(ctx context.Context, definition, id tracking.ID, u tracking.CustomFieldOptionUpdate) (*tracking.CustomFieldOption, error) {
	a := attributes{}
	setOpt(a, "label", u.Label)
	setOpt(a, "value", u.Value)
	setOpt(a, "position", u.Position)
	body := resource{Type: optionType, ID: id.String(), Attributes: a}
	return getRecord[tracking.CustomFieldOption](ctx, c, patch(optionsPath(definition), id, body, u.IfVersion))
}

// DeleteCustomFieldOption removes an option. Values that have it keep it. Errors:
// NotFound.
func (c *Client) DeleteCustomFieldOption(ctx context.Context, definition, id tracking.ID) error {
	_, err := c.do(ctx, remove(optionsPath(definition), id))
	return err
}
