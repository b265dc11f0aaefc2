package dashboard

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
)

// containerRow is a container in a list.
type containerRow struct {
	*tracking.Container
	shipment *tracking.Shipment
	cost     tracking.ImportCost    // zero where no tariff fits
	next     tracking.NextMilestone // zero while nothing is expected
	fields   fieldValues
}

func (r containerRow) recordID() tracking.ID { return r.ID }

// containerRows reads a page of containers with what lists show of each.
func (req *request) containerRows(ctx context.Context, q tracking.ContainerQuery, p tracking.Page, fields []*tracking.CustomFieldDefinition) ([]containerRow, int, error) {
	list, total, err := req.t.Containers(ctx, q, p)
	if err != nil {
		return nil, 0, err
	}
	rows, err := req.describeContainers(ctx, list, fields)
	return rows, total, err
}

func (req *request) describeContainers(ctx context.Context, list []*tracking.Container, fields []*tracking.CustomFieldDefinition) ([]containerRow, error) {
	ids := make([]tracking.ID, 0, len(list))
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	costs, err := req.t.Tariffs().Costs(ctx, ids...)
	if err != nil {
		return nil, err
	}
	next, err := req.t.Exceptions().NextMilestones(ctx, ids...)
	if err != nil {
		return nil, err
	}
	values, err := req.valuesOf(ctx, fields, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]containerRow, 0, len(list))
	for _, c := range list {
		s, err := req.places.shipment(ctx, c.Shipment)
		if err != nil {
			return nil, err
		}
		rows = append(rows, containerRow{c, s, costs[c.ID], next[c.ID], values[c.ID]})
	}
	return rows, nil
}

// containerTones colour the statuses that ask for something to be done or wait for it.
var containerTones = map[freight.ContainerStatus]string{
	freight.StatusOnShip: "info", freight.StatusOnRail: "info", freight.StatusAvailable: "good", freight.StatusNotAvailable: "warn",
	freight.StatusGrounded: "info", freight.StatusAwaitingInlandTransfer: "info",
}

func (c catalog) containerStatus(of tracking.ContainerStatus) cell {
	return cell{Text: c.word("container_status", string(of)), Tone: containerTones[of]}
}

func containerColumns(req *request, fields []*tracking.CustomFieldDefinition) []column[containerRow] {
	c := req.texts
	list := []column[containerRow]{
		{name: "number", shown: true, cell: func(r containerRow) cell {
			return linked(r.Number, req.toContainer(r.ID))
		}},
		{name: "status", shown: true, cell: func(r containerRow) cell { return c.containerStatus(r.CurrentStatus) }},
		{name: "shipment", shown: true, cell: func(r containerRow) cell {
			return linked(shipmentName(r.shipment), req.link("/shipments/"+r.shipment.ID.String()))
		}},
		{name: "customer", cell: func(r containerRow) cell { return text(r.shipment.CustomerName) }},
		{name: "place", shown: true, cell: func(r containerRow) cell {
			return place(r.shipment.PortOfDischargeName, r.shipment.PortOfDischargeLOCODE)
		}},
		{name: "pod_eta_at", sort: "pod_eta_at", shown: true, cell: func(r containerRow) cell { return c.moment(r.shipment.PODETAAt, r.shipment.PODTimezone) }},
		{name: "pod_arrived_at", cell: func(r containerRow) cell { return c.moment(r.PODArrivedAt, r.PODTimezone) }},
		{name: "pod_discharged_at", cell: func(r containerRow) cell { return c.moment(r.PODDischargedAt, r.PODTimezone) }},
		{name: "pod_full_out_at", cell: func(r containerRow) cell { return c.moment(r.PODFullOutAt, r.PODTimezone) }},
		{name: "empty_terminated_at", cell: func(r containerRow) cell { return c.moment(r.EmptyTerminatedAt, r.EmptyTerminatedTimezone) }},
		{name: "available_for_pickup", cell: func(r containerRow) cell {
			if !r.AvailabilityKnown {
				return cell{}
			}
			return c.yesOrNo(r.AvailableForPickup)
		}},
		{name: "pickup_lfd", sort: "pickup_lfd", cell: func(r containerRow) cell { return c.day(r.PickupLFD, lastFreeDayZone(r.Container)) }},
		{name: "pickup_appointment_at", cell: func(r containerRow) cell { return c.moment(r.PickupAppointmentAt, r.PODTimezone) }},
		{name: "free_time_ends_on", shown: true, cell: func(r containerRow) cell { return c.calendarDay(r.cost.FreeTimeEndsOn) }},
		{name: "cost", sort: "cost", shown: true, numeric: true, unit: "currency", cell: func(r containerRow) cell { return c.cost(r.cost, r.cost.Amount) }},
		{name: "tomorrow", sort: "cost_tomorrow", numeric: true, unit: "currency", cell: func(r containerRow) cell { return c.cost(r.cost, r.cost.Tomorrow) }},
		{name: "currency", cell: func(r containerRow) cell { return text(r.cost.Currency) }},
		{name: "holds", shown: true, cell: func(r containerRow) cell { return c.holds(r.HoldsAtPODTerminal) }},
		{name: "next_milestone", shown: true, cell: func(r containerRow) cell { return c.expected(r.next) }},
		{name: "next_milestone_due_at", cell: func(r containerRow) cell { return c.moment(r.next.DueAt, zoneAt(r.shipment, r.next.LocationLOCODE)) }},
		{name: "equipment", cell: func(r containerRow) cell { return c.equipment(r.Container) }},
		{name: "weight_in_lbs", numeric: true, cell: func(r containerRow) cell { return weight(r.WeightInLbs) }},
		{name: "seal_number", cell: func(r containerRow) cell { return text(r.SealNumber) }},
		{name: "ref_numbers", cell: func(r containerRow) cell { return joined(r.RefNumbers) }},
		{name: "created_at", sort: "created_at", cell: func(r containerRow) cell { return c.moment(r.CreatedAt, "") }},
		{name: "updated_at", sort: "updated_at", cell: func(r containerRow) cell { return c.moment(r.UpdatedAt, "") }},
	}
	return slices.Concat(list, fieldColumns(fields, func(r containerRow) fieldValues { return r.fields }))
}

// lastFreeDayZone is the zone whose midnight begins the last free day: that of the port of
// discharge or, where a railway has stated the day, of the inland destination.
func lastFreeDayZone(b *tracking.Container) string {
	for _, zone := range nonEmpty(b.PODTimezone, b.FinalDestinationTimezone) {
		if hour, minute, _ := b.PickupLFD.In(location(zone)).Clock(); hour == 0 && minute == 0 {
			return zone
		}
	}
	return b.PODTimezone
}

// cost is an amount of a container. It is not known while free time is counted by a reported last
// free day alone.
func (c catalog) cost(of tracking.ImportCost, amount string) cell {
	out := money(amount, of.Currency)
	if amount == "" && of.FreeTimeEndsOn.IsValid() {
		out.Note = c.get("cost.unknown")
	}
	return out
}

// holds names the holds of a container.
func (c catalog) holds(list []tracking.Hold) cell {
	names := make([]string, 0, len(list))
	for _, h := range list {
		names = append(names, c.word("hold", h.Name))
	}
	if len(names) == 0 {
		return cell{}
	}
	out := joined(names)
	out.Tone = "warn"
	return out
}

// expected is what should happen next, and where.
func (c catalog) expected(m tracking.NextMilestone) cell {
	if m.Event == "" {
		return cell{}
	}
	out := cell{Text: c.word("event", string(m.Event)), Note: m.LocationLOCODE}
	if m.Overdue {
		out.Note = joined(nonEmpty(m.LocationLOCODE, c.get("overdue"))).Text
		out.Tone = "bad"
	}
	return out
}

func nonEmpty(words ...string) []string {
	return slices.DeleteFunc(words, func(s string) bool { return s == "" })
}

// containerStatuses are the statuses that containers have.
var containerStatuses = []string{
	string(freight.StatusNew), string(freight.StatusOnShip), string(freight.StatusGrounded), string(freight.StatusNotAvailable), string(freight.StatusAvailable),
	string(freight.StatusOnRail), string(freight.StatusAwaitingInlandTransfer), string(freight.StatusOffDock), string(freight.StatusPickedUp),
	string(freight.StatusDelivered), string(freight.StatusEmptyReturned),
}

func containerListing(req *request) (l listing[containerRow], err error) {
	ctx := req.r.Context()
	fields, err := req.definedFields(ctx, tracking.ContainerEntity)
	if err != nil {
		return l, err
	}
	custom, err := req.fieldFilters(ctx, fields)
	flags := req.texts.flags()
	l = listing[containerRow]{
		noun: "containers",
		filters: slices.Concat([]filter{
			{name: "number", kind: textFilter},
			{name: "status", kind: choiceFilter, options: req.texts.options("container_status", containerStatuses)},
			{name: "accruing", kind: flagFilter, options: flags}, {name: "costs_tomorrow", kind: flagFilter, options: flags},
			{name: "cost_known", kind: flagFilter, options: flags}, {name: "overdue", kind: flagFilter, options: flags},
			{name: "has_hold", kind: flagFilter, options: flags}, {name: "available_for_pickup", kind: flagFilter, options: flags},
			{name: "free_time_ends", kind: rangeFilter}, {name: "pickup_lfd", kind: rangeFilter},
		}, trackedFilters, custom),
		columns: containerColumns(req, fields), dates: containerDates,
	}
	l.rows = func(ctx context.Context, q *query, chosen []column[containerRow], p tracking.Page) ([]containerRow, int, error) {
		cq := containerQuery(q)
		if err := q.err(); err != nil {
			return nil, 0, err
		}
		return req.containerRows(ctx, cq, p, fieldsOf(fields, chosen))
	}
	l.sums = func(ctx context.Context, q *query) ([]attribute, error) {
		if q.Get("costs_tomorrow") != "true" {
			return nil, nil
		}
		return req.costSums(ctx, containerQuery(q))
	}
	return l, err
}

// costsTomorrow are the parameters of the list of what costs money tomorrow, the most first.
var costsTomorrow = url.Values{
	"costs_tomorrow": {"true"}, paramSort: {"-cost_tomorrow"},
	paramColumns: {"number,place,free_time_ends_on,cost,tomorrow,status,holds,shipment"},
}

// costSums are the costs of a list in each currency, and the containers whose free time has ended
// at an unknown cost, which are on none.
func (req *request) costSums(ctx context.Context, of tracking.ContainerQuery) ([]attribute, error) {
	totals, err := req.t.Tariffs().SumCosts(ctx, of)
	if err != nil {
		return nil, err
	}
	c := req.texts
	var list []attribute
	for _, t := range totals {
		v := money(t.Tomorrow, t.Currency)
		v.Note = c.get("charges.so_far", money(t.Amount, t.Currency).Text)
		list = append(list, attribute{c.get("column.tomorrow"), v})
	}
	query, address := endedUnpriced(req.now)
	_, n, err := req.t.Containers(ctx, query, tracking.Page{Number: 1, Size: 1})
	if n > 0 {
		list = append(list, attribute{c.get("cost.ended_unknown"), cell{Text: c.count("containers.count", n), Href: req.link("/containers", address)}})
	}
	return list, err
}

// endedUnpriced selects the containers whose free time has ended everywhere on Earth and whose
// cost is not known.
func endedUnpriced(now time.Time) (tracking.ContainerQuery, url.Values) {
	last := now.Add(-12*time.Hour).AddDate(0, 0, -1) // 12 hours: the zone that is the furthest west
	q := tracking.ContainerQuery{Removed: tracking.No, CostKnown: tracking.No, FreeTimeEnds: tracking.TimeRange{To: last}}
	return q, url.Values{"cost_known": {"false"}, "free_time_ends.to": {last.Format(time.DateOnly)}, paramSort: {"pickup_lfd"}}
}

func containerQuery(q *query) tracking.ContainerQuery {
	cq := tracking.ContainerQuery{
		Numbers: q.list("number"), Removed: tracking.No, Accruing: q.tri("accruing"), CostsTomorrow: q.tri("costs_tomorrow"), CostKnown: q.tri("cost_known"), Overdue: q.tri("overdue"),
		HasHold: q.tri("has_hold"), Available: q.tri("available_for_pickup"),
		FreeTimeEnds: q.days("free_time_ends"), PickupLFD: q.days("pickup_lfd"), TrackedQuery: q.tracked(),
	}
	for _, s := range q.choices("status", containerStatuses) {
		cq.Statuses = append(cq.Statuses, tracking.ContainerStatus(s))
	}
	return cq
}
