package fieldtype

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxOptionValue is the longest value of an option, in characters.
const maxOptionValue = 255

// options are the options that values are chosen from.
type options []Option

// check refuses a value that is no option.
func (c options) check(value string) error {
	if slices.ContainsFunc(c, func(o Option) bool { return o.Value == value }) {
		return nil
	}
	return valueError("inclusion", "'%s' is no option of this field%s", shortened(value), c.list())
}

// maxListedOptions is how many options a refusal lists.
const maxListedOptions = 20

func (c options) list() string {
	if len(c) == 0 {
		return ", which has none yet"
	}
	var values []string
	for _, o := range c[:min(len(c), maxListedOptions)] {
		values = append(values, o.Value)
	}
	if len(c) > maxListedOptions {
		return "; the first are " + JoinNames(values)
	}
	return "; there are " + JoinNames(values)
}

// label returns the label of an option. A value whose option was deleted is its own
// label.
func (c options) label(value string) string {
	for _, o := range c {
		if o.Value == value {
			return o.Label
		}
	}
	return value
}

// shortened bounds a text of the caller in a sentence.
func shortened(s string) string {
	if runes := []rune(s); len(runes) > 40 {
		return string(runes[:40]) + "..."
	}
	return s
}

// enumField has no rules except its options.
type enumField struct{ options }

func newEnumField(r *ruleReader) codec {
	r.noFormat()
	return fieldCodec[string]{enumField{r.spec.Options}}
}

func (enumField) parse(raw json.RawMessage) (string, *Error) {
	text, fault := decodeString(raw, "a string, the value of an option")
	if fault == nil && utf8.RuneCountInString(text) > maxOptionValue {
		return "", valueError("too_long", "Value must have at most %d characters", maxOptionValue)
	}
	return text, fault
}

func (f enumField) withoutOptions() codec {
	if len(f.options) == 0 {
		return fieldCodec[string]{textField{most: maxOptionValue}}
	}
	return fieldCodec[string]{f}
}

func (f enumField) check(v string, _ Lookup) error          { return f.options.check(v) }
func (enumField) empty(v string) bool                       { return v == "" }
func (enumField) store(v string) json.RawMessage            { return encodeString(v) }
func (enumField) keys(v string) []string                    { return []string{v} }
func (f enumField) show(v string, _ Lookup) (string, error) { return f.label(v), nil }
func (f enumField) parseText(v string) (string, *Error)     { return v, nil }

// enumMultiField has the rule max_items. The list is a set, in the order given.
type enumMultiField struct {
	options
	most int
	any  bool // there are no options yet, and any value is accepted
}

// maxItems is how many options one value may name.
const maxItems = 100

func newEnumMultiField(r *ruleReader) codec {
	r.noFormat()
	return fieldCodec[[]string]{enumMultiField{options: r.spec.Options, most: r.whole("max_items", 1, maxItems, maxItems)}}
}

func (enumMultiField) parse(raw json.RawMessage) ([]string, *Error) {
	if kind := jsonKind(raw); kind != "a list" {
		return nil, valueError("invalid_type", "Value must be a list of values of options, not %s", kind)
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, valueError("invalid", "Value is not JSON")
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
			return nil, valueError("too_many", "Value must name at most %d options", maxItems)
		}
	}
	return list, nil
}

func (f enumMultiField) check(list []string, _ Lookup) error {
	if len(list) > f.most {
		return valueError("too_many", "Value must name at most %d options, and names %d", f.most, len(list))
	}
	for _, v := range list {
		if err := f.options.check(v); err != nil && !f.any {
			return err
		}
	}
	return nil
}

func (f enumMultiField) withoutOptions() codec {
	f.any = len(f.options) == 0
	return fieldCodec[[]string]{f}
}

func (enumMultiField) empty(list []string) bool { return len(list) == 0 }
func (enumMultiField) store(list []string) json.RawMessage {
	items := make([]string, len(list))
	for i, v := range list {
		items[i] = string(encodeString(v))
	}
	return json.RawMessage("[" + strings.Join(items, ",") + "]")
}
func (enumMultiField) keys(list []string) []string { return list }
func (f enumMultiField) show(list []string, _ Lookup) (string, error) {
	labels := make([]string, len(list))
	for i, v := range list {
		labels[i] = f.label(v)
	}
	return strings.Join(labels, ", "), nil
}
func (f enumMultiField) parseText(v string) ([]string, *Error) { return []string{v}, nil }
