package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/landfallhq/tracking"
)

var accountsSet = command{
	name:  "accounts set",
	about: "change the settings of an account",
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		company := f.String("company-name", "", "company `NAME`, as the API shows it")
		duplicates := f.String("duplicate-documents", "", "`ACTION` for a document that the account already has: reject, replace or accept")
		return func(ctx context.Context, p *program, _ []string) error {
			if !f.given("company-name") && !f.given("duplicate-documents") {
				return usageErrorf("nothing to set: give --company-name or --duplicate-documents")
			}
			return onExistingDatabase(p, *db, func(tr *tracking.Tracker) error {
				// First, because only this value can be invalid.
				if f.given("duplicate-documents") {
					if err := tr.SetDuplicateDocuments(ctx, *account, tracking.DuplicateDocuments(*duplicates)); err != nil {
						return err
					}
				}
				if !f.given("company-name") {
					return nil
				}
				return tr.SetCompanyName(ctx, *account, *company)
			})
		}
	},
}

var accountsList = command{
	name:  "accounts list",
	about: "list all accounts",
	declare: func(f *flags) action {
		db := f.database()
		return func(ctx context.Context, p *program, _ []string) error {
			return onExistingDatabase(p, *db, func(tr *tracking.Tracker) error {
				list, err := tr.Accounts(ctx)
				if err != nil {
					return err
				}
				table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
				fmt.Fprintln(table, "ID\tNAME\tCOMPANY NAME\tCREATED\tCLOSED")
				for _, a := range list {
					fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", a.ID, a.Name, a.CompanyName, formatTime(a.CreatedAt), formatTime(a.ClosedAt))
				}
				return table.Flush()
			})
		}
	},
}

var accountsClose = command{
	name:  "accounts close",
	about: "revoke an account's keys and stop tracking its shipments",
	details: `
Nothing is deleted. The account accepts no more facts, its shipments stop with
the reason account_closed, and its pending tracking requests fail. An interrupted
command can be run again to finish.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		return func(ctx context.Context, p *program, _ []string) error {
			return onExistingDatabase(p, *db, func(tr *tracking.Tracker) error {
				stopped, err := tr.CloseAccount(ctx, *account)
				if err != nil {
					return err
				}
				fmt.Fprintf(p.stdout, "closed %s: %d shipments are no longer followed\n", *account, stopped)
				return nil
			})
		}
	},
}

var accountsReopen = command{
	name:  "accounts reopen",
	about: "allow keys for a closed account again",
	details: `
Its keys stay revoked and its shipments stay stopped: create a key, and resume
the shipments to track.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		return func(ctx context.Context, p *program, _ []string) error {
			return onExistingDatabase(p, *db, func(tr *tracking.Tracker) error { return tr.ReopenAccount(ctx, *account) })
		}
	},
}

// notFoundAs replaces a "not found" error by a message of the command.
func notFoundAs(err error, format string, args ...any) error {
	if errors.Is(err, tracking.ErrNotFound) {
		return fmt.Errorf(format, args...)
	}
	return err
}
