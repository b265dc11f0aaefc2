package httpserver

import (
	"net/http"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

var takesContainers = jsonapi.Accept{
	Page: true, Include: true,
	Filters: slices.Concat([]string{"number", "status", "available_for_pickup", "has_hold"}, pickupLFD, trackedFilters),
	Sorts:   slices.Concat(trackedSorts, []string{"pickup_lfd"}),
}

// containerStatuses are the values of current_status. The last two are of the
// published interface, and no container has them.
var containerStatuses = []string{
	string(tracking.StatusNew), string(tracking.StatusOnShip), string(tracking.StatusAvailable),
	string(tracking.StatusNotAvailable), string(tracking.StatusGrounded), string(tracking.StatusOnRail),
	string(tracking.StatusPickedUp), string(tracking.StatusOffDock), string(tracking.StatusDelivered),
	string(tracking.StatusEmptyReturned), string(tracking.StatusAwaitingInlandTransfer), "dropped", "loaded",
}

func containerQuery(f *filters) tracking.Query {
	q := tracking.ContainerQuery{
		Numbers:      f.text("number"),
		PickupLFD:    f.times(pickupLFD),
		Available:    f.tri("available_for_pickup"),
		HasHold:      f.tri("has_hold"),
		Removed:      tracking.No,
		TrackedQuery: f.tracked(),
	}
	for _, status := range f.OneOf("status", containerStatuses...).Value {
		q.Statuses = append(q.Statuses, tracking.ContainerStatus(status))
	}
	return q
}

func containerUpdate(in *input) tracking.ContainerUpdate {
	in.Type("container")
	delivered := in.Time("delivered_at")
	if delivered.Given() && delivered.Value.IsZero() {
		delivered.Value = delivered.Value.Add(1) // the year 1 is no null: it is too early
	}
	return tracking.ContainerUpdate{RefNumbers: opt(in.Strings("ref_numbers")), DeliveredAt: opt(delivered), IfVersion: in.ifVersion}
}

// transportEvents answers with the milestones of a container that stand, in
// pages.
func transportEvents(c *call) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	box, err := c.t.Container(c.ctx(), c.pathID())
	if err != nil {
		return err
	}
	events := tracking.TransportEventQuery{Container: box.ID, Invalidated: tracking.No}
	s, err := c.t.Select(c.ctx(), events, tracking.Page{Number: q.Number, Size: q.Size}, q.Include)
	if err != nil {
		return err
	}
	c.page(s, q, len(q.Include) > 0)
	return nil
}

// rawEvents answers with all facts known of a container.
func rawEvents(c *call) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	box, err := c.t.Container(c.ctx(), c.pathID())
	if err != nil {
		return err
	}
	facts := tracking.RawEventQuery{Container: box.ID, Shipment: box.Shipment}
	s, err := c.t.Select(c.ctx(), facts, tracking.Page{}, q.Include)
	if err != nil {
		return err
	}
	c.whole(s, len(q.Include) > 0)
	return nil
}

// refresh starts what the engine starts, and says what that was.
func refresh(c *call) error {
	id, err := c.acted("container")
	if err != nil {
		return err
	}
	started, err := c.t.RefreshContainer(c.ctx(), id)
	if err != nil {
		return err
	}
	body := append([]byte(`{"message":`), jsonapi.AppendString(nil, "Started refresh for "+strings.Join(started, ", "))...)
	c.answer(http.StatusOK, append(body, '}'))
	return nil
}
