package record

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// An appender renders a field, which is addressable.
type appender func(dst []byte, v reflect.Value) []byte

// A parser reads a value that is not null into a field.
type parser func(s *scanner, v reflect.Value) error

// codec is how one Go type is rendered and read.
type codec struct {
	enc appender
	dec parser
	// null says that the zero value is null.
	null bool
}

var (
	timeType   = reflect.TypeFor[time.Time]()
	rawType    = reflect.TypeFor[json.RawMessage]()
	refType    = reflect.TypeFor[Ref]()
	numberType = reflect.TypeFor[json.Number]()

	marshaler       = reflect.TypeFor[json.Marshaler]()
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

	binaryAppender    = reflect.TypeFor[encoding.BinaryAppender]()
	binaryUnmarshaler = reflect.TypeFor[encoding.BinaryUnmarshaler]()
)

func isUUID(t reflect.Type) bool {
	return t.Kind() == reflect.Array && t.Len() == 16 && t.Elem().Kind() == reflect.Uint8
}

// marshals reports whether t says itself how it looks in JSON.
func marshals(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(marshaler) || p.Implements(unmarshaler) ||
		p.Implements(textMarshaler) || p.Implements(textUnmarshaler)
}

// isPacked reports whether private values of t are kept in t's own binary form:
// it has one, and no form of its own in JSON.
func isPacked(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return !marshals(t) && p.Implements(binaryAppender) && p.Implements(binaryUnmarshaler)
}

// layouts of times.
const (
	shown   = time.RFC3339     // attributes: whole seconds
	precise = time.RFC3339Nano // private: as given
)

// codecOf compiles the codec of t. A type that is not simple goes through
// encoding/json, with an error for one that cannot. keep reads [] as an empty
// slice; without it [] stands for nil too and reads as nil.
func codecOf(t reflect.Type, layout string, keep bool) (codec, error) {
	if c, ok := simple(t, layout); ok {
		return c, nil
	}
	switch {
	case t == rawType:
		return codec{appendRaw, parseRaw, true}, nil
	case marshals(t):
	case t.Kind() == reflect.Pointer:
		if c, ok := simple(t.Elem(), layout); ok {
			return pointerTo(t.Elem(), c), nil
		}
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		if c, ok := simple(t.Elem(), layout); ok {
			return sliceOf(c, keep), nil
		}
	}
	if err := checkJSON(t, nil); err != nil {
		return codec{}, err
	}
	if layout == precise && isPacked(t) {
		return packed(viaJSON(t, keep)), nil
	}
	return viaJSON(t, keep), nil
}

// simple is the codec of a type that is one JSON scalar.
func simple(t reflect.Type, layout string) (codec, bool) {
	switch {
	case t == timeType:
		return timeCodec(layout), true
	case isUUID(t):
		// Whatever its methods, so that a defined type looks like a uuid.UUID.
		return codec{enc: func(b []byte, v reflect.Value) []byte { return appendUUID(b, v.Bytes()) }, dec: parseUUID}, true
	case marshals(t) || t == numberType:
		return codec{}, false
	}
	switch t.Kind() {
	case reflect.String:
		return codec{enc: func(b []byte, v reflect.Value) []byte { return AppendString(b, v.String()) }, dec: parseString}, true
	case reflect.Bool:
		return codec{enc: func(b []byte, v reflect.Value) []byte { return strconv.AppendBool(b, v.Bool()) }, dec: parseBool}, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return codec{enc: func(b []byte, v reflect.Value) []byte { return strconv.AppendInt(b, v.Int(), 10) }, dec: parseInt}, true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return codec{enc: func(b []byte, v reflect.Value) []byte { return strconv.AppendUint(b, v.Uint(), 10) }, dec: parseUint}, true
	case reflect.Float32, reflect.Float64:
		bits := t.Bits()
		return codec{enc: func(b []byte, v reflect.Value) []byte { return appendFloat(b, v.Float(), bits) }, dec: parseFloat}, true
	}
	return codec{}, false
}

// orNull makes the zero value null.
func orNull(c codec) codec {
	enc := c.enc
	return codec{
		enc: func(b []byte, v reflect.Value) []byte {
			if v.IsZero() {
				return append(b, "null"...)
			}
			return enc(b, v)
		},
		dec:  c.dec,
		null: true,
	}
}

func timeCodec(layout string) codec {
	return codec{
		enc: func(b []byte, v reflect.Value) []byte {
			return appendTime(b, *v.Addr().Interface().(*time.Time), layout)
		},
		dec:  parseTime,
		null: true,
	}
}

func parseTime(s *scanner, v reflect.Value) error {
	text, err := s.raw()
	if err != nil {
		return err
	}
	// The fraction is accepted in either layout.
	t, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return s.errorf("%.40q is no time", text)
	}
	*v.Addr().Interface().(*time.Time) = t.UTC()
	return nil
}

func parseUUID(s *scanner, v reflect.Value) error {
	u, err := s.uuid()
	if err != nil {
		return err
	}
	copy(v.Bytes(), u[:])
	return nil
}

func parseString(s *scanner, v reflect.Value) error {
	text, err := s.string()
	if err != nil {
		return err
	}
	v.SetString(text)
	return nil
}

func parseBool(s *scanner, v reflect.Value) error {
	switch {
	case s.has("true"):
		v.SetBool(true)
	case s.has("false"):
		v.SetBool(false)
	default:
		return s.unexpected("true or false")
	}
	return nil
}

func parseInt(s *scanner, v reflect.Value) error {
	text := s.literal()
	n, err := strconv.ParseInt(string(text), 10, v.Type().Bits())
	if err != nil {
		return s.errorf("%.40q is no %s", text, v.Type())
	}
	v.SetInt(n)
	return nil
}

func parseUint(s *scanner, v reflect.Value) error {
	text := s.literal()
	n, err := strconv.ParseUint(string(text), 10, v.Type().Bits())
	if err != nil {
		return s.errorf("%.40q is no %s", text, v.Type())
	}
	v.SetUint(n)
	return nil
}

func parseFloat(s *scanner, v reflect.Value) error {
	text := s.literal()
	// ParseFloat also reads NaN, Inf and hexadecimal, which are not JSON.
	if len(text) > 0 {
		if c := text[len(text)-1]; c < '0' || c > '9' || bytes.ContainsAny(text, "xX") {
			return s.errorf("%.40q is no number", text)
		}
	}
	f, err := strconv.ParseFloat(string(text), v.Type().Bits())
	if err != nil {
		return s.errorf("%.40q is no %s", text, v.Type())
	}
	v.SetFloat(f)
	return nil
}

func pointerTo(elem reflect.Type, c codec) codec {
	return codec{
		enc: func(b []byte, v reflect.Value) []byte {
			if v.IsNil() {
				return append(b, "null"...)
			}
			return c.enc(b, v.Elem())
		},
		dec: func(s *scanner, v reflect.Value) error {
			p := reflect.New(elem)
			if err := c.dec(s, p.Elem()); err != nil {
				return err
			}
			if p.Type() != v.Type() { // a named pointer type
				p = p.Convert(v.Type())
			}
			v.Set(p)
			return nil
		},
		null: true,
	}
}

func sliceOf(c codec, keep bool) codec {
	return codec{
		enc: func(b []byte, v reflect.Value) []byte {
			b = append(b, '[')
			for i := range v.Len() {
				if i > 0 {
					b = append(b, ',')
				}
				b = c.enc(b, v.Index(i))
			}
			return append(b, ']')
		},
		dec: func(s *scanner, v reflect.Value) error {
			if err := s.open('['); err != nil {
				return err
			}
			v.SetZero()
			for n := 0; ; n++ {
				more, err := s.next(n == 0, ']')
				if err != nil {
					return err
				}
				if !more {
					if n == 0 && keep {
						v.Set(reflect.MakeSlice(v.Type(), 0, 0))
					}
					return nil
				}
				extend(v, s, ',')
				if err := s.into(c.dec, v.Index(n)); err != nil {
					return err
				}
			}
		},
	}
}

// extend adds one zero element. The first time, it makes room for one, and for as many
// more as the signs between them that follow before the end.
func extend(v reflect.Value, s *scanner, sign byte) {
	n := v.Len()
	if n == v.Cap() {
		more := 1
		if n == 0 {
			rest := s.b[s.i:]
			if end := bytes.IndexByte(rest, ']'); end >= 0 {
				more += min(bytes.Count(rest[:end], []byte{sign}), 64)
			}
		}
		v.Grow(more)
	}
	v.SetLen(n + 1)
	v.Index(n).SetZero()
}

func appendRaw(b []byte, v reflect.Value) []byte {
	raw := *v.Addr().Interface().(*json.RawMessage)
	if len(raw) == 0 {
		return append(b, "null"...)
	}
	buf := bytes.NewBuffer(b)
	if json.Compact(buf, raw) != nil {
		return append(b, "null"...)
	}
	return buf.Bytes()
}

func parseRaw(s *scanner, v reflect.Value) error {
	raw, err := s.extent()
	if err != nil {
		return err
	}
	if !json.Valid(raw) {
		return s.errorf("no JSON")
	}
	v.SetBytes(bytes.Clone(raw))
	return nil
}

// tail lets a json.Encoder write behind what is rendered already. The encoder
// writes once, after it succeeded.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	return len(p), nil
}

func viaJSON(t reflect.Type, keep bool) codec {
	slice := t.Kind() == reflect.Slice && !marshals(t)
	return codec{
		enc: func(b []byte, v reflect.Value) []byte {
			if slice && v.IsNil() {
				if t.Elem().Kind() == reflect.Uint8 {
					return append(b, `""`...)
				}
				return append(b, "[]"...)
			}
			w := tail{b}
			e := json.NewEncoder(&w)
			e.SetEscapeHTML(false)
			if e.Encode(v.Addr().Interface()) != nil {
				return append(b, "null"...)
			}
			return w.b[:len(w.b)-1] // without the newline
		},
		dec: func(s *scanner, v reflect.Value) error {
			raw, err := s.extent()
			if err != nil {
				return err
			}
			v.SetZero() // json.Unmarshal merges
			if slice && !keep && string(raw) == "[]" {
				return nil
			}
			if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
				return err
			}
			if slice && !keep && v.Len() == 0 {
				v.SetZero()
			}
			return nil
		},
		null: t.Kind() == reflect.Pointer || t.Kind() == reflect.Map || t.Kind() == reflect.Interface,
	}
}

// packed renders a value by its binary form, as base64. It still reads what
// encoding/json wrote, for rows of before the type had such a form.
func packed(older codec) codec {
	return codec{
		enc: func(b []byte, v reflect.Value) []byte {
			scratch := buffers.Get().(*[]byte)
			defer buffers.Put(scratch)
			data, err := v.Addr().Interface().(encoding.BinaryAppender).AppendBinary((*scratch)[:0])
			if err != nil {
				return append(b, "null"...)
			}
			if cap(data) <= maxPooled {
				*scratch = data
			}
			b = append(b, '"')
			b = base64.RawStdEncoding.AppendEncode(b, data)
			return append(b, '"')
		},
		dec: func(s *scanner, v reflect.Value) error {
			if s.peek() != '"' {
				return older.dec(s, v)
			}
			text, err := s.raw()
			if err != nil {
				return err
			}
			scratch := buffers.Get().(*[]byte)
			defer buffers.Put(scratch)
			data, err := base64.RawStdEncoding.AppendDecode((*scratch)[:0], text)
			if err != nil {
				return s.errorf("no base64")
			}
			if cap(data) <= maxPooled {
				*scratch = data
			}
			return v.Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(data)
		},
		null: older.null,
	}
}

// checkJSON says why encoding/json cannot write and read back t.
func checkJSON(t reflect.Type, seen []reflect.Type) error {
	for _, s := range seen {
		if s == t {
			return nil
		}
	}
	seen = append(seen, t)
	if t == timeType || marshals(t) {
		return nil
	}
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer, reflect.Uintptr:
		return fmt.Errorf("%s has no JSON form", t)
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return fmt.Errorf("%s cannot be read back", t)
		}
	case reflect.Map:
		if k := t.Key(); k.Kind() != reflect.String && !marshals(k) && (k.Kind() < reflect.Int || k.Kind() > reflect.Uint64) {
			return fmt.Errorf("%s has no JSON form", t)
		}
		return checkJSON(t.Elem(), seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return checkJSON(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Tag.Get("json") == "-" || !f.IsExported() && !f.Anonymous {
				continue
			}
			if err := checkJSON(f.Type, seen); err != nil {
				return fmt.Errorf("field %s: %w", f.Name, err)
			}
		}
	}
	return nil
}

// isRef reports whether a type has the fields of Ref, under any name.
func isRef(t reflect.Type) bool { return t.ConvertibleTo(refType) }

// toOne renders uuid.UUID (types has one element) or a Ref.
func toOne(t reflect.Type, types []string) codec {
	return codec{
		enc: func(b []byte, v reflect.Value) []byte {
			id, typ := target(v, t, types)
			if id.IsZero() {
				return append(b, `{"data":null}`...)
			}
			b = append(b, `{"data":`...)
			b = appendIdentifier(b, id.Bytes(), typ)
			return append(b, '}')
		},
		dec: func(s *scanner, v reflect.Value) error {
			v.SetZero()
			if s.has(`{"data":null}`) {
				return nil
			}
			n := 0
			return s.linkage(func(typ []byte, id uuid.UUID) error {
				if n++; n > 1 {
					return s.errorf("several identifiers in a to-one relationship")
				}
				return setTarget(s, v, t, types, typ, id)
			})
		},
		null: true,
	}
}

// toMany renders a slice of the same.
func toMany(elem reflect.Type, types []string) codec {
	return codec{
		enc: func(b []byte, v reflect.Value) []byte {
			b = append(b, `{"data":[`...)
			for i := range v.Len() {
				if i > 0 {
					b = append(b, ',')
				}
				id, typ := target(v.Index(i), elem, types)
				b = appendIdentifier(b, id.Bytes(), typ)
			}
			return append(b, `]}`...)
		},
		dec: func(s *scanner, v reflect.Value) error {
			v.SetZero()
			return s.linkage(func(typ []byte, id uuid.UUID) error {
				extend(v, s, '{')
				return setTarget(s, v.Index(v.Len()-1), elem, types, typ, id)
			})
		},
	}
}

func appendIdentifier(b, id []byte, typ string) []byte {
	b = append(b, `{"id":`...)
	b = appendUUID(b, id)
	b = append(b, `,"type":`...)
	b = AppendString(b, typ)
	return append(b, '}')
}

// target splits a relationship value into the ID and its type.
func target(v reflect.Value, t reflect.Type, types []string) (id reflect.Value, typ string) {
	if isRef(t) {
		if typ = v.Field(0).String(); typ == "" && len(types) == 1 {
			typ = types[0]
		}
		return v.Field(1), typ
	}
	return v, types[0]
}

// setTarget stores one identifier. A plain ID has no place for another type, so
// one is an error rather than an ID of the wrong kind.
func setTarget(s *scanner, v reflect.Value, t reflect.Type, types []string, typ []byte, id uuid.UUID) error {
	known := ""
	for _, name := range types {
		if name == string(typ) {
			known = name
			break
		}
	}
	if isRef(t) {
		if known == "" {
			known = string(typ)
		}
		v.Field(0).SetString(known)
		copy(v.Field(1).Bytes(), id[:])
		return nil
	}
	if known == "" {
		return s.errorf("found a %.40q, expected a %s", typ, types[0])
	}
	copy(v.Bytes(), id[:])
	return nil
}
