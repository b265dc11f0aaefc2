package report

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
)

// TestFaults: each fault has the path of the value that is wrong.
func TestFaults(t *testing.T) {
	fact := func(members string) string { return `{"source":"x","facts":[{"event":"load",` + members + `}]}` }
	for _, tt := range []struct{ json, field string }{
		{`[]`, ""},
		{`{"facts":[]}`, "source"},
		{`{"source":"` + strings.Repeat("x", 65) + `"}`, "source"},
		{`{"source":"x","data_source":"rumour"}`, "data_source"},
		{`{"source":"x","scac":"MAERSK"}`, "scac"},
		{`{"source":"x","Source":"y"}`, "Source"},
		{`{"data":{"type":"shipment","attributes":{}}}`, "data.type"},
		{`{"data":{"type":"report"}}`, "data.attributes"},
		{`{"source":"x","facts":[{"retract":true}]}`, "facts[0].id"},
		{`{"source":"x","facts":[{"retract":true,"id":"1","event":"fly"}]}`, "facts[0].event"},
		{`{"source":"x","facts":[{"event":""}]}`, "facts[0].event"},
		{fact(`"scac":"M"`), "facts[0].scac"},
		{fact(`"mode":"air"`), "facts[0].mode"},
		{fact(`"load":"half"`), "facts[0].load"},
		{fact(`"at":"yesterday"`), "facts[0].at"},
		{fact(`"terminal":{"last_free_day":"soon"}`), "facts[0].terminal.last_free_day"},
		{fact(`"place":{"role":"home"}`), "facts[0].place.role"},
		{fact(`"voyage":"` + strings.Repeat("1", 256) + `"`), "facts[0].voyage"},
		{fact(`"references":["a","\u0007"]`), "facts[0].references[1]"},
		{fact(`"containers":["-"]`), "facts[0].containers[0]"},
		{fact(`"numbers":[{"type":"booking_number","number":"` + strings.Repeat("1", MaxNumber+1) + `"}]`), "facts[0].numbers[0].number"},
		{fact(`"equipment":{"weight_kg":-1}`), "facts[0].equipment.weight_kg"},
		{fact(`"terminal":{"fees":[{"type":"total","amount":1,"currency_code":"US"}]}`), "facts[0].terminal.fees[0]"},
	} {
		var fault *Fault
		if _, err := Parse([]byte(tt.json)); !errors.As(err, &fault) || fault.Field != tt.field || fault.Detail == "" {
			t.Errorf("%s:\n got %v\nwant a fault at %q", tt.json, err, tt.field)
		}
	}
}

// TestRoundTrip: a valid fact is read as it was written, with the document around it or
// without.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := freight.Fact{
			ID:         rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "id"),
			Activity:   rapid.SampledFrom(activities).Draw(t, "activity"),
			Classifier: rapid.SampledFrom(classifiers).Draw(t, "classifier"),
			Mode:       rapid.SampledFrom(modes).Draw(t, "mode"),
			LoadStatus: rapid.SampledFrom(loads).Draw(t, "load"),
			At:         freight.Moment{Time: time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "at"), 0).UTC()},
			Place:      freight.Place{Role: rapid.SampledFrom(roles).Draw(t, "role"), LOCODE: "CNSHA"},
			Containers: []string{rapid.StringMatching(`[A-Z]{4}[0-9]{7}`).Draw(t, "container")},
			Numbers:    []freight.ShipmentNumber{{Type: rapid.SampledFrom(numberTypes).Draw(t, "type"), Number: "B1"}},
		}
		text, err := json.Marshal(map[string]any{"source": "x", "facts": []freight.Fact{f}})
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "document") {
			text = []byte(`{"data":{"type":"report","attributes":` + string(text) + `}}`)
		}
		r, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Facts) != 1 || !reflect.DeepEqual(r.Facts[0], f) {
			t.Errorf("read\n%+v\nwant\n%+v", r.Facts, f)
		}
	})
}
