// Package storage opens the store that a URL names, so that a program needs one
// setting for the choice.
package storage

import (
	"errors"
	"strings"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/storage/sqlite"
)

// Options are the settings of a store. The zero value is what Open uses.
type Options struct {
	// CacheBytes bounds the memory in which an SQLite store keeps records that were
	// read; 64 MiB is good for a server. Defaults to 0: no cache. The memory store
	// ignores it.
	CacheBytes int64
	// EndLeases ends the leases of an earlier process on background jobs, so that
	// these jobs are claimed at once. Set it only while holding LockServer.
	EndLeases bool
	// OnCommit is called after each commit of an SQLite store; see
	// sqlite.Options.OnCommit. The memory store ignores it.
	OnCommit func(updates int, took time.Duration, err error)
	// ReadOnly opens an existing SQLite file without changing anything; see
	// sqlite.Options.ReadOnly. The memory store ignores it.
	ReadOnly bool
}

// Open opens the store that url names:
//
//	memory:          an empty store in memory, gone with the process
//	postgres://...   an error: there is no PostgreSQL store yet
//	anything else    the path of an SQLite file, created if there is none
func Open(url string) (store.Store, error) { return OpenWith(url, Options{}) }

// OpenWith is Open with settings.
func OpenWith(url string, o Options) (store.Store, error) {
	if url == "memory:" {
		return memory.New(), nil
	}
	if err := checkPath(url); err != nil {
		return nil, err
	}
	store, err := sqlite.Open(url, sqlite.Options{CacheBytes: o.CacheBytes, EndLeases: o.EndLeases, OnCommit: o.OnCommit, ReadOnly: o.ReadOnly})
	if err != nil {
		// Not the nil *sqlite.Store, which would be a Store that is not nil.
		return nil, err
	}
	return store, nil
}

// checkPath refuses a URL that is not the path of a file.
func checkPath(url string) error {
	switch {
	case strings.HasPrefix(url, "postgres://"), strings.HasPrefix(url, "postgresql://"):
		// Without the URL, which may contain a password.
		return errors.New("storage: PostgreSQL is not supported yet; use memory: or the path of an SQLite file")
	case url == "":
		return errors.New("storage: the store has no name; use memory: or the path of an SQLite file")
	}
	return nil
}

// LockServer keeps a second server away from the store that url names, until
// release is called or the process ends. A server calls it before Open, which may
// change the schema. For a memory store it does nothing.
func LockServer(url string) (release func() error, err error) {
	if url == "memory:" {
		return func() error { return nil }, nil
	}
	if err := checkPath(url); err != nil {
		return nil, err
	}
	return sqlite.LockServer(url)
}

// InUse reports whether another process has the store that url names open. This
// process must not have it open. A memory store is never in use.
func InUse(url string) (bool, error) {
	if url == "memory:" {
		return false, nil
	}
	if err := checkPath(url); err != nil {
		return false, err
	}
	return sqlite.InUse(url)
}

// ServerRunning reports whether a process has the lock of LockServer on the store that
// url names. It changes nothing. A memory store has no other process.
func ServerRunning(url string) (bool, error) {
	if url == "memory:" {
		return false, nil
	}
	if err := checkPath(url); err != nil {
		return false, err
	}
	return sqlite.ServerRunning(url)
}
