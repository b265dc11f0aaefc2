package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/landfallhq/tracking"
)

var rederiveCommand = command{
	name:  "rederive",
	about: "apply the current rules to all facts again",
	details: `
Run it after an upgrade that changed the rules. Events that the current rules no
longer derive are invalidated, and shipments that no rule stops any more are
followed again. By default no webhooks are sent. With --announce, every difference
from the last announcement is sent, including those that the server has found
since the upgrade.`,
	declare: func(f *flags) action {
		db := f.database()
		account := f.String("account", "", "`NAME` of the account (default all accounts)")
		announce := f.Bool("announce", false, "send webhooks for differences from the last announcement")
		verbose := f.Bool("v", false, "print what has changed for each shipment")
		return func(ctx context.Context, p *program, _ []string) error {
			return onExistingDatabase(p, *db, func(tr *tracking.Tracker) error {
				accounts, err := chosenAccounts(ctx, tr, *account)
				if err != nil {
					return err
				}
				o := tracking.RederiveOptions{Announce: *announce}
				if *verbose {
					o.Each = func(s tracking.RederivedShipment) { printRederived(p.stdout, s) }
				}
				var total tracking.Rederived
				for _, a := range accounts {
					done, err := tr.Rederive(ctx, a.Scope(), o)
					if err != nil {
						return fmt.Errorf("account %s, after %d shipments: %w", a.Name, done.Shipments, err)
					}
					total.Shipments += done.Shipments
					total.Changed += done.Changed
					total.FollowedAgain += done.FollowedAgain
					total.Corrected += done.Corrected
					total.Invalidated += done.Invalidated
				}
				fmt.Fprintf(p.stdout, "%d shipments in %d accounts\n", total.Shipments, len(accounts))
				fmt.Fprintf(p.stdout, "%d changed, %d followed again; %d events corrected, %d invalidated\n",
					total.Changed, total.FollowedAgain, total.Corrected, total.Invalidated)
				return nil
			})
		}
	},
}

// printRederived prints the changes of a shipment, if there are any.
func printRederived(w io.Writer, s tracking.RederivedShipment) {
	if !s.Changed {
		return
	}
	said := []string{"changed"}
	if s.FollowedAgain {
		said = append(said, "followed again")
	}
	if s.Corrected > 0 {
		said = append(said, fmt.Sprintf("%d events corrected", s.Corrected))
	}
	if s.Invalidated > 0 {
		said = append(said, fmt.Sprintf("%d events invalidated", s.Invalidated))
	}
	fmt.Fprintf(w, "%s %s: %s\n", s.ID, s.Number, strings.Join(said, ", "))
}

// chosenAccounts returns the named account, or all if name is empty.
func chosenAccounts(ctx context.Context, tr *tracking.Tracker, name string) ([]*tracking.Account, error) {
	if name == "" {
		return tr.Accounts(ctx)
	}
	a, err := tr.Account(ctx, name)
	return []*tracking.Account{a}, err
}
