package tracking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/landfallhq/tracking/internal/apikey"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// Permission is one of five verbs. It applies to a whole account (see
// docs/contract.md#permissions).
type Permission string

// The permissions. Admin implies all others.
const (
	Show   Permission = "show"
	Update Permission = "update"
	Create Permission = "create"
	Delete Permission = "delete"
	Admin  Permission = "admin"
)

var allPermissions = []Permission{Show, Update, Create, Delete, Admin}

// Actor is the caller. An Actor with nil Permissions may do everything in its
// account: it is for hosts that embed the engine and check access themselves.
type Actor struct {
	// Account that the actor works in.
	Account AccountID
	// User behind the call; zero for none.
	User ID
	// Key that was presented; zero for none.
	Key ID
	// Permissions that the actor has; nil means all.
	Permissions []Permission
	// Limits are the rate limits of the key by bucket, in requests per rolling
	// minute; a bucket that is missing has no limit of its own.
	Limits map[string]int
	// Via is the source of the custom field values that the actor sets. Empty means
	// SetByLibrary.
	Via ChangeSource
	// RequestID and ClientAddress of the call, for the audit log; empty if it did not
	// come over a network.
	RequestID, ClientAddress string
}

// Can reports whether the actor has the permission.
func (a Actor) Can(p Permission) bool {
	return a.Permissions == nil || slices.Contains(a.Permissions, p) || slices.Contains(a.Permissions, Admin)
}

// Account is a tenant. All records except accounts and keys belong to one.
type Account struct {
	Meta
	// Name is the operator's short name, unique. It is not shown over HTTP.
	Name string `private:"name"`
	// CompanyName is shown where an account is included.
	CompanyName string `attr:"company_name"`
	// CreatedAt and ClosedAt, UTC; ClosedAt is zero while the account is open.
	CreatedAt time.Time `private:"created_at"`
	ClosedAt  time.Time `private:"closed_at"`
	// DeletedAt is when DeleteAccount began, UTC; zero for other accounts.
	DeletedAt time.Time `private:"deleted_at"`
}

// Scope is the ID of the account as an AccountID.
func (a Account) Scope() AccountID { return AccountID(a.ID) }

var accounts = newKind("account", []column[Account]{
	table.NewColumn("name", store.TextColumn, func(a *Account) any { return a.Name }),
}, nil, nil).InGeneration(2)

// APIKey is a secret that gives access to an account. Only its SHA-256 is stored.
type APIKey struct {
	Meta
	// Account that the key opens, and User it stands for; User may be zero.
	Account AccountID `private:"account"`
	User    ID        `private:"user"`
	// Permissions of the key; never nil.
	Permissions []Permission `private:"permissions"`
	// Limits are the key's own rate limits by bucket.
	Limits map[string]int `private:"limits"`
	// Hint is the beginning of the key, for lists.
	Hint string `private:"hint"`
	// Hash is the hex SHA-256 of the whole key.
	Hash string `private:"hash"`
	// CreatedAt, RevokedAt and LastUsedAt, UTC. RevokedAt is zero for a key that was not
	// revoked. LastUsedAt is written at most once a minute, soon after the use.
	CreatedAt  time.Time `private:"created_at"`
	RevokedAt  time.Time `private:"revoked_at"`
	LastUsedAt time.Time `private:"last_used_at"`
	// ExpiresAt is when the key ends by itself, UTC; zero for never.
	ExpiresAt time.Time `private:"expires_at"`
	// FormerHash is the hash of the secret before the last rotation, which opens the
	// account until FormerUntil, UTC; empty and zero without one.
	FormerHash  string    `private:"former_hash"`
	FormerUntil time.Time `private:"former_until"`
}

var apiKeys = newKind("api_key", []column[APIKey]{
	table.TextColumn("hash", func(k *APIKey) string { return k.Hash }),
	table.NewColumn("account", store.IDColumn, func(k *APIKey) any { return ID(k.Account) }),
	table.TextColumn("former_hash", func(k *APIKey) string { return k.FormerHash }),
}, nil, nil).InGeneration(2)

// ended reports whether the key has been revoked or has expired.
func (k *APIKey) ended(now time.Time) bool {
	return !k.RevokedAt.IsZero() || !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt)
}

// opens reports whether the secret of that hash opens the account.
func (k *APIKey) opens(hash string, now time.Time) bool {
	return !k.ended(now) && (hash == k.Hash || hash == k.FormerHash && now.Before(k.FormerUntil))
}

// expire sets when the key ends, in whole seconds; zero for never.
func (k *APIKey) expire(at, now time.Time) error {
	at = at.UTC().Truncate(time.Second)
	if !at.IsZero() && !at.After(now) {
		return invalid("expires_at", "out_of_range", "Expires at must be later than now: %s is over", at.Format(time.RFC3339))
	}
	k.ExpiresAt = at
	return nil
}

// allow checks that the actor has the permission and works in an account.
func (t *Tracker) allow(p Permission) error {
	if t.actor.Account == (AccountID{}) {
		return errors.New("tracking: no account: set Config.Account, or call For with an Actor")
	}
	if !t.actor.Can(p) {
		return &Error{Kind: Forbidden, Code: "forbidden", Detail: fmt.Sprintf("this needs the permission '%s'", p)}
	}
	return nil
}

// operator refuses a Tracker that For made: only the host itself may do this.
func (t *Tracker) operator() error {
	if t.bound {
		return &Error{Kind: Forbidden, Code: "forbidden", Detail: "only the operator may do this"}
	}
	return nil
}

// administrator refuses a Tracker that For made, but for an actor of the account who has
// admin.
func (t *Tracker) administrator(of AccountID) error {
	if !t.bound {
		return nil
	}
	if t.actor.Account != of {
		return t.operator()
	}
	return t.allow(Admin)
}

// Account returns the account of that name, or an Error of kind NotFound.
func (t *Tracker) Account(ctx context.Context, name string) (*Account, error) {
	if err := t.operator(); err != nil {
		return nil, err
	}
	return viewing(ctx, t.engine, AccountID{}, func(tx *transaction) (*Account, error) { return accountNamed(tx, name) })
}

// Accounts returns all accounts, last created first.
func (t *Tracker) Accounts(ctx context.Context) ([]*Account, error) {
	if err := t.operator(); err != nil {
		return nil, err
	}
	return viewing(ctx, t.engine, AccountID{}, func(tx *transaction) ([]*Account, error) { return accounts.All(tx, where[Account]{}) })
}

// EnsureAccount returns the account of that name. If there is none, it creates one
// with the name as its company name. Names are 1 to 64 printable characters.
func (t *Tracker) EnsureAccount(ctx context.Context, name string) (account *Account, created bool, err error) {
	if err := t.operator(); err != nil {
		return nil, false, err
	}
	if err := checkText("name", name, 64); err != nil {
		return nil, false, err
	}
	err = t.changeSystem(ctx, "account.create", func(tx *transaction) error {
		created = false
		account, err = accountNamed(tx, name)
		if !errors.Is(err, ErrNotFound) {
			return err
		}
		created = true
		account = &Account{Name: name, CompanyName: name, CreatedAt: tx.Now}
		if err := accounts.Put(tx, account); err != nil {
			return err
		}
		tx.audit.belongsTo(account.Scope())
		return nil
	})
	return account, created, err
}

// SetCompanyName changes the company name of an account.
func (t *Tracker) SetCompanyName(ctx context.Context, name, company string) error {
	if err := t.operator(); err != nil {
		return err
	}
	if err := checkText("company_name", company, 255); err != nil {
		return err
	}
	var account *Account
	err := t.changeSystem(ctx, "account.update", func(tx *transaction) (err error) {
		if account, err = accountNamed(tx, name); err != nil {
			return err
		}
		account.CompanyName = company
		tx.audit.belongsTo(account.Scope())
		return accounts.Put(tx, account)
	})
	if err != nil {
		return err
	}
	return t.update(ctx, account.Scope(), func(tx *transaction) error {
		copied, err := accounts.Get(tx, account.ID)
		if err != nil {
			return ignoreNotFound(err) // nothing includes the account yet
		}
		copied.CompanyName = company
		return accounts.Put(tx, copied)
	})
}

func accountNamed(tx *transaction, name string) (*Account, error) {
	var w where[Account]
	w.Text("name", []string{name}, func(a *Account) string { return a.Name })
	list, err := accounts.All(tx, w)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &Error{Kind: NotFound, Detail: fmt.Sprintf("there is no account %q", name)}
	}
	return list[0], nil
}

// NewKey has the arguments of CreateKey.
type NewKey struct {
	// Account that the key opens. Required.
	Account AccountID
	// User it stands for; zero for none.
	User ID
	// Permissions; nil means all.
	Permissions []Permission
	// Limits by bucket (default, create, infer, refresh), each at least 1.
	Limits map[string]int
	// ExpiresAt is when the key ends by itself; zero for never.
	ExpiresAt time.Time
}

// limitNames are the names of the rate limits (see docs/contract.md#limits-of-requests).
var limitNames = []string{"default", "create", "infer", "refresh"}

// CreateKey creates an API key and returns its secret. The store keeps only the
// SHA-256 of the secret, so it cannot be shown again. For the operator, and for actors of
// the account who have admin. Errors: NotFound; Invalid on account (closed), permissions,
// limits, expires_at (over).
func (t *Tracker) CreateKey(ctx context.Context, n NewKey) (secret string, key *APIKey, err error) {
	if err := t.administrator(n.Account); err != nil {
		return "", nil, err
	}
	if n.Permissions == nil {
		n.Permissions = slices.Clone(allPermissions)
	}
	if err := checkPermissions(n.Permissions); err != nil {
		return "", nil, err
	}
	for bucket, limit := range n.Limits {
		if !slices.Contains(limitNames, bucket) || limit < 1 {
			return "", nil, invalid("limits", "inclusion", "'%s=%d' is not a limit: use default, create, infer or refresh and a number of at least 1", bucket, limit)
		}
	}
	secret = apikey.NewSecret()
	key = &APIKey{Account: n.Account, User: n.User, Permissions: n.Permissions, Limits: n.Limits, Hint: apikey.Hint(secret), Hash: apikey.Hash(secret)}
	err = t.changeSystem(ctx, "api_key.create", func(tx *transaction) error {
		account, err := accounts.Get(tx, ID(n.Account))
		if err != nil {
			return err
		}
		if err := refuseClosed("account '"+account.Name+"'", account.ClosedAt); err != nil {
			return err
		}
		if err := key.expire(n.ExpiresAt, tx.Now); err != nil {
			return err
		}
		key.CreatedAt = tx.Now
		tx.audit.belongsTo(n.Account)
		return apiKeys.Put(tx, key)
	})
	return secret, key, err
}

// checkPermissions returns an error about the first that is none.
func checkPermissions(list []Permission) error {
	for _, p := range list {
		if !slices.Contains(allPermissions, p) {
			return invalid("permissions", "inclusion", "'%s' is not a permission; use show, update, create, delete or admin", p)
		}
	}
	return nil
}

// Keys returns the keys of an account, last created first, revoked ones included. For the
// operator, and for actors of the account who have admin.
func (t *Tracker) Keys(ctx context.Context, account AccountID) ([]*APIKey, error) {
	if err := t.administrator(account); err != nil {
		return nil, err
	}
	return viewing(ctx, t.engine, AccountID{}, func(tx *transaction) ([]*APIKey, error) { return keysOf(tx, account) })
}

func keysOf(tx *transaction, account AccountID) ([]*APIKey, error) {
	var w where[APIKey]
	w.IDs("account", []ID{ID(account)}, func(k *APIKey) ID { return ID(k.Account) })
	return apiKeys.All(tx, w)
}

// RevokeKey ends a key. Revoking it again changes nothing. For the operator, and for actors
// of the account of the key who have admin. Errors: NotFound.
func (t *Tracker) RevokeKey(ctx context.Context, id ID) error {
	if err := t.administrator(t.actor.Account); err != nil {
		return err
	}
	return t.changeSystem(ctx, "api_key.revoke", func(tx *transaction) error {
		key, err := apiKeys.Get(tx, id)
		if err == nil && t.bound && key.Account != t.actor.Account {
			err = notFound()
		}
		if err != nil || !key.RevokedAt.IsZero() {
			return err
		}
		key.RevokedAt = tx.Now
		tx.audit.belongsTo(key.Account)
		return apiKeys.Put(tx, key)
	})
}

const maxKeyOverlap = 90 * 24 * time.Hour

// RotateKey gives a key a new secret and returns it. The key keeps its ID, permissions,
// limits and user. The former secret stays valid for the overlap, 0 to 90 days, but not
// longer than it would have been without the rotation. A second rotation during an overlap
// ends the older of the two former secrets. expiresAt is when the key now ends by itself;
// zero leaves that as it is. Errors: NotFound; Invalid on overlap, expires_at (over) and key
// (revoked or expired).
func (t *Tracker) RotateKey(ctx context.Context, id ID, overlap time.Duration, expiresAt time.Time) (secret string, key *APIKey, err error) {
	if err := t.operator(); err != nil {
		return "", nil, err
	}
	if overlap < 0 || overlap > maxKeyOverlap {
		return "", nil, invalid("overlap", "out_of_range", "Overlap must be 0s to %dh (90 days)", int(maxKeyOverlap/time.Hour))
	}
	secret = apikey.NewSecret()
	err = t.changeSystem(ctx, "api_key.rotate", func(tx *transaction) error {
		if key, err = apiKeys.Get(tx, id); err != nil {
			return err
		}
		if key.ended(tx.Now) {
			return invalid("key", "ended", "the key %s has been revoked or has expired; create another", id)
		}
		if err := key.rotate(secret, overlap, expiresAt, tx.Now); err != nil {
			return err
		}
		tx.audit.belongsTo(key.Account)
		tx.audit.note(id, "secret")
		return apiKeys.Put(tx, key)
	})
	if err != nil {
		return "", nil, err
	}
	return secret, key, nil
}

func (k *APIKey) rotate(secret string, overlap time.Duration, expiresAt, now time.Time) error {
	k.FormerHash, k.FormerUntil = "", time.Time{}
	if overlap > 0 {
		k.FormerHash, k.FormerUntil = k.Hash, now.Add(overlap)
		if !k.ExpiresAt.IsZero() && k.ExpiresAt.Before(k.FormerUntil) {
			k.FormerUntil = k.ExpiresAt
		}
	}
	k.Hash, k.Hint = apikey.Hash(secret), apikey.Hint(secret)
	if expiresAt.IsZero() {
		return nil
	}
	return k.expire(expiresAt, now)
}

// Authenticate returns the actor of a key, or an Error of kind Unauthorized if the
// key is malformed, unknown, revoked or expired.
func (t *Tracker) Authenticate(ctx context.Context, secret string) (Actor, error) {
	refused := &Error{Kind: Unauthorized, Detail: "Invalid or missing API token."}
	if !apikey.IsSecret(secret) {
		return Actor{}, refused
	}
	hash := apikey.Hash(secret)
	key, err := viewing(ctx, t.engine, AccountID{}, func(tx *transaction) (*APIKey, error) { return keyWithHash(tx, hash) })
	switch {
	case err != nil:
		return Actor{}, err
	case key == nil || !key.opens(hash, t.now()):
		return Actor{}, refused
	}
	t.keyUses.Record(key.ID, key.LastUsedAt, t.now())
	return key.actor(), nil
}

// actor returns who acts by the key.
func (k *APIKey) actor() Actor {
	return Actor{Account: k.Account, User: k.User, Key: k.ID, Permissions: k.Permissions, Limits: k.Limits}
}

// AuthenticateKey returns the actor of a key that was presented before, as Authenticate does:
// for sessions, which keep the ID of the key and not its secret. The error is Unauthorized
// once the key is revoked or expired. Its rotation ends no session. Only the operator may.
func (t *Tracker) AuthenticateKey(ctx context.Context, id ID) (Actor, error) {
	if err := t.operator(); err != nil {
		return Actor{}, err
	}
	key, err := viewing(ctx, t.engine, AccountID{}, func(tx *transaction) (*APIKey, error) { return apiKeys.Get(tx, id) })
	switch {
	case errors.Is(err, ErrNotFound) || err == nil && key.ended(t.now()):
		return Actor{}, &Error{Kind: Unauthorized, Detail: "The API key has ended."}
	case err != nil:
		return Actor{}, err
	}
	t.keyUses.Record(key.ID, key.LastUsedAt, t.now())
	return key.actor(), nil
}

// keyWithHash returns the key with a secret of that hash, present or former; nil for none.
func keyWithHash(tx *transaction, hash string) (*APIKey, error) {
	var present, former where[APIKey]
	present.Text("hash", []string{hash}, func(k *APIKey) string { return k.Hash })
	former.Text("former_hash", []string{hash}, func(k *APIKey) string { return k.FormerHash })
	for _, w := range []where[APIKey]{present, former} {
		if list, err := apiKeys.All(tx, w); err != nil || len(list) > 0 {
			return cmp.Or(list...), err
		}
	}
	return nil, nil
}

// checkText refuses blank, over-long and unprintable text.
func checkText(field, s string, most int) error {
	switch {
	case strings.TrimSpace(s) == "":
		return invalid(field, "blank", "%s can't be blank", fieldLabel(field))
	case utf8.RuneCountInString(s) > most:
		return invalid(field, "too_long", "%s is longer than %d characters", fieldLabel(field), most)
	case !printable(s):
		return invalid(field, "invalid", "%s contains control characters or is not UTF-8", fieldLabel(field))
	}
	return nil
}

func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// fieldLabel turns request_number into "Request number".
func fieldLabel(field string) string {
	s := strings.ReplaceAll(field[strings.LastIndexByte(field, '/')+1:], "_", " ")
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// newKeyUses returns the recorder of the last use of keys.
func newKeyUses(e *engine) *apikey.UseRecorder {
	return apikey.NewUseRecorder(func(ctx context.Context, batch []apikey.Use) {
		err := e.update(ctx, AccountID{}, func(tx *transaction) error { return writeKeyUses(tx, batch) })
		if ctx.Err() == nil {
			e.outages.keyUses.Record(e.log, e.now(), "noting the last use of keys", err)
		}
	})
}

func writeKeyUses(tx *transaction, batch []apikey.Use) error {
	for _, use := range batch {
		key, err := apiKeys.Get(tx, use.Key)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		if use.At.Sub(key.LastUsedAt) < apikey.UseInterval { // another process was first
			continue
		}
		key.LastUsedAt = use.At
		if err := apiKeys.Put(tx, key); err != nil {
			return err
		}
	}
	return nil
}
