package record

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"reflect"
	"strings"
)

// plan is a compiled struct type.
type plan struct {
	typ                string
	hasID              bool
	id                 column
	rels, attrs, privs []column
	fields             []Field
	removed            []string // members that former versions had
	hash               strings.Builder
}

// format is part of every revision: raise it when the form of documents changes.
const format = "record/1"

// tags are the keys of struct tags, in the order in which a field that carries
// two (id and attr) is listed.
var tags = [...]struct {
	key  string
	kind FieldKind
}{{"id", ID}, {"rel", Relationship}, {"attr", Attribute}, {"private", Private}}

func compile(resourceType string, t reflect.Type) *plan {
	p := &plan{typ: resourceType}
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("record: %s is no struct", t))
	}
	if !plainName(resourceType) {
		panic(fmt.Sprintf("record: bad resource type %q", resourceType))
	}
	fmt.Fprintf(&p.hash, "%s\n%s\n", format, resourceType)
	p.walk(t, nil)
	if !p.hasID {
		panic(fmt.Sprintf("record: %s has no field with the tag id", t))
	}
	return p
}

func (p *plan) walk(t reflect.Type, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		if name, ok := f.Tag.Lookup("removed"); ok {
			if f.Name != "_" || !plainName(name) {
				panic(fmt.Sprintf("record: %s.%s: the tag removed stands on a blank field and names one member", t, f.Name))
			}
			p.removed = append(p.removed, name)
			fmt.Fprintf(&p.hash, "removed:%s\n", name)
			continue
		}
		at := append(index[:len(index):len(index)], i)
		tagged := 0
		for _, tag := range tags {
			if text, ok := f.Tag.Lookup(tag.key); ok {
				tagged++
				if err := p.field(f, at, tag.kind, text); err != nil {
					panic(fmt.Sprintf("record: %s.%s: %v", t, f.Name, err))
				}
			}
		}
		// attributes.id repeats the id in some resources; no other pair means
		// anything.
		if _, id := f.Tag.Lookup("id"); tagged > 2 || tagged == 2 && !(id && f.Tag.Get("attr") != "") {
			panic(fmt.Sprintf("record: %s.%s: more than one tag", t, f.Name))
		}
		if tagged > 0 || !f.Anonymous {
			continue
		}
		switch {
		case f.Type.Kind() == reflect.Struct:
			p.walk(f.Type, at)
		case f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() == reflect.Struct && hasTags(f.Type.Elem()):
			panic(fmt.Sprintf("record: %s.%s: tags behind an embedded pointer", t, f.Name))
		}
	}
}

func hasTags(t reflect.Type) bool {
	for i := range t.NumField() {
		for _, tag := range tags {
			if _, ok := t.Field(i).Tag.Lookup(tag.key); ok {
				return true
			}
		}
	}
	return false
}

// field compiles one tag.
func (p *plan) field(f reflect.StructField, index []int, kind FieldKind, tag string) error {
	name, rest, _ := strings.Cut(tag, ",")
	field := Field{Name: name, Kind: kind, GoType: f.Type}
	if kind == ID {
		if tag != "" {
			return fmt.Errorf("the tag id takes no value")
		}
		field.Name = "id"
	} else if !plainName(name) {
		return fmt.Errorf("bad name %q", name)
	}
	var options []string
	if strings.Contains(tag, ",") {
		options = strings.Split(rest, ",")
	}
	if kind == Relationship {
		if len(options) == 0 {
			return fmt.Errorf("a relationship needs a type")
		}
		field.Types, options = strings.Split(options[0], "|"), options[1:]
		for _, t := range field.Types {
			if !plainName(t) {
				return fmt.Errorf("bad type %q", t)
			}
		}
	}
	null := false
	for _, o := range options {
		switch {
		case o == "null" && kind == Attribute && !null:
			null = true
		case o == "inverse" && kind == Relationship && !field.Inverse:
			field.Inverse, field.Many = true, true
		case o == "one" && field.Inverse && field.Many:
			field.Many = false
		default:
			return fmt.Errorf("bad option %q", o)
		}
	}
	if err := p.unique(field); err != nil {
		return err
	}
	form := shape(f.Type, nil)
	if kind == Private && isPacked(f.Type) {
		form = "packed " + form
	}
	if !field.Inverse || field.Many { // documents hold nothing of an inverse to one
		fmt.Fprintf(&p.hash, "%s:%s %s\n", kind, tag, form)
	}

	if field.Inverse {
		if f.Name != "_" {
			return fmt.Errorf("an inverse relationship stands on a blank field")
		}
		field.GoType = nil
		p.fields = append(p.fields, field)
		return nil
	}
	if !f.IsExported() {
		return fmt.Errorf("the field is not exported")
	}
	c, err := fieldCodec(f.Type, &field, null)
	if err != nil {
		return err
	}
	field.Null = c.null
	p.fields = append(p.fields, field)
	key := string(AppendString(nil, field.Name)) + ":"
	col := column{name: field.Name, key: key, comma: "," + key, index: index, enc: c.enc, dec: c.dec, typ: f.Type, kind: kind}
	switch kind {
	case ID:
		p.id, p.hasID = col, true
	case Relationship:
		p.rels = append(p.rels, col)
	case Attribute:
		p.attrs = append(p.attrs, col)
	case Private:
		p.privs = append(p.privs, col)
	}
	return nil
}

// fieldCodec is the codec of a field's type under its tag. It sets field.Many.
func fieldCodec(t reflect.Type, field *Field, null bool) (codec, error) {
	switch field.Kind {
	case ID:
		if !isUUID(t) && t.Kind() != reflect.String {
			return codec{}, fmt.Errorf("an id is a UUID or a string, not %s", t)
		}
		c, ok := simple(t, shown)
		if !ok {
			return codec{}, fmt.Errorf("%s marshals itself", t)
		}
		return c, nil
	case Relationship:
		elem := t
		if field.Many = t.Kind() == reflect.Slice; field.Many {
			elem = t.Elem()
		}
		if !isUUID(elem) && !isRef(elem) {
			return codec{}, fmt.Errorf("a relationship is a UUID, a Ref or a slice of them, not %s", t)
		}
		if !isRef(elem) && len(field.Types) > 1 {
			return codec{}, fmt.Errorf("a relationship to several types needs a Ref")
		}
		if field.Many {
			return toMany(elem, field.Types), nil
		}
		return toOne(elem, field.Types), nil
	case Private:
		// A zero value is left out, so [] and nil stay apart without an option.
		return codecOf(t, precise, true)
	}
	c, err := codecOf(t, shown, null)
	if err != nil {
		return codec{}, err
	}
	if null && !c.null {
		c = orNull(c)
	}
	return c, nil
}

// unique refuses a name that is taken: attributes and relationships share one
// namespace in JSON:API, and the private object has its own.
func (p *plan) unique(field Field) error {
	for _, f := range p.fields {
		if f.Kind == ID && field.Kind == ID {
			return fmt.Errorf("a second id")
		}
		if f.Kind == ID || field.Kind == ID || f.Name != field.Name {
			continue
		}
		if (f.Kind == Private) == (field.Kind == Private) {
			return fmt.Errorf("%s is named twice", field.Name)
		}
	}
	return nil
}

// plainName reports whether a name needs no escape in JSON and no quoting in a
// query.
func plainName(name string) bool {
	if name == "" {
		return false
	}
	for _, c := range []byte(name) {
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

func (p *plan) revision() string {
	sum := sha256.Sum256([]byte(p.hash.String()))
	return hex.EncodeToString(sum[:6])
}

// shape describes how values of t look in JSON: kinds rather than names, so
// that renaming a Go type leaves stored documents valid.
func shape(t reflect.Type, seen []reflect.Type) string {
	for i, s := range seen {
		if s == t {
			return fmt.Sprintf("^%d", len(seen)-i) // a recursive type
		}
	}
	seen = append(seen, t)
	switch {
	case t == timeType:
		return "time"
	case t == rawType:
		return "raw"
	case t == numberType:
		return "number"
	case isRef(t):
		return "ref"
	case isUUID(t):
		return "uuid"
	case marshals(t):
		// Its form is its own affair; the name is all there is to go by.
		return typeName(t)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + shape(t.Elem(), seen)
	case reflect.Slice:
		return "[]" + shape(t.Elem(), seen)
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), shape(t.Elem(), seen))
	case reflect.Map:
		return fmt.Sprintf("map[%s]%s", shape(t.Key(), seen), shape(t.Elem(), seen))
	case reflect.Struct:
		var b strings.Builder
		b.WriteString("struct{")
		for i := range t.NumField() {
			f := t.Field(i)
			if removed := f.Tag.Get("removed"); removed != "" {
				fmt.Fprintf(&b, "removed %s;", removed)
				continue
			}
			if f.IsExported() || f.Anonymous {
				name := cmp.Or(f.Tag.Get("was"), f.Name) // renaming a member leaves stored documents valid
				fmt.Fprintf(&b, "%s %s %q;", name, shape(f.Type, seen), f.Tag.Get("json"))
			}
		}
		return b.String() + "}"
	}
	return t.Kind().String()
}

// typeName returns the name of a type with its package. Types of this module have that of
// the root wherever they are: moving one leaves stored documents valid.
func typeName(t reflect.Type) string {
	module := strings.TrimSuffix(reflect.TypeFor[plan]().PkgPath(), "/internal/record")
	if strings.HasPrefix(t.PkgPath(), module+"/") {
		return path.Base(module) + "." + t.Name()
	}
	return t.String()
}
