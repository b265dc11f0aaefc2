package httpserver

import (
	"encoding/json"
	"github.com/landfallhq/tracking/freight"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

var acceptShipments = jsonapi.Accept{
	Page: true, Include: true, Sorts: trackedSorts,
	Filters: slices.Concat([]string{"tracking_stopped"}, trackedFilters),
}

func shipmentQuery(f *filters) tracking.Query {
	return tracking.ShipmentQuery{
		Number:       f.param("number"),
		Search:       f.param("q"),
		Stopped:      f.tri("tracking_stopped"),
		TrackedQuery: f.tracked(),
	}
}

func shipmentUpdate(in *input) tracking.ShipmentUpdate {
	in.TypeIfSet("shipment")
	return tracking.ShipmentUpdate{
		RefNumbers: opt(in.Strings("ref_numbers")),
		Tags:       opt(in.Strings("tags")),

		PromisedArrivalAt: in.timeOrNull("promised_arrival_at"),
		Customer:          in.readCustomer(),
		IfVersion:         in.ifVersion,
	}
}

var acceptContainers = jsonapi.Accept{
	Page: true, Include: true,
	Filters: slices.Concat([]string{"number", "status", "available_for_pickup", "has_hold", "accruing", "costs_tomorrow", "cost_known", "overdue"}, pickupLFD, freeTimeEnds, trackedFilters),
	Sorts:   slices.Concat(trackedSorts, []string{"pickup_lfd", "cost", "cost_tomorrow"}),
}

// containerStatuses are the values that the filter accepts. No container has the last
// two; clients send them.
var containerStatuses = []string{
	string(freight.StatusNew), string(freight.StatusOnShip), string(freight.StatusAvailable),
	string(freight.StatusNotAvailable), string(freight.StatusGrounded), string(freight.StatusOnRail),
	string(freight.StatusPickedUp), string(freight.StatusOffDock), string(freight.StatusDelivered),
	string(freight.StatusEmptyReturned), string(freight.StatusAwaitingInlandTransfer), "dropped", "loaded",
}

func containerQuery(f *filters) tracking.Query {
	q := tracking.ContainerQuery{
		Numbers:       f.list("number"),
		PickupLFD:     f.times(pickupLFD),
		Available:     f.tri("available_for_pickup"),
		HasHold:       f.tri("has_hold"),
		FreeTimeEnds:  f.times(freeTimeEnds),
		Accruing:      f.tri("accruing"),
		CostsTomorrow: f.tri("costs_tomorrow"),
		CostKnown:     f.tri("cost_known"),
		Overdue:       f.tri("overdue"),
		Removed:       tracking.No,
		TrackedQuery:  f.tracked(),
	}
	for _, status := range f.OneOf("status", containerStatuses...).Value {
		q.Statuses = append(q.Statuses, tracking.ContainerStatus(status))
	}
	return q
}

func containerUpdate(in *input) tracking.ContainerUpdate {
	in.Type("container")
	return tracking.ContainerUpdate{RefNumbers: opt(in.Strings("ref_numbers")), DeliveredAt: in.timeOrNull("delivered_at"), IfVersion: in.ifVersion}
}

// timeOrNull reads a time that null clears.
func (in *input) timeOrNull(name string) tracking.Opt[time.Time] {
	at := in.Time(name)
	if at.Given() && at.Value.IsZero() {
		at.Value = at.Value.Add(1) // the zero time means null, and the year 1 was sent: let the engine refuse it
	}
	return opt(at)
}

// transportEvents lists the valid milestones of a container.
func transportEvents(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	container, err := req.t.Container(req.ctx(), req.pathID())
	if err != nil {
		return err
	}
	events := tracking.TransportEventQuery{Container: container.ID, Invalidated: tracking.No}
	s, err := req.t.Rendered().List(req.ctx(), events, tracking.Page{Number: q.Number, Size: q.Size}, q.Include)
	if err != nil {
		return err
	}
	req.respondPage(s, q, len(q.Include) > 0)
	return nil
}

// rawEvents lists all facts about a container, unpaged.
func rawEvents(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	container, err := req.t.Container(req.ctx(), req.pathID())
	if err != nil {
		return err
	}
	facts := tracking.RawEventQuery{Container: container.ID, Shipment: container.Shipment}
	s, err := req.t.Rendered().List(req.ctx(), facts, tracking.Page{}, q.Include)
	if err != nil {
		return err
	}
	req.respondUnpaged(s, len(q.Include) > 0)
	return nil
}

// refreshContainer starts a refresh. The message names its sources.
func refreshContainer(req *request) error {
	id, err := req.readAction("container")
	if err != nil {
		return err
	}
	started, err := req.t.RefreshContainer(req.ctx(), id)
	if err != nil {
		return err
	}
	body, err := json.Marshal(messageDoc{Message: "Started refresh for " + strings.Join(started, ", "), Meta: req.writeMeta()})
	if err != nil {
		return err
	}
	req.respond(http.StatusOK, body)
	return nil
}

// search responds with the results for a text, unpaged (see docs/contract.md#search).
func search(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	f := &filters{query: q}
	text := f.param("query")
	if len(f.paramErrors) > 0 {
		return f.paramErrors
	}
	if strings.TrimSpace(text) == "" {
		return badRequest("Query parameter is required")
	}
	s, err := req.t.Rendered().Search(req.ctx(), text)
	if err != nil {
		return err
	}
	req.respondUnpaged(s, false)
	return nil
}
