// Package storage opens the store that a URL names, so that a program needs one
// setting for the choice.
package storage

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/storedriver"
	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/storage/sqlite"
)

// Options are the settings of a store. The zero value is what Open uses.
type Options struct {
	// CacheBytes bounds the memory in which an SQLite store keeps records that were
	// read; 64 MiB is good for a server. Defaults to 0: no cache. Other stores ignore
	// it.
	CacheBytes int64
	// EndLeases ends the leases of an earlier process on background jobs, so that
	// these jobs are claimed at once. Set it only while holding LockServer. A PostgreSQL
	// store ignores it: other nodes have leases.
	EndLeases bool
	// OnCommit is called after each commit; see sqlite.Options.OnCommit. The memory store
	// ignores it.
	OnCommit func(updates int, took time.Duration, err error)
	// ReadOnly opens an existing SQLite file or PostgreSQL database without changing
	// anything; see sqlite.Options.ReadOnly. The memory store ignores it.
	ReadOnly bool
}

// Open opens the store that url names:
//
//	memory:          an empty store in memory, gone with the process
//	postgres://...   a PostgreSQL database, if the program imports storage/postgres
//	anything else    the path of an SQLite file, created if there is none
func Open(url string) (store.Store, error) { return OpenWith(url, Options{}) }

// OpenWith is Open with settings.
func OpenWith(url string, o Options) (store.Store, error) {
	if url == "memory:" {
		return memory.New(), nil
	}
	if IsPostgres(url) && storedriver.Postgres != nil {
		return storedriver.Postgres(url, storedriver.Options{OnCommit: o.OnCommit, ReadOnly: o.ReadOnly})
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

// IsPostgres reports whether url names a PostgreSQL database.
func IsPostgres(url string) bool {
	return strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")
}

// checkPath refuses a URL that is not the path of a file.
func checkPath(url string) error {
	scheme, _, isURL := strings.Cut(url, "://")
	switch {
	case IsPostgres(url) && storedriver.Postgres == nil:
		// Without the URL, which may contain a password.
		return errors.New("storage: this program cannot open a PostgreSQL database: it has to import storage/postgres")
	case IsPostgres(url):
		return errors.New("storage: a PostgreSQL database is no file")
	case isURL:
		return fmt.Errorf("storage: there is no store for %s://; use memory:, the path of an SQLite file, or postgres://", scheme)
	case url == "":
		return errors.New("storage: the store has no name; use memory:, the path of an SQLite file, or the URL of a PostgreSQL database")
	}
	return nil
}

// LockServer keeps a second server away from the store that url names, until
// release is called or the process ends. A server calls it before Open, which may
// change the schema. For a memory store it does nothing, and for a PostgreSQL database,
// which several servers share.
func LockServer(url string) (release func() error, err error) {
	if url == "memory:" || IsPostgres(url) && storedriver.Postgres != nil {
		return func() error { return nil }, nil
	}
	if err := checkPath(url); err != nil {
		return nil, err
	}
	return sqlite.LockServer(url)
}

// InUse reports whether another process has the store that url names open. This
// process must not have it open. A memory store is never in use. For a PostgreSQL database
// it returns an error.
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
// url names. It changes nothing. A memory store has no other process. For a PostgreSQL
// database, which has no such lock, it returns an error.
func ServerRunning(url string) (bool, error) {
	if url == "memory:" {
		return false, nil
	}
	if err := checkPath(url); err != nil {
		return false, err
	}
	return sqlite.ServerRunning(url)
}
