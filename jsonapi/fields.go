package jsonapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Optional is a value that is absent, null or given. An update must distinguish the
// three.
type Optional[T any] struct {
	// Value is the zero value unless the member is given. For a list that is null, it
	// is an empty list.
	Value T
	// Set: the member is present, possibly null.
	Set bool
	// Null: the member is present and null.
	Null bool
}

// Given reports whether the member is present and not null.
func (o Optional[T]) Given() bool { return o.Set && !o.Null }

// Or returns the value if it is given, else def.
func (o Optional[T]) Or(def T) T {
	if o.Given() {
		return o.Value
	}
	return def
}

// Ptr returns a pointer to the value if it is given, else nil.
func (o Optional[T]) Ptr() *T {
	if o.Given() {
		return &o.Value
	}
	return nil
}

// The codes of field errors that this package reports.
const (
	CodeInvalidType = "invalid_type" // the JSON type is wrong
	CodeOutOfRange  = "out_of_range" // an integer beyond 64 bits
	CodeTooLong     = "too_long"     // an array or object beyond Limits.Elements
	CodeBlank       = "blank"        // data.type is missing
	CodeInvalid     = "invalid"      // an invalid type or time
)

// FieldError is an invalid value in a well-formed document. A server responds 422.
type FieldError struct {
	// Pointer is the JSON Pointer of the value.
	Pointer string
	// Code is a stable code for programs.
	Code string
	// Detail is a sentence for people.
	Detail string
}

// Error returns the pointer and the detail.
func (e *FieldError) Error() string { return e.Pointer + ": " + e.Detail }

// FieldErrors has all errors of one document, in the order of detection. It is never
// empty.
type FieldErrors []*FieldError

// Error joins the texts of all errors.
func (e FieldErrors) Error() string {
	texts := make([]string, len(e))
	for i, err := range e {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns the errors for errors.Is and errors.As.
func (e FieldErrors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

// maxFieldErrors bounds an error response: a list of a thousand wrong elements must
// not give a thousand errors.
const maxFieldErrors = 100

// Decoder reads the members of a resource or of a plain object into Go values. Err
// returns all errors. An invalid member is returned as Set, with the zero value.
// Members that are never read are ignored, so clients can write only what a handler
// reads; Ignored lists them.
type Decoder struct {
	prefix   string
	members  map[string]json.RawMessage
	resource *Resource
	errs     *FieldErrors // shared with the decoders of nested objects
	read     *readMembers // nil in nested objects
}

// readMembers are the names of the members that were read.
type readMembers struct{ attributes, relationships []string }

// Fields returns a Decoder of the attributes and relationships of r.
func Fields(r Resource) *Decoder {
	return &Decoder{prefix: "/data/attributes", members: r.Attributes, resource: &r, errs: new(FieldErrors), read: new(readMembers)}
}

// ObjectFields returns a Decoder of the members of a plain object.
func ObjectFields(members map[string]json.RawMessage) *Decoder {
	return &Decoder{members: members, errs: new(FieldErrors), read: new(readMembers)}
}

// Ignored returns the JSON Pointers of attributes and relationships, or of members of a
// plain object, that no method has read so far: the first most in alphabetical order. Has
// does not read. Members within values do not count.
func (d *Decoder) Ignored(most int) []string {
	if d.read == nil {
		return nil
	}
	var pointers []string
	for name := range d.members {
		if !slices.Contains(d.read.attributes, name) {
			pointers = append(pointers, d.prefix+pointerStepOf(name))
		}
	}
	if d.resource != nil {
		for name := range d.resource.Relationships {
			if !slices.Contains(d.read.relationships, name) {
				pointers = append(pointers, "/data/relationships"+pointerStepOf(name))
			}
		}
	}
	slices.Sort(pointers)
	pointers = slices.Compact(pointers) // names that are too long to repeat have the same
	return pointers[:min(len(pointers), most)]
}

// Err returns all errors so far as FieldErrors, or nil.
func (d *Decoder) Err() error {
	if len(*d.errs) == 0 {
		return nil
	}
	return *d.errs
}

// Fail records an error that the caller has found in a member.
func (d *Decoder) Fail(name, code, detail string) {
	d.fail(d.prefix+pointerStepOf(name), code, detail)
}

func (d *Decoder) fail(pointer, code, detail string) {
	if len(*d.errs) < maxFieldErrors {
		*d.errs = append(*d.errs, &FieldError{Pointer: pointer, Code: code, Detail: detail})
	}
}

// Has reports whether the member is present, possibly null.
func (d *Decoder) Has(name string) bool {
	_, ok := d.members[name]
	return ok
}

// Type requires that data.type is present and one of types.
func (d *Decoder) Type(types ...string) {
	if d.resource.typeName() == "" {
		d.fail("/data/type", CodeBlank, "type is required and must be "+alternatives(types)+".")
		return
	}
	d.TypeIfSet(types...)
}

// TypeIfSet requires that data.type, if present, is one of types.
func (d *Decoder) TypeIfSet(types ...string) {
	kind := d.resource.typeName()
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

func (r *Resource) typeName() string {
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

// Int reads an integer without fraction or exponent.
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
	case isInteger(o.Value):
		d.Fail(name, CodeOutOfRange, name+" is too large.")
	default:
		d.Fail(name, CodeInvalidType, name+" must be a whole number.")
	}
	return out
}

func isInteger(value []byte) bool {
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
	if !s.Given() || d.members[name][0] != '"' { // the latter is an error already
		return out
	}
	t, ok := parseTime(s.Value)
	if !ok {
		d.Fail(name, CodeInvalid, name+" must be an RFC 3339 time such as 2026-01-02T03:04:05Z.")
	}
	out.Value = t
	return out
}

// Strings reads an array of strings. For null, Value is empty, not nil, and Null is
// set.
func (d *Decoder) Strings(name string) Optional[[]string] {
	return list(d, name, "an array of strings", "a string", func(_ string, value []byte) (string, bool) {
		if value[0] != '"' {
			return "", false
		}
		return stringOf(value), true
	})
}

// Object reads a nested object, which shares the errors of this decoder. Value is
// never nil: if the object is not given, it has no members.
func (d *Decoder) Object(name string) Optional[*Decoder] {
	out := scalar(d, name, "an object", func(value []byte) (*Decoder, bool) {
		if value[0] != '{' {
			return nil, false
		}
		return d.nested(d.prefix+pointerStepOf(name), value), true
	})
	if out.Value == nil {
		out.Value = &Decoder{prefix: d.prefix + pointerStepOf(name), errs: d.errs}
	}
	return out
}

// Objects reads an array of objects. For null, Value is empty.
func (d *Decoder) Objects(name string) Optional[[]*Decoder] {
	return list(d, name, "an array of objects", "an object", func(pointer string, value []byte) (*Decoder, bool) {
		if value[0] != '{' {
			return nil, false
		}
		return d.nested(pointer, value), true
	})
}

func (d *Decoder) nested(pointer string, value []byte) *Decoder {
	return &Decoder{prefix: pointer, members: membersOf(value), errs: d.errs}
}

// Raw returns the JSON of a member. It has passed Check, and its bytes are those of
// the body.
func (d *Decoder) Raw(name string) Optional[json.RawMessage] {
	value, ok := d.members[name]
	if !ok {
		return Optional[json.RawMessage]{}
	}
	if d.read != nil {
		d.read.attributes = append(d.read.attributes, name)
	}
	if value[0] == 'n' {
		return Optional[json.RawMessage]{Set: true, Null: true}
	}
	return Optional[json.RawMessage]{Value: value, Set: true}
}

// ToOne reads a to-one relationship. The related resource must have one of types;
// without types, any is allowed.
func (d *Decoder) ToOne(name string, types ...string) Optional[Identifier] {
	l, ok := d.linkage(name)
	if !ok {
		return Optional[Identifier]{}
	}
	pointer := "/data/relationships" + pointerStepOf(name) + "/data"
	switch {
	case l.Many:
		d.fail(pointer, CodeInvalidType, name+" must be one resource, not a list.")
		return Optional[Identifier]{Set: true}
	case l.One == nil:
		return Optional[Identifier]{Set: true, Null: true}
	case !d.checkType(pointer, *l.One, types):
		return Optional[Identifier]{Set: true}
	}
	return Optional[Identifier]{Value: *l.One, Set: true}
}

// ToMany reads a to-many relationship. The related resources must have one of types;
// without types, any is allowed.
func (d *Decoder) ToMany(name string, types ...string) Optional[[]Identifier] {
	l, ok := d.linkage(name)
	if !ok {
		return Optional[[]Identifier]{}
	}
	pointer := "/data/relationships" + pointerStepOf(name) + "/data"
	if !l.Many {
		d.fail(pointer, CodeInvalidType, name+" must be a list of resources.")
		return Optional[[]Identifier]{Set: true}
	}
	good := true
	for i, id := range l.List {
		good = d.checkType(pointer+"/"+strconv.Itoa(i), id, types) && good
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
	if ok {
		d.read.relationships = append(d.read.relationships, name)
	}
	return l, ok
}

func (d *Decoder) checkType(pointer string, id Identifier, types []string) bool {
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

// scalar reads a single value; read reports whether it has the right JSON type.
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
	base := d.prefix + pointerStepOf(name)
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

// parseTime parses an RFC 3339 time strictly: package time would accept a one-digit
// hour, a comma before the fraction and a zone of 24 hours.
func parseTime(s string) (time.Time, bool) {
	if len(s) < len("2006-01-02T15:04:05Z") || s[13] != ':' || strings.IndexByte(s, ',') >= 0 {
		return time.Time{}, false
	}
	if n := len(s); s[n-1] != 'Z' && (s[n-5:n-3] > "23" || s[n-2:] > "59") {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, s)
	t = t.UTC() // the year may then have more than four digits
	// The zero time is refused because elsewhere it means null.
	if err != nil || t.Year() < 1 || t.Year() > 9999 || t.IsZero() {
		return time.Time{}, false
	}
	return t, true
}
