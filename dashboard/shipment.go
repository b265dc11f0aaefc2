package dashboard

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/landfallhq/tracking"
)

func shipmentRoutes() []route {
	return []route{
		{pattern: "GET /shipments/{id}", permission: tracking.Show, serve: showShipment},
		{pattern: "GET /shipments/{id}/map.geojson", permission: tracking.Show, serve: showShipmentMap},
		{pattern: "POST /shipments/{id}/fields", permission: tracking.Update, serve: setField(tracking.ShipmentEntity, "shipments", (*request).renderShipment)},
		{pattern: "POST /shipments/{id}/stop", permission: tracking.Update, serve: act("shipments", "action.stopped", stopTracking)},
		{pattern: "POST /shipments/{id}/resume", permission: tracking.Update, serve: act("shipments", "action.resumed", resumeTracking)},
		{pattern: "GET /custom-fields/{id}", permission: tracking.Show, serve: showField},
	}
}

// recent is how many changes a page shows by itself.
const recent = 20

// attribute is a named value of a page.
type attribute struct {
	Name  string
	Value cell
}

// shipmentPage is a shipment with everything that is known of it.
type shipmentPage struct {
	Name       string
	Line       string
	State      cell
	Past       past
	Stages     []stage
	Map        journeyMap
	Attributes []attribute
	ETA        etaHistory
	Containers table
	Exceptions table
	Timeline   []entry
	Changes    table
	Papers     table
	Upload     *uploadForm // nil with its past
	Fields     fieldForm
	Audit      table
	Buttons    []button
	// Shares are the share links, and Share is where another is made; empty for those who may
	// not, and with its past.
	Shares table
	Share  string
	// Audited: the session may read the audit log.
	Audited bool
}

func showShipment(req *request) error { return req.renderShipment(http.StatusOK, nil) }

// renderShipment shows a shipment. refused is a value of a custom field that was refused.
func (req *request) renderShipment(status int, refused *refusedField) error {
	ctx := req.r.Context()
	at, err := req.asOf()
	if err != nil {
		return err
	}
	s, err := req.shipmentAt(ctx, req.pathID(), at)
	if err != nil {
		return err
	}
	boxes, err := req.containersOf(ctx, s, at)
	if err != nil {
		return err
	}
	req.about(append(slices.Clone(s.Containers), s.ID)...)
	p := shipmentPage{
		Name: shipmentName(s), Line: cmp.Or(s.ShippingLineName, s.ShippingLineSCAC), State: trackingState(req.texts, s), Past: at,
		Stages: req.texts.shipmentStages(s, boxes), Attributes: req.texts.shipmentAttributes(s),
	}
	page := "/shipments/" + s.ID.String()
	if s.LineTrackingStoppedAt.IsZero() {
		p.Buttons = req.buttons(at, page+"/stop", "action.stop")
	} else {
		p.Buttons = req.buttons(at, page+"/resume", "action.resume")
	}
	if err := p.read(ctx, req, s, boxes, refused); err != nil {
		return err
	}
	return req.render(status, "shipment", p.Name, p)
}

// shipmentAt reads a shipment, as it was known at a moment.
func (req *request) shipmentAt(ctx context.Context, id tracking.ID, at past) (*tracking.Shipment, error) {
	if at.present() {
		return req.t.Shipment(ctx, id)
	}
	return req.t.ShipmentAsOf(ctx, id, at.At)
}

func (req *request) containersOf(ctx context.Context, s *tracking.Shipment, at past) ([]*tracking.Container, error) {
	list := make([]*tracking.Container, 0, len(s.Containers))
	for _, id := range s.Containers {
		box, err := req.containerAt(ctx, id, at)
		if err != nil {
			return nil, err
		}
		list = append(list, box)
	}
	return list, nil
}

func (c catalog) shipmentStages(s *tracking.Shipment, boxes []*tracking.Container) []stage {
	list := []stage{
		c.reached("departed", s.POLATDAt, s.POLETDAt, s.POLTimezone),
		c.reached("arrived", s.PODATAAt, s.PODETAAt, s.PODTimezone),
	}
	list[0].Note, list[1].Note = cmp.Or(s.PortOfLadingName, s.PortOfLadingLOCODE), cmp.Or(s.PortOfDischargeName, s.PortOfDischargeLOCODE)
	if s.DestinationLOCODE != "" {
		inland := c.reached("destination", s.DestinationATAAt, s.DestinationETAAt, s.DestinationTimezone)
		inland.Note = cmp.Or(s.DestinationName, s.DestinationLOCODE)
		list = append(list, inland)
	}
	picked, returned := 0, 0
	for _, b := range boxes {
		if !b.PODFullOutAt.IsZero() || !b.FinalDestinationFullOutAt.IsZero() {
			picked++
		}
		if !b.EmptyTerminatedAt.IsZero() {
			returned++
		}
	}
	part := func(name string, n int) stage {
		return stage{Name: c.get("stage." + name), Note: c.get("stage.part", n, len(boxes)), Done: n > 0 && n == len(boxes)}
	}
	return finish(append(list, part("picked_up", picked), part("returned", returned)))
}

func (c catalog) shipmentAttributes(s *tracking.Shipment) []attribute {
	list := []attribute{
		{"customer", text(s.CustomerName)}, {"vessel", cell{Text: s.PODVesselName, Note: joined(nonEmpty(s.PODVoyageNumber, s.PODVesselIMO)).Text}},
		{"pol_etd_at", c.moment(s.POLETDAt, s.POLTimezone)}, {"pol_atd_at", c.moment(s.POLATDAt, s.POLTimezone)},
		{"pod_original_eta_at", c.moment(s.PODOriginalETAAt, s.PODTimezone)}, {"pod_eta_at", c.moment(s.PODETAAt, s.PODTimezone)},
		{"promised_arrival_at", c.promise(s)}, {"pod_ata_at", c.moment(s.PODATAAt, s.PODTimezone)},
		{"ref_numbers", joined(s.RefNumbers)}, {"tags", joined(s.Tags)},
		{"asked_at", c.moment(s.LineTrackingLastSucceeded, "")}, {"created_at", c.moment(s.CreatedAt, "")},
	}
	return slices.DeleteFunc(list, func(a attribute) bool { return a.Value.Empty() })
}

// promise is the promised arrival, with how long after it the shipment is expected or has
// arrived.
func (c catalog) promise(s *tracking.Shipment) cell {
	promised := c.moment(s.PromisedArrivalAt, s.PODTimezone)
	arrival := s.PODATAAt
	if arrival.IsZero() {
		arrival = s.PODETAAt
	}
	if late := int(arrival.Sub(s.PromisedArrivalAt).Hours()); !promised.Empty() && !arrival.IsZero() && late > 0 {
		promised.Note = c.count("promise.late", late)
	}
	return promised
}

// read adds what other records say about the shipment.
func (p *shipmentPage) read(ctx context.Context, req *request, s *tracking.Shipment, boxes []*tracking.Container, refused *refusedField) (err error) {
	rows, err := req.describeContainers(ctx, boxes, nil)
	if err != nil {
		return err
	}
	shown := []string{"number", "status", "free_time_ends_on", "cost", "tomorrow", "holds", "next_milestone"}
	if !p.Past.present() { // costs and the next milestone are known of the present alone
		shown = []string{"number", "status", "holds"}
	}
	p.Containers = tableOf(req, containerColumns(req, nil), rows, shown...)
	if p.ETA, err = req.etaHistory(ctx, s, p.Past); err != nil {
		return err
	}
	if p.Past.Moments, err = req.moments(ctx, s.ID); err != nil {
		return err
	}
	if p.Map, err = req.journeyMap(ctx, p.Past, boxes, "/shipments/"+s.ID.String()+"/map.geojson"); err != nil {
		return err
	}
	if p.Timeline, err = req.milestones(ctx, tracking.TransportEventQuery{Shipment: s.ID}, p.Past); err != nil {
		return err
	}
	if p.Past.present() {
		p.Timeline = append(p.Timeline, req.texts.shipmentOutlook(req, s)...)
	}
	if p.Exceptions, err = req.openExceptions(ctx, tracking.ExceptionQuery{Shipments: []tracking.ID{s.ID}}, p.Past); err != nil {
		return err
	}
	if p.Changes, err = req.changes(ctx, tracking.RevisionQuery{Shipment: s.ID}, p.Past); err != nil {
		return err
	}
	if p.Papers, err = req.papers(ctx, s); err != nil {
		return err
	}
	if p.Past.present() {
		p.Upload = req.uploadForm(s.ID)
		if p.Shares, err = req.shareLinks(ctx, tracking.ShareLinkQuery{Shipments: []tracking.ID{s.ID}}); err != nil {
			return err
		}
		if req.can(tracking.Create) {
			p.Share = req.link("/shipments/" + s.ID.String() + "/share")
		}
	}
	if p.Fields, err = req.fieldForm(ctx, tracking.ShipmentEntity, s.ID, refused); err != nil {
		return err
	}
	p.Audited = req.can(tracking.Admin)
	p.Audit, err = req.audit(ctx, s.ID)
	return err
}

// shipmentOutlook is what is estimated for a shipment.
func (c catalog) shipmentOutlook(req *request, s *tracking.Shipment) (list []entry) {
	for _, e := range []struct {
		what, place string
		when        cell
		reported    bool
	}{
		{"stage.departed", s.PortOfLadingName, c.moment(s.POLETDAt, s.POLTimezone), !s.POLATDAt.IsZero()},
		{"stage.arrived", s.PortOfDischargeName, c.moment(s.PODETAAt, s.PODTimezone), !s.PODATAAt.IsZero()},
		{"stage.destination", s.DestinationName, c.moment(s.DestinationETAAt, s.DestinationTimezone), !s.DestinationATAAt.IsZero()},
	} {
		if !e.when.Empty() && !e.reported {
			list = append(list, entry{What: c.get(e.what), Place: e.place, When: e.when, Expected: true, Late: e.when.At.Before(req.now)})
		}
	}
	return list
}

// openExceptions are the exceptions that are open, the most urgent first; none with the past.
func (req *request) openExceptions(ctx context.Context, q tracking.ExceptionQuery, at past) (table, error) {
	if !at.present() {
		return table{}, nil
	}
	q.Open, q.Sort = tracking.Yes, []tracking.Order{{Name: "severity"}}
	rows, _, err := req.exceptionRows(ctx, q, tracking.Page{})
	return tableOf(req, exceptionColumns(req), rows, "kind", "severity", "container", "detail", "state", "assignee", "opened_at"), err
}

// changeRow is a change of an attribute that a source has caused.
type changeRow struct {
	*tracking.Revision
	container     *tracking.Container
	before, after cell
}

func (r changeRow) recordID() tracking.ID { return r.ID }

// changes are the last changes of attributes that were known at a moment.
func (req *request) changes(ctx context.Context, q tracking.RevisionQuery, p past) (table, error) {
	var list []*tracking.Revision
	for page, more := 1, true; more && len(list) < recent; page++ { // the last first
		read, _, err := req.t.Revisions(ctx, q, tracking.Page{Number: page, Size: 10 * recent})
		if err != nil {
			return table{}, err
		}
		more = len(read) == 10*recent && !p.present()
		for _, r := range read {
			if p.present() || p.knows(r.LearnedAt, time.Time{}) {
				list = append(list, r)
			}
		}
	}
	rows := make([]changeRow, 0, recent)
	for _, r := range list[:min(len(list), recent)] {
		box, err := req.places.container(ctx, r.Container)
		if err != nil {
			return table{}, err
		}
		row := changeRow{Revision: r, container: box}
		if row.before, err = req.revised(ctx, r, r.Before); err != nil {
			return table{}, err
		}
		if row.after, err = req.revised(ctx, r, r.After); err != nil {
			return table{}, err
		}
		rows = append(rows, row)
	}
	return fill(req, changeColumns(req), rows), nil
}

// revised is a value of a revision: a time in its zone, a terminal by its name, or a text.
func (req *request) revised(ctx context.Context, r *tracking.Revision, s string) (cell, error) {
	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return req.texts.moment(at, r.Timezone), nil
	}
	if id := parseID(s); id != (tracking.ID{}) && slices.Contains([]tracking.RevisedAttribute{"pod_terminal", "pickup_facility"}, r.Attribute) {
		name, err := req.places.terminal(ctx, id)
		return text(name), err
	}
	return text(s), nil
}

func changeColumns(req *request) []column[changeRow] {
	c := req.texts
	return []column[changeRow]{
		{name: "attribute", cell: func(r changeRow) cell {
			return cell{Text: c.word("attribute", string(r.Attribute)), Note: r.container.Number}
		}},
		{name: "before", cell: func(r changeRow) cell { return r.before }},
		{name: "after", cell: func(r changeRow) cell { return r.after }},
		{name: "learned_at", cell: func(r changeRow) cell { return c.moment(r.LearnedAt, "") }},
		{name: "source", cell: func(r changeRow) cell {
			return cell{Text: r.Source, Note: c.word("source", string(r.DataSource))}
		}},
	}
}

// papers are the documents that are linked to a shipment.
func (req *request) papers(ctx context.Context, s *tracking.Shipment) (table, error) {
	rows, _, err := req.documentRows(ctx, tracking.DocumentQuery{Shipments: []tracking.ID{s.ID}}, tracking.Page{Number: 1, Size: maxSize})
	return tableOf(req, documentColumns(req), rows, "name", "document_type", "discrepancies", "created_at"), err
}

// auditRow is a change that somebody has made.
type auditRow struct {
	*tracking.AuditEvent
	user string // name, address or ID
}

func (r auditRow) recordID() tracking.ID { return r.ID }

// audit is who changed a record; empty without the permission to know.
func (req *request) audit(ctx context.Context, id tracking.ID) (table, error) {
	if !req.can(tracking.Admin) {
		return table{}, nil
	}
	list, _, err := req.t.AuditEvents(ctx, tracking.AuditEventQuery{Resources: []tracking.ID{id}}, tracking.Page{Number: 1, Size: recent})
	if err != nil {
		return table{}, err
	}
	rows := make([]auditRow, 0, len(list))
	for _, e := range list {
		user, err := req.places.user(ctx, e.User)
		if err != nil {
			return table{}, err
		}
		rows = append(rows, auditRow{e, user})
	}
	c := req.texts
	return fill(req, []column[auditRow]{
		{name: "operation", cell: func(r auditRow) cell { return text(c.word("operation", r.Operation)) }},
		{name: "changed", cell: func(r auditRow) cell { return joined(r.Changed) }},
		{name: "actor", cell: func(r auditRow) cell {
			return cell{Text: c.word("actor", r.ActorType), Note: joined(nonEmpty(r.user, shown(r.Key))).Text}
		}},
		{name: "client_address", cell: func(r auditRow) cell { return text(r.ClientAddress) }},
		{name: "created_at", cell: func(r auditRow) cell { return c.moment(r.CreatedAt, "") }},
	}, rows), nil
}

// shown is an ID as a text; empty for none.
func shown(id tracking.ID) string {
	if id == (tracking.ID{}) {
		return ""
	}
	return id.String()
}
