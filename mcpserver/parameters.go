package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// parameter is one argument of a tool or a prompt.
type parameter struct {
	name     string
	kind     kind
	about    string
	required bool
	allowed  []string // of a text or of the members of a list; nil for any
	longest  int      // of a text, in characters; 0 for maxArgument
}

// kind is the type of an argument.
type kind uint8

const (
	text kind = iota
	identifier
	flag
	count // a whole number from 1 on
	texts
	textMap
	moment   // an RFC 3339 time
	zoneName // an IANA time zone
)

// The bounds of arguments.
const (
	maxArgument = 500 // characters of a text
	maxMembers  = 100 // of a list or an object
)

// schema returns the JSON Schema of the argument.
func (p *parameter) schema() map[string]any {
	s := map[string]any{"description": p.about}
	switch p.kind {
	case text, zoneName:
		s["type"] = "string"
		s["maxLength"] = p.limit()
		if p.required {
			s["minLength"] = 1
		}
		if p.allowed != nil {
			s["enum"] = p.allowed
		}
	case identifier:
		s["type"], s["format"] = "string", "uuid"
	case moment:
		s["type"], s["format"] = "string", "date-time"
	case flag:
		s["type"] = "boolean"
	case count:
		s["type"], s["minimum"] = "integer", 1
	case texts:
		member := map[string]any{"type": "string", "maxLength": p.limit()}
		if p.allowed != nil {
			member["enum"] = p.allowed
		}
		s["type"], s["items"], s["maxItems"] = "array", member, maxMembers
	case textMap:
		s["type"], s["additionalProperties"], s["maxProperties"] = "object", map[string]any{"type": "string"}, maxMembers
	}
	return s
}

func (p *parameter) limit() int {
	if p.longest != 0 {
		return p.longest
	}
	return maxArgument
}

// arguments are the checked arguments of a call: absent ones are not there.
type arguments map[string]any

// inputError is an argument that is missing or wrong.
type inputError struct{ parameter, text string }

func (e *inputError) Error() string { return e.parameter + ": " + e.text }

// readArguments checks the arguments of a call. Unknown ones are dropped, and null is absent.
func readArguments(list []parameter, given json.RawMessage) (arguments, error) {
	raw := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(given)) > 0 {
		if err := json.Unmarshal(given, &raw); err != nil {
			return nil, &inputError{"arguments", "must be an object"}
		}
	}
	read := arguments{}
	for i := range list {
		p := &list[i]
		value, ok := raw[p.name]
		if !ok || string(value) == "null" {
			if p.required {
				return nil, &inputError{p.name, "is required"}
			}
			continue
		}
		v, fault := p.read(value)
		if fault != "" {
			return nil, &inputError{p.name, fault}
		}
		read[p.name] = v
	}
	return read, nil
}

// read returns the value, or what is wrong with it.
func (p *parameter) read(value json.RawMessage) (v any, fault string) {
	switch p.kind {
	case flag:
		return decodeAs[bool](value, "must be true or false")
	case count:
		n, fault := decodeAs[float64](value, "must be a whole number from 1 on")
		if fault != "" || n != math.Trunc(n) || n < 1 || n > 1e6 {
			return nil, "must be a whole number from 1 on"
		}
		return int(n), ""
	case texts:
		return p.readTexts(value)
	case textMap:
		return p.readMap(value)
	default:
		s, fault := decodeAs[string](value, "must be a text")
		if fault != "" {
			return nil, fault
		}
		return p.readText(s)
	}
}

func decodeAs[T any](value json.RawMessage, otherwise string) (v T, fault string) {
	if json.Unmarshal(value, &v) != nil {
		return v, otherwise
	}
	return v, ""
}

func (p *parameter) readText(s string) (v any, fault string) {
	s = strings.TrimSpace(s)
	switch {
	case utf8.RuneCountInString(s) > p.limit():
		return nil, fmt.Sprintf("must have at most %d characters", p.limit())
	case s == "" && p.required:
		return nil, "must not be empty"
	case s != "" && p.allowed != nil && !slices.Contains(p.allowed, s):
		return nil, "must be one of " + strings.Join(p.allowed, ", ")
	}
	switch p.kind {
	case identifier:
		return readID(s)
	case moment:
		at, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return nil, "must be a time with its zone, such as 2026-03-01T12:00:00Z"
		}
		return at, ""
	case zoneName:
		if s == "" {
			return s, ""
		}
		if _, err := time.LoadLocation(s); err != nil || s == "Local" {
			return nil, "must be an IANA time zone, such as Europe/Berlin"
		}
	}
	return s, ""
}

// readID accepts a UUID in its usual form alone: others would be another path.
func readID(s string) (v any, fault string) {
	id, err := uuid.Parse(s)
	if err != nil || len(s) != 36 {
		return nil, "must be an ID (UUID), such as those that search_container returns; it is not the number of a container"
	}
	return id.String(), ""
}

func (p *parameter) readTexts(value json.RawMessage) (v any, fault string) {
	list, fault := decodeAs[[]string](value, "must be a list of texts")
	if fault != "" {
		return nil, fault
	}
	if len(list) > maxMembers {
		return nil, fmt.Sprintf("must have at most %d members", maxMembers)
	}
	for _, s := range list {
		if _, fault := p.readText(s); fault != "" {
			return nil, fault
		}
	}
	return list, ""
}

func (p *parameter) readMap(value json.RawMessage) (v any, fault string) {
	m, fault := decodeAs[map[string]string](value, "must be an object of texts")
	if fault != "" {
		return nil, fault
	}
	if len(m) > maxMembers {
		return nil, fmt.Sprintf("must have at most %d members", maxMembers)
	}
	for name, s := range m {
		if len(name)+len(s) > maxArgument {
			return nil, fmt.Sprintf("must have members of at most %d characters", maxArgument)
		}
	}
	return m, ""
}

// The arguments by name; zero if absent.

func (a arguments) text(name string) string    { s, _ := a[name].(string); return s }
func (a arguments) list(name string) []string  { l, _ := a[name].([]string); return l }
func (a arguments) number(name string) int     { n, _ := a[name].(int); return n }
func (a arguments) time(name string) time.Time { t, _ := a[name].(time.Time); return t }

// flag returns a flag, or the default.
func (a arguments) flag(name string, otherwise bool) bool {
	if b, ok := a[name].(bool); ok {
		return b
	}
	return otherwise
}
