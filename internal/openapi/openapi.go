// Package openapi holds what a description in OpenAPI 3.1 is put together of:
// objects whose members keep their order, and the schemas of Go types. It knows
// no resource.
package openapi

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object whose members are rendered in their order.
type Object []Member

// Member is one member of an Object.
type Member struct {
	Name  string
	Value any
}

// Obj makes an object of names and values by turns. A value that is nil or an
// empty text is left out.
func Obj(pairs ...any) Object {
	var o Object
	for i := 0; i < len(pairs); i += 2 {
		o = o.With(pairs[i].(string), pairs[i+1])
	}
	return o
}

// With returns the object with one more member, or with another value of one that
// it has. A value that is nil or an empty text changes nothing.
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

// Get returns the value of a member, nil for none.
func (o Object) Get(name string) any {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Names are those of the members, in order.
func (o Object) Names() []string {
	names := make([]string, len(o))
	for i, m := range o {
		names[i] = m.Name
	}
	return names
}

// MarshalJSON renders the members in their order.
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

// Marshal is json.Marshal without the escapes for HTML.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Ref is a reference to a component: Ref("schemas", "shipment").
func Ref(section, name string) Object {
	return Obj("$ref", "#/components/"+section+"/"+name)
}
