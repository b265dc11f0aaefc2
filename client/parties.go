package client

import (
	"context"

	"github.com/landfallhq/tracking"
)

const partiesPath = "/parties"

// Parties are all parties, last created first.
func (c *Client) Parties() List[tracking.Party] {
	return listOf[tracking.Party](c, partiesPath, newValues(nil))
}

// Party returns a party. Errors: NotFound.
func (c *Client) Party(ctx context.Context, id tracking.ID) (*tracking.Party, error) {
	return getRecord[tracking.Party](ctx, c, get(partiesPath, id, nil))
}

// CreateParty adds a party. Of n.Once the key alone is used. Errors: Invalid on
// company_name (blank, too_long) and customer (taken).
func (c *Client) CreateParty(ctx context.Context, n tracking.NewParty) (*tracking.Party, error) {
	return getRecord[tracking.Party](ctx, c, post(partiesPath, resource{Type: "party", Attributes: attributes{"company_name": n.CompanyName}}, n.Once))
}

// UpdateParty changes a party. Errors: NotFound; Stale; Invalid as CreateParty.
func (c *Client) UpdateParty(ctx context.Context, id tracking.ID, u tracking.PartyUpdate) (*tracking.Party, error) {
	a := attributes{}
	setOpt(a, "company_name", u.CompanyName)
	return getRecord[tracking.Party](ctx, c, patch(partiesPath, id, resource{Type: "party", ID: id.String(), Attributes: a}, u.IfVersion))
}
