package httpserver

import (
	"bytes"
	"cmp"
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

// OpenAPI returns the OpenAPI 3.1 document of the interface as JSON. It is generated
// from the route table, the structs of the resources and their comments. prefix is
// Config.Prefix.
func OpenAPI(prefix string) ([]byte, error) {
	d, err := newOpenAPIBuilder()
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

// showOpenAPI serves GET /openapi.json.
func showOpenAPI(req *request) error {
	body, err := req.openAPI()
	if err != nil {
		return err
	}
	req.respond(http.StatusOK, body)
	return nil
}

const apiDescription = `Landfall tracks ocean freight: shipments by bill of lading or booking number, their containers and their events. ` +
	`This is version ` + apiVersion + ` (Beta). Operations on documents are themselves in beta, and the parameter q is deprecated.

Bodies are JSON:API documents. Times are in UTC, and null while unknown. Lists are paginated. New attributes can be added at any time: ignore those that you do not know. ` +
	`A 429 has the time to wait in Retry-After. A POST with an Idempotency-Key can be repeated safely.`

func (d *openAPIBuilder) describe(prefix string) (openapi.Object, error) {
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
		"summary", "Deliver a notification", "operationId", "receiveNotification", "tags", []string{"Webhooks"},
		"description", "Sent with POST to the URL of a webhook, and signed according to Standard Webhooks in the headers webhook-id, webhook-timestamp and webhook-signature. Respond with any 2xx to accept it; after any other response it is sent again.",
		"requestBody", openapi.Obj("required", true, "content", openapi.Obj(jsonapi.JSON, openapi.Obj("schema", d.notification()))),
		"responses", openapi.Obj("2XX", openapi.Obj("description", "The notification was accepted.")),
	))
	return openapi.Obj(
		"openapi", "3.1.0",
		"info", openapi.Obj("title", "Landfall (Beta)", "version", apiVersion, "description", apiDescription,
			"contact", openapi.Obj("name", "Landfall", "url", projectURL),
			"license", openapi.Obj("name", "Apache-2.0", "identifier", "Apache-2.0")),
		"servers", servers(prefix, "The server that this description comes from."),
		"tags", names,
		"security", []any{openapi.Obj("key", []string{})},
		"paths", paths,
		"webhooks", openapi.Obj("notification", delivery),
		"components", d.components(),
	), nil
}

// projectURL is where the project is.
const projectURL = "https://github.com/landfallhq/tracking"

// servers returns the server at a prefix: by the URL of the description, and by its host.
func servers(prefix, description string) []any {
	return []any{
		openapi.Obj("url", prefix, "description", description),
		openapi.Obj("url", "https://{host}"+strings.TrimSuffix(prefix, "/"), "description", "A server by its host.",
			"variables", openapi.Obj("host", openapi.Obj("default", "localhost", "description", "The host, and the port unless it is 443."))),
	}
}

func (d *openAPIBuilder) components() openapi.Object {
	failures := d.errorResponses() // first, because it adds schemas
	schemas := openapi.Object{}
	for _, name := range slices.Sorted(maps.Keys(d.schemas.Components)) {
		schemas = append(schemas, openapi.Member{Name: name, Value: d.schemas.Components[name]})
	}
	header := func(description string, schema openapi.Object) openapi.Object {
		return openapi.Obj("description", description, "schema", schema)
	}
	return openapi.Obj(
		"securitySchemes", openapi.Obj("key", openapi.Obj("type", "apiKey", "in", "header", "name", "Authorization", "description", "The word Token, a space and the key: Token lf_...")),
		"headers", openapi.Obj(
			"ETag", header("The version of the record, for If-Match.", stringSchema),
			"Location", header("The path of the new resource.", stringSchema),
			"Retry-After", header("The seconds to wait before the next request.", openapi.Obj("type", "integer", "minimum", 1)),
			"WWW-Authenticate", header("Token.", stringSchema),
			"X-Request-Id", header("The ID of the request. Give it when you report a problem.", stringSchema),
		),
		"parameters", openapi.Obj(
			"Idempotency-Key", openapi.Obj("name", "Idempotency-Key", "in", "header", "description", "A unique text for this request. If you repeat the request with it within a day, the operation is done only once.",
				"schema", openapi.Obj("type", "string", "minLength", 1, "maxLength", 255)),
			"If-Match", openapi.Obj("name", "If-Match", "in", "header", "description", "The ETag of an earlier response. The request is refused if the record has changed since.", "schema", stringSchema),
		),
		"responses", failures,
		"schemas", schemas,
	)
}

// statusDescriptions are the descriptions of error responses.
var statusDescriptions = map[int]string{
	http.StatusBadRequest:            "The query or the JSON of the body is malformed.",
	http.StatusUnauthorized:          "The key is missing or invalid.",
	http.StatusForbidden:             "The key lacks the permission.",
	http.StatusNotFound:              "There is no such record in the account.",
	http.StatusRequestTimeout:        "The body was sent too slowly.",
	http.StatusConflict:              "The body names another record than the path, or the Idempotency-Key was used for another request.",
	http.StatusPreconditionFailed:    "The record has changed since If-Match was read.",
	http.StatusRequestEntityTooLarge: "The body is too large.",
	http.StatusUnsupportedMediaType:  "The content type of the body is not supported.",
	http.StatusUnprocessableEntity:   "A value is invalid; source names it.",
	http.StatusTooManyRequests:       "The account has used up its requests for this minute.",
	http.StatusInternalServerError:   "An internal error occurred.",
	http.StatusServiceUnavailable:    "The service is temporarily unavailable.",
}

func errorComponent(status int) string { return "error_" + strconv.Itoa(status) }

func (d *openAPIBuilder) errorResponses() openapi.Object {
	all := openapi.Object{}
	for _, status := range slices.Sorted(maps.Keys(statusDescriptions)) {
		all = append(all, openapi.Member{Name: errorComponent(status), Value: d.errorResponse(status, false)})
	}
	return append(all, openapi.Member{Name: "details_422", Value: d.errorResponse(http.StatusUnprocessableEntity, true)})
}

func (d *openAPIBuilder) errorResponse(status int, bare bool) openapi.Object {
	headers := []string{"X-Request-Id"}
	switch status {
	case http.StatusUnauthorized:
		headers = append(headers, "WWW-Authenticate")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		headers = append(headers, "Retry-After")
	}
	example := json.RawMessage(`{"errors":[{"detail":"url is required"}]}`)
	if !bare {
		example = d.Errors[strconv.Itoa(status)]
	}
	return openapi.Obj("description", statusDescriptions[status], "headers", headerRefs(headers...), "content", content(d.errors(bare), example, jsonapi.MediaType))
}

func headerRefs(names ...string) openapi.Object {
	refs := openapi.Object{}
	for _, n := range names {
		refs = append(refs, openapi.Member{Name: n, Value: openapi.Ref("headers", n)})
	}
	return refs
}

// content describes a body in JSON and in the media type that Accept can name.
func content(schema openapi.Object, example json.RawMessage, alternative string) openapi.Object {
	plain := openapi.Obj("schema", schema)
	if len(example) > 0 {
		plain = plain.With("example", example)
	}
	return openapi.Obj(jsonapi.JSON, plain, alternative, openapi.Obj("schema", schema))
}

// paths describes all routes, in the order of the route table.
func (d *openAPIBuilder) paths() (openapi.Object, error) {
	paths := openapi.Object{}
	for i := range routeTable {
		rt := &routeTable[i]
		op, ok := operations[rt.name()]
		if !ok {
			return nil, fmt.Errorf("httpserver: the route %s has no description: add it to operations.go", rt.name())
		}
		path, _ := paths.Get(rt.path).(openapi.Object)
		path = path.With(strings.ToLower(rt.method), d.operation(rt, &op))
		if rt.atRoot {
			path = path.With("servers", servers("/", "Outside the prefix."))
		}
		paths = paths.With(rt.path, path)
	}
	return paths, nil
}

// name is the key of the route in operations.
func (rt *route) name() string { return rt.method + " " + rt.path }

func (d *openAPIBuilder) operation(rt *route, op *operation) openapi.Object {
	o := openapi.Obj("tags", []string{op.tag}, "summary", op.summary, "operationId", op.id, "description", operationDescription(rt, op))
	if op.deprecated {
		o = o.With("deprecated", true)
	}
	if op.beta {
		o = o.With("x-beta", true)
	}
	if rt.public {
		o = o.With("security", []any{})
	}
	if parameters := d.parameters(rt, op); len(parameters) > 0 {
		o = o.With("parameters", parameters)
	}
	if op.body != nil {
		o = o.With("requestBody", d.requestBody(rt, op.body))
	}
	return o.With("responses", d.responses(rt, op))
}

// operationDescription returns the details, the permission and the rate limit.
func operationDescription(rt *route, op *operation) string {
	parts := []string{}
	if op.beta {
		parts = append(parts, "Beta: the interface is stable, but the schema and the behaviour can change.")
	}
	if op.details != "" {
		parts = append(parts, op.details)
	}
	if rt.permission != "" {
		parts = append(parts, "Requires the permission "+string(rt.permission)+".")
	}
	if rt.bucket != inDefault {
		parts = append(parts, "Has its own rate limit.")
	}
	return strings.Join(parts, " ")
}

func (d *openAPIBuilder) parameters(rt *route, op *operation) []openapi.Object {
	var list []openapi.Object
	for step := range strings.SplitSeq(rt.path, "/") {
		if name, ok := strings.CutPrefix(step, "{"); ok {
			list = append(list, openapi.Obj("name", strings.TrimSuffix(name, "}"), "in", "path", "required", true, "schema", stringSchema))
		}
	}
	for _, p := range op.params {
		o := openapi.Obj("name", p.name, "in", "query", "description", p.description)
		if p.required {
			o = o.With("required", true)
		}
		if p.deprecated {
			o = o.With("deprecated", true)
		}
		schema := p.schema
		if schema == nil {
			schema = stringSchema
		}
		list = append(list, rt.describeParameter(o, schema))
	}
	list = append(list, queryParameters(rt)...)
	switch {
	case rt.method == http.MethodPost && op.body != nil:
		list = append(list, openapi.Ref("parameters", "Idempotency-Key"))
	case rt.acceptsIfMatch(op):
		list = append(list, openapi.Ref("parameters", "If-Match"))
	}
	return list
}

// acceptsIfMatch reports whether the operation supports If-Match.
func (rt *route) acceptsIfMatch(op *operation) bool {
	return rt.method == http.MethodPatch && op.body != nil && !op.body.optional && slices.Contains(versioned, op.response.typ)
}

// queryParameters describes the filters, sort, include and page parameters of a
// route.
func queryParameters(rt *route) []openapi.Object {
	var list []openapi.Object
	add := func(name, description string, schema openapi.Object, more ...any) {
		list = append(list, rt.describeParameter(append(openapi.Obj("name", name, "in", "query", "description", description), openapi.Obj(more...)...), schema))
	}
	for _, name := range rt.accepts.Filters {
		if strings.Contains(name, "[*][") {
			continue // described with the filter before it
		}
		description, schema := filterText(name)
		if base, ok := strings.CutSuffix(name, "[*]"); ok {
			add("filter["+base+"]", description, openapi.Obj("type", "object", "additionalProperties", stringSchema), "style", "deepObject", "explode", true)
			continue
		}
		base, rest := name, ""
		if i := strings.IndexByte(name, '['); i >= 0 {
			base, rest = name[:i], name[i:]
		}
		add("filter["+base+"]"+rest, description, schema)
	}
	if len(rt.accepts.Sorts) > 0 {
		add("sort", "A comma-separated list of names to sort by. A minus before a name sorts in descending order. Names: "+strings.Join(rt.accepts.Sorts, ", ")+".", stringSchema)
	}
	if rt.accepts.Include && rt.exampleInclude() != nil {
		description := "A comma-separated list of relationship paths, such as shipment.port_of_lading, whose resources are included: at most 10 paths of at most 3 steps."
		if len(rt.defaultInclude) > 0 {
			description += " Defaults to " + strings.Join(rt.defaultInclude, ",") + "; an empty value includes nothing."
		}
		add("include", description, stringSchema)
	}
	if rt.accepts.Page {
		size := rt.accepts.PageSize
		if size == 0 {
			size = 30
		}
		if !rt.accepts.AfterCursor {
			add("page[number]", "The page number, from 1.", openapi.Obj("type", "integer", "minimum", 1, "default", 1))
		}
		add("page[size]", "The number of records on a page. A value above 100 means 100.", openapi.Obj("type", "integer", "minimum", 1, "default", size))
	}
	return list
}

// requestBody describes the body of an operation.
func (d *openAPIBuilder) requestBody(rt *route, b *requestBody) openapi.Object {
	if b.media != "" {
		file := openapi.Obj("schema", openapi.Object{})
		if b.example != "" {
			file = openapi.Obj("schema", stringSchema, "example", b.example)
		}
		return openapi.Obj("required", true, "content", openapi.Obj(b.media, file))
	}
	schema := d.bodySchema(b)
	plain := openapi.Obj("schema", schema)
	if example := d.Examples[rt.name()].Request; len(example) > 0 {
		plain = plain.With("example", example)
	}
	media := openapi.Obj(jsonapi.JSON, plain, jsonapi.MediaType, openapi.Obj("schema", schema))
	if b.alternative != "" {
		media = media.With(b.alternative, openapi.Obj("schema", stringSchema, "example", b.example))
	}
	o := openapi.Obj("content", media)
	if !b.optional {
		o = o.With("required", true)
	}
	return o
}

func (d *openAPIBuilder) bodySchema(b *requestBody) openapi.Object {
	required, properties := []string{}, openapi.Object{}
	if b.extra != nil {
		schema := d.schemas.Of(b.extra)
		if named := d.schemas.Components[d.componentName(b.extra)]; named != nil {
			schema = named // an exported type is referred to
		}
		required = append(required, schemaRequired(schema)...)
		properties = append(properties, optionalMembers(schema, required)...)
	}
	for _, name := range b.attributes {
		bare := strings.TrimRight(name, "*!")
		schema := d.writableAttribute(b.typ, bare, name == bare)
		if strings.HasSuffix(name, "*") {
			required = append(required, bare)
		}
		properties = append(properties, openapi.Member{Name: bare, Value: schema})
	}
	attributes := openapi.Record(required, properties)
	if b.plainOnly {
		return attributes
	}
	document := d.requestDocument(b, attributes, len(required) > 0)
	if b.plainAllowed {
		return openapi.Obj("anyOf", []any{document, attributes})
	}
	if b.optional {
		return openapi.Obj("anyOf", []any{document, openapi.Obj("type", "object", "maxProperties", 0)})
	}
	return document
}

// writableAttribute returns the schema of an attribute in a request body.
func (d *openAPIBuilder) writableAttribute(typ, name string, null bool) openapi.Object {
	for _, m := range d.types[typ].Members {
		if m.Name != name || m.Value == nil {
			continue
		}
		schema := d.valueSchema(m)
		if null {
			schema = openapi.Nullable(schema)
		}
		return openapi.Describe(schema, d.Field(m.Owner, m.Field))
	}
	return openapi.Object{}
}

// requiredRelationship returns the schema of a relationship that must not be null.
func (d *openAPIBuilder) requiredRelationship(typ, name string) openapi.Object {
	for _, m := range d.types[typ].Members {
		if m.Name == name {
			return openapi.Record([]string{"data"}, openapi.Obj("data", d.identifier(m.Types)))
		}
	}
	return openapi.Object{}
}

// requestDocument returns the schema of a document with the attributes.
func (d *openAPIBuilder) requestDocument(b *requestBody, attributes openapi.Object, needed bool) openapi.Object {
	data := openapi.Obj("type", openapi.Const(b.typ), "id", openapi.Describe(stringSchema, "The ID of the record; it must be the one in the path."))
	var required []string
	if !b.typeOptional {
		required = append(required, "type")
	}
	if b.idRequired {
		data = data.With("id", openapi.Describe(stringSchema, "The ID of the record."))
		required = append(required, "id")
	}
	if len(attributes.Get("properties").(openapi.Object)) > 0 {
		data = data.With("attributes", attributes)
		if needed {
			required = append(required, "attributes")
		}
	}
	if b.customer {
		party := openapi.Record([]string{"data"}, openapi.Obj("data", openapi.Nullable(openapi.Record([]string{"type", "id"}, openapi.Obj("type", openapi.Const("party"), "id", stringSchema)))))
		data = data.With("relationships", openapi.Record(nil, openapi.Obj("customer", openapi.Describe(party, "The party; null for none."))))
	}
	if b.relationship != "" {
		data = data.With("relationships", openapi.Record([]string{b.relationship}, openapi.Obj(b.relationship, d.requiredRelationship(b.typ, b.relationship))))
		required = append(required, "relationships")
	}
	return openapi.Record([]string{"data"}, openapi.Obj("data", openapi.Record(required, data)))
}

func schemaRequired(schema openapi.Object) []string {
	required, _ := schema.Get("required").([]string)
	return required
}

// optionalMembers returns the properties of a schema. Those that are not required
// also accept null, which means absent.
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

// responses describes the success response and the errors that follow from the route.
func (d *openAPIBuilder) responses(rt *route, op *operation) openapi.Object {
	all := openapi.Obj(strconv.Itoa(op.response.status), d.successResponse(rt, op))
	for _, status := range rt.errorStatuses(op) {
		name := errorComponent(status)
		if status == http.StatusUnprocessableEntity && rt.path == "/webhooks/trigger" {
			name = "details_422"
		}
		all = append(all, openapi.Member{Name: strconv.Itoa(status), Value: openapi.Ref("responses", name)})
	}
	return all
}

// errorStatuses returns the statuses of the errors of a route.
func (rt *route) errorStatuses(op *operation) []int {
	statuses := slices.Clone(op.extraErrors)
	statuses = append(statuses, http.StatusInternalServerError)
	if rt.public && !strings.Contains(rt.path, "{") {
		return sortedStatuses(statuses)
	}
	statuses = append(statuses, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable)
	if strings.Contains(rt.path, "{") || op.body != nil && op.body.idRequired {
		statuses = append(statuses, http.StatusNotFound)
	}
	if len(rt.accepts.Filters) > 0 || len(op.params) > 0 || op.body != nil {
		statuses = append(statuses, http.StatusUnprocessableEntity)
	}
	if op.body != nil {
		statuses = append(statuses, http.StatusRequestTimeout, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if rt.acceptsIfMatch(op) {
		statuses = append(statuses, http.StatusPreconditionFailed)
	}
	return sortedStatuses(statuses)
}

func sortedStatuses(statuses []int) []int {
	slices.Sort(statuses)
	return slices.Compact(statuses)
}

func (d *openAPIBuilder) successResponse(rt *route, op *operation) openapi.Object {
	a := op.response
	a.written = op.body != nil && op.body.media == ""
	headers := []string{"X-Request-Id"}
	if !a.list && !a.asOf && a.plain == nil && slices.Contains(versioned, a.typ) {
		headers = append(headers, "ETag")
	}
	if a.location {
		headers = append(headers, "Location")
	}
	o := openapi.Obj("description", successDescription(a), "headers", headerRefs(headers...))
	schema := d.responseSchema(a)
	if schema == nil {
		return o
	}
	if a.media != "" {
		return o.With("content", openapi.Obj(a.media, openapi.Obj("schema", openapi.Object{})))
	}
	if a.example != "" {
		plain := openapi.Obj("schema", schema, "example", d.Examples[rt.name()].Answer)
		media := openapi.Obj(jsonapi.JSON, plain, a.alternative, openapi.Obj("schema", stringSchema, "example", a.example))
		if a.pdf {
			media = media.With(typePDF, openapi.Obj("schema", openapi.Object{}))
		}
		return o.With("content", media)
	}
	return o.With("content", content(schema, d.Examples[rt.name()].Answer, cmp.Or(a.alternative, jsonapi.MediaType)))
}

func successDescription(a response) string {
	switch {
	case a.status == http.StatusCreated:
		return "Created."
	case a.status == http.StatusAccepted:
		return "Accepted; the work continues in the background."
	case a.list:
		return "A list."
	case a.typ == "" && a.plain == nil && a.schema == "":
		return "Done. The response has no body."
	}
	return "The resource or result."
}

// responseSchema returns the schema of the body of a success; nil for none.
func (d *openAPIBuilder) responseSchema(a response) openapi.Object {
	switch {
	case a.schema == "notification":
		return openapi.Obj("oneOf", []any{d.notification(), d.notificationList()})
	case a.schema != "":
		return openapi.Obj("type", "object")
	case a.typ != "":
		return d.document(a)
	case a.plain != nil:
		return d.schemas.Of(a.plain)
	}
	return nil
}
