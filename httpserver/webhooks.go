package httpserver

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// WebhookIPs are the addresses that notifications are sent from, for the firewalls of
// receivers. GET /webhooks/ips returns them.
type WebhookIPs struct {
	// Addresses are IPv4 or IPv6. Defaults to none.
	Addresses []netip.Addr
	// Since is the time of their last change. Defaults to the time of New.
	Since time.Time
}

var acceptWebhooks = jsonapi.Accept{Page: true, Include: true, Filters: []string{"active"}}

func webhookQuery(f *filters) tracking.Query { return tracking.WebhookQuery{Active: f.tri("active")} }

func webhookID(w *tracking.Webhook) tracking.ID { return w.ID }

func newWebhook(in *input) tracking.NewWebhook {
	in.Type("webhook")
	active := in.Bool("active")
	return tracking.NewWebhook{
		URL: in.String("url").Value, Events: eventNames(in.Strings("events").Value),
		Inactive: active.Given() && !active.Value, Headers: webhookHeaders(in).Value,
		Format: tracking.WebhookFormat(in.String("format").Value), Template: in.String("template").Value,
	}
}

func webhookUpdate(in *input) tracking.WebhookUpdate {
	in.Type("webhook")
	active, events, format := in.Bool("active"), in.Strings("events"), in.String("format")
	if active.Null { // a forgotten value must not stop notifications
		in.Fail("active", jsonapi.CodeInvalidType, "active must be true or false.")
	}
	return tracking.WebhookUpdate{
		URL: opt(in.String("url")), Active: opt(active), Headers: webhookHeaders(in), IfVersion: in.ifVersion,
		Format: tracking.Opt[tracking.WebhookFormat]{Set: format.Set, Value: tracking.WebhookFormat(format.Value)}, Template: opt(in.String("template")),
		Events: tracking.Opt[[]tracking.EventName]{Set: events.Set, Value: eventNames(events.Value)},
	}
}

func eventNames(texts []string) []tracking.EventName {
	names := make([]tracking.EventName, len(texts))
	for i, t := range texts {
		names[i] = tracking.EventName(t)
	}
	return names
}

// webhookHeaders reads headers; null means none.
func webhookHeaders(in *input) tracking.Opt[[]tracking.Header] {
	sent := in.Objects("headers")
	headers := make([]tracking.Header, len(sent.Value))
	for i, h := range sent.Value {
		value := h.String("value")
		if !value.Given() { // a header may be empty, but must be given
			h.Fail("value", jsonapi.CodeBlank, "value is required; it may be empty.")
		}
		headers[i] = tracking.Header{Name: h.String("name").Value, Value: value.Value}
	}
	return tracking.Opt[[]tracking.Header]{Set: sent.Set, Value: headers}
}

// deleteWebhook responds 200 without a body (see docs/contract.md#writing).
func deleteWebhook(req *request) error {
	id, err := req.readAction("webhook")
	if err != nil {
		return err
	}
	if err := req.t.DeleteWebhook(req.ctx(), id); err != nil {
		return err
	}
	req.respond(http.StatusOK, nil)
	return nil
}

// rotateSecret replaces the secret. The optional body says how long the old secret
// stays valid.
func rotateSecret(req *request) error {
	in, err := req.readMembers("webhook")
	if err != nil {
		return err
	}
	overlap := 24 * time.Hour
	if seconds := in.Int("overlap_seconds"); seconds.Given() {
		// Limit it first: the multiplication could turn a huge number into a small one.
		overlap = time.Duration(max(-1, min(seconds.Value, 1<<31))) * time.Second
	}
	if err := in.Err(); err != nil {
		return err
	}
	id := req.pathID()
	if err := in.checkID(id); err != nil {
		return err
	}
	if _, err := req.t.RotateSecret(req.ctx(), id, overlap, in.once); err != nil {
		return err
	}
	return req.respondRecord(http.StatusOK, "webhook", id)
}

// recoverWebhook starts resending the notifications of a webhook.
func recoverWebhook(req *request) error {
	in, err := req.readMembers("webhook_recovery")
	if err != nil {
		return err
	}
	n := tracking.NewRecovery{
		Since: in.Time("since").Value, Until: in.Time("until").Value,
		Events: eventNames(in.Strings("events").Value),
	}
	if err := in.Err(); err != nil {
		return err
	}
	recovery, err := req.t.RecoverWebhook(req.ctx(), req.pathID(), n, in.once)
	if err != nil {
		return err
	}
	req.w.Header().Set("Location", req.resourcePaths["webhook_recovery"]+recovery.ID.String())
	return req.respondRecord(http.StatusAccepted, "webhook_recovery", recovery.ID)
}

// webhookEvents lists the events that a webhook can subscribe to, unpaged.
func webhookEvents(req *request) error {
	if _, err := req.readQuery(); err != nil {
		return err
	}
	var s tracking.Selection
	for _, category := range tracking.Describe().EventCategories {
		doc, err := json.Marshal(eventCategoryOf(category))
		if err != nil {
			return err
		}
		s.Rows = append(s.Rows, &tracking.Resource{Type: eventCategoryType, Doc: doc})
	}
	req.respondUnpaged(s, false)
	return nil
}

const eventCategoryType = "webhook_event_category"

type eventCategoryDoc struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Attributes struct {
		Name string `json:"name"`
		// OptIn: webhooks get these events only if they name them, or the category.
		OptIn  bool       `json:"opt_in"`
		Events []eventDoc `json:"events"`
	} `json:"attributes"`
}

type eventDoc struct {
	Name        tracking.EventName `json:"name"`
	Description string             `json:"description"`
}

func eventCategoryOf(category tracking.EventCategory) *eventCategoryDoc {
	doc := &eventCategoryDoc{ID: category.ID, Type: eventCategoryType}
	doc.Attributes.Name, doc.Attributes.OptIn = category.Name, category.OptIn
	for _, e := range category.Events {
		doc.Attributes.Events = append(doc.Attributes.Events, eventDoc{e.Name, e.Condition})
	}
	return doc
}

// webhookIPs responds with the addresses that notifications come from. It is no
// resource.
func webhookIPs(req *request) error {
	if _, err := req.readQuery(); err != nil {
		return err
	}
	ips := req.config.WebhookIPs
	body, err := json.Marshal(webhookIPsDoc{append([]netip.Addr{}, ips.Addresses...), ips.Since.UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	req.respond(http.StatusOK, body)
	return nil
}

type webhookIPsDoc struct {
	IPs     []netip.Addr `json:"webhook_notification_ips"`
	Updated time.Time    `json:"last_updated"`
}

// triggerWebhook sends an example to an endpoint and responds with the result. The
// status is 200 even if the endpoint failed.
func triggerWebhook(req *request) error {
	result, url, err := testWebhook(req)
	if err != nil {
		return detailOnly{err}
	}
	doc := webhookTestOf(url, result)
	doc.Meta = req.writeMeta()
	body, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	req.respond(http.StatusOK, body)
	return nil
}

func testWebhook(req *request) (_ *tracking.WebhookTestResult, url string, err error) {
	in, err := req.readMembers("webhook")
	if err != nil {
		return nil, "", err
	}
	test := tracking.WebhookTest{
		URL: in.String("url").Value, Event: tracking.EventName(in.String("event").Value), Secret: in.String("secret").Value,
		Format: tracking.WebhookFormat(in.String("format").Value), Template: in.String("template").Value,
	}
	if err := in.Err(); err != nil {
		return nil, "", err
	}
	result, err := req.t.TestWebhook(req.ctx(), test)
	return result, test.URL, err
}

type webhookTestDoc struct {
	URL             string            `json:"url"`
	Succeeded       bool              `json:"succeeded"`
	Error           *string           `json:"error"`
	StatusCode      *int              `json:"status_code"`
	RequestHeaders  map[string]string `json:"request_headers"`
	RequestBody     string            `json:"request_body"`
	ResponseHeaders map[string]string `json:"response_headers" schema:"null"`
	ResponseBody    *string           `json:"response_body"`
	Meta            *writeMeta        `json:"meta,omitempty"`
}

// webhookTestOf renders the result of a test delivery. Without a response, the
// members about it are null.
func webhookTestOf(url string, r *tracking.WebhookTestResult) *webhookTestDoc {
	o := &r.Outcome
	doc := &webhookTestDoc{URL: url, Succeeded: o.Failure == "", RequestHeaders: joinHeaders(o.RequestHeaders), RequestBody: string(r.Body)}
	if o.Failure != "" {
		text := o.Failure
		if o.Detail != "" {
			text += ": " + o.Detail
		}
		doc.Error = &text
	}
	if o.Status != 0 {
		doc.StatusCode, doc.ResponseHeaders, doc.ResponseBody = &o.Status, joinHeaders(o.ResponseHeaders), &o.ResponseBody
	}
	return doc
}

// joinHeaders joins the values of repeated headers with commas (RFC 9110, 5.3).
func joinHeaders(headers []tracking.Header) map[string]string {
	by := map[string]string{}
	for _, h := range headers {
		if before, again := by[h.Name]; again {
			h.Value = strings.Join([]string{before, h.Value}, ", ")
		}
		by[h.Name] = h.Value
	}
	return by
}

var acceptNotifications = jsonapi.Accept{
	Page: true, Include: true,
	Filters: slices.Concat([]string{"event", "delivery_status", "webhook"}, createdAt, lastAttemptAt),
}

// notificationIncludes is the default include of a notification: the same resources
// as in its delivery, because clients expect them.
var notificationIncludes = []string{
	"reference_object.container", "reference_object.shipment", "reference_object.tracked_object.containers",
}

var deliveryStatuses = []string{string(tracking.DeliveryPending), string(tracking.DeliverySucceeded), string(tracking.DeliveryFailed)}

func notificationQuery(f *filters) tracking.Query {
	q := tracking.WebhookNotificationQuery{Webhooks: f.ids("webhook"), Created: f.times(createdAt), LastAttempt: f.times(lastAttemptAt), Events: f.events("event")}
	for _, status := range f.OneOf("delivery_status", deliveryStatuses...).Value {
		q.Statuses = append(q.Statuses, tracking.DeliveryStatus(status))
	}
	return q
}

// events reads a comma-separated list of event names.
func (f *filters) events(name string) []tracking.EventName {
	names := eventNames(f.list(name))
	for _, e := range names {
		if !slices.Contains(tracking.Describe().AllEvents, e) {
			f.Fail(name, "The value must be event names, separated by commas; GET /webhooks/events lists them.")
			return nil
		}
	}
	return names
}

// redeliver sends a notification again.
func redeliver(req *request) error {
	in, err := req.readMembers("webhook_notification")
	if err != nil {
		return err
	}
	if err := in.Err(); err != nil {
		return err
	}
	id := req.pathID()
	if err := in.checkID(id); err != nil {
		return err
	}
	if _, err := req.t.RedeliverNotification(req.ctx(), id, in.once); err != nil {
		return err
	}
	return req.respondRecord(http.StatusAccepted, "webhook_notification", id)
}

// notificationExample responds with the body of an example notification.
func notificationExample(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	event, given := q.Param("event")
	if !given {
		return req.respondExamples()
	}
	body, err := tracking.Describe().ExampleNotification(tracking.EventName(event))
	if engineErr := (*tracking.Error)(nil); errors.As(err, &engineErr) {
		return jsonapi.QueryErrors{{Kind: jsonapi.BadValue, Parameter: "event", Detail: engineErr.Detail}}
	}
	if err != nil {
		return err
	}
	req.respond(http.StatusOK, body)
	return nil
}

// respondExamples responds with an example of each event, without included resources: the
// examples show one voyage at different times, and a document has a resource only once.
func (req *request) respondExamples() error {
	var rows []jsonapi.Raw
	for _, event := range tracking.Describe().AllEvents {
		body, err := tracking.Describe().ExampleNotification(event)
		if err != nil {
			return err
		}
		var example struct {
			Data json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(body, &example); err != nil {
			return err
		}
		rows = append(rows, jsonapi.Raw{Doc: example.Data, HasLinks: true})
	}
	self := jsonapi.SelfLink(req.requestURL(), req.r.URL.RawQuery)
	links := jsonapi.Links{Self: self, Current: self, First: self, Last: self}
	req.respond(http.StatusOK, jsonapi.AppendCollection(nil, rows, nil, links, jsonapi.Meta{Size: len(rows), Total: len(rows)}))
	return nil
}
