package httpserver_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/internal/drill"
)

// TestRandomRequests sends LANDFALL_REQUESTS (default 400) random requests to all
// operations, with valid and invalid parameters and bodies generated from
// openapi.json. Every response must match its description, and none may be a 500.
func TestRandomRequests(t *testing.T) {
	total := drill.Count(t, "LANDFALL_REQUESTS", 400)
	if testing.Short() {
		total = min(total, 100)
	}
	random := drill.Random(t)
	c, err := openAPIContract()
	if err != nil {
		t.Fatal(err)
	}
	drawer := newRequests(c.doc)
	statuses := map[int]int{}
	seen, well := map[string]bool{}, map[string]bool{} // operations, and those that succeeded
	var b *bench
	for i := range total {
		if i%500 == 0 { // the account must not fill up, nor stay without a webhook
			b = newBench(t)
			drawer.ids = b.mine.ids
		}
		d := drawer.gen.Example(int(random.Uint64() >> 2))
		r := request(d.method, d.target, d.body, append(d.headers, b.mine.auth())...)
		w := httptest.NewRecorder()
		b.server.ServeHTTP(w, r)
		statuses[w.Code]++
		seen[d.operation] = true
		if w.Code < 300 {
			well[d.operation] = true
		}
		if w.Code >= 500 {
			t.Fatalf("%s %s %s: %d %s", d.method, d.target, d.body, w.Code, w.Body)
		}
		b.asDescribed(r, w.Code, w.Header(), w.Body.Bytes())
		if t.Failed() {
			t.Fatalf("%s %s %s %q", d.method, d.target, d.body, d.headers)
		}
	}
	if total >= 100*len(drawer.operations) { // enough for each to have its turn
		for _, name := range drawer.operations {
			if !well[name] {
				t.Logf("%s never succeeded", name)
			}
		}
	}
	t.Logf("%d requests over %d of %d operations, %d of which succeeded: %v by status, 0 outside the description, 0 of 5xx", total, len(seen), len(drawer.operations), len(well), statuses)
}

// randomRequest is a random request.
type randomRequest struct {
	operation, method, target, body string
	headers                         []string
}

// requestGenerator generates requests from openapi.json.
type requestGenerator struct {
	doc        *openapi3.T
	operations []string
	ids        map[string]string
	gen        *rapid.Generator[randomRequest]
}

func newRequests(doc *openapi3.T) *requestGenerator {
	d := &requestGenerator{doc: doc}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			d.operations = append(d.operations, method+" "+path)
		}
	}
	slices.Sort(d.operations)
	d.gen = rapid.Custom(d.draw)
	return d
}

// unusualTexts are unusual and invalid values.
var unusualTexts = []string{"", " ", "x", "0", "-1", "null", "true", "2026-03-02", "2026-03-02T09:00:00Z", "MAEU", "MAEU77001", "MRKU9465770", "USOAK", "9321483",
	randomUUID, noUUID, "%", "é☃", "a,b", "\u0000", strings.Repeat("long", 100), "9999999999999999999", "container.created", "pending", "created_at,-updated_at"}

func (d *requestGenerator) draw(t *rapid.T) randomRequest {
	name := rapid.SampledFrom(d.operations).Draw(t, "operation")
	method, path, _ := strings.Cut(name, " ")
	op := d.doc.Paths.Value(path).GetOperation(method)
	wild := rapid.IntRange(0, 2).Draw(t, "wild") == 0 // a third is as wrong as can be
	r := randomRequest{operation: name, method: method}
	r.target = "/v2" + path
	if len(d.doc.Paths.Value(path).Servers) > 0 {
		r.target = path
	}
	query := []string{}
	for _, p := range op.Parameters {
		switch p := p.Value; p.In {
		case "path":
			r.target = strings.ReplaceAll(r.target, "{"+p.Name+"}", url.PathEscape(d.id(t, p.Name, path, wild)))
		case "query":
			if p.Required || rapid.IntRange(0, 5).Draw(t, p.Name) == 0 {
				query = append(query, url.QueryEscape(p.Name)+"="+url.QueryEscape(d.value(t, p, path, wild)))
			}
		case "header":
			if rapid.IntRange(0, 4).Draw(t, p.Name) == 0 {
				r.headers = append(r.headers, p.Name+": "+rapid.SampledFrom([]string{`"1"`, `"2"`, "*", "k1", "k2", "W/x"}).Draw(t, "header"))
			}
		}
	}
	if len(query) > 0 {
		r.target += "?" + strings.Join(query, "&")
	}
	if op.RequestBody != nil {
		r.body = d.body(t, op, path, wild)
	}
	return r
}

// id returns an ID for the path, nearly always of an existing record.
func (d *requestGenerator) id(t *rapid.T, name, path string, wild bool) string {
	of := strings.TrimSuffix(name, "_id")
	for _, typ := range []string{of, "custom_field_" + of} {
		if !wild && d.ids[typ] != "" {
			return d.ids[typ]
		}
	}
	if !wild && name == "api_slug" {
		return "po"
	}
	if typ, _ := typeOf(path); !wild && d.ids[typ] != "" {
		return d.ids[typ]
	}
	return rapid.SampledFrom([]string{randomUUID, noUUID, "USOAK", "9321483", "MAEU", "events", "☃"}).Draw(t, "id")
}

func (d *requestGenerator) value(t *rapid.T, p *openapi3.Parameter, path string, wild bool) string {
	if wild {
		return rapid.SampledFrom(unusualTexts).Draw(t, "value")
	}
	switch {
	case p.Name == "include":
		typ, _ := typeOf(path)
		return rapid.SampledFrom(append([]string{""}, relations[typ]...)).Draw(t, "include")
	case p.Name == "sort":
		return rapid.SampledFrom([]string{"created_at", "-updated_at", "pod_eta_at", "-pod_eta_at,created_at"}).Draw(t, "sort")
	case p.Name == "event", p.Name == "filter[event]":
		return rapid.SampledFrom([]string{"container.created", "tracking_request.succeeded", "shipment.estimated.arrival"}).Draw(t, "event")
	case strings.HasSuffix(p.Name, "_at][start]"), strings.HasSuffix(p.Name, "_at][end]"), strings.HasPrefix(p.Name, "filter[pickup_lfd]"), p.Name == "as_of":
		return rapid.SampledFrom([]string{"2026-03-02T09:00:00Z", "2026-02-02T09:00:00+08:00", "2026-03-01T00:00:00Z"}).Draw(t, "time")
	case p.Schema.Value.Type.Is("boolean"):
		return rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool")
	case p.Schema.Value.Type.Is("integer"):
		return fmt.Sprint(rapid.IntRange(1, 200).Draw(t, "number"))
	}
	return rapid.SampledFrom([]string{"MAEU", "USOAK", "spring", "PO-9", "9321483", "MRKU9465770", "77001", randomUUID, "pending", "created"}).Draw(t, "text")
}

// body returns a body generated from the schema, or its example, or, if wild, a
// corrupted one.
func (d *requestGenerator) body(t *rapid.T, op *openapi3.Operation, path string, wild bool) string {
	media := op.RequestBody.Value.Content["application/json"]
	if media == nil {
		return rapid.SampledFrom(unusualTexts).Draw(t, "file")
	}
	var v any
	if media.Example != nil && rapid.Bool().Draw(t, "example") {
		v = media.Example
	} else {
		v = d.json(t, media.Schema.Value, 0)
	}
	if !wild && v != nil {
		d.name(v, path)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	body := string(text)
	if !wild {
		return body
	}
	switch rapid.IntRange(0, 5).Draw(t, "spoil") {
	case 0:
		return body[:rapid.IntRange(0, len(body)).Draw(t, "cut")]
	case 1:
		at := rapid.IntRange(0, len(body)-1).Draw(t, "at")
		return body[:at] + rapid.SampledFrom([]string{"null", "{}", "[", `"`, "1e999", "\x00", "\xff", ","}).Draw(t, "piece") + body[at+1:]
	case 2:
		return rapid.SampledFrom([]string{"", "null", "[]", "{}", `{"data":{}}`, `{"data":[]}`, `{"data":{"attributes":{}}}`}).Draw(t, "shape")
	}
	return body
}

// name sets data.id of a document to the ID in the path, or removes it.
func (d *requestGenerator) name(v any, path string) {
	doc, _ := v.(map[string]any)
	data, _ := doc["data"].(map[string]any)
	if data == nil {
		return
	}
	if typ, _ := typeOf(path); d.ids[typ] != "" && data["id"] != nil {
		data["id"] = d.ids[typ]
	}
	delete(data, "relationships")
}

// json generates a value from a schema, with most of its optional members.
func (d *requestGenerator) json(t *rapid.T, s *openapi3.Schema, depth int) any {
	if len(s.AnyOf) > 0 {
		return d.json(t, rapid.SampledFrom(s.AnyOf).Draw(t, "any").Value, depth)
	}
	if s.Const != nil {
		return s.Const
	}
	if len(s.Enum) > 0 {
		return rapid.SampledFrom(s.Enum).Draw(t, "enum")
	}
	kinds := s.Type.Slice()
	if len(kinds) == 0 {
		return rapid.SampledFrom([]any{nil, 1, "x", true}).Draw(t, "anything")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "object":
		o := map[string]any{}
		for _, name := range sorted(s.Properties) {
			if slices.Contains(s.Required, name) || depth < 8 && rapid.IntRange(0, 2).Draw(t, name) > 0 {
				o[name] = d.json(t, s.Properties[name].Value, depth+1)
			}
		}
		return o
	case "array":
		list := []any{}
		for range rapid.IntRange(0, 2).Draw(t, "length") {
			list = append(list, d.json(t, s.Items.Value, depth+1))
		}
		return list
	case "string":
		return rapid.SampledFrom([]string{"2026-03-01T10:00:00Z", "MAEU77001", "MAEU", "bill_of_lading", "MRKU9465770", "https://example.com/x", "container.created", "USOAK", "x", "", "é", "USD"}).Draw(t, "text")
	case "integer", "number":
		return rapid.SampledFrom([]any{0, 1, 3600, -1, 1.5, 1e18}).Draw(t, "number")
	case "boolean":
		return rapid.Bool().Draw(t, "bool")
	}
	return nil
}
