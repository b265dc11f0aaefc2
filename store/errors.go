package store

import "errors"

// The errors of the contract. A store may wrap them.
var (
	// ErrNotFound: the account has no such record. A record of another account
	// is not found in exactly the same way.
	ErrNotFound = errors.New("store: not found")
	// ErrReadOnly: a write inside View.
	ErrReadOnly = errors.New("store: write inside a view")
	// ErrLeaseLost: the job's token is no longer its own: the lease ran out and
	// another claim took it, or the job was enqueued again.
	ErrLeaseLost = errors.New("store: lease lost")
	// ErrUnavailable: the store cannot serve the call now (locked, full,
	// read-only file system); the same call may succeed later.
	ErrUnavailable = errors.New("store: unavailable")
	// ErrClosed: the store is closed.
	ErrClosed = errors.New("store: closed")
)
