package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/google/uuid"
)

// scanner walks over one JSON text. It is written for our own compact output,
// in which the next member is nearly always the expected one, and accepts any
// other JSON at a lower speed.
type scanner struct {
	b []byte
	i int
	// text holds b[base:] once more as a string that parsed strings point into;
	// empty when each string shall be allocated alone.
	text string
	base int
}

var errTruncated = errors.New("unexpected end")

func (s *scanner) errorf(format string, args ...any) error {
	return fmt.Errorf("%s at byte %d", fmt.Sprintf(format, args...), s.i)
}

// maxShared bounds what one short string of a document can keep alive.
const maxShared = 16 << 10

// share makes the strings of the rest of the text one allocation.
func (s *scanner) share() {
	if n := len(s.b) - s.i; n <= maxShared && s.text == "" {
		s.text, s.base = string(s.b[s.i:]), s.i
	}
}

// peek skips white space and returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	for s.i < len(s.b) {
		switch c := s.b[s.i]; c {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) open(c byte) error {
	if s.peek() != c {
		return s.unexpected(string(rune(c)))
	}
	s.i++
	return nil
}

func (s *scanner) unexpected(want string) error {
	if s.i >= len(s.b) {
		return errTruncated
	}
	return s.errorf("found %q, expected %s", s.b[s.i], want)
}

// end reports what follows the value.
func (s *scanner) end() error {
	if s.peek(); s.i < len(s.b) {
		return s.unexpected("the end")
	}
	return nil
}

// has consumes lit if it comes next.
func (s *scanner) has(lit string) bool {
	if len(s.b)-s.i >= len(lit) && string(s.b[s.i:s.i+len(lit)]) == lit {
		s.i += len(lit)
		return true
	}
	return false
}

// next steps to the next member or element; more is false when the object or
// array ended.
func (s *scanner) next(first bool, closer byte) (more bool, err error) {
	c := s.peek()
	if c == closer {
		s.i++
		return false, nil
	}
	if first {
		return true, nil
	}
	if c != ',' {
		return false, s.unexpected("a comma")
	}
	s.i++
	return true, nil
}

// member steps to the next member of an object and reads its name.
func (s *scanner) member(first bool) (name []byte, more bool, err error) {
	if more, err = s.next(first, '}'); !more || err != nil {
		return nil, false, err
	}
	name, err = s.name()
	return name, err == nil, err
}

// name reads a member's name and the colon.
func (s *scanner) name() ([]byte, error) {
	s.peek()
	name, err := s.raw()
	if err != nil {
		return nil, err
	}
	if err := s.open(':'); err != nil {
		return nil, err
	}
	s.peek()
	return name, nil
}

// raw reads a string as bytes, which alias the text where they can.
func (s *scanner) raw() ([]byte, error) {
	start := s.i
	plain, err := s.stringExtent()
	if err != nil {
		return nil, err
	}
	if plain {
		return s.b[start+1 : s.i-1], nil
	}
	var v string
	if err := json.Unmarshal(s.b[start:s.i], &v); err != nil {
		return nil, err
	}
	return []byte(v), nil
}

// string reads a string.
func (s *scanner) string() (string, error) {
	start := s.i
	plain, err := s.stringExtent()
	if err != nil {
		return "", err
	}
	switch {
	case !plain:
		var v string
		err := json.Unmarshal(s.b[start:s.i], &v)
		return v, err
	case s.text != "":
		return s.text[start+1-s.base : s.i-1-s.base], nil
	}
	return string(s.b[start+1 : s.i-1]), nil
}

// stringExtent moves behind a string; plain says that its content stands for
// itself, without escapes or invalid bytes.
func (s *scanner) stringExtent() (plain bool, err error) {
	if s.i >= len(s.b) || s.b[s.i] != '"' {
		return false, s.unexpected("a string")
	}
	b := s.b
	start := s.i + 1
	plain, ascii := true, true
	for i := start; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			s.i = i + 1
			if !ascii && !utf8.Valid(b[start:i]) {
				plain = false
			}
			return plain, nil
		case c == '\\':
			plain = false
			i++
		case c < ' ':
			plain = false // json.Unmarshal words the error
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	s.i = len(b)
	return false, errTruncated
}

// skipString moves behind a string. Its bytes are searched, not looked at one by one:
// most of the text of a record that is replaced is skipped.
func (s *scanner) skipString() error {
	start := s.i + 1
	for i := start; ; i++ {
		n := bytes.IndexByte(s.b[i:], '"')
		if n < 0 {
			s.i = len(s.b)
			return errTruncated
		}
		i += n
		escapes := 0
		for i-escapes > start && s.b[i-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			s.i = i + 1
			return nil
		}
	}
}

// extent moves behind one value and returns its bytes. It pairs brackets and
// reads strings, no more; iterative, so that no input can exhaust the stack.
func (s *scanner) extent() ([]byte, error) {
	s.peek()
	start := s.i
	depth := 0
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case '"':
			if err := s.skipString(); err != nil {
				return nil, err
			}
			if depth == 0 {
				return s.b[start:s.i], nil
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return s.scalar(start)
			}
			if depth--; depth == 0 {
				s.i++
				return s.b[start:s.i], nil
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return s.scalar(start)
			}
		}
		s.i++
	}
	if depth > 0 {
		return nil, errTruncated
	}
	return s.scalar(start)
}

func (s *scanner) scalar(start int) ([]byte, error) {
	if s.i == start {
		return nil, s.unexpected("a value")
	}
	return s.b[start:s.i], nil
}

// ours consumes an identifier in exactly the form we write. Relationships are
// walked on every page with includes, so this form does not go byte by byte.
func (s *scanner) ours() (id, typ []byte, ok bool) {
	const before, n, between = `{"id":"`, 36, `","type":"`
	b := s.b[s.i:]
	if len(b) < len(before)+n+len(between) || string(b[:len(before)]) != before {
		return nil, nil, false
	}
	id, b = b[len(before):len(before)+n], b[len(before)+n:]
	if string(b[:len(between)]) != between {
		return nil, nil, false
	}
	b = b[len(between):]
	for i, c := range b {
		switch {
		case c == '"':
			if i+1 == len(b) || b[i+1] != '}' || bytes.IndexByte(id, '"') >= 0 || bytes.IndexByte(id, '\\') >= 0 {
				return nil, nil, false
			}
			s.i = len(s.b) - len(b) + i + 2
			return id, b[:i], true
		case c < ' ' || c == '\\' || c >= utf8.RuneSelf:
			return nil, nil, false
		}
	}
	return nil, nil, false
}

// skipLinkage moves behind the value of a relationship.
func (s *scanner) skipLinkage() error {
	start := s.i
	if s.has(`{"data":`) {
		if _, _, ok := s.ours(); (ok || s.has("null")) && s.has("}") {
			return nil
		}
		s.i = start
	}
	return s.skip()
}

func (s *scanner) skip() error {
	_, err := s.extent()
	return err
}

// literal returns the extent of a number, true or false.
func (s *scanner) literal() []byte {
	start := s.i
	for s.i < len(s.b) {
		c := s.b[s.i]
		if c-'0' > 9 && c|0x20-'a' > 'z'-'a' && c != '-' && c != '+' && c != '.' {
			break
		}
		s.i++
	}
	return s.b[start:s.i]
}

// members reads an object into the fields of a section.
func (s *scanner) members(sec *section, rv reflect.Value) error {
	if s.peek() == 'n' && s.has("null") {
		sec.zero(rv, 0)
		return nil
	}
	if err := s.open('{'); err != nil {
		return err
	}
	// Every column before done has been read or cleared: clearing all of them
	// first would cost a second pass over a document that lacks nothing.
	expected, done := 0, 0
	for first := true; ; first = false {
		more, err := s.next(first, '}')
		if err != nil {
			return err
		}
		if !more {
			sec.zero(rv, done)
			return nil
		}
		i := expected
		if i >= len(sec.columns) || !s.has(sec.columns[i].key) {
			name, err := s.name()
			if err != nil {
				return err
			}
			var ok bool
			if i, ok = sec.byName[string(name)]; !ok {
				if err := s.skip(); err != nil {
					return err
				}
				continue
			}
		}
		expected = i + 1
		for ; done < i; done++ {
			sec.columns[done].of(rv).SetZero()
		}
		done = max(done, i+1)
		if err := s.value(&sec.columns[i], rv); err != nil {
			return err
		}
	}
}

// value reads one value into one field.
func (s *scanner) value(c *column, rv reflect.Value) error {
	if err := s.into(c.dec, c.of(rv)); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	return nil
}

// into reads one value; null is the zero value of every type.
func (s *scanner) into(dec parser, v reflect.Value) error {
	if s.peek() == 'n' && s.has("null") {
		v.SetZero()
		return nil
	}
	return dec(s, v)
}

// uuid reads a UUID in its one canonical length.
func (s *scanner) uuid() (uuid.UUID, error) {
	const n = 36
	if s.i+n+2 <= len(s.b) && s.b[s.i] == '"' && s.b[s.i+n+1] == '"' {
		u, err := uuid.ParseBytes(s.b[s.i+1 : s.i+1+n])
		if err != nil {
			return uuid.UUID{}, s.errorf("%v", err)
		}
		s.i += n + 2
		return u, nil
	}
	return uuid.UUID{}, s.unexpected("a UUID")
}

// linkage reads the value of a relationship, calling ref for each identifier of
// its data. typ aliases the text.
func (s *scanner) linkage(ref func(typ []byte, id uuid.UUID) error) error {
	if err := s.open('{'); err != nil {
		return err
	}
	for first := true; ; first = false {
		name, more, err := s.member(first)
		if err != nil || !more {
			return err
		}
		if string(name) != "data" {
			if err := s.skip(); err != nil {
				return err
			}
			continue
		}
		switch s.peek() {
		case '{':
			err = s.identifier(ref)
		case '[':
			s.i++
			err = s.identifiers(ref)
		default:
			if !s.has("null") {
				err = s.unexpected("linkage")
			}
		}
		if err != nil {
			return err
		}
	}
}

func (s *scanner) identifiers(ref func([]byte, uuid.UUID) error) error {
	for first := true; ; first = false {
		more, err := s.next(first, ']')
		if err != nil || !more {
			return err
		}
		if err := s.identifier(ref); err != nil {
			return err
		}
	}
}

// identifier reads one {"id":...,"type":...}.
func (s *scanner) identifier(ref func([]byte, uuid.UUID) error) error {
	if text, typ, ok := s.ours(); ok {
		id, err := uuid.ParseBytes(text)
		if err != nil {
			return s.errorf("%v", err)
		}
		return ref(typ, id)
	}
	if err := s.open('{'); err != nil {
		return err
	}
	var typ []byte
	var id uuid.UUID
	var hasID, hasType bool
	for first := true; ; first = false {
		name, more, err := s.member(first)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		switch {
		case bytes.Equal(name, []byte("id")):
			id, err = s.uuid()
			hasID = true
		case bytes.Equal(name, []byte("type")):
			typ, err = s.raw()
			hasType = true
		default:
			err = s.skip()
		}
		if err != nil {
			return err
		}
	}
	if !hasID || !hasType {
		return s.errorf("a resource identifier without id or type")
	}
	return ref(typ, id)
}
