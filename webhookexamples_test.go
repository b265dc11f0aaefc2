package tracking_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
)

// payloadSchema is what payloads are held to, of real deliveries (TestEveryEvent)
// and of the examples alike.
var payloadSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	return c.Compile("testdata/webhooks/notification.schema.json")
})

// checkPayload says why a document is no payload.
func checkPayload(t *testing.T, document any) error {
	t.Helper()
	schema, err := payloadSchema()
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(document)
}

func readPayload(t *testing.T, body []byte) map[string]any {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return document.(map[string]any)
}

func examplePayload(t *testing.T, event tracking.EventName) []byte {
	t.Helper()
	body, err := tracking.Describe().ExampleNotification(event)
	if err != nil {
		t.Fatalf("%s: %v", event, err)
	}
	return body
}

// allEvents are the events that a webhook can subscribe to.
func allEvents() []tracking.EventName {
	return slices.Clone(tracking.Describe().AllEvents)
}

// The example of each event is a payload, about that event.
func TestExampleNotifications(t *testing.T) {
	for _, event := range allEvents() {
		body := examplePayload(t, event)
		document := readPayload(t, body)
		if err := checkPayload(t, document); err != nil {
			t.Errorf("%s: %v\n%s", event, err, body)
		}
		if got := namedEvent(document); got != string(event) {
			t.Errorf("the example of %s is one of %s", event, got)
		}
		if !bytes.Equal(body, examplePayload(t, event)) {
			t.Errorf("%s: the second example differs", event)
		}
		if bytes.Contains(body, []byte(`"0001-`)) {
			t.Errorf("%s: a time of the story cannot be read: %s", event, body)
		}
		if last := included(document)[len(included(document))-1]; last["id"] != at(document, "data", "relationships", "reference_object", "data", "id") {
			t.Errorf("%s: the last of what is included is not the reference object", event)
		}
	}
}

// What the examples name exists: the places, and a container number as it must be.
func TestExamplesAreConsistent(t *testing.T) {
	kinds := map[string]bool{}
	for _, event := range allEvents() {
		for _, r := range included(readPayload(t, examplePayload(t, event))) {
			attributes := r["attributes"].(map[string]any)
			typ := r["type"].(string)
			kinds[typ] = true
			switch typ {
			case "port":
				if _, ok := refdata.PortByCode(fmt.Sprint(attributes["code"])); !ok || attributes["time_zone"] == nil {
					t.Errorf("%s: the port is %v", event, attributes)
				}
			case "container":
				if ok, _ := refdata.CheckDigit(attributes["number"].(string)); !ok {
					t.Errorf("%s: the container is %v", event, attributes["number"])
				}
			}
		}
	}
	if len(kinds) != 15 {
		t.Errorf("the examples include resources of %d types, want all 15 that payloads hold: %v", len(kinds), kinds)
	}
}

func TestExamplesOfUnknownEvents(t *testing.T) {
	for event, code := range map[tracking.EventName]string{
		"": "blank", "link.created": "inclusion", "document.created": "inclusion",
	} {
		_, err := tracking.Describe().ExampleNotification(event)
		if fault := (*tracking.Error)(nil); !errors.As(err, &fault) || fault.Kind != tracking.Invalid || fault.Field != "event" || fault.Code != code {
			t.Errorf("%q: %v, want the code %s", event, err, code)
		}
	}
}

// holdsFields are the objects with what was read from a document: it need not be
// all that there could be.
var holdsFields = regexp.MustCompile(`/payload(/[a-z]+/[0-9]+)?$`)

// The schema leaves nothing open: a payload with a member more, a member less or a
// value of another type is none, wherever that is.
func TestPayloadSchemaIsStrict(t *testing.T) {
	tried := 0
	for _, event := range []tracking.EventName{
		freight.VesselDischarged, freight.NotAvailable, freight.ShipmentEstimatedArrival, freight.ContainerCreated,
		freight.ContainerUpdated, freight.ContainerPODTerminalChanged, freight.TrackingRequestSucceeded,
		tracking.DocumentExtracted, freight.ExceptionOpened, freight.FreeTimeEnded,
	} {
		document := readPayload(t, examplePayload(t, event))
		refused := func(what, path string) {
			t.Helper()
			tried++
			if checkPayload(t, document) == nil {
				t.Errorf("%s: with %s at %s it still is a payload", event, what, path)
			}
		}
		eachObject(document, "", func(path string, object map[string]any) {
			object["unexpected"] = "x"
			refused("a member more", path)
			delete(object, "unexpected")
			for name, value := range object {
				if strings.HasSuffix(path, "/changeset") { // it holds what has changed
					continue
				}
				if !holdsFields.MatchString(path) {
					delete(object, name)
					refused("a member less", path+"/"+name)
				}
				object[name] = map[string]any{"of": "another type"}
				if name == "extracted_data_manual" { // any object
					object[name] = "another type"
				}
				refused("another type", path+"/"+name)
				object[name] = value
			}
		})
		if err := checkPayload(t, document); err != nil {
			t.Fatalf("%s: the document was not put back: %v", event, err)
		}
	}
	if tried < 1_000 {
		t.Errorf("only %d changes tried", tried)
	}
}

// A payload without what its event is about is none.
func TestPayloadIncludesItsContext(t *testing.T) {
	for event, types := range map[tracking.EventName][]string{
		freight.VesselLoaded:                {"transport_event", "container", "shipment"},
		freight.PickupLFDChanged:            {"transport_event", "container", "shipment"},
		freight.ShipmentEstimatedArrival:    {"estimated_event", "shipment"},
		freight.ContainerCreated:            {"container_created_event", "container", "shipment"},
		freight.ContainerUpdated:            {"container_updated_event", "container", "shipment"},
		freight.ContainerPODTerminalChanged: {"container_pod_terminal_changed_event", "container", "shipment"},
		freight.TrackingRequestFailed:       {"tracking_request"},
		freight.TrackingRequestSucceeded:    {"tracking_request", "shipment"},
		tracking.DocumentExtracted:          {"document", "document_representation"},
		freight.FreeTimeEnding:              {"container", "shipment"},
		freight.MilestoneOverdue:            {"exception", "shipment"},
		freight.ExceptionClosed:             {"exception", "shipment"},
		tracking.DocumentExtractionFailed:   {"document"},
	} {
		for _, typ := range types {
			document := readPayload(t, examplePayload(t, event))
			all := document["included"].([]any)
			document["included"] = slices.DeleteFunc(all, func(r any) bool { return r.(map[string]any)["type"] == typ })
			if checkPayload(t, document) == nil {
				t.Errorf("%s: without the %s it still is a payload", event, typ)
			}
		}
	}
}

// Each event belongs to one category, and each category has some.
func TestEventCategories(t *testing.T) {
	var names []tracking.EventName
	for _, c := range tracking.Describe().EventCategories {
		if len(c.Events) == 0 {
			t.Errorf("%s is empty", c.ID)
		}
		for _, e := range c.Events {
			if e.Condition == "" {
				t.Errorf("%s has no description", e.Name)
			}
			names = append(names, e.Name)
		}
	}
	want := allEvents()
	slices.Sort(names)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("the categories have %q, want %q", names, want)
	}
}

// eachObject calls fn with every object of a document, and where it is.
func eachObject(value any, path string, fn func(string, map[string]any)) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			eachObject(inner, path+"/"+name, fn)
		}
		fn(path, v)
	case []any:
		for i, inner := range v {
			eachObject(inner, fmt.Sprint(path, "/", i), fn)
		}
	}
}

func at(document map[string]any, path ...string) any {
	var v any = document
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func namedEvent(document map[string]any) string {
	name, _ := at(document, "data", "attributes", "event").(string)
	return name
}

func included(document map[string]any) (list []map[string]any) {
	all, _ := document["included"].([]any)
	for _, r := range all {
		list = append(list, r.(map[string]any))
	}
	return list
}

func ExampleDescription_ExampleNotification() {
	body, err := tracking.Describe().ExampleNotification(freight.VesselLoaded)
	if err != nil {
		fmt.Println(err)
		return
	}
	var payload struct {
		Data struct {
			Attributes struct{ Event string }
		}
		Included []struct{ Type string }
	}
	if err := json.Unmarshal(body, &payload); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(payload.Data.Attributes.Event)
	for _, r := range payload.Included {
		fmt.Println(r.Type)
	}
	// Output:
	// container.transport.vessel_loaded
	// container
	// port
	// shipment
	// vessel
	// transport_event
}
