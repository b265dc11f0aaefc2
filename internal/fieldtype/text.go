package fieldtype

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxShortText is the longest short_text, in characters.
const maxShortText = 255

// textField has the rules min_length and max_length, in characters, and pattern.
type textField struct {
	least, most int
	pattern     *regexp.Regexp
}

func newTextField(r *ruleReader) codec {
	r.noFormat()
	f := textField{r.whole("min_length", 0, maxShortText, 0), r.whole("max_length", 1, maxShortText, maxShortText), r.pattern("pattern")}
	if f.least > f.most {
		r.fail("validation.max_length", "out_of_range", "Max length must not be less than min_length, which is %d", f.least)
	}
	return fieldCodec[string]{f}
}

func (textField) parse(raw json.RawMessage) (string, *Error) {
	text, fault := decodeString(raw, "a string")
	if fault == nil && !printable(text) {
		return "", valueError("invalid", "Value must be one line of text without control characters")
	}
	return strings.TrimSpace(text), fault // filters are trimmed too
}

func (f textField) check(text string, _ Lookup) error {
	switch n := utf8.RuneCountInString(text); {
	case n > f.most:
		return valueError("too_long", "Value must have at most %d characters, and has %d", f.most, n)
	case n < f.least:
		return valueError("too_short", "Value must have at least %d characters, and has %d", f.least, n)
	case f.pattern != nil && !f.pattern.MatchString(text):
		return valueError("pattern", "Value must match the pattern %s", f.pattern)
	}
	return nil
}

func (textField) empty(text string) bool                     { return strings.TrimSpace(text) == "" }
func (textField) store(text string) json.RawMessage          { return encodeString(text) }
func (textField) keys(text string) []string                  { return []string{text} }
func (textField) show(text string, _ Lookup) (string, error) { return text, nil }
func (textField) parseText(text string) (string, *Error)     { return strings.TrimSpace(text), nil }

// booleanField has no rules. Its format is two labels, that of true first: "Ja|Nein".
type booleanField struct{ yes, no string }

func newBooleanField(r *ruleReader) codec {
	f := booleanField{"Yes", "No"}
	if format := r.spec.DefaultFormat; format != "" {
		labels := strings.Split(format, "|")
		if len(labels) != 2 || strings.TrimSpace(labels[0]) == "" || strings.TrimSpace(labels[1]) == "" {
			r.fail("default_format", "invalid", "'%s' is no format of booleans: give two labels, that of true first, as in Yes|No", format)
			return nil
		}
		f.yes, f.no = strings.TrimSpace(labels[0]), strings.TrimSpace(labels[1])
	}
	return fieldCodec[bool]{f}
}

func (booleanField) parse(raw json.RawMessage) (v bool, _ *Error) {
	if json.Unmarshal(raw, &v) != nil {
		return false, valueError("invalid_type", "Value must be true or false, not %s", jsonKind(raw))
	}
	return v, nil
}

func (booleanField) parseText(text string) (bool, *Error) {
	if text != "true" && text != "false" {
		return false, valueError("invalid", "Value must be true or false")
	}
	return text == "true", nil
}

func (f booleanField) show(v bool, _ Lookup) (string, error) {
	if v {
		return f.yes, nil
	}
	return f.no, nil
}

func (booleanField) check(bool, Lookup) error { return nil }
func (booleanField) empty(bool) bool          { return false }
func (f booleanField) keys(v bool) []string   { return []string{string(f.store(v))} }
func (booleanField) store(v bool) json.RawMessage {
	if v {
		return json.RawMessage("true")
	}
	return json.RawMessage("false")
}
