package client

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/record"
)

// document is a JSON:API document.
type document struct {
	Data     json.RawMessage
	Included []json.RawMessage
	Links    struct{ Next string }
	Meta     struct{ Size, Total int }
}

// codecs read resources, by the struct that each becomes.
var codecs = map[reflect.Type]any{}

// noun says that resources of a type become a T.
func noun[T any](typ string) bool {
	codecs[reflect.TypeFor[T]()] = record.For[T](typ)
	return true
}

var _ = noun[tracking.Shipment]("shipment") &&
	noun[tracking.Container]("container") &&
	noun[tracking.TrackingRequest]("tracking_request") &&
	noun[tracking.TransportEvent]("transport_event") &&
	noun[tracking.EstimatedEvent]("estimated_event") &&
	noun[tracking.ContainerCreatedEvent]("container_created_event") &&
	noun[tracking.ContainerUpdatedEvent]("container_updated_event") &&
	noun[tracking.ContainerPODTerminalChangedEvent]("container_pod_terminal_changed_event") &&
	noun[tracking.RawEvent]("raw_event") &&
	noun[tracking.SeaRoute]("route") &&
	noun[tracking.RouteLocation]("route_location") &&
	noun[tracking.Revision]("revision") &&
	noun[tracking.Port]("port") &&
	noun[tracking.Terminal]("terminal") &&
	noun[tracking.MetroArea]("metro_area") &&
	noun[tracking.VesselRecord]("vessel") &&
	noun[tracking.ShippingLine]("shipping_line") &&
	noun[tracking.Party]("party") &&
	noun[tracking.User]("user") &&
	noun[tracking.Account]("account") &&
	noun[tracking.SearchResult]("search_result") &&
	noun[tracking.CustomFieldDefinition]("custom_field_definition") &&
	noun[tracking.CustomFieldOption]("custom_field_option") &&
	noun[tracking.CustomField]("custom_field") &&
	noun[tracking.CustomFieldChange]("custom_field_change") &&
	noun[tracking.Document]("document") &&
	noun[tracking.DocumentRepresentation]("document_representation") &&
	noun[tracking.EmailSubmission]("email_submission") &&
	noun[tracking.Webhook]("webhook") &&
	noun[tracking.WebhookRecovery]("webhook_recovery") &&
	noun[tracking.WebhookNotification]("webhook_notification") &&
	noun[tracking.DeliveryAttempt]("webhook_notification_log")

func codecOf[T any]() *record.Codec[T] {
	c, ok := codecs[reflect.TypeFor[T]()].(*record.Codec[T])
	if !ok {
		panic(fmt.Sprintf("client: %s is no noun of the interface", reflect.TypeFor[T]()))
	}
	return c
}

func decode[T any](doc json.RawMessage) (*T, error) {
	v := new(T)
	if err := codecOf[T]().Decode(doc, nil, v); err != nil {
		return nil, fmt.Errorf("client: a resource cannot be read: %w", err)
	}
	return v, nil
}

// Included are the resources that came along with an answer.
type Included struct {
	byID map[resourceID]json.RawMessage
}

type resourceID struct{ Type, ID string }

func newIncluded(list []json.RawMessage) (Included, error) {
	in := Included{byID: make(map[resourceID]json.RawMessage, len(list))}
	for _, doc := range list {
		var id resourceID
		if err := json.Unmarshal(doc, &id); err != nil {
			return in, fmt.Errorf("client: an included resource cannot be read: %w", err)
		}
		in.byID[id] = doc
	}
	return in, nil
}

// Len is how many there are.
func (in Included) Len() int { return len(in.byID) }

// Find returns the included record with the ID: Find[tracking.Container](in, id).
// It is nil where there is none, as where the include did not ask for it. It panics
// for a T that is no noun of package tracking.
func Find[T any](in Included, id tracking.ID) *T {
	doc, ok := in.byID[resourceID{codecOf[T]().Type(), id.String()}]
	if !ok {
		return nil
	}
	v, err := decode[T](doc)
	if err != nil {
		return nil
	}
	return v
}

// Answer is one record, and what came along with it.
type Answer[T any] struct {
	Record   *T
	Included Included
}

// single sends a request that one resource is the answer to.
func single[T any](ctx context.Context, c *Client, r request) (Answer[T], error) {
	answer, err := c.do(ctx, r)
	if err != nil {
		return Answer[T]{}, err
	}
	var doc document
	if err := json.Unmarshal(answer.body, &doc); err != nil {
		return Answer[T]{}, fmt.Errorf("client: the answer to %s %s: %w", r.method, r.path, err)
	}
	v, err := decode[T](doc.Data)
	if err != nil {
		return Answer[T]{}, err
	}
	if version := reflect.ValueOf(v).Elem().FieldByName("Version"); version.IsValid() { // of the Meta; what is worked out has none
		version.SetInt(answer.version())
	}
	included, err := newIncluded(doc.Included)
	return Answer[T]{v, included}, err
}

// one is single without what came along.
func one[T any](ctx context.Context, c *Client, r request) (*T, error) {
	answer, err := single[T](ctx, c, r)
	return answer.Record, err
}
