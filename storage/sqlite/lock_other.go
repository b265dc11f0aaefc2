//go:build cgo && !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package sqlite

import (
	"errors"
	"os"
)

// lockFile cannot take a lock here. Better no server than two on one file.
func lockFile(f *os.File) error {
	return errors.New("this operating system has no flock; a server cannot be kept from running twice")
}

// mayWrite leaves it to the opening to find out.
func mayWrite(string) error { return nil }
