package main

import (
	"context"
	"fmt"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/storage/postgres"
)

var migrateCommand = command{
	name:  "migrate",
	about: "make the tables of this version in a PostgreSQL database",
	details: `
A server makes them itself when it starts, if its role owns the tables. Run this
command as the owner where the servers have a role with fewer rights, and before
a new version is rolled out.

--dry-run prints the numbered steps of the schema that are missing, and changes
nothing. Tables of new kinds of records and new columns are not among them.

An SQLite file is migrated when it is opened.`,
	declare: func(f *flags) action {
		db := f.database()
		dry := f.Bool("dry-run", false, "print what is missing, and change nothing")
		return func(ctx context.Context, p *program, _ []string) error {
			if !storage.IsPostgres(*db) {
				return usageErrorf("--db: %s is no PostgreSQL database: other databases are migrated when they are opened", shown(*db))
			}
			pending, err := postgres.Pending(ctx, *db)
			if err != nil {
				return err
			}
			verb := "missing"
			if !*dry {
				if err := onDatabase(p, *db, func(*tracking.Tracker) error { return nil }); err != nil {
					return err
				}
				verb = "applied"
			}
			for _, m := range pending {
				fmt.Fprintf(p.stdout, "%s %s\n", verb, m.Name)
			}
			if len(pending) == 0 {
				fmt.Fprintln(p.stdout, "no steps of the schema are missing")
			}
			return nil
		}
	},
}
