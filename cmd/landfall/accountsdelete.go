package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/landfallhq/tracking"
)

var accountsDelete = command{
	name:  "accounts delete",
	about: "delete an account with everything of it",
	details: `
Asks for the name of the account again, unless --yes is given. Deleted are all
records and facts, background jobs, the files of documents, users, keys and the
audit log of the account. Only its ID stays, and an event of the operator's audit
log without the name. Nothing can be restored but from a backup: run landfall
accounts export before.

A running server refuses writes of the account at once, and its keys within a
second. The rest takes small steps, so that the server can go on. An interrupted
command can be run again to finish.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		yes := f.Bool("yes", false, "do not ask")
		blobs := f.blobs()
		return func(ctx context.Context, p *program, _ []string) error {
			if err := mustExist(*db); err != nil {
				return err
			}
			files, closeFiles, err := existingBlobs(ctx, *blobs, *db)
			if err != nil {
				return err
			}
			defer closeFiles()
			return p.onStore(*db, tracking.Config{Blobs: files}, func(tr *tracking.Tracker) error {
				if _, err := tr.Account(ctx, *account); err != nil {
					return noSuchAccount(err, *account)
				}
				if err := p.confirmDeletion(*account, *yes); err != nil {
					return err
				}
				deleted, err := tr.DeleteAccount(ctx, *account)
				if err != nil {
					return fmt.Errorf("%w: %d records of %q have been deleted; run the command again to delete the rest", err, deleted, *account)
				}
				fmt.Fprintf(p.stdout, "deleted %s: %d records, and the files of its documents\n", *account, deleted)
				return nil
			})
		}
	},
}

// confirmDeletion asks for the name of the account.
func (p *program) confirmDeletion(account string, yes bool) error {
	if yes {
		return nil
	}
	fmt.Fprintf(p.stderr, "Everything of the account %q will be deleted. Type its name to go on: ", account)
	line, err := bufio.NewReader(p.stdin).ReadString('\n')
	if err == io.EOF {
		fmt.Fprintln(p.stderr)
	} else if err != nil {
		return err
	}
	if strings.TrimRight(line, "\r\n") != account {
		return fmt.Errorf("nothing was deleted: %q is not the name of the account; give it, or --yes", strings.TrimRight(line, "\r\n"))
	}
	return nil
}
