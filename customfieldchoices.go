package tracking

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// maxShortText is the longest short_text, in characters.
const maxShortText = 255

// textField: rules min_length and max_length, in characters, and pattern.
type textField struct {
	least, most int
	pattern     *regexp.Regexp
}

func newTextField(r *fieldRuleReader) fieldType {
	r.noFormat()
	f := textField{r.whole("min_length", 0, maxShortText, 0), r.whole("max_length", 1, maxShortText, maxShortText), r.pattern("pattern")}
	if f.least > f.most {
		r.fail("validation.max_length", "out_of_range", "Max length must not be less than min_length, which is %d", f.least)
	}
	return typed[string]{f}
}

func (textField) parse(raw json.RawMessage) (string, *Error) {
	text, fault := fieldText(raw, "a string")
	if fault == nil && !printable(text) {
		return "", badValue("invalid", "Value must be one line of text without control characters")
	}
	return strings.TrimSpace(text), fault // as filters are read
}

func (f textField) check(text string, _ fieldLookup) error {
	switch n := utf8.RuneCountInString(text); {
	case n > f.most:
		return badValue("too_long", "Value must have at most %d characters, and has %d", f.most, n)
	case n < f.least:
		return badValue("too_short", "Value must have at least %d characters, and has %d", f.least, n)
	case f.pattern != nil && !f.pattern.MatchString(text):
		return badValue("pattern", "Value must match the pattern %s", f.pattern)
	}
	return nil
}

func (textField) empty(text string) bool                          { return strings.TrimSpace(text) == "" }
func (textField) store(text string) json.RawMessage               { return marshalText(text) }
func (textField) keys(text string) []string                       { return []string{text} }
func (textField) show(text string, _ fieldLookup) (string, error) { return text, nil }
func (textField) parseText(text string) (string, *Error)          { return strings.TrimSpace(text), nil }

// booleanField has no rules. Its format is the two labels, "Ja|Nein": the first
// is that of true.
type booleanField struct{ yes, no string }

func newBooleanField(r *fieldRuleReader) fieldType {
	f := booleanField{"Yes", "No"}
	if format := r.spec.DefaultFormat; format != "" {
		labels := strings.Split(format, "|")
		if len(labels) != 2 || strings.TrimSpace(labels[0]) == "" || strings.TrimSpace(labels[1]) == "" {
			r.fail("default_format", "invalid", "'%s' is no format of booleans: give two labels, that of true first, as in Yes|No", format)
			return nil
		}
		f.yes, f.no = strings.TrimSpace(labels[0]), strings.TrimSpace(labels[1])
	}
	return typed[bool]{f}
}

func (booleanField) parse(raw json.RawMessage) (v bool, _ *Error) {
	if json.Unmarshal(raw, &v) != nil {
		return false, badValue("invalid_type", "Value must be true or false, not %s", jsonSort(raw))
	}
	return v, nil
}

func (booleanField) parseText(text string) (bool, *Error) {
	if text != "true" && text != "false" {
		return false, badValue("invalid", "Value must be true or false")
	}
	return text == "true", nil
}

func (f booleanField) show(v bool, _ fieldLookup) (string, error) {
	if v {
		return f.yes, nil
	}
	return f.no, nil
}

func (booleanField) check(bool, fieldLookup) error { return nil }
func (booleanField) empty(bool) bool               { return false }
func (f booleanField) keys(v bool) []string        { return []string{string(f.store(v))} }
func (booleanField) store(v bool) json.RawMessage {
	if v {
		return json.RawMessage("true")
	}
	return json.RawMessage("false")
}

// maxOptionValue is the longest value of an option, in characters.
const maxOptionValue = 255

// fieldChoices are the options that values are chosen from.
type fieldChoices []fieldOption

// check refuses what is no option.
func (c fieldChoices) check(value string) error {
	if slices.ContainsFunc(c, func(o fieldOption) bool { return o.Value == value }) {
		return nil
	}
	return badValue("inclusion", "'%s' is no option of this field%s", shortened(value), c.list())
}

// maxListedOptions is how many options a refusal lists.
const maxListedOptions = 20

func (c fieldChoices) list() string {
	if len(c) == 0 {
		return ", which has none yet"
	}
	var values []string
	for _, o := range c[:min(len(c), maxListedOptions)] {
		values = append(values, o.Value)
	}
	if len(c) > maxListedOptions {
		return "; the first are " + joinTypes(values)
	}
	return "; there are " + joinTypes(values)
}

// label is what an option is called. A value whose option is gone stays, and
// says itself.
func (c fieldChoices) label(value string) string {
	for _, o := range c {
		if o.Value == value {
			return o.Label
		}
	}
	return value
}

// shortened keeps what is quoted in a sentence from filling it.
func shortened(s string) string {
	if runes := []rune(s); len(runes) > 40 {
		return string(runes[:40]) + "..."
	}
	return s
}

// enumField has no rules but its options.
type enumField struct{ fieldChoices }

func newEnumField(r *fieldRuleReader) fieldType {
	r.noFormat()
	return typed[string]{enumField{r.spec.Options}}
}

func (enumField) parse(raw json.RawMessage) (string, *Error) {
	text, fault := fieldText(raw, "a string, the value of an option")
	if fault == nil && utf8.RuneCountInString(text) > maxOptionValue {
		return "", badValue("too_long", "Value must have at most %d characters", maxOptionValue)
	}
	return text, fault
}

func (f enumField) beforeOptions() fieldType {
	if len(f.fieldChoices) == 0 {
		return typed[string]{textField{most: maxOptionValue}}
	}
	return typed[string]{f}
}

func (f enumField) check(v string, _ fieldLookup) error          { return f.fieldChoices.check(v) }
func (enumField) empty(v string) bool                            { return v == "" }
func (enumField) store(v string) json.RawMessage                 { return marshalText(v) }
func (enumField) keys(v string) []string                         { return []string{v} }
func (f enumField) show(v string, _ fieldLookup) (string, error) { return f.label(v), nil }
func (f enumField) parseText(v string) (string, *Error)          { return v, nil }

// enumMultiField: rule max_items. The list is a set in the order it was given.
type enumMultiField struct {
	fieldChoices
	most int
	any  bool // there are no options yet, and any value is as good
}

// maxItems is how many options one value may name.
const maxItems = 100

func newEnumMultiField(r *fieldRuleReader) fieldType {
	r.noFormat()
	return typed[[]string]{enumMultiField{fieldChoices: r.spec.Options, most: r.whole("max_items", 1, maxItems, maxItems)}}
}

func (enumMultiField) parse(raw json.RawMessage) ([]string, *Error) {
	if sort := jsonSort(raw); sort != "a list" {
		return nil, badValue("invalid_type", "Value must be a list of values of options, not %s", sort)
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, badValue("invalid", "Value is not JSON")
	}
	list := make([]string, 0, min(len(items), maxItems))
	for _, item := range items {
		v, fault := enumField{}.parse(item)
		if fault != nil {
			fault.Detail = strings.Replace(fault.Detail, "Value", "Each value of the list", 1)
			return nil, fault
		}
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
		if len(list) > maxItems {
			return nil, badValue("too_many", "Value must name at most %d options", maxItems)
		}
	}
	return list, nil
}

func (f enumMultiField) check(list []string, _ fieldLookup) error {
	if len(list) > f.most {
		return badValue("too_many", "Value must name at most %d options, and names %d", f.most, len(list))
	}
	for _, v := range list {
		if err := f.fieldChoices.check(v); err != nil && !f.any {
			return err
		}
	}
	return nil
}

func (f enumMultiField) beforeOptions() fieldType {
	f.any = len(f.fieldChoices) == 0
	return typed[[]string]{f}
}

func (enumMultiField) empty(list []string) bool { return len(list) == 0 }
func (enumMultiField) store(list []string) json.RawMessage {
	items := make([]string, len(list))
	for i, v := range list {
		items[i] = string(marshalText(v))
	}
	return json.RawMessage("[" + strings.Join(items, ",") + "]")
}
func (enumMultiField) keys(list []string) []string { return list }
func (f enumMultiField) show(list []string, _ fieldLookup) (string, error) {
	labels := make([]string, len(list))
	for i, v := range list {
		labels[i] = f.label(v)
	}
	return strings.Join(labels, ", "), nil
}
func (f enumMultiField) parseText(v string) ([]string, *Error) { return []string{v}, nil }

// referenceTypes are the resource types that a reference may point to.
var referenceTypes = []string{"shipment", "container", "tracking_request", "party", "document"}

// fieldReference is what a reference points to.
type fieldReference struct {
	Type string `json:"type"`
	ID   ID     `json:"id"`
}

// referenceField has no rules but the type of its records.
type referenceField struct{ to string }

func newReferenceField(r *fieldRuleReader) fieldType {
	r.noFormat()
	switch to := r.spec.ReferenceType; {
	case to == "":
		r.fail("reference_type", "blank", "Reference type can't be blank for a reference; there are %s", joinTypes(referenceTypes))
	case !slices.Contains(referenceTypes, to):
		r.fail("reference_type", "inclusion", "'%s' is no type that a reference can point to; there are %s", shortened(to), joinTypes(referenceTypes))
	}
	return typed[fieldReference]{referenceField{r.spec.ReferenceType}}
}

// parse takes an object with type and id, as relationships have them.
func (f referenceField) parse(raw json.RawMessage) (fieldReference, *Error) {
	if sort := jsonSort(raw); sort != "an object" {
		return fieldReference{}, badValue("invalid_type", "Value must be an object with type and id, not %s", sort)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return fieldReference{}, badValue("invalid", "Value is not JSON")
	}
	var texts [2]string
	for i, name := range []string{"type", "id"} {
		text, fault := fieldText(members[name], "a string")
		if fault != nil {
			return fieldReference{}, badValue("invalid_type", "Value must have the members type and id, and both must be strings")
		}
		texts[i] = text
	}
	if len(members) > 2 {
		return fieldReference{}, badValue("invalid", "Value must have no members but type and id")
	}
	if texts[0] != f.to {
		return fieldReference{}, badValue("inclusion", "Value must refer to a %s, not to a '%s'", f.to, shortened(texts[0]))
	}
	return f.parseText(texts[1])
}

func (f referenceField) parseText(text string) (fieldReference, *Error) {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != 36 {
		return fieldReference{}, badValue("invalid", "Value must name its record by a UUID")
	}
	return fieldReference{f.to, id}, nil
}

func (f referenceField) check(v fieldReference, look fieldLookup) error {
	_, ok, err := look(v.Type, v.ID)
	if err == nil && !ok {
		return badValue("not_found", "There is no %s with the ID %s", f.to, v.ID)
	}
	return err
}

func (referenceField) empty(fieldReference) bool { return false }
func (referenceField) store(v fieldReference) json.RawMessage {
	return json.RawMessage(`{"type":"` + v.Type + `","id":"` + v.ID.String() + `"}`)
}
func (referenceField) keys(v fieldReference) []string { return []string{v.ID.String()} }

// show is what the record is called, and its ID where that is not known.
func (f referenceField) show(v fieldReference, look fieldLookup) (string, error) {
	if look == nil {
		return v.ID.String(), nil
	}
	label, ok, err := look(v.Type, v.ID)
	if err != nil || !ok || label == "" {
		label = v.ID.String()
	}
	return label, err
}
