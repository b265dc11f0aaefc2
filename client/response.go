package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

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

// codecs has a function that returns the codec of each struct, a *record.Codec of that, and
// decoders a check for each resource type. A codec is compiled when it is first used: servers
// link this package too, for assistants, and start sooner without all of them.
var (
	codecs   = map[reflect.Type]any{}
	decoders = map[string]func(json.RawMessage) error{}
)

// addCodec adds a struct that documents of a resource type are decoded to.
func addCodec[T any](typ string) {
	codecs[reflect.TypeFor[T]()] = sync.OnceValue(func() *record.Codec[T] { return record.For[T](typ) })
}

// register adds a resource type that decodes to a T.
func register[T any](typ string) bool {
	addCodec[T](typ)
	decoders[typ] = func(doc json.RawMessage) error {
		_, err := decode[T](doc)
		return err
	}
	return true
}

var _ = register[tracking.Shipment]("shipment") &&
	register[tracking.Container]("container") &&
	register[tracking.TrackingRequest]("tracking_request") &&
	register[tracking.TransportEvent]("transport_event") &&
	register[tracking.EstimatedEvent]("estimated_event") &&
	register[tracking.ContainerCreatedEvent]("container_created_event") &&
	register[tracking.ContainerUpdatedEvent]("container_updated_event") &&
	register[tracking.ContainerPODTerminalChangedEvent]("container_pod_terminal_changed_event") &&
	register[tracking.RawEvent]("raw_event") &&
	register[tracking.SeaRoute]("route") &&
	register[tracking.RouteLocation]("route_location") &&
	register[tracking.Revision]("revision") &&
	register[tracking.Port]("port") &&
	register[tracking.Terminal]("terminal") &&
	register[tracking.MetroArea]("metro_area") &&
	register[tracking.Vessel]("vessel") &&
	register[tracking.ShippingLine]("shipping_line") &&
	register[tracking.Party]("party") &&
	register[tracking.User]("user") &&
	register[tracking.AuditEvent]("audit_event") &&
	register[tracking.Account]("account") &&
	register[tracking.SearchResult]("search_result") &&
	register[tracking.CustomFieldDefinition]("custom_field_definition") &&
	register[tracking.CustomFieldOption]("custom_field_option") &&
	register[tracking.CustomField]("custom_field") &&
	register[tracking.CustomFieldChange]("custom_field_change") &&
	register[tracking.Event]("event") &&
	register[tracking.Exception]("exception") &&
	register[tracking.ExceptionSettings]("exception_settings") &&
	register[tracking.Tariff]("tariff") &&
	register[tracking.Document]("document") &&
	register[tracking.DocumentRepresentation]("document_representation") &&
	register[tracking.LayoutCorrection]("layout_correction") &&
	register[tracking.EmailSubmission]("email_submission") &&
	register[tracking.Webhook]("webhook") &&
	register[tracking.WebhookRecovery]("webhook_recovery") &&
	register[tracking.WebhookNotification]("webhook_notification") &&
	register[tracking.DeliveryAttempt]("webhook_notification_log")

// A shipment or container with more than is stored of it is decoded from the same documents.
func init() {
	addCodec[BandedShipment]("shipment")
	addCodec[CostedContainer]("container")
	addCodec[ExpectedContainer]("container")
}

func codecOf[T any]() *record.Codec[T] {
	c, ok := codecs[reflect.TypeFor[T]()].(func() *record.Codec[T])
	if !ok {
		panic(fmt.Sprintf("client: %s is not a resource of the interface", reflect.TypeFor[T]()))
	}
	return c()
}

func decode[T any](doc json.RawMessage) (*T, error) {
	v := new(T)
	if err := codecOf[T]().Decode(doc, nil, v); err != nil {
		return nil, fmt.Errorf("client: cannot decode a resource: %w", err)
	}
	return v, nil
}

// Included has the included resources of a response. Resources that cannot be decoded
// or have an unknown type do no harm unless you look for them.
type Included struct {
	byID map[resourceID]json.RawMessage
	// invalid has an error for each resource without type and ID.
	invalid []error
}

type resourceID struct{ Type, ID string }

func newIncluded(list []json.RawMessage) Included {
	in := Included{byID: make(map[resourceID]json.RawMessage, len(list))}
	for i, doc := range list {
		var id resourceID
		if err := json.Unmarshal(doc, &id); err != nil || id.Type == "" || id.ID == "" {
			in.invalid = append(in.invalid, fmt.Errorf("client: included resource %d has no type and ID", i))
			continue
		}
		in.byID[id] = doc
	}
	return in
}

// Len returns the number of resources, including those that cannot be decoded.
func (in Included) Len() int { return len(in.byID) + len(in.invalid) }

// Faults returns an error for each resource that cannot be decoded, with its type and
// ID. An unknown type is not an error: a newer server may send it.
func (in Included) Faults() []error {
	faults := slices.Clone(in.invalid)
	for _, id := range slices.SortedFunc(maps.Keys(in.byID), resourceID.compare) {
		if read, known := decoders[id.Type]; known {
			if err := read(in.byID[id]); err != nil {
				faults = append(faults, fmt.Errorf("included %s %s: %w", id.Type, id.ID, err))
			}
		}
	}
	return faults
}

func (id resourceID) compare(other resourceID) int {
	return cmp.Or(strings.Compare(id.Type, other.Type), strings.Compare(id.ID, other.ID))
}

// ErrNotIncluded is the error of Find for a resource that the response does not have.
var ErrNotIncluded = errors.New("client: not included")

// Find returns the included resource with the ID: Find[tracking.Container](in, id).
// It returns ErrNotIncluded if there is none, and another error if the resource
// cannot be decoded. It panics for a T that is not a resource of package tracking.
func Find[T any](in Included, id tracking.ID) (*T, error) {
	typ := codecOf[T]().Type()
	doc, ok := in.byID[resourceID{typ, id.String()}]
	if !ok {
		return nil, fmt.Errorf("%w: %s %s", ErrNotIncluded, typ, id)
	}
	return decode[T](doc)
}

// Answer is one record with the included resources.
type Answer[T any] struct {
	Record   *T
	Included Included
}

// getAnswer sends a request whose response is one resource.
func getAnswer[T any](ctx context.Context, c *Client, r request) (Answer[T], error) {
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
	if version := reflect.ValueOf(v).Elem().FieldByName("Version"); version.IsValid() { // of tracking.Meta; computed resources have none
		version.SetInt(answer.version())
	}
	return Answer[T]{v, newIncluded(doc.Included)}, nil
}

// getRecord is getAnswer without the included resources.
func getRecord[T any](ctx context.Context, c *Client, r request) (*T, error) {
	answer, err := getAnswer[T](ctx, c, r)
	return answer.Record, err
}
