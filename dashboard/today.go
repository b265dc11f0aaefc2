package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/landfallhq/tracking"
)

func todayRoutes() []route {
	return []route{
		{pattern: "GET /{$}", permission: tracking.Show, serve: today},
		{pattern: "GET /search", permission: tracking.Show, serve: search},
	}
}

const (
	// soonDays is how many days ahead Today looks for free time that ends.
	soonDays = 3
	// shortList is how many rows the lists on Today have.
	shortList = 6
)

// todayPage is what needs attention.
type todayPage struct {
	Date     cell
	Tiles    []tile
	Kinds    []tile
	Urgent   table
	Accruing table
	Arrivals table
	Views    []viewLink
}

// tile is a number that links to the list that it counts.
type tile struct {
	Name  string // key of its texts
	Count int
	Tone  string // of a number above zero
	Href  string
}

// today shows what needs attention.
func today(req *request) error {
	p := todayPage{Date: req.texts.day(req.now, "")}
	for _, part := range []func(context.Context, *request) error{p.countExceptions, p.countTiles, p.listUrgent, p.listAccruing, p.listArrivals} {
		if err := part(req.r.Context(), req); err != nil {
			return err
		}
	}
	var err error
	if p.Views, err = req.viewLinks(req.r.Context(), "", tracking.ID{}); err != nil {
		return err
	}
	return req.render(http.StatusOK, "today", req.texts.get("today.title"), p)
}

func (p *todayPage) countExceptions(ctx context.Context, req *request) error {
	x := req.t.Exceptions()
	counts, err := x.Counts(ctx, tracking.ExceptionQuery{Open: tracking.Yes})
	if err != nil {
		return err
	}
	for _, kind := range x.Kinds() {
		if counts[kind] > 0 {
			p.Kinds = append(p.Kinds, tile{Name: kind, Count: counts[kind], Href: req.link("/exceptions", url.Values{"state": {"open"}, "kind": {kind}})})
		}
	}
	p.Tiles = append(p.Tiles, tile{"silent", counts["source_silent"], "info", req.link("/exceptions", url.Values{"state": {"open"}, "kind": {"source_silent"}})})
	return nil
}

// countTiles counts what is due, each with the query of the list behind it.
func (p *todayPage) countTiles(ctx context.Context, req *request) error {
	one := tracking.Page{Number: 1, Size: 1}
	soon, week := upcoming(req.now), weekOf(req.now)
	containers := func(q tracking.ContainerQuery) (int, error) {
		q.Removed = tracking.No
		_, n, err := req.t.Containers(ctx, q, one)
		return n, err
	}
	rows := []struct {
		name, tone, list string
		query            url.Values
		count            func() (int, error)
	}{
		{"free_time", "warn", "/containers", dates("free_time_ends", soon, "sort", "pickup_lfd"), func() (int, error) {
			return containers(tracking.ContainerQuery{FreeTimeEnds: soon})
		}},
		{"costs_tomorrow", "bad", "/containers", costsTomorrow, func() (int, error) {
			return containers(tracking.ContainerQuery{CostsTomorrow: tracking.Yes})
		}},
		{"accruing", "bad", "/containers", url.Values{"accruing": {"true"}, "sort": {"-cost"}}, func() (int, error) {
			return containers(tracking.ContainerQuery{Accruing: tracking.Yes})
		}},
		{"arrivals", "good", "/shipments", url.Values{"pod_eta_at": {"this_week"}, "sort": {"pod_eta_at"}}, func() (int, error) {
			_, n, err := req.t.Shipments(ctx, arriving(week), one)
			return n, err
		}},
		{"overdue", "bad", "/containers", url.Values{"overdue": {"true"}}, func() (int, error) {
			return containers(tracking.ContainerQuery{Overdue: tracking.Yes})
		}},
		{"failed", "warn", "/tracking-requests", url.Values{"status": {string(tracking.RequestFailed)}}, func() (int, error) {
			_, n, err := req.t.TrackingRequests(ctx, tracking.TrackingRequestQuery{Statuses: []tracking.RequestStatus{tracking.RequestFailed}}, one)
			return n, err
		}},
		{"deliveries", "bad", deliveriesPath, url.Values{"delivery_status": {string(tracking.DeliveryFailed)}, "last_attempt_at.from": {lately(req.now).From.Format(time.DateOnly)}}, func() (int, error) {
			_, n, err := req.t.WebhookNotifications(ctx, tracking.WebhookNotificationQuery{Statuses: []tracking.DeliveryStatus{tracking.DeliveryFailed}, LastAttempt: lately(req.now)}, one)
			return n, err
		}},
	}
	tiles := make([]tile, 0, len(rows)+1)
	for _, row := range rows {
		n, err := row.count()
		if err != nil {
			return err
		}
		tiles = append(tiles, tile{row.name, n, row.tone, req.link(row.list, row.query)})
	}
	p.Tiles = append(tiles, p.Tiles...)
	return nil
}

func (p *todayPage) listUrgent(ctx context.Context, req *request) (err error) {
	rows, _, err := req.exceptionRows(ctx, tracking.ExceptionQuery{Open: tracking.Yes, Sort: []tracking.Order{{Name: "severity"}}}, tracking.Page{Number: 1, Size: shortList})
	if err == nil {
		p.Urgent = tableOf(req, exceptionColumns(req), rows, "kind", "severity", "shipment", "container", "detail", "assignee")
	}
	return err
}

func (p *todayPage) listAccruing(ctx context.Context, req *request) error {
	q := tracking.ContainerQuery{Accruing: tracking.Yes, Removed: tracking.No}
	q.Sort = []tracking.Order{{Name: "cost", Desc: true}}
	rows, _, err := req.containerRows(ctx, q, tracking.Page{Number: 1, Size: shortList}, nil)
	if err == nil {
		p.Accruing = tableOf(req, containerColumns(req, nil), rows, "number", "place", "cost", "tomorrow")
	}
	return err
}

func (p *todayPage) listArrivals(ctx context.Context, req *request) error {
	q := arriving(weekOf(req.now))
	q.Sort = []tracking.Order{{Name: "pod_eta_at"}}
	rows, _, err := req.shipmentRows(ctx, q, tracking.Page{Number: 1, Size: shortList}, nil)
	if err == nil {
		p.Arrivals = tableOf(req, shipmentColumns(req, nil), rows, "number", "port_of_discharge", "pod_eta_at", "vessel")
	}
	return err
}

func arriving(in tracking.TimeRange) (q tracking.ShipmentQuery) {
	q.PODETA = in
	return q
}

// weekOf is the week from Monday to Sunday, in UTC.
func weekOf(now time.Time) tracking.TimeRange {
	monday := now.Truncate(24*time.Hour).AddDate(0, 0, -(int(now.Weekday())+6)%7)
	return tracking.TimeRange{From: monday, To: monday.AddDate(0, 0, 7).Add(-1)}
}

// upcoming is today and the next days, in UTC.
func upcoming(now time.Time) tracking.TimeRange {
	today := now.Truncate(24 * time.Hour)
	return tracking.TimeRange{From: today, To: today.AddDate(0, 0, soonDays+1).Add(-1)}
}

// lately is the last week and today, in UTC.
func lately(now time.Time) tracking.TimeRange {
	return tracking.TimeRange{From: now.Truncate(24*time.Hour).AddDate(0, 0, -7)}
}

// dates returns the parameters of a list for a range of days, and pairs of others.
func dates(name string, in tracking.TimeRange, pairs ...string) url.Values {
	q := url.Values{name + ".from": {in.From.Format(time.DateOnly)}, name + ".to": {in.To.Format(time.DateOnly)}}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return q
}
