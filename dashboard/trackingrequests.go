package dashboard

import (
	"context"
	"slices"

	"github.com/landfallhq/tracking"
)

// trackingRequestRow is a tracking request in a list.
type trackingRequestRow struct {
	*tracking.TrackingRequest
	fields fieldValues
}

func (r trackingRequestRow) recordID() tracking.ID { return r.ID }

func (req *request) trackingRequestRows(ctx context.Context, q tracking.TrackingRequestQuery, p tracking.Page, fields []*tracking.CustomFieldDefinition) ([]trackingRequestRow, int, error) {
	list, total, err := req.t.TrackingRequests(ctx, q, p)
	if err != nil {
		return nil, 0, err
	}
	ids := make([]tracking.ID, 0, len(list))
	for _, r := range list {
		ids = append(ids, r.ID)
	}
	values, err := req.valuesOf(ctx, fields, ids)
	rows := make([]trackingRequestRow, 0, len(list))
	for _, r := range list {
		rows = append(rows, trackingRequestRow{r, values[r.ID]})
	}
	return rows, total, err
}

var requestTones = map[tracking.RequestStatus]string{
	tracking.RequestPending: "info", tracking.RequestAwaitingManifest: "info", tracking.RequestCreated: "good", tracking.RequestFailed: "bad",
}

func trackingRequestColumns(req *request, fields []*tracking.CustomFieldDefinition) []column[trackingRequestRow] {
	c := req.texts
	list := []column[trackingRequestRow]{
		{name: "request_number", shown: true, cell: func(r trackingRequestRow) cell {
			if r.TrackedObject == (tracking.ID{}) {
				return text(r.RequestNumber)
			}
			return linked(r.RequestNumber, req.link("/shipments/"+r.TrackedObject.String()))
		}},
		{name: "request_type", shown: true, cell: func(r trackingRequestRow) cell { return text(c.word("request_type", string(r.RequestType))) }},
		{name: "scac", shown: true, cell: func(r trackingRequestRow) cell { return text(r.SCAC) }},
		{name: "status", shown: true, cell: func(r trackingRequestRow) cell {
			return cell{Text: c.word("request_status", string(r.Status)), Tone: requestTones[r.Status]}
		}},
		{name: "failed_reason", shown: true, cell: func(r trackingRequestRow) cell { return text(c.word("failed", string(r.FailedReason))) }},
		{name: "retry_count", numeric: true, cell: func(r trackingRequestRow) cell { return number(r.RetryCount) }},
		{name: "ref_numbers", shown: true, cell: func(r trackingRequestRow) cell { return joined(r.RefNumbers) }},
		{name: "tags", cell: func(r trackingRequestRow) cell { return joined(r.Tags) }},
		{name: "created_at", sort: "created_at", shown: true, cell: func(r trackingRequestRow) cell { return c.moment(r.CreatedAt, "") }},
		{name: "updated_at", sort: "updated_at", cell: func(r trackingRequestRow) cell { return c.moment(r.UpdatedAt, "") }},
	}
	return slices.Concat(list, fieldColumns(fields, func(r trackingRequestRow) fieldValues { return r.fields }))
}

var requestStatuses = []string{
	string(tracking.RequestPending), string(tracking.RequestAwaitingManifest), string(tracking.RequestCreated), string(tracking.RequestFailed), string(tracking.RequestStopped),
}

func trackingRequestListing(req *request) (l listing[trackingRequestRow], err error) {
	ctx := req.r.Context()
	fields, err := req.definedFields(ctx, tracking.TrackingRequestEntity)
	if err != nil {
		return l, err
	}
	custom, err := req.fieldFilters(ctx, fields)
	l = listing[trackingRequestRow]{
		noun: "tracking-requests",
		filters: slices.Concat([]filter{
			{name: "q", kind: textFilter}, {name: "number", kind: textFilter},
			{name: "status", kind: choiceFilter, options: req.texts.options("request_status", requestStatuses)},
			{name: "scac", kind: textFilter}, {name: "created_at", kind: rangeFilter}, {name: "updated_at", kind: rangeFilter},
		}, custom),
		columns: trackingRequestColumns(req, fields),
	}
	l.rows = func(ctx context.Context, q *query, chosen []column[trackingRequestRow], p tracking.Page) ([]trackingRequestRow, int, error) {
		tq := tracking.TrackingRequestQuery{
			Search: q.Get("q"), Numbers: q.list("number"), SCACs: q.upper("scac"),
			Created: q.days("created_at"), Updated: q.days("updated_at"), CustomFields: q.fields(), Sort: q.orders(),
		}
		for _, s := range q.choices("status", requestStatuses) {
			tq.Statuses = append(tq.Statuses, tracking.RequestStatus(s))
		}
		if err := q.err(); err != nil {
			return nil, 0, err
		}
		return req.trackingRequestRows(ctx, tq, p, fieldsOf(fields, chosen))
	}
	return l, err
}
