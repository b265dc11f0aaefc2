package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/landfallhq/tracking/blob/dir"
)

// documentCopy is an unfinished copy of the document files. They are copied twice,
// before and after the database: a file that the copied database names existed
// before, or was created meanwhile; and it may be deleted at any time.
type documentCopy struct {
	from, to      *dir.Blobs
	partial, path string // path of the copy while it is incomplete, and afterwards
	count         int
}

// beginDocuments makes the first copy of the directory from, for a backup of the
// database at path. It returns nil if there is nothing to copy.
func beginDocuments(ctx context.Context, from, path string) (c *documentCopy, err error) {
	if !isThere(from) {
		return nil, nil
	}
	c = &documentCopy{path: blobsBeside(path)}
	if _, err := os.Lstat(c.path); !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, fmt.Errorf("%s: %w", c.path, fs.ErrExist))
	}
	if c.partial, err = os.MkdirTemp(filepath.Dir(c.path), filepath.Base(c.path)+".partial*"); err != nil {
		return nil, err
	}
	if c.from, err = dir.Open(from); err == nil {
		c.to, err = dir.Open(c.partial)
	}
	if err == nil {
		err = c.more(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, c.drop())
	}
	return c, nil
}

// more copies the files that are not copied yet.
func (c *documentCopy) more(ctx context.Context) error {
	n, err := c.from.CopyTo(ctx, c.to)
	c.count += n
	return err
}

// end makes the second copy and gives the directory its name.
func (c *documentCopy) end(ctx context.Context) error {
	if c == nil {
		return nil
	}
	if err := c.more(ctx); err != nil {
		return err
	}
	if err := os.Rename(c.partial, c.path); err != nil {
		return err
	}
	c.partial = c.path
	return errors.Join(syncDirectory(filepath.Dir(c.path)), c.close())
}

// drop removes the copy.
func (c *documentCopy) drop() error {
	if c == nil {
		return nil
	}
	return errors.Join(c.close(), os.RemoveAll(c.partial))
}

func (c *documentCopy) close() (err error) {
	for _, b := range []*dir.Blobs{c.from, c.to} {
		if b != nil {
			err = errors.Join(err, b.Close())
		}
	}
	c.from, c.to = nil, nil
	return err
}
