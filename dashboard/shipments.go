package dashboard

import (
	"cmp"
	"context"
	"slices"

	"github.com/landfallhq/tracking"
)

// shipmentRow is a shipment in a list.
type shipmentRow struct {
	*tracking.Shipment
	fields fieldValues
}

func (r shipmentRow) recordID() tracking.ID { return r.ID }

// shipmentRows reads a page of shipments with the values of some custom fields.
func (req *request) shipmentRows(ctx context.Context, q tracking.ShipmentQuery, p tracking.Page, fields []*tracking.CustomFieldDefinition) ([]shipmentRow, int, error) {
	list, total, err := req.t.Shipments(ctx, q, p)
	if err != nil {
		return nil, 0, err
	}
	ids := make([]tracking.ID, 0, len(list))
	for _, s := range list {
		ids = append(ids, s.ID)
	}
	values, err := req.valuesOf(ctx, fields, ids)
	rows := make([]shipmentRow, 0, len(list))
	for _, s := range list {
		rows = append(rows, shipmentRow{s, values[s.ID]})
	}
	return rows, total, err
}

// shipmentName is the number that a shipment is shown by.
func shipmentName(s *tracking.Shipment) string { return s.BillOfLadingNumber }

func shipmentColumns(req *request, fields []*tracking.CustomFieldDefinition) []column[shipmentRow] {
	c := req.texts
	list := []column[shipmentRow]{
		{name: "number", shown: true, cell: func(r shipmentRow) cell {
			return cell{Text: shipmentName(r.Shipment), Href: req.toShipment(r.ID)}
		}},
		{name: "shipping_line", shown: true, cell: func(r shipmentRow) cell {
			return text(cmp.Or(r.ShippingLineShortName, r.ShippingLineName, r.ShippingLineSCAC))
		}},
		{name: "scac", cell: func(r shipmentRow) cell { return text(r.ShippingLineSCAC) }},
		{name: "customer", shown: true, cell: func(r shipmentRow) cell { return text(r.CustomerName) }},
		{name: "port_of_lading", shown: true, cell: func(r shipmentRow) cell { return place(r.PortOfLadingName, r.PortOfLadingLOCODE) }},
		{name: "port_of_discharge", shown: true, cell: func(r shipmentRow) cell { return place(r.PortOfDischargeName, r.PortOfDischargeLOCODE) }},
		{name: "destination", cell: func(r shipmentRow) cell { return place(r.DestinationName, r.DestinationLOCODE) }},
		{name: "vessel", cell: func(r shipmentRow) cell { return cell{Text: r.PODVesselName, Note: r.PODVoyageNumber} }},
		{name: "pol_etd_at", cell: func(r shipmentRow) cell { return c.moment(r.POLETDAt, r.POLTimezone) }},
		{name: "pol_atd_at", cell: func(r shipmentRow) cell { return c.moment(r.POLATDAt, r.POLTimezone) }},
		{name: "pod_eta_at", sort: "pod_eta_at", shown: true, cell: func(r shipmentRow) cell { return c.moment(r.PODETAAt, r.PODTimezone) }},
		{name: "pod_original_eta_at", cell: func(r shipmentRow) cell { return c.moment(r.PODOriginalETAAt, r.PODTimezone) }},
		{name: "pod_ata_at", shown: true, cell: func(r shipmentRow) cell { return c.moment(r.PODATAAt, r.PODTimezone) }},
		{name: "promised_arrival_at", cell: func(r shipmentRow) cell { return c.moment(r.PromisedArrivalAt, r.PODTimezone) }},
		{name: "containers", shown: true, numeric: true, cell: func(r shipmentRow) cell { return number(len(r.Containers)) }},
		{name: "ref_numbers", cell: func(r shipmentRow) cell { return joined(r.RefNumbers) }},
		{name: "tags", shown: true, cell: func(r shipmentRow) cell { return joined(r.Tags) }},
		{name: "tracking", shown: true, cell: func(r shipmentRow) cell { return trackingState(c, r.Shipment) }},
		{name: "created_at", sort: "created_at", cell: func(r shipmentRow) cell { return c.moment(r.CreatedAt, "") }},
		{name: "updated_at", sort: "updated_at", cell: func(r shipmentRow) cell { return c.moment(r.UpdatedAt, "") }},
	}
	return slices.Concat(list, fieldColumns(fields, func(r shipmentRow) fieldValues { return r.fields }))
}

// place is a place by its name, with its code.
func place(name, locode string) cell {
	if name == "" {
		return text(locode)
	}
	return cell{Text: name, Note: locode}
}

// trackingState says whether a shipment is tracked, and why not.
func trackingState(c catalog, s *tracking.Shipment) cell {
	switch {
	case !s.LineTrackingStoppedAt.IsZero():
		return cell{Text: c.get("tracking.stopped"), Note: c.word("stopped", string(s.LineTrackingStoppedReason))}
	case s.LineTrackingFailedReason != "":
		return cell{Text: c.get("tracking.failing"), Tone: "warn", Note: c.word("failed", string(s.LineTrackingFailedReason))}
	}
	return cell{Text: c.get("tracking.active"), Tone: "good"}
}

func shipmentListing(req *request) (l listing[shipmentRow], err error) {
	ctx := req.r.Context()
	fields, err := req.definedFields(ctx, tracking.ShipmentEntity)
	if err != nil {
		return l, err
	}
	custom, err := req.fieldFilters(ctx, fields)
	l = listing[shipmentRow]{
		noun: "shipments",
		filters: slices.Concat([]filter{
			{name: "q", kind: textFilter}, {name: "number", kind: textFilter}, {name: "tracking_stopped", kind: flagFilter, options: []option{
				{Value: "false", Label: req.texts.get("tracking.active")}, {Value: "true", Label: req.texts.get("tracking.stopped")},
			}},
		}, trackedFilters, custom),
		columns: shipmentColumns(req, fields), dates: shipmentDates,
	}
	l.rows = func(ctx context.Context, q *query, chosen []column[shipmentRow], p tracking.Page) ([]shipmentRow, int, error) {
		sq := tracking.ShipmentQuery{Number: q.Get("number"), Search: q.Get("q"), Stopped: q.tri("tracking_stopped"), TrackedQuery: q.tracked()}
		if err := q.err(); err != nil {
			return nil, 0, err
		}
		return req.shipmentRows(ctx, sq, p, fieldsOf(fields, chosen))
	}
	return l, err
}
