package tracking

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/store"
)

// ErrorKind classifies an Error. Package httpserver maps kinds to HTTP statuses.
type ErrorKind uint8

// The kinds of errors. An error without a kind is internal: its text belongs in the log
// and is not shown to the caller.
const (
	Internal     ErrorKind = iota // a fault of the program or of the machine
	Invalid                       // a value is well-formed but not allowed; Field names it
	BadQuery                      // a query argument (include, filter, sort, page) cannot be understood; Field names it
	BadDocument                   // the given document has the wrong shape; Field is the path of the fault
	NotFound                      // no such record in this account
	Conflict                      // the record exists already, or a key was used for something else
	Stale                         // IfVersion does not match the record
	Unauthorized                  // no key, or one that is not valid
	Forbidden                     // the actor lacks the permission
	Unavailable                   // the store cannot take writes now; try again later
	Limited                       // too many attempts; Meta has retry_after, in seconds
)

var errorKindNames = [...]string{
	Internal: "internal error", Invalid: "invalid value", BadQuery: "bad query", BadDocument: "bad document", NotFound: "not found",
	Conflict: "conflict", Stale: "stale version", Unauthorized: "unauthorized", Forbidden: "forbidden", Unavailable: "unavailable",
	Limited: "too many attempts",
}

// String returns the kind in words: "not found".
func (k ErrorKind) String() string {
	if int(k) < len(errorKindNames) {
		return errorKindNames[k]
	}
	return fmt.Sprintf("error kind %d", uint8(k))
}

// Error is the error that the methods of Tracker return for anything a caller
// can correct.
type Error struct {
	// Kind is the sort of failure.
	Kind ErrorKind
	// Field is what was wrong, as the interface spells it: an attribute
	// ("ref_numbers", "facts[3].at"), a relationship ("relationships/customer")
	// or a query argument ("include"). Empty if the error is not about one field.
	Field string
	// Code is a stable word for programs: "blank", "duplicate", "not_recognized".
	Code string
	// Title overrides the title of the kind. Usually empty.
	Title string
	// Detail is a sentence for people: what was wrong and what is allowed.
	Detail string
	// Meta has values for programs, such as tracking_request_id.
	Meta map[string]any
}

// Error returns the field, if any, and the detail; without a detail, the title, the
// code or the name of the kind. It is never empty.
func (e *Error) Error() string {
	text := cmp.Or(e.Detail, e.Title, e.Code, e.Kind.String())
	if e.Field != "" {
		return e.Field + ": " + text
	}
	return text
}

// Is makes errors.Is with ErrNotFound, ErrStale and ErrUnavailable true for every Error
// of that kind.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrNotFound:
		return e.Kind == NotFound
	case ErrStale:
		return e.Kind == Stale
	case ErrUnavailable:
		return e.Kind == Unavailable
	}
	return false
}

// Errors is several errors of one call.
type Errors []*Error

// Error joins the texts with semicolons. It is never empty.
func (e Errors) Error() string {
	texts := make([]string, len(e))
	for i, err := range e {
		texts[i] = err.Error()
	}
	return cmp.Or(strings.Join(texts, "; "), "no error")
}

// Unwrap returns the single errors, for errors.Is and errors.As.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

// or returns nil if e is empty, the error itself if it is the only one, and e otherwise.
func (e Errors) or() error {
	switch len(e) {
	case 0:
		return nil
	case 1:
		return e[0]
	}
	return e
}

// The errors for errors.Is. The first three are those of package store.
var (
	// ErrNotFound: the account has no such record. A record of another account gives
	// the same error.
	ErrNotFound = store.ErrNotFound
	// ErrUnavailable: the store cannot serve the call now (locked, full,
	// read-only file system); the same call may succeed later.
	ErrUnavailable = store.ErrUnavailable
	// ErrClosed: the store or the tracker is closed.
	ErrClosed = store.ErrClosed
	// ErrStale: IfVersion did not match.
	ErrStale = errors.New("tracking: record has changed")
	// ErrMasterKey is returned by New if the secrets of the store are sealed with a key
	// that is neither Config.MasterKey nor one of Config.OldMasterKeys.
	ErrMasterKey = errors.New("tracking: the secrets of this store are sealed with another key than Config.MasterKey; set that key, or add it to Config.OldMasterKeys")
)

// invalid returns an error about the value of one field.
func invalid(field, code, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Field: field, Code: code, Detail: fmt.Sprintf(format, args...)}
}

func badQuery(field, format string, args ...any) *Error {
	return &Error{Kind: BadQuery, Field: field, Detail: fmt.Sprintf(format, args...)}
}

func notFound() *Error { return &Error{Kind: NotFound} }
