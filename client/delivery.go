package client

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook/signature"
)

// Delivery is a notification as it was posted to a webhook.
type Delivery struct {
	// Notification has the attributes that are posted: its ID, the same each time
	// that it is sent, event, status and time of creation.
	Notification tracking.WebhookNotification
	// Included are the reference object and what goes with it (its container and
	// its shipment; the e-mail of a document, and what was read from it), as they
	// were when it happened.
	Included Included
}

// ReceiveDelivery verifies a delivery and reads it. The body is the request's as it
// came, and the secrets are those of the webhook: one, or two while one is replaced.
// The error is one of package signature where the delivery must not be believed: the
// answer to that is 401.
func ReceiveDelivery(header http.Header, body []byte, secrets ...string) (*Delivery, error) {
	if err := signature.Verify(header, body, secrets, signature.DefaultTolerance); err != nil {
		return nil, err
	}
	return ParseDelivery(body)
}

// ParseDelivery reads what was verified already, as by package receiver, or what
// ExampleNotification returned. What is included and cannot be read is nil to the
// methods of the Delivery, and named by Included.Faults.
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

// referenceObject is the reference object where it is a T that can be read.
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

// TransportEvent is the milestone or changed deadline that the event is about; nil
// for events of other sorts.
func (d *Delivery) TransportEvent() *tracking.TransportEvent {
	return referenceObject[tracking.TransportEvent](d)
}

// EstimatedEvent is the changed estimate of a shipment; nil for events of other
// sorts.
func (d *Delivery) EstimatedEvent() *tracking.EstimatedEvent {
	return referenceObject[tracking.EstimatedEvent](d)
}

// TrackingRequest is the request that the event is about; nil for events of other
// sorts.
func (d *Delivery) TrackingRequest() *tracking.TrackingRequest {
	return referenceObject[tracking.TrackingRequest](d)
}

// ContainerCreated is the event of a box that was first heard of; nil for others.
func (d *Delivery) ContainerCreated() *tracking.ContainerCreatedEvent {
	return referenceObject[tracking.ContainerCreatedEvent](d)
}

// ContainerUpdated is the event of what a terminal changed; nil for others.
func (d *Delivery) ContainerUpdated() *tracking.ContainerUpdatedEvent {
	return referenceObject[tracking.ContainerUpdatedEvent](d)
}

// ContainerPODTerminalChanged is the event of another terminal; nil for others.
func (d *Delivery) ContainerPODTerminalChanged() *tracking.ContainerPODTerminalChangedEvent {
	return referenceObject[tracking.ContainerPODTerminalChangedEvent](d)
}

// Document is the document that was read, or could not be; nil for events of other
// sorts.
func (d *Delivery) Document() *tracking.Document { return referenceObject[tracking.Document](d) }

// Shipment is the shipment that the event is about; nil where there is none yet.
func (d *Delivery) Shipment() *tracking.Shipment { return onlyIncluded[tracking.Shipment](d.Included) }

// Container is the box that the event is about; nil where it is about none, or
// about several.
func (d *Delivery) Container() *tracking.Container {
	return onlyIncluded[tracking.Container](d.Included)
}

// onlyIncluded is the included record of a noun, where there is exactly one.
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
