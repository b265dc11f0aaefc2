package record

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"
)

// The binary form of a record is for those that are written often and shown rarely: it is a
// third to a quarter as long as the document and the private object, and quicker to read and
// write. It begins with binaryMark and two bytes that stand for the type, and has an entry for
// each field whose value is not zero: two bytes that stand for its name, the length of the
// value, and the value. So an entry that T does not know is passed over, and a field without
// one is zero, as in documents.

const (
	// binaryMark is the first byte of the binary form. No JSON begins with it.
	binaryMark = 1
	// headSize is the length of what precedes the entries.
	headSize = 3
)

// keyOf stands for a name in the binary form.
func keyOf(name string) uint16 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return uint16(h.Sum32()>>16) ^ uint16(h.Sum32())
}

// errBinary is the error of bytes that EncodeBinary did not write.
var errBinary = errors.New("the binary form is damaged")

// IsBinary reports whether a stored document is in the binary form.
func IsBinary(doc []byte) bool { return len(doc) > 0 && doc[0] == binaryMark }

// EncodeBinary returns all tagged fields of v but the ID in the binary form. Values with
// equal documents and private objects give equal bytes.
func (c *Codec[T]) EncodeBinary(v *T) []byte {
	rv := reflect.ValueOf(v).Elem()
	scratch := buffers.Get().(*[]byte)
	b := binary.BigEndian.AppendUint16(append((*scratch)[:0], binaryMark), keyOf(c.typ))
	entries := c.entries()
	for i := range entries {
		b = entries[i].append(b, rv)
	}
	doc := bytes.Clone(b)
	if cap(b) <= maxPooled {
		*scratch = b
		buffers.Put(scratch)
	}
	return doc
}

// DecodeBinary sets every tagged field of v from what EncodeBinary returned; the ID becomes
// zero. After an error the content of v is unspecified. The strings of v share one
// allocation, as those of Decode do.
func (c *Codec[T]) DecodeBinary(doc []byte, v *T) error {
	if len(doc) < headSize || !IsBinary(doc) || binary.BigEndian.Uint16(doc[1:]) != keyOf(c.typ) {
		return fmt.Errorf("record: %s: %w", c.typ, errBinary)
	}
	rv := reflect.ValueOf(v).Elem()
	c.id.of(rv).SetZero()
	r := binaryReader{b: doc, i: headSize}
	entries := c.entries()
	if len(doc) <= maxShared {
		r.text = string(doc)
	}
	next := 0 // the entry that is expected: they are in the order of the struct
	for r.i < len(doc) {
		key, ok := r.entry()
		if !ok {
			return fmt.Errorf("record: %s: %w", c.typ, errBinary)
		}
		at, isNext := indexOf(entries, key, next)
		if at < 0 {
			continue
		}
		for ; isNext && next < at; next++ {
			entries[next].column.of(rv).SetZero()
		}
		if isNext {
			next++
		}
		e := &entries[at]
		if err := e.dec(&r, e.column.of(rv)); err != nil {
			return fmt.Errorf("record: %s of %s: %w", e.column.name, c.typ, err)
		}
	}
	for ; next < len(entries); next++ {
		entries[next].column.of(rv).SetZero()
	}
	return nil
}

// indexOf returns the index of an entry, and whether it is `next` or one after it; -1 if it is
// not known.
func indexOf(entries []entry, key uint16, next int) (at int, isNext bool) {
	for i := next; i < len(entries); i++ {
		if entries[i].key == key {
			return i, true
		}
	}
	// Another version of T has another order.
	return slices.IndexFunc(entries[:next], func(e entry) bool { return e.key == key }), false
}

// entry is a field in the binary form.
type entry struct {
	key    uint16
	column *column
	// enc appends a value that is not zero. It returns ok false for one that documents show
	// as null.
	enc func(b []byte, v reflect.Value) (_ []byte, ok bool)
	dec func(r *binaryReader, v reflect.Value) error
}

// append appends the entry of a field, unless its value is zero.
func (e *entry) append(b []byte, rv reflect.Value) []byte {
	v := e.column.of(rv)
	if v.IsZero() {
		return b
	}
	start := len(b)
	value, ok := e.enc(append(binary.BigEndian.AppendUint16(b, e.key), 0), v)
	if !ok {
		return b
	}
	// Most values are shorter than 128 bytes, so that there is room for the length.
	n := len(value) - start - 3
	if n < 0x80 {
		value[start+2] = byte(n)
		return value
	}
	var length [binary.MaxVarintLen64]byte
	size := binary.PutUvarint(length[:], uint64(n))
	return slices.Replace(value, start+2, start+3, length[:size]...)
}

// binaryReader reads entries.
type binaryReader struct {
	b    []byte
	text string // b once more, for strings; empty where each is allocated alone
	i    int    // of the next entry
	from int    // the value is b[from:i]
}

// entry reads the next entry up to its value.
func (r *binaryReader) entry() (key uint16, ok bool) {
	if len(r.b)-r.i < 3 {
		return 0, false
	}
	key = binary.BigEndian.Uint16(r.b[r.i:])
	n, size := binary.Uvarint(r.b[r.i+2:])
	r.from = r.i + 2 + size
	if size <= 0 || n > uint64(len(r.b)-r.from) {
		return 0, false
	}
	r.i = r.from + int(n)
	return key, true
}

func (r *binaryReader) value() []byte { return r.b[r.from:r.i] }

func (r *binaryReader) string() string {
	if r.text == "" {
		return string(r.value())
	}
	return r.text[r.from:r.i]
}

// newEntries returns the entries of the columns of a struct. It panics if two names have the
// same key.
func (p *plan) newEntries() []entry {
	var entries []entry
	taken := map[uint16]string{}
	for _, section := range []struct {
		prefix  string
		columns []column
	}{{"", p.rels}, {"", p.attrs}, {"private ", p.privs}} {
		for i := range section.columns {
			c := &section.columns[i]
			name := section.prefix + c.name
			e := newEntry(c)
			e.key = keyOf(name)
			if other, ok := taken[e.key]; ok {
				panic(fmt.Sprintf("record: %s: the binary form has the same key for %s and %s", p.typ, other, name))
			}
			taken[e.key] = name
			entries = append(entries, e)
		}
	}
	return entries
}

// newEntry returns how a column is written in the binary form. What has no shorter form is
// written as in JSON.
func newEntry(c *column) entry {
	e := entry{column: c}
	private := c.kind == Private
	switch t := c.typ; {
	case c.kind == Relationship && isRef(t):
		e.enc, e.dec = encodeRef, decodeRef
	case c.kind != Attribute && t.Kind() == reflect.Slice && isUUID(t.Elem()):
		e.enc, e.dec = encodeIDs, decodeIDs
	case isUUID(t):
		e.enc, e.dec = encodeID, decodeID
	case t == timeType:
		e.enc, e.dec = encodeTime(private), decodeTime
	case private && isPacked(t):
		e.enc, e.dec = encodePacked, decodePacked
	case marshals(t) || t == numberType:
		e.useJSON()
	case t.Kind() == reflect.String:
		e.enc, e.dec = encodeText, decodeText
	case t.Kind() == reflect.Bool:
		e.enc = func(b []byte, _ reflect.Value) ([]byte, bool) { return b, true }
		e.dec = func(_ *binaryReader, v reflect.Value) error { v.SetBool(true); return nil }
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		e.enc = func(b []byte, v reflect.Value) ([]byte, bool) { return binary.AppendVarint(b, v.Int()), true }
		e.dec = decodeInt
	default:
		e.useJSON()
	}
	return e
}

// useJSON writes the value as documents have it.
func (e *entry) useJSON() {
	c, zero := e.column, "null"
	if c.kind != Private { // where an empty list is not shown as none is
		zero = string(c.enc(nil, reflect.New(c.typ).Elem()))
	}
	e.enc = func(b []byte, v reflect.Value) ([]byte, bool) {
		n := len(b)
		b = c.enc(b, v)
		text := string(b[n:])
		return b, text != zero && text != "null"
	}
	e.dec = func(r *binaryReader, v reflect.Value) error {
		s := scanner{b: r.value()}
		if err := s.into(c.dec, v); err != nil {
			return err
		}
		return s.end()
	}
}

func encodeID(b []byte, v reflect.Value) ([]byte, bool) { return append(b, v.Bytes()...), true }

func decodeID(r *binaryReader, v reflect.Value) error {
	if copy(v.Bytes(), r.value()) != 16 || r.i-r.from != 16 {
		return errBinary
	}
	return nil
}

func encodeIDs(b []byte, v reflect.Value) ([]byte, bool) {
	for i := range v.Len() {
		b = append(b, v.Index(i).Bytes()...)
	}
	return b, v.Len() > 0
}

func decodeIDs(r *binaryReader, v reflect.Value) error {
	ids := r.value()
	if len(ids)%16 != 0 {
		return errBinary
	}
	v.Set(reflect.MakeSlice(v.Type(), len(ids)/16, len(ids)/16))
	for i := range v.Len() {
		copy(v.Index(i).Bytes(), ids[16*i:])
	}
	return nil
}

// encodeRef writes the ID, and the type after it.
func encodeRef(b []byte, v reflect.Value) ([]byte, bool) {
	return append(append(b, v.Field(1).Bytes()...), v.Field(0).String()...), !v.Field(1).IsZero()
}

func decodeRef(r *binaryReader, v reflect.Value) error {
	if r.i-r.from < 16 {
		return errBinary
	}
	copy(v.Field(1).Bytes(), r.value())
	r.from += 16
	v.Field(0).SetString(r.string())
	return nil
}

// encodeTime writes seconds and, of private times, nanoseconds.
func encodeTime(precise bool) func([]byte, reflect.Value) ([]byte, bool) {
	return func(b []byte, v reflect.Value) ([]byte, bool) {
		t := v.Addr().Interface().(*time.Time).UTC()
		if y := t.Year(); t.IsZero() || y < 0 || y > 9999 {
			return b, false
		}
		b = binary.AppendVarint(b, t.Unix())
		if n := t.Nanosecond(); precise && n != 0 {
			b = binary.AppendUvarint(b, uint64(n))
		}
		return b, true
	}
}

func decodeTime(r *binaryReader, v reflect.Value) error {
	b := r.value()
	seconds, size := binary.Varint(b)
	if size <= 0 {
		return errBinary
	}
	nanoseconds := uint64(0)
	if b = b[size:]; len(b) > 0 {
		if nanoseconds, size = binary.Uvarint(b); size != len(b) || nanoseconds >= uint64(time.Second) {
			return errBinary
		}
	}
	*v.Addr().Interface().(*time.Time) = time.Unix(seconds, int64(nanoseconds)).UTC()
	return nil
}

func encodePacked(b []byte, v reflect.Value) ([]byte, bool) {
	value, err := v.Addr().Interface().(encoding.BinaryAppender).AppendBinary(b)
	return value, err == nil
}

func decodePacked(r *binaryReader, v reflect.Value) error {
	return v.Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(r.value())
}

// encodeText writes a text; what is no UTF-8 in it becomes U+FFFD, as in documents.
func encodeText(b []byte, v reflect.Value) ([]byte, bool) {
	text := v.String()
	if !utf8.ValidString(text) {
		text = string([]rune(text))
	}
	return append(b, text...), true
}

func decodeText(r *binaryReader, v reflect.Value) error {
	v.SetString(r.string())
	return nil
}

func decodeInt(r *binaryReader, v reflect.Value) error {
	n, size := binary.Varint(r.value())
	if size != r.i-r.from || v.OverflowInt(n) {
		return errBinary
	}
	v.SetInt(n)
	return nil
}
