package client_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/webhook/signature"
)

// ParseDelivery decodes the reference object of every event.
func TestDeliveries(t *testing.T) {
	secret := signature.NewSecret()
	for _, event := range tracking.Describe().AllEvents {
		body, err := tracking.Describe().ExampleNotification(event)
		if err != nil {
			t.Fatal(err)
		}
		header := signed(t, secret, body)
		d, err := client.ReceiveDelivery(header, body, secret)
		if err != nil {
			t.Fatalf("%s: %v", event, err)
		}
		if d.Notification.Event != event || d.Notification.ID == (tracking.ID{}) || d.Notification.Webhook == (tracking.ID{}) {
			t.Errorf("%s: the notification is %+v", event, d.Notification)
		}
		references := 0
		for _, is := range []bool{
			d.TransportEvent() != nil && d.TransportEvent().Event == event, d.EstimatedEvent() != nil && d.EstimatedEvent().Event == event,
			d.TrackingRequest() != nil && d.TrackingRequest().RequestNumber != "", d.ContainerCreated() != nil, d.ContainerUpdated() != nil && len(d.ContainerUpdated().Changeset) > 0, d.ContainerPODTerminalChanged() != nil,
			d.Document() != nil && d.Document().FileName != "", d.Exception() != nil && d.Exception().Kind != "",
			d.Notification.Reference.Type == "container" && d.Container() != nil && d.Container().ID == d.Notification.Reference.ID,
		} {
			if is {
				references++
			}
		}
		if references != 1 {
			t.Errorf("%s has %d reference objects", event, references)
		}
		if e := d.TransportEvent(); e != nil && (d.Shipment() == nil || d.Container() == nil || d.Container().ID != e.Container || d.Shipment().ID != e.Shipment) {
			t.Errorf("%s: shipment %v, container %v", event, d.Shipment(), d.Container())
		}
		if _, err := client.ReceiveDelivery(header, append(body, ' '), secret); !errors.Is(err, signature.ErrNoMatch) {
			t.Errorf("%s: changed on its way, it is %v", event, err)
		}
	}
	if _, err := client.ParseDelivery([]byte(`{"data":{"type":"shipment","id":"x"}}`)); err == nil {
		t.Error("a shipment was read as a delivery")
	}
}

func signed(t *testing.T, secret string, body []byte) http.Header {
	t.Helper()
	const id = "7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d11"
	now := time.Now()
	text, err := signature.Header(id, now, body, secret)
	if err != nil {
		t.Fatal(err)
	}
	h := http.Header{}
	h.Set(signature.IDHeader, id)
	h.Set(signature.TimestampHeader, signature.Timestamp(now))
	h.Set(signature.SignatureHeader, text)
	return h
}
