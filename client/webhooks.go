package client

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/landfallhq/tracking"
)

const webhooksPath = "/webhooks"

// Webhooks are those that the query selects.
func (c *Client) Webhooks(q tracking.WebhookQuery) List[tracking.Webhook] {
	v := newValues(nil)
	v.filterTri("active", q.Active)
	return listOf[tracking.Webhook](c, webhooksPath, v)
}

// Webhook returns a webhook, with its secret. Errors: NotFound.
func (c *Client) Webhook(ctx context.Context, id tracking.ID) (*tracking.Webhook, error) {
	return getRecord[tracking.Webhook](ctx, c, get(webhooksPath, id, nil))
}

// CreateWebhook subscribes a URL to events. Of n.Once the key alone is used. Errors:
// Invalid on url (blank, too_long, invalid), events (blank, inclusion, taken), and the
// names and values of headers, and with the code too_many when there are 100.
func (c *Client) CreateWebhook(ctx context.Context, n tracking.NewWebhook) (*tracking.Webhook, error) {
	a := attributes{"url": n.URL, "events": append([]tracking.EventName{}, n.Events...), "active": !n.Inactive}
	if len(n.Headers) > 0 {
		a["headers"] = n.Headers
	}
	return getRecord[tracking.Webhook](ctx, c, post(webhooksPath, resource{Type: "webhook", Attributes: a}, n.Once))
}

// UpdateWebhook changes a webhook. Errors: NotFound; Stale; Invalid as CreateWebhook.
func (c *Client) UpdateWebhook(ctx context.Context, id tracking.ID, u tracking.WebhookUpdate) (*tracking.Webhook, error) {
	a := attributes{}
	setOpt(a, "url", u.URL)
	setOpt(a, "active", u.Active)
	setOptList(a, "events", u.Events)
	setOptList(a, "headers", u.Headers)
	return getRecord[tracking.Webhook](ctx, c, patch(webhooksPath, id, resource{Type: "webhook", ID: id.String(), Attributes: a}, u.IfVersion))
}

// DeleteWebhook removes a webhook. Errors: NotFound.
func (c *Client) DeleteWebhook(ctx context.Context, id tracking.ID) error {
	_, err := c.do(ctx, remove(webhooksPath, id))
	return err
}

// RotateSecret gives a webhook another secret. The former one stays good for the
// overlap, in whole seconds; a negative overlap stands for the server's own. Errors:
// NotFound; Invalid on overlap_seconds.
func (c *Client) RotateSecret(ctx context.Context, id tracking.ID, overlap time.Duration, once tracking.Once) (*tracking.Webhook, error) {
	r := request{method: http.MethodPost, path: recordPath(webhooksPath, id, "rotate_secret"), once: once}
	if overlap >= 0 {
		r.body = attributes{"overlap_seconds": int64(overlap / time.Second)}
	}
	return getRecord[tracking.Webhook](ctx, c, r)
}

// RecoverWebhook has all notifications of a span of time sent again. Of n.Once the
// key alone is used. Errors: NotFound; Invalid on since (blank, invalid), until
// (invalid) and events (inclusion), and with the code webhook_inactive.
func (c *Client) RecoverWebhook(ctx context.Context, id tracking.ID, n tracking.NewRecovery) (*tracking.WebhookRecovery, error) {
	a := attributes{"since": formatTime(n.Since)}
	if !n.Until.IsZero() {
		a["until"] = formatTime(n.Until)
	}
	if len(n.Events) > 0 {
		a["events"] = n.Events
	}
	body := resource{Type: "webhook_recovery", Attributes: a}
	return getRecord[tracking.WebhookRecovery](ctx, c, post(recordPath(webhooksPath, id, "recover"), body, n.Once))
}

// WebhookRecovery returns how far a recovery has come. Errors: NotFound.
func (c *Client) WebhookRecovery(ctx context.Context, id tracking.ID) (*tracking.WebhookRecovery, error) {
	return getRecord[tracking.WebhookRecovery](ctx, c, get("/webhook_recoveries", id, nil))
}

// EventCategories returns what a webhook can be told of: of each event its name and
// condition.
func (c *Client) EventCategories(ctx context.Context) ([]tracking.EventCategory, error) {
	answer, err := getObject[struct {
		Data []struct {
			ID         string
			Attributes struct {
				Name   string
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
		category := tracking.EventCategory{ID: row.ID, Name: row.Attributes.Name}
		for _, e := range row.Attributes.Events {
			category.Events = append(category.Events, tracking.EventDescription{Name: e.Name, Condition: e.Description})
		}
		list = append(list, category)
	}
	return list, nil
}

// WebhookIPs returns the addresses that notifications come from, as far as the
// server's operator has named them, and when they last changed.
func (c *Client) WebhookIPs(ctx context.Context) ([]netip.Addr, time.Time, error) {
	answer, err := getObject[struct {
		IPs     []netip.Addr `json:"webhook_notification_ips"`
		Updated time.Time    `json:"last_updated"`
	}](ctx, c, request{method: http.MethodGet, path: webhooksPath + "/ips"})
	return answer.IPs, answer.Updated, err
}

// TrialResult is what came of a trial.
type TrialResult struct {
	URL       string
	Succeeded bool
	// Error says why it failed; empty when it did not.
	Error string
	// StatusCode of the response; 0 when none came.
	StatusCode      int               `json:"status_code"`
	RequestHeaders  map[string]string `json:"request_headers"`
	RequestBody     string            `json:"request_body"`
	ResponseHeaders map[string]string `json:"response_headers"`
	ResponseBody    string            `json:"response_body"`
}

// TryWebhook has the example of an event posted to a URL, once. That the endpoint
// failed is no error. Errors: Invalid on url, event and secret.
func (c *Client) TryWebhook(ctx context.Context, t tracking.Trial) (TrialResult, error) {
	a := attributes{"url": t.URL, "event": t.Event}
	if t.Secret != "" {
		a["secret"] = t.Secret
	}
	return getObject[TrialResult](ctx, c, request{method: http.MethodPost, path: webhooksPath + "/trigger", body: a, notRepeatable: true})
}
