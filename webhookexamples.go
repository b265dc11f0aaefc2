package tracking

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/refdata"
	"github.com/landfallhq/tracking/store"
)

// WebhookTest is an example of a notification, sent once to a URL.
type WebhookTest struct {
	// URL of the endpoint, by the rules of NewWebhook.URL.
	URL string
	// Event of the example; see Description.ExampleNotification.
	Event EventName
	// Secret to sign with; empty for no signature. One that begins with whsec_ has
	// the form of the secrets of webhooks: base64 of 24 to 64 bytes. Any other text
	// of at most 256 characters signs the legacy header.
	Secret string
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
// Errors: Invalid on url (as CreateWebhook), event (as ExampleNotification) and
// secret (invalid, too_long), and with the code no_notifier if Config.Notifier is
// nil.
func (t *Tracker) TestWebhook(ctx context.Context, test WebhookTest) (*WebhookTestResult, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	if err := t.checkWebhookTest(test); err != nil {
		return nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	now := t.now()
	body, err := examplePayload(test.Event, id, now)
	if err != nil {
		return nil, err
	}
	d := Dispatch{ID: id, URL: test.URL, At: now, Body: body}
	if test.Secret != "" {
		d.Secrets = []string{test.Secret}
	}
	return &WebhookTestResult{Body: body, Outcome: t.callNotifier(ctx, d)}, nil
}

func (t *Tracker) checkWebhookTest(test WebhookTest) error {
	if t.config.Notifier == nil {
		return &Error{Kind: Invalid, Code: "no_notifier", Detail: "this installation sends nothing to webhooks"}
	}
	var faults Errors
	if test.URL == "" {
		faults = append(faults, invalid("url", "blank", "url is required"))
	} else {
		faults = append(faults, t.checkURL("url", test.URL)...)
	}
	for _, err := range []*Error{checkExample(test.Event), checkTestSecret(test.Secret)} {
		if err != nil {
			faults = append(faults, err)
		}
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
	x := newExample(event)
	a := &Announcement{Event: event, At: x.now, Reference: x.reference(event)}
	documents, err := renderIncluded(&transaction{Tx: table.Tx{Context: context.Background(), Records: x, Now: x.now}, engine: exampleEngine}, a)
	if err != nil {
		return nil, err
	}
	if created.IsZero() {
		created = x.now
	}
	s := &eventSnapshot{Event: event, At: created, Reference: a.Reference}
	s.setDocuments(documents)
	return renderPayload(&WebhookNotification{Meta: Meta{ID: id}, Webhook: exampleID("webhook"), Event: event, CreatedAt: created}, s)
}

func checkExample(event EventName) *Error {
	switch {
	case event == "":
		return invalid("event", "blank", "event is required; GET /webhooks/events lists them")
	case eventOf(event) == nil:
		return invalid("event", "inclusion", "'%s' is not an event; GET /webhooks/events lists them", abbreviate(string(event), 64))
	}
	return nil
}

// exampleParts are the parts of a transport event in the example: the vessel of the main
// leg, the terminal at its end.
type exampleParts uint8

const (
	withVessel exampleParts = 1 << iota
	withTerminal
)

// Estimates, deadlines and appointments of the voyage, UTC; days begin at the
// place.
var (
	exampleETD         = exampleTime("2026-01-11T02:00:00Z")
	exampleETA         = exampleTime("2026-01-28T15:00:00Z")
	exampleOriginalETA = exampleTime("2026-01-26T15:00:00Z")
	exampleINDETA      = exampleTime("2026-02-06T12:00:00Z")
	exampleLFDTerminal = exampleTime("2026-02-04T08:00:00Z")
	exampleLFDLine     = exampleTime("2026-02-05T08:00:00Z")
	exampleLFDRail     = exampleTime("2026-02-09T06:00:00Z")
	exampleAppointment = exampleTime("2026-02-02T18:00:00Z")
)

// exampleReadDelay is the time between receipt and reading of a document.
const exampleReadDelay = 5 * time.Second

// exampleTime parses a time. A wrong one would be null in every example, and the
// test of the examples would fail.
func exampleTime(text string) time.Time {
	at, _ := time.Parse(time.RFC3339, text)
	return at
}

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
	rows map[recordKey]store.Record

	now       time.Time // an hour after the event, as a source reports it
	shipment  *Shipment
	container *Container
	vessel    *Vessel
	terminal  *Terminal
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

// put adds a record.
func put[T any](x *example, n *resource[T], v *T) Ref {
	w := n.Write(v)
	x.rows[recordKey{n.Kind, w.ID}] = store.Record{ID: w.ID, Version: 1, Doc: w.Doc, Private: w.Private}
	return Ref{Type: n.Kind.Name, ID: w.ID}
}

// newExample applies the voyage up to an event.
func newExample(event EventName) *example {
	x := &example{rows: map[recordKey]store.Record{}}
	x.addFixed()
	voyage := slices.Clone(eventTable)
	slices.SortStableFunc(voyage, func(a, b eventRow) int { return strings.Compare(a.at, b.at) })
	for _, e := range voyage {
		if e.at > eventOf(event).at {
			break
		}
		at := exampleTime(e.at)
		x.now = at.Add(time.Hour)
		x.apply(e.name, at)
	}
	x.shipment.UpdatedAt, x.container.UpdatedAt = x.now, x.now
	x.shipment.LineTrackingLastAttempted, x.shipment.LineTrackingLastSucceeded = x.now, x.now
	x.container.ShipmentLastTrackingRequestAt = x.now
	put(x, shipments, x.shipment)
	put(x, containers, x.container)
	put(x, vessels, x.vessel)
	put(x, terminals, x.terminal)
	return x
}

// addFixed adds the records that do not change. Their numbers are invented.
func (x *example) addFixed() {
	pol, pod, inland := x.port("CNSHA"), x.port("USLAX"), x.port("USCHI")
	x.port("CNNTG")
	x.port("KRPUS")
	x.vessel = &Vessel{Meta: Meta{ID: exampleID("vessel")}, Name: "AMBER HERON", IMO: "2000014"}
	x.terminal = &Terminal{
		Meta: Meta{ID: exampleID("terminal")}, Name: "Example Terminal", SMDGCode: "EXMP",
		City: pod.City, StateAbbr: pod.StateAbbr, Country: refdata.CountryName(pod.CountryCode), Port: pod.ID,
	}
	since := exampleTime("2026-01-04T09:00:00Z")
	x.shipment = &Shipment{
		Meta:         Meta{ID: exampleID("shipment")},
		PortOfLading: pol.ID, PortOfDischarge: pod.ID, PODTerminal: x.terminal.ID, Destination: inland.ID,
		Containers: []ID{exampleID("container")}, CreatedAt: since, RefNumbers: []string{"PO-1001"}, Tags: []string{"example"},
		BillOfLadingNumber: "TEST10010001", NormalizedNumber: "10010001",
		ShippingLineSCAC: sandboxLine.SCAC, ShippingLineName: sandboxLine.Name, ShippingLineShortName: sandboxLine.ShortName,
		PortOfLadingLOCODE: pol.Code, PortOfLadingName: pol.Name, PortOfDischargeLOCODE: pod.Code, PortOfDischargeName: pod.Name,
		PODVesselName: x.vessel.Name, PODVesselIMO: x.vessel.IMO, PODVoyageNumber: "214E",
		DestinationLOCODE: inland.Code, DestinationName: inland.Name, POLETDAt: exampleETD,
		PODETAAt: exampleOriginalETA, PODOriginalETAAt: exampleOriginalETA,
		POLTimezone: pol.TimeZone, PODTimezone: pod.TimeZone, DestinationTimezone: inland.TimeZone,
	}
	x.container = &Container{
		Meta: Meta{ID: exampleID("container")}, Shipment: x.shipment.ID, PODTerminal: x.terminal.ID,
		Number: "TSTU1001000", RefNumbers: []string{}, SealNumber: "EX10010", CreatedAt: since,
		EquipmentType: "dry", EquipmentLength: 40, EquipmentHeight: "high_cube", WeightInLbs: 30_000, CurrentStatus: freight.StatusNew,
		HoldsAtPODTerminal: []Hold{}, FeesAtPODTerminal: []Fee{}, PODTimezone: pod.TimeZone, FinalDestinationTimezone: inland.TimeZone,
	}
}

// port adds a port of the reference tables.
func (x *example) port(locode string) *Port {
	known, _ := builtin{}.Port(locode)
	p := portRecord(known)
	put(x, ports, p)
	return p
}

// apply applies an event to the shipment and its container.
func (x *example) apply(event EventName, at time.Time) {
	s, b := x.shipment, x.container
	switch event {
	case freight.EmptyOut:
		b.EmptyOutAt = at
	case freight.FullIn:
		b.POLFullInAt = at
	case freight.VesselLoaded:
		b.POLVesselLoadedAt, b.CurrentStatus = at, freight.StatusOnShip
	case freight.VesselDeparted:
		b.POLVesselDepartedAt, s.POLATDAt = at, at
	case freight.ShipmentEstimatedArrival, freight.EstimatedVesselArrived:
		s.PODETAAt = exampleETA
	case freight.VesselArrived:
		b.PODArrivedAt, s.PODATAAt = at, at
	case freight.VesselDischarged:
		b.PODDischargedAt, b.CurrentStatus = at, freight.StatusAwaitingInlandTransfer
	case freight.NotAvailable:
		b.TerminalCheckedAt, b.PODLastTrackingRequestAt, b.LocationAtPODTerminal = x.now, x.now, "Row 7"
		b.AvailabilityKnown, b.HoldsAtPODTerminal = true, []Hold{{Name: "customs", Status: "hold"}}
	case freight.Available:
		b.TerminalCheckedAt, b.PODLastTrackingRequestAt = x.now, x.now
		b.AvailableForPickup, b.HoldsAtPODTerminal = true, []Hold{}
	case freight.PickupLFDTerminalChanged:
		b.ImportDeadlines.PickupLFDTerminal, b.PickupLFD, b.PickupLFDEarliest = &exampleLFDTerminal, exampleLFDTerminal, exampleLFDTerminal
	case freight.PickupLFDLineChanged:
		b.ImportDeadlines.PickupLFDLine, b.PickupLFD = &exampleLFDLine, exampleLFDLine
	case freight.PickupLFDRailChanged:
		b.ImportDeadlines.PickupLFDRail, b.INDFacilityLFDOn = &exampleLFDRail, exampleLFDRail
	case freight.PickupAppointmentChanged:
		b.PickupAppointmentAt = exampleAppointment
	default:
		x.applyInland(event, at)
	}
}

// applyInland applies the events after the port of discharge.
func (x *example) applyInland(event EventName, at time.Time) {
	s, b := x.shipment, x.container
	switch event {
	case freight.RailLoaded:
		b.PODRailLoadedAt, b.CurrentStatus = at, freight.StatusOnRail
	case freight.RailDeparted:
		b.PODRailDepartedAt = at
	case freight.EstimatedArrivedAtDestination:
		b.INDETAAt, s.DestinationETAAt = exampleINDETA, exampleINDETA
	case freight.RailArrived:
		b.INDATAAt, s.DestinationATAAt = at, at
	case freight.RailUnloaded:
		b.INDRailUnloadedAt, b.CurrentStatus = at, freight.StatusGrounded
	case freight.FullOut:
		b.FinalDestinationFullOutAt, b.CurrentStatus = at, freight.StatusPickedUp
	case freight.Delivered:
		b.DeliveredAt, b.CurrentStatus = at, freight.StatusDelivered
	case freight.EmptyIn:
		b.EmptyTerminatedAt, b.EmptyTerminatedTimezone, b.CurrentStatus = at, b.FinalDestinationTimezone, freight.StatusEmptyReturned
	case freight.TrackingRequestStopped:
		s.LineTrackingStoppedAt, s.LineTrackingStoppedReason = at, StoppedAllContainersTerminated
	}
}

// reference adds the object that the event is about.
func (x *example) reference(event EventName) Ref {
	box, ship, terminal := x.container.ID, x.shipment.ID, x.terminal.ID
	switch event {
	case freight.TrackingRequestAwaitingManifest, freight.TrackingRequestSucceeded, freight.TrackingRequestStopped, freight.TrackingRequestFailed:
		return put(x, trackingRequests, x.request(event))
	case freight.ShipmentEstimatedArrival:
		return put(x, estimatedEvents, &EstimatedEvent{
			Meta: Meta{ID: exampleID("estimated_event")}, Shipment: ship, Port: x.shipment.PortOfDischarge, Vessel: x.vessel.ID, Event: event,
			EstimatedTimestamp: exampleETA, Timezone: x.shipment.PODTimezone, LocationLOCODE: x.shipment.PortOfDischargeLOCODE,
			VoyageNumber: x.shipment.PODVoyageNumber, DataSource: freight.FromShippingLine, CreatedAt: x.now,
		})
	case DocumentExtracted, DocumentExtractionFailed:
		return x.document(event)
	case freight.ContainerCreated:
		return put(x, containerCreatedEvents, &ContainerCreatedEvent{
			Meta: Meta{ID: exampleID("container_created_event")}, Container: box, Shipment: ship, Timestamp: x.now, Timezone: "Etc/UTC",
		})
	case freight.ContainerUpdated:
		return put(x, containerUpdatedEvents, &ContainerUpdatedEvent{
			Meta: Meta{ID: exampleID("container_updated_event")}, Container: box, Terminal: terminal, Shipment: ship, Changeset: exampleChangeset,
			Timestamp: x.now, Timezone: x.container.PODTimezone, DataSource: freight.FromTerminal,
		})
	case freight.ContainerPODTerminalChanged:
		return put(x, containerPODTerminalChangedEvents, &ContainerPODTerminalChangedEvent{
			Meta: Meta{ID: exampleID("container_pod_terminal_changed_event")}, Container: box, Shipment: ship, Terminal: terminal,
			Timestamp: x.now, DataSource: freight.FromTerminal,
		})
	}
	return put(x, transportEvents, x.transportEvent(event))
}

// exampleChangeset: customs have released the container.
var exampleChangeset = map[string]BeforeAfter{
	"available_for_pickup":  {json.RawMessage("false"), json.RawMessage("true")},
	"holds_at_pod_terminal": {json.RawMessage(`[{"name":"customs","status":"hold","description":null}]`), json.RawMessage("[]")},
}

// request is the tracking request of the shipment, or for TrackingRequestFailed one
// of an unknown number.
func (x *example) request(event EventName) *TrackingRequest {
	r := &TrackingRequest{
		Meta: Meta{ID: exampleID("tracking_request")}, RequestNumber: x.shipment.BillOfLadingNumber, RequestType: BillOfLading,
		SCAC: x.shipment.ShippingLineSCAC, RefNumbers: x.shipment.RefNumbers, Tags: x.shipment.Tags,
		CreatedAt: exampleTime("2026-01-03T08:00:00Z"), UpdatedAt: x.now,
	}
	switch event {
	case freight.TrackingRequestAwaitingManifest:
		r.Status, r.FailedReason, r.IsRetrying, r.RetryCount = RequestAwaitingManifest, freight.NumberNotFound, true, 1
	case freight.TrackingRequestSucceeded:
		r.Status, r.TrackedObject = RequestCreated, x.shipment.ID
	case freight.TrackingRequestStopped:
		r.Status, r.TrackedObject = RequestStopped, x.shipment.ID
	default:
		r.ID, r.RequestNumber, r.Status, r.FailedReason = exampleID("failed_request"), "TEST10010002", RequestFailed, freight.NumberNotFound
	}
	return r
}

// transportEvent is a milestone of the voyage, or a change of an estimate or
// deadline.
func (x *example) transportEvent(event EventName) *TransportEvent {
	step := eventOf(event)
	place := x.port(step.place)
	e := &TransportEvent{
		Meta: Meta{ID: exampleID("transport_event")}, Shipment: x.shipment.ID, Container: x.container.ID,
		Location: portRef(place.ID), SourceEvent: exampleID("raw_event"), Event: event,
		Timestamp: exampleTime(step.at), Timezone: place.TimeZone, LocationLOCODE: place.Code,
		DataSource: freight.FromShippingLine, CreatedAt: x.now,
	}
	if step.with&withVessel != 0 {
		e.Vessel, e.VoyageNumber = x.vessel.ID, x.shipment.PODVoyageNumber
	}
	if step.with&withTerminal != 0 {
		e.Terminal, e.DataSource = x.terminal.ID, freight.FromTerminal
	}
	switch event {
	case freight.EstimatedVesselDeparted:
		e.Timestamp = exampleETD
	case freight.EstimatedVesselArrived:
		e.Timestamp = exampleETA
	case freight.EstimatedArrivedAtDestination:
		e.Timestamp = exampleINDETA
	case freight.PickupLFDTerminalChanged:
		x.setGranted(e, exampleLFDTerminal)
	case freight.PickupLFDLineChanged, freight.PickupLFDChanged:
		x.setGranted(e, exampleLFDLine)
	case freight.PickupLFDRailChanged:
		x.setGranted(e, exampleLFDRail)
	case freight.PickupAppointmentChanged:
		x.setGranted(e, exampleAppointment)
	}
	return e
}

// setGranted sets the new value of a deadline or appointment. The time of the event
// is then when the change was recorded (see
// docs/contract.md#events-and-their-payloads).
func (x *example) setGranted(e *TransportEvent, until time.Time) {
	e.Value, e.ValueTimestamp, e.Timestamp = shownText(until), e.Timestamp, x.now
}

// document is the arrival notice, received by e-mail; for DocumentExtractionFailed,
// a damaged file.
func (x *example) document(event EventName) Ref {
	received := x.now.Add(-exampleReadDelay)
	d := &Document{
		Meta: Meta{ID: exampleID("document")}, Account: AccountID(exampleID("account")),
		Name: "Arrival notice " + x.shipment.BillOfLadingNumber, FileName: "arrival-notice.pdf",
		FileContentType: "application/pdf", FileSizeBytes: 48_213, CreatedAt: received, UpdatedAt: x.now,
		Shipments: []ID{}, Cargos: []ID{}, Source: FromEmail, EmailSubmission: exampleID("email_submission"),
	}
	if event == DocumentExtractionFailed {
		d.ID, d.Source, d.EmailSubmission = exampleID("failed_document"), FromUpload, ID{}
		d.FileSizeBytes = 20_480
		d.ExtractionFailedReason = FileDamaged + ": The PDF is damaged, and cannot be read."
	} else {
		d.DocumentType, d.ClassificationNotes = "arrival_notice", `It says "ARRIVAL NOTICE".`
		d.Shipments, d.Cargos = []ID{x.shipment.ID}, []ID{x.container.ID}
		d.LastRepresentation = x.representation(d)
		x.email(d)
	}
	d.ShownID = d.ID
	return put(x, documents, d)
}

// representation is what was read from the arrival notice.
func (x *example) representation(d *Document) ID {
	fields := DocumentFields{
		{Name: "bl_number", Kind: FieldBL, Value: "TEST 1001 0001", Normal: x.shipment.BillOfLadingNumber, Confidence: 0.98, Page: 1, Box: TextBox{402, 96, 488.5, 105}},
		{Name: "port_of_discharge", Kind: FieldPlace, Value: "LOS ANGELES, CA", Normal: x.shipment.PortOfDischargeLOCODE, Confidence: 0.95, Page: 1, Box: TextBox{56, 210, 143, 219}},
		{Name: "eta", Kind: FieldTime, Value: "28 JAN 2026", Normal: "2026-01-28", Confidence: 0.96, Page: 1, Box: TextBox{402, 210, 466, 219}},
		{Name: "containers", Kind: FieldTable, Rows: []DocumentFields{{
			{Name: "number", Kind: FieldContainer, Value: x.container.Number, Normal: x.container.Number, Confidence: 0.99, Page: 1, Box: TextBox{56, 300, 131.5, 309}},
			{Name: "gross_weight", Kind: FieldQuantity, Value: "13,608 KGS", Normal: Quantity{13_608, "kg"}, Confidence: 0.9, Page: 1, Box: TextBox{402, 300, 462, 309}},
		}}},
	}
	payload, _ := json.Marshal(fields) // texts and numbers, which never fail
	r := &DocumentRepresentation{
		Meta:          Meta{ID: exampleID("document_representation")},
		SchemaVersion: "1.0", DocumentType: d.DocumentType, Payload: payload, Document: d.ID, CreatedAt: x.now, UpdatedAt: x.now,
	}
	put(x, documentRepresentations, r)
	return r.ID
}

// email is the e-mail that has the arrival notice.
func (x *example) email(d *Document) {
	put(x, emailSubmissions, &EmailSubmission{
		Meta: Meta{ID: d.EmailSubmission}, Account: d.Account, Documents: []ID{d.ID},
		Subject: d.Name, Body: "Please find our arrival notice attached.",
		From: []string{"import@example.com"}, To: []string{"documents@example.com"}, CC: []string{}, References: []string{},
		SentAt: d.CreatedAt.Add(-exampleReadDelay), MessageID: "10010001@example.com", ContentType: "multipart/mixed",
		DocumentsCount: 1, Skipped: []SkippedAttachment{}, CreatedAt: d.CreatedAt, UpdatedAt: d.CreatedAt,
	})
}
