package httpserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/landfallhq/tracking/httpserver"
)

// contract validates responses against openapi.json. It uses the JSON Schema library
// of kin-openapi, but compiles each schema only once. TestContractFindsFaults
// compares the two validators.
type contract struct {
	doc      *openapi3.T
	compiler *jsonschema.Compiler

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema // of bodies, by operation and status
	seen    map[string]int                // answers, by operation and status
}

// openAPIContract describes the routes under /v2. Every object in it is closed: a member
// that is not described is an error here, although clients must accept new members.
var openAPIContract = sync.OnceValues(func() (*contract, error) {
	text, err := httpserver.OpenAPI("/v2")
	if err != nil {
		return nil, err
	}
	return newContract(text)
})

func newContract(text []byte) (*contract, error) {
	var raw any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		return nil, err
	}
	closeObjects(raw)
	closed, err := json.Marshal(raw)
	if err != nil {
		return nil, err
	}
	c := &contract{compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}, seen: map[string]int{}}
	c.compiler.DefaultDraft(jsonschema.Draft2020)
	c.compiler.AssertFormat()
	if err := c.compiler.AddResource("http://contract/", raw); err != nil {
		return nil, err
	}
	c.doc, err = openapi3.NewLoader().LoadFromData(closed)
	return c, err
}

// closeObjects forbids additional properties in all objects.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["properties"].(map[string]any); ok && v["additionalProperties"] == nil {
			v["additionalProperties"] = false
		}
		for name, member := range v {
			if name != "example" {
				closeObjects(member)
			}
		}
	case []any:
		for _, e := range v {
			closeObjects(e)
		}
	}
}

// fault returns how a response differs from its description; empty if it does not.
// The operation is one of finder.
func (c *contract) fault(operation string, status int, header http.Header, body []byte) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[fmt.Sprint(operation, " ", status)]++
	method, path, _ := strings.Cut(operation, " ")
	item := c.doc.Paths.Value(path)
	if item == nil || item.GetOperation(method) == nil {
		return "the operation is not described"
	}
	described := item.GetOperation(method).Responses.Status(status)
	if described == nil {
		return "the status is not described"
	}
	for name := range described.Value.Headers {
		if header.Get(name) == "" {
			return "there is no header " + name
		}
	}
	if described.Value.Content == nil {
		if len(body) > 0 {
			return "there is a body"
		}
		return ""
	}
	if described.Value.Content.Get(header.Get("Content-Type")) == nil {
		return "the content type is not described"
	}
	if typ := header.Get("Content-Type"); described.Value.Content["application/json"] == nil || strings.HasPrefix(typ, "text/") || typ == "application/pdf" {
		return "" // a file
	}
	return c.bodyFault(operation, status, described.Ref, body)
}

func (c *contract) bodyFault(operation string, status int, ref string, body []byte) string {
	schema, err := c.schema(operation, status, ref)
	if err != nil {
		return err.Error()
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err.Error()
	}
	if err := schema.Validate(value); err != nil {
		return err.Error()
	}
	return ""
}

// schema returns the schema of a body. ref is the reference of the response, if it
// has one.
func (c *contract) schema(operation string, status int, ref string) (*jsonschema.Schema, error) {
	method, path, _ := strings.Cut(operation, " ")
	if ref == "" {
		ref = fmt.Sprintf("#/paths/%s/%s/responses/%d", strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(path), strings.ToLower(method), status)
	}
	if s, ok := c.schemas[ref]; ok {
		return s, nil
	}
	s, err := c.compiler.Compile("http://contract/" + ref + "/content/application~1json/schema")
	if err == nil {
		c.schemas[ref] = s
	}
	return s, err
}

// kinFault is bodyFault with the validator of kin-openapi.
func (c *contract) kinFault(operation string, status int, body []byte) string {
	method, path, _ := strings.Cut(operation, " ")
	schema := c.doc.Paths.Value(path).GetOperation(method).Responses.Status(status).Value.Content["application/json"].Schema.Value
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err.Error()
	}
	if err := schema.VisitJSON(value, openapi3.EnableJSONSchema2020(), openapi3.VisitAsResponse()); err != nil {
		return err.Error()
	}
	return ""
}

// finders caches the result of finder by prefix.
var finders sync.Map

// finder returns a function that returns the operation of a request: "GET
// /shipments/{id}"; empty for none.
func (b *bench) finder() func(*http.Request) string {
	if known, ok := finders.Load(b.prefix); ok {
		return known.(func(*http.Request) string)
	}
	mux := http.NewServeMux()
	for _, r := range b.server.Routes() {
		mux.Handle(r.Pattern(), r.Handler)
	}
	prefix := b.prefix
	find := func(r *http.Request) string {
		if r.URL.Path != path.Clean(r.URL.Path) {
			return ""
		}
		_, pattern := mux.Handler(r)
		method, at, ok := strings.Cut(pattern, " ")
		if !ok || method != r.Method { // no route, or one for HEAD, which has no body
			return ""
		}
		return method + " " + strings.TrimPrefix(at, prefix)
	}
	finders.Store(prefix, find)
	return find
}

// asDescribed checks a response against its description.
func (b *bench) asDescribed(r *http.Request, status int, header http.Header, body []byte) {
	b.tb.Helper()
	operation := b.finder()(r)
	if operation == "" || b.undescribed || status == http.StatusMethodNotAllowed || *update { // the next run checks what this one writes
		return
	}
	c, err := openAPIContract()
	if err != nil {
		b.tb.Fatal(err)
	}
	if fault := c.fault(operation, status, header, body); fault != "" {
		b.tb.Errorf("%s: %d is not as described: %s\n%s", r.URL, status, fault, short(string(body)))
	}
}

// operationID is the form of operation IDs, which generated clients use as method
// names.
var operationID = regexp.MustCompile(`^(list|get|create|update|delete|set|stop|resume|refresh|infer|trigger|rotate|recover|redeliver|check|search|re?extract|reclassify|relink|upload|download)[A-Za-z]*$`)

// The document is valid according to kin-openapi, its examples match their schemas,
// and every operation is complete.
func TestDescriptionIsValid(t *testing.T) {
	c, err := openAPIContract()
	if err != nil {
		t.Fatal(err)
	}
	if !c.doc.IsOpenAPI31OrLater() || c.doc.Info.Version != "0.2.0" || !strings.Contains(c.doc.Info.Title, "Beta") {
		t.Errorf("it is %s of %s %s", c.doc.OpenAPI, c.doc.Info.Title, c.doc.Info.Version)
	}
	if err := c.doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	ids, operations := map[string]string{}, 0
	for path, item := range c.doc.Paths.Map() {
		for method, op := range item.Operations() {
			operations++
			name := method + " " + path
			if op.Summary == "" || len(op.Tags) != 1 || len(op.Responses.Map()) < 2 {
				t.Errorf("%s: summary %q, tags %q, %d responses", name, op.Summary, op.Tags, len(op.Responses.Map()))
			}
			if other := ids[op.OperationID]; other != "" || op.OperationID == "" {
				t.Errorf("%s has the operationId %q, as has %s", name, op.OperationID, other)
			}
			ids[op.OperationID] = name
			if !operationID.MatchString(op.OperationID) || len(op.OperationID) > 36 {
				t.Errorf("%s has the operationId %q: want a verb and its object, in at most 36 letters", name, op.OperationID)
			}
			for _, p := range op.Parameters {
				if p.Value.Description == "" && p.Value.In != "path" || strings.HasPrefix(p.Value.Description, " ") {
					t.Errorf("%s: nothing is said of the parameter %s: give its filter a line in operations.go", name, p.Value.Name)
				}
				if p.Value.In == "query" && p.Value.Example == nil {
					t.Errorf("%s: the parameter %s has no example: give it a line in parameters.go", name, p.Value.Name)
				}
				if p.Value.Name == "q" && !p.Value.Deprecated {
					t.Errorf("%s: q is not deprecated", name)
				}
			}
			if !hasExample(op) {
				t.Errorf("%s has no example", name)
			}
		}
	}
	t.Logf("%d operations, %d schemas", operations, len(c.doc.Components.Schemas))
}

// The server accepts the example of each query parameter, and of those with a closed set
// each of its values and no others.
func TestParametersAreAsDescribed(t *testing.T) {
	c, err := openAPIContract()
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	examples, sets := 0, 0
	b.serve(limits(httpserver.Limits{Default: -1}), writesPDF)
	for path, item := range c.doc.Paths.Map() {
		at := b.mine.byID("/v2" + path)
		if typ, _ := typeOf(at); strings.Contains(at, "{id}") {
			at = strings.ReplaceAll(at, "{id}", b.mine.ids[typ])
		}
		for _, p := range queryParameters(item.Get) {
			send := func(value string) string {
				a := b.as(b.mine, "GET", b.mine.fill(at)+"?"+p.Name+"="+url.QueryEscape(value), "")
				if strings.Contains(string(a.body), `"parameter":"`+p.Name+`"`) {
					return string(a.body)
				}
				return ""
			}
			example := strings.Trim(fmt.Sprint(p.Example), "[]")
			if p.Name == "filter[custom_fields]" { // which the account has to define
				continue
			}
			if examples++; send(example) != "" {
				t.Errorf("GET %s: the example %s of %s is refused: %s", path, example, p.Name, send(example))
			}
			values := valuesOf(p.Schema.Value)
			if values == nil {
				continue
			}
			sets++
			for _, v := range values {
				if fault := send(fmt.Sprint(v)); fault != "" {
					t.Errorf("GET %s: %s refuses %v: %s", path, p.Name, v, fault)
				}
			}
			if send("zzz") == "" {
				t.Errorf("GET %s: %s has a closed set, but accepts others", path, p.Name)
			}
		}
	}
	if examples < 150 || sets < 10 {
		t.Errorf("only %d examples and %d closed sets", examples, sets)
	}
}

func queryParameters(op *openapi3.Operation) (list []*openapi3.Parameter) {
	if op == nil {
		return nil
	}
	for _, p := range op.Parameters {
		if p.Value.In == "query" {
			list = append(list, p.Value)
		}
	}
	return list
}

// valuesOf returns the values of a closed set; nil for other schemas.
func valuesOf(schema *openapi3.Schema) []any {
	if schema.Items != nil {
		return schema.Items.Value.Enum
	}
	return schema.Enum
}

// hasExample reports whether a success response with a body has an example.
func hasExample(op *openapi3.Operation) bool {
	for status, r := range op.Responses.Map() {
		if strings.HasPrefix(status, "2") && r.Value.Content != nil {
			media := r.Value.Content["application/json"]
			return media == nil || media.Example != nil || op.OperationID == "getOpenAPI"
		}
	}
	return true
}

// The validator finds deliberate errors in responses.
func TestContractFindsFaults(t *testing.T) {
	c, err := openAPIContract()
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	good := b.as(b.mine, "GET", b.mine.fill("/v2/shipments/{shipment}?include=containers"), "").want(200)
	const operation = "GET /shipments/{id}"
	for _, row := range []struct {
		name, old, new string
		status         int
	}{
		{"nothing", "", "", 200},
		{"a member that is not described", `"tags":`, `"labels":[],"tags":`, 200},
		{"an attribute that is missing", `"tags":`, `"x":`, 200},
		{"a number for a text", `"bill_of_lading_number":"MAEU77001"`, `"bill_of_lading_number":77001`, 200},
		{"null for what is always there", `"created_at":"2026-03-02T09:00:00Z"`, `"created_at":null`, 200},
		{"a time without a zone", `"created_at":"2026-03-02T09:00:00Z"`, `"created_at":"2026-03-02T09:00:00"`, 200},
		{"another type", `"type":"shipment"`, `"type":"shipments"`, 200},
		{"a status of no container", `"current_status":"`, `"current_status":"x`, 200},
		{"an included resource of no type", `"type":"container","relationships"`, `"type":"box","relationships"`, 200},
		{"a status that is not described", "", "", 202},
	} {
		body := strings.ReplaceAll(string(good.body), row.old, row.new)
		if row.old == "" {
			body = string(good.body)
		} else if body == string(good.body) {
			t.Errorf("%s: the answer has no %s", row.name, row.old)
		}
		fault := c.fault(operation, row.status, good.header, []byte(body))
		if (fault == "") != (row.name == "nothing") {
			t.Errorf("%s: the fault is %q", row.name, fault)
		}
		if row.status != 200 {
			continue
		}
		if kin := c.kinFault(operation, row.status, []byte(body)); (kin == "") != (fault == "") {
			t.Errorf("%s: the fault is %q, and %q as kin-openapi has it", row.name, fault, kin)
		}
	}
	header := good.header.Clone()
	header.Del("Etag")
	if c.fault(operation, 200, good.header, good.body) != "" || c.fault("GET /parties/{id}", 200, header, good.body) == "" {
		t.Error("the headers are not looked at")
	}
}

// Every operation has a complete description.
func TestOperationsAreComplete(t *testing.T) {
	c, err := openAPIContract()
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for path, item := range c.doc.Paths.Map() {
		for method, op := range item.Operations() {
			name := method + " " + path
			count["operations"]++
			for _, fault := range append(bodyFaults(op, count), answerFaults(op, count)...) {
				t.Errorf("%s: %s", name, fault)
			}
			for _, part := range strings.Split(path, "{")[1:] {
				in, _, _ := strings.Cut(part, "}")
				if p := op.Parameters.GetByInAndName("path", in); p == nil || p.Schema == nil {
					t.Errorf("%s: the parameter %s is not described", name, in)
				}
				count["parameters of paths"]++
			}
		}
	}
	for name, s := range c.doc.Components.Schemas {
		if attributes := s.Value.Properties["attributes"]; attributes != nil && attributes.Value != nil {
			for attribute, of := range attributes.Value.Properties {
				count["attributes"]++
				v := of.Value
				if of.Ref == "" && v.Type == nil && len(v.OneOf) == 0 && len(v.AnyOf) == 0 && attribute != "schema_payload" { // a JSON Schema
					t.Errorf("%s.%s may be anything", name, attribute)
				}
				if v.Type != nil && v.Type.Includes("null") {
					count["that may be null"]++
				}
			}
		}
	}
	if count["operations"] != len(operationsOf(t)) || count["that may be null"] == 0 {
		t.Errorf("counted were %v", count)
	}
	t.Log(count)
}

// operationsOf returns the routes of a document.
func operationsOf(t *testing.T) (list []string) {
	for _, r := range newBench(t).server.Routes() {
		list = append(list, r.Pattern())
	}
	return list
}

// bodyFaults checks that a body has a schema, and an example if it is required and
// textual.
func bodyFaults(op *openapi3.Operation, count map[string]int) (faults []string) {
	if op.RequestBody == nil {
		return nil
	}
	for media, m := range op.RequestBody.Value.Content {
		switch {
		case media == "*/*": // a file
		case m.Schema == nil:
			faults = append(faults, "the body has no schema")
		case op.RequestBody.Value.Required && m.Example == nil && media != "application/vnd.api+json":
			faults = append(faults, "the body has no example")
		case op.RequestBody.Value.Required:
			count["bodies"]++
		}
	}
	return faults
}

// answerFaults checks that a success with a body has a schema and an example, and
// that every error has the errors schema and, if a request can cause it, an example.
func answerFaults(op *openapi3.Operation, count map[string]int) (faults []string) {
	successes, errors := 0, 0
	for status, r := range op.Responses.Map() {
		good := strings.HasPrefix(status, "2")
		for media, m := range r.Value.Content {
			if media == "*/*" || media == "application/vnd.api+json" || media == "application/geo+json" || media == "application/pdf" {
				continue // a file, or the same as JSON
			}
			if m.Schema == nil || m.Example == nil && op.OperationID != "getOpenAPI" && status != "500" && status != "503" && status != "408" {
				faults = append(faults, "the "+status+" has no schema or no example")
			}
			if !good {
				errors++
			}
		}
		if good {
			successes++
		}
	}
	if successes != 1 || errors == 0 && op.Security == nil {
		faults = append(faults, fmt.Sprintf("%d answers of success, %d of errors", successes, errors))
	}
	count["errors"] += errors
	return faults
}
