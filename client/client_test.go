package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/trackingtest"
)

// bench is a Client of the real handler on the memory store.
type bench struct {
	*trackingtest.Bench
	*client.Client
	handler *httpserver.Server
	key     string
	wire    *recordingTransport
}

// recordingTransport is an http.RoundTripper that calls a handler and records the requests.
type recordingTransport struct {
	handler http.Handler
	// before, when not nil, answers in the handler's place where it returns one.
	before func(*http.Request) (*http.Response, error)

	mu   sync.Mutex
	sent []*http.Request
}

func (w *recordingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.sent = append(w.sent, r)
	w.mu.Unlock()
	if w.before != nil {
		if answer, err := w.before(r); answer != nil || err != nil {
			return answer, err
		}
	}
	in := httptest.NewRequestWithContext(r.Context(), r.Method, r.URL.String(), r.Body)
	in.Header, in.ContentLength = r.Header, r.ContentLength
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, in)
	return recorder.Result(), nil
}

var unlimited = httpserver.Limits{Default: -1, Create: -1, Infer: -1, Refresh: -1}

func newBench(t *testing.T, configure ...func(*httpserver.Config)) *bench {
	t.Helper()
	return newBenchOn(t, trackingtest.New(t), configure...)
}

func newBenchOn(t *testing.T, engine *trackingtest.Bench, configure ...func(*httpserver.Config)) *bench {
	t.Helper()
	b := &bench{Bench: engine}
	secret, _, err := b.Operator.CreateKey(t.Context(), tracking.NewKey{Account: b.Account.Scope()})
	if err != nil {
		t.Fatal(err)
	}
	config := httpserver.Config{Tracker: b.Operator, Clock: b.Clock, Limits: unlimited}
	for _, c := range configure {
		c(&config)
	}
	b.handler, b.key = httpserver.New(config), secret
	b.wire = &recordingTransport{handler: b.handler}
	b.Client = b.clientOf(t, client.Config{HTTP: &http.Client{Transport: b.wire}})
	return b
}

// clientOf returns a Client of the server with another Config.
func (b *bench) clientOf(t *testing.T, config client.Config) *client.Client {
	t.Helper()
	config.URL, config.Key = "https://tracking.example.com/v2/", b.key
	return must[*client.Client](t)(client.New(config))
}

// must fails the test on an error.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// find returns the included resource, or nil.
func find[T any](in client.Included, id tracking.ID) *T {
	v, err := client.Find[T](in, id)
	if err != nil && !errors.Is(err, client.ErrNotIncluded) {
		panic(err)
	}
	return v
}

// all reads a list to its end.
func all[T any](t *testing.T, l client.List[T]) (out []*T) {
	t.Helper()
	for v, err := range l.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// voyage is a report about one shipment with one container.
func voyage(number string) tracking.Report {
	at := time.Date(2026, 2, 20, 8, 0, 0, 0, time.UTC)
	fact := func(id string, what freight.Activity, locode string, days int) tracking.Fact {
		return tracking.Fact{
			ID: id, Activity: what, Classifier: freight.Actual, At: tracking.Moment{Time: at.AddDate(0, 0, days)}, Mode: freight.ByVessel,
			Place: tracking.Place{LOCODE: locode, SMDG: map[string]string{"USOAK": "TRAP"}[locode]}, Vessel: tracking.VesselRef{IMO: "9321483", Name: "EXAMPLE STAR"}, Voyage: "12E",
			Containers: []string{"MRKU9465770"}, Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: number}},
		}
	}
	return tracking.Report{Source: "test", SCAC: "MAEU", Facts: []tracking.Fact{
		fact("f1", freight.Loading, "CNSHA", 0), fact("f2", freight.Departure, "CNSHA", 1), fact("f3", freight.Arrival, "USOAK", 8), fact("f4", freight.Discharge, "USOAK", 9),
	}}
}

// TestEveryOperation calls all operations of the server and compares the results with
// the engine.
func TestEveryOperation(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	engine := b.Tracker

	must[tracking.EventPage](t)(b.Client.Events(ctx, tracking.EventQuery{}, 10)) // recorded from now on
	receipt := must[tracking.Receipt](t)(b.Report(ctx, voyage("MAEU77001")))
	if receipt.New != 4 || len(receipt.ShipmentIDs) != 1 {
		t.Fatalf("the receipt is %+v", receipt)
	}
	party := must[*tracking.Party](t)(b.Client.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme"}))
	hook := must[*tracking.Webhook](t)(b.Client.CreateWebhook(ctx, tracking.NewWebhook{
		URL: "https://example.com/a?b=c", Events: []tracking.EventName{freight.TrackingRequestSucceeded}, Headers: []tracking.Header{{Name: "X-Env", Value: "test"}},
	}))
	request := must[*tracking.TrackingRequest](t)(b.Client.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{
		Number: "MAEU77001", Type: tracking.BillOfLading, SCAC: "MAEU", RefNumbers: []string{"PO-9"}, Tags: []string{"spring"}, Customer: party.ID, AutoDetect: true,
	}))
	b.Settle()

	page := must[tracking.EventPage](t)(b.Client.Events(ctx, tracking.EventQuery{After: "0", Events: []tracking.EventName{freight.TrackingRequestSucceeded}, Shipments: nil}, 1))
	if len(page.Events) != 1 || page.Total < 2 || page.Last == "" {
		t.Fatalf("the events are %+v", page)
	}
	event := must[*tracking.Event](t)(b.Client.Event(ctx, page.Events[0].ID))
	compareRecords(t, "event", event, must[*tracking.Event](t)(engine.Events().Get(ctx, event.ID)))

	id := receipt.ShipmentIDs[0]
	shipment := must[client.Answer[tracking.Shipment]](t)(b.Client.Shipment(ctx, id, "containers", "port_of_discharge"))
	compareRecords(t, "shipment", shipment.Record, must[*tracking.Shipment](t)(engine.Shipment(ctx, id)))
	container := find[tracking.Container](shipment.Included, shipment.Record.Containers[0])
	if port := find[tracking.Port](shipment.Included, shipment.Record.PortOfDischarge); container == nil || port == nil || port.Code != "USOAK" {
		t.Fatalf("the included are %v, %v", container, port)
	}
	if find[tracking.Container](shipment.Included, id) != nil {
		t.Error("a shipment is found as a container")
	}
	past := must[client.Answer[tracking.Shipment]](t)(b.ShipmentAsOf(ctx, id, b.Clock.Now()))
	if past.Record.BillOfLadingNumber != "MAEU77001" {
		t.Errorf("in the past it is %+v", past.Record)
	}
	all(t, b.ETARevisions(id, []tracking.RevisedAttribute{"pod_eta_at"}, "source_event"))
	updated := must[*tracking.Shipment](t)(b.Client.UpdateShipment(ctx, id, tracking.ShipmentUpdate{Tags: tracking.Set([]string{"urgent"}), Customer: tracking.Set(party.ID), PromisedArrivalAt: tracking.Set(b.Clock.Now().AddDate(0, 0, 9)), IfVersion: shipment.Record.Version}))
	if want := b.Clock.Now().AddDate(0, 0, 9).Truncate(time.Second); !updated.PromisedArrivalAt.Equal(want) {
		t.Errorf("promised for %s, want %s", updated.PromisedArrivalAt, want)
	}
	if !slices.Equal(updated.Tags, []string{"urgent"}) || updated.CustomerName != "Acme" || updated.Version <= shipment.Record.Version {
		t.Errorf("updated, it is %+v", updated)
	}
	if _, err := b.Client.UpdateShipment(ctx, id, tracking.ShipmentUpdate{Tags: tracking.Set([]string(nil)), IfVersion: shipment.Record.Version}); !errors.Is(err, tracking.ErrStale) {
		t.Errorf("with a version of before: %v", err)
	}
	if s := must[*tracking.Shipment](t)(b.Client.StopTracking(ctx, id)); s.LineTrackingStoppedAt.IsZero() {
		t.Error("it is not stopped")
	}
	if s := must[*tracking.Shipment](t)(b.Client.ResumeTracking(ctx, id)); !s.LineTrackingStoppedAt.IsZero() {
		t.Error("it is not resumed")
	}
	day := tracking.TimeRange{From: b.Clock.Now().Add(-time.Hour), To: b.Clock.Now().Add(time.Hour)}
	tracked := tracking.TrackedQuery{
		SCACs: []string{"MAEU"}, POLs: []string{"CNSHA"}, PODs: []string{"USOAK"}, PODTerminals: []tracking.ID{updated.PODTerminal}, VesselIMOs: []string{"9321483"},
		CustomerIDs: []tracking.ID{party.ID}, Tags: []string{"urgent", "x"}, Created: day, Updated: day, Sort: []tracking.Order{{Name: "updated_at", Desc: true}, {Name: "created_at"}},
	}
	if found := all(t, b.Client.Shipments(tracking.ShipmentQuery{Number: "77001", Search: "MAEU", Stopped: tracking.No, TrackedQuery: tracked})); len(found) != 1 || found[0].ID != id {
		t.Errorf("%d shipments are found", len(found))
	}

	containers := all(t, b.Client.Containers(tracking.ContainerQuery{Numbers: []string{"mrku 946577-0"}, Statuses: []tracking.ContainerStatus{container.CurrentStatus}, Available: tracking.No, HasHold: tracking.No, TrackedQuery: tracked}, "shipment"))
	if len(containers) != 1 || containers[0].ID != container.ID {
		t.Errorf("%d containers are found", len(containers))
	}
	compareRecords(t, "container", must[client.Answer[tracking.Container]](t)(b.Client.Container(ctx, container.ID)).Record, must[*tracking.Container](t)(engine.Container(ctx, container.ID)))
	must[client.Answer[tracking.Container]](t)(b.ContainerAsOf(ctx, container.ID, b.Clock.Now(), "shipment"))
	all(t, b.ContainerHistory(container.ID, []tracking.RevisedAttribute{"pod_terminal"}, "source_event"))
	delivered := must[*tracking.Container](t)(b.Client.UpdateContainer(ctx, container.ID, tracking.ContainerUpdate{RefNumbers: tracking.Set([]string{"R"}), DeliveredAt: tracking.Set(b.Clock.Now())}))
	if delivered.CurrentStatus != freight.StatusDelivered || !slices.Equal(delivered.RefNumbers, []string{"R"}) {
		t.Errorf("the container is %+v", delivered)
	}
	if c := must[*tracking.Container](t)(b.Client.UpdateContainer(ctx, container.ID, tracking.ContainerUpdate{DeliveredAt: tracking.Set(time.Time{})})); !c.DeliveredAt.IsZero() {
		t.Error("the mark is not taken back")
	}
	events := all(t, b.Client.TransportEvents(container.ID, "location"))
	if len(events) != 4 || events[0].Container != container.ID {
		t.Errorf("%d milestones", len(events))
	}
	if e := must[client.Answer[tracking.TransportEvent]](t)(b.Client.TransportEvent(ctx, events[0].ID, "location")); e.Record.Event != events[0].Event || e.Included.Len() != 1 {
		t.Errorf("the milestone is %+v", e)
	}
	facts := all(t, b.Client.RawEvents(container.ID))
	if len(facts) < 4 {
		t.Errorf("%d facts", len(facts))
	}
	if f := must[client.Answer[tracking.RawEvent]](t)(b.Client.RawEvent(ctx, facts[0].ID)); f.Record.ID != facts[0].ID {
		t.Errorf("the fact is %+v", f)
	}
	if text := must[string](t)(b.Client.RefreshContainer(ctx, container.ID)); !strings.HasPrefix(text, "Started refresh for ") {
		t.Errorf("refresh says %q", text)
	}

	if found := all(t, b.Client.TrackingRequests(tracking.TrackingRequestQuery{
		Search: "MAEU", Numbers: []string{"77001"}, Statuses: []tracking.RequestStatus{tracking.RequestCreated}, SCACs: []string{"MAEU"}, Created: day, Updated: day,
	})); len(found) != 1 || found[0].ID != request.ID {
		t.Errorf("%d requests are found", len(found))
	}
	led := must[client.Answer[tracking.TrackingRequest]](t)(b.Client.TrackingRequest(ctx, request.ID))
	compareRecords(t, "tracking request", led.Record, must[*tracking.TrackingRequest](t)(engine.TrackingRequest(ctx, request.ID)))
	if find[tracking.Shipment](led.Included, id) == nil {
		t.Error("the request does not show what it led to")
	}
	if r := must[*tracking.TrackingRequest](t)(b.Client.UpdateTrackingRequest(ctx, request.ID, tracking.TrackingRequestUpdate{RefNumbers: tracking.Set([]string{"PO-1"}), Tags: tracking.Set([]string{}), Customer: tracking.Set(tracking.ID{})})); !slices.Equal(r.RefNumbers, []string{"PO-1"}) || r.Customer != (tracking.ID{}) {
		t.Errorf("the request is %+v", r)
	}
	for _, number := range []string{"MRKU 946577-0", "MEDUFR030802", "22-970937", "EXDO621128151"} {
		compareRecords(t, number, must[tracking.Inference](t)(b.Client.InferNumber(ctx, number)), must[tracking.Inference](t)(engine.InferNumber(ctx, number)))
	}

	user := must[*tracking.User](t)(b.Users().Create(ctx, tracking.NewUser{Name: "Kim", Email: "kim@example.com"}))
	if u := must[*tracking.User](t)(b.Client.User(ctx, user.ID)); u.Name != "Kim" {
		t.Errorf("the user is %+v", u)
	}
	if logged := all(t, b.Client.AuditEvents(tracking.AuditEventQuery{ResourceTypes: []string{"user"}, Resources: []tracking.ID{user.ID}})); len(logged) != 1 || logged[0].Operation != "user.create" {
		t.Errorf("of the new user the audit log has %d events", len(logged))
	}
	for _, name := range []string{"USOAK", updated.PortOfDischarge.String()} {
		if p := must[*tracking.Port](t)(b.Client.Port(ctx, name)); p.ID != updated.PortOfDischarge {
			t.Errorf("the port %s is %+v", name, p)
		}
	}
	if term := must[client.Answer[tracking.Terminal]](t)(b.Client.Terminal(ctx, updated.PODTerminal, "port")); term.Record.SMDGCode != "TRAP" || term.Included.Len() != 1 {
		t.Errorf("the terminal is %+v", term)
	}
	if v := must[*tracking.Vessel](t)(b.Client.Vessel(ctx, "9321483")); v.IMO != "9321483" {
		t.Errorf("the vessel is %+v", v)
	}
	lines := all(t, b.Client.ShippingLines(tracking.ShippingLineQuery{}))
	if found := all(t, b.Client.ShippingLines(tracking.ShippingLineQuery{Search: "maer"})); len(found) == 0 || len(found) == len(lines) {
		t.Errorf("%d lines are found", len(found))
	}
	if line := must[*tracking.ShippingLine](t)(b.Client.ShippingLine(ctx, "maeu")); line.SCAC != "MAEU" || len(lines) < 30 {
		t.Errorf("the line is %+v of %d", line, len(lines))
	}

	if found := all(t, b.Client.Parties()); len(found) != 1 {
		t.Errorf("%d parties", len(found))
	}
	party = must[*tracking.Party](t)(b.Client.Party(ctx, party.ID))
	if p := must[*tracking.Party](t)(b.Client.UpdateParty(ctx, party.ID, tracking.PartyUpdate{CompanyName: tracking.Set("Acme Ltd"), IfVersion: party.Version})); p.CompanyName != "Acme Ltd" {
		t.Errorf("the party is %+v", p)
	}

	if found := all(t, b.Client.Webhooks(tracking.WebhookQuery{Active: tracking.Yes})); len(found) != 1 || found[0].Secret != hook.Secret {
		t.Errorf("the webhooks are %+v", found)
	}
	hook = must[*tracking.Webhook](t)(b.Client.Webhook(ctx, hook.ID))
	rotated := must[*tracking.Webhook](t)(b.RotateSecret(ctx, hook.ID, time.Hour))
	if rotated.Secret == hook.Secret || !rotated.SecretOverlapUntil.Equal(b.Clock.Now().Add(time.Hour)) {
		t.Errorf("rotated, it is %+v", rotated)
	}
	must[*tracking.Webhook](t)(b.RotateSecret(ctx, hook.ID, -1))
	notifications := all(t, b.Client.WebhookNotifications(tracking.WebhookNotificationQuery{
		Webhooks: []tracking.ID{hook.ID}, Events: []tracking.EventName{freight.TrackingRequestSucceeded}, Statuses: []tracking.DeliveryStatus{tracking.DeliverySucceeded}, Created: day,
	}))
	if len(notifications) != 1 {
		t.Fatalf("%d notifications", len(notifications))
	}
	if n := must[client.Answer[tracking.WebhookNotification]](t)(b.Client.WebhookNotification(ctx, notifications[0].ID, "webhook_notification_logs")); n.Record.AttemptsCount != 1 || n.Included.Len() != 1 {
		t.Errorf("the notification is %+v", n)
	}
	must[*tracking.WebhookNotification](t)(b.Client.Redeliver(ctx, notifications[0].ID))
	recovery := must[*tracking.WebhookRecovery](t)(b.Client.RecoverWebhook(ctx, hook.ID, tracking.NewRecovery{Since: b.Clock.Now().Add(-time.Hour), Until: b.Clock.Now(), Events: []tracking.EventName{freight.TrackingRequestSucceeded}}))
	compareRecords(t, "recovery", must[*tracking.WebhookRecovery](t)(b.Client.WebhookRecovery(ctx, recovery.ID)).Events, recovery.Events)
	categories := must[[]tracking.EventCategory](t)(b.Client.EventCategories(ctx))
	for i, c := range tracking.Describe().EventCategories {
		for j, e := range c.Events { // the interface has only the conditions of events
			c.Events[j] = tracking.EventDescription{Name: e.Name, Condition: e.Condition}
		}
		compareRecords(t, c.ID, categories[i], c)
	}
	if _, since, err := b.Client.WebhookIPs(ctx); err != nil || since.IsZero() {
		t.Errorf("addresses since %v, %v", since, err)
	}
	if tried := must[client.WebhookTestResult](t)(b.Client.TestWebhook(ctx, tracking.WebhookTest{URL: "https://example.com/try", Event: freight.ContainerCreated, Secret: hook.Secret})); !tried.Succeeded || tried.StatusCode != 204 {
		t.Errorf("the trial is %+v", tried)
	}
	example := must[[]byte](t)(b.Client.ExampleNotification(ctx, freight.ContainerCreated))
	compareRecords(t, "example", example, must[[]byte](t)(tracking.Describe().ExampleNotification(freight.ContainerCreated)))
	if w := must[*tracking.Webhook](t)(b.Client.UpdateWebhook(ctx, hook.ID, tracking.WebhookUpdate{
		URL: tracking.Set("https://example.com/b"), Active: tracking.Set(false), Events: tracking.Set([]tracking.EventName{freight.ContainerCreated}), Headers: tracking.Set([]tracking.Header(nil)),
	})); w.Active || w.URL != "https://example.com/b" || len(w.Headers) > 0 {
		t.Errorf("the webhook is %+v", w)
	}
	if err := b.Client.DeleteWebhook(ctx, hook.ID); err != nil {
		t.Error(err)
	}
	if _, err := b.Client.Webhook(ctx, hook.ID); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("deleted, it is %v", err)
	}

	if err := errors.Join(b.Client.Alive(ctx), b.Client.Ready(ctx)); err != nil {
		t.Error(err)
	}
	if doc := must[[]byte](t)(b.Client.OpenAPI(ctx)); !json.Valid(doc) {
		t.Error("the description is no JSON")
	}

	b.everyPlace(t, updated, container)
	b.everyField(t, updated, container, request)
	b.everyRequestAtOnce(t, party)
	b.everyDocument(t, updated)
	b.everyTariff(t, container.ID)
	b.everyReportCard(t)
	b.everyException(t, container)
	b.everyRoute(t)
}

// compareRecords compares a record of the client with that of the engine, in the members that
// documents show.
func compareRecords(t *testing.T, what string, got, want any) {
	t.Helper()
	shown := func(v any) (out any) {
		text, err := json.Marshal(withoutPrivate(v))
		if err == nil {
			err = json.Unmarshal(text, &out)
		}
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if diff := cmp.Diff(shown(want), shown(got)); diff != "" {
		t.Errorf("%s (-engine +client):\n%s", what, diff)
	}
}

// withoutPrivate returns a record without its private fields.
func withoutPrivate(v any) any {
	record := reflect.Indirect(reflect.ValueOf(v))
	if record.Kind() != reflect.Struct {
		return v
	}
	shown := reflect.New(record.Type()).Elem()
	shown.Set(record)
	for _, f := range reflect.VisibleFields(record.Type()) {
		if _, private := f.Tag.Lookup("private"); private {
			shown.FieldByIndex(f.Index).SetZero()
		}
	}
	return shown.Interface()
}

// aliases are operations that a client method covers with another route.
var aliases = map[string]string{
	"PATCH /v2/containers":                                           "UpdateContainer",
	"POST /v2/shipments/{shipment_id}/custom_fields":                 "SetCustomField",
	"POST /v2/containers/{container_id}/custom_fields":               "SetCustomField",
	"POST /v2/tracking_requests/{tracking_request_id}/custom_fields": "SetCustomField",
	"POST /rails/active_storage/direct_uploads":                      "CreateUpload",
}

// everyRoute checks that all operations of the server were called.
func (b *bench) everyRoute(t *testing.T) {
	t.Helper()
	mux := http.NewServeMux()
	for _, r := range b.handler.Routes() {
		mux.Handle(r.Pattern(), r.Handler)
	}
	called := map[string]bool{}
	for _, r := range b.wire.sent {
		_, pattern := mux.Handler(r)
		called[pattern] = true
	}
	known := 0
	for _, r := range b.handler.Routes() {
		method := aliases[r.Pattern()]
		if method != "" {
			known++
		}
		if called[r.Pattern()] == (method != "") {
			t.Errorf("%s was called: %v; the method that does it otherwise: %q", r.Pattern(), called[r.Pattern()], method)
		}
	}
	if known != len(aliases) {
		t.Errorf("%d of %d aliases are operations", known, len(aliases))
	}
	t.Logf("%d of %d operations called, and %d that do the same", len(called), len(b.handler.Routes()), known)
}

// All reads a list of any length to its end, and no further than the caller iterates.
func TestPaging(t *testing.T) {
	for _, n := range []int{0, 1, 99, 100, 101, 250} {
		b := newBench(t)
		want := map[string]bool{}
		for range n {
			name := uuid.NewString()
			want[name] = true
			if _, err := b.Tracker.CreateParty(t.Context(), tracking.NewParty{CompanyName: name}); err != nil {
				t.Fatal(err)
			}
		}
		got := map[string]bool{}
		for _, p := range all(t, b.Client.Parties()) {
			got[p.CompanyName] = true
		}
		if diff := cmp.Diff(want, got); diff != "" || len(b.wire.sent) != max(1, (n+99)/100) {
			t.Errorf("%d parties: %d requests; %s", n, len(b.wire.sent), diff)
		}
		if n < 250 {
			continue
		}
		b.wire.sent = nil
		for range b.Client.Parties().All(t.Context()) {
			break
		}
		page := must[*client.Page[tracking.Party]](t)(b.Client.Parties().Page(t.Context(), tracking.Page{Number: 3, Size: 120}))
		if len(b.wire.sent) != 2 || len(page.Records) != 50 || page.Total != 250 || page.Size != 100 || page.More {
			t.Errorf("%d requests, page of %d, %+v", len(b.wire.sent), len(page.Records), page.Total)
		}
	}
}

// A condition that the interface does not support is an error, and nothing is sent.
func TestUnsupportedQueries(t *testing.T) {
	b := newBench(t)
	for name, err := range map[string]error{
		"containers of a shipment": first(t, b.Client.Containers(tracking.ContainerQuery{Shipment: uuid.New()})),
		"removed containers":       first(t, b.Client.Containers(tracking.ContainerQuery{Removed: tracking.Yes})),
		"requests of a shipment":   first(t, b.Client.TrackingRequests(tracking.TrackingRequestQuery{Shipment: uuid.New()})),
		"oldest notifications":     first(t, b.Client.WebhookNotifications(tracking.WebhookNotificationQuery{OldestFirst: true})),
		"requests by a field twice": first(t, b.Client.TrackingRequests(tracking.TrackingRequestQuery{CustomFields: []tracking.FieldCondition{
			{Slug: "po", Values: []string{"a"}}, {Slug: "po", Values: []string{"b"}},
		}})),
		"a field between four ends": first(t, b.Client.Containers(tracking.ContainerQuery{TrackedQuery: tracking.TrackedQuery{CustomFields: []tracking.FieldCondition{
			{Slug: "weight", Op: tracking.FieldFrom, Values: []string{"1", "2"}},
		}}})),
		"a field with a comma": first(t, b.Client.Shipments(tracking.ShipmentQuery{TrackedQuery: tracking.TrackedQuery{CustomFields: []tracking.FieldCondition{
			{Slug: "po", Values: []string{"a,b", "c"}},
		}}})),
		"definitions by slug": first(t, b.Client.CustomFieldDefinitions(tracking.CustomFieldDefinitionQuery{Slugs: []string{"po"}})),
		"values of a vessel":  first(t, b.Client.CustomFields(tracking.CustomFieldQuery{Entity: tracking.Entity{Type: "Vessel"}})),
		"deleting one of it":  b.Client.DeleteCustomFieldOf(t.Context(), tracking.Entity{Type: "Vessel"}, "po"),
		"changing one of it":  errorOf(b.Client.UpdateCustomFieldOf(t.Context(), tracking.Entity{}, "po", tracking.CustomFieldUpdate{})),
		"a tag with a comma":  first(t, b.Client.Shipments(tracking.ShipmentQuery{TrackedQuery: tracking.TrackedQuery{Tags: []string{"a,b"}}})),
	} {
		if err == nil || len(b.wire.sent) > 0 {
			t.Errorf("%s: %v, %d requests", name, err, len(b.wire.sent))
		}
	}
}

func first[T any](t *testing.T, l client.List[T]) error {
	t.Helper()
	for _, err := range l.All(t.Context()) {
		return err
	}
	return nil
}

// errorOf is the error of a call.
func errorOf[T any](_ T, err error) error { return err }

// Empty conditions are sent, so that the server refuses them instead of ignoring
// them.
func TestEmptyConditionsAreSent(t *testing.T) {
	b := newBench(t)
	must[*tracking.CustomFieldDefinition](t)(b.Client.CreateCustomFieldDefinition(t.Context(), tracking.NewCustomFieldDefinition{EntityType: tracking.ShipmentEntity, DisplayName: "PO", DataType: tracking.ShortTextField}))
	by := func(conds ...tracking.FieldCondition) error {
		return first(t, b.Client.Shipments(tracking.ShipmentQuery{TrackedQuery: tracking.TrackedQuery{CustomFields: conds}}))
	}
	for name, err := range map[string]error{
		"a field without a value":   by(tracking.FieldCondition{Slug: "po"}),
		"a field of no values":      by(tracking.FieldCondition{Slug: "po", Op: tracking.FieldIn}),
		"a field without an answer": by(tracking.FieldCondition{Slug: "po", Op: tracking.FieldPresent}),
		"an empty tag":              first(t, b.Client.Shipments(tracking.ShipmentQuery{TrackedQuery: tracking.TrackedQuery{Tags: []string{""}}})),
		"the zero terminal":         first(t, b.Client.Shipments(tracking.ShipmentQuery{TrackedQuery: tracking.TrackedQuery{PODTerminals: []tracking.ID{{}}}})),
	} {
		if refused := (*client.Error)(nil); !errors.As(err, &refused) || refused.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := by(tracking.FieldCondition{Slug: "po", Values: []string{"a"}}); err != nil {
		t.Error(err)
	}
}

// Errors have all members of the response.
func TestErrors(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	n := tracking.NewTrackingRequest{Number: "MAEU1", Type: tracking.BillOfLading, SCAC: "MAEU"}
	made := must[*tracking.TrackingRequest](t)(b.Client.CreateTrackingRequest(ctx, n))
	_, err := b.Client.CreateTrackingRequest(ctx, n)
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Status != 422 || !refused.Has("duplicate") || refused.Has("blank") || refused.RequestID == "" ||
		refused.Faults[0].Pointer != "/data/attributes/request_number" || refused.Faults[0].Meta["tracking_request_id"] != made.ID.String() {
		t.Errorf("a duplicate is %#v", refused)
	}
	err = first(t, b.Client.Shipments(tracking.ShipmentQuery{}, "cargo"))
	if !errors.As(err, &refused) || refused.Status != 400 || refused.Faults[0].Parameter != "include" || !strings.Contains(err.Error(), "include: 'cargo'") {
		t.Errorf("an unknown include is %v", err)
	}
	if _, err := b.Client.Shipment(ctx, uuid.New()); !errors.Is(err, tracking.ErrNotFound) || errors.Is(err, tracking.ErrStale) {
		t.Errorf("what is not there is %v", err)
	}
	b.wire.before = func(*http.Request) (*http.Response, error) { return response(502, "<html>", ""), nil }
	if err := b.Client.DeleteWebhook(ctx, uuid.New()); !errors.As(err, &refused) || refused.Status != 502 || len(refused.Faults) > 0 {
		t.Errorf("a proxy's answer is %v", err)
	}
	b.wire.before = func(*http.Request) (*http.Response, error) { return response(200, "<html>", ""), nil }
	if _, err := b.Client.Shipment(ctx, uuid.New()); err == nil || first(t, b.Client.Parties()) == nil {
		t.Error("what is no JSON was read")
	}
}

func response(status int, body, retryAfter string) *http.Response {
	w := httptest.NewRecorder()
	if retryAfter != "" {
		w.Header().Set("Retry-After", retryAfter)
	}
	w.WriteHeader(status)
	_, _ = w.WriteString(body)
	return w.Result()
}

func TestConfigIsChecked(t *testing.T) {
	for _, config := range []client.Config{
		{}, {URL: "tracking.example.com/v2", Key: "k"}, {URL: "ftp://x/v2", Key: "k"}, {URL: "https://x/v2?a=b", Key: "k"}, {URL: "https://x/v2"},
		{URL: "https://x/v2", Key: "a b"}, {URL: "https://x/v2", Key: "k", Retries: -2}, {URL: "https://x/v2", Key: "k", MaxWait: -1},
	} {
		if _, err := client.New(config); err == nil {
			t.Errorf("New took %+v", config)
		}
	}
}

// Over a real connection.
func TestOverTheWire(t *testing.T) {
	b := newBench(t)
	server := httptest.NewServer(b.handler)
	defer server.Close()
	c, err := client.New(client.Config{URL: server.URL + "/v2", Key: b.key, HTTP: server.Client()})
	if err != nil {
		t.Fatal(err)
	}
	made := must[*tracking.Party](t)(c.CreateParty(context.Background(), tracking.NewParty{CompanyName: "Ümlaut & Söhne"}))
	if p := must[*tracking.Party](t)(c.Party(t.Context(), made.ID)); p.CompanyName != "Ümlaut & Söhne" || p.Version != made.Version || p.Version == 0 {
		t.Errorf("the party is %+v", p)
	}
	content := []byte("type: other\nby: wire")
	paper := must[*tracking.Document](t)(c.CreateDocument(t.Context(), tracking.NewDocument{Name: "Über", FileName: "über den Draht.txt", Content: content}))
	file := must[*tracking.Download](t)(c.OpenDownload(t.Context(), must[string](t)(c.DocumentDownload(t.Context(), paper.ID))))
	if file.FileName != "über den Draht.txt" || string(contentOf(t, file)) != string(content) {
		t.Errorf("the file is %+v", file)
	}
}

// TestRead returns the body as the server sent it, and errors as the other methods.
func TestRead(t *testing.T) {
	b := newBench(t)
	must[tracking.Receipt](t)(b.Report(t.Context(), voyage("MAEU77001")))
	body := must[json.RawMessage](t)(b.Client.Read(t.Context(), "/shipments", url.Values{"page[size]": {"1"}}))
	var doc struct{ Meta struct{ Size, Total int } }
	if err := json.Unmarshal(body, &doc); err != nil || doc.Meta.Size != 1 || doc.Meta.Total != 1 {
		t.Errorf("the body is %s", body)
	}
	if _, err := b.Client.Read(t.Context(), "/shipments/7d1c2c33-0000-4000-8000-000000000000", nil); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("an unknown shipment: %v", err)
	}
	if _, err := b.Client.Read(t.Context(), "/shipments/../webhooks", nil); err == nil || !strings.Contains(err.Error(), "invalid name") {
		t.Errorf("a path with dots: %v", err)
	}
}
