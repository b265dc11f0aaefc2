package main

import (
	"context"
	"fmt"

	"github.com/landfallhq/tracking"
)

var rederiveCommand = command{
	name:  "rederive",
	about: "run the present rules over all facts again",
	details: `
For after an upgrade that changed the rules. Facts are kept for ever, so what is
derived from them can be derived anew. Nothing is announced; events that the
present rules no longer derive are invalidated.`,
	declare: func(f *flags) action {
		db := f.database()
		account := f.String("account", "", "`NAME` of the account (default all accounts)")
		return func(ctx context.Context, p *program, _ []string) error {
			return onExisting(p, *db, func(tr *tracking.Tracker) error {
				accounts, err := chosenAccounts(ctx, tr, *account)
				if err != nil {
					return err
				}
				total := 0
				for _, a := range accounts {
					n, err := tr.Rederive(ctx, a.Scope())
					total += n
					if err != nil {
						return fmt.Errorf("account %s, after %d shipments: %w", a.Name, n, err)
					}
				}
				fmt.Fprintf(p.stdout, "%d shipments in %d accounts\n", total, len(accounts))
				return nil
			})
		}
	},
}

// chosenAccounts returns the account of a name, or all when there is none.
func chosenAccounts(ctx context.Context, tr *tracking.Tracker, name string) ([]*tracking.Account, error) {
	if name == "" {
		return tr.Accounts(ctx)
	}
	a, err := tr.Account(ctx, name)
	return []*tracking.Account{a}, err
}
