package store

import (
	"context"
	"time"
)

// WindowStore is implemented by stores that several processes share: it counts events of all of
// them. With other stores each process counts its own.
type WindowStore interface {
	// Windows returns the windows with this name. All with one name have the same length, in
	// whole milliseconds, at most a day.
	Windows(name string, length time.Duration) Windows
}

// Windows counts events in rolling windows, one for each scope. Counts are exact: with a
// length of 60 s and a limit of N, an event is admitted if and only if fewer than N events
// are in the 60 s before it. It is safe for concurrent use.
//
// now is the time of an event. Windows that several processes share use the clock of their
// database instead. Errors are those of the store.
type Windows interface {
	// Allow records one event in each scope if all have room, and otherwise in none. wait is
	// then after how many whole seconds, at least 1, the same call is admitted if nothing else
	// is recorded. A scope that is named twice counts once, with the smallest limit.
	Allow(ctx context.Context, now time.Time, quotas ...Quota) (wait time.Duration, ok bool, err error)
	// Full reports whether a scope has as many events as its limit or more, and for how many
	// whole seconds, at least 1, it remains so. It records nothing. Full and Record count events
	// that cannot be refused: "more than 100" is a limit of 101.
	Full(ctx context.Context, now time.Time, q Quota) (wait time.Duration, full bool, err error)
	// Record records an event even if there is no room. Use either Allow or Record for a scope.
	Record(ctx context.Context, now time.Time, q Quota) error
}

// Scope is what has a window, such as an account in one bucket, or a network address.
type Scope struct {
	// Kind distinguishes scopes with the same ID. The caller defines its values.
	Kind uint8
	// ID is a UUID, an address in its 16-byte form, or a hash.
	ID [16]byte
}

// Quota is the limit of one scope.
type Quota struct {
	Scope Scope
	// Limit is the most events in a window. If it is 0 or less, there is no limit and nothing
	// is recorded.
	Limit int
}
