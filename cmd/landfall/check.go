package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/store"
)

var checkCommand = command{
	name:  "check",
	about: "check the database for damage, and repair derived data",
	details: `
Checks that the file is intact, that every document can be read, and that
indexes, columns, terms and totals agree with the documents, that each document
and its private part have their checksum, and that the file of each uploaded
document has its size and its SHA-256. Prints one line for each problem, and a
summary. The exit code is 1 if problems remain.

--repair rebuilds indexes, columns, terms and totals. It never changes a
document: restore a damaged document from a backup.

--blobs names where the files are, as for serve.

The command can be used while a server runs. It reads the whole database, in
batches. The structure of a database larger than 1 GiB is checked table by
table, without the pages that no table uses (backup checks those in the copy).`,
	declare: func(f *flags) action {
		db := f.database()
		blobs := f.blobs()
		repair := f.Bool("repair", false, "rebuild the data that is derived from the documents")
		return func(ctx context.Context, p *program, _ []string) error {
			if err := cmp.Or(needFile("check", *db, "PostgreSQL has pg_amcheck"), mustExist(*db)); err != nil {
				return err
			}
			files, closeFiles, err := existingBlobs(ctx, *blobs, *db)
			if err != nil {
				return err
			}
			defer closeFiles()
			return p.onStore(*db, tracking.Config{Blobs: files}, func(tr *tracking.Tracker) error {
				r, err := tr.Check(ctx, tracking.CheckRequest{Repair: *repair, Found: func(problem store.Problem) {
					state := "not repaired"
					if problem.Repaired {
						state = "repaired"
					}
					fmt.Fprintf(p.stdout, "%s (%s)\n", oneLine(problem.String()), state)
				}})
				if err != nil {
					return err
				}
				fmt.Fprintf(p.stdout, "%d records of %d kinds, %d of them in an older form%s, %d without a checksum, %d files of documents, %d problems, %d repaired\n",
					r.Records, r.Kinds, r.Outdated, newerForm(r.Newer), r.WithoutChecksum, r.Files, r.Problems, r.Repaired)
				if left := r.Left(); left > 0 {
					return fmt.Errorf("%d problems remain in %s", left, *db)
				}
				return nil
			})
		}
	},
}

// newerForm is the part of the summary about records of a newer version of the program.
func newerForm(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d in a newer one", n)
}
