package dashboard

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/calendar"
)

const (
	// calendarFile is the name of a calendar below the address of its list.
	calendarFile = "calendar.ics"
	// calendarAction is where a calendar of a view is made, and the name of its texts.
	calendarAction = "calendar"
	// calendarDays is how long a calendar lasts unless another day is chosen.
	calendarDays = 365
	// maxCalendarRows bounds the rows of a list whose dates a calendar has. A multiple of maxSize.
	maxCalendarRows = 2_000
	// calendarRefresh is how often programs are asked to read a calendar: about as often as
	// carriers have something new.
	calendarRefresh = time.Hour
)

// dateColumns are the columns whose dates are events of a calendar.
var dateColumns = []string{"pod_eta_at", "pod_ata_at", "pod_arrived_at", "pickup_lfd", "pickup_appointment_at"}

// calendarColumns are the columns that are ticked for a new calendar, by the list.
var calendarColumns = map[string][]string{
	"shipments":  {"number", "shipping_line", "port_of_discharge", "vessel", "pod_eta_at", "pod_ata_at"},
	"containers": {"number", "shipment", "place", "pod_eta_at", "pod_arrived_at", "pickup_lfd", "pickup_appointment_at"},
}

func hasDates(columns []string) bool {
	return slices.ContainsFunc(columns, func(name string) bool { return slices.Contains(dateColumns, name) })
}

// recordDate is a date of a row that a calendar can have.
type recordDate struct {
	// name of the date: the same for an estimate and for what became of it, which are one event.
	name string
	// column that must have been chosen for the date to be shown.
	column string
	// at is the date, in a zone that is "" where it is not known; zero while not known.
	at        time.Time
	zone      string
	day       bool
	estimated bool
	// reported is the last report behind the date; zero if there is none.
	reported time.Time
	// created and modified are the times of the record.
	created, modified time.Time
}

func shipmentDates(r shipmentRow) []recordDate {
	list := []recordDate{
		{name: "arrival", column: "pod_ata_at", at: r.PODATAAt, zone: r.PODTimezone},
		{name: "arrival", column: "pod_eta_at", at: r.PODETAAt, zone: r.PODTimezone, estimated: true},
	}
	for i := range list {
		list[i].reported, list[i].created, list[i].modified = r.LineTrackingLastSucceeded, r.CreatedAt, r.UpdatedAt
	}
	return list
}

func containerDates(r containerRow) []recordDate {
	line := r.shipment.LineTrackingLastSucceeded
	terminal := latest(line, r.TerminalCheckedAt)
	list := []recordDate{
		{name: "arrival", column: "pod_arrived_at", at: r.PODArrivedAt, zone: r.PODTimezone, reported: line},
		{name: "arrival", column: "pod_eta_at", at: r.shipment.PODETAAt, zone: r.shipment.PODTimezone, estimated: true, reported: line},
		{name: "last_free_day", column: "pickup_lfd", at: r.PickupLFD, zone: lastFreeDayZone(r.Container), day: true, reported: terminal},
		{name: "pickup_appointment", column: "pickup_appointment_at", at: r.PickupAppointmentAt, zone: r.PODTimezone, reported: terminal},
	}
	for i := range list {
		list[i].created, list[i].modified = r.CreatedAt, latest(r.UpdatedAt, r.shipment.UpdatedAt)
	}
	return list
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// eventPage is what a calendar has of a page of a list.
type eventPage struct {
	events      []calendar.Event
	rows, total int
}

// eventsOf are the dates of rows as events, with nothing in them but the chosen columns.
func eventsOf[R record](req *request, l listing[R], chosen []column[R], rows []R) (events []calendar.Event) {
	for _, r := range rows {
		texts := rowTexts{values: map[string]string{}}
		for _, c := range chosen {
			texts.add(c.name, headingOf(req, c), c.cell(r))
		}
		seen := map[string]bool{}
		for _, d := range l.dates(r) {
			if _, ok := texts.values[d.column]; ok && !d.at.IsZero() && !seen[d.name] {
				seen[d.name] = true
				events = append(events, req.texts.calendarEvent(r.recordID(), d, texts))
			}
		}
	}
	return events
}

// rowTexts are the chosen columns of a row as texts.
type rowTexts struct {
	values map[string]string
	// lines are those that are no dates of their own, with their headings.
	lines []string
}

func (t *rowTexts) add(name, heading string, value cell) {
	text := value.Text
	if value.Note != "" {
		text += " (" + value.Note + ")"
	}
	t.values[name] = text
	if value.Text != "" && !slices.Contains(dateColumns, name) {
		t.lines = append(t.lines, heading+": "+text)
	}
}

// place of the row, empty if it was not chosen.
func (t *rowTexts) place() string {
	return t.values["place"] + t.values["port_of_discharge"] // one list has the one, another the other
}

func (c catalog) calendarEvent(id tracking.ID, d recordDate, t rowTexts) calendar.Event {
	kind := "calendar.event." + d.name
	if d.estimated {
		kind += ".estimated"
	}
	what := c.get(kind)
	at := c.moment(d.at, d.zone)
	if d.day {
		at = c.day(d.at, d.zone)
	}
	lines := append([]string{what + ": " + at.Text}, t.lines...)
	if d.reported.IsZero() {
		lines = append(lines, c.get("calendar.recorded", c.moment(d.modified, "").Text))
	} else {
		lines = append(lines, c.get("calendar.reported", c.moment(d.reported, "").Text))
	}
	return calendar.Event{
		UID: eventUID(id, d.name), Start: at.At, AllDay: d.day, Tentative: d.estimated,
		Summary:     strings.Join(nonEmpty(t.values["number"], what, t.place()), " · "),
		Description: strings.Join(lines, "\n"), Location: t.place(),
		Created: d.created, Modified: d.modified,
	}
}

// eventUID identifies a date of a record in all calendars. It does not show the ID of the record.
func eventUID(id tracking.ID, name string) string {
	sum := sha256.Sum256([]byte("landfall calendar " + name + " " + id.String()))
	return hex.EncodeToString(sum[:16]) + "@landfall"
}

// calendarOfView is the view in the path, as a calendar to share.
func (req *request) calendarOfView() (share, error) {
	s, err := req.sharedView()
	if err != nil {
		return share{}, err
	}
	v, l, err := req.viewToShare()
	if err != nil {
		return share{}, err
	}
	if l.events == nil {
		return share{}, req.notFound()
	}
	s.action, s.days = calendarAction, calendarDays
	for i, in := range s.inputs {
		if in.Name == "columns" {
			s.inputs[i].Options = chosen(l.options, calendarColumns[viewedNouns[v.List]]...)
			s.inputs[i].Hint = req.texts.get("calendar.columns.hint")
		}
	}
	return s, nil
}

// webcal is the address of a calendar by the scheme that browsers give to calendar programs.
func webcal(address string) template.URL {
	_, rest, _ := strings.Cut(address, "://")
	return template.URL("webcal://" + rest) //nolint:gosec // the address is one of this server
}

// showSharedCalendar shows the dates of the list that a link shares, as a calendar. It counts no
// opening: programs read it each hour, so the count would be about them and not about people.
func showSharedCalendar(req *request) error {
	if err := req.allowVisit(); err != nil {
		return err
	}
	link, visitor, err := req.Tracker.For(tracking.Actor{}).ShareLinks().Reopen(req.r.Context(), req.r.PathValue("token"))
	if err != nil {
		return req.asNone(err)
	}
	req.becomeVisitor(visitor)
	c, err := req.sharedCalendar(link)
	if err != nil {
		return req.asNone(err)
	}
	req.serveCalendar(c.Encode())
	return nil
}

// sharedCalendar reads the list of a link, to the most rows that a calendar has.
func (req *request) sharedCalendar(l *tracking.ShareLink) (c calendar.Calendar, err error) {
	if l.Shipment != (tracking.ID{}) || !hasDates(l.Columns) {
		return c, req.notFound()
	}
	of, err := req.sharedListing(viewedNouns[l.List])
	if err != nil {
		return c, err
	}
	if of.events == nil {
		return c, req.notFound()
	}
	kept, err := req.keptQuery(l)
	if err != nil {
		return c, err
	}
	c = calendar.Calendar{Name: l.Name, Refresh: calendarRefresh}
	for page, read := 1, 0; ; page++ {
		part, err := of.events(l, kept, tracking.Page{Number: page, Size: maxSize})
		if err != nil {
			return c, err
		}
		c.Events = append(c.Events, part.events...)
		read += part.rows
		switch {
		case read >= part.total || part.rows == 0:
			return c, nil
		case read >= req.calendarRows:
			c.Description = req.texts.get("calendar.truncated", grouped(read), grouped(part.total))
			return c, nil
		}
		if err := req.allowVisit(); err != nil { // a long list counts as often as its pages
			return c, err
		}
	}
}

// serveCalendar answers with a calendar, or with 304 to a program that has it.
func (req *request) serveCalendar(body []byte) {
	sum := sha256.Sum256(body)
	h := req.w.Header()
	h.Set("Content-Type", calendar.MediaType)
	h.Set("Content-Disposition", `inline; filename="`+calendarFile+`"`)
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	http.ServeContent(req.w, req.r, "", time.Time{}, bytes.NewReader(body))
}
