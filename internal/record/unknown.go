package record

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
)

// known is what a codec knows of a JSON value; nil for a value that it does not look
// into: a scalar, a type with its own form in JSON, a packed value.
type known struct {
	// members of an object that is a struct; nil for arrays and maps. The value of a
	// removed member is nil.
	members map[string]*known
	// order has the members as a document usually has them.
	order []knownMember
	// elem is of the elements of an array, or the values of a map.
	elem *known
}

type knownMember struct {
	key   string // with quotes and colon
	value *known
}

func newKnown() *known { return &known{members: map[string]*known{}} }

// add adds a member of a struct.
func (k *known) add(name string, value *known) {
	k.members[name] = value
	k.order = append(k.order, knownMember{string(AppendString(nil, name)) + ":", value})
}

// KeepUnknown returns doc and private, which are to replace a stored record, with the
// members of the stored one that T does not know: those of a program of another
// version. They stay behind the member that they follow. That includes members of
// structs within values, in maps, and in elements of arrays that are the same but for
// such members, or that keep their place and their first member. Values in a binary
// form, and types with their own form in JSON, are replaced as a whole. Members that
// the tag "removed" names are not kept.
//
// Without such members it returns the arguments themselves.
func (c *Codec[T]) KeepUnknown(storedDoc, storedPrivate, doc, private []byte) (d, p []byte) {
	d, p = doc, private
	if !bytes.Equal(storedDoc, doc) && c.known.hasUnknown(storedDoc) {
		d = c.known.merge(storedDoc, doc)
	}
	if len(storedPrivate) > 0 && !bytes.Equal(storedPrivate, private) && c.knownPrivate.hasUnknown(storedPrivate) {
		if len(p) == 0 {
			p = []byte("{}")
		}
		p = c.knownPrivate.merge(storedPrivate, p)
	}
	return d, p
}

// knownDocument returns what is known of documents and of private objects.
func (p *plan) knownDocument(t reflect.Type) (doc, private *known) {
	types := map[reflect.Type]*known{}
	doc, private = newKnown(), newKnown()
	rels, attrs, linkage := newKnown(), newKnown(), newKnown()
	doc.add("id", nil)
	doc.add("type", nil)
	doc.add("relationships", rels)
	doc.add("attributes", attrs)
	linkage.add("data", nil)
	for _, f := range p.fields {
		switch {
		case f.Kind == Relationship:
			rels.add(f.Name, linkage)
		case f.Kind == Attribute:
			attrs.add(f.Name, knownType(f.GoType, types))
		case f.Kind == Private && isPacked(f.GoType):
			private.add(f.Name, nil)
		case f.Kind == Private:
			private.add(f.Name, knownType(f.GoType, types))
		}
	}
	for _, name := range p.removed {
		for _, section := range []*known{rels, attrs, private} {
			if _, taken := section.members[name]; !taken {
				section.members[name] = nil
			}
		}
	}
	return doc, private
}

// knownType returns what is known of values of t as encoding/json writes them.
func knownType(t reflect.Type, types map[reflect.Type]*known) *known {
	if k, ok := types[t]; ok {
		return k
	}
	if t == timeType || t == rawType || t == numberType || isUUID(t) || marshals(t) {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return knownType(t.Elem(), types)
	case reflect.Slice, reflect.Array, reflect.Map:
		if t.Elem().Kind() == reflect.Uint8 {
			return nil
		}
		if elem := knownType(t.Elem(), types); elem != nil {
			return &known{elem: elem}
		}
	case reflect.Struct:
		k := newKnown()
		types[t] = k // before its members: the type may be recursive
		k.addFields(t, types)
		return k
	}
	return nil
}

// addFields adds the members of a struct by the rules of encoding/json.
func (k *known) addFields(t reflect.Type, types map[reflect.Type]*known) {
	for i := range t.NumField() {
		f := t.Field(i)
		if removed := f.Tag.Get("removed"); removed != "" {
			k.members[removed] = nil
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case f.Anonymous && name == "" && inner.Kind() == reflect.Struct:
			k.addFields(inner, types)
		case !f.IsExported():
		case name == "":
			k.add(f.Name, knownType(f.Type, types))
		default:
			k.add(name, knownType(f.Type, types))
		}
	}
}

// hasUnknown reports whether a value has a member that is not known. It is false for
// text that is not JSON.
func (k *known) hasUnknown(text []byte) bool {
	s := scanner{b: text}
	found, err := k.scan(&s)
	return found && err == nil
}

// scan moves behind one value.
func (k *known) scan(s *scanner) (found bool, err error) {
	open := s.peek()
	if k == nil || open != '{' && open != '[' || open == '[' && k.elem == nil {
		return false, s.skip()
	}
	s.i++
	if open == '{' {
		return k.scanMembers(s)
	}
	for first := true; ; first = false {
		more, err := s.next(first, ']')
		if !more || err != nil {
			return found, err
		}
		inner, err := k.elem.scan(s)
		if found = found || inner; err != nil {
			return found, err
		}
	}
}

// after returns the place in k.order behind a member, or expected if none of that name
// follows there.
func (k *known) after(expected int, name []byte) int {
	for i, m := range k.order[expected:] {
		if m.key[1:len(m.key)-2] == string(name) {
			return expected + i + 1
		}
	}
	return expected
}

// scanMembers moves behind the members of an object, and its end.
func (k *known) scanMembers(s *scanner) (found bool, err error) {
	expected := 0 // in k.order
	for first := true; ; first = false {
		more, err := s.next(first, '}')
		if !more || err != nil {
			return found, err
		}
		child := k.elem
		if expected < len(k.order) && s.has(k.order[expected].key) {
			child = k.order[expected].value
			expected++
		} else {
			name, err := s.name()
			if err != nil {
				return found, err
			}
			if k.members != nil {
				var ok bool
				child, ok = k.members[string(name)]
				found = found || !ok
				expected = k.after(expected, name)
			}
		}
		inner, err := child.scan(s)
		if found = found || inner; err != nil {
			return found, err
		}
	}
}

// member is a member of an object, or an element of an array without a name.
type member struct {
	name  string // as written
	value []byte
}

// split returns the members of an object, or the elements of an array.
func split(text []byte) (list []member, ok bool) {
	s := scanner{b: text}
	open := s.peek()
	if open != '{' && open != '[' {
		return nil, false
	}
	s.i++
	for first := true; ; first = false {
		var m member
		if open == '{' {
			name, more, err := s.member(first)
			if !more || err != nil {
				return list, err == nil
			}
			m.name = string(name)
		} else if more, err := s.next(first, ']'); !more || err != nil {
			return list, err == nil
		}
		value, err := s.extent()
		if err != nil {
			return nil, false
		}
		m.value = value
		list = append(list, m)
	}
}

// merge returns the new value with the unknown members of the stored one.
func (k *known) merge(stored, new []byte) []byte {
	if k == nil || len(stored) == 0 || len(new) == 0 || stored[0] != new[0] {
		return new
	}
	was, ok := split(stored)
	is, alsoOK := split(new)
	switch {
	case !ok || !alsoOK:
		return new
	case new[0] == '[':
		return join('[', ']', k.mergeElements(was, is))
	}
	values := make(map[string][]byte, len(was))
	for _, m := range was {
		values[m.name] = m.value
	}
	for i := range is {
		child := k.elem
		if k.members != nil {
			child = k.members[is[i].name]
		}
		is[i].value = child.merge(values[is[i].name], is[i].value)
	}
	if k.members != nil {
		is = k.addUnknown(was, is)
	}
	return join('{', '}', is)
}

// addUnknown inserts the unknown members of was, each behind the member that it
// follows there.
func (k *known) addUnknown(was, is []member) []member {
	at := 0 // where an unknown member is inserted
	for _, m := range was {
		if i := slices.IndexFunc(is, func(o member) bool { return o.name == m.name }); i >= 0 {
			at = i + 1
			continue
		}
		if _, ok := k.members[m.name]; !ok {
			is = slices.Insert(is, at, m)
			at++
		}
	}
	return is
}

// mergeElements returns the new elements with the unknown members of the stored ones.
func (k *known) mergeElements(was, is []member) []member {
	if k.elem == nil {
		return is
	}
	plain := make([][]byte, len(was)) // without unknown members; nil once it is used
	for i, m := range was {
		plain[i] = k.elem.strip(m.value)
	}
	changed := make([]int, 0, len(is))
	for i := range is {
		j := slices.IndexFunc(plain, func(p []byte) bool { return p != nil && bytes.Equal(p, is[i].value) })
		if j < 0 {
			changed = append(changed, i)
			continue
		}
		is[i].value, plain[j] = was[j].value, nil
	}
	for _, i := range changed {
		if i < len(was) && plain[i] != nil && sameFirst(plain[i], is[i].value) {
			is[i].value = k.elem.merge(was[i].value, is[i].value)
		}
	}
	return is
}

// sameFirst reports whether two objects have the same first member.
func sameFirst(a, b []byte) bool {
	x, ok := split(a)
	y, alsoOK := split(b)
	return ok && alsoOK && len(x) > 0 && len(y) > 0 && x[0].name == y[0].name && bytes.Equal(x[0].value, y[0].value)
}

// strip returns a value without its unknown members.
func (k *known) strip(text []byte) []byte {
	if !k.hasUnknown(text) {
		return text
	}
	list, ok := split(text)
	if !ok {
		return text
	}
	kept := list[:0]
	for _, m := range list {
		child := k.elem
		if k.members != nil {
			if child, ok = k.members[m.name]; !ok {
				continue
			}
		}
		if child != nil {
			m.value = child.strip(m.value)
		}
		kept = append(kept, m)
	}
	return join(text[0], text[len(text)-1], kept)
}

// join writes an object or an array.
func join(open, closer byte, list []member) []byte {
	b := []byte{open}
	for i, m := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if open == '{' {
			b = append(AppendString(b, m.name), ':')
		}
		b = append(b, m.value...)
	}
	return append(b, closer)
}
