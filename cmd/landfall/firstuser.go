package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
)

// firstLink returns a line with a one-time link for the first user, who has every
// permission in the account and states an e-mail address there; empty if the server has no
// dashboard, or a user already. Each start makes another link in place of the last.
func (s *server) firstLink(ctx context.Context, account *tracking.Account, base string) (string, error) {
	if !s.pages || s.demo {
		return "", nil
	}
	accounts, err := s.tracker.Accounts(ctx)
	if err != nil {
		return "", err
	}
	var first *tracking.User
	for _, a := range accounts {
		list, _, err := usersOf(s.tracker, a).List(ctx, tracking.Page{})
		if err != nil {
			return "", err
		}
		for _, u := range list {
			switch {
			case len(u.Permissions) == 0: // only owns keys
			case u.Email != "":
				return "", nil
			case a.ID == account.ID && u.DisabledAt.IsZero() && slices.Contains(u.Permissions, tracking.Admin):
				first = u
			}
		}
	}
	users := usersOf(s.tracker, account)
	if first == nil {
		if first, err = users.Create(ctx, tracking.NewUser{Permissions: tracking.Describe().Permissions}); err != nil {
			return "", err
		}
	}
	token, ends, err := users.NewLink(ctx, first.ID)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("landfall: there is no user yet; the first opens this link, once, until %s: %s\n", formatTime(ends), linkURL(strings.TrimSuffix(base, "/v2"), token)), nil
}
