package tracking

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/signin"
)

// FederatedUser is a person whom an identity provider has identified, for
// [Users.SignInFederated].
type FederatedUser struct {
	// Provider names the identity provider, such as the URL of its issuer, and Subject is
	// the person there, for good. Both are required.
	Provider, Subject string
	// Email finds the user, or is that of the user to create. The provider must have
	// verified it.
	Email string
	// Name is that of a user who has none; empty if it is not known.
	Name string
	// Account and Permissions are what the roles of the person stand for. Without a role
	// both are zero, and the sign-in is refused.
	Account     AccountID
	Permissions []Permission
	// Create makes a user of a person who is none.
	Create bool
}

// Errors of persons who are known to the provider and may not sign in. The texts say which
// rule it is: the provider has said already who they are.
var (
	errNoRole       = refusedPerson("no_role", "None of the roles of this person may use this program.")
	errNoUser       = refusedPerson("no_user", "There is no user with the e-mail address of this person. An administrator can create one.")
	errOtherAccount = refusedPerson("other_account", "The e-mail address of this person belongs to a user of another account than the roles do.")
	errOtherSubject = refusedPerson("other_subject", "The e-mail address of this person belonged to somebody else at the identity provider. An administrator can delete that user.")
	errDisabled     = refusedPerson("disabled", "The user is disabled, or the account is closed.")
)

func refusedPerson(code, detail string) *Error {
	return &Error{Kind: Forbidden, Code: code, Detail: detail}
}

// SignInFederated signs in a person whom an identity provider has identified, as the calling
// program vouches for. The user is the one with the address; the Permissions replace those
// that the user had. A user is bound to the Subject of the first such sign-in at a Provider.
// Errors: Forbidden with the code no_role, no_user, other_account, other_subject or disabled;
// Invalid on email. Sign-ins are in the audit log, and refusals of a person for one reason once
// in 15 minutes.
func (u Users) SignInFederated(ctx context.Context, f FederatedUser) (SignIn, error) {
	address, err := u.checkFederated(&f)
	if err != nil {
		return SignIn{}, err
	}
	p, err := u.withAddress(ctx, address)
	if err != nil {
		return SignIn{}, err
	}
	switch known := p.user.ID != (ID{}); {
	case len(f.Permissions) == 0:
		return SignIn{}, u.refuseFederated(ctx, p.account, p.user.ID, address, errNoRole)
	case known && p.account != f.Account:
		return SignIn{}, u.refuseFederated(ctx, p.account, p.user.ID, address, errOtherAccount)
	case !known && !f.Create:
		return SignIn{}, u.refuseFederated(ctx, AccountID{}, ID{}, address, errNoUser)
	case !known:
		if p, err = u.createFederated(ctx, f, address); err != nil {
			return SignIn{}, err
		}
	}
	return u.beginFederated(ctx, f, p)
}

// checkFederated checks the arguments of SignInFederated, and returns the address.
func (u Users) checkFederated(f *FederatedUser) (string, error) {
	if u.t.bound && u.t.actor.Account != (AccountID{}) {
		return "", &Error{Kind: Forbidden, Code: "forbidden", Detail: "only the operator may do this"}
	}
	if f.Provider == "" || f.Subject == "" {
		return "", errors.New("tracking: FederatedUser needs Provider and Subject")
	}
	if len(f.Permissions) > 0 && f.Account == (AccountID{}) {
		return "", errors.New("tracking: FederatedUser has permissions and no Account")
	}
	if err := checkPermissions(f.Permissions); err != nil {
		return "", err
	}
	if f.Name = strings.TrimSpace(f.Name); checkUserName(f.Name) != nil {
		f.Name = "" // it is only shown
	}
	address, fault := signin.Address(f.Email)
	return address, faultOf("email", fault).or()
}

// createFederated makes a user, who has permissions once beginFederated has set them.
func (u Users) createFederated(ctx context.Context, f FederatedUser, address string) (person, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return person{}, err
	}
	if err := u.reserve(ctx, address, f.Account, id); err != nil {
		return person{}, err
	}
	p := person{f.Account, &User{Meta: Meta{ID: id}, Name: f.Name, Email: address}, &userCredential{Meta: Meta{ID: id}}}
	by := u.t.operation("user.create")
	by.actor.Key, by.actor.User = ID{}, id
	err = u.t.updateAudited(ctx, f.Account, by, func(tx *transaction) error {
		if !tx.ledger.ClosedAt.IsZero() {
			return errDisabled
		}
		made := *p.user // a closure may run again
		made.CreatedAt, made.UpdatedAt = tx.Now, tx.Now
		if err := userCredentials.Put(tx, &userCredential{Meta: Meta{ID: id}}); err != nil {
			return err
		}
		tx.audit.note(id)
		return users.Put(tx, &made)
	})
	if errors.Is(err, errDisabled) || errors.Is(err, errAccountDeleted) {
		err = u.refuseFederated(ctx, AccountID{}, ID{}, address, errDisabled)
	}
	return p, err
}

// beginFederated signs in a user who is there, with the permissions of the roles.
func (u Users) beginFederated(ctx context.Context, f FederatedUser, p person) (s SignIn, err error) {
	by := u.t.operation("user.sign_in")
	by.actor.Key, by.actor.User = ID{}, p.user.ID
	err = u.t.updateAudited(ctx, p.account, by, func(tx *transaction) error {
		user, err := users.Get(tx, p.user.ID)
		switch {
		case isNotFound(err) || err == nil && (!user.DisabledAt.IsZero() || !tx.ledger.ClosedAt.IsZero()):
			return errDisabled
		case err != nil:
			return err
		case user.Provider == f.Provider && user.Subject != f.Subject:
			return errOtherSubject
		}
		user.become(tx, f)
		s = SignIn{p.account, user.ID, user.Epoch}
		return users.Put(tx, user)
	})
	var refused *Error
	switch {
	case errors.Is(err, errAccountDeleted):
		return SignIn{}, u.refuseFederated(ctx, AccountID{}, ID{}, p.user.Email, errDisabled)
	case errors.As(err, &refused) && refused.Kind == Forbidden:
		return SignIn{}, u.refuseFederated(ctx, p.account, p.user.ID, p.user.Email, refused)
	}
	return s, err
}

// refuseFederated is fail for a person with an address, whose refusals for one reason are
// recorded once in a while.
func (u Users) refuseFederated(ctx context.Context, account AccountID, id ID, address string, reason *Error) error {
	switch record, err := u.t.signIns.RecordsRefused(ctx, u.t.now(), address, reason.Code); {
	case err != nil:
		return err
	case !record:
		return reason
	}
	return u.fail(ctx, account, id, reason)
}

// become gives a user what the provider says of the person.
func (user *User) become(tx *transaction, f FederatedUser) {
	tx.audit.note(user.ID)
	if user.Name == "" {
		user.Name = f.Name
	}
	if !slices.Equal(user.Permissions, f.Permissions) {
		user.Permissions, user.UpdatedAt = slices.Clone(f.Permissions), tx.Now
		tx.audit.note(user.ID, "permissions")
	}
	user.Provider, user.Subject, user.SignedInAt = f.Provider, f.Subject, tx.Now
	user.LinkExpiresAt = time.Time{} // the person has come by another way
}
