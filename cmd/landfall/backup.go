package main

import (
	"context"
	"errors"
	"fmt"
	"os"
)

var backupCommand = command{
	name:     "backup",
	operands: "PATH",
	about:    "write a consistent copy of the database, also while a server runs on it",
	details: `
The copy holds all that was acknowledged before the command began. It is a
database of its own: landfall serve --db PATH serves it. A file that is there
already is not overwritten.

The secrets of webhooks are sealed in the copy as in the database, and the master
key is not in it: without the key file, PATH.key, or LANDFALL_MASTER_KEY no server
starts on the copy. Keep the key too, and elsewhere: both together are as good as
the secrets themselves.`,
	declare: func(f *flags) action {
		db := f.database()
		return func(ctx context.Context, p *program, operands []string) (err error) {
			if err := mustExist(*db); err != nil {
				return err
			}
			store, err := openStore(*db)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, store.Close()) }()
			s, ok := store.(interface {
				Backup(ctx context.Context, path string) error
			})
			if !ok {
				return fmt.Errorf("the store %s has no backup of its own", *db)
			}
			if err := s.Backup(ctx, operands[0]); err != nil {
				return err
			}
			fmt.Fprintf(p.stdout, "%s copied to %s\n", *db, operands[0])
			if key := keyFile(*db); isThere(key) {
				fmt.Fprintf(p.stdout, "its master key, without which the copy cannot be served, is in %s: keep a copy of it elsewhere\n", key)
			}
			return nil
		}
	},
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
