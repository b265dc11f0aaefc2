package client

import (
	"context"
	"net/http"
	"strconv"

	"github.com/landfallhq/tracking"
)

const (
	portsPath         = "/ports"
	terminalsPath     = "/terminals"
	shippingLinesPath = "/shipping_lines"
)

// Ports lists ports: those of the reference data by code, then places known only from
// the facts of the account.
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

// MetroArea returns a metro area by its ID or UN/LOCODE. Errors: NotFound.
func (c *Client) MetroArea(ctx context.Context, name string) (*tracking.MetroArea, error) {
	return getRecord[tracking.MetroArea](ctx, c, getByName("/metro_areas", name, nil))
}

// Terminals lists terminals by name: those of the operator, then those known only
// from the facts of the account.
func (c *Client) Terminals(q tracking.TerminalQuery, include ...string) List[tracking.Terminal] {
	v := newValues(include)
	v.filterList("code", q.Codes)
	v.filterText("name", q.Name)
	v.filterIDs("port", q.Ports)
	return listOf[tracking.Terminal](c, terminalsPath, v)
}

// Terminal returns a terminal; include "port" for its port. Errors: NotFound;
// BadQuery on include.
func (c *Client) Terminal(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.Terminal], error) {
	return getAnswer[tracking.Terminal](ctx, c, get(terminalsPath, id, include))
}

// ShippingLines lists the lines of the query, on one page.
func (c *Client) ShippingLines(q tracking.ShippingLineQuery) List[tracking.ShippingLine] {
	v := newValues(nil)
	v.param("search", q.Search)
	l := listOf[tracking.ShippingLine](c, shippingLinesPath, v)
	l.unpaged = true
	return l
}

// ShippingLine returns a line by its ID or one of its SCACs. Errors: NotFound.
func (c *Client) ShippingLine(ctx context.Context, name string) (*tracking.ShippingLine, error) {
	return getRecord[tracking.ShippingLine](ctx, c, getByName(shippingLinesPath, name, nil))
}

// User returns a user of the account. Errors: NotFound.
func (c *Client) User(ctx context.Context, id tracking.ID) (*tracking.User, error) {
	return getRecord[tracking.User](ctx, c, get("/users", id, nil))
}

const vesselsPath = "/vessels"

// Vessels lists the vessels in the facts of the account, newest first.
func (c *Client) Vessels(q tracking.VesselQuery) List[tracking.Vessel] {
	v := newValues(nil)
	v.filterList("imo", q.IMOs)
	v.filterText("name", q.Name)
	return listOf[tracking.Vessel](c, vesselsPath, v)
}

// Vessel returns a vessel by its ID or IMO number. Errors: NotFound.
func (c *Client) Vessel(ctx context.Context, name string) (*tracking.Vessel, error) {
	return getRecord[tracking.Vessel](ctx, c, getByName(vesselsPath, name, nil))
}

// VesselPositions returns the positions of a vessel, named by ID or IMO number, in a
// time range, oldest first. A zero To means now, a zero From seven days before To.
//
// Errors: Forbidden if the server has no source of positions; NotFound; Invalid on
// show_positions[from_timestamp] if the range ends before it begins or is longer than
// 366 days.
func (c *Client) VesselPositions(ctx context.Context, name string, span tracking.TimeRange) ([]tracking.Position, error) {
	r := getByName(vesselsPath, name, nil)
	r.query.Set("show_positions", "true")
	if !span.From.IsZero() {
		r.query.Set("show_positions[from_timestamp]", formatTime(span.From))
	}
	if !span.To.IsZero() {
		r.query.Set("show_positions[to_timestamp]", formatTime(span.To))
	}
	return c.positions(ctx, r)
}

// FuturePositions returns the expected positions of a vessel, named by ID or IMO
// number, on its way to a port, oldest first. here is its current position; nil means
// the previous port.
//
// Errors: Forbidden if the server has no source of positions; NotFound; Invalid on
// port_id, previous_port_id, latitude and longitude.
func (c *Client) FuturePositions(ctx context.Context, name string, port, previous tracking.ID, here *tracking.Point) ([]tracking.Position, error) {
	r := request{method: http.MethodGet, path: vesselsPath + pathStep(name) + "/future_positions", query: includeValues(nil)}
	r.query.Set("port_id", port.String())
	r.query.Set("previous_port_id", previous.String())
	if here != nil {
		r.path += "_with_coordinates"
		r.query.Set("latitude", strconv.FormatFloat(here.Latitude, 'f', -1, 64))
		r.query.Set("longitude", strconv.FormatFloat(here.Longitude, 'f', -1, 64))
	}
	return c.positions(ctx, r)
}

// positions returns the positions in a vessel response.
func (c *Client) positions(ctx context.Context, r request) ([]tracking.Position, error) {
	answer, err := getObject[struct {
		Data struct {
			Attributes struct{ Positions []tracking.Position }
		}
	}](ctx, c, r)
	return answer.Data.Attributes.Positions, err
}

const partiesPath = "/parties"

// Parties lists all parties, newest first.
func (c *Client) Parties() List[tracking.Party] {
	return listOf[tracking.Party](c, partiesPath, newValues(nil))
}

// Party returns a party. Errors: NotFound.
func (c *Client) Party(ctx context.Context, id tracking.ID) (*tracking.Party, error) {
	return getRecord[tracking.Party](ctx, c, get(partiesPath, id, nil))
}

// CreateParty creates a party. Errors: Invalid on
// company_name (blank, too_long) and customer (taken).
func (c *Client) CreateParty(ctx context.Context, n tracking.NewParty, once ...tracking.Once) (*tracking.Party, error) {
	return getRecord[tracking.Party](ctx, c, post(partiesPath, resource{Type: "party", Attributes: attributes{"company_name": n.CompanyName}}, once))
}

// UpdateParty updates a party. Errors: NotFound; Stale; Invalid as CreateParty.
func (c *Client) UpdateParty(ctx context.Context, id tracking.ID, u tracking.PartyUpdate) (*tracking.Party, error) {
	a := attributes{}
	setOpt(a, "company_name", u.CompanyName)
	return getRecord[tracking.Party](ctx, c, patch(partiesPath, id, resource{Type: "party", ID: id.String(), Attributes: a}, u.IfVersion))
}
