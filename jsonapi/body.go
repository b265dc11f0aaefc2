package jsonapi

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Resource is the resource object of a request document:
//
//	{"data": {"type": ..., "id": ..., "attributes": {...}, "relationships": {...}}}
//
// Read its members with Fields. Other members (lid, links, meta) are ignored.
type Resource struct {
	// Type and ID are empty when absent. Use Decoder.Type to require a type.
	Type, ID string
	// Attributes holds the JSON of each attribute, including null. The bytes are
	// those of the body, not copies.
	Attributes map[string]json.RawMessage
	// Relationships holds the linkage of each relationship.
	Relationships map[string]Linkage
}

// Identifier names one resource.
type Identifier struct{ Type, ID string }

// Linkage is the data of a relationship: List if Many is set, else One, which is nil
// for null.
type Linkage struct {
	Many bool
	One  *Identifier
	List []Identifier
}

// ParseResource checks data as Check does and reads the resource in it. A member of
// the wrong JSON type is a *SyntaxError of kind WrongShape whose Pointer names it. An
// id of null counts as absent, because some clients send it for new records. No other
// null does.
func ParseResource(data []byte, limits Limits) (Resource, error) {
	if err := Check(data, limits); err != nil {
		return Resource{}, err
	}
	var (
		r     Resource
		found bool
	)
	doc := bytes.TrimSpace(data)
	if doc[0] != '{' {
		return Resource{}, wrongShape("", "The body must be a JSON object with the member data.")
	}
	err := eachMember(doc, func(name string, value []byte) error {
		if name != "data" {
			return nil
		}
		found = true
		if value[0] != '{' {
			return wrongShape("/data", "data must be a resource object.")
		}
		return eachMember(value, r.member)
	})
	if err == nil && !found {
		err = wrongShape("/data", "The body must have the member data, a resource object.")
	}
	if err != nil {
		return Resource{}, err
	}
	return r, nil
}

func (r *Resource) member(name string, value []byte) error {
	switch name {
	case "type":
		if value[0] != '"' {
			return wrongShape("/data/type", "type must be a string.")
		}
		r.Type = stringOf(value)
	case "id":
		if value[0] == 'n' {
			return nil
		}
		if value[0] != '"' {
			return wrongShape("/data/id", "id must be a string.")
		}
		r.ID = stringOf(value)
	case "attributes":
		if value[0] != '{' {
			return wrongShape("/data/attributes", "attributes must be an object.")
		}
		r.Attributes = membersOf(value)
	case "relationships":
		if value[0] != '{' {
			return wrongShape("/data/relationships", "relationships must be an object.")
		}
		r.Relationships = make(map[string]Linkage)
		return eachMember(value, func(name string, value []byte) error {
			l, err := parseLinkage("/data/relationships"+pointerStepOf(name), value)
			r.Relationships[name] = l
			return err
		})
	}
	return nil
}

// pointerStepOf is pointerStep, or empty for a name that is too long to repeat.
func pointerStepOf(name string) string {
	if len(name) > maxPointerName {
		return ""
	}
	return pointerStep(name)
}

func parseLinkage(pointer string, value []byte) (l Linkage, err error) {
	if value[0] != '{' {
		return l, wrongShape(pointer, "A relationship must be an object with the member data.")
	}
	found := false
	err = eachMember(value, func(name string, value []byte) error {
		if name != "data" {
			return nil
		}
		found = true
		switch value[0] {
		case 'n':
			return nil
		case '[':
			l.Many = true
			l.List = []Identifier{}
			return eachElement(value, func(i int, value []byte) error {
				id, err := parseIdentifier(pointer+"/data/"+strconv.Itoa(i), value)
				l.List = append(l.List, id)
				return err
			})
		}
		id, err := parseIdentifier(pointer+"/data", value)
		l.One = &id
		return err
	})
	if err == nil && !found {
		err = wrongShape(pointer+"/data", "A relationship must have the member data.")
	}
	return l, err
}

func parseIdentifier(pointer string, value []byte) (id Identifier, err error) {
	if value[0] != '{' {
		return id, wrongShape(pointer, "Linkage must be an object with type and id.")
	}
	err = eachMember(value, func(name string, value []byte) error {
		var to *string
		switch name {
		case "type":
			to = &id.Type
		case "id":
			to = &id.ID
		default:
			return nil
		}
		if value[0] != '"' {
			return wrongShape(pointer+"/"+name, name+" must be a string.")
		}
		*to = stringOf(value)
		return nil
	})
	switch {
	case err != nil:
	case id.Type == "":
		err = wrongShape(pointer+"/type", "Linkage must have a type.")
	case id.ID == "":
		err = wrongShape(pointer+"/id", "Linkage must have an id.")
	}
	return id, err
}

// ParseObject checks data as Check does and returns the members of the object. It is
// for plain JSON bodies, such as {"number": "..."}. Read the members with
// ObjectFields. The values are bytes of data, not copies.
func ParseObject(data []byte, limits Limits) (map[string]json.RawMessage, error) {
	if err := Check(data, limits); err != nil {
		return nil, err
	}
	doc := bytes.TrimSpace(data)
	if doc[0] != '{' {
		return nil, wrongShape("", "The body must be a JSON object.")
	}
	return membersOf(doc), nil
}

func wrongShape(pointer, detail string) error {
	return &SyntaxError{Kind: WrongShape, Pointer: pointer, Offset: -1, Detail: detail}
}

// The functions below read JSON that Check has accepted, so they do not check it.

func membersOf(object []byte) map[string]json.RawMessage {
	m := make(map[string]json.RawMessage)
	_ = eachMember(object, func(name string, value []byte) error {
		m[name] = json.RawMessage(value)
		return nil
	})
	return m
}

// eachMember calls fn for each member of an object, until fn fails. Values have no
// surrounding space, so the first byte identifies their type.
func eachMember(object []byte, fn func(name string, value []byte) error) error {
	for i := skipSpace(object, 1); object[i] != '}'; {
		end := skipValue(object, i)
		name := stringOf(object[i:end])
		i = skipSpace(object, skipSpace(object, end)+1) // over the colon
		end = skipValue(object, i)
		if err := fn(name, object[i:end:end]); err != nil {
			return err
		}
		i = skipSpace(object, end)
		if object[i] == ',' {
			i = skipSpace(object, i+1)
		}
	}
	return nil
}

// eachElement calls fn for each element of an array, until fn fails.
func eachElement(array []byte, fn func(i int, value []byte) error) error {
	n := 0
	for i := skipSpace(array, 1); array[i] != ']'; n++ {
		end := skipValue(array, i)
		if err := fn(n, array[i:end:end]); err != nil {
			return err
		}
		i = skipSpace(array, end)
		if array[i] == ',' {
			i = skipSpace(array, i+1)
		}
	}
	return nil
}

func skipSpace(b []byte, i int) int {
	for b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n' {
		i++
	}
	return i
}

// skipValue returns the index after the value that begins at i.
func skipValue(b []byte, i int) int {
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // the end of the container of a number or literal
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

func stringOf(value []byte) string {
	raw := value[1 : len(value)-1]
	return decodeText(raw, bytes.IndexByte(raw, '\\') >= 0)
}
