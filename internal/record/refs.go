package record

import (
	"fmt"
	"slices"

	"github.com/google/uuid"
)

// EachRef calls ref for every identifier in the relationships of a rendered
// document, in their order, without looking at the rest. The name of the
// relationship and the type alias doc. Relationships that are null have none.
func EachRef(doc []byte, ref func(relationship, typ []byte, id uuid.UUID)) error {
	s := scanner{b: doc}
	found, err := s.find("relationships")
	if err == nil && found && !s.has("null") {
		err = s.relationships(ref)
	}
	if err != nil {
		return fmt.Errorf("record: relationships: %w", err)
	}
	return nil
}

// relationships reads the object that comes next.
func (s *scanner) relationships(ref func(name, typ []byte, id uuid.UUID)) error {
	if err := s.open('{'); err != nil {
		return err
	}
	for first := true; ; first = false {
		name, more, err := s.member(first)
		if err != nil || !more {
			return err
		}
		if s.has(`{"data":null}`) || s.has("null") {
			continue
		}
		err = s.linkage(func(typ []byte, id uuid.UUID) error {
			ref(name, typ, id)
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

// find moves to the value of a member of the object that comes next, or behind
// the object.
func (s *scanner) find(name string) (bool, error) {
	if err := s.open('{'); err != nil {
		return false, err
	}
	for first := true; ; first = false {
		member, more, err := s.member(first)
		if err != nil || !more {
			return false, err
		}
		if string(member) == name {
			return true, nil
		}
		if err := s.skipLinkage(); err != nil {
			return false, err
		}
	}
}

// SpliceRefs appends doc to dst with the relationship name set to a to-many
// linkage to ids, all of type typ: it replaces the relationship of that name, or
// is added behind the others. It shows inverse relations, which are not stored.
// What is no document is appended as it is. dst must not overlap doc.
func SpliceRefs(dst, doc []byte, name, typ string, ids []uuid.UUID) []byte {
	dst = slices.Grow(dst, len(doc)+len(name)+len(typ)*len(ids)+64*(1+len(ids)))
	return splice(dst, doc, name, func(dst []byte) []byte {
		dst = append(dst, '[')
		for i := range ids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendIdentifier(dst, ids[i][:], typ)
		}
		return append(dst, ']')
	})
}

// SpliceRef is SpliceRefs for a to-one linkage; the zero ID is null.
func SpliceRef(dst, doc []byte, name, typ string, id uuid.UUID) []byte {
	return splice(dst, doc, name, func(dst []byte) []byte {
		if id == (uuid.UUID{}) {
			return append(dst, "null"...)
		}
		return appendIdentifier(dst, id[:], typ)
	})
}

// splice appends doc with the linkage in its place.
func splice(dst, doc []byte, name string, linkage func([]byte) []byte) []byte {
	from, to, add, ok := seam(doc, name)
	if !ok {
		return append(dst, doc...)
	}
	dst = append(dst, doc[:from]...)
	dst = append(dst, add.before...)
	if add.key {
		dst = AppendString(dst, name)
		dst = append(dst, ':')
	}
	dst = append(dst, `{"data":`...)
	dst = linkage(dst)
	dst = append(dst, '}')
	dst = append(dst, add.after...)
	return append(dst, doc[to:]...)
}

// joint is what has to stand around a spliced linkage.
type joint struct {
	before string
	key    bool
	after  string
}

// seam finds the bytes of doc that a relationship's linkage takes the place of.
func seam(doc []byte, name string) (from, to int, add joint, ok bool) {
	s := scanner{b: doc}
	found, err := s.find("relationships")
	if err != nil {
		return 0, 0, joint{}, false
	}
	if !found {
		end := s.i - 1 // the closing brace of the document
		return end, end, joint{comma(doc, end) + `"relationships":{`, true, "}"}, true
	}
	if from = s.i; s.has("null") {
		return from, s.i, joint{"{", true, "}"}, true
	}
	if found, err = s.find(name); err != nil {
		return 0, 0, joint{}, false
	}
	if !found {
		end := s.i - 1
		return end, end, joint{comma(doc, end), true, ""}, true
	}
	from = s.i
	if s.skip() != nil {
		return 0, 0, joint{}, false
	}
	return from, s.i, joint{}, true
}

// comma is what separates a new member from those before the brace at end.
func comma(doc []byte, end int) string {
	for i := end - 1; i >= 0; i-- {
		switch doc[i] {
		case ' ', '\t', '\r', '\n':
		case '{':
			return ""
		default:
			return ","
		}
	}
	return ""
}
