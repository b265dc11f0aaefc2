package tracking

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/landfallhq/tracking/internal/eventcatalog"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/payload"
	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/store"
)

// Description lists what the engine has names for: for servers, generated documents and
// checks of what people enter. Its slices are shared and must not be changed.
type Description struct {
	// Resources are the types of all documents, by name.
	Resources []ResourceType
	// Events are the 41 events of freight, in the order of EventNames.
	Events []EventDescription
	// DocumentEvents are the names of the events about documents.
	DocumentEvents []EventName
	// ExceptionEvents are the five events about exceptions.
	ExceptionEvents []EventDescription
	// AllEvents are the names of Events, DocumentEvents and ExceptionEvents.
	AllEvents []EventName
	// EventCategories have every event that a webhook can subscribe to, each once.
	EventCategories []EventCategory
	// RevisedAttributes are the attributes of shipments and containers with a history;
	// see Revision. EstimateAttributes are those that are estimated times.
	RevisedAttributes, EstimateAttributes []RevisedAttribute
	// RequestStatuses are the states of a tracking request.
	RequestStatuses []RequestStatus
	// EntityTypes are the resource types with custom fields, and DataTypes the types of
	// their values, in the order of the published interface.
	EntityTypes []EntityType
	DataTypes   []DataType
	// Permissions are the verbs that a key can have.
	Permissions []Permission
	// Limits are the names of the rate limits (see docs/contract.md#limits-of-requests).
	Limits []string
	// JobKinds are the kinds of background jobs, for metrics. They are not shown to users.
	JobKinds []store.JobKind
	// RulesVersion is the version of the derivation rules. It is increased whenever the
	// same facts give another result. Answers about the past include it, because they
	// apply the present rules to the facts of that time.
	RulesVersion int
}

// Describe returns the description, the same one each time.
func Describe() *Description { return description() }

var description = sync.OnceValue(func() *Description {
	return &Description{
		Resources: resourceTypes(), Events: describeEvents(isFreightEvent), DocumentEvents: documentEventNames(),
		ExceptionEvents: describeEvents((*eventcatalog.Event).AboutException), AllEvents: eventNames(func(*eventcatalog.Event) bool { return true }), EventCategories: eventCategories(),
		RevisedAttributes: revisedAttributes, EstimateAttributes: estimateAttributes, RequestStatuses: requestStatuses,
		EntityTypes: entityTypes, DataTypes: dataTypes(), Permissions: allPermissions, Limits: limitNames, JobKinds: jobKinds(), RulesVersion: journey.RulesVersion,
	}
})

// ResourceType describes the documents of one type, for generated descriptions.
type ResourceType struct {
	// Name is the type of the documents: "shipment".
	Name string
	// Struct is the Go type: Shipment.
	Struct reflect.Type
	// Members in the order in which they are shown.
	Members []ResourceMember
	// Path of the resources below the prefix of the interface, with a slash at the end:
	// "/shipments/". Empty for a type without one.
	Path string
	// ShownNow are the attributes that do not follow from facts: an answer about the past
	// has their present values. Nil for a type without a past.
	ShownNow []string
	// Entity is the type as definitions of custom fields name it; empty for a type
	// without custom fields.
	Entity EntityType
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

// attributeForm is one form of the documents of a type.
type attributeForm struct {
	typ    string
	goType reflect.Type
	fields []record.Field
}

func formOf[T any](c *record.Codec[T]) attributeForm {
	return attributeForm{c.Type(), reflect.TypeFor[T](), c.Fields()}
}

// unstored are forms of documents that are not stored records: resources made for
// an answer, and records that are shown with more or fewer members.
func unstored() []attributeForm {
	return []attributeForm{
		formOf(routeRecords), formOf(routeLocationRecords), formOf(searchResults), formOf(eventRecords),
		formOf(locatedVessels), formOf(shownContainers), formOf(shownShipments), formOf(reducedDocuments), formOf(reducedSubmissions),
	}
}

// resourceTypes are the types of all documents, by name. A member that only some forms
// of a type have is Optional.
func resourceTypes() []ResourceType {
	all := map[string]ResourceType{}
	for name, n := range registry {
		all[name] = attributeForm{name, n.Struct, n.Fields}.resourceType()
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

// or merges another form of the type.
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
	r := ResourceType{Name: f.typ, Struct: f.goType, Path: payload.Paths[f.typ], ShownNow: shownNow[f.typ], Entity: entityTypeOf(f.typ)}
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
		// The codec renders every zero time as null; the tag says which can be.
		m.Null = m.Value != nil && (strings.HasSuffix(tag, ",null") || m.Value.Kind() == reflect.Pointer)
		r.Members = append(r.Members, m)
	}
	return r
}

// fieldOf finds the field with a name in the tags of a key, and the whole tag.
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
