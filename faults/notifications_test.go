package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
)

// delivered returns an error while notifications are pending.
func (c *client) delivered() error {
	a, err := c.get("/v2/webhook_notifications?filter[delivery_status]=pending&page[size]=1")
	var d struct{ Meta struct{ Total int } }
	if err != nil || a.status != http.StatusOK || json.Unmarshal(a.body, &d) != nil {
		return fmt.Errorf("pending notifications: %d %s %v", a.status, a.body, err)
	}
	if d.Meta.Total > 0 {
		return fmt.Errorf("%d notifications are pending", d.Meta.Total)
	}
	return nil
}

// eventRef is an event: its name and the ID of its object.
type eventRef struct{ event, reference string }

// checkNotifications compares the announced events, the notifications and what the receiver
// has accepted: each event has one notification, and each notification was
// accepted, once or more often.
func checkNotifications(t *testing.T, db string, e *endpoint) {
	t.Helper()
	tr := trackerOn(t, db)
	events := announcedEvents(t, tr)
	had := e.accepted()
	told := map[eventRef]string{}
	attempts := 0
	for _, n := range every(t, tr.WebhookNotifications, tracking.WebhookNotificationQuery{}) {
		what, id := eventRef{string(n.Event), n.Reference.ID.String()}, n.ID.String()
		if told[what] != "" {
			t.Errorf("%v has two notifications", what)
		}
		told[what] = id
		attempts += n.AttemptsCount
		if !events[what] {
			t.Errorf("%v has a notification, but was not announced", what)
		}
		if n.DeliveryStatus != tracking.DeliverySucceeded {
			t.Errorf("%v is %s", what, n.DeliveryStatus)
		}
		if got, ok := had[id]; !ok || got.event != what.event || got.reference != what.reference {
			t.Errorf("%v was delivered as %+v", what, got)
		}
	}
	for what := range events {
		if told[what] == "" {
			t.Errorf("%v has no notification", what)
		}
	}
	if len(events) == 0 || len(had) != len(told) {
		t.Errorf("%d events, %d notifications, %d of them accepted", len(events), len(told), len(had))
	}
	again := 0
	for _, n := range had {
		again += n.times - 1
	}
	t.Logf("%d events, each with one notification, all accepted after %d attempts; %d accepted more than once, %.1f per 1,000, each with the same ID and body",
		len(events), attempts, again, 1000*float64(again)/float64(max(1, len(had))))
}

// announcedEvents returns all announced events.
func announcedEvents(t *testing.T, tr *tracking.Tracker) map[eventRef]bool {
	t.Helper()
	all := map[eventRef]bool{}
	note := func(name tracking.EventName, id tracking.ID) { all[eventRef{string(name), id.String()}] = true }
	for _, changes := range []bool{false, true} {
		for _, valid := range []tracking.Tri{tracking.Yes, tracking.No} {
			for _, e := range every(t, tr.TransportEvents, tracking.TransportEventQuery{Announced: true, Changes: changes, Invalidated: valid}) {
				note(e.Event, e.ID)
			}
		}
	}
	for _, e := range every(t, tr.EstimatedEvents, tracking.ID{}) {
		note(freight.ShipmentEstimatedArrival, e.ID)
	}
	for _, e := range every(t, tr.ContainerCreatedEvents, tracking.ContainerEventQuery{}) {
		note(freight.ContainerCreated, e.ID)
	}
	for _, e := range every(t, tr.ContainerUpdatedEvents, tracking.ContainerEventQuery{}) {
		note(freight.ContainerUpdated, e.ID)
	}
	for _, e := range every(t, tr.ContainerPODTerminalChangedEvents, tracking.ContainerEventQuery{}) {
		note(freight.ContainerPODTerminalChanged, e.ID)
	}
	return all
}

// every reads all pages of a list.
func every[T, Q any](t *testing.T, list func(context.Context, Q, tracking.Page) ([]T, int, error), q Q) (all []T) {
	t.Helper()
	for page := 1; ; page++ {
		part, total, err := list(t.Context(), q, tracking.Page{Number: page, Size: 1000})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, part...)
		if len(part) == 0 || len(all) >= total {
			return all
		}
	}
}
