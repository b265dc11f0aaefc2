package httpserver

import (
	"net/http"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

var acceptContainers = jsonapi.Accept{
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
		Numbers:      f.list("number"),
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
func transportEvents(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	box, err := req.t.Container(req.ctx(), req.pathID())
	if err != nil {
		return err
	}
	events := tracking.TransportEventQuery{Container: box.ID, Invalidated: tracking.No}
	s, err := req.t.Select(req.ctx(), events, tracking.Page{Number: q.Number, Size: q.Size}, q.Include)
	if err != nil {
		return err
	}
	req.respondPage(s, q, len(q.Include) > 0)
	return nil
}

// rawEvents answers with all facts known of a container.
func rawEvents(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	box, err := req.t.Container(req.ctx(), req.pathID())
	if err != nil {
		return err
	}
	facts := tracking.RawEventQuery{Container: box.ID, Shipment: box.Shipment}
	s, err := req.t.Select(req.ctx(), facts, tracking.Page{}, q.Include)
	if err != nil {
		return err
	}
	req.respondUnpaged(s, len(q.Include) > 0)
	return nil
}

// refreshContainer starts what the engine starts, and says what that was.
func refreshContainer(req *request) error {
	id, err := req.readAction("container")
	if err != nil {
		return err
	}
	started, err := req.t.RefreshContainer(req.ctx(), id)
	if err != nil {
		return err
	}
	body := append([]byte(`{"message":`), jsonapi.AppendString(nil, "Started refresh for "+strings.Join(started, ", "))...)
	req.respond(http.StatusOK, append(body, '}'))
	return nil
}
