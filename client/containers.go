package client

import (
	"context"
	"time"

	"github.com/landfallhq/tracking"
)

const containersPath = "/containers"

// Containers are those that the query selects, last created first unless it sorts.
// Its Shipment and Removed are not of the interface: a shipment has its containers
// by include, and what was removed is on no list.
func (c *Client) Containers(q tracking.ContainerQuery, include ...string) List[tracking.Container] {
	v := newValues(include)
	if q.Shipment != (tracking.ID{}) || q.Removed == tracking.Yes {
		v.unsupported("for the containers of a shipment or for removed ones")
	}
	v.filterList("number", q.Numbers)
	v.filterList("status", stringsOf(q.Statuses))
	v.filterTimes("pickup_lfd", q.PickupLFD)
	v.filterTri("available_for_pickup", q.Available)
	v.filterTri("has_hold", q.HasHold)
	v.filterTracked(&q.TrackedQuery)
	return listOf[tracking.Container](c, containersPath, v)
}

// Container returns a container. Errors: NotFound; BadQuery on include.
func (c *Client) Container(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.Container], error) {
	return getAnswer[tracking.Container](ctx, c, get(containersPath, id, include))
}

// ContainerAsOf is ShipmentAsOf for a container.
func (c *Client) ContainerAsOf(ctx context.Context, id tracking.ID, when time.Time, include ...string) (Answer[tracking.Container], error) {
	return getAnswer[tracking.Container](ctx, c, asOf(get(containersPath, id, include), when))
}

// ContainerHistory is what was revised of a container and its shipment, the last
// first; of the attributes, where any are given. Errors: NotFound; BadQuery on include.
func (c *Client) ContainerHistory(container tracking.ID, of []tracking.RevisedAttribute, include ...string) List[tracking.Revision] {
	return c.revisions(recordPath(containersPath, container, "history"), of, include)
}

// TransportEvents are the milestones of a container that have happened and stand,
// the last first. Errors: NotFound.
func (c *Client) TransportEvents(container tracking.ID, include ...string) List[tracking.TransportEvent] {
	return listOf[tracking.TransportEvent](c, recordPath(containersPath, container, "transport_events"), newValues(include))
}

// RawEvents are all facts known of a container, as one page. Errors: NotFound.
func (c *Client) RawEvents(container tracking.ID, include ...string) List[tracking.RawEvent] {
	l := listOf[tracking.RawEvent](c, recordPath(containersPath, container, "raw_events"), newValues(include))
	l.unpaged = true
	return l
}

// UpdateContainer changes a container. The zero time of DeliveredAt takes the mark
// back. Errors: NotFound; Stale; Invalid on ref_numbers and delivered_at.
func (c *Client) UpdateContainer(ctx context.Context, id tracking.ID, u tracking.ContainerUpdate) (*tracking.Container, error) {
	a := attributes{}
	setOptList(a, "ref_numbers", u.RefNumbers)
	if u.DeliveredAt.Set {
		a["delivered_at"] = nil
		if !u.DeliveredAt.Value.IsZero() {
			a["delivered_at"] = formatTime(u.DeliveredAt.Value)
		}
	}
	return getRecord[tracking.Container](ctx, c, patch(containersPath, id, resource{Type: "container", ID: id.String(), Attributes: a}, u.IfVersion))
}

// RefreshContainer has the sources of a container asked, and returns a sentence
// that says which. Errors: NotFound; Invalid when it is followed no longer, or its
// line has no source.
func (c *Client) RefreshContainer(ctx context.Context, id tracking.ID) (string, error) {
	answer, err := getObject[struct{ Message string }](ctx, c, action(containersPath, id, "refresh"))
	return answer.Message, err
}
