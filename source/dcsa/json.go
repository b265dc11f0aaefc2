package dcsa

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/landfallhq/tracking"
)

// The limits of a document. The number of events is the limit of facts in a report,
// because every event is one fact.
const (
	maxBytes  = 64 << 20
	maxDepth  = 32
	maxEvents = 10_000
)

// refuse returns the error for a malformed document.
func refuse(path, code, format string, args ...any) *tracking.Error {
	return &tracking.Error{
		Kind:   tracking.BadDocument,
		Field:  path,
		Code:   code,
		Detail: fmt.Sprintf(format, args...),
	}
}

// scanner reads JSON value by value and knows the path of each. encoding/json alone
// would accept repeated names, invalid UTF-8 and NUL.
type scanner struct {
	data  []byte
	dec   *json.Decoder
	steps []any // the path below $: names are strings, positions ints
}

func newScanner(data []byte) (*scanner, error) {
	// Valid first, because Decoder.Token is more lenient than the grammar.
	if !json.Valid(data) {
		return nil, notJSON(data)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return &scanner{data: data, dec: dec}, nil
}

func notJSON(data []byte) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return refuse("$", "syntax", "the document is empty; it must be JSON")
	}
	var ignored json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, &ignored); errors.As(err, &syntax) {
		return refuse("$", "syntax", "the document is not JSON: %v, at byte %d", syntax, syntax.Offset)
	}
	return refuse("$", "syntax", "the document is not JSON")
}

// path returns the path of the current value.
func (s *scanner) path() string {
	var b strings.Builder
	b.WriteByte('$')
	for _, step := range s.steps {
		switch step := step.(type) {
		case int:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(step))
			b.WriteByte(']')
		case string:
			b.WriteString(memberPath(step))
		}
	}
	return b.String()
}

// memberPath is the path step of a name: .name, or ["name"] if the former would be
// ambiguous.
func memberPath(name string) string {
	plain := name != ""
	for i := range len(name) {
		c := name[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		plain = plain && (letter || i > 0 && '0' <= c && c <= '9')
	}
	if plain {
		return "." + name
	}
	// A malicious name must not make a path of many megabytes.
	if runes := []rune(name); len(runes) > 64 {
		name = string(runes[:64]) + "..."
	}
	return "[" + strconv.Quote(name) + "]"
}

func (s *scanner) push(step any) { s.steps = append(s.steps, step) }
func (s *scanner) pop()          { s.steps = s.steps[:len(s.steps)-1] }

// token returns the next token, and checks it if it is a string.
func (s *scanner) token() (json.Token, error) {
	before := s.dec.InputOffset()
	token, err := s.dec.Token()
	if err != nil {
		return nil, refuse(s.path(), "syntax", "the document is not JSON: %v", err)
	}
	if _, ok := token.(string); ok {
		raw := bytes.TrimLeft(s.data[before:s.dec.InputOffset()], " \t\r\n,:")
		if fault := badText(raw); fault != "" {
			return nil, refuse(s.path(), "text", "the text %s; it must be UTF-8 without NUL", fault)
		}
	}
	return token, nil
}

// start returns the offset of the next value.
func (s *scanner) start() int64 {
	rest := s.data[s.dec.InputOffset():]
	return int64(len(s.data) - len(bytes.TrimLeft(rest, " \t\r\n,:")))
}

// value reads one value: an object as map[string]any, an array as []any.
func (s *scanner) value() (any, error) {
	token, err := s.token()
	if err != nil {
		return nil, err
	}
	if err := s.deep(token); err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		members := map[string]any{}
		err := s.members(members, func(name string) (err error) {
			members[name], err = s.value()
			return err
		})
		return members, err
	case json.Delim('['):
		elements := []any{}
		err := s.elements(func(int) error {
			element, err := s.value()
			elements = append(elements, element)
			return err
		})
		return elements, err
	}
	return token, nil
}

// deep refuses to open one more level than allowed.
func (s *scanner) deep(token json.Token) error {
	if _, opens := token.(json.Delim); opens && len(s.steps) >= maxDepth {
		return refuse(s.path(), "too_deep", "the document is nested deeper than %d levels", maxDepth)
	}
	return nil
}

// members calls read for each member of an object after its brace, and reads its
// end. A name in seen is refused.
func (s *scanner) members(seen map[string]any, read func(name string) error) error {
	for s.dec.More() {
		token, err := s.token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		s.push(name)
		if _, twice := seen[name]; twice {
			return refuse(s.path(), "duplicate", "the name is repeated in its object")
		}
		if err := read(name); err != nil {
			return err
		}
		s.pop()
	}
	_, err := s.token()
	return err
}

// elements calls read for each element of an array after its bracket, and reads its
// end.
func (s *scanner) elements(read func(i int) error) error {
	for i := 0; s.dec.More(); i++ {
		s.push(i)
		if err := read(i); err != nil {
			return err
		}
		s.pop()
	}
	_, err := s.token()
	return err
}

// badText describes what is wrong with the raw text of a JSON string; empty if
// nothing is. encoding/json would silently replace invalid text by U+FFFD.
func badText(raw []byte) string {
	if !utf8.Valid(raw) {
		return "is not UTF-8"
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++ // at the escaped character
		if raw[i] != 'u' {
			continue
		}
		r := hex4(raw[i+1:])
		i += 4
		switch {
		case r == 0:
			return "holds a NUL"
		case 0xDC00 <= r && r <= 0xDFFF:
			return "holds half of a surrogate pair"
		case 0xD800 <= r && r <= 0xDBFF:
			next := raw[i+1:]
			if len(next) < 6 || next[0] != '\\' || next[1] != 'u' || hex4(next[2:])&^0x3FF != 0xDC00 {
				return "holds half of a surrogate pair"
			}
			i += 6
		}
	}
	return ""
}

// hex4 returns the value of the four hexadecimal digits at the start of raw, which
// are valid.
func hex4(raw []byte) uint64 {
	n, _ := strconv.ParseUint(string(raw[:4]), 16, 16)
	return n
}

// typeName names the JSON type of a value.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case json.Number:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "an array"
	}
	return "an object"
}

// readAll reads a document up to the limit, without a byte order mark.
func readAll(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("dcsa: read document: %w", err)
	}
	if len(data) > maxBytes {
		return nil, refuse("$", "too_large", "the document is larger than %d bytes", maxBytes)
	}
	// Windows programs write one; JSON does not allow it.
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), nil
}
