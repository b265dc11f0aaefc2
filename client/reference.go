package client

import (
	"context"

	"github.com/landfallhq/tracking"
)

// Port returns a port by its ID or UN/LOCODE.
func (c *Client) Port(ctx context.Context, name string) (*tracking.Port, error) {
	return one[tracking.Port](ctx, c, named("/ports", name, nil))
}

// Terminal returns a terminal, and its port where include has "port".
func (c *Client) Terminal(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.Terminal], error) {
	return single[tracking.Terminal](ctx, c, get("/terminals", id, include))
}

// Vessel returns a vessel by its ID or IMO number.
func (c *Client) Vessel(ctx context.Context, name string) (*tracking.VesselRecord, error) {
	return one[tracking.VesselRecord](ctx, c, named("/vessels", name, nil))
}

// ShippingLines are all lines, as one page.
func (c *Client) ShippingLines() List[tracking.ShippingLine] {
	l := listOf[tracking.ShippingLine](c, "/shipping_lines", newValues(nil))
	l.unpaged = true
	return l
}

// ShippingLine returns a line by its ID or one of its SCACs.
func (c *Client) ShippingLine(ctx context.Context, name string) (*tracking.ShippingLine, error) {
	return one[tracking.ShippingLine](ctx, c, named("/shipping_lines", name, nil))
}
