package main

import (
	"context"
	"errors"
	"fmt"
)

var backupCommand = command{
	name:     "backup",
	operands: "PATH",
	about:    "write a consistent copy of the database, also while a server runs on it",
	details: `
The copy holds all that was acknowledged before the command began. It is a
database of its own: landfall serve --db PATH serves it. A file that is there
already is not overwritten.`,
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
			return nil
		}
	},
}
