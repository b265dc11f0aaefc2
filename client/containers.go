package client

import (
	"context"
	"net/http"
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
		v.unable("for the containers of a shipment or for removed ones")
	}
	v.any("number", q.Numbers)
	v.any("status", texts(q.Statuses))
	v.times("pickup_lfd", q.PickupLFD)
	v.tri("available_for_pickup", q.Available)
	v.tri("has_hold", q.HasHold)
	v.tracked(&q.TrackedQuery)
	return listOf[tracking.Container](c, containersPath, v)
}

// Container returns a container.
func (c *Client) Container(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.Container], error) {
	return single[tracking.Container](ctx, c, get(containersPath, id, include))
}

// ContainerAsOf returns a container as it was at the end of a second, from the
// facts that were known by then.
func (c *Client) ContainerAsOf(ctx context.Context, id tracking.ID, at time.Time, include ...string) (Answer[tracking.Container], error) {
	return single[tracking.Container](ctx, c, asOf(get(containersPath, id, include), at))
}

// ContainerHistory is what was revised of a container and its shipment, the last
// first; of the attributes, where any are given.
func (c *Client) ContainerHistory(container tracking.ID, of ...tracking.RevisedAttribute) List[tracking.Revision] {
	v := newValues(nil)
	v.any("attribute", texts(of))
	return listOf[tracking.Revision](c, containersPath+member(container.String())+"/history", v)
}

// TransportEvents are the milestones of a container that have happened and stand,
// the last first.
func (c *Client) TransportEvents(container tracking.ID, include ...string) List[tracking.TransportEvent] {
	return listOf[tracking.TransportEvent](c, containersPath+member(container.String())+"/transport_events", newValues(include))
}

// RawEvents are all facts known of a container, as one page.
func (c *Client) RawEvents(container tracking.ID, include ...string) List[tracking.RawEvent] {
	l := listOf[tracking.RawEvent](c, containersPath+member(container.String())+"/raw_events", newValues(include))
	l.unpaged = true
	return l
}

// UpdateContainer changes a container. The zero time of DeliveredAt takes the mark
// back.
func (c *Client) UpdateContainer(ctx context.Context, id tracking.ID, u tracking.ContainerUpdate) (*tracking.Container, error) {
	a := attributes{}
	setList(a, "ref_numbers", u.RefNumbers)
	if u.DeliveredAt.Set {
		a["delivered_at"] = nil
		if !u.DeliveredAt.Value.IsZero() {
			a["delivered_at"] = u.DeliveredAt.Value.UTC().Format(time.RFC3339Nano)
		}
	}
	return one[tracking.Container](ctx, c, patch(containersPath, id, resource{Type: "container", ID: id.String(), Attributes: a}, u.IfVersion))
}

// RefreshContainer has the sources of a container asked, and returns a sentence
// that says which.
func (c *Client) RefreshContainer(ctx context.Context, id tracking.ID) (string, error) {
	answer, err := object[struct{ Message string }](ctx, c, request{method: http.MethodPatch, path: containersPath + member(id.String()) + "/refresh"})
	return answer.Message, err
}
