// Package storage opens the store that a URL names, so that a program can take
// the choice as one setting.
package storage

import (
	"errors"
	"strings"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/storage/sqlite"
)

// Options are settings that a program may have a store opened with. The zero
// value is what Open uses.
type Options struct {
	// CacheBytes bounds the memory in which a SQLite store keeps records that
	// were read, to hand them out again: 64 MiB is good for a server. Defaults
	// to 0: nothing is kept. The store in memory has no use for it.
	CacheBytes int64
	// EndLeases ends what an earlier process had claimed of the background work, so
	// that it is taken up at once and not when its leases end. It is for who holds
	// LockServer.
	EndLeases bool
}

// Open opens the store that url names:
//
//	memory:          an empty store in memory, gone with the process
//	postgres://...   not there yet: an error
//	anything else    the path of a SQLite file, made when there is none
func Open(url string) (store.Store, error) { return OpenWith(url, Options{}) }

// OpenWith is Open with settings.
func OpenWith(url string, o Options) (store.Store, error) {
	if url == "memory:" {
		return memory.New(), nil
	}
	if err := checkPath(url); err != nil {
		return nil, err
	}
	store, err := sqlite.Open(url, sqlite.Options{CacheBytes: o.CacheBytes, EndLeases: o.EndLeases})
	if err != nil {
		// Not the nil *sqlite.Store: it would be a Store that is not nil.
		return nil, err
	}
	return store, nil
}

// checkPath refuses a URL that is no path of a file.
func checkPath(url string) error {
	switch {
	case strings.HasPrefix(url, "postgres://"), strings.HasPrefix(url, "postgresql://"):
		// The URL stays out of the text: it may hold a password.
		return errors.New("storage: there is no store for PostgreSQL yet; give memory: or the path of a SQLite file")
	case url == "":
		return errors.New("storage: no store is named; give memory: or the path of a SQLite file")
	}
	return nil
}

// LockServer keeps a second server away from the store that url names, until
// release is called or the process ends. A server calls it before Open, which
// may change the schema. A store in memory has no other server.
func LockServer(url string) (release func() error, err error) {
	if url == "memory:" {
		return func() error { return nil }, nil
	}
	if err := checkPath(url); err != nil {
		return nil, err
	}
	return sqlite.LockServer(url)
}
