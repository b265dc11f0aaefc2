package client

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/landfallhq/tracking"
)

const shipmentsPath = "/shipments"

// Shipments lists shipments, newest first unless q.Sort is set. The interface has no
// removed shipments, so WithRemoved is an error.
func (c *Client) Shipments(q tracking.ShipmentQuery, include ...string) List[tracking.Shipment] {
	v := newValues(include)
	if q.WithRemoved {
		v.err = errors.New("client: WithRemoved is not part of the interface")
	}
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
// known at that time. Errors: NotFound, also for a time before it existed; Invalid on
// as_of for a time in the future.
func (c *Client) ShipmentAsOf(ctx context.Context, id tracking.ID, when time.Time, include ...string) (Answer[tracking.Shipment], error) {
	return getAnswer[tracking.Shipment](ctx, c, asOf(get(shipmentsPath, id, include), when))
}

// ETARevisions lists the revisions of a shipment's estimates, newest first. Given
// attributes restrict it. Errors: NotFound; BadQuery on include.
func (c *Client) ETARevisions(shipment tracking.ID, of []tracking.RevisedAttribute, include ...string) List[tracking.Revision] {
	return c.revisions(recordPath(shipmentsPath, shipment, "eta_revisions"), of, include)
}

// UpdateShipment updates a shipment. Errors: NotFound; Stale; Invalid on ref_numbers,
// tags, promised_arrival_at and relationships/customer.
func (c *Client) UpdateShipment(ctx context.Context, id tracking.ID, u tracking.ShipmentUpdate) (*tracking.Shipment, error) {
	a := attributes{}
	setOptList(a, "ref_numbers", u.RefNumbers)
	setOptList(a, "tags", u.Tags)
	setOptTime(a, "promised_arrival_at", u.PromisedArrivalAt)
	body := resource{Type: "shipment", ID: id.String(), Attributes: a, Relationships: customer(u.Customer)}
	return getRecord[tracking.Shipment](ctx, c, patch(shipmentsPath, id, body, u.IfVersion))
}

// StopTracking pauses refreshes and notifications of a shipment. Errors: NotFound.
func (c *Client) StopTracking(ctx context.Context, id tracking.ID) (*tracking.Shipment, error) {
	return getRecord[tracking.Shipment](ctx, c, action(shipmentsPath, id, "stop_tracking"))
}

// ResumeTracking resumes them. Errors: NotFound.
func (c *Client) ResumeTracking(ctx context.Context, id tracking.ID) (*tracking.Shipment, error) {
	return getRecord[tracking.Shipment](ctx, c, action(shipmentsPath, id, "resume_tracking"))
}

const containersPath = "/containers"

// Containers lists containers, newest first unless q.Sort is set. The interface does
// not support q.Shipment and q.Removed: read the containers of a shipment with
// include.
func (c *Client) Containers(q tracking.ContainerQuery, include ...string) List[tracking.Container] {
	v := newValues(include)
	if q.Shipment != (tracking.ID{}) || q.Removed == tracking.Yes {
		v.unsupported("a query for the containers of a shipment or for removed ones")
	}
	v.filterList("number", q.Numbers)
	v.filterList("status", stringsOf(q.Statuses))
	v.filterTimes("pickup_lfd", q.PickupLFD)
	v.filterTri("available_for_pickup", q.Available)
	v.filterTri("has_hold", q.HasHold)
	v.filterTimes("free_time_ends", q.FreeTimeEnds)
	v.filterTri("accruing", q.Accruing)
	v.filterTri("costs_tomorrow", q.CostsTomorrow)
	v.filterTri("cost_known", q.CostKnown)
	v.filterTri("overdue", q.Overdue)
	v.filterTracked(&q.TrackedQuery)
	return listOf[tracking.Container](c, containersPath, v)
}

// BandedShipment is a shipment with the band of its ETA.
type BandedShipment struct {
	tracking.Shipment
	tracking.ETABand
}

// BandedShipments is Shipments with the band of each ETA.
func (c *Client) BandedShipments(q tracking.ShipmentQuery) List[BandedShipment] {
	return List[BandedShipment](c.Shipments(q))
}

// CostedContainer is a container with its costs; they are null while they are not known, and
// where no tariff fits.
type CostedContainer struct {
	tracking.Container
	tracking.ImportCost
}

// CostedContainers is Containers with the costs of each.
func (c *Client) CostedContainers(q tracking.ContainerQuery) List[CostedContainer] {
	return List[CostedContainer](c.Containers(q))
}

// ExpectedContainer is a container with the milestone that is expected next.
type ExpectedContainer struct {
	tracking.Container
	tracking.NextMilestone
}

// ExpectedContainers is Containers with the next milestone of each.
func (c *Client) ExpectedContainers(q tracking.ContainerQuery) List[ExpectedContainer] {
	return List[ExpectedContainer](c.Containers(q))
}

// Container returns a container. Errors: NotFound; BadQuery on include.
func (c *Client) Container(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.Container], error) {
	return getAnswer[tracking.Container](ctx, c, get(containersPath, id, include))
}

// ContainerAsOf is ShipmentAsOf for a container.
func (c *Client) ContainerAsOf(ctx context.Context, id tracking.ID, when time.Time, include ...string) (Answer[tracking.Container], error) {
	return getAnswer[tracking.Container](ctx, c, asOf(get(containersPath, id, include), when))
}

// ContainerHistory lists the revisions of a container and its shipment, newest first.
// Given attributes restrict it. Errors: NotFound; BadQuery on include.
func (c *Client) ContainerHistory(container tracking.ID, of []tracking.RevisedAttribute, include ...string) List[tracking.Revision] {
	return c.revisions(recordPath(containersPath, container, "history"), of, include)
}

// TransportEvents lists the valid milestones of a container, newest first. Errors:
// NotFound.
func (c *Client) TransportEvents(container tracking.ID, include ...string) List[tracking.TransportEvent] {
	return listOf[tracking.TransportEvent](c, recordPath(containersPath, container, "transport_events"), newValues(include))
}

// TransportEvent returns a milestone, also one that is no longer valid. Errors: NotFound;
// BadQuery on include.
func (c *Client) TransportEvent(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.TransportEvent], error) {
	return getAnswer[tracking.TransportEvent](ctx, c, get("/transport_events", id, include))
}

// RawEvent returns a fact, also one that was replaced or retracted. Errors: NotFound;
// BadQuery on include.
func (c *Client) RawEvent(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.RawEvent], error) {
	return getAnswer[tracking.RawEvent](ctx, c, get("/raw_events", id, include))
}

// RawEvents lists all facts about a container, on one page. Errors: NotFound.
func (c *Client) RawEvents(container tracking.ID, include ...string) List[tracking.RawEvent] {
	l := listOf[tracking.RawEvent](c, recordPath(containersPath, container, "raw_events"), newValues(include))
	l.unpaged = true
	return l
}

// setOptTime sends the zero time as null.
func setOptTime(a attributes, name string, at tracking.Opt[time.Time]) {
	if at.Set {
		a[name] = nil
		if !at.Value.IsZero() {
			a[name] = formatTime(at.Value)
		}
	}
}

// UpdateContainer changes a container. The zero time of DeliveredAt removes the mark.
// Errors: NotFound; Stale; Invalid on ref_numbers and delivered_at.
func (c *Client) UpdateContainer(ctx context.Context, id tracking.ID, u tracking.ContainerUpdate) (*tracking.Container, error) {
	a := attributes{}
	setOptList(a, "ref_numbers", u.RefNumbers)
	setOptTime(a, "delivered_at", u.DeliveredAt)
	return getRecord[tracking.Container](ctx, c, patch(containersPath, id, resource{Type: "container", ID: id.String(), Attributes: a}, u.IfVersion))
}

// RefreshContainer starts a refresh of a container and returns a message that names
// the sources. Errors: NotFound; Invalid if tracking has stopped or the line has no
// source.
func (c *Client) RefreshContainer(ctx context.Context, id tracking.ID) (string, error) {
	answer, err := getObject[struct{ Message string }](ctx, c, action(containersPath, id, "refresh"))
	return answer.Message, err
}

// ContainerMap returns the sea route of a container as GeoJSON: coordinates are in
// degrees, longitude first (WGS84). Properties are a map[string]any, and coordinates
// lists of float64, as encoding/json decodes them. Errors: NotFound; ErrUnavailable
// if the source of positions fails.
func (c *Client) ContainerMap(ctx context.Context, id tracking.ID) (*tracking.Map, error) {
	return getObject[*tracking.Map](ctx, c, request{method: http.MethodGet, path: recordPath(containersPath, id, "map_geojson")})
}

// ContainerRoute returns the route of a container, port by port, with its Locations.
// Times are in UTC. include accepts "port" and "vessel". A missing stop is an error.
// Errors: NotFound; BadQuery on include.
func (c *Client) ContainerRoute(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.SeaRoute], error) {
	query := includeValues(append([]string{"route_location"}, include...))
	answer, err := getAnswer[tracking.SeaRoute](ctx, c, request{method: http.MethodGet, path: recordPath(containersPath, id, "route"), query: query})
	if err != nil {
		return answer, err
	}
	for _, stop := range answer.Record.Stops {
		l, err := Find[tracking.RouteLocation](answer.Included, stop)
		if err != nil {
			return answer, err
		}
		answer.Record.Locations = append(answer.Record.Locations, l)
	}
	return answer, nil
}

// Search finds shipments, containers and tracking requests by number, reference, tag,
// custom field, vessel or party. It returns at most 25 results, best match first; see
// tracking.Tracker.Search. Errors: BadQuery if the text is blank.
func (c *Client) Search(ctx context.Context, text string) ([]*tracking.SearchResult, error) {
	v := newValues(nil)
	v.param("query", text)
	page, err := listOf[tracking.SearchResult](c, "/search", v).Page(ctx, tracking.Page{})
	if err != nil {
		return nil, err
	}
	return page.Records, nil
}

// Report sends facts. The receipt has no container IDs. Repeating a report without
// Once is harmless. Errors: Invalid on source, scac and facts, with pointers such as
// "/facts/3/at".
func (c *Client) Report(ctx context.Context, r tracking.Report, once ...tracking.Once) (tracking.Receipt, error) {
	body := struct {
		tracking.Report
		Announce bool `json:"announce"`
	}{r, !r.Silent}
	if body.Facts == nil {
		body.Facts = []tracking.Fact{}
	}
	answer, err := getObject[receiptDoc](ctx, c, request{method: http.MethodPost, path: "/reports", body: body, key: keyOf(once)})
	if err != nil {
		return tracking.Receipt{}, err
	}
	receipt := answer.Data.Attributes
	for _, s := range answer.Data.Relationships.Shipments.Data {
		receipt.ShipmentIDs = append(receipt.ShipmentIDs, s.ID)
	}
	return receipt, nil
}

type receiptDoc struct {
	Data struct {
		Attributes    tracking.Receipt
		Relationships struct {
			Shipments struct{ Data []struct{ ID tracking.ID } }
		}
	}
}
