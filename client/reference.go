package client

import (
	"context"

	"github.com/landfallhq/tracking"
)

const (
	portsPath         = "/ports"
	terminalsPath     = "/terminals"
	shippingLinesPath = "/shipping_lines"
)

// Ports are those that the query selects: those of the reference data, by code,
// and after them the places that only the account's facts have named.
func (c *Client) Ports(q tracking.PortQuery) List[tracking.Port] {
	v := newValues(nil)
	v.filterList("code", q.Codes)
	v.filterList("country_code", q.Countries)
	v.filterText("name", q.Name)
	return listOf[tracking.Port](c, portsPath, v)
}

// Port returns a port by its ID or UN/LOCODE. Errors: NotFound.
func (c *Client) Port(ctx context.Context, name string) (*tracking.Port, error) {
	return getRecord[tracking.Port](ctx, c, getByName(portsPath, name, nil))
}

// MetroArea returns the area around a place by its ID or UN/LOCODE. Errors:
// NotFound.
func (c *Client) MetroArea(ctx context.Context, name string) (*tracking.MetroArea, error) {
	return getRecord[tracking.MetroArea](ctx, c, getByName("/metro_areas", name, nil))
}

// Terminals are those that the query selects, by name; after those of the operator
// stand those that only the account's facts have named.
func (c *Client) Terminals(q tracking.TerminalQuery, include ...string) List[tracking.Terminal] {
	v := newValues(include)
	v.filterList("code", q.Codes)
	v.filterText("name", q.Name)
	v.filterIDs("port", q.Ports)
	return listOf[tracking.Terminal](c, terminalsPath, v)
}

// Terminal returns a terminal, and its port where include has "port". Errors:
// NotFound; BadQuery on include.
func (c *Client) Terminal(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.Terminal], error) {
	return getAnswer[tracking.Terminal](ctx, c, get(terminalsPath, id, include))
}

// ShippingLines are all lines, as one page.
func (c *Client) ShippingLines() List[tracking.ShippingLine] {
	l := listOf[tracking.ShippingLine](c, shippingLinesPath, newValues(nil))
	l.unpaged = true
	return l
}

// ShippingLine returns a line by its ID or one of its SCACs. Errors: NotFound.
func (c *Client) ShippingLine(ctx context.Context, name string) (*tracking.ShippingLine, error) {
	return getRecord[tracking.ShippingLine](ctx, c, getByName(shippingLinesPath, name, nil))
}
