//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Backup writes a copy of the store to a new file at path, while readers and
// writers continue. Only the owner can read the copy. It appears under its name
// only when it is complete and has passed SQLite's integrity check. If the file
// exists, Backup returns fs.ErrExist.
func (s *Store) Backup(ctx context.Context, path string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("back up to %s: %w", path, err)
		}
	}()
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fs.ErrExist
		}
		return err
	}
	src, err := s.acquireReader(ctx)
	if err != nil {
		return err
	}
	defer s.releaseReader(src)

	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, filepath.Base(path)+".partial*") // mode 0600
	if err != nil {
		return err
	}
	partial := temp.Name()
	defer os.Remove(partial)
	if err := temp.Close(); err != nil {
		return err
	}
	if err := copyPages(ctx, src, partial); err != nil {
		return err
	}
	if err := checkIntegrity(ctx, partial); err != nil {
		return err
	}
	// A link, unlike a rename, fails if the name was taken in the meantime.
	if err := os.Link(partial, path); err != nil {
		return err
	}
	return syncDir(dir)
}

// copyPages copies the snapshot that src sees into the empty file at path.
func copyPages(ctx context.Context, src *conn, path string) (err error) {
	dst, err := connectPlain(path, Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.close()) }()
	// In a transaction, so that all steps copy one snapshot. Otherwise each write
	// by another connection would restart the copy.
	return src.transaction("BEGIN", func() error {
		if _, _, err := src.queryInt("SELECT count(*) FROM sqlite_schema"); err != nil {
			return err
		}
		b, err := dst.c.Backup("main", src.c, "main")
		if err != nil {
			return wrap(err)
		}
		for done := false; !done; {
			if err = ctx.Err(); err != nil {
				break
			}
			if done, err = b.Step(1024); err != nil {
				break
			}
		}
		if closed := b.Close(); err == nil {
			err = closed
		}
		return wrap(err)
	})
}

// checkIntegrity runs SQLite's integrity check on the file at path.
func checkIntegrity(ctx context.Context, path string) (err error) {
	c, err := connectPlain(path, Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	// With the context, because a large file takes long.
	rows, err := c.c.QueryContext(ctx, "PRAGMA integrity_check(1)", nil)
	if err != nil {
		return wrap(err)
	}
	result := make([]driver.Value, 1)
	err = errors.Join(wrap(rows.Next(result)), wrap(rows.Close()))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && fmt.Sprint(result[0]) != "ok" {
		err = fmt.Errorf("the copy fails the integrity check: %v", result[0])
	}
	return err
}

// syncDir makes a new file name survive a crash of the machine.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
