package httpserver

import (
	_ "embed"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/openapi"
	"github.com/landfallhq/tracking/jsonapi"
)

// described.json is what the description of the interface takes from elsewhere
// than the code that runs: comments from the source, and examples from the answers
// of the tests.
//
//go:generate go test -run=^TestDescribed$ -update .
//go:embed described.json
var describedJSON []byte

// described is the content of described.json.
type described struct {
	// Types are what the source says of types, by name: "tracking.Shipment".
	Types map[string]struct {
		Doc    string            `json:"doc"`
		Fields map[string]string `json:"fields"`
		Values []string          `json:"values"`
	} `json:"types"`
	// Examples are a request and its answer, by operation.
	Examples map[string]example `json:"examples"`
	// Errors are answers by status.
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

// goWords are what comments for Go say of absent values; a document has null.
var goWords = strings.NewReplacer("zero (null)", "null", "the zero ID", "null", "nil", "null")

// Type is what the source says of a type, and its values where it is a text.
func (d *described) Type(t reflect.Type) (string, []string) {
	said := d.Types[typeName(t)]
	values := said.Values
	switch t { // what belongs to a type and is declared beside it
	case reflect.TypeFor[tracking.EventName]():
		values = nil
		for _, e := range slices.Concat(tracking.EventNames(), tracking.DocumentEventNames()) {
			values = append(values, string(e))
		}
	}
	return goWords.Replace(said.Doc), values
}

// Field is the comment of a field.
func (d *described) Field(owner reflect.Type, name string) string {
	if owner == nil {
		return ""
	}
	return goWords.Replace(d.Types[typeName(owner)].Fields[name])
}

// describer puts the description together.
type describer struct {
	described
	types   map[string]tracking.ResourceType
	schemas openapi.Schemas
	selves  map[string]string
}

func newDescriber() (*describer, error) {
	d := &describer{types: map[string]tracking.ResourceType{}, selves: tracking.Collections()}
	if err := json.Unmarshal(describedJSON, &d.described); err != nil {
		return nil, err
	}
	for _, t := range tracking.ResourceTypes() {
		d.types[t.Name] = t
	}
	d.schemas = openapi.Schemas{
		Texts: &d.described, Components: map[string]openapi.Object{}, Named: d.componentName,
		Known: map[reflect.Type]openapi.Object{
			reflect.TypeFor[tracking.Moment](): text,
			reflect.TypeFor[jsonapi.Error]():   fault,
		},
	}
	return d, nil
}

// componentName is the name of a Go type as a component: HoldStatus becomes
// hold_status. Types of this package that describe one body stand where they are
// used.
func (d *describer) componentName(t reflect.Type) string {
	name := t.Name()
	switch {
	case name == "":
		return ""
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
	if _, taken := d.types[b.String()]; taken {
		return "reported_" + b.String()
	}
	return b.String()
}

// component returns a reference to the component, which is made when it is first
// needed.
func (d *describer) component(name string, make func() openapi.Object) openapi.Object {
	if _, ok := d.schemas.Components[name]; !ok {
		d.schemas.Components[name] = nil // it may lead to itself
		d.schemas.Components[name] = make()
	}
	return openapi.Ref("schemas", name)
}

var text = openapi.Obj("type", "string")

// resource is the schema of the resources of a type.
func (d *describer) resource(typ string) openapi.Object {
	return d.component(typ, func() openapi.Object {
		t := d.types[typ]
		doc, _ := d.Type(t.Struct)
		var attributes, relationships openapi.Object = openapi.Object{}, openapi.Object{}
		var always, linked []string
		for _, m := range t.Members {
			said := d.Field(m.Owner, m.Field)
			if m.Value == nil {
				relationships = append(relationships, openapi.Member{Name: m.Name, Value: openapi.Describe(d.relationship(m), said)})
				if !m.Optional {
					linked = append(linked, m.Name)
				}
				continue
			}
			attributes = append(attributes, openapi.Member{Name: m.Name, Value: openapi.Describe(d.attribute(m), said)})
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
		if d.selves[typ] != "" { // what lives below another resource has them only where that is known
			members = append(members, "links")
		}
		return openapi.Obj("type", "object", "description", doc).With("required", members).With("properties", properties)
	})
}

func (d *describer) attribute(m tracking.ResourceMember) openapi.Object {
	schema := d.schemas.Of(m.Value)
	if m.Value == reflect.TypeFor[json.RawMessage]() {
		schema = rawSchema(m.Name)
	}
	if m.Null && m.Value.Kind() != reflect.Pointer {
		schema = openapi.Nullable(schema)
	}
	return schema
}

// objects are the attributes that hold JSON as it was given and are always objects.
var objects = []string{"extracted_data_manual", "payload", "validation"}

// rawSchema is that of an attribute whose text the engine does not look into. The
// others are values, each of the type that its definition has.
func rawSchema(name string) openapi.Object {
	if slices.Contains(objects, name) {
		return openapi.Obj("type", "object")
	}
	return openapi.Obj("type", []string{"string", "number", "boolean", "array", "object"}, "items", text)
}

// relationship is the linkage of a relationship. To-one ones may be null: what
// they lead to need not be known.
func (d *describer) relationship(m tracking.ResourceMember) openapi.Object {
	data := d.identifier(m.Types)
	if m.Many {
		data = openapi.List(data)
	} else {
		data = openapi.Nullable(data)
	}
	return openapi.Record([]string{"data"}, openapi.Obj("data", data))
}

func (d *describer) identifier(types []string) openapi.Object {
	typ := openapi.Const(types[0])
	if len(types) > 1 {
		typ = openapi.Obj("type", "string", "enum", types)
	}
	return openapi.Record([]string{"id", "type"}, openapi.Obj("id", openapi.Obj("type", "string", "format", "uuid"), "type", typ))
}

func (d *describer) resourceLinks() openapi.Object {
	return d.component("resource_links", func() openapi.Object {
		return openapi.Record([]string{"self"}, openapi.Obj(
			"self", openapi.Describe(text, "The path of the resource."),
			"download", openapi.Describe(text, "Of a document: the path that says where its file is."),
		))
	})
}

// included are the resources that a list of related ones may hold: those that the
// type leads to in as many steps as an include may have.
func (d *describer) included(typ string) openapi.Object {
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

// document is the schema of a document of one resource or a list of them.
func (d *describer) document(a answer) openapi.Object {
	name := a.typ + "_document"
	switch {
	case a.many:
		name = a.typ + "_list"
	case a.past:
		name = a.typ + "_document_as_of"
	}
	return d.component(name, func() openapi.Object {
		var row openapi.Object
		if a.plain != nil {
			row = d.component(a.typ, func() openapi.Object { return d.unkept(a.typ, a.plain) })
		} else {
			row = d.resource(a.typ)
		}
		required, properties := []string{"data", "links"}, openapi.Obj("data", row)
		if a.many {
			properties = openapi.Obj("data", openapi.List(row))
		}
		if a.plain == nil {
			properties = properties.With("included", d.included(a.typ))
		}
		switch {
		case a.many:
			required = append(required, "meta")
			properties = properties.With("links", d.listLinks()).With("meta", d.listMeta())
		case a.past:
			properties = properties.With("links", d.documentLinks()).With("meta", d.schemas.Of(reflect.TypeFor[pastMeta]()))
		default:
			properties = properties.With("links", d.documentLinks())
		}
		return openapi.Record(required, properties)
	})
}

// unkept is a resource that is no record.
func (d *describer) unkept(typ string, t reflect.Type) openapi.Object {
	schema := d.schemas.Of(t)
	properties := schema.Get("properties").(openapi.Object).With("type", openapi.Const(typ)).With("links", d.resourceLinks())
	return schema.With("properties", properties)
}

func (d *describer) documentLinks() openapi.Object {
	return d.component("document_links", func() openapi.Object {
		return openapi.Record([]string{"self"}, openapi.Obj("self", openapi.Describe(text, "The URL of the request.")))
	})
}

func (d *describer) listLinks() openapi.Object {
	return d.component("list_links", func() openapi.Object {
		properties := openapi.Object{}
		for _, l := range [][2]string{
			{"self", "This page."}, {"current", "This page."}, {"first", "The first page."}, {"last", "The last page."},
			{"next", "The page after this; absent on the last."}, {"prev", "The page before this; absent on the first."},
		} {
			properties = properties.With(l[0], openapi.Describe(text, l[1]))
		}
		return openapi.Record([]string{"self", "current", "first", "last"}, properties)
	})
}

func (d *describer) listMeta() openapi.Object {
	return d.component("list_meta", func() openapi.Object {
		return openapi.Record([]string{"size", "total"}, openapi.Obj(
			"size", openapi.Obj("type", "integer", "description", "The size of pages."),
			"total", openapi.Obj("type", "integer", "description", "How many there are on all pages."),
		))
	})
}

// errors is the schema of an errors document; bare ones have details alone.
func (d *describer) errors(bare bool) openapi.Object {
	if bare {
		return d.component("details", func() openapi.Object {
			return openapi.Record([]string{"errors"}, openapi.Obj("errors", openapi.List(openapi.Record([]string{"detail"}, openapi.Obj("detail", text)))))
		})
	}
	return d.component("errors", func() openapi.Object {
		return openapi.Record([]string{"errors"}, openapi.Obj("errors", openapi.List(fault).With("minItems", 1)))
	})
}

// fault is the schema of one error.
var fault = openapi.Record([]string{"status", "title"}, openapi.Obj(
	"status", openapi.Describe(text, "The HTTP status."),
	"code", openapi.Describe(text, "A stable word for programs."),
	"title", text,
	"detail", openapi.Describe(text, "A sentence for people."),
	"source", openapi.Record(nil, openapi.Obj(
		"pointer", openapi.Describe(text, "What of the body was wrong, as a JSON Pointer."),
		"parameter", openapi.Describe(text, "What of the query was wrong."),
	)),
	"meta", openapi.Obj("type", "object", "description", "Facts that a program can use."),
))

// notification is what is posted to webhooks.
func (d *describer) notification() openapi.Object {
	return d.component("notification", func() openapi.Object {
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
		// Payloads of events about documents alone have these.
		attributes = attributes.With("version", openapi.Describe(text, "The version of the payload's form; of events about documents."))
		for _, m := range t.Members {
			if m.Name == "reference_object" {
				m.Types = []string{"document"}
				relationships = relationships.With("document", d.relationship(m))
			}
		}
		return openapi.Record([]string{"data", "included"}, openapi.Obj(
			"data", openapi.Record([]string{"id", "type", "attributes", "relationships", "links"}, openapi.Obj(
				"id", openapi.Obj("type", "string", "format", "uuid"), "type", openapi.Const(t.Name),
				"attributes", openapi.Record(always, attributes), "relationships", openapi.Record(related, relationships),
				"links", d.resourceLinks(),
			)),
			"included", d.included(t.Name),
		))
	})
}
