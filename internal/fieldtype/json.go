package fieldtype

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// maxJSON bounds the JSON of one value, in bytes.
const maxJSON = 64 << 10

// checkJSON refuses invalid JSON, including what encoding/json replaces: invalid UTF-8
// and unpaired surrogates.
func checkJSON(raw json.RawMessage) *Error {
	switch {
	case len(raw) > maxJSON:
		return valueError("too_long", "Value is longer than %d bytes", maxJSON)
	case !utf8.Valid(raw):
		return valueError("invalid", "Value holds text that is not UTF-8")
	case !json.Valid(raw):
		return valueError("invalid", "Value is not JSON")
	}
	return nil
}

// Encode converts a Go value to JSON. Errors: an Error on value if JSON cannot
// represent it, such as NaN.
func Encode(v any) (json.RawMessage, error) {
	if text, ok := v.(string); ok && !utf8.ValidString(text) {
		return nil, valueError("invalid", "Value holds text that is not UTF-8")
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, valueError("invalid_type", "Value cannot be a %T of this kind: JSON has no form for it", v)
	}
	return raw, nil
}

// Compact returns nil for null, and removes blanks between members, so that repeating a
// value is no change.
func Compact(raw json.RawMessage) json.RawMessage {
	if text := bytes.TrimSpace(raw); len(text) == 0 || isNull(text) {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw // refused when it is parsed
	}
	return b.Bytes()
}

func isNull(raw json.RawMessage) bool { return bytes.Equal(bytes.TrimSpace(raw), []byte("null")) }

// jsonKind names the JSON type, for an error.
func jsonKind(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// decodeString reads a JSON string.
func decodeString(raw json.RawMessage, want string) (string, *Error) {
	if kind := jsonKind(raw); kind != "a string" {
		return "", valueError("invalid_type", "Value must be %s, not %s", want, kind)
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", valueError("invalid", "Value is not JSON")
	}
	if strings.ContainsRune(s, utf8.RuneError) && !strings.ContainsRune(string(raw), utf8.RuneError) && !strings.Contains(strings.ToLower(string(raw)), `\ufffd`) {
		return "", valueError("invalid", "Value holds half of a surrogate pair, which is no character")
	}
	return s, nil
}

func encodeString(s string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always can
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// printable reports whether s is one line of UTF-8 without control characters.
func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}
