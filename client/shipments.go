package client

import (
	"context"
	"time"

	"github.com/landfallhq/tracking"
)

const shipmentsPath = "/shipments"

// Shipments are those that the query selects, last created first unless it sorts.
func (c *Client) Shipments(q tracking.ShipmentQuery, include ...string) List[tracking.Shipment] {
	v := newValues(include)
	v.param("number", q.Number)
	v.param("q", q.Search)
	v.filterTri("tracking_stopped", q.Stopped)
	v.filterTracked(&q.TrackedQuery)
	return listOf[tracking.Shipment](c, shipmentsPath, v)
}

// Shipment returns a shipment. Errors: NotFound; BadQuery on include.
func (c *Client) Shipment(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.Shipment], error) {
	return getAnswer[tracking.Shipment](ctx, c, get(shipmentsPath, id, include))
}

// ShipmentAsOf returns a shipment as it was at the end of a second, from the facts
// that were known by then. Errors: NotFound, also before it existed; Invalid on
// as_of for a time to come.
func (c *Client) ShipmentAsOf(ctx context.Context, id tracking.ID, when time.Time, include ...string) (Answer[tracking.Shipment], error) {
	return getAnswer[tracking.Shipment](ctx, c, asOf(get(shipmentsPath, id, include), when))
}

// ETARevisions are what was estimated of a shipment, the last first; of the
// attributes, where any are given. Errors: NotFound; BadQuery on include.
func (c *Client) ETARevisions(shipment tracking.ID, of []tracking.RevisedAttribute, include ...string) List[tracking.Revision] {
	return c.revisions(recordPath(shipmentsPath, shipment, "eta_revisions"), of, include)
}

// UpdateShipment changes a shipment. Errors: NotFound; Stale; Invalid on
// ref_numbers, tags and relationships/customer.
func (c *Client) UpdateShipment(ctx context.Context, id tracking.ID, u tracking.ShipmentUpdate) (*tracking.Shipment, error) {
	a := attributes{}
	setOptList(a, "ref_numbers", u.RefNumbers)
	setOptList(a, "tags", u.Tags)
	body := resource{Type: "shipment", ID: id.String(), Attributes: a, Relationships: customer(u.Customer)}
	return getRecord[tracking.Shipment](ctx, c, patch(shipmentsPath, id, body, u.IfVersion))
}

// StopTracking pauses refreshes and notifications of a shipment. Errors: NotFound.
func (c *Client) StopTracking(ctx context.Context, id tracking.ID) (*tracking.Shipment, error) {
	return getRecord[tracking.Shipment](ctx, c, action(shipmentsPath, id, "stop_tracking"))
}

// ResumeTracking goes on with them. Errors: NotFound.
func (c *Client) ResumeTracking(ctx context.Context, id tracking.ID) (*tracking.Shipment, error) {
	return getRecord[tracking.Shipment](ctx, c, action(shipmentsPath, id, "resume_tracking"))
}
