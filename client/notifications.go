package client

import (
	"context"
	"net/http"

	"github.com/landfallhq/tracking"
)

const notificationsPath = "/webhook_notifications"

// WebhookNotifications are those that the query selects, last created first. Its
// OldestFirst is not of the interface.
func (c *Client) WebhookNotifications(q tracking.WebhookNotificationQuery, include ...string) List[tracking.WebhookNotification] {
	v := newValues(include)
	if q.OldestFirst {
		v.unsupported("for the oldest first")
	}
	v.filterIDs("webhook", q.Webhooks)
	v.filterList("event", stringsOf(q.Events))
	v.filterList("delivery_status", stringsOf(q.Statuses))
	v.filterTimes("created_at", q.Created)
	return listOf[tracking.WebhookNotification](c, notificationsPath, v)
}

// WebhookNotification returns a notification, and its context among what is
// included, unless include asks for something else: "webhook_notification_logs" has
// every attempt. Errors: NotFound; BadQuery on include.
func (c *Client) WebhookNotification(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.WebhookNotification], error) {
	return getAnswer[tracking.WebhookNotification](ctx, c, get(notificationsPath, id, include))
}

// Redeliver has a notification sent once more. Errors: NotFound; Invalid with the
// codes webhook_deleted and webhook_inactive.
func (c *Client) Redeliver(ctx context.Context, id tracking.ID, once tracking.Once) (*tracking.WebhookNotification, error) {
	return getRecord[tracking.WebhookNotification](ctx, c, request{method: http.MethodPost, path: recordPath(notificationsPath, id, "redeliver"), once: once})
}

// ExampleNotification returns what would be posted for an event; ParseDelivery
// reads it. Errors: Invalid on event (blank, inclusion).
func (c *Client) ExampleNotification(ctx context.Context, event tracking.EventName) ([]byte, error) {
	v := newValues(nil)
	v.param("event", string(event))
	answer, err := c.do(ctx, request{method: http.MethodGet, path: notificationsPath + "/examples", query: v.Values})
	if err != nil {
		return nil, err
	}
	return answer.body, nil
}
