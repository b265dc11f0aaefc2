//go:build cgo

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/landfallhq/tracking/store"
)

// errLocked is returned by lockFile when another process has the lock.
var errLocked = errors.New("locked")

// LockServer takes the lock that a server holds on the database at path, until
// release is called or the process ends. The lock is on the file <database>.lock
// next to the database. If another server holds it, LockServer returns an error.
// The database need not exist yet: a server takes the lock before it opens the
// file, so that it does not migrate a file that an older server is using. Tools
// that only open the store do not need the lock.
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
	// The file stays when the lock is released. If it were removed, two servers
	// could lock two files of the same name.
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	err = lockFile(f)
	if errors.Is(err, errLocked) {
		time.Sleep(lockRetry)
		err = lockFile(f)
	}
	if err != nil {
		_ = f.Close()
		if errors.Is(err, errLocked) {
			return nil, fmt.Errorf("another server is running on %s: it holds the lock file %s: end it first", path, name)
		}
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	servers.Store(file, true)
	return func() error {
		servers.Delete(file)
		return f.Close()
	}, nil
}

// servers has the files whose lock this process holds.
var servers sync.Map

// lockForUpgrade keeps servers away while the file is changed to what this program
// needs. It fails if another process is a server on it: that is an older program.
func lockForUpgrade(path, file string) (release func(), err error) {
	if _, ours := servers.Load(file); ours {
		return func() {}, nil
	}
	unlock, err := lockServer(path, file)
	if err != nil {
		return nil, fmt.Errorf("%s was written by an older program and must be upgraded, and a server is running on it: end that server, and start one of this version", path)
	}
	return func() { _ = unlock() }, nil
}

// InUse reports whether another process has the database at path open, a server or a
// tool. This process must not have it open: it would lose its locks.
func InUse(path string) (bool, error) {
	file, err := resolvePath(path)
	if err != nil {
		return false, fmt.Errorf("open %s: %w", path, err)
	}
	return inUse(file)
}

// resolvePath returns the absolute path of the file, with symbolic links resolved:
// the WAL and the lock file are next to that file, whichever path led to it. It
// reports in words what SQLite calls "unable to open database file".
func resolvePath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	file, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return resolveNewPath(abs)
	}
	if err != nil {
		return "", err
	}
	switch info, err := os.Stat(file); {
	case err != nil:
		return "", err
	case info.IsDir():
		return "", errors.New("it is a directory, not a file")
	case !info.Mode().IsRegular():
		return "", errors.New("it is not a regular file")
	}
	if err := checkAccess(file); err != nil {
		return "", fmt.Errorf("the file cannot be read and written: %w", err)
	}
	return file, checkDirectory(filepath.Dir(file))
}

// resolveNewPath is resolvePath for a file that does not exist yet.
func resolveNewPath(abs string) (string, error) {
	if to, err := os.Readlink(abs); err == nil {
		return "", fmt.Errorf("it is a symbolic link to %s, which does not exist", to)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return "", fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return filepath.Join(dir, filepath.Base(abs)), checkDirectory(dir)
}

// checkDirectory checks that files can be created in dir: the WAL is created and
// removed next to the database.
func checkDirectory(dir string) error {
	if err := checkAccess(dir); err != nil {
		return fmt.Errorf("its directory %s cannot be written: %w", dir, err)
	}
	return nil
}
