package client

import (
	"context"
	"net/http"
	"strconv"

	"github.com/landfallhq/tracking"
)

const vesselsPath = "/vessels"

// Vessels are those that the account's facts have named and the query selects, last
// named first.
func (c *Client) Vessels(q tracking.VesselQuery) List[tracking.VesselRecord] {
	v := newValues(nil)
	v.filterList("imo", q.IMOs)
	v.filterText("name", q.Name)
	return listOf[tracking.VesselRecord](c, vesselsPath, v)
}

// Vessel returns a vessel by its ID or IMO number. Errors: NotFound.
func (c *Client) Vessel(ctx context.Context, name string) (*tracking.VesselRecord, error) {
	return getRecord[tracking.VesselRecord](ctx, c, getByName(vesselsPath, name, nil))
}

// VesselPositions returns where a vessel, by its ID or IMO number, was in a span of
// time, oldest first. A zero To means now, a zero From seven days before it.
//
// Errors: Forbidden where the server knows no positions; NotFound; Invalid on
// show_positions[from_timestamp] when the span ends before it begins, or is longer
// than 366 days.
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

// FuturePositions returns where a vessel, by its ID or IMO number, is expected to be
// on its way to a port, oldest first. here is where it is now; nil stands for the
// previous port.
//
// Errors: Forbidden where the server knows no positions; NotFound; Invalid on
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

// positions reads them off the vessel that they come with.
func (c *Client) positions(ctx context.Context, r request) ([]tracking.Position, error) {
	answer, err := getObject[struct {
		Data struct {
			Attributes struct{ Positions []tracking.Position }
		}
	}](ctx, c, r)
	return answer.Data.Attributes.Positions, err
}
