package tracking_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/trackingtest"
)

var update = flag.Bool("update", false, "write the golden files")

// proof is how an event is shown: a history that produces it once, in its last
// step, and the nearest that does not, which differs in one field.
type proof struct {
	event tracking.EventName
	// begin names the history that goes before, one of begins; may be empty.
	begin string
	steps []string
	// not is the field that differs, as "name=value", in the last step that has
	// the field.
	not string
}

// begins are the histories that others build on, by name.
var begins = map[string][]string{
	"direct": {
		"callback event=DEPA class=PLN at=03-05T02 place=CNSHA by=VESSEL",
		"callback event=ARRI class=PLN at=03-20T04 place=USLAX by=VESSEL",
	},
	"transshipped": {
		"import event=DEPA class=PLN at=03-05T02 place=CNSHA by=VESSEL",
		"import event=ARRI class=PLN at=03-09T04 place=KRPUS by=VESSEL",
		"import event=DEPA class=PLN at=03-12T04 place=KRPUS by=VESSEL",
		"import event=ARRI class=PLN at=03-24T04 place=USLAX by=VESSEL",
	},
	"inland": {
		"callback event=DEPA class=PLN at=03-05T02 place=CNSHA by=VESSEL",
		"notice pod=USLAX delivery=USCHI arrives=03-20",
		"callback event=LOAD class=ACT at=03-04T10 place=CNSHA by=VESSEL load=LADEN",
	},
	"asked": {
		"carrier event=DEPA class=PLN at=03-05T02 place=CNSHA by=VESSEL",
		"carrier event=ARRI class=PLN at=03-20T04 place=USLAX by=VESSEL",
		"carrier event=LOAD class=ACT at=03-01T10 place=CNSHA by=VESSEL load=LADEN",
		"request type=bill_of_lading number=LFB1",
	},
	"ashore": {
		"import event=DEPA class=ACT at=02-05T02 place=CNSHA by=VESSEL announce=no",
		"import event=ARRI class=ACT at=02-20T04 place=USLAX by=VESSEL announce=no",
		"import event=DISC class=ACT at=02-21T04 place=USLAX smdg=WBCT by=VESSEL load=LADEN announce=no",
	},
}

// proofs are in the order of describedEvents.
var proofs = []proof{
	{freight.VesselArrived, "asked", []string{"carrier event=ARRI class=ACT at=03-20T09 place=USLAX by=VESSEL", "pull"}, "class=EST"},
	{freight.EstimatedVesselArrived, "asked", []string{"callback event=ARRI class=EST at=03-21T04 place=USLAX by=VESSEL"}, "at=03-20T04"},
	{freight.VesselDischarged, "transshipped", []string{"callback event=DISC class=ACT at=03-25T04 place=USLAX smdg=WBCT by=VESSEL load=LADEN"}, "by=BARGE"},
	{freight.VesselLoaded, "transshipped", []string{"import event=LOAD class=ACT at=03-04T10 place=CNSHA by=VESSEL load=LADEN"}, "class=PLN"},
	{freight.VesselDeparted, "asked", []string{"carrier event=DEPA class=ACT at=03-05T03 place=CNSHA by=VESSEL", "pull"}, "by=TRUCK"},
	{freight.EstimatedVesselDeparted, "direct", []string{"import event=DEPA class=EST at=03-06T02 place=CNSHA by=VESSEL"}, "class=ACT"},
	{freight.VesselBerthed, "direct", []string{"report event=berth at=03-20T08 place=USLAX mode=vessel data_source=ais"}, "place=CNSHA"},
	{freight.RailDeparted, "inland", []string{"callback event=DEPA class=ACT at=03-24T08 place=USLAX by=RAIL"}, "by=TRUCK"},
	{freight.RailArrived, "inland", []string{"report event=arrive at=03-26T08 place=USKCK mode=rail"}, "mode=truck"},
	{freight.RailLoaded, "inland", []string{"import event=LOAD class=ACT at=03-23T08 place=USLAX by=RAIL load=LADEN"}, "class=PLN"},
	{freight.RailUnloaded, "inland", []string{"callback event=DISC class=ACT at=03-28T08 place=USCHI by=RAIL load=LADEN"}, "event=LOAD"},
	{freight.TransshipmentArrived, "transshipped", []string{"callback event=ARRI class=ACT at=03-09T05 place=KRPUS by=VESSEL"}, "place=USLAX"},
	{freight.TransshipmentDischarged, "transshipped", []string{"import event=DISC class=ACT at=03-09T15 place=KRPUS by=VESSEL load=LADEN"}, "place=USLAX"},
	{freight.TransshipmentLoaded, "transshipped", []string{"import event=LOAD class=ACT at=03-04T10 place=CNSHA by=VESSEL load=LADEN announce=no", "report event=load at=03-12T01 place=KRPUS mode=vessel load=laden"}, "mode=feeder"},
	{freight.TransshipmentDeparted, "transshipped", []string{"import event=LOAD class=ACT at=03-04T10 place=CNSHA by=VESSEL load=LADEN announce=no", "callback event=DEPA class=ACT at=03-12T05 place=KRPUS by=VESSEL"}, "by=BARGE"},
	{freight.FeederArrived, "direct", []string{"report event=arrive at=03-03T05 place=CNSHA mode=feeder"}, "mode=vessel"},
	{freight.FeederDischarged, "direct", []string{"callback event=DISC class=ACT at=03-03T06 place=CNSHA by=BARGE load=LADEN"}, "by=TRUCK"},
	{freight.FeederLoaded, "direct", []string{"report event=load classifier=actual at=03-02T05 place=CNNTG mode=feeder load=laden"}, "classifier=planned"},
	{freight.FeederDeparted, "direct", []string{"callback event=DEPA class=ACT at=03-02T09 place=CNNTG by=BARGE"}, "by=VESSEL"},
	{freight.EmptyOut, "direct", []string{"callback event=GTOT class=ACT at=03-01T08 place=CNSHA load=EMPTY"}, "load=LADEN"},
	{freight.FullIn, "direct", []string{"report event=gate_in at=03-02T08 place=CNSHA load=laden"}, "load=empty"},
	{freight.FullOut, "ashore", []string{"callback event=GTOT class=ACT at=02-24T08 place=USLAX load=LADEN"}, "event=GTIN"},
	{freight.EmptyIn, "ashore", []string{"callback event=GTIN class=ACT at=02-27T08 place=USLAX load=EMPTY"}, "load=LADEN"},
	{freight.ArrivedAtDestination, "inland", []string{"callback event=ARRI class=ACT at=03-28T08 place=USCHI by=RAIL"}, "place=USKCK"},
	{freight.EstimatedArrivedAtDestination, "inland", []string{"report event=arrive classifier=estimated at=03-28T08 place=USCHI mode=truck"}, "mode=vessel"},
	{freight.Available, "ashore", []string{"callback event=AVPU class=ACT at=02-22T08 place=USLAX load=LADEN"}, "class=EST"},
	{freight.NotAvailable, "ashore", []string{"callback event=AVPU class=ACT at=02-22T08 place=USLAX load=LADEN", "callback event=CUSS class=ACT at=02-23T08 place=USLAX load=LADEN"}, "event=CUSR"},
	{freight.Delivered, "ashore", []string{"mark delivered_at=2026-02-25T10:00:00Z"}, "delivered_at=null"},
	{freight.ShipmentEstimatedArrival, "asked", []string{"carrier event=ARRI class=EST at=03-21T04 place=USLAX by=VESSEL", "pull"}, "at=03-20T04"},
	{freight.TrackingRequestSucceeded, "", []string{"carrier event=LOAD class=ACT at=03-01T10 place=CNSHA by=VESSEL load=LADEN", "request type=bill_of_lading number=LFB1"}, "number=LFB2"},
	{freight.TrackingRequestFailed, "", []string{"request type=container number=TSTU4900014"}, "type=booking_number"},
	{freight.TrackingRequestAwaitingManifest, "", []string{"request type=booking_number number=LFK1"}, "type=container"},
	{freight.TrackingRequestStopped, "asked", []string{"track do=stop_tracking"}, "do=resume_tracking"},
	{freight.ContainerCreated, "", []string{"import event=GTOT class=ACT at=03-01T07 place=CNSHA load=EMPTY announce=no", "callback event=GTOT class=ACT at=03-01T08 place=CNSHA load=EMPTY box=CSQU3054383"}, "box=APZU4812090"},
	{freight.ContainerUpdated, "ashore", []string{"report event=terminal_status place=USLAX data_source=terminal hold=customs"}, "event=other"},
	{freight.ContainerPODTerminalChanged, "ashore", []string{"report event=terminal_status place=USLAX smdg=APMT data_source=terminal"}, "smdg=WBCT"},
	{freight.PickupLFDChanged, "ashore", []string{"report event=terminal_status place=USLAX data_source=terminal lfd=2026-03-08T08:00:00Z announce=no", "notice pod=USLAX free=DEM lfd=2026-03-09"}, "lfd=2026-03-08"},
	{freight.PickupLFDLineChanged, "ashore", []string{"notice pod=USLAX free=DEM lfd=2026-03-05"}, "free=DET"},
	{freight.PickupLFDTerminalChanged, "ashore", []string{"report event=terminal_status place=USLAX data_source=terminal lfd=2026-03-05T08:00:00Z"}, "data_source=shipping_line"},
	{freight.PickupLFDRailChanged, "inland", []string{"report event=terminal_status place=USCHI facility_type=RAMP data_source=terminal lfd=2026-04-05"}, "facility_type=DEPO"},
	{freight.PickupAppointmentChanged, "ashore", []string{"report event=terminal_status place=USLAX data_source=terminal appointment=2026-03-04T16:00:00Z announce=no", "report event=terminal_status place=USLAX data_source=terminal appointment=2026-03-04T18:00:00Z"}, "appointment=2026-03-04T16:00:00Z"},
	{freight.FreeTimeEnding, "ashore", []string{"notice pod=USLAX free=DEM lfd=2026-03-05", "wait until=03-04T08"}, "until=03-04T07"},
	{freight.FreeTimeEnded, "ashore", []string{"notice pod=USLAX free=DEM lfd=2026-03-05", "wait until=03-06T08"}, "until=03-06T07"},
	{freight.MilestoneOverdue, "asked", []string{"wait until=03-08T02"}, "until=03-08T01"},
	{freight.ExceptionOpened, "ashore", []string{"report event=terminal_status place=USLAX data_source=terminal hold=customs"}, "event=other"},
	{freight.ExceptionClosed, "ashore", []string{"report event=terminal_status place=USLAX data_source=terminal hold=customs", "wait until=03-03T12", "report event=terminal_status place=USLAX data_source=terminal hold=freight"}, "hold=customs"},
}

// describedEvents are those of freight, and those about exceptions.
func describedEvents() []tracking.EventDescription {
	return slices.Concat(tracking.Describe().Events, tracking.Describe().ExceptionEvents)
}

// TestEveryEvent shows for each of the 41 events, and of the five about exceptions, a history of facts from outside
// that produces it and has it delivered, once, and the nearest that does not. docs/events.md is what
// it has seen.
func TestEveryEvent(t *testing.T) {
	var seen []tracking.EventName
	page := eventsPage()
	for _, p := range proofs {
		seen = append(seen, p.event)
		history := slices.Concat(begins[p.begin], p.steps)
		other := differing(t, history, p.not)
		var row string
		t.Run(string(p.event), func(t *testing.T) {
			row = p.prove(t, history, other)
		})
		page.WriteString(row)
	}
	var want []tracking.EventName
	for _, e := range describedEvents() {
		want = append(want, e.Name)
	}
	if !slices.Equal(seen, want) {
		t.Errorf("shown are %d events, want all %d in the order of their descriptions: %q", len(seen), len(want), seen)
	}
	page.WriteString(eventsAfterwards())
	golden(t, "docs/events.md", page.Bytes())
}

// prove runs both histories and returns the row of the page.
func (p proof) prove(t *testing.T, history, other []string) string {
	w := newWorld(t)
	for i, step := range history {
		if n := len(w.announced(p.event)); n != 0 {
			t.Fatalf("announced %d times before step %d, %q; announced were:\n%s", n, i, step, w.heard())
		}
		w.do(step)
	}
	got := w.announced(p.event)
	if len(got) != 1 {
		t.Fatalf("announced %d times, want once; announced were:\n%s", len(got), w.heard())
	}
	w.Pass(time.Hour)
	if n := len(w.announced(p.event)); n != 1 {
		t.Errorf("announced %d times after an hour", n)
	}
	included := w.included(got[0])
	w.delivered(p.event)

	w = newWorld(t)
	for _, step := range other {
		w.do(step)
	}
	if n := len(w.announced(p.event)); n != 0 {
		t.Errorf("announced %d times with %s, want never", n, p.not)
	}
	facts := "`" + strings.Join(p.steps, "`<br>`") + "`"
	if p.begin != "" {
		facts = p.begin + ", then<br>" + facts
	}
	return fmt.Sprintf("| %s | %s | %s | %s | `%s` |\n", p.event, facts, got[0].Reference.Type, strings.Join(included, ", "), p.not)
}

// differing is the history with another value of one field, in the last step
// that has it.
func differing(t *testing.T, history []string, field string) []string {
	t.Helper()
	name, _, _ := strings.Cut(field, "=")
	other := slices.Clone(history)
	for i := len(other) - 1; i >= 0; i-- {
		words := strings.Fields(other[i])
		at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, name+"=") })
		if at < 0 {
			continue
		}
		if words[at] == field {
			t.Fatalf("%s does not differ", field)
		}
		words[at] = field
		other[i] = strings.Join(words, " ")
		return other
	}
	t.Fatalf("no step of %q has the field %s", history, name)
	return nil
}

// eventsAfterwards is the end of docs/events.md: what makes, corrects and takes back
// each event. Events that have the rest in common stand together.
func eventsAfterwards() string {
	var b strings.Builder
	b.WriteString(`
# What makes, corrects and takes back each event

Webhooks for all events do not get the five about exceptions, the last of each list: they name them, or the category exception-events ([who gets an event](webhooks.md#who-gets-an-event)). Each event is announced once, under its own id. A milestone that was announced and then proves to be otherwise is a new event: the former gets invalidated_at, and the new one names it as previous_version. A receiver that keeps the last event of each name, place and container, and removes what container.updated names, has what the API shows. A milestone that was never announced (history, silent imports) is corrected in place and in silence. What was announced within the flap window (an interval of the refreshes, for each container, event and place) waits for its end, and is announced then if it still stands. Nothing is announced of a shipment that a user has stopped, and a resume announces at most the changed arrival, and exceptions that are otherwise than announced; of one that a rule has stopped, corrections are announced at once and the rest when facts have it followed again.

`)
	rows := map[string][]string{}
	var order []string
	for _, e := range describedEvents() {
		fmt.Fprintf(&b, "- `%s`: %s.\n", e.Name, e.Condition)
		row := e.Correction + " | " + e.Withdrawal
		if rows[row] == nil {
			order = append(order, row)
		}
		rows[row] = append(rows[row], "`"+string(e.Name)+"`")
	}
	b.WriteString("\n| Events | What corrects them | What takes them back |\n|---|---|---|\n")
	for _, row := range order {
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(rows[row], "<br>"), row)
	}
	return b.String()
}

// eventsPage is the beginning of docs/events.md.
func eventsPage() *bytes.Buffer {
	var b bytes.Buffer
	b.WriteString(`# Every event and its facts

Written by TestEveryEvent; ` + "`make golden`" + ` regenerates it.

Each row is a history of facts, one step after the other, an hour apart, or when the actual that a step reports has happened. The last step announces the event, once. The last column is one field of the last step that has it: with that value the event is never announced. "Included" lists what came with the reference object in that history.

A step begins with how it comes in:

| Step | How it comes in |
|---|---|
| callback | a signed DCSA Track & Trace event, to the callback receiver |
| import | the same in a file, as with ` + "`landfall import --announce`" + ` |
| carrier | the same, known to the carrier, which is not asked yet |
| wait | nothing comes in until that time |
| pull | the shipment's next refresh is due, and the carrier is asked over HTTP |
| notice | a DCSA arrival notice, to its receiver |
| report | a fact by POST /v2/reports |
| request | POST /v2/tracking_requests; the carrier is asked |
| track, mark | PATCH /v2/shipments/{id}/stop_tracking and the like; PATCH /v2/containers/{id} |

Unless a step says otherwise, the fact is about bill of lading LFB1 and container APZU4812090. Histories that others begin with:

`)
	for _, name := range []string{"direct", "transshipped", "inland", "asked", "ashore"} {
		fmt.Fprintf(&b, "- **%s**: `%s`\n", name, strings.Join(begins[name], "`; `"))
	}
	b.WriteString("\n| Event | Facts | Reference object | Included | Not with |\n|---|---|---|---|---|\n")
	return &b
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s differs from what was seen; make golden updates it", file)
	}
}

// world is an engine with all the doors that facts come in by.
type world struct {
	*trackingtest.Bench
	t         *testing.T
	server    http.Handler
	callbacks http.Handler
	events    []json.RawMessage // what the carrier knows
	n         int               // of steps
}

const callbackSecret = "c2hhcmVkIHNlY3JldCBvZiB0aGUgdGVzdHM="

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t}
	carrier := httptest.NewServer(http.HandlerFunc(w.carrier))
	t.Cleanup(carrier.Close)
	client, err := dcsa.New(dcsa.Config{SCAC: trackingtest.SCAC, BaseURL: carrier.URL, RequestsPerSecond: -1, Patience: -1})
	if err != nil {
		t.Fatal(err)
	}
	w.Bench = trackingtest.New(t, func(c *tracking.Config) { c.Sources = tracking.Sources{trackingtest.SCAC: client} })
	hook := tracking.NewWebhook{URL: "https://receiver.example/events", Events: append(tracking.EventNames(), "exception-events")}
	if _, err := w.CreateWebhook(context.Background(), hook); err != nil {
		t.Fatal(err)
	}
	w.server = httpserver.New(httpserver.Config{Tracker: w.Operator, Authenticate: func(*http.Request) (tracking.Actor, error) {
		return tracking.Actor{Account: w.Account.Scope()}, nil
	}})
	w.callbacks, err = dcsa.NewCallbacks(dcsa.CallbackConfig{Callbacks: []dcsa.Callback{{
		Name: "line", SCAC: trackingtest.SCAC, Tracker: w.Tracker, Secrets: []dcsa.Secret{callbackSecret},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// carrier answers with the events about the number that it is asked for.
func (w *world) carrier(rw http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	var about []json.RawMessage
	for _, e := range w.events {
		if n := q.Get("transportDocumentReference"); n != "" && bytes.Contains(e, []byte(`"`+n+`"`)) {
			about = append(about, e)
		}
	}
	if about == nil {
		rw.WriteHeader(http.StatusNotFound)
		return
	}
	rw.Header().Set("Content-Type", "application/json")
	json.NewEncoder(rw).Encode(about)
}

// fields are those of a step.
type fields map[string]string

func (f fields) or(name, otherwise string) string {
	if v, ok := f[name]; ok {
		return v
	}
	return otherwise
}

// do takes a step, an hour after the last one, or when what it tells of has happened.
func (w *world) do(step string) {
	w.t.Helper()
	w.Pass(time.Hour)
	w.n++
	words := strings.Fields(step)
	f := fields{}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		f[name] = value
	}
	if happened, err := time.Parse(time.RFC3339, in2026(f["at"])); err == nil && f.or("class", f.or("classifier", "ACT")) == "ACT" {
		w.Pass(max(0, happened.Sub(w.Clock.Now())))
	}
	switch words[0] {
	case "callback":
		w.callback("", "["+string(w.event(f))+"]")
	case "notice":
		w.callback("/arrival-notices", w.notice(f))
	case "import":
		r, err := dcsa.Read(strings.NewReader("["+string(w.event(f))+"]"), dcsa.Options{SCAC: trackingtest.SCAC})
		if err != nil {
			w.t.Fatal(err)
		}
		r.Silent = f["announce"] == "no"
		ingest(w.t, w.Bench, r)
	case "carrier":
		w.events = append(w.events, w.event(f))
	case "pull":
		w.Pass(25 * time.Hour)
	case "wait":
		until, err := time.Parse(time.RFC3339, in2026(f["until"]))
		if err != nil {
			w.t.Fatal(err)
		}
		w.Pass(until.Sub(w.Clock.Now()))
	case "report":
		w.call("POST", "/v2/reports", w.report(f))
	case "request":
		w.call("POST", "/v2/tracking_requests", fmt.Sprintf(
			`{"data":{"type":"tracking_request","attributes":{"request_type":%q,"request_number":%q,"scac":%q}}}`, f["type"], f["number"], trackingtest.SCAC))
		w.Settle()
	case "track":
		w.call("PATCH", "/v2/shipments/"+allShipments(w.t, w.Bench)[0].ID.String()+"/"+f["do"], "")
	case "mark":
		value := f["delivered_at"]
		if value != "null" {
			value = `"` + value + `"`
		}
		w.call("PATCH", "/v2/containers/"+allShipments(w.t, w.Bench)[0].Containers[0].String(),
			fmt.Sprintf(`{"data":{"type":"container","attributes":{"delivered_at":%s}}}`, value))
	default:
		w.t.Fatalf("no door is called %q", words[0])
	}
}

// call sends a request to the server, which must accept it.
func (w *world) call(method, path, body string) {
	w.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w.answered(w.server, r)
}

// callback delivers a body as the carrier does.
func (w *world) callback(path, body string) {
	w.t.Helper()
	r := httptest.NewRequest("POST", dcsa.CallbackPath+"line"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	secret, err := dcsa.DecodeSecret(callbackSecret)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set(dcsa.SignatureHeader, dcsa.Sign(secret, []byte(body)))
	w.answered(w.callbacks, r)
}

func (w *world) answered(h http.Handler, r *http.Request) {
	w.t.Helper()
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, r)
	if answer.Code >= 300 {
		text, _ := io.ReadAll(answer.Result().Body)
		w.t.Fatalf("%s %s: %d %s", r.Method, r.URL.Path, answer.Code, text)
	}
}

// in2026 is a time of 2026, as steps say it.
func in2026(text string) string {
	if text == "" {
		return ""
	}
	return "2026-" + text + ":00:00Z"
}

const theBox, theBill = "APZU4812090", "LFB1"

// event is a DCSA event of the kind that its code belongs to.
func (w *world) event(f fields) json.RawMessage {
	kind, code := "EQUIPMENT", "equipmentEventTypeCode"
	if f["event"] == "ARRI" || f["event"] == "DEPA" {
		kind, code = "TRANSPORT", "transportEventTypeCode"
	}
	call := map[string]any{"UNLocationCode": f["place"]}
	if f["smdg"] != "" {
		call["facilityCode"], call["facilityCodeListProvider"] = f["smdg"], "SMDG"
	}
	if f["by"] != "" {
		call["modeOfTransport"] = f["by"]
	}
	if f["by"] == "VESSEL" {
		call["vessel"] = map[string]any{"vesselIMONumber": "2000014", "vesselName": "AMBER HERON"}
		call["exportVoyageNumber"] = "214E"
	}
	e := map[string]any{
		"eventID": fmt.Sprint("e", w.n), "eventType": kind, code: f["event"], "eventClassifierCode": f["class"],
		"eventDateTime": in2026(f["at"]), "eventCreatedDateTime": w.Clock.Now().Format(time.RFC3339),
		"transportCall":      call,
		"documentReferences": []any{map[string]any{"documentReferenceType": "TRD", "documentReferenceValue": theBill}},
		"references":         []any{map[string]any{"referenceType": "EQ", "referenceValue": f.or("box", theBox)}},
	}
	if kind == "EQUIPMENT" {
		e["equipmentReference"], e["emptyIndicatorCode"] = f.or("box", theBox), f["load"]
	}
	return w.json(e)
}

// notice is an arrival notice about the box.
func (w *world) notice(f fields) string {
	transport := map[string]any{"portOfDischarge": map[string]any{"UNLocationCode": f["pod"]}}
	if f["delivery"] != "" {
		transport["placeOfDelivery"] = map[string]any{"UNLocationCode": f["delivery"]}
	}
	if f["arrives"] != "" {
		transport["portOfDischargeArrivalDate"] = map[string]any{"value": "2026-" + f["arrives"], "classifier": "EST"}
	}
	n := map[string]any{
		"issueDateTime": w.Clock.Now().Format(time.RFC3339), "carrierCode": trackingtest.SCAC, "carrierCodeListProvider": "NMFTA",
		"transportDocumentReference": theBill, "transport": transport,
		"utilizedTransportEquipments": []any{map[string]any{"equipment": map[string]any{"equipmentReference": theBox, "ISOEquipmentCode": "22G1"}}},
	}
	if f["lfd"] != "" {
		n["freeTimes"] = []any{map[string]any{
			"typeCodes": []string{f["free"]}, "duration": 5, "timeUnit": "CD",
			"lastFreeDate": map[string]any{"value": f["lfd"], "classifier": "EST"},
		}}
	}
	return string(w.json(map[string]any{"arrivalNotices": []any{n}}))
}

// report is the JSON shape of one fact.
func (w *world) report(f fields) string {
	place := map[string]any{"locode": f["place"]}
	fact := map[string]any{
		"id": fmt.Sprint("r", w.n), "recorded_at": w.Clock.Now().Format(time.RFC3339), "event": f["event"], "place": place,
		"containers": []string{f.or("box", theBox)}, "numbers": []any{map[string]any{"type": "bill_of_lading", "number": theBill}},
	}
	for name, value := range map[string]string{"mode": f["mode"], "load": f["load"], "classifier": f["classifier"], "at": in2026(f["at"])} {
		if value != "" {
			fact[name] = value
		}
	}
	for name, value := range map[string]string{"smdg_code": f["smdg"], "facility_type": f["facility_type"]} {
		if value != "" {
			place[name] = value
		}
	}
	if f["mode"] == "vessel" {
		fact["vessel"] = map[string]any{"imo": "2000014", "name": "AMBER HERON"}
	}
	terminal := map[string]any{}
	if f["hold"] != "" {
		terminal["holds"] = []any{map[string]any{"name": f["hold"], "status": "hold"}}
	}
	for name, value := range map[string]string{"last_free_day": f["lfd"], "appointment": f["appointment"]} {
		if value != "" {
			terminal[name] = value
		}
	}
	if f["event"] == "terminal_status" {
		fact["terminal"] = terminal
	}
	return string(w.json(map[string]any{"source": "tests", "data_source": f.or("data_source", "shipping_line"), "scac": trackingtest.SCAC, "announce": f["announce"] != "no", "facts": []any{fact}}))
}

func (w *world) json(v any) json.RawMessage {
	w.t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		w.t.Fatal(err)
	}
	return data
}

// announced are the announcements of one event so far.
func (w *world) announced(event tracking.EventName) (list []tracking.Announcement) {
	for _, a := range w.Announcements() {
		if a.Event == event {
			list = append(list, a)
		}
	}
	return list
}

// delivered checks what was posted to the webhook: payloads all of them, and one
// of them about the event.
func (w *world) delivered(event tracking.EventName) {
	w.t.Helper()
	n := 0
	for _, d := range w.Notifier.Sent() {
		document := readPayload(w.t, d.Body)
		if err := checkPayload(w.t, document); err != nil {
			w.t.Errorf("%s was delivered as no payload: %v\n%s", namedEvent(document), err, d.Body)
		}
		if namedEvent(document) == string(event) {
			n++
		}
	}
	if n != 1 {
		w.t.Errorf("delivered %d times, want once", n)
	}
}

// heard are the names of all that was announced.
func (w *world) heard() string {
	var b strings.Builder
	for _, a := range w.Announcements() {
		fmt.Fprintln(&b, a.Event)
	}
	return b.String()
}

// included are the types of what is found with the reference object.
func (w *world) included(a tracking.Announcement) []string {
	w.t.Helper()
	all := describedEvents()
	i := slices.IndexFunc(all, func(d tracking.EventDescription) bool { return d.Name == a.Event })
	if all[i].Reference != a.Reference.Type {
		w.t.Errorf("the reference object is a %s, described as a %s", a.Reference.Type, all[i].Reference)
	}
	s, err := w.Rendered().Get(context.Background(), a.Reference.Type, a.Reference.ID, all[i].Include)
	if err != nil {
		w.t.Fatal(err)
	}
	var types []string
	for _, r := range s.Included {
		if !slices.Contains(types, r.Type) {
			types = append(types, r.Type)
		}
	}
	slices.Sort(types)
	with := append(slices.Clone(types), a.Reference.Type)
	if a.Shipment != (tracking.ID{}) && !slices.Contains(with, "shipment") || a.Container != (tracking.ID{}) && !slices.Contains(with, "container") {
		w.t.Errorf("included are %q, without what the event is about", types)
	}
	return types
}
