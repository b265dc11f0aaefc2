package dashboard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/landfallhq/tracking"
)

const (
	deliveriesNoun = "settings/deliveries"
	deliveriesPath = "/" + deliveriesNoun
	redeliveryPath = "/settings/redelivery"
)

func deliveryRoutes() []route {
	return append(listingRoutes(deliveriesPath, deliveryListing),
		route{pattern: "GET " + deliveriesPath + "/{id}", permission: tracking.Show, serve: showDelivery},
		route{pattern: "GET " + redeliveryPath, permission: tracking.Update, serve: previewFound},
		route{pattern: "POST " + redeliveryPath + "/chosen", permission: tracking.Update, serve: previewChosen},
		route{pattern: "POST " + redeliveryPath, permission: tracking.Update, serve: redeliver},
	)
}

// deliveryRow is a notification of a webhook in a list.
type deliveryRow struct {
	*tracking.WebhookNotification
	webhook   *tracking.Webhook // nil if it was deleted
	shipment  *tracking.Shipment
	container *tracking.Container
	last      *tracking.DeliveryAttempt // nil before the first
}

func (r deliveryRow) recordID() tracking.ID { return r.ID }

func (req *request) deliveryRows(ctx context.Context, q tracking.WebhookNotificationQuery, p tracking.Page) ([]deliveryRow, int, error) {
	list, total, err := req.t.WebhookNotifications(ctx, q, p)
	if err != nil {
		return nil, 0, err
	}
	rows, err := req.describeDeliveries(ctx, list)
	return rows, total, err
}

// describeDeliveries reads what other records say about notifications.
func (req *request) describeDeliveries(ctx context.Context, list []*tracking.WebhookNotification) ([]deliveryRow, error) {
	rows := make([]deliveryRow, len(list))
	if len(list) == 0 {
		return rows, nil
	}
	hooks, err := req.webhooksByID(ctx)
	if err != nil {
		return nil, err
	}
	subjects, err := req.t.NotificationSubjects(ctx, list)
	if err != nil {
		return nil, err
	}
	last, err := req.lastAttempts(ctx, list)
	if err != nil {
		return nil, err
	}
	for i, n := range list {
		s, err := req.places.shipment(ctx, subjects[i].Shipment)
		if err != nil {
			return nil, err
		}
		box, err := req.places.container(ctx, subjects[i].Container)
		if err != nil {
			return nil, err
		}
		rows[i] = deliveryRow{n, hooks[n.Webhook], s, box, last[n.ID]}
	}
	return rows, nil
}

// lastAttempts are the last attempts of notifications that have some.
func (req *request) lastAttempts(ctx context.Context, list []*tracking.WebhookNotification) (map[tracking.ID]*tracking.DeliveryAttempt, error) {
	q := tracking.DeliveryAttemptQuery{OldestFirst: true}
	for _, n := range list {
		if n.AttemptsCount > 0 {
			q.Notifications = append(q.Notifications, n.ID)
		}
	}
	if len(q.Notifications) == 0 {
		return nil, nil //nolint:nilnil // there are none
	}
	attempts, _, err := req.t.DeliveryAttempts(ctx, q, tracking.Page{})
	last := make(map[tracking.ID]*tracking.DeliveryAttempt, len(list))
	for _, a := range attempts {
		last[a.Notification] = a
	}
	return last, err
}

var deliveryTones = map[tracking.DeliveryStatus]string{tracking.DeliveryPending: "info", tracking.DeliverySucceeded: "good", tracking.DeliveryFailed: "bad"}

func deliveryColumns(req *request) []column[deliveryRow] {
	c := req.texts
	return []column[deliveryRow]{
		{name: "event", shown: true, cell: func(r deliveryRow) cell {
			return cell{Text: c.eventLabel(r.Event), Href: req.link(deliveriesPath + "/" + r.ID.String()), Note: string(r.Event), Long: true}
		}},
		{name: "object", shown: true, cell: func(r deliveryRow) cell { return req.deliveryObject(r) }},
		{name: "webhook", shown: true, cell: func(r deliveryRow) cell { return req.deliveryWebhook(r) }},
		{name: "delivery_status", shown: true, cell: func(r deliveryRow) cell { return c.deliveryState(r.WebhookNotification) }},
		{name: "last_answer", shown: true, cell: func(r deliveryRow) cell {
			if r.last == nil {
				return cell{}
			}
			return c.answer(r.last.StatusCode, r.last.Failure, r.last.Detail)
		}},
		{name: "attempts_count", shown: true, numeric: true, cell: func(r deliveryRow) cell { return number(r.AttemptsCount) }},
		{name: "last_attempt_at", shown: true, cell: func(r deliveryRow) cell { return c.moment(r.LastAttemptAt, "") }},
		{name: "next_attempt_at", shown: true, cell: func(r deliveryRow) cell { return c.moment(r.NextAttemptAt, "") }},
		{name: "created_at", cell: func(r deliveryRow) cell { return c.moment(r.CreatedAt, "") }},
		{name: "expires_at", cell: func(r deliveryRow) cell { return c.moment(r.ExpiresAt, "") }},
	}
}

// deliveryObject is what the event is about.
func (req *request) deliveryObject(r deliveryRow) cell {
	switch {
	case r.container.ID != (tracking.ID{}):
		return cell{Text: r.container.Number, Href: req.toContainer(r.container.ID), Note: shipmentName(r.shipment)}
	case r.shipment.ID != (tracking.ID{}):
		return linked(shipmentName(r.shipment), req.toShipment(r.shipment.ID))
	}
	return text(req.texts.word("resource", r.Reference.Type))
}

// deliveryWebhook links to the list of the deliveries to the webhook, with the other filters.
func (req *request) deliveryWebhook(r deliveryRow) cell {
	if r.webhook == nil {
		return cell{Text: req.texts.get("webhook.gone"), Note: r.Webhook.String()}
	}
	v := url.Values{}
	if req.section() == "settings" && req.r.URL.Path == req.link(deliveriesPath) {
		v = req.r.URL.Query()
		v.Del(paramPage)
	}
	v.Set("webhook", r.Webhook.String())
	return cell{Text: r.webhook.URL, Href: req.link(deliveriesPath, v), Long: true}
}

// deliveryState is the state of a notification, and whether a redelivery is under way.
func (c catalog) deliveryState(n *tracking.WebhookNotification) cell {
	state := cell{Text: c.word("delivery_status", string(n.DeliveryStatus)), Tone: deliveryTones[n.DeliveryStatus], Note: c.word("delivery_reason", string(n.FailureReason))}
	if !n.RedeliveryRequestedAt.IsZero() {
		state.Note = c.get("delivery.waiting")
	}
	return state
}

var deliveryStatuses = []string{string(tracking.DeliveryPending), string(tracking.DeliverySucceeded), string(tracking.DeliveryFailed)}

// deliveryFilters are the filters of the list.
func (req *request) deliveryFilters(ctx context.Context) ([]filter, error) {
	hooks, _, err := req.t.Webhooks(ctx, tracking.WebhookQuery{}, tracking.Page{})
	if err != nil {
		return nil, err
	}
	var urls, events []option
	for _, w := range hooks {
		urls = append(urls, option{Value: w.ID.String(), Label: w.URL})
	}
	for _, e := range tracking.Describe().AllEvents {
		events = append(events, option{Value: string(e), Label: req.texts.eventLabel(e)})
	}
	return []filter{
		{name: "delivery_status", kind: choiceFilter, options: req.texts.options("delivery_status", deliveryStatuses)},
		{name: "webhook", kind: flagFilter, options: urls}, {name: "event", kind: flagFilter, options: events},
		{name: "last_attempt_at", kind: rangeFilter}, {name: "created_at", kind: rangeFilter}, {name: "redelivery", kind: textFilter},
	}, nil
}

// deliveryQuery reads what the list shows.
func (q *query) deliveryQuery() tracking.WebhookNotificationQuery {
	nq := tracking.WebhookNotificationQuery{
		Webhooks: q.ids("webhook"), Created: q.days("created_at"), LastAttempt: q.days("last_attempt_at"), Redeliveries: q.ids("redelivery"),
		Events: eventNames(q.choices("event", eventTexts(tracking.Describe().AllEvents))),
	}
	for _, s := range q.choices("delivery_status", deliveryStatuses) {
		nq.Statuses = append(nq.Statuses, tracking.DeliveryStatus(s))
	}
	return nq
}

func deliveryListing(req *request) (l listing[deliveryRow], err error) {
	filters, err := req.deliveryFilters(req.r.Context())
	l = listing[deliveryRow]{noun: deliveriesNoun, filters: filters, columns: deliveryColumns(req), frame: req.frameDeliveries}
	l.rows = func(ctx context.Context, q *query, _ []column[deliveryRow], p tracking.Page) ([]deliveryRow, int, error) {
		nq := q.deliveryQuery()
		if err := q.err(); err != nil {
			return nil, 0, err
		}
		return req.deliveryRows(ctx, nq, p)
	}
	return l, err
}

// frameDeliveries adds shortcuts, what a redelivery has brought so far, and what can be sent
// again.
func (req *request) frameDeliveries(ctx context.Context, q *query, p *listPage) error {
	p.Crumbs = req.settingsCrumbs()
	today := req.now.Truncate(24 * time.Hour)
	for _, s := range []struct {
		name string
		day  time.Time
	}{{"deliveries.failed.yesterday", today.AddDate(0, 0, -1)}, {"deliveries.failed.today", today}} {
		day := s.day.Format(time.DateOnly)
		p.Shortcuts = append(p.Shortcuts, crumb{req.texts.get(s.name), with(req, deliveriesNoun, q, "delivery_status", string(tracking.DeliveryFailed), "last_attempt_at.from", day, "last_attempt_at.to", day, "redelivery", "")})
	}
	if q.Get("redelivery") != "" {
		rows, _, err := req.deliveryRows(ctx, tracking.WebhookNotificationQuery{Redeliveries: q.ids("redelivery")}, tracking.Page{})
		if err != nil {
			return err
		}
		p.Notice = req.texts.redelivered(rows)
	}
	if p.Total == 0 || !req.can(tracking.Update) {
		return nil
	}
	v := url.Values{}
	for name, values := range q.Values {
		if !slices.Contains([]string{paramPage, paramSize, paramColumns, paramSort}, name) {
			v[name] = values
		}
	}
	p.Table.Pick = true
	p.Pick = &pick{
		Action: req.link(redeliveryPath + "/chosen"), CSRF: req.sessions.GetString(ctx, sessionCSRF), Button: req.texts.get("deliveries.chosen"),
		All: req.texts.count("deliveries.all", p.Total), AllHref: req.link(redeliveryPath, v),
	}
	return nil
}

// redelivered says how a redelivery went so far.
func (c catalog) redelivered(rows []deliveryRow) string {
	var waiting, delivered, refused int
	for _, r := range rows {
		switch {
		case !r.RedeliveryRequestedAt.IsZero():
			waiting++
		case r.last != nil && r.last.Failure == "":
			delivered++
		default:
			refused++
		}
	}
	text := c.get("redelivery.so_far", len(rows), delivered, refused)
	if waiting > 0 {
		text += " " + c.count("redelivery.waiting", waiting)
	}
	return text
}

// previewPage has what would be sent again.
type previewPage struct {
	Crumbs []crumb
	Lead   string
	// Left: so many more are found, and are not sent this time.
	Left  string
	Table table
	// Refused cannot be sent, each with its reason.
	Refused table
	IDs     []string
	Form    form
}

// previewFound shows what would be sent again of all that a filter finds, the oldest first.
func previewFound(req *request) error {
	req.still = true // what is sent is what was read
	ctx := req.r.Context()
	q := &query{Values: req.r.URL.Query(), texts: req.texts, now: req.now}
	filters, err := req.deliveryFilters(ctx)
	if err != nil {
		return err
	}
	q.check(filters)
	nq := q.deliveryQuery()
	if err := q.err(); err != nil {
		return err
	}
	nq.OldestFirst = true
	rows, total, err := req.deliveryRows(ctx, nq, tracking.Page{Number: 1, Size: tracking.MaxRedelivery})
	if err != nil {
		return err
	}
	return req.renderPreview(rows, total, req.link(deliveriesPath, q.Values))
}

// previewChosen shows what would be sent again of the chosen ones.
func previewChosen(req *request) error {
	ids, err := req.chosenIDs()
	if err != nil {
		return err
	}
	list := make([]*tracking.WebhookNotification, len(ids))
	for i, id := range ids {
		if list[i], err = req.t.WebhookNotification(req.r.Context(), id); err != nil {
			return err
		}
	}
	rows, err := req.describeDeliveries(req.r.Context(), list)
	if err != nil {
		return err
	}
	return req.renderPreview(rows, len(rows), req.link(deliveriesPath))
}

// chosenIDs are the records that a form names, each once.
func (req *request) chosenIDs() (ids []tracking.ID, err error) {
	for _, s := range req.r.PostForm["id"] {
		if id := parseID(s); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	switch {
	case len(ids) == 0:
		return nil, &pageError{http.StatusUnprocessableEntity, req.texts.get("deliveries.none_chosen")}
	case len(ids) > tracking.MaxRedelivery:
		return nil, &pageError{http.StatusUnprocessableEntity, req.texts.get("deliveries.many", len(ids), tracking.MaxRedelivery)}
	}
	return ids, nil
}

func (req *request) renderPreview(rows []deliveryRow, total int, back string) error {
	c := req.texts
	p := previewPage{Crumbs: req.settingsCrumbs(deliveriesPath, c.get("settings.deliveries"))}
	if left := total - len(rows); left > 0 {
		p.Left = c.get("redelivery.left", len(rows), grouped(total))
	}
	sendable := func(r deliveryRow) bool { return r.webhook != nil && r.webhook.Active }
	refused := slices.DeleteFunc(slices.Clone(rows), sendable)
	rows = slices.DeleteFunc(slices.Clone(rows), func(r deliveryRow) bool { return !sendable(r) })
	for _, r := range rows {
		p.IDs = append(p.IDs, r.ID.String())
	}
	shown := []string{"event", "object", "webhook", "delivery_status", "last_answer", "attempts_count", "last_attempt_at"}
	p.Table, p.Refused = tableOf(req, deliveryColumns(req), rows, shown...), tableOf(req, deliveryColumns(req), refused, shown...)
	p.Lead = c.count("redelivery.preview", len(rows))
	p.Form = req.newForm(redeliveryPath, "redelivery.send", back)
	return req.render(http.StatusOK, "redelivery", c.get("redelivery.title"), p)
}

// redeliver sends notifications again, once for each form.
func redeliver(req *request) error {
	ids, err := req.chosenIDs()
	if err != nil {
		return err
	}
	redelivery, err := req.t.RedeliverNotifications(req.r.Context(), ids, req.once())
	if err != nil {
		return err
	}
	if len(ids) == 1 && req.r.PostForm.Has("one") {
		return req.done(deliveriesPath+"/"+ids[0].String(), "redelivery.requested")
	}
	return req.redirect(req.link(deliveriesPath, url.Values{"redelivery": {redelivery.String()}}))
}

// deliveryPage is a notification with its attempts.
type deliveryPage struct {
	Crumbs     []crumb
	Event      string
	State      cell
	Attributes []attribute
	Attempts   []attemptView
	// Payload is what is sent, indented; empty if it is kept no longer.
	Payload string
	// Again sends it once more; nil where that cannot be done.
	Again *form
	ID    string
}

// attemptView is an attempt with what was answered.
type attemptView struct {
	Number     int
	Answer     cell
	Attributes []attribute
	Body       string
}

func showDelivery(req *request) error {
	ctx := req.r.Context()
	n, err := req.t.WebhookNotification(ctx, req.pathID())
	if err != nil {
		return err
	}
	rows, err := req.describeDeliveries(ctx, []*tracking.WebhookNotification{n})
	if err != nil {
		return err
	}
	req.about(n.ID, n.Webhook)
	c, r := req.texts, rows[0]
	p := deliveryPage{
		Crumbs: req.settingsCrumbs(deliveriesPath, c.get("settings.deliveries")), Event: c.eventLabel(n.Event), State: c.deliveryState(n), ID: n.ID.String(),
		Attributes: present([]attribute{
			{"object", req.deliveryObject(r)}, {"webhook", req.webhookOf(r)}, {"event_name", text(string(n.Event))}, {"attempts_count", number(n.AttemptsCount)},
			{"last_attempt_at", c.moment(n.LastAttemptAt, "")}, {"next_attempt_at", c.moment(n.NextAttemptAt, "")},
			{"redelivery_requested_at", c.moment(n.RedeliveryRequestedAt, "")}, {"created_at", c.moment(n.CreatedAt, "")}, {"expires_at", c.moment(n.ExpiresAt, "")},
			{"id", text(n.ID.String())},
		}),
	}
	if p.Attempts, err = req.attempts(ctx, n.ID); err != nil {
		return err
	}
	if p.Payload, err = req.payload(ctx, n.ID); err != nil {
		return err
	}
	if req.can(tracking.Update) && r.webhook != nil && r.webhook.Active {
		f := req.newForm(redeliveryPath, "redelivery.send.single", "")
		p.Again = &f
	}
	return req.render(http.StatusOK, "delivery", p.Event, p)
}

// present are the attributes that have a value.
func present(list []attribute) []attribute {
	return slices.DeleteFunc(list, func(a attribute) bool { return a.Value.Empty() })
}

// webhookOf links to the webhook of a notification.
func (req *request) webhookOf(r deliveryRow) cell {
	if r.webhook == nil {
		return cell{Text: req.texts.get("webhook.gone"), Note: r.Webhook.String()}
	}
	return linked(r.webhook.URL, req.link(webhookPath(r.Webhook)))
}

// attempts are those of a notification, the last first.
func (req *request) attempts(ctx context.Context, of tracking.ID) ([]attemptView, error) {
	list, _, err := req.t.DeliveryAttempts(ctx, tracking.DeliveryAttemptQuery{Notifications: []tracking.ID{of}}, tracking.Page{})
	c := req.texts
	views := make([]attemptView, 0, len(list))
	for _, a := range list {
		v := attemptView{Number: a.Number, Answer: c.answer(a.StatusCode, a.Failure, a.Detail), Body: a.ResponseBody}
		v.Attributes = present([]attribute{
			{"trigger", text(c.word("trigger", string(a.Trigger)))}, {"started_at", c.moment(a.StartedAt, "")}, {"duration", c.duration(a.TotalMillis)},
			{"remote_ip", text(a.RemoteIP)}, {"next_attempt_at", c.moment(a.NextAttemptAt, "")},
		})
		views = append(views, v)
	}
	return views, err
}

// duration is a time in milliseconds; 0 is unknown.
func (c catalog) duration(millis float64) cell {
	if millis == 0 {
		return cell{}
	}
	return text(c.get("duration", strconv.FormatFloat(millis, 'f', -1, 64)))
}

// payload is the body that is sent, indented.
func (req *request) payload(ctx context.Context, of tracking.ID) (string, error) {
	body, err := req.t.NotificationPayload(ctx, of)
	if errors.Is(err, tracking.ErrNotFound) {
		return "", nil
	}
	var b bytes.Buffer
	if err == nil {
		err = json.Indent(&b, body, "", "  ")
	}
	return b.String(), err
}
