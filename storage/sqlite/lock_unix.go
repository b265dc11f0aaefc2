//go:build cgo && (darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package sqlite

import (
	"errors"
	"os"
	"syscall"
)

// lockFile takes an exclusive lock on f without waiting. Closing f releases it.
func lockFile(f *os.File) error { return flock(f, syscall.LOCK_EX) }

// lockFileShared takes a lock that several processes may have, without waiting.
func lockFileShared(f *os.File) error { return flock(f, syscall.LOCK_SH) }

func flock(f *os.File, how int) error {
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}

// checkAccess returns an error unless this process may read and write the file, or
// create files in the directory, at path. It does not open the file: closing it
// again would drop the locks that SQLite has on it in this process.
func checkAccess(path string) error {
	const readAndWrite = 4 | 2
	return syscall.Access(path, readAndWrite)
}

// The bytes of a database on which SQLite has its locks: every process that has it open
// has a lock on some of them.
const lockBytes, lockLength = 1 << 30, 512

// inUse reports whether another process has the database at path open.
func inUse(path string) (bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Start: lockBytes, Len: lockLength}
	err = syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &lock)
	return lock.Type != syscall.F_UNLCK, errors.Join(err, f.Close())
}
