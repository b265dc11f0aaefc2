package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook/signature"
)

const webhooksPath = "/webhooks"

// Webhooks lists webhooks.
func (c *Client) Webhooks(q tracking.WebhookQuery) List[tracking.Webhook] {
	v := newValues(nil)
	v.filterTri("active", q.Active)
	return listOf[tracking.Webhook](c, webhooksPath, v)
}

// Webhook returns a webhook, with its secret. Errors: NotFound.
func (c *Client) Webhook(ctx context.Context, id tracking.ID) (*tracking.Webhook, error) {
	return getRecord[tracking.Webhook](ctx, c, get(webhooksPath, id, nil))
}

// CreateWebhook subscribes a URL to events. Errors:
// Invalid on url (blank, too_long, invalid), events (blank, inclusion, taken), and
// the names and values of headers, format, template (blank, present, invalid), and with the code too_many if there are 100
// already.
func (c *Client) CreateWebhook(ctx context.Context, n tracking.NewWebhook, once ...tracking.Once) (*tracking.Webhook, error) {
	a := attributes{"url": n.URL, "events": append([]tracking.EventName{}, n.Events...), "active": !n.Inactive}
	if len(n.Headers) > 0 {
		a["headers"] = n.Headers
	}
	a.setFormat(n.Format, n.Template)
	return getRecord[tracking.Webhook](ctx, c, post(webhooksPath, resource{Type: "webhook", Attributes: a}, once))
}

// setFormat sets format and template, where they are given.
func (a attributes) setFormat(f tracking.WebhookFormat, template string) {
	if f != "" {
		a["format"] = f
	}
	if template != "" {
		a["template"] = template
	}
}

// UpdateWebhook updates a webhook. Errors: NotFound; Stale; Invalid as CreateWebhook.
func (c *Client) UpdateWebhook(ctx context.Context, id tracking.ID, u tracking.WebhookUpdate) (*tracking.Webhook, error) {
	a := attributes{}
	setOpt(a, "url", u.URL)
	setOpt(a, "active", u.Active)
	setOptList(a, "events", u.Events)
	setOptList(a, "headers", u.Headers)
	setOpt(a, "format", u.Format)
	setOpt(a, "template", u.Template)
	return getRecord[tracking.Webhook](ctx, c, patch(webhooksPath, id, resource{Type: "webhook", ID: id.String(), Attributes: a}, u.IfVersion))
}

// DeleteWebhook deletes a webhook. Errors: NotFound.
func (c *Client) DeleteWebhook(ctx context.Context, id tracking.ID) error {
	_, err := c.do(ctx, remove(webhooksPath, id))
	return err
}

// RotateSecret replaces the secret of a webhook. The old secret stays valid for
// overlap, in whole seconds; a negative overlap means the default of the server.
// Errors: NotFound; Invalid on overlap_seconds.
func (c *Client) RotateSecret(ctx context.Context, id tracking.ID, overlap time.Duration, once ...tracking.Once) (*tracking.Webhook, error) {
	r := request{method: http.MethodPost, path: recordPath(webhooksPath, id, "rotate_secret"), key: keyOf(once)}
	if overlap >= 0 {
		r.body = attributes{"overlap_seconds": int64(overlap / time.Second)}
	}
	return getRecord[tracking.Webhook](ctx, c, r)
}

// RecoverWebhook sends all notifications of a time range again. Errors: NotFound;
// Invalid on since (blank, invalid), until (invalid) and events (inclusion), and with
// the code webhook_inactive.
func (c *Client) RecoverWebhook(ctx context.Context, id tracking.ID, n tracking.NewRecovery, once ...tracking.Once) (*tracking.WebhookRecovery, error) {
	a := attributes{"since": formatTime(n.Since)}
	if !n.Until.IsZero() {
		a["until"] = formatTime(n.Until)
	}
	if len(n.Events) > 0 {
		a["events"] = n.Events
	}
	body := resource{Type: "webhook_recovery", Attributes: a}
	return getRecord[tracking.WebhookRecovery](ctx, c, post(recordPath(webhooksPath, id, "recover"), body, once))
}

// WebhookRecovery returns the progress of a recovery. Errors: NotFound.
func (c *Client) WebhookRecovery(ctx context.Context, id tracking.ID) (*tracking.WebhookRecovery, error) {
	return getRecord[tracking.WebhookRecovery](ctx, c, get("/webhook_recoveries", id, nil))
}

// EventCategories returns the events that a webhook can subscribe to, with their
// conditions.
func (c *Client) EventCategories(ctx context.Context) ([]tracking.EventCategory, error) {
	answer, err := getObject[struct {
		Data []struct {
			ID         string
			Attributes struct {
				Name   string
				OptIn  bool `json:"opt_in"`
				Events []struct {
					Name        tracking.EventName
					Description string
				}
			}
		}
	}](ctx, c, request{method: http.MethodGet, path: webhooksPath + "/events"})
	if err != nil {
		return nil, err
	}
	var list []tracking.EventCategory
	for _, row := range answer.Data {
		category := tracking.EventCategory{ID: row.ID, Name: row.Attributes.Name, OptIn: row.Attributes.OptIn}
		for _, e := range row.Attributes.Events {
			category.Events = append(category.Events, tracking.EventDescription{Name: e.Name, Condition: e.Description})
		}
		list = append(list, category)
	}
	return list, nil
}

// WebhookIPs returns the addresses that notifications come from, if the operator has
// configured them, and the time of their last change.
func (c *Client) WebhookIPs(ctx context.Context) ([]netip.Addr, time.Time, error) {
	answer, err := getObject[struct {
		IPs     []netip.Addr `json:"webhook_notification_ips"`
		Updated time.Time    `json:"last_updated"`
	}](ctx, c, request{method: http.MethodGet, path: webhooksPath + "/ips"})
	return answer.IPs, answer.Updated, err
}

// WebhookTestResult is the result of a webhook test.
type WebhookTestResult struct {
	URL       string
	Succeeded bool
	// Error is the reason of a failure; empty after a success.
	Error string
	// StatusCode is the status of the response; 0 for none.
	StatusCode      int               `json:"status_code"`
	RequestHeaders  map[string]string `json:"request_headers"`
	RequestBody     string            `json:"request_body"`
	ResponseHeaders map[string]string `json:"response_headers"`
	ResponseBody    string            `json:"response_body"`
}

// TestWebhook sends an example of an event to a URL, once. A failure of the endpoint
// is not an error. Errors: Invalid on url, event, secret, format and template.
func (c *Client) TestWebhook(ctx context.Context, test tracking.WebhookTest) (WebhookTestResult, error) {
	a := attributes{"url": test.URL, "event": test.Event}
	if test.Secret != "" {
		a["secret"] = test.Secret
	}
	a.setFormat(test.Format, test.Template)
	return getObject[WebhookTestResult](ctx, c, request{method: http.MethodPost, path: webhooksPath + "/trigger", body: a, notRepeatable: true})
}

const notificationsPath = "/webhook_notifications"

// WebhookNotifications lists notifications, newest first. The interface does not
// support q.OldestFirst and q.Redeliveries.
func (c *Client) WebhookNotifications(q tracking.WebhookNotificationQuery, include ...string) List[tracking.WebhookNotification] {
	v := newValues(include)
	if q.OldestFirst {
		v.unsupported("the order oldest first")
	}
	if len(q.Redeliveries) > 0 {
		v.unsupported("the notifications of a redelivery")
	}
	v.filterIDs("webhook", q.Webhooks)
	v.filterList("event", stringsOf(q.Events))
	v.filterList("delivery_status", stringsOf(q.Statuses))
	v.filterTimes("created_at", q.Created)
	v.filterTimes("last_attempt_at", q.LastAttempt)
	return listOf[tracking.WebhookNotification](c, notificationsPath, v)
}

// WebhookNotification returns a notification. Its reference object, container and
// shipment are included unless include is given; include "webhook_notification_logs"
// for the delivery attempts. Errors: NotFound; BadQuery on include.
func (c *Client) WebhookNotification(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.WebhookNotification], error) {
	return getAnswer[tracking.WebhookNotification](ctx, c, get(notificationsPath, id, include))
}

// Redeliver sends a notification again. Errors: NotFound; Invalid with the codes
// webhook_deleted and webhook_inactive.
func (c *Client) Redeliver(ctx context.Context, id tracking.ID, once ...tracking.Once) (*tracking.WebhookNotification, error) {
	return getRecord[tracking.WebhookNotification](ctx, c, request{method: http.MethodPost, path: recordPath(notificationsPath, id, "redeliver"), key: keyOf(once)})
}

// ExampleNotification returns the body of an example notification for an event; see
// ParseDelivery. Errors: Invalid on event (blank, inclusion).
func (c *Client) ExampleNotification(ctx context.Context, event tracking.EventName) ([]byte, error) {
	v := newValues(nil)
	v.param("event", string(event))
	answer, err := c.do(ctx, request{method: http.MethodGet, path: notificationsPath + "/examples", query: v.Values})
	if err != nil {
		return nil, err
	}
	return answer.body, nil
}

// Delivery is a notification received by a webhook.
type Delivery struct {
	// Notification has the attributes of the payload: ID, event, status and creation
	// time. The ID is the same for every attempt.
	Notification tracking.WebhookNotification
	// Included has the reference object and its context, as they were at the time of
	// the event: its container and shipment, or the e-mail and extracted data of a
	// document.
	Included Included
}

// ReceiveDelivery verifies and parses a delivery. body is the unchanged body of the
// request, and secrets are those of the webhook: one, or two during a rotation. If
// the signature is invalid, the error is one of package signature; respond 401.
func ReceiveDelivery(header http.Header, body []byte, secrets ...string) (*Delivery, error) {
	if err := signature.Verify(header, body, secrets, signature.DefaultTolerance); err != nil {
		return nil, err
	}
	return ParseDelivery(body)
}

// ParseDelivery parses a body that has been verified, for instance by package
// receiver, or one of ExampleNotification. For an included resource that cannot be
// decoded, the methods of Delivery return nil; Included.Faults names it.
func ParseDelivery(body []byte) (*Delivery, error) {
	var doc document
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, fmt.Errorf("client: the delivery cannot be read: %w", err)
	}
	n, err := decode[tracking.WebhookNotification](doc.Data)
	if err != nil {
		return nil, err
	}
	return &Delivery{*n, newIncluded(doc.Included)}, nil
}

// referenceObject returns the reference object if it is a T, else nil.
func referenceObject[T any](d *Delivery) *T {
	if d.Notification.Reference.Type != codecOf[T]().Type() {
		return nil
	}
	v, err := Find[T](d.Included, d.Notification.Reference.ID)
	if err != nil {
		return nil
	}
	return v
}

// TransportEvent returns the milestone or changed deadline of the event; nil for
// other events.
func (d *Delivery) TransportEvent() *tracking.TransportEvent {
	return referenceObject[tracking.TransportEvent](d)
}

// EstimatedEvent returns the changed estimate of a shipment; nil for other events.
func (d *Delivery) EstimatedEvent() *tracking.EstimatedEvent {
	return referenceObject[tracking.EstimatedEvent](d)
}

// TrackingRequest returns the tracking request of the event; nil for other events.
func (d *Delivery) TrackingRequest() *tracking.TrackingRequest {
	return referenceObject[tracking.TrackingRequest](d)
}

// ContainerCreated returns the event of a new container; nil for other events.
func (d *Delivery) ContainerCreated() *tracking.ContainerCreatedEvent {
	return referenceObject[tracking.ContainerCreatedEvent](d)
}

// ContainerUpdated returns the event of changed terminal data; nil for other events.
func (d *Delivery) ContainerUpdated() *tracking.ContainerUpdatedEvent {
	return referenceObject[tracking.ContainerUpdatedEvent](d)
}

// ContainerPODTerminalChanged returns the event of a changed terminal; nil for other
// events.
func (d *Delivery) ContainerPODTerminalChanged() *tracking.ContainerPODTerminalChangedEvent {
	return referenceObject[tracking.ContainerPODTerminalChangedEvent](d)
}

// Exception returns the exception of the event; nil for other events.
func (d *Delivery) Exception() *tracking.Exception { return referenceObject[tracking.Exception](d) }

// Document returns the document of the event; nil for other events.
func (d *Delivery) Document() *tracking.Document { return referenceObject[tracking.Document](d) }

// Shipment returns the shipment of the event; nil if there is none yet.
func (d *Delivery) Shipment() *tracking.Shipment { return onlyIncluded[tracking.Shipment](d.Included) }

// Container returns the container of the event; nil unless there is exactly one.
func (d *Delivery) Container() *tracking.Container {
	return onlyIncluded[tracking.Container](d.Included)
}

// onlyIncluded returns the included T if there is exactly one, else nil.
func onlyIncluded[T any](in Included) *T {
	typ, found := codecOf[T]().Type(), (*T)(nil)
	for id, doc := range in.byID {
		if id.Type != typ {
			continue
		}
		v, err := decode[T](doc)
		if err != nil || found != nil {
			return nil
		}
		found = v
	}
	return found
}
