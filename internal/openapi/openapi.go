// Package openapi has the parts of an OpenAPI 3.1 document: JSON objects with ordered
// members, and schemas of Go types. It has no knowledge of resources.
package openapi

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object with ordered members.
type Object []Member

// Member is one member of an Object.
type Member struct {
	Name  string
	Value any
}

// Obj returns an object of alternating names and values. Nil and empty strings are
// omitted.
func Obj(pairs ...any) Object {
	var o Object
	for i := 0; i < len(pairs); i += 2 {
		o = o.With(pairs[i].(string), pairs[i+1])
	}
	return o
}

// With returns a copy with the member set. A value that is nil or an empty string
// changes nothing.
func (o Object) With(name string, value any) Object {
	if value == nil || value == "" {
		return o
	}
	out := append(Object(nil), o...)
	for i := range out {
		if out[i].Name == name {
			out[i].Value = value
			return out
		}
	}
	return append(out, Member{name, value})
}

// Get returns the value of a member; nil for none.
func (o Object) Get(name string) any {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Names returns the names of the members, in order.
func (o Object) Names() []string {
	names := make([]string, len(o))
	for i, m := range o {
		names[i] = m.Name
	}
	return names
}

// MarshalJSON encodes the members in order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		for _, part := range []any{m.Name, m.Value} {
			text, err := Marshal(part)
			if err != nil {
				return nil, err
			}
			b.Write(text)
			b.WriteByte(':')
		}
		b.Truncate(b.Len() - 1)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Marshal is json.Marshal without HTML escapes.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Ref returns a reference to a component: Ref("schemas", "shipment").
func Ref(section, name string) Object {
	return Obj("$ref", "#/components/"+section+"/"+name)
}
