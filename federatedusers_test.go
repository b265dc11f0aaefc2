package tracking_test

import (
	"slices"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

func lee(b *trackingtest.Bench) tracking.FederatedUser {
	return tracking.FederatedUser{
		Provider: "https://login.example.com", Subject: "1234", Email: " Lee@Example.com", Name: "Lee",
		Account: b.Account.Scope(), Permissions: allowed, Create: true,
	}
}

func TestSignInFederated(t *testing.T) {
	b, _ := withPasswords(t)
	visitor := b.Operator.For(tracking.Actor{ClientAddress: "192.0.2.7"}).Users()
	s, err := visitor.SignInFederated(ctx, lee(b))
	if err != nil {
		t.Fatal(err)
	}
	_, user, err := visitor.SignedIn(ctx, s)
	if err != nil || user.Name != "Lee" || user.Email != "lee@example.com" || !slices.Equal(user.Permissions, allowed) || !user.SignedInAt.Equal(b.Clock.Now()) {
		t.Fatalf("%+v, %v", user, err)
	}
	less := lee(b)
	less.Permissions, less.Name, less.Create = allowed[:1], "Another name", false
	again, err := visitor.SignInFederated(ctx, less)
	if err != nil || again != s {
		t.Fatalf("again: %+v, %v", again, err)
	}
	if actor, user, err := visitor.SignedIn(ctx, s); err != nil || user.Name != "Lee" || !slices.Equal(actor.Permissions, allowed[:1]) {
		t.Errorf("%+v, %v", user, err)
	}
	if _, err := b.Operator.Users().SignIn(ctx, "lee@example.com", ""); errorsOf(err) != "invalid_credentials" {
		t.Errorf("by an empty password: %v", err)
	}
	events, _, err := b.AuditEvents(ctx, tracking.AuditEventQuery{Resources: []tracking.ID{user.ID}}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		got = append(got, e.Operation+" "+e.ActorType+" "+e.ClientAddress)
		if e.User != user.ID && e.ActorType == "user" {
			t.Errorf("%s by %s", e.Operation, e.User)
		}
	}
	want := []string{
		"user.sign_in_failed anonymous ", "user.sign_in user 192.0.2.7", "user.sign_in user 192.0.2.7", "user.create user 192.0.2.7",
	}
	if !slices.Equal(got, want) {
		t.Errorf("audit log: %q", got)
	}
}

// TestSignInFederatedRefuses: each refusal has its code, is recorded, and changes nothing.
func TestSignInFederatedRefuses(t *testing.T) {
	b, _ := withPasswords(t)
	users := b.Operator.Users()
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	user := kim(t, b)
	known := lee(b)
	known.Email = user.Email
	if _, err := users.SignInFederated(ctx, known); err != nil {
		t.Fatal(err)
	}
	for code, change := range map[string]func(*tracking.FederatedUser){
		"no_role":       func(f *tracking.FederatedUser) { f.Permissions = nil },
		"other_account": func(f *tracking.FederatedUser) { f.Account = other.Scope() },
		"other_subject": func(f *tracking.FederatedUser) { f.Subject = "5678" },
		"no_user":       func(f *tracking.FederatedUser) { f.Email, f.Create = "nobody@example.com", false },
		"email invalid": func(f *tracking.FederatedUser) { f.Email = "no address" },
		"email blank":   func(f *tracking.FederatedUser) { f.Email = "" },
	} {
		bad := known
		change(&bad)
		if s, err := users.SignInFederated(ctx, bad); errorsOf(err) != code || s != (tracking.SignIn{}) {
			t.Errorf("%s: %v", code, err)
		}
	}
	for _, change := range []func(*tracking.FederatedUser){
		func(f *tracking.FederatedUser) { f.Permissions = []tracking.Permission{"fly"} },
		func(f *tracking.FederatedUser) { f.Subject = "" }, func(f *tracking.FederatedUser) { f.Provider = "" }, func(f *tracking.FederatedUser) { f.Account = tracking.AccountID{} },
	} {
		bad := known
		if change(&bad); second(users.SignInFederated(ctx, bad)) == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	if _, err := b.Users().SignInFederated(ctx, known); errorsOf(err) != "forbidden" {
		t.Errorf("by an actor of an account: %v", err)
	}
	moved := known // another provider is another subject
	moved.Provider, moved.Subject = "proxy", "kim"
	if _, err := users.SignInFederated(ctx, moved); err != nil {
		t.Errorf("by another provider: %v", err)
	}
	if _, err := b.Users().Update(ctx, user.ID, tracking.UserUpdate{Disabled: tracking.Set(true)}); err != nil {
		t.Fatal(err)
	}
	if _, err := users.SignInFederated(ctx, moved); errorsOf(err) != "disabled" {
		t.Errorf("disabled: %v", err)
	}
	if _, err := b.Operator.CloseAccount(ctx, "other"); err != nil {
		t.Fatal(err)
	}
	closed := lee(b)
	closed.Account = other.Scope()
	if _, err := users.SignInFederated(ctx, closed); errorsOf(err) != "disabled" {
		t.Errorf("a closed account: %v", err)
	}
	if list, total, err := b.Users().List(ctx, tracking.Page{}); err != nil || total != 1 || len(list) != 1 {
		t.Errorf("%d users, %v", total, err)
	}
}

// TestRefusedOnce: the refusals of one person for one reason are recorded once in a while, since
// behind a proxy each request is refused.
func TestRefusedOnce(t *testing.T) {
	b, _ := withPasswords(t)
	user := kim(t, b)
	recorded := func() (n int) {
		t.Helper()
		list, _, err := b.AuditEvents(ctx, tracking.AuditEventQuery{}, tracking.Page{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if e.Operation == "user.sign_in_failed" {
				n++
			}
		}
		return n
	}
	refused := lee(b)
	refused.Email, refused.Permissions = user.Email, nil
	for i, want := range []int{1, 1, 1, 2} {
		if i == 3 {
			b.Clock.Advance(16 * time.Minute)
		}
		if _, err := b.Operator.Users().SignInFederated(ctx, refused); errorsOf(err) != "no_role" {
			t.Fatal(err)
		}
		if got := recorded(); got != want {
			t.Errorf("after refusal %d: %d are recorded, want %d", i+1, got, want)
		}
	}
}
