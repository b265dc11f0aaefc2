package jsonapi

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Optional is a value that may be absent, null, or given: an update must tell
// the three apart.
type Optional[T any] struct {
	// Value is the zero value unless the member is given (for Strings and the
	// other lists an empty list when it is null).
	Value T
	// Set: the member is present, be it null.
	Set bool
	// Null: the member is present and null.
	Null bool
}

// Given reports whether there is a value: present and not null.
func (o Optional[T]) Given() bool { return o.Set && !o.Null }

// Or returns the value when it is given, else def.
func (o Optional[T]) Or(def T) T {
	if o.Given() {
		return o.Value
	}
	return def
}

// Ptr returns the value's address when it is given, else nil.
func (o Optional[T]) Ptr() *T {
	if o.Given() {
		return &o.Value
	}
	return nil
}

// The codes of the field errors that this package finds by itself.
const (
	CodeInvalidType = "invalid_type" // the JSON type is not the one the member has
	CodeOutOfRange  = "out_of_range" // an integer beyond 64 bits
	CodeTooLong     = "too_long"     // an array or object beyond Limits.Elements
	CodeBlank       = "blank"        // data.type is missing
	CodeInvalid     = "invalid"      // a type or a time that is not allowed
)

// FieldError is a value of a well-formed document that is not allowed. A server
// answers 422.
type FieldError struct {
	// Pointer is the JSON Pointer of the value.
	Pointer string
	// Code is a stable word for programs.
	Code string
	// Detail is a sentence for people.
	Detail string
}

// Error returns the detail, led by the pointer.
func (e *FieldError) Error() string { return e.Pointer + ": " + e.Detail }

// FieldErrors is every fault found in one document, in the order they were
// found. It is never empty when it is an error.
type FieldErrors []*FieldError

// Error joins the texts of all faults.
func (e FieldErrors) Error() string {
	texts := make([]string, len(e))
	for i, err := range e {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap gives errors.Is and errors.As the single faults.
func (e FieldErrors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

// maxFaults bounds an error answer: a list of a thousand numbers where strings
// belong need not be answered with a thousand errors.
const maxFaults = 100

// Decoder reads the members of a resource or of a plain object into Go values
// and collects all that is wrong with them; Err returns it. A member that is at
// fault comes back Set, with the zero value. Names that are never asked for are
// ignored, so what a client may write is what a handler reads.
type Decoder struct {
	prefix   string
	members  map[string]json.RawMessage
	resource *Resource
	faults   *FieldErrors // shared with the decoders of nested objects
}

// Fields returns a Decoder of the attributes and relationships of r.
func Fields(r Resource) *Decoder {
	return &Decoder{prefix: "/data/attributes", members: r.Attributes, resource: &r, faults: new(FieldErrors)}
}

// ObjectFields returns a Decoder of the members of a plain object.
func ObjectFields(members map[string]json.RawMessage) *Decoder {
	return &Decoder{members: members, faults: new(FieldErrors)}
}

// Err returns all faults so far as FieldErrors, or nil.
func (d *Decoder) Err() error {
	if len(*d.faults) == 0 {
		return nil
	}
	return *d.faults
}

// Fail records a fault that the caller found in the member of that name.
func (d *Decoder) Fail(name, code, detail string) {
	d.fail(d.prefix+shortStep(name), code, detail)
}

func (d *Decoder) fail(pointer, code, detail string) {
	if len(*d.faults) < maxFaults {
		*d.faults = append(*d.faults, &FieldError{Pointer: pointer, Code: code, Detail: detail})
	}
}

// Has reports whether the member is present, be it null.
func (d *Decoder) Has(name string) bool {
	_, ok := d.members[name]
	return ok
}

// Type demands that data.type is present and one of types.
func (d *Decoder) Type(types ...string) {
	if d.resource.kind() == "" {
		d.fail("/data/type", CodeBlank, "type is required and must be "+alternatives(types)+".")
		return
	}
	d.TypeIfSet(types...)
}

// TypeIfSet demands that data.type, if present, is one of types.
func (d *Decoder) TypeIfSet(types ...string) {
	kind := d.resource.kind()
	if kind == "" {
		return
	}
	for _, t := range types {
		if t == kind {
			return
		}
	}
	d.fail("/data/type", CodeInvalid, "type must be "+alternatives(types)+".")
}

func (r *Resource) kind() string {
	if r == nil {
		return ""
	}
	return r.Type
}

// alternatives writes names as "a", "a or b", "a, b or c".
func alternatives(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// String reads a string.
func (d *Decoder) String(name string) Optional[string] {
	return scalar(d, name, "a string", func(value []byte) (string, bool) {
		if value[0] != '"' {
			return "", false
		}
		return stringOf(value), true
	})
}

// Bool reads true or false.
func (d *Decoder) Bool(name string) Optional[bool] {
	return scalar(d, name, "true or false", func(value []byte) (bool, bool) {
		return value[0] == 't', value[0] == 't' || value[0] == 'f'
	})
}

// Int reads a whole number, written without fraction or exponent.
func (d *Decoder) Int(name string) Optional[int64] {
	o := d.Raw(name)
	out := Optional[int64]{Set: o.Set, Null: o.Null}
	if !o.Given() {
		return out
	}
	n, err := strconv.ParseInt(string(o.Value), 10, 64)
	switch {
	case err == nil:
		out.Value = n
	case isWhole(o.Value):
		d.Fail(name, CodeOutOfRange, name+" is too large.")
	default:
		d.Fail(name, CodeInvalidType, name+" must be a whole number.")
	}
	return out
}

func isWhole(value []byte) bool {
	for i, c := range value {
		if !isDigit(c) && !(i == 0 && c == '-') {
			return false
		}
	}
	return true
}

// Float reads a number.
func (d *Decoder) Float(name string) Optional[float64] {
	return scalar(d, name, "a number", func(value []byte) (float64, bool) {
		f, err := strconv.ParseFloat(string(value), 64)
		return f, err == nil
	})
}

// Time reads an RFC 3339 time and returns it in UTC.
func (d *Decoder) Time(name string) Optional[time.Time] {
	s := d.String(name)
	out := Optional[time.Time]{Set: s.Set, Null: s.Null}
	if !s.Given() || d.members[name][0] != '"' { // the latter is a fault already
		return out
	}
	t, ok := parseTime(s.Value)
	if !ok {
		d.Fail(name, CodeInvalid, name+" must be an RFC 3339 time such as 2026-01-02T03:04:05Z.")
	}
	out.Value = t
	return out
}

// Strings reads an array of strings. null is the empty list: Value is then
// empty, not nil, and Null tells.
func (d *Decoder) Strings(name string) Optional[[]string] {
	return list(d, name, "an array of strings", "a string", func(_ string, value []byte) (string, bool) {
		if value[0] != '"' {
			return "", false
		}
		return stringOf(value), true
	})
}

// Object reads a nested object; its faults join this decoder's. Value is never
// nil: unless the object is given, it is a decoder of no members.
func (d *Decoder) Object(name string) Optional[*Decoder] {
	out := scalar(d, name, "an object", func(value []byte) (*Decoder, bool) {
		if value[0] != '{' {
			return nil, false
		}
		return d.nested(d.prefix+shortStep(name), value), true
	})
	if out.Value == nil {
		out.Value = &Decoder{prefix: d.prefix + shortStep(name), faults: d.faults}
	}
	return out
}

// Objects reads an array of objects; null is the empty list.
func (d *Decoder) Objects(name string) Optional[[]*Decoder] {
	return list(d, name, "an array of objects", "an object", func(pointer string, value []byte) (*Decoder, bool) {
		if value[0] != '{' {
			return nil, false
		}
		return d.nested(pointer, value), true
	})
}

func (d *Decoder) nested(pointer string, value []byte) *Decoder {
	return &Decoder{prefix: pointer, members: membersOf(value), faults: d.faults}
}

// Raw reads any JSON value as it stands, for a caller that knows its shape. The
// value has passed Check; it is bytes of the body.
func (d *Decoder) Raw(name string) Optional[json.RawMessage] {
	value, ok := d.members[name]
	if !ok {
		return Optional[json.RawMessage]{}
	}
	if value[0] == 'n' {
		return Optional[json.RawMessage]{Set: true, Null: true}
	}
	return Optional[json.RawMessage]{Value: value, Set: true}
}

// ToOne reads a to-one relationship of the resource, of one of the given types
// (any, when none is given).
func (d *Decoder) ToOne(name string, types ...string) Optional[Identifier] {
	l, ok := d.linkage(name)
	if !ok {
		return Optional[Identifier]{}
	}
	pointer := "/data/relationships" + shortStep(name) + "/data"
	switch {
	case l.Many:
		d.fail(pointer, CodeInvalidType, name+" is one resource, not a list.")
		return Optional[Identifier]{Set: true}
	case l.One == nil:
		return Optional[Identifier]{Set: true, Null: true}
	case !d.typed(pointer, *l.One, types):
		return Optional[Identifier]{Set: true}
	}
	return Optional[Identifier]{Value: *l.One, Set: true}
}

// ToMany reads a to-many relationship of the resource, of the given types (any,
// when none is given).
func (d *Decoder) ToMany(name string, types ...string) Optional[[]Identifier] {
	l, ok := d.linkage(name)
	if !ok {
		return Optional[[]Identifier]{}
	}
	pointer := "/data/relationships" + shortStep(name) + "/data"
	if !l.Many {
		d.fail(pointer, CodeInvalidType, name+" is a list of resources.")
		return Optional[[]Identifier]{Set: true}
	}
	good := true
	for i, id := range l.List {
		good = d.typed(pointer+"/"+strconv.Itoa(i), id, types) && good
	}
	if !good {
		return Optional[[]Identifier]{Set: true}
	}
	return Optional[[]Identifier]{Value: l.List, Set: true}
}

func (d *Decoder) linkage(name string) (Linkage, bool) {
	if d.resource == nil {
		return Linkage{}, false
	}
	l, ok := d.resource.Relationships[name]
	return l, ok
}

func (d *Decoder) typed(pointer string, id Identifier, types []string) bool {
	for _, t := range types {
		if t == id.Type {
			return true
		}
	}
	if len(types) > 0 {
		d.fail(pointer+"/type", CodeInvalid, "type must be "+alternatives(types)+".")
	}
	return len(types) == 0
}

// scalar reads a member that is one value; read reports whether it has the
// right JSON type.
func scalar[T any](d *Decoder, name, what string, read func(value []byte) (T, bool)) Optional[T] {
	o := d.Raw(name)
	out := Optional[T]{Set: o.Set, Null: o.Null}
	if !o.Given() {
		return out
	}
	v, ok := read(o.Value)
	if !ok {
		d.Fail(name, CodeInvalidType, name+" must be "+what+".")
		return out
	}
	out.Value = v
	return out
}

func list[T any](d *Decoder, name, what, each string, read func(pointer string, value []byte) (T, bool)) Optional[[]T] {
	o := d.Raw(name)
	out := Optional[[]T]{Set: o.Set, Null: o.Null}
	switch {
	case !o.Set:
		return out
	case o.Null:
		out.Value = []T{}
		return out
	case o.Value[0] != '[':
		d.Fail(name, CodeInvalidType, name+" must be "+what+".")
		return out
	}
	values, good := []T{}, true
	base := d.prefix + shortStep(name)
	_ = eachElement(o.Value, func(i int, value []byte) error {
		pointer := base + "/" + strconv.Itoa(i)
		v, ok := read(pointer, value)
		if !ok {
			good = false
			d.fail(pointer, CodeInvalidType, fmt.Sprintf("%s must be %s; element %d is not %s.", name, what, i, each))
		}
		values = append(values, v)
		return nil
	})
	if good {
		out.Value = values
	}
	return out
}

// parseTime reads an RFC 3339 time strictly: package time would let pass a
// one-digit hour, a comma before the fraction and a zone of 24 hours.
func parseTime(s string) (time.Time, bool) {
	if len(s) < len("2006-01-02T15:04:05Z") || s[13] != ':' || strings.IndexByte(s, ',') >= 0 {
		return time.Time{}, false
	}
	if n := len(s); s[n-1] != 'Z' && (s[n-5:n-3] > "23" || s[n-2:] > "59") {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, s)
	t = t.UTC() // which may leave the four-digit years
	// The zero time is no time: everywhere else it means null.
	if err != nil || t.Year() < 1 || t.Year() > 9999 || t.IsZero() {
		return time.Time{}, false
	}
	return t, true
}
