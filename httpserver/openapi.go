package httpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking/internal/openapi"
	"github.com/landfallhq/tracking/jsonapi"
)

// apiVersion is the version of the interface, not of the program.
const apiVersion = "0.2.0"

// OpenAPI returns the description of the interface in OpenAPI 3.1, as JSON: every
// route with its parameters, bodies, answers, errors and an example, made from the
// table of routes, the structs of the resources and their comments. The prefix is
// that of Config.
func OpenAPI(prefix string) ([]byte, error) {
	d, err := newDescriber()
	if err != nil {
		return nil, err
	}
	doc, err := d.describe(prefix)
	if err != nil {
		return nil, err
	}
	compact, err := openapi.Marshal(doc)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// showDescription serves GET /openapi.json.
func showDescription(c *call) error {
	body, err := c.description()
	if err != nil {
		return err
	}
	c.answer(http.StatusOK, body)
	return nil
}

const aboutInterface = `Landfall follows ocean freight: shipments by bill of lading or booking number, their containers and what happens to them. ` +
	`This is version ` + apiVersion + `, Beta: the operations for documents are beta in themselves, and the parameter q is deprecated.

Bodies are JSON:API documents; times are UTC, and null while not known. Lists come in pages. An attribute may be added at any time: ignore what you do not know. ` +
	`A 429 says in Retry-After how long to wait; a POST with an Idempotency-Key can be repeated without being done twice.`

func (d *describer) describe(prefix string) (openapi.Object, error) {
	paths, err := d.paths()
	if err != nil {
		return nil, err
	}
	names := make([]openapi.Object, len(tags))
	for i, t := range tags {
		names[i] = openapi.Obj("name", t[0], "description", t[1])
	}
	if prefix == "" {
		prefix = "/"
	}
	delivery := openapi.Obj("post", openapi.Obj(
		"summary", "A notification is delivered", "operationId", "receiveNotification", "tags", []string{"Webhooks"},
		"description", "Posted to the URL of a webhook, signed as Standard Webhooks has it in webhook-id, webhook-timestamp and webhook-signature. Any 2xx takes it; anything else has it repeated.",
		"requestBody", openapi.Obj("required", true, "content", openapi.Obj(jsonapi.JSON, openapi.Obj("schema", d.notification()))),
		"responses", openapi.Obj("2XX", openapi.Obj("description", "The notification is taken.")),
	))
	return openapi.Obj(
		"openapi", "3.1.0",
		"info", openapi.Obj("title", "Landfall (Beta)", "version", apiVersion, "description", aboutInterface,
			"license", openapi.Obj("name", "Apache-2.0", "identifier", "Apache-2.0")),
		"servers", []any{openapi.Obj("url", prefix)},
		"tags", names,
		"security", []any{openapi.Obj("key", []string{})},
		"paths", paths,
		"webhooks", openapi.Obj("notification", delivery),
		"components", d.components(),
	), nil
}

func (d *describer) components() openapi.Object {
	failures := d.failures() // first: they need schemas
	schemas := openapi.Object{}
	for _, name := range slices.Sorted(maps.Keys(d.schemas.Components)) {
		schemas = append(schemas, openapi.Member{Name: name, Value: d.schemas.Components[name]})
	}
	header := func(about string, schema openapi.Object) openapi.Object {
		return openapi.Obj("description", about, "schema", schema)
	}
	return openapi.Obj(
		"securitySchemes", openapi.Obj("key", openapi.Obj("type", "apiKey", "in", "header", "name", "Authorization", "description", "The word Token and the key: Token lf_...")),
		"headers", openapi.Obj(
			"ETag", header("The version of the record, for If-Match.", text),
			"Location", header("The path of what was made.", text),
			"Retry-After", header("How many seconds to wait before the next request.", openapi.Obj("type", "integer", "minimum", 1)),
			"WWW-Authenticate", header("Token.", text),
			"X-Request-Id", header("Names the request, for questions about it.", text),
		),
		"parameters", openapi.Obj(
			"Idempotency-Key", openapi.Obj("name", "Idempotency-Key", "in", "header", "description", "One text for one request: repeated with it within a day, it is done once.",
				"schema", openapi.Obj("type", "string", "minLength", 1, "maxLength", 255)),
			"If-Match", openapi.Obj("name", "If-Match", "in", "header", "description", "The ETag of an earlier answer: the change is refused when the record is another by now.", "schema", text),
		),
		"responses", failures,
		"schemas", schemas,
	)
}

// failureTexts say what each status of an error means.
var failureTexts = map[int]string{
	http.StatusBadRequest:            "The query or the JSON of the body cannot be understood.",
	http.StatusUnauthorized:          "There is no key, or it is not valid.",
	http.StatusForbidden:             "The key lacks the permission.",
	http.StatusNotFound:              "There is no such record in the account.",
	http.StatusRequestTimeout:        "The body came too slowly.",
	http.StatusConflict:              "The body names another record than the path, or the Idempotency-Key was used for another request.",
	http.StatusPreconditionFailed:    "The record has changed since If-Match was read.",
	http.StatusRequestEntityTooLarge: "The body is too large.",
	http.StatusUnsupportedMediaType:  "The body is of a type that is not taken.",
	http.StatusUnprocessableEntity:   "A value is not allowed; source names it.",
	http.StatusTooManyRequests:       "The account has used up its requests for this minute.",
	http.StatusInternalServerError:   "A fault of ours.",
	http.StatusServiceUnavailable:    "The service cannot serve this now.",
}

func failureName(status int) string { return "error_" + strconv.Itoa(status) }

func (d *describer) failures() openapi.Object {
	all := openapi.Object{}
	for _, status := range slices.Sorted(maps.Keys(failureTexts)) {
		all = append(all, openapi.Member{Name: failureName(status), Value: d.failure(status, false)})
	}
	return append(all, openapi.Member{Name: "details_422", Value: d.failure(http.StatusUnprocessableEntity, true)})
}

func (d *describer) failure(status int, bare bool) openapi.Object {
	headers := []string{"X-Request-Id"}
	switch status {
	case http.StatusUnauthorized:
		headers = append(headers, "WWW-Authenticate")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		headers = append(headers, "Retry-After")
	}
	shown := json.RawMessage(`{"errors":[{"detail":"url is required"}]}`)
	if !bare {
		shown = d.Errors[strconv.Itoa(status)]
	}
	return openapi.Obj("description", failureTexts[status], "headers", headerRefs(headers...), "content", content(d.errors(bare), shown))
}

func headerRefs(names ...string) openapi.Object {
	refs := openapi.Object{}
	for _, n := range names {
		refs = append(refs, openapi.Member{Name: n, Value: openapi.Ref("headers", n)})
	}
	return refs
}

// content is a body in the two types that answers have.
func content(schema openapi.Object, example json.RawMessage) openapi.Object {
	plain := openapi.Obj("schema", schema)
	if len(example) > 0 {
		plain = plain.With("example", example)
	}
	return openapi.Obj(jsonapi.JSON, plain, jsonapi.MediaType, openapi.Obj("schema", schema))
}

// paths describes every route, in the order of the table.
func (d *describer) paths() (openapi.Object, error) {
	paths := openapi.Object{}
	for i := range table {
		rt := &table[i]
		op, ok := operations[rt.name()]
		if !ok {
			return nil, fmt.Errorf("httpserver: nothing is told of the route %s: give it a line in operations.go", rt.name())
		}
		path, _ := paths.Get(rt.path).(openapi.Object)
		path = path.With(strings.ToLower(rt.method), d.operation(rt, &op))
		if rt.rooted {
			path = path.With("servers", []any{openapi.Obj("url", "/", "description", "Outside the prefix.")})
		}
		paths = paths.With(rt.path, path)
	}
	return paths, nil
}

// name is how operations are called in lists of them.
func (rt *route) name() string { return rt.method + " " + rt.path }

func (d *describer) operation(rt *route, op *operation) openapi.Object {
	o := openapi.Obj("tags", []string{op.tag}, "summary", op.does, "operationId", op.id, "description", about(rt, op))
	if op.deprecated {
		o = o.With("deprecated", true)
	}
	if op.beta {
		o = o.With("x-beta", true)
	}
	if rt.open {
		o = o.With("security", []any{})
	}
	if parameters := d.parameters(rt, op); len(parameters) > 0 {
		o = o.With("parameters", parameters)
	}
	if op.body != nil {
		o = o.With("requestBody", d.request(rt, op.body))
	}
	return o.With("responses", d.responses(rt, op))
}

// about is the description: what there is to say, the permission and the limit.
func about(rt *route, op *operation) string {
	said := []string{}
	if op.beta {
		said = append(said, "Beta: the interface is stable, but schema and behaviour may change.")
	}
	if op.more != "" {
		said = append(said, op.more)
	}
	if rt.needs != "" {
		said = append(said, "Needs the permission "+string(rt.needs)+".")
	}
	if rt.bucket != inDefault {
		said = append(said, "Has a rate limit of its own.")
	}
	return strings.Join(said, " ")
}

func (d *describer) parameters(rt *route, op *operation) []openapi.Object {
	var list []openapi.Object
	for step := range strings.SplitSeq(rt.path, "/") {
		if name, ok := strings.CutPrefix(step, "{"); ok {
			list = append(list, openapi.Obj("name", strings.TrimSuffix(name, "}"), "in", "path", "required", true, "schema", text))
		}
	}
	for _, p := range op.params {
		o := openapi.Obj("name", p.name, "in", "query", "description", p.about)
		if p.required {
			o = o.With("required", true)
		}
		if p.deprecated {
			o = o.With("deprecated", true)
		}
		schema := p.schema
		if schema == nil {
			schema = text
		}
		list = append(list, o.With("schema", schema))
	}
	list = append(list, query(rt)...)
	switch {
	case rt.method == http.MethodPost && op.body != nil:
		list = append(list, openapi.Ref("parameters", "Idempotency-Key"))
	case rt.conditional(op):
		list = append(list, openapi.Ref("parameters", "If-Match"))
	}
	return list
}

// conditional: the change may depend on a version.
func (rt *route) conditional(op *operation) bool {
	return rt.method == http.MethodPatch && op.body != nil && !op.body.optional && slices.Contains(versioned, op.gives.typ)
}

// query describes what the route takes of a query.
func query(rt *route) []openapi.Object {
	var list []openapi.Object
	add := func(name, about string, schema openapi.Object, more ...any) {
		list = append(list, append(openapi.Obj("name", name, "in", "query", "description", about), openapi.Obj(append(more, "schema", schema)...)...))
	}
	for _, name := range rt.takes.Filters {
		if strings.Contains(name, "[*][") {
			continue // the text of what stands before it has it
		}
		about, schema := filterText(name)
		if base, ok := strings.CutSuffix(name, "[*]"); ok {
			add("filter["+base+"]", about, openapi.Obj("type", "object", "additionalProperties", text), "style", "deepObject", "explode", true)
			continue
		}
		base, rest := name, ""
		if i := strings.IndexByte(name, '['); i >= 0 {
			base, rest = name[:i], name[i:]
		}
		add("filter["+base+"]"+rest, about, schema)
	}
	if len(rt.takes.Sorts) > 0 {
		add("sort", "Names to sort by, with commas between; a minus before a name means the largest first. There are "+strings.Join(rt.takes.Sorts, ", ")+".", text)
	}
	if rt.takes.Include {
		about := "Paths of relationships whose resources are included, with commas between: at most 10 of at most 3 steps, as in shipment.port_of_lading."
		if len(rt.defaults) > 0 {
			about += " Defaults to " + strings.Join(rt.defaults, ",") + "; an empty one asks for nothing."
		}
		add("include", about, text)
	}
	if rt.takes.Page {
		size := rt.takes.PageSize
		if size == 0 {
			size = 30
		}
		add("page[number]", "The page, from 1.", openapi.Obj("type", "integer", "minimum", 1, "default", 1))
		add("page[size]", "How many there are on a page; more than 100 means 100.", openapi.Obj("type", "integer", "minimum", 1, "default", size))
	}
	return list
}

// request describes a body.
func (d *describer) request(rt *route, b *body) openapi.Object {
	if b.media != "" {
		file := openapi.Obj("schema", openapi.Object{})
		if b.example != "" {
			file = openapi.Obj("schema", text, "example", b.example)
		}
		return openapi.Obj("required", true, "content", openapi.Obj(b.media, file))
	}
	schema := d.bodySchema(b)
	plain := openapi.Obj("schema", schema)
	if shown := d.Examples[rt.name()].Request; len(shown) > 0 {
		plain = plain.With("example", shown)
	}
	o := openapi.Obj("content", openapi.Obj(jsonapi.JSON, plain, jsonapi.MediaType, openapi.Obj("schema", schema)))
	if !b.optional {
		o = o.With("required", true)
	}
	return o
}

func (d *describer) bodySchema(b *body) openapi.Object {
	required, properties := []string{}, openapi.Object{}
	if b.own != nil {
		schema := d.schemas.Of(b.own)
		required = append(required, schemaRequired(schema)...)
		properties = append(properties, optionalMembers(schema, required)...)
	}
	for _, name := range b.attributes {
		bare := strings.TrimRight(name, "*!")
		schema := d.written(b.typ, bare, name == bare)
		if strings.HasSuffix(name, "*") {
			required = append(required, bare)
		}
		properties = append(properties, openapi.Member{Name: bare, Value: schema})
	}
	attributes := openapi.Record(required, properties)
	if b.bare {
		return attributes
	}
	document := d.enclosed(b, attributes, len(required) > 0)
	if b.plain {
		return openapi.Obj("anyOf", []any{document, attributes})
	}
	if b.optional {
		return openapi.Obj("anyOf", []any{document, openapi.Obj("type", "object", "maxProperties", 0)})
	}
	return document
}

// written is the schema of an attribute as a body may hold it.
func (d *describer) written(typ, name string, null bool) openapi.Object {
	for _, m := range d.types[typ].Members {
		if m.Name != name || m.Value == nil {
			continue
		}
		schema := d.schemas.Of(m.Value)
		if null {
			schema = openapi.Nullable(schema)
		}
		return openapi.Describe(schema, d.Field(m.Owner, m.Field))
	}
	return openapi.Object{}
}

// required is the schema of a relationship that must lead somewhere.
func (d *describer) required(typ, name string) openapi.Object {
	for _, m := range d.types[typ].Members {
		if m.Name == name {
			return openapi.Record([]string{"data"}, openapi.Obj("data", d.identifier(m.Types)))
		}
	}
	return openapi.Object{}
}

// enclosed is the document that the attributes stand in.
func (d *describer) enclosed(b *body, attributes openapi.Object, needed bool) openapi.Object {
	data := openapi.Obj("type", openapi.Const(b.typ), "id", openapi.Describe(text, "The ID of the record; it must be that of the path."))
	var required []string
	if !b.typeOptional {
		required = append(required, "type")
	}
	if b.named {
		data = data.With("id", openapi.Describe(text, "The ID of the record."))
		required = append(required, "id")
	}
	if len(attributes.Get("properties").(openapi.Object)) > 0 {
		data = data.With("attributes", attributes)
		if needed {
			required = append(required, "attributes")
		}
	}
	if b.customer {
		party := openapi.Record([]string{"data"}, openapi.Obj("data", openapi.Nullable(openapi.Record([]string{"type", "id"}, openapi.Obj("type", openapi.Const("party"), "id", text)))))
		data = data.With("relationships", openapi.Record(nil, openapi.Obj("customer", openapi.Describe(party, "The party that it is for; null for none."))))
	}
	if b.related != "" {
		data = data.With("relationships", openapi.Record([]string{b.related}, openapi.Obj(b.related, d.required(b.typ, b.related))))
		required = append(required, "relationships")
	}
	return openapi.Record([]string{"data"}, openapi.Obj("data", openapi.Record(required, data)))
}

func schemaRequired(schema openapi.Object) []string {
	required, _ := schema.Get("required").([]string)
	return required
}

// optionalMembers are the properties of a body: those that may be left out may be
// null, which is the same.
func optionalMembers(schema openapi.Object, required []string) openapi.Object {
	properties, _ := schema.Get("properties").(openapi.Object)
	out := openapi.Object{}
	for _, m := range properties {
		if !slices.Contains(required, m.Name) {
			m.Value = openapi.Nullable(m.Value.(openapi.Object))
		}
		out = append(out, m)
	}
	return out
}

// responses describes what is answered: the success, and the errors that follow
// from what the route takes.
func (d *describer) responses(rt *route, op *operation) openapi.Object {
	all := openapi.Obj(strconv.Itoa(op.gives.status), d.success(rt, op))
	for _, status := range rt.failures(op) {
		name := failureName(status)
		if status == http.StatusUnprocessableEntity && rt.path == "/webhooks/trigger" {
			name = "details_422"
		}
		all = append(all, openapi.Member{Name: strconv.Itoa(status), Value: openapi.Ref("responses", name)})
	}
	return all
}

// failures are the statuses of errors that a route may answer.
func (rt *route) failures(op *operation) []int {
	statuses := slices.Clone(op.also)
	statuses = append(statuses, http.StatusInternalServerError)
	if rt.open && !strings.Contains(rt.path, "{") {
		return sortedStatuses(statuses)
	}
	statuses = append(statuses, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable)
	if strings.Contains(rt.path, "{") || op.body != nil && op.body.named {
		statuses = append(statuses, http.StatusNotFound)
	}
	if len(rt.takes.Filters) > 0 || len(op.params) > 0 || op.body != nil {
		statuses = append(statuses, http.StatusUnprocessableEntity)
	}
	if op.body != nil {
		statuses = append(statuses, http.StatusRequestTimeout, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if rt.conditional(op) {
		statuses = append(statuses, http.StatusPreconditionFailed)
	}
	return sortedStatuses(statuses)
}

func sortedStatuses(statuses []int) []int {
	slices.Sort(statuses)
	return slices.Compact(statuses)
}

func (d *describer) success(rt *route, op *operation) openapi.Object {
	a := op.gives
	headers := []string{"X-Request-Id"}
	if !a.many && !a.past && a.plain == nil && slices.Contains(versioned, a.typ) {
		headers = append(headers, "ETag")
	}
	if a.located {
		headers = append(headers, "Location")
	}
	o := openapi.Obj("description", successText(a), "headers", headerRefs(headers...))
	schema := d.answerSchema(a)
	if schema == nil {
		return o
	}
	if a.media != "" {
		return o.With("content", openapi.Obj(a.media, openapi.Obj("schema", openapi.Object{})))
	}
	return o.With("content", content(schema, d.Examples[rt.name()].Answer))
}

func successText(a answer) string {
	switch {
	case a.status == http.StatusCreated:
		return "It is made."
	case a.status == http.StatusAccepted:
		return "It has begun."
	case a.many:
		return "A list."
	case a.typ == "" && a.plain == nil && a.schema == "":
		return "It is done; there is no body."
	}
	return "It is as the body says."
}

// answerSchema is the schema of a body of success; nil for none.
func (d *describer) answerSchema(a answer) openapi.Object {
	switch {
	case a.schema == "notification":
		return d.notification()
	case a.schema != "":
		return openapi.Obj("type", "object")
	case a.typ != "":
		return d.document(a)
	case a.plain != nil:
		return d.schemas.Of(a.plain)
	}
	return nil
}
