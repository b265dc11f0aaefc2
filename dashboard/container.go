package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
)

func containerRoutes() []route {
	return []route{
		{pattern: "GET /containers/{id}", permission: tracking.Show, serve: showContainer},
		{pattern: "GET /containers/{id}/facts", permission: tracking.Show, serve: showRawEvents},
		{pattern: "GET /containers/{id}/map.geojson", permission: tracking.Show, serve: showContainerMap},
		{pattern: "GET /containers/{id}/charges.csv", permission: tracking.Show, serve: exportCharges(typeCSV, ".csv", openCSV)},
		{pattern: "GET /containers/{id}/charges.xlsx", permission: tracking.Show, serve: exportCharges(typeXLSX, ".xlsx", openXLSX)},
		{pattern: "POST /containers/{id}/fields", permission: tracking.Update, serve: setField(tracking.ContainerEntity, "containers", (*request).renderContainer)},
		{pattern: "POST /containers/{id}/refresh", permission: tracking.Update, serve: act("containers", "action.refreshed", refreshContainer)},
	}
}

// containerPage is a container with everything that is known of it.
type containerPage struct {
	ID         string
	Name       string
	Status     cell
	Shipment   cell
	Equipment  cell
	Past       past
	Stages     []stage
	Map        journeyMap
	Attributes []attribute
	Holds      []attribute
	Fees       []attribute
	Clocks     []clock
	Totals     []attribute
	// Sheets are the files with the days of the clocks; empty without days.
	Sheets     []attribute
	Exceptions table
	Timeline   []entry
	Changes    table
	Fields     fieldForm
	Audit      table
	Audited    bool
	Buttons    []button
}

// clock is the count of days against free time at one place.
type clock struct {
	Name       string
	Unknown    string
	Attributes []attribute
	Days       table
}

func showContainer(req *request) error { return req.renderContainer(http.StatusOK, nil) }

func (req *request) renderContainer(status int, refused *refusedField) error {
	ctx := req.r.Context()
	at, err := req.asOf()
	if err != nil {
		return err
	}
	box, err := req.containerAt(ctx, req.pathID(), at)
	if err != nil {
		return err
	}
	s, err := req.shipmentAt(ctx, box.Shipment, at)
	if err != nil {
		return err
	}
	req.about(box.ID, s.ID)
	c := req.texts
	p := containerPage{
		ID: box.ID.String(), Name: box.Number, Status: c.containerStatus(box.CurrentStatus), Past: at, Shipment: linked(shipmentName(s), req.toShipment(s.ID)),
		Equipment: c.equipment(box), Stages: c.containerStages(s, box), Attributes: c.containerAttributes(s, box),
	}
	p.restrictions(c, box)
	p.Buttons = req.buttons(at, "/containers/"+p.ID+"/refresh", "action.refresh")
	if err := p.read(ctx, req, box, refused); err != nil {
		return err
	}
	return req.render(status, "container", p.Name, p)
}

func (req *request) containerAt(ctx context.Context, id tracking.ID, at past) (*tracking.Container, error) {
	if at.present() {
		return req.t.Container(ctx, id)
	}
	return req.t.ContainerAsOf(ctx, id, at.At)
}

func (c catalog) containerStages(s *tracking.Shipment, b *tracking.Container) []stage {
	none := time.Time{}
	list := []stage{
		c.reached("empty_out", b.EmptyOutAt, none, s.POLTimezone), c.reached("full_in", b.POLFullInAt, none, s.POLTimezone),
		c.reached("loaded", b.POLVesselLoadedAt, none, s.POLTimezone), c.reached("departed", b.POLVesselDepartedAt, s.POLETDAt, s.POLTimezone),
		c.reached("arrived", b.PODArrivedAt, s.PODETAAt, s.PODTimezone), c.reached("discharged", b.PODDischargedAt, none, s.PODTimezone),
	}
	if s.DestinationLOCODE == "" {
		list = append(list, c.reached("picked_up", b.PODFullOutAt, b.PickupAppointmentAt, s.PODTimezone))
	} else {
		list = append(list, c.reached("rail_departed", b.PODRailDepartedAt, none, s.PODTimezone),
			c.reached("destination", b.INDATAAt, b.INDETAAt, b.FinalDestinationTimezone), c.reached("picked_up", b.FinalDestinationFullOutAt, none, b.FinalDestinationTimezone))
	}
	return finish(append(list, c.reached("returned", b.EmptyTerminatedAt, none, b.EmptyTerminatedTimezone)))
}

func (c catalog) containerAttributes(s *tracking.Shipment, b *tracking.Container) []attribute {
	available := cell{}
	if b.AvailabilityKnown {
		available = c.yesOrNo(b.AvailableForPickup)
	}
	list := []attribute{
		{"place", place(s.PortOfDischargeName, s.PortOfDischargeLOCODE)}, {"yard", text(b.LocationAtPODTerminal)}, {"available_for_pickup", available},
		{"pickup_lfd", c.day(b.PickupLFD, lastFreeDayZone(b))}, {"pickup_appointment_at", c.moment(b.PickupAppointmentAt, b.PODTimezone)},
		{"delivered_at", c.moment(b.DeliveredAt, b.PODTimezone)}, {"seal_number", text(b.SealNumber)}, {"weight_in_lbs", text(weight(b.WeightInLbs).Text)},
		{"ref_numbers", joined(b.RefNumbers)}, {"removed_at", c.moment(b.RemovedAt, "")},
		{"terminal_checked_at", c.moment(b.TerminalCheckedAt, "")}, {"updated_at", c.moment(b.UpdatedAt, "")},
	}
	return slices.DeleteFunc(list, func(a attribute) bool { return a.Value.Empty() })
}

// restrictions are the holds and fees that terminals report.
func (p *containerPage) restrictions(c catalog, b *tracking.Container) {
	for _, h := range b.HoldsAtPODTerminal {
		v := cell{Text: c.word("hold_status", h.Status), Tone: "warn"}
		if h.Description != nil {
			v.Note = *h.Description
		}
		p.Holds = append(p.Holds, attribute{c.word("hold", h.Name), v})
	}
	for _, f := range b.FeesAtPODTerminal {
		p.Fees = append(p.Fees, attribute{c.word("fee", f.Type), money(decimal(f.Amount), f.CurrencyCode)})
	}
}

// read adds what other records say about the container.
func (p *containerPage) read(ctx context.Context, req *request, b *tracking.Container, refused *refusedField) (err error) {
	if p.Past.Moments, err = req.moments(ctx, b.Shipment); err != nil {
		return err
	}
	if p.Map, err = req.journeyMap(ctx, p.Past, []*tracking.Container{b}, "/containers/"+p.ID+"/map.geojson"); err != nil {
		return err
	}
	if p.Timeline, err = req.milestones(ctx, tracking.TransportEventQuery{Container: b.ID}, p.Past); err != nil {
		return err
	}
	if p.Past.present() {
		next, err := req.t.Exceptions().NextMilestones(ctx, b.ID)
		if err != nil {
			return err
		}
		ahead, err := req.outlook(ctx, b, next[b.ID])
		if err != nil {
			return err
		}
		p.Timeline = append(p.Timeline, ahead...)
	}
	if err := p.charge(ctx, req, b); err != nil {
		return err
	}
	if p.Exceptions, err = req.openExceptions(ctx, tracking.ExceptionQuery{Containers: []tracking.ID{b.ID}}, p.Past); err != nil {
		return err
	}
	if p.Changes, err = req.changes(ctx, tracking.RevisionQuery{Container: b.ID}, p.Past); err != nil {
		return err
	}
	if p.Fields, err = req.fieldForm(ctx, tracking.ContainerEntity, b.ID, refused); err != nil {
		return err
	}
	p.Audited = req.can(tracking.Admin)
	p.Audit, err = req.audit(ctx, b.ID)
	return err
}

// charge adds what the container costs, day by day.
func (p *containerPage) charge(ctx context.Context, req *request, b *tracking.Container) error {
	charges, err := req.t.Tariffs().Charges(ctx, b.ID, p.Past.until()...)
	if err != nil {
		return err
	}
	facts := evidenceByID(charges)
	if len(chargeDays(charges)) > 0 {
		p.Sheets = req.sheetsOf(b.ID, p.Past)
	}
	c := req.texts
	for _, k := range charges.Clocks {
		p.Clocks = append(p.Clocks, clock{
			Name: c.word("clock", string(k.Clock)), Unknown: c.word("unknown", string(value(k.Unknown))),
			Attributes: c.clockAttributes(k, facts), Days: fill(req, dayColumns(c, k, facts), dayRows(k.Days)),
		})
	}
	for _, t := range charges.Totals {
		v := money(t.Amount, t.Currency)
		v.Note = c.get("charges.tomorrow", money(t.Tomorrow, t.Currency).Text)
		p.Totals = append(p.Totals, attribute{t.Currency, v})
	}
	return nil
}

// sheetsOf links to the files with the days of the clocks of a container.
func (req *request) sheetsOf(id tracking.ID, at past) (list []attribute) {
	q := url.Values{}
	if !at.present() {
		q.Set("as_of", at.At.Format(time.RFC3339))
	}
	for _, form := range []string{"csv", "xlsx"} {
		list = append(list, attribute{form, cell{Text: req.texts.get("export." + form), Href: req.link("/containers/"+id.String()+"/charges."+form, q)}})
	}
	return list
}

// value is what a pointer points to; the zero value for nil.
func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func (c catalog) clockAttributes(k freetime.ClockCharges, facts map[string]freetime.Evidence) []attribute {
	reported := c.calendarDay(value(k.ReportedLastFreeDay))
	reported.Note = c.word("party", string(value(k.ReportedBy)))
	list := []attribute{
		{"tariff", text(value(k.TariffName))}, {"place", text(value(k.LocationLOCODE))},
		{"opened_by", c.evidence(facts[value(k.OpenedBy)])}, {"ended_by", c.evidence(facts[value(k.EndedBy)])},
		{"last_free_day", c.calendarDay(value(k.LastFreeDay))}, {"computed_last_free_day", c.calendarDay(value(k.ComputedLastFreeDay))},
		{"reported_last_free_day", reported}, {"total", money(value(k.Total), value(k.Currency))}, {"tomorrow", money(value(k.Tomorrow), value(k.Currency))},
	}
	return slices.DeleteFunc(list, func(a attribute) bool { return a.Value.Empty() })
}

// evidence is a fact behind a clock or a day, with its source.
func (c catalog) evidence(f freetime.Evidence) cell {
	if f.ID == "" {
		return cell{}
	}
	when := c.moment(value(f.HappenedAt), value(f.Timezone))
	return cell{Text: joined(nonEmpty(c.word("fact", f.Event), when.Text)).Text, Note: joined(nonEmpty(f.Source, c.get("recorded", c.moment(f.RecordedAt, "").Text))).Text}
}

// dayRow is a day of a clock.
type dayRow struct{ freetime.ChargedOn }

func (dayRow) recordID() tracking.ID { return tracking.ID{} }

func dayRows(days []freetime.ChargedOn) []dayRow {
	rows := make([]dayRow, 0, len(days))
	for _, d := range days {
		rows = append(rows, dayRow{d})
	}
	return rows
}

var dayTones = map[freetime.Kind]string{freetime.ChargedDay: "bad", freetime.FreeDay: "good"}

func dayColumns(c catalog, k freetime.ClockCharges, facts map[string]freetime.Evidence) []column[dayRow] {
	return []column[dayRow]{
		{name: "date", cell: func(d dayRow) cell { return c.calendarDay(d.Date) }},
		{name: "day_kind", cell: func(d dayRow) cell {
			return cell{Text: c.word("day", string(d.Kind)), Tone: dayTones[d.Kind]}
		}},
		{name: "amount", numeric: true, cell: func(d dayRow) cell { return money(value(d.Amount), value(k.Currency)) }},
		{name: "why", cell: func(d dayRow) cell {
			return cell{Text: c.word("rule", string(d.Rule)), Note: c.evidence(facts[value(d.Fact)]).Text}
		}},
	}
}

// rawPage are the facts about a container, as they were received.
type rawPage struct {
	Name, Back string
	Table      table
}

// rawRow is one of them.
type rawRow struct{ *tracking.RawEvent }

func (r rawRow) recordID() tracking.ID { return r.ID }

// showRawEvents shows the facts about a container, the last received first.
func showRawEvents(req *request) error {
	ctx := req.r.Context()
	box, err := req.t.Container(ctx, req.pathID())
	if err != nil {
		return err
	}
	req.about(box.ID, box.Shipment)
	list, err := req.t.RawEvents(ctx, box.ID)
	if err != nil {
		return err
	}
	rows := make([]rawRow, 0, len(list))
	for _, e := range slices.Backward(list) {
		rows = append(rows, rawRow{e})
	}
	return req.render(http.StatusOK, "raw-events", req.texts.get("raw.title", box.Number), rawPage{box.Number, req.toContainer(box.ID), fill(req, rawColumns(req.texts), rows)})
}

func rawColumns(c catalog) []column[rawRow] {
	return []column[rawRow]{
		{name: "received_at", cell: func(r rawRow) cell { return c.moment(r.CreatedAt, "") }},
		{name: "event", cell: func(r rawRow) cell { return cell{Text: c.word("fact", r.Event), Note: r.OriginalEvent} }},
		{name: "happened_at", cell: func(r rawRow) cell { return c.moment(r.Timestamp, r.Timezone) }},
		{name: "certainty", cell: func(r rawRow) cell {
			if r.Estimated {
				return text(c.get("certainty.estimated"))
			}
			return text(c.get("certainty.actual"))
		}},
		{name: "place", cell: func(r rawRow) cell { return place(r.LocationName, r.LocationLOCODE) }},
		{name: "vessel", cell: func(r rawRow) cell { return cell{Text: r.VesselName, Note: r.VoyageNumber} }},
		{name: "source", cell: func(r rawRow) cell { return text(c.word("source", string(r.DataSource))) }},
		{name: "invalidated_at", cell: func(r rawRow) cell { return c.moment(r.InvalidatedAt, "") }},
	}
}
