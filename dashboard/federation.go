package dashboard

import (
	"errors"
	"fmt"
	"slices"

	"github.com/landfallhq/tracking"
)

// Federation says what people may do whom an identity provider or a proxy has identified.
// Their permissions are set with each sign-in.
type Federation struct {
	// Roles are what the roles of a person stand for. The first one in this order that the
	// person has decides the account, and the permissions of all others for that account are
	// added. Without any nobody can sign in this way.
	Roles []Role
	// CreateUsers makes users of people who are none yet. Others are refused.
	CreateUsers bool
}

// Role is a role, or a group, of an identity provider.
type Role struct {
	// Name is as the provider writes it; * is a role of everybody.
	Name string
	// Account is the name of the account that the role is for.
	Account string
	// Permissions in that account; at least one.
	Permissions []tracking.Permission
}

// everybody is the name of the role that all people have.
const everybody = "*"

// of returns the account and the permissions of somebody with some roles; both are empty if
// none of the roles is known.
func (f Federation) of(held []string) (account string, permissions []tracking.Permission) {
	for _, r := range f.Roles {
		if r.Name != everybody && !slices.Contains(held, r.Name) || account != "" && r.Account != account {
			continue
		}
		account = r.Account
		for _, p := range r.Permissions {
			if !slices.Contains(permissions, p) {
				permissions = append(permissions, p)
			}
		}
	}
	return account, permissions
}

func (f Federation) validate() error {
	for _, r := range f.Roles {
		if r.Name == "" || r.Account == "" || len(r.Permissions) == 0 {
			return fmt.Errorf("dashboard: Config.Federation.Roles: the role %q needs a name, an account and a permission", r.Name)
		}
	}
	return nil
}

// identity is a person as a provider describes it.
type identity struct {
	provider, subject string
	email, name       string
	roles             []string
}

// signInIdentity signs in the user of a person whom a provider has identified.
func (req *request) signInIdentity(who identity) (tracking.SignIn, error) {
	account, permissions := req.Federation.of(who.roles)
	user := tracking.FederatedUser{
		Provider: who.provider, Subject: who.subject, Email: who.email, Name: who.name,
		Permissions: permissions, Create: req.Federation.CreateUsers,
	}
	if account != "" {
		a, err := req.Tracker.Account(req.r.Context(), account)
		if errors.Is(err, tracking.ErrNotFound) {
			err = fmt.Errorf("dashboard: Config.Federation.Roles: there is no account %q", account)
		}
		if err != nil {
			return tracking.SignIn{}, err
		}
		user.Account = a.Scope()
	}
	return req.visitor().SignInFederated(req.r.Context(), user)
}
