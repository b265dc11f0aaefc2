// Package record renders Go structs as stored JSON:API resource documents and
// reads them back.
//
// A record is rendered once, when it is written, and shown many times, so what
// is stored is the document itself:
//
//	{"id":"...","type":"shipment","relationships":{...},"attributes":{...}}
//
// It is compact, its members are in the order of the struct, and relationships
// come before attributes, so that following them reads only the short first part.
// What must not be shown goes to a second, private object. Records that are shown rarely can
// have a binary form instead (see Codec.EncodeBinary), without members of other versions.
//
// # Tags
//
//	ID    uuid.UUID       `id:""`                                // also a defined [16]byte type, or a string
//	ETA   time.Time       `attr:"pod_eta_at"`                    // an attribute
//	Name  string          `attr:"customer_name,null"`            // the zero value is null
//	POL   uuid.UUID       `rel:"port_of_lading,port"`            // to-one
//	Boxes []uuid.UUID     `rel:"containers,container"`           // to-many
//	Place record.Ref      `rel:"location,port|metro_area"`       // to-one of several types; []record.Ref for to-many
//	_     struct{}        `rel:"raw_events,raw_event,inverse"`   // not stored; only listed by Fields
//	Sum   []byte          `private:"sum"`                        // the private object
//	_     struct{}        `removed:"former_name"`                // no longer stored
//
// Fields without a tag are ignored; the tags of embedded structs count as the
// outer struct's own.
//
// A revision names the members of structs within values. One that was renamed in Go keeps
// its name there by a further tag, was:"Former".
//
// # Members of other versions
//
// A stored document may have members that T does not know, of a newer program.
// Decode passes over them, and KeepUnknown puts them into the document that replaces
// it. A member that T has lost for good is named by the tag removed, in T or in a
// struct within a value: it is not kept then.
//
// # Values
//
// Strings, booleans, numbers, times, UUIDs (any [16]byte type), pointers to
// these and slices of these are rendered here; in the private object a value
// with AppendBinary and UnmarshalBinary is the base64 of its binary form; every
// other type goes through encoding/json without HTML escaping. In attributes a time is UTC in whole
// seconds, RFC 3339, and null when zero; in the private object it is UTC with
// its fraction. A nil slice is [], or null with the option null. What JSON
// cannot hold (NaN, infinities, years beyond 9999, a value whose marshaler
// fails) is null, because rendering must not fail in the middle of a
// transaction.
package record

import (
	"bytes"
	"fmt"
	"reflect"
	"sync"

	"github.com/google/uuid"
)

// Codec renders values of struct type T as documents and reads them back.
// It is safe for concurrent use.
type Codec[T any] struct {
	typ      string
	revision string
	fields   []Field

	id    column
	rels  section
	attrs section
	privs section

	entries func() []entry // of the binary form

	known, knownPrivate *known
}

// Ref names a record of any type. Another struct with these fields serves as well.
type Ref struct {
	Type string
	ID   uuid.UUID
}

// FieldKind says where in a document a field lives.
type FieldKind int

// The kinds of fields.
const (
	ID FieldKind = iota
	Attribute
	Relationship
	Private
)

// String names the kind as its tag does.
func (k FieldKind) String() string {
	switch k {
	case ID:
		return "id"
	case Attribute:
		return "attr"
	case Relationship:
		return "rel"
	case Private:
		return "private"
	}
	return fmt.Sprintf("FieldKind(%d)", int(k))
}

// Field describes one tagged field.
type Field struct {
	Name    string       // JSON member name
	Kind    FieldKind    // ID, Attribute, Relationship, Private
	Null    bool         // the zero value is rendered as null
	Types   []string     // types a relationship may point to
	Many    bool         // a to-many relationship
	Inverse bool         // not in the document: read through an index
	GoType  reflect.Type // nil for inverse fields
}

// For compiles the tags of T. It panics on a bad tag, which is a mistake in the
// program and shows at its start.
func For[T any](resourceType string) *Codec[T] {
	p := compile(resourceType, reflect.TypeFor[T]())
	known, knownPrivate := p.knownDocument(reflect.TypeFor[T]())
	return &Codec[T]{
		known: known, knownPrivate: knownPrivate,
		typ:      resourceType,
		revision: p.revision(),
		fields:   p.fields,
		id:       p.id,
		rels:     newSection(p.rels),
		attrs:    newSection(p.attrs),
		privs:    newSection(p.privs),
		entries:  sync.OnceValue(p.newEntries),
	}
}

// Type is the resource type of the documents.
func (c *Codec[T]) Type() string { return c.typ }

// Revision is a short hash of everything in T that decides what a document
// looks like. A stored document of another revision has to be decoded and
// rendered again before it is shown.
func (c *Codec[T]) Revision() string { return c.revision }

// Fields lists the tagged fields in the order of the struct. The caller must
// not change them.
func (c *Codec[T]) Fields() []Field { return c.fields }

// Relationship finds a relationship, stored or inverse, by name.
func (c *Codec[T]) Relationship(name string) (Field, bool) {
	for _, f := range c.fields {
		if f.Kind == Relationship && f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// buffers holds scratch space for Encode, so that a document costs one
// allocation of exactly its size.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxPooled keeps one huge document from occupying the pool for ever.
const maxPooled = 64 << 10

// Encode renders v. Equal values give equal bytes. private is nil when T has no
// private fields or all of them are zero.
func (c *Codec[T]) Encode(v *T) (doc, private []byte) {
	rv := reflect.ValueOf(v).Elem()
	scratch := buffers.Get().(*[]byte)
	b := append((*scratch)[:0], `{"id":`...)
	b = c.id.enc(b, c.id.of(rv))
	b = append(b, `,"type":"`...)
	b = append(b, c.typ...)
	b = append(b, `","relationships":{`...)
	b = c.rels.append(b, rv)
	b = append(b, `},"attributes":{`...)
	b = c.attrs.append(b, rv)
	b = append(b, `}}`...)
	doc = bytes.Clone(b)
	if len(c.privs.columns) > 0 {
		b = append(b[:0], '{')
		b = c.privs.appendNonZero(b, rv)
		if len(b) > 1 {
			private = bytes.Clone(append(b, '}'))
		}
	}
	if cap(b) <= maxPooled {
		*scratch = b
		buffers.Put(scratch)
	}
	return doc, private
}

// Decode sets every tagged field of v from a document and its private object,
// which may be empty. A field whose member is missing becomes zero, as in rows
// of an older revision; members that T does not know are ignored. After an
// error the content of v is unspecified.
//
// Decode reads what Encode wrote. It accepts members in any order and white
// space, and returns an error or a value for any input, but it is no validator:
// the inside of an ignored member is not looked at.
//
// The strings of one document share one allocation, which lives as long as any
// of them.
func (c *Codec[T]) Decode(doc, private []byte, v *T) error {
	rv := reflect.ValueOf(v).Elem()
	s := scanner{b: doc}
	if err := c.document(&s, rv); err != nil {
		return fmt.Errorf("record: document of %s: %w", c.typ, err)
	}
	if len(private) == 0 || len(c.privs.columns) == 0 {
		c.privs.zero(rv, 0)
		return nil
	}
	s = scanner{b: private}
	err := s.members(&c.privs, rv)
	if err == nil {
		err = s.end()
	}
	if err != nil {
		return fmt.Errorf("record: private object of %s: %w", c.typ, err)
	}
	return nil
}

func (c *Codec[T]) document(s *scanner, rv reflect.Value) error {
	if err := s.open('{'); err != nil {
		return err
	}
	var id, rels, attrs bool
	for first := true; ; first = false {
		name, more, err := s.member(first)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		switch string(name) {
		case "id":
			id = true
			err = s.value(&c.id, rv)
		case "type":
			typ, err := s.raw()
			if err != nil {
				return err
			}
			if string(typ) != c.typ {
				return s.errorf("type is %.40q", typ)
			}
		case "relationships":
			rels = true
			err = s.members(&c.rels, rv)
		case "attributes":
			attrs = true
			s.share()
			err = s.members(&c.attrs, rv)
		default:
			err = s.skip()
		}
		if err != nil {
			return err
		}
	}
	if !id {
		c.id.of(rv).SetZero()
	}
	if !rels {
		c.rels.zero(rv, 0)
	}
	if !attrs {
		c.attrs.zero(rv, 0)
	}
	return s.end()
}

// column is one compiled field.
type column struct {
	name  string
	key   string // `"name":`
	comma string // `,"name":`
	index []int
	enc   appender
	dec   parser
	typ   reflect.Type
	kind  FieldKind
}

// of finds the field in its struct.
func (c *column) of(rv reflect.Value) reflect.Value {
	for _, i := range c.index {
		rv = rv.Field(i)
	}
	return rv
}

// section is the columns of one JSON object.
type section struct {
	columns []column
	byName  map[string]int
}

func newSection(columns []column) section {
	s := section{columns: columns, byName: make(map[string]int, len(columns))}
	for i := range columns {
		s.byName[columns[i].name] = i
	}
	return s
}

// zero clears the fields from the i-th on.
func (s *section) zero(rv reflect.Value, i int) {
	for ; i < len(s.columns); i++ {
		s.columns[i].of(rv).SetZero()
	}
}

func (s *section) append(b []byte, rv reflect.Value) []byte {
	for i := range s.columns {
		c := &s.columns[i]
		if i == 0 {
			b = append(b, c.key...)
		} else {
			b = append(b, c.comma...)
		}
		b = c.enc(b, c.of(rv))
	}
	return b
}

func (s *section) appendNonZero(b []byte, rv reflect.Value) []byte {
	first := true
	for i := range s.columns {
		c := &s.columns[i]
		v := c.of(rv)
		if v.IsZero() {
			continue
		}
		if first {
			b = append(b, c.key...)
		} else {
			b = append(b, c.comma...)
		}
		first = false
		b = c.enc(b, v)
	}
	return b
}
