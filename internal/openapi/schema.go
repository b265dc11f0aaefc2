package openapi

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Texts returns the documentation of Go types.
type Texts interface {
	// Type returns the comment of a type and, for a string type, its constants.
	Type(t reflect.Type) (doc string, values []string)
	// Field returns the comment of a field.
	Field(owner reflect.Type, name string) string
}

// Schemas returns the schemas of Go types, as encoding/json encodes them. Structs and
// string types with constants become components.
type Schemas struct {
	Texts Texts
	// Components has the components used so far, by name.
	Components map[string]Object
	// Named returns the component name of a type. Empty means that the schema is
	// inlined.
	Named func(reflect.Type) string
	// Known has schemas for types that need a special one.
	Known map[reflect.Type]Object
}

var (
	timeType      = reflect.TypeFor[time.Time]()
	rawType       = reflect.TypeFor[json.RawMessage]()
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	uuidLength    = 16
	anyValue      = Object{}
	timeSchema    = Obj("type", "string", "format", "date-time")
	uuidSchema    = Obj("type", "string", "format", "uuid")
	basicSchemas  = map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Float32: "number", reflect.Float64: "number"}
	integerKinds  = []reflect.Kind{reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64}
)

// Of returns the schema of t.
func (s *Schemas) Of(t reflect.Type) Object {
	if known, ok := s.Known[t]; ok {
		return known
	}
	switch {
	case t == timeType:
		return timeSchema
	case t == rawType:
		return anyValue
	case t.Kind() == reflect.Pointer:
		return Nullable(s.Of(t.Elem()))
	case t.Kind() == reflect.Array && t.Len() == uuidLength:
		return uuidSchema
	case t.Implements(textMarshaler) || t.Implements(jsonMarshaler) || reflect.PointerTo(t).Implements(jsonMarshaler):
		return Obj("type", "string")
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return List(s.Of(t.Elem()))
	case reflect.Map:
		return Obj("type", "object", "additionalProperties", s.Of(t.Elem()))
	case reflect.Interface:
		return anyValue
	case reflect.Struct:
		return s.component(t, s.structure)
	case reflect.String:
		if _, values := s.Texts.Type(t); len(values) > 0 {
			return s.component(t, s.enumeration)
		}
	}
	if slices.Contains(integerKinds, t.Kind()) {
		return Obj("type", "integer")
	}
	return Obj("type", basicSchemas[t.Kind()])
}

// component adds the schema of t to the components if it has a name.
func (s *Schemas) component(t reflect.Type, of func(reflect.Type) Object) Object {
	name := s.Named(t)
	if name == "" {
		return of(t)
	}
	if _, ok := s.Components[name]; !ok {
		s.Components[name] = nil // ends recursion
		s.Components[name] = of(t)
	}
	return Ref("schemas", name)
}

func (s *Schemas) enumeration(t reflect.Type) Object {
	doc, values := s.Texts.Type(t)
	return Obj("type", "string", "description", doc, "enum", values)
}

// structure returns the schema of a struct. Fields with omitempty are not required.
// The tag schema:"null" marks a map or slice that can be null.
func (s *Schemas) structure(t reflect.Type) Object {
	doc, _ := s.Texts.Type(t)
	properties, required := s.fields(t)
	return Describe(Record(required, properties), doc)
}

func (s *Schemas) fields(t reflect.Type) (properties Object, required []string) {
	properties = Object{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || name == "" {
			continue
		}
		schema := s.Of(f.Type)
		if f.Tag.Get("schema") == "null" {
			schema = Nullable(schema)
		}
		properties = append(properties, Member{name, Describe(schema, s.Texts.Field(t, f.Name))})
		if options == "" {
			required = append(required, name)
		}
	}
	return properties, required
}

// Record returns the schema of an object with the properties.
func Record(required []string, properties Object) Object {
	o := Obj("type", "object")
	if len(required) > 0 {
		o = o.With("required", required)
	}
	return o.With("properties", properties)
}

// List returns the schema of an array.
func List(items Object) Object { return Obj("type", "array", "items", items) }

// Const returns the schema of a constant string.
func Const(value string) Object { return Obj("type", "string", "const", value) }

// Describe returns the schema with a description, unless that is empty.
func Describe(schema Object, text string) Object {
	if text == "" {
		return schema
	}
	return schema.With("description", text)
}

// Nullable returns the schema that also allows null.
func Nullable(schema Object) Object {
	switch typ := schema.Get("type").(type) {
	case string:
		schema = schema.With("type", []string{typ, "null"})
		if values, ok := schema.Get("enum").([]string); ok {
			schema = schema.With("enum", append(toAny(values), nil))
		}
		return schema
	case []string:
		if !slices.Contains(typ, "null") {
			schema = schema.With("type", append(slices.Clone(typ), "null"))
		}
		return schema
	case nil:
		if len(schema) == 0 {
			return schema // any value is allowed
		}
		return Obj("anyOf", []any{schema, Obj("type", "null")})
	}
	return schema
}

func toAny(values []string) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}
