package fieldtype

import (
	"fmt"
	"strings"
)

// Error is what a definition or a value may not be.
type Error struct {
	// Field is "value", "default_value" or a member of the definition.
	Field string
	// Code is a stable word for programs.
	Code string
	// Detail is a sentence for people.
	Detail string
}

func (e *Error) Error() string { return e.Detail }

// Errors is all that is wrong with a definition.
type Errors []*Error

func (e Errors) Error() string {
	texts := make([]string, len(e))
	for i, err := range e {
		texts[i] = err.Field + ": " + err.Detail
	}
	return strings.Join(texts, "; ")
}

func newError(field, code, format string, args ...any) *Error {
	return &Error{Field: field, Code: code, Detail: fmt.Sprintf(format, args...)}
}

func valueError(code, format string, args ...any) *Error {
	return newError("value", code, format, args...)
}
