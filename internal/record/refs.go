package record

import (
	"fmt"

	"github.com/google/uuid"
)

// Refs appends to to the identifiers that the relationship name of a rendered
// document holds, without looking at the rest. A document without the
// relationship, and one that is null, has none.
func Refs(doc []byte, name string, to []Ref) ([]Ref, error) {
	s := scanner{b: doc}
	found, err := s.relationship(name)
	if err == nil && found {
		err = s.linkage(func(typ []byte, id uuid.UUID) error {
			// Linkage is nearly always of one type: share its name.
			if n := len(to); n > 0 && to[n-1].Type == string(typ) {
				to = append(to, Ref{to[n-1].Type, id})
			} else {
				to = append(to, Ref{string(typ), id})
			}
			return nil
		})
	}
	if err != nil {
		return to, fmt.Errorf("record: relationship %s: %w", name, err)
	}
	return to, nil
}

// relationship moves to the value of a relationship.
func (s *scanner) relationship(name string) (found bool, err error) {
	if found, err = s.find("relationships"); !found || err != nil {
		return false, err
	}
	if s.has("null") {
		return false, nil
	}
	if found, err = s.find(name); !found || err != nil {
		return false, err
	}
	return !s.has("null"), nil
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
	dst = append(dst, `{"data":[`...)
	for i := range ids {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendIdentifier(dst, ids[i][:], typ)
	}
	dst = append(dst, `]}`...)
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
