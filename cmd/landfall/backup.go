package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/dir"
	"github.com/landfallhq/tracking/blob/s3"
)

var backupCommand = command{
	name:     "backup",
	operands: "PATH",
	about:    "copy the database and its documents, also while a server runs",
	details: `
With --keep N, PATH is a directory: the copy gets a name with the time, such as
landfall-20261123T220000Z.db, and of the copies with such names the N newest stay.
Copies there that were interrupted are removed. This is for cron; landfall serve
--backup-dir does the same by itself. landfall restore puts a copy in place.

The copy is consistent and contains everything that was acknowledged before the
command began. It is a complete database: landfall serve --db PATH serves it. An
existing file is not overwritten.

Document files go into the directory NAME-documents next to the copy NAME.db: as
hard links, which take no space, if both are on the same file system, otherwise
as copies. --blobs names their directory, as for serve. Files in a bucket are
not copied: the store of the bucket has its own versions and replicas.

The secrets of webhooks stay encrypted in the copy, and the master key is not
part of it: a server starts on the copy only with the key file, PATH.key, or
LANDFALL_MASTER_KEY. Back up the key too, but keep it apart from the copy:
together they reveal the secrets.`,
	declare: func(f *flags) action {
		db := f.database()
		keep := f.Int("keep", 0, "`N` copies to keep in the directory PATH; 0 makes one copy named PATH")
		blobs := f.blobs()
		return func(ctx context.Context, p *program, operands []string) (err error) {
			if err := cmp.Or(needFile("backup", *db, "use pg_dump or continuous archiving, and copy the directory of --blobs after it"), mustExist(*db)); err != nil {
				return err
			}
			store, err := p.openStore(*db)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, store.Close()) }()
			s, ok := store.(backer)
			if !ok {
				return fmt.Errorf("the store %s cannot be backed up by this command", *db)
			}
			if err := cmp.Or(checkBlobs(*blobs), blobsMustExist(*blobs)); err != nil {
				return err
			}
			if *keep < 0 {
				return usageErrorf("--keep: %d is not a number of copies", *keep)
			}
			path, removed := operands[0], []string(nil)
			var documents *documentCopy
			if *keep == 0 {
				documents, err = backUp(ctx, s, cmp.Or(*blobs, defaultBlobs(*db)), path)
			} else {
				series := backupSeries{dir: path, db: *db, blobs: cmp.Or(*blobs, defaultBlobs(*db)), keep: *keep}
				path, documents, removed, err = series.add(ctx, s, time.Now())
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(p.stdout, "%s copied to %s\n", *db, path)
			if documents != nil {
				fmt.Fprintf(p.stdout, "%d files of documents copied to %s\n", documents.count, documents.path)
			}
			if s3.IsURL(*blobs) {
				fmt.Fprintln(p.stdout, "the files of documents stay in their bucket, and were not copied")
			}
			for _, old := range removed {
				fmt.Fprintf(p.stdout, "%s removed\n", old)
			}
			return p.printKeyOf(store, *db)
		}
	},
}

// printKeyOf says which master key a copy of the database needs.
func (p *program) printKeyOf(store tracking.Store, db string) error {
	candidates, err := p.keyCandidates("", keyFile(db))
	if err != nil {
		fmt.Fprintf(p.stdout, "the copy needs its master key, which was not looked for: %s\n", oneLine(err.Error()))
		return nil
	}
	seal, found, err := sealingKey(store, candidates)
	switch {
	case err != nil:
		return err
	case seal == sealedBy:
		fmt.Fprintf(p.stdout, "the copy cannot be served without the master key in %s: keep a copy of the key elsewhere\n", found.name)
	case seal == sealedElsewhere:
		fmt.Fprintf(p.stdout, "the copy cannot be served without its master key, which is neither in %s nor in %s: find it, and keep a copy of it elsewhere\n", masterKeyVariable, keyFile(db))
	}
	return nil
}

// backer is a store that can copy itself.
type backer interface {
	Backup(ctx context.Context, path string) error
}

// backUp copies a database to path, and the documents in the directory blobs, if it
// exists, next to it: both or nothing. The database gets its name last.
func backUp(ctx context.Context, s backer, blobs, path string) (documents *documentCopy, err error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("back up to %s: %w", path, cmp.Or(err, fs.ErrExist))
	}
	if folder := filepath.Dir(path); !exists(folder) {
		return nil, fmt.Errorf("back up to %s: there is no directory %s: create it", path, folder)
	}
	if documents, err = beginDocuments(ctx, blobs, path); err != nil {
		return nil, fmt.Errorf("copying the documents: %w", err)
	}
	partial := path + ".partial-" + rand.Text()
	defer os.Remove(partial)
	if err := s.Backup(ctx, partial); err != nil {
		return nil, errors.Join(err, documents.discard())
	}
	if err := documents.finish(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("copying the documents: %w", err), documents.discard())
	}
	// A link, unlike a rename, fails if the name was taken in the meantime.
	if err := os.Link(partial, path); err != nil {
		return nil, errors.Join(err, documents.discard())
	}
	return documents, syncDirectory(filepath.Dir(path))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

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
	if !exists(from) {
		return nil, nil
	}
	c = &documentCopy{path: defaultBlobs(path)}
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
		err = c.copyNew(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, c.discard())
	}
	return c, nil
}

// copyNew copies the files that are not copied yet.
func (c *documentCopy) copyNew(ctx context.Context) error {
	n, err := c.from.CopyTo(ctx, c.to)
	c.count += n
	return err
}

// finish makes the second copy and gives the directory its name.
func (c *documentCopy) finish(ctx context.Context) error {
	if c == nil {
		return nil
	}
	if err := c.copyNew(ctx); err != nil {
		return err
	}
	if err := os.Rename(c.partial, c.path); err != nil {
		return err
	}
	c.partial = c.path
	return errors.Join(syncDirectory(filepath.Dir(c.path)), c.close())
}

// discard removes the copy.
func (c *documentCopy) discard() error {
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
