//go:build cgo && !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package sqlite

import (
	"errors"
	"os"
)

// lockFile always fails: a server without the lock could run twice on one file.
func lockFile(f *os.File) error {
	return errors.New("this operating system has no flock, so a second server could not be detected")
}

// lockFileShared always fails likewise.
func lockFileShared(f *os.File) error { return lockFile(f) }

// checkAccess does nothing: opening the file will fail.
func checkAccess(string) error { return nil }

// inUse cannot tell.
func inUse(string) (bool, error) { return false, nil }
