package mcpserver

import (
	"encoding"
	"reflect"
	"strings"
)

// outputSchema returns the JSON Schema of an answer whose result is like the example. Members
// that others add stay allowed.
func outputSchema(example any) map[string]any {
	s := schemaOf(reflect.TypeOf(example))
	s["properties"].(map[string]any)["_response_contract"] = schemaOf(reflect.TypeFor[guide]())
	return s
}

// schemaOf returns the JSON Schema of a type: a pointer and a nil map may be null, and what is
// left out when it is empty is not required.
func schemaOf(t reflect.Type) map[string]any {
	if t.Kind() == reflect.Pointer {
		return nullable(schemaOf(t.Elem()))
	}
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return map[string]any{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.Struct:
		properties, required := map[string]any{}, []string{}
		addMembers(t, properties, &required)
		s := map[string]any{"type": "object", "properties": properties}
		if len(required) > 0 {
			s["required"] = required
		}
		return s
	case reflect.Interface:
		return map[string]any{}
	default:
		return map[string]any{"type": "string"}
	}
}

func addMembers(t reflect.Type, properties map[string]any, required *[]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			addEmbedded(f.Type, properties, required)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		s := schemaOf(f.Type)
		if about := f.Tag.Get("about"); about != "" {
			s["description"] = about
		}
		properties[name] = s
		if !strings.Contains(options, "omit") {
			*required = append(*required, name)
		}
	}
}

// addEmbedded adds the members of an embedded struct. Those of a pointer may be absent.
func addEmbedded(t reflect.Type, properties map[string]any, required *[]string) {
	if t.Kind() != reflect.Pointer {
		addMembers(t, properties, required)
		return
	}
	var optional []string
	addMembers(t.Elem(), properties, &optional)
}

// nullable allows null too.
func nullable(s map[string]any) map[string]any {
	if kind, ok := s["type"].(string); ok {
		s["type"] = []string{kind, "null"}
	}
	return s
}
