package fieldtype

import (
	"encoding/json"
	"fmt"
)

// Value is a valid value.
type Value struct {
	// JSON is the canonical form, which is stored and shown: equal values have
	// equal bytes. "null" is no value.
	JSON json.RawMessage
	// Display is the formatted value; empty for no value.
	Display string
	// Keys are the index keys: texts whose byte order is that of the values. One
	// for most types, one for each item of an enum_multi, none for no value and for
	// an empty list.
	Keys []string
}

func noValue() Value { return Value{JSON: json.RawMessage("null")} }

// codec reads the values of a Type. Its JSON arguments are well-formed and not null.
type codec interface {
	parse(raw json.RawMessage, required bool, look Lookup) (Value, error)
	restore(stored json.RawMessage, look Lookup) (Value, error)
	key(text string) (string, error)
	withoutOptions() codec
}

// field implements a data type with values of the Go type T.
type field[T any] interface {
	// parse reads and normalizes JSON.
	parse(raw json.RawMessage) (T, *Error)
	// empty values do not satisfy required.
	empty(T) bool
	// check validates a value. It returns an Error or an error of look.
	check(v T, look Lookup) error
	// store returns the canonical JSON, which parse reads as the same value.
	store(T) json.RawMessage
	keys(T) []string
	show(v T, look Lookup) (string, error)
	// parseText reads a value as filters spell it.
	parseText(text string) (T, *Error)
}

// fieldCodec implements codec with a field.
type fieldCodec[T any] struct{ field field[T] }

func (c fieldCodec[T]) parse(raw json.RawMessage, required bool, look Lookup) (Value, error) {
	v, fault := c.field.parse(raw)
	switch {
	case fault != nil:
		return Value{}, fault
	case required && c.field.empty(v):
		return Value{}, valueError("required", "A value is required, and this one is empty")
	}
	if err := c.field.check(v, look); err != nil {
		return Value{}, err
	}
	return c.value(v, look)
}

func (c fieldCodec[T]) restore(stored json.RawMessage, look Lookup) (Value, error) {
	v, fault := c.field.parse(stored)
	if fault != nil {
		return Value{}, fmt.Errorf("tracking: a stored custom field cannot be read: %w", fault)
	}
	return c.value(v, look)
}

func (c fieldCodec[T]) value(v T, look Lookup) (Value, error) {
	display, err := c.field.show(v, look)
	return Value{JSON: c.field.store(v), Display: display, Keys: c.field.keys(v)}, err
}

func (c fieldCodec[T]) key(text string) (string, error) {
	v, fault := c.field.parseText(text)
	if fault != nil {
		return "", fault
	}
	return c.field.keys(v)[0], nil
}

// withoutOptions accepts any option if the definition has none yet.
func (c fieldCodec[T]) withoutOptions() codec {
	if f, ok := c.field.(interface{ withoutOptions() codec }); ok {
		return f.withoutOptions()
	}
	return c
}
