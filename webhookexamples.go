package tracking

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/refdata"
	"github.com/landfallhq/tracking/store"
)

// WebhookTest is an example of a notification, sent once to a URL.
type WebhookTest struct {
	// URL of the endpoint, by the rules of NewWebhook.URL.
	URL string
	// Webhook is a webhook of the account whose URL, headers and secrets are used, in place
	// of URL and Secret; zero for none.
	Webhook ID
	// Event of the example; see Description.ExampleNotification.
	Event EventName
	// Secret to sign with; empty for no signature. One that begins with whsec_ has
	// the form of the secrets of webhooks: base64 of 24 to 64 bytes. Any other text
	// of at most 256 characters signs the legacy header.
	Secret string
	// Format and Template by the rules of NewWebhook; those of Webhook are used if it is given.
	Format   WebhookFormat
	Template string
}

// WebhookTestResult is the result of a test delivery.
type WebhookTestResult struct {
	// Body that was posted: a JSON document.
	Body []byte
	// Outcome of the attempt. A failed attempt is not an error of TestWebhook.
	Outcome Outcome
}

// TestWebhook posts the example of an event once and returns the outcome (see
// docs/contract.md#webhooks). It stores nothing. Each example has a new ID, so that
// a receiver does not take it for a repeat. Needs update, as every action does: it
// writes nothing, and calls only addresses that the Notifier allows.
//
// Errors: Invalid on url, format and template (as CreateWebhook), event (as ExampleNotification)
// and secret (invalid, too_long), and with the code no_notifier if Config.Notifier is
// nil; NotFound for the webhook.
func (t *Tracker) TestWebhook(ctx context.Context, test WebhookTest) (*WebhookTestResult, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	d, err := t.endpointOf(ctx, &test)
	if err != nil {
		return nil, err
	}
	test.URL = d.URL
	if err := t.checkWebhookTest(test); err != nil {
		return nil, err
	}
	if d.ID, err = uuid.NewV7(); err != nil {
		return nil, err
	}
	d.At = t.now()
	payload, err := examplePayload(test.Event, d.ID, d.At)
	if err != nil {
		return nil, err
	}
	body, problem := (&Webhook{Format: test.Format, Template: test.Template}).message(payload)
	d.Body = body
	if d.Mail != nil {
		d.Mail.Bodies = [][]byte{d.Body}
	}
	outcome := t.callNotifier(ctx, d)
	outcome.addProblem(problem)
	if test.Webhook != (ID{}) { // only its administrators may see the headers
		outcome.RequestHeaders = nil
	}
	return &WebhookTestResult{Body: d.Body, Outcome: outcome}, nil
}

// endpointOf returns where a test is sent, with headers and secrets. The test gets the format of
// its webhook.
func (t *Tracker) endpointOf(ctx context.Context, test *WebhookTest) (d Dispatch, err error) {
	if test.Webhook == (ID{}) {
		test.Format = cmp.Or(test.Format, FormatJSONAPI)
		d.URL = test.URL
		if test.Secret != "" {
			d.Secrets = []string{test.Secret}
		}
		return d, nil
	}
	err = t.view(ctx, t.actor.Account, func(tx *transaction) error {
		w, err := getWebhook(tx, test.Webhook)
		if err == nil {
			d.URL, d.Headers, d.Secrets = w.URL, w.Headers, w.signingSecrets(tx.Now)
			test.Format, test.Template = w.Format, w.Template
		}
		if err == nil && w.isMail() {
			d.Mail, err = mailTest(tx, w.ID)
		}
		return err
	})
	return d, err
}

func (t *Tracker) checkWebhookTest(test WebhookTest) error {
	if t.notifierOf(test.URL) == nil {
		return &Error{Kind: Invalid, Code: "no_notifier", Detail: "this installation sends nothing to webhooks"}
	}
	var faults Errors
	if test.URL == "" {
		faults = append(faults, invalid("url", "blank", "url is required"))
	} else if test.Webhook == (ID{}) || MailAddress(test.URL) == "" { // the address of a user was checked

		faults = append(faults, t.checkURL("url", test.URL)...)
	}
	for _, err := range []*Error{checkExample(test.Event), checkTestSecret(test.Secret)} {
		if err != nil {
			faults = append(faults, err)
		}
	}
	if test.Webhook == (ID{}) {
		faults = append(faults, checkFormat(test.Format, test.Template, []EventName{test.Event})...)
	}
	return faults.or()
}

// Length in bytes of the decoded text after whsec_ (Standard Webhooks).
const minSecret, maxSecret = 24, 64

// checkTestSecret refuses the secret of a webhook if it is cut off or mistyped: no
// receiver would accept the signature.
func checkTestSecret(secret string) *Error {
	if secret == "" {
		return nil
	}
	if fault := (*Error)(nil); errors.As(checkText("secret", secret, 256), &fault) {
		return fault
	}
	text, ours := strings.CutPrefix(secret, webhookSecretPrefix)
	if !ours {
		return nil
	}
	if key, err := base64.StdEncoding.DecodeString(text); err != nil || len(key) < minSecret || len(key) > maxSecret {
		return invalid("secret", "invalid", "Secret must be %s and the base64 of %d to %d bytes, as a webhook shows it; or any text that does not begin so", webhookSecretPrefix, minSecret, maxSecret)
	}
	return nil
}

// ExampleNotification returns the payload of an event in an invented voyage. It is
// rendered by the code of real deliveries, from invented records. The bytes are the
// same each time.
//
// Errors: Invalid on event (blank; inclusion).
func (*Description) ExampleNotification(event EventName) ([]byte, error) {
	return examplePayload(event, exampleID("webhook_notification"), time.Time{})
}

// examplePayload returns the example with an ID and a time of creation; the zero
// time means the time of the event in the voyage.
func examplePayload(event EventName, id ID, created time.Time) ([]byte, error) {
	if err := checkExample(event); err != nil {
		return nil, err
	}
	x, err := newExample(event)
	if err != nil {
		return nil, err
	}
	a := &Announcement{Event: event, At: x.now, Reference: x.reference}
	documents, err := renderIncluded(&transaction{Tx: table.Tx{Context: context.Background(), Records: x, Now: x.now}, engine: exampleEngine}, a)
	if err != nil {
		return nil, err
	}
	if created.IsZero() {
		created = x.now
	}
	s := &eventSnapshot{Event: event, At: created, Reference: a.Reference}
	if err := s.setDocuments(documents, nil); err != nil {
		return nil, err
	}
	return renderPayload(&WebhookNotification{Meta: Meta{ID: id}, Webhook: exampleID("webhook"), Event: event, CreatedAt: created}, s)
}

func checkExample(event EventName) *Error {
	switch {
	case event == "":
		return invalid("event", "blank", "event is required; GET /webhooks/events lists them")
	case !isEvent(event):
		return invalid("event", "inclusion", "'%s' is not an event; GET /webhooks/events lists them", abbreviate(string(event), 64))
	}
	return nil
}

// exampleFile has the invented voyage of the examples.
//
//go:embed webhookexamples.json
var exampleFile []byte

// exampleVoyage is a container that goes from Nantong by feeder to Shanghai, from there
// by way of Busan to Los Angeles, and on by rail to Chicago.
type exampleVoyage struct {
	// Ports are the LOCODEs of the ports that documents refer to.
	Ports []string
	// Documents are the records before the first event, without the members that are null
	// or empty. One without an ID is a part of reference objects.
	Documents map[string]*exampleDocument
	// Events are in order of time.
	Events []exampleEvent
}

type exampleDocument struct {
	ID            ID             `json:"id"`
	Type          string         `json:"type"`
	Relationships exampleMembers `json:"relationships,omitempty"`
	Attributes    exampleMembers `json:"attributes,omitempty"`
}

type exampleMembers map[string]json.RawMessage

func (m exampleMembers) setTimes(at time.Time, names ...string) {
	for _, name := range names {
		m[name] = record.AppendTime(nil, at)
	}
}

// exampleEvent is an event of the voyage.
type exampleEvent struct {
	Event EventName
	// At is when it happens or, of a change, is reported; UTC.
	At time.Time
	// Object are the documents that make the reference object, together with Values.
	Object []string
	Values exampleMembers
	// Shipment and Container are the attributes that change with the event.
	Shipment, Container exampleMembers
}

// shownAt is the time of the documents: an hour after the event, as a source reports it.
func (e *exampleEvent) shownAt() time.Time { return e.At.Add(time.Hour) }

// exampleID is the ID of an invented record, always the same.
func exampleID(name string) ID { return table.NamedID("example", name) }

// exampleEngine has no tables of places: the examples have their own records.
var exampleEngine = &engine{refs: &references{
	ports: func() map[ID]*entity[refdata.Port] { return nil },
	lines: func() map[ID]*entity[refdata.Line] { return nil },
}}

type recordKey struct {
	kind *store.Kind
	id   ID
}

// example has the records of the voyage up to one of its events, as a transaction:
// renderIncluded only looks records up.
type example struct {
	store.RecordTx
	rows      map[recordKey]store.Record
	now       time.Time
	reference Ref
}

// Get returns a record, as the transaction of a store does.
func (x *example) Get(_ context.Context, k *store.Kind, id ID) (store.Record, error) {
	if r, ok := x.rows[recordKey{k, id}]; ok {
		return r, nil
	}
	return store.Record{}, ErrNotFound
}

// GetMany returns records, as the transaction of a store does.
func (x *example) GetMany(_ context.Context, k *store.Kind, ids []ID, to []store.Record) ([]store.Record, error) {
	for _, id := range ids {
		if r, ok := x.rows[recordKey{k, id}]; ok {
			to = append(to, r)
		}
	}
	return to, nil
}

func (x *example) put(k *store.Kind, w store.Write) {
	x.rows[recordKey{k, w.ID}] = store.Record{ID: w.ID, Version: 1, Doc: w.Doc, Private: w.Private}
}

// newExample applies the voyage up to an event.
func newExample(event EventName) (*example, error) {
	var v exampleVoyage
	if err := json.Unmarshal(exampleFile, &v); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(v.Events, func(e exampleEvent) bool { return e.Event == event })
	if i < 0 {
		return nil, fmt.Errorf("webhookexamples.json has no event %s", event)
	}
	last := &v.Events[i]
	shipment, container := v.Documents["shipment"].Attributes, v.Documents["container"].Attributes
	for _, e := range v.Events {
		if !e.At.After(last.At) {
			maps.Copy(shipment, e.Shipment)
			maps.Copy(container, e.Container)
		}
	}
	x := &example{rows: map[recordKey]store.Record{}, now: last.shownAt()}
	shipment.setTimes(x.now, "updated_at", "line_tracking_last_attempted_at", "line_tracking_last_succeeded_at")
	container.setTimes(x.now, "updated_at", "shipment_last_tracking_request_at")
	object := v.referenceObject(last)
	x.reference = Ref{Type: object.Type, ID: object.ID}
	return x, x.addRecords(&v, object)
}

// referenceObject is the object that an event is about.
func (v *exampleVoyage) referenceObject(e *exampleEvent) *exampleDocument {
	first := v.Documents[e.Object[0]]
	d := &exampleDocument{first.ID, first.Type, exampleMembers{}, exampleMembers{}}
	if d.Type == transportEvents.Kind.Name {
		d.Attributes["event"] = json.RawMessage(strconv.Quote(string(e.Event)))
		d.Attributes.setTimes(e.At, "timestamp")
		d.Attributes.setTimes(e.shownAt(), "created_at")
	}
	for _, name := range e.Object {
		maps.Copy(d.Relationships, v.Documents[name].Relationships)
		maps.Copy(d.Attributes, v.Documents[name].Attributes)
	}
	maps.Copy(d.Attributes, e.Values)
	return d
}

// addRecords renders the documents as the engine renders records of an older revision.
func (x *example) addRecords(v *exampleVoyage, object *exampleDocument) error {
	for _, locode := range v.Ports {
		known, _ := builtin{}.Port(locode)
		x.put(ports.Kind, ports.Write(portRecord(known)))
	}
	for _, d := range append(slices.Collect(maps.Values(v.Documents)), object) {
		if d.Type == "" {
			continue
		}
		doc, err := json.Marshal(d)
		if err != nil {
			return err
		}
		kind := registry[d.Type].Kind
		w, err := kind.Render(store.Record{ID: d.ID, Doc: doc})
		if err != nil {
			return err
		}
		x.put(kind, w)
	}
	return nil
}
