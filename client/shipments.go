package client

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/landfallhq/tracking"
)

const shipmentsPath = "/shipments"

// Shipments are those that the query selects, last created first unless it sorts.
func (c *Client) Shipments(q tracking.ShipmentQuery, include ...string) List[tracking.Shipment] {
	v := newValues(include)
	v.param("number", q.Number)
	v.param("q", q.Search)
	v.tri("tracking_stopped", q.Stopped)
	v.tracked(&q.TrackedQuery)
	return listOf[tracking.Shipment](c, shipmentsPath, v)
}

// Shipment returns a shipment.
func (c *Client) Shipment(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.Shipment], error) {
	return single[tracking.Shipment](ctx, c, get(shipmentsPath, id, include))
}

// ShipmentAsOf returns a shipment as it was at the end of a second, from the facts
// that were known by then.
func (c *Client) ShipmentAsOf(ctx context.Context, id tracking.ID, at time.Time, include ...string) (Answer[tracking.Shipment], error) {
	return single[tracking.Shipment](ctx, c, asOf(get(shipmentsPath, id, include), at))
}

// ETARevisions are what was estimated of a shipment, the last first; of the
// attributes, where any are given.
func (c *Client) ETARevisions(shipment tracking.ID, of ...tracking.RevisedAttribute) List[tracking.Revision] {
	v := newValues(nil)
	v.any("attribute", texts(of))
	return listOf[tracking.Revision](c, shipmentsPath+member(shipment.String())+"/eta_revisions", v)
}

// UpdateShipment changes a shipment.
func (c *Client) UpdateShipment(ctx context.Context, id tracking.ID, u tracking.ShipmentUpdate) (*tracking.Shipment, error) {
	a := attributes{}
	setList(a, "ref_numbers", u.RefNumbers)
	setList(a, "tags", u.Tags)
	body := resource{Type: "shipment", ID: id.String(), Attributes: a, Relationships: customer(u.Customer)}
	return one[tracking.Shipment](ctx, c, patch(shipmentsPath, id, body, u.IfVersion))
}

// StopTracking pauses refreshes and notifications of a shipment.
func (c *Client) StopTracking(ctx context.Context, id tracking.ID) (*tracking.Shipment, error) {
	return one[tracking.Shipment](ctx, c, request{method: http.MethodPatch, path: shipmentsPath + member(id.String()) + "/stop_tracking"})
}

// ResumeTracking goes on with them.
func (c *Client) ResumeTracking(ctx context.Context, id tracking.ID) (*tracking.Shipment, error) {
	return one[tracking.Shipment](ctx, c, request{method: http.MethodPatch, path: shipmentsPath + member(id.String()) + "/resume_tracking"})
}

func get(path string, id tracking.ID, include []string) request {
	return request{method: http.MethodGet, path: path + member(id.String()), query: asked(include)}
}

// named is get by another name than the ID.
func named(path, name string, include []string) request {
	return request{method: http.MethodGet, path: path + member(name), query: asked(include)}
}

func patch(path string, id tracking.ID, body resource, ifVersion int64) request {
	return request{method: http.MethodPatch, path: path + member(id.String()), body: enclosed(body), ifVersion: ifVersion}
}

func post(path string, body resource, once tracking.Once) request {
	return request{method: http.MethodPost, path: path, body: enclosed(body), once: once}
}

func asOf(r request, at time.Time) request {
	if r.query == nil {
		r.query = url.Values{}
	}
	r.query.Set("as_of", at.UTC().Format(time.RFC3339Nano))
	return r
}
