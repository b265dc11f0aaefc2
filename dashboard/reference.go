package dashboard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

func referenceRoutes() []route {
	return []route{
		{pattern: "GET /docs", public: true, serve: showReference},
		{pattern: "GET /docs/openapi.json", public: true, serve: sendOpenAPI},
		{pattern: "GET /docs/operations/{name}", public: true, serve: showOperation},
		{pattern: "GET /docs/schemas/{name}", public: true, serve: showSchema},
	}
}

// reference is the interface over HTTP, read from its OpenAPI document once.
type reference struct {
	document   []byte
	info       object
	tags       []object
	operations []operation
	components map[string]object // by section
}

// object is a JSON object with its members in order.
type object []member

type member struct {
	name  string
	value json.RawMessage
}

func (o *object) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return err // something else, such as a schema that is true: it has no members
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		m := member{name: fmt.Sprint(name)}
		if err := d.Decode(&m.value); err != nil {
			return err
		}
		*o = append(*o, m)
	}
	return nil
}

// read reads a member into to, which stays as it is if there is none or it is of another type.
func (o object) read(name string, to any) {
	if i := slices.IndexFunc(o, func(m member) bool { return m.name == name }); i >= 0 {
		_ = json.Unmarshal(o[i].value, to)
	}
}

func (o object) text(name string) (s string) { o.read(name, &s); return s }

func (o object) object(name string) (child object) { o.read(name, &child); return child }

func (o object) objects(name string) (list []object) { o.read(name, &list); return list }

// operation is a method of a path.
type operation struct {
	Method, Path, ID, Summary string
	Tag                       string
	Deprecated                bool
	object                    object
}

// methods are those that operations have, as OpenAPI writes them.
var methods = []string{"get", "post", "put", "patch", "delete"}

// readReference reads the OpenAPI document. Without one there is no reference.
func (c Config) readReference() (r reference, err error) {
	if c.OpenAPI == nil {
		return r, nil
	}
	var document object
	if r.document, err = c.OpenAPI(); err == nil && len(r.document) == 0 {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(r.document, &document)
	}
	if err != nil {
		return r, fmt.Errorf("dashboard: Config.OpenAPI: %w", err)
	}
	r.info, r.tags, r.components = document.object("info"), document.objects("tags"), map[string]object{}
	for _, section := range document.object("components") {
		var components object
		_ = json.Unmarshal(section.value, &components)
		r.components[section.name] = components
	}
	for _, at := range document.object("paths") {
		var item object
		_ = json.Unmarshal(at.value, &item)
		for _, method := range methods {
			o := item.object(method)
			if o == nil {
				continue
			}
			var tags []string
			o.read("tags", &tags)
			op := operation{Method: strings.ToUpper(method), Path: at.name, ID: o.text("operationId"), Summary: o.text("summary"), object: o}
			o.read("deprecated", &op.Deprecated)
			if len(tags) > 0 {
				op.Tag = tags[0]
			}
			r.operations = append(r.operations, op)
		}
	}
	return r, nil
}

// resolve follows a reference to a component.
func (r reference) resolve(o object) object {
	for range 8 { // references to references are few, and may not go round
		parts := strings.Split(o.text("$ref"), "/")
		if len(parts) != 4 {
			return o
		}
		o = r.components[parts[2]].object(parts[3])
	}
	return o
}

// referencePage is the index of the reference.
type referencePage struct {
	Version, Query string
	Description    []string
	Tags           []operationGroup
	Schemas        []string
}

type operationGroup struct {
	Name, Description string
	Operations        []operation
}

// showReference lists the operations, those that have all words of q if there are any.
func showReference(req *request) error {
	r, err := req.reference()
	if err != nil {
		return err
	}
	if len(r.operations) == 0 {
		return req.notFound()
	}
	info := r.info
	p := referencePage{Version: info.text("version"), Query: req.r.URL.Query().Get("q"), Description: paragraphs(info.text("description"))}
	words := strings.Fields(strings.ToLower(p.Query))
	for _, tag := range r.tags {
		group := operationGroup{Name: tag.text("name"), Description: tag.text("description")}
		for _, op := range r.operations {
			if op.Tag == group.Name && op.has(words) {
				group.Operations = append(group.Operations, op)
			}
		}
		if len(group.Operations) > 0 {
			p.Tags = append(p.Tags, group)
		}
	}
	for _, m := range r.components["schemas"] {
		if hasWords(strings.ToLower(m.name), words) {
			p.Schemas = append(p.Schemas, m.name)
		}
	}
	return req.render(http.StatusOK, "reference", req.texts.get("reference.title"), p)
}

// sendOpenAPI answers with the document itself.
func sendOpenAPI(req *request) error {
	r, err := req.reference()
	if err != nil {
		return err
	}
	if len(r.document) == 0 {
		return req.notFound()
	}
	req.w.Header().Set("Content-Type", "application/json")
	_, _ = req.w.Write(r.document) // the browser may have gone
	return nil
}

func (op operation) has(words []string) bool {
	return hasWords(strings.ToLower(strings.Join([]string{op.Method, op.Path, op.ID, op.Summary, op.Tag, op.object.text("description")}, " ")), words)
}

func hasWords(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

func paragraphs(text string) []string { return nonEmpty(strings.Split(text, "\n\n")...) }

// operationPage is an operation with all that it takes and answers.
type operationPage struct {
	operation
	Description []string
	Parameters  []parameter
	Body        []content
	Responses   []response
}

type parameter struct {
	Name, In, Type, Example string
	Required                bool
	Description             string
}

// content is a body in one or more media types.
type content struct {
	Types   []string
	Schema  *schema
	Example string
}

type response struct {
	Status, Description string
	Contents            []content
}

func showOperation(req *request) error {
	r, err := req.reference()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(r.operations, func(op operation) bool { return op.ID == req.r.PathValue("name") })
	if i < 0 {
		return req.notFound()
	}
	op := r.operations[i]
	p := operationPage{operation: op, Description: paragraphs(op.object.text("description")), Body: req.contents(r.resolve(op.object.object("requestBody")))}
	for _, o := range op.object.objects("parameters") {
		p.Parameters = append(p.Parameters, req.parameter(r.resolve(o)))
	}
	for _, m := range op.object.object("responses") {
		var o object
		_ = json.Unmarshal(m.value, &o)
		o = r.resolve(o)
		p.Responses = append(p.Responses, response{m.name, o.text("description"), req.contents(o)})
	}
	return req.render(http.StatusOK, "operation", op.Summary, p)
}

func (req *request) parameter(o object) parameter {
	p := parameter{Name: o.text("name"), In: o.text("in"), Description: o.text("description"), Type: req.schema(o.object("schema"), 0).Type}
	o.read("required", &p.Required)
	var example any
	if o.read("example", &example); example != nil {
		text, _ := json.Marshal(example)
		p.Example = strings.Trim(string(text), `"`)
	}
	return p
}

// contents are the bodies of a request or response, each once.
func (req *request) contents(o object) (list []content) {
	known := map[string]int{}
	for _, m := range o.object("content") {
		var media object
		_ = json.Unmarshal(m.value, &media)
		var form json.RawMessage
		media.read("schema", &form)
		if i, ok := known[string(form)]; ok {
			list[i].Types = append(list[i].Types, m.name)
			continue
		}
		known[string(form)] = len(list)
		c := content{Types: []string{m.name}, Schema: req.schema(media.object("schema"), 0)}
		var example json.RawMessage
		if media.read("example", &example); len(example) > 0 {
			var b bytes.Buffer
			_ = json.Indent(&b, example, "", "  ")
			c.Example = b.String()
		}
		list = append(list, c)
	}
	return list
}

// schema is what a value must be.
type schema struct {
	Type        string
	Ref, Href   string // a schema with a page of its own
	Description string
	Values      []string
	Properties  []property
	Items       *schema
	Choices     []*schema
}

type property struct {
	Name     string
	Required bool
	Schema   *schema
}

// maxDepth bounds the schemas within schemas that are shown on one page.
const maxDepth = 12

func (req *request) schema(o object, depth int) *schema {
	s := &schema{Description: o.text("description")}
	if name, ok := strings.CutPrefix(o.text("$ref"), "#/components/schemas/"); ok {
		s.Ref, s.Href = name, req.link("/docs/schemas/"+name)
		return s
	}
	if depth > maxDepth {
		return s
	}
	s.Type = o.kind()
	var values []any
	o.read("enum", &values)
	var constant any
	if o.read("const", &constant); constant != nil {
		values = append(values, constant)
	}
	for _, v := range values {
		s.Values = append(s.Values, fmt.Sprint(v))
	}
	var required []string
	o.read("required", &required)
	for _, m := range o.object("properties") {
		var child object
		_ = json.Unmarshal(m.value, &child)
		s.Properties = append(s.Properties, property{m.name, slices.Contains(required, m.name), req.schema(child, depth+1)})
	}
	if items := o.object("items"); items != nil {
		s.Items = req.schema(items, depth+1)
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		for _, choice := range o.objects(name) {
			s.Choices = append(s.Choices, req.schema(choice, depth+1))
		}
	}
	return s
}

// kind is the type of a schema with its format: string (date-time) or null.
func (o object) kind() string {
	var types []string
	if o.read("type", &types); len(types) == 0 {
		types = nonEmpty(o.text("type"))
	}
	kind := strings.Join(types, " or ")
	if format := o.text("format"); format != "" {
		kind += " (" + format + ")"
	}
	return kind
}

// schemaPage is a schema that others refer to.
type schemaPage struct{ Schema *schema }

func showSchema(req *request) error {
	r, err := req.reference()
	if err != nil {
		return err
	}
	name := req.r.PathValue("name")
	o := r.components["schemas"].object(name)
	if o == nil {
		return req.notFound()
	}
	return req.render(http.StatusOK, "schema", name, schemaPage{req.schema(o, 0)})
}
