package tracking

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/internal/record"
)

// ResourceType is what documents of one type hold, as servers describe it to
// programs that read them.
type ResourceType struct {
	// Name is the type of the documents: "shipment".
	Name string
	// Struct is the noun: Shipment.
	Struct reflect.Type
	// Members in the order in which they are shown.
	Members []ResourceMember
}

// ResourceMember is an attribute or a relationship.
type ResourceMember struct {
	// Name as documents spell it: "pod_eta_at".
	Name string
	// Owner is the struct that has the field, Struct itself or one that it embeds,
	// and Field the field's name there: "PODETAAt", or "_" where it has none.
	Owner reflect.Type
	Field string
	// Value is the Go type of an attribute; nil for a relationship.
	Value reflect.Type
	// Null: the attribute may be null.
	Null bool
	// Types are what a relationship may lead to; none for an attribute.
	Types []string
	// Many: the relationship is a list. Optional: it is shown in some answers only.
	Many, Optional bool
}

// ResourceTypes returns the types of all documents, by name.
func ResourceTypes() []ResourceType {
	var types []ResourceType
	for _, name := range slices.Sorted(maps.Keys(registry)) {
		types = append(types, resourceType(name, registry[name]))
	}
	return types
}

func resourceType(name string, n described) ResourceType {
	r := ResourceType{Name: name, Struct: n.structType()}
	for _, f := range n.fields() {
		m := ResourceMember{Name: f.Name, Types: f.Types, Many: f.Many, Optional: f.Inverse}
		switch f.Kind {
		case record.Attribute:
			m.Value = f.GoType
		case record.Relationship:
		default:
			continue
		}
		var tag string
		m.Owner, m.Field, tag = fieldOf(r.Struct, f.Kind.String(), f.Name)
		// A codec has null for every time that is zero; which can be, the tag says.
		m.Null = m.Value != nil && (strings.HasSuffix(tag, ",null") || m.Value.Kind() == reflect.Pointer)
		r.Members = append(r.Members, m)
	}
	return r
}

// fieldOf finds the field of a name in tags of a key, and the whole tag.
func fieldOf(t reflect.Type, key, name string) (owner reflect.Type, field, tag string) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get(key)
		if named, _, _ := strings.Cut(tag, ","); named == name {
			return t, f.Name, tag
		}
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			if owner, field, tag := fieldOf(f.Type, key, name); owner != nil {
				return owner, field, tag
			}
		}
	}
	return nil, "", ""
}
