// Package fieldtype has the data types of custom fields. A Type is a data type with the
// rules of one definition: it checks values, and gives their stored form, their display
// and the keys that lists are filtered and sorted by.
//
// It reads and writes no record. Definitions, options, entities and their transactions
// belong to the engine.
package fieldtype

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// The data types.
const (
	ShortText = "short_text"
	Number    = "number"
	Date      = "date"
	Datetime  = "datetime"
	Boolean   = "boolean"
	Enum      = "enum"
	EnumMulti = "enum_multi"
	Reference = "reference"
)

// types is the table of data types, in the order of the published interface.
var types = []traits{
	{Name: ShortText, make: newTextField, Sortable: true},
	{Name: Number, make: newNumberField, Ordered: true, Sortable: true},
	{Name: Date, make: newDateField, Ordered: true, Sortable: true},
	{Name: Datetime, make: newDatetimeField, Ordered: true, Sortable: true},
	{Name: Boolean, make: newBooleanField, Sortable: true, Counted: true},
	{Name: Enum, make: newEnumField, Sortable: true, Counted: true},
	{Name: EnumMulti, make: newEnumMultiField, Counted: true},
	{Name: Reference, make: newReferenceField},
}

// Names returns the names of all data types.
func Names() []string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.Name
	}
	return names
}

// traits are what all fields of a data type have in common.
type traits struct {
	Name string
	// Ordered values can be filtered by ranges.
	Ordered bool
	// Sortable values are single values that lists can be sorted by.
	Sortable bool
	// Counted values have few different values, so stores keep their totals.
	Counted bool
	// make reads the rules of a definition. It adds errors to those of the reader;
	// its result is used only if there are none.
	make func(r *ruleReader) codec
}

// Definition is the part of a definition about its values.
type Definition struct {
	// Type is the name of the data type.
	Type string
	// ReferenceType is the resource type that a reference points to.
	ReferenceType string
	// Validation is a JSON object, or nothing.
	Validation json.RawMessage
	// DefaultFormat is how values are displayed; empty for the default.
	DefaultFormat string
	// Options of enum and enum_multi, in their order.
	Options []Option
}

// Option is an option of enum and enum_multi.
type Option struct{ Value, Label string }

// Type is a data type with the rules of one definition. It is immutable and may be
// shared.
type Type struct {
	traits
	codec    codec
	required bool
	// Validation is that of the definition, with limits in the stored form of
	// values, so that they do not depend on the format.
	Validation json.RawMessage
}

// String describes a field of the type: "an enum field".
func (t *Type) String() string {
	if t.Name[0] == 'e' {
		return "an " + t.Name + " field"
	}
	return "a " + t.Name + " field"
}

// Lookup finds the record of a reference in the account, and its label.
type Lookup func(resource string, id uuid.UUID) (label string, ok bool, err error)

// New compiles the rules of a definition. Errors, as Errors: data_type (inclusion),
// reference_type (blank, inclusion, not_allowed), default_format (invalid, too_long),
// validation and its members (validation.pattern, ...).
func New(d Definition) (*Type, error) {
	i := slices.IndexFunc(types, func(t traits) bool { return t.Name == d.Type })
	if i < 0 {
		return nil, Errors{newError("data_type", "inclusion", "'%s' is no data type; there are %s", d.Type, JoinNames(Names()))}
	}
	r := readRules(d)
	t := &Type{traits: types[i], required: r.flag("required")}
	t.codec = t.make(r)
	if d.Type != Reference && d.ReferenceType != "" {
		r.fail("reference_type", "not_allowed", "Only a definition of data type reference has a reference_type")
	}
	r.refuseUnknown()
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	t.Validation = r.validation()
	return t, nil
}

// Parse validates the JSON of a request. null is no value, and refused if one is
// required. Errors: an Error on value (required, invalid_type, invalid, too_long,
// too_short, pattern, out_of_range, scale, unknown_zone, inclusion, too_many,
// not_found), and those of look.
func (t *Type) Parse(raw json.RawMessage, look Lookup) (Value, error) {
	if fault := checkJSON(raw); fault != nil {
		return Value{}, fault
	}
	if isNull(raw) {
		if t.required {
			return Value{}, valueError("required", "A value is required")
		}
		return noValue(), nil
	}
	return t.codec.parse(raw, t.required, look)
}

// ParseDefault is Parse for the default value of the definition, which is never
// required; its errors are on default_value. Options may be created after it: while
// there are none, any option is accepted, and Parse validates it when it is applied.
func (t *Type) ParseDefault(raw json.RawMessage, look Lookup) (json.RawMessage, error) {
	lax := *t
	lax.required, lax.codec = false, t.codec.withoutOptions()
	v, err := lax.Parse(raw, look)
	if fault := (*Error)(nil); errors.As(err, &fault) {
		return nil, &Error{Field: "default_value", Code: fault.Code, Detail: fault.Detail}
	}
	return v.JSON, err
}

// Restore returns display and keys of a stored value. It does not validate, because
// the rules may have changed.
func (t *Type) Restore(stored json.RawMessage, look Lookup) (Value, error) {
	if len(stored) == 0 || isNull(stored) {
		return noValue(), nil
	}
	return t.codec.restore(stored, look)
}

// Key returns the key of a value as filters spell it, without quotes.
func (t *Type) Key(text string) (string, error) { return t.codec.key(text) }

// JoinNames lists names as a sentence does: "a, b and c".
func JoinNames(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
