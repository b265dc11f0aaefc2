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
	about:    "copy the database and its documents, also while a server runs",
	details: `
The copy is consistent and contains everything that was acknowledged before the
command began. It is a complete database: landfall serve --db PATH serves it. An
existing file is not overwritten.

Document files go into the directory NAME-documents next to the copy NAME.db: as
hard links, which take no space, if both are on the same file system, otherwise
as copies. --blobs names their directory, as for serve.

The secrets of webhooks stay encrypted in the copy, and the master key is not
part of it: a server starts on the copy only with the key file, PATH.key, or
LANDFALL_MASTER_KEY. Back up the key too, but keep it apart from the copy:
together they reveal the secrets.`,
	declare: func(f *flags) action {
		db := f.database()
		blobs := f.String("blobs", "", "`DIRECTORY` of document files (default NAME-documents next to the database NAME.db)")
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
				return fmt.Errorf("the store %s cannot be backed up by this command", *db)
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
				fmt.Fprintf(p.stdout, "the copy cannot be served without the master key in %s: keep a copy of the key elsewhere\n", key)
			}
			return nil
		}
	},
}

// backer is a store that can copy itself.
type backer interface {
	Backup(ctx context.Context, path string) error
}

// backUp copies a database to path, and the documents in the directory blobs, if it
// exists, next to it: both or nothing.
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
