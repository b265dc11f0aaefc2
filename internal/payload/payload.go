// Package payload builds the bodies of notifications: a JSON:API document of the
// notification, and the documents of the resources that belong to its event. It has the
// paths of the resource types, which links consist of.
//
// A body depends on the notification and on the included documents only, so all attempts
// of a delivery send equal bytes. The package chooses no documents and stores nothing.
package payload

import (
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/record"
)

// Paths are the paths of the resource types, below the prefix of the interface. Types
// without a path are missing.
var Paths = map[string]string{
	"container":               "/containers/",
	"custom_field":            "/custom_fields/",
	"custom_field_definition": "/custom_field_definitions/",
	"event":                   "/events/",
	"exception":               "/exceptions/",
	"metro_area":              "/metro_areas/",
	"party":                   "/parties/",
	"port":                    "/ports/",
	"raw_event":               "/raw_events/",
	"shipment":                "/shipments/",
	"shipping_line":           "/shipping_lines/",
	"tariff":                  "/tariffs/",
	"terminal":                "/terminals/",
	"tracking_request":        "/tracking_requests/",
	"transport_event":         "/transport_events/",
	"user":                    "/users/",
	"vessel":                  "/vessels/",
	"webhook":                 "/webhooks/",
	"webhook_notification":    "/webhook_notifications/",
	"webhook_recovery":        "/webhook_recoveries/",
	"document":                "/documents/",
	"email_submission":        "/email_submissions/",
}

const (
	// prefix of paths in payloads. It does not depend on where the interface is mounted.
	prefix       = "/v2"
	documentType = "document"
	// documentVersion is the version in payloads of document events: that of the
	// interface.
	documentVersion = "0.2.0"
)

// Notification is what a body has of a notification.
type Notification struct {
	// ID is that of the notification. Webhook is the one that is notified; zero for an
	// event that is recorded: ID is then that of the event.
	ID, Webhook uuid.UUID
	Event       string
	CreatedAt   time.Time
	// Reference is the object that the event is about.
	Reference record.Ref
	// Omitted: the included documents exceed the payload and are omitted.
	Omitted bool
}

// Render returns the body. included is a JSON array of documents.
func (n *Notification) Render(included []byte) []byte {
	b := n.appendHead(make([]byte, 0, len(included)+around))
	return n.appendEnd(append(b, included...))
}

// RenderPacked is Render of documents that Pack has packed with the same base.
func (n *Notification) RenderPacked(p Included, base []byte) ([]byte, error) {
	b := n.appendHead(make([]byte, 0, max(p.Size, len(p.Bytes))+around))
	b, err := p.Append(b, base)
	if err != nil {
		return nil, err
	}
	return n.appendEnd(b), nil
}

// around is room for what a body has around the included documents.
const around = 1 << 10

// appendHead appends what precedes the included documents.
func (n *Notification) appendHead(b []byte) []byte {
	b = append(b, `{"data":{"id":"`...)
	b = appendID(b, n.ID)
	b = append(b, `","type":"webhook_notification","attributes":{"id":"`...)
	b = appendID(b, n.ID)
	b = record.AppendString(append(b, `","event":`...), n.Event)
	b = record.AppendTime(append(b, `,"delivery_status":"pending","created_at":`...), n.CreatedAt)
	if n.Reference.Type == documentType {
		b = append(b, `,"version":"`+documentVersion+`"`...)
	}
	b = append(b, `},"relationships":{`...)
	if n.Reference.Type == documentType {
		b = n.appendReference(b, "document")
	}
	b = n.appendReference(b, "reference_object")
	b = append(n.appendWebhook(b), `,"webhook_notification_logs":{"data":[]}},"links":{"self":"`...)
	b = appendSelf(b, n.selfType(), n.ID)
	return append(b, `"}},"included":`...)
}

// appendEnd appends what follows the included documents.
func (n *Notification) appendEnd(b []byte) []byte {
	if n.Omitted {
		b = append(b, `,"meta":{"included_omitted":true,"detail":"the included resources are larger than 256 KiB; fetch them by their ids"}`...)
	}
	return append(b, '}')
}

// appendWebhook appends the relationship to the webhook.
func (n *Notification) appendWebhook(b []byte) []byte {
	if n.Webhook == (uuid.UUID{}) {
		return append(b, `"webhook":{"data":null}`...)
	}
	b = appendID(append(b, `"webhook":{"data":{"type":"webhook","id":"`...), n.Webhook)
	return append(b, `"}}`...)
}

// selfType is the type of the resource that the body links to.
func (n *Notification) selfType() string {
	if n.Webhook == (uuid.UUID{}) {
		return "event"
	}
	return "webhook_notification"
}

// appendReference appends the reference object as a relationship.
func (n *Notification) appendReference(b []byte, name string) []byte {
	b = record.AppendString(b, name)
	if n.Reference.Type == "" { // of a digest
		return append(b, `:{"data":null},`...)
	}
	b = record.AppendString(append(b, `:{"data":{"type":`...), n.Reference.Type)
	return append(appendID(append(b, `,"id":"`...), n.Reference.ID), `"}},`...)
}

// AppendDocument appends the document of a resource to a list, with links: to itself if
// its type has a path, else none.
func AppendDocument(list []byte, typ string, id uuid.UUID, doc []byte) []byte {
	list = append(list, doc[:len(doc)-1]...)
	if Paths[typ] == "" {
		return append(list, `,"links":{}}`...)
	}
	list = append(list, `,"links":{"self":"`...)
	list = append(appendSelf(list, typ, id), '"')
	if typ == documentType {
		list = append(appendSelf(append(list, `,"download":"`...), typ, id), `/download_url"`...)
	}
	return append(list, `}}`...)
}

func appendSelf(b []byte, typ string, id uuid.UUID) []byte {
	return appendID(append(append(b, prefix...), Paths[typ]...), id)
}

func appendID(b []byte, id uuid.UUID) []byte {
	text, _ := id.MarshalText() // never fails
	return append(b, text...)
}
