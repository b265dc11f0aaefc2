package tracking_test

import (
	"encoding/json"
	"testing"

	"github.com/landfallhq/tracking"
)

// TestDocumentFieldsAsJSON holds the form that is published as the payload of a
// representation: fields in their order, tables as arrays, null for what has no
// normal form.
func TestDocumentFieldsAsJSON(t *testing.T) {
	box := tracking.TextBox{Left: 1, Top: 2, Right: 3.5, Bottom: 4}
	fields := tracking.DocumentFields{
		{Name: "pol", Kind: tracking.FieldPlace, Value: "Nowhere", Confidence: 0.5, Page: 1, Box: box},
		{Name: "eta", Kind: tracking.FieldDate, Value: "05/08/2026", Normal: "2026-08-05", Alternatives: []any{"2026-05-08"}, Confidence: 0.5, Page: 1, Box: box},
		{Name: "charges", Kind: tracking.FieldTable, Rows: []tracking.DocumentFields{
			{{Name: "amount", Kind: tracking.FieldMoney, Value: "USD 1,200.50", Normal: tracking.Money{Amount: "1200.50", Currency: "USD"}, Confidence: 0.9, Page: 2, Box: box}},
		}},
		{Name: "containers", Kind: tracking.FieldTable},
	}
	got, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"pol":{"value":"Nowhere","normalized":null,"confidence":0.5,"page":1,"box":[1,2,3.5,4]},` +
		`"eta":{"value":"05/08/2026","normalized":"2026-08-05","alternatives":["2026-05-08"],"confidence":0.5,"page":1,"box":[1,2,3.5,4]},` +
		`"charges":[{"amount":{"value":"USD 1,200.50","normalized":{"amount":"1200.50","currency":"USD"},"confidence":0.9,"page":2,"box":[1,2,3.5,4]}}],` +
		`"containers":[]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if f, ok := fields.Get("pol"); !ok || f.Value != "Nowhere" {
		t.Errorf("Get found %v, %v", f, ok)
	}
	if _, ok := fields.Get("pod"); ok {
		t.Error("Get found a field that is not there")
	}
}
