package main

import (
	"context"
	"fmt"

	"github.com/landfallhq/tracking"
)

var usersCreate = command{
	name:  "users create",
	about: "add a person to an account and print the ID",
	details: `
An API key can belong to a user (keys create --user), who is then shown as the
person who made a request or stopped a shipment. The account is created if it
does not exist.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		email := f.need("email", "`EMAIL` address, unique in the account")
		name := f.String("name", "", "`NAME` of the person")
		return func(ctx context.Context, p *program, _ []string) error {
			return onDatabase(p, *db, func(tr *tracking.Tracker) error {
				a, _, err := tr.EnsureAccount(ctx, *account)
				if err != nil {
					return err
				}
				user, err := tr.CreateUser(ctx, a.Scope(), *name, *email)
				if err != nil {
					return err
				}
				fmt.Fprintln(p.stdout, user.ID)
				return nil
			})
		}
	},
}
