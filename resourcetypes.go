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
	// Many: the relationship is a list. Optional: the member is shown in some
	// answers only.
	Many, Optional bool
}

// attributeForm is one of the forms that documents of a type have.
type attributeForm struct {
	typ    string
	noun   reflect.Type
	fields []record.Field
}

func formOf[T any](c *record.Codec[T]) attributeForm {
	return attributeForm{c.Type(), reflect.TypeFor[T](), c.Fields()}
}

// unstored are forms of documents that are no stored records: resources that are
// made for an answer, and records that are shown with less or more.
func unstored() []attributeForm {
	return []attributeForm{
		formOf(routeRecords), formOf(routeLocationRecords), formOf(searchResults),
		formOf(locatedVessels), formOf(reducedDocuments), formOf(reducedSubmissions),
	}
}

// ResourceTypes returns the types of all documents, by name. A member that only some
// forms of a type have is Optional.
func ResourceTypes() []ResourceType {
	all := map[string]ResourceType{}
	for name, n := range registry {
		all[name] = attributeForm{name, n.structType(), n.fields()}.resourceType()
	}
	for _, f := range unstored() {
		known, ok := all[f.typ]
		if !ok {
			all[f.typ] = f.resourceType()
			continue
		}
		all[f.typ] = known.or(f.resourceType())
	}
	var types []ResourceType
	for _, name := range slices.Sorted(maps.Keys(all)) {
		types = append(types, all[name])
	}
	return types
}

// or is the type with another form of it.
func (r ResourceType) or(other ResourceType) ResourceType {
	for i := range r.Members {
		r.Members[i].Optional = r.Members[i].Optional || !other.has(r.Members[i].Name)
	}
	for _, m := range other.Members {
		if !r.has(m.Name) {
			m.Optional = true
			r.Members = append(r.Members, m)
		}
	}
	return r
}

func (r ResourceType) has(name string) bool {
	return slices.ContainsFunc(r.Members, func(m ResourceMember) bool { return m.Name == name })
}

func (f attributeForm) resourceType() ResourceType {
	r := ResourceType{Name: f.typ, Struct: f.noun}
	for _, field := range f.fields {
		m := ResourceMember{Name: field.Name, Types: field.Types, Many: field.Many, Optional: field.Inverse}
		switch field.Kind {
		case record.Attribute:
			m.Value = field.GoType
		case record.Relationship:
		default:
			continue
		}
		var tag string
		m.Owner, m.Field, tag = fieldOf(r.Struct, field.Kind.String(), field.Name)
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
