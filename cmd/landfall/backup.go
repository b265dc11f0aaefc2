package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

var backupCommand = command{
	name:     "backup",
	operands: "PATH",
	about:    "write a consistent copy of the database and its documents, also while a server runs on it",
	details: `
The copy holds all that was acknowledged before the command began. It is a
database of its own: landfall serve --db PATH serves it. A file that is there
already is not overwritten.

The bytes of documents go into NAME-documents beside the copy NAME.db: as hard
links, which take no space, where both are on one file system, else as copies.
--blobs says where they are, as it does for serve.

The secrets of webhooks are sealed in the copy as in the database, and the master
key is not in it: without the key file, PATH.key, or LANDFALL_MASTER_KEY no server
starts on the copy. Keep the key too, and elsewhere: both together are as good as
the secrets themselves.`,
	declare: func(f *flags) action {
		db := f.database()
		blobs := f.String("blobs", "", "`DIRECTORY` with the bytes of documents; by default NAME-documents beside the database NAME.db")
		return func(ctx context.Context, p *program, operands []string) (err error) {
			if err := mustExist(*db); err != nil {
				return err
			}
			store, err := openStore(*db)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, store.Close()) }()
			s, ok := store.(backer)
			if !ok {
				return fmt.Errorf("the store %s has no backup of its own", *db)
			}
			if *blobs != "" && !isThere(*blobs) {
				return fmt.Errorf("--blobs: there is no directory %s", *blobs)
			}
			documents, err := backUp(ctx, s, cmp.Or(*blobs, blobsBeside(*db)), operands[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(p.stdout, "%s copied to %s\n", *db, operands[0])
			if documents != nil {
				fmt.Fprintf(p.stdout, "%d files of documents copied to %s\n", documents.count, documents.path)
			}
			if key := keyFile(*db); isThere(key) {
				fmt.Fprintf(p.stdout, "its master key, without which the copy cannot be served, is in %s: keep a copy of it elsewhere\n", key)
			}
			return nil
		}
	},
}

// backer is a store that can copy itself.
type backer interface {
	Backup(ctx context.Context, path string) error
}

// backUp copies a database to path, and beside it the documents that are in blobs,
// if there are any: both or nothing.
func backUp(ctx context.Context, s backer, blobs, path string) (documents *documentCopy, err error) {
	if isThere(path) {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	if documents, err = beginDocuments(ctx, blobs, path); err != nil {
		return nil, fmt.Errorf("copying the documents: %w", err)
	}
	if err := s.Backup(ctx, path); err != nil {
		return nil, errors.Join(err, documents.drop())
	}
	if err := documents.end(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("copying the documents: %w", err), documents.drop(), os.Remove(path))
	}
	return documents, nil
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
