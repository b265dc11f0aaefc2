package dashboard

import (
	"context"

	"github.com/landfallhq/tracking"
)

// exceptionRow is an exception in a list.
type exceptionRow struct {
	*tracking.Exception
	shipment  *tracking.Shipment
	container *tracking.Container // the zero Container for the whole shipment
}

func (r exceptionRow) recordID() tracking.ID { return r.ID }

func (req *request) exceptionRows(ctx context.Context, q tracking.ExceptionQuery, p tracking.Page) ([]exceptionRow, int, error) {
	list, total, err := req.t.Exceptions().List(ctx, q, p)
	if err != nil {
		return nil, 0, err
	}
	rows := make([]exceptionRow, 0, len(list))
	for _, e := range list {
		s, err := req.places.shipment(ctx, e.Shipment)
		if err != nil {
			return nil, 0, err
		}
		box, err := req.places.container(ctx, e.Container)
		if err != nil {
			return nil, 0, err
		}
		rows = append(rows, exceptionRow{e, s, box})
	}
	return rows, total, nil
}

var severityTones = map[string]string{"high": "bad", "medium": "warn", "low": "info"}

func exceptionColumns(req *request) []column[exceptionRow] {
	c := req.texts
	return []column[exceptionRow]{
		{name: "kind", shown: true, cell: func(r exceptionRow) cell {
			return linked(c.word("exception", r.Kind), req.link("/exceptions/"+r.ID.String()))
		}},
		{name: "severity", sort: "severity", shown: true, cell: func(r exceptionRow) cell {
			return cell{Text: c.word("severity", r.Severity), Tone: severityTones[r.Severity]}
		}},
		{name: "shipment", shown: true, cell: func(r exceptionRow) cell {
			return linked(shipmentName(r.shipment), req.link("/shipments/"+r.Shipment.String()))
		}},
		{name: "container", shown: true, cell: func(r exceptionRow) cell {
			if r.Container == (tracking.ID{}) {
				return cell{}
			}
			return linked(r.container.Number, req.toContainer(r.Container))
		}},
		{name: "detail", shown: true, cell: func(r exceptionRow) cell { return text(r.Detail) }},
		{name: "opened_at", sort: "opened_at", shown: true, cell: func(r exceptionRow) cell { return c.moment(r.OpenedAt, r.shipment.PODTimezone) }},
		{name: "closed_at", cell: func(r exceptionRow) cell { return c.moment(r.ClosedAt, r.shipment.PODTimezone) }},
		{name: "state", shown: true, cell: func(r exceptionRow) cell { return c.exceptionState(r.Exception) }},
		{name: "due_at", cell: func(r exceptionRow) cell { return c.moment(r.DueAt, r.shipment.PODTimezone) }},
		{name: "assignee", shown: true, cell: func(r exceptionRow) cell { return text(r.Assignee) }},
		{name: "acknowledged", cell: func(r exceptionRow) cell { return c.yesOrNo(!r.AcknowledgedAt.IsZero()) }},
		{name: "note", cell: func(r exceptionRow) cell { return text(r.Note) }},
		{name: "updated_at", sort: "updated_at", cell: func(r exceptionRow) cell { return c.moment(r.UpdatedAt, "") }},
	}
}

// exceptionState is whether an exception is open, somebody has acknowledged it, it is over, or it
// never was.
func (c catalog) exceptionState(e *tracking.Exception) cell {
	switch {
	case e.Withdrawn:
		return text(c.get("state.withdrawn"))
	case !e.ClosedAt.IsZero():
		return cell{Text: c.get("state.closed"), Tone: "good"}
	case !e.AcknowledgedAt.IsZero():
		return cell{Text: c.get("state.acknowledged"), Tone: "info"}
	}
	return cell{Text: c.get("state.open"), Tone: "warn"}
}

func exceptionListing(req *request) (listing[exceptionRow], error) {
	x, c := req.t.Exceptions(), req.texts
	states := []string{"open", "closed"}
	l := listing[exceptionRow]{
		noun: "exceptions",
		filters: []filter{
			{name: "kind", kind: choiceFilter, options: c.options("exception", x.Kinds())},
			{name: "severity", kind: choiceFilter, options: c.options("severity", x.Severities())},
			{name: "state", kind: choiceFilter, options: c.options("state", states)},
			{name: "acknowledged", kind: flagFilter, options: c.flags()},
			{name: "assignee", kind: textFilter}, {name: "opened_at", kind: rangeFilter}, {name: "updated_at", kind: rangeFilter},
			{name: "shipment", kind: textFilter}, {name: "container", kind: textFilter},
		},
		columns: exceptionColumns(req),
	}
	l.rows = func(ctx context.Context, q *query, _ []column[exceptionRow], p tracking.Page) ([]exceptionRow, int, error) {
		eq := tracking.ExceptionQuery{
			Kinds: q.choices("kind", x.Kinds()), Severities: q.choices("severity", x.Severities()), Acknowledged: q.tri("acknowledged"),
			Assignees: q.list("assignee"), Opened: q.days("opened_at"), Updated: q.days("updated_at"),
			Shipments: q.ids("shipment"), Containers: q.ids("container"), Sort: q.orders(),
		}
		if chosen := q.choices("state", states); len(chosen) == 1 {
			eq.Open = map[string]tracking.Tri{"open": tracking.Yes, "closed": tracking.No}[chosen[0]]
		}
		if err := q.err(); err != nil {
			return nil, 0, err
		}
		return req.exceptionRows(ctx, eq, p)
	}
	return l, nil
}
