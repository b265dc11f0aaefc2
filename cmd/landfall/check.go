package main

import (
	"context"
	"fmt"

	"github.com/landfallhq/tracking"
)

var checkCommand = command{
	name:  "check",
	about: "look through the database for damage, and repair what can be derived",
	details: `
Looks whether the file is whole, whether every document can be read, and whether
all that documents are found by says what they say. Prints one line for each
problem, and a summary. The exit code is 1 when problems are left.

--repair makes indexes, columns, terms and totals anew. It never changes a
document: what is wrong with one is restored from a backup.

It may be run while a server runs on the database. It reads all of it, in
batches; of a database larger than 1 GiB the file's own structure is checked
table by table, without the pages that no table uses (backup checks those, on
the copy).`,
	declare: func(f *flags) action {
		db := f.database()
		repair := f.Bool("repair", false, "make anew what is derived from the documents")
		return func(ctx context.Context, p *program, _ []string) error {
			return onExisting(p, *db, func(tr *tracking.Tracker) error {
				r, err := tr.Check(ctx, tracking.CheckRequest{Repair: *repair, Found: func(problem tracking.Problem) {
					state := "not repaired"
					if problem.Repaired {
						state = "repaired"
					}
					fmt.Fprintf(p.stdout, "%s (%s)\n", oneLine(problem.String()), state)
				}})
				if err != nil {
					return err
				}
				fmt.Fprintf(p.stdout, "%d records of %d kinds, %d of them in an older form, %d problems, %d repaired\n",
					r.Records, r.Kinds, r.Outdated, r.Problems, r.Repaired)
				if left := r.Left(); left > 0 {
					return fmt.Errorf("%d problems are left in %s", left, *db)
				}
				return nil
			})
		}
	},
}
