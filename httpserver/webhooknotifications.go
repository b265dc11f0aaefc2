package httpserver

import (
	"errors"
	"net/http"
	"slices"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

var acceptNotifications = jsonapi.Accept{
	Page: true, Include: true,
	Filters: slices.Concat([]string{"event", "delivery_status", "webhook"}, createdAt),
}

// notificationIncludes is what one notification is shown with, as it was delivered
// with: real clients look for it without asking.
var notificationIncludes = []string{
	"reference_object.container", "reference_object.shipment", "reference_object.tracked_object.containers",
}

func notificationQuery(f *filters) tracking.Query {
	q := tracking.WebhookNotificationQuery{Webhooks: f.ids("webhook"), Created: f.times(createdAt), Events: f.events("event")}
	statuses := []string{string(tracking.DeliveryPending), string(tracking.DeliverySucceeded), string(tracking.DeliveryFailed)}
	for _, status := range f.OneOf("delivery_status", statuses...).Value {
		q.Statuses = append(q.Statuses, tracking.DeliveryStatus(status))
	}
	return q
}

// events reads a comma list of names of events.
func (f *filters) events(name string) []tracking.EventName {
	names := eventNames(f.list(name))
	known := slices.Concat(tracking.EventNames(), tracking.DocumentEventNames())
	for _, e := range names {
		if !slices.Contains(known, e) {
			f.Fail(name, "The value must be the name of an event, or several separated by commas; GET /webhooks/events names them.")
			return nil
		}
	}
	return names
}

// redeliver has a notification sent once more.
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
	if _, err := req.t.RedeliverOnce(req.ctx(), id, in.once); err != nil {
		return err
	}
	return req.respondRecord(http.StatusAccepted, "webhook_notification", id)
}

// notificationExample answers the example of an event with the bytes that would
// be posted.
func notificationExample(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	event, _ := q.Param("event")
	body, err := tracking.ExampleNotification(tracking.EventName(event))
	if fault := (*tracking.Error)(nil); errors.As(err, &fault) {
		return jsonapi.QueryErrors{{Kind: jsonapi.BadValue, Parameter: "event", Detail: fault.Detail}}
	}
	if err != nil {
		return err
	}
	req.respond(http.StatusOK, body)
	return nil
}
