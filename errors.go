package tracking

import (
	"errors"
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/store"
)

// ErrorKind says what sort of failure an Error is. It carries no HTTP status:
// httpserver holds the one table from kinds to statuses.
type ErrorKind uint8

// The kinds of errors. Whatever has no kind is internal: its text is for the
// log, never for the caller.
const (
	Internal     ErrorKind = iota // a fault of ours or of the machine
	Invalid                       // a value is well-formed but not allowed; Field names it
	BadQuery                      // a query argument (include, filter, sort, page) cannot be understood; Field names it
	BadDocument                   // the document handed in has the wrong shape; Field is the path of the fault
	NotFound                      // no such record in this account
	Conflict                      // the record exists already, or a key was used for something else
	Stale                         // IfVersion does not match the record
	Unauthorized                  // no key, or one that is not valid
	Forbidden                     // the actor lacks the permission
	Unavailable                   // the store cannot take writes now; try again later
)

// Error is the error that the methods of Tracker return for anything a caller
// can mend.
type Error struct {
	// Kind is the sort of failure.
	Kind ErrorKind
	// Field names what was wrong, as the interface spells it: an attribute
	// ("ref_numbers", "facts[3].at"), a relationship ("relationships/customer")
	// or a query argument ("include"). Empty when no one field is to blame.
	Field string
	// Code is a stable word for programs: "blank", "duplicate", "not_recognized".
	Code string
	// Title overrides the title that goes with the kind. Usually empty.
	Title string
	// Detail is a sentence for people: what was wrong and what is allowed.
	Detail string
	// Meta carries facts a program can use, such as tracking_request_id.
	Meta map[string]any
}

// Error returns the detail, led by the field when there is one.
func (e *Error) Error() string {
	if e.Field != "" {
		return e.Field + ": " + e.Detail
	}
	if e.Detail == "" {
		return e.Code
	}
	return e.Detail
}

// Is makes errors.Is(err, ErrNotFound) true for every Error of that kind.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrNotFound:
		return e.Kind == NotFound
	case ErrStale:
		return e.Kind == Stale
	}
	return false
}

// Errors is several faults of one call, found together.
type Errors []*Error

// Error joins the texts of all faults.
func (e Errors) Error() string {
	texts := make([]string, len(e))
	for i, err := range e {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap gives errors.Is and errors.As the single faults.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

// or returns nil for no faults, the fault itself for one, e for more.
func (e Errors) or() error {
	switch len(e) {
	case 0:
		return nil
	case 1:
		return e[0]
	}
	return e
}

// The sentinels. Those of the store contract are the store's own.
var (
	// ErrNotFound: the account has no such record. A record of another account
	// is not found in exactly the same way.
	ErrNotFound = store.ErrNotFound
	// ErrReadOnly: a write inside View.
	ErrReadOnly = store.ErrReadOnly
	// ErrLeaseLost: the job's token is no longer its own.
	ErrLeaseLost = store.ErrLeaseLost
	// ErrStale: IfVersion did not match.
	ErrStale = errors.New("tracking: record has changed")
	// ErrUnavailable: the store cannot serve the call now (locked, full,
	// read-only file system); the same call may succeed later.
	ErrUnavailable = store.ErrUnavailable
	// ErrClosed: the store or the tracker is closed.
	ErrClosed = store.ErrClosed
)

// invalid is the usual fault: one field, a code, and what is allowed.
func invalid(field, code, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Field: field, Code: code, Detail: fmt.Sprintf(format, args...)}
}

func badQuery(field, format string, args ...any) *Error {
	return &Error{Kind: BadQuery, Field: field, Detail: fmt.Sprintf(format, args...)}
}

func notFound() *Error { return &Error{Kind: NotFound} }
