package dashboard

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/netblock"
	"github.com/landfallhq/tracking/internal/ratelimit"
)

const (
	// sharedWindow and maxShared bound the openings of a network.
	sharedWindow = time.Minute
	maxShared    = 300
)

// alwaysShared are the columns of a shipment that cannot be chosen to be shared: those that
// each link shows, and those about the account's own tracking.
var alwaysShared = []string{"number", "containers", "pod_eta_at", "pod_ata_at", "tracking", "created_at", "updated_at"}

// internalColumns are those of lists that cannot be shared: costs, users and their notes.
var internalColumns = map[string][]string{
	"shipments":         {"tracking", "created_at", "updated_at"},
	"containers":        {"free_time_ends_on", "cost", "tomorrow", "currency", "created_at", "updated_at"},
	"tracking-requests": {"failed_reason", "retry_count", "created_at", "updated_at"},
	"exceptions":        {"state", "assignee", "acknowledged", "note", "updated_at"},
}

// ofShipment are the columns of the containers of a shipment that cannot be chosen: each link
// shows them, or they are those of the shipment.
var ofShipment = append([]string{"number", "status", "shipment", "customer", "place", "pod_eta_at"}, internalColumns["containers"]...)

// sharedPage is what the layout of shared pages shows.
type sharedPage struct {
	Title   string
	Content any
}

// serveShared returns the handler of a route for visitors: it knows no session, and its answer
// has nothing of the account but what the route shows.
func (h *handler) serveShared(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req := &request{handler: h, w: w, r: r, now: h.Clock.Now().UTC()}
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("X-Robots-Tag", "noindex, nofollow, noarchive")
		err := error(&pageError{http.StatusMethodNotAllowed, h.texts.get("error.method")})
		switch {
		case r.Method == http.MethodGet || r.Method == http.MethodHead || rt.posts && r.Method == http.MethodPost:
			err = rt.serve(req)
		case rt.posts:
			header.Set("Allow", "GET, HEAD, POST")
		default:
			header.Set("Allow", "GET, HEAD")
		}
		if err != nil {
			req.failShared(err)
		}
	})
}

// failShared answers with the page of an error, which is the same for all addresses that show
// nothing.
func (req *request) failShared(err error) {
	if errors.Is(err, context.Canceled) && req.r.Context().Err() != nil {
		return // as in fail
	}
	page, logged := req.asPageError(err)
	if logged {
		req.Logger.Error("dashboard: a shared page failed", "error", err)
	}
	if err := req.renderShared(page.status, "shared-none", req.texts.get("shared.none.title"), page.sentence); err != nil {
		req.Logger.Error("dashboard: error page", "error", err)
		http.Error(req.w, page.sentence, page.status)
	}
}

func (req *request) renderShared(status int, name, title string, content any) error {
	var b bytes.Buffer
	if err := req.pages[name]().ExecuteTemplate(&b, "shared-layout", sharedPage{title, content}); err != nil {
		return err
	}
	req.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	req.w.WriteHeader(status)
	_, _ = req.w.Write(b.Bytes()) // the browser may have gone
	return nil
}

// showShared shows what a link shares.
func showShared(req *request) error {
	if err := req.allowVisit(); err != nil {
		return err
	}
	given := canonical(url.Values{paramPage: req.r.URL.Query()[paramPage]})
	links := req.Tracker.For(tracking.Actor{}).ShareLinks()
	ctx, token := req.r.Context(), req.r.PathValue("token")
	open := links.Open
	if n, _ := strconv.Atoi(given.Get(paramPage)); n > 1 || req.r.Method == http.MethodHead {
		open = links.Reopen
	}
	link, visitor, err := open(ctx, token)
	if err == nil && link.Shipment != (tracking.ID{}) && req.r.Method == http.MethodGet && given.Has(paramPage) {
		link, visitor, err = links.Open(ctx, token) // a shipment has no later page
	}
	if err == nil {
		req.becomeVisitor(visitor)
		if link.Shipment != (tracking.ID{}) {
			err = req.showSharedShipment(link)
		} else {
			err = req.showSharedList(link, given)
		}
	}
	return req.asNone(err)
}

// allowVisit counts a request of the network of the visitor, and refuses it beyond the bound.
func (req *request) allowVisit() error {
	from := ratelimit.Quota{Scope: ratelimit.Scope{ID: netblock.Of(req.ClientAddress(req.r)).As16()}, Limit: maxShared}
	switch wait, ok, err := req.visits.Allow(req.r.Context(), req.now, from); {
	case err != nil:
		return err
	case !ok:
		req.w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
		return &pageError{http.StatusTooManyRequests, req.texts.get("shared.limited")}
	}
	return nil
}

// becomeVisitor makes the request one of somebody who may only look.
func (req *request) becomeVisitor(visitor *tracking.Tracker) {
	req.t, req.actor, req.places = visitor, tracking.Actor{Permissions: []tracking.Permission{tracking.Show}}, &placeNames{t: visitor}
}

// asNone is the one answer of all addresses that show nothing: also of a list whose filters are
// no longer understood, since without them it would show more.
func (req *request) asNone(err error) error {
	var page *pageError
	var fault *tracking.Error
	if errors.As(err, &page) && page.status < 500 && page.status != http.StatusTooManyRequests || errors.As(err, &fault) && statuses[fault.Kind] != 0 && statuses[fault.Kind] < 500 {
		return &pageError{http.StatusNotFound, req.texts.get("shared.none")}
	}
	return err
}

// sharedFrame is what all shared pages show: when they were made, and until when they can be
// seen.
type sharedFrame struct {
	Name       string
	Until, Now cell
}

func (req *request) sharedFrame(l *tracking.ShareLink, name string) sharedFrame {
	return sharedFrame{name, req.texts.lastDay(l), req.texts.moment(req.now, l.Timezone)}
}

// sharedShipmentPage is a shipment without anything that was not chosen.
type sharedShipmentPage struct {
	sharedFrame
	Stages     []stage
	Attributes []attribute
	Containers table
	Timeline   []entry
	// HasTimeline: the milestones were chosen.
	HasTimeline bool
}

func (req *request) showSharedShipment(l *tracking.ShareLink) error {
	ctx := req.r.Context()
	s, err := req.t.Shipment(ctx, l.Shipment)
	if err != nil {
		return err
	}
	containers, err := req.containersOf(ctx, s, past{})
	if err != nil {
		return err
	}
	p := sharedShipmentPage{sharedFrame: req.sharedFrame(l, shipmentName(s)), Stages: req.texts.shipmentStages(s, containers)}
	if p.Attributes, err = req.sharedAttributes(ctx, l, s); err != nil {
		return err
	}
	if p.Containers, err = req.sharedContainers(ctx, l, containers); err != nil {
		return err
	}
	if p.HasTimeline = slices.Contains(l.Columns, timelineChoice); p.HasTimeline {
		if p.Timeline, err = req.sharedTimeline(ctx, s); err != nil {
			return err
		}
	}
	return req.renderShared(http.StatusOK, "shared-shipment", p.Name, p)
}

// sharedAttributes are the arrival and what was chosen of a shipment.
func (req *request) sharedAttributes(ctx context.Context, l *tracking.ShareLink, s *tracking.Shipment) ([]attribute, error) {
	fields, err := req.sharedFields(ctx, l, tracking.ShipmentEntity)
	if err != nil {
		return nil, err
	}
	values, err := req.valuesOf(ctx, fields, []tracking.ID{s.ID})
	if err != nil {
		return nil, err
	}
	all := shipmentColumns(req, fields)
	columns := append(choose(all, []string{"pod_eta_at", "pod_ata_at"}), choose(without(all, alwaysShared...), l.Columns)...)
	var list []attribute
	for _, c := range columns {
		if v := c.cell(shipmentRow{s, values[s.ID]}); !v.Empty() {
			list = append(list, attribute{headingOf(req, c), unlinked(v)})
		}
	}
	return list, nil
}

// sharedContainers are the containers of a shipment, with what was chosen of them.
func (req *request) sharedContainers(ctx context.Context, l *tracking.ShareLink, containers []*tracking.Container) (table, error) {
	names := make([]string, 0, len(l.Columns))
	for _, name := range l.Columns {
		if name, ok := strings.CutPrefix(name, containerPrefix); ok {
			names = append(names, name)
		}
	}
	fields, err := req.sharedFields(ctx, l, tracking.ContainerEntity)
	if err != nil {
		return table{}, err
	}
	rows, err := req.describeContainers(ctx, containers, fields)
	if err != nil {
		return table{}, err
	}
	all := containerColumns(req, fields)
	columns := append(choose(all, []string{"number", "status"}), choose(without(all, ofShipment...), names)...)
	return bare(fill(req, columns, rows)), nil
}

// sharedTimeline are the milestones of a shipment and what is estimated, without their sources.
func (req *request) sharedTimeline(ctx context.Context, s *tracking.Shipment) ([]entry, error) {
	list, err := req.milestones(ctx, tracking.TransportEventQuery{Shipment: s.ID}, past{})
	list = append(list, req.texts.shipmentOutlook(req, s)...)
	for i := range list {
		e := &list[i]
		if e.Source, e.Learned = "", (cell{}); len(s.Containers) == 1 {
			e.Containers = nil
		}
		for n, box := range e.Containers {
			e.Containers[n] = unlinked(box)
		}
	}
	return list, err
}

// sharedFields are the custom fields that a link may show: those that were chosen, and no later
// ones of the same name.
func (req *request) sharedFields(ctx context.Context, l *tracking.ShareLink, of tracking.EntityType) ([]*tracking.CustomFieldDefinition, error) {
	if len(l.Fields) == 0 {
		return nil, nil //nolint:nilnil // none were chosen
	}
	fields, err := req.definedFields(ctx, of)
	return slices.DeleteFunc(fields, func(d *tracking.CustomFieldDefinition) bool { return !slices.Contains(l.Fields, d.ID) }), err
}

// unlinked is a value without its address, which is one of the account.
func unlinked(c cell) cell {
	c.Href = ""
	return c
}

// bare is a table without addresses and IDs.
func bare(t table) table {
	for i := range t.Rows {
		t.Rows[i].ID = ""
		for n, c := range t.Rows[i].Cells {
			t.Rows[i].Cells[n] = unlinked(c)
		}
	}
	return t
}

// sharedListPage is a list without anything that was not chosen.
type sharedListPage struct {
	sharedFrame
	Count          string
	Table          table
	First, Last    int
	Total          int
	Previous, Next string
	// Start is page 1, for a page behind the last one; empty on others.
	Start string
	// Calendar is the address of the dates for calendar programs; empty if none were chosen.
	Calendar string
}

// sharedListing is a list whose columns can be chosen to be shared.
type sharedListing struct {
	entity tracking.EntityType
	// options are the columns that can be chosen; shown are those that the list has by itself.
	options []option
	shown   []string
	// page reads a page of the list as a link has it.
	page func(l *tracking.ShareLink, q *query, p tracking.Page) (table, int, error)
	// events reads the events of a page for a calendar; nil for a list without calendars.
	events func(l *tracking.ShareLink, q *query, p tracking.Page) (eventPage, error)
}

// sharedListing returns the list of a noun.
func (req *request) sharedListing(noun string) (sharedListing, error) {
	switch noun {
	case "shipments":
		return sharedListingOf(req, tracking.ShipmentEntity, shipmentListing)
	case "containers":
		return sharedListingOf(req, tracking.ContainerEntity, containerListing)
	case "tracking-requests":
		return sharedListingOf(req, tracking.TrackingRequestEntity, trackingRequestListing)
	case "exceptions":
		return sharedListingOf(req, "", exceptionListing)
	}
	return sharedListing{}, req.notFound()
}

func sharedListingOf[R record](req *request, entity tracking.EntityType, of func(*request) (listing[R], error)) (sharedListing, error) {
	l, err := of(req)
	columns := without(l.columns, internalColumns[l.noun]...)
	out := sharedListing{entity: entity, options: columnOptions(req, "", columns)}
	for _, c := range columns {
		if c.shown {
			out.shown = append(out.shown, c.name)
		}
	}
	read := func(link *tracking.ShareLink, q *query, p tracking.Page) (chosen []column[R], rows []R, total int, err error) {
		ctx := req.r.Context()
		fields, err := req.sharedFields(ctx, link, entity)
		if err != nil {
			return nil, nil, 0, err
		}
		chosen = slices.DeleteFunc(choose(columns, link.Columns), func(c column[R]) bool {
			slug, custom := strings.CutPrefix(c.name, fieldPrefix)
			return custom && !slices.ContainsFunc(fields, func(d *tracking.CustomFieldDefinition) bool { return d.APISlug == slug })
		})
		l.check(q)
		if err := q.err(); err != nil {
			return nil, nil, 0, err
		}
		rows, total, err = l.rows(ctx, q, chosen, p)
		return chosen, rows, total, cmp.Or(q.err(), err)
	}
	out.page = func(link *tracking.ShareLink, q *query, p tracking.Page) (table, int, error) {
		chosen, rows, total, err := read(link, q, p)
		if err != nil {
			return table{}, 0, err
		}
		return bare(fill(req, chosen, rows)), total, nil
	}
	if l.dates != nil {
		out.events = func(link *tracking.ShareLink, q *query, p tracking.Page) (eventPage, error) {
			chosen, rows, total, err := read(link, q, p)
			return eventPage{eventsOf(req, l, chosen, rows), len(rows), total}, err
		}
	}
	return out, err
}

// preselected are the columns of a view that are ticked in the form: its own, but no custom
// fields and no texts of users.
func preselected(l sharedListing, parameters string) []string {
	given, err := url.ParseQuery(parameters)
	names := strings.Split(given.Get(paramColumns), ",")
	if err != nil || given.Get(paramColumns) == "" {
		names = l.shown
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return strings.HasPrefix(name, fieldPrefix) || slices.Contains([]string{"tags", "ref_numbers", "customer", "detail"}, name)
	})
}

func (req *request) showSharedList(l *tracking.ShareLink, given url.Values) error {
	noun := viewedNouns[l.List]
	of, err := req.sharedListing(noun)
	if err != nil {
		return err
	}
	kept, err := req.keptQuery(l)
	if err != nil {
		return err
	}
	at := &query{Values: given, texts: req.texts, now: req.now}
	page := at.page()
	if err := at.err(); err != nil {
		return err
	}
	rows, total, err := of.page(l, kept, page)
	if err != nil {
		return err
	}
	p := sharedListPage{sharedFrame: req.sharedFrame(l, l.Name), Table: rows, Total: total, Count: req.texts.count(noun+".count", total)}
	p.paginate(page, len(rows.Rows))
	if of.events != nil && hasDates(l.Columns) { // relative, as those of the pages
		p.Calendar = req.r.PathValue("token") + "/" + calendarFile
	}
	return req.renderShared(http.StatusOK, "shared-list", p.Name, p)
}

// keptQuery is the query of the list that a link shares.
func (req *request) keptQuery(l *tracking.ShareLink) (*query, error) {
	kept, err := url.ParseQuery(l.Parameters)
	if err != nil {
		return nil, req.notFound()
	}
	kept = viewParameters(kept)
	kept.Del(paramColumns)
	return &query{Values: kept, texts: req.texts, now: req.now}, nil
}

// paginate adds the pages before and after. Their addresses are relative: they name no token.
func (p *sharedListPage) paginate(at tracking.Page, rows int) {
	if rows > 0 {
		p.First = (at.Number-1)*at.Size + 1
		p.Last = p.First + rows - 1
	}
	if at.Number > 1 {
		p.Previous = "?" + paramPage + "=" + strconv.Itoa(at.Number-1)
	}
	if p.Last < p.Total && rows > 0 {
		p.Next = "?" + paramPage + "=" + strconv.Itoa(at.Number+1)
	}
	if rows == 0 && p.Total > 0 {
		p.Start = "?" + paramPage + "=1"
	}
}
