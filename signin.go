package tracking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/signin"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// SignIn is a user who has signed in, as a session keeps it. It has no secret.
type SignIn struct {
	// Account and User who signed in.
	Account AccountID
	User    ID
	// Epoch is that of the user at that time; see [Users.SignedIn].
	Epoch int64
}

// errSignIn is the one error of every failure, so that nothing is learned about users.
var errSignIn = &Error{Kind: Unauthorized, Code: "invalid_credentials", Detail: "The e-mail address or the password is wrong."}

var errLink = &Error{Kind: Unauthorized, Code: "invalid_link", Detail: "The link was used before, has expired or is wrong. Ask for another one."}

var errSignedOut = &Error{Kind: Unauthorized, Code: "signed_out", Detail: "The session has ended. Sign in again."}

// SignIn checks the password of the user with an e-mail address. It does the same work for
// an unknown user as for a wrong password. Attempts are counted, and each is in the audit
// log; those at unknown users in that of the operator, up to a bound. Errors: Unauthorized
// for every failure; Limited after 20 attempts at one user or 100 from one network in 15
// minutes; Unavailable if too many sign in at once.
func (u Users) SignIn(ctx context.Context, email, password string) (SignIn, error) {
	address, _ := signin.Address(email) // empty for none: then nobody has it
	if err := u.throttle(ctx, address); err != nil {
		return SignIn{}, err
	}
	p, err := u.withAddress(ctx, address)
	if err != nil {
		return SignIn{}, err
	}
	ok, outdated, err := u.verify(ctx, p.credential.PasswordHash, password)
	if err != nil {
		return SignIn{}, err
	}
	if !ok {
		return SignIn{}, u.fail(ctx, p.account, p.user.ID, errSignIn)
	}
	var renewed string
	if outdated {
		if renewed, err = u.t.config.Passwords.Hash(ctx, password); err != nil {
			return SignIn{}, err
		}
	}
	s, err := u.begin(ctx, "user.sign_in", p, errSignIn, func(tx *transaction, _ *User, c *userCredential) error {
		if c.PasswordHash != p.credential.PasswordHash { // it was changed meanwhile
			return errSignIn
		}
		if renewed == "" {
			return nil
		}
		c.PasswordHash = renewed
		return userCredentials.Put(tx, c)
	})
	if err == nil {
		err = u.t.signIns.Succeeded(ctx, u.t.now(), address, u.t.actor.ClientAddress)
	}
	return s, err
}

// person is a user with what is needed to sign in; all zero for an unknown one.
type person struct {
	account    AccountID
	user       *User
	credential *userCredential
}

// withAddress finds the person with an address; without one, nobody.
func (u Users) withAddress(ctx context.Context, address string) (person, error) {
	nobody := person{user: &User{}, credential: &userCredential{}}
	held, err := u.holder(ctx, address)
	if err != nil || held == nil {
		return nobody, err
	}
	user, credential, err := u.stored(ctx, held.Account, held.User)
	switch {
	case isNotFound(err) || err == nil && user.Email != address:
		return nobody, nil
	case err != nil:
		return nobody, err
	}
	return person{held.Account, user, credential}, nil
}

// begin makes a SignIn of a user who may sign in, or returns refused. fn checks and changes
// in the same transaction.
func (u Users) begin(ctx context.Context, operation string, p person, refused error, fn func(*transaction, *User, *userCredential) error) (s SignIn, err error) {
	by := u.t.operation(operation)
	by.actor.Key, by.actor.User = ID{}, p.user.ID
	err = u.t.updateAudited(ctx, p.account, by, func(tx *transaction) error {
		user, err := users.Get(tx, p.user.ID)
		if isNotFound(err) || err == nil && (!user.maySignIn() || !tx.ledger.ClosedAt.IsZero()) {
			return refused
		}
		if err != nil {
			return err
		}
		c, err := credentialOf(tx, user.ID)
		if err != nil {
			return err
		}
		if err := fn(tx, user, c); err != nil {
			return err
		}
		user.SignedInAt = tx.Now
		tx.audit.note(user.ID)
		s = SignIn{p.account, user.ID, user.Epoch}
		return users.Put(tx, user)
	})
	if errors.Is(err, refused) || errors.Is(err, errAccountDeleted) {
		return SignIn{}, u.fail(ctx, p.account, p.user.ID, refused)
	}
	return s, err
}

// verify compares a password with a hash, and waits for its turn as long as a write does.
func (u Users) verify(ctx context.Context, hash, password string) (ok, outdated bool, err error) {
	if u.t.config.Passwords == nil {
		return false, false, nil
	}
	turn, cancel := context.WithTimeout(ctx, u.t.config.WriteWait)
	defer cancel()
	ok, outdated, err = u.t.config.Passwords.Verify(turn, hash, password)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return false, false, fmt.Errorf("%w: too many sign in at once", ErrUnavailable)
	}
	return ok, outdated, err
}

// throttle counts an attempt at an address, or of a client alone if that is empty.
func (u Users) throttle(ctx context.Context, address string) error {
	wait, ok, err := u.t.signIns.Allow(ctx, u.t.now(), address, u.t.actor.ClientAddress)
	if ok || err != nil {
		return err
	}
	return limited(wait)
}

func limited(wait time.Duration) error {
	return &Error{Kind: Limited, Code: "too_many_attempts", Detail: "Too many attempts to sign in. Try again later.", Meta: map[string]any{"retry_after": int(wait / time.Second)}}
}

// fail records that somebody could not sign in, as a user or, with the zero ID, as nobody
// that is known. It returns the reason.
func (u Users) fail(ctx context.Context, account AccountID, id ID, reason error) error {
	by := u.t.operation("user.sign_in_failed")
	by.anonymous = true
	var err error
	record := true
	if id == (ID{}) {
		if record, err = u.t.signIns.Records(ctx, u.t.now()); err != nil {
			return err
		}
	}
	switch {
	case id != (ID{}):
		err = u.t.updateAudited(ctx, account, by, func(tx *transaction) error {
			tx.audit.note(id)
			return nil
		})
	case record:
		err = u.t.updateAudited(ctx, AccountID{}, by, func(tx *transaction) error {
			tx.audit.count("resources", 0)
			return nil
		})
	default:
		err = u.t.writeHeartbeat(ctx) // so that the time does not show that the user is unknown
	}
	if err != nil && !errors.Is(err, errAccountDeleted) {
		return err
	}
	return reason
}

// Link returns the user of a one-time link, and does not use it. Errors: Unauthorized;
// Limited.
func (u Users) Link(ctx context.Context, token string) (*User, error) {
	p, err := u.withLink(ctx, token)
	return p.user, err
}

// withLink finds the person of a link that can be used.
func (u Users) withLink(ctx context.Context, token string) (p person, err error) {
	wait, ok, err := u.t.signIns.AllowClient(ctx, u.t.now(), u.t.actor.ClientAddress)
	switch {
	case err != nil:
		return p, err
	case !ok:
		return p, limited(wait)
	}
	scope, ok := signin.LinkScope(token)
	if !ok {
		return p, u.fail(ctx, AccountID{}, ID{}, errLink)
	}
	hash := signin.Hash(token)
	var w where[userCredential]
	w.Text("link_hash", []string{hash}, func(c *userCredential) string { return c.LinkHash })
	p.account = scope
	err = u.t.view(ctx, p.account, func(tx *transaction) error {
		list, err := userCredentials.All(tx, w)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return errLink
		}
		p.credential = list[0]
		if p.user, err = users.Get(tx, p.credential.ID); err != nil {
			return err
		}
		if !tx.Now.Before(p.user.LinkExpiresAt) || !p.user.maySignIn() {
			return errLink
		}
		return nil
	})
	if errors.Is(err, errLink) {
		return person{}, u.fail(ctx, AccountID{}, ID{}, errLink)
	}
	return p, err
}

// AcceptLink uses a one-time link: it sets the password, the name unless it is empty, and
// the address of a user who has none, and signs in. The Password may be empty for a user
// who has one, or if the installation has no passwords. Permissions do not count. Errors:
// Unauthorized; Limited; Invalid on name, email and password, which leave the link as it is.
func (u Users) AcceptLink(ctx context.Context, token string, n NewUser) (SignIn, error) {
	p, err := u.withLink(ctx, token)
	if err != nil {
		return SignIn{}, err
	}
	n.Permissions = p.user.Permissions
	n.Email = cmp.Or(p.user.Email, strings.TrimSpace(n.Email), " ") // blank is refused
	if err := n.settle(); err != nil {
		return SignIn{}, err
	}
	if n.Password == "" && p.user.PasswordSetAt.IsZero() && u.t.config.Passwords != nil {
		return SignIn{}, invalid("password", "blank", "Password can't be blank")
	}
	hash, err := u.hash(ctx, n.Password, cmp.Or(n.Name, p.user.Name), n.Email)
	if err != nil {
		return SignIn{}, err
	}
	if err := u.reserve(ctx, n.Email, p.account, p.user.ID); err != nil {
		return SignIn{}, err
	}
	s, err := u.begin(ctx, "user.accept_link", p, errLink, func(tx *transaction, user *User, c *userCredential) error {
		if c.LinkHash != signin.Hash(token) || !tx.Now.Before(user.LinkExpiresAt) {
			return errLink
		}
		user.Name, user.Email, user.LinkExpiresAt = cmp.Or(n.Name, user.Name), n.Email, time.Time{}
		if hash != "" {
			return user.setPassword(tx, hash)
		}
		c.LinkHash = ""
		return userCredentials.Put(tx, c)
	})
	if err == nil && hash != "" {
		u.deleteSessions(ctx, p.user.ID)
	}
	return s, err
}

// SignedIn returns the actor of a user who has signed in, with the present permissions, and
// the user. Errors: Unauthorized if the user has been disabled, deleted or given another
// password since, or the account is closed.
func (u Users) SignedIn(ctx context.Context, s SignIn) (Actor, *User, error) {
	user, err := viewing(ctx, u.t.engine, s.Account, func(tx *transaction) (*User, error) { return s.user(tx) })
	if err != nil {
		return Actor{}, nil, err
	}
	actor := u.t.actor
	actor.Account, actor.User, actor.Key, actor.Permissions = s.Account, s.User, ID{}, user.Permissions
	return actor, user, nil
}

// user returns the user while it is signed in.
func (s SignIn) user(tx *transaction) (*User, error) {
	l, err := ledgers.Get(tx, ledgerID)
	if ignoreNotFound(err) != nil {
		return nil, err
	}
	user, err := users.Get(tx, s.User)
	if isNotFound(err) || err == nil && (!user.maySignIn() || user.Epoch != s.Epoch || !l.ClosedAt.IsZero()) {
		return nil, errSignedOut
	}
	return user, err
}

// SignOut records in the audit log that a user has signed out. The caller deletes the
// session.
func (u Users) SignOut(ctx context.Context, s SignIn) error {
	by := u.t.operation("user.sign_out")
	by.actor.Key, by.actor.User = ID{}, s.User
	err := u.t.updateAudited(ctx, s.Account, by, func(tx *transaction) error {
		tx.audit.note(s.User)
		return nil
	})
	if errors.Is(err, errAccountDeleted) {
		return nil
	}
	return err
}

// session is a session of a client, in the system scope. Its ID follows from the hash of its
// token, which is not stored.
type session struct {
	Meta
	Account   AccountID `private:"account"`
	User      ID        `private:"user"`
	Epoch     int64     `private:"epoch"`
	Data      []byte    `private:"data"`
	ExpiresAt time.Time `private:"expires_at"`
}

var sessions = newKind("session", []column[session]{
	table.TimeColumn("expires_at", func(s *session) time.Time { return s.ExpiresAt }),
	table.IDColumn("account", func(s *session) ID { return ID(s.Account) }),
	table.IDColumn("user", func(s *session) ID { return s.User }),
}, nil, nil)

func sessionID(token string) ID { return table.NamedID("session", signin.Hash(token)) }

// expiredSessions selects the sessions that have ended by now.
func expiredSessions(now time.Time) store.Filter {
	var w where[session]
	w.Times("expires_at", time.Time{}, now, func(s *session) time.Time { return s.ExpiresAt })
	return w.Filter(sessions)
}

// deleteSessions deletes the sessions of a user. Its new epoch has ended them already.
func (u Users) deleteSessions(ctx context.Context, user ID) {
	var w where[session]
	w.IDs("user", []ID{user}, func(s *session) ID { return s.User })
	if err := u.t.deleteMatching(ctx, AccountID{}, sessions.Kind, w.Filter(sessions)); err != nil {
		u.t.log.Warn("sessions that have ended stay in the store until they expire", "user", user, "error", err)
	}
}

// Sessions keeps the sessions of clients in the store: see [Tracker.Sessions].
type Sessions struct{ t *Tracker }

// Sessions returns the sessions of all accounts, for the program that serves them; a
// Tracker that For returned has none. Tokens are stored as hashes. Expired sessions are
// deleted by the background work.
func (t *Tracker) Sessions() Sessions { return Sessions{t} }

// Find returns the data of the session with a token. found is false if there is none, if it
// has expired, and if its user is no longer signed in as [Users.SignedIn] says.
func (s Sessions) Find(ctx context.Context, token string) (data []byte, found bool, err error) {
	if err := s.t.operator(); err != nil {
		return nil, false, err
	}
	kept, err := viewing(ctx, s.t.engine, AccountID{}, withID(sessions, sessionID(token)))
	switch {
	case isNotFound(err) || err == nil && !s.t.now().Before(kept.ExpiresAt):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	if kept.User == (ID{}) {
		return kept.Data, true, nil
	}
	_, _, err = s.t.Users().SignedIn(ctx, SignIn{kept.Account, kept.User, kept.Epoch})
	if errors.Is(err, errSignedOut) {
		return nil, false, nil
	}
	return kept.Data, err == nil, err
}

// Commit stores a session, or replaces the one with its token. by is who has signed in;
// zero for nobody, and with the account alone for the holder of a key. The session ends at
// expiresAt.
func (s Sessions) Commit(ctx context.Context, token string, data []byte, by SignIn, expiresAt time.Time) error {
	return s.commit(ctx, token, data, by, expiresAt, true)
}

// Replace is Commit for a session that was found: one that has ended since stays so.
func (s Sessions) Replace(ctx context.Context, token string, data []byte, by SignIn, expiresAt time.Time) error {
	return s.commit(ctx, token, data, by, expiresAt, false)
}

func (s Sessions) commit(ctx context.Context, token string, data []byte, by SignIn, expiresAt time.Time, create bool) error {
	if err := s.t.operator(); err != nil {
		return err
	}
	return s.t.update(ctx, AccountID{}, func(tx *transaction) error {
		kept, err := sessions.Get(tx, sessionID(token))
		if isNotFound(err) && !create {
			return nil
		}
		if isNotFound(err) {
			kept, err = &session{Meta: Meta{ID: sessionID(token)}}, nil
		}
		if err != nil {
			return err
		}
		kept.Account, kept.User, kept.Epoch = by.Account, by.User, by.Epoch
		kept.Data, kept.ExpiresAt = data, expiresAt.UTC()
		return sessions.Put(tx, kept)
	})
}

// Delete ends the session with a token; there may be none.
func (s Sessions) Delete(ctx context.Context, token string) error {
	if err := s.t.operator(); err != nil {
		return err
	}
	return s.t.update(ctx, AccountID{}, func(tx *transaction) error {
		return ignoreNotFound(sessions.Delete(tx, sessionID(token)))
	})
}
