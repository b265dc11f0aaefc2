//go:build cgo

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/landfallhq/tracking/store"
)

// errLocked is what lockFile returns when another holder has the lock.
var errLocked = errors.New("locked")

// LockServer takes the lock that a server holds on the database at path, in the
// file <database>.lock beside it, until release is called or the process ends.
// When another server has it, the error says so. The database need not be there
// yet: a server takes the lock before it opens the file, so that it changes
// nothing under a server of an older version. Tools that only open the store do
// not need the lock.
func LockServer(path string) (release func() error, err error) {
	file, err := resolvePath(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return lockServer(path, file)
}

// LockServer is the function LockServer for a store that is open already.
func (s *Store) LockServer() (release func() error, err error) {
	if err := s.checkOpen(context.Background()); err != nil {
		return nil, err
	}
	return lockServer(s.path, s.file)
}

func lockServer(path, file string) (release func() error, err error) {
	name := file + ".lock"
	// The file stays when the lock is released: were it removed, two servers
	// could hold locks on two files of one name.
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	if err := lockFile(f); err != nil {
		_ = f.Close()
		if errors.Is(err, errLocked) {
			return nil, fmt.Errorf("another server is running on %s: it holds the lock file %s", path, name)
		}
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	return f.Close, nil
}
