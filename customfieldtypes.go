package tracking

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// DataType says what the values of a custom field are (see
// docs/customfields.md#data-types). It never changes after the definition was made.
type DataType string

// The data types, with the JSON that a value has.
const (
	ShortTextField DataType = "short_text" // a string of one line
	NumberField    DataType = "number"     // an exact decimal: a JSON number, or a string that holds one
	DateField      DataType = "date"       // a calendar day, "2026-03-01"
	DatetimeField  DataType = "datetime"   // an instant, "2026-03-01T08:00:00Z"
	BooleanField   DataType = "boolean"    // true or false
	EnumField      DataType = "enum"       // the value of one option
	EnumMultiField DataType = "enum_multi" // a list of values of options
	ReferenceField DataType = "reference"  // {"type", "id"} of a record of the account
)

// DataTypes returns all data types, in the order of the published interface.
func DataTypes() []DataType {
	types := make([]DataType, len(fieldTypes))
	for i, t := range fieldTypes {
		types[i] = t.name
	}
	return types
}

// fieldTypes is the table of data types: how the rules of a definition are read,
// and what the values support.
var fieldTypes = []fieldTraits{
	{name: ShortTextField, article: "a", make: newTextField, sortable: true},
	{name: NumberField, article: "a", make: newNumberField, ordered: true, sortable: true},
	{name: DateField, article: "a", make: newDateField, ordered: true, sortable: true},
	{name: DatetimeField, article: "a", make: newDatetimeField, ordered: true, sortable: true},
	{name: BooleanField, article: "a", make: newBooleanField, sortable: true, counted: true},
	{name: EnumField, article: "an", make: newEnumField, sortable: true, counted: true},
	{name: EnumMultiField, article: "an", make: newEnumMultiField, counted: true},
	{name: ReferenceField, article: "a", make: newReferenceField},
}

type fieldTraits struct {
	name    DataType
	article string
	// make reads the rules of a definition. It adds errors to those of the reader;
	// its result is used only if there are none.
	make func(r *fieldRuleReader) fieldType
	// ordered values can be filtered by ranges; sortable ones are single values
	// that lists can be sorted by.
	ordered, sortable bool
	// counted values have few different values, so stores keep their totals.
	counted bool
}

func traitsOf(t DataType) (fieldTraits, bool) {
	for _, traits := range fieldTypes {
		if traits.name == t {
			return traits, true
		}
	}
	return fieldTraits{}, false
}

// fieldSpec is the part of a definition about its values.
type fieldSpec struct {
	DataType DataType
	// ReferenceType is the resource type that a reference points to.
	ReferenceType string
	// Validation is a JSON object, or nothing.
	Validation json.RawMessage
	// DefaultFormat is how values are displayed; empty for the default.
	DefaultFormat string
	// Options of enum and enum_multi, in their order.
	Options []fieldOption
}

// fieldOption is an option of enum and enum_multi.
type fieldOption struct{ Value, Label string }

// fieldRules are the compiled rules of one definition. They are immutable and may
// be shared.
type fieldRules struct {
	fieldTraits
	typ      fieldType
	required bool
	// validation is that of the definition, with limits in the stored form of
	// values, so that they do not depend on the format.
	validation json.RawMessage
}

// fieldValue is a valid value.
type fieldValue struct {
	// JSON is the canonical form, which is stored and shown: equal values have
	// equal bytes. "null" is no value.
	JSON json.RawMessage
	// Display is the formatted value; empty for no value.
	Display string
	// Keys are the index keys: texts whose byte order is that of the values. One
	// for most types, one for each item of an enum_multi, none for no value and for
	// an empty list.
	Keys []string
}

// fieldLookup finds the record of a reference in the account, and its label.
type fieldLookup func(typ string, id ID) (label string, ok bool, err error)

// newFieldRules compiles the rules of a definition. Errors: Invalid on data_type
// (inclusion), reference_type (blank, inclusion, not_allowed), default_format
// (invalid, too_long), validation and its members (validation.pattern, ...),
// several at once as Errors.
func newFieldRules(s fieldSpec) (*fieldRules, error) {
	traits, ok := traitsOf(s.DataType)
	if !ok {
		return nil, invalid("data_type", "inclusion", "'%s' is no data type; there are %s", s.DataType, joinTypes(DataTypes()))
	}
	r := readFieldRules(s)
	rules := &fieldRules{fieldTraits: traits, required: r.flag("required")}
	rules.typ = traits.make(r)
	if s.DataType != ReferenceField && s.ReferenceType != "" {
		r.fail("reference_type", "not_allowed", "Only a definition of data type reference has a reference_type")
	}
	r.leftOver()
	if err := r.faults.or(); err != nil {
		return nil, err
	}
	rules.validation = r.validation()
	return rules, nil
}

// value validates the JSON of a request. null is no value, and refused if one is
// required. Errors: Invalid on value (required, invalid_type, invalid, too_long,
// too_short, pattern, out_of_range, scale, unknown_zone, inclusion, too_many,
// not_found), and those of look.
func (r *fieldRules) value(raw json.RawMessage, look fieldLookup) (fieldValue, error) {
	if fault := checkFieldJSON(raw); fault != nil {
		return fieldValue{}, fault
	}
	if isNull(raw) {
		if r.required {
			return fieldValue{}, badValue("required", "A value is required")
		}
		return fieldValue{JSON: json.RawMessage("null")}, nil
	}
	return r.typ.take(raw, r.required, look)
}

// defaultValue is value for the default_value of the definition, which is never
// required. Options may be created after it: while there are none, any option is
// accepted, and value validates it again when it is applied.
func (r *fieldRules) defaultValue(raw json.RawMessage, look fieldLookup) (json.RawMessage, error) {
	lax := *r
	lax.required = false
	if t, ok := r.typ.(interface{ beforeOptions() fieldType }); ok {
		lax.typ = t.beforeOptions()
	}
	v, err := lax.value(raw, look)
	var fault *Error
	if errors.As(err, &fault) {
		again := *fault
		again.Field = "default_value"
		return nil, &again
	}
	return v.JSON, err
}

// stored returns display and keys of a stored value. It does not validate, because
// the rules may have changed.
func (r *fieldRules) stored(canonical json.RawMessage, look fieldLookup) (fieldValue, error) {
	if len(canonical) == 0 || isNull(canonical) {
		return fieldValue{JSON: json.RawMessage("null")}, nil
	}
	return r.typ.again(canonical, look)
}

// key returns the key of a value as filters spell it, without quotes. Errors:
// Invalid, with an empty Field.
func (r *fieldRules) key(text string) (string, error) {
	key, fault := r.typ.key(text)
	if fault != nil {
		again := *fault
		again.Field = ""
		return "", &again
	}
	return key, nil
}

// fieldType is a data type with the rules of a definition. Its JSON arguments are
// well-formed and not null.
type fieldType interface {
	take(raw json.RawMessage, required bool, look fieldLookup) (fieldValue, error)
	again(canonical json.RawMessage, look fieldLookup) (fieldValue, error)
	key(text string) (string, *Error)
}

// valueType implements a data type with values of the Go type T.
type valueType[T any] interface {
	// parse reads and normalizes JSON.
	parse(raw json.RawMessage) (T, *Error)
	// empty values do not satisfy required.
	empty(T) bool
	// check validates a value. It returns an Error or an error of the store.
	check(v T, look fieldLookup) error
	// store returns the canonical JSON, which parse reads as the same value.
	store(T) json.RawMessage
	keys(T) []string
	show(v T, look fieldLookup) (string, error)
	// parseText reads a value as filters spell it.
	parseText(text string) (T, *Error)
}

// typed implements fieldType with a valueType.
type typed[T any] struct{ valueType[T] }

func (t typed[T]) take(raw json.RawMessage, required bool, look fieldLookup) (fieldValue, error) {
	v, fault := t.parse(raw)
	switch {
	case fault != nil:
		return fieldValue{}, fault
	case required && t.empty(v):
		return fieldValue{}, badValue("required", "A value is required, and this one is empty")
	}
	if err := t.check(v, look); err != nil {
		return fieldValue{}, err
	}
	return t.complete(v, look)
}

func (t typed[T]) again(canonical json.RawMessage, look fieldLookup) (fieldValue, error) {
	v, fault := t.parse(canonical)
	if fault != nil {
		return fieldValue{}, fmt.Errorf("tracking: a stored custom field cannot be read: %w", fault)
	}
	return t.complete(v, look)
}

func (t typed[T]) complete(v T, look fieldLookup) (fieldValue, error) {
	display, err := t.show(v, look)
	return fieldValue{JSON: t.store(v), Display: display, Keys: t.keys(v)}, err
}

func (t typed[T]) key(text string) (string, *Error) {
	v, fault := t.parseText(text)
	if fault != nil {
		return "", fault
	}
	return t.keys(v)[0], nil
}

func (t typed[T]) beforeOptions() fieldType {
	if o, ok := t.valueType.(interface{ beforeOptions() fieldType }); ok {
		return o.beforeOptions()
	}
	return t
}

func badValue(code, format string, args ...any) *Error {
	return invalid("value", code, format, args...)
}

// maxFieldJSON bounds the JSON of one value, in bytes.
const maxFieldJSON = 64 << 10

// checkFieldJSON refuses invalid JSON, including what encoding/json replaces:
// invalid UTF-8 and unpaired surrogates.
func checkFieldJSON(raw json.RawMessage) *Error {
	switch {
	case len(raw) > maxFieldJSON:
		return badValue("too_long", "Value is longer than %d bytes", maxFieldJSON)
	case !utf8.Valid(raw):
		return badValue("invalid", "Value holds text that is not UTF-8")
	case !json.Valid(raw):
		return badValue("invalid", "Value is not JSON")
	}
	return nil
}

// FieldJSON converts a Go value to the JSON of a custom field: a string, a number,
// a bool, a list of strings, a time.Time, nil. Errors: Invalid on value if JSON
// cannot represent it, such as NaN.
func FieldJSON(v any) (json.RawMessage, error) {
	if text, ok := v.(string); ok && !utf8.ValidString(text) {
		return nil, badValue("invalid", "Value holds text that is not UTF-8")
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, badValue("invalid_type", "Value cannot be a %T of this kind: JSON has no form for it", v)
	}
	return raw, nil
}

func isNull(raw json.RawMessage) bool { return bytes.Equal(bytes.TrimSpace(raw), []byte("null")) }

// jsonSort names the JSON type, for an error.
func jsonSort(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// fieldText reads a JSON string.
func fieldText(raw json.RawMessage, want string) (string, *Error) {
	if sort := jsonSort(raw); sort != "a string" {
		return "", badValue("invalid_type", "Value must be %s, not %s", want, sort)
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", badValue("invalid", "Value is not JSON")
	}
	if strings.ContainsRune(s, utf8.RuneError) && !strings.ContainsRune(string(raw), utf8.RuneError) && !strings.Contains(strings.ToLower(string(raw)), `\ufffd`) {
		return "", badValue("invalid", "Value holds half of a surrogate pair, which is no character")
	}
	return s, nil
}

func joinTypes[S ~string](list []S) string {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = string(s)
	}
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:len(texts)-1], ", ") + " and " + texts[len(texts)-1]
}

func marshalText(s string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always can
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
