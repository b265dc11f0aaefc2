package tracking_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/password"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

// countedPasswords are cheap, and count how often a password is compared.
type countedPasswords struct {
	tracking.Passwords
	verified int
}

func (c *countedPasswords) Verify(ctx context.Context, hash, text string) (ok, outdated bool, err error) {
	c.verified++
	return c.Passwords.Verify(ctx, hash, text)
}

func passwordsOf(tb testing.TB, passes uint32) *countedPasswords {
	tb.Helper()
	h, err := password.New(password.Config{Memory: 8, Passes: passes})
	if err != nil {
		tb.Fatal(err)
	}
	return &countedPasswords{Passwords: h}
}

// withPasswords is a bench whose users can have passwords.
func withPasswords(tb testing.TB, options ...trackingtest.Option) (*trackingtest.Bench, *countedPasswords) {
	tb.Helper()
	p := passwordsOf(tb, 1)
	return trackingtest.New(tb, append([]trackingtest.Option{func(c *tracking.Config) { c.Passwords = p }}, options...)...), p
}

const kimsPassword = "three small boats"

var allowed = []tracking.Permission{tracking.Show, tracking.Update}

func newUser(t *testing.T, tr *tracking.Tracker, n tracking.NewUser) *tracking.User {
	t.Helper()
	user, err := tr.Users().Create(ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	return user
}

// kim is a user who can sign in.
func kim(t *testing.T, b *trackingtest.Bench) *tracking.User {
	t.Helper()
	return newUser(t, b.Tracker, tracking.NewUser{Name: "Kim", Email: "Kim@Example.com ", Permissions: allowed, Password: kimsPassword})
}

func signIn(t *testing.T, b *trackingtest.Bench, email, text string) tracking.SignIn {
	t.Helper()
	s, err := b.Operator.Users().SignIn(ctx, email, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// errorsOf returns the fields and codes of an error, in order.
func errorsOf(err error) string {
	var list []string
	var many tracking.Errors
	var one *tracking.Error
	switch {
	case errors.As(err, &many):
		for _, e := range many {
			list = append(list, strings.TrimSpace(e.Field+" "+e.Code))
		}
	case errors.As(err, &one):
		list = append(list, strings.TrimSpace(one.Field+" "+one.Code))
	case err != nil:
		list = append(list, err.Error())
	}
	return strings.Join(list, ", ")
}

func TestSignIn(t *testing.T) {
	b, passwords := withPasswords(t)
	user := kim(t, b)
	if user.Email != "kim@example.com" || user.PasswordSetAt.IsZero() || user.CreatedAt != b.Clock.Now() {
		t.Errorf("%+v", user)
	}
	newUser(t, b.Tracker, tracking.NewUser{Email: "keys@example.com"})
	newUser(t, b.Tracker, tracking.NewUser{Email: "linked@example.com", Permissions: allowed})
	off := newUser(t, b.Tracker, tracking.NewUser{Email: "off@example.com", Permissions: allowed, Password: kimsPassword})
	none := newUser(t, b.Tracker, tracking.NewUser{Email: "none@example.com", Permissions: allowed, Password: kimsPassword})
	gone := newUser(t, b.Tracker, tracking.NewUser{Email: "gone@example.com", Permissions: allowed, Password: kimsPassword})
	for _, err := range []error{
		second(b.Users().Update(ctx, off.ID, tracking.UserUpdate{Disabled: tracking.Set(true)})),
		second(b.Users().Update(ctx, none.ID, tracking.UserUpdate{Permissions: tracking.Set([]tracking.Permission(nil))})),
		b.Users().Delete(ctx, gone.ID),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		email, password string
		ok              bool
	}{
		{"kim@example.com", kimsPassword, true},
		{" KIM@example.COM", kimsPassword, true},
		{"kim@example.com", kimsPassword + " ", false},
		{"kim@example.com", "", false},
		{"kim@example.com", "Three small boats", false},
		{"nobody@example.com", kimsPassword, false},
		{"", kimsPassword, false},
		{"no address", kimsPassword, false},
		{"keys@example.com", "", false},
		{"linked@example.com", "", false},
		{"off@example.com", kimsPassword, false},
		{"none@example.com", kimsPassword, false},
		{"gone@example.com", kimsPassword, false},
	} {
		before := passwords.verified
		s, err := b.Operator.Users().SignIn(ctx, row.email, row.password)
		if row.ok != (err == nil) || row.ok != (s.User == user.ID) || !row.ok && errorsOf(err) != "invalid_credentials" {
			t.Errorf("%q %q: %+v, %v", row.email, row.password, s, err)
		}
		if n := passwords.verified - before; n != 1 {
			t.Errorf("%q %q: %d comparisons: the time shows whether there is such a user", row.email, row.password, n)
		}
	}
	s := signIn(t, b, "kim@example.com", kimsPassword)
	actor, same, err := b.Operator.Users().SignedIn(ctx, s)
	if err != nil || same.ID != user.ID || !same.SignedInAt.Equal(b.Clock.Now()) {
		t.Fatalf("%+v, %v", same, err)
	}
	if diff := cmp.Diff(tracking.Actor{Account: b.Account.Scope(), User: user.ID, Permissions: allowed}, actor); diff != "" {
		t.Error(diff)
	}
	if _, err := b.Users().Update(ctx, user.ID, tracking.UserUpdate{Permissions: tracking.Set([]tracking.Permission{tracking.Show})}); err != nil {
		t.Fatal(err)
	}
	if actor, _, err := b.Operator.Users().SignedIn(ctx, s); err != nil || actor.Can(tracking.Update) || !actor.Can(tracking.Show) {
		t.Errorf("fewer permissions: %+v, %v", actor, err)
	}
	if _, err := b.Operator.CloseAccount(ctx, b.Account.Name); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Operator.Users().SignIn(ctx, "kim@example.com", kimsPassword); errorsOf(err) != "invalid_credentials" {
		t.Errorf("a closed account: %v", err)
	}
	if _, _, err := b.Operator.Users().SignedIn(ctx, s); errorsOf(err) != "signed_out" {
		t.Errorf("a closed account: %v", err)
	}
}

// TestNewUserRefuses is a table of bad input.
func TestNewUserRefuses(t *testing.T) {
	b, _ := withPasswords(t)
	kim(t, b)
	good := tracking.NewUser{Name: "Lee", Email: "lee@example.com", Permissions: allowed, Password: "four large ships"}
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		change func(*tracking.NewUser)
		want   string
	}{
		"short":            {func(n *tracking.NewUser) { n.Password = "elevenchars" }, "password too_short"},
		"short in bytes":   {func(n *tracking.NewUser) { n.Password = "äöüßáéíóúñç" }, "password too_short"},
		"long":             {func(n *tracking.NewUser) { n.Password = strings.Repeat("abcdefgh", 33) }, "password too_long"},
		"not UTF-8":        {func(n *tracking.NewUser) { n.Password = "four large\xffships" }, "password invalid"},
		"few characters":   {func(n *tracking.NewUser) { n.Password = "abababababababab" }, "password guessable"},
		"the address":      {func(n *tracking.NewUser) { n.Password = "LEE@example.com" }, "password guessable"},
		"the name":         {func(n *tracking.NewUser) { n.Name, n.Password = "Lee Longname", "lee longname" }, "password guessable"},
		"no address":       {func(n *tracking.NewUser) { n.Email = "" }, "email blank"},
		"blank address":    {func(n *tracking.NewUser) { n.Email, n.Password = " ", "" }, "email blank"},
		"half an address":  {func(n *tracking.NewUser) { n.Email = "lee@" }, "email invalid"},
		"a named address":  {func(n *tracking.NewUser) { n.Email = "Lee <lee@example.com>" }, "email invalid"},
		"two addresses":    {func(n *tracking.NewUser) { n.Email = "lee@example.com, kim@example.com" }, "email invalid"},
		"a header":         {func(n *tracking.NewUser) { n.Email = "lee@example.com\r\nBcc: kim@example.com" }, "email invalid"},
		"markup":           {func(n *tracking.NewUser) { n.Email = "<script>@example.com" }, "email invalid"},
		"a long address":   {func(n *tracking.NewUser) { n.Email = strings.Repeat("a", 250) + "@example.com" }, "email too_long"},
		"taken":            {func(n *tracking.NewUser) { n.Email = "KIM@example.com" }, "email taken"},
		"no permission":    {func(n *tracking.NewUser) { n.Permissions = nil }, "permissions blank"},
		"other permission": {func(n *tracking.NewUser) { n.Permissions = []tracking.Permission{"root"} }, "permissions inclusion"},
		"a long name":      {func(n *tracking.NewUser) { n.Name = strings.Repeat("e", 256) }, "name too_long"},
		"a bell":           {func(n *tracking.NewUser) { n.Name = "Lee\a" }, "name invalid"},
		"all at once":      {func(n *tracking.NewUser) { *n = tracking.NewUser{Name: "\x00", Email: "x", Password: "y"} }, "name invalid, email invalid, permissions blank"},
	} {
		n := good
		row.change(&n)
		for _, account := range []tracking.AccountID{b.Account.Scope(), other.Scope()} { // an address is unique in all accounts
			_, err := b.Operator.For(tracking.Actor{Account: account}).Users().Create(ctx, n)
			if got := errorsOf(err); got != row.want {
				t.Errorf("%s: %q, not %q: %v", name, got, row.want, err)
			}
			if n.Password != "" && err != nil && strings.Contains(err.Error(), n.Password) && len(n.Password) > 1 {
				t.Errorf("%s: the error has the password: %v", name, err)
			}
		}
	}
	newUser(t, b.Tracker, good)
	without := trackingtest.New(t)
	if _, err := without.Users().Create(ctx, good); errorsOf(err) != "password no_passwords" {
		t.Errorf("without Config.Passwords: %v", err)
	}
}

// TestUsersOfOneAccount: what an account has, no other account sees or changes, and only its
// administrators do.
func TestUsersOfOneAccount(t *testing.T) {
	b, _ := withPasswords(t)
	user := kim(t, b)
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	calls := func(u tracking.Users) map[string]error {
		return map[string]error{
			"Get":         second(u.Get(ctx, user.ID)),
			"ByEmail":     second(u.ByEmail(ctx, user.Email)),
			"Update":      second(u.Update(ctx, user.ID, tracking.UserUpdate{Name: tracking.Set("Mallory")})),
			"SetPassword": u.SetPassword(ctx, user.ID, "mallory's password"),
			"NewLink":     func() error { _, _, err := u.NewLink(ctx, user.ID); return err }(),
			"Delete":      u.Delete(ctx, user.ID),
		}
	}
	asOther := b.Operator.For(tracking.Actor{Account: other.Scope()})
	for name, err := range calls(asOther.Users()) {
		if !errors.Is(err, tracking.ErrNotFound) {
			t.Errorf("%s by another account: %v", name, err)
		}
	}
	if list, total, err := asOther.Users().List(ctx, tracking.Page{}); err != nil || len(list)+total > 0 {
		t.Errorf("another account sees %d users, %v", len(list), err)
	}
	most := []tracking.Permission{tracking.Show, tracking.Update, tracking.Create, tracking.Delete}
	clerk := b.Operator.For(tracking.Actor{Account: b.Account.Scope(), Permissions: most}).Users()
	refused := calls(clerk)
	refused["List"] = func() error { _, _, err := clerk.List(ctx, tracking.Page{}); return err }()
	refused["Create"] = second(clerk.Create(ctx, tracking.NewUser{Email: "eve@example.com"}))
	refused["Find"] = func() error { _, _, err := b.Sessions().Find(ctx, "t"); return err }()
	refused["Commit"] = b.Sessions().Commit(ctx, "t", nil, tracking.SignIn{}, b.Clock.Now().Add(time.Hour))
	refused["Delete session"] = b.Sessions().Delete(ctx, "t")
	for name, err := range refused {
		if !isKind(err, tracking.Forbidden) {
			t.Errorf("%s without admin: %v", name, err)
		}
	}
	forged := tracking.SignIn{Account: other.Scope(), User: user.ID, Epoch: 0}
	if _, _, err := b.Operator.Users().SignedIn(ctx, forged); errorsOf(err) != "signed_out" {
		t.Errorf("signed in to another account: %v", err)
	}
	if same, err := b.Users().Get(ctx, user.ID); err != nil || same.Version != user.Version {
		t.Errorf("%+v, %v", same, err)
	}
}

// endings are what ends the sessions of a user.
var endings = map[string]func(*trackingtest.Bench, tracking.ID) error{
	"SetPassword": func(b *trackingtest.Bench, id tracking.ID) error {
		return b.Users().SetPassword(ctx, id, "another password")
	},
	"Update": func(b *trackingtest.Bench, id tracking.ID) error {
		return second(b.Users().Update(ctx, id, tracking.UserUpdate{Disabled: tracking.Set(true)}))
	},
	"Delete": func(b *trackingtest.Bench, id tracking.ID) error { return b.Users().Delete(ctx, id) },
	"ChangePassword": func(b *trackingtest.Bench, id tracking.ID) error {
		own := b.Operator.For(tracking.Actor{Account: b.Account.Scope(), User: id, Permissions: allowed}).Users()
		s, err := own.ChangePassword(ctx, kimsPassword, "another password")
		if err == nil {
			_, _, err = own.SignedIn(ctx, s)
		}
		return err
	},
	"AcceptLink": func(b *trackingtest.Bench, id tracking.ID) error {
		token, _, err := b.Users().NewLink(ctx, id)
		if err == nil {
			_, err = b.Operator.Users().AcceptLink(ctx, token, tracking.NewUser{Password: "another password"})
		}
		return err
	},
	"CloseAccount": func(b *trackingtest.Bench, _ tracking.ID) error {
		return second(b.Operator.CloseAccount(ctx, b.Account.Name))
	},
	"DeleteAccount": func(b *trackingtest.Bench, _ tracking.ID) error {
		return second(b.Operator.DeleteAccount(ctx, b.Account.Name))
	},
}

// deletingSpy is a spy whose accounts can be deleted.
type deletingSpy struct {
	*spy
	store.AccountDeleter
}

func TestSessions(t *testing.T) {
	for name, end := range endings {
		t.Run(name, func(t *testing.T) {
			kept := memory.New()
			s := &spy{Store: kept}
			b, _ := withPasswords(t, func(c *tracking.Config) { c.Store = deletingSpy{s, kept} })
			user := kim(t, b)
			lee := newUser(t, b.Tracker, tracking.NewUser{Email: "lee@example.com", Permissions: allowed, Password: kimsPassword})
			until, before := b.Clock.Now().Add(time.Hour), signIn(t, b, user.Email, kimsPassword)
			for token, by := range map[string]tracking.SignIn{
				"first": before, "second": signIn(t, b, user.Email, kimsPassword),
				"lee's": signIn(t, b, lee.Email, kimsPassword), "nobody's": {},
			} {
				if err := b.Operator.Sessions().Commit(ctx, token, []byte(token), by, until); err != nil {
					t.Fatal(err)
				}
			}
			again, err := tracking.New(tracking.Config{Store: s, Clock: b.Clock}) // the server has started again
			if err != nil {
				t.Fatal(err)
			}
			for _, token := range []string{"first", "second", "lee's", "nobody's"} {
				if data, found, err := again.Sessions().Find(ctx, token); !found || string(data) != token || err != nil {
					t.Errorf("%s: %s %t %v", token, data, found, err)
				}
			}
			if err := end(b, user.ID); err != nil {
				t.Fatal(err)
			}
			if _, _, err := again.Users().SignedIn(ctx, before); errorsOf(err) != "signed_out" {
				t.Errorf("still signed in: %v", err)
			}
			whole := strings.HasSuffix(name, "Account")
			for token, want := range map[string]bool{"first": false, "second": false, "lee's": !whole, "nobody's": true, "unknown": false, "": false} {
				if _, found, err := again.Sessions().Find(ctx, token); found != want || err != nil {
					t.Errorf("%s after it: %t %v", token, found, err)
				}
			}
			if name != "CloseAccount" { // it can be reopened
				want := 2
				if whole {
					want = 1
				}
				if n := len(s.rows(t, tracking.AccountID{}, "session", store.Filter{})); n != want {
					t.Errorf("%d sessions stay in the store, want %d", n, want)
				}
			}
			for _, row := range s.rows(t, tracking.AccountID{}, "session", store.Filter{}) {
				if bytes.Contains(row.Private, []byte("lee's")) {
					t.Errorf("the store has a token: %s", row.Private)
				}
			}
		})
	}
}

func TestSessionExpiry(t *testing.T) {
	s := &spy{Store: memory.New()}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = s })
	sessions := b.Operator.Sessions()
	commit := func(data string, until time.Duration) {
		t.Helper()
		if err := sessions.Commit(ctx, "token", []byte(data), tracking.SignIn{Account: b.Account.Scope()}, b.Clock.Now().Add(until)); err != nil {
			t.Fatal(err)
		}
	}
	find := func() string {
		t.Helper()
		data, found, err := sessions.Find(ctx, "token")
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(string(data), " ", found)
	}
	commit("one", time.Minute)
	commit("two", time.Hour)
	b.Clock.Advance(time.Hour - time.Second)
	if got := find(); got != "two true" {
		t.Error(got)
	}
	b.Clock.Advance(time.Second)
	if got := find(); got != " false" {
		t.Error("expired: ", got)
	}
	b.Pass(2 * time.Hour)
	if n := len(s.rows(t, tracking.AccountID{}, "session", store.Filter{})); n != 0 {
		t.Errorf("%d expired sessions stay in the store", n)
	}
	commit("three", time.Hour)
	for range 2 {
		if err := sessions.Delete(ctx, "token"); err != nil {
			t.Error(err)
		}
	}
	if got := find(); got != " false" {
		t.Error("deleted: ", got)
	}
}

func TestOneTimeLinks(t *testing.T) {
	b, _ := withPasswords(t)
	visitor := b.Operator.Users()
	link := func(n tracking.NewUser) (*tracking.User, string) {
		t.Helper()
		user := newUser(t, b.Tracker, n)
		token, ends, err := b.Users().NewLink(ctx, user.ID)
		if err != nil || !ends.Equal(b.Clock.Now().Add(24*time.Hour)) {
			t.Fatal(ends, err)
		}
		return user, token
	}
	refused := func(what, token string) {
		t.Helper()
		_, peeked := visitor.Link(ctx, token)
		_, accepted := visitor.AcceptLink(ctx, token, tracking.NewUser{Email: "eve@example.com", Password: "eve's own password"})
		if errorsOf(peeked) != "invalid_link" || errorsOf(accepted) != "invalid_link" {
			t.Errorf("%s: %v, %v", what, peeked, accepted)
		}
	}

	first, token := link(tracking.NewUser{Permissions: allowed}) // who states the address
	if peeked, err := visitor.Link(ctx, token); err != nil || peeked.ID != first.ID {
		t.Errorf("%+v, %v", peeked, err)
	}
	for want, n := range map[string]tracking.NewUser{
		"email blank":                 {Password: kimsPassword},
		"email invalid":               {Email: "lee", Password: kimsPassword},
		"password blank":              {Email: "lee@example.com"},
		"password too_short":          {Email: "lee@example.com", Password: "short"},
		"name invalid, email invalid": {Name: "\x00", Email: "lee@", Password: kimsPassword},
	} {
		if _, err := visitor.AcceptLink(ctx, token, n); errorsOf(err) != want {
			t.Errorf("%q: %v", want, err)
		}
	}
	s, err := visitor.AcceptLink(ctx, token, tracking.NewUser{Name: "Lee", Email: "LEE@example.com", Password: kimsPassword, Permissions: []tracking.Permission{tracking.Admin}})
	if err != nil || s.User != first.ID {
		t.Fatal(s, err)
	}
	actor, user, err := visitor.SignedIn(ctx, s)
	if err != nil || user.Name != "Lee" || user.Email != "lee@example.com" || !user.LinkExpiresAt.IsZero() || actor.Can(tracking.Admin) {
		t.Errorf("%+v %+v %v", actor, user, err)
	}
	refused("used", token)
	signIn(t, b, "lee@example.com", kimsPassword)

	_, expired := link(tracking.NewUser{Email: "a@example.com", Permissions: allowed})
	b.Clock.Advance(24*time.Hour - time.Second)
	if _, err := visitor.Link(ctx, expired); err != nil {
		t.Errorf("before its end: %v", err)
	}
	b.Clock.Advance(time.Second)
	refused("expired", expired)

	again, old := link(tracking.NewUser{Email: "b@example.com", Permissions: allowed})
	renewed, _, err := b.Users().NewLink(ctx, again.ID)
	if err != nil {
		t.Fatal(err)
	}
	refused("replaced", old)
	if err := b.Users().SetPassword(ctx, again.ID, kimsPassword); err != nil {
		t.Fatal(err)
	}
	refused("before a password was set", renewed)

	off, token := link(tracking.NewUser{Email: "c@example.com", Permissions: allowed})
	if _, err := b.Users().Update(ctx, off.ID, tracking.UserUpdate{Disabled: tracking.Set(true)}); err != nil {
		t.Fatal(err)
	}
	refused("of a disabled user", token)
	if _, _, err := b.Users().NewLink(ctx, off.ID); errorsOf(err) != "disabled disabled" {
		t.Errorf("a link for a disabled user: %v", err)
	}
	keys := newUser(t, b.Tracker, tracking.NewUser{Email: "d@example.com"})
	if _, _, err := b.Users().NewLink(ctx, keys.ID); errorsOf(err) != "permissions blank" {
		t.Errorf("a link for the owner of keys: %v", err)
	}
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	_, token = link(tracking.NewUser{Email: "e@example.com", Permissions: allowed})
	_, foreign, err := b.Operator.Users().NewLink(ctx, tracking.ID(other.Scope()))
	if err == nil {
		t.Error("a link without an account", foreign)
	}
	for what, bad := range map[string]string{"none": "", "cut": token[1:], "changed": token[:len(token)-1] + string(otherThan(token[len(token)-1])), "long": strings.Repeat("A", 10_000), "no base64": strings.Repeat("!", len(token))} {
		refused(what, bad)
	}
	b.Clock.Advance(time.Hour) // the failures of before count no longer
	if _, err := b.Operator.CloseAccount(ctx, b.Account.Name); err != nil {
		t.Fatal(err)
	}
	if _, err := visitor.AcceptLink(ctx, token, tracking.NewUser{Password: kimsPassword}); errorsOf(err) != "invalid_link" {
		t.Errorf("of a closed account: %v", err)
	}
}

// TestLastAdministrator: an account is not left without an administrator by one of its
// users, but by the operator, who can make another.
func TestLastAdministrator(t *testing.T) {
	b, _ := withPasswords(t)
	admin := []tracking.Permission{tracking.Admin}
	kim := newUser(t, b.Tracker, tracking.NewUser{Email: "kim@example.com", Permissions: admin})
	lee := newUser(t, b.Tracker, tracking.NewUser{Email: "lee@example.com", Permissions: admin})
	asKim := b.Operator.For(tracking.Actor{Account: b.Account.Scope(), User: kim.ID, Permissions: admin}).Users()
	if _, err := asKim.Update(ctx, lee.ID, tracking.UserUpdate{Disabled: tracking.Set(true)}); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"disabled": second(asKim.Update(ctx, kim.ID, tracking.UserUpdate{Disabled: tracking.Set(true)})),
		"demoted":  second(asKim.Update(ctx, kim.ID, tracking.UserUpdate{Permissions: tracking.Set(allowed)})),
		"deleted":  asKim.Delete(ctx, kim.ID),
	} {
		if errorsOf(err) != "last_admin" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := asKim.Update(ctx, kim.ID, tracking.UserUpdate{Name: tracking.Set("Kim"), IfVersion: 99}); !errors.Is(err, tracking.ErrStale) {
		t.Errorf("another version: %v", err)
	}
	if _, err := b.Users().Update(ctx, kim.ID, tracking.UserUpdate{Disabled: tracking.Set(true)}); err != nil {
		t.Errorf("by the operator: %v", err)
	}
}

// TestThrottle: attempts at one user are bounded, whether it exists or not, and so are those
// of one network; strangers do not keep a user out of a network that is known.
func TestThrottle(t *testing.T) {
	b, passwords := withPasswords(t)
	user := kim(t, b)
	from := func(address string) tracking.Users {
		return b.Operator.For(tracking.Actor{ClientAddress: address, RequestID: "r"}).Users()
	}
	attempt := func(address, email, text string) string {
		t.Helper()
		_, err := from(address).SignIn(ctx, email, text)
		return errorsOf(err)
	}
	if got := attempt("192.0.2.1", user.Email, kimsPassword); got != "" { // a known network
		t.Fatal(got)
	}
	for _, email := range []string{user.Email, "nobody@example.com"} {
		limited := 0
		for i := range 30 {
			if attempt(fmt.Sprintf("198.51.100.%d", i), email, "a wrong guess") == "too_many_attempts" {
				limited++
			}
		}
		if limited < 10 || limited > 11 {
			t.Errorf("%s: %d of 30 attempts were refused", email, limited)
		}
	}
	before := passwords.verified
	_, err := from("198.51.100.200").SignIn(ctx, user.Email, kimsPassword)
	var refused *tracking.Error
	if !errors.As(err, &refused) || refused.Kind != tracking.Limited || refused.Meta["retry_after"] != 900 || passwords.verified != before {
		t.Errorf("%+v after %d comparisons", refused, passwords.verified-before)
	}
	if got := attempt("192.0.2.1", user.Email, kimsPassword); got != "" {
		t.Errorf("from a known network: %s", got)
	}
	b.Clock.Advance(15*time.Minute + time.Second)
	if got := attempt("198.51.100.200", user.Email, kimsPassword); got != "" {
		t.Errorf("after the window: %s", got)
	}
	limited := 0
	for i := range 110 {
		if attempt(fmt.Sprintf("2001:db8::%x", i), fmt.Sprintf("u%d@example.com", i), "a wrong guess") == "too_many_attempts" {
			limited++
		}
	}
	if limited != 10 {
		t.Errorf("%d of 110 attempts of one network were refused", limited)
	}
	if _, err := from("2001:db8::ffff").Link(ctx, "x"); errorsOf(err) != "too_many_attempts" {
		t.Errorf("a link: %v", err)
	}
}

// TestRehash: a password is hashed again when it costs more, by signing in.
func TestRehash(t *testing.T) {
	s := &spy{Store: memory.New()}
	b, _ := withPasswords(t, func(c *tracking.Config) { c.Store = s })
	user := kim(t, b)
	hash := func() string {
		t.Helper()
		return string(s.rows(t, b.Account.Scope(), "user_credential", store.Filter{})[0].Private)
	}
	old := hash()
	signIn(t, b, user.Email, kimsPassword)
	if hash() != old || !strings.Contains(old, "t=1,") {
		t.Errorf("%s", hash())
	}
	dearer, err := tracking.New(tracking.Config{Store: s, Clock: b.Clock, Passwords: passwordsOf(t, 2)})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a wrong guess", kimsPassword, kimsPassword} {
		_, err := dearer.Users().SignIn(ctx, user.Email, text)
		if (err == nil) != (text == kimsPassword) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if !strings.Contains(hash(), "t=2,") {
		t.Errorf("%s", hash())
	}
}

// TestAuditOfUsers: every sign-in, failure, sign-out and change of a user is in the audit
// log, and no secret is in it, in the log, in the export or in the store.
func TestAuditOfUsers(t *testing.T) {
	var log bytes.Buffer
	s := &spy{Store: memory.New()}
	b, _ := withPasswords(t, func(c *tracking.Config) {
		c.Store = s
		c.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	visitor := b.Operator.For(tracking.Actor{ClientAddress: "192.0.2.1", RequestID: "r1"}).Users()
	user := kim(t, b)
	secrets := []string{kimsPassword, "a wrong guess", "another password", "the third password", "$argon2id", "mistaken@password"}
	errs := []error{second(visitor.SignIn(ctx, user.Email, "a wrong guess")), second(visitor.SignIn(ctx, "mistaken@password", "a wrong guess"))}
	in, err := visitor.SignIn(ctx, user.Email, kimsPassword)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Operator.Sessions().Commit(ctx, "the token", []byte("data"), in, b.Clock.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	token, _, err := b.Users().NewLink(ctx, user.ID)
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := visitor.AcceptLink(ctx, token, tracking.NewUser{Password: "another password"})
	if err != nil {
		t.Fatal(err)
	}
	own := b.Operator.For(tracking.Actor{Account: in.Account, User: in.User, Permissions: allowed}).Users()
	errs = append(errs, second(visitor.AcceptLink(ctx, token, tracking.NewUser{})), second(own.ChangePassword(ctx, "a wrong guess", "the third password")))
	if _, err := own.ChangePassword(ctx, "another password", "the third password"); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		visitor.SignOut(ctx, accepted),
		second(b.Users().Update(ctx, user.ID, tracking.UserUpdate{Name: tracking.Set("Kimberley"), Permissions: tracking.Set([]tracking.Permission{tracking.Show}), Disabled: tracking.Set(true)})),
		second(b.Users().Update(ctx, user.ID, tracking.UserUpdate{Name: tracking.Set("Kimberley")})), // changes nothing
		b.Users().SetPassword(ctx, user.ID, kimsPassword),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	exported := exportAccount(t, b, b.Account.Name)
	if err := b.Users().Delete(ctx, user.ID); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"operator account.create",
		"operator user.create",
		"anonymous user.sign_in_failed",
		"user user.sign_in",
		"operator user.create_link link",
		"user user.accept_link password",
		"user user.sign_in_failed",
		"user user.change_password password",
		"user user.sign_out",
		"operator user.update permissions,disabled,name",
		"operator user.set_password password",
		"operator user.delete",
	}
	if diff := cmp.Diff(want, auditLines(t, b)); diff != "" {
		t.Error(diff)
	}
	unknown, _, err := b.Operator.AuditEvents(ctx, tracking.AuditEventQuery{}, tracking.Page{})
	if err != nil || len(unknown) != 2 { // the address and the link that nobody has
		t.Errorf("%d events without an account, %v", len(unknown), err)
	}
	for _, e := range unknown {
		if e.Operation != "user.sign_in_failed" || e.ActorType != "anonymous" || e.ClientAddress != "192.0.2.1" || e.RequestID != "r1" || len(e.ResourceIDs) > 0 {
			t.Errorf("%+v", e)
		}
	}

	exportedText, err := json.Marshal(exported.resources)
	if err != nil {
		t.Fatal(err)
	}
	events, _, err := b.AuditEvents(ctx, tracking.AuditEventQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	shown := fmt.Sprintf("%+v %+v %s %+v %s %v", events, unknown, exportedText, user, log.String(), errs)
	for _, secret := range append(secrets, token, "the token") {
		if strings.Contains(shown, secret) {
			t.Errorf("%q is shown", secret)
		}
	}
	if len(exported.resources["user"]) != 1 || !strings.Contains(string(exportedText), `"email":"kim@example.com"`) {
		t.Errorf("exported users: %v", exported.resources["user"])
	}
	stored := ""
	for kind := range s.kinds {
		for _, scope := range []tracking.AccountID{{}, b.Account.Scope()} {
			for _, row := range s.rows(t, scope, kind, store.Filter{}) {
				stored += string(row.Doc) + string(row.Private)
			}
		}
	}
	for _, secret := range append(secrets[:4], token, "the token") {
		if strings.Contains(stored, secret) {
			t.Errorf("%q is stored", secret)
		}
	}
}

// TestUserNames: users are called by their names, or else by their addresses, of the account
// alone.
func TestUserNames(t *testing.T) {
	b := trackingtest.New(t)
	want := map[tracking.ID]string{}
	for _, row := range []struct{ name, email, want string }{
		{"Ann", "ann@example.com", "Ann"}, {"", "ben@example.com", "ben@example.com"},
		{"Lee", "lee@example.com", "lee@example.com"}, {"Lee", "lee@example.org", "lee@example.org"}, {"", "", ""},
	} {
		user := newUser(t, b.Tracker, tracking.NewUser{Name: row.name, Email: row.email})
		if row.want != "" {
			want[user.ID] = row.want
		}
	}
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	stranger := b.Operator.For(tracking.Actor{Account: other.Scope(), Permissions: []tracking.Permission{tracking.Show}})
	newUser(t, b.Operator.For(tracking.Actor{Account: other.Scope()}), tracking.NewUser{Name: "Other"})
	if got, err := b.Users().Names(ctx); err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, error %v, want %v", got, err, want)
	}
	if got, err := stranger.Users().Names(ctx); err != nil || len(got) != 1 {
		t.Errorf("another account has %v, error %v", got, err)
	}
	nobody := b.Operator.For(tracking.Actor{Account: b.Account.Scope(), Permissions: []tracking.Permission{}})
	if _, err := nobody.Users().Names(ctx); errorsOf(err) != "forbidden" {
		t.Errorf("without show: %v", err)
	}
}
