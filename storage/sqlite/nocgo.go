//go:build !cgo

// Package sqlite keeps the records of a tracker in one SQLite file. It needs cgo;
// in this build, which has none, Open returns an error.
package sqlite

import (
	"context"
	"errors"

	"github.com/landfallhq/tracking/store"
)

var errNoCgo = errors.New("sqlite: this program was built without cgo (CGO_ENABLED=0); build it with cgo to keep records in a file")

// Store is a store.Store in a SQLite file. It cannot be opened in this build.
type Store struct{ store.Store }

// Open returns an error: this build has no cgo.
func Open(path string, opts Options) (*Store, error) { return nil, errNoCgo }

// Path returns the empty path.
func (s *Store) Path() string { return "" }

// Backup returns an error: this build has no cgo.
func (s *Store) Backup(ctx context.Context, path string) error { return errNoCgo }

// LockServer returns an error: this build has no cgo.
func LockServer(path string) (release func() error, err error) { return nil, errNoCgo }

// InUse returns an error: this build has no cgo.
func InUse(path string) (bool, error) { return false, errNoCgo }

// LockServer returns an error: this build has no cgo.
func (s *Store) LockServer() (release func() error, err error) { return nil, errNoCgo }

// ServerRunning returns an error: this build has no cgo.
func ServerRunning(path string) (bool, error) { return false, errNoCgo }
