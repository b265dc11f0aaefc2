package httpserver

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freetime/invoice"
	"github.com/landfallhq/tracking/internal/openapi"
	"github.com/landfallhq/tracking/jsonapi"
)

// described.json has what the OpenAPI document takes from elsewhere: comments from
// the source code, and examples from the responses in the tests.
//
//go:generate go test -run=^TestDescribed$ -update .
//go:embed described.json
var sourceTextsJSON []byte

// sourceTexts is the content of described.json.
type sourceTexts struct {
	// Types has the comments and the constants of types, by name:
	// "tracking.Shipment".
	Types map[string]struct {
		Doc    string            `json:"doc"`
		Fields map[string]string `json:"fields"`
		Values []string          `json:"values"`
	} `json:"types"`
	// Examples has a request and its response, by operation.
	Examples map[string]example `json:"examples"`
	// Errors has an error response, by status.
	Errors map[string]json.RawMessage `json:"errors"`
}

type example struct {
	Request json.RawMessage `json:"request,omitempty"`
	Answer  json.RawMessage `json:"answer,omitempty"`
}

func typeName(t reflect.Type) string {
	pkg := t.PkgPath()
	return pkg[strings.LastIndexByte(pkg, '/')+1:] + "." + t.Name()
}

// nullWords replaces words for Go's zero values with null.
var nullWords = strings.NewReplacer(
	"zero (null)", "null", "empty (null)", "null", "nil (null)", "null", "0 (null)", "null",
	"Zero (null)", "Null", "Empty (null)", "Null", "the zero ID", "null", "nil", "null", " (own)", "",
)

// Type returns the comment of a type and, for a string type, its constants.
func (d *sourceTexts) Type(t reflect.Type) (string, []string) {
	source := d.Types[typeName(t)]
	values := source.Values
	switch t { // types whose values are not constants
	case reflect.TypeFor[tracking.EventName]():
		values = nil
		for _, e := range tracking.Describe().AllEvents {
			values = append(values, string(e))
		}
	case reflect.TypeFor[tracking.RevisedAttribute]():
		values = textsOf(tracking.Describe().RevisedAttributes)
	}
	return nullWords.Replace(withoutUnexportedName(source.Doc, t.Name())), values
}

// withoutUnexportedName removes the Go name at the beginning of a comment, unless it
// is exported.
func withoutUnexportedName(doc, name string) string {
	rest, ok := strings.CutPrefix(doc, name+" ")
	if !ok || rest == "" || unicode.IsUpper(rune(name[0])) {
		return doc
	}
	return strings.ToUpper(rest[:1]) + rest[1:]
}

// Field returns the comment of a field.
func (d *sourceTexts) Field(owner reflect.Type, name string) string {
	if owner == nil {
		return ""
	}
	return withMemberNames(nullWords.Replace(d.Types[typeName(owner)].Fields[name]), owner)
}

var goNames = regexp.MustCompile(`[A-Z]+[a-z][A-Za-z]*`)

// withMemberNames replaces names of fields with names of JSON members. It keeps
// capitalized words at the beginning of a sentence, which need not be names, unless
// they begin the comment.
func withMemberNames(doc string, owner reflect.Type) string {
	var b strings.Builder
	end := 0
	for _, at := range goNames.FindAllStringIndex(doc, -1) {
		word := doc[at[0]:at[1]]
		field, ok := owner.FieldByName(word)
		oneWord := strings.ToLower(word[1:]) == word[1:]
		if !ok || oneWord && strings.HasSuffix(doc[:at[0]], ". ") {
			continue
		}
		name, _, _ := strings.Cut(cmp.Or(field.Tag.Get("json"), field.Tag.Get("attr"), field.Tag.Get("rel")), ",")
		if name == "" || name == "-" {
			continue
		}
		b.WriteString(doc[end:at[0]])
		b.WriteString(name)
		end = at[1]
	}
	return b.String() + doc[end:]
}

// openAPIBuilder builds the OpenAPI document.
type openAPIBuilder struct {
	sourceTexts
	types         map[string]tracking.ResourceType
	schemas       openapi.Schemas
	resourcePaths map[string]string
}

func newOpenAPIBuilder() (*openAPIBuilder, error) {
	d := &openAPIBuilder{types: map[string]tracking.ResourceType{}, resourcePaths: map[string]string{}}
	if err := json.Unmarshal(sourceTextsJSON, &d.sourceTexts); err != nil {
		return nil, err
	}
	for _, t := range tracking.Describe().Resources {
		d.types[t.Name], d.resourcePaths[t.Name] = t, t.Path
	}
	d.schemas = openapi.Schemas{
		Texts: &d.sourceTexts, Components: map[string]openapi.Object{}, Named: d.componentName,
		Known: map[reflect.Type]openapi.Object{
			reflect.TypeFor[tracking.Moment](): stringSchema,
			reflect.TypeFor[freetime.Date]():   openapi.Obj("type", "string", "format", "date"),
			reflect.TypeFor[jsonapi.Error]():   errorSchema,
		},
	}
	d.schemas.Known[reflect.TypeFor[*writeMeta]()] = d.schemas.Of(reflect.TypeFor[writeMeta]()) // absent, but never null
	return d, nil
}

// componentName returns the component name of a Go type: HoldStatus becomes
// hold_status. Unexported types of this package have none; their schemas are inlined.
func (d *openAPIBuilder) componentName(t reflect.Type) string {
	name := t.Name()
	switch {
	case name == "":
		return ""
	case t == reflect.TypeFor[writeMeta]():
		return "write_meta"
	case unicode.IsLower(rune(name[0])) && t.PkgPath() == reflect.TypeFor[route]().PkgPath():
		return ""
	}
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	switch _, taken := d.types[b.String()]; {
	case taken:
		return "reported_" + b.String()
	case t.PkgPath() == reflect.TypeFor[invoice.Sheet]().PkgPath() && t != reflect.TypeFor[invoice.Sheet]() && t != reflect.TypeFor[invoice.Invoice]():
		return "invoice_" + b.String() // package freetime has a Total and a Reason too
	}
	return b.String()
}

// component returns a reference to a component, which it makes on first use.
func (d *openAPIBuilder) component(name string, make func() openapi.Object) openapi.Object {
	if _, ok := d.schemas.Components[name]; !ok {
		d.schemas.Components[name] = nil // ends recursion
		d.schemas.Components[name] = make()
	}
	return openapi.Ref("schemas", name)
}

var stringSchema = openapi.Obj("type", "string")

// resource returns the schema of a resource type.
func (d *openAPIBuilder) resource(typ string) openapi.Object {
	return d.component(typ, func() openapi.Object {
		t := d.types[typ]
		doc, _ := d.Type(t.Struct)
		var attributes, relationships openapi.Object = openapi.Object{}, openapi.Object{}
		var always, linked []string
		for _, m := range t.Members {
			doc := d.Field(m.Owner, m.Field)
			if m.Value == nil {
				relationships = append(relationships, openapi.Member{Name: m.Name, Value: openapi.Describe(d.relationship(m), doc)})
				if !m.Optional {
					linked = append(linked, m.Name)
				}
				continue
			}
			attributes = append(attributes, openapi.Member{Name: m.Name, Value: openapi.Describe(d.attribute(m), doc)})
			if !m.Optional {
				always = append(always, m.Name)
			}
		}
		members := []string{"id", "type", "relationships", "attributes"}
		properties := openapi.Obj(
			"id", openapi.Obj("type", "string", "format", "uuid"), "type", openapi.Const(typ),
			"relationships", openapi.Record(linked, relationships), "attributes", openapi.Record(always, attributes),
			"links", d.resourceLinks(),
		)
		members = append(members, "links")
		return openapi.Obj("type", "object", "description", doc).With("required", members).With("properties", properties)
	})
}

func (d *openAPIBuilder) attribute(m tracking.ResourceMember) openapi.Object {
	schema := d.valueSchema(m)
	switch {
	case m.Owner == reflect.TypeFor[tracking.Event]() && m.Name == "payload":
		schema = d.notification()
	case m.Value == reflect.TypeFor[json.RawMessage]():
		schema = rawSchema(m.Name)
	}
	if m.Null && m.Value.Kind() != reflect.Pointer {
		schema = openapi.Nullable(schema)
	}
	return schema
}

// valueSchema returns the schema of the value of an attribute that is not null.
func (d *openAPIBuilder) valueSchema(m tracking.ResourceMember) openapi.Object {
	if m.Owner != reflect.TypeFor[tracking.Webhook]() || m.Name != "events" {
		return d.schemas.Of(m.Value)
	}
	var categories []string
	for _, c := range tracking.Describe().EventCategories {
		categories = append(categories, c.ID)
	}
	return openapi.List(openapi.Obj("anyOf", []any{d.schemas.Of(m.Value.Elem()), openapi.Obj("type", "string", "enum", categories)}))
}

// objectAttributes are the JSON attributes that are always objects.
var objectAttributes = []string{"extracted_data_manual", "payload", "validation"}

// rawSchema returns the schema of an attribute with arbitrary JSON: an object, or a
// custom field value.
func rawSchema(name string) openapi.Object {
	if slices.Contains(objectAttributes, name) {
		return openapi.Obj("type", "object")
	}
	return openapi.Obj("type", []string{"string", "number", "boolean", "array", "object"}, "items", stringSchema)
}

// relationship returns the schema of a relationship. A to-one relationship may be
// null.
func (d *openAPIBuilder) relationship(m tracking.ResourceMember) openapi.Object {
	data := d.identifier(m.Types)
	if m.Many {
		data = openapi.List(data)
	} else {
		data = openapi.Nullable(data)
	}
	return openapi.Record([]string{"data"}, openapi.Obj("data", data))
}

func (d *openAPIBuilder) identifier(types []string) openapi.Object {
	typ := openapi.Const(types[0])
	if len(types) > 1 {
		typ = openapi.Obj("type", "string", "enum", types)
	}
	return openapi.Record([]string{"id", "type"}, openapi.Obj("id", openapi.Obj("type", "string", "format", "uuid"), "type", typ))
}

func (d *openAPIBuilder) resourceLinks() openapi.Object {
	return d.component("resource_links", func() openapi.Object {
		return openapi.Record([]string{}, openapi.Obj(
			"self", openapi.Describe(stringSchema, "The path of the resource. Resources without a path of their own have none."),
			"download", openapi.Describe(stringSchema, "For documents: the path of the download URL."),
		))
	})
}

// included returns the schema of the included resources: all types within
// MaxIncludeSteps of typ.
func (d *openAPIBuilder) included(typ string) openapi.Object {
	reached := map[string]bool{}
	from := []string{typ}
	for range jsonapi.MaxIncludeSteps {
		var next []string
		for _, f := range from {
			for _, m := range d.types[f].Members {
				for _, to := range m.Types {
					if _, known := d.types[to]; known && !reached[to] {
						reached[to] = true
						next = append(next, to)
					}
				}
			}
		}
		from = next
	}
	if len(reached) == 0 {
		return openapi.List(openapi.Object{}).With("maxItems", 0)
	}
	mapping, any := openapi.Object{}, []any{}
	for _, to := range slices.Sorted(maps.Keys(reached)) {
		ref := d.resource(to)
		any = append(any, ref)
		mapping = append(mapping, openapi.Member{Name: to, Value: ref.Get("$ref")})
	}
	return openapi.List(openapi.Obj("oneOf", any, "discriminator", openapi.Obj("propertyName", "type", "mapping", mapping)))
}

// document returns the schema of a document with one resource or a list.
func (d *openAPIBuilder) document(a response) openapi.Object {
	name := a.typ + "_document"
	switch {
	case a.list:
		name = a.typ + "_list"
	case a.asOf:
		name = a.typ + "_document_as_of"
	case a.written && a.plain == nil:
		name = a.typ + "_written"
	}
	return d.component(name, func() openapi.Object {
		var row openapi.Object
		if a.plain != nil {
			row = d.component(a.typ, func() openapi.Object { return d.computedResource(a.typ, a.plain) })
		} else {
			row = d.resource(a.typ)
		}
		required, properties := []string{"data", "links"}, openapi.Obj("data", row)
		if a.list {
			properties = openapi.Obj("data", openapi.List(row))
		}
		if a.plain == nil {
			properties = properties.With("included", d.included(a.typ))
		}
		switch {
		case a.list:
			required = append(required, "meta")
			properties = properties.With("links", d.listLinks()).With("meta", d.listMeta())
		case a.asOf:
			properties = properties.With("links", d.documentLinks()).With("meta", d.schemas.Of(reflect.TypeFor[asOfMeta]()))
		case a.written:
			properties = properties.With("links", d.documentLinks()).With("meta", d.schemas.Of(reflect.TypeFor[writeMeta]()))
		default:
			properties = properties.With("links", d.documentLinks())
		}
		return openapi.Record(required, properties)
	})
}

// computedResource returns the schema of a resource that is not stored.
func (d *openAPIBuilder) computedResource(typ string, t reflect.Type) openapi.Object {
	schema := d.schemas.Of(t)
	properties := schema.Get("properties").(openapi.Object).With("type", openapi.Const(typ)).With("links", d.resourceLinks())
	return schema.With("properties", properties)
}

func (d *openAPIBuilder) documentLinks() openapi.Object {
	return d.component("document_links", func() openapi.Object {
		return openapi.Record([]string{"self"}, openapi.Obj("self", openapi.Describe(stringSchema, "The URL of the request.")))
	})
}

func (d *openAPIBuilder) listLinks() openapi.Object {
	return d.component("list_links", func() openapi.Object {
		properties := openapi.Object{}
		for _, l := range [][2]string{
			{"self", "This page."}, {"current", "This page."}, {"first", "The first page."}, {"last", "The last page."},
			{"next", "The next page; absent on the last."}, {"prev", "The previous page; absent on the first."},
		} {
			properties = properties.With(l[0], openapi.Describe(stringSchema, l[1]))
		}
		return openapi.Record([]string{"self", "current", "first", "last"}, properties)
	})
}

func (d *openAPIBuilder) listMeta() openapi.Object {
	return d.component("list_meta", func() openapi.Object {
		return openapi.Record([]string{"size", "total"}, openapi.Obj(
			"size", openapi.Obj("type", "integer", "description", "The page size."),
			"total", openapi.Obj("type", "integer", "description", "The number of records on all pages."),
		))
	})
}

// errors returns the schema of an errors document. With bare, errors have a detail
// only.
func (d *openAPIBuilder) errors(bare bool) openapi.Object {
	if bare {
		return d.component("details", func() openapi.Object {
			return openapi.Record([]string{"errors"}, openapi.Obj("errors", openapi.List(openapi.Record([]string{"detail"}, openapi.Obj("detail", stringSchema)))))
		})
	}
	return d.component("errors", func() openapi.Object {
		return openapi.Record([]string{"errors"}, openapi.Obj("errors", openapi.List(errorSchema).With("minItems", 1)))
	})
}

// errorSchema is the schema of one error.
var errorSchema = openapi.Record([]string{"status", "title"}, openapi.Obj(
	"status", openapi.Describe(stringSchema, "The HTTP status."),
	"code", openapi.Describe(stringSchema, "A stable code for programs."),
	"title", stringSchema,
	"detail", openapi.Describe(stringSchema, "A sentence for users."),
	"source", openapi.Record(nil, openapi.Obj(
		"pointer", openapi.Describe(stringSchema, "A JSON Pointer to the invalid value in the body."),
		"parameter", openapi.Describe(stringSchema, "The name of the invalid query parameter."),
	)),
	"meta", openapi.Obj("type", "object", "description", "Additional data for programs."),
))

// notificationList returns the schema of the examples of all events.
func (d *openAPIBuilder) notificationList() openapi.Object {
	return d.component("notification_list", func() openapi.Object {
		return openapi.Record([]string{"data", "links", "meta"}, openapi.Obj(
			"data", openapi.List(d.notificationData()), "links", d.listLinks(), "meta", d.listMeta(),
		))
	})
}

// notification returns the schema of the bodies that webhooks receive.
func (d *openAPIBuilder) notification() openapi.Object {
	return d.component("notification", func() openapi.Object {
		return openapi.Record([]string{"data", "included"}, openapi.Obj(
			"data", d.notificationData(), "included", d.included("webhook_notification"),
		))
	})
}

// notificationData returns the schema of a notification as it is sent.
func (d *openAPIBuilder) notificationData() openapi.Object {
	return d.component("notification_data", func() openapi.Object {
		t := d.types["webhook_notification"]
		attributes := openapi.Obj("id", openapi.Obj("type", "string", "format", "uuid"))
		relationships := openapi.Object{}
		for _, m := range t.Members {
			switch m.Name {
			case "event", "delivery_status", "created_at":
				attributes = attributes.With(m.Name, d.attribute(m))
			case "webhook", "reference_object", "webhook_notification_logs":
				relationships = relationships.With(m.Name, d.relationship(m))
			}
		}
		always, related := attributes.Names(), relationships.Names()
		// Only events about documents have these.
		attributes = attributes.With("version", openapi.Describe(stringSchema, "The version of the payload format. Only events about documents have it."))
		for _, m := range t.Members {
			if m.Name == "reference_object" {
				m.Types = []string{"document"}
				relationships = relationships.With("document", d.relationship(m))
			}
		}
		return openapi.Record([]string{"id", "type", "attributes", "relationships", "links"}, openapi.Obj(
			"id", openapi.Obj("type", "string", "format", "uuid"), "type", openapi.Const(t.Name),
			"attributes", openapi.Record(always, attributes), "relationships", openapi.Record(related, relationships),
			"links", d.resourceLinks(),
		))
	})
}
