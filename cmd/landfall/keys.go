package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

var keysCreate = command{
	name:  "keys create",
	about: "create an API key and print it",
	details: `
Prints the key on a line. It cannot be shown again: the database keeps only its
hash. The account is created if it does not exist, with NAME as its company name.

Permissions are show, update, create, delete and admin, which includes the
others; without --permissions the key has all of them. The limits of a key apply
in addition to those of its account, which all its keys share.

From the time of --expires on, the key is refused like an unknown one.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		user := f.String("user", "", "`EMAIL` of the user of the key")
		permissions := f.String("permissions", "", "`LIST` of permissions: show,update")
		limits := f.String("limit", "", "`LIST` of requests per minute: default=N,create=N,infer=N,refresh=N")
		expires := f.expires("when the key ends")
		return func(ctx context.Context, p *program, _ []string) error {
			n := tracking.NewKey{}
			var err error
			if n.ExpiresAt, err = parseExpiry(*expires, time.Now()); err != nil {
				return err
			}
			if n.Permissions, err = parsePermissions(*permissions); err != nil {
				return err
			}
			if n.Limits, err = parseLimits(*limits); err != nil {
				return err
			}
			return onDatabase(p, *db, func(tr *tracking.Tracker) error {
				if n.Account, n.User, err = keyHolder(ctx, tr, *account, *user); err != nil {
					return err
				}
				secret, _, err := tr.CreateKey(ctx, n)
				if err != nil {
					return err
				}
				fmt.Fprintln(p.stdout, secret)
				return nil
			})
		}
	},
}

// expires declares the flag of an expiry.
func (f *flags) expires(what string) *string {
	return f.String("expires", "", what+": a `TIME` such as 2027-01-31T00:00:00Z, or a duration from now, such as 2160h (90 days)")
}

// parseExpiry reads an expiry; empty is the zero time, for none.
func parseExpiry(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if span, failed := time.ParseDuration(text); failed == nil {
		at, err = now.Add(span), nil
	}
	switch {
	case err != nil:
		return at, usageErrorf("--expires: %q is not a time such as 2027-01-31T00:00:00Z, nor a duration such as 2160h", text)
	case !at.After(now):
		return at, usageErrorf("--expires: %q is not later than now", text)
	}
	return at, nil
}

// keyHolder returns the account and the user of a new key. It does not create an
// account when a user is named: a new account has no users.
func keyHolder(ctx context.Context, tr *tracking.Tracker, account, email string) (tracking.AccountID, tracking.ID, error) {
	if email == "" {
		a, _, err := tr.EnsureAccount(ctx, account)
		if err != nil {
			return tracking.AccountID{}, tracking.ID{}, err
		}
		return a.Scope(), tracking.ID{}, nil
	}
	a, err := tr.Account(ctx, account)
	if err != nil {
		return tracking.AccountID{}, tracking.ID{}, err
	}
	u, err := usersOf(tr, a).ByEmail(ctx, email)
	if err != nil {
		return tracking.AccountID{}, tracking.ID{}, fmt.Errorf("%w in account %q: add the user with landfall users create", err, account)
	}
	return a.Scope(), u.ID, nil
}

// parsePermissions reads a list of permissions; empty means all.
func parsePermissions(list string) ([]tracking.Permission, error) {
	if list == "" {
		return nil, nil
	}
	var permissions []tracking.Permission
	for word := range strings.SplitSeq(list, ",") {
		verb := tracking.Permission(strings.TrimSpace(word))
		if !slices.Contains(tracking.Describe().Permissions, verb) {
			return nil, usageErrorf("--permissions: %q is not one of show, update, create, delete, admin", word)
		}
		if !slices.Contains(permissions, verb) {
			permissions = append(permissions, verb)
		}
	}
	return permissions, nil
}

// parseLimits reads the limits of a key: default=50,create=5.
func parseLimits(list string) (map[string]int, error) {
	if list == "" {
		return nil, nil
	}
	limits := map[string]int{}
	for part := range strings.SplitSeq(list, ",") {
		bucket, number, _ := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.Atoi(number)
		if !slices.Contains(tracking.Describe().Limits, bucket) || err != nil || n < 1 || n > maxLimit {
			return nil, usageErrorf("--limit: %q is not BUCKET=N, with one of default, create, infer, refresh and a number from 1 to %d", part, maxLimit)
		}
		if _, twice := limits[bucket]; twice {
			return nil, usageErrorf("--limit: %s is set twice", bucket)
		}
		limits[bucket] = n
	}
	return limits, nil
}

var keysList = command{
	name:  "keys list",
	about: "list an account's API keys, including expired and revoked ones",
	details: `
Only the beginning of each key is shown; the rest is not stored. FORMER UNTIL is
until when the key from before the last rotation is valid.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		return func(ctx context.Context, p *program, _ []string) error {
			return onExistingDatabase(p, *db, func(tr *tracking.Tracker) error {
				a, err := tr.Account(ctx, *account)
				if err != nil {
					return err
				}
				keys, err := tr.Keys(ctx, a.Scope())
				if err != nil {
					return err
				}
				table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
				fmt.Fprintln(table, "ID\tKEY\tPERMISSIONS\tLIMITS\tUSER\tCREATED\tLAST USED\tFORMER UNTIL\tEXPIRES\tREVOKED")
				for _, k := range keys {
					fmt.Fprintf(table, "%s\t%s...\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Hint, joinPermissions(k.Permissions), joinLimits(k.Limits), orDash(k.User),
						formatTime(k.CreatedAt), formatTime(k.LastUsedAt), formatTime(k.FormerUntil), formatTime(k.ExpiresAt), formatTime(k.RevokedAt))
				}
				return table.Flush()
			})
		}
	},
}

func joinPermissions(list []tracking.Permission) string {
	words := make([]string, len(list))
	for i, p := range list {
		words[i] = string(p)
	}
	return strings.Join(words, ",")
}

func joinLimits(limits map[string]int) string {
	var parts []string
	for _, bucket := range slices.Sorted(maps.Keys(limits)) {
		parts = append(parts, fmt.Sprintf("%s=%d", bucket, limits[bucket]))
	}
	if parts == nil {
		return "-"
	}
	return strings.Join(parts, ",")
}

func orDash(id tracking.ID) string {
	if id == (tracking.ID{}) {
		return "-"
	}
	return id.String()
}

func formatTime(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

var keysRevoke = command{
	name:     "keys revoke",
	operands: "ID",
	about:    "revoke an API key",
	details: `
keys list shows the ID. A running server refuses the key within a second. Revoking
a revoked key has no effect.`,
	declare: func(f *flags) action {
		db := f.database()
		return func(ctx context.Context, p *program, operands []string) error {
			id, err := keyID(operands[0])
			if err != nil {
				return err
			}
			return onExistingDatabase(p, *db, func(tr *tracking.Tracker) error {
				if err := tr.RevokeKey(ctx, id); err != nil {
					return noSuchKey(err, id)
				}
				fmt.Fprintf(p.stdout, "revoked %s\n", id)
				return nil
			})
		}
	},
}

// defaultOverlap is how long the former secret of a key or of a webhook stays valid.
const defaultOverlap = 24 * time.Hour

var keysRotate = command{
	name:     "keys rotate",
	operands: "ID",
	about:    "replace the secret of an API key, and print the new key",
	details: `
keys list shows the ID, which stays, with permissions, limits and user. The former
key is valid until the overlap ends, but never longer than it was; give its holders
the new one in that time. A second rotation ends the older of the two.`,
	declare: func(f *flags) action {
		db := f.database()
		overlap := f.Duration("overlap", defaultOverlap, "`DURATION` for which the former key stays valid: 0s to 2160h (90 days)")
		expires := f.expires("when the new key ends (default: when the former would have)")
		return func(ctx context.Context, p *program, operands []string) error {
			id, err := keyID(operands[0])
			if err != nil {
				return err
			}
			expiresAt, err := parseExpiry(*expires, time.Now())
			if err != nil {
				return err
			}
			return onExistingDatabase(p, *db, func(tr *tracking.Tracker) error {
				secret, _, err := tr.RotateKey(ctx, id, *overlap, expiresAt)
				if err != nil {
					return noSuchKey(err, id)
				}
				fmt.Fprintln(p.stdout, secret)
				return nil
			})
		}
	},
}

func keyID(text string) (tracking.ID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return id, usageErrorf("%q is not the ID of a key: keys list shows them", text)
	}
	return id, nil
}

func noSuchKey(err error, id tracking.ID) error {
	return notFoundAs(err, "there is no key %s: landfall keys list shows them", id)
}
