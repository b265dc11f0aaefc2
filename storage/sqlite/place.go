//go:build cgo

package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/landfallhq/tracking/store"
)

// resolvePath finds the file that path leads to, by its own absolute name: the WAL
// and the server's lock stand beside that one, however it was reached. What can
// be no database, or cannot be written, is refused here in words; SQLite says
// "unable to open database file" to all of it.
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
		return "", errors.New("this is a directory, and no file")
	case !info.Mode().IsRegular():
		return "", errors.New("this is no regular file")
	}
	if err := checkAccess(file); err != nil {
		return "", fmt.Errorf("the file cannot be read and written: %w", err)
	}
	return file, checkDirectory(filepath.Dir(file))
}

// resolveNewPath is locate for a file that is not there yet.
func resolveNewPath(abs string) (string, error) {
	if to, err := os.Readlink(abs); err == nil {
		return "", fmt.Errorf("this is a symbolic link to %s, and nothing is there", to)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return "", fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return filepath.Join(dir, filepath.Base(abs)), checkDirectory(dir)
}

// checkDirectory: the WAL is made and removed beside the database.
func checkDirectory(dir string) error {
	if err := checkAccess(dir); err != nil {
		return fmt.Errorf("its directory %s cannot be written: %w", dir, err)
	}
	return nil
}
