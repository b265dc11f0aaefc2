package tracking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/signin"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// Passwords hashes the passwords of users. Package password has one.
type Passwords interface {
	// Hash returns the text by which Verify recognises the password.
	Hash(ctx context.Context, password string) (hash string, err error)
	// Verify reports whether a hash is that of the password. outdated: it is, and should be
	// replaced by another one. An empty hash is of no password: Verify does the same work
	// and returns false.
	Verify(ctx context.Context, hash, password string) (ok, outdated bool, err error)
}

// User is a person of an account.
type User struct {
	Meta
	// Name and Email; either may be empty (null). The address is in lower case.
	Name  string `attr:"name,null"`
	Email string `attr:"email,null"`
	// Permissions that the user has after signing in. Without any the user cannot sign in,
	// and is only the owner of keys.
	Permissions []Permission `private:"permissions"`
	// CreatedAt, UpdatedAt (when an administrator last changed the user) and SignedInAt
	// (the last time), UTC. SignedInAt is zero for never.
	CreatedAt  time.Time `private:"created_at"`
	UpdatedAt  time.Time `private:"updated_at"`
	SignedInAt time.Time `private:"signed_in_at"`
	// DisabledAt is since when the user cannot sign in, UTC; zero for users who can.
	DisabledAt time.Time `private:"disabled_at"`
	// PasswordSetAt is when the password was set, UTC; zero without one. LinkExpiresAt is
	// until when a one-time link can be used, UTC; zero if there is none.
	PasswordSetAt time.Time `private:"password_set_at"`
	LinkExpiresAt time.Time `private:"link_expires_at"`

	userInternals
}

// userInternals is what the engine stores with a user and does not show.
type userInternals struct {
	// Epoch grows with each change that ends the sessions of the user.
	Epoch int64 `private:"epoch"`
	// Provider and Subject identify the person at an identity provider, since a first
	// federated sign-in; empty without one.
	Provider string `private:"provider"`
	Subject  string `private:"subject"`
}

var users = newKind("user", []column[User]{
	table.TextColumn("email", func(u *User) string { return strings.ToLower(u.Email) }),
}, nil, func(u *User) {
	if u.UpdatedAt.IsZero() {
		u.UpdatedAt = u.CreatedAt
	}
}).InGeneration(3)

// maySignIn reports whether there is anything for the user to sign in to.
func (u *User) maySignIn() bool { return u.DisabledAt.IsZero() && len(u.Permissions) > 0 }

// administers reports whether the user can manage the account.
// One that has not accepted the first link has no address, and cannot.
func (u *User) administers() bool {
	return u.maySignIn() && u.Email != "" && slices.Contains(u.Permissions, Admin)
}

// endSessions makes all sessions of the user invalid.
func (u *User) endSessions() { u.Epoch++ }

// userCredential has the secrets of a user, as hashes, under the ID of the user.
type userCredential struct {
	Meta
	PasswordHash string `private:"password_hash"`
	LinkHash     string `private:"link_hash"`
}

var userCredentials = newKind("user_credential", []column[userCredential]{
	table.TextColumn("link_hash", func(c *userCredential) string { return c.LinkHash }),
}, nil, nil)

// userAddress is a record of the system scope: it makes the address of a user unique in the
// store, and finds the account of the user.
type userAddress struct {
	Meta                // the ID follows from the address
	Account   AccountID `private:"account"`
	User      ID        `private:"user"`
	CreatedAt time.Time `private:"created_at"`
}

var userAddresses = newKind("user_address", []column[userAddress]{
	table.NewColumn("account", store.IDColumn, func(a *userAddress) any { return ID(a.Account) }),
}, nil, nil)

// addressSettles is how long an address without a user stays taken: its user may be about
// to be written.
const addressSettles = time.Minute

func addressID(address string) ID { return table.NamedID("user_address", address) }

// ofAccount selects the records of the system scope that belong to an account.
func ofAccount[T any](a AccountID, get func(*T) AccountID) (w where[T]) {
	w.IDs("account", []ID{ID(a)}, func(v *T) ID { return ID(get(v)) })
	return w
}

// Users has the operations on the users of an account, and those by which they sign in: see
// [Tracker.Users].
type Users struct{ t *Tracker }

// Users returns the users of the account: Get, ByEmail, List, Create, Update, Delete,
// SetPassword and NewLink are for its administrators. SignIn, SignInFederated, Link,
// AcceptLink, SignedIn and SignOut need no account; they take ClientAddress and RequestID from the Actor of For.
func (t *Tracker) Users() Users { return Users{t} }

// Get returns one user. Needs admin. Errors: NotFound.
func (u Users) Get(ctx context.Context, id ID) (*User, error) {
	if err := u.t.allow(Admin); err != nil {
		return nil, err
	}
	return viewing(ctx, u.t.engine, u.t.actor.Account, withID(users, id))
}

// ByEmail returns the user with an e-mail address. Needs admin. Errors: NotFound.
func (u Users) ByEmail(ctx context.Context, email string) (*User, error) {
	if err := u.t.allow(Admin); err != nil {
		return nil, err
	}
	return viewing(ctx, u.t.engine, u.t.actor.Account, func(tx *transaction) (*User, error) { return userByEmail(tx, email) })
}

func userByEmail(tx *transaction, email string) (*User, error) {
	folded := strings.ToLower(strings.TrimSpace(email))
	var w where[User]
	w.Text("email", []string{folded}, func(u *User) string { return strings.ToLower(u.Email) })
	list, err := users.All(tx, w)
	if err != nil {
		return nil, err
	}
	if folded == "" || len(list) == 0 {
		return nil, &Error{Kind: NotFound, Detail: fmt.Sprintf("there is no user %q", email)}
	}
	return list[0], nil
}

// List returns a page of users, last created first, and their total number. Needs admin.
func (u Users) List(ctx context.Context, p Page) (list []*User, total int, err error) {
	if err := u.t.allow(Admin); err != nil {
		return nil, 0, err
	}
	err = u.t.view(ctx, u.t.actor.Account, func(tx *transaction) error {
		list, total, err = users.List(tx, where[User]{}, p)
		return err
	})
	return list, total, err
}

// Names returns what the users of the account are called, by ID: their names, or their
// e-mail addresses where a user has no name or another one has the same; users with neither
// are left out. Needs show.
func (u Users) Names(ctx context.Context) (map[ID]string, error) {
	if err := u.t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, u.t.engine, u.t.actor.Account, func(tx *transaction) (map[ID]string, error) {
		list, err := users.All(tx, where[User]{})
		with := map[string]int{}
		for _, user := range list {
			with[user.Name]++
		}
		names := map[ID]string{}
		for _, user := range list {
			name := user.Name
			if name == "" || with[name] > 1 {
				name = cmp.Or(user.Email, name)
			}
			if name != "" {
				names[user.ID] = name
			}
		}
		return names, err
	})
}

// NewUser has the arguments of Create and AcceptLink.
type NewUser struct {
	// Name is at most 255 characters; empty for none.
	Name string
	// Email is unique in the store. Empty for a user who states it with a one-time link.
	Email string
	// Permissions after signing in; none for a user who only owns keys.
	Permissions []Permission
	// Password has at least 12 characters; empty for none.
	Password string
}

// Create adds a user: with a password, or without one and then with NewLink. Needs admin.
// Errors: Invalid on name, email (taken, blank with a password), permissions (blank with a
// password) and password.
func (u Users) Create(ctx context.Context, n NewUser) (*User, error) {
	if err := u.t.allow(Admin); err != nil {
		return nil, err
	}
	if err := n.settle(); err != nil {
		return nil, err
	}
	hash, err := u.hash(ctx, n.Password, n.Name, n.Email)
	if err != nil {
		return nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	user := &User{Meta: Meta{ID: id}, Name: n.Name, Email: n.Email, Permissions: n.Permissions}
	if err := u.reserve(ctx, n.Email, u.t.actor.Account, user.ID); err != nil {
		return nil, err
	}
	err = u.t.changeOwn(ctx, "user.create", func(tx *transaction) error {
		if _, err := userByEmail(tx, n.Email); !isNotFound(err) { // of an earlier program, without a userAddress
			return cmp.Or[error](err, addressTaken(n.Email))
		}
		made := *user // a closure may run again
		made.CreatedAt, made.UpdatedAt = tx.Now, tx.Now
		if hash != "" {
			made.PasswordSetAt = tx.Now
		}
		if err := userCredentials.Put(tx, &userCredential{Meta: Meta{ID: made.ID}, PasswordHash: hash}); err != nil {
			return err
		}
		if err := users.Put(tx, &made); err != nil {
			return err
		}
		tx.audit.note(made.ID)
		*user = made
		return nil
	})
	if err != nil {
		return nil, err
	}
	return user, nil
}

// settle checks the arguments of Create, and normalises them.
func (n *NewUser) settle() error {
	var faults Errors
	n.Name = strings.TrimSpace(n.Name)
	faults = append(faults, checkUserName(n.Name)...)
	if n.Email != "" || n.Password != "" {
		address, fault := signin.Address(n.Email)
		faults, n.Email = append(faults, faultOf("email", fault)...), address
	}
	if err := (*Error)(nil); errors.As(checkPermissions(n.Permissions), &err) {
		faults = append(faults, err)
	}
	if n.Password != "" && len(n.Permissions) == 0 {
		faults = append(faults, invalid("permissions", "blank", "a user with a password needs a permission: show, update, create, delete or admin"))
	}
	return faults.or()
}

func checkUserName(name string) (faults Errors) {
	if name == "" {
		return nil
	}
	if err := (*Error)(nil); errors.As(checkText("name", name, 255), &err) {
		faults = append(faults, err)
	}
	return faults
}

func faultOf(field string, f *signin.Fault) Errors {
	if f == nil {
		return nil
	}
	return Errors{invalid(field, f.Code, "%s", f.Detail)}
}

// hash checks a password and returns its hash; the empty password has none.
func (u Users) hash(ctx context.Context, password string, about ...string) (string, error) {
	if password == "" {
		return "", nil
	}
	if u.t.config.Passwords == nil {
		return "", invalid("password", "no_passwords", "this installation has no passwords: its operator must configure them")
	}
	if err := faultOf("password", signin.CheckPassword(password, about...)).or(); err != nil {
		return "", err
	}
	return u.t.config.Passwords.Hash(ctx, password)
}

// reserve makes an address that of a user. An address whose user was not written, or is no
// longer there, is free. The empty address is that of nobody.
func (u Users) reserve(ctx context.Context, address string, account AccountID, user ID) error {
	if address == "" {
		return nil
	}
	held, err := u.holder(ctx, address)
	if err != nil {
		return err
	}
	version := int64(0)
	if held != nil {
		version = held.Version
		switch free, err := u.isFree(ctx, held, address); {
		case err != nil:
			return err
		case held.User != user && !free:
			return addressTaken(address)
		}
	}
	return u.t.update(ctx, AccountID{}, func(tx *transaction) error {
		a, err := userAddresses.Get(tx, addressID(address))
		if isNotFound(err) {
			a, err = &userAddress{Meta: Meta{ID: addressID(address)}}, nil
		}
		if err != nil {
			return err
		}
		if a.Version != version { // somebody was first
			return addressTaken(address)
		}
		a.Account, a.User, a.CreatedAt = account, user, tx.Now
		return userAddresses.Put(tx, a)
	})
}

func addressTaken(address string) error {
	return invalid("email", "taken", "a user with the address '%s' exists already", address)
}

// holder returns the record of an address; nil if there is none.
func (u Users) holder(ctx context.Context, address string) (*userAddress, error) {
	return viewing(ctx, u.t.engine, AccountID{}, func(tx *transaction) (*userAddress, error) {
		held, err := userAddresses.Get(tx, addressID(address))
		if isNotFound(err) {
			return nil, nil //nolint:nilnil // there is none
		}
		return held, err
	})
}

// isFree reports whether nobody has a reserved address.
func (u Users) isFree(ctx context.Context, held *userAddress, address string) (bool, error) {
	if u.t.now().Sub(held.CreatedAt) < addressSettles {
		return false, nil
	}
	user, err := viewing(ctx, u.t.engine, held.Account, withID(users, held.User))
	if isNotFound(err) {
		return true, nil
	}
	return err == nil && user.Email != address, err
}

// UserUpdate has what administrators may change. Fields that are not set stay.
type UserUpdate struct {
	// Name is at most 255 characters; empty for none.
	Name Opt[string]
	// Permissions count from the next request of the user on.
	Permissions Opt[[]Permission]
	// Disabled users cannot sign in, and their sessions end.
	Disabled Opt[bool]
	// IfVersion is the version that the user must have, else the change is refused with
	// Stale; 0 means any.
	IfVersion int64
}

// Update changes a user. Needs admin. Errors: NotFound; Stale; Invalid on name,
// permissions, and with the code last_admin if a user or a key would leave the account
// without a user who has admin.
func (u Users) Update(ctx context.Context, id ID, c UserUpdate) (*User, error) {
	if err := u.t.allow(Admin); err != nil {
		return nil, err
	}
	name := strings.TrimSpace(c.Name.Value)
	if err := errors.Join(checkUserName(name).or(), checkPermissions(c.Permissions.Value)); err != nil {
		return nil, err
	}
	user, err := u.change(ctx, "user.update", id, c.IfVersion, func(tx *transaction, user *User) error {
		if c.Name.Set {
			user.Name = name
		}
		if c.Permissions.Set && !slices.Equal(user.Permissions, c.Permissions.Value) {
			user.Permissions = slices.Clone(c.Permissions.Value)
			tx.audit.note(user.ID, "permissions")
		}
		if disabled := !user.DisabledAt.IsZero(); c.Disabled.Set && c.Disabled.Value != disabled {
			user.DisabledAt = time.Time{}
			if c.Disabled.Value {
				user.DisabledAt = tx.Now
				user.endSessions()
			}
			tx.audit.note(user.ID, "disabled")
		}
		if !user.maySignIn() {
			return endMailOf(tx, user.ID)
		}
		return nil
	})
	if err == nil && !user.DisabledAt.IsZero() {
		u.deleteSessions(ctx, id)
	}
	return user, err
}

// change changes a user and its time of change, but not so that the account is left without
// an administrator.
func (u Users) change(ctx context.Context, operation string, id ID, version int64, fn func(*transaction, *User) error) (*User, error) {
	return updateFound(ctx, u.t, operation, version, withID(users, id), func(tx *transaction, user *User) error {
		administered, before := user.administers(), *user
		if err := fn(tx, user); err != nil {
			return err
		}
		if !reflect.DeepEqual(before, *user) {
			user.UpdatedAt = tx.Now
		}
		if err := users.Put(tx, user); err != nil {
			return err
		}
		if administered && !user.administers() {
			return u.keepAdministrator(tx)
		}
		return nil
	})
}

// keepAdministrator refuses a change by a user or a key after which nobody can manage the
// account. The operator can: the commands make another user.
func (u Users) keepAdministrator(tx *transaction) error {
	if u.t.actor.User == (ID{}) && u.t.actor.Key == (ID{}) {
		return nil
	}
	list, err := users.All(tx, where[User]{})
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(list, (*User).administers) {
		return &Error{Kind: Invalid, Code: "last_admin", Detail: "this is the last user of the account with the permission 'admin': give it to another user first"}
	}
	return nil
}

// Delete deletes a user, the views that only the user sees, the e-mails, and all sessions of it. What the
// user did stays, and so do keys of the user. Needs admin. Errors: NotFound; Invalid with the code last_admin as Update.
func (u Users) Delete(ctx context.Context, id ID) error {
	if err := u.t.allow(Admin); err != nil {
		return err
	}
	var user *User
	err := u.t.changeOwn(ctx, "user.delete", func(tx *transaction) (err error) {
		if user, err = users.Get(tx, id); err != nil {
			return err
		}
		if err := errors.Join(users.Delete(tx, id), ignoreNotFound(userCredentials.Delete(tx, id)), deleteViewsOf(tx, id), ignoreNotFound(deleteMailOf(tx, id))); err != nil {
			return err
		}
		tx.audit.note(id)
		if user.administers() {
			return u.keepAdministrator(tx)
		}
		return nil
	})
	if err != nil {
		return err
	}
	u.deleteSessions(ctx, id)
	err = u.t.update(ctx, AccountID{}, func(tx *transaction) error {
		held, err := userAddresses.Get(tx, addressID(user.Email))
		if err != nil || held.User != id {
			return ignoreNotFound(err)
		}
		return userAddresses.Delete(tx, held.ID)
	})
	if err != nil {
		u.t.log.Warn("the address of a deleted user is free in a minute only", "error", err)
	}
	return nil
}

// SetPassword sets the password of a user, and ends all sessions of it. Needs admin.
// Errors: NotFound; Invalid on password, email (blank, taken) and permissions (blank).
func (u Users) SetPassword(ctx context.Context, id ID, password string) error {
	user, err := u.Get(ctx, id)
	if err != nil {
		return err
	}
	if password == "" {
		return invalid("password", "blank", "Password can't be blank")
	}
	n := NewUser{Email: user.Email, Permissions: user.Permissions, Password: password}
	if err := n.settle(); err != nil {
		return err
	}
	hash, err := u.hash(ctx, password, user.Name, n.Email)
	if err != nil {
		return err
	}
	if err := u.reserve(ctx, n.Email, u.t.actor.Account, id); err != nil {
		return err
	}
	_, err = u.change(ctx, "user.set_password", id, 0, func(tx *transaction, user *User) error {
		user.Email = n.Email
		return user.setPassword(tx, hash)
	})
	if err == nil {
		u.deleteSessions(ctx, id)
	}
	return err
}

// ChangePassword replaces the password of the signed-in user, who states the present one,
// and ends all other sessions: the caller keeps the SignIn that it returns. Errors:
// Forbidden for an actor without a user; Invalid on current_password (invalid), password;
// Limited.
func (u Users) ChangePassword(ctx context.Context, current, password string) (SignIn, error) {
	account, id := u.t.actor.Account, u.t.actor.User
	if account == (AccountID{}) || id == (ID{}) {
		return SignIn{}, &Error{Kind: Forbidden, Code: "forbidden", Detail: "only a user who has signed in has a password"}
	}
	user, credential, err := u.stored(ctx, account, id)
	if err != nil {
		return SignIn{}, err
	}
	if err := u.throttle(ctx, user.Email); err != nil {
		return SignIn{}, err
	}
	switch ok, _, err := u.verify(ctx, credential.PasswordHash, current); {
	case err != nil:
		return SignIn{}, err
	case !ok:
		return SignIn{}, u.fail(ctx, account, id, invalid("current_password", "invalid", "Current password is wrong"))
	case password == "":
		return SignIn{}, invalid("password", "blank", "Password can't be blank")
	}
	hash, err := u.hash(ctx, password, user.Name, user.Email)
	if err != nil {
		return SignIn{}, err
	}
	user, err = u.change(ctx, "user.change_password", id, 0, func(tx *transaction, user *User) error {
		c, err := credentialOf(tx, id)
		if err == nil && (c.PasswordHash != credential.PasswordHash || !user.maySignIn()) {
			err = errSignedOut // the password was set, or the user disabled, meanwhile
		}
		if err != nil {
			return err
		}
		return user.setPassword(tx, hash)
	})
	if err != nil {
		return SignIn{}, err
	}
	u.deleteSessions(ctx, id)
	return SignIn{account, id, user.Epoch}, nil
}

// stored returns a user with its credential.
func (u Users) stored(ctx context.Context, account AccountID, id ID) (user *User, c *userCredential, err error) {
	err = u.t.view(ctx, account, func(tx *transaction) error {
		if user, err = users.Get(tx, id); err != nil {
			return err
		}
		c, err = credentialOf(tx, id)
		return err
	})
	return user, c, err
}

// credentialOf returns the credential of a user; an empty one for users of earlier
// programs, who have none.
func credentialOf(tx *transaction, id ID) (*userCredential, error) {
	c, err := userCredentials.Get(tx, id)
	if isNotFound(err) {
		return &userCredential{Meta: Meta{ID: id}}, nil
	}
	return c, err
}

// setPassword stores another hash of a password, which ends the sessions and the link of
// the user.
func (user *User) setPassword(tx *transaction, hash string) error {
	c, err := credentialOf(tx, user.ID)
	if err != nil {
		return err
	}
	c.PasswordHash, c.LinkHash = hash, ""
	user.PasswordSetAt, user.LinkExpiresAt = tx.Now, time.Time{}
	user.endSessions()
	tx.audit.note(user.ID, "password")
	return userCredentials.Put(tx, c)
}

// NewLink returns the token of a link by which a user signs in once and sets a password,
// and when it ends: 24 hours from now, UTC. An earlier link of the user ends. Only the hash
// of the token is stored. Needs admin. Errors: NotFound; Invalid on permissions (blank) and
// disabled.
func (u Users) NewLink(ctx context.Context, id ID) (token string, expiresAt time.Time, err error) {
	if err := u.t.allow(Admin); err != nil {
		return "", expiresAt, err
	}
	token = signin.NewLink(u.t.actor.Account)
	user, err := u.change(ctx, "user.create_link", id, 0, func(tx *transaction, user *User) error {
		switch {
		case !user.DisabledAt.IsZero():
			return invalid("disabled", "disabled", "the user is disabled")
		case len(user.Permissions) == 0:
			return invalid("permissions", "blank", "the user has no permissions, and so cannot sign in")
		}
		c, err := credentialOf(tx, id)
		if err != nil {
			return err
		}
		c.LinkHash, user.LinkExpiresAt = signin.Hash(token), tx.Now.Add(signin.LinkLife)
		tx.audit.note(id, "link")
		return userCredentials.Put(tx, c)
	})
	if err != nil {
		return "", expiresAt, err
	}
	return token, user.LinkExpiresAt, nil
}
