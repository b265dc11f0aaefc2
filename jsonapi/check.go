package jsonapi

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits bounds a request body. A field that is zero or negative means its default:
// no limit can be switched off.
type Limits struct {
	// Bytes is the maximum length of the body. Defaults to 1 MiB.
	Bytes int
	// Depth is the maximum nesting of objects and arrays; the outermost has depth 1.
	// Defaults to 32, at most 10,000, the limit of encoding/json.
	Depth int
	// Elements is the maximum number of elements of an array or members of an object.
	// Defaults to 1,000. Objects are bounded because finding duplicates needs memory
	// for all names.
	Elements int
}

const (
	defaultBytes    = 1 << 20
	defaultDepth    = 32
	defaultElements = 1000
	maxDepth        = 10000
)

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}
	if l.Depth <= 0 {
		l.Depth = defaultDepth
	}
	if l.Elements <= 0 {
		l.Elements = defaultElements
	}
	l.Depth = min(l.Depth, maxDepth)
	return l
}

// ErrTooLarge means that the body is longer than Limits.Bytes.
var ErrTooLarge = errors.New("jsonapi: request body too large")

// SyntaxKind is the kind of a SyntaxError.
type SyntaxKind uint8

// The kinds of SyntaxError.
const (
	Malformed     SyntaxKind = iota // not JSON, or a number beyond float64
	TooDeep                         // nested deeper than Limits.Depth
	DuplicateName                   // an object names the same member twice
	InvalidUTF8                     // bytes that are not UTF-8, or half a surrogate pair
	NulCharacter                    // U+0000 in a string, raw or escaped
	TrailingData                    // something follows the document
	WrongShape                      // JSON, but not the expected document
)

// String returns the kind in words.
func (k SyntaxKind) String() string {
	names := [...]string{"malformed", "too deep", "duplicate name", "invalid UTF-8", "NUL character", "trailing data", "wrong shape"}
	if int(k) < len(names) {
		return names[k]
	}
	return "SyntaxKind(" + strconv.Itoa(int(k)) + ")"
}

// SyntaxError is a malformed body. A server responds 400.
type SyntaxError struct {
	Kind SyntaxKind
	// Pointer is the JSON Pointer (RFC 6901) of the invalid value, or of the nearest
	// enclosing value that can be named. Empty means the whole body.
	Pointer string
	// Offset is the byte offset of the error; -1 for WrongShape.
	Offset int
	// Detail is a sentence for people.
	Detail string
}

// Error returns the detail, after the pointer if there is one.
func (e *SyntaxError) Error() string {
	if e.Pointer != "" {
		return e.Pointer + ": " + e.Detail
	}
	return e.Detail
}

// Check returns the first error of data: ErrTooLarge, a *SyntaxError, or FieldErrors
// with the code CodeTooLong for an array or object above the limit. encoding/json
// accepts everything that Check accepts.
//
// encoding/json alone is not enough. It keeps the last of two equal names, silently
// replaces invalid UTF-8 and accepts NUL. In each case the checked value could differ
// from the stored one.
func Check(data []byte, limits Limits) error {
	limits = limits.withDefaults()
	if len(data) > limits.Bytes {
		return ErrTooLarge
	}
	s := scanner{data: data, limits: limits, mark: -1}
	return s.run()
}

// scanner reads a document without recursion. It has its own stack, so that no input
// can exhaust the stack of the goroutine.
type scanner struct {
	data   []byte // the document, or the part of a stream that is held
	pos    int
	limits Limits
	stream *stream // nil if data is the whole document
	stack  []frame
	// mark is where the name or number begins that is being read; -1 for none.
	mark int
	// names has the decoded member names of all open objects, innermost last.
	// frame.first is the index of the object's first name.
	names []string
}

type frame struct {
	object bool
	named  bool                // object: the last of its names is the member being read
	count  int                 // elements or members begun
	visit  Visitor             // of its values; nil to check them only
	first  int                 // object: index in names of its first member
	seen   map[string]struct{} // object: its names, if there are more than maxLinearNames
}

// maxLinearNames is the number of names up to which linear search is faster than a
// map.
const maxLinearNames = 16

func (s *scanner) run() error {
	s.space()
	if s.atEnd() {
		return s.syntaxError(Malformed, "The body is empty.")
	}
	for {
		open, err := s.value()
		if err != nil {
			return err
		}
		if open {
			continue
		}
		// A value has ended: close all containers that end here, up to the next value.
		for {
			if s.stream != nil {
				s.valueEnded()
			}
			s.space()
			if len(s.stack) == 0 {
				if !s.atEnd() {
					return s.syntaxError(TrailingData, "The JSON document is followed by more data.")
				}
				return nil
			}
			top := &s.stack[len(s.stack)-1]
			end, what := byte(']'), "a comma or ]"
			if top.object {
				end, what = '}', "a comma or }"
			}
			if s.atEnd() {
				return s.unexpected(what)
			}
			if s.data[s.pos] == end {
				s.pop()
				continue
			}
			if s.data[s.pos] != ',' {
				return s.unexpected(what)
			}
			s.pos++
			if err := s.next(); err != nil {
				return err
			}
			break
		}
	}
}

// value reads a scalar, or opens a container. open reports whether the first value of
// a container follows.
func (s *scanner) value() (open bool, err error) {
	s.space()
	if s.atEnd() {
		return false, s.unexpected("a value")
	}
	var inside Visitor
	if s.stream != nil {
		inside = s.valueBegins()
	}
	switch c := s.data[s.pos]; c {
	case '{', '[':
		if len(s.stack) == s.limits.Depth {
			return false, s.syntaxError(TooDeep, fmt.Sprintf("Objects and arrays may be nested at most %d levels deep.", s.limits.Depth))
		}
		s.stack = append(s.stack, frame{object: c == '{', first: len(s.names), visit: inside})
		s.pos++
		s.space()
		if !s.atEnd() && s.data[s.pos] == c+2 { // in ASCII, } is { + 2 and ] is [ + 2
			s.pop()
			return false, nil
		}
		return true, s.next()
	case '"':
		return false, s.text()
	case 't':
		return false, s.literal("true")
	case 'f':
		return false, s.literal("false")
	case 'n':
		return false, s.literal("null")
	default:
		if c == '-' || isDigit(c) {
			return false, s.number()
		}
		return false, s.unexpected("a value")
	}
}

// next prepares the innermost container for its next value.
func (s *scanner) next() error {
	top := &s.stack[len(s.stack)-1]
	top.count++
	if top.count > s.limits.Elements {
		what := "An array may have at most %d elements."
		if top.object {
			what = "An object may have at most %d members."
		}
		s.names = s.names[:top.first]
		s.stack = s.stack[:len(s.stack)-1] // point to the container, not the element
		return FieldErrors{{Pointer: s.pointer(), Code: CodeTooLong, Detail: fmt.Sprintf(what, s.limits.Elements)}}
	}
	if top.object {
		return s.member(top)
	}
	return nil
}

func (s *scanner) pop() {
	top := s.stack[len(s.stack)-1]
	clear(s.names[top.first:])
	s.names = s.names[:top.first]
	s.stack = s.stack[:len(s.stack)-1]
	s.pos++
}

// member reads a name and its colon.
func (s *scanner) member(top *frame) error {
	top.named = false
	s.space()
	if s.atEnd() || s.data[s.pos] != '"' {
		return s.unexpected("a member name in quotes")
	}
	s.mark = s.pos
	if err := s.text(); err != nil {
		return err
	}
	raw := s.data[s.mark+1 : s.pos-1]
	escaped := bytes.IndexByte(raw, '\\') >= 0
	// Compare decoded names: "\u0069d" is "id" to all readers.
	name := decodeText(raw, escaped)
	own := s.names[top.first:]
	double := false
	if top.seen == nil && len(own) < maxLinearNames {
		for _, n := range own {
			double = double || n == name
		}
	} else {
		if top.seen == nil {
			top.seen = make(map[string]struct{}, 4*maxLinearNames)
			for _, n := range own {
				top.seen[n] = struct{}{}
			}
		}
		_, double = top.seen[name]
		top.seen[name] = struct{}{}
	}
	s.names = append(s.names, name)
	top.named = true
	if double {
		s.pos = s.mark
		return s.syntaxError(DuplicateName, "The object has this member twice.")
	}
	s.mark = -1
	s.space()
	if s.atEnd() || s.data[s.pos] != ':' {
		return s.unexpected("a colon")
	}
	s.pos++
	return nil
}

// text reads a string.
func (s *scanner) text() error {
	s.pos++
	for !s.atEnd() {
		c := s.data[s.pos]
		switch {
		case c == '"':
			s.pos++
			return nil
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		case c == 0:
			return s.syntaxError(NulCharacter, "A string contains a NUL character.")
		case c < ' ':
			return s.syntaxError(Malformed, fmt.Sprintf("A string contains the control character %#02x at byte %d; it must be escaped.", c, s.offset()))
		case c < utf8.RuneSelf:
			s.pos++
		default:
			s.ahead(utf8.UTFMax)
			r, n := utf8.DecodeRune(s.data[s.pos:])
			if r == utf8.RuneError && n == 1 {
				return s.syntaxError(InvalidUTF8, fmt.Sprintf("A string is not valid UTF-8 at byte %d.", s.offset()))
			}
			s.pos += n
		}
	}
	return s.unexpected("the end of a string")
}

// escape reads one escape sequence, or the two of a surrogate pair.
func (s *scanner) escape() error {
	s.ahead(12)
	if s.pos+1 == len(s.data) {
		s.pos++
		return s.unexpected("the end of a string")
	}
	switch s.data[s.pos+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos += 2
		return nil
	case 'u':
	default:
		return s.syntaxError(Malformed, fmt.Sprintf("A string contains an unknown escape at byte %d.", s.offset()))
	}
	r, ok := hex4(s.data[s.pos:])
	if !ok {
		return s.syntaxError(Malformed, fmt.Sprintf("A string contains an incomplete \\u escape at byte %d.", s.offset()))
	}
	switch {
	case r == 0:
		return s.syntaxError(NulCharacter, "A string contains a NUL character.")
	case r >= 0xD800 && r < 0xE000:
		low, ok := hex4(s.data[s.pos+6:])
		if r >= 0xDC00 || !ok || low < 0xDC00 || low >= 0xE000 {
			return s.syntaxError(InvalidUTF8, fmt.Sprintf("A string contains half of a surrogate pair at byte %d.", s.offset()))
		}
		s.pos += 12
	default:
		s.pos += 6
	}
	return nil
}

// hex4 decodes the \uXXXX at the beginning of b.
func hex4(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range b[2:6] {
		v, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		r = r<<4 | rune(v)
	}
	return r, true
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case isDigit(c):
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (s *scanner) number() error {
	s.mark = s.pos
	if s.data[s.pos] == '-' {
		s.pos++
	}
	if !s.atEnd() && s.data[s.pos] == '0' {
		s.pos++
	} else if !s.digits() {
		return s.unexpected("a digit")
	}
	if !s.atEnd() && s.data[s.pos] == '.' {
		s.pos++
		if !s.digits() {
			return s.unexpected("a digit")
		}
	}
	exponent := false
	if !s.atEnd() && (s.data[s.pos] == 'e' || s.data[s.pos] == 'E') {
		exponent = true
		s.pos++
		if !s.atEnd() && (s.data[s.pos] == '+' || s.data[s.pos] == '-') {
			s.pos++
		}
		if !s.digits() {
			return s.unexpected("a digit")
		}
	}
	// A number beyond float64 would break readers of the stored value. A short one
	// without an exponent cannot be that large.
	if exponent || s.pos-s.mark > 300 {
		if _, err := strconv.ParseFloat(string(s.data[s.mark:s.pos]), 64); err != nil {
			s.pos = s.mark
			return s.syntaxError(Malformed, fmt.Sprintf("The number at byte %d is too large.", s.offset()))
		}
	}
	s.mark = -1
	return nil
}

func (s *scanner) digits() bool {
	any := false
	for !s.atEnd() && isDigit(s.data[s.pos]) {
		s.pos++
		any = true
	}
	return any
}

func (s *scanner) literal(w string) error {
	s.ahead(len(w))
	if !strings.HasPrefix(string(s.data[s.pos:min(s.pos+len(w), len(s.data))]), w) {
		return s.unexpected("a value")
	}
	s.pos += len(w)
	return nil
}

func (s *scanner) space() {
	for !s.atEnd() {
		switch s.data[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return
		}
	}
}

func (s *scanner) unexpected(want string) error {
	if s.atEnd() {
		return s.syntaxError(Malformed, "The body ends where "+want+" was expected.")
	}
	return s.syntaxError(Malformed, fmt.Sprintf("Byte %d is %s where %s was expected.", s.offset(), strconv.QuoteToASCII(string(s.data[s.pos:s.pos+1])), want))
}

func (s *scanner) syntaxError(kind SyntaxKind, detail string) error {
	return &SyntaxError{Kind: kind, Pointer: s.pointer(), Offset: s.offset(), Detail: detail}
}

// maxPointerName is the maximum length of a name in a pointer. The pointer ends
// before a longer name, so that an error response cannot return a megabyte of the
// request.
const maxPointerName = 128

func (s *scanner) pointer() string {
	var b strings.Builder
	for i, f := range s.stack {
		if !f.object {
			b.WriteByte('/')
			b.WriteString(strconv.Itoa(f.count - 1))
			continue
		}
		if !f.named {
			break
		}
		last := len(s.names) - 1
		for _, inner := range s.stack[i+1:] {
			if inner.object {
				last = inner.first - 1
				break
			}
		}
		if len(s.names[last]) > maxPointerName {
			break
		}
		b.WriteString(pointerStep(s.names[last]))
	}
	return b.String()
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointerStep returns name as one step of a JSON Pointer.
func pointerStep(name string) string { return "/" + pointerEscapes.Replace(name) }

// decodeText decodes the bytes between the quotes of a checked string.
func decodeText(raw []byte, escaped bool) string {
	if !escaped {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			i++
			continue
		}
		switch c := raw[i+1]; c {
		case 'u':
			r, _ := hex4(raw[i:])
			i += 6
			if r >= 0xD800 && r < 0xDC00 {
				low, _ := hex4(raw[i:])
				r = (r-0xD800)<<10 + (low - 0xDC00) + 0x10000
				i += 6
			}
			out = utf8.AppendRune(out, r)
			continue
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		default: // " \ /
			out = append(out, c)
		}
		i += 2
	}
	return string(out)
}
