// Package table reads and writes the records of a resource as values of a Go
// struct, in a transaction of a store.
//
// A Table is made from a Definition: the struct, whose tags say how it is rendered
// (see internal/record), and the columns and terms by which its records are found.
// A Where is the filter of a list. The package has no resource of its own, checks no
// permission and no value, and opens no transaction.
package table

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/store"
)

// Identity is the ID and the version of a record. The version of a value that was
// never stored is 0.
type Identity struct {
	ID      store.ID `id:""`
	Version int64
}

// Definition has the arguments of New.
type Definition[T any] struct {
	// Name is the resource type, singular and in snake_case.
	Name    string
	Columns []Column[T]
	// Terms returns the many-valued properties of a value. Nil for none.
	Terms func(*T) []store.Term
	// Upgrade sets what a record of an older revision lacks. It must not change a
	// current record. Nil for nothing.
	Upgrade func(*T)
	// Identity returns the identity of a value, to be read and set.
	Identity func(*T) *Identity
	// SetUpdatedAt sets the time of the last change, which is the attribute
	// updated_at. Nil if the resource has none.
	SetUpdatedAt func(*T, time.Time)
	// NotFound converts store.ErrNotFound, perhaps wrapped, and returns other
	// errors as they are.
	NotFound func(error) error
}

// Schema describes a resource without its Go type parameter.
type Schema struct {
	// Kind is the declaration for the stores.
	Kind *store.Kind
	// Struct is the Go type of the values.
	Struct reflect.Type
	// Fields are the tagged fields of the struct, in their order.
	Fields []record.Field
	// Generation numbers the stored forms of the resource: 1, and one more with each
	// change of Digest.
	Generation int

	form     string                                   // digest of the struct and of the rules for its terms
	document func(store.Record) (store.Record, error) // of a record in the binary form
}

// AsDocument returns a stored record with its document and its private object, which records
// in the binary form have not (see Table.InBinaryForm). Others are returned as they are.
func (s *Schema) AsDocument(r store.Record) (store.Record, error) {
	if !record.IsBinary(r.Doc) {
		return r, nil
	}
	return s.document(r)
}

// Digest identifies the stored form: the struct, the columns, and the rules by which
// the terms are made.
func (s *Schema) Digest() string {
	stored := slices.Clone(s.Kind.Columns)
	for i := range stored { // which indexes there are is no form
		stored[i].Unindexed, stored[i].Sparse = false, false
	}
	columns, _ := json.Marshal(stored) // cannot fail for names and numbers
	sum := sha256.Sum256(columns)
	return s.form + "-" + hex.EncodeToString(sum[:4])
}

// RevisionOf returns the revision of a generation for the stores. Revisions of before
// generations were hexadecimal digits, which are less.
func RevisionOf(generation int) string { return fmt.Sprintf("g%06d", generation) }

// GenerationOf returns the generation of a revision; 0 for one of before generations.
func GenerationOf(revision string) int {
	digits, ok := strings.CutPrefix(revision, "g")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return 0
	}
	return n
}

// Relationship finds a relationship, stored or inverse, by name.
func (s *Schema) Relationship(name string) (record.Field, bool) {
	for _, f := range s.Fields {
		if f.Kind == record.Relationship && f.Name == name {
			return f, true
		}
	}
	return record.Field{}, false
}

// Table is the records of one resource.
type Table[T any] struct {
	*Schema
	Codec *record.Codec[T]
	// Terms returns the many-valued properties of a value. Nil for none.
	Terms func(*T) []store.Term

	columns      []Column[T]
	identity     func(*T) *Identity
	setUpdatedAt func(*T, time.Time)
	notFound     func(error) error
}

// New returns the table of a resource. It panics if the tags of T are wrong.
func New[T any](d Definition[T]) *Table[T] {
	t := &Table[T]{
		Codec: record.For[T](d.Name), Terms: d.Terms,
		columns: d.Columns, identity: d.Identity, setUpdatedAt: d.SetUpdatedAt, notFound: d.NotFound,
	}
	t.Schema = &Schema{
		Kind:   &store.Kind{Name: d.Name, Revision: RevisionOf(1)},
		Struct: reflect.TypeFor[T](),
		Fields: t.Codec.Fields(), Generation: 1, form: t.Codec.Revision(),
	}
	for _, c := range d.Columns {
		t.Kind.Columns = append(t.Kind.Columns, store.Column{Name: c.name, Type: c.typ})
	}
	t.Kind.Render = func(r store.Record) (store.Write, error) {
		v, err := t.Decode(r)
		if err != nil {
			return store.Write{}, err
		}
		if d.Upgrade != nil {
			d.Upgrade(v)
		}
		w := t.Write(v)
		if !t.Kind.Binary {
			w.Doc, w.Private = t.Codec.KeepUnknown(r.Doc, r.Private, w.Doc, w.Private)
		}
		return w, nil
	}
	t.document = func(r store.Record) (store.Record, error) {
		v, err := t.Decode(r)
		if err == nil {
			r.Doc, r.Private = t.Codec.Encode(v)
		}
		return r, err
	}
	return t
}

// InBinaryForm declares that records are stored in the binary form of package record. It is
// for those that are written often and shown rarely: see Schema.AsDocument. Stores that hold
// records as documents still are read.
func (t *Table[T]) InBinaryForm() *Table[T] {
	t.Kind.Binary = true
	t.Codec.EncodeBinary(new(T)) // panics at the start of the program if two names have one key
	t.form += "+binary"
	return t
}

// Counted declares columns with few distinct values; see store.Column.
func (t *Table[T]) Counted(columns ...string) *Table[T] {
	t.declare(columns, func(c *store.Column) { c.Counted = true })
	return t
}

// Volatile declares columns that change with nearly every write; see store.Column.
func (t *Table[T]) Volatile(columns ...string) *Table[T] {
	t.declare(columns, func(c *store.Column) { c.Volatile = true })
	return t
}

// Unindexed declares columns that need no index of their own; see store.Column.
func (t *Table[T]) Unindexed(columns ...string) *Table[T] {
	t.declare(columns, func(c *store.Column) { c.Unindexed = true })
	return t
}

// Sparse declares columns that most records have no value of; see store.Column.
func (t *Table[T]) Sparse(columns ...string) *Table[T] {
	t.declare(columns, func(c *store.Column) { c.Sparse = true })
	return t
}

func (t *Table[T]) declare(columns []string, set func(*store.Column)) {
	for i := range t.Kind.Columns {
		if c := &t.Kind.Columns[i]; slices.Contains(columns, c.Name) {
			set(c)
		}
	}
}

// TermsVersion declares the version of the rules by which Terms are made. A new
// version is a new generation.
func (t *Table[T]) TermsVersion(version string) *Table[T] {
	t.form += version
	return t
}

// InGeneration declares the generation of a resource whose stored form has changed.
// Records of earlier generations are shown in the present form, and rewritten by
// background work. Those of later ones, of a newer program, are never replaced.
func (t *Table[T]) InGeneration(n int) *Table[T] {
	t.Generation, t.Kind.Revision = n, RevisionOf(n)
	return t
}

// Decode returns the value of a record.
func (t *Table[T]) Decode(r store.Record) (*T, error) {
	v := new(T)
	var err error
	if record.IsBinary(r.Doc) {
		err = t.Codec.DecodeBinary(r.Doc, v)
	} else {
		err = t.Codec.Decode(r.Doc, r.Private, v)
	}
	if err != nil && r.Newer {
		return nil, &store.NewerError{Kind: t.Kind.Name, ID: r.ID, Known: t.Kind.Revision}
	} else if err != nil {
		return nil, fmt.Errorf("tracking: %s %s is damaged: %w", t.Kind.Name, r.ID, err)
	}
	*t.identity(v) = Identity{r.ID, r.Version}
	return v, nil
}

// DecodeAll returns the values of records, in their order.
func (t *Table[T]) DecodeAll(records []store.Record) ([]*T, error) {
	list := make([]*T, len(records))
	for i, r := range records {
		v, err := t.Decode(r)
		if err != nil {
			return nil, err
		}
		list[i] = v
	}
	return list, nil
}

// Write returns what is stored for a value.
func (t *Table[T]) Write(v *T) store.Write {
	doc, private := t.encode(v)
	return t.write(v, doc, private)
}

// encode returns the stored form of a value.
func (t *Table[T]) encode(v *T) (doc, private []byte) {
	if t.Kind.Binary {
		return t.Codec.EncodeBinary(v), nil
	}
	return t.Codec.Encode(v)
}

// write adds columns and terms to an encoded value.
func (t *Table[T]) write(v *T, doc, private []byte) store.Write {
	w := store.Write{ID: t.identity(v).ID, Doc: doc, Private: private, Cols: make([]any, len(t.columns))}
	for i, c := range t.columns {
		w.Cols[i] = c.get(v)
	}
	if t.Terms != nil {
		w.Terms = t.Terms(v)
	}
	return w
}
